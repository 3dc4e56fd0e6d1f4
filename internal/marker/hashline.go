package marker

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A HashlineOp is a line that says what to do, and where.
type HashlineOp struct {
	Kind    lineVerb
	Edit    plan.Edit // of PutLines and CutLines: the place
	Path    string    // of MoveFile
	Problem string    // why it cannot be carried out, "" if it can
}

type lineVerb int

const (
	PutLines   lineVerb = iota // the lines below take the place that the operand names
	CutLines                   // the lines of the operand go
	RemoveFile                 // the file goes
	MoveFile                   // the file gets the path that is the operand
	OtherLines                 // nothing that a plan can express
)

const (
	NeedsPlace  = "its place cannot be read: expected \"5\", \"5-9\", \"<5\", \">5\" or \">$\""
	needsSyntax = "it needs to know where a block of code ends, which only a parser of the language does: " +
		"name the first and the last line, as in \"PUT 5-9:\""
	needsRegister = "it needs a register of lines that were cut: write the lines below \"PUT <5:\", " +
		"each with \"+\" in front"
)

type hashlineVerb struct {
	Kind    lineVerb
	prefix  string // of the operand
	problem string
}

// HashlineVerbs has the verbs of all generations. An older one is a verb of today with something before its operand.
var HashlineVerbs = field.Table[map[string]hashlineVerb]{Make: func() map[string]hashlineVerb {
	return field.TableOf(map[hashlineVerb]string{
		{Kind: PutLines}: `PUT SWAP`, {Kind: CutLines}: `CUT DEL`, {Kind: RemoveFile}: `REM`, {Kind: MoveFile}: `MV`,
		{PutLines, "<", ""}: `INS.PRE`, {PutLines, ">", ""}: `INS.POST`, {PutLines, "<1", ""}: `INS.HEAD`,
		{PutLines, ">$", ""}:            `INS.TAIL`,
		{OtherLines, "", needsSyntax}:   `SWAP.BLK DEL.BLK CUT.BLK INS.BLK.POST`,
		{OtherLines, "", needsRegister}: `COPY COPY.BLK PASTE.PRE PASTE.POST PASTE.HEAD PASTE.TAIL PASTE.BLK.POST`,
	})
}}

// ReadHashlineOp reads an operation. It reports false for a line that is none.
func ReadHashlineOp(line string) (op HashlineOp, ok bool) {
	if line == "" || line[0] < 'A' || line[0] > 'Z' {
		return op, false // most lines
	}
	line = strings.TrimRight(line, " \t")
	head, colon := strings.CutSuffix(line, ":")
	name, operand, spaced := strings.Cut(head, " ")
	verb, known := HashlineVerbs.Get()[name]
	operand = strings.TrimSpace(operand)
	op = HashlineOp{Kind: verb.Kind, Problem: verb.problem}
	switch {
	case !known:
		return op, false
	case op.Kind == RemoveFile:
		return op, line == name
	case op.Kind == MoveFile:
		_, op.Path, _ = strings.Cut(line, " ")
		op.Path = strings.TrimSpace(op.Path)
		return op, op.Path != ""
	case op.Kind == OtherLines:
		return op, true
	case spaced && (strings.HasSuffix(verb.prefix, "1") || strings.HasSuffix(verb.prefix, "$")):
		return op, false
	}
	place, _, named := strings.Cut(verb.prefix+operand, "@")
	if place = strings.TrimSpace(place); place == "" || !strings.Contains("0123456789<>", place[:1]) {
		return op, false
	}
	block, isBlock := strings.CutSuffix(place, "*")
	op.Edit, op.Problem = readLocator(block)
	addsOnly := op.Edit.Last == 0
	switch {
	case op.Problem != "":
	case named || name == "PUT" && !colon && addsOnly:
		op.Problem = needsRegister
	case isBlock:
		op.Problem = needsSyntax
	case op.Kind == CutLines && addsOnly:
		op.Problem = "it names a place between lines: expected the lines to remove, as in \"CUT 5-9\""
	case op.Kind == PutLines && !colon:
		op.Problem = "it lacks the \":\" at its end: expected \"" + line + ":\" and the new lines below it"
	}
	return op, true
}

func IsBracketed(s string) bool {
	return strings.HasPrefix(s, "[") && strings.HasSuffix(strings.TrimRight(s, " \t"), "]")
}

// IsAboveOp reports whether the current line begins with a square bracket, and an operation follows.
func IsAboveOp(in *text.Scanner) bool {
	_, isOp := ReadHashlineOp(in.Peek())
	return isOp && strings.HasPrefix(in.Line, "[")
}

func BeginsHashlineVerb(line string) bool {
	isWhole := func(verb string) bool { return strings.HasPrefix(verb, line) }
	return slices.ContainsFunc(slices.Collect(maps.Keys(HashlineVerbs.Get())), isWhole)
}

func readLocator(s string) (e plan.Edit, problem string) {
	e.WholeLines = true
	ok := true
	switch {
	case s == ">$":
		e.AtEnd = true
	case s[0] == '<':
		e.First, ok = ReadLineNumber(s[1:])
	case s[0] == '>':
		e.First, ok = ReadLineNumber(s[1:])
		e.First++
	default:
		first, last, several := strings.Cut(strings.ReplaceAll(strings.ReplaceAll(s, ".=", "-"), "..", "-"), "-")
		if !several {
			last = first
		}
		if e.First, ok = ReadLineNumber(strings.TrimSpace(first)); ok {
			e.Last, ok = ReadLineNumber(strings.TrimSpace(last))
		}
	}
	if !ok {
		problem = NeedsPlace
	} else if e.Last > 0 && e.Last < e.First {
		problem = "the last line is before the first: expected the first line, then the last"
	}
	return e, problem
}

// ReadLineNumber reads the number of a line, counted from 1.
func ReadLineNumber(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 63)
	return int(min(n, maxLine)), err == nil && n > 0
}
