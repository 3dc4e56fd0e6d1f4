package call

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// EditShapes are the shapes of one edit, in the order of CallShapes. An insertion without its line lacks that of
// afterShape, which is therefore the last that inserts as well.
var EditShapes = []Shape{replaceShape, rangeShape, atShape, beforeShape, afterShape, lineShape, linesShape,
	taggedShape, untagged, spanShape, endShape, afterShape, newShape}

// callShapes has no Make, which would name the functions that read calls: calls may have calls in them.
var callShapes field.Table[[]Shape]

// CallShapes returns the shapes of calls, which all callers share. A call has the first one whose keys it has.
func CallShapes() []Shape { return callShapes.Of(newCallShapes) }

func newCallShapes() []Shape {
	const moveFields = field.FromField | field.PathField | field.OverwriteField
	return []Shape{
		{verbs: anyVerb, Keys: field.OperationsField, fields: field.PathField, read: readOperations},
		{verbs: anyVerb, Keys: field.FilesField, read: readFiles},
		{verbs: anyVerb, Keys: field.ByNameField, read: readFilesByName},
		{verbs: anyVerb, Keys: field.OperationField, read: readOperation},
		{verbs: VerbEdit | VerbPatch | VerbChunks | VerbCreate | VerbDelete | VerbMove, Keys: field.PatchField,
			fields: field.PathField | field.ToField | field.FirstField, read: readPatch},
		{verbs: VerbEdit | VerbDelete, Keys: field.DeleteField, fields: field.PathField | field.EditsField,
			read: readDeletion},
		{verbs: VerbEdit | VerbInsert | VerbAppend | VerbPatch, Keys: field.EditsField,
			fields: field.PathField | field.ToField | field.AllField, read: readEdits},
		{verbs: VerbEdit, Keys: field.BlocksField, fields: field.PathField | field.PercentageField,
			read: readPercentage},
		{verbs: verbDiff, told: true, Keys: field.NewField, fields: field.PathField | field.OldField,
			read: readOldAndNew},
		replaceShape, rangeShape, lineShape, atShape, beforeShape, afterShape, linesShape, spanShape,
		{verbs: VerbWrite | VerbCreate, Keys: field.ContentField, fields: writeFields, read: readContent},
		{verbs: VerbWrite | VerbCreate, told: true, Keys: field.CodeField, lacks: field.OldField,
			fields: writeFields, read: readContent},
		{verbs: VerbAppend, told: true, Keys: field.TextField, fields: writeFields, read: readContent},
		{verbs: VerbMove, told: true, Keys: field.NewNameField, fields: moveFields, read: readRename},
		{verbs: VerbMove, Keys: field.ToField, fields: moveFields, read: readMove},
		{verbs: VerbDelete, Keys: field.PathsField, read: readDeletions},
		{verbs: VerbDelete, told: true, Keys: field.PathField, fields: field.ContentField, read: readDeletions},
		{verbs: VerbRun, Keys: field.CommandField, read: readCommandLine},
		newShape,
	}
}

// ReadCall reads the arguments of a call, or an entry of a list of them.
func ReadCall(o *jsonread.Object, t task) plan.Plan {
	if !t.takeTool(o) {
		return plan.Plan{}
	}
	const texts = field.OldField | field.NewField
	if t.ofText != 0 && (o.Set&texts == texts || o.Set&(field.EditsField|field.PatchField) != 0) {
		t.said = t.ofText
	}
	if v, name := modeOf(o); v != noVerb {
		t.said, t.mode = v, name
		// CodeCompanion's
		if v == VerbAppend && o.Full&field.EditsField != 0 && t.name == "insert_edit_into_file" {
			t.said = VerbEdit
		}
	} else if t.tool == "" && slices.Equal(o.SetNames(3), []string{"explanation", "target_file"}) {
		t.said = VerbDelete // Cursor's delete_file has these fields, which no other tool has alone
	}
	ignoreOthers(o, t)
	nameNewText(o, t.said, t.tool)
	nameByOthers(o, t.said)
	if t.beside == nil {
		o, t.beside = numberedEdits(o)
	}
	s, ok := Shape{fields: field.PathField, read: readEditsBeside}, true
	switch {
	case t.beside != nil:
	case t.said == VerbWrite && t.mode != "" && o.Full&field.EditsField != 0:
		s = Shape{Keys: field.EditsField, fields: field.PathField, read: readWhole}
	default:
		s, ok = shapeOf(o, CallShapes(), t.said, t.mode != "")
	}
	if _, cannot := refusedField(o); o.Reported || !ok && (s.verbs == 0 || cannot != "") {
		return unknownCall(o, t)
	}
	t.cwd = cmp.Or(names.In(t.cwd, o.TextOf(field.CwdField)), t.cwd)
	isOfSWE := o.Has("search") || o.Has("replacement_text") // its edit edits the file that is open
	t.noPath = t.noPath || t.name == "edit" && isOfSWE
	if s.edit != nil {
		s.fields |= field.PathField
		s.read = readEdit
	}
	if s.Keys&field.ContentField != 0 && t.mode == "" && slices.Contains(t.words, "cell") {
		return refused(o, "the name of the tool %s", field.OfNotebook)
	}
	if ok && !o.Allow(s.Keys|s.fields|field.Anywhere) {
		return plan.Plan{}
	}
	found := len(o.Request.Found)
	p := s.read(o, t)
	if !ok && len(o.Request.Found) == found { // it is to say what is missing
		return unknownCall(o, t)
	}
	p.DryRun = p.DryRun || t.preview || o.Flag(field.DryRunField)
	expectVersion(o, p)
	return p
}

