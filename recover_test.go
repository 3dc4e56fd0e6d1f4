//go:build unix

package atomicedit

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// After a commit died, somebody puts something else in the place of what it worked on, or removes it. Recovery leaves that
// alone, reports it, keeps what was there before, and takes the rest back.
func TestRecoveryLeavesWhatOthersHavePutThere(t *testing.T) {
	edit := func(kind entryKind, name string) entry {
		return entry{kind: kind, path: name, old: VersionOf([]byte("old")), new: VersionOf([]byte("new"))}
	}
	mkdir := entry{kind: entryMkdir, path: "d"}
	create := entry{kind: entryCreate, path: "d/n", new: VersionOf([]byte("new"))}
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
		special bool // what is there is no file
	}{
		"a file for a made directory":          {dead: journal{mkdir}, put: file, want: map[string]string{"d": "theirs"}},
		"a file for the directory of a create": {dead: journal{mkdir, create}, put: file, want: map[string]string{"d": "theirs"}},
		"a link for a made directory":          {dead: journal{mkdir}, put: link, special: true},
		"no made directory":                    {dead: journal{mkdir, create}, put: nothing, unsaid: true},
		"no directory of a delete":             {dead: journal{gone}, put: nothing, kept: true},
		"a file for the directory of a delete": {dead: journal{gone}, put: file, want: map[string]string{"d": "theirs"}, kept: true},
		"a file for the directory of an edit":  {dead: journal{edit(entryEdit, "d/b")}, put: file, want: map[string]string{"d": "theirs"}, kept: true},
		"a link for the directory of an edit":  {dead: journal{edit(entryEdit, "d/b")}, put: link, special: true, kept: true},
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
		"a longer text in a file written in place": {dead: journal{edit(entryWrite, "d")}, put: file, want: map[string]string{"d": "theirs"}, kept: true},
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
			if err := d.Mkdir(stateDir, 0o700); err != nil {
				t.Fatal(err)
			}
			for i := range dead {
				if dead[i].kind == entryMkdir {
					continue
				}
				dead[i].stage = stateDir + "/" + string(rune('0'+i))
				if err := d.Create(dead[i].backup(), []byte("old"), meta{perm: 0o644}); err != nil {
					t.Fatal(err)
				}
				if dead[i].kind == entryWrite {
					if err := d.Create(dead[i].staged(), []byte("new"), meta{perm: 0o600}); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := plant(d, dead); err != nil {
				t.Fatal(err)
			}

			s, err := OpenDir(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			said := strings.Join(s.Recovered(), "\n")
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
				want[stateDir], want[stateDir+"/kept.1"] = "(a directory)", "old"
			}
			if diff := cmp.Diff(want, now()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A journal can be as long as whoever has put it there likes. It is not read into memory for that.
func TestAJournalLongerThanAnyIsRefused(t *testing.T) {
	dir, _, d := tree(t, nil)
	if err := d.Mkdir(stateDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := d.Create(journalName, nil, meta{perm: 0o600}); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, journalName), 1<<40); err != nil {
		t.Skip(err)
	}
	if _, err := OpenDir(dir, nil); err == nil || !strings.Contains(err.Error(), "longer than any") {
		t.Errorf("error %v", err)
	}
}

// What somebody has put in the place of a file is compared piece by piece: it may be longer than memory.
func TestRecoveryComparesWithoutReadingAllOfAFile(t *testing.T) {
	_, _, d := tree(t, map[string]string{"a": strings.Repeat("x", 8<<20)})
	want := VersionOf([]byte(strings.Repeat("x", 8<<20)))
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

// A backup that somebody has removed cannot be put back. The error says so, and what to do.
func TestAMissingBackupIsNamed(t *testing.T) {
	dir, now, d := tree(t, map[string]string{"a": "new"})
	dead := journal{{kind: entryEdit, path: "a", old: VersionOf([]byte("old")), new: VersionOf([]byte("new")), stage: stateDir + "/0"}}
	if err := d.Mkdir(stateDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := plant(d, dead); err != nil {
		t.Fatal(err)
	}
	before := now()
	_, err := OpenDir(dir, nil)
	if !errors.Is(err, ErrUnfinished) || !strings.Contains(err.Error(), dead[0].backup()) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, now()); diff != "" {
		t.Error(diff)
	}
	if err := os.WriteFile(filepath.Join(dir, dead[0].backup()), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := OpenDir(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	if diff := cmp.Diff(map[string]string{"a": "old"}, now()); diff != "" {
		t.Error(diff)
	}
}

// A state directory that came with a copy of its directory, as with a clone or an archive, is refused, and nothing is touched:
// its journal could put anything anywhere below.
func TestACopiedJournalIsRefused(t *testing.T) {
	up, _, theirs := tree(t, map[string]string{"a": "one"})
	hook := journal{{kind: entryDelete, path: ".git/hooks/post-checkout", old: VersionOf([]byte("evil")), stage: stateDir + "/0"}}
	if err := errors.Join(theirs.Mkdir(stateDir, 0o700), theirs.Create(hook[0].backup(), []byte("evil"), meta{perm: 0o700}), plant(theirs, hook)); err != nil {
		t.Fatal(err)
	}
	if born, err := stateBorn(theirs); born == "-" {
		t.Skip("the file system does not tell when a directory was made: ", err)
	}
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(up)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.MkdirAll(filepath.Join(copied, ".git/hooks"), 0o755), os.Chmod(filepath.Join(copied, stateDir), 0o700)); err != nil {
		t.Fatal(err)
	}
	before := FoundTree(t, copied)
	if _, err := OpenDir(copied, nil); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "not made here") {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, FoundTree(t, copied)); diff != "" {
		t.Errorf("something was touched: %s", diff)
	}
}

// stuckDisk cannot remove anything.
type stuckDisk struct{ disk }

func (d stuckDisk) Remove(string) error { return syscall.EROFS }

// What a commit left that had changed nothing yet is in nobody's way where it cannot be removed.
func TestALeftoverThatCannotBeRemovedIsInNobodysWay(t *testing.T) {
	d := newMemDisk(map[string]string{"a": "one"})
	if err := errors.Join(d.Mkdir(stateDir, 0o700), d.Create(ignoreName, []byte("*\n"), meta{perm: 0o600}), d.Create(journalName, []byte("half a jour"), meta{perm: 0o600})); err != nil {
		t.Fatal(err)
	}
	if err := d.Create(stateDir+"/0.new", nil, meta{perm: 0o600}); err != nil {
		t.Fatal(err)
	}
	stuck := newDir(stuckDisk{d}, DirOptions{})
	if err := stuck.recover(); err != nil {
		t.Errorf("recovery: error %v", err)
	}
	create := func(name string) Change { return Change{Path: name, After: &File{}} }
	err := stuck.Commit(t.Context(), []Change{create("b"), create("c")})
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "what a dead commit has left") {
		t.Errorf("a commit of two files: error %v", err)
	}
}

// stickyDisk cannot remove one file.
type stickyDisk struct {
	disk
	name string
}

func (d stickyDisk) Remove(name string) error {
	if name == d.name {
		return syscall.EBUSY
	}
	return d.disk.Remove(name)
}

// A backup of a file that somebody has open cannot be removed on Windows. The commits after it stage under other numbers.
func TestALeftoverThatStaysIsGoneRound(t *testing.T) {
	one, two := &File{Data: []byte("one")}, &File{Data: []byte("two")}
	d := newMemDisk(map[string]string{"a": "one", "b": "one"})
	if err := errors.Join(d.Mkdir(stateDir, 0o700), d.Create(stateDir+"/1.old", []byte("theirs"), meta{perm: 0o600})); err != nil {
		t.Fatal(err)
	}
	sticky := newDir(stickyDisk{d, stateDir + "/1.old"}, DirOptions{})
	if err := sticky.Commit(t.Context(), []Change{{Path: "a", Before: one, After: two}, {Path: "b", Before: one, After: two}}); err != nil {
		t.Fatal(err)
	}
	if err := newDir(d, DirOptions{}).recover(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "two", "b": "two"}, d.files()); diff != "" {
		t.Error(diff)
	}
}

// looseDisk is a file system that keeps no modes.
type looseDisk struct{ disk }

func (d looseDisk) Lstat(name string) (stat, error) {
	s, err := d.disk.Lstat(name)
	s.mode |= 0o755
	return s, err
}

// Where a state directory cannot be closed to others, recovery would not know it for ours: so there are none.
func TestAFileSystemWithoutModes(t *testing.T) {
	mem := newMemDisk(map[string]string{"a": "one", "b": "one"})
	d := newDir(looseDisk{mem}, DirOptions{})
	edit := func(name string) Change {
		return Change{Path: name, Before: &File{Data: []byte("one")}, After: &File{Data: []byte("two")}}
	}
	if err := d.Commit(t.Context(), []Change{edit("a"), edit("b")}); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("two files: error %v", err)
	}
	if err := errors.Join(d.Commit(t.Context(), []Change{edit("a")}), clean(mem)); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "two", "b": "one"}, mem.files()); diff != "" {
		t.Error(diff)
	}
}

