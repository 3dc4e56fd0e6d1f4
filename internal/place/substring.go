package place

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A stringEdit is a substring edit on a version. Its candidates are the places of its old text.
type stringEdit struct {
	*version
	*judged
}

// placeString places a substring edit: exactly, or else as an edit of whole lines (P3).
func (r *request) placeString(v *version, edit int, e *Edit) (o outcome) {
	x := search{v: v, allows: r.allows, meter: &meter{}}
	if p := e.Pointless(v.words); p != nil {
		return o.refuse(edit, p)
	}
	if p := r.rival(v, edit); p != nil {
		return o.refuse(edit, p)
	}
	w, places, overlap := x.findString(edit, e)
	s := stringEdit{v, w}
	refuse := func(p *Problem) outcome { return o.refuse(edit, p, x.considered(w, p)...) }
	switch {
	case w.problem != nil:
		return refuse(w.problem)
	case len(w.candidates) == 0:
		return r.placeAlike(v, edit, e)
	case v.isAtUnendedEnd(e):
		return r.placeLoosely(v, edit, e)
	}
	if p := cmp.Or(x.unsettled(w), plan.Damaged(e.Old, e.New, v.Text, v.words),
		plan.Unseen(e.New, &v.typography, v.words), r.cascades(s), s.misreads()); p != nil {
		return refuse(p)
	}
	if s.hidesDepth() {
		if places == 1 {
			return r.placeLoosely(v, edit, e)
		}
		return refuse(s.misindented(s.candidates[0],
			"{old} begins within the indentation of its line, so it is unclear how far to indent the new lines: copy "+
				"the line from its beginning:"))
	}
	b := s.build(r.edits[edit+1:])
	if len(b.splices) == 0 {
		return refuse(v.problem(errs.ErrNoChange,
			"{old} and {new} differ only in line endings, which stay as the file has them, or in a character without "+
				"width that is there already: leave the {edit} out"))
	}
	if overlap {
		o.notes = append(o.notes, v.note(edit, -1,
			"places of {old} overlap: they were taken from the left, each after the end of the one before"))
	}
	o.splices, o.notes = b.splices, append(o.notes, b.notes...)
	if old := strings.Trim(e.Old, text.Space+"\n"); e.Count != 0 && e.First == 0 && !overlap &&
		(old != e.Old || strings.ContainsAny(old, "\n\t\v\f")) {
		if n := len(x.asLines(e.Old, r.allows&upTo(Notation))) - len(s.candidates); n > 0 {
			o.notes = append(o.notes, v.note(edit, -1, leftAlone, n))
		}
	}
	return o
}

// cascades refuses an edit of all places if some of them, and not all, are in text that an earlier edit of all places
// wrote: whether that is to be changed once more is unclear (J6).
func (r *request) cascades(s stringEdit) *Problem {
	first, n, done := -1, 0, s.version.done
	for _, c := range s.candidates {
		at := sort.Search(len(done), func(i int) bool { return done[i].New.End > c.Start })
		if at < len(done) && done[at].New.Start < c.End && r.edits[done[at].Edit].Count != 0 &&
			text.HasLetterOrDigit(r.edits[done[at].Edit].New) { // else it has only removed, or set off, what is there
			first, n = done[at].Edit, n+1
		}
	}
	if s.e.Count == 0 || n == 0 || n == len(s.candidates) {
		return nil
	}
	return s.version.problem(errs.ErrOverlap, "some places of {old} are in what %s wrote, and others are not: put "+
		"this {edit} above that one, or, to exchange texts, write a third text first, and replace that last",
		s.words.Nth(first))
}

