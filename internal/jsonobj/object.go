package jsonobj

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// An Object is a JSON object. Its methods return the zero value for a field that is missing or null, and an error for a
// field of the wrong type. The messages of errors address whoever wrote the JSON.
type Object struct {
	Offset int            // of the object in the document
	Names  []string       // of the fields, in their order
	Values []Value        // of the fields
	index  map[string]int // of the names; nil for an object of few fields, where a search is faster
	twice  *Error         // the first field that was there already
}

// NewObject returns an object without fields. It has memory for the few that most objects have.
func NewObject(offset int) *Object {
	all := &struct {
		object Object
		names  [4]string
		values [4]Value
	}{object: Object{Offset: offset}}
	all.object.Names, all.object.Values = all.names[:0], all.values[:0]
	return &all.object
}

// Object returns v as an object. Every error is an [*Error]. Its message calls v name.
func (v Value) Object(name string) (*Object, error) {
	switch o := v.opened().Fields; {
	case o == nil:
		return nil, v.wrongKind(name, "an object")
	case o.twice != nil:
		return nil, &Error{Offset: o.twice.Offset, Msg: name + o.twice.Msg}
	default:
		return o, nil
	}
}

// AddAt adds a field whose name is at an offset. If o has it, [Value.Object] returns an error.
func (o *Object) AddAt(name string, offset int, v Value) {
	if !o.Add(name, v) && o.twice == nil {
		o.twice = &Error{Offset: offset, Msg: fmt.Sprintf(" has the field %q twice: expected it once", name)}
	}
}

// Add adds a field. It reports false if o has it.
func (o *Object) Add(name string, v Value) bool {
	const fewFields = 8 // an object with no more has no index
	if o.find(name) >= 0 {
		return false
	}
	n := len(o.Names)
	o.Names, o.Values = append(o.Names, name), append(o.Values, v)
	switch {
	case o.index != nil:
		o.index[name] = n
	case n >= fewFields:
		o.index = make(map[string]int, 2*n)
		for i, name := range o.Names {
			o.index[name] = i
		}
	}
	return true
}

// With returns o with one more field, which it must not have.
func (o *Object) With(name string, v Value) *Object {
	more := &Object{Offset: o.Offset, Names: slices.Clone(o.Names), Values: slices.Clone(o.Values)}
	more.Add(name, v)
	return more
}

// OfText returns a string with the given text.
func OfText(s string, offset int) Value {
	const shown = 64 // bytes, more than messages show
	begin := s[:min(len(s), len(s)-len(strings.TrimLeft(s, space))+shown)]
	return Value{Raw: []byte("\"" + begin + "\""), Offset: offset, text: s}
}

func (o *Object) Has(name string) bool { return len(o.Value(name).Raw) > 0 }

// IsSet reports whether o has a field that is not null.
func (o *Object) IsSet(name string) bool {
	v := o.Value(name)
	return len(v.Raw) > 0 && !v.IsNull()
}

// Value returns a field of any type. It is the zero value if o has none.
func (o *Object) Value(name string) Value {
	if at := o.find(name); at >= 0 {
		return o.Values[at]
	}
	return Value{}
}

func (o *Object) find(name string) int {
	if o.index == nil {
		return slices.Index(o.Names, name)
	}
	if at, ok := o.index[name]; ok {
		return at
	}
	return -1
}

func (o *Object) IsString(name string) bool { return o.Value(name).Kind() == '"' }

// Text returns a string. If the string has half of a surrogate pair, Text returns both the string and an error.
func (o *Object) Text(name string) (string, error) { return o.Value(name).TextOf(name) }

// TextOf returns the text of a field, as [Object.Text] does.
func (v Value) TextOf(name string) (string, error) {
	if len(v.Raw) == 0 || v.IsNull() {
		return "", nil
	}
	s, ok, paired := v.decode()
	switch {
	case !ok:
		return "", wrongType{name, v.describe(), "a string"}
	case !paired:
		return s, fmt.Errorf(`the field %q has half of a surrogate pair: expected both halves, as in "\ud83d\ude00"`,
			name)
	}
	return s, nil
}

func (v Value) BoolOf(name string) (bool, error) {
	var b bool
	if len(v.Raw) > 0 && json.Unmarshal(v.Raw, &b) != nil {
		return false, wrongType{name, v.describe(), "true or false"}
	}
	return b, nil
}

