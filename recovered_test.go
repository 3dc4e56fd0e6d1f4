package atomicedit_test

import (
	"errors"
	"io/fs"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// A commit that rolls back one that died, before its own work, says so.
func TestACommitTellsWhatItRecovered(t *testing.T) {
	disk := disktest.NewMemory(map[string]string{"a": "one", "b": "one", "c": "one"})
	edit := func(path string) atomicedit.Change {
		return atomicedit.Change{Path: path, Before: &atomicedit.File{Data: []byte("one")}, After: &atomicedit.File{Data: []byte("two")}}
	}
	recovered := 0
	for k, reached := 0, true; reached; k++ {
		dying := disktest.NewFault(disk, k, disktest.DieBefore)
		atomicedit.NewDirOn(dying, atomicedit.DirOptions{}).Commit(t.Context(), []atomicedit.Change{edit("a"), edit("b")})
		reached = dying.Reached()
		d := atomicedit.NewDirOn(disk, atomicedit.DirOptions{})
		if err := d.Commit(t.Context(), []atomicedit.Change{edit("c")}); err != nil {
			t.Fatal(err)
		}
		want := []string{"an interrupted commit was rolled back: a, b"}
		if d.Recovered() != nil {
			if diff := cmp.Diff(want, d.Recovered()); diff != "" {
				t.Error(diff)
			}
			recovered++
		}
		if err := d.Commit(t.Context(), atomicedit.Invert([]atomicedit.Change{edit("c")})); err != nil {
			t.Fatal(err)
		}
	}
	if recovered == 0 {
		t.Error("no commit recovered anything")
	}
}

// A Dir that is open already, when another process dies in a commit, does not show what is half done.
func TestAFileOfADeadCommitIsUnfinishedUntilSomebodyTakesItBack(t *testing.T) {
	change := func(path, before, after string) atomicedit.Change {
		return atomicedit.Change{Path: path, Before: &atomicedit.File{Data: []byte(before)}, After: &atomicedit.File{Data: []byte(after)}}
	}
	old := map[string]string{"a": "A", "b": "B", "c": "C"}
	halfDone := 0
	for k, reached := 0, true; reached; k++ {
		disk := disktest.NewMemory(old)
		dying := disktest.NewFault(disk, k, disktest.DieBefore)
		changes := []atomicedit.Change{change("a", "A", "B"), change("b", "B", "A"), {Path: "n", After: &atomicedit.File{}}}
		died := atomicedit.NewDirOn(dying, atomicedit.DirOptions{}).Commit(t.Context(), changes)
		reached = dying.Reached()
		now := disk.Files()
		d := atomicedit.NewDirOn(disk, atomicedit.DirOptions{})
		r := atomicedit.NewDirOn(disk, atomicedit.DirOptions{ReadOnly: true})
		whole := maps.Equal(now, old) || errors.Is(died, atomicedit.ErrNotDurable) || died == nil
		if !whole {
			halfDone++
		}
		for _, name := range []string{"a", "b", "n"} {
			for _, d := range []*atomicedit.Dir{d, r} {
				_, err := d.Read(t.Context(), name)
				var at *fs.PathError
				if unfinished := errors.Is(err, atomicedit.ErrUnfinished); !whole && !unfinished || unfinished && (!errors.As(err, &at) || at.Path != name) {
					t.Errorf("killed at %d: Read of %s: error %v", k, name, err)
				}
			}
		}
		if _, err := d.Read(t.Context(), "c"); err != nil {
			t.Errorf("killed at %d: Read of another file: %v", k, err)
		}
		if diff := cmp.Diff(now, disk.Files()); diff != "" {
			t.Errorf("Read changed files: %s", diff)
		}
		if err := r.Recover(t.Context()); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("read only: Recover: error %v", err)
		}
		if whole {
			continue
		}
		answer, err := (&atomicedit.Host{Store: atomicedit.NewSession(d)}).View(t.Context(), "a", 0, 0)
		if err != nil || !strings.Contains(answer.Text, "A") {
			t.Errorf("killed at %d: a Host shows %q, error %v", k, answer.Text, err)
		}
		if diff := cmp.Diff(old, disk.Files()); diff != "" {
			t.Errorf("killed at %d: not rolled back: %s", k, diff)
		}
		if len(d.Recovered()) != 1 {
			t.Errorf("killed at %d: said %q", k, d.Recovered())
		}
	}
	if halfDone == 0 {
		t.Error("no commit left anything half done")
	}
}

// An edit of a Host that meets a dead commit takes it back, and goes on.
func TestAHostGoesOnAfterADeadCommit(t *testing.T) {
	disk := disktest.NewMemory(map[string]string{"a": "A\n", "b": "B\n"})
	for k := 0; ; k++ {
		dying := disktest.NewFault(disk, k, disktest.DieBefore)
		atomicedit.NewDirOn(dying, atomicedit.DirOptions{}).Commit(t.Context(), []atomicedit.Change{
			{Path: "a", Before: &atomicedit.File{Data: []byte("A\n")}, After: &atomicedit.File{Data: []byte("2\n")}},
			{Path: "b", Before: &atomicedit.File{Data: []byte("B\n")}, After: &atomicedit.File{Data: []byte("2\n")}},
		})
		if disk.Files()["a"] == "2\n" {
			break
		}
	}
	h := &atomicedit.Host{Store: atomicedit.NewDirOn(disk, atomicedit.DirOptions{})}
	answer, err := h.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{edits("a", "A", "3")}})
	if err != nil || answer.Status != "done" {
		t.Errorf("%+v, error %v", answer, err)
	}
	if diff := cmp.Diff(map[string]string{"a": "3\n", "b": "B\n"}, disk.Files()); diff != "" {
		t.Error(diff)
	}
}

// A full disk is nobody's fault; that several files cannot be changed at once is for the model.
func TestErrorsOfTheMachineryAreNoRefusal(t *testing.T) {
	plan := atomicedit.Plan{Ops: []atomicedit.Op{edits("a", "A", "B"), edits("b", "A", "B")}}
	files := map[string]string{"a": "A", "b": "A"}
	for fails, refused := range map[string]bool{"Mkdir 0": false, "Mkdir 0 denied": true, "SyncDir 0 denied": false, "Create 0": false} {
		_, err := atomicedit.Run(t.Context(), oddDir(files, atomicedit.DirOptions{}, fails), plan, nil)
		var refusal *atomicedit.Refusal
		if errors.As(err, &refusal) != refused || !refused && !errors.Is(err, disktest.ErrFull) && !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: error %v", fails, err)
		}
	}
}