// rival refuses a substring edit if an earlier one has its old text and another new one, and the source one place (J6).
func (r *request) rival(v *version, edit int) *Problem {
	e := &r.edits[edit]
	if e.Count != 0 || len(r.edits) == 1 {
		return nil
	}
	old := strings.ReplaceAll(e.Old, "\r\n", "\n")
	if r.olds == nil {
		r.olds = map[string]int{}
	}
	switch first, known := r.olds[old]; {
	case !known:
		r.olds[old] = edit
	case r.edits[first].New != e.New && len(r.source.Occurrences(e.Old, 2)) < 2:
		return v.problem(errs.ErrOverlap, "{old} is that of %s too, {new} is another, and the file has one place for "+
			"both: combine the two {edit}s into one", v.words.Nth(first))
	}
	return nil
}

// hasEvidence reports whether a substring edit says more of its place than its old text.
func hasEvidence(e *Edit) bool { return len(e.Anchors) > 0 || e.AtEnd || e.Near > 0 || e.First > 0 }

// findString finds the places of a substring edit that its evidence supports. It returns their number without the
// evidence, too, and whether there are places between those of an edit with a count.
func (x search) findString(edit int, e *Edit) (w *judged, n int, overlap bool) {
	evidence := hasEvidence(e)
	var places []text.Span
	switch {
	case e.Count != 0:
		places, overlap = x.v.Apart(e.Old)
	case evidence:
		places = x.v.Occurrences(e.Old, len(x.v.Data)+1)
	default:
		places = x.v.Occurrences(e.Old, manyPlaces)
	}
	m := &memory{}
	w = &m.judged[0]
	w.edit, w.e, w.candidates, w.by = edit, e, room(&m.candidate, len(places)), onlyPlace
	for i, s := range places {
		w.candidates[i].Span = s
	}
	if evidence && len(places) > 0 || x.v.source != nil && len(places) > 1 {
		x.judge(m.judged[:])
	}
	if e.Count != 0 {
		w.by = everyPlace
	}
	return w, len(places), overlap
}

// isAtUnendedEnd reports whether the old text would be at the end of v, where its line number is, if v ended in a line
// ending as the old text does.
func (v *version) isAtUnendedEnd(e *Edit) bool {
	old, ended := strings.CutSuffix(e.Old, "\n")
	at := len(v.Data) - len(old)
	return e.Near > 0 && ended && bytes.HasSuffix(v.Data, []byte(old)) && v.LineStart(at) == at &&
		v.sourceLine(at) == e.Near
}

// misreads refuses an edit that may cut a character, one that was made already, or one that would indent a line twice.
func (s stringEdit) misreads() *Problem {
	cuts := func(at candidate) bool { return s.MayCutCharacter(at.Start) }
	if i := slices.IndexFunc(s.candidates, cuts); i >= 0 && !utf8.Valid(s.Data) {
		return s.version.problem(errs.ErrEncoding,
			"the file is not in UTF-8, and its encoding is unknown, so {old} may begin within a character of line "+
				"%d: begin it after a space or at the start of the line, or use line numbers",
			s.sourceLine(s.candidates[i].Start))
	}
	if p := cmp.Or(s.version.repeats(s.judged), s.cutsToken(s.judged)); p != nil {
		return p
	}
	twice := func(at candidate) bool {
		if !s.isAfterIndent(at) || !s.indentsTwice(at) {
			return false
		}
		start := s.LineStart(at.Start) // an earlier edit may open a block above it
		return hasSeveralLines(s.e.Old) || hasSeveralLines(s.e.New) ||
			!s.isWritten(text.Span{Start: max(start-2, 0), End: start})
	}
	if at := slices.IndexFunc(s.candidates, twice); at >= 0 {
		return s.misindented(s.candidates[at], "{old} begins after the indentation of its line, but {new} includes "+
			"that indentation: begin both at the start of the line, or both after the indentation. The file has:")
	}
	some := s.candidates[:min(len(s.candidates), manyPlaces)]
	if at := slices.IndexFunc(some, s.beginsLine); at >= 0 {
		return s.misindented(some[at], "{old} begins within its line, but {new} with the beginning of that: begin "+
			"both at the start of the line, or both within it. The file has:")
	}
	if at := slices.IndexFunc(s.candidates, s.sinks); at >= 0 {
		return s.misindented(s.candidates[at],
			"{old} begins after the indentation of its line, and a line of {new} below the first has lost its own: "+
				"begin both at the start of the line. The file has:")
	}
	return s.cutsLine(s.candidates[0].Span, s.e)
}

