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

	"github.com/atomicedit/atomicedit/internal/text"
)

// Parse reads a document. Every error is an [*Error]. Its message calls the document name.
func Parse(document []byte, name string) (Value, error) {
	whole := withoutHalfRune(document)
	v, err := ParseValue(whole, 0)
	cut := err != nil && err.(*Error).CutOff
	if !utf8.Valid(whole) || len(whole) < len(document) && !cut {
		return Value{}, &Error{Msg: name + " is not valid UTF-8: send it as UTF-8"}
	}
	return v, err
}

// withoutHalfRune returns data without an incomplete character at its end.
func withoutHalfRune(data []byte) []byte {
	for at := len(data) - 1; at >= max(0, len(data)-utf8.UTFMax+1); at-- {
		if !utf8.FullRune(data[at:]) {
			return data[:at]
		}
	}
	return data
}

// Close turns a document that was cut off into a valid one, and returns the value that it is, none if that is
// impossible. If the document ends in a field of the outermost object, and in no array, last names the field, whose
// string then ends where the document does. Otherwise Close drops everything after the outermost value, or else after
// the last complete element of an array and what is complete around it, and last is "".
func Close(document []byte) (v Value, last string) {
	document = withoutHalfRune(document)
	p := parser{src: document}
	v, ok := p.value(0)
	switch {
	case ok:
		return v, ""
	case p.at < len(document) && (document[p.at] != '\\' || len(document)-p.at >= len(`\u0000`)):
		return Value{}, "" // it is malformed
	case v.Kind() == '{' && p.open == 1 && (p.inString || p.end == 0):
		closing := "}"
		if p.inString {
			closing = "\"}"
		}
		v, _ = ParseValue(slices.Concat(document[:p.at], []byte(closing)), 0)
		if o, err := v.Object(""); err == nil && len(o.Names) > 0 {
			return v, o.Names[len(o.Names)-1]
		}
		return Value{}, ""
	}
	v, _ = ParseValue(slices.Concat(document[:p.end], p.missing), 0) // none if there is no element
	return v, ""
}

// An Error says why JSON cannot be read.
type Error struct {
	Offset int    // of the error in the document
	Msg    string // for whoever wrote the JSON
	CutOff bool   // the document ended too early
}

func (e *Error) Error() string { return e.Msg }

// A Value is a piece of valid JSON, or of another text that says the same.
type Value struct {
	Raw    []byte
	Offset int     // in the document; approximate for JSON in a string
	Fields *Object // of an object, once they have been read
	Elems  []Value // of an array, once they have been read
	text   string  // of a string that is written without JSON; Raw has its beginning in quotation marks, unescaped
}

// Equal reports whether two values are written in the same way.
func (v Value) Equal(w Value) bool { return bytes.Equal(v.Raw, w.Raw) && v.text == w.text }

// maxDepth is how deep values may lie in each other, so that a reader that goes through each level is linear.
const maxDepth = 64

// ParseValue parses a single value, which begins at an offset in its document. Every error is an [*Error].
func ParseValue(data []byte, offset int) (Value, error) {
	v, err := ParseFirst(data, offset)
	if err == nil && len(bytes.TrimLeft(data[v.Offset-offset+len(v.Raw):], space)) > 0 {
		return Value{}, syntaxError(data, offset)
	}
	return v, err
}

// ParseFirst is ParseValue of the value that data begins with, whatever comes after it.
func ParseFirst(data []byte, offset int) (Value, error) {
	p := parser{src: data, offset: offset}
	switch v, ok := p.value(0); {
	case p.tooDeep:
		return Value{}, &Error{Offset: offset + p.at, Msg: "the JSON is nested deeper than " +
			strconv.Itoa(maxDepth) + " levels: expected the arguments of a call"}
	case !ok:
		return Value{}, syntaxError(data, offset)
	default:
		return v, nil
	}
}

// syntaxError returns the error of data that is no JSON, in the words of encoding/json.
func syntaxError(data []byte, offset int) error {
	var bad *json.SyntaxError
	errors.As(json.Unmarshal(data, new(json.RawMessage)), &bad)
	e := &Error{Offset: offset + int(bad.Offset), Msg: "invalid JSON: " + bad.Error()}
	// At the end, encoding/json pretends to read a space.
	ended := int(bad.Offset) == len(data) && !bytes.HasSuffix(data, []byte(" "))
	switch msg := bad.Error(); {
	case strings.HasPrefix(msg, "unexpected end"), ended && strings.HasPrefix(msg, "invalid character ' '"):
		e.Msg, e.CutOff = "the JSON was cut off: send it again in full", true
	case strings.Contains(msg, "after top-level value"):
		e.Msg = "text after the JSON: expected nothing after its end"
	case strings.HasSuffix(msg, "in string literal"):
		e.Msg += ": expected it escaped, a newline as \\n and a tab as \\t"
	case strings.HasSuffix(msg, "in string escape code"):
		e.Msg += ": expected \\\\ for a backslash"
	}
	return e
}

// Array returns the elements of v. Every error is an [*Error]. Its message calls v name.
func (v Value) Array(name string) ([]Value, error) {
	if v.Kind() != '[' {
		return nil, v.wrongKind(name, "an array")
	}
	return v.opened().Elems, nil
}

// opened returns v with its fields or elements. Where a text has very many for its length, they are read when they are
// asked for: nobody may ask, and they would take far more memory than their text.
func (v Value) opened() Value {
	if v.Fields == nil && v.Elems == nil && (v.Kind() == '{' || v.Kind() == '[') {
		p := parser{src: v.Raw, offset: v.Offset}
		v, _ = p.value(0)
	}
	return v
}

