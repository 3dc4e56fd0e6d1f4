// Package seen keeps what a conversation has seen of one file: a version of its text, which lines of it, and which of
// their numbers it can still use. Views, answers and commits come in; a new [Sight] goes out. Nothing is modified.
package seen

import (
	"cmp"
	"maps"
	"slices"

	"github.com/atomicedit/atomicedit/internal/merge"
)

// Lines is a set of lines: ranges, first and last, counted from 1, in order and with gaps between them.
type Lines [][2]int

// Most is more lines than any text has.
const Most = 1 << 30

// All has every line of a text, however many there are.
var All = Lines{{1, Most}}

// Of returns the lines that are in any of some ranges, which may overlap. Ranges without lines do not count.
func Of(ranges ...[2]int) (all Lines) {
	ranges = slices.Clone(ranges)
	slices.SortFunc(ranges, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })
	for _, r := range ranges {
		r[1] = min(r[1], Most)
		if n := len(all); n > 0 && r[0]-1 <= all[n-1][1] {
			all[n-1][1] = max(all[n-1][1], r[1])
		} else if r[1] >= r[0] {
			all = append(all, r)
		}
	}
	return all
}

// And returns the lines of l and of other.
func (l Lines) And(other Lines) Lines { return Of(append(slices.Clone(l), other...)...) }

// Has reports whether l has the lines first to last.
func (l Lines) Has(first, last int) bool {
	return last < first || slices.ContainsFunc(l, func(r [2]int) bool { return r[0] <= first && last <= r[1] })
}

// Meets reports whether l and other have lines in common.
func (l Lines) Meets(other Lines) bool { return !slices.Equal(l, l.Minus(other)) }

// Without returns the lines of a text with n lines that l lacks.
func (l Lines) Without(n int) (gaps Lines) {
	next := 1
	for _, r := range append(slices.Clone(l), [2]int{n + 1, n + 1}) {
		if last := min(r[0]-1, n); last >= next {
			gaps = append(gaps, [2]int{next, last})
		}
		next = max(next, min(r[1], n)+1)
	}
	return gaps
}

// Minus returns the lines of l that other lacks.
func (l Lines) Minus(other Lines) Lines { return l.Without(Most).And(other).Without(Most) }

// After returns where the lines of l are in a text that the groups lead to, without those that they change.
func (l Lines) After(groups []merge.Group) Lines { return l.follow(groups, false) }

// Numbered returns the lines of l that have the same numbers in the text that the groups lead to. A group that replaces
// lines by as many others leaves them their numbers if all those that come are in wrote.
func (l Lines) Numbered(groups []merge.Group, wrote Lines) Lines {
	stays := func(g merge.Group) bool {
		return g.OldTo-g.OldFrom == g.NewTo-g.NewFrom && wrote.Has(g.NewFrom+1, g.NewTo)
	}
	groups = slices.DeleteFunc(slices.Clone(groups), stays)
	return l.follow(groups, true)
}

// follow returns where the lines of l outside groups are afterwards, or only those that the groups do not move.
func (l Lines) follow(groups []merge.Group, unmoved bool) Lines {
	var all [][2]int
	from, shift := 1, 0
	for _, g := range append(slices.Clip(groups), merge.Group{OldFrom: Most}) {
		for _, r := range l {
			first, last := max(r[0], from), min(r[1], g.OldFrom)
			if first > last || unmoved && shift != 0 {
				continue
			}
			if last < Most {
				last += shift
			}
			all = append(all, [2]int{first + shift, last})
		}
		from, shift = g.OldTo+1, g.NewTo-g.OldTo
	}
	return Of(all...)
}

// A Sight is what a conversation has seen of a file. The zero value is nothing.
type Sight struct {
	Version string `json:"version"`           // of the text
	Text    []byte `json:"text,omitempty"`    // nil if it is not remembered
	Lines   Lines  `json:"lines,omitempty"`   // that it was shown, or has written
	Numbers Lines  `json:"numbers,omitempty"` // that name the same line in every version shown since the line was
	Moved   Lines  `json:"moved,omitempty"`   // numbers that name another line in a version since the first one
	Earlier Lines  `json:"earlier,omitempty"` // numbers that lines of other texts were shown with, and none since
	Foreign bool   `json:"foreign,omitempty"` // the text has lines that others have written, and that it was not shown

	Told Lines `json:"told,omitempty"` // lines of the text that it was shown with numbers that do not count

	Views []View `json:"-"` // what it was shown of earlier texts, the oldest first, as far as that is remembered

	// Offered has the numbers that refusals have shown, by a hash of the new text of the edit for which they count.
	Offered map[string]Lines `json:"offered,omitempty"`
}

