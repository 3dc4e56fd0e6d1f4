package atomicedit

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A request is a list of edits at work on one text.
type request struct {
	loosest  Fit
	edits    []Edit
	source   text    // what the request started from
	now      text    // what it has become
	spare    []byte  // room for the next text
	matches  []Match // what has been done to it
	problems []Problem
	notes    []placedNote
	late     []*want // edits that fit nowhere yet, but ask for a line that an earlier one writes
}

// applyEdits carries out edits on src, all of them if there are no problems.
func applyEdits(src []byte, edits []Edit, o *Options) (*Result, []Problem) {
	enc := encodingOf(src)
	data, ok := enc.decode(src)
	if !ok {
		return nil, []Problem{{Err: ErrBinary, Edit: -1, Msg: "the file is not a text (it has NUL bytes), so it cannot be edited"}}
	}
	if enc.mark != "" {
		edits = unmarked(edits)
	}
	if eolOf(data) == '\r' {
		edits = withLineFeeds(edits)
	}
	r := &request{loosest: Drift, edits: edits, source: *newText(data)}
	if o != nil && o.Loosest != 0 {
		r.loosest = o.Loosest
	}
	t := &r.source
	for from, to := 0, 0; from < len(edits); from = to {
		for to = from + 1; byLines(edits[from]) && to < len(edits) && byLines(edits[to]); to++ {
		}
		if !r.writable(from, to, enc) {
			continue
		}
		var splices []splice
		if byLines(edits[from]) {
			splices = r.replaceLines(t, from, edits[from:to])
		} else {
			splices = r.replaceString(t, from, &edits[from])
		}
		t = r.retry(r.carryOut(t, splices))
	}
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b Problem) int { return cmp.Compare(a.Edit, b.Edit) })
		return nil, r.problems
	}
	res := r.result(src, enc, t)
	if len(res.Matches) == 0 && len(edits) > 0 {
		return nil, []Problem{{Err: ErrNoChange, Edit: -1, Msg: "the request changes nothing: the text is the same before and after"}}
	}
	if len(res.Matches) == 0 { // nothing was asked for: the text is not to be shared with the result
		res.Text = bytes.Clone(src)
	}
	if encodingOf(res.Text).endian != enc.endian {
		return nil, []Problem{{Err: ErrBinary, Edit: -1, Msg: "the new text would begin with the byte order mark of another encoding: leave the mark out"}}
	}
	return res, nil
}

// unmarked returns edits without the byte order mark that requests copy with the first line of a text that has one.
func unmarked(edits []Edit) []Edit {
	edits = slices.Clone(edits)
	for i := range edits {
		edits[i].Old, edits[i].New = strings.TrimPrefix(edits[i].Old, "\ufeff"), strings.TrimPrefix(edits[i].New, "\ufeff")
	}
	return edits
}

// withLineFeeds returns edits whose lines end in "\n", whichever way they copied the endings of a text that has "\r".
func withLineFeeds(edits []Edit) []Edit {
	edits = slices.Clone(edits)
	endings := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	for i := range edits {
		edits[i].Old, edits[i].New = endings.Replace(edits[i].Old), endings.Replace(edits[i].New)
	}
	return edits
}

// byLines reports whether an edit is placed together with its neighbours, on the lines of one text.
func byLines(e Edit) bool { return e.WholeLines || e.First != 0 || e.Last != 0 || e.Old == "" }

// writable refuses new text that would make another kind of file of the text.
func (r *request) writable(from, to int, enc encoding) bool {
	before := len(r.problems)
	for i := from; i < to; i++ {
		if n := r.edits[i].New; strings.IndexByte(n, 0) >= 0 {
			r.refuse(i, ErrBinary, "the new text has a NUL byte, which no text has: leave it out")
		} else if enc.endian != 0 && !utf8.ValidString(n) {
			r.refuse(i, ErrBinary, "the file is UTF-16, and the new text is not valid UTF-8: send it as UTF-8")
		}
	}
	return len(r.problems) == before
}

