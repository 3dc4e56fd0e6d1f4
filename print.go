package atomicedit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/filehint"
	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/text"
)

// V4A prints p as a V4A patch. [ParseV4A] and [Parse] of the patch give p again, except that an empty slice becomes nil, and
// that [Plan.Format] and [Edit.Number] are those of the patch. A plan that edits one file without a name is printed as chunks
// alone. Lines that an edit passes on unchanged are context lines, paired as in [Edit.Hunk] where the edit has one.
//
// A V4A patch can express a creation whose content ends in a newline, a deletion, a move, with edits or without, and edits
// of whole lines that are there once, with [Edit.Anchors], [Edit.Near] and [Edit.AtEnd]. Anything else is a [*Refusal] with
// [errors.ErrUnsupported], which has a problem for each operation and edit: other fields of [Op] and [Edit], a preview
// ([Plan.DryRun]), and parts that would be read differently, such as a path with a newline. Time and memory are linear in
// the plan, except for the pairing of lines without a Hunk.
func (p Plan) V4A() (string, error) {
	w := patchPrinter{planPrinter{format: "a V4A patch"}}
	bare := len(p.Ops) == 1 && p.Ops[0].Path == "" && p.Ops[0].Kind == OpEdit
	w.checkPlan(p)
	if !bare {
		w.WriteString("*** Begin Patch\n")
	}
	for i, op := range p.Ops {
		w.startOp(i, op)
		w.section(op, bare)
	}
	switch {
	case !bare:
		w.WriteString("*** End Patch\n")
	case hasPatchBegin(w.String()):
		w.cannot("a line \"*** Begin Patch\" among the lines of a file without a name: name the file")
	}
	return w.result()
}

// Blocks prints p as SEARCH/REPLACE blocks. [ParseBlocks] and [Parse] of the blocks give p again, except that an empty slice
// becomes nil, [Edit.Hunk] is lost, and [Plan.Format] and [Edit.Number] are those of the blocks. The markers are of a length that
// no marker in the texts of p has.
//
// Blocks can express a creation of a file without content or with a content that ends in a newline, edits of whole lines
// that are there once, with [Edit.Near], and insertions before a line, [Edit.First]. Anything else is a [*Refusal] with
// [errors.ErrUnsupported], which has a problem for each operation and edit: other fields of [Op] and [Edit], a preview
// ([Plan.DryRun]), two operations in a row on one file, the second of which only edits it, and parts that would be read
// differently, such as new text that begins with a line ":start_line:1". Time and memory are linear in the plan.
func (p Plan) Blocks() (string, error) {
	w := blockPrinter{planPrinter{format: "a SEARCH/REPLACE block"}}
	w.checkPlan(p)
	for i, op := range p.Ops {
		w.startOp(i, op)
		switch {
		case op.Kind == OpDelete:
			w.cannot("the deletion of a file")
			continue
		case op.Kind == OpMove:
			w.cannot("the move of a file")
			continue
		case i > 0 && op.Kind == OpEdit && op.Path == p.Ops[i-1].Path:
			w.cannot("two operations in a row on one file")
		case i > 0 && op.Path == "" && p.Ops[i-1].Path != "":
			w.cannot("a file without a name after one with a name")
		case op.Path != "":
			w.file(op.Path)
		}
		if op.Kind == OpCreate {
			w.block("", "", op.Content)
		}
		for k, e := range op.Edits {
			w.edit = k
			w.checkEdit(e)
			w.block(w.hint(e), doubleReturns(e.Old), doubleReturns(e.New))
		}
	}
	return w.result()
}

// A planPrinter prints a plan in one format, and collects the parts that the format cannot express.
type planPrinter struct {
	strings.Builder
	format   string
	op, edit int // the place in the plan, or -1
	path     string
	problems []Problem
}

// cannot notes a part that the format cannot express.
func (w *planPrinter) cannot(part string) {
	err := fmt.Errorf("%w in %s", errors.ErrUnsupported, w.format)
	w.problems = append(w.problems, Problem{Err: err, Path: w.path, Op: w.op, Edit: w.edit, Part: w.part(), Msg: w.format + " cannot express " + part})
}

