package atomicedit

import (
	"context"
	"errors"
	"io/fs"
)

// A Dir is a [Store] on a directory.
type Dir struct {
	opts DirOptions
}

// DirOptions are the choices a caller has in [OpenDir]. A nil *DirOptions is the zero value.
type DirOptions struct {
	MaxSize          int64      // largest file read, in bytes, checked before reading; 0 means 64 MiB
	Durability       Durability // DurableFull by default
	ReadOnly         bool       // Commit refuses with fs.ErrPermission, and nothing is recovered
	InPlace          bool       // write in place where a rename cannot work (bind-mounted file); default: refuse
	AllowOwnerChange bool       // go on, with a note, where the owner cannot be kept; default: refuse
	RefuseHardLinks  bool       // default: break them, with a note
}

// Durability is what a commit waits for. Whatever it is, a commit survives a kill of the process.
type Durability int

const (
	DurableFull Durability = iota // data and names are on disk: what was committed survives a power cut
	DurableFile                   // data is on disk: after a power cut, a file is old or new, never torn
	DurableNone                   // nothing: a power cut may lose or tear what was written
)

// OpenDir returns a Store on a directory.
func OpenDir(dir string, o *DirOptions) (*Dir, error) {
	return nil, &fs.PathError{Op: "opendir", Path: dir, Err: errors.ErrUnsupported}
}

// Close releases the directory.
func (d *Dir) Close() error { return nil }

// Read implements [Store].
func (d *Dir) Read(ctx context.Context, path string) (*File, error) { return nil, errors.ErrUnsupported }

// Commit implements [Store].
func (d *Dir) Commit(ctx context.Context, changes []Change) error { return errors.ErrUnsupported }

// WriteFile replaces or creates one file.
func WriteFile(name string, data []byte, perm fs.FileMode) error { return errors.ErrUnsupported }
