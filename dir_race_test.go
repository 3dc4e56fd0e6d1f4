//go:build unix

package atomicedit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree makes a directory with files, and returns what reads them back, and its disk.
func tree(t *testing.T, files map[string]string) (dir string, now func() map[string]string, d disk) {
	t.Helper()
	dir = SeedTree(t, files)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	d, release := pinned(rootDisk{root: root})
	t.Cleanup(func() { release(); root.Close() })
	return dir, func() map[string]string { return FoundTree(t, dir) }, d
}

func TestRenameNewReplacesNothing(t *testing.T) {
	_, now, d := tree(t, map[string]string{"a": "one", "sub/b": "two"})
	if err := d.RenameNew("a", "sub/b"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	if err := d.RenameNew("a", "sub/c"); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"sub/b": "two", "sub/c": "one"}, now()); diff != "" {
		t.Error(diff)
	}
}

// During a commit, at each of its operations, somebody puts something else in the place of what it works on.
func TestWhatIsPutInPlaceDuringACommitDoesNoHarm(t *testing.T) {
	old := map[string]string{"a": "one", "d/b": "one", "src/0.new": "mine", "src/1.old": "mine", "src/journal": "mine", "src/x": "mine"}
	changes := []Change{
		{Path: "a", Before: &File{Data: []byte("one")}, After: &File{Data: []byte("two")}},
		{Path: "d/b", Before: &File{Data: []byte("one")}, After: &File{Data: []byte("two")}},
		{Path: "d/n", After: &File{Data: []byte("two")}},
	}
	away := func(dir, name string) { os.Rename(filepath.Join(dir, name), filepath.Join(dir, "away")) }
	for name, swap := range map[string]func(dir string){
		"a link for the state directory": func(dir string) { away(dir, stateDir); os.Symlink("src", filepath.Join(dir, stateDir)) },
		"a link for a directory":         func(dir string) { away(dir, "d"); os.Symlink("src", filepath.Join(dir, "d")) },
		"a directory for a file":         func(dir string) { away(dir, "d/b"); os.Mkdir(filepath.Join(dir, "d/b"), 0o755) },
		"a pipe for a file":              func(dir string) { away(dir, "d/b"); syscall.Mkfifo(filepath.Join(dir, "d/b"), 0o644) },
		"a link for a file":              func(dir string) { away(dir, "a"); os.Symlink("src/x", filepath.Join(dir, "a")) },
		"another file":                   func(dir string) { os.WriteFile(filepath.Join(dir, "a"), []byte("theirs"), 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			for k, reached := 0, true; reached; k++ {
				dir, now, d := tree(t, old)
				fault := &faultDisk{disk: d, at: k, flavour: cancel, cancel: func() { swap(dir) }}
				err := newDir(fault, DirOptions{Durability: DurableNone}).Commit(context.Background(), changes)
				reached = fault.reached()
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

// A commit that died is taken back by a WriteFile beside it, so that what that writes is not taken back later.
func TestWriteFileTakesADeadCommitBack(t *testing.T) {
	old := map[string]string{"a": "one", "b": "one"}
	changes := []Change{
		{Path: "a", Before: &File{Data: []byte("one")}, After: &File{Data: []byte("two")}},
		{Path: "b", Before: &File{Data: []byte("one")}, After: &File{Data: []byte("two")}},
	}
	dead := 0
	for k, reached := 0, true; reached; k++ {
		dir, now, d := tree(t, old)
		fault := &faultDisk{disk: d, at: k, flavour: dieBefore}
		newDir(fault, DirOptions{}).Commit(context.Background(), changes)
		reached = fault.reached()
		unlockAll(d)
		if _, err := os.Stat(filepath.Join(dir, journalName)); err == nil {
			dead++
		}
		if err := WriteFile(filepath.Join(dir, "a"), []byte("two"), 0o644); err != nil {
			t.Fatal(err)
		}
		again, err := OpenDir(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		again.Close()
		got := now()
		if want := map[string]string{"a": "two", "b": got["b"]}; !maps.Equal(got, want) || got["b"] != "one" && got["b"] != "two" {
			t.Errorf("killed at %d: %q", k, got)
		}
	}
	if dead == 0 {
		t.Error("no commit died with a journal")
	}
}

// unlockAll lets go of what a commit has locked, as the end of its process does.
func unlockAll(d disk) {
	for _, f := range d.(rootDisk).pins.dirs {
		syscall.Flock(int(f.file.Fd()), syscall.LOCK_UN)
	}
}

func TestAStageGivesWayToWhatOccupiesItsName(t *testing.T) {
	dir, now, _ := tree(t, map[string]string{"f": "one", ".atomicedit-0.new/x": "a directory", ".atomicedit-7.new": "an orphan", ".atomicedit-x.new": "no stage"})
	if err := WriteFile(filepath.Join(dir, "f"), []byte("two"), 0); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"f": "two", ".atomicedit-0.new/x": "a directory", ".atomicedit-x.new": "no stage"}
	if diff := cmp.Diff(want, now()); diff != "" {
		t.Error(diff)
	}
}

// The longest names there are get no longer.
func TestNamesAsLongAsTheyMayBe(t *testing.T) {
	long := strings.Repeat("n", 255)
	dir, now, _ := tree(t, map[string]string{long: "one", "d/x": "x"})
	if err := WriteFile(filepath.Join(dir, long), []byte("two"), 0); err != nil {
		t.Fatal(err)
	}
	d, err := OpenDir(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Commit(t.Context(), []Change{
		{Path: long, Before: &File{Data: []byte("two")}, After: &File{Data: []byte("three")}}, {Path: "d/" + long, After: &File{}},
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{long: "three", "d/x": "x", "d/" + long: ""}, now()); diff != "" {
		t.Error(diff)
	}
	if err := d.Commit(t.Context(), []Change{
		{Path: "d/x", Before: &File{Data: []byte("x")}}, {Path: long + "n", After: &File{}},
	}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a name that is too long: error %v", err)
	}
}

// Two directories of which one lies in the other, and WriteFile, exclude one another.
func TestCommitsOfOverlappingDirectoriesLoseNothing(t *testing.T) {
	dir, now, _ := tree(t, map[string]string{"sub/n": "0", "other": "0"})
	var wg sync.WaitGroup
	const each = 30
	for _, root := range []string{"", "sub"} {
		wg.Go(func() {
			d, err := OpenDir(filepath.Join(dir, root), &DirOptions{Durability: DurableNone})
			if err != nil {
				t.Error(err)
				return
			}
			defer d.Close()
			name := strings.TrimPrefix("sub/n", root+"/")
			for done := 0; done < each; {
				f, err := d.Read(t.Context(), name)
				if err != nil {
					t.Error(err)
					return
				}
				var n int
				fmt.Sscan(string(f.Data), &n)
				err = d.Commit(t.Context(), []Change{{Path: name, Before: f, After: &File{Data: fmt.Append(nil, n+1)}}})
				switch {
				case err == nil:
					done++
				case !errors.Is(err, ErrStale):
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Go(func() {
		for range each {
			if err := WriteFile(filepath.Join(dir, "sub/w"), []byte("w"), 0o644); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Wait()
	if diff := cmp.Diff(map[string]string{"sub/n": fmt.Sprint(2 * each), "sub/w": "w", "other": "0"}, now()); diff != "" {
		t.Error(diff)
	}
}

// What a read is for that takes a file by pieces, os.WriteFile shows torn; WriteFile never does.
func TestReadersSeeNoTornFile(t *testing.T) {
	dir, _, _ := tree(t, nil)
	name := filepath.Join(dir, "f")
	texts := [2]string{strings.Repeat("a", 1<<18), strings.Repeat("b", 1<<17)}
	torn := func(write func(string, []byte, fs.FileMode) error, rounds, enough int) (torn int) {
		if err := WriteFile(name, []byte(texts[1]), 0o644); err != nil {
			t.Fatal(err)
		}
		stop := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				data, err := os.ReadFile(name)
				if s := string(data); err != nil || s != texts[0] && s != texts[1] {
					torn++
				}
				if enough > 0 && torn >= enough {
					return
				}
			}
		})
		for i := range rounds {
			if err := write(name, []byte(texts[i%2]), 0o644); err != nil {
				t.Error(err)
			}
		}
		close(stop)
		wg.Wait()
		return torn
	}
	if n := torn(WriteFile, 100, 0); n > 0 {
		t.Errorf("%d torn reads", n)
	}
	n := 0
	for range 50 {
		if n += torn(os.WriteFile, 100, 1); n > 0 {
			break
		}
	}
	if n == 0 {
		t.Error("the control, os.WriteFile, shows no torn read: the test is too weak")
	}
}

// The usual way to stay inside, to resolve links and compare, and then write, is led outside by a swap; this is the
// control of TestDirIsNotLedOutsideByASwap, and stops at the moment that matters instead of waiting for it.
func TestCheckingAPathBeforehandIsNotEnough(t *testing.T) {
	dir, now, d := tree(t, map[string]string{"in/p/a": "0", "out/a": "outside"})
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
	_ = d

	for k, reached := 0, true; reached; k++ {
		dir, now, _ := tree(t, map[string]string{"in/p/a": "0", "out/a": "outside"})
		in = filepath.Join(dir, "in")
		root, err := os.OpenRoot(in)
		if err != nil {
			t.Fatal(err)
		}
		d, release := pinned(rootDisk{root: root})
		fault := &faultDisk{disk: d, at: k, flavour: cancel, cancel: swap}
		newDir(fault, DirOptions{Durability: DurableNone}).Commit(context.Background(), []Change{{Path: "p/a", Before: &File{Data: []byte("0")}, After: &File{Data: []byte("1")}}})
		reached = fault.reached()
		release()
		root.Close()
		if got := now()["out/a"]; got != "outside" {
			t.Errorf("swapped at operation %d: the outside has %q", k, got)
		}
	}
}

// While a commit waits for the lock, or just before, the directories that it works in can be removed or replaced, as a commit
// that is taken back does with those it made.
func TestTheLockIsOnWhatTheNamesStandFor(t *testing.T) {
	dir, now, d := tree(t, map[string]string{"a/b/c/x": "old"})
	for _, name := range []string{"a", "a/b/c"} {
		if _, err := d.(rootDisk).folder(name); err != nil {
			t.Fatal(err)
		}
	}
	asked := 0
	dirs := func() []string { asked++; return present(d, []string{".", "a/b/c"}) }
	unlock, err := d.Lock(t.Context(), dirs, true)
	if err != nil || asked != 1 {
		t.Fatalf("asked %d times, error %v", asked, err)
	}
	unlock()
	if err := errors.Join(os.Rename(filepath.Join(dir, "a/b"), filepath.Join(dir, "away")), os.Mkdir(filepath.Join(dir, "a/b"), 0o755)); err != nil {
		t.Fatal(err)
	}
	asked = 0
	unlock, err = d.Lock(t.Context(), dirs, true)
	if err != nil || asked != 2 {
		t.Fatalf("asked %d times, error %v", asked, err)
	}
	defer unlock()
	if err := errors.Join(d.Mkdir("a/b/c", 0o755), d.Create("a/b/c/x", []byte("new"), meta{mode: 0o644})); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"a/b/c/x": "new", "away/c/x": "old"}, now()); diff != "" {
		t.Error(diff)
	}
}
