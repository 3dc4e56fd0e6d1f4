package place

import (
	"fmt"
	"sort"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A reason leaves some of the candidates of edits that are placed together.
type reason struct {
	by    string // what Match.By says if the reason leaves one candidate
	how   string // what a note says then, "" if the text itself decided
	hard  bool   // a place has to agree with it: if it leaves none, the edit is refused
	leave func(x search, all []pending)
}

// reasons lists all reasons in the order in which they are asked (J1). The more a reason says about a single place, the earlier it
// comes.
var reasons = []reason{
	{closestFit, "", false, search.byFit},
	{endOfFile, "the mark of the end of the file", true, search.byEnd},
	{anchorOnly, "the anchor", true, search.byAnchors},
	{byHeading, "the heading in the hunk header", false, search.bySection},
	{byNear, "the line number", false, search.byLine},
	{byEquals, "the number of equal edits, which is the number of places", false, search.byRepetition},
	{byNeighbors, "the order of the edits", false, search.byOrder},
}

// What decides a place if no reason has to.
const (
	onlyPlace  = "only place"
	closestFit = "closest fit"
	everyPlace = "every place"  // of an edit with a count
	lineNumber = "line numbers" // the edit names lines
	columns    = "columns"      // the edit names a range
	anchorOnly = "anchor"       // the edit has no old text
	endOfFile  = "end of file"
)

// Evidence that decides among several candidates.
const (
	byHeading   = "section"
	byNear      = "line"
	byEquals    = "repetition"
	byNeighbors = "order"
)

// judge reduces the candidates of each pending edit to those that the evidence supports.
func (x search) judge(all []pending) {
	for i := range all {
		if w := &all[i]; w.problem == nil && w.vague {
			w.problem = vague(x.locationOf(w.reading, w.candidates))
		} else if w.by == "" && w.isUnique() {
			w.by = onlyPlace
		}
	}
	before := make([][]candidate, len(all))
	for _, r := range reasons {
		for i := range all {
			before[i] = all[i].candidates
		}
		r.leave(x, all)
		for i := range all {
			w := &all[i]
			if len(w.candidates) < len(before[i]) {
				w.steps = append(w.steps, step{r.by, before[i]})
			}
			switch {
			case len(before[i]) > 1 && w.isUnique():
				w.by, w.how = r.by, r.how
			case r.hard && len(before[i]) > 0 && len(w.candidates) == 0 && w.problem == nil:
				if w.problem = x.alreadyLeft(w, r); w.problem == nil {
					w.problem = x.v.misplaced(w, x.locationOf(w.reading, before[i]))
				}
			}
		}
	}
	refuseRepeated(all)
	for i := range all {
		all[i].placed = all[i].isUnique() && all[i].problem == nil
	}
}

// byFit takes the candidates that ignore least. What one edit of the request has to ignore at its only place, because it has lost its
// indentation or its blank lines, says nothing about the places of another (J1).
func (x search) byFit(all []pending) {
	lost := nothing
	for i := range all {
		if w := &all[i]; w.isUnique() {
			lost |= w.candidates[0].ignores & (blanks | indents)
		}
	}
	if lost&blanks != 0 { // which may have whitespace
		lost |= trailing
	}
	type firstOf struct {
		candidates *candidate
		uncounted  ignored
		several    bool
	}
	var known map[firstOf][]candidate // edits with the same old text share their candidates
	for i := range all {
		w := &all[i]
		if len(w.candidates) == 0 || w.problem != nil {
			continue
		}
		uncounted := nothing
		if w.e.Count == 0 && w.reading == &w.plain {
			uncounted = lost
		}
		if uncounted != nothing && w.readings == nil && x.index != nil { // only exact candidates were searched for
			if w.candidates, w.err = x.fitting(w.reading); len(w.candidates) == 0 {
				continue
			}
		}
		if len(w.candidates) == 1 {
			continue
		}
		if known == nil {
			known = map[firstOf][]candidate{}
		}
		first, n := firstOf{&w.candidates[0], uncounted, w.e.Count != 0}, len(w.candidates)
		if _, ok := known[first]; !ok {
			known[first] = closest(w.candidates, uncounted)
			if w.e.Count != 0 {
				known[first] = ofBestClass(known[first])
			}
		}
		w.candidates = known[first]
		w.looser = n - len(w.candidates)
	}
}

// byEnd takes the candidate at the end of the text, for an edit that belongs there.
func (x search) byEnd(all []pending) {
	for i := range all {
		w := &all[i]
		if !w.e.AtEnd && !strings.Contains(w.e.Hunk, `\`) {
			continue
		}
		k := len(w.candidates)
		for k > 0 && text.IsBlankText(x.v.Data[w.placement(k-1).lastEnd(x.v.Text):]) {
			k--
		}
		w.candidates = w.candidates[k:]
	}
}

// byAnchors takes the candidates in the scopes of the anchors (J3). The next edit often has the same anchors.
func (x search) byAnchors(all []pending) {
	known := anchorScopes{}
	for i := range all {
		w := &all[i]
		if len(w.e.Anchors) == 0 || len(w.candidates) == 0 || w.problem != nil {
			continue
		}
		known = x.follow(w.e.Anchors, known)
		if w.missing = known.missing; known.missing != "" {
			w.candidates = nil
		} else {
			w.candidates = x.within(known.scopes, w.candidates)
		}
	}
}

// bySection takes the candidates that the section of a hunk header supports (J4).
func (x search) bySection(all []pending) {
	for i := range all {
		w := &all[i]
		switch {
		case w.e.Section == "" || w.problem != nil:
			continue
		case w.isUnique():
			w.problem = x.alreadyInSection(w)
			continue
		case len(w.candidates) == 0:
			continue
		}
		kept, err := x.inSection([]byte(w.e.Section), w.candidates)
		if err != nil {
			w.problem = tooOften()
		} else if len(kept) > 0 {
			w.candidates = kept
		}
	}
}

// byLine uses the line numbers of the request as evidence, in its order. The distance by which one was off is expected of the
// next (J4).
func (x search) byLine(all []pending) {
	off := 0
	for i := range all {
		w := &all[i]
		if near := w.near(); near > 0 {
			x.nearestToLine(w, near, off)
			if p := x.alreadyNearer(w, x.v.current(near)+off); p != nil {
				w.problem = p
			}
			if w.isUnique() {
				off = x.v.number(w.placement(0).top(x.v.Text)) - x.v.current(near)
			}
		}
	}
}

// nearestToLine reduces the candidates of w to the one that a line number supports: the one at that line, or one that is at most
// half as far away as the next (J4). Off is the distance by which the line number before it was off.
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

// byRepetition places equal edits at one candidate each, if there are as many candidates as edits. If there is only one candidate, the
// same edit was sent more than once (J6).
func (x search) byRepetition(all []pending) {
	if len(all) < 2 {
		return
	}
	type asked struct{ old, new, hunk, anchors string }
	same := map[asked][]*pending{}
	for i := range all {
		if w := &all[i]; len(w.candidates) > 0 && w.e.Count == 0 && w.problem == nil {
			this := asked{w.e.Old, w.e.New, w.e.Hunk, strings.Join(w.e.Anchors, "\n")}
			same[this] = append(same[this], w)
		}
	}
	for _, group := range same {
		switch k := len(group); {
		case k > 1 && len(group[0].candidates) == k:
			for i, w := range group {
				if len(w.candidates) == k {
					w.candidates = w.candidates[i : i+1]
				}
			}
		case len(group[0].candidates) == 1:
			for _, w := range group[1:] {
				if w.isUnique() && w.candidates[0].Start == group[0].candidates[0].Start {
					w.repeats = group[0]
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
