package place

import (
	"bytes"
	"cmp"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A request is a list of edits and the text that they change.
type request struct {
	allows   ignored
	edits    []Edit
	source   version // the text at the start
	now      version // the current text, once an edit has changed it
	spare    []byte  // a buffer for the next text
	notes    []note
	problems []Problem
	effort   effort
}

// Apply applies edits to src, which is in the given encoding: all of them, or none if any has a problem. It neither keeps nor
// changes its arguments. It accepts fits up to loosest.
func Apply(src []byte, enc text.Encoding, edits []Edit, loosest Fit) (Result, []Problem) {
	refuse := func(err error, msg string) (Result, []Problem) {
		return Result{}, []Problem{{Err: err, Edit: -1, Msg: msg}}
	}
	data, ok := enc.Decode(src)
	if !ok {
		return refuse(errs.ErrBinary, "the file is not text (it has NUL bytes), so it cannot be edited")
	}
	r := &request{allows: upTo(loosest), source: newVersion(data)}
	r.edits = readable(edits, enc, r.source.Text)
	last := r.run(enc)
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b Problem) int { return cmp.Compare(a.Edit, b.Edit) })
		return Result{}, r.problems
	}
	res, problem := last.result(r.notes, r.edits, src, enc)
	if problem != nil {
		return Result{}, []Problem{*problem}
	}
	if len(res.Matches) == 0 && len(edits) > 0 {
		return refuse(errs.ErrNoChange, "the request changes nothing: the text is the same before and after")
	}
	if len(res.Matches) == 0 { // there are no edits: the result must not share memory with src
		res.Text = bytes.Clone(src)
	}
	return res, nil
}

// readable returns the edits as they apply to t: without the byte order mark that requests copy along with the first line, and
// with "\n" line endings if the lines of t end in "\r".
func readable(edits []Edit, enc text.Encoding, t text.Text) []Edit {
	if !enc.IsMarked() && t.EOL == '\n' {
		return edits
	}
	edits = slices.Clone(edits)
	endings := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	for i := range edits {
		e := &edits[i]
		if enc.IsMarked() {
			e.Old, e.New = strings.TrimPrefix(e.Old, text.ByteOrderMark), strings.TrimPrefix(e.New, text.ByteOrderMark)
		}
		if t.EOL == '\r' {
			e.Old, e.New = endings.Replace(e.Old), endings.Replace(e.New)
		}
	}
	return edits
}

// run applies the edits in order, consecutive edits of whole lines together, and returns the resulting version.
func (r *request) run(enc text.Encoding) *version {
	v := &r.source
	for from, to := 0, 0; from < len(r.edits); from = to {
		for to = from + 1; isPlacedByLines(&r.edits[from]) && to < len(r.edits) && isPlacedByLines(&r.edits[to]); to++ {
		}
		if problems := unusable(r.edits[from:to], from, enc); len(problems) > 0 {
			r.problems = append(r.problems, problems...)
			continue
		}
		var o outcome
		if isPlacedByLines(&r.edits[from]) {
			o = r.placeLines(v, from, r.edits[from:to])
		} else {
			o = r.placeString(v, from, &r.edits[from])
		}
		r.problems = append(r.problems, o.problems...)
		v = r.advance(v, o)
		v = r.retry(v, o.late)
	}
	return v
}

// isPlacedByLines reports whether an edit is placed as whole lines, together with its neighbours on the same text.
func isPlacedByLines(e *Edit) bool { return e.WholeLines || e.First != 0 || e.Last != 0 || e.Old == "" }

