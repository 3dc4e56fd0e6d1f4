//go:build unix && !solaris && !aix

package dir_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func TestDirNeverLeavesItsDirectory(t *testing.T) {
	files := map[string]string{
		"in/a.txt": "a\n", "in/dir/b.txt": "b\n", "out.txt": "secret\n",
		"in/up": "-> ../out.txt", "in/updir": "-> ..", "in/abs": "-> $DIR/out.txt", "in/dangling": "-> ../new.txt",
		"in/loop": "-> loop", "in/state": "-> .atomicedit",
		"in/good": "-> dir/b.txt", "in/goodabs": "-> $DIR/in/a.txt", "in/gooddir": "-> dir",
	}
	base := accepttest.Seed(t, files)
	in := filepath.Join(base, "in")
	if err := unix.Mkfifo(filepath.Join(in, "fifo"), 0o644); err != nil {
		t.Fatal(err)
	}
	d := accepttest.OpenDir(t, in)
	for path, want := range map[string]error{
		"../out.txt": atomicedit.ErrOutside, "up": atomicedit.ErrOutside, "updir/out.txt": atomicedit.ErrOutside,
		"abs": atomicedit.ErrOutside, "dangling": atomicedit.ErrOutside,
		filepath.Join(base, "out.txt"): atomicedit.ErrOutside,
		"/etc/passwd":                  atomicedit.ErrOutside, "~/x": atomicedit.ErrOutside,
		".atomicedit/journal": atomicedit.ErrOutside, "dir/.AtomicEdit/x": atomicedit.ErrOutside,
		"state/x":           atomicedit.ErrOutside,
		".atomicedit-0.new": atomicedit.ErrOutside, ".atomicedit-": atomicedit.ErrOutside,
		".atomicedit. /x":     atomicedit.ErrOutside,
		".atom\u200cicedit/x": atomicedit.ErrOutside, ".atomic\u00adedit": atomicedit.ErrOutside,
		"ATOMIC~1/journal": atomicedit.ErrOutside,
		"AT12ef~1/journal": atomicedit.ErrOutside,
		"loop":             fs.ErrInvalid, "fifo": fs.ErrInvalid, "dir": fs.ErrInvalid, "a.txt/": fs.ErrInvalid,
		"a.txt/b": fs.ErrInvalid,
		"nul\x00": fs.ErrInvalid, "": fs.ErrInvalid, ".": fs.ErrInvalid,
	} {
		if _, err := d.Read(t.Context(), path); !errors.Is(err, want) {
			t.Errorf("Read(%q): error %v, want %v", path, err, want)
		}
		err := d.Commit(t.Context(), []atomicedit.Change{{Path: path, After: &atomicedit.File{Data: []byte("x")}}})
		if !errors.Is(err, want) {
			t.Errorf("Commit of %q: error %v, want %v", path, err, want)
		}
	}
	for path, want := range map[string]string{
		"a.txt": "a.txt", "./dir/../a.txt": "a.txt", "good": "dir/b.txt", "gooddir/b.txt": "dir/b.txt",
		"goodabs":                      "a.txt",
		filepath.Join(in, "dir/b.txt"): "dir/b.txt",
	} {
		if f, err := d.Read(t.Context(), path); err != nil || f.Path != want {
			t.Errorf("Read(%q): %v, error %v, want path %q", path, f, err, want)
		}
	}
	if diff := cmp.Diff(files, accepttest.Found(t, base)); diff != "" {
		t.Errorf("files have changed:\n%s", diff)
	}
}

