package atomicedit

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/names"
)

// A task is what is known of an object before its fields are read.
type task struct {
	said     verb   // what the mode of the call says, or else the name of its tool
	mode     string // the field that says it; "" for the name of the tool
	elem     verb   // what an element of a list of edits says
	tool     string // the name of the tool, "" if the call does not say it
	toolSays verb   // what that name says; 0 if the call does not say it
	preview  bool   // the name of the tool says that it only shows what an edit would do
	path     string // the file of the object around it
	cwd      string
	forms    []form        // of its elements, if it belongs to one of [Tools]
	bare     bool          // an empty old text creates no file
	base     int           // 1 if the first line has the number 0
	listed   bool          // the object is an element of a list of edits
	typed    bool          // the object is one of some operations
	beside   []*jsonObject // edits in no field of the call
	byName   bool          // the object is what a file's name stands for
	noPath   bool          // the call may leave out its file
	all      *bool         // whether a list is of edits of all places, if the call around it says so
}

// take makes o, an element that has one of the given forms if there are any, the object of t. It reports whether o has one.
func (t *task) take(o *jsonObject, forms []form) (ok bool) {
	if forms == nil {
		return true
	}
	t.forms, ok = takeForm(o, forms)
	return ok
}

// A shape is a set of fields that a call may have together.
type shape struct {
	verbs  verb  // that it can carry out
	told   bool  // only where the call says that it does that
	keys   field // the call has this shape if it has all of them
	lacks  field // unless it has one of these
	fields field // what else it may have
	kind   callKind
	edit   func(o *jsonObject, i int, t task) Edit // reads one edit, the i-th of its list
}

// cwd returns the directory that the paths of o start from.
func cwdOf(o *jsonObject, t task) string {
	dir := t.cwd
	if o.set&(cwdField|dirField) == 0 {
		return dir
	}
	for _, below := range []string{o.text(cwdField), directoryOf(o)} {
		if below != "" && !path.IsAbs(names.WithSlashes(below)) {
			below = path.Join(dir, below)
		}
		dir = cmp.Or(below, dir)
	}
	return dir
}

// pathIn returns a required path, joined to dir unless it is absolute.
func pathIn(o *jsonObject, f field, dir string) string {
	s := o.need(f)
	name := o.find(f)
	if scheme, _, ok := strings.Cut(s, "://"); ok && !strings.ContainsAny(scheme, `/\. `) {
		file, msg := pathOfURI(s)
		if msg != "" {
			o.failf("the field %q is the URI %s, which %s", name, quote(s), msg)
		}
		s = file
	}
	switch {
	case o.IsSet(name) && s == "":
		o.failf("the field %q is empty: expected a path", name)
	case dir != "" && !path.IsAbs(names.WithSlashes(s)) && !strings.HasPrefix(s, "~/"):
		return path.Join(dir, s)
	}
	return s
}

// directory returns the directory of the file of o that stands beside its name, "" if none does. Beside a path, it could be a part of that.
func directoryOf(o *jsonObject) string {
	field, beside := o.find(dirField), o.find(pathField)
	if !o.IsSet(field) {
		return ""
	}
	dir, name := o.text(dirField), o.text(pathField)
	if normalName(beside) != "filename" && normalName(beside) != "file" || path.IsAbs(names.WithSlashes(name)) || strings.HasPrefix(names.OfRequest(name), names.OfRequest(dir)+"/") {
		o.failf(`%q may be a part of the path or not: expected the whole path as "path", without %q`, field, field)
	}
	return dir
}

// shape returns the shape of o among some: the first that can do what the call says and whose keys are there. Where none has its
// keys, it is the last that can do what the mode of the call says, for a refusal that names what is missing.
func shapeOf(o *jsonObject, shapes []shape, t task) (shape, bool) {
	for _, v := range [...]verb{t.said, noVerb} {
		if v != t.said && (t.mode != "" || t.said&(verbDelete|verbMove|verbView) != 0) {
			break // only tools can do more than their names say
		}
		for _, has := range [...]field{o.set, o.set | o.null} {
			for _, s := range shapes {
				if s.keys&^has == 0 && s.lacks&o.set == 0 && s.fits(v) {
					return s, true
				}
			}
		}
	}
	for _, s := range slices.Backward(shapes) {
		if t.mode != "" && s.verbs.has(t.said) {
			return s, false
		}
	}
	return shape{}, false
}

// fits reports whether a call that says v may have the shape s.
func (s shape) fits(v verb) bool { return s.verbs.has(v) || v.has(verbChange|noVerb) && !s.told }

// unknown refuses an object of no known shape.
func unknownCall(o *jsonObject, t task) error {
	if o.failed() {
		return nil
	}
	if t.said == verbView {
		o.failf("the call of %s is not an edit: send only calls that edit files", quote(t.tool))
		return nil
	}
	for _, name := range o.Names {
		v, _ := o.Value(name)
		if m := meaningOf(name); o.IsSet(name) && m.refused != "" && !(!m.harmful && m.has(wordOf(v))) {
			o.failf("%q %s", name, m.refused)
			return nil
		}
	}
	switch {
	case len(o.Names) == 0 && t.tool != "":
		o.failf("the call of %s has no fields in its arguments: expected those of an edit", quote(t.tool))
	case t.typed && t.said == noVerb:
		o.failf(`the field "type" is missing: it is required`)
	case o.isNamed(pathField):
		o.failf(`there is a path, but nothing that says what to do with the file (%s): `+
			`expected, for example, "old_string" and "new_string", "edits" or "content"`, o.fieldNames())
	case o.name == theRequest:
		o.failf(`the request is of no known kind, as it has %s: expected, for example, {"file_path", "edits": `+
			`[{"old_string", "new_string"}]}, or a call with these in its "arguments" or "input"`, o.fieldNames())
	default:
		o.failf(`this is of no known kind, as it has %s: expected, for example, a path, "old_string" and "new_string"`,
			o.fieldNames())
	}
	return nil
}
