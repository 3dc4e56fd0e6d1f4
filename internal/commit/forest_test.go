package commit

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// A vault inside any of the trees could be changed by a request.
func TestTheVaultsOfAForestAreOutsideAllTrees(t *testing.T) {
	base := disktest.SeedTree(t, map[string]string{"one/a": "", "two/a": "", "state/a": ""})
	add := func(f Forest, dir string) Forest {
		t.Helper()
		f, err := f.Add(filepath.Join(base, dir), Options{StateDir: filepath.Join(base, "state")})
		if err != nil {
			t.Skip(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	f := add(add(Forest{}, "one"), "two")
	before := f.trees[0].vault
	if before.file == "" || f.trees[1].vault.file == "" {
		t.Errorf("no vaults: %+v", f)
	}
	g := add(f, "state")
	for i, tree := range g.trees {
		if tree.vault.file != "" {
			t.Errorf("tree %d has a vault in a tree: %s", i, tree.vault.file)
		}
	}
	if f.trees[0].vault != before {
		t.Error("the smaller forest has changed")
	}
}

func TestNamesThatAreMerged(t *testing.T) {
	for _, test := range []struct{ more, names, want []string }{
		{[]string{"/b"}, []string{"/a"}, []string{"/a", "/b", "/a"}},
		{[]string{"/b", "/a"}, []string{"/link", "/a"}, []string{"/link", "/b", "/a"}},
		{[]string{"/a"}, []string{"/link", "/x", "/a"}, []string{"/link", "/x", "/a"}},
		{[]string{"/b"}, nil, []string{"/b"}},
	} {
		if diff := cmp.Diff(test.want, merged(test.more, test.names)); diff != "" {
			t.Errorf("%q, %q: %s", test.more, test.names, diff)
		}
	}
}

// A directory that becomes a link between two looks at it leads a commit nowhere else.
func TestADirectoryThatBecomesALinkBetweenTwoTrees(t *testing.T) {
	base := disktest.SeedTree(t, map[string]string{"one/d/a": "x", "two/a": "x"})
	f, err := Forest{}.Add(filepath.Join(base, "one"), Options{MaxSize: 10})
	if err == nil {
		f, err = f.Add(filepath.Join(base, "two"), Options{MaxSize: 10})
	}
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	was, err := f.read("d/a")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(base, "one", "d")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(base, "two"), filepath.Join(base, "one", "d")); err != nil {
		t.Skip(err)
	}
	if err := f.Commit(t.Context(), []Change{{Path: "d/a", Before: was, After: file("y")}}); err == nil {
		t.Error("a commit has gone to another file")
	}
	if diff := cmp.Diff(map[string]string{"one/d": "-> $DIR/two", "two/a": "x"},
		disktest.FoundTree(t, base)); diff != "" {
		t.Error(diff)
	}
}
