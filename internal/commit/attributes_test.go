package commit

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// At each operation of a commit, another program changes the mode of a file, under whatever name the file has by then.
func TestAChangeOfModeDuringACommitIsKept(t *testing.T) {
	moved := Change{Path: "b/a", From: "a", After: &File{Data: []byte("two"), Mode: 0o644}}
	was := Change{Path: "a", Before: &File{Data: []byte("one"), Mode: 0o644}}
	onto := moved
	onto.Path, onto.Before = "z", file("z")
	for name, c := range map[string]struct {
		changes []Change
		new     string
	}{
		"an edit":               {[]Change{edit("a", "one", "two")}, "a"},
		"one of two edits":      {[]Change{edit("z", "z", "y"), edit("a", "one", "two")}, "a"},
		"a move":                {[]Change{moved, was}, "b/a"},
		"a move, delete first":  {[]Change{was, moved}, "b/a"},
		"a move onto a file":    {[]Change{onto, was}, "z"},
		"a move without change": {[]Change{{Path: "b/a", From: "a", After: was.Before}, was}, "b/a"},
	} {
		t.Run(name, func(t *testing.T) {
			done := 0
			for k, reached := 0, true; reached; k++ {
				mem := disktest.NewMemory(map[string]string{"a": "one", "z": "z"})
				changed := false
				fault := disktest.NewCall(mem, k, func() {
					name := "a" // a move deletes the file before it creates it again
					if data, err := mem.ReadFile(c.new, 10); err == nil && string(data) != "z" {
						name = c.new
					}
					changed = mem.Chmod(name, 0o600) == nil
				})
				err := commitOn(fault, Options{}, c.changes)
				reached = fault.Reached()
				at := c.new
				if err != nil {
					at = "a"
				} else {
					done++
				}
				if is, look := mem.Lstat(at); changed && (look != nil || is.Mode != 0o600) || err != nil &&
					!errors.Is(err, errs.ErrStale) {
					t.Errorf("at operation %d: mode %v, %v, error %v", k, is.Mode, look, err)
				}
			}
			if done < 10 {
				t.Errorf("only %d commits went on", done)
			}
		})
	}
}

// If a mode keeps changing, the commit fails.
func TestAModeThatKeepsChangingIsStale(t *testing.T) {
	mem := disktest.NewMemory(map[string]string{"a": "one"})
	n := fs.FileMode(0)
	restless := disktest.Meddling(mem, besidePrefix+"0.new", func() { n++; mem.Chmod("a", 0o600+n) })
	if err := commitOn(restless, Options{}, []Change{edit("a", "one", "two")}); !errors.Is(err, errs.ErrStale) {
		t.Errorf("error %v", err)
	}
	if got := mem.Files()["a"]; got != "one" {
		t.Errorf("a has %q", got)
	}
}

var errHandles = errors.New("too many open files")

// If any lookup fails, a move either keeps the attributes or fails.
func TestAMoveNeverLosesWhatTheFileHas(t *testing.T) {
	for _, after := range []string{"one", "two"} {
		for _, which := range []string{"a", "b", "b/a", "."} {
			for n, reached := 0, true; reached; n++ {
				mem := disktest.NewMemory(map[string]string{"a": "one", "b/x": ""})
				mem.Chmod("a", 0o751)
				left := n
				reached = false
				blind := disktest.Blind(mem, func(name string) error {
					if name != which {
						return nil
					}
					if left--; left == -1 {
						reached = true
						return errHandles
					}
					return nil
				})
				err := commitOn(blind, Options{}, []Change{{Path: "b/a", From: "a", After: file(after)},
					remove("a", "one")})
				at := "b/a"
				if err != nil {
					at = "a"
				}
				is, look := mem.Lstat(at)
				if look != nil || is.Mode != 0o751 || err != nil && !errors.Is(err, errHandles) {
					t.Errorf("to %s, look-up %d of %s fails: %s has mode %v, %v, error %v", after, n, which, at,
						is.Mode, look, err)
				}
			}
		}
	}
}

func TestNearestDirectory(t *testing.T) {
	mem := disktest.NewMemory(map[string]string{"a/b/f": ""})
	for dir, want := range map[string]string{".": ".", "a": "a", "a/b": "a/b", "a/b/c/d": "a/b", "x/y": ".",
		"a/b/f/g": "a/b"} {
		if got, err := nearest(mem, dir); err != nil || got != want {
			t.Errorf("%s: %s, error %v", dir, got, err)
		}
	}
	for _, which := range []string{"a", "a/b"} {
		blind := disktest.Blind(mem, func(name string) error {
			if name == which {
				return errHandles
			}
			return nil
		})
		if _, err := nearest(blind, which); !errors.Is(err, errHandles) {
			t.Errorf("%s cannot be looked up: error %v", which, err)
		}
		changes := []Change{create(which+"/n", "n"), create("n", "n")}
		if err := commitOn(blind, Options{}, changes); !errors.Is(err, errHandles) || len(mem.Files()) != 1 {
			t.Errorf("%s cannot be looked up: error %v, %v", which, err, fmt.Sprint(mem.Files()))
		}
	}
}
