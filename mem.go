package atomicedit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
)

// A Mem is a [Store] in memory, for tests and previews. New files have mode 0644. It has no links, and knows
// directories only as parts of paths.
type Mem struct {
	mu    sync.Mutex
	files map[string]memFile
}

type memFile struct {
	data []byte
	mode fs.FileMode
}

// NewMem returns a Mem with the given files, by path. Paths that can name no file are left out.
func NewMem(files map[string]string) *Mem {
	m := &Mem{files: map[string]memFile{}}
	for name, text := range files {
		if clean, err := cleanPath(name); err == nil {
			m.files[clean] = memFile{[]byte(text), 0o644}
		}
	}
	return m
}

// Files returns a copy of all files, by path.
func (m *Mem) Files() map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	files := map[string]string{}
	for name, f := range m.files {
		files[name] = string(f.data)
	}
	return files
}

// Read implements [Store].
func (m *Mem) Read(ctx context.Context, name string) (*File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	clean, err := cleanPath(name)
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
	return &File{Path: clean, Data: bytes.Clone(f.data), Mode: f.mode}, nil
}

// clash refuses a path that is a directory, or below a file.
func (m *Mem) clash(clean string) error {
	for name := range m.files {
		if strings.HasPrefix(name, clean+"/") || strings.HasPrefix(clean, name+"/") {
			return &fs.PathError{Op: "open", Path: clean, Err: fmt.Errorf("it is a directory, or below a file; choose another path: %w", fs.ErrInvalid)}
		}
	}
	return nil
}

// Commit implements [Store].
func (m *Mem) Commit(ctx context.Context, changes []Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	named := make([]Change, len(changes))
	for i, c := range changes {
		clean, err := cleanPath(c.Path)
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
		var now *File
		if f, ok := m.files[c.Path]; ok {
			now = &File{Data: f.data}
		} else if c.After != nil {
			errs = append(errs, m.clash(c.Path))
		}
		errs = append(errs, c.Check(now))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, c := range named {
		if c.After == nil {
			delete(m.files, c.Path)
			continue
		}
		mode := c.After.Mode
		if mode == 0 {
			mode = 0o644
			if f, ok := m.files[c.Path]; ok {
				mode = f.mode
			}
		}
		m.files[c.Path] = memFile{bytes.Clone(c.After.Data), mode}
	}
	return nil
}

var _ Store = (*Mem)(nil)
