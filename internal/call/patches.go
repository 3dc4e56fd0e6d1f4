package call

import (
	"cmp"
	"errors"
	"strings"

	"github.com/atomicedit/atomicedit/internal/blocks"
	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/filehint"
	"github.com/atomicedit/atomicedit/internal/hashline"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/patch"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/shell"
	"github.com/atomicedit/atomicedit/internal/text"
	"github.com/atomicedit/atomicedit/internal/udiff"
)

// readPatch reads a patch that names its files, or a path and chunks, blocks or a mode for that file.
func readPatch(o *jsonread.Object, t task) plan.Plan {
	if !o.IsNamed(field.PathField) && !t.said.has(VerbCreate|VerbDelete|VerbMove) {
		return readNamedPatch(o, t)
	}
	file := pathIn(o, field.PathField, t.cwd)
	switch {
	case t.said == VerbCreate:
		return planOf(plan.Op{Kind: plan.OpCreate, Path: file, Content: addedLines(o, file, o.Need(field.PatchField))})
	case t.said == VerbDelete:
		if o.TextOf(field.PatchField) != "" {
			o.Failf("%s has a %q: expected none", o.Said(t.mode), o.Find(field.PatchField))
		}
		return planOf(plan.Op{Kind: plan.OpDelete, Path: file})
	}
	request := o.Need(field.PatchField)
	if o.Failed() {
		return plan.Plan{}
	}
	format := textFormat(request)
	switch {
	case format == marker.Unified && strings.TrimSpace(request)[0] == '@': // hunks alone
		format = marker.V4A
	case format == marker.None && !strings.Contains("\n"+request, "\n+") && !strings.Contains("\n"+request, "\n-"):
		return refused(o, "%q is %s: expected SEARCH/REPLACE blocks, or chunks of a patch", o.Find(field.PatchField),
			plan.Excerpt(request))
	}
	p := ofOneFile(o, parsed(o, field.PatchField, ParserOf(format)), file, t)
	setNear(o, p)
	if o.IsNamed(field.ToField) {
		to := pathIn(o, field.ToField, t.cwd)
		if len(p.Ops) != 1 || p.Ops[0].Kind != plan.OpEdit {
			return refused(o, "%q needs a patch that edits the file: expected chunks for %s", o.Find(field.ToField),
				plan.Excerpt(file))
		}
		p.Ops[0].Kind, p.Ops[0].To = plan.OpMove, to
	}
	return p
}

// setNear gives the first edit of p the line beside the patch as a hint, unless it has a line.
func setNear(o *jsonread.Object, p plan.Plan) {
	if len(p.Ops) == 0 || len(p.Ops[0].Edits) == 0 {
		return
	}
	if e := &p.Ops[0].Edits[0]; e.First == 0 && e.Near == 0 {
		e.Near = o.Number(field.FirstField, 1)
	}
}

// textFormat returns the format of the first line that is a marker.
func textFormat(request string) marker.Format {
	in := text.Scanner{Src: request}
	for in.Scan() {
		if f := marker.Of(&in); f != marker.None {
			return f
		}
	}
	return marker.None
}

func readNamedPatch(o *jsonread.Object, t task) plan.Plan {
	if o.IsNamed(field.ToField) {
		o.Require(field.PathField)
	}
	if !t.bare {
		p := parsed(o, field.PatchField, readText)
		setNear(o, p)
		return p.In(t.cwd)
	}
	p := parsed(o, field.PatchField, readDiff)
	if p.LacksPath() {
		o.Failf(`the patch names no file: expected "*** Begin Patch" and "*** Update File: path" before its lines`)
	}
	return p
}

// readDiff reads a patch of V4A, or a unified diff, which models send in its place.
func readDiff(request string) (plan.Plan, error) {
	if textFormat(request) == marker.Unified {
		return udiff.Parse(request)
	}
	return patch.Parse(request)
}

// parsed returns the plan of the text in a field. Where that stands in the request as it is, lines are those there.
func parsed(o *jsonread.Object, f field.Set, parse func(string) (plan.Plan, error)) plan.Plan {
	text := o.Need(f)
	if o.Failed() {
		return plan.Plan{}
	}
	p, err := parse(text)
	var r *plan.Refusal
	if v := o.Value(o.Find(f)); o.Request.Texts && errors.As(err, &r) {
		above := o.Request.Line(v.Offset) - 1
		for i := range r.Problems {
			r.Problems[i].Line += above
		}
	}
	o.Request.Stop(err)
	return p
}

// readText reads a request in a format other than JSON.
func readText(request string) (plan.Plan, error) { return ParserOf(textFormat(request))(request) }

// ParserOf returns the parser of a format other than JSON: V4A if nothing tells.
func ParserOf(format marker.Format) func(string) (plan.Plan, error) {
	switch format {
	case marker.Blocks:
		return blocks.Parse
	case marker.Unified:
		return udiff.Parse
	case marker.Hashline:
		return hashline.Parse
	}
	return patch.Parse
}

// addedLines returns "+" lines without their signs, joined by newlines with none after the last. Where no line has a
// sign, the text is the file to the letter, unless its lines may have another sign in front, or are of a patch.
func addedLines(o *jsonread.Object, file, lines string) string {
	r := patch.AddedReader{Path: file}
	var err error
	in := text.Scanner{Src: lines}
	for err == nil && in.Scan() {
		err = r.Read(&in)
	}
	isPlain, content := r.Plain > 0, ""
	if err == nil {
		content, err = r.Close()
	}
	if o.Check(err); err == nil && isPlain {
		return lines
	}
	return strings.TrimSuffix(content, "\n")
}

