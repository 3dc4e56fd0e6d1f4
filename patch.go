package atomicedit

import (
	"strconv"
	"strings"
)

// ParseV4A reads a V4A patch:
//
//	patch   = [ "*** Begin Patch" ] { add | delete | update } [ "*** End Patch" ]
//	add     = "*** Add File: " path { "+" line }
//	delete  = "*** Delete File: " path
//	update  = "*** Update File: " path [ "*** Move to: " path ] { chunk }
//	chunk   = { "@@" [ " " anchor ] } { ( " " | "-" | "+" ) line } [ "*** End of File" ]
//
// The first chunk may lack its "@@"; an anchor may be a line hint as in "@@ -12,3 +12,4 @@". Chunks alone are a body for
// a file named elsewhere: see [Plan.ForFile]. Begin and End are both there, and then text around them is ignored, or
// both are missing, and then only a code fence or a here-document may stand around the whole. White space around a
// marker, " ***" behind it, and quotes or code marks around a path are overlooked; but a line of a chunk that begins with
// a space is content. An empty line is an empty context line, except before a marker, "@@" or the end.
//
// Every error is a [*Refusal] with [ErrSyntax] and the line. A patch with only one of Begin and End was cut off:
// io.ErrUnexpectedEOF as well. Time and memory are linear in the length of text.
func ParseV4A(text string) (Plan, error) {
	p := patchParser{in: scanner{src: text}, end: strings.LastIndex(text, "*** End Patch")}
	p.state = outside
	if !hasBegin(text) {
		p.state = bareStart
	}
	for p.in.scan() {
		if err := p.line(); err != nil {
			if m, _ := patchMarker(p.in.text); m != patchEnd && p.open() && p.in.next == len(text) && text[len(text)-1] != '\n' {
				return p.finish() // half a line, and no end
			}
			return Plan{}, err
		}
	}
	return p.finish()
}

// hasBegin reports whether text has a line "*** Begin Patch".
func hasBegin(text string) bool {
	for in := (scanner{src: text}); in.scan(); {
		if mark, _ := patchMarker(in.text); mark == patchBegin {
			return true
		}
	}
	return false
}

// A patchMark is what a line of a patch that begins with "***" means.
type patchMark int

const (
	patchNone patchMark = iota
	patchBegin
	patchEnd
	patchAdd
	patchDelete
	patchUpdate
	patchMove
	patchEOF
)

// patchMarker returns the marker that a line is, and the path that it names.
func patchMarker(s string) (patchMark, string) {
	s, ok := strings.CutPrefix(strings.TrimLeft(s, " \t"), "*** ")
	if !ok {
		return patchNone, ""
	}
	s = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s), " ***"))
	switch s {
	case "Begin Patch":
		return patchBegin, ""
	case "End Patch":
		return patchEnd, ""
	case "End of File":
		return patchEOF, ""
	}
	name, path, _ := strings.Cut(s, ":")
	path = withoutQuotes(strings.TrimSpace(path))
	switch name {
	case "Add File":
		return patchAdd, path
	case "Delete File":
		return patchDelete, path
	case "Update File":
		return patchUpdate, path
	case "Move to":
		return patchMove, path
	}
	return patchNone, ""
}

// withoutQuotes returns a path without the quotes or code marks around it.
func withoutQuotes(s string) string {
	for _, q := range []string{"`", "\""} {
		if inner, ok := enclosed(s, q, q); ok && !strings.ContainsAny(inner, "`\"") && len(inner) == len(s)-2 {
			return inner
		}
	}
	return s
}

// A patchState is where in a patch the parser is.
type patchState int

const (
	outside   patchState = iota // before Begin, after End
	bareStart                   // before the first line of a patch without Begin
	between                     // where a file section is expected
	inAdd
	inDelete
	inUpdate // up to the next file section; also a bare body
	bareEnd  // after the end of what stands around a patch without Begin
)

type patchParser struct {
	in     scanner
	end    int // offset of the last "*** End Patch", -1 if there is none
	state  patchState
	bare   bool     // there is no Begin
	around []string // the lines that end what stands around a bare patch
	plan   Plan
	op     Op     // the one being read
	line0  int    // of its header
	crlf   bool   // its header ends in "\r\n"; if not, "\r" in added files is content
	add    []byte // content of an added file
	chunk  chunk
}

// A chunk is a part of an update: the lines below one or several "@@".
type chunk struct {
	line    int // of its first "@@", 0 if it has none
	after   []string
	near    int
	heading string // behind the numbers of its "@@"
	ended   bool   // by "*** End of File"
	hunk    hunk
}

