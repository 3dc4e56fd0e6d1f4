package atomicedit

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"sync"
)

// Pins are the directories that a commit works in, each opened once: between the check of a file and its replacement,
// nobody can put another directory there, and a name costs one step however deep it lies.
type pins struct {
	mu   sync.Mutex
	dirs map[string]folder
}

// A folder is a directory in which names are looked up. If it is pinned they have one part, and no link is followed.
type folder struct {
	root *os.Root
	file *os.File // the same directory, for calls that [os.Root] does not have; nil if it is not pinned
	name string   // below the root of the commit
}

// pinned returns d for the use of one commit or recovery, and what ends it. What is pinned stays so.
func pinned(d disk) (disk, func()) {
	real, ok := d.(rootDisk)
	if !ok || real.pins != nil {
		return d, func() {}
	}
	real.pins = &pins{dirs: map[string]folder{}}
	return real, func() {
		for _, f := range real.pins.dirs {
			f.close()
		}
	}
}

func (f folder) close() {
	if f.name != "." {
		f.root.Close()
	}
	f.file.Close()
}

// in returns the folder that name is looked up in, and what is left of the name.
func (d rootDisk) in(name string) (folder, string, error) {
	if d.pins == nil {
		return folder{root: d.root}, name, nil
	}
	f, err := d.folder(path.Dir(name))
	return f, path.Base(name), err
}

// folder returns the pinned directory dir.
func (d rootDisk) folder(dir string) (folder, error) {
	d.pins.mu.Lock()
	defer d.pins.mu.Unlock()
	return d.pins.folder(d.root, dir)
}

func (p *pins) folder(root *os.Root, dir string) (folder, error) {
	if f, ok := p.dirs[dir]; ok {
		return f, nil
	}
	f := folder{root: root, name: dir}
	if dir != "." {
		above, err := p.folder(root, path.Dir(dir))
		if err != nil {
			return folder{}, err
		}
		if f.root, err = openFolder(above.root, path.Base(dir)); err != nil {
			return folder{}, err
		}
	}
	var err error
	if f.file, err = f.root.Open("."); err != nil {
		if dir != "." {
			f.root.Close()
		}
		return folder{}, err
	}
	p.dirs[dir] = f
	return f, nil
}

// openFolder opens a directory that is no link, which somebody may have put there since its name was resolved.
func openFolder(above *os.Root, name string) (*os.Root, error) {
	root, err := above.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	is, err := root.Stat(".")
	if err == nil {
		var named fs.FileInfo
		if named, err = above.Lstat(name); err == nil && !os.SameFile(is, named) {
			err = fmt.Errorf("the directory is being replaced: %w", fs.ErrInvalid)
		}
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// unpin forgets a directory that is going to be removed.
func (d rootDisk) unpin(name string) {
	if d.pins == nil {
		return
	}
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
	if d.pins == nil {
		return false
	}
	d.pins.mu.Lock()
	defer d.pins.mu.Unlock()
	stale := false
	for _, dir := range slices.Sorted(maps.Keys(d.pins.dirs)) { // those above come first
		f, above := d.pins.dirs[dir], d.pins.dirs[path.Dir(dir)]
		if dir == "." || above.file != nil && above.holds(f) {
			continue
		}
		stale = true
		f.close()
		delete(d.pins.dirs, dir)
	}
	return stale
}

// holds reports whether a folder is still in the one above it.
func (f folder) holds(below folder) bool {
	is, err := below.file.Stat()
	if err != nil {
		return false
	}
	named, err := f.root.Lstat(path.Base(below.name))
	return err == nil && os.SameFile(is, named)
}

// openDir opens a directory for itself.
func (d rootDisk) openDir(name string) (*os.File, error) {
	if d.pins == nil {
		return d.root.Open(name)
	}
	f, err := d.folder(name)
	if err != nil {
		return nil, err
	}
	return f.open(".", os.O_RDONLY, 0)
}

// two does something to two names at once.
func (d rootDisk) two(old, new string, do func(d rootDisk, from folder, old string, to folder, new string) error) error {
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
