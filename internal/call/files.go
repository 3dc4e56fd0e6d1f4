package call

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/blocks"
	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// writeFields has the fields beside the content of a file.
const writeFields = field.PathField | field.OverwriteField | field.AppendField | field.EmptyField |
	field.EndLineField | field.LeadLineField

// readContent reads the whole content of a file, or what to append to it.
func readContent(o *jsonread.Object, t task) plan.Plan {
	name, what := pathIn(o, field.PathField, t.cwd), field.ContentField
	if t.said == noVerb && t.outer.has(VerbAppend|VerbInsert|VerbDelete|VerbMove|VerbEdit) {
		t.said = t.outer
	}
	appends := o.Flag(field.AppendField) || t.said == VerbAppend
	// A tool that writes a part may make a file of it, but replace none, whatever the mode or a flag says.
	makesNew := t.toolSays == VerbEdit && t.said.has(VerbEdit|VerbWrite) && onlyWrites(t.words)
	switch {
	case t.said == VerbAppend:
		what = field.TextField
	case !o.IsNamed(field.ContentField) && t.said.has(VerbWrite|VerbCreate) && o.IsNamed(field.CodeField):
		what = field.CodeField
	}
	content := o.Need(what)
	if o.Failed() {
		return plan.Plan{}
	}
	as := o.Find(what)
	switch starts, _ := holdsBlocks(content); {
	case field.NormalName(as) == "data" && mayBeBase64(content):
		o.Failf(`%q may be a text or its bytes in base64: expected the text itself in "content"`, as)
	case o.Flag(field.EmptyField) && content != "":
		o.Failf("%q is true, but %q is not empty: expected them to agree", o.Find(field.EmptyField), as)
	case starts && t.mode == "" && !appends && t.said.has(VerbEdit|VerbChange|noVerb):
		return ofOneFile(o, parsed(o, what, blocks.Parse), name, t)
	case t.mode == "" && t.toolSays.has(noVerb|VerbRun):
		o.Failf(`the call of %s does not say that the file is written: expected the call of a tool such as `+
			`"write_file"`, plan.Excerpt(t.tool))
	case t.said.has(VerbDelete | VerbMove):
		return unknownCall(o, t)
	case t.said == VerbInsert && t.mode == "":
		o.Failf(`%q does not say where in the file it goes: expected "insert_line", the line to insert below`, as)
	case t.said == VerbEdit && t.mode == "" && !makesNew:
		o.Failf("%q does not say what lines of the file it replaces: expected the exact old text and the new text", as)
	}
	if o.Flag(field.LeadLineField) {
		content = "\n" + content
	}
	if o.Flag(field.EndLineField) && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	if appends {
		return planOf(plan.Op{Path: name, Edits: []plan.Edit{appendedEdit(o, content, t)}})
	}
	op := plan.Op{Kind: plan.OpCreate, Path: name, Content: content,
		Overwrite: t.said != VerbCreate && !makesNew && (t.said != noVerb || t.toolSays != VerbCreate)}
	if o.IsNamed(field.OverwriteField) && !makesNew {
		op.Overwrite = o.Flag(field.OverwriteField)
	}
	op.Exclusive = t.typed && !op.Overwrite
	return planOf(op)
}

// mayBeBase64 reports whether a text may be bytes in base64: it is one long word, or ends in "=".
func mayBeBase64(s string) bool {
	const longWord = 24
	_, err := base64.StdEncoding.Strict().DecodeString(s)
	return err == nil && (strings.HasSuffix(s, "=") || len(s) >= longWord) && !strings.ContainsAny(s, "\r\n")
}

func appendedEdit(o *jsonread.Object, lines string, t task) plan.Edit {
	const contradicts = "%q contradicts that the text is appended: leave one of them out"
	switch {
	case t.mode != "" && t.said != VerbAppend:
		o.Failf(contradicts, t.mode)
	case o.Flag(field.OverwriteField):
		o.Failf(contradicts, o.Find(field.OverwriteField))
	case o.Flag(field.LeadLineField):
		o.Failf("%q is not needed, as the text is appended as lines of its own: leave it out",
			o.Find(field.LeadLineField))
	}
	return plan.Edit{New: text.EndLines(lines), AtEnd: true, WholeLines: true}
}

// readOldAndNew reads the old and the new text of a file, or of a part of it. A file without an old text is a new one.
func readOldAndNew(o *jsonread.Object, t task) plan.Plan {
	if o.TextOf(field.OldField) != "" {
		t.said, t.mode = VerbEdit, ""
		return readEdit(o, t)
	}
	return planOf(plan.Op{Kind: plan.OpCreate, Path: pathIn(o, field.PathField, t.cwd),
		Content: o.Need(field.NewField)})
}