// misindented refuses an edit, and shows the lines of a place with their indentation.
func (s stringEdit) misindented(at candidate, msg string) *Problem {
	return s.problemShowing(text.Span{Start: s.LineStart(at.Start), End: at.End}, errs.ErrNotFound, msg)
}

// build builds an edit at all its places, with notes on its effects. Later are the edits after it.
func (s stringEdit) build(later []Edit) (b built) {
	add := func(at int, format string, args ...any) {
		b.notes = append(b.notes, s.note(s.edit, at, format, args...))
	}
	if s.deletesLines(later) {
		for i, c := range s.candidates {
			s.candidates[i].Span = text.Span{Start: s.LineStart(c.Start), End: s.LineAt(s.LineStart(c.End - 1)).Next}
		}
		add(-1, "{old} is all that these lines have, so they were removed with their indentation and the last line "+
			"ending")
	}
	new, above := s.withoutRepeated()
	if above != "" {
		add(s.candidates[0].Start, "an earlier {edit} has already added these lines, from %s on: they were not added "+
			"again", plan.Quote(above))
	}
	joins := func(at candidate) bool { return !s.InIndent(at.Start) || !s.isAboveLine(at) || s.mayJoin(at) }
	keeps := s.e.JoinsLines() && !slices.ContainsFunc(s.candidates, joins)
	if keeps {
		new += "\n"
		add(s.candidates[0].Start, "{old} ends with a newline, but {new} does not: the newline stays")
	}
	b.splices = make([]text.Splice, 0, len(s.candidates))
	for _, c := range s.candidates {
		new := s.Unseen(c.Span, s.e.Old, new)
		if c := s.Substitute(originOf(s.edit, Exact, s.by), c.Span, new); c.New != "" || c.Start < c.End {
			b.splices = append(b.splices, c)
		}
	}
	s.effects(keeps, add)
	return b
}

// effects adds notes on what an edit does beside what it says, and on how its place was chosen. Keeps says that the
// newline at the end of its old text stays.
func (s stringEdit) effects(keeps bool, add func(at int, format string, args ...any)) {
	if at := s.candidates[0]; at.End < len(s.Data) && !keeps && s.e.JoinsLines() {
		effect := "its last line was joined with the line below"
		if !s.isAboveLine(at) {
			effect = "the blank line below has gone"
		}
		add(at.Start, "{old} ends with a newline, but {new} does not: "+effect)
	}
	if at := slices.IndexFunc(s.candidates, s.addsEmptyLine); at >= 0 {
		add(s.candidates[at].Start, "{new} ends with a newline, but {old} does not: an empty line is below it now")
	}
	if s.by == byOrigin {
		add(s.candidates[0].Start, "{old} is there more than once: this place was chosen by "+s.how)
	}
	s.nearNote(s.asked, s.candidates[0].Start, add)
	for _, c := range s.candidates {
		start, end := s.wordAt(c.Start)
		if start == end {
			start, end = s.wordAt(c.End)
		}
		if start < end {
			add(c.Start, "{old} begins or ends within the word %s here", plan.Quote(string(s.Data[start:end])))
			break
		}
	}
	if at := slices.IndexFunc(s.candidates, s.isAfterIndent); at >= 0 {
		if msg := s.indentNote(s.candidates[at]); msg != "" {
			add(s.candidates[at].Start, msg)
		}
	}
}

