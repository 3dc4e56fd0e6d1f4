package place

import (
	"fmt"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

// placeString places a substring edit: exactly, or else as an edit of whole lines (P5).
func (r *request) placeString(v *version, edit int, e *Edit) (o outcome) {
	refuse := func(p *Problem) outcome {
		o.refuse(edit, p)
		return o
	}
	if p := pointless(e); p != nil {
		return refuse(p)
	}
	places, found, p := r.stringPlaces(v, e)
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
	if e.Count == 0 {
		if p := v.readsSo(places[0], e); p != nil {
			return refuse(p)
		}
	}
	if text.IsSpace(e.Old[0]) && !hasSeveralLines(e.Old) && hasSeveralLines(e.New) && slices.ContainsFunc(places, s.isWithinIndent) {
		if found == 1 {
			return r.placeLoosely(v, edit, e)
		}
		return refuse(&Problem{Err: errs.ErrNotFound, Msg: "the old text begins within the indentation of its line, so it is unclear how far to indent the new lines: copy the line from its beginning"})
	}
	if twice := func(at text.Span) bool { return s.isAfterIndent(at) && s.indentsTwice(at) }; hasSeveralLines(e.Old) && slices.ContainsFunc(places, twice) {
		return refuse(&Problem{Err: errs.ErrNotFound, Msg: "the old text begins after the indentation of its line, but the new text includes that indentation: begin both at the start of the line, or both after the indentation"})
	}
	for _, at := range places {
		if c := substitute(v.Text, at, e.New); c.new != "" || c.start < c.end {
			c.edit = edit
			o.splices = append(o.splices, c)
		}
	}
	if len(o.splices) == 0 {
		o.refuse(edit, &Problem{Err: errs.ErrNoChange, Msg: "old and new text differ only in line endings, which stay as the file has them: leave the edit out"})
	}
	o.notes = s.notes(places)
	if old := strings.Trim(e.Old, text.Space+"\n"); e.Count != 0 && (old != e.Old || strings.ContainsAny(old, "\n\t\v\f")) {
		o.notes = append(o.notes, r.looserNotes(v, edit, e, len(places))...)
	}
	return o
}

// pointless refuses an edit that changes nothing, or whose numbers make no sense.
func pointless(e *Edit) *Problem {
	switch {
	case e.Old == e.New:
		return &Problem{Err: errs.ErrNoChange, Msg: "old and new text are the same: leave the edit out"}
	case e.Count < All || e.Near < 0:
		return invalid("the count is below -1, or the line number is negative: correct them")
	}
	return nil
}

// stringPlaces returns the places of a string that the evidence of its edit supports, and the number of places without the
// evidence.
func (r *request) stringPlaces(v *version, e *Edit) (places []text.Span, found int, p *Problem) {
	evidence := len(e.Anchors) > 0 || e.AtEnd || e.Near > 0
	most := manyPlaces
	if e.Count != 0 || evidence {
		most = len(v.Data) + 1
	}
	places = v.occurrences(e.Old, most, e.Count != 0 && !evidence)
	found = len(places)
	if evidence && found > 0 {
		if places, p = r.judgeString(v, places, e); p != nil {
			return nil, found, p
		}
	}
	if two := overlapping(places); two != nil && e.Count != 0 {
		return nil, found, &Problem{Err: errs.ErrOverlap, Places: v.locate(places).lines, Msg: fmt.Sprintf("occurrences of the old text overlap, at %s: "+
			"show more of the text, so that they do not", v.locate(two))}
	}
	return places, found, nil
}

// judgeString returns the places of a string that the evidence of its edit supports. It refuses the edit if there are none.
func (r *request) judgeString(v *version, places []text.Span, e *Edit) ([]text.Span, *Problem) {
	w := &pending{e: e}
	for _, s := range places {
		w.candidates = append(w.candidates, candidate{class: Exact, start: s.Start, end: s.End})
	}
	x, all := newSearch(v, r.loosest), w.candidates
	if x.byAnchors(w, anchorScopes{}); len(w.candidates) == 0 {
		return nil, x.v.misplaced(w, x.locationOf(nil, all))
	}
	if e.Near > 0 {
		x.nearestToLine(w, e.Near, 0)
	}
	places = nil
	for _, c := range w.candidates {
		places = append(places, text.Span{Start: c.start, End: c.end})
	}
	return places, nil
}

// placeLoosely places a substring edit as an edit of whole lines, because its old text is not there exactly.
func (r *request) placeLoosely(v *version, edit int, e *Edit) outcome {
	lines := *e
	lines.WholeLines = true
	if !strings.HasSuffix(e.Old, "\n") {
		lines.Old, lines.New = e.Old+"\n", e.New+"\n"
	} else if e.New != "" && !strings.HasSuffix(e.New, "\n") {
		lines.New = e.Old
		o := r.placeLines(v, edit, []Edit{lines}, nil)
		if o.splices = nil; len(o.problems) == 0 {
			o.refuse(edit, &Problem{Err: errs.ErrNotFound, Msg: "the old text is there only with different whitespace, and the new text lacks the newline at the end of the old text: " +
				"end both the same way, or copy the old text exactly"})
		}
		return o
	}
	return r.placeLines(v, edit, []Edit{lines}, nil)
}

// looserNotes returns a note on the places where an edit with a count would fit less well (P6).
func (r *request) looserNotes(v *version, edit int, e *Edit, exact int) []note {
	p := &pattern{edit: edit, e: e}
	p.read(e.Old, e.Old)
	x := newSearch(v, min(r.loosest, Notation))
	ids := keys{}
	ids.add(p.keys...)
	x.index = newIndex(v.Text, ids)
	if f := x.findAs(p); len(f.best)+f.looser > exact {
		return []note{{edit, -1, leftAlone(len(f.best) + f.looser - exact)}}
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
	if at := slices.IndexFunc(places, s.isAboveLine); at >= 0 && strings.HasSuffix(s.e.Old, "\n") && s.e.New != "" && !strings.HasSuffix(s.e.New, "\n") {
		notes = append(notes, note{s.edit, places[at].Start, "the old text ends with a newline, but the new text does not: its last line was joined with the line below"})
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
// lines below the first have the indentation of the request, not of the text (P5).
func (s stringEdit) isWithinIndent(at text.Span) bool {
	start := s.LineStart(at.Start)
	return start < at.Start && text.IsBlank(s.Data[start:at.Start]) && !text.IsBlankText(s.Data[at.Start:at.End]) &&
		(at.End == len(s.Data) || s.Data[at.End-1] == s.EOL || s.LineAt(s.LineStart(at.End)).End == at.End)
}

// isAboveLine reports whether a place begins where a line does, apart from indentation, and ends just above a non-blank line.
func (s stringEdit) isAboveLine(at text.Span) bool {
	return s.isInIndent(at.Start) && at.End < len(s.Data) && !text.IsBlank(s.Bytes(s.LineAt(at.End)))
}