// part names the edit that is printed.
func (w *planPrinter) part() string {
	if w.edit < 0 {
		return ""
	}
	return "edit " + strconv.Itoa(w.edit+1)
}

// result returns the printed plan, or the refusal with all problems.
func (w *planPrinter) result() (string, error) {
	if len(w.problems) > 0 {
		return "", refuse(w.problems...)
	}
	return w.String(), nil
}

// checkPlan notes the parts of a plan that no format can express.
func (w *planPrinter) checkPlan(p Plan) {
	w.op, w.edit = -1, -1
	if p.DryRun {
		w.cannot("a dry run")
	}
	if len(p.Ops) == 0 {
		w.cannot("a plan without operations")
	}
}

// startOp goes to an operation, and notes its parts that no format can express.
func (w *planPrinter) startOp(i int, op Op) {
	w.op, w.path, w.edit = i, op.Path, -1
	if op.Version != "" {
		w.cannot("the version that the file must have")
	}
	if op.Overwrite {
		w.cannot("that the file may replace another")
	}
	if op.Exclusive {
		w.cannot("that the file may not even replace an empty one")
	}
	if op.OtherPath != "" {
		w.cannot("another name of the file")
	}
	if op.Mode != 0 {
		w.cannot("the permissions of the new file")
	}
	if op.Kind == OpCreate && op.Content != "" && op.Content[len(op.Content)-1] != '\n' {
		w.cannot("content without a newline at its end")
	}
	if op.Kind != OpCreate && op.Content != "" {
		w.cannot("content for a file that is not created")
	}
	if op.Kind != OpMove && op.To != "" {
		w.cannot("a new path for a file that is not moved")
	}
	if op.Kind == OpEdit && len(op.Edits) == 0 {
		w.cannot("an edit operation without edits")
	}
	if op.Kind < OpEdit || op.Kind > OpMove {
		w.cannot("an operation of unknown kind")
	}
}

// checkEdit notes the parts of an edit that no format can express.
func (w *planPrinter) checkEdit(e Edit) {
	ended := func(s string) bool { return s == "" || s[len(s)-1] == '\n' }
	switch {
	case e.Range != nil:
		w.cannot("a range to replace, without its text")
	case !e.WholeLines:
		w.cannot("an edit of part of a line: its edits are of whole lines")
	case !ended(e.Old) || !ended(e.New):
		w.cannot("a line without a newline at its end")
	case e.Count != 0:
		w.cannot("how often the old text occurs")
	case e.Last != 0:
		w.cannot("lines to replace by number, without their text")
	case e.First < 0 || e.Near < 0:
		w.cannot("a line number below 0")
	case len(e.Tags) > 0:
		w.cannot("tags of lines")
	}
}

// doubleReturns returns a text that a parser which reads "\r\n" as "\n" turns back into s.
func doubleReturns(s string) string { return strings.ReplaceAll(s, "\r\n", "\r\r\n") }

type patchPrinter struct{ planPrinter }

// section prints the section of an operation, or for a bare patch only its chunks.
func (w *patchPrinter) section(op Op, bare bool) {
	switch {
	case bare:
	case op.Kind == OpCreate:
		w.header("Add File: ", op.Path)
	case op.Kind == OpDelete:
		w.header("Delete File: ", op.Path)
	default:
		w.header("Update File: ", op.Path)
	}
	switch op.Kind {
	case OpCreate:
		for line := range strings.Lines(op.Content) {
			w.WriteString("+" + line)
		}
	case OpMove:
		w.header("Move to: ", op.To)
	}
	if len(op.Edits) > 0 && (op.Kind == OpCreate || op.Kind == OpDelete) {
		w.cannot("edits of a file that it creates or deletes")
		return
	}
	for i, e := range op.Edits {
		w.edit = i
		last := lastLine(w.String())
		if name, ok := strings.CutPrefix(last, "+++"); ok && i > 0 && mayNameFile(name) {
			if strings.HasPrefix(lastLine(w.String()[:w.Len()-len(last)]), "---") {
				w.cannot("a line that begins with \"++\" below one with \"--\" at the end of an edit, unless it is the last one")
			}
			w.WriteByte('\n') // right above "@@", the line would name a file; an empty line there is none of the edit
		}
		w.checkEdit(e)
		w.chunk(e, bare && i == 0)
	}
}

