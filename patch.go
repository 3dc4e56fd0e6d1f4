package atomicedit

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// ParseV4A reads a V4A patch:
//
//	patch   = [ "*** Begin Patch" ] { add | delete | update } [ "*** End Patch" ]
//	add     = "*** Add File: " path { "+" line }
//	delete  = "*** Delete File: " path
//	update  = "*** Update File: " path [ "*** Move to: " path ] { chunk }
//	chunk   = { "@@" [ " " anchor ] } { ( " " | "-" | "+" ) line } [ "*** End of File" ]
//
// The first chunk may lack its "@@". An anchor may be a line hint, as in "@@ -12,3 +12,4 @@". Chunks alone are a body for a
// file named elsewhere: see [Plan.ForFile].
//
// If both Begin and End are there, ParseV4A ignores the text around them. If both are missing, the patch may be inside a code
// fence or a here-document, but nothing else may surround it. ParseV4A ignores whitespace around a marker, " ***" after it,
// and quotes or code marks around a path; but in a chunk, a line that begins with a space is a context line. An empty line is
// an empty context line, except before a marker, "@@" or the end.
//
// Every error is a [*Refusal] with [ErrSyntax] and the line. A patch with only one of Begin and End was cut off,
// which is also io.ErrUnexpectedEOF. Time and memory are linear in the length of the request.
func ParseV4A(request string) (Plan, error) {
	p := patchParser{in: text.Scanner{Src: request}, end: strings.LastIndex(request, "*** End Patch"), state: bareStart, plan: Plan{Format: "v4a"}}
	if hasPatchBegin(request) {
		p.state = outside
	}
	for p.in.Scan() {
		if err := p.readLine(); err != nil {
			unended := p.in.Next == len(request) && request[len(request)-1] != '\n'
			if m, _ := readPatchMarker(p.in.Line); p.isOpen() && unended && m != patchEnd {
				return p.close() // half a line, and no end
			}
			return Plan{}, err
		}
	}
	return p.close()
}

// A patchState tells which lines the parser expects.
type patchState int

const (
	outside   patchState = iota // text before Begin, or after End
	bareStart                   // the start of a patch without Begin, perhaps inside a wrapper
	between                     // the header of a file
	inAdd
	inDelete
	inUpdate // also a body without any header
	bareEnd  // nothing more: the wrapper has ended
)

type patchParser struct {
	in    text.Scanner
	end   int // offset of the last "*** End Patch", -1 if there is none
	state patchState
	plan  Plan

	bare     bool     // there is no Begin
	wrappers []string // the lines that end the wrapper around a bare patch

	op     Op   // of the section being read
	line   int  // of the section's header
	crlf   bool // its header ends in "\r\n"; if not, "\r" in an added file is content
	added  []byte
	blanks int // empty lines below those of an added file
	chunk  chunk
}

// A chunk is a part of an update: the lines below one or several "@@".
type chunk struct {
	line    int // of its first "@@", 0 if it has none
	anchors []string
	near    int
	section string // after the numbers of its "@@"
	atEnd   bool   // "*** End of File" is below it
	hunk
}

// readLine reads the current line.
func (p *patchParser) readLine() error {
	s := p.in.Line
	inChunk := p.isInChunk()
	marker, path := p.marker(inChunk)
	switch p.state {
	case outside:
		return p.readOutside(marker)
	case bareStart:
		if text.IsBlank(s) || p.readWrapper() {
			return nil
		}
		p.bare, p.state = true, between
		if marker == patchNone {
			p.state, p.line = inUpdate, p.in.No
		}
	}
	if p.bare && p.endsWrapper() {
		err := p.closeSection()
		p.state = bareEnd
		return err
	}
	switch marker {
	case patchNone:
		return p.readBody()
	case patchBegin:
		return syntax(p.in.No, "a second \"*** Begin Patch\": expected \"*** End Patch\" before it")
	case patchEnd:
		return p.readEnd()
	case patchEOF:
		return p.readEndOfFile()
	}
	if path == "" {
		return syntax(p.in.No, quote(s)+" names no file: expected a path after the colon")
	}
	if marker == patchMove {
		return p.readMove(path, inChunk)
	}
	return p.startSection(marker, path)
}

// isInChunk reports whether the lines above the current one begin a chunk.
func (p *patchParser) isInChunk() bool {
	return p.state == inUpdate && (!p.chunk.isEmpty() || p.chunk.line > 0)
}

// marker returns the marker that the current line is. In a chunk, a marker after whitespace is content, except the last
// "*** End Patch" of the request.
func (p *patchParser) marker(inChunk bool) (patchMarker, string) {
	s := p.in.Line
	isLastEnd := p.end >= p.in.At && p.end < p.in.Next && !p.bare
	if inChunk && !isLastEnd && (s == "" || s[0] != '*') {
		return patchNone, ""
	}
	return readPatchMarker(s)
}

