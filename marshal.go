package atomicedit

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/seen"
)

// Plans and changes are exact in JSON or do not marshal: encoding/json alone would replace bytes that are not UTF-8, so
// that another edit would come back. Reports and refusals are for reading: there an empty list is [].

// String returns the name of k in lower case.
func (k OpKind) String() string { return plan.OpKind(k).String() }

// MarshalText returns the name of k.
func (k OpKind) MarshalText() ([]byte, error) { return plan.OpKind(k).MarshalText() }

// UnmarshalText sets k to the kind that has the given name.
func (k *OpKind) UnmarshalText(name []byte) error { return (*plan.OpKind)(k).UnmarshalText(name) }

// String returns the name of f in lower case.
func (f Fit) String() string { return plan.NameOf(f, fitNames, "fit") }

// MarshalText returns the name of f, "" for the zero value.
func (f Fit) MarshalText() ([]byte, error) { return plan.MarshalName(f, fitNames) }

// UnmarshalText sets f to the fit that has the given name.
func (f *Fit) UnmarshalText(name []byte) error { return plan.UnmarshalName(f, fitNames, "fit", name) }

// MarshalJSON fails if a string of op is not valid UTF-8.
func (op Op) MarshalJSON() ([]byte, error) {
	type plain Op
	return plan.Marshal(plain(op))
}

// MarshalJSON fails if a string of e is not valid UTF-8.
func (e Edit) MarshalJSON() ([]byte, error) {
	type plain Edit
	return plan.Marshal(plain(e))
}

// MarshalJSON fails if a string of c is not valid UTF-8.
func (c Change) MarshalJSON() ([]byte, error) {
	type plain Change
	return plan.Marshal(plain(c))
}

// MarshalJSON fails if a string of f is not valid UTF-8.
func (f File) MarshalJSON() ([]byte, error) {
	type plain File
	return plan.Marshal(plain(f))
}

// listed returns a copy of list that is not nil.
func listed[T any](list []T) []T { return append([]T{}, list...) }

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

type resultJSON struct {
	Text       *string `json:"text,omitempty"`
	TextBase64 []byte  `json:"text_base64,omitempty"`
	Matches    []Match `json:"matches"`
	Notes      []Note  `json:"notes"`
}

// MarshalJSON writes the text as "text", or in base64 as "text_base64" if it is not valid UTF-8.
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

// A sessionState is what a [Session] knows, as JSON has it.
type sessionState struct {
	Files map[string]sight  `json:"files,omitempty"` // by path, as in Session
	Names map[string]string `json:"names,omitempty"`
	Asked map[string]bool   `json:"asked,omitempty"`
}

// MarshalJSON returns what s knows, for a host that keeps conversations longer than its process lives. It fails if s
// has no store, or if a path is not valid UTF-8.
func (s *Session) MarshalJSON() ([]byte, error) {
	if s.isZero() {
		return nil, errNoSession
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return plan.Marshal(sessionState{s.seen, s.names, s.asked})
}

// UnmarshalJSON makes s, which [NewSession] has made, know what MarshalJSON wrote, and nothing else: two sessions that
// know the same refuse the same. The JSON may come from any session on the same files. Files that have changed since
// are [ErrStale], as always. An entry that makes no sense counts as unread. Ranges may overlap, in any order.
func (s *Session) UnmarshalJSON(data []byte) error {
	if s.isZero() {
		return errNoSession
	}
	var st sessionState
	if err := json.Unmarshal(data, &st); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commits++ // a read that is on its way is of before
	s.seen, s.names, s.held, s.asked = map[string]sight{}, map[string]string{}, 0, st.Asked
	maps.Copy(s.names, st.Names)
	isWrong := func(r [2]int) bool { return r[0] < 1 || r[1] < r[0] }
	for _, path := range slices.Sorted(maps.Keys(st.Files)) {
		g := st.Files[path]
		all := append(slices.Collect(maps.Values(g.Offered)), g.Lines, g.Numbers, g.Moved, g.Earlier, g.Told)
		if v := Version(g.Version); path == "" || !v.isHash() || g.Text != nil && VersionOf(g.Text) != v ||
			slices.ContainsFunc(slices.Concat(all...), isWrong) {
			continue
		}
		for _, lines := range []*seen.Lines{&g.Lines, &g.Numbers, &g.Moved, &g.Earlier, &g.Told} {
			*lines = seen.Of(*lines...)
		}
		g.commit = s.commits
		s.keep(path, &g)
	}
	return nil
}
