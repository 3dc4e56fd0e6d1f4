package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/atomicedit/atomicedit"
)

// keepRun commits a change that can be undone. The run is kept before it happens, so that it is kept even if the process dies: a
// kept run that did not happen is noticed by its files.
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

// prepareUndo works out how the last kept run is undone.
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
		return job{}, notUndone("not_exist", fs.ErrNotExist, "there is no run to undo in "+h.of+": runs are kept with -keep")
	}
	when := run.Time.Format(time.DateTime)
	changed, isUndone, err := r.compare(dir, run.Changes)
	switch {
	case err != nil:
		return job{}, err
	case isUndone && preview:
		return job{}, notUndone("applied", atomicedit.ErrApplied, "the run of "+when+" has been undone already: its files are as they were before it")
	case isUndone:
		if err := h.remove(name); err != nil {
			return job{}, err
		}
		return job{}, notUndone("applied", atomicedit.ErrApplied,
			"the run of "+when+" has been undone already: its files are as they were before it; -undo goes on with the run before it")
	case len(changed) > 0:
		var problems []atomicedit.Problem
		for _, path := range changed {
			problems = append(problems, atomicedit.Problem{Err: atomicedit.ErrStale, Code: "stale", Path: path, Op: -1, Edit: -1,
				Msg: "the file has changed since the run of " + when + ", so the run cannot be undone"})
		}
		return job{}, refusal(problems...)
	}
	undo := atomicedit.Invert(run.Changes)
	return job{
		report: atomicedit.ReportOf(undo),
		commit: func(ctx context.Context) error {
			err := dir.Commit(ctx, undo)
			if errors.Is(err, atomicedit.ErrStale) || errors.Is(err, fs.ErrExist) {
				return notUndone("stale", atomicedit.ErrStale, "a file has changed at this moment, so nothing was undone: "+err.Error())
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

// compare returns the files that are no longer as changes left them, and whether all of them are as they were before.
func (r runner) compare(dir *atomicedit.Dir, changes []atomicedit.Change) (changed []string, isUndone bool, err error) {
	isUndone = true
	for i, c := range changes {
		r.progress.set(fmt.Sprintf("apply: comparing, file %d of %d", i+1, len(changes)))
		f, err := dir.Read(context.Background(), c.Path)
		if errors.Is(err, fs.ErrNotExist) {
			f, err = nil, nil
		}
		if err != nil {
			return nil, false, err
		}
		if !isSame(f, c.After) {
			changed = append(changed, c.Path)
		}
		isUndone = isUndone && isSame(f, c.Before)
	}
	return changed, isUndone, nil
}

// isSame reports whether two files have the same content; nil stands for no file.
func isSame(f, g *atomicedit.File) bool {
	return (f == nil) == (g == nil) && (f == nil || bytes.Equal(f.Data, g.Data))
}
