package place

import (
	"bytes"
	"sort"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A request is a list of edits and the text that they change.
type request struct {
	allows   ignored
	edits    []Edit
	source   version // the text at the start
	now      version // the current text, once an edit has changed it
	spare    []byte  // a buffer for the next text
	notes    []Note
	problems []Problem
	effort   effort
	olds     map[string]int // the first substring edit with an old text, without a Count: see rival

	landmarks *landmarks // of the source, nil if there are few substring edits
	waiting   outcome    // of substring edits that are placed on the text, but not applied to it yet
}

// Apply applies edits to src, which is in the given encoding: all of them, or none if any has a problem. It neither
// keeps nor changes its arguments. It accepts fits up to loosest. Messages use the given words.
func Apply(src []byte, enc text.Encoding, edits []Edit, loosest Fit, words plan.Words) (Result, []Problem) {
	refuse := func(err error, msg string) (Result, []Problem) {
		return Result{}, []Problem{{Err: err, Edit: -1, Msg: msg}}
	}
	data, ok := enc.Decode(src)
	if !ok {
		return refuse(errs.ErrBinary, "the file is not text (it has NUL bytes), so it cannot be edited")
	}
	r := &request{allows: upTo(loosest), source: newVersion(data)}
	r.source.words = words.Of(edits)
	r.edits = plan.Readable(edits, r.source.Text, enc)
	r.source.edits = r.edits
	r.landmarks = landmarksOf(r.edits, r.source.Text)
	r.problems = r.source.exchanged()
	last := r.run(enc)
	r.problems = plan.CheckTags(r.edits, r.source.Text, r.problems)
	if len(r.problems) > 0 {
		sort.SliceStable(r.problems, func(i, j int) bool { return r.problems[i].Edit < r.problems[j].Edit })
		return Result{}, r.problems
	}
	res, problem := last.result(r.notes, r.edits, src, enc)
	if problem != nil {
		return Result{}, []Problem{*problem}
	}
	if len(edits) > 0 && (len(res.Matches) == 0 || bytes.Equal(res.Text, src)) {
		return refuse(errs.ErrNoChange, "the request changes nothing: the text is the same before and after")
	}
	if len(res.Matches) == 0 { // there are no edits: the result must not share memory with src
		res.Text = bytes.Clone(src)
	}
	return res, nil
}

// run applies the edits in order, and returns the resulting version. Consecutive edits by lines, or by ranges, are
// placed together on the same text. Substring edits work on the result of the one before.
func (r *request) run(enc text.Encoding) *version {
	v := &r.source
	for from, to := 0, 0; from < len(r.edits); from = to {
		e := &r.edits[from]
		for to = from + 1; to < len(r.edits) && areTogether(e, &r.edits[to]); {
			to++
		}
		if problems := plan.Unusable(r.edits[from:to], from, enc, v.words); len(problems) > 0 {
			r.problems = append(r.problems, problems...)
			continue
		}
		if isOfString(e) && r.waits(v, from) {
			continue
		}
		if len(r.waiting.splices) > 0 { // it may wait, or is placed, on the text with them
			v, to = r.flush(v), from
			continue
		}
		var o outcome
		switch {
		case e.Range != nil:
			o = placeRanges(v, from, r.edits[from:to])
		case isOfString(e):
			o = r.placeString(v, from, e)
		default:
			o = r.placeLines(v, from, r.edits[from:to])
		}
		v = r.retry(r.advance(v, o), o.late)
	}
	return r.flush(v)
}

// isOfString reports whether an edit is of a substring.
func isOfString(e *Edit) bool { return e.Range == nil && !e.WholeLines && e.Old != "" }

// areTogether reports whether consecutive edits are placed together: they are both by ranges, or both by lines.
func areTogether(e, next *Edit) bool {
	return !isOfString(e) && !isOfString(next) && (e.Range == nil) == (next.Range == nil)
}

// advance applies the splices of an outcome to v, keeps its notes and problems, and returns the new version.
func (r *request) advance(v *version, o outcome) *version {
	for i, s := range o.splices {
		if i == 0 || s.Edit != o.splices[i-1].Edit {
			if p := v.pastedNumbers(&r.edits[s.Edit], text.Span{Start: s.Start, End: s.End}); p != nil {
				o.refuse(s.Edit, p)
			}
		}
	}
	r.notes, r.problems = append(r.notes, o.notes...), append(r.problems, o.problems...)
	if len(o.splices) == 0 {
		return v
	}
	data, matches := text.ApplySplices(r.spare, v.Data, o.splices)
	if v != &r.source { // which is the caller's
		r.spare = v.Data
	}
	if r.landmarks != nil {
		for _, m := range matches {
			r.landmarks.write(data, m.New.Start, m.New.End)
		}
	}
	for i, n := range r.notes {
		if n.At >= 0 {
			r.notes[i].At = text.MapOffset(n.At, n.Edit, matches)
		}
	}
	done := v.done
	if len(done) > 0 && len(matches) == 1 {
		done = text.Extend(done, matches[0])
	} else {
		done = text.Compose(done, matches)
	}
	r.now = newVersion(data)
	r.now.source, r.now.done, r.now.words = &r.source, done, r.source.words
	return &r.now
}

// retry places late edits, one by one, on text that earlier edits of the request wrote (J7).
func (r *request) retry(v *version, late []Problem) *version {
	for _, p := range late {
		o := r.placeLines(v, p.Edit, r.edits[p.Edit:p.Edit+1])
		if len(o.problems) > 0 { // its first problem says more
			o = outcome{problems: []Problem{p}}
		}
		v = r.advance(v, o)
	}
	return v
}

// result returns v in the encoding of src, or a problem if the new text cannot be written in it.
func (v *version) result(notes []Note, edits []Edit, src []byte, enc text.Encoding) (Result, *Problem) {
	data, matches, lacks, by := enc.Recode(src, v.origin().Data, v.Data, v.done)
	if lacks != "" {
		return Result{}, plan.Unwritable(edits, by, lacks, enc, v.words)
	}
	for i, n := range notes {
		if n.At >= 0 {
			notes[i].Line = v.numbers.At(min(n.At, len(v.Data)))
		}
	}
	if len(notes) > 1 {
		sort.SliceStable(notes, func(i, j int) bool { return notes[i].Edit < notes[j].Edit })
	}
	res, msg := Result{Text: data, Matches: matches, Notes: notes}, ""
	switch {
	case !enc.KeepsMark(res.Text):
		msg = v.words.Say("{new} would begin with the byte order mark of another encoding: leave the mark out")
	case !enc.Reads(src, v.origin().Data) || !enc.Reads(res.Text, v.Data):
		msg = "the file cannot be edited in the encoding that it is said to be in, because its bytes would then read " +
			"as another text: replace the whole file, or ask the user"
	default:
		res.Matches = text.Settle(res.Matches, src, res.Text, enc, enc)
		return res, nil
	}
	return Result{}, &Problem{Err: errs.ErrEncoding, Edit: -1, Msg: msg}
}