// line reads the current line.
func (p *patchParser) line() error {
	s := p.in.text
	content := p.state == inUpdate && (len(p.chunk.hunk.cols) > 0 || p.chunk.line > 0)
	last := p.end >= p.in.at && p.end < p.in.next && !p.bare
	mark, path := patchNone, ""
	if !content || last || s != "" && s[0] == '*' {
		mark, path = patchMarker(s)
	}
	if p.state == bareStart {
		if isBlank(s) || p.wrapper(s) {
			return nil
		}
		p.bare, p.state = true, between
		if mark == patchNone {
			p.state, p.line0 = inUpdate, p.in.no
		}
	}
	if p.state == outside {
		return p.outside(mark)
	}
	if p.bare && p.wrapperEnd(s) {
		err := p.close()
		p.state = bareEnd
		return err
	}
	switch mark {
	case patchNone:
		return p.body(s)
	case patchBegin:
		return syntax(p.in.no, "a second \"*** Begin Patch\": expected \"*** End Patch\" before it")
	case patchEnd:
		if p.bare {
			return cutOff(p.in.no, Plan{}, "\"*** End Patch\" without \"*** Begin Patch\": the beginning of the request is missing, send it again, whole")
		}
		if err := p.close(); err != nil {
			return err
		}
		if len(p.plan.Ops) == 0 {
			return syntax(p.in.no, "the patch is empty: expected \"*** Add File: path\", \"*** Update File: path\" or \"*** Delete File: path\"")
		}
		p.state = outside
		return nil
	case patchEOF:
		if p.state != inUpdate || len(p.chunk.hunk.cols) == 0 {
			return syntax(p.in.no, "\"*** End of File\" without lines: expected lines that begin with \" \", \"-\" or \"+\" before it")
		}
		p.chunk.ended = true
		return p.closeChunk()
	}
	if path == "" {
		return syntax(p.in.no, quote(s)+" names no file: expected a path after the colon")
	}
	if mark == patchMove {
		if p.state != inUpdate || p.op.Path == "" || p.op.To != "" || len(p.op.Edits) > 0 || p.chunk.line > 0 || content {
			return syntax(p.in.no, "\"*** Move to:\" is misplaced: expected right below \"*** Update File: path\"")
		}
		p.op.Kind, p.op.To = OpMove, path
		return nil
	}
	if p.state == inUpdate && p.op.Path == "" {
		return syntax(p.in.no, quote(s)+" after lines that belong to no file: expected it above them")
	}
	if err := p.close(); err != nil {
		return err
	}
	p.op, p.line0, p.crlf = Op{Path: path}, p.in.no, p.in.crlf()
	switch mark {
	case patchAdd:
		p.state, p.op.Kind = inAdd, OpCreate
	case patchDelete:
		p.state, p.op.Kind = inDelete, OpDelete
	case patchUpdate:
		p.state = inUpdate
	}
	return nil
}

// outside reads a line that is not between Begin and End.
func (p *patchParser) outside(mark patchMark) error {
	switch f := formatOf(&p.in); {
	case mark == patchBegin:
		p.state = between
	case mark != patchNone || f == formatV4A:
		return syntax(p.in.no, quote(p.in.text)+" stands outside the patch: expected between \"*** Begin Patch\" and \"*** End Patch\"")
	case f != unknown:
		return mixed(p.in.no, quote(p.in.text), "patch")
	}
	return nil
}

