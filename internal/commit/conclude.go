package commit

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// tolerates reports whether the commit can do without a state directory that has caused err. WriteFile never needs one.
func (j job) tolerates(err error) bool {
	var undecided *undecidedError
	switch one := j.overwrite || len(j.changes) == 1; {
	case errors.Is(err, errForeign):
		return one
	case errors.As(err, &undecided):
		return one && !undecided.of.changes(j.changes[0].Path)
	}
	return j.overwrite && errors.Is(err, errUnknownJournal)
}

// conclude removes the journal and sweeps. Without its journal, the commit is done, whatever happens next. If the sweep
// fails, a later commit sweeps.
func (j job) conclude(w work) error {
	var unsure error
	if w.journal {
		if err := j.disk.Remove(JournalName); err != nil {
			_, look := j.disk.Lstat(JournalName)
			if !errors.Is(look, fs.ErrNotExist) {
				return j.rollBack(w, inTree(j.label, disk.At("conclude", JournalName, err)))
			}
			unsure = err
		}
		if err := j.syncMeta(StateDir, j.disk.SyncDir); err != nil {
			unsure = err
		}
	}
	// a bare edit that is staged beside its target leaves nothing
	if w.state || !w.bare || w.steps[0].kind != entryEdit {
		forgetNew(j.disk, w.steps)
		j.sweep(w, false)
	}
	if unsure != nil {
		return fmt.Errorf("%w: %w", errs.ErrNotDurable, inTree(j.label, unsure))
	}
	return nil
}

// rollBack rolls back the steps that have begun, and returns cause with what else there is to say.
func (j job) rollBack(w work, cause error) error {
	if w.bare {
		return j.rollBackBare(w, cause)
	}
	forgetNew(j.disk, w.steps)
	var kept []string
	var err error
	for range 2 { // a second try is safe, and a passing error may be gone
		kept, err = j.recovery().takeBack(w, j.opts.Durability == DurableFull && w.begun > 0)
		if err == nil {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w (rolling back: %w)", errs.ErrUnfinished, cause, inTree(j.label, err))
	}
	j.sweep(w, true)
	for _, note := range firstFew(labeledAll(j.label, kept)) {
		cause = fmt.Errorf("%w (%s)", cause, note)
	}
	return cause
}

// rollBackBare rolls back a bare commit. If the file has already changed, the change stays, because there is no backup.
func (j job) rollBackBare(w work, cause error) error {
	last := len(w.steps) - 1
	s := w.steps[last]
	if w.begun > last && s.kind != entryMkdir {
		now, err := versionAt(j.disk, s.path)
		done := now == ""
		if after := s.change.After; after != nil {
			done = now == disk.VersionOf(after.Data)
		}
		switch {
		case err != nil:
			return fmt.Errorf("%w: %w (looking at the file: %w)", errs.ErrUnfinished, cause, inTree(j.label, err))
		case done:
			j.sweep(w, true)
			return fmt.Errorf("%w: %w", errs.ErrNotDurable, cause)
		}
		w.begun = last
	}
	undo(j.disk, w.steps, w.begun, false)
	j.sweep(w, true)
	return cause
}

func (j job) sweep(w work, undone bool) {
	if w.state {
		sweep(j.disk, w.steps, undone)
		return
	}
	sweepBeside(j.disk, w.steps, undone)
}

// listStages lists the names that are going to be staged outside the state directory, before any of them exists. If
// this process dies without a journal, the next commit removes them. The list is not synced, so some may stay after a
// power cut.
func (j job) listStages(steps []step, born string) error {
	if err := j.disk.Remove(stagesName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return disk.At("stage", stagesName, err)
	}
	err := j.disk.Create(stagesName, journal(steps).encode(head{born: born}), disk.Meta{Perm: 0o600})
	return disk.At("stage", stagesName, err)
}

// listedStages returns the list that listStages wrote. If the list is not whole, nothing was staged yet; if it is not
// from here, nothing was staged here. Either way, listedStages returns nil.
func listedStages(d disk.Disk) (journal, error) {
	data, err := d.ReadFile(stagesName, maxJournal)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errs.ErrTooLarge):
		return nil, nil
	case err != nil:
		return nil, disk.At("recover", stagesName, err)
	}
	stages, h, bad := decodeJournal(data)
	if now, err := stateBorn(d); err != nil || bad != nil || h.born != now || now == "-" {
		return nil, err
	}
	return stages, nil
}

// dropJournal removes the journal. From then on, nothing can be rolled back.
func dropJournal(d disk.Disk) error {
	if err := d.Remove(JournalName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return disk.At("remove", JournalName, err)
	}
	err := d.SyncDir(StateDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return disk.At("sync", StateDir, err)
}

// sweep removes everything that a commit has left, except for names that stay. If it fails, the next commit sweeps
// again.
func sweep(d disk.Disk, steps []step, undone bool) error {
	sweepBeside(d, steps, undone)
	return sweepState(d, stays)
}

func sweepState(d disk.Disk, stays func(name string) bool) error {
	names, err := d.ReadDir(StateDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return disk.At("sweep", StateDir, err)
	}
	some := slices.ContainsFunc(names, stays)
	err = together(len(names), func(i int) error {
		if stays(names[i]) || some && names[i] == path.Base(ignoreName) || !isStateName(names[i]) {
			return nil
		}
		return d.Remove(StateDir + "/" + names[i])
	})
	if err == nil && !some {
		err = d.Remove(StateDir)
	}
	return disk.At("sweep", StateDir, err)
}

// sweepBeside removes what a commit has left outside the state directory. Unless it was undone, only the first names of
// new files are there.
func sweepBeside(d disk.Disk, steps []step, undone bool) {
	together(len(steps), func(i int) error {
		s := steps[i]
		if s.isBeside() && (undone || s.kind == entryCreate) {
			d.Remove(s.staged())
		}
		if s.isBeside() && undone {
			d.Remove(s.restore())
		} else if undone && s.dir != "" && path.Dir(s.path) != "." {
			d.Remove(s.restoreBeside())
		}
		return nil
	})
}
