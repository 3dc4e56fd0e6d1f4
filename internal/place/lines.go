package place

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A memory has room for one edit of a batch. Most batches have one edit.
type memory struct {
	judged    [1]judged
	candidate [1]candidate
	splice    [1]text.Splice
	meter     meter
	lessons   lessons
}

// placeLines places edits of whole lines together on a version. First is the index of edits[0] in the request.
func (r *request) placeLines(v *version, first int, edits []Edit) outcome {
	n, m := len(edits), &memory{}
	x := search{v: v, allows: r.allows, meter: &m.meter}
	all := room(&m.judged, n)
	for i := range edits {
		all[i].edit, all[i].e = first+i, &edits[i]
		all[i].done = x.read(&all[i].asked)
	}
	x = x.findAll(all, room(&m.candidate, n))
	x.judge(all)
	m.lessons = lessons{text: v.Text, all: all, lexicon: lexiconOf(v.Text, all)}
	splices := room(&m.splice, n)
	for i := range all {
		switch w := &all[i]; {
		case w.problem != nil:
			w.done = refused(w.problem)
		case w.reading != nil:
			w.done = r.build(x, all[:i+1], &m.lessons, splices[i:i:i+1])
		}
	}
	return x.gather(all)
}

// gather returns the outcome of edits that are placed together. An edit that fits nowhere is late if it asks for a line
// that one before it writes.
func (x search) gather(all []judged) (o outcome) {
	splices, apart := x.v.refuseOverlaps(all)
	fails := slices.ContainsFunc(all, func(w judged) bool { return w.done.problem != nil })
	written := map[string]bool{} // the folded lines that edits so far write, if they are placed
	isWritten := func(key string) bool { return key != "" && written[key] }
	without, with, marked := false, false, 0 // a newline at the end, as the marks of patches ask; the last such edit
	for i := range all {
		w := &all[i]
		o.notes = append(o.notes, w.done.notes...)
		if p := w.done.problem; p == nil {
			if old, new := linediff.LacksNewline(w.e.Hunk); old != new {
				without, with, marked = without || new, with || old, w.edit
			}
		} else if o.refuse(w.edit, p, x.considered(w, p)...); len(w.candidates) == 0 &&
			slices.ContainsFunc(w.plain.keys, isWritten) {
			n := len(o.problems) - 1
			o.late, o.problems = append(o.late, o.problems[n]), o.problems[:n]
		}
		if fails {
			lines := w.plain.added()
			if w.plain.e == nil {
				lines = text.Split(w.e.New)
			}
			for _, l := range lines {
				written[text.Fold(l)] = true
			}
		}
	}
	if apart {
		o.splices = x.v.EndAs(with || x.v.Terminated() && !without, splices, originOf(marked, Exact, endOfFile))
	}
	return o
}

// read reads an edit. If the edit names its place by line numbers, by anchors alone or as the end, it is built already.
func (x search) read(a *asked) (b built) {
	e, v := a.e, x.v
	switch {
	case e.First > 0 && e.Old == "":
		place, msg := lineRange(v, e)
		if msg != "" {
			return refused(plan.Invalid(msg))
		}
		was := string(v.Data[place.Start:place.End])
		old, new := text.Split(was), text.Split(e.New)
		if p := cmp.Or(plan.Damaged(was, e.New, v.Text, v.words), v.pastedNumbers(e, place), v.reaches(place, e),
			v.takesAlong(place, old, new, e), v.isShifted(old, new, e), v.leavesBeside(old, new, e),
			v.doubles(place, old, new, e, true), v.outdents(place, old, new, e), v.separates(place, new, e)); p != nil {
			return refused(p)
		}
		kept := signs.within(x.allows) && text.KeepUnseen(old, new)
		b = v.replaceRange(a, lineNumber, place, new)
		if kept {
			b.notes = append(b.notes, v.note(a.edit, place.Start, "characters of these lines that nobody sees, such "+
				"as no-break spaces, were kept where a line stays the same"))
		}
		if b.problem == nil && len(b.splices) == 0 && was != "" {
			b.problem = v.misnumbered(place, errs.ErrNoChange, "the {edit} changes nothing: {new} is already at "+
				plan.LineSpan(e.First, e.Last-e.First+1)+"; leave it out, or correct its line numbers")
		}
	case e.Old != "":
		if p := plan.Damaged(e.Old, e.New, v.Text, v.words); p != nil {
			return refused(p)
		}
		a.plain = pattern{e: e, oldText: e.Old}
		a.plain.read(e.Old, e.New)
		old, new := linediff.LacksNewline(e.Hunk)
		a.contextOnly = old == new && slices.Equal(a.plain.old, a.plain.new)
		return b
	case len(e.Anchors) > 0:
		b = x.belowAnchors(a)
	case e.AtEnd || len(v.Data) == 0 || e.WholeLines && (e.Near == 0 || e.Near == len(v.lineStarts())):
		b = v.replaceRange(a, endOfFile, text.Span{Start: len(v.Data), End: len(v.Data)}, text.Split(e.New))
		if len(v.Data) == 0 && !e.AtEnd && !e.WholeLines && len(b.splices) == 1 {
			b.splices[0].New = e.New // which need not be whole lines
		}
		if !e.AtEnd && len(v.Data) > 0 {
			b.notes = []Note{v.note(a.edit, len(v.Data),
				"the request does not say where the new lines belong; they were added at the end")}
		}
	default:
		return refused(plan.Invalid(v.words.Say("{old} is empty, so nothing says where {new} belongs: show the lines " +
			"around it")))
	}
	if b.problem == nil && len(b.splices) == 0 {
		b.problem = v.problem(errs.ErrNoChange, "the {edit} changes nothing: leave it out")
	}
	return b
}

