package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// prepareReverse prepares the plan that takes p back. The result is what the files were before p: p would make of it
// the files that are there now, byte for byte.
func prepareReverse(ctx context.Context, s atomicedit.Store, p atomicedit.Plan) (*atomicedit.Transaction, error) {
	back, err := reversePlan(p)
	if err != nil {
		return nil, err
	}
	change, err := atomicedit.Prepare(ctx, s, back, nil)
	var refusal *atomicedit.Refusal
	if errors.As(err, &refusal) {
		for i, problem := range refusal.Problems {
			if problem.Op >= 0 {
				refusal.Problems[i].Op = len(p.Ops) - 1 - problem.Op
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return change, checkReverse(ctx, s, p, change.Changes())
}

// checkReverse refuses changes that p does not lead back from.
func checkReverse(ctx context.Context, s atomicedit.Store, p atomicedit.Plan, changes []atomicedit.Change) error {
	cannot := func(path, why string) error {
		return refusal(atomicedit.Problem{Err: errors.ErrUnsupported, Code: "unsupported", Path: path, Op: -1, Edit: -1,
			Msg: "cannot be reversed: the request would not make of the result the file that is there now" + why})
	}
	earlier := afterwards{s, map[string]*atomicedit.File{}}
	now := map[string]*atomicedit.File{}
	for _, c := range changes {
		earlier.files[c.Path], now[c.Path] = c.After, c.Before
	}
	again, err := atomicedit.Prepare(ctx, earlier, p, nil)
	var refused *atomicedit.Refusal
	if errors.As(err, &refused) {
		return cannot("", ": "+refused.Error())
	}
	if err != nil {
		return err
	}
	for _, c := range again.Changes() {
		was, known := now[c.Path]
		if !known || (was == nil) != (c.After == nil) || was != nil && !bytes.Equal(was.Data, c.After.Data) {
			return cannot(c.Path, "")
		}
		delete(now, c.Path)
	}
	if left := slices.Sorted(maps.Keys(now)); len(left) > 0 {
		return cannot(left[0], "")
	}
	return nil
}

// afterwards is a store as it would be after changes.
type afterwards struct {
	atomicedit.Store
	files map[string]*atomicedit.File // nil for those that are gone
}

func (a afterwards) Read(ctx context.Context, path string) (*atomicedit.File, error) {
	f, err := a.Store.Read(ctx, path)
	name := path
	if f != nil && f.Path != "" {
		name = f.Path
	} else if clean, err := atomicedit.CleanPath(path); err == nil {
		name = clean
	}
	after, changed := a.files[name]
	switch {
	case !changed:
		return f, err
	case after == nil:
		return &atomicedit.File{Path: name}, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return &atomicedit.File{Path: name, Data: after.Data, Mode: after.Mode}, nil
}

// reversePlan returns the plan that takes p back, as far as p has what was there before. The operations are in reverse
// order.
func reversePlan(p atomicedit.Plan) (atomicedit.Plan, error) {
	back := atomicedit.Plan{DryRun: p.DryRun, Format: p.Format}
	var problems []atomicedit.Problem
	for i, op := range p.Ops {
		r, err := reverseOp(op)
		if err != nil {
			problems = append(problems, atomicedit.Problem{Err: errors.ErrUnsupported, Code: "unsupported",
				Path: op.Path, Op: i, Edit: -1,
				Msg: "cannot be reversed: " + err.Error()})
		}
		back.Ops = append(back.Ops, r)
	}
	if len(problems) > 0 {
		return back, refusal(problems...)
	}
	slices.Reverse(back.Ops)
	return back, nil
}

func refusal(problems ...atomicedit.Problem) error { return &atomicedit.Refusal{Problems: problems} }

// reverseOp returns the operation that takes op back.
func reverseOp(op atomicedit.Op) (atomicedit.Op, error) {
	back := atomicedit.Op{Kind: op.Kind, Path: op.Path}
	var err error
	switch {
	case op.Overwrite:
		return back, errors.New("the request does not have the content of the file that it replaces")
	case op.Kind == atomicedit.OpCreate && len(op.Edits) > 0:
		return back, errors.New("the request edits the file that it creates")
	case op.Kind == atomicedit.OpCreate:
		back.Kind, back.Version = atomicedit.OpDelete, atomicedit.VersionOf([]byte(op.Content))
	case op.Kind == atomicedit.OpDelete:
		back.Kind, back.Exclusive = atomicedit.OpCreate, true
		back.Content, err = deletedContent(op)
	case op.Kind == atomicedit.OpMove:
		back.Path, back.To, back.Exclusive = op.To, op.Path, true
		back.Edits, err = reverseEdits(op.Edits)
	default:
		back.Edits, err = reverseEdits(op.Edits)
	}
	return back, err
}

// deletedContent returns the content of a file that op deletes.
func deletedContent(op atomicedit.Op) (string, error) {
	if len(op.Edits) == 0 && op.Version != atomicedit.VersionOf(nil) {
		return "", errors.New("the request does not have the content of the file that it deletes")
	}
	var content strings.Builder
	for _, e := range op.Edits {
		if strings.HasSuffix(e.Hunk, `\`) {
			e.Old = strings.TrimSuffix(e.Old, "\n")
		}
		content.WriteString(e.Old)
	}
	return content.String(), nil
}

// reverseEdits returns the edits that take others back. Line numbers then count the text with all the changes.
func reverseEdits(edits []atomicedit.Edit) ([]atomicedit.Edit, error) {
	bare := !slices.ContainsFunc(edits, hasContext)
	grown := 0 // lines that the edits so far have added
	var back []atomicedit.Edit
	for i, e := range edits {
		if e.Number == 0 {
			e.Number = i + 1
		}
		r, err := reverseEdit(e, grown, bare)
		if err != nil {
			return nil, fmt.Errorf("edit %d %w", e.Number, err)
		}
		grown += strings.Count(e.New, "\n") - strings.Count(e.Old, "\n")
		back = append(back, r)
	}
	// each works on the result of those before
	if !slices.ContainsFunc(edits, func(e atomicedit.Edit) bool { return e.WholeLines }) {
		slices.Reverse(back)
	}
	return back, nil
}

// hasContext reports whether an edit may have lines that it keeps.
func hasContext(e atomicedit.Edit) bool { return e.Hunk == "" || strings.ContainsAny(e.Hunk, " ?") }

var swapColumns = strings.NewReplacer("+", "-", "-", "+")

// reverseEdit returns the edit that takes e back, in a text with so many lines more. Bare means that no edit of the
// file has context lines, so that line numbers are exact, as in the output of "diff -U0".
func reverseEdit(e atomicedit.Edit, grown int, bare bool) (atomicedit.Edit, error) {
	back := e
	back.Old, back.New, back.Hunk = e.New, e.Old, swapColumns.Replace(e.Hunk)
	if line := max(e.Near, e.First); line > 0 {
		back.First, back.Near = 0, max(1, line+grown)
	}
	switch {
	case e.Range != nil, e.Last > 0, len(e.Tags) > 0:
		return back, errors.New("names lines by their numbers: the request does not have their text")
	case e.Count != 0:
		return back, errors.New("replaces several places: the request does not say which")
	case e.New == "" && bare && back.Near > 0 && len(e.Anchors) == 0:
		back.First, back.Near = back.Near, 0
	case e.New == "":
		return back, errors.New("removes text without any line around it: the request does not say where it was")
	case e.Old == "" && len(e.Anchors) == 0 && back.Near == 0:
		back.AtEnd = e.WholeLines
	}
	return back, nil
}
