package disk

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// inspectDir asks for traits that a mode does not show: whether new files inherit an access list, whether the directory
// is a mount point, and when it was made.
func (d *realDisk) inspectDir(t *Traits, _ *unix.Stat_t, name string) error {
	h, err := d.dir(name)
	if errors.Is(err, unix.EACCES) {
		return nil // this process cannot enter the directory, so it cannot make anything there
	}
	if err != nil {
		return err
	}
	var sx unix.Statx_t
	err = unix.Statx(h.fd(), "", unix.AT_EMPTY_PATH, unix.STATX_MNT_ID|unix.STATX_BTIME, &sx)
	switch {
	case err == nil:
		t.Device.Mount = sx.Mnt_id
		t.Fixed = sx.Attributes&protecting != 0
		if sx.Mask&unix.STATX_BTIME != 0 {
			t.Born = sx.Btime.Sec*1e9 + int64(sx.Btime.Nsec)
		}
	case !isUnknownCall(err):
		return err
	}
	n, err := unix.Fgetxattr(h.fd(), "system.posix_acl_default", nil)
	if err != nil && !isNone(err) {
		return err
	}
	t.Inherits = t.Inherits || err == nil && n > 0
	return nil
}

// protecting are the attributes of chattr that keep a file, or what is in a directory, as it is.
const protecting = unix.STATX_ATTR_IMMUTABLE | unix.STATX_ATTR_APPEND

// flags asks for what the mode of a file or directory does not show, if the system has the call.
func (h *handle) flags(name string) (fixed, mountPoint bool, err error) {
	var sx unix.Statx_t
	err = unix.Statx(h.fd(), name, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_TYPE, &sx)
	if isUnknownCall(err) {
		err = nil
	}
	return sx.Attributes&protecting != 0, sx.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0, err
}

// isUnknownCall reports whether err comes from an old kernel, or from a seccomp filter that does not know the system
// call.
func isUnknownCall(err error) bool { return err == unix.ENOSYS || err == unix.EPERM }

// renameNew is a rename that replaces nothing. It fails with errors.ErrUnsupported if the file system has no such call.
func renameNew(_ *realDisk, from *handle, old string, to *handle, new string) error {
	err := ignoringEINTR(func() error { return unix.Renameat2(from.fd(), old, to.fd(), new, unix.RENAME_NOREPLACE) })
	if err == unix.EINVAL {
		err = errors.ErrUnsupported
	}
	return err
}

// startWriting lets the disk write a file while others are prepared. A later sync then has less to wait for, and a file
// system with a log writes all files together.
func startWriting(f *os.File) { unix.SyncFileRange(int(f.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE) }

func extendedOf(f *os.File) (map[string]string, error) { return systemXattrs.read(int(f.Fd())) }

func giveExtended(to *os.File, want map[string]string, loose bool) error {
	return systemXattrs.give(int(to.Fd()), want, loose)
}

func amendExtended(f *os.File, was, now map[string]string) error {
	return systemXattrs.amend(int(f.Fd()), was, now)
}

// privileged reports whether this process has a capability that applies to a file.
func privileged(is *unix.Stat_t, capability int) bool {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var ours [2]unix.CapUserData
	if unix.Capget(&head, &ours[0]) != nil {
		return os.Geteuid() == 0
	}
	return ours[0].Effective&(1<<capability) != 0 && numbered(is)
}

// numbered reports whether the owner and the group of a file have ids in this user namespace. Those without an id look
// like nobody.
func numbered(is *unix.Stat_t) bool {
	return (is.Uid != nobody || uids.haveNobody("/proc/self/uid_map")) &&
		(is.Gid != nobody || gids.haveNobody("/proc/self/gid_map"))
}

const nobody = 65534

// An idMap is one of the maps of ids of the user namespace. A process stays in its namespace, so each is read once.
type idMap struct {
	once   sync.Once
	nobody bool
}

var uids, gids idMap

// haveNobody reports whether the map has the id of nobody, or cannot be read.
func (m *idMap) haveNobody(name string) bool {
	m.once.Do(func() {
		data, err := os.ReadFile(name)
		m.nobody = err != nil
		for line := range strings.Lines(string(data)) {
			var inside, outside, count uint32
			n, _ := fmt.Sscan(line, &inside, &outside, &count)
			m.nobody = m.nobody || n == 3 && nobody >= inside && nobody-inside < count
		}
	})
	return m.nobody
}
