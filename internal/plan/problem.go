package plan

import "io/fs"

// A Problem is a reason for refusing an edit. Msg calls the parts of an edit "the old text" and "the new text", and the
// edit with index 0 "edit 1". A caller with other words for them may put those in their place, but not within quotation
// marks: there, Msg has what the request or the text has.
type Problem struct {
	Err        error
	Path       string
	Op         int    // its index, -1 for all of them
	Edit       int    // its index, -1 for all of them
	Part       string // the edit as the request counts it; "" if the caller is to name it
	Line       int    // of the request, from 1; 0 if the problem is not about its syntax
	Places     []int  // lines, from 1, where the old text does fit, or where the new text is already
	Nearest    *Region
	Candidates []Candidate // those that were considered
	Msg        string      // one line
	Lines      []Line      // of the text, to be shown below it
	Differs    []Difference
	More       int // differences that are not among these
}

// A Candidate is a place that was considered for an edit.
type Candidate struct {
	Line int    // as in Problem.Places
	Why  string // it was not taken
}

// A Line is a line of the text, without its ending.
type Line struct {
	Number int    // in the text that the request started from
	Tag    string // as a view shows it behind the number; "" if the number says enough
	Edit   int    // the index of the last edit that affected the line, whose Number is then an old one; or -1
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

// Invalid returns the problem of an edit that makes no sense.
func Invalid(msg string) *Problem { return &Problem{Err: fs.ErrInvalid, Msg: msg} }
