// Package blocks reads SEARCH/REPLACE blocks into a plan, and prints one as such. docs/reading.md has the markers, and
// the ways to name a file. Time and memory are linear in the request; edits share its memory unless it has "\r\n".
package blocks

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/filehint"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

func Parse(request string) (plan.Plan, error) {
	p, err := Read(request, false)
	return p, plan.OrEscaped(request, err)
}

// Read reads blocks. With more, the request goes on, which counts as cut off.
func Read(request string, more bool) (plan.Plan, error) {
	p, in := parser{src: request, plan: plan.Plan{Format: "blocks"}}, text.Scanner{Src: request}
	for in.Scan() {
		if kind, n, ok := ReadMarker(&in); ok {
			p.markers = append(p.markers, markerLine{in, kind, n})
		}
	}
	for p.err == nil && len(p.markers) > 0 {
		if p.readBlock(more); p.err != nil && !more {
			p.goOn()
		}
	}
	p.plan.NumberEdits()
	switch {
	case len(p.problems) > 0:
		if p.unclear {
			p.plan.Ops = nil
		}
		return plan.Plan{}, p.plan.RefuseAll(p.problems, p.err)
	case p.err != nil:
		return plan.Plan{}, p.err
	case more:
		return plan.Plan{}, plan.CutOff(in.No, p.plan, plan.GoesOn)
	case len(p.plan.Ops) == 0:
		return plan.Plan{}, plan.Syntax(1, "there is no SEARCH/REPLACE block here: expected a line \"<<<<<<< SEARCH\"")
	}
	return p.plan, nil
}

type markerKind int

const (
	SearchMarker   markerKind = iota // "<<<<<<< SEARCH"
	separator                        // "======="
	ReplaceMarker                    // ">>>>>>> REPLACE"
	BrokenSearch                     // seems to be meant as a SEARCH marker, but is not one
	brokenReplace                    // seems to be meant as a REPLACE marker, but is not one
	indentedSearch                   // a SEARCH marker after whitespace
	halfSearch                       // the beginning of a SEARCH marker, at the end of the request
	foreignMarker                    // of another format
)

// A markerLine is a line that looks like a marker. It may be content.
type markerLine struct {
	text.Scanner // at the line
	kind         markerKind
	n            int // the number of its characters
}

type parser struct {
	src      string
	err      error          // the problem of what is being read, behind which nothing counts
	problems []plan.Problem // of the blocks above that are malformed: the request is refused
	unclear  bool           // whether the lines above a block name its file
	markers  []markerLine   // what looks like a marker, from that of the block being read on
	above    text.Scanner   // in front of the lines above the block
	plan     plan.Plan
	file     string // of the last block
}

// ReadMarker returns the marker that the current line looks like, if any, and the number of its characters.
func ReadMarker(in *text.Scanner) (kind markerKind, n int, ok bool) {
	switch s := text.Unindented(in.Line); {
	case s == "" || strings.IndexByte("<-=>+*d`[", s[0]) < 0:
		return 0, 0, false // most lines
	case len(s) < len(in.Line) && marker.IsPatchBegin(s):
		return foreignMarker, 0, true
	case len(s) < len(in.Line):
		return indentedSearch, 0, marker.ResemblesSearch(s)
	}
	char := in.Line[0]
	n = len(in.Line) - len(strings.TrimLeft(in.Line, in.Line[:1]))
	word := strings.TrimRight(in.Line[n:], " \t")
	switch opens, closes := char == '<' || char == '-', char == '>' || char == '+'; {
	case opens && n >= 5 && isSearch(word), char == '<' && marker.IsOriginal(in.Line):
		return SearchMarker, n, true
	case char == '=' && n >= 5 && word == "":
		return separator, n, true
	case closes && n >= 5 && strings.TrimSuffix(word, ">") == " REPLACE", char == '>' && n >= 5 && word == " UPDATED":
		return ReplaceMarker, n, true
	case opens && marker.ResemblesSearch(in.Line):
		return BrokenSearch, n, true
	case closes && n >= 2 && strings.HasPrefix(strings.TrimPrefix(word, " "), "REPLACE"):
		return brokenReplace, n, true
	case char == '<' && n >= 5 && in.Next == len(in.Src) &&
		(strings.HasPrefix(" SEARCH", in.Line[n:]) || strings.HasPrefix(" ORIGINAL", in.Line[n:])):
		return halfSearch, n, true
	case marker.Of(in) != marker.None:
		return foreignMarker, n, true
	}
	return 0, 0, false
}

