package place

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A change may have been made already: then the text reads as the new text of the edit, and the edit is refused (J8).
// Every check compares how well a place reads as the new text with how well the places of the old text read as that. An
// edit whose new text contains the old one fits exactly in its own result: there, the lines around its place tell.

// already returns the problem that the change of w has been made: a place reads as the new text better than every place
// of the old one. A reason may leave only some of the places of each. Line is the one that the request names, 0 if none
// counts. How says why the place is better, for an old text that is somewhere.
func (x search) already(w *judged, leave func(x search, w *judged), line int, how string) *Problem {
	old, new := *w, judged{asked: w.asked, finding: x.findNew(w)}
	if leave != nil && len(new.candidates) > 0 {
		leave(x, &new)
		leave(x, &old)
	}
	if old.tooMany || len(old.candidates) == 0 && !new.isUnique() {
		return nil
	}
	for k := range new.candidates {
		here := new.at(k)
		isNoWorse := func(c candidate) bool { return !x.readsBetter(here, c, line) }
		if slices.ContainsFunc(old.candidates, isNoWorse) || x.byChance(w, here) {
			continue
		}
		if len(w.candidates) == 0 {
			return x.v.applied(here.whole(),
				"{old} is not there, but {new} is, at %s: the change seems to have been made already; if so, leave "+
					"the {edit} out")
		}
		return x.v.applied(here.whole(), "{new} is already there, at %s, and "+how)
	}
	return nil
}

// readsBetter reports whether a place reads as the new text better than another one as the old text: it ignores less,
// it ignores no more, and is at a line, or so near that the line would choose it. A string has to be at that very line.
// An old text with lines left out or words misspelled may fit in its own result.
func (x search) readsBetter(new placement, old candidate, line int) bool {
	d := x.distance(new.candidate, line)
	isNearer := new.p != nil && d <= min(near, x.distance(old, line)/2) && !old.ignores.isBetter(new.ignores)
	return new.ignores.isBetter(old.ignores) || line > 0 && (d == 0 || isNearer) ||
		old.ignores&(words|leftOut) != 0 && meets(new.whole(), old.whole())
}

// byChance reports whether the text may have the new text at a place by chance: one line of other words, unless it fits
// exactly where the old text does not; or lines that stay when others go, if the old text fits there or nowhere.
func (x search) byChance(w *judged, here placement) bool {
	old, new := w.lines()
	isSure := here.p != nil && here.p.numbered != nil || here.ignores == nothing && len(w.candidates) > 0
	covers := func(c candidate) bool { return meets(here.whole(), c.whole()) }
	return !isSure && text.CountSolid(new) == 1 && !linediff.ShareWords(old, new) ||
		!text.AddsWords(old, new) && (len(w.candidates) == 0 || slices.ContainsFunc(w.candidates, covers))
}

// findNew returns the candidates of new text that says something, or has several lines, in the reading of the old one.
func (x search) findNew(w *judged) (f finding) {
	const several = 2
	p := w.reading
	_, new := w.lines()
	switch {
	case !slices.ContainsFunc(new, text.Substantial) && text.CountSolid(new) < several:
		return f
	case p == nil:
		isThere := func(s text.Span) candidate { return candidate{Span: s} }
		return finding{candidates: mapped(x.v.Occurrences(w.e.New, manyPlaces), isThere)}
	}
	done := p.reread(p.new, p.new, p.ignores&^leftOut)
	done.numbered = p.numbered
	if w.readings == nil {
		return x.exact(done, nil)
	}
	done.groups = mapped(p.groups, func(g linediff.Group) linediff.Group { // what these add has to be there as written
		return linediff.Group{OldFrom: g.NewFrom, OldTo: g.NewTo, NewFrom: g.NewFrom, NewTo: g.NewTo}
	})
	readings := []*pattern{done}
	if e := done.elided(); e != nil && len(p.segments) > 1 {
		readings = append(readings, e)
	}
	return x.find(readings)
}

func meets(a, b text.Span) bool { return a.Start < b.End && b.Start < a.End }

