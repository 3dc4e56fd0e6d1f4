package commit

import (
	"context"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// A commit of one file stages it at the top, and makes nothing else. It costs few operations.
func TestALoneCommitMakesOneFile(t *testing.T) {
	const staged = besidePrefix + "0.new"
	for _, c := range []struct {
		change Change
		most   int
		done   []string
	}{
		{edit("a", "one", "two"), 15, []string{"create", "syncfile", "syncdir"}},
		{edit("b/c/a", "one", "two"), 22, []string{"create", "syncfile", "syncdir"}},
		{create("new", "two"), 11, []string{"create", "syncfile", "remove", "syncdir", "remove"}},
		{create("b/c/new", "two"), 17, []string{"create", "syncfile", "remove", "syncdir", "remove"}},
	} {
		var done []string
		mem := disktest.NewMemory(map[string]string{"a": "one", "b/c/a": "one"})
		counted := disktest.NewWhole(disktest.Skipping(mem, func(op, name string) bool {
			done = append(done, op)
			if want := path.Dir(c.change.Path); name != staged && (op != "syncdir" || name != want) {
				t.Errorf("%s %s", op, name)
			}
			return false
		}))
		if err := commitOn(counted, Options{}, []Change{c.change}); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(c.done, done); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.change.Path, diff)
		}
		if n := counted.Count(); n > c.most {
			t.Errorf("%s takes %d operations, more than %d", c.change.Path, n, c.most)
		}
		if err := clean(mem); err != nil {
			t.Error(err)
		}
	}
}

// Where the directories above a file are closed to somebody to whom the top is open, the new file is not staged there.
func TestALoneCommitShowsNobodyTheFile(t *testing.T) {
	for _, c := range []struct {
		top, above, in fs.FileMode
		atTop          bool
	}{
		{0o755, 0o755, 0o755, true},
		{0o755, 0o711, 0o755, true},
		{0o755, 0o755, 0o700, false},
		{0o755, 0o750, 0o755, false},
		{0o750, 0o750, 0o750, false}, // perhaps of other groups
		{0o700, 0o700, 0o755, true},
	} {
		var staged string
		mem := disktest.NewMemory(map[string]string{"b/c/a": "one"})
		for dir, mode := range map[string]fs.FileMode{".": c.top, "b": c.above, "b/c": c.in} {
			mem.Chmod(dir, fs.ModeDir|mode)
		}
		seen := disktest.Skipping(mem, func(op, name string) bool {
			if op == "create" && strings.HasSuffix(name, ".new") {
				staged = name
			}
			return false
		})
		if err := commitOn(seen, Options{}, []Change{edit("b/c/a", "one", "two")}); err != nil {
			t.Error(err)
		}
		if atTop := !strings.HasPrefix(staged, StateDir+"/"); atTop != c.atTop {
			t.Errorf("modes %v, %v and %v: staged as %s", c.top, c.above, c.in, staged)
		}
	}
}

// What a killed commit of one file has left is removed by whatever comes next, and the file is old or new.
func TestWhatALoneCommitLeavesIsRemovedNext(t *testing.T) {
	for what, next := range map[string]func(*Tree) error{
		"open":      func(t *Tree) error { return t.Recover() },
		"take back": func(t *Tree) error { return t.TakeBack(context.Background()) },
		"discard":   func(t *Tree) error { return t.Discard(context.Background()) },
		"a commit of another file": func(t *Tree) error {
			err := t.alone().Commit(context.Background(), []Change{edit("x", "1", "2")})
			return err
		},
		"a commit of several": func(t *Tree) error {
			err := t.alone().Commit(context.Background(), []Change{edit("d/x", "1", "2"), remove("d/y", "1")})
			return err
		},
	} {
		left := 0
		for n := range 6 {
			flavour := disktest.DieBefore + disktest.Flavour(n%3)
			c := []Change{edit("b/a", "one", "two"), create("b/new", "two")}[n/3]
			for k, reached := 0, true; reached; k++ {
				mem := disktest.NewMemory(map[string]string{"b/a": "one", "x": "1", "d/x": "1", "d/y": "1"})
				fault := disktest.NewFault(mem, k, flavour)
				commitOn(fault, Options{}, []Change{c})
				reached = fault.Reached()
				if clean(mem) != nil {
					left++
				}
				if err := next(on(mem, Options{})); err != nil {
					t.Errorf("%s: %v", what, err)
				}
				if err := clean(mem); err != nil {
					t.Errorf("%v operation %d, then %s: %v", flavour, k, what, err)
				}
				was := map[bool]string{true: "one"}[c.Before != nil]
				if now := mem.Files()[c.Path]; now != was && now != "two" {
					t.Errorf("%v operation %d: %q", flavour, k, now)
				}
			}
		}
		if left == 0 {
			t.Error("nothing was ever left")
		}
	}
}

// A planted disk says whose the staged files are.
type planted struct {
	*disktest.Memory
	ours, keepable bool
}

func (d planted) Lstat(name string) (disk.Stat, error) {
	is, err := d.Memory.Lstat(name)
	if strings.HasSuffix(name, ".new") {
		is.Ours, is.Keepable = d.ours, d.keepable
	}
	return is, err
}

// A killed process of root may have given what it staged to the owner of the file. What only somebody else can have
// made stays, and is in nobody's way.
func TestWhatOthersMadeIsNotRemoved(t *testing.T) {
	for _, d := range []planted{{ours: true}, {keepable: true}, {}} {
		d.Memory = disktest.NewMemory(map[string]string{"a": "one", besidePrefix + "0.new": "half"})
		if err := recoverOn(d, Options{}); err != nil {
			t.Error(err)
		}
		if left := clean(d.Memory) != nil; left == (d.ours || d.keepable) {
			t.Errorf("ours %v, keepable %v: left %v", d.ours, d.keepable, left)
		}
		if err := commitOn(d, Options{}, []Change{edit("a", "one", "two")}); err != nil || d.Files()["a"] != "two" {
			t.Errorf("%v, error %v", d.Files(), err)
		}
	}
}
