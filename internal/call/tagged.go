package call

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// readTagged reads an edit of lines that it names by their tags: hashlines in JSON.
func readTagged(o *jsonread.Object, i int, t task) plan.Edit {
	said, mode := modeOf(o)
	first, last, lines := tagIn(o, field.PosField), tagIn(o, field.EndField), taggedLines(o)
	switch {
	case o.Failed():
	case mode == "":
		o.Failf(`the field "op" is missing: expected replace, append or prepend`)
	case !said.has(VerbEdit | VerbAppend | VerbInsert):
		o.Failf("%q does not say where the lines go: expected replace, append or prepend", mode)
	case said == VerbEdit && first.Line == 0:
		o.Require(field.PosField)
	case said == VerbEdit && last.Line > 0 && last.Line < first.Line:
		o.Failf("%q is before %q: expected the first line, then the last", o.Find(field.EndField),
			o.Find(field.PosField))
	case said != VerbEdit && last.Line > 0:
		o.Failf("%q is for lines that are replaced: leave it out, or replace the lines", o.Find(field.EndField))
	case said != VerbEdit && lines == "":
		o.Failf("%q has no new lines: expected at least one", o.Find(field.LinesField))
	}
	e := plan.Edit{WholeLines: true, New: lines}
	switch {
	case said == VerbEdit:
		e.First, e.Last = first.Line, max(first.Line, last.Line)
	case said == VerbInsert:
		e.First = max(first.Line, 1)
	case first.Line == 0:
		e.AtEnd = true
	default:
		e.First = first.Line + 1
	}
	for _, tag := range []plan.Tag{first, last} {
		if tag.Line > 0 {
			e.Tags = append(e.Tags, tag)
		}
	}
	return e
}

// taggedLines returns the new lines of an edit, each with its ending: those of an array, or of a string; none for null.
func taggedLines(o *jsonread.Object) string {
	name := o.Find(field.LinesField)
	v := o.Value(name)
	switch {
	case name == "":
		o.Require(field.LinesField)
		return ""
	case !o.IsSet(name):
		return ""
	case o.IsString(name):
		s, err := o.Text(name)
		if o.Check(err); s == "" {
			o.Failf(`%q is empty: expected [] to remove lines, or [""] for an empty line`, name)
		}
		return text.EndLines(s)
	}
	values, err := v.Array("\"" + name + "\"")
	o.Check(err)
	var lines strings.Builder
	for _, v := range values {
		line, err := v.Text()
		if err != nil {
			o.Failf("%q: %s", name, err)
		}
		lines.WriteString(line + "\n")
	}
	return text.EndLines(lines.String())
}

// tagIn returns the line and the tag in a field, such as "12#QKVR", which the line may follow; zero if it is missing.
func tagIn(o *jsonread.Object, f field.Set) plan.Tag {
	name := o.Find(f)
	if !o.IsSet(name) {
		return plan.Tag{}
	}
	number, rest, ok := strings.Cut(o.TextOf(f), "#")
	tag := plan.Tag{Hash: strings.TrimSpace(rest)}
	if at := strings.IndexAny(rest, ":|\t"); at >= 0 {
		tag.Hash, tag.Text = strings.TrimSpace(rest[:at]), rest[at+1:]
	}
	var isLine bool
	if tag.Line, isLine = marker.ReadLineNumber(strings.TrimSpace(number)); !ok || !isLine || tag.Hash == "" {
		o.Failf(`%q is %s: expected a line and its tag as they were shown, such as "12#QKVR"`, name,
			plan.Excerpt(o.TextOf(f)))
	}
	return tag
}
