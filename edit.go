package atomicedit

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// A Plan is what a request asks for: operations on files, in order. All of them succeed, or none is carried out.
type Plan struct {
	Ops    []Op
	DryRun bool // the request itself asked for a preview: [Run] stops after [Prepare]
}

// An OpKind says what an [Op] does with its file.
type OpKind int

const (
	OpEdit OpKind = iota
	OpCreate
	OpDelete
	OpMove
)

// An Op is one operation of a [Plan], on one file.
type Op struct {
	Kind      OpKind
	Path      string  // slash-separated; "" where the request names no file: see [Plan.ForFile]
	To        string  // OpMove: the new path
	Edits     []Edit  // OpEdit, and an OpMove or OpCreate that also edits
	Content   string  // OpCreate
	Overwrite bool    // OpCreate, OpMove: may replace what is there (an empty file may always be)
	Version   Version // if set, the content that the request was written against
}

// All is the [Edit.Count] that replaces every occurrence, and wants at least one.
const All = -1

// An Edit replaces one piece of a text by another. Where the piece lies is said by Old, or by First and Last;
// an empty Old without First inserts: after the After lines, at the end with AtEnd or WholeLines and nothing else.
//
// Line numbers count the text that the op started from, from 1. Lines of Old and New may end in "\n" or "\r\n",
// whichever the text has.
type Edit struct {
	Old, New    string   // text to find, text to put there
	WholeLines  bool     // Old and New are whole lines (a final line ending says nothing); else any substring
	Count       int      // 0: there once; n: there n times; All: at least once; all of them are replaced
	Near        int      // a line: evidence among several places, never a place by itself
	After       []string // lines that must come before, in this order (V4A "@@")
	AtEnd       bool     // must end where the text ends (V4A "*** End of File")
	First, Last int      // First > 0: these lines, inclusive, instead of Old; Last 0: insert before First

	// hunk is the first column of the patch lines that Old and New were made of: one of " -+" a line, and `\` after
	// a line that a patch marks as having no newline. It is how a patch pairs its lines; "" elsewhere.
	hunk string
}

// Equal reports whether e and f ask for the same; [cmp.Equal] and the like use it.
// How a patch paired the lines of Old and New counts only where both know it.
//
// [cmp.Equal]: https://pkg.go.dev/github.com/google/go-cmp/cmp#Equal
func (e Edit) Equal(f Edit) bool {
	return e.Old == f.Old && e.New == f.New && e.WholeLines == f.WholeLines && e.Count == f.Count && e.Near == f.Near &&
		slices.Equal(e.After, f.After) && e.AtEnd == f.AtEnd && e.First == f.First && e.Last == f.Last &&
		(e.hunk == f.hunk || e.hunk == "" || f.hunk == "")
}

// ForFile returns p with path as the file of every operation that names none. It changes no argument.
func (p Plan) ForFile(path string) Plan {
	p.Ops = slices.Clone(p.Ops)
	for i := range p.Ops {
		if p.Ops[i].Path == "" {
			p.Ops[i].Path = path
		}
	}
	return p
}

// Options are the choices a caller has in placing edits. A nil *Options is the zero value.
type Options struct {
	Loosest Fit // the loosest fit accepted; 0 means [Drift], the loosest there is
}

// A Fit is how well the old text of an edit fits the place where it was found, best first. Each class overlooks what
// the ones before it do, and leaves a [Note] that says so; Exact leaves none.
type Fit int

const (
	Exact       Fit = iota + 1 // equal bytes; a line ending in the request stands for the text's own
	Spacing                    // but for space at line ends, and blank lines doubled, missing or at the edges
	Indentation                // but for the indentation
	Notation                   // but for typographic signs, Unicode composition, or line numbers copied from a viewer
	Elision                    // with a line of "..." that stands for lines left out
	Drift                      // but for a word in lines that the edit does not change
)

// String returns the name of f in lower case.
func (f Fit) String() string {
	if names := [...]string{"exact", "spacing", "indentation", "notation", "elision", "drift"}; f >= Exact && f <= Drift {
		return names[f-1]
	}
	return "fit " + strconv.Itoa(int(f))
}

// A Result is a text with edits applied to it.
type Result struct {
	Text    []byte  `json:"text"`
	Matches []Match `json:"matches"`
	Notes   []Note  `json:"notes,omitempty"` // what a careful caller should look at
}

// A Match is one place that was changed. Matches of a [Result] are sorted and do not overlap: replacing each Old of the
// source by its New of Text gives Text. Where edits that act one after the other meet, their places are merged, and
// Edit is the last of them.
type Match struct {
	Op   int  `json:"op"` // index in the plan
	Edit int  `json:"edit"`
	Fit  Fit  `json:"fit"`
	Old  Span `json:"old"` // in the source
	New  Span `json:"new"` // in the new text
}

// A Span is a piece of a text: the bytes from Start up to End, and the lines that they touch.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
	Line  int `json:"line"`  // 1-based, of Start
	Lines int `json:"lines"` // 0 for an empty span
}

// A Note is something that was overlooked or chosen by default, worded for whoever made the request.
type Note struct {
	Op   int    `json:"op"` // index, or -1
	Edit int    `json:"edit"`
	Line int    `json:"line,omitempty"` // 1-based line of the new text, 0 if none
	Msg  string `json:"msg"`
}

