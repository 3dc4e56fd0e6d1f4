package request

import (
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/pycall"
	"github.com/atomicedit/atomicedit/internal/text"
)

// beginOfPython returns the offset of the calls in Python that a request is, but for tokens of a template, -1 if it is
// none. Calls without brackets around them are all of the request, and one asks for an edit: code may look like them.
func beginOfPython(request string) int {
	at := behindTokens(request, 0, CallRole)
	if at == len(request) || !pycall.Begins(request[at:]) {
		return -1
	}
	if request[at] != '[' {
		tools, arguments, end, err := pycall.Read(request, at)
		asks := false
		for i, tool := range tools {
			asks = asks || call.AsksForEdit(tool, arguments[i])
		}
		if err != nil || !asks || behindTokens(request, end, ProseRole) < len(request) {
			return -1
		}
	}
	return at
}

// behindTokens returns the offset of what follows the white space, and the tokens with a role, at an offset.
func behindTokens(request string, at int, role TokenRole) int {
	for {
		at += len(request[at:]) - len(strings.TrimLeft(request[at:], text.Space+"\n"))
		if at == len(request) {
			return at
		}
		token, is := tokenAt(request, at)
		if is != role {
			return at
		}
		at += len(token)
	}
}

// mayBeginList reports whether the first line of a request may be the beginning of a list of calls, whatever follows.
func mayBeginList(line string) bool {
	line = text.Unindented(strings.TrimPrefix(line, text.ByteOrderMark))
	return line != "" && (line[0] == '[' || behindTokens(line, 0, CallRole) > 0)
}

// readPythonCalls reads the calls in Python that begin at an offset.
func readPythonCalls(request string, at int) (plan.Plan, error) {
	r := jsonread.NewRequest([]byte(request))
	if !utf8.ValidString(request) {
		return plan.Plan{}, r.NotUTF8(at)
	}
	tools, arguments, end, err := pycall.Read(request, at)
	var cut *plan.Refusal
	if err != nil {
		if cut = r.Refusal(err); !errors.Is(cut, io.ErrUnexpectedEOF) {
			return plan.Plan{}, cut
		}
	}
	calls := make([]call.ToolCall, len(arguments))
	for i, v := range arguments {
		calls[i] = call.ToolCall{Tool: tools[i], Args: v}
	}
	p, err := call.ReadCalls(r, calls...)
	if cut != nil {
		cut.Partial = p
		return plan.Plan{}, cut
	}
	if end = behindTokens(request, end, ProseRole); err == nil && end < len(request) {
		return plan.Plan{}, plan.Syntax(r.Line(end), "text after the list of calls: expected nothing after its end")
	}
	return p, err
}
