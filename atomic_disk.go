package atomicedit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A disk is the seam between a commit and the file system: one method for each effect that can fail, or be cut short.
// Names are slash-separated and relative to one directory, which no method leaves. Nothing but Sync* is on disk when it
// returns.
type disk interface {
	Lstat(name string) (stat, error)
	Inspect(name string) (traits, error) // the same, and more; costs more
	Readlink(name string) (string, error)
	ReadDir(name string) ([]string, error)
	ReadFile(name string, max int64) ([]byte, error) // regular files only; ErrTooLarge if longer than max
	Equal(name string, data []byte) (bool, error)    // the same of its content, without holding all of it
	Version(name string) (Version, error)            // the same
	Create(name string, data []byte, as meta) error  // a new file; what is there is fs.ErrExist
	Overwrite(name string, data []byte) error        // in place, torn if interrupted, and synced
	SyncFile(name string) error
	SyncDir(name string) error
	Link(old, new string) error // never replaces
	Rename(old, new string) error
	RenameNew(old, new string) error // never replaces, if the file system can be told so
	Remove(name string) error        // a file, or an empty directory
	Mkdir(name string, perm fs.FileMode) error
	Unpin(name string) // lets go of the handle of a directory, if the disk keeps one

	// Lock waits until no other commit is at work in dirs, or ctx ends; without wait it returns errLocked at once. What the
	// directories are is asked again if one of them was replaced meanwhile.
	Lock(ctx context.Context, dirs func() []string, wait bool) (unlock func(), err error)
}

// errLocked says that another commit is at work.
var errLocked = errors.New("another commit is at work")

// A stat is what a name is.
type stat struct {
	mode     fs.FileMode
	size     int64
	links    int // names of the file; 0 if not known
	id       fileID
	ours     bool // the owner is the user of this process
	keepable bool // a new file can be given its owner and group by us
}

// A fileID tells one file of a system from another; zero if not known.
type fileID struct{ device, number uint64 }

// Traits are what a commit has to know of a file that it replaces, or of the directory of one.
type traits struct {
	stat
	writable    bool   // a file, by us
	fixed       bool   // a file, whose attributes say that nobody may replace, rename or remove it
	replaceable bool   // a file, whose directory lets us put another in its place
	mountedOn   bool   // a file that is a mount point: it cannot be renamed over
	device      device // of a directory
	born        int64  // a directory: what no copy of it has, when it was made, in nanoseconds, or a number; 0 if not known
	inherits    bool   // a directory that hands its group or access list to new files
}

// inPlace reports whether a file can be written in place at most.
func (t traits) inPlace() bool { return t.mountedOn || !t.replaceable }

// A device is what a rename cannot cross: a file system, or a part of one that is mounted for itself.
type device struct{ system, mount uint64 }

// A meta is what a new file gets besides its data.
type meta struct {
	like       string      // the file whose owner, extended attributes and mode it takes; "" for none
	looseOwner bool        // go on, with a narrower mode, if the owner cannot be kept
	mode       fs.FileMode // if not 0, the mode
	perm       fs.FileMode // else, without like, the mode before umask
	soon       bool        // SyncFile comes next: the system may begin to write it now
}

// rootDisk is the file system below a directory. A name is looked up part by part, in directories that are pinned on the way
// and follow no link, so that nothing outside is reached, whatever somebody puts there meanwhile.
type rootDisk struct {
	root *os.Root
	pins *pins
}

