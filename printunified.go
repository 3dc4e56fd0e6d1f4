package atomicedit

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/linediff"
)

// Unified prints p as a unified diff with git's headers. [ParseUnified] and [Parse] of the diff give p again, except that an empty
// slice becomes nil, and that [Plan.Format] and [Edit.Number] are those of the diff. A plan that edits one file without a name is
// printed as hunks alone. Lines that an edit passes on unchanged are context lines, paired as in [Edit.Hunk] where the edit has one.
// The hunk of an edit that names no line has the header "@@ @@", which other programs do not read.
//
// A diff can express a creation, of an executable file (mode 0755) too; a deletion, whose edits have the lines of the file, or whose
// [Op.Version] is that of an empty one; a move, with edits or without; and edits of whole lines that are there once, with [Edit.Near]
// and [Edit.Section]. An insertion can have [Edit.First] if no edit of the file has context lines, and [Edit.Near] if one has. Anything
// else is a [*Refusal] with [errors.ErrUnsupported], which has a problem for each operation and edit: other fields of [Op] and
// [Edit], a preview ([Plan.DryRun]), and parts that would be read differently, such as a line that looks like the header of a file.
// Time and memory are linear in the plan, except for the pairing of lines without a Hunk.
func (p Plan) Unified() (string, error) {
	w := diffPrinter{planPrinter{format: "a unified diff"}}
	w.checkPlan(p)
	bare := len(p.Ops) == 1 && p.Ops[0].Path == "" && p.Ops[0].Kind == OpEdit
	for i, op := range p.Ops {
		sound, from := len(w.problems), w.Len()
		w.startOp(i, lessWhatDiffsHave(op))
		w.checkFile(op, bare)
		if !bare {
			w.headers(op)
		}
		var starts []int
		op.Edits, starts = w.hunks(op.Edits, from)
		if op.Content != "" {
			starts = []int{w.Len() - from}
			linediff.WriteHunks(&w.Builder, nil, []byte(op.Content), []linediff.Delta{{NewTo: len(op.Content)}})
		}
		if len(w.problems) == sound {
			w.readBack(op, w.String()[from:], starts)
		}
	}
	return w.result()
}

// lessWhatDiffsHave returns op without the parts that a diff can express, but the other formats cannot.
func lessWhatDiffsHave(op Op) Op {
	switch {
	case op.Kind == OpCreate:
		op.Content = ""
		if op.Mode == executable {
			op.Mode = 0
		}
	case deletesEmpty(op):
		op.Version = ""
	}
	return op
}

// executable is the only mode that a diff can give to a new file.
const executable fs.FileMode = 0o755

// deletesEmpty reports whether op deletes a file that must be empty.
func deletesEmpty(op Op) bool {
	return op.Kind == OpDelete && len(op.Edits) == 0 && op.Version == VersionOf(nil)
}

type diffPrinter struct{ planPrinter }

// checkFile notes the parts of an operation that a diff cannot express, but for its edits.
func (w *diffPrinter) checkFile(op Op, bare bool) {
	switch {
	case op.Kind == OpCreate && len(op.Edits) > 0:
		w.cannot("edits of a file that it creates")
	case op.Kind == OpDelete && len(op.Edits) == 0 && !deletesEmpty(op):
		w.cannot("the deletion of a file without its lines")
	case op.Kind == OpDelete && slices.ContainsFunc(op.Edits, func(e Edit) bool { return e.New != "" }):
		w.cannot("lines that stay in a file that it deletes")
	case !bare && op.Path == "" || op.Kind == OpMove && op.To == "":
		w.cannot("a file without a name")
	case bare && len(op.Edits) > 0 && lineOf(op.Edits[0]) == 0:
		w.cannot("a file without a name, unless its first edit names a line")
	}
}

// lineOf returns the line in the header of the hunk of an edit, 0 if there is none.
func lineOf(e Edit) int { return cmp.Or(e.First, e.Near) }

// headers prints the lines above the hunks of a file.
func (w *diffPrinter) headers(op Op) {
	from, to := op.Path, op.Path
	switch op.Kind {
	case OpCreate:
		from = ""
	case OpDelete:
		to = ""
	case OpMove:
		to = op.To
	}
	older, newer := writeGitHeaders(&w.Builder, from, to, 0, op.Mode, deletesEmpty(op))
	if len(op.Edits) > 0 || op.Content != "" {
		w.WriteString("--- " + headerName(older) + "\n+++ " + headerName(newer) + "\n")
	}
}

