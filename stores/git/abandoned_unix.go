//go:build unix && !solaris && !aix

package git

import (
	"os"
	"path/filepath"
	"syscall"
)

// lock makes the lock of a new private directory. The file is locked before it gets its name, so nobody ever finds it
// unlocked while the directory is in use. On a file system without locks, lock returns nil.
func (p private) lock() *os.File {
	name := filepath.Join(string(p), lockName)
	f, err := os.OpenFile(name+".new", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil || os.Rename(f.Name(), name) != nil {
		f.Close()
		return nil
	}
	return f
}

// abandoned returns the lock of a private directory of this user that nobody uses any more, now held by the caller; nil
// for any other directory. Whoever holds the lock is the only one to remove the directory.
func (p private) abandoned() *os.File {
	if is, err := os.Lstat(string(p)); err != nil || !is.IsDir() || !isOwn(is) {
		return nil
	}
	name := filepath.Join(string(p), lockName)
	f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		held, err1 := f.Stat()
		named, err2 := os.Lstat(name) // another process may have removed the directory just now
		if err1 == nil && err2 == nil && held.Mode().IsRegular() && os.SameFile(held, named) && isOwn(held) {
			return f
		}
	}
	f.Close()
	return nil
}

// isOwn reports whether a file certainly belongs to this user.
func isOwn(is os.FileInfo) bool {
	sys, ok := is.Sys().(*syscall.Stat_t)
	return ok && int64(sys.Uid) == int64(os.Geteuid())
}
