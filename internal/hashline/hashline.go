// Package hashline reads hashlines, and the edit commands that SWE-agent made known, into a plan by numbers of lines.
// docs/reading.md has their grammar, and what else is understood. Time and memory are linear in the request.
package hashline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

func Parse(request string) (plan.Plan, error) {
	p := parser{in: text.Scanner{Src: request}, sections: map[string]int{}, now: -1}
	for p.in.Scan() {
		if err := p.readLine(); err != nil {
			return plan.Plan{}, err
		}
	}
	return p.close()
}

type parser struct {
	in       text.Scanner
	ops      []plan.Op
	sections map[string]int // the index of the op for a path
	now      int            // the index of the op of the current section, -1 outside of any
	header   text.Scanner   // at the header of the section, or at its first operation if it has none
	isEmpty  bool           // the section has no operation yet

	op    marker.HashlineOp // the last operation of the section
	at    text.Scanner      // at that operation
	lines marker.Lines      // below it

	begun bool       // there is a "*** Begin Patch", and no end yet
	fence text.Fence // the code fence right above the section, "" if there is none
}

func (p *parser) readLine() error {
	s := p.in.Line
	op, isOp := marker.ReadHashlineOp(s)
	mark, _ := marker.ReadPatchMarker(s)
	switch {
	case mark == marker.PatchBegin && (p.begun || p.now >= 0):
		return plan.Syntax(p.in.No, "a second \"*** Begin Patch\": expected \"*** End Patch\" before it")
	case p.now < 0 && !isOp && !marker.IsBracketed(s) && !marker.IsAboveOp(&p.in):
		return p.readOutside(mark)
	case mark == marker.PatchEnd, p.fence != "" && strings.TrimSpace(s) == string(p.fence):
		p.begun, p.fence = p.begun && mark != marker.PatchEnd, ""
		return p.closeSection()
	case text.IsBlank(s):
		p.lines.Blanks++
		return nil
	case isOp:
		return p.startOp(op)
	case s[0] == '[':
		return p.startSection()
	}
	return p.readNewLine()
}

func (p *parser) readOutside(mark marker.PatchMarker) error {
	switch f := marker.Of(&p.in); {
	case mark == marker.PatchBegin:
		p.begun = true
	case mark == marker.PatchEnd && p.begun:
		p.begun = false
	case f != marker.None && f != marker.Hashline:
		return plan.MixedFormats(p.in.No, plan.Excerpt(p.in.Line), "operations")
	case text.IsFence(p.in.Line):
		p.fence = text.Fence("").Below(p.in.Line)
	case !text.IsBlank(p.in.Line):
		p.fence = ""
	}
	return nil
}

func (p *parser) startSection() error {
	if err := p.closeSection(); err != nil {
		return err
	}
	inner, ok := strings.CutSuffix(strings.TrimRight(p.in.Line, " \t"), "]")
	path, tag, tagged := strings.Cut(strings.TrimPrefix(inner, "["), "#")
	path = marker.WithoutQuotes(strings.TrimSpace(path))
	switch {
	case !ok || path == "":
		return plan.BadLine(&p.in, " names no file: expected \"[path]\" or \"[path#tag]\"")
	case tagged && (len(tag) != 4 || strings.Trim(tag, "0123456789abcdefABCDEF") != ""):
		return plan.BadLine(&p.in, " has a tag of an unknown kind, which cannot be compared with the file: "+
			"expected four hexadecimal digits, or no tag")
	}
	if p.section(path); !tagged {
		return nil
	}
	version := plan.HashlineVersion + plan.Version(strings.ToUpper(tag))
	op := &p.ops[p.now]
	if op.Version = cmp.Or(op.Version, version); version != op.Version {
		return plan.BadLine(&p.in, " has another tag than an earlier section for the file: expected one tag, "+
			"that of the last read")
	}
	return nil
}

// section goes to the op of a file.
func (p *parser) section(path string) {
	p.header, p.isEmpty = p.in, true
	name := path
	if path != "" {
		name = names.OfRequest(path)
	}
	i, again := p.sections[name]
	if !again {
		i = len(p.ops)
		p.sections[name] = i
		p.ops = append(p.ops, plan.Op{Path: path})
	}
	p.now = i
}

// isHalf reports whether the current line is the last of the request, and has no ending.
func (p *parser) isHalf() bool { return p.in.At+len(p.in.Line) == len(p.in.Src) }

