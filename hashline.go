package atomicedit

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/text"
)

// ParseHashline reads hashlines, which edit the lines of files by their numbers:
//
//	patch     = [ "*** Begin Patch" ] { section } [ "*** End Patch" ]
//	section   = [ "[" path [ "#" tag ] "]" ] { operation }
//	operation = "PUT " place ":" { "+" line } | "CUT " lines | "MV " path | "REM"
//	place     = lines | "<" number | ">" number | ">$"
//	lines     = number [ ( "-" | ".=" | ".." ) number ]
//
// PUT replaces lines, or inserts new ones before a line ("<5"), after it (">5") or at the end of the file (">$"). CUT removes lines,
// MV moves the file, once its other operations are carried out, and REM deletes it. The older verbs SWAP, DEL, INS.PRE, INS.POST,
// INS.HEAD and INS.TAIL mean the same. Without the line in brackets, the operations are for a file named elsewhere: see
// [Plan.ForFile].
//
// All numbers count the lines of the file as it was before the request, in every section that names the file. The tag of a file is four
// hexadecimal digits, the lowest bits of the xxHash32, with seed 0, of its text in UTF-8, without spaces, tabs and returns at the ends of
// lines; it becomes [Op.Version]. Operations that only a parser of the file's language could place ("PUT 5*:", SWAP.BLK) are refused, and
// so are those that move lines through a register ("CUT 5 @a", COPY, PASTE).
//
// If Begin and End are there, or if the patch is in a code fence, text around it is ignored; text above the first section always
// is. Empty lines between new lines are new lines too; others are ignored.
//
// Every error is a [*Refusal] with [ErrSyntax] and the line. A patch without any end marker counts as cut off, which is also
// io.ErrUnexpectedEOF, if it ends in a section without operations, in a PUT without lines, or in the middle of an
// operation; any other cut goes unnoticed. Time and memory are linear in the length of the request.
func ParseHashline(request string) (Plan, error) {
	p := hashlineParser{in: text.Scanner{Src: request}, sections: map[string]int{}, now: -1}
	for p.in.Scan() {
		if err := p.readLine(); err != nil {
			return Plan{}, err
		}
	}
	return p.close()
}

type hashlineParser struct {
	in       text.Scanner
	ops      []Op
	sections map[string]int // the index of the op for a path
	now      int            // the index of the op of the current section, -1 outside of any
	header   text.Scanner   // at the header of the section, or at its first operation if it has none
	isEmpty  bool           // the section has no operation yet

	op     hashlineOp   // the last operation of the section
	at     text.Scanner // at that operation
	lines  []byte       // below it; the memory is reused for the next one
	blanks int          // empty lines below those

	begun bool   // there is a "*** Begin Patch", and no end yet
	fence string // the code fence right above the section, "" if there is none
}

// readLine reads the current line.
func (p *hashlineParser) readLine() error {
	s := p.in.Line
	op, isOp := readHashlineOp(s)
	marker, _ := readPatchMarker(s)
	switch {
	case p.now < 0 && !isOp && !isBracketed(s) && !isAboveOp(&p.in):
		return p.readOutside(marker)
	case marker == patchBegin:
		return p.secondBegin()
	case marker == patchEnd, p.fence != "" && strings.TrimSpace(s) == p.fence:
		p.begun, p.fence = p.begun && marker != patchEnd, ""
		return p.closeSection()
	case text.IsBlank(s):
		p.blanks++
		return nil
	case isOp:
		return p.startOp(op)
	case s[0] == '[':
		return p.startSection()
	}
	return p.readNewLine()
}

// readOutside reads a line that is in no section.
func (p *hashlineParser) readOutside(marker patchMarker) error {
	switch f := formatOf(&p.in); {
	case marker == patchBegin && p.begun:
		return p.secondBegin()
	case marker == patchBegin:
		p.begun = true
	case marker == patchEnd && p.begun:
		p.begun = false
	case f != noFormat && f != formatHashline:
		return mixedFormats(p.in.No, quote(p.in.Line), "operations")
	case text.IsFence(p.in.Line):
		mark := strings.TrimSpace(p.in.Line)
		p.fence = mark[:len(mark)-len(strings.TrimLeft(mark, mark[:1]))]
	case !text.IsBlank(p.in.Line):
		p.fence = ""
	}
	return nil
}

