package place

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// replace appends the splices that replace the removed lines with the added ones, as far as they differ. Each has the edit and
// fit of like. Gap reports whether blank lines between the removed lines are removed too (W1).
func replace(t text.Text, splices []splice, like splice, removed []text.Line, added []string) (all []splice, gap bool) {
	put := func(start, end int, new string) []splice {
		return append(splices, splice{start, end, new, like.edit, like.fit, like.by})
	}
	if len(removed) == len(added) { // blank lines between them that the request did not show stay (W1)
		for i, l := range removed {
			if string(t.Bytes(l)) != added[i] {
				splices = put(l.Start, l.Next, terminate(t, added[i:i+1], removed[i:i+1], 0))
			}
		}
		return splices, false
	}
	point := removed[0].Start
	for len(removed) > 0 && len(added) > 0 && string(t.Bytes(removed[0])) == added[0] {
		point, removed, added = removed[0].Next, removed[1:], added[1:]
	}
	for len(removed) > 0 && len(added) > 0 && string(t.Bytes(removed[len(removed)-1])) == added[len(added)-1] {
		removed, added = removed[:len(removed)-1], added[:len(added)-1]
	}
	if len(removed) == 0 {
		return put(point, point, terminate(t, added, nil, point)), false
	}
	for i, l := range removed[1:] {
		gap = gap || removed[i].Next != l.Start
	}
	return put(removed[0].Start, removed[len(removed)-1].Next, terminate(t, added, removed, removed[0].Start)), gap
}

// terminate gives each added line an ending: that of the removed line that it replaces, else of the line before the insertion
// point, else of the line after it (F1).
func terminate(t text.Text, added []string, removed []text.Line, point int) string {
	size := 0
	for _, n := range added {
		size += len(n) + len("\r\n")
	}
	var s strings.Builder
	s.Grow(size)
	for k, n := range added {
		s.WriteString(n)
		switch {
		case len(removed) > 0:
			s.WriteString(t.EndingLike(removed[min(k, len(removed)-1)]))
		case point > 0:
			s.WriteString(t.EndingLike(t.LineBefore(point)))
		default:
			s.WriteString(t.EndingLike(t.LineAt(0)))
		}
	}
	return s.String()
}

// finalNewline has the "\ No newline at end of file" marks of patches.
type finalNewline struct {
	without, with bool // without: the new text is marked; with: only the old text is, so the new one has a newline
	edit          int  // the last edit with a mark
}

// endText adjusts the splices so that the text ends as it did, with or without a newline, or as the marks of a patch ask (F1).
// The splices are sorted, and every new line in them has an ending.
func endText(t text.Text, splices []splice, marked finalNewline) []splice {
	n := len(t.Data)
	ended := t.Terminated() && !marked.without || marked.with
	splices = joinAtEnd(t, splices)
	var last *splice
	if len(splices) > 0 && splices[len(splices)-1].end == n {
		last = &splices[len(splices)-1]
	}
	switch {
	case last == nil && ended == t.Terminated() || n == 0 && !marked.without:
	case last == nil && ended:
		return append(splices, splice{start: n, end: n, new: t.EndingLike(t.LineBefore(n)), edit: marked.edit, fit: Exact, by: endOfFile})
	case last == nil:
		return append(splices, splice{start: t.LineBefore(n).End, end: n, edit: marked.edit, fit: Exact, by: endOfFile})
	case last.new == "":
		if !ended && last.start > 0 {
			last.start = t.LineBefore(last.start).End
		}
	default:
		if last.start == n && n > 0 && !t.Terminated() {
			last.new = t.EndingLike(t.LineBefore(n)) + last.new
		}
		if !ended {
			last.new = strings.TrimSuffix(strings.TrimSuffix(last.new, string(t.EOL)), "\r")
		}
	}
	return splices
}

// joinAtEnd merges the splices that touch at the end of a text whose last line has no ending.
func joinAtEnd(t text.Text, splices []splice) []splice {
	n := len(t.Data)
	for len(splices) > 1 && splices[len(splices)-1].end == n && splices[len(splices)-2].end == splices[len(splices)-1].start && !t.Terminated() {
		last := splices[len(splices)-1]
		splices = splices[:len(splices)-1]
		p := &splices[len(splices)-1]
		p.end, p.new, p.edit, p.fit, p.by = last.end, p.new+last.new, last.edit, max(p.fit, last.fit), last.by
	}
	return splices
}

// marks reports which sides of a patch are marked as having no final newline.
func marks(hunk string) (old, new bool) {
	for i, c := range []byte(hunk) {
		if c == '\\' && i > 0 {
			old = old || hunk[i-1] != '+'
			new = new || hunk[i-1] != '-'
		}
	}
	return old, new
}