func (p *parser) startOp(op marker.HashlineOp) error {
	if p.now < 0 {
		p.section("")
	}
	if err := p.closeOp(); err != nil {
		return err
	}
	p.isEmpty = false
	file := &p.ops[p.now]
	switch {
	case op.Problem == marker.NeedsPlace && p.isHalf():
		return p.cutOffInLine()
	case op.Problem != "":
		return plan.BadLine(&p.in, " cannot be carried out: "+op.Problem)
	case file.Kind == plan.OpDelete, op.Kind == marker.RemoveFile && (len(file.Edits) > 0 || file.Kind != plan.OpEdit):
		return plan.BadLine(&p.in, ": a file that REM deletes has no other operation: expected REM alone, or no REM")
	case op.Kind == marker.RemoveFile:
		file.Kind = plan.OpDelete
	case op.Kind == marker.MoveFile && file.Kind == plan.OpMove:
		return plan.Syntax(p.in.No, "a second MV for one file: expected one, with the last path")
	case op.Kind == marker.MoveFile:
		file.Kind, file.To = plan.OpMove, marker.WithoutQuotes(op.Path)
	default:
		p.op, p.at = op, p.in
	}
	return nil
}

// readNewLine reads a line that is neither an operation nor the beginning or the end of a section.
func (p *parser) readNewLine() error {
	l, ok := strings.CutPrefix(p.in.Line, "+")
	switch {
	case !ok && p.isHalf() && marker.BeginsHashlineVerb(p.in.Line):
		return p.cutOffInLine()
	case !ok:
		return plan.BadLine(&p.in, " is neither an operation nor a new line: expected \"+\" in front of every new "+
			"line, \"[path]\" above the operations of a file, and operations such as \"PUT 5-9:\", "+
			"\"PUT >5:\" or \"CUT 5-9\"")
	case p.at.No == 0:
		return plan.BadLine(&p.in, " is a new line without a place: expected an operation above it, "+
			"such as \"PUT 5-9:\" or \"PUT >5:\"")
	case p.op.Kind == marker.CutLines:
		return plan.BadLine(&p.in, " is a new line below "+plan.Excerpt(p.at.Line)+", which only removes lines: "+
			"expected \"PUT\", to replace them")
	}
	p.lines.Add(l)
	return nil
}

func (p *parser) closeOp() error {
	if p.at.No == 0 {
		return nil
	}
	at := p.at
	e := p.op.Edit
	e.New = p.lines.Take()
	p.at = text.Scanner{}
	if p.op.Kind == marker.PutLines && e.New == "" {
		msg := plan.Excerpt(at.Line) + " has no new lines below it: expected each with \"+\" in front"
		if e.Last > 0 {
			msg += ", or \"CUT\", to remove the lines"
		}
		return plan.Syntax(at.No, msg)
	}
	file := &p.ops[p.now]
	file.Edits = append(file.Edits, e)
	return nil
}

func (p *parser) closeSection() error {
	err := p.closeOp()
	if p.now = -1; err == nil && p.isEmpty {
		err = plan.BadLine(&p.header, " has no operation below it: expected one, or no section for the file")
	}
	return err
}

func (p *parser) close() (plan.Plan, error) {
	if p.begun {
		return plan.Plan{}, p.cutOff("\"*** End Patch\" is missing, so the request was cut off: send it again in full")
	}
	if p.now >= 0 && p.fence != "" && !strings.HasSuffix(p.in.Src, "\n") {
		return plan.Plan{}, p.cutOffInLine()
	}
	last := p.header
	if p.at.No > 0 {
		last = p.at
	}
	if p.closeSection() != nil { // it lacks something
		return plan.Plan{}, p.cutOff("the request was cut off below " + plan.Excerpt(last.Line) +
			": send it again in full")
	}
	if len(p.ops) == 0 {
		return plan.Plan{}, plan.Syntax(1,
			`there are no operations here: expected "[path]", and below it "PUT 5-9:" with new lines, or "CUT 5-9"`)
	}
	return plan.Plan{Ops: p.ops, Format: "hashline"}, nil
}

// cutOffInLine returns the refusal of a request that ended in the middle of the current line.
func (p *parser) cutOffInLine() *plan.Refusal {
	return p.cutOff("the request was cut off in the middle of " + plan.Excerpt(p.in.Line) + ": send it again in full")
}

// cutOff returns the refusal of a request that ended too early. The last operation may lack lines.
func (p *parser) cutOff(msg string) *plan.Refusal {
	complete := append([]plan.Op(nil), slices.DeleteFunc(p.ops, plan.Op.IsEmpty)...) // nil if there is none
	return plan.CutOff(p.in.No, plan.Plan{Ops: complete, Format: "hashline"}, msg)
}
