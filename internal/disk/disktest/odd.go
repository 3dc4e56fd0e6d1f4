package disktest

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// Errors of disks in memory, with the messages of Linux.
var (
	ErrBusy = errors.New("device or resource busy")
	ErrFull = errors.New("no space left on device")
)

// Odd is a disk in memory on which the name of a file tells what is odd about it: "linked", "not-ours", "pipe", "loop",
// "link to a", "locked", "mounted", "immutable", "in-locked-dir". It returns errors that a real disk returns only to
// some users on some systems.
type Odd struct {
	around
	mem    *Memory
	left   map[string]int
	denied map[string]bool
}

// NewOdd returns an Odd disk with files, which ignores case. Each of fails has an operation and the number of times
// that it succeeds. After that, it always fails: because the disk is full, or with "denied" as a third word, because of
// missing permission. Examples are "Rename 1" and "Mkdir 0 denied".
func NewOdd(files map[string]string, fails ...string) *Odd {
	d := &Odd{mem: NewMemory(files), left: map[string]int{}, denied: map[string]bool{}}
	d.mem.Fold = true
	d.around = around{Disk: d.mem, do: d.mayFail}
	for _, f := range fails {
		var operation, why string
		var times int
		fmt.Sscan(f, &operation, &times, &why)
		d.left[operation], d.denied[operation] = times+1, why == "denied"
	}
	return d
}

// Files is [Memory.Files].
func (d *Odd) Files() map[string]string { return d.mem.Files() }

func (d *Odd) mayFail(operation string, _ []string, do func() error) error {
	switch n, limited := d.left[operation]; {
	case !limited:
		return do()
	case n > 1:
		d.left[operation] = n - 1
		return do()
	case d.denied[operation]:
		return fs.ErrPermission
	}
	return ErrFull
}

func (d *Odd) Lstat(name string) (disk.Stat, error) {
	s, err := d.mem.Lstat(name)
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
	case "loop", "link to a":
		s.Mode = fs.ModeSymlink
	}
	return s, err
}

func (d *Odd) Inspect(name string) (disk.Traits, error) {
	t, err := d.mem.Inspect(name)
	if is, lookErr := d.Lstat(name); err == nil {
		t.Stat, err = is, lookErr
	}
	t.Writable = t.Writable && path.Base(name) != "locked" && (name != "." || !d.denied["Mkdir"])
	t.MountPoint = path.Base(name) == "mounted"
	t.Fixed = path.Base(name) == "immutable"
	t.Replaceable = t.Replaceable && path.Base(name) != "in-locked-dir"
	return t, err
}

const linkTo = "link to "

func (d *Odd) Readlink(name string) (string, error) {
	return strings.TrimPrefix(path.Base(name), linkTo), nil
}
