package atomicedit

import (
	"slices"
	"strconv"
	"strings"
)

// A hunk collects the lines of one hunk of a unified diff, or of one chunk of a V4A patch. Its memory is reused for the
// next one.
type hunk struct {
	old, new []byte
	columns  []byte // the first column of each line, as in Edit.Hunk
	blanks   int    // empty lines at the end, which are context lines only if others follow
	prefixed bool   // a line has a prefix
	bare     int    // the number of the first line that has none, 0 if all have one
}

// add adds a line with its first column. It reports false, and adds nothing, if s is not a line of a hunk.
func (h *hunk) add(s string) bool {
	switch {
	case s == "" || s[0] == '\r' && strings.Trim(s, "\r") == "":
		h.blanks++
	case s[0] == ' ' || s[0] == '-' || s[0] == '+' || s[0] == '\\' && !h.isEmpty():
		h.prefixed = true
		h.put(s[0], s[1:])
	default:
		return false
	}
	return true
}

// put adds a line with the given first column.
func (h *hunk) put(column byte, s string) {
	for ; h.blanks > 0; h.blanks-- {
		h.old, h.new, h.columns = append(h.old, '\n'), append(h.new, '\n'), append(h.columns, ' ')
	}
	h.columns = append(h.columns, column)
	if column == ' ' || column == '-' || column == '?' {
		h.old = appendLine(h.old, s)
	}
	if column == ' ' || column == '+' || column == '?' {
		h.new = appendLine(h.new, s)
	}
}

// appendLine appends a line and its ending. It doubles the memory where there is too little: append alone grows long slices by less, and
// copies them more often.
func appendLine(lines []byte, s string) []byte {
	if n := len(s) + 1; n > cap(lines)-len(lines) {
		lines = slices.Grow(lines, max(n, len(lines)))
	}
	return append(append(lines, s...), '\n')
}

// isEmpty reports whether h has no lines, or only empty ones.
func (h *hunk) isEmpty() bool { return len(h.columns) == 0 }

// addBare adds a line without a prefix, which has the given number in the request.
func (h *hunk) addBare(s string, number int) {
	if h.bare == 0 {
		h.bare = number
	}
	h.put('?', s)
}

// allBare reports whether no line has a prefix: then nothing says that they are lines of a hunk.
func (h *hunk) allBare() bool { return h.bare > 0 && !h.prefixed }

// edit returns the edit that the lines describe, and clears h.
func (h *hunk) edit() Edit {
	e := Edit{Old: string(h.old), New: string(h.new), WholeLines: true, Hunk: string(h.columns)}
	*h = hunk{old: h.old[:0], new: h.new[:0], columns: h.columns[:0]}
	return e
}

// A hunkHeader is the first line of a hunk: "@@ -12,3 +12,4 @@ func f()".
type hunkHeader struct {
	counted bool // it has line numbers and counts
	oldLine int
	oldN    int // the number of old lines
	newN    int // the number of new lines
	section string
}

// maxLine is a line number beyond any text. Larger ones are cut to it.
const maxLine = 1 << 30

// near returns the line of the text that the hunk should be at: that of its first line, or the one that an insertion comes
// before.
func (h hunkHeader) near() int {
	if h.oldN == 0 {
		return min(h.oldLine+1, maxLine)
	}
	return h.oldLine
}

// readHunkHeader reads a line that begins with "@@". Without valid numbers, the header is not counted.
func readHunkHeader(s string) hunkHeader {
	s, ok := strings.CutPrefix(s, "@@")
	if !ok {
		return hunkHeader{}
	}
	s, section, ended := strings.Cut(s, " @@")
	plain := hunkHeader{section: strings.TrimSpace(section)}
	s, signed := strings.CutPrefix(strings.TrimPrefix(s, " "), "-")
	older, newer, both := strings.Cut(s, " +")
	if !ended || !signed || !both {
		return plain
	}
	oldLine, oldN, ok := readRange(older)
	_, newN, okToo := readRange(newer)
	if !ok || !okToo {
		return plain
	}
	return hunkHeader{counted: true, oldLine: oldLine, oldN: oldN, newN: newN, section: plain.section}
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
