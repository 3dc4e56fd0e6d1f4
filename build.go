package atomicedit

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A builder makes splices of the edits of a request that have been placed; what their matched lines teach is shared.
type builder struct {
	index
	wants   []want
	lexicon lexicon
	used    map[family]bool // by the text; see uses
	taught  *style          // see style
	own     indenter        // of the edit at work
	notes   []placedNote
}

// A placedNote is a note on an edit, about the line at an offset of the text, -1 if about none.
type placedNote struct {
	edit, at int

	msg string
}

func (b *builder) note(edit, at int, format string, args ...any) {
	b.notes = append(b.notes, placedNote{edit, at, fmt.Sprintf(format, args...)})
}

// build returns the splices that carry out a placed edit, or why there are none that can be relied on.
func (b *builder) build(f fit) ([]splice, *Problem) {
	at := b.lines(f)
	b.own.observe(b, f, at)
	var splices []splice
	for _, g := range joined(f.p, at) {
		if p := b.overlooked(f, g, at); p != nil {
			return nil, p
		}
		if done, p := b.onlyBlank(f, g, at); p != nil {
			return nil, p
		} else if done {
			continue
		}
		var removed []line
		for _, l := range at[g.oldFrom:g.oldTo] {
			if l.real() {
				removed = append(removed, l)
			}
		}
		g = b.real(f, g, at)
		added := make([]string, 0, g.newTo-g.newFrom)
		for j := g.newFrom; j < g.newTo; j++ {
			n, p := b.content(f, g, j, at)
			if p != nil {
				return nil, p
			}
			added = append(added, n)
		}
		switch {
		case len(removed) > 0:
			splices = b.replace(splices, f, removed, added)
		case len(added) > 0:
			point := b.insertionPoint(f, g, at, added)
			splices = append(splices, splice{point, point, b.terminate(added, nil, point), f.p.edit, f.class})
		}
	}
	return mergeTouching(splices), nil
}

// joined makes one of groups with nothing between them but blank lines that the text lacks: between added lines, those are
// lines to be added, whose sign was forgotten (PLACING P2).
func joined(p *passage, at []line) []group {
	groups := p.groups
	apart := func(k int) bool {
		above, g := groups[k-1], groups[k]
		for i := above.oldTo; i < g.oldFrom; i++ {
			if at[i].real() || !isBlank(p.old[i]) {
				return true
			}
		}
		return above.newFrom == above.newTo || g.newFrom == g.newTo
	}
	k := 1
	for k < len(groups) && apart(k) {
		k++
	}
	if k >= len(groups) {
		return groups
	}
	all := slices.Clone(groups[:k])
	for ; k < len(groups); k++ {
		if last := &all[len(all)-1]; apart(k) {
			all = append(all, groups[k])
		} else {
			last.oldTo, last.newTo = groups[k].oldTo, groups[k].newTo
		}
	}
	return all
}

// real returns the group without the blank lines at its ends that the text lacks, where they are put back in again.
func (b *builder) real(f fit, g group, at []line) group {
	for g.oldTo > g.oldFrom && g.newTo > g.newFrom && !at[g.oldTo-1].real() && isBlank(f.p.new[g.newTo-1]) {
		g.oldTo, g.newTo = g.oldTo-1, g.newTo-1
	}
	for g.oldTo > g.oldFrom && g.newTo > g.newFrom && !at[g.oldFrom].real() && isBlank(f.p.new[g.newFrom]) {
		g.oldFrom, g.newFrom = g.oldFrom+1, g.newFrom+1
	}
	return g
}

// overlooked refuses a group whose very difference the fit would overlook (PLACING A5).
func (b *builder) overlooked(f fit, g group, at []line) *Problem {
	if f.class == Exact {
		return nil
	}
	same := map[string][]int{} // the removed lines by what is left when notation and outer space are overlooked
	for i := g.oldFrom; i < g.oldTo; i++ {
		if f.p.keys[i] != "" && at[i].real() {
			same[f.p.keys[i]] = append(same[f.p.keys[i]], i)
		}
	}
	for j := g.newFrom; j < g.newTo; j++ {
		n := f.p.new[j]
		key := fold(n)
		for _, i := range same[key][:min(len(same[key]), 16)] {
			o, content := f.p.old[i], b.bytes(at[i])
			worst := Drift
			oi, ot, os := cut(o)
			ni, nt, ns := cut(n)
			switch {
			case ot != nt:
				worst = Indentation
			case oi == ni && os != ns:
				worst = Exact
			}
			if lineFit(o, key, content) > worst && string(content) != n {
				return &Problem{Err: ErrNotFound, Msg: fmt.Sprintf("the edit changes only white space or typographic signs in %q, "+
					"but line %d of the text reads %q: copy that line exactly", o, b.sourceLine(at[i].start), content)}
			}
		}
	}
	return nil
}