// readOutside reads a line that is not between Begin and End.
func (p *patchParser) readOutside(marker patchMarker) error {
	switch f := formatOf(&p.in); {
	case marker == patchBegin:
		p.state = between
	case marker != patchNone || f == formatV4A:
		return syntax(p.in.No, quote(p.in.Line)+" is outside the patch: expected it between \"*** Begin Patch\" and \"*** End Patch\"")
	case f != noFormat:
		return mixedFormats(p.in.No, quote(p.in.Line), "patch")
	}
	return nil
}

// readWrapper reads a line that may stand above a bare patch: the opening of a code fence or a here-document. It reports
// false for any other line.
func (p *patchParser) readWrapper() bool {
	s := p.in.Line
	command, word, isHere := strings.Cut(s, "<<")
	word = strings.Trim(strings.TrimSpace(word), "-'\"")
	switch {
	case len(p.wrappers) > 4: // nobody wraps a patch this often
		return false
	case text.IsFence(s):
		s = strings.TrimLeft(s, " \t")
		p.wrappers = append(p.wrappers, s[:len(s)-len(strings.TrimLeft(s, s[:1]))])
	case isHere && word != "" && !strings.ContainsAny(command, "-+@*") && !strings.ContainsAny(word, "<> "):
		p.wrappers = append(p.wrappers, word)
	default:
		return strings.HasPrefix(s, "%%")
	}
	return true
}

// endsWrapper reports whether the current line ends the wrapper around a bare patch.
func (p *patchParser) endsWrapper() bool {
	for _, w := range p.wrappers {
		if strings.TrimRight(p.in.Line, " \t") == w {
			return true
		}
	}
	return false
}

// readEnd reads "*** End Patch".
func (p *patchParser) readEnd() error {
	if p.bare {
		return cutOff(p.in.No, Plan{}, "\"*** End Patch\" without \"*** Begin Patch\": the beginning of the request is missing; send it again in full")
	}
	if err := p.closeSection(); err != nil {
		return err
	}
	if len(p.plan.Ops) == 0 {
		return syntax(p.in.No, "the patch is empty: expected \"*** Add File: path\", \"*** Update File: path\" or \"*** Delete File: path\"")
	}
	p.state = outside
	return nil
}

// readEndOfFile reads "*** End of File".
func (p *patchParser) readEndOfFile() error {
	if p.state != inUpdate || p.chunk.isEmpty() {
		return syntax(p.in.No, "\"*** End of File\" without lines: expected lines that begin with \" \", \"-\" or \"+\" before it")
	}
	p.chunk.atEnd = true
	return p.closeChunk()
}

// readMove reads "*** Move to: path".
func (p *patchParser) readMove(path string, inChunk bool) error {
	if p.state != inUpdate || p.op.Path == "" || p.op.To != "" || len(p.op.Edits) > 0 || inChunk {
		return syntax(p.in.No, "\"*** Move to:\" is misplaced: expected it right below \"*** Update File: path\"")
	}
	p.op.Kind, p.op.To = OpMove, path
	return nil
}

// startSection reads the header of a file.
func (p *patchParser) startSection(marker patchMarker, path string) error {
	if p.state == inUpdate && p.op.Path == "" {
		return syntax(p.in.No, quote(p.in.Line)+" after lines that belong to no file: expected it above them")
	}
	if err := p.closeSection(); err != nil {
		return err
	}
	p.op, p.line, p.crlf = Op{Path: path}, p.in.No, p.in.CRLF()
	switch marker {
	case patchAdd:
		p.state, p.op.Kind = inAdd, OpCreate
	case patchDelete:
		p.state, p.op.Kind = inDelete, OpDelete
	case patchUpdate:
		p.state = inUpdate
	}
	return nil
}

// readBody reads a line that is not a marker.
func (p *patchParser) readBody() error {
	s := p.in.Line
	switch {
	case p.state == inUpdate:
		return p.readUpdate()
	case p.state == inAdd:
		return p.readAdded()
	case text.IsBlank(s):
		return nil
	case p.state == inDelete:
		return syntax(p.in.No, quote(s)+" below \"*** Delete File:\": expected no lines, or \"*** Update File:\" to remove some")
	case p.state == bareEnd:
		return syntax(p.in.No, quote(s)+" after the end of the patch: expected nothing more")
	}
	return syntax(p.in.No, quote(s)+" is not a file header: expected \"*** Add File: path\", \"*** Update File: path\" or "+
		"\"*** Delete File: path\"")
}

// readAdded reads a line of an added file.
func (p *patchParser) readAdded() error {
	s := p.in.Line
	switch {
	case s != "" && s[0] == '+' && p.blanks == 0:
		if !p.crlf {
			s = p.in.Verbatim()
		}
		p.added = append(append(p.added, s[1:]...), '\n')
		return nil
	case text.IsBlank(s):
		p.blanks++
		return nil
	}
	return syntax(p.in.No, "every line of an added file, even a blank one, begins with \"+\": expected \"+\" in front of "+quote(s))
}

