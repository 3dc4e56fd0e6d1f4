package atomicedit

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// maxJSON is the size of the largest JSON request that is read, in bytes.
const maxJSON = 64 << 20

// parseJSON returns the value that a request is.
func parseJSON(data []byte) (jsonobj.Value, error) {
	switch {
	case len(data) > maxJSON:
		return jsonobj.Value{}, refuse(Problem{Err: ErrTooLarge, Op: -1, Edit: -1, Msg: "the request is larger than 64 MiB: send it in parts"})
	case len(bytes.TrimSpace(data)) == 0:
		return jsonobj.Value{}, syntax(1, "the request is empty: expected a JSON object")
	}
	v, err := jsonobj.Parse(data, theRequest)
	if err != nil {
		return jsonobj.Value{}, newJSONReader(data).refusal(err)
	}
	return v, nil
}

// parseValues returns the value that a request is, or the objects of one that has one after the other, as JSON lines do.
func parseValues(data []byte) ([]jsonobj.Value, error) {
	v, err := parseJSON(data)
	if err == nil {
		return []jsonobj.Value{v}, nil
	}
	if len(data) > maxJSON || !utf8.Valid(data) {
		return nil, err
	}
	var all []jsonobj.Value
	for at := 0; ; {
		at += len(data[at:]) - len(bytes.TrimLeft(data[at:], " \t\r\n"))
		if at == len(data) && len(all) > 1 {
			return all, nil
		}
		if at == len(data) || data[at] != '{' {
			return nil, err // that of all of it
		}
		v, problem := jsonobj.ParseFirst(data[at:], at)
		if problem != nil {
			return nil, newJSONReader(data).refusal(problem)
		}
		all = append(all, v)
		at += len(v.Raw)
	}
}

// A jsonReader reads one JSON request. It collects problems with single fields, so that one refusal can list them all. An error
// returned by a method ends the reading and replaces the problems.
type jsonReader struct {
	data  []byte // the request
	texts bool   // numbers and flags may be strings
	found []Problem
}

func newJSONReader(data []byte) *jsonReader {
	return &jsonReader{data: data}
}

// problems returns the refusal of everything that was found, nil if nothing was.
func (r *jsonReader) problems() error {
	if len(r.found) == 0 {
		return nil
	}
	return refuse(r.found...)
}

// refusal returns the refusal of JSON that cannot be read.
func (r *jsonReader) refusal(err error) *Refusal {
	e := err.(*jsonobj.Error)
	if e.CutOff {
		return cutOff(r.line(e.Offset), Plan{}, e.Msg)
	}
	return syntax(r.line(e.Offset), e.Msg)
}

// record records that JSON cannot be read, up to as many problems as note.
func (r *jsonReader) record(err error) {
	if len(r.found) < 20 {
		r.found = append(r.found, r.refusal(err).Problems...)
	}
}

// line returns the line of an offset.
func (r *jsonReader) line(at int) int {
	return 1 + bytes.Count(r.data[:min(at, len(r.data))], []byte("\n"))
}

// theRequest is the name of the outermost object in messages.
const theRequest = "the request"

// An objectReader reads the fields of one object. For a field that is missing or wrong, its methods return the zero value,
// and note the problem unless the field may be missing. They treat a field that is null as missing.
type objectReader struct {
	*jsonobj.Object
	request  *jsonReader
	name     string // of the object, in messages
	reported bool   // an unknown field of it
}

// note records a problem of o, up to twenty: more would not help, and each has to count lines.
func (o *objectReader) note(p Problem) {
	if r := o.request; len(r.found) < 20 {
		p.Line = r.line(o.Offset)
		r.found = append(r.found, p)
	}
}

// fail records that o cannot be read.
func (o *objectReader) fail(msg string) {
	o.note(Problem{Err: ErrSyntax, Op: -1, Edit: -1, Msg: o.here() + msg})
}

// here names o at the beginning of a message, unless it is clear from the line.
func (o *objectReader) here() string {
	if o.name == theRequest {
		return ""
	}
	return o.name + ": "
}

// failed reports whether any problem has been found in the request.
func (o *objectReader) failed() bool { return len(o.request.found) > 0 }

// fieldNames lists the fields for a message.
func (o *objectReader) fieldNames() string {
	if len(o.Names) == 0 {
		return "no fields"
	}
	const enough = 100 // to be cut
	return "the " + plural(len(o.Names), "field") + " " + clip(strings.Join(o.Names[:min(len(o.Names), enough)], ", "), 200)
}

// allow records the first field that is not among names, once for each object.
func (o *objectReader) allow(names ...string) {
	for _, name := range o.Names {
		if o.IsSet(name) && !o.reported && !slices.Contains(names, name) {
			o.reported = true
			o.fail("unknown field " + quote(name) + ": expected " + strings.Join(names, ", "))
		}
	}
}

// require records a field that is missing or null.
func (o *objectReader) require(name string) {
	switch {
	case !o.Has(name):
		o.fail("the field \"" + name + "\" is missing: it is required")
	case !o.IsSet(name):
		o.fail("the field \"" + name + "\" is null: it must have a value")
	}
}

// text returns a string.
func (o *objectReader) text(name string) string {
	s, err := o.Text(name)
	o.check(err)
	return s
}

// flag returns a boolean.
func (o *objectReader) flag(name string) bool {
	b, err := o.Bool(name)
	o.check(err)
	return b
}

// number returns a whole number that is at least least.
func (o *objectReader) number(name string, least int) int {
	n, err := o.Int(name, least)
	o.check(err)
	return n
}

// numbers returns an array of whole numbers.
func (o *objectReader) numbers(name string) []int {
	all, err := o.Ints(name)
	o.check(err)
	return all
}

// check records the error of reading a field.
func (o *objectReader) check(err error) {
	if err != nil {
		o.fail(err.Error())
	}
}
