package atomicedit

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

const (
	replaceFields = newField | allField | countField | firstField | lastField | lineField | rangeField | nthField
	lineFields    = lastField | textField | expectedField
)

// The shapes of one edit, with its file or without.
var (
	replaceShape = shape{verbs: verbEdit | verbDelete, keys: oldField, fields: replaceFields, edit: readReplacement}
	afterShape   = shape{verbs: verbInsert, keys: afterField, fields: textField, edit: readInsertion}
	beforeShape  = shape{verbs: verbInsert, keys: beforeField, fields: textField, edit: readInsertion}
	atShape      = shape{verbs: verbInsert, keys: lineField | textField, edit: readInsertion}
	lineShape    = shape{verbs: verbEdit | verbDelete, told: true, keys: lineField, fields: textField, edit: readLine}
	linesShape   = shape{verbs: verbEdit | verbDelete, keys: firstField, fields: lineFields, edit: readLines}
	taggedShape  = shape{verbs: verbEdit | verbInsert | verbAppend, keys: posField, fields: endField | linesField, edit: readTagged}
	untagged     = shape{verbs: verbEdit | verbInsert | verbAppend, keys: linesField, fields: posField | endField, edit: readTagged} // at an end of the file
	spanShape    = shape{verbs: verbEdit | verbInsert, keys: spanField | newField, edit: readSpan}
	endShape     = shape{verbs: verbAppend, told: true, keys: textField, edit: readAtEnd}
	newShape     = shape{verbs: verbEdit, keys: newField, fields: replaceFields | oldField, edit: readReplacement}
)

// editShapes has the shapes of one edit, in the order of callShapes. An insertion without its line lacks that of afterShape, which is
// therefore the last that inserts as well.
var editShapes = []shape{replaceShape, atShape, beforeShape, afterShape, lineShape, linesShape, taggedShape, untagged, spanShape, endShape, afterShape, newShape}

