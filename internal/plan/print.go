package plan

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/text"
)

type formats byte

const (
	InV4A formats = 1 << iota
	InBlocks
	InDiff
	inAll = InV4A | InBlocks | InDiff
)

// A Part is a field of an operation or of an edit.
type Part struct {
	Field, words string  // its name, and its words in messages
	in           formats // that have it. Whether they can express its value, only reading tells
}

var OpParts = []Part{
	{"Overwrite", "that the file may replace another", 0},
	{"Exclusive", "that the file may not even replace an empty one", 0},
	{"Version", "the version that the file must have", InDiff},
	{"Mode", "the permissions of the file", InDiff},
	{"Kind", "the operation", inAll},
	{"Path", "the path", inAll},
	{"To", "the new path", inAll},
	{"Content", "the content", inAll},
}

var EditParts = []Part{
	{"Range", "a range to replace, without its text", 0},
	{"Last", "lines by their numbers", 0},
	{"Count", "how often the old text occurs", 0},
	{"Tags", "tags of lines", 0},
	{"WholeLines", "an edit of part of a line", inAll},
	{"Anchors", "the anchors", InV4A},
	{"Section", "the section", InV4A | InDiff},
	{"AtEnd", "that the file ends there", InV4A},
	{"Near", "the line number", inAll},
	{"First", "an insertion by line number", InBlocks | InDiff},
	{"Old", "the old text", inAll},
	{"New", "the new text", inAll},
	{"Hunk", "a line without its prefix or its newline", InV4A | InDiff},
}

// A Printer prints a plan in one format, and collects the parts that the format cannot express. It reads what it has
// printed: a format does not quote its lines, so only reading tells which of them look like a part of the format.
type Printer struct {
	strings.Builder
	Format   string                     // in messages
	In       formats                    // it alone
	Read     func(string) (Plan, error) // its parser
	Op, Edit int                        // the place in the plan, or -1
	Path     string
	starts   []int // where the edits of the operation begin
	Problems []Problem
}

// Cannot notes a part that the format cannot express.
func (w *Printer) Cannot(words string) {
	p := Problem{Err: fmt.Errorf("%w in %s", errors.ErrUnsupported, w.Format), Path: w.Path, Op: w.Op, Edit: w.Edit,
		Msg: w.Format + " cannot express " + words}
	if w.Edit >= 0 {
		p.Part = "edit " + strconv.Itoa(w.Edit+1)
	}
	w.Problems = append(w.Problems, p)
}

func (w *Printer) Result() (string, error) {
	if len(w.Problems) > 0 {
		return "", Refuse(w.Problems...)
	}
	return w.String(), nil
}

// Print prints p. Section prints an operation between head and tail, which the printed plan has once.
func (w *Printer) Print(p Plan, head, tail string, section func(op Op)) (string, error) {
	w.Op, w.Edit = -1, -1
	if p.DryRun {
		w.Cannot("a dry run")
	}
	if len(p.Ops) == 0 {
		w.Cannot("a plan without operations")
	}
	w.WriteString(head)
	for i, op := range p.Ops {
		sound, from := len(w.Problems), w.Len()
		w.Op, w.Path, w.Edit, w.starts = i, op.Path, -1, nil
		op = w.checkOp(op)
		section(op)
		w.Edit = -1
		if len(w.Problems) == sound {
			w.readBack(op, head+w.String()[from:]+tail, from-len(head))
		}
	}
	w.WriteString(tail)
	return w.Result()
}

