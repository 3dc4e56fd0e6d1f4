package call

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/lsp"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

const replaceFields = field.NewField | field.AllField | field.CountField | field.FirstField | field.LastField |
	field.LineField | field.RangeField | field.NthField

// The shapes of one edit, with its file or without.
var (
	replaceShape = Shape{verbs: VerbEdit | VerbDelete, Keys: field.OldField, fields: replaceFields,
		edit: readReplacement}
	afterShape  = Shape{verbs: VerbInsert, Keys: field.AfterField, fields: field.TextField, edit: readInsertion}
	beforeShape = Shape{verbs: VerbInsert, Keys: field.BeforeField, fields: field.TextField, edit: readInsertion}
	atShape     = Shape{verbs: VerbInsert, Keys: field.LineField | field.TextField, edit: readInsertion}
	lineShape   = Shape{verbs: VerbEdit | VerbDelete, told: true, Keys: field.LineField,
		fields: field.TextField | field.ExpectedField, edit: readLine}
	rangeShape = Shape{verbs: VerbEdit | VerbDelete, Keys: field.LineField | field.LastField,
		fields: field.TextField | field.ExpectedField, edit: readLines}
	linesShape = Shape{verbs: VerbEdit | VerbDelete, Keys: field.FirstField,
		fields: field.LastField | field.TextField | field.ExpectedField, edit: readLines}
	taggedShape = Shape{verbs: VerbEdit | VerbInsert | VerbAppend, Keys: field.PosField,
		fields: field.EndField | field.LinesField, edit: readTagged}
	untagged = Shape{verbs: VerbEdit | VerbInsert | VerbAppend, Keys: field.LinesField,
		fields: field.PosField | field.EndField, edit: readTagged} // at an end of the file
	spanShape = Shape{verbs: VerbEdit | VerbInsert, Keys: field.SpanField | field.NewField, edit: readSpan}
	endShape  = Shape{verbs: VerbAppend, told: true, Keys: field.TextField, edit: readAtEnd}
	newShape  = Shape{verbs: VerbEdit, Keys: field.NewField, fields: replaceFields | field.OldField,
		edit: readReplacement}
)

// readEditsOf reads edits of one file, which o or an object around it names. One without the fields of any shape should
// have the shape of the one before.
func readEditsOf(o *jsonread.Object, elems []*jsonread.Object, t task) plan.Plan {
	op := plan.Op{Path: t.path}
	if t.path == "" && !t.noPath || o.IsNamed(field.PathField) {
		op.Path = pathIn(o, field.PathField, t.cwd)
	}
	format := "json"
	var s Shape
	for i, e := range elems {
		t := t                     // what one edit says does not hold for the next
		new(task).take(e, t.forms) // whose one form has no key, so that all have it
		t.listed = e != o
		known := t.takeShape(&s, e)
		switch {
		case t.listed && (e.Reported || known && !e.Allow(s.Keys|s.fields|field.ModeField)):
			continue
		case s.edit == nil:
			return unknownCall(e, t)
		}
		if s.Keys&(field.FirstField|field.LineField) != 0 {
			t.base = lineBase(o, t)
		}
		if t.listed && t.all != nil && *t.all && s.fields&field.AllField == 0 {
			o.Failf("%q replaces all places of an old text, but %s has no old text: send it in the other edits instead",
				o.Find(field.AllField), e.Name)
		}
		found := len(o.Request.Found)
		edit := s.edit(e, i, t)
		if len(o.Request.Found) > found {
			continue
		}
		if s.Keys == field.OldField || s.Keys == field.NewField {
			if i == 0 || o.Failed() {
				format = editFormat(e)
			}
			if i == 0 && t.creates() && edit.Old == "" && !o.Failed() {
				op.Kind, op.Content = plan.OpCreate, edit.New
				continue
			}
		}
		if i > len(op.Edits) {
			edit.Number = i + 1
		}
		op.Edits = append(op.Edits, edit)
	}
	if n := len(op.Edits); 0 < n && n < len(elems) {
		op.Edits[0].Number = cmp.Or(op.Edits[0].Number, 1)
	}
	return plan.Plan{Ops: []plan.Op{op}, Format: format}
}

