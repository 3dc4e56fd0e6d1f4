package place

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/text"
)

// explain returns the problem of an edit whose old text was not found: the reason, and what the text has instead. All are the
// edits that are placed with it.
func (r *request) explain(x search, all []pending, w *pending) *Problem {
	if w.err != nil {
		return tooOften()
	}
	if reason := r.dependence(x.v, all, w); reason != "" {
		return &Problem{Err: errs.ErrNotFound, Msg: reason}
	}
	if p := x.nowhere(w.plain.bare, w.plain.old); p != nil {
		return p
	}
	if plain := text.Unescaped(w.e.Old); plain != w.e.Old && r.effort.take(20) == 20 && (len(x.v.Occurrences(plain, 1)) > 0 || len(x.v.asLines(plain, upTo(Indentation))) > 0) {
		return &Problem{Err: errs.ErrNotFound, Msg: `the old text is not there as written, but it is after one level of unescaping ("\n", "&lt;" and the like): send the old text and the new text without the escapes`}
	}
	if p := x.looser(w); p != nil {
		return p
	}
	return x.nearestTo(&w.plain, &r.effort)
}

// looser returns a problem that says where an edit would fit if the host allowed it, nil if it fits nowhere.
func (x search) looser(w *pending) *Problem {
	wider := x
	wider.allows = upTo(Drift)
	f := wider.find(w.readings)
	if len(f.candidates) == 0 {
		return nil
	}
	best := closest(f.candidates, nothing)
	at := x.locationOf(f.reading, best)
	problem := &Problem{Err: errs.ErrNotFound, Places: at.lines, Msg: fmt.Sprintf("the old text differs from the file in %s, which is not allowed here",
		best[0].ignores)}
	problem.Candidates = tooLoose(at, best)
	if offset, found := slices.BinarySearch(x.index.Starts, best[0].Start); found && len(f.reading.segments) == 1 && len(best) == 1 {
		problem.Msg += ": copy it exactly as it is at "
		x.show(problem, f.reading, x.inOrder(f.reading, offset))
	} else {
		problem.Msg += ": copy it exactly from " + at.String()
	}
	return problem
}

// dependence says on which earlier edit of the request the old text of w depends, "" if on none.
func (r *request) dependence(v *version, all []pending, w *pending) string {
	const near = 50 // earlier edits are considered
	from := max(0, w.edit-near)
	for i, e := range r.edits[from:w.edit] {
		if i += from; strings.Contains(e.New, strings.Trim(w.e.Old, text.Space+"\n")) && r.isRefused(all, i) {
			return fmt.Sprintf("not tried: it looks for text that edit %d writes, and that edit was refused", i+1)
		}
	}
	if len(v.done) == 0 {
		return ""
	}
	source := v.origin()
	if places := source.Occurrences(w.e.Old, 1); len(places) > 0 {
		start, end := places[0].Start, places[0].End
		for _, m := range v.done {
			if m.Old.Start < end && start < m.Old.End || start < m.Old.Start && m.Old.Start < end {
				return fmt.Sprintf("the old text was at line %d when the request started, but edit %d has changed it: "+
					"write it as it is after that edit, or combine the two edits into one", source.number(start), m.Edit+1)
			}
		}
	}
	return ""
}

// isRefused reports whether an earlier edit has been refused. It may be one of those that are being placed.
func (r *request) isRefused(all []pending, edit int) bool {
	if k := edit - all[0].edit; k >= 0 {
		return all[k].problem != nil
	}
	return slices.ContainsFunc(r.problems, func(p Problem) bool { return p.Edit == edit })
}
