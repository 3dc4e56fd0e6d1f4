// Package pycall reads calls of tools that are written in Python, with arguments by their names: as a list, as models
// of the Llama family write them, [edit_file(path="a.go", old_string="x", new_string="y")], or one below the other. It
// returns them as those of JSON. It also reads the arguments of calls as Gemma writes them, in braces.
//
// Values are strings, numbers, True, False, None, lists and dictionaries. Nothing else of Python is read: a name, an
// operator or a call in the place of a value is an error.
package pycall

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// Begins reports whether a text begins with a list of calls or with a call: with a bracket or none, a name, a
// parenthesis, and the name of an argument or nothing. Without a bracket, there is an argument.
func Begins(s string) bool {
	r := reader{src: s}
	listed := r.take('[')
	r.printed()
	return r.name() != "" && r.take('(') &&
		(listed && r.take(')') || r.name() != "" && r.take('=') && !r.take('='))
}

// Read reads the calls that begin at an offset: the tools, the arguments of each as an object, and the offset behind
// them. Every error is a [*jsonobj.Error]; then the calls that were complete are returned.
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
	return tools, arguments, r.at, r.err
}

// ReadBraced reads the arguments of a call, as Gemma writes them, from their opening brace on: {path:<|"|>a.go<|"|>}.
func ReadBraced(src string, offset int) (arguments jsonobj.Value, err error) {
	r := reader{src: src, at: offset, bare: true}
	arguments = r.value(0)
	return arguments, r.err
}

// A reader reads a text from left to right. Behind its first error it reads no more.
type reader struct {
	src  string
	at   int
	bare bool  // keys need no quotation marks
	err  error // a [*jsonobj.Error]
}

func (r *reader) fail(msg string) {
	switch {
	case r.err != nil:
	case r.at >= len(r.src):
		r.err = &jsonobj.Error{Offset: len(r.src), Msg: "the calls were cut off: send them again in full", CutOff: true}
	default:
		r.err = &jsonobj.Error{Offset: r.at, Msg: msg}
	}
}

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

