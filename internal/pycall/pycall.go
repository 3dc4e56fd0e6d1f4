// Package pycall reads calls of tools that are written as a list in Python, with arguments by their names, as models of the Llama
// family write them: [edit_file(path="a.go", old_string="x", new_string="y")]. It turns them into JSON.
//
// Values are strings, numbers, True, False, None, lists and dictionaries. Nothing else of Python is read: a name, an operator or a call
// in the place of a value is an error.
package pycall

import (
	"bytes"
	"encoding/json"
	"strings"
)

// An Error says why calls cannot be read.
type Error struct {
	Offset int
	Msg    string // for whoever wrote the calls
	CutOff bool   // the text ended too early
}

func (e *Error) Error() string { return e.Msg }

// Begins reports whether a text begins with a list of calls: with a bracket, a name, a parenthesis, and the name of an argument or nothing.
func Begins(s string) bool {
	r := reader{src: s}
	if !r.take('[') || r.name() == "" || !r.take('(') {
		return false
	}
	return r.take(')') || r.name() != "" && r.take('=') && !r.take('=')
}

// Read reads the list of calls that begins at an offset of src. It returns the names of the tools, and as a document in JSON a list with
// the arguments of each. A value is on the same line of the document as in src. End is the offset behind the list. Every error is an
// [*Error]; then the calls that were complete are returned.
func Read(src string, offset int) (tools []string, document []byte, end int, err error) {
	r := reader{src: src, at: offset}
	r.out.Grow(len(src) + len(src)/4) // escapes are often longer in JSON
	r.out.Write(bytes.Repeat([]byte("\n"), strings.Count(src[:offset], "\n")))
	r.take('[')
	r.out.WriteByte('[')
	complete := r.out.Len()
	for first := true; !r.take(']'); first = false {
		if !first && (!r.expect(',', "between two calls") || r.take(']')) {
			break
		}
		if !first {
			r.out.WriteByte(',')
		}
		tool := r.call()
		if r.err != nil {
			break
		}
		tools, complete = append(tools, tool), r.out.Len()
	}
	document = append(r.out.Bytes()[:complete:complete], ']')
	if r.err != nil {
		return tools, document, r.at, r.err
	}
	return tools, document, r.at, nil
}

// A reader reads a text from left to right, and writes JSON. Behind its first error it reads no more.
type reader struct {
	src string
	at  int
	out bytes.Buffer
	err *Error
}

// maxDepth is how deep values may lie in each other.
const maxDepth = 32

func (r *reader) fail(msg string) {
	if r.err == nil {
		r.err = &Error{Offset: min(r.at, len(r.src)), Msg: msg}
		if r.at >= len(r.src) {
			r.err.Msg, r.err.CutOff = "the calls were cut off: send them again in full", true
		}
	}
}

// space skips white space, and writes its line endings.
func (r *reader) space() {
	for ; r.at < len(r.src); r.at++ {
		switch r.src[r.at] {
		case '\n':
			r.out.WriteByte('\n')
		case ' ', '\t', '\r':
		default:
			return
		}
	}
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

// call reads a call, and writes its arguments. It returns the name of the tool.
func (r *reader) call() (tool string) {
	if tool = r.name(); tool == "" {
		r.fail("expected the name of a tool in the list of calls")
	}
	if !r.expect('(', "in a call") {
		return ""
	}
	r.out.WriteByte('{')
	r.elements(')', func() {
		name := r.name()
		if name == "" || !r.take('=') {
			r.fail("an argument of " + tool + " has no name: expected each with its name, as in path=\"a.go\"")
			return
		}
		r.writeString(name)
		r.out.WriteByte(':')
		r.value(0)
	})
	r.out.WriteByte('}')
	return tool
}

// elements reads elements with commas between them, up to a closing bracket.
func (r *reader) elements(closing byte, read func()) {
	for first := true; r.err == nil && !r.take(closing); first = false {
		if !first && (!r.expect(',', "between two values in a call") || r.take(closing)) {
			return
		}
		if !first {
			r.out.WriteByte(',')
		}
		read()
	}
}

// constants are the names that are values. Models also write those of JSON.
var constants = map[string]string{"True": "true", "False": "false", "None": "null", "true": "true", "false": "false", "null": "null"}

// value reads a value.
func (r *reader) value(depth int) {
	if depth > maxDepth {
		r.fail("the values of a call lie too deep in each other: expected the arguments of a tool")
		return
	}
	switch {
	case r.take('['):
		r.out.WriteByte('[')
		r.elements(']', func() { r.value(depth + 1) })
		r.out.WriteByte(']')
	case r.take('{'):
		r.out.WriteByte('{')
		r.elements('}', func() {
			if !r.text() || !r.expect(':', "behind a key in a call") {
				r.fail("a key of a dictionary is no string: expected one in quotation marks")
				return
			}
			r.out.WriteByte(':')
			r.value(depth + 1)
		})
		r.out.WriteByte('}')
	case r.take('('):
		r.value(depth + 1)
		r.expect(')', "behind a value in a call")
	case r.text(), r.number():
	default:
		from := r.at
		constant := constants[r.name()]
		if constant == "" {
			if r.at < len(r.src) {
				r.at = from
			}
			r.fail("expected a value here: a string in quotation marks, a number, True, False, None, a list or a dictionary")
		}
		r.out.WriteString(constant)
	}
}

// number reads a number, if there is one. JSON has no others.
func (r *reader) number() bool {
	r.space()
	from := r.at
	for r.at < len(r.src) && strings.IndexByte("+-.0123456789eE", r.src[r.at]) >= 0 {
		r.at++
	}
	number := r.src[from:r.at]
	if !json.Valid([]byte(number)) {
		r.at = from
		return false
	}
	r.out.WriteString(number)
	return true
}
