package place

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A reason leaves some of the candidates of an edit, or of edits that are placed together.
type reason struct {
	by     string // what Match.By says if the reason leaves one candidate
	how    string // what a note says then, "" if the text itself decided
	advice string // what to do if it leaves none: a place has to agree with it. If that is "", it decides nothing then
	one    func(x search, w *judged)
	all    func(x search, all []judged) // in the place of one
}

// reasons lists the reasons in the order of asking (J1): the more one says about a single place, the earlier it comes.
var reasons = []reason{
	{by: closestFit, all: search.byFit},
	{by: lineNumber, advice: "correct the line numbers, or leave them out", one: search.byLines},
	{endOfFile, "the mark of the end of the file", "remove the end-of-file marker, or show the last lines of the file",
		search.byEnd, nil},
	{anchorOnly, "the anchor", "use a line that heads the change as the anchor", search.byAnchors, nil},
	{byHeading, "the heading in the hunk header", "", search.bySection, nil},
	{byNear, "the line number", "", nil, search.byLine},
	{byOrigin, "the text before the request, which has it only there", "", search.byText, nil},
	{byEquals, "the number of equal {edit}s, which is the number of places", "", nil, search.byRepetition},
	{byHead, "the {edit} before it, which heads it", "", nil, search.belowHeads},
	{byNeighbors, "the order of the {edit}s", "", nil, search.byOrder},
}

// What decides a place: that there is only one, what the edit says of it, or else evidence among several.
const (
	onlyPlace   = "only place"
	closestFit  = "closest fit"
	everyPlace  = "every place"  // of an edit with a count
	lineNumber  = "line numbers" // the edit names lines
	columns     = "columns"      // the edit names a range
	anchorOnly  = "anchor"       // the edit has no old text
	endOfFile   = "end of file"
	byHeading   = "section"
	byNear      = "line"
	byOrigin    = "source"
	byEquals    = "repetition"
	byHead      = "head"
	byNeighbors = "order"
)

// judge reduces the candidates of each edit to those that the evidence supports.
func (x search) judge(all []judged) {
	for i := range all {
		w := &all[i]
		if w.isUnique() {
			w.by = onlyPlace
		}
		if w.readings != nil && !w.tooMany {
			w.problem = x.already(w, search.byCloseness, 0,
				"fits better than {old} does anywhere: if the change has been made, leave the {edit} out; if not, "+
					"copy {old} exactly")
		}
		if w.problem == nil && w.vague {
			w.problem = x.v.vague(x.locationOf(&w.finding))
		}
	}
	var one [1]finding // the usual number
	before := room(&one, len(all))
	for _, r := range reasons {
		for i := range all {
			before[i] = all[i].finding
		}
		if r.all != nil {
			r.all(x, all)
		}
		for i := range all {
			w, was := &all[i], &before[i]
			if r.one != nil && len(w.candidates) > 0 && w.problem == nil {
				r.one(x, w)
			}
			if len(w.candidates) < len(was.candidates) {
				w.steps = append(w.steps, step{r.by, was.candidates, w.candidates})
			}
			switch {
			case len(was.candidates) > 1 && w.isUnique():
				w.by, w.how = r.by, r.how
			case r.advice != "" && len(was.candidates) > 0 && len(w.candidates) == 0 && w.problem == nil:
				w.problem = cmp.Or(x.already(w, r.one, 0, ""), x.v.misplaced(w, r.by, r.advice, x.locationOf(was)))
			}
		}
	}
	x.refuseRepeated(all)
}

// misplaced refuses an edit of which a reason leaves no candidate. At is where they are.
func (v *version) misplaced(w *judged, by, advice string, at location) *Problem {
	if w.missing != "" {
		return v.noAnchor(w.missing, at)
	}
	return v.problemAt(at, errs.ErrNotFound, "{old} is there, at %s, but %s: %s", at, passed[by], advice)
}