// A View is what a conversation was shown of a text with line numbers that it was not shown again since.
type View struct {
	Text  []byte
	Lines Lines
}

// ViewOf returns the view that has the lines first to last, or else the latest one.
func (s Sight) ViewOf(first, last int) (v View, has bool) {
	for _, v = range slices.Backward(s.Views) {
		if v.Lines.Has(first, last) {
			return v, true
		}
	}
	if n := len(s.Views); n > 0 {
		v = s.Views[n-1]
	}
	return v, false
}

// View returns s after lines of it were shown with their numbers, of n lines.
func (s Sight) View(lines Lines, n int) Sight {
	s = s.Show(lines, n)
	s.Numbers = s.Numbers.And(lines)
	if lines.Has(n, n) {
		lines = lines.And(Lines{{n, Most}})
	}
	s.Earlier = s.Earlier.Minus(lines)
	s.Views = slices.Clone(s.Views)
	for i, v := range s.Views {
		s.Views[i].Lines = v.Lines.Minus(lines)
	}
	s.Views = slices.DeleteFunc(s.Views, func(v View) bool { return len(v.Lines) == 0 })
	return s
}

// Offer returns s after the refusal of an edit with a new text has shown lines with their numbers.
func (s Sight) Offer(edit string, lines Lines) Sight {
	offered := maps.Clone(s.Offered)
	if n := len(offered); n == 0 || n >= 100 { // of so many, most are forgotten edits
		offered = map[string]Lines{}
	}
	offered[edit] = s.Offered[edit].And(lines)
	s.Offered, s.Told = offered, s.Told.And(lines)
	return s
}

// Answer returns s after lines of it were shown in the answer to an edit, of n lines. Their numbers count if they have
// always named the same line: another edit may have been sent before the answer was read.
func (s Sight) Answer(lines Lines, n int) Sight {
	s = s.Show(lines, n)
	s.Numbers, s.Told = s.Numbers.And(lines.Minus(s.Moved)), s.Told.And(lines)
	return s
}

// Show returns s after lines of it were shown, of n lines. Their numbers count only where they did before.
func (s Sight) Show(lines Lines, n int) Sight {
	s.Lines = s.Lines.And(lines)
	s.Foreign = s.Foreign && len(s.Lines.Without(n)) > 0
	return s
}

// Changed returns the sight of another text, which the groups lead to from that of s: lines that are the same there
// count as seen, and numbers that have not changed stay, but for those of doubtful lines.
func (s Sight) Changed(version string, text []byte, groups []merge.Group, doubtful Lines) Sight {
	next := s.Written(version, text, groups, doubtful, nil, 0)
	next.Foreign = true
	return next
}

// Written returns the sight of the text that the conversation has made of that of s: of new lines, it knows its own.
func (s Sight) Written(version string, text []byte, groups []merge.Group, doubtful, wrote Lines, n int) Sight {
	stay := func(numbers Lines) Lines { return numbers.Numbered(groups, wrote).Minus(doubtful) }
	next := Sight{Version: version, Text: text, Lines: s.Lines.After(groups).And(wrote)}
	next.Numbers, next.Moved, next.Views = stay(s.Numbers), s.Moved.And(All.Minus(stay(All))), s.Views
	shown := s.Numbers
	for _, v := range s.Views {
		shown = shown.Minus(v.Lines)
	}
	shown = shown.And(s.Told)
	if s.Text != nil && len(shown) > 0 {
		const most = 8
		next.Views = append(slices.Clone(s.Views[max(len(s.Views)-most+1, 0):]), View{s.Text, shown})
	}
	next.Earlier = s.Earlier.And(s.Numbers).And(s.Told)
	next.Offered = maps.Clone(s.Offered)
	for edit, lines := range s.Offered {
		next.Offered[edit] = stay(lines)
	}
	isForeign := func(g merge.Group) bool { return !wrote.Has(g.NewFrom+1, g.NewTo) }
	next.Foreign = (s.Foreign || slices.ContainsFunc(groups, isForeign)) && len(next.Lines.Without(n)) > 0
	return next
}
