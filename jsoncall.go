package atomicedit

import (
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/names"
)

// A callReader reads the arguments of a call, or an object in them. It looks fields up by what they mean.
type callReader struct {
	*objectReader
	suffix string        // of the names of its fields, in messages
	strict []string      // the only names that it may have, if it belongs to one of [Tools]
	edits  []*callReader // that stand beside its fields, as tags can

	fields []namedField // that may mean something
	looked bool         // for them
}

// call returns the reader of the arguments v. Messages call them by the given name.
func (r *jsonReader) call(v jsonobj.Value, name string) (*callReader, error) {
	o, err := v.Object(name)
	if err != nil {
		return nil, r.refusal(err)
	}
	return r.readerOf(o, name), nil
}

// readerOf returns the reader of the fields of a call.
func (r *jsonReader) readerOf(fields *jsonobj.Object, name string) *callReader {
	all := struct { // one piece of memory
		call   callReader
		object objectReader
		fields [4]namedField
	}{object: objectReader{Object: fields, request: r, name: name}}
	all.call.objectReader, all.call.fields = &all.object, all.fields[:0]
	return &all.call
}

// allow records the first field that means none of the given ones, once for each object. It reports whether there is none.
func (o *callReader) allow(fields []field) bool {
	for i, name := range o.Names {
		n := namedField{name, o.At(i), meaningOf(name)}
		if o.reported || n.value.IsNull() || slices.ContainsFunc(fields, func(f field) bool { return o.is(n, f) }) {
			continue
		}
		switch m := n.means; {
		case m.harmless && hasValue(n, harmfulValues):
			o.fail("\"" + name + o.suffix + "\" is " + clip(string(n.value.Raw), 60) + ", which could say that the edit is not to be made: leave the field out, or the edit")
		case m.harmless, hasValue(n, harmlessValues), o.strict != nil && !slices.Contains(o.strict, name):
			continue
		case m.refused != "":
			o.fail("\"" + name + o.suffix + "\" " + m.refused)
		case o.strict != nil:
			o.fail("unknown field " + quote(name) + ": expected " + o.list(fields))
		default:
			o.fail("unknown field " + quote(name+o.suffix) + ", which could change what is meant: expected " + o.list(fields))
		}
		o.reported = true
	}
	return !o.reported
}

