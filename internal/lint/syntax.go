package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	goscanner "go/scanner"
	"go/token"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A syntax describes where brackets mean nothing in a language.
type syntax struct {
	line   string // begins a comment that ends with the line
	block  bool   // it has comments like those of C
	long   bool   // it has strings in triple quotes
	raw    bool   // it has strings in backquotes
	script bool   // strings in backquotes are templates, and it has regular expressions between slashes
	text   bool   // plain text may stand where no string or comment is known: in templates and raw strings, for example
	quoted bool   // a lone quote begins a name, such as a lifetime, and strings go on in the next line, or are raw
}

var syntaxes = field.Table[map[string]syntax]{Make: func() map[string]syntax {
	return field.TableOf(map[syntax]string{
		{line: "//", block: true, raw: true}:                           ".go",
		{line: "//", block: true, raw: true, script: true, text: true}: ".js .jsx .mjs .cjs .ts .tsx .mts .cts",
		{line: "//", block: true}:                                      ".c .json .jsonc",
		{line: "//", block: true, text: true}:                          ".h .cc .cpp .hpp .php",
		{line: "//", block: true, long: true}:                          ".java .cs .swift .kt .scala .dart",
		{line: "//", block: true, quoted: true}:                        ".rs",
		{block: true, text: true}:                                      ".css .scss .less",
		{line: "#", long: true}:                                        ".py .toml",
		{line: "#", text: true}:                                        ".rb",
	})
}}

// syntaxOf returns the syntax of the language that the extension of a file name stands for.
func syntaxOf(name string) (lang syntax, known bool) {
	lang, known = syntaxes.Get()[path.Ext(name)]
	return lang, known
}

// scan pairs the brackets of a text that are outside strings, comments and regular expressions.
func scan(lang syntax, src []byte) scanner {
	s := newScanner(lang, src)
	for s.at < len(src) {
		s.next()
	}
	if n := len(s.open); n > 0 {
		s.unpaired(s.open[n-1].line, "%q is not closed", string(s.open[n-1].sign))
	}
	return s
}

// A scanner reads a text from its first byte to its last.
type scanner struct {
	lang syntax
	src  []byte
	at   int       // the offset of the next token
	line int       // the line of at
	last byte      // the first byte of the last token but whitespace and comments, the last byte of a word
	open []bracket // the brackets that are open at at

	unbalanced string // the first bracket that does not pair, "" if all do
	wrong      int    // its line
	escapes    []int  // the lines where a template string has an escaped "${"
	lone       []int  // the lines with a quotation mark that no other closes
	curly      []int  // the lines with a typographic quotation mark
}

type bracket struct {
	sign byte
	line int
}

func newScanner(lang syntax, src []byte) scanner {
	return scanner{lang: lang, src: src, line: 1, last: '\n'}
}

func (s *scanner) next() {
	c := s.src[s.at]
	mayBeComment := c == '/' || c == '#'
	switch {
	case c == '\n' || text.IsSpace(c):
		if s.at++; c == '\n' {
			s.line++
		}
		return
	case mayBeComment && s.lang.line != "" && s.follows(0, s.lang.line):
		line, _, _ := bytes.Cut(s.src[s.at:], []byte("\n"))
		s.at += len(line)
		return
	case mayBeComment && s.lang.block && s.follows(0, "/*"):
		s.skip("*/", false)
		return
	case s.lang.quoted && s.rawString(), s.literal(c):
	default:
		if r, _ := utf8.DecodeRune(s.src[s.at:]); '‘' <= r && r <= '‟' {
			s.curly = append(s.curly, s.line)
		}
		s.bracket(c)
		for s.at++; s.at < len(s.src) && text.InWord(c) && text.InWord(s.src[s.at]); s.at++ {
			c = s.src[s.at]
		}
	}
	s.last = c
}

// follows reports whether sign stands n bytes ahead.
func (s *scanner) follows(n int, sign string) bool {
	return bytes.HasPrefix(s.src[min(s.at+n, len(s.src)):], []byte(sign))
}

