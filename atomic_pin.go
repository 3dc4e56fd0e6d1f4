package atomicedit

import (
	"errors"
	"os"
	"path"
	"strings"
	"sync"
)

// Pins are the directories that a commit works in, each opened once: between the check of a file and its replacement,
// nobody can put another directory there, and a name costs one step however deep it lies.
type pins struct {
	mu   sync.Mutex
	dirs map[string]pin
}

type pin struct {
	root *os.Root
	file *os.File // the same directory, for calls that take two
}

// pin returns d with pins, and what closes them.
func (d rootDisk) pin() (disk, func()) {
	d.pins = &pins{dirs: map[string]pin{}}
	return d, func() {
		for _, p := range d.pins.dirs {
			p.close()
		}
	}
}

func (p pin) close() {
	p.root.Close()
	p.file.Close()
}

// in returns the directory that name is looked up in, and what is left of the name.
func (d rootDisk) in(name string) (*os.Root, string, error) {
	dir, base := path.Split(name)
	if d.pins == nil || dir == "" {
		return d.root, name, nil
	}
	p, err := d.pinned(path.Clean(dir))
	return p.root, base, err
}

func (d rootDisk) pinned(dir string) (pin, error) {
	d.pins.mu.Lock()
	defer d.pins.mu.Unlock()
	if p, ok := d.pins.dirs[dir]; ok {
		return p, nil
	}
	root, err := d.root.OpenRoot(dir)
	if err != nil {
		return pin{}, err
	}
	file, err := root.Open(".")
	if err != nil {
		return pin{}, errors.Join(err, root.Close())
	}
	p := pin{root, file}
	d.pins.dirs[dir] = p
	return p, nil
}

// unpin forgets a directory that is no more, and those below it.
func (d rootDisk) unpin(name string) {
	if d.pins == nil {
		return
	}
	d.pins.mu.Lock()
	defer d.pins.mu.Unlock()
	for dir, p := range d.pins.dirs {
		if dir == name || strings.HasPrefix(dir, name+"/") {
			p.close()
			delete(d.pins.dirs, dir)
		}
	}
}

// two does something to two names at once: by their pins if they lie in different ones.
func (d rootDisk) two(old, new string, inOne func(r *os.Root, old, new string) error, inTwo func(from *os.File, old string, to *os.File, new string) error) error {
	if d.pins == nil || !strings.Contains(old+new, "/") {
		return inOne(d.root, old, new)
	}
	oldDir, oldBase := path.Split(path.Clean("./" + old))
	newDir, newBase := path.Split(path.Clean("./" + new))
	from, err := d.pinned(path.Clean("./" + oldDir))
	if err != nil {
		return err
	}
	to, err := d.pinned(path.Clean("./" + newDir))
	if err != nil {
		return err
	}
	if from == to {
		return inOne(from.root, oldBase, newBase)
	}
	if inTwo == nil {
		return inOne(d.root, old, new)
	}
	return inTwo(from.file, oldBase, to.file, newBase)
}
