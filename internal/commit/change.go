// Package commit makes changes to the files of one directory tree, or of several: all of them, or none.
//
// A commit has these phases. Each takes immutable arguments and passes its result to the next:
//
//	lock      lock the directories against other commits; if one of them has died there, roll it back
//	check     compare every change with what is there, which gives a plan of steps
//	guard     take the state directory of the tree; this comes after all locks, and whoever has the guard waits
//	          for nothing
//	stage     write every new file under a hidden name, and give every old file a second name, its backup
//	secure    put the staged files and the journal on disk
//	apply     carry out the steps in order; the first one is the first visible change
//	settle    put the new names on disk
//	conclude  remove the journal; from here on the commit is done, and only sweeping is left
//
// If a phase fails, the commit rolls back the steps that have begun. It decides by the content of the files. A process
// that dies leaves its journal, and the next commit rolls back by that.
//
// A commit over several trees goes through each phase in all trees before the next phase. Before it concludes, it
// writes one record, which decides the commit. Every journal names the record. Once the record exists, no tree is
// rolled back (see verdict).
//
// A lone commit, which makes or replaces one file, takes fewer of these steps, and so does a WriteFile. One rename or
// link is atomic by itself, so there is no journal, no backup and no state directory. The new file is staged in the top
// directory, which is locked too, so that whoever has the lock may remove what a killed process has staged.
//
// While a commit applies its steps (microseconds per file), readers outside this package can see some files old and
// others new. Apply compares each file with the content before until right before the rename, so it notices writers
// that ignore the locks.
package commit

import (
	"io/fs"

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

	From     string // on the change that creates a moved file at its new path: the old path
	FromPart int    // the part of the commit that From is in, counted from 1, if it is another one: see Jointly
	Written  bool   // no byte of After comes from a file, and its Mode is subject to umask

	origin *origin // the file of From, if that is in another tree
	leaves bool    // the content of Before goes on in another tree
}

// An origin is the file, in another tree, from which a change moves content and attributes.
type origin struct {
	disk disk.Disk
	gone *Change
}

// writes reports whether the change makes a file, or replaces one, and does not move it.
func (c Change) writes() bool { return c.After != nil && c.From == "" }

// movedFrom returns the old path of a file that is moved within its tree, "" for any other change.
func (c Change) movedFrom() string {
	if c.After == nil || c.FromPart != 0 {
		return ""
	}
	return c.From
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
}
