package atomicedit

import (
	"bytes"
	"iter"
	"slices"
)

// A place is where a passage, or a string, fits.
type place struct {
	class Fit
	start int   // of its first line that is not blank
	later []int // the same of the segments after the first
	end   int   // of a string
}

// A fit is a passage at a place.
type fit struct {
	p *passage
	place
}

// lineFit says how well a line of the request fits a line of the text, 0 if it does not.
func lineFit(o, key string, f []byte) Fit {
	if string(f) == o {
		return Exact
	}
	os, oe := trimmed(o)
	fs, fe := trimmed(f)
	if o[os:oe] == string(f[fs:fe]) {
		if o[:os] == string(f[:fs]) {
			return Spacing
		}
		return Indentation
	}
	if isASCII(o) && isASCII(f) || fold(string(f)) != key {
		return 0
	}
	return Notation
}

// lay lays a segment of p on the text, its first line with text at start, and says how well it fits, 0 if it does not.
// Blank lines pair from the top between lines with text, and from the text outwards at the edges. at, if there is one,
// receives the line of the text for each line of p.old. With drift, kept lines may differ.
func (x *index) lay(p *passage, s segment, start int, at []line, drift bool) Fit {
	class, differing := Exact, 0
	if drift {
		class = Drift
	}
	pair := func(i int, l line) {
		if at != nil {
			at[i] = l
		}
	}
	l := x.lineAt(start)
	for k, i := range s.solid {
		x.work++
		f := lineFit(p.old[i], p.keys[i], x.bytes(l))
		if f == 0 {
			if !drift || !p.keeps(i) || !drifted(p.keys[i], fold(string(x.bytes(l)))) {
				return 0
			}
			if differing++; 2*differing > len(s.solid) {
				return 0
			}
		}
		class = max(class, f)
		pair(i, l)
		if k == len(s.solid)-1 {
			break
		}
		gap, next := i+1, s.solid[k+1]
		for {
			if l.next == len(x.data) {
				return 0
			}
			if l = x.lineAt(l.next); !isBlank(x.bytes(l)) {
				break
			}
			x.work++
			if gap < next {
				if string(x.bytes(l)) != p.old[gap] {
					class = max(class, Spacing)
				}
				pair(gap, l)
				gap++
			} else {
				class = max(class, Spacing)
			}
		}
		for ; gap < next; gap++ {
			class = max(class, Spacing)
			pair(gap, none)
		}
	}
	up := start
	for i := s.solid[0] - 1; i >= s.from; i-- {
		l := none
		if up > 0 {
			if l = x.lineBefore(up); isBlank(x.bytes(l)) {
				up = l.start
			} else {
				up, l = 0, none
			}
		}
		if !l.real() || string(x.bytes(l)) != p.old[i] {
			class = max(class, Spacing)
		}
		pair(i, l)
	}
	down := l.next
	for i := s.solid[len(s.solid)-1] + 1; i < s.to; i++ {
		l := none
		if down < len(x.data) {
			if l = x.lineAt(down); isBlank(x.bytes(l)) {
				down = l.next
			} else {
				down, l = len(x.data), none
			}
		}
		if !l.real() || string(x.bytes(l)) != p.old[i] {
			class = max(class, Spacing)
		}
		pair(i, l)
	}
	return class
}

// lines returns the line of the text for each line of f.p.old.
func (x *index) lines(f fit) []line {
	at := make([]line, len(f.p.old))
	for i := range at {
		at[i] = none
	}
	if len(f.p.segments[0].solid) == 0 {
		for i, start := 0, f.start; i < len(at); i++ {
			at[i] = x.lineAt(start)
			start = at[i].next
		}
		return at
	}
	start := f.start
	for i, s := range f.p.segments {
		if i > 0 {
			start = f.later[i-1]
		}
		x.lay(f.p, s, start, at, f.class == Drift)
	}
	return at
}

// An index finds the lines of passages in a text. Exact fits are found by searching the bytes; only if a passage has none,
// the lines of the text are indexed by what is left when notation and outer space are overlooked. Its cost is linear
// in the text; laying passages on candidate places is bounded by a budget, beyond which an edit counts as ambiguous.
type index struct {
	*text
	loosest Fit
	ids     map[string]int32 // of the folded lines that the request asks for; from 1
	starts  []int            // of the lines of the text that are not blank
	lineIDs []int32          // their ids, 0 for a line that nobody asks for
	where   [][]int32        // by id: indexes in starts
	known   map[sought][]place
	chosen  map[choice]chosen // edits that have the same old text share the choice

	anchors []string // whose scopes were last looked for
	scoped  []scope  // what was found
	missing string

	numbered []place // the places last numbered
	numbers  []int   // see linesOf
	placed   []place // those last said where they are
	told     finding // see finding

	phrases map[phrase]bool // looked for, and whether the text has them

	work    int  // lines laid so far
	overrun bool // the last search would have taken more than its budget, and was given up
	vague   bool // it found more ways to lay an elision than it returned
}

// What is sought is an old text, as the class or better.
type sought struct {
	old     string
	loosest Fit
}