// openRegular opens a file to be read, and says how long it is.
func (d rootDisk) openRegular(name string) (*os.File, int64, error) {
	in, base, err := d.in(name)
	if err != nil {
		return nil, 0, err
	}
	f, err := d.open(in, base, openToRead, 0)
	if err != nil {
		if is, look := in.lstat(base); look == nil && !is.mode.IsRegular() {
			err = errNotRegular(is.mode)
		}
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular(info.Mode())
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

func (d rootDisk) Equal(name string, data []byte) (bool, error) {
	f, size, err := d.openRegular(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if size != int64(len(data)) {
		return false, nil
	}
	buf := make([]byte, min(len(data), 64<<10))
	for len(data) > 0 {
		n, err := f.Read(buf)
		if n > len(data) || !bytes.Equal(buf[:n], data[:n]) {
			return false, nil
		}
		data = data[n:]
		switch {
		case err == io.EOF:
			return len(data) == 0, nil
		case err != nil:
			return false, err
		}
	}
	return true, nil
}

func (d rootDisk) Version(name string) (Version, error) {
	f, _, err := d.openRegular(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return versionOf(h.Sum(nil)), nil
}

func (d rootDisk) ReadFile(name string, max int64) ([]byte, error) {
	f, size, err := d.openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > max {
		return nil, ErrTooLarge
	}
	data := make([]byte, 0, size+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		case int64(len(data)) > max:
			return nil, ErrTooLarge
		}
		data = slices.Grow(data, 1)
	}
}

// errNotRegular says what a name is that is no regular file.
func errNotRegular(mode fs.FileMode) error {
	what := "a device, socket or pipe"
	switch {
	case mode.IsDir():
		what = aDirectory
	case mode&fs.ModeSymlink != 0:
		what = "a symbolic link"
	}
	return &kindError{what}
}

const aDirectory = "a directory"

type kindError struct{ what string }

func (e *kindError) Error() string { return "it is " + e.what + ", not a file" }
func (e *kindError) Unwrap() error { return fs.ErrInvalid }

func (d rootDisk) Lstat(name string) (stat, error) {
	in, base, err := d.in(name)
	if err != nil {
		return stat{}, err
	}
	return in.lstat(base)
}

func (d rootDisk) Readlink(name string) (string, error) { return d.root.Readlink(name) }

func (d rootDisk) ReadDir(name string) ([]string, error) {
	in, err := d.folder(name)
	if err != nil {
		return nil, err
	}
	f, err := d.open(in, ".", os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	slices.Sort(names)
	return names, err
}

// Create writes the data, then sets owner, attributes and last the mode, since a change of owner clears parts of it; all
// on the open file, never by name. Until then the file of somebody else is open to nobody.
func (d rootDisk) Create(name string, data []byte, as meta) (err error) {
	perm := as.perm
	if as.like != "" || as.mode != 0 {
		perm = 0o600
	}
	in, base, err := d.in(name)
	if err != nil {
		return err
	}
	f, err := d.open(in, base, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	defer func() {
		if err == nil && as.soon && d.keepOpen(name, f) {
			return
		}
		err = errors.Join(err, f.Close())
		if err != nil {
			in.remove(base)
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if as.soon {
		startWriting(f)
	}
	mode := as.mode & fs.ModePerm // what lets others be its owner cannot be asked for, only kept
	if as.like != "" {
		mode = as.mode
		in, base, err := d.in(as.like)
		if err != nil {
			return err
		}
		like, err := d.open(in, base, openToRead, 0)
		if err != nil {
			return err
		}
		defer like.Close()
		was, same, err := keepMeta(like, f, as.looseOwner)
		if err != nil {
			return err
		}
		switch {
		case mode == 0:
			mode = was
		case !same:
			mode &= was | 0o700 // no more for others than before
		}
		mode = mode&fs.ModePerm | mode&was
	}
	if as.like == "" && mode == 0 {
		return nil
	}
	if runtime.GOOS == "windows" && mode&0o200 == 0 { // nobody can open it to be synced any more
		if err := f.Sync(); err != nil {
			return err
		}
	}
	return f.Chmod(mode)
}

func (d rootDisk) Overwrite(name string, data []byte) error {
	in, base, err := d.in(name)
	if err != nil {
		return err
	}
	f, err := d.open(in, base, openToWrite, 0)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular(info.Mode())
	}
	if err == nil {
		err = f.Truncate(0)
	}
	if err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func (d rootDisk) SyncFile(name string) error {
	f := d.takeOpen(name)
	if f == nil {
		in, base, err := d.in(name)
		if err != nil {
			return err
		}
		f, err = d.open(in, base, openToSync, 0)
		if errors.Is(err, fs.ErrPermission) && in.readOnly(base) {
			return nil // Create has synced it, or it is a file from before, which is moved
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(f.Sync(), f.Close())
}

func (d rootDisk) Link(old, new string) error { return d.two(old, new, link) }

func (d rootDisk) Rename(old, new string) error {
	return retry(func() error { return d.two(old, new, rename) })
}

func (d rootDisk) RenameNew(old, new string) error {
	err := d.two(old, new, renameNew)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if _, err := d.Lstat(new); err == nil {
		return fs.ErrExist
	}
	return d.Rename(old, new)
}

func (d rootDisk) Remove(name string) error {
	in, base, err := d.in(name)
	if err != nil {
		return err
	}
	if f := d.takeOpen(name); f != nil {
		f.Close()
	}
	if runtime.GOOS == "windows" { // which removes nothing that is open
		d.Unpin(name)
	}
	err = retry(func() error { return in.remove(base) })
	if err == nil { // else it may be locked, and stays so
		d.Unpin(name)
	}
	return err
}

func (d rootDisk) Mkdir(name string, perm fs.FileMode) error {
	in, base, err := d.in(name)
	if err != nil {
		return err
	}
	return in.mkdir(base, perm)
}

func (d rootDisk) Lock(ctx context.Context, dirs func() []string, wait bool) (func(), error) {
	for tries := 0; ; tries++ {
		unlock, err := d.lockAll(ctx, dirs(), wait)
		stale := d.unpinStale()
		gone := errors.Is(err, fs.ErrNotExist) && tries < 10 // since dirs looked
		switch {
		case err != nil && !gone, err == nil && !stale:
			return unlock, err
		case err == nil:
			unlock()
		}
	}
}

// lockAll takes the locks in an order that all processes share, so that none waits for one that waits for it.
func (d rootDisk) lockAll(ctx context.Context, dirs []string, wait bool) (func(), error) {
	locks, err := d.locks(dirs)
	unlock := func() {
		for _, l := range locks {
			l.release()
		}
	}
	if err != nil {
		unlock()
		return nil, err
	}
	slices.SortFunc(locks, lock.compare)
	for i, l := range locks {
		if i > 0 && l.compare(locks[i-1]) == 0 {
			continue // the same directory, by another name
		}
		for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
			err := l.try()
			if err == errLocked && wait {
				select {
				case <-ctx.Done():
					err = fmt.Errorf("%w: %w", errLocked, ctx.Err())
				case <-time.After(pause):
					continue
				}
			}
			if err != nil {
				unlock()
				return nil, err
			}
			break
		}
	}
	return unlock, nil
}

// at says in which step and at which file err came up. The file system's own words for that are left out.
func at(step, name string, err error) error {
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
	return &fs.PathError{Op: step, Path: name, Err: err}
}

// isLocal reports whether the system would take name for one below the directory it is looked up in.
func isLocal(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	if runtime.GOOS != "windows" {
		return true
	}
	// What Windows has no names for, and dots and spaces at the end of one, which it leaves out: that would be another spelling.
	return !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || strings.ContainsRune(`<>:"|?*\`, r) }) &&
		!slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool { return strings.TrimRight(part, ". ") != part })
}
