package commit

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

func TestMain(m *testing.M) { os.Exit(disktest.Run(m)) }

// on returns a tree on a disk.
func on(d disk.Disk, o Options) *Tree {
	name := ""
	if o.StateDir != "" { // only a directory with a name has a number there
		name = "/tree"
	}
	t, _ := On(disktest.Same{Disk: d}, o, name, disk.Open)
	return t
}

func commitOn(d disk.Disk, o Options, changes []Change) error {
	return on(d, o).alone().Commit(context.Background(), changes)
}

func recoverOn(d disk.Disk, o Options) error {
	return on(d, o).Recover()
}

// heard calls do with a tree, and returns what it says.
func heard(tree *Tree, do func(*Tree) error) (said []string, err error) {
	tree.opts.Say = func(sentence string) { said = append(said, sentence) }
	err = do(tree)
	return said, err
}

func file(text string) *File { return &File{Data: []byte(text)} }

func edit(path, before, after string) Change {
	return Change{Path: path, Before: file(before), After: file(after)}
}

func create(path, text string) Change { return Change{Path: path, After: file(text)} }

func remove(path, before string) Change { return Change{Path: path, Before: file(before)} }

// inverse returns the changes that undo changes.
func inverse(changes []Change) []Change {
	to := map[string]string{}
	for _, c := range changes {
		if c.From != "" {
			to[c.From] = c.Path
		}
	}
	var inv []Change
	for _, c := range slices.Backward(changes) {
		inv = append(inv, Change{Path: c.Path, Before: c.After, After: c.Before, From: to[c.Path]})
	}
	return inv
}

// alone returns a forest of one tree.
func (t *Tree) alone() Forest { return Forest{[]*Tree{t}} }

func (f Forest) read(name string) (*File, error) {
	l := f.Look()
	defer l.End()
	return l.Read(name)
}

func (f Forest) mayChange(changes []Change) error {
	l := f.Look()
	defer l.End()
	return l.MayChange(changes)
}

// A part is what a commit over several trees does in one of them.
type part struct {
	tree    *Tree
	changes []Change // with resolved names
}

// jointly makes all changes of all parts, or none.
func jointly(ctx context.Context, parts []part) error {
	var jobs joint
	for _, p := range parts {
		if len(p.changes) == 0 {
			continue
		}
		d, release := p.tree.pin()
		defer release()
		changes := slices.Clone(p.changes)
		pairMoves(changes, make([]place, len(changes)))
		jobs = append(jobs, job{Tree: p.tree, disk: d, changes: changes, perm: 0o666})
	}
	if len(jobs) == 0 {
		return nil
	}
	return jobs.run(ctx)
}

// lockDir takes the lock of a directory, as another commit does.
func lockDir(t testing.TB, d disk.Disk, dir string) (unlock func()) {
	t.Helper()
	l, err := d.LockOf(dir)
	if err == nil {
		err = l.Take(t.Context(), true)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l.Release
}
