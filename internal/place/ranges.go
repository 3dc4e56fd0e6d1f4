package place

import (
	"cmp"
	"sort"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A ranged edit is an edit by a range that is being placed.
type ranged struct {
	edit       int
	e          *Edit
	plan.Place // in the source
}

// placeRanges places edits by ranges together on a version. First is the index of edits[0] in the request. Their
// splices have the order of their places, and where several begin at one point, the order of the request. Insertions
// may have one place, and be where another range begins, if they come before it in the request.
func placeRanges(v *version, first int, edits []Edit) (o outcome) {
	source := v.origin()
	all := make([]ranged, len(edits))
	for i, at := range plan.Places(edits, source.Text, source.lineStarts()) {
		all[i] = ranged{first + i, &edits[i], at}
		if at.Problem == nil && at.Start < at.End { // else there is nothing that could be left out
			all[i].Problem = plan.Damaged(string(source.Data[at.Start:at.End]), edits[i].New, source.Text, v.words)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Start < all[j].Start })
	furthest := &ranged{} // of those before, the one that ends last
	for i := range all {
		w := &all[i]
		if w.Problem == nil {
			if w.Start < furthest.End {
				w.Problem = source.rangesOverlap(furthest.edit, w.Start)
			}
			if w.End > furthest.End {
				furthest = w
			}
		}
		at, by := v.unchanged(w.Span)
		if by >= 0 {
			w.Problem = cmp.Or(w.Problem, source.rangesOverlap(by, w.Start))
		}
		if w.Problem != nil {
			o.refuse(w.edit, w.Problem)
			continue
		}
		old, new := source.Data[w.Start:w.End], w.e.NewLike(source.Text, w.Span)
		head, tail := text.CommonEnds(old, new)
		if head == len(old) && head == len(new) {
			o.notes = append(o.notes, v.note(w.edit, at, "%s changes nothing: the text has its new text there",
				v.words.Nth(w.edit)))
			continue
		}
		o.splices = append(o.splices, text.Splice{
			Start: at + head, End: at + len(old) - tail, New: new[head : len(new)-tail],
			Origin: originOf(w.edit, Exact, columns),
		})
	}
	return o
}

// rangesOverlap refuses a range that has text, from start on, that another edit changes, or where another one inserts.
func (v *version) rangesOverlap(edit, start int) *Problem {
	return v.problem(errs.ErrOverlap, "it changes the same text as %s, at line %d: combine the two {edit}s into one",
		v.words.Nth(edit), v.numbers.At(start))
}
