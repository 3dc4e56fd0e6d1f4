package call

import (
	"slices"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/plan"
)

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
	elems := make([]*jsonread.Object, len(files.Names))
	for i, name := range files.Names {
		if elems[i] = fileNamed(files, i, writesFiles(list, t)); elems[i] == nil {
			o.Failf(`%q does not say what to do with %s: expected an object with the fields of an edit, or the `+
				`content of the file in the call of a tool such as "write_files"`, list, plan.Excerpt(name))
			return plan.Plan{}
		}
	}
	return readEntriesOf(elems, t, task{byName: true})
}

// writesFiles returns what a call says that it does with the contents of files, "" if it does not say so: in the name
// of their list, or else in that of the tool.
func writesFiles(list string, t task) (mode string) {
	said := TaskOf(list).said
	isContent := field.MeaningOf(list).Fields&field.ContentField != 0 && (t.toolSays == 0 || t.toolSays == VerbChange)
	switch {
	case said == VerbCreate, t.toolSays == VerbCreate:
		return "create"
	case said == VerbWrite, t.toolSays == VerbWrite, isContent:
		return "write"
	}
	return ""
}

// fileNamed returns the entry that the i-th field of o is, a file by its name; nil if it is none. Contents are for the
// given mode.
func fileNamed(o *jsonread.Object, i int, mode string) *jsonread.Object {
	name, v := o.Names[i], o.Values[i]
	switch v.Kind() {
	case '"':
		if mode == "" {
			return nil
		}
		return entryFor(o, fieldOf("content", v).With("mode", jsonobj.OfText(mode, v.Offset)), name)
	case '[':
		return entryFor(o, fieldOf("edits", v), name)
	case '{':
		if fields, err := v.Object(name); err == nil {
			return entryFor(o, taggedByVerb(fields), name)
		}
	}
	return nil
}

// fieldOf returns an object with one field.
func fieldOf(name string, v jsonobj.Value) *jsonobj.Object {
	return (&jsonobj.Object{Offset: v.Offset}).With(name, v)
}

// taggedByVerb returns the fields of an entry. Where its only field says what it does with the fields inside, as in
// {"add": {"content"}}, they are those, with a type.
func taggedByVerb(fields *jsonobj.Object) *jsonobj.Object {
	if len(fields.Names) != 1 || ModeVerbs()[field.NormalName(fields.Names[0])] == 0 || fields.Values[0].Kind() != '{' {
		return fields
	}
	inner, err := fields.Values[0].Object(fields.Names[0])
	if err != nil || inner.Has("type") {
		return fields
	}
	return inner.With("type", jsonobj.OfText(fields.Names[0], inner.Offset))
}

// entryFor returns the reader of an entry for the file with the given name. If the entry names another one, it is
// refused later.
func entryFor(o *jsonread.Object, fields *jsonobj.Object, name string) *jsonread.Object {
	e := o.Request.CallOf(fields, o.Name+"["+plan.Excerpt(name)+"]")
	if file := e.Find(field.PathField); e.IsSet(file) {
		if own, _ := e.Text(file); names.OfRequest(own) != names.OfRequest(name) {
			e.Failf("%q is %s: expected it to agree with the name of the entry, or to be left out", file,
				plan.Excerpt(own))
		}
		return e
	}
	names := field.PathField.Names()
	at := slices.IndexFunc(names, func(n string) bool { return !fields.Has(n) })
	return o.Request.CallOf(fields.With(names[at], jsonobj.OfText(name, fields.Offset)), e.Name)
}

// parametersIn returns the reader of arguments that are a list of parameters, each an object with its name and value;
// nil if v is none.
func parametersIn(r *jsonread.Request, v jsonobj.Value, name string) *jsonread.Object {
	list, _ := v.Array(name)
	if len(list) == 0 {
		return nil
	}
	all := &jsonobj.Object{Offset: v.Offset}
	for _, p := range list {
		o, err := p.Object(name)
		isOther := func(n string) bool { return !slices.Contains(parameterFields, n) }
		if err != nil || !o.IsString("name") || !o.Has("value") || slices.ContainsFunc(o.Names, isOther) {
			return nil
		}
		name, _ := o.Text("name")
		if !all.Add(name, o.Value("value")) {
			r.Stop(plan.Syntax(r.Line(v.Offset),
				"the parameter "+plan.Excerpt(name)+" is there twice: expected it once"))
			return nil
		}
	}
	return r.CallOf(all, name)
}

// parameterFields are the fields of a parameter.
var parameterFields = []string{"name", "type", "value"}
