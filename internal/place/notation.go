package place

import (
	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/text"
)

// lexiconOf takes the lessons of the placed edits.
func lexiconOf(t text.Text, all []judged) (x text.Lexicon) {
	for i := range all {
		w := &all[i]
		if !w.placed() || text.IsASCII(w.e.Old) && w.candidates[0].ignores&signs == 0 {
			continue
		}
		f := w.at(0)
		for i, l := range f.lines(t) {
			if !l.Real() {
				continue
			}
			if s := fitOf(f.p.old[i], f.p.keys[i], t.Bytes(l)); s != misfit &&
				(s&signs != 0 || !text.IsASCII(f.p.old[i])) {
				if x == nil {
					x = text.Lexicon{}
				}
				x.Learn(f.p.old[i], string(t.Bytes(l)))
			}
		}
	}
	return x
}

// body returns the body and the trailing whitespace of the j-th new line in the text's notation. A copy of an old line
// is written as in the text (A2). In other lines, typographic characters follow the matched lines (N1).
func (b *builder) body(g linediff.Group, j int, body, trail string) (string, string) {
	twin := -1
	if b.ignores != nothing || !text.IsASCII(b.p.new[j]) { // else the request has the text's notation
		twin = b.p.copyOf(g, j, b.at)
	}
	if twin >= 0 && fitOf(b.p.old[twin], b.p.keys[twin], b.v.Bytes(b.at[twin])) != misfit {
		_, own, ownTrail := text.Parts(string(b.v.Bytes(b.at[twin])))
		if _, _, was := text.Parts(b.p.old[twin]); was == trail {
			trail = ownTrail
		}
		return own, trail
	}
	body, unknown := b.ls.lexicon.Translate(body)
	if unknown != 0 && !b.v.typography.Uses(unknown) {
		b.note(-1, "%s were inserted as requested, though the file has none", unknown)
	}
	if o, own, ok := b.counterpart(g, j); ok {
		body = text.Respell(body, o, own)
	}
	return body, trail
}

// counterpart returns the body of the old line that the j-th new line replaces, and the body of the same line in the
// text, if they differ in notation.
func (b *builder) counterpart(g linediff.Group, j int) (old, own string, ok bool) {
	i := g.OldFrom + j - g.NewFrom
	if b.ignores&signs == 0 || g.OldTo-g.OldFrom != g.NewTo-g.NewFrom || !b.at[i].Real() {
		return "", "", false
	}
	_, old, _ = text.Parts(b.p.old[i])
	_, own, _ = text.Parts(string(b.v.Bytes(b.at[i])))
	return old, own, old != own && fitOf(b.p.old[i], b.p.keys[i], b.v.Bytes(b.at[i]))&signs != 0
}