// list lists fields for a message, by the names that the request has for them.
func (o *callReader) list(fields []field) string {
	var list []string
	for _, f := range slices.Sorted(slices.Values(fields)) {
		if name := o.nameFor(f); !slices.Contains(anywhere, f) && !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}

// require records a field that is missing or null.
func (o *callReader) require(f field) {
	switch name := o.find(f); {
	case name == "":
		o.fail("the field \"" + o.nameFor(f) + o.suffix + "\" is missing: it is required")
	case !o.IsSet(name):
		o.fail("the field \"" + name + o.suffix + "\" is null: it must have a value")
	}
}

// need returns a required string.
func (o *callReader) need(f field) string {
	o.require(f)
	return o.text(f)
}

// needOrNull returns a required string, or "" for null.
func (o *callReader) needOrNull(f field) string {
	if name := o.find(f); name != "" && !o.IsSet(name) {
		return ""
	}
	return o.need(f)
}

// text returns a string. A field for lines, such as "old_lines", may hold them one by one.
func (o *callReader) text(f field) string {
	name := o.find(f)
	if lines, ok := o.linesIn(name); ok {
		return lines
	}
	s, err := o.Text(name)
	o.check(err)
	return s
}

// linesIn returns the text of a field whose name says that it holds lines, and whose value is a list of them.
func (o *callReader) linesIn(name string) (string, bool) {
	v, _ := o.Value(name)
	if v.Kind() != '[' || !strings.HasSuffix(normalName(name), "lines") {
		return "", false
	}
	values, err := v.Array("")
	lines := make([]string, len(values))
	for i := range values {
		if err == nil {
			lines[i], err = values[i].Text()
		}
		lines[i] = strings.TrimSuffix(lines[i], "\n")
	}
	return strings.Join(lines, "\n"), err == nil
}

// flag returns a boolean, which may be written as a string.
func (o *callReader) flag(f field) bool {
	name := o.find(f)
	v, _ := o.Value(name)
	if s, ok := v.Word(); ok && isFlag(s) {
		return strings.EqualFold(s, "true")
	}
	b, err := o.Bool(name)
	o.check(err)
	return b
}

// number returns a whole number that is at least least. It may be written as a string.
func (o *callReader) number(f field, least int) int {
	name := o.find(f)
	v, _ := o.Value(name)
	if s, ok := v.Word(); ok {
		if n, err := strconv.Atoi(s); err == nil && n >= least && n <= math.MaxInt32 {
			return n
		}
	}
	n, err := o.Int(name, least)
	o.check(err)
	return n
}

// hasValue reports whether n has a value that a table has for its name.
func hasValue(n namedField, table map[string][]string) bool {
	value, quoted := n.value.Word()
	if !quoted {
		value = string(n.value.Raw)
	}
	return slices.ContainsFunc(table[normalName(n.name)], func(s string) bool { return strings.EqualFold(s, value) })
}

// path returns a required path, joined to dir unless it is absolute.
func (o *callReader) path(f field, dir string) string {
	s := o.need(f)
	name := o.find(f)
	if scheme, _, ok := strings.Cut(s, "://"); ok && !strings.ContainsAny(scheme, `/\. `) {
		file, msg := pathOfURI(s)
		if msg != "" {
			o.fail("the field \"" + name + "\" is the URI " + quote(s) + ", which " + msg)
		}
		s = file
	}
	switch {
	case o.IsSet(name) && s == "":
		o.fail("the field \"" + name + "\" is empty: expected a path")
	case dir != "" && !path.IsAbs(names.WithSlashes(s)) && !strings.HasPrefix(s, "~/"):
		return path.Join(dir, s)
	}
	return s
}

// array returns the elements of an array, which must not be empty, and its name for messages. A string may hold the array, and an array
// of one array stands for that. Where the elements are objects, one alone stands for an array of one, and isOne is set.
func (o *callReader) array(f field) (values []jsonobj.Value, name string, isOne bool, err error) {
	name = o.find(f)
	v, ok := o.Value(name)
	if !ok {
		o.require(f)
		return nil, name, false, nil
	}
	if o.IsString(name) {
		s, err := o.Text(name)
		o.check(err)
		if v, err = jsonobj.ParseValue([]byte(s), v.Offset); err != nil {
			return nil, name, false, o.request.refusal(err)
		}
	}
	if v.Kind() == '{' && fieldTable[f].kind == 'l' {
		return []jsonobj.Value{v}, name, true, nil
	}
	quoted := "\"" + name + "\""
	for values == nil || len(values) == 1 && values[0].Raw[0] == '[' {
		if len(values) == 1 {
			v = values[0]
		}
		if values, err = v.Array(quoted); err != nil {
			return nil, name, false, o.request.refusal(err)
		}
		if len(values) == 0 {
			return nil, name, false, syntax(o.request.line(v.Offset), o.here()+quoted+" is empty: expected at least one element")
		}
	}
	return values, name, false, nil
}

// elements returns the objects of an array, which must exist and not be empty.
func (o *callReader) elements(f field) ([]*callReader, error) {
	values, name, isOne, err := o.array(f)
	if err != nil {
		return nil, err
	}
	if o.name != theRequest {
		name = o.name + ": " + name
	}
	elems := make([]*callReader, len(values))
	for i, v := range values {
		of := name
		if !isOne {
			of += "[" + strconv.Itoa(i) + "]"
		}
		if elems[i], err = o.request.call(v, of); err != nil {
			return nil, err
		}
	}
	return elems, nil
}
