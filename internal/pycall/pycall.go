// Package pycall reads calls of tools that are written in Python, with arguments by their names: as a list, as models of
// the Llama family write them, [edit_file(path="a.go", old_string="x", new_string="y")], or one below the other. It
// returns them as those of JSON.
//
// Values are strings, numbers, True, False, None, lists and dictionaries. Nothing else of Python is read: a name, an
// operator or a call in the place of a value is an error.
package pycall

import (
	"encoding/json"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// Begins reports whether a text begins with a list of calls or with a call: with a bracket or none, a name, a
// parenthesis, and the name of an argument or nothing. Without a bracket, there is an argument.
func Begins(s string) bool {
	r := reader{src: s}
	listed := r.take('[')
	if r.name() == "" || !r.take('(') {
		return false
	}
	return listed && r.take(')') || r.name() != "" && r.take('=') && !r.take('=')
}

// Read reads the calls that begin at an offset of src. It returns the names of the tools, and the arguments of each as
// an object. End is the offset behind the calls. Every error is a [*jsonobj.Error]; then the calls that were complete
// are returned.
func Read(src string, offset int) (tools []string, arguments []jsonobj.Value, end int, err error) {
	r := reader{src: src, at: offset}
	call := func() {
		if tool, of := r.call(); r.err == nil {
			tools, arguments = append(tools, tool), append(arguments, of)
		}
	}
	if r.take('[') {
		r.elements(']', "between two calls", call)
	} else {
		for call(); r.err == nil && Begins(src[r.at:]); call() {
		}
	}
	if r.err != nil {
		return tools, arguments, r.at, r.err
	}
	return tools, arguments, r.at, nil
}

// A reader reads a text from left to right. Behind its first error it reads no more.
type reader struct {
	src string
	at  int
	err *jsonobj.Error
}

// maxDepth is how deep values may lie in each other.
const maxDepth = 32

func (r *reader) fail(msg string) {
	if r.err == nil {
		r.err = &jsonobj.Error{Offset: min(r.at, len(r.src)), Msg: msg}
		if r.at >= len(r.src) {
			r.err.Msg, r.err.CutOff = "the calls were cut off: send them again in full", true
		}
	}
}

// space skips white space.
func (r *reader) space() {
	r.at = len(r.src) - len(strings.TrimLeft(r.src[r.at:], " \t\r\n"))
}

// take takes a byte, with white space in front of it. It reports whether it is there.
func (r *reader) take(b byte) bool {
	r.space()
	if r.err != nil || r.at == len(r.src) || r.src[r.at] != b {
		return false
	}
	r.at++
	return true
}

// expect takes a byte that must be there.
func (r *reader) expect(b byte, where string) bool {
	if !r.take(b) {
		r.fail("expected \"" + string(b) + "\" " + where)
		return false
	}
	return true
}

// name takes a name, which may have several parts with dots between them. It returns "" if there is none.
func (r *reader) name() string {
	r.space()
	from := r.at
	for r.at < len(r.src) && isNameByte(r.src[r.at], r.at == from) {
		r.at++
	}
	return r.src[from:r.at]
}

func isNameByte(b byte, first bool) bool {
	return 'a' <= b|0x20 && b|0x20 <= 'z' || b == '_' || !first && ('0' <= b && b <= '9' || b == '.')
}

// call reads a call. It returns the name of the tool, and the arguments.
func (r *reader) call() (tool string, arguments jsonobj.Value) {
	if tool = r.name(); tool == "" {
		r.fail("expected the name of a tool in the list of calls")
	}
	if !r.expect('(', "in a call") {
		return "", jsonobj.Value{}
	}
	arguments = r.object(')', func() (name string) {
		if name = r.name(); name == "" || !r.take('=') {
			r.fail("an argument of " + tool + " has no name: expected each with its name, as in path=\"a.go\"")
		}
		return name
	}, 0)
	return tool, arguments
}

// object reads what stands behind an opening bracket: fields, of which key reads the name and what is between name and
// value.
func (r *reader) object(closing byte, key func() (name string), depth int) jsonobj.Value {
	from := r.at
	var keys []jsonobj.Key
	var values []jsonobj.Value
	r.elements(closing, betweenValues, func() {
		r.space()
		at := r.at
		name := key()
		keys = append(keys, jsonobj.Key{Name: name, Offset: at})
		values = append(values, r.value(depth))
	})
	return jsonobj.OfParts("{"+r.src[from:r.at], from-1, keys, values)
}

const betweenValues = "between two values in a call"

// elements reads elements with commas between them, up to a closing bracket.
func (r *reader) elements(closing byte, between string, read func()) {
	for first := true; r.err == nil && !r.take(closing); first = false {
		if !first && (!r.expect(',', between) || r.take(closing)) {
			return
		}
		read()
	}
}

// constants are the names that are values. Models also write those of JSON.
var constants = map[string]string{"True": "true", "False": "false", "None": "null", "true": "true", "false": "false",
	"null": "null"}

// value reads a value.
func (r *reader) value(depth int) jsonobj.Value {
	if depth > maxDepth {
		r.fail("the values of a call lie too deep in each other: expected the arguments of a tool")
		return jsonobj.Value{}
	}
	r.space()
	from := r.at
	switch {
	case r.err != nil:
	case r.take('['):
		var elems []jsonobj.Value
		r.elements(']', betweenValues, func() { elems = append(elems, r.value(depth+1)) })
		return jsonobj.OfParts(r.src[from:r.at], from, nil, elems)
	case r.take('{'):
		return r.object('}', func() string {
			name, ok := r.text()
			if !ok || !r.expect(':', "behind a key in a call") {
				r.fail("a key of a dictionary is no string: expected one in quotation marks")
			}
			return name
		}, depth+1)
	case r.take('('):
		v := r.value(depth + 1)
		r.expect(')', "behind a value in a call")
		return v
	}
	if s, ok := r.text(); ok {
		return jsonobj.OfText(s, from)
	}
	if number := r.number(); number != "" {
		return jsonobj.Value{Raw: []byte(number), Offset: from}
	}
	constant := constants[r.name()]
	if constant == "" {
		if r.at < len(r.src) {
			r.at = from
		}
		r.fail("expected a value here: a string in quotation marks, a number, True, False, None, a list or a " +
			"dictionary")
	}
	return jsonobj.Value{Raw: []byte(constant), Offset: from}
}

// number reads a number of JSON, "" if there is none. Python has others, which no argument needs.
func (r *reader) number() string {
	n := len(r.src[r.at:]) - len(strings.TrimLeft(r.src[r.at:], "+-.0123456789eE"))
	number := r.src[r.at : r.at+n]
	if !json.Valid([]byte(number)) {
		return ""
	}
	r.at += n
	return number
}