// unusable refuses edits whose fields do not go together, or whose new text would turn the text into another kind of file. First
// is the index of edits[0] in the request.
func unusable(edits []Edit, first int, enc text.Encoding) (problems []Problem) {
	for i, e := range edits {
		if msg := e.Misfit(); msg != "" {
			problems = append(problems, Problem{Edit: first + i, Err: fs.ErrInvalid, Msg: msg})
		} else if strings.IndexByte(e.New, 0) >= 0 {
			problems = append(problems, Problem{Edit: first + i, Err: errs.ErrBinary, Msg: "the new text has a NUL byte, which no text file has: leave it out"})
		} else if enc.IsDecoded() && !(utf8.ValidString(e.Old) && utf8.ValidString(e.New)) {
			problems = append(problems, Problem{Edit: first + i, Err: errs.ErrEncoding, Msg: "the file is shown and edited as UTF-8, but the old or the new text is not valid UTF-8: send both as valid UTF-8"})
		}
	}
	return problems
}

// Misfit returns a message about fields of e that do not go together, "" if all of them do.
func (e Edit) Misfit() string {
	switch {
	case e.First == 0 && e.Last > 0:
		return "the edit has a last line but no first line: give both, or neither"
	case e.First > 0 && (e.Count != 0 || e.Near != 0 || len(e.Anchors) > 0 || e.AtEnd):
		return "an edit by line numbers cannot have a count, a nearby line, anchors or an end-of-file marker: leave them out"
	case e.First == 0 && e.Old == "" && e.Count != 0:
		return "the edit has a count but no old text to count: leave the count out, or give the old text"
	case !e.WholeLines && (e.Section != "" || e.Hunk != ""):
		return "only an edit of whole lines can have the section or the line prefixes of a hunk: leave them out"
	}
	return ""
}

// advance applies the splices of an outcome to v, keeps its notes, and returns the new version.
func (r *request) advance(v *version, o outcome) *version {
	r.notes = append(r.notes, o.notes...)
	if len(o.splices) == 0 {
		return v
	}
	for i, s := range o.splices {
		if i == 0 || s.Edit != o.splices[i-1].Edit {
			if p := v.pastedNumbers(&r.edits[s.Edit], text.Span{Start: s.Start, End: s.End}); p != nil {
				p.Edit = s.Edit
				r.problems = append(r.problems, *p)
			}
		}
	}
	var data []byte
	var matches []text.Match
	if s := o.splices[0]; v == &r.source {
		data, matches = text.ApplySplices(nil, v.Data, o.splices)
	} else if len(o.splices) == 1 {
		data, matches = slices.Replace(v.Data, s.Start, s.End, []byte(s.New)...), []text.Match{s.Match(s.Start)}
	} else {
		data, matches = text.ApplySplices(r.spare, v.Data, o.splices)
		r.spare = v.Data
	}
	for i, n := range r.notes {
		if n.at >= 0 {
			r.notes[i].at = text.MapOffset(n.at, n.edit, matches)
		}
	}
	done := text.Compose(v.done, matches)
	r.now = newVersion(data)
	r.now.source, r.now.done = &r.source, done
	return &r.now
}

// retry places late edits, one by one, on text that earlier edits of the request wrote (J7).
func (r *request) retry(v *version, late []*pending) *version {
	for _, w := range late {
		o := r.placeLines(v, w.edit, r.edits[w.edit:w.edit+1])
		if len(o.problems) > 0 { // its first problem says more
			w.problem.Edit = w.edit
			r.problems = append(r.problems, *w.problem)
			continue
		}
		v = r.advance(v, o)
	}
	return v
}

// dependents returns the edits that fit nowhere but ask for a line that an earlier edit writes.
func dependents(all []pending) (late map[int]bool) {
	if !slices.ContainsFunc(all, func(w pending) bool { return w.problem != nil }) {
		return nil
	}
	late = map[int]bool{}
	written := map[string]bool{} // the folded lines that are written so far
	for _, w := range all {
		if w.problem != nil && len(w.candidates) == 0 {
			late[w.edit] = slices.ContainsFunc(w.plain.keys, func(key string) bool { return key != "" && written[key] })
			if late[w.edit] { // later edits may ask for the lines that it will write
				for _, l := range w.plain.new {
					written[text.Fold(l)] = true
				}
			}
		}
		for _, s := range w.splices {
			for _, l := range text.Split(s.New) {
				written[text.Fold(l)] = true
			}
		}
	}
	return late
}
