package place

import (
	"cmp"
	"slices"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A search finds the candidates of patterns in one version of a text. It searches for the bytes of a pattern first, and
// only if they are not there for its lines, in an index. The cost is linear; the meter bounds the comparison of lines.
type search struct {
	v      *version
	index  *text.Index // nil until a pattern needs it
	allows ignored
	meter  *meter
}

// A meter counts the lines that searches of a text compare, and keeps what they found, and where anchors led last.
type meter struct {
	spent int
	found map[query]finding
	led   anchorScopes
}

// anchorScopes has the scopes that the anchors of an edit lead to. A scope is the part of a text that an anchor heads:
// its line, and those below up to the first that is no deeper (J3).
type anchorScopes struct {
	anchors []string
	scopes  []text.Span
	// an anchor that is not there, or a part of several lines, which head the scopes; "" if there is none
	missing string
}

// limit returns where the search for a pattern stops: ten thousand lines beyond those that all patterns share.
func (x search) limit() int { return max(x.meter.spent, 2*len(x.v.Data)) + 10_000 }

// A query asks for the places of an old text that ignore no more than allows.
type query struct {
	old    string
	allows ignored
}

// locationOf returns the location of the candidates of a finding. Edits that share them work it out once.
func (x search) locationOf(f *finding) location {
	at := cmp.Or(f.shared, new(location))
	if at.lines == nil {
		*at = x.v.locateCandidates(f.candidates)
	}
	return *at
}

// exact finds the exact candidates of p, none if there are too many to look at. They are in room if it is enough. The
// index, if there is one, has the lines of p.
func (x search) exact(p *pattern, room []candidate) finding {
	switch {
	case p.isBlank():
		return finding{reading: p}
	case x.index != nil:
		f := x.fitting(p, nothing, room)
		f.tooMany = false
		return f
	}
	return x.known(p, nothing, func() finding { return finding{reading: p, candidates: x.byBytes(p, room)} })
}

// known returns what was found before for the old text of p, or what find finds. It does not keep one exact candidate.
func (x search) known(p *pattern, allows ignored, find func() finding) finding {
	this := query{p.oldText, allows}
	f, ok := x.meter.found[this]
	if ok {
		f.reading = p
		return f
	}
	if f = find(); p.oldText == "" || f.tooMany || allows == nothing && len(f.candidates) < 2 {
		return f
	}
	if x.meter.found == nil {
		x.meter.found = map[query]finding{}
	}
	f.shared = new(location)
	x.meter.found[this] = f
	return f
}

// byBytes appends the exact candidates of p to room, without an index.
func (x search) byBytes(p *pattern, room []candidate) []candidate {
	s := p.segments[0]
	// The longest line is usually the rarest.
	key := slices.MaxFunc(s.solid, func(i, j int) int { return cmp.Compare(len(p.old[i]), len(p.old[j])) })
	rare := text.Rarest(p.old[key])
	limit := x.limit()
	for at := 0; ; at++ {
		if at = x.v.Find(p.old[key], rare, at); at < 0 {
			return room
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
		if c := x.fitAt(p, s, start, nil); c.ignores == nothing {
			room = append(room, c)
		}
	}
}

// fitAt returns the candidate of a segment of p whose first non-blank line is the one at start, even if it is a misfit.
// A line that does not fit may be spelled like the i-th old one.
func (x search) fitAt(p *pattern, s segment, start int, isAlike func(i int, l text.Line) bool) candidate {
	top := start
	for i := s.from; i < s.solid[0] && top > 0; i++ {
		top = x.v.LineBefore(top).Start
	}
	c := candidate{Span: text.Span{Start: start}, lead: int32(start - top)}
	p.eachPair(x.v.Text, s, start, func(i int, l text.Line) bool {
		x.meter.spent++
		fit := p.fit(x.v.Text, i, l)
		if fit == misfit && isAlike != nil && isAlike(i, l) {
			fit = words
		}
		c.End, c.ignores = max(c.End, l.Next), c.ignores|fit
		return c.ignores&misfit == 0
	})
	return c
}

// blank returns the candidates of a pattern of blank lines alone: lines with the same bytes.
func (x search) blank(p *pattern) (all []candidate, tooMany bool) {
	starts := x.v.lineStarts()
	limit := x.limit()
	for i := 0; i+len(p.old) < len(starts); i++ {
		if x.meter.spent > limit {
			return nil, true
		}
		k := 0
		for k < len(p.old) && string(x.v.Bytes(x.v.LineAt(starts[i+k]))) == p.old[k] {
			k++
			x.meter.spent++
		}
		if k == len(p.old) {
			all = append(all, candidate{Span: text.Span{Start: starts[i], End: starts[i+k]}})
		}
	}
	return all, false
}

// fitting finds the candidates of p, without elisions, that ignore no more than allows, in room if that is enough.
func (x search) fitting(p *pattern, allows ignored, room []candidate) finding {
	return x.known(p, allows, func() finding {
		limit := x.limit()
		for at := range x.index.Sequences(p.keys) {
			if x.meter.spent > limit {
				return finding{reading: p, tooMany: true}
			}
			c := x.fitAt(p, p.segments[0], x.index.Starts[at], nil)
			if c.ignores.within(allows) && (c.ignores | p.ignores).within(x.allows) {
				c.ignores |= p.ignores
				room = append(room, c)
			}
		}
		return finding{reading: p, candidates: room}
	})
}

// find returns the candidates of an edit, for the first of its readings that has any.
func (x search) find(readings []*pattern) finding {
	for _, p := range readings {
		if f := x.findAs(p); len(f.candidates) > 0 || f.tooMany {
			return f
		}
	}
	for _, p := range readings {
		if at, ok := x.drift(p); ok && len(p.groups) > 0 {
			return finding{reading: p, candidates: []candidate{at}}
		}
	}
	return finding{reading: readings[0]}
}

func (x search) findAs(p *pattern) finding {
	f := finding{reading: p}
	switch {
	case len(p.old) == 0:
	case p.isBlank():
		f.candidates, f.tooMany = x.blank(p)
	case len(p.segments) > 1:
		f.candidates, f.vague, f.tooMany = x.elisions(p)
	default:
		f = x.fitting(p, p.allows&x.allows, nil)
	}
	if p.numbered != nil && !f.vague {
		f.keep(x.atNumber(p, f.candidates))
	}
	return f
}

// asLines returns the candidates of old text as whole lines, which are among the keys of the index, if there is one.
func (x search) asLines(old string, allows ignored) []candidate {
	p := &pattern{e: &Edit{}}
	p.read(old, old)
	if x.index == nil {
		ids := text.Keys{}
		ids.Add(p.keys...)
		x.index = text.NewIndex(x.v.Text, ids)
	}
	x.allows, x.meter = allows, &meter{}
	return x.findAs(p).candidates
}

// atNumber returns the candidate at the line that the numbers of p name. If there is none, it returns all, or none if
// only the place can tell that these are line numbers (N2).
func (x search) atNumber(p *pattern, all []candidate) []candidate {
	first := x.v.current(p.numbered.First) + p.segments[0].solid[0]
	i, found := slices.BinarySearchFunc(all, first,
		func(c candidate, line int) int { return cmp.Compare(x.v.numbers.At(c.Start), line) })
	if found {
		return all[i : i+1]
	}
	if p.numbered.Sure {
		return all
	}
	return nil
}

// ofBestClass returns the candidates of the best class: an edit of several places changes no others (P4).
func ofBestClass(all []candidate) []candidate {
	best := Drift
	for _, c := range all {
		best = min(best, c.ignores.class())
	}
	return slices.DeleteFunc(slices.Clone(all), func(c candidate) bool { return c.ignores.class() != best })
}

// closest returns the candidates that ignore no more than they have to: none of the others ignores less. Some
// differences may not count, because another edit of the request has them at its only place.
func closest(all []candidate, uncounted ignored) []candidate {
	var sets []ignored
	for _, c := range all {
		if s := c.ignores &^ uncounted; !slices.Contains(sets, s) {
			sets = append(sets, s)
		}
	}
	if len(sets) < 2 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(c candidate) bool {
		return slices.ContainsFunc(sets, func(t ignored) bool { return t.isBetter(c.ignores &^ uncounted) })
	})
}

// drift returns the one candidate of p where lines that the edit keeps differ in a word or two (D1).
func (x search) drift(p *pattern) (candidate, bool) {
	s := p.segments[0]
	if len(p.segments) > 1 || len(s.solid) < 2 || !words.within(x.allows&p.allows) ||
		p.numbered != nil && !p.numbered.Sure {
		return candidate{}, false
	}
	offsets, _, lead := x.index.Vote(p.keys)
	if lead < 1 || offsets[0] < 0 || offsets[0]+len(s.solid) > len(x.index.Starts) {
		return candidate{}, false
	}
	differing := 0
	at := x.fitAt(p, s, x.index.Starts[offsets[0]], func(i int, l text.Line) bool {
		differing++
		return l.Real() && p.keeps(i) && 2*differing <= len(s.solid) &&
			x.isAlike(p.keys[i], text.Fold(string(x.v.Bytes(l))), lead)
	})
	at.ignores |= p.ignores
	return at, at.ignores.within(x.allows)
}

// isAlike reports whether a line of the request differs from one of the text at an edge alone, and the place leads by
// two lines; or in a word or two that the text has nowhere between the same two tokens: that place may be meant (D2).
func (x search) isAlike(asked, own string, lead float64) bool {
	if lead >= 2 && text.DiffersAtEdge(asked, own) {
		return true
	}
	const most = 2 // words that may differ
	if !text.SpelledAlike(asked, own, most) {
		return false
	}
	a, b := text.Tokens(asked), text.Tokens(own)
	for k := range min(len(a), len(b)) {
		if a[k] != b[k] && x.v.phrases.Has(a, k) {
			return false
		}
	}
	return true
}