// What a [Problem] is about. Besides these, fs.ErrExist, fs.ErrNotExist, fs.ErrPermission and fs.ErrInvalid occur.
var (
	ErrSyntax      = errors.New("the request cannot be read") // with io.ErrUnexpectedEOF where it was cut off
	ErrNotFound    = errors.New("the old text is not there")
	ErrAmbiguous   = errors.New("the old text is there more than once")
	ErrCount       = errors.New("the old text is not there as often as the request says")
	ErrNoChange    = errors.New("the request changes nothing")
	ErrOverlap     = errors.New("two edits overlap")
	ErrApplied     = errors.New("the change is already there")
	ErrPlaceholder = errors.New("the new text has a placeholder for code left out")
	ErrStale       = errors.New("the file has changed since it was read")
	ErrUnread      = errors.New("the file has not been read")
	ErrBinary      = errors.New("not a text")
	ErrTooLarge    = errors.New("too large")
	ErrOutside     = errors.New("outside the directory")
)

// About the machinery, not the request: see [Store].
var (
	ErrNotDurable = errors.New("done, but perhaps not on disk yet")
	ErrUnfinished = errors.New("neither done nor taken back; the next commit or open finishes it")
)

// A Refusal is an error to be told to whoever made the request; any other error is about the machinery. Nothing was
// changed. It is complete in the first line of its message; the rest helps to do better.
type Refusal struct {
	Problems []Problem `json:"problems"` // every problem found, in the order of the request

	// Partial is, for a request that was cut off, what was complete before the cut.
	Partial Plan `json:"-"`
}

// A Problem is one reason for a [Refusal].
type Problem struct {
	Err     error   `json:"-"`
	Code    string  `json:"code"` // Err in one word: "not_found", "ambiguous", …
	Path    string  `json:"path,omitempty"`
	Op      int     `json:"op"`                // index, or -1
	Edit    int     `json:"edit"`              // index, or -1
	Line    int     `json:"line,omitempty"`    // for ErrSyntax, the 1-based line of the request
	Places  []int   `json:"places,omitempty"`  // 1-based lines of the text where it does fit, if there are several
	Nearest *Region `json:"nearest,omitempty"` // the closest text there is, if any is close
	Msg     string  `json:"msg"`               // without path and index
}

// A Region is a piece of a text, whole lines.
type Region struct {
	Line       int     `json:"line"` // 1-based
	Text       string  `json:"text"`
	Similarity float64 `json:"similarity"` // to what was asked for, 0 to 1
}

// refuse returns a Refusal with the given problems, their codes filled in.
func refuse(problems ...Problem) *Refusal {
	for i, p := range problems {
		problems[i].Code = code(p.Err)
	}
	return &Refusal{Problems: problems}
}

// code names an error in one word for JSON.
func code(err error) string {
	for _, c := range []struct {
		err  error
		code string
	}{
		{ErrSyntax, "syntax"}, {ErrNotFound, "not_found"}, {ErrAmbiguous, "ambiguous"}, {ErrCount, "count"},
		{ErrNoChange, "no_change"}, {ErrOverlap, "overlap"}, {ErrApplied, "applied"}, {ErrPlaceholder, "placeholder"},
		{ErrStale, "stale"}, {ErrUnread, "unread"}, {ErrBinary, "binary"}, {ErrTooLarge, "too_large"}, {ErrOutside, "outside"},
		{fs.ErrExist, "exist"}, {fs.ErrNotExist, "not_exist"}, {fs.ErrPermission, "permission"}, {fs.ErrInvalid, "invalid"},
		{errors.ErrUnsupported, "unsupported"},
	} {
		if errors.Is(err, c.err) {
			return c.code
		}
	}
	return "other"
}

// maxMessage is how many bytes of a message a model is shown. The fields of a Problem are uncut.
const maxMessage = 4000

// Error returns the message for whoever made the request: where, what, and what the text really looks like. It has at
// most 4,000 bytes.
func (r *Refusal) Error() string {
	if len(r.Problems) == 1 {
		return clip(r.Problems[0].where()+r.Problems[0].Msg, maxMessage)
	}
	var b strings.Builder
	b.WriteString(strconv.Itoa(len(r.Problems)) + " problems, nothing was changed")
	for i, p := range r.Problems {
		b.WriteString("\n" + strconv.Itoa(i+1) + ". " + p.where() + p.Msg)
	}
	return clip(b.String(), maxMessage)
}

// where says what part of the request p is about, as a prefix.
func (p Problem) where() string {
	var b strings.Builder
	if p.Path != "" {
		b.WriteString(p.Path + ": ")
	}
	if p.Edit >= 0 {
		b.WriteString("edit " + strconv.Itoa(p.Edit+1) + ": ")
	}
	if p.Line > 0 {
		b.WriteString("line " + strconv.Itoa(p.Line) + " of the request: ")
	}
	return b.String()
}

// Unwrap returns the Err of every problem.
func (r *Refusal) Unwrap() []error {
	errs := make([]error, len(r.Problems))
	for i, p := range r.Problems {
		errs[i] = p.Err
	}
	return errs
}

// clip cuts s to at most n bytes, at a character, and says so.
func clip(s string, n int) string {
	const more = " …"
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-len(more)], "") + more
}
