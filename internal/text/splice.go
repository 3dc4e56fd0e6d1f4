package text

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

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

// SortSplices sorts splices by their places.
func SortSplices(s []Splice) {
	slices.SortStableFunc(s, func(a, b Splice) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}

// MergeTouching sorts splices, and merges those that touch.
func MergeTouching(splices []Splice) []Splice {
	if len(splices) < 2 {
		return splices
	}
	SortSplices(splices)
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

// ApplySplices applies sorted splices that do not overlap to a copy of data, which is in room if that is large enough.
// It also returns the matches, without line numbers.
func ApplySplices(room, data []byte, splices []Splice) ([]byte, []Match) {
	matches := make([]Match, len(splices))
	var few [3][]byte
	parts, at, size := slices.Grow(few[:0], 2*len(splices)+1), 0, 0
	for i, s := range splices {
		size += s.Start - at
		matches[i] = s.Match(size)
		parts, at, size = append(parts, data[at:s.Start], gap(data, len(s.New))), s.End, size+len(s.New)
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
		copy(out[m.New.Start:], splices[i].New)
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
