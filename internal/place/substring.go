package place

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// placeString places a substring edit: exactly, or else as an edit of whole lines (P3).
func (r *request) placeString(v *version, edit int, e *Edit) (o outcome) {
	refuse := func(p *Problem) outcome {
		o.refuse(edit, p)
		return o
	}
	if p := pointless(e); p != nil {
		return refuse(p)
	}
	found, p := r.stringPlaces(v, edit, e)
	places := found.places
	switch {
	case p != nil:
		return refuse(p)
	case len(places) == 0:
		return r.placeLoosely(v, edit, e)
	case e.Count == 0 && len(places) > 1:
		return refuse(v.ambiguous(v.locate(places), theOldText))
	case e.Count > 0 && len(places) != e.Count:
		return refuse(miscounted(v.locate(places), e.Count))
	}
	if p := placeholder(e.Old, e.New, v.Text); p != nil {
		return refuse(p)
	}
	s := stringEdit{v.Text, edit, e}
	if p := s.misreads(v, places); p != nil {
		return refuse(p)
	}
	if text.IsSpace(e.Old[0]) && !hasSeveralLines(e.Old) && hasSeveralLines(e.New) && slices.ContainsFunc(places, s.isWithinIndent) {
		if found.all == 1 {
			return r.placeLoosely(v, edit, e)
		}
		return refuse(&Problem{Err: errs.ErrNotFound, Msg: "the old text begins within the indentation of its line, so it is unclear how far to indent the new lines: copy the line from its beginning"})
	}
	if r.deletesLines(s, places) {
		for i := range places {
			places[i] = s.wholeLines(places[i])
		}
		found.notes = append(found.notes, note{edit, -1, "the old text is all that these lines have, so their indentation and the last line ending were removed too"})
	}
	new, above := s.withoutRepeated(v, places)
	if above != "" {
		found.notes = append(found.notes, note{edit, places[0].Start, fmt.Sprintf("an earlier edit has already added these lines, from %s on: they were not added again", quoteLine(above))})
	}
	for _, at := range places {
		if c := v.Substitute(originOf(edit, Exact, found.by), at, new); c.New != "" || c.Start < c.End {
			o.splices = append(o.splices, c)
		}
	}
	if len(o.splices) == 0 {
		o.refuse(edit, &Problem{Err: errs.ErrNoChange, Msg: "the old text and the new text differ only in line endings, which stay as the file has them: leave the edit out"})
	}
	o.notes = append(found.notes, s.notes(places)...)
	if old := strings.Trim(e.Old, text.Space+"\n"); e.Count != 0 && !found.overlap && (old != e.Old || strings.ContainsAny(old, "\n\t\v\f")) {
		o.notes = append(o.notes, r.looserNotes(v, edit, e, len(places))...)
	}
	return o
}

// misreads refuses an edit that was made already, or that would indent a line twice.
func (s stringEdit) misreads(v *version, places []text.Span) *Problem {
	if s.e.Count == 0 {
		if p := v.readsSo(places[0], s.e); p != nil {
			return p
		}
	}
	twice := func(at text.Span) bool { return s.isAfterIndent(at) && s.indentsTwice(at) }
	if hasSeveralLines(s.e.Old) && slices.ContainsFunc(places, twice) {
		return &Problem{Err: errs.ErrNotFound, Msg: "the old text begins after the indentation of its line, but the new text includes that indentation: begin both at the start of the line, or both after the indentation"}
	}
	return nil
}

// deletesLines reports whether an edit removes whole lines at all its places, but for the ending of the last line, and none of the next
// edits shows the empty line that would remain.
func (r *request) deletesLines(s stringEdit, places []text.Span) bool {
	const near = 50 // later edits are considered
	e, next := s.e, r.edits[s.edit+1:]
	next = next[:min(len(next), near)]
	if e.New != "" || text.IsBlankText([]byte(e.Old)) || strings.HasPrefix(strings.TrimPrefix(e.Old, "\r"), "\n") || strings.HasSuffix(e.Old, "\n") {
		return false
	}
	return !slices.ContainsFunc(places, func(at text.Span) bool {
		last := s.LineAt(s.LineStart(at.End))
		if !s.isInIndent(at.Start) || last.End != at.End || last.End == last.Next {
			return true
		}
		hidden, above, below := string(s.Data[s.LineStart(at.Start):at.Start]), "\n", "\n"
		if start := s.LineStart(at.Start); start > 0 {
			above = string(s.Bytes(s.LineBefore(start))) + above
		}
		if last.Next < len(s.Data) {
			below += string(s.Bytes(s.LineAt(last.Next)))
		}
		return slices.ContainsFunc(next, func(later Edit) bool {
			shown := strings.ReplaceAll(later.Old, "\r\n", "\n")
			return strings.Contains(shown, above+hidden+"\n") || strings.Contains(shown, "\n"+hidden+below)
		})
	})
}

