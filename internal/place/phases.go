package place

import (
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Edits that are placed together go through four phases. Each makes a value that the next one takes: read an asked,
// find a found, judge a judged, and build a built.

// An asked has what an edit asks for.
type asked struct {
	edit        int
	e           *Edit
	plain       pattern // the edit as written, without lines if it has no old text
	contextOnly bool    // it only has context lines: it changes nothing, but is evidence for the others
}

// A found is an edit with the places where it fits.
type found struct {
	*asked
	finding             // its reading is nil for a string, and if line numbers or anchors alone name the place
	readings []*pattern // all that were tried, if plain has no exact candidate
}

// A finding has the candidates of an edit, and the reading that fits there.
type finding struct {
	reading    *pattern
	candidates []candidate
	list       int  // edits that share their candidates have the same number here, not 0
	vague      bool // an elision can be aligned in more ways than there are candidates
	tooMany    bool // the search was abandoned: there are too many places to look at, so none can count as the only one
}

// A judged is an edit with the candidates that the evidence leaves.
type judged struct {
	found
	by      string // what decided the place; see Match
	how     string // the same in words, where it was more than the text
	steps   []step
	missing string // an anchor that is not there
	repeats *asked // an equal edit at the same place, which makes the change
	problem *Problem
}

// A step of the judge is a reason that left fewer candidates than there were.
type step struct {
	by            string
	before, after []candidate
}

// A built has what an edit does to the text, or the problem with it.
type built struct {
	splices []text.Splice
	notes   []note
	problem *Problem
}

// refused returns what is built of an edit with a problem, nil if it has none.
func refused(p *Problem) built { return built{problem: p} }

// An outcome is the result of placing some edits of a request on a version.
type outcome struct {
	splices  []text.Splice
	notes    []note
	problems []Problem
	late     []Problem // of edits that fit nowhere yet, but ask for a line that an earlier edit writes
}

// refuse adds a problem with an edit, and the candidates that were considered for it.
func (o *outcome) refuse(edit int, p *Problem, considered ...plan.Candidate) {
	p.Edit, p.Candidates = edit, append(p.Candidates, considered...)
	o.problems = append(o.problems, *p)
}

// isUnique reports whether there is one candidate.
func (f *finding) isUnique() bool { return len(f.candidates) == 1 }

// keep leaves some of the candidates.
func (f *finding) keep(left []candidate) {
	if len(left) != len(f.candidates) {
		f.candidates, f.list = left, 0
	}
}

// at returns the edit at its k-th candidate.
func (f *finding) at(k int) placement { return placement{f.reading, f.candidates[k]} }

// near returns the line that the edit names as a hint, 0 if it names none.
func (w *found) near() int {
	if w.reading != nil && w.reading.numbered != nil {
		return w.reading.numbered.First
	}
	return w.e.Near
}

// lines returns the old and the new lines, without what the reading takes off.
func (w *found) lines() (old, new []string) {
	if w.reading == nil {
		return text.Split(w.e.Old), text.Split(w.e.New)
	}
	return w.reading.old, w.reading.new
}

// placed reports whether the judge left one candidate, and found no problem.
func (w *judged) placed() bool { return w.isUnique() && w.problem == nil }
