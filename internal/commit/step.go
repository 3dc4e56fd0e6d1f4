package commit

import (
	"path"
	"slices"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// A plan says how a commit is going to be made. Nothing has been written yet.
type plan struct {
	steps []step // in the order in which they are applied

	// Bare plans change at most one file, by one rename, link or removal. That is atomic by itself, so a bare plan has
	// neither a journal nor backups.
	bare bool

	// Beside makes every new file be staged in the directory of its target. Otherwise files are staged in the state
	// directory wherever that is possible.
	beside bool

	first int // the number in the name of the first staged file
}

// A work is a plan that is being carried out. It records what the commit has put on disk, and has to remove again.
type work struct {
	plan
	state   bool    // the commit uses the state directory, and sweeps it in the end
	journal bool    // there may be a journal
	unguard func()  // releases the guard of the state directory; does nothing if the commit does not have it
	born    string  // the identity of the state directory, as the journal states it: see bornField
	verdict verdict // where the record of a commit over several trees is
}

// release releases the guard, and closes the old file of a lone commit.
func (w work) release() {
	w.unguard()
	for _, s := range w.steps {
		if s.held != nil {
			s.held.Close()
		}
	}
}

// touched returns the directories in which the steps change names.
func touched(steps []step) []string {
	var dirs []string
	for _, s := range steps {
		dirs = append(dirs, path.Dir(s.path))
		if s.kind == entryMkdir {
			dirs = append(dirs, s.path)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// forgetNew closes the handles of the directories that the steps made, because rolling back and sweeping need handles
// too. These directories are not locked.
func forgetNew(d disk.Disk, steps []step) {
	for _, s := range steps {
		if s.kind == entryMkdir {
			d.Forget(s.path)
		}
	}
}
