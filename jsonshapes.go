package atomicedit

import (
	"slices"

	"github.com/atomicedit/atomicedit/internal/names"
)

// callShapes has the shapes of calls. A call has the first one whose keys it has.
var callShapes []shape

func init() { // not where it is declared, because the shapes of lists hold calls
	callShapes = []shape{
		{verbs: anyVerb, keys: []field{operationsField}, fields: []field{pathField}, read: readOperations},
		{verbs: anyVerb, keys: []field{filesField}, read: readFiles},
		{verbs: anyVerb, keys: []field{byNameField}, read: readFilesByName},
		{verbs: anyVerb, keys: []field{operationField}, read: readOperation},
		{verbs: verbEdit | verbPatch | verbChunks | verbCreate | verbDelete | verbMove, keys: []field{patchField}, fields: []field{pathField, toField, firstField}, read: readPatch},
		{verbs: verbEdit | verbDelete, keys: []field{deleteField}, fields: []field{pathField, editsField}, read: readDeletion},
		{verbs: verbEdit | verbInsert | verbPatch, keys: []field{editsField}, fields: []field{pathField, toField, allField}, read: readEdits},
		{verbs: verbEdit, keys: []field{blocksField}, fields: []field{pathField, percentageField}, read: readPercentage},
		{verbs: verbDiff, told: true, keys: []field{newField}, fields: []field{pathField, oldField}, read: readOldAndNew},
		withFile(replaceShape), withFile(lineShape), withFile(atShape), withFile(beforeShape), withFile(afterShape), withFile(linesShape), withFile(spanShape),
		{verbs: verbWrite | verbCreate, keys: []field{contentField}, fields: writeFields, read: readContent},
		{verbs: verbWrite | verbCreate, told: true, keys: []field{codeField}, lacks: []field{oldField}, fields: writeFields, read: readContent},
		{verbs: verbAppend, told: true, keys: []field{textField}, fields: writeFields, read: readContent},
		{verbs: verbMove, told: true, keys: []field{newNameField}, fields: []field{fromField, pathField, overwriteField}, read: readRename},
		{verbs: verbMove, keys: []field{toField}, fields: []field{fromField, pathField, overwriteField}, read: readMove},
		{verbs: verbDelete, keys: []field{pathsField}, read: readDeletions},
		{verbs: verbDelete, told: true, keys: []field{pathField}, fields: []field{contentField}, read: readDeletions},
		{verbs: verbRun, keys: []field{commandField}, read: readCommandLine},
		withFile(newShape),
	}
}

// withFile returns the shape of a call with the fields of an edit and its file.
func withFile(s shape) shape {
	s.read, s.fields = readOneEdit, append([]field{pathField}, s.fields...)
	return s
}

// readCall reads the arguments of a call, or an entry of a list of them.
func readCall(o *callReader, t task) (Plan, error) {
	if !t.takeTool(o) {
		return Plan{}, nil
	}
	if v, name := o.modeOf(); v != noVerb {
		t.said, t.mode = v, name
	} else if t.tool == "" && o.isDeletion() {
		t.said = verbDelete
	}
	s, o, ok := o.shapeBeside()
	if !ok {
		s, ok = o.shape(callShapes, t)
	}
	switch {
	case o.reported:
		return Plan{}, nil
	case !ok && s.read == nil:
		return Plan{}, o.unknown(t)
	}
	t.cwd = o.cwd(t)
	if ok && !o.allow(append(slices.Concat(s.keys, s.fields), anywhere...)) {
		return Plan{}, nil
	}
	p, err := s.read(o, t)
	if err != nil {
		return Plan{}, err
	}
	p.DryRun = p.DryRun || t.preview || o.flag(dryRunField)
	if version := Version(o.text(versionField)); version != "" {
		if len(p.Ops) > 1 {
			o.fail("\"" + o.find(versionField) + "\" does not say which of the files it is about: expected it beside the path of the file")
		}
		for i := range p.Ops {
			p.Ops[i].Version = version
		}
	}
	return p, nil
}

// isDeletion reports whether o has exactly the fields of Cursor's delete_file, which no other tool has alone.
func (o *callReader) isDeletion() bool {
	return slices.Equal(o.setNames(3), []string{"explanation", "target_file"})
}

// setNames returns the sorted names of the fields that are not null, at most as many as given.
func (o *callReader) setNames(most int) []string {
	var set []string
	for i, name := range o.Names {
		if !o.At(i).IsNull() && len(set) < most {
			set = append(set, name)
		}
	}
	slices.Sort(set)
	return set
}

// readFiles reads an entry for each file.
func readFiles(o *callReader, t task) (Plan, error) { return readEntries(o, t, filesField) }

// readOperations reads an entry for each operation. Beside a path, they are edits of that file.
func readOperations(o *callReader, t task) (Plan, error) {
	if !o.isNamed(pathField) {
		return readEntries(o, t, operationsField)
	}
	elems, err := o.elements(operationsField)
	if err != nil {
		return Plan{}, err
	}
	for _, e := range elems {
		if e.isNamed(pathField) {
			e.fail("\"" + e.find(pathField) + "\" names a file, and so does the call: expected one of them")
			return Plan{}, nil
		}
	}
	return readEditsOf(o, elems, t)
}

