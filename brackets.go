package atomicedit

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
)

// A codeScan is what is known of a text without understanding it: whether its brackets pair, and where its template strings
// have an escaped "${".
type codeScan struct {
	unbalanced string // says what does not pair, "" if all do
	line       int
	escapes    []int // lines
}

// A syntaxOf is what a language has that may hold brackets of no meaning.
type syntaxOf struct {
	line   string // what a comment to the end of the line begins with
	block  bool   // has comments like those of C
	long   bool   // has strings in three quotes
	raw    bool   // has strings in backquotes
	script bool   // these are templates, and there are regular expressions in slashes
	quoted bool   // a lone quote begins a name
}

// syntaxFor returns the syntax of the language that is known by the extension of a name.
func syntaxFor(name string) (syntaxOf, bool) {
	for _, s := range []struct {
		extensions string
		syntaxOf
	}{
		{"go", syntaxOf{line: "//", block: true, raw: true}},
		{"js|jsx|mjs|cjs|ts|tsx|mts|cts", syntaxOf{line: "//", block: true, raw: true, script: true}},
		{"c|h|cc|cpp|hpp|php|json|jsonc", syntaxOf{line: "//", block: true}},
		{"java|cs|swift|kt|scala|dart", syntaxOf{line: "//", block: true, long: true}},
		{"rs", syntaxOf{line: "//", block: true, quoted: true}},
		{"css|scss|less", syntaxOf{block: true}},
		{"py|toml", syntaxOf{line: "#", long: true}},
		{"rb", syntaxOf{line: "#"}},
	} {
		if ext := strings.TrimPrefix(path.Ext(name), "."); ext != "" && slices.Contains(strings.Split(s.extensions, "|"), ext) {
			return s.syntaxOf, true
		}
	}
	return syntaxOf{}, false
}

// scanCode pairs the brackets of a text in a language that is known by the extension, outside strings, comments and
// regular expressions.
func scanCode(name string, text []byte) (s codeScan) {
	lang, known := syntaxFor(name)
	if !known {
		return s
	}
	type open struct {
		sign byte
		line int
	}
	var stack []open
	line := 1
	last := byte('\n') // the last character of code before this one, but for white space
	// skip returns what follows the end of a string or comment, and counts its lines.
	skip := func(i int, end string, escapes bool) int {
		for ; i < len(text); i++ {
			switch {
			case text[i] == '\n':
				line++
			case escapes && text[i] == '\\':
				i++
				if i < len(text) && text[i] == '\n' {
					line++
				}
				if lang.script && end == "`" && bytes.HasPrefix(text[min(i, len(text)):], []byte("${")) {
					s.escapes = append(s.escapes, line)
				}
				continue
			}
			if bytes.HasPrefix(text[i:], []byte(end)) {
				return i + len(end)
			}
		}
		return i
	}
	at := func(i int, sign string) bool {
		return sign != "" && bytes.HasPrefix(text[min(i, len(text)):], []byte(sign))
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\n':
			line++
			i++
			continue
		case isSpace(c):
			i++
			continue
		case at(i, lang.line):
			for i < len(text) && text[i] != '\n' {
				i++
			}
			continue
		case lang.block && at(i, "/*"):
			i = skip(i+2, "*/", false)
			continue
		case lang.long && (at(i, `"""`) || at(i, "'''")):
			i = skip(i+3, string(text[i:i+3]), true)
		case c == '`' && lang.raw:
			i = skip(i+1, "`", lang.script)
		case c == '\'' && lang.quoted && !at(i+1, "\\") && !at(i+2, "'"): // a lifetime
			i++
		case c == '"' || c == '\'':
			i = pastString(text, i)
		case c == '/' && lang.script && (strings.IndexByte("\n(,=:[!&|?{;+", last) >= 0 || beforeRegexp(text[:i])):
			i = pastRegexp(text, i)
		case c == '(' || c == '[' || c == '{':
			stack = append(stack, open{c, line})
			i++
		case c == ')' || c == ']' || c == '}':
			n := len(stack) - 1
			switch {
			case s.unbalanced != "":
			case n < 0:
				s.unbalanced, s.line = fmt.Sprintf("%q closes nothing", string(c)), line
			case stack[n].sign != c-1 && stack[n].sign != c-2:
				s.unbalanced, s.line = fmt.Sprintf("%q does not close the %q of line %d", string(c), string(stack[n].sign), stack[n].line), line
			}
			stack = stack[:max(n, 0)]
			i++
		default:
			i++
		}
		last = c
	}
	if n := len(stack); n > 0 && s.unbalanced == "" {
		s.unbalanced, s.line = fmt.Sprintf("%q is not closed", string(stack[n-1].sign)), stack[n-1].line
	}
	return s
}

// pastString returns what follows a string of one line. A quote without another in its line is none.
func pastString(text []byte, i int) int {
	for k := i + 1; k < len(text) && text[k] != '\n'; k++ {
		switch text[k] {
		case '\\':
			if k+1 < len(text) && text[k+1] != '\n' {
				k++
			}
		case text[i]:
			return k + 1
		}
	}
	return i + 1
}

// beforeRegexp reports whether text ends in a sign or word that no division follows.
func beforeRegexp(text []byte) bool {
	text = bytes.TrimRight(text, " ")
	return slices.ContainsFunc([]string{"=>", "return", "case", "typeof"}, func(s string) bool { return bytes.HasSuffix(text, []byte(s)) })
}

// pastRegexp returns what follows a regular expression, in which a slash in brackets does not end it. A slash without
// another in its line begins none.
func pastRegexp(text []byte, i int) int {
	class := false
	for k := i + 1; k < len(text) && text[k] != '\n'; k++ {
		switch c := text[k]; {
		case c == '\\' && k+1 < len(text) && text[k+1] != '\n':
			k++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return k + 1
		}
	}
	return i + 1
}
