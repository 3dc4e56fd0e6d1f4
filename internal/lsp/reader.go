package lsp

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
)

// isWorkspaceEdit reports whether o has the form of a workspace edit. A tool may use the same names for something else.
func isWorkspaceEdit(o *jsonobj.Object) bool {
	if o.IsSet("documentChanges") || !o.IsSet("changes") {
		return o.IsSet("documentChanges")
	}
	documents, err := o.Value("changes").Object("")
	if err != nil || len(documents.Names) == 0 {
		return false
	}
	return documents.Values[0].Kind() == '['
}

func isTextEdit(o *jsonobj.Object) bool {
	return o.Has("range") && (o.Has("newText") || o.Has("snippet"))
}

// Fields are the fields of a workspace edit, and the one that it may lie in.
var Fields = []string{"changes", "documentChanges", "edit"}

// In returns the text edit or the workspace edit that the object v, which o reads, is or, as a request of a language
// server or a code action, has. It reports whether there is one.
func In(r *jsonread.Request, v jsonobj.Value, o *jsonread.Object) (edit jsonobj.Value, ok bool) {
	switch method, _ := o.Text("method"); {
	case isWorkspaceEdit(&o.Object), isTextEdit(&o.Object):
		return v, !o.IsNamed(field.PathField)
	case o.IsSet("jsonrpc") && method == "workspace/applyEdit":
		params := o.Value("params")
		if o, err := r.Call(params, jsonread.TheRequest); err == nil {
			return In(r, params, o)
		}
	}
	edit = o.Value("edit")
	inner, err := edit.Object("")
	if err != nil || o.IsNamed(field.PathField) || !isWorkspaceEdit(inner) {
		return v, false
	}
	for _, name := range []string{"command", "disabled"} { // of a code action
		if o.IsSet(name) {
			o.Failf(`%q stands beside "edit", so the edit is not all of it or cannot be made: expected the edit alone`,
				name)
		}
	}
	return edit, true
}

// InList returns a list of text edits, or the workspace edit of a lone code action, and whether there is one.
func InList(r *jsonread.Request, v jsonobj.Value) (edit jsonobj.Value, ok bool) {
	all, err := v.Array(jsonread.TheRequest)
	if err != nil || len(all) == 0 {
		return v, false
	}
	o, err := r.Call(all[0], jsonread.TheRequest)
	switch {
	case err != nil:
		return v, false
	case isTextEdit(&o.Object):
		return v, true
	}
	if edit, ok = In(r, all[0], o); ok && len(all) > 1 {
		r.Record(&jsonobj.Error{Offset: all[1].Offset, Msg: "the request has several code actions, " +
			"of which a user chooses one: expected the one to make"})
	}
	return edit, ok
}

// objectIn returns the object v of the Language Server Protocol. Its fields have one name each. Messages call it by the
// given name. If v is no object, that is recorded as a problem, and what objectIn returns has no fields.
func objectIn(r *jsonread.Request, v jsonobj.Value, name string) (o *jsonread.Object, ok bool) {
	o = &jsonread.Object{Request: r, Name: name}
	if err := v.Fill(&o.Object, name); err != nil {
		r.Record(err)
		return o, false
	}
	return o, true
}

func objectsIn(r *jsonread.Request, v jsonobj.Value, name string) (all []*jsonread.Object) {
	values, err := v.Array(name)
	if err != nil {
		r.Record(err)
	}
	for i, v := range values {
		if o, ok := objectIn(r, v, name+"["+strconv.Itoa(i)+"]"); ok {
			all = append(all, o)
		}
	}
	return all
}

// PartOf returns the object in a required field. If there is none, that has no fields.
func PartOf(o *jsonread.Object, name string) (part *jsonread.Object, ok bool) {
	if !o.RequireNamed(name) {
		return &jsonread.Object{Request: o.Request, Name: name}, false
	}
	v := o.Value(name)
	if o.Name != jsonread.TheRequest {
		name = o.Name + "." + name
	}
	return objectIn(o.Request, v, name)
}

// PathOfURI returns the path of the file that a URI names, or a message about a URI that names none.
func PathOfURI(uri string) (path, msg string) {
	u, err := url.Parse(uri)
	switch {
	case err != nil:
		return "", "cannot be read: expected file:///dir/name, with other characters than letters and digits " +
			"percent-encoded"
	case u.Scheme != "" && u.Scheme != "file":
		return "", "names no file: expected the scheme file"
	case u.User != nil || u.Host != "" && u.Host != "localhost":
		return "", "names a file of another machine: expected file:/// and the path"
	case u.Opaque != "" || u.Path == "":
		return "", "has no path: expected file:/// and the path"
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", "has a query or a fragment: expected %3F for a question mark and %23 for a number sign in a name"
	}
	if rest := strings.TrimPrefix(u.Path, "/"); hasDrive(rest) {
		return rest, ""
	}
	return u.Path, ""
}

// uriOf returns the URI of an absolute path, and a reference without scheme for a relative one.
func uriOf(path string) string {
	escaped := strings.ReplaceAll((&url.URL{Path: path}).EscapedPath(), ":", "%3A") // a colon would end a scheme
	switch {
	case strings.HasPrefix(path, "/"):
		return "file://" + escaped
	case hasDrive(path):
		return "file:///" + escaped
	}
	return escaped
}

func hasDrive(path string) bool {
	drive, _, _ := strings.Cut(path, "/")
	return len(drive) == 2 && drive[1] == ':' && ('a' <= drive[0]|0x20 && drive[0]|0x20 <= 'z')
}
