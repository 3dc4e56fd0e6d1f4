package atomicedit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// Prepare knows a move that changes nothing but the case of a name by the list of names; where the new name is that of
// another file, be it another name of the same inode, the move is refused.
func TestPrepareTellsACaseOnlyMoveFromOneOntoAnotherFile(t *testing.T) {
	plan := Plan{Ops: []Op{
		{Kind: OpMove, Path: "a/Readme", To: "a/README", Edits: []Edit{{Old: "one", New: "two"}}},
		{Kind: OpEdit, Path: "a/README", Edits: []Edit{{Old: "two", New: "three"}}},
	}}
	folding := func() *disktest.Memory {
		d := disktest.NewMemory(map[string]string{"a/Readme": "one"})
		d.Fold = true
		return d
	}
	t.Run("on a file system that does not tell case", func(t *testing.T) {
		disk := folding()
		run(t, NewDirOn(disk, DirOptions{}), plan, disk.Files)
	})
	t.Run("in a session", func(t *testing.T) {
		disk := folding()
		s := NewSession(NewDirOn(disk, DirOptions{}))
		if _, err := s.View(t.Context(), "a/Readme", 0, 0); err != nil {
			t.Fatal(err)
		}
		run(t, s, plan, disk.Files)
	})
	t.Run("on one that does, or here", func(t *testing.T) {
		SkipWithoutDirs(t)
		dir := disktest.SeedTree(t, map[string]string{"a/Readme": "one"})
		d, err := OpenDir(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		run(t, d, plan, func() map[string]string { return disktest.FoundTree(t, dir) })
	})
	t.Run("onto another name of the file", func(t *testing.T) {
		SkipWithoutDirs(t)
		dir := disktest.SeedTree(t, map[string]string{"a/Readme": "one"})
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
