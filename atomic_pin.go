package atomicedit

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"sync"
	"syscall"
)

// Pins are the directories that a commit works in, each opened once: between the check of a file and its replacement,
// nobody can put another directory there, and a name costs one step however deep it lies. A [folder] looks up names of one
// part, and follows no link.
type pins struct {
	mu   sync.Mutex
	dirs map[string]*folder
	open map[string]*os.File // new files that are going to be synced

	// A look from one directory to the next, without a lock, pins no more than the last of them.
	loose bool
}

// maxOpen bounds the new files that are kept open: others are opened again.
const maxOpen = 64

// pinned returns d for the use of one commit, recovery or look, and what ends it. What is pinned stays so.
func pinned(d disk) (disk, func()) {
	real, ok := d.(rootDisk)
	if !ok || real.pins != nil {
		return d, func() {}
	}
	real.pins = &pins{dirs: map[string]*folder{}}
	return real, real.pins.release
}

// loosely returns d for one look, and what ends it.
func loosely(d disk) (disk, func()) {
	own, release := pinned(d)
	if real, ok := own.(rootDisk); ok && own != d {
		real.pins.loose = true
	}
	return own, release
}

func (p *pins) release() {
	rootDisk{pins: p}.closeOpen()
	for _, f := range p.dirs {
		f.close()
	}
}

// in returns the folder that name is looked up in, and what is left of the name.
func (d rootDisk) in(name string) (*folder, string, error) {
	dir, base := split(name)
	f, err := d.folder(dir)
	return f, base, err
}

// folder returns the pinned directory dir.
func (d rootDisk) folder(dir string) (*folder, error) {
	d.pins.mu.Lock()
	defer d.pins.mu.Unlock()
	return d.pins.folder(d.root, dir)
}

func (p *pins) folder(root *os.Root, dir string) (f *folder, err error) {
	if f, ok := p.dirs[dir]; ok {
		return f, nil
	}
	above, base := split(dir)
	if dir == "." {
		f, err = openFolder(root)
	} else if in, inErr := p.folder(root, above); inErr == nil {
		f, err = in.below(base)
	} else {
		err = inErr
	}
	if err != nil {
		return nil, err
	}
	p.dirs[dir] = f
	if p.loose && above != "." {
		p.dirs[above].close()
		delete(p.dirs, above)
	}
	return f, nil
}

// Unpin forgets a directory. It must not be locked.
func (d rootDisk) Unpin(name string) {
	d.pins.mu.Lock()
	defer d.pins.mu.Unlock()
	if f, ok := d.pins.dirs[name]; ok {
		f.close()
		delete(d.pins.dirs, name)
	}
}

// unpinStale forgets the directories that are not what their names stand for any more, because they were removed or replaced
// after they had been pinned, and reports whether there were any.
func (d rootDisk) unpinStale() bool {
	d.pins.mu.Lock()
	defer d.pins.mu.Unlock()
	stale := false
	for _, dir := range slices.Sorted(maps.Keys(d.pins.dirs)) { // those above come first
		f, above := d.pins.dirs[dir], d.pins.dirs[path.Dir(dir)]
		if dir == "." || above != nil && above.holds(path.Base(dir), f) {
			continue
		}
		stale = true
		f.close()
		delete(d.pins.dirs, dir)
	}
	return stale
}

// keepOpen keeps a new file open until it is synced, and reports whether it does.
func (d rootDisk) keepOpen(name string, f *os.File) bool {
	d.pins.mu.Lock()
	defer d.pins.mu.Unlock()
	if len(d.pins.open) == maxOpen {
		return false
	}
	if d.pins.open == nil {
		d.pins.open = map[string]*os.File{}
	}
	d.pins.open[name] = f
	return true
}

// takeOpen hands over a file that was kept open, nil if it was not.
func (d rootDisk) takeOpen(name string) *os.File {
	d.pins.mu.Lock()
	defer d.pins.mu.Unlock()
	f := d.pins.open[name]
	delete(d.pins.open, name)
	return f
}

// open opens a name of a folder. Where the system has no handle left, those of new files are given up.
func (d rootDisk) open(in *folder, name string, flag int, perm fs.FileMode) (*os.File, error) {
	f, err := in.open(name, flag, perm)
	if errors.Is(err, syscall.EMFILE) {
		d.closeOpen()
		f, err = in.open(name, flag, perm)
	}
	return f, err
}

// closeOpen closes the files that were kept open.
func (d rootDisk) closeOpen() {
	d.pins.mu.Lock()
	defer d.pins.mu.Unlock()
	for name, f := range d.pins.open {
		f.Close()
		delete(d.pins.open, name)
	}
}

// two does something to two names at once.
func (d rootDisk) two(old, new string, do func(d rootDisk, from *folder, old string, to *folder, new string) error) error {
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
