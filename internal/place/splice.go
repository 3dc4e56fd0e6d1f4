package place

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A splice replaces Data[start:end] of a text with new. Every change that an edit makes to a text is a splice.
type splice struct {
	start, end int
	new        string
	edit       int
	fit        Fit
	by         string // see Match
}

func sortSplices(s []splice) {
	slices.SortStableFunc(s, func(a, b splice) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
}

// mergeTouching sorts the splices of one edit, and merges those that touch.
func mergeTouching(splices []splice) []splice {
	if len(splices) < 2 {
		return splices
	}
	sortSplices(splices)
	var merged []splice
	for i := 0; i < len(splices); {
		run := splices[i]
		var new strings.Builder
		new.WriteString(run.new)
		for i++; i < len(splices) && splices[i].start == run.end; i++ {
			run.end = splices[i].end
			new.WriteString(splices[i].new)
		}
		run.new = new.String()
		merged = append(merged, run)
	}
	return merged
}

// A Match is one place that was changed: Old in the text before became New in the text after. By says what decided the place. Op is
// for the caller to set.
type Match struct {
	Op, Edit int
	Fit      Fit
	By       string
	Old, New Span
}

// A Span is a piece of a text: the bytes from Start up to End. Line is the line of Start, from 1, and Lines is how many lines the
// piece touches.
type Span struct{ Start, End, Line, Lines int }

// applySplices applies sorted splices that do not overlap to a copy of data, which is in room if that is large enough. It also
// returns the matches, without line numbers.
func applySplices(room, data []byte, splices []splice) ([]byte, []Match) {
	matches := make([]Match, len(splices))
	var few [3][]byte
	parts, at, size := slices.Grow(few[:0], 2*len(splices)+1), 0, 0
	for i, s := range splices {
		size += s.start - at
		matches[i] = Match{Edit: s.edit, Fit: s.fit, By: s.by, Old: Span{Start: s.start, End: s.end}, New: Span{Start: size, End: size + len(s.new)}}
		parts, at, size = append(parts, data[at:s.start], gap(data, len(s.new))), s.end, size+len(s.new)
	}
	parts = append(parts, data[at:])
	var out []byte
	if cap(room) >= size+len(data)-at {
		out = room[:0]
		for _, p := range parts {
			out = append(out, p...)
		}
	} else {
		out = bytes.Join(parts, nil) // which does not clear the memory first
	}
	for i, m := range matches {
		copy(out[m.New.Start:], splices[i].new)
	}
	return out, matches
}

// gap returns n bytes that are to be overwritten.
func gap(data []byte, n int) []byte {
	if n <= len(data) {
		return data[:n]
	}
	return make([]byte, n)
}

// Compose combines two lists of matches into one. The second list applies to the text that the first one produced; the result
// leads from the first text to the last. Matches that meet are merged, and have the Op and Edit of the last. Both lists are
// sorted, and so is the result. Its lines are not numbered.
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
		m := Match{Old: Span{Start: start - grown1}, New: Span{Start: start + grown2}}
		if n1 > 0 {
			m.Op, m.Edit, m.By = first[0].Op, first[0].Edit, first[0].By
		}
		for _, f := range first[:n1] {
			m.Fit = max(m.Fit, f.Fit)
			grown1 += f.grown()
		}
		for _, s := range second[:n2] {
			m.Op, m.Edit, m.Fit, m.By = s.Op, s.Edit, max(m.Fit, s.Fit), s.By
			grown2 += s.grown()
		}
		m.Old.End, m.New.End = end-grown1, end+grown2
		all = append(all, m)
		first, second = first[n1:], second[n2:]
	}
	return all
}

// grown returns by how much m made the text longer.
func (m Match) grown() int { return m.New.End - m.New.Start - (m.Old.End - m.Old.Start) }

// meeting returns how many matches at the front of each list meet, and the piece that they cover of the text between the two
// lists. Matches of one list that only touch do not meet.
func meeting(first, second []Match) (n1, n2, start, end int) {
	start, end = 0, -1
	for fromFirst := false; n1 < len(first) || n2 < len(second); {
		takeFirst := n2 == len(second) || n1 < len(first) && first[n1].New.Start <= second[n2].Old.Start
		var next Span
		if takeFirst {
			next = first[n1].New
		} else {
			next = second[n2].Old
		}
		if end >= start && (next.Start > end || next.Start == end && takeFirst == fromFirst) {
			break
		}
		if end < start {
			start, end = next.Start, next.Start
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

// mapOffset returns the offset that a byte has after matches. A replaced byte is mapped to the start of its replacement. A byte
// at an insertion comes after the inserted text, unless the given edit inserted it.
func mapOffset(at, edit int, matches []Match) int {
	grown := 0
	for _, m := range matches {
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

// FollowLine returns the number that a line has after matches with numbered lines. Line 0 stays 0.
func FollowLine(line int, matches []Match) int {
	now := line
	for _, m := range matches {
		if line < m.Old.Line || line == 0 {
			break
		}
		if line < m.Old.Line+m.Old.Lines {
			return m.New.Line
		}
		now = line + m.New.Line + m.New.Lines - m.Old.Line - m.Old.Lines
	}
	return now
}

// Settle drops the matches that change nothing, and numbers the lines of the others. The matches lead from src, which is in the
// encoding from, to data, which is in the encoding to. The cost is one pass up to the last match.
func Settle(matches []Match, src, data []byte, from, to text.Encoding) []Match {
	matches = slices.DeleteFunc(matches, func(m Match) bool {
		return bytes.Equal(src[m.Old.Start:m.Old.End], data[m.New.Start:m.New.End])
	})
	if len(matches) > 0 {
		before, after := from.LineCounter(src), to.LineCounter(data)
		for i := range matches {
			m := &matches[i]
			m.Old.Line, m.Old.Lines = before.Lines(m.Old.Start, m.Old.End)
			m.New.Line, m.New.Lines = after.Lines(m.New.Start, m.New.End)
		}
	}
	return matches
}
