package commit

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// If a dead commit had changed nothing, files of it that cannot be removed do not prevent other commits.
func TestALeftoverThatCannotBeRemovedIsInNobodysWay(t *testing.T) {
	d := disktest.NewMemory(map[string]string{"a": "one"})
	if err := errors.Join(d.Mkdir(StateDir, 0o700),
		d.Create(ignoreName, []byte("*\n"), disk.Meta{Perm: 0o600})); err != nil {
		t.Fatal(err)
	}
	half := journal{}.encode(head{born: bornHere(t, d)})
	if err := d.Create(JournalName, half[:len(half)-4], disk.Meta{Perm: 0o600}); err != nil {
		t.Fatal(err)
	}
	if err := d.Create(stateName(t, d, 0, ".new"), nil, disk.Meta{Perm: 0o600}); err != nil {
		t.Fatal(err)
	}
	stuck := disktest.Stuck(d, func(string) bool { return true })
	if err := recoverOn(stuck, Options{}); err != nil {
		t.Errorf("recovery: error %v", err)
	}
	err := commitOn(stuck, Options{}, []Change{create("b", ""), create("c", "")})
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "files of a dead commit") {
		t.Errorf("a commit of two files: error %v", err)
	}
}

// A backup of a file that somebody has open cannot be removed on Windows. Later commits stage their files under other
// numbers.
func TestALeftoverThatStaysIsGoneRound(t *testing.T) {
	d := disktest.NewMemory(map[string]string{"a": "one", "b": "one"})
	if err := d.Mkdir(StateDir, 0o700); err != nil {
		t.Fatal(err)
	}
	stuck := stateName(t, d, 1, ".old")
	if err := d.Create(stuck, []byte("theirs"), disk.Meta{Perm: 0o600}); err != nil {
		t.Fatal(err)
	}
	sticky := disktest.Stuck(d, func(name string) bool { return name == stuck })
	if err := commitOn(sticky, Options{}, []Change{edit("a", "one", "two"), edit("b", "one", "two")}); err != nil {
		t.Fatal(err)
	}
	if err := recoverOn(d, Options{}); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "two", "b": "two"}, d.Files()); diff != "" {
		t.Error(diff)
	}
}

// If a state directory cannot be closed to others, recovery would not recognize it as ours, so none is made.
func TestAFileSystemWithoutModes(t *testing.T) {
	mem := disktest.NewMemory(map[string]string{"a": "one", "b": "one"})
	d := disktest.Modeless{Disk: mem}
	if err := commitOn(d, Options{}, []Change{edit("a", "one", "two"), edit("b", "one", "two")}); !errors.Is(err,
		errors.ErrUnsupported) {
		t.Errorf("two files: error %v", err)
	}
	if err := errors.Join(commitOn(d, Options{}, []Change{edit("a", "one", "two")}), clean(mem)); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"a": "two", "b": "one"}, mem.Files()); diff != "" {
		t.Error(diff)
	}
}

func TestWhoRespectsNoLockIsNoticedAtTheLastMoment(t *testing.T) {
	mem := disktest.NewMemory(map[string]string{"a": "one", "b": "one", "c": "one"})
	d := disktest.Meddling(mem, JournalName, func() { mem.Overwrite("b", []byte("theirs")) })
	err := commitOn(d, Options{}, []Change{edit("a", "one", "two"), edit("b", "one", "two"), remove("c", "one")})
	if !errors.Is(err, errs.ErrStale) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "one", "b": "theirs", "c": "one"}, mem.Files()); diff != "" {
		t.Error(diff)
	}
}

func TestWithoutLinksNoNewFileReplacesOneThatCameAtTheLastMoment(t *testing.T) {
	mem := disktest.NewMemory(map[string]string{"a": "one", "c": "one"})
	err := commitOn(disktest.LateFile(disktest.Linkless(mem)), Options{}, []Change{
		edit("a", "one", "two"),
		remove("c", "one"),
		create("n", "new"),
	})
	if !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "kept.1") {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "one", "c": "theirs", "n": "theirs"}, mem.Files()); diff != "" {
		t.Error(diff)
	}
	if kept, err := mem.ReadFile(StateDir+"/kept.1", 9); string(kept) != "one" {
		t.Errorf("kept %q, error %v", kept, err)
	}
}