// hunks prints the edits of a file whose diff begins at the given offset. It returns the edits with the Hunk that is printed, and
// where each begins in the diff.
func (w *diffPrinter) hunks(edits []Edit, from int) (paired []Edit, starts []int) {
	context := false
	paired = slices.Clone(edits)
	for i, e := range edits {
		columns := columnsOf(e, splitEnded(e.Old), splitEnded(e.New))
		context = context || bytes.IndexByte(columns, ' ') >= 0
		paired[i].Hunk = string(columns)
	}
	grown := 0 // lines that the edits so far have added
	for i, e := range paired {
		w.edit = i
		known := len(w.problems)
		if w.checkEdit(e); len(w.problems) == known {
			w.checkHunk(e, context, len(edits) == 1)
		}
		starts = append(starts, w.Len()-from)
		old, new := splitEnded(e.Old), splitEnded(e.New)
		w.hunkHeader(e, len(old), len(new), grown)
		w.lines(e, old, new)
		grown += len(new) - len(old)
	}
	w.edit = -1
	return paired, starts
}

// checkHunk notes the parts of an edit that a hunk cannot express. Context means that some edit of the file has context lines: they
// tell whether the line of an insertion is more than a hint.
func (w *diffPrinter) checkHunk(e Edit, context, alone bool) {
	switch {
	case e.Old == "" && e.New == "":
		w.cannot("an edit without lines")
	case len(e.Anchors) > 0:
		w.cannot("anchors")
	case e.AtEnd:
		w.cannot("that the file ends there")
	case lineOf(e) > maxLine:
		w.cannot("so large a line number")
	case e.First > 0 && (e.Old != "" || e.Near != 0):
		w.cannot("a line number together with another place")
	case e.First > 0 && context:
		w.cannot("an insertion by line number beside context lines")
	case e.First == 1 && alone:
		w.cannot("an insertion at the beginning of a file, unless other edits follow")
	case e.Near > 0 && e.Old == "" && !context && !(e.Near == 1 && alone):
		w.cannot("an insertion near a line, unless an edit of the file has context lines")
	}
}

// hunkHeader prints the header of the hunk of an edit with so many old and new lines. Grown is by how many lines the hunks above it
// make the file longer.
func (w *diffPrinter) hunkHeader(e Edit, old, new, grown int) {
	header := "@@"
	if line := lineOf(e); line > 0 {
		header = "@@ -" + linediff.HunkRange(line, old) + " +" + linediff.HunkRange(max(1, line+grown), new)
	}
	header = strings.TrimRight(header+" @@ "+e.Section, " ")
	w.checkSection(header, e.Section)
	w.WriteString(header + "\n")
}

// readBack notes the part of an operation that is read differently from its diff, if there is one. A diff does not quote the lines of
// the file, so only reading tells which of them look like a header. Starts has the offsets of the hunks.
func (w *diffPrinter) readBack(op Op, diff string, starts []int) {
	read, err := ParseUnified(diff)
	var got Op
	if len(read.Ops) > 0 {
		got = read.Ops[0]
	}
	named := got.Path == op.Path && got.To == op.To
	hunk := unlike(op.Edits, got.Edits)
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		hunk = hunkOnLine(diff, starts, refusal.Problems[0].Line)
		named = hunk >= 0
	case len(read.Ops) == 1 && named && hunk < 0 && got.Kind == op.Kind && got.Content == op.Content && got.Mode == op.Mode && got.Version == op.Version:
		return
	}
	const lookalike = " that look like the header of a file"
	switch {
	case !named && got.Path == op.Path:
		w.cannot("the path " + strconv.Quote(op.To))
	case !named:
		w.cannot("the path " + strconv.Quote(op.Path))
	case op.Kind == OpCreate:
		w.cannot("lines" + lookalike)
	default:
		w.edit = hunk
		w.cannot("lines or a section" + lookalike)
	}
}

// unlike returns the first edit that was read differently, -1 if there is none.
func unlike(edits, read []Edit) int {
	for i, e := range edits {
		if i == len(read) {
			return i
		}
		e.Number, e.Anchors = read[i].Number, nil // there are no anchors
		if !reflect.DeepEqual(e, read[i]) {
			return i
		}
	}
	return -1
}

// hunkOnLine returns the hunk of a diff that a line belongs to, -1 if the line is above all of them.
func hunkOnLine(diff string, starts []int, line int) int {
	from, first := 0, 1
	for i, start := range starts {
		if first += strings.Count(diff[from:start], "\n"); first > line {
			return i - 1
		}
		from = start
	}
	return len(starts) - 1
}
