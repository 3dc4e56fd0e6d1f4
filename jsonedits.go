package atomicedit

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/text"
)

var (
	replaceFields = []field{newField, allField, countField, firstField, lastField}
	lineFields    = []field{lastField, textField, expectedField}
)

// The shapes of one edit, with its file or without.
var (
	replaceShape = shape{verbs: verbEdit, keys: []field{oldField}, fields: replaceFields, edit: readReplacement}
	afterShape   = shape{verbs: verbInsert, keys: []field{afterField}, fields: []field{textField}, edit: readInsertion}
	beforeShape  = shape{verbs: verbInsert, keys: []field{beforeField}, fields: []field{textField}, edit: readInsertion}
	atShape      = shape{verbs: verbInsert, keys: []field{lineField, textField}, edit: readInsertion}
	linesShape   = shape{verbs: verbEdit | verbDelete, keys: []field{firstField}, fields: lineFields, edit: readLines}
	taggedShape  = shape{verbs: verbEdit | verbInsert | verbAppend, keys: []field{posField}, fields: []field{endField, linesField}, edit: readTagged}
	untagged     = shape{verbs: taggedShape.verbs, keys: []field{linesField}, fields: []field{posField, endField}, edit: readTagged} // at an end of the file
	newShape     = shape{verbs: verbEdit, keys: []field{newField}, fields: append(replaceFields, oldField), edit: readReplacement}
)

// editShapes has the shapes of one edit, in the order of callShapes. An insertion without its line lacks that of afterShape, which is
// therefore the last that inserts as well.
var editShapes = []shape{replaceShape, atShape, beforeShape, afterShape, linesShape, taggedShape, untagged, afterShape, newShape}

// readOneEdit reads an edit with its file.
func readOneEdit(o *callReader, t task) (Plan, error) {
	return readEditsOf(o, []*callReader{o}, t)
}

// readEditsOf reads edits of one file, which o or an object around it names. All of them have the shape of the first.
func readEditsOf(o *callReader, elems []*callReader, t task) (Plan, error) {
	op := Op{Path: t.path}
	if t.path == "" && !t.noPath || o.isNamed(pathField) {
		op.Path = o.path(pathField, t.cwd)
	}
	p := Plan{Format: "json"}
	var s shape
	for i, e := range elems {
		if !new(task).take(e, t.forms) {
			continue
		}
		ok := i > 0
		if i == 0 {
			s, ok = e.shape(editShapes, t.ofElement(e, e == o))
		}
		switch {
		case e != o && e.reported:
			continue
		case s.edit == nil:
			return Plan{}, e.unknown(t)
		}
		if i == 0 && (s.keys[0] == firstField || s.keys[0] == lineField) {
			t.base = o.lineBase(t)
		}
		if e != o {
			t.listed = true
			if ok && !e.allow(append(slices.Concat(s.keys, s.fields), modeField)) {
				continue
			}
		}
		edit := s.edit(e, i, t)
		if s.keys[0] == oldField || s.keys[0] == newField {
			p.Format = "json:" + e.nameFor(oldField)
			if i == 0 && t.creates() && edit.Old == "" && !o.failed() {
				op.Kind, op.Content = OpCreate, edit.New
				continue
			}
		}
		if op.Kind == OpCreate {
			edit.Number = i + 1
		}
		op.Edits = append(op.Edits, edit)
	}
	p.Ops = []Op{op}
	return p, nil
}

// ofElement returns the task of an element of a list: it says itself what it does.
func (t task) ofElement(e *callReader, isCall bool) task {
	if isCall {
		return t
	}
	v, name := e.modeOf()
	return task{said: v, mode: name}
}

// creates reports whether an empty old text creates the file.
func (t task) creates() bool { return t.mode == "" && !t.bare }

// readReplacement reads an edit of a text.
func readReplacement(o *callReader, i int, t task) Edit {
	e := Edit{Old: o.needOrNull(oldField), Count: o.number(countField, 0), Near: o.number(firstField, 1)}
	if t.mode == "command" {
		e.New = o.text(newField)
	} else {
		e.New = o.needOrNull(newField)
	}
	last := o.number(lastField, 1)
	all, several := o.flag(allField), o.isNamed(allField)
	field := o.nameFor(oldField)
	switch {
	case o.failed():
	case e.Old == "" && (i > 0 || !t.creates()):
		o.fail(field + " is empty: expected the text to replace" + t.orElse())
	case e.Old == e.New && e.Old != "":
		w := wordsOf("json:" + field)
		o.note(Problem{Err: ErrNoChange, Op: -1, Edit: i, Msg: o.here() + w.old + " and " + w.new + " are equal: correct one of them, or leave the edit out"})
	case several && !all && e.Count > 1:
		o.fail(o.find(allField) + " is false but " + o.find(countField) + " is more than 1: expected them to agree")
	case all && last > 0:
		o.fail("\"" + o.find(allField) + "\" and \"" + o.find(lastField) + "\" ask for all occurrences in some lines: expected one edit for each, or all in the whole file without line numbers")
	case e.Old == "" && e.Near > 0:
		o.fail("\"" + o.find(firstField) + "\" names a line, but " + field + " is empty: expected the text to replace, or no line to create the file")
	case last > 0 && e.Near == 0:
		o.require(firstField)
	case last > 0 && (last < e.Near || last-e.Near+1 < lineCount(e.Old)):
		o.fail("the old text has more lines than there are from \"" + o.find(firstField) + "\" to \"" + o.find(lastField) + "\": expected them to agree")
	case all && e.Count == 0:
		e.Count = All
	}
	return e
}

// lineCount returns the number of lines of a text.
func lineCount(s string) int {
	return strings.Count(strings.TrimSuffix(s, "\n"), "\n") + 1
}

