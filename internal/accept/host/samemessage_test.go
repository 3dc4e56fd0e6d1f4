package host_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

func readError(t *testing.T, s atomicedit.Store, path string) error {
	_, err := s.Read(t.Context(), path)
	return err
}

// The same thing is said of a path in the same words, by every store, to a view, at Prepare and at Commit, and with the
// path that the request has.
func TestTheSameIsSaidOfAPathInTheSameWords(t *testing.T) {
	const (
		outside   = "outside the directory: use a path inside it"
		directory = "it is a directory, not a file: use the path of a file"
		itself    = "it is the directory itself, not a file: use the path of a file in it"
		below     = "f is not a directory, so nothing can be below it: use another path"
	)
	root := t.TempDir()
	for path, text := range map[string]string{"f": "x\n", "dir/g": "x\n", "changing": "x\n"} {
		os.Mkdir(filepath.Join(root, "dir"), 0o755)
		if err := os.WriteFile(filepath.Join(root, path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := atomicedit.OpenDir(root, nil)
	if err != nil {
		t.Skip(err)
	}
	defer dir.Close()
	if err := os.Symlink("..", filepath.Join(root, "out")); err == nil {
		_, err := atomicedit.Prepare(t.Context(), dir,
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("out/x", "x", "y")}}, nil)
		if err == nil || err.Error() != "out/x: "+outside+" (a symbolic link on this path leads out)" {
			t.Errorf("behind a link: %v", err)
		}
	}
	mem := atomicedit.NewMem(map[string]string{"f": "x\n", "dir/g": "x\n"})
	for name, store := range map[string]atomicedit.Store{"Dir": dir, "Mem": mem,
		"Session": atomicedit.NewSession(mem)} {
		for path, want := range map[string]string{
			"../f": outside, "/nowhere/f": outside, "~/f": outside, "..": outside, "../": outside, "/": outside,
			"/nowhere/": outside, "~/": outside,
			"dir": directory, "./dir": directory, "dir/": directory, "dir/../dir": directory, ".": itself, "./": itself,
			"dir/..": itself,
			"f/x":    below, "./f/x/y": below,
		} {
			for what, err := range map[string]error{"read": readError(t, store, path),
				"commit": store.Commit(t.Context(), []atomicedit.Change{{Path: path, After: &atomicedit.File{}}})} {
				var at *fs.PathError
				if !errors.As(err, &at) || !strings.HasPrefix(at.Err.Error(), want) {
					t.Errorf("%s, %s of %s itself: error %v, want %q", name, what, path, err, want)
				}
			}
			host := &atomicedit.Host{Store: store}
			view, _ := host.View(t.Context(), path, 0, 0)
			said := map[string]string{"view": view.Text}
			if want == directory || want == itself {
				if delete(said, "view"); view.Status != "shown" || !strings.Contains(view.Text, " is a directory; ") {
					t.Errorf("%s, view of %s: %q", name, path, view.Text)
				}
			}
			for what, op := range map[string]atomicedit.Op{
				"edit": accepttest.Edits(path, "x", "y"), "create": accepttest.Create(path, "x"),
				"overwrite": accepttest.Over(accepttest.Create(path, "x")), "delete": accepttest.Remove(path),
			} {
				answer, _ := host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{op}})
				said[what] = answer.Text
			}
			for what, text := range said {
				text, _, _ = strings.Cut(text, "; there is a file ")
				text, _, _ = strings.Cut(text, "; the directory remains ")
				if text != path+": "+want {
					t.Errorf("%s, %s of %s: %q, want %q", name, what, path, text, want)
				}
			}
		}
	}
	for path, want := range map[string]string{
		root: itself, root + "/": itself, root + "/.": itself, root + "/dir": directory, root + "/dir/": directory,
		filepath.Dir(root) + "/": outside,
	} {
		path = filepath.ToSlash(path)
		answer, _ := (&atomicedit.Host{Store: dir}).Do(t.Context(),
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Remove(path)}})
		if text, _, _ := strings.Cut(answer.Text, "; the directory remains "); text != path+": "+want {
			t.Errorf("%s: %q, want %q", path, answer.Text, want)
		}
		view, _ := (&atomicedit.Host{Store: dir}).View(t.Context(), path, 0, 0)
		if want != outside && (view.Status != "shown" || !strings.Contains(view.Text, " is a directory; ")) {
			t.Errorf("view of %s: %q", path, view.Text)
		}
	}
	for _, tt := range []struct {
		request, want string
		happens       func(path string) error // between Prepare and Commit
		restore       string
	}{
		{"./new/x", "new is not a directory, so nothing can be below it: use another path",
			func(path string) error { return os.WriteFile(filepath.Dir(path), nil, 0o644) }, "new"},
		{"./later", directory, func(path string) error { return os.Mkdir(path, 0o755) }, "later"},
		{"./changing", "the file has changed since it was read, at line 1, where the request changes it too. The change " +
			"since then:\n@@ -1 +1 @@\n-x\n+y\nThe change that the request makes:\n@@ -1 +1 @@\n-x\n+z\n",
			func(path string) error { return os.WriteFile(path, []byte("y\n"), 0o644) }, ""},
	} {
		op := accepttest.Create(tt.request, "x\n")
		if tt.restore == "" {
			op = accepttest.Edits(tt.request, "x", "z")
		}
		host := &atomicedit.Host{Store: dir}
		host.Approve = func(_ context.Context, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
			if err := tt.happens(filepath.Join(root, tt.request)); err != nil {
				t.Fatal(err)
			}
			return tr, nil
		}
		answer, err := host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{op}})
		if err == nil || answer.Text != tt.request+": "+tt.want &&
			!strings.HasPrefix(answer.Text, tt.request+": "+tt.want+"\nnote:") {
			t.Errorf("%s at the commit: %q, want %q", tt.request, answer.Text, tt.want)
		}
		if tt.restore != "" {
			os.RemoveAll(filepath.Join(root, tt.restore))
		}
	}
}

// A file has other line numbers than its author thinks if a formatter adds lines.
func TestANumberOfAFileThatAFormatterHasChanged(t *testing.T) {
	add := func(_ context.Context, _ string, text []byte) ([]byte, error) {
		return append([]byte("# new\n"), bytes.TrimPrefix(text, []byte("# new\n"))...), nil
	}
	m := atomicedit.NewMem(nil)
	host := &atomicedit.Host{Store: atomicedit.NewSession(m), Options: &atomicedit.Options{Format: add}}
	for _, tt := range []struct {
		op   atomicedit.Op
		want string
	}{
		{accepttest.Create("f", "a\nb\n"), "done"},
		{byNumber("f", 2, 2, "B\n"), "refused"}, // b was line 2, and is line 3
		{byNumber("f", 2, 0, "new\n"), "refused"},
		{byNumber("f", 3, 3, "B\n"), "done"},
	} {
		answer, err := host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{tt.op}})
		if answer.Status != tt.want {
			t.Errorf("%+v: %s, %v", tt.op, answer.Text, err)
		}
	}
}
