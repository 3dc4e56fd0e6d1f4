package atomicedit

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// explain says why the old text of an edit was not found, and what the text has instead.
func (r *request) explain(b *builder, w *want) *Problem {
	p := &w.plain
	if w.overrun {
		return tooOften()
	}
	if f, ok := b.applied(p); ok {
		return &Problem{Err: ErrApplied, Msg: fmt.Sprintf("the old text is not there, but the new text is, at %s: the change seems to be made already", b.found([]stretch{b.whole(f)}))}
	}
	if reason := r.dependence(b, w); reason != "" {
		return &Problem{Err: ErrNotFound, Msg: reason}
	}
	if plain := unescaped(w.e.Old); plain != w.e.Old && b.maySearch(20) && b.has(plain) {
		return &Problem{Err: ErrNotFound, Msg: `the old text is not there as it stands, but it would be after one level of unescaping (\", \n, &lt; and the like): send old and new text without the escapes`}
	}
	if p := b.looser(w); p != nil {
		return p
	}
	region, msg := b.closest(p)
	return &Problem{Err: ErrNotFound, Nearest: region, Msg: msg}
}

// tooOften refuses an edit that may stand in too many places to look at.
func tooOften() *Problem {
	return &Problem{Err: ErrAmbiguous, Msg: "the old text is made of lines that are all over the file, too often to look at every place: name the place by other lines, or by line numbers"}
}

// looser says where an edit would fit if the host allowed it, nil if nowhere.
func (b *builder) looser(w *want) *Problem {
	allowed := b.loosest
	b.loosest, b.overrun = Drift, false
	p, places, _ := b.best(w.readings)
	b.loosest = allowed
	if len(places) == 0 {
		return nil
	}
	at := b.finding(p, places)
	problem := &Problem{Err: ErrNotFound, Places: at.lines, Msg: fmt.Sprintf("the old text differs from the file in %s, which is not overlooked here",
		places[0].class.overlooks())}
	if offset, found := slices.BinarySearch(b.starts, places[0].start); found && len(p.segments) == 1 && len(places) == 1 {
		problem.Nearest, problem.Msg = b.shown(p, offset, problem.Msg+": copy it exactly as it is at ")
	} else {
		problem.Msg += ": copy it exactly from " + at.String()
	}
	return problem
}

// overlooks names what a fit of the class overlooks, as far as one of the class before does not.
func (f Fit) overlooks() string {
	return map[Fit]string{
		Spacing:     "white space at line ends or blank lines",
		Indentation: "the indentation",
		Notation:    "typographic signs, or line numbers in front of the lines",
		Elision:     "lines left out as \"...\"",
		Drift:       "a word in lines that the edit does not change",
	}[f]
}

// applied returns where the new text of an edit stands whose old text is nowhere (PLACING O7).
func (b *builder) applied(p *passage) (at fit, ok bool) {
	telling := false
	for _, g := range p.groups {
		telling = telling || slices.ContainsFunc(p.new[g.newFrom:g.newTo], substantial)
	}
	if !telling || countText(p.new) == 1 && !akin(p.old, p.new) {
		return fit{}, false
	}
	done := &passage{edit: p.edit, e: p.e}
	done.take(p.new, p.new, nil)
	done.loosest = min(done.loosest, Indentation)
	b.overrun = false
	places, _ := b.places(done)
	if len(places) != 1 {
		return fit{}, false
	}
	return fit{done, places[0]}, true
}

// akin reports whether the new text has at least half of its words from the old: if it has not, and is one line, to find it
// somewhere says nothing.
func akin(old, new []string) bool {
	was := map[string]bool{}
	for _, l := range old {
		for _, w := range tokens(l) {
			was[w] = true
		}
	}
	kept, all := 0, 0
	for _, l := range new {
		for _, w := range tokens(l) {
			if all++; was[w] {
				kept++
			}
		}
	}
	return 2*kept >= all
}

// dependence says which earlier edit of the request the old text of another hangs on, "" if none.
func (r *request) dependence(b *builder, w *want) string {
	const near = 50 // edits before it are looked at
	from := max(0, w.edit-near)
	for i, e := range r.edits[from:w.edit] {
		if i += from; strings.Contains(e.New, strings.Trim(w.e.Old, space+"\n")) && r.failed(b, i) {
			return fmt.Sprintf("not tried: it looks for text that edit %d writes, and that one was refused", i+1)
		}
	}
	if len(r.matches) == 0 {
		return ""
	}
	if places := r.source.occurrences(w.e.Old, 1, false); len(places) > 0 {
		for _, m := range r.matches {
			if m.Old.Start < places[0].end && places[0].start < m.Old.End || places[0].start < m.Old.Start && m.Old.Start < places[0].end {
				return fmt.Sprintf("the old text was there when the request started, in line %d, but edit %d has changed it: "+
					"write it as it is after that edit, or make one edit of both", r.source.lineNumber(places[0].start), m.Edit+1)
			}
		}
	}
	return ""
}

// failed reports whether an edit has been refused, perhaps one of those that are being placed.
func (r *request) failed(b *builder, edit int) bool {
	if k := edit - b.wants[0].edit; k >= 0 {
		return b.wants[k].problem != nil
	}
	return slices.ContainsFunc(r.problems, func(p Problem) bool { return p.Edit == edit })
}

