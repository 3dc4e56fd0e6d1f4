package atomicedit

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
)

// A Mem is a [Store] in memory, for tests and previews. The zero value is an empty store, ready to use. New files have
// mode 0644. There are no links, and directories exist only as parts of paths. A Mem is safe for concurrent use, and
// must not be copied.
type Mem struct {
	mu    sync.Mutex
	files map[string]*File
	dirs  map[string]int // the number of files below
}

var errNilMem = errors.New("atomicedit: the Mem is nil: make one with NewMem")

// NewMem returns a Mem with the given texts, by path. It ignores paths that cannot name a file (see [CleanPath]).
func NewMem(files map[string]string) *Mem {
	m := &Mem{}
	for name, text := range files {
		if clean, err := CleanPath(name); err == nil {
			m.put(clean, &File{Path: clean, Data: []byte(text), Mode: 0o644})
		}
	}
	return m
}

// Files returns a copy of the texts of all files, by path.
func (m *Mem) Files() map[string]string {
	if m == nil {
		return map[string]string{}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	files := map[string]string{}
	for name, f := range m.files {
		files[name] = string(f.Data)
	}
	return files
}

// Read implements [Store].
func (m *Mem) Read(ctx context.Context, name string) (*File, error) {
	if m == nil {
		return nil, errNilMem
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	clean, err := CleanPath(name)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.clash(clean); err != nil {
		return nil, err
	}
	f, ok := m.files[clean]
	if !ok {
		return &File{Path: clean}, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &File{Path: clean, Data: bytes.Clone(f.Data), Mode: f.Mode}, nil
}

// List is as [Dir.List].
func (m *Mem) List(ctx context.Context, dir string) ([]string, error) {
	if m == nil {
		return nil, errNilMem
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	dir = path.Clean(dir)
	below := strings.TrimPrefix(dir+"/", "./")
	var found []string
	for name := range m.files {
		if rest, ok := strings.CutPrefix(name, below); ok {
			if first, _, deeper := strings.Cut(rest, "/"); deeper {
				rest = first + "/"
			}
			found = append(found, rest)
		}
	}
	if found == nil && dir != "." {
		return nil, &fs.PathError{Op: "list", Path: dir, Err: fs.ErrNotExist}
	}
	slices.Sort(found)
	return slices.Compact(found), ctx.Err()
}

// clash refuses a path that is a directory or below a file. The caller holds the lock.
func (m *Mem) clash(clean string) error {
	if m.dirs[clean] > 0 {
		return &fs.PathError{Op: "open", Path: clean, Err: &errs.KindError{Mode: fs.ModeDir}}
	}
	for _, dir := range names.Parents(clean) {
		if _, isFile := m.files[dir]; isFile {
			return &fs.PathError{Op: "open", Path: clean, Err: names.ErrNotDir(dir)}
		}
	}
	return nil
}

// put makes f the file of a name, nil none. The caller holds the lock.
func (m *Mem) put(clean string, f *File) {
	if m.files == nil {
		m.files, m.dirs = map[string]*File{}, map[string]int{}
	}
	for _, dir := range names.Parents(clean) {
		if f != nil {
			m.dirs[dir]++
		}
		if m.files[clean] != nil {
			m.dirs[dir]--
		}
	}
	if m.files[clean] = f; f == nil {
		delete(m.files, clean)
	}
}

// Commit implements [Store].
func (m *Mem) Commit(ctx context.Context, changes []Change) error {
	if m == nil {
		return errNilMem
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	named := make([]Change, len(changes))
	for i, c := range changes {
		clean, err := CleanPath(c.Path)
		if err != nil {
			return err
		}
		named[i], named[i].Path = c, clean
	}
	if err := checkPaths(named); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var errs []error
	for _, c := range named {
		now := m.files[c.Path]
		if now == nil && c.After != nil {
			errs = append(errs, m.clash(c.Path))
		}
		errs = append(errs, c.Check(now))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, c := range named {
		var after *File
		if c.After != nil {
			was := cmp.Or(m.files[c.Path], &File{Mode: 0o644})
			after = &File{Path: c.Path, Data: bytes.Clone(c.After.Data), Mode: cmp.Or(c.After.Mode, was.Mode)}
		}
		m.put(c.Path, after)
	}
	return nil
}
