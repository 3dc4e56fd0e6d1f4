// Package errs has the sentinel errors that the root exports, for the internal packages, which cannot import the root.
package errs

import (
	"errors"
	"io/fs"
)

// Reasons for refusing a request. Package atomicedit documents each under its public name.
var (
	ErrSyntax      = errors.New("the request cannot be read")
	ErrNoRequest   = errors.New("nothing is asked for")
	ErrNotFound    = errors.New("the old text is not there")
	ErrAmbiguous   = errors.New("the old text is there more than once")
	ErrCount       = errors.New("the old text is not there as often as the request says")
	ErrNoChange    = errors.New("the request changes nothing")
	ErrOverlap     = errors.New("two edits overlap")
	ErrApplied     = errors.New("the change is already there")
	ErrPlaceholder = errors.New("the new text has a placeholder for code left out")
	ErrStale       = errors.New("the file has changed since it was read")
	ErrUnread      = errors.New("the file has not been read")
	ErrBinary      = errors.New("not a text")
	ErrEncoding    = errors.New("not in the encoding of the file")
	ErrTooLarge    = errors.New("too large")
	ErrOutside     = errors.New("outside the directory")
	ErrDenied      = errors.New("not approved")
)

// Outcomes of a commit that say nothing about the request.
var (
	ErrNotDurable = errors.New("done, but perhaps not on disk yet, so a power failure may still undo it")
	ErrUnfinished = errors.New("neither done nor rolled back; the next commit or open finishes it")
)

// A KindError is the error for something that is not a regular file. It wraps fs.ErrInvalid.
type KindError struct{ Mode fs.FileMode }

func (e *KindError) Error() string {
	kind := "a device, socket or pipe"
	switch {
	case e.Mode.IsDir():
		kind = "a directory"
	case e.Mode&fs.ModeSymlink != 0:
		kind = "a symbolic link"
	}
	return "it is " + kind + ", not a file: use the path of a file"
}

func (e *KindError) Unwrap() error { return fs.ErrInvalid }
