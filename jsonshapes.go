package atomicedit

import (
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/filehint"
	"github.com/atomicedit/atomicedit/internal/text"
)

func planOf(op Op) Plan { return Plan{Ops: []Op{op}, Format: "json"} }

// calling returns p as a request whose field for the old text has the given name.
func (p Plan) calling(oldText string) Plan {
	p.Format = "json:" + oldText
	return p
}

// readAnyEdits reads {file_path, edits} or {path, edits}. The fields of the first edit determine the kind of all edits.
func readAnyEdits(o *objectReader) (Plan, error) {
	if o.Has("file_path") {
		return readMultiEdit(o)
	}
	elems, err := o.elements("edits")
	if err != nil {
		return Plan{}, err
	}
	first := func(names ...string) bool {
		return len(elems) > 0 && slices.ContainsFunc(names, elems[0].Has)
	}
	switch {
	case first("oldText", "newText", "old_text", "new_text"):
		o.allow("path", "edits", "dryRun")
		op, field := textEdits(Op{Path: o.path("path")}, elems)
		p := planOf(op).calling(field)
		p.DryRun = o.flag("dryRun")
		return p, nil
	case first("from"):
		o.allow("path", "edits")
		return planOf(lineEdits(Op{Path: o.path("path")}, elems)), nil
	}
	o.allow("path", "edits", "cwd", "skillToken")
	return readExactEdits(o)
}

// readMultiEdit reads {file_path, edits: [{old_string, new_string, …}]}. The first edit may create the file.
func readMultiEdit(o *objectReader) (Plan, error) {
	o.allow("file_path", "edits")
	elems, err := o.elements("edits")
	if err != nil {
		return Plan{}, err
	}
	for _, e := range elems {
		e.allow("old_string", "new_string", "replace_all", "expected_replacements")
	}
	return planOf(stringEdits(Op{Path: o.path("file_path")}, elems)).calling("old_string"), nil
}

// readExactEdits reads {path, edits: [{old_string, new_string, …}], cwd?}. No edit may create the file.
func readExactEdits(o *objectReader) (Plan, error) {
	op, err := exactEditsOp(o, o.text("cwd"))
	return planOf(op).calling("old_string"), err
}

// exactEditsOp reads {path, edits}, the part that a request shares with an entry of "files" or "operations".
func exactEditsOp(o *objectReader, cwd string) (Op, error) {
	op := Op{Path: o.pathIn("path", cwd)}
	elems, err := o.elements("edits")
	return exactEdits(op, elems), err
}

// readSingleEdit reads {file_path, old_string, new_string, …}, without an array.
func readSingleEdit(o *objectReader) (Plan, error) {
	return planOf(stringEdits(Op{Path: o.path("file_path")}, []*objectReader{o})).calling("old_string"), nil
}

// stringEdits reads edits of one file, the first of which may create it.
func stringEdits(op Op, elems []*objectReader) Op {
	for i, e := range elems {
		older, newer := e.needOrNull("old_string"), e.needOrNull("new_string")
		if i == 0 && older == "" && !e.failed() {
			op.Kind, op.Content = OpCreate, newer
			continue
		}
		edit := e.substring(i, "old_string", older, newer, "; only in the first edit for a file_path may it be empty, which creates the file")
		if op.Kind == OpCreate {
			edit.Number = i + 1
		}
		op.Edits = append(op.Edits, edit)
	}
	return op
}

// exactEdits reads edits of one file, none of which may create it.
func exactEdits(op Op, elems []*objectReader) Op {
	for i, e := range elems {
		e.allow("old_string", "new_string", "replace_all", "startLine")
		edit := e.substring(i, "old_string", e.needOrNull("old_string"), e.needOrNull("new_string"), "; to make a file, use create")
		edit.Near = e.number("startLine", 1)
		op.Edits = append(op.Edits, edit)
	}
	return op
}

// textEdits reads {oldText, newText}, in either spelling. It also returns how the last edit spells oldText.
func textEdits(op Op, elems []*objectReader) (Op, string) {
	older, newer := "oldText", "newText"
	for i, e := range elems {
		older, newer = "oldText", "newText"
		if e.Has("old_text") || e.Has("new_text") {
			older, newer = "old_text", "new_text"
		}
		e.allow(older, newer)
		op.Edits = append(op.Edits, e.substring(i, older, e.needOrNull(older), e.needOrNull(newer), ""))
	}
	return op, older
}

