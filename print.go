package atomicedit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// V4A prints p as a V4A patch: [ParseV4A] and [Parse] of it give p again, but for an empty slice, which is then nil.
// Chunks alone are printed for a plan that edits one file without a name. Lines that an edit only passes on are context,
// paired as the patch did that the edit came from.
//
// A V4A patch can say: a creation whose content ends in a newline, a deletion, a move, with edits or without, and edits of
// whole lines that are there once, with [Edit.After], [Edit.Near] and [Edit.AtEnd]. What it cannot say is a [*Refusal] with
// [errors.ErrUnsupported], for each operation and edit: everything else of [Op] and [Edit], a preview ([Plan.DryRun]), and
// what would be read otherwise, such as a path with a newline. Time and memory are linear in the plan, but for the pairing of
// lines that came from no patch.
func (p Plan) V4A() (string, error) {
	w := planPrinter{format: "a V4A patch"}
	bare := len(p.Ops) == 1 && p.Ops[0].Path == "" && p.Ops[0].Kind == OpEdit
	w.check(p)
	if !bare {
		w.WriteString("*** Begin Patch\n")
	}
	for i, op := range p.Ops {
		w.op, w.path, w.edit = i, op.Path, -1
		w.patchOp(op, bare)
	}
	switch {
	case !bare:
		w.WriteString("*** End Patch\n")
	case hasBegin(w.String()):
		w.cannot("a line \"*** Begin Patch\" among the lines of a file without a name: name the file")
	}
	return w.finish()
}

// Blocks prints p as SEARCH/REPLACE blocks: [ParseBlocks] and [Parse] of them give p again, but for an empty slice, which is
// then nil. The markers are longer than those that its texts hold. How a patch paired the lines of an edit is lost.
//
// Blocks can say: a creation of a file without content or with a content that ends in a newline, edits of whole lines that
// are there once, with [Edit.Near], and insertions before a line, [Edit.First]. What they cannot say is a [*Refusal]
// with [errors.ErrUnsupported], for each operation and edit: everything else of [Op] and [Edit], a preview ([Plan.DryRun]),
// two operations in a row on one file, of which the second only edits, and what would be read otherwise, such as new text that
// begins with a line ":start_line:1". Time and memory are linear in the plan.
func (p Plan) Blocks() (string, error) {
	w := planPrinter{format: "a SEARCH/REPLACE block"}
	w.check(p)
	file := ""
	for i, op := range p.Ops {
		w.op, w.path, w.edit = i, op.Path, -1
		w.blocksOp(op, file, i > 0)
		file = op.Path
	}
	return w.finish()
}

// A planPrinter prints a plan, and collects what its format cannot say.
type planPrinter struct {
	strings.Builder
	format   string
	op, edit int // what is being printed, or -1
	path     string
	problems []Problem
}

// cannot notes what the format cannot say.
func (w *planPrinter) cannot(what string) {
	err := fmt.Errorf("%w by %s", errors.ErrUnsupported, w.format)
	w.problems = append(w.problems, Problem{Err: err, Path: w.path, Op: w.op, Edit: w.edit, Msg: w.format + " cannot say " + what})
}

func (w *planPrinter) finish() (string, error) {
	if len(w.problems) > 0 {
		return "", refuse(w.problems...)
	}
	return w.String(), nil
}

// check looks at what no format can say.
func (w *planPrinter) check(p Plan) {
	w.op, w.edit = -1, -1
	if p.DryRun {
		w.cannot("that it is a preview")
	}
	if len(p.Ops) == 0 {
		w.cannot("nothing: the plan has no operation")
	}
}

// checkOp looks at what no format can say of an operation.
func (w *planPrinter) checkOp(op Op) {
	if op.Version != "" {
		w.cannot("which version of the file is meant")
	}
	if op.Overwrite {
		w.cannot("that the file may replace another")
	}
	if op.Mode != 0 {
		w.cannot("the permissions of the new file")
	}
	if op.Kind == OpCreate && op.Content != "" && op.Content[len(op.Content)-1] != '\n' {
		w.cannot("a content without a newline at its end")
	}
	if op.Kind != OpCreate && op.Content != "" {
		w.cannot("a content of a file that is not created")
	}
	if op.Kind != OpMove && op.To != "" {
		w.cannot("a new path of a file that is not moved")
	}
	if op.Kind == OpEdit && len(op.Edits) == 0 {
		w.cannot("an edit of nothing")
	}
	if op.Kind < OpEdit || op.Kind > OpMove {
		w.cannot("an operation of a kind that there is not")
	}
}

