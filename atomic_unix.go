//go:build unix

package atomicedit

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	openToRead = os.O_RDONLY | syscall.O_NONBLOCK // a pipe must not make us wait for its other end
	openToSync = openToRead
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
		is, err := f.stat()
		if err != nil {
			return locks, err
		}
		locks = append(locks, lock{f.file, uint64(is.Dev), uint64(is.Ino)})
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
	f, err := d.folder(name)
	if err != nil {
		return err
	}
	err = f.sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		err = nil // a file system that has no such call
	}
	return err
}

func (d rootDisk) Inspect(name string) (traits, error) {
	in, base, err := d.in(name)
	if err != nil {
		return traits{}, err
	}
	is, err := in.statAt(base)
	if err != nil {
		return traits{}, err
	}
	above, err := in.stat()
	if err != nil {
		return traits{}, err
	}
	t := traits{stat: statOf(is), device: device{system: uint64(is.Dev)}}
	t.writable = mayWrite(is)
	t.replaceable = mayWrite(above)
	if t.mode.IsDir() {
		top, err := d.folder(".")
		if err != nil {
			return traits{}, err
		}
		root, err := top.stat()
		if err != nil {
			return traits{}, err
		}
		t.inherits = t.mode&fs.ModeSetgid != 0 || groupOfDirectory && is.Gid != root.Gid
		d.inspectDir(&t, name)
	} else {
		inspectFile(&t, in, base)
	}
	if euid := os.Geteuid(); above.Mode&unix.S_ISVTX != 0 && euid != int(is.Uid) && euid != int(above.Uid) && !privileged(is, capFowner) {
		t.replaceable = false
	}
	return t, nil
}

// What Linux lets a process do to the files of others, by its number there. Elsewhere that is the right of root.
const (
	capChown  = 0
	capFowner = 3
)

// statOf reads what the system says of a name.
func statOf(is *unix.Stat_t) stat {
	euid := os.Geteuid()
	s := stat{mode: modeOf(uint32(is.Mode)), size: is.Size, links: int(is.Nlink), ours: int(is.Uid) == euid}
	s.id = fileID{uint64(is.Dev), uint64(is.Ino)}
	s.keepable = s.ours && inGroup(int(is.Gid)) && numbered(is) || privileged(is, capChown) && (s.ours || privileged(is, capFowner))
	return s
}

// modeOf is the [fs.FileMode] for a mode of the system. Devices, sockets and pipes are all one here.
func modeOf(mode uint32) fs.FileMode {
	m := fs.FileMode(mode & 0o777)
	for _, bit := range []struct {
		sys uint32
		is  fs.FileMode
	}{{unix.S_ISUID, fs.ModeSetuid}, {unix.S_ISGID, fs.ModeSetgid}, {unix.S_ISVTX, fs.ModeSticky}} {
		if mode&bit.sys != 0 {
			m |= bit.is
		}
	}
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		m |= fs.ModeDir
	case unix.S_IFLNK:
		m |= fs.ModeSymlink
	default:
		m |= fs.ModeIrregular
	}
	return m
}

// mayWrite reads a mode as the system does for us.
func mayWrite(is *unix.Stat_t) bool {
	switch euid := os.Geteuid(); {
	case euid == 0:
		return true
	case int(is.Uid) == euid:
		return is.Mode&0o200 != 0
	case inGroup(int(is.Gid)):
		return is.Mode&0o020 != 0
	}
	return is.Mode&0o002 != 0
}

func inGroup(gid int) bool {
	if gid == os.Getegid() {
		return true
	}
	groups, err := os.Getgroups()
	return err == nil && slices.Contains(groups, gid)
}

// keepOwner gives to the owner and group of from, and returns the mode that to is to have, and whether they are the same.
// Where they cannot be kept, that is fs.ErrPermission; if loose, the mode is made narrower instead: the group of to may do
// no more than others may.
func keepOwner(from, to *os.File, loose bool) (mode fs.FileMode, same bool, err error) {
	var was, now unix.Stat_t
	if err := cmp.Or(fstat(from, &was), fstat(to, &now)); err != nil {
		return 0, false, err
	}
	mode = modeOf(uint32(was.Mode)) & settable
	if now.Uid == was.Uid && now.Gid == was.Gid && numbered(&was) {
		return mode, true, nil
	}
	err = to.Chown(int(was.Uid), int(was.Gid))
	if err == nil {
		return mode, true, nil
	}
	if errors.Is(err, unix.EINVAL) { // an owner that this user namespace has no number for
		err = fs.ErrPermission
	}
	if !errors.Is(err, fs.ErrPermission) || !loose {
		return 0, false, err
	}
	mode &= fs.ModePerm
	if to.Chown(-1, int(was.Gid)) != nil {
		mode &^= 0o070 &^ (mode & 0o007 << 3)
	}
	return mode, false, nil
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
