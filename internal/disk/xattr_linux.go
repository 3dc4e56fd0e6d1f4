package disk

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

const accessList = "system.posix_acl_access"

type xattrs struct {
	list   func(fd int, dest []byte) (int, error)
	get    func(fd int, name string, dest []byte) (int, error)
	set    func(fd int, name string, value []byte, flags int) error
	remove func(fd int, name string) error
}

var systemXattrs = xattrs{unix.Flistxattr, unix.Fgetxattr, unix.Fsetxattr, unix.Fremovexattr}

// isNone reports whether err means that there is no such attribute, or that the file system does not support its kind.
func isNone(err error) bool { return errors.Is(err, unix.ENODATA) || errors.Is(err, unix.ENOTSUP) }

// isOfContent reports whether the system computes an attribute from the content or the inode number of a file, so that
// no other file can have it.
func isOfContent(name string) bool { return name == "security.ima" || name == "security.evm" }

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
	return slices.DeleteFunc(names, isOfContent), nil
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

// give gives extended attributes to a new file. If loose is set, it skips attributes of the system (security, trusted)
// that this process may not set.
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