// byFit takes the candidates that ignore least. What one edit of the request has to ignore at its only place, because
// it has lost its indentation or its blank lines, says nothing about the places of another (J1).
func (x search) byFit(all []judged) {
	lost := nothing
	for i := range all {
		if w := &all[i]; w.isUnique() {
			lost |= w.candidates[0].ignores & (blanks | indents)
		}
	}
	if lost&blanks != 0 { // which may have whitespace
		lost |= trailing
	}
	type question struct {
		shared    *location
		uncounted ignored
		several   bool
	}
	known := map[question]finding{} // edits with the same old text share their candidates
	for i := range all {
		w := &all[i]
		if len(w.candidates) == 0 || w.problem != nil {
			continue
		}
		uncounted := nothing
		if w.e.Count == 0 && w.reading == &w.plain {
			uncounted = lost
		}
		if uncounted != nothing && w.readings == nil && x.index != nil { // only exact candidates were searched for
			w.finding = x.fitting(w.reading, w.reading.allows&x.allows, nil)
		}
		if len(w.candidates) < 2 {
			continue
		}
		this := question{w.shared, uncounted, w.e.Count != 0}
		best, ok := known[this]
		if !ok || w.shared == nil {
			best.candidates, best.shared = closest(w.candidates, uncounted), w.shared
			if w.e.Count != 0 {
				best.candidates = ofBestClass(best.candidates)
			}
			if w.shared != nil && len(best.candidates) != len(w.candidates) {
				best.shared = new(location)
			}
			known[this] = best
		}
		w.candidates, w.shared = best.candidates, best.shared
	}
}

// byCloseness takes the candidates that ignore least, whatever other edits ignore.
func (x search) byCloseness(w *judged) { w.keep(closest(w.candidates, nothing)) }

// byLines takes the candidates in the lines of the source that the edit names beside its old text (J4).
func (x search) byLines(w *judged) {
	if w.e.First == 0 {
		return
	}
	starts := x.v.origin().lineStarts()
	at := func(line int) int { return text.MapOffset(starts[min(line, len(starts)-1)], -1, x.v.done) }
	start, end := at(w.e.First-1), at(w.e.Last)
	from := sort.Search(len(w.candidates), func(k int) bool { return w.candidates[k].whole().Start >= start })
	kept := w.candidates[from:]
	w.keep(kept[:sort.Search(len(kept), func(k int) bool { return kept[k].End > end })])
}

