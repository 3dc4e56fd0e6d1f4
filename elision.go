package atomicedit

import (
	"regexp"
	"strings"
)

// elisions returns the ways to lay the segments of p on the text in order, with something left out between each two of
// them (PLACING E2). Segments that the edit does not change may lie anywhere in between: they decide nothing. If there
// are more ways than it returns, x.vague is set.
func (x *index) elisions(p *passage) []place {
	if x.loosest < Elision || p.loosest < Elision {
		return nil
	}
	type state struct { // a way to lay the segments so far
		next   int // index in x.starts of the first line where the next segment may start
		ways   int // that lead here with different outcomes, at most 2
		parent int
		at     int
	}
	next := func(s segment, at int) int { // at least one line is left out, be it blank
		next := at + len(s.solid)
		if last := x.lineAt(x.starts[next-1]); next < len(x.starts) && x.starts[next] == last.next {
			next++
		}
		return next
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
				layers[0] = append(layers[0], state{next(s, at), 1, -1, at})
			}
			continue
		}
		before := layers[k-1]
		if !p.changes(s) {
			last := -1
			for i, st := range before {
				for len(places) > 0 && places[0] < st.next {
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
				layers[k] = append(layers[k], state{next(s, places[0]), st.ways, i, places[0]})
				last = len(layers[k]) - 1
			}
			continue
		}
		i, ways := 0, 0
		for _, at := range places {
			for i < len(before) && before[i].next <= at {
				if ways == 0 || p.anyChange(k) {
					ways = min(2, ways+before[i].ways)
				}
				i++
			}
			if ways > 0 {
				layers[k] = append(layers[k], state{next(s, at), ways, i - 1, at})
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
	var found []place
	// A way that is not plausible counts if it is nearer and fits as well, or fits better: then the plausible one may be wrong.
	nearer, best, loosest := Drift, Drift, Exact
	for _, st := range final {
		at := chain(st)
		class := x.lay(p, p.segments[len(p.segments)-1], x.starts[st.at], nil, false)
		if x.vague = x.vague || st.ways > 1; x.plausible(fit{p, at}) {
			found, loosest = append(found, at), max(loosest, class)
			x.vague = x.vague || nearer <= class
		} else {
			best = min(best, class)
			if len(found) == 0 {
				nearer = best
			}
		}
		if x.work += len(p.old); x.giveUp(limit) {
			return nil
		}
	}
	x.vague = (x.vague || best < loosest) && len(found) > 0
	return found
}

// ending matches lines with which many scopes end: they say nothing.
var ending = regexp.MustCompile(`^(end|fi|done|esac|else|pass|break|continue|return)\b\W*\w*\W*$`)

// section matches the line above a section of a file of settings.
var section = regexp.MustCompile(`^\[\[?[\w.:"' -]+\]\]?\s*$`)

// headerOf returns what the next header or end of a scope begins with, where a line opens one without indenting what is in
// it; "" if it does not.
func headerOf(l, next []byte) string {
	s := strings.Trim(string(l), space)
	marks := len(s) - len(strings.TrimLeft(s, "#"))
	switch {
	case strings.HasSuffix(s, "{"):
		return "}"
	case strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]"):
		return "["
	case marks > 1 || marks == 1 && isBlank(next):
		return "#"
	}
	return ""
}

// plausible reports whether no segment may lie beyond the scope of the line before the elision: what was left out goes
// nowhere further out than both its neighbours, and back to the line before, or to another header like it, only if that one
// opened nothing. A segment of two lines that say something, or of three if a scope was opened, is evidence enough by itself
// (PLACING E3).
func (x *index) plausible(f fit) bool {
	at := x.lines(f)
	depth := func(l line) int { return width(indentOf(x.bytes(l))) }
	for k, s := range f.p.segments[1:] {
		before := f.p.segments[k]
		upper, lower := at[before.solid[len(before.solid)-1]], at[s.solid[0]]
		least, opens := depth(lower), depth(upper) < depth(lower)
		if opens {
			least = depth(upper) + 1
		}
		header := headerOf(x.bytes(upper), x.bytes(x.lineAt(upper.next)))
		telling, enough := 0, 2
		if opens || header != "" {
			enough = 3
		}
		for _, i := range s.solid {
			if key := f.p.keys[i]; substantial(key) && !ending.MatchString(key) {
				if telling++; telling == enough {
					break
				}
			}
		}
		if telling >= enough {
			continue
		}
		for l := x.lineAt(upper.next); l.start < lower.start; l = x.lineAt(l.next) {
			content := x.bytes(l)
			if depth(l) < least && longestRun(string(content), isLetterOrDigit) > 0 && !goesOn(content, header) {
				return false
			}
			if depth(l)+depth(upper)+depth(lower) == 0 && section.Match(content) {
				return false
			}
			if depth(l) == depth(upper) && header != "" && strings.HasPrefix(strings.TrimLeft(string(content), space), header) {
				return false
			}
		}
	}
	return true
}