// A choice is that of the best places of what is sought, for an edit of one place or of several; chosen is what came of it.
type (
	choice struct {
		sought
		one bool
	}
	chosen struct {
		best   []place
		looser int
	}
)

// limit returns the work after which the search for one passage is given up: it may lay ten thousand lines on candidate
// places, besides those that the passages of a request may lay together (PLACING P8).
func (x *index) limit() int { return max(x.work, 2*len(x.data)) + 10_000 }

// giveUp reports whether the work is beyond its limit: then nothing that was found can count as the only one.
func (x *index) giveUp(limit int) bool {
	x.overrun = x.overrun || x.work > limit
	return x.overrun
}

// exact adds the exact places of p to those given, found without the index. ok is false where there are too many
// candidates to look at.
func (x *index) exact(p *passage, places []place) (found []place, ok bool) {
	this := sought{p.said, Exact}
	if all, ok := x.known[this]; ok {
		return all, true
	}
	s := p.segments[0]
	if len(s.solid) == 0 {
		return nil, false
	}
	key := s.solid[0] // the longest line is the rarest, as a rule
	for _, i := range s.solid {
		if len(p.old[i]) > len(p.old[key]) {
			key = i
		}
	}
	rare := rarest(p.old[key])
	limit := x.limit()
	for at := 0; ; at++ {
		if at = x.find(p.old[key], rare, at); at < 0 {
			break
		}
		if x.work++; x.work > limit {
			return nil, false
		}
		if !x.startsLine(at) || string(x.bytes(x.lineAt(at))) != p.old[key] {
			continue
		}
		start := at
		for i := key; i > s.solid[0] && start > 0; i-- {
			start = x.lineBefore(start).start
			x.work++
		}
		if !isBlank(x.bytes(x.lineAt(start))) && x.lay(p, s, start, nil, false) == Exact {
			places = append(places, place{class: Exact, start: start})
		}
	}
	if len(places) > 1 {
		x.remember(this, places)
	}
	return places, true
}

// seek adds folded lines to those that the index is built for.
func (x *index) seek(keys ...string) {
	if x.ids == nil {
		x.ids = map[string]int32{}
	}
	for _, k := range keys {
		if k != "" && x.ids[k] == 0 {
			x.ids[k] = int32(len(x.ids) + 1)
		}
	}
}

// scan indexes the lines of the text that are sought.
func (x *index) scan() {
	var sieve [1024]bool // lets pass what may be sought
	sift := func(first, last byte, n int) int { return (int(first)*31 + int(last)*7 + n) & 1023 }
	for k := range x.ids {
		sieve[sift(k[0], k[len(k)-1], len(k))] = true
	}
	ascii := isASCII(x.data)
	n := 1 + bytes.Count(x.data, []byte{x.eol})
	x.starts, x.lineIDs = make([]int, 0, n), make([]int32, 0, n)
	counts := make([]int, len(x.ids)+1)
	for at, next := 0, 0; at < len(x.data); at = next {
		content := x.data[at:]
		if i := bytes.IndexByte(content, x.eol); i >= 0 {
			content = content[:i]
		}
		next = at + len(content) + 1
		if start, end := trimmed(content); start < end {
			id := int32(0)
			if content = content[start:end]; !ascii && !isASCII(content) {
				id = x.ids[fold(string(content))]
			} else if sieve[sift(content[0], content[len(content)-1], len(content))] {
				id = x.ids[string(content)]
			}
			x.starts, x.lineIDs = append(x.starts, at), append(x.lineIDs, id)
			counts[id]++
		}
	}
	x.where = make([][]int32, len(counts))
	room := make([]int32, len(x.lineIDs)-counts[0])
	for id, n := range counts[1:] {
		x.where[id+1], room = room[:0:n], room[n:]
	}
	for i, id := range x.lineIDs {
		if id != 0 {
			x.where[id] = append(x.where[id], int32(i))
		}
	}
}

// sequences yields where in x.starts the non-blank lines of s stand one after the other, by Knuth, Morris and Pratt
// on line ids, unless the rarest of them is rare enough to look at each place.
func (x *index) sequences(p *passage, s segment) iter.Seq[int] {
	ids := make([]int32, len(s.solid))
	rarest := 0
	for k, i := range s.solid {
		ids[k] = x.ids[p.keys[i]]
		if len(x.where[ids[k]]) < len(x.where[ids[rarest]]) {
			rarest = k
		}
	}
	if rare := x.where[ids[rarest]]; len(rare)*len(ids) <= len(x.lineIDs) {
		return func(yield func(int) bool) {
			for _, at := range rare {
				first := int(at) - rarest
				if first >= 0 && first+len(ids) <= len(x.lineIDs) && slices.Equal(x.lineIDs[first:first+len(ids)], ids) && !yield(first) {
					return
				}
			}
		}
	}
	border := make([]int, len(ids)+1)
	for i, k := 1, 0; i < len(ids); i++ {
		for k > 0 && ids[i] != ids[k] {
			k = border[k]
		}
		if ids[i] == ids[k] {
			k++
		}
		border[i+1] = k
	}
	return func(yield func(int) bool) {
		k := 0
		for i, id := range x.lineIDs {
			for k > 0 && (k == len(ids) || id != ids[k]) {
				k = border[k]
			}
			if id == ids[k] {
				k++
			}
			if k == len(ids) && !yield(i+1-k) {
				return
			}
		}
	}
}

