package disktest

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// inspecting changes what Inspect says.
type inspecting struct {
	disk.Disk
	change func(name string, t *disk.Traits)
}

func (d inspecting) Inspect(name string) (disk.Traits, error) {
	t, err := d.Disk.Inspect(name)
	d.change(name, &t)
	return t, err
}

// Mounted has another file system mounted at "a". Unless tell is set, only links and renames that fail show it.
func Mounted(d disk.Disk, tell bool) disk.Disk {
	mount := func(name string) uint64 {
		if name == "a" || strings.HasPrefix(name, "a/") {
			return 1
		}
		return 0
	}
	d = around{Disk: d, do: func(_ string, names []string, do func() error) error {
		if len(names) == 2 && mount(names[0]) != mount(names[1]) {
			return disk.ErrOtherDevice
		}
		return do()
	}}
	if !tell {
		return d
	}
	return inspecting{d, func(name string, t *disk.Traits) { t.Device.Mount = mount(name) }}
}

// BindMounts is a file system on which the files for which is returns true are mount points.
func BindMounts(d disk.Disk, is func(name string) bool) disk.Disk {
	d = around{Disk: d, do: func(op string, names []string, do func() error) error {
		switch {
		case !slices.ContainsFunc(names, is):
		case op == "Link":
			return disk.ErrOtherDevice
		case op == "Rename", op == "Remove":
			return ErrBusy
		}
		return do()
	}}
	return inspecting{d, func(name string, t *disk.Traits) { t.MountPoint = is(name) }}
}

// Skipping skips the operations for which skip returns true, and reports success. It asks for some of them only.
func Skipping(d disk.Disk, skip func(op, name string) bool) disk.Disk {
	asked := []string{"Create", "Remove", "SyncFile", "SyncDir"}
	return around{Disk: d, do: func(op string, names []string, do func() error) error {
		if slices.Contains(asked, op) && skip(strings.ToLower(op), names[0]) {
			return nil
		}
		return do()
	}}
}

// before returns d with a function that is called before one kind of operation, and may refuse it.
func before(d disk.Disk, which string, refuse func(name string) error) disk.Disk {
	return around{Disk: d, do: func(op string, names []string, do func() error) error {
		if op == which {
			if err := refuse(names[len(names)-1]); err != nil {
				return err
			}
		}
		return do()
	}}
}

// Linkless is a file system without hard links.
func Linkless(d disk.Disk) disk.Disk {
	return before(d, "Link", func(string) error { return disk.ErrNoLinks })
}

// LateFile is a disk on which somebody makes a file of a new name right before another file is renamed to it.
func LateFile(d disk.Disk) disk.Disk {
	return before(d, "RenameNew", func(new string) error { return d.Create(new, []byte("theirs"), disk.Meta{}) })
}

// Blind cannot look up a name for which fails returns an error.
func Blind(d disk.Disk, fails func(name string) error) disk.Disk { return before(d, "Lstat", fails) }

// Stuck cannot remove the names for which is returns true.
func Stuck(d disk.Disk, is func(name string) bool) disk.Disk {
	return before(d, "Remove", func(name string) error {
		if is(name) {
			return ErrBusy
		}
		return nil
	})
}

// Meddling calls meddle before a file called name is made.
func Meddling(d disk.Disk, name string, meddle func()) disk.Disk {
	return before(d, "Create", func(made string) error {
		if made == name {
			meddle()
		}
		return nil
	})
}

// RemovedTwice removes the file called name and reports that there was none, as a network file system may do after it
// has sent a request twice.
func RemovedTwice(d disk.Disk, name string) disk.Disk {
	return around{Disk: d, do: func(op string, names []string, do func() error) error {
		err := do()
		if op == "Remove" && names[0] == name && err == nil {
			err = fs.ErrNotExist
		}
		return err
	}}
}

// Modeless is a file system that keeps no modes.
type Modeless struct{ disk.Disk }

func (d Modeless) Lstat(name string) (disk.Stat, error) {
	s, err := d.Disk.Lstat(name)
	s.Mode |= 0o755
	return s, err
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
