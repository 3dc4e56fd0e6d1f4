package patch

import (
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// Print prints a plan as Plan.V4A does.
func Print(p plan.Plan) (string, error) {
	w := &plan.Printer{Format: "a V4A patch", Hunks: true, Read: Parse}
	if len(p.Ops) == 1 && p.Ops[0].Path == "" && p.Ops[0].Kind == plan.OpEdit {
		return w.Print(p, "", "", func(op plan.Op) { writeChunks(w, op.Edits, true) })
	}
	return w.Print(p, "*** Begin Patch\n", "*** End Patch\n", func(op plan.Op) { writeSection(w, op) })
}

func writeSection(w *plan.Printer, op plan.Op) {
	switch op.Kind {
	case plan.OpCreate:
		writeHeader(w, "Add File: ", op.Path)
		if !plan.IsEnded(op.Content) {
			w.Cannot("content without a newline at its end")
		}
		for line := range strings.Lines(op.Content) {
			w.WriteString("+" + line)
		}
	case plan.OpDelete:
		writeHeader(w, "Delete File: ", op.Path)
	default:
		writeHeader(w, "Update File: ", op.Path)
		if op.Kind == plan.OpMove {
			writeHeader(w, "Move to: ", op.To)
		}
	}
	if len(op.Edits) > 0 && (op.Kind == plan.OpCreate || op.Kind == plan.OpDelete) {
		w.Cannot("edits of a file that it creates or deletes")
		return
	}
	writeChunks(w, op.Edits, false)
}

func writeHeader(w *plan.Printer, mark, path string) {
	// The parser takes the stars and the quotes off.
	for _, name := range []string{path, path + " ***", `"` + path + `"`} {
		line := "*** " + mark + name
		if _, read := marker.ReadPatchMarker(line); read == path && path != "" && !strings.Contains(line, "\n") {
			w.WriteString(line + "\n")
			return
		}
	}
	w.Cannot("the path " + strconv.Quote(path))
}

// writeChunks prints edits. Bare ones have no headers, so that their first line must not look like a hunk of a diff.
func writeChunks(w *plan.Printer, edits []plan.Edit, bare bool) {
	for i, e := range edits {
		if name, ok := strings.CutPrefix(lastLine(w.String()), "+++"); ok && i > 0 && marker.MayNameFile(name) {
			w.WriteByte('\n') // right above "@@", the line would name a file; an empty line there is none of the edit
		}
		w.Edit = i
		for _, a := range e.Anchors {
			line := "@@ " + a
			if readAnchor(line) != a || marker.ReadHunkHeader(line).Counted {
				line += " @@" // which the parser ignores
			}
			w.WriteString(line + "\n")
		}
		isHunk := e.Near > 0 || e.Section != ""
		if len(e.Anchors) == 0 && (!isHunk || bare && i == 0) {
			w.WriteString("@@\n")
		}
		if isHunk {
			header := "@@ -0 +0 @@" // counts of 0 lines would mean line 1
			if e.Near > 0 {
				header = linediff.HunkHeader(e.Near, strings.Count(e.Old, "\n"), e.Near, strings.Count(e.New, "\n"))
			}
			w.WriteString(strings.TrimRight(header+" "+e.Section, " ") + "\n")
		}
		w.Lines(e)
		if e.AtEnd {
			w.WriteString("*** End of File\n")
		}
	}
}

func lastLine(s string) string { return s[1+strings.LastIndexByte(s[:max(0, len(s)-1)], '\n'):] }

// Grammar is the language of V4A patches as Plan.V4A prints them, which is the well-formed part of what Parse reads. A
// chunk with others below it must not end in a line that a diff might have there.
const Grammar = `start: "*** Begin Patch" LF section+ "*** End Patch" LF?

section: "*** Add File: " PATH LF ("+" TEXT? LF)*
       | "*** Delete File: " PATH LF
       | "*** Update File: " PATH LF update
update: move chunks?
      | chunks
move: "*** Move to: " PATH LF

chunks: chunk* anchor+ line+ end_of_file?
chunk: anchor+ line* (last_line | line end_of_file)
anchor: "@@" (" " TEXT)? LF
end_of_file: "*** End of File" LF

line: column TEXT? LF no_newline*
last_line: kept_or_removed TEXT? LF no_newline*
         | "+" UNLIKE_DIFF? LF no_newline*
         | "+" TEXT? LF no_newline+
column: " " | "-" | "+"
kept_or_removed: " " | "-"
no_newline: "\\ No newline at end of file" LF

PATH: /[^ \t\n\v\f\r]([^\n]*[^ \t\n\v\f\r])?/
TEXT: /[^\n]+/
UNLIKE_DIFF: /([^+\n]|\+[^+\n]|\+\+[^ \t\n])[^\n]*|\+\+?/
LF: /\n/
`
