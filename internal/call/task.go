package call

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/lsp"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// A task is what is known of an object before its fields are read.
type task struct {
	said  Verb   // what the mode of the call says, or else the name of its tool
	mode  string // the field that says it; "" for the name of the tool
	does  Verb   // what an element of a list of edits says, or else said
	outer Verb   // what the call around it says
	saidByName
	path   string // the file of the object around it
	cwd    string
	forms  []Form             // of its elements, if it belongs to one of [Tools]
	bare   bool               // an empty old text creates no file
	base   int                // 1 if the first line has the number 0
	listed bool               // the object is an element of a list of edits
	typed  bool               // the object is one of some operations
	beside []*jsonread.Object // edits in no field of the call
	byName bool               // the object is what a file's name stands for
	noPath bool               // the call may leave out its file
	all    *bool              // whether a list is of edits of all places, if the call around it says so
}

// A saidByName is the name of a tool, and what it says of a call.
type saidByName struct {
	tool     string   // "" if the call does not say it
	name     string   // without those of servers in front
	words    []string // of that name
	toolSays Verb     // 0 if the call does not say it
	ofText   Verb     // what it says if the fields edit a text, which the name alone does not tell; 0 if it does tell
	preview  bool     // it only shows what an edit would do
}

// within returns the task of an object in a call whose task is t.
func (t task) within() task {
	return task{said: noVerb, outer: cmp.Or(t.outer, t.said), saidByName: t.saidByName, cwd: t.cwd, bare: t.bare}
}

// replaces reports whether the mode of the call or the name of the tool says that something is replaced.
func (t task) replaces() bool {
	return t.mode != "" && t.does == VerbEdit || slices.ContainsFunc(t.words, func(word string) bool {
		return NameVerbs.Get()[word].has(VerbChange | VerbWrite)
	})
}

// take makes o, an element with one of some forms if there are any, the object of t. It reports whether o has one.
func (t *task) take(o *jsonread.Object, forms []Form) bool {
	if forms == nil {
		return true
	}
	f, ok := formAmong(o, forms)
	if ok {
		t.forms, o.Strict = f.Elems, f.Fields
		o.AllowAmong(f.Fields, f.shown)
	}
	return ok
}

// A Shape is a set of fields that a call may have together.
type Shape struct {
	verbs  Verb                                              // that it can carry out
	told   bool                                              // only where the call says that it does that
	Keys   field.Set                                         // the call has this shape if it has all of them
	lacks  field.Set                                         // unless it has one of these
	fields field.Set                                         // what else it may have
	edit   func(o *jsonread.Object, i int, t task) plan.Edit // reads one edit, the i-th of its list
	read   func(o *jsonread.Object, t task) plan.Plan        // reads a call that is no edit
}

// pathIn returns a required path, joined to dir unless it is absolute.
func pathIn(o *jsonread.Object, f field.Set, dir string) string {
	s := o.Need(f)
	name := o.Find(f)
	if scheme, _, ok := strings.Cut(s, "://"); ok && !strings.ContainsAny(scheme, `/\. `) {
		file, msg := lsp.PathOfURI(s)
		if msg != "" {
			o.Failf("the field %q is the URI %s, which %s", name, plan.Excerpt(s), msg)
		}
		s = file
	}
	switch {
	case s == "" && o.IsString(name):
		o.Failf("the field %q is empty: expected a path", name)
	case strings.ContainsAny(s, "\b\f\n\r\t"):
		o.Failf(`the field %q has a line break, a tab or the like: expected a path; JSON has a backslash as "\\", and `+
			`"/" will do as well`, name)
	}
	return names.In(dir, s)
}

// shapeOf returns the shape of o among some: the first that can do what the call says and whose keys are there, if
// possible with something in them. Where none has its keys, it is the last that can do what the mode of the call says,
// for a refusal that names what is missing. The mode says it, or else the name of the tool.
func shapeOf(o *jsonread.Object, shapes []Shape, said Verb, byMode bool) (Shape, bool) {
	full := o.Full
	switch {
	case o.Strict != nil:
		full = o.Set
	case o.Set&(field.AfterField|field.BeforeField) == 0: // otherwise, an empty old text says nothing
		full |= o.Set & field.OldField
	}
	for _, v := range [...]Verb{said, noVerb} {
		if v != said && (byMode || said.has(VerbDelete|VerbMove|VerbView)) {
			break // only tools can do more than their names say
		}
		for _, has := range [...]field.Set{full, o.Set, o.All} {
			for _, s := range shapes {
				fits := s.verbs.has(v) || v.has(VerbChange|noVerb) && !s.told
				if s.Keys&^has == 0 && s.lacks&o.Set == 0 && fits {
					return s, true
				}
			}
		}
	}
	for _, s := range slices.Backward(shapes) {
		if byMode && s.verbs.has(said) && o.MayHave(s.Keys) {
			return s, false
		}
	}
	return Shape{}, false
}

