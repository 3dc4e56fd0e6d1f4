package atomicedit

import (
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxJSON is the size of the largest JSON request read, in bytes.
const maxJSON = 64 << 20

// ParseJSON reads the arguments of an editing tool, one JSON object. Its fields say which shape it has:
//
//	{file_path, edits: [{old_string, new_string, replace_all?, expected_replacements?}]}
//	{file_path, old_string, new_string, replace_all? or allow_multiple?, expected_replacements?, instruction?}
//	{path, edits: [{old_string, new_string, replace_all?, startLine?}], cwd?, skillToken?}
//	{files: [{path, edits}], cwd?, skillToken?}
//	{operations: [{type: edit, create, delete or move, …}], cwd?, skillToken?}
//	{path, edits: [{oldText, newText}], dryRun?}, also old_text and new_text
//	{path, edits: [{from, to?, content}]}
//	{path, patch_text}
//	{path, content}
//	{file_path, percentage_to_change, text_or_search_replace_blocks, thread_id?}
//	{input} or {patch}
//	{operation: {type: create_file, update_file or delete_file, path, diff?}}
//	{command: create, str_replace or insert, path, file_text?, old_str?, new_str?, insert_line?, insert_text?}
//	{action: write or patch, path, content?, patch_text?, edits?}
//
// Edits are substring edits, one after the other, but for {from, to, content}, which are line edits. An old or new text
// that is null is empty; null elsewhere stands for a field that is not there. An empty old_string in the first edit for a
// file_path creates the file; elsewhere it is refused. "edits" may be a string that holds the array. A cwd is joined in
// front of paths that are not absolute.
//
// Every error is a [*Refusal]: [ErrSyntax] for a field that is missing, unknown or of the wrong type, one that is there
// twice, text after the object, invalid UTF-8 (with io.ErrUnexpectedEOF as well for an object that was cut off);
// [ErrNoChange] for an edit whose texts are equal; [ErrTooLarge] for more than 64 MiB. Lines count those of data; where a
// string holds a patch or blocks, those of that string.
func ParseJSON(data []byte) (Plan, error) { return parseJSON(data, shapes()) }

// parseJSON reads an object that has one of the given shapes.
func parseJSON(data []byte, allowed []shape) (Plan, error) {
	doc := &document{data: data}
	return doc.parse(allowed)
}

func (doc *document) parse(allowed []shape) (Plan, error) {
	switch {
	case len(doc.data) > maxJSON:
		return Plan{}, refuse(Problem{Err: ErrTooLarge, Op: -1, Edit: -1, Msg: "the request has more than 64 MiB: send it in parts"})
	case len(bytes.TrimSpace(doc.data)) == 0:
		return Plan{}, syntax(1, "the request is empty: expected a JSON object")
	}
	whole := withoutHalfRune(doc.data)
	err := doc.check(value{raw: whole})
	if cut := errors.Is(err, io.ErrUnexpectedEOF); !utf8.Valid(whole) || len(whole) < len(doc.data) && !cut {
		return Plan{}, syntax(1, "the request is not valid UTF-8: send it as UTF-8")
	}
	if err != nil {
		var cut *Refusal
		if errors.Is(err, io.ErrUnexpectedEOF) && errors.As(err, &cut) {
			cut.Partial = partialJSON(whole, allowed)
		}
		return Plan{}, err
	}
	o, err := doc.object(value{raw: doc.data}, theRequest)
	if err != nil {
		return Plan{}, err
	}
	for _, has := range []func(string) bool{o.says, o.has} {
		for _, s := range allowed {
			if !has(s.key) {
				continue
			}
			p := s.read(o)
			o.allow(s.fields...) // what s.read allows is more exact, so it goes first
			if err := doc.refusal(); err != nil {
				return Plan{}, err
			}
			return p, nil
		}
	}
	if doc.tool != "" {
		return Plan{}, syntax(1, "no call of "+doc.tool+", it has "+o.names()+": expected the field "+keysOf(allowed))
	}
	return Plan{}, syntax(1, "no known shape of request, it has "+o.names()+": expected for example "+
		"{\"file_path\", \"edits\": [{\"old_string\", \"new_string\"}]}")
}

// keysOf names the fields by which shapes are recognised.
func keysOf(shapes []shape) string {
	keys := make([]string, len(shapes))
	for i, s := range shapes {
		keys[i] = quote(s.key)
	}
	return strings.Join(keys, " or ")
}

// withoutHalfRune returns data without the beginning of a character that it ends in.
func withoutHalfRune(data []byte) []byte {
	for i := len(data) - 1; i >= max(0, len(data)-utf8.UTFMax); i-- {
		if utf8.RuneStart(data[i]) {
			if !utf8.FullRune(data[i:]) {
				return data[:i]
			}
			break
		}
	}
	return data
}

// A shape is one form of request, recognised by a field that the shapes before it do not have.
type shape struct {
	key    string
	fields []string
	read   func(o *object) Plan
}

// shapes are all forms of requests. The order decides: the first whose key is there.
func shapes() []shape {
	edit := []string{"file_path", "old_string", "new_string", "replace_all", "allow_multiple", "expected_replacements", "instruction"}
	return []shape{
		{"operations", []string{"operations", "cwd", "skillToken"}, readOperations},
		{"files", []string{"files", "cwd", "skillToken"}, readFiles},
		{"operation", []string{"operation"}, readOperation},
		{"command", []string{"command", "path", "file_text", "old_str", "new_str", "insert_line", "insert_text", "view_range"}, readCommand},
		{"action", []string{"action", "path", "content", "patch_text", "edits", "line_from", "line_to"}, readAction},
		{"text_or_search_replace_blocks", []string{"file_path", "percentage_to_change", "text_or_search_replace_blocks", "thread_id"}, readPercentage},
		{"patch_text", []string{"path", "patch_text"}, readPatchText},
		{"input", []string{"input"}, func(o *object) Plan { return o.v4a("input") }},
		{"patch", []string{"patch"}, func(o *object) Plan { return o.v4a("patch") }},
		{"edits", []string{"file_path", "path", "edits", "cwd", "skillToken", "dryRun"}, readEdits},
		{"old_string", edit, readEdit},
		{"content", []string{"path", "content"}, readContent},
		{"new_string", edit, readEdit}, // old_string is missing
	}
}

// readEdits reads {file_path or path, edits}: what the first edit looks like decides what it is.
func readEdits(o *object) Plan {
	if !o.has("file_path") {
		return readPathEdits(o)
	}
	return readFilePathEdits(o)
}

// readFilePathEdits reads {file_path, edits}.
func readFilePathEdits(o *object) Plan {
	o.allow("file_path", "edits")
	elems := o.elements("edits")
	for _, e := range elems {
		e.allow("old_string", "new_string", "replace_all", "expected_replacements")
	}
	return plan(stringEdits(Op{Path: o.path("file_path")}, elems))
}

// readPathEdits reads {path, edits}, in any of its three forms.
func readPathEdits(o *object) Plan {
	elems := o.elements("edits")
	first := func(names ...string) bool {
		return len(elems) > 0 && slices.ContainsFunc(names, elems[0].has)
	}
	switch {
	case first("oldText", "newText", "old_text", "new_text"):
		o.allow("path", "edits", "dryRun")
		p := plan(textEdits(Op{Path: o.path("path")}, elems))
		p.DryRun = o.flag("dryRun")
		return p
	case first("from"):
		o.allow("path", "edits")
		return plan(lineEdits(Op{Path: o.path("path")}, elems))
	}
	o.allow("path", "edits", "cwd", "skillToken")
	return readFile(o, o.text("cwd"))
}

// readFile reads {path, edits} with exact edits.
func readFile(o *object, cwd string) Plan {
	return plan(exactEdits(Op{Path: o.pathIn("path", cwd)}, o.elements("edits")))
}

func plan(op Op) Plan { return Plan{Ops: []Op{op}} }

// readEdit reads {file_path, old_string, new_string, …}.
func readEdit(o *object) Plan {
	return plan(stringEdits(Op{Path: o.path("file_path")}, []*object{o}))
}

// stringEdits reads edits of one file, of which the first may create it.
func stringEdits(op Op, elems []*object) Op {
	for i, e := range elems {
		older, newer := e.needOrNull("old_string"), e.needOrNull("new_string")
		if i == 0 && older == "" && !e.doc.failed() {
			op.Kind, op.Content = OpCreate, newer
			continue
		}
		op.Edits = append(op.Edits, e.substring(i, older, newer, "; only the first edit for a file_path may be empty, and creates the file"))
	}
	return op
}

// exactEdits reads edits of one of several files, none of which may create it.
func exactEdits(op Op, elems []*object) Op {
	for i, e := range elems {
		e.allow("old_string", "new_string", "replace_all", "startLine")
		edit := e.substring(i, e.needOrNull("old_string"), e.needOrNull("new_string"), "; to make a file, create it")
		edit.Near = e.number("startLine", 1)
		op.Edits = append(op.Edits, edit)
	}
	return op
}

// textEdits reads {oldText, newText}, in either spelling.
func textEdits(op Op, elems []*object) Op {
	for i, e := range elems {
		older, newer := "oldText", "newText"
		if e.has("old_text") || e.has("new_text") {
			older, newer = "old_text", "new_text"
		}
		e.allow(older, newer)
		op.Edits = append(op.Edits, e.substring(i, e.needOrNull(older), e.needOrNull(newer), ""))
	}
	return op
}

// lineEdits reads {from, to?, content}.
func lineEdits(op Op, elems []*object) Op {
	for _, e := range elems {
		e.allow("from", "to", "content")
		e.require("from")
		edit := Edit{First: e.number("from", 1), Last: e.number("to", 1), New: wholeLines(e.need("content")), WholeLines: true}
		if edit.Last > 0 && edit.Last < edit.First {
			e.fail("\"to\" is before \"from\": expected the last line to replace, or none to insert before \"from\"")
		}
		op.Edits = append(op.Edits, edit)
	}
	return op
}

// substring makes an edit of old and new text, and of how often it is to be made. orElse says what else there is for
// whoever sends no old text.
func (o *object) substring(i int, older, newer, orElse string) Edit {
	e := Edit{Old: older, New: newer, Count: o.number("expected_replacements", 0)}
	all, several := o.flag("replace_all"), o.has("replace_all")
	if o.has("allow_multiple") {
		all, several = all || o.flag("allow_multiple"), true
	}
	switch {
	case o.doc.failed():
	case older == "":
		o.fail("the old text is empty: expected the text to replace" + orElse)
	case older == newer:
		o.problem(Problem{Err: ErrNoChange, Op: -1, Edit: i, Msg: "the old text and the new text are equal: expected a change, or leave the edit out"})
	case several && !all && e.Count > 1:
		o.fail("replace_all is false but expected_replacements is more than 1: expected them to agree")
	case all && e.Count == 0:
		e.Count = All
	}
	return e
}

// readFiles reads {files: [{path, edits}], cwd?}.
func readFiles(o *object) Plan {
	var p Plan
	once := onlyOnce{}
	for _, f := range o.elements("files") {
		f.allow("path", "edits")
		p.Ops = append(p.Ops, readFile(f, o.text("cwd")).Ops...)
		once.check(f, p.Ops[len(p.Ops)-1].Path)
	}
	return p
}

// readOperations reads {operations: [{type, …}], cwd?}.
func readOperations(o *object) Plan {
	var p Plan
	once, cwd := onlyOnce{}, o.text("cwd")
	for _, f := range o.elements("operations") {
		var op Op
		switch kind := f.need("type"); kind {
		case "edit":
			f.allow("type", "path", "edits")
			op = exactEdits(Op{Path: f.pathIn("path", cwd)}, f.elements("edits"))
		case "create":
			f.allow("type", "path", "content", "overwrite")
			op = Op{Kind: OpCreate, Path: f.pathIn("path", cwd), Content: f.need("content"), Overwrite: f.flag("overwrite")}
		case "delete":
			f.allow("type", "path")
			op = Op{Kind: OpDelete, Path: f.pathIn("path", cwd)}
		case "move":
			f.allow("type", "from", "to", "overwrite")
			op = Op{Kind: OpMove, Path: f.pathIn("from", cwd), To: f.pathIn("to", cwd), Overwrite: f.flag("overwrite")}
			once.check(f, op.To)
		default:
			f.fail("\"type\" is " + quote(kind) + ": expected edit, create, delete or move")
		}
		once.check(f, op.Path)
		p.Ops = append(p.Ops, op)
	}
	return p
}

// onlyOnce finds paths that several operations name.
type onlyOnce map[string]bool

func (seen onlyOnce) check(o *object, name string) {
	if seen[path.Clean(name)] && name != "" {
		o.fail("the path " + quote(name) + " is named twice: expected one entry for a file, with all of its edits")
	}
	seen[path.Clean(name)] = true
}

// readOperation reads {operation: {type, path, diff?}}.
func readOperation(o *object) Plan {
	f := o.child("operation")
	f.allow("type", "path", "diff")
	op := Op{Path: f.path("path")}
	switch kind := f.need("type"); kind {
	case "create_file":
		op.Kind, op.Content = OpCreate, f.addedLines("diff")
	case "update_file":
		return f.v4aFor("diff", op.Path)
	case "delete_file":
		op.Kind = OpDelete
		if f.has("diff") && f.text("diff") != "" {
			f.fail("delete_file has a \"diff\": expected none")
		}
	default:
		f.fail("\"type\" is " + quote(kind) + ": expected create_file, update_file or delete_file")
	}
	return plan(op)
}

// addedLines reads a field of "+" lines, joined by newlines with none after the last.
func (o *object) addedLines(name string) string {
	var b strings.Builder
	text := o.need(name)
	for in := (scanner{src: text}); in.scan(); {
		if !strings.HasPrefix(in.text, "+") {
			if strings.TrimSpace(text[in.at:]) == "" {
				break
			}
			o.fail("line " + quote(in.text) + " of the new file has no \"+\" in front of it: expected one on every line")
			break
		}
		if in.no > 1 {
			b.WriteByte('\n')
		}
		b.WriteString(in.text[1:])
	}
	return b.String()
}

// readPatchText reads {path, patch_text}.
func readPatchText(o *object) Plan { return o.v4aFor("patch_text", o.path("path")) }

// readContent reads {path, content}.
func readContent(o *object) Plan {
	return plan(Op{Kind: OpCreate, Path: o.path("path"), Content: o.need("content"), Overwrite: true})
}

// readPercentage reads {file_path, percentage_to_change, text_or_search_replace_blocks}. Up to 50 percent, and wherever the
// text starts with one, it is blocks; else the whole file. Blocks that would become the file are refused.
func readPercentage(o *object) Plan {
	file, text := o.path("file_path"), o.need("text_or_search_replace_blocks")
	o.require("percentage_to_change")
	percentage := o.number("percentage_to_change", 0)
	if percentage > 100 {
		o.fail("\"percentage_to_change\" is more than 100: expected 0 to 100")
	}
	if o.doc.failed() {
		return Plan{}
	}
	starts, ends := holdsBlocks(text)
	if !starts && (percentage == 0 || percentage > 50) {
		if ends {
			o.fail("the text ends in SEARCH/REPLACE blocks, but \"percentage_to_change\" says that it is the whole file: expected the " +
				"blocks alone, or a text that does not end in one")
		}
		return plan(Op{Kind: OpCreate, Path: file, Content: text, Overwrite: true})
	}
	p, err := ParseBlocks(text)
	o.wrap(err)
	for _, op := range p.Ops {
		if op.Path != "" && path.Clean(op.Path) != path.Clean(file) {
			o.fail("the blocks name " + quote(op.Path) + ": expected only blocks for " + quote(file))
			return Plan{}
		}
	}
	return p.ForFile(file)
}

// holdsBlocks reports whether a text starts with a SEARCH marker, but for a code fence and the name of a file, and whether it ends
// in a REPLACE marker behind a SEARCH marker, but for a fence.
func holdsBlocks(text string) (starts, ends bool) {
	above, searches := true, false
	for in := (scanner{src: text}); in.scan(); {
		if isBlank(in.text) || isFence(in.text) {
			continue
		}
		kind, _, ok := blockMarker(&in)
		searches = searches || ok && kind == markSearch
		ends = ok && kind == markReplace && searches
		if _, how := pathOnLine(in.text); above && (ok || how < asLabel) {
			starts, above = ok && (kind == markSearch || kind == markBroken), false
		}
	}
	return starts, ends
}

// readCommand reads the calls of a str_replace editor.
func readCommand(o *object) Plan {
	op := Op{Path: o.path("path")}
	switch command := o.need("command"); {
	case command == "create":
		o.allow("command", "path", "file_text")
		op.Kind, op.Content = OpCreate, o.need("file_text")
	case command == "str_replace":
		o.allow("command", "path", "old_str", "new_str")
		op.Edits = []Edit{o.substring(0, o.need("old_str"), o.text("new_str"), "; to add lines, insert them, and to make a file, create it")}
	case command == "insert":
		field := "insert_text"
		if o.says("new_str") {
			field = "new_str"
		}
		o.allow("command", "path", "insert_line", field)
		o.require("insert_line")
		op.Edits = []Edit{{First: o.number("insert_line", 0) + 1, New: wholeLines(o.need(field)), WholeLines: true}}
	case command == "view" && o.doc.reads:
		o.allow("command", "path", "view_range")
		o.view(op.Path, o.numbers("view_range"))
	case command == "view":
		o.fail("\"view\" is a read, not an edit: expected create, str_replace or insert")
	default:
		o.fail("\"command\" is " + quote(command) + ": expected " + o.doc.or("view") + "create, str_replace or insert")
	}
	return plan(op)
}

// readAction reads the calls of a text editor.
func readAction(o *object) Plan {
	op := Op{Path: o.path("path")}
	switch action := o.need("action"); {
	case action == "write":
		o.allow("action", "path", "content")
		op.Kind, op.Content, op.Overwrite = OpCreate, o.need("content"), true
	case action == "patch" && o.says("patch_text"):
		o.allow("action", "path", "patch_text")
		return o.v4aFor("patch_text", op.Path)
	case action == "patch" && !o.says("edits"):
		o.fail("a \"patch\" has neither \"edits\" nor \"patch_text\": expected one of them")
	case action == "patch":
		o.allow("action", "path", "edits")
		op = lineEdits(op, o.elements("edits"))
	case action == "read" && o.doc.reads:
		o.allow("action", "path", "line_from", "line_to")
		o.view(op.Path, []int{o.number("line_from", 1), o.number("line_to", 1)})
	case action == "read":
		o.fail("\"read\" is no edit: expected write or patch")
	default:
		o.fail("\"action\" is " + quote(action) + ": expected " + o.doc.or("read") + "write or patch")
	}
	return plan(op)
}
