package place

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/atomicedit/atomicedit/internal/omission"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Substring edits act one after the other, but a pass over the text and a copy of it for each would take long. So one
// pass finds a line of every old text. If the text has that line once, and no edit has written it, the old text is
// nowhere else. Such an edit waits, unless it would be refused, or has to look at what another that waits has changed.
// All that wait are applied together, before the next edit that cannot. The result is the same as one by one.

// Landmarks tell where the source has the longest line of each substring edit's old text.
type landmarks struct {
	sieve *text.Sieve
	lines []string
	known map[string]int // the index of a line
	at    []int          // by line: where the source has it, nowhere, or inDoubt if it may be in several places
}

// clip is how much of a line is a landmark, in bytes.
const clip = 64

const (
	nowhere = -1
	inDoubt = -2
)

// landmarksOf returns the landmarks of a text for the substring edits among others, nil if they are few.
func landmarksOf(edits []Edit, t text.Text) *landmarks {
	const few = 8
	if len(edits) < few || t.EOL != '\n' {
		return nil
	}
	m := &landmarks{known: map[string]int{}}
	for i := range edits {
		line := landmark(&edits[i])
		if _, known := m.known[line]; !known && len(line) >= text.SieveLeast && isOfString(&edits[i]) {
			m.known[line], m.lines, m.at = len(m.lines), append(m.lines, line), append(m.at, nowhere)
		}
	}
	if len(m.lines) < few {
		return nil
	}
	m.sieve = text.NewSieve(m.lines)
	if !m.sieve.Find(t.Data, func(k, at int) {
		if m.at[k] != nowhere {
			at = inDoubt
		}
		m.at[k] = at
	}) {
		return nil
	}
	return m
}

// landmark returns the longest line of an edit's old text, or the beginning of that.
func landmark(e *Edit) (longest string) {
	for l := range strings.Lines(e.Old) {
		if l = strings.TrimRight(l, "\r\n"); len(l) > len(longest) {
			longest = l
		}
	}
	return longest[:min(len(longest), clip)]
}

// write learns that an edit has written data[from:to], or removed what was there.
func (m *landmarks) write(data []byte, from, to int) {
	start := max(0, from-clip)
	window := data[start:min(len(data), to+clip)]
	if !m.sieve.Find(window, func(k, at int) {
		if at += start; at < to && from < at+len(m.lines[k]) {
			m.at[k] = inDoubt
		}
	}) {
		clear(m.known) // of no line is it known where it is
	}
}

// place returns the only place that v has for a substring edit, if its line tells.
func (m *landmarks) place(v *version, e *Edit) (here text.Span, ok bool) {
	k, ok := m.known[landmark(e)]
	if !ok || m.at[k] < 0 {
		return here, false
	}
	at := text.MapOffset(m.at[k], -1, v.done)
	if !bytes.HasPrefix(v.Data[at:], []byte(m.lines[k])) {
		return here, false
	}
	size := 2*len(e.Old) + 8 // for line endings of two bytes, and what is looked at beside the place
	start := max(0, at-size)
	near := text.Text{Data: v.Data[start:min(len(v.Data), at+size)], EOL: v.EOL}
	if places := near.Occurrences(e.Old, 2); len(places) == 1 {
		return text.Span{Start: start + places[0].Start, End: start + places[0].End}, true
	}
	return here, false
}

// waits places a substring edit on v, which lacks the edits that wait, and reports whether it may wait with them.
func (r *request) waits(v *version, edit int) bool {
	e := &r.edits[edit]
	if r.landmarks == nil || v.EOL != '\n' || e.Count != 0 || hasEvidence(e) || e.Pointless(v.words) != nil ||
		omission.Any(e.New) || plan.Damaged(e.Old, e.New, text.Text{}, v.words) != nil ||
		plan.Unseen(e.New, &v.typography, v.words) != nil {
		return false
	}
	here, ok := r.landmarks.place(v, e)
	if !ok {
		return false
	}
	w, looked := &r.waiting, v.lookedAt(here, e.New)
	i := sort.Search(len(w.splices), func(i int) bool { return w.splices[i].End >= looked.Start })
	if i < len(w.splices) && w.splices[i].Start <= looked.End || v.MayCutCharacter(here.Start) ||
		r.rival(v, edit) != nil {
		return false
	}
	s := stringEdit{v, &judged{asked: asked{edit: edit, e: e}, by: onlyPlace}}
	s.candidates = []candidate{{Span: here}}
	if s.misreads() != nil || s.hidesDepth() {
		return false
	}
	b := s.build(r.edits[edit+1:])
	if len(b.splices) != 1 {
		return false
	}
	one := b.splices[0]
	w.splices, w.notes = slices.Insert(w.splices, i, one), append(w.notes, b.notes...)
	above, below := v.Data[max(0, one.Start-clip):one.Start], v.Data[one.End:min(len(v.Data), one.End+clip)]
	r.landmarks.write(slices.Concat(above, []byte(one.New), below), len(above), len(above)+len(one.New))
	return true
}

func (r *request) flush(v *version) *version {
	o := r.waiting
	r.waiting = outcome{}
	return r.advance(v, o)
}
