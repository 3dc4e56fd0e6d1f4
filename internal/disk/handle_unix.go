//go:build unix && !solaris && !aix

package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	openToRead  = os.O_RDONLY | syscall.O_NONBLOCK // opening a pipe must not wait for its other end
	openToSync  = openToRead
	openToWrite = os.O_WRONLY | syscall.O_NONBLOCK // the same for a pipe that somebody has put there
)

// A handle is an open directory. Its methods take names without slashes, and follow no links.
type handle struct {
	file *os.File
	user *user
	is   unix.Stat_t // when it was opened

	// replaceable reports whether a file in the directory may be replaced. It asks the system once for all of them.
	replaceable func() (bool, error)

	reading    sync.Mutex // of the names
	syncFailed atomic.Bool
}

func rootHandle(root *os.Root) (*handle, error) {
	f, err := root.OpenFile(".", openToRead|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	groups := sync.OnceValue(func() []int {
		groups, _ := os.Getgroups()
		return groups
	})
	return handleOf(f, &user{os.Geteuid(), os.Getegid(), groups})
}

// handleOf returns the handle of an open directory, which it closes if it fails.
func handleOf(f *os.File, u *user) (*handle, error) {
	h := &handle{file: f, user: u}
	if err := fstat(f, &h.is); err != nil {
		f.Close()
		return nil, err
	}
	h.replaceable = sync.OnceValues(func() (bool, error) {
		may, err := h.mayWrite(".")
		if err != nil {
			return false, err
		}
		fixed, _, err := h.flags(".")
		return may && !fixed, err
	})
	return h, nil
}

func (h *handle) close() { h.file.Close() }

func (h *handle) fd() int { return int(h.file.Fd()) }

// sub opens a directory inside this one, unless that takes the last handle, without which nothing could be rolled back.
func (h *handle) sub(name string) (*handle, error) {
	f, err := h.open(name, os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	spare, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	unix.Close(spare)
	return handleOf(f, h.user)
}

// has reports whether name currently stands for the directory g.
func (h *handle) has(name string, g *handle) bool {
	now, err := h.statAt(name)
	return err == nil && g.is.Dev == now.Dev && g.is.Ino == now.Ino
}

func (h *handle) mayWrite(name string) (bool, error) {
	switch err := unix.Faccessat(h.fd(), name, unix.W_OK, unix.AT_EACCESS); err {
	case nil, unix.ETXTBSY: // on BSD, of a program that is running: it can be replaced
		return true, nil
	case unix.EACCES, unix.EROFS, unix.EPERM:
		return false, nil
	default:
		return false, err
	}
}

// sync puts the names in the directory on disk. After a failure, a second sync of the same handle can succeed without
// having written anything, so sync then opens a new one.
func (h *handle) sync() error {
	if !h.syncFailed.Load() {
		err := h.file.Sync()
		h.syncFailed.Store(err != nil)
		return err
	}
	again, err := h.open(".", openToSync, 0)
	if err != nil {
		return err
	}
	return errors.Join(again.Sync(), again.Close())
}

func fstat(f *os.File, is *unix.Stat_t) error {
	return ignoringEINTR(func() error { return unix.Fstat(int(f.Fd()), is) })
}

func (h *handle) statAt(name string) (*unix.Stat_t, error) {
	is := new(unix.Stat_t)
	return is, ignoringEINTR(func() error { return unix.Fstatat(h.fd(), name, is, unix.AT_SYMLINK_NOFOLLOW) })
}

func (h *handle) lstat(name string) (Stat, error) {
	is, err := h.statAt(name)
	if err != nil {
		return Stat{}, err
	}
	return h.user.statOf(is), nil
}

func (h *handle) open(name string, flag int, perm fs.FileMode) (*os.File, error) {
	var fd int
	err := ignoringEINTR(func() (err error) {
		fd, err = unix.Openat(h.fd(), name, flag|unix.O_CLOEXEC|unix.O_NOFOLLOW, uint32(perm.Perm()))
		return err
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(fd), name), nil
}

func (h *handle) mkdir(name string, perm fs.FileMode) error {
	return ignoringEINTR(func() error { return unix.Mkdirat(h.fd(), name, uint32(perm.Perm())) })
}

// names returns the names in the directory, in any order. Some file systems, such as sshfs, read an open directory only
// once, so names opens it again, unless the process has no handle left.
func (h *handle) names() ([]string, error) {
	again, err := h.open(".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err == nil {
		defer again.Close()
		return again.Readdirnames(-1)
	}
	if !errors.Is(err, unix.EMFILE) && !errors.Is(err, unix.ENFILE) {
		return nil, err
	}
	h.reading.Lock()
	defer h.reading.Unlock()
	if _, err := h.file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return h.file.Readdirnames(-1)
}

func (h *handle) remove(name string) error {
	remove := func(flags int) error {
		return ignoringEINTR(func() error { return unix.Unlinkat(h.fd(), name, flags) })
	}
	err := remove(0)
	if err == unix.EISDIR || err == unix.EPERM { // the error of POSIX for a directory
		if asDir := remove(unix.AT_REMOVEDIR); asDir != unix.ENOTDIR {
			return asDir
		}
	}
	return err
}

func link(from *handle, old string, to *handle, new string) error {
	return ignoringEINTR(func() error { return unix.Linkat(from.fd(), old, to.fd(), new, 0) })
}

func rename(from *handle, old string, to *handle, new string) error {
	return ignoringEINTR(func() error { return unix.Renameat(from.fd(), old, to.fd(), new) })
}

func ignoringEINTR(f func() error) error {
	for {
		if err := f(); err != unix.EINTR {
			return err
		}
	}
}

// retry calls f again where another program can keep a file busy for a moment. That does not happen on Unix.
func retry(f func() error) error { return f() }

func (d *realDisk) SyncDir(name string) error {
	h, err := d.dir(name)
	if err != nil {
		return err
	}
	err = h.sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		err = nil // the file system has no such call
	}
	return err
}

func NoLinks(err error) bool {
	return isAny(err, ErrNoLinks, unix.EPERM, unix.ENOTSUP, unix.ENOSYS, unix.EMLINK)
}

func OtherDevice(err error) bool { return isAny(err, ErrOtherDevice, unix.EXDEV) }
func NameTooLong(err error) bool { return isAny(err, ErrNameTooLong, unix.ENAMETOOLONG) }

// A lock locks an open directory against other handles of it. The system releases it when the process ends.
type lock struct {
	key   string // orders like device and inode
	dir   *handle
	held  *os.File // the locked file; nil if none was taken
	queue *queue   // while this commit has the turn
}

func (d *realDisk) LockOf(dir string) (Lock, error) { return d.guard(dir) }

func (d *realDisk) guard(dir string) (*lock, error) {
	h, err := d.dir(dir)
	if err != nil {
		return nil, err
	}
	return &lock{key: fmt.Sprintf("%016x-%016x", uint64(h.is.Dev), uint64(h.is.Ino)), dir: h}, nil
}

func (l *lock) try() error {
	err := flock(l.dir.file, unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		l.held = l.dir.file
	} else if err == unix.EWOULDBLOCK {
		return ErrLocked
	}
	return err
}

func (l *lock) open() {
	switch l.held {
	case nil:
	case l.dir.file:
		flock(l.held, unix.LOCK_UN) // fails if the directory is gone: its handle is closed, which unlocks too
	default:
		l.held.Close()
	}
	l.held = nil
}

func flock(f *os.File, how int) error {
	return ignoringEINTR(func() error { return unix.Flock(int(f.Fd()), how) })
}

// wait lets this process wait in the queue of the system. The call blocks a thread and cannot be cancelled: if ctx
// ends, it keeps the turn until it returns. So only one thread waits for a directory, however many commits give up.
func (l *lock) wait(ctx context.Context) error {
	q := l.queue
	q.inRow = 0
	f, err := l.dir.open(".", openToRead|unix.O_DIRECTORY, 0) // no other handle shares its lock
	if err != nil {
		return err
	}
	got := make(chan error)
	go func() {
		err := flock(f, unix.LOCK_EX)
		select {
		case got <- err:
		case <-ctx.Done():
			f.Close()
			q.leave(l.key)
		}
	}()
	select {
	case err := <-got:
		l.held = f // which Release closes, even if it could not be locked
		return err
	case <-ctx.Done():
		l.queue = nil // its turn ends with the call
		return waited(ctx)
	}
}