// checkEdit looks at what no format can say of an edit.
func (w *planPrinter) checkEdit(e Edit) {
	ended := func(s string) bool { return s == "" || s[len(s)-1] == '\n' }
	switch {
	case !e.WholeLines:
		w.cannot("an edit of a part of a line: it has whole lines alone")
	case !ended(e.Old) || !ended(e.New):
		w.cannot("a line without a newline at its end")
	case e.Count != 0:
		w.cannot("how often the old text is there")
	case e.Last != 0:
		w.cannot("which lines to replace, without their text")
	case e.First < 0 || e.Near < 0:
		w.cannot("a line number below 0")
	}
}

// patchOp prints a section of a V4A patch.
func (w *planPrinter) patchOp(op Op, bare bool) {
	w.checkOp(op)
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
		if text := w.String(); i > 0 && strings.HasPrefix(text[1+strings.LastIndexByte(text[:max(0, len(text)-1)], '\n'):], "+++ ") {
			w.cannot("a line that begins with \"++ \" at the end of an edit, unless it is the last one")
		}
		w.chunk(e, bare && i == 0)
	}
}

// header prints a line that names a file.
func (w *planPrinter) header(marker, path string) {
	for _, tail := range []string{"", " ***"} { // the parser overlooks one of these
		line := "*** " + marker + path + tail
		if _, read := patchMarker(line); read == path && path != "" && !strings.Contains(line, "\n") {
			w.WriteString(line + "\n")
			return
		}
	}
	w.cannot("the path " + strconv.Quote(path))
}

// chunk prints an edit. The first line of a request of chunks alone must not look like a hunk of a unified diff.
func (w *planPrinter) chunk(e Edit, first bool) {
	if w.checkEdit(e); e.First != 0 && e.Last == 0 {
		w.cannot("an insertion by the number of a line")
	}
	if e.Old == "" && e.New == "" {
		w.cannot("an edit without lines")
	}
	for _, a := range e.After {
		w.anchor(a)
	}
	old, new := rawLines(e.Old), rawLines(e.New)
	switch {
	case e.Near > 0:
		if first && len(e.After) == 0 {
			w.WriteString("@@\n")
		}
		if e.Near > maxLine {
			w.cannot("so large a line number")
		}
		before := e.Near
		if len(old) == 0 {
			before-- // the line that an insertion comes after
		}
		w.WriteString(strings.TrimRight(fmt.Sprintf("@@ -%d,%d +%d,%d @@ %s", before, len(old), e.Near, len(new), e.heading), " ") + "\n")
	case len(e.After) == 0:
		w.WriteString("@@\n")
	}
	if w.lines(e, old, new); e.AtEnd {
		w.WriteString("*** End of File\n")
	}
}

// anchor prints a line that must come before.
func (w *planPrinter) anchor(a string) {
	for _, tail := range []string{"", " @@"} { // the parser overlooks one of these
		var p patchParser
		p.anchor("@@ " + a + tail)
		if len(p.chunk.after) == 1 && p.chunk.after[0] == a && !strings.Contains(a, "\n") && !strings.HasSuffix(a+tail, "\r") {
			w.WriteString("@@ " + a + tail + "\n")
			return
		}
	}
	w.cannot("the anchor " + strconv.Quote(a))
}

