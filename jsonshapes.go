package atomicedit

import (
	"slices"

	"github.com/atomicedit/atomicedit/internal/names"
)

// A callKind is what a call asks for, and how it is read.
type callKind int

const (
	oneEdit callKind = iota
	listedOperations
	listedFiles
	namedFiles
	oneOperation
	aPatch
	flaggedDeletion
	listedEdits
	editsBeside
	blocksOrFile
	oldAndNewText
	wholeContent
	aRename
	aMove
	deletions
	aCommandLine
)

// callShapes has the shapes of calls. A call has the first one whose keys it has.
var callShapes = []shape{
	{kind: listedOperations, verbs: anyVerb, keys: operationsField, fields: pathField},
	{kind: listedFiles, verbs: anyVerb, keys: filesField},
	{kind: namedFiles, verbs: anyVerb, keys: byNameField},
	{kind: oneOperation, verbs: anyVerb, keys: operationField},
	{kind: aPatch, verbs: verbEdit | verbPatch | verbChunks | verbCreate | verbDelete | verbMove, keys: patchField,
		fields: pathField | toField | firstField},
	{kind: flaggedDeletion, verbs: verbEdit | verbDelete, keys: deleteField, fields: pathField | editsField},
	{kind: listedEdits, verbs: verbEdit | verbInsert | verbPatch, keys: editsField, fields: pathField | toField | allField},
	{kind: blocksOrFile, verbs: verbEdit, keys: blocksField, fields: pathField | percentageField},
	{kind: oldAndNewText, verbs: verbDiff, told: true, keys: newField, fields: pathField | oldField},
	replaceShape, lineShape, atShape, beforeShape, afterShape, linesShape, spanShape,
	{kind: wholeContent, verbs: verbWrite | verbCreate, keys: contentField, fields: writeFields},
	{kind: wholeContent, verbs: verbWrite | verbCreate, told: true, keys: codeField, lacks: oldField, fields: writeFields},
	{kind: wholeContent, verbs: verbAppend, told: true, keys: textField, fields: writeFields},
	{kind: aRename, verbs: verbMove, told: true, keys: newNameField, fields: fromField | pathField | overwriteField},
	{kind: aMove, verbs: verbMove, keys: toField, fields: fromField | pathField | overwriteField},
	{kind: deletions, verbs: verbDelete, keys: pathsField},
	{kind: deletions, verbs: verbDelete, told: true, keys: pathField, fields: contentField},
	{kind: aCommandLine, verbs: verbRun, keys: commandField},
	newShape,
}

// readShape reads a call of the shape s.
func readShape(s shape, o *jsonObject, t task) (Plan, error) {
	switch s.kind {
	case listedOperations:
		return readOperations(o, t)
	case listedFiles:
		return readEntries(o, t, filesField)
	case namedFiles:
		return readFilesByName(o, t)
	case oneOperation:
		return readOperation(o, t)
	case aPatch:
		return readPatch(o, t)
	case flaggedDeletion:
		return readDeletion(o, t)
	case listedEdits:
		return readEdits(o, t)
	case editsBeside:
		return readEditsBeside(o, t)
	case blocksOrFile:
		return readPercentage(o, t)
	case oldAndNewText:
		return readOldAndNew(o, t)
	case wholeContent:
		return readContent(o, t)
	case aRename:
		return readRename(o, t)
	case aMove:
		return readMove(o, t)
	case deletions:
		return readDeletions(o, t)
	case aCommandLine:
		return readCommandLine(o, t)
	}
	return readEditsOf(o, []*jsonObject{o}, t)
}

// readCall reads the arguments of a call, or an entry of a list of them.
func readCall(o *jsonObject, t task) (Plan, error) {
	if !t.takeTool(o) {
		return Plan{}, nil
	}
	if v, name := modeOf(o); v != noVerb {
		t.said, t.mode = v, name
	} else if t.tool == "" && isDeletion(o) {
		t.said = verbDelete
	}
	if t.beside == nil {
		o, t.beside = numberedEdits(o)
	}
	s, ok := shape{kind: editsBeside, fields: pathField}, true
	if t.beside == nil {
		s, ok = shapeOf(o, callShapes, t)
	}
	switch {
	case o.reported:
		return Plan{}, nil
	case !ok && s.verbs == 0:
		return Plan{}, unknownCall(o, t)
	}
	t.cwd = cwdOf(o, t)
	if s.kind == oneEdit {
		s.fields |= pathField
	}
	if ok && !o.allow(s.keys|s.fields|anywhere) {
		return Plan{}, nil
	}
	p, err := readShape(s, o, t)
	if err != nil {
		return Plan{}, err
	}
	p.DryRun = p.DryRun || t.preview || o.flag(dryRunField)
	if version := Version(o.text(versionField)); version != "" {
		if len(p.Ops) > 1 {
			o.failf("%q does not say which of the files it is about: expected it beside the path of the file",
				o.find(versionField))
		}
		for i := range p.Ops {
			p.Ops[i].Version = version
		}
	}
	return p, nil
}

