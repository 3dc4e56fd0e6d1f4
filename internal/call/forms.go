package call

import (
	"cmp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// A Form is one kind of call that a tool of [Tools] takes, or of an entry in one. It has the given fields and no
// others.
type Form struct {
	name       string   // the value of its key, or the key
	Key, Value string   // the field by which it is recognised, and its value; "" if any value will do, or any call
	hidden     bool     // the key is
	Fields     []string // all of them
	shown      []string // those that schemas show
	Elems      []Form   // of the entries of a list
}

// FormsOf returns the forms of objects that have some properties: those of the last key first, which says the most.
func FormsOf(properties []property) (forms []Form) {
	for _, key := range slices.Backward(properties) {
		values := key.values
		if values == nil {
			values = []string{""}
		}
		for _, value := range values {
			if key.key {
				f := Form{name: cmp.Or(value, key.name), Key: key.name, Value: value, hidden: key.hidden}
				forms = append(forms, f.with(properties))
			}
		}
	}
	if forms == nil {
		forms = []Form{Form{}.with(properties)}
	}
	return forms
}

// with returns f with those of some properties that it has.
func (f Form) with(properties []property) Form {
	for _, p := range properties {
		switch {
		case p.key && p.name != f.Key, p.forms != "" && !slices.Contains(strings.Fields(p.forms), f.name):
			continue
		case p.entries != nil:
			f.Elems = FormsOf(p.entries)
		}
		f.Fields = append(f.Fields, p.name)
		if !p.hidden {
			f.shown = append(f.shown, p.name)
		}
	}
	return f
}

// formAmong returns the form of o.
func formAmong(o *jsonread.Object, forms []Form) (Form, bool) {
	for _, has := range []func(string) bool{o.IsSet, o.Has} {
		for _, f := range forms {
			if is, _ := o.Text(f.Key); f.Key == "" || has(f.Key) && (f.Value == "" || is == f.Value) {
				return f, true
			}
		}
	}
	if key := forms[0].Key; forms[0].Value != "" && o.Has(key) {
		values := make([]string, len(forms))
		for i, f := range forms {
			values[i] = f.Value
		}
		is, err := o.Text(key)
		o.Check(err)
		if last := len(values) - 1; err == nil {
			o.Failf("%q is %s: expected %s or %s", key, plan.Excerpt(is), strings.Join(values[:last], ", "),
				values[last])
		}
	}
	return Form{}, false
}
