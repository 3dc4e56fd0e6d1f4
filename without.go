package atomicedit

import (
	"cmp"
	"slices"

	"github.com/atomicedit/atomicedit/internal/place"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Without returns p less the edits and operations that r refuses, and less those placed on their result. A host that wants the good
// edits of a request without the bad ones calls it with the refusal of [Prepare] or of [Transaction.Commit], and prepares what remains:
//
//	for errors.As(err, &refusal) && len(p.Ops) > 0 {
//		p = p.Without(refusal)
//		t, err = atomicedit.Prepare(ctx, store, p, o)
//	}
//
// What remains may be refused in turn, but each refusal leaves less. [Host] never calls Without, because half of a request is often worse
// than nothing: show the person who approves what was left out. Without modifies no argument.
//
// A problem without an operation is about the whole plan, and leaves nothing. A problem with an operation but no edit takes the
// operation. A problem with an edit takes the edit. It takes the operation too if that has no other edit left, or if it creates a file or
// deletes one line by line, because such edits are parts of a whole.
//
// Whatever is placed on the result of something that goes, goes too:
//
//   - every later operation on the files of an operation that goes;
//   - every later operation that creates, moves or deletes a file of an edit that goes, because it acts on the whole file;
//   - every later edit of that file in another operation that has the number of a line (First, Near, Range or Tags), because the number
//     counts lines of the result;
//   - every later edit of that file whose old text, new text or anchor may overlap what the edit that goes changes: without "a" → "a + b",
//     an edit of "b + c" goes, and one of "c" stays. Whitespace and typographic characters make no difference;
//   - every later edit of that file whose old text is blank;
//   - every later edit of that file, if an edit that goes is blank, or if more than 32 go.
//
// But edits of one operation that [Apply] places together on the same text do not depend on each other.
//
// Every edit that remains has the number that it has in the request: see [Edit].Number. Paths name the same file if they are equal once
// they are clean. Without does not notice that two paths name one file in any other way, such as through a link.
func (p Plan) Without(r *Refusal) Plan {
	if r == nil || len(r.Problems) == 0 {
		return p
	}
	ops := make([]map[int]bool, len(p.Ops)) // for each op, the edits refused; with -1 for all of it
	for _, problem := range r.Problems {
		i, edit := problem.Op, problem.Edit
		if i < 0 || i >= len(p.Ops) {
			p.Ops = nil
			return p
		}
		if edit < 0 || edit >= len(p.Ops[i].Edits) {
			edit = wholeOp
		}
		if ops[i] == nil {
			ops[i] = map[int]bool{}
		}
		ops[i][edit] = true
	}
	lost := losses{}
	var left []Op
	for i, op := range p.Ops {
		if op, ok := lost.left(op, ops[i]); ok {
			left = append(left, op)
		}
	}
	p.Ops = left
	return p
}

// wholeOp stands for all edits of an op.
const wholeOp = -1

// losses are what the parts of a plan that are left out would have done to each file, by its clean path.
type losses map[string]*loss

// A loss is what some parts of a plan would have done to a file. The zero value is nothing.
type loss struct {
	some  bool           // an edit: the lines below it have other numbers
	every bool           // any later edit may depend on it
	whole bool           // an operation on the file as a whole
	texts []text.Changed // the old and new texts of edits, without those of every
}

// left returns what is left of op without the refused edits and without what is placed on a loss. It reports false if nothing is left.
func (all losses) left(op Op, refused map[int]bool) (Op, bool) {
	from := all.of(op.Path)
	files := []*loss{from}
	if op.To != "" {
		files = append(files, all.of(op.To))
	}
	goes := refused[wholeOp]
	for _, f := range files {
		goes = goes || f.whole || f.some && op.Kind != OpEdit
	}
	var left []Edit
	var now loss
	if !goes {
		left, now = from.leftOf(op.Edits, refused)
		part := op.Kind == OpCreate || op.Kind == OpDelete
		goes = now.some && (part || len(left) == 0)
	}
	for _, f := range files {
		f.whole = f.whole || goes
		f.add(now)
	}
	if now.some {
		op.Edits = left
	}
	return op, !goes
}

// of returns the loss of a file, to be added to.
func (all losses) of(name string) *loss {
	name = cleanNamed(name)
	if all[name] == nil {
		all[name] = &loss{}
	}
	return all[name]
}

// leftOf returns the edits of an op that are left after the loss of before, and the loss of the others.
func (before *loss) leftOf(edits []Edit, refused map[int]bool) (left []Edit, now loss) {
	placed := placedOf(edits)
	for from := 0; from < len(edits); {
		to := from + place.Together(placed[from:])
		var here loss
		for i := from; i < to; i++ {
			e := edits[i]
			if refused[i] || before.some && e.countsLines() || before.affects(e) || now.affects(e) {
				here.lose(e)
				continue
			}
			if e.Number = cmp.Or(e.Number, i+1); e.Number == len(left)+1 {
				e.Number = 0
			}
			left = append(left, e)
		}
		now.add(here)
		from = to
	}
	return left, now
}

// affects reports whether e may be placed on what is lost.
func (l *loss) affects(e Edit) bool {
	if l.every {
		return true
	}
	old := text.Squeeze(e.Old)
	if l.some && e.Old != "" && old == "" {
		return true // blank lines may be anywhere
	}
	meets := func(s text.Squeezed) bool {
		return slices.ContainsFunc(l.texts, func(c text.Changed) bool { return c.Meets(s) })
	}
	return meets(old) || meets(text.Squeeze(e.New)) ||
		slices.ContainsFunc(e.Anchors, func(a string) bool { return meets(text.Squeeze(a)) })
}

// lose adds an edit to l.
func (l *loss) lose(e Edit) {
	old, new := text.Change(text.Squeeze(e.Old), text.Squeeze(e.New))
	l.add(loss{some: true, every: old.IsEmpty() && new.IsEmpty(), texts: []text.Changed{old, new}})
}

// mostLostTexts is how many texts each later edit is compared with, so that the cost does not grow with the product of their numbers.
const mostLostTexts = 64

// add adds another loss to l.
func (l *loss) add(other loss) {
	l.some, l.every, l.whole = l.some || other.some, l.every || other.every, l.whole || other.whole
	if l.texts = append(l.texts, other.texts...); len(l.texts) > mostLostTexts {
		l.every, l.texts = true, nil
	}
}
