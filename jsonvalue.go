package atomicedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
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
	keys   []string
	fields map[string]value
}

// object reads an object without looking into its fields. Its error says that the text is no JSON object.
func (d *document) object(v value, what string) (*object, error) {
	o := &object{doc: d, at: v.at, what: what, fields: map[string]value{}}
	r := d.reader(v)
	if err := r.open('{', what); err != nil {
		return nil, err
	}
	for r.dec.More() {
		key, err := r.dec.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			return nil, r.refuse(err)
		}
		field, err := r.value()
		if err != nil {
			return nil, err
		}
		if _, twice := o.fields[name]; twice {
			return nil, syntax(d.line(field.at), what+" has the field \""+name+"\" twice: expected it once")
		}
		o.keys, o.fields[name] = append(o.keys, name), field
	}
	return o, r.close()
}

// array reads an array without looking into its elements.
func (d *document) array(v value, what string) (elems []value, err error) {
	r := d.reader(v)
	if err := r.open('[', what); err != nil {
		return nil, err
	}
	for r.dec.More() {
		e, err := r.value()
		if err != nil {
			return nil, err
		}
		elems = append(elems, e)
	}
	return elems, r.close()
}

// A jsonReader reads one level of JSON.
type jsonReader struct {
	doc *document
	v   value
	dec *json.Decoder
}

func (d *document) reader(v value) jsonReader {
	return jsonReader{doc: d, v: v, dec: json.NewDecoder(bytes.NewReader(v.raw))}
}

func (r jsonReader) open(delim json.Delim, what string) error {
	t, err := r.dec.Token()
	if err != nil {
		return r.refuse(err)
	}
	if t != delim {
		kinds := map[json.Delim]string{'{': "an object", '[': "an array"}
		return syntax(r.doc.line(r.v.at), what+" is not "+kinds[delim]+": expected "+kinds[delim])
	}
	return nil
}

func (r jsonReader) value() (value, error) {
	var raw json.RawMessage
	if err := r.dec.Decode(&raw); err != nil {
		return value{}, r.refuse(err)
	}
	return value{raw: raw, at: r.v.at + int(r.dec.InputOffset()) - len(raw)}, nil
}

// close reads the end of the level, after which nothing may follow.
func (r jsonReader) close() error {
	if _, err := r.dec.Token(); err != nil {
		return r.refuse(err)
	}
	end := int(r.dec.InputOffset())
	if rest := bytes.TrimLeft(r.v.raw[end:], " \t\r\n"); len(rest) > 0 {
		return syntax(r.doc.line(r.v.at+len(r.v.raw)-len(rest)), "text after the JSON: expected nothing after its end, found "+quote(string(rest[:min(len(rest), 80)])))
	}
	return nil
}

// refuse returns the refusal for an error of the decoder.
func (r jsonReader) refuse(err error) error {
	line := r.doc.line(r.v.at + int(r.dec.InputOffset()))
	var bad *json.SyntaxError
	switch {
	case errors.As(err, &bad) && strings.HasPrefix(bad.Error(), "unexpected end"), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return cutOff(line, Plan{}, "the JSON was cut off: send it again, whole")
	case errors.As(err, &bad):
		return syntax(line, "no valid JSON: "+strings.TrimPrefix(bad.Error(), "json: "))
	}
	return syntax(line, "no valid JSON")
}

// problem notes a problem of o. After many, more would not help; and each costs a count of lines.
func (o *object) problem(p Problem) {
	if len(o.doc.problems) == 20 {
		return
	}
	p.Line = o.doc.line(o.at)
	o.doc.problems = append(o.doc.problems, p)
}

// fail notes that o cannot be understood.
func (o *object) fail(msg string) {
	o.problem(Problem{Err: ErrSyntax, Op: -1, Edit: -1, Msg: o.what + ": " + msg})
}

// wrap notes what another parser said of a text in o.
func (o *object) wrap(err error) {
	if err != nil && o.doc.err == nil {
		o.doc.err = err
	}
}

func (o *object) has(name string) bool { _, ok := o.fields[name]; return ok }

// names lists the fields for a message.
func (o *object) names() string {
	if len(o.keys) == 0 {
		return "no fields"
	}
	return "the fields " + clip(strings.Join(o.keys, ", "), 200)
}

// allow notes fields that are not among names.
func (o *object) allow(names ...string) {
	for _, k := range o.keys {
		if !slices.Contains(names, k) {
			o.fail("unknown field " + quote(k) + ": expected " + strings.Join(names, ", "))
			return
		}
	}
}

// require notes that a field is missing.
func (o *object) require(name string) {
	if !o.has(name) {
		o.fail("the field \"" + name + "\" is missing")
	}
}

// need returns a string that must be there.
func (o *object) need(name string) string {
	o.require(name)
	return o.text(name)
}

// text returns a string; null and a missing field are "".
func (o *object) text(name string) string {
	v, ok := o.fields[name]
	if !ok {
		return ""
	}
	var s *string
	if err := json.Unmarshal(v.raw, &s); err != nil {
		o.fail("the field \"" + name + "\" is no string: expected one")
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
	case o.has(name) && s == "":
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
		o.fail("the field \"" + name + "\" is not true or false: expected one of them")
	}
	return b
}

// number returns a whole number of at least least; null and a missing field are 0.
func (o *object) number(name string, least int) int {
	v, ok := o.fields[name]
	if !ok || string(v.raw) == "null" {
		return 0
	}
	var n int
	if err := json.Unmarshal(v.raw, &n); err != nil || n < least || n > maxJSON {
		o.fail("the field \"" + name + "\" is " + quote(string(v.raw)) + ": expected a whole number from " + strconv.Itoa(least))
		return 0
	}
	return n
}

// elements returns the objects of an array that must be there, and not empty. A string that holds the array is read as it.
func (o *object) elements(name string) []*object {
	o.require(name)
	v, ok := o.fields[name]
	if !ok {
		return nil
	}
	if name == "edits" && v.raw[0] == '"' {
		v.raw = []byte(o.text(name))
	}
	what := "\"" + name + "\""
	elems, err := o.doc.array(v, what)
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
	o.require(name)
	v, ok := o.fields[name]
	if !ok {
		return &object{doc: o.doc, at: o.at, what: name}
	}
	child, err := o.doc.object(v, "\""+name+"\"")
	if err != nil {
		o.wrap(err)
		return &object{doc: o.doc, at: v.at, what: name}
	}
	return child
}

// partialJSON returns what a request that was cut off asks for up to its last complete element of an array.
func partialJSON(data []byte, allowed []shape) Plan {
	var open []byte // the closing brackets still missing
	var best []byte // those missing after the last complete element
	quoted, end := false, 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if len(open) > 16 {
				return Plan{}
			}
			open = append(open, c+2) // '{'+2 is '}', '['+2 is ']'
		case c == '}' || c == ']':
			if len(open) == 0 {
				return Plan{}
			}
			open = open[:len(open)-1]
			if n := len(open); n > 0 && open[n-1] == ']' {
				best, end = slices.Clone(open), i+1
			}
		}
	}
	if end == 0 {
		return Plan{}
	}
	slices.Reverse(best)
	p, err := parseJSON(append(slices.Clone(data[:end]), best...), allowed)
	if err != nil {
		return Plan{}
	}
	return p
}