// readUpdate reads a line of an update.
func (p *patchParser) readUpdate() error {
	s := p.in.Line
	switch {
	case s == "@@" || strings.HasPrefix(s, "@@ "):
		return p.startChunk()
	case len(p.op.Edits) == 0 && p.chunk.line == 0 && p.chunk.isEmpty() && p.isOwnDiffHeader():
		return nil
	case p.op.Path != "" && strings.HasPrefix(s, "+++ ") && strings.HasPrefix(p.in.Peek(), "@@"):
		return mixedFormats(p.in.No, quote(s), "patch")
	case p.chunk.line == 0 && len(p.op.Edits) > 0 && !text.IsBlank(s):
		return syntax(p.in.No, "a line after \"*** End of File\": expected \"@@\" before the lines of the next chunk")
	case p.chunk.add(s):
		return nil
	case strings.HasPrefix(s, "***"):
		return syntax(p.in.No, quote(s)+" is not a marker: expected one of these, spelled exactly so: \"*** Begin Patch\", \"*** Add File: path\", "+
			"\"*** Update File: path\", \"*** Delete File: path\", \"*** End of File\" or \"*** End Patch\"")
	}
	return syntax(p.in.No, quote(s)+" is not a line of a chunk: expected \" \" (kept), \"-\" (removed) or \"+\" (added) in front of it")
}

// isOwnDiffHeader reports whether the current line is how a diff names the file that is being updated: "--- a/file" or
// "+++ b/file".
func (p *patchParser) isOwnDiffHeader() bool {
	s := p.in.Line
	name, isOld := strings.CutPrefix(s, "--- ")
	if !isOld {
		name, _ = strings.CutPrefix(s, "+++ ")
	}
	if name == s || isOld && !strings.HasPrefix(p.in.Peek(), "+++ ") {
		return false
	}
	return name == p.op.Path || len(name) > 2 && (name[:2] == "a/" || name[:2] == "b/") && name[2:] == p.op.Path
}

// startChunk reads an "@@" line. Below another one, it adds to the same chunk.
func (p *patchParser) startChunk() error {
	c := &p.chunk
	if !c.isEmpty() {
		if err := p.closeChunk(); err != nil {
			return err
		}
	}
	if c.line == 0 {
		c.line = p.in.No
	}
	c.blanks = 0
	if h := readHunkHeader(p.in.Line); h.counted {
		c.near, c.section = h.near(), h.section
	} else if anchor := readAnchor(p.in.Line); anchor != "" {
		c.anchors = append(c.anchors, anchor)
	}
	return nil
}

// readAnchor returns the anchor in an "@@" line, "" if it has none.
func readAnchor(s string) string {
	s = strings.TrimRight(strings.TrimPrefix(strings.TrimPrefix(s, "@@"), " "), " \t")
	s = strings.TrimRight(strings.TrimSuffix(s, " @@"), " \t")
	if text.IsBlank(s) || s == "..." || s == "@@" {
		return ""
	}
	return s
}

// closeChunk makes the chunk, if there is one, an edit of the operation.
func (p *patchParser) closeChunk() error {
	c := &p.chunk
	if c.isEmpty() {
		if c.line > 0 {
			return syntax(c.line, "\"@@\" without lines: expected lines that begin with \" \", \"-\" or \"+\" below it")
		}
		c.blanks = 0
		return nil
	}
	e := c.edit()
	e.Anchors, e.Near, e.AtEnd, e.Section = c.anchors, c.near, c.atEnd, c.section
	p.op.Edits = append(p.op.Edits, e)
	p.chunk = chunk{hunk: c.hunk}
	return nil
}

// closeSection adds the operation of the section being read to the plan, if there is one.
func (p *patchParser) closeSection() error {
	switch p.state {
	case inAdd:
		p.op.Content, p.added, p.blanks = string(p.added), p.added[:0], 0
	case inUpdate:
		if err := p.closeChunk(); err != nil {
			return err
		}
		if len(p.op.Edits) == 0 && p.op.Kind != OpMove {
			return syntax(p.line, "an update without lines: expected \"@@\" and lines that begin with \" \", \"-\" or \"+\" below it")
		}
	case inDelete:
	default:
		return nil
	}
	p.plan.Ops = append(p.plan.Ops, p.op)
	p.op, p.state = Op{}, between
	return nil
}

// isOpen reports whether the parser has read a Begin, and not its End.
func (p *patchParser) isOpen() bool { return p.state != outside && p.state != bareStart && !p.bare }

// close returns the plan at the end of the request.
func (p *patchParser) close() (Plan, error) {
	if p.isOpen() {
		partial := p.plan
		if len(p.op.Edits) > 0 {
			partial.Ops = append(partial.Ops, p.op)
		}
		return Plan{}, cutOff(p.in.No, partial, "the patch was cut off: expected \"*** End Patch\" at its end; send it again in full")
	}
	if err := p.closeSection(); err != nil {
		return Plan{}, err
	}
	if len(p.plan.Ops) == 0 {
		return Plan{}, syntax(1, "there is no patch here: expected \"*** Begin Patch\"")
	}
	p.plan.numberEdits(false)
	return p.plan, nil
}
