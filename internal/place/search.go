package place

import (
	"cmp"
	"errors"
	"slices"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A search finds the candidates of patterns in one version of a text. It searches for the bytes of a pattern first, and only if
// they are not there for its lines, in an index. The cost is linear in the text. The meter bounds the comparison of lines.
type search struct {
	v      *version
	index  *text.Index // nil until a pattern needs it
	allows ignored
	meter  *meter
	cache  *cache
}

// newSearch returns a search without an index.
func newSearch(v *version, allows ignored) search {
	return search{v: v, allows: allows, meter: &meter{size: len(v.Data)}, cache: new(cache)}
}

// errTooMany means that a search was abandoned: the text has too many places to look at, so no place can count as the only one.
var errTooMany = errors.New("too many places")

// A cache keeps the results of a search for edits with the same old text.
type cache struct {
	found   map[query][]candidate
	located []candidate // the last candidates that were located
	at      location    // where they are
}

// A query asks for the places of an old text that ignore no more than allows.
type query struct {
	old    string
	allows ignored
}

func (m *cache) keepFound(s query, all []candidate) {
	if s.old == "" {
		return
	}
	if m.found == nil {
		m.found = map[query][]candidate{}
	}
	m.found[s] = all
}

// locationOf returns the location of the candidates of a pattern. It remembers the last one.
func (x search) locationOf(p *pattern, all []candidate) location {
	m := x.cache
	if shared := len(all) > 0 && len(all) == len(m.located) && &all[0] == &m.located[0]; !shared {
		m.located, m.at = all, x.v.locateCandidates(p, all)
	}
	return m.at
}

// exact appends the exact candidates of p to those given, without the index. It returns none if there are too many to look at.
func (x search) exact(p *pattern, all []candidate) []candidate {
	this := query{p.oldText, nothing}
	if all, ok := x.cache.found[this]; ok {
		return all
	}
	if p.isBlank() {
		return nil
	}
	s := p.segments[0]
	key := s.solid[0] // the longest line is usually the rarest
	for _, i := range s.solid {
		if len(p.old[i]) > len(p.old[key]) {
			key = i
		}
	}
	rare := text.Rarest(p.old[key])
	limit := x.meter.limit()
	for at := 0; ; at++ {
		if at = x.v.Find(p.old[key], rare, at); at < 0 {
			break
		}
		if x.meter.spent++; x.meter.spent > limit {
			return nil
		}
		if !x.v.StartsLine(at) || string(x.v.Bytes(x.v.LineAt(at))) != p.old[key] {
			continue
		}
		start := at
		for i := key; i > s.solid[0] && start > 0; i-- {
			start = x.v.LineBefore(start).Start
			x.meter.spent++
		}
		if !text.IsBlank(x.v.Bytes(x.v.LineAt(start))) && x.ignoredAt(p, s, start) == nothing {
			all = append(all, candidate{Span: text.Span{Start: start}})
		}
	}
	if len(all) > 1 {
		x.cache.keepFound(this, all)
	}
	return all
}

// blank returns the candidates of a pattern of blank lines alone: lines with the same bytes.
func (x search) blank(p *pattern) (all []candidate, err error) {
	starts := x.v.lineStarts()
	limit := x.meter.limit()
	for i := 0; i+len(p.old) < len(starts); i++ {
		if x.meter.spent > limit {
			return nil, errTooMany
		}
		k := 0
		for k < len(p.old) && string(x.v.Bytes(x.v.LineAt(starts[i+k]))) == p.old[k] {
			k++
			x.meter.spent++
		}
		if k == len(p.old) {
			all = append(all, candidate{Span: text.Span{Start: starts[i]}})
		}
	}
	return all, nil
}

// fitting returns the candidates of a pattern without elisions.
func (x search) fitting(p *pattern) (all []candidate, err error) {
	this := query{p.oldText, p.allows & x.allows}
	if all, ok := x.cache.found[this]; ok {
		return all, nil
	}
	limit := x.meter.limit()
	for at := range x.index.Sequences(p.keys) {
		if x.meter.spent > limit {
			return nil, errTooMany
		}
		s := x.ignoredAt(p, p.segments[0], x.index.Starts[at])
		if s.within(p.allows) && (s | p.ignores).within(x.allows) {
			all = append(all, candidate{Span: text.Span{Start: x.index.Starts[at]}, ignores: s | p.ignores})
		}
	}
	x.cache.keepFound(this, all)
	return all, nil
}

// A finding is the result of a search: the candidates of an edit, and the reading that fits there.
type finding struct {
	reading    *pattern
	candidates []candidate
	vague      bool // an elision can be aligned in more ways than there are candidates
	err        error
}

// find returns the candidates of an edit, for the first of its readings that has any.
func (x search) find(readings []*pattern) finding {
	for _, p := range readings {
		if f := x.findAs(p); len(f.candidates) > 0 || f.err != nil {
			return f
		}
	}
	if words.within(x.allows) {
		for _, p := range readings {
			if at, ok := x.drift(p); ok && len(p.groups) > 0 {
				return finding{reading: p, candidates: []candidate{at}}
			}
		}
	}
	return finding{reading: readings[0]}
}

// findAs returns the candidates of one reading.
func (x search) findAs(p *pattern) finding {
	f := finding{reading: p}
	switch {
	case len(p.old) == 0:
	case p.isBlank():
		f.candidates, f.err = x.blank(p)
	case len(p.segments) > 1:
		f.candidates, f.vague, f.err = x.elisions(p)
	default:
		f.candidates, f.err = x.fitting(p)
	}
	if p.numbered != nil && !f.vague {
		f.candidates = x.atNumber(p, f.candidates)
	}
	return f
}

// asLines returns the candidates of old text as whole lines.
func (v *version) asLines(old string, allows ignored) []candidate {
	p := &pattern{e: &Edit{}}
	p.read(old, old)
	ids := text.Keys{}
	ids.Add(p.keys...)
	x := newSearch(v, allows)
	x.index = text.NewIndex(v.Text, ids)
	return x.findAs(p).candidates
}

// atNumber returns the candidate at the line that the numbers of p name. If there is none, it returns all, or none if only the place
// can tell that these are line numbers (N2).
func (x search) atNumber(p *pattern, all []candidate) []candidate {
	first := x.v.current(p.numbered.First) + p.segments[0].solid[0]
	i, found := slices.BinarySearchFunc(all, first, func(c candidate, line int) int { return cmp.Compare(x.v.number(c.Start), line) })
	if found {
		return all[i : i+1]
	}
	if p.numbered.Sure {
		return all
	}
	return nil
}

// ofBestClass returns the candidates of the best class: an edit of several places changes no others (P4).
func ofBestClass(all []candidate) (best []candidate) {
	class := Drift
	for _, c := range all {
		class = min(class, c.ignores.class())
	}
	for _, c := range all {
		if c.ignores.class() == class {
			best = append(best, c)
		}
	}
	return best
}

// closest returns the candidates that ignore no more than they have to: none of the others ignores less. Some differences may not
// count, because another edit of the request has them at its only place.
func closest(all []candidate, uncounted ignored) (best []candidate) {
	var sets []ignored
	for _, c := range all {
		if s := c.ignores &^ uncounted; !slices.Contains(sets, s) {
			sets = append(sets, s)
		}
	}
	if len(sets) < 2 {
		return all
	}
	for _, c := range all {
		if s := c.ignores &^ uncounted; !slices.ContainsFunc(sets, func(t ignored) bool { return t.isBetter(s) }) {
			best = append(best, c)
		}
	}
	return best
}