// byEnd takes the candidate at the end of the text, for an edit that belongs there.
func (x search) byEnd(w *judged) {
	if !w.e.AtEnd && !strings.Contains(w.e.Hunk, `\`) {
		return
	}
	k := len(w.candidates)
	for k > 0 && text.IsBlankText(x.v.Data[w.candidates[k-1].End:]) {
		k--
	}
	w.keep(w.candidates[k:])
}

// byAnchors takes the candidates in the scopes of the anchors (J3).
func (x search) byAnchors(w *judged) {
	if len(w.e.Anchors) == 0 {
		return
	}
	led := x.follow(w.e.Anchors)
	isSure := w.isUnique() && w.candidates[0].ignores.within(trailing|signs)
	switch {
	case led.missing != "" && !(isSure && len(led.scopes) > 0 && len(x.within(led.scopes, w.candidates)) > 0):
		w.missing = led.missing
		w.keep(nil)
	case led.missing == "" && !(isSure && x.isBeyond(led.scopes, w)):
		w.keep(x.within(led.scopes, w.candidates))
		if w.e.Count == 0 && len(w.candidates) > 1 && x.isRightBelow(led.scopes, w.candidates[0]) {
			w.keep(w.candidates[:1])
		}
	}
}

// bySection takes the candidates that the section of a hunk header supports (J4). If there is one, the section only
// tells whether the change has been made below its heading, unless a line number is right, which says more (J8).
func (x search) bySection(w *judged) {
	if w.e.Section == "" {
		return
	}
	if w.isUnique() {
		if w.e.Near == 0 || x.lineOf(w.candidates[0]) != x.v.current(w.e.Near) {
			w.problem = x.already(w, func(x search, w *judged) { w.keep(x.inSection(w)) }, 0,
				"below the heading in the hunk header, which has nothing left to change: if the change has been "+
					"made, leave the {edit} out; if not, correct the heading")
		}
		return
	}
	kept := x.inSection(w)
	if w.tooMany {
		w.problem = x.v.tooOften()
	} else if len(kept) > 0 {
		w.keep(kept)
	}
}

// byLine uses the line numbers of the request as evidence, in its order. Each is expected to be off like the last (J4).
func (x search) byLine(all []judged) {
	var row []*judged
	offs := []int{0} // by how much the numbers of these are off, with that of the text's first line before them
	areCounted, ascend := countedNumbers(all)
	for i := range all {
		w := &all[i]
		if near := w.near(); near > 0 {
			line := x.v.current(near) + offs[len(offs)-1]
			if areCounted || w.e.Hunk == "" {
				x.nearestToLine(w, line, near == 1 || !ascend && w.e.Hunk != "")
			}
			if w.isUnique() && w.e.Count == 0 && w.problem == nil && x.distance(w.candidates[0], line) > 0 {
				w.problem = cmp.Or(x.removesElsewhere(w), x.v.changedNear(w.e, x.distance(w.candidates[0], line)),
					x.already(w, nil, line, "nearer to the line that the request names than {old}: if the change has "+
						"been made, leave the {edit} out; if not, correct the line"))
			}
			if w.isUnique() {
				row, offs = append(row, w), append(offs, x.lineOf(w.candidates[0])-x.v.current(near))
			}
		}
	}
	for k, w := range row {
		for _, off := range [...]int{offs[k], offs[min(k+2, len(row))]} {
			if max(off-offs[k+1], offs[k+1]-off) > near && w.problem == nil {
				w.problem = x.changedAt(w, x.v.current(w.near())+off)
			}
		}
	}
}

// countedNumbers reports whether somebody may have counted the line numbers of hunks, of which no two that are equal
// have one number, and whether they ascend. Two others may share a line.
func countedNumbers(all []judged) (areCounted, ascend bool) {
	last := &Edit{}
	areCounted, ascend = true, true
	for i := range all {
		if e := all[i].e; e.Hunk != "" && e.Near > 0 {
			areCounted = areCounted && !(e.Near == last.Near && e.Old == last.Old)
			ascend = ascend && e.Near >= last.Near
			last = e
		}
	}
	return areCounted, ascend
}

// changedNear returns the problem that an earlier edit has changed the old text of e nearer to the line that e names
// than its only place is, which is some lines away.
func (v *version) changedNear(e *Edit, away int) *Problem {
	source := v.origin()
	starts, far := source.lineStarts(), min(away-1, near)
	first, last := max(1, e.Near-far), min(e.Near+far, len(starts)-1)
	if e.Hunk != "" || e.Near < 1 || last < first {
		return nil
	}
	from, end := starts[first-1], min(starts[last]+len(e.Old)-1, len(source.Data))
	at := strings.Index(string(source.Data[from:end]), e.Old)
	if at < 0 {
		return nil
	}
	return v.changed(text.Span{Start: from + at, End: from + at + len(e.Old)})
}

// removesElsewhere returns the problem that an edit, which is not at the line that it names, shows only text that it
// removes: nothing else tells that from text like it.
func (x search) removesElsewhere(w *judged) *Problem {
	if _, new := w.lines(); text.CountSolid(new) > 0 {
		return nil
	}
	at := x.locationOf(&w.finding)
	return x.v.problemAt(at, errs.ErrNotFound,
		"the {edit} shows only text that it removes, which is not at the line that the request names, but at %s: "+
			"correct the line, or show a line that stays", at)
}

// near is how many lines a number may be off without being wrong.
const near = 5

// changedAt returns the problem that at least half of the old lines of an edit are at a line that line numbers lead to,
// though the only place of all of them is elsewhere: text like that which is to change.
func (x search) changedAt(w *judged, line int) *Problem {
	starts := x.v.lineStarts()
	if w.reading == nil || len(w.reading.segments) != 1 || w.reading.isBlank() {
		return nil
	}
	s, same := w.reading.segments[0], 0
	if line += s.solid[0]; line < 1 || line >= len(starts) {
		return nil
	}
	w.reading.eachPair(x.v.Text, s, starts[line-1], func(i int, l text.Line) bool {
		if i >= 0 && w.reading.keys[i] != "" && w.reading.fit(x.v.Text, i, l) != misfit {
			same++
		}
		return true
	})
	if 2*same < len(s.solid) {
		return nil
	}
	at := x.locationOf(&w.finding)
	return x.v.problemAt(at, errs.ErrNotFound, "{old} is only at %s, but line %d, to which the line numbers lead, "+
		"has text like it: if it has changed there, read the file again; if not, correct the line numbers", at, line)
}

// nearestToLine reduces the candidates of w to the one that a line number supports: the one at that line, or one that
// is at most half as far away as the next (J4), unless it has to be at that line exactly.
func (x search) nearestToLine(w *judged, line int, exactly bool) {
	if len(w.candidates) < 2 || w.e.Count != 0 {
		return
	}
	below := sort.Search(len(w.candidates), func(k int) bool { return x.lineOf(w.candidates[k]) >= line })
	around := slices.Clone(w.candidates[max(0, below-2):min(len(w.candidates), below+2)])
	sort.SliceStable(around, func(i, j int) bool { return x.distance(around[i], line) < x.distance(around[j], line) })
	first, second := x.distance(around[0], line), x.distance(around[1], line)
	if second > 0 && 2*first <= second && (first == 0 || !exactly) {
		w.keep(around[:1])
	}
}

func (x search) lineOf(c candidate) int { return x.v.numbers.At(c.whole().Start) }

// distance returns by how many lines a candidate starts above or below a line.
func (x search) distance(c candidate, line int) int {
	n := x.lineOf(c)
	return max(n-line, line-n)
}

// byText takes the only place of a string before the request, if earlier edits left it: they wrote the others (J7).
func (x search) byText(w *judged) {
	if x.v.source == nil || len(w.candidates) < 2 || w.reading != nil || w.e.Count != 0 {
		return
	}
	if was := x.v.source.Occurrences(w.e.Old, 2); len(was) == 1 {
		at, by := x.v.unchanged(was[0])
		if around := (text.Span{Start: at - 1, End: at + len(w.e.Old) + 1}); by < 0 && !x.v.isWritten(around) {
			w.keep(between(w.candidates, at, at+1))
		}
	}
}

// byRepetition places equal edits at one candidate each, if there are as many candidates as edits. If there is only one
// candidate, the same edit was sent more than once (J6).
func (x search) byRepetition(all []judged) {
	if len(all) < 2 {
		return
	}
	same := make(map[[4]string][]*judged, len(all))
	for i := range all {
		if w := &all[i]; len(w.candidates) > 0 && w.e.Count == 0 && w.problem == nil {
			this := [...]string{w.e.Old, w.e.New, w.e.Hunk, strings.Join(w.e.Anchors, "\n")}
			same[this] = append(same[this], w)
		}
	}
	for _, group := range same {
		switch k := len(group); {
		case k > 1 && len(group[0].candidates) == k:
			for i, w := range group {
				if len(w.candidates) == k {
					w.keep(w.candidates[i : i+1])
				}
			}
		case len(group[0].candidates) == 1:
			for _, w := range group[1:] {
				if w.isUnique() && w.candidates[0].Start == group[0].candidates[0].Start {
					w.repeats = &group[0].asked
				}
			}
		}
	}
}

// refuseRepeated refuses an edit of several places if an earlier edit changes the same places.
func (x search) refuseRepeated(all []judged) {
	first := map[*location]*asked{}
	for i := range all {
		w := &all[i]
		if w.e.Count == 0 || w.shared == nil || w.problem != nil || w.contextOnly {
			continue
		}
		if earlier := first[w.shared]; earlier != nil {
			w.problem = x.v.problem(errs.ErrOverlap,
				"it changes the same places as %s: combine the two {edit}s into one", x.v.words.Nth(earlier.edit))
			continue
		}
		first[w.shared] = &w.asked
	}
}

// belowHeads takes the only candidate of an ambiguous edit that is in the scope of the line that the edit before it
// shows and does not change: that is its anchor (J5).
func (x search) belowHeads(all []judged) {
	const most = 20 // the end of a scope may be far away
	for i, asked := 1, 0; i < len(all) && asked < most; i++ {
		head, w := &all[i-1], &all[i]
		if !head.contextOnly || !head.isUnique() || w.contextOnly || w.e.Count != 0 || len(w.candidates) < 2 {
			continue
		}
		asked++
		l := x.v.LineAt(x.v.LineStart(max(head.candidates[0].End-1, 0)))
		if kept := between(w.candidates, l.Start, outline.ScopeEnd(x.v.Text, l)); len(kept) == 1 {
			w.keep(kept)
		}
	}
}

// byOrder places ambiguous edits by their neighbours in the request, if the neighbours are enough evidence and there is
// exactly one way to place all of them in order (J5).
func (x search) byOrder(all []judged) {
	if len(all) < 2 {
		return
	}
	row, enough := rowOf(all)
	if !enough {
		return
	}
	follows := func(i int, before, at candidate) bool { // whether the i-th edit may be there
		return before.Start < at.Start || before.Start == at.Start && !clashing(row[i-1].reading, row[i].reading)
	}
	// The earliest places, and the candidates behind them.
	first, rest := make([]candidate, len(row)), make([][]candidate, len(row))
	for i, w := range row {
		k := slices.IndexFunc(w.candidates, func(c candidate) bool { return i == 0 || follows(i, first[i-1], c) })
		if k < 0 {
			return
		}
		first[i], rest[i] = w.candidates[k], w.candidates[k+1:]
	}
	for i := range row { // if none can be later alone, there is no other way
		if len(rest[i]) > 0 && (i == len(row)-1 || follows(i+1, rest[i][0], first[i+1])) {
			return
		}
	}
	for i, w := range row {
		w.keep(first[i : i+1])
	}
}

// rowOf returns the edits that order applies to: those with candidates and no count. Enough reports whether some are
// ambiguous and the others evidence: two or more with one place each, in order, or one that is an anchor.
func rowOf(all []judged) (row []*judged, enough bool) {
	placed, anchored, ambiguous, last := 0, false, false, -1
	for i := range all {
		w := &all[i]
		if len(w.candidates) == 0 || w.e.Count != 0 || w.repeats != nil {
			continue
		}
		row = append(row, w)
		if !w.isUnique() {
			ambiguous = true
			continue
		}
		if w.candidates[0].Start <= last {
			return nil, false
		}
		last = w.candidates[0].Start
		placed++
		anchored = anchored || w.contextOnly
	}
	return row, ambiguous && (placed >= 2 || anchored)
}

// clashing reports whether two edits would change one line if they began at the same line.
func clashing(a, b *pattern) bool {
	if len(a.segments) == 0 || len(b.segments) == 0 {
		return true
	}
	above, below := a.segments[0].solid, b.segments[0].solid
	n := min(len(above), len(below))
	areApart := func(i, j int) bool { return a.keeps(i) || b.keeps(j) }
	return !slices.EqualFunc(above[:n], below[:n], areApart)
}
