package atomicedit

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/listing"
	"github.com/atomicedit/atomicedit/internal/merge"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/seen"
	"github.com/atomicedit/atomicedit/internal/text"
)

// start returns what the edits of t are placed on: the text that was seen or, if that is the same or unfit, the file.
func (w *workingCopy) start(t *target, o *Options) *content {
	l := t.look
	if l == nil || !l.changed() || l.Text == nil || w.asItIs[t.path] {
		return t.asItIs()
	}
	was := &target{path: t.path, named: t.named, look: l, since: t}
	was.before, was.enc = &File{Path: t.path, Data: l.Text}, o.encodingOf(t.path, l.Text)
	return was.asItIs()
}

// asItIs returns the content that t has before the plan.
func (t *target) asItIs() *content { return &content{data: t.before.Data, enc: t.enc, base: t} }

// unknown returns the reason why the conversation does not know a file well enough to make it disappear, and the words
// for it: "" if it does. A request that shows all lines of the file need not have read it.
func (t *target) unknown(doing string, shows bool, content string) (msg string, err error) {
	if t.now != nil && t.now.base == nil {
		return "", nil
	}
	t = t.base().isNow() // which the request may have moved
	l, orEdit := t.look, ""
	if doing == "replacing" { // no tool may be able to read
		orEdit = ", or edit it by its text"
	}
	switch {
	case l == nil,
		!l.known && doing == "replacing" && t.isMeant(doing+content):
		return "", nil
	case !l.known && !shows:
		if _, isText := (encodedFile{t.before, t.enc}).text(); isText && doing == "deleting" {
			return "the file has not been read, so it was not deleted. It begins with these lines:\n" +
				t.list(1, min(countLines(t.before.Data), 5)), ErrUnread
		}
		return "the file has not been read; read it before " + doing + " it" + orEdit, ErrUnread
	case l.changed():
		return "the file has changed since it was read; read it again before " + doing + " it" +
			t.changedSince(sinceThen), ErrStale
	}
	if unseen := l.unseen(t.before.Data); unseen != "" && l.known && (l.Foreign || doing != "deleting") &&
		!(doing == "replacing" && t.isMeant(doing+content)) {
		return "read the whole file before " + doing + " it (" + unseen + ")" + orEdit, ErrUnread
	}
	return "", nil
}

// isMeant reports whether the same was asked of t, as it is, before. If not, the refusal may ask for it.
func (t *target) isMeant(what string) bool {
	key := strings.Join([]string{t.path, string(t.look.now), string(VersionOf([]byte(what)))}, "\x00")
	if t.look.asked(key) {
		return true
	}
	t.showed = append(t.showed, shownLines{asks: key})
	return false
}

// onWhatWasSeen returns the content to place the edits of an op on, or the problems of edits by line numbers that the
// conversation cannot know. A request that only appends appends to the file as it is.
func (s plannedOp) onWhatWasSeen(c content) (plannedOp, content, []Problem) {
	base := c.base
	if base == nil || base.look == nil {
		return s, c, nil
	}
	n := countLines(base.before.Data)
	var problems []Problem
	for i, e := range s.Edits {
		if msg, err := base.misnumbered(e, n); err != nil {
			problems = append(problems, s.refuseEdit(i, err, msg)...)
		}
	}
	isOther := func(e Edit) bool { return !e.isAppend(n) }
	if len(problems) == 0 && base.since != nil && len(c.ops) == 0 && !slices.ContainsFunc(s.Edits, isOther) {
		const msg = "the file has changed since it was read; the text was added at its end"
		c = *base.since.asItIs()
		c.others, c.notes = base.since.changedSince(""), []Note{{Op: s.index, Edit: -1, Msg: msg}}
		s.Edits = slices.Clone(s.Edits)
		for i, e := range s.Edits {
			if e.First != 0 {
				s.Edits[i].First = countLines(c.data) + 1
			}
		}
	}
	return s, c, problems
}

// isAppend reports whether e adds text at the end of a file with n lines, and nothing else.
func (e Edit) isAppend(n int) bool {
	return e.Old == "" && e.Range == nil && len(e.Anchors) == 0 && e.Last == 0 && len(e.Tags) == 0 &&
		(e.First == 0 || e.First == n+1)
}

