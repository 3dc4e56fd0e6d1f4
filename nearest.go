package atomicedit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	shownLines  = 12  // of a region
	shownBytes  = 160 // of a line
	closeEnough = 0.4 // the similarity from which a region is shown
)

// closest returns the text that is most like the old text of p, if any is close, and a message that shows where it
// differs. It is found by a vote of lines, or else of words: never by comparing everything with everything.
func (b *builder) closest(p *passage) (*Region, string) {
	const missing = "the old text is not there"
	s := p.segments[0]
	if len(s.solid) == 0 || len(b.starts) == 0 {
		return nil, missing
	}
	offset, score, _ := b.vote(p)
	if 2*score < float64(len(s.solid)) {
		if o, ok := b.voteByWords(p); ok && b.similarity(p, o) > b.similarity(p, offset) {
			offset = o
		}
	}
	if b.similarity(p, offset) < closeEnough {
		return nil, missing + ", nor any text close to it: read the file again"
	}
	return b.shown(p, offset, missing+"; the closest is at ")
}

// shown returns the text from offset on, and a message that begins with a reason, names its lines, and shows where p
// differs from them.
func (b *builder) shown(p *passage, offset int, reason string) (*Region, string) {
	first, last := max(offset, 0), min(offset+len(p.segments[0].solid), len(b.starts))-1
	start, end := b.starts[first], b.lineAt(b.starts[last]).next
	at := b.found([]stretch{{start, end}, {b.starts[last], end}})
	region := &Region{Line: at.lines[0], Text: string(b.data[start:end]), Similarity: b.similarity(p, offset)}

	var msg strings.Builder
	differing := b.differing(p, offset)
	msg.WriteString(reason + lineSpan(region.Line, at.lines[1]-region.Line+1) + afterEdit(at.edit))
	if len(differing) == 1 && differing[0].at.real() {
		d := differing[0]
		which := "which"
		switch line := b.found([]stretch{{d.at.start, d.at.end}}); {
		case first < last && line.edit < 0:
			which = fmt.Sprintf("where line %d", line.lines[0])
		case first < last: // where an edit stands, there may be more lines than in the file
			which = "where a line"
		}
		fmt.Fprintf(&msg, ", %s reads %s, not %s", which, quoteLine(string(b.bytes(d.at))), quoteLine(d.old))
	}
	msg.WriteString(":\n")
	b.show(&msg, p, offset, differing, at.edit)
	return region, msg.String()
}

// A difference is a line of the request, and the line that the nearest text has in its place.
type difference struct {
	old string
	at  line // none where the text has ended
}

// differing returns the lines of p that do not fit those of the text one to one from offset on.
func (b *builder) differing(p *passage, offset int) (all []difference) {
	for k, i := range p.segments[0].solid {
		l := none
		if o := offset + k; o >= 0 && o < len(b.starts) {
			l = b.lineAt(b.starts[o])
		}
		if l.real() {
			if f := lineFit(p.old[i], p.keys[i], b.bytes(l)); f != 0 && f <= min(b.loosest, p.loosest) {
				continue
			}
		}
		all = append(all, difference{p.old[i], l})
	}
	return all
}

// similarity is how much of p the text has from offset on, line by line.
func (b *builder) similarity(p *passage, offset int) float64 {
	solid := p.segments[0].solid
	alike := float64(len(solid))
	for _, d := range b.differing(p, offset) {
		if alike--; d.at.real() {
			alike += likeness(d.old, string(b.bytes(d.at)))
		}
	}
	return alike / float64(len(solid))
}

// likeness is how many tokens two lines have in common, in order; those beyond the 64th do not count.
func likeness(x, y string) float64 {
	a, b := tokens(fold(clip(x, 1000))), tokens(fold(clip(y, 1000)))
	a, b = a[:min(len(a), 64)], b[:min(len(b), 64)]
	if len(a)+len(b) == 0 {
		return 0
	}
	return float64(2*len(subsequence(a, b))) / float64(len(a)+len(b))
}

