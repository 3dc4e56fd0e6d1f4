// Package call turns the calls of editing tools, in JSON or as tags, with or without an envelope of an API around them,
// into plans, or refusals that say what to send instead. It also has our own tools, with the schemas that models see.
package call

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/lsp"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// ReadNamedCall reads the call of a tool whose arguments are JSON. Numbers and flags may be strings, as in XML.
func ReadNamedCall(tool string, args []byte) (plan.Plan, error) {
	args = bytes.TrimPrefix(args, []byte(text.ByteOrderMark))
	v, err := jsonread.ParseJSON(args)
	if err != nil {
		if isText(string(args)) {
			v, err = jsonobj.OfText(string(args), 0), nil
		} else if inner := objectInProse(args); inner != nil {
			args = inner
			v, err = jsonread.ParseJSON(args)
		}
	}
	if err != nil {
		return plan.Plan{}, WithPartial(err, args, ReaderOf(tool, nil))
	}
	r := &jsonread.Request{Data: args, Texts: true}
	return ReadCalls(r, ToolCall{Tool: tool, Args: v})
}

// objectInProse returns what is from the first brace to the last in arguments that begin with prose or a code fence.
func objectInProse(args []byte) []byte {
	from, to := bytes.IndexByte(args, '{'), bytes.LastIndexByte(args, '}')+1
	prose := string(args[:max(from, 0)])
	if text.IsBlankText(prose) || to < from || strings.ContainsAny(prose, `["`) ||
		marker.OnlyProse(prose, [2]int{0, from}, marker.Tags) != nil {
		return nil
	}
	return args[from:to]
}

// isText reports whether arguments are a text such as a patch.
func isText(args string) bool {
	begin := strings.TrimSpace(args)
	formats := []marker.Format{marker.Blocks, marker.V4A, marker.Unified, marker.Hashline}
	return begin != "" && !strings.Contains(`{["`, begin[:1]) && slices.Contains(formats, textFormat(args))
}

func ReadCalls(r *jsonread.Request, calls ...ToolCall) (plan.Plan, error) {
	plans := make([]plan.Plan, len(calls))
	for i, c := range calls {
		name := jsonread.TheRequest
		if len(calls) > 1 {
			name = "call " + strconv.Itoa(i+1)
		}
		plans[i] = readArguments(r, c, name, 0)
		if err := r.Stopped; err != nil {
			return plan.Plan{}, named(err, name)
		}
	}
	if err := r.Problems(); err != nil {
		return plan.Plan{}, err
	}
	return plan.Join(plans)
}

// named returns the refusal of one of several calls with its name in the messages.
func named(err error, name string) error {
	var refusal *plan.Refusal
	if errors.As(err, &refusal) && name != jsonread.TheRequest {
		for i, p := range refusal.Problems {
			if !strings.HasPrefix(p.Msg, name) {
				refusal.Problems[i].Msg = name + ": " + p.Msg
			}
		}
	}
	return err
}

// readArguments reads the arguments of a call: an object, a string that holds one, or a text such as a patch.
func readArguments(r *jsonread.Request, c ToolCall, name string, depth int) plan.Plan {
	switch c.Args.Kind() {
	case '{':
		o := c.fields
		if o == nil {
			var err error
			if o, err = r.Call(c.Args, name); r.Stop(err) {
				return plan.Plan{}
			}
		}
		o.Name = name
		if inner, ok := wrappedCall(o, c); ok && depth < maxWrapped {
			return readArguments(r, inner, name, depth+1)
		}
		t := TaskOf(c.Tool)
		if t.said != VerbView && slices.ContainsFunc(lsp.Fields, o.Has) {
			if edit, ok := lsp.In(r, c.Args, o); ok {
				p, err := lsp.Read(r, edit)
				r.Stop(err)
				p.DryRun = p.DryRun || t.preview
				return p
			}
		}
		return ReadCall(o, t)
	case '"':
		return readString(r, c, name, depth)
	case '[':
		if o := parametersIn(r, c.Args, name); o != nil {
			return ReadCall(o, TaskOf(c.Tool))
		}
		all, _ := c.Args.Array(name)
		isOther := func(args jsonobj.Value) bool { return !AsksForEdit(c.Tool, args) }
		if len(all) > 0 && r.Stopped == nil && !slices.ContainsFunc(all, isOther) {
			plans := make([]plan.Plan, len(all))
			for i, args := range all {
				plans[i] = readArguments(r, ToolCall{Tool: c.Tool, Args: args}, "call "+strconv.Itoa(i+1), depth+1)
			}
			return joined(r, plans)
		}
	}
	r.Stop(NoArguments(r, c.Args.Offset, c.Tool))
	return plan.Plan{}
}

