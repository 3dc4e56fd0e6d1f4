package atomicedit

import (
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A hashlineOp is a line that says what to do, and where.
type hashlineOp struct {
	kind     lineVerb
	edit     Edit   // of putLines and cutLines: the place
	path     string // of moveFile
	problem  string // why it cannot be carried out, "" if it can
	addsOnly bool   // the edit replaces no lines
}

// A lineVerb is the meaning of a verb.
type lineVerb int

const (
	putLines   lineVerb = iota // the lines below take the place that the operand names
	cutLines                   // the lines of the operand go
	removeFile                 // the file goes
	moveFile                   // the file gets the path that is the operand
	otherLines                 // nothing that a plan can express
)

const (
	needsPlace    = "its place cannot be read: expected \"5\", \"5-9\", \"<5\", \">5\" or \">$\""
	needsSyntax   = "it needs to know where a block of code ends, which only a parser of the language does: name the first and the last line, as in \"PUT 5-9:\""
	needsRegister = "it needs a register of lines that were cut: write the lines below \"PUT <5:\", each with \"+\" in front"
)

// hashlineVerbs has the verbs of all generations of hashlines. Those of older ones are as verbs of the newest, with something in
// front of the operand.
var hashlineVerbs = map[string]struct {
	kind    lineVerb
	prefix  string // of the operand
	problem string
}{
	"PUT":            {putLines, "", ""},
	"CUT":            {cutLines, "", ""},
	"REM":            {removeFile, "", ""},
	"MV":             {moveFile, "", ""},
	"SWAP":           {putLines, "", ""},
	"DEL":            {cutLines, "", ""},
	"INS.PRE":        {putLines, "<", ""},
	"INS.POST":       {putLines, ">", ""},
	"INS.HEAD":       {putLines, "<1", ""},
	"INS.TAIL":       {putLines, ">$", ""},
	"SWAP.BLK":       {otherLines, "", needsSyntax},
	"DEL.BLK":        {otherLines, "", needsSyntax},
	"CUT.BLK":        {otherLines, "", needsSyntax},
	"INS.BLK.POST":   {otherLines, "", needsSyntax},
	"COPY":           {otherLines, "", needsRegister},
	"COPY.BLK":       {otherLines, "", needsRegister},
	"PASTE.PRE":      {otherLines, "", needsRegister},
	"PASTE.POST":     {otherLines, "", needsRegister},
	"PASTE.HEAD":     {otherLines, "", needsRegister},
	"PASTE.TAIL":     {otherLines, "", needsRegister},
	"PASTE.BLK.POST": {otherLines, "", needsRegister},
}

// readHashlineOp reads an operation. It reports false for a line that is none.
func readHashlineOp(line string) (op hashlineOp, ok bool) {
	if line == "" || line[0] < 'A' || line[0] > 'Z' {
		return op, false // most lines
	}
	line = strings.TrimRight(line, " \t")
	head, colon := strings.CutSuffix(line, ":")
	name, operand, spaced := strings.Cut(head, " ")
	verb, known := hashlineVerbs[name]
	operand = strings.TrimSpace(operand)
	op = hashlineOp{kind: verb.kind, problem: verb.problem}
	switch {
	case !known:
		return op, false
	case op.kind == removeFile:
		return op, line == name
	case op.kind == moveFile:
		_, op.path, _ = strings.Cut(line, " ")
		op.path = strings.TrimSpace(op.path)
		return op, op.path != ""
	case op.kind == otherLines:
		return op, true
	case strings.HasSuffix(verb.prefix, "1") || strings.HasSuffix(verb.prefix, "$"):
		if spaced {
			return op, false
		}
	}
	place, register, named := strings.Cut(verb.prefix+operand, "@")
	if place = strings.TrimSpace(place); place == "" || !strings.Contains("0123456789<>", place[:1]) {
		return op, false
	}
	block, isBlock := strings.CutSuffix(place, "*")
	op.edit, op.problem = readLocator(block)
	op.addsOnly = op.edit.Last == 0
	switch {
	case op.problem != "":
	case named && !isWord(register):
		op.problem = needsPlace
	case named || name == "PUT" && !colon && op.addsOnly:
		op.problem = needsRegister
	case isBlock:
		op.problem = needsSyntax
	case op.kind == cutLines && op.addsOnly:
		op.problem = "it names a place between lines: expected the lines to remove, as in \"CUT 5-9\""
	case op.kind == putLines && !colon:
		op.problem = "it lacks the \":\" at its end: expected \"" + line + ":\" and the new lines below it"
	}
	return op, true
}

// isHashlineHeader reports whether the current line names a file, and an operation follows.
func isHashlineHeader(in *text.Scanner) bool { return isBracketed(in.Line) && isAboveOp(in) }

// isBracketed reports whether a line is in square brackets.
func isBracketed(s string) bool {
	return strings.HasPrefix(s, "[") && strings.HasSuffix(strings.TrimRight(s, " \t"), "]")
}

// isAboveOp reports whether the current line begins with a square bracket, and an operation follows.
func isAboveOp(in *text.Scanner) bool {
	if !strings.HasPrefix(in.Line, "[") {
		return false
	}
	_, isOp := readHashlineOp(in.Peek())
	return isOp
}

// beginsHashlineVerb reports whether a line may be the beginning of a verb.
func beginsHashlineVerb(line string) bool {
	for verb := range hashlineVerbs {
		if strings.HasPrefix(verb, line) {
			return true
		}
	}
	return false
}

// isWord reports whether s may be the name of a register.
func isWord(s string) bool {
	return strings.Trim(s, asciiWord+"_-") == ""
}

// asciiWord has the letters and digits of ASCII.
const asciiWord = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// readLocator reads the place of an operation, or returns the problem with it.
func readLocator(s string) (e Edit, problem string) {
	e.WholeLines = true
	ok := true
	switch {
	case s == ">$":
		e.AtEnd = true
	case s[0] == '<':
		e.First, ok = readLineNumber(s[1:])
	case s[0] == '>':
		e.First, ok = readLineNumber(s[1:])
		e.First++
	default:
		first, last := cutRange(s)
		var lastOK bool
		e.First, ok = readLineNumber(first)
		e.Last, lastOK = readLineNumber(last)
		ok = ok && lastOK
	}
	switch {
	case !ok:
		return e, needsPlace
	case e.Last > 0 && e.Last < e.First:
		return e, "the last line is before the first: expected the first line, then the last"
	}
	return e, ""
}

// cutRange returns the first and the last line of a range. A single line is both.
func cutRange(s string) (first, last string) {
	for _, mark := range []string{".=", "..", "-"} {
		if first, last, ok := strings.Cut(s, mark); ok {
			return strings.TrimSpace(first), strings.TrimSpace(last)
		}
	}
	return s, s
}

// readLineNumber reads the number of a line, counted from 1.
func readLineNumber(s string) (int, bool) {
	if strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return min(n, maxLine), err == nil && n > 0
}
