package jsonobj

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
)

// An Object is a JSON object. Its methods return the zero value for a field that is missing or null, and an error for a field of
// the wrong type. The messages of errors address whoever wrote the JSON.
type Object struct {
	Offset int      // of the object in the document
	Names  []string // of the fields, in their order
	fields map[string]Value
}

// Object returns v as an object, without parsing the values of its fields. Every error is an [*Error]. Its message calls v name.
func (v Value) Object(name string) (*Object, error) {
	r, ok := v.enter('{')
	if !ok {
		return nil, v.wrongKind(name, "an object")
	}
	o := &Object{Offset: v.Offset, fields: map[string]Value{}}
	for key, ok := r.next(); ok; key, ok = r.next() {
		field, _ := decodeString(key.Raw) // in valid JSON, every key is a string
		if o.Has(field) {
			return nil, &Error{Offset: key.Offset, Msg: name + " has the field \"" + field + "\" twice: expected it once"}
		}
		o.Names = append(o.Names, field)
		o.fields[field], _ = r.next()
	}
	return o, nil
}

// Has reports whether o has a field.
func (o *Object) Has(name string) bool { _, ok := o.fields[name]; return ok }

// IsSet reports whether o has a field that is not null.
func (o *Object) IsSet(name string) bool {
	v, ok := o.fields[name]
	return ok && !v.isNull()
}

// Value returns a field of any type.
func (o *Object) Value(name string) (v Value, ok bool) {
	v, ok = o.fields[name]
	return v, ok
}

// IsString reports whether a field is a string.
func (o *Object) IsString(name string) bool {
	v, ok := o.fields[name]
	return ok && v.Raw[0] == '"'
}

// Text returns a string. If the string has half of a surrogate pair, Text returns both the string and an error.
func (o *Object) Text(name string) (string, error) {
	v, ok := o.fields[name]
	if !ok {
		return "", nil
	}
	s, err := decodeString(v.Raw)
	if err != nil {
		return "", wrongType(name, v.describe(), "a string")
	}
	if strings.Contains(s, "\uFFFD") && !bytes.Contains(v.Raw, []byte("\uFFFD")) && !bytes.Contains(bytes.ToLower(v.Raw), []byte(`\ufffd`)) {
		return s, errors.New("the field \"" + name + "\" has half of a surrogate pair: expected both halves, as in \"\\ud83d\\ude00\"")
	}
	return s, nil
}

// decodeString returns a string, or "" for null.
func decodeString(raw []byte) (s string, err error) {
	if n := len(raw); n > 1 && raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : n-1]), nil // nothing to decode
	}
	err = json.Unmarshal(raw, &s)
	return s, err
}

// Bool returns a boolean.
func (o *Object) Bool(name string) (bool, error) {
	var b bool
	if v, ok := o.fields[name]; ok && json.Unmarshal(v.Raw, &b) != nil {
		return false, wrongType(name, v.describe(), "true or false")
	}
	return b, nil
}

// Int returns a whole number, which must be at least least.
func (o *Object) Int(name string, least int) (int, error) {
	v, ok := o.fields[name]
	if !ok || v.isNull() {
		return 0, nil
	}
	n, ok := wholeNumber(v.Raw)
	if !ok || n < least {
		return 0, wrongType(name, v.describe(), "a whole number of at least "+strconv.Itoa(least))
	}
	return n, nil
}

// Ints returns an array of whole numbers.
func (o *Object) Ints(name string) ([]int, error) {
	v, ok := o.fields[name]
	if !ok || v.isNull() {
		return nil, nil
	}
	var elems []json.RawMessage
	whole := json.Unmarshal(v.Raw, &elems) == nil
	numbers := make([]int, len(elems))
	for i, e := range elems {
		n, ok := wholeNumber(e)
		numbers[i], whole = n, whole && ok
	}
	if !whole {
		return nil, wrongType(name, v.clip(), "an array of whole numbers")
	}
	return numbers, nil
}

// wholeNumber parses a whole number in any spelling that JSON allows, such as 1e3.
func wholeNumber(raw []byte) (int, bool) {
	f, err := strconv.ParseFloat(string(raw), 64)
	return int(f), err == nil && f == math.Trunc(f) && math.Abs(f) <= math.MaxInt32
}

func wrongType(name, is, expected string) error {
	return errors.New("the field \"" + name + "\" is " + is + ": expected " + expected)
}
