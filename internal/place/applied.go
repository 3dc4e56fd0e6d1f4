package place

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/outline"
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
	at := here.span(x.v.Text)
	for k, c := range w.candidates {
		inItself := c.ignores&(words|leftOut) != 0 && meets(at, w.placement(k).span(x.v.Text))
		moreLeftOut := c.ignores&^here.ignores&leftOut != 0
		if !here.ignores.isBetter(c.ignores) && !inItself && !moreLeftOut {
			return nil
		}
	}
	return x.applied(w, here, "fits better than the old text does anywhere: if the change has been made, leave the edit out; if not, copy the old text exactly")
}

// alreadyNearer returns the problem that the text has the new text of an edit at a line, or so near to it that the line would choose
// that place, and not the only candidate. The new text fits there no worse. A string has to be at that very line, and so has text that
// the edit removes without showing a line that stays: nothing else tells it from text like it.
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
	if _, new := w.lines(); text.CountSolid(new) == 0 {
		at := x.locationOf(w.reading, w.candidates)
		return &Problem{Err: errs.ErrNotFound, Places: at.lines, Msg: fmt.Sprintf("the edit shows only text that it removes, which is not at the line that the request names, but at %s: "+
			"correct the line, or show a line that stays", at)}
	}
	near := 5 // a number that is off by more is no evidence
	if w.reading != nil && w.reading.numbered == nil {
		near = min(near, least/2)
	}
	done, all := x.findNew(w)
	for _, c := range all {
		here := placement{done, c}
		isNear := w.reading != nil && distance(here) <= near && !w.candidates[0].ignores.isBetter(c.ignores)
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

// alreadyInSection returns the problem that the text has the new text of an edit below the heading that its section names, and the old
// text only below another one. A line number that is right says more than a heading.
func (x search) alreadyInSection(w *pending) *Problem {
	if w.e.Count != 0 || w.e.Near > 0 && x.v.number(w.placement(0).top(x.v.Text)) == x.v.current(w.e.Near) {
		return nil
	}
	done, all := x.findNew(w)
	if len(all) == 0 {
		return nil
	}
	section := []byte(w.e.Section)
	if here, err := x.inSection(section, w.candidates); err != nil || len(here) > 0 {
		return nil
	}
	there, err := x.inSection(section, all)
	if err != nil || len(there) == 0 {
		return nil
	}
	return x.applied(w, placement{done, there[0]}, "below the heading in the hunk header, which has nothing left to change: "+
		"if the change has been made, leave the edit out; if not, correct the heading")
}

// alreadyLeft returns the problem that the text has the new text of an edit where a hard reason leaves none of its candidates.
func (x search) alreadyLeft(w *pending, r reason) *Problem {
	if w.e.Count != 0 || w.missing != "" {
		return nil
	}
	done, all := x.findNew(w)
	if done == nil || len(all) == 0 {
		return nil
	}
	there := []pending{{edit: w.edit, e: w.e, finding: finding{reading: done, candidates: all}}}
	if r.leave(x, there); len(there[0].candidates) == 0 {
		return nil
	}
	return x.applied(w, placement{done, there[0].candidates[0]}, "")
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
	// A single line of other words may be there by chance, unless it fits exactly where the old text does not.
	byChance := text.CountSolid(new) == 1 && !linediff.ShareWords(old, new) && (here.p == nil || here.p.numbered == nil) && (here.ignores != nothing || len(w.candidates) == 0)
	if byChance || !text.AddsWords(old, new) && x.isAmong(here, w) {
		return nil
	}
	at := x.v.locate([]text.Span{here.span(x.v.Text)})
	msg := fmt.Sprintf("the old text is not there, but the new text is, at %s: the change seems to have been made already; if so, leave the edit out", at)
	if len(w.candidates) > 0 {
		msg = fmt.Sprintf("the new text is already there, at %s, and %s", at, how)
	}
	return alreadyThere(at, msg)
}

// isAmong reports whether a placement of the new text of w lies where its old text fits, or that this is nowhere. Lines that stay
// when others are removed are no sign that the change was made.
func (x search) isAmong(here placement, w *pending) bool {
	s := here.span(x.v.Text)
	for k := range w.candidates {
		if meets(s, w.placement(k).span(x.v.Text)) {
			return true
		}
	}
	return len(w.candidates) == 0
}

// meets reports whether two pieces of the text overlap.
func meets(a, b text.Span) bool { return a.Start < b.End && b.Start < a.End }

// hasInserted returns the problem that the text has all lines of an edit that names its place, where it would put them: from an offset
// on or, at the end of the text, above it. Lines that the request itself has written do not count.
func (v *version) hasInserted(e *Edit, by string, start int) *Problem {
	l, next, keys := text.Line{Start: start, End: start, Next: start}, v.Below, text.SolidKeys(text.Split(e.New))
	if by == endOfFile {
		next = v.Above
		slices.Reverse(keys)
	}
	last, ok := v.reads(l, next, keys)
	here := text.Span{Start: min(start, last.Start), End: max(start, last.Next)}
	if !ok || !slices.ContainsFunc(keys, text.Substantial) || v.isWritten(here) {
		return nil
	}
	at := v.locate([]text.Span{here})
	return alreadyThere(at, fmt.Sprintf("the new text is already there, at %s: leave the edit out; "+
		"if it is meant to be there twice, show the lines around it as the old text", at))
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

// readsSo does the same for an edit of whole lines. It ignores blank lines, and what folding a line ignores.
func (x search) readsSo(f placement) *Problem {
	p := f.p
	if len(p.segments) != 1 || p.isBlank() || text.CountSolid(p.new) <= len(p.segments[0].solid) {
		return nil
	}
	if older, newer := linediff.LacksNewline(p.e.Hunk); older != newer && older != bytes.HasSuffix(x.v.Data, []byte("\n")) {
		return nil // the end of the file is still to change
	}
	old, new := text.SolidKeys(p.old), text.SolidKeys(p.new)
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
		here := text.Span{Start: first.Start, End: last.Next}
		if begins && ends && (f.ignores&indents != 0 || outline.HaveBracketsAlike(p.new, text.Split(string(x.v.Data[here.Start:here.End])))) {
			return x.v.again(here)
		}
	}
	return nil
}

// maxCopies is how many copies of the old text in the new one are looked at. More than one is rare.
const maxCopies = 4

// joinedKeys returns keys as one string in which each is between two newlines.
func joinedKeys(keys []string) string { return "\n" + strings.Join(keys, "\n") + "\n" }

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

func (v *version) again(here text.Span) *Problem {
	at := v.locate([]text.Span{here})
	return alreadyThere(at, fmt.Sprintf("the new text is already there, with the old text in it, at %s: leave the edit out; if it is meant to be there twice, "+
		"show more of the text around it", at))
}
