package atomicedit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/filehint"
	"github.com/atomicedit/atomicedit/internal/text"
)

// printBlocks prints a plan as [Plan.Blocks] does.
func printBlocks(p Plan) (string, error) {
	w := blockPrinter{planPrinter{format: "a SEARCH/REPLACE block", in: inBlocks, read: ParseBlocks}}
	return w.print(p, "", "", func(op Op) {
		switch i := w.op; {
		case op.Kind == OpDelete:
			w.cannot("the deletion of a file")
		case op.Kind == OpMove:
			w.cannot("the move of a file")
		case !isEnded(op.Content):
			w.cannot("content without a newline at its end")
		case i > 0 && op.Kind == OpEdit && op.Path == p.Ops[i-1].Path:
			w.cannot("two operations in a row on one file")
		case i > 0 && op.Path == "" && p.Ops[i-1].Path != "":
			w.cannot("a file without a name after one with a name")
		default:
			w.section(op)
		}
	})
}

type blockPrinter struct{ planPrinter }

// section prints the blocks of an operation.
func (w *blockPrinter) section(op Op) {
	if op.Path != "" {
		w.file(op.Path)
	}
	if op.Kind == OpCreate {
		w.block("", "", op.Content)
	}
	for i, e := range op.Edits {
		w.startEdit(i)
		if e.Old == "" && e.First == 0 && e.Range == nil {
			w.cannot("an insertion without a line number")
		}
		w.block(hintsOf(e), doubleReturns(e.Old), doubleReturns(e.New))
	}
}

// hintsOf returns the hint lines of an edit.
func hintsOf(e Edit) string {
	switch line := max(e.First, e.Near); {
	case line > 0:
		return fmt.Sprintf(":start_line:%d\n-------\n", line)
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
