//go:build (!unix && !windows) || solaris || aix

package disk

import (
	"errors"
	"io/fs"
)

func NoLinks(err error) bool     { return errors.Is(err, ErrNoLinks) }
func OtherDevice(err error) bool { return errors.Is(err, ErrOtherDevice) }
func NameTooLong(err error) bool { return errors.Is(err, ErrNameTooLong) }

// OpenRoot, Open and OpenComing fail: this system lacks the locks or links that a commit needs.
func OpenRoot(dir string) (Source, error) { return nil, unsupported(dir) }

func Open(dir string) (d Disk, release func(), err error) { return nil, nil, unsupported(dir) }

func OpenComing(dir string) (s Source, above, below string, err error) {
	return nil, "", "", unsupported(dir)
}

func unsupported(dir string) error {
	return &fs.PathError{Op: "open", Path: dir, Err: errors.ErrUnsupported}
}
