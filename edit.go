package atomicedit

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"sort"

	"golang.org/x/text/encoding"
)

// A Plan is a request in the form that every parser returns: operations on files, in order. All of them succeed, or
// none is carried out. The zero value asks for nothing: [Prepare] and [Plan.Apply] refuse it with [ErrNoChange]. A plan
// is plain data. It survives JSON, without empty fields, but a string that is not UTF-8 does not marshal.
type Plan struct {
	Ops    []Op `json:"ops,omitempty"`
	DryRun bool `json:"dry_run,omitempty"` // the request itself asked for a preview: [Run] stops after [Prepare]

	// Format says how the request was written: "blocks", "v4a", "unified", "lsp", "json", or "json:" and the field of
	// the old text, with that of the new text where it does not follow: "json:search,replace". It affects
	// only the wording of messages. "" and unknown formats stand for a plan that a program made.
	Format string `json:"format,omitempty"`
}

// An OpKind says what an [Op] does with its file. In JSON it is "edit" (the zero value), "create", "delete" or "move".
type OpKind int

const (
	OpEdit OpKind = iota
	OpCreate
	OpDelete
	OpMove
)

// An Op is one operation of a [Plan], on one file. The zero value is an edit of a file without a name; see
// [Plan.ForFile]. A field without a meaning for its kind is [fs.ErrInvalid] unless it is empty.
type Op struct {
	Kind      OpKind      `json:"kind"`
	Path      string      `json:"path,omitempty"`      // with slashes, but see [Prepare]; "" if the request names none
	To        string      `json:"to,omitempty"`        // OpMove: the new path
	Edits     []Edit      `json:"edits,omitempty"`     // OpCreate: of Content; OpDelete: they must leave nothing
	Content   string      `json:"content,omitempty"`   // OpCreate
	Mode      fs.FileMode `json:"mode,omitempty"`      // OpCreate: permission bits, 0 for the store's default
	Overwrite bool        `json:"overwrite,omitempty"` // OpCreate, OpMove: may replace a file that is not empty
	Exclusive bool        `json:"exclusive,omitempty"` // OpCreate, OpMove: may not even replace an empty file
	Version   Version     `json:"version,omitempty"`   // if set, the content that the request was written against
}

// All is the [Edit].Count that replaces every occurrence, and requires at least one.
const All = -1

// An Edit replaces a piece of text. Old, or First and Last, or Range locates the piece. An empty Old without First and
// Range inserts New: below the last of the Anchors, or, with AtEnd or WholeLines and nothing else, at the end. An empty
// text is one place, so there it needs nothing else. The zero value is refused, because it changes nothing.
//
// Lines are counted from 1, in the text that the op started from. Lines of Old and New may end in "\n" or "\r\n",
// whichever the text has. Tags prove that the text is the one that the edit was written for; they determine no place.
//
// Hunk has the first column of each line of a patch's hunk, in order: ' ', '-', '+', and '\\' after a line that the
// patch marks as having no newline at its end. A '?' stands for a line of Old and New that lacks its prefix, and must
// be in the text verbatim. A Hunk that does not fit Old and New is ignored, and printers drop it.
//
// Combinations of fields that make no sense are [fs.ErrInvalid]: Last without First; First with Near, Anchors or AtEnd,
// with Old and no Last, or with Count and no Old; Range with any other field but New, Number and Tags; Count without
// Old; Section or Hunk without WholeLines; a blank anchor.
type Edit struct {
	Old        string   `json:"old,omitempty"`         // text to find
	New        string   `json:"new,omitempty"`         // text to put there
	WholeLines bool     `json:"whole_lines,omitempty"` // Old and New are whole lines; the last may lack its ending
	Count      int      `json:"count,omitempty"`       // 0: there once; n: n times; All: once or more; all are replaced
	Near       int      `json:"near,omitempty"`        // a line: evidence among several places, never a place by itself
	Anchors    []string `json:"anchors,omitempty"`     // lines that must come before, in this order (V4A "@@")
	Section    string   `json:"section,omitempty"`     // from a patch: the text after the numbers of the hunk header
	Hunk       string   `json:"hunk,omitempty"`        // from a patch: how it pairs the lines of Old and New
	AtEnd      bool     `json:"at_end,omitempty"`      // must end where the text ends (V4A "*** End of File")
	First      int      `json:"first,omitempty"`       // if not 0: the lines First to Last, instead of Old or around it
	Last       int      `json:"last,omitempty"`        // 0: insert before First
	Range      *Range   `json:"range,omitempty"`       // columns instead of Old: from an editor or a language server
	Tags       []Tag    `json:"tags,omitempty"`        // what lines have to read: other text is ErrStale
	// among the edits that the request has for the file, from 1; 0 if that is its index plus 1; messages use it
	Number int `json:"number,omitempty"`
}