// takeShape makes s, the shape of the edit before, that of e, and reports whether e has its fields.
func (t *task) takeShape(s *Shape, e *jsonread.Object) bool {
	said, mode := t.said, t.mode
	t.does = t.said
	if t.listed {
		if said, mode = modeOf(e); said != noVerb {
			t.does = said
		}
	}
	nameNewText(e, t.does, "")
	one, ok := shapeOf(e, EditShapes, said, mode != "")
	if !ok && s.edit != nil {
		return true
	}
	*s = one
	return ok
}

// creates reports whether an empty old text creates the file.
func (t task) creates() bool { return t.mode == "" && !t.bare }

func readReplacement(o *jsonread.Object, i int, t task) plan.Edit {
	found := len(o.Request.Found)
	if o.IsSet("needle") && o.IsSet("repl") && !o.Has("mode") { // of Serena
		o.Failf(`the field "mode" is missing: only "literal" is carried out`)
	}
	e := plan.Edit{Old: o.NeedOrNull(field.OldField)}
	name, v := o.Slot(field.CountField) // some tools have -1 for all places
	every := jsonread.WordOf(v) == "-1" && slices.Contains([]string{"count", "replacecount"}, field.NormalName(name))
	switch {
	case !every:
		e.Count = o.Number(field.CountField, 1)
	case o.IsNamed(field.AllField) && !o.Flag(field.AllField):
		o.Failf("%q and %q contradict each other: expected one of them", name, o.Find(field.AllField))
	}
	if t.mode == "command" || t.does == VerbDelete {
		e.New = o.TextOf(field.NewField)
	} else {
		e.New = o.NeedOrNull(field.NewField)
	}
	all := nthOf(o, wantsAll(o, e.Count, t) || every)
	if len(o.Request.Found) == found {
		checkReplacement(o, e, i, t)
	}
	if len(o.Request.Found) == found {
		readNear(o, &e, all)
	}
	switch {
	case e.Old == "" && e.Count == 1: // of an empty file, which is one place
		e.Count = 0
	case all && e.Count == 0 && e.Old != "":
		e.Count = plan.All
	}
	return e
}

// wantsAll reports whether the edit is of all places, which the call around a list may say of each of its edits.
func wantsAll(o *jsonread.Object, count int, t task) bool {
	all := o.Flag(field.AllField)
	switch {
	case o.IsNamed(field.AllField) && !all && count > 1:
		o.Failf("%s is false but %s is more than 1: expected them to agree", o.Find(field.AllField),
			o.Find(field.CountField))
	case t.all == nil:
	case !o.IsNamed(field.AllField):
		return *t.all
	case all != *t.all:
		o.Failf("%q contradicts the one beside the list: expected one of them", o.Find(field.AllField))
	}
	return all
}

// editFormat returns the Plan.Format of a request with an old text: its field, and that of the new text if need be.
func editFormat(o *jsonread.Object) string {
	old, new := o.NameFor(field.OldField), o.NameFor(field.NewField)
	if new != strings.Replace(old, "old", "new", 1) {
		return "json:" + old + "," + new
	}
	return "json:" + old
}

