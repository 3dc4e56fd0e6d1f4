package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"

	"github.com/atomicedit/atomicedit"
)

// Buffers is a Store over the open files of an editor. A file with a buffer is the buffer, saved or not; any other is
// what the store below has. A commit changes buffers alone, and opens those that it needs: the user sees it, can undo
// it and decides when to save. As everything happens in memory under one lock, it is all or nothing.
type Buffers struct {
	disk atomicedit.Store
	mu   sync.Mutex
	open map[string]*buffer
}

// A buffer is a text that is being edited.
type buffer struct {
	file    *atomicedit.File // nil: the file is to be deleted when it is saved
	saved   *atomicedit.File // what the disk has; nil: nothing
	cursor  int              // a byte offset
	history []*atomicedit.File
}

// NewBuffers returns an editor on a store with nothing open.
func NewBuffers(disk atomicedit.Store) *Buffers {
	return &Buffers{disk: disk, open: map[string]*buffer{}}
}

// Read implements [atomicedit.Store].
func (b *Buffers) Read(ctx context.Context, name string) (*atomicedit.File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	f, real, err := b.read(ctx, name)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return &atomicedit.File{Path: real}, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return clone(f), nil
}

// read returns a file as the editor has it, nil if there is none, and its one name.
func (b *Buffers) read(ctx context.Context, name string) (*atomicedit.File, string, error) {
	if clean, err := atomicedit.CleanPath(name); err == nil && b.open[clean] != nil {
		return b.open[clean].file, clean, nil
	}
	f, err := b.disk.Read(ctx, name)
	real, bad := atomicedit.CleanPath(name)
	if f != nil && f.Path != "" {
		real, bad = f.Path, nil
	}
	switch buf := b.open[real]; {
	case bad != nil && err == nil:
		return nil, "", bad
	case buf != nil:
		return buf.file, real, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, real, b.blocked(real)
	}
	return f, real, err
}

// blocked refuses a path below or above a file that is open.
func (b *Buffers) blocked(name string) error {
	for other, buf := range b.open {
		if buf.file != nil && clash(name, other) {
			return &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
		}
	}
	return nil
}

// clash reports whether one of two paths is a directory of the other.
func clash(a, b string) bool { return strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/") }

// Commit implements [atomicedit.Store].
func (b *Buffers) Commit(ctx context.Context, changes []atomicedit.Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	names := make([]string, len(changes))
	var errs []error
	for i, c := range changes {
		now, name, err := b.read(ctx, c.Path)
		if err != nil {
			return err
		}
		for k, other := range names[:i] {
			if name == other || clash(name, other) && c.After != nil && changes[k].After != nil {
				return &fs.PathError{Op: "check", Path: c.Path, Err: fs.ErrInvalid}
			}
		}
		names[i] = name
		errs = append(errs, c.Check(now))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for i, c := range changes {
		b.buffer(ctx, names[i]).set(clone(c.After), names[i])
	}
	return nil
}

// buffer returns the buffer of a file, and opens it if necessary.
func (b *Buffers) buffer(ctx context.Context, name string) *buffer {
	buf := b.open[name]
	if buf == nil {
		f, _, _ := b.read(ctx, name)
		buf = &buffer{file: f, saved: f}
		b.open[name] = buf
	}
	return buf
}

// set replaces the content of a buffer. The cursor stays with its text.
func (buf *buffer) set(f *atomicedit.File, name string) {
	var before, after []byte
	if buf.file != nil {
		before = buf.file.Data
	}
	if f != nil {
		f.Path, after = name, f.Data
		if f.Mode == 0 && buf.file != nil {
			f.Mode = buf.file.Mode
		}
	}
	same := 0
	for same < min(len(before), len(after)) && before[same] == after[same] {
		same++
	}
	if buf.cursor > same {
		buf.cursor = max(same, len(after)-(len(before)-buf.cursor))
	}
	buf.history = append(buf.history, buf.file)
	buf.file = f
}

// Undo reverts the last change of a buffer and reports whether there was one.
func (b *Buffers) Undo(name string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	buf := b.open[name]
	if buf == nil || len(buf.history) == 0 {
		return false
	}
	last := len(buf.history) - 1
	before := buf.history[last]
	buf.set(before, name)
	buf.history = buf.history[:last]
	return true
}

// Save writes all buffers to the underlying store, all of them or none. It refuses if a file has changed there.
func (b *Buffers) Save(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var changes []atomicedit.Change
	for name, buf := range b.open {
		switch was, is := buf.saved, buf.file; {
		case was == nil && is == nil || was != nil && is != nil && bytes.Equal(was.Data, is.Data):
		default:
			changes = append(changes, atomicedit.Change{Path: name, Before: was, After: is})
		}
	}
	if err := b.disk.Commit(ctx, changes); err != nil {
		return err
	}
	for _, buf := range b.open {
		buf.saved = buf.file
	}
	return nil
}

func clone(f *atomicedit.File) *atomicedit.File {
	if f == nil {
		return nil
	}
	c := *f
	c.Data = bytes.Clone(f.Data)
	return &c
}

var _ atomicedit.Store = (*Buffers)(nil)
