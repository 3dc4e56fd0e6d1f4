package place

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/omission"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// readings returns the ways to read an edit, the plainest first. A reading counts only if no reading before it fits.
// Typography is that of the text. The marks of a patch are taken off if the old text is nowhere exactly.
func readings(p *pattern, typography *text.Typography, nowhere bool) []*pattern {
	isNil := func(r *pattern) bool { return r == nil }
	whole := slices.DeleteFunc([]*pattern{p.plainlySpaced(typography), p, p.unnumbered()}, isNil)
	all := []*pattern{p.unprefixed()}
	if nowhere {
		all = append(all, mapped(whole, (*pattern).unmarked)...)
	}
	all = slices.Concat(all, whole, mapped(whole, (*pattern).elided))
	return slices.DeleteFunc(all, isNil)
}

// reread returns another reading of the edit of p. It ignores some differences wherever it fits.
func (p *pattern) reread(old, new []string, ignores ignored) *pattern {
	u := &pattern{e: p.e}
	u.take(old, new, nil)
	u.ignores = ignores
	return u
}

// unnumbered returns p without the line numbers that a viewer wrote in front of its lines, nil if it has none.
func (p *pattern) unnumbered() *pattern {
	n, ok := text.NumberingOf(p.old)
	if !ok {
		return nil
	}
	old, _ := n.Strip(p.old)
	own := false
	stripped, all := n.Strip(p.new)
	if keeps := sharesLine(old, p.new); !all || keeps { // only the old lines have numbers
		if !keeps && slices.ContainsFunc(p.new, text.AnyNumbered) || sharesLine(p.old, p.new) {
			return nil
		}
		stripped = mapped(p.new, emptied)
		old, own = likeNew(mapped(old, emptied), stripped)
	}
	u := p.reread(old, stripped, numbers)
	if u.isBlank() { // numbers without text are too little evidence
		return nil
	}
	// Three lines in a row are not numbered by chance.
	n.Sure = n.Sure || text.CountSolid(old) > 2
	u.ownIndent, u.numbered = own, &n
	return u
}

// sharesLine reports whether a line that is not blank is in both texts.
func sharesLine(old, new []string) bool {
	was := text.SetOf(old)
	return slices.ContainsFunc(new, func(l string) bool { return was[l] && !text.IsBlank(l) })
}

// emptied returns a line, or "" for a blank one.
func emptied(l string) string {
	if text.IsBlank(l) {
		return ""
	}
	return l
}

// likeNew returns old lines, whose line numbers were taken off, with the indentation that they have among the new
// lines, which had no numbers: a space in front may belong to the separator or to the line. Own reports that the lines
// in both do not tell, so that the new lines may have any indentation.
func likeNew(old, new []string) (all []string, own bool) {
	trimmed := func(l string) string { return strings.TrimRight(l, text.Space) }
	isNew := text.SetOf(mapped(new, trimmed))
	has := func(changed func(l string) (string, bool)) bool { // a line that says something
		return slices.ContainsFunc(old, func(l string) bool {
			l, ok := changed(trimmed(l))
			return ok && isNew[l] && text.HasLetterOrDigit(l)
		})
	}
	same := has(func(l string) (string, bool) { return l, true })
	less := has(func(l string) (string, bool) { return strings.CutPrefix(l, " ") })
	more := has(func(l string) (string, bool) { return " " + l, true })
	switch {
	case less && !same && !more:
		return mapped(old, func(l string) string { return strings.TrimPrefix(l, " ") }), false
	case more && !same && !less:
		return mapped(old, func(l string) string { return emptied(" " + l) }), false
	}
	return old, !same || less || more
}

// unmarked returns p without the marks of a patch, of which every line has one in front: " ", "-" or "+" (N3). It
// returns nil if p has none, or only spaces, which may be indentation. The new lines keep theirs, and p is torn, if
// they are not marked in the same way: a patch has the same context lines in both texts.
func (p *pattern) unmarked() *pattern {
	if p.e.Hunk != "" || p.isBlank() {
		return nil
	}
	old, ok := withoutMarks(p.old, " -+")
	if !ok || text.CountSolid(old) == 0 {
		return nil
	}
	isMarked := func(l string) bool { return l != "" && l[0] != ' ' }
	all := slices.Concat(p.old, p.new)
	patch := slices.ContainsFunc(all, isMarked)
	if !patch && !slices.Contains(all, " ") { // no line of code is one space
		return nil
	}
	new, ok := withoutMarks(p.new, " +")
	torn := !ok || patch && !slices.Equal(contextOf(p.old), contextOf(p.new)) || !patch && !sharesLine(p.old, p.new)
	if torn {
		new = p.new
	}
	u := p.reread(old, new, p.ignores|marks)
	u.allows, u.torn, u.numbered = upTo(Spacing), torn, p.numbered
	return u
}

