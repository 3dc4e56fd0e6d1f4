package request

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// An event of a stream is an object that has one of these fields, each with one of the values behind its name, if there
// are any. The APIs are those of Anthropic, OpenAI (Chat Completions, Responses), Bedrock, Gemini, Ollama, Cohere, the
// AI SDK of Vercel, and AG-UI.
var (
	firstEvents = [][]string{
		{"type", "message_start", "content_block_start", "response.created", "response.output_item.added",
			"response.output_item.done", "RUN_STARTED", "TOOL_CALL_START", "TOOL_CALL_CHUNK", "message-start",
			"tool-call-start", "start", "start-step", "stream-start", "tool-input-start"},
		{"object", "chat.completion.chunk", ""}, {"messageStart"}, {"contentBlockStart"}, {"candidates"}, {"done"},
	}
	lastEvents = [][]string{
		{"type", "message_stop", "response.completed", "RUN_FINISHED", "TOOL_CALL_END", "message-end", "finish"},
		{"finish_reason", "tool_calls", "stop", "function_call"}, {"messageStop"}, {"finishReason", "STOP", "OTHER"},
		{"done", "true"},
	}
	cutOffEvents = [][]string{
		{"type", "response.incomplete", "response.failed", "RUN_ERROR", "error", "abort", "tool-input-error",
			"tool-approval-request"},
		{"invalid", "true"}, {"willContinue", "true"},
	}
	textEvents = []string{"", "text_delta", "text-delta", "response.output_text.delta", "TEXT_MESSAGE_CONTENT",
		"TEXT_MESSAGE_CHUNK"}
	// repeats are the types of events that say a whole call once more.
	repeats = []string{"response.completed", "tool-call", "tool-input-available", "tool-call-available"}
	// innerEvents are the fields of an event that have a part of the message.
	innerEvents = []string{"message", "delta", "choices", "candidates", "content", "parts", "content_block", "item",
		"tool_calls", "function", "function_call", "custom", "functionCall", "finishReason", "messageStart",
		"messageStop", "contentBlockStart", "start", "contentBlockDelta", "contentBlockStop", "toolUse"}
)

// readEvents reads the events of a stream that were given whole, as JSON lines or as server-sent events: the pieces of
// each call are put together. It reports whether they are of one. IsWhole says that nothing else follows them.
func readEvents(r *jsonread.Request, events []jsonobj.Value, isWhole, isSent bool) (p plan.Plan, ok bool, err error) {
	if len(events) == 1 && events[0].Kind() == '[' {
		events, _ = events[0].Array("")
	}
	calls, why := streamedCalls{byKey: map[string]*streamedCall{}}, ""
	for i, event := range events {
		o := objectIn(event)
		inner := o.Value("event") // of Claude Code
		if inner.Kind() == 0 && !o.Has("type") {
			inner = o.Value("response") // of Gemini's Code Assist
		}
		if inner.Kind() == '{' {
			event, o = inner, objectIn(inner)
		}
		calls.broken = calls.broken || event.Kind() != '{' && !event.IsNull()
		isEdit := i > 0 && !o.Has("type") && call.AsksForEdit("edit", event) // beside a message
		isMessage := len(events) == 1 && !isSent && o.Has("candidates") || string(o.Value("done").Raw) == "true"
		if isEdit || i == 0 && (isMessage || o.Has("done") && !o.Has("message") ||
			call.MarkIn(o, firstEvents) == "") {
			return plan.Plan{}, false, nil
		}
		switch kind, item := calls.text(o, "type"), o.Value("item"); {
		case kind == "response.output_item.added":
			calls.begun++
		case kind == "response.output_item.done" && item.Kind() == '{':
			calls.items = append(calls.items, item)
		}
		calls.add(event, "", "", "")
	}
	switch {
	case len(events) == 0:
		return plan.Plan{}, false, nil
	case calls.made:
		return plan.Plan{}, true, plan.Syntax(1, plan.AlreadyMade)
	case !isWhole || calls.broken:
		why = "this is no event of the stream: send all of it again"
	case calls.cutOff != "":
		why = "the message was cut off or failed, as " + calls.cutOff + " says: send it again in full"
	case !calls.ended || calls.runs:
		why = "the stream was cut off: its last event is missing; send all of it again"
	default:
		p, err = calls.read(r)
		return p, true, err
	}
	return plan.Plan{}, true, plan.CutOff(r.Line(len(bytes.TrimRight(r.Data, " \t\r\n"))), plan.Plan{}, why)
}

