package place

import (
	"fmt"
	"sort"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/text"
)

// judge reduces the candidates of each pending edit to those that the evidence supports. If written is not nil, it has the
// matches of earlier edits, and every candidate must touch one.
func (x search) judge(all []pending, written []Match) {
	x.loosen(all)
	known := anchorScopes{}
	for i := range all {
		known = x.judgeAlone(&all[i], written, known)
	}
	x.byLine(all)
	x.placeEqual(all)
	refuseRepeated(all)
	x.byOrder(all)
	for i := range all {
		all[i].placed = all[i].isPlaced()
	}
}

// judgeAlone reduces the candidates of an edit to those that its own evidence supports. Known has the scopes of the anchors that
// were last followed. It returns those that it followed itself, because the next edit often has the same anchors.
func (x search) judgeAlone(w *pending, written []Match, known anchorScopes) anchorScopes {
	found := w.candidates
	switch {
	case w.vague:
		w.problem = vague(x.locationOf(w.reading, found))
		return known
	case len(found) == 0 || w.problem != nil:
		return known
	}
	known = x.byAnchors(w, known)
	if written != nil {
		w.keep(func(f placement) bool { return touches(f.lines(x.v.Text), written) })
	}
	if len(w.candidates) == 0 {
		w.problem = x.v.misplaced(w, x.locationOf(w.reading, found))
	}
	if len(w.candidates) > 1 && w.e.Section != "" {
		kept, err := x.inSection([]byte(w.e.Section), w.candidates)
		if err != nil {
			w.problem = tooOften()
		} else {
			w.candidates = kept
		}
	}
	return known
}

// loosen takes away the advantage of candidates that fit better, if another edit of the request does not fit anywhere as well.
// Where one edit lost its indentation or its blank lines, an exact fit of another is no evidence (Q1).
func (x search) loosen(all []pending) {
	ignored := Exact
	for i := range all {
		if w := &all[i]; w.isUnique() {
			ignored = max(ignored, x.displaced(w.placement(0)))
		}
	}
	for i := range all {
		if w := &all[i]; len(w.candidates) > 0 && w.candidates[0].class < ignored && w.e.Count == 0 && w.reading == &w.plain {
			w.candidates, w.err = x.fitting(w.reading, ignored)
		}
	}
}

// displaced returns the class of the differences that a placement ignores in the layout of its lines: in the blank lines between
// them, or in their depth.
func (x search) displaced(f placement) Fit {
	if f.class == Exact {
		return Exact
	}
	at := f.lines(x.v.Text)
	for i := range at {
		if s, ok := shiftOf(x.v.Text, f, at, i); ok && s.changesDepth() {
			return Indentation
		}
	}
	if f.blanksDiffer(at) {
		return Spacing
	}
	return Exact
}

// byAnchors reduces the candidates of w to those in the scopes of its anchors, and to one at the end if w asks for that (O1, O6).
func (x search) byAnchors(w *pending, known anchorScopes) anchorScopes {
	if w.e.AtEnd || strings.Contains(w.e.Hunk, `\`) {
		k := len(w.candidates)
		for k > 0 && text.IsBlankText(x.v.Data[w.placement(k-1).lastEnd(x.v.Text):]) {
			k--
		}
		w.candidates = w.candidates[k:]
	}
	if len(w.e.Anchors) == 0 || len(w.candidates) == 0 {
		return known
	}
	known = x.follow(w.e.Anchors, known)
	if w.missing = known.missing; known.missing != "" {
		w.candidates = nil
	} else {
		w.candidates = x.within(known.scopes, w.candidates)
	}
	return known
}

// byLine uses the line numbers of the request as evidence, in its order. The distance by which one was off is expected of the
// next (O5).
func (x search) byLine(all []pending) {
	off := 0
	for i := range all {
		w := &all[i]
		if w.reading != nil && w.reading.near > 0 {
			x.nearestToLine(w, w.reading.near, off)
			if w.isUnique() {
				off = x.v.number(w.placement(0).top(x.v.Text)) - x.v.current(w.reading.near)
			}
		}
	}
}

// nearestToLine reduces the candidates of w to the one that a line number supports: the one at that line, or one that is at most
// half as far away as the next (O5). Off is the distance by which the line number before it was off.
func (x search) nearestToLine(w *pending, line, off int) {
	if len(w.candidates) < 2 || w.e.Count != 0 {
		return
	}
	line = x.v.current(line) + off
	number := func(k int) int { return x.v.number(w.placement(k).top(x.v.Text)) }
	below := sort.Search(len(w.candidates), func(k int) bool { return number(k) >= line })
	best, first, second := 0, -1, -1
	for k := max(0, below-2); k < min(len(w.candidates), below+2); k++ {
		n := number(k)
		switch d := max(n-line, line-n); {
		case first < 0 || d < first:
			best, first, second = k, d, first
		case second < 0 || d < second:
			second = d
		}
	}
	if second > 0 && 2*first <= second {
		w.candidates = w.candidates[best : best+1]
	}
}

// placeEqual places equal edits at one candidate each, if there are as many candidates as edits (O3).
func (x search) placeEqual(all []pending) {
	var same map[string][]*pending
	for i := range all {
		if w := &all[i]; len(w.candidates) > 1 && w.e.Count == 0 {
			if same == nil {
				same = map[string][]*pending{}
			}
			e := w.e
			key := strings.Join(append([]string{e.Old, e.New, e.Hunk}, e.Anchors...), "\x00")
			same[key] = append(same[key], w)
		}
	}
	for _, group := range same {
		if k := len(group); k > 1 && len(group[0].candidates) == k {
			for i, w := range group {
				if len(w.candidates) == k {
					w.candidates = w.candidates[i : i+1]
				}
			}
		}
	}
}

// refuseRepeated refuses an edit of several places if an earlier edit changes the same places.
func refuseRepeated(all []pending) {
	if len(all) < 2 {
		return
	}
	first := map[*candidate]*pending{}
	for i := range all {
		w := &all[i]
		if w.e.Count == 0 || len(w.candidates) == 0 || w.problem != nil || w.contextOnly {
			continue
		}
		if earlier := first[&w.candidates[0]]; earlier != nil {
			w.problem = &Problem{Err: errs.ErrOverlap, Msg: fmt.Sprintf("it changes the same places as edit %d: combine the two edits into one", earlier.edit+1)}
			continue
		}
		first[&w.candidates[0]] = w
	}
}
