package place

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/text"
)

const (
	shownLines  = 12  // the most lines that are shown of a region
	closeEnough = 0.4 // the least similarity of a region that is shown
)

// nearestTo returns the region that is most like the old text of p, nil if none is close, and a message that shows the
// differences. It finds the region by a vote of lines, or else of words, so it never compares everything with everything.
func (x search) nearestTo(p *pattern, effort *effort) (*Region, string) {
	const missing = "the old text is not there"
	s := p.segments[0]
	if len(s.solid) == 0 || len(x.index.starts) == 0 {
		return nil, missing + ": read the file again"
	}
	offset, score, _ := x.index.vote(p)
	if 2*score < float64(len(s.solid)) {
		if o, ok := x.voteByWords(p, effort); ok && x.similarity(p, o) > x.similarity(p, offset) {
			offset = o
		}
	}
	if x.similarity(p, offset) < closeEnough {
		return nil, missing + ", nor is any text close to it: read the file again"
	}
	return x.show(p, offset, missing+"; the closest is at ")
}

// voteByWords finds the places of the longest words of p, and lets each place vote for an offset.
func (x search) voteByWords(p *pattern, effort *effort) (offset int, ok bool) {
	const most, everywhere = 12, 32
	type word struct {
		text string
		rank int
	}
	var words []word
	seen := map[string]bool{}
	for k, i := range p.segments[0].solid {
		for _, t := range text.Tokens(text.Clip(p.keys[i], 1000)) {
			if len(t) >= 3 && !seen[t] {
				seen[t] = true
				words = append(words, word{t, k})
			}
		}
	}
	slices.SortStableFunc(words, func(a, b word) int { return cmp.Compare(len(b.text), len(a.text)) })
	votes := map[int]int{}
	for _, w := range words[:min(len(words), most)] {
		if !effort.allows(1) {
			break
		}
		places := x.v.occurrences(w.text, everywhere+1)
		if len(places) > everywhere {
			continue
		}
		for _, s := range places {
			line, found := slices.BinarySearch(x.index.starts, s.Start)
			if !found {
				line--
			}
			votes[line-w.rank] += len(w.text)
		}
	}
	best := 0
	for o, v := range votes {
		if v > best || v == best && o < offset {
			offset, best, ok = o, v, true
		}
	}
	return offset, ok
}

// A difference is a line of the request, and the line that the nearest text has in its place.
type difference struct {
	old string
	at  text.Line // text.None beyond the ends of the text
}

// differences returns the lines of p that do not fit those of the text one to one from offset on.
func (x search) differences(p *pattern, offset int) (all []difference) {
	for k, i := range p.segments[0].solid {
		l := text.None
		if o := offset + k; o >= 0 && o < len(x.index.starts) {
			l = x.v.LineAt(x.index.starts[o])
		}
		if l.Real() {
			if f := fitOf(p.old[i], p.keys[i], x.v.Bytes(l)); f.within(x.allows & p.allows) {
				continue
			}
		}
		all = append(all, difference{p.old[i], l})
	}
	return all
}

// similarity returns how much of p the text has from offset on, line by line, from 0 to 1.
func (x search) similarity(p *pattern, offset int) float64 {
	solid := p.segments[0].solid
	alike := float64(len(solid))
	for _, d := range x.differences(p, offset) {
		if alike--; d.at.Real() {
			alike += likeness(d.old, string(x.v.Bytes(d.at)))
		}
	}
	return alike / float64(len(solid))
}

// likeness returns how many tokens two lines have in common, in order, from 0 to 1. Only the first 64 tokens count.
func likeness(x, y string) float64 {
	a, b := text.Tokens(fold(text.Clip(x, 1000))), text.Tokens(fold(text.Clip(y, 1000)))
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	if len(a)+len(b) == 0 {
		return 0
	}
	return float64(2*len(linediff.Subsequence(a, b))) / float64(len(a)+len(b))
}