func TestDirFollowsLinksAndKeepsThem(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"dir/a.txt": "one\n", "link": "-> dir/a.txt", "d": "-> dir",
		"new": "-> dir/new.txt"})
	d := accepttest.OpenDir(t, dir)
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("link", "one", "two"),
		accepttest.Edits("d/a.txt", "two", "three"),
		accepttest.Create("new", "n\n")}}
	report, err := atomicedit.Run(t.Context(), d, plan, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Files) != 2 || report.Files[0].Path != "dir/a.txt" {
		t.Errorf("report %v", report)
	}
	want := map[string]string{"dir/a.txt": "three\n", "dir/new.txt": "n\n", "link": "-> dir/a.txt", "d": "-> dir",
		"new": "-> dir/new.txt"}
	if diff := cmp.Diff(want, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// Whoever deletes or moves a link means the link. A link to a directory above is only a way.
func TestALinkIsNeitherDeletedNorMovedNorTheFileThatItLeadsTo(t *testing.T) {
	files := map[string]string{"one/dir/a": "a\n", "one/link": "-> dir/a", "one/chain": "-> link",
		"one/abs": "-> $DIR/two/b", "one/d": "-> dir", "one/dir/link": "-> a", "two/b": "b\n", "two/link": "-> b"}
	base := accepttest.Seed(t, files)
	d := accepttest.OpenRoots(t, filepath.Join(base, "one"), base, filepath.Join(base, "two"))
	for _, path := range []string{"link", "chain", "abs", "d/link", filepath.Join(base, "one/link"),
		filepath.Join(base, "two/link")} {
		f, err := d.Read(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		gone := []atomicedit.Change{{Path: path, Before: &atomicedit.File{Data: f.Data}}}
		errs := []error{d.Check(t.Context(), gone), d.Commit(t.Context(), gone)}
		for _, op := range []atomicedit.Op{accepttest.Remove(path), accepttest.Move(path, "new"),
			accepttest.Move(path, "new", string(f.Data), "c\n")} {
			_, err := atomicedit.Run(t.Context(), d, atomicedit.Plan{Ops: []atomicedit.Op{op}}, nil)
			errs = append(errs, err)
		}
		for _, err := range errs {
			if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "symbolic link") {
				t.Errorf("%s: error %v", path, err)
			}
		}
	}
	if diff := cmp.Diff(files, accepttest.Found(t, base)); diff != "" {
		t.Error(diff)
	}
	remove := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Remove("d/a")}}
	if _, err := atomicedit.Run(t.Context(), d, remove, nil); err != nil {
		t.Error(err)
	}
}

// ".." behind a linked directory leads to the parent of what is linked, not to that of the link.
func TestLinksBehindLinkedDirectories(t *testing.T) {
	files := map[string]string{
		"in/real/deep/x": "", "in/real/target": "real", "in/target": "another", "in/sub": "-> real/deep",
		"in/abs": "-> $DIR/in/sub/../target", "in/rel": "-> sub/../target", "in/out": "-> $DIR/in/sub/../../../outside",
		"outside": "out",
		"else/x":  "else", "link": "-> in/real", "x": "outside",
	}
	base := accepttest.Seed(t, files)
	d := accepttest.OpenDir(t, filepath.Join(base, "in"))
	for _, name := range []string{"abs", "rel"} {
		if f, err := d.Read(t.Context(), name); err != nil || f.Path != "real/target" {
			t.Errorf("%s: %v, error %v", name, f, err)
		}
	}
	if _, err := d.Read(t.Context(), "out"); !errors.Is(err, atomicedit.ErrOutside) {
		t.Errorf("out: error %v", err)
	}
	d = accepttest.OpenDir(t, base+"/link/..")
	if f, err := d.Read(t.Context(), filepath.Join(base, "in/target")); err != nil || f.Path != "target" {
		t.Errorf("target: %v, error %v", f, err)
	}
	if _, err := d.Read(t.Context(), filepath.Join(base, "x")); !errors.Is(err, atomicedit.ErrOutside) {
		t.Errorf("x: error %v", err)
	}
	if diff := cmp.Diff(files, accepttest.Found(t, base)); diff != "" {
		t.Error(diff)
	}
}

