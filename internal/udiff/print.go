package udiff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// Print prints a plan as Plan.Unified does.
func Print(p plan.Plan) (string, error) {
	w := &plan.Printer{Format: "a unified diff", Hunks: true, Read: Parse}
	bare := len(p.Ops) == 1 && p.Ops[0].Path == "" && p.Ops[0].Kind == plan.OpEdit
	return w.Print(p, "", "", func(op plan.Op) { writeSection(w, op, bare) })
}

// writeSection prints the diff of a file, or for a bare one only its hunks.
func writeSection(w *plan.Printer, op plan.Op, bare bool) {
	switch {
	case op.Kind == plan.OpCreate && len(op.Edits) > 0:
		w.Cannot("edits of a file that it creates")
	case op.Kind == plan.OpDelete && len(op.Edits) == 0 && op.Version == "":
		w.Cannot("the deletion of a file without its lines")
	case op.Kind == plan.OpDelete && slices.ContainsFunc(op.Edits, func(e plan.Edit) bool { return e.New != "" }):
		w.Cannot("lines that stay in a file that it deletes")
	case !bare && op.Path == "" || op.Kind == plan.OpMove && op.To == "":
		w.Cannot("a file without a name")
	case bare && len(op.Edits) > 0 && lineOf(op.Edits[0]) == 0:
		w.Cannot("a file without a name, unless its first edit names a line")
	}
	if !bare {
		writeHeaders(w, op)
	}
	grown := 0 // lines that the edits so far have added
	for i, e := range op.Edits {
		w.Edit = i
		old, new := strings.Count(e.Old, "\n"), strings.Count(e.New, "\n")
		header := "@@ @@"
		if line := lineOf(e); line > 0 {
			header = linediff.HunkHeader(line, old, max(1, line+grown), new)
		}
		w.WriteString(strings.TrimRight(header+" "+e.Section, " ") + "\n")
		w.Lines(e)
		grown += new - old
	}
	if op.Content != "" {
		linediff.WriteHunks(&w.Builder, nil, []byte(op.Content), []linediff.Delta{{NewTo: len(op.Content)}})
	}
}

// lineOf returns the line in the header of the hunk of an edit, 0 if there is none.
func lineOf(e plan.Edit) int { return cmp.Or(e.First, e.Near) }

// writeHeaders prints the lines above the hunks of a file. One that is deleted without any must be empty.
func writeHeaders(w *plan.Printer, op plan.Op) {
	from, to := op.Path, op.Path
	switch op.Kind {
	case plan.OpCreate:
		from = ""
	case plan.OpDelete:
		to = ""
	case plan.OpMove:
		to = op.To
	}
	older, newer := marker.WriteGitHeaders(&w.Builder, from, to, 0, op.Mode, len(op.Edits) == 0)
	if len(op.Edits) > 0 || op.Content != "" {
		w.WriteString("--- " + marker.HeaderName(older) + "\n+++ " + marker.HeaderName(newer) + "\n")
	}
}
