// Package lsp reads text edits and workspace edits of the Language Server Protocol into a plan, and prints the latter.
package lsp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/plan"
)

func Parse(data []byte) (plan.Plan, error) {
	v, err := jsonread.ParseJSON(data)
	if err != nil {
		return plan.Plan{}, err
	}
	return Read(jsonread.NewRequest(data), v)
}

func Read(r *jsonread.Request, v jsonobj.Value) (plan.Plan, error) {
	ops := requestIn(r, v)
	if err := r.Problems(); err != nil {
		return plan.Plan{}, err
	}
	if ops = slices.DeleteFunc(ops, plan.Op.IsEmpty); len(ops) == 0 {
		return plan.Plan{}, plan.RefuseNothing()
	}
	return plan.Plan{Ops: ops, Format: "lsp"}, nil
}

// requestIn reads a WorkspaceEdit, a list of TextEdit or a single one.
func requestIn(r *jsonread.Request, v jsonobj.Value) []plan.Op {
	if v.Kind() == '[' {
		return []plan.Op{{Edits: textEdits(r, v, "edits", nil)}}
	}
	o, ok := objectIn(r, v, jsonread.TheRequest)
	switch {
	case !ok:
		return nil
	case isTextEdit(&o.Object):
		return []plan.Op{{Edits: []plan.Edit{textEditOf(o)}}}
	case !o.IsSet("documentChanges") && !o.IsSet("changes"):
		o.Failf("the request has no field documentChanges or changes: " +
			"expected a workspace edit with one of them, or a list of text edits")
		return nil
	}
	o.AllowNamed("documentChanges", "changes", "changeAnnotations")
	annotations := annotationsOf(o)
	if o.IsSet("documentChanges") {
		return documentChanges(o, annotations)
	}
	return changesOf(o, annotations)
}

// annotations are, by their ids, whether changes with an annotation need confirmation.
type annotations map[string]bool

func annotationsOf(o *jsonread.Object) annotations {
	if !o.IsSet("changeAnnotations") {
		return nil
	}
	list, _ := partOf(o, "changeAnnotations")
	all := annotations{}
	for _, id := range list.Names {
		a, _ := partOf(list, id)
		a.AllowNamed("label", "needsConfirmation", "description")
		all[id] = a.FlagNamed("needsConfirmation")
	}
	return all
}

func (a annotations) check(o *jsonread.Object) {
	if !o.IsSet("annotationId") {
		return
	}
	id := o.TextNamed("annotationId")
	switch needsConfirmation, known := a[id]; {
	case !known:
		o.Failf("changeAnnotations has no %s: expected the annotation there, or no annotationId", plan.Excerpt(id))
	case needsConfirmation:
		o.Failf("the annotation %s says that this change needs confirmation: ask the user, then send it without "+
			"needsConfirmation", plan.Excerpt(id))
	}
}

func changesOf(o *jsonread.Object, a annotations) (ops []plan.Op) {
	all, _ := partOf(o, "changes")
	edited := map[string]bool{}
	for _, uri := range all.Names {
		path := fileOf(all, uri)
		if path != "" && edited[names.OfRequest(path)] {
			all.Failf("there are two lists of edits for %s: put them into one", plan.Excerpt(path))
		}
		edited[names.OfRequest(path)] = true
		edits := textEdits(o.Request, all.Value(uri), "changes["+plan.Excerpt(uri)+"]", a)
		ops = append(ops, plan.Op{Path: path, Edits: edits})
	}
	return ops
}

// documentChanges reads the file operations and lists of edits of a WorkspaceEdit, in order.
func documentChanges(o *jsonread.Object, a annotations) (ops []plan.Op) {
	edited := map[string]bool{}
	for _, o := range objectsIn(o.Request, o.Value("documentChanges"), "documentChanges") {
		if o.IsSet("kind") {
			a.check(o)
			op := fileOperation(o)
			ops = append(ops, op)
			delete(edited, names.OfRequest(op.Path))
			delete(edited, names.OfRequest(op.To))
			continue
		}
		op := documentEdit(o, a)
		if op.Path != "" && edited[names.OfRequest(op.Path)] {
			o.Failf("there is a list of edits for %s already: put them into one list, in which all count the document "+
				"before any of them", plan.Excerpt(op.Path))
		}
		edited[names.OfRequest(op.Path)] = true
		ops = append(ops, op)
	}
	return ops
}

