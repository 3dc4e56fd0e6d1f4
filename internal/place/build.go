package place

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A builder builds the splices of one placement. The last fields are for a request that does not agree with the text.
type builder struct {
	v *version
	observation
	origin  text.Origin
	splices []text.Splice
	notes   []Note
	styled  bool // notes has one on the style of indentation
	agreed  bool // the request has the indentation of the text

	trails, blanks trails // at the end of lines with text, and of blank ones

	added term                // the terms of the added lines
	doubt bool                // the new lines may be in the text's terms
	shown func() *vocabulary  // of a request whose terms are those of its new lines
	all   func() []hypothesis // that explain the matched lines
	entry func() int          // the depth of the list entry that has all matched lines in it, -1 if none has
}

// build builds a placement: its splices, in room if that is large enough, or the problem if the edit would be a guess.
func build(v *version, f placement, o text.Origin, ls *lessons, room []text.Splice) built {
	b := builder{v: v, observation: ls.observe(f, ls.room[:0]), origin: o, splices: room}
	if b.ignores&trailing != nothing {
		b.learnTrails()
	}
	if b.agreed = b.agrees(); !b.agreed && f.p.e.Hunk == "" {
		var own *pattern
		if own, b.doubt = b.inTextTerms(); own != nil {
			b.p, b.agreed = own, true
		}
	}
	if !b.agreed {
		b.added, _, _ = b.terms(f.p.added())
		b.shown = sync.OnceValue(b.repeated)
		b.all, b.entry = sync.OnceValue(b.hypotheses), sync.OnceValue(b.entryDepth)
	}
	if p := cmp.Or(b.ignoresSubject(), b.picksBlank()); p != nil {
		return refused(p)
	}
	for _, g := range joined(b.p, b.at) {
		if p := b.group(g); p != nil {
			return refused(p)
		}
	}
	return built{splices: text.MergeTouching(b.splices), notes: b.notes, own: b.p != f.p}
}

func (b *builder) note(at int, format string, args ...any) {
	b.notes = append(b.notes, b.v.note(b.origin.Edit, at, format, args...))
}

// joined merges groups of added lines with only blank lines between that the text lacks: their "+" is missing (P2).
func joined(p *pattern, at []text.Line) []linediff.Group {
	if len(p.groups) < 2 {
		return p.groups
	}
	all := slices.Clone(p.groups[:1])
	for _, g := range p.groups[1:] {
		last := &all[len(all)-1]
		apart := last.NewFrom == last.NewTo || g.NewFrom == g.NewTo
		for i := last.OldTo; i < g.OldFrom; i++ {
			apart = apart || at[i].Real() || p.keys[i] != ""
		}
		if apart {
			all = append(all, g)
		} else {
			last.OldTo, last.NewTo = g.OldTo, g.NewTo
		}
	}
	return all
}

// group adds the splices of one group.
func (b *builder) group(g linediff.Group) *Problem {
	if done, p := b.changesOnlyBlank(g); p != nil || done {
		return p
	}
	var removed []text.Line // on the stack if there are few
	for _, l := range b.at[g.OldFrom:g.OldTo] {
		if l.Real() {
			removed = append(removed, l)
		}
	}
	g = b.withoutMissing(g)
	added := make([]string, 0, g.NewTo-g.NewFrom)
	// New lines that may be in the text's terms are not shifted (I4).
	inDoubt := !b.agreed && (b.doubt || b.added != requestTerm &&
		(b.hasOwnDepth(g) || b.oldLineLostIndent(g)) && !b.isInTerms(g))
	for j := g.NewFrom; j < g.NewTo; j++ {
		n, p := b.line(g, j, inDoubt)
		if p != nil {
			return p
		}
		added = append(added, n)
	}
	point, gap := 0, false
	if len(removed) == 0 && len(added) > 0 {
		point = b.insertionPoint(g, added)
	}
	b.splices, gap = b.v.ReplaceLines(b.splices, b.origin, point, removed, added)
	if gap {
		b.note(removed[0].Start, "blank lines between the removed lines, which the request does not show, were "+
			"removed too")
	}
	return nil
}

// Trails say which whitespace at the end of lines in the text stands for which of the request; itself if they disagree.
type trails struct {
	own   map[string]string
	solid bool // the text has some where the request has any
}

// of returns what stands for whitespace of the request. If the text has none at all, it has none there either.
func (t trails) of(trail string) (own string, ok bool) {
	own, ok = t.own[trail]
	return own, ok || len(t.own) > 0 && !t.solid
}