// IntOf returns the whole number in a field, which must be at least least.
func (v Value) IntOf(name string, least int) (int, error) {
	if len(v.Raw) == 0 || v.IsNull() {
		return 0, nil
	}
	n, ok := v.wholeNumber()
	if !ok || n < least {
		return 0, wrongType{name, v.describe(), "a whole number of at least " + strconv.Itoa(least)}
	}
	return n, nil
}

// Ints returns an array of whole numbers, which may be in a string.
func (o *Object) Ints(name string) ([]int, error) {
	v := o.Value(name)
	if len(v.Raw) == 0 || v.IsNull() {
		return nil, nil
	}
	list := v
	if text, ok, _ := v.decode(); ok {
		list, _ = Parse([]byte(text), name) // else it is none
	}
	elems, err := list.Array(name)
	whole := err == nil
	numbers := make([]int, len(elems))
	for i, e := range elems {
		n, ok := e.wholeNumber()
		numbers[i], whole = n, whole && ok
	}
	if !whole {
		return nil, wrongType{name, v.clip(), "an array of whole numbers"}
	}
	return numbers, nil
}

func (v Value) Text() (string, error) {
	s, ok, _ := v.decode()
	if !ok {
		return "", errors.New("this is " + v.describe() + ": expected a string")
	}
	return s, nil
}

// decode returns v as a string, and whether it is one. If paired is false, the string has half of a surrogate pair.
func (v Value) decode() (s string, ok, paired bool) {
	if v.text != "" {
		return v.text, true, true
	}
	if v.Kind() != '"' {
		return "", false, false
	}
	s, paired = unquote(v.Raw)
	return s, true, paired
}

// wholeNumber returns a whole number in any spelling that JSON allows, such as 1e3. Models put numbers into strings.
func (v Value) wholeNumber() (int, bool) {
	if word, ok := v.Word(); ok {
		n, err := strconv.ParseInt(word, 10, 32)
		return int(n), err == nil
	}
	f, err := strconv.ParseFloat(string(v.Raw), 64)
	return int(f), err == nil && f == math.Trunc(f) && math.Abs(f) <= math.MaxInt32
}

// A wrongType says that a field has a value of another type than expected.
type wrongType struct{ name, is, expected string }

func (e wrongType) Error() string {
	return fmt.Sprintf(`the field %q is %s: expected %s`, e.name, e.is, e.expected)
}

// escapes has what a backslash and a character stand for.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unquote returns the text of a valid string, with U+FFFD for half of a surrogate pair; paired is false then.
func unquote(raw []byte) (s string, paired bool) {
	raw, paired = raw[1:len(raw)-1], true
	at := bytes.IndexByte(raw, '\\')
	if at < 0 {
		return string(raw), true
	}
	var b strings.Builder
	b.Grow(len(raw))
	for ; at >= 0; at = bytes.IndexByte(raw, '\\') {
		b.Write(raw[:at])
		c := raw[at+1]
		if c == 'u' {
			const escape = len(`\u00e9`)
			r := codeUnit(raw[at:])
			if raw = raw[at+escape:]; utf16.IsSurrogate(r) && bytes.HasPrefix(raw, []byte(`\u`)) {
				if pair := utf16.DecodeRune(r, codeUnit(raw)); pair != '\uFFFD' {
					r, raw = pair, raw[escape:]
				}
			}
			paired = paired && !utf16.IsSurrogate(r)
			b.WriteRune(r)
			continue
		}
		b.WriteByte(escapes[c])
		raw = raw[at+2:]
	}
	b.Write(raw)
	return b.String(), paired
}

// codeUnit returns the number in an escape such as \u00e9.
func codeUnit(raw []byte) rune {
	n, _ := strconv.ParseUint(string(raw[2:6]), 16, 16) // in valid JSON, the digits are there
	return rune(n)
}

// StringLen returns the length of the string that s begins with, with its quotation marks: all of s if it has no end.
func StringLen(s string) (n int, ended bool) {
	for at := 1; at < len(s); at++ {
		switch s[at] {
		case '\\':
			at++
		case '"':
			return at + 1, true
		}
	}
	return len(s), false
}
