package call

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// The envelopes that APIs and frameworks put around arguments: Anthropic, OpenAI (Chat Completions, Responses,
// Assistants, Realtime), Gemini, Bedrock, MCP, LangChain, LlamaIndex, Vercel, Ollama, Cohere, and hooks of agents.
var (
	// nameNames are the fields with the name of the tool, beside one of ArgumentNames.
	nameNames = []string{"name", "tool_name", "toolName", "recipient_name", "tool", "function_name", "functionName",
		"next_tool_name", "function", "action", "method"}

	// innerNames are the fields with a call, a message, or a list of them.
	innerNames = []string{"tool_calls", "toolCalls", "function_calls", "functionCalls", "function_call",
		"functionCall", "toolUse", "tool_use", "tool_call", "toolCall", "tool_uses", "invocations", "function",
		"custom", "calls", "invalid_tool_calls", "message", "messages", "choices", "candidates", "output", "outputs",
		"response", "result", "item", "items", "payload", "completion_message", "results", "use_tool",
		"toolInvocation", "tool_invocation", "value", "content", "update", "msg", "returnControl", "invocationInputs",
		"functionInvocationInput", "parts", "content_list", "data", "kwargs", "body", "required_action",
		"submit_tool_outputs", "step_details", "params", "arguments", "input", "args", "parameters", "command",
		"raw_item", "rawItem", "toolUses"}

	// rpcEnvelopes are the methods of JSON-RPC whose parameters have calls, and rpcTools those that are calls
	// themselves: of the Model Context Protocol, the Agent Client Protocol, and codex.
	rpcEnvelopes = []string{"tools/call", "session/update", "session/request_permission"}
	rpcTools     = []string{"fs/write_text_file", "applyPatchApproval"}

	// BesideTypes are the types of what stands beside the calls of a message, and means nothing for them.
	BesideTypes = []string{"text", "output_text", "input_text", "summary_text", "thinking", "redacted_thinking",
		"reasoning", "reasoning_content", "refusal", "image", "image_url", "input_image", "input_file", "document",
		"file", "source", "source-url", "step-start", "web_search_call", "file_search_call", "code_interpreter_call",
		"image_generation_call", "terminal", "server_tool_use", "web_search_tool_result",
		"code_execution_tool_result", "mcp_list_tools", "compaction", "mcp_tool_use", "thought"}

	// thoughtTypes are those of them whose text is not said to anybody.
	thoughtTypes = []string{"summary_text", "thinking", "redacted_thinking", "reasoning", "reasoning_content"}

	// besideFields are the fields of what stands beside the calls, where it has no type.
	besideFields = []string{"text", "thought", "thoughtSignature", "thought_signature", "reasoningContent",
		"inlineData", "inline_data", "executableCode", "codeExecutionResult", "cachePoint", "guardContent", "image",
		"document", "video", "citationsContent"}

	// results are the marks of the result of a call: see MarkIn.
	results = [][]string{
		{"type|part_kind", "TOOL_CALL_RESULT", "tool_result", "tool-result", "function_call_output", "tool-output-*",
			"tool-error", "custom_tool_call_output", "local_shell_call_output", "shell_call_output",
			"apply_patch_call_output", "computer_call_output", "mcp_call", "tool-return"},
		{"role", "tool", "function"},
		{"toolResult|functionResponse|function_response|tool_response|toolResponse"},
	}

	// unmade are the marks of a call that is not to be made now, and what the refusal says of it.
	unmade = []struct {
		say   string
		marks [][]string
	}{
		{"stands beside its result, so it has been made: expected only the calls to make now", [][]string{
			{"output|result|error|errorText|tool_output|toolOutput|tool_response|tool_result|observation"},
			{"is_error", "true"}, {"state", "output-*", "result"}, {"hook_event_name", "Post*", "After*"}}},
		{"is not complete yet: send it in full", [][]string{
			{"partial|is_partial", "true"}, {"is_input_complete", "false"}}},
		{"is not to be made, as it is not approved: send only calls that are approved", [][]string{
			{"approved|isApproved|is_approved|userApproved|user_approved|allowed|accepted|permitted", "false"}}},
		{"is marked as invalid: send it again in full", [][]string{{"invalid", "true"}, {"type", "invalid_tool_call"}}},
	}

	// TypedCalls are the types of calls whose arguments have a name of their own, and the tools that they call.
	TypedCalls = map[string]struct{ tool, arguments string }{
		"apply_patch_call": {"apply_patch", "operation"},
		"local_shell_call": {"shell", "action"},
		"shell_call":       {"shell", "action"},
	}

	// batchNames are the fields with calls in the arguments of a tool that makes several.
	batchNames = []string{"tool_uses", "tool_calls", "invocations"}

	// CutOffReasons are the marks that say why a message was cut off.
	CutOffReasons = [][]string{{"finish_reason|finishReason|stop_reason|stopReason|done_reason|unified", "length",
		"model_length", "max_tokens", "MAX_TOKENS", "content_filter", "content-filter", "content_filtered", "error",
		"ERROR", "ERROR_TOXIC", "TIMEOUT", "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT",
		"SPII", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS",
		"model_context_window_exceeded", "refusal", "out_of_tokens", "guardrail_intervened", "malformed_tool_use",
		"malformed_model_output", "aborted"}}

	// unfinished are those that say that a message or a call is not complete, or is not to be carried out.
	unfinished = [][]string{
		{"incomplete_details|incompleteDetails"},
		{"status", "incomplete", "in_progress", "failed", "cancelled", "rejected"},
		{"approval|permission|decision", "reject", "rejected", "deny", "denied"},
		{"state", "input-streaming", "partial-call"},
	}
)

