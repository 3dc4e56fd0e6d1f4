package place

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A change may have been made already. Then the text reads as the new text says, better than it reads as the old text, and the edit
// is refused (J8). An edit whose new text contains the old one fits exactly in its own result, and there it would do its work twice:
// it is refused if the text around its place reads as the new text.

// alreadyThere returns the problem that the text has the new text of an edit, and that it ignores less there than the old text does
// anywhere; if the old text is nowhere, the new one has to be in one place. An old text with lines left out, or with misspelled words,
// may also fit in its own result.
func (x search) alreadyThere(w *pending) *Problem {
	done, all := x.findNew(w)
	if all = closest(all, nothing); len(all) == 0 || len(w.candidates) == 0 && len(all) > 1 {
		return nil
	}
	here := placement{done, all[0]}
	own := len(w.candidates) > 0 && x.isAmong(here, w)
	fitsAsWell := func(c candidate) bool {
		inItself := own && c.ignores&(words|leftOut) != 0
		moreLeftOut := c.ignores&^here.ignores&leftOut != 0
		return !here.ignores.isBetter(c.ignores) && !inItself && !moreLeftOut
	}
	if slices.ContainsFunc(w.candidates, fitsAsWell) {
		return nil
	}
	return x.applied(w, here, "fits better than the old text does anywhere: if the change has been made, leave the edit out; if not, copy the old text exactly")
}

// alreadyNearer returns the problem that the text has the new text of an edit at a line, or so near to it that the line would choose
// that place, and not the only candidate. The new text fits there no worse. A string has to be at that very line.
func (x search) alreadyNearer(w *pending, line int) *Problem {
	if !w.isUnique() || w.e.Count != 0 || w.problem != nil {
		return nil
	}
	distance := func(f placement) int {
		n := x.v.number(f.top(x.v.Text))
		return max(n-line, line-n)
	}
	least := distance(w.placement(0))
	if least == 0 {
		return nil
	}
	done, all := x.findNew(w)
	for _, c := range all {
		here := placement{done, c}
		isNear := w.reading != nil && 2*distance(here) <= least && !w.candidates[0].ignores.isBetter(c.ignores)
		if distance(here) > 0 && !isNear {
			continue
		}
		p := x.applied(w, here, "nearer to the line that the request names than the old text: if the change has been made, leave the edit out; if not, correct the line")
		if p != nil {
			return p
		}
	}
	return nil
}

// findNew returns the candidates of the new text of an edit, if it has a line that says something, or several lines. It ignores no more
// than the search for the old text did.
func (x search) findNew(w *pending) (done *pattern, all []candidate) {
	const several = 2
	p := w.reading
	_, new := w.lines()
	switch {
	case !slices.ContainsFunc(new, text.Substantial) && text.CountSolid(new) < several:
		return nil, nil
	case p == nil:
		return nil, appendPlaces(nil, x.v.Occurrences(w.e.New, manyPlaces))
	}
	done = &pattern{e: p.e}
	done.take(p.new, p.new, nil)
	done.ignores, done.numbered = p.ignores&^leftOut, p.numbered
	if w.readings == nil {
		return done, x.exact(done, nil)
	}
	if all = x.findAs(done).candidates; len(all) == 0 && words.within(x.allows) {
		if at, ok := x.drift(done); ok && x.hasAdded(p, placement{done, at}) {
			all = []candidate{at}
		}
	}
	if e := done.elided(); len(all) == 0 && len(p.segments) > 1 && e != nil {
		return e, x.findAs(e).candidates
	}
	return done, all
}

// hasAdded reports whether the text has the lines that an edit adds, as written, where its new text fits.
func (x search) hasAdded(p *pattern, here placement) bool {
	at := here.lines(x.v.Text)
	for _, g := range p.groups {
		for j := g.NewFrom; j < g.NewTo; j++ {
			if here.p.keys[j] != "" && fitOf(here.p.old[j], here.p.keys[j], x.v.Bytes(at[j])) == misfit {
				return false
			}
		}
	}
	return true
}

// applied returns the problem that the new text of an edit is there already, better placed than the old text, as how says. It returns
// nil if that may be by chance.
func (x search) applied(w *pending, here placement, how string) *Problem {
	old, new := w.lines()
	byChance := text.CountSolid(new) == 1 && !sharesWords(old, new) && (here.p == nil || here.p.numbered == nil)
	if byChance || !adds(old, new) && x.isAmong(here, w) {
		return nil
	}
	at := x.v.locate([]text.Span{here.span(x.v.Text)})
	msg := fmt.Sprintf("the old text is not there, but the new text is, at %s: the change seems to have been made already; if so, leave the edit out", at)
	if len(w.candidates) > 0 {
		msg = fmt.Sprintf("the new text is already there, at %s, and %s", at, how)
	}
	return &Problem{Err: errs.ErrApplied, Msg: msg}
}

