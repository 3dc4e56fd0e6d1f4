package atomicedit

import (
	"encoding/base64"
	"path"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/text"
)

func planOf(op Op) Plan { return Plan{Ops: []Op{op}, Format: "json"} }

// writeFields has the fields beside the content of a file.
const writeFields = pathField | overwriteField | appendField | emptyField | endLineField | leadLineField

// readContent reads the whole content of a file, or what to append to it.
func readContent(o *jsonObject, t task) (Plan, error) {
	name, what := pathIn(o, pathField, t.cwd), contentField
	appends := o.flag(appendField) || t.said == verbAppend
	switch {
	case t.said == verbAppend:
		what = textField
	case !o.isNamed(contentField) && t.said.has(verbWrite|verbCreate) && o.isNamed(codeField):
		what = codeField
	}
	content := o.need(what)
	if o.failed() {
		return Plan{}, nil
	}
	switch starts, _ := holdsBlocks(content); {
	case normalName(o.find(what)) == "data" && mayBeBase64(content):
		o.failf(`%q may be a text or its bytes in base64: expected the text itself in "content"`, o.find(what))
	case o.flag(emptyField) && content != "":
		o.failf("%q is true, but %q is not empty: expected them to agree", o.find(emptyField), o.find(what))
	case starts && t.mode == "" && !appends && t.said.has(verbEdit|verbChange|noVerb):
		return blocksFor(o, what, name)
	case t.mode == "" && t.toolSays.has(noVerb|verbRun):
		o.failf(`the call of %s does not say that the file is written: expected the call of a tool such as "write_file"`,
			quote(t.tool))
	case t.mode == "" && slices.Contains(wordsIn(toolName(t.tool)), "cell"):
		o.failf("the name of the tool %s", ofNotebook)
	case t.said == verbInsert && t.mode == "":
		o.failf(`%q does not say where in the file it goes: expected "insert_line", the line to insert below`, o.find(what))
	case t.said == verbEdit && t.mode == "":
		o.failf("%q does not say what lines of the file it replaces: expected the exact old text and the new text",
			o.find(what))
	}
	if o.flag(leadLineField) {
		content = "\n" + content
	}
	if o.flag(endLineField) && !strings.HasSuffix(content, "\n") {
		content += "\n"
	}
	if appends {
		return planOf(Op{Path: name, Edits: []Edit{appendedEdit(o, content, t)}}), nil
	}
	op := Op{Kind: OpCreate, Path: name, Content: content, Overwrite: t.said != verbCreate && (t.said != noVerb || t.toolSays != verbCreate)}
	if o.isNamed(overwriteField) {
		op.Overwrite = o.flag(overwriteField)
	}
	op.Exclusive = t.typed && !op.Overwrite
	return planOf(op), nil
}

// mayBeBase64 reports whether a text may be bytes in base64, and is none that files have: it is one long word, or ends in "=".
func mayBeBase64(s string) bool {
	const longWord = 24
	_, err := base64.StdEncoding.Strict().DecodeString(s)
	return err == nil && (strings.HasSuffix(s, "=") || len(s) >= longWord) && !strings.ContainsAny(s, "\r\n")
}

// appended returns the edit that appends lines.
func appendedEdit(o *jsonObject, lines string, t task) Edit {
	contradicts := ""
	switch {
	case t.mode != "" && t.said != verbAppend:
		contradicts = t.mode
	case o.flag(overwriteField):
		contradicts = o.find(overwriteField)
	case o.flag(leadLineField):
		o.failf("%q is not needed, as the text is appended as lines of its own: leave it out", o.find(leadLineField))
	}
	if contradicts != "" {
		o.failf("%q contradicts that the text is appended: leave one of them out", contradicts)
	}
	return Edit{New: text.EndLines(lines), AtEnd: true, WholeLines: true}
}

// readOldAndNew reads the old and the new text of a file, or of a part of it. A file without an old text is a new one.
func readOldAndNew(o *jsonObject, t task) (Plan, error) {
	if o.text(oldField) != "" {
		t.said, t.mode = verbEdit, ""
		return readEditsOf(o, []*jsonObject{o}, t)
	}
	return planOf(Op{Kind: OpCreate, Path: pathIn(o, pathField, t.cwd), Content: o.need(newField)}), nil
}