// misnumbered returns why the line numbers of an edit of t, which has n lines, do not count, and the reason.
func (t *target) misnumbered(e Edit, n int) (msg string, err error) {
	l, lines := t.look, e.named()
	isTop := e.First == 1 && e.Last == 0 && t.since == nil // which stays the top, whatever was inserted there
	isForgotten := l.changed() && t.since == nil
	if lines == nil || lines[0][0] < 1 || e.isHashed() || isTop || !l.known || isForgotten && !e.isAppend(n) {
		return "", nil // where the text is not known, only other proofs count: see place
	}
	offered := l.offered(e)
	same := offered
	if !isForgotten {
		same = same.And(l.Numbers)
	}
	if t.since != nil {
		groups, doubtful := t.changes()
		same = same.Numbered(groups, nil).Minus(doubtful)
	}
	others := l.Earlier.Minus(same)
	fits := func(r [2]int) bool {
		// there never was such a line
		return same.Has(r[0], r[1]) || r[1] > n && !others.Meets(lines) && !isForgotten && same.Has(r[0], n)
	}
	end := lines[len(lines)-1] // whose numbers have one meaning if it was shown, and no text before had such a line
	had := func(v seen.View) bool { return countLines(v.Text) >= end[0] }
	isBeyond := len(l.Views) > 0 && !l.changed() && l.Told.Has(end[0], end[1]) && !slices.ContainsFunc(l.Views, had)
	if isBeyond || slices.ContainsFunc(lines, fits) {
		isOffered := func(r [2]int) bool { return offered.Has(r[0], r[1]) }
		if t.since == nil && slices.ContainsFunc(lines, isOffered) { // they count later, if the call is refused now
			t.showed = append(t.showed, shownLines{known: true, path: t.path, file: t.before,
				how: seen.Sight.View, lines: offered})
		}
		return "", nil
	}
	if l.changed() {
		others = others.And(l.Numbers.And(l.Told).Minus(same))
	}
	return t.doubted(e, n, others)
}

// doubted returns the words for an edit of t by line numbers that do not count, unless it proves them. Others has the
// numbers that were shown for other lines.
func (t *target) doubted(e Edit, n int, others seen.Lines) (msg string, err error) {
	l, lines, now := t.look, e.named()[0], t.isNow()
	first, last := lines[0], min(lines[1], n)
	span := plan.LineSpan(first, last-first+1)
	unread, here := " have not been read", "; here they are:\n"
	if first == last {
		unread, here = " has not been read", "; here it is:\n"
	}
	if lines[1] > n {
		unread += fmt.Sprintf(", and there is no line %d", lines[1])
	}
	why := "so that an edit by line numbers is ambiguous"
	switch shifts, proved, ofNow := t.prove(e); {
	case proved, ofNow: // then the edit does not fit what was seen, and is placed on the file as it is
		return "", nil
	case len(shifts) == 1 && shifts[0] != 0:
		at := [2]int{first + shifts[0], lines[1] + shifts[0]}
		return "the text that the request has for " + span + " is there, but not at these numbers:\n" +
			now.offer(e, seen.Lines{at}), ErrUnread
	case !l.Lines.Has(first, last) && last <= countLines(now.before.Data) && !others.Meets(seen.Lines{{first, last}}):
		return span + unread + here + now.list(first, last), ErrUnread
	case len(shifts) > 1:
		why = "and the text that the request has for these is there more than once"
	}
	if l.changed() {
		return "the file has changed since it was read, " + why +
			now.bothNumbers(e, seen.Sight{Views: []seen.View{{Text: l.Text, Lines: l.Numbers}}}), ErrStale
	}
	return "an edit since the file was read has moved lines, " + why + t.bothNumbers(e, l.Sight), ErrUnread
}

// isNow returns the file as it is now, of which t may be an older text; nil for nil.
func (t *target) isNow() *target {
	if t != nil && t.since != nil {
		return t.since
	}
	return t
}

// list shows lines of t. A Host counts them as read.
func (t *target) list(first, last int) string {
	shown, _ := encodedFile{t.before, t.enc}.text()
	l := listing.New(shown).List([][2]int{{first, last}}, 200, 2000, false)
	t.showed = append(t.showed, shownLines{path: t.path, file: t.before, how: seen.Sight.View, lines: l.Whole})
	return l.Text
}

// offer shows lines of t that an edit may mean. A Host takes their numbers for that edit.
func (t *target) offer(e Edit, lines seen.Lines) string {
	if len(lines) == 0 {
		return "nothing\n"
	}
	data, _ := encodedFile{t.before, t.enc}.text()
	l := listing.New(data).List(listing.Ends(lines, 2), 200, 2000, false)
	how := func(s seen.Sight, lines seen.Lines, n int) seen.Sight { // the numbers of lines in the middle are clear
		return s.Show(l.Whole, n).Offer(string(VersionOf([]byte(e.New))), lines)
	}
	if !e.isDeletion() {
		t.showed = append(t.showed, shownLines{path: t.path, file: t.before, how: how, lines: lines})
	}
	return l.Text
}

