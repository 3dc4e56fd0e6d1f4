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

// lspFields are the fields of a workspace edit, and the one that it may lie in.
var lspFields = []string{"changes", "documentChanges", "edit"}

// lspIn returns the text edits or the workspace edit that JSON is or, as a request of a language server or a code action, has. It reports
// whether there is one.
func (r *jsonReader) lspIn(v jsonobj.Value) (edit jsonobj.Value, ok bool) {
	if v.Kind() == '[' {
		return r.lspInAction(v)
	}
	o, err := r.call(v, theRequest)
	switch {
	case err != nil, o.isNamed(pathField):
		return v, false
	case isLSP(v):
		return v, true
	}
	if method, _ := o.Text("method"); o.IsSet("jsonrpc") && method == "workspace/applyEdit" {
		params, _ := o.Value("params")
		return r.lspIn(params)
	}
	edit, _ = o.Value("edit")
	if edit.Kind() != '{' || !isLSP(edit) {
		return v, false
	}
	for _, name := range []string{"command", "disabled"} { // of a code action
		if o.IsSet(name) {
			o.fail("\"" + name + "\" stands beside \"edit\", so the edit is not all of it or cannot be made: expected the edit alone")
		}
	}
	return edit, true
}

// lspInAction returns the workspace edit of a code action that is alone in a list.
func (r *jsonReader) lspInAction(v jsonobj.Value) (edit jsonobj.Value, ok bool) {
	all, err := v.Array(theRequest)
	switch {
	case err != nil || len(all) == 0:
		return v, false
	case isTextEdit(all[0]):
		return v, true
	}
	if edit, ok = r.lspIn(all[0]); ok && all[0].Kind() == '{' && len(all) > 1 {
		r.record(&jsonobj.Error{Offset: all[1].Offset, Msg: "the request has several code actions, of which a user chooses one: expected the one to make"})
	}
	return edit, ok
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
