package place

import (
	"slices"
	"sort"
	"strings"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A pattern is an edit read as lines. A pattern with elisions has several segments, which are found one by one.
type pattern struct {
	e         *Edit
	oldText   string // the old text, "" if the pattern is not all of it: equal old texts fit at the same places
	old, new  []string
	groups    []linediff.Group // how old becomes new
	bare      []linediff.Step  // the lines that lack their prefix in the patch
	keys      []string         // the old lines folded, "" for a blank one
	segments  []segment
	whole     [1]segment        // memory for segments, of which most patterns have one
	one       [1]linediff.Group // and for groups
	ownIndent bool              // only the old lines have line numbers, so the new ones have the text's indentation
	torn      bool              // only the old lines have the marks of a patch, which were taken off
	numbered  *text.Numbering   // the line numbers that were taken off the old lines, nil if there were none
	allows    ignored           // what may be ignored for lines of this kind
	ignores   ignored           // what this reading ignores wherever it fits, such as line numbers

	byBody map[string][]int // the old lines by their body: see copyOf
}

// A segment is a run of old lines that are together in the text.
type segment struct {
	from, to int
	solid    []int // the lines in it that are not blank
}

// segment returns the segment of the old lines in [from, to).
func (p *pattern) segment(from, to int) segment {
	s := segment{from: from, to: to, solid: make([]int, 0, to-from)}
	for i := from; i < to; i++ {
		if p.keys[i] != "" {
			s.solid = append(s.solid, i)
		}
	}
	return s
}

// added returns the new lines of all groups.
func (p *pattern) added() []string {
	return slices.Concat(mapped(p.groups, func(g linediff.Group) []string { return p.new[g.NewFrom:g.NewTo] })...)
}

// mapped returns what a function makes of each value of a list.
func mapped[S, T any](list []S, f func(S) T) []T {
	all := make([]T, len(list))
	for i, s := range list {
		all[i] = f(s)
	}
	return all
}

// read splits old and new text into the lines of p.
func (p *pattern) read(old, new string) {
	lines := text.AppendLines(make([]string, 0, 3+2*strings.Count(old, "\n")+strings.Count(new, "\n")), old)
	n := len(lines)
	lines = text.AppendLines(lines, new)
	p.take(lines[:n:n], lines[n:], lines[len(lines):])
}

// take sets the lines of p. It appends the folded old lines to keys.
func (p *pattern) take(old, new, keys []string) {
	p.old, p.new, p.allows, p.ignores = old, new, upTo(Drift), nothing
	groups, ok := linediff.GroupsOf(p.e.Hunk, old, new)
	if !ok {
		groups = linediff.AppendGroups(p.one[:0], old, new)
	} else if strings.IndexByte(p.e.Hunk, '?') >= 0 {
		p.bare = linediff.Kept(p.e.Hunk, '?')
	}
	p.groups = groups
	for _, l := range old {
		keys = append(keys, text.Fold(l))
	}
	p.keys = keys
	p.whole[0] = p.segment(0, len(old))
	p.segments = p.whole[:]
	if solid := p.segments[0].solid; len(solid) == 0 {
		p.allows = nothing
	} else if len(solid) == 1 && !text.HasWord(p.keys[solid[0]]) {
		p.allows = upTo(Spacing)
	}
}

// isBlank reports whether all old lines are blank.
func (p *pattern) isBlank() bool { return len(p.segments[0].solid) == 0 }

// keeps reports whether the edit leaves the i-th old line as it is.
func (p *pattern) keeps(i int) bool {
	k := sort.Search(len(p.groups), func(k int) bool { return i < p.groups[k].OldTo })
	return k == len(p.groups) || i < p.groups[k].OldFrom
}

// changes reports whether the edit changes something within the segment or at its edges.
func (p *pattern) changes(s segment) bool {
	return slices.ContainsFunc(p.groups, func(g linediff.Group) bool {
		return g.OldFrom < g.OldTo && g.OldFrom < s.to && s.from < g.OldTo ||
			g.NewFrom < g.NewTo && s.from <= g.OldFrom && g.OldFrom <= s.to
	})
}

// copyOf returns the old line that the j-th new line, of the group g, copies apart from surrounding whitespace, or -1.
// It prefers the one in the place of the new line, then one in the same group, then the first.
func (p *pattern) copyOf(g linediff.Group, j int) int {
	if p.byBody == nil {
		p.byBody = map[string][]int{}
		for i, o := range p.old {
			_, body, _ := text.Parts(o)
			p.byBody[body] = append(p.byBody[body], i)
		}
	}
	_, body, _ := text.Parts(p.new[j])
	all := p.byBody[body]
	if len(all) == 0 {
		return -1
	}
	if i := g.OldFrom + j - g.NewFrom; i < g.OldTo && slices.Contains(all, i) {
		return i
	}
	if k := sort.SearchInts(all, g.OldFrom); k < len(all) && all[k] < g.OldTo {
		return all[k]
	}
	return all[0]
}
