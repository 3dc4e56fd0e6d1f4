package git

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
)

func TestNamesAreThoseOfOneDirectory(t *testing.T) {
	s := open(t, bare(t), nil)
	if names, err := s.Names(t.Context(), ""); err != nil || len(names) > 0 {
		t.Errorf("an empty tree has %q, %v", names, err)
	}
	var changes []atomicedit.Change
	for _, path := range []string{"a/x", "a/y", "a/z/deep", "a-b", "a.txt", "b", "\xff\xff", "é/1"} {
		changes = append(changes, atomicedit.Change{Path: path, After: &atomicedit.File{}})
	}
	if err := s.Commit(t.Context(), changes); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string][]string{
		"": {"a-b", "a.txt", "a/", "b", "é/", "\xff\xff"}, ".": {"a-b", "a.txt", "a/", "b", "é/", "\xff\xff"},
		"a": {"x", "y", "z/"}, "./a/": {"x", "y", "z/"}, "a/z": {"deep"},
	} {
		names, err := s.Names(t.Context(), dir)
		if diff := cmp.Diff(want, names); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", dir, err, diff)
		}
	}
	for dir, want := range map[string]error{
		"c": fs.ErrNotExist, "b": fs.ErrInvalid, "b/": fs.ErrInvalid, "b/c": fs.ErrInvalid, "..": atomicedit.ErrOutside,
		"/": fs.ErrInvalid, ".git": fs.ErrInvalid,
	} {
		if names, err := s.Names(t.Context(), dir); !errors.Is(err, want) {
			t.Errorf("%q: %q, %v, want %v", dir, names, err, want)
		}
	}
}

func TestNamesLeavesOutWhatIsNoFile(t *testing.T) {
	dir := bare(t)
	s := open(t, dir, nil)
	if err := s.Commit(t.Context(),
		[]atomicedit.Change{{Path: "f", After: &atomicedit.File{Data: []byte("x")}}}); err != nil {
		t.Fatal(err)
	}
	blob := run(t, dir, "rev-parse", "HEAD:f")
	run(t, dir, "update-index", "--add", "--cacheinfo", "100644,"+blob+",f", "--cacheinfo", "120000,"+blob+",link")
	run(t, dir, "update-ref", "HEAD",
		run(t, dir, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit-tree", "-m", "x",
			run(t, dir, "write-tree")))
	if names, err := s.Names(t.Context(), "."); err != nil || !cmp.Equal(names, []string{"f"}) {
		t.Errorf("%q, %v", names, err)
	}
}