func readMove(o *jsonread.Object, t task) plan.Plan {
	ofText := t.mode == "" && hasAny(t.words, textWords) && !hasAny(t.words, fileWords)
	mayCopy := t.tool != "" && t.said == noVerb && !t.outer.has(VerbMove) // which has the same fields
	if mayCopy || nameAPart(t.words) || ofText {
		return refused(o, `the call of %s does not say that the file is moved: `+
			`expected the call of a tool such as "move_file"`, plan.Excerpt(t.tool))
	}
	from := field.FromField
	if o.Find(field.FromField) == "" && o.Find(field.PathField) != "" {
		from = field.PathField
	}
	op := plan.Op{Kind: plan.OpMove, Path: pathIn(o, from, t.cwd), To: pathIn(o, field.ToField, t.cwd),
		Overwrite: o.Flag(field.OverwriteField)}
	op.Exclusive = t.typed && !op.Overwrite
	if other := o.TextOf(field.PathField); from == field.FromField && other != "" &&
		other != o.TextOf(field.FromField) && other != o.TextOf(field.ToField) {
		o.Failf("%q is neither the old nor the new path: expected only %q and %q",
			o.Find(field.PathField), o.NameFor(field.FromField), o.NameFor(field.ToField))
	}
	return planOf(op)
}

// readRename reads the new name of a file, which stays in its directory.
func readRename(o *jsonread.Object, t task) plan.Plan {
	if t.mode == "" && !namesFiles(t.words, VerbMove) {
		return unknownCall(o, t)
	}
	from := field.FromField
	if o.Find(field.FromField) == "" {
		from = field.PathField
	}
	name, file := o.Need(field.NewNameField), pathIn(o, from, t.cwd)
	if strings.ContainsAny(name, "/\\") {
		o.Failf(`%q has a slash, so it does not say in which directory the file is then: `+
			`expected the whole new path as "new_path"`, o.Find(field.NewNameField))
	}
	dir := file[:strings.LastIndexAny(file, "/\\")+1]
	return planOf(plan.Op{Kind: plan.OpMove, Path: file, To: dir + name, Overwrite: o.Flag(field.OverwriteField)})
}

func readDeletions(o *jsonread.Object, t task) plan.Plan {
	name := o.Find(field.PathsField)
	words := t.words
	if name != "" { // the items are files
		words = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "items" })
	}
	if t.mode == "" && !namesFiles(words, VerbDelete) || nameAPart(words) {
		return unknownCall(o, t)
	}
	if name == "" {
		if field.NormalName(t.mode) == "op" && field.NormalName(o.Said(t.mode)) == "remove" &&
			t.toolSays != VerbDelete {
			o.Failf(`"op" with "remove" is an operation of a JSON patch, which points into a document: ` +
				`expected "type" with "delete" to delete a file`)
		}
		op := plan.Op{Kind: plan.OpDelete, Path: pathIn(o, field.PathField, t.cwd)}
		switch {
		case !o.IsNamed(field.ContentField):
		case t.byName: // what the file has
			op.Version = plan.VersionOf([]byte(o.TextOf(field.ContentField)))
		default:
			o.Failf("%q is the text of a file, but the call says that the file is deleted: expected one of them",
				o.Find(field.ContentField))
		}
		return planOf(op)
	}
	if t.said != VerbDelete && field.NormalName(name) != "filepaths" {
		return unknownCall(o, t)
	}
	p := plan.Plan{Format: "json"}
	seen := pathSet{}
	for _, file := range o.Texts(field.PathsField) {
		seen.add(o, file)
		p.Ops = append(p.Ops, plan.Op{Kind: plan.OpDelete, Path: names.In(t.cwd, file)})
	}
	return p
}

// readCommandLine reads a command line that applies a patch, its words, or several command lines.
func readCommandLine(o *jsonread.Object, t task) plan.Plan {
	name := o.Find(field.CommandField)
	if o.IsString(name) {
		return parsed(o, field.CommandField, ShellPlan).In(t.cwd)
	}
	texts := o.Texts(field.CommandField)
	commands := [][]string{texts}
	if texts == nil || field.NormalName(name) == "commands" {
		commands = slices.Collect(slices.Chunk(texts, 1))
	}
	plans := make([]plan.Plan, len(commands))
	for i, argv := range commands {
		var err error
		if plans[i], err = ArgvPlan(argv); o.Request.Stop(err) {
			return plan.Plan{}
		}
	}
	return joined(o.Request, plans).In(t.cwd)
}

func joined(r *jsonread.Request, parts []plan.Plan) plan.Plan {
	p, err := plan.Join(parts)
	r.Stop(err)
	return p
}

// A pathSet finds paths that several operations name.
type pathSet map[string]bool

func (s pathSet) add(o *jsonread.Object, name string) {
	if s[names.OfRequest(name)] && name != "" {
		o.Failf("the path %s is named twice: put all edits of a file into one entry, and do anything else to it in "+
			"another call", plan.Excerpt(name))
	}
	s[names.OfRequest(name)] = true
}
