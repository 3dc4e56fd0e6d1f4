package blocks

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/filehint"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Print prints a plan as Plan.Blocks does.
func Print(p plan.Plan) (string, error) {
	w := &plan.Printer{Format: "a SEARCH/REPLACE block", Read: Parse}
	return w.Print(p, "", "", func(op plan.Op) {
		switch i := w.Op; {
		case op.Kind == plan.OpDelete:
			w.Cannot("the deletion of a file")
		case op.Kind == plan.OpMove:
			w.Cannot("the move of a file")
		case !plan.IsEnded(op.Content):
			w.Cannot("content without a newline at its end")
		case i > 0 && op.Kind == plan.OpEdit && op.Path == p.Ops[i-1].Path:
			w.Cannot("two operations in a row on one file")
		case i > 0 && op.Path == "" && p.Ops[i-1].Path != "":
			w.Cannot("a file without a name after one with a name")
		default:
			writeSection(w, op)
		}
	})
}

func writeSection(w *plan.Printer, op plan.Op) {
	if op.Path != "" {
		writeFile(w, op.Path)
	}
	if op.Kind == plan.OpCreate {
		writeBlock(w, "", "", op.Content)
	}
	for i, e := range op.Edits {
		w.Edit = i
		if e.Old == "" && e.First == 0 && e.Range == nil {
			w.Cannot("an insertion without a line number")
		}
		writeBlock(w, hintsOf(e), plan.DoubleReturns(e.Old), plan.DoubleReturns(e.New))
	}
}

func hintsOf(e plan.Edit) string {
	_, _, isHint := hintOnLine(text.FirstLine(e.Old))
	switch line := max(e.First, e.Near); {
	case line > 0:
		return fmt.Sprintf(":start_line:%d\n-------\n", line)
	case isHint:
		return ":end_line:1\n-------\n" // this has no meaning except that it ends the hints
	}
	return ""
}

func writeFile(w *plan.Printer, path string) {
	for _, around := range [][2]string{{"", ""}, {"`", "`"}, {"\"", "\""}, {"File: `", "`"}} {
		in := text.Scanner{Src: around[0] + path + around[1] + "\n"}
		isLine := in.Scan() && in.Next == len(in.Src) && !strings.HasPrefix(in.Line, "{") && !text.IsFence(in.Line)
		h := (filehint.Line{Text: in.Line}).Hint()
		_, _, isMarker := ReadMarker(&in)
		isMarker = isMarker || marker.Of(&in) != marker.None
		if isLine && !isMarker && h.Certainty != filehint.Mention && h.Path == path {
			w.WriteString(in.Src)
			return
		}
	}
	w.Cannot("the path " + strconv.Quote(path))
}

// writeBlock prints one block, with markers of a length that no line in it has.
func writeBlock(w *plan.Printer, hint, old, new string) {
	taken := map[int]bool{}
	for _, content := range []string{old, new} {
		in := text.Scanner{Src: content}
		for in.Scan() {
			if _, n, ok := ReadMarker(&in); ok {
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
