package place

import (
	"slices"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// New lines may already be in the text's terms, indented as the text is, though the old ones are not (I4). A model that
// copied the old lines from memory may write the new ones as the file has its lines. New lines that copy old ones tell
// in which terms they are.

// A term is a way to read the indentation of new lines.
type term int

const (
	noTerm      term = iota // no new line copies an old one
	requestTerm             // a copy is indented as the request has its line, and not as the text has it
	textTerm                // each copy is indented as the text has its line
)

// terms returns the terms of the new lines that copy old ones. Brackets are no copies.
func (o *observation) terms() (t term) {
	for _, g := range o.p.groups {
		for j := g.NewFrom; j < g.NewTo; j++ {
			l := o.p.new[j]
			_, body, _ := text.Parts(l)
			if !text.HasLetterOrDigit(body) || o.p.copyOf(g, j, o.at) < 0 {
				continue
			}
			inText := func(i int) bool { return o.at[i].Real() && string(o.text.Bytes(o.at[i])) == l }
			inRequest := func(i int) bool { return o.p.old[i] == l }
			switch {
			case slices.ContainsFunc(o.p.byBody[body], inText):
				t = textTerm
			case slices.ContainsFunc(o.p.byBody[body], inRequest):
				return requestTerm
			default: // it is moved to another depth
				return noTerm
			}
		}
	}
	return t
}

// hasOwnDepth reports whether the outermost new line of a group is as deep as the old ones are in the text, but not as
// deep as they are in the request. Where no line is removed, the lines around the group count, if the upper one opens
// nothing.
func (o *observation) hasOwnDepth(g linediff.Group) bool {
	from, to := g.OldFrom, g.OldTo
	if from == to {
		upper, lower := outline.Neighbour(o.p.old, from, -1), outline.Neighbour(o.p.old, to-1, 1)
		s, above := o.shiftAt(upper)
		t, below := o.shiftAt(lower)
		switch {
		case above && (outline.Opens(o.p.old[upper]) || below && s != t):
			return false
		case above:
			from, to = upper, upper+1
		case below:
			from, to = lower, lower+1
		}
	}
	old, own, new := "", "", ""
	n := 0
	for i := from; i < to; i++ {
		s, ok := o.shiftAt(i)
		if !ok {
			continue
		}
		if n++; n == 1 || len(s.from) < len(old) {
			old = s.from
		}
		if n == 1 || len(s.to) < len(own) {
			own = s.to
		}
	}
	lines := 0
	for _, l := range o.p.new[g.NewFrom:g.NewTo] {
		if indent, body, _ := text.Parts(l); body != "" {
			if lines++; lines == 1 || len(indent) < len(new) {
				new = indent
			}
		}
	}
	return n > 0 && lines > 0 && new == own && new != old
}

// keepsShifted reports whether the edit keeps a line that the text has at another depth: the new text has the request's
// terms.
func (o *observation) keepsShifted() bool {
	for i := range o.p.old {
		if s, ok := o.shiftAt(i); ok && s.from != s.to && o.p.keeps(i) {
			return true
		}
	}
	return false
}

// oldLineLostIndent reports whether the only old line is in column 0, but not in the text, and one of the new lines
// goes back to a depth that none above it has. Then the first line lost its indentation when it was copied, and the
// others did not.
func (o *observation) oldLineLostIndent(g linediff.Group) bool {
	if o.lines != 1 || o.shifts[0].from != "" || o.shifts[0].to == "" {
		return false
	}
	var depths []int // the depths of the lines that may enclose the next one
	for _, l := range o.p.new[g.NewFrom:g.NewTo] {
		if text.IsBlank(l) {
			continue
		}
		depth, back := outline.Depth(l), false
		for len(depths) > 0 && depths[len(depths)-1] > depth {
			depths, back = depths[:len(depths)-1], true
		}
		if len(depths) == 0 || depths[len(depths)-1] != depth {
			if back {
				return true
			}
			depths = append(depths, depth)
		}
	}
	return false
}
