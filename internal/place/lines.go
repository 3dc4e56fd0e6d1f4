package place

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/linediff"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A batch has the memory for edits that are placed together. Most batches have one edit.
type batch struct {
	one     [1]pending
	meter   meter
	cache   cache
	lessons lessons
}

// placeLines places edits of whole lines together on a version. First is the index of edits[0] in the request.
func (r *request) placeLines(v *version, first int, edits []Edit) (o outcome) {
	b := &batch{meter: meter{size: len(v.Data)}}
	all := b.one[:]
	if len(edits) > 1 {
		all = make([]pending, len(edits))
	}
	x := search{v: v, allows: r.allows, meter: &b.meter, cache: &b.cache}
	for i := range edits {
		w := &all[i]
		w.edit, w.e = first+i, &edits[i]
		o.notes = append(o.notes, r.read(x, w)...)
	}
	x = x.findCandidates(all)
	x.judge(all)
	ls := &b.lessons
	*ls = lessons{text: v.Text, all: all, lexicon: lexiconOf(v.Text, all)}
	for i := range all {
		o.notes = append(o.notes, r.buildEdit(x, all, &all[i], ls)...)
	}
	apart, late := refuseOverlaps(v, all), dependents(all)
	var without, with bool // a newline at the end, as the marks of patches ask
	marked := 0            // the last edit with such a mark
	for i := range all {
		w := &all[i]
		if w.problem != nil && w.reading != nil {
			w.problem.Candidates = append(w.problem.Candidates, x.considered(w)...)
		}
		switch {
		case w.problem == nil:
		case late[w.edit]:
			o.late = append(o.late, w)
			continue
		default:
			o.refuse(w.edit, w.problem)
			continue
		}
		if o.splices == nil {
			o.splices = w.splices
		} else {
			o.splices = append(o.splices, w.splices...)
		}
		if old, new := linediff.LacksNewline(w.e.Hunk); old != new {
			without, with, marked = without || new, with || old, w.edit
		}
	}
	if !apart {
		o.splices = nil
		return o
	}
	text.SortSplices(o.splices)
	o.splices = v.EndAs(with || v.Terminated() && !without, o.splices, originOf(marked, Exact, endOfFile))
	return o
}

// read reads an edit. If the edit names its place by line numbers, by anchors alone or as the end, read places it too.
func (r *request) read(x search, w *pending) (notes []note) {
	e := w.e
	switch {
	case e.First < 0 || e.Last < 0 || e.Last != 0 && e.Last < e.First || e.Count < plan.All || e.Near < 0:
		w.problem = plan.Invalid("the line numbers are negative or reversed, or the count is below -1: correct them")
	case e.First > 0 && e.Old != "":
		w.problem = plan.Invalid("the edit has both line numbers and an old text: give only one of them")
	case e.First > 0:
		start, end, msg := lineRange(x.v, e)
		if msg != "" {
			w.problem = plan.Invalid(msg)
			return nil
		}
		if start < end { // else there is nothing that could be left out
			if w.problem = plan.Placeholder(string(x.v.Data[start:end]), e.New, x.v.Text); w.problem != nil {
				return nil
			}
		}
		w.replaceRange(x.v, lineNumber, start, end)
	case e.Old != "":
		if w.problem = plan.Placeholder(e.Old, e.New, x.v.Text); w.problem != nil {
			return nil
		}
		w.plain = pattern{e: e, oldText: e.Old}
		w.plain.read(e.Old, e.New)
		old, new := linediff.LacksNewline(e.Hunk)
		w.contextOnly = old == new && slices.Equal(w.plain.old, w.plain.new)
		w.reading = &w.plain
	case len(e.Anchors) > 0:
		x.readAnchors(w)
	case e.AtEnd || e.WholeLines && (e.Near == 0 || len(x.v.Data) == 0 || e.Near == len(x.v.lineStarts())):
		if !e.AtEnd && len(x.v.Data) > 0 {
			notes = []note{{w.edit, len(x.v.Data), "the request does not say where the new lines belong; they were added at the end"}}
		}
		w.replaceRange(x.v, endOfFile, len(x.v.Data), len(x.v.Data))
	default:
		w.problem = plan.Invalid("the old text is empty, so nothing says where the new text belongs: show the lines around it")
	}
	if w.problem == nil && len(w.splices) == 0 && w.reading == nil {
		w.problem = &Problem{Err: errs.ErrNoChange, Msg: "the edit changes nothing: leave it out"}
	}
	return notes
}

