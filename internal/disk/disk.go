// Package disk is the seam between a commit and the file system. [Disk] has one method for each effect that can fail or be
// cut short, so that package disktest can let each of them fail. [OpenRoot] and [Open] give the real one, which is written
// once for Unix and once for Windows; other systems have none.
package disk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
)

// A Disk is the file system below one directory, opened for one commit or one look. Names are slash-separated and relative
// to that directory, and no method leaves it. Only Overwrite, SyncFile and SyncDir promise that something is on disk when they
// return.
type Disk interface {
	// Lstat describes what has a name. It follows no link.
	Lstat(name string) (Stat, error)

	// Inspect says everything that a commit has to know. It costs more than Lstat.
	Inspect(name string) (Traits, error)

	Readlink(name string) (string, error)

	// ReadDir returns the names in a directory, sorted.
	ReadDir(name string) ([]string, error)

	// ReadFile returns the content of a file, or errs.ErrTooLarge if it has more than max bytes. Like Equal and Version, it
	// refuses anything but a regular file with a [*KindError].
	ReadFile(name string, max int64) ([]byte, error)

	// Equal reports whether a file has the content data. It does not hold the whole file in memory.
	Equal(name string, data []byte) (bool, error)

	// Version returns the version of a file. It does not hold the whole file in memory.
	Version(name string) (Version, error)

	// Create makes a new file. It is fs.ErrExist if the name is taken.
	Create(name string, data []byte, as Meta) error

	// Overwrite writes the content of a file in place, and syncs it. The file is torn if that is interrupted.
	Overwrite(name string, data []byte) error

	SyncFile(name string) error
	SyncDir(name string) error

	// Link gives a file another name. It is fs.ErrExist if that name is taken.
	Link(old, new string) error

	// Rename replaces the file at new, if there is one.
	Rename(old, new string) error

	// RenameNew is a Rename that is fs.ErrExist if the new name is taken. Where the file system has no such call, a file that
	// comes at the last moment is still replaced.
	RenameNew(old, new string) error

	// Remove removes a file or an empty directory.
	Remove(name string) error

	Mkdir(name string, perm fs.FileMode) error

	// Hold opens a regular file to look at it, also after it has lost its name.
	Hold(name string) (Held, error)

	// Amend gives a file what has become of the attributes that it was made with: those of was that now has otherwise, unless
	// somebody has given the file others.
	Amend(name string, was, now Attributes) error

	// Forget closes the handle of a directory, if the disk keeps one. The directory must not be locked.
	Forget(name string)

	// Lock waits until no other commit is at work in dirs, or ctx ends. Without wait it is [ErrLocked] at once. Lock calls
	// dirs again if one of the directories was replaced meanwhile.
	Lock(ctx context.Context, dirs func() []string, wait bool) (unlock func(), err error)

	// Guard waits until no other commit has the guard of the directory called name, or ctx ends. Without wait it is [ErrLocked]
	// at once; without the directory, fs.ErrNotExist. A guard comes after all locks of a commit: who has it must wait for
	// nothing else. The directory is then the one that the name stands for, and can be removed under the guard.
	Guard(ctx context.Context, name string, wait bool) (unlock func(), err error)
}

// A Source opens a Disk for each use of a directory. It is safe for concurrent use.
type Source interface {
	// Pin returns a Disk for a commit. It keeps a handle of every directory that it meets until release is called, so that
	// nobody can put another directory in the place of one.
	Pin() (d Disk, release func())

	// Look returns a Disk for one look at a file, without a lock. It keeps only the handle of the innermost directory.
	Look() (d Disk, release func())
}

// ErrLocked means that another commit is at work.
var ErrLocked = errors.New("another commit is at work")

// A Stat describes what has a name.
type Stat struct {
	Mode     fs.FileMode
	Size     int64
	Links    int // names of the file; 0 if not known
	ID       FileID
	Ours     bool // the user of this process owns the file
	Keepable bool // this process can give a new file the same owner and group
}

// A FileID tells one file of a system from another. It is zero if not known.
type FileID struct{ Device, Number uint64 }

// Traits are what a commit has to know of a file that it replaces, or of the directory of one. On systems that do not tell
// before they are tried, everything is allowed.
type Traits struct {
	Stat
	Writable    bool   // a file: this process may write it
	Fixed       bool   // a file: its attributes forbid everybody to replace, rename or remove it
	Replaceable bool   // a file: its directory allows another file in its place
	MountPoint  bool   // a file: nothing can be renamed over it
	Device      Device // a directory
	Born        int64  // a directory: the time of its birth or another number that no copy of it has; 0 if not known
	Secret      bool   // Born is a number that this user keeps elsewhere; set by package commit, not by a disk
	Inherits    bool   // a directory: new files get their group or an access list from it
}

// InPlace reports whether a file can at most be written in place.
func (t Traits) InPlace() bool { return t.MountPoint || !t.Replaceable }

// A Device is a file system, or a part of one that is mounted by itself. No rename crosses its border.
type Device struct{ System, Mount uint64 }

// A Meta is what a new file gets besides its data.
type Meta struct {
	Like       *Attributes // if not nil, those that the new one takes
	LooseOwner bool        // if the owner cannot be kept, go on with a narrower mode
	Mode       fs.FileMode // if not 0, the mode
	Perm       fs.FileMode // otherwise, without Like, the mode before umask
	SyncNext   bool        // SyncFile comes next: the system may begin to write now
}

// Attributes are everything that a file has besides its content and its names, as far as a file that replaces it keeps
// that. A system has only some of them.
type Attributes struct {
	Mode         fs.FileMode // the Settable bits
	Owner, Group int
	Extended     map[string]string // access lists among them
}

// Equal reports whether two files have the same attributes.
func (a Attributes) Equal(b Attributes) bool {
	return a.Mode == b.Mode && a.Owner == b.Owner && a.Group == b.Group && maps.Equal(a.Extended, b.Extended)
}

// A Held is a file that is open, whatever its name leads to by now.
type Held interface {
	// Attributes returns what the file has now. It is errs.ErrStale if they do not stop changing.
	Attributes() (Attributes, error)

	// Equal is the Equal of [Disk]. It is called once at most.
	Equal(data []byte) (bool, error)

	Close() error
}

// Settable are the bits of a mode that a file can be given.
const Settable = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// A Version identifies the content of a file: "sha256:" and hex digits.
type Version string

// VersionOf returns the version of data.
func VersionOf(data []byte) Version {
	sum := sha256.Sum256(data)
	return versionOf(sum[:])
}

func versionOf(sum []byte) Version { return Version("sha256:" + hex.EncodeToString(sum)) }
