package atomicedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A document is a JSON request being read. It collects the problems found in it, so that readers need not stop at each.
type document struct {
	data     []byte
	problems []Problem
	err      error // a refusal by another parser, of a text in a field

	tool  string // the one tool whose calls are read, "" for any
	reads bool   // the call may be one that reads a file…
	view  *view  // …and then this is it
}

// or returns the name of a call that reads a file, for a list of what was expected.
func (d *document) or(call string) string {
	if d.reads {
		return call + ", "
	}
	return ""
}

func (d *document) failed() bool { return len(d.problems) > 0 || d.err != nil }

// refusal returns what was found, nil if nothing was.
func (d *document) refusal() error {
	switch {
	case d.err != nil:
		return d.err
	case len(d.problems) > 0:
		return refuse(d.problems...)
	}
	return nil
}

// line returns the line of an offset.
func (d *document) line(at int) int {
	return 1 + bytes.Count(d.data[:min(at, len(d.data))], []byte("\n"))
}

// A value is a piece of JSON and where it begins. In a string that holds JSON, that is where the string begins.
type value struct {
	raw []byte
	at  int
}

// An object is a JSON object, with the fields in their order. Its methods return zero values for what is missing or wrong, and
// note the problem; missing what is optional is none.
type object struct {
	doc    *document
	at     int
	what   string // what it is called in messages
	odd    bool   // a field that is not allowed was noted
	keys   []string
	fields map[string]value
}

// check checks that v is one piece of valid JSON with nothing after it. What is read of it later cannot fail but by its kind.
func (d *document) check(v value) error {
	if json.Valid(v.raw) {
		return nil
	}
	var raw json.RawMessage
	var bad *json.SyntaxError
	if !errors.As(json.Unmarshal(v.raw, &raw), &bad) {
		return nil
	}
	line := d.line(v.at + int(bad.Offset))
	ended := int(bad.Offset) == len(v.raw) && !bytes.HasSuffix(v.raw, []byte(" ")) // the decoder ends what it reads by a space
	switch msg := bad.Error(); {
	case strings.HasPrefix(msg, "unexpected end"), ended && strings.HasPrefix(msg, "invalid character ' '"):
		return cutOff(line, Plan{}, "the JSON was cut off: send it again, whole")
	case strings.Contains(msg, "after top-level value"):
		return syntax(line, "text after the JSON: expected nothing after its end")
	case strings.HasSuffix(msg, "in string literal"):
		return syntax(line, "no valid JSON: "+msg+": expected it escaped, a line ending as \\n and a tab as \\t")
	case strings.HasSuffix(msg, "in string escape code"):
		return syntax(line, "no valid JSON: "+msg+": expected \\\\ for a backslash")
	default:
		return syntax(line, "no valid JSON: "+msg)
	}
}

// object reads an object of checked JSON without looking into its fields.
func (d *document) object(v value, what string) (*object, error) {
	o := &object{doc: d, at: v.at, what: what, fields: map[string]value{}}
	l, err := d.level(v, '{', what+" is "+kindOfJSON(bytes.TrimLeft(v.raw, " \t\r\n"))+": expected an object")
	if err != nil {
		return nil, err
	}
	for key, ok := l.next(); ok; key, ok = l.next() {
		var name string
		if err := json.Unmarshal(key.raw, &name); err != nil {
			return nil, syntax(d.line(key.at), "no valid JSON: a field without name")
		}
		if _, twice := o.fields[name]; twice {
			return nil, syntax(d.line(key.at), what+" has the field \""+name+"\" twice: expected it once")
		}
		o.keys = append(o.keys, name)
		o.fields[name], _ = l.next()
	}
	return o, nil
}

// array reads an array of checked JSON without looking into its elements.
func (d *document) array(v value, what string) (elems []value, err error) {
	l, err := d.level(v, '[', what+" is "+kindOfJSON(bytes.TrimLeft(v.raw, " \t\r\n"))+": expected an array")
	if err != nil {
		return nil, err
	}
	for e, ok := l.next(); ok; e, ok = l.next() {
		elems = append(elems, e)
	}
	return elems, nil
}

// A level is what is left to read of an object or array, not of what is inside its values.
type level struct {
	raw []byte
	at  int // offset of raw
}

// level enters v, which begins with the given bracket; else msg is the problem.
func (d *document) level(v value, bracket byte, msg string) (*level, error) {
	l := &level{raw: v.raw, at: v.at}
	if l.skip(" \t\r\n"); len(l.raw) == 0 || l.raw[0] != bracket {
		return nil, syntax(d.line(l.at), msg)
	}
	l.take(1)
	return l, nil
}

// next returns the next key or value, and false at the end.
func (l *level) next() (value, bool) {
	l.skip(" \t\r\n,:")
	if len(l.raw) == 0 || l.raw[0] == '}' || l.raw[0] == ']' {
		return value{}, false
	}
	return l.take(valueLen(l.raw)), true
}

