// Package place decides where an edit goes in a text, and what goes in.
//
// Placing takes these steps, each of which returns a value that the next one takes (phases.go):
//
//   - Candidates. The edit becomes a pattern of lines (pattern.go), which can be read in several ways (reading.go).
//     A search finds every place where a reading fits (search.go, fit.go), also with lines left out (elision.go) or
//     with a misspelled word (drift.go).
//   - Judge. Evidence leaves one candidate (judge.go, scope.go, order.go), or the edit is refused.
//   - Build. The edit becomes splices of the text (build.go). They have the text's indentation (indent.go, ownterms.go,
//     style.go) and its notation (notation.go).
//
// All consecutive edits of whole lines go through the steps together (lines.go). A substring edit is placed by its
// bytes (substring.go), or else as whole lines. Consecutive edits by ranges need no search, and are placed together too
// (ranges.go). A request applies its edits to one version of the text after another (request.go, version.go). An edit
// that cannot be placed is refused, with the text as it is (refuse.go, explain.go, nearest.go). Package plan has what
// needs no search: the fields of edits, columns, tags, and the words of refusals.
//
// docs/PLACING.md has the rules. Codes such as "P3" in comments name them.
package place

import (
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// The edits of a request and their refusals, as package plan has them.
type (
	Edit    = plan.Edit
	Problem = plan.Problem
	Line    = plan.Line
)

// A Fit is how closely the old text of an edit matches the place where it was found, from best to worst: the loosest
// class of what was ignored there.
type Fit int

const (
	Exact       Fit = iota + 1 // ignores nothing
	Spacing                    // trailing whitespace, and blank lines that are doubled, missing or at the edges
	Indentation                // indentation
	Notation                   // typographic characters, Unicode composition, or line numbers copied from a viewer
	Elision                    // lines left out, with a line of "..." in their place
	Drift                      // a word or two in lines that the edit does not change
)

// originOf returns the origin of a change that an edit makes.
func originOf(edit int, fit Fit, by string) text.Origin {
	return text.Origin{Edit: edit, Fit: int(fit), By: by}
}

// String returns the name of f in lower case.
func (f Fit) String() string {
	return [...]string{"exact", "spacing", "indentation", "notation", "elision", "drift"}[f-1]
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
}

// A note is a [Note] with the offset of its line in the text, -1 if it is about no line.
type note struct {
	edit, at int
	msg      string
}
