package disk

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// inspectDir asks for traits that a mode does not show: inherited access lists, the mount, the time of birth.
func (d *realDisk) inspectDir(t *Traits, _ *unix.Stat_t, name string) error {
	h, err := d.dir(name)
	if errors.Is(err, unix.EACCES) {
		return nil // this process cannot enter the directory, so it cannot make anything there
	}
	if err != nil {
		return err
	}
	sx, err := h.statx("", unix.AT_EMPTY_PATH, unix.STATX_MNT_ID|unix.STATX_BTIME)
	if err != nil {
		return err
	}
	t.Device.Mount = sx.Mnt_id
	t.Fixed = sx.Attributes&protecting != 0
	if sx.Mask&unix.STATX_BTIME != 0 {
		t.Born = sx.Btime.Sec*1e9 + int64(sx.Btime.Nsec)
	}
	n, err := unix.Fgetxattr(h.fd(), "system.posix_acl_default", nil)
	if err != nil && !isAny(err, unix.ENODATA, unix.ENOTSUP) { // the directory, or the file system, has no such list
		return err
	}
	t.Inherits = t.Inherits || err == nil && n > 0
	return nil
}

// protecting are the attributes of chattr that keep a file, or what is in a directory, as it is.
const protecting = unix.STATX_ATTR_IMMUTABLE | unix.STATX_ATTR_APPEND

func (h *handle) flags(name string) (fixed, mountPoint bool, err error) {
	sx, err := h.statx(name, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_TYPE)
	return sx.Attributes&protecting != 0, sx.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0, err
}

// statx asks for what the mode of a file or directory does not show. It returns nothing if the kernel is too old for
// the call, or a seccomp filter does not know it.
func (h *handle) statx(name string, flags, mask int) (sx unix.Statx_t, err error) {
	err = unix.Statx(h.fd(), name, flags, mask, &sx)
	if err == unix.ENOSYS || err == unix.EPERM {
		err = nil
	}
	return sx, err
}

// renameNew is a rename that replaces nothing. It fails with errors.ErrUnsupported if the file system has no such call.
func renameNew(from *handle, old string, to *handle, new string) error {
	err := ignoringEINTR(func() error { return unix.Renameat2(from.fd(), old, to.fd(), new, unix.RENAME_NOREPLACE) })
	if err == unix.EINVAL {
		err = errors.ErrUnsupported
	}
	return err
}

// startWriting lets the disk write a file while others are prepared, so that a later sync has less to wait for. A file
// system with a log then writes all files together.
func startWriting(f *os.File) { unix.SyncFileRange(int(f.Fd()), 0, 0, unix.SYNC_FILE_RANGE_WRITE) }

// privileged reports whether this process has a capability that applies to a file.
func privileged(is *unix.Stat_t, capability int) bool {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var ours [2]unix.CapUserData
	if unix.Capget(&head, &ours[0]) != nil {
		return os.Geteuid() == 0
	}
	return ours[0].Effective&(1<<capability) != 0 && numbered(is)
}

// numbered reports whether owner and group of a file have ids in this user namespace. Others look like nobody.
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

const accessList = "system.posix_acl_access"

type xattrs struct {
	list   func(fd int, dest []byte) (int, error)
	get    func(fd int, name string, dest []byte) (int, error)
	set    func(fd int, name string, value []byte, flags int) error
	remove func(fd int, name string) error
}

var extended = xattrs{unix.Flistxattr, unix.Fgetxattr, unix.Fsetxattr, unix.Fremovexattr}

// read returns the extended attributes of a file. If an attribute disappears after it was listed, read starts again.
func (x xattrs) read(fd int) (map[string]string, error) {
	var last error
again:
	for range maxTries {
		names, err := x.names(fd)
		if err != nil || len(names) == 0 {
			return nil, err
		}
		all := map[string]string{}
		for _, name := range names {
			value, err := grown(func(dest []byte) (int, error) { return x.get(fd, name, dest) })
			switch {
			case errors.Is(err, unix.ENODATA):
				last = fmt.Errorf("the attribute %s: %w", name, err)
				continue again
			case errors.Is(err, unix.ENOTSUP):
			case err != nil:
				return nil, fmt.Errorf("the attribute %s: %w", name, err)
			default:
				all[name] = string(value)
			}
		}
		return all, nil
	}
	return nil, last
}

func (x xattrs) names(fd int) ([]string, error) {
	list, err := grown(func(dest []byte) (int, error) { return x.list(fd, dest) })
	if errors.Is(err, unix.ENOTSUP) || err == nil && len(list) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the list of attributes: %w", err)
	}
	names := strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00")
	return slices.DeleteFunc(names, func(name string) bool {
		return name == "security.ima" || name == "security.evm" // computed from the file, so no other can have them
	}), nil
}

// grown calls read with longer and longer buffers, and returns what it reads.
func grown(read func(dest []byte) (int, error)) ([]byte, error) {
	for size := 256; size <= 64<<10; size *= 2 { // the system has no longer ones
		dest := make([]byte, size)
		n, err := read(dest)
		if errors.Is(err, unix.ERANGE) || err == nil && n > len(dest) {
			continue
		}
		return dest[:max(n, 0)], err
	}
	return nil, fmt.Errorf("%w (%w)", ErrChanging, unix.ERANGE)
}

// give gives extended attributes to a new file. If loose is set, it skips those of the system that it may not set.
func (x xattrs) give(fd int, want map[string]string, loose bool) error {
	has, err := x.read(fd)
	if err != nil {
		return err
	}
	// An access list that the file has inherited from its directory would let others in.
	if _, inherited := has[accessList]; inherited && want[accessList] == "" {
		if err := x.remove(fd, accessList); err != nil && !errors.Is(err, unix.ENODATA) {
			return fmt.Errorf("the attribute %s: %w", accessList, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if value, ok := has[name]; ok && value == want[name] {
			continue
		}
		err := x.set(fd, name, []byte(want[name]), 0)
		barred := errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES)
		ofSystem := strings.HasPrefix(name, "security.") || strings.HasPrefix(name, "trusted.")
		if err != nil && !(loose && barred && ofSystem) {
			return fmt.Errorf("the attribute %s cannot be kept: %w", name, err)
		}
	}
	return nil
}

// amend sets each attribute that differs between was and now, unless somebody else has changed it on the file.
func (x xattrs) amend(fd int, was, now map[string]string) error {
	if maps.Equal(was, now) {
		return nil
	}
	is, err := x.read(fd)
	if err != nil {
		return err
	}
	same := func(a, b map[string]string, name string) bool {
		one, inOne := a[name]
		other, inOther := b[name]
		return inOne == inOther && one == other
	}
	all := map[string]string{}
	maps.Copy(all, now)
	maps.Copy(all, was)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if same(was, now, name) || !same(is, was, name) {
			continue
		}
		if value, ok := now[name]; ok {
			err = x.set(fd, name, []byte(value), 0)
		} else if err = x.remove(fd, name); errors.Is(err, unix.ENODATA) {
			err = nil
		}
		if err != nil {
			return fmt.Errorf("the attribute %s cannot be kept: %w", name, err)
		}
	}
	return nil
}
