package request

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// An event of a stream is an object that has one of these fields, each with one of the values behind its name, if there
// are any. The APIs are those of Anthropic, OpenAI (Chat Completions, Responses), Bedrock and AG-UI.
var (
	firstEvents = [][]string{
		{"type", "message_start", "content_block_start", "response.created", "response.output_item.added",
			"response.output_item.done", "RUN_STARTED", "TOOL_CALL_START", "TOOL_CALL_CHUNK"},
		{"object", "chat.completion.chunk"}, {"messageStart"}, {"contentBlockStart"},
	}
	lastEvents = [][]string{
		{"type", "message_stop", "response.completed", "RUN_FINISHED", "TOOL_CALL_END"},
		{"finish_reason", "tool_calls", "stop", "function_call"}, {"messageStop"},
	}
	cutOffEvents = [][]string{{"type", "response.incomplete", "response.failed", "RUN_ERROR", "error"}}
)

// isOne reports whether an object has one of some fields with one of their values.
func isOne(of [][]string, o *jsonobj.Object) bool {
	return slices.ContainsFunc(of, func(mark []string) bool {
		s, _ := o.Text(mark[0])
		return o.Has(mark[0]) && (len(mark) == 1 || slices.Contains(mark[1:], s))
	})
}

// readEvents reads the events of a stream that were given whole, as JSON lines or as server-sent events: the pieces of
// each call are put together. It reports whether the request is one.
func readEvents(data []byte) (p plan.Plan, ok bool, err error) {
	if !mayBeEvents(data) || !utf8.Valid(data) {
		return plan.Plan{}, false, nil
	}
	var calls streamedCalls
	var items []jsonobj.Value // of a message of OpenAI's Responses
	begun, r := 0, jsonread.NewRequest([]byte(dataOf(string(data))))
	events, ok := eventsIn(r.Data)
	for i, event := range events {
		if inner := objectIn(event).Value("event"); inner.Kind() == '{' { // Claude Code's
			event = inner
		}
		o := objectIn(event)
		kind, _ := o.Text("type")
		calls.broken = calls.broken || event.Kind() != '{' && !event.IsNull()
		switch {
		case i == 0 && !isOne(firstEvents, o):
			return plan.Plan{}, false, nil
		case slices.Contains(call.ResultTypes, kind):
			return plan.Plan{}, true, plan.Syntax(1, plan.AlreadyMade)
		case kind == "response.output_item.added":
			begun++
		case kind == "response.output_item.done":
			items = append(items, o.Value("item"))
		}
		calls.add(event, "", "")
	}
	cutOff := func(msg string) error {
		line := 1 + bytes.Count(bytes.TrimRight(data, " \t\r\n"), []byte("\n"))
		return plan.CutOff(line, plan.Plan{}, msg)
	}
	switch {
	case len(events) == 0:
		return plan.Plan{}, false, nil
	case !ok || calls.broken:
		err = cutOff("this is no event of the stream: send all of it again")
	case calls.cutOff:
		err = cutOff("the message was cut off or failed, as an event of the stream says: send it again in full")
	case !calls.ended:
		err = cutOff("the stream was cut off: its last event is missing; send all of it again")
	case items != nil && len(items) >= begun: // which say all of it once more, and of every kind of call
		message := jsonobj.NewObject(0).With("output", jsonobj.Value{Raw: []byte("["), Elems: items})
		p, err = call.ReadRequest(r, jsonobj.Value{Raw: []byte("{"), Fields: message}, Parse)
	case calls.choices:
		err = plan.Syntax(1, `"choices" has several alternatives: expected the one to make`)
	case calls.all == nil && calls.text.Len() > 0:
		p, err = Parse(calls.text.String())
	case calls.all == nil:
		err = plan.NoRequest("the stream has no call")
	default:
		all := make([]call.ToolCall, len(calls.all))
		for i, c := range calls.all {
			all[i] = call.ToolCall{Tool: c.tool, Args: jsonobj.OfText(c.pieces.String(), 0)}
		}
		p, err = call.ReadCalls(r, all...)
	}
	return p, true, err
}

