package plan

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A Part is a field of an operation or of an edit, and its words in messages, which name the first that is lost.
type Part struct{ Field, words string }

var OpParts = []Part{
	{"Overwrite", "that the file may replace another"},
	{"Exclusive", "that the file may not even replace an empty one"},
	{"Version", "the version that the file must have"},
	{"Mode", "the permissions of the file"},
	{"Kind", "the operation"},
	{"Path", "the path"},
	{"To", "the new path"},
	{"Content", "the content"},
}

// EditParts begin with the five that no format has.
var EditParts = []Part{
	{"Range", "a range to replace, without its text"},
	{"Last", "lines by their numbers"},
	{"Count", "how often the old text occurs"},
	{"Tags", "tags of lines"},
	{"WholeLines", "an edit of part of a line: its edits are of whole lines"},
	{"Anchors", "the anchors"},
	{"Section", "the section"},
	{"AtEnd", "that the file ends there"},
	{"Near", "the line number"},
	{"First", "an insertion by line number"},
	{"Old", "the old text"},
	{"New", "the new text"},
	{"Hunk", "a line without its prefix or its newline"},
}

// A Printer prints a plan in one format, and collects the parts that the format cannot express. It reads what it has
// printed: a format does not quote its lines, so only reading tells which of them look like a part of the format.
type Printer struct {
	strings.Builder
	Format   string                     // in messages
	Hunks    bool                       // its edits have hunks
	Read     func(string) (Plan, error) // its parser
	Op, Edit int                        // the place in the plan, or -1
	Path     string
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
		w.Op, w.Path, w.Edit = i, op.Path, -1
		op = w.checkOp(op)
		section(op)
		w.Edit = -1
		if len(w.Problems) == sound {
			w.readBack(op, head+w.String()[from:]+tail)
		}
	}
	w.WriteString(tail)
	return w.Result()
}

// checkOp notes what no format has. It returns op as it is printed: each edit with the Hunk that its lines get.
func (w *Printer) checkOp(op Op) Op {
	if op.IsEmpty() {
		w.Cannot("an edit operation without edits")
	}
	if op.Kind < OpEdit || op.Kind > OpMove {
		w.Cannot("an operation of unknown kind")
	}
	edits := make([]Edit, len(op.Edits))
	for i, e := range op.Edits {
		if w.Hunks {
			e.Hunk = columnsOf(e, splitEnded(e.Old), splitEnded(e.New))
		} else if !strings.ContainsAny(e.Hunk, `\?`) {
			e.Hunk = ""
		}
		w.Edit, edits[i] = i, e
		switch words := unlike(e, Edit{WholeLines: true}, EditParts[:5]); {
		case words != "":
			w.Cannot(words)
		case !IsEnded(e.Old) || !IsEnded(e.New):
			w.Cannot("a line without a newline at its end")
		case e.Old+e.New == "" && w.Hunks:
			w.Cannot("an edit without lines")
		}
	}
	w.Edit, op.Edits = -1, edits
	return op
}

func isEmpty(v reflect.Value) bool { return v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 }

// IsEnded reports whether a text, if it has lines, has a newline at its end.
func IsEnded(s string) bool { return s == "" || s[len(s)-1] == '\n' }

// readBack notes what of op does not come back from its text.
func (w *Printer) readBack(op Op, printed string) {
	sound, read := len(w.Problems), Op{}
	p, err := w.Read(printed)
	if err == nil && len(p.Ops) > 0 {
		read = p.Ops[0]
		if words := unlike(op, read, OpParts); words != "" {
			w.Cannot(words)
			return
		}
	}
	isWhole := err == nil && len(p.Ops) == 1 && len(op.Edits) == len(read.Edits)
	for i := 0; i < min(len(op.Edits), len(read.Edits)) && (isWhole || len(w.Problems) == sound); i++ {
		if words := unlike(op.Edits[i], read.Edits[i], EditParts); words != "" {
			w.Edit = i
			w.Cannot(words)
		}
	}
	if !isWhole && len(w.Problems) == sound {
		w.Cannot("a text that looks like a part of the format")
	}
}

// unlike describes the first part in which an operation or an edit differs from what was read, "" if there is none.
func unlike(printed, read any, parts []Part) string {
	a, b := reflect.ValueOf(printed), reflect.ValueOf(read)
	for _, p := range parts {
		switch x, y := a.FieldByName(p.Field), b.FieldByName(p.Field); {
		case isEmpty(x) && isEmpty(y), reflect.DeepEqual(x.Interface(), y.Interface()):
		case x.Kind() == reflect.String && p.Field != "Hunk":
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