// blank returns the places of a passage of blank lines alone: lines with the same bytes.
func (x *index) blank(p *passage) (places []place) {
	starts := x.lineStarts()
	limit := x.limit()
	for i := 0; i+len(p.old) < len(starts); i++ {
		if x.giveUp(limit) {
			return nil
		}
		k := 0
		for k < len(p.old) && string(x.bytes(x.lineAt(starts[i+k]))) == p.old[k] {
			k++
			x.work++
		}
		if k == len(p.old) {
			places = append(places, place{class: Exact, start: starts[i]})
		}
	}
	return places
}

// places returns the places of p in the indexed text that are of the best class there is, and how many fit less well.
// Line numbers that p was copied with go before class.
func (x *index) places(p *passage) (best []place, looser int) {
	switch {
	case len(p.old) == 0:
		return nil, 0
	case len(p.segments[0].solid) == 0:
		return x.blank(p), 0
	}
	search := func(loosest Fit) []place {
		if len(p.segments) > 1 {
			return x.elisions(p)
		}
		return x.within(p, loosest)
	}
	if n := p.numbered; n != nil {
		all, first := search(Notation), x.current(n.first)
		for i, line := range x.linesOf(all) {
			if line-p.segments[0].solid[0] == first && !x.vague {
				return all[i : i+1], len(all) - 1
			}
		}
		if !n.sure {
			return nil, 0
		}
	}
	this := choice{sought{p.said, min(p.loosest, x.loosest)}, p.e.Count == 0}
	again := p.said != "" && p.numbered == nil && len(p.segments) == 1
	if c, ok := x.chosen[this]; ok && again {
		return c.best, c.looser
	}
	best, looser = x.choose(p, search(p.loosest))
	if again && !x.overrun {
		if x.chosen == nil {
			x.chosen = map[choice]chosen{}
		}
		x.chosen[this] = chosen{best, looser}
	}
	return best, looser
}

// choose returns the places of the best class.
func (x *index) choose(p *passage, all []place) (best []place, looser int) {
	class, worst := Drift, Exact
	for _, at := range all {
		class, worst = min(class, at.class), max(worst, at.class)
	}
	if class >= worst {
		return all, 0
	}
	gaps := func(at place) bool { f := fit{p, at}; return f.gaps(x.lines(f)) }
	undecided := class == Spacing // blank lines and indentation are no better than one another
	for _, at := range all {
		undecided = undecided && !(at.class == Spacing && !gaps(at))
	}
	for _, at := range all {
		if at.class == class || undecided && at.class == Indentation && p.e.Count == 0 && !gaps(at) {
			best = append(best, at)
		}
	}
	return best, len(all) - len(best)
}

// current returns the number now of a line of the text that the request started from.
func (x *index) current(n int) int {
	if x.began == nil || n < 1 || n >= len(x.began.lineStarts()) {
		return n
	}
	at, grown := x.began.lineStarts()[n-1], 0
	for _, m := range x.since {
		if at < m.Old.Start {
			break
		}
		if at < m.Old.End {
			return x.lineNumber(m.New.Start)
		}
		grown = m.New.End - m.Old.End
	}
	return x.lineNumber(at + grown)
}

// gaps reports whether the old text has more or fewer blank lines than its lines in the text.
func (f fit) gaps(at []line) bool {
	last := none
	for i, l := range at {
		if !l.real() || f.p.keys[i] != "" && last.real() && l.start != last.next {
			return true
		}
		last = l
	}
	return false
}

// within returns the places where p fits as the class or better.
func (x *index) within(p *passage, loosest Fit) (all []place) {
	if len(p.segments[0].solid) == 0 {
		return x.blank(p)
	}
	this := sought{p.said, min(loosest, x.loosest)}
	if all, ok := x.known[this]; ok {
		return all
	}
	limit := x.limit()
	for at := range x.sequences(p, p.segments[0]) {
		if x.giveUp(limit) {
			return nil
		}
		class := x.lay(p, p.segments[0], x.starts[at], nil, false)
		if 0 < class && class <= loosest && max(class, p.tightest) <= x.loosest {
			all = append(all, place{class: max(class, p.tightest), start: x.starts[at]})
		}
	}
	x.remember(this, all)
	return all
}

// remember keeps the places of an old text: edits that have the same share them.
func (x *index) remember(this sought, places []place) {
	if x.known == nil {
		x.known = map[sought][]place{}
	}
	if this.old != "" {
		x.known[this] = places
	}
}

// best returns the best places of an edit in any of its readings, and in which.
func (x *index) best(all []*passage) (p *passage, best []place, looser int) {
	for _, p := range all {
		if best, looser = x.places(p); len(best) > 0 || x.overrun {
			return p, best, looser
		}
	}
	if x.loosest >= Drift {
		for _, p := range all {
			if at, ok := x.drift(p); ok {
				return p, []place{at}, 0
			}
		}
	}
	return all[0], nil, 0
}
