// Package call turns the calls of editing tools into plans. In come JSON, as a call, its arguments, or an envelope of
// an API around them, and calls in tags; out comes a plan, or a refusal that says what to send instead. It also has the
// tools of the module, with the schemas that models are shown.
package call

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/lsp"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// ParseJSON is ParseJSON, where readProse reads the text of a message without calls.
func ParseJSON(data []byte, readProse proseParser) (plan.Plan, error) {
	values, err := jsonread.ParseValues(data)
	if err != nil {
		return plan.Plan{}, WithPartial(err, data, func(data []byte) (plan.Plan, error) {
			return ParseJSON(data, readProse)
		})
	}
	r := jsonread.NewRequest(data)
	plans := make([]plan.Plan, len(values))
	for i, v := range values {
		if plans[i], err = ReadRequest(r, v, readProse); err != nil {
			return plan.Plan{}, err
		}
	}
	return plan.Join(plans)
}

// A proseParser reads a request in any format, in the text of a message.
type proseParser func(text string) (plan.Plan, error)

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

// readEnvelope reads a call, or an envelope with calls. If v is an object, o reads it.
func readEnvelope(r *jsonread.Request, v jsonobj.Value, o *jsonread.Object, readProse proseParser) (plan.Plan, error) {
	u := unpacker{Request: r}
	if o != nil {
		u.object(o, v, 0)
	} else {
		u.value(v, 0)
	}
	if err := r.Stopped(); err != nil {
		return plan.Plan{}, err
	}
	p, err := u.plan(readProse)
	if u.cutOff != "" {
		return plan.Plan{}, plan.CutOff(1, p,
			"the message was cut off or failed, as "+u.cutOff+" says: send it again in full")
	}
	return p, err
}

// plan reads the calls of an envelope. If there is none, it reads the text that stands in their place.
func (u *unpacker) plan(readProse proseParser) (plan.Plan, error) {
	if len(u.calls) > 0 || len(u.Found) > 0 {
		return ReadCalls(u.Request, u.calls...)
	}
	if p, err := readProse(strings.Join(u.prose, "\n")); err == nil {
		return p, nil
	}
	return plan.Plan{}, plan.NoRequest(
		"there is no call in the request: expected a call with \"name\" and \"arguments\" or \"input\"")
}

// WithPartial gives the refusal of a request that was cut off its [Refusal].Partial. Other errors stay as they are.
func WithPartial(err error, data []byte, parse func([]byte) (plan.Plan, error)) error {
	var r *plan.Refusal
	if errors.As(err, &r) && errors.Is(err, io.ErrUnexpectedEOF) {
		r.Partial = partialJSON(data, parse)
	}
	return err
}

// partialJSON returns the part of a plan that is complete in a request that was cut off: up to the last complete
// element of an array, or up to the last complete section or block of a patch or blocks in a string.
func partialJSON(data []byte, parse func([]byte) (plan.Plan, error)) plan.Plan {
	closed, last := jsonobj.Close(data)
	if closed == nil {
		return plan.Plan{}
	}
	p, err := parse(closed)
	if last == "" {
		if err != nil {
			return plan.Plan{}
		}
		return p
	}
	o, notObject := jsonread.NewRequest(closed).Call(jsonobj.Value{Raw: closed}, jsonread.TheRequest)
	if notObject != nil {
		return plan.Plan{}
	}
	return partialText(o, last, p, err)
}

// partialText returns the part of the plan of a call that is complete in its last field, a text that was cut off. What
// came of reading the call as if the text were complete is p and err.
func partialText(o *jsonread.Object, last string, p plan.Plan, err error) plan.Plan {
	if field.MeaningOf(last).Fields&(field.PatchField|field.BlocksField) == 0 &&
		!slices.Contains(field.ArgumentNames, last) {
		return plan.Plan{}
	}
	content, _ := o.Text(last)
	var inner *plan.Refusal
	switch {
	case errors.As(err, &inner):
		p = inner.Partial
	case len(p.Ops) > 0 && p.Ops[0].Overwrite, textFormat(content) != marker.Blocks && !marker.HasPatchBegin(content):
		return plan.Plan{} // a whole file, or chunks: nothing marks their end
	}
	file, _ := o.Text(o.Find(field.PathField))
	return p.ForFile(file)
}
