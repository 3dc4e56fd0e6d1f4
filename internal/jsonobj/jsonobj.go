// Package jsonobj reads a JSON object field by field. It records the offset of everything it reads, so that each error
// can name a line. It is stricter than encoding/json: a field must not occur twice, a document must be complete, valid
// UTF-8 with nothing after the object, and a string must not have half of a surrogate pair. [Close] completes a
// document that was cut off.
package jsonobj

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Parse reads a document. Every error is an [*Error]. Its message calls the document name.
func Parse(document []byte, name string) (Value, error) {
	whole := withoutHalfRune(document)
	v, err := ParseValue(whole, 0)
	cut := err != nil && err.(*Error).CutOff
	switch {
	case !utf8.Valid(whole) || len(whole) < len(document) && !cut:
		return Value{}, &Error{Msg: name + " is not valid UTF-8: send it as UTF-8"}
	case err != nil:
		return Value{}, err
	}
	return v, nil
}

// withoutHalfRune returns data without an incomplete character at its end.
func withoutHalfRune(data []byte) []byte {
	at := len(data) - 1
	for at > max(0, len(data)-utf8.UTFMax) && !utf8.RuneStart(data[at]) {
		at--
	}
	if at < 0 || utf8.FullRune(data[at:]) {
		return data
	}
	return data[:at]
}

// Close turns a document that was cut off into a valid one. It returns nil if that is impossible. If the document ends
// in a field of the outermost object, and in no array, last names the field, whose string then ends where the document
// does. Otherwise Close drops everything after the last complete element of an array, and last is "".
func Close(document []byte) (closed []byte, last string) {
	const deepest = 16
	document = withoutHalfRune(document)
	var open []byte    // the closing brackets that are missing at i
	var missing []byte // the closing brackets that are missing after the last complete element
	inString, end, lastString := false, 0, 0
	for i := 0; i < len(document); i++ {
		switch c := document[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString, lastString = !inString, i
		case inString:
		case c == '{' || c == '[':
			if len(open) > deepest {
				return nil, ""
			}
			open = append(open, c+2) // '{'+2 is '}', '['+2 is ']'
		case c == '}' || c == ']':
			if len(open) == 0 {
				return nil, ""
			}
			open = open[:len(open)-1]
			if n := len(open); n > 0 && open[n-1] == ']' {
				missing, end = slices.Clone(open), i+1
			}
		}
	}
	if string(open) == "}" && (inString || end == 0) {
		return closeField(document, lastString, inString)
	}
	slices.Reverse(missing)
	closed = slices.Concat(document[:end], missing)
	if !json.Valid(closed) { // there is no complete element, or the brackets do not match
		return nil, ""
	}
	return closed, ""
}

// closeField closes the outermost object after its last field. At is the offset of the last quotation mark. If inString
// is set, that mark begins a string, which is still open.
func closeField(document []byte, at int, inString bool) (closed []byte, last string) {
	closing, longest := "}", 1
	if inString {
		closing, longest = "\"}", len(`\ud83d\ude0`) // the longest incomplete escape
	}
	for drop := range min(longest, len(document)-at) {
		closed := append(slices.Clone(document[:len(document)-drop]), closing...)
		v, err := ParseValue(closed, 0)
		if err != nil {
			continue
		}
		if o, err := v.Object(""); err == nil && len(o.Names) > 0 {
			return closed, o.Names[len(o.Names)-1]
		}
		break
	}
	return nil, ""
}

// An Error says why JSON cannot be read.
type Error struct {
	Offset int    // of the error in the document
	Msg    string // for whoever wrote the JSON
	CutOff bool   // the document ended too early
}

func (e *Error) Error() string { return e.Msg }

// A Value is a piece of valid JSON.
type Value struct {
	Raw    []byte
	Offset int    // in the document; approximate for JSON in a string
	text   string // of a string that is written without JSON; Raw has its beginning in quotation marks, unescaped
	parts  *parts // of an object or an array that is written without JSON
}

// The parts of an object, or of an array, which has no keys.
type parts struct {
	keys   []Key
	values []Value
}

// A Key is the name of a field.
type Key struct {
	Name   string
	Offset int
}

// OfParts returns an object with the given fields, or an array, which has no keys. Raw is how it is written, from its
// bracket on.
func OfParts(raw string, offset int, keys []Key, values []Value) Value {
	return Value{Raw: []byte(raw), Offset: offset, parts: &parts{keys, values}}
}

// Equal reports whether two values are written in the same way.
func (v Value) Equal(w Value) bool { return bytes.Equal(v.Raw, w.Raw) && v.text == w.text }

// maxDepth is how deep values may lie in each other. It keeps a reader that goes through a value at each of its levels
// linear.
const maxDepth = 64

// ParseValue parses data, which must be a single value. Offset is where data begins in its document. Every error is an
// [*Error].
func ParseValue(data []byte, offset int) (Value, error) {
	v := Value{Raw: data, Offset: offset}
	if json.Valid(data) {
		if _, at := brackets(data); at >= 0 {
			return Value{}, &Error{Offset: offset + at, Msg: "the JSON is nested deeper than " +
				strconv.Itoa(maxDepth) + " levels: expected the arguments of a call"}
		}
		return v, nil
	}
	var bad *json.SyntaxError
	if !errors.As(json.Unmarshal(data, new(json.RawMessage)), &bad) {
		return v, nil
	}
	e := &Error{Offset: offset + int(bad.Offset)}
	// At the end, encoding/json pretends to read a space.
	ended := int(bad.Offset) == len(data) && !bytes.HasSuffix(data, []byte(" "))
	switch msg := bad.Error(); {
	case strings.HasPrefix(msg, "unexpected end"), ended && strings.HasPrefix(msg, "invalid character ' '"):
		e.Msg, e.CutOff = "the JSON was cut off: send it again in full", true
	case strings.Contains(msg, "after top-level value"):
		e.Msg = "text after the JSON: expected nothing after its end"
	case strings.HasSuffix(msg, "in string literal"):
		e.Msg = "invalid JSON: " + msg + ": expected it escaped, a newline as \\n and a tab as \\t"
	case strings.HasSuffix(msg, "in string escape code"):
		e.Msg = "invalid JSON: " + msg + ": expected \\\\ for a backslash"
	default:
		e.Msg = "invalid JSON: " + msg
	}
	return Value{}, e
}

