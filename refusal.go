package atomicedit

import (
	"errors"
	"io/fs"
	"strconv"
	"strings"
)

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
	ErrDenied      = errors.New("not approved") // see [Host]
)

// About the machinery, not the request: see [Store].
var (
	ErrNotDurable = errors.New("done, but perhaps not on disk yet")
	ErrUnfinished = errors.New("neither done nor taken back; the next commit or open finishes it")
)

// A Refusal is an error to be told to whoever made the request; any other error is about the machinery. Nothing was
// changed. The message of one problem is complete in its first line, and the rest helps to do better; that of several first
// says how many there are.
type Refusal struct {
	Problems []Problem `json:"problems"` // every problem found, in the order of the request

	// Partial is, for a request that was cut off, what was complete before the cut. To show, not to carry out: a path lacks
	// the cwd that a JSON request gives behind it.
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
	Places  []int   `json:"places,omitempty"`  // 1-based lines of the text where it does fit, if there are several; see Region
	Nearest *Region `json:"nearest,omitempty"` // the closest text there is, if any is close; as the edits before left it
	Msg     string  `json:"msg"`               // without path and index
}

// A Region is a piece of a text, whole lines. Lines are those of the text that the operation started from; the line of what
// an earlier edit of it wrote is the one where that edit stands.
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
		{ErrDenied, "denied"},
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
		b.WriteString(showPath(clip(p.Path, 300)) + ": ")
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