// belowAnchors builds an edit without old text below its anchors.
func (x search) belowAnchors(a *asked) built {
	led := x.follow(a.e.Anchors)
	switch {
	case led.missing != "":
		return refused(x.v.noAnchor(led.missing, location{}))
	case len(led.scopes) > 1:
		heads := mapped(led.scopes, func(s text.Span) text.Span { return text.Span{Start: s.Start, End: s.Start} })
		return refused(x.v.ambiguous(x.v.locate(heads), true))
	}
	below := x.v.LineAt(led.scopes[0].Start).Next
	return x.v.replaceRange(a, anchorOnly, text.Span{Start: below, End: below}, text.Split(a.e.New))
}

// replaceRange replaces whole lines with the new lines of an edit.
func (v *version) replaceRange(a *asked, by string, place text.Span, new []string) (b built) {
	var removed []text.Line
	for l := v.LineAt(place.Start); l.Real() && l.Start < place.End; l = v.Below(l) {
		removed = append(removed, l)
	}
	if len(new) > len(removed) {
		b.problem = v.hasInserted(a.e.New, by, place)
	}
	if b.problem == nil && len(removed) == 0 && by != lineNumber {
		b.problem = v.doubles(place, nil, new, a.e, false)
	}
	splices, _ := v.ReplaceLines(nil, originOf(a.edit, Exact, by), place.Start, removed, new)
	returns := strings.Count(a.e.New, "\r\n")
	if len(v.Data) == 0 && returns > 0 && returns == strings.Count(a.e.New, "\n") {
		splices[0].New = strings.ReplaceAll(splices[0].New, "\n", "\r\n") // no line of the text says otherwise
	}
	b.splices = text.MergeTouching(splices)
	return b
}

// lineRange returns where v has the lines that an edit names by numbers of the source, or what is wrong with these.
func lineRange(v *version, e *Edit) (place text.Span, msg string) {
	starts := v.origin().lineStarts()
	lines := len(starts) - 1
	switch {
	case e.Last == 0 && e.First > lines+1:
		return place, fmt.Sprintf("the file has %s, so nothing can be inserted after line %d: read it again",
			plan.CountLines(lines), e.First-1)
	case e.First > lines+1 || e.Last > lines:
		return place, fmt.Sprintf("the file has %s, so there is no line %d: read it again", plan.CountLines(lines),
			max(e.First, e.Last))
	}
	start := starts[e.First-1]
	end := max(start, starts[e.Last])
	at, by := v.unchanged(text.Span{Start: start, End: end})
	if by >= 0 {
		return place, v.words.Say("%s has already changed these lines: combine the two {edit}s into one",
			v.words.Nth(by))
	}
	return text.Span{Start: at, End: at + end - start}, ""
}

// findAll finds the candidates of all edits that have an old text: the exact ones first, and only where there are none
// those of other readings. It searches the bytes, or an index of lines that all edits share, and returns the search
// with that index. Exact candidates are in room if it is enough.
func (x search) findAll(all []judged, room []candidate) search {
	const few = 16 // searches cost less than an index
	if len(all) > few {
		x.index = text.NewIndex(x.v.Text, keysOf(all))
	}
	var rest []*judged
	for i := range all {
		w := &all[i]
		if w.plain.e == nil {
			continue
		}
		w.finding = x.exact(&w.plain, room[i:i:i+1])
		if len(w.candidates) > 0 && w.e.Count == 0 {
			continue
		}
		w.readings = readings(&w.plain, &x.v.typography, len(w.candidates) == 0)
		rest = append(rest, w)
	}
	if len(rest) == 0 {
		return x
	}
	x.index = text.NewIndex(x.v.Text, keysOf(all))
	for _, w := range rest {
		w.finding = x.find(w.readings)
	}
	return x
}