// lineEdits reads {from, to?, content}.
func lineEdits(op Op, elems []*objectReader) Op {
	for _, e := range elems {
		e.allow("from", "to", "content")
		e.require("from")
		edit := Edit{First: e.number("from", 1), Last: e.number("to", 1), New: text.EndLines(e.need("content")), WholeLines: true}
		if edit.Last > 0 && edit.Last < edit.First {
			e.fail("\"to\" is before \"from\": expected the last line to replace, or no \"to\", to insert before \"from\"")
		}
		op.Edits = append(op.Edits, edit)
	}
	return op
}

// substring returns the edit that replaces older, which is in the given field, by newer as often as o says. OrElse says what to do
// without an old text.
func (o *objectReader) substring(i int, field, older, newer, orElse string) Edit {
	e := Edit{Old: older, New: newer, Count: o.number("expected_replacements", 0)}
	all, several := o.flag("replace_all"), o.Has("replace_all")
	if o.Has("allow_multiple") {
		all, several = all || o.flag("allow_multiple"), true
	}
	switch {
	case o.failed():
	case older == "":
		o.fail(field + " is empty: expected the text to replace" + orElse)
	case older == newer:
		w := wordsOf("json:" + field)
		o.note(Problem{Err: ErrNoChange, Op: -1, Edit: i, Msg: o.here() + w.old + " and " + w.new + " are equal: correct one of them, or leave the edit out"})
	case several && !all && e.Count > 1:
		o.fail("replace_all is false but expected_replacements is more than 1: expected them to agree")
	case all && e.Count == 0:
		e.Count = All
	}
	return e
}

// readFiles reads {files: [{path, edits}], cwd?}.
func readFiles(o *objectReader) (Plan, error) {
	p := Plan{}.calling("old_string")
	files, err := o.elements("files")
	seen := pathSet{}
	for _, f := range files {
		f.allow("path", "edits")
		op, err := exactEditsOp(f, o.text("cwd"))
		if err != nil {
			return Plan{}, err
		}
		p.Ops = append(p.Ops, op)
		seen.add(f, op.Path)
	}
	return p, err
}

// readOperations reads {operations: [{type, …}], cwd?}.
func readOperations(o *objectReader) (Plan, error) {
	p := Plan{}.calling("old_string")
	cwd := o.text("cwd")
	operations, err := o.elements("operations")
	seen := pathSet{}
	for _, f := range operations {
		var op Op
		switch kind := f.need("type"); kind {
		case "edit":
			f.allow("type", "path", "edits")
			var err error
			if op, err = exactEditsOp(f, cwd); err != nil {
				return Plan{}, err
			}
		case "create":
			f.allow("type", "path", "content", "overwrite")
			op = Op{Kind: OpCreate, Path: f.pathIn("path", cwd), Content: f.need("content"), Overwrite: f.flag("overwrite")}
		case "delete":
			f.allow("type", "path")
			op = Op{Kind: OpDelete, Path: f.pathIn("path", cwd)}
		case "move":
			f.allow("type", "from", "to", "overwrite")
			op = Op{Kind: OpMove, Path: f.pathIn("from", cwd), To: f.pathIn("to", cwd), Overwrite: f.flag("overwrite")}
			seen.add(f, op.To)
		default:
			f.fail("\"type\" is " + quote(kind) + ": expected edit, create, delete or move")
		}
		seen.add(f, op.Path)
		p.Ops = append(p.Ops, op)
	}
	return p, err
}

// A pathSet finds paths that several operations name.
type pathSet map[string]bool

func (s pathSet) add(o *objectReader, name string) {
	if s[cleanNamed(name)] && name != "" {
		o.fail("the path " + quote(name) + " is named twice: expected one entry per file, with all of its edits")
	}
	s[cleanNamed(name)] = true
}

// readContent reads {path, content}.
func readContent(o *objectReader) (Plan, error) {
	return planOf(Op{Kind: OpCreate, Path: o.path("path"), Content: o.need("content"), Overwrite: true}), nil
}

// readPatchOperation reads {operation: {type, path, diff?}}, where diff is a V4A patch without headers.
func readPatchOperation(o *objectReader) (Plan, error) {
	f, err := o.child("operation")
	if err != nil {
		return Plan{}, err
	}
	f.allow("type", "path", "diff")
	op := Op{Path: f.path("path")}
	switch kind := f.need("type"); kind {
	case "create_file":
		op.Kind, op.Content = OpCreate, f.addedLines("diff")
	case "update_file":
		return f.chunksFor("diff", op.Path)
	case "delete_file":
		op.Kind = OpDelete
		if f.Has("diff") && f.text("diff") != "" {
			f.fail("delete_file has a \"diff\": expected none")
		}
	default:
		f.fail("\"type\" is " + quote(kind) + ": expected create_file, update_file or delete_file")
	}
	return planOf(op), nil
}

