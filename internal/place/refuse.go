package place

import (
	"fmt"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// manyPlaces limits the search for a string that should be there once.
const manyPlaces = 100

// tooOften refuses an edit whose search was abandoned.
func tooOften() *Problem {
	return &Problem{Err: errs.ErrAmbiguous, Msg: "the lines of the old text are there too often to look at every place: show other lines around the change, or use line numbers"}
}

// vague refuses an edit whose elisions can be aligned in several ways.
func vague(at location) *Problem {
	return &Problem{Err: errs.ErrAmbiguous, Places: at.lines, Msg: "the old text fits in more than one way, because its \"...\" can stand for " +
		"different lines: write out the lines that it leaves out"}
}

// miscounted refuses an edit whose old text is not there as often as the request says.
func miscounted(at location, count int) *Problem {
	return &Problem{Err: errs.ErrCount, Places: at.lines,
		Msg: fmt.Sprintf("the old text is there %s, at %s, not %s as the request says: correct the count, or the old text", plan.Times(len(at.lines)), at, plan.Times(count))}
}

// alreadyThere refuses an edit that has been made, at the location of its new text.
func alreadyThere(at location, msg string) *Problem {
	return &Problem{Err: errs.ErrApplied, Places: at.lines, Msg: msg}
}

// misplaced refuses an edit that does not fit where its anchors or the end of the file allow it. At is where it does fit.
func (v *version) misplaced(w *pending, at location) *Problem {
	problem := &Problem{Err: errs.ErrNotFound, Places: at.lines}
	switch {
	case w.missing != "" && len(v.Occurrences(w.missing, 2)) > 1:
		problem.Msg = fmt.Sprintf("several lines contain the anchor %s: copy the whole line that stands above the change", plan.Quote(w.missing))
	case w.missing != "":
		problem.Msg = fmt.Sprintf("no line matches the anchor %s where the request places it: copy a whole line that stands above the change, or leave the anchor out", plan.Quote(w.missing))
	case len(w.e.Anchors) > 0:
		problem.Msg = fmt.Sprintf("the old text is there, at %s, but not in the scope of the anchor %s: use a line that heads the change as the anchor", at, plan.Quote(w.e.Anchors[len(w.e.Anchors)-1]))
	default:
		problem.Msg = fmt.Sprintf("the old text is there, at %s, but not at the end of the file as the request says: remove the end-of-file marker, or show the last lines of the file", at)
	}
	return problem
}

// The things that may be ambiguous.
const (
	theOldText = "the old text"
	theAnchor  = "the anchor"
)

// ambiguous refuses an edit that fits in several places, and shows the lines above them, which tell them apart.
func (v *version) ambiguous(at location, what string) *Problem {
	const few = 5
	often := plan.Times(len(at.lines))
	if len(at.lines) == manyPlaces {
		often = "at least " + often
	}
	var first []text.Line // the first lines that have the places
	for _, s := range at.pieces {
		if n := len(first); n < few && (n == 0 || s.Start >= first[n-1].Next) {
			first = append(first, v.LineAt(v.LineStart(s.Start)))
		}
	}
	problem := &Problem{Err: errs.ErrAmbiguous, Places: at.lines, Msg: fmt.Sprintf("%s is there %s, at %s: ", what, often, at)}
	switch {
	case len(first) == 1:
		problem.Msg += "show more of that line around the one you mean"
		return problem
	case what == theAnchor:
		problem.Msg += "add an anchor further out, above the one you mean"
	default:
		problem.Msg += "show more lines around the one you mean"
	}
	others := "them"
	for _, l := range first {
		if above := v.SolidAbove(l); above.Real() {
			problem.Lines = append(problem.Lines, v.show(above))
		} else {
			problem.Msg += fmt.Sprintf("; there is no text above %s", v.locate([]text.Span{{Start: l.Start, End: l.Start}}))
			others = "the others"
		}
	}
	if len(problem.Lines) > 0 {
		problem.Msg += ". The lines above " + others + ":"
	}
	return problem
}