// hasCounted reports whether t has the old text of an edit in several places, as many as the edit says, and never
// within a word: then its author knows them all. Of a wrong number, the placing says more.
func (t *target) hasCounted(e Edit) bool {
	if e.Count < 2 {
		return false
	}
	shown, _ := encodedFile{t.before, t.enc}.text()
	all, _ := text.New(shown).Apart(e.Old)
	isCut := func(at text.Span) bool { return text.CutsWord(shown, at.Start) || text.CutsWord(shown, at.End) }
	return len(all) != e.Count || !slices.ContainsFunc(all, isCut)
}

// places returns the lines where an old text begins in t.
func (t *target) places(old string) []int {
	shown, _ := encodedFile{t.before, t.enc}.text()
	numbers := text.Numbers{Text: text.New(shown)}
	return convertAll(numbers.Text.Occurrences(old, 100), func(at text.Span) int { return numbers.At(at.Start) })
}

// bothNumbers shows the lines that have the numbers of an edit in t, and those that had them when they were seen.
func (t *target) bothNumbers(e Edit, s seen.Sight) string {
	lines := e.named()[0]
	if e.Last == 0 && e.Range == nil {
		lines[0] = max(lines[0]-1, 1) // an insertion is between two lines
	}
	old := seen.Lines{lines}
	was, has := s.ViewOf(lines[0], lines[1])
	for _, v := range slices.Backward(s.Views) { // one of which it is somewhere else now tells more
		if v.Lines.Has(lines[0], lines[1]) && !slices.Equal(linesAfter(old, v.Text, t.before.Data), old) {
			was = v
			break
		}
	}
	n, now := countLines(was.Text), countLines(t.before.Data)
	span := plan.LineSpan(lines[0], lines[1]-lines[0]+1)
	is := seen.Of([2]int{lines[0], min(lines[1], now)})
	moved := linesAfter(old, was.Text, t.before.Data)
	switch {
	case was.Text != nil && lines[1] > n:
		return fmt.Sprintf(": the file had %s when it was read, and has %d now. At %s there is now:\n",
			plan.CountLines(n), now, span) + t.offer(e, is)
	case !has || was.Text == nil || slices.Equal(moved, old):
		return ": at " + span + " there is now:\n" + t.offer(e, is)
	case len(moved) == 0:
		return ": what was read as " + span + " is gone. At " + span + " there is now:\n" + t.offer(e, is)
	}
	moved = seen.Of([2]int{moved[0][0], moved[len(moved)-1][1]}) // with those that have changed since then
	return ": what was read as " + span + " is now:\n" + t.offer(e, moved) +
		"At " + span + " there is now:\n" + t.offer(e, is)
}

// place places the edits of an op on a content. Where the conversation has not read the file, or what it has read is
// not known, an edit has to show by its text that its author knows the file: it fits to the letter, in one place.
func (s plannedOp) place(c content, o *Options) (content, []Problem) {
	var l *look
	if c.base != nil {
		l = c.base.look
	}
	if l == nil || c.base.since != nil || l.known && !l.changed() {
		r, problems := applyEdits(c.data, c.enc, s, o.Loosest)
		if l != nil && c.base.since == nil && len(problems) == 0 {
			problems = s.hintedByOldNumbers(r, c)
		}
		return r, problems
	}
	reason, words := ErrUnread, "the file has not been read"
	if l.known {
		reason, words = ErrStale, "the file has changed since it was read"
	}
	var refused []Problem
	meant := make([]bool, len(s.Edits))
	for i, e := range s.Edits {
		belowAnchor := e.Old == "" && e.Range == nil && len(e.Anchors) > 0 && e.First == 0
		byText := e.Old != "" && (e.Count == 0 || e.Count == 1) || belowAnchor
		meant[i] = e.Old != "" && !byText && !l.known && (c.base.hasCounted(e) || c.base.isMeantBy(e))
		_, proved, _ := c.base.prove(e)
		if !byText && !(l.known && proved) && !meant[i] && !e.isAppend(countLines(c.base.before.Data)) {
			msg := "; read it before an edit by line numbers, or send the text that it replaces"
			if e.Old != "" {
				msg = "; read it before an edit of several places, or send one for each, with text that only that " +
					"place has"
				if at := c.base.places(e.Old); len(at) > 0 {
					msg = "; the old text is at " + plan.ListLines(at) + msg
				}
			}
			refused = append(refused, s.refuseEdit(i, reason, words+msg)...)
		}
	}
	if len(refused) > 0 {
		return content{}, refused
	}
	r, problems := s.placeExactly(c, o, reason, words)
	if len(problems) > 0 {
		return r, problems
	}
	refused = s.chosenByChance(r, c, meant, reason, words)
	if l.known && slices.ContainsFunc(s.Edits, func(e Edit) bool { return e.Old != "" }) {
		note := Note{Op: s.index, Edit: -1, Msg: words + "; the text to replace is there to the letter"}
		r.notes = append(r.notes, note)
	}
	return r, refused
}

