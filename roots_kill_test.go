package atomicedit_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// jointChanges changes files of two roots in all ways, with a move in each direction.
func jointChanges(two string) []atomicedit.Change {
	file := func(text string) *atomicedit.File { return &atomicedit.File{Data: []byte(text), Mode: 0o644} }
	return []atomicedit.Change{
		{Path: "a", Before: file("A"), After: file("1")},
		{Path: two + "/b", Before: file("B"), After: file("2")},
		{Path: two + "/new/c", From: "c", After: file("C")},
		{Path: "c", Before: file("C")},
		{Path: "d", From: two + "/d", Before: file("there"), After: file("D2")},
		{Path: two + "/d", Before: file("D")},
	}
}

var (
	jointBefore = map[string]string{"one/a": "A", "two/b": "B", "one/c": "C", "one/d": "there", "two/d": "D"}
	jointAfter  = map[string]string{"one/a": "1", "two/b": "2", "two/new/c": "C", "one/d": "D2"}
)

// Whatever operation of a commit over two roots fails, and however, all is done or nothing. A commit that could not be
// rolled back is finished by the next one, or when the roots are opened again.
func TestACommitOfRootsIsAllOrNothing(t *testing.T) {
	faults, unfinished := 0, 0
	for _, flavour := range disktest.Flavours {
		for k, reached := 0, true; reached; k++ {
			mem := disktest.NewMemory(jointBefore)
			fault := disktest.NewWhole(mem)
			r := rootsOn(fault, "/one", "/two")
			fault.Set(k, flavour)
			err := r.Commit(t.Context(), jointChanges("/two"))
			reached = fault.Reached()
			faults++
			what := fmt.Sprintf("operation %d %s: error %v", k, flavour, err)
			if strings.Contains(fmt.Sprint(err), "two/one") || strings.Contains(fmt.Sprint(err), "/two//two") {
				t.Error(what)
			}
			wholly := maps.Equal(mem.Files(), jointBefore) || maps.Equal(mem.Files(), jointAfter)
			switch {
			case err == nil && !maps.Equal(mem.Files(), jointAfter), err != nil && !reached:
				t.Errorf("%s, but not done", what)
			case err != nil && !flavour.Dies() && !errors.Is(err, atomicedit.ErrUnfinished) &&
				!errors.Is(err, atomicedit.ErrNotDurable) && !maps.Equal(mem.Files(), jointBefore):
				t.Errorf("%s, but done: %q", what, mem.Files())
			case !wholly:
				unfinished++
				if _, err := rootsOn(mem, "/one", "/two").Read(t.Context(), "a"); mem.Files()["one/a"] != "A" &&
					!errors.Is(err, atomicedit.ErrUnfinished) {
					t.Errorf("%s: a file that is half done is read: %v", what, err)
				}
			}
			fault.Mend()
			again := r
			if flavour.Dies() {
				again = rootsOn(mem, "/one", "/two")
			}
			if k%2 == 0 {
				if err := again.Recover(t.Context()); err != nil {
					t.Errorf("%s: Recover: %v", what, err)
				}
			}
			other := atomicedit.Change{Path: []string{"other", "/two/other"}[k/2%2], After: &atomicedit.File{}}
			if err := errors.Join(again.Commit(t.Context(), []atomicedit.Change{other}),
				again.Commit(t.Context(), atomicedit.Invert([]atomicedit.Change{other}))); err != nil {
				t.Errorf("%s: then %v", what, err)
			}
			if now := mem.Files(); !maps.Equal(now, jointBefore) && !maps.Equal(now, jointAfter) {
				t.Errorf("%s: %s", what, cmp.Diff(jointBefore, now))
			}
			again.Recover(t.Context()) // drops a record that the other root has needed
			for _, root := range []string{"one", "two"} {
				if names, err := mem.ReadDir(root + "/.atomicedit"); err == nil {
					t.Errorf("%s: left in %s: %q", what, root, names)
				}
			}
		}
	}
	if unfinished == 0 {
		t.Error("nothing was ever half done")
	}
	disktest.Tally("faults in commits of several roots", faults)
}

