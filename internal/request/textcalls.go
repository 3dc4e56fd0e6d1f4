package request

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"
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
	read    [][2]int // where the calls are that were read, and the messages that are no calls
}

// readTextCalls reads calls in one of the ways in which they stand in a text. It reports whether there is one.
func readTextCalls(request string, read func(*textCalls) error) (p plan.Plan, ok bool, err error) {
	c := &textCalls{request: request, reader: jsonread.NewRequest([]byte(request))}
	if err := read(c); err != nil || len(c.plans) == 0 {
		return plan.Plan{}, err != nil, err
	}
	if p, err = plan.Join(c.plans); err == nil {
		p, err = whole(request, p, c.read)
	}
	return p, true, err
}

// readFenced reads the calls in JSON that stand in code fences, with text around them.
func (c *textCalls) readFenced() error {
	in, opens := text.Scanner{Src: c.request}, text.Scanner{} // opens is at the line that opens a fence, if one is open
	for more := true; more; {
		if more = in.Scan(); more && !text.IsFence(in.Line) {
			continue
		}
		inner := c.request[opens.Next:in.At]
		if opens.No == 0 || text.IsBlankText(inner) && text.Fence("").Below(opens.Line).Below(in.Line) != "" {
			opens = in // maybe within a fence
			continue
		}
		switch body := strings.TrimSpace(inner); {
		case isToolCode(opens.Line) && c.asksInPython(opens.Next):
			end, err := c.readPython(opens.Next)
			if err == nil && !text.IsBlankText(c.request[end:in.At]) {
				err = plan.Syntax(c.reader.Line(end), "text after the list of calls: expected nothing after its end")
			}
			if err != nil {
				return err
			}
		case hasAnyPrefix(body, "{", "["):
			p, err := ParseJSON([]byte(inner))
			tool := c.partTool(p, []byte(inner), opens.Next)
			if err != nil || tool != "" {
				inner = strings.Repeat("\n", opens.No) + inner // for the lines in its messages
				p, err = ParseCall(tool, []byte(inner))
			}
			if err != nil {
				return err
			}
			c.plans, c.read = append(c.plans, p), append(c.read, [2]int{opens.Next, in.Next})
		}
		opens = text.Scanner{}
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
		return 0, c.withCalls(call.WithPartial(r.Refusal(bad), r.Data[at:], call.ReaderOf(tool, Parse)))
	}
	if !utf8.Valid(v.Raw) {
		return 0, r.NotUTF8(at)
	}
	var p plan.Plan
	if tool == "" {
		p, err = call.ReadRequest(r, v, Parse)
		tool = c.partTool(p, v.Raw, at)
	}
	if tool != "" {
		p, err = call.ReadCalls(r, call.ToolCall{Tool: tool, Args: v})
	}
	c.plans, c.read = append(c.plans, p), append(c.read, [2]int{at, at + len(v.Raw)})
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

// The words that agents write in front of a colon, normalised.
var (
	toolLabels     = []string{"action", "tool", "toolname", "toolcall", "function", "functionname", "functioncall"}
	argumentLabels = []string{"actioninput", "toolinput", "input", "arguments", "args", "parameters", "json"}
	resultLabels   = []string{"observation", "result", "toolresult", "tooloutput", "output"}
)

// readProse reads JSON at the beginning of a line, behind a sentence, or behind a label such as "Action Input:".
func (c *textCalls) readProse() error {
	tool := ""
	for in := (text.Scanner{Src: c.request}); in.Scan(); {
		label, value := labelOf(in.Line)
		name, at := beginOfJSON(in.Line)
		switch {
		case text.IsFence(in.Line):
			closeOfFence(&in, in.Line, false)
		case slices.Contains(toolLabels, label) && value != "" && !strings.ContainsAny(value, " {"):
			if tool = ""; !text.IsFence(value) {
				tool = strings.Trim(value, "`")
			}
		case slices.Contains(resultLabels, label) && (tool != "" || len(c.plans) > 0):
			return plan.Syntax(c.reader.Line(in.At), plan.AlreadyMade)
		case at >= 0:
			end, err := c.readValue(cmp.Or(name, tool), in.At+at)
			if err != nil {
				return err
			}
			rest := text.FirstLine(c.request[end:])
			if s := strings.Trim(rest, " \t\r;"); s != "" && (!isTags(s) || strings.ContainsAny(s, "{[")) {
				return plan.Syntax(c.reader.Line(end), "text after the JSON: expected nothing after its end")
			}
			tool, in.Next = "", end+len(rest)
		}
	}
	return nil
}

// isTags reports whether a text begins and ends like a tag, or a token of a template.
func isTags(s string) bool { return hasAnyPrefix(s, "<") && strings.HasSuffix(s, ">") }

// partTool returns a tool that changes a part of a file, if one is named right above arguments that are read as a whole
// file without it: alone in its line or its tag, or as a word with an underscore.
func (c *textCalls) partTool(p plan.Plan, arguments []byte, at int) string {
	isWhole := func(op plan.Op) bool { return op.Kind == plan.OpCreate && op.Overwrite }
	if !slices.ContainsFunc(p.Ops, isWhole) {
		return ""
	}
	if v, _ := jsonobj.ParseFirst(arguments, 0); !call.AsksForEdit("write", v) {
		return ""
	}
	const marks = text.Space + "\n`~"
	above := strings.TrimRight(strings.TrimSuffix(strings.TrimRight(c.request[:at], marks), "json"), marks)
	words := strings.FieldsFunc(above[strings.LastIndexByte(above, '\n')+1:], func(r rune) bool {
		return !unicode.IsLetter(r) && !strings.ContainsRune("_./", r)
	})
	for _, word := range words {
		isName := strings.Contains(word, "_") || len(words) == 1
		if isName && !strings.ContainsAny(word, "./") && call.ChangesAPart(word) {
			return word
		}
	}
	return ""
}

// labelOf returns the label of a line, normalised, and what is behind it.
func labelOf(line string) (label, value string) {
	label, value, _ = strings.Cut(line, ":")
	return field.NormalName(strings.Trim(label, "\t*✿")), strings.Trim(value, " \t*")
}

// beginOfJSON returns where in a line the JSON of a call begins, maybe behind a label or a sentence; -1 if it does not.
// The tool is that of a line of gptme such as "@edit(call-1): {".
func beginOfJSON(line string) (tool string, at int) {
	at = strings.IndexAny(line, "{[")
	if at < 0 || !beginsJSON(line[at:]) {
		return "", -1
	}
	if call, ok := strings.CutSuffix(line[:at], ": "); ok && line[0] == '@' && line[at] == '{' {
		const word = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-"
		name, id, _ := strings.Cut(call[1:], "(")
		if name != "" && strings.Trim(name+strings.TrimSuffix(id, ")"), word) == "" {
			return name, at
		}
	}
	above := strings.TrimSpace(line[:at])
	if above == "" || above == "functools" || isTags(above) {
		return "", at
	}
	const sentence = 4 // words
	label, _ := labelOf(line)
	isLabel := slices.Contains(argumentLabels, label) || len(strings.Fields(above)) >= sentence
	if !isLabel || !strings.HasSuffix(above, ":") {
		return "", -1
	}
	return "", at
}

// beginsJSON reports whether a text begins like an object, or a list of them. Code and prose have brackets too.
func beginsJSON(s string) bool {
	if strings.HasPrefix(s, "[") {
		s = strings.TrimLeft(s[1:], " \t\r\n")
	}
	inner, isObject := strings.CutPrefix(s, "{")
	inner = strings.TrimLeft(inner, " \t\r\n")
	return isObject && (inner == "" || inner[0] == '"')
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
		if err != nil || !asksForEdit(tools, arguments) || behindTokens(request, end, ProseRole) < len(request) {
			return plan.Plan{}, false, nil
		}
	}
	return readTextCalls(request, func(c *textCalls) error {
		end, err := c.readPython(at)
		switch behind := behindTokens(request, end, ProseRole); {
		case err != nil, behind == len(request):
			return err
		case strings.TrimSpace(request[:at]) != "" && strings.TrimSpace(request[end:behind]) != "": // between tokens
			c.plans = nil
			if err = c.readTokens(); err != nil || c.plans != nil {
				return err
			}
		}
		return plan.Syntax(c.reader.Line(end), "text after the list of calls: expected nothing after its end")
	})
}