// chosenByChance refuses edits that fit to the letter, but may mean another place than the one that was chosen, unless
// they are meant, for a reason with some words.
func (s plannedOp) chosenByChance(r, c content, meant []bool, reason error, words string) (refused []Problem) {
	t, l := c.base, c.base.look
	var then []Problem // in the text that was read
	if l.Text != nil {
		_, then = applyEdits(l.Text, t.enc.For(l.Text), s, Exact)
	}
	sure := []string{"only place", "anchor", "end of file", "line numbers"}
	for _, m := range r.matches {
		e, msg := s.Edits[m.Edit], ""
		wasAmbiguous := func(p Problem) bool { return p.Edit == m.Edit && p.Err == ErrAmbiguous }
		switch {
		case e.Old == "" || meant[m.Edit]:
		case !slices.Contains(sure, m.By) && (l.known || !t.isMeantBy(e)):
			msg = "; the old text is there more than once, so read it first"
		case m.By == sure[0] && slices.ContainsFunc(then, wasAmbiguous) && !t.isMeantBy(e):
			msg = ", and had the old text more than once then; read it again" + t.changedSince(sinceThen)
		}
		if msg != "" {
			refused = append(refused, s.refuseEdit(m.Edit, reason, words+msg)...)
			meant[m.Edit] = true // which is said once
		}
	}
	return refused
}

// isMeantBy reports whether an edit was asked of t before. See isMeant.
func (t *target) isMeantBy(e Edit) bool {
	return t.isMeant(fmt.Sprintf("%d of %q near %d: %q", e.Count, e.Old, e.Near, e.New))
}

// placeExactly places edits that have to fit to the letter, for a reason with some words. In a file that was never
// read, the problem of an edit that would be refused anyway says enough, unless nothing is like the old text; and edits
// that fit less well are refused only once.
func (s plannedOp) placeExactly(c content, o *Options, reason error, words string) (content, []Problem) {
	r, problems := applyEdits(c.data, c.enc, s, Exact)
	anyway := []error{ErrNoChange, ErrApplied, ErrEncoding, ErrPlaceholder, fs.ErrInvalid, ErrStale} // no reading helps
	var loosely content
	var others []Problem
	if len(problems) > 0 && reason == ErrUnread {
		loosely, others = applyEdits(c.data, c.enc, s, o.Loosest)
	}
	isOnce := reason == ErrUnread && len(others) == 0
	meant := isOnce
	for i, p := range problems {
		isOther := func(q Problem) bool { return q.Edit == p.Edit && (q.Err != ErrNotFound || q.Nearest != nil) }
		switch other := slices.IndexFunc(others, isOther); {
		case other >= 0:
			problems[i] = others[other]
		case slices.Contains(anyway, p.Err):
			meant = false
		default:
			problems[i].Err, problems[i].Msg = reason, words+", and an edit must fit it to the letter: "+p.Msg
			meant = isOnce && p.Edit >= 0 && c.base.isMeantBy(s.Edits[p.Edit]) && meant
		}
	}
	if meant && len(problems) > 0 {
		return loosely, nil
	}
	return r, problems
}