// lastLine returns the last line of a text, with its newline.
func lastLine(s string) string { return s[1+strings.LastIndexByte(s[:max(0, len(s)-1)], '\n'):] }

// header prints a line that names a file.
func (w *patchPrinter) header(marker, path string) {
	for _, name := range []string{path, path + " ***", `"` + path + `"`} { // the parser takes the stars and the quotes off
		line := "*** " + marker + name
		if _, read := readPatchMarker(line); read == path && path != "" && !strings.Contains(line, "\n") {
			w.WriteString(line + "\n")
			return
		}
	}
	w.cannot("the path " + strconv.Quote(path))
}

// chunk prints an edit. First means that it begins a patch without headers, so its first line must not look like a hunk of a
// unified diff.
func (w *patchPrinter) chunk(e Edit, first bool) {
	if e.First != 0 && e.Last == 0 {
		w.cannot("an insertion by line number")
	}
	if e.Old == "" && e.New == "" {
		w.cannot("an edit without lines")
	}
	for _, a := range e.Anchors {
		w.anchor(a)
	}
	old, new := splitEnded(e.Old), splitEnded(e.New)
	switch {
	case e.Near > 0 || e.Section != "":
		if first && len(e.Anchors) == 0 {
			w.WriteString("@@\n")
		}
		if e.Near > maxLine {
			w.cannot("so large a line number")
		}
		w.WriteString(w.hunkHeader(e, len(old), len(new)))
	case len(e.Anchors) == 0:
		w.WriteString("@@\n")
	}
	start := w.Len()
	w.lines(e, old, new)
	if _, ok := linediff.GroupsOf(e.Hunk, old, new); ok && strings.Contains(e.Hunk, "?") {
		w.checkPrefixes(e.Hunk, w.String()[start:])
	}
	if e.AtEnd {
		w.WriteString("*** End of File\n")
	}
}

// checkPrefixes notes lines that lack their prefix, if a parser would not notice that.
func (w *patchPrinter) checkPrefixes(hunk, lines string) {
	if strings.Trim(hunk, "?") == "" {
		w.cannot("an edit in which every line lacks its prefix")
	}
	if !lackPrefixes(hunk, lines) {
		w.cannot("a line without a prefix that begins like one with a prefix")
	}
}

// hunkHeader returns the line that expresses Near and Section of an edit.
func (w *patchPrinter) hunkHeader(e Edit, old, new int) string {
	before := e.Near
	switch {
	case e.Near == 0:
		old, new = 1, 1 // a count of 0 lines would mean line 1
	case old == 0:
		before-- // the line that an insertion comes after
	}
	line := strings.TrimRight(fmt.Sprintf("@@ -%d,%d +%d,%d @@ %s", before, old, e.Near, new, e.Section), " ")
	w.checkSection(line, e.Section)
	return line + "\n"
}

// checkSection notes a section that would be read otherwise from the header of its hunk.
func (w *planPrinter) checkSection(header, section string) {
	if readHunkHeader(header).section != section || strings.Contains(section, "\n") || strings.HasSuffix(section, "\r") {
		w.cannot("the section " + strconv.Quote(section))
	}
}

// anchor prints the "@@" line of an anchor.
func (w *patchPrinter) anchor(a string) {
	for _, tail := range []string{"", " @@"} { // the parser ignores one of these
		line := "@@ " + a + tail
		if a != "" && readAnchor(line) == a && !readHunkHeader(line).counted && !strings.Contains(a, "\n") && !strings.HasSuffix(line, "\r") {
			w.WriteString(line + "\n")
			return
		}
	}
	w.cannot("the anchor " + strconv.Quote(a))
}

