package commit

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
)

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
		} else if undone && s.stage != "" && path.Dir(s.path) != "." {
			d.Remove(s.restoreBeside())
		}
		return nil
	})
}
