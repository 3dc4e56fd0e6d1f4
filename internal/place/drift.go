package place

import (
	"github.com/atomicedit/atomicedit/internal/text"
)

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
	start := x.index.Starts[offset]
	all := align(x.v.Text, p, s, start, nil, true, x.meter) | p.ignores
	if !all.within(x.allows) {
		return candidate{}, false
	}
	f := placement{p, candidate{Span: text.Span{Start: start}, ignores: all}}
	at := f.lines(x.v.Text)
	return f.candidate, x.isMisspelled(f, at)
}

// isMisspelled reports whether the text has none of the differing words elsewhere between the same two tokens. If it has one, the
// request may mean that place (D2).
func (x search) isMisspelled(f placement, at []text.Line) bool {
	for i, l := range at {
		if f.p.keys[i] == "" || fitOf(f.p.old[i], f.p.keys[i], x.v.Bytes(l)) != misfit {
			continue
		}
		asked, own := text.Tokens(f.p.keys[i]), text.Tokens(text.Fold(string(x.v.Bytes(l))))
		for k := range min(len(asked), len(own)) {
			if asked[k] != own[k] && x.v.phrases.Has(asked, k) {
				return false
			}
		}
	}
	return true
}
