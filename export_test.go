package atomicedit

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// OddDir returns a Dir on a disk in memory on which the name of a file says what is odd about it, for the messages of
// commits that a real disk gives only to some users of some systems. Each of fails is an operation and how often it
// succeeds before it fails for good: "Rename 1".
func OddDir(files map[string]string, o DirOptions, fails ...string) *Dir {
	d := &oddDisk{memDisk: newMemDisk(files), left: map[string]int{}}
	d.fold = true
	for _, f := range fails {
		var operation string
		var times int
		fmt.Sscan(f, &operation, &times)
		d.left[operation] = times + 1
	}
	return newDir(d, o)
}

type oddDisk struct {
	*memDisk
	left map[string]int
}

func (d *oddDisk) do(operation string) error {
	n, limited := d.left[operation]
	if !limited {
		return nil
	}
	if n > 1 {
		d.left[operation] = n - 1
		return nil
	}
	return syscall.ENOSPC
}

func (d *oddDisk) Lstat(name string) (stat, error) {
	s, err := d.memDisk.Lstat(name)
	if len(path.Base(name)) > 255 {
		err = sysNameTooLong
	}
	switch path.Base(name) {
	case "linked":
		s.links = 3
	case "not-ours":
		s.keepable = false
	case "pipe":
		s.mode = fs.ModeNamedPipe
	case "loop":
		s.mode = fs.ModeSymlink
	}
	return s, err
}

func (d *oddDisk) Inspect(name string) (traits, error) {
	t, err := d.memDisk.Inspect(name)
	if is, lookErr := d.Lstat(name); err == nil {
		t.stat, err = is, lookErr
	}
	t.writable = t.writable && path.Base(name) != "locked"
	t.mountedOn = path.Base(name) == "mounted"
	t.fixed = path.Base(name) == "immutable"
	t.replaceable = t.replaceable && path.Base(name) != "in-locked-dir"
	return t, err
}

func (d *oddDisk) Readlink(name string) (string, error) { return path.Base(name), nil }

func (d *oddDisk) Mkdir(name string, perm fs.FileMode) error {
	if err := d.do("Mkdir"); err != nil {
		return err
	}
	return d.memDisk.Mkdir(name, perm)
}

func (d *oddDisk) Create(name string, data []byte, as meta) error {
	if err := d.do("Create"); err != nil {
		return err
	}
	return d.memDisk.Create(name, data, as)
}

func (d *oddDisk) Rename(old, new string) error {
	if err := d.do("Rename"); err != nil {
		return err
	}
	return d.memDisk.Rename(old, new)
}

func (d *oddDisk) SyncDir(name string) error {
	if err := d.do("SyncDir"); err != nil {
		return err
	}
	return d.memDisk.SyncDir(name)
}

func (d *oddDisk) ReadFile(name string, max int64) ([]byte, error) {
	if err := d.do("ReadFile"); err != nil {
		return nil, err
	}
	data, err := d.memDisk.ReadFile(name, max)
	if err == nil && int64(len(data)) > max {
		return nil, ErrTooLarge
	}
	return data, err
}

// A BreakableDir is a Dir on a disk in memory that a test can break.
type BreakableDir struct {
	*Dir
	whole disk
}

// NewBreakableDir returns an empty one.
func NewBreakableDir() *BreakableDir {
	d := lockedDisk{newMemDisk(nil), make(chan bool, 1)}
	return &BreakableDir{newDir(d, DirOptions{}), d}
}

// Break lets the disk fail after n operations, for good.
func (d *BreakableDir) Break(n int) { d.disk = &faultDisk{disk: d.whole, at: n, flavour: dieBefore} }

// Mend makes it work again.
func (d *BreakableDir) Mend() { d.disk = d.whole }

// A lockedDisk lets commits take turns, as a disk that several use must.
type lockedDisk struct {
	*memDisk
	taken chan bool
}

func (d lockedDisk) Lock(ctx context.Context, _ func() []string, _ bool) (func(), error) {
	select {
	case d.taken <- true:
		return func() { <-d.taken }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// KilledAt commits changes of all kinds to dir, and is killed before the k-th operation of that, if there are so many.
func KilledAt(dir string, k int) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	d, release := pinned(rootDisk{root: root})
	defer release()
	kill := func() {
		self, _ := os.FindProcess(os.Getpid())
		self.Kill()
		select {}
	}
	one, two := &File{Data: []byte("one")}, &File{Data: []byte("two")}
	return newDir(&faultDisk{disk: d, at: k, flavour: cancel, cancel: kill}, DirOptions{}).Commit(context.Background(), []Change{
		{Path: "a", Before: one, After: two}, {Path: "d/b", Before: one, After: two}, {Path: "n/m", From: "c", After: one}, {Path: "c", Before: one},
	})
}