// keysOf returns the keys of all lines that searches may ask for. Those of new text find a change that is made already.
func keysOf(all []judged) text.Keys {
	ids := make(text.Keys, 8*len(all))
	for i := range all {
		w := &all[i]
		ids.Add(w.plain.keys...)
		ids.AddLines(w.e.Anchors)
		for _, g := range w.plain.groups {
			ids.AddLines(w.plain.new[g.NewFrom:g.NewTo])
		}
		for _, p := range w.readings {
			ids.Add(p.keys...)
			if p.ignores&(numbers|marks) != 0 {
				ids.AddLines(p.new)
			}
		}
		if w.readings != nil {
			for _, u := range undamaged(w.e.Old) {
				ids.AddLines(text.Split(u.text))
			}
		}
	}
	return ids
}

// build builds the last of the edits so far, of which the others are built, at its candidates.
func (r *request) build(x search, all []judged, ls *lessons, room []text.Splice) built {
	w := &all[len(all)-1]
	if w.repeats != nil && !w.contextOnly {
		return built{notes: []Note{x.v.note(w.edit, -1, "%s is the same as %s: the change was made once",
			x.v.words.Nth(w.edit), x.v.words.Nth(w.repeats.edit))}}
	}
	if len(w.candidates) == 0 {
		return refused(r.explain(x, all))
	}
	if p := cmp.Or(x.unsettled(w), x.mismarked(w), x.v.repeats(w), x.misprefixed(w)); p != nil {
		return refused(p)
	}
	return x.buildAll(w, ls, room)
}

// unsettled refuses an edit that fits in several places, or not in as many as it says.
func (x search) unsettled(w *judged) *Problem {
	switch n := len(w.candidates); {
	case w.e.Count == 0 && n > 1 && !w.contextOnly:
		at := x.locationOf(&w.finding)
		if w.reading != nil && len(w.reading.segments) > 1 && w.candidates[0].Start == w.candidates[n-1].Start {
			return x.v.vague(at)
		}
		return x.v.ambiguous(at, false)
	case w.e.Count > 0 && n != w.e.Count:
		at := x.locationOf(&w.finding)
		return x.v.problemAt(at, errs.ErrCount, "{old} is there %s, at %s, not %s as the request says: correct the "+
			"count, or {old}", plan.Times(len(at.lines)), at, plan.Times(w.e.Count))
	}
	return nil
}

// buildAll builds an edit at its candidate, or at all its candidates if it has a count.
func (x search) buildAll(w *judged, ls *lessons, room []text.Splice) (b built) {
	all, by := w.candidates, everyPlace
	if w.e.Count == 0 {
		all, by = all[:1], w.by
	}
	for k, c := range all {
		here := build(x.v, w.at(k), originOf(w.edit, c.ignores.class(), by), ls, room)
		switch {
		case here.problem != nil:
			return here
		case k == 0:
			b, room = here, nil
			continue
		case all[k-1].End > c.Start || meetAt(b.splices, here.splices):
			return refused(x.v.problem(errs.ErrOverlap,
				"places of {old} overlap: show more lines, so that they do not"))
		case here.own != b.own:
			return refused(x.v.problem(errs.ErrNotFound,
				"{new} is indented as the file is at only some of the places of {old}, which are at %s: send an "+
					"{edit} for each depth", x.locationOf(&w.finding)))
		}
		b.splices, b.notes = append(b.splices, here.splices...), append(b.notes, here.notes...)
	}
	switch old, new := linediff.LacksNewline(w.e.Hunk); {
	case w.contextOnly && len(b.splices) == 0:
		b.notes = append(b.notes, x.v.note(w.edit, -1, "%s changes nothing: it can only show where the others belong",
			x.v.words.Nth(w.edit)))
	case len(b.splices) == 0 && old == new:
		b.problem = x.v.applied(w.candidates[0].whole(), "the change is already there, at %s: leave the {edit} out")
	default:
		x.fitNotes(w, func(at int, format string, args ...any) {
			b.notes = append(b.notes, x.v.note(w.edit, at, format, args...))
		})
	}
	return b
}

