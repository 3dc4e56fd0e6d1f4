package atomicedit

import (
	"bytes"
	"cmp"
	"slices"
)

// A splice replaces data[start:end] of a text by new. Everything that an edit does to a text is a splice.
type splice struct {
	start, end int
	new        string
	edit       int
	fit        Fit
}

func sortSplices(s []splice) {
	slices.SortStableFunc(s, func(a, b splice) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
}

// carryOut returns data with sorted splices that do not overlap carried out, in room if that is enough, and where they
// lie. The data is kept.
func carryOut(room, data []byte, splices []splice) ([]byte, []Match) {
	size := len(data)
	for _, s := range splices {
		size += len(s.new) - (s.end - s.start)
	}
	out, at := slices.Grow(room[:0], size), 0
	matches := make([]Match, len(splices))
	for i, s := range splices {
		out = append(out, data[at:s.start]...)
		matches[i] = Match{Edit: s.edit, Fit: s.fit, Old: Span{Start: s.start, End: s.end}, New: Span{Start: len(out), End: len(out) + len(s.new)}}
		out, at = append(out, s.new...), s.end
	}
	return append(out, data[at:]...), matches
}

// compose joins two lists of matches, of which the second lies on the text that the first made, into one from the
// source of the first to the text of the second. What meets is merged; Op and Edit are then the last ones. Both lists are
// sorted, and so is the result; its lines are to be numbered.
func compose(first, second []Match) []Match {
	if len(first) == 0 {
		return second
	}
	if len(second) == 0 {
		return first
	}
	var all []Match
	var grown1, grown2 int // by how much the splices so far made the text longer
	for len(first)+len(second) > 0 {
		// A group of splices that meet, in the coordinates of the text between.
		var m Match
		start, end := 0, -1
		back, forth := grown1, grown2
		for fromFirst := false; ; {
			takeFirst := len(second) == 0 || len(first) > 0 && first[0].New.Start <= second[0].Old.Start
			if len(first)+len(second) == 0 {
				break
			}
			next := Span{}
			if takeFirst {
				next = first[0].New
			} else {
				next = second[0].Old
			}
			if end >= start && (next.Start > end || next.Start == end && takeFirst == fromFirst) {
				break
			}
			if end < start {
				start, end = next.Start, next.Start
			}
			end = max(end, next.End)
			if takeFirst {
				f := first[0]
				grown1 += f.New.End - f.New.Start - (f.Old.End - f.Old.Start)
				if m.Fit == 0 {
					m.Op, m.Edit = f.Op, f.Edit
				}
				m.Fit, first = max(m.Fit, f.Fit), first[1:]
			} else {
				s := second[0]
				grown2 += s.New.End - s.New.Start - (s.Old.End - s.Old.Start)
				m.Op, m.Edit = s.Op, s.Edit
				m.Fit, second = max(m.Fit, s.Fit), second[1:]
			}
			fromFirst = takeFirst
		}
		m.Old = Span{Start: start - back, End: end - grown1}
		m.New = Span{Start: start + forth, End: end + grown2}
		all = append(all, m)
	}
	return all
}

// follow returns notes on a text with the lines that they are about after matches on it, whose lines are numbered.
func follow(notes []Note, matches []Match) []Note {
	notes = slices.Clone(notes)
	for i, n := range notes {
		for _, m := range matches {
			if n.Line < m.Old.Line || n.Line == 0 {
				break
			}
			if notes[i].Line = n.Line + m.New.Line + m.New.Lines - m.Old.Line - m.Old.Lines; n.Line < m.Old.Line+m.Old.Lines {
				notes[i].Line = m.New.Line
				break
			}
		}
	}
	return notes
}

// settle keeps the matches that change something, and fills in their lines. They lead from src to text, which has the
// same encoding. The cost is one pass up to the last match.
func settle(matches []Match, src, text []byte) []Match {
	matches = slices.DeleteFunc(matches, func(m Match) bool {
		return bytes.Equal(src[m.Old.Start:m.Old.End], text[m.New.Start:m.New.End])
	})
	if len(matches) > 0 {
		e := encodingOf(src)
		before, after := e.newLineCounter(src), e.newLineCounter(text)
		for i := range matches {
			before.number(&matches[i].Old)
			after.number(&matches[i].New)
		}
	}
	return matches
}

// A lineCounter counts the lines of a file, from span to span.
type lineCounter struct {
	encoding
	data []byte
	unit int  // bytes of a code unit
	eol  byte // see text
	at   int
	line int // that at lies in
}

func (e encoding) newLineCounter(data []byte) lineCounter {
	t := lineCounter{encoding: e, data: data, unit: 1, line: 1}
	if e.endian == 0 {
		t.eol = eolOf(data)
		return t
	}
	body, _ := e.decode(data)
	t.unit, t.eol, t.at = 2, eolOf(body), len(e.mark)
	return t
}

// endings returns how many line endings there are between two offsets.
func (t *lineCounter) endings(from, to int) (n int) {
	if t.endian == 0 {
		return bytes.Count(t.data[from:to], []byte{t.eol})
	}
	for ; from+1 < to; from += 2 {
		if r, _ := t.rune(t.data[from : from+2]); r == rune(t.eol) {
			n++
		}
	}
	return n
}

// number fills in the lines of the next span.
func (t *lineCounter) number(s *Span) {
	t.line += t.endings(t.at, s.Start)
	s.Line, s.Lines, t.at = t.line, 0, s.Start
	if s.End > s.Start {
		endings := t.endings(s.Start, s.End)
		t.line, t.at = t.line+endings, s.End
		s.Lines = endings + 1 - t.endings(max(s.Start, s.End-t.unit), s.End)
	}
}
