package atomicedit

import (
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/pycall"
	"github.com/atomicedit/atomicedit/internal/text"
)

// beginOfPython returns the offset of the list of calls in Python that a request is, but for tokens of a template, -1 if it is none.
func beginOfPython(request string) int {
	at := beginOfList(request)
	if at < 0 || !pycall.Begins(request[at:]) {
		return -1
	}
	return at
}

// mayBeginList reports whether the first line of a request may be the beginning of a list of calls, whatever follows.
func mayBeginList(line string) bool {
	line = text.Unindented(strings.TrimPrefix(line, text.ByteOrderMark))
	return line != "" && (line[0] == '[' || templateTokens[tokenFrom(line, 0)] == callRole)
}

// beginOfList returns the offset of the bracket that a request begins with, but for tokens of a template that a call follows; -1 if
// it does not.
func beginOfList(request string) int {
	at := 0
	for {
		at += len(request[at:]) - len(strings.TrimLeft(request[at:], text.Space+"\n"))
		if at == len(request) {
			return -1
		}
		token := tokenFrom(request, at)
		if templateTokens[token] != callRole {
			break
		}
		at += len(token)
	}
	if request[at] != '[' {
		return -1
	}
	return at
}

// readPythonCalls reads the calls in Python that begin at an offset.
func readPythonCalls(request string, at int) (Plan, error) {
	if !utf8.ValidString(request) {
		return Plan{}, syntax(lineAt(request, at), theRequest+" is not valid UTF-8: send it as UTF-8")
	}
	tools, arguments, end, err := pycall.Read(request, at)
	bad, _ := err.(*pycall.Error)
	if bad != nil && !bad.CutOff {
		return Plan{}, syntax(lineAt(request, bad.Offset), bad.Msg)
	}
	u := unpacked{calls: make([]toolCall, len(arguments))}
	for i, v := range arguments {
		u.calls[i] = toolCall{tool: tools[i], args: v}
	}
	p, err := readCalls(newJSONReader([]byte(request)), u)
	if bad != nil {
		return Plan{}, cutOff(lineAt(request, bad.Offset), p, bad.Msg)
	}
	for err == nil {
		end += len(request[end:]) - len(strings.TrimLeft(request[end:], text.Space+"\n"))
		if end == len(request) {
			break
		}
		token := tokenFrom(request, end)
		if templateTokens[token] != proseRole {
			return Plan{}, syntax(lineAt(request, end), "text after the list of calls: expected nothing after its end")
		}
		end += len(token)
	}
	return p, err
}