// Where new files inherit from their directory, they are staged there. What a killed commit leaves of them goes with the next
// commit that stages something there, and with the next WriteFile if it was the only file.
func TestWhatKilledCommitsLeftBesideTheirTargetsGoes(t *testing.T) {
	create := func(name string) Change { return Change{Path: name, After: &File{Data: []byte("new")}} }
	for _, test := range []struct {
		name   string
		killed []Change
		next   func(d *Dir, dir string) error
	}{
		{"several files", []Change{create("a"), create("g/n"), create("g/m")}, func(d *Dir, _ string) error { return d.Commit(t.Context(), []Change{create("g/x")}) }},
		{"one file", []Change{create("g/s/t/n")}, func(_ *Dir, dir string) error { return WriteFile(dir+"/g/x", nil, 0o644) }},
	} {
		for k, reached := 0, true; reached; k++ {
			dir, now, d := tree(t, map[string]string{"g/old": ""})
			if err := os.Chmod(dir+"/g", 0o755|fs.ModeSetgid); err != nil {
				t.Fatal(err)
			}
			fault := &faultDisk{disk: d, at: k, flavour: dieBefore}
			newDir(fault, DirOptions{}).Commit(t.Context(), test.killed)
			reached = fault.reached()
			s, err := OpenDir(dir, nil)
			if err != nil {
				t.Fatal(err)
			}
			left := func(when string) {
				for name := range now() {
					if strings.Contains(name, stateDir) {
						t.Errorf("%s, killed at %d, %s: %s is left", test.name, k, when, name)
					}
				}
			}
			if _, err := d.Lstat("g/m"); err == nil {
				left("done")
			}
			if err := test.next(s, dir); err != nil {
				t.Errorf("%s, killed at %d: error %v", test.name, k, err)
			}
			s.Close()
			left("and the next commit")
		}
	}
}

