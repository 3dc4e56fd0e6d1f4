package atomicedit

import (
	"slices"
	"strconv"
	"strings"
)

// ParseBlocks reads SEARCH/REPLACE blocks:
//
//	path/to/file.go
//	<<<<<<< SEARCH
//	the lines to find
//	=======
//	the lines to put there
//	>>>>>>> REPLACE
//
// Markers have five or more characters, and start in the first column; a block may also go from "------- SEARCH" to
// "+++++++ REPLACE". Inside a block that was opened by n characters, markers of n characters count and others are
// content; only if the block does not close that way do others count, provided that one separator and one closing
// marker stand before the next block. "line:12" after SEARCH, or a line ":start_line:12" below it (and perhaps
// "-------" below that), gives [Edit.Near].
//
// The lines above a block name its file, and that of the blocks after it:
//
//   - right above the block, or above or inside the code fence around it, a path alone: one word, or in quotes, bold, code, or
//     as a link, perhaps behind the signs of a heading, a list, a number or a comment, and before ":";
//   - with words that only introduce it: "File 2: b.go", "b.go (new file)", "Now update b.go:", "### Step 2: Update `b.go`";
//     behind the signs of a heading, a list or a comment, or in bold or code, also with a remark behind: "### b.go - the handler";
//   - in the line that opens the fence: "go:b.go", "b.go", "go title=b.go";
//   - further up, with other text between, such a heading, if it is a heading of Markdown, in bold or behind "File:", or if
//     no other file is mentioned.
//
// Where no line does, but one between two blocks mentions a file (a path with a usual ending, or with slashes and any
// ending) that is not the one of the block before, the request is refused: which of the two is meant is not guessed. Other
// text around the blocks is ignored. Blocks without a file have an empty Op.Path: see [Plan.ForFile].
//
// Consecutive blocks for one file are the edits of one Op. A block with nothing to find creates the file, or inserts
// before its line if it gives one.
//
// Every error is a [*Refusal] with [ErrSyntax] and the line: a marker that is missing, misplaced or broken, or that
// belongs to another format, or a file that is in doubt. A request that ends inside a block is io.ErrUnexpectedEOF as well.
// Time and memory are linear in the length of text; the edits share the memory of text unless it has "\r\n".
func ParseBlocks(text string) (Plan, error) {
	p := blockParser{src: text, marks: findMarks(text)}
	for p.i < len(p.marks) {
		if err := p.block(); err != nil {
			return Plan{}, err
		}
	}
	if len(p.plan.Ops) == 0 {
		return Plan{}, syntax(1, "there is no SEARCH/REPLACE block here: expected a line \"<<<<<<< SEARCH\"")
	}
	return p.plan, nil
}

// A markKind is what a line means in a request of blocks.
type markKind int

const (
	markSearch    markKind = iota // "<<<<<<< SEARCH"
	markMiddle                    // "======="
	markReplace                   // ">>>>>>> REPLACE"
	markBroken                    // meant to be a SEARCH marker, but is none
	markBrokenEnd                 // meant to be a REPLACE marker, but is none
	markIndented                  // a SEARCH marker behind white space
	markCut                       // the beginning of a SEARCH marker, at the end of the request
	markForeign                   // a marker of another format
)

// A mark is a line that is a marker, wherever it stands.
type mark struct {
	kind       markKind
	n          int // of how many characters
	peer       int // index of the next mark of as many characters, 0 if there is none
	line       int // from 1
	start, end int // offsets of the line, and of the line after it
	text       string
}

type blockParser struct {
	src   string
	marks []mark
	i     int // the next mark to look at
	plan  Plan
	file  string    // the file that the last path named
	lines []gapLine // of the last gap, to be used again
}

// findMarks lists all lines that look like markers. Which of them are content is decided when the blocks are read.
func findMarks(src string) []mark {
	var marks []mark
	for in := (scanner{src: src}); in.scan(); {
		if kind, n, ok := blockMarker(&in); ok {
			marks = append(marks, mark{kind: kind, n: n, line: in.no, start: in.at, end: in.next, text: in.text})
		}
	}
	peers := map[int]int{}
	for i := len(marks) - 1; i >= 0; i-- {
		if marks[i].kind <= markReplace {
			marks[i].peer, peers[marks[i].n] = peers[marks[i].n], i
		}
	}
	return marks
}

