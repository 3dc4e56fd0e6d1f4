package atomicedit

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Where names that differ in case alone mean one file, a move can change the case all the same, and be taken back.
func TestAMoveCanChangeTheCaseOfAName(t *testing.T) {
	for seed, text := range []string{"the text", "another text"} {
		s := scene{fold: true, old: map[string]string{"a/Readme": "the text", "b": "b"}, new: map[string]string{"a/README": text, "b": "c"}}
		s.changes = []Change{
			{Path: "a/README", From: "a/Readme", After: &File{Data: []byte(text)}},
			{Path: "a/Readme", Before: &File{Data: []byte("the text")}},
			{Path: "b", Before: &File{Data: []byte("b")}, After: &File{Data: []byte("c")}},
		}
		identity := func(d disk, _ scene) disk { return d }
		for _, flavour := range flavours {
			for k := 0; faultAt(t, s, uint64(seed), k, flavour, identity); k++ {
			}
		}
		for k, first := 0, true; first; k++ {
			for k2, second := 0, true; second; k2++ {
				first, second = killTwice(t, s, uint64(seed), k, k2, identity)
			}
		}
		disk := s.disk()
		d := newDir(disk, DirOptions{})
		if err := d.Commit(context.Background(), s.changes); err != nil {
			t.Fatal(err)
		}
		if err := d.Commit(context.Background(), Invert(s.changes)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(s.old, disk.files()); diff != "" {
			t.Errorf("after undo: %s", diff)
		}
	}
}

func TestTwoSpellingsOfOneFileAreNotTwoFiles(t *testing.T) {
	s := scene{fold: true, old: map[string]string{"a/Readme": "text"}}
	disk := s.disk()
	before := &File{Data: []byte("text")}
	err := newDir(disk, DirOptions{}).Commit(context.Background(), []Change{
		{Path: "a/README", Before: before, After: &File{Data: []byte("new")}}, {Path: "a/Readme", Before: before},
	})
	if !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("error %v", err)
	}
	err = newDir(disk, DirOptions{}).Commit(context.Background(), []Change{
		{Path: "A/Readme", Before: before, After: &File{Data: []byte("new")}}, {Path: "a/Readme", Before: before},
	})
	if !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("by two spellings of its directory: error %v", err)
	}
	if diff := cmp.Diff(s.old, disk.files()); diff != "" {
		t.Error(diff)
	}
}

// Prepare knows a move that changes nothing but the case of a name by the list of names; where the new name is that of
// another file, be it another name of the same inode, the move is refused.
func TestPrepareTellsACaseOnlyMoveFromOneOntoAnotherFile(t *testing.T) {
	plan := Plan{Ops: []Op{
		{Kind: OpMove, Path: "a/Readme", To: "a/README", Edits: []Edit{{Old: "one", New: "two"}}},
		{Kind: OpEdit, Path: "a/README", Edits: []Edit{{Old: "two", New: "three"}}},
	}}
	folding := func() *memDisk {
		d := newMemDisk(map[string]string{"a/Readme": "one"})
		d.fold = true
		return d
	}
	t.Run("on a file system that does not tell case", func(t *testing.T) {
		disk := folding()
		run(t, newDir(disk, DirOptions{}), plan, disk.files)
	})
	t.Run("in a session", func(t *testing.T) {
		disk := folding()
		s := NewSession(newDir(disk, DirOptions{}))
		if _, err := s.View(t.Context(), "a/Readme", 0, 0); err != nil {
			t.Fatal(err)
		}
		run(t, s, plan, disk.files)
	})
	t.Run("on one that does, or here", func(t *testing.T) {
		dir := SeedTree(t, map[string]string{"a/Readme": "one"})
		d, err := OpenDir(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		run(t, d, plan, func() map[string]string { return FoundTree(t, dir) })
	})
	t.Run("onto another name of the file", func(t *testing.T) {
		dir := SeedTree(t, map[string]string{"a/Readme": "one"})
		if err := os.Link(filepath.Join(dir, "a/Readme"), filepath.Join(dir, "a/README")); err != nil {
			t.Skip("no hard links, or names do not tell case: ", err)
		}
		d, err := OpenDir(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if _, err := Prepare(t.Context(), d, plan, nil); !errors.Is(err, fs.ErrExist) {
			t.Errorf("error %v", err)
		}
	})
}

// run carries out the plan and takes it back.
func run(t *testing.T, s Store, plan Plan, now func() map[string]string) {
	t.Helper()
	tr, err := Prepare(t.Context(), s, plan, nil)
	if err != nil {
		t.Fatal(err)
	}
	if f := tr.Report().Files[0]; len(tr.Report().Files) != 1 || f.Status != "moved" || f.From != "a/Readme" || f.Path != "a/README" {
		t.Errorf("report: %v", tr.Report())
	}
	if err := tr.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a/README": "three"}, now()); diff != "" {
		t.Error(diff)
	}
	if err := s.Commit(t.Context(), Invert(tr.Changes())); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"a/Readme": "one"}, now()); diff != "" {
		t.Error(diff)
	}
}
