package atomicedit

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// readTagged reads an edit of lines that it names by their tags: hashlines in JSON.
func readTagged(o *jsonObject, i int, t task) Edit {
	said, mode := modeOf(o)
	first, last, lines := tagIn(o, posField), tagIn(o, endField), taggedLines(o)
	switch {
	case o.failed():
	case mode == "":
		o.failf(`the field "op" is missing: expected replace, append or prepend`)
	case !said.has(verbEdit | verbAppend | verbInsert):
		o.failf("%q does not say where the lines go: expected replace, append or prepend", mode)
	case said == verbEdit && first.Line == 0:
		o.require(posField)
	case said == verbEdit && last.Line > 0 && last.Line < first.Line:
		o.failf("%q is before %q: expected the first line, then the last", o.find(endField), o.find(posField))
	case said != verbEdit && last.Line > 0:
		o.failf("%q is for lines that are replaced: leave it out, or replace the lines", o.find(endField))
	case said != verbEdit && lines == "":
		o.failf("%q has no new lines: expected at least one", o.find(linesField))
	}
	e := Edit{WholeLines: true, New: lines}
	switch {
	case said == verbEdit:
		e.First, e.Last = first.Line, max(first.Line, last.Line)
	case said == verbInsert:
		e.First = max(first.Line, 1)
	case first.Line == 0:
		e.AtEnd = true
	default:
		e.First = first.Line + 1
	}
	for _, tag := range []Tag{first, last} {
		if tag.Line > 0 {
			e.Tags = append(e.Tags, tag)
		}
	}
	return e
}

// lines returns the new lines of an edit, each with its ending: those of an array, or of a string; none for null.
func taggedLines(o *jsonObject) string {
	name := o.find(linesField)
	v, ok := o.Value(name)
	switch {
	case !ok:
		o.require(linesField)
		return ""
	case !o.IsSet(name):
		return ""
	case o.IsString(name):
		s, err := o.Text(name)
		if o.check(err); s == "" {
			o.failf(`%q is empty: expected [] to remove lines, or [""] for an empty line`, name)
		}
		return text.EndLines(s)
	}
	values, err := v.Array("\"" + name + "\"")
	o.check(err)
	var lines strings.Builder
	for _, v := range values {
		line, err := v.Text()
		if err != nil {
			o.failf("%q: %s", name, err)
		}
		lines.WriteString(line + "\n")
	}
	return text.EndLines(lines.String())
}

// tag returns the line and the tag in a field, as in "12#QKVR", which the text of the line may follow. It returns the zero value if
// the field is missing.
func tagIn(o *jsonObject, f field) Tag {
	name := o.find(f)
	if !o.IsSet(name) {
		return Tag{}
	}
	number, rest, ok := strings.Cut(o.text(f), "#")
	tag := Tag{Hash: strings.TrimSpace(rest)}
	if at := strings.IndexAny(rest, ":|\t"); at >= 0 {
		tag.Hash, tag.Text = strings.TrimSpace(rest[:at]), rest[at+1:]
	}
	var isLine bool
	if tag.Line, isLine = readLineNumber(strings.TrimSpace(number)); !ok || !isLine || tag.Hash == "" {
		o.failf(`%q is %s: expected a line and its tag as they were shown, such as "12#QKVR"`, name, quote(o.text(f)))
	}
	return tag
}