func TestACommitTellsOfAChangedFileInTheWordsOfARequest(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"a": "x\n"})
	d := accepttest.OpenDir(t, dir)
	edit := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "x", "y")}}
	tr, err := atomicedit.Prepare(t.Context(), d, edit, nil)
	if err := errors.Join(err, os.WriteFile(filepath.Join(dir, "a"), []byte("z\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	const want = "a: the file has changed since it was read; read it again"
	if err := tr.Commit(t.Context()); !errors.Is(err, atomicedit.ErrStale) || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A directory that has become a link since the plan was worked out does not lead the commit to another file.
func TestADirectoryThatBecomesALinkIsStale(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"a/x": "same", "b/x": "same"})
	d := accepttest.OpenDir(t, dir)
	tr, err := atomicedit.Prepare(t.Context(), d,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a/x", "same", "new"),
			accepttest.Create("n", "n")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	made, err := atomicedit.Prepare(t.Context(), d,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Create("a/n", "n")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Rename(dir+"/a", dir+"/c"), os.Symlink("b", dir+"/a")); err != nil {
		t.Fatal(err)
	}
	if err := tr.Commit(t.Context()); !errors.Is(err, atomicedit.ErrStale) {
		t.Errorf("error %v", err)
	}
	if err := made.Commit(t.Context()); !errors.Is(err, atomicedit.ErrStale) {
		t.Errorf("a create: error %v", err)
	}
	if err := accepttest.OpenDir(t, dir).Commit(t.Context(), tr.Changes()); !errors.Is(err, atomicedit.ErrStale) {
		t.Errorf("the changes in another Dir: error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "-> b", "b/x": "same", "c/x": "same"},
		accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// Nor does one lead an undo to another file.
func TestADirectoryThatBecomesALinkStopsAnUndo(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"a/x": "one", "b/x": "two"})
	d := accepttest.OpenDir(t, dir)
	tr, err := atomicedit.Prepare(t.Context(), d,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a/x", "one", "two")}},
		nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(tr.Commit(t.Context()), os.Rename(dir+"/a", dir+"/c"),
		os.Symlink("b", dir+"/a")); err != nil {
		t.Fatal(err)
	}
	if err := d.Commit(t.Context(), atomicedit.Invert(tr.Changes())); !errors.Is(err, atomicedit.ErrStale) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "-> b", "b/x": "two", "c/x": "two"},
		accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// The directory is known by all its absolute names, however it was opened.
func TestAbsolutePathsInside(t *testing.T) {
	base := accepttest.Seed(t, map[string]string{"real/f": "", "real/l": "-> $DIR/real/f", "link": "-> real"})
	t.Chdir(filepath.Join(base, "link"))
	for _, opened := range []string{".", filepath.Join(base, "link"), filepath.Join(base, "real"), "../real"} {
		d := accepttest.OpenDir(t, opened)
		for _, name := range []string{base + "/real/f", base + "/real//f", base + "/real/./f", base + "/real/../real/f",
			base + "/x/../real/f", "l"} {
			if f, err := d.Read(t.Context(), name); err != nil || f.Path != "f" {
				t.Errorf("opened as %q, read %q: %v, error %v", opened, name, f, err)
			}
		}
	}
}

// A parent directory is swapped for a link to the outside, again and again, while commits run.
func TestDirIsNotLedOutsideByASwap(t *testing.T) {
	base := accepttest.Seed(t, map[string]string{"in/p/a.txt": "0", "in/q/x": "", "out/a.txt": "outside"})
	in := filepath.Join(base, "in")
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Rename(filepath.Join(in, "p"), filepath.Join(in, "p2"))
			os.Symlink("../out", filepath.Join(in, "p"))
			os.Remove(filepath.Join(in, "p"))
			os.Rename(filepath.Join(in, "p2"), filepath.Join(in, "p"))
		}
	})
	d := accepttest.OpenDir(t, in)
	for n, done := 0, 0; n < 3000 && done < 100; n++ {
		f, err := d.Read(t.Context(), "p/a.txt")
		if err != nil {
			continue
		}
		err = d.Commit(t.Context(), []atomicedit.Change{{Path: "p/a.txt", Before: f,
			After: &atomicedit.File{Data: fmt.Append(nil, n)}}})
		if err == nil {
			done++
		}
		d.Commit(t.Context(), []atomicedit.Change{{Path: "p/new.txt", After: &atomicedit.File{Data: []byte("n")}}})
	}
	close(stop)
	wg.Wait()
	if diff := cmp.Diff(map[string]string{"a.txt": "outside"},
		accepttest.Found(t, filepath.Join(base, "out"))); diff != "" {
		t.Errorf("the outside has changed:\n%s", diff)
	}
}

// A state directory that came with the tree is refused and left alone.
func TestAForeignStateDirectoryIsNotTouched(t *testing.T) {
	for name, plant := range map[string]func(dir string) error{
		"open to others": func(dir string) error {
			state := filepath.Join(dir, ".atomicedit")
			return errors.Join(os.Mkdir(state, 0o755), os.Chmod(state, 0o755)) // whatever the umask is
		},
		"a file": func(dir string) error { return os.WriteFile(filepath.Join(dir, ".atomicedit"), nil, 0o600) },
		"a link": func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, "x"), 0o700),
				os.Symlink("x", filepath.Join(dir, ".atomicedit")))
		},
		"an unknown name": func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, ".atomicedit"), 0o700),
				os.WriteFile(filepath.Join(dir, ".atomicedit/notes"), nil, 0o600))
		},
		"an unknown version": func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, ".atomicedit"), 0o700),
				os.WriteFile(filepath.Join(dir, ".atomicedit/journal"),
					[]byte("atomicedit journal 2 0\ncrc32 00000000\n"), 0o600))
		},
		"a link in it": func(dir string) error {
			return errors.Join(os.Mkdir(filepath.Join(dir, ".atomicedit"), 0o700),
				os.Symlink("../a", filepath.Join(dir, ".atomicedit/0.old")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := accepttest.Seed(t, map[string]string{"a": "one"})
			d := accepttest.OpenDir(t, dir)
			if err := plant(dir); err != nil {
				t.Fatal(err)
			}
			before := accepttest.Found(t, dir)
			if _, err := atomicedit.OpenDir(dir, nil); err == nil || !strings.Contains(err.Error(), ".atomicedit") {
				t.Errorf("OpenDir: error %v", err)
			}
			if _, err := atomicedit.Run(t.Context(), d,
				atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("a", "one", "two"), accepttest.Create("n", "n")}},
				nil); err == nil {
				t.Error("Commit of two files: no error")
			}
			if diff := cmp.Diff(before, accepttest.Found(t, dir)); diff != "" {
				t.Error(diff)
			}
			r, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if f, err := r.Read(t.Context(), "a"); err != nil || string(f.Data) != "one" {
				t.Errorf("read only: %v", err)
			}
			if err := r.Commit(t.Context(), []atomicedit.Change{{Path: "n",
				After: &atomicedit.File{}}}); !errors.Is(err, fs.ErrPermission) {
				t.Errorf("read only: Commit: %v", err)
			}
			// It is in the way of nobody who changes one file.
			for _, op := range []atomicedit.Op{accepttest.Edits("a", "one", "two"), accepttest.Create("sub/n", "n"),
				accepttest.Remove("sub/n")} {
				if _, err := atomicedit.Run(t.Context(), d, atomicedit.Plan{Ops: []atomicedit.Op{op}},
					nil); err != nil {
					t.Errorf("Commit of one file: %v", err)
				}
			}
			before["a"] = "two"
			if diff := cmp.Diff(before, accepttest.Found(t, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMaxSizeIsCheckedBeforeReading(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"a": "12345"})
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{MaxSize: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Read(t.Context(), "a"); !errors.Is(err, atomicedit.ErrTooLarge) {
		t.Errorf("error %v", err)
	}
}

func TestCommitWaitsForTheLockUntilItsContextEnds(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"a": "one"})
	d := accepttest.OpenDir(t, dir)
	held, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := unix.Flock(int(held.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	change := []atomicedit.Change{{Path: "a", Before: &atomicedit.File{Data: []byte("one")},
		After: &atomicedit.File{Data: []byte("two")}}}
	if err := d.Commit(ctx, change); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("under a foreign lock: error %v", err)
	}
	if diff := cmp.Diff(map[string]string{"a": "one"}, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
	unix.Flock(int(held.Fd()), unix.LOCK_UN)
	if err := d.Commit(t.Context(), change); err != nil {
		t.Error(err)
	}
}

// The root of the system is a directory like any other, where it can be written to; no test writes there.
func TestTheRootOfTheSystemCanBeOpened(t *testing.T) {
	d, err := atomicedit.OpenDir("/", &atomicedit.DirOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	dir := accepttest.Seed(t, map[string]string{"a": "one"})
	f, err := d.Read(t.Context(), dir+"/a")
	if err != nil || string(f.Data) != "one" {
		t.Errorf("error %v", err)
	}
	if _, err := d.Read(t.Context(), "/"); err == nil || !strings.Contains(err.Error(), "it is the directory itself") {
		t.Errorf("/: error %v", err)
	}
}