// isSearch reports whether word may follow the characters of a SEARCH marker.
func isSearch(word string) bool {
	word, ok := strings.CutPrefix(word, " SEARCH")
	word = strings.TrimPrefix(word, ">")
	_, hinted := hintOnMarker(word)
	return ok && (word == "" || hinted)
}

// hintOnMarker returns the line number after "line:" or "line=". Word is what follows SEARCH on its marker.
func hintOnMarker(word string) (hint string, ok bool) {
	word, ok = strings.CutPrefix(word, " line")
	if !ok || word == "" || word[0] != ':' && word[0] != '=' {
		return "", false
	}
	return strings.TrimSpace(word[1:]), true
}

// goOn notes the problem of a malformed block and goes to the next one, so that all problems are told at once.
func (p *parser) goOn() {
	bad := plan.Malformed(p.err, p.problems)
	if bad == nil {
		return
	}
	line := bad.Problems[0].Line // that of the next block at the earliest, which may be what does not fit
	if open := p.markers[0]; open.opens() {
		line = max(line, open.No+1)
		p.findFile(open)
		p.add(plan.Edit{First: -1})
	}
	p.problems, p.err = append(p.problems, bad.Problems...), nil
	next := slices.IndexFunc(p.markers, func(m markerLine) bool { return m.No >= line && m.opens() })
	if next < 0 {
		p.markers = nil
		return
	}
	above := line - 1
	if p.markers[next].No == line { // the line above it may be content
		p.unclear, above = true, line-2
	}
	for p.above = (text.Scanner{Src: p.src}); p.above.No < above && p.above.Scan(); {
	}
	for _, m := range p.markers[:next] {
		if m.No > line && m.kind == ReplaceMarker {
			p.above = m.Scanner
		}
	}
	p.markers = p.markers[next:]
}

// readBlock reads the block that begins at the first marker. With more, it reads none whose end may change.
func (p *parser) readBlock(more bool) {
	open := p.markers[0]
	switch open.kind {
	case SearchMarker:
	case halfSearch:
		p.err = plan.CutOff(open.No, p.plan, "the request was cut off in a SEARCH marker: send it again in full")
		return
	case foreignMarker:
		p.err = plan.MixedFormats(open.No, plan.Excerpt(open.Line), "SEARCH/REPLACE blocks")
		return
	default:
		p.err = open.refusal()
		return
	}
	middle := p.alike(0)
	closing := p.alike(middle)
	mayBe := func(i int, kind markerKind) bool { return i == 0 || p.markers[i].kind == kind }
	if fits := mayBe(middle, separator) && mayBe(closing, ReplaceMarker); !fits || closing == 0 {
		if more && (fits || !slices.ContainsFunc(p.markers[1:], markerLine.opens)) {
			p.markers = nil
			return
		}
		middle, closing, p.err = p.looseMarkers()
	}
	if p.err != nil {
		return
	}
	p.findFile(open)
	end := p.markers[closing]
	if e := p.edit(open, p.markers[middle], end); p.err == nil {
		p.add(e)
		p.above, p.markers = end.Scanner, p.markers[closing+1:]
	}
}

func (m markerLine) opens() bool { return m.kind == SearchMarker }

// alike returns the index of the next marker after one that has as many characters as the first, 0 if there is none.
func (p *parser) alike(after int) int {
	for i := after + 1; i < len(p.markers); i++ {
		if m := p.markers[i]; m.kind <= ReplaceMarker && m.n == p.markers[0].n {
			return i
		}
	}
	return 0
}

