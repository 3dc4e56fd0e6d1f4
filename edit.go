package atomicedit

import (
	"bytes"
	"io/fs"
	"slices"
	"strconv"
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
	Path      string      // slash-separated; "" where the request names no file: see [Plan.ForFile]
	To        string      // OpMove: the new path
	Edits     []Edit      // OpEdit, and an OpMove or OpCreate that also edits; in an OpDelete they must leave nothing
	Content   string      // OpCreate
	Mode      fs.FileMode // OpCreate: permission bits, 0 for the store's default
	Overwrite bool        // OpCreate, OpMove: may replace what is there (an empty file may always be)
	Version   Version     // if set, the content that the request was written against
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

	// heading is what a patch has behind the line numbers of a hunk: the beginning of a line above its place, as a rule.
	heading string
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
// Op and Edit are the last of them.
type Match struct {
	Op   int  `json:"op"`   // index in the plan, 0 from [Apply]
	Edit int  `json:"edit"` // index in the op, -1 for its Content
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
	Op   int    `json:"op"`             // index in the plan, or -1
	Edit int    `json:"edit"`           // index in the op, or -1
	Line int    `json:"line,omitempty"` // 1-based line of the new text, 0 if none
	Msg  string `json:"msg"`
}

// Apply carries out edits on src, a text in UTF-8, or in UTF-16 with a byte order mark, and returns the new text. All of
// them are placed, or none is carried out; neither argument is changed.
//
// Consecutive edits of whole lines or by line numbers are placed together on the same text, in any order; substring
// edits act one after the other, each on the result of the one before.
//
// What cannot be placed without a guess is a [*Refusal], with every problem there is. Its errors are [ErrNotFound],
// [ErrAmbiguous], [ErrCount], [ErrNoChange], [ErrOverlap], [ErrApplied], [ErrPlaceholder], [ErrBinary] and
// [fs.ErrInvalid]. The cost is linear in src for the edits of whole lines together, for each substring edit, for each
// edit that asks for what another one writes, and for each anchor that is only a part of a line. A request whose
// old texts stand almost everywhere is not looked at to the end, but refused with [ErrAmbiguous].
func Apply(src []byte, edits []Edit, o *Options) (*Result, error) {
	res, problems := applyEdits(src, edits, o)
	if len(problems) > 0 {
		return nil, refuse(problems...)
	}
	return res, nil
}

// Apply carries out a plan that edits one file, or creates one where src is empty, on a text: like [Apply], one op
// after the other. An op of another kind, or on another file, is [fs.ErrInvalid].
func (p Plan) Apply(src []byte, o *Options) (*Result, error) {
	res := &Result{Text: src}
	for i, op := range p.Ops {
		text := res.Text
		switch {
		case op.Path != p.Ops[0].Path || op.Kind != OpEdit && op.Kind != OpCreate:
			return nil, refuse(Problem{Err: fs.ErrInvalid, Path: op.Path, Op: i, Edit: -1, Msg: "only edits of one file can be applied to a text"})
		case op.Version != "" && op.Version != VersionOf(text):
			return nil, refuse(Problem{Err: ErrStale, Path: op.Path, Op: i, Edit: -1, Msg: "the text has changed since the request was written"})
		case op.Kind == OpCreate && len(text) > 0 && !op.Overwrite:
			return nil, refuse(Problem{Err: fs.ErrExist, Path: op.Path, Op: i, Edit: -1, Msg: "the text to be created is there already: edit it instead"})
		case op.Kind == OpCreate:
			if p := noContent(op.Content, newText(text)); p != nil {
				p.Path, p.Op, p.Edit = op.Path, i, -1
				return nil, refuse(*p)
			}
			text = []byte(op.Content)
			whole := Match{Op: i, Edit: -1, Fit: Exact, Old: Span{End: len(res.Text)}, New: Span{End: len(text)}}
			res = &Result{Text: text, Matches: compose(res.Matches, []Match{whole})}
		}
		if len(op.Edits) == 0 {
			continue
		}
		next, problems := applyEdits(text, op.Edits, o)
		if len(problems) > 0 {
			for k := range problems {
				problems[k].Path, problems[k].Op = op.Path, i
			}
			return nil, refuse(problems...)
		}
		for k := range next.Matches {
			next.Matches[k].Op = i
		}
		for k := range next.Notes {
			next.Notes[k].Op = i
		}
		res = &Result{Text: next.Text, Matches: compose(res.Matches, next.Matches), Notes: append(follow(res.Notes, next.Matches), next.Notes...)}
	}
	if res.Matches = settle(res.Matches, src, res.Text); len(res.Matches) == 0 {
		res.Text = bytes.Clone(src)
	}
	return res, nil
}