// read reads the calls of a stream that is complete, or else its text.
func (s *streamedCalls) read(r *jsonread.Request) (plan.Plan, error) {
	switch {
	case s.items != nil && len(s.items) >= s.begun: // which say all of it once more, and of every kind of call
		return call.ReadRequest(r, jsonobj.Value{Raw: []byte("["), Elems: s.items}, Parse)
	case s.choices:
		return plan.Plan{}, plan.Syntax(1, "the stream has several alternatives: expected the one to make")
	case s.all == nil && s.prose.Len() > 0:
		return Parse(s.prose.String())
	case s.all == nil:
		return plan.Plan{}, plan.NoRequest("the stream has no call")
	}
	calls := make([]call.ToolCall, len(s.all))
	for i, c := range s.all {
		if calls[i] = c.ToolCall; c.pieces.Len() > 0 || c.Args.Kind() == 0 {
			calls[i].Args = jsonobj.OfText(c.pieces.String(), 0)
		}
	}
	return call.ReadCalls(r, calls...)
}

// objectIn returns the object that a value is, or else an empty one.
func objectIn(v jsonobj.Value) *jsonobj.Object {
	if o, err := v.Object(""); err == nil {
		return o
	}
	return &jsonobj.Object{}
}

// lastData is the data behind the last event of a stream.
const lastData = "[DONE]"