func documentEdit(o *jsonread.Object, a annotations) (op plan.Op) {
	o.AllowNamed("textDocument", "edits")
	if document, ok := partOf(o, "textDocument"); ok {
		document.AllowNamed("uri", "version")
		op.Path = uriIn(document, "uri")
	}
	if o.RequireNamed("edits") {
		op.Edits = textEdits(o.Request, o.Value("edits"), o.Name+".edits", a)
	}
	return op
}

func fileOperation(o *jsonread.Object) (op plan.Op) {
	options := &jsonread.Object{Request: o.Request, Name: "options"}
	if o.IsSet("options") {
		options, _ = partOf(o, "options")
	}
	switch kind := o.TextNamed("kind"); kind {
	case "create":
		o.AllowNamed("kind", "uri", "options", "annotationId")
		options.AllowNamed("overwrite", "ignoreIfExists")
		op = plan.Op{Kind: plan.OpCreate, Path: uriIn(o, "uri"), Overwrite: options.FlagNamed("overwrite")}
	case "rename":
		o.AllowNamed("kind", "oldUri", "newUri", "options", "annotationId")
		options.AllowNamed("overwrite", "ignoreIfExists")
		op = plan.Op{Kind: plan.OpMove, Path: uriIn(o, "oldUri"), To: uriIn(o, "newUri")}
		op.Overwrite = options.FlagNamed("overwrite")
		if options.FlagNamed("ignoreIfExists") && !op.Overwrite {
			options.Failf("with ignoreIfExists, the rename depends on whether the new file exists: " +
				"leave ignoreIfExists out, or the rename if the file exists")
		}
	case "delete":
		o.AllowNamed("kind", "uri", "options", "annotationId")
		options.AllowNamed("recursive", "ignoreIfNotExists")
		op = plan.Op{Kind: plan.OpDelete, Path: uriIn(o, "uri")}
	default:
		o.Failf(`the field "kind" is %s: expected create, rename or delete`, plan.Excerpt(kind))
	}
	return op
}

func textEdits(r *jsonread.Request, v jsonobj.Value, name string, a annotations) (edits []plan.Edit) {
	for _, o := range objectsIn(r, v, name) {
		a.check(o)
		edits = append(edits, textEditOf(o))
	}
	return edits
}

func textEditOf(o *jsonread.Object) plan.Edit {
	const plain, snippet = 1, 2 // of insertTextFormat
	if o.NumberNamed("insertTextFormat", plain) >= snippet || o.IsSet("snippet") {
		o.Failf("the edit inserts a snippet, whose placeholders would get into the file: " +
			"expected plain text in newText")
		return plan.Edit{}
	}
	o.AllowNamed("range", "newText", "annotationId", "insertTextFormat")
	o.RequireNamed("newText")
	return plan.Edit{New: o.TextNamed("newText"), Range: RangeIn(o, "range")}
}

func RangeIn(o *jsonread.Object, name string) *plan.Range {
	in, ok := partOf(o, name)
	if !ok {
		return &plan.Range{}
	}
	in.AllowNamed("start", "end")
	return &plan.Range{Start: positionIn(in, "start"), End: positionIn(in, "end")}
}

// positionIn reads a Position of the protocol, whose lines are counted from 0.
func positionIn(o *jsonread.Object, name string) plan.Position {
	p, ok := partOf(o, name)
	if !ok || !p.RequireNamed("line") || !p.RequireNamed("character") {
		return plan.Position{}
	}
	p.AllowNamed("line", "character")
	return plan.Position{Line: 1 + p.NumberNamed("line", 0), Column: p.NumberNamed("character", 0)}
}

func uriIn(o *jsonread.Object, name string) string {
	if !o.RequireNamed(name) {
		return ""
	}
	return fileOf(o, o.TextNamed(name))
}

func fileOf(o *jsonread.Object, uri string) string {
	path, msg := PathOfURI(uri)
	if msg != "" {
		o.Failf("the URI %s %s", plan.Excerpt(uri), msg)
	}
	return path
}

