package atomicedit

import (
	"errors"
	"strings"

	"github.com/atomicedit/atomicedit/internal/filehint"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/text"
)

// readPatch reads a patch that names its files, or a path and V4A chunks or blocks for that file. With a path it may also create, delete
// or move the file.
func readPatch(o *jsonObject, t task) (Plan, error) {
	if !o.isNamed(pathField) && !t.said.has(verbCreate|verbDelete|verbMove) {
		return readNamedPatch(o, t)
	}
	file := pathIn(o, pathField, t.cwd)
	switch {
	case t.said == verbCreate:
		return planOf(Op{Kind: OpCreate, Path: file, Content: addedLines(o, o.need(patchField))}), nil
	case t.said == verbDelete:
		if o.text(patchField) != "" {
			kind, _ := o.Text(t.mode)
			o.failf("%s has a %q: expected none", kind, o.find(patchField))
		}
		return planOf(Op{Kind: OpDelete, Path: file}), nil
	}
	request := o.need(patchField)
	if o.failed() {
		return Plan{}, nil
	}
	var p Plan
	var err error
	switch format := textFormat(request); {
	case format == formatBlocks:
		p, err = blocksFor(o, patchField, file)
	case format == formatHashline:
		p, err = ParseHashline(request)
		p, err = ofOneFile(o, p, file, "the operations name"), inText(o, patchField, err)
	case format == formatUnified && strings.TrimSpace(request)[0] != '@':
		p, err = diffFor(o, patchField, file, t)
	case format == noFormat && !changesLines(request):
		o.failf("%q is %s: expected SEARCH/REPLACE blocks, or chunks of a patch", o.find(patchField), quote(request))
	default:
		p, err = chunksFor(o, patchField, file)
	}
	setNear(o, p)
	if err == nil && o.isNamed(toField) {
		to := pathIn(o, toField, t.cwd)
		if len(p.Ops) != 1 || p.Ops[0].Kind != OpEdit {
			o.failf("%q needs a patch that edits the file: expected chunks for %s", o.find(toField), quote(file))
			return Plan{}, nil
		}
		p.Ops[0].Kind, p.Ops[0].To = OpMove, to
	}
	return p, err
}

// setNear gives the first edit of p the line beside the patch as a hint, unless it has a line.
func setNear(o *jsonObject, p Plan) {
	if len(p.Ops) == 0 || len(p.Ops[0].Edits) == 0 {
		return
	}
	if e := &p.Ops[0].Edits[0]; e.First == 0 && e.Near == 0 {
		e.Near = o.number(firstField, 1)
	}
}

// changesLines reports whether a text has lines as those that a patch adds or removes.
func changesLines(s string) bool {
	return strings.HasPrefix(s, "+") || strings.HasPrefix(s, "-") || strings.Contains(s, "\n+") || strings.Contains(s, "\n-")
}

// textFormat returns the format of the first line that is a marker.
func textFormat(request string) format {
	for in := (text.Scanner{Src: request}); in.Scan(); {
		if f := formatOf(&in); f != noFormat {
			return f
		}
	}
	return noFormat
}

// readNamedPatch reads a patch that names its files.
func readNamedPatch(o *jsonObject, t task) (Plan, error) {
	request := o.need(patchField)
	if o.isNamed(toField) {
		o.require(pathField)
	}
	if o.failed() {
		return Plan{}, nil
	}
	if !t.bare {
		p, err := readText(request)
		setNear(o, p)
		return p.in(t.cwd), inText(o, patchField, err)
	}
	p, err := ParseV4A(request)
	err = inText(o, patchField, err)
	if p.lacksPath() {
		o.failf(`the patch names no file: expected "*** Begin Patch" and "*** Update File: path" before its lines`)
	}
	return p, err
}

// inText returns the refusal of a text in a field. Where the text stands in the request as it is, its lines are those of the request.
func inText(o *jsonObject, f field, err error) error {
	var r *Refusal
	if v, ok := o.Value(o.find(f)); ok && o.request.texts && errors.As(err, &r) {
		above := o.request.line(v.Offset) - 1
		for i := range r.Problems {
			r.Problems[i].Line += above
		}
	}
	return err
}

// readText reads a request in a format other than JSON. It is V4A if nothing tells.
func readText(request string) (Plan, error) {
	switch textFormat(request) {
	case formatBlocks:
		return ParseBlocks(request)
	case formatUnified:
		return ParseUnified(request)
	case formatHashline:
		return ParseHashline(request)
	}
	return ParseV4A(request)
}

