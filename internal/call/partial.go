package call

import (
	"errors"
	"io"
	"slices"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
)

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