// checkOp notes what the format never has. It returns op as it is printed: each edit with the Hunk that its lines get.
func (w *Printer) checkOp(op Op) Op {
	w.checkFields(op, OpParts)
	if op.IsEmpty() {
		w.Cannot("an edit operation without edits")
	}
	if op.Kind < OpEdit || op.Kind > OpMove {
		w.Cannot("an operation of unknown kind")
	}
	edits := make([]Edit, len(op.Edits))
	for i, e := range op.Edits {
		if w.In != InBlocks {
			e.Hunk = columnsOf(e, splitEnded(e.Old), splitEnded(e.New))
		} else if !strings.ContainsAny(e.Hunk, `\?`) {
			e.Hunk = ""
		}
		w.Edit, edits[i] = i, e
		switch {
		case w.checkFields(e, EditParts):
		case !e.WholeLines:
			w.Cannot("an edit of part of a line: its edits are of whole lines")
		case !IsEnded(e.Old) || !IsEnded(e.New):
			w.Cannot("a line without a newline at its end")
		case e.Old+e.New == "" && w.In != InBlocks:
			w.Cannot("an edit without lines")
		}
	}
	w.Edit, op.Edits = -1, edits
	return op
}

// checkFields notes the first part of an operation or edit that the format never has, and reports whether there is one.
func (w *Printer) checkFields(v any, parts []Part) bool {
	fields := reflect.ValueOf(v)
	for _, p := range parts {
		if p.in&w.In == 0 && !isEmpty(fields.FieldByName(p.Field)) {
			w.Cannot(p.words)
			return true
		}
	}
	return false
}

func isEmpty(v reflect.Value) bool { return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 }

// IsEnded reports whether a text, if it has lines, has a newline at its end.
func IsEnded(s string) bool { return s == "" || s[len(s)-1] == '\n' }

func (w *Printer) StartEdit(i int) { w.Edit, w.starts = i, append(w.starts, w.Len()) }

// readBack notes the first part of op that does not come back from its text, in which offset 0 is that of w given.
func (w *Printer) readBack(op Op, printed string, at int) {
	p, err := w.Read(printed)
	var refusal *Refusal
	if errors.As(err, &refusal) {
		below := text.Text{Data: []byte(printed), EOL: '\n'}.Skip(0, refusal.Problems[0].Line)
		n, _ := slices.BinarySearch(w.starts, at+below)
		p, w.Edit = Plan{}, n-1 // the edit that the line belongs to, -1 if it is above all of them
	}
	words := ""
	if len(p.Ops) > 0 {
		words = unlike(op, p.Ops[0], OpParts)
		for i := 0; words == "" && i < min(len(op.Edits), len(p.Ops[0].Edits)); i++ {
			if words = unlike(op.Edits[i], p.Ops[0].Edits[i], EditParts); words != "" {
				w.Edit = i
			}
		}
	}
	switch {
	case words != "":
		w.Cannot(words)
	case len(p.Ops) != 1 || len(op.Edits) != len(p.Ops[0].Edits):
		w.Cannot("a text that looks like a part of the format")
	}
}

// unlike describes the first part in which an operation or an edit differs from what was read, "" if there is none.
func unlike(printed, read any, parts []Part) string {
	a, b := reflect.ValueOf(printed), reflect.ValueOf(read)
	for _, p := range parts {
		switch x, y := a.FieldByName(p.Field), b.FieldByName(p.Field); {
		case isEmpty(x) && isEmpty(y), reflect.DeepEqual(x.Interface(), y.Interface()):
		case x.Kind() == reflect.String:
			return p.words + " " + strconv.Quote(text.Clip(x.String(), 60))
		default:
			return p.words
		}
	}
	return ""
}

// Lines prints the lines of an edit with their first column, which its Hunk has.
func (w *Printer) Lines(e Edit) {
	old, new := splitEnded(e.Old), splitEnded(e.New)
	for _, c := range []byte(e.Hunk) {
		if c != '?' {
			w.WriteByte(c)
		}
		line := ""
		if c == '\\' {
			w.WriteString(" No newline at end of file\n")
			continue
		}
		if c != '-' {
			line, new = new[0], new[1:]
		}
		if c != '+' {
			line, old = old[0], old[1:]
		}
		w.WriteString(DoubleReturns(line + "\n"))
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

// DoubleReturns returns a text that a parser which reads "\r\n" as "\n" turns back into s.
func DoubleReturns(s string) string { return strings.ReplaceAll(s, "\r\n", "\r\r\n") }