// readAnchors places an edit without old text below its anchors.
func (x search) readAnchors(w *pending) {
	led := x.follow(w.e.Anchors, anchorScopes{})
	switch {
	case led.missing != "":
		w.missing = led.missing
		w.problem = x.v.misplaced(w, location{})
	case len(led.scopes) > 1:
		heads := make([]text.Span, len(led.scopes))
		for i, s := range led.scopes {
			heads[i] = text.Span{Start: s.start, End: s.start}
		}
		w.problem = x.v.ambiguous(x.v.locate(heads), theAnchor)
	default:
		at := x.v.LineAt(led.scopes[0].start).Next
		w.replaceRange(x.v, anchorOnly, at, at)
	}
}

// replaceRange replaces the lines between two line starts with the new lines of the edit, as they are.
func (w *pending) replaceRange(v *version, by string, start, end int) {
	var removed []text.Line
	for at := start; at < end; {
		l := v.LineAt(at)
		removed, at = append(removed, l), l.Next
	}
	new := text.Split(w.e.New)
	if len(new) > len(removed) {
		w.problem = v.hasInserted(w.e, by, start)
	}
	splices, _ := v.ReplaceLines(nil, originOf(w.edit, Exact, by), start, removed, new)
	if returns := strings.Count(w.e.New, "\r\n"); len(v.Data) == 0 && returns > 0 && returns == strings.Count(w.e.New, "\n") {
		splices[0].New = strings.ReplaceAll(splices[0].New, "\n", "\r\n") // no line of the text says otherwise
	}
	w.by, w.splices = by, text.MergeTouching(splices)
}

// lineRange returns where v has the lines that an edit names by their numbers in the source, or a message if the numbers are
// wrong.
func lineRange(v *version, e *Edit) (start, end int, msg string) {
	source := v.origin()
	starts := source.lineStarts()
	lines := len(starts) - 1
	if e.Last == 0 && e.First > lines+1 {
		return 0, 0, fmt.Sprintf("the file has %s, so nothing can be inserted after line %d: read it again", plan.CountLines(lines), e.First-1)
	}
	if e.First > lines+1 || e.Last > lines {
		return 0, 0, fmt.Sprintf("the file has %s, so there is no line %d: read it again", plan.CountLines(lines), max(e.First, e.Last))
	}
	start, end = starts[e.First-1], starts[e.First-1]
	if e.Last > 0 {
		end = starts[e.Last]
	}
	at, by := v.unchanged(text.Span{Start: start, End: end})
	if by >= 0 {
		return 0, 0, fmt.Sprintf("edit %d has already changed these lines: combine the two edits into one", by+1)
	}
	return at, at + end - start, ""
}

// findCandidates finds the candidates of all edits that have an old text. It searches the bytes first, and then an index of lines
// that all edits share. It returns the search with that index.
func (x search) findCandidates(all []pending) search {
	const few = 16 // searches cost less than an index
	var rest []*pending
	for i := range all {
		w := &all[i]
		if w.reading == nil {
			continue
		}
		if len(all) <= few {
			w.candidates = x.exact(w.reading, w.first[:0])
		}
		if len(w.candidates) == 0 || w.e.Count != 0 {
			rest = append(rest, w)
		}
	}
	if len(rest) == 0 {
		return x
	}
	ids := text.Keys{}
	for _, w := range rest {
		w.readings = readings(&w.plain, &x.v.typography)
		for _, l := range w.plain.new { // to find a change that is already made
			ids.Add(text.Fold(l))
		}
		for _, a := range w.e.Anchors {
			ids.Add(text.Fold(a))
		}
	}
	for i := range all {
		w := &all[i]
		ids.Add(w.plain.keys...)
		for _, p := range w.readings {
			ids.Add(p.keys...)
			if p.numbered != nil {
				ids.Add(text.SolidKeys(p.new)...)
			}
		}
	}
	x.index = text.NewIndex(x.v.Text, ids)
	for _, w := range rest {
		w.finding = x.find(w.readings)
		if w.e.Count == 0 && w.err == nil {
			w.problem = x.alreadyThere(w)
		}
	}
	return x
}

// buildEdit builds the splices of an edit, at all its candidates if it has a count, or sets its problem.
func (r *request) buildEdit(x search, all []pending, w *pending, ls *lessons) (notes []note) {
	if w.problem != nil || w.reading == nil {
		return nil
	}
	if w.repeats != nil && !w.contextOnly {
		return []note{{w.edit, -1, fmt.Sprintf("edit %d is the same as edit %d: the change was made once", w.edit+1, w.repeats.edit+1)}}
	}
	switch n := len(w.candidates); {
	case n == 0:
		w.problem = r.explain(x, all, w)
	case w.e.Count == 0 && n > 1 && !w.contextOnly:
		w.problem = x.v.ambiguous(x.locationOf(w.reading, w.candidates), theOldText)
		if len(w.reading.segments) > 1 && w.candidates[0].Start == w.candidates[n-1].Start {
			w.problem = vague(x.locationOf(w.reading, w.candidates))
		}
	case w.e.Count > 0 && n != w.e.Count:
		w.problem = miscounted(x.locationOf(w.reading, w.candidates), w.e.Count)
	default:
		return x.buildAll(w, ls)
	}
	return nil
}

