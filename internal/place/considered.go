package place

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// considered returns the candidates of a refused edit, with the reason why each is not taken: that of the last step.
func (x search) considered(w *judged, p *Problem) (named []plan.Candidate) {
	add := func(c candidate, why string) {
		at := x.v.locateCandidates([]candidate{c})
		named = append(named, plan.Candidate{Line: at.lines[0], Why: why})
	}
	for k, c := range w.candidates[:min(len(w.candidates), manyPlaces)] {
		if why := x.whyNone(w, p, k); why != "" {
			add(c, why)
		}
	}
	for _, s := range slices.Backward(w.steps) {
		for _, c := range s.before {
			if len(named) < manyPlaces && len(between(s.after, c.Start, c.Start+1)) == 0 {
				add(c, x.v.whyNot(w, s, c))
			}
		}
	}
	sort.SliceStable(named, func(i, j int) bool { return named[i].Line < named[j].Line })
	return named
}

// whyNone returns why an edit did not take the k-th of its remaining candidates, "" if not for their number.
func (x search) whyNone(w *judged, p *Problem, k int) string {
	n, words, but := len(w.candidates), x.v.words, ""
	if ignores := w.candidates[k].ignores; ignores != nothing {
		but = ", if " + ignores.String() + " may differ"
	}
	switch {
	case errors.Is(p.Err, errs.ErrCount):
		return words.Say("it fits, as %d in all do, but the {edit} is for %d", n, w.e.Count)
	case !errors.Is(p.Err, errs.ErrAmbiguous) || n < 2:
		return ""
	case n == 2:
		return words.Say("it fits as well as line %d"+but+", and nothing tells the two apart",
			x.locationOf(&w.finding).lines[1-k])
	}
	return words.Say("it fits as well as %d others"+but+", and nothing tells them apart", n-1)
}

func differing(c candidate) string { return "it differs in " + c.ignores.String() }

// whyNot returns why a step ruled out a candidate.
func (v *version) whyNot(w *judged, s step, c candidate) string {
	switch {
	case s.by == closestFit:
		return v.words.Say("it fits less well: " + differing(c))
	case s.by == anchorOnly && w.missing != "":
		return fmt.Sprintf("the anchor %s does not lead here", plan.Quote(w.missing))
	}
	return "it is " + v.isNot(w, s.by)
}

// passed has what a place is that a reason does not support.
var passed = map[string]string{
	lineNumber:  "not in {lines}, where the request places it",
	endOfFile:   "not at the end of the file",
	anchorOnly:  "outside the scope of the anchor {anchor}",
	byHeading:   "not below {section}, which the hunk header names",
	byNear:      "further away from line {near}, which the {edit} names",
	byOrigin:    "what an earlier {edit} wrote",
	byEquals:    "for an equal {edit}",
	byHead:      "not below the {edit} before it, which heads it",
	byNeighbors: "out of order with the other {edit}s",
}

// isNot says of a place of an edit that a reason does not support what it is.
func (v *version) isNot(w *judged, by string) string {
	anchor := ""
	if n := len(w.e.Anchors); n > 0 {
		anchor = w.e.Anchors[n-1]
	}
	return strings.NewReplacer("{lines}", plan.LineSpan(w.e.First, w.e.Last-w.e.First+1), "{anchor}",
		plan.Quote(anchor),
		"{section}", plan.Quote(w.e.Section), "{near}", strconv.Itoa(w.near())).Replace(v.words.Say(passed[by]))
}
