package plan

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/atomicedit/atomicedit/internal/names"
)

// Join returns the plan of several calls in one message: all of their ops, in order. Line numbers of every call count
// the files as they were before the message, so an edit that counts lines joins the op of an earlier call that edits
// the file first. Within a call, ops stay what they are. Its time is linear in the edits.
func Join(calls []Plan) (Plan, error) {
	if len(calls) == 1 {
		return calls[0], nil
	}
	j := callJoiner{first: firstOps{}, touched: map[string]int{}}
	for i, call := range calls {
		if i == 0 {
			j.plan.Format, j.plan.DryRun = call.Format, call.DryRun
		}
		if call.Format != j.plan.Format {
			j.plan.Format = "json"
		}
		if call.DryRun != j.plan.DryRun {
			return Plan{}, inCall(i, "one call of the message asks for a preview and another does not: send them apart")
		}
		for _, op := range call.Ops {
			if err := j.addOp(op, i); err != nil {
				return Plan{}, err
			}
		}
	}
	j.plan.NumberEdits()
	return j.plan, nil
}

type callJoiner struct {
	plan    Plan // its edits are not numbered yet
	first   firstOps
	touched map[string]int // the last call that changes a file
}

func (j *callJoiner) addOp(op Op, call int) error {
	path := names.OfRequest(op.Path)
	to, ok := j.first[path]
	if ok && to.call < call && slices.ContainsFunc(op.Edits, Edit.CountsLines) {
		switch {
		case j.touched[path] == call:
			return inCall(call, "it edits "+Excerpt(op.Path)+" twice by line numbers, "+
				"of which the second count the result of the first, and an earlier call edits the file too: "+
				"send the call apart")
		case to.op < 0:
			return inCall(call, "the edit of "+Excerpt(op.Path)+" has line numbers, "+
				"which count the lines before the message, but an earlier call replaces the whole file: "+
				"send the edit afterwards, or with the old text instead")
		}
		j.touched[path] = call
		into := &j.plan.Ops[to.op]
		if op.Version != "" && into.Version != "" && op.Version != into.Version {
			return inCall(call, "two calls were written against different versions of "+Excerpt(op.Path)+": "+
				"read it again")
		}
		into.Edits = append(into.Edits, op.Edits...)
		into.Version = max(into.Version, op.Version)
		op.Edits = nil
		if op.Kind == OpEdit {
			return nil
		}
	}
	j.touched[path], j.touched[names.OfRequest(cmp.Or(op.To, op.Path))] = call, call
	j.first.follow(op, opOfCall{call, len(j.plan.Ops)})
	op.Edits = slices.Clip(op.Edits) // so that the edits that join it have memory of their own
	j.plan.Ops = append(j.plan.Ops, op)
	return nil
}

// MayBeJoined reports whether edits of a later call may join op.
func (op Op) MayBeJoined() bool { return op.Kind == OpEdit || op.Kind == OpMove }

// An opOfCall has the index of a call, and that of an op in the joined plan, -1 for one that writes the whole file.
type opOfCall struct{ call, op int }

// firstOps has the op that first edits or moves a file, by its present name: its edits count lines before the message.
type firstOps map[string]opOfCall

// follow records the op at a place.
func (f firstOps) follow(op Op, at opOfCall) {
	written := opOfCall{at.call, -1}
	path, to := names.OfRequest(op.Path), names.OfRequest(op.To)
	switch op.Kind {
	case OpCreate:
		f[path] = written
	case OpDelete:
		delete(f, path)
	case OpEdit, OpMove:
		if _, ok := f[path]; !ok {
			f[path] = at
		}
		if op.Kind == OpMove && to != path {
			f[to] = f[path]
			delete(f, path)
		}
		if op.Overwrite {
			f[to] = written
		}
	}
}

// inCall returns the refusal of the call with the given index in a message.
func inCall(i int, msg string) error {
	return Syntax(0, "call "+strconv.Itoa(i+1)+": "+msg)
}