// dataOf returns the data of server-sent events, each at its line.
func dataOf(request string) string {
	var b strings.Builder
	for l := range strings.Lines(request) {
		data, isData := strings.CutPrefix(strings.TrimSpace(l), "data:")
		isOther := !isData && hasAnyPrefix(data, "event:", "id:", ":", "retry:")
		if data = strings.TrimSpace(data); data != lastData && !isOther {
			b.WriteString(data)
		}
		b.WriteString(l[len(strings.TrimSuffix(l, "\n")):])
	}
	return b.String()
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// streamedCalls are the calls of a stream, as far as it has been read.
type streamedCalls struct {
	ended   bool
	runs    bool            // a run has started, which ends by itself
	made    bool            // there is a result of a call, or what a user has said to one
	cutOff  string          // the mark that says so
	broken  bool            // an event is no object, or has a field twice, or half a character
	choices bool            // there are alternatives
	prose   strings.Builder // around the calls
	block   string          // the one that the last piece of it belongs to
	items   []jsonobj.Value // of a message of OpenAI's Responses
	begun   int             // how many such items there are
	all     []*streamedCall
	byKey   map[string]*streamedCall // the last ones, also by their ids
}

type streamedCall struct {
	call.ToolCall // with the arguments, if they have come as an object
	id            string
	pieces        strings.Builder // of the arguments
}

// add adds what an event, or an object or a list in one, says. In is the field that has it. Key and id tell the calls
// apart: not every event of a call has its id, and some APIs give all calls of a message one key.
func (s *streamedCalls) add(v jsonobj.Value, in, key, id string) {
	isChoice := in == "choices" || in == "candidates"
	elems, _ := v.Array("")
	for i, e := range elems {
		s.choices = s.choices || isChoice && i > 0
		s.add(e, in, key, id)
	}
	o, err := v.Object("")
	if err != nil {
		s.broken = s.broken || v.Kind() == '{'
		return
	}
	s.ended = s.ended || call.MarkIn(o, lastEvents) != ""
	s.cutOff = cmp.Or(s.cutOff, call.MarkIn(o, cutOffEvents), call.MarkIn(o, call.CutOffReasons))
	for _, name := range []string{"index", "output_index", "contentBlockIndex"} {
		if n, err := o.Value(name).IntOf("", 0); err == nil && o.Has(name) {
			s.choices = s.choices || isChoice && n > 0
			key += name + strconv.Itoa(n)
		}
	}
	kind, tool, own := s.text(o, "type"), s.text(o, "name", "toolCallName", "toolName"), s.text(o, "id", "toolCallId")
	s.runs = (s.runs || kind == "RUN_STARTED") && kind != "RUN_FINISHED"
	isBeside := slices.Contains(call.BesideTypes, kind) || string(o.Value("providerExecuted").Raw) == "true"
	s.made = s.made || call.IsResult(o) && !isBeside || s.text(o, "role") == "user"
	c := s.byKey["id "+own]
	isKnown := c != nil && (c.pieces.Len() > 0 || c.Args.Kind() != 0)
	isRepeated := strings.HasSuffix(kind, ".done") || slices.Contains(repeats, kind) && (isKnown || tool == "")
	if isRepeated || kind == "CUSTOM" {
		return
	}
	c = cmp.Or(c, s.byKey[key])
	s.addProse(o, kind, in, key+own+s.text(o, "messageId"))
	id = cmp.Or(own, id)
	whole := argumentsIn(o)
	if tool != "" && (c == nil || id != "" && c.id != id || in == "functionCall" || own == "" && whole.Kind() != 0) {
		c = &streamedCall{ToolCall: call.ToolCall{Tool: tool}, id: id}
		if s.byKey[key] = c; !isBeside {
			s.all = append(s.all, c)
		}
		if id != "" {
			s.byKey["id "+id] = c
		}
	}
	if c != nil {
		c.pieces.WriteString(s.text(o, "partial_json", "arguments", "input", "inputTextDelta"))
		if isPiece := strings.Contains(kind, "arguments") || strings.Contains(kind, "input") ||
			kind == "TOOL_CALL_ARGS" || kind == "TOOL_CALL_CHUNK"; isPiece {
			c.pieces.WriteString(s.text(o, "delta"))
		}
	}
	if tool != "" && whole.Kind() != 0 {
		c.Args = whole
	}
	for i, v := range o.Values {
		if slices.Contains(innerEvents, o.Names[i]) {
			s.add(v, o.Names[i], key, id)
		}
	}
}

// addProse adds the text that an object in a field has, if it is no thought. Another block begins on a line of its own.
func (s *streamedCalls) addProse(o *jsonobj.Object, kind, in, block string) {
	if !slices.Contains(textEvents, kind) || string(o.Value("thought").Raw) == "true" {
		return
	}
	piece := s.text(o, "text")
	if kind != "" {
		piece += s.text(o, "delta")
	} else if in == "delta" || in == "message" {
		piece += s.text(o, "content")
		parts, _ := o.Value("content").Array("") // of Mistral
		for _, part := range parts {
			piece += s.text(objectIn(part), "text")
		}
	}
	if piece != "" {
		if s.prose.Len() > 0 && block != s.block && !strings.HasSuffix(s.prose.String(), "\n") {
			s.prose.WriteByte('\n')
		}
		s.prose.WriteString(piece)
		s.block = block
	}
}

// text returns the text of the first of some fields that has one.
func (s *streamedCalls) text(o *jsonobj.Object, names ...string) (text string) {
	for _, name := range names {
		t, err := o.Text(name)
		s.broken = s.broken || err != nil && o.IsString(name) // half a character
		text = cmp.Or(text, t)
	}
	return text
}

// argumentsIn returns the object with arguments that an object has, which is no value if there is none.
func argumentsIn(o *jsonobj.Object) (v jsonobj.Value) {
	for i, name := range o.Names {
		if o.Values[i].Kind() == '{' && slices.Contains(field.ArgumentNames, name) {
			v = o.Values[i]
		}
	}
	return v
}