func (p *hashlineParser) secondBegin() error {
	return syntax(p.in.No, "a second \"*** Begin Patch\": expected \"*** End Patch\" before it")
}

// startSection reads a line that names a file.
func (p *hashlineParser) startSection() error {
	if err := p.closeSection(); err != nil {
		return err
	}
	path, version, problem := readHashlineHeader(p.in.Line)
	if problem != "" {
		return syntax(p.in.No, problem)
	}
	return p.section(path, version)
}

// section begins a section for a file, on the current line.
func (p *hashlineParser) section(path string, version Version) error {
	p.header, p.isEmpty = p.in, true
	name := path
	if path != "" {
		name = names.OfRequest(path)
	}
	i, again := p.sections[name]
	if !again {
		i = len(p.ops)
		p.sections[name] = i
		p.ops = append(p.ops, Op{Path: path, Version: version})
	}
	p.now = i
	op := &p.ops[i]
	switch {
	case version == "" || version == op.Version:
	case op.Version != "":
		return syntax(p.in.No, quote(p.in.Line)+" has another tag than an earlier section for the file: expected one tag, that of the last read")
	default:
		op.Version = version
	}
	return nil
}

// readHashlineHeader reads "[path#tag]" or "[path]".
func readHashlineHeader(s string) (path string, v Version, problem string) {
	inner, ok := strings.CutSuffix(strings.TrimRight(s, " \t"), "]")
	inner, tag, tagged := strings.Cut(strings.TrimPrefix(inner, "["), "#")
	path = withoutQuotes(strings.TrimSpace(inner))
	switch {
	case !ok || path == "":
		return "", "", quote(s) + " names no file: expected \"[path]\" or \"[path#tag]\""
	case !tagged:
		return path, "", ""
	case len(tag) != 4 || strings.Trim(tag, "0123456789abcdefABCDEF") != "":
		return "", "", quote(s) + " has a tag of an unknown kind, which cannot be compared with the file: expected four hexadecimal digits, or no tag"
	}
	return path, hashlineVersion + Version(strings.ToUpper(tag)), ""
}

// isHalf reports whether the current line is the last of the request, and has no ending.
func (p *hashlineParser) isHalf() bool { return p.in.At+len(p.in.Line) == len(p.in.Src) }

// startOp reads a line that is an operation.
func (p *hashlineParser) startOp(op hashlineOp) error {
	if p.now < 0 {
		if err := p.section("", ""); err != nil {
			return err
		}
	}
	if err := p.closeOp(); err != nil {
		return err
	}
	p.isEmpty = false
	file := &p.ops[p.now]
	switch {
	case op.problem == needsPlace && p.isHalf():
		return p.cutOffInLine()
	case op.problem != "":
		return syntax(p.in.No, quote(p.in.Line)+" cannot be carried out: "+op.problem)
	case file.Kind == OpDelete, op.kind == removeFile && (len(file.Edits) > 0 || file.Kind != OpEdit):
		return syntax(p.in.No, quote(p.in.Line)+": a file that REM deletes has no other operation: expected REM alone, or no REM")
	case op.kind == removeFile:
		file.Kind = OpDelete
	case op.kind == moveFile && file.Kind == OpMove:
		return syntax(p.in.No, "a second MV for one file: expected one, with the last path")
	case op.kind == moveFile:
		file.Kind, file.To = OpMove, withoutQuotes(op.path)
	default:
		p.op, p.at = op, p.in
	}
	return nil
}