// eventsIn returns the values in JSON lines or a list, and whether nothing else follows them.
func eventsIn(data []byte) (events []jsonobj.Value, ok bool) {
	for rest := bytes.TrimSpace(data); len(rest) > 0; {
		v, err := jsonobj.ParseFirst(rest, len(data)-len(rest))
		if err != nil {
			return events, false
		}
		events, rest = append(events, v), bytes.TrimSpace(rest[len(v.Raw):])
	}
	if len(events) == 1 && events[0].Kind() == '[' {
		events, _ = events[0].Array("")
	}
	return events, true
}

// objectIn returns the object that a value is, or else an empty one.
func objectIn(v jsonobj.Value) *jsonobj.Object {
	if o, err := v.Object(""); err == nil {
		return o
	}
	return &jsonobj.Object{}
}

// dataOf returns the data of server-sent events, each at its line.
func dataOf(request string) string {
	var b strings.Builder
	for l := range strings.Lines(request) {
		data, isData := strings.CutPrefix(strings.TrimSpace(l), "data:")
		isOther := !isData && hasAnyPrefix(data, "event:", "id:", ":", "retry:")
		if data = strings.TrimSpace(data); data != "[DONE]" && !isOther {
			b.WriteString(data)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// mayBeEvents reports whether a request has a sign of a first event near its beginning.
func mayBeEvents(data []byte) bool {
	const near = 500
	head := string(data[:min(len(data), near)])
	isHere := func(s string) bool { return strings.Contains(head, `"`+s+`"`) }
	return slices.ContainsFunc(firstEvents, func(mark []string) bool {
		return slices.ContainsFunc(mark[min(1, len(mark)-1):], isHere) // the field, if any value will do
	})
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// streamedCalls are the calls of a stream, as far as it has been read.
type streamedCalls struct {
	ended, cutOff bool
	broken        bool // an event is no object, or has a field twice, or half a character
	choices       bool // there are alternatives
	all           []*streamedCall
	text          strings.Builder // around the calls
}

type streamedCall struct {
	key, id, tool string
	pieces        strings.Builder
}

// add adds what an event, or an object or a list in one, says of calls. Key and id tell the calls apart: not every
// event of a call has its id, and some APIs give all calls of a message one key.
func (s *streamedCalls) add(v jsonobj.Value, key, id string) {
	elems, _ := v.Array("")
	for _, e := range elems {
		s.add(e, key, id)
	}
	o, err := v.Object("")
	if err != nil {
		s.broken = s.broken || v.Kind() == '{'
		return
	}
	s.ended = s.ended || isOne(lastEvents, o)
	s.cutOff = s.cutOff || isOne(cutOffEvents, o) || isOne(call.CutOffReasons, o)
	for _, name := range []string{"index", "output_index", "contentBlockIndex", "toolCallId"} {
		if v := o.Value(name); v.Kind() != 0 {
			key += name + string(v.Raw)
		}
	}
	text := func(name string) string {
		t, err := o.Text(name)
		s.broken = s.broken || err != nil && o.Value(name).Kind() == '"' // half a character
		return t
	}
	kind, tool := text("type"), cmp.Or(text("name"), text("toolCallName"))
	if strings.HasSuffix(kind, ".done") || kind == "response.completed" { // says all of it once more
		return
	}
	choices, _ := o.Value("choices").Array("")
	for i, c := range choices {
		choice := objectIn(c)
		content, _ := objectIn(choice.Value("delta")).Text("content")
		n, _ := choice.Value("index").IntOf("", 0)
		s.choices = s.choices || n > 0 || i > 0
		s.text.WriteString(content)
	}
	if kind == "text_delta" {
		s.text.WriteString(text("text"))
	}
	id = cmp.Or(text("id"), id)
	at := len(s.all) - 1
	for at >= 0 && s.all[at].key != key {
		at--
	}
	if tool != "" && (at < 0 || id != "" && s.all[at].id != id) {
		at, s.all = len(s.all), append(s.all, &streamedCall{key: key, id: id, tool: tool})
	}
	for _, name := range []string{"partial_json", "arguments", "input", "delta"} {
		isText := name == "delta" && !strings.Contains(kind, "arguments") && !strings.Contains(kind, "input") &&
			kind != "TOOL_CALL_ARGS" && kind != "TOOL_CALL_CHUNK"
		if at >= 0 && !isText {
			s.all[at].pieces.WriteString(text(name))
		}
	}
	for _, v := range o.Values {
		if k := v.Kind(); k == '{' || k == '[' {
			s.add(v, key, id)
		}
	}
}
