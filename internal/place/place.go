// Package place decides where an edit goes in a text, and what goes in.
//
// Placing takes three steps:
//
//   - Candidates. The edit becomes a pattern of lines (pattern.go), which can be read in several ways (reading.go). A search
//     finds every place where a reading fits (search.go, fit.go), also with lines left out (elision.go) or with a misspelled word
//     (drift.go).
//   - Judge. Evidence leaves one candidate (judge.go, scope.go, order.go), or the edit is refused.
//   - Build. The edit becomes splices of the text (build.go). They have the text's indentation (indent.go, ownterms.go, style.go)
//     and its notation (notation.go).
//
// All consecutive edits of whole lines go through the steps together (lines.go). A substring edit is placed by its bytes
// (substring.go), or else as whole lines. A request applies its edits to one version of the text after another
// (request.go, version.go). An edit that cannot be placed is refused, with the text as it is (refuse.go, explain.go,
// nearest.go).
//
// PLACING.md has the rules. Codes such as "P3" in comments name them.
package place

import "github.com/atomicedit/atomicedit/internal/text"

// An Edit has the fields of an Edit of package atomicedit, which documents them.
type Edit struct {
	Old, New    string
	WholeLines  bool
	Count       int
	Near        int
	Anchors     []string
	Section     string
	Hunk        string
	AtEnd       bool
	First, Last int
	Number      int
}

// All is the Count of an edit that replaces every occurrence.
const All = -1

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

// A Problem is a reason for refusing an edit. Msg calls the parts of an edit "the old text" and "the new text", and the edit with
// index 0 "edit 1". A caller with other words for them may put those in their place, but not within quotation marks: there, Msg has
// what the request or the text has.
type Problem struct {
	Err     error
	Edit    int   // its index, -1 for all of them
	Places  []int // lines, from 1, where the old text does fit
	Nearest *Region
	Msg     string // one line
	Lines   []Line // of the text, to be shown below it
	Differs []Difference
	More    int // differences that are not among these
}

// A Line is a line of the text, without its ending.
type Line struct {
	Number int // in the text that the request started from
	Edit   int // the index of the last edit that affected the line, so that Number is only where it was; -1 if none did
	Text   string
}

// A Difference is a line of the old text, and the line that the text has in its place.
type Difference struct {
	Old     string
	At      Line // if Missing, the line above, and the zero value above the first line
	Extra   bool // the old text lacks this line of the text
	Missing bool // the text lacks the line of the old text
}

// A Region is the part of the text that is most like the old text of an edit, in whole lines.
type Region struct {
	Line       int // from 1
	Text       string
	Similarity float64 // 0 to 1
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