// expectVersion gives the files of p the version that o has, if any.
func expectVersion(o *jsonread.Object, p plan.Plan) {
	version := plan.ReadVersion(o.TextOf(field.VersionField))
	if version != "" && len(p.Ops) > 1 {
		o.Failf("%q does not say which of the files it is about: expected it beside the path of the file",
			o.Find(field.VersionField))
	}
	for i := range p.Ops {
		p.Ops[i].Version = cmp.Or(version, p.Ops[i].Version)
	}
}

// nameNewText gives the only text beside an old text the name of a new text. A text that the call is to stand before,
// or its target, may be a place to insert at, and the text of a call that does not edit is that of a file, or a remark.
func nameNewText(o *jsonread.Object, said Verb, tool string) {
	old := field.NormalName(o.Find(field.OldField))
	mayBePlace := old == "before" || strings.HasPrefix(old, "target")
	mayEdit := said.has(VerbEdit|VerbChange) || said == noVerb && tool == ""
	if o.Full&field.OldField == 0 || o.IsNamed(field.NewField) || o.Strict != nil || mayBePlace || !mayEdit {
		return
	}
	isText := func(name string) bool {
		return o.IsSet(name) && slices.Contains([]string{"content", "contents", "text"}, field.NormalName(name))
	}
	at := slices.IndexFunc(o.Names, isText)
	if at >= 0 && !slices.ContainsFunc(o.Names[at+1:], isText) {
		o.Rename(at, o.NameFor(field.NewField))
	}
}

// nameByOthers gives the new text the name of a diff where a flag says that it is one, as gptel-agent's does, and a
// target beside the source of a move that of a destination. Elsewhere, it is the file.
func nameByOthers(o *jsonread.Object, said Verb) {
	if flag, diff := o.Find(field.PatchField), o.Find(field.NewField); o.IsTrue(flag) && o.IsNamed(field.NewField) {
		o.Remove(func(name string, _ jsonobj.Value, _ field.Set) bool { return name == flag })
		o.Rename(slices.Index(o.Names, diff), "diff")
	}
	isTarget := func(name string) bool { return field.NormalName(name) == "targetpath" }
	at := slices.IndexFunc(o.Names, isTarget)
	if at >= 0 && said == VerbMove && o.IsNamed(field.FromField) && !o.IsNamed(field.ToField) {
		o.Rename(at, "destination_path")
	}
}

func readEdit(o *jsonread.Object, t task) plan.Plan { return readEditsOf(o, []*jsonread.Object{o}, t) }

// readOperations reads an entry for each operation. Beside a path, they are edits of that file.
func readOperations(o *jsonread.Object, t task) plan.Plan {
	elems := o.Elements(field.OperationsField)
	if !o.IsNamed(field.PathField) {
		return readEntriesOf(elems, t, task{typed: true})
	}
	for _, e := range elems {
		if e.IsNamed(field.PathField) {
			return refused(e, "%q names a file, and so does the call: expected one of them", e.Find(field.PathField))
		}
	}
	return readEditsOf(o, elems, t)
}

func readFiles(o *jsonread.Object, t task) plan.Plan {
	return readEntriesOf(o.Elements(field.FilesField), t, task{})
}

// readEntriesOf reads entries of a call, of which the task of says more.
func readEntriesOf(elems []*jsonread.Object, t, of task) plan.Plan {
	p := plan.Plan{Format: "json"}
	seen := pathSet{}
	for _, e := range elems {
		entry := t.within()
		entry.typed, entry.byName = of.typed, of.byName
		if e.IsNamed(field.ToolField) {
			entry.saidByName, entry.outer = saidByName{}, noVerb
		}
		if !entry.take(e, t.forms) {
			continue
		}
		found := len(e.Request.Found)
		one := ReadCall(e, entry)
		if len(e.Request.Found) > found {
			one.Ops = slices.DeleteFunc(one.Ops, func(op plan.Op) bool { return op.Kind != plan.OpEdit })
		}
		for _, op := range one.Ops {
			if op.Kind == plan.OpMove {
				seen.add(e, op.To)
			}
			seen.add(e, op.Path)
		}
		if one.Format != "json" && len(one.Ops) > 0 {
			p.Format = one.Format
		}
		p.DryRun = p.DryRun || one.DryRun
		p.Ops = append(p.Ops, one.Ops...)
	}
	return p
}