// looseMarkers returns the indices of the separator and the closing marker of the block at the first marker, if there
// is exactly one of either before the next block. Otherwise, it refuses the block, which has no end.
func (p *parser) looseMarkers() (middle, closing int, err error) {
	open, lacks := p.markers[0], "\"=======\" and \">>>>>>> REPLACE\""
	block := "the block that begins on line " + strconv.Itoa(open.No)
	ends := func(m markerLine) bool { return m.kind == ReplaceMarker || m.opens() }
	closes := slices.ContainsFunc(p.markers[1:], ends)
	for i := 1; i < len(p.markers) && !(closing > 0 && p.markers[i].opens()); i++ {
		switch m := p.markers[i]; {
		case m.opens():
			return 0, 0, plan.Syntax(m.No, "a block begins before "+block+" has ended: expected "+lacks+" before it")
		case closing > 0 && (m.kind == separator || m.kind == ReplaceMarker):
			return 0, 0, plan.Syntax(p.markers[closing].No, "it is unclear where "+block+" ends: use as many "+
				"characters in \"=======\" and \">>>>>>> REPLACE\" as in its SEARCH marker, and fewer in its content")
		case m.kind == separator && middle == 0:
			middle, lacks = i, "\">>>>>>> REPLACE\""
		case m.kind == separator && closes && !p.repeatsSeparator(middle, i):
			return 0, 0, plan.Syntax(m.No, "a second separator in "+block+": expected \">>>>>>> REPLACE\"; if one of "+
				"them is content, make the markers of the block longer")
		case m.kind == brokenReplace && !closes:
			return 0, 0, m.refusal()
		case m.kind == ReplaceMarker && middle == 0:
			return 0, 0, plan.BadLine(&m.Scanner, " ends "+block+" without a separator: expected \"=======\" between "+
				"the lines to find and the new lines")
		case m.kind == ReplaceMarker:
			if closing = i; i-1 != middle && p.markers[i-1].kind == separator {
				p.markers[i].At = p.markers[i-1].At // it is no content
			}
		}
	}
	if closing == 0 {
		err = plan.CutOff(open.No, p.plan, "the request was cut off in "+block+": expected "+lacks+
			"; send it again in full")
	}
	return middle, closing, err
}

// repeatsSeparator reports whether a second separator is above the closing marker, and neither underlines a heading.
func (p *parser) repeatsSeparator(first, second int) bool {
	if second+1 == len(p.markers) {
		return false
	}
	m, closing := p.markers[second], p.markers[second+1]
	return closing.kind == ReplaceMarker && closing.At == m.Next &&
		!mayBeHeading(p.src[:p.markers[first].At]) &&
		(second == first+1 && p.markers[first].Next == m.At || !mayBeHeading(p.src[:m.At]))
}

// mayBeHeading reports whether the last line of s may be a heading, as it is neither blank, indented nor surely code.
func mayBeHeading(s string) bool {
	s = strings.TrimSuffix(s, "\n")
	line := strings.TrimRight(s[strings.LastIndexByte(s, '\n')+1:], " \t\r")
	return line != "" && strings.IndexByte(" \t})]", line[0]) < 0 && strings.IndexByte(";{}([,", line[len(line)-1]) < 0
}

// misplaced says of a line outside all blocks, in place of %s, why it begins none.
var misplaced = map[markerKind]string{
	separator: `the separator %s is outside a block: expected "<<<<<<< SEARCH" and the lines to find before it`,
	ReplaceMarker: `%s is outside a block: expected "<<<<<<< SEARCH", the lines to find, "=======" and the new lines ` +
		`before it; if it is content, make the markers around it longer`,
	BrokenSearch:  `%s is not a marker: expected "<<<<<<< SEARCH" (five or more "<", one space, SEARCH)`,
	brokenReplace: `%s is not a marker: expected ">>>>>>> REPLACE" (five or more ">", one space, REPLACE)`,
	indentedSearch: `%s is indented: expected every marker in the first column, and the other lines exactly as in ` +
		`the file`,
}

