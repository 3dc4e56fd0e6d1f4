package lint

import (
	"bytes"

	"github.com/atomicedit/atomicedit/internal/outline"
)

// faultOfPython returns the first line with a wrong indentation, and what is wrong; 0 if there is none, or if brackets
// do not pair. It reads logical lines: those in brackets, in a string, or behind a backslash go on with the one above.
func faultOfPython(src []byte) (line int, why string) {
	lang, _ := syntaxOf("a.py")
	s := newScanner(lang, src)
	depths, opens := []int{0}, false // of the lines that are open, and whether the last one opens a body
	fault := func(msg string) {
		if line == 0 {
			line, why = s.line, msg
		}
	}
	for s.at < len(src) {
		content, _, _ := bytes.Cut(src[s.at:], []byte("\n"))
		code := bytes.TrimSpace(content)
		isCode := len(code) > 0 && code[0] != '#'
		if isCode {
			depth, top := outline.Depth(content), depths[len(depths)-1]
			switch {
			case opens && depth <= top:
				fault("this line is not deeper than the one above, which opens a body")
			case opens:
				depths = append(depths, depth)
			case depth > top:
				fault("this line is deeper than the one above, which opens nothing")
			}
			for depths[len(depths)-1] > depth {
				depths = depths[:len(depths)-1]
			}
			if depths[len(depths)-1] < depth {
				fault("this line is as deep as no line above that is open")
			}
		}
		for s.at < len(src) && (src[s.at] != '\n' || len(s.open) > 0 || isCode && s.last == '\\') {
			s.next()
		}
		if opens = isCode && s.last == ':' || !isCode && opens; s.at < len(src) {
			s.next()
		}
	}
	if opens {
		fault("the last line opens a body, and there is none")
	}
	if s.unbalanced != "" || len(s.open) > 0 {
		return 0, ""
	}
	return line, why
}