// meddlingDisk lets somebody who respects no lock change a file when everything is staged.
type meddlingDisk struct {
	disk
	meddle func()
}

func (d meddlingDisk) Create(name string, data []byte, as meta) error {
	if name == journalName {
		d.meddle()
	}
	return d.disk.Create(name, data, as)
}

func TestWhoRespectsNoLockIsNoticedAtTheLastMoment(t *testing.T) {
	edit := func(name string) Change {
		return Change{Path: name, Before: &File{Data: []byte("one")}, After: &File{Data: []byte("two")}}
	}
	mem := newMemDisk(map[string]string{"a": "one", "b": "one", "c": "one"})
	d := meddlingDisk{mem, func() { mem.Overwrite("b", []byte("theirs")) }}
	err := newDir(d, DirOptions{}).Commit(t.Context(), []Change{edit("a"), edit("b"), {Path: "c", Before: &File{Data: []byte("one")}}})
	if !errors.Is(err, ErrStale) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "one", "b": "theirs", "c": "one"}, mem.files()); diff != "" {
		t.Error(diff)
	}
}

// lateDisk has no hard links, and somebody makes a file there at the last moment before one is renamed to its name.
type lateDisk struct {
	linklessDisk
	mem *memDisk
}

func (d lateDisk) RenameNew(old, new string) error {
	d.mem.Create(new, []byte("theirs"), meta{})
	return d.linklessDisk.RenameNew(old, new)
}