// hasInserted returns the problem that the text has all lines of an edit that names its place, where it would put them:
// right above the end of the text, or from another place on, or above that if they are several. Lines that the request
// itself has written do not count. If the edit only adds blank lines, these have to be there too.
func (v *version) hasInserted(new, by string, place text.Span) *Problem {
	l, keys := text.Line{Start: place.Start, End: place.Start, Next: place.Start}, text.SolidKeys(text.Split(new))
	const several = 2
	here, ok := text.Span{}, false
	if by == endOfFile || len(keys) >= several {
		here, ok = v.readsAround(l, l, keys, nil)
	}
	if !ok {
		here, ok = v.readsAround(l, l, nil, keys)
		ok = ok && (here.End > place.End || strings.HasPrefix(string(v.Data[place.Start:]), new))
	}
	if !ok || !slices.ContainsFunc(keys, text.Substantial) || v.isWritten(here) {
		return nil
	}
	instead := "show the lines around it as {old}"
	if by == lineNumber {
		instead = "replace the lines, and send them twice"
	}
	return v.applied(here, "{new} is already there, at %s: leave the {edit} out; if it is meant to be there twice, "+
		instead)
}

// again refuses an edit that would be made twice at a piece of the text.
func (v *version) again(here text.Span, e *Edit) *Problem {
	const there = "{new} is already there, with {old} in it, at %s: leave the {edit} out"
	if e.Count != 0 {
		return v.applied(here, there+", or send one {edit} for each place that is to change")
	}
	return v.applied(here, there+"; if it is meant to be there twice, show more of the text around it")
}

// repeats returns the problem that the text around every place reads as the new text, or misfits it at the only place.
// If the new text of an edit with a count adds words, one of the places is enough.
func (v *version) repeats(w *judged) (p *Problem) {
	isOne := w.e.Count != 0 && text.HasLetterOrDigit(strings.Replace(w.e.New, w.e.Old, "", 1))
	for k, c := range w.candidates {
		if w.reading == nil {
			p = v.readsSo(c.Span, w.e)
		} else {
			p = v.linesReadSo(w.at(k))
		}
		if (p != nil) == isOne {
			break
		}
	}
	switch {
	case p == nil && w.e.Count == 0:
		p = v.misfits(w)
	case p == nil && w.reading == nil:
		for _, c := range w.candidates[:min(len(w.candidates), manyPlaces)] {
			p = cmp.Or(p, v.reaches(c.Span, w.e))
		}
	}
	return p
}

// readsSo returns the problem that the text around a place reads as the new text of a substring edit.
func (v *version) readsSo(at text.Span, e *Edit) *Problem {
	if !strings.Contains(e.New, e.Old) {
		return nil
	}
	old, new := string(v.Data[at.Start:at.End]), v.WithEndings(at, e.New)
	more := strings.Replace(new, old, " ", 1)
	hasWords := text.HasLetterOrDigit(more)
	if text.IsBlank(more) {
		return nil // a line that is to be deeper
	}
	for i := range copiesOf(new, old) {
		if e.Count != 0 && !hasWords && isMoreOf(old, new[:i], new[i+len(old):]) {
			continue // a heading further down, for instance
		}
		here := text.Span{Start: at.Start - i, End: at.Start - i + len(new)}
		if here.Start >= 0 && bytes.HasPrefix(v.Data[here.Start:], []byte(new)) && (hasWords ||
			!strings.Contains(more, "\n") || outline.HaveBracketsAlike(text.Split(new), v.wholeLines(here))) {
			return v.again(here, e)
		}
	}
	return nil
}

// isMoreOf reports whether a new text has nothing but more of the signs that its old text begins or ends with.
func isMoreOf(old, above, below string) bool {
	above, below = strings.TrimSpace(above), strings.TrimSpace(below)
	return below == "" && strings.Trim(above, old[:1]) == "" ||
		above == "" && strings.Trim(below, old[len(old)-1:]) == ""
}

// wholeLines returns the lines of a piece of the text, the first from where it starts.
func (v *version) wholeLines(piece text.Span) []string {
	return text.Split(string(v.Data[v.LineStart(piece.Start):piece.End]))
}