// onlyBlank looks at a group that changes nothing but the number of blank lines between two others: it is done if the
// text has as many as the request wants, and refused if it does not have as many as the request shows (PLACING A5).
func (b *builder) onlyBlank(f fit, g group, at []line) (done bool, p *Problem) {
	for i := g.oldFrom; i < g.oldTo; i++ {
		if f.p.keys[i] != "" {
			return false, nil
		}
	}
	for j := g.newFrom; j < g.newTo; j++ {
		if !isBlank(f.p.new[j]) {
			return false, nil
		}
	}
	upper, lower := b.neighbours(f, g, at)
	if !upper.real() || !lower.real() {
		return false, nil // at an edge, blank lines that the text lacks do nothing
	}
	here, shown := 0, 0
	for l := b.lineAt(upper.next); l.start < lower.start; l = b.lineAt(l.next) {
		here++
	}
	for i := g.oldFrom - 1; i >= 0 && f.p.keys[i] == ""; i-- {
		shown++
	}
	for i := g.oldFrom; i < len(f.p.old) && f.p.keys[i] == ""; i++ {
		shown++
	}
	if here == shown {
		return false, nil
	}
	if here == shown-(g.oldTo-g.oldFrom)+g.newTo-g.newFrom {
		return true, nil
	}
	return false, &Problem{Err: ErrNotFound, Msg: fmt.Sprintf("the edit changes only blank lines, but after line %d the text has %d of them, not %d: show all of them",
		b.sourceLine(upper.start), here, shown)}
}

// content returns the line that the j-th new line of a group becomes in the text.
func (b *builder) content(f fit, g group, j int, at []line) (string, *Problem) {
	n := f.p.new[j]
	if n == "" {
		return "", nil
	}
	indent, body, trail := cut(n)
	twin := -1
	if f.class > Exact || !isASCII(n) { // else the text's own wording is the request's
		twin = f.p.twin(g, j, at)
	}
	if twin >= 0 && lineFit(f.p.old[twin], f.p.keys[twin], b.bytes(at[twin])) != 0 { // A4: the text's own wording
		_, own, ownTrail := cut(string(b.bytes(at[twin])))
		body = own
		if _, _, was := cut(f.p.old[twin]); was == trail {
			trail = ownTrail
		}
	} else {
		var unknown family
		if body, unknown = b.lexicon.translate(body); unknown != 0 && !b.uses(unknown) {
			b.note(f.p.edit, -1, "%s went in as requested, though the text has none", unknown)
		}
		if o, own, ok := b.counterpart(f, g, j, at); ok {
			body = respell(body, o, own)
		}
	}
	shifted, ok := b.own.shift(indent, g, j)
	switch {
	case ok && shifted != indent && b.own.mayBeOwn(g): // I7, or lines moved to another depth
		return "", &Problem{Err: ErrNotFound, Msg: fmt.Sprintf("the old text fits at line %d only with another indentation, and the new lines may have the "+
			"text's already: write both with the indentation that the text has", b.sourceLine(f.start))}
	case ok:
	case body == "":
		shifted = indent
	case b.own.ownTerms(): // I7
		return n, nil
	default:
		return "", &Problem{Err: ErrNotFound, Msg: fmt.Sprintf("the old text fits at line %d only with another indentation, and how far to indent "+
			"the new line %q cannot be told: write old and new text with the indentation that the text has", b.sourceLine(f.start), n)}
	}
	if _, asked, space := cut(n); shifted == indent && body == asked && trail == space {
		return n, nil
	}
	return shifted + body + trail, nil
}

