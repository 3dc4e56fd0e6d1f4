package atomicedit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Plans and changes are exact in JSON or do not marshal: encoding/json alone would replace bytes that are not UTF-8, so
// that an edit of another text, or an undo of another file, would come back. Reports and refusals are for reading:
// there an empty list is [].

// String returns the name of k in lower case.
func (k OpKind) String() string { return plan.OpKind(k).String() }

// MarshalText returns the name of k.
func (k OpKind) MarshalText() ([]byte, error) { return plan.OpKind(k).MarshalText() }

// UnmarshalText sets k to the kind that has the given name.
func (k *OpKind) UnmarshalText(name []byte) error { return (*plan.OpKind)(k).UnmarshalText(name) }

// MarshalText returns the name of f, "" for the zero value.
func (f Fit) MarshalText() ([]byte, error) {
	if f < 0 || f > Drift {
		return nil, fmt.Errorf("unknown %v: %w", f, fs.ErrInvalid)
	}
	return []byte(fitNames[f]), nil
}

// UnmarshalText sets f to the fit that has the given name.
func (f *Fit) UnmarshalText(name []byte) error {
	i := slices.Index(fitNames[:], string(name))
	if i < 0 {
		return fmt.Errorf("unknown fit %q: %w", name, fs.ErrInvalid)
	}
	*f = Fit(i)
	return nil
}

// marshal returns v in JSON. It fails if JSON cannot represent one of its strings.
func marshal(v any) (data []byte, err error) {
	plan.EachString(reflect.ValueOf(v), "", func(name, value string) {
		if err == nil && !utf8.ValidString(value) {
			const format = "%s is not valid UTF-8, so JSON cannot hold it: %q: %w"
			err = fmt.Errorf(format, name, text.Clip(value, 100), fs.ErrInvalid)
		}
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

// MarshalJSON fails if a string of op is not valid UTF-8.
func (op Op) MarshalJSON() ([]byte, error) {
	type plain Op
	return marshal(plain(op))
}

// MarshalJSON fails if a string of e is not valid UTF-8.
func (e Edit) MarshalJSON() ([]byte, error) {
	type plain Edit
	return marshal(plain(e))
}

// MarshalJSON fails if a string of c is not valid UTF-8.
func (c Change) MarshalJSON() ([]byte, error) {
	type plain Change
	return marshal(plain(c))
}

// MarshalJSON fails if a string of f is not valid UTF-8.
func (f File) MarshalJSON() ([]byte, error) {
	type plain File
	return marshal(plain(f))
}

// listed returns list, or an empty one for nil.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// MarshalJSON writes an empty list as [].
func (r Report) MarshalJSON() ([]byte, error) {
	r.Files = listed(r.Files)
	type plain Report
	return json.Marshal(plain(r))
}

// MarshalJSON writes an empty list as [].
func (f FileReport) MarshalJSON() ([]byte, error) {
	f.Matches, f.Notes = listed(f.Matches), listed(f.Notes)
	type plain FileReport
	return json.Marshal(plain(f))
}

// MarshalJSON writes an empty list as [].
func (r Refusal) MarshalJSON() ([]byte, error) {
	r.Problems = listed(r.Problems)
	type plain Refusal
	return json.Marshal(plain(r))
}

// MarshalJSON writes an empty list as [].
func (p Problem) MarshalJSON() ([]byte, error) {
	p.Places = listed(p.Places)
	type plain Problem
	return json.Marshal(plain(p))
}

// A resultJSON is a [Result] in JSON.
type resultJSON struct {
	Text       *string `json:"text,omitempty"`
	TextBase64 []byte  `json:"text_base64,omitempty"`
	Matches    []Match `json:"matches"`
	Notes      []Note  `json:"notes"`
}

// MarshalJSON writes the text as a string if it is valid UTF-8.
func (r Result) MarshalJSON() ([]byte, error) {
	out := resultJSON{Matches: listed(r.Matches), Notes: listed(r.Notes)}
	if utf8.Valid(r.Text) {
		text := string(r.Text)
		out.Text = &text
	} else {
		out.TextBase64 = r.Text
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Result) UnmarshalJSON(data []byte) error {
	var in resultJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	if in.Text != nil && in.TextBase64 != nil {
		return errors.New(`both "text" and "text_base64" are there: expected only one`)
	}
	*r = Result{Text: in.TextBase64, Matches: in.Matches, Notes: in.Notes}
	if in.Text != nil {
		r.Text = []byte(*in.Text)
	}
	return nil
}
