package atomicedit

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// An addedReader reads the lines of an added file. Its memory is reused for the next file.
type addedReader struct {
	path string
	crlf bool // the header ends in "\r\n"; if not, "\r" is content
	bare bool // nothing marks the end of the patch, so that every line needs its "+"

	diff    int    // the last line of a diff's header above the lines, 0 if there is none
	lines   []byte // read so far
	blanks  int    // empty lines below them, which are part of the file only if another line follows
	plain   int    // the first line, if no line has a "+" in front
	columns string // the different first columns of plain lines, at most two
}

// read reads a line.
func (r *addedReader) read(in *text.Scanner) error {
	s := in.Line
	first := len(r.lines) == 0
	switch {
	case text.IsBlank(s):
		r.blanks++
		return nil
	case first && r.blanks == 0 && (isNewFileHunk(s) || isDiffHeaderOf(in, r.path) || strings.HasPrefix(s, "--- /dev/null")):
		r.diff = in.No
		return nil
	case s[0] == '+' && r.plain == 0:
		r.addBlanks()
		r.add(in, 1)
		return nil
	case s[0] == '+' && r.plain > 0:
		return syntax(in.No, quote(s)+" begins with \"+\", but the lines of the added file above it do not: expected \"+\" in front of every line of the file")
	case r.plain > 0 && formatOf(in) == noFormat, first && r.mayBePlain(in):
		r.addPlain(in)
		return nil
	}
	return syntax(in.No, "every line of an added file, even a blank one, begins with \"+\": expected \"+\" in front of "+quote(s))
}

// mayBePlain reports whether the current line may be the first of a file whose lines have no "+" in front.
func (r *addedReader) mayBePlain(in *text.Scanner) bool {
	return !r.bare && r.diff == 0 && in.Line[0] != '+' && formatOf(in) == noFormat && !text.IsFence(in.Line)
}

// addPlain adds the current line, which has no "+" in front.
func (r *addedReader) addPlain(in *text.Scanner) {
	if r.plain == 0 {
		r.plain = in.No
	}
	r.addBlanks()
	if first := in.Line[:1]; len(r.columns) < 2 && !strings.Contains(r.columns, first) {
		r.columns += first
	}
	r.add(in, 0)
}

// addBlanks adds the empty lines between the lines above and the current one. Those above the first line are not part of the file.
func (r *addedReader) addBlanks() {
	for ; r.blanks > 0 && len(r.lines) > 0; r.blanks-- {
		r.lines = append(r.lines, '\n')
	}
	r.blanks = 0
}

// isNewFileHunk reports whether a line begins the hunk of a new file.
func isNewFileHunk(s string) bool {
	h := readHunkHeader(s)
	return isChunkHeader(s) && (readAnchor(s) == "" || h.counted && h.oldN == 0)
}

// add adds the current line from the given column on.
func (r *addedReader) add(in *text.Scanner, column int) {
	s := in.Line
	if !r.crlf {
		s = in.Verbatim()
	}
	r.lines = appendLine(r.lines, s[column:])
}

// close returns the content of the file.
func (r *addedReader) close() (string, error) {
	if r.plain > 0 && (r.columns == " " || r.columns == "-") {
		return "", syntax(r.plain, "every line of the added file begins with \""+r.columns+"\", which may be content or a prefix: expected \"+\" in front of every line")
	}
	if r.diff > 0 && len(r.lines) == 0 {
		return "", syntax(r.diff, "the added file has the header of a hunk, but no lines: expected lines that begin with \"+\" below it")
	}
	content := string(r.lines)
	*r = addedReader{lines: r.lines[:0]}
	return content, nil
}