// wholeLines returns a place with the indentation before it and the line ending after it.
func (s stringEdit) wholeLines(at text.Span) text.Span {
	return text.Span{Start: s.LineStart(at.Start), End: s.LineAt(s.LineStart(at.End)).Next}
}

// withoutRepeated returns the new text without the lines at its beginning that an earlier edit of the request has put right above the
// place: both edits were written against the text at the start. Above is the first of these lines, "" if there are none.
func (s stringEdit) withoutRepeated(v *version, places []text.Span) (new, above string) {
	new = s.e.New
	first, _, _ := strings.Cut(s.e.Old, "\n")
	at := places[0]
	if len(places) > 1 || v.source == nil || !v.StartsLine(at.Start) {
		return new, ""
	}
	lines, end := strings.SplitAfter(new, "\n"), 0
	for k, l := range lines {
		if end > 0 && strings.TrimRight(l, "\r\n") == first {
			added := v.WithEndings(at, new[:end])
			if text.HasLetterOrDigit(added) && bytes.HasSuffix(v.Data[:at.Start], []byte(added)) && v.isWritten(text.Span{Start: at.Start - len(added), End: at.Start}) {
				return new[end:], strings.TrimRight(lines[0], "\r\n")
			}
			break
		}
		end += len(lines[k])
	}
	return new, ""
}

// pointless refuses an edit that changes nothing, or whose numbers make no sense.
func pointless(e *Edit) *Problem {
	switch {
	case e.Old == e.New:
		return &Problem{Err: errs.ErrNoChange, Msg: "the old text and the new text are the same: leave the edit out"}
	case e.Count < All || e.Near < 0:
		return invalid("the count is below -1, or the line number is negative: correct them")
	}
	return nil
}

// A stringFinding has the places of a string that the evidence of its edit supports.
type stringFinding struct {
	places  []text.Span
	all     int // the number of places without the evidence
	by      string
	overlap bool
	notes   []note
}

// stringPlaces finds the places of a substring edit.
func (r *request) stringPlaces(v *version, edit int, e *Edit) (f stringFinding, p *Problem) {
	evidence := len(e.Anchors) > 0 || e.AtEnd || e.Near > 0
	switch {
	case e.Count != 0:
		f.places, f.overlap = v.Apart(e.Old)
	case evidence:
		f.places = v.Occurrences(e.Old, len(v.Data)+1)
	default:
		f.places = v.Occurrences(e.Old, manyPlaces)
	}
	f.all, f.by = len(f.places), onlyPlace
	if e.Count != 0 {
		f.by = everyPlace
	}
	if f.overlap {
		f.notes = append(f.notes, note{edit, -1, "places of the old text overlap: they were taken from the left, each after the end of the one before"})
	}
	if evidence && f.all > 0 {
		return f, r.judgeString(v, e, &f)
	}
	return f, nil
}

// judgeString reduces the places of a string to those that the evidence of its edit supports. It refuses the edit if there are none.
func (r *request) judgeString(v *version, e *Edit, f *stringFinding) *Problem {
	all := []pending{{e: e, finding: finding{candidates: candidatesOf(f.places)}}}
	w := &all[0]
	newSearch(v, r.allows).judge(all)
	f.places = nil
	for _, c := range w.candidates {
		f.places = append(f.places, c.Span)
	}
	if e.Count == 0 {
		f.by = w.by
	}
	return w.problem
}

// placeLoosely places a substring edit as an edit of whole lines, because its old text is not there exactly.
func (r *request) placeLoosely(v *version, edit int, e *Edit) outcome {
	lines := *e
	lines.WholeLines = true
	if !strings.HasSuffix(e.Old, "\n") {
		if lines.Old = e.Old + "\n"; e.New != "" {
			lines.New = e.New + "\n"
		}
	} else if e.New != "" && !strings.HasSuffix(e.New, "\n") {
		lines.New = e.Old
		o := r.placeLines(v, edit, []Edit{lines}, true)
		if o.splices = nil; len(o.problems) == 0 {
			o.refuse(edit, &Problem{Err: errs.ErrNotFound, Msg: "the old text is there only with different whitespace, and the new text lacks the newline at the end of the old text: " +
				"end both the same way, or copy the old text exactly"})
		}
		return o
	}
	return r.placeLines(v, edit, []Edit{lines}, true)
}

