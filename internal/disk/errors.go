package disk

import (
	"errors"
	"io/fs"
	"slices"
)

// Errors for disks without the error numbers of a system, such as those of package disktest.
var (
	ErrNoLinks     = errors.New("links cannot be made here")
	ErrOtherDevice = errors.New("the other name is on another file system")
	ErrNameTooLong = errors.New("the name is too long")
)

// UnlessGone returns err, but nil if that says that there is nothing of a name.
func UnlessGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// NoLinks reports whether err means that a link cannot be made here, only a copy.
func NoLinks(err error) bool { return errors.Is(err, ErrNoLinks) || isAny(err, noLinks) }

// OtherDevice reports whether err means that two names are on different file systems.
func OtherDevice(err error) bool { return errors.Is(err, ErrOtherDevice) || isAny(err, otherDevice) }

// NameTooLong reports whether err means that a name is too long for the file system.
func NameTooLong(err error) bool { return errors.Is(err, ErrNameTooLong) || isAny(err, nameTooLong) }

func isAny(err error, targets []error) bool {
	return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
}
