// Package outline has the facts about source text that placing an edit needs, the same for all languages: the depth of
// a line, comments, lines that open a body, headings of sections, the end of a scope. It takes lines, parses nothing.
package outline

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/text"
)

// Indent returns the whitespace that a line begins with.
func Indent[T string | []byte](l T) string {
	for i := range len(l) {
		if !text.IsSpace(l[i]) {
			return string(l[:i])
		}
	}
	return string(l)
}

// IsIndentedLike reports whether a line is indented, and just as one of some lines.
func IsIndentedLike(l string, lines []string) bool {
	indent := Indent(l)
	return indent != "" && !text.IsBlank(l) &&
		slices.ContainsFunc(lines, func(o string) bool { return !text.IsBlank(o) && Indent(o) == indent })
}

// Width returns the number of columns that an indentation takes up, with a tab stop every eight columns.
func Width(indent string) int {
	w := 0
	for _, c := range []byte(indent) {
		if w++; c == '\t' {
			w += 7 - (w-1)%8
		}
	}
	return w
}

// Depth returns the width of the indentation of a line.
func Depth[T string | []byte](l T) int { return Width(Indent(l)) }

// Opens reports whether a line, apart from a comment at its end, opens a body that may be a bare "...".
func Opens(l string) bool {
	l, _, _ = strings.Cut(l, " # ")
	l = strings.TrimRight(l, text.Space)
	return strings.HasSuffix(l, ":") || strings.HasSuffix(l, "{") || strings.HasSuffix(l, "(")
}

// Neighbour returns the index of the next line that is not blank after the i-th, in steps of 1 or -1, or -1.
func Neighbour(lines []string, i, step int) int {
	for i += step; 0 <= i && i < len(lines); i += step {
		if !text.IsBlank(lines[i]) {
			return i
		}
	}
	return -1
}

// Docstring returns the index of the line that begins the docstring that the i-th line ends, -1 if it ends none.
func Docstring(lines []string, i int) int {
	_, l, _ := text.Parts(lines[i])
	for _, quotes := range []string{`"""`, "'''"} {
		before, ended := strings.CutSuffix(l, quotes)
		if !ended {
			continue
		}
		for first := i; ; before = lines[first] {
			if at := strings.Index(before, quotes); at >= 0 {
				if text.IsBlank(strings.TrimRight(before[:at], "rRuU")) {
					return first
				}
				return -1
			}
			if first--; first < 0 {
				return -1
			}
		}
	}
	return -1
}

// IsListEntry reports whether a line is an entry of a list in YAML, which may be as deep as the key above the list.
func IsListEntry[T string | []byte](l T) bool {
	_, body, _ := text.Parts(string(l))
	return body == "-" || strings.HasPrefix(body, "- ")
}

// EntryDepth returns the depth of the innermost list entry, not far above, that all of some lines are in; or -1.
func EntryDepth(t text.Text, lines []text.Line) int {
	const most = 1000
	l, outer := text.None, math.MaxInt // the outermost line, and the depth that one above it has to be less deep than
	for _, other := range lines {
		if !other.Real() || text.IsBlank(t.Bytes(other)) {
			continue
		}
		content := t.Bytes(other)
		if depth := Depth(content); depth < outer || depth == outer && !IsListEntry(content) {
			l, outer = other, depth
		}
	}
	for n := 0; n <= most && l.Real(); n, l = n+1, t.SolidAbove(l) {
		depth := Depth(t.Bytes(l))
		switch {
		case (n == 0 || depth < outer) && IsListEntry(t.Bytes(l)):
			return depth
		case depth == 0:
			return -1
		}
		outer = min(outer, depth)
	}
	return -1
}

// LeavesEntry reports whether a line is outside a list entry at some depth, so that a shift of that says nothing of it.
func LeavesEntry(l string, entryDepth int) bool {
	depth := Depth(l)
	return depth < entryDepth || depth == entryDepth && !IsListEntry(l)
}

// HaveBracketsAlike reports whether lines without words, such as brackets, are as deep beside the other lines in one
// text as they are in another, which is the same apart from indentation and blank lines.
func HaveBracketsAlike(a, b []string) bool {
	a, b = slices.DeleteFunc(slices.Clone(a), text.IsBlank), slices.DeleteFunc(slices.Clone(b), text.IsBlank)
	shifts := map[int]bool{} // by which lines with words are deeper in a
	for i := range min(len(a), len(b)) {
		if text.HasLetterOrDigit(a[i]) {
			shifts[Depth(a[i])-Depth(b[i])] = true
		}
	}
	return slices.EqualFunc(a, b, func(l, m string) bool {
		deeper := Depth(l) - Depth(m)
		return shifts[deeper] || len(shifts) == 0 && deeper == 0
	})
}

// HeadingLevel returns the level of a Markdown heading, 0 for any other line.
func HeadingLevel(l []byte) int {
	marks := len(l) - len(bytes.TrimLeft(l, "#"))
	if marks == len(l) || l[marks] != ' ' {
		return 0
	}
	return marks
}

