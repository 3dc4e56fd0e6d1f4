//go:build unix && !solaris && !aix

package disk

import (
	"io/fs"
	"os"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// The numbers of the Linux capabilities for files of other users. On other systems, root has these rights.
const (
	capChown  = 0
	capFowner = 3
)

// A user is the effective user of this process. Each disk asks for it once.
type user struct {
	uid, gid int
	groups   func() []int
}

func currentUser() *user {
	return &user{os.Geteuid(), os.Getegid(), sync.OnceValue(func() []int {
		groups, _ := os.Getgroups()
		return groups
	})}
}

func (u *user) statOf(is *unix.Stat_t) Stat {
	s := Stat{Mode: modeOf(uint32(is.Mode)), Size: is.Size, Links: int(is.Nlink), Ours: int(is.Uid) == u.uid}
	s.ID = FileID{uint64(is.Dev), uint64(is.Ino)}
	s.Keepable = s.Ours && u.in(int(is.Gid)) && numbered(is) || privileged(is, capChown) &&
		(s.Ours || privileged(is, capFowner))
	return s
}

// modeOf converts a mode of the system. It does not tell devices, sockets and pipes apart.
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

// mayWrite reports whether the mode lets this process write the file.
func (u *user) mayWrite(is *unix.Stat_t) bool {
	switch {
	case u.uid == 0:
		return true
	case int(is.Uid) == u.uid:
		return is.Mode&0o200 != 0
	case u.in(int(is.Gid)):
		return is.Mode&0o020 != 0
	}
	return is.Mode&0o002 != 0
}

func (u *user) in(gid int) bool { return gid == u.gid || slices.Contains(u.groups(), gid) }
