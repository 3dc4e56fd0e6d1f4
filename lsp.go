package atomicedit

import (
	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// parseLSP reads text edits or a workspace edit in JSON.
func parseLSP(data []byte) (Plan, error) {
	v, err := parseJSON(data)
	if err != nil {
		return Plan{}, err
	}
	return readLSP(newJSONReader(data), v)
}

// readLSP reads text edits or a workspace edit.
func readLSP(r *jsonRequest, v jsonobj.Value) (Plan, error) {
	ops := lspRequest(r, v)
	if err := r.problems(); err != nil {
		return Plan{}, err
	}
	if len(ops) == 0 {
		return Plan{}, refuseNothing()
	}
	return Plan{Ops: ops, Format: "lsp"}, nil
}

// lspRequest reads a WorkspaceEdit, a list of TextEdit or a single one.
func lspRequest(r *jsonRequest, v jsonobj.Value) []Op {
	if v.Kind() == '[' {
		return editsOf("", textEdits(r, v, "edits", nil))
	}
	o, ok := lspObjectIn(r, v, theRequest)
	switch {
	case !ok:
		return nil
	case isTextEdit(&o.Object):
		return editsOf("", []Edit{textEditOf(o)})
	case !o.IsSet("documentChanges") && !o.IsSet("changes"):
		o.failf("the request has no field documentChanges or changes: " +
			"expected a workspace edit with one of them, or a list of text edits")
		return nil
	}
	o.allowNamed("documentChanges", "changes", "changeAnnotations")
	annotations := annotationsOf(o)
	if o.IsSet("documentChanges") {
		return documentChanges(o, annotations)
	}
	return changesOf(o, annotations)
}

// editsOf returns the operation that makes edits of a document, none if there are no edits.
func editsOf(path string, edits []Edit) []Op {
	if len(edits) == 0 {
		return nil
	}
	return []Op{{Path: path, Edits: edits}}
}

// annotations are the change annotations of a WorkspaceEdit, by their ids: whether the changes with each need confirmation.
type annotations map[string]bool

// annotations reads the change annotations of a WorkspaceEdit.
func annotationsOf(o *jsonObject) annotations {
	if !o.IsSet("changeAnnotations") {
		return nil
	}
	list, _ := partOf(o, "changeAnnotations")
	all := annotations{}
	for _, id := range list.Names {
		a, _ := partOf(list, id)
		a.allowNamed("label", "needsConfirmation", "description")
		all[id] = a.flagNamed("needsConfirmation")
	}
	return all
}

// check refuses a change that needs confirmation.
func (a annotations) check(o *jsonObject) {
	if !o.IsSet("annotationId") {
		return
	}
	id := o.textNamed("annotationId")
	switch needsConfirmation, known := a[id]; {
	case !known:
		o.failf("changeAnnotations has no %s: expected the annotation there, or no annotationId", quote(id))
	case needsConfirmation:
		o.failf("the annotation %s says that this change needs confirmation: ask the user, then send it without "+
			"needsConfirmation", quote(id))
	}
}

// changes reads the lists of edits of a WorkspaceEdit by document.
func changesOf(o *jsonObject, a annotations) (ops []Op) {
	all, _ := partOf(o, "changes")
	edited := map[string]bool{}
	for _, uri := range all.Names {
		path := fileOf(all, uri)
		if path != "" && edited[sameFile(path)] {
			all.failf("there are two lists of edits for %s: put them into one", quote(path))
		}
		edited[sameFile(path)] = true
		v, _ := all.Value(uri)
		ops = append(ops, editsOf(path, textEdits(o.request, v, "changes["+quote(uri)+"]", a))...)
	}
	return ops
}

// documentChanges reads the file operations and lists of edits of a WorkspaceEdit, in order.
func documentChanges(o *jsonObject, a annotations) (ops []Op) {
	v, _ := o.Value("documentChanges")
	edited := map[string]bool{}
	for _, o := range lspObjects(o.request, v, "documentChanges") {
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
			o.failf("there is a list of edits for %s already: put them into one list, in which all count the document "+
				"before any of them", quote(path))
		}
		edited[sameFile(path)] = true
		ops = append(ops, editsOf(path, edits)...)
	}
	return ops
}

