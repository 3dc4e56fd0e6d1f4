package atomicedit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/commit"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/seen"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Reasons for a [Problem], besides fs.ErrExist, ErrNotExist, ErrPermission, ErrInvalid and errors.ErrUnsupported.
var (
	ErrSyntax = errs.ErrSyntax // the request cannot be read; with io.ErrUnexpectedEOF if it was cut off
	// the text asks for no edit: it is prose, empty, or an object with other fields
	ErrNoRequest   = errs.ErrNoRequest
	ErrNotFound    = errs.ErrNotFound    // the old text is not in the file, or not closely enough
	ErrAmbiguous   = errs.ErrAmbiguous   // several places fit, or several files, and nothing decides between them
	ErrCount       = errs.ErrCount       // the old text is not there as often as [Edit].Count says
	ErrNoChange    = errs.ErrNoChange    // the edit, or the whole request, changes nothing
	ErrOverlap     = errs.ErrOverlap     // two edits change the same text
	ErrApplied     = errs.ErrApplied     // the file already reads as the edit would make it
	ErrPlaceholder = errs.ErrPlaceholder // the new text has a line such as "... existing code ..." in place of code
	ErrStale       = errs.ErrStale       // the file, or a line with a [Tag], is not as it was known
	ErrUnread      = errs.ErrUnread      // the conversation has not read the file, or not enough of it: see [Session]
	ErrBinary      = errs.ErrBinary      // the file or the new text is not text
	ErrTooLarge    = errs.ErrTooLarge    // the file or the request has too many bytes
	ErrOutside     = errs.ErrOutside     // the path leads out of the store
	ErrDenied      = errs.ErrDenied      // [Host].Approve or the store said no; a store wraps it

	// ErrEncoding refuses new text that would make a file of two encodings. A text in UTF-8, or in UTF-16 with a byte
	// order mark, takes everything that is valid UTF-8. A text that is not UTF-8 takes ASCII, and bytes that are not
	// UTF-8 either, or every character of its encoding, if [Options].Charset names that.
	ErrEncoding = errs.ErrEncoding
)

// Outcomes of a commit that come from the machinery, not from the request: see [Store].
var (
	// ErrNotDurable means that the commit is done, but the system has not confirmed that all of it is on disk: a power
	// failure may undo it. Go on as after a success, and tell the user. Another commit would be [ErrStale].
	ErrNotDurable = errs.ErrNotDurable

	// ErrUnfinished means that the commit failed midway and could not be rolled back: some files may be changed and
	// others not. The next commit, or opening the store again, rolls it back, and so does a [Recoverer].
	ErrUnfinished = errs.ErrUnfinished
)

// A Refusal is an error for whoever made the request; any other error is about the machinery. Nothing was changed. The
// message of a single problem is complete in its first line; further lines give details. The message of several
// problems begins with their number. The zero value has no problems; no function returns it.
type Refusal struct {
	Problems []Problem `json:"problems"` // every problem found, in the order of the request

	// Partial is the complete part of a request that was cut off, in any format. Show it, but do not carry it out: its
	// paths may lack the cwd that a JSON request gives at its end.
	Partial Plan `json:"-"`

	shown []shownLines
	rest  Plan // of a call with malformed parts
}

// Shown lines are lines of a file that a problem shows.
type shownLines struct {
	path  string
	file  *File
	how   showing
	lines seen.Lines
	known bool   // they were shown by an earlier refusal, or are beside an old text: no edit by numbers asks for them
	asks  string // if the same call is sent again, it is meant
}

func (l shownLines) isQuestion() bool { return l.asks != "" }
func (l shownLines) areLines() bool   { return l.asks == "" && !l.known }

// shownBy returns the lines that a refusal shows.
func shownBy(err error) []shownLines {
	var r *Refusal
	if errors.As(err, &r) {
		return r.shown
	}
	return nil
}

// A showing is one way to see lines of a text with n lines: in a view, in an answer to an edit, or in a refusal.
type showing = func(s seen.Sight, lines seen.Lines, n int) seen.Sight