// An editor writes a file in place while a commit moves it, or after a commit died that was to move it. Whatever
// happens to the commit, there is one file under one name, with what the editor wrote.
func TestAFileWrittenInPlaceWhileItIsMoved(t *testing.T) {
	rest := []Change{
		remove("a", "one"),
		edit("c", "x", "y"),
	}
	for _, test := range []struct {
		before, undone, done map[string]string
		move                 Change
	}{
		{
			map[string]string{"a": "one", "c": "x"}, map[string]string{"a": "theirs", "c": "x"},
			map[string]string{"b": "theirs", "c": "y"},
			Change{Path: "b", From: "a", After: &File{Data: []byte("one")}},
		}, {
			map[string]string{"a": "one", "b": "old", "c": "x"}, map[string]string{"a": "theirs", "b": "old", "c": "x"},
			map[string]string{"b": "theirs", "c": "y"},
			Change{Path: "b", Before: &File{Data: []byte("old")}, After: &File{Data: []byte("one")}, From: "a"},
		},
	} {
		for _, flavour := range []disktest.Flavour{disktest.Call, disktest.DieBefore, disktest.DieAfter} {
			for k, reached := 0, true; reached; k++ {
				mem := disktest.NewMemory(test.before)
				save := func() {
					if err := mem.Overwrite("a", []byte("theirs")); err != nil {
						mem.Overwrite("b", []byte("theirs"))
					}
				}
				fault := disktest.NewCall(mem, k, save)
				if flavour.Dies() {
					fault = disktest.NewFault(mem, k, flavour)
				}
				err := commitOn(fault, Options{}, append([]Change{test.move}, rest...))
				if reached = fault.Reached(); !reached {
					break
				}
				if flavour.Dies() {
					save()
					if err := recoverOn(mem, Options{}); err != nil {
						t.Errorf("killed at %d: %v", k, err)
					}
				}
				now := mem.Files()
				if !(maps.Equal(now, test.undone) && err != nil || maps.Equal(now, test.done) &&
					(err == nil || flavour.Dies())) || clean(mem) != nil {
					t.Errorf("%s, at %d: error %v, files %q, %v", flavour, k, err, now, clean(mem))
				}
			}
		}
	}
}

// A recovery finds a backup again that an earlier one kept, even if that was killed. The backup is kept before the
// journal is removed.
func TestKeepingCanBeKilled(t *testing.T) {
	changes := []Change{
		remove("a", "one"), edit("b", "two", "new"),
	}
	dead := func() *disktest.Memory {
		for k := 0; ; k++ {
			mem := disktest.NewMemory(map[string]string{"a": "one", "b": "two"})
			commitOn(disktest.NewFault(mem, k, disktest.DieBefore), Options{}, changes)
			if mem.Files()["b"] == "new" {
				mem.Create("a", []byte("theirs"), disk.Meta{})
				return mem
			}
		}
	}
	for _, stays := range []bool{true, false} {
		for k, reached := 0, true; reached; k++ {
			mem := dead()
			fault := disktest.NewFault(mem, k, []disktest.Flavour{disktest.DieBefore, disktest.DieAfter}[k%2])
			recoverOn(fault, Options{})
			reached = fault.Reached()
			_, look := mem.Lstat(JournalName)
			unfinished := look == nil
			want := map[string]string{"a": "theirs", "b": "two"}
			if !stays {
				mem.Remove("a")
				if delete(want, "a"); unfinished {
					want["a"] = "one"
				}
			}
			told, err := heard(on(mem, Options{}), (*Tree).Recover)
			if err != nil {
				t.Errorf("killed at %d: %v", k, err)
			}
			if diff := cmp.Diff(want, mem.Files()); diff != "" {
				t.Errorf("killed at %d: %s", k, diff)
			}
			kept, err := mem.ReadFile(StateDir+"/kept.1", 9)
			if stays && string(kept) != "one" || err == nil && string(kept) != "one" {
				t.Errorf("killed at %d: kept %q, error %v", k, kept, err)
			}
			if _, err := mem.Lstat(StateDir + "/kept.2"); err == nil {
				t.Errorf("killed at %d: kept twice", k)
			}
			if said := strings.Join(told, ""); stays && unfinished && !strings.Contains(said, "kept.1") {
				t.Errorf("killed at %d: %q", k, said)
			}
		}
	}
}

// No backup is kept of a file that the commit had not replaced yet when somebody wrote it in place.
func TestAFileThatWasNotReplacedYetIsNotKept(t *testing.T) {
	changes := []Change{
		edit("a", "one", "new"),
		edit("b", "two", "new"),
	}
	for k, reached := 0, true; reached; k++ {
		mem := disktest.NewMemory(map[string]string{"a": "one", "b": "two"})
		fault := disktest.NewFault(mem, k, disktest.DieBefore)
		commitOn(fault, Options{}, changes)
		reached = fault.Reached()
		if mem.Files()["b"] != "two" {
			break
		}
		mem.Overwrite("b", []byte("theirs"))
		told, err := heard(on(mem, Options{}), (*Tree).Recover)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{"a": "one", "b": "theirs"}, mem.Files()); diff != "" ||
			clean(mem) != nil || strings.Contains(strings.Join(told, ""), "kept") {
			t.Errorf("killed at %d: %v, recovered %q\n%s", k, clean(mem), told, diff)
		}
	}
}

