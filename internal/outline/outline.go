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

// Indent returns the whitespace that a line begins with. It has a few hundred callers, whose code would grow by 10 KB.
//
//go:noinline
func Indent[T string | []byte](l T) string {
	for i := range len(l) {
		if !text.IsSpace(l[i]) {
			return string(l[:i])
		}
	}
	return string(l)
}

// Width returns the number of columns that an indentation takes up, with a tab stop every eight columns.
func Width(indent string) int { return Columns(indent, 8) }

// Columns is [Width] with a tab stop every so many columns.
func Columns(indent string, tab int) (w int) {
	for _, c := range []byte(indent) {
		if w++; c == '\t' {
			w += tab - 1 - (w-1)%tab
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
		l, ended := strings.CutSuffix(l, quotes)
		for first := i; ended && first >= 0; first-- {
			if first < i {
				l = lines[first]
			}
			before, _, begins := strings.Cut(l, quotes)
			if begins && text.IsBlank(strings.TrimRight(before, "rRuU")) {
				return first
			} else if begins {
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
	return ClosesScope(body) || isWord(body, "pass", "break", "continue", "return")
}

// ClosesScope is EndsScope for words that stand further out than the scope.
func ClosesScope(body string) bool { return isWord(body, "end", "fi", "done", "esac", "else") }

func isWord(body string, words ...string) bool {
	in := strings.FieldsFunc(body, isNoASCIIWord)
	return 0 < len(in) && len(in) < 3 && strings.HasPrefix(body, in[0]) && slices.Contains(words, in[0])
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
	for s, n := range steps {
		if *n > times || *n == times && s < step {
			step, times = s, *n
		}
	}
	if 10*times < 4*total {
		return "", 0
	}
	return step, times
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
	{"<!--", "-->", true},   // HTML, XML, Markdown
	{"<%--", "--%>", true},  // JSP
	{"<%!--", "--%>", true}, // HEEx
	{"(*", "*)", false},     // OCaml, Pascal, F#
	{"{-", "-}", false},     // Haskell
	{"{#", "#}", false},     // Jinja
	{"@*", "*@", false},     // Razor
	{"' ", "", false},       // Visual Basic
	{"! ", "", false},       // Fortran
	{`" `, "", false},       // Vim
	{"REM ", "", false},     // BASIC, batch files
	{"rem ", "", false}, {":: ", "", false},
	{"<#", "#>", false},   // PowerShell
	{".. ", "", false},    // reStructuredText
	{"-#", "", false},     // Haml
	{"dnl ", "", false},   // M4
	{"C     ", "", false}, // Fortran, in fixed columns
}

// MayBeComment reports, at little cost, whether a line without indentation may begin as a comment.
func MayBeComment(body string) bool {
	const word = 3 // letters at most
	return body != "" && (strings.IndexByte("/{#-;%<(@'!\":.", body[0]) >= 0 ||
		strings.IndexByte("RrdC", body[0]) >= 0 && strings.IndexByte(body[:min(word+1, len(body))], ' ') > 0)
}

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

// IsAttribute reports whether a line begins as an attribute, which is about the line below it.
func IsAttribute(l string) bool {
	body := text.Unindented(l)
	return strings.HasPrefix(body, "@") || strings.HasPrefix(body, "#[")
}

// IsPlainAttribute reports whether a line is a name with a sign in front, and perhaps arguments, and nothing else.
func IsPlainAttribute(l string) bool {
	inName := func(r rune) bool { return r == '.' || r == '@' || text.IsLetterOrDigit(r) }
	rest := strings.TrimLeftFunc(text.Unindented(l), inName)
	return IsAttribute(l) && (rest == "" || strings.HasPrefix(rest, "(") && strings.HasSuffix(rest, ")") ||
		strings.HasPrefix(rest, "#[") && strings.HasSuffix(rest, "]"))
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

// A Header is the kind of a line that opens a scope without indenting it. Its value is the beginning of the line that
// closes the scope or opens the next one: "}", "[" or "#". The empty Header is any other line.
type Header string

// HeaderOf returns the kind of a line. Next is the line below it.
func HeaderOf(l, next []byte) Header {
	s := strings.Trim(string(l), text.Space)
	marks := len(s) - len(strings.TrimLeft(s, "#"))
	switch {
	case strings.HasSuffix(s, "{"):
		return "}"
	case strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]"):
		return "["
	case marks > 1 || marks == 1 && text.IsBlank(next):
		return "#"
	}
	return ""
}

// headerAt returns the kind of a line of a text.
func headerAt(t text.Text, l text.Line) Header {
	return HeaderOf(t.Bytes(l), t.Bytes(t.LineAt(l.Next)))
}

// ClosedBy reports whether a line begins like the line that closes the scope of h, or like the next header.
func (h Header) ClosedBy(l []byte) bool {
	return h != "" && bytes.HasPrefix(bytes.TrimLeft(l, text.Space), []byte(h))
}

// GoesOn reports whether an open scope goes on at a line no deeper than its head: the end of parameters, a directive, a
// comment or, in braces, a label (one word), a case, or the end of parameters that have names in braces.
func (h Header) GoesOn(l []byte) bool {
	l = bytes.Trim(l, text.Space)
	last := l[len(l)-1]
	endsNames := l[0] == '}' && strings.IndexByte("{([", last) >= 0 && !bytes.HasPrefix(l, []byte("}).")) &&
		(bytes.HasPrefix(l, []byte("})")) || bytes.Count(l, []byte(")")) > bytes.Count(l, []byte("(")))
	return bytes.IndexByte([]byte(")]#"), l[0]) >= 0 ||
		h == "}" && (endsNames || last == ':' && !bytes.ContainsAny(l, text.Space) ||
			bytes.HasPrefix(l, []byte("case ")))
}

// ScopeEnd returns the start of the line that ends the scope of head: the first below it that is no deeper and has a
// letter or digit. The scope of a section, or of a heading, ends at the next one of at least its level.
func ScopeEnd(t text.Text, head text.Line) int {
	s := scopeOf(t, head)
	for l := t.Below(head); l.Real(); l = t.Below(l) {
		if s.endsAt(t.Bytes(l)) {
			return l.Start
		}
	}
	return len(t.Data)
}

// EndAlike reports whether the scope of the lower of two heads ends where that of the upper one does, if it begins in it.
func EndAlike(t text.Text, upper, lower text.Line) bool {
	s := scopeOf(t, upper)
	return s.header == "" && s == scopeOf(t, lower)
}

// EndsScopeOf reports whether a line would end the scope of head if it were right below.
func EndsScopeOf(t text.Text, head text.Line, l []byte) bool {
	s := scopeOf(t, head)
	return s.endsAt(l)
}

// scopeOf returns the scope of head before any line of it is read.
func scopeOf(t text.Text, head text.Line) scope {
	title := t.Bytes(head)
	return scope{header: headerAt(t, head), depth: Depth(title), level: HeadingLevel(title),
		comment: IsComment(string(title)), open: braces(title)}
}

// A scope is a head and the state of reading the lines below it.
type scope struct {
	header  Header
	depth   int
	level   int  // of a Markdown heading
	comment bool // the head is a comment
	open    int  // braces
	closed  bool // by its brace
	fenced  bool // in a code fence
}

// endsAt reads the next line and reports whether the scope ends before it.
func (s *scope) endsAt(l []byte) bool {
	outer := !text.IsBlank(l) && Depth(l) <= s.depth
	ends := outer && text.HasLetterOrDigit(l)
	s.open += braces(l)
	switch {
	case s.closed:
		return !text.IsBlank(l)
	case s.header == "}" && s.open <= 0 && outer && s.header.ClosedBy(l):
		s.closed = true
	case s.header == "" || s.header == "}":
		return ends && !(s.header.GoesOn(l) && !s.comment)
	case s.header == "[":
		return ends && HeaderOf(l, nil) == s.header
	case s.level > 0: // a heading
		if text.IsFence(string(l)) {
			s.fenced = !s.fenced
		}
		n := HeadingLevel(l)
		return ends && !s.fenced && 0 < n && n <= s.level
	}
	return ends
}

// braces returns the number of braces that a line opens, less those that it closes.
func braces(l []byte) int { return bytes.Count(l, []byte("{")) - bytes.Count(l, []byte("}")) }

// OpensScope reports whether a line opens a scope that another one below it, not blank, may be in.
func OpensScope(t text.Text, upper, lower text.Line) bool {
	return Depth(t.Bytes(upper)) < Depth(t.Bytes(lower)) || headerAt(t, upper) != ""
}

// ScopeLeft returns the line between two others, which are not blank, that leaves the scope of the upper one; the lower
// one if there is none. It is further out than both or, if the upper line opened something, as far out, or another
// header like it.
func ScopeLeft(t text.Text, upper, lower text.Line) text.Line {
	header, outer, inner := headerAt(t, upper), Depth(t.Bytes(upper)), Depth(t.Bytes(lower))
	least := min(outer+1, inner)
	for l := t.Below(upper); l.Start < lower.Start; l = t.Below(l) {
		content := t.Bytes(l)
		depth := Depth(content)
		if depth < least && text.HasLetterOrDigit(content) && !header.GoesOn(content) ||
			depth+outer+inner == 0 && IsSection(content) || depth == outer && header.ClosedBy(content) {
			return l
		}
	}
	return lower
}