// checkReplacement refuses texts that contradict what the call says, or each other.
func checkReplacement(o *jsonread.Object, e plan.Edit, i int, t task) {
	deletes, orElse := t.does == VerbDelete, ""
	if t.creates() {
		orElse = "; only in the first edit for a file may it be empty, which creates the file"
	}
	switch {
	case deletes && !t.listed:
		o.Failf("the call says that something is deleted, but has the fields of an edit: expected only a path to " +
			"delete a file, or an edit to delete a part of it")
	case t.said == VerbCreate && e.Old != "":
		o.Failf(`the call says that a file is created, but %s is text that is there: `+
			`expected "content" alone, or the call of a tool such as "edit_file"`, o.NameFor(field.OldField))
	case deletes && e.New != "":
		o.Failf("a deletion has a new text: expected none, or a replacement")
	case t.does.has(VerbInsert|VerbAppend) && !strings.Contains(e.New, e.Old):
		o.Failf(`the call says that text is inserted, but %s leaves out %s: `+
			`expected the old text within the new text, or "insert_line" and the lines to insert`,
			o.NameFor(field.NewField), o.NameFor(field.OldField))
	case e.Old == "" && (i > 0 || deletes):
		o.Failf("%s is empty: expected the text to replace%s", o.NameFor(field.OldField), orElse)
	case e.Old == e.New && e.Old != "":
		w := plan.WordsOf(editFormat(o))
		msg := w.Old + " and " + w.New + " are equal: correct one of them, or leave the edit out"
		o.Note(plan.Problem{Err: errs.ErrNoChange, Op: -1, Edit: i, Msg: o.Here() + msg})
	}
}

// readNear reads the lines that a call names beside an old text: one as evidence among several places, two as those
// that the text is in. It refuses those that contradict the text, or each other.
func readNear(o *jsonread.Object, e *plan.Edit, all bool) {
	first, last := o.Number(field.FirstField, 1), o.Number(field.LastField, 1)
	firstName, lastName := o.Find(field.FirstField), o.Find(field.LastField)
	for _, f := range [...]field.Set{field.LineField, field.RangeField} {
		name := o.Find(f)
		switch numbers, err := o.Ints(name); {
		case !o.IsNamed(f):
			continue
		case first > 0 || last > 0:
			o.Failf("%q and %q both name the line of the old text: expected one of them", name,
				cmp.Or(firstName, lastName))
		case f == field.LineField:
			first = o.Number(f, 1)
		case err != nil || len(numbers) != 2 || numbers[0] < 1 || numbers[1] < numbers[0]:
			o.Failf("%q is no range of lines: expected two numbers, the first and the last line", name)
		default:
			first, last = numbers[0], numbers[1]
		}
		firstName, lastName = name, name
	}
	switch {
	case all && first > 0 && last == 0:
		o.Failf("the call asks for all occurrences, and %q for the one at a line: leave one of them out", firstName)
	case e.Old == "" && first > 0:
		o.Failf("%q names a line, but %s is empty: expected the text to replace, or no line to create the file",
			firstName, o.NameFor(field.OldField))
	case last > 0 && first == 0:
		o.Require(field.FirstField)
	case last > 0 && (last < first || last-first < strings.Count(strings.TrimSuffix(e.Old, "\n"), "\n")):
		o.Failf("the old text has more lines than there are from %q to %q: expected them to agree", firstName, lastName)
	}
	ofText := strings.HasPrefix(field.NormalName(lastName), "old") // Augment's, as the model remembers them
	if e.Near = first; last > 0 && !ofText {
		e.Near, e.First, e.Last = 0, first, last
	}
}

// nthOf reports whether a call means all places of an old text, as it does where all is set. The first is the only one,
// which an edit needs anyway. Any other is refused, because a plan does not count places.
func nthOf(o *jsonread.Object, all bool) bool {
	if !o.IsNamed(field.NthField) {
		return all
	}
	name, v := o.Slot(field.NthField)
	value := jsonread.WordOf(v)
	first := []string{"1", "first", "only"}
	if strings.HasSuffix(field.NormalName(name), "index") {
		first = []string{"0"}
	}
	switch isFirst := slices.Contains(first, strings.ToLower(value)); {
	case strings.EqualFold(value, "all"):
		return true
	case isFirst && all:
		o.Failf("%q and %q contradict each other: expected one of them", name, o.Find(field.AllField))
	case !isFirst:
		o.Failf(`%q picks one of several places by its number, which is not carried out: show more lines around the `+
			`one you mean in the old text, or give its line as "start_line"`, name)
	}
	return all
}

