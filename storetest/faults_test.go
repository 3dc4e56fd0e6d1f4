package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/storetest"
)

// A fault changes the behavior of a store in one respect. It may call the correct store s.
type fault struct {
	read   func(ctx context.Context, s *table, path string) (*atomicedit.File, error)
	commit func(ctx context.Context, s *table, changes []atomicedit.Change) error
	failed string // the case that fails
	about  string // what the output names
}

func faults() map[string]fault {
	commitOnly := func(failed, about string,
		commit func(ctx context.Context, s *table, changes []atomicedit.Change) error) fault {
		return fault{commit: commit, failed: failed, about: about}
	}
	changed := func(changes []atomicedit.Change, change func(*atomicedit.Change)) []atomicedit.Change {
		changes = slices.Clone(changes)
		for i := range changes {
			change(&changes[i])
		}
		return changes
	}
	return map[string]fault{
		"ignores what was there": commitOnly("a change of what has changed is ErrStale",
			`change "a.txt" from "other" to "two"`,
			func(ctx context.Context, s *table, changes []atomicedit.Change) error {
				return s.Commit(ctx, changed(changes, func(c *atomicedit.Change) {
					if now := s.files[c.Path]; now != nil && c.Before != nil {
						c.Before = &atomicedit.File{Data: now}
					}
				}))
			}),
		"overwrites": commitOnly("a create never overwrites", `create "a.txt" with "two"`,
			func(ctx context.Context, s *table, changes []atomicedit.Change) error {
				return s.Commit(ctx, changed(changes, func(c *atomicedit.Change) {
					if now := s.files[c.Path]; now != nil && c.Before == nil && c.After != nil {
						c.Before = &atomicedit.File{Data: now}
					}
				}))
			}),
		"cleans paths in its argument": commitOnly("no argument is kept or changed", "modified its argument",
			func(ctx context.Context, s *table, changes []atomicedit.Change) error {
				for i, c := range changes {
					if clean, err := atomicedit.CleanPath(c.Path); err == nil {
						changes[i].Path = clean
					}
				}
				return s.Commit(ctx, changes)
			}),
		"sorts its argument": commitOnly("no argument is kept or changed", "modified its argument",
			func(ctx context.Context, s *table, changes []atomicedit.Change) error {
				slices.SortFunc(changes, func(a, b atomicedit.Change) int { return strings.Compare(a.Path, b.Path) })
				return s.Commit(ctx, changes)
			}),
		"overwrites the bytes of what was there": commitOnly("no argument is kept or changed", "modified its argument",
			func(ctx context.Context, s *table, changes []atomicedit.Change) error {
				err := s.Commit(ctx, changes)
				for _, c := range changes {
					if c.Before != nil && err == nil {
						clear(c.Before.Data)
					}
				}
				return err
			}),
		"compares names as they are spelled": commitOnly("a change may have the store's name for its file",
			`change "./dir//a.txt"`,
			func(ctx context.Context, s *table, changes []atomicedit.Change) error {
				for _, c := range changes {
					if c.Before != nil && c.Before.Path != "" && c.Before.Path != c.Path {
						return refused(c.Path, atomicedit.ErrStale)
					}
				}
				return s.Commit(ctx, changes)
			}),
		"wants both names": commitOnly("a change may have the store's name for its file", `change "dir/x/../a.txt"`,
			func(ctx context.Context, s *table, changes []atomicedit.Change) error {
				for _, c := range changes {
					if c.Before != nil && c.After != nil && c.Before.Path != c.After.Path {
						return refused(c.Path, fs.ErrInvalid)
					}
				}
				return s.Commit(ctx, changes)
			}),
		"does not name the file that is missing": {failed: "a file that is not there is ErrNotExist",
			about: "no fs.PathError",
			read: func(ctx context.Context, s *table, path string) (*atomicedit.File, error) {
				f, err := s.Read(ctx, path)
				if errors.Is(err, fs.ErrNotExist) {
					return f, fs.ErrNotExist
				}
				return f, err
			}},
		"does half": commitOnly("all changes or none", `Read("a.txt") has "a", want "A"`,
			func(ctx context.Context, s *table, changes []atomicedit.Change) error {
				for _, c := range changes {
					if err := s.Commit(ctx, []atomicedit.Change{c}); err != nil {
						return err
					}
				}
				return nil
			}),
		"keeps its argument": commitOnly("no argument is kept or changed", `Read("a.txt") has "xxx", want "one"`,
			func(ctx context.Context, s *table, changes []atomicedit.Change) error {
				err := s.Commit(ctx, changes)
				for _, c := range changes {
					if err == nil && c.After != nil && s.files[c.Path] != nil {
						s.files[c.Path] = c.After.Data
					}
				}
				return err
			}),
		"writes in place": commitOnly("a file that was read stays as it was", `commits of "a.txt"`,
			func(ctx context.Context, s *table, changes []atomicedit.Change) error {
				was := maps.Clone(s.files)
				err := s.Commit(ctx, changes)
				for path, data := range was {
					if now := s.files[path]; len(now) == len(data) && now != nil {
						copy(data, now)
					}
				}
				return err
			}),
		"finishes though the context has ended": commitOnly("a cancelled context changes nothing", "a.txt",
			func(_ context.Context, s *table, changes []atomicedit.Change) error {
				return s.Commit(context.Background(), changes)
			}),
		"says nothing of the file": commitOnly("a create never overwrites", "no fs.PathError",
			func(ctx context.Context, s *table, changes []atomicedit.Change) error {
				err := s.Commit(ctx, changes)
				if errors.Is(err, fs.ErrExist) {
					return fs.ErrExist
				}
				return err
			}),
		"drops the case of names": commitOnly("a move may change the case of a name alone", "README.txt",
			func(ctx context.Context, s *table, changes []atomicedit.Change) error {
				return s.Commit(ctx, changed(changes, func(c *atomicedit.Change) { c.Path = strings.ToLower(c.Path) }))
			}),
		"trusts From": commitOnly("a move is two changes in either order", "nowhere.txt",
			func(ctx context.Context, s *table, changes []atomicedit.Change) error {
				for _, c := range changes {
					if c.From != "" && s.files[c.From] == nil {
						return &fs.PathError{Op: "move", Path: c.From, Err: fs.ErrNotExist}
					}
				}
				return s.Commit(ctx, changes)
			}),
		"compares before it looks at paths": commitOnly("the first step that fails says so", `create "dir/"`,
			func(ctx context.Context, s *table, changes []atomicedit.Change) error {
				for _, c := range changes {
					if now := s.files[c.Path]; now != nil {
						if err := c.Check(&atomicedit.File{Data: now}); err != nil && ctx.Err() == nil {
							return err
						}
					}
				}
				return s.Commit(ctx, changes)
			}),
		"has no directories": {failed: "a file and a directory cannot share a path", about: `Read("x/y")`,
			read: func(ctx context.Context, s *table, path string) (*atomicedit.File, error) {
				f, err := s.Read(ctx, path)
				if clean, bad := atomicedit.CleanPath(path); bad == nil && errors.Is(err, fs.ErrInvalid) {
					return nil, refused(clean, fs.ErrNotExist)
				}
				return f, err
			}},
		"does not clean paths": {failed: "two spellings are one file", about: `Read("./dir//a.txt")`,
			read: func(ctx context.Context, s *table, path string) (*atomicedit.File, error) {
				f, err := s.Read(ctx, path)
				if err == nil && f.Path != path {
					return nil, refused(path, fs.ErrNotExist)
				}
				return f, err
			}},
		"takes an empty file for an absent one": {failed: "an empty file is not an absent one", about: `Read("a.txt")`,
			read: func(ctx context.Context, s *table, path string) (*atomicedit.File, error) {
				f, err := s.Read(ctx, path)
				if err == nil && len(f.Data) == 0 {
					return nil, refused(path, fs.ErrNotExist)
				}
				return f, err
			}},
	}
}