func (l *level) skip(chars string) {
	l.take(len(l.raw) - len(bytes.TrimLeft(l.raw, chars)))
}

func (l *level) take(n int) value {
	v := value{raw: l.raw[:n], at: l.at}
	l.raw, l.at = l.raw[n:], l.at+n
	return v
}

// valueLen returns the length of the value that valid JSON begins with.
func valueLen(s []byte) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return min(i+1, len(s))
		}
	}
	return len(s)
}

// problem notes a problem of o. After many, more would not help; and each costs a count of lines.
func (o *object) problem(p Problem) {
	if len(o.doc.problems) == 20 {
		return
	}
	p.Line = o.doc.line(o.at)
	o.doc.problems = append(o.doc.problems, p)
}

// theRequest is what the outermost object is called.
const theRequest = "the request"

// fail notes that o cannot be understood.
func (o *object) fail(msg string) {
	if o.what != theRequest { // which the line says already
		msg = o.what + ": " + msg
	}
	o.problem(Problem{Err: ErrSyntax, Op: -1, Edit: -1, Msg: msg})
}

// wrap notes what another parser said of a text in o.
func (o *object) wrap(err error) {
	if err != nil && o.doc.err == nil {
		o.doc.err = err
	}
}

func (o *object) has(name string) bool { _, ok := o.fields[name]; return ok }

// says reports whether a field is there and not null.
func (o *object) says(name string) bool {
	v, ok := o.fields[name]
	return ok && string(v.raw) != "null"
}

// names lists the fields for a message.
func (o *object) names() string {
	if len(o.keys) == 0 {
		return "no fields"
	}
	return "the " + plural(len(o.keys), "field") + " " + clip(strings.Join(o.keys, ", "), 200)
}

// allow notes the first field that is not among names, once for an object. One that is null asks for nothing.
func (o *object) allow(names ...string) {
	for _, k := range o.keys {
		if o.says(k) && !o.odd && !slices.Contains(names, k) {
			o.odd = true
			o.fail("unknown field " + quote(k) + ": expected " + strings.Join(names, ", "))
		}
	}
}

// require notes that a field is missing, or null.
func (o *object) require(name string) {
	switch {
	case !o.has(name):
		o.fail("the field \"" + name + "\" is missing: it must be there")
	case !o.says(name):
		o.fail("the field \"" + name + "\" is null: it must have a value")
	}
}

// need returns a string that must be there.
func (o *object) need(name string) string {
	o.require(name)
	return o.text(name)
}

// needOrNull returns a string that must be there, "" for null.
func (o *object) needOrNull(name string) string {
	if o.has(name) && !o.says(name) {
		return ""
	}
	return o.need(name)
}

// text returns a string; null and a missing field are "".
func (o *object) text(name string) string {
	v, ok := o.fields[name]
	if !ok {
		return ""
	}
	if n := len(v.raw); n > 1 && v.raw[0] == '"' && bytes.IndexByte(v.raw, '\\') < 0 {
		return string(v.raw[1 : n-1]) // checked, and nothing to decode
	}
	var s *string
	if err := json.Unmarshal(v.raw, &s); err != nil {
		o.fail("the field \"" + name + "\" is " + kindOfJSON(v.raw) + ": expected a string")
		return ""
	}
	if s == nil {
		return ""
	}
	if strings.Contains(*s, "\uFFFD") && !bytes.Contains(v.raw, []byte("\uFFFD")) && !bytes.Contains(bytes.ToLower(v.raw), []byte(`\ufffd`)) {
		o.fail("the field \"" + name + "\" has half of a surrogate pair: expected both halves, as in \"\\ud83d\\ude00\"")
	}
	return *s
}

// path returns a path that must be there.
func (o *object) path(name string) string { return o.pathIn(name, "") }

// pathIn returns a path that must be there, with a directory in front unless it is absolute.
func (o *object) pathIn(name, dir string) string {
	s := o.need(name)
	switch {
	case o.says(name) && s == "":
		o.fail("the field \"" + name + "\" is empty: expected a path")
	case dir != "" && !path.IsAbs(s) && !strings.HasPrefix(s, "~/"):
		return path.Join(dir, s)
	}
	return s
}

// flag returns a boolean; null and a missing field are false.
func (o *object) flag(name string) bool {
	var b bool
	if v, ok := o.fields[name]; ok && json.Unmarshal(v.raw, &b) != nil {
		o.fail("the field \"" + name + "\" is " + kindOfJSON(v.raw) + ": expected true or false")
	}
	return b
}

// wholeNumber reads a number without a fraction, in any of the ways that JSON has to write it.
func wholeNumber(raw []byte) (int, bool) {
	f, err := strconv.ParseFloat(string(raw), 64)
	return int(f), err == nil && f == math.Trunc(f) && math.Abs(f) <= math.MaxInt32
}

