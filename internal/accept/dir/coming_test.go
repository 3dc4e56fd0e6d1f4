package dir_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

// A root that is not there is made by the first commit that makes a file in it, and by nothing else.
func TestARootThatIsNotThereIsMadeByACommit(t *testing.T) {
	accepttest.SkipWithoutDirs(t)
	base := accepttest.Seed(t, map[string]string{"one/a": "x"})
	one, two := filepath.Join(base, "one"), filepath.Join(base, "new", "two")
	d := accepttest.OpenRoots(t, one)
	for range 2 {
		if err := d.Add(two); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(two, "sub", "b")
	if _, err := d.Read(t.Context(), name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read: error %v", err)
	}
	host := &atomicedit.Host{Store: d}
	host.Approve = func(context.Context, *atomicedit.Transaction) (*atomicedit.Transaction, error) {
		return nil, errors.New("no")
	}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Create(name, "1"), accepttest.Edits("a", "x", "y")}}
	if _, err := host.Do(t.Context(), plan); !errors.Is(err, atomicedit.ErrDenied) {
		t.Errorf("error %v", err)
	}
	if err := errors.Join(d.Recover(t.Context()), d.Discard(t.Context())); err != nil {
		t.Error(err)
	}
	if got := accepttest.Found(t, base); !cmp.Equal(got, map[string]string{"one/a": "x"}) {
		t.Errorf("before the commit: %q", got)
	}
	host.Approve = nil
	if _, err := host.Do(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	if f, err := d.Read(t.Context(), name); err != nil || string(f.Data) != "1" {
		t.Errorf("Read: %+v, error %v", f, err)
	}
	want := map[string]string{"one/a": "y", "new/two/sub/b": "1"}
	if got := accepttest.Found(t, base); !cmp.Equal(got, want) {
		t.Errorf("after the commit: %q", got)
	}
	if err := d.Add(two); err != nil { // it is the same directory
		t.Error(err)
	}
}

// A root that is not there stays inside the directory above it, whatever somebody puts in its place.
func TestARootThatIsNotThereFollowsNoLink(t *testing.T) {
	accepttest.SkipWithoutDirs(t)
	base := accepttest.Seed(t, map[string]string{"one/a": "x", "other/a": "secret"})
	d := accepttest.OpenRoots(t, filepath.Join(base, "one"))
	two := filepath.Join(base, "two", "sub")
	if err := d.Add(two); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("other", filepath.Join(base, "two")); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(filepath.Join(base, "other", "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Create(filepath.Join(two, "n"), "1")}}
	if _, err := atomicedit.Run(t.Context(), d, plan, nil); err == nil {
		t.Error("a file was made through the link")
	}
	if got := accepttest.Found(t, filepath.Join(base, "other")); !cmp.Equal(got, map[string]string{"a": "secret"}) {
		t.Errorf("found %q", got)
	}
}

// Somebody else may make the directory. Its files are then those of the root.
func TestARootThatSomebodyElseMakes(t *testing.T) {
	accepttest.SkipWithoutDirs(t)
	base := accepttest.Seed(t, map[string]string{"one/a": "x"})
	d := accepttest.OpenRoots(t, filepath.Join(base, "one"))
	two := filepath.Join(base, "two")
	if err := d.Add(two); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(two, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(two, "b"), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits(filepath.Join(two, "b"), "old", "new")}}
	if _, err := atomicedit.Run(t.Context(), d, plan, nil); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(filepath.Join(two, "b")); err != nil || string(data) != "new" {
		t.Errorf("%q, error %v", data, err)
	}
}

// Has tells what is inside a root from what is not, and from what cannot be told.
func TestHas(t *testing.T) {
	accepttest.SkipWithoutDirs(t)
	base := accepttest.Seed(t, map[string]string{"one/a": "x", "one/out": "-> ../other", "other/a": "x"})
	one := filepath.Join(base, "one")
	d := accepttest.OpenRoots(t, one)
	got := map[string]bool{}
	for _, path := range []string{"a", "none/b", filepath.Join(one, "n"), "../other/a",
		filepath.Join(base, "other", "a"),
		"out/a", ".atomicedit/journal", ""} {
		if d.Has(path) {
			got[path] = true
		}
	}
	if want := map[string]bool{"a": true, "none/b": true, filepath.Join(one, "n"): true}; !cmp.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if d.Close(); d.Has("a") {
		t.Error("a closed Dir has a file")
	}
}