// learnTrails learns from the matched lines which whitespace at the end of lines stands for which (A2).
func (b *builder) learnTrails() {
	for i, l := range b.at {
		trail, body := trailOf(b.p.old[i])
		if !l.Real() || trail == "" {
			continue
		}
		t := &b.trails
		if body == "" {
			t = &b.blanks
		}
		if t.own == nil {
			t.own = map[string]string{}
		}
		own, _ := trailOf(string(b.v.Bytes(l)))
		if was, ok := t.own[trail]; ok && was != own {
			own = trail
		}
		t.own[trail] = own
		if own != "" {
			t.own[own], t.solid = own, true
		}
	}
}

// trailOf returns the whitespace at the end of a line, all of a blank one, and its body.
func trailOf(l string) (trail, body string) {
	indent, body, trail := text.Parts(l)
	if body == "" {
		trail = indent
	}
	return trail, body
}

// withoutMissing returns the group without blank lines at its ends that both the text lacks and the new lines have.
func (b *builder) withoutMissing(g linediff.Group) linediff.Group {
	for g.OldTo > g.OldFrom && g.NewTo > g.NewFrom && !b.at[g.OldTo-1].Real() && text.IsBlank(b.p.new[g.NewTo-1]) {
		g.OldTo, g.NewTo = g.OldTo-1, g.NewTo-1
	}
	for g.OldTo > g.OldFrom && g.NewTo > g.NewFrom && !b.at[g.OldFrom].Real() && text.IsBlank(b.p.new[g.NewFrom]) {
		g.OldFrom, g.NewFrom = g.OldFrom+1, g.NewFrom+1
	}
	return g
}

// ignoresSubject refuses an edit that changes only whitespace or typographic characters if its place ignores them (A3).
func (b *builder) ignoresSubject() *Problem {
	if b.ignores == nothing {
		return nil
	}
	pairs, subject := b.p.subject()
	for _, pair := range pairs {
		o, n, at := b.p.old[pair.Old], b.p.new[pair.New], b.at[pair.Old]
		if content := b.v.Bytes(at); fitOf(o, b.p.keys[pair.Old], content)&subject != 0 && string(content) != n {
			return b.v.problem(errs.ErrNotFound, "the {edit} changes only whitespace or typographic characters in "+
				"%q, but line %d of the file reads %q: copy that line exactly", o, b.v.sourceLine(at.Start), content)
		}
	}
	return nil
}

// subject returns what an edit changes that keeps every word, and the lines that differ: typographic characters, or
// whitespace at the end of lines. It returns nothing for any other edit. A place must not ignore it (A3).
func (p *pattern) subject() (pairs []linediff.Step, all ignored) {
	for _, g := range p.groups {
		old := p.segment(g.OldFrom, g.OldTo).solid
		if len(old) != text.CountSolid(p.new[g.NewFrom:g.NewTo]) {
			return nil, nothing
		}
		j := g.NewFrom - 1
		for _, i := range old {
			j = outline.Neighbour(p.new, j, 1)
			s := fitOf(p.old[i], p.keys[i], []byte(p.new[j]))
			if s == misfit {
				return nil, nothing
			}
			pairs, all = append(pairs, linediff.Step{Old: i, New: j}), all|s
		}
	}
	return pairs, all &^ indents
}

// changesOnlyBlank handles a group that changes only the number of blank lines between two others. Done reports that
// the text has as many as it wants already. If the text has not as many as it shows, the group is refused (A3).
func (b *builder) changesOnlyBlank(g linediff.Group) (done bool, p *Problem) {
	if text.CountSolid(b.p.keys[g.OldFrom:g.OldTo])+text.CountSolid(b.p.new[g.NewFrom:g.NewTo]) > 0 {
		return false, nil
	}
	upper, _, above := b.beside(g.OldFrom-1, -1)
	lower, _, below := b.beside(g.OldTo, 1)
	from, to := g.OldFrom-above, g.OldTo+below // the blank lines that the request shows here
	inside, here, shown := upper.Real() && lower.Real(), 0, to-from
	if inside {
		here = b.v.LinesBetween(upper, lower)
	} else { // at an edge, the text may have more
		for _, l := range b.at[from:to] {
			if l.Real() {
				here++
			}
		}
	}
	if done = here != shown && here == shown-(g.OldTo-g.OldFrom)+g.NewTo-g.NewFrom; done || here == shown || !inside {
		return done, nil
	}
	return false, b.v.problem(errs.ErrNotFound,
		"the {edit} changes only blank lines, but after line %d the file has %d of them, not %d: show all of them",
		b.v.sourceLine(upper.Start), here, shown)
}

