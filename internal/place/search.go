package place

import (
	"errors"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A search finds the candidates of patterns in one version of a text. It searches for the bytes of a pattern first, and only if
// they are not there for its lines, in an index. The cost is linear in the text. The meter bounds the comparison of lines.
type search struct {
	v       *version
	index   *index // nil until a pattern needs it
	loosest Fit
	meter   *meter
	cache   *cache
}

// newSearch returns a search without an index.
func newSearch(v *version, loosest Fit) search {
	return search{v: v, loosest: loosest, meter: &meter{size: len(v.Data)}, cache: new(cache)}
}

// accepting returns x with another bound on the fits that it accepts.
func (x search) accepting(loosest Fit) search {
	x.loosest = loosest
	return x
}

// errTooMany means that a search was abandoned: the text has too many places to look at, so no place can count as the only one.
var errTooMany = errors.New("too many places")

// A cache keeps the results of a search for edits with the same old text.
type cache struct {
	found   map[query][]candidate
	best    map[bestQuery]bestResult
	located []candidate // the last candidates that were located
	at      location    // where they are
}

// A query asks for the places of an old text with a fit of loosest or better.
type query struct {
	old     string
	loosest Fit
}

type (
	// A bestQuery asks for the best candidates of an old text, for an edit of one place or of several.
	bestQuery struct {
		query
		one bool
	}
	// A bestResult has the best candidates, and the number of those that fit less well.
	bestResult struct {
		best   []candidate
		looser int
	}
)

func (m *cache) keepFound(s query, all []candidate) {
	if s.old == "" {
		return
	}
	if m.found == nil {
		m.found = map[query][]candidate{}
	}
	m.found[s] = all
}

func (m *cache) keepBest(c bestQuery, best bestResult) {
	if m.best == nil {
		m.best = map[bestQuery]bestResult{}
	}
	m.best[c] = best
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
	this := query{p.oldText, Exact}
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
		if !text.IsBlank(x.v.Bytes(x.v.LineAt(start))) && align(x.v.Text, p, s, start, nil, false, x.meter) == Exact {
			all = append(all, candidate{class: Exact, start: start})
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
			all = append(all, candidate{class: Exact, start: starts[i]})
		}
	}
	return all, nil
}

// fitting returns the candidates with a fit of loosest or better.
func (x search) fitting(p *pattern, loosest Fit) (all []candidate, err error) {
	if p.isBlank() {
		return x.blank(p)
	}
	this := query{p.oldText, min(loosest, x.loosest)}
	if all, ok := x.cache.found[this]; ok {
		return all, nil
	}
	limit := x.meter.limit()
	for at := range x.index.sequences(p, p.segments[0]) {
		if x.meter.spent > limit {
			return nil, errTooMany
		}
		class := align(x.v.Text, p, p.segments[0], x.index.starts[at], nil, false, x.meter)
		if 0 < class && class <= loosest && max(class, p.tightest) <= x.loosest {
			all = append(all, candidate{class: max(class, p.tightest), start: x.index.starts[at]})
		}
	}
	x.cache.keepFound(this, all)
	return all, nil
}

// A finding is the result of a search: the best candidates of an edit, and the reading that fits there.
type finding struct {
	reading *pattern
	best    []candidate
	looser  int  // how many fit less well
	vague   bool // an elision can be aligned in more ways than there are candidates
	err     error
}

// find returns the best candidates of an edit, for the first of its readings that has any.
func (x search) find(readings []*pattern) finding {
	vague := false
	for _, p := range readings {
		f := x.findAs(p)
		if f.vague = f.vague || vague; len(f.best) > 0 || f.err != nil {
			return f
		}
		vague = f.vague
	}
	if x.loosest >= Drift {
		for _, p := range readings {
			if at, ok := x.drift(p); ok {
				return finding{reading: p, best: []candidate{at}, vague: vague}
			}
		}
	}
	return finding{reading: readings[0], vague: vague}
}

// findAs returns the candidates of one reading that have the best class of all. Line numbers that the request copied from a
// viewer decide before the class (N2).
func (x search) findAs(p *pattern) finding {
	f := finding{reading: p}
	switch {
	case len(p.old) == 0:
		return f
	case p.isBlank():
		f.best, f.err = x.blank(p)
		return f
	}
	if n := p.numbered; n != nil {
		all, vague, err := x.all(p, Notation)
		if f.vague = vague; err == nil && !vague {
			first := x.v.current(n.first) + p.segments[0].solid[0]
			for i, line := range x.v.lineNumbers(all) {
				if line == first {
					f.best, f.looser = all[i:i+1], len(all)-1
					return f
				}
			}
		}
		if !n.sure || err != nil {
			f.err = err
			return f
		}
	}
	this := bestQuery{query{p.oldText, min(p.loosest, x.loosest)}, p.e.Count == 0}
	again := p.oldText != "" && p.numbered == nil && len(p.segments) == 1
	if c, ok := x.cache.best[this]; ok && again {
		f.best, f.looser = c.best, c.looser
		return f
	}
	all, vague, err := x.all(p, p.loosest)
	f.vague, f.err = f.vague || vague, err
	if err != nil {
		return f
	}
	f.best, f.looser = x.choose(p, all)
	if again {
		x.cache.keepBest(this, bestResult{f.best, f.looser})
	}
	return f
}

// all returns the candidates of a pattern, with elisions or without, that have a fit of loosest or better.
func (x search) all(p *pattern, loosest Fit) (all []candidate, vague bool, err error) {
	if len(p.segments) > 1 {
		return x.elisions(p)
	}
	all, err = x.fitting(p, loosest)
	return all, false, err
}

// choose returns the candidates of the best class, and the number of the others.
func (x search) choose(p *pattern, all []candidate) (best []candidate, looser int) {
	class, worst := Drift, Exact
	for _, c := range all {
		class, worst = min(class, c.class), max(worst, c.class)
	}
	if class >= worst {
		return all, 0
	}
	blanksDiffer := func(c candidate) bool {
		f := placement{p, c}
		return f.blanksDiffer(f.lines(x.v.Text))
	}
	undecided := class == Spacing // a fit that ignores blank lines is no better than one that ignores indentation (P7)
	for _, c := range all {
		undecided = undecided && !(c.class == Spacing && !blanksDiffer(c))
	}
	for _, c := range all {
		if c.class == class || undecided && c.class == Indentation && p.e.Count == 0 && !blanksDiffer(c) {
			best = append(best, c)
		}
	}
	return best, len(all) - len(best)
}
