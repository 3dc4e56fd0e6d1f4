package atomicedit

import (
	"bytes"
	"strings"
	"unicode"
)

// A passage is an edit read as lines. A passage with elisions falls into segments, which are found one by one.
type passage struct {
	edit     int
	e        *Edit
	old, new []string
	script   []step   // how old becomes new
	kept     []bool   // by line of old: the edit leaves it as it is
	keys     []string // by line of old: folded; "" if it is blank
	segments []segment
	near     int        // the line that the request names, 0 if none
	numbered *numbering // what was taken off the lines of this reading, nil if nothing
	loosest  Fit        // that this reading can be: what its kind of text allows
	tightest Fit        // that it can be: line numbers make any fit a Notation
}

// A segment is a run of old lines that lie together in the text.
type segment struct {
	from, to int
	solid    []int // the lines in it that are not blank
}

func newPassage(edit int, e *Edit, old, new []string) *passage {
	b := &passage{edit: edit, e: e, old: old, new: new, near: e.Near, loosest: Drift, tightest: Exact}
	b.script = align(old, new, e.hunk)
	b.keys, b.kept = make([]string, len(old)), make([]bool, len(old))
	for i, l := range old {
		b.keys[i] = fold(l)
	}
	for _, s := range b.script {
		if s.old >= 0 && s.new >= 0 {
			b.kept[s.old] = true
		}
	}
	b.segments = []segment{b.segment(0, len(old))}
	if solid := b.segments[0].solid; len(solid) == 0 {
		b.loosest = Exact
	} else if len(solid) == 1 && !hasWord(b.keys[solid[0]]) {
		b.loosest = Spacing
	}
	return b
}

func (b *passage) segment(from, to int) segment {
	s := segment{from: from, to: to}
	for i := from; i < to; i++ {
		if b.keys[i] != "" {
			s.solid = append(s.solid, i)
		}
	}
	return s
}

// unnumbered returns b without the line numbers that a viewer wrote in front of its lines, nil if it has none.
func (b *passage) unnumbered() *passage {
	n, ok := numberingOf(b.old)
	if !ok {
		return nil
	}
	old, ok := n.strip(b.old)
	if !ok {
		return nil
	}
	stripped, all := n.strip(b.new)
	if !all {
		for _, l := range b.new {
			if numberedLine.MatchString(l) {
				return nil
			}
		}
		stripped = b.new
	}
	u := newPassage(b.edit, b.e, old, stripped)
	u.near, u.tightest, u.numbered = n.first, Notation, &n
	return u
}

// elided returns b with the lines of "..." standing for lines left out, nil if it has none or they do not pair.
func (b *passage) elided() *passage {
	var marks []int
	for i, l := range b.old {
		if isElision(l) {
			if !b.kept[i] {
				return nil
			}
			marks = append(marks, i)
		}
	}
	if len(marks) == 0 {
		return nil
	}
	n := 0
	for _, l := range b.new {
		if isElision(l) {
			n++
		}
	}
	if n != len(marks) {
		return nil
	}
	v := *b
	v.segments, v.tightest = nil, Elision
	from := 0
	for _, m := range append(marks, len(b.old)) {
		s := b.segment(from, m)
		if len(s.solid) == 0 {
			return nil
		}
		v.segments, from = append(v.segments, s), m+1
	}
	return &v
}

// changes reports whether the edit changes something within the segment or at its edges.
func (b *passage) changes(s segment) bool {
	last := -1
	for _, st := range b.script {
		if st.old >= 0 && st.new >= 0 {
			last = st.old
		} else if st.old >= s.from && st.old < s.to || st.old < 0 && last >= s.from-1 && last < s.to && b.beside(last, s) {
			return true
		}
	}
	return false
}

// beside reports whether what is inserted after the kept old line last belongs to s: text beside an elision belongs to
// the side that it stands on in the request.
func (b *passage) beside(last int, s segment) bool {
	return last >= s.from || s.from == 0 || last == s.from-1
}

// hasWord reports whether s has a word of three letters.
func hasWord(s string) bool { return longestRun(s, unicode.IsLetter) >= 3 }

// substantial lines are those that say enough to be told from others (PLACING, Substantial).
func substantial(s string) bool { return longestRun(s, isLetterOrDigit) >= 3 }

func isLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func longestRun(s string, in func(rune) bool) (longest int) {
	n := 0
	for _, r := range s {
		if n++; !in(r) {
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}

// A fit is where a block fits.
type fit struct {
	b      *passage
	class  Fit
	starts []int // by segment, the start of the first line that is not blank
	end    int   // of a string, which has no passage
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

// lay lays a segment of b on the text, its first line with text at start, and says how well it fits, 0 if it does not.
// Blank lines pair from the top between lines with text, and from the text outwards at the edges. at, if there is one,
// receives the line of the text for each line of b.old. With drift, kept lines may differ.
func (x *index) lay(b *passage, s segment, start int, at []line, drift bool) Fit {
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
		f := lineFit(b.old[i], b.keys[i], x.bytes(l))
		if f == 0 {
			if !drift || !b.kept[i] || !drifted(b.keys[i], fold(string(x.bytes(l)))) {
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
				if string(x.bytes(l)) != b.old[gap] {
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
		if !l.real() || string(x.bytes(l)) != b.old[i] {
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
		if !l.real() || string(x.bytes(l)) != b.old[i] {
			class = max(class, Spacing)
		}
		pair(i, l)
	}
	return class
}

// lines returns the line of the text for each line of f.b.old.
func (x *index) lines(f fit) []line {
	at := make([]line, len(f.b.old))
	for i := range at {
		at[i] = none
	}
	if len(f.b.segments[0].solid) == 0 {
		for i, start := 0, f.starts[0]; i < len(at); i++ {
			at[i] = x.lineAt(start)
			start = at[i].next
		}
		return at
	}
	for i, s := range f.b.segments {
		x.lay(f.b, s, f.starts[i], at, f.class == Drift)
	}
	return at
}

// An index finds the lines of blocks in a text. Exact fits are found by searching the bytes; only if a block has none,
// the lines of the text are indexed by what is left when notation and outer space are overlooked. Its cost is linear
// in the text; laying blocks on candidate places is bounded by a budget, beyond which a request counts as ambiguous.
type index struct {
	text
	loosest Fit
	ids     map[string]int32 // of the folded lines that the request asks for; from 1
	starts  []int            // of the lines of the text that are not blank
	lineIDs []int32          // their ids, 0 for a line that nobody asks for
	where   [][]int32        // by id: indexes in starts
	work    int              // lines laid so far
}

// budget is how many lines may be laid on candidate places for one block.
func (x *index) budget() int { return 10_000 + len(x.data)/8 }

// exact returns the exact fits of b, found without the index. ok is false where there are too many candidates to look at.
func (x *index) exact(b *passage) (fits []fit, ok bool) {
	s := b.segments[0]
	if len(s.solid) == 0 {
		return nil, false
	}
	key := s.solid[0] // the longest line is the rarest, as a rule
	for _, i := range s.solid {
		if len(b.old[i]) > len(b.old[key]) {
			key = i
		}
	}
	// Short needles are what bytes.Index is fast for.
	needle := []byte(b.old[key])
	if len(needle) > 60 {
		needle = needle[:60]
	}
	limit := x.work + x.budget()
	for at := 0; ; at++ {
		i := bytes.Index(x.data[at:], needle)
		if i < 0 {
			return fits, true
		}
		at += i
		if x.work++; x.work > limit {
			return nil, false
		}
		if !x.startsLine(at) || string(x.bytes(x.lineAt(at))) != b.old[key] {
			continue
		}
		start := at
		for i := key; i > s.solid[0] && start > 0; i-- {
			start = x.lineBefore(start).start
			x.work++
		}
		if !isBlank(x.bytes(x.lineAt(start))) && x.lay(b, s, start, nil, false) == Exact {
			fits = append(fits, fit{b: b, class: Exact, starts: []int{start}})
		}
	}
}

// build indexes the lines of the text for those lines of the blocks that are not blank.
func (x *index) build(blocks []*passage) {
	if x.ids == nil {
		x.ids = map[string]int32{}
	}
	var lengths [64]bool // of the lines asked for, at least 63 bytes in the last
	for _, b := range blocks {
		for _, k := range b.keys {
			if k != "" && x.ids[k] == 0 {
				x.ids[k] = int32(len(x.ids) + 1)
			}
		}
	}
	for k := range x.ids {
		lengths[min(len(k), 63)] = true
	}
	x.starts, x.lineIDs = x.starts[:0], x.lineIDs[:0]
	counts := make([]int, len(x.ids)+1)
	for at := 0; at < len(x.data); {
		l := x.lineAt(at)
		content := x.bytes(l)
		if start, end := trimmed(content); start < end {
			id := int32(0)
			if content = content[start:end]; !isASCII(content) {
				id = x.ids[fold(string(content))]
			} else if lengths[min(len(content), 63)] {
				id = x.ids[string(content)]
			}
			x.starts, x.lineIDs = append(x.starts, at), append(x.lineIDs, id)
			counts[id]++
		}
		at = l.next
	}
	x.where = make([][]int32, len(counts))
	for i, id := range x.lineIDs {
		if id != 0 {
			if x.where[id] == nil {
				x.where[id] = make([]int32, 0, counts[id])
			}
			x.where[id] = append(x.where[id], int32(i))
		}
	}
}

// sequences returns where in x.starts the non-blank lines of s stand one after the other, by Knuth, Morris and Pratt
// on line ids, unless the rarest of them is rare enough to look at each place.
func (x *index) sequences(b *passage, s segment) []int {
	ids := make([]int32, len(s.solid))
	rarest := 0
	for k, i := range s.solid {
		ids[k] = x.ids[b.keys[i]]
		if len(x.where[ids[k]]) < len(x.where[ids[rarest]]) {
			rarest = k
		}
	}
	var found []int
	if rare := x.where[ids[rarest]]; len(rare)*len(ids) <= len(x.lineIDs) {
	next:
		for _, at := range rare {
			at := int(at) - rarest
			if at < 0 || at+len(ids) > len(x.lineIDs) {
				continue
			}
			for k, id := range ids {
				if x.lineIDs[at+k] != id {
					continue next
				}
			}
			found = append(found, at)
		}
		return found
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
	k := 0
	for i, id := range x.lineIDs {
		for k > 0 && (k == len(ids) || id != ids[k]) {
			k = border[k]
		}
		if id == ids[k] {
			k++
		}
		if k == len(ids) {
			found = append(found, i+1-k)
		}
	}
	return found
}

// blank returns the places of a block of blank lines alone: lines with the same bytes.
func (x *index) blank(b *passage) (fits []fit) {
	starts := x.lineStarts()
	limit := x.work + x.budget()
	for i := 0; i+len(b.old) < len(starts) && x.work < limit; i++ {
		k := 0
		for k < len(b.old) && string(x.bytes(x.lineAt(starts[i+k]))) == b.old[k] {
			k++
			x.work++
		}
		if k == len(b.old) {
			fits = append(fits, fit{b: b, class: Exact, starts: []int{starts[i]}})
		}
	}
	return fits
}

// fits returns the fits of b in the indexed text that are of the best class there is, and how many places fit less well.
// Line numbers that b was copied with go before class.
func (x *index) fits(b *passage) (best []fit, looser int) {
	switch {
	case len(b.old) == 0:
		return nil, 0
	case len(b.segments[0].solid) == 0:
		return x.blank(b), 0
	case len(b.segments) > 1:
		return x.elisions(b), 0
	}
	all := x.within(b, b.loosest)
	if n := b.numbered; n != nil && len(all) > 0 {
		for i, line := range x.places(all) {
			if line-b.segments[0].solid[0] == n.first {
				return all[i : i+1], len(all) - 1
			}
		}
		if !n.sure {
			return nil, 0
		}
	}
	class := Drift
	for _, f := range all {
		class = min(class, f.class)
	}
	for _, f := range all {
		if f.class == class {
			best = append(best, f)
		}
	}
	return best, len(all) - len(best)
}

// within returns the places where b fits as the class or better.
func (x *index) within(b *passage, loosest Fit) (all []fit) {
	if len(b.segments[0].solid) == 0 {
		return x.blank(b)
	}
	limit := x.work + x.budget()
	for _, p := range x.sequences(b, b.segments[0]) {
		if x.work > limit {
			break
		}
		class := x.lay(b, b.segments[0], x.starts[p], nil, false)
		if 0 < class && class <= loosest && max(class, b.tightest) <= x.loosest {
			all = append(all, fit{b: b, class: max(class, b.tightest), starts: []int{x.starts[p]}})
		}
	}
	return all
}

// readings are the ways to read an edit, the plainest first. A reading counts only if none before it fits.
func readings(b *passage) []*passage {
	all := []*passage{b}
	if u := b.unnumbered(); u != nil {
		all = append(all, u)
	}
	for _, r := range all {
		if e := r.elided(); e != nil {
			all = append(all, e)
		}
	}
	return all
}

// find returns the best fits of an edit in any of its readings.
func (x *index) find(all []*passage) (best []fit, looser int) {
	for _, b := range all {
		if best, looser = x.fits(b); len(best) > 0 {
			return best, looser
		}
	}
	if x.loosest >= Drift {
		for _, b := range all {
			if f, ok := x.drift(b); ok {
				return []fit{f}, 0
			}
		}
	}
	return nil, 0
}

// elisions returns the one way to lay the segments of b on the text in order, with something left out between each two
// of them (PLACING E2). Segments that the edit does not change may lie anywhere in between: they decide nothing.
func (x *index) elisions(b *passage) []fit {
	if x.loosest < Elision || b.loosest < Elision {
		return nil
	}
	type state struct { // a way to lay the segments so far
		end    int // index in x.starts of the line after it
		ways   int // that lead here with different outcomes, at most 2
		parent int
		at     int
	}
	layers := make([][]state, len(b.segments))
	for k, s := range b.segments {
		var places []int
		for _, p := range x.sequences(b, s) {
			if class := x.lay(b, s, x.starts[p], nil, false); 0 < class && class <= x.loosest {
				places = append(places, p)
			}
		}
		if k == 0 {
			for _, p := range places {
				layers[0] = append(layers[0], state{p + len(s.solid), 1, -1, p})
			}
			continue
		}
		before := layers[k-1]
		if !b.changes(s) {
			last := -1
			for i, st := range before {
				for len(places) > 0 && places[0] < st.end+1 {
					places = places[1:]
				}
				if len(places) == 0 {
					break
				}
				if last >= 0 && layers[k][last].at == places[0] {
					layers[k][last].ways = min(2, layers[k][last].ways+st.ways)
					layers[k][last].parent = i
					continue
				}
				layers[k] = append(layers[k], state{places[0] + len(s.solid), st.ways, i, places[0]})
				last = len(layers[k]) - 1
			}
			continue
		}
		i, ways := 0, 0
		for _, p := range places {
			for i < len(before) && before[i].end+1 <= p {
				if ways == 0 || b.anyChange(k) {
					ways = min(2, ways+before[i].ways)
				}
				i++
			}
			if ways > 0 {
				layers[k] = append(layers[k], state{p + len(s.solid), ways, i - 1, p})
			}
		}
	}
	final := layers[len(layers)-1]
	if len(final) == 0 {
		return nil
	}
	chain := func(st state) fit {
		f := fit{b: b, class: Elision, starts: make([]int, len(b.segments))}
		for k := len(b.segments) - 1; k >= 0; k-- {
			f.starts[k] = x.starts[st.at]
			if k > 0 {
				st = layers[k-1][st.parent]
			}
		}
		return f
	}
	fits := []fit{chain(final[0])}
	if final[0].ways > 1 || len(final) > 1 {
		return append(fits, chain(final[len(final)-1]))
	}
	if !x.plausible(fits[0]) {
		return nil
	}
	return fits
}

// plausible reports whether no segment that is a single line may have been found beyond the scope that the line before
// the elision opened (PLACING E3).
func (x *index) plausible(f fit) bool {
	at := x.lines(f)
	depth := func(l line) int { return width(indentOf(x.bytes(l))) }
	for k, s := range f.b.segments[1:] {
		upper := at[f.b.segments[k].solid[len(f.b.segments[k].solid)-1]]
		if len(s.solid) > 1 || depth(at[s.solid[0]]) <= depth(upper) {
			continue
		}
		for l := x.lineAt(upper.next); l.start < at[s.solid[0]].start; l = x.lineAt(l.next) {
			if !isBlank(x.bytes(l)) && depth(l) <= depth(upper) {
				return false
			}
		}
	}
	return true
}

// elision reports whether the i-th old line stands for lines left out.
func (b *passage) elision(i int) bool {
	for _, s := range b.segments {
		if i == s.to && i < len(b.old) {
			return true
		}
	}
	return false
}

// anyChange reports whether the edit changes something in a segment before the k-th.
func (b *passage) anyChange(k int) bool {
	for _, s := range b.segments[:k] {
		if b.changes(s) {
			return true
		}
	}
	return false
}

// vote returns, of all ways to lay b on the lines of the text one to one, the one that most of its lines support, and
// by how much it leads (PLACING D4). Lines that are everywhere have no vote.
func (x *index) vote(b *passage) (offset int, score, lead float64) {
	const everywhere = 64
	votes := map[int]float64{}
	rank := 0
	for _, s := range b.segments {
		for _, i := range s.solid {
			places := x.where[x.ids[b.keys[i]]]
			weight := 0.25
			if substantial(b.keys[i]) {
				weight = 1
			}
			if len(places) <= everywhere {
				for _, p := range places {
					votes[int(p)-rank] += weight
				}
			}
			rank++
		}
	}
	second := 0.0
	for o, v := range votes {
		if v > score || v == score && o < offset {
			offset, score, second = o, v, max(second, score)
		} else {
			second = max(second, v)
		}
	}
	return offset, score, score - second
}

// drift returns the one place of b where lines that it keeps differ in a word or two.
func (x *index) drift(b *passage) (fit, bool) {
	s := b.segments[0]
	if len(b.segments) > 1 || len(s.solid) < 2 || b.loosest < Drift || b.numbered != nil && !b.numbered.sure || !b.changes(s) {
		return fit{}, false
	}
	offset, _, lead := x.vote(b)
	if lead < 1 || offset < 0 || offset+len(s.solid) > len(x.starts) || x.lay(b, s, x.starts[offset], nil, true) == 0 {
		return fit{}, false
	}
	f := fit{b: b, class: Drift, starts: []int{x.starts[offset]}}
	return f, x.neighboursFit(f)
}

// neighboursFit reports whether both lines with text around each pure insertion fit (PLACING D2).
func (x *index) neighboursFit(f fit) bool {
	b, at := f.b, x.lines(f)
	fits := func(i, step int) bool {
		for ; i >= 0 && i < len(b.old); i += step {
			if b.keys[i] != "" {
				return lineFit(b.old[i], b.keys[i], x.bytes(at[i])) != 0
			}
		}
		return true
	}
	for _, g := range groups(b.script) {
		if g.oldFrom == g.oldTo && !(fits(g.oldFrom-1, -1) && fits(g.oldTo, 1)) {
			return false
		}
	}
	return true
}

// drifted reports whether two folded lines differ in no more than two words spelled alike (PLACING D3).
func drifted(o, f string) bool {
	a, b := tokens(o), tokens(f)
	if len(a) != len(b) {
		return false
	}
	differing := 0
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		if differing++; differing > 2 || !alike(a[i], b[i]) {
			return false
		}
	}
	return true
}

// tokens splits a line into words and single other characters.
func tokens(s string) (all []string) {
	word := -1
	for i, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
			if word < 0 {
				word = i
			}
			continue
		}
		if word >= 0 {
			all, word = append(all, s[word:i]), -1
		}
		if !unicode.IsSpace(r) {
			all = append(all, string(r))
		}
	}
	if word >= 0 {
		all = append(all, s[word:])
	}
	return all
}

// alike reports whether two words are spelled alike: the same digits, and most characters common, in order.
func alike(a, b string) bool {
	digits := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return r
			}
			return -1
		}, s)
	}
	if len(a) < 2 || len(b) < 2 || len(a) > 64 || len(b) > 64 || digits(a) != digits(b) {
		return false
	}
	return float64(2*common(a, b)) >= 0.6*float64(len(a)+len(b))
}

// common returns the length of the longest common subsequence of two words.
func common(a, b string) int {
	row := make([]int, len(b)+1)
	for i := range len(a) {
		diagonal := 0
		for j := range len(b) {
			up := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(up, row[j])
			}
			diagonal = up
		}
	}
	return row[len(b)]
}
