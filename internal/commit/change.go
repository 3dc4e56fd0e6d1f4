// Package commit makes changes to the files of one directory tree, or of several: all of them, or none.
//
// A commit has these phases:
//
//	lock      lock the directories against other commits; if one of them has died there, roll it back
//	check     compare every change with what is there, which gives the steps to take
//	guard     take the state directory of the tree, after all locks; whoever has the guard waits for nothing
//	stage     write every new file under a hidden name, and give every old file a second name, its backup
//	secure    put the staged files and the journal on disk
//	apply     carry out the steps in order; the first one is the first visible change
//	settle    put the new names on disk
//	conclude  remove the journal; from here on the commit is done, and only sweeping is left
//
// If a phase fails, the commit rolls back the steps that have begun. It decides by the content of the files. A process
// that dies leaves its journal, and the next commit rolls back by that.
//
// A commit over several trees goes through each phase in all trees before the next. Before it concludes, it writes one
// record, which every journal names, and after which no tree is rolled back (see verdict).
//
// A lone commit, which makes or replaces one file, and a WriteFile take fewer of these steps: see docs/stores.md. The
// top directory is locked too, so that whoever has the lock may remove what a killed process has staged there.
//
// While a commit applies its steps (microseconds per file), readers outside this package can see some files old and
// others new. Apply compares each file right before the rename, so it notices writers that ignore the locks.
package commit

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// A File is the state of a file before or after a change.
type File struct {
	Path  string // the resolved name of the file below the directory; "" if it does not matter
	Data  []byte
	Mode  fs.FileMode
	Notes []string
}

// A Change is what a commit does to one file.
type Change struct {
	Path   string
	Before *File // nil: must not exist
	After  *File // nil: removed

	From    string // on the change that creates a moved file at its new path: the old path
	Written bool   // no byte of After comes from a file, and its Mode is subject to umask

	from     *Change   // the change that removes the file of From; nil if there is none
	fromDisk disk.Disk // the disk of that file, if it is in another tree
	to       *Change   // on a change that removes a moved file: the one that creates it
}

// Durability says what a commit waits for.
type Durability int

const (
	DurableFull Durability = iota // data and names are on disk
	DurableFile                   // data is on disk
	DurableNone                   // nothing
)

// Options are the choices of a host.
type Options struct {
	MaxSize          int64 // the size of the largest file that may be read, in bytes
	Durability       Durability
	ReadOnly         bool
	InPlace          bool // write a file in place if it cannot be replaced
	AllowOwnerChange bool
	RefuseHardLinks  bool
	StateDir         string // where vaults are kept; "" for the default
	// the names of files that no commit may change, as [DirOptions] of the root package describes them
	Protected []string
	Say       func(sentence string) // tells a person what became of a commit that died; may be nil
}

// A work is what a commit does in one tree. The check makes it, and later phases note what there is to remove again.
type work struct {
	steps []step // in the order in which they are applied

	// Bare work changes at most one file, by one call. That is atomic by itself, and needs no journal and no backup.
	bare bool

	// Beside makes every new file be staged beside its target, not in the state directory where that is possible.
	beside bool

	first   int    // the number in the name of the first staged file
	begun   int    // the number of steps that may have been carried out
	state   bool   // the commit uses the state directory, and sweeps it in the end
	journal bool   // there may be a journal
	unguard func() // releases the guard of the state directory; nil if the commit does not have it
	head           // of the journal
}

func (w *work) release() {
	if w.unguard != nil {
		w.unguard()
	}
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

// forgetNew closes the handles of new directories, which nobody locks, because rolling back and sweeping need handles.
func forgetNew(d disk.Disk, steps []step) {
	for _, s := range steps {
		if s.kind == entryMkdir {
			d.Forget(s.path)
		}
	}
}

// inTurn calls functions until one fails, and returns its error.
func inTurn(do ...func() error) error {
	for _, f := range do {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// together calls do with 0 to n-1, several at a time, and returns the first error in that order. A disk syncs many
// files in little more time than one, and several processors share the other work.
func together(n int, do func(i int) error) error { return cmp.Or(each(n, do)...) }

// each is together, but returns the error of every call.
func each(n int, do func(i int) error) []error {
	const workers = 16
	errs := make([]error, n)
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			errs[i] = caught(do, i)
		}
	}
	var wg sync.WaitGroup
	for range min(workers, n) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return errs
}

// caught calls do, and turns a panic into an error, so that the commit is rolled back, and the program goes on.
func caught(do func(i int) error, i int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a defect in package commit: %v\n%s", r, debug.Stack())
		}
	}()
	return do(i)
}
