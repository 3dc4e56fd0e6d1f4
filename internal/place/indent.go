package place

import (
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A shift is the lesson of a matched line: from in the request stands for to in the text.
type shift struct{ from, to string }

// beforeStar returns the indentation of a line without the column by which a comment deepens as it goes on.
func beforeStar(indent, body string) string {
	columns := len(indent) - len(strings.TrimRight(indent, " "))
	if strings.HasPrefix(body, "*") && columns%2 == 1 {
		return indent[:len(indent)-1]
	}
	return indent
}

// mayBeFrom reports whether an indentation is no further from that of the request than from that of the text.
func (s shift) mayBeFrom(indent string) bool {
	distance := func(from string) int { return max(len(indent)-len(from), len(from)-len(indent)) }
	return distance(s.from) <= distance(s.to)
}

// An observation has what the matched lines of one placement show about indentation.
type observation struct {
	placement
	ls     *lessons    // of all edits
	at     []text.Line // the lines of the text, by index in p.old
	shifts []shift     // each different one once
	same   bool        // every matched line has the text's indentation
	cutOff bool        // only the first line differs from the text: it lost its indentation when it was copied
	lines  int         // the number of matched lines
}

// observe returns the observation of a placement. The shifts are in room if it is enough.
func (ls *lessons) observe(f placement, room []shift) observation {
	o := observation{placement: f, ls: ls, at: f.lines(ls.text), shifts: room, same: true}
	for i := range o.at {
		s, ok := o.shiftAt(i)
		if !ok {
			continue
		}
		isSame := s.from == s.to
		o.lines++
		o.cutOff = o.lines == 1 && s.from == "" && !isSame || o.cutOff && isSame
		o.same = o.same && isSame
		if !slices.Contains(o.shifts, s) {
			o.shifts = append(o.shifts, s)
		}
	}
	o.cutOff = o.cutOff && o.lines > 1
	return o
}

// shiftAt returns the shift of the i-th old line. It reports false if that is blank, or not in the text.
func (o *observation) shiftAt(i int) (s shift, ok bool) {
	if i < 0 || !o.at[i].Real() || o.p.keys[i] == "" {
		return s, false
	}
	from, body, _ := text.Parts(o.p.old[i])
	s = shift{from, from}
	l := o.ls.text.Bytes(o.at[i])
	if depth, _ := text.Trimmed(l); string(l[:depth]) != from {
		s.to = string(l[:depth])
	}
	if from, to := beforeStar(s.from, body), beforeStar(s.to, body); from != s.from && to != s.to {
		s = shift{from, to}
	}
	return s, true
}

// agrees reports whether the request has the text's indentation, as far as matched lines and other edits show (I1).
func (o *observation) agrees() bool {
	asMatched := func(indent string) (string, bool) {
		return indent, slices.ContainsFunc(o.shifts, func(s shift) bool { return s.from == indent })
	}
	isAlone := func() bool {
		return len(o.ls.all) == 1 || !o.ls.style().other && (!o.ls.style().moved || o.lands(asItIs))
	}
	return len(o.shifts) == 0 || o.same && (isAlone() || o.answers(asMatched))
}

// A hypothesis says which indentation of the text stands for one of the request, false where it does not know.
type hypothesis func(indent string) (to string, ok bool)

func asItIs(indent string) (string, bool) { return indent, true }

// hypotheses returns those that explain every matched line (I3): one prefix shifts the lines, their steps have another
// width, or the new ones are right as they are, if old ones only lost or won a space. One that puts a new line between
// the levels of the text counts only if all do, the text has hardly any levels, and no edit has other steps.
func (o *observation) hypotheses() (all []hypothesis) {
	if tab, isSure := o.tabWidth(); tab > 0 {
		all = append(all, func(indent string) (string, bool) { // spaces alone may be in the text's terms
			return strings.Repeat(" ", outline.Columns(indent, tab)), indent == "" || indent[0] == '\t'
		})
		if isSure {
			return all
		}
	}
	c, counts := o.scale()
	other := o.ls.style().other
	_, shifted := o.prefix()
	if shifted = shifted && !o.same; shifted && (counts || !other || !o.deepens()) {
		all = append(all, o.prefixed)
	}
	if counts && (!shifted || len(c.from) > len(c.to) && o.deepens() || o.isRescaled(c) || !o.answers(o.prefixed) ||
		other) {
		all = append(all, func(indent string) (string, bool) { return o.count(indent, c) })
	}
	if o.isColumnOff() && (counts || !o.same) {
		all = append(all, asItIs)
	}
	_, times := o.ls.style().unit()
	if other || times >= 3 || slices.ContainsFunc(all, o.lands) { // often enough for the text to have levels
		return slices.DeleteFunc(all, func(h hypothesis) bool { return !o.lands(h) })
	}
	return all
}

// tabWidth returns the width of the tabs of a request that has lines with tabs and spaces, if all matched lines are
// indented with as many spaces in the text: surely so if one of them has both. Else it returns 0.
func (o *observation) tabWidth() (tab int, isSure bool) {
	hasTab := func(s shift) bool { return strings.Contains(s.from, "\t") }
	isMixed := func(indent string) bool { return strings.Contains(indent, "\t") && strings.Contains(indent, " ") }
	if isSure = slices.ContainsFunc(o.shifts, func(s shift) bool { return isMixed(s.from) }); !isSure &&
		!(slices.ContainsFunc(o.shifts, hasTab) && slices.ContainsFunc(indentations(o.p.new), isMixed)) {
		return 0, false
	}
	for tab = 2; tab <= 8 && o.ls.unit() != "\t"; tab++ {
		isOther := func(s shift) bool { return s.to != strings.Repeat(" ", outline.Columns(s.from, tab)) }
		if !slices.ContainsFunc(o.shifts, isOther) {
			return tab, isSure
		}
	}
	return 0, false
}

// isColumnOff reports whether every matched line has the text's indentation but for a space.
func (o *observation) isColumnOff() bool {
	return len(o.ls.unit()) > 1 && !slices.ContainsFunc(o.shifts, func(s shift) bool {
		return s.from != s.to && s.from+" " != s.to && s.from != s.to+" "
	})
}

// answers reports whether a hypothesis knows the indentation of every new line.
func (o *observation) answers(h hypothesis) bool {
	return !slices.ContainsFunc(indentations(o.p.added()), func(indent string) bool {
		_, ok := h(indent)
		return !ok
	})
}

// deepens reports whether a new line is deeper than every matched line.
func (o *observation) deepens() bool {
	return slices.ContainsFunc(indentations(o.p.added()), func(indent string) bool {
		return !slices.ContainsFunc(o.shifts, func(s shift) bool { return len(s.from) >= len(indent) })
	})
}

// lands reports whether a hypothesis puts every new line at column 0, or a whole number of steps from a matched line.
func (o *observation) lands(h hypothesis) bool {
	unit := o.ls.unit()
	return unit == "" || !slices.ContainsFunc(o.p.added(), func(l string) bool {
		indent, body, _ := text.Parts(l)
		to, ok := h(beforeStar(indent, body))
		if unit == "\t" { // spaces after tabs are alignment
			to = strings.TrimRight(to, " ")
		}
		level := func(s shift) bool { // the beginning of a string is the lesser one
			more, ok := strings.CutPrefix(max(s.to, to), min(s.to, to))
			return ok && strings.ReplaceAll(more, unit, "") == ""
		}
		return ok && body != "" && to != "" && !slices.ContainsFunc(o.shifts, level)
	})
}

// indent returns the indentation in the text for the j-th new line, of the group g. It reports false if that is not
// certain. The request does not agree with the text. A column in front of a star does not count.
func (b *builder) indent(indent string, g linediff.Group, j int) (string, bool) {
	if b.p.ownIndent && !b.same { // one space more in the text may belong to the viewer's separator (N2)
		return indent, !slices.ContainsFunc(b.shifts,
			func(s shift) bool { return s.to != s.from && s.to != " "+s.from })
	}
	if b.cutOff && indent == "" {
		return b.lostIndent(j)
	}
	if to, known, ok := b.known(indent, g, j); known {
		return to, ok
	}
	answer, found := indent, b.cutOff
	for _, h := range b.all() {
		if to, ok := h(indent); ok {
			if found && to != answer {
				return "", false
			}
			answer, found = to, true
		}
	}
	return answer, found
}

// lostIndent returns the indentation of the j-th new line, which is in column 0, where only the first old line lost its
// own when it was copied. The first new line lost the same, unless it copies an old line at another depth: that may be
// where it stays, or what changes. Another may have lost its own, unless an old line shows a real column 0 (I1).
func (o *observation) lostIndent(j int) (string, bool) {
	if j > 0 {
		return "", slices.Contains(o.shifts, shift{"", ""})
	}
	to := o.shifts[0].to
	steps := linediff.Subsequence(o.p.keys, mapped(o.p.new, text.Fold))
	if len(steps) > 0 && steps[0].New == 0 {
		s, ok := o.shiftAt(steps[0].Old)
		return to, !ok || s.to == to
	}
	return to, true
}

// known looks up the indentation of the j-th new line, of the group g, among the matched lines (I2). Known reports that
// matched lines have it, and ok that it stands for one indentation of the text.
func (o *observation) known(own string, g linediff.Group, j int) (to string, known, ok bool) {
	n := 0
	for _, s := range o.shifts {
		if s.from == own {
			to = s.to
			n++
		}
	}
	if n > 1 && g.OldTo-g.OldFrom == g.NewTo-g.NewFrom { // it replaces a line
		s, ok := o.shiftAt(g.OldFrom + j - g.NewFrom)
		return s.to, true, ok && s.from == own
	}
	return to, n > 0, n == 1
}

// prefix returns the shift, to or from nothing, by which all matched lines are deeper or shallower in the text (I3).
func (o *observation) prefix() (p shift, ok bool) {
	first := o.shifts[0]
	more := len(first.to) - len(first.from)
	p = shift{first.from[:max(0, -more)], first.to[:max(0, more)]}
	return p, !slices.ContainsFunc(o.shifts, func(s shift) bool {
		rest, ok := strings.CutPrefix(s.from, p.from)
		return !ok || s.to != p.to+rest
	})
}

// prefixed shifts an indentation by the prefix, but puts no tabs beside spaces, and no spaces into a text of tabs (I3).
func (o *observation) prefixed(indent string) (to string, ok bool) {
	p, _ := o.prefix()
	unit := o.ls.unit()
	rest, ok := strings.CutPrefix(indent, p.from)
	to = p.to + rest
	isMixed := p.to != "" && rest != "" && p.to[len(p.to)-1] != rest[0]
	like := func(indent string) bool { return indent != "" && indent[0] == to[0] }
	return to, ok && !isMixed && (to == "" || unit == "" || like(unit) ||
		slices.ContainsFunc(o.shifts, func(s shift) bool { return like(s.to) }))
}

// entryDepth returns the depth in the text of the innermost list entry that has all matched lines in it, -1 if there is
// none, or if a line is off by more than a step, as no list is.
func (o *observation) entryDepth() int {
	depth := outline.EntryDepth(o.ls.text, o.at)
	isFar := func(s shift) bool {
		to, from := outline.Width(s.to), outline.Width(s.from)
		return o.ls.unit() != "" && max(to-from, from-to) > outline.Width(o.ls.unit())
	}
	if depth >= 0 && slices.ContainsFunc(o.shifts, isFar) { // most texts have no lists, and need not be read for a step
		return -1
	}
	return depth
}

// New lines may already be in the text's terms, indented as the text is, though the old ones are not (I4): a model that
// copied these from memory may write new ones as the file has its lines. Those that copy old ones tell the terms.

// A term is a way to read the indentation of new lines.
type term int

const (
	noTerm      term = iota // no copy tells, or they disagree
	requestTerm             // new lines are indented as the request has its old ones, and not as the text has them
	textTerm                // the reverse
)

// terms returns the terms of new lines, as those tell that copy old ones; the old lines as the text indents them; and
// how many new lines there are up to the last of those. Brackets are no copies, but one in the request's terms speaks
// against the text's, as a line does that was moved further from its place in the text than from that in the request.
func (o *observation) terms(lines []string) (t term, own []string, to int) {
	inRequest, inText, shifts := map[string]bool{}, map[string]bool{}, map[string]shift{}
	own = slices.Clone(o.p.old)
	for i, l := range own {
		if s, ok := o.shiftAt(i); ok {
			body := strings.TrimPrefix(l, s.from)
			own[i] = s.to + body
			inRequest[l], inText[own[i]], shifts[body] = true, true, s
		}
	}
	against := false
	for j, l := range lines {
		of := requestTerm
		if inText[l] {
			of, to = textTerm, j+1
		}
		indent := outline.Indent(l)
		s, isCopy := shifts[l[len(indent):]]
		switch isWord := text.HasLetterOrDigit(l); {
		case inRequest[l] && inText[l]: // in either terms
		case !inRequest[l] && !inText[l] || !isWord:
			against = against || isCopy && !inText[l] && (!isWord && inRequest[l] || isWord && s.mayBeFrom(indent))
		case t != noTerm && t != of:
			return noTerm, own, to
		default:
			t = of
		}
	}
	if against && t == textTerm {
		t = noTerm
	}
	return t, own, to
}

// inTextTerms returns the edit with its old lines indented as the text has them, if the new lines are in its terms;
// else nil. Copies do not prove it where the steps of the request have another width, or where lines may be wrapped. It
// reports doubt if then nothing else explains the matched lines, or if a wrap would put lines more than a step deeper.
func (o *observation) inTextTerms() (p *pattern, doubt bool) {
	t, own, to := o.terms(o.p.new)
	if t != textTerm || o.cutOff {
		return nil, t == noTerm && isOnly(outermost(o.p.new), outermost(own), outermost(o.p.old))
	}
	isScaled := func(s shift) bool { // if not, tabs may stand for spaces
		return s.from != "" && s.from != s.to && (s.to == "" || s.to[0] == s.from[0])
	}
	by, shifted := o.prefix()
	c, counts := o.scale()
	counts = counts && c.from != c.to
	if !shifted && slices.ContainsFunc(o.shifts, isScaled) && (counts || !o.lands(asItIs)) {
		return nil, false
	}
	if o.mayWrap(own, o.p.new[:to]) {
		unit, least, more := o.ls.unit(), len(outermost(o.p.old)), len(by.from)+len(by.to)
		isBetween := func(s string) bool { return least < len(s) && len(s) < least+more }
		isFar := shifted && unit != "" && more > len(unit)
		return nil, !shifted && !counts || isFar && !slices.ContainsFunc(indentations(o.p.new[:to]), isBetween)
	}
	u := *o.p
	u.old, u.byBody, u.groups = own, nil, linediff.AppendGroups(nil, own, u.new)
	for i := range own { // lines left out stay where they are
		if !o.at[i].Real() && o.p.keys[i] != "" && !u.keeps(i) {
			return nil, true
		}
	}
	return &u, false
}

// mayWrap reports whether copies of old lines may be as deep as in the text only because other new lines wrap them: the
// first or the outermost new line is as deep as the old one of the request alone; or the outermost one is less deep
// than the old one of the request, and that less deep than the one of the text.
func (o *observation) mayWrap(own, lines []string) bool {
	isOfRequest := func(indent func(lines []string) string) bool {
		return isOnly(indent(lines), indent(o.p.old), indent(own))
	}
	first := func(lines []string) string { return indentations(lines)[0] }
	least, leastOld := len(outermost(lines)), len(outermost(o.p.old))
	return isOfRequest(first) || isOfRequest(outermost) || least < leastOld && leastOld < len(outermost(own))
}

func isOnly(indent, one, other string) bool { return indent == one && indent != other }

// indentations returns the indentations of the lines that are not blank.
func indentations(lines []string) []string {
	return mapped(slices.DeleteFunc(slices.Clone(lines), text.IsBlank), outline.Indent)
}

// outermost returns the least indentation of lines that are not blank, "" if there are none.
func outermost(lines []string) string { return shortest(indentations(lines)) }

func shortest(indents []string) string {
	if len(indents) == 0 {
		return ""
	}
	return slices.MinFunc(indents, func(a, b string) int { return len(a) - len(b) })
}

// hasOwnDepth reports whether the outermost new line of a group is as deep as the old ones are in the text, but not as
// deep as they are in the request. The first line that replaces others counts too. Where no line is removed, the lines
// around the group count, if the upper one opens nothing.
func (b *builder) hasOwnDepth(g linediff.Group) bool {
	from, to := g.OldFrom, g.OldTo
	if from == to {
		upper, lower := outline.Neighbour(b.p.old, from, -1), outline.Neighbour(b.p.old, to-1, 1)
		s, above := b.shiftAt(upper)
		t, below := b.shiftAt(lower)
		switch {
		case above && (outline.Opens(b.p.old[upper]) || below && s != t):
			return false
		case above:
			from, to = upper, upper+1
		case below:
			from, to = lower, lower+1
		}
	}
	var old, own []string // the indentations
	for i := from; i < to; i++ {
		if s, ok := b.shiftAt(i); ok {
			old, own = append(old, s.from), append(own, s.to)
		}
	}
	new := indentations(b.p.new[g.NewFrom:g.NewTo])
	if len(old) == 0 || len(new) == 0 {
		return false
	}
	isDeeper := slices.Contains(own, new[0]) && !slices.Contains(old, new[0]) && len(shortest(new)) > len(shortest(old))
	return isOnly(shortest(new), shortest(own), shortest(old)) ||
		g.OldFrom < g.OldTo && (isDeeper || isOnly(new[0], own[0], old[0]))
}

// oldLineLostIndent reports whether the only old line is in column 0, but not in the text, and a new line goes back to
// a depth that none above it has: then only the first line lost its indentation when it was copied.
func (o *observation) oldLineLostIndent(g linediff.Group) bool {
	if o.lines != 1 || o.shifts[0].from != "" || o.shifts[0].to == "" {
		return false
	}
	var depths []int // of the lines that may enclose the next one, each more than the one before
	for _, indent := range indentations(o.p.new[g.NewFrom:g.NewTo]) {
		depth, n := outline.Width(indent), len(depths)
		depths = slices.DeleteFunc(depths, func(d int) bool { return d > depth })
		if !slices.Contains(depths, depth) {
			if len(depths) < n {
				return true
			}
			depths = append(depths, depth)
		}
	}
	return false
}
