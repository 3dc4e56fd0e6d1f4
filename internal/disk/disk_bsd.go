//go:build unix && !linux && !solaris && !aix

package disk

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// inspectDir compares groups, because new files get the group of their directory, whatever its mode.
func (d *realDisk) inspectDir(t *Traits, is *unix.Stat_t, _ string) error {
	top, err := d.dir(".")
	if err != nil {
		return err
	}
	t.Inherits = t.Inherits || is.Gid != top.is.Gid
	return nil
}

func (h *handle) flags(string) (fixed, mountPoint bool, err error) { return false, false, nil }

func startWriting(*os.File) {}

// Extended attributes, access lists and flags are not kept on these systems.
type xattrs struct{}

var extended xattrs

func (xattrs) read(int) (map[string]string, error)                   { return nil, nil }
func (xattrs) give(int, map[string]string, bool) error               { return nil }
func (xattrs) amend(int, map[string]string, map[string]string) error { return nil }

func renameNew(*handle, string, *handle, string) error { return errors.ErrUnsupported }

func privileged(*unix.Stat_t, int) bool { return os.Geteuid() == 0 }
func numbered(*unix.Stat_t) bool        { return true }