// ofOneFile returns a plan for a file, after refusing one of another file, or a patch or a diff that does more than
// edit it. A diff may name the file by the end of its path.
func ofOneFile(o *jsonread.Object, p plan.Plan, file string, t task) plan.Plan {
	isDiff, whole := p.Format == "unified", names.OfRequest(file)
	for i, op := range p.Ops {
		name := names.OfRequest(op.Path)
		isEdit := op.Kind == plan.OpEdit || isDiff && t.mode == "" && op.Kind != plan.OpMove
		switch {
		case isDiff && i > 0, !isEdit && (isDiff || p.Format == "v4a"):
			o.Failf("the patch does more than update %s: expected only edits of that file", plan.Excerpt(file))
		case isDiff && name != "." && strings.HasSuffix("/"+whole, "/"+name):
			p.Ops[i].Path = file
		case op.Path != "" && name != whole:
			return refused(o, "the path is %s, but the edits are of %s: expected edits of the same file, or no path "+
				"in them", plan.Excerpt(file), plan.Excerpt(op.Path))
		}
	}
	return p.ForFile(file)
}

// readPercentage reads {file_path, percentage_to_change, text_or_search_replace_blocks}. The text is blocks if it
// starts with one, or up to 50 percent; else it is the whole file. A file that would end in blocks is refused.
func readPercentage(o *jsonread.Object, t task) plan.Plan {
	file, content := pathIn(o, field.PathField, t.cwd), o.Need(field.BlocksField)
	o.Require(field.PercentageField)
	percentage := o.Number(field.PercentageField, 0)
	if percentage > 100 {
		o.Failf(`"percentage_to_change" is more than 100: expected 0 to 100`)
	}
	if o.Failed() {
		return plan.Plan{}
	}
	starts, ends := holdsBlocks(content)
	if !starts && (percentage == 0 || percentage > 50) {
		if ends {
			o.Failf(`the text ends in SEARCH/REPLACE blocks, but "percentage_to_change" says that it is the whole ` +
				`file: expected only the blocks, or a text that does not end in one`)
		}
		return planOf(plan.Op{Kind: plan.OpCreate, Path: file, Content: content, Overwrite: true})
	}
	if !starts && textFormat(content) != marker.Blocks && !strings.Contains("\n"+content, "\n=======") {
		return refused(o, `there is no SEARCH/REPLACE block here: expected a line "<<<<<<< SEARCH", `+
			`or a "percentage_to_change" above 50 with the whole file`)
	}
	return ofOneFile(o, parsed(o, field.BlocksField, blocks.Parse), file, t)
}

// holdsBlocks reports whether a text starts with a SEARCH marker, and whether it ends in a REPLACE marker below a
// SEARCH marker. Code fences around them do not count, nor does a name of a file above them.
func holdsBlocks(s string) (starts, ends bool) {
	above, searches := true, false
	in := text.Scanner{Src: s}
	for in.Scan() {
		if text.IsBlank(in.Line) || text.IsFence(in.Line) {
			continue
		}
		kind, _, ok := blocks.ReadMarker(&in)
		searches = searches || ok && kind == blocks.SearchMarker
		ends = ok && kind == blocks.ReplaceMarker && searches
		if above && (ok || (filehint.Line{Text: in.Line}).Hint().Certainty < filehint.Label) {
			starts, above = ok && (kind == blocks.SearchMarker || kind == blocks.BrokenSearch), false
		}
	}
	return starts, ends
}

// ShellPlan reads a shell script that applies one patch:
//
//	script = { "cd" dir ( "&&" | ";" | newline ) } ( call | shell "-c" script )
//	call   = ( "apply_patch" | "applypatch" ) ( here-document | patch )
//
// The paths of the patch start from the last directory. "cat" may print the here-document, for apply_patch or alone. A
// script that does more is refused, and so is one whose meaning depends on the shell that runs it.
func ShellPlan(script string) (plan.Plan, error) { return ArgvPlan([]string{script}) }

// ArgvPlan reads a command that applies one patch, as a list of its arguments: apply_patch and the patch, or a shell,
// "-c" and a script. A single argument may be a script.
func ArgvPlan(argv []string) (p plan.Plan, err error) {
	s := patch.ScriptReader{Src: strings.Join(argv, " ")}
	if len(argv) == 1 {
		_, err = s.Read(nil)
	} else {
		c := shell.Command{Words: make([]shell.Word, len(argv))}
		for i, arg := range argv {
			c.Words[i].Text = arg
		}
		err = cmp.Or(s.Command(c), s.Missing())
	}
	if err != nil {
		return plan.Plan{}, err
	}
	return s.Plan()
}

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
	name, v := o.Slot(field.LinesField)
	lines := o.TextOf(field.LinesField)
	switch {
	case name == "":
		o.Require(field.LinesField)
	case v.Kind() == '"' && lines == "":
		o.Failf(`%q is empty: expected [] to remove lines, or [""] for an empty line`, name)
	case v.Kind() == '[' && !v.IsEmpty():
		lines += "\n" // which only the others have
	}
	return text.EndLines(lines)
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
