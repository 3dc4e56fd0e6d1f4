// Package place decides where an edit goes in a text, and what goes in. It takes a text and the edits of a request, and
// returns the new text, or the problems of the edits.
//
// Placing takes these steps, each of which returns a value that the next one takes:
//
//   - Candidates. The edit becomes a pattern of lines (pattern.go), which can be read in several ways (reading.go).
//     A search finds every place where a reading fits (search.go, fit.go), also with lines left out (elision.go).
//   - Judge. Evidence leaves one candidate (judge.go, scope.go), or the edit is refused.
//   - Build. The edit becomes splices of the text (build.go). They have the text's indentation (indent.go, style.go).
//
// All consecutive edits of whole lines go through the steps together (lines.go). A substring edit is placed by its
// bytes (substring.go), or else as whole lines; those of a long list share one search (apart.go). Consecutive edits by
// ranges need no search, and are placed together too (ranges.go). A request applies its edits to one version of the
// text after another (request.go, version.go). An edit that cannot be placed is refused, with the text as it is
// (refuse.go, explain.go).
//
// docs/PLACING.md has the rules. Codes such as "P3" in comments name them.
package place

import (
	"slices"

	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// The edits of a request and their refusals, as package plan has them.
type (
	Edit    = plan.Edit
	Problem = plan.Problem
	Line    = plan.Line
)

// A Fit is how closely the old text matches the place where it was found: the loosest class of what was ignored there.
type Fit int

const (
	Exact       Fit = iota + 1 // ignores nothing
	Spacing                    // trailing whitespace, and blank lines that are doubled, missing or at the edges
	Indentation                // indentation
	Notation                   // typographic characters, Unicode composition, or line numbers copied from a viewer
	Elision                    // lines left out, with a line of "..." in their place
	Drift                      // a word or two in lines that the edit does not change
)

func originOf(edit int, fit Fit, by string) text.Origin {
	return text.Origin{Edit: edit, Fit: int(fit), By: by}
}

// A Result is a text with edits applied to it.
type Result struct {
	Text    []byte
	Matches []text.Match
	Notes   []Note
}

// A Note says what an edit ignored, or what was chosen by default, in the words of a Problem.
type Note struct {
	Edit int // its index, or -1
	Line int // of the new text, from 1; 0 if none
	Msg  string
	At   int // an offset in that line of the text so far, -1 if there is none
}

// Edits that are placed together go through four phases. Each makes a value that the next one takes: read an asked,
// find a finding, judge a judged, and build a built.

// An asked has what an edit asks for.
type asked struct {
	edit        int
	e           *Edit
	plain       pattern // the edit as written, without lines if it has no old text
	contextOnly bool    // it only has context lines: it changes nothing, but is evidence for the others
}

// A finding has the candidates of an edit, and the reading that fits there.
type finding struct {
	reading    *pattern // nil for a string, and if line numbers or anchors alone name the place
	candidates []candidate
	shared     *location // the same for edits that share their candidates, nil if this one does not
	vague      bool      // an elision can be aligned in more ways than there are candidates
	tooMany    bool      // the search was abandoned: it has too many places to look at, so none can be the only one
}

// A judged is an edit with the places where it fits: first all of them, then those that the evidence leaves.
type judged struct {
	asked
	finding
	readings []*pattern // all that were tried, if plain has no exact candidate
	by       string     // what decided the place; see Match
	how      string     // the same in words, where it was more than the text
	steps    []step
	missing  string // an anchor that is not there
	repeats  *asked // an equal edit at the same place, which makes the change
	problem  *Problem
	done     built
}

// A step of the judge is a reason that left fewer candidates than there were.
type step struct {
	by            string
	before, after []candidate
}

// A built has what an edit does to the text, or the problem with it.
type built struct {
	splices []text.Splice
	notes   []Note
	problem *Problem
	own     bool // the new lines are in the text's terms, though the old ones are not
}

// refused returns what is built of an edit with a problem, nil if it has none.
func refused(p *Problem) built { return built{problem: p} }

// An outcome is the result of placing some edits of a request on a version.
type outcome struct {
	splices  []text.Splice
	notes    []Note
	problems []Problem
	late     []Problem // of edits that fit nowhere yet, but ask for a line that an earlier edit writes
}

// refuse adds a problem with an edit, and the candidates that were considered for it. It returns the outcome with it.
func (o *outcome) refuse(edit int, p *Problem, considered ...plan.Candidate) outcome {
	p.Edit, p.Candidates = edit, append(p.Candidates, considered...)
	o.problems = append(o.problems, *p)
	return *o
}

// room returns n values, in the memory for one if that is enough.
func room[T any](one *[1]T, n int) []T { return slices.Grow(one[:0], n)[:n] }

func (f *finding) isUnique() bool { return len(f.candidates) == 1 }

func (f *finding) keep(left []candidate) {
	if len(left) != len(f.candidates) {
		f.candidates, f.shared = left, nil
	}
}

func (f *finding) at(k int) placement { return placement{f.reading, f.candidates[k]} }

// near returns the line that the edit names as a hint, 0 if it names none.
func (w *judged) near() int {
	if w.reading != nil && w.reading.numbered != nil {
		return w.reading.numbered.First
	}
	return w.e.Near
}

// lines returns the old and the new lines, without what the reading takes off.
func (w *judged) lines() (old, new []string) {
	if w.reading == nil {
		return text.Split(w.e.Old), text.Split(w.e.New)
	}
	return w.reading.old, w.reading.new
}

func (w *judged) placed() bool { return w.isUnique() && w.problem == nil }
