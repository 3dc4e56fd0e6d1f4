//go:build unix

package atomicedit

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	openToRead = os.O_RDONLY | syscall.O_NONBLOCK // a pipe must not make us wait for its other end
	openToSync = os.O_RDONLY
	// a pipe that somebody has put there must not make us wait either
	openToWrite = os.O_WRONLY | syscall.O_NONBLOCK
)

// A lock is the handle of a pinned directory, locked against other handles of it. The system lets go of it when the process
// ends, however it ends.
type lock struct {
	file        *os.File
	device, ino uint64
}

func (d rootDisk) locks(dirs []string) ([]lock, error) {
	var locks []lock
	for _, dir := range dirs {
		f, err := d.folder(dir)
		if err != nil {
			return locks, err
		}
		locks = append(locks, lock{file: f.file})
		if len(dirs) == 1 {
			break // no need to know which comes first
		}
		info, err := f.file.Stat()
		if err != nil {
			return locks, err
		}
		if sys, ok := info.Sys().(*syscall.Stat_t); ok {
			locks[len(locks)-1].device, locks[len(locks)-1].ino = uint64(sys.Dev), uint64(sys.Ino)
		}
	}
	return locks, nil
}

func (l lock) release() { unix.Flock(int(l.file.Fd()), unix.LOCK_UN) }

func (l lock) compare(m lock) int {
	return cmp.Or(cmp.Compare(l.device, m.device), cmp.Compare(l.ino, m.ino))
}

func (l lock) try() error {
	for {
		err := unix.Flock(int(l.file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == unix.EINTR:
		case err == unix.EWOULDBLOCK:
			return errLocked
		default:
			return err
		}
	}
}

// SyncDir puts the names of a directory on disk.
func (d rootDisk) SyncDir(name string) error {
	var f *os.File
	if d.pins != nil {
		dir, err := d.folder(name)
		if err != nil {
			return err
		}
		f = dir.file
	} else {
		var err error
		if f, err = d.root.Open(name); err != nil {
			return err
		}
		defer f.Close()
	}
	err := f.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		err = nil // a file system that has no such call
	}
	return err
}

// complete fills in what only the system can say.
func complete(s *stat, info fs.FileInfo) {
	if sys, ok := info.Sys().(*syscall.Stat_t); ok {
		euid := os.Geteuid()
		s.links = int(sys.Nlink)
		s.ours = int(sys.Uid) == euid
		s.keepable = euid == 0 || s.ours && inGroup(int(sys.Gid))
	}
}

func (d rootDisk) Inspect(name string) (traits, error) {
	t := traits{writable: true, replaceable: true}
	in, base, err := d.in(name)
	if err != nil {
		return t, err
	}
	parent := in.file
	if parent == nil {
		if parent, err = d.root.Open(path.Dir(name)); err != nil {
			return t, err
		}
		defer parent.Close()
	}
	info, err := in.root.Lstat(base)
	if err != nil {
		return t, err
	}
	above, err := parent.Stat()
	if err != nil {
		return t, err
	}
	sys, ok := info.Sys().(*syscall.Stat_t)
	sysAbove, okAbove := above.Sys().(*syscall.Stat_t)
	if !ok || !okAbove {
		return t, nil
	}
	t.device.system = uint64(sys.Dev)
	t.inherits = info.Mode()&fs.ModeSetgid != 0
	t.writable = mayWrite(info.Mode(), int(sys.Uid), int(sys.Gid))
	t.replaceable = mayWrite(above.Mode(), int(sysAbove.Uid), int(sysAbove.Gid))
	if info.IsDir() {
		d.inspectDir(&t, name)
	} else {
		inspectFile(&t, parent, path.Base(name))
	}
	if euid := os.Geteuid(); above.Mode()&fs.ModeSticky != 0 && euid != 0 && euid != int(sys.Uid) && euid != int(sysAbove.Uid) {
		t.replaceable = false
	}
	return t, nil
}

