package patch

import (
	"cmp"
	"strings"

	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// An AddedReader reads the lines of an added file. Its memory is reused for the next file.
type AddedReader struct {
	Path string
	crlf bool // the header ends in "\r\n"; if not, "\r" is content
	bare bool // nothing marks the end of the patch, so that every line needs its "+"

	diff    int // the last line of a diff's header above the lines, 0 if there is none
	lines   marker.Lines
	Plain   int    // the first line, if no line has a "+" in front
	columns string // the different first columns of plain lines, at most two
}

func (r *AddedReader) Read(in *text.Scanner) error {
	s, content := in.Line, in.Line
	if !r.crlf {
		content = in.Verbatim()
	}
	first := len(r.lines.Data) == 0
	switch {
	case text.IsBlank(s):
		r.lines.Blanks++
	case first && r.lines.Blanks == 0 && (isNewFileHunk(s) || isDiffHeaderOf(in, r.Path) ||
		strings.HasPrefix(s, "--- /dev/null")):
		r.diff = in.No
	case s[0] == '+' && r.Plain == 0:
		r.lines.Add(content[1:])
	case s[0] == '+':
		return plan.BadLine(in, " begins with \"+\", but the lines of the added file above it do not: "+
			"expected \"+\" in front of every line of the file")
	case marker.Of(in) == marker.None && (r.Plain > 0 || first && !r.bare && r.diff == 0 && !text.IsFence(s)):
		r.Plain = cmp.Or(r.Plain, in.No)
		if len(r.columns) < 2 && !strings.Contains(r.columns, s[:1]) {
			r.columns += s[:1]
		}
		r.lines.Add(content)
	default:
		return plan.Syntax(in.No, "every line of an added file, even a blank one, begins with \"+\": "+
			"expected \"+\" in front of "+plan.Excerpt(s))
	}
	return nil
}

// isNewFileHunk reports whether a line begins the hunk of a new file.
func isNewFileHunk(s string) bool {
	h := marker.ReadHunkHeader(s)
	return isChunkHeader(s) && (readAnchor(s) == "" || h.Counted && h.OldN == 0)
}

func (r *AddedReader) Close() (string, error) {
	if r.Plain > 0 && (r.columns == " " || r.columns == "-") {
		return "", plan.Syntax(r.Plain, "every line of the added file begins with \""+r.columns+"\", "+
			"which may be content or a prefix: expected \"+\" in front of every line")
	}
	if r.diff > 0 && len(r.lines.Data) == 0 {
		return "", plan.Syntax(r.diff, "the added file has the header of a hunk, but no lines: "+
			"expected lines that begin with \"+\" below it")
	}
	content := r.lines.Take()
	*r = AddedReader{lines: r.lines}
	return content, nil
}

// A chunkReader reads the chunks of one file: lines below one or several "@@". Its memory is reused for the next file.
type chunkReader struct {
	path  string // "" if the patch does not say
	edits []plan.Edit

	line  int       // of the first "@@" of the chunk being read, 0 if it has none
	place plan.Edit // what its "@@" lines say, and "*** End of File" below it
	lines marker.Hunk
}

func (r *chunkReader) isAtStart() bool { return len(r.edits) == 0 && !r.isInChunk() }

// isInChunk reports whether the lines above the current one begin a chunk.
func (r *chunkReader) isInChunk() bool { return r.line > 0 || !r.lines.IsEmpty() }

func (r *chunkReader) read(in *text.Scanner) error {
	s := in.Line
	switch {
	case isChunkHeader(s):
		return r.start(in)
	case r.isAtStart() && isDiffHeaderOf(in, r.path):
		return nil
	case strings.HasPrefix(s, "+++") && marker.MayNameFile(s[3:]) && strings.HasPrefix(in.Peek(), "@@"):
		return plan.MixedFormats(in.No, plan.Excerpt(s), "patch")
	case !r.isInChunk() && len(r.edits) > 0 && !text.IsBlank(s):
		return plan.Syntax(in.No, "a line after \"*** End of File\": expected \"@@\" before the lines of the next "+
			"chunk")
	case r.lines.Add(s):
		return nil
	case strings.HasPrefix(s, "***"):
		return plan.BadLine(in, " is not a marker: expected one of these, spelled exactly so: \"*** Begin Patch\", "+
			"\"*** Add File: path\", \"*** Update File: path\", \"*** Delete File: path\", "+
			"\"*** End of File\" or \"*** End Patch\"")
	case r.path == "" && !r.isInChunk(), marker.Of(in) != marker.None: // words, or blocks
		return marker.NotOfHunk(in.No, s, "chunk")
	}
	r.lines.AddBare(s, in.No)
	return nil
}

// isChunkHeader reports whether a line of a patch begins a chunk, or adds an anchor to one.
func isChunkHeader(s string) bool { return strings.HasPrefix(s, "@@") && !strings.HasPrefix(s, "@@@") }

// isDiffHeaderOf reports whether the current line is one of those with which a diff names a file.
func isDiffHeaderOf(in *text.Scanner, path string) bool {
	if git, ok := strings.CutPrefix(in.Line, "diff --git "); ok {
		_, newer := marker.ReadGitNames(git)
		return newer == path
	}
	if strings.HasPrefix(in.Line, "index ") {
		return strings.HasPrefix(in.Peek(), "--- ")
	}
	h := marker.ReadFileHeader(in)
	if h == nil || h.Olds == 1 && !h.Paired {
		return false
	}
	name := cmp.Or(h.Old, h.New)
	return name == path || name == "a/"+path || name == "b/"+path
}

// start reads an "@@" line. Below another one, it adds to the same chunk.
func (r *chunkReader) start(in *text.Scanner) error {
	if err := r.closeChunk(); err != nil {
		return err
	}
	r.line = cmp.Or(r.line, in.No)
	r.lines.Blanks = 0
	if h := marker.ReadHunkHeader(in.Line); h.Counted {
		r.place.Near, r.place.Section = h.Near(), h.Section
	} else if anchor := readAnchor(in.Line); anchor != "" {
		r.place.Anchors = append(r.place.Anchors, anchor)
	}
	return nil
}

// readAnchor returns the anchor in an "@@" line, "" if it has none.
func readAnchor(s string) string {
	s = strings.TrimRight(strings.TrimPrefix(strings.TrimPrefix(s, "@@"), " "), text.Space)
	s = strings.TrimRight(strings.TrimSuffix(s, " @@"), text.Space)
	if text.IsBlank(s) || s == "..." || s == "@@" {
		return ""
	}
	return s
}

// closeChunk makes the chunk an edit, if it has lines.
func (r *chunkReader) closeChunk() error {
	if r.lines.IsEmpty() {
		return nil
	}
	e, err := r.lines.Edit("chunk", r.place)
	if err != nil {
		return err
	}
	r.edits = append(r.edits, e)
	r.line, r.place = 0, plan.Edit{}
	return nil
}

// close returns the edits of the file. The last "@@" may lack lines, unless it names a place in a patch cut off there.
func (r *chunkReader) close(mayBeCut bool) ([]plan.Edit, error) {
	if err := r.closeChunk(); err != nil {
		return nil, err
	}
	if r.line > 0 && (mayBeCut && (len(r.place.Anchors) > 0 || r.place.Near > 0) || len(r.edits) == 0) {
		return nil, plan.Syntax(r.line, "\"@@\" without lines: expected lines that begin with \" \", "+
			"\"-\" or \"+\" below it")
	}
	edits := r.edits
	r.lines.Blanks = 0
	*r = chunkReader{lines: r.lines}
	return edits, nil
}