func (m markerLine) refusal() error {
	return plan.Syntax(m.No, fmt.Sprintf(misplaced[m.kind], plan.Excerpt(m.Line)))
}

func IndentedMarker(in text.Scanner) error { return markerLine{in, indentedSearch, 0}.refusal() }

// findFile finds the file of the block that begins at m in the lines above it.
func (p *parser) findFile(m markerLine) {
	above := p.above
	above.Src = p.src[:m.At]
	hint, conflict := filehint.File(filehint.Lines(above, above.No > 0), p.file)
	if conflict != nil {
		p.err = plan.DoubtfulFile(conflict, "block", m.No,
			"the path of its file alone on the line right above the block, in backquotes if it has spaces")
	}
	p.file = cmp.Or(hint.Path, p.file)
}

// edit returns the edit of a block. A block with nothing to find and no line hint creates its file.
func (p *parser) edit(open, middle, closing markerLine) plan.Edit {
	near, old := p.readHints(open, middle)
	below := middle.Scanner
	if below.Src = below.Src[:closing.At]; below.Scan() {
		if _, _, ok := hintOnLine(below.Line); ok && p.err == nil {
			p.err = plan.BadLine(&below, " is below the separator: expected it right below SEARCH, before the lines "+
				"to find")
		}
	}
	e := plan.Edit{Old: text.EndLines(p.src[old:middle.At]),
		New: text.EndLines(p.src[middle.Next:closing.At]), WholeLines: true, Near: near}
	switch {
	case e.Old == "" && near > 0:
		e.First, e.Near = near, 0
	case e.Old == "" && !strings.HasSuffix(p.src[:middle.Next], "\r\n"):
		e.New = p.src[middle.Next:closing.At] // a new file, whose "\r\n" are not those of the request
	}
	return e
}

// readHints reads the line hints on a SEARCH marker and below it. Old is the offset of the lines to find.
func (p *parser) readHints(open, middle markerLine) (near, old int) {
	_, word, _ := strings.Cut(open.Line, "SEARCH")
	if hint, ok := hintOnMarker(strings.TrimPrefix(word, ">")); ok {
		near = p.lineNumber(hint, &open.Scanner)
	}
	old = open.Next
	in := open.Scanner
	for in.Src = in.Src[:middle.At]; in.Scan(); {
		name, hint, ok := hintOnLine(in.Line)
		if !ok {
			rule := strings.TrimRight(in.Line, " \t")
			if old > open.Next && len(rule) >= 5 && strings.Trim(rule, "-") == "" {
				old = in.Next
			}
			break
		}
		if n := p.lineNumber(hint, &in); name == "start_line" {
			near = n
		}
		old = in.Next
	}
	return near, old
}

// hintOnLine splits a hint line such as ":start_line:12".
func hintOnLine(s string) (name, value string, ok bool) {
	s, begins := strings.CutPrefix(strings.TrimSpace(s), ":")
	name, value, ok = strings.Cut(s, ":")
	return name, strings.TrimSpace(value), begins && ok && (name == "start_line" || name == "end_line")
}

// lineNumber reads the number in a hint, which is on the current line of in.
func (p *parser) lineNumber(number string, in *text.Scanner) int {
	n, err := strconv.Atoi(number)
	if (err != nil || n < 1) && p.err == nil {
		p.err = plan.BadLine(in, " gives no line number: expected a number of at least 1, as in \":start_line:12\"")
	}
	return n
}

// add adds an edit to the plan: to the last operation if that is on the same file.
func (p *parser) add(e plan.Edit) {
	last := len(p.plan.Ops) - 1
	if e.Old == "" && e.First == 0 {
		p.plan.Ops = append(p.plan.Ops, plan.Op{Kind: plan.OpCreate, Path: p.file, Content: e.New})
		return
	}
	if last < 0 || p.plan.Ops[last].Path != p.file {
		p.plan.Ops = append(p.plan.Ops, plan.Op{Path: p.file})
		last++
	}
	p.plan.Ops[last].Edits = append(p.plan.Ops[last].Edits, e)
}
