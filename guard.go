package atomicedit

import (
	"context"
	"fmt"
	"io/fs"
)

// A Deed is something that a commit does to an existing file. The zero value is DeedReplace.
type Deed int

const (
	DeedReplace Deed = iota // give it another content
	DeedDelete              // remove it
	DeedMove                // give it another name, together with what it has besides its content
)

// check refuses what is no Deed.
func (d Deed) check(path string) error {
	if d < DeedReplace || d > DeedMove {
		return &fs.PathError{Op: "check", Path: path,
			Err: fmt.Errorf("atomicedit: unknown Deed: %d: %w", d, fs.ErrInvalid)}
	}
	return nil
}

// A Guard is a [Store] that can tell in advance what a commit would refuse. [Prepare] asks it about every file that a
// plan changes, so that nobody is asked to approve what cannot be done. Without it, only the commit refuses.
type Guard interface {
	// MayChange returns nil if a commit may do deed to the file at path as things are now. Otherwise it returns the
	// error that the commit would return, which wraps [fs.ErrPermission] and says what to do instead. If there is no
	// file at path, it returns nil unless no file may be created there; DeedReplace asks about that. A store that
	// refuses every commit, because it is read-only, leaves that to the commit: a preview is still possible. Any other
	// deed is [fs.ErrInvalid].
	MayChange(ctx context.Context, path string, deed Deed) error
}

// A Respeller is a [Store] in which two paths that differ in case alone may name one file. [Prepare] asks it about a
// move between such paths. Without it, such a move is one onto an existing file, which the plan must allow by
// [Op].Overwrite.
type Respeller interface {
	// Respells reports whether from and to, which differ in case alone, name the same file, whose directory lists it as
	// from.
	Respells(ctx context.Context, from, to string) bool
}

// A Recoverer is a [Store] that can roll back an unfinished commit: one whose process died, or whose own rollback
// failed. A [Host] calls Recover once when a store answers with [ErrUnfinished] to a read, and reads again. Without it,
// the call fails, and such a file cannot be read until somebody opens the store again.
type Recoverer interface {
	// Recover rolls back an unfinished commit. If there is none, it does nothing. It fails with the context's error if
	// the context ends before Recover has begun.
	Recover(ctx context.Context) error
}
