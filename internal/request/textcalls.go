package request

import (
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/pycall"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A textCalls reads the calls in JSON that stand in a text.
type textCalls struct {
	request string
	reader  *jsonread.Request
	plans   []plan.Plan
}

// readTextCalls reads calls in one of the ways in which they stand in a text. It reports whether there is one.
func readTextCalls(request string, read func(*textCalls) error) (p plan.Plan, ok bool, err error) {
	c := &textCalls{request: request, reader: jsonread.NewRequest([]byte(request))}
	if err := read(c); err != nil || len(c.plans) == 0 {
		return plan.Plan{}, err != nil, err
	}
	p, err = plan.Join(c.plans)
	return p, true, err
}

// readFenced reads the calls in JSON that stand in code fences, with text around them.
func (c *textCalls) readFenced() error {
	for in := (text.Scanner{Src: c.request}); in.Scan(); {
		if !text.IsFence(in.Line) {
			continue
		}
		opens, inner := in, c.request[in.Next:]
		for closed := false; !closed && in.Scan(); {
			if !text.IsFence(in.Line) {
				continue
			}
			inner = c.request[opens.Next:in.At]
			if closed = !text.IsBlankText(inner) || marker.ClosesFence(opens.Line, in.Line); !closed {
				opens, inner = in, c.request[in.Next:] // a fence within a fence
			}
		}
		if body := strings.TrimSpace(inner); body == "" || body[0] != '{' && body[0] != '[' {
			continue
		}
		call, err := ParseJSON([]byte(inner))
		if err != nil {
			_, err = ParseJSON([]byte(strings.Repeat("\n", opens.No) + inner)) // for the lines in its messages
			return err
		}
		c.plans = append(c.plans, call)
	}
	return nil
}

// readValue reads the arguments of a tool, or calls if it is "", at an offset, and returns the offset behind them.
func (c *textCalls) readValue(tool string, at int) (end int, err error) {
	r := c.reader
	if tool == "" && c.request[at] == '[' && pycall.Begins(c.request[at:]) {
		return c.readPython(at)
	}
	v, bad := jsonobj.ParseFirst(r.Data[at:], at)
	if strings.HasSuffix(c.request[:at], bracedCall+tool) {
		v, bad = pycall.ReadBraced(c.request, at)
	}
	if bad != nil {
		return 0, c.withCalls(call.WithPartial(r.Refusal(bad), r.Data[at:], call.Parser(tool, Parse)))
	}
	if !utf8.Valid(v.Raw) {
		return 0, r.NotUTF8(at)
	}
	var p plan.Plan
	if tool == "" {
		p, err = call.ReadRequest(r, v, Parse)
	} else {
		p, err = call.ReadCalls(r, call.ToolCall{Tool: tool, Args: v})
	}
	c.plans = append(c.plans, p)
	return at + len(v.Raw), err
}

// withCalls adds the calls that were read to what is complete of a request that was cut off.
func (c *textCalls) withCalls(err error) error {
	var r *plan.Refusal
	if errors.As(err, &r) && len(c.plans) > 0 {
		calls := c.plans
		if len(r.Partial.Ops) > 0 {
			calls = append(calls, r.Partial)
		}
		r.Partial, _ = plan.Join(calls)
	}
	return err
}

// resultIsHere refuses a request that has the result of a call.
func (c *textCalls) resultIsHere(at int) error {
	return plan.Syntax(c.reader.Line(at), plan.AlreadyMade)
}

// The words that agents write in front of a colon, normalised.
var (
	toolLabels     = []string{"action", "tool", "toolname", "toolcall", "function", "functionname", "functioncall"}
	argumentLabels = []string{"actioninput", "toolinput", "input", "arguments", "args", "parameters", "json"}
	resultLabels   = []string{"observation", "result", "toolresult", "tooloutput", "output"}
)

// readProse reads JSON at the beginning of a line, behind a sentence, or behind a label such as "Action Input:".
func (c *textCalls) readProse() error {
	tool := ""
	in := text.Scanner{Src: c.request}
	for in.Scan() {
		if text.IsFence(in.Line) {
			closeOfFence(&in, in.Line, false)
			continue
		}
		label, value, _ := strings.Cut(in.Line, ":")
		label, value = field.NormalName(strings.Trim(label, "\t*✿")), strings.Trim(value, " \t*")
		switch {
		case slices.Contains(toolLabels, label) && value != "" && !strings.ContainsAny(value, " {"):
			if tool = ""; !text.IsFence(value) {
				tool = strings.Trim(value, "`")
			}
			continue
		case slices.Contains(resultLabels, label) && (tool != "" || len(c.plans) > 0):
			return c.resultIsHere(in.At)
		}
		at := beginOfJSON(in.Line, label)
		if name, behind := calledAt(in.Line); name != "" {
			tool, at = name, behind
		}
		if at < 0 {
			continue
		}
		end, err := c.readValue(tool, in.At+at)
		if err != nil {
			return err
		}
		rest, _, _ := strings.Cut(c.request[end:], "\n")
		if strings.Trim(rest, " \t\r;") != "" {
			return plan.Syntax(c.reader.Line(end), "text after the JSON: expected nothing after its end")
		}
		tool, in.Next = "", end+len(rest)
	}
	return nil
}

// calledAt returns the tool that a line of gptme such as "@edit(call-1): {" calls, or "", and where its arguments are.
func calledAt(line string) (tool string, at int) {
	call, _, ok := strings.Cut(line, ": {")
	tool, id, _ := strings.Cut(strings.TrimPrefix(call, "@"), "(")
	const word = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-"
	isWord := func(s string) bool { return strings.Trim(s, word) == "" }
	if !ok || !strings.HasPrefix(call, "@") || !isWord(tool) || !isWord(strings.TrimSuffix(id, ")")) ||
		!beginsJSON(line[len(call)+2:]) {
		return "", 0
	}
	return tool, len(call) + 2
}

// beginOfJSON returns where in a line the JSON of a call begins, maybe behind a label or a sentence; -1 if it does not.
func beginOfJSON(line, label string) int {
	at := strings.IndexAny(line, "{[")
	if at < 0 {
		return -1
	}
	const sentence = 4 // words
	above := strings.TrimSpace(line[:at])
	introduces := strings.HasSuffix(above, ":") && (len(strings.Fields(above)) >= sentence ||
		slices.Contains(argumentLabels, label))
	if above != "" && !introduces && above != "functools" || !beginsJSON(line[at:]) {
		return -1
	}
	return at
}

// beginsJSON reports whether a text begins like an object, or a list of them. Code and prose have brackets too.
func beginsJSON(s string) bool {
	if strings.HasPrefix(s, "[") {
		s = strings.TrimLeft(s[1:], " \t\r\n")
	}
	if !strings.HasPrefix(s, "{") {
		return false
	}
	s = strings.TrimLeft(s[1:], " \t\r\n")
	return s == "" || s[0] == '"'
}

// readPythonCalls reads calls in Python that a request is, but for tokens of a template, and reports whether it is.
// Calls without brackets around them are all of the request, and one asks for an edit: code may look like them.
func readPythonCalls(request string) (p plan.Plan, ok bool, err error) {
	at := behindTokens(request, 0, CallRole)
	if !pycall.Begins(request[at:]) {
		return plan.Plan{}, false, nil
	}
	if request[at] != '[' {
		tools, arguments, end, err := pycall.Read(request, at)
		asks := false
		for i, tool := range tools {
			asks = asks || call.AsksForEdit(tool, arguments[i])
		}
		if err != nil || !asks || behindTokens(request, end, ProseRole) < len(request) {
			return plan.Plan{}, false, nil
		}
	}
	c := &textCalls{request: request, reader: jsonread.NewRequest([]byte(request))}
	end, err := c.readPython(at)
	if err != nil {
		return plan.Plan{}, true, err
	}
	switch behind := behindTokens(request, end, ProseRole); {
	case behind == len(request):
		return c.plans[0], true, nil
	case strings.TrimSpace(request[:at]) != "" && strings.TrimSpace(request[end:behind]) != "": // between tokens
		if p, ok, err := readTextCalls(request, (*textCalls).readTokens); ok {
			return p, true, err
		}
	}
	return plan.Plan{}, true,
		plan.Syntax(c.reader.Line(end), "text after the list of calls: expected nothing after its end")
}

// behindTokens returns the offset of what follows the white space, and the tokens with a role, at an offset.
func behindTokens(request string, at int, role TokenRole) int {
	for {
		at += len(request[at:]) - len(strings.TrimLeft(request[at:], text.Space+"\n"))
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
	return strings.HasPrefix(line, "[") || behindTokens(line, 0, CallRole) > 0
}

// readPython reads the calls in Python that begin at an offset, and returns the offset behind them.
func (c *textCalls) readPython(at int) (end int, err error) {
	if !utf8.ValidString(c.request) {
		return at, c.reader.NotUTF8(at)
	}
	tools, arguments, end, err := pycall.Read(c.request, at)
	var cut *plan.Refusal
	if err != nil {
		if cut = c.reader.Refusal(err); !errors.Is(cut, io.ErrUnexpectedEOF) {
			return at, cut
		}
	}
	calls := make([]call.ToolCall, len(arguments))
	for i, v := range arguments {
		calls[i] = call.ToolCall{Tool: tools[i], Args: v}
	}
	p, err := call.ReadCalls(c.reader, calls...)
	if cut != nil {
		cut.Partial = p
		return at, c.withCalls(cut)
	}
	c.plans = append(c.plans, p)
	return end, err
}