func readLines(o *jsonread.Object, i int, t task) plan.Edit {
	first := field.FirstField
	if o.IsNamed(field.LineField) && !o.IsNamed(first) {
		first = field.LineField
	}
	o.Require(first)
	from, to := o.Find(first), o.Find(field.LastField)
	least, none := 1-t.base, "no "+strconv.Quote(to)
	if o.Strict != nil {
		least, none = 0, "0"
	}
	e := plan.Edit{WholeLines: true, First: o.Number(first, 1-t.base) + t.base,
		Last: o.Number(field.LastField, least)}
	if o.IsNamed(field.LastField) {
		e.Last += t.base
	}
	switch {
	case t.does.has(VerbInsert|VerbAppend|VerbCreate) && (to != "" || field.NormalName(from) != "from"):
		o.Failf(`the call says that text is inserted, but %q is the first of lines to replace: `+
			`expected "insert_line", the line to insert below`, from)
	case o.Strict != nil && !o.IsNamed(field.LastField):
		o.Failf(`the field "to" is missing: expected the last line to replace, the same as %q for one line, or 0, to `+
			"insert before it", from)
	case !o.IsNamed(field.LastField) && (field.NormalName(from) != "from" || t.replaces()):
		o.Require(field.LastField)
	case e.Last > 0 && e.Last < e.First:
		o.Failf("%q is before %q: expected the last line to replace, or %s, to insert before %q", to, from, none, from)
	}
	deletes := o.Find(field.TextField) == "" && o.IsNamed(field.LastField) && (t.listed || t.does == VerbDelete)
	readNewLines(o, &e, t, !deletes)
	return e
}

// readNewLines reads the new lines for those of e, and the text that these must have, if the call has it.
func readNewLines(o *jsonread.Object, e *plan.Edit, t task, needed bool) {
	if needed {
		o.Require(field.TextField)
	}
	if e.New = text.EndLines(o.TextOf(field.TextField)); e.New != "" && t.does == VerbDelete {
		o.Failf("a deletion has new lines in %q: expected none", o.Find(field.TextField))
	}
	expected, number := o.TextOf(field.ExpectedField), 0
	if !o.IsNamed(field.ExpectedField) || expected == "" && o.Strict != nil {
		return
	}
	if _, err := fmt.Sscan(expected, &number); err == nil && number == e.First && expected[0] == ' ' {
		expected = text.Unnumbered(expected) // a view has spaces in front of its numbers, and a table has none
	}
	if e.Last == 0 {
		o.Require(field.LastField)
	}
	lines := text.Split(expected)
	if n := len(lines); e.Last > 0 && n != e.Last-e.First+1 {
		o.Failf("%q has %d %s, but the edit replaces %d: expected them to agree",
			o.Find(field.ExpectedField), n, plan.Plural(n, "line"), e.Last-e.First+1)
	}
	for k, line := range lines {
		e.Tags = append(e.Tags, plan.Tag{Line: e.First + k, Text: line})
	}
}

// readLine reads an edit of one line by its number. Only a call that says so is no insertion, as "replace_line" does.
func readLine(o *jsonread.Object, i int, t task) plan.Edit {
	n := len(t.words)
	ofOne := n > 1 && t.words[n-1] == "line" && NameVerbs.Get()[t.words[n-2]].has(VerbEdit|VerbChange|VerbDelete)
	deletes := t.said == VerbDelete && !namesFiles(t.words, VerbDelete)
	if t.mode == "" && !t.listed && !deletes && !ofOne {
		whereItGoes(o)
	}
	e := plan.Edit{WholeLines: true, First: o.Number(field.LineField, 1-t.base) + t.base}
	e.Last = e.First
	readNewLines(o, &e, t, t.does != VerbDelete)
	return e
}