// Somebody removes the state directory during a commit, as "git clean -fdx" does. The commit still rolls back, because
// it knows the old content.
func TestAStateDirectoryThatGoesAwayDuringACommit(t *testing.T) {
	s := scene{
		old: map[string]string{"a": "one", "d/b": "one", "gone": "one"},
		new: map[string]string{"a": "two", "d/b": "two", "d/new/n": "n"},
	}
	changes := []Change{
		edit("a", "one", "two"),
		create("d/new/n", "n"),
		remove("gone", "one"),
		edit("d/b", "one", "two"),
	}
	for _, kind := range disks {
		t.Run(kind.name, func(t *testing.T) {
			for k, reached := 0, true; reached; k++ {
				mem := s.disk()
				fault := disktest.NewCall(mem, k, func() {
					names, _ := mem.ReadDir(StateDir)
					for _, name := range names {
						mem.Remove(StateDir + "/" + name)
					}
					mem.Remove(StateDir)
				})
				err := commitOn(kind.wrap(fault, s), Options{InPlace: true}, changes)
				reached = fault.Reached()
				want := s.new
				if err != nil && !errors.Is(err, errs.ErrNotDurable) {
					want = s.old
				}
				if diff := cmp.Diff(want, mem.Files()); diff != "" || errors.Is(err, errs.ErrUnfinished) {
					t.Errorf("at %d: error %v\n%s", k, err, diff)
				}
			}
		})
	}
}

// A file that is restored without its backup gives nobody more rights than the old file.
func TestWithoutItsBackupAFileIsRestoredNarrowly(t *testing.T) {
	mem := disktest.NewMemory(map[string]string{"secret": "one"})
	gone := step{kind: entryDelete, path: "secret", dir: StateDir,
		change: remove("secret", "one")}
	mem.Remove("secret")
	if err := putBack(mem, gone); err != nil {
		t.Fatal(err)
	}
	if is, err := mem.Lstat("secret"); err != nil || is.Mode.Perm() != 0o600 {
		t.Errorf("mode %v, error %v", is.Mode, err)
	}
}

func TestARemovalThatWasAskedTwiceIsTakenBack(t *testing.T) {
	mem := disktest.NewMemory(map[string]string{"a": "one", "gone": "one"})
	err := commitOn(disktest.RemovedTwice(mem, "gone"), Options{}, []Change{
		edit("a", "one", "two"),
		remove("gone", "one"),
	})
	if !errors.Is(err, errs.ErrStale) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "one", "gone": "one"}, mem.Files()); diff != "" {
		t.Error(diff)
	}
}

func TestWhatAWriteInPlaceLeaves(t *testing.T) {
	for now, want := range map[string]bool{
		"": true, "new": true, "new t": true, "new text": true, "\x00\x00\x00 text": true, "new\x00\x00": true,
		"nex": false, "new text and": false, "their": false,
	} {
		d := disktest.NewMemory(map[string]string{"whole": "new text", "f": now})
		if torn, _, err := isTorn(d, "f", "whole", nil); torn != want || err != nil {
			t.Errorf("%q: torn %v, error %v", now, torn, err)
		}
	}
}

// If somebody else wrote a file after a commit was interrupted, that content stays, and the backup is kept.
func TestRecoveryKeepsForeignContent(t *testing.T) {
	old := map[string]string{"a": "one", "b": "one", "gone": "1"}
	changes := []Change{
		edit("a", "one", "two"),
		edit("b", "one", "two"),
		remove("gone", "1"),
		create("new", "two"),
	}
	mem := disktest.NewMemory(old)
	stopped := disktest.NewWhole(mem)
	commitOn(stopped, Options{}, changes)
	// Kill it when everything is done except for removing the journal.
	for at := stopped.Count(); ; at-- {
		mem = disktest.NewMemory(old)
		commitOn(disktest.NewFault(mem, at, disktest.DieBefore), Options{}, changes)
		if _, err := mem.Lstat(JournalName); err == nil {
			break
		}
	}
	for _, name := range []string{"a", "gone", "new"} {
		mem.Remove(name)
		mem.Create(name, []byte("foreign"), disk.Meta{})
	}
	told, err := heard(on(mem, Options{}), (*Tree).Recover)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "foreign", "b": "one", "gone": "foreign", "new": "foreign"}
	if diff := cmp.Diff(want, mem.Files()); diff != "" {
		t.Error(diff)
	}
	said := strings.Join(told, "\n")
	for _, words := range []string{"a was changed", "gone was changed", "new was changed", StateDir + "/kept.1",
		StateDir + "/kept.2"} {
		if !strings.Contains(said, words) {
			t.Errorf("%q is not in:\n%s", words, said)
		}
	}
	for name, want := range map[string]string{"/kept.1": "1", "/kept.2": "one"} {
		if data, err := mem.ReadFile(StateDir+name, 10); err != nil || string(data) != want {
			t.Errorf("%s has %q, error %v", name, data, err)
		}
	}
	if again, err := heard(on(mem, Options{}), (*Tree).Recover); err != nil || again != nil {
		t.Errorf("a second recovery: %q, error %v", again, err)
	}
	if err := commitOn(mem, Options{}, changes[1:2]); err != nil {
		t.Errorf("a commit beside kept files: %v", err)
	}
	if err := commitOn(mem, Options{}, []Change{
		remove("b", "two"), create("n", ""),
	}); err != nil {
		t.Errorf("a commit of two beside kept files: %v", err)
	}
	if names, err := mem.ReadDir(StateDir); err != nil ||
		!slices.Equal(names, []string{".gitignore", "kept.1", "kept.2"}) {
		t.Errorf("the state directory has %q, error %v", names, err)
	}
}
