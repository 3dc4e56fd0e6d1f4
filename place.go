package atomicedit

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
)

// replaceLines places edits of whole lines together on t (the first of them is the edit with index first), and returns
// what they do to it; if there are problems, what those that have none do.
func (r *request) replaceLines(t *text, first int, edits []Edit) []splice {
	return r.place(t, first, edits, nil)
}

// place does that; written, if there is any, is what earlier edits wrote, which every place must touch.
func (r *request) place(t *text, first int, edits []Edit, written []Match) []splice {
	b := &builder{index: r.index(t), wants: make([]want, len(edits))}
	wants := b.wants
	for i := range edits {
		r.want(b, &wants[i], first+i, &edits[i])
	}
	b.locate()
	b.loosen()
	for i := range wants {
		w := &wants[i]
		if all := w.places; w.vague {
			w.problem = vague(b.finding(w.reading, all))
		} else if len(all) > 0 && w.problem == nil {
			if b.thin(w); written != nil {
				w.keep(func(f fit) bool { return touches(b.lines(f), written) })
			}
			if len(w.places) == 0 {
				w.problem = b.misplaced(w, all)
			}
			b.underHeading(w)
		}
	}
	b.near(wants)
	twins(wants)
	b.twice()
	b.order(wants)
	b.learn()
	for i := range wants {
		r.carry(b, &wants[i])
	}
	apart := !b.overlaps()

	var late map[int]bool
	if written == nil {
		late = dependents(wants)
	}
	var splices []splice
	bare, ended, marked := false, false, 0
	for i := range wants {
		w := &wants[i]
		if w.problem != nil {
			if late[w.edit] {
				r.late = append(r.late, w)
			} else {
				r.add(w.edit, w.problem)
			}
			continue
		}
		if splices == nil {
			splices = w.splices
		} else {
			splices = append(splices, w.splices...)
		}
		if old, new := marks(w.e.hunk); old != new {
			bare, ended, marked = bare || new, ended || old, w.edit
		}
	}
	r.notes = append(r.notes, b.notes...)
	if !apart {
		return nil
	}
	sortSplices(splices)
	return t.finish(splices, bare, ended, marked)
}

// touches reports whether one of the lines is one that a match put there.
func touches(at []line, written []Match) bool {
	for _, l := range at {
		for _, m := range written {
			if l.real() && l.start < m.New.End && m.New.Start < l.next {
				return true
			}
		}
	}
	return false
}

// marks reports which sides of a patch are marked as having no final newline.
func marks(hunk string) (old, new bool) {
	for i, c := range []byte(hunk) {
		if c == '\\' && i > 0 {
			old = old || hunk[i-1] != '+'
			new = new || hunk[i-1] != '-'
		}
	}
	return old, new
}

// want reads an edit, and places it at once if it names its place by lines or by nothing but anchors.
func (r *request) want(b *builder, w *want, edit int, e *Edit) {
	w.edit, w.e = edit, e
	invalid := func(msg string) { w.problem = &Problem{Err: fs.ErrInvalid, Msg: msg} }
	switch {
	case e.First < 0 || e.Last < 0 || e.Last != 0 && e.Last < e.First || e.Count < All || e.Near < 0:
		invalid("negative or reversed line numbers, or a count below -1")
	case e.First > 0 && e.Old != "":
		invalid("an edit names its place by line numbers or by its old text, not both")
	case e.First > 0:
		start, end, msg := r.lineRange(e)
		if msg != "" {
			invalid(msg)
			return
		}
		b.insert(w, start, end)
	case e.Old != "":
		if w.problem = placeholder(e.Old, e.New, e.Old, b.text); w.problem != nil {
			return
		}
		w.plain = passage{edit: edit, e: e, said: e.Old}
		w.plain.read(e.Old, e.New)
		w.anchor = len(w.plain.groups) == 0
		w.reading = &w.plain
	case len(e.After) > 0:
		scopes, missing := b.scopes(e.After)
		switch {
		case missing != "":
			w.missing = missing
			w.problem = b.misplaced(w, nil)
		case len(scopes) > 1:
			heads := make([]stretch, len(scopes))
			for i, s := range scopes {
				heads[i] = stretch{s.start, s.start}
			}
			w.problem = b.ambiguous(b.found(heads), theAnchor)
		default:
			at := b.lineAt(scopes[0].start).next
			b.insert(w, at, at)
		}
	case e.AtEnd || e.WholeLines && (e.Near == 0 || len(b.data) == 0 || e.Near == len(b.lineStarts())):
		if !e.AtEnd && len(b.data) > 0 {
			r.note(edit, len(b.data), "the request does not say where the new lines belong; they were added at the end")
		}
		b.insert(w, len(b.data), len(b.data))
	default:
		invalid("the old text is empty, so nothing says where the new text belongs: show the lines around it")
	}
	if w.problem == nil && len(w.splices) == 0 && w.reading == nil {
		w.problem = &Problem{Err: ErrNoChange, Msg: "the edit changes nothing: leave it out"}
	}
}