// sameFile returns the one spelling of a path that may be written in several ways.
func sameFile(path string) string {
	if clean, err := CleanPath(path); err == nil {
		return clean
	}
	return path
}

// documentEdit reads a TextDocumentEdit.
func documentEdit(o *jsonObject, a annotations) (path string, edits []Edit) {
	o.allowNamed("textDocument", "edits")
	if document, ok := partOf(o, "textDocument"); ok {
		document.allowNamed("uri", "version")
		path = uriIn(document, "uri")
	}
	if hasPart(o, "edits") {
		v, _ := o.Value("edits")
		edits = textEdits(o.request, v, o.name+".edits", a)
	}
	return path, edits
}

// fileOperation reads a CreateFile, RenameFile or DeleteFile.
func fileOperation(o *jsonObject) (op Op) {
	options := noObject(o.request, "options")
	if o.IsSet("options") {
		options, _ = partOf(o, "options")
	}
	switch kind := o.textNamed("kind"); kind {
	case "create":
		o.allowNamed("kind", "uri", "options", "annotationId")
		options.allowNamed("overwrite", "ignoreIfExists")
		op = Op{Kind: OpCreate, Path: uriIn(o, "uri"), Overwrite: options.flagNamed("overwrite")}
	case "rename":
		o.allowNamed("kind", "oldUri", "newUri", "options", "annotationId")
		options.allowNamed("overwrite", "ignoreIfExists")
		op = Op{Kind: OpMove, Path: uriIn(o, "oldUri"), To: uriIn(o, "newUri"), Overwrite: options.flagNamed("overwrite")}
		if options.flagNamed("ignoreIfExists") && !op.Overwrite {
			options.failf("with ignoreIfExists, the rename depends on whether the new file exists: leave ignoreIfExists out, or " +
				"the rename if the file exists")
		}
	case "delete":
		o.allowNamed("kind", "uri", "options", "annotationId")
		options.allowNamed("recursive", "ignoreIfNotExists")
		op = Op{Kind: OpDelete, Path: uriIn(o, "uri")}
	default:
		o.failf(`the field "kind" is %s: expected create, rename or delete`, quote(kind))
	}
	return op
}

// textEdits reads a list of TextEdit.
func textEdits(r *jsonRequest, v jsonobj.Value, name string, a annotations) []Edit {
	all := lspObjects(r, v, name)
	edits := make([]Edit, len(all))
	for i, o := range all {
		a.check(o)
		edits[i] = textEditOf(o)
	}
	return edits
}

// textEdit reads a TextEdit.
func textEditOf(o *jsonObject) Edit {
	const plain, snippet = 1, 2 // of insertTextFormat
	if o.numberNamed("insertTextFormat", plain) >= snippet || o.IsSet("snippet") {
		o.failf("the edit inserts a snippet, whose placeholders would get into the file: expected plain text in newText")
		return Edit{}
	}
	o.allowNamed("range", "newText", "annotationId", "insertTextFormat")
	e := Edit{Range: &Range{}}
	if hasPart(o, "newText") {
		e.New = o.textNamed("newText")
	}
	if in, ok := partOf(o, "range"); ok {
		in.allowNamed("start", "end")
		e.Range.Start, e.Range.End = positionIn(in, "start"), positionIn(in, "end")
	}
	return e
}

// position reads a Position of the protocol, whose lines are counted from 0.
func positionIn(o *jsonObject, name string) Position {
	p, ok := partOf(o, name)
	if !ok || !hasPart(p, "line") || !hasPart(p, "character") {
		return Position{}
	}
	p.allowNamed("line", "character")
	return Position{Line: 1 + p.numberNamed("line", 0), Column: p.numberNamed("character", 0)}
}

// uri returns the path of the file that a field names by its URI.
func uriIn(o *jsonObject, name string) string {
	if !hasPart(o, name) {
		return ""
	}
	return fileOf(o, o.textNamed(name))
}

// file returns the path of the file that a URI in o names.
func fileOf(o *jsonObject, uri string) string {
	path, msg := pathOfURI(uri)
	if msg != "" {
		o.failf("the URI %s %s", quote(uri), msg)
	}
	return path
}
