package atomicedit

import (
	"cmp"
	"slices"
	"strings"
)

// A form is one kind of call that a tool of [Tools] takes, or of an entry in one. It has the given fields and no others.
type form struct {
	name       string   // the value of its key, or the key
	key, value string   // the field by which it is recognised, and its value; "" if any value will do, or any call
	hidden     bool     // the key is
	fields     []string // all of them
	shown      []string // those that schemas show
	elems      []form   // of the entries of a list
}

// formsOf returns the forms of objects that have some properties: those of the last key first, which says the most.
func formsOf(properties []property) (forms []form) {
	for _, key := range slices.Backward(properties) {
		values := key.values
		if values == nil {
			values = []string{""}
		}
		for _, value := range values {
			if key.key {
				f := form{name: cmp.Or(value, key.name), key: key.name, value: value, hidden: key.hidden}
				forms = append(forms, f.with(properties))
			}
		}
	}
	if forms == nil {
		forms = []form{form{}.with(properties)}
	}
	return forms
}

// with returns f with those of some properties that it has.
func (f form) with(properties []property) form {
	for _, p := range properties {
		switch {
		case p.key && p.name != f.key, p.forms != "" && !slices.Contains(strings.Fields(p.forms), f.name):
			continue
		case p.entries != nil:
			f.elems = formsOf(p.entries)
		}
		f.fields = append(f.fields, p.name)
		if !p.hidden {
			f.shown = append(f.shown, p.name)
		}
	}
	return f
}

// takeForm makes o an object of the form that it has, and returns the forms of its elements. It reports whether o has one.
func takeForm(o *jsonObject, forms []form) (elems []form, ok bool) {
	f, ok := formAmong(o, forms)
	if !ok {
		missingField(o, forms[0].key)
		return nil, false
	}
	o.strict = f.fields
	expectForm(o, f)
	return f.elems, true
}

// formAmong returns the form of o.
func formAmong(o *jsonObject, forms []form) (form, bool) {
	for _, has := range []func(string) bool{o.IsSet, o.Has} {
		for _, f := range forms {
			if f.key == "" || has(f.key) && (f.value == "" || saysValue(o, f.key, f.value)) {
				return f, true
			}
		}
	}
	if key := forms[0].key; forms[0].value != "" && o.Has(key) {
		values := make([]string, len(forms))
		for i, f := range forms {
			values[i] = f.value
		}
		is, err := o.Text(key)
		o.check(err)
		if last := len(values) - 1; err == nil {
			o.failf("%q is %s: expected %s or %s", key, quote(is), strings.Join(values[:last], ", "), values[last])
		}
	}
	return form{}, false
}

// says reports whether a field is the string value.
func saysValue(o *jsonObject, name, value string) bool {
	is, _ := o.Text(name)
	return is == value
}

// expect records the first field that f does not have.
func expectForm(o *jsonObject, f form) {
	for _, name := range o.Names {
		if o.IsSet(name) && !o.reported && !slices.Contains(f.fields, name) {
			o.reported = true
			o.failf("unknown field %s: expected %s", quote(name), strings.Join(f.shown, ", "))
		}
	}
}

// missing records that a field is missing or null.
func missingField(o *jsonObject, name string) {
	if !o.failed() {
		o.failf("the field %q is missing: it is required", name)
	}
}

// A view is a call that shows a file: the lines first to last, 0 standing for the first and the last that the file has.
type view struct {
	path        string
	first, last int
}

// readView reads a call that shows a file.
func readView(o *jsonObject) *view {
	v := &view{path: pathIn(o, pathField, "")}
	numbers := o.numbersNamed("view_range")
	if numbers == nil {
		numbers = []int{o.number(firstField, 1), o.number(lastField, 1)}
	}
	if len(numbers) != 2 {
		o.failf("the range has %d %s: expected two, the first and the last line to show",
			len(numbers), plural(len(numbers), "number"))
		return v
	}
	v.first, v.last = numbers[0], numbers[1]
	if v.last == -1 {
		v.last = 0
	}
	if v.first < 0 || v.last < 0 || v.last > 0 && v.last < v.first {
		o.failf("lines %d to %d are not a range: expected the first and the last line to show, counted from 1",
			numbers[0], numbers[1])
	}
	return v
}