// looserNotes returns a note on the places where an edit with a count would fit less well (P4).
func (r *request) looserNotes(v *version, edit int, e *Edit, exact int) []note {
	p := &pattern{edit: edit, e: e}
	p.read(e.Old, e.Old)
	x := newSearch(v, r.allows&upTo(Notation))
	ids := text.Keys{}
	ids.Add(p.keys...)
	x.index = text.NewIndex(v.Text, ids)
	if n := len(x.findAs(p).candidates); n > exact {
		return []note{{edit, -1, leftAlone(n - exact)}}
	}
	return nil
}

// A stringEdit is a substring edit on a text.
type stringEdit struct {
	text.Text
	edit int
	e    *Edit
}

// notes returns notes on surprising effects of the edit at its places.
func (s stringEdit) notes(places []text.Span) (notes []note) {
	if strings.HasSuffix(s.e.Old, "\n") && s.e.New != "" && !strings.HasSuffix(s.e.New, "\n") {
		if at := slices.IndexFunc(places, s.isAboveLine); at >= 0 {
			notes = append(notes, note{s.edit, places[at].Start, "the old text ends with a newline, but the new text does not: its last line was joined with the line below"})
		}
	}
	if at := slices.IndexFunc(places, s.isAfterIndent); at >= 0 {
		if msg := s.indentNote(places[at]); msg != "" {
			notes = append(notes, note{s.edit, places[at].Start, msg})
		}
	}
	return notes
}

// indentNote returns a note on indentation that the old text does not show, which stays in front of the new text. It returns ""
// if there is no need for one.
func (s stringEdit) indentNote(at text.Span) string {
	hidden := string(s.Data[s.LineStart(at.Start):at.Start])
	_, later, _ := strings.Cut(s.e.New, "\n")
	further := func(l string) bool {
		indent, body, _ := text.Parts(l)
		return body != "" && outline.Width(indent) < outline.Width(hidden)
	}
	switch {
	case s.e.New == "" && strings.HasSuffix(s.e.Old, "\n") && at.End < len(s.Data) && !text.IsBlank(s.Bytes(s.LineAt(at.End))):
		return "the old text begins after the indentation of its line, which is now in front of the line below"
	case text.IsSpace(s.e.Old[0]) || strings.Contains(strings.TrimSuffix(s.e.Old, "\n"), "\n"):
		return ""
	case s.indentsTwice(at):
		return "the old text begins after the indentation of its line, but the new text includes it: the line is now indented twice"
	case slices.ContainsFunc(text.Split(later), further):
		return "the old text begins after the indentation of its line: the new lines below the first were inserted as written, indented less than the first"
	}
	return ""
}

// isAfterIndent reports whether a place begins after some of the indentation of its line, and after nothing else.
func (s stringEdit) isAfterIndent(at text.Span) bool {
	return at.Start > 0 && text.IsSpace(s.Data[at.Start-1]) && s.Data[at.Start-1] != s.EOL && s.isInIndent(at.Start)
}

// isInIndent reports whether nothing but whitespace precedes an offset in its line.
func (s stringEdit) isInIndent(at int) bool {
	for at > 0 && s.Data[at-1] != s.EOL && text.IsSpace(s.Data[at-1]) {
		at--
	}
	return at == 0 || s.Data[at-1] == s.EOL
}

// indentsTwice reports whether the new text begins with the indentation that the old text leaves out of its first line, and
// changes that line otherwise too. An edit that changes nothing else of the line is meant to indent it.
func (s stringEdit) indentsTwice(at text.Span) bool {
	hidden := string(s.Data[s.LineStart(at.Start):at.Start])
	old, _, _ := strings.Cut(s.e.Old, "\n")
	new, _, _ := strings.Cut(s.e.New, "\n")
	return !text.IsSpace(s.e.Old[0]) && !text.IsBlank(new) && outline.Indent(new) == hidden && strings.Trim(new, text.Space) != strings.Trim(old, text.Space)
}

// hasSeveralLines reports whether s has text in more than one line.
func hasSeveralLines(s string) bool { return strings.Contains(strings.Trim(s, text.Space+"\n"), "\n") }

// isWithinIndent reports whether a place begins within the indentation of a non-blank line and ends where a line ends. Then new
// lines below the first have the indentation of the request, not of the text (P3).
func (s stringEdit) isWithinIndent(at text.Span) bool {
	start := s.LineStart(at.Start)
	return start < at.Start && text.IsBlank(s.Data[start:at.Start]) && !text.IsBlankText(s.Data[at.Start:at.End]) &&
		(at.End == len(s.Data) || s.Data[at.End-1] == s.EOL || s.LineAt(s.LineStart(at.End)).End == at.End)
}

// isAboveLine reports whether a place begins where a line does, apart from indentation, and ends just above a non-blank line.
func (s stringEdit) isAboveLine(at text.Span) bool {
	return s.isInIndent(at.Start) && at.End < len(s.Data) && !text.IsBlank(s.Bytes(s.LineAt(at.End)))
}
