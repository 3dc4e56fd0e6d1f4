package text

import (
	"bytes"
	"slices"
	"sort"
	"strings"
)

// A Match is one place that was changed: Old in the text before became New in the text after.
type Match struct {
	Origin
	Old, New Piece
}

// A Piece is a span of a text. Line is that of Start, from 1, and Lines is how many it touches, 0 if it is empty.
type Piece struct{ Start, End, Line, Lines int }

// Compose combines two lists of matches, of which the second applies to what the first produced, into one that leads
// from the first text to the last. Matches that meet are merged. All lists are sorted. Lines are not numbered.
func Compose(first, second []Match) []Match {
	if len(first) == 0 {
		return second
	}
	if len(second) == 0 {
		return first
	}
	var all []Match
	var grown1, grown2 int // by how much the matches so far made the text longer
	for len(first)+len(second) > 0 {
		n1, n2, start, end := meeting(first, second)
		m := Match{Old: Piece{Start: start - grown1}, New: Piece{Start: start + grown2}}
		for _, f := range first[:n1] {
			m.Origin = m.and(f.Origin)
			grown1 += f.grown()
		}
		for _, s := range second[:n2] {
			m.Origin = m.and(s.Origin)
			grown2 += s.grown()
		}
		m.Old.End, m.New.End = end-grown1, end+grown2
		all = append(all, m)
		first, second = first[n1:], second[n2:]
	}
	return all
}

// Extend returns Compose of a list, which it may overwrite, and one more match, at the cost of the matches behind that.
func Extend(first []Match, m Match) []Match {
	from := sort.Search(len(first), func(i int) bool { return first[i].New.End >= m.Old.Start })
	to := from + sort.Search(len(first)-from, func(i int) bool { return first[from+i].New.Start > m.Old.End })
	var before int // by how much the matches before made the text longer
	if from > 0 {
		before = first[from-1].New.End - first[from-1].Old.End
	}
	met := Compose(first[from:to], []Match{m})
	for i := range met {
		met[i].Old.Start -= before
		met[i].Old.End -= before
	}
	for i := to; i < len(first); i++ {
		first[i].New.Start += m.grown()
		first[i].New.End += m.grown()
	}
	behind := slices.Clone(first[to:])
	return append(append(first[:from], met...), behind...)
}

// grown returns by how much m made the text longer.
func (m Match) grown() int { return m.New.End - m.New.Start - (m.Old.End - m.Old.Start) }

// meeting returns how many matches at the front of each list meet, and the piece that they cover of the text between
// the two lists. Matches of one list that only touch do not meet.
func meeting(first, second []Match) (n1, n2, start, end int) {
	for fromFirst := false; n1 < len(first) || n2 < len(second); {
		takeFirst := n2 == len(second) || n1 < len(first) && first[n1].New.Start <= second[n2].Old.Start
		var next Piece
		if takeFirst {
			next = first[n1].New
		} else {
			next = second[n2].Old
		}
		if n1+n2 == 0 {
			start, end = next.Start, next.Start
		} else if next.Start > end || next.Start == end && takeFirst == fromFirst {
			break
		}
		end = max(end, next.End)
		if fromFirst = takeFirst; takeFirst {
			n1++
		} else {
			n2++
		}
	}
	return n1, n2, start, end
}

// MapOffset returns the offset that a byte has after matches. A replaced byte is mapped to the start of its
// replacement. A byte at an insertion comes after the inserted text, unless the given edit inserted it.
func MapOffset(at, edit int, matches []Match) int {
	grown := 0
	first := sort.Search(len(matches), func(i int) bool { return matches[i].Old.Start >= at })
	for _, m := range matches[max(first-1, 0):] {
		if at < m.Old.Start {
			break
		}
		if at < m.Old.End || at == m.Old.Start && m.Edit == edit {
			return m.New.Start
		}
		grown = m.New.End - m.Old.End
	}
	return at + grown
}

// OffsetBefore returns the offset that a byte had before matches, or the start of what a match replaced with it.
func OffsetBefore(at int, matches []Match) int {
	i := sort.Search(len(matches), func(i int) bool { return matches[i].New.End > at })
	switch {
	case i < len(matches) && matches[i].New.Start <= at:
		return matches[i].Old.Start
	case i > 0:
		return at - matches[i-1].New.End + matches[i-1].Old.End
	}
	return at
}

// FollowLine returns the number that a line has after matches with numbered lines. Line 0 stays 0.
func FollowLine(line int, matches []Match) int {
	now := line
	for _, m := range matches {
		if line < m.Old.Line {
			break
		}
		if line < m.Old.Line+m.Old.Lines {
			return m.New.Line
		}
		now = line + m.New.Line + m.New.Lines - m.Old.Line - m.Old.Lines
	}
	return now
}

// Settle drops the matches that change nothing, and numbers the lines of the others. The matches lead from src, which
// is in the encoding from, to data, which is in the encoding to. The cost is one pass up to the last match.
func Settle(matches []Match, src, data []byte, from, to Encoding) []Match {
	matches = slices.DeleteFunc(matches, func(m Match) bool {
		return bytes.Equal(src[m.Old.Start:m.Old.End], data[m.New.Start:m.New.End])
	})
	if len(matches) > 0 {
		from.Number(src, matches, func(m *Match) *Piece { return &m.Old })
		to.Number(data, matches, func(m *Match) *Piece { return &m.New })
	}
	return matches
}

// A Splice replaces Data[Start:End] of a text with New. Every change that an edit makes to a text is a splice.
type Splice struct {
	Start, End int
	New        string
	Origin
}

// An Origin tells which edit a change comes from, how loosely the edit fits there, and what decided the place. This
// package only passes it on: of changes that become one, the last counts, but with the greatest Fit.
type Origin struct {
	Op, Edit int
	Fit      int
	By       string
}

// and returns the origin of a change that became one with a later one.
func (o Origin) and(later Origin) Origin {
	later.Fit = max(o.Fit, later.Fit)
	return later
}

func MergeTouching(splices []Splice) []Splice {
	if len(splices) < 2 {
		return splices
	}
	sort.SliceStable(splices, func(i, j int) bool {
		a, b := splices[i], splices[j]
		return a.Start < b.Start || a.Start == b.Start && a.End < b.End
	})
	var merged []Splice
	for i := 0; i < len(splices); {
		run := splices[i]
		var new strings.Builder
		new.WriteString(run.New)
		for i++; i < len(splices) && splices[i].Start == run.End; i++ {
			run.End, run.Origin = splices[i].End, run.and(splices[i].Origin)
			new.WriteString(splices[i].New)
		}
		run.New = new.String()
		merged = append(merged, run)
	}
	return merged
}

// Match returns the match of a splice whose new text starts at an offset of the text after it.
func (s Splice) Match(at int) Match {
	return Match{s.Origin, Piece{Start: s.Start, End: s.End}, Piece{Start: at, End: at + len(s.New)}}
}

// ApplySplices applies sorted splices that do not overlap to a copy of data, for which it uses room, if there is any.
// It also returns the matches, without line numbers.
func ApplySplices(room, data []byte, splices []Splice) ([]byte, []Match) {
	size := len(data)
	for _, s := range splices {
		size += len(s.New) - (s.End - s.Start)
	}
	out, at, matches := room[:0], 0, make([]Match, len(splices))
	if room == nil {
		out = make([]byte, 0, size)
	} else {
		out = slices.Grow(out, size)
	}
	for i, s := range splices {
		out = append(out, data[at:s.Start]...)
		matches[i] = s.Match(len(out))
		out, at = append(out, s.New...), s.End
	}
	return append(out, data[at:]...), matches
}