// contextOf returns the lines that are marked as context, but for blank ones.
func contextOf(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return text.IsBlank(l) || l[0] != ' ' })
}

// withoutMarks returns lines without their first character, which has to be one of some marks. A line may be empty.
func withoutMarks(lines []string, marks string) (bare []string, ok bool) {
	isUnmarked := func(l string) bool { return l != "" && strings.IndexByte(marks, l[0]) < 0 }
	bare = mapped(lines, func(l string) string { return l[min(1, len(l)):] })
	return bare, !slices.ContainsFunc(lines, isUnmarked)
}

// mismarked returns the problem that only the old lines of an edit have the marks of a patch, each in front, or that
// the space of a context line would count as indentation.
func (x search) mismarked(w *judged) *Problem {
	f := w.at(0)
	torn := f.p.torn
	isAdded := func(l string) bool { return strings.HasPrefix(l, "+") }
	if f.ignores&indents != 0 && slices.ContainsFunc(f.p.new, isAdded) && len(contextOf(f.p.old)) > 0 {
		u := f.p.unmarked()
		torn = u != nil && !u.torn
	}
	if !torn || w.e.Count != 0 {
		return nil
	}
	at := x.v.locate([]text.Span{f.whole()})
	return x.v.problemAt(at, errs.ErrNotFound, "the lines of {old} have the marks of a patch in front (\" \", \"-\", "+
		"\"+\"), and either the lines of {new} are not marked in the same way, or {old} is at %s only with other "+
		"indentation: write both without marks", at)
}

// plainlySpaced returns p with plain spaces for special ones, nil if no old line, or the text, has any.
func (p *pattern) plainlySpaced(typography *text.Typography) *pattern {
	if text.IsASCII(p.e.Old) || typography.Uses(text.Spaces) {
		return nil
	}
	old := mapped(p.old, text.PlainSpaces)
	if slices.Equal(old, p.old) {
		return nil
	}
	return p.reread(old, mapped(p.new, text.PlainSpaces), signs)
}

// elided returns p with its lines of "..." for lines left out, nil if it has none or not as many in old and new text.
func (p *pattern) elided() *pattern {
	var segments []segment
	from := 0
	for i, l := range p.old {
		switch {
		case !omission.IsElision(l):
		case p.keeps(i):
			segments, from = append(segments, p.segment(from, i)), i+1
		case omission.In(l) == omission.Dots: // else it is a comment that the edit removes
			return nil
		}
	}
	isText := func(l string) bool { return !omission.IsElision(l) }
	if len(segments) == 0 || len(slices.DeleteFunc(slices.Clone(p.new), isText)) != len(segments) {
		return nil
	}
	v := *p
	v.segments, v.ignores = append(segments, p.segment(from, len(p.old))), p.ignores|leftOut
	if slices.ContainsFunc(v.segments, func(s segment) bool { return len(s.solid) == 0 }) {
		return nil
	}
	return &v
}

// A line of a patch without prefix may be anything (P5), but is context if the text has just that line at the place.

// unprefixed returns p with all context lines as lines without a prefix, nil if that is the same or cannot be told.
func (p *pattern) unprefixed() *pattern {
	if _, ok := linediff.GroupsOf(p.e.Hunk, p.old, p.new); !ok || !strings.Contains(p.e.Hunk, " ") ||
		!strings.ContainsAny(p.e.Hunk, "?-") {
		return nil
	}
	old, new := slices.Clone(p.old), slices.Clone(p.new)
	for _, s := range linediff.Kept(p.e.Hunk, ' ') {
		if p.keys[s.Old] != "" {
			old[s.Old] = " " + old[s.Old]
			new[s.New] = old[s.Old]
		}
	}
	u := p.reread(old, new, nothing)
	u.allows = upTo(Spacing)
	return u
}

// misprefixed returns the problem that the text does not have a line without a prefix at the place of an edit.
func (x search) misprefixed(w *judged) *Problem {
	f := w.at(0)
	if len(f.p.bare) == 0 || w.e.Count != 0 {
		return nil
	}
	at := f.lines(x.v.Text)
	for _, s := range f.p.bare {
		if f.p.fit(x.v.Text, s.Old, at[s.Old]) != nothing {
			return x.v.lacksPrefix(f.p.old[s.Old], x.v.words.Say("does not have it at %s, where the {edit} belongs",
				x.v.locate([]text.Span{f.whole()})))
		}
	}
	return nil
}

