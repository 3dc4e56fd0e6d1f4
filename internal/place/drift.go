package place

import (
	"slices"
	"strings"
	"unicode"

	"github.com/atomicedit/atomicedit/internal/text"
)

// drift returns the one candidate of p where lines that the edit keeps differ in a word or two (D1).
func (x search) drift(p *pattern) (candidate, bool) {
	s := p.segments[0]
	if len(p.segments) > 1 || len(s.solid) < 2 || !words.within(p.allows) || p.numbered != nil && !p.numbered.sure {
		return candidate{}, false
	}
	offset, _, lead := x.index.vote(p)
	if lead < 1 || offset < 0 || offset+len(s.solid) > len(x.index.starts) {
		return candidate{}, false
	}
	start := x.index.starts[offset]
	all := align(x.v.Text, p, s, start, nil, true, x.meter) | p.ignores
	if !all.within(x.allows) {
		return candidate{}, false
	}
	f := placement{p, candidate{ignores: all, start: start}}
	at := f.lines(x.v.Text)
	return f.candidate, x.isMisspelled(f, at)
}

// vote returns the one-to-one alignment of p with the lines of the text that gets the most votes: its offset in x.starts, its
// score, and its lead over the next (D1). Lines that are everywhere have no vote.
func (x *index) vote(p *pattern) (offset int, score, lead float64) {
	const everywhere = 64
	votes := map[int]float64{}
	rank := 0
	for _, s := range p.segments {
		for _, i := range s.solid {
			places := x.lines(p.keys[i])
			weight := 0.25
			if text.Substantial(p.keys[i]) {
				weight = 1
			}
			if len(places) <= everywhere {
				for _, place := range places {
					votes[int(place)-rank] += weight
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

// isMisspelled reports whether the text has none of the differing words elsewhere between the same two tokens. If it has one, the
// request may mean that place (D2).
func (x search) isMisspelled(f placement, at []text.Line) bool {
	for i, l := range at {
		if f.p.keys[i] == "" || fitOf(f.p.old[i], f.p.keys[i], x.v.Bytes(l)) != misfit {
			continue
		}
		asked, own := text.Tokens(f.p.keys[i]), text.Tokens(fold(string(x.v.Bytes(l))))
		for k := range min(len(asked), len(own)) {
			if asked[k] != own[k] && x.v.phrases.has(phraseAt(asked, k)) {
				return false
			}
		}
	}
	return true
}

// drifted reports whether two folded lines differ in at most two words, which are spelled alike (D2).
func drifted(o, f string) bool {
	a, b := text.Tokens(o), text.Tokens(f)
	if len(a) != len(b) {
		return false
	}
	differing := 0
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		if differing++; differing > 2 || !isAlike(a[i], b[i]) {
			return false
		}
	}
	return true
}

// isAlike reports whether one word is a misspelling of the other: both have the same digits and, in each component, the same
// first letter and at most two letters inserted or left out. A component of three letters or fewer cannot have one replaced.
func isAlike(a, b string) bool {
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
	ac, bc := components(a), components(b)
	if len(ac) != len(bc) {
		return false
	}
	for i := range ac {
		if x, y := []rune(ac[i]), []rune(bc[i]); !slices.Equal(x, y) &&
			(len(x) == len(y) && len(x) <= 3 || len(x) == 0 || len(y) == 0 || x[0] != y[0] || len(x)+len(y)-2*common(x, y) > 2) {
			return false
		}
	}
	return true
}

// components splits an identifier at underscores and capitals. A typing error changes a letter or two of one component, but not
// its first. That distinguishes get from set and valid from invalid.
func components(word string) (all []string) {
	start := 0
	for i := 1; i < len(word); i++ {
		if word[i] == '_' || 'A' <= word[i] && word[i] <= 'Z' && !('A' <= word[i-1] && word[i-1] <= 'Z') {
			all, start = append(all, strings.TrimLeft(word[start:i], "_")), i
		}
	}
	return append(all, strings.TrimLeft(word[start:], "_"))
}

// common returns the length of the longest common subsequence of two words.
func common(a, b []rune) int {
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