// show returns the region from offset on, and a message. The message begins with a reason, names the lines of the region, and
// shows where p differs from them.
func (x search) show(p *pattern, offset int, reason string) (*Region, string) {
	starts := x.index.starts
	first, last := max(offset, 0), min(offset+len(p.segments[0].solid), len(starts))-1
	start, end := starts[first], x.v.LineAt(starts[last]).Next
	at := x.v.locate([]text.Span{{Start: start, End: end}, {Start: starts[last], End: end}})
	region := &Region{Line: at.lines[0], Text: string(x.v.Data[start:end]), Similarity: x.similarity(p, offset)}

	var msg strings.Builder
	differing := x.differences(p, offset)
	msg.WriteString(reason + LineSpan(region.Line, at.lines[1]-region.Line+1) + afterEdit(at.edit))
	if len(differing) == 1 && differing[0].at.Real() {
		d := differing[0]
		which := "which"
		switch line := x.v.locate([]text.Span{{Start: d.at.Start, End: d.at.End}}); {
		case first < last && line.edit < 0:
			which = fmt.Sprintf("where line %d", line.lines[0])
		case first < last: // an earlier edit may have added lines that have no number
			which = "where a line"
		}
		fmt.Fprintf(&msg, ", %s reads %s, not %s", which, quoteLine(string(x.v.Bytes(d.at))), quoteLine(d.old))
	}
	msg.WriteString(":\n")
	x.showLines(&msg, p, offset, differing, at.edit)
	return region, msg.String()
}

// showLines writes the numbered lines of the text from offset on, and those that differ as a word diff with visible whitespace.
// Edit is the last edit that affected them, -1 if none did.
func (x search) showLines(msg *strings.Builder, p *pattern, offset int, differing []difference, edit int) {
	solid := p.segments[0].solid
	from, to := 0, len(solid)
	if to > shownLines && len(differing) > 0 { // the part around the first difference
		for from < to && p.old[solid[from]] != differing[0].old {
			from++
		}
		from = max(0, min(from-2, to-shownLines))
	}
	to = min(to, from+shownLines)
	asked := map[int]string{}
	for _, d := range differing {
		if d.at.Real() {
			asked[d.at.Start] = d.old
		}
	}
	signs := false
	for k := from; k < to; k++ {
		o := offset + k
		if o < 0 || o >= len(x.index.starts) {
			signs = true
			where := "before the first line"
			if o > 0 {
				where = "after the last line"
			}
			fmt.Fprintf(msg, "> %s| %s\n", where, wordDiff(text.Clip(visible(p.old[solid[k]]), shownBytes), ""))
			continue
		}
		l := x.v.LineAt(x.index.starts[o])
		content := string(x.v.Bytes(l))
		if old, differs := asked[l.Start]; differs {
			signs = true
			old, content = window(visible(old), visible(content))
			fmt.Fprintf(msg, "> %s| %s\n", x.v.label(l), wordDiff(old, content))
		} else {
			fmt.Fprintf(msg, "  %s| %s\n", x.v.label(l), text.Clip(content, shownBytes))
		}
	}
	if signs {
		msg.WriteString("([-only in the request-]{+only in the file" + afterEdit(edit) + "+}; → is a tab, · a space at the start or end of a line)")
	}
}

// visible makes tabs visible, and spaces at both ends of a line.
func visible(l string) string {
	indent, body, trail := text.Parts(l)
	dots := strings.NewReplacer(" ", "·", "\t", "→")
	return dots.Replace(indent) + strings.ReplaceAll(body, "\t", "→") + dots.Replace(trail)
}

// window cuts two long lines to the part around their first difference.
func window(old, new string) (string, string) {
	from := 0
	for from < min(len(old), len(new)) && old[from] == new[from] {
		from++
	}
	if from -= shownBytes / 2; from < shownBytes/2 {
		from = 0
	}
	part := func(s string) string {
		lead := ""
		if from > 0 {
			s, lead = strings.ToValidUTF8(s[from:], ""), "… "
		}
		return lead + text.Clip(s, 2*shownBytes)
	}
	return part(old), part(new)
}

// wordDiff shows the words of two lines: those of the old one alone as [-…-], those of the new one alone as {+…+}.
func wordDiff(old, new string) string {
	a, b := text.Words(old), text.Words(new)
	var s strings.Builder
	i, j := 0, 0
	for _, k := range append(linediff.Subsequence(a, b), linediff.Step{Old: len(a), New: len(b)}) {
		if i < k.Old {
			s.WriteString("[-" + strings.Join(a[i:k.Old], "") + "-]")
		}
		if j < k.New {
			s.WriteString("{+" + strings.Join(b[j:k.New], "") + "+}")
		}
		if k.Old < len(a) {
			s.WriteString(a[k.Old])
		}
		i, j = k.Old+1, k.New+1
	}
	return s.String()
}
