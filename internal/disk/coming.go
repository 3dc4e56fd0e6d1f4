//go:build (unix && !solaris && !aix) || windows

package disk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
)

// A Coming is the Source of a directory that was not there when it was opened. Until the directory has been made, by
// Make or by somebody else, its disks have no files. It is safe for concurrent use.
type Coming struct {
	name  string
	above *os.Root // the nearest directory that was there
	parts []string // the names from there to the directory

	mu    sync.Mutex
	found *os.Root // the directory; nil until it is there
}

// OpenComing opens a directory that is not there yet, but can be made: links in the name of the nearest directory above
// it are followed. It returns the name of that directory, too. If something has the name of dir, a file or a link, or
// if nothing can be made there, OpenComing fails.
func OpenComing(dir string) (c *Coming, above string, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, "", err
	}
	var parts []string
	for above = dir; ; above = filepath.Dir(above) {
		_, err := os.Lstat(above)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(above) == above {
			return nil, "", err
		}
		parts = append([]string{filepath.Base(above)}, parts...)
	}
	if len(parts) == 0 {
		return nil, "", &fs.PathError{Op: "open", Path: dir, Err: fs.ErrExist}
	}
	in, close, err := OpenRoot(above)
	if err != nil {
		return nil, "", err
	}
	c = &Coming{name: dir, above: in.(root).Root, parts: parts}
	if traits, err := c.traits(); err != nil || !traits.Writable {
		close()
		if err == nil {
			err = &fs.PathError{Op: "mkdir", Path: dir, Err: fs.ErrPermission}
		}
		return nil, "", err
	}
	return c, above, nil
}

// traits returns what a directory inside the one above will be like.
func (c *Coming) traits() (Traits, error) {
	d, release := root{c.above}.Look()
	defer release()
	t, err := d.Inspect(".")
	return Traits{Stat: Stat{Mode: t.Mode, Ours: true, Keepable: true}, Writable: t.Writable && !t.Fixed,
		Replaceable: t.Writable}, err
}

// open returns the directory. With make, it makes the directory and those above it.
func (c *Coming) open(make bool) (*os.Root, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.found != nil {
		return c.found, nil
	}
	at := c.above
	for i, part := range c.parts {
		next, err := enter(at, part, make)
		if i > 0 {
			at.Close()
		}
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: c.name, Err: err}
		}
		at = next
	}
	c.found = at
	return at, nil
}

// enter opens a directory inside another, without following links. With make, it makes the directory first.
func enter(at *os.Root, name string, make bool) (*os.Root, error) {
	is, err := at.Lstat(name)
	if make && errors.Is(err, fs.ErrNotExist) {
		if err = at.Mkdir(name, 0o777); err == nil {
			err = syncNames(at)
		}
		if err == nil || errors.Is(err, fs.ErrExist) {
			is, err = at.Lstat(name)
		}
	}
	if err != nil {
		return nil, err
	}
	if !is.IsDir() {
		return nil, syscall.ENOTDIR
	}
	next, err := at.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if now, err := next.Stat("."); err != nil || !os.SameFile(is, now) {
		next.Close()
		return nil, errors.Join(err, syscall.ENOTDIR) // somebody has just put a link there
	}
	return next, nil
}

// syncNames puts the names in a directory on disk, where the system lets a program do so.
func syncNames(at *os.Root) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := at.Open(".")
	if err != nil {
		return err
	}
	err = f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// Make makes the directory, and those above it, with mode 0777 before umask. It does nothing if the directory is there.
func (c *Coming) Make() error {
	_, err := c.open(true)
	return err
}

func (c *Coming) Pin() (Disk, func()) { return c.disk(root.Pin) }

func (c *Coming) Look() (Disk, func()) { return c.disk(root.Look) }

func (c *Coming) disk(of func(root) (Disk, func())) (Disk, func()) {
	r, err := c.open(false)
	if err != nil {
		top := func() (*handle, error) { return nil, err }
		return noDisk{&realDisk{top: top}, c, err}, func() {}
	}
	return of(root{r})
}

// Close closes the directory, and the one above it.
func (c *Coming) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.above.Close()
	if c.found != nil {
		err = errors.Join(err, c.found.Close())
	}
	return err
}

// A noDisk is the disk of a directory that is not there. It has no files, and none can be made.
type noDisk struct {
	*realDisk
	of  *Coming
	err error // why it is not there
}

func (d noDisk) Inspect(name string) (Traits, error) {
	if name == "." && errors.Is(d.err, fs.ErrNotExist) {
		return d.of.traits()
	}
	return Traits{}, d.err
}

func (d noDisk) Lstat(name string) (Stat, error) {
	t, err := d.Inspect(name)
	return t.Stat, err
}

func (d noDisk) Readlink(string) (string, error) { return "", d.err }

func (d noDisk) Lock(context.Context, func() []string, bool) (func(), error) { return nil, d.err }
