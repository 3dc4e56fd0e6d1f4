package commit

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// listStages writes down which names outside the state directory are going to be used, before any of them is: if this process
// dies without a journal, the next commit removes them. The list is not synced, so after a power cut some may stay.
func (j job) listStages(steps []step, born string) error {
	if err := j.disk.Remove(stagesName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return disk.At("stage", stagesName, err)
	}
	err := j.disk.Create(stagesName, journalOf(steps).encode(head{born: born}), disk.Meta{Perm: 0o600})
	return disk.At("stage", stagesName, err)
}

// listedStages returns what is in the list of stages. A list that is not whole, or not from here, is as good as none: nothing
// was staged by it.
func listedStages(d disk.Disk) journal {
	data, err := d.ReadFile(stagesName, maxJournal)
	if err != nil {
		return nil
	}
	stages, h, err := decodeJournal(data)
	if now, look := stateBorn(d); err != nil || look != nil || h.born != now || now == "-" {
		return nil
	}
	return stages
}

// dropJournal removes the journal. From here on nothing is rolled back.
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

// sweep removes everything that a commit has left, except what stays. A failure is harmless: the next commit sweeps again.
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

// sweepBeside removes what is outside the state directory. If the commit is done, these are only the first names of new files.
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
