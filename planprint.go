package atomicedit

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/atomicedit/atomicedit/internal/linediff"
)

// formats is a set of formats that a plan is printed in.
type formats byte

const (
	inV4A formats = 1 << iota
	inBlocks
	inDiff
	inAll = inV4A | inBlocks | inDiff
)

// A part is a field of an operation or of an edit.
type part struct {
	field, words string  // its name, and its words in messages
	in           formats // that have it. Whether they can express its value, only reading tells
	index        int     // of the field
}

// partsOf returns parts with the indexes of their fields in t.
func partsOf(t reflect.Type, parts []part) []part {
	for i, p := range parts {
		f, _ := t.FieldByName(p.field)
		parts[i].index = f.Index[0]
	}
	return parts
}

var opParts = sync.OnceValue(func() []part {
	return partsOf(reflect.TypeFor[Op](), []part{
		{field: "OtherPath", words: "another name of the file"},
		{field: "Overwrite", words: "that the file may replace another"},
		{field: "Exclusive", words: "that the file may not even replace an empty one"},
		{field: "Version", words: "the version that the file must have", in: inDiff},
		{field: "Mode", words: "the permissions of the file", in: inDiff},
		{field: "Kind", words: "the operation", in: inAll},
		{field: "Path", words: "the path", in: inAll},
		{field: "To", words: "the new path", in: inAll},
		{field: "Content", words: "the content", in: inAll},
	})
})

var editParts = sync.OnceValue(func() []part {
	return partsOf(reflect.TypeFor[Edit](), []part{
		{field: "Range", words: "a range to replace, without its text"},
		{field: "Last", words: "lines to replace by number, without their text"},
		{field: "Count", words: "how often the old text occurs"},
		{field: "Tags", words: "tags of lines"},
		{field: "WholeLines", words: "an edit of part of a line", in: inAll},
		{field: "Anchors", words: "the anchors", in: inV4A},
		{field: "Section", words: "the section", in: inV4A | inDiff},
		{field: "AtEnd", words: "that the file ends there", in: inV4A},
		{field: "Near", words: "the line number", in: inAll},
		{field: "First", words: "an insertion by line number", in: inBlocks | inDiff},
		{field: "Old", words: "the old text", in: inAll},
		{field: "New", words: "the new text", in: inAll},
		{field: "Hunk", words: "a line without its prefix or its newline", in: inV4A | inDiff},
	})
})

// A planPrinter prints a plan in one format, and collects the parts that the format cannot express. It reads what it has
// printed: a format does not quote its lines, so only reading tells which of them look like a part of the format.
type planPrinter struct {
	strings.Builder
	format   string                     // in messages
	in       formats                    // it alone
	read     func(string) (Plan, error) // its parser
	op, edit int                        // the place in the plan, or -1
	path     string
	starts   []int // where the edits of the operation begin
	problems []Problem
}

// cannot notes a part that the format cannot express.
func (w *planPrinter) cannot(words string) {
	p := Problem{Err: fmt.Errorf("%w in %s", errors.ErrUnsupported, w.format), Path: w.path, Op: w.op, Edit: w.edit}
	if w.edit >= 0 {
		p.Part = "edit " + strconv.Itoa(w.edit+1)
	}
	p.Msg = w.format + " cannot express " + words
	w.problems = append(w.problems, p)
}

// result returns the printed plan, or the refusal with all problems.
func (w *planPrinter) result() (string, error) {
	if len(w.problems) > 0 {
		return "", refuse(w.problems...)
	}
	return w.String(), nil
}

// print prints p. Section prints an operation between head and tail, which the printed plan has once.
func (w *planPrinter) print(p Plan, head, tail string, section func(op Op)) (string, error) {
	w.op, w.edit = -1, -1
	if p.DryRun {
		w.cannot("a dry run")
	}
	if len(p.Ops) == 0 {
		w.cannot("a plan without operations")
	}
	w.WriteString(head)
	for i, op := range p.Ops {
		sound, from := len(w.problems), w.Len()
		w.op, w.path, w.edit, w.starts = i, op.Path, -1, nil
		op = w.checkOp(op)
		section(op)
		w.edit = -1
		if len(w.problems) == sound {
			w.readBack(op, head+w.String()[from:]+tail, from-len(head))
		}
	}
	w.WriteString(tail)
	return w.result()
}

