package dir_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

// On Windows, a root is named with its drive, however a request writes that.
func TestRootsWithDrives(t *testing.T) {
	base := accepttest.Seed(t, map[string]string{"one/a": "x", "two/d/b": "x", "two/.git/config": "x"})
	two := filepath.Join(base, "two")
	r := accepttest.OpenRoots(t, filepath.Join(base, "one"), two)
	want := filepath.ToSlash(two) + "/d/b"
	for _, name := range []string{want, two + `\d\b`, "/" + want, strings.ToLower(two[:1]) + two[1:] + "/d/b",
		strings.ToUpper(two) + `\d\b`, two + `\x\..\d/b`} {
		f, err := r.Read(t.Context(), name)
		if err != nil || f.Path != want {
			t.Errorf("Read(%q): %+v, error %v, want %s", name, f, err, want)
		}
	}
	for _, name := range []string{`\x`, "/x", `Q:\x`, "/Q:/x", `\\server\share\x`, `\\?\` + two + `\d\b`} {
		if _, err := r.Read(t.Context(), name); !errors.Is(err, atomicedit.ErrOutside) {
			t.Errorf("Read(%q): error %v", name, err)
		}
	}
	for _, name := range []string{`.git\config`, ".GIT/config", ".git/new"} {
		err := r.Commit(t.Context(), []atomicedit.Change{{Path: two + `\` + name, After: &atomicedit.File{}}})
		if !errors.Is(err, fs.ErrPermission) {
			t.Errorf("Commit of %q: error %v", name, err)
		}
	}
	change := []atomicedit.Change{{Path: "a", Before: &atomicedit.File{Data: []byte("x")}, After: &atomicedit.File{}},
		{Path: want, Before: &atomicedit.File{Data: []byte("x")}, After: &atomicedit.File{}}}
	if err := r.Commit(t.Context(), change); err != nil {
		t.Error(err)
	}
}
