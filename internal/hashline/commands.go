package hashline

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// ReadLineCommands reads the commands of SWE-agent that edit the open file by its lines, as docs/reading.md describes
// them: "open PATH [NUMBER]", "goto NUMBER" and "edit [PATH] FIRST:LAST" with new lines and "end_of_edit". All numbers
// count lines as they were before the request. Text above the first command, or outside its code fence, is ignored.
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
	file    string         // that is open
	ops     map[string]int // the index of the op for a file
	shifted map[string]int // the first line of a file from which an edit changes the numbers

	begun bool // a command has been read
	fence bool // the current line is in a code fence
	ended bool // the fence around the commands has ended
}

type command struct {
	name, path  string
	first, last int // of an edit; 0 if they make no sense
}

const EndOfEdit = "end_of_edit"

// commandIn reads a line. It reports false for one that is no command.
func commandIn(s string) (c command, ok bool) {
	name, rest, _ := strings.Cut(s, " ")
	if name != "goto" && name != "open" && name != "edit" {
		return c, false // most lines
	}
	args := strings.Fields(rest)
	if c.name = name; len(args) == 0 {
		return c, false
	}
	last := args[len(args)-1]
	_, isNumber := marker.ReadLineNumber(last)
	first, end, isRange := strings.Cut(last, ":")
	isRange = isRange && first != "" && end != "" && strings.Trim(first+end, "0123456789") == ""
	switch {
	case name == "goto":
		return c, isNumber && len(args) == 1
	case name == "open" && isNumber, name == "edit" && isRange:
		args = args[:len(args)-1]
	}
	c.path = marker.WithoutQuotes(strings.Join(args, " "))
	c.first, _ = marker.ReadLineNumber(first)
	c.last, _ = marker.ReadLineNumber(end)
	return c, !strings.ContainsAny(c.path, "\"` ") && (name == "edit" && isRange || name == "open" && c.path != "")
}

func IsLineEdit(s string) bool {
	c, ok := commandIn(s)
	return ok && c.name == "edit"
}

func (r *commandReader) readLine() error {
	s := r.in.Line
	c, ok := commandIn(s)
	switch {
	case r.ended && IsLineEdit(s):
		return plan.BadLine(&r.in, " is outside the code fence around the commands above it: "+
			"put all commands into one fence, or leave the fence out")
	case text.IsFence(s):
		r.ended, r.fence = r.fence && r.begun, !r.fence
	case r.ended && marker.Of(&r.in) != marker.None:
		return plan.MixedFormats(r.in.No, plan.Excerpt(s), "commands")
	case r.ended || text.IsBlank(s):
	case ok:
		return r.readCommand(c)
	case r.begun || r.fence || strings.HasPrefix(s, "cd "):
		return plan.BadLine(&r.in, " is among the commands of an edit, and cannot be carried out with them: "+
			"expected only \"open PATH\" and \"edit FIRST:LAST\" with its new lines and "+EndOfEdit+"; "+
			"run other commands by themselves")
	}
	return nil
}

func (r *commandReader) readCommand(c command) error {
	r.begun = r.begun || r.fence || c.name == "edit"
	r.file = cmp.Or(c.path, r.file)
	if c.name != "edit" {
		return nil
	}
	at := r.in
	if c.first == 0 || c.last < c.first {
		return plan.BadLine(&at, " names no lines: expected the first line to replace, from 1, and the last, "+
			"as in \"edit 2:3\"")
	}
	from := r.in.Next
	for r.in.Scan() {
		if r.in.Line == EndOfEdit {
			return r.add(c, at, text.EndLines(r.in.Src[from:r.in.At]))
		}
	}
	return plan.CutOff(at.No, r.plan, "the request was cut off below "+plan.Excerpt(at.Line)+": "+
		"expected the new lines and then \""+EndOfEdit+"\" on a line of its own; send it again in full")
}

func (r *commandReader) add(c command, at text.Scanner, lines string) error {
	if first := r.shifted[r.file]; first > 0 && c.last > first {
		return plan.BadLine(&at, " may count the lines as they were before the edit at line "+strconv.Itoa(first)+
			" above it, which changes their number, or as they are after it: send the edits of a file from its end "+
			"to its beginning, or one by one")
	}
	if strings.Count(lines, "\n") != c.last-c.first+1 {
		r.shifted[r.file] = c.first
	}
	i, again := r.ops[r.file]
	if !again {
		i = len(r.plan.Ops)
		r.ops[r.file] = i
		r.plan.Ops = append(r.plan.Ops, plan.Op{Path: r.file})
	}
	op := &r.plan.Ops[i]
	op.Edits = append(op.Edits, plan.Edit{New: lines, WholeLines: true, First: c.first, Last: c.last})
	return nil
}
