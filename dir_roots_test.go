package atomicedit_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/sweeptest"
	"github.com/atomicedit/atomicedit/storetest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

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
			r := accepttest.RootsOn(fault, "/one", "/two")
			fault.Set(k, flavour)
			err := r.Commit(t.Context(), accepttest.JointChanges("/two"))
			reached = fault.Reached()
			faults++
			what := fmt.Sprintf("operation %d %s: error %v", k, flavour, err)
			if strings.Contains(fmt.Sprint(err), "two/one") || strings.Contains(fmt.Sprint(err), "/two//two") {
				t.Error(what)
			}
			wholly := maps.Equal(mem.Files(), jointBefore) || maps.Equal(mem.Files(), jointAfter)
			switch {
			case err != nil && !reached:
				t.Errorf("%s, but no operation failed", what)
			case err == nil && !maps.Equal(mem.Files(), jointAfter):
				t.Errorf("%s, but not done", what)
			case err != nil && !flavour.Dies() && !errors.Is(err, atomicedit.ErrUnfinished) &&
				!errors.Is(err, atomicedit.ErrNotDurable) && !maps.Equal(mem.Files(), jointBefore):
				t.Errorf("%s, but done: %q", what, mem.Files())
			case !wholly:
				unfinished++
				if _, err := accepttest.RootsOn(mem, "/one", "/two").Read(t.Context(),
					"a"); mem.Files()["one/a"] != "A" &&
					!errors.Is(err, atomicedit.ErrUnfinished) {
					t.Errorf("%s: a file that is half done is read: %v", what, err)
				}
			}
			fault.Mend()
			again := r
			if flavour.Dies() {
				again = accepttest.RootsOn(mem, "/one", "/two")
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
		dead := accepttest.RootsOn(dying, "/one", "/two")
		dying.Break(k)
		dead.Commit(t.Context(), accepttest.JointChanges("/two"))
		if !dying.Reached() {
			t.Fatal("no commit died half way")
		}
		if mem.Files()["one/a"] == "A" {
			continue
		}
		r := accepttest.RootsOn(mem, "/one", "/two")
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
		dead := accepttest.RootsOn(dying, "/one", "/two")
		dying.Break(k)
		dead.Commit(t.Context(), accepttest.JointChanges("/two"))
		if mem.Files()["one/a"] == "A" {
			continue
		}
		host := &atomicedit.Host{Store: atomicedit.NewSession(accepttest.RootsOn(mem, "/one", "/two"))}
		if answer, err := host.View(t.Context(), "/two/b", 0, 0); err != nil || !strings.Contains(answer.Text, "B") {
			t.Errorf("%+v, error %v", answer, err)
		}
		if answer, err := host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("/two/b", "B",
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

// A process is killed at each operation of a commit over two roots. Each root recovers by itself.
func TestACommitOfRootsThatIsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs many processes")
	}
	for _, in := range []string{"one", "two"} {
		for k, killed := 0, true; killed; k += 1 + k/8 {
			base := accepttest.Seed(t, jointBefore)
			one, two := filepath.Join(base, "one"), filepath.Join(base, "two")
			out, err := accepttest.Again(t, "roots killed at", filepath.Join(base, in), fmt.Sprint(k), one,
				two).CombinedOutput()
			if killed = accepttest.WasKilled(err); !killed && err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if k%2 == 0 {
				accepttest.OpenRoots(t, one, two)
			} else {
				accepttest.OpenDir(t, two)
				accepttest.OpenDir(t, one)
				accepttest.OpenDir(t, two) // a record goes when the last root has needed it
			}
			accepttest.OpenDir(t, one)
			if now := accepttest.Found(t, base); !maps.Equal(now, jointBefore) && !maps.Equal(now, jointAfter) {
				t.Errorf("killed at %d in %s: %s", k, in, cmp.Diff(jointBefore, now))
			}
			disktest.Tally("processes killed", 1)
		}
	}
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
	return s.Dir.Commit(ctx, s.outerChanges(changes))
}

func (s spread) outerChanges(changes []atomicedit.Change) []atomicedit.Change {
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
	return changes
}

func (s spread) Check(ctx context.Context, changes []atomicedit.Change) error {
	return s.Dir.Check(ctx, s.outerChanges(changes))
}