// OldNames are fields of an edit that hardly anything else has.
var OldNames = []string{"old_string", "old_str", "oldString", "old_text", "oldText"}

func noEdit(tool string) string {
	return "the call of " + plan.Excerpt(tool) + " is not an edit: send only calls that edit files"
}

func unknownCall(o *jsonread.Object, t task) (none plan.Plan) {
	switch name, says := refusedField(o); {
	case o.Failed():
	case t.said == VerbView:
		o.Failf("%s", noEdit(t.tool))
	case says != "":
		o.Failf("%q %s", name, says)
	case len(o.Names) == 0 && t.tool != "":
		o.Failf("the call of %s has no fields in its arguments: expected those of an edit", plan.Excerpt(t.tool))
	case t.typed && t.said == noVerb:
		o.Failf(`the field "type" is missing: it is required`)
	case o.IsNamed(field.PathField):
		o.Failf(`there is a path, but nothing that says what to do with the file (%s): `+
			`expected, for example, "old_string" and "new_string", "edits" or "content"`, o.FieldNames())
	case o.Name == jsonread.TheRequest:
		reason := errs.ErrSyntax
		has := func(name string) bool { return bytes.Contains(o.Request.Data, []byte(name)) }
		if t.tool == "" && o.All == 0 && bytes.HasPrefix(bytes.TrimSpace(o.Request.Data), []byte("{")) &&
			!slices.ContainsFunc(OldNames, has) {
			reason = errs.ErrNoRequest
		}
		o.Note(plan.Problem{Err: reason, Op: -1, Edit: -1, Msg: "the request is of no known kind, as it has " +
			o.FieldNames() + `: expected, for example, {"file_path", "edits": [{"old_string", "new_string"}]}, or a ` +
			`call with these in its "arguments" or "input"`})
	default:
		o.Failf(`this is of no known kind, as it has %s: expected, for example, a path, "old_string" and "new_string"`,
			o.FieldNames())
	}
	return none
}

// refusedField returns a field of a call that cannot be carried out, and what the refusal says of it; "" if none.
func refusedField(o *jsonread.Object) (name, says string) {
	for i, name := range o.Names {
		m, v := field.MeaningOf(name), o.Values[i]
		if !v.IsNull() && !v.IsEmpty() && m.Refused != "" && !m.IsHarmless(jsonread.WordOf(v)) {
			return name, m.Refused
		}
	}
	return "", ""
}

// TaskOf returns the task of a call of a tool, "" if that is not known.
func TaskOf(tool string) task {
	name := toolName(tool)
	words := wordsIn(name)
	t := task{said: noVerb, saidByName: saidByName{tool: tool, name: name, preview: hasAny(words, previewWords)}}
	if tool != "" {
		words = slices.DeleteFunc(words, func(word string) bool {
			return slices.Contains(previewWords, word) || word == "run" && t.preview
		})
		t.said = verbOf(words)
		if hasAny(words, noTextWords) {
			t.said, t.ofText = VerbView, t.said
		}
		const most = 16 // that each file of a call may ask for
		t.toolSays, t.words = t.said, words[:min(len(words), most)]
	}
	return t
}

// takeTool makes t the task of the tool that o names, if any. It reports whether no other is known to be called.
func (t *task) takeTool(o *jsonread.Object) bool {
	if o.Strict != nil || !o.IsNamed(field.ToolField) {
		return true
	}
	name := o.TextOf(field.ToolField)
	switch {
	case t.tool == "" || toolName(name) == t.name:
		of := TaskOf(name)
		t.said, t.saidByName = of.said, of.saidByName
		return true
	case !o.IsNamed(field.PathField) && TaskOf(name).said == noVerb:
		o.Failf(`%q is %s, which is not the tool: if it is a file, send it as "path"`, o.Find(field.ToolField),
			plan.Excerpt(name))
	default:
		o.Failf("%q is %s, but the call is one of %s: expected them to agree", o.Find(field.ToolField),
			plan.Excerpt(name), plan.Excerpt(t.tool))
	}
	return false
}

