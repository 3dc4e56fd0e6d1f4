package place

import "github.com/atomicedit/atomicedit/internal/text"

// misspelled is how many words of a line may differ (D2).
const misspelled = 2

// drift returns the one candidate of p where lines that the edit keeps differ in a word or two (D1).
func (x search) drift(p *pattern) (candidate, bool) {
	s := p.segments[0]
	if len(p.segments) > 1 || len(s.solid) < 2 || !words.within(p.allows) || p.numbered != nil && !p.numbered.Sure {
		return candidate{}, false
	}
	offset, _, lead := x.index.Vote(p.keys)
	if lead < 1 || offset < 0 || offset+len(s.solid) > len(x.index.Starts) {
		return candidate{}, false
	}
	at := candidate{Span: text.Span{Start: x.index.Starts[offset]}, ignores: p.ignores}
	fits, differing := true, 0
	p.eachPair(x.v.Text, s, at.Start, func(i int, l text.Line) bool {
		x.meter.spent++
		f := p.fit(x.v.Text, i, l)
		if f == misfit {
			differing++
			if fits = l.Real() && p.keeps(i) && 2*differing <= len(s.solid) &&
				x.isMisspelled(p.keys[i], text.Fold(string(x.v.Bytes(l)))); !fits {
				return false
			}
			f = words
		}
		at.ignores |= f
		return true
	})
	return at, fits && at.ignores.within(x.allows)
}

// isMisspelled reports whether a line of the request differs from one of the text in a word or two, and the text has
// none of these elsewhere between the same two tokens. If it has one, the request may mean that place (D2).
func (x search) isMisspelled(asked, own string) bool {
	if !text.SpelledAlike(asked, own, misspelled) {
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
