//go:build (unix && !solaris && !aix) || windows

package disk

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"sync"
	"syscall"

	"github.com/atomicedit/atomicedit/internal/errs"
)

// A realDisk keeps a directory handle of each directory that it works in. So it stays in the same directory between the
// check of a file and its replacement, whatever somebody puts there meanwhile, and every lookup costs one step, however
// deep the file is. A handle takes names without slashes and follows no links, so it reaches nothing outside.
type realDisk struct {
	root *os.Root                // reads links; nil if Open has opened the disk
	top  func() (*handle, error) // opens the handle of "."; nil if Open has

	mu   sync.Mutex
	dirs map[string]*handle
	new  map[string]*os.File // new files that are going to be synced

	// A look keeps only the innermost handle, so that a deep file does not need many.
	innermost bool
}

func (d *realDisk) release() {
	d.closeNew()
	for _, h := range d.dirs {
		h.close()
	}
}

// in returns the handle of the directory that name is in, and the last part of name.
func (d *realDisk) in(name string) (*handle, string, error) {
	dir, base := Split(name)
	h, err := d.dir(dir)
	return h, base, err
}

func (d *realDisk) dir(name string) (*handle, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dirLocked(name)
}

func (d *realDisk) dirLocked(name string) (h *handle, err error) {
	if h, ok := d.dirs[name]; ok {
		return h, nil
	}
	above, base := Split(name)
	if name == "." {
		h, err = d.top()
	} else if in, inErr := d.dirLocked(above); inErr == nil {
		h, err = in.sub(base)
	} else {
		err = inErr
	}
	if err != nil {
		return nil, err
	}
	d.dirs[name] = h
	if d.innermost && above != "." {
		d.dirs[above].close()
		delete(d.dirs, above)
	}
	return h, nil
}

func (d *realDisk) Forget(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if h, ok := d.dirs[name]; ok {
		h.close()
		delete(d.dirs, name)
	}
}

// forgetReplaced closes the handles of directories that have been removed or replaced since they were opened. It
// reports whether there were any.
func (d *realDisk) forgetReplaced() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	any := false
	for _, name := range slices.Sorted(maps.Keys(d.dirs)) { // parents come before their children
		h, above := d.dirs[name], d.dirs[path.Dir(name)]
		if name == "." || above != nil && above.has(path.Base(name), h) {
			continue
		}
		any = true
		h.close()
		delete(d.dirs, name)
	}
	return any
}

// keepOpen keeps a new file open until it is synced. It returns false if too many are open.
func (d *realDisk) keepOpen(name string, f *os.File) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.new) == 64 { // the others are opened again to sync them
		return false
	}
	d.new[name] = f
	return true
}

// takeOpen removes and returns the new file that is kept open under name, nil if there is none.
func (d *realDisk) takeOpen(name string) *os.File {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.new[name]
	delete(d.new, name)
	return f
}

// open opens a file. If the process has too many open files, it closes the new ones and tries again.
func (d *realDisk) open(name string, flag int, perm fs.FileMode) (*os.File, error) {
	in, base, err := d.in(name)
	if err != nil {
		return nil, err
	}
	f, err := in.open(base, flag, perm)
	if errors.Is(err, syscall.EMFILE) {
		d.closeNew()
		f, err = in.open(base, flag, perm)
	}
	return f, err
}

func (d *realDisk) keeps(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dirs[name] != nil
}

func (d *realDisk) closeNew() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, f := range d.new {
		f.Close()
		delete(d.new, name)
	}
}

// between calls do with two names, each split into its directory and its last part.
func (d *realDisk) between(old, new string, do func(d *realDisk, from *handle, old string, to *handle,
	new string) error) error {
	from, oldBase, err := d.in(old)
	if err != nil {
		return err
	}
	to, newBase, err := d.in(new)
	if err != nil {
		return err
	}
	return do(d, from, oldBase, to, newBase)
}

// openRegular opens a regular file for reading, and returns its size.
func (d *realDisk) openRegular(name string) (*os.File, int64, error) {
	f, err := d.open(name, openToRead, 0)
	if err != nil {
		if is, look := d.Lstat(name); look == nil && !is.Mode.IsRegular() {
			err = &errs.KindError{Mode: is.Mode}
		}
		return nil, 0, err
	}
	size, err := regularSize(f)
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, size, nil
}

// regularSize returns the size of an open file, and refuses what is not regular.
func regularSize(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, &errs.KindError{Mode: info.Mode()}
	}
	return info.Size(), nil
}
