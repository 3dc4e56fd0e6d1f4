package place

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// considered returns the candidates of a refused edit, with the reason why each is not taken: that of the last step.
func (x search) considered(w *judged, p *Problem) (named []plan.Candidate) {
	type ruledOut struct {
		candidate
		why string
	}
	var all []ruledOut
	if why := x.whyNone(w, p); why != nil {
		for k, c := range w.candidates[:min(len(w.candidates), manyPlaces)] {
			all = append(all, ruledOut{c, why(k)})
		}
	}
	for _, s := range slices.Backward(w.steps) {
		for _, c := range s.before {
			if len(all) < manyPlaces && !contains(s.after, c) {
				all = append(all, ruledOut{c, x.v.whyNot(w, s, c)})
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b ruledOut) int { return cmp.Compare(a.Start, b.Start) })
	var places []candidate
	for _, c := range all {
		places = append(places, c.candidate)
	}
	for i, line := range x.v.locateCandidates(w.reading, places).lines {
		named = append(named, plan.Candidate{Line: line, Why: all[i].why})
	}
	return named
}

// contains reports whether some sorted candidates have the place of c.
func contains(all []candidate, c candidate) bool {
	_, found := slices.BinarySearchFunc(all, c.Start,
		func(c candidate, start int) int { return cmp.Compare(c.Start, start) })
	return found
}

// whyNone returns why an edit took none of its remaining candidates, nil if not for their number.
func (x search) whyNone(w *judged, p *Problem) func(k int) string {
	lines, n, words := x.locationOf(&w.finding).lines, len(w.candidates), x.v.words
	switch {
	case errors.Is(p.Err, errs.ErrCount):
		return func(int) string { return words.Say("it fits, as %d in all do, but the {edit} is for %d", n, w.e.Count) }
	case !errors.Is(p.Err, errs.ErrAmbiguous) || n < 2:
		return nil
	case n == 2:
		return func(k int) string {
			return words.Say("it fits as well as line %d"+ignoring(w.candidates[k])+", and nothing tells the two apart",
				lines[1-k])
		}
	}
	return func(k int) string {
		return words.Say("it fits as well as %d others"+ignoring(w.candidates[k])+", and nothing tells them apart", n-1)
	}
}

func ignoring(c candidate) string {
	if c.ignores == nothing {
		return ""
	}
	return ", if " + c.ignores.String() + " may differ"
}

// tooLoose returns candidates that ignore more than the host allows.
func (v *version) tooLoose(at location, all []candidate) (named []plan.Candidate) {
	for i, c := range all[:min(len(all), manyPlaces)] {
		named = append(named, plan.Candidate{Line: at.lines[i],
			Why: v.words.Say("it differs in " + c.ignores.String() + ", which is not allowed here")})
	}
	return named
}

// whyNot returns why a step ruled out a candidate.
func (v *version) whyNot(w *judged, s step, c candidate) string {
	switch s.by {
	case closestFit:
		return v.words.Say("it fits less well: it differs in " + c.ignores.String())
	case endOfFile:
		return "it is not at the end of the file"
	case anchorOnly:
		if w.missing != "" {
			return fmt.Sprintf("the anchor %s does not lead here", plan.Quote(w.missing))
		}
		return fmt.Sprintf("it is outside the scope of the anchor %s", plan.Quote(w.e.Anchors[len(w.e.Anchors)-1]))
	case byHeading:
		return fmt.Sprintf("it is not below %s, which the hunk header names", plan.Quote(w.e.Section))
	case lineNumber:
		return "it is not in " + plan.LineSpan(w.e.First, w.e.Last-w.e.First+1) + ", where the request places it"
	case byNear:
		return v.words.Say("it is further away from line %d, which the {edit} names", w.near())
	case byOrigin:
		return v.words.Say("an earlier {edit} wrote it")
	case byEquals:
		return v.words.Say("it is for an equal {edit}")
	case byNeighbors:
		return v.words.Say("it is out of order with the other {edit}s")
	}
	return ""
}
