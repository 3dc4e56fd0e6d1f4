package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/atomicedit/atomicedit"
)

// keepRun commits a change that can be undone. The run is kept before it happens, so that it is kept even if the
// process dies: a kept run that did not happen is noticed by its files.
func (r runner) keepRun(ctx context.Context, h history, change *atomicedit.Transaction) error {
	name, err := h.add(change.Changes(), time.Now())
	if err != nil {
		return fmt.Errorf("nothing was changed, because the run cannot be kept: %w", err)
	}
	err = change.Commit(ctx)
	if err != nil && !errors.Is(err, atomicedit.ErrNotDurable) && !errors.Is(err, atomicedit.ErrUnfinished) {
		return errors.Join(err, h.remove(name))
	}
	if old := h.prune(); old != nil {
		r.progress.set("")
		r.messages.print("apply: older runs cannot be removed: " + old.Error() + "\n")
	}
	return err
}

// prepareUndo works out how the last kept run is undone, beside what others have changed since.
func (r runner) prepareUndo(dir *atomicedit.Dir, preview bool) (job, error) {
	h, err := r.openHistory()
	if err != nil {
		return job{}, err
	}
	name, run, err := h.last()
	switch {
	case err != nil:
		return job{}, err
	case name == "":
		return job{}, notUndone("not_exist", fs.ErrNotExist,
			"there is no run to undo in "+h.of+": runs are kept with -keep")
	}
	when := run.Time.Format(time.DateTime)
	undo, err := atomicedit.Rebase(context.Background(), dir, atomicedit.Invert(run.Changes))
	var refused *atomicedit.Refusal
	switch isUndone := errors.Is(err, atomicedit.ErrApplied); {
	case isUndone && preview:
		return job{}, notUndone("applied", atomicedit.ErrApplied,
			"the run of "+when+" has been undone already: its files are as they were before it")
	case isUndone:
		if err := h.remove(name); err != nil {
			return job{}, err
		}
		return job{}, notUndone("applied", atomicedit.ErrApplied,
			"the run of "+when+" has been undone already: its files are as they were before it; -undo goes on with "+
				"the run before it")
	case errors.As(err, &refused):
		problems := slices.Clone(refused.Problems)
		for i, p := range problems {
			problems[i].Msg = "the run of " + when + " cannot be undone: " + p.Msg
		}
		return job{}, refusal(problems...)
	case err != nil:
		return job{}, err
	}
	return job{
		report: atomicedit.ReportOf(undo),
		commit: func(ctx context.Context) error {
			err := dir.Commit(ctx, undo)
			if errors.Is(err, atomicedit.ErrStale) || errors.Is(err, fs.ErrExist) {
				return notUndone("stale", atomicedit.ErrStale,
					"a file has changed at this moment, so nothing was undone: "+err.Error())
			}
			if err != nil && !errors.Is(err, atomicedit.ErrNotDurable) {
				return err
			}
			return errors.Join(err, h.remove(name))
		},
		done: "the run of " + when + " is undone",
	}, nil
}

func notUndone(code string, err error, msg string) error {
	return refusal(atomicedit.Problem{Err: err, Code: code, Op: -1, Edit: -1, Msg: msg})
}