// linesReadSo does the same for an edit of whole lines. It ignores blank lines, and what folding a line ignores.
func (v *version) linesReadSo(f placement) *Problem {
	p := f.p
	if len(p.segments) != 1 || p.isBlank() || text.CountSolid(p.new) <= len(p.segments[0].solid) {
		return nil
	}
	if older, newer := linediff.LacksNewline(p.e.Hunk); older != newer &&
		older != bytes.HasSuffix(v.Data, []byte("\n")) {
		return nil // the end of the file is still to change
	}
	old, new := text.SolidKeys(p.old), text.SolidKeys(p.new)
	all, part := joinedKeys(new), joinedKeys(old)
	for i := range copiesOf(all, part) {
		k := strings.Count(all[:i], "\n")
		solid, lines := p.segments[0].solid, f.lines(v.Text)
		here, ok := v.readsAround(lines[solid[0]], lines[solid[len(solid)-1]], new[:k], new[k+len(old):])
		if ok && (f.ignores&indents != 0 || outline.HaveBracketsAlike(p.new, v.wholeLines(here))) {
			return v.again(here, p.e)
		}
	}
	return nil
}

// doubles returns the problem that new lines, some of which are others than the old ones, end with lines that stand
// right below the place already, or begin with lines that stand right above it: they would be there twice. Exact says
// that the new lines are as deep as they will be, and no hunk of a diff.
func (v *version) doubles(place text.Span, old, new []string, e *Edit, exact bool) *Problem {
	const most = 50
	if l := repeatedContext(old, new); l != "" {
		return v.problem(errs.ErrApplied,
			"{new} has the same lines twice in a row, from %s on: leave the first of them out, or send one {edit} "+
				"for each", plan.Quote(strings.TrimSpace(l)))
	}
	first, last := v.LineAt(v.LineStart(place.Start)), v.LineAt(v.LineStart(max(place.End-1, place.Start)))
	if place.Start == place.End { // between two lines
		first = text.Line{Start: place.Start, End: place.Start, Next: place.Start}
		last, exact = first, false
	}
	if e.Hunk == "" && text.LettersAndDigits(e.New) >= news && v.spacesTwice(first, last, old, new) {
		return v.problem(errs.ErrApplied,
			"{new} begins or ends with a blank line, {old} does not, and there is one beside it already: leave it "+
				"out of {new}, or show it in {old} as well")
	}
	if !v.isAdded(v.SolidAbove(first), old, new) && !v.isAdded(v.SolidBelow(last), old, new) ||
		v.isWritten(v.lookedAt(place, e.New)) {
		return nil
	}
	was, is := text.SolidKeys(old), text.SolidKeys(new)
	isLost := place.Start > first.Start && isDeeper(v.content(first), new[len(new)-1]) // of a string within its line
	twice := func(lines, above, below []string, ends, where string) *Problem {
		here, ok := v.readsAround(first, last, above, below)
		if !ok {
			return nil
		}
		piece, rest := text.Span{Start: last.Next, End: here.End}, is[:len(is)-len(lines)]
		if above != nil {
			piece, rest = text.Span{Start: here.Start, End: first.Start}, is[len(lines):]
		}
		if len(was) == 0 && arePaired(e.New) && !arePaired(joinedKeys(rest)) { // they pair within the new lines
			return nil
		}
		isSame := exact && (above != nil || !isLost) && v.isSame(piece, old, new, above == nil) &&
			(slices.ContainsFunc(lines, text.HasWord) || !v.othersChangePairs(e))
		if !isNews(was, lines) && !isSame || v.othersTake(piece, lines, e, above == nil) {
			return nil
		}
		return v.twice(e, ends+" with text that is right "+where, "from %s on", lines[0])
	}
	for n := min(len(is)-1, most); n > 0; n-- {
		end, begin := is[len(is)-n:], is[:n]
		if p := cmp.Or(twice(end, nil, end, "ends", "below"), twice(begin, begin, nil, "begins", "above")); p != nil {
			return p
		}
	}
	return nil
}

// isSame reports whether new lines end, unlike the old ones, with those of a piece below to the letter, or begin with
// those of one above. The text has them once there. One of them has a word, or is deeper than column 0 and no number.
// They do not close what the new lines may open, or the other way round.
func (v *version) isSame(piece text.Span, old, new []string, below bool) bool {
	lines := text.Split(string(v.Data[piece.Start:piece.End]))
	n := len(lines)
	furthest, beyond := lines[0], v.content(v.Above(text.Line{Start: piece.Start}))
	end := func(all []string) []string { return all[:min(n, len(all))] }
	if below {
		furthest, beyond = lines[n-1], v.content(v.Below(text.Line{Next: piece.End}))
		end = func(all []string) []string { return all[max(len(all)-n, 0):] }
	}
	says := func(l string) bool {
		return text.HasWord(l) || isIndented(l) && !text.IsBlank(l) && !strings.ContainsAny(l, "0123456789")
	}
	isPaired := func(l string) bool {
		return outline.Indent(l) == outline.Indent(furthest) && !text.IsBlank(l) && mayClose(l) != mayClose(furthest) &&
			!slices.Contains(old, l) && !slices.Contains(lines, l)
	}
	return slices.Equal(end(new), lines) && !slices.Equal(end(old), lines) && lines[0] != beyond &&
		lines[n-1] != beyond && slices.ContainsFunc(lines, says) && !slices.ContainsFunc(new, isPaired)
}

