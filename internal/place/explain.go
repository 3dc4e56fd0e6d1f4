package place

import (
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/text"
)

// explain returns the problem of an edit whose old text was not found: the reason, and what the text has instead. All
// are the edits that are placed with it, and those before it are done.
func (r *request) explain(x search, all []judged, done []built) *Problem {
	w := &all[len(done)]
	if w.tooMany {
		return x.v.tooOften()
	}
	if p := r.dependence(x.v, all[0].edit, done, w); p != nil {
		return p
	}
	if p := x.nowhere(w.plain.bare, w.plain.old); p != nil {
		return p
	}
	if plain := text.Unescaped(w.e.Old); plain != w.e.Old && r.effort.take(20) == 20 &&
		(len(x.v.Occurrences(plain, 1)) > 0 || len(x.v.asLines(plain, upTo(Indentation))) > 0) {
		return x.v.problem(errs.ErrNotFound, "{old} is not there as written, "+
			`but it is after one level of unescaping ("\n", "&lt;" and the like): send {old} and {new} without the escapes`)
	}
	if p := x.looser(w); p != nil {
		return p
	}
	return x.nearestTo(&w.plain, &r.effort)
}

// looser returns a problem that says where an edit would fit if the host allowed it, nil if it fits nowhere.
func (x search) looser(w *judged) *Problem {
	wider := x
	wider.allows = upTo(Drift)
	f := wider.find(w.readings)
	if len(f.candidates) == 0 {
		return nil
	}
	f.keep(closest(f.candidates, nothing))
	best, at := f.candidates, x.locationOf(&f)
	problem := x.v.problemAt(at, errs.ErrNotFound,
		"{old} differs from the file in "+best[0].ignores.String()+", which is not allowed here")
	problem.Candidates = x.v.tooLoose(at, best)
	if offset, found := slices.BinarySearch(x.index.Starts, best[0].Start); found && len(f.reading.segments) == 1 &&
		len(best) == 1 {
		problem.Msg += ": copy it exactly as it is at "
		x.show(problem, f.reading, x.inOrder(f.reading, offset))
	} else {
		problem.Msg += ": copy it exactly from " + at.String()
	}
	return problem
}

// dependence returns the problem that the old text of w depends on an earlier edit of the request, nil if it does not.
func (r *request) dependence(v *version, first int, done []built, w *judged) *Problem {
	const near = 50 // earlier edits are considered
	from := max(0, w.edit-near)
	for i, e := range r.edits[from:w.edit] {
		if i += from; strings.Contains(e.New, strings.Trim(w.e.Old, text.Space+"\n")) && r.isRefused(first, done, i) {
			return v.problem(errs.ErrNotFound,
				"not tried: it looks for text that %s writes, and that {edit} was refused", v.words.Nth(i))
		}
	}
	if len(v.done) == 0 {
		return nil
	}
	source := v.origin()
	if places := source.Occurrences(w.e.Old, 1); len(places) > 0 {
		start, end := places[0].Start, places[0].End
		for _, m := range v.done {
			if m.Old.Start < end && start < m.Old.End || start < m.Old.Start && m.Old.Start < end {
				return v.problem(errs.ErrNotFound,
					"{old} was at line %d when the request started, but %s has changed it: "+
						"write it as it is after that {edit}, or combine the two {edit}s into one", source.number(start),
					v.words.Nth(m.Edit))
			}
		}
	}
	return nil
}

// isRefused reports whether an earlier edit has been refused. It may be one of those that are done, from the first on.
func (r *request) isRefused(first int, done []built, edit int) bool {
	if k := edit - first; k >= 0 {
		return done[k].problem != nil
	}
	return slices.ContainsFunc(r.problems, func(p Problem) bool { return p.Edit == edit })
}
