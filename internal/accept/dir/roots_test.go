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
)

// A plan over several roots is one commit, with reports, diffs and undo in the names of the files.
func TestAPlanOverSeveralRoots(t *testing.T) {
	base := accepttest.Seed(t, map[string]string{"one/a": "x\n", "two/b": "x\n", "two/c": "x\n",
		"one/link": "-> ../two/c"})
	one, two := filepath.Join(base, "one"), filepath.Join(base, "two")
	r := accepttest.OpenRoots(t, one, two)
	s := atomicedit.NewSession(r)
	for _, path := range []string{filepath.Join(one, "a"), filepath.Join(two, "b"), "link"} {
		if _, err := s.View(t.Context(), path, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	tr, err := atomicedit.Prepare(t.Context(), s, atomicedit.Plan{Ops: []atomicedit.Op{
		accepttest.Edits("a", "x", "y"), accepttest.Edits(accepttest.Under(one, "a"), "y", "z"),
		accepttest.Edits(accepttest.Under(two, "b"), "x", "y"),
		accepttest.Edits(accepttest.Under(two, "c"), "x", "y"),
		accepttest.Create(accepttest.Under(two, "d/e"), "new\n"),
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range tr.Report().Files {
		names = append(names, f.Path)
	}
	if diff := cmp.Diff([]string{"a", accepttest.Under(two, "b"), accepttest.Under(two, "c"),
		accepttest.Under(two, "d/e")}, names); diff != "" {
		t.Error(diff)
	}
	bare := strings.TrimPrefix(accepttest.Under(two, ""), "/")
	for _, line := range []string{"diff --git a/a b/a\n", "--- a/" + bare + "b\n+++ b/" + bare + "b\n",
		"--- /dev/null\n+++ b/" + bare + "d/e\n"} {
		if !strings.Contains(tr.Report().Diff, line) {
			t.Errorf("the diff lacks %q:\n%s", line, tr.Report().Diff)
		}
	}
	if err := tr.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := map[string]string{"one/a": "z\n", "two/b": "y\n", "two/c": "y\n", "two/d/e": "new\n",
		"one/link": "-> ../two/c"}
	if diff := cmp.Diff(after, accepttest.Found(t, base)); diff != "" {
		t.Error(diff)
	}
	if err := tr.Commit(t.Context()); !errors.Is(err, atomicedit.ErrStale) && !errors.Is(err, fs.ErrExist) {
		t.Errorf("again: error %v", err)
	} else if refusal := (*atomicedit.Refusal)(nil); !errors.As(err, &refusal) || len(refusal.Problems) != 4 ||
		refusal.Problems[0].Path != accepttest.Under(one, "a") || refusal.Problems[0].Op != 1 ||
		refusal.Problems[3].Op != 4 {
		t.Errorf("again: %+v", refusal)
	}
	if err := s.Commit(t.Context(), atomicedit.Invert(tr.Changes())); err != nil {
		t.Fatal(err)
	}
	delete(after, "two/d/e")
	after["one/a"], after["two/b"], after["two/c"] = "x\n", "x\n", "x\n"
	if diff := cmp.Diff(after, accepttest.Found(t, base)); diff != "" {
		t.Error(diff)
	}
	_, err = atomicedit.Prepare(t.Context(), r, atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Create("n", ""),
		accepttest.Create(filepath.Join(one, "n"), "x")}}, nil)
	if err != nil { // an empty file may be replaced by one op after the other, so this is one file
		t.Error(err)
	}
	err = r.Commit(t.Context(), []atomicedit.Change{{Path: "n", After: &atomicedit.File{}},
		{Path: accepttest.Under(one, "n"), After: &atomicedit.File{}}})
	if !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("two changes of one file: error %v", err)
	}
}

// If one root refuses, nothing changes in any.
func TestRootsRefuseTogether(t *testing.T) {
	base := accepttest.Seed(t, map[string]string{"one/a": "x", "two/b": "x", "two/.git/config": "x"})
	two := filepath.Join(base, "two")
	r := accepttest.OpenRoots(t, filepath.Join(base, "one"), two)
	good := atomicedit.Change{Path: "a", Before: &atomicedit.File{Data: []byte("x")},
		After: &atomicedit.File{Data: []byte("y")}}
	for path, want := range map[string]error{"b": atomicedit.ErrStale, ".git/config": fs.ErrPermission,
		".git/new": fs.ErrPermission, "b/c": fs.ErrInvalid} {
		bad := atomicedit.Change{Path: accepttest.Under(two, path), Before: &atomicedit.File{Data: []byte("no")},
			After: &atomicedit.File{Data: []byte("y")}}
		err := r.Commit(t.Context(), []atomicedit.Change{good, bad})
		var at *fs.PathError
		if !errors.Is(err, want) || !errors.As(err, &at) || at.Path != bad.Path ||
			!strings.Contains(err.Error(), bad.Path) {
			t.Errorf("%s: error %v about %+v, want %v", path, err, at, want)
		}
	}
	if diff := cmp.Diff(map[string]string{"one/a": "x", "two/b": "x", "two/.git/config": "x"},
		accepttest.Found(t, base)); diff != "" {
		t.Error(diff)
	}
}

// A move from one root to another keeps the mode, and can be undone.
func TestAMoveFromOneRootToAnother(t *testing.T) {
	others := map[string]string{"on one file system": t.TempDir()}
	if dir, err := os.MkdirTemp("/dev/shm", "roots"); err == nil {
		t.Cleanup(func() { os.RemoveAll(dir) })
		others["to another file system"] = dir
	}
	for name, two := range others {
		t.Run(name, func(t *testing.T) {
			one := accepttest.Seed(t, map[string]string{"run.sh": "x\n", "b": "b\n"})
			if err := os.Chmod(filepath.Join(one, "run.sh"), 0o750); err != nil {
				t.Fatal(err)
			}
			mode := func(name string) fs.FileMode {
				is, err := os.Stat(name)
				if err != nil {
					t.Fatal(err)
				}
				return is.Mode()
			}
			want := mode(filepath.Join(one, "run.sh"))
			r := accepttest.OpenRoots(t, one, two)
			for step, plan := range []struct {
				op   atomicedit.Op
				text string
			}{
				{atomicedit.Op{Kind: atomicedit.OpMove, Path: "run.sh", To: accepttest.Under(two, "bin/run.sh")},
					"x\n"},
				{atomicedit.Op{Kind: atomicedit.OpMove, Path: "run.sh", To: accepttest.Under(two, "run.sh"),
					Edits: []atomicedit.Edit{{Old: "x", New: "y"}}}, "y\n"},
				{atomicedit.Op{Kind: atomicedit.OpMove, Path: "run.sh", To: accepttest.Under(two, "there"),
					Overwrite: true},
					"x\n"},
			} {
				there := filepath.Join(two, "there")
				if err := os.WriteFile(there, []byte("there"), 0o600); err != nil {
					t.Fatal(err)
				}
				tr, err := atomicedit.Prepare(t.Context(), r, atomicedit.Plan{Ops: []atomicedit.Op{plan.op}}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if err := tr.Commit(t.Context()); err != nil {
					t.Fatal(err)
				}
				moved := filepath.FromSlash(plan.op.To)
				data, err := os.ReadFile(moved)
				if _, gone := os.Stat(filepath.Join(one, "run.sh")); err != nil || string(data) != plan.text ||
					mode(moved) != want || !errors.Is(gone, fs.ErrNotExist) {
					t.Errorf("step %d: %q, error %v, mode %v, want %v; the old file: %v", step, data, err, mode(moved),
						want, gone)
				}
				if err := r.Commit(t.Context(), atomicedit.Invert(tr.Changes())); err != nil {
					t.Fatal(err)
				}
				if data, err := os.ReadFile(filepath.Join(one, "run.sh")); err != nil || string(data) != "x\n" ||
					mode(filepath.Join(one, "run.sh")) != want {
					t.Errorf("step %d, undone: %q, error %v", step, data, err)
				}
				if data, err := os.ReadFile(there); err != nil || string(data) != "there" {
					t.Errorf("step %d, undone: %q, error %v", step, data, err)
				}
			}
		})
	}
}

// A root that is deleted has no files, and the others go on. One made in its place has to be added.
func TestARootThatDisappears(t *testing.T) {
	base := accepttest.Seed(t, map[string]string{"one/a": "x", "two/b": "x"})
	two := filepath.Join(base, "two")
	r := accepttest.OpenRoots(t, filepath.Join(base, "one"), two)
	if err := os.RemoveAll(two); err != nil {
		t.Skip("a directory that is open cannot be removed here: ", err)
	}
	a := atomicedit.Change{Path: "a", Before: &atomicedit.File{Data: []byte("x")},
		After: &atomicedit.File{Data: []byte("y")}}
	for range 2 {
		if _, err := r.Read(t.Context(), accepttest.Under(two, "b")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("error %v", err)
		}
		if err := r.Commit(t.Context(), []atomicedit.Change{a,
			{Path: accepttest.Under(two, "b"), After: &atomicedit.File{}}}); err == nil {
			t.Error("a file was made in a directory that is gone")
		}
		if err := r.Commit(t.Context(), []atomicedit.Change{a}); err != nil {
			t.Error(err)
		}
		a = atomicedit.Invert([]atomicedit.Change{a})[0]
		if err := os.MkdirAll(two, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Add(two); err != nil {
		t.Fatal(err)
	}
	if err := r.Commit(t.Context(), []atomicedit.Change{a,
		{Path: accepttest.Under(two, "b"), After: &atomicedit.File{Data: []byte("new")}}}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"one/a": "y", "two/b": "new"}, accepttest.Found(t, base)); diff != "" {
		t.Error(diff)
	}
}

// Roots can be added while commits are at work.
func TestAddWhileCommitsAreAtWork(t *testing.T) {
	const n = 8
	base := t.TempDir()
	dir := func(i int) string {
		name := filepath.Join(base, fmt.Sprint(i))
		if err := os.MkdirAll(name, 0o755); err != nil {
			t.Error(err)
		}
		return name
	}
	r := accepttest.OpenRoots(t, dir(0))
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if err := errors.Join(r.Add(dir(i)), r.Add(dir((i+1)%n))); err != nil {
				t.Error(err)
			}
			change := atomicedit.Change{Path: accepttest.Under(dir(i), fmt.Sprint("x", i)), After: &atomicedit.File{}}
			also := atomicedit.Change{Path: accepttest.Under(dir((i+1)%n), fmt.Sprint("y", i)),
				After: &atomicedit.File{}}
			for range 5 {
				if err := r.Commit(t.Context(), []atomicedit.Change{change, also}); err != nil {
					t.Error(err)
				}
				if err := r.Commit(t.Context(), atomicedit.Invert([]atomicedit.Change{change, also})); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if left := accepttest.Found(t, base); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

func TestRootsThatCannotBeOpened(t *testing.T) {
	base := accepttest.Seed(t, map[string]string{"one/a": "x", "file": "x"})
	accepttest.SkipWithoutDirs(t)
	one := filepath.Join(base, "one")
	for _, dir := range []string{"", filepath.Join(base, "none"), filepath.Join(base, "file")} {
		if d, err := atomicedit.OpenDir(dir, nil); err == nil {
			t.Errorf("%q: %v", dir, d)
		}
	}
	if _, err := atomicedit.OpenDir(one, &atomicedit.DirOptions{MaxSize: -1}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("error %v", err)
	}
	r := accepttest.OpenRoots(t, one)
	for _, dir := range []string{"", filepath.Join(base, "file"), filepath.Join(base, "file", "none")} {
		if err := r.Add(dir); err == nil {
			t.Errorf("Add(%q) worked", dir)
		}
	}
	if _, err := r.Read(t.Context(), "a"); err != nil {
		t.Error(err)
	}
	if err := errors.Join(r.Close(), r.Close()); err != nil {
		t.Error(err)
	}
	for _, err := range callsOf(r) {
		if !errors.Is(err, fs.ErrClosed) {
			t.Errorf("after Close: error %v", err)
		}
	}
	for _, zero := range []*atomicedit.Dir{nil, {}} {
		for _, err := range append(callsOf(zero), zero.Close()) {
			if err == nil || !strings.Contains(err.Error(), "OpenDir") {
				t.Errorf("zero: error %v", err)
			}
		}
		if zero.Respells(t.Context(), "a", "A") || zero.Recovered() != nil {
			t.Error("a zero Dir knows something")
		}
	}
}

// callsOf returns the errors of all calls that can fail.
func callsOf(r *atomicedit.Dir) []error {
	ctx := context.Background()
	_, err := r.Read(ctx, "a")
	return []error{err, r.Commit(ctx, nil), r.Check(ctx, []atomicedit.Change{{Path: "a", After: &atomicedit.File{}}}),
		r.Add("."), r.Recover(ctx),
		r.RecoverForeign(ctx), r.Discard(ctx)}
}

// Every format can name files by absolute paths.
func TestRequestsWithAbsolutePaths(t *testing.T) {
	for _, test := range []struct {
		format string
		parse  func(text string) (atomicedit.Plan, error)
		text   string // with $ for the root, and % for the root without its first slash
	}{
		{"blocks", atomicedit.ParseBlocks, "$/b\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"},
		{"v4a", atomicedit.ParseV4A, "*** Begin Patch\n*** Update File: $/b\n@@\n-x\n+y\n*** End Patch\n"},
		{"unified", atomicedit.ParseUnified, "--- $/b\n+++ $/b\n@@ -1 +1 @@\n-x\n+y\n"},
		{"hashline", atomicedit.Parse, "[$/b]\nPUT 1:\n+y\n"},
		{"json", func(text string) (atomicedit.Plan, error) { return atomicedit.ParseJSON([]byte(text)) },
			`{"file_path":"$/b","old_string":"x","new_string":"y"}`},
		{"json with a cwd", atomicedit.Parse, `{"cwd":"$","path":"b","edits":[{"old_string":"x","new_string":"y"}]}`},
		{"lsp", func(text string) (atomicedit.Plan, error) { return atomicedit.ParseLSP([]byte(text)) },
			`{"changes":{"file:///%/b":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"newText":"y"}]}}`},
		{"script", atomicedit.Parse, "cd $ && apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: " +
			"b\n@@\n-x\n+y\n*** End Patch\nEOF\n"},
	} {
		t.Run(test.format, func(t *testing.T) {
			two := accepttest.Seed(t, map[string]string{"b": "x\n"})
			r := accepttest.OpenRoots(t, t.TempDir(), two)
			plan, err := test.parse(strings.NewReplacer("$", filepath.ToSlash(two), "%",
				strings.TrimPrefix(filepath.ToSlash(two), "/")).Replace(test.text))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := atomicedit.Run(t.Context(), r, plan, nil); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[string]string{"b": "y\n"}, accepttest.Found(t, two)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Roots that share directories, in other orders and one in another, wait for one another and lose no update.
func TestRootsInOtherOrdersLoseNoUpdate(t *testing.T) {
	base := accepttest.Seed(t, map[string]string{"one/sub/n": "0", "two/n": "0"})
	one, sub, two := filepath.Join(base, "one"), filepath.Join(base, "one", "sub"), filepath.Join(base, "two")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	const times = 10
	orders := [][]string{{one, two}, {two, one}, {sub, two}, {two, sub, one}}
	for _, dirs := range orders {
		r := accepttest.OpenRoots(t, dirs...)
		wg.Go(func() {
			for done := 0; done < times; {
				a, err := r.Read(ctx, filepath.Join(sub, "n"))
				b, err2 := r.Read(ctx, filepath.Join(two, "n"))
				if err := errors.Join(err, err2); err != nil {
					if !errors.Is(err, atomicedit.ErrStale) {
						t.Error(err)
						return
					}
					continue
				}
				var n int
				fmt.Sscan(string(a.Data), &n)
				after := &atomicedit.File{Data: fmt.Append(nil, n+1)}
				err = r.Commit(ctx, []atomicedit.Change{{Path: a.Path, Before: a, After: after},
					{Path: b.Path, Before: &atomicedit.File{Data: a.Data}, After: after}})
				switch {
				case err == nil:
					done++
				case !errors.Is(err, atomicedit.ErrStale):
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	want := fmt.Sprint(times * len(orders))
	if diff := cmp.Diff(map[string]string{"one/sub/n": want, "two/n": want}, accepttest.Found(t, base)); diff != "" {
		t.Error(diff)
	}
}