// lines prints the lines of an edit with their first column.
func (w *planPrinter) lines(e Edit, old, new []string) {
	for _, c := range columnsOf(e, old, new) {
		if c != '?' {
			w.WriteByte(c)
		}
		switch c {
		case '\\':
			w.WriteString(" No newline at end of file\n")
			continue
		case '+':
			w.WriteString(doubleReturns(new[0] + "\n"))
		default:
			w.WriteString(doubleReturns(old[0] + "\n"))
		}
		if c != '-' {
			new = new[1:]
		}
		if c != '+' {
			old = old[1:]
		}
	}
}

// columnsOf returns the first column of each line of an edit: its Hunk, if that fits the lines.
func columnsOf(e Edit, old, new []string) []byte {
	if _, ok := linediff.GroupsOf(e.Hunk, old, new); ok {
		return []byte(e.Hunk)
	}
	var columns []byte
	kept := 0
	for _, g := range linediff.AppendGroups(nil, old, new) {
		columns = append(columns, strings.Repeat(" ", g.OldFrom-kept)...)
		columns = append(columns, strings.Repeat("-", g.OldTo-g.OldFrom)+strings.Repeat("+", g.NewTo-g.NewFrom)...)
		kept = g.OldTo
	}
	return append(columns, strings.Repeat(" ", len(old)-kept)...)
}

// splitEnded splits a text whose lines all end in "\n". It removes the "\n" of each line, but not a "\r" before it.
func splitEnded(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

type blockPrinter struct{ planPrinter }

// hint returns the hint lines of an edit.
func (w *blockPrinter) hint(e Edit) string {
	switch {
	case e.Range != nil: // which checkEdit notes
	case len(e.Anchors) > 0:
		w.cannot("anchors")
	case e.Section != "":
		w.cannot("the section of a hunk")
	case e.AtEnd || strings.Contains(e.Hunk, `\`):
		w.cannot("that the file ends there")
	case e.First > 0 && (e.Old != "" || e.Near != 0):
		w.cannot("a line number together with another place")
	case e.First > 0:
		return fmt.Sprintf(":start_line:%d\n-------\n", e.First)
	case strings.Contains(e.Hunk, "?"):
		w.cannot("a line whose prefix is missing")
	case e.Old == "":
		w.cannot("an insertion without a line number")
	case e.Near > 0:
		return fmt.Sprintf(":start_line:%d\n-------\n", e.Near)
	case startsWithHint(e.Old):
		return ":end_line:1\n-------\n" // this has no meaning except that it ends the hints
	}
	return ""
}

// file prints a line that names a file for the blocks below it.
func (w *blockPrinter) file(path string) {
	for _, around := range [][2]string{{"", ""}, {"`", "`"}, {"\"", "\""}, {"File: `", "`"}} {
		in := text.Scanner{Src: around[0] + path + around[1] + "\n"}
		if !in.Scan() || in.Next < len(in.Src) || strings.HasPrefix(in.Line, "{") || text.IsFence(in.Line) {
			continue
		}
		if h := (filehint.Line{Text: in.Line}).Hint(); h.Certainty == filehint.Mention || h.Path != path {
			continue
		}
		if _, _, isMarker := readBlockMarker(&in); !isMarker && formatOf(&in) == noFormat {
			w.WriteString(in.Src)
			return
		}
	}
	w.cannot("the path " + strconv.Quote(path))
}

// block prints one block, with markers of a length that no line in it has.
func (w *blockPrinter) block(hint, old, new string) {
	if startsWithHint(new) {
		w.cannot("new text that begins with a line such as \":start_line:1\"")
	}
	taken := map[int]bool{}
	for _, content := range []string{old, new} {
		for in := (text.Scanner{Src: content}); in.Scan(); {
			if _, n, ok := readBlockMarker(&in); ok {
				taken[n] = true
			}
		}
	}
	n := 7
	for taken[n] {
		n++
	}
	marker := func(c, word string) string { return strings.Repeat(c, n) + word + "\n" }
	w.WriteString(marker("<", " SEARCH") + hint + old + marker("=", "") + new + marker(">", " REPLACE"))
}

// startsWithHint reports whether a parser would read the first line of a text, in a block, as a hint.
func startsWithHint(s string) bool {
	in := text.Scanner{Src: s}
	if !in.Scan() {
		return false
	}
	_, _, ok := hintOnLine(in.Line)
	return ok
}
