package disktest

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// Errors of disks in memory, with the messages of Linux.
var (
	ErrBusy = errors.New("device or resource busy")
	ErrFull = errors.New("no space left on device")
)

// Odd is a disk in memory on which the name of a file tells what is odd about it: "linked", "not-ours", "pipe", "loop",
// "locked", "mounted", "immutable", "in-locked-dir". It returns errors that a real disk returns only to some users on
// some systems.
type Odd struct {
	*Memory
	left   map[string]int
	denied map[string]bool
}

// NewOdd returns an Odd disk with files, which ignores case. Each of fails has an operation and the number of times
// that it succeeds. After that, it always fails: because the disk is full, or with "denied" as a third word, because of
// missing permission. Examples are "Rename 1" and "Mkdir 0 denied".
func NewOdd(files map[string]string, fails ...string) *Odd {
	d := &Odd{NewMemory(files), map[string]int{}, map[string]bool{}}
	d.Fold = true
	for _, f := range fails {
		var operation, why string
		var times int
		fmt.Sscan(f, &operation, &times, &why)
		d.left[operation], d.denied[operation] = times+1, why == "denied"
	}
	return d
}

func (d *Odd) do(operation string) error {
	n, limited := d.left[operation]
	if !limited {
		return nil
	}
	if n > 1 {
		d.left[operation] = n - 1
		return nil
	}
	if d.denied[operation] {
		return fs.ErrPermission
	}
	return ErrFull
}

func (d *Odd) Lstat(name string) (disk.Stat, error) {
	s, err := d.Memory.Lstat(name)
	if len(path.Base(name)) > 255 {
		err = disk.ErrNameTooLong
	}
	switch path.Base(name) {
	case "linked":
		s.Links = 3
	case "not-ours":
		s.Keepable = false
	case "pipe":
		s.Mode = fs.ModeNamedPipe
	case "loop":
		s.Mode = fs.ModeSymlink
	}
	return s, err
}

func (d *Odd) Inspect(name string) (disk.Traits, error) {
	t, err := d.Memory.Inspect(name)
	if is, lookErr := d.Lstat(name); err == nil {
		t.Stat, err = is, lookErr
	}
	t.Writable = t.Writable && path.Base(name) != "locked" && (name != "." || !d.denied["Mkdir"])
	t.MountPoint = path.Base(name) == "mounted"
	t.Fixed = path.Base(name) == "immutable"
	t.Replaceable = t.Replaceable && path.Base(name) != "in-locked-dir"
	return t, err
}

func (d *Odd) Readlink(name string) (string, error) { return path.Base(name), nil }

func (d *Odd) Mkdir(name string, perm fs.FileMode) error {
	if err := d.do("Mkdir"); err != nil {
		return err
	}
	return d.Memory.Mkdir(name, perm)
}

func (d *Odd) Create(name string, data []byte, as disk.Meta) error {
	if err := d.do("Create"); err != nil {
		return err
	}
	return d.Memory.Create(name, data, as)
}

func (d *Odd) Rename(old, new string) error {
	if err := d.do("Rename"); err != nil {
		return err
	}
	return d.Memory.Rename(old, new)
}

func (d *Odd) SyncDir(name string) error {
	if err := d.do("SyncDir"); err != nil {
		return err
	}
	return d.Memory.SyncDir(name)
}

func (d *Odd) ReadFile(name string, max int64) ([]byte, error) {
	if err := d.do("ReadFile"); err != nil {
		return nil, err
	}
	return d.Memory.ReadFile(name, max)
}
