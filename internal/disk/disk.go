// Package disk is the seam between a commit and the file system. [Disk] has one method for each effect that can fail,
// so that package disktest can make it fail. [OpenRoot] and [Open] open the real file system, on Unix and Windows only.
package disk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/errs"
)

// A Disk is the file system below one directory, for one commit or one look. Names are relative to it, with slashes,
// and no method leaves it. Only Overwrite, SyncFile and SyncDir promise that something is on disk when they return.
type Disk interface {
	// Lstat describes a file, a directory or a link. It follows no links.
	Lstat(name string) (Stat, error)

	// Inspect describes a file or directory with everything that a commit has to know. It costs more than Lstat.
	Inspect(name string) (Traits, error)

	Readlink(name string) (string, error)

	// ReadDir returns the names in a directory, sorted.
	ReadDir(name string) ([]string, error)

	// ReadFile returns the content of a file. It fails with errs.ErrTooLarge if the file has more than max bytes. Like
	// Equal and Version, it fails with a *errs.KindError if the name is not that of a regular file.
	ReadFile(name string, max int64) ([]byte, error)

	// ReadStart returns at most the first max bytes of a file.
	ReadStart(name string, max int) ([]byte, error)

	// Equal reports whether a file has the content data. It does not hold the whole file in memory.
	Equal(name string, data []byte) (bool, error)

	// Version returns the version of a file. It does not hold the whole file in memory.
	Version(name string) (Version, error)

	// Create makes a new file. It fails with fs.ErrExist if the name is taken.
	Create(name string, data []byte, as Meta) error

	// Overwrite writes the content of a file in place, and syncs it. An interruption leaves the file torn.
	Overwrite(name string, data []byte) error

	SyncFile(name string) error
	SyncDir(name string) error

	// Link gives a file another name. It fails with fs.ErrExist if that name is taken.
	Link(old, new string) error

	// Rename replaces the file at new, if there is one.
	Rename(old, new string) error

	// RenameNew is a Rename that fails with fs.ErrExist if the new name is taken. On a file system without such a call,
	// it still replaces a file that appears at the last moment.
	RenameNew(old, new string) error

	// Remove removes a file or an empty directory.
	Remove(name string) error

	Mkdir(name string, perm fs.FileMode) error

	// Hold opens a regular file, so that it can be looked at even after it has lost its name.
	Hold(name string) (Held, error)

	// Amend changes the attributes of a file that was made with those of was: it sets each attribute that differs
	// between was and now, unless somebody else has changed that attribute of the file.
	Amend(name string, was, now Attributes) error

	// Forget closes the handle of a directory, if the disk keeps one. The directory must not be locked.
	Forget(name string)

	// ForgetReplaced forgets all directories that have been replaced or removed, and reports whether there are any.
	ForgetReplaced() bool

	// LockOf returns the lock of a directory, which is not taken yet.
	LockOf(dir string) (Lock, error)

	// Guard waits, as a lock does, until no other commit has the guard of the directory called name. It fails with
	// fs.ErrNotExist if there is none. A commit takes a guard after all its locks, and waits for nothing while it has
	// the guard. It may remove the directory. Is describes that, even if the name stands for another one by now.
	Guard(ctx context.Context, name string, wait bool) (is Stat, unlock func(), err error)
}

// A Lock keeps other commits out of one directory.
type Lock interface {
	// Key is the same for all locks of one directory. In all processes, commits take locks in the order of their keys.
	Key() string

	// Take waits until no other commit has the lock. It fails with [ErrLocked] if ctx ends or, without wait, at once.
	Take(ctx context.Context, wait bool) error

	// Release has to be called, even if the lock was not taken.
	Release()
}

// A Source opens a Disk for each use of a directory. It is safe for concurrent use.
type Source interface {
	// Pin returns a Disk for a commit. Until release is called, it keeps a handle of every directory that it meets, and
	// so stays there, even if somebody puts another one in its place.
	Pin() (d Disk, release func())

	// Look returns a Disk for looks at files, without a lock. It keeps the handles of the root and of one directory.
	Look() (d Disk, release func())

	// Make makes the directory and those above it, if they are not there, with mode 0777 before umask.
	Make() error

	// Close releases the directory. It waits for nothing.
	Close() error
}

var ErrLocked = errors.New("another commit is at work")

// A Stat describes a file, a directory or a link.
type Stat struct {
	Mode     fs.FileMode
	Size     int64
	Links    int // the number of hard links; 0 if not known
	ID       FileID
	Ours     bool // the user of this process owns the file
	Keepable bool // this process can give a new file the same owner and group
}

// readOnly reports whether a file cannot be opened to write on Windows, and so not to sync it either.
func (s Stat) readOnly() bool { return s.Mode.IsRegular() && s.Mode&0o200 == 0 }

// Private reports whether a directory of this mode is closed to other users. On Windows, inherited access lists decide.
func Private(mode fs.FileMode) bool { return runtime.GOOS == "windows" || mode.Perm() == 0o700 }

