//go:build unix && !solaris && !aix

package commit

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// At each operation of a commit, somebody replaces one of the files or directories that it works on.
func TestWhatIsPutInPlaceDuringACommitDoesNoHarm(t *testing.T) {
	t.Parallel()
	old := map[string]string{"a": "one", "d/b": "one", "src/0.new": "mine", "src/1.old": "mine", "src/journal": "mine",
		"src/x": "mine"}
	changes := []Change{edit("a", "one", "two"), edit("d/b", "one", "two"), create("d/n", "two")}
	away := func(dir, name string) { os.Rename(filepath.Join(dir, name), filepath.Join(dir, "away")) }
	for name, swap := range map[string]func(dir string){
		"a link for the state directory": func(dir string) {
			away(dir, StateDir)
			os.Symlink("src", filepath.Join(dir, StateDir))
		},
		"a link for a directory": func(dir string) {
			away(dir, "d")
			os.Symlink("src", filepath.Join(dir, "d"))
		},
		"a directory for a file": func(dir string) {
			away(dir, "d/b")
			os.Mkdir(filepath.Join(dir, "d/b"), 0o755)
		},
		"a pipe for a file": func(dir string) {
			away(dir, "d/b")
			syscall.Mkfifo(filepath.Join(dir, "d/b"), 0o644)
		},
		"a link for a file": func(dir string) {
			away(dir, "a")
			os.Symlink("src/x", filepath.Join(dir, "a"))
		},
		"another file": func(dir string) {
			os.WriteFile(filepath.Join(dir, "a"), []byte("theirs"), 0o644)
		},
	} {
		t.Run(name, func(t *testing.T) {
			step := stride(3)
			for k, reached := len(name)%step, true; reached; k += step {
				dir, now, d := tree(t, old)
				fault := disktest.NewCall(d, k, func() { swap(dir) })
				err := commitOn(fault, Options{Durability: DurableNone}, changes)
				reached = fault.Reached()
				after := now()
				for name := range old {
					if strings.HasPrefix(name, "src/") && after[name] != "mine" {
						t.Errorf("at operation %d: %s has %q, error %v", k, name, after[name], err)
					}
				}
				if err == nil && reached && name == "another file" && after["a"] != "theirs" && after["a"] != "two" {
					t.Errorf("at operation %d: a has %q", k, after["a"])
				}
			}
		})
	}
}

// Somebody saves a file by a rename, as editors do, between any two operations of a commit. Only the last moment before
// the commit's own rename is too late.
func TestAFileThatSomebodySavesDuringACommitIsNotLost(t *testing.T) {
	t.Parallel()
	var lost []int
	for k, reached := 0, true; reached; k++ {
		dir, now, d := tree(t, map[string]string{"a": "one", "b": "one"})
		fault := disktest.NewCall(d, k, func() {
			os.WriteFile(filepath.Join(dir, "saved"), []byte("theirs"), 0o644)
			os.Rename(filepath.Join(dir, "saved"), filepath.Join(dir, "a"))
		})
		err := commitOn(fault, Options{Durability: DurableNone},
			[]Change{edit("a", "one", "two"), edit("b", "one", "two")})
		reached = fault.Reached()
		if reached && err == nil && now()["a"] == "two" {
			lost = append(lost, k)
		}
	}
	if len(lost) > 1 {
		t.Errorf("lost at operations %d", lost)
	}
}

// A WriteFile in the same directory rolls back a dead commit, so that no later recovery rolls back the file that it
// writes.
func TestWriteFileTakesADeadCommitBack(t *testing.T) {
	t.Parallel()
	old := map[string]string{"a": "one", "b": "one"}
	changes := []Change{edit("a", "one", "two"), edit("b", "one", "two")}
	dead := 0
	for k, reached := 0, true; reached; k++ {
		dir, now, d := tree(t, old)
		fault := disktest.NewFault(d, k, disktest.DieBefore)
		commitOn(fault, Options{}, changes)
		reached = fault.Reached()
		if _, err := os.Stat(filepath.Join(dir, JournalName)); err == nil {
			dead++
		}
		if err := WriteFile(t.Context(), 0, filepath.Join(dir, "a"), []byte("two"), 0o644, DurableFull); err != nil {
			t.Fatal(err)
		}
		if _, _, err := open(t, dir); err != nil {
			t.Fatal(err)
		}
		got := now()
		if want := map[string]string{"a": "two", "b": got["b"]}; !maps.Equal(got, want) || got["b"] != "one" &&
			got["b"] != "two" {
			t.Errorf("killed at %d: %q", k, got)
		}
	}
	if dead == 0 {
		t.Error("no commit died with a journal")
	}
}

// The usual way to stay inside is to resolve links, compare, and then write. A swap leads it outside. This is the
// control of TestDirIsNotLedOutsideByASwap. It stops at the critical moment instead of waiting for it.
func TestCheckingAPathBeforehandIsNotEnough(t *testing.T) {
	dir, now, _ := tree(t, map[string]string{"in/p/a": "0", "out/a": "outside"})
	in := filepath.Join(dir, "in")
	swap := func() {
		os.Rename(filepath.Join(in, "p"), filepath.Join(in, "q"))
		os.Symlink("../out", filepath.Join(in, "p"))
	}
	real, err := filepath.EvalSymlinks(filepath.Join(in, "p/a"))
	base, _ := filepath.EvalSymlinks(in)
	if err != nil || !strings.HasPrefix(real, base) {
		t.Fatal(real, err)
	}
	swap()
	if err := os.WriteFile(real, []byte("escaped"), 0o644); err != nil || now()["out/a"] != "escaped" {
		t.Errorf("the control did not escape: %v", err)
	}

	for k, reached := 0, true; reached; k++ {
		dir, now, _ := tree(t, map[string]string{"in/p/a": "0", "out/a": "outside"})
		in = filepath.Join(dir, "in")
		fault := disktest.NewCall(pinned(t, in), k, swap)
		commitOn(fault, Options{Durability: DurableNone}, []Change{edit("p/a", "0", "1")})
		reached = fault.Reached()
		if got := now()["out/a"]; got != "outside" {
			t.Errorf("swapped at operation %d: the outside has %q", k, got)
		}
	}
}
