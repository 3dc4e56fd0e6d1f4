package atomicedit

import (
	"fmt"
	"strconv"
	"strings"
)

// printV4A prints a plan as [Plan.V4A] does.
func printV4A(p Plan) (string, error) {
	w := patchPrinter{planPrinter{format: "a V4A patch", in: inV4A, read: ParseV4A}}
	if len(p.Ops) == 1 && p.Ops[0].Path == "" && p.Ops[0].Kind == OpEdit {
		return w.print(p, "", "", func(op Op) { w.chunks(op.Edits, true) })
	}
	return w.print(p, "*** Begin Patch\n", "*** End Patch\n", w.section)
}

type patchPrinter struct{ planPrinter }

// section prints the section of an operation.
func (w *patchPrinter) section(op Op) {
	switch op.Kind {
	case OpCreate:
		w.header("Add File: ", op.Path)
	case OpDelete:
		w.header("Delete File: ", op.Path)
	default:
		w.header("Update File: ", op.Path)
	}
	switch op.Kind {
	case OpCreate:
		if !isEnded(op.Content) {
			w.cannot("content without a newline at its end")
		}
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
	w.chunks(op.Edits, false)
}

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

// chunks prints edits. Bare means that they are a patch without headers, whose first line must not look like a hunk of a
// unified diff.
func (w *patchPrinter) chunks(edits []Edit, bare bool) {
	for i, e := range edits {
		if name, ok := strings.CutPrefix(lastLine(w.String()), "+++"); ok && i > 0 && mayNameFile(name) {
			w.WriteByte('\n') // right above "@@", the line would name a file; an empty line there is none of the edit
		}
		w.startEdit(i)
		for _, a := range e.Anchors {
			w.anchor(a)
		}
		isHunk := e.Near > 0 || e.Section != ""
		if len(e.Anchors) == 0 && (!isHunk || bare && i == 0) {
			w.WriteString("@@\n")
		}
		if isHunk {
			w.WriteString(hunkHeaderOf(e))
		}
		w.lines(e)
		if e.AtEnd {
			w.WriteString("*** End of File\n")
		}
	}
}

// lastLine returns the last line of a text, with its newline.
func lastLine(s string) string { return s[1+strings.LastIndexByte(s[:max(0, len(s)-1)], '\n'):] }

// hunkHeaderOf returns the line that expresses Near and Section of an edit.
func hunkHeaderOf(e Edit) string {
	before, old, new := e.Near, strings.Count(e.Old, "\n"), strings.Count(e.New, "\n")
	switch {
	case e.Near == 0:
		old, new = 1, 1 // a count of 0 lines would mean line 1
	case old == 0:
		before-- // the line that an insertion comes after
	}
	return strings.TrimRight(fmt.Sprintf("@@ -%d,%d +%d,%d @@ %s", before, old, e.Near, new, e.Section), " ") + "\n"
}

// anchor prints the "@@" line of an anchor.
func (w *patchPrinter) anchor(a string) {
	line := "@@ " + a
	if readAnchor(line) != a || readHunkHeader(line).counted {
		line += " @@" // which the parser ignores
	}
	w.WriteString(line + "\n")
}