func (v Value) wrongKind(name, expected string) error {
	return &Error{Offset: v.Offset, Msg: name + " is " + v.describe() + ": expected " + expected}
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
func (v Value) clip() string { return text.Clip(string(v.Raw[:min(len(v.Raw), 100)]), 60) }

// Kind returns the first byte of v, which tells what it is: '{', '[', '"', and so on; 0 if there is no value.
func (v Value) Kind() byte {
	if len(v.Raw) == 0 {
		return 0
	}
	return v.Raw[0]
}

// Word returns the text of a short string without escapes, and without spaces around it, for a number or a flag.
func (v Value) Word() (string, bool) {
	const longest = 64
	if v.Kind() != '"' || len(v.Raw) > longest || bytes.IndexByte(v.Raw, '\\') >= 0 {
		return "", false
	}
	return strings.TrimSpace(string(v.Raw[1 : len(v.Raw)-1])), true
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

// A parser reads JSON from left to right, once. It knows what is valid, not what is wrong.
type parser struct {
	src     []byte
	at      int
	offset  int  // of src in the document
	tooDeep bool // the bracket at at opens too deep, and nothing is read from there on
	kept    int  // how many fields and elements the values within the outermost one have

	// These are for Close.
	inString bool   // src ends within a string, or is not valid there
	open     int    // how many brackets are not closed
	end      int    // the offset behind the last element that is an object or an array, or behind what is around it
	within   int    // how many brackets are around the one that end stands within
	missing  []byte // the closing brackets that are missing at end
}

// keeps reports whether a value within as many brackets as depth says may have its fields or elements.
func (p *parser) keeps(depth int) bool {
	const sparse = 32 // bytes for each of them
	return depth == 0 || p.kept <= len(p.src)/sparse
}

func (p *parser) space() {
	for p.at < len(p.src) && (p.src[p.at] == ' ' || p.src[p.at] == '\n' || p.src[p.at] == '\t' || p.src[p.at] == '\r') {
		p.at++
	}
}

// take takes a byte, with white space in front of it. It reports whether it is there.
func (p *parser) take(b byte) bool {
	p.space()
	if p.at == len(p.src) || p.src[p.at] != b {
		return false
	}
	p.at++
	return true
}

// value reads a value within some brackets, with its fields or elements unless those are too many. Ok: it is valid.
func (p *parser) value(depth int) (v Value, ok bool) {
	p.space()
	from := p.at
	v.Offset = p.offset + from
	switch rest := p.src[from:]; {
	case len(rest) == 0:
	case rest[0] == '"':
		ok = p.string()
		p.inString = !ok
	case rest[0] == '{':
		if p.keeps(depth) {
			v.Fields = NewObject(v.Offset)
		}
		ok = p.list('}', depth, func() bool {
			p.space()
			at := p.at
			ok := at < len(p.src) && p.src[at] == '"' && p.string()
			key := p.src[at:p.at]
			if !ok || !p.take(':') {
				return false
			}
			value, ok := p.value(depth + 1)
			if p.kept++; p.keeps(depth) {
				name, _ := unquote(key)
				v.Fields.AddAt(name, p.offset+at, value)
			}
			return ok
		})
	case rest[0] == '[':
		ok = p.list(']', depth, func() bool {
			e, ok := p.value(depth + 1)
			if p.kept++; p.keeps(depth) {
				v.Elems = append(v.Elems, e)
			}
			if k := e.Kind(); ok && (k == '{' || k == '[') {
				p.end, p.within = p.at, depth
			}
			return ok
		})
	default:
		if n := bytes.IndexAny(rest, space+",:]}"); n >= 0 {
			rest = rest[:n]
		}
		p.at += len(rest)
		ok = json.Valid(rest)
	}
	if v.Raw = p.src[from:p.at]; !p.keeps(depth) {
		v.Fields, v.Elems = nil, nil
	}
	return v, ok
}

// list reads what stands between two brackets, with commas in between.
func (p *parser) list(closing byte, depth int, read func() bool) bool {
	if depth >= maxDepth {
		p.tooDeep = true
		return false
	}
	p.at++
	ended := p.take(closing)
	for !ended && read() {
		if ended = p.take(closing); !ended && !p.take(',') {
			break
		}
	}
	switch {
	case !ended:
		if p.open++; depth <= p.within {
			p.missing = append(p.missing, closing)
		}
	case depth <= p.within:
		p.end, p.within = p.at, depth-1
	}
	return ended
}

// string reads a string from its quotation mark on. It stops in front of a byte or an escape that is not valid.
func (p *parser) string() bool {
	for p.at++; p.at < len(p.src); p.at++ {
		switch c := p.src[p.at]; {
		case c == '"':
			p.at++
			return true
		case c < ' ':
			return false
		case c == '\\':
			if !isEscape(p.src[p.at+1:]) {
				return false
			}
			p.at++
		}
	}
	return false
}

// isEscape reports whether what follows a backslash stands for a character with it.
func isEscape(s []byte) bool {
	switch {
	case len(s) == 0:
		return false
	case s[0] != 'u':
		return escapes[s[0]] != 0
	}
	isHex := func(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }
	return len(s) > 4 && isHex(s[1]) && isHex(s[2]) && isHex(s[3]) && isHex(s[4])
}
