// Package lsp reads the text edits and workspace edits of the Language Server Protocol into a plan, and prints changes
// of files as a workspace edit.
package lsp

import (
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
	if len(ops) == 0 {
		return plan.Plan{}, plan.RefuseNothing()
	}
	return plan.Plan{Ops: ops, Format: "lsp"}, nil
}

// requestIn reads a WorkspaceEdit, a list of TextEdit or a single one.
func requestIn(r *jsonread.Request, v jsonobj.Value) []plan.Op {
	if v.Kind() == '[' {
		return editsOf("", textEdits(r, v, "edits", nil))
	}
	o, ok := objectIn(r, v, jsonread.TheRequest)
	switch {
	case !ok:
		return nil
	case isTextEdit(&o.Object):
		return editsOf("", []plan.Edit{textEditOf(o)})
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

// editsOf returns the operation that makes edits of a document, none if there are no edits.
func editsOf(path string, edits []plan.Edit) []plan.Op {
	if len(edits) == 0 {
		return nil
	}
	return []plan.Op{{Path: path, Edits: edits}}
}

// annotations are, by their ids, whether changes with an annotation need confirmation.
type annotations map[string]bool

func annotationsOf(o *jsonread.Object) annotations {
	if !o.IsSet("changeAnnotations") {
		return nil
	}
	list, _ := PartOf(o, "changeAnnotations")
	all := annotations{}
	for _, id := range list.Names {
		a, _ := PartOf(list, id)
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
	all, _ := PartOf(o, "changes")
	edited := map[string]bool{}
	for _, uri := range all.Names {
		path := fileOf(all, uri)
		if path != "" && edited[sameFile(path)] {
			all.Failf("there are two lists of edits for %s: put them into one", plan.Excerpt(path))
		}
		edited[sameFile(path)] = true
		v := all.Value(uri)
		ops = append(ops, editsOf(path, textEdits(o.Request, v, "changes["+plan.Excerpt(uri)+"]", a))...)
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
			delete(edited, sameFile(op.Path))
			delete(edited, sameFile(op.To))
			continue
		}
		path, edits := documentEdit(o, a)
		if path != "" && edited[sameFile(path)] {
			o.Failf("there is a list of edits for %s already: put them into one list, in which all count the document "+
				"before any of them", plan.Excerpt(path))
		}
		edited[sameFile(path)] = true
		ops = append(ops, editsOf(path, edits)...)
	}
	return ops
}

// sameFile returns the one spelling of a path that may be written in several ways.
func sameFile(path string) string {
	if clean, err := names.Clean(path); err == nil {
		return clean
	}
	return path
}

func documentEdit(o *jsonread.Object, a annotations) (path string, edits []plan.Edit) {
	o.AllowNamed("textDocument", "edits")
	if document, ok := PartOf(o, "textDocument"); ok {
		document.AllowNamed("uri", "version")
		path = uriIn(document, "uri")
	}
	if o.RequireNamed("edits") {
		edits = textEdits(o.Request, o.Value("edits"), o.Name+".edits", a)
	}
	return path, edits
}

func fileOperation(o *jsonread.Object) (op plan.Op) {
	options := &jsonread.Object{Request: o.Request, Name: "options"}
	if o.IsSet("options") {
		options, _ = PartOf(o, "options")
	}
	switch kind := o.TextNamed("kind"); kind {
	case "create":
		o.AllowNamed("kind", "uri", "options", "annotationId")
		options.AllowNamed("overwrite", "ignoreIfExists")
		op = plan.Op{Kind: plan.OpCreate, Path: uriIn(o, "uri"), Overwrite: options.FlagNamed("overwrite")}
	case "rename":
		o.AllowNamed("kind", "oldUri", "newUri", "options", "annotationId")
		options.AllowNamed("overwrite", "ignoreIfExists")
		op = plan.Op{Kind: plan.OpMove, Path: uriIn(o, "oldUri"), To: uriIn(o, "newUri"),
			Overwrite: options.FlagNamed("overwrite")}
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

func textEdits(r *jsonread.Request, v jsonobj.Value, name string, a annotations) []plan.Edit {
	all := objectsIn(r, v, name)
	edits := make([]plan.Edit, len(all))
	for i, o := range all {
		a.check(o)
		edits[i] = textEditOf(o)
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
	e := plan.Edit{Range: &plan.Range{}}
	if o.RequireNamed("newText") {
		e.New = o.TextNamed("newText")
	}
	if in, ok := PartOf(o, "range"); ok {
		in.AllowNamed("start", "end")
		e.Range.Start, e.Range.End = PositionIn(in, "start"), PositionIn(in, "end")
	}
	return e
}

// PositionIn reads a Position of the protocol, whose lines are counted from 0.
func PositionIn(o *jsonread.Object, name string) plan.Position {
	p, ok := PartOf(o, name)
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
