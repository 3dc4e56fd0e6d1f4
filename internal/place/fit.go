package place

import (
	"github.com/atomicedit/atomicedit/internal/text"
)

// A candidate is a place where a pattern, or a string, fits.
type candidate struct {
	ignores ignored
	start   int   // the offset of the first line that is not blank
	later   []int // the same for the segments after the first
	end     int   // the end, for a string
}

// candidatesOf returns the candidates of a string.
func candidatesOf(places []text.Span) (all []candidate) {
	for _, s := range places {
		all = append(all, candidate{start: s.Start, end: s.End})
	}
	return all
}

// A placement is a pattern at a candidate. For a string, p is nil.
type placement struct {
	p *pattern
	candidate
}

// fitOf returns what has to be ignored for an old line, folded to key, to fit a line of the text.
func fitOf(o, key string, f []byte) ignored {
	if string(f) == o {
		return nothing
	}
	os, oe := text.Trimmed(o)
	fs, fe := text.Trimmed(f)
	var s ignored
	if o[os:oe] != string(f[fs:fe]) {
		if text.IsASCII(o) && text.IsASCII(f) || text.Fold(string(f)) != key {
			return misfit
		}
		s = signs
	}
	if o[:os] != string(f[:fs]) {
		s |= indents
	}
	if o[oe:] != string(f[fe:]) {
		s |= trailing
	}
	return s
}

// align aligns a segment of p with the text, its first non-blank line with the line at start, and returns what it ignores. Blank lines between non-blank ones pair from the top, those at the edges from the text outwards (P2). If at is not
// nil, it receives the line of the text for each line of p.old. With drift, lines that the edit keeps may differ. The meter
// counts the lines.
func align(t text.Text, p *pattern, s segment, start int, at []text.Line, drift bool, m *meter) ignored {
	all, last := alignSolid(t, p, s, t.LineAt(start), at, drift, m)
	if all&misfit != 0 {
		return misfit
	}
	above := alignBlank(p, s.solid[0]-1, s.from-1, -1, at, func() (text.Line, bool) {
		if start == 0 {
			return text.None, false
		}
		l := t.LineBefore(start)
		start = l.Start
		return l, text.IsBlank(t.Bytes(l))
	}, t)
	below := alignBlank(p, s.solid[len(s.solid)-1]+1, s.to, 1, at, func() (text.Line, bool) {
		if last.Next == len(t.Data) {
			return text.None, false
		}
		last = t.LineAt(last.Next)
		return last, text.IsBlank(t.Bytes(last))
	}, t)
	return all | above | below
}

// alignSolid aligns the non-blank lines, and the blank ones between them, with the text from l on. It also returns the last line.
func alignSolid(t text.Text, p *pattern, s segment, l text.Line, at []text.Line, drift bool, m *meter) (all ignored, last text.Line) {
	differing := 0
	pair := func(i int, l text.Line) {
		if at != nil {
			at[i] = l
		}
	}
	for k, i := range s.solid {
		m.spent++
		f := fitOf(p.old[i], p.keys[i], t.Bytes(l))
		if f == misfit {
			differing++
			if !drift || !p.keeps(i) || 2*differing > len(s.solid) || !text.SpelledAlike(p.keys[i], text.Fold(string(t.Bytes(l)))) {
				return misfit, l
			}
			f = words
		}
		all |= f
		pair(i, l)
		if k == len(s.solid)-1 {
			break
		}
		gap, next := i+1, s.solid[k+1]
		for {
			if l.Next == len(t.Data) {
				return misfit, l
			}
			if l = t.LineAt(l.Next); !text.IsBlank(t.Bytes(l)) {
				break
			}
			m.spent++
			if gap == next {
				all |= blanks
				continue
			}
			if string(t.Bytes(l)) != p.old[gap] {
				all |= trailing
			}
			pair(gap, l)
			gap++
		}
		for ; gap < next; gap++ {
			all |= blanks
			pair(gap, text.None)
		}
	}
	return all, l
}

// alignBlank aligns the blank lines of p at one edge of a segment, from the i-th up to end in steps of 1 or -1. Next returns the
// lines of the text, and reports false for one that is not blank.
func alignBlank(p *pattern, i, end, step int, at []text.Line, next func() (text.Line, bool), t text.Text) (all ignored) {
	more := true
	for ; i != end; i += step {
		l := text.None
		if more {
			if l, more = next(); !more {
				l = text.None
			}
		}
		if !l.Real() {
			all |= blanks
		} else if string(t.Bytes(l)) != p.old[i] {
			all |= trailing
		}
		if at != nil {
			at[i] = l
		}
	}
	return all
}

// lines returns the line of the text for each line of f.p.old, text.None for one that the text lacks.
func (f placement) lines(t text.Text) []text.Line {
	at := make([]text.Line, len(f.p.old))
	for i := range at {
		at[i] = text.None
	}
	if f.p.isBlank() {
		for i, start := 0, f.start; i < len(at); i++ {
			at[i] = t.LineAt(start)
			start = at[i].Next
		}
		return at
	}
	start := f.start
	for i, s := range f.p.segments {
		if i > 0 {
			start = f.later[i-1]
		}
		align(t, f.p, s, start, at, f.ignores&words != 0, new(meter))
	}
	return at
}

// lastEnd returns the offset where the last line of a placement ends.
func (f placement) lastEnd(t text.Text) int {
	if f.p == nil {
		return f.end
	}
	end := 0
	for _, l := range f.lines(t) {
		end = max(end, l.Next)
	}
	return end
}

// top returns the offset where the first line of a placement starts, blank or not.
func (f placement) top(t text.Text) int {
	at := f.start
	if f.p == nil || f.p.isBlank() {
		return at
	}
	for i := f.p.segments[0].solid[0]; i > 0 && at > 0; i-- {
		at = t.LineBefore(at).Start
	}
	return at
}

// solid returns the piece of the text that a placement covers, without blank lines at its edges.
func (f placement) solid(t text.Text) text.Span {
	s, at := text.Span{Start: f.start}, f.lines(t)
	for i, l := range at {
		if l.Real() && f.p.keys[i] != "" {
			s.End = l.Next
		}
	}
	return s
}

// span returns the piece of the text that a placement covers.
func (f placement) span(t text.Text) text.Span { return text.Span{Start: f.top(t), End: f.lastEnd(t)} }

// lineNumbers returns the numbers of the lines at which candidates start.
func (v *version) lineNumbers(all []candidate) []int {
	starts := make([]int, len(all))
	for i, c := range all {
		starts[i] = c.start
	}
	return v.numbers.AtAll(starts)
}

// locateCandidates returns the location of the candidates of a pattern, or of a string.
func (v *version) locateCandidates(p *pattern, all []candidate) location {
	pieces := make([]text.Span, len(all))
	for i, c := range all {
		pieces[i] = text.Span{Start: c.start, End: c.start}
		if v.source != nil {
			pieces[i].End = placement{p, c}.lastEnd(v.Text)
		}
	}
	return v.locate(pieces)
}

// A meter counts the lines that a search compares.
type meter struct {
	spent int
	size  int // of the text
}

// limit returns the count at which the search for one pattern stops: it may compare ten thousand lines, in addition to the lines
// that all patterns of a request share (P5).
func (m *meter) limit() int { return max(m.spent, 2*m.size) + 10_000 }
