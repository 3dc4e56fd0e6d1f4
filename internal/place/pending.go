package place

import "github.com/atomicedit/atomicedit/internal/text"

// A pending edit is an edit that is being placed.
type pending struct {
	edit        int
	e           *Edit
	plain       pattern      // the edit as written
	readings    []*pattern   // all readings that were tried, if plain has no exact candidate
	finding                  // its reading is nil for a string, and if line numbers or anchors alone name the place
	first       [1]candidate // room for one
	by          string       // what decided the place; see Match
	how         string       // the same in words, where it was more than the text
	placed      bool         // the judge left one candidate, and found no problem
	steps       []step       // of the judge
	looser      int          // how many candidates fit less well
	repeats     *pending     // an equal edit at the same place, which makes the change
	contextOnly bool         // the edit only has context lines: it changes nothing, but is evidence for the others
	missing     string       // an anchor that is not there
	problem     *Problem
	splices     []text.Splice
	room        [1]text.Splice // for one
}

// isUnique reports whether the edit has one candidate.
func (w *pending) isUnique() bool { return len(w.candidates) == 1 }

// near returns the line that the edit names as a hint, 0 if it names none.
func (w *pending) near() int {
	if w.reading != nil && w.reading.numbered != nil {
		return w.reading.numbered.First
	}
	return w.e.Near
}

// placement returns the edit at its k-th candidate.
func (w *pending) placement(k int) placement { return placement{w.reading, w.candidates[k]} }

// lines returns the old and the new lines, without what the reading takes off.
func (w *pending) lines() (old, new []string) {
	if w.reading == nil {
		return text.Split(w.e.Old), text.Split(w.e.New)
	}
	return w.reading.old, w.reading.new
}

// A step of the judge is a reason that left fewer candidates than there were.
type step struct {
	by     string
	before []candidate
}

// An outcome is the result of placing some edits of a request on a version.
type outcome struct {
	splices  []text.Splice
	notes    []note
	problems []Problem
	late     []*pending // edits that fit nowhere yet, but ask for a line that an earlier edit writes
}

// refuse adds a problem with an edit.
func (o *outcome) refuse(edit int, p *Problem) {
	p.Edit = edit
	o.problems = append(o.problems, *p)
}