// What was rolled back is told with the name of the root.
func TestRootsTellWhatTheyRecovered(t *testing.T) {
	for k := 0; ; k++ {
		mem := disktest.NewMemory(jointBefore)
		dying := disktest.NewWhole(mem)
		dead := rootsOn(dying, "/one", "/two")
		dying.Break(k)
		dead.Commit(t.Context(), jointChanges("/two"))
		if !dying.Reached() {
			t.Fatal("no commit died half way")
		}
		if mem.Files()["one/a"] == "A" {
			continue
		}
		r := rootsOn(mem, "/one", "/two")
		if err := r.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []string{"an interrupted commit was rolled back: a, c, d",
			"in /two: an interrupted commit was rolled back: b, d, new/c"}
		if diff := cmp.Diff(want, r.Recovered()); diff != "" {
			t.Error(diff)
		}
		return
	}
}

// A Host whose Roots meets a dead commit takes it back in all roots, and goes on.
func TestAHostOnRootsGoesOnAfterADeadCommit(t *testing.T) {
	for k := 0; ; k++ {
		mem := disktest.NewMemory(jointBefore)
		dying := disktest.NewWhole(mem)
		dead := rootsOn(dying, "/one", "/two")
		dying.Break(k)
		dead.Commit(t.Context(), jointChanges("/two"))
		if mem.Files()["one/a"] == "A" {
			continue
		}
		host := &atomicedit.Host{Store: atomicedit.NewSession(rootsOn(mem, "/one", "/two"))}
		if answer, err := host.View(t.Context(), "/two/b", 0, 0); err != nil || !strings.Contains(answer.Text, "B") {
			t.Errorf("%+v, error %v", answer, err)
		}
		if answer, err := host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{edits("/two/b", "B",
			"3")}}); err != nil {
			t.Errorf("%+v, error %v", answer, err)
		}
		want := maps.Clone(jointBefore)
		want["two/b"] = "3"
		if diff := cmp.Diff(want, mem.Files()); diff != "" {
			t.Error(diff)
		}
		return
	}
}

// rootsKilledAt commits to two roots, and is killed before the k-th operation in one of them, if there are so many.
func rootsKilledAt(in string, k int, names ...string) error {
	open := func(name string) (disk.Disk, func(), error) {
		root, _, err := disk.OpenRoot(name)
		if err != nil {
			return nil, nil, err
		}
		pinned, release := root.Pin()
		if name == in {
			pinned = disktest.NewCall(pinned, k, func() {
				self, _ := os.FindProcess(os.Getpid())
				self.Kill()
				select {}
			})
		}
		return pinned, release, nil
	}
	return atomicedit.NewRootsOn(atomicedit.DirOptions{}, open, names...).Commit(context.Background(),
		jointChanges(names[1]))
}

// A process is killed at each operation of a commit over two roots. Each root recovers by itself.
func TestACommitOfRootsThatIsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs many processes")
	}
	for _, in := range []string{"one", "two"} {
		for k, killed := 0, true; killed; k += 1 + k/8 {
			base := seed(t, jointBefore)
			one, two := filepath.Join(base, "one"), filepath.Join(base, "two")
			out, err := again(t, "roots killed at", filepath.Join(base, in), fmt.Sprint(k), one, two).CombinedOutput()
			if killed = wasKilled(err); !killed && err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if k%2 == 0 {
				openRoots(t, one, two)
			} else {
				openDir(t, two)
				openDir(t, one)
				openDir(t, two) // a record goes when the last root has needed it
			}
			openDir(t, one)
			if now := found(t, base); !maps.Equal(now, jointBefore) && !maps.Equal(now, jointAfter) {
				t.Errorf("killed at %d in %s: %s", k, in, cmp.Diff(jointBefore, now))
			}
			disktest.Tally("processes killed", 1)
		}
	}
}
