package atomicedit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/windows"
)

const (
	openToRead  = os.O_RDONLY
	openToSync  = os.O_RDWR
	openToWrite = os.O_WRONLY
)

// A lock is a file in the user's cache directory that stands for a directory: directories cannot be locked here. Its name is
// the identity of the directory, which has several names itself: by junctions, drive letters, short ones. It stays there,
// empty; so commits of different users do not exclude one another.
type lock struct {
	file *os.File
	name string
}

func (d rootDisk) locks(dirs []string) ([]lock, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	cache = filepath.Join(cache, "atomicedit")
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return nil, err
	}
	var locks []lock
	for _, dir := range dirs {
		in, err := d.folder(dir)
		if err != nil {
			return locks, err
		}
		is, err := in.details(".")
		if err != nil {
			return locks, err
		}
		name := fmt.Sprintf("%08x-%08x%08x.lock", is.VolumeSerialNumber, is.FileIndexHigh, is.FileIndexLow)
		f, err := os.OpenFile(filepath.Join(cache, name), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return locks, err
		}
		locks = append(locks, lock{f, name})
	}
	return locks, nil
}

func (l lock) release() { l.file.Close() }

func (l lock) compare(m lock) int { return strings.Compare(l.name, m.name) }

func (l lock) try() error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(l.file.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return errLocked
	}
	return err
}

// SyncDir does nothing: the system orders names itself, and has no call for it.
func (d rootDisk) SyncDir(string) error { return nil }

func startWriting(*os.File) {}

func (d rootDisk) Inspect(name string) (traits, error) {
	in, base, err := d.in(name)
	if err != nil {
		return traits{}, err
	}
	is, err := in.lstat(base)
	if err != nil {
		return traits{}, err
	}
	t := traits{stat: is, writable: is.mode&0o200 != 0, replaceable: true}
	if !is.mode.IsRegular() && !is.mode.IsDir() {
		return t, nil
	}
	if more, err := in.details(base); err == nil { // else nobody can read it, so it will be refused
		t.links = int(more.NumberOfLinks)
		t.born = int64(more.FileIndexHigh)<<32 | int64(more.FileIndexLow) // a time could be set, or not be known and change
	}
	return t, nil
}

// keepMeta returns the mode, which is no more than "read-only" here. Owners, access lists and attributes come from the
// directory, as for every new file.
func keepMeta(from, _ *os.File, _ bool) (mode fs.FileMode, same bool, err error) {
	info, err := from.Stat()
	if err != nil {
		return 0, false, err
	}
	return info.Mode().Perm(), true, nil
}

// retry waits up to two seconds for others, scanners and indexers most of all, to close a file, which "access denied" may mean
// where a name is to go.
func retry(f func() error) error {
	return retryWhile(f, windows.ERROR_SHARING_VIOLATION, windows.ERROR_DELETE_PENDING, windows.ERROR_ACCESS_DENIED)
}

func retryWhile(f func() error, busy ...error) error {
	for pause, end := time.Millisecond, time.Now().Add(2*time.Second); ; pause *= 2 {
		err := f()
		is := func(b error) bool { return errors.Is(err, b) }
		if !slices.ContainsFunc(busy, is) || time.Now().After(end) {
			return err
		}
		time.Sleep(min(pause, 100*time.Millisecond))
	}
}

// noLinks reports whether err says that links cannot be made there, so that a copy must do.
func noLinks(err error) bool {
	return errors.Is(err, windows.ERROR_NOT_SUPPORTED) || errors.Is(err, windows.ERROR_INVALID_FUNCTION) ||
		errors.Is(err, windows.ERROR_TOO_MANY_LINKS)
}

// nameTooLong reports whether err says that the file system has no such long names, since isLocal has refused all others that
// it does not have.
func nameTooLong(err error) bool {
	return errors.Is(err, windows.ERROR_FILENAME_EXCED_RANGE) || errors.Is(err, windows.ERROR_INVALID_NAME)
}

// otherDevice reports whether err says that two names lie on different file systems.
func otherDevice(err error) bool { return errors.Is(err, windows.ERROR_NOT_SAME_DEVICE) }

// statePerm reports nothing: who may enter is said by access lists, which the directory above hands down.
func statePerm(fs.FileMode) bool { return true }