// readNewLine reads a line that is neither an operation nor the beginning or the end of a section.
func (p *hashlineParser) readNewLine() error {
	l, ok := strings.CutPrefix(p.in.Line, "+")
	switch {
	case !ok && p.isHalf() && beginsHashlineVerb(p.in.Line):
		return p.cutOffInLine()
	case !ok:
		return syntax(p.in.No, quote(p.in.Line)+" is neither an operation nor a new line: expected \"+\" in front of every new line, "+
			"\"[path]\" above the operations of a file, and operations such as \"PUT 5-9:\", \"PUT >5:\" or \"CUT 5-9\"")
	case p.at.No == 0:
		return syntax(p.in.No, quote(p.in.Line)+" is a new line without a place: expected an operation above it, such as \"PUT 5-9:\" or \"PUT >5:\"")
	case p.op.kind == cutLines:
		return syntax(p.in.No, quote(p.in.Line)+" is a new line below "+quote(p.at.Line)+", which only removes lines: expected \"PUT\", to replace them")
	}
	for ; len(p.lines) > 0 && p.blanks > 0; p.blanks-- {
		p.lines = append(p.lines, '\n')
	}
	p.blanks = 0
	p.lines = append(append(p.lines, l...), '\n')
	return nil
}

// closeOp ends the operation that is being read.
func (p *hashlineParser) closeOp() error {
	if p.at.No == 0 {
		return nil
	}
	at := p.at
	e := p.op.edit
	e.New = string(p.lines)
	isPut := p.op.kind == putLines
	p.at, p.blanks, p.lines = text.Scanner{}, 0, p.lines[:0]
	if isPut && e.New == "" {
		msg := quote(at.Line) + " has no new lines below it: expected each with \"+\" in front"
		if !p.op.addsOnly {
			msg += ", or \"CUT\", to remove the lines"
		}
		return syntax(at.No, msg)
	}
	file := &p.ops[p.now]
	file.Edits = append(file.Edits, e)
	return nil
}

// closeSection ends the section that is being read.
func (p *hashlineParser) closeSection() error {
	if p.now < 0 {
		return nil
	}
	err := p.closeOp()
	if p.now = -1; err == nil && p.isEmpty {
		err = syntax(p.header.No, quote(p.header.Line)+" has no operation below it: expected one, or no section for the file")
	}
	return err
}

// close ends the request.
func (p *hashlineParser) close() (Plan, error) {
	isOpen := p.now >= 0
	noLines := isOpen && p.at.No > 0 && p.op.kind == putLines && len(p.lines) == 0
	switch {
	case p.begun:
		return Plan{}, p.cutOff("\"*** End Patch\" is missing, so the request was cut off: send it again in full")
	case isOpen && p.isEmpty, noLines:
		return Plan{}, p.cutOff("the request was cut off below " + quote(p.lastMarker()) + ": send it again in full")
	}
	if err := p.closeSection(); err != nil {
		return Plan{}, err
	}
	if len(p.ops) == 0 {
		return Plan{}, syntax(1, "there are no operations here: expected \"[path]\", and below it \"PUT 5-9:\" with new lines, or \"CUT 5-9\"")
	}
	return Plan{Ops: p.ops, Format: "hashline"}, nil
}

// cutOffInLine returns the refusal of a request that ended in the middle of the current line.
func (p *hashlineParser) cutOffInLine() *Refusal {
	return p.cutOff("the request was cut off in the middle of " + quote(p.in.Line) + ": send it again in full")
}

// lastMarker returns the last line that was more than a new line.
func (p *hashlineParser) lastMarker() string {
	if p.at.No > 0 {
		return p.at.Line
	}
	return p.header.Line
}

// cutOff returns the refusal of a request that ended too early. The last operation may lack lines.
func (p *hashlineParser) cutOff(msg string) *Refusal {
	var complete []Op
	for _, op := range p.ops {
		if op.Kind != OpEdit || len(op.Edits) > 0 {
			complete = append(complete, op)
		}
	}
	return cutOff(p.in.No, Plan{Ops: complete, Format: "hashline"}, msg)
}