func TestWithoutLinksNoNewFileReplacesOneThatCameAtTheLastMoment(t *testing.T) {
	mem := newMemDisk(map[string]string{"a": "one", "c": "one"})
	err := newDir(lateDisk{linklessDisk{mem}, mem}, DirOptions{}).Commit(t.Context(), []Change{
		{Path: "a", Before: &File{Data: []byte("one")}, After: &File{Data: []byte("two")}},
		{Path: "c", Before: &File{Data: []byte("one")}},
		{Path: "n", After: &File{Data: []byte("new")}},
	})
	if !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "kept.1") {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "one", "c": "theirs", "n": "theirs"}, mem.files()); diff != "" {
		t.Error(diff)
	}
	if kept, err := mem.ReadFile(stateDir+"/kept.1", 9); string(kept) != "one" {
		t.Errorf("kept %q, error %v", kept, err)
	}
}

// An editor writes a file in place while a commit moves it, or after one that was to move it has died. It is one file by one
// name, with what the editor wrote, whatever becomes of the commit.
func TestAFileWrittenInPlaceWhileItIsMoved(t *testing.T) {
	rest := []Change{
		{Path: "a", Before: &File{Data: []byte("one")}},
		{Path: "c", Before: &File{Data: []byte("x")}, After: &File{Data: []byte("y")}},
	}
	for _, test := range []struct {
		before, undone, done map[string]string
		move                 Change
	}{
		{
			map[string]string{"a": "one", "c": "x"}, map[string]string{"a": "theirs", "c": "x"}, map[string]string{"b": "theirs", "c": "y"},
			Change{Path: "b", From: "a", After: &File{Data: []byte("one")}},
		}, {
			map[string]string{"a": "one", "b": "old", "c": "x"}, map[string]string{"a": "theirs", "b": "old", "c": "x"}, map[string]string{"b": "theirs", "c": "y"},
			Change{Path: "b", Before: &File{Data: []byte("old")}, After: &File{Data: []byte("one"), from: "a"}},
		},
	} {
		for _, flavour := range []flavour{cancel, dieBefore, dieAfter} {
			for k, reached := 0, true; reached; k++ {
				mem := newMemDisk(test.before)
				save := func() {
					if err := mem.Overwrite("a", []byte("theirs")); err != nil {
						mem.Overwrite("b", []byte("theirs"))
					}
				}
				fault := &faultDisk{disk: mem, at: k, flavour: flavour, cancel: save}
				err := newDir(fault, DirOptions{}).Commit(t.Context(), append([]Change{test.move}, rest...))
				if reached = fault.reached(); !reached {
					break
				}
				if flavour.dies() {
					save()
					if err := newDir(mem, DirOptions{}).recover(); err != nil {
						t.Errorf("killed at %d: %v", k, err)
					}
				}
				now := mem.files()
				if !(maps.Equal(now, test.undone) && err != nil || maps.Equal(now, test.done) && (err == nil || flavour.dies())) || clean(mem) != nil {
					t.Errorf("%s, at %d: error %v, files %q, %v", flavour, k, err, now, clean(mem))
				}
			}
		}
	}
}

