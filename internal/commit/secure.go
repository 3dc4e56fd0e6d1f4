package commit

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// secure puts the staged files and the journal on disk, and reports whether there may be a journal. They may get there
// in any order: if one of them is missing after a power cut, no change has begun.
func (j job) secure(w work) (written bool, err error) {
	var syncs []func() error
	for _, s := range w.steps {
		if s.hasNew() {
			syncs = append(syncs, func() error { return disk.At("sync", s.path, j.syncFile(s.staged())) })
		}
	}
	if !w.bare {
		text := journal(w.steps).encode(head{w.born, w.verdict})
		if len(text) > maxJournal {
			return false, fmt.Errorf("too many files to change together: %w", errors.ErrUnsupported)
		}
		err = j.disk.Create(JournalName, text, disk.Meta{Perm: 0o600})
		if errors.Is(err, fs.ErrExist) {
			err = errLeftover
		}
		if err != nil {
			return true, disk.At("write", JournalName, err)
		}
		syncs = append(syncs,
			func() error { return j.syncMeta(JournalName, j.disk.SyncFile) },
			func() error { return j.syncMeta(StateDir, j.disk.SyncDir) },
			func() error { return j.syncMeta(".", j.disk.SyncDir) })
	}
	return !w.bare, together(len(syncs), func(i int) error { return syncs[i]() })
}