// A ToolCall is a call in its envelope.
type ToolCall struct {
	Tool, id string
	Args     jsonobj.Value    // as the envelope has it
	fields   *jsonread.Object // of args, nil if they have not been read
}

func (c ToolCall) whole() [2]string { return [2]string{c.Tool, string(c.Args.Raw)} }

// An unpacker collects what an envelope holds.
type unpacker struct {
	*jsonread.Request
	calls  []ToolCall
	prose  []string // beside them
	cutOff string   // the mark that says so, "" if there is none
}

func (u *unpacker) value(v jsonobj.Value, depth int) {
	const deepest = 16
	switch {
	case u.Stopped != nil:
		return
	case depth > deepest:
		u.StopAt(v.Offset, "the calls lie too deep in the request: expected a call, or a list of calls")
		return
	case v.Kind() == '[':
		elems, _ := v.Array(jsonread.TheRequest)
		for _, e := range elems {
			if e.Kind() != '"' || depth == 0 { // otherwise, it is text beside calls
				u.value(e, depth+1)
			}
		}
		return
	}
	if o, err := u.Call(v, jsonread.TheRequest); !u.Stop(err) {
		u.object(o, v, depth)
	}
}

// object adds the calls that the object v, which o reads, holds.
func (u *unpacker) object(o *jsonread.Object, v jsonobj.Value, depth int) {
	inSmallLetters(o)
	kind := cmp.Or(o.Said("type"), o.Said("part_kind"))
	role, method := o.Said("role"), o.Said("method")
	switch {
	case IsResult(&o.Object), o.Said("status") == "completed" && o.IsSet("toolCallId"):
		u.StopAt(o.Offset, plan.AlreadyMade)
		return
	case o.IsSet("jsonrpc") && !slices.Contains(rpcEnvelopes, method) && !slices.Contains(rpcTools, method):
		u.StopAt(o.Offset, "the method "+plan.Excerpt(method)+" is not a call of a tool: expected \"tools/call\"")
		return
	case slices.Contains(BesideTypes, kind) && !o.IsNamed(field.PathField),
		len(o.Names) > 0 && depth > 1 && !slices.ContainsFunc(o.Names, func(name string) bool {
			return !slices.Contains(besideFields, name)
		}):
		if !slices.Contains(thoughtTypes, kind) && !o.IsTrue("thought") {
			u.takeProse(o, "text")
		}
		return
	}
	u.cutOff = cutOffMark(o, u.cutOff)
	itself := ToolCall{Args: v, fields: o}
	call, ok := callIn(o, kind)
	if !ok {
		call, ok = callByKey(o)
	}
	isEntry := o.IsNamed(field.PathField) ||
		o.IsNamed(field.ByNameField) && ModeVerbs.Get()[field.NormalName(kind)] != 0
	switch {
	case ok:
		u.calls = append(u.calls, call)
	case isEntry && role == "":
		u.calls = append(u.calls, itself)
	default:
		u.inner(o, itself, role != "", depth)
	}
}

