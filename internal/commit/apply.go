package commit

import (
	"errors"
	"io/fs"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// apply carries out the steps. It returns the number of steps that have begun, which includes a failed one unless that
// certainly did nothing. If apply has to stage a file again, it updates the step.
func (j job) apply(steps []step) (begun int, err error) {
	for i := range steps {
		if err := j.checkMoved(steps[i]); err != nil {
			return i, disk.At("apply", steps[i].linkOf, err)
		}
		did, err := j.applyOne(steps, i)
		if did {
			begun++
		}
		if err != nil {
			return begun, disk.At("apply", steps[i].path, err)
		}
	}
	return len(steps), nil
}

// applyOne carries out one step. If it fails, did reports whether it may have done something.
func (j job) applyOne(steps []step, i int) (did bool, err error) {
	certainlyNot := func(err error) bool { return errors.Is(err, fs.ErrExist) || errors.Is(err, errs.ErrStale) }
	s := steps[i]
	follow, err := j.followAttributes(steps, i)
	if err != nil {
		return false, err
	}
	defer follow.close()
	if s.replaces() {
		if err := j.checkUnchanged(s, follow); err != nil {
			return !certainlyNot(err), err
		}
	}
	switch s.kind {
	case entryMkdir:
		err = j.disk.Mkdir(s.path, 0o777)
		if now, look := j.disk.Lstat(s.path); errors.Is(err, fs.ErrExist) && look == nil && now.Mode.IsDir() {
			err = nil
		}
	case entryCreate:
		if err = j.disk.Link(s.staged(), s.path); disk.NoLinks(err) {
			err = j.disk.RenameNew(s.staged(), s.path)
		}
	case entryEdit:
		err = j.disk.Rename(s.staged(), s.path)
	case entryWrite:
		err = j.disk.Overwrite(s.path, s.change.After.Data)
	case entryDelete:
		// removed by somebody else, or a resent request
		if err = j.disk.Remove(s.path); errors.Is(err, fs.ErrNotExist) {
			return true, errs.ErrStale
		}
	}
	if err != nil {
		return !certainlyNot(err), err
	}
	return true, follow.amend(j.disk)
}

// checkMoved compares a file that is moved unchanged once more. Its staged file is a link, so it can still have
// changed.
func (j job) checkMoved(s step) error {
	if s.linkOf == "" {
		return nil
	}
	same, err := j.disk.Equal(s.staged(), s.change.After.Data)
	if err == nil && !same {
		err = errs.ErrStale
	}
	return err
}

// checkUnchanged compares the old file once more at the last moment, because some writers ignore the lock.
func (j job) checkUnchanged(s step, follow following) error {
	switch {
	case j.overwrite:
		return nil
	case follow.old != nil && follow.at == s.path:
		if err := stale(follow.old.Equal(s.change.Before.Data)); err != nil {
			return err
		}
		current, err := follow.old.IsCurrent() // since it was opened, somebody may have put another file in its place
		if err != nil || current {
			return err
		}
		return j.lookAgain(s, follow)
	}
	return checkBefore(j.disk, s.change)
}

// lookAgain opens the old file anew, which seems to have changed since it was opened: some file systems keep what a file
// was before the link that has become its backup. It is stale if its content or its attributes differ.
func (j job) lookAgain(s step, follow following) error {
	old, err := j.disk.Hold(s.path)
	if err != nil {
		return stale(false, err)
	}
	defer old.Close()
	now, err := old.Attributes()
	if err != nil || !now.Equal(follow.was) {
		return stale(false, err)
	}
	return stale(old.Equal(s.change.Before.Data))
}

// settle puts the new names on disk.
func (j job) settle(steps []step) error {
	dirs := touched(steps)
	return together(len(dirs), func(i int) error { return j.syncMeta(dirs[i], j.disk.SyncDir) })
}
