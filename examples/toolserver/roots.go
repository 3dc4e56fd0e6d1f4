package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// Roots is a Store on several directories. A path begins with the name of one of them ("app/main.go"; a request's cwd may
// say it), or is absolute and inside one. With a single directory, paths may be relative to it too. A commit changes
// files of one directory only: there is no way to make two file systems change together.
type roots struct {
	dirs []root
}

type root struct {
	name  string   // the base name of the directory, with a number if another one has it too
	bases []string // its absolute path, as given and with links resolved
	tree  *os.Root // to list it
	*atomicedit.Dir
}

func openRoots(dirs []string, o *atomicedit.DirOptions) (*roots, error) {
	r := &roots{}
	taken := map[string]bool{}
	for _, dir := range dirs {
		d, err := atomicedit.OpenDir(dir, o)
		if err != nil {
			r.Close()
			return nil, err
		}
		abs, err := filepath.Abs(dir)
		if err != nil {
			d.Close()
			r.Close()
			return nil, err
		}
		tree, err := os.OpenRoot(abs)
		if err != nil {
			d.Close()
			r.Close()
			return nil, err
		}
		next := root{name: filepath.Base(abs), bases: []string{abs}, tree: tree, Dir: d}
		for n := 2; taken[next.name]; n++ {
			next.name = fmt.Sprintf("%s-%d", filepath.Base(abs), n)
		}
		taken[next.name] = true
		if real, err := filepath.EvalSymlinks(abs); err == nil && real != abs {
			next.bases = append(next.bases, real)
		}
		r.dirs = append(r.dirs, next)
	}
	return r, nil
}

// Close releases the directories.
func (r *roots) Close() error {
	var errs []error
	for _, d := range r.dirs {
		errs = append(errs, d.tree.Close(), d.Close())
	}
	return errors.Join(errs...)
}

// find returns the directory that a path means, and the path in it.
func (r *roots) find(name string) (*root, string, error) {
	no := func(err error) (*root, string, error) {
		return nil, "", &fs.PathError{Op: "open", Path: name, Err: err}
	}
	if filepath.IsAbs(name) || path.IsAbs(name) {
		var best *root
		var rest, base string
		for i := range r.dirs {
			for _, b := range r.dirs[i].bases {
				rel, err := filepath.Rel(b, filepath.FromSlash(name))
				if err == nil && filepath.IsLocal(rel) && len(b) > len(base) {
					best, rest, base = &r.dirs[i], filepath.ToSlash(rel), b
				}
			}
		}
		if best == nil {
			return no(atomicedit.ErrOutside)
		}
		if strings.HasSuffix(name, "/") {
			rest += "/"
		}
		return best, rest, nil
	}
	if len(r.dirs) == 1 {
		return &r.dirs[0], name, nil
	}
	if name == "" || strings.HasSuffix(name, "/") {
		return no(fs.ErrInvalid)
	}
	if strings.HasPrefix(name, "~/") { // the home of the user, which path.Clean would take for a name
		return no(atomicedit.ErrOutside)
	}
	first, rest, _ := strings.Cut(path.Clean(name), "/")
	var names []string
	for i := range r.dirs {
		if r.dirs[i].name == first {
			return &r.dirs[i], rest, nil
		}
		names = append(names, r.dirs[i].name)
	}
	return no(fmt.Errorf("%w: there are several, so begin the path, or the cwd, with one of %s, or make it absolute",
		atomicedit.ErrOutside, strings.Join(names, ", ")))
}

// named returns a path in a directory as the path that this store calls it by.
func (r *roots) named(d *root, name string) string {
	if len(r.dirs) == 1 {
		return name
	}
	return path.Join(d.name, name)
}

// Read implements [atomicedit.Store].
func (r *roots) Read(ctx context.Context, name string) (*atomicedit.File, error) {
	d, rest, err := r.find(name)
	if err != nil {
		return nil, err
	}
	f, err := d.Read(ctx, rest)
	if f != nil && f.Path != "" {
		c := *f
		c.Path = r.named(d, f.Path)
		f = &c
	}
	return f, r.rename(d, err)
}

// Commit implements [atomicedit.Store].
func (r *roots) Commit(ctx context.Context, changes []atomicedit.Change) error {
	if err := ctx.Err(); err != nil || len(changes) == 0 {
		return err
	}
	var in *root
	inside := make([]atomicedit.Change, len(changes))
	for i, c := range changes {
		d, rest, err := r.find(c.Path)
		if err != nil {
			return err
		}
		if in != nil && d != in {
			return &fs.PathError{Op: "check", Path: c.Path, Err: fmt.Errorf("the request changes files of several directories, %s and %s, "+
				"which cannot happen at once: send one request for each; instead of a move, create the file at its new path, and then "+
				"delete the old one: %w", in.name, d.name, errors.ErrUnsupported)}
		}
		in, inside[i] = d, c
		inside[i].Path, inside[i].Before, inside[i].After = rest, r.inside(c.Before), r.inside(c.After)
		if c.From != "" {
			if _, inside[i].From, err = r.find(c.From); err != nil {
				inside[i].From = ""
			}
		}
	}
	return r.rename(in, in.Commit(ctx, inside))
}

// inside returns a file under the name that its own directory has for it.
func (r *roots) inside(f *atomicedit.File) *atomicedit.File {
	if f == nil || f.Path == "" {
		return f
	}
	c := *f
	if _, rest, err := r.find(f.Path); err == nil {
		c.Path = rest
	}
	return &c
}

// MayChange implements [atomicedit.Guard].
func (r *roots) MayChange(ctx context.Context, name string, deed atomicedit.Deed) error {
	d, rest, err := r.find(name)
	if err != nil {
		return err
	}
	return r.rename(d, d.MayChange(ctx, rest, deed))
}

// Respells implements [atomicedit.Respeller].
func (r *roots) Respells(ctx context.Context, from, to string) bool {
	d, oldRest, err := r.find(from)
	e, newRest, err2 := r.find(to)
	return err == nil && err2 == nil && d == e && d.Respells(ctx, oldRest, newRest)
}

// rename replaces the paths in an error of a directory by those of this store.
func (r *roots) rename(d *root, err error) error {
	if err == nil || len(r.dirs) == 1 {
		return err
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var errs []error
		for _, err := range many.Unwrap() {
			errs = append(errs, r.rename(d, err))
		}
		return errors.Join(errs...)
	}
	if at, ok := err.(*fs.PathError); ok {
		return &fs.PathError{Op: at.Op, Path: r.named(d, at.Path), Err: at.Err}
	}
	return err
}

var (
	_ atomicedit.Guard     = (*roots)(nil)
	_ atomicedit.Respeller = (*roots)(nil)
)