func (s spread) Respells(ctx context.Context, from, to string) bool {
	return s.Dir.Respells(ctx, s.outer(from), s.outer(to))
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
	return breakableRoots{spread{accepttest.RootsOn(fault, "/one", "/two"), "/two"}, fault}
}

func TestStoresKeepTheContract(t *testing.T) {
	t.Run("Mem", func(t *testing.T) {
		t.Parallel()
		storetest.Run(t, func(*testing.T) atomicedit.Store { return atomicedit.NewMem(nil) })
	})
	t.Run("Dir", func(t *testing.T) {
		t.Parallel()
		storetest.Run(t, func(t *testing.T) atomicedit.Store { return accepttest.OpenDir(t, t.TempDir()) })
	})
	t.Run("Dir on a disk that breaks", func(t *testing.T) {
		t.Parallel()
		storetest.Run(t, func(*testing.T) atomicedit.Store { return newBreakableDir() })
	})
	t.Run("Session of a Dir that breaks", func(t *testing.T) {
		t.Parallel()
		storetest.Run(t, func(*testing.T) atomicedit.Store {
			dir := newBreakableDir()
			return breakableSession{atomicedit.NewSession(dir), dir}
		})
	})
	t.Run("Dir with two roots", func(t *testing.T) {
		t.Parallel()
		if sweeptest.Or(true, false) {
			t.Skip("the next one does the same in both roots: go test -tags sweep")
		}
		storetest.Run(t, func(t *testing.T) atomicedit.Store {
			return accepttest.OpenRoots(t, t.TempDir(),
				t.TempDir())
		})
	})
	t.Run("Dir with files in both roots", func(t *testing.T) {
		t.Parallel()
		storetest.Run(t, func(t *testing.T) atomicedit.Store {
			other := t.TempDir()
			return spread{accepttest.OpenRoots(t, t.TempDir(), other), filepath.ToSlash(other)}
		})
	})
	t.Run("Dir with two roots on a disk that breaks", func(t *testing.T) {
		t.Parallel()
		storetest.Run(t, func(*testing.T) atomicedit.Store { return newBreakableRoots() })
	})
	t.Run("Session", func(t *testing.T) {
		t.Parallel()
		storetest.Run(t, func(*testing.T) atomicedit.Store { return viewed{atomicedit.NewSession(atomicedit.NewMem(nil))} })
	})
	t.Run("Session of Dir", func(t *testing.T) {
		t.Parallel()
		storetest.Run(t, func(t *testing.T) atomicedit.Store {
			return viewed{atomicedit.NewSession(accepttest.OpenDir(t, t.TempDir()))}
		})
	})
}

// A viewed Session has seen every file that is read.
type viewed struct{ *atomicedit.Session }

func (v viewed) Read(ctx context.Context, path string) (*atomicedit.File, error) {
	if f, err := v.View(ctx, path, 0, 0); err != nil {
		return f, err
	}
	return v.Session.Read(ctx, path)
}

// A breakableSession reads and commits as the Session does.
type breakableSession struct {
	*atomicedit.Session
	breakableDir
}

func (b breakableSession) Read(ctx context.Context, path string) (*atomicedit.File, error) {
	return viewed{b.Session}.Read(ctx, path)
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
		"~/a": atomicedit.ErrOutside, "~/../a": atomicedit.ErrOutside, "~/b/../../a": atomicedit.ErrOutside,
		"./~/a": atomicedit.ErrOutside,
		"~":     nil, "~a/b": nil, "a/~/b": nil,
	} {
		if _, err := atomicedit.CleanPath(path); !errors.Is(err, want) {
			t.Errorf("CleanPath(%q): error %v, want %v", path, err, want)
		}
	}
}

