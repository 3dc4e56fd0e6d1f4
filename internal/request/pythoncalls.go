package request

import (
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/pycall"
	"github.com/atomicedit/atomicedit/internal/text"
)

// beginOfPython returns the offset of the list of calls in Python that a request is, but for tokens of a template, -1
// if it is none.
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
	return line != "" && (line[0] == '[' || call.TemplateTokens[call.TokenFrom(line, 0)] == call.CallRole)
}

// beginOfList returns the offset of the bracket that a request begins with, but for tokens of a template that a call
// follows; -1 if it does not.
func beginOfList(request string) int {
	at := 0
	for {
		at += len(request[at:]) - len(strings.TrimLeft(request[at:], text.Space+"\n"))
		if at == len(request) {
			return -1
		}
		token := call.TokenFrom(request, at)
		if call.TemplateTokens[token] != call.CallRole {
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
func readPythonCalls(request string, at int) (plan.Plan, error) {
	if !utf8.ValidString(request) {
		return plan.Plan{}, plan.Syntax(plan.LineAt(request, at),
			jsonread.TheRequest+" is not valid UTF-8: send it as UTF-8")
	}
	tools, arguments, end, err := pycall.Read(request, at)
	bad, _ := err.(*pycall.Error)
	if bad != nil && !bad.CutOff {
		return plan.Plan{}, plan.Syntax(plan.LineAt(request, bad.Offset), bad.Msg)
	}
	calls := make([]call.ToolCall, len(arguments))
	for i, v := range arguments {
		calls[i] = call.ToolCall{Tool: tools[i], Args: v}
	}
	p, err := call.ReadCalls(jsonread.NewRequest([]byte(request)), calls...)
	if bad != nil {
		return plan.Plan{}, plan.CutOff(plan.LineAt(request, bad.Offset), p, bad.Msg)
	}
	for err == nil {
		end += len(request[end:]) - len(strings.TrimLeft(request[end:], text.Space+"\n"))
		if end == len(request) {
			break
		}
		token := call.TokenFrom(request, end)
		if call.TemplateTokens[token] != call.ProseRole {
			return plan.Plan{}, plan.Syntax(plan.LineAt(request, end),
				"text after the list of calls: expected nothing after its end")
		}
		end += len(token)
	}
	return p, err
}
