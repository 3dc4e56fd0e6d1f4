package place

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A version is a text in the course of a request: the one at the start, or the result of some edits. It is immutable.
// Facts about it, such as line numbers, are computed on first use.
type version struct {
	text.Text
	words  plan.Words   // for messages
	source *version     // the version at the start of the request; nil if this is it
	done   []text.Match // from source to this version
	edits  []Edit       // of the request, if this is the source

	showing map[string][][2]string // by a folded line, old and new text of edits that show it: two at most that differ

	balance    *balance // of this, if it is the source; nil until it is counted
	numbers    text.Numbers
	starts     []int
	plain      *text.Plain
	typography text.Typography
	phrases    text.Phrases
}

func newVersion(data []byte) version {
	t := text.New(data)
	return version{
		Text: t, numbers: text.Numbers{Text: t}, typography: text.Typography{Text: t}, phrases: text.Phrases{Text: t},
	}
}

func (v *version) origin() *version { return cmp.Or(v.source, v) }

// alike returns the only place of a string with a word, but for notation (N1). It reports false if there is none, or if
// that ends with the ending of a line.
func (v *version) alike(s string) (at text.Span, ok bool) {
	if !text.HasWord(s) { // a few signs may stand anywhere
		return at, false
	}
	if v.plain == nil {
		v.plain = text.PlainOf(v.Text)
	}
	places := v.plain.Occurrences(s, 2)
	if len(places) != 1 || v.LinesAround(places[0]).End < places[0].End {
		return at, false
	}
	return places[0], true
}

// content returns what a line has, "" if there is none. Inlined, it would take 5 KB more of every program.
//
//go:noinline
func (v *version) content(l text.Line) string {
	if !l.Real() {
		return ""
	}
	return string(v.Bytes(l))
}

func (v *version) lineStarts() []int {
	if v.starts == nil {
		v.starts = v.Starts()
	}
	return v.starts
}

// line returns the n-th line of v, "" if there is none.
func (v *version) line(n int) string {
	starts := v.lineStarts()
	if n < 1 || n >= len(starts) {
		return ""
	}
	return string(v.Bytes(v.LineAt(starts[n-1])))
}

// current returns the number that a line of the source has now.
func (v *version) current(n int) int {
	if v.source == nil || n < 1 || n >= len(v.source.lineStarts()) {
		return n
	}
	return v.numbers.At(text.MapOffset(v.source.lineStarts()[n-1], -1, v.done))
}

// unchanged returns where v has a piece of the source, and -1 or an edit that changed it or inserted at its point (J6).
func (v *version) unchanged(piece text.Span) (at, by int) {
	for _, m := range v.done {
		twice := m.Old.Start == piece.End && m.Old.End == piece.Start && piece.Start < len(v.origin().Data)
		if twice || m.Old.Start < piece.End && piece.Start < m.Old.End {
			return 0, m.Edit
		}
	}
	// The bytes after it are unchanged, but those before it may end within a line.
	at = text.MapOffset(piece.Start, -1, v.done)
	if at > 0 && v.Data[at-1] != v.EOL && v.origin().StartsLine(piece.Start) {
		isAbove := func(m text.Match) bool { return m.Old.End == piece.Start }
		if i := slices.IndexFunc(v.done, isAbove); i >= 0 {
			return 0, v.done[i].Edit
		}
	}
	return at, -1
}

// A location names, in a message, the lines where the text has something that an edit asks for.
type location struct {
	pieces []text.Span // of the version that the edit was placed on
	lines  []int       // lines of the source; for text that an edit wrote, the line of the edit
	edit   int         // the last edit that affected these lines, -1 if none did
	after  string      // words for it
}

func (l location) String() string { return plan.ListLines(l.lines) + l.after }

// locate returns the location of some pieces of v, in ascending order.
func (v *version) locate(pieces []text.Span) location {
	source, seen := v.origin(), text.Span{Start: -1, End: -1}
	l := location{pieces: pieces, lines: make([]int, len(pieces)), edit: -1}
	for i, s := range pieces {
		if v != source && (s.Start < seen.Start || s.End > seen.End) { // a long line may have many of the pieces
			seen = v.LinesAround(s)
			l.edit = max(l.edit, v.lastEdit(seen))
		}
		at := min(text.OffsetBefore(s.Start, v.done), len(source.Data)-1) // an addition at the end is at the last line
		l.lines[i] = source.numbers.At(max(0, at))
	}
	if l.edit >= 0 {
		l.after = " after " + v.words.Nth(l.edit)
	}
	return l
}

// lastEdit returns the last edit that affected whole lines of v, which has a source, or -1 if that has the same lines.
func (v *version) lastEdit(lines text.Span) int {
	i := sort.Search(len(v.done), func(i int) bool { return v.done[i].New.End > lines.Start })
	written := i < len(v.done) && v.done[i].New.Start <= lines.Start
	if !written && v.source.HasLines(text.OffsetBefore(lines.Start, v.done), v.Data[lines.Start:lines.End]) {
		return -1
	}
	if i > 0 && v.done[i-1].New.End == lines.Start { // it removed the text before them
		i--
	}
	edit := v.done[min(i, len(v.done)-1)].Edit
	for ; i < len(v.done) && v.done[i].New.Start <= lines.End; i++ {
		edit = max(edit, v.done[i].Edit)
	}
	return edit
}

// isWritten reports whether an edit wrote any of a piece of v.
func (v *version) isWritten(s text.Span) bool {
	return slices.ContainsFunc(v.done, func(m text.Match) bool { return m.New.Start < s.End && s.Start < m.New.End })
}

// lookedAt returns the lines of v that decide how a substring edit with some new text is carried out at a place: above
// and below those of the place, as many that are not blank as the new text has, and one more. If v has several lines,
// an ending is among them: edits elsewhere do not change what ends a line.
func (v *version) lookedAt(place text.Span, new string) text.Span {
	up := v.LineAt(v.LineStart(place.Start))
	down := v.LineAt(v.LineStart(max(place.End-1, place.Start)))
	for n := strings.Count(new, "\n") + 1; n >= 0 && (up.Real() || down.Real()); n-- {
		up, down = v.SolidAbove(up), v.SolidBelow(down)
	}
	at := text.Span{Start: max(0, up.Start), End: len(v.Data)} // up may be None
	if down.Real() {
		at.End = down.Next
	}
	return at
}

// note returns a note on an edit, and on the line at an offset of v, -1 if it is about none.
//
//go:noinline
func (v *version) note(edit, at int, format string, args ...any) Note {
	return Note{Edit: edit, Msg: v.words.Say(format, args...), At: at}
}

func (v *version) show(l text.Line) Line {
	at := v.locate([]text.Span{{Start: l.Start, End: l.End}})
	return Line{Number: at.lines[0], Edit: at.edit, Text: string(v.Bytes(l))}
}

// shownLines is the most lines that a message shows of a piece.
const shownLines = 12

// shown returns the first lines of a piece of v, for a message.
func (v *version) shown(piece text.Span) (lines []Line) {
	for l := v.LineAt(piece.Start); l.Real() && l.Start < piece.End && len(lines) < shownLines; l = v.Below(l) {
		lines = append(lines, v.show(l))
	}
	return lines
}

// sourceLine returns the number of the source's line at an offset of v, for messages.
//
//go:noinline
func (v *version) sourceLine(at int) int { return v.locate([]text.Span{{Start: at, End: at}}).lines[0] }