// countsLines reports whether an edit has line numbers, which count the text that its op starts from.
func (e Edit) countsLines() bool { return e.internal().CountsLines() }

// named returns the lines that an edit names by their numbers: for an insertion the one below it, and the one above.
func (e Edit) named() (lines [][2]int) {
	switch {
	case e.Old != "":
	case e.Range != nil:
		return [][2]int{{e.Range.Start.Line, max(e.Range.End.Line, e.Range.Start.Line)}}
	case e.First != 0 && e.Last == 0:
		return [][2]int{{e.First, e.First}, {e.First - 1, e.First - 1}}
	case e.First != 0:
		return [][2]int{{e.First, e.Last}}
	}
	return nil
}

// isTagged reports whether tags are of the lines that e names by numbers: at both ends, or beside an insertion.
func (e Edit) isTagged() bool {
	has := func(line int) bool { return slices.ContainsFunc(e.Tags, func(t Tag) bool { return t.Line == line }) }
	return slices.ContainsFunc(e.named(), func(r [2]int) bool { return has(r[0]) && has(r[1]) })
}

// isHashed reports whether it is tagged with a hash, which covers the neighboring lines too.
func (e Edit) isHashed() bool {
	return e.isTagged() && slices.ContainsFunc(e.Tags, func(t Tag) bool { return t.Hash != "" })
}

// misfit describes a field of op that has no meaning for its kind, "" if there is none.
func (op Op) misfit() string {
	switch {
	case op.Kind != OpCreate && op.Content != "":
		return "only a new file has content: leave it out, or create the file"
	case op.Kind != OpCreate && op.Mode != 0:
		return "only a new file can be given permissions: leave them out, or create the file"
	case op.Mode&^fs.ModePerm != 0:
		return "the mode of a new file may have only permission bits: leave the others out"
	case op.Kind != OpMove && op.To != "":
		return "only a move has a new path: leave it out, or move the file"
	case op.Kind != OpCreate && op.Kind != OpMove && (op.Overwrite || op.Exclusive):
		return "only a file that is created or moved can replace another: leave overwrite and exclusive out"
	case op.Overwrite && op.Exclusive:
		return "overwrite allows what exclusive forbids: leave one of them out"
	}
	return ""
}

// ForFile returns p with path as the file of every operation that names none. It modifies no argument.
func (p Plan) ForFile(path string) Plan { return fromPlan(p.internal().ForFile(path)) }

