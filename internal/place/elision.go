package place

import (
	"bytes"
	"slices"

	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A chain is an alignment of the first segments of a pattern, up to one of them.
type chain struct {
	at     int    // index in index.Starts of the first line of its last segment
	next   int    // index of the first line where the next segment may start
	ways   int    // how many alignments with different outcomes end here, at most 2
	before *chain // of the segments before
}

// elisions returns the alignments of all segments of p in order, with at least one line left out between each two (E2).
// Segments that the edit does not change may lie anywhere between the others: they decide nothing. Vague reports that
// there are more alignments than elisions returns.
func (x search) elisions(p *pattern) (found []candidate, vague, tooMany bool) {
	if !leftOut.within(x.allows & p.allows) {
		return nil, false, false
	}
	chains, changed, limit := []chain{{ways: 1}}, false, x.limit()
	for k, s := range p.segments {
		var places []int
		for at := range x.index.Sequences(p.keys[s.from:s.to]) {
			if x.meter.spent > limit {
				return nil, false, true
			}
			if x.fitAt(p, s, x.index.Starts[at], nil).ignores.within(x.allows) {
				places = append(places, at)
			}
		}
		changes := p.changes(s)
		chains = x.extend(chains, s, places, k > 0 && !changes, changed)
		changed = changed || changes
	}
	return x.plausibleOf(p, chains, limit)
}

// extend adds a segment to the chains that it can follow. One that the edit keeps only goes to the first place after
// each chain, unless it is the first. Of any other, all places count. If changed is set, the edit also changes an
// earlier segment, so every alignment of the earlier segments counts.
func (x search) extend(before []chain, s segment, places []int, kept, changed bool) (chains []chain) {
	i, ways, starts := 0, 0, x.index.Starts
	for _, at := range places {
		if kept {
			ways = 0
		}
		for ; i < len(before) && before[i].next <= at; i++ {
			if ways == 0 || kept || changed {
				ways = min(2, ways+before[i].ways)
			}
		}
		if ways == 0 {
			continue
		}
		next := at + len(s.solid)
		if next < len(starts) && starts[next] == x.v.LineAt(starts[next-1]).Next { // it is left out, blank or not
			next++
		}
		chains = append(chains, chain{at, next, ways, &before[i-1]})
	}
	return chains
}

// plausibleOf returns the candidates of the complete chains that are plausible. If an implausible chain is nearer and
// fits as well, or fits better, the plausible ones may be wrong, and the result is vague.
func (x search) plausibleOf(p *pattern, chains []chain, limit int) (found []candidate, vague, tooMany bool) {
	nearer, best, loosest := Drift, Drift, Exact
	for i := range chains {
		c := &chains[i]
		at := x.candidateOf(p, c)
		class := x.fitAt(p, p.segments[len(p.segments)-1], x.index.Starts[c.at], nil).ignores.class()
		if vague = vague || c.ways > 1; x.plausible(placement{p, at}) {
			found, loosest = append(found, at), max(loosest, class)
			vague = vague || nearer <= class
		} else {
			best = min(best, class)
			if len(found) == 0 {
				nearer = best
			}
		}
		if x.meter.spent += len(p.old); x.meter.spent > limit {
			return nil, false, true
		}
	}
	return found, (vague || best < loosest) && len(found) > 0, false
}

// candidateOf returns the candidate of a chain, which it follows back to the first segment.
func (x search) candidateOf(p *pattern, c *chain) candidate {
	at := candidate{ignores: p.ignores, later: make([]int, len(p.segments)-1)}
	for k, s := range slices.Backward(p.segments) {
		here := x.fitAt(p, s, x.index.Starts[c.at], nil)
		at.Start, at.lead = here.Start, here.lead
		at.End, at.ignores = max(at.End, here.End), at.ignores|here.ignores
		if k > 0 {
			at.later[k-1] = at.Start
		}
		c = c.before
	}
	return at
}

// plausible reports whether no segment lies beyond the scope of the line before its elision. A segment with two lines
// that say something, or three if a scope was opened, is evidence enough by itself (E2).
func (x search) plausible(f placement) bool {
	at := f.lines(x.v.Text)
	for k, s := range f.p.segments[1:] {
		before := f.p.segments[k]
		upper, lower := at[before.solid[len(before.solid)-1]], at[s.solid[0]]
		enough := 2
		if outline.OpensScope(x.v.Text, upper, lower) {
			enough = 3
		}
		if f.p.telling(s, enough) >= enough {
			continue
		}
		left := outline.ScopeLeft(x.v.Text, upper, lower)
		x.meter.spent += bytes.Count(x.v.Data[upper.Start:left.Start], []byte{x.v.EOL})
		if left.Start < lower.Start {
			return false
		}
	}
	return true
}

// telling counts the lines of a segment that distinguish it from others, up to enough.
func (p *pattern) telling(s segment, enough int) (n int) {
	for _, i := range s.solid {
		if key := p.keys[i]; n < enough && text.Substantial(key) && !outline.EndsScope(key) {
			n++
		}
	}
	return n
}
