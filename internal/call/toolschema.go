package call

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// A property is a field of a call of a tool, or of an entry in one, for the schemas and for the reader.
type property struct {
	name    string
	is      string     // the type of its value in JSON, and keywords that some APIs do not accept in a strict schema
	values  []string   // that it may have, if there are only some
	entries []property // of the objects that an array has
	says    string     // for the model
	must    bool       // it is required
	key     bool       // each call has one of the keys: it tells the form of the call, and so do its values
	forms   string     // that have it, by the key, or by the value of that; "" for all. A key belongs to its own form
	hidden  bool       // it is accepted, but shown neither by a schema nor by a message
}

const (
	aText    = `"string"`
	aName    = `"string","minLength":1`
	aFlag    = `"boolean"`
	fromZero = `"integer","minimum":0`
	fromOne  = `"integer","minimum":1`
	percent  = `"integer","minimum":0,"maximum":100`
	aList    = `"array","minItems":1`
	aRange   = `"array","minItems":2,"maxItems":2` // of integers
)

// schemaOf returns the members of the schema of an object. Their order is that in which a model writes the properties.
func schemaOf(properties []property, strict bool) string {
	var members, required []string
	for _, p := range properties {
		if p.hidden {
			continue
		}
		members = append(members, inJSON(p.name)+":{"+p.schema(strict)+"}")
		if p.must || strict {
			required = append(required, p.name)
		}
	}
	s := `"type":"object","properties":{` + strings.Join(members, ",") + "}"
	if len(required) > 0 {
		s += `,"required":` + inJSON(required)
	}
	return s + `,"additionalProperties":false`
}

func (p property) schema(strict bool) string {
	kind, _, _ := strings.Cut(p.is, ",")
	s := `"type":` + p.is
	if strict && p.must {
		s = `"type":` + kind
	} else if strict {
		s = `"type":[` + kind + `,"null"]`
	}
	if p.values != nil {
		s += `,"enum":` + inJSON(p.values)
	}
	s += `,"description":` + inJSON(p.says)
	switch {
	case p.is == aRange:
		s += `,"items":{"type":"integer"}`
	case p.entries != nil:
		s += `,"items":{` + schemaOf(p.entries, strict) + "}"
	}
	return s
}

// inJSON returns words of our own in JSON.
func inJSON(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}

// A Form is one kind of call of a tool, or of an entry in one. It has the given fields and no others.
type Form struct {
	name       string   // the value of its key, or the key
	Key, Value string   // the field by which it is recognised, and its value; "" if any value will do, or any call
	Fields     []string // all of them
	shown      []string // those that schemas show
	tells      []string // fields that together tell this form without its key; nil if they are only names and numbers
	Elems      []Form   // of the entries of a list
	ignored    []string // the fields of a call that had a text, but are those of other forms
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
				f := Form{name: cmp.Or(value, key.name), Key: key.name, Value: value}
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
	says := false
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
			if p.forms != "" && p.is != aFlag {
				f.tells, says = append(f.tells, p.name), says || p.is == aText || p.is == aList
			}
		}
	}
	if !says || len(f.tells) < 2 {
		f.tells = nil
	}
	return f
}

// formAmong returns the form of o among some: that of a key that is null only if no other is there. The fields of o get
// the names that the form has for them, and those of other forms go. It records that there is none.
func formAmong(o *jsonread.Object, forms []Form) (Form, bool) {
	keys, values := make([]string, len(forms)), make([]string, len(forms))
	for i, f := range forms {
		keys[i], values[i] = f.Key, f.Value
	}
	rename(o, slices.Compact(keys))
	if key := forms[0].Key; values[0] != "" && !o.Has(key) {
		if f, ok := formOf(o, forms); ok {
			o.Put(key, jsonobj.OfText(f.Value, o.Offset))
		}
	}
	for _, has := range []func(string) bool{o.IsSet, o.Has} {
		for _, f := range forms {
			if f.Key == "" || has(f.Key) && (f.Value == "" || f.Value == o.Said(f.Key)) {
				f.ignored = f.ignoreOthers(o, forms)
				rename(o, f.Fields)
				return f, true
			}
		}
	}
	key, last := forms[0].Key, len(values)-1
	switch is, err := o.Text(key); {
	case values[0] == "", !o.Has(key):
		var names, shown []string
		for _, f := range forms {
			names, shown = append(names, f.Fields...), append(shown, f.shown...)
		}
		rename(o, names)
		o.Failf("the field %q is missing: it is required", key)
		o.AllowAmong(names, slices.Compact(slices.Sorted(slices.Values(shown))))
	case err != nil:
		o.Check(err)
	default:
		o.Failf("%q is %s: expected %s or %s", key, plan.Excerpt(is), strings.Join(values[:last], ", "), values[last])
	}
	return Form{}, false
}

// formOf returns the form of an object without its key: the only one of some forms whose telling fields o has, all of
// them, if o has no field that only others have.
func formOf(o *jsonread.Object, forms []Form) (Form, bool) {
	isMissing := func(name string) bool { return !o.IsSet(name) }
	fits := func(f Form) bool {
		isOther := func(name string) bool {
			has := func(f Form) bool { return slices.Contains(f.Fields, name) }
			return o.IsSet(name) && !has(f) && slices.ContainsFunc(forms, has)
		}
		return f.tells != nil && !slices.ContainsFunc(f.tells, isMissing) && !slices.ContainsFunc(o.Names, isOther)
	}
	i := slices.IndexFunc(forms, fits)
	if i < 0 || slices.ContainsFunc(forms[i+1:], fits) || forms[i].Key != forms[0].Key {
		return Form{}, false
	}
	return forms[i], true
}
