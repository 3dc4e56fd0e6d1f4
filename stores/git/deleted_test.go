package git

import (
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
)

// A branch that somebody has deleted does not begin anew with the files of the next commit alone.
func TestABranchThatIsDeletedIsNotBegunAnew(t *testing.T) {
	create := func(path string) []atomicedit.Change {
		return []atomicedit.Change{{Path: path, After: &atomicedit.File{Data: []byte("x\n")}}}
	}
	dir := bare(t)
	committed := open(t, dir, nil)
	if err := committed.Commit(t.Context(), create("f")); err != nil {
		t.Fatal(err)
	}
	read := open(t, dir, nil)
	if _, err := read.Read(t.Context(), "f"); err != nil {
		t.Fatal(err)
	}
	remote := mirror(t, dir)
	if _, err := remote.Read(t.Context(), "f"); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "update-ref", "-d", "refs/heads/main")
	for name, s := range map[string]*Store{"that has committed": committed, "that has read": read, "behind a mirror": remote} {
		if err := s.Commit(t.Context(), create("g")); err == nil || !strings.Contains(err.Error(), "deleted") {
			t.Errorf("a store %s: %v", name, err)
		}
	}
	if err := open(t, dir, nil).Commit(t.Context(), create("g")); err != nil {
		t.Error(err)
	}
}