// number returns a whole number of at least least; null and a missing field are 0.
func (o *object) number(name string, least int) int {
	v, ok := o.fields[name]
	if !ok || string(v.raw) == "null" {
		return 0
	}
	n, ok := wholeNumber(v.raw)
	if !ok || n < least {
		o.fail("the field \"" + name + "\" is " + kindOfJSON(v.raw) + ": expected a whole number from " + strconv.Itoa(least))
		return 0
	}
	return n
}

// numbers returns an array of whole numbers; null and a missing field are nil.
func (o *object) numbers(name string) []int {
	v, ok := o.fields[name]
	if !ok || string(v.raw) == "null" {
		return nil
	}
	var elems []json.RawMessage
	whole := json.Unmarshal(v.raw, &elems) == nil
	all := make([]int, len(elems))
	for i, e := range elems {
		n, ok := wholeNumber(e)
		all[i], whole = n, whole && ok
	}
	if !whole {
		o.fail("the field \"" + name + "\" is " + clip(string(v.raw), 60) + ": expected an array of whole numbers")
		return nil
	}
	return all
}

// view makes the request one that reads the lines of a file from the first to the second of lines, or all.
func (o *object) view(path string, lines []int) {
	v := &view{path: path}
	switch {
	case len(lines) == 0:
	case len(lines) != 2:
		o.fail("the range has " + strconv.Itoa(len(lines)) + " " + plural(len(lines), "number") + ": expected two, the first and the last line to show")
	default:
		v.first, v.last = lines[0], lines[1]
		if v.last == -1 {
			v.last = 0
		}
		if v.first < 0 || v.last < 0 || v.last > 0 && v.last < v.first {
			o.fail("lines " + strconv.Itoa(lines[0]) + " to " + strconv.Itoa(lines[1]) + ": expected the first and the last line to show, counted from 1")
		}
	}
	o.doc.view = v
}

// elements returns the objects of an array that must be there, and not empty. A string that holds the array is read as it.
func (o *object) elements(name string) []*object {
	if !o.has(name) {
		o.require(name)
		return nil
	}
	v := o.fields[name]
	var err error
	if name == "edits" && v.raw[0] == '"' {
		v.raw = []byte(o.text(name))
		err = o.doc.check(v)
	}
	what := "\"" + name + "\""
	var elems []value
	if err == nil {
		elems, err = o.doc.array(v, what)
	}
	if err == nil && len(elems) == 0 {
		err = syntax(o.doc.line(v.at), what+" is empty: expected at least one element")
	}
	objects := make([]*object, 0, len(elems))
	for i, e := range elems {
		child, failed := o.doc.object(e, name+"["+strconv.Itoa(i)+"]")
		if err = failed; err != nil {
			break
		}
		objects = append(objects, child)
	}
	if err != nil {
		o.wrap(err)
		return nil
	}
	return objects
}

// child returns an object that must be there.
func (o *object) child(name string) *object {
	if !o.has(name) {
		o.require(name)
		return &object{doc: o.doc, at: o.at, what: name}
	}
	v := o.fields[name]
	child, err := o.doc.object(v, "\""+name+"\"")
	if err != nil {
		o.wrap(err)
		return &object{doc: o.doc, at: v.at, what: name}
	}
	return child
}

// v4a reads a field that holds a patch.
func (o *object) v4a(name string) Plan {
	text := o.need(name)
	if o.doc.failed() {
		return Plan{}
	}
	p, err := ParseV4A(text)
	o.wrap(err)
	return p
}

// wholePatch reads a field that holds a patch which says what files it is for.
func (o *object) wholePatch(name string) Plan {
	p := o.v4a(name)
	if slices.ContainsFunc(p.Ops, func(op Op) bool { return op.Path == "" }) {
		o.fail("the patch names no file: expected \"*** Begin Patch\" and \"*** Update File: path\" before its lines")
	}
	return p
}

// v4aFor reads a field that holds a patch of one file, with or without headers.
func (o *object) v4aFor(field, file string) Plan {
	for in := (scanner{src: o.text(field)}); in.scan(); {
		if isBlank(in.text) {
			continue
		}
		if in.text[0] != '@' && formatOf(&in) == formatUnified {
			o.fail("the patch begins like a unified diff, with " + quote(in.text) + ": expected the lines from the first \"@@\" on alone")
			return Plan{}
		}
		break
	}
	p := o.v4a(field)
	for _, op := range p.Ops {
		if op.Kind != OpEdit || op.Path != "" && path.Clean(op.Path) != path.Clean(file) {
			o.fail("the patch does more than to update " + quote(file) + ": expected only chunks for this file")
			return Plan{}
		}
	}
	return p.ForFile(file)
}

// kindOfJSON names a value of the wrong kind.
func kindOfJSON(raw []byte) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "the string " + clip(string(raw), 60)
	}
	return clip(string(raw), 60)
}