// hintedByOldNumbers refuses edits whose place a line number has chosen, among several, that was another line's when it
// was read. If the old text stands at the number now, and did not then, the number is a new one.
func (s plannedOp) hintedByOldNumbers(r, c content) (problems []Problem) {
	base, l := c.base, c.base.look
	for _, m := range r.matches {
		e := s.Edits[m.Edit]
		at, old := e.Near, strings.TrimSuffix(text.Unnumbered(e.Old), "\n")
		if at == 0 && e.Count == 0 && len(e.Anchors) == 0 {
			_, _ = fmt.Sscan(e.Old, &at) // the number in front of its first line
		}
		view, was := l.ViewOf(at, at)
		isOld := was || len(l.Views) == 0 && l.Lines.Has(at, at) // whose text is forgotten
		if !isOld || l.Numbers.Has(at, at) || l.offered(e).Has(at, at) {
			continue
		}
		n := strings.Count(old, "\n") + 1
		stands := func(data []byte) bool {
			all := linesIn(data)
			there := all.Between(min(at-1, all.Count()), min(at-1+n, all.Count()))
			return strings.Contains(strings.Join(there, "\n"), old)
		}
		isIn := at <= m.Old.Line && m.Old.Line <= at+n // the change, which may begin below the first line
		isChosen := m.By == "line" || e.Near == 0 && isIn && bytes.Count(c.data, []byte(old)) != 1 &&
			bytes.Count(c.data, c.data[m.Old.Start:m.Old.End]) > 1
		if !isChosen || was && isIn && stands(c.data) && !stands(view.Text) {
			continue
		}
		msg := fmt.Sprintf("an edit since the file was read has moved lines, so that line %d is ambiguous", at)
		if lines := base.places(old); len(lines) > 0 { // which count, but not the line at the number
			alone := func(line int) [2]int { return [2]int{line, line} }
			msg += ". The old text is at these lines:\n" + base.offer(e, seen.Of(convertAll(lines, alone)...))
		} else {
			msg += base.bothNumbers(Edit{First: at, Last: at, New: e.New}, l.Sight)
		}
		problems = append(problems, s.refuseEdit(m.Edit, ErrUnread, msg)...)
	}
	return problems
}

// carriedOver returns c as a content of the file as it is now, or says why that cannot be done.
func (c *content) carriedOver() (now *content, problem string) {
	was, file := c.base, c.base.since
	now = file.asItIs()
	now.notes = slices.Clip(c.notes)
	if bytes.Equal(c.data, was.before.Data) {
		now.notes = append(now.notes, noteOf("the file has changed since it was read; it was moved as it is"))
		return now, ""
	}
	base, ours := encodedFile{was.before, was.enc}, encodedFile{file.before, file.enc}
	m, msg := mergeTexts(base, ours, encodedFile{&File{Data: c.data}, c.enc}, c.matches)
	if msg != "" && !m.layout {
		return now, msg
	}
	direct, everywhere, fits := directly(c.ops, file, m.layout)
	now.data, now.matches, now.others = m.data, m.matches, text.Clip(m.others, maxOthers)
	switch {
	case !fits && m.layout:
		return now, msg
	case !fits && everywhere:
		return now, "the file has changed since it was read, and the old text is not there as often as the request " +
			"says; read it again"
	case m.layout, everywhere:
		now.data, now.matches, now.notes = direct.data, direct.matches, slices.Clip(direct.notes)
		known, unseen := file.look.Lines.After(m.since), []int(nil)
		for _, d := range direct.matches {
			if last := d.Old.Line + max(d.Old.Lines, 1) - 1; !known.Has(d.Old.Line, last) {
				unseen = append(unseen, d.Old.Line)
			}
		}
		if len(unseen) > 0 {
			now.notes = append(now.notes, noteOf("also changed where others have added or changed lines since: "+
				plan.ListLines(unseen)))
		}
	case fits && !bytes.Equal(direct.data, m.data) && (m.once == 0 || len(direct.data) != len(m.data)+m.once):
		return now, "the file has changed since it was read, and the old text is at another place now; read it again" +
			file.changedSince(sinceThen)
	}
	span := func(g merge.Group) string { return plan.LineSpan(g.NewFrom+1, g.NewTo-g.NewFrom) }
	where := ""
	if len(m.since) > 0 { // else its endings or its encoding have changed
		where = ", at " + listSpans(m.since, 5, span)
	}
	now.notes = append(now.notes, noteOf("the file has changed since it was read"+where+"; the edit was carried over"))
	return now, ""
}

// directly applies edits to a file as it is, by their texts alone, to the letter and each in one place. If others have
// changed nothing but its layout, indentation does not matter, but then no line may come or go, since it would have the
// old layout. Everywhere reports whether an edit asks for a number of places, all of which have to be there.
func directly(ops []plannedOp, file *target, layout bool) (r content, everywhere, fits bool) {
	loosest := Exact
	if layout {
		loosest = Indentation
	}
	r, fits = *file.asItIs(), true
	for _, s := range ops {
		s.Edits = slices.Clone(s.Edits)
		for i, e := range s.Edits {
			everywhere = everywhere || e.Count != 0
			fits = fits && e.Old != "" && e.First == 0 &&
				!(layout && strings.Count(e.Old, "\n") != strings.Count(e.New, "\n"))
			s.Edits[i].Near, s.Edits[i].Tags = 0, nil
		}
		if fits {
			next, problems := applyEdits(r.data, file.enc, s, loosest)
			if fits = len(problems) == 0; fits {
				r = r.then(s, next)
			}
		}
	}
	return r, everywhere, fits
}