// voteByWords finds where the longest words of p stand, and lets each place vote for an offset.
func (b *builder) voteByWords(p *passage) (offset int, ok bool) {
	const most, everywhere = 12, 32
	type word struct {
		text string
		rank int
	}
	var words []word
	seen := map[string]bool{}
	for k, i := range p.segments[0].solid {
		for _, t := range tokens(clip(p.keys[i], 1000)) {
			if len(t) >= 3 && !seen[t] {
				seen[t] = true
				words = append(words, word{t, k})
			}
		}
	}
	slices.SortStableFunc(words, func(a, b word) int { return cmp.Compare(len(b.text), len(a.text)) })
	votes := map[int]int{}
	for _, w := range words[:min(len(words), most)] {
		if !b.maySearch(1) {
			break
		}
		places := b.occurrences(w.text, everywhere+1, false)
		if len(places) > everywhere {
			continue
		}
		for _, s := range places {
			line, found := slices.BinarySearch(b.starts, s.start)
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

// show writes the lines of the text from offset on, numbered; those that differ as a word diff, their white space visible.
// edit is the last that had to do with them, -1 if none.
func (b *builder) show(msg *strings.Builder, p *passage, offset int, differing []difference, edit int) {
	solid := p.segments[0].solid
	from, to := 0, len(solid)
	if to > shownLines && len(differing) > 0 { // the part around the first difference
		for from < to && p.old[solid[from]] != differing[0].old {
			from++
		}
		from = max(0, min(from-2, to-shownLines))
	}
	to = min(to, from+shownLines)
	shown := map[int]string{}
	for _, d := range differing {
		if d.at.real() {
			shown[d.at.start] = d.old
		}
	}
	signs := false
	for k := from; k < to; k++ {
		o := offset + k
		if o < 0 || o >= len(b.starts) {
			signs = true
			where := "before the first line"
			if o > 0 {
				where = "after the last line"
			}
			fmt.Fprintf(msg, "> %s| %s\n", where, wordDiff(clip(visible(p.old[solid[k]]), shownBytes), ""))
			continue
		}
		l := b.lineAt(b.starts[o])
		content := string(b.bytes(l))
		if old, differs := shown[l.start]; differs {
			signs = true
			old, content = window(visible(old), visible(content))
			fmt.Fprintf(msg, "> %s| %s\n", b.label(l), wordDiff(old, content))
		} else {
			fmt.Fprintf(msg, "  %s| %s\n", b.label(l), clip(content, shownBytes))
		}
	}
	if signs {
		msg.WriteString("([-only in the request-]{+only in the file" + afterEdit(edit) + "+}; → is a tab, · a space at the start or end of a line)")
	}
}

// visible shows tabs, and spaces at the ends of a line.
func visible(l string) string {
	indent, body, trail := cut(l)
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
		return lead + clip(s, 2*shownBytes)
	}
	return part(old), part(new)
}

// wordDiff shows what words two lines have, the old ones as [-…-], the new ones as {+…+}.
func wordDiff(old, new string) string {
	a, b := words(old), words(new)
	var s strings.Builder
	i, j := 0, 0
	for _, k := range append(subsequence(a, b), step{len(a), len(b)}) {
		if i < k.old {
			s.WriteString("[-" + strings.Join(a[i:k.old], "") + "-]")
		}
		if j < k.new {
			s.WriteString("{+" + strings.Join(b[j:k.new], "") + "+}")
		}
		if k.old < len(a) {
			s.WriteString(a[k.old])
		}
		i, j = k.old+1, k.new+1
	}
	return s.String()
}

// words splits a line into words, runs of space, and single other characters, so that joined they are the line.
func words(s string) (all []string) {
	kind := func(r rune) int {
		switch {
		case isLetterOrDigit(r) || r == '_':
			return 1
		case r == ' ' || r == '·' || r == '→':
			return 2
		}
		return 0
	}
	start, last := 0, -1
	for i, r := range s {
		if k := kind(r); i > start && (k == 0 || k != last) {
			all, start = append(all, s[start:i]), i
		}
		last = kind(r)
	}
	if start < len(s) {
		all = append(all, s[start:])
	}
	return all
}

func quoteLine(l string) string { return strconv.Quote(clip(l, shownBytes)) }

func lineSpan(first, n int) string {
	if n <= 1 {
		return fmt.Sprintf("line %d", first)
	}
	return fmt.Sprintf("lines %d to %d", first, first+n-1)
}
