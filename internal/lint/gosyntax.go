package lint

import (
	"bytes"
	"errors"
	"go/parser"
	goscanner "go/scanner"
	"go/token"
	"slices"
)

// goCode warns about Go whose brackets do not pair, and about Go that does not parse, though it did before. Parsing
// costs more than all other checks together. So goCode looks at whole texts only if the declarations that the change
// touches do not parse: if they do, in both texts, the rest is as it was, brackets included.
func goCode(lang syntax, c change) []Warning {
	if was, is := c.declarations(); (c.before == nil || goErrors(was) == nil) && goErrors(is) == nil {
		return nil
	}
	all, errs := brackets(lang, c), goErrors(c.after)
	if errs == nil || c.before != nil && goErrors(c.before) != nil {
		return all
	}
	return append(all, warn(errs[0].Pos.Line, "this is %s valid Go: %s", c.notOrNoLonger(), errs[0].Msg)...)
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
