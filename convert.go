package atomicedit

import (
	"errors"

	"github.com/atomicedit/atomicedit/internal/plan"
)

// The types of a plan are declared twice: here, with their documentation, and in internal/plan, which parsers and
// placing use. This file is the one door between the two. A test compares their fields.

func parsed(p plan.Plan, err error) (Plan, error) {
	if err != nil {
		return Plan{}, refusalOf(err)
	}
	return fromPlan(p), nil
}

func printed[T string | []byte](out T, err error) (T, error) { return out, refusalOf(err) }

// refusalOf returns the error of a parser or printer, if there is one, in the types of this package.
func refusalOf(err error) error {
	var r *plan.Refusal
	if !errors.As(err, &r) {
		return err
	}
	own := refuse(convertAll(r.Problems, fromProblem)...)
	own.Partial, own.rest = fromPlan(r.Partial), fromPlan(r.Rest)
	return own
}

// fromProblem converts a problem, but for the lines that its message shows.
func fromProblem(p plan.Problem) Problem {
	return Problem{Err: p.Err, Path: p.Path, Op: p.Op, Edit: p.Edit, Part: p.Part, Line: p.Line,
		Places: p.Places, Nearest: (*Region)(p.Nearest), Msg: p.Msg,
		Candidates: convertAll(p.Candidates, func(c plan.Candidate) Candidate { return Candidate(c) })}
}

func fromPlan(p plan.Plan) Plan {
	return Plan{Ops: convertAll(p.Ops, fromOp), DryRun: p.DryRun, Format: p.Format}
}

func (p Plan) internal() plan.Plan {
	return plan.Plan{Ops: convertAll(p.Ops, Op.internal), DryRun: p.DryRun, Format: p.Format}
}

func fromOp(op plan.Op) Op {
	return Op{Kind: OpKind(op.Kind), Path: op.Path, To: op.To,
		Edits: convertAll(op.Edits, fromEdit), Content: op.Content, Mode: op.Mode,
		Overwrite: op.Overwrite, Exclusive: op.Exclusive, Version: Version(op.Version)}
}

func (op Op) internal() plan.Op {
	return plan.Op{Kind: plan.OpKind(op.Kind), Path: op.Path, To: op.To,
		Edits: convertAll(op.Edits, Edit.internal), Content: op.Content, Mode: op.Mode,
		Overwrite: op.Overwrite, Exclusive: op.Exclusive, Version: plan.Version(op.Version)}
}

func fromEdit(e plan.Edit) Edit {
	own := Edit{Old: e.Old, New: e.New, WholeLines: e.WholeLines, Count: e.Count, Near: e.Near, Anchors: e.Anchors,
		Section: e.Section, Hunk: e.Hunk, AtEnd: e.AtEnd, First: e.First, Last: e.Last, Number: e.Number,
		Tags: convertAll(e.Tags, func(t plan.Tag) Tag { return Tag(t) })}
	if r := e.Range; r != nil {
		own.Range = &Range{Start: Position(r.Start), End: Position(r.End), Unit: r.Unit}
	}
	return own
}

func (e Edit) internal() plan.Edit {
	in := plan.Edit{Old: e.Old, New: e.New, WholeLines: e.WholeLines, Count: e.Count, Near: e.Near, Anchors: e.Anchors,
		Section: e.Section, Hunk: e.Hunk, AtEnd: e.AtEnd, First: e.First, Last: e.Last, Number: e.Number,
		Tags: convertAll(e.Tags, func(t Tag) plan.Tag { return plan.Tag(t) })}
	if r := e.Range; r != nil {
		in.Range = &plan.Range{Start: plan.Position(r.Start), End: plan.Position(r.End), Unit: r.Unit}
	}
	return in
}

// convertAll converts a list. A nil list stays nil.
func convertAll[A, B any](list []A, convert func(A) B) []B {
	if list == nil {
		return nil
	}
	all := make([]B, len(list))
	for i, a := range list {
		all[i] = convert(a)
	}
	return all
}
