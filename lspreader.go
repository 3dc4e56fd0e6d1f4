package atomicedit

import (
	"strconv"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// isWorkspaceEdit reports whether an object has the form of a workspace edit of the Language Server Protocol. A tool may have fields of
// the same names for something else.
func isWorkspaceEdit(o *jsonobj.Object) bool {
	if o.IsSet("documentChanges") || !o.IsSet("changes") {
		return o.IsSet("documentChanges")
	}
	changes, _ := o.Value("changes")
	documents, err := changes.Object("")
	if err != nil || len(documents.Names) == 0 {
		return false
	}
	return documents.Values[0].Kind() == '['
}

// isTextEdit reports whether an object has the form of a TextEdit.
func isTextEdit(o *jsonobj.Object) bool {
	return o.Has("range") && (o.Has("newText") || o.Has("snippet"))
}

// lspFields are the fields of a workspace edit, and the one that it may lie in.
var lspFields = []string{"changes", "documentChanges", "edit"}

// lspIn returns the text edit or the workspace edit that the object v, which o reads, is or, as a request of a language server or a code
// action, has. It reports whether there is one.
func lspIn(r *jsonRequest, v jsonobj.Value, o *jsonObject) (edit jsonobj.Value, ok bool) {
	switch method, _ := o.Text("method"); {
	case isWorkspaceEdit(&o.Object), isTextEdit(&o.Object):
		return v, !o.isNamed(pathField)
	case o.IsSet("jsonrpc") && method == "workspace/applyEdit":
		params, _ := o.Value("params")
		if o, err := r.call(params, theRequest); err == nil {
			return lspIn(r, params, o)
		}
	}
	edit, _ = o.Value("edit")
	inner, err := edit.Object("")
	if err != nil || o.isNamed(pathField) || !isWorkspaceEdit(inner) {
		return v, false
	}
	for _, name := range []string{"command", "disabled"} { // of a code action
		if o.IsSet(name) {
			o.failf(`%q stands beside "edit", so the edit is not all of it or cannot be made: expected the edit alone`, name)
		}
	}
	return edit, true
}

// lspInList returns a list of text edits, or the workspace edit of a code action that is alone in a list. It reports whether there is
// one.
func lspInList(r *jsonRequest, v jsonobj.Value) (edit jsonobj.Value, ok bool) {
	all, err := v.Array(theRequest)
	if err != nil || len(all) == 0 {
		return v, false
	}
	o, err := r.call(all[0], theRequest)
	switch {
	case err != nil:
		return v, false
	case isTextEdit(&o.Object):
		return v, true
	}
	if edit, ok = lspIn(r, all[0], o); ok && len(all) > 1 {
		r.record(&jsonobj.Error{Offset: all[1].Offset, Msg: "the request has several code actions, of which a user chooses one: expected the one to make"})
	}
	return edit, ok
}

// lspObjectIn returns the object v of the Language Server Protocol. Its fields have one name each. Messages call it by the given name. If
// v is no object, that is recorded as a problem, and what lspObjectIn returns has no fields.
func lspObjectIn(r *jsonRequest, v jsonobj.Value, name string) (o *jsonObject, ok bool) {
	o = noObject(r, name)
	if err := v.Fill(&o.Object, name); err != nil {
		r.record(err)
		return o, false
	}
	return o, true
}

// noObject returns an object without fields.
func noObject(r *jsonRequest, name string) *jsonObject {
	return &jsonObject{request: r, name: name}
}

// lspObjects returns the objects of a list.
func lspObjects(r *jsonRequest, v jsonobj.Value, name string) (all []*jsonObject) {
	values, err := v.Array(name)
	if err != nil {
		r.record(err)
	}
	for i, v := range values {
		if o, ok := lspObjectIn(r, v, name+"["+strconv.Itoa(i)+"]"); ok {
			all = append(all, o)
		}
	}
	return all
}

// has requires a field, and reports whether it is there.
func hasPart(o *jsonObject, name string) bool {
	o.requireNamed(name)
	return o.IsSet(name)
}

// part returns the object in a required field. If there is none, what part returns has no fields.
func partOf(o *jsonObject, name string) (part *jsonObject, ok bool) {
	if !hasPart(o, name) {
		return noObject(o.request, name), false
	}
	v, _ := o.Value(name)
	if o.name != theRequest {
		name = o.name + "." + name
	}
	return lspObjectIn(o.request, v, name)
}
