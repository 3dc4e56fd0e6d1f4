//go:build (!unix && !windows) || solaris || aix

package disk

import (
	"errors"
	"io/fs"
)

var noLinks, otherDevice, nameTooLong []error

// OpenRoot fails with [errors.ErrUnsupported]: this system lacks the locks or links that a commit needs.
func OpenRoot(dir string) (s Source, close func() error, err error) {
	return nil, nil, unsupported(dir)
}

// Open fails with [errors.ErrUnsupported]: this system lacks the locks or links that a commit needs.
func Open(dir string) (d Disk, release func(), err error) { return nil, nil, unsupported(dir) }

type Coming struct{ Source }

func OpenComing(dir string) (c *Coming, above string, err error) { return nil, "", unsupported(dir) }

func (c *Coming) Make() error  { return errors.ErrUnsupported }
func (c *Coming) Close() error { return nil }

func unsupported(dir string) error {
	return &fs.PathError{Op: "open", Path: dir, Err: errors.ErrUnsupported}
}
