package atomicedit

import (
	"bytes"
	"sort"
	"strconv"
	"strings"
)

// A finding is where something stands that an edit asks for, as messages say it.
type finding struct {
	now   []int // lines of the text that the edit was placed on
	lines []int // those of the text that the request started from; where an edit wrote them, those where it stands
	edit  int   // the last of the edits that had to do with them, -1 if none: the text began with them as they are
}

// String names the lines.
func (f finding) String() string { return listLines(f.lines) + afterEdit(f.edit) }

// afterEdit says of lines that an edit had to do with them, "" if none.
func afterEdit(edit int) string {
	if edit < 0 {
		return ""
	}
	return " after edit " + strconv.Itoa(edit+1)
}

// found says where ascending pieces of a text stand.
func (t *text) found(pieces []stretch) finding {
	offsets := make([]int, len(pieces))
	for i, s := range pieces {
		offsets[i] = s.start
	}
	f := finding{now: t.lineNumbers(offsets), edit: -1}
	source := t
	if t.began != nil {
		source = t.began
	}
	seen := stretch{-1, -1}
	for i, s := range pieces {
		if t.began != nil && (s.start < seen.start || s.end > seen.end) { // a line may be long, and have many of them
			seen = t.wholeLines(s)
			f.edit = max(f.edit, t.changed(seen))
		}
		offsets[i] = max(0, min(t.back(s.start), len(source.data)-1)) // what is added at the end stands at the last line
	}
	f.lines = source.lineNumbers(offsets)
	return f
}

// back returns where the byte at an offset was in the text that the request started from, or where the edit stands that
// wrote it.
func (t *text) back(at int) int {
	i := sort.Search(len(t.since), func(i int) bool { return t.since[i].New.End > at })
	switch {
	case i < len(t.since) && t.since[i].New.Start <= at:
		return t.since[i].Old.Start
	case i > 0:
		return at - t.since[i-1].New.End + t.since[i-1].Old.End
	}
	return at
}

// wholeLines returns the lines that a piece lies in, without the ending of the last.
func (t *text) wholeLines(s stretch) stretch {
	return stretch{t.lineStart(s.start), t.lineAt(t.lineStart(max(s.start, s.end-1))).end}
}

// changed returns the last of the edits that had to do with some whole lines, -1 if the text began with them as they are.
func (t *text) changed(lines stretch) int {
	i := sort.Search(len(t.since), func(i int) bool { return t.since[i].New.End > lines.start })
	written := i < len(t.since) && t.since[i].New.Start <= lines.start
	if !written && t.began.hasLines(t.back(lines.start), t.data[lines.start:lines.end]) {
		return -1
	}
	if i > 0 && t.since[i-1].New.End == lines.start { // it took what stood before them
		i--
	}
	edit := t.since[min(i, len(t.since)-1)].Edit
	for ; i < len(t.since) && t.since[i].New.Start <= lines.end; i++ {
		edit = max(edit, t.since[i].Edit)
	}
	return edit
}

// hasLines reports whether what is at an offset is some whole lines, without the ending of the last.
func (t *text) hasLines(at int, lines []byte) bool {
	end := at + len(lines)
	return t.startsLine(at) && bytes.HasPrefix(t.data[at:], lines) && t.lineAt(t.lineStart(end)).end == end
}

// label names a line in front of what it reads.
func (t *text) label(l line) string {
	f := t.found([]stretch{{l.start, l.end}})
	if f.edit < 0 {
		return strconv.Itoa(f.lines[0])
	}
	return strings.TrimLeft(afterEdit(f.edit), " ")
}

// sourceLine returns the number of the line at an offset for messages: in the text that the request started from.
func (t *text) sourceLine(at int) int { return t.found([]stretch{{at, at}}).lines[0] }

// finding says where a passage, or a string, has its places.
func (x *index) finding(p *passage, places []place) finding {
	if len(x.since) == 0 {
		lines := x.linesOf(places)
		return finding{lines, lines, -1}
	}
	if n := len(places); n > 0 && n == len(x.placed) && &places[0] == &x.placed[0] { // edits share places
		return x.told
	}
	pieces := make([]stretch, len(places))
	for i, at := range places {
		pieces[i] = stretch{at.start, x.end(fit{p, at})}
	}
	x.placed, x.told = places, x.found(pieces)
	return x.told
}

// whole returns the piece that a fit lies in.
func (x *index) whole(f fit) stretch { return stretch{x.top(f), x.end(f)} }
