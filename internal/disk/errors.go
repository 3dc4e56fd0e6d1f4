package disk

import (
	"errors"
	"io/fs"
	"os"

	"github.com/atomicedit/atomicedit/internal/errs"
)

// Errors of disks that have no error numbers of a system, such as those of package disktest.
var (
	ErrNoLinks     = errors.New("links cannot be made here")
	ErrOtherDevice = errors.New("the other name is on another file system")
	ErrNameTooLong = errors.New("the name is too long")
)

// NoLinks reports whether err says that a link cannot be made, so that a copy must do.
func NoLinks(err error) bool { return errors.Is(err, ErrNoLinks) || isAny(err, noLinks) }

// OtherDevice reports whether err says that two names are on different file systems.
func OtherDevice(err error) bool { return errors.Is(err, ErrOtherDevice) || isAny(err, otherDevice) }

// NameTooLong reports whether err says that the file system does not take names of such a length.
func NameTooLong(err error) bool { return errors.Is(err, ErrNameTooLong) || isAny(err, nameTooLong) }

func isAny(err error, targets []error) bool {
	for _, target := range targets {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}

// At says in which step and at which file err came up, instead of the system's own words for that.
func At(step, name string, err error) error {
	if err == nil {
		return nil
	}
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		err = p.Err
	case errors.As(err, &l):
		err = l.Err
	}
	if isEscape(err) {
		err = errs.ErrOutside
	}
	return &fs.PathError{Op: step, Path: name, Err: err}
}

// A KindError refuses to take something for a file. It wraps fs.ErrInvalid.
type KindError struct{ Mode fs.FileMode }

func (e *KindError) Error() string {
	kind := "a device, socket or pipe"
	switch {
	case e.Mode.IsDir():
		kind = "a directory"
	case e.Mode&fs.ModeSymlink != 0:
		kind = "a symbolic link"
	}
	return "it is " + kind + ", not a file"
}

func (e *KindError) Unwrap() error { return fs.ErrInvalid }

// isEscape reports whether err is that of an [os.Root] about a name that leads outside, for instance by a link that somebody
// put there after the name was resolved. The error has no name of its own.
func isEscape(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if err.Error() == "path escapes from parent" {
			return true
		}
	}
	return false
}