// readEdits reads a list of edits. Each may name its own file.
func readEdits(o *jsonread.Object, t task) plan.Plan {
	if t.said.has(VerbPatch) && o.Find(field.EditsField) == "" {
		return refused(o, `the patch has neither "edits" nor %q: expected one of them`, o.NameFor(field.PatchField))
	}
	if o.IsNamed(field.ToField) && o.Full&field.EditsField == 0 {
		return readMove(o, t)
	}
	elems := o.Elements(field.EditsField)
	if o.IsNamed(field.AllField) {
		all := o.Flag(field.AllField)
		t.all = &all
	}
	p := readEditList(o, elems, t)
	if !o.IsNamed(field.ToField) {
		return p
	}
	name, to := o.Find(field.ToField), pathIn(o, field.ToField, t.cwd)
	isMove := slices.ContainsFunc(wordsIn(name), func(word string) bool {
		return NameVerbs.Get()[word] == VerbMove || word == "new"
	})
	if o.Failed() || !isMove || len(p.Ops) != 1 {
		o.Failf(`%q does not say that the edited file is moved: expected "move_to" beside the edits of one file`, name)
		return p
	}
	p.Ops = append(p.Ops, plan.Op{Kind: plan.OpMove, Path: p.Ops[0].Path, To: to})
	return p
}

// readWhole reads an edit in a list whose call says that it replaces all of the file.
func readWhole(o *jsonread.Object, t task) plan.Plan {
	elems := o.Elements(field.EditsField)
	if len(elems) != 1 || elems[0].TextOf(field.OldField) != "" {
		return refused(o, "%q says that all of the file is replaced, but %q has an old text, or several edits: "+
			"expected one with the new file, and without an old text", t.mode, o.Find(field.EditsField))
	}
	elems[0].Allow(field.OldField | field.NewField | field.AllField)
	return planOf(plan.Op{Kind: plan.OpCreate, Path: pathIn(o, field.PathField, t.cwd), Overwrite: true,
		Content: elems[0].Need(field.NewField)})
}

// readDeletion reads a flag that says that a file is deleted.
func readDeletion(o *jsonread.Object, t task) plan.Plan {
	if o.Full&field.EditsField != 0 {
		o.Failf("%q says that the file is deleted, but it has edits: expected one of them", o.Find(field.DeleteField))
	}
	return planOf(plan.Op{Kind: plan.OpDelete, Path: pathIn(o, field.PathField, t.cwd)})
}

// readEditList reads the edits of a call. Each may name its own file.
func readEditList(o *jsonread.Object, elems []*jsonread.Object, t task) plan.Plan {
	ofFiles := func(e *jsonread.Object) bool { return e.IsNamed(field.PathField) }
	if t.forms != nil || !slices.ContainsFunc(elems, ofFiles) {
		return readEditsOf(o, elems, t)
	}
	if o.IsNamed(field.PathField) {
		t.path = pathIn(o, field.PathField, t.cwd)
	}
	var plans []plan.Plan
	for _, e := range elems {
		edit := t.within()
		edit.path, edit.all = t.path, t.all
		one := ReadCall(e, edit)
		if t.path != "" && len(one.Ops) > 0 && names.OfRequest(one.Ops[0].Path) != names.OfRequest(t.path) {
			e.Failf("%q is another file than that of the call: expected one of them", e.Find(field.PathField))
		}
		plans = append(plans, one)
	}
	if o.Failed() {
		return plan.Plan{}
	}
	return joined(o.Request, plans)
}

func readOperation(o *jsonread.Object, t task) plan.Plan {
	name := o.Find(field.OperationField)
	if name == "" {
		return refused(o, "the field %q is missing: it is required", o.NameFor(field.OperationField))
	}
	f, err := o.Request.Call(o.Value(name), strconv.Quote(name))
	entry := t.within()
	entry.saidByName = saidByName{}
	if o.Request.Stop(err) || !entry.take(f, t.forms) {
		return plan.Plan{}
	}
	return ReadCall(f, entry)
}

