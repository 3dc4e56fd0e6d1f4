package atomicedit

import (
	"bytes"
	"fmt"
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
type jsonRequest struct {
	data  []byte // the request
	texts bool   // numbers and flags may be strings
	found []Problem
}

func newJSONReader(data []byte) *jsonRequest {
	return &jsonRequest{data: data}
}

// problems returns the refusal of everything that was found, nil if nothing was.
func (r *jsonRequest) problems() error {
	if len(r.found) == 0 {
		return nil
	}
	return refuse(r.found...)
}

// refusal returns the refusal of JSON that cannot be read.
func (r *jsonRequest) refusal(err error) *Refusal {
	e := err.(*jsonobj.Error)
	if e.CutOff {
		return cutOff(r.line(e.Offset), Plan{}, e.Msg)
	}
	return syntax(r.line(e.Offset), e.Msg)
}

// record records that JSON cannot be read, up to as many problems as note.
func (r *jsonRequest) record(err error) {
	if len(r.found) < 20 {
		r.found = append(r.found, r.refusal(err).Problems...)
	}
}

// line returns the line of an offset.
func (r *jsonRequest) line(at int) int {
	return 1 + bytes.Count(r.data[:min(at, len(r.data))], []byte("\n"))
}

// theRequest is the name of the outermost object in messages.
const theRequest = "the request"

// A jsonObject reads the fields of one object. For a field that is missing or wrong, its methods return the zero value,
// and note the problem unless the field may be missing. They treat a field that is null as missing.
type jsonObject struct {
	jsonobj.Object
	*slots   // nil if the fields have one name each
	request  *jsonRequest
	name     string   // of the object, in messages
	suffix   string   // of the names of its fields, in messages
	strict   []string // the only names that it may have, if it belongs to one of [Tools]
	reported bool     // a field of it that is unknown, or contradicts another
}

// call returns the arguments v of a call, or an object in them. Messages call it by the given name.
func (r *jsonRequest) call(v jsonobj.Value, name string) (*jsonObject, error) {
	o := r.newObject(name)
	if err := v.Fill(&o.Object, name); err != nil {
		return nil, r.refusal(err)
	}
	o.resolve()
	return o, nil
}

// callOf returns the arguments of a call with the given fields.
func (r *jsonRequest) callOf(fields *jsonobj.Object, name string) *jsonObject {
	o := r.newObject(name)
	o.Object = *fields
	o.resolve()
	return o
}

// newObject returns an object without fields.
func (r *jsonRequest) newObject(name string) *jsonObject {
	all := struct { // one piece of memory
		object jsonObject
		slots  slots
	}{object: jsonObject{request: r, name: name}}
	all.object.slots = &all.slots
	return &all.object
}

// note records a problem of o, up to twenty: more would not help, and each has to count lines.
func (o *jsonObject) note(p Problem) {
	if r := o.request; len(r.found) < 20 {
		p.Line = r.line(o.Offset)
		r.found = append(r.found, p)
	}
}

// failf records that o cannot be read.
func (o *jsonObject) failf(format string, args ...any) {
	o.note(Problem{Err: ErrSyntax, Op: -1, Edit: -1, Msg: o.here() + fmt.Sprintf(format, args...)})
}

// here names o at the beginning of a message, unless it is clear from the line.
func (o *jsonObject) here() string {
	if o.name == theRequest {
		return ""
	}
	return o.name + ": "
}

// failed reports whether any problem has been found in the request.
func (o *jsonObject) failed() bool { return len(o.request.found) > 0 }

// fieldNames lists the fields for a message.
func (o *jsonObject) fieldNames() string {
	if len(o.Names) == 0 {
		return "no fields"
	}
	const enough = 100 // to be cut
	return "the " + plural(len(o.Names), "field") + " " + clip(strings.Join(o.Names[:min(len(o.Names), enough)], ", "), 200)
}

// allow records the first field that is not among names, once for each object.
func (o *jsonObject) allowNamed(names ...string) {
	for _, name := range o.Names {
		if o.IsSet(name) && !o.reported && !slices.Contains(names, name) {
			o.reported = true
			o.failf("unknown field %s: expected %s", quote(name), strings.Join(names, ", "))
		}
	}
}

// require records a field that is missing or null.
func (o *jsonObject) requireNamed(name string) {
	switch {
	case !o.Has(name):
		o.failf("the field %q is missing: it is required", name)
	case !o.IsSet(name):
		o.failf("the field %q is null: it must have a value", name)
	}
}

// text returns a string.
func (o *jsonObject) textNamed(name string) string {
	s, err := o.Text(name)
	o.check(err)
	return s
}

// flag returns a boolean.
func (o *jsonObject) flagNamed(name string) bool {
	b, err := o.Bool(name)
	o.check(err)
	return b
}

// number returns a whole number that is at least least.
func (o *jsonObject) numberNamed(name string, least int) int {
	n, err := o.Int(name, least)
	o.check(err)
	return n
}

// numbers returns an array of whole numbers.
func (o *jsonObject) numbersNamed(name string) []int {
	all, err := o.Ints(name)
	o.check(err)
	return all
}

// check records the error of reading a field.
func (o *jsonObject) check(err error) {
	if err != nil {
		o.failf("%s", err)
	}
}

// isTrue reports whether a field is true.
func (o *jsonObject) isTrue(name string) bool {
	is, _ := o.Bool(name)
	return is
}

// setNames returns the sorted names of the fields that are not null, at most as many as given.
func (o *jsonObject) setNames(most int) []string {
	var set []string
	for i, name := range o.Names {
		if !o.Values[i].IsNull() && len(set) < most {
			set = append(set, name)
		}
	}
	slices.Sort(set)
	return set
}