// addsEmptyLine reports whether the new text ends a line that is ended already, and changes more than that.
func (s stringEdit) addsEmptyLine(at candidate) bool {
	new, adds := strings.CutSuffix(s.e.New, "\n")
	return adds && !strings.HasSuffix(s.e.Old, "\n") && strings.TrimRight(new, "\n") != s.e.Old &&
		!text.IsBlankText(new) && at.End < len(s.Data) && s.LineAt(s.LineStart(at.End)).End == at.End
}

// deletesLines reports whether an edit removes whole lines at all its places, but for the ending of the last line or
// the indentation of the first, and none of the next edits shows the empty line that would remain.
func (s stringEdit) deletesLines(later []Edit) bool {
	const near = 50 // later edits are considered
	e, next := s.e, later[:min(len(later), near)]
	ended := strings.HasSuffix(e.Old, "\n")
	if e.New != "" || text.IsBlankText(e.Old) || strings.HasPrefix(strings.TrimPrefix(e.Old, "\r"), "\n") ||
		ended && !slices.ContainsFunc(s.candidates, s.isAfterIndent) {
		return false
	}
	return !slices.ContainsFunc(s.candidates, func(at candidate) bool {
		last := s.LineAt(s.LineStart(at.End - 1))
		if !s.InIndent(at.Start) || last.End == last.Next || at.End != last.End && !ended {
			return true
		}
		if ended {
			return false
		}
		above := s.content(s.Above(text.Line{Start: s.LineStart(at.Start)})) + "\n" + s.hidden(at) + "\n"
		below := "\n" + s.hidden(at) + "\n" + s.content(s.Below(last))
		return slices.ContainsFunc(next, func(later Edit) bool {
			shown := strings.ReplaceAll(later.Old, "\r\n", "\n")
			return strings.Contains(shown, above) || strings.Contains(shown, below)
		})
	})
}

// withoutRepeated returns the new text without the lines at its beginning that an earlier edit of the request has put
// right above the place: both were written against the text at the start. Above is the first of the lines, or "".
func (s stringEdit) withoutRepeated() (new, above string) {
	lines, _, repeats := strings.Cut(s.e.New+"\n", "\n"+text.FirstLine(s.e.Old)+"\n")
	if !repeats || len(s.candidates) > 1 || s.source == nil {
		return s.e.New, ""
	}
	lines += "\n"
	at, own := s.candidates[0], s.WithEndings(s.candidates[0].Span, lines)
	if !text.HasLetterOrDigit(own) || !s.StartsLine(at.Start) || !bytes.HasSuffix(s.Data[:at.Start], []byte(own)) ||
		!s.isWritten(text.Span{Start: at.Start - len(own), End: at.Start}) {
		return s.e.New, ""
	}
	return s.e.New[len(lines):], strings.TrimSuffix(text.FirstLine(lines), "\r")
}

// placeAlike places a substring edit whose old text is not there exactly. If one place differs from it in nothing but
// notation (N1), within a line, it is placed as an edit of the whole lines that the place is in.
func (r *request) placeAlike(v *version, edit int, e *Edit) (o outcome) {
	lines := *e
	if at, ok := v.alike(e.Old); ok && e.Count <= 1 && strings.Trim(e.Old, "\r\n") == e.Old {
		around := v.LinesAround(at)
		above, below := string(v.Data[around.Start:at.Start]), string(v.Data[at.End:around.End])
		if own := string(v.Data[at.Start:at.End]); !text.IsBlankText(above) || !text.IsBlankText(below) {
			ended := strings.NewReplacer("\r\n", "\n")
			as := Edit{Old: ended.Replace(own)}
			as.New = text.Respell(ended.Replace(e.New), ended.Replace(e.Old), as.Old)
			s := stringEdit{v, &judged{asked: asked{edit: edit, e: &as}, by: onlyPlace}}
			s.candidates = []candidate{{Span: at}}
			if p := s.misreads(); p != nil {
				return o.refuse(edit, p)
			}
			lines.WholeLines, lines.Count = true, 0
			lines.Old, lines.New = above+e.Old+below, above+e.New+below
			return r.placeLines(v, edit, []Edit{lines})
		}
	}
	return r.placeLoosely(v, edit, e)
}