// isToolCode reports whether a line opens a code fence whose code is calls.
func isToolCode(line string) bool { return strings.HasPrefix(line, "```tool_code") }

// asksInPython reports whether calls in Python begin at an offset, and one asks for an edit.
func (c *textCalls) asksInPython(at int) bool {
	if !pycall.Begins(c.request[at:]) {
		return false
	}
	tools, arguments, _, err := pycall.Read(c.request, at)
	return err != nil || asksForEdit(tools, arguments)
}

// asksForEdit reports whether one of some calls asks for an edit, or is one, whatever its tool is for.
func asksForEdit(tools []string, arguments []jsonobj.Value) bool {
	for i, args := range arguments {
		p, err := call.ReadCalls(jsonread.NewRequest(nil), call.ToolCall{Tool: tools[i], Args: args})
		if err == nil && len(p.Ops) > 0 || call.AsksForEdit(tools[i], args) {
			return true
		}
	}
	return false
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
	c.plans, c.read = append(c.plans, p), append(c.read, [2]int{at, end})
	return end, err
}

// A tokenCall is a call that is being read.
type tokenCall struct {
	role   TokenRole // of the token before
	open   bool      // there is a call whose arguments have not come yet
	tool   string    // its name, "" if it is not known
	at     int       // where the call begins
	thinks bool      // the message is what the model has thought
}