// body reads a line that is no marker.
func (p *patchParser) body(s string) error {
	switch {
	case p.state == inUpdate && (s == "@@" || strings.HasPrefix(s, "@@ ")):
		if len(p.chunk.hunk.cols) > 0 {
			if err := p.closeChunk(); err != nil {
				return err
			}
		}
		p.anchor(s)
		return nil
	case p.state == inUpdate && len(p.op.Edits) == 0 && p.chunk.line == 0 && len(p.chunk.hunk.cols) == 0 && p.names(s):
		return nil // the header of a diff, of the same file
	case p.state == inUpdate && p.op.Path != "" && strings.HasPrefix(s, "+++ ") && strings.HasPrefix(p.in.peek(), "@@"):
		return mixed(p.in.no, quote(s), "patch")
	case p.state == inUpdate && p.chunk.line == 0 && len(p.op.Edits) > 0 && !isBlank(s):
		return syntax(p.in.no, "a line after \"*** End of File\": expected \"@@\" before the lines of the next chunk")
	case p.state == inUpdate && p.chunk.hunk.add(s):
		return nil
	case p.state == inUpdate && strings.HasPrefix(s, "***"):
		return syntax(p.in.no, quote(s)+" is no marker: expected, with this spelling, \"*** Begin Patch\", \"*** Add File: path\", "+
			"\"*** Update File: path\", \"*** Delete File: path\", \"*** End of File\" or \"*** End Patch\"")
	case p.state == inUpdate:
		return syntax(p.in.no, quote(s)+" is no line of a chunk: expected \" \" (kept), \"-\" (removed) or \"+\" (added) in front of it")
	case isBlank(s) && p.state != inAdd:
		return nil
	case p.state == inAdd && s != "" && s[0] == '+' && p.chunk.hunk.blanks == 0:
		if !p.crlf {
			s = p.in.verbatim()
		}
		p.add = append(append(p.add, s[1:]...), '\n')
		return nil
	case p.state == inAdd && isBlank(s):
		p.chunk.hunk.blanks++
		return nil
	case p.state == inAdd:
		return syntax(p.in.no, "every line of an added file begins with \"+\", a blank one too: expected \"+\" in front of "+quote(s))
	case p.state == inDelete:
		return syntax(p.in.no, quote(s)+" below \"*** Delete File:\": expected no lines, or \"*** Update File:\" to remove some")
	case p.state == bareEnd:
		return syntax(p.in.no, quote(s)+" after the end of the patch: expected nothing more")
	}
	return syntax(p.in.no, quote(s)+" is no file header: expected \"*** Add File: path\", \"*** Update File: path\" or "+
		"\"*** Delete File: path\"")
}

// names reports whether a line is a diff's name of the file that is being updated: "--- a/file" or "+++ b/file".
func (p *patchParser) names(s string) bool {
	name, old := strings.CutPrefix(s, "--- ")
	if !old {
		name, _ = strings.CutPrefix(s, "+++ ")
	}
	if name == s || old && !strings.HasPrefix(p.in.peek(), "+++ ") {
		return false
	}
	return name == p.op.Path || len(name) > 2 && (name[:2] == "a/" || name[:2] == "b/") && name[2:] == p.op.Path
}

// anchor reads an "@@" line: a line hint, or a line that must come before.
func (p *patchParser) anchor(s string) {
	if p.chunk.line == 0 {
		p.chunk.line = p.in.no
	}
	p.chunk.hunk.blanks = 0
	if h, ok := hunkHeader(s); ok && h.counted {
		p.chunk.near, p.chunk.heading = h.near(), h.heading
		return
	}
	s = strings.TrimRight(strings.TrimPrefix(strings.TrimPrefix(s, "@@"), " "), " \t")
	s = strings.TrimRight(strings.TrimSuffix(s, " @@"), " \t")
	if !isBlank(s) && s != "..." && s != "@@" {
		p.chunk.after = append(p.chunk.after, s)
	}
}

// closeChunk makes the chunk an edit of the operation.
func (p *patchParser) closeChunk() error {
	c := &p.chunk
	if len(c.hunk.cols) == 0 {
		if c.line > 0 {
			return syntax(c.line, "\"@@\" without lines: expected lines that begin with \" \", \"-\" or \"+\" below it")
		}
		c.hunk.blanks = 0
		return nil
	}
	e := c.hunk.edit()
	e.After, e.Near, e.AtEnd, e.heading = c.after, c.near, c.ended, c.heading
	p.op.Edits = append(p.op.Edits, e)
	c.line, c.after, c.near, c.ended, c.heading = 0, nil, 0, false, ""
	return nil
}

// close ends the section being read, if there is one.
func (p *patchParser) close() error {
	switch p.state {
	case inAdd:
		p.op.Content, p.add, p.chunk.hunk.blanks = string(p.add), p.add[:0], 0
	case inUpdate:
		if err := p.closeChunk(); err != nil {
			return err
		}
		if len(p.op.Edits) == 0 && p.op.Kind != OpMove {
			return syntax(p.line0, "an update without lines: expected \"@@\" and lines that begin with \" \", \"-\" or \"+\" below it")
		}
	case inDelete:
	default:
		return nil
	}
	p.plan.Ops = append(p.plan.Ops, p.op)
	p.op, p.state = Op{}, between
	return nil
}

// open reports whether the parser is between Begin and End.
func (p *patchParser) open() bool { return p.state != outside && !p.bare && p.state != bareStart }

