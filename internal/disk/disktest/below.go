package disktest

import (
	"context"
	"io/fs"
	"path"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// Below is the part of a disk below one of its directories.
type Below struct {
	disk.Disk
	Dir string
}

func (d Below) at(name string) string { return path.Join(d.Dir, name) }

func (d Below) Lstat(name string) (disk.Stat, error)          { return d.Disk.Lstat(d.at(name)) }
func (d Below) Inspect(name string) (disk.Traits, error)      { return d.Disk.Inspect(d.at(name)) }
func (d Below) Readlink(name string) (string, error)          { return d.Disk.Readlink(d.at(name)) }
func (d Below) ReadDir(name string) ([]string, error)         { return d.Disk.ReadDir(d.at(name)) }
func (d Below) Version(name string) (disk.Version, error)     { return d.Disk.Version(d.at(name)) }
func (d Below) Overwrite(name string, data []byte) error      { return d.Disk.Overwrite(d.at(name), data) }
func (d Below) SyncFile(name string) error                    { return d.Disk.SyncFile(d.at(name)) }
func (d Below) SyncDir(name string) error                     { return d.Disk.SyncDir(d.at(name)) }
func (d Below) Link(old, new string) error                    { return d.Disk.Link(d.at(old), d.at(new)) }
func (d Below) Rename(old, new string) error                  { return d.Disk.Rename(d.at(old), d.at(new)) }
func (d Below) RenameNew(old, new string) error               { return d.Disk.RenameNew(d.at(old), d.at(new)) }
func (d Below) Remove(name string) error                      { return d.Disk.Remove(d.at(name)) }
func (d Below) Mkdir(name string, perm fs.FileMode) error     { return d.Disk.Mkdir(d.at(name), perm) }
func (d Below) Hold(name string) (disk.Held, error)           { return d.Disk.Hold(d.at(name)) }
func (d Below) Forget(name string)                            { d.Disk.Forget(d.at(name)) }
func (d Below) Equal(name string, data []byte) (bool, error)  { return d.Disk.Equal(d.at(name), data) }
func (d Below) ReadFile(name string, n int64) ([]byte, error) { return d.Disk.ReadFile(d.at(name), n) }

func (d Below) Create(name string, data []byte, as disk.Meta) error {
	return d.Disk.Create(d.at(name), data, as)
}

func (d Below) Amend(name string, was, now disk.Attributes) error {
	return d.Disk.Amend(d.at(name), was, now)
}

func (d Below) ReadStart(name string, n int) ([]byte, error) { return d.Disk.ReadStart(d.at(name), n) }

func (d Below) Guard(ctx context.Context, name string, wait bool) (disk.Stat, func(), error) {
	return d.Disk.Guard(ctx, d.at(name), wait)
}
