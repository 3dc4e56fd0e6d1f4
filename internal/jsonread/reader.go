// Package jsonread reads the objects of a JSON request by what their fields mean. In comes the request; out come texts,
// numbers, flags and lists, and one refusal with all the problems that were found.
package jsonread

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// maxJSON is the size of the largest JSON request that is read, in bytes.
const maxJSON = 64 << 20

// ParseJSON returns the value that a request is.
func ParseJSON(data []byte) (jsonobj.Value, error) {
	switch {
	case len(data) > maxJSON:
		return jsonobj.Value{}, plan.Refuse(plan.Problem{Err: errs.ErrTooLarge, Op: -1, Edit: -1,
			Msg: "the request is larger than 64 MiB: send it in parts"})
	case len(bytes.TrimSpace(data)) == 0:
		return jsonobj.Value{}, plan.NoRequest("the request is empty: expected a JSON object")
	}
	v, err := jsonobj.Parse(data, TheRequest)
	if err != nil {
		return jsonobj.Value{}, NewRequest(data).Refusal(err)
	}
	return v, nil
}

// ParseValues returns the value that a request is, or the objects that stand one after the other, as in JSON lines.
// With an error, it returns those in front of it.
func ParseValues(data []byte) (all []jsonobj.Value, err error) {
	v, err := ParseJSON(data)
	if err == nil {
		return []jsonobj.Value{v}, nil
	}
	if len(data) > maxJSON || !utf8.Valid(data) {
		return nil, err
	}
	for rest := data; ; {
		rest = bytes.TrimLeft(rest, " \t\r\n")
		switch {
		case len(rest) == 0 && len(all) > 1:
			return all, nil
		case len(rest) == 0, rest[0] != '{':
			return all, err // that of all of it
		}
		v, problem := jsonobj.ParseFirst(rest, len(data)-len(rest))
		if problem != nil {
			return all, NewRequest(data).Refusal(problem)
		}
		all, rest = append(all, v), rest[len(v.Raw):]
	}
}

// A Request reads one JSON request. It collects problems with single fields, so that one refusal can list them all. An
// error that a method returns, or records with Stop, takes the place of the problems.
type Request struct {
	Data  []byte // the request
	Texts bool   // the texts of its fields stand in it as they are
	Found []plan.Problem

	Stopped error // the first that was recorded with Stop
}

func NewRequest(data []byte) *Request { return &Request{Data: data} }

// Stop records an error after which nothing else counts. It reports whether it is one.
func (r *Request) Stop(err error) bool {
	if r.Stopped == nil {
		r.Stopped = err
	}
	return err != nil
}

// StopAt records that what is at an offset ends all reading.
func (r *Request) StopAt(at int, msg string) { r.Stop(plan.Syntax(r.Line(at), msg)) }

// Problems returns the refusal of everything that was found, nil if nothing was.
func (r *Request) Problems() error {
	if len(r.Found) == 0 || r.Stopped != nil {
		return r.Stopped
	}
	return plan.Refuse(r.Found...)
}

// Refusal returns the refusal of JSON that cannot be read.
func (r *Request) Refusal(err error) *plan.Refusal {
	e := err.(*jsonobj.Error)
	if e.CutOff {
		return plan.CutOff(r.Line(e.Offset), plan.Plan{}, e.Msg)
	}
	return plan.Syntax(r.Line(e.Offset), e.Msg)
}

// NotUTF8 returns the refusal of text at an offset that is not UTF-8.
func (r *Request) NotUTF8(at int) error {
	return plan.Syntax(r.Line(at), TheRequest+" is not valid UTF-8: send it as UTF-8")
}

// Full reports whether no more problems are noted: more would not help, and each has to count lines.
func (r *Request) Full() bool { return len(r.Found) >= 20 }

// Record records that JSON cannot be read.
func (r *Request) Record(err error) {
	if !r.Full() {
		r.Found = append(r.Found, r.Refusal(err).Problems...)
	}
}

func (r *Request) Line(at int) int {
	return 1 + bytes.Count(r.Data[:min(at, len(r.Data))], []byte("\n"))
}

// TheRequest is the name of the outermost object in messages.
const TheRequest = "the request"

// An Object reads the fields of one object. For a field that is missing or wrong, its methods return the zero value,
// and note the problem unless the field may be missing. They treat a field that is null as missing.
type Object struct {
	jsonobj.Object
	slots    // zero if the fields have one name each
	Request  *Request
	Name     string   // of the object, in messages
	Suffix   string   // of the names of its fields, in messages
	Strict   []string // the only names that it may have, if it belongs to one of [Tools]
	Reported bool     // a field of it that is unknown, or contradicts another
}