// readEditsOf reads edits of one file, which o or an object around it names. One without the fields of any shape should have the shape
// of the one before.
func readEditsOf(o *jsonObject, elems []*jsonObject, t task) (Plan, error) {
	op := Op{Path: t.path}
	if t.path == "" && !t.noPath || o.isNamed(pathField) {
		op.Path = pathIn(o, pathField, t.cwd)
	}
	p := Plan{Format: "json"}
	var list editList
	for i, e := range elems {
		if !new(task).take(e, t.forms) {
			continue
		}
		s, known := list.next(e, &t, e == o)
		switch {
		case e != o && e.reported:
			continue
		case s.edit == nil:
			return Plan{}, unknownCall(e, t)
		case e != o && known && !e.allow(list.allowed):
			continue
		}
		if t.listed = e != o; s.keys&(firstField|lineField) != 0 {
			t.base = lineBase(o, t)
		}
		if e != o && t.all != nil && *t.all && s.fields&allField == 0 {
			o.failf("%q replaces all places of an old text, but %s has no old text: send it in the other edits instead",
				o.find(allField), e.name)
		}
		edit := s.edit(e, i, t)
		if s.keys == oldField || s.keys == newField {
			if i == 0 {
				p.Format = editFormat(e)
			}
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

// An editList finds the shapes of the edits in a list.
type editList struct {
	shape   shape // of the edit before
	allowed field // in edits of that shape
}

// next returns the shape of the next edit, and whether it has the fields of that. Of an edit in a list, t notes what it says itself.
func (l *editList) next(e *jsonObject, t *task, isCall bool) (s shape, ok bool) {
	own := *t
	if !isCall {
		own = task{}
		own.said, own.mode = modeOf(e)
		t.elem = own.said
	}
	if s, ok = shapeOf(e, editShapes, own); !ok && l.shape.edit != nil {
		return l.shape, true
	}
	if l.allowed == 0 || s.keys != l.shape.keys {
		l.shape, l.allowed = s, s.keys|s.fields|modeField
	}
	return s, ok
}

// says returns what an edit says that it does, or else the call around it.
func (t task) says() verb {
	if t.listed && t.elem != noVerb {
		return t.elem
	}
	return t.said
}

// creates reports whether an empty old text creates the file.
func (t task) creates() bool { return t.mode == "" && !t.bare }

// readReplacement reads an edit of a text.
func readReplacement(o *jsonObject, i int, t task) Edit {
	e := Edit{Old: o.needOrNull(oldField), Count: o.number(countField, 0)}
	deletes := t.says() == verbDelete
	if t.mode == "command" || deletes {
		e.New = o.text(newField)
	} else {
		e.New = o.needOrNull(newField)
	}
	var at nearLines
	if o.set&(firstField|lastField|lineField|rangeField) != 0 {
		at = linesNear(o)
	}
	e.Near = at.first
	all := wantsAll(o, t)
	all = nthOf(o, all) || all
	if !o.failed() {
		checkReplacement(o, e, i, t)
	}
	if !o.failed() {
		checkNear(o, e, at, all)
	}
	if all && e.Count == 0 {
		e.Count = All
	}
	if at.last > 0 && at.last-e.Near+1 > lineCount(e.Old) {
		e.Near = 0 // the lines around the text do not say where in them it begins
	}
	return e
}

// all reports whether the edit is of all places, which the call around a list may say of each of its edits.
func wantsAll(o *jsonObject, t task) bool {
	switch all := o.flag(allField); {
	case t.all == nil || !o.isNamed(allField):
		return all || t.all != nil && *t.all
	case all != *t.all:
		o.failf("%q contradicts the one beside the list: expected one of them", o.find(allField))
		fallthrough
	default:
		return all
	}
}

// editFormat returns the Plan.Format of a request with an old text, which names its field and, unless it follows from that one, the
// field for the new text.
func editFormat(o *jsonObject) string {
	old, new := o.nameFor(oldField), o.nameFor(newField)
	if new != strings.Replace(old, "old", "new", 1) {
		return "json:" + old + "," + new
	}
	return "json:" + old
}

// checkReplacement refuses texts that contradict what the call says, or each other.
func checkReplacement(o *jsonObject, e Edit, i int, t task) {
	says := t.says()
	deletes := says == verbDelete
	switch {
	case deletes && !t.listed:
		o.failf("the call says that something is deleted, but has the fields of an edit: " +
			"expected only a path to delete a file, or an edit to delete a part of it")
	case t.said == verbCreate && e.Old != "":
		o.failf(`the call says that a file is created, but %s is text that is there: `+
			`expected "content" alone, or the call of a tool such as "edit_file"`, o.nameFor(oldField))
	case deletes && e.New != "":
		o.failf("a deletion has a new text: expected none, or a replacement")
	case says&(verbInsert|verbAppend) != 0 && !strings.Contains(e.New, e.Old):
		o.failf(`the call says that text is inserted, but %s leaves out %s: `+
			`expected the old text within the new text, or "insert_line" and the lines to insert`, o.nameFor(newField), o.nameFor(oldField))
	case e.Old == "" && (i > 0 || !t.creates() || deletes):
		o.failf("%s is empty: expected the text to replace%s", o.nameFor(oldField), t.orElse())
	case e.Old == e.New && e.Old != "":
		w := plan.WordsOf(editFormat(o))
		msg := w.Old + " and " + w.New + " are equal: correct one of them, or leave the edit out"
		o.note(Problem{Err: ErrNoChange, Op: -1, Edit: i, Msg: o.here() + msg})
	}
}

// checkNear refuses lines and numbers of places that contradict the text, or each other.
func checkNear(o *jsonObject, e Edit, at nearLines, all bool) {
	switch several := o.isNamed(allField); {
	case several && !all && e.Count > 1:
		o.failf("%s is false but %s is more than 1: expected them to agree", o.find(allField), o.find(countField))
	case all && at.last > 0:
		o.failf("%q and %q ask for all occurrences in some lines: "+
			"expected one edit for each, or all in the whole file without line numbers", o.find(allField), at.lastName)
	case e.Old == "" && e.Near > 0:
		o.failf("%q names a line, but %s is empty: expected the text to replace, or no line to create the file",
			at.firstName, o.nameFor(oldField))
	case at.last > 0 && e.Near == 0:
		o.require(firstField)
	case at.last > 0 && (at.last < e.Near || at.last-e.Near+1 < lineCount(e.Old)):
		o.failf("the old text has more lines than there are from %q to %q: expected them to agree", at.firstName, at.lastName)
	}
}

// nearLines are the lines where an old text is, 0 where a call does not say them, and the fields that name them.
type nearLines struct {
	first, last         int
	firstName, lastName string
}

// linesNear returns the lines that a call names beside an old text: as evidence among several places.
func linesNear(o *jsonObject) nearLines {
	at := nearLines{o.number(firstField, 1), o.number(lastField, 1), o.find(firstField), o.find(lastField)}
	if name := o.find(lineField); o.IsSet(name) {
		onlyLine(o, at, name)
		at.first, at.firstName = o.number(lineField, 1), name
	}
	if name := o.find(rangeField); o.IsSet(name) {
		onlyLine(o, at, name)
		numbers, err := o.Ints(name)
		if err != nil || len(numbers) != 2 || numbers[0] < 1 || numbers[1] < numbers[0] {
			o.failf("%q is no range of lines: expected two numbers, the first and the last line", name)
			return nearLines{}
		}
		at = nearLines{numbers[0], numbers[1], name, name}
	}
	return at
}

// onlyLine refuses a field that names lines beside others.
func onlyLine(o *jsonObject, at nearLines, name string) {
	if at.first > 0 || at.last > 0 {
		o.failf("%q and %q both name the line of the old text: expected one of them", name, cmp.Or(at.firstName, at.lastName))
	}
}

// nthOf reports whether a call asks for all places of an old text where it says which of them it means. The first one is the one where
// there is only one, which an edit needs anyway. Any other is refused, because a plan does not count places.
func nthOf(o *jsonObject, all bool) (allOfThem bool) {
	if o.set&nthField == 0 {
		return false
	}
	name, v := o.slot(nthField)
	value := wordOf(v)
	first := []string{"1", "first", "only"}
	if strings.HasSuffix(normalName(name), "index") {
		first = []string{"0"}
	}
	switch isFirst := slices.Contains(first, strings.ToLower(value)); {
	case strings.EqualFold(value, "all"):
		return true
	case isFirst && all:
		o.failf("%q and %q contradict each other: expected one of them", name, o.find(allField))
	case !isFirst:
		o.failf(`%q picks one of several places by its number, which is not carried out: show more lines around the one `+
			`you mean in the old text, or give its line as "start_line"`, name)
	}
	return false
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
func readLines(o *jsonObject, i int, t task) Edit {
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
		o.failf("%q is before %q: expected the last line to replace, or no %q, to insert before %q", to, from, to, from)
	}
	said := t.says()
	deletes := o.find(textField) == "" && o.isNamed(lastField) && (t.listed || said == verbDelete)
	if !deletes {
		e.New = text.EndLines(o.need(textField))
	}
	if said == verbDelete && e.New != "" {
		o.failf("a deletion has new lines in %q: expected none", o.find(textField))
	}
	if o.isNamed(expectedField) {
		o.require(lastField)
		e.Old = o.text(expectedField)
		if e.Last > 0 && lineCount(e.Old) != e.Last-e.First+1 {
			o.failf("%q has %d %s, but the edit replaces %d: expected them to agree",
				o.find(expectedField), lineCount(e.Old), plural(lineCount(e.Old), "line"), e.Last-e.First+1)
		}
		e.First, e.Last, e.Near = 0, 0, e.First
	}
	return e
}

// readLine reads an edit of one line by its number. Only a call that says what it does with the line says that it is not an insertion.
func readLine(o *jsonObject, i int, t task) Edit {
	if t.mode == "" && !t.listed && (t.said != verbDelete || namesFiles(t.tool, verbDelete)) {
		whereItGoes(o)
	}
	e := Edit{WholeLines: true, First: o.number(lineField, 1-t.base) + t.base}
	e.Last = e.First
	deletes := t.says() == verbDelete
	switch {
	case !deletes:
		e.New = text.EndLines(o.need(textField))
	case o.text(textField) != "":
		o.failf("a deletion has new lines in %q: expected none", o.find(textField))
	}
	return e
}

// readSpan reads an edit of a language server.
func readSpan(o *jsonObject, i int, t task) Edit {
	e := Edit{Range: &Range{}, New: o.needOrNull(newField)}
	if in, ok := partOf(o, o.find(spanField)); ok {
		in.allowNamed("start", "end")
		e.Range.Start, e.Range.End = positionIn(in, "start"), positionIn(in, "end")
	}
	return e
}

// readAtEnd reads lines to append to the file.
func readAtEnd(o *jsonObject, i int, t task) Edit {
	return Edit{New: text.EndLines(o.need(textField)), AtEnd: true, WholeLines: true}
}

// whereItGoes refuses a line that may be one to insert above, to insert below or to replace.
func whereItGoes(o *jsonObject) {
	o.failf(`%q does not say whether the text goes above or below that line: `+
		`expected "insert_line", the line to insert below`, o.find(lineField))
}

// readInsertion reads an insertion of lines.
func readInsertion(o *jsonObject, i int, t task) Edit {
	e := Edit{WholeLines: true}
	switch {
	case o.isNamed(beforeField):
		e.First = o.number(beforeField, 1)
	case o.isNamed(lineField):
		e.First = lineToInsert(o, t)
		e.AtEnd = e.First == 0
	default:
		const lastLine = -1
		o.require(afterField)
		e.First = o.number(afterField, lastLine) + 1
		e.AtEnd = e.First == 0 && o.isNamed(afterField)
	}
	e.New = text.EndLines(o.need(textField))
	return e
}

// lineOf returns the line above which a tool inserts: 0 for the end. Each tool counts in its own way.
func lineToInsert(o *jsonObject, t task) int {
	switch {
	case toolName(t.tool) == "insert_content": // Roo's
		return o.number(lineField, 0)
	case t.base == 1:
		return o.number(lineField, 0) + 1
	}
	whereItGoes(o)
	return 1
}

// lineBase returns 1 where the first line has the number 0: Serena's tools, which have a relative_path, count like that.
func lineBase(o *jsonObject, t task) int {
	if t.path != "" || normalName(o.find(pathField)) != "relativepath" {
		return 0
	}
	if t.tool == "" {
		o.failf(`with a %q, lines may be counted from 0 or from 1: `+
			`expected the call with the name of its tool, or a "path" to count from 1`, o.find(pathField))
	}
	return 1
}

// numberedEdits returns the edits in numbered fields such as old_str_1, new_str_1, old_str_2, and an object of the other fields. It
// returns nil if there are no such edits.
func numberedEdits(o *jsonObject) (rest *jsonObject, edits []*jsonObject) {
	isNumbered := false
	for _, name := range o.Names {
		if n := len(name); n > 0 && '0' <= name[n-1] && name[n-1] <= '9' {
			isNumbered = isNumbered || numberIn(o, name) != ""
		}
	}
	if !isNumbered {
		return o, nil
	}
	groups := o.Split(func(name string) (in, as string) {
		in = numberIn(o, name)
		return in, strings.TrimSuffix(name, in)
	})
	reader := func(number, name string) *jsonObject {
		r := o.request.callOf(cmp.Or(groups[number], &jsonobj.Object{}), name)
		r.suffix = number
		return r
	}
	rest = reader("", o.name)
	delete(groups, "")
	byNumber := func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }
	for _, number := range slices.SortedFunc(maps.Keys(groups), byNumber) {
		edits = append(edits, reader(number, "edit "+number[1:]))
	}
	return rest, edits
}

// readEditsBeside reads edits that stand beside the other fields of a call: in tags, or as numbered fields.
func readEditsBeside(o *jsonObject, t task) (Plan, error) {
	const edits = verbEdit | verbInsert | verbPatch | verbChange
	if t.said.has(verbDelete|verbMove|verbView) || t.mode != "" && !t.said.has(edits) {
		says := "the name of the tool"
		if t.mode != "" {
			says = "\"" + t.mode + "\""
		}
		o.failf("%s says that the call is no edit, but it has edits: expected them to agree", says)
		return Plan{}, nil
	}
	return readEditList(o, t.beside, t)
}

// numberIn returns the number at the end of the name of a field that is not null, with its underscore.
func numberIn(o *jsonObject, name string) string {
	at := strings.LastIndexByte(name, '_')
	if at < 0 || strings.Trim(name[at+1:], "0123456789") != "" || at == len(name)-1 || meaningOf(name[:at]).fields == 0 || !o.IsSet(name) {
		return ""
	}
	return name[at:]
}