// placeLoosely places a substring edit as an edit of whole lines.
func (r *request) placeLoosely(v *version, edit int, e *Edit) outcome {
	lines := *e
	lines.WholeLines = true
	switch {
	case e.JoinsLines():
		lines.New = e.Old
	case !strings.HasSuffix(e.Old, "\n"):
		if lines.Old += "\n"; e.New != "" {
			lines.New += "\n"
		}
	}
	o := r.placeLines(v, edit, []Edit{lines})
	if !e.JoinsLines() {
		return o
	}
	if o.splices = nil; len(o.problems) == 0 {
		o.refuse(edit, v.problem(errs.ErrNotFound,
			"{old} is there only with different whitespace, and {new} lacks the newline at the end of {old}: end "+
				"both the same way, or copy {old} exactly"))
	}
	return o
}

// indentNote returns a note on indentation that the old text does not show, and that stays before the new one, or "".
func (s stringEdit) indentNote(at candidate) string {
	hidden := s.hidden(at)
	_, later, _ := strings.Cut(s.e.New, "\n")
	further := func(l string) bool {
		indent, body, _ := text.Parts(l)
		return body != "" && outline.Width(indent) < outline.Width(hidden)
	}
	switch {
	case s.e.New == "" && strings.HasSuffix(s.e.Old, "\n") && s.isAboveLine(at):
		return "{old} begins after the indentation of its line, which is now in front of the line below"
	case text.IsSpace(s.e.Old[0]) || strings.Contains(strings.TrimSuffix(s.e.Old, "\n"), "\n"):
		return ""
	case s.indentsTwice(at):
		return "{old} begins after the indentation of its line, but {new} includes it: the line is now indented twice"
	case slices.ContainsFunc(text.Split(later), further):
		return "{old} begins after the indentation of its line: the new lines below the first were inserted as " +
			"written, indented less than the first"
	}
	return ""
}

// isAfterIndent reports whether a place begins after some of the indentation of its line, and after nothing else.
func (s stringEdit) isAfterIndent(at candidate) bool {
	return s.InIndent(at.Start) && !s.StartsLine(at.Start)
}

// hidden returns what the line of a place has before it.
func (s stringEdit) hidden(c candidate) string { return string(s.Data[s.LineStart(c.Start):c.Start]) }

// indentsTwice reports whether the new text begins with the indentation that the old text leaves out of its first line,
// and changes something else too. An edit that changes nothing else is meant to indent the line.
func (s stringEdit) indentsTwice(at candidate) bool {
	new := text.FirstLine(s.e.New)
	return !text.IsSpace(s.e.Old[0]) && !text.IsBlank(new) && outline.Indent(new) == s.hidden(at) &&
		strings.Trim(s.e.New, text.Space) != strings.Trim(s.e.Old, text.Space)
}

// beginsLine reports whether a place begins further on in its line, but the new text with the beginning of that: with
// all of it, which has a word or ends with a space, or with its indentation and its first word.
func (s stringEdit) beginsLine(at candidate) bool {
	hidden := s.hidden(at)
	indent := outline.Indent(hidden)
	body := hidden[len(indent):]
	head := strings.TrimPrefix(body, "- ")
	word, _, isPart := strings.Cut(body, " ")
	again := func(head string) bool {
		return strings.HasPrefix(strings.TrimLeft(s.e.New, text.Space), head) && !strings.HasPrefix(s.e.Old, head)
	}
	return text.HasWord(head) && again(head) || strings.HasSuffix(body, " ") && again(body) ||
		indent != "" && isPart && strings.HasPrefix(s.e.New, indent+word+" ")
}