// mayClose reports whether a line begins with a bracket or a tag that closes something, or with a word for an end.
func mayClose(l string) bool {
	body := strings.TrimPrefix(strings.ToLower(strings.TrimLeft(l, text.Space+"#.@<{%-=?+\\")), "php ")
	return closesBlock(l) || closesBlock(body) || strings.HasPrefix(body, "end") || strings.HasPrefix(body, "/") ||
		strings.HasPrefix(body, "```") || outline.ClosesScope(body)
}

// othersTake reports whether other edits than e take lines of a piece below its place, or above it: a range or old
// texts have them more often than the new text has, or a new text puts something between the place and them.
func (v *version) othersTake(piece text.Span, lines []string, e *Edit, below bool) bool {
	source, from := v.origin(), v.sourceLine(piece.Start)
	to := from + bytes.Count(v.Data[piece.Start:piece.End], []byte("\n")) - 1
	joined := func(s string) string { return joinedKeys(text.SolidKeys(text.Split(s))) }
	takes := func(l, old, new string) bool {
		return strings.Count(joined(old), "\n"+l+"\n") > strings.Count(joined(new), "\n"+l+"\n")
	}
	stays := func(l string) bool {
		return !source.isShown(l, e, func(old, new string) bool { return takes(l, old, new) })
	}
	parts := func(old, new string) bool {
		was, is, l := joined(old), joined(new), "\n"+lines[0]+"\n"
		if !below {
			l = "\n" + lines[len(lines)-1] + "\n"
			return strings.HasSuffix(was, l) && !strings.HasSuffix(is, l)
		}
		return strings.HasPrefix(was, l) && !strings.HasPrefix(is, l)
	}
	isTaken := func(o Edit) bool {
		return o.Old == "" && 0 < o.First && o.First <= max(from, to) && from <= o.Last &&
			slices.ContainsFunc(lines, func(l string) bool { return takes(l, source.oldOf(&o), o.New) })
	}
	return !slices.ContainsFunc(lines, stays) || source.isShown(lines[0], e, parts) ||
		slices.ContainsFunc(source.edits, isTaken)
}

// spacesTwice reports whether new lines begin or end with a blank line, unlike the old ones, right beside one of the
// text, which has no two blank lines in a row elsewhere. An edit that adds nothing else is meant.
func (v *version) spacesTwice(first, last text.Line, old, new []string) bool {
	n, m := len(old)-1, len(new)-1
	if n < 0 || text.CountSolid(new) == 0 {
		return false
	}
	isBlank := func(l text.Line) bool { return l.Real() && text.IsBlank(v.Bytes(l)) }
	isTwice := text.IsBlank(new[m]) && !text.IsBlank(old[n]) && isBlank(v.Below(last)) ||
		text.IsBlank(new[0]) && !text.IsBlank(old[0]) && isBlank(v.Above(first))
	return isTwice && !slices.Equal(text.SolidKeys(old), text.SolidKeys(new)) &&
		!bytes.Contains(v.Data, []byte("\n\n\n")) && !bytes.Contains(v.Data, []byte("\n\r\n\r\n"))
}

// repeatedContext returns a line of several that new adds to old, beside others, right above or below the lines that
// they equal: the model has shown lines around what it adds as new ones too. It returns "" if there are none.
func repeatedContext(old, new []string) string {
	const fewest, most = 3, 50
	if len(new) <= len(old)+fewest {
		return ""
	}
	was, is := text.SolidKeys(old), text.SolidKeys(new)
	head, tail := text.EqualEnds(was, is)
	if head+tail < len(was) {
		return ""
	}
	added, above, below := is[head:len(is)-tail], was[:head], was[head:]
	for n := min(len(added)-1, most); n >= fewest; n-- {
		for _, lines := range [...][2][]string{
			{added[:n], above[max(0, head-n):]}, {added[len(added)-n:], below[:min(n, len(below))]},
		} {
			if slices.Equal(lines[0], lines[1]) && isNews(nil, lines[0]) {
				return lines[0][max(0, slices.IndexFunc(lines[0], text.Substantial))]
			}
		}
	}
	return ""
}