// AsksForEdit reports whether a call is of a tool that edits files, and its arguments name a file or a patch.
func AsksForEdit(tool string, args jsonobj.Value) bool {
	o, err := args.Object(jsonread.TheRequest)
	names := func(name string) bool {
		return field.MeaningOf(name).Fields&(field.PathField|field.FilesField|field.PatchField) != 0
	}
	said := TaskOf(tool).said
	isEdit := said != noVerb && said != VerbView && said != VerbRun
	return err == nil && isEdit && slices.ContainsFunc(o.Names, names)
}

// ChangesAPart reports whether the name of a tool says that it changes a part of a file.
func ChangesAPart(tool string) bool { return TaskOf(tool).said.has(VerbEdit | VerbInsert | VerbAppend) }

// NoArguments refuses a call of a tool at an offset.
func NoArguments(r *jsonread.Request, offset int, tool string) error {
	return plan.Syntax(r.Line(offset),
		"the call of "+plan.Excerpt(tool)+" has no arguments: expected an object with the fields of an edit")
}

// maxWrapped is how often arguments may lie in a string or in a field of their own.
const maxWrapped = 3

// wrappedCall returns the call that a field of the arguments o holds beside nothing but the name of the same tool.
func wrappedCall(o *jsonread.Object, c ToolCall) (ToolCall, bool) {
	args, named := "", false
	for i, name := range o.Names {
		m := field.MeaningOf(name)
		switch {
		case o.Values[i].IsNull(), m.Harmless && len(m.Values) == 0, name == "type":
		case args == "" && (slices.Contains(field.ArgumentNames, name) ||
			(name == "function" || name == "payload") && o.Values[i].Kind() == '{'):
			args = name
		case slices.Contains(nameNames, name):
			named = true
		default:
			return c, false
		}
	}
	inner := o.Value(args)
	if s, err := inner.Text(); inner.Kind() != '{' && (err != nil || !strings.HasPrefix(strings.TrimSpace(s), "{")) {
		return c, false
	}
	c.Args, c.fields = inner, nil
	if named {
		t := TaskOf(c.Tool)
		t.takeTool(o)
		c.Tool = t.tool
	}
	return c, true
}

func readString(r *jsonread.Request, c ToolCall, name string, depth int) (p plan.Plan) {
	s, _ := c.Args.Text() // it is one
	if inner, ok := marker.InsideFences(s); ok && strings.HasPrefix(strings.TrimSpace(inner), "{") {
		s = inner
	}
	body := strings.TrimSpace(s)
	switch {
	case body == "":
		r.Stop(NoArguments(r, c.Args.Offset, c.Tool))
		return p
	case TaskOf(c.Tool).said == VerbView:
		r.StopAt(c.Args.Offset, noEdit(c.Tool))
		return p
	case body[0] != '{' && body[0] != '"' || depth >= maxWrapped:
		p, err := readText(s)
		r.Stop(err)
		return p
	}
	v, err := jsonobj.ParseValue([]byte(s), c.Args.Offset)
	if err == nil {
		c.Args = v
		return readArguments(r, c, name, depth+1)
	}
	refusal := r.Refusal(err)
	if errors.Is(refusal, io.ErrUnexpectedEOF) {
		refusal.Problems[0].Msg = "the arguments of the call were cut off: send it again in full"
		refusal.Partial = partialJSON([]byte(s), ReaderOf(c.Tool, nil))
	}
	r.Stop(refusal)
	return p
}

// ReadRequests reads the values that a request has, one after the other. ReadProse reads the text of a message without
// calls.
func ReadRequests(r *jsonread.Request, values []jsonobj.Value, readProse proseParser) (plan.Plan, error) {
	plans := make([]plan.Plan, len(values))
	var none error
	for i, v := range values {
		p, err := ReadRequest(r, v, readProse)
		var bad *plan.Refusal
		switch plans[i] = p; {
		case err == nil:
		case errors.As(err, &bad) && bad.Problems[0].Msg == noCall: // as at the end of a stream
			none = err
		default:
			return plan.Plan{}, err
		}
	}
	if p, err := plan.Join(plans); err != nil || len(p.Ops) > 0 {
		return p, err
	}
	return plan.Plan{}, none
}