func (r *reader) expect(b byte, where string) bool {
	taken := r.take(b)
	if !taken {
		r.fail("expected \"" + string(b) + "\" " + where)
	}
	return taken
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

// printed takes the beginning of a statement that prints what a call returns, as Gemini writes it, if there is one.
func (r *reader) printed() bool {
	r.space()
	inner, ok := strings.CutPrefix(r.src[r.at:], "print(")
	if ok = ok && Begins(inner); ok {
		r.at = len(r.src) - len(inner)
	}
	return ok
}

func (r *reader) call() (tool string, arguments jsonobj.Value) {
	if r.printed() {
		defer r.expect(')', "in a call")
	}
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

// object reads the fields behind an opening bracket. Key reads the name of one and what is between name and value.
func (r *reader) object(closing byte, key func() (name string), depth int) jsonobj.Value {
	from := r.at
	fields := jsonobj.NewObject(from - 1)
	r.elements(closing, betweenValues, func() {
		r.space()
		at := r.at
		name := key()
		fields.AddAt(name, at, r.value(depth))
	})
	return jsonobj.Value{Raw: []byte("{" + r.src[from:r.at]), Offset: from - 1, Fields: fields}
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

func (r *reader) value(depth int) jsonobj.Value {
	const deepest = 32
	if depth > deepest {
		r.fail("the values of a call lie too deep in each other: expected the arguments of a tool")
		return jsonobj.Value{}
	}
	r.space()
	from := r.at
	switch {
	case r.take('['):
		elems := []jsonobj.Value{} // not nil, even if there are none
		r.elements(']', betweenValues, func() { elems = append(elems, r.value(depth+1)) })
		return jsonobj.Value{Raw: []byte(r.src[from:r.at]), Offset: from, Elems: elems}
	case r.take('{'):
		return r.object('}', func() string {
			name, ok := r.text()
			if !ok && r.bare {
				name = r.name()
				ok = name != ""
			}
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
	n := len(r.src[r.at:]) - len(strings.TrimLeft(r.src[r.at:], "+-.0123456789eE"))
	if number := []byte(r.src[r.at : r.at+n]); json.Valid(number) { // no argument needs the others of Python
		r.at += n
		return jsonobj.Value{Raw: number, Offset: from}
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

// text reads a string, or several that Python joins, if there is one.
func (r *reader) text() (s string, found bool) {
	var b strings.Builder
	for {
		rest := strings.TrimLeft(r.src[r.at:], " \t\r\n")
		if r.bare && !found && r.marked(&b, rest) {
			return b.String(), true
		}
		raw, begin, ok := r.quote(rest)
		if !ok || r.err != nil {
			return b.String(), found
		}
		r.at, found = len(r.src)-len(rest)+begin, true
		r.content(&b, raw)
	}
}

// marked reads a string between two tokens, in which nothing is escaped. It reports whether there is one.
func (r *reader) marked(b *strings.Builder, rest string) bool {
	for _, mark := range []string{`<|"|>`, "<escape>"} {
		if content, ok := strings.CutPrefix(rest, mark); ok {
			content, rest, ok = strings.Cut(content, mark)
			if r.at = len(r.src) - len(rest); !ok {
				r.at = len(r.src)
				r.fail("")
			}
			b.WriteString(content)
			return true
		}
	}
	return false
}

// quote reports whether a text begins with a string, with a prefix of which length, and whether backslashes are text.
func (r *reader) quote(rest string) (raw bool, begin int, ok bool) {
	begin = len(rest) - len(strings.TrimLeft(rest, "rRuUfFbB"))
	if begin > len("rb") || begin == len(rest) || rest[begin] != '"' && rest[begin] != '\'' {
		return false, 0, false
	}
	prefix := rest[:begin]
	if prefix != "" && strings.Contains("fFbB", prefix[begin-1:]) {
		r.fail("a string has the prefix \"" + prefix + "\", which is not carried out: expected a string as it is")
	}
	return strings.ContainsAny(prefix, "rR"), begin, true
}

// content reads a string from its quotation mark on.
func (r *reader) content(b *strings.Builder, raw bool) {
	mark := r.src[r.at : r.at+1]
	if long := strings.Repeat(mark, 3); strings.HasPrefix(r.src[r.at:], long) {
		mark = long
	}
	r.at += len(mark)
	for r.err == nil {
		n := strings.IndexAny(r.src[r.at:], mark[:1]+"\\\r\n")
		if n < 0 {
			r.at = len(r.src)
			r.fail("")
			break
		}
		b.WriteString(r.src[r.at : r.at+n])
		r.at += n
		switch rest := r.src[r.at:]; {
		case strings.HasPrefix(rest, mark):
			r.at += len(mark)
			return
		case rest[0] == '\\':
			r.escape(b, raw)
		case rest[0] == '\n' && len(mark) == 1:
			r.fail("a string goes over the end of its line: expected \\n for a newline, or three quotation marks " +
				"around the string")
		case strings.HasPrefix(rest, "\r\n"):
			r.at++ // Python reads a line ending as a newline
		default:
			b.WriteByte(rest[0])
			r.at++
		}
	}
}

// hexDigits has how many digits of a number follow a backslash and a character.
var hexDigits = map[byte]int{'x': 2, 'u': 4, 'U': 8}

func (r *reader) escape(b *strings.Builder, raw bool) {
	rest := r.src[r.at+1:]
	if rest == "" || !raw && len(rest) <= hexDigits[rest[0]] {
		r.at = len(r.src)
		r.fail("")
		return
	}
	c := rest[0]
	if strings.HasPrefix(rest, "\r\n") {
		r.at, c = r.at+1, '\n'
	}
	switch {
	case raw:
		b.WriteString("\\" + string(c))
		r.at += 2
	case c == '\n': // the string goes on
		r.at += 2
	case '0' <= c && c <= '7': // a number of up to three digits
		digits := rest[:min(len(rest), 3)]
		digits = digits[:len(digits)-len(strings.TrimLeft(digits, "01234567"))]
		char, _ := strconv.ParseUint(digits, 8, 16)
		b.WriteRune(rune(char))
		r.at += 1 + len(digits)
	case strings.IndexByte("abfnrtv\\xuU'\"", c) >= 0: // as in Go
		char, _, behind, err := strconv.UnquoteChar(r.src[r.at:], c)
		if err != nil {
			r.fail("a string has a backslash with a number that is no character: expected one as in \\u00e9")
			return
		}
		b.WriteRune(char)
		r.at = len(r.src) - len(behind)
	case c == 'N':
		r.fail("a string has a character by its name, with \\N: expected the character itself")
	default: // Python keeps the backslash
		b.WriteByte('\\')
		r.at++
	}
}