// picksBlank refuses an edit that removes some of several blank lines, which differ in the text alone (A3).
func (b *builder) picksBlank() *Problem {
	if b.ignores&trailing == nothing {
		return nil
	}
	for from, to := 0, 0; from < len(b.at); from = max(to, from+1) {
		differ, kept := false, 0
		for to = from; to < len(b.at) && b.p.keys[to] == "" && b.at[to].Real() && b.p.old[to] == b.p.old[from]; to++ {
			differ = differ || !bytes.Equal(b.v.Bytes(b.at[to]), b.v.Bytes(b.at[from]))
			if b.p.keeps(to) {
				kept++
			}
		}
		if differ && 0 < kept && kept < to-from {
			return b.v.problem(errs.ErrNotFound,
				"the {edit} removes some of the blank lines from line %d on, which have different whitespace in the "+
					"file: copy them exactly", b.v.sourceLine(b.at[from].Start))
		}
	}
	return nil
}

// A vocabulary has the old lines of an edit: as they are, without their indentation, and their indentations alone.
type vocabulary struct{ lines, bodies, indents map[string]bool }

// repeated returns the old lines if the text has all with another indentation, and the new text repeats one with a
// word, but not the first, which may have lost its own alone: then new lines are in the request's terms. Else nil.
func (b *builder) repeated() *vocabulary {
	isSame := func(s shift) bool { return s.from == s.to }
	if b.p.e.Hunk != "" || slices.ContainsFunc(b.shifts, isSame) { // a context line stands for both
		return nil
	}
	isFirst, is := true, false
	for i, l := range b.p.old {
		if _, ok := b.shiftAt(i); ok {
			is = is || !isFirst && b.p.keeps(i) && text.HasLetterOrDigit(l)
			isFirst = false
		}
	}
	if !is {
		return nil
	}
	from := func(s shift) string { return s.from }
	return &vocabulary{text.SetOf(b.p.old), text.SetOf(mapped(b.p.old, text.Unindented)),
		text.SetOf(mapped(b.shifts, from))}
}

// isInTerms reports whether the new lines of a group are as deep as old ones that the new text repeats, above it and
// below, and none copies an old line at another depth. At an end, a line that is less deep may belong outside.
func (b *builder) isInTerms(g linediff.Group) bool {
	known := b.shown()
	if known == nil || outline.Neighbour(b.p.old, g.OldFrom, -1) < 0 || outline.Neighbour(b.p.old, g.OldTo-1, 1) < 0 {
		return false
	}
	isElse := func(l string) bool {
		return !text.IsBlank(l) && !known.lines[l] &&
			(!known.indents[outline.Indent(l)] || known.bodies[text.Unindented(l)])
	}
	return !slices.ContainsFunc(b.p.new[g.NewFrom:g.NewTo], isElse)
}

// line returns the j-th new line, of the group g, as it goes into the text.
func (b *builder) line(g linediff.Group, j int, inDoubt bool) (string, *Problem) {
	n := b.p.new[j]
	indent, body, trail := text.Parts(n)
	if body == "" {
		for _, t := range []trails{b.blanks, b.trails} {
			if own, ok := t.of(n); ok {
				return own, nil
			}
		}
		return n, nil
	}
	newBody, newTrail, ok := b.body(g, j, body, trail)
	if !ok {
		return "", b.v.problem(errs.ErrNotFound, "{old} fits at line %d only with accented letters in another "+
			"Unicode composition, of which the file has both there, so it is unclear how to write the new line %q: "+
			"copy {old} exactly", b.v.sourceLine(b.Start), n)
	}
	if p := plan.Unseen(newBody, &b.v.typography, b.v.words); p != nil {
		return "", p
	}
	if own, ok := b.trails.of(trail); newTrail == trail && ok {
		newTrail = own
	}
	shifted := indent
	if !b.agreed {
		margin := beforeStar(indent, body)
		shifted, ok = b.indent(margin, g, j)
		shifted += indent[len(margin):]
	} else {
		b.styled = b.styled || b.notesStyle(indent)
	}
	switch {
	case !ok || shifted != indent && outline.LeavesEntry(shifted+newBody, b.entry()):
		return "", b.unclear(g, fmt.Sprintf("it is unclear how far to indent the new line %q", n))
	case shifted != indent && inDoubt:
		return "", b.unclear(g, "the new lines may already be indented as the file is")
	}
	if shifted == indent && newBody == body && newTrail == trail {
		return n, nil
	}
	return shifted + newBody + newTrail, nil
}