const noCall = "there is no call in the request: expected a call with \"name\" and \"arguments\" or \"input\""

// A proseParser reads a request in any format, in the text of a message: nil where there can be no message.
type proseParser func(text string) (plan.Plan, error)

// A reader reads a request that is one value.
type reader func(r *jsonread.Request, v jsonobj.Value) (plan.Plan, error)

// ReaderOf returns the reader of the arguments of a tool, or of any request if its name is "".
func ReaderOf(tool string, readProse proseParser) reader {
	return func(r *jsonread.Request, v jsonobj.Value) (plan.Plan, error) {
		if tool == "" {
			return ReadRequest(r, v, readProse)
		}
		return ReadCalls(r, ToolCall{Tool: tool, Args: v})
	}
}

// ReadRequest reads a change of a language server, a plan, a call, or an envelope with calls.
func ReadRequest(r *jsonread.Request, v jsonobj.Value, readProse proseParser) (plan.Plan, error) {
	if v.Kind() == '[' {
		if edit, ok := lsp.InList(r, v); ok {
			return lsp.Read(r, edit)
		}
		return readEnvelope(r, v, nil, readProse)
	}
	o, err := r.Call(v, jsonread.TheRequest)
	if err != nil {
		return plan.Plan{}, err
	}
	if edit, ok := lsp.In(r, v, o); ok {
		return lsp.Read(r, edit)
	}
	if p, ok := readPlan(v, &o.Object); ok {
		return p, nil
	}
	return readEnvelope(r, v, o, readProse)
}

// readEnvelope reads a call or an envelope v, which o reads if it is an object, or else the calls in its prose.
func readEnvelope(r *jsonread.Request, v jsonobj.Value, o *jsonread.Object, readProse proseParser) (plan.Plan, error) {
	u := unpacker{Request: r}
	if o != nil {
		u.object(o, v, 0)
	} else {
		u.value(v, 0)
	}
	if err := r.Stopped; err != nil {
		return plan.Plan{}, err
	}
	p, err := plan.Plan{}, error(plan.NoRequest(noCall))
	if len(u.calls) > 0 || len(u.Found) > 0 {
		p, err = ReadCalls(u.Request, u.calls...)
	} else if readProse != nil {
		if prose, bad := readProse(strings.Join(u.prose, "\n")); bad == nil {
			p, err = prose, nil
		}
	}
	if u.cutOff != "" {
		return plan.Plan{}, plan.CutOff(1, p,
			"the message was cut off or failed, as "+u.cutOff+" says: send it again in full")
	}
	return p, err
}

// WithPartial gives the refusal of a request that was cut off its [Refusal].Partial. Other errors stay as they are.
func WithPartial(err error, data []byte, read reader) error {
	var r *plan.Refusal
	if errors.As(err, &r) && errors.Is(err, io.ErrUnexpectedEOF) {
		r.Partial = partialJSON(data, read)
	}
	return err
}

// partialJSON returns the part of a plan that is complete in a request that was cut off: up to the last complete
// element of an array, or up to the last complete section or block of a patch or blocks in a string.
func partialJSON(data []byte, read reader) plan.Plan {
	v, last := jsonobj.Close(data)
	if v.Kind() == 0 {
		return plan.Plan{}
	}
	r := jsonread.NewRequest(data)
	p, err := read(r, v)
	if last == "" {
		return p
	}
	o, _ := r.Call(v, jsonread.TheRequest) // it is an object, as it has a last field
	return partialText(o, last, p, err)
}

// partialText returns what is complete of a call that was cut off in its last field, a text. All of it is p and err.
func partialText(o *jsonread.Object, last string, p plan.Plan, err error) plan.Plan {
	if field.MeaningOf(last).Fields&(field.PatchField|field.BlocksField) == 0 &&
		!slices.Contains(field.ArgumentNames, last) {
		return plan.Plan{}
	}
	content := o.Said(last)
	var inner *plan.Refusal
	switch {
	case errors.As(err, &inner):
		p = inner.Partial
	case len(p.Ops) > 0 && p.Ops[0].Overwrite, textFormat(content) != marker.Blocks && !marker.HasPatchBegin(content):
		return plan.Plan{} // a whole file, or chunks: nothing marks their end
	}
	return p.ForFile(o.Said(o.Find(field.PathField)))
}
