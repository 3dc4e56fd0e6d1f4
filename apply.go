package atomicedit

import (
	"cmp"
	"context"
	"io/fs"
	"slices"
	"sync"

	"github.com/atomicedit/atomicedit/internal/merge"
	"github.com/atomicedit/atomicedit/internal/place"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/seen"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Apply carries out edits on src, a text in any encoding that [ErrEncoding] allows, and returns the new text. It places
// all edits or carries out none. It neither keeps nor changes its arguments. A nil o is the zero value.
//
// Consecutive edits of whole lines or by line numbers are placed together on the same text, in any order, and so are
// consecutive edits by ranges. Substring edits act one after the other, each on the result of the one before.
//
// An edit that cannot be placed without a guess is refused: the error is a [*Refusal] with every problem there is. Its
// errors are [ErrNotFound], [ErrAmbiguous], [ErrCount], [ErrNoChange], [ErrOverlap], [ErrApplied], [ErrPlaceholder],
// [ErrStale] (of a [Tag]), [ErrBinary], [ErrEncoding] and [fs.ErrInvalid]. Only an error about o is not a Refusal. The
// cost is linear in src for all edits of whole lines together, for all edits by ranges together, for each substring
// edit, for each edit that asks for text that another one writes, and for each anchor that is only a part of a line. An
// edit whose old text is almost everywhere is [ErrAmbiguous], without a look at every place.
func Apply(src []byte, edits []Edit, o *Options) (*Result, error) {
	checked, err := o.checked()
	if err != nil {
		return nil, err
	}
	if len(edits) == 0 {
		return nil, refusalOf(plan.RefuseNothing())
	}
	op := plannedOp{Op: Op{Edits: edits}, words: plan.WordsOf("")}
	done, problems := applyEdits(src, checked.encodingOf("", src), op, checked.Loosest)
	if len(problems) > 0 {
		return nil, refuse(problems...)
	}
	return &Result{Text: done.data, Matches: matchesOf(done.matches), Notes: done.notes}, nil
}

// Apply carries out a plan on a text: a plan that edits one file, or creates one where src is empty. Its ops act in
// order. An op of another kind, or on another file, is [fs.ErrInvalid]. A plan that changes nothing is [ErrNoChange],
// as for [Prepare], unless it creates an empty text where src is empty. Options.Checks are not asked.
func (p Plan) Apply(src []byte, o *Options) (*Result, error) {
	checked, err := o.checked()
	if err != nil {
		return nil, err
	}
	if len(p.Ops) == 0 {
		return nil, refusalOf(plan.RefuseNothing())
	}
	path := p.Ops[0].Path
	t := &target{path: path, named: path, before: &File{Data: src}, enc: checked.encodingOf(path, src)}
	t.now = t.asItIs()
	w := &workingCopy{named: map[string]*target{path: t}}
	var problems []Problem
	for _, s := range p.planned() {
		found := s.refuse(s.Path, fs.ErrInvalid, "only edits to one file can be applied to a text")
		if s.Path == path && (s.Kind == OpEdit || s.Kind == OpCreate) {
			if s.Kind == OpCreate && !s.Overwrite {
				s.Exclusive = false // an empty text is no file
			}
			found, _ = w.do(context.Background(), s, &checked) // it reads nothing, so there is no other error
		}
		problems = append(problems, found...)
	}
	if len(problems) > 0 {
		return nil, refuse(problems...)
	}
	now := t.now
	if now.base == nil {
		whole := text.Match{Origin: text.Origin{Op: t.op, Edit: -1, Fit: int(Exact)}}
		whole.Old.End, whole.New.End = len(src), len(now.data)
		now.matches = text.Settle([]text.Match{whole}, src, now.data, t.enc, now.enc)
	}
	if len(now.matches) == 0 && (len(src) > 0 || now.base != nil) {
		return nil, refusalOf(plan.RefuseNothing())
	}
	return &Result{Text: now.data, Matches: matchesOf(now.matches), Notes: now.notes}, nil
}

// applyEdits carries out the edits of an op on the text of its file: all of them if there are no problems. The matches
// have the indexes of these edits: see then.
func applyEdits(src []byte, enc text.Encoding, s plannedOp, loosest Fit) (content, []Problem) {
	edits := convertAll(s.Edits, Edit.internal)
	words := s.words.Of(edits)
	res, refused := place.Apply(src, enc, edits, place.Fit(cmp.Or(loosest, Drift)), s.words.In(s.Path))
	problems := convertAll(refused, func(p plan.Problem) Problem {
		own := fromProblem(p)
		own.Path, own.Op, own.Part, own.Msg = s.Path, s.index, s.part(p.Edit), words.Message(p)
		own.Edit = s.indexOf(p.Edit)
		return own
	})
	notes := convertAll(res.Notes, func(n place.Note) Note {
		return Note{Op: s.index, Edit: s.indexOf(n.Edit), Line: n.Line, Msg: n.Msg}
	})
	return content{data: res.Text, enc: enc, matches: res.Matches, notes: notes}, problems
}

func matchesOf(matches []text.Match) []Match {
	return convertAll(matches, func(m text.Match) Match {
		return Match{Op: m.Op, Edit: m.Edit, Fit: Fit(m.Fit), By: m.By, Old: Span(m.Old), New: Span(m.New)}
	})
}

// followNotes returns notes on a text with the lines that they are about after matches on it.
func followNotes(notes []Note, matches []text.Match) []Note {
	return convertAll(notes, func(n Note) Note {
		n.Line = text.FollowLine(n.Line, matches)
		return n
	})
}

// Proofs tell whether tags of edits of a target prove their line numbers. They compare the texts once for all edits.
type proofs struct {
	base, now *text.Tags // of the text that was seen, and of the file as it is; nil until an edit needs them
	compared  bool
	groups    []merge.Group // from the one text to the other, once they have been compared
	doubtful  seen.Lines
	views     []earlier
}

// changes returns what has changed since the text was seen, and the lines of it that may be others now.
func (t *target) changes() ([]merge.Group, seen.Lines) {
	p := &t.proofs
	if !p.compared {
		p.groups, p.doubtful = changedLines(t.before.Data, t.isNow().before.Data, nil)
		p.compared = true
	}
	return p.groups, p.doubtful
}

// prove reports whether the tags of an edit prove its line numbers. Hashes do. Texts do if they are there to the
// letter, and nowhere else, in the text that was seen and in the file as it is, and if no text that was shown before
// has lines under these numbers that read alike and have moved since. Shifts says by how many lines they can be moved
// to be where the file as it is has them: see [plan.Shifts]. OfNow reports that they are there alone, under their
// numbers, and that what was seen reads otherwise.
func (t *target) prove(e Edit) (shifts []int, proved, ofNow bool) {
	p, is, tags := &t.proofs, t.isNow(), e.internal().Tags
	if !e.isTagged() || e.isHashed() {
		return nil, e.isHashed(), false
	}
	if p.now == nil {
		p.now = encodedFile{is.before, is.enc}.tags()
		if p.base = p.now; is != t {
			p.base = encodedFile{t.before, t.enc}.tags()
		}
		p.views = convertAll(t.look.Views, func(v seen.View) earlier {
			return earlier{v.Lines, sync.OnceValue(encodedFile{&File{Data: v.Text}, t.enc.For(v.Text)}.tags),
				sync.OnceValue(func() seen.Lines {
					groups, _ := changedLines(v.Text, is.before.Data, nil)
					return seen.All.Numbered(groups, nil)
				})}
		})
	}
	r, alone := e.named()[0], []int{0}
	shifts = plan.Shifts(tags, p.now)
	if len(shifts) != 1 {
		return shifts, false, false
	}
	for _, v := range p.views {
		if (v.lines.Has(r[0], r[0]) || v.lines.Has(r[1], r[1])) && plan.ReadAlike(tags, v.tags()) &&
			!v.stay().Has(r[0], r[1]) {
			return shifts, false, false
		}
	}
	at := seen.Lines{{r[0] + shifts[0], r[1] + shifts[0]}}
	groups, doubtful := t.changes()
	proved = slices.Equal(plan.Shifts(tags, p.base), alone) &&
		slices.Equal(seen.Lines{r}.Minus(doubtful).After(groups), at)
	return shifts, proved, is != t && slices.Equal(shifts, alone) && !plan.ReadAlike(tags, p.base)
}

// An earlier text is one that was shown. What it has is read once somebody asks for it.
type earlier struct {
	lines seen.Lines // that were shown
	tags  func() *text.Tags
	stay  func() seen.Lines // the numbers that name the same line in the file as it is
}
