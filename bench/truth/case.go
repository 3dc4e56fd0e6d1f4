package main

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// A testCase is a request about a file, and what it means.
type testCase struct {
	number   int
	kind     string    // of the file
	hunks    []hunk    // in the order of the file
	below    []string  // lines of the file below the last hunk
	requests []request // by hunk
	bare     []request // the requests without line numbers
	reversed bool      // the request has the last hunk first
	endings  endings
	damages  []string
}

// A hunk is the change of one place: its context lines, the old lines and the new lines.
type hunk struct {
	above                   []string // lines of the file between the hunk before and this one
	before, old, new, after []string

	below []string // lines of the file between this one and the next, while the request is damaged
	at    int      // the number of its first line then
}

// length returns the number of lines that a hunk has in the file.
func (h *hunk) length() int { return len(h.before) + len(h.old) + len(h.after) }

// asStrings makes substring edits.
var asStrings bool

// A request has the old and new lines of an edit.
type request struct{ old, new []string }

var (
	word    = regexp.MustCompile(`[A-Za-z]{3}`)
	subject = regexp.MustCompile("^\\s*(//|#|/?\\*|--|;|<!--|@\\w|[-*+] |\\d+\\. |\\||```|\"\"\"|case |" +
		"default:|\\w+:\\s*$)")
)

// newCase makes a request for a file. It returns nil if the request would show only blank lines.
func newCase(rnd *rand.Rand, f file) *testCase {
	c := &testCase{kind: f.kind}
	lines := f.lines
	if rnd.IntN(16) == 0 {
		lines = fillBlanks(lines)
		c.damages = append(c.damages, "file: spaces in blank lines")
	}
	at := 0
	for range 1 + rnd.IntN(3) {
		h, ok := newHunk(rnd, f.unit, lines[at:])
		if !ok {
			break
		}
		at += len(h.above) + h.length()
		c.hunks = append(c.hunks, h)
	}
	if len(c.hunks) == 0 {
		return nil
	}
	c.below = lines[at:]
	if rnd.IntN(8) == 0 {
		c.loseContext(rnd)
	}
	if rnd.IntN(4) == 0 {
		c.addLookAlike(rnd, f.unit)
	}
	c.damage(rnd, f.unit)
	return c
}

// newHunk makes a change of some of the lines. It reports false if there are too few lines, or if those that it would
// show say nothing.
func newHunk(rnd *rand.Rand, unit string, lines []string) (h hunk, ok bool) {
	if len(lines) < 12 {
		return h, false
	}
	start := rnd.IntN(min(len(lines)-8, 60))
	n := rnd.IntN(4)
	if rnd.IntN(3) == 0 { // a comment, a heading, an entry of a list, a label
		for i := start; i < min(len(lines)-8, start+30); i++ {
			if subject.MatchString(lines[i]) {
				start = i
				break
			}
		}
	}
	context := 1 + rnd.IntN(4)
	from := max(0, start-context)
	h = hunk{
		above:  lines[:from],
		before: slices.Clone(lines[from:start]),
		old:    slices.Clone(lines[start : start+n]),
		after:  slices.Clone(lines[start+n : min(len(lines), start+n+context)]),
	}
	h.new = change(rnd, h, unit)
	return h, h.saysSomething()
}

// loseContext lets hunks show no context on one side.
func (c *testCase) loseContext(rnd *rand.Rand) {
	c.damages = append(c.damages, "less context")
	for i, h := range c.hunks {
		short := h
		if rnd.IntN(2) == 0 {
			if short.before = nil; short.saysSomething() {
				short.above = slices.Concat(h.above, h.before)
				c.hunks[i] = short
			}
		} else if short.after = nil; short.saysSomething() {
			c.hunks[i] = short
			gap := c.gap(i + 1)
			*gap = slices.Concat(h.after, *gap)
		}
	}
}

// change makes the new lines of a hunk. It edits some of the old ones, inserts lines like those around them, or puts
// the old ones a level deeper.
func change(rnd *rand.Rand, h hunk, unit string) []string {
	var new []string
	if unit != "" && len(h.old) > 0 && !edge(h.old[0]) && len(indentOf(h.old[0]))%len(unit) == 0 && rnd.IntN(8) == 0 {
		new = append(new, indentOf(h.old[0])+"wrapped in (")
		for _, l := range h.old {
			if !edge(l) {
				l = unit + l
			}
			new = append(new, l)
		}
		return append(new, indentOf(h.old[0])+")")
	}
	for _, l := range h.old {
		switch rnd.IntN(4) {
		case 0: // removed
		case 1:
			new = append(new, l)
		default:
			new = append(new, strings.Replace(l, "e", "ee", 1+rnd.IntN(3)))
		}
	}
	if slices.Equal(new, h.old) || rnd.IntN(3) == 0 {
		model := append(slices.Clone(h.before), h.after...)
		for range 1 + rnd.IntN(3) {
			if l := model[rnd.IntN(len(model))]; strings.TrimSpace(l) != "" {
				new = append(new, strings.Replace(l, "a", "added", 1)+"x")
			}
		}
	}
	if slices.Equal(new, h.old) { // this program has no hunks of context lines alone
		new = append(new, indentOf(h.model())+"added")
	}
	return new
}

// model returns a context line that is not blank, "" if there is none.
func (h *hunk) model() string {
	for _, l := range slices.Concat(h.before, h.after) {
		if !edge(l) {
			return l
		}
	}
	return ""
}

// fillBlanks returns lines with spaces in every blank one.
func fillBlanks(lines []string) []string {
	filled := slices.Clone(lines)
	for i, l := range filled {
		if l == "" {
			filled[i] = "    "
		}
	}
	return filled
}

// edits returns the request.
func (c *testCase) edits() (edits []atomicedit.Edit) {
	for _, r := range c.requests {
		e := atomicedit.Edit{Old: c.endings.request(r.old), New: c.endings.request(r.new), WholeLines: true}
		if asStrings {
			trim := func(s string) string { return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r") }
			e = atomicedit.Edit{Old: trim(e.Old), New: trim(e.New)}
		}
		edits = append(edits, e)
	}
	if c.reversed {
		slices.Reverse(edits)
	}
	return edits
}

// places returns the number of the first line of each hunk.
func (c *testCase) places() (at []int) {
	line := 1
	for _, h := range c.hunks {
		line += len(h.above)
		at = append(at, line)
		line += h.length()
	}
	return at
}

// src returns the text of the file.
func (c *testCase) src() string {
	var lines []string
	for _, h := range c.hunks {
		lines = slices.Concat(lines, h.above, h.before, h.old, h.after)
	}
	return c.endings.file(append(lines, c.below...))
}

// A wantedLine is a line of the result. It is kept if the file has it and no edit changes it.
type wantedLine struct {
	text string
	kept bool
	hunk int // -1 below the last hunk
}

// wanted returns the lines of the result. A context line that is equal to a new line may be either.
func (c *testCase) wanted() (lines []wantedLine) {
	for i, h := range c.hunks {
		for _, l := range h.above {
			lines = append(lines, wantedLine{l, true, i})
		}
		for _, part := range [][]string{h.before, h.new, h.after} {
			for _, l := range part {
				lines = append(lines, wantedLine{l, !slices.Contains(h.new, l), i})
			}
		}
	}
	for _, l := range c.below {
		lines = append(lines, wantedLine{l, true, -1})
	}
	return lines
}

// want returns the text of the result. The endings of new lines may be others.
func (c *testCase) want() string {
	var lines []string
	for _, l := range c.wanted() {
		lines = append(lines, l.text)
	}
	return c.endings.file(lines)
}
