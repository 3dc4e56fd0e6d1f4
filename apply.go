package atomicedit

import (
	"bytes"
	"io/fs"
)

// Interim: exact, unique, in sequence. The placing rooms replace this file.

// Apply applies edits to src.
func Apply(src []byte, edits []Edit, o *Options) (*Result, error) {
	text, all := src, []Match(nil)
	for i, e := range edits {
		if e.Old == "" || e.Old == e.New {
			return nil, refuse(Problem{Err: ErrNoChange, Op: 0, Edit: i, Msg: "interim"})
		}
		at := bytes.Index(text, []byte(e.Old))
		if at < 0 {
			return nil, refuse(Problem{Err: ErrNotFound, Op: 0, Edit: i, Msg: "the old text is not there"})
		}
		if bytes.Contains(text[at+1:], []byte(e.Old)) {
			return nil, refuse(Problem{Err: ErrAmbiguous, Op: 0, Edit: i, Msg: "the old text is there more than once"})
		}
		next := append(append(append([]byte(nil), text[:at]...), e.New...), text[at+len(e.Old):]...)
		m := Match{Edit: i, Fit: Exact, Old: spanOf(text, at, at+len(e.Old)), New: spanOf(next, at, at+len(e.New))}
		all, text = compose(all, []Match{m}), next
	}
	return &Result{Text: text, Matches: all}, nil
}

// Apply applies a plan that edits or creates one file to its text.
func (p Plan) Apply(src []byte, o *Options) (*Result, error) {
	res := &Result{Text: src}
	for i, op := range p.Ops {
		if op.Kind != OpEdit {
			return nil, refuse(Problem{Err: fs.ErrInvalid, Op: i, Edit: -1, Msg: "interim"})
		}
		r, err := Apply(res.Text, op.Edits, o)
		if err != nil {
			return nil, err
		}
		res = &Result{Text: r.Text, Matches: compose(res.Matches, r.Matches), Notes: append(res.Notes, r.Notes...)}
	}
	return res, nil
}