// inner adds the calls in the fields of an envelope. A call that is in several of them, as frameworks have it, counts
// once. An object without such fields is the arguments of a call, unless it is in a message.
func (u *unpacker) inner(o *jsonread.Object, itself ToolCall, isMessage bool, depth int) {
	before := len(u.calls)
	known := map[[2]string]bool{} // the calls so far: their ids, and their tools with their arguments
	isKnown := func(c ToolCall) bool { return known[c.whole()] || c.id != "" && known[[2]string{c.id}] }
	for _, name := range innerNames {
		inner := o.Value(name)
		if kind := inner.Kind(); kind != '[' && kind != '{' || name == "command" && kind != '{' {
			continue
		}
		isArguments := slices.Contains(field.ArgumentNames, name)
		if isArguments && isMessage {
			continue
		}
		isMessage = true
		from := len(u.calls)
		switch batch, err := inner.Object(name); {
		case err == nil && isArguments && name != "params" && !slices.ContainsFunc(batchNames, batch.Has):
			refuseBeside(o, name)
			u.calls = append(u.calls, ToolCall{Tool: verbBeside(o), Args: inner})
		case name == "choices", name == "candidates":
			u.choices(inner, name, depth)
		default:
			u.value(inner, depth+2)
		}
		u.calls = append(u.calls[:from], slices.DeleteFunc(u.calls[from:], isKnown)...)
		for _, c := range u.calls[from:] {
			known[c.whole()], known[[2]string{c.id}] = true, true
		}
	}
	if len(u.calls) > before && o.Flag(field.DryRunField) {
		o.Failf("%q stands beside the call: expected it inside its arguments", o.Find(field.DryRunField))
	}
	switch {
	case isMessage:
		u.takeProse(o, "content")
	case depth > 1:
		u.StopAt(o.Offset, "a part of the message is of no known kind, as it has "+o.FieldNames()+
			": expected calls with \"name\" and \"arguments\" or \"input\"")
	default:
		u.calls = append(u.calls, itself)
	}
}

// choices adds the calls in a list of alternatives. Only one of them may have any.
func (u *unpacker) choices(list jsonobj.Value, name string, depth int) {
	choices, _ := list.Array("") // no other value has any
	withCalls := 0
	for _, c := range choices {
		before := len(u.calls)
		if u.value(c, depth+2); len(u.calls) > before {
			withCalls++
		}
	}
	if withCalls > 1 {
		u.StopAt(list.Offset, "\""+name+"\" has several alternatives with calls: expected the one to make")
	}
}

func callIn(o *jsonread.Object, kind string) (ToolCall, bool) {
	id := cmp.Or(o.Said("tool_call_id"), o.Said("toolCallId"), o.Said("toolUseId"), o.Said("call_id"), o.Said("id"))
	if typed, ok := TypedCalls[kind]; ok && o.IsSet(typed.arguments) {
		return ToolCall{Tool: typed.tool, id: id, Args: o.Value(typed.arguments)}, true
	}
	tool, ok := strings.CutPrefix(kind, "tool-") // a part of a Vercel message
	if !ok || tool == "call" {
		at := slices.IndexFunc(nameNames, func(name string) bool { return o.IsString(name) && mayNameTool(o, name) })
		if at < 0 {
			return ToolCall{}, false
		}
		tool = o.Said(nameNames[at])
	}
	for _, name := range field.ArgumentNames {
		if args := o.Value(name); args.Kind() != 0 {
			if batch, err := args.Object(""); err == nil && slices.ContainsFunc(batchNames, batch.Has) {
				return ToolCall{}, false
			}
			refuseBeside(o, name)
			refuseMade(o, tool)
			return ToolCall{Tool: tool, id: id, Args: args}, true
		}
	}
	return ToolCall{}, false
}

// mayNameTool reports whether a field that holds something else in some envelopes has the name of a tool in o.
func mayNameTool(o *jsonread.Object, name string) bool {
	switch name {
	case "action":
		return o.Has("action_input")
	case "method":
		method := o.Said(name)
		isTool := !slices.Contains(rpcEnvelopes, method) && (!o.Has("jsonrpc") || slices.Contains(rpcTools, method))
		return o.Has("params") && isTool && !slices.ContainsFunc(nameNames[:3], func(inner string) bool {
			in, err := o.Value("params").Object("params")
			return err == nil && in.Has(inner)
		})
	}
	return true
}

// verbBeside returns what stands beside unnamed arguments and says what to do with them, "" if nothing does.
func verbBeside(o *jsonread.Object) string {
	for i, means := range o.Means {
		if v := o.Values[i]; means&field.ModeField != 0 && v.Kind() == '"' {
			if says, _ := v.Text(); TaskOf(says).said != noVerb {
				return says
			}
		}
	}
	return ""
}

// refuseMade records that a call has been made, or is not to be made.
func refuseMade(o *jsonread.Object, tool string) {
	approval, err := o.Value("approval").Object("") // Vercel's
	for _, row := range unmade {
		if MarkIn(&o.Object, row.marks) != "" || err == nil && MarkIn(approval, row.marks) != "" {
			o.Failf("the call of %s %s", plan.Excerpt(tool), row.say)
		}
	}
}

