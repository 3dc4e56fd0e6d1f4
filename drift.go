package atomicedit

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// vote returns, of all ways to lay p on the lines of the text one to one, the one that most of its lines support, and
// by how much it leads (PLACING D4). Lines that are everywhere have no vote.
func (x *index) vote(p *passage) (offset int, score, lead float64) {
	const everywhere = 64
	votes := map[int]float64{}
	rank := 0
	for _, s := range p.segments {
		for _, i := range s.solid {
			places := x.where[x.ids[p.keys[i]]]
			weight := 0.25
			if substantial(p.keys[i]) {
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

// drift returns the one place of p where lines that it keeps differ in a word or two.
func (x *index) drift(p *passage) (place, bool) {
	s := p.segments[0]
	if len(p.segments) > 1 || len(s.solid) < 2 || p.loosest < Drift || p.numbered != nil && !p.numbered.sure || !p.changes(s) {
		return place{}, false
	}
	offset, _, lead := x.vote(p)
	if lead < 1 || offset < 0 || offset+len(s.solid) > len(x.starts) || x.lay(p, s, x.starts[offset], nil, true) == 0 {
		return place{}, false
	}
	f := fit{p, place{class: Drift, start: x.starts[offset]}}
	return f.place, x.neighboursFit(f) && x.misspelled(f)
}

// misspelled reports whether no word that differs is a word of the text, between the same two others: then it would be what it
// says, somewhere else (PLACING D3).
func (x *index) misspelled(f fit) bool {
	for i, l := range x.lines(f) {
		if f.p.keys[i] == "" || lineFit(f.p.old[i], f.p.keys[i], x.bytes(l)) != 0 {
			continue
		}
		asked, own := tokens(f.p.keys[i]), tokens(fold(string(x.bytes(l))))
		for k := range min(len(asked), len(own)) {
			if asked[k] != own[k] && x.says(phraseAt(asked, k)) {
				return false
			}
		}
	}
	return true
}

// A phrase is a word and what stands on both sides of it in its line.
type phrase [3]string

func phraseAt(tokens []string, k int) phrase {
	p := phrase{"", tokens[k], ""}
	if k > 0 {
		p[0] = tokens[k-1]
	}
	if k+1 < len(tokens) {
		p[2] = tokens[k+1]
	}
	return p
}

// says reports whether the text has a phrase. It reads the text once for each; of one more than a few it says so at once.
func (x *index) says(p phrase) bool {
	said, known := x.phrases[p]
	if known {
		return said
	}
	const few = 64
	if len(x.phrases) == few {
		return true
	}
	if x.phrases == nil {
		x.phrases = map[phrase]bool{}
	}
	x.phrases[p] = x.hasPhrase(p)
	return x.phrases[p]
}

func (x *index) hasPhrase(p phrase) bool {
	const around = 200 // bytes on both sides are looked at
	for at, hits := 0, 0; hits < 1000; {
		i := bytes.Index(x.data[at:], []byte(p[1]))
		if i < 0 {
			return false
		}
		i += at
		at = i + len(p[1])
		if i > 0 && inWord(x.data[i-1]) || at < len(x.data) && inWord(x.data[at]) {
			continue
		}
		hits++
		from, to := max(0, i-around), min(len(x.data), at+around)
		if nl := bytes.LastIndexByte(x.data[from:i], x.eol); nl >= 0 {
			from += nl + 1
		}
		if nl := bytes.IndexByte(x.data[at:to], x.eol); nl >= 0 {
			to = at + nl
		}
		words := tokens(fold(string(x.data[from:to])))
		for k := range words {
			if phraseAt(words, k) == p {
				return true
			}
		}
	}
	return true // so common a word is one
}

// inWord reports whether a byte is a part of a word.
func inWord(c byte) bool {
	return c == '_' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// neighboursFit reports whether both lines with text around each pure insertion fit (PLACING D2).
func (x *index) neighboursFit(f fit) bool {
	p, at := f.p, x.lines(f)
	fits := func(i, step int) bool {
		for ; i >= 0 && i < len(p.old); i += step {
			if p.keys[i] != "" {
				return lineFit(p.old[i], p.keys[i], x.bytes(at[i])) != 0
			}
		}
		return true
	}
	for _, g := range p.groups {
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

// alike reports whether one word is a misspelling of the other: the same digits, and in each component the same first
// letter, and no more than two letters put in or left out.
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

// components splits an identifier at underscores and capitals: a slip of the keyboard changes a letter or two of one, and
// not its first, which is what tells get from set and valid from invalid.
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