// A FileID identifies a file of the system. It is zero if not known.
type FileID struct{ Device, Number uint64 }

// Traits are what a commit has to know about a file that it changes, or about its directory. If the system cannot tell
// whether something is allowed, they say that it is.
type Traits struct {
	Stat
	Writable    bool   // this process may write the file, or make files in the directory
	Fixed       bool   // its attributes forbid everybody to replace, rename or remove it, or what is in it
	Replaceable bool   // a file: its directory allows another file in its place
	MountPoint  bool   // a file: no other file can be renamed to its name
	Device      Device // a directory
	// a directory: the time at which it was made, or another number that a copy does not share; 0 if not known
	Born     int64
	Secret   bool // Born is a number that this user keeps elsewhere; set by package commit, not by a disk
	Inherits bool // a directory: new files get their group or an access list from it
}

// InPlace reports whether a file cannot be replaced, only written in place.
func (t Traits) InPlace() bool { return t.MountPoint || !t.Replaceable }

// A Device is a file system, or a part of one with its own mount point. No rename goes from one Device to another.
type Device struct{ System, Mount uint64 }

// A Meta describes the attributes of a new file.
type Meta struct {
	Like       *Attributes // if not nil, the attributes that the file copies
	LooseOwner bool        // if the owner cannot be kept, go on with a narrower mode
	Mode       fs.FileMode // if not 0, the mode
	Perm       fs.FileMode // otherwise, without Like, the mode before umask
	SyncNext   bool        // SyncFile comes later: the file can stay open
	Early      bool        // other files come before that: the system may begin to write now
}

// Attributes are what a replacement keeps of a file besides its content and its names. No system has all of them.
type Attributes struct {
	Mode         fs.FileMode // the Settable bits
	Owner, Group int
	Extended     map[string]string // access lists among them
}

// Equal reports whether two files have the same attributes.
func (a Attributes) Equal(b Attributes) bool {
	return a.Mode == b.Mode && a.Owner == b.Owner && a.Group == b.Group && maps.Equal(a.Extended, b.Extended)
}

// A Held is an open file, whatever its name stands for now.
type Held interface {
	// Attributes returns the current attributes of the file. It fails with errs.ErrStale if they keep changing.
	Attributes() (Attributes, error)

	// Equal reports whether the file has the content data.
	Equal(data []byte) (bool, error)

	// IsCurrent reports whether the name that the file was opened by still stands for it, and nobody has changed it
	// since Attributes was last called. Changes within a tick of the system's clock can go unnoticed.
	IsCurrent() (bool, error)

	Close() error
}

const Settable = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// A Version identifies the content of a file: "sha256:" and hex digits.
type Version string

// VersionOf returns the version of data.
func VersionOf(data []byte) Version {
	sum := sha256.Sum256(data)
	return versionOf(sum[:])
}

func versionOf(sum []byte) Version {
	const prefix = "sha256:"
	return Version(hex.AppendEncode(append(make([]byte, 0, len(prefix)+2*sha256.Size), prefix...), sum))
}

// IsLocal reports whether the system would look up name below the directory, and under this spelling.
func IsLocal(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	if runtime.GOOS != "windows" {
		return true
	}
	// Windows does not allow these characters, and drops dots and spaces at the end, so two spellings name one file.
	return !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || strings.ContainsRune(`<>:"|?*\`, r) }) &&
		!slices.ContainsFunc(strings.Split(name, "/"),
			func(part string) bool { return strings.TrimRight(part, ". ") != part })
}

// Split returns path.Dir and path.Base of a clean name. It reads only the last part.
func Split(name string) (dir, base string) {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return ".", name
}

// ErrChanging means that the attributes of a file do not stop changing. It is errs.ErrStale.
var ErrChanging = fmt.Errorf("somebody is changing its owner, mode or attributes: %w", errs.ErrStale)

// At adds to err the step and the file that it is about. They replace the operation and the name that the system gives.
func At(step, name string, err error) error {
	if err == nil {
		return nil
	}
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		err = p.Err
	case errors.As(err, &l):
		err = l.Err
	}
	if isEscape(err) {
		err = errs.ErrOutside
	}
	return &fs.PathError{Op: step, Path: name, Err: err}
}

// isEscape reports whether err is the error of an [os.Root] about a name that leads outside, for instance through a
// link that was made after the name was resolved. Package os does not export this error.
func isEscape(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if err.Error() == "path escapes from parent" {
			return true
		}
	}
	return false
}

// Errors of disks that have no error numbers of a system, such as those of package disktest. NoLinks, OtherDevice and
// NameTooLong, which each platform has, report whether an error means the same.
var (
	ErrNoLinks     = errors.New("links cannot be made here")
	ErrOtherDevice = errors.New("the other name is on another file system")
	ErrNameTooLong = errors.New("the name is too long")
)

// UnlessGone returns err, but nil if that says that there is nothing of a name.
func UnlessGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func isAny(err error, targets ...error) bool {
	return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
}