// nowhere returns the problem that the text does not have a line without a prefix anywhere, nil if it has all.
func (x search) nowhere(bare []linediff.Step, old []string) *Problem {
	const most = 20 // each costs a scan of the text
	for _, k := range bare[:min(most, len(bare))] {
		isLine := func(s text.Span) bool {
			return x.v.StartsLine(s.Start) && string(x.v.Bytes(x.v.LineAt(s.Start))) == old[k.Old]
		}
		if !slices.ContainsFunc(x.v.Occurrences(old[k.Old], manyPlaces), isLine) {
			return x.v.lacksPrefix(old[k.Old], "has no such line")
		}
	}
	return nil
}

func (v *version) lacksPrefix(line, file string) *Problem {
	return v.problem(errs.ErrNotFound, "the line %s has no \" \", \"-\" or \"+\" in front of it, and the file %s: "+
		"put \"+\" in front of it if it is new, or \" \" if it is a context line, and copy it exactly then",
		plan.Quote(line), file)
}

// pastedNumbers refuses an edit at a place of v if only its new text has the line numbers of a viewer, in front of some
// lines or of all (N2). They are a viewer's if the line of that number or the indentation of an old line is behind one,
// if they are those of the place, or if they can be nothing else and one is in front of an old line. If a line at the
// place or right beside it begins with a number too, numbers belong to the text.
func (v *version) pastedNumbers(e *Edit, place text.Span) *Problem {
	if !text.AnyNumbered(e.New) {
		return nil
	}
	new := text.Split(e.New)
	some := slices.DeleteFunc(slices.Clone(new), func(l string) bool { return !text.AnyNumbered(l) })
	n, all := text.NumberingOf(new)
	near := 40 // lines around the place: they have excerpts too
	if all {
		some, near = new, 1
	} else if one, ok := text.NumberingOf(some[:1]); !ok || !one.Sure || isExcerpt(new) {
		return nil
	} else {
		n = one
	}
	bare, ok := n.Strip(some)
	old := slices.Concat(text.Split(e.Old), text.Split(string(v.Data[place.Start:place.End])))
	if !ok || slices.ContainsFunc(slices.Concat(old, v.beside(place, near)), n.Fits) {
		return nil
	}
	several, surely := all && len(new) > 1, all && n.IsViewers(new)
	// A list begins at 1.
	isOwn := all && n.First == v.sourceLine(place.Start) && (surely || n.First > 1 && (n.Sure || several))
	isShown := func(l string) bool {
		indent := outline.Indent(l) // all of a blank line
		return surely && copies(l, old) ||
			(n.Sure || several) && indent != "" && indent != l && slices.Contains(indentations(old), indent)
	}
	if isOwn || slices.ContainsFunc(bare, isShown) ||
		len(some) < text.CountSolid(new) && copies(bare[0], []string{v.origin().line(n.First)}) {
		return v.problem(fs.ErrInvalid, "{new} has line numbers in front of its lines, as a viewer shows them, and "+
			"the lines in the file have none: write the lines without the numbers")
	}
	return nil
}

// isExcerpt reports whether lines have one that marks part of a numbered line right above it, as compilers do.
func isExcerpt(lines []string) bool {
	for i, l := range lines {
		if i > 0 && strings.ContainsAny(l, "^~") && strings.Trim(l, " \t^~-|│") == "" && text.AnyNumbered(lines[i-1]) {
			return true
		}
	}
	return false
}

// copies reports whether a line is one of some lines, apart from the whitespace around it, and not merely a bracket.
func copies(l string, lines []string) bool {
	l = strings.Trim(l, text.Space)
	return text.HasLetterOrDigit(l) &&
		slices.ContainsFunc(lines, func(o string) bool { return strings.Trim(o, text.Space) == l })
}

// beside returns the lines around a place that are not blank, some in each direction, "" for one that is not there.
func (v *version) beside(place text.Span, some int) (lines []string) {
	up, down := text.Line{Start: v.LineStart(place.Start)}, text.Line{Next: v.LineStart(place.End)}
	for range some {
		up, down = v.SolidAbove(up), v.SolidBelow(down)
		lines = append(lines, v.content(up), v.content(down))
	}
	return lines
}
