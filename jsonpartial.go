package atomicedit

import (
	"errors"
	"io"
	"slices"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// withPartial gives the refusal of a request that was cut off its [Refusal].Partial. Other errors stay as they are.
func withPartial(err error, data []byte, parse func([]byte) (Plan, error)) error {
	var r *Refusal
	if errors.As(err, &r) && errors.Is(err, io.ErrUnexpectedEOF) {
		r.Partial = partialJSON(data, parse)
	}
	return err
}

// partialJSON returns the part of a plan that is complete in a request that was cut off: up to the last complete element of
// an array, or up to the last complete section or block of a patch or blocks in a string.
func partialJSON(data []byte, parse func([]byte) (Plan, error)) Plan {
	closed, last := jsonobj.Close(data)
	if closed == nil {
		return Plan{}
	}
	v, err := jsonobj.Parse(closed, theRequest)
	if err != nil {
		return Plan{}
	}
	p, err := parse(closed)
	if last == "" {
		if err != nil {
			return Plan{}
		}
		return p
	}
	o, notObject := newJSONReader(closed).call(v, theRequest)
	if notObject != nil {
		return Plan{}
	}
	return partialText(o, last, p, err)
}

// partialText returns the part of the plan of a call that is complete in its last field, a text that was cut off. What came of reading the
// call as if the text were complete is p and err.
func partialText(o *jsonObject, last string, p Plan, err error) Plan {
	if meaningOf(last).fields&(patchField|blocksField) == 0 && !slices.Contains(argumentNames, last) {
		return Plan{}
	}
	content, _ := o.Text(last)
	var inner *Refusal
	switch {
	case errors.As(err, &inner):
		p = inner.Partial
	case len(p.Ops) > 0 && p.Ops[0].Overwrite, textFormat(content) != formatBlocks && !hasPatchBegin(content):
		return Plan{} // a whole file, or chunks: nothing marks their end
	}
	file, _ := o.Text(o.find(pathField))
	return p.ForFile(file)
}
