package call

import (
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
)

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

// ignoreOthers removes the fields of other commands than that of the call, whatever they hold, and empty fields that
// only stand beside those of the call.
func ignoreOthers(o *jsonread.Object, t task) {
	has := func(f field.Set) bool { return o.IsNamed(f) }
	empty := func(f field.Set) bool { return has(f) && isEmpty(o.Value(o.Find(f))) }
	isEdit := has(field.OldField) && has(field.NewField)
	ofOther := func(name string, v jsonobj.Value) bool {
		of := commandFields[field.NormalName(name)]
		if t.mode == "" {
			return of&^VerbEdit == of && of != 0 && isEdit && isEmpty(v)
		}
		return of != 0 && !of.has(t.said)
	}
	means := field.Set(0)
	switch {
	case t.mode != "" && has(commandKeys[t.said]):
	case isClineEditor(o, t) && has(field.AfterField) && empty(field.OldField):
		means = field.OldField
	case isEdit && empty(field.EditsField):
		means = field.EditsField
	case isEdit && t.mode == "":
	default:
		return
	}
	text := 0 // fields for the lines of an insertion
	for _, name := range o.Names {
		if n := field.NormalName(name); o.IsSet(name) && (n == "inserttext" || n == "newstr") {
			text++
		}
	}
	o.Remove(func(name string, v jsonobj.Value, f field.Set) bool {
		unused := t.said == VerbInsert && t.mode != "" && text > 1 && f&field.TextField != 0 && isEmpty(v)
		return ofOther(name, v) || f&means != 0 || unused
	})
}

// isEmpty reports whether a value says nothing: "", 0, [] or {}.
func isEmpty(v jsonobj.Value) bool {
	switch strings.Join(strings.Fields(string(v.Raw)), "") {
	case `""`, "0", "[]", "{}":
		return true
	}
	return false
}

// isClineEditor reports whether a call is one of Cline's editor, which inserts above its insert_line.
func isClineEditor(o *jsonread.Object, t task) bool {
	return toolName(t.tool) == "editor" && field.NormalName(o.Find(field.TextField)) == "newtext"
}

// rename gives the fields of o the names that a tool of ours has for them: other tools call "old_string" "oldText".
func rename(o *jsonread.Object, names []string) {
	for i, name := range o.Names {
		if slices.Contains(names, name) || !o.IsSet(name) || o.Means[i] == 0 {
			continue
		}
		as := ""
		for _, own := range names {
			if field.MeaningOf(own).Fields&o.Means[i] != 0 {
				if as != "" || o.IsSet(own) {
					as = "" // which is meant is not known, or it is there twice
					break
				}
				as = own
			}
		}
		if as != "" {
			o.Rename(i, as)
		}
	}
}

// ignoreOthers removes the fields of other forms of the same call. Edits are more than a filled field.
func (f Form) ignoreOthers(o *jsonread.Object, forms []Form) {
	if f.Value == "" {
		return
	}
	o.Remove(func(name string, v jsonobj.Value, _ field.Set) bool {
		isOther := func(other Form) bool { return other.Key == f.Key && slices.Contains(other.Fields, name) }
		return !slices.Contains(f.Fields, name) && slices.ContainsFunc(forms, isOther) &&
			(isEmpty(v) || v.Kind() != '[' || name == "view_range")
	})
}