// addedLines reads a field of "+" lines, joined by newlines with none after the last.
func (o *objectReader) addedLines(name string) string {
	var b strings.Builder
	lines := o.need(name)
	for in := (text.Scanner{Src: lines}); in.Scan(); {
		if !strings.HasPrefix(in.Line, "+") {
			if strings.TrimSpace(lines[in.At:]) == "" {
				break
			}
			o.fail("line " + quote(in.Line) + " of the new file has no \"+\" in front of it: expected one in front of every line")
			break
		}
		if in.No > 1 {
			b.WriteByte('\n')
		}
		b.WriteString(in.Line[1:])
	}
	return b.String()
}

// readPatchText reads {path, patch_text}.
func readPatchText(o *objectReader) (Plan, error) { return o.chunksFor("patch_text", o.path("path")) }

// patch reads a field that holds a V4A patch.
func (o *objectReader) patch(name string) (Plan, error) {
	request := o.need(name)
	if o.failed() {
		return Plan{}, nil
	}
	return ParseV4A(request)
}

// namedPatch reads a field that holds a V4A patch that names its files.
func (o *objectReader) namedPatch(name string) (Plan, error) {
	p, err := o.patch(name)
	if slices.ContainsFunc(p.Ops, func(op Op) bool { return op.Path == "" }) {
		o.fail("the patch names no file: expected \"*** Begin Patch\" and \"*** Update File: path\" before its lines")
	}
	return p, err
}

// chunksFor reads a field that holds a V4A patch of one file, with or without headers.
func (o *objectReader) chunksFor(field, file string) (Plan, error) {
	for in := (text.Scanner{Src: o.text(field)}); in.Scan(); {
		if text.IsBlank(in.Line) {
			continue
		}
		if in.Line[0] != '@' && formatOf(&in) == formatUnified {
			o.fail("the patch begins like a unified diff, with " + quote(in.Line) + ": expected only the lines from the first \"@@\" on")
			return Plan{}, nil
		}
		break
	}
	p, err := o.patch(field)
	for _, op := range p.Ops {
		if op.Kind != OpEdit || op.Path != "" && cleanNamed(op.Path) != cleanNamed(file) {
			o.fail("the patch does more than update " + quote(file) + ": expected only chunks for this file")
			return Plan{}, nil
		}
	}
	return p.ForFile(file), err
}

// readPercentage reads {file_path, percentage_to_change, text_or_search_replace_blocks}. The text is blocks if it starts
// with one, or up to 50 percent; else it is the whole file. A file that would end in blocks is refused.
func readPercentage(o *objectReader) (Plan, error) {
	file, content := o.path("file_path"), o.need("text_or_search_replace_blocks")
	o.require("percentage_to_change")
	percentage := o.number("percentage_to_change", 0)
	if percentage > 100 {
		o.fail("\"percentage_to_change\" is more than 100: expected 0 to 100")
	}
	if o.failed() {
		return Plan{}, nil
	}
	starts, ends := holdsBlocks(content)
	if !starts && (percentage == 0 || percentage > 50) {
		if ends {
			o.fail("the text ends in SEARCH/REPLACE blocks, but \"percentage_to_change\" says that it is the whole file: expected " +
				"only the blocks, or a text that does not end in one")
		}
		return planOf(Op{Kind: OpCreate, Path: file, Content: content, Overwrite: true}), nil
	}
	p, err := ParseBlocks(content)
	for _, op := range p.Ops {
		if op.Path != "" && cleanNamed(op.Path) != cleanNamed(file) {
			o.fail("the blocks name " + quote(op.Path) + ": expected only blocks for " + quote(file))
			return Plan{}, nil
		}
	}
	return p.ForFile(file), err
}