// isDeletion reports whether o has exactly the fields of Cursor's delete_file, which no other tool has alone.
func isDeletion(o *jsonObject) bool {
	return slices.Equal(o.setNames(3), []string{"explanation", "target_file"})
}

// readOperations reads an entry for each operation. Beside a path, they are edits of that file.
func readOperations(o *jsonObject, t task) (Plan, error) {
	if !o.isNamed(pathField) {
		return readEntries(o, t, operationsField)
	}
	elems, err := o.elements(operationsField)
	if err != nil {
		return Plan{}, err
	}
	for _, e := range elems {
		if e.isNamed(pathField) {
			e.failf("%q names a file, and so does the call: expected one of them", e.find(pathField))
			return Plan{}, nil
		}
	}
	return readEditsOf(o, elems, t)
}

func readEntries(o *jsonObject, t task, list field) (Plan, error) {
	elems, err := o.elements(list)
	if err != nil {
		return Plan{}, err
	}
	return readEntriesOf(elems, t, task{typed: list == operationsField})
}

// readEntriesOf reads entries of a call, of which the task of says more.
func readEntriesOf(elems []*jsonObject, t, of task) (Plan, error) {
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
func readEdits(o *jsonObject, t task) (Plan, error) {
	if t.said.has(verbPatch) && o.find(editsField) == "" {
		o.failf(`the patch has neither "edits" nor %q: expected one of them`, o.nameFor(patchField))
		return Plan{}, nil
	}
	if o.isNamed(toField) && hasNoEdits(o) {
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
		p.Ops = append(p.Ops, moveOf(o, p, t))
	}
	return p, err
}

// moveOf returns the move of the file that p edits.
func moveOf(o *jsonObject, p Plan, t task) Op {
	name, to := o.find(toField), pathIn(o, toField, t.cwd)
	isMove := slices.ContainsFunc(wordsIn(name), func(word string) bool { return nameVerbs[word] == verbMove || word == "new" })
	if o.failed() || !isMove || len(p.Ops) != 1 {
		o.failf(`%q does not say that the edited file is moved: expected "move_to" beside the edits of one file`, name)
		return Op{}
	}
	return Op{Kind: OpMove, Path: p.Ops[0].Path, To: to}
}

// hasNoEdits reports whether the list of edits is empty.
func hasNoEdits(o *jsonObject) bool {
	v, _ := o.Value(o.find(editsField))
	list, err := v.Array("")
	return err == nil && len(list) == 0
}

// readDeletion reads a flag that says that a file is deleted.
func readDeletion(o *jsonObject, t task) (Plan, error) {
	if o.isNamed(editsField) && !hasNoEdits(o) {
		o.failf("%q says that the file is deleted, but it has edits: expected one of them", o.find(deleteField))
	}
	return planOf(Op{Kind: OpDelete, Path: pathIn(o, pathField, t.cwd)}), nil
}

// readEditList reads the edits of a call. Each may name its own file.
func readEditList(o *jsonObject, elems []*jsonObject, t task) (Plan, error) {
	ofFiles := func(e *jsonObject) bool { return e.isNamed(pathField) }
	if t.forms != nil || !slices.ContainsFunc(elems, ofFiles) {
		return readEditsOf(o, elems, t)
	}
	if o.isNamed(pathField) {
		t.path = pathIn(o, pathField, t.cwd)
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
			e.failf("%q is another file than that of the call: expected one of them", e.find(pathField))
		}
		plans = append(plans, one)
	}
	if o.failed() {
		return Plan{}, nil
	}
	return joinCalls(plans)
}

// readOperation reads the object of an "operation".
func readOperation(o *jsonObject, t task) (Plan, error) {
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
