package atomicedit

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/atomicedit/atomicedit/internal/names"
)

// A part is what is carried out of a plan: with Options.Partial, what cannot be placed is left out.
type part struct {
	plan    Plan
	gone    map[int]bool  // ops
	edits   map[int][]int // of an op of which some edits are left out: the indexes of the others
	leftOut []Problem
}

// placedInPart returns the files of s as p leaves them, without what cannot be placed if o asks for that.
func placedInPart(ctx context.Context, s Store, p Plan, o *Options) (*workingCopy, []Problem, error) {
	of := part{plan: p, gone: map[int]bool{}, edits: map[int][]int{}}
	for {
		files, err := placedOn(ctx, s, of, o, nil)
		var r *Refusal
		if err == nil || !o.Partial || !errors.As(err, &r) {
			return files, of.leftOut, err
		}
		if !of.leave(r.Problems) {
			return nil, nil, refuse(of.leftOut...)
		}
	}
}

// planned returns the ops that are carried out.
func (p part) planned() (ops []plannedOp) {
	for _, op := range p.plan.planned() {
		if p.gone[op.index] {
			continue
		}
		if at, ok := p.edits[op.index]; ok {
			all := op.Edits
			op.Edits, op.at = nil, at
			for _, i := range at {
				e := all[i]
				e.Number = cmp.Or(e.Number, i+1)
				op.Edits = append(op.Edits, e)
			}
		}
		ops = append(ops, op)
	}
	return ops
}

// leave leaves out what problems are about, and what may not happen without it. It reports whether anything is left.
func (p *part) leave(problems []Problem) bool {
	for _, problem := range problems {
		p.leftOut = append(p.leftOut, problem)
		if problem.Op < 0 {
			return false
		}
		op := p.plan.Ops[problem.Op]
		at, ok := p.edits[problem.Op]
		if !ok {
			at = indexes(len(op.Edits))
		}
		at = slices.DeleteFunc(at, func(i int) bool { return i == problem.Edit })
		if problem.Edit < 0 || len(at) == 0 || op.Kind != OpEdit {
			p.gone[problem.Op] = true
			continue
		}
		p.edits[problem.Op] = at
	}
	p.leaveDependent()
	slices.SortStableFunc(p.leftOut, func(a, b Problem) int { return cmp.Compare(a.Op, b.Op) })
	return len(p.gone) < len(p.plan.Ops)
}

// leaveDependent leaves out what comes after something that is left out: ops on the file that count its lines, and
// whatever makes a file disappear.
func (p *part) leaveDependent() {
	lost := map[string]bool{} // by path
	for i, op := range p.plan.Ops {
		countsLost := lost[names.OfRequest(op.Path)] && slices.ContainsFunc(op.Edits, Edit.countsLines)
		ends := len(lost) > 0 && (op.Kind == OpDelete || op.Kind == OpMove || op.Overwrite)
		if !p.gone[i] && (countsLost || ends) {
			const msg = "something before it is left out: send it again once that is mended"
			p.gone[i] = true
			p.leftOut = append(p.leftOut, Problem{Err: fs.ErrInvalid, Path: op.Path, Op: i, Edit: -1, Msg: msg})
		}
		if _, some := p.edits[i]; some || p.gone[i] {
			lost[names.OfRequest(op.Path)], lost[names.OfRequest(cmp.Or(op.To, op.Path))] = true, true
		}
	}
}

func indexes(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
