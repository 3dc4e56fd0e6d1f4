package disktest

import (
	"io/fs"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// Mounted has another file system mounted at "a". Unless Tell is set, only links and renames that fail show it.
type Mounted struct {
	disk.Disk
	Tell bool
}

func mountedAt(name string) uint64 {
	if name == "a" || strings.HasPrefix(name, "a/") {
		return 1
	}
	return 0
}

func (d Mounted) Inspect(name string) (disk.Traits, error) {
	t, err := d.Disk.Inspect(name)
	if d.Tell {
		t.Device.Mount = mountedAt(name)
	}
	return t, err
}

func (d Mounted) Link(old, new string) error {
	if mountedAt(old) != mountedAt(new) {
		return disk.ErrOtherDevice
	}
	return d.Disk.Link(old, new)
}

func (d Mounted) Rename(old, new string) error {
	if mountedAt(old) != mountedAt(new) {
		return disk.ErrOtherDevice
	}
	return d.Disk.Rename(old, new)
}

func (d Mounted) RenameNew(old, new string) error {
	if mountedAt(old) != mountedAt(new) {
		return disk.ErrOtherDevice
	}
	return d.Disk.RenameNew(old, new)
}

// Linkless is a file system without hard links.
type Linkless struct{ disk.Disk }

func (d Linkless) Link(old, new string) error { return disk.ErrNoLinks }

// BindMounts is a file system on which the files for which Is returns true are mount points.
type BindMounts struct {
	disk.Disk
	Is func(name string) bool
}

func (d BindMounts) Inspect(name string) (disk.Traits, error) {
	t, err := d.Disk.Inspect(name)
	t.MountPoint = d.Is(name)
	return t, err
}

func (d BindMounts) Rename(old, new string) error {
	if d.Is(old) || d.Is(new) {
		return ErrBusy
	}
	return d.Disk.Rename(old, new)
}

func (d BindMounts) Remove(name string) error {
	if d.Is(name) {
		return ErrBusy
	}
	return d.Disk.Remove(name)
}

func (d BindMounts) Link(old, new string) error {
	if d.Is(old) || d.Is(new) {
		return disk.ErrOtherDevice
	}
	return d.Disk.Link(old, new)
}

// Skipping skips the operations for which Skip returns true, and reports success.
type Skipping struct {
	disk.Disk
	Skip func(op, name string) bool
}

func (d Skipping) SyncFile(name string) error {
	if d.Skip("syncfile", name) {
		return nil
	}
	return d.Disk.SyncFile(name)
}

func (d Skipping) SyncDir(name string) error {
	if d.Skip("syncdir", name) {
		return nil
	}
	return d.Disk.SyncDir(name)
}

func (d Skipping) Create(name string, data []byte, as disk.Meta) error {
	if d.Skip("create", name) {
		return nil
	}
	return d.Disk.Create(name, data, as)
}

func (d Skipping) Remove(name string) error {
	if d.Skip("remove", name) {
		return nil
	}
	return d.Disk.Remove(name)
}

// Stuck cannot remove the names for which Is returns true.
type Stuck struct {
	disk.Disk
	Is func(name string) bool
}

func (d Stuck) Remove(name string) error {
	if d.Is(name) {
		return ErrBusy
	}
	return d.Disk.Remove(name)
}

// Modeless is a file system that keeps no modes.
type Modeless struct{ disk.Disk }

func (d Modeless) Lstat(name string) (disk.Stat, error) {
	s, err := d.Disk.Lstat(name)
	s.Mode |= 0o755
	return s, err
}

// Meddling calls Meddle before a file called Name is made.
type Meddling struct {
	disk.Disk
	Name   string
	Meddle func()
}

func (d Meddling) Create(name string, data []byte, as disk.Meta) error {
	if name == d.Name {
		d.Meddle()
	}
	return d.Disk.Create(name, data, as)
}

// LateFile is a file system without hard links. Right before a file is renamed to a new name, somebody makes a file of
// that name.
type LateFile struct{ Linkless }

func (d LateFile) RenameNew(old, new string) error {
	d.Create(new, []byte("theirs"), disk.Meta{})
	return d.Linkless.RenameNew(old, new)
}

// RemovedTwice removes the file called Name and reports that there was none, as a network file system may do after it
// has sent a request twice.
type RemovedTwice struct {
	disk.Disk
	Name string
}

func (d RemovedTwice) Remove(name string) error {
	err := d.Disk.Remove(name)
	if name == d.Name && err == nil {
		err = fs.ErrNotExist
	}
	return err
}

// Linked adds symbolic links to a disk that has none. Links has the target of each.
type Linked struct {
	disk.Disk
	Links map[string]string
}

func (d Linked) Lstat(name string) (disk.Stat, error) {
	if d.Links[name] != "" {
		return disk.Stat{Mode: fs.ModeSymlink | 0o777, Links: 1}, nil
	}
	return d.Disk.Lstat(name)
}

func (d Linked) Readlink(name string) (string, error) { return d.Links[name], nil }

// Blind cannot look up a name for which Fails returns an error.
type Blind struct {
	disk.Disk
	Fails func(name string) error
}

func (d Blind) Lstat(name string) (disk.Stat, error) {
	if err := d.Fails(name); err != nil {
		return disk.Stat{}, err
	}
	return d.Disk.Lstat(name)
}