// ParseFirst parses the value that data, which is not empty, begins with, whatever comes after it. Offset is where data
// begins in its document. Every error is an [*Error].
func ParseFirst(data []byte, offset int) (Value, error) {
	if len(data) == 0 {
		return ParseValue(data, offset)
	}
	return ParseValue(data[:valueLen(data)], offset)
}

// Array returns the elements of v, without parsing them. Every error is an [*Error]. Its message calls v name.
func (v Value) Array(name string) ([]Value, error) {
	r, ok := v.enter('[')
	if !ok {
		return nil, v.wrongKind(name, "an array")
	}
	if v.parts != nil {
		return v.parts.values, nil
	}
	var elems []Value
	for e, ok := r.next(); ok; e, ok = r.next() {
		elems = append(elems, e)
	}
	return elems, nil
}

func (v Value) wrongKind(name, expected string) error {
	trimmed := bytes.TrimLeft(v.Raw, space)
	return &Error{
		Offset: v.Offset + len(v.Raw) - len(trimmed),
		Msg:    name + " is " + Value{Raw: trimmed}.describe() + ": expected " + expected,
	}
}

func (v Value) describe() string {
	switch v.Kind() {
	case 0:
		return "nothing"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "the string " + v.clip()
	}
	return v.clip()
}

// clip returns the JSON of v for a message. It cuts a long one.
func (v Value) clip() string {
	const longest, more = 60, " …"
	if len(v.Raw) <= longest {
		return string(v.Raw)
	}
	return strings.ToValidUTF8(string(v.Raw[:longest-len(more)]), "") + more
}

// Kind returns the first byte of v, which tells what it is: '{', '[', '"', and so on; 0 if there is no value.
func (v Value) Kind() byte {
	trimmed := bytes.TrimLeft(v.Raw, space)
	if len(trimmed) == 0 {
		return 0
	}
	return trimmed[0]
}

// Word returns the text of a short string in which nothing is escaped, without the spaces around it. It is for numbers
// and flags that are written as strings.
func (v Value) Word() (string, bool) {
	const longest = 64
	n := len(v.Raw)
	if n < 2 || n > longest || v.Raw[0] != '"' || bytes.IndexByte(v.Raw, '\\') >= 0 {
		return "", false
	}
	return strings.TrimSpace(string(v.Raw[1 : n-1])), true
}

func (v Value) IsNull() bool { return string(v.Raw) == "null" }

// IsEmpty reports whether v is a string, an array or an object with nothing in it.
func (v Value) IsEmpty() bool {
	if k := v.Kind(); k != '[' && k != '{' {
		return string(v.Raw) == `""`
	}
	return len(bytes.TrimLeft(v.Raw[1:], space)) == len("]")
}

// space has the bytes that JSON allows between its tokens.
const space = " \t\r\n"

// A reader reads the keys and values of an object or an array one by one, without parsing them.
type reader struct {
	raw    []byte // what has not been read yet
	offset int    // of raw in the document
}

// enter returns a reader of the values in v if v begins with the given bracket.
func (v Value) enter(bracket byte) (reader, bool) {
	at := len(v.Raw) - len(bytes.TrimLeft(v.Raw, space))
	if at == len(v.Raw) || v.Raw[at] != bracket {
		return reader{}, false
	}
	return reader{v.Raw[at+1:], v.Offset + at + 1}, true
}

// next returns the next key or value, and false at the end.
func (r *reader) next() (Value, bool) {
	from := 0
	for from < len(r.raw) && (r.raw[from] <= ' ' || r.raw[from] == ',' || r.raw[from] == ':') {
		from++
	}
	if from == len(r.raw) || r.raw[from] == '}' || r.raw[from] == ']' {
		return Value{}, false
	}
	end := from + valueLen(r.raw[from:])
	v := Value{Raw: r.raw[from:end], Offset: r.offset + from}
	r.raw, r.offset = r.raw[end:], r.offset+end
	return v, true
}

// valueLen returns the length of the value at the beginning of s, which is valid JSON.
func valueLen(s []byte) int {
	switch s[0] {
	case '"':
		return stringLen(s, bytes.IndexByte)
	case '{', '[':
		end, _ := brackets(s)
		return end
	}
	if end := bytes.IndexAny(s, space+",:]}"); end >= 0 {
		return end
	}
	return len(s)
}

// brackets returns the length of the first object or array in s, with what is in front of it, and the offset of the
// first bracket that opens too deep in it, -1 if there is none.
func brackets(s []byte) (end, tooDeep int) {
	depth, tooDeep := 0, -1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			i += stringLen(s[i:], bytes.IndexByte) - 1
		case '{', '[':
			if depth++; depth > maxDepth && tooDeep < 0 {
				tooDeep = i
			}
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, tooDeep
			}
		}
	}
	return len(s), tooDeep
}
