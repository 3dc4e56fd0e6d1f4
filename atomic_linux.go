package atomicedit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// inspectDir asks for what a mode does not say: a default access list is handed down to new files, a directory can be
// mounted for itself, and no copy has its time of birth.
func (d rootDisk) inspectDir(t *traits, name string) {
	f, err := d.folder(name)
	if err != nil {
		return // not ours to look into
	}
	var sx unix.Statx_t
	if unix.Statx(f.fd(), "", unix.AT_EMPTY_PATH, unix.STATX_MNT_ID|unix.STATX_BTIME, &sx) == nil {
		t.device.mount = sx.Mnt_id
		if sx.Mask&unix.STATX_BTIME != 0 {
			t.born = sx.Btime.Sec*1e9 + int64(sx.Btime.Nsec)
		}
	}
	n, err := unix.Fgetxattr(f.fd(), "system.posix_acl_default", nil)
	t.inherits = t.inherits || err == nil && n > 0
}

// inspectFile asks for what a mode does not say: access lists, read-only mounts and the attributes of chattr count in what we
// may write, and a file can be a mount point.
func inspectFile(t *traits, in *folder, name string) {
	allowed := func(name string, old bool) bool {
		err := unix.Faccessat(in.fd(), name, unix.W_OK, unix.AT_EACCESS)
		if err == nil || errors.Is(err, unix.EACCES) || errors.Is(err, unix.EROFS) || errors.Is(err, unix.EPERM) {
			return err == nil
		}
		return old
	}
	const protecting = unix.STATX_ATTR_IMMUTABLE | unix.STATX_ATTR_APPEND
	attributes := func(name string) uint64 {
		var sx unix.Statx_t
		if unix.Statx(in.fd(), name, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_TYPE, &sx) != nil {
			return 0
		}
		return sx.Attributes
	}
	t.writable = allowed(name, t.writable)
	in.may.Do(func() {
		in.write = allowed(".", t.replaceable) && attributes(".")&protecting == 0
	})
	t.replaceable = in.write
	is := attributes(name)
	t.fixed = is&protecting != 0
	t.mountedOn = is&unix.STATX_ATTR_MOUNT_ROOT != 0
}

// privileged reports whether we have a capability that is good for a file.
func privileged(is *unix.Stat_t, capability int) bool {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var ours [2]unix.CapUserData
	if unix.Capget(&head, &ours[0]) != nil {
		return os.Geteuid() == 0
	}
	return ours[0].Effective&(1<<capability) != 0 && numbered(is)
}

// numbered reports whether owner and group of a file have numbers in our user namespace. Those that have none look like nobody.
func numbered(is *unix.Stat_t) bool {
	return (is.Uid != nobody || nobodyIsUser()) && (is.Gid != nobody || nobodyIsGroup())
}

const nobody = 65534

// What the namespace of a process is does not change.
var (
	nobodyIsUser  = sync.OnceValue(func() bool { return lists("/proc/self/uid_map", nobody) })
	nobodyIsGroup = sync.OnceValue(func() bool { return lists("/proc/self/gid_map", nobody) })
)

// lists reports whether a list of the numbers in a user namespace has id, or cannot be read.
func lists(name string, id uint32) bool {
	data, err := os.ReadFile(name)
	for line := range strings.Lines(string(data)) {
		var inside, outside, count uint32
		if n, _ := fmt.Sscan(line, &inside, &outside, &count); n == 3 && id >= inside && id-inside < count {
			return true
		}
	}
	return err != nil
}

// groupOfDirectory says whether every directory hands its group to new files: here that is told by setgid, but for mounts with
// grpid.
const groupOfDirectory = false

// renameNew is a rename that replaces nothing: [errors.ErrUnsupported] where that cannot be asked for.
func renameNew(_ rootDisk, from *folder, old string, to *folder, new string) error {
	err := ignoringEINTR(func() error { return unix.Renameat2(from.fd(), old, to.fd(), new, unix.RENAME_NOREPLACE) })
	if err == unix.EINVAL {
		err = errors.ErrUnsupported
	}
	return err
}

// startWriting lets the disk work on a file while we prepare the others, so that a sync has little left to wait for, and
// file systems with a log put all of them there at once.
func startWriting(f *os.File) { unix.SyncFileRange(int(f.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE) }

const accessList = "system.posix_acl_access"

// keepMeta gives to the owner and the extended attributes of from, access lists among them, and returns the mode that to
// is to have, and whether the owner is the same. Attributes of the system's own (security, trusted) are kept where we may
// set them.
func keepMeta(from, to *os.File, looseOwner bool) (mode fs.FileMode, same bool, err error) {
	mode, same, err = keepOwner(from, to, looseOwner)
	if err != nil {
		return 0, false, err
	}
	// An access list that the directory has handed to to, and from has not, would let others in.
	if _, err := unix.Fgetxattr(int(to.Fd()), accessList, nil); err == nil {
		if _, err := unix.Fgetxattr(int(from.Fd()), accessList, nil); errors.Is(err, unix.ENODATA) || errors.Is(err, unix.ENOTSUP) {
			if err := unix.Fremovexattr(int(to.Fd()), accessList); err != nil {
				return 0, false, err
			}
		}
	}
	n, err := unix.Flistxattr(int(from.Fd()), nil)
	if err != nil || n == 0 {
		return mode, same, nil
	}
	names := make([]byte, n)
	if n, err = unix.Flistxattr(int(from.Fd()), names); err != nil {
		return 0, false, err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names[:n]), "\x00"), "\x00") {
		size, err := unix.Fgetxattr(int(from.Fd()), name, nil)
		if err != nil {
			continue
		}
		value := make([]byte, size)
		if size, err = unix.Fgetxattr(int(from.Fd()), name, value); err != nil {
			continue
		}
		err = unix.Fsetxattr(int(to.Fd()), name, value[:size], 0)
		if err != nil && !strings.HasPrefix(name, "security.") && !strings.HasPrefix(name, "trusted.") {
			return 0, false, err
		}
	}
	return mode, same, nil
}
