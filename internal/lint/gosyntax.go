package lint

import (
	"bytes"
	"errors"
	"go/parser"
	goscanner "go/scanner"
	"go/token"
	"path"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// goSyntax warns about Go that does not parse, though it did before. Parsing costs more than all other checks together. So it parses the
// whole texts only if the declarations that the change touches do not parse.
func goSyntax(name string, before, after []byte) []Warning {
	if path.Ext(name) != ".go" {
		return nil
	}
	was, is, above := changedDeclarations(before, after)
	err := goError(is)
	wasValid := before == nil || goError(was) == nil
	if err == nil && wasValid {
		return nil // and the rest is as it was
	}
	if !wasValid || atEnd(err, is) { // the error may depend on what is below
		err, above = goError(after), 0
	}
	if err == nil || before != nil && goError(before) != nil {
		return nil
	}
	return warn(above+err.Pos.Line, "this is %s valid Go: %s", notOrNoLonger(before), err.Msg)
}

// goError returns the first error in a text of Go, nil if it parses.
func goError(src []byte) *goscanner.Error {
	_, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	var list goscanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return list[0]
	}
	return nil
}

// atEnd reports whether the cause of an error is that the text ends: within brackets, a string or a comment.
func atEnd(err *goscanner.Error, src []byte) bool {
	return err.Pos.Offset >= len(src) || strings.HasSuffix(err.Msg, "not terminated")
}

// changedDeclarations returns the part of two texts of Go that has all their differences, from the start of one declaration at the top
// level to that of another, each as a file of its own, and the number of lines above it. Without such a declaration, the part begins or
// ends with the text. If the text before is valid, so is the one after if both parts are.
func changedDeclarations(before, after []byte) (was, is []byte, above int) {
	head, tail := text.CommonEnds(before, after)
	tail -= nextDeclaration(after[len(after)-tail:])
	was, is = before[:len(before)-tail], after[:len(after)-tail]
	start, line := lastDeclaration(after[:head])
	if start == 0 {
		return was, is, 0
	}
	file := func(part []byte) []byte { return append([]byte("package a;"), part[start:]...) }
	return file(was), file(is), line - 1
}

// declares reports whether a line begins with the keyword of a declaration.
func declares(line []byte) bool {
	for _, keyword := range []string{"func ", "var ", "const ", "type "} {
		if bytes.HasPrefix(line, []byte(keyword)) {
			return true
		}
	}
	return false
}

// nextDeclaration returns the offset of the first line below the first that begins a declaration, the length of the text if there is none.
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

// lastDeclaration returns the offset and the number of the last line that begins a declaration at the top level, 0 if there is none.
func lastDeclaration(src []byte) (start, line int) {
	lang, _ := syntaxOf(".go")
	for s := newScanner(lang, src); s.at < len(src) && s.found.unbalanced == ""; s.next() {
		if s.at > 0 && src[s.at-1] == '\n' && len(s.open) == 0 && declares(src[s.at:]) {
			start, line = s.at, s.line
		}
	}
	return start, line
}
