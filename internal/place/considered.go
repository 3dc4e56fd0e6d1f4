package place

import (
	"errors"
	"slices"
	"sort"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// passed has what a place is that a reason does not support.
var passed = map[string]string{
	closestFit:  "a looser fit",
	lineNumber:  "not in the lines where the request places it",
	endOfFile:   "not at the end of the file",
	anchorOnly:  "outside the scope of the anchor",
	byHeading:   "not below the heading in the hunk header",
	byNear:      "further away from the line that the {edit} names",
	byOrigin:    "what an earlier {edit} wrote",
	byEquals:    "for an equal {edit}",
	byHead:      "not below the {edit} before it, which heads it",
	byNeighbors: "out of order with the other {edit}s",
}

// considered returns the candidates of a refused edit, with the reason why each is not taken: that of the last step.
func (x search) considered(w *judged, p *Problem) (named []plan.Candidate) {
	add := func(c candidate, why string) {
		at := x.v.locateCandidates([]candidate{c})
		named = append(named, plan.Candidate{Line: at.lines[0], Why: x.v.words.Say(why)})
	}
	for _, c := range w.candidates[:min(len(w.candidates), manyPlaces)] {
		switch {
		case errors.Is(p.Err, errs.ErrCount):
			add(c, "it fits, but the {edit} is for another number of places")
		case errors.Is(p.Err, errs.ErrAmbiguous) && len(w.candidates) > 1:
			add(c, "it fits as well as the others, and nothing tells them apart")
		}
	}
	for _, s := range slices.Backward(w.steps) {
		why := "it is " + passed[s.by]
		for _, c := range s.before {
			switch {
			case len(named) == manyPlaces || len(between(s.after, c.Start, c.Start+1)) > 0:
			case s.by == closestFit:
				add(c, why+": it differs in "+c.ignores.String())
			default:
				add(c, why)
			}
		}
	}
	sort.SliceStable(named, func(i, j int) bool { return named[i].Line < named[j].Line })
	return named
}