// finish returns the plan at the end of the request.
func (p *patchParser) finish() (Plan, error) {
	if p.open() {
		partial := p.plan
		if len(p.op.Edits) > 0 {
			partial.Ops = append(partial.Ops, p.op)
		}
		return Plan{}, cutOff(p.in.no, partial, "the patch was cut off: expected \"*** End Patch\" at its end; send it again, whole")
	}
	if err := p.close(); err != nil {
		return Plan{}, err
	}
	if len(p.plan.Ops) == 0 {
		return Plan{}, syntax(1, "there is no patch here: expected \"*** Begin Patch\"")
	}
	return p.plan, nil
}

// wrapper reads a line that may stand above a bare patch: the opening of a code fence or a here-document.
func (p *patchParser) wrapper(s string) bool {
	command, word, ok := strings.Cut(s, "<<")
	word = strings.Trim(strings.TrimSpace(word), "-'\"")
	switch {
	case len(p.around) > 4: // nobody wraps a patch as often
		return false
	case isFence(s):
		s = strings.TrimLeft(s, " \t")
		p.around = append(p.around, s[:len(s)-len(strings.TrimLeft(s, s[:1]))])
	case ok && word != "" && !strings.ContainsAny(command, "-+@*") && !strings.ContainsAny(word, "<> "):
		p.around = append(p.around, word)
	default:
		return strings.HasPrefix(s, "%%")
	}
	return true
}

// wrapperEnd reports whether a line ends what stands around a bare patch.
func (p *patchParser) wrapperEnd(s string) bool {
	for _, w := range p.around {
		if strings.TrimRight(s, " \t") == w {
			return true
		}
	}
	return false
}

// A hunk collects the lines of one hunk of a patch, and makes an edit of them. Its memory is used again.
type hunk struct {
	old, new, cols []byte
	blanks         int // empty lines that are content only if other lines follow
}

// add adds a line with its first column, and reports whether it is a line of a hunk.
func (h *hunk) add(s string) bool {
	if s == "" {
		h.blanks++
		return true
	}
	switch s[0] {
	case ' ', '-', '+':
	case '\\':
		if len(h.cols) == 0 {
			return false
		}
	default:
		return false
	}
	for ; h.blanks > 0; h.blanks-- {
		h.old, h.new, h.cols = append(h.old, '\n'), append(h.new, '\n'), append(h.cols, ' ')
	}
	h.cols = append(h.cols, s[0])
	if s[0] == ' ' || s[0] == '-' {
		h.old = append(append(h.old, s[1:]...), '\n')
	}
	if s[0] == ' ' || s[0] == '+' {
		h.new = append(append(h.new, s[1:]...), '\n')
	}
	return true
}

// edit returns the edit that the lines ask for, and forgets them.
func (h *hunk) edit() Edit {
	e := Edit{Old: string(h.old), New: string(h.new), WholeLines: true, hunk: string(h.cols)}
	h.old, h.new, h.cols, h.blanks = h.old[:0], h.new[:0], h.cols[:0], 0
	return e
}

// A header is the first line of a hunk in a unified diff.
type header struct {
	counted             bool // it has numbers
	oldLine, oldN, newN int
	heading             string // what stands behind them
}

// maxLine is a line number beyond any text; larger ones are cut to it.
const maxLine = 1 << 30

// near is the line of the text that the hunk is said to be at: the one that an insertion comes before.
func (h header) near() int {
	if h.oldN == 0 {
		return min(h.oldLine+1, maxLine)
	}
	return h.oldLine
}

// hunkHeader reads a line that begins with "@@", with or without "-a,b +c,d @@". Numbers beyond any text are cut.
func hunkHeader(s string) (h header, ok bool) {
	if !strings.HasPrefix(s, "@@") {
		return header{}, false
	}
	s, heading, ok := strings.Cut(strings.TrimPrefix(s, "@@ -"), " @@")
	h.heading = strings.TrimSpace(heading)
	older, newer, both := strings.Cut(s, " +")
	if !ok || !both {
		return h, true
	}
	var okOld, okNew bool
	h.oldLine, h.oldN, okOld = readRange(older)
	_, h.newN, okNew = readRange(newer)
	if !okOld || !okNew {
		return header{heading: h.heading}, true
	}
	h.counted = true
	return h, true
}

// readRange reads "a,b", or "a" for "a,1".
func readRange(s string) (line, n int, ok bool) {
	first, count, both := strings.Cut(s, ",")
	line, err := strconv.Atoi(first)
	if n = 1; both && err == nil {
		n, err = strconv.Atoi(count)
	}
	return min(line, maxLine), min(n, maxLine), err == nil && line >= 0 && n >= 0
}