// Call returns the arguments v of a call, or an object in them. Messages call it by the given name.
func (r *Request) Call(v jsonobj.Value, name string) (*Object, error) {
	fields, err := v.Object(name)
	if err != nil {
		return nil, r.Refusal(err)
	}
	return r.CallOf(fields, name), nil
}

// CallOf is Call of fields that have been read.
func (r *Request) CallOf(fields *jsonobj.Object, name string) *Object {
	o := &Object{Request: r, Name: name}
	o.setFields(*fields)
	return o
}

func (o *Object) Note(p plan.Problem) {
	if r := o.Request; !r.Full() {
		p.Line = r.Line(o.Offset)
		r.Found = append(r.Found, p)
	}
}

func (o *Object) Failf(format string, args ...any) {
	if !o.Request.Full() {
		o.Note(plan.Problem{Err: errs.ErrSyntax, Op: -1, Edit: -1, Msg: o.Here() + fmt.Sprintf(format, args...)})
	}
}

// FailOnce is Failf for the first problem with the fields of o, which may be behind the others.
func (o *Object) FailOnce(format string, args ...any) {
	if !o.Reported {
		o.Reported = true
		o.Failf(format, args...)
	}
}

// Here names o at the beginning of a message, unless it is clear from the line.
func (o *Object) Here() string {
	if o.Name == TheRequest {
		return ""
	}
	return o.Name + ": "
}

func (o *Object) Failed() bool { return len(o.Request.Found) > 0 || o.Request.Stopped != nil }

func (o *Object) FieldNames() string {
	if len(o.Names) == 0 {
		return "no fields"
	}
	return "the " + plan.Plural(len(o.Names), "field") + " " + text.Clip(strings.Join(o.Names, ", "), 200)
}

// AllowNamed records the fields that are not among names, once for each object.
func (o *Object) AllowNamed(names ...string) { o.AllowAmong(names, names) }

// AllowAmong is AllowNamed where the message shows only some of the names.
func (o *Object) AllowAmong(names, shown []string) {
	var unknown []string
	for _, name := range o.Names {
		m := field.MeaningOf(name)
		harmless := m.Harmless && (len(m.Values) == 0 || m.IsHarmless(WordOf(o.Value(name))))
		if o.IsSet(name) && !slices.Contains(names, name) && !harmless && len(unknown) < 10 {
			unknown = append(unknown, plan.Excerpt(name))
		}
	}
	if len(unknown) > 0 {
		o.FailOnce("unknown %s %s: expected %s", plan.Plural(len(unknown), "field"), strings.Join(unknown, ", "),
			strings.Join(shown, ", "))
	}
}

// RequireNamed reports whether a field is there and not null, and records it otherwise.
func (o *Object) RequireNamed(name string) bool {
	switch {
	case !o.Has(name):
		o.Failf("the field %q is missing: it is required", name)
	case !o.IsSet(name):
		o.Failf("the field %q is null: it must have a value", name)
	}
	return o.IsSet(name)
}

func (o *Object) TextNamed(name string) string {
	s, err := o.Text(name)
	o.Check(err)
	return s
}

func (o *Object) FlagNamed(name string) bool {
	b, err := o.Value(name).BoolOf(name)
	o.Check(err)
	return b
}

func (o *Object) NumberNamed(name string, least int) int {
	n, err := o.Value(name).IntOf(name, least)
	o.Check(err)
	return n
}

func (o *Object) Check(err error) {
	if err != nil {
		o.Failf("%s", err)
	}
}

// Said returns the string in a field, "" if there is none.
func (o *Object) Said(name string) string {
	s, _ := o.Text(name)
	return s
}

// IsTrue reports whether a field is true, and IsFalse whether it is false.
func (o *Object) IsTrue(name string) bool  { return string(o.Value(name).Raw) == "true" }
func (o *Object) IsFalse(name string) bool { return string(o.Value(name).Raw) == "false" }

// SetNames returns the sorted names of the fields that are not null, at most as many as given.
func (o *Object) SetNames(most int) []string {
	var set []string
	for i, name := range o.Names {
		if !o.Values[i].IsNull() && len(set) < most {
			set = append(set, name)
		}
	}
	slices.Sort(set)
	return set
}