// Paths returns the Path and the To of each op, in order and as p spells them, each path once.
func (p Plan) Paths() []string {
	var paths []string
	for _, op := range p.Ops {
		for _, path := range []string{op.Path, op.To} {
			if path != "" && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// Options say how to carry out a plan. A nil *Options is the zero value, which accepts every fit, adds no checks and
// does not format. Several goroutines may share Options as long as nobody modifies them.
type Options struct {
	Loosest Fit     // the loosest fit accepted; 0 means [Drift], the loosest there is; unknown ones are fs.ErrInvalid
	Checks  []Check // asked by [Prepare] for warnings, in addition to its own, and for refusals; see [Report]

	// Partial leaves out the edits that cannot be placed, instead of refusing the plan: see [Report].LeftOut. Each of
	// the others is placed on the file as it then is. After something was left out of a file, later ops that count its
	// lines are left out, too, and so is every later op that deletes, moves or overwrites any file. A plan of which
	// nothing is left is refused. Only Prepare does this; Apply places all edits or none.
	Partial bool

	// Format returns a text as its formatter writes it: in UTF-8, without a byte order mark, whose lines end in "\n".
	// [Prepare] calls it once for each text that the plan edits or creates, after all ops, and puts encoding, mark and
	// line endings back. The outcome is what is checked, shown, approved and committed. The path is that of the file in
	// the store. Several goroutines may call Format at once. Apply does not call it. If Format fails, or its outcome
	// cannot be put back, the file stays as the plan leaves it, with a note; if ctx has ended, Prepare fails.
	Format func(ctx context.Context, path string, text []byte) ([]byte, error)

	// Charset returns the encoding of a text that is not UTF-8, and has neither a byte order mark nor a NUL byte: see
	// [ErrEncoding]. If it is nil, or returns nil, the encoding is unknown. It must neither keep nor modify the data,
	// and several goroutines may call it at once. The path is as in Format, but that of the plan in [Plan.Apply], and
	// "" in [Apply].
	Charset func(path string, data []byte) encoding.Encoding
}

// checked returns *o, or the zero value for nil. Options that mean nothing are a mistake of the program, no [*Refusal].
func (o *Options) checked() (Options, error) {
	if o = cmp.Or(o, &Options{}); o.Loosest < 0 || o.Loosest > Drift {
		return Options{}, fmt.Errorf("atomicedit: Options.Loosest is unknown: %v: %w", o.Loosest, fs.ErrInvalid)
	}
	return *o, nil
}

// A Check is a linter or a parser, for example. It gets a text in UTF-8, or its bytes as they are if the encoding is
// unknown. It returns notes about anything that a careful reader would ask about, and an error if no file may have the
// text. [Prepare] calls it with each text that the plan changes, creates or moves, before and after, and reports the
// notes that are new. An error about the text after refuses the plan: its message should say what to send instead, and
// it is the Err of the [Problem]. A Check must not keep or modify the text, and may be called by several goroutines.
type Check func(path string, text []byte) ([]Note, error)

// A Fit is how well the old text of an edit fits the place where it was found, best first: the loosest class of the
// differences that were ignored there. Every class but Exact leaves a [Note] that names these differences. The zero
// value stands for no fit. In JSON a Fit is its name, and the zero value "".
type Fit int

const (
	Exact       Fit = iota + 1 // ignores nothing except line-ending style
	Spacing                    // ignores space at line ends, and blank lines doubled, missing or at the edges
	Indentation                // ignores indentation
	// ignores typographic characters, Unicode composition, the line numbers of a viewer, and the marks of a patch
	Notation
	Elision // lets a line of "..." stand for omitted lines
	Drift   // ignores a few words of lines that the edit does not change
)

var fitNames = []string{"", "exact", "spacing", "indentation", "notation", "elision", "drift"}

// A Result is a text with edits applied to it. The zero value is an empty text without any.
type Result struct {
	Text    []byte
	Matches []Match
	Notes   []Note // for a careful caller to look at
}

// Offset returns where a byte of the source is in r.Text: for cursors, marks and diagnostics. Both offsets are in
// bytes, from 0. A byte that was replaced or removed is where the text in its place begins, and a byte before which
// text was inserted, or the end of the source, comes after that text. The cost is logarithmic in the matches.
func (r *Result) Offset(old int) int {
	i := sort.Search(len(r.Matches), func(i int) bool { return r.Matches[i].Old.End > old })
	switch {
	case i < len(r.Matches) && r.Matches[i].Old.Start <= old:
		return r.Matches[i].New.Start
	case i > 0:
		return old - r.Matches[i-1].Old.End + r.Matches[i-1].New.End
	}
	return old
}

// A Match is one place that was changed. The matches of a [Result] are sorted and do not overlap: replacing each Old in
// the source by its New in Text gives Text. If consecutive edits touch, their places are merged, and Op and Edit are
// those of the last one. The zero value is not a place.
type Match struct {
	Op   int `json:"op"`   // index in the plan, 0 from [Apply]
	Edit int `json:"edit"` // index in the op, -1 for its Content
	Fit  Fit `json:"fit"`
	// By says what decided the place: "only place", "every place" (of an edit with a Count), "line numbers" (First and
	// Last), "columns" (Range), "end of file" or "anchor"; where the old text is in several places, "closest fit",
	// "section", "line" (Near), "source" (as it was before), "repetition", "head" or "order". It is empty for Content.
	By  string `json:"by,omitempty"`
	Old Span   `json:"old"` // in the source
	New Span   `json:"new"` // in the new text
}

// A Span is a part of a text: the bytes from Start up to End, counted from 0, and the lines that they touch. The zero
// value is the span of an empty text.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
	Line  int `json:"line"`  // of Start, counted from 1
	Lines int `json:"lines"` // 0 for an empty span
}

// A Note tells whoever made the request about a difference that was ignored, a choice that was made by default, or a
// suspicion. The zero value says nothing.
type Note struct {
	Op   int    `json:"op"`             // index in the plan, or -1
	Edit int    `json:"edit"`           // index in the op, or -1
	Line int    `json:"line,omitempty"` // of the new text, counted from 1; 0 if none
	Msg  string `json:"msg"`
}

// String returns the message, with the line in front if there is one.
func (n Note) String() string {
	if n.Line > 0 {
		return fmt.Sprintf("line %d: %s", n.Line, n.Msg)
	}
	return n.Msg
}

func noteOf(msg string) Note { return Note{Op: -1, Edit: -1, Msg: msg} }

// A Range is the piece of a text between two positions, as an editor or a language server names it. Nothing is
// searched: the new text replaces the text of the range, whatever that is, with the line endings of the text. A
// position counts the text as it is shown: decoded, without a byte order mark. A column after the end of its line means
// that end, before the line ending. The line after the last one means the end of the text; a line after that is
// refused, and so is a column within a character, or after bytes of an unknown encoding. A range beyond a lone carriage
// return is [ErrAmbiguous]. The zero value is refused, because lines are counted from 1.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"` // where Start is, to insert
	// what columns count: "utf-16" (code units; "" means the same), "utf-8" (bytes) or "utf-32" (code points)
	Unit string `json:"unit,omitempty"`
}

// A Position is a place between two characters of a text. The zero value is refused, because lines are counted from 1.
type Position struct {
	Line   int `json:"line"`   // from 1
	Column int `json:"column"` // from 0, in the unit of the [Range]
}

// A Tag says what a line of the text has to read, so that an [Edit] is carried out only on the text that it was written
// for. A tag that does not fit is [ErrStale]; the message shows the lines. The zero value is refused: it names no line.
// If Hash is empty, the line has to read Text. Otherwise Hash has two to four letters, such as "QKVR", as [Host].Tagged
// shows them, and Text is compared unless it is empty. Whitespace at the ends of lines does not count. A hash covers
// the neighboring lines too, so it tells apart lines that read the same. docs/reading.md says how it is computed. A
// hash that nothing can verify is [fs.ErrInvalid].
type Tag struct {
	Line int    `json:"line"` // counted from 1, in the text that the op started from
	Hash string `json:"hash,omitempty"`
	Text string `json:"text,omitempty"` // the line, without its ending
}
