package jsonread

import (
	"bytes"
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// The slots of an object have its fields by what they mean.
type slots struct {
	Means []field.Set            // what each field means; 0 for nothing
	at    [field.NumFields]int32 // the field that means this, counted from 1; null only if there is no other
	All   field.Set              // the meanings of all fields
	Set   field.Set              // those of the fields that are not null
	Full  field.Set              // those of the fields that hold something
	few   [4]field.Set           // memory for the fields of most objects
}

// Remove removes fields as if they had not been sent.
func (o *Object) Remove(is func(name string, v jsonobj.Value, means field.Set) bool) {
	kept := jsonobj.Object{Offset: o.Offset}
	for i, name := range o.Names {
		if !is(name, o.Values[i], o.Means[i]) {
			kept.Add(name, o.Values[i])
		}
	}
	if len(kept.Names) < len(o.Names) {
		o.setFields(kept)
	}
}

// Rename gives the field at i another name, in the place of one of that name.
func (o *Object) Rename(i int, name string) {
	renamed := jsonobj.Object{Offset: o.Offset}
	for k, before := range o.Names {
		switch {
		case k == i:
			renamed.Add(name, o.Values[k])
		case before != name:
			renamed.Add(before, o.Values[k])
		}
	}
	o.setFields(renamed)
}

// Put gives o a field that it lacks.
func (o *Object) Put(name string, v jsonobj.Value) { o.setFields(*o.With(name, v)) }

// setFields gives o these fields alone, and finds out what they mean.
func (o *Object) setFields(fields jsonobj.Object) {
	o.Object, o.slots = fields, slots{}
	o.Means = o.few[:0]
	for i, name := range o.Names {
		v := o.Values[i]
		means := meant(field.MeaningOf(name), v)
		o.Means = append(o.Means, means)
		isNull := v.IsNull()
		for rest := means; rest != 0; rest &= rest - 1 {
			f := rest & -rest
			if at := &o.at[bits.TrailingZeros64(uint64(f))]; *at == 0 || !isNull && o.Set&f == 0 {
				*at = int32(i + 1)
			}
		}
		o.All |= means
		if !isNull {
			o.Set |= means
		}
		if !isNull && !v.IsEmpty() {
			o.Full |= means
		}
	}
}

// meant returns the fields that a name means with a value.
func meant(m *field.Meaning, v jsonobj.Value) field.Set {
	switch isOne := m.Fields&(m.Fields-1) == 0; {
	case m.Fields == field.PatchField && m.IsHarmless(WordOf(v)):
		return 0 // a flag
	case isOne && m.Refused == "" && m.Fields != field.DeleteField:
		return m.Fields
	}
	held := field.Set(0)
	for kind, fields := range m.Kinds {
		if holds(v, kind) {
			held |= fields
		}
	}
	if held != 0 || m.Refused != "" {
		return held
	}
	return m.Fields &^ m.Kinds[field.OnlyTrue]
}

// holds reports whether a value is of a kind. No name that may mean several things is one of a flag.
func holds(v jsonobj.Value, kind byte) bool {
	switch first := v.Raw[0]; kind {
	case 't':
		return first == '"'
	case 'n':
		word, _ := v.Word()
		return first == '-' || '0' <= first && first <= '9' || word != "" && strings.Trim(word, "0123456789") == ""
	case field.OnlyTrue:
		word, _ := v.Word()
		return first == 't' || strings.EqualFold(word, "true")
	case 'l':
		return first == '[' || first == '"' && startsArray(v.Raw[1:])
	case 'o':
		return first == '{'
	}
	return true
}

// startsArray reports whether the content of a JSON string begins with an array.
func startsArray(raw []byte) bool {
	for before := -1; before != len(raw); {
		before = len(raw)
		for _, space := range []string{" ", `\n`, `\r`, `\t`} {
			raw = bytes.TrimPrefix(raw, []byte(space))
		}
	}
	return len(raw) > 0 && raw[0] == '['
}

// IsNamed reports whether there is a field that means f and is not null.
func (o *Object) IsNamed(f field.Set) bool { return o.Set&f != 0 }

// Find returns the name of the field that means f, "" if there is none. One that is null counts last.
func (o *Object) Find(f field.Set) string {
	name, _ := o.Slot(f)
	return name
}

// Slot returns the field that means f, if there is one. It refuses two that contradict each other.
func (o *Object) Slot(f field.Set) (name string, v jsonobj.Value) {
	at := int(o.at[bits.TrailingZeros64(uint64(f))]) - 1
	if at < 0 {
		return "", jsonobj.Value{}
	}
	name, v = o.Names[at], o.Values[at]
	for i := at + 1; i < len(o.Names); i++ {
		if o.Means[i]&f != 0 && !o.Values[i].IsNull() && !o.Values[i].Equal(v) {
			o.FailOnce("%q and %q are two fields for the same thing, and contradict each other: expected one of them",
				name+o.Suffix, o.Names[i]+o.Suffix)
		}
	}
	return name, v
}

// NameFor returns the name that a field has, or would have in this request.
func (o *Object) NameFor(f field.Set) string {
	if name := o.Find(f); name != "" {
		return name
	}
	for _, name := range slices.Backward(o.Strict) { // the own fields of a form are behind those that it shares
		if field.MeaningOf(name).Fields&f != 0 {
			return name
		}
	}
	return cmp.Or(f.NameBeside(o.Names), f.Name())
}

// MayHave reports whether o may have some fields: any, if it is not Strict.
func (o *Object) MayHave(fields field.Set) bool {
	for _, name := range o.Strict {
		fields &^= field.MeaningOf(name).Fields
	}
	return o.Strict == nil || fields == 0
}

// Allow records the first field that means none of the given ones, once for each object, or reports that there is none.
// One that holds nothing asks for nothing: strict schemas make models send all fields.
func (o *Object) Allow(fields field.Set) bool {
	for i, name := range o.Names {
		v := o.Values[i]
		if o.Reported || o.Means[i]&fields != 0 || v.IsNull() || v.IsEmpty() {
			continue
		}
		switch m := field.MeaningOf(name); {
		case fields&(field.ContentField|field.CodeField) != 0 && m.MayBeOfPart(WordOf(v)):
			o.Failf("%q %s", name+o.Suffix, m.OfPart)
		case m.Harmless && len(m.Values) > 0 && !m.IsHarmless(WordOf(v)):
			o.Failf("%q is %s, which could say that the edit is not to be made: leave the field out, or the edit",
				name+o.Suffix, text.Clip(string(v.Raw), 60))
		case m.Harmless, m.IsHarmless(WordOf(v)), o.Strict != nil && !slices.Contains(o.Strict, name):
			continue
		case m.Refused != "":
			o.Failf("%q %s", name+o.Suffix, m.Refused)
		case o.Strict != nil:
			o.Failf("the field %s does not go with the others: leave it out, or make a call of its own for it",
				plan.Excerpt(name))
		default:
			o.Failf("unknown field %s, which could change what is meant: expected %s", plan.Excerpt(name+o.Suffix),
				o.list(fields))
		}
		o.Reported = true
	}
	return !o.Reported
}

// WordOf returns a short string, or else the JSON of a value.
func WordOf(v jsonobj.Value) string {
	if word, ok := v.Word(); ok {
		return word
	}
	return string(v.Raw)
}

// list lists fields for a message, by the names that the request has for them.
func (o *Object) list(fields field.Set) string {
	var list []string
	for rest := fields &^ field.Anywhere; rest != 0 && !o.Request.Full(); rest &= rest - 1 {
		if name := o.NameFor(rest & -rest); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}

// Require records a field that is missing or null.
func (o *Object) Require(f field.Set) {
	switch name, v := o.Slot(f); {
	case o.Request.Full():
	case name == "":
		o.Failf("the field %q is missing: it is required", o.NameFor(f)+o.Suffix)
	case v.IsNull():
		o.Failf("the field %q is null: it must have a value", name+o.Suffix)
	}
}

// Need returns a required string.
func (o *Object) Need(f field.Set) string {
	o.Require(f)
	return o.TextOf(f)
}

// NeedOrNull returns a required string, or "" for null.
func (o *Object) NeedOrNull(f field.Set) string {
	if o.All&f == 0 {
		o.Require(f)
	}
	return o.TextOf(f)
}

// TextOf returns a string. A field for lines, such as "old_lines", may hold them one by one.
func (o *Object) TextOf(f field.Set) string {
	name, v := o.Slot(f)
	if v.Kind() == '[' && strings.HasSuffix(field.NormalName(name), "lines") {
		values, _ := v.Array(name) // it is one
		lines := make([]string, len(values))
		for i, v := range values {
			line, err := v.Text()
			if err != nil {
				o.Failf("%q: %s", name, err)
				return ""
			}
			lines[i] = strings.TrimSuffix(line, "\n")
		}
		return strings.Join(lines, "\n")
	}
	s, err := v.TextOf(name)
	o.Check(err)
	return s
}

// Flag returns a boolean, which may be written as a string.
func (o *Object) Flag(f field.Set) bool {
	name, v := o.Slot(f)
	switch s, _ := v.Word(); {
	case strings.EqualFold(s, "true"):
		return true
	case strings.EqualFold(s, "false"):
		return false
	}
	b, err := v.BoolOf(name)
	o.Check(err)
	return b
}

// Number returns a whole number that is at least least. It may be written as a string.
func (o *Object) Number(f field.Set, least int) int {
	name, v := o.Slot(f)
	n, err := v.IntOf(name, least)
	o.Check(err)
	return n
}

// array returns the elements of an array, which must not be empty, and its name for messages. A string may hold the
// array, and an array of one array stands for that. An object alone may stand for an array of one, which isOne tells.
func (o *Object) array(f field.Set) (values []jsonobj.Value, name string, isOne bool) {
	name, v := o.Slot(f)
	if name == "" {
		o.Require(f)
		return nil, "", false
	}
	v, err := o.unquoted(v, name)
	if v.Kind() == '{' && f.IsList() {
		return []jsonobj.Value{v}, name, true
	}
	quoted := strconv.Quote(name)
	if err == nil {
		values, err = v.Array(quoted)
	}
	for len(values) == 1 && values[0].Kind() == '[' {
		values, err = values[0].Array(quoted)
	}
	if err != nil {
		o.Request.Stop(o.Request.Refusal(err))
	} else if len(values) == 0 {
		o.Request.StopAt(v.Offset, o.Here()+quoted+" is empty: expected at least one element")
	}
	return values, name, false
}

// unquoted returns the array or the object that a string holds, and any other value as it is.
func (o *Object) unquoted(v jsonobj.Value, name string) (jsonobj.Value, error) {
	if v.Kind() != '"' {
		return v, nil
	}
	s, err := v.TextOf(name)
	o.Check(err)
	if strings.IndexAny(strings.TrimSpace(s), "[{") != 0 {
		return v, nil
	}
	inner, err := jsonobj.ParseValue([]byte(s), v.Offset)
	if bad, ok := err.(*jsonobj.Error); ok && !bad.CutOff {
		bad.Msg = fmt.Sprintf("%s%q: %s", o.Here(), name, bad.Msg)
	}
	return inner, err
}

// Elements returns the objects of an array, which must exist and not be empty. A string may hold an object.
func (o *Object) Elements(f field.Set) []*Object {
	values, name, isOne := o.array(f)
	name = o.Here() + name
	elems := make([]*Object, 0, len(values))
	for i, v := range values {
		of := name
		if !isOne {
			of = nth(name, i)
		}
		v, err := o.unquoted(v, of)
		if err != nil {
			err = o.Request.Refusal(err)
		}
		e, bad := o.Request.Call(v, of)
		if o.Request.Stop(cmp.Or(err, bad)) {
			return nil
		}
		elems = append(elems, e)
	}
	return elems
}

// nth names the i-th element of a list. An edit has the name that it has when it cannot be placed.
func nth(list string, i int) string {
	if one, ok := strings.CutSuffix(list, "s"); ok &&
		(strings.HasSuffix(one, "edit") || strings.HasSuffix(one, "operation")) {
		return one + " " + strconv.Itoa(i+1)
	}
	return list + "[" + strconv.Itoa(i) + "]"
}

func (o *Object) Texts(f field.Set) []string {
	values, name, _ := o.array(f)
	texts := make([]string, 0, len(values))
	for _, v := range values {
		s, err := v.Text()
		if err != nil {
			o.Request.StopAt(v.Offset, o.Here()+name+": "+err.Error())
			return nil
		}
		texts = append(texts, s)
	}
	return texts
}