func planOf(op plan.Op) plan.Plan { return plan.Plan{Ops: []plan.Op{op}, Format: "json"} }

// refused records that o cannot be read, and returns the plan of that.
func refused(o *jsonread.Object, format string, args ...any) (none plan.Plan) {
	o.Failf(format, args...)
	return none
}

// A strict schema makes a model fill the fields of all commands of a tool. Those of the other commands mean nothing.

// commandFields has the fields of tools that have several commands, and the commands that each belongs to.
var commandFields = map[string]Verb{
	"filetext": VerbCreate, "oldstr": VerbEdit, "newstr": VerbEdit | VerbInsert, "insertline": VerbInsert,
	"inserttext": VerbInsert, "viewrange": VerbView,
}

// commandKeys has the field that each of these commands needs.
var commandKeys = map[Verb]field.Set{
	VerbCreate: field.ContentField, VerbEdit: field.OldField, VerbInsert: field.AfterField,
}

// ignoreOthers removes the fields of other commands than that of the call, or empty ones beside an edit without any.
func ignoreOthers(o *jsonread.Object, t task) {
	const edit = field.OldField | field.NewField
	if t.mode != "" && !o.IsNamed(commandKeys[t.said]) || t.mode == "" && o.Set&edit != edit {
		return
	}
	text := 0 // fields for the lines of an insertion
	for _, name := range o.Names {
		if n := field.NormalName(name); o.IsSet(name) && (n == "inserttext" || n == "newstr") {
			text++
		}
	}
	other := "" // a field with a text that means nothing
	o.Remove(func(name string, v jsonobj.Value, f field.Set) bool {
		of := commandFields[field.NormalName(name)]
		if t.mode == "" {
			return of != 0 && !of.has(VerbEdit) && isEmpty(v)
		}
		isOther := of != 0 && !of.has(t.said)
		if isOther && v.Kind() == '"' && !isEmpty(v) {
			other = name
		}
		return isOther || t.said == VerbInsert && text > 1 && f&field.TextField != 0 && isEmpty(v)
	})
	if other != "" && t.said == VerbEdit && o.Full&field.NewField == 0 {
		o.Failf("%q has a text, but belongs to another command, and no text would take the place of the old one: "+
			"expected the new text in %q", other, o.NameFor(field.NewField))
	}
}

// isEmpty reports whether a value says nothing: "", 0, [] or {}.
func isEmpty(v jsonobj.Value) bool { return string(v.Raw) == "0" || v.IsEmpty() }

// rename gives the fields of o the names that a tool of ours has for them: other tools call "old_string" "oldText".
func rename(o *jsonread.Object, names []string) {
	for i := 0; i < len(o.Names); i++ {
		name := o.Names[i]
		if slices.Contains(names, name) || !o.IsSet(name) || o.Means[i] == 0 {
			continue
		}
		as := slices.DeleteFunc(slices.Clone(names), func(own string) bool {
			return field.MeaningOf(own).Fields&o.Means[i] == 0
		})
		if len(as) == 1 && !o.IsSet(as[0]) { // otherwise, which is meant is not known, or it is there twice
			o.Rename(i, as[0])
			i = -1 // a null of that name is gone, so the fields are at other places
		}
	}
}

// ignoreOthers removes the fields of other forms of the same call, but no lists, and returns those that have a text.
func (f Form) ignoreOthers(o *jsonread.Object, forms []Form) (texts []string) {
	if f.Value == "" {
		return nil
	}
	o.Remove(func(name string, v jsonobj.Value, _ field.Set) bool {
		isOther := func(other Form) bool { return other.Key == f.Key && slices.Contains(other.Fields, name) }
		if slices.Contains(f.Fields, name) || !slices.ContainsFunc(forms, isOther) ||
			!isEmpty(v) && v.Kind() == '[' && name != "view_range" {
			return false
		}
		if v.Kind() == '"' && !isEmpty(v) {
			texts = append(texts, plan.Excerpt(name))
		}
		return true
	})
	return texts
}
