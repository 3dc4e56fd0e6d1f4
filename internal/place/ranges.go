package place

import (
	"cmp"
	"sort"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// placeRanges places edits by ranges together on a version. First is the index of edits[0] in the request. Their
// splices have the order of their places, and where several begin at one point, the order of the request. Insertions
// may have one place, and be where another range begins, if they come before it in the request.
func placeRanges(v *version, first int, edits []Edit) (o outcome) {
	source := v.origin()
	places, order := plan.Places(edits, source.Text, source.lineStarts()), make([]int, len(edits))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return places[order[i]].Start < places[order[j]].Start })
	furthest, end := 0, 0 // of those before, the one that ends last, and where
	for _, i := range order {
		here, p, e, edit := places[i].Span, places[i].Problem, &edits[i], first+i
		if p == nil && here.Start < here.End { // else there is nothing that could be left out
			p = plan.Damaged(string(source.Data[here.Start:here.End]), e.New, source.Text, v.words)
		}
		if p == nil {
			if here.Start < end {
				p = source.rangesOverlap(furthest, here.Start)
			}
			if here.End > end {
				furthest, end = edit, here.End
			}
		}
		at, by := v.unchanged(here)
		if by >= 0 {
			p = cmp.Or(p, source.rangesOverlap(by, here.Start))
		}
		if p != nil {
			o.refuse(edit, p)
			continue
		}
		old, new := source.Data[here.Start:here.End], e.NewLike(source.Text, here)
		head, tail := text.CommonEnds(old, new)
		if head == len(old) && head == len(new) {
			o.notes = append(o.notes, v.note(edit, at, "%s changes nothing: the text has its new text there",
				v.words.Nth(edit)))
			continue
		}
		o.splices = append(o.splices, text.Splice{
			Start: at + head, End: at + len(old) - tail, New: new[head : len(new)-tail],
			Origin: originOf(edit, Exact, columns),
		})
	}
	return o
}

// rangesOverlap refuses a range that has text, from start on, that another edit changes, or where another one inserts.
func (v *version) rangesOverlap(edit, start int) *Problem {
	return v.problem(errs.ErrOverlap, "it changes the same text as %s, at line %d: combine the two {edit}s into one",
		v.words.Nth(edit), v.numbers.At(start))
}