// literal moves past a string, a regular expression or the quote of a name, which begin with c, if one comes next.
func (s *scanner) literal(c byte) bool {
	switch {
	case s.lang.long && (s.follows(0, `"""`) || s.follows(0, "'''")):
		s.skip(strings.Repeat(string(c), 3), true)
	case s.lang.raw && c == '`':
		s.skip("`", s.lang.script)
	case s.lang.quoted && c == '\'' && !s.follows(1, "\\") && !s.follows(2, "'"): // a lifetime
		s.at++
	case s.lang.quoted && c == '"':
		s.skip(`"`, true)
	case c == '"' || c == '\'' || s.lang.script && c == '/' &&
		(strings.IndexByte("\n(,=:[!&|?{;+", s.last) >= 0 || beforeRegexp(s.src[:s.at])):
		end := pastLiteral(s.src, s.at)
		if c == '"' && end == s.at+1 {
			s.lone = append(s.lone, s.line)
		}
		s.line += bytes.Count(s.src[s.at:end], []byte("\n"))
		s.at = end
	default:
		return false
	}
	return true
}

// rawString moves past a string such as r#"..."#. It reports false, and does not move, if none comes next.
func (s *scanner) rawString() bool {
	rest := bytes.TrimPrefix(s.src[s.at:], []byte("b"))
	rest, ok := bytes.CutPrefix(rest, []byte("r"))
	marks := len(rest) - len(bytes.TrimLeft(rest, "#"))
	if !ok || !bytes.HasPrefix(rest[marks:], []byte(`"`)) {
		return false
	}
	s.at = len(s.src) - len(rest)
	s.skip(`"`+strings.Repeat("#", marks), false)
	return true
}

// skip moves past a comment or string, which begins with as many bytes as it ends in. With escapes, a backslash hides
// the byte after it.
func (s *scanner) skip(end string, escapes bool) {
	template := s.lang.script && end == "`"
	for s.at += len(end); s.at < len(s.src); s.at++ {
		switch c := s.src[s.at]; {
		case escapes && c == '\\':
			if s.follows(1, "\n") {
				s.line++
			}
			if template && s.follows(1, "${") {
				s.escapes = append(s.escapes, s.line)
			}
			s.at++
		case c == '\n':
			s.line++
		case s.follows(0, end):
			s.at += len(end)
			return
		}
	}
	s.at = len(s.src)
}

func (s *scanner) bracket(c byte) {
	switch c {
	case '(', '[', '{':
		s.open = append(s.open, bracket{c, s.line})
	case ')', ']', '}':
		n := len(s.open) - 1
		if n < 0 {
			s.unpaired(s.line, "%q closes nothing", string(c))
			return
		}
		if b := s.open[n]; b.sign != c-1 && b.sign != c-2 { // "()" are neighbours in ASCII, "[]" and "{}" are not quite
			s.unpaired(s.line, "%q does not close the %q on line %d", string(c), string(b.sign), b.line)
		}
		s.open = s.open[:n]
	}
}

// unpaired records a bracket that does not pair, unless there is one already.
func (s *scanner) unpaired(line int, format string, args ...any) {
	if s.unbalanced == "" {
		s.unbalanced, s.wrong = fmt.Sprintf(format, args...), line
	}
}

// beforeRegexp reports whether src ends in an operator or keyword that no division follows.
func beforeRegexp(src []byte) bool {
	src = bytes.TrimRight(src, " ")
	return slices.ContainsFunc([]string{"=>", "return", "case", "typeof"},
		func(s string) bool { return bytes.HasSuffix(src, []byte(s)) })
}

// pastLiteral returns the offset after a string or regular expression at i. One that its line does not end is none,
// unless that ends in a backslash.
func pastLiteral(src []byte, i int) int {
	class := false // in square brackets, where a slash does not end a regular expression
	for k := i + 1; k < len(src) && src[k] != '\n'; k++ {
		switch c := src[k]; {
		case c == '\\' && k+1 < len(src) && (src[k+1] != '\n' || src[i] == '"'):
			k++
		case src[i] == '/' && (c == '[' || c == ']'):
			class = c == '['
		case c == src[i] && !class:
			return k + 1
		}
	}
	return i + 1
}

// code warns about brackets that do not pair, and about Go that does not parse, though it did before. Parsing costs
// more than all other checks together. So code looks at whole texts of Go only if the declarations that the change
// touches do not parse: if they do, in both texts, the rest is as it was, brackets included.
func code(c change) []Warning {
	lang, known := syntaxOf(c.name)
	if !known {
		return nil
	}
	if path.Ext(c.name) != ".go" {
		return brackets(lang, c)
	}
	if was, is := c.declarations(); (c.before == nil || goErrors(was) == nil) && goErrors(is) == nil {
		return nil
	}
	all, errs := brackets(lang, c), goErrors(c.after)
	if errs == nil || c.before != nil && goErrors(c.before) != nil {
		return all
	}
	return append(all, c.broken(errs[0].Pos.Line, "this is %s valid Go: %s", c.notOrNoLonger(), errs[0].Msg)...)
}