// counterpart returns the old line that the j-th new line takes the place of, and what stands there in the text, if that
// differs from it in notation.
func (b *builder) counterpart(f fit, g group, j int, at []line) (old, own string, ok bool) {
	i := g.oldFrom + j - g.newFrom
	if f.class < Notation || g.oldTo-g.oldFrom != g.newTo-g.newFrom || !at[i].real() {
		return "", "", false
	}
	_, old, _ = cut(f.p.old[i])
	_, own, _ = cut(string(b.bytes(at[i])))
	return old, own, old != own && lineFit(f.p.old[i], f.p.keys[i], b.bytes(at[i])) == Notation
}

// twin returns the old line that the j-th new line is a copy of but for white space around it, -1 if there is none: the
// one in its place, or else in its group, or else the first.
func (p *passage) twin(g group, j int, at []line) int {
	if p.byText == nil {
		p.byText = map[string][]int{}
		for i, o := range p.old {
			_, body, _ := cut(o)
			p.byText[body] = append(p.byText[body], i)
		}
	}
	_, body, _ := cut(p.new[j])
	twin, best := -1, 3
	for _, i := range p.byText[body] {
		rank := 2
		switch {
		case !at[i].real():
			continue
		case i == g.oldFrom+j-g.newFrom && i < g.oldTo:
			rank = 0
		case g.oldFrom <= i && i < g.oldTo:
			rank = 1
		}
		if rank < best {
			twin, best = i, rank
		}
	}
	return twin
}

// uses reports whether the text has a sign of the family anywhere.
func (b *builder) uses(f family) bool {
	if b.used == nil {
		b.used = map[family]bool{}
		for _, r := range string(b.data) {
			if r >= utf8.RuneSelf {
				b.used[familyOf(r)] = true
			}
		}
	}
	return b.used[f]
}

// replace adds the splices that put added lines in the place of removed ones, as far as they differ.
func (b *builder) replace(splices []splice, f fit, removed []line, added []string) []splice {
	put := func(start, end int, new string) {
		splices = append(splices, splice{start, end, new, f.p.edit, f.class})
	}
	if len(removed) == len(added) { // blank lines between them that the request did not show stay (W2)
		for i, l := range removed {
			if string(b.bytes(l)) != added[i] {
				put(l.start, l.next, b.terminate(added[i:i+1], removed[i:i+1], 0))
			}
		}
		return splices
	}
	point := removed[0].start
	for len(removed) > 0 && len(added) > 0 && string(b.bytes(removed[0])) == added[0] {
		point, removed, added = removed[0].next, removed[1:], added[1:]
	}
	for len(removed) > 0 && len(added) > 0 && string(b.bytes(removed[len(removed)-1])) == added[len(added)-1] {
		removed, added = removed[:len(removed)-1], added[:len(added)-1]
	}
	if len(removed) == 0 {
		put(point, point, b.terminate(added, nil, point))
		return splices
	}
	for i, l := range removed[1:] {
		if removed[i].next != l.start {
			b.note(f.p.edit, removed[0].start, "blank lines between the removed ones, which the request did not show, were removed too")
			break
		}
	}
	put(removed[0].start, removed[len(removed)-1].next, b.terminate(added, removed, removed[0].start))
	return splices
}

// neighbours returns the lines with text that the request shows above and below a group, none where it shows none or
// where lines are left out in between.
func (b *builder) neighbours(f fit, g group, at []line) (upper, lower line) {
	seek := func(i, step int) line {
		for ; i >= 0 && i < len(at); i += step {
			if f.p.keys[i] != "" {
				return at[i]
			}
		}
		return none
	}
	return seek(g.oldFrom-1, -1), seek(g.oldTo, 1)
}

