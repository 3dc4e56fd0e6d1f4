package hashline

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// ReadLineCommands reads the commands of SWE-agent that edit a file by its lines: "edit [PATH] FIRST:LAST" with new
// lines and "end_of_edit". All numbers count lines as they were before the request. Text above the first command, or
// outside its code fence, is ignored.
func ReadLineCommands(request string) (plan.Plan, error) {
	r := commandReader{in: text.Scanner{Src: request}, plan: plan.Plan{Format: "commands"}, ops: map[string]int{},
		shifted: map[string]int{}}
	for r.in.Scan() {
		if err := r.readLine(); err != nil {
			return plan.Plan{}, err
		}
	}
	return r.plan, nil
}

type commandReader struct {
	in      text.Scanner
	plan    plan.Plan
	file    string         // of the last edit
	ops     map[string]int // the index of the op for a file
	shifted map[string]int // the first line of a file from which an edit changes the numbers

	begun bool // an edit has been read
	fence bool // the current line is in a code fence
	ended bool // the fence around the commands has ended
}

type lineEdit struct {
	path        string
	first, last int // 0 if they make no sense
}

const EndOfEdit = "end_of_edit"

// lineEditIn reads a line. It reports false for one that begins no edit.
func lineEditIn(s string) (e lineEdit, ok bool) {
	s, isEdit := strings.CutPrefix(strings.TrimRight(s, " \t"), "edit ")
	if !isEdit {
		return e, false // most lines
	}
	at := 1 + strings.LastIndexByte(s, ' ')
	first, last, _ := strings.Cut(s[at:], ":")
	e.path = marker.WithoutQuotes(strings.TrimSpace(s[:at]))
	e.first, _ = marker.ReadLineNumber(first)
	e.last, _ = marker.ReadLineNumber(last)
	return e, first != "" && last != "" && strings.Trim(first+last, "0123456789") == "" &&
		!strings.ContainsAny(e.path, "\"` ")
}

func IsLineEdit(s string) bool {
	_, ok := lineEditIn(s)
	return ok
}

func (r *commandReader) readLine() error {
	s := r.in.Line
	edit, isEdit := lineEditIn(s)
	name, _, _ := strings.Cut(s, " ")
	switch {
	case r.ended && isEdit:
		return plan.BadLine(&r.in, " is outside the code fence around the commands above it: "+
			"put all commands into one fence, or leave the fence out")
	case text.IsFence(s):
		r.ended, r.fence = r.fence && r.begun, !r.fence
	case r.ended && marker.Of(&r.in) != marker.None:
		return plan.MixedFormats(r.in.No, plan.Excerpt(s), "commands")
	case r.ended || text.IsBlank(s):
	case isEdit:
		return r.readEdit(edit)
	case r.begun || r.fence || name == "cd" || name == "open" || name == "goto":
		return plan.BadLine(&r.in, " is among the commands of an edit, and cannot be carried out with them: "+
			"expected only \"edit PATH FIRST:LAST\" with its new lines and "+EndOfEdit+
			"; run other commands by themselves")
	}
	return nil
}

func (r *commandReader) readEdit(e lineEdit) error {
	r.begun = true
	r.file = cmp.Or(e.path, r.file)
	at := r.in
	if e.first == 0 || e.last < e.first {
		return plan.BadLine(&at, " names no lines: expected the first line to replace, from 1, and the last, "+
			"as in \"edit 2:3\"")
	}
	for r.in.Scan() {
		if r.in.Line == EndOfEdit {
			return r.add(e, &at, text.EndLines(r.in.Src[at.Next:r.in.At]))
		}
	}
	return plan.CutOff(at.No, r.plan, "the request was cut off below "+plan.Excerpt(at.Line)+": "+
		"expected the new lines and then \""+EndOfEdit+"\" on a line of its own; send it again in full")
}

func (r *commandReader) add(e lineEdit, at *text.Scanner, lines string) error {
	if first := r.shifted[r.file]; first > 0 && e.last > first {
		return plan.BadLine(at, " may count the lines as they were before the edit at line "+strconv.Itoa(first)+
			" above it, which changes their number, or as they are after it: send the edits of a file from its end "+
			"to its beginning, or one by one")
	}
	if strings.Count(lines, "\n") != e.last-e.first+1 {
		r.shifted[r.file] = e.first
	}
	i, again := r.ops[r.file]
	if !again {
		i = len(r.plan.Ops)
		r.ops[r.file] = i
		r.plan.Ops = append(r.plan.Ops, plan.Op{Path: r.file})
	}
	op := &r.plan.Ops[i]
	op.Edits = append(op.Edits, plan.Edit{New: lines, WholeLines: true, First: e.first, Last: e.last})
	return nil
}
