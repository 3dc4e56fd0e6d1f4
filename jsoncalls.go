package atomicedit

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// readNamedCall reads the call of a tool whose arguments are a JSON object. Its numbers and flags may be strings, as in XML.
func readNamedCall(tool string, args []byte) (Plan, error) {
	v, err := parseJSON(args)
	if err != nil {
		return Plan{}, withPartial(err, args, func(complete []byte) (Plan, error) { return readNamedCall(tool, complete) })
	}
	r := newJSONReader(args)
	r.texts = true
	p, err := readArguments(r, toolCall{tool: tool, args: v}, theRequest, 0)
	if err == nil {
		err = r.problems()
	}
	if err != nil {
		return Plan{}, err
	}
	return p, nil
}

// readCalls reads the calls of a request.
func readCalls(r *jsonRequest, u unpacked) (Plan, error) {
	plans := make([]Plan, len(u.calls))
	for i, c := range u.calls {
		name := theRequest
		if len(u.calls) > 1 {
			name = "call " + strconv.Itoa(i+1)
		}
		p, err := readArguments(r, c, name, 0)
		if err != nil {
			return Plan{}, named(err, name)
		}
		plans[i] = p
	}
	if err := r.problems(); err != nil {
		return Plan{}, err
	}
	return joinCalls(plans)
}

// named returns the refusal of one of several calls with its name in the messages.
func named(err error, name string) error {
	var refusal *Refusal
	if errors.As(err, &refusal) && name != theRequest {
		for i, p := range refusal.Problems {
			if !strings.HasPrefix(p.Msg, name) {
				refusal.Problems[i].Msg = name + ": " + p.Msg
			}
		}
	}
	return err
}

// readArguments reads the arguments of a call: an object, a string that holds one, or a text such as a patch. Messages call the
// object by the given name.
func readArguments(r *jsonRequest, c toolCall, name string, depth int) (Plan, error) {
	switch c.args.Kind() {
	case '{':
		o := c.fields
		if o == nil {
			var err error
			if o, err = r.call(c.args, name); err != nil {
				return Plan{}, err
			}
		}
		o.name = name
		if inner, ok := wrappedCall(o, c); ok && depth < maxWrapped {
			return readArguments(r, inner, name, depth+1)
		}
		t := taskOf(c.tool)
		if t.said != verbView && slices.ContainsFunc(lspFields, o.Has) {
			if edit, ok := lspIn(r, c.args, o); ok {
				p, err := readLSP(r, edit)
				p.DryRun = p.DryRun || t.preview
				return p, err
			}
		}
		return readCall(o, t)
	case '"':
		return readString(r, c, name, depth)
	case '[':
		if o, err := parametersIn(r, c.args, name); o != nil || err != nil {
			if err != nil {
				return Plan{}, err
			}
			return readCall(o, taskOf(c.tool))
		}
	}
	return Plan{}, syntax(r.line(c.args.Offset), "the call of "+quote(c.tool)+" has no arguments: expected an object with the fields of an edit")
}

// maxWrapped is how often arguments may lie in a string or in a field of their own.
const maxWrapped = 3

// wrapped returns the call whose arguments are the only field of the arguments o of a call, but for the name of the same tool.
func wrappedCall(o *jsonObject, c toolCall) (toolCall, bool) {
	set := o.setNames(3)
	if len(set) > 2 {
		return c, false
	}
	at := slices.IndexFunc(set, func(name string) bool { return slices.Contains(argumentNames, name) })
	if at < 0 || len(set) == 2 && !slices.Contains(nameNames, set[1-at]) {
		return c, false
	}
	inner, _ := o.Value(set[at])
	if s, err := inner.Text(); inner.Kind() != '{' && (err != nil || !strings.HasPrefix(strings.TrimSpace(s), "{")) {
		return c, false
	}
	c.args, c.fields = inner, nil
	if len(set) == 2 {
		t := taskOf(c.tool)
		t.takeTool(o)
		c.tool = t.tool
	}
	return c, true
}

// readString reads arguments in a string.
func readString(r *jsonRequest, c toolCall, name string, depth int) (Plan, error) {
	s, err := c.args.Text()
	if err != nil {
		return Plan{}, syntax(r.line(c.args.Offset), err.Error())
	}
	if inner, ok := insideFence(s); ok && strings.HasPrefix(strings.TrimSpace(inner), "{") {
		s = inner
	}
	body := strings.TrimSpace(s)
	switch {
	case body == "":
		return Plan{}, syntax(r.line(c.args.Offset), "the call of "+quote(c.tool)+" has no arguments: expected an object with the fields of an edit")
	case body[0] != '{' && body[0] != '"' || depth >= maxWrapped:
		return readText(s)
	}
	v, err := jsonobj.ParseValue([]byte(s), c.args.Offset)
	if err == nil {
		c.args = v
		return readArguments(r, c, name, depth+1)
	}
	refusal := r.refusal(err)
	if errors.Is(refusal, io.ErrUnexpectedEOF) {
		refusal.Problems[0].Msg = "the arguments of the call were cut off: send it again in full"
		refusal.Partial = partialJSON([]byte(s), func(data []byte) (Plan, error) { return readNamedCall(c.tool, data) })
	}
	return Plan{}, refusal
}
