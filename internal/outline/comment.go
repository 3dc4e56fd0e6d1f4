package outline

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// comments has the ways to write a comment on a line of its own; of two signs that begin alike, the longer one is
// first.
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
		if !found || !c.only || text.IsBlank(code) || !text.IsSpace(code[len(code)-1]) || inQuotes(code) {
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

// inQuotes reports whether a quotation is open at the end of a line.
func inQuotes(l string) bool {
	for _, quote := range []string{`"`, "'", "`"} {
		if strings.Count(l, quote)%2 != 0 {
			return true
		}
	}
	return false
}
