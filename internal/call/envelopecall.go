package call

import (
	"slices"
	"strings"
	"sync"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// A callSet finds calls that are one: they have the same id, or the same tool and arguments.
type callSet map[[2]string]bool

func (c ToolCall) whole() [2]string { return [2]string{c.Tool, string(c.Args.Raw)} }

func (s callSet) add(calls []ToolCall) {
	for _, c := range calls {
		s[c.whole()], s[[2]string{c.id}] = true, true
	}
}

func (s callSet) has(c ToolCall) bool { return s[c.whole()] || c.id != "" && s[[2]string{c.id}] }

// callIn returns the call that o is.
func callIn(o *jsonread.Object, kind string) (ToolCall, bool) {
	id := ""
	for _, name := range []string{"tool_call_id", "toolCallId", "toolUseId", "call_id", "id"} {
		if id == "" {
			id, _ = o.Text(name)
		}
	}
	if typed, ok := TypedCalls[kind]; ok && o.IsSet(typed.arguments) {
		return ToolCall{Tool: typed.tool, id: id, Args: o.Value(typed.arguments)}, true
	}
	tool, ok := strings.CutPrefix(kind, "tool-") // a part of a Vercel message
	if !ok || tool == "call" {
		at := slices.IndexFunc(nameNames, func(name string) bool { return o.IsString(name) && mayNameTool(o, name) })
		if at < 0 {
			return ToolCall{}, false
		}
		tool, _ = o.Text(nameNames[at])
	}
	for _, name := range field.ArgumentNames {
		if args := o.Value(name); args.Kind() != 0 {
			if batch, err := args.Object(""); err == nil && slices.ContainsFunc(batchNames, batch.Has) {
				return ToolCall{}, false
			}
			refuseBeside(o, name)
			refuseMade(o, kind, tool)
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
		method, _ := o.Text(name)
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

// refuseMade records that a call has been made, or is not complete.
func refuseMade(o *jsonread.Object, kind, tool string) {
	state, _ := o.Text("state")
	event, _ := o.Text("hook_event_name")
	if slices.ContainsFunc(resultMarks, o.IsSet) || o.IsTrue("is_error") || slices.Contains(resultStates, state) ||
		strings.HasPrefix(event, "Post") || strings.HasPrefix(event, "After") {
		o.Failf("the call of %s stands beside its result, so it has been made: expected only the calls to make now",
			plan.Excerpt(tool))
	}
	if o.IsTrue("partial") || o.IsTrue("is_partial") || o.IsFalse("is_input_complete") {
		o.Failf("the call of %s is not complete yet: send it in full", plan.Excerpt(tool))
	}
	isFalse := o.IsFalse
	if in, err := o.Value("approval").Object(kind); err == nil { // Vercel's
		isFalse = func(name string) bool { return o.IsFalse(name) || string(in.Value(name).Raw) == "false" }
	}
	if at := slices.IndexFunc(approvals, isFalse); at >= 0 {
		o.Failf("the call of %s is not to be made, as %q says: send only calls that are approved",
			plan.Excerpt(tool), approvals[at])
	}
	if o.IsTrue("invalid") || kind == "invalid_tool_call" {
		o.Failf("the call of %s is marked as invalid: send it again in full", plan.Excerpt(tool))
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
	for _, name := range []string{"incomplete_details", "incompleteDetails"} {
		if o.IsSet(name) {
			return "\"" + name + "\""
		}
	}
	if o.Value("error").Kind() == '{' && !slices.ContainsFunc(field.ArgumentNames, o.IsSet) {
		return "\"error\""
	}
	for _, mark := range cutOffMarks {
		if value, _ := o.Text(mark[0]); slices.Contains(mark[1:], value) {
			return "\"" + mark[0] + "\": \"" + value + "\""
		}
	}
	return before
}

// takeProse adds the text in a field of o, unless it is not of the model.
func (u *unpacker) takeProse(o *jsonread.Object, name string) {
	if role, _ := o.Text("role"); slices.Contains([]string{"user", "system", "developer"}, role) {
		return
	}
	if s, _ := o.Text(name); s != "" {
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
var envelopeNames = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	others := []string{"type", "role", "id", "status", "state", "finish_reason", "stop_reason", "error"}
	for _, name := range slices.Concat(nameNames, field.ArgumentNames, innerNames, others) {
		if all[field.NormalName(name)] == "" {
			all[field.NormalName(name)] = name
		}
	}
	return all
})

// inSmallLetters gives the fields of envelopes the names that they have elsewhere, such as "name" for "Name".
func inSmallLetters(o *jsonread.Object) {
	for i, name := range o.Names {
		if name == "" || name[0] < 'A' || name[0] > 'Z' {
			continue
		}
		if as := envelopeNames()[field.NormalName(name)]; as != "" && !o.Has(as) {
			o.Rename(i, as)
		}
	}
}
