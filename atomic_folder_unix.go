//go:build unix

package atomicedit

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// A folder is a pinned directory. Its methods take names of one part, and follow no links.
type folder struct {
	file  *os.File
	known sync.Once // own and err
	own   unix.Stat_t
	err   error
	may   sync.Once // write: see inspectFile
	write bool

	unsynced atomic.Bool // a sync failed
}

// openFolder opens the directory of a root.
func openFolder(root *os.Root) (*folder, error) {
	f, err := root.OpenFile(".", openToRead|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return &folder{file: f}, nil
}

// openFolderAt opens the directory of that name, links followed.
func openFolderAt(name string) (*folder, error) {
	f, err := os.OpenFile(name, openToRead|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return &folder{file: f}, nil
}

func (f *folder) close() { f.file.Close() }

func (f *folder) fd() int { return int(f.file.Fd()) }

// below opens a directory in this one.
func (f *folder) below(name string) (*folder, error) {
	file, err := f.open(name, os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	return &folder{file: file}, nil
}

// holds reports whether g is what name stands for in f.
func (f *folder) holds(name string, g *folder) bool {
	now, err := f.statAt(name)
	if err != nil {
		return false
	}
	is, err := g.stat()
	return err == nil && is.Dev == now.Dev && is.Ino == now.Ino
}

// stat says what the directory was when it was first asked.
func (f *folder) stat() (*unix.Stat_t, error) {
	f.known.Do(func() { f.err = fstat(f.file, &f.own) })
	return &f.own, f.err
}

// sync puts the names on disk. A handle that failed once says nothing any more: the next time another one is asked.
func (f *folder) sync() error {
	if !f.unsynced.Load() {
		err := f.file.Sync()
		f.unsynced.Store(err != nil)
		return err
	}
	again, err := f.open(".", openToSync, 0)
	if err != nil {
		return err
	}
	return errors.Join(again.Sync(), again.Close())
}

func fstat(f *os.File, is *unix.Stat_t) error {
	return ignoringEINTR(func() error { return unix.Fstat(int(f.Fd()), is) })
}

func (f *folder) statAt(name string) (*unix.Stat_t, error) {
	is := new(unix.Stat_t)
	return is, ignoringEINTR(func() error { return unix.Fstatat(f.fd(), name, is, unix.AT_SYMLINK_NOFOLLOW) })
}

func (f *folder) lstat(name string) (stat, error) {
	is, err := f.statAt(name)
	if err != nil {
		return stat{}, err
	}
	return statOf(is), nil
}

func (f *folder) open(name string, flag int, perm fs.FileMode) (*os.File, error) {
	var fd int
	err := ignoringEINTR(func() (err error) {
		fd, err = unix.Openat(f.fd(), name, flag|unix.O_CLOEXEC|unix.O_NOFOLLOW, uint32(perm.Perm()))
		return err
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(fd), name), nil
}

func (f *folder) mkdir(name string, perm fs.FileMode) error {
	return ignoringEINTR(func() error { return unix.Mkdirat(f.fd(), name, uint32(perm.Perm())) })
}

// readOnly reports whether nobody can sync a file, because of its mode: here everybody can who may read it.
func (f *folder) readOnly(string) bool { return false }

// remove removes a file or an empty directory.
func (f *folder) remove(name string) error {
	remove := func(flags int) error {
		return ignoringEINTR(func() error { return unix.Unlinkat(f.fd(), name, flags) })
	}
	err := remove(0)
	if err == unix.EISDIR || err == unix.EPERM { // POSIX has EPERM for a directory
		if asDir := remove(unix.AT_REMOVEDIR); asDir != unix.ENOTDIR {
			return asDir
		}
	}
	return err
}

func link(_ rootDisk, from *folder, old string, to *folder, new string) error {
	return ignoringEINTR(func() error { return unix.Linkat(from.fd(), old, to.fd(), new, 0) })
}

func rename(_ rootDisk, from *folder, old string, to *folder, new string) error {
	return ignoringEINTR(func() error { return unix.Renameat(from.fd(), old, to.fd(), new) })
}

func ignoringEINTR(f func() error) error {
	for {
		if err := f(); err != unix.EINTR {
			return err
		}
	}
}
