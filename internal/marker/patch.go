package marker

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A PatchMarker is the meaning of a line of a V4A patch that begins with "***".
type PatchMarker int

const (
	PatchNone PatchMarker = iota
	PatchBegin
	PatchEnd
	PatchAdd
	PatchDelete
	PatchUpdate
	PatchMove
	PatchEOF
	PatchEnvironment // says where the patch is carried out, which is the caller's affair
)

// PatchMarkers has the markers in lower case and without spaces.
var PatchMarkers = map[string]PatchMarker{
	"beginpatch": PatchBegin, "endpatch": PatchEnd, "endoffile": PatchEOF,
	"addfile:": PatchAdd, "deletefile:": PatchDelete, "updatefile:": PatchUpdate, "moveto:": PatchMove,
	"environmentid:": PatchEnvironment,
}

// shortMarkers are further spellings, which may mean something else in a request of unknown format.
var shortMarkers = map[string]PatchMarker{"add:": PatchAdd, "delete:": PatchDelete, "update:": PatchUpdate}

func (m PatchMarker) IsHeader() bool { return m == PatchAdd || m == PatchDelete || m == PatchUpdate }

// ReadPatchMarker returns the marker that a line is, whatever its case and spaces, and the path that it names.
func ReadPatchMarker(s string) (PatchMarker, string) { return readMarker(s, nil) }

// ReadInnerMarker does the same in a request that is known to be a patch.
func ReadInnerMarker(s string) (PatchMarker, string) { return readMarker(s, shortMarkers) }

func readMarker(s string, more map[string]PatchMarker) (PatchMarker, string) {
	s, ok := strings.CutPrefix(text.Unindented(s), "***")
	if !ok {
		return PatchNone, ""
	}
	words, path, named := strings.Cut(s, ":")
	if named {
		words += ":"
	} else {
		words = strings.TrimRight(strings.TrimSpace(words), "*")
	}
	words = strings.ToLower(strings.Join(strings.Fields(words), ""))
	path = strings.Trim(strings.TrimSuffix(strings.Trim(path, text.Space), " ***"), text.Space)
	return cmp.Or(PatchMarkers[words], more[words]), WithoutQuotes(path)
}

// WithoutQuotes returns a path without the quotes or code marks around it.
func WithoutQuotes(s string) string {
	if n := len(s); n > 2 && (s[0] == '`' || s[0] == '"') && s[n-1] == s[0] {
		if inner := s[1 : n-1]; !strings.ContainsAny(inner, "`\"") {
			return inner
		}
	}
	return s
}

func IsPatchBegin(s string) bool {
	m, _ := ReadPatchMarker(s)
	return m == PatchBegin
}

func HasPatchBegin(request string) bool {
	for in := (text.Scanner{Src: request}); in.Scan(); {
		if IsPatchBegin(in.Line) {
			return true
		}
	}
	return false
}

// LastPatchEnd returns the offset of the last line "*** End Patch", which may have a "+" in front, -1 if there is none.
func LastPatchEnd(request string) int {
	for at := len(request); ; {
		at = strings.LastIndex(request[:at], "***")
		if at < 0 {
			return -1
		}
		at = 1 + strings.LastIndexByte(request[:at], '\n')
		if m, _ := ReadPatchMarker(strings.TrimPrefix(text.FirstLine(request[at:]), "+")); m == PatchEnd {
			return at
		}
	}
}

// A Hunk collects the lines of a hunk of a unified diff, or of a chunk of a V4A patch. Its memory is reused.
type Hunk struct {
	old, new []byte
	Columns  []byte // the first column of each line, as in Edit.Hunk
	Blanks   int    // empty lines at the end, which are context lines only if others follow
	prefixed bool   // a line has a prefix
	bare     int    // the number of the first line that has none, 0 if all have one
}

// Add adds a line with its first column. It reports false, and adds nothing, if s is not a line of a hunk.
func (h *Hunk) Add(s string) bool {
	switch {
	case s == "" || s[0] == '\r' && strings.Trim(s, "\r") == "":
		h.Blanks++
	case s[0] == ' ' || s[0] == '-' || s[0] == '+' || strings.HasPrefix(s, `\ `) && !h.IsEmpty():
		h.prefixed = true
		h.put(s[0], s[1:])
	default:
		return false
	}
	return true
}