// buildAll builds the splices at the candidate of an edit, or at all its candidates if it has a count.
func (x search) buildAll(w *pending, ls *lessons) (notes []note) {
	all, room := w.candidates, w.room[:0]
	if w.e.Count != 0 {
		w.by = everyPlace
	} else {
		all = all[:1]
		if w.problem = cmp.Or(x.readsSo(w.placement(0)), x.misprefixed(w.placement(0))); w.problem != nil {
			return nil
		}
	}
	for k, c := range all {
		splices, more, p := build(x.v, w.placement(k), originOf(w.edit, c.ignores.class(), w.by), ls, room)
		if p == nil && k > 0 && (w.placement(k-1).lastEnd(x.v.Text) > c.Start || meet(w.splices, splices)) {
			p = &Problem{Err: errs.ErrOverlap, Msg: "places of the old text overlap: show more lines, so that they do not"}
		}
		if p != nil {
			w.problem = p
			return nil
		}
		notes, room = append(notes, more...), nil
		if k == 0 {
			w.splices = splices
		} else {
			w.splices = append(w.splices, splices...)
		}
	}
	if old, new := linediff.LacksNewline(w.e.Hunk); len(w.splices) == 0 && !w.contextOnly && old == new {
		at := x.v.locate([]text.Span{w.placement(0).span(x.v.Text)})
		w.problem = alreadyThere(at, fmt.Sprintf("the change is already there, at %s: leave the edit out", at))
		return notes
	}
	if w.contextOnly {
		return append(notes, note{w.edit, -1, fmt.Sprintf("edit %d changes nothing: it can only show where the others belong", w.edit+1)})
	}
	return append(notes, x.fitNotes(w)...)
}

// meet reports whether the last of some splices reaches into the first of the splices after it: two places may claim the blank
// line between them.
func meet(splices, after []text.Splice) bool {
	n := len(splices)
	return n > 0 && len(after) > 0 && after[0].Start < splices[n-1].End
}

// fitNotes returns notes on what the fit of an edit ignores.
func (x search) fitNotes(w *pending) (notes []note) {
	if f := w.placement(0); f.ignores != nothing {
		done := ""
		switch f.ignores.class() {
		case Indentation:
			done = "; new lines were indented to match"
		case Elision:
			done = ", which were kept"
		}
		notes = append(notes, note{w.edit, f.top(x.v.Text), fmt.Sprintf("%s fit: the old text differs from the file in %s%s", f.ignores.class(), f.ignores, done)})
	}
	if w.how != "" && w.e.Count == 0 {
		notes = append(notes, note{w.edit, w.placement(0).top(x.v.Text), "the old text is there more than once: this place was chosen by " + w.how})
	}
	if w.e.Count != 0 && w.looser > 0 {
		notes = append(notes, note{w.edit, -1, leftAlone(w.looser)})
	}
	return notes
}

// leftAlone words the number of places that fit less well than those that an edit with a count changes.
func leftAlone(n int) string {
	if n == 1 {
		return "1 more place fits less well and was left alone"
	}
	return fmt.Sprintf("%d more places fit less well and were left alone", n)
}

// refuseOverlaps refuses edits that change the same lines, or insert at the same point (J6), and reports whether there are none.
func refuseOverlaps(v *version, all []pending) (apart bool) {
	if apart = true; len(all) < 2 {
		return apart
	}
	var claims []text.Splice
	for i := range all {
		if w := &all[i]; w.problem == nil {
			claims = append(claims, w.splices...)
		}
	}
	text.SortSplices(claims)
	for i := 1; i < len(claims); i++ {
		p, c := claims[i-1], claims[i]
		earlier, later := &all[min(p.Edit, c.Edit)-all[0].edit], &all[max(p.Edit, c.Edit)-all[0].edit]
		appends := p.Start == len(v.Data) && earlier.e.Old == "" && later.e.Old == ""
		if earlier == later || c.Start >= p.End && !(c.Start == p.Start && c.End == p.End && !appends) {
			continue
		}
		if apart = false; later.problem != nil {
			continue
		}
		what := "it changes the same lines as edit"
		if c.Start == c.End && p.Start == p.End {
			what = "it inserts text at the same point as edit"
		}
		at := v.locate([]text.Span{{Start: c.Start, End: c.End}})
		later.problem = &Problem{Err: errs.ErrOverlap, Msg: fmt.Sprintf("%s %d, at %s: combine the two edits into one", what, earlier.edit+1, at)}
	}
	return apart
}