// Whatever a path is, the store's name for its file is a name for the same file, and what is outside stays outside.
func TestNamesInRootsAreStable(t *testing.T) {
	mem := disktest.NewMemory(map[string]string{"one/a": "1", "one/sub/a": "2", "two/a": "3", "two/d/a": "4",
		"out/a": "secret"})
	linked := disktest.Linked{Disk: mem, Links: map[string]string{
		"one/l": "../two", "one/sub/l": "/two/d", "two/l": "/one/sub", "two/d/l": "../../one", "one/o": "../out",
		"two/o": "/out", "two/d/o": "l/../../out",
	}}
	part := rapid.SampledFrom([]string{"a", "sub", "d", "l", "o", "..", ".", "", "one", "two", "out", ".git", "n",
		"a\x00", "~", `\`, "C:"})
	rapid.Check(t, func(t *rapid.T) {
		roots := rapid.Permutation([]string{"/one", "/two", "/one/sub"}).Draw(t, "roots")
		r := accepttest.RootsOn(linked, roots[:rapid.IntRange(1, 3).Draw(t, "number")]...)
		name := rapid.SampledFrom([]string{"", "/", "/one/", "/two/", "/one/sub/", "~/"}).Draw(t, "begin") +
			strings.Join(rapid.SliceOfN(part, 1, 5).Draw(t, "parts"), "/")
		f, err := r.Read(t.Context(), name)
		if f == nil || f.Path == "" {
			return
		}
		if string(f.Data) == "secret" {
			t.Fatalf("%q leads outside", name)
		}
		again, err2 := r.Read(t.Context(), f.Path)
		if again == nil || again.Path != f.Path || string(again.Data) != string(f.Data) ||
			(err == nil) != (err2 == nil) {
			t.Fatalf("%q is %+v, error %v, but that is %+v, error %v", name, f, err, again, err2)
		}
		if err == nil {
			text := mem.Files()[strings.TrimPrefix(f.Path, "/")]
			if !filepath.IsAbs(f.Path) {
				text = mem.Files()[strings.TrimPrefix(roots[0], "/")+"/"+f.Path]
			}
			if text != string(f.Data) {
				t.Fatalf("%q is called %q, which has %q", name, f.Path, text)
			}
		}
	})
}

// A move to another root may do what a move within one may, but a copy has no part in links and owners.
func TestWhatAMoveFromOneRootToAnotherMayDo(t *testing.T) {
	for _, test := range []struct {
		name    string
		options atomicedit.DirOptions
		edited  bool
		want    error
	}{
		{name: "plain"}, {name: "plain", edited: true},
		{name: "locked"}, {name: "locked", edited: true, want: fs.ErrPermission},
		{name: "immutable", want: fs.ErrPermission},
		{name: "mounted", want: fs.ErrPermission},
		{name: "in-locked-dir", want: fs.ErrPermission},
		{name: "linked"}, {name: "linked", options: atomicedit.DirOptions{RefuseHardLinks: true},
			want: fs.ErrPermission},
		{name: "not-ours", want: fs.ErrPermission},
		{name: "not-ours", options: atomicedit.DirOptions{AllowOwnerChange: true}},
	} {
		files := map[string]string{"one/" + test.name: "x\n", "two/a": ""}
		d := disktest.NewOdd(files)
		r := accepttest.RootsWith(test.options, d, "/one", "/two")
		op := atomicedit.Op{Kind: atomicedit.OpMove, Path: test.name, To: "/two/moved"}
		after := "x\n"
		if test.edited {
			op.Edits, after = []atomicedit.Edit{{Old: "x", New: "y"}}, "y\n"
		}
		_, err := atomicedit.Run(t.Context(), r, atomicedit.Plan{Ops: []atomicedit.Op{op}}, nil)
		if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
			t.Errorf("%+v: error %v", test, err)
		}
		want := files
		if test.want == nil {
			want = map[string]string{"two/moved": after, "two/a": ""}
		}
		if diff := cmp.Diff(want, d.Files()); diff != "" {
			t.Errorf("%+v: %s", test, diff)
		}
	}
}

// opening is a store that adds the root of a file which is outside.
type opening struct {
	*atomicedit.Dir
	root string
}

func (s opening) Read(ctx context.Context, path string) (*atomicedit.File, error) {
	f, err := s.Dir.Read(ctx, path)
	if errors.Is(err, atomicedit.ErrOutside) && s.Dir.Add(s.root) == nil {
		return s.Dir.Read(ctx, path)
	}
	return f, err
}

func TestARootThatIsAddedWhileAPlanIsPrepared(t *testing.T) {
	dir, err := atomicedit.OpenDir(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	s := opening{dir, t.TempDir()}
	file := filepath.ToSlash(filepath.Join(s.root, "f"))
	if err := os.WriteFile(file, []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits(file, "one", "two")}}
	if _, err := atomicedit.Run(t.Context(), s, plan, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "two\n" {
		t.Errorf("%q %v", got, err)
	}
}