func readEntries(o *callReader, t task, list field) (Plan, error) {
	elems, err := o.elements(list)
	if err != nil {
		return Plan{}, err
	}
	return readEntriesOf(elems, t, task{typed: list == operationsField})
}

// readEntriesOf reads entries of a call, of which the task of says more.
func readEntriesOf(elems []*callReader, t, of task) (Plan, error) {
	p := Plan{Format: "json"}
	seen := pathSet{}
	for _, e := range elems {
		entry := task{said: noVerb, tool: t.tool, toolSays: t.toolSays, cwd: t.cwd, bare: t.bare, typed: of.typed, byName: of.byName}
		if e.isNamed(toolField) {
			entry.tool, entry.toolSays = "", 0
		}
		if !entry.take(e, t.forms) {
			continue
		}
		one, err := readCall(e, entry)
		if err != nil {
			return Plan{}, err
		}
		for _, op := range one.Ops {
			if op.Kind == OpMove {
				seen.add(e, op.To)
			}
			seen.add(e, op.Path)
		}
		if one.Format != "json" {
			p.Format = one.Format
		}
		p.DryRun = p.DryRun || one.DryRun
		p.Ops = append(p.Ops, one.Ops...)
	}
	return p, nil
}

// readEdits reads a list of edits. Each may name its own file.
func readEdits(o *callReader, t task) (Plan, error) {
	if t.said.has(verbPatch) && o.find(editsField) == "" {
		o.fail("the patch has neither \"edits\" nor \"" + o.nameFor(patchField) + "\": expected one of them")
		return Plan{}, nil
	}
	if o.isNamed(toField) && o.hasNoEdits() {
		return readMove(o, t)
	}
	elems, err := o.elements(editsField)
	if err != nil {
		return Plan{}, err
	}
	if o.isNamed(allField) {
		all := o.flag(allField)
		t.all = &all
	}
	p, err := readEditList(o, elems, t)
	if err == nil && o.isNamed(toField) {
		p.Ops = append(p.Ops, o.moveOf(p, t))
	}
	return p, err
}

// moveOf returns the move of the file that p edits.
func (o *callReader) moveOf(p Plan, t task) Op {
	name, to := o.find(toField), o.path(toField, t.cwd)
	isMove := slices.ContainsFunc(wordsIn(name), func(word string) bool { return nameVerbs[word] == verbMove || word == "new" })
	if o.failed() || !isMove || len(p.Ops) != 1 {
		o.fail("\"" + name + "\" does not say that the edited file is moved: expected \"move_to\" beside the edits of one file")
		return Op{}
	}
	return Op{Kind: OpMove, Path: p.Ops[0].Path, To: to}
}

// hasNoEdits reports whether the list of edits is empty.
func (o *callReader) hasNoEdits() bool {
	v, _ := o.Value(o.find(editsField))
	list, err := v.Array("")
	return err == nil && len(list) == 0
}

// readDeletion reads a flag that says that a file is deleted.
func readDeletion(o *callReader, t task) (Plan, error) {
	if o.isNamed(editsField) && !o.hasNoEdits() {
		o.fail("\"" + o.find(deleteField) + "\" says that the file is deleted, but it has edits: expected one of them")
	}
	return planOf(Op{Kind: OpDelete, Path: o.path(pathField, t.cwd)}), nil
}

// readEditList reads the edits of a call. Each may name its own file.
func readEditList(o *callReader, elems []*callReader, t task) (Plan, error) {
	ofFiles := func(e *callReader) bool { return e.isNamed(pathField) }
	if t.forms != nil || !slices.ContainsFunc(elems, ofFiles) {
		return readEditsOf(o, elems, t)
	}
	if o.isNamed(pathField) {
		t.path = o.path(pathField, t.cwd)
	}
	var plans []Plan
	for _, e := range elems {
		if !ofFiles(e) && t.path == "" {
			e.require(pathField)
			continue
		}
		one, err := readCall(e, task{said: noVerb, tool: t.tool, toolSays: t.toolSays, path: t.path, cwd: t.cwd, all: t.all})
		if err != nil {
			return Plan{}, err
		}
		if t.path != "" && len(one.Ops) > 0 && names.OfRequest(one.Ops[0].Path) != names.OfRequest(t.path) {
			e.fail("\"" + e.find(pathField) + "\" is another file than that of the call: expected one of them")
		}
		plans = append(plans, one)
	}
	if o.failed() {
		return Plan{}, nil
	}
	return joinCalls(plans)
}

// readOperation reads the object of an "operation".
func readOperation(o *callReader, t task) (Plan, error) {
	name := o.find(operationField)
	v, _ := o.Value(name)
	f, err := o.request.call(v, "\""+name+"\"")
	if err != nil {
		return Plan{}, err
	}
	entry := task{said: noVerb, cwd: t.cwd, bare: t.bare}
	if !entry.take(f, t.forms) {
		return Plan{}, nil
	}
	return readCall(f, entry)
}
