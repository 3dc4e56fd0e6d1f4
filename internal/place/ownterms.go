package place

import (
	"cmp"
	"slices"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// New lines may already be in the text's terms, indented as the text is, though the old ones are not (I7). A model that copied
// the old lines from memory may write the new ones as the file has its lines.

// inOwnTerms reports whether the new lines are in the text's terms: every new line that copies an old one is equal to the line of
// the text.
func (o *observation) inOwnTerms() bool {
	n := 0
	for _, g := range o.p.groups {
		for j := g.NewFrom; j < g.NewTo; j++ {
			if i := o.p.copyOf(g, j, o.at); i >= 0 {
				if n++; string(o.text.Bytes(o.at[i])) != o.p.new[j] {
					return false
				}
			}
		}
	}
	return n > 0
}

// inOtherTerms reports whether a new line with enough text to count copies an old one, and is equal to none of the lines that the
// text has for it.
func (o *observation) inOtherTerms() bool {
	for _, g := range o.p.groups {
		for j := g.NewFrom; j < g.NewTo; j++ {
			if o.p.copyOf(g, j, o.at) < 0 {
				continue
			}
			l := o.p.new[j]
			_, body, _ := text.Parts(l)
			same := func(i int) bool { return o.at[i].Real() && string(o.text.Bytes(o.at[i])) == l }
			if text.Substantial(body) && !slices.ContainsFunc(o.p.byBody[body], same) {
				return true
			}
		}
	}
	return false
}

// mayBeOwn reports whether the new lines of a group may be in the text's terms: their depth suggests it, or the way they nest,
// and no copy of an old line contradicts it. Brackets do not count as copies.
func (o *observation) mayBeOwn(g linediff.Group) bool {
	return (o.hasOwnDepth(g) || o.oldLineLostIndent(g)) && !o.inOtherTerms()
}

// hasOwnDepth reports whether the outermost new line of a group is as deep as the old ones are in the text, but not as deep as
// they are in the request. For a group without old lines, the lines around it count, if both have the same shift and the first
// opens nothing.
func (o *observation) hasOwnDepth(g linediff.Group) bool {
	var old, own []string
	for i := g.OldFrom; i < g.OldTo; i++ {
		if s, ok := o.shiftAt(i); ok {
			old, own = append(old, s.from), append(own, s.to)
		}
	}
	if g.OldFrom == g.OldTo {
		upper, lower := outline.Neighbour(o.p.old, g.OldFrom, -1), outline.Neighbour(o.p.old, g.OldTo-1, 1)
		if upper < 0 || lower < 0 || outline.Opens(o.p.old[upper]) {
			return false
		}
		s, ok := o.shiftAt(upper)
		if t, also := o.shiftAt(lower); !ok || !also || s != t {
			return false
		}
		old, own = []string{s.from}, []string{s.to}
	}
	if len(old) == 0 {
		return false
	}
	var new []string
	for _, l := range o.p.new[g.NewFrom:g.NewTo] {
		if indent, body, _ := text.Parts(l); body != "" {
			new = append(new, indent)
		}
	}
	shorter := func(a, b string) int { return cmp.Compare(len(a), len(b)) }
	return len(new) > 0 && slices.MinFunc(new, shorter) == slices.MinFunc(own, shorter) && slices.MinFunc(new, shorter) != slices.MinFunc(old, shorter)
}

// oldLineLostIndent reports whether the only old line is in column 0, but not in the text, and one of the new lines goes back to
// a depth that none above it has. Then the first line lost its indentation when it was copied, and the others did not.
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