// mayWrite reads a mode as the system does for us.
func mayWrite(mode fs.FileMode, uid, gid int) bool {
	switch euid := os.Geteuid(); {
	case euid == 0:
		return true
	case uid == euid:
		return mode&0o200 != 0
	case inGroup(gid):
		return mode&0o020 != 0
	}
	return mode&0o002 != 0
}

func inGroup(gid int) bool {
	if gid == os.Getegid() {
		return true
	}
	groups, err := os.Getgroups()
	return err == nil && slices.Contains(groups, gid)
}

// keepOwner gives to the owner and group of from, and returns the mode that to is to have. Where they cannot be kept,
// that is fs.ErrPermission; if loose, the mode is made narrower instead: the group of to may do no more than others may.
func keepOwner(from, to *os.File, loose bool) (fs.FileMode, error) {
	is, err := from.Stat()
	if err != nil {
		return 0, err
	}
	mode := is.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
	was, ok := is.Sys().(*syscall.Stat_t)
	if !ok {
		return mode, nil
	}
	now, err := to.Stat()
	if err != nil {
		return 0, err
	}
	if own, ok := now.Sys().(*syscall.Stat_t); ok && own.Uid == was.Uid && own.Gid == was.Gid {
		return mode, nil
	}
	err = to.Chown(int(was.Uid), int(was.Gid))
	if err == nil {
		return mode, nil
	}
	if !errors.Is(err, fs.ErrPermission) || !loose {
		return 0, err
	}
	mode &= fs.ModePerm
	if to.Chown(-1, int(was.Gid)) != nil {
		mode &^= 0o070 &^ (mode & 0o007 << 3)
	}
	return mode, nil
}

// retry is for systems where others can keep a file busy for a moment.
func retry(f func() error) error { return f() }

// noLinks reports whether err says that links cannot be made there, so that a copy must do.
func noLinks(err error) bool {
	return errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EMLINK)
}

// nameTooLong reports whether err says that the file system has no such long names.
func nameTooLong(err error) bool { return errors.Is(err, unix.ENAMETOOLONG) }

// otherDevice reports whether err says that two names lie on different file systems.
func otherDevice(err error) bool { return errors.Is(err, unix.EXDEV) }

// statePerm reports whether a state directory of this mode is closed to others.
func statePerm(mode fs.FileMode) bool { return mode.Perm() == 0o700 }

// open opens a name as [os.Root] does, with fewer calls where the folder is pinned.
func (f folder) open(name string, flag int, perm fs.FileMode) (*os.File, error) {
	if f.file == nil {
		return f.root.OpenFile(name, flag, perm)
	}
	var fd int
	err := ignoringEINTR(func() (err error) {
		fd, err = unix.Openat(int(f.file.Fd()), name, flag|unix.O_CLOEXEC|unix.O_NOFOLLOW, uint32(perm.Perm()))
		return err
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(fd), name), nil
}

func (f folder) remove(name string) error {
	if f.file == nil {
		return f.root.Remove(name)
	}
	err := ignoringEINTR(func() error { return unix.Unlinkat(int(f.file.Fd()), name, 0) })
	if err == nil || errors.Is(err, unix.ENOENT) {
		return err
	}
	return f.root.Remove(name)
}

func link(d rootDisk, from folder, old string, to folder, new string) error {
	if from.file == nil {
		return d.root.Link(old, new)
	}
	return ignoringEINTR(func() error { return unix.Linkat(int(from.file.Fd()), old, int(to.file.Fd()), new, 0) })
}

func rename(d rootDisk, from folder, old string, to folder, new string) error {
	if from.file == nil {
		return d.root.Rename(old, new)
	}
	return ignoringEINTR(func() error { return unix.Renameat(int(from.file.Fd()), old, int(to.file.Fd()), new) })
}

func ignoringEINTR(f func() error) error {
	for {
		if err := f(); err != unix.EINTR {
			return err
		}
	}
}