// readEditsBeside reads edits that stand beside the other fields of a call: in tags, or as numbered fields.
func readEditsBeside(o *jsonread.Object, t task) plan.Plan {
	const edits = VerbEdit | VerbInsert | VerbPatch | VerbChange
	if t.said.has(VerbDelete|VerbMove|VerbView) || t.mode != "" && !t.said.has(edits) {
		says := "the name of the tool"
		if t.mode != "" {
			says = "\"" + t.mode + "\""
		}
		return refused(o, "%s says that the call is no edit, but it has edits: expected them to agree", says)
	}
	return readEditList(o, t.beside, t)
}

// readFilesByName reads an object whose fields are names of files. A name stands for the fields of an entry, a list of
// edits, or the content of the file where the call says that files are written.
func readFilesByName(o *jsonread.Object, t task) plan.Plan {
	list := o.Find(field.ByNameField)
	files, err := o.Request.Call(o.Value(list), list)
	if o.Request.Stop(err) {
		return plan.Plan{}
	}
	if len(files.Names) == 0 {
		o.Failf("%q is empty: expected at least one file", list)
	}
	hasMeaning := func(name string) bool { return field.MeaningOf(name) != field.NoMeaning }
	if slices.ContainsFunc(files.Names, hasMeaning) { // one entry
		return readEntriesOf([]*jsonread.Object{files}, t, task{})
	}
	mode, said := "", TaskOf(list).said // what contents are for; else the name of the tool says it
	isContent := field.MeaningOf(list).Fields&field.ContentField != 0 && (t.toolSays == 0 || t.toolSays == VerbChange)
	switch {
	case t.said.has(VerbAppend | VerbInsert | VerbDelete | VerbMove):
	case said == VerbCreate, t.toolSays == VerbCreate:
		mode = "create"
	case said == VerbWrite, t.toolSays == VerbWrite, isContent:
		mode = "write"
	}
	elems := make([]*jsonread.Object, len(files.Names))
	for i, name := range files.Names {
		fields := fieldsFor(files.Values[i], mode)
		if fields == nil {
			return refused(o, `%q does not say what to do with %s: expected an object with the fields of an edit, `+
				`or the content of the file in the call of a tool such as "write_files"`, list, plan.Excerpt(name))
		}
		elems[i] = entryFor(files, fields, name)
	}
	return readEntriesOf(elems, t, task{byName: true})
}

// fieldsFor returns the fields of an entry, of which the name of a file has the value v; nil if it is none. A content
// is for the given mode. Fields in the only field, which says what to do, as in {"add": {"content"}}, get a type.
func fieldsFor(v jsonobj.Value, mode string) *jsonobj.Object {
	o, err := v.Object("")
	switch kind := v.Kind(); {
	case kind == '[':
		o = jsonobj.NewObject(v.Offset).With("edits", v)
	case kind == '"' && mode != "":
		o = jsonobj.NewObject(v.Offset).With("content", v).With("mode", jsonobj.OfText(mode, v.Offset))
	case err == nil && len(o.Names) == 1 && ModeVerbs.Get()[field.NormalName(o.Names[0])] != 0:
		if inner, err := o.Values[0].Object(""); err == nil && !inner.Has("type") {
			return inner.With("type", jsonobj.OfText(o.Names[0], inner.Offset))
		}
	}
	return o
}

// entryFor returns the reader of an entry for the file with the given name, which the entry may repeat.
func entryFor(o *jsonread.Object, fields *jsonobj.Object, name string) *jsonread.Object {
	e := o.Request.CallOf(fields, o.Name+"["+plan.Excerpt(name)+"]")
	if own := e.TextOf(field.PathField); own != "" && names.OfRequest(own) != names.OfRequest(name) {
		e.Failf("%q is %s: expected it to agree with the name of the entry, or to be left out",
			e.Find(field.PathField), plan.Excerpt(own))
	}
	e.Remove(func(_ string, _ jsonobj.Value, means field.Set) bool { return means&field.PathField != 0 })
	return o.Request.CallOf(e.With("path", jsonobj.OfText(name, fields.Offset)), e.Name)
}

// parametersIn returns the reader of arguments that are a list of names with their values; nil if v is none.
func parametersIn(r *jsonread.Request, v jsonobj.Value, name string) *jsonread.Object {
	list, _ := v.Array(name)
	if len(list) == 0 {
		return nil
	}
	all := &jsonobj.Object{Offset: v.Offset}
	isOther := func(name string) bool { return name != "name" && name != "type" && name != "value" }
	for _, p := range list {
		o, err := p.Object(name)
		if err != nil || !o.IsString("name") || !o.Has("value") || slices.ContainsFunc(o.Names, isOther) {
			return nil
		}
		name, _ := o.Text("name")
		if !all.Add(name, o.Value("value")) {
			r.StopAt(v.Offset, "the parameter "+plan.Excerpt(name)+" is there twice: expected it once")
			return nil
		}
	}
	return r.CallOf(all, name)
}
