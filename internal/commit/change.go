// Package commit makes changes to the files of one directory tree, or of several: all of them, or none.
//
// A commit takes these steps. Each takes immutable arguments and returns its result to the next one:
//
//	lock      nobody else of this package is at work in the directories; a commit found there has died, and is rolled back
//	check     every change fits what is there; this gives the steps to apply
//	guard     nobody else uses the state directory of the tree; this comes after all locks, and who has it waits for nothing
//	stage     every new file is written where nobody looks, and every old one gets a second name
//	secure    staged files and the journal are on disk
//	apply     the steps, in order: the first visible change
//	settle    the new names are on disk
//	conclude  the journal goes; from here on the commit is done, and sweeping is left
//
// From any of them a commit rolls back what has begun, by content. A process that dies leaves the journal, by which the next
// one rolls back.
//
// A commit over several trees takes each step in all of them before the next one. Before it concludes it writes one record, which
// decides: every journal names it, and a tree whose journal has a record is not rolled back (see verdict).
//
// Readers outside this package can see a mixed set of files, each of them old or new, during apply (microseconds a file).
// Changes of writers that respect no lock are noticed up to the moment of the rename, by content.
package commit

import "io/fs"

// A File is a file before or after a change.
type File struct {
	Path  string // the one name of the file below the directory; "" if it does not matter
	Data  []byte
	Mode  fs.FileMode
	Notes []string
}

// A Change is what a commit does to one file.
type Change struct {
	Path   string
	Before *File // nil: must not exist
	After  *File // nil: removed

	From    string // of a moved file, on the change that puts its content at the new path: the path before
	Written bool   // no byte of After is from a file, and its Mode counts before umask
}

// movedFrom returns the path before of a file that is moved, or "".
func (c Change) movedFrom() string {
	if c.After == nil {
		return ""
	}
	return c.From
}

// Durability is what a commit waits for.
type Durability int

const (
	DurableFull Durability = iota // data and names are on disk
	DurableFile                   // data is on disk
	DurableNone                   // nothing
)

// Options are the choices of a host.
type Options struct {
	MaxSize          int64 // the largest file that is read, in bytes
	Durability       Durability
	ReadOnly         bool
	InPlace          bool // write files in place that cannot be replaced
	AllowOwnerChange bool
	RefuseHardLinks  bool
	StateDir         string // where numbers of directories are kept; "" for the default
}