// addedLines returns "+" lines without their signs, joined by newlines with none after the last. Where no line has a sign, the text is
// the file to the letter, unless its lines may have another sign in front, or are of a patch.
func addedLines(o *jsonObject, lines string) string {
	var b strings.Builder
	var plain addedReader
	for in := (text.Scanner{Src: lines}); in.Scan(); {
		signed := strings.HasPrefix(in.Line, "+")
		switch {
		case signed && plain.plain == 0:
			if in.No > 1 {
				b.WriteByte('\n')
			}
			b.WriteString(in.Verbatim()[1:])
		case text.IsBlank(in.Line) && (plain.plain > 0 || b.Len() == 0):
		case !signed && b.Len() == 0 && plain.mayBePlain(&in):
			plain.addPlain(&in)
		case strings.TrimSpace(lines[in.At:]) == "":
		case signed:
			o.failf(`line %s of the new file begins with "+", but the lines above it do not: `+
				`expected one in front of every line`, quote(in.Line))
			return ""
		default:
			o.failf(`line %s of the new file has no "+" in front of it: expected one in front of every line`, quote(in.Line))
			return ""
		}
	}
	if plain.plain == 0 {
		return b.String()
	}
	if _, err := plain.close(); err != nil {
		o.failf("%s", err.(*Refusal).Problems[0].Msg)
	}
	return lines
}

// diffFor reads a field that holds a unified diff of one file with its headers, which may name it by the end of its path.
func diffFor(o *jsonObject, field field, file string, t task) (Plan, error) {
	p, err := ParseUnified(o.text(field))
	for i, op := range p.Ops {
		switch {
		case i > 0 || op.Kind == OpMove || t.mode != "" && op.Kind != OpEdit:
			o.failf("the diff does more than update %s: expected only hunks for this file", quote(file))
		case !isEndOf(file, op.Path) && !isEndOf(file, op.OtherPath):
			o.failf(`the diff is of %s: expected one of %s, or only the lines from the first "@@" on`,
				quote(op.Path), quote(file))
		}
		p.Ops[i].Path, p.Ops[i].OtherPath = file, ""
	}
	return p, inText(o, field, err)
}

// isEndOf reports whether a name is a path, or an end of it.
func isEndOf(file, name string) bool {
	name = names.OfRequest(name)
	return name != "." && strings.HasSuffix("/"+names.OfRequest(file), "/"+name)
}

// chunksFor reads a field that holds a V4A patch of one file, with or without headers.
func chunksFor(o *jsonObject, field field, file string) (Plan, error) {
	p, err := ParseV4A(o.text(field))
	err = inText(o, field, err)
	for _, op := range p.Ops {
		if op.Kind != OpEdit || op.Path != "" && names.OfRequest(op.Path) != names.OfRequest(file) {
			o.failf("the patch does more than update %s: expected only chunks for this file", quote(file))
			return Plan{}, nil
		}
	}
	return p.ForFile(file), err
}

// readPercentage reads {file_path, percentage_to_change, text_or_search_replace_blocks}. The text is blocks if it starts
// with one, or up to 50 percent; else it is the whole file. A file that would end in blocks is refused.
func readPercentage(o *jsonObject, t task) (Plan, error) {
	file, content := pathIn(o, pathField, t.cwd), o.need(blocksField)
	o.require(percentageField)
	percentage := o.number(percentageField, 0)
	if percentage > 100 {
		o.failf(`"percentage_to_change" is more than 100: expected 0 to 100`)
	}
	if o.failed() {
		return Plan{}, nil
	}
	starts, ends := holdsBlocks(content)
	if !starts && (percentage == 0 || percentage > 50) {
		if ends {
			o.failf(`the text ends in SEARCH/REPLACE blocks, but "percentage_to_change" says that it is the whole file: ` +
				`expected only the blocks, or a text that does not end in one`)
		}
		return planOf(Op{Kind: OpCreate, Path: file, Content: content, Overwrite: true}), nil
	}
	return blocksFor(o, blocksField, file)
}

// blocksFor reads a field that holds blocks of one file.
func blocksFor(o *jsonObject, field field, file string) (Plan, error) {
	p, err := ParseBlocks(o.text(field))
	return ofOneFile(o, p, file, "the blocks name"), inText(o, field, err)
}

// ofOneFile returns a plan for a file, after refusing one for another file, in the given words.
func ofOneFile(o *jsonObject, p Plan, file, says string) Plan {
	for _, op := range p.Ops {
		if op.Path != "" && names.OfRequest(op.Path) != names.OfRequest(file) {
			o.failf("%s %s: expected only %s for %s", says, quote(op.Path), strings.Fields(says)[1], quote(file))
			return Plan{}
		}
	}
	return p.ForFile(file)
}

// holdsBlocks reports whether a text starts with a SEARCH marker, and whether it ends in a REPLACE marker below a SEARCH
// marker. Code fences around them do not count, nor does a name of a file above them.
func holdsBlocks(s string) (starts, ends bool) {
	above, searches := true, false
	for in := (text.Scanner{Src: s}); in.Scan(); {
		if text.IsBlank(in.Line) || text.IsFence(in.Line) {
			continue
		}
		kind, _, ok := readBlockMarker(&in)
		searches = searches || ok && kind == searchMarker
		ends = ok && kind == replaceMarker && searches
		if above && (ok || (filehint.Line{Text: in.Line}).Hint().Certainty < filehint.Label) {
			starts, above = ok && (kind == searchMarker || kind == brokenSearch), false
		}
	}
	return starts, ends
}