// checkOp notes the parts of an operation and its edits that the format never has. It returns op as it is printed: each
// edit with the Hunk that its lines get.
func (w *planPrinter) checkOp(op Op) Op {
	w.checkFields(op, opParts())
	if op.Kind == OpEdit && len(op.Edits) == 0 {
		w.cannot("an edit operation without edits")
	}
	if op.Kind < OpEdit || op.Kind > OpMove {
		w.cannot("an operation of unknown kind")
	}
	edits := make([]Edit, len(op.Edits))
	for i, e := range op.Edits {
		if w.in != inBlocks {
			e.Hunk = columnsOf(e, splitEnded(e.Old), splitEnded(e.New))
		} else if !strings.ContainsAny(e.Hunk, `\?`) {
			e.Hunk = ""
		}
		w.edit, edits[i] = i, e
		switch {
		case w.checkFields(e, editParts()):
		case !e.WholeLines:
			w.cannot("an edit of part of a line: its edits are of whole lines")
		case !isEnded(e.Old) || !isEnded(e.New):
			w.cannot("a line without a newline at its end")
		case e.Old+e.New == "" && w.in != inBlocks:
			w.cannot("an edit without lines")
		}
	}
	w.edit, op.Edits = -1, edits
	return op
}

// checkFields notes the first part of an operation or an edit that the format never has. It reports whether there is one.
func (w *planPrinter) checkFields(v any, parts []part) bool {
	fields := reflect.ValueOf(v)
	for _, p := range parts {
		if p.in&w.in == 0 && !isEmpty(fields.Field(p.index)) {
			w.cannot(p.words)
			return true
		}
	}
	return false
}

func isEmpty(v reflect.Value) bool { return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 }

// isEnded reports whether a text, if it has lines, has a newline at its end.
func isEnded(s string) bool { return s == "" || s[len(s)-1] == '\n' }

// startEdit goes to an edit of the operation, which is printed next.
func (w *planPrinter) startEdit(i int) {
	w.edit, w.starts = i, append(w.starts, w.Len())
}

// readBack notes the first part of op that does not come back from its text, in which offset 0 is that of w given.
func (w *planPrinter) readBack(op Op, text string, at int) {
	p, err := w.read(text)
	var refusal *Refusal
	if errors.As(err, &refusal) {
		p, w.edit = Plan{}, w.editOnLine(text, at, refusal.Problems[0].Line)
	}
	words := ""
	if len(p.Ops) > 0 {
		words = unlike(op, p.Ops[0], opParts())
		for i := 0; words == "" && i < min(len(op.Edits), len(p.Ops[0].Edits)); i++ {
			if words = unlike(op.Edits[i], p.Ops[0].Edits[i], editParts()); words != "" {
				w.edit = i
			}
		}
	}
	switch {
	case words != "":
		w.cannot(words)
	case len(p.Ops) != 1 || len(op.Edits) != len(p.Ops[0].Edits):
		w.cannot("a text that looks like a part of the format")
	}
}

// editOnLine returns the edit that a line of a text belongs to, -1 if the line is above all of them.
func (w *planPrinter) editOnLine(text string, at, line int) int {
	edit, from, first := -1, 0, 1
	for i, start := range w.starts {
		start -= at
		if first += strings.Count(text[from:start], "\n"); first > line {
			break
		}
		edit, from = i, start
	}
	return edit
}

// unlike describes the first part in which an operation or an edit differs from what was read, "" if there is none.
func unlike(printed, read any, parts []part) string {
	a, b := reflect.ValueOf(printed), reflect.ValueOf(read)
	for _, p := range parts {
		x, y := a.Field(p.index), b.Field(p.index)
		switch {
		case isEmpty(x) && isEmpty(y):
		case x.Kind() == reflect.Slice && reflect.DeepEqual(x.Interface(), y.Interface()):
		case x.Kind() == reflect.String && x.String() != y.String():
			return p.words + " " + strconv.Quote(clip(x.String(), 60))
		case x.Kind() == reflect.Slice || !x.Equal(y):
			return p.words
		}
	}
	return ""
}

// lines prints the lines of an edit with their first column, which its Hunk has.
func (w *planPrinter) lines(e Edit) {
	old, new := splitEnded(e.Old), splitEnded(e.New)
	for _, c := range []byte(e.Hunk) {
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
func columnsOf(e Edit, old, new []string) string {
	if _, ok := linediff.GroupsOf(e.Hunk, old, new); ok {
		return e.Hunk
	}
	var columns strings.Builder
	kept := 0
	for _, g := range linediff.AppendGroups(nil, old, new) {
		columns.WriteString(strings.Repeat(" ", g.OldFrom-kept))
		columns.WriteString(strings.Repeat("-", g.OldTo-g.OldFrom) + strings.Repeat("+", g.NewTo-g.NewFrom))
		kept = g.OldTo
	}
	return columns.String() + strings.Repeat(" ", len(old)-kept)
}

// splitEnded splits a text whose lines all end in "\n". It removes the "\n" of each line, but not a "\r" before it.
func splitEnded(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// doubleReturns returns a text that a parser which reads "\r\n" as "\n" turns back into s.
func doubleReturns(s string) string { return strings.ReplaceAll(s, "\r\n", "\r\r\n") }
