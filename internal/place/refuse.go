package place

import (
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// manyPlaces limits the search for a string that should be there once.
const manyPlaces = 100

// problem refuses an edit. The words for its parts stand in braces. A copy of it in each place would be heavy.
//
//go:noinline
func (v *version) problem(err error, format string, args ...any) *Problem {
	return &Problem{Err: err, Msg: v.words.Say(format, args...)}
}

// problemAt refuses an edit because of what the text has at some lines. Like others that have many callers and need not
// be fast, it is not inlined, so that programs stay small.
//
//go:noinline
func (v *version) problemAt(at location, err error, format string, args ...any) *Problem {
	return &Problem{Err: err, Places: at.lines, Msg: v.words.Say(format, args...)}
}

// problemShowing refuses an edit, and shows the first lines of a piece of the text.
func (v *version) problemShowing(piece text.Span, err error, format string, args ...any) *Problem {
	return &Problem{Err: err, Lines: v.shown(piece), Msg: v.words.Say(format, args...)}
}

// applied refuses an edit that has been made, at a piece of the text, which the format names.
func (v *version) applied(piece text.Span, format string) *Problem {
	at := v.locate([]text.Span{piece})
	return v.problemAt(at, errs.ErrApplied, format, at)
}

// tooOften refuses an edit whose search was abandoned.
func (v *version) tooOften() *Problem {
	return v.problem(errs.ErrAmbiguous, "the lines of {old} are there too often to look at every place: show other "+
		"lines around the change, or use line numbers")
}

// vague refuses an edit whose elisions can be aligned in several ways.
func (v *version) vague(at location) *Problem {
	return v.problemAt(at, errs.ErrAmbiguous, "{old} fits in more than one way, because its \"...\" can stand for "+
		"different lines: write out the lines that it leaves out")
}

// changed returns the problem that an edit has changed an old text that was at a place of the source, nil if none has.
func (v *version) changed(place text.Span) *Problem {
	_, by := v.unchanged(place)
	if by < 0 {
		return nil
	}
	return v.problem(errs.ErrNotFound,
		"{old} was at line %d when the request started, but %s has changed it: "+
			"write it as it is after that {edit}, or combine the two {edit}s into one",
		v.origin().numbers.At(place.Start), v.words.Nth(by))
}

// noAnchor refuses an edit with an anchor that is missing, and shows the line that is most like it. At is where the old
// text fits.
func (v *version) noAnchor(missing string, at location) *Problem {
	const few, clues = 16, 12 // edits, and searches
	if len(v.Occurrences(missing, 2)) > 1 {
		return v.problemAt(at, errs.ErrNotFound,
			"several lines contain the anchor %s: copy the whole line that stands above the change",
			plan.Quote(missing))
	}
	problem := v.problemAt(at, errs.ErrNotFound, "no line matches the anchor %s where the request places it: copy a "+
		"whole line that stands above the change", plan.Quote(missing))
	if len(at.lines) == 1 {
		problem.Msg += ", or leave the anchor out"
	}
	if len(v.origin().edits) > few {
		return problem
	}
	index, alike := text.NewIndex(v.Text, nil), 0.6
	for _, o := range index.VoteByClues(v.Text, text.Clues([]string{text.Fold(missing)}, clues)) {
		l := v.LineAt(index.Starts[o])
		if likeness := linediff.Likeness(strings.ToLower(missing), strings.ToLower(v.content(l))); likeness > alike {
			alike, problem.Lines = likeness, []Line{v.show(l)}
		}
	}
	if problem.Lines != nil {
		problem.Msg += ". The line that is most like it:"
	}
	return problem
}

// manyLines is the number of lines with places of which each may be told apart: of more places, none is.
const manyLines = 20

// ambiguous refuses an edit whose old text or anchor fits in several places, and shows lines that tell them apart.
func (v *version) ambiguous(at location, anchor bool) *Problem {
	often, what := plan.Times(len(at.lines)), "{old}"
	if len(at.lines) == manyPlaces {
		often = "at least " + often
	}
	if anchor {
		what = "the anchor"
	}
	problem := v.problemAt(at, errs.ErrAmbiguous, what+" is there %s, at %s: ", often, at)
	var lines, lasts []text.Line // that have the first places
	n, next := 0, 0              // how many lines have places, and where the one below them begins
	for _, s := range at.pieces {
		if s.Start < next {
			continue
		}
		if n++; n <= manyLines+1 {
			lines = append(lines, v.LineAt(v.LineStart(s.Start)))
			lasts = append(lasts, v.LineAt(v.LineStart(max(s.Start, s.End-1))))
		}
		next = v.LineAt(s.Start).Next
	}
	switch {
	case len(lines) == 1:
		problem.Msg += "show more of that line around the one you mean"
		return problem
	case anchor:
		problem.Msg += "add an anchor further out, above the one you mean"
	default:
		problem.Msg += "show more lines around the one you mean" + v.words.Say("{or}")
	}
	telling, all := v.apart(lines, lasts, anchor)
	for i, l := range telling {
		if !l.Real() {
			l = v.SolidAbove(lines[i])
		}
		isOther := slices.Contains(telling[:i], l) || slices.Contains(lines, l) && l != lines[i] // which says nothing
		if telling[i] = l; l.Real() && !isOther {
			problem.Lines = append(problem.Lines, v.show(l))
		}
	}
	switch {
	case len(problem.Lines) == 0:
		return problem
	case all:
		problem.Msg += ". The nearest lines that tell them apart, in this order:"
	default:
		problem.Msg += ". Lines near them:"
	}
	problem.More = n - len(telling)
	return problem
}

// apart returns, for the first of places that begin and end with the given lines, the line that no other place has: its
// own, or the nearest solid one above or below, but no place, that no other has as near; else None. All reports that
// each has one.
func (v *version) apart(places, lasts []text.Line, onlyAbove bool) (telling []text.Line, all bool) {
	const few, far = 10, 30
	telling = slices.Repeat([]text.Line{text.None}, min(len(places), few))
	missing := len(telling)
	if len(places) > manyLines {
		return telling[:few/2], false
	}
	steps := []func(text.Line) text.Line{v.SolidAbove, v.SolidBelow}
	keyOf := func(l text.Line) string { return text.Fold(v.content(l)) }
	switch {
	case onlyAbove:
		steps = steps[:1]
	case len(text.SetOf(mapped(places, keyOf))) == len(places):
		return places[:len(telling)], true
	}
	has := [2]map[string]int{{}, {}} // by the line, the place that has it so near, -1 if several have
	at := [2][]text.Line{places, lasts}
	for n := 0; n < far && missing > 0; n++ {
		for way, step := range steps {
			at[way] = mapped(at[way], step)
			keys := mapped(at[way], keyOf)
			for i, key := range keys {
				if first, known := has[way][key]; known && first != i {
					has[way][key] = -1
				} else {
					has[way][key] = i
				}
			}
			for i := range telling {
				l := at[way][i]
				isOther := slices.Contains(telling, l) || slices.Contains(places, l)
				if l.Real() && !telling[i].Real() && has[way][keys[i]] == i && !isOther {
					telling[i] = l
					missing--
				}
			}
		}
	}
	return telling, missing == 0
}
