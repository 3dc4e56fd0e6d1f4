package atomicedit

// elisions returns the one way to lay the segments of p on the text in order, with something left out between each two
// of them (PLACING E2). Segments that the edit does not change may lie anywhere in between: they decide nothing.
func (x *index) elisions(p *passage) []place {
	if x.loosest < Elision || p.loosest < Elision {
		return nil
	}
	type state struct { // a way to lay the segments so far
		end    int // index in x.starts of the line after it
		ways   int // that lead here with different outcomes, at most 2
		parent int
		at     int
	}
	layers := make([][]state, len(p.segments))
	limit := x.limit()
	for k, s := range p.segments {
		var places []int
		for at := range x.sequences(p, s) {
			if x.giveUp(limit) {
				return nil
			}
			if class := x.lay(p, s, x.starts[at], nil, false); 0 < class && class <= x.loosest {
				places = append(places, at)
			}
		}
		if k == 0 {
			for _, at := range places {
				layers[0] = append(layers[0], state{at + len(s.solid), 1, -1, at})
			}
			continue
		}
		before := layers[k-1]
		if !p.changes(s) {
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
		for _, at := range places {
			for i < len(before) && before[i].end+1 <= at {
				if ways == 0 || p.anyChange(k) {
					ways = min(2, ways+before[i].ways)
				}
				i++
			}
			if ways > 0 {
				layers[k] = append(layers[k], state{at + len(s.solid), ways, i - 1, at})
			}
		}
	}
	final := layers[len(layers)-1]
	if len(final) == 0 {
		return nil
	}
	chain := func(st state) place {
		at := place{class: Elision, later: make([]int, len(p.segments)-1)}
		for k := len(p.segments) - 1; k > 0; k-- {
			at.later[k-1] = x.starts[st.at]
			st = layers[k-1][st.parent]
		}
		at.start = x.starts[st.at]
		return at
	}
	found := []place{chain(final[0])}
	if final[0].ways > 1 || len(final) > 1 {
		return append(found, chain(final[len(final)-1]))
	}
	if !x.plausible(fit{p, found[0]}) {
		return nil
	}
	return found
}

// plausible reports whether no segment may lie beyond the scope of the line before the elision: what was left out goes
// nowhere further out than both its neighbours, and back to the line before only if that one opened nothing. A segment of
// two lines that say something is evidence enough by itself (PLACING E3).
func (x *index) plausible(f fit) bool {
	at := x.lines(f)
	depth := func(l line) int { return width(indentOf(x.bytes(l))) }
	for k, s := range f.p.segments[1:] {
		before := f.p.segments[k]
		telling := 0
		for _, i := range s.solid {
			if substantial(f.p.keys[i]) {
				telling++
			}
		}
		if telling > 1 {
			continue
		}
		upper, lower := at[before.solid[len(before.solid)-1]], at[s.solid[0]]
		least := depth(lower)
		if depth(upper) < least {
			least = depth(upper) + 1
		}
		for l := x.lineAt(upper.next); l.start < lower.start; l = x.lineAt(l.next) {
			if content := x.bytes(l); !isBlank(content) && depth(l) < least && longestRun(string(content), isLetterOrDigit) > 0 {
				return false
			}
		}
	}
	return true
}
