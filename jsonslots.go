package atomicedit

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// The slots of an object have its fields by what they mean.
type slots struct {
	means []field          // what each field means; 0 for nothing
	at    [numFields]int32 // the field that means this, counted from 1; null only if there is no other
	set   field            // the meanings of the fields that are not null
	null  field            // those of the fields that are
	clash field            // meanings of two fields that contradict each other
	few   [4]field         // memory for the fields of most objects
}

// resolve finds out what the fields of o mean.
func (o *jsonObject) resolve() {
	o.means = o.few[:0]
	for i, name := range o.Names {
		means, v := field(0), o.Values[i]
		if m := meaningOf(name); m.fields != 0 {
			means = meant(m, v, o.request.texts)
		}
		o.means = append(o.means, means)
		isNull := v.IsNull()
		for rest := means; rest != 0; rest &= rest - 1 {
			f := rest & -rest
			at := &o.at[bits.TrailingZeros64(uint64(f))]
			switch {
			case *at == 0, !isNull && o.set&f == 0:
				*at = int32(i + 1)
			case !isNull && !o.Values[int(*at)-1].Equal(v):
				o.clash |= f
			}
		}
		if isNull {
			o.null |= means
		} else {
			o.set |= means
		}
	}
}

// meant returns the fields that a name means with a value. With texts, numbers and flags may be strings.
func meant(m *meaning, v jsonobj.Value, texts bool) field {
	if m.fields&(m.fields-1) == 0 && m.refused == "" && m.fields != deleteField {
		return m.fields
	}
	held, onlyIf := field(0), field(0)
	for _, k := range m.kinds {
		if holds(v, k.kind, texts) {
			held |= k.fields
		}
		if k.kind == onlyTrue {
			onlyIf = k.fields
		}
	}
	if held != 0 || m.refused != "" {
		return held
	}
	return m.fields &^ onlyIf
}

// holds reports whether a value is JSON of the given kind.
func holds(v jsonobj.Value, kind byte, texts bool) bool {
	word, quoted := "", false
	if v.Raw[0] == '"' && (kind == 'n' || kind == 'f' || kind == onlyTrue) {
		if word, quoted = v.Word(); quoted && texts && kind != onlyTrue {
			return true
		}
	}
	switch first := v.Raw[0]; kind {
	case 't':
		return first == '"'
	case 'n':
		isNumber := quoted && word != "" && strings.Trim(word, "0123456789") == ""
		return first == '-' || '0' <= first && first <= '9' || isNumber
	case 'f':
		return first == 't' || first == 'f' || quoted && isFlag(word)
	case onlyTrue:
		return first == 't' || quoted && strings.EqualFold(word, "true")
	case 'l':
		return first == '[' || first == '"' && startsArray(v.Raw[1:])
	case 'o':
		return first == '{'
	}
	return true
}

