//go:build unix && !solaris && !aix

package commit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// After a commit died, somebody replaces or removes one of its files. Recovery leaves that file alone, reports it,
// keeps its backup, and rolls back the others.
func TestRecoveryLeavesWhatOthersHavePutThere(t *testing.T) {
	edit := func(kind entryKind, name string) step {
		return step{kind: kind, path: name, old: disk.VersionOf([]byte("old")), new: disk.VersionOf([]byte("new"))}
	}
	mkdir := step{kind: entryMkdir, path: "d"}
	create := step{kind: entryCreate, path: "d/n", new: disk.VersionOf([]byte("new"))}
	gone := edit(entryDelete, "d/b")
	gone.new = ""
	file := func(dir string) error { return os.WriteFile(filepath.Join(dir, "d"), []byte("theirs"), 0o644) }
	link := func(dir string) error { return os.Symlink("e", filepath.Join(dir, "d")) }
	nothing := func(string) error { return nil }
	for name, c := range map[string]struct {
		dead    journal
		put     func(dir string) error
		want    map[string]string
		kept    bool
		unsaid  bool
		special bool // what is there is not a file
	}{
		"a file for a made directory": {dead: journal{mkdir}, put: file, want: map[string]string{"d": "theirs"}},
		"a file for the directory of a create": {dead: journal{mkdir, create}, put: file,
			want: map[string]string{"d": "theirs"}},
		"a link for a made directory": {dead: journal{mkdir}, put: link, special: true},
		"no made directory":           {dead: journal{mkdir, create}, put: nothing, unsaid: true},
		"no directory of a delete":    {dead: journal{gone}, put: nothing, kept: true},
		"a file for the directory of a delete": {dead: journal{gone}, put: file, want: map[string]string{"d": "theirs"},
			kept: true},
		"a file for the directory of an edit": {dead: journal{edit(entryEdit, "d/b")}, put: file,
			want: map[string]string{"d": "theirs"}, kept: true},
		"a link for the directory of an edit": {dead: journal{edit(entryEdit, "d/b")}, put: link, special: true,
			kept: true},
		"a link out for the directory of an edit": {
			dead: journal{edit(entryEdit, "d/b")}, special: true, kept: true,
			put: func(dir string) error { return os.Symlink("/", filepath.Join(dir, "d")) },
		},
		"a pipe for a file written in place": {
			dead: journal{edit(entryWrite, "d")}, special: true, kept: true,
			put: func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "d"), 0o644) },
		},
		"a directory for a file written in place": {
			dead: journal{edit(entryWrite, "d")}, special: true, kept: true,
			put: func(dir string) error { return os.Mkdir(filepath.Join(dir, "d"), 0o755) },
		},
		"a longer text in a file written in place": {dead: journal{edit(entryWrite, "d")}, put: file,
			want: map[string]string{"d": "theirs"}, kept: true},
		"another text in a file written in place": {
			dead: journal{edit(entryWrite, "d")}, want: map[string]string{"d": "no"}, kept: true,
			put: func(dir string) error { return os.WriteFile(filepath.Join(dir, "d"), []byte("no"), 0o644) },
		},
		"no file written in place": {dead: journal{edit(entryWrite, "d")}, put: nothing, kept: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir, now, d := tree(t, map[string]string{"a": "new", "e/b": "theirs"})
			if err := c.put(dir); err != nil {
				t.Fatal(err)
			}
			dead := append(journal{edit(entryEdit, "a")}, c.dead...)
			if err := d.Mkdir(StateDir, 0o700); err != nil {
				t.Fatal(err)
			}
			for i := range dead {
				if dead[i].kind == entryMkdir {
					continue
				}
				dead[i].dir, dead[i].number = StateDir, i
				if err := d.Create(dead[i].backup(), []byte("old"), disk.Meta{Perm: 0o644}); err != nil {
					t.Fatal(err)
				}
				if dead[i].kind == entryWrite {
					if err := d.Create(dead[i].staged(), []byte("new"), disk.Meta{Perm: 0o600}); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := plant(d, dead); err != nil {
				t.Fatal(err)
			}

			_, told, err := open(t, dir)
			if err != nil {
				t.Fatal(err)
			}
			said := strings.Join(told, "\n")
			if strings.Contains(said, "somebody else") == c.unsaid || strings.Contains(said, "kept.1") != c.kept {
				t.Errorf("said: %s", said)
			}
			if c.special {
				if _, err := os.Lstat(filepath.Join(dir, "d")); err != nil {
					t.Error(err)
				}
				os.Remove(filepath.Join(dir, "d"))
			}
			want := map[string]string{"a": "old", "e/b": "theirs"}
			for name, text := range c.want {
				want[name] = text
			}
			if c.kept {
				want[StateDir], want[StateDir+"/kept.1"] = "(a directory)", "old"
			}
			if diff := cmp.Diff(want, now()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A planted journal can be of any length. It is not read into memory.
func TestAJournalLongerThanAnyIsRefused(t *testing.T) {
	dir, _, d := tree(t, nil)
	if err := d.Mkdir(StateDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := d.Create(JournalName, nil, disk.Meta{Perm: 0o600}); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, JournalName), 1<<40); err != nil {
		t.Skip("no sparse file of that length here: ", err)
	}
	if _, _, err := open(t, dir); err == nil || !strings.Contains(err.Error(), "the journal is too long") {
		t.Errorf("error %v", err)
	}
}

// A file that somebody has put in place of another may not fit in memory, so it is compared piece by piece.
func TestRecoveryComparesWithoutReadingAllOfAFile(t *testing.T) {
	_, _, d := tree(t, map[string]string{"a": strings.Repeat("x", 8<<20)})
	want := disk.VersionOf([]byte(strings.Repeat("x", 8<<20)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	is, err := versionAt(d, "a")
	runtime.ReadMemStats(&after)
	if err != nil || is != want {
		t.Fatalf("version %s, error %v", is, err)
	}
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 4<<20 {
		t.Errorf("%d bytes allocated for a file of 8 MiB", allocated)
	}
}

// If somebody has removed a backup, the error says so, and what to do.
func TestAMissingBackupIsNamed(t *testing.T) {
	dir, now, d := tree(t, map[string]string{"a": "new"})
	dead := journal{{kind: entryEdit, path: "a", old: disk.VersionOf([]byte("old")), new: disk.VersionOf([]byte("new")),
		dir: StateDir}}
	if err := d.Mkdir(StateDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := plant(d, dead); err != nil {
		t.Fatal(err)
	}
	before := now()
	_, _, err := open(t, dir)
	if !errors.Is(err, errs.ErrUnfinished) || !strings.Contains(err.Error(), dead[0].backup()) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, now()); diff != "" {
		t.Error(diff)
	}
	if err := os.WriteFile(filepath.Join(dir, dead[0].backup()), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := open(t, dir); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "old"}, now()); diff != "" {
		t.Error(diff)
	}
}

// A state directory that came with a copy, such as a clone or an archive, is refused, and nothing is touched: its
// journal could write any content to any file below.
func TestACopiedJournalIsRefused(t *testing.T) {
	up, _, theirs := tree(t, map[string]string{"a": "one"})
	hook := journal{{kind: entryDelete, path: ".git/hooks/post-checkout", old: disk.VersionOf([]byte("evil")),
		dir: StateDir}}
	if err := errors.Join(theirs.Mkdir(StateDir, 0o700),
		theirs.Create(hook[0].backup(), []byte("evil"), disk.Meta{Perm: 0o700}), plant(theirs, hook)); err != nil {
		t.Fatal(err)
	}
	if born, err := stateBorn(theirs); born == "-" {
		t.Skip("the file system does not tell when a directory was made: ", err)
	}
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(up)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.MkdirAll(filepath.Join(copied, ".git/hooks"), 0o755),
		os.Chmod(filepath.Join(copied, StateDir), 0o700)); err != nil {
		t.Fatal(err)
	}
	before := disktest.FoundTree(t, copied)
	if _, _, err := open(t, copied); !errors.Is(err, fs.ErrPermission) ||
		!strings.Contains(err.Error(), "not made here") {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, disktest.FoundTree(t, copied)); diff != "" {
		t.Errorf("something was touched: %s", diff)
	}
}

// If new files inherit something from their directory, they are staged there. When the tree is opened next, the staged
// files of a killed commit are removed.
func TestWhatKilledCommitsLeftBesideTheirTargetsGoes(t *testing.T) {
	t.Parallel()
	created := func(name string) Change { return create(name, "new") }
	for _, test := range []struct {
		name   string
		killed []Change
		next   func(next *Tree, dir string) error
	}{
		{"several files", []Change{created("a"), created("g/n"), created("g/m")}, func(next *Tree, _ string) error {
			err := next.alone().Commit(t.Context(), []Change{created("g/x")})
			return err
		}},
		{"one file", []Change{created("g/s/t/n")}, func(_ *Tree, dir string) error {
			return WriteFile(context.Background(), 0, dir+"/g/x", nil, 0o644, DurableFull)
		}},
	} {
		for k, reached := 0, true; reached; k++ {
			dir, now, d := tree(t, map[string]string{"g/old": ""})
			if err := os.Chmod(dir+"/g", 0o755|fs.ModeSetgid); err != nil {
				t.Fatal(err)
			}
			fault := disktest.NewFault(d, k, disktest.DieBefore)
			commitOn(fault, Options{}, test.killed)
			reached = fault.Reached()
			next, _, err := open(t, dir)
			if err != nil {
				t.Fatal(err)
			}
			left := func(when string) {
				for name := range now() {
					if strings.Contains(name, StateDir) {
						t.Errorf("%s, killed at %d, %s: %s is left", test.name, k, when, name)
					}
				}
			}
			left("opened")
			if err := test.next(next, dir); err != nil {
				t.Errorf("%s, killed at %d: error %v", test.name, k, err)
			}
			left("and the next commit")
		}
	}
}

// A commit waits only for commits that work in a directory of its files.
func TestTheDirectoriesOfTheFilesAreLocked(t *testing.T) {
	dir, _, d := tree(t, map[string]string{"sub/a": "one"})
	unlock := lockDir(t, d, "sub")
	defer unlock()
	waiting, _, err := open(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if err := waiting.alone().Commit(ctx, []Change{edit("sub/a", "one", "two")}); !errors.Is(err,
		context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

// A commit does not wait for a lock on another directory, even if that is the top of the tree.
func TestACommitWaitsForItsOwnDirectoriesAlone(t *testing.T) {
	dir, now, d := tree(t, map[string]string{"sub/a": "one", "sub/b": "one"})
	unlock := lockDir(t, d, ".")
	defer unlock()
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	for _, top := range []string{dir, filepath.Join(dir, "sub")} {
		tree, _, err := open(t, top)
		if err != nil {
			t.Fatal(err)
		}
		name, was, will := "sub/", "one", "two"
		if top != dir {
			name, was, will = "", "two", "three"
		}
		if err := tree.alone().Commit(ctx, []Change{edit(name+"a", was, will),
			edit(name+"b", was, will)}); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(map[string]string{"sub/a": "three", "sub/b": "three"}, now()); diff != "" {
		t.Error(diff)
	}
}

// Commits to different directories of one tree share only the guard of the state directory. None of them takes the
// journal of a live commit for that of a dead one. At each operation of a commit, others commit to another directory,
// and open the tree.
func TestALiveJournalIsLeftAlone(t *testing.T) {
	t.Parallel()
	old := map[string]string{"d/a": "one", "d/b": "one", "e/a": "one", "e/b": "one"}
	for k, reached := 0, true; reached; k++ {
		dir, now, d := tree(t, old)
		var wg sync.WaitGroup
		fault := disktest.NewCall(d, k, func() {
			wg.Go(func() {
				other, said, err := open(t, dir)
				if err != nil || len(said) > 0 {
					t.Errorf("at operation %d: recovered %q, error %v", k, said, err)
					return
				}
				if said, err = heard(other, func(tree *Tree) error {
					return tree.alone().Commit(t.Context(),
						[]Change{edit("e/a", "one", "two"), edit("e/b", "one", "two")})
				}); err != nil || len(said) > 0 {
					t.Errorf("at operation %d: recovered %q, error %v", k, said, err)
				}
			})
			if said, err := heard(another(t, dir), (*Tree).Recover); err != nil || len(said) > 0 {
				t.Errorf("at operation %d: recovered %q, error %v", k, said, err)
			}
			time.Sleep(2 * time.Millisecond)
		})
		if err := commitOn(fault, Options{Durability: DurableNone},
			[]Change{edit("d/a", "one", "two"), edit("d/b", "one", "two")}); err != nil {
			t.Errorf("at operation %d: error %v", k, err)
		}
		wg.Wait()
		reached = fault.Reached()
		want := map[string]string{"d/a": "two", "d/b": "two", "e/a": "two", "e/b": "two"}
		if !reached {
			want["e/a"], want["e/b"] = "one", "one"
		}
		if diff := cmp.Diff(want, now()); diff != "" {
			t.Errorf("at operation %d: %s", k, diff)
		}
	}
}

func another(t *testing.T, dir string) *Tree {
	tree, err := Open(dir, Options{}, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return tree
}

// If a commit dies while another waits for its guard, the other rolls it back before it goes on.
func TestTheGuardOfADeadCommit(t *testing.T) {
	t.Parallel()
	old := map[string]string{"d/a": "one", "d/b": "one", "e/a": "one", "e/b": "one"}
	taken := 0
	for k, reached := 0, true; reached; k++ {
		dir, now, _ := tree(t, old)
		root, err := disk.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		dying, release := root.Pin()
		started := make(chan bool)
		fault := disktest.NewFault(dying, k, disktest.DieBefore)
		waiting := another(t, dir)
		var said []string
		var wg sync.WaitGroup
		wg.Go(func() {
			<-started
			if said, err = heard(waiting, func(tree *Tree) error {
				return tree.alone().Commit(t.Context(), []Change{edit("e/a", "one", "two"), edit("e/b", "one", "two")})
			}); err != nil {
				t.Errorf("killed at %d: error %v", k, err)
			}
		})
		started <- true
		commitOn(fault, Options{Durability: DurableNone},
			[]Change{edit("d/a", "one", "two"), edit("d/b", "one", "two")})
		release()
		root.Close()
		wg.Wait()
		reached = fault.Reached()
		open(t, dir)
		got := now()
		taken += len(said)
		if got["d/a"] != got["d/b"] || got["e/a"] != "two" || got["e/b"] != "two" || len(got) != 4 {
			t.Errorf("killed at %d: %q", k, got)
		}
	}
	t.Logf("%d commits were rolled back by one that waited", taken)
}

func TestAStateDirectoryOfAnotherUserIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	dir, now, d := tree(t, map[string]string{"a": "one"})
	theirs := journal{{kind: entryDelete, path: "b", old: disk.VersionOf([]byte("evil")), dir: StateDir}}
	err := errors.Join(d.Mkdir(StateDir, 0o700), d.Create(theirs[0].backup(), []byte("evil"), disk.Meta{Perm: 0o600}),
		plant(d, theirs),
		os.Chown(filepath.Join(dir, StateDir), 1000, 1000))
	if err != nil {
		t.Fatal(err)
	}
	before := now()
	if _, _, err := open(t, dir); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "another owner") {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, now()); diff != "" {
		t.Error(diff)
	}
}

// plant writes a journal into the state directory, as a commit does.
func plant(d disk.Disk, j journal) error {
	born, err := stateBorn(d)
	if err != nil {
		return err
	}
	return d.Create(JournalName, j.encode(head{born: born}), disk.Meta{Perm: 0o600})
}

// A counted disk counts how often a commit has looked up the lock of the top directory.
type counted struct {
	disk.Disk
	asked *int
}

func (d counted) LockOf(dir string) (disk.Lock, error) {
	if dir == "." {
		*d.asked++
	}
	return d.Disk.LockOf(dir)
}

// While a commit waits for its locks, or just before, the directories that it works in can be removed or replaced. A
// commit that is rolled back removes those that it made.
func TestTheLockIsOnWhatTheNamesStandFor(t *testing.T) {
	dir, now, d := tree(t, map[string]string{"a/b/c/x": "old"})
	for _, name := range []string{"a/x", "a/b/c/x"} { // now the disk has handles of a and a/b/c
		d.Lstat(name)
	}
	asked := 0
	j := job{Tree: &Tree{}, disk: counted{d, &asked}}
	for _, name := range []string{"x", "a/x", "a/b/x", "a/b/c/x"} {
		j.changes = append(j.changes, Change{Path: name})
	}
	unlock, err := take(t.Context(), []claim{{job: j}}, true)
	if err != nil || asked != 1 {
		t.Fatalf("asked %d times, error %v", asked, err)
	}
	unlock()
	if err := errors.Join(os.Rename(filepath.Join(dir, "a/b"), filepath.Join(dir, "away")),
		os.Mkdir(filepath.Join(dir, "a/b"), 0o755)); err != nil {
		t.Fatal(err)
	}
	asked = 0
	unlock, err = take(t.Context(), []claim{{job: j}}, true)
	if err != nil || asked != 2 {
		t.Fatalf("asked %d times, error %v", asked, err)
	}
	defer unlock()
	if err := errors.Join(d.Mkdir("a/b/c", 0o755), d.Create("a/b/c/x", []byte("new"),
		disk.Meta{Mode: 0o644})); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"a/b/c/x": "new", "away/c/x": "old"}, now()); diff != "" {
		t.Error(diff)
	}
}