// adds reports whether an edit writes a line that it does not show.
func adds(old, new []string) bool {
	was := map[string]bool{}
	for _, l := range old {
		was[text.Fold(l)] = true
	}
	return slices.ContainsFunc(new, func(l string) bool { return text.HasLetterOrDigit(l) && !was[text.Fold(l)] })
}

// isAmong reports whether a placement of the new text of w lies where its old text fits, or that this is nowhere. Lines that stay
// when others are removed are no sign that the change was made.
func (x search) isAmong(here placement, w *pending) bool {
	s := here.span(x.v.Text)
	for k := range w.candidates {
		if t := w.placement(k).span(x.v.Text); s.Start < t.End && t.Start < s.End {
			return true
		}
	}
	return len(w.candidates) == 0
}

// sharesWords reports whether at least half of the words of the new text are in the old text too, or whether one of its lines is spelled
// like one of the old text. A single line of other words may be in the text by chance.
func sharesWords(old, new []string) bool {
	wordsOf := func(lines []string) []string {
		isMark := func(s string) bool { return !text.HasLetterOrDigit(s) }
		return slices.DeleteFunc(text.Tokens(strings.Join(lines, "\n")), isMark)
	}
	was, is := wordsOf(old), wordsOf(new)
	return 2*len(linediff.Subsequence(was, is)) >= len(is) || slices.ContainsFunc(old, func(o string) bool {
		return slices.ContainsFunc(new, func(n string) bool { return !text.IsBlank(o) && text.SpelledAlike(text.Fold(o), text.Fold(n)) })
	})
}

// readsSo returns the problem that the text around a place reads as the new text of a substring edit, nil if it does not.
func (v *version) readsSo(at text.Span, e *Edit) *Problem {
	if !strings.Contains(e.New, e.Old) {
		return nil
	}
	old, new := string(v.Data[at.Start:at.End]), v.WithEndings(at, e.New)
	if more := strings.Replace(new, old, " ", 1); text.IsBlank(more) || strings.Contains(more, "\n") && !text.HasLetterOrDigit(more) {
		return nil // a line that is to be deeper, or a bracket like the one below it
	}
	for from, tries := 0, 0; tries < maxCopies; tries++ {
		i := strings.Index(new[from:], old)
		if i < 0 {
			return nil
		}
		if start := at.Start - from - i; start >= 0 && bytes.HasPrefix(v.Data[start:], []byte(new)) {
			return v.again(text.Span{Start: start, End: start + len(new)})
		}
		from += i + 1
	}
	return nil
}

// readsSo does the same for an edit of whole lines. It ignores blank lines, and differences between lines that fold to the same
// key.
func (x search) readsSo(f placement) *Problem {
	p := f.p
	if len(p.segments) != 1 || p.isBlank() || text.CountSolid(p.new) <= len(p.segments[0].solid) {
		return nil
	}
	old, new := solidKeys(p.old), solidKeys(p.new)
	all, part := joinedKeys(new), joinedKeys(old)
	for from, tries := 0, 0; tries < maxCopies; tries++ {
		i := strings.Index(all[from:], part)
		if i < 0 {
			return nil
		}
		from += i + 1
		k := strings.Count(all[:from-1], "\n")
		above, below := slices.Clone(new[:k]), new[k+len(old):]
		slices.Reverse(above)
		solid, lines := p.segments[0].solid, f.lines(x.v.Text)
		first, begins := x.v.reads(lines[solid[0]], x.v.Above, above)
		last, ends := x.v.reads(lines[solid[len(solid)-1]], x.v.Below, below)
		if begins && ends {
			return x.v.again(text.Span{Start: first.Start, End: last.Next})
		}
	}
	return nil
}

// maxCopies is how many copies of the old text in the new one are looked at. More than one is rare: the text would have as many
// places.
const maxCopies = 4

// joinedKeys returns keys as one string in which each is between two newlines.
func joinedKeys(keys []string) string { return "\n" + strings.Join(keys, "\n") + "\n" }

// solidKeys returns the keys of the lines that are not blank.
func solidKeys(lines []string) (keys []string) {
	for _, l := range lines {
		if !text.IsBlank(l) {
			keys = append(keys, text.Fold(l))
		}
	}
	return keys
}

// reads reports whether the lines after l, in the direction of next, have these keys, but for blank lines. It returns the last of them.
func (v *version) reads(l text.Line, next func(text.Line) text.Line, keys []string) (last text.Line, ok bool) {
	for _, key := range keys {
		l = next(l)
		for l.Real() && text.IsBlank(v.Bytes(l)) {
			l = next(l)
		}
		if !l.Real() || text.Fold(string(v.Bytes(l))) != key {
			return l, false
		}
	}
	return l, true
}

func (v *version) again(at text.Span) *Problem {
	return &Problem{Err: errs.ErrApplied, Msg: fmt.Sprintf("the new text is already there, with the old text in it, at %s: leave the edit out", v.locate([]text.Span{at}))}
}
