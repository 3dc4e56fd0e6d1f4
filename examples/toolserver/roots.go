package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// Roots is a Store on several directories, an [atomicedit.Dir] in which each has a short name. A path begins with the
// name of one of them ("app/main.go"; a request's cwd may say it), or is absolute and inside one. With a single
// directory, paths may be relative to it too.
type roots struct {
	store *atomicedit.Dir
	dirs  []root
}

type root struct {
	name   string   // the base name of the directory, with a number if another one has it too; "" if there is only one
	prefix string   // what the store has in the place of the name: paths in its first directory are relative
	bases  []string // its absolute path, as given and with links resolved
	tree   *os.Root // to list it
}

func openRoots(dirs []string, o *atomicedit.DirOptions) (*roots, error) {
	store, err := atomicedit.OpenDir(dirs[0], o)
	if err != nil {
		return nil, err
	}
	r := &roots{store: store}
	taken := map[string]bool{}
	for i, dir := range dirs {
		abs, err := filepath.Abs(dir)
		next := root{bases: []string{abs}}
		if err == nil && i > 0 {
			err = store.Add(dir)
		}
		if err == nil {
			next.tree, err = os.OpenRoot(dir)
		}
		if err != nil {
			r.Close()
			return nil, err
		}
		if len(dirs) > 1 {
			next.name, next.prefix = filepath.Base(abs), "./"
		}
		if i > 0 {
			next.prefix = strings.TrimSuffix(filepath.ToSlash(abs), "/") + "/"
		}
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
	errs := []error{r.store.Close()}
	for _, d := range r.dirs {
		errs = append(errs, d.tree.Close())
	}
	return errors.Join(errs...)
}

// find returns the directory that a path means, and the path in it.
func (r *roots) find(name string) (*root, string, error) {
	hint := ""
	if isAbs(name) {
		if d, rest := r.within(name); d != nil {
			return d, rest, nil
		}
	} else if len(r.dirs) == 1 {
		return &r.dirs[0], name, nil
	} else {
		first, rest, _ := strings.Cut(strings.TrimPrefix(name, "./"), "/")
		var names []string
		for i := range r.dirs {
			if r.dirs[i].name == first {
				return &r.dirs[i], rest, nil
			}
			names = append(names, r.dirs[i].name)
		}
		hint = ": there are several, so begin the path, or the cwd, with one of " + strings.Join(names, ", ") +
			", or make it absolute"
	}
	return nil, "", &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("%w%s", atomicedit.ErrOutside, hint)}
}

func isAbs(name string) bool { return filepath.IsAbs(name) || path.IsAbs(name) }

// within returns the innermost directory that an absolute path is in, and the path in it.
func (r *roots) within(name string) (in *root, rest string) {
	var base string
	for i := range r.dirs {
		for _, b := range r.dirs[i].bases {
			rel, err := filepath.Rel(b, filepath.FromSlash(name))
			if err == nil && filepath.IsLocal(rel) && len(b) > len(base) {
				in, rest, base = &r.dirs[i], filepath.ToSlash(rel), b
			}
		}
	}
	return in, rest
}

// inside returns a path as the store has it.
func (r *roots) inside(name string) (string, error) {
	if name == "" || isAbs(name) || strings.HasPrefix(name, "~/") {
		return name, nil
	}
	d, rest, err := r.find(name)
	if err != nil {
		return "", err
	}
	return d.prefix + rest, nil
}

// named returns the name of a file here, from the one that the store has for it.
func (r *roots) named(name string) string {
	if !isAbs(name) {
		return path.Join(r.dirs[0].name, name)
	}
	if d, rest := r.within(name); d != nil {
		return path.Join(d.name, rest)
	}
	return name
}

// known returns the one name that the store has for a file, from its name here.
func (r *roots) known(name string) string {
	in, err := r.inside(name)
	if err != nil {
		return name
	}
	return strings.TrimPrefix(in, "./")
}

// Read implements [atomicedit.Store].
func (r *roots) Read(ctx context.Context, name string) (*atomicedit.File, error) {
	in, err := r.inside(name)
	if err != nil {
		return nil, err
	}
	f, err := r.store.Read(ctx, in)
	return under(f, r.named), r.rename(err, func(string) string { return name })
}

// List names what is in a directory, so that the refusal of a path without a file can name the file that is meant.
func (r *roots) List(ctx context.Context, dir string) ([]string, error) {
	if path.Clean(dir) == "." && len(r.dirs) > 1 {
		var names []string
		for _, d := range r.dirs {
			names = append(names, d.name+"/")
		}
		return names, nil
	}
	in, err := r.inside(dir)
	if err != nil {
		return nil, err
	}
	return r.store.List(ctx, in)
}

// Commit implements [atomicedit.Store].
func (r *roots) Commit(ctx context.Context, changes []atomicedit.Change) error {
	inside, err := r.changes(changes)
	if err != nil {
		return err
	}
	return r.rename(r.store.Commit(ctx, inside), r.named)
}

// changes returns changes under the names of the store.
func (r *roots) changes(changes []atomicedit.Change) ([]atomicedit.Change, error) {
	changes = slices.Clone(changes)
	for i := range changes {
		c := &changes[i]
		in, err := r.inside(c.Path)
		if err != nil {
			return nil, err
		}
		c.Path, c.Before, c.After = in, under(c.Before, r.known), under(c.After, r.known)
		c.From, _ = r.inside(c.From) // a hint
	}
	return changes, nil
}

// under returns a file under another name.
func under(f *atomicedit.File, as func(path string) string) *atomicedit.File {
	if f == nil || f.Path == "" {
		return f
	}
	c := *f
	c.Path = as(f.Path)
	return &c
}

// Check implements [atomicedit.Checker].
func (r *roots) Check(ctx context.Context, changes []atomicedit.Change) error {
	inside, err := r.changes(changes)
	if err != nil {
		return err
	}
	return r.rename(r.store.Check(ctx, inside), r.named)
}

// Respells asks the store whether two names are of one file.
func (r *roots) Respells(ctx context.Context, from, to string) bool {
	old, err := r.inside(from)
	now, err2 := r.inside(to)
	return err == nil && err2 == nil && r.store.Respells(ctx, old, now)
}

// Recover implements [atomicedit.Recoverer].
func (r *roots) Recover(ctx context.Context) error { return r.store.Recover(ctx) }

// rename replaces the paths in an error of the store.
func (r *roots) rename(err error, as func(path string) string) error {
	if len(r.dirs) == 1 {
		return err
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var errs []error
		for _, err := range many.Unwrap() {
			errs = append(errs, r.rename(err, as))
		}
		return errors.Join(errs...)
	}
	var at *fs.PathError
	if !errors.As(err, &at) {
		return err
	}
	cause := at.Err
	if err.Error() != at.Error() {
		cause = err // it says more
	}
	return &fs.PathError{Op: at.Op, Path: as(at.Path), Err: cause}
}

var (
	_ atomicedit.Checker   = (*roots)(nil)
	_ atomicedit.Recoverer = (*roots)(nil)
)