// What recovery keeps is found again by one that follows, also if the first was killed, and is there before the journal goes.
func TestKeepingCanBeKilled(t *testing.T) {
	changes := []Change{
		{Path: "a", Before: &File{Data: []byte("one")}}, {Path: "b", Before: &File{Data: []byte("two")}, After: &File{Data: []byte("new")}},
	}
	dead := func() *memDisk {
		for k := 0; ; k++ {
			mem := newMemDisk(map[string]string{"a": "one", "b": "two"})
			newDir(&faultDisk{disk: mem, at: k, flavour: dieBefore}, DirOptions{}).Commit(t.Context(), changes)
			if mem.files()["b"] == "new" {
				mem.Create("a", []byte("theirs"), meta{})
				return mem
			}
		}
	}
	for _, stays := range []bool{true, false} {
		for k, reached := 0, true; reached; k++ {
			mem := dead()
			fault := &faultDisk{disk: mem, at: k, flavour: []flavour{dieBefore, dieAfter}[k%2]}
			newDir(fault, DirOptions{}).recover()
			reached = fault.reached()
			_, look := mem.Lstat(journalName)
			unfinished := look == nil
			want := map[string]string{"a": "theirs", "b": "two"}
			if !stays {
				mem.Remove("a")
				if delete(want, "a"); unfinished {
					want["a"] = "one"
				}
			}
			d := newDir(mem, DirOptions{})
			if err := d.recover(); err != nil {
				t.Errorf("killed at %d: %v", k, err)
			}
			if diff := cmp.Diff(want, mem.files()); diff != "" {
				t.Errorf("killed at %d: %s", k, diff)
			}
			kept, err := mem.ReadFile(stateDir+"/kept.1", 9)
			if stays && string(kept) != "one" || err == nil && string(kept) != "one" {
				t.Errorf("killed at %d: kept %q, error %v", k, kept, err)
			}
			if _, err := mem.Lstat(stateDir + "/kept.2"); err == nil {
				t.Errorf("killed at %d: kept twice", k)
			}
			if said := strings.Join(d.Recovered(), ""); stays && unfinished && !strings.Contains(said, "kept.1") {
				t.Errorf("killed at %d: %q", k, said)
			}
		}
	}
}

// Nothing is kept of a file that a commit had not replaced yet, and somebody has then written in place.
func TestAFileThatWasNotReplacedYetIsNotKept(t *testing.T) {
	changes := []Change{
		{Path: "a", Before: &File{Data: []byte("one")}, After: &File{Data: []byte("new")}},
		{Path: "b", Before: &File{Data: []byte("two")}, After: &File{Data: []byte("new")}},
	}
	for k, reached := 0, true; reached; k++ {
		mem := newMemDisk(map[string]string{"a": "one", "b": "two"})
		fault := &faultDisk{disk: mem, at: k, flavour: dieBefore}
		newDir(fault, DirOptions{}).Commit(t.Context(), changes)
		reached = fault.reached()
		if mem.files()["b"] != "two" {
			break
		}
		mem.Overwrite("b", []byte("theirs"))
		d := newDir(mem, DirOptions{})
		if err := d.recover(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{"a": "one", "b": "theirs"}, mem.files()); diff != "" || clean(mem) != nil || strings.Contains(strings.Join(d.Recovered(), ""), "kept") {
			t.Errorf("killed at %d: %v, recovered %q\n%s", k, clean(mem), d.Recovered(), diff)
		}
	}
}

// Somebody cleans the state directory away while a commit runs, as "git clean -fdx" does. The commit takes back what it has done
// all the same: it knows what it was.
func TestAStateDirectoryThatGoesAwayDuringACommit(t *testing.T) {
	s := scene{
		old: map[string]string{"a": "one", "d/b": "one", "gone": "one"},
		new: map[string]string{"a": "two", "d/b": "two", "d/new/n": "n"},
	}
	changes := []Change{
		{Path: "a", Before: &File{Data: []byte("one")}, After: &File{Data: []byte("two")}},
		{Path: "d/new/n", After: &File{Data: []byte("n")}},
		{Path: "gone", Before: &File{Data: []byte("one")}},
		{Path: "d/b", Before: &File{Data: []byte("one")}, After: &File{Data: []byte("two")}},
	}
	for _, kind := range disks {
		t.Run(kind.name, func(t *testing.T) {
			for k, reached := 0, true; reached; k++ {
				mem := s.disk()
				fault := &faultDisk{disk: mem, at: k, flavour: cancel, cancel: func() {
					names, _ := mem.ReadDir(stateDir)
					for _, name := range names {
						mem.Remove(stateDir + "/" + name)
					}
					mem.Remove(stateDir)
				}}
				err := newDir(kind.wrap(fault, s), DirOptions{InPlace: true}).Commit(t.Context(), changes)
				reached = fault.reached()
				want := s.new
				if err != nil && !errors.Is(err, ErrNotDurable) {
					want = s.old
				}
				if diff := cmp.Diff(want, mem.files()); diff != "" || errors.Is(err, ErrUnfinished) {
					t.Errorf("at %d: error %v\n%s", k, err, diff)
				}
			}
		})
	}
}

