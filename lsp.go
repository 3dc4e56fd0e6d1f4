package atomicedit

import (
	"fmt"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// ParseLSP reads text edits, which leave Op.Path empty (see [Plan.ForFile]), or a workspace edit, in the JSON of the
// Language Server Protocol, version 3.17. If a workspace edit has both changes and documentChanges, only documentChanges count, as
// the protocol says.
//
// Each text edit becomes an [Edit] with a [Range] in UTF-16 code units. Set Range.Unit if client and server have agreed on another unit.
// The positions of all edits in a list refer to the document before any of them. They must not overlap, but several may insert at one
// position; their texts follow one another in the order of the list. The protocol does not say what a line after the end of the document
// means: see Range. The documentChanges are made in order, so edits after a rename are for the new name. Two lists of edits for one
// document are refused, because editors disagree on whether the second counts the result of the first.
//
// A URI must have the scheme file, and its path is percent-encoded: "file:///dir/a%20b" is the file "/dir/a b", and "file:///c%3A/a"
// is "c:/a". A reference without a scheme, as [LSP] writes it, is a path too.
//
// ParseLSP obeys the options of file operations, or refuses the plan. [Prepare] refuses to create a file that exists, with ignoreIfExists
// too, unless it is empty; to delete a file that does not exist, with ignoreIfNotExists too; and to delete a directory, with recursive too.
// ParseLSP refuses ignoreIfExists for a rename, unless overwrite is set as well, which wins. It also refuses snippets, and changes whose
// annotation says that they need confirmation. The version of a document is ignored, because it counts changes in an editor: use a
// [Session] to refuse edits of files that have changed.
//
// Every error is a [*Refusal]: [ErrSyntax] for a field that is missing, unknown or of the wrong type (and also io.ErrUnexpectedEOF
// if the JSON was cut off), [ErrNoChange] if there are no edits, and [ErrTooLarge] for more than 64 MiB. Time and memory are linear in
// the length of data.
func ParseLSP(data []byte) (Plan, error) {
	v, err := parseJSON(data)
	if err != nil {
		return Plan{}, withPartial(err, data, ParseLSP)
	}
	return newJSONReader(data).readLSP(v)
}

// readLSP reads text edits or a workspace edit.
func (r *jsonReader) readLSP(v jsonobj.Value) (Plan, error) {
	ops := r.lspRequest(v)
	if err := r.problems(); err != nil {
		return Plan{}, err
	}
	if len(ops) == 0 {
		return Plan{}, refuseNothing()
	}
	return Plan{Ops: ops, Format: "lsp"}, nil
}

// lspRequest reads a WorkspaceEdit, a list of TextEdit or a single one.
func (r *jsonReader) lspRequest(v jsonobj.Value) []Op {
	if v.Kind() == '[' {
		return editsOf("", r.textEdits(v, "edits", nil))
	}
	o, ok := r.lspObject(v, theRequest)
	switch {
	case !ok:
		return nil
	case isTextEdit(o.Object):
		return editsOf("", []Edit{o.textEdit()})
	case !o.IsSet("documentChanges") && !o.IsSet("changes"):
		o.fail("the request has no field documentChanges or changes: expected a workspace edit with one of them, or a list of text edits")
		return nil
	}
	o.allow("documentChanges", "changes", "changeAnnotations")
	annotations := o.annotations()
	if o.IsSet("documentChanges") {
		return o.documentChanges(annotations)
	}
	return o.changes(annotations)
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
func (o lspObject) annotations() annotations {
	if !o.IsSet("changeAnnotations") {
		return nil
	}
	list, _ := o.part("changeAnnotations")
	all := annotations{}
	for _, id := range list.Names {
		a, _ := list.part(id)
		a.allow("label", "needsConfirmation", "description")
		all[id] = a.flag("needsConfirmation")
	}
	return all
}

// check refuses a change that needs confirmation.
func (a annotations) check(o lspObject) {
	if !o.IsSet("annotationId") {
		return
	}
	id := o.text("annotationId")
	switch needsConfirmation, known := a[id]; {
	case !known:
		o.fail("changeAnnotations has no " + quote(id) + ": expected the annotation there, or no annotationId")
	case needsConfirmation:
		o.fail("the annotation " + quote(id) + " says that this change needs confirmation: ask the user, then send it without needsConfirmation")
	}
}

// changes reads the lists of edits of a WorkspaceEdit by document.
func (o lspObject) changes(a annotations) (ops []Op) {
	all, _ := o.part("changes")
	edited := map[string]bool{}
	for _, uri := range all.Names {
		path := all.file(uri)
		if path != "" && edited[sameFile(path)] {
			all.fail("there are two lists of edits for " + quote(path) + ": put them into one")
		}
		edited[sameFile(path)] = true
		v, _ := all.Value(uri)
		ops = append(ops, editsOf(path, o.request.textEdits(v, "changes["+quote(uri)+"]", a))...)
	}
	return ops
}

// documentChanges reads the file operations and lists of edits of a WorkspaceEdit, in order.
func (o lspObject) documentChanges(a annotations) (ops []Op) {
	v, _ := o.Value("documentChanges")
	edited := map[string]bool{}
	for _, o := range o.request.lspObjects(v, "documentChanges") {
		if o.IsSet("kind") {
			a.check(o)
			op := o.fileOperation()
			ops = append(ops, op)
			delete(edited, sameFile(op.Path))
			delete(edited, sameFile(op.To))
			continue
		}
		path, edits := o.documentEdit(a)
		if path != "" && edited[sameFile(path)] {
			o.fail("there is a list of edits for " + quote(path) + " already: put them into one list, in which all count the document before any of them")
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
func (o lspObject) documentEdit(a annotations) (path string, edits []Edit) {
	o.allow("textDocument", "edits")
	if document, ok := o.part("textDocument"); ok {
		document.allow("uri", "version")
		path = document.uri("uri")
	}
	if o.has("edits") {
		v, _ := o.Value("edits")
		edits = o.request.textEdits(v, o.name+".edits", a)
	}
	return path, edits
}

// fileOperation reads a CreateFile, RenameFile or DeleteFile.
func (o lspObject) fileOperation() (op Op) {
	options := o.request.noObject("options")
	if o.IsSet("options") {
		options, _ = o.part("options")
	}
	switch kind := o.text("kind"); kind {
	case "create":
		o.allow("kind", "uri", "options", "annotationId")
		options.allow("overwrite", "ignoreIfExists")
		op = Op{Kind: OpCreate, Path: o.uri("uri"), Overwrite: options.flag("overwrite")}
	case "rename":
		o.allow("kind", "oldUri", "newUri", "options", "annotationId")
		options.allow("overwrite", "ignoreIfExists")
		op = Op{Kind: OpMove, Path: o.uri("oldUri"), To: o.uri("newUri"), Overwrite: options.flag("overwrite")}
		if options.flag("ignoreIfExists") && !op.Overwrite {
			options.fail("with ignoreIfExists, the rename depends on whether the new file exists: leave ignoreIfExists out, or the rename if the file exists")
		}
	case "delete":
		o.allow("kind", "uri", "options", "annotationId")
		options.allow("recursive", "ignoreIfNotExists")
		op = Op{Kind: OpDelete, Path: o.uri("uri")}
	default:
		o.fail("the field \"kind\" is " + quote(kind) + ": expected create, rename or delete")
	}
	return op
}

// textEdits reads a list of TextEdit.
func (r *jsonReader) textEdits(v jsonobj.Value, name string, a annotations) []Edit {
	all := r.lspObjects(v, name)
	edits := make([]Edit, len(all))
	for i, o := range all {
		a.check(o)
		edits[i] = o.textEdit()
	}
	return edits
}

// textEdit reads a TextEdit.
func (o lspObject) textEdit() Edit {
	const plain, snippet = 1, 2 // of insertTextFormat
	if o.number("insertTextFormat", plain) >= snippet || o.IsSet("snippet") {
		o.fail("the edit inserts a snippet, whose placeholders would get into the file: expected plain text in newText")
		return Edit{}
	}
	o.allow("range", "newText", "annotationId", "insertTextFormat")
	e := Edit{Range: &Range{}}
	if o.has("newText") {
		e.New = o.text("newText")
	}
	if in, ok := o.part("range"); ok {
		in.allow("start", "end")
		e.Range.Start, e.Range.End = in.position("start"), in.position("end")
	}
	return e
}

// position reads a Position of the protocol, whose lines are counted from 0.
func (o lspObject) position(name string) Position {
	p, ok := o.part(name)
	if !ok || !p.has("line") || !p.has("character") {
		return Position{}
	}
	p.allow("line", "character")
	return Position{Line: 1 + p.number("line", 0), Column: p.number("character", 0)}
}

// uri returns the path of the file that a field names by its URI.
func (o lspObject) uri(name string) string {
	if !o.has(name) {
		return ""
	}
	return o.file(o.text(name))
}

// file returns the path of the file that a URI in o names.
func (o lspObject) file(uri string) string {
	path, msg := pathOfURI(uri)
	if msg != "" {
		o.fail(fmt.Sprintf("the URI %s %s", quote(uri), msg))
	}
	return path
}