// insert replaces what is between two line starts by the new lines of the edit, as they are.
func (b *builder) insert(w *want, start, end int) {
	var removed []line
	for at := start; at < end; {
		l := b.lineAt(at)
		removed, at = append(removed, l), l.next
	}
	added := splitLines(w.e.New)
	if len(removed) == 0 {
		if len(added) > 0 {
			w.splices = []splice{{start, start, b.terminate(added, nil, start), w.edit, Exact}}
		}
		return
	}
	w.splices = mergeTouching(b.replace(nil, fit{&passage{edit: w.edit}, place{class: Exact}}, removed, added))
}

// lineRange returns where the lines that an edit names by their numbers lie, or what is wrong with the numbers. They
// count the text that the request started from.
func (r *request) lineRange(e *Edit) (start, end int, msg string) {
	starts := r.source.lineStarts()
	lines := len(starts) - 1
	if e.Last == 0 && e.First > lines+1 {
		return 0, 0, fmt.Sprintf("the text has %d %s, so nothing can be put in behind line %d: read it again", lines, plural(lines, "line"), e.First-1)
	}
	if e.First > lines+1 || e.Last > lines {
		return 0, 0, fmt.Sprintf("the text has %d %s, so there is no line %d: read it again", lines, plural(lines, "line"), max(e.First, e.Last))
	}
	start, end = starts[e.First-1], starts[e.First-1]
	if e.Last > 0 {
		end = starts[e.Last]
	}
	for _, m := range r.matches {
		twice := m.Old.Start == end && m.Old.End == start && start < len(r.source.data) // two insertions at one point (PLACING O3)
		if twice || m.Old.Start < end && start < m.Old.End {
			return 0, 0, fmt.Sprintf("edit %d has changed these lines already: make one edit of both", m.Edit+1)
		}
	}
	at := moved(start, -1, r.matches) // and the lines behind are as they were
	return at, at + end - start, ""
}

// locate finds the fits of all edits that have an old text: by searching the bytes, or else with one index for all.
func (b *builder) locate() {
	const few = 16 // searches cost less than the index
	var rest []*want
	for i := range b.wants {
		w := &b.wants[i]
		if w.reading == nil {
			continue
		}
		if len(b.wants) <= few {
			w.places, _ = b.exact(w.reading, w.first[:0])
		}
		if len(w.places) == 0 || w.e.Count != 0 {
			rest = append(rest, w)
		}
	}
	if len(rest) == 0 {
		return
	}
	for _, w := range rest {
		w.readings = readings(&w.plain)
		if u := w.plain.plainlyIndented(); u != nil && !b.uses(spaces) {
			w.readings = slices.Insert(w.readings, 0, u)
		}
		for _, l := range w.plain.new { // for what is applied already
			b.seek(fold(l))
		}
		for _, a := range w.e.After {
			b.seek(fold(a))
		}
	}
	for i := range b.wants {
		w := &b.wants[i]
		b.seek(w.plain.keys...)
		for _, p := range w.readings {
			b.seek(p.keys...)
		}
	}
	b.scan()
	for _, w := range rest {
		b.overrun, b.vague = false, false
		w.reading, w.places, w.looser = b.best(w.readings)
		w.overrun, w.vague = b.overrun, b.vague
	}
}

// loosen takes the advantage from places that fit better, where another edit of the request fits nowhere any better: where
// one lost its indentation or its blank lines, that another stands somewhere to the letter says nothing (PLACING Q1).
func (b *builder) loosen() {
	overlooked := Exact
	for i := range b.wants {
		if w := &b.wants[i]; w.unique() {
			overlooked = max(overlooked, b.moved(w.fit(0)))
		}
	}
	for i := range b.wants {
		if w := &b.wants[i]; len(w.places) > 0 && w.places[0].class < overlooked && w.e.Count == 0 && w.reading == &w.plain {
			b.overrun = false
			w.places = b.within(w.reading, overlooked)
			w.overrun = b.overrun
		}
	}
}

// moved returns how much of the place of its lines a fit overlooks: blank lines between them, or their depth.
func (b *builder) moved(f fit) Fit {
	if f.class == Exact {
		return Exact
	}
	at := b.lines(f)
	if in := b.indenter(f, at); slices.ContainsFunc(in.shifts, shift.moved) {
		return Indentation
	}
	if f.gaps(at) {
		return Spacing
	}
	return Exact
}

// learn takes the lessons in notation of the edits that have one place.
func (b *builder) learn() {
	for i := range b.wants {
		w := &b.wants[i]
		w.placed = w.unique() && w.problem == nil
		if !w.placed || isASCII(w.e.Old) && w.places[0].class < Notation {
			continue
		}
		f := w.fit(0)
		for i, l := range b.lines(f) {
			if !l.real() {
				continue
			}
			if fits := lineFit(f.p.old[i], f.p.keys[i], b.bytes(l)); fits == Notation || fits != 0 && !isASCII(f.p.old[i]) {
				if b.lexicon == nil {
					b.lexicon = lexicon{}
				}
				b.lexicon.learn(f.p.old[i], string(b.bytes(l)))
			}
		}
	}
}

