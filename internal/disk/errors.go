package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/atomicedit/atomicedit/internal/errs"
)

// Errors for disks without the error numbers of a system, such as those of package disktest.
var (
	ErrNoLinks     = errors.New("links cannot be made here")
	ErrOtherDevice = errors.New("the other name is on another file system")
	ErrNameTooLong = errors.New("the name is too long")
)

// ErrChanging means that the attributes of a file do not stop changing. It is errs.ErrStale.
var ErrChanging = fmt.Errorf("somebody is changing its owner, mode or attributes: %w", errs.ErrStale)

// NoLinks reports whether err means that a link cannot be made here, only a copy.
func NoLinks(err error) bool { return errors.Is(err, ErrNoLinks) || isAny(err, noLinks) }

// OtherDevice reports whether err means that two names are on different file systems.
func OtherDevice(err error) bool { return errors.Is(err, ErrOtherDevice) || isAny(err, otherDevice) }

// NameTooLong reports whether err means that a name is too long for the file system.
func NameTooLong(err error) bool { return errors.Is(err, ErrNameTooLong) || isAny(err, nameTooLong) }

func isAny(err error, targets []error) bool {
	return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
}

// At adds to err the step and the file that it is about. They replace the operation and the name that the system gives.
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

// isEscape reports whether err is the error of an [os.Root] about a name that leads outside, for instance through a
// link that was made after the name was resolved. Package os does not export this error.
func isEscape(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if err.Error() == "path escapes from parent" {
			return true
		}
	}
	return false
}