// isWorkspaceEdit reports whether o has the form of a workspace edit. A tool may use the same names for something else.
func isWorkspaceEdit(o *jsonobj.Object) bool {
	documents, err := o.Value("changes").Object("")
	return o.IsSet("documentChanges") || err == nil && len(documents.Names) > 0 && documents.Values[0].Kind() == '['
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
	fields, err := v.Object(name)
	if err != nil {
		r.Record(err)
		return o, false
	}
	o.Object = *fields
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

// partOf returns the object in a required field. If there is none, that has no fields.
func partOf(o *jsonread.Object, name string) (part *jsonread.Object, ok bool) {
	if !o.RequireNamed(name) {
		return &jsonread.Object{Request: o.Request, Name: name}, false
	}
	v := o.Value(name)
	if o.Name != jsonread.TheRequest {
		name = o.Name + "." + name
	}
	return objectIn(o.Request, v, name)
}

const letters, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "0123456789"

// PathOfURI returns the path of the file that a URI names, or a message about a URI that names none. It reads URIs as
// net/url does, which would make every program that imports this package larger by 60 KB.
func PathOfURI(uri string) (path, msg string) {
	const unreadable = "cannot be read: expected file:///dir/name, with other characters than letters and digits " +
		"percent-encoded"
	rest, fragment, _ := strings.Cut(uri, "#")
	rest, _, asks := strings.Cut(rest, "?")
	scheme, behind, isScheme := strings.Cut(rest, ":")
	isScheme = isScheme && strings.IndexAny(scheme, letters) == 0 && strings.Trim(scheme, letters+digits+"+-.") == ""
	if isScheme {
		rest = behind
	}
	isControl := func(r rune) bool { return r < ' ' || r == 0x7f }
	segment, _, _ := strings.Cut(rest, "/")
	host := ""
	if at, ok := strings.CutPrefix(rest, "//"); ok && (isScheme || !strings.HasPrefix(at, "/")) {
		host, _, _ = strings.Cut(at, "/")
		rest = at[len(host):]
	}
	path, ok := unescaped(rest)
	switch {
	case strings.ContainsFunc(uri, isControl), !isScheme && strings.Contains(segment, ":"):
		return "", unreadable
	case isScheme && !strings.EqualFold(scheme, "file"):
		return "", "names no file: expected the scheme file"
	case host != "" && host != "localhost":
		return "", "names a file of another machine: expected file:/// and the path"
	case rest == "", isScheme && rest[0] != '/':
		return "", "has no path: expected file:/// and the path"
	case asks || fragment != "":
		return "", "has a query or a fragment: expected %3F for a question mark and %23 for a number sign in a name"
	case !ok:
		return "", unreadable
	}
	if rest := strings.TrimPrefix(path, "/"); hasDrive(rest) {
		return rest, ""
	}
	return path, ""
}

// unescaped returns a text without its percent-encoding, and whether that is right.
func unescaped(s string) (string, bool) {
	parts := strings.Split(s, "%")
	for i, part := range parts[1:] {
		if len(part) < len("00") {
			return "", false
		}
		c, err := strconv.ParseUint(part[:2], 16, 8)
		if err != nil {
			return "", false
		}
		parts[i+1] = string([]byte{byte(c)}) + part[2:]
	}
	return strings.Join(parts, ""), true
}

// uriOf returns the URI of an absolute path, and a reference without scheme for a relative one.
func uriOf(path string) string {
	const plain = letters + digits + "-_.~$&+,/;=@" // a colon would end a scheme
	var escaped strings.Builder
	for _, c := range []byte(path) {
		if strings.IndexByte(plain, c) >= 0 {
			escaped.WriteByte(c)
		} else {
			fmt.Fprintf(&escaped, "%%%02X", c)
		}
	}
	switch {
	case strings.HasPrefix(path, "/"):
		return "file://" + escaped.String()
	case hasDrive(path):
		return "file:///" + escaped.String()
	}
	return escaped.String()
}

func hasDrive(path string) bool {
	drive, _, _ := strings.Cut(path, "/")
	return len(drive) == 2 && drive[1] == ':' && ('a' <= drive[0]|0x20 && drive[0]|0x20 <= 'z')
}