// IsSection reports whether a line is the header of a section of a configuration file, such as "[core]" or "[[bin]]".
func IsSection(l []byte) bool {
	name, opens := bytes.CutPrefix(bytes.TrimRight(l, text.Space), []byte("["))
	name, closes := bytes.CutSuffix(bytes.TrimPrefix(name, []byte("[")), []byte("]"))
	name = bytes.TrimSuffix(name, []byte("]"))
	return opens && closes && len(name) > 0 &&
		!bytes.ContainsFunc(name, func(r rune) bool { return isNoASCIIWord(r) && !strings.ContainsRune(`.:"' -`, r) })
}

// EndsScope reports whether a line without indentation ends many scopes: such a word, and at most one behind it.
func EndsScope(body string) bool {
	words := strings.FieldsFunc(body, isNoASCIIWord)
	return 0 < len(words) && len(words) < 3 && strings.HasPrefix(body, words[0]) && slices.Contains(
		[]string{"end", "fi", "done", "esac", "else", "pass", "break", "continue", "return"}, words[0])
}

func isNoASCIIWord(r rune) bool { return r >= utf8.RuneSelf || !text.InWord(byte(r)) }

// CommonestStep returns the most frequent step of indentation from a line of a text to a deeper one below it, "" if
// none is frequent enough, and how often the text has it. Lines that begin with a star do not count.
func CommonestStep(t text.Text) (step string, times int) {
	steps, total := map[string]*int{}, 0
	var before []byte
	for line := range bytes.SplitSeq(t.Data, []byte{t.EOL}) {
		start, end := text.Trimmed(line)
		indent := line[:start]
		if start == end || line[start] == '*' || bytes.Equal(indent, before) { // a comment goes on, one column deeper
			continue
		}
		if step, deeper := bytes.CutPrefix(indent, before); deeper {
			if steps[string(step)] == nil {
				steps[string(step)] = new(int)
			}
			*steps[string(step)]++
			total++
		}
		before = indent
	}
	unit, most := "", 0
	for s, n := range steps {
		if *n > most || *n == most && s < unit {
			unit, most = s, *n
		}
	}
	if 10*most < 4*total {
		return "", 0
	}
	return unit, most
}

// comments has the ways to write a comment on a line of its own; of two that begin alike, the longer is first.
var comments = []struct {
	sign, end string
	only      bool // a line that begins so is nothing but a comment
}{
	{"//", "", true},                         // C and its descendants
	{"/*", "*/", true}, {"{/*", "*/}", true}, // C, CSS; JSX
	{"#", "", true},                   // Python, Ruby, shells, YAML; a heading in Markdown
	{"--", "", true},                  // SQL, Lua, Haskell, Ada
	{";;", "", true}, {";", "", true}, // Lisp, assemblers, INI
	{"%%", "", true}, {"%", "", true}, // TeX, Erlang, Prolog, MATLAB
	{"<!--", "-->", true},  // HTML, XML, Markdown
	{"<%--", "--%>", true}, // JSP
	{"(*", "*)", false},    // OCaml, Pascal, F#
	{"{-", "-}", false},    // Haskell
	{"{#", "#}", false},    // Jinja
	{"@*", "*@", false},    // Razor
	{"' ", "", false},      // Visual Basic
	{"! ", "", false},      // Fortran
	{`" `, "", false},      // Vim
	{"REM ", "", false},    // BASIC, batch files
}

// CommentStarts has the first bytes of all comments.
const CommentStarts = "/{#-;%<(@'!\"R"

// Comment returns the text of a line without indentation that is a comment in any of the usual languages. Only reports
// that the line is a comment in all of them: other languages have a use for "'" or "(*", for example. A line that is no
// comment is its own text. A block comment without its end counts if its sign begins nothing else.
func Comment(body string) (inner string, is, only bool) {
	for _, c := range comments {
		inner, found := strings.CutPrefix(body, c.sign)
		if !found {
			continue
		}
		inner, ended := strings.CutSuffix(inner, c.end)
		if c.only || ended {
			return strings.Trim(inner, text.Space), true, c.only
		}
	}
	return body, false, false
}

// IsComment reports whether a line is a comment, a line within one, or a heading.
func IsComment(l string) bool {
	_, body, _ := text.Parts(l)
	_, _, only := Comment(body)
	return only || strings.HasPrefix(body, "*")
}

// Behind returns the comment behind the code of a line whose sign ends at an offset, "" if there is none. There is
// space before the sign, no quotation is open there, and behind a block comment, brackets are closed at most.
func Behind(l string, signEnd int) string {
	for _, c := range comments {
		code, found := strings.CutSuffix(l[:signEnd], c.sign)
		if !found || !c.only || text.IsBlank(code) || !text.IsSpace(code[len(code)-1]) || InQuotes(code) {
			continue
		}
		comment := l[len(code):]
		if inner, rest, ended := strings.Cut(comment, c.end); c.end != "" && ended {
			if strings.Trim(rest, text.Space+")]};,") != "" {
				return ""
			}
			return inner + c.end
		}
		return strings.TrimRight(comment, text.Space)
	}
	return ""
}

// InQuotes reports whether a quotation is open at the end of a line.
func InQuotes(l string) bool {
	return slices.ContainsFunc([]string{`"`, "'", "`"}, func(q string) bool { return strings.Count(l, q)%2 != 0 })
}
