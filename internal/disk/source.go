//go:build (unix && !solaris && !aix) || windows

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
)

// A source is the Source of one directory. If that was not there when it was opened, it has no files until it is there.
type source struct {
	name  string
	above *source // the nearest directory that was there; nil if the directory itself was
	below string  // the name of the directory, from there

	mu   sync.Mutex
	root *os.Root // the directory; nil until it is there
}

// OpenRoot opens a directory as a Source. Links in its name are followed.
func OpenRoot(dir string) (Source, error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() { // opening a pipe would wait for its other end
		return nil, &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	if full, err := filepath.Abs(dir); err == nil && runtime.GOOS == "windows" {
		dir = full // on Windows, an os.Root looks up names by it, and the working directory may change
	}
	r, err := os.OpenRoot(dir)
	return &source{root: r}, err
}

// Open opens a directory for one commit. Links in its name are followed.
func Open(dir string) (d Disk, release func(), err error) {
	r, err := OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	d, unpin := r.Pin()
	return d, func() { unpin(); r.Close() }, nil
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
	coming := &source{name: dir, above: in.(*source), below: below}
	traits, err := coming.traits()
	if err == nil && !traits.Writable {
		err = &fs.PathError{Op: "mkdir", Path: dir, Err: fs.ErrPermission}
	}
	if err != nil {
		in.Close()
	}
	return coming, above, below, err
}

// traits returns what a directory inside the one above will be like.
func (s *source) traits() (Traits, error) {
	d, release := s.above.disk(true)
	defer release()
	t, err := d.Inspect(".")
	return Traits{Stat: Stat{Mode: t.Mode, Ours: true, Keepable: true}, Writable: t.Writable && !t.Fixed,
		Replaceable: t.Writable}, err
}

// open returns the directory, unless a link leads there.
func (s *source) open() (*os.Root, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.root != nil {
		return s.root, nil
	}
	d, release := s.above.disk(true)
	defer release()
	in, base, err := d.in(s.below)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: s.name, Err: err}
	}
	found, err := s.above.root.OpenRoot(s.below)
	if err != nil {
		return nil, err
	}
	top, err := rootHandle(found)
	if err == nil {
		defer top.close()
		if in.has(base, top) {
			s.root = found
			return found, nil
		}
		err = &fs.PathError{Op: "open", Path: s.name, Err: syscall.ENOTDIR}
	}
	found.Close()
	return nil, err
}

func (s *source) Make() error {
	if _, err := s.open(); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	d, release := s.above.Look()
	defer release()
	above := "."
	for part := range strings.SplitSeq(s.below, "/") {
		name := path.Join(above, part)
		err := d.Mkdir(name, 0o777)
		if err == nil {
			err = d.SyncDir(above)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return &fs.PathError{Op: "mkdir", Path: s.name, Err: err}
		}
		above = name
	}
	_, err := s.open()
	return err
}

func (s *source) Pin() (Disk, func())  { return s.disk(false) }
func (s *source) Look() (Disk, func()) { return s.disk(true) }

func (s *source) disk(innermost bool) (*realDisk, func()) {
	d := &realDisk{root: s.open, dirs: map[string]*handle{}, new: map[string]*os.File{}, innermost: innermost}
	if s.above != nil {
		d.coming = s.traits
	}
	return d, d.release
}

func (s *source) Close() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.above != nil {
		err = s.above.Close()
	}
	if s.root != nil {
		err = errors.Join(err, s.root.Close())
	}
	return err
}