// readSpan reads an edit of a language server.
func readSpan(o *jsonread.Object, i int, t task) plan.Edit {
	return plan.Edit{New: o.NeedOrNull(field.NewField), Range: lsp.RangeIn(o, o.Find(field.SpanField))}
}

func readAtEnd(o *jsonread.Object, i int, t task) plan.Edit {
	return plan.Edit{New: text.EndLines(o.Need(field.TextField)), AtEnd: true, WholeLines: true}
}

// whereItGoes refuses a line that may be one to insert above, to insert below or to replace.
func whereItGoes(o *jsonread.Object) {
	o.Failf(`%q does not say whether the text goes above or below that line: `+
		`expected "insert_line", the line to insert below`, o.Find(field.LineField))
}

func readInsertion(o *jsonread.Object, i int, t task) plan.Edit {
	e := plan.Edit{WholeLines: true}
	switch {
	case o.IsNamed(field.BeforeField):
		e.First = o.Number(field.BeforeField, 1)
	case o.IsNamed(field.LineField) && t.name == "insert_content": // Roo's, whose line 0 is the end
		e.First = o.Number(field.LineField, 0)
		e.AtEnd = e.First == 0
	case o.IsNamed(field.LineField) && t.base == 1:
		e.First = o.Number(field.LineField, 0) + 1
	case o.IsNamed(field.LineField):
		whereItGoes(o)
	case t.name == "editor" && field.NormalName(o.Find(field.TextField)) == "newtext": // Cline's
		o.Require(field.AfterField)
		e.First = o.Number(field.AfterField, 1)
	default:
		const lastLine = -1
		o.Require(field.AfterField)
		e.First = o.Number(field.AfterField, lastLine) + 1
		e.AtEnd = e.First == 0 && o.IsNamed(field.AfterField)
	}
	e.New = text.EndLines(o.Need(field.TextField))
	return e
}

// lineBase returns 1 where the first line has the number 0, as in Serena's tools, which have a relative_path.
func lineBase(o *jsonread.Object, t task) int {
	if t.path != "" || field.NormalName(o.Find(field.PathField)) != "relativepath" {
		return 0
	}
	if t.tool == "" {
		o.Failf(`with a %q, lines may be counted from 0 or from 1: `+
			`expected the call with the name of its tool, or a "path" to count from 1`, o.Find(field.PathField))
	}
	return 1
}

// numberedEdits returns the edits in numbered fields such as old_str_1, nil if there are none, and the other fields.
func numberedEdits(o *jsonread.Object) (rest *jsonread.Object, edits []*jsonread.Object) {
	if !slices.ContainsFunc(o.Names, func(name string) bool { return numberIn(o, name) != "" }) {
		return o, nil
	}
	groups := map[string]*jsonobj.Object{"": jsonobj.NewObject(o.Offset)} // without a number: the other fields
	for i, name := range o.Names {
		number := numberIn(o, name)
		if groups[number] == nil {
			groups[number] = jsonobj.NewObject(o.Offset)
		}
		groups[number].Add(strings.TrimSuffix(name, number), o.Values[i])
	}
	byNumber := func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }
	numbers := slices.SortedFunc(maps.Keys(groups), byNumber)
	for _, number := range numbers[1:] {
		edit := o.Request.CallOf(groups[number], "edit "+number[1:])
		edit.Suffix = number
		edits = append(edits, edit)
	}
	return o.Request.CallOf(groups[""], o.Name), edits
}

// numberIn returns the number at the end of the name of a field that is not null, with its underscore.
func numberIn(o *jsonread.Object, name string) string {
	at := strings.LastIndexByte(name, '_')
	if at < 0 || strings.Trim(name[at+1:], "0123456789") != "" || at == len(name)-1 ||
		field.MeaningOf(name[:at]).Fields == 0 || !o.IsSet(name) {
		return ""
	}
	return name[at:]
}
