package atomicedit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/linediff"
)

// printUnified prints a plan as [Plan.Unified] does.
func printUnified(p Plan) (string, error) {
	w := diffPrinter{planPrinter{format: "a unified diff", in: inDiff, read: ParseUnified}}
	bare := len(p.Ops) == 1 && p.Ops[0].Path == "" && p.Ops[0].Kind == OpEdit
	return w.print(p, "", "", func(op Op) { w.section(op, bare) })
}

type diffPrinter struct{ planPrinter }

// section prints the diff of a file, or for a bare one only its hunks.
func (w *diffPrinter) section(op Op, bare bool) {
	isEmpty := op.Kind == OpDelete && len(op.Edits) == 0 && op.Version != ""
	switch {
	case op.Kind == OpCreate && len(op.Edits) > 0:
		w.cannot("edits of a file that it creates")
	case op.Kind == OpDelete && len(op.Edits) == 0 && !isEmpty:
		w.cannot("the deletion of a file without its lines")
	case op.Kind == OpDelete && slices.ContainsFunc(op.Edits, func(e Edit) bool { return e.New != "" }):
		w.cannot("lines that stay in a file that it deletes")
	case !bare && op.Path == "" || op.Kind == OpMove && op.To == "":
		w.cannot("a file without a name")
	case bare && len(op.Edits) > 0 && lineOf(op.Edits[0]) == 0:
		w.cannot("a file without a name, unless its first edit names a line")
	}
	if !bare {
		w.headers(op, isEmpty)
	}
	grown := 0 // lines that the edits so far have added
	for i, e := range op.Edits {
		w.startEdit(i)
		old, new := strings.Count(e.Old, "\n"), strings.Count(e.New, "\n")
		header := "@@"
		if line := lineOf(e); line > 0 {
			header = "@@ -" + linediff.HunkRange(line, old) + " +" + linediff.HunkRange(max(1, line+grown), new)
		}
		w.WriteString(strings.TrimRight(header+" @@ "+e.Section, " ") + "\n")
		w.lines(e)
		grown += new - old
	}
	if op.Content != "" {
		linediff.WriteHunks(&w.Builder, nil, []byte(op.Content), []linediff.Delta{{NewTo: len(op.Content)}})
	}
}

// lineOf returns the line in the header of the hunk of an edit, 0 if there is none.
func lineOf(e Edit) int { return cmp.Or(e.First, e.Near) }

// headers prints the lines above the hunks of a file. Empty means that the file must be empty before it is deleted.
func (w *diffPrinter) headers(op Op, empty bool) {
	from, to := op.Path, op.Path
	switch op.Kind {
	case OpCreate:
		from = ""
	case OpDelete:
		to = ""
	case OpMove:
		to = op.To
	}
	older, newer := writeGitHeaders(&w.Builder, from, to, 0, op.Mode, empty)
	if len(op.Edits) > 0 || op.Content != "" {
		w.WriteString("--- " + headerName(older) + "\n+++ " + headerName(newer) + "\n")
	}
}
