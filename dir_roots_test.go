package atomicedit_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/sweeps"
	"github.com/atomicedit/atomicedit/storetest"
	"github.com/google/go-cmp/cmp"
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
			case err == nil && !maps.Equal(mem.Files(), jointAfter):
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

func openRoots(t testing.TB, dirs ...string) *atomicedit.Dir {
	t.Helper()
	accepttest.SkipWithoutDirs(t)
	return openRootsWith(t, &atomicedit.DirOptions{Durability: atomicedit.DurableNone}, dirs...)
}

func openRootsWith(t testing.TB, o *atomicedit.DirOptions, dirs ...string) *atomicedit.Dir {
	t.Helper()
	d, err := atomicedit.OpenDir(dirs[0], o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	for _, dir := range dirs[1:] {
		if err := d.Add(dir); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// A spread store keeps every other file in another root, under names that do not tell.
type spread struct {
	*atomicedit.Dir
	other string
}

func (s spread) outer(name string) string {
	clean, err := atomicedit.CleanPath(name)
	if first := strings.ToLower(clean); err != nil || first[0]%2 == 0 {
		return name
	}
	return s.other + "/" + name
}

func (s spread) inner(f *atomicedit.File) *atomicedit.File {
	if f == nil {
		return nil
	}
	c := *f
	c.Path = strings.TrimPrefix(f.Path, s.other+"/")
	return &c
}

func (s spread) Read(ctx context.Context, name string) (*atomicedit.File, error) {
	f, err := s.Dir.Read(ctx, s.outer(name))
	return s.inner(f), err
}

func (s spread) Commit(ctx context.Context, changes []atomicedit.Change) error {
	changes = slices.Clone(changes)
	for i, c := range changes {
		for _, f := range []**atomicedit.File{&c.Before, &c.After} {
			if *f != nil && (*f).Path != "" {
				named := **f
				named.Path = s.outer(named.Path)
				*f = &named
			}
		}
		c.Path = s.outer(c.Path)
		if c.From != "" {
			c.From = s.outer(c.From)
		}
		changes[i] = c
	}
	return s.Dir.Commit(ctx, changes)
}

func (s spread) MayChange(ctx context.Context, name string, deed atomicedit.Deed) error {
	return s.Dir.MayChange(ctx, s.outer(name), deed)
}

func (s spread) Respells(ctx context.Context, from, to string) bool {
	return s.Dir.Respells(ctx, s.outer(from), s.outer(to))
}

// rootsOn returns a Roots on directories of one disk.
func rootsOn(d disk.Disk, names ...string) *atomicedit.Dir {
	return rootsWith(atomicedit.DirOptions{}, d, names...)
}

func rootsWith(o atomicedit.DirOptions, d disk.Disk, names ...string) *atomicedit.Dir {
	queues := map[string]disk.Disk{}
	return atomicedit.NewRootsOn(o, func(name string) (disk.Disk, func(), error) {
		if queues[name] == nil {
			queues[name] = disktest.NewQueued(disktest.Below{Disk: d, Dir: strings.TrimPrefix(name, "/")})
		}
		return queues[name], func() {}, nil
	}, names...)
}

// A breakableRoots has its roots on one disk in memory that a test can break.
type breakableRoots struct {
	spread
	*disktest.Fault
}

func newBreakableRoots() breakableRoots {
	mem := disktest.NewMemory(map[string]string{"one/x": "", "two/x": ""})
	mem.Remove("one/x")
	mem.Remove("two/x")
	fault := disktest.NewWhole(mem)
	return breakableRoots{spread{rootsOn(fault, "/one", "/two"), "/two"}, fault}
}

func openDir(t testing.TB, dir string) *atomicedit.Dir {
	t.Helper()
	accepttest.SkipWithoutDirs(t)
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func openWith(t *testing.T, dir string, o atomicedit.DirOptions) *atomicedit.Dir {
	t.Helper()
	accepttest.SkipWithoutDirs(t)
	d, err := atomicedit.OpenDir(dir, &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func TestStoresKeepTheContract(t *testing.T) {
	t.Run("Mem", func(t *testing.T) {
		storetest.Run(t, func(*testing.T) atomicedit.Store { return atomicedit.NewMem(nil) })
	})
	t.Run("Dir", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) atomicedit.Store { return openDir(t, t.TempDir()) })
	})
	t.Run("Dir on a disk that breaks", func(t *testing.T) {
		storetest.Run(t, func(*testing.T) atomicedit.Store { return newBreakableDir() })
	})
	t.Run("Session of a Dir that breaks", func(t *testing.T) {
		storetest.Run(t, func(*testing.T) atomicedit.Store {
			dir := newBreakableDir()
			return breakableSession{atomicedit.NewSession(dir), dir}
		})
	})
	t.Run("Dir with two roots", func(t *testing.T) {
		if sweeps.Or(true, false) {
			t.Skip("the next one does the same in both roots: go test -tags sweep")
		}
		storetest.Run(t, func(t *testing.T) atomicedit.Store { return openRoots(t, t.TempDir(), t.TempDir()) })
	})
	t.Run("Dir with files in both roots", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) atomicedit.Store {
			other := t.TempDir()
			return spread{openRoots(t, t.TempDir(), other), filepath.ToSlash(other)}
		})
	})
	t.Run("Dir with two roots on a disk that breaks", func(t *testing.T) {
		storetest.Run(t, func(*testing.T) atomicedit.Store { return newBreakableRoots() })
	})
	t.Run("Session", func(t *testing.T) {
		storetest.Run(t, func(*testing.T) atomicedit.Store { return atomicedit.NewSession(atomicedit.NewMem(nil)) })
	})
	t.Run("Session of Dir", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) atomicedit.Store { return atomicedit.NewSession(openDir(t, t.TempDir())) })
	})
}

// A breakableSession reads and commits as the Session does.
type breakableSession struct {
	*atomicedit.Session
	breakableDir
}

// A breakableDir is a Dir on a disk in memory that a test can break.
type breakableDir struct {
	*atomicedit.Dir
	*disktest.Fault
}

func newBreakableDir() breakableDir {
	fault := disktest.NewWhole(disktest.NewMemory(nil))
	return breakableDir{atomicedit.NewDirOn(disktest.NewQueued(fault), atomicedit.DirOptions{}), fault}
}

// oddDir returns a Dir on a disk with odd files and operations that fail: see [disktest.NewOdd].
func oddDir(files map[string]string, o atomicedit.DirOptions, fails ...string) *atomicedit.Dir {
	return atomicedit.NewDirOn(disktest.NewOdd(files, fails...), o)
}

// "~/" is the home of a user, however the rest of the path goes on. Only a Dir knows where that is.
func TestAPathThatBeginsAtTheHomeIsOutside(t *testing.T) {
	for path, want := range map[string]error{
		"~/a": atomicedit.ErrOutside, "~/../a": atomicedit.ErrOutside, "~/b/../../a": atomicedit.ErrOutside, "./~/a": atomicedit.ErrOutside,
		"~": nil, "~a/b": nil, "a/~/b": nil,
	} {
		if _, err := atomicedit.CleanPath(path); !errors.Is(err, want) {
			t.Errorf("CleanPath(%q): error %v, want %v", path, err, want)
		}
	}
}
