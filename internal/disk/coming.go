//go:build (unix && !solaris && !aix) || windows

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// A coming is the Source of a directory that was not there when it was opened. Until it is there, it has no files.
type coming struct {
	name  string
	above root   // the nearest directory that was there
	below string // the name of the directory, from there

	mu    sync.Mutex
	found *os.Root // the directory; nil until it is there
}

// OpenComing opens a directory that is not there yet, but can be made: it fails if anything has the name of dir. It
// follows links in the name of the nearest directory above, and also returns that name, and the one of dir below it.
func OpenComing(dir string) (s Source, above, below string, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, "", "", err
	}
	above = dir
	_, err = os.Lstat(above)
	for errors.Is(err, fs.ErrNotExist) && filepath.Dir(above) != above {
		below = path.Join(filepath.Base(above), below)
		above = filepath.Dir(above)
		_, err = os.Lstat(above)
	}
	if err == nil && below == "" {
		err = &fs.PathError{Op: "open", Path: dir, Err: fs.ErrExist}
	}
	var in Source
	if err == nil {
		in, err = OpenRoot(above)
	}
	if err != nil {
		return nil, "", "", err
	}
	c := &coming{name: dir, above: in.(root), below: below}
	traits, err := c.traits()
	if err == nil && !traits.Writable {
		err = &fs.PathError{Op: "mkdir", Path: dir, Err: fs.ErrPermission}
	}
	if err != nil {
		in.Close()
	}
	return c, above, below, err
}

// traits returns what a directory inside the one above will be like.
func (c *coming) traits() (Traits, error) {
	d, release := c.above.disk(true)
	defer release()
	t, err := d.Inspect(".")
	return Traits{Stat: Stat{Mode: t.Mode, Ours: true, Keepable: true}, Writable: t.Writable && !t.Fixed,
		Replaceable: t.Writable}, err
}

// open returns the directory, unless a link leads there.
func (c *coming) open() (*os.Root, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.found != nil {
		return c.found, nil
	}
	d, release := c.above.disk(true)
	defer release()
	in, base, err := d.in(c.below)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: c.name, Err: err}
	}
	found, err := c.above.OpenRoot(c.below)
	if err != nil {
		return nil, err
	}
	top, err := rootHandle(found)
	if err == nil {
		defer top.close()
		if in.has(base, top) {
			c.found = found
			return found, nil
		}
		err = &fs.PathError{Op: "open", Path: c.name, Err: syscall.ENOTDIR}
	}
	found.Close()
	return nil, err
}

func (c *coming) Make() error {
	if _, err := c.open(); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	d, release := c.above.Look()
	defer release()
	above := "."
	for part := range strings.SplitSeq(c.below, "/") {
		name := path.Join(above, part)
		err := d.Mkdir(name, 0o777)
		if err == nil {
			err = d.SyncDir(above)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return &fs.PathError{Op: "mkdir", Path: c.name, Err: err}
		}
		above = name
	}
	_, err := c.open()
	return err
}

func (c *coming) Pin() (Disk, func())  { return c.disk(false) }
func (c *coming) Look() (Disk, func()) { return c.disk(true) }

func (c *coming) disk(innermost bool) (Disk, func()) {
	d, release := newDisk(c.open, innermost)
	return comingDisk{d, c}, release
}

func (c *coming) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.above.Close()
	if c.found != nil {
		err = errors.Join(err, c.found.Close())
	}
	return err
}

// A comingDisk has no files, and none can be made, until the directory is there.
type comingDisk struct {
	*realDisk
	of *coming
}

func (d comingDisk) Inspect(name string) (Traits, error) {
	t, err := d.realDisk.Inspect(name)
	if name == "." && errors.Is(err, fs.ErrNotExist) {
		return d.of.traits()
	}
	return t, err
}
