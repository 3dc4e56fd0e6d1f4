package place

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Lessons have what the placed edits of a request show together about the text, for the benefit of each of them.
type lessons struct {
	text    text.Text
	all     []judged
	lexicon text.Lexicon
	taught  *style
	room    [4]shift // memory for the shifts of one placement
}

// A style has what the edits of a request show together about indentation.
type style struct {
	unit  func() (step string, times int) // the text's commonest step, "" if none is common enough, and its number
	step  func() string                   // the greatest step that all of the request is in multiples of, or ""
	other bool                            // some edit has another style than the text: tabs, spaces or other steps
	moved bool                            // some edit has lines at another depth than the text
	// some edit of another style has a line more or fewer steps deep than the text
	uneven bool
}

// style returns the style of the request, the same one each time. An edit that is not placed shows nothing.
func (ls *lessons) style() *style {
	if ls.taught != nil {
		return ls.taught
	}
	s := &style{
		unit: sync.OnceValues(func() (string, int) { return outline.CommonestStep(ls.text) }),
		step: sync.OnceValue(ls.requestStep),
	}
	ls.taught = s
	for i := range ls.all {
		if w := &ls.all[i]; w.placed() && w.candidates[0].ignores != nothing { // else it has the text's style
			o := ls.observe(w.at(0), nil)
			other := o.isOtherStyle()
			s.moved, s.other, s.uneven = s.moved || !o.same, s.other || other, s.uneven || other && o.isUneven()
		}
	}
	return s
}

func (ls *lessons) unit() string {
	unit, _ := ls.style().unit()
	return unit
}

// isOtherStyle reports whether the request is written in another style than the text.
func (o *observation) isOtherStyle() bool {
	if o.same {
		return false
	}
	unit := o.ls.unit()
	oneStep := func(s shift) bool { return s.to == unit && s.from != "" && s.from != unit }
	if _, shifted := o.prefix(); !shifted && !o.cutOff &&
		(!o.isColumnOff() || slices.ContainsFunc(o.shifts, oneStep)) {
		return true
	}
	c, counts := o.scale()
	return counts && o.isRescaled(c)
}

// isUneven reports whether a line is more or fewer steps deep than the text has it, as far as both have steps.
func (o *observation) isUneven() bool {
	c := scale{o.ls.style().step(), o.ls.unit()}
	return c.from != "" && c.to != "" && slices.ContainsFunc(o.shifts, func(s shift) bool {
		to, ok := c.count(s.from, shift{})
		return ok && to != s.to
	})
}

// requestStep returns a tab if a line of the request has one, or the greatest step that all are multiples of, or "".
func (ls *lessons) requestStep() string {
	var indents []string
	for i := range ls.all {
		p := &ls.all[i].plain
		if ls.all[i].placed() {
			p = ls.all[i].reading
		}
		indents = append(indents, indentations(slices.Concat(p.old, p.new))...)
	}
	step := 0
	for _, s := range indents {
		if strings.Contains(s, "\t") {
			return "\t"
		}
		for a := max(len(s)-len(indents[0]), len(indents[0])-len(s)); a != 0; { // the greatest common divisor
			step, a = a, step%a
		}
	}
	if step == 1 { // alignment
		return ""
	}
	return strings.Repeat(" ", step)
}

// A scale is one step of indentation, as the request and as the text have it.
type scale struct{ from, to string }

// scale returns the step of the request and the text's commonest step. It reports false if one of them is unknown, or
// if a matched line contradicts them, or a line of another edit where the matched ones show nothing (I3).
func (o *observation) scale() (c scale, ok bool) {
	c = scale{o.ls.style().step(), o.ls.unit()}
	if c.from == "" || c.to == "" || o.same && o.ls.style().uneven {
		return c, false
	}
	for _, s := range o.shifts {
		n := strings.Count(s.to, c.to)
		whole := s.to == strings.Repeat(c.to, n)
		switch {
		case c.from == "\t":
			if c.to != "\t" && strings.Contains(s.from, "\t") && strings.Contains(s.to, "\t") {
				return c, false // a tab is a tab in the text too
			}
		case len(c.from) > 4 && !(whole && len(s.from) == n*len(c.from)):
			return c, false // several steps of the text may look like one of the request
		case whole && n > 0 && len(s.from) > n*len(c.from):
			return c, false // the request has half a step, or the line is deeper in the request
		}
	}
	return c, true
}

// count counts steps from the matched lines. All that it can count from must agree (I3). Spaces after tabs align.
func (o *observation) count(indent string, c scale) (answer string, found bool) {
	rest := ""
	if c.from == "\t" {
		if tabs := strings.TrimRight(indent, " "); tabs != "" || indent == " " { // in front of stars
			rest = indent[len(tabs):]
		}
	}
	for _, s := range o.shifts {
		if to, ok := c.count(strings.TrimSuffix(indent, rest), s); ok {
			if to += rest; found && to != answer {
				return "", false
			}
			answer, found = to, true
		}
	}
	return answer, found
}

// count returns the indentation of the text for one of the request, in steps from the shift of a matched line.
func (c scale) count(indent string, s shift) (string, bool) {
	more, deeper := strings.CutPrefix(indent, s.from)
	less, shallower := strings.CutPrefix(s.from, indent)
	if deeper {
		n := len(more) / len(c.from)
		return s.to + strings.Repeat(c.to, n), more == strings.Repeat(c.from, n)
	}
	n := len(less) / len(c.from)
	to, ok := strings.CutSuffix(s.to, strings.Repeat(c.to, n))
	return to, ok && shallower && less == strings.Repeat(c.from, n)
}

// isRescaled reports whether every matched line may be at the same level in request and text, in other steps.
func (o *observation) isRescaled(c scale) bool {
	return !slices.ContainsFunc(o.shifts, func(s shift) bool {
		n := len(s.from) / len(c.from)
		return s.from != strings.Repeat(c.from, n) || s.to != strings.Repeat(c.to, n)
	})
}

// notesStyle notes that a new line is indented in another style than the text, if it is.
func (b *builder) notesStyle(indent string) bool {
	isLike := func(s shift) bool { return s.to != "" && s.to[0] == indent[0] }
	if indent == "" || slices.ContainsFunc(b.shifts, isLike) || b.ls.unit() == "" {
		return false
	}
	unit := b.ls.unit()
	own, others := styleOf(indent), styleOf(unit)
	if own == others {
		c, ok := b.scale()
		if !ok || len(c.from) == 1 || c.from == unit { // one space is alignment
			return false
		}
		own, others = fmt.Sprint(len(c.from), " ", own), fmt.Sprint(len(unit), " ", others)
	}
	b.note(-1, "the new lines are indented with %s, the file with %s; they were inserted as requested", own, others)
	return true
}

func styleOf(indent string) string {
	if indent[0] == '\t' {
		return "tabs"
	}
	return "spaces"
}