// misfits returns the problem that new lines cannot be meant beside the lines of the text.
func (v *version) misfits(w *judged) *Problem {
	place := w.candidates[0].whole()
	if p := cmp.Or(v.pastedNumbers(w.e, place), v.reaches(place, w.e)); p != nil {
		return p
	}
	if w.reading != nil && len(w.reading.segments) != 1 ||
		w.reading == nil && strings.Count(w.e.Old, "\n")+strings.Count(w.e.New, "\n") == 0 &&
			!text.IsSpace(w.e.Old[0]) {
		return nil
	}
	old, new := w.lines()
	isAsDeep := w.candidates[0].ignores&indents == nothing
	p := v.doubles(place, old, new, w.e, isAsDeep && w.e.Hunk == "")
	hidden := string(v.Data[v.LineStart(place.Start):place.Start])
	if p == nil && isAsDeep && text.IsBlank(hidden) && (hidden == "" || !text.IsSpace(w.e.Old[0])) {
		if hidden != "" && len(new) > 0 { // by a string that begins behind it
			old, new = text.Split(hidden+w.e.Old), text.Split(hidden+w.e.New)
		}
		p = v.outdents(place, old, new, w.e)
	}
	return p
}

// isAdded reports whether new lines have a line of the file, but for space around it, more often than old ones.
func (v *version) isAdded(l text.Line, old, new []string) bool {
	line := strings.TrimSpace(v.content(l))
	count := func(lines []string) (n int) {
		for _, l := range lines {
			if strings.TrimSpace(l) == line {
				n++
			}
		}
		return n
	}
	return l.Real() && count(new) > count(old)
}

// isShown reports whether another edit than e has a folded line in its old text, and isSo holds for its two texts.
func (v *version) isShown(l string, e *Edit, isSo func(old, new string) bool) bool {
	if v.showing == nil {
		v.showing = map[string][][2]string{}
		for _, e := range v.edits {
			this := [...]string{e.Old, e.New}
			for _, l := range text.Split(e.Old) {
				l = text.Fold(l)
				if all := v.showing[l]; len(all) < 2 && !slices.Contains(all, this) {
					v.showing[l] = append(all, this)
				}
			}
		}
	}
	own := [...]string{e.Old, e.New}
	return slices.ContainsFunc(v.showing[l], func(o [2]string) bool { return o != own && isSo(o[0], o[1]) })
}

// news is how many letters and digits say more than a text may have anywhere.
const news = 7

// isNews reports whether lines that are not among the old ones say more than a text may have anywhere, or one of them
// opens a body or leaves one, as no line does twice in a row.
func isNews(old, lines []string) bool {
	n, has := 0, false
	for _, l := range lines {
		if slices.Contains(old, l) {
			continue
		}
		if text.HasLetterOrDigit(l) && (outline.Opens(l) || outline.EndsScope(l) && !outline.ClosesScope(l)) {
			return true
		}
		n, has = n+text.LettersAndDigits(l), has || text.Substantial(l)
	}
	return has && n >= news
}

// copiesOf yields where a text has the first copies of a part. More than one is rare.
func copiesOf(all, part string) iter.Seq[int] {
	const most = 4
	return func(yield func(int) bool) {
		for from, tries := 0, 0; tries < most; tries++ {
			i := strings.Index(all[from:], part)
			if i < 0 || !yield(from+i) {
				return
			}
			from += i + 1
		}
	}
}

// joinedKeys returns keys as one string in which each is between two newlines.
func joinedKeys(keys []string) string { return "\n" + strings.Join(keys, "\n") + "\n" }

// readsAround returns the piece from the solid lines above a line to those below another, if these have the keys.
func (v *version) readsAround(first, last text.Line, above, below []string) (here text.Span, ok bool) {
	for _, key := range slices.Backward(above) {
		if first = v.SolidAbove(first); text.Fold(v.content(first)) != key {
			return here, false
		}
	}
	for _, key := range below {
		if last = v.SolidBelow(last); text.Fold(v.content(last)) != key {
			return here, false
		}
	}
	return text.Span{Start: first.Start, End: last.Next}, true
}
