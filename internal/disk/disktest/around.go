package disktest

import (
	"context"
	"io/fs"
	"path"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// An around is another disk, or what that has below dir, with a function around every operation. The function may leave
// the operation out, or put an error in place of its result. Readlink, Forget and locks are not operations.
type around struct {
	disk.Disk
	dir string
	do  func(op string, names []string, do func() error) error
}

// Below returns the part of a disk below one of its directories.
func Below(d disk.Disk, dir string) disk.Disk {
	return around{d, dir, func(_ string, _ []string, do func() error) error { return do() }}
}

func (d around) at(name string) string { return path.Join(d.dir, name) }

// ask carries out an operation that has a result.
func ask[T any](d around, op, name string, do func(name string) (T, error)) (v T, err error) {
	err = d.effect(op, name, func(name string) error { v, err = do(name); return err })
	return v, err
}

func (d around) effect(op, name string, do func(name string) error) error {
	return d.do(op, []string{name}, func() error { return do(d.at(name)) })
}

func (d around) between(op, old, new string, do func(old, new string) error) error {
	return d.do(op, []string{old, new}, func() error { return do(d.at(old), d.at(new)) })
}

func (d around) Readlink(name string) (string, error) { return d.Disk.Readlink(d.at(name)) }
func (d around) Forget(name string)                   { d.Disk.Forget(d.at(name)) }
func (d around) Lstat(name string) (disk.Stat, error) { return ask(d, "Lstat", name, d.Disk.Lstat) }
func (d around) SyncFile(name string) error           { return d.effect("SyncFile", name, d.Disk.SyncFile) }
func (d around) SyncDir(name string) error            { return d.effect("SyncDir", name, d.Disk.SyncDir) }
func (d around) Remove(name string) error             { return d.effect("Remove", name, d.Disk.Remove) }
func (d around) Link(old, new string) error           { return d.between("Link", old, new, d.Disk.Link) }
func (d around) Rename(old, new string) error         { return d.between("Rename", old, new, d.Disk.Rename) }

func (d around) RenameNew(old, new string) error {
	return d.between("RenameNew", old, new, d.Disk.RenameNew)
}

func (d around) Inspect(name string) (disk.Traits, error) {
	return ask(d, "Inspect", name, d.Disk.Inspect)
}

func (d around) ReadDir(name string) ([]string, error) {
	return ask(d, "ReadDir", name, d.Disk.ReadDir)
}

func (d around) Version(name string) (disk.Version, error) {
	return ask(d, "Version", name, d.Disk.Version)
}

func (d around) ReadFile(name string, max int64) ([]byte, error) {
	return ask(d, "ReadFile", name, func(name string) ([]byte, error) { return d.Disk.ReadFile(name, max) })
}

func (d around) ReadStart(name string, max int) ([]byte, error) {
	return ask(d, "ReadStart", name, func(name string) ([]byte, error) { return d.Disk.ReadStart(name, max) })
}

func (d around) Equal(name string, data []byte) (bool, error) {
	return ask(d, "Equal", name, func(name string) (bool, error) { return d.Disk.Equal(name, data) })
}

func (d around) Create(name string, data []byte, as disk.Meta) error {
	return d.effect("Create", name, func(name string) error { return d.Disk.Create(name, data, as) })
}

func (d around) Overwrite(name string, data []byte) error {
	return d.effect("Overwrite", name, func(name string) error { return d.Disk.Overwrite(name, data) })
}

func (d around) Amend(name string, was, now disk.Attributes) error {
	return d.effect("Amend", name, func(name string) error { return d.Disk.Amend(name, was, now) })
}

func (d around) Mkdir(name string, perm fs.FileMode) error {
	return d.effect("Mkdir", name, func(name string) error { return d.Disk.Mkdir(name, perm) })
}

func (d around) LockOf(dir string) (disk.Lock, error) { return d.Disk.LockOf(d.at(dir)) }

func (d around) Guard(ctx context.Context, name string, wait bool) (disk.Stat, func(), error) {
	return d.Disk.Guard(ctx, d.at(name), wait)
}

func (d around) Hold(name string) (disk.Held, error) {
	h, err := ask(d, "Hold", name, d.Disk.Hold)
	if err != nil {
		if h != nil {
			h.Close()
		}
		return nil, err
	}
	return aroundHeld{h, d, name}, nil
}

type aroundHeld struct {
	disk.Held
	disk around
	name string
}

func (h aroundHeld) Attributes() (disk.Attributes, error) {
	return ask(h.disk, "Attributes", h.name, func(string) (disk.Attributes, error) { return h.Held.Attributes() })
}

func (h aroundHeld) Equal(data []byte) (bool, error) {
	return ask(h.disk, "Equal", h.name, func(string) (bool, error) { return h.Held.Equal(data) })
}

func (h aroundHeld) IsCurrent() (bool, error) {
	return ask(h.disk, "IsCurrent", h.name, func(string) (bool, error) { return h.Held.IsCurrent() })
}