// orElse says what to do in place of an edit without old text.
func (t task) orElse() string {
	switch {
	case t.mode == "command":
		return "; to add lines, use insert; to make a file, use create"
	case !t.creates():
		return "; to make a file, use create"
	}
	return "; only in the first edit for a file may it be empty, which creates the file"
}

// readLines reads an edit of lines by their numbers.
func readLines(o *callReader, i int, t task) Edit {
	o.require(firstField)
	from, to := o.find(firstField), o.find(lastField)
	e := Edit{WholeLines: true, First: o.number(firstField, 1-t.base), Last: o.number(lastField, 1-t.base)}
	e.First += t.base
	if o.isNamed(lastField) {
		e.Last += t.base
	}
	switch {
	case normalName(from) != "from" && !o.isNamed(lastField):
		o.require(lastField)
	case e.Last > 0 && e.Last < e.First:
		o.fail("\"" + to + "\" is before \"" + from + "\": expected the last line to replace, or no \"" + to + "\", to insert before \"" + from + "\"")
	}
	deletes := o.find(textField) == "" && o.isNamed(lastField) && (t.listed || t.said == verbDelete)
	if !deletes {
		e.New = text.EndLines(o.need(textField))
	}
	if t.said == verbDelete && e.New != "" {
		o.fail("a deletion has new lines in \"" + o.find(textField) + "\": expected none")
	}
	if o.isNamed(expectedField) {
		o.require(lastField)
		e.Old = o.text(expectedField)
		if e.Last > 0 && lineCount(e.Old) != e.Last-e.First+1 {
			o.fail("\"" + o.find(expectedField) + "\" has " + strconv.Itoa(lineCount(e.Old)) + " " + plural(lineCount(e.Old), "line") +
				", but the edit replaces " + strconv.Itoa(e.Last-e.First+1) + ": expected them to agree")
		}
		e.First, e.Last, e.Near = 0, 0, e.First
	}
	return e
}

// readInsertion reads an insertion of lines.
func readInsertion(o *callReader, i int, t task) Edit {
	e := Edit{WholeLines: true}
	switch {
	case o.isNamed(beforeField):
		e.First = o.number(beforeField, 1)
	case o.isNamed(lineField):
		e.First = o.lineOf(t)
		e.AtEnd = e.First == 0
	default:
		o.require(afterField)
		e.First = o.number(afterField, 0) + 1
	}
	e.New = text.EndLines(o.need(textField))
	return e
}

// lineOf returns the line above which a tool inserts: 0 for the end. Each tool counts in its own way.
func (o *callReader) lineOf(t task) int {
	switch {
	case toolName(t.tool) == "insert_content": // Roo's
		return o.number(lineField, 0)
	case t.base == 1:
		return o.number(lineField, 0) + 1
	}
	o.fail("\"" + o.find(lineField) + "\" does not say whether the text goes above or below that line: expected \"insert_line\", the line to insert below")
	return 1
}

// lineBase returns 1 where the first line has the number 0: Serena's tools, which have a relative_path, count like that.
func (o *callReader) lineBase(t task) int {
	if t.path != "" || normalName(o.find(pathField)) != "relativepath" {
		return 0
	}
	if t.tool == "" {
		o.fail("with a \"" + o.find(pathField) + "\", lines may be counted from 0 or from 1: expected the call with the name of its tool, or a \"path\" to count from 1")
	}
	return 1
}

// shapeBeside returns the shape of a call whose edits stand beside its other fields, and a reader of those: in tags, or as numbered
// fields such as old_str_1, new_str_1, old_str_2. It reports whether there are any.
func (o *callReader) shapeBeside() (s shape, rest *callReader, ok bool) {
	if o.edits != nil {
		return editsBeside(o.edits), o, true
	}
	if !slices.ContainsFunc(o.Names, func(name string) bool { return o.numberIn(name) != "" }) {
		return shape{}, o, false
	}
	groups := o.Split(func(name string) (in, as string) {
		in = o.numberIn(name)
		return in, strings.TrimSuffix(name, in)
	})
	reader := func(number, name string) *callReader {
		fields := cmp.Or(groups[number], &jsonobj.Object{})
		return &callReader{objectReader: &objectReader{Object: fields, request: o.request, name: name}, suffix: number}
	}
	rest = reader("", o.name)
	delete(groups, "")
	var elems []*callReader
	for _, number := range slices.SortedFunc(maps.Keys(groups), func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }) {
		elems = append(elems, reader(number, "edit "+number[1:]))
	}
	return editsBeside(elems), rest, true
}

// editsBeside returns the shape of a call with edits that are in no field.
func editsBeside(edits []*callReader) shape {
	read := func(o *callReader, t task) (Plan, error) {
		if t.said.has(verbDelete|verbMove|verbView) || t.mode != "" && !t.said.has(verbEdit|verbInsert|verbPatch|verbChange) {
			says := "the name of the tool"
			if t.mode != "" {
				says = "\"" + t.mode + "\""
			}
			o.fail(says + " says that the call is no edit, but it has edits: expected them to agree")
			return Plan{}, nil
		}
		return readEditList(o, edits, t)
	}
	return shape{fields: []field{pathField}, read: read}
}

// numberIn returns the number at the end of the name of a field that is not null, with its underscore.
func (o *callReader) numberIn(name string) string {
	at := strings.LastIndexByte(name, '_')
	if at < 0 || strings.Trim(name[at+1:], "0123456789") != "" || at == len(name)-1 || len(o.request.meaning(name[:at]).fields) == 0 || !o.IsSet(name) {
		return ""
	}
	return name[at:]
}