func (h *Hunk) put(column byte, s string) {
	for ; h.Blanks > 0; h.Blanks-- {
		h.old, h.new, h.Columns = append(h.old, '\n'), append(h.new, '\n'), append(h.Columns, ' ')
	}
	h.Columns = append(h.Columns, column)
	if column == ' ' || column == '-' || column == '?' {
		h.old = appendLine(h.old, s)
	}
	if column == ' ' || column == '+' || column == '?' {
		h.new = appendLine(h.new, s)
	}
}

// appendLine appends a line and its ending. It doubles the memory: append alone grows it by less, and copies more.
func appendLine(lines []byte, s string) []byte {
	if n := len(s) + 1; n > cap(lines)-len(lines) {
		lines = slices.Grow(lines, max(n, len(lines)))
	}
	return append(append(lines, s...), '\n')
}

// Lines collects the lines of a text. Empty ones count only between others. Its memory is reused.
type Lines struct {
	Data   []byte
	Blanks int // empty lines below Data
}

func (l *Lines) Add(s string) {
	for ; l.Blanks > 0 && len(l.Data) > 0; l.Blanks-- {
		l.Data = append(l.Data, '\n')
	}
	l.Data, l.Blanks = appendLine(l.Data, s), 0
}

func (l *Lines) Take() string {
	data := string(l.Data)
	*l = Lines{Data: l.Data[:0]}
	return data
}

// IsEmpty reports whether h has no lines, or only empty ones.
func (h *Hunk) IsEmpty() bool { return len(h.Columns) == 0 }

// AddBare adds a line without a prefix, which has the given number in the request.
func (h *Hunk) AddBare(s string, number int) {
	h.bare = cmp.Or(h.bare, number)
	h.put('?', s)
}

// Edit returns the edit of the lines at the place of e and clears h. It refuses lines without prefixes as none of name.
func (h *Hunk) Edit(name string, e plan.Edit) (plan.Edit, error) {
	if h.bare > 0 && !h.prefixed {
		return plan.Edit{}, NotOfHunk(h.bare, text.FirstLine(string(h.old)), name)
	}
	e.Old, e.New, e.WholeLines, e.Hunk = string(h.old), string(h.new), true, string(h.Columns)
	*h = Hunk{old: h.old[:0], new: h.new[:0], Columns: h.Columns[:0]}
	return e, nil
}

// NotOfHunk refuses a line that should belong to a hunk, or to what else the given name says.
func NotOfHunk(line int, s, name string) error {
	return plan.Syntax(line, plan.Excerpt(s)+" is not a line of a "+name+": expected \" \" (kept), "+
		"\"-\" (removed) or \"+\" (added) in front of it")
}

// A HunkHeader is the first line of a hunk: "@@ -12,3 +12,4 @@ func f()".
type HunkHeader struct {
	Counted bool // it has line numbers and counts
	oldLine int
	OldN    int // the number of old lines
	NewN    int // the number of new lines
	Section string
}

// maxLine is a line number beyond any text. Larger ones are cut to it.
const maxLine = 1 << 30

// Near returns the line where the hunk should be: that of its first line, or that which an insertion comes before.
func (h HunkHeader) Near() int {
	if h.OldN == 0 {
		return min(h.oldLine+1, maxLine)
	}
	return h.oldLine
}

// ReadHunkHeader reads a line that begins with "@@". Without valid numbers, the header is not counted.
func ReadHunkHeader(s string) (h HunkHeader) {
	s, isHeader := strings.CutPrefix(s, "@@")
	s, section, ended := strings.Cut(s, " @@")
	h.Section = strings.TrimSpace(section)
	s, signed := strings.CutPrefix(strings.TrimPrefix(s, " "), "-")
	older, newer, both := strings.Cut(s, " +")
	if !isHeader || !ended || !signed || !both {
		return h
	}
	oldLine, oldN, ok := readRange(older)
	if _, newN, okToo := readRange(newer); ok && okToo {
		h.Counted, h.oldLine, h.OldN, h.NewN = true, oldLine, oldN, newN
	}
	return h
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
