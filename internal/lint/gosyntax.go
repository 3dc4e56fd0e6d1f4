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
	if d, sure := c.nearestFunc(); sure {
		if _, errs, wasValid := d.parse(c); errs == nil && wasValid {
			return nil
		}
	}
	d := changedDeclarations(c)
	is, errs, wasValid := d.parse(c)
	if errs == nil && wasValid {
		return nil
	}
	above, all := 0, brackets(lang, c)
	if !wasValid {
		errs = goErrors(c.after)
	} else {
		errs, above = d.errorsOf(c.after, is, errs)
	}
	if errs == nil || c.before != nil && goErrors(c.before) != nil {
		return all
	}
	return append(all, warn(above+errs[0].Pos.Line, "this is %s valid Go: %s", c.notOrNoLonger(), errs[0].Msg)...)
}

// goErrors returns the first errors in a text of Go in order, nil if it parses.
func goErrors(src []byte) (list goscanner.ErrorList) {
	_, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	errors.As(err, &list)
	return list
}

// declarations are the parts of two texts of Go that have all their differences, from the start of one declaration at
// the top level to that of another. Without such a declaration, a part begins or ends with the text. If the text before
// is valid, so is the one after if both parts are.
type declarations struct {
	start, wasEnd, isEnd int // offsets
	above                int // how many lines are above
}

func changedDeclarations(c change) declarations {
	d := c.toNextDeclaration()
	if start, line := lastDeclaration(c.after[:c.head]); start > 0 {
		d.start, d.above = start, line-1
	}
	return d
}

// toNextDeclaration returns the declarations from the start of the texts to the first one below the change.
func (c change) toNextDeclaration() declarations {
	tail := c.tail - nextDeclaration(c.after[len(c.after)-c.tail:])
	return declarations{wasEnd: len(c.before) - tail, isEnd: len(c.after) - tail}
}

// nearestFunc returns the declarations from the last function above the change on, without a look at what is above
// that. In Go that parses, a line that begins with "func " is at the top level, or in a comment or string. If it may be
// in one that ends in the declarations, nearestFunc is not sure.
func (c change) nearestFunc() (d declarations, sure bool) {
	d = c.toNextDeclaration()
	d.start = bytes.LastIndex(c.after[:c.head], []byte("\nfunc ")) + 1
	for _, s := range [...]struct{ begin, end []byte }{{[]byte("`"), []byte("`")}, {[]byte("/*"), []byte("*/")}} {
		mayEnd := bytes.Contains(c.after[d.start:d.isEnd], s.end) || bytes.Contains(c.before[d.start:d.wasEnd], s.end)
		if mayEnd && bytes.Contains(c.after[:d.start], s.begin) {
			return d, false
		}
	}
	return d, true
}

// parse returns the part of the text after, and its errors. It reports whether that of the text before has none.
func (d declarations) parse(c change) (is []byte, errs goscanner.ErrorList, wasValid bool) {
	is = part(c.after, d.start, d.isEnd)
	return is, goErrors(is), c.before == nil || goErrors(part(c.before, d.start, d.wasEnd)) == nil
}

// part returns a part of a text as a file of its own.
func part(src []byte, start, end int) []byte {
	if start == 0 {
		return src[:end]
	}
	return append([]byte("package a;"), src[start:end]...)
}

// errorsOf returns the first errors of the text after a change, nil if there are none, and how many lines are above
// where their lines begin. Is is the changed part alone, and errs are its errors. As long as one may depend on what is
// below, errorsOf parses more.
func (d declarations) errorsOf(after, is []byte, errs goscanner.ErrorList) (_ goscanner.ErrorList, above int) {
	for end := d.isEnd; errs != nil; errs = goErrors(is) {
		if !slices.ContainsFunc(errs, func(err *goscanner.Error) bool { return dependsOn(after[end:], err, len(is)) }) {
			return errs, d.above
		}
		if end = d.start + 8*(end-d.start); end >= len(after) {
			break
		}
		end += bytes.IndexByte(after[end:], '\n') + 1 // only comments and raw strings have several lines
		is = part(after, d.start, end)
	}
	return goErrors(after), 0
}

// dependsOn reports whether the error of a text of the given size may be there only because the text below is missing.
func dependsOn(below []byte, err *goscanner.Error, size int) bool {
	switch err.Msg {
	case "comment not terminated":
		return bytes.Contains(below, []byte("*/"))
	case "raw string literal not terminated":
		return bytes.IndexByte(below, '`') >= 0
	}
	return len(below) > 0 && err.Pos.Offset >= size
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

// lastDeclaration returns the offset and the number of the last line that begins a declaration at the top level, or 0.
func lastDeclaration(src []byte) (start, line int) {
	lang, _ := syntaxOf(".go")
	for s := newScanner(lang, src); s.at < len(src) && s.found.unbalanced == ""; s.next() {
		if s.at > 0 && src[s.at-1] == '\n' && len(s.open) == 0 && declares(src[s.at:]) {
			start, line = s.at, s.line
		}
	}
	return start, line
}