// carryOut makes the next text, and keeps matches and notes up with it.
func (r *request) carryOut(t *text, splices []splice) *text {
	if len(splices) == 0 {
		return t
	}
	var data []byte
	var matches []Match
	if s := splices[0]; t == &r.source {
		data, matches = carryOut(nil, t.data, splices)
	} else if len(splices) == 1 {
		data = slices.Replace(t.data, s.start, s.end, []byte(s.new)...)
		matches = []Match{{Edit: s.edit, Fit: s.fit, Old: Span{Start: s.start, End: s.end}, New: Span{Start: s.start, End: s.start + len(s.new)}}}
	} else {
		data, matches = carryOut(r.spare, t.data, splices)
		r.spare = t.data
	}
	for i, n := range r.notes {
		if n.at >= 0 {
			r.notes[i].at = moved(n.at, n.edit, matches)
		}
	}
	r.matches = compose(r.matches, matches)
	r.now = text{data: data, eol: eolOf(data), began: &r.source, since: r.matches, searched: t.searched}
	return &r.now
}

// retry places the late edits, one after the other, on what earlier edits of the request wrote (PLACING O4).
func (r *request) retry(t *text) *text {
	late := r.late
	r.late = nil
	for _, w := range late {
		var written []Match
		for _, m := range r.matches {
			if m.Edit < w.edit {
				written = append(written, m)
			}
		}
		known := len(r.problems)
		splices := r.place(t, w.edit, r.edits[w.edit:w.edit+1], written)
		if len(r.problems) > known { // what was wrong in the first place says more
			r.problems = r.problems[:known]
			r.add(w.edit, w.problem)
			continue
		}
		t = r.carryOut(t, splices)
	}
	return t
}

// dependents returns which edits that fit nowhere ask for a line that an earlier one writes.
func dependents(wants []want) (late map[int]bool) {
	if !slices.ContainsFunc(wants, func(w want) bool { return w.problem != nil }) {
		return nil
	}
	late = map[int]bool{}
	written := map[string]bool{} // the folded lines so far
	for _, w := range wants {
		if w.problem != nil && len(w.places) == 0 {
			late[w.edit] = slices.ContainsFunc(w.plain.keys, func(key string) bool { return key != "" && written[key] })
			if late[w.edit] { // others may ask for what it will write
				for _, l := range w.plain.new {
					written[fold(l)] = true
				}
			}
		}
		for _, s := range w.splices {
			for _, l := range splitLines(s.new) {
				written[fold(l)] = true
			}
		}
	}
	return late
}

// moved returns where the byte at an offset went: with what took its place, if it was replaced, and behind what others than
// the edit put in there.
func moved(at, edit int, matches []Match) int {
	grown := 0
	for _, m := range matches {
		if at < m.Old.Start {
			break
		}
		if at < m.Old.End || at == m.Old.Start && m.Edit == edit {
			return m.New.Start
		}
		grown = m.New.End - m.Old.End
	}
	return at + grown
}

// result says in terms of src what was done: bytes outside the matches are its own.
func (r *request) result(src []byte, enc encoding, t *text) *Result {
	res := &Result{Text: t.data}
	for _, n := range r.notes {
		line := 0
		if n.at >= 0 {
			line = t.lineNumber(min(n.at, len(t.data)))
		}
		res.Notes = append(res.Notes, Note{Edit: n.edit, Line: line, Msg: n.msg})
	}
	slices.SortStableFunc(res.Notes, func(a, b Note) int { return cmp.Compare(a.Edit, b.Edit) })
	res.Matches = r.matches
	if enc.mark != "" {
		offset := enc.offsets(src)
		splices := make([]splice, len(r.matches))
		for i, m := range r.matches {
			new := string(enc.encode(t.data[m.New.Start:m.New.End]))
			splices[i] = splice{offset(m.Old.Start), offset(m.Old.End), new, m.Edit, m.Fit}
		}
		res.Text, res.Matches = carryOut(nil, src, splices)
	}
	res.Matches = settle(res.Matches, src, res.Text)
	return res
}

// index returns one of t, which is what the request has made of its text so far.
func (r *request) index(t *text) index { return index{text: t, loosest: r.loosest} }

func (r *request) note(edit, at int, msg string) {
	r.notes = append(r.notes, placedNote{edit: edit, at: at, msg: msg})
}

// refuse adds a problem with an edit.
func (r *request) refuse(edit int, err error, msg string) {
	r.add(edit, &Problem{Err: err, Msg: msg})
}

func (r *request) add(edit int, p *Problem) {
	p.Edit = edit
	r.problems = append(r.problems, *p)
}
