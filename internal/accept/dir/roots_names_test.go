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

// A file has one name, whatever it is asked for by.
func TestAFileOfRootsHasOneName(t *testing.T) {
	base := accepttest.Seed(t, map[string]string{
		"one/a": "1", "one/sub/b": "1", "two/a": "2", "two/in/c": "3", "out/a": "4", "link": "-> two",
		"alias":      "-> one",
		"one/to-two": "-> $DIR/two", "one/up": "-> ../two/in", "one/upup": "-> sub/../../two",
		"two/back": "-> ../one/sub/b", "one/out": "-> ../out", "one/abs": "-> $DIR/out/a",
		"two/loop": "-> ../one/loop", "one/loop": "-> $DIR/two/loop", "one/via": "-> $DIR/link/in",
		"two/via":  "-> $DIR/alias/a",
		"two/past": "-> $DIR/link/../out/a",
	})
	dir := func(name string) string { return filepath.Join(base, name) }
	for _, test := range []struct {
		roots []string
		names map[string]string // by the path that is asked for; "" if it leads outside
	}{
		{[]string{"one", "two"}, map[string]string{
			"a": "a", "./sub//b": "sub/b", "sub/../a": "a", dir("one/a"): "a", dir("one/x/../a"): "a",
			dir("two/a"): accepttest.Under(base, "two/a"), dir("two/in/../a"): accepttest.Under(base, "two/a"),
			"to-two/a": accepttest.Under(base, "two/a"), dir("one/to-two/in/c"): accepttest.Under(base, "two/in/c"),
			"up/c": accepttest.Under(base, "two/in/c"), "upup/a": accepttest.Under(base, "two/a"),
			dir("two/back"): "sub/b",
			"to-two/back":   "sub/b", "../two/a": "", "out/a": "", "abs": "", dir("out/a"): "", dir("link/a"): "",
			dir("alias/a"): "", "via/c": "", dir("two/past"): "",
			"~/a": "", "/etc/passwd": "", "new": "new", dir("two/new/x"): accepttest.Under(base, "two/new/x"),
			"to-two/new": accepttest.Under(base, "two/new"),
		}},
		{[]string{"link", "alias"}, map[string]string{
			"a": "a", dir("two/a"): "a", dir("link/a"): "a", dir("one/a"): accepttest.Under(base, "alias/a"),
			dir("alias/a"): accepttest.Under(base, "alias/a"), "back": accepttest.Under(base, "alias/sub/b"),
			dir("one/to-two/a"): "a", dir("alias/via/c"): "in/c", "via": accepttest.Under(base, "alias/a"),
		}},
		{[]string{"one", "two", "link", "one", "alias", "alias/../one"}, map[string]string{
			"a": "a", dir("alias/a"): "a", dir("link/a"): accepttest.Under(base, "two/a"),
			"via/c":        accepttest.Under(base, "two/in/c"),
			dir("two/via"): "a", dir("two/past"): "",
		}},
		{[]string{"two/in", "two", "one/sub"}, map[string]string{
			"c": "c", dir("two/in/c"): "c", dir("two/a"): accepttest.Under(base, "two/a"), dir("two/in/new"): "new",
			dir("one/a"): "", dir("two/back"): accepttest.Under(base, "one/sub/b"),
		}},
		{[]string{"two", "two/in"}, map[string]string{"in/c": "in/c", dir("two/in/c"): "in/c", "in/new": "in/new"}},
	} {
		var dirs []string
		for _, root := range test.roots {
			dirs = append(dirs, dir(root))
		}
		r := accepttest.OpenRoots(t, dirs...)
		for path, want := range test.names {
			f, err := r.Read(t.Context(), path)
			switch {
			case want == "" && !errors.Is(err, atomicedit.ErrOutside):
				t.Errorf("%q: Read(%q): %+v, error %v", test.roots, path, f, err)
			case want != "" && (f == nil || f.Path != want):
				t.Errorf("%q: Read(%q): %+v, error %v, want %s", test.roots, path, f, err, want)
			}
			is, shall := &atomicedit.File{Data: []byte("no")}, &atomicedit.File{Data: []byte("yes")}
			err = r.Commit(t.Context(), []atomicedit.Change{{Path: path, Before: is, After: shall}})
			if want == "" && !errors.Is(err, atomicedit.ErrOutside) || want != "" &&
				!errors.Is(err, atomicedit.ErrStale) {
				t.Errorf("%q: Commit of %q: error %v", test.roots, path, err)
			}
			var at *fs.PathError
			if want != "" && (!errors.As(err, &at) || at.Path != want) {
				t.Errorf("%q: Commit of %q: error %v names %+v, want %s", test.roots, path, err, at, want)
			}
		}
		for _, path := range []string{"loop", dir("two/loop")} {
			if _, err := r.Read(t.Context(), path); err == nil {
				t.Errorf("%q: Read(%q): no error", test.roots, path)
			}
		}
		for path, want := range map[string]error{"": fs.ErrInvalid, ".": fs.ErrInvalid, dirs[0]: fs.ErrInvalid,
			dirs[len(dirs)-1] + "/": fs.ErrInvalid, dirs[0] + "/a\x00": fs.ErrInvalid} {
			if _, err := r.Read(t.Context(), path); !errors.Is(err, want) {
				t.Errorf("%q: Read(%q): error %v", test.roots, path, err)
			}
		}
	}
}

func TestALinkThatLeadsOutIsNotNamedInItsStead(t *testing.T) {
	base := accepttest.Seed(t, map[string]string{"in/a": "", "in/link": "-> $DIR/out", "out": "x\n"})
	s, err := atomicedit.OpenDir(filepath.Join(base, "in"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	edit := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("link", "x", "y")}}
	_, err = atomicedit.Run(t.Context(), s, edit, nil)
	if !errors.Is(err, atomicedit.ErrOutside) || strings.Contains(err.Error(), "there") {
		t.Error(err)
	}
}