// holdsBlocks reports whether a text starts with a SEARCH marker, and whether it ends in a REPLACE marker below a SEARCH
// marker. Code fences around them do not count, nor does a name of a file above them.
func holdsBlocks(s string) (starts, ends bool) {
	above, searches := true, false
	for in := (text.Scanner{Src: s}); in.Scan(); {
		if text.IsBlank(in.Line) || text.IsFence(in.Line) {
			continue
		}
		kind, _, ok := readBlockMarker(&in)
		searches = searches || ok && kind == searchMarker
		ends = ok && kind == replaceMarker && searches
		if above && (ok || (filehint.Line{Text: in.Line}).Hint().Certainty < filehint.Label) {
			starts, above = ok && (kind == searchMarker || kind == brokenSearch), false
		}
	}
	return starts, ends
}

// readCommand reads the calls of a str_replace editor.
func readCommand(o *objectReader) (Plan, error) {
	op := Op{Path: o.path("path")}
	switch command := o.need("command"); command {
	case "create":
		o.allow("command", "path", "file_text")
		op.Kind, op.Content = OpCreate, o.need("file_text")
	case "str_replace":
		o.allow("command", "path", "old_str", "new_str")
		op.Edits = []Edit{o.substring(0, "old_str", o.need("old_str"), o.text("new_str"), "; to add lines, use insert; to make a file, use create")}
	case "insert":
		field := "insert_text"
		if o.IsSet("new_str") {
			field = "new_str"
		}
		o.allow("command", "path", "insert_line", field)
		o.require("insert_line")
		op.Edits = []Edit{{First: o.number("insert_line", 0) + 1, New: text.EndLines(o.need(field)), WholeLines: true}}
	case "view":
		o.fail("\"view\" is not an edit: expected create, str_replace or insert")
	default:
		o.fail("\"command\" is " + quote(command) + ": expected " + o.ifViews("view, ") + "create, str_replace or insert")
	}
	return planOf(op).calling("old_str"), nil
}

// A view is a call that shows a file: the lines first to last, 0 standing for the first and the last that the file has.
type view struct {
	path        string
	first, last int
}

// viewCommand reads the "view" of a str_replace editor.
func viewCommand(o *objectReader) *view {
	if command, _ := o.Text("command"); command != "view" {
		return nil
	}
	path := o.path("path")
	o.allow("command", "path", "view_range")
	return o.viewOf(path, o.numbers("view_range"))
}

// readAction reads the calls of a text editor.
func readAction(o *objectReader) (Plan, error) {
	op := Op{Path: o.path("path")}
	switch action := o.need("action"); {
	case action == "write":
		o.allow("action", "path", "content")
		op.Kind, op.Content, op.Overwrite = OpCreate, o.need("content"), true
	case action == "patch" && o.IsSet("patch_text"):
		o.allow("action", "path", "patch_text")
		return o.chunksFor("patch_text", op.Path)
	case action == "patch" && !o.IsSet("edits"):
		o.fail("the patch has neither \"edits\" nor \"patch_text\": expected one of them")
	case action == "patch":
		o.allow("action", "path", "edits")
		elems, err := o.elements("edits")
		return planOf(lineEdits(op, elems)), err
	case action == "read":
		o.fail("\"read\" is not an edit: expected write or patch")
	default:
		o.fail("\"action\" is " + quote(action) + ": expected " + o.ifViews("read, ") + "write or patch")
	}
	return planOf(op), nil
}

// viewAction reads the "read" of a text editor.
func viewAction(o *objectReader) *view {
	if action, _ := o.Text("action"); action != "read" {
		return nil
	}
	path := o.path("path")
	o.allow("action", "path", "line_from", "line_to")
	return o.viewOf(path, []int{o.number("line_from", 1), o.number("line_to", 1)})
}

// viewOf returns the view of a file from the first to the second of the given numbers; without numbers, of all of it.
func (o *objectReader) viewOf(path string, numbers []int) *view {
	v := &view{path: path}
	switch {
	case len(numbers) == 0:
	case len(numbers) != 2:
		o.fail("the range has " + strconv.Itoa(len(numbers)) + " " + plural(len(numbers), "number") + ": expected two, the first and the last line to show")
	default:
		v.first, v.last = numbers[0], numbers[1]
		if v.last == -1 {
			v.last = 0
		}
		if v.first < 0 || v.last < 0 || v.last > 0 && v.last < v.first {
			o.fail("lines " + strconv.Itoa(numbers[0]) + " to " + strconv.Itoa(numbers[1]) + " are not a range: expected the first and the last line to show, counted from 1")
		}
	}
	return v
}

// ifViews returns the name of a call that shows a file, for a list of what was expected, if such calls are read.
func (o *objectReader) ifViews(call string) string {
	if o.request.views {
		return call
	}
	return ""
}