// blockMarker reports which marker the current line is, if any, and of how many characters.
func blockMarker(in *scanner) (kind markKind, n int, ok bool) {
	switch {
	case in.text == "":
		return 0, 0, false
	case in.text[0] == ' ' || in.text[0] == '\t':
		return markIndented, 0, isBrokenSearch(strings.TrimLeft(in.text, " \t"))
	case strings.IndexByte("<-=>+*d", in.text[0]) < 0:
		return 0, 0, false
	}
	char := in.text[0]
	for n < len(in.text) && in.text[n] == char {
		n++
	}
	word := strings.TrimRight(in.text[n:], " \t")
	switch opens := char == '<' || char == '-'; {
	case opens && n >= 5 && isSearch(word):
		return markSearch, n, true
	case char == '=' && n >= 5 && word == "":
		return markMiddle, n, true
	case (char == '>' || char == '+') && n >= 5 && strings.TrimSuffix(word, ">") == " REPLACE":
		return markReplace, n, true
	case opens && isBrokenSearch(in.text):
		return markBroken, n, true
	case (char == '>' || char == '+') && n >= 2 && strings.HasPrefix(strings.TrimPrefix(word, " "), "REPLACE"):
		return markBrokenEnd, n, true
	case char == '<' && n >= 5 && in.next == len(in.src) && strings.HasPrefix(" SEARCH", in.text[n:]):
		return markCut, n, true
	case formatOf(in) != unknown:
		return markForeign, n, true
	}
	return 0, 0, false
}

// isSearch reports whether word may follow the characters of a SEARCH marker.
func isSearch(word string) bool {
	word, ok := strings.CutPrefix(word, " SEARCH")
	word = strings.TrimPrefix(word, ">")
	return ok && (word == "" || strings.HasPrefix(word, " line:"))
}

// isBrokenSearch reports whether a line looks as if it were meant to be a SEARCH marker.
func isBrokenSearch(s string) bool {
	word := strings.TrimLeft(s, "<-")
	return len(s)-len(word) >= 2 && strings.HasPrefix(strings.TrimPrefix(word, " "), "SEARCH")
}

// block reads the block that begins at the next mark.
func (p *blockParser) block() error {
	open := p.marks[p.i]
	if open.kind != markSearch {
		return p.stray(open)
	}
	middle, closing, ok := p.closeStrictly()
	if !ok {
		middle, closing, ok = p.closeLoosely()
	}
	if !ok {
		return p.unclosed()
	}
	if err := p.name(); err != nil {
		return err
	}
	e, err := p.edit(open, p.marks[middle], p.marks[closing])
	if err != nil {
		return err
	}
	p.add(e)
	p.i = closing + 1
	return nil
}

// closeStrictly finds the separator and the closing marker of the block at the next mark, by their number of characters.
func (p *blockParser) closeStrictly() (middle, closing int, ok bool) {
	middle = p.marks[p.i].peer
	closing = p.marks[middle].peer
	return middle, closing, middle > 0 && closing > 0 && p.marks[middle].kind == markMiddle && p.marks[closing].kind == markReplace
}

// closeLoosely finds them if there are exactly one separator and one closing marker up to the next block.
func (p *blockParser) closeLoosely() (middle, closing int, ok bool) {
	for i := p.i + 1; i < len(p.marks) && p.marks[i].kind != markSearch; i++ {
		switch p.marks[i].kind {
		case markMiddle:
			if middle > 0 {
				return 0, 0, false
			}
			middle = i
		case markReplace:
			if closing > 0 || middle == 0 {
				return 0, 0, false
			}
			closing = i
		}
	}
	return middle, closing, closing > 0
}

// stray is the refusal of a mark outside a block that does not begin one.
func (p *blockParser) stray(m mark) error {
	quoted := quote(m.text)
	switch m.kind {
	case markMiddle:
		return syntax(m.line, "the separator "+quoted+" stands outside a block: expected \"<<<<<<< SEARCH\" and the lines to find before it")
	case markReplace:
		return syntax(m.line, quoted+" stands outside a block: expected \"<<<<<<< SEARCH\", the lines to find, \"=======\" and "+
			"the new lines before it; if it is content, give the markers around it more characters")
	case markBrokenEnd:
		return brokenEnd(m)
	case markIndented:
		return indentedMarker(m.line, m.text)
	case markCut:
		return cutOff(m.line, p.plan, "the request was cut off in a SEARCH marker: send it again, whole")
	case markForeign:
		return mixed(m.line, quoted, "SEARCH/REPLACE blocks")
	}
	return syntax(m.line, quoted+" is no marker: expected \"<<<<<<< SEARCH\" (five or more \"<\", one space, SEARCH)")
}

func indentedMarker(line int, text string) error {
	return syntax(line, quote(text)+" stands behind white space: expected every marker in the first column, and the lines as they "+
		"are in the file")
}

func brokenEnd(m mark) error {
	return syntax(m.line, quote(m.text)+" is no marker: expected \">>>>>>> REPLACE\" (five or more \">\", one space, REPLACE)")
}