// refuseBeside records a field that has a meaning in arguments, or may have one, but stands beside them.
func refuseBeside(o *jsonread.Object, arguments string) {
	fields := field.OldField | field.EditsField | field.AllField | field.DryRunField | field.OverwriteField |
		field.AppendField
	if !o.Has("hook_event_name") { // hooks tell where the session runs
		fields |= field.PathField | field.CwdField
	}
	for rest := fields & o.Set; rest != 0; rest &= rest - 1 {
		if f := rest & -rest; o.Find(f) != arguments {
			o.Failf("%q stands beside %q: expected it inside", o.Find(f), arguments)
			return
		}
	}
	for i, name := range o.Names {
		value, _ := o.Values[i].Word()
		if isTrue := strings.EqualFold(value, "true") || o.Values[i].Kind() == 't'; isTrue &&
			!slices.Contains(trueBeside, field.NormalName(name)) && !field.MeaningOf(name).Harmless {
			o.Failf("%q stands beside %q, and could change what is meant: leave it out, or put it inside", name,
				arguments)
			return
		}
	}
}

// cutOffMark returns the mark of o that says that a message was cut off, or else the one that was found before.
func cutOffMark(o *jsonread.Object, before string) string {
	if o.Value("error").Kind() == '{' && !slices.ContainsFunc(field.ArgumentNames, o.IsSet) {
		return "\"error\""
	}
	return cmp.Or(MarkIn(&o.Object, CutOffReasons), MarkIn(&o.Object, unfinished), before)
}

// IsResult reports whether an object is the result of a call.
func IsResult(o *jsonobj.Object) bool { return MarkIn(o, results) != "" }

// MarkIn returns the first of some marks that an object has, as the object writes it; "" if there is none. A mark is
// one of some fields, with "|" between them, that is not null and has one of the values behind them, if there are any.
// A "*" stands for any end of a value.
func MarkIn(o *jsonobj.Object, marks [][]string) string {
	for _, mark := range marks {
		for name := range strings.SplitSeq(mark[0], "|") {
			s, err := o.Text(name)
			if err != nil {
				s = string(o.Value(name).Raw) // true, for instance
			}
			is := func(value string) bool {
				begin, isBegin := strings.CutSuffix(value, "*")
				return s == value || isBegin && strings.HasPrefix(s, begin)
			}
			switch {
			case !o.IsSet(name):
			case len(mark) == 1:
				return strconv.Quote(name)
			case slices.ContainsFunc(mark[1:], is):
				return strconv.Quote(name) + ": " + string(o.Value(name).Raw)
			}
		}
	}
	return ""
}

// takeProse adds the text in a field of o, unless it is not of the model.
func (u *unpacker) takeProse(o *jsonread.Object, name string) {
	if slices.Contains([]string{"user", "system", "developer"}, o.Said("role")) {
		return
	}
	if s := o.Said(name); s != "" {
		u.prose = append(u.prose, s)
	}
}

// callByKey returns the call that o is if its only field is the name of a tool.
func callByKey(o *jsonread.Object) (ToolCall, bool) {
	set := o.SetNames(2)
	if len(set) != 1 || o.IsNamed(field.ByNameField) || slices.Contains(innerNames, set[0]) ||
		slices.Contains(field.ArgumentNames, set[0]) {
		return ToolCall{}, false
	}
	args := o.Value(set[0])
	isText := args.Kind() == '"' && field.MeaningOf(set[0]).Fields == 0
	if args.Kind() != '{' && !isText || TaskOf(set[0]).said == noVerb {
		return ToolCall{}, false
	}
	return ToolCall{Tool: set[0], Args: args}, true
}

// trueBeside are the flags that may be set beside arguments without a meaning for them, normalised.
var trueBeside = []string{"strict", "dynamic", "iscomplete", "complete", "isinputcomplete", "approved", "isapproved",
	"autoapproved", "userapproved", "valid", "isvalid", "enabled", "last", "islast", "final", "isfinal", "async",
	"isasync", "parallel", "invalid", "partial", "ispartial", "iserror"}

// envelopeNames has the fields of envelopes by their names in small letters.
var envelopeNames = field.Table[map[string]string]{Make: func() map[string]string {
	all := map[string]string{}
	others := []string{"type", "role", "id", "status", "state", "finish_reason", "stop_reason", "error"}
	for _, name := range slices.Concat(nameNames, field.ArgumentNames, innerNames, others) {
		if all[field.NormalName(name)] == "" {
			all[field.NormalName(name)] = name
		}
	}
	return all
}}

// inSmallLetters gives the fields of envelopes the names that they have elsewhere, such as "name" for "Name".
func inSmallLetters(o *jsonread.Object) {
	for i, name := range o.Names {
		if name == "" || name[0] < 'A' || name[0] > 'Z' {
			continue
		}
		if as := envelopeNames.Get()[field.NormalName(name)]; as != "" && !o.Has(as) {
			o.Rename(i, as)
		}
	}
}