// unescaped takes one level of the escapes off that models add: those of string literals and of markup.
func unescaped(s string) string {
	if strings.Contains(s, `\`) {
		s = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\"`, `"`, `\'`, `'`, "\\`", "`", `\$`, `$`).Replace(s)
	}
	if strings.Contains(s, "&") {
		s = html.UnescapeString(s)
	}
	return s
}

// has reports whether the text has old, to the letter or as lines.
func (t *text) has(old string) bool {
	if places := t.occurrences(old, 1, false); len(places) > 0 {
		return true
	}
	p := newPassage(0, &Edit{}, old, old)
	x := &index{text: t, loosest: Indentation}
	x.seek(p.keys...)
	x.scan()
	places, _ := x.places(p)
	return len(places) > 0
}

// maySearch reports whether the text may be searched so many times more to explain what is not there. The first edits
// that fail are explained at length; where many do, they have a common cause, as a rule.
func (t *text) maySearch(times int) bool {
	const most = 300
	t.searched += times
	return t.searched <= most
}

// misplaced says why none of the places where an edit fits is the one that its evidence asks for.
func (x *index) misplaced(w *want, all []place) *Problem {
	at := x.finding(w.reading, all)
	switch {
	case w.missing != "" && len(x.occurrences(w.missing, 2, true)) > 1:
		return &Problem{Err: ErrNotFound, Places: at.lines, Msg: fmt.Sprintf("several lines have %s, which the request names as an anchor, in them: copy the whole line that stands above the change", quoteLine(w.missing))}
	case w.missing != "":
		return &Problem{Err: ErrNotFound, Places: at.lines, Msg: fmt.Sprintf("no line reads %s where the request names it as an anchor: copy a whole line that stands above the change, or leave the anchor out", quoteLine(w.missing))}
	case len(w.e.After) > 0:
		return &Problem{Err: ErrNotFound, Places: at.lines, Msg: fmt.Sprintf("the old text is not in what the anchor %s heads, only at %s: name a line that heads the change", quoteLine(w.e.After[len(w.e.After)-1]), at)}
	}
	return &Problem{Err: ErrNotFound, Places: at.lines, Msg: fmt.Sprintf("the old text is there, at %s, but not at the end of the file as the request says: leave that out, or show the last lines of the file", at)}
}

// What may be in several places.
const (
	theOldText = "the old text"
	theAnchor  = "the anchor"
)

// ambiguous says where an edit fits, and what lines around the places would tell them apart.
func (t *text) ambiguous(at finding, what string) *Problem {
	var b strings.Builder
	now := at.now
	often := times(len(now))
	if len(now) == manyPlaces {
		often = "at least " + often
	}
	fmt.Fprintf(&b, "%s is there %s, at %s: ", what, often, at)
	if now[0] == now[len(now)-1] {
		b.WriteString("show more of the line around the one you mean")
		return &Problem{Err: ErrAmbiguous, Places: at.lines, Msg: b.String()}
	}
	if what == theAnchor {
		b.WriteString("name a line further out above the one you mean as well")
	} else {
		b.WriteString("show more of the lines around the one you mean")
	}
	starts := t.lineStarts()
	var lines []int
	for _, n := range now {
		if len(lines) == 5 {
			break
		}
		if len(lines) == 0 || lines[len(lines)-1] != n {
			lines = append(lines, n)
		}
	}
	b.WriteString(". The lines above them:\n")
	for _, n := range lines {
		above := n - 2
		for above >= 0 && isBlank(t.bytes(t.lineAt(starts[above]))) {
			above--
		}
		if above < 0 {
			f := t.found([]stretch{{starts[n-1], starts[n-1]}})
			fmt.Fprintf(&b, "  %s is the first with text\n", f)
		} else {
			l := t.lineAt(starts[above])
			fmt.Fprintf(&b, "  %s| %s\n", t.label(l), clip(string(t.bytes(l)), shownBytes))
		}
	}
	return &Problem{Err: ErrAmbiguous, Places: at.lines, Msg: strings.TrimSuffix(b.String(), "\n")}
}

// linesOf returns the line numbers of places.
func (x *index) linesOf(places []place) []int {
	if n := len(places); n > 0 && n == len(x.numbered) && &places[0] == &x.numbered[0] { // edits share places
		return x.numbers
	}
	starts := make([]int, len(places))
	for i, at := range places {
		starts[i] = at.start
	}
	x.numbered, x.numbers = places, x.lineNumbers(starts)
	return x.numbers
}

// vague says that there are many ways to lay an edit with elisions.
func vague(at finding) *Problem {
	return &Problem{Err: ErrAmbiguous, Places: at.lines, Msg: "the old text can be laid on the file in more than one way, with the \"...\" for lines of " +
		"different kinds: write out the lines that are left out"}
}

// miscounted says that the old text is not there as often as the request says.
func miscounted(at finding, count int) *Problem {
	return &Problem{Err: ErrCount, Places: at.lines,
		Msg: fmt.Sprintf("the old text is there %s, not %s as the request says: at %s; correct the number, or the old text", times(len(at.lines)), times(count), at)}
}

// listLines names lines, the first ten if there are many. They are sorted; one that is there twice is named once.
func listLines(lines []int) string {
	const shown = 10
	lines = slices.Compact(slices.Clone(lines))
	var b strings.Builder
	b.WriteString("line")
	if len(lines) != 1 {
		b.WriteString("s")
	}
	for i, n := range lines {
		if i == shown {
			fmt.Fprintf(&b, " and %d more", len(lines)-shown)
			break
		}
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, " %d", n)
	}
	return b.String()
}