// A faulty store has a fault.
type faulty struct {
	*table
	fault
}

func (f faulty) Read(ctx context.Context, path string) (*atomicedit.File, error) {
	if f.read == nil {
		return f.table.Read(ctx, path)
	}
	return f.read(ctx, f.table, path)
}

func (f faulty) Commit(ctx context.Context, changes []atomicedit.Change) error {
	if f.commit == nil {
		return f.table.Commit(ctx, changes)
	}
	return f.commit(ctx, f.table, changes)
}

// TestFaultyStore fails, in a process of its own.
func TestFaultyStore(t *testing.T) {
	name := os.Getenv("STORETEST_FAULT")
	if name == "" {
		t.Skip("TestFaultsAreFoundAndNamed runs it")
	}
	storetest.Run(t, func(t *testing.T) atomicedit.Store { return faulty{newTable(), faults()[name]} })
}

// A store that breaks the contract fails the case that is about it, and the output says which files and changes that
// was about.
func TestFaultsAreFoundAndNamed(t *testing.T) {
	for name, f := range faults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := exec.CommandContext(t.Context(), os.Args[0],
				"-test.run=^TestFaultyStore$/^"+strings.ReplaceAll(f.failed, " ", "_")+"$")
			run.Env = append(os.Environ(), "STORETEST_FAULT="+name)
			out, err := run.CombinedOutput()
			failed := fmt.Sprintf("--- FAIL: TestFaultyStore/%s ", strings.ReplaceAll(f.failed, " ", "_"))
			if err == nil || !strings.Contains(string(out), failed) || !strings.Contains(string(out), f.about) {
				t.Errorf("%v; want %q and %q in:\n%s", err, failed, f.about, out)
			}
		})
	}
}