// unclear refuses an edit because the new lines of a group may belong at several depths, and shows the lines around.
func (b *builder) unclear(g linediff.Group, why string) *Problem {
	piece := b.whole()
	if l, _, _ := b.beside(max(0, g.OldFrom-shownLines/2), 1); l.Real() {
		piece.Start = l.Start
	}
	return b.v.problemShowing(piece, errs.ErrNotFound, "{old} fits at line %d only with different indentation, and "+
		"%s: indent {old} and {new} as the file does:", b.v.sourceLine(b.Start), why)
}

// beside returns what the request shows on one side of a group, from the i-th old line on, in steps of 1 or -1: the
// line that is not blank, or None; the nearest line that the text has; and the number of blank ones.
func (b *builder) beside(i, step int) (solid, nearest text.Line, blanks int) {
	nearest = text.None
	for ; i >= 0 && i < len(b.at); i += step {
		if !nearest.Real() {
			nearest = b.at[i]
		}
		if b.p.keys[i] != "" {
			return b.at[i], nearest, blanks
		}
		blanks++
	}
	return text.None, nearest, blanks
}

// insertionPoint returns the offset for the added lines of a group that removes nothing (W1).
func (b *builder) insertionPoint(g linediff.Group, added []string) int {
	upper, nearest, above := b.beside(g.OldFrom-1, -1)
	lower, next, below := b.beside(g.OldTo, 1)
	point := next.Start
	if nearest.Real() {
		point = nearest.Next
	}
	if !upper.Real() || !lower.Real() || b.v.LinesBetween(upper, lower) <= above+below {
		return point
	}
	after := text.IsBlank(added[len(added)-1]) || above > 0
	before := text.IsBlank(added[0]) || below > 0
	switch {
	case after && before:
		return point
	case after:
		return lower.Start
	case before:
		return upper.Next
	}
	own := outline.Indent(added[0])
	likeUpper, likeLower := own == outline.Indent(b.v.Bytes(upper)), own == outline.Indent(b.v.Bytes(lower))
	b.note(upper.Next, "the file has blank lines here that the request does not show, and the request does not say "+
		"on which side of them the new lines belong")
	// A comment belongs to the line below it.
	heads := outline.IsComment(added[len(added)-1]) && !outline.IsComment(string(b.v.Bytes(lower)))
	if likeLower && (heads || !likeUpper) {
		return lower.Start
	}
	return upper.Next
}

// lexiconOf takes the lessons of the placed edits.
func lexiconOf(t text.Text, all []judged) (x text.Lexicon) {
	for i := range all {
		w := &all[i]
		if !w.placed() || text.IsASCII(w.e.Old) && w.candidates[0].ignores&signs == 0 {
			continue
		}
		f := w.at(0)
		for i, l := range f.lines(t) {
			if s := f.p.fit(t, i, l); s != misfit && (s&signs != 0 || !text.IsASCII(f.p.old[i])) {
				x.Learn(f.p.old[i], string(t.Bytes(l)))
			}
		}
	}
	return x
}

// body returns the body and the trailing whitespace of the j-th new line in the text's notation. A copy of an old line
// is written as in the text (A2). In other lines, typographic characters and the composition of letters follow the
// matched lines (N1). It reports false if these do not tell how to write it.
func (b *builder) body(g linediff.Group, j int, body, trail string) (string, string, bool) {
	twin := -1
	if b.ignores != nothing || !text.IsASCII(b.p.new[j]) { // else the request has the text's notation
		twin = b.p.copyOf(g, j)
	}
	if twin >= 0 && b.p.fit(b.v.Text, twin, b.at[twin]) != misfit {
		_, own, ownTrail := text.Parts(string(b.v.Bytes(b.at[twin])))
		if _, _, was := text.Parts(b.p.old[twin]); was == trail && !b.p.keeps(twin) {
			trail = ownTrail
		}
		return own, trail, true
	}
	body, unknown, ok := b.ls.lexicon.Translate(body)
	if !ok {
		return "", "", false
	}
	if unknown != 0 && !b.v.typography.Uses(unknown) {
		b.note(-1, "%s were inserted as requested, though the file has none", unknown)
	}
	i := g.OldFrom + j - g.NewFrom // the old line that it replaces
	if b.ignores&signs != 0 && g.OldTo-g.OldFrom == g.NewTo-g.NewFrom && b.p.fit(b.v.Text, i, b.at[i])&signs != 0 {
		_, old, _ := text.Parts(b.p.old[i])
		if _, own, _ := text.Parts(string(b.v.Bytes(b.at[i]))); old != own {
			body = text.Respell(body, old, own)
		}
	}
	return body, trail, true
}