// sinks reports whether a substring edit begins after the indentation of its line, and a new line below the first has
// lost its own: the first old line again; the second new one, in column 0 or no deeper than the first, which opens
// something; or the last, above a deeper line or a closing bracket. Literals do not count.
func (s stringEdit) sinks(at candidate) bool {
	hidden := outline.Width(s.hidden(at))
	if hidden < 2 || !strings.Contains(strings.TrimSuffix(s.e.New, "\n"), "\n") || !s.isAfterIndent(at) ||
		text.IsSpace(s.e.Old[0]) || strings.Contains(s.e.New, "<<") || outline.InQuotes(s.e.New) {
		return false
	}
	old, new := text.Split(s.e.Old), text.Split(s.e.New)
	first, next, last := new[0], new[1], new[len(new)-1]
	if strings.HasSuffix(first, "{|") || outline.InQuotes(first) {
		return false
	}
	again := first != old[0] && text.HasLetterOrDigit(old[0]) && !outline.ClosesScope(old[0]) &&
		slices.Contains(new, old[0])
	opens := outline.Opens(first) && !outline.IsComment(first)
	depth := outline.Depth(next)
	isSecond := len(old) == 1 && !mayBeOuter(next, first) && (depth == 0 || opens && depth <= hidden)
	isLast := text.HasLetterOrDigit(last) && !mayBeOuter(last, first) && !outline.Opens(last) &&
		!strings.HasSuffix(last, "[")
	line := s.LineAt(s.LineStart(max(at.Start, at.End-1)))
	below := s.content(s.SolidBelow(line))
	switch {
	case again || isSecond:
		return true
	case !isLast || at.End < line.End || below == "":
		return false
	}
	least := outline.Depth(below)
	if strings.IndexByte(")]}", text.Unindented(below)[0]) >= 0 {
		least++
	}
	if len(old) > 1 {
		least = min(least, outline.Depth(old[len(old)-1]))
	}
	return outline.Depth(last) < min(hidden, least)
}

// hasSeveralLines reports whether s has text in more than one line.
func hasSeveralLines(s string) bool { return strings.Contains(strings.Trim(s, text.Space+"\n"), "\n") }

// hidesDepth reports whether a place begins within the indentation of a non-blank line and ends where a line ends. Then
// new lines below the first have the indentation of the request, not of the text (P3).
func (s stringEdit) hidesDepth() bool {
	isWithinIndent := func(at candidate) bool {
		return s.isAfterIndent(at) && !text.IsBlankText(s.Data[at.Start:at.End]) &&
			(at.End == len(s.Data) || s.Data[at.End-1] == s.EOL || s.LineAt(s.LineStart(at.End)).End == at.End)
	}
	return text.IsSpace(s.e.Old[0]) && !hasSeveralLines(s.e.Old) && hasSeveralLines(s.e.New) &&
		slices.ContainsFunc(s.candidates, isWithinIndent)
}

// mayJoin reports whether an edit may mean to remove the ending of its last line: it changes nothing else, its new text
// ends as if something followed, or has other lines than the old one, and the line below could go on there.
func (s stringEdit) mayJoin(at candidate) bool {
	last := s.e.New[len(s.e.New)-1]
	return s.e.Old == s.e.New+"\n" || text.IsSpace(last) ||
		strings.Count(s.e.Old, "\n") != strings.Count(s.e.New, "\n")+1 &&
			strings.IndexByte("([{,", last) >= 0 && !text.IsSpace(s.Data[at.End])
}

// isAboveLine reports whether a place ends above a non-blank line. A blank one may be meant to go, or to be the last of
// the old text, unless other lines than blank ones are added right above it.
func (s stringEdit) isAboveLine(at candidate) bool {
	added, adds := strings.CutPrefix(s.e.New, s.e.Old)
	return at.End < len(s.Data) &&
		(!text.IsBlank(s.Bytes(s.LineAt(at.End))) || adds && !text.IsBlank(text.FirstLine(added)))
}
