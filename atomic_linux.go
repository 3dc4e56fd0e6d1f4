package atomicedit

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

// completeMore asks for what stat does not say: access lists and read-only mounts count in what we may write, a
// default access list is handed down, and a file can be a mount point.
func (d rootDisk) completeMore(s *stat, name string) error {
	if !s.mode.IsRegular() && !s.mode.IsDir() {
		return nil
	}
	dir, base := path.Split(name)
	f, err := d.root.Open(path.Clean("./" + dir))
	if err != nil {
		return err
	}
	defer f.Close()
	fd := int(f.Fd())
	if s.mode.IsRegular() {
		err := unix.Faccessat(fd, base, unix.W_OK, unix.AT_EACCESS|unix.AT_SYMLINK_NOFOLLOW)
		if err == nil || errors.Is(err, unix.EACCES) || errors.Is(err, unix.EROFS) || errors.Is(err, unix.EPERM) {
			s.writable = err == nil
		}
		var sx unix.Statx_t
		if unix.Statx(fd, base, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_TYPE, &sx) == nil {
			s.mountedOn = sx.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0
		}
		return nil
	}
	sub, err := d.root.Open(name)
	if err != nil {
		return nil // not ours to look into
	}
	defer sub.Close()
	var sx unix.Statx_t
	if unix.Statx(int(sub.Fd()), "", unix.AT_EMPTY_PATH, unix.STATX_MNT_ID, &sx) == nil {
		s.device.mount = sx.Mnt_id
	}
	if n, err := unix.Fgetxattr(int(sub.Fd()), "system.posix_acl_default", nil); err == nil && n > 0 {
		s.inherits = true
	}
	return nil
}

// keepMeta gives to the owner and the extended attributes of from, access lists among them, and returns the mode that to
// is to have. Attributes of the system's own (security, trusted) are kept where we may set them.
func keepMeta(from, to *os.File, looseOwner bool) (fs.FileMode, error) {
	mode, err := keepOwner(from, to, looseOwner)
	if err != nil {
		return 0, err
	}
	n, err := unix.Flistxattr(int(from.Fd()), nil)
	if err != nil || n == 0 {
		return mode, nil
	}
	names := make([]byte, n)
	if n, err = unix.Flistxattr(int(from.Fd()), names); err != nil {
		return 0, err
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
			return 0, err
		}
	}
	return mode, nil
}
