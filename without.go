package atomicedit

import (
	"cmp"
	"path"
	"slices"

	"github.com/atomicedit/atomicedit/internal/names"
	"github.com/atomicedit/atomicedit/internal/place"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Without returns p without the edits and operations that r refuses, and without those that may be placed on their
// result. A host that wants the good edits of a request without the bad ones calls it with the refusal of [Prepare] or
// of [Transaction.Commit], and prepares what remains, until nothing is refused or no operation is left. Each refusal
// leaves less. [Host] never calls Without, because half of a request is often worse than nothing: collect what each
// refusal says, and show it to the person who approves.
//
// A problem without an operation is about the whole plan, and leaves nothing. A problem with an operation but no edit
// takes the operation. A problem with an edit takes the edit, or the operation if nothing useful is left of it. Later
// parts of the plan go too if they may depend on what goes. Without has only the texts of the request to tell, so it
// cannot see every dependency. In the repository, docs/hosting.md has the rules. Every edit that remains has the number
// that it has in the request: see [Edit].Number. Without modifies no argument.
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
	lost := losses{byBase: slices.ContainsFunc(p.Ops, isPair), files: map[string]*loss{}}
	put, pair := map[string]bool{}, false // where an op that goes would have put a file; whether a pair goes
	var left []Op
	for i, op := range p.Ops {
		op, ok := lost.left(op, ops[i])
		switch {
		case ok:
			left = append(left, op)
		case op.Kind == OpCreate || op.Kind == OpMove:
			put[names.OfRequest(cmp.Or(op.To, op.Path))] = true
		}
		pair = pair || !ok && isPair(op)
	}
	p.Ops = slices.DeleteFunc(left, func(op Op) bool {
		return op.Kind == OpDelete && put[names.OfRequest(op.Path)] ||
			pair && !isPair(op) && (op.Kind == OpCreate || op.Kind == OpDelete)
	})
	return p
}

// isPair reports whether op has both names of a diff of two directories, which tell Prepare what single names mean.
func isPair(op Op) bool { return op.OtherPath != "" }

// wholeOp stands for all edits of an op.
const wholeOp = -1

// losses are what the parts of a plan that are left out would have done to each file.
type losses struct {
	byBase bool             // only Prepare can tell which files the ops mean, but their last parts stay
	files  map[string]*loss // by clean path, or by its last part
}

// A loss is what some parts of a plan would have done to a file. The zero value is nothing.
type loss struct {
	some  bool           // an edit: the lines below it have other numbers
	every bool           // any later edit may depend on it
	whole bool           // an operation on the file as a whole
	texts []text.Changed // the old and new texts of edits, without those of every
}

// left returns op without the refused edits and those placed on a loss. It reports false if nothing is left.
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
		goes = now.some && (len(left) == 0 && op.Kind != OpEdit || op.Kind == OpCreate || op.Kind == OpDelete)
	}
	for _, f := range files {
		f.whole = f.whole || goes
		f.add(now)
	}
	if now.some {
		op.Edits = left
	}
	return op, !goes && (len(left) > 0 || !now.some)
}

func (all losses) of(name string) *loss {
	name = names.OfRequest(name)
	if all.byBase {
		name = path.Base(name)
	}
	if all.files[name] == nil {
		all.files[name] = &loss{}
	}
	return all.files[name]
}

// leftOf returns the edits of an op that are left after the loss of before, and the loss of the others.
func (before *loss) leftOf(edits []Edit, refused map[int]bool) (left []Edit, now loss) {
	placed := convertAll(edits, Edit.internal)
	group := 0 // where the edits that were placed together with the last one begin in left
	for from := 0; from < len(edits); {
		to := from + place.Together(placed[from:])
		last, above := len(left), loss{} // above has the edits that will be placed together with these, but were not
		joins := last > 0 && place.Together(convertAll([]Edit{left[last-1], edits[from]}, Edit.internal)) > 1
		if joins {
			for _, e := range left[group:] {
				above.lose(e)
			}
		}
		var here loss
		for i := from; i < to; i++ {
			e := edits[i]
			if refused[i] || before.some && e.countsLines() || (before.some || now.some) && isNumbered(e.Old) ||
				before.affects(e) || now.affects(e) || above.affects(e) {
				here.lose(e)
				continue
			}
			if e.Number = cmp.Or(e.Number, i+1); e.Number == len(left)+1 {
				e.Number = 0
			}
			left = append(left, e)
		}
		if !joins && len(left) > last {
			group = last
		}
		now.add(here)
		from = to
	}
	return left, now
}

// affects reports whether e may be placed on what is lost.
func (l *loss) affects(e Edit) bool {
	if !l.some || l.every {
		return l.every
	}
	old := text.Squeeze(e.Old)
	if e.Old != "" && old == "" {
		return true // blank lines may be anywhere
	}
	meets := func(s text.Squeezed) bool {
		return slices.ContainsFunc(l.texts, func(c text.Changed) bool { return c.Meets(s) })
	}
	return meets(old) || meets(text.Squeeze(e.New)) ||
		slices.ContainsFunc(e.Anchors, func(a string) bool { return meets(text.Squeeze(a)) })
}

// isNumbered reports whether an old text has the numbers that a viewer writes in front of lines.
func isNumbered(old string) bool {
	_, ok := text.NumberingOf(text.Split(old))
	return ok && old != ""
}

func (l *loss) lose(e Edit) {
	old, new := text.Change(e.Old, e.New)
	unknown := isNumbered(e.Old) || e.Last != 0 || e.Range != nil // it does not say exactly which text it replaces
	l.add(loss{some: true, every: unknown || old.IsEmpty() && new.IsEmpty(), texts: []text.Changed{old, new}})
}

// mostLostTexts limits the texts that each later edit is compared with, and so the cost.
const mostLostTexts = 64

func (l *loss) add(other loss) {
	l.some, l.every, l.whole = l.some || other.some, l.every || other.every, l.whole || other.whole
	if l.texts = append(l.texts, other.texts...); len(l.texts) > mostLostTexts {
		l.every, l.texts = true, nil
	}
}