// A Problem is one reason for a [Refusal]. The zero value has no reason. In JSON an empty list is [].
type Problem struct {
	// one of the reasons above, which may wrap an error of [Host].Approve, or the error of a [Check]
	Err error `json:"-"`

	// Code is the name of Err: "syntax", "no_request", "not_found", "ambiguous", "count", "no_change", "overlap",
	// "applied", "placeholder", "stale", "unread", "binary", "encoding", "too_large", "outside", "denied", "exist",
	// "not_exist", "permission", "invalid", "unsupported", or "other" for any other.
	Code string `json:"code"`

	Path string `json:"path,omitempty"`
	Op   int    `json:"op"`             // index, or -1
	Edit int    `json:"edit"`           // index, or -1
	Part string `json:"part,omitempty"` // such as "edit 2" or "block 2"; "" if the file has no other
	Line int    `json:"line,omitempty"` // for ErrSyntax, the 1-based line of the request
	// 1-based lines where the edit fits, if there are several, or, for ErrApplied, where its new text is; see Region
	Places  []int   `json:"places"`
	Nearest *Region `json:"nearest,omitempty"` // the closest text, if any is close, as left by the edits before
	Msg     string  `json:"msg"`               // without path and part

	// Candidates are the places that were considered, at most 100, in the order of the text, for people who want to
	// know why a place was not taken. JSON leaves them out.
	Candidates []Candidate `json:"-"`
}

// A Candidate is a place that was considered for an edit but not taken.
type Candidate struct {
	Line int    `json:"line"` // of its first line, as in Places
	Why  string `json:"why"`  // it was not taken, such as "it is outside the scope of the anchor"
}