// insertionPoint returns where the added lines of a group go that removes nothing (PLACING W1).
func (b *builder) insertionPoint(f fit, g group, at []line, added []string) int {
	upper, lower := b.neighbours(f, g, at)
	point, above, below := -1, 0, 0
	for i := g.oldFrom - 1; i >= 0 && !f.p.elision(i); i-- {
		if point < 0 && at[i].real() {
			point = at[i].next
		}
		if f.p.keys[i] != "" {
			break
		}
		above++
	}
	for i := g.oldTo; i < len(at) && !f.p.elision(i); i++ {
		if point < 0 && at[i].real() {
			point = at[i].start
		}
		if f.p.keys[i] != "" {
			break
		}
		below++
	}
	if !upper.real() || !lower.real() {
		return point
	}
	blanks := 0
	for l := b.lineAt(upper.next); l.start < lower.start; l = b.lineAt(l.next) {
		blanks++
	}
	if blanks <= above+below {
		return point
	}
	after := isBlank(added[len(added)-1]) || above > 0
	before := isBlank(added[0]) || below > 0
	switch {
	case after && before:
		return point
	case after:
		return lower.start
	case before:
		return upper.next
	}
	own := indentOf([]byte(added[0]))
	likeUpper, likeLower := own == indentOf(b.bytes(upper)), own == indentOf(b.bytes(lower))
	b.note(f.p.edit, upper.next, "the text has blank lines here that the request does not show; on which side of them the new lines belong was not said")
	heads := isComment(added[len(added)-1]) && !isComment(string(b.bytes(lower))) // a comment belongs to what it stands above
	if likeLower && (heads || !likeUpper) {
		return lower.start
	}
	return upper.next
}

// isComment reports whether a line is a comment, or a heading, in any of the usual languages.
func isComment(l string) bool {
	_, body, _ := cut(l)
	for _, opener := range []string{"//", "#", "--", "/*", "*", "<!--", ";"} {
		if strings.HasPrefix(body, opener) {
			return true
		}
	}
	return false
}

// terminate gives each added line an ending: that of the removed line it takes the place of, else of the line before
// the insertion point, else of the one after (PLACING F2).
func (b *builder) terminate(added []string, removed []line, point int) string {
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
			s.WriteString(b.endingLike(removed[min(k, len(removed)-1)]))
		case point > 0:
			s.WriteString(b.endingLike(b.lineBefore(point)))
		default:
			s.WriteString(b.endingLike(b.lineAt(0)))
		}
	}
	return s.String()
}

// endingLike returns the ending of l, or of the line before it where l has none.
func (t *text) endingLike(l line) string {
	if l.end == l.next && l.start > 0 {
		l = t.lineBefore(l.start)
	}
	if l.end == l.next {
		return t.commonestEnding()
	}
	return t.ending(l)
}

// mergeTouching joins the splices of one edit that lie side by side.
func mergeTouching(splices []splice) []splice {
	if len(splices) < 2 {
		return splices
	}
	sortSplices(splices)
	var merged []splice
	for i := 0; i < len(splices); {
		run := splices[i]
		var new strings.Builder
		new.WriteString(run.new)
		for i++; i < len(splices) && splices[i].start == run.end; i++ {
			run.end = splices[i].end
			new.WriteString(splices[i].new)
		}
		run.new = new.String()
		merged = append(merged, run)
	}
	return merged
}

// finish makes the text end the way it did, with or without a line ending, or the way the edit marked, of a patch, asks for
// (PLACING F1). Until then every new line has an ending.
func (t *text) finish(splices []splice, bare, ended bool, marked int) []splice {
	n := len(t.data)
	terminate := t.terminated() && !bare || ended
	for len(splices) > 1 && splices[len(splices)-1].end == n && splices[len(splices)-2].end == splices[len(splices)-1].start && !t.terminated() {
		last := splices[len(splices)-1]
		splices = splices[:len(splices)-1]
		p := &splices[len(splices)-1]
		p.end, p.new, p.edit, p.fit = last.end, p.new+last.new, last.edit, max(p.fit, last.fit)
	}
	var last *splice
	if len(splices) > 0 && splices[len(splices)-1].end == n {
		last = &splices[len(splices)-1]
	}
	switch {
	case last == nil && terminate == t.terminated() || n == 0 && !bare:
	case last == nil && terminate:
		return append(splices, splice{start: n, end: n, new: t.endingLike(t.lineBefore(n)), edit: marked, fit: Exact})
	case last == nil:
		return append(splices, splice{start: t.lineBefore(n).end, end: n, edit: marked, fit: Exact})
	case last.new == "":
		if !terminate && last.start > 0 {
			last.start = t.lineBefore(last.start).end
		}
	default:
		if last.start == n && n > 0 && !t.terminated() {
			last.new = t.endingLike(t.lineBefore(n)) + last.new
		}
		if !terminate {
			last.new = strings.TrimSuffix(strings.TrimSuffix(last.new, string(t.eol)), "\r")
		}
	}
	return splices
}
