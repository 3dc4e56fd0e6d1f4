package commit

import (
	"context"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// A commit of one file stages it at the top, and makes nothing else. It costs few operations.
func TestALoneCommitMakesOneFile(t *testing.T) {
	const staged = besidePrefix + "0.new"
	for _, c := range []struct {
		path string
		most int
		made []string
	}{
		{"a", 15, []string{"create " + staged, "syncfile " + staged, "syncdir ."}},
		{"b/c/a", 23, []string{"create " + staged, "syncfile " + staged, "syncdir b/c"}},
	} {
		var made []string
		mem := disktest.NewMemory(map[string]string{c.path: "one"})
		counted := disktest.NewWhole(disktest.Skipping{Disk: mem, Skip: func(op, name string) bool {
			made = append(made, op+" "+name)
			return false
		}})
		if err := commitOn(counted, Options{}, []Change{edit(c.path, "one", "two")}); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(c.made, made); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.path, diff)
		}
		if n := counted.Count(); n > c.most {
			t.Errorf("%s takes %d operations, more than %d", c.path, n, c.most)
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
		seen := disktest.Skipping{Disk: mem, Skip: func(op, name string) bool {
			if op == "create" && strings.HasSuffix(name, ".new") {
				staged = name
			}
			return false
		}}
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
		"open":      func(t *Tree) error { _, err := t.Recover(); return err },
		"take back": func(t *Tree) error { _, err := t.TakeBack(context.Background()); return err },
		"discard":   func(t *Tree) error { return t.Discard(context.Background()) },
		"a commit of another file": func(t *Tree) error {
			_, err := t.alone().Commit(context.Background(), []Change{edit("x", "1", "2")})
			return err
		},
		"a commit of several": func(t *Tree) error {
			_, err := t.alone().Commit(context.Background(), []Change{edit("d/x", "1", "2"), remove("d/y", "1")})
			return err
		},
	} {
		left := 0
		for _, flavour := range []disktest.Flavour{disktest.DieBefore, disktest.DieHalf, disktest.DieAfter} {
			for k, reached := 0, true; reached; k++ {
				mem := disktest.NewMemory(map[string]string{"b/a": "one", "x": "1", "d/x": "1", "d/y": "1"})
				fault := disktest.NewFault(mem, k, flavour)
				commitOn(fault, Options{}, []Change{edit("b/a", "one", "two")})
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
				if now := mem.Files()["b/a"]; now != "one" && now != "two" {
					t.Errorf("%v operation %d: %q", flavour, k, now)
				}
			}
		}
		if left == 0 {
			t.Error("nothing was ever left")
		}
	}
}
