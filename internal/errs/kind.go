package errs

import "io/fs"

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
