package place

import (
	"cmp"
	"slices"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// result returns v in the encoding of src, or a problem if the new text cannot be written in it.
func (v *version) result(notes []note, edits []Edit, src []byte, enc text.Encoding) (Result, *Problem) {
	res := Result{Text: v.Data, Matches: v.done, Notes: v.publish(notes)}
	splices, lacks, by := enc.Recode(src, v.origin().Data, v.Data, v.done)
	if lacks != "" {
		return Result{}, plan.Unwritable(edits, by, lacks, enc, v.words)
	}
	if !enc.IsPlain() {
		res.Text, res.Matches = text.ApplySplices(nil, src, splices)
	}
	refuse := func(msg string) (Result, *Problem) {
		return Result{}, &Problem{Err: errs.ErrEncoding, Edit: -1, Msg: msg}
	}
	if !enc.KeepsMark(res.Text) {
		return refuse(v.words.Say("{new} would begin with the byte order mark of another encoding: leave the mark out"))
	}
	if !enc.Reads(src, v.origin().Data) || !enc.Reads(res.Text, v.Data) {
		return refuse("the file cannot be edited in the encoding that it is said to be in, because its bytes would " +
			"then read as another text: " +
			"replace the whole file, or ask the user")
	}
	res.Matches = text.Settle(res.Matches, src, res.Text, enc, enc)
	return res, nil
}

// publish returns notes with the lines of v that they are about.
func (v *version) publish(notes []note) (all []Note) {
	for _, n := range notes {
		line := 0
		if n.at >= 0 {
			line = v.number(min(n.at, len(v.Data)))
		}
		all = append(all, Note{Edit: n.edit, Line: line, Msg: n.msg})
	}
	slices.SortStableFunc(all, func(a, b Note) int { return cmp.Compare(a.Edit, b.Edit) })
	return all
}
