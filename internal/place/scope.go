package place

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// follow returns the scopes that one or more anchors lead to, each within those before. Edits often share anchors.
func (x search) follow(anchors []string) anchorScopes {
	led := &x.meter.led
	if slices.Equal(anchors, led.anchors) {
		return *led
	}
	*led = anchorScopes{anchors: anchors}
	found := []text.Span{{Start: 0, End: len(x.v.Data)}}
	for i, a := range anchors {
		a = strings.Trim(a, text.Space)
		var whole bool
		if found, whole = x.headedBy(a, found, i > 0); len(found) != 1 && !whole {
			if led.missing = a; i < len(anchors)-1 {
				return *led
			}
		}
	}
	led.scopes = found
	return *led
}

// headedBy returns the scopes of the lines within other scopes that equal the anchor or, if there are none, of those
// that contain it; none if there are too many. With below, the first line of each outer scope does not count.
func (x search) headedBy(anchor string, within []text.Span, below bool) (found []text.Span, whole bool) {
	if x.index != nil {
		found, whole = x.heads(anchor, within, below, x.nextEqual)
	}
	if len(found) == 0 {
		found, whole = x.heads(anchor, within, below, x.nextContaining)
	}
	if !whole && len(found) > manyPlaces {
		return nil, false
	}
	most := x.limit() // each scope may have all lines below it
	for i := range found {
		above, s := found[max(i-1, 0)], &found[i]
		head := x.v.LineAt(s.Start)
		if s.Start < above.End && outline.EndAlike(x.v.Text, x.v.LineAt(above.Start), head) {
			s.End = above.End
			continue
		}
		s.End = outline.ScopeEnd(x.v.Text, head)
		if most -= bytes.Count(x.v.Data[s.Start:s.End], []byte{x.v.EOL}); most < 0 {
			return nil, false
		}
	}
	return found, whole
}

// heads returns the starts of the scopes that an anchor heads, among the lines that next finds. Whole reports that
// these equal the anchor, and do not just contain it.
func (x search) heads(anchor string, within []text.Span, below bool,
	next func(anchor string, from, to int) text.Line) (found []text.Span, whole bool) {
	at := 0
	for _, s := range within {
		if at = max(at, s.Start); below {
			at = max(at, x.v.LineAt(s.Start).Next)
		}
		for at < s.End {
			l := next(anchor, at, s.End)
			if !l.Real() {
				at = s.End // which many scopes may have
				break
			}
			at = l.Next
			start, end := text.Trimmed(x.v.Bytes(l))
			if is := end-start == len(anchor); is && !whole {
				whole, found = true, nil
			} else if is != whole {
				continue
			}
			found = append(found, text.Span{Start: l.Start, End: -1})
		}
	}
	return found, whole
}

// nextContaining returns the first line between two offsets that contains the anchor.
func (x search) nextContaining(anchor string, from, to int) text.Line {
	i := bytes.Index(x.v.Data[from:to], []byte(anchor))
	if i < 0 {
		return text.None
	}
	return x.v.LineAt(x.v.LineStart(from + i))
}

// nextEqual returns the first line between two offsets that equals the anchor.
func (x search) nextEqual(anchor string, from, to int) text.Line {
	lines, starts := x.index.Lines(text.Fold(anchor)), x.index.Starts
	k := sort.Search(len(lines), func(k int) bool { return starts[lines[k]] >= from })
	for ; k < len(lines) && starts[lines[k]] < to; k++ {
		l := x.v.LineAt(starts[lines[k]])
		if start, end := text.Trimmed(x.v.Bytes(l)); string(x.v.Bytes(l)[start:end]) == anchor {
			return l
		}
	}
	return text.None
}

// within returns the candidates that lie in the given scopes, of which there is at least one.
func (x search) within(scopes []text.Span, all []candidate) (kept []candidate) {
	end := 0
	for _, s := range scopes { // they are in order; one that lies in an earlier one adds nothing
		if s.End > end {
			kept = append(kept, between(all, max(s.Start, end), s.End)...)
			end = s.End
		}
	}
	if len(kept) == 0 && !slices.ContainsFunc(scopes, x.hasBody) { // so the edit is below them
		kept = between(all, scopes[0].Start, len(x.v.Data)+1)
	}
	return kept
}

func (x search) hasBody(s text.Span) bool {
	return !text.IsBlankText(x.v.Data[x.v.LineAt(s.Start).Next:s.End])
}

// isRightBelow reports whether a candidate is right below the line of the anchor, which heads nothing: it is context.
func (x search) isRightBelow(scopes []text.Span, c candidate) bool {
	return len(scopes) == 1 && !x.hasBody(scopes[0]) &&
		x.v.SolidAbove(x.v.LineAt(x.v.LineStart(c.Start))).Start == scopes[0].Start
}

// isBeyond reports whether the only candidate of an edit shows the line of its anchor, or is below the scope of that
// and shows a line that ends it: then the anchor is a line from above the change, not the head of a scope that has it
// (J3).
func (x search) isBeyond(scopes []text.Span, w *judged) bool {
	if len(scopes) > 1 || w.reading == nil {
		return false
	}
	head := x.v.LineAt(scopes[0].Start)
	return slices.ContainsFunc(w.at(0).lines(x.v.Text), func(l text.Line) bool {
		return l.Real() && (l.Start == head.Start ||
			l.Start >= scopes[0].End && outline.EndsScopeOf(x.v.Text, head, x.v.Bytes(l)))
	})
}

// between returns the candidates whose start is at least start and less than end.
func between(all []candidate, start, end int) []candidate {
	first := func(at int) int { return sort.Search(len(all), func(k int) bool { return all[k].Start >= at }) }
	return all[first(start):first(end)]
}

// inSection returns the candidates that the section of a hunk header supports: the nearest line above them that begins
// with the same word, and no deeper, begins with the section (J4). There are none if it has too many lines to look at.
func (x search) inSection(w *judged) (kept []candidate) {
	section := []byte(w.e.Section)
	word, _, _ := bytes.Cut(section, []byte(" "))
	limit := x.limit()
	heads, depth := false, 0
	for rest, at := w.candidates, 0; at < len(x.v.Data) && len(rest) > 0; {
		if x.meter.spent++; x.meter.spent > limit {
			w.tooMany = true
			return nil
		}
		l := x.v.LineAt(at)
		if at = l.Next; rest[0].Start == l.Start {
			if heads {
				kept = append(kept, rest[0])
			}
			rest = rest[1:]
		}
		body := bytes.TrimLeft(x.v.Bytes(l), text.Space)
		is := bytes.HasPrefix(body, section)
		if rest, ok := bytes.CutPrefix(body, word); ok && (len(rest) == 0 || !text.InWord(rest[0])) &&
			(is || l.End-l.Start-len(body) <= depth) {
			heads, depth = is, l.End-l.Start-len(body)
		}
	}
	return kept
}