// lines prints the lines of an edit with their first column.
func (w *planPrinter) lines(e Edit, old, new []string) {
	columns := []byte(e.hunk)
	if _, ok := alignAs(old, new, e.hunk); !ok {
		columns = columns[:0]
		kept := 0
		for _, g := range align(old, new, "") {
			columns = append(columns, strings.Repeat(" ", g.oldFrom-kept)...)
			columns = append(columns, strings.Repeat("-", g.oldTo-g.oldFrom)+strings.Repeat("+", g.newTo-g.newFrom)...)
			kept = g.oldTo
		}
		columns = append(columns, strings.Repeat(" ", len(old)-kept)...)
	}
	for _, c := range columns {
		w.WriteByte(c)
		switch c {
		case '\\':
			w.WriteString(" No newline at end of file\n")
			continue
		case '+':
			w.WriteString(endings(new[0] + "\n"))
		default:
			w.WriteString(endings(old[0] + "\n"))
		}
		if c != '-' {
			new = new[1:]
		}
		if c != '+' {
			old = old[1:]
		}
	}
}

// rawLines returns the lines of a text whose lines are all ended, without "\n" but with a "\r" before it.
func rawLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// endings returns a text that reads as s where "\r\n" is read as "\n".
func endings(s string) string { return strings.ReplaceAll(s, "\r\n", "\r\r\n") }

// blocksOp prints an operation as blocks, behind blocks of the given file.
func (w *planPrinter) blocksOp(op Op, file string, behind bool) {
	switch w.checkOp(op); {
	case op.Kind == OpDelete:
		w.cannot("that a file is deleted")
		return
	case op.Kind == OpMove:
		w.cannot("that a file is moved")
		return
	case behind && op.Kind == OpEdit && op.Path == file:
		w.cannot("two operations in a row on one file")
	case behind && op.Path == "" && file != "":
		w.cannot("a file without a name behind one with a name")
	case op.Path != "":
		w.name(op.Path)
	}
	if op.Kind == OpCreate {
		w.block("", "", op.Content)
	}
	for i, e := range op.Edits {
		w.edit = i
		hint := ""
		switch w.checkEdit(e); {
		case len(e.After) > 0:
			w.cannot("which lines come before")
		case e.AtEnd || strings.Contains(e.hunk, `\`):
			w.cannot("that the file ends there")
		case e.First > 0 && (e.Old != "" || e.Near != 0):
			w.cannot("the number of a line besides another place")
		case e.First > 0:
			hint = fmt.Sprintf(":start_line:%d\n-------\n", e.First)
		case e.Old == "":
			w.cannot("an insertion without a line number")
		case e.Near > 0:
			hint = fmt.Sprintf(":start_line:%d\n-------\n", e.Near)
		case startsWithHint(e.Old):
			hint = ":end_line:1\n-------\n" // says nothing, but ends the hints
		}
		w.block(hint, endings(e.Old), endings(e.New))
	}
}

// name prints a line that names a file for the blocks below.
func (w *planPrinter) name(path string) {
	for _, around := range [][2]string{{"", ""}, {"`", "`"}, {"\"", "\""}, {"File: `", "`"}} {
		in := scanner{src: around[0] + path + around[1] + "\n"}
		if !in.scan() || in.next < len(in.src) || strings.HasPrefix(in.text, "{") || isFence(in.text) {
			continue
		}
		if read, how := pathOnLine(in.text); how == asMention || read != path {
			continue
		}
		if _, _, marker := blockMarker(&in); !marker && formatOf(&in) == unknown {
			w.WriteString(in.src)
			return
		}
	}
	w.cannot("the path " + strconv.Quote(path))
}

// block prints one block, with markers of a length that no line of it has.
func (w *planPrinter) block(hint, old, new string) {
	if startsWithHint(new) {
		w.cannot("new text that begins with a line such as \":start_line:1\"")
	}
	taken := map[int]bool{}
	for _, m := range append(findMarks(old), findMarks(new)...) {
		taken[m.n] = true
	}
	n := 7
	for taken[n] {
		n++
	}
	marker := func(c, word string) string { return strings.Repeat(c, n) + word + "\n" }
	w.WriteString(marker("<", " SEARCH") + hint + old + marker("=", "") + new + marker(">", " REPLACE"))
}

// startsWithHint reports whether the first line of a text, in a block, would say where it is.
func startsWithHint(s string) bool {
	in := scanner{src: s}
	if !in.scan() {
		return false
	}
	_, _, ok := hintOnLine(in.text)
	return ok
}