// meetAt reports whether the last of some splices reaches into those after it: two places may claim a blank line.
func meetAt(splices, after []text.Splice) bool {
	n := len(splices)
	return n > 0 && len(after) > 0 && after[0].Start < splices[n-1].End
}

// fitNotes adds notes on what the fit of an edit ignores.
func (x search) fitNotes(w *judged, add func(at int, format string, args ...any)) {
	f, at := w.candidates[0], w.candidates[0].whole().Start
	if f.ignores != nothing {
		done := ""
		switch f.ignores.class() {
		case Indentation:
			done = "; the new lines have the indentation of the file"
		case Elision:
			done = ", which were kept"
		}
		if f.ignores&(numbers|marks) != 0 {
			done += "; the new lines are without them"
		}
		add(at, "{old} differs from the file in "+f.ignores.String()+done)
	}
	if w.how != "" && w.e.Count == 0 {
		add(at, "{old} is there more than once: this place was chosen by "+w.how)
	}
	x.v.nearNote(w.asked, at, add)
	if w.e.Count != 0 && len(w.steps) > 0 && w.steps[0].by == closestFit {
		add(-1, leftAlone, len(w.steps[0].before)-len(w.steps[0].after))
	}
}

// leftAlone is a note on the places that fit less well than those that an edit with a count changes.
const leftAlone = "places that fit less well, and were left alone: %d"

// nearNote notes that an edit is not at the line that the request names. The numbers of patches are often off.
func (v *version) nearNote(a asked, at int, add func(at int, format string, args ...any)) {
	if a.e.Near != 0 && a.e.Hunk == "" && a.e.Count == 0 && v.numbers.At(at) != v.current(a.e.Near) {
		add(at, "{old} was at line %d before, not at line %d as the request says", v.sourceLine(at), a.e.Near)
	}
}

// A claim is a piece of the text that an edit changes, and the splices that it makes there.
type claim struct {
	text.Span
	splices []text.Splice
	edit    int // index among those that are placed together
}

// refuseOverlaps refuses edits that change the same lines, or insert at the same point (J6); apart is true without any.
// It returns all splices in the order of their places. An edit by line numbers claims all of its lines.
func (v *version) refuseOverlaps(all []judged) (splices []text.Splice, apart bool) {
	if len(all) == 1 {
		return all[0].done.splices, all[0].done.problem == nil
	}
	claims := make([]claim, 0, len(all))
	for i := range all {
		switch e, b := all[i].e, all[i].done; {
		case b.problem != nil:
		case e.First > 0 && e.Old == "":
			place, _ := lineRange(v, e)
			claims = append(claims, claim{place, b.splices, i})
		default:
			for k, s := range b.splices {
				claims = append(claims, claim{text.Span{Start: s.Start, End: s.End}, b.splices[k : k+1], i})
			}
		}
	}
	sort.SliceStable(claims, func(i, j int) bool {
		a, b := claims[i], claims[j]
		return a.Start < b.Start || a.Start == b.Start && a.End < b.End
	})
	apart = true
	for i, c := range claims {
		splices = append(splices, c.splices...)
		if i == 0 {
			continue
		}
		p := claims[i-1]
		earlier, later := min(p.edit, c.edit), max(p.edit, c.edit)
		appends := p.Start == len(v.Data) && all[earlier].e.Old == "" && all[later].e.Old == ""
		isTwice := c.writesAgain(p)
		if earlier == later || c.Start >= p.End && (c.Span != p.Span || appends) && !isTwice {
			continue
		}
		apart = false
		what := "changes the same lines as"
		switch {
		case c.Start == c.End && p.Start == p.End:
			what = "inserts text at the same point as"
		case isTwice:
			what = "writes the same lines as"
		}
		all[later].done.problem = v.problem(errs.ErrOverlap, "it %s %s, at %s: combine the two {edit}s into one", what,
			v.words.Nth(all[earlier].edit), v.locate([]text.Span{c.Span}))
	}
	return splices, apart
}

// writesAgain reports whether one of two claims inserts lines right beside the other, which begins or ends with them.
func (c claim) writesAgain(p claim) bool {
	if len(p.splices) == 0 || len(c.splices) == 0 {
		return false
	}
	above, below := p.splices[len(p.splices)-1], c.splices[0]
	again := ""
	switch {
	case above.End != below.Start:
	case above.Start == above.End && strings.HasPrefix(below.New, above.New):
		again = above.New
	case below.Start == below.End && strings.HasSuffix(above.New, below.New):
		again = below.New
	}
	return text.LettersAndDigits(again) >= news
}