// A Region is a range of whole lines of a text. Line numbers count the text that the operation started from; text that
// an earlier edit of the operation wrote has the number of the line of that edit. The zero value is no region.
type Region struct {
	Line       int     `json:"line"` // of its first line, counted from 1
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

// refuseFile returns a Refusal with one problem, which is about a file, or about none if the path is "".
func refuseFile(path string, err error, msg string) *Refusal {
	return refuse(Problem{Err: err, Path: path, Op: -1, Edit: -1, Msg: msg})
}

// ofCall returns an error about the arguments of a call without the number of their line if they have only one.
func ofCall(err error, args []byte) error {
	var r *Refusal
	if errors.As(err, &r) && bytes.IndexByte(bytes.TrimSpace(args), '\n') < 0 {
		for i := range r.Problems {
			if r.Problems[i].Line == 1 {
				r.Problems[i].Line = 0
			}
		}
	}
	return err
}

// codes has the values of [Problem].Code, but for "other".
var codes = []struct {
	err  error
	code string
}{
	{ErrDenied, "denied"}, // whatever else it wraps
	{ErrSyntax, "syntax"}, {ErrNoRequest, "no_request"}, {ErrNotFound, "not_found"}, {ErrAmbiguous, "ambiguous"},
	{ErrCount, "count"}, {ErrNoChange, "no_change"}, {ErrOverlap, "overlap"}, {ErrApplied, "applied"},
	{ErrPlaceholder, "placeholder"}, {ErrStale, "stale"}, {ErrUnread, "unread"},
	{ErrBinary, "binary"}, {ErrEncoding, "encoding"},
	{ErrTooLarge, "too_large"}, {ErrOutside, "outside"},
	{fs.ErrExist, "exist"}, {fs.ErrNotExist, "not_exist"}, {fs.ErrPermission, "permission"}, {fs.ErrInvalid, "invalid"},
	{errors.ErrUnsupported, "unsupported"},
}

func code(err error) string {
	for _, c := range codes {
		if errors.Is(err, c.err) {
			return c.code
		}
	}
	return "other"
}

// maxMessage limits the bytes of a message for a model. The fields of a Problem are not cut.
const maxMessage = 4000

// Error returns the message for whoever made the request: the place, the problem, and how the text really looks. It has
// at most 4,000 bytes.
func (r *Refusal) Error() string {
	if len(r.Problems) == 1 {
		return r.Problems[0].String()
	}
	var b strings.Builder
	b.WriteString(strconv.Itoa(len(r.Problems)) + " problems, nothing was changed")
	for i, p := range r.Problems {
		b.WriteString("\n" + strconv.Itoa(i+1) + ". " + p.message())
	}
	return text.Clip(b.String(), maxMessage)
}

// String returns the message of a [Refusal] with this problem alone: path, part and Msg, in at most 4,000 bytes.
func (p Problem) String() string { return text.Clip(p.message(), maxMessage) }

func (p Problem) message() string {
	msg := p.Msg
	if p.Line > 0 {
		msg = fmt.Sprintf("line %d of the request: %s", p.Line, msg)
	}
	if p.Part != "" {
		msg = p.Part + ": " + msg
	}
	if p.Path != "" {
		msg = names.Show(text.Clip(p.Path, 300)) + ": " + msg
	}
	return msg
}

// Unwrap returns the Err of every problem.
func (r *Refusal) Unwrap() []error {
	return convertAll(r.Problems, func(p Problem) error { return p.Err })
}

// plainly returns the message of an error for a model, without a sentinel at its end unless that is all of it.
func plainly(err, about error) string { return strings.TrimSuffix(err.Error(), ": "+about.Error()) }

// isMachinery reports whether an error of a store is about a step that no request can mend, whatever it wraps.
func isMachinery(err error) bool {
	if errors.Is(err, ErrUnfinished) || errors.Is(err, ErrNotDurable) {
		return true
	}
	var at *fs.PathError
	if !errors.As(err, &at) {
		return false
	}
	machinery := []string{"conclude", "inspect", "lock", "make", "recover", "remove", "sweep", "sync", "roll back"}
	ofState := slices.Contains(strings.Split(at.Path, "/"), commit.StateDir)
	isGone := at.Op == "stage" && errors.Is(err, fs.ErrNotExist) // the directory, if not the root
	return slices.Contains(machinery, at.Op) || isGone ||
		ofState && (at.Op == "read" || at.Op == "stage" || at.Op == "write")
}

// denial returns the problem of a request that somebody does not allow, for the reason in err.
func denial(err error) Problem {
	p := Problem{Err: err, Op: -1, Edit: -1, Msg: "not approved, and nothing was changed"}
	var at *fs.PathError
	if !errors.Is(err, ErrDenied) {
		p.Err = fmt.Errorf("%w: %w", ErrDenied, err)
	} else if errors.As(err, &at) {
		p.Path, err = at.Path, at.Err
	}
	reason := strings.TrimPrefix(plainly(err, ErrDenied), ErrDenied.Error()+": ")
	if reason != ErrDenied.Error() && reason != "" {
		p.Msg += ": " + reason
	}
	return p
}

// problemsOf turns an error of a store into problems of a request, unless it is about the machinery.
func problemsOf(err error) ([]Problem, bool) {
	var refusal *Refusal
	if errors.As(err, &refusal) && len(refusal.Problems) > 0 {
		return slices.Clone(refusal.Problems), true
	}
	if errors.Is(err, ErrDenied) && !errors.Is(err, ErrUnfinished) && !errors.Is(err, ErrNotDurable) {
		return []Problem{denial(err)}, true
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var all []Problem
		for _, err := range many.Unwrap() {
			problems, ok := problemsOf(err)
			if !ok {
				return nil, false
			}
			all = append(all, problems...)
		}
		return all, len(all) > 0
	}
	reasons := []error{ErrStale, ErrUnread, ErrBinary, ErrTooLarge, ErrOutside,
		fs.ErrExist, fs.ErrNotExist, fs.ErrPermission, fs.ErrInvalid, errors.ErrUnsupported}
	i := slices.IndexFunc(reasons, func(about error) bool { return errors.Is(err, about) })
	if i < 0 || isMachinery(err) {
		return nil, false
	}
	about := reasons[i]
	p := Problem{Err: about, Op: -1, Edit: -1, Msg: plainly(err, about)}
	var at *fs.PathError
	if errors.As(err, &at) {
		p.Path, p.Msg = at.Path, plainly(at.Err, about)
		// Prepare and Commit have the same message, whatever they do.
		if about != ErrStale && !slices.Contains([]string{"open", "check", "create", "commit"}, at.Op) {
			p.Msg = at.Op + ": " + p.Msg
		}
	}
	switch {
	case about == ErrStale:
		p.Msg += "; read it again"
	case about == ErrOutside && p.Msg == about.Error():
		p.Msg += ": use a path inside it"
	case about == fs.ErrExist:
		p.Msg = "a file has been created here since the request was prepared; read it"
	}
	return []Problem{p}, true
}