// isFlag reports whether a word stands for true or false.
func isFlag(word string) bool {
	return strings.EqualFold(word, "true") || strings.EqualFold(word, "false")
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

// isNamed reports whether there is a field that means f and is not null.
func (o *jsonObject) isNamed(f field) bool { return o.set&f != 0 }

// find returns the name of the field that means f, "" if there is none. One that is null counts only if there is no other.
func (o *jsonObject) find(f field) string {
	name, _ := o.slot(f)
	return name
}

// slot returns the field that means f, if there is one. It refuses two that contradict each other.
func (o *jsonObject) slot(f field) (name string, v jsonobj.Value) {
	at := int(o.at[bits.TrailingZeros64(uint64(f))]) - 1
	if at < 0 {
		return "", jsonobj.Value{}
	}
	name, v = o.Names[at], o.Values[at]
	for i := at + 1; o.clash&f != 0 && !o.reported && i < len(o.Names); i++ {
		if o.means[i]&f != 0 && !o.Values[i].IsNull() && !o.Values[i].Equal(v) {
			o.reported = true
			o.failf("%q and %q are two fields for the same thing, and contradict each other: expected one of them",
				name+o.suffix, o.Names[i]+o.suffix)
		}
	}
	return name, v
}

// nameFor returns the name that a field has, or would have in this request.
func (o *jsonObject) nameFor(f field) string {
	if name := o.find(f); name != "" {
		return name
	}
	for _, name := range o.strict {
		if meaningOf(name).fields&f != 0 {
			return name
		}
	}
	if f == oldField || f == newField {
		if name := o.find(oldField ^ newField ^ f); name != "" {
			if pair := otherText(name, f == oldField); pair != "" {
				return pair
			}
		}
	}
	for _, name := range o.Names {
		for _, s := range siblings {
			if s.beside == name && s.field == f {
				return s.name
			}
		}
	}
	return f.name()
}

// allow records the first field that means none of the given ones, once for each object. It reports whether there is none.
func (o *jsonObject) allow(fields field) bool {
	for i, name := range o.Names {
		v := o.Values[i]
		if o.reported || o.means[i]&fields != 0 || v.IsNull() {
			continue
		}
		switch m := meaningOf(name); {
		case m.harmless && m.harmful && m.has(wordOf(v)):
			o.failf("%q is %s, which could say that the edit is not to be made: leave the field out, or the edit",
				name+o.suffix, clip(string(v.Raw), 60))
		case m.harmless, !m.harmful && m.has(wordOf(v)), o.strict != nil && !slices.Contains(o.strict, name):
			continue
		case m.refused != "":
			o.failf("%q %s", name+o.suffix, m.refused)
		case o.strict != nil:
			o.failf("unknown field %s: expected %s", quote(name), o.list(fields))
		default:
			o.failf("unknown field %s, which could change what is meant: expected %s", quote(name+o.suffix), o.list(fields))
		}
		o.reported = true
	}
	return !o.reported
}

// wordOf returns a short string, or else the JSON of a value.
func wordOf(v jsonobj.Value) string {
	if word, ok := v.Word(); ok {
		return word
	}
	return string(v.Raw)
}

// list lists fields for a message, by the names that the request has for them.
func (o *jsonObject) list(fields field) string {
	var list []string
	for rest := fields &^ anywhere; rest != 0; rest &= rest - 1 {
		if name := o.nameFor(rest & -rest); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}

// require records a field that is missing or null.
func (o *jsonObject) require(f field) {
	switch name, v := o.slot(f); {
	case name == "":
		o.failf("the field %q is missing: it is required", o.nameFor(f)+o.suffix)
	case v.IsNull():
		o.failf("the field %q is null: it must have a value", name+o.suffix)
	}
}

// need returns a required string.
func (o *jsonObject) need(f field) string {
	if o.set&f == 0 {
		o.require(f)
		return ""
	}
	return o.text(f)
}

// needOrNull returns a required string, or "" for null.
func (o *jsonObject) needOrNull(f field) string {
	if (o.set|o.null)&f == 0 {
		o.require(f)
		return ""
	}
	return o.text(f)
}

// text returns a string. A field for lines, such as "old_lines", may hold them one by one.
func (o *jsonObject) text(f field) string {
	if o.set&f == 0 {
		return ""
	}
	name, v := o.slot(f)
	if v.Raw[0] == '[' {
		if lines, ok := linesIn(name, v); ok {
			return lines
		}
	}
	s, err := v.TextOf(name)
	if err != nil {
		o.check(err)
	}
	return s
}

// linesIn returns the text of a field whose name says that it holds lines, and whose value is a list of them.
func linesIn(name string, v jsonobj.Value) (string, bool) {
	if !strings.HasSuffix(normalName(name), "lines") {
		return "", false
	}
	values, err := v.Array("")
	lines := make([]string, len(values))
	for i := range values {
		if err == nil {
			lines[i], err = values[i].Text()
		}
		lines[i] = strings.TrimSuffix(lines[i], "\n")
	}
	return strings.Join(lines, "\n"), err == nil
}

// flag returns a boolean, which may be written as a string.
func (o *jsonObject) flag(f field) bool {
	if o.set&f == 0 {
		return false
	}
	name, v := o.slot(f)
	if s, ok := v.Word(); ok && isFlag(s) {
		return strings.EqualFold(s, "true")
	}
	b, err := v.BoolOf(name)
	o.check(err)
	return b
}

// number returns a whole number that is at least least. It may be written as a string.
func (o *jsonObject) number(f field, least int) int {
	if o.set&f == 0 {
		return 0
	}
	name, v := o.slot(f)
	if s, ok := v.Word(); ok {
		if n, err := strconv.Atoi(s); err == nil && n >= least && n <= math.MaxInt32 {
			return n
		}
	}
	n, err := v.IntOf(name, least)
	o.check(err)
	return n
}

// array returns the elements of an array, which must not be empty, and its name for messages. A string may hold the array,
// and an array of one array stands for that. Where the elements are objects, one alone stands for an array of one, and
// isOne is set.
func (o *jsonObject) array(f field) (_ []jsonobj.Value, name string, isOne bool, err error) {
	name, v := o.slot(f)
	if name == "" {
		o.require(f)
		return nil, "", false, nil
	}
	if v.Kind() == '"' {
		s, err := v.TextOf(name)
		o.check(err)
		if v, err = jsonobj.ParseValue([]byte(s), v.Offset); err != nil {
			return nil, name, false, o.request.refusal(err)
		}
	}
	if v.Kind() == '{' && f.isList() {
		return []jsonobj.Value{v}, name, true, nil
	}
	var values []jsonobj.Value
	quoted := strconv.Quote(name)
	for values == nil || len(values) == 1 && values[0].Raw[0] == '[' {
		if len(values) == 1 {
			v = values[0]
		}
		if values, err = v.Array(quoted); err != nil {
			return nil, name, false, o.request.refusal(err)
		}
		if len(values) == 0 {
			return nil, name, false, syntax(o.request.line(v.Offset), o.here()+quoted+" is empty: expected at least one element")
		}
	}
	return values, name, false, nil
}

// elements returns the objects of an array, which must exist and not be empty.
func (o *jsonObject) elements(f field) ([]*jsonObject, error) {
	values, name, isOne, err := o.array(f)
	if err != nil {
		return nil, err
	}
	if o.name != theRequest {
		name = o.name + ": " + name
	}
	elems := make([]*jsonObject, len(values))
	for i, v := range values {
		of := name
		if !isOne {
			of += "[" + strconv.Itoa(i) + "]"
		}
		if elems[i], err = o.request.call(v, of); err != nil {
			return nil, err
		}
	}
	return elems, nil
}

// texts returns an array of strings.
func (o *jsonObject) texts(f field) ([]string, error) {
	values, name, _, err := o.array(f)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(values))
	for i, v := range values {
		if texts[i], err = v.Text(); err != nil {
			return nil, syntax(o.request.line(v.Offset), o.here()+name+": "+err.Error())
		}
	}
	return texts, nil
}