// carry builds the splices of an edit, at all its places if it asks for several.
func (r *request) carry(b *builder, w *want) {
	if w.problem != nil || w.reading == nil {
		return
	}
	switch n := len(w.places); {
	case n == 0:
		w.problem = r.explain(b, w)
	case w.e.Count == 0 && n > 1 && !b.oneOutcome(w):
		w.problem = b.ambiguous(b.finding(w.reading, w.places), theOldText)
		if len(w.reading.segments) > 1 && w.places[0].start == w.places[n-1].start {
			w.problem = vague(b.finding(w.reading, w.places))
		}
	case w.e.Count > 0 && n != w.e.Count:
		w.problem = miscounted(b.finding(w.reading, w.places), w.e.Count)
	default:
		for k := range w.places {
			splices, p := b.build(w.fit(k))
			if p != nil {
				w.problem = p
				return
			}
			if w.e.Count != 0 && k > 0 && (b.end(w.fit(k-1)) > w.places[k].start || meet(w.splices, splices)) {
				w.problem = &Problem{Err: ErrOverlap, Msg: "places of the old text overlap: show more lines, so that they do not"}
				return
			}
			if w.e.Count == 0 {
				w.splices = splices
				break
			}
			w.splices = append(w.splices, splices...)
		}
		if old, new := marks(w.e.hunk); len(w.splices) == 0 && !w.anchor && old == new {
			w.problem = &Problem{Err: ErrApplied, Msg: fmt.Sprintf("the change is already there, at %s: leave the edit out", b.found([]stretch{b.whole(w.fit(0))}))}
			return
		}
		b.noteFit(w)
	}
}

// meet reports whether the last of some splices reaches into the first of those behind: two places may claim the blank line
// between them.
func meet(splices, behind []splice) bool {
	n := len(splices)
	return n > 0 && len(behind) > 0 && behind[0].start < splices[n-1].end
}

// oneOutcome reports whether an edit comes to the same at each of its few fits (PLACING P4).
func (b *builder) oneOutcome(w *want) bool {
	const few = 16
	if w.anchor {
		return true
	}
	if len(w.places) > few {
		return false
	}
	notes := len(b.notes)
	defer func() { b.notes = b.notes[:notes] }()
	first, p := b.build(w.fit(0))
	for k := range w.places[1:] {
		next, q := b.build(w.fit(1 + k))
		if p != nil || q != nil || !slices.Equal(first, next) {
			return false
		}
	}
	return true
}

// noteFit says what the fit of an edit overlooks.
func (b *builder) noteFit(w *want) {
	if f := w.fit(0); f.class > Exact {
		done := map[Fit]string{Indentation: "; new lines were indented to match", Elision: ", which were kept"}[f.class]
		b.note(w.edit, b.top(f), "%s fit: the old text differs from the file in %s%s", f.class, f.class.overlooks(), done)
	}
	if w.e.Count != 0 && w.looser > 0 {
		b.note(w.edit, -1, "%s", leftAlone(w.looser))
	}
}

// leftAlone says how many places fit less well than those where an edit of all places was made.
func leftAlone(n int) string {
	if n == 1 {
		return "1 more place fits less well, and was left alone"
	}
	return fmt.Sprintf("%d more places fit less well, and were left alone", n)
}

// twice refuses edits of all places of an old text of which another edit changes all places already.
func (b *builder) twice() {
	if len(b.wants) < 2 {
		return
	}
	first := map[*place]*want{}
	for i := range b.wants {
		w := &b.wants[i]
		if w.e.Count == 0 || len(w.places) == 0 || w.problem != nil || w.anchor {
			continue
		}
		if earlier := first[&w.places[0]]; earlier != nil {
			w.problem = &Problem{Err: ErrOverlap, Msg: fmt.Sprintf("it changes the same places as edit %d: make one edit of both", earlier.edit+1)}
			continue
		}
		first[&w.places[0]] = w
	}
}

// overlaps refuses edits that change the same lines, or insert at the same point (PLACING O3),
// and reports whether there are any.
func (b *builder) overlaps() (any bool) {
	if len(b.wants) < 2 {
		return false
	}
	type claim struct {
		splice
		w *want
	}
	var claims []claim
	for i := range b.wants {
		if w := &b.wants[i]; w.problem == nil {
			for _, s := range w.splices {
				claims = append(claims, claim{s, w})
			}
		}
	}
	slices.SortStableFunc(claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	for i := range claims {
		if i == 0 {
			continue
		}
		p, c := claims[i-1], claims[i]
		appends := p.start == len(b.data) && p.w.e.Old == "" && c.w.e.Old == ""
		if p.w != c.w && (c.start < p.end || c.start == p.start && c.end == p.end && !appends) {
			later, earlier := c.w, p.w
			any = true
			if later.edit < earlier.edit {
				later, earlier = earlier, later
			}
			if later.problem == nil {
				what := "it changes the same lines as edit"
				if c.start == c.end && p.start == p.end {
					what = "it puts text in at the same point as edit"
				}
				later.problem = &Problem{Err: ErrOverlap, Msg: fmt.Sprintf("%s %d, at %s: make one edit of both", what, earlier.edit+1, b.found([]stretch{{c.start, c.end}}))}
			}
		}
	}
	return any
}