// readMove reads the new path of a file.
func readMove(o *jsonObject, t task) (Plan, error) {
	words := wordsIn(toolName(t.tool))
	if t.tool != "" && t.said == noVerb || t.mode == "" && !hasAny(words, fileWords) && hasAny(words, partWords) { // a copy has the same fields
		o.failf(`the call of %s does not say that the file is moved: expected the call of a tool such as "move_file"`,
			quote(t.tool))
		return Plan{}, nil
	}
	from := fromField
	if o.find(fromField) == "" && o.find(pathField) != "" {
		from = pathField
	}
	op := Op{Kind: OpMove, Path: pathIn(o, from, t.cwd), To: pathIn(o, toField, t.cwd), Overwrite: o.flag(overwriteField)}
	op.Exclusive = t.typed && !op.Overwrite
	if other := o.text(pathField); from == fromField && other != "" && other != o.text(fromField) && other != o.text(toField) {
		o.failf("%q is neither the old nor the new path: expected only %q and %q",
			o.find(pathField), o.nameFor(fromField), o.nameFor(toField))
	}
	return planOf(op), nil
}

// readRename reads the new name of a file, which stays in its directory.
func readRename(o *jsonObject, t task) (Plan, error) {
	if t.mode == "" && !namesFiles(t.tool, verbMove) {
		return Plan{}, unknownCall(o, t)
	}
	from := fromField
	if o.find(fromField) == "" {
		from = pathField
	}
	name, file := o.need(newNameField), pathIn(o, from, t.cwd)
	if strings.ContainsAny(name, "/\\") {
		o.failf(`%q has a slash, so it does not say in which directory the file is then: `+
			`expected the whole new path as "new_path"`, o.find(newNameField))
	}
	dir := file[:strings.LastIndexAny(file, "/\\")+1]
	return planOf(Op{Kind: OpMove, Path: file, To: dir + name, Overwrite: o.flag(overwriteField)}), nil
}

// readDeletions reads the path of a file to delete, or several.
func readDeletions(o *jsonObject, t task) (Plan, error) {
	name := o.find(pathsField)
	if t.mode == "" && t.tool != "" && !namesFiles(t.tool, verbDelete) {
		return Plan{}, unknownCall(o, t)
	}
	if name == "" {
		if said, _ := o.Text(t.mode); normalName(t.mode) == "op" && normalName(said) == "remove" && t.toolSays != verbDelete {
			o.failf(`"op" with "remove" is an operation of a JSON patch, which points into a document: ` +
				`expected "type" with "delete" to delete a file`)
		}
		op := Op{Kind: OpDelete, Path: pathIn(o, pathField, t.cwd)}
		switch {
		case !o.isNamed(contentField):
		case t.byName: // what the file has
			op.Version = VersionOf([]byte(o.text(contentField)))
		default:
			o.failf("%q is the text of a file, but the call says that the file is deleted: expected one of them",
				o.find(contentField))
		}
		return planOf(op), nil
	}
	if t.said != verbDelete && normalName(name) != "filepaths" {
		return Plan{}, unknownCall(o, t)
	}
	paths, err := o.texts(pathsField)
	p := Plan{Format: "json"}
	seen := pathSet{}
	for _, file := range paths {
		seen.add(o, file)
		if t.cwd != "" && !path.IsAbs(names.WithSlashes(file)) {
			file = path.Join(t.cwd, file)
		}
		p.Ops = append(p.Ops, Op{Kind: OpDelete, Path: file})
	}
	return p, err
}

// namesFiles reports whether the name of a tool says that it does something with whole files, and not with a part of one.
func namesFiles(tool string, does verb) bool {
	words := wordsIn(toolName(tool))
	orFolder := slices.Contains(words, "file") && slices.Contains(words, "or")
	return !slices.ContainsFunc(words, func(word string) bool {
		return nameVerbs[word] != does && !slices.Contains(fileWords, word) && !(orFolder && slices.Contains(folderWords, word))
	})
}

// readCommandLine reads a command line that applies a patch, its words, or several command lines.
func readCommandLine(o *jsonObject, t task) (Plan, error) {
	name := o.find(commandField)
	var p Plan
	var err error
	switch {
	case o.IsString(name):
		script, _ := o.Text(name)
		p, err = shellPlan(script)
		err = inText(o, commandField, err)
	case normalName(name) == "commands":
		var scripts []string
		if scripts, err = o.texts(commandField); err != nil {
			return Plan{}, err
		}
		plans := make([]Plan, len(scripts))
		for i, script := range scripts {
			if plans[i], err = shellPlan(script); err != nil {
				return Plan{}, err
			}
		}
		p, err = joinCalls(plans)
	default:
		var argv []string
		if argv, err = o.texts(commandField); err == nil {
			p, err = argvPlan(argv)
		}
	}
	return p.in(t.cwd), err
}

// A pathSet finds paths that several operations name.
type pathSet map[string]bool

func (s pathSet) add(o *jsonObject, name string) {
	if s[names.OfRequest(name)] && name != "" {
		o.failf("the path %s is named twice: expected one entry per file, with all of its edits", quote(name))
	}
	s[names.OfRequest(name)] = true
}
