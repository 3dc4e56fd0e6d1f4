package patch

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// An AddedReader reads the lines of an added file. Its memory is reused for the next file.
type AddedReader struct {
	path string
	crlf bool // the header ends in "\r\n"; if not, "\r" is content
	bare bool // nothing marks the end of the patch, so that every line needs its "+"

	diff    int    // the last line of a diff's header above the lines, 0 if there is none
	lines   []byte // read so far
	blanks  int    // empty lines below them, which are part of the file only if another line follows
	Plain   int    // the first line, if no line has a "+" in front
	columns string // the different first columns of plain lines, at most two
}

func (r *AddedReader) read(in *text.Scanner) error {
	s := in.Line
	first := len(r.lines) == 0
	switch {
	case text.IsBlank(s):
		r.blanks++
		return nil
	case first && r.blanks == 0 && (isNewFileHunk(s) || isDiffHeaderOf(in, r.path) ||
		strings.HasPrefix(s, "--- /dev/null")):
		r.diff = in.No
		return nil
	case s[0] == '+' && r.Plain == 0:
		r.add(in, 1)
		return nil
	case s[0] == '+':
		return plan.BadLine(in, " begins with \"+\", but the lines of the added file above it do not: "+
			"expected \"+\" in front of every line of the file")
	case r.Plain > 0 && marker.Of(in) == marker.None, first && r.MayBePlain(in):
		r.AddPlain(in)
		return nil
	}
	return plan.Syntax(in.No, "every line of an added file, even a blank one, begins with \"+\": "+
		"expected \"+\" in front of "+plan.Excerpt(s))
}

// MayBePlain reports whether the current line may be the first of a file whose lines have no "+" in front.
func (r *AddedReader) MayBePlain(in *text.Scanner) bool {
	return !r.bare && r.diff == 0 && in.Line[0] != '+' && marker.Of(in) == marker.None && !text.IsFence(in.Line)
}

// AddPlain adds the current line, which has no "+" in front.
func (r *AddedReader) AddPlain(in *text.Scanner) {
	if r.Plain == 0 {
		r.Plain = in.No
	}
	if first := in.Line[:1]; len(r.columns) < 2 && !strings.Contains(r.columns, first) {
		r.columns += first
	}
	r.add(in, 0)
}

// isNewFileHunk reports whether a line begins the hunk of a new file.
func isNewFileHunk(s string) bool {
	h := marker.ReadHunkHeader(s)
	return isChunkHeader(s) && (readAnchor(s) == "" || h.Counted && h.OldN == 0)
}

// add adds the current line from a column on, and the empty lines above it unless it is the first.
func (r *AddedReader) add(in *text.Scanner, column int) {
	for ; r.blanks > 0 && len(r.lines) > 0; r.blanks-- {
		r.lines = append(r.lines, '\n')
	}
	r.blanks = 0
	s := in.Line
	if !r.crlf {
		s = in.Verbatim()
	}
	r.lines = marker.AppendLine(r.lines, s[column:])
}

func (r *AddedReader) Close() (string, error) {
	if r.Plain > 0 && (r.columns == " " || r.columns == "-") {
		return "", plan.Syntax(r.Plain, "every line of the added file begins with \""+r.columns+"\", "+
			"which may be content or a prefix: expected \"+\" in front of every line")
	}
	if r.diff > 0 && len(r.lines) == 0 {
		return "", plan.Syntax(r.diff, "the added file has the header of a hunk, but no lines: "+
			"expected lines that begin with \"+\" below it")
	}
	content := string(r.lines)
	*r = AddedReader{lines: r.lines[:0]}
	return content, nil
}