// readTokens reads the calls that the tokens of a model's template mark.
func (c *textCalls) readTokens() (err error) {
	if !hasCallTokens(c.request) {
		return nil
	}
	var one tokenCall
	from := 0     // of the text behind the last token or JSON
	skipFrom := 0 // JSON outside of calls is skipped from here on
	for at := 0; err == nil && at < len(c.request); {
		next := strings.IndexAny(c.request[at:], "<[{\"")
		if next < 0 {
			break
		}
		at += next
		switch token, role := tokenAt(c.request, at); {
		case role != noRole:
			err = c.endText(&one, c.request[from:at], role, at)
			at += len(token)
			if err == nil && one.open && role == MessageRole {
				at, err = c.readPatch(&one, at)
			}
			from = at
		case !one.open:
			at, skipFrom = c.skipJSON(at, skipFrom)
		case c.request[at] == '<':
			at++
		default:
			if one.role == CallRole {
				one.takeName(c.request[from:at])
			}
			at, err = c.readValue(one.tool, at)
			if err == nil {
				c.read[len(c.read)-1][0] = one.at
			}
			at += len(c.request[at:]) - len(strings.TrimLeft(c.request[at:], " \t\r\n;`"))
			one.open, one.tool = strings.HasPrefix(c.request[at:], "{"), "" // a further call
			from = at
		}
	}
	if err == nil && one.open {
		err = plan.CutOff(c.reader.Line(one.at), plan.Plan{}, cutInCall)
	}
	from = 0
	for _, span := range append(c.read, [2]int{len(c.request)}) {
		if err == nil && len(c.plans) > 0 {
			err = marker.OnlyProse(c.request, [2]int{from, max(from, span[0])}, marker.None)
		}
		from = span[1]
	}
	return err
}

const cutInCall = "the request was cut off in a call: send it again in full"

// readPatch reads a patch that is the arguments of a call, if one is at an offset, and returns the offset behind it.
func (c *textCalls) readPatch(one *tokenCall, at int) (end int, err error) {
	const begin, last = "*** Begin Patch", "\n*** End Patch"
	if !strings.HasPrefix(strings.TrimLeft(c.request[at:], text.Space+"\n"), begin) {
		return at, nil
	}
	n := strings.Index(c.request[at:], last)
	if n < 0 {
		return at, plan.CutOff(c.reader.Line(at), plan.Plan{}, cutInCall)
	}
	end = at + n + len(last)
	if rest, _, _ := strings.Cut(c.request[end:], "<|"); !text.IsBlankText(rest) {
		return at, plan.Syntax(c.reader.Line(end),
			"text behind the patch: expected nothing between it and the next token")
	}
	p, err := call.ReadCalls(c.reader, call.ToolCall{Tool: one.tool, Args: jsonobj.OfText(c.request[at:end], at)})
	c.plans, c.read = append(c.plans, p), append(c.read, [2]int{one.at, end})
	*one = tokenCall{role: one.role}
	return end, err
}

// skipJSON returns the offset behind the object at an offset, which may have tokens in its strings, or behind its first
// character if there is none, and the offset from which others are looked for: no text is read twice.
func (c *textCalls) skipJSON(at, from int) (end, next int) {
	if at < from || !beginsJSON(c.request[at:]) {
		return at + 1, from
	}
	v, err := jsonobj.ParseFirst(c.reader.Data[at:], at)
	if err != nil {
		return at + 1, err.(*jsonobj.Error).Offset
	}
	return at + len(v.Raw), from
}

// endText ends the text behind a token, where the next one has the given role.
func (c *textCalls) endText(one *tokenCall, s string, next TokenRole, at int) error {
	switch one.role {
	case CallRole:
		one.takeName(s)
	case MessageRole:
		if one.thinks {
			c.read = append(c.read, [2]int{at - len(s), at})
		}
	case HeaderRole:
		one.thinks = strings.TrimSpace(s) == "analysis"
		if _, to, ok := strings.Cut(s, "to="); ok && strings.TrimSpace(to) != "" {
			one.tool = strings.Fields(to)[0]
		}
	}
	switch {
	case next == ResultRole, one.role == HeaderRole && one.tool == "assistant":
		return plan.Syntax(c.reader.Line(at), plan.AlreadyMade)
	case next == ProseRole && one.open, next == HeaderRole && one.role == MessageRole && one.open:
		return call.NoArguments(c.reader, at, one.tool)
	case next == ProseRole:
		*one = tokenCall{}
	case next == CallRole && one.open:
	case next == CallRole:
		one.tool, one.open, one.at = "", true, at
	case next == MessageRole && one.tool != "":
		one.open, one.at = true, at
	}
	one.role = next
	return nil
}

// takeName takes the name of the tool from the text in front of its arguments, if there is one.
func (call *tokenCall) takeName(s string) {
	name := strings.TrimPrefix(strings.TrimSpace(s), bracedCall[1:])
	for _, fence := range []string{"```json", "```"} {
		name = strings.TrimSpace(strings.TrimSuffix(name, fence))
	}
	if before, number, ok := strings.Cut(name, ":"); ok && strings.Trim(number, "0123456789") == "" {
		name = before // Kimi numbers its calls
	}
	call.tool = cmp.Or(name, call.tool)
}