// goErrors returns the first errors in a text of Go in order, nil if it parses.
func goErrors(src []byte) (list goscanner.ErrorList) {
	_, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	errors.As(err, &list)
	return list
}

// declarations returns the parts of the two texts that have all their differences, as files of their own. A part goes
// from the start of one declaration at the top level to that of another; without such a declaration, it begins or ends
// with the text. If the text before is valid, so is the one after if both parts are.
//
// In Go that parses, a line that begins with "func " is at the top level, or in a comment or string. Only if it may be
// in one that ends in the part, declarations looks at all of the text above.
func (c change) declarations() (was, is []byte) {
	tail := c.tail - nextDeclaration(c.after[len(c.after)-c.tail:])
	was, is = c.before[:len(c.before)-tail], c.after[:len(c.after)-tail]
	start := bytes.LastIndex(c.after[:c.head], []byte("\nfunc ")) + 1
	for _, s := range [...]struct{ begin, end []byte }{{[]byte("`"), []byte("`")}, {[]byte("/*"), []byte("*/")}} {
		mayEnd := bytes.Contains(was[start:], s.end) || bytes.Contains(is[start:], s.end)
		if mayEnd && bytes.Contains(c.after[:start], s.begin) {
			start = lastDeclaration(c.after[:c.head])
			break
		}
	}
	if start == 0 {
		return was, is
	}
	clause := []byte("package a;")
	return slices.Concat(clause, was[start:]), slices.Concat(clause, is[start:])
}

func declares(line []byte) bool {
	return slices.ContainsFunc([]string{"func ", "var ", "const ", "type "},
		func(keyword string) bool { return bytes.HasPrefix(line, []byte(keyword)) })
}

// nextDeclaration returns the offset of the first line but the first that begins a declaration, or of the end.
func nextDeclaration(src []byte) int {
	at := 0
	for line := range bytes.Lines(src) {
		if at > 0 && declares(line) {
			return at
		}
		at += len(line)
	}
	return at
}

// lastDeclaration returns the offset of the last line that begins a declaration at the top level, or 0.
func lastDeclaration(src []byte) (start int) {
	lang, _ := syntaxOf(".go")
	for s := newScanner(lang, src); s.at < len(src) && s.unbalanced == ""; s.next() {
		if s.at > 0 && src[s.at-1] == '\n' && len(s.open) == 0 && declares(src[s.at:]) {
			start = s.at
		}
	}
	return start
}

// jsonSyntax does not warn about comments in a new file: many programs read JSON with comments.
func jsonSyntax(c change) []Warning {
	if line, what := c.newFault(doubledField, ".json"); line > 0 {
		return c.broken(line, "%s", what)
	}
	err := jsonError(c.name, c.after)
	if err == nil || jsonError(c.name, c.before) != nil {
		return nil
	}
	at := min(int(err.Offset), len(c.after))
	if c.before == nil && at > 0 && c.after[at-1] == '/' {
		return nil
	}
	// a comma is missing
	if strings.Contains(err.Error(), " after object") || strings.Contains(err.Error(), " after array") {
		at = len(bytes.TrimRight(c.after[:max(at-1, 0)], text.Space+"\r\n"))
	}
	return c.broken(c.line(at), "this is %s valid JSON: %s", c.notOrNoLonger(), err.Error())
}

func jsonError(name string, src []byte) *json.SyntaxError {
	if path.Ext(name) != ".json" || src == nil {
		return nil
	}
	var bad *json.SyntaxError
	errors.As(json.Unmarshal(src, new(json.RawMessage)), &bad)
	return bad
}

// doubledField returns the line of the first field that its object has above already, and what is wrong with it.
func doubledField(src []byte) (line int, what string) {
	v, _ := jsonobj.Parse(src, "")
	if err := doubledIn(v); err != nil {
		return 1 + bytes.Count(src[:err.Offset], []byte("\n")), err.Msg
	}
	return 0, ""
}

func doubledIn(v jsonobj.Value) (first *jsonobj.Error) {
	var inner []jsonobj.Value
	if v.Kind() == '{' {
		o, err := v.Object("this object")
		if errors.As(err, &first) {
			return first
		}
		inner = o.Values
	} else if v.Kind() == '[' {
		inner, _ = v.Array("")
	}
	for _, v := range inner {
		if first = doubledIn(v); first != nil {
			return first
		}
	}
	return nil
}