// What is restored without its backup is open to nobody whom the file before was closed to.
func TestWithoutItsBackupAFileIsRestoredNarrowly(t *testing.T) {
	mem := newMemDisk(map[string]string{"secret": "one"})
	gone := entry{kind: entryDelete, path: "secret", stage: stateDir + "/0", change: Change{Path: "secret", Before: &File{Data: []byte("one")}}}
	mem.Remove("secret")
	if err := putBack(mem, gone); err != nil {
		t.Fatal(err)
	}
	if is, err := mem.Lstat("secret"); err != nil || is.mode.Perm() != 0o600 {
		t.Errorf("mode %v, error %v", is.mode, err)
	}
}

// twiceDisk does a removal, and then says that nothing was there, as a network file system may that has sent it again.
type twiceDisk struct{ *memDisk }

func (d twiceDisk) Remove(name string) error {
	err := d.memDisk.Remove(name)
	if name == "gone" && err == nil {
		err = fs.ErrNotExist
	}
	return err
}

func TestARemovalThatWasAskedTwiceIsTakenBack(t *testing.T) {
	mem := newMemDisk(map[string]string{"a": "one", "gone": "one"})
	err := newDir(twiceDisk{mem}, DirOptions{}).Commit(t.Context(), []Change{
		{Path: "a", Before: &File{Data: []byte("one")}, After: &File{Data: []byte("two")}},
		{Path: "gone", Before: &File{Data: []byte("one")}},
	})
	if !errors.Is(err, ErrStale) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "one", "gone": "one"}, mem.files()); diff != "" {
		t.Error(diff)
	}
}

// A commit waits for who is at work in a directory of its files alone.
func TestTheDirectoriesOfTheFilesAreLocked(t *testing.T) {
	dir, _, d := tree(t, map[string]string{"sub/a": "one"})
	unlock, err := d.Lock(t.Context(), func() []string { return []string{"sub"} }, true)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	s, err := OpenDir(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	change := Change{Path: "sub/a", Before: &File{Data: []byte("one")}, After: &File{Data: []byte("two")}}
	if err := s.Commit(ctx, []Change{change}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestAStateDirectoryOfAnotherUserIsRefused(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	dir, now, d := tree(t, map[string]string{"a": "one"})
	theirs := journal{{kind: entryDelete, path: "b", old: VersionOf([]byte("evil")), stage: stateDir + "/0"}}
	err := errors.Join(d.Mkdir(stateDir, 0o700), d.Create(theirs[0].backup(), []byte("evil"), meta{perm: 0o600}), plant(d, theirs),
		os.Chown(filepath.Join(dir, stateDir), 1000, 1000))
	if err != nil {
		t.Fatal(err)
	}
	before := now()
	if _, err := OpenDir(dir, nil); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "another owner") {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(before, now()); diff != "" {
		t.Error(diff)
	}
}

// What a file system says that has no links, or no room for one more, is known.
func TestWhereLinksCannotBeMade(t *testing.T) {
	for _, err := range []error{syscall.EPERM, syscall.ENOTSUP, syscall.ENOSYS, syscall.EMLINK} {
		if !noLinks(&os.LinkError{Op: "link", Err: err}) {
			t.Errorf("%v is not known", err)
		}
	}
}

func TestWhatAWriteInPlaceLeaves(t *testing.T) {
	for now, want := range map[string]bool{
		"": true, "new": true, "new t": true, "new text": true, "\x00\x00\x00 text": true, "new\x00\x00": true,
		"nex": false, "new text and": false, "their": false,
	} {
		d := newMemDisk(map[string]string{"whole": "new text", "f": now})
		if torn, _, err := isTorn(d, "f", "whole", nil); torn != want || err != nil {
			t.Errorf("%q: torn %v, error %v", now, torn, err)
		}
	}
}

// plant writes a journal into the state directory, as a commit there would.
func plant(d disk, j journal) error {
	born, err := stateBorn(d)
	if err != nil {
		return err
	}
	return d.Create(journalName, j.encode(born), meta{perm: 0o600})
}