// unclosed is the refusal of the block at the next mark, which has no end.
func (p *blockParser) unclosed() error {
	open := p.marks[p.i]
	block := "the block that begins on line " + strconv.Itoa(open.line)
	separated := 0
	closes := slices.ContainsFunc(p.marks[p.i+1:], func(m mark) bool { return m.kind == markReplace || m.kind == markSearch })
	for _, m := range p.marks[p.i+1:] {
		switch {
		case m.kind == markSearch:
			return syntax(m.line, "a block begins before "+block+" has ended: expected "+expected(separated)+" before it")
		case m.kind == markMiddle && separated > 0 && closes:
			return syntax(m.line, "a second separator in "+block+": expected \">>>>>>> REPLACE\"; if one of them is content, "+
				"give the markers of the block more characters")
		case m.kind == markMiddle && separated == 0:
			separated = m.line
		case m.kind == markReplace && separated == 0:
			return syntax(m.line, quote(m.text)+" ends "+block+" without a separator: expected \"=======\" between the lines to "+
				"find and the new lines")
		case m.kind == markReplace:
			return syntax(m.line, "it is not clear where "+block+" ends: use as many characters in \"=======\" and "+
				"\">>>>>>> REPLACE\" as in its SEARCH marker, and fewer in its content")
		}
	}
	for _, m := range p.marks[p.i+1:] {
		if m.kind == markBrokenEnd {
			return brokenEnd(m)
		}
	}
	return cutOff(open.line, p.plan, "the request was cut off in "+block+": expected "+expected(separated)+"; send it again, whole")
}

// expected says what is missing in a block that has a separator on that line (0: none).
func expected(separated int) string {
	if separated == 0 {
		return "\"=======\" and \">>>>>>> REPLACE\""
	}
	return "\">>>>>>> REPLACE\""
}

// edit makes an edit of a block: its hint lines, the text to find and the new text. An edit that finds nothing, and has
// no line, creates its file.
func (p *blockParser) edit(open, middle, closing mark) (Edit, error) {
	near, search := 0, open.end
	if _, hint, ok := strings.Cut(open.text, " line:"); ok {
		n, err := strconv.Atoi(strings.TrimSpace(hint))
		if err != nil || n < 1 {
			return Edit{}, badHint(open.line, open.text)
		}
		near = n
	}
	for in := (scanner{src: p.src[:middle.start], next: open.end, no: open.line}); in.scan(); {
		name, hint, ok := hintOnLine(in.text)
		if !ok && search > open.end && isDashes(in.text) {
			search = in.next
		}
		if !ok {
			break
		}
		n, err := strconv.Atoi(hint)
		if err != nil || n < 1 {
			return Edit{}, badHint(in.no, in.text)
		}
		if name == "start_line" {
			near = n
		}
		search = in.next
	}
	in := scanner{src: p.src[:closing.start], next: middle.end, no: middle.line}
	if in.scan() {
		if _, _, ok := hintOnLine(in.text); ok {
			return Edit{}, syntax(in.no, quote(in.text)+" stands below the separator: expected right below SEARCH, before the lines to find")
		}
	}
	e := Edit{Old: wholeLines(p.src[search:middle.start]), New: wholeLines(p.src[middle.end:closing.start]), WholeLines: true, Near: near}
	switch {
	case e.Old == "" && near > 0:
		e.First, e.Near = near, 0
	case e.Old == "" && !strings.HasSuffix(p.src[:middle.end], "\r\n"):
		e.New = p.src[middle.end:closing.start] // a new file, whose "\r\n" are not those of the request
	}
	return e, nil
}

// hintOnLine splits a hint line such as ":start_line:12".
func hintOnLine(s string) (name, value string, ok bool) {
	s, ok = strings.CutPrefix(strings.TrimSpace(s), ":")
	if !ok {
		return "", "", false
	}
	name, value, ok = strings.Cut(s, ":")
	return name, strings.TrimSpace(value), ok && (name == "start_line" || name == "end_line")
}

func isDashes(s string) bool {
	s = strings.TrimRight(s, " \t")
	return len(s) >= 5 && strings.Trim(s, "-") == ""
}

func badHint(line int, text string) error {
	return syntax(line, quote(text)+" gives no line: expected a number from 1, as in \":start_line:12\"")
}

// add adds an edit to the plan: to the last operation if that is on the same file.
func (p *blockParser) add(e Edit) {
	last := len(p.plan.Ops) - 1
	switch {
	case e.Old == "" && e.First == 0:
		p.plan.Ops = append(p.plan.Ops, Op{Kind: OpCreate, Path: p.file, Content: e.New})
	case last >= 0 && p.plan.Ops[last].Path == p.file:
		p.plan.Ops[last].Edits = append(p.plan.Ops[last].Edits, e)
	default:
		p.plan.Ops = append(p.plan.Ops, Op{Path: p.file, Edits: []Edit{e}})
	}
}
