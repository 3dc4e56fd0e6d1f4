package storetest_test

import (
	"bytes"
	"cmp"
	"context"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/storetest"
)

// A table is a Store written from the contract in docs/stores.md alone: a map, as a program might keep one in a database.
// It has no permissions.
type table struct {
	mu    sync.Mutex
	files map[string][]byte
}

func refused(path string, err error) error {
	return &fs.PathError{Op: "commit", Path: path, Err: err}
}

// clash reports whether one of two paths is a directory of the other.
func clash(a, b string) bool { return strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/") }

// blocked reports whether path cannot be a file beside the files of s.
func (s *table) blocked(path string) bool {
	for other := range s.files {
		if clash(path, other) {
			return true
		}
	}
	return false
}

func (s *table) Read(ctx context.Context, path string) (*atomicedit.File, error) {
	path, err := atomicedit.CleanPath(path)
	if err := cmp.Or(ctx.Err(), err); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	data, ok := s.files[path]
	switch {
	case ok:
		return &atomicedit.File{Path: path, Data: data}, nil // Commit makes new slices, so data stays as it is
	case s.blocked(path):
		return nil, refused(path, fs.ErrInvalid)
	}
	return nil, refused(path, fs.ErrNotExist)
}

func (s *table) Commit(ctx context.Context, changes []atomicedit.Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	paths := make([]string, len(changes)) // step 2
	for i, c := range changes {
		path, err := atomicedit.CleanPath(c.Path)
		if err != nil {
			return err
		}
		for k, other := range paths[:i] {
			if path == other || clash(path, other) && c.After != nil && changes[k].After != nil {
				return refused(path, fs.ErrInvalid)
			}
		}
		paths[i] = path
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, c := range changes { // step 3
		var now *atomicedit.File
		if data, ok := s.files[paths[i]]; ok {
			now = &atomicedit.File{Data: data}
		} else if c.After != nil && s.blocked(paths[i]) {
			return refused(paths[i], fs.ErrInvalid)
		}
		if err := c.Check(now); err != nil {
			return err
		}
	}
	for i, c := range changes { // step 4
		if delete(s.files, paths[i]); c.After != nil {
			s.files[paths[i]] = bytes.Clone(c.After.Data)
		}
	}
	return nil
}

func newTable() *table { return &table{files: map[string][]byte{}} }

// Testing your own store takes one call.
func ExampleRun() {
	_ = func(t *testing.T) { // func TestTable(t *testing.T)
		storetest.Run(t, func(t *testing.T) atomicedit.Store { return newTable() })
	}
}

func TestAStoreWrittenFromTheContractAlonePasses(t *testing.T) {
	storetest.Run(t, func(t *testing.T) atomicedit.Store { return newTable() })
}
