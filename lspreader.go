package atomicedit

import (
	"strconv"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// isLSP reports whether JSON has the form of a change in the Language Server Protocol: text edits, or a workspace edit. A tool may have
// fields of the same names for something else.
func isLSP(v jsonobj.Value) bool {
	if v.Kind() == '[' {
		elems, err := v.Array("")
		return err == nil && len(elems) > 0 && isTextEdit(elems[0])
	}
	o, err := v.Object("")
	switch {
	case err != nil:
		return false
	case o.IsSet("documentChanges"), isTextEdit(v):
		return true
	case !o.IsSet("changes"):
		return false
	}
	changes, _ := o.Value("changes")
	documents, err := changes.Object("")
	if err != nil || len(documents.Names) == 0 {
		return false
	}
	first, _ := documents.Value(documents.Names[0])
	return first.Kind() == '['
}

// isTextEdit reports whether JSON has the form of a TextEdit.
func isTextEdit(v jsonobj.Value) bool {
	o, err := v.Object("")
	return err == nil && o.Has("range") && (o.Has("newText") || o.Has("snippet"))
}

// An lspObject reads an object of the Language Server Protocol. Its fields have one name each. What is no object, though it should be, is
// recorded as a problem.
type lspObject struct{ *objectReader }

// lspObject returns the object v. Messages call it by the given name. If v is no object, what lspObject returns has no fields.
func (r *jsonReader) lspObject(v jsonobj.Value, name string) (o lspObject, ok bool) {
	object, err := v.Object(name)
	if err != nil {
		r.record(err)
		return r.noObject(name), false
	}
	return lspObject{&objectReader{Object: object, request: r, name: name}}, true
}

// noObject returns an object without fields.
func (r *jsonReader) noObject(name string) lspObject {
	return lspObject{&objectReader{Object: &jsonobj.Object{}, request: r, name: name}}
}

// lspObjects returns the objects of a list.
func (r *jsonReader) lspObjects(v jsonobj.Value, name string) (all []lspObject) {
	values, err := v.Array(name)
	if err != nil {
		r.record(err)
	}
	for i, v := range values {
		if o, ok := r.lspObject(v, name+"["+strconv.Itoa(i)+"]"); ok {
			all = append(all, o)
		}
	}
	return all
}

// has requires a field, and reports whether it is there.
func (o lspObject) has(name string) bool {
	o.require(name)
	return o.IsSet(name)
}

// part returns the object in a required field. If there is none, what part returns has no fields.
func (o lspObject) part(name string) (part lspObject, ok bool) {
	if !o.has(name) {
		return o.request.noObject(name), false
	}
	v, _ := o.Value(name)
	if o.name != theRequest {
		name = o.name + "." + name
	}
	return o.request.lspObject(v, name)
}
