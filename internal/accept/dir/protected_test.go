package dir_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

// A Dir protects what is below a .git, unless its options allow to change it, and what the options name.
func TestADirProtectsARepository(t *testing.T) {
	git := func(more ...string) map[string]bool {
		refused := map[string]bool{".git/config": true, "sub/.git/config": true, "sub/.git/new": true,
			"link/config": true}
		for _, name := range more {
			refused[name] = true
		}
		return refused
	}
	for _, test := range []struct {
		name    string
		options atomicedit.DirOptions
		refused map[string]bool
	}{
		{"as a rule", atomicedit.DirOptions{}, git()},
		{"an empty list", atomicedit.DirOptions{Protected: []string{}}, git()},
		{"nothing", atomicedit.DirOptions{AllowGit: true}, map[string]bool{}},
		{"other names", atomicedit.DirOptions{Protected: []string{".env", "*.pem"}}, git(".env", "sub/key.pem")},
		{"only other names", atomicedit.DirOptions{Protected: []string{".env", "*.pem"}, AllowGit: true},
			map[string]bool{".env": true, "sub/key.pem": true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{".git/config": "x", "sub/.git/config": "x", "link": "-> .git", ".env": "x",
				"sub/key.pem": "x", "a": "z"}
			dir := accepttest.Seed(t, files)
			test.options.Durability = atomicedit.DurableNone
			d := accepttest.OpenWith(t, dir, test.options)
			host := &atomicedit.Host{Store: d}
			host.Approve = func(context.Context, *atomicedit.Transaction) (*atomicedit.Transaction, error) {
				return nil, errors.New("asked")
			}
			for _, path := range []string{".git/config", "sub/.git/config", "sub/.git/new", "link/config", ".env",
				"sub/key.pem", "a"} {
				if f, err := d.Read(t.Context(), path); filepath.Base(path) != "new" &&
					(err != nil || string(f.Data) != files[path] && path != "link/config") {
					t.Errorf("Read(%q): %+v, error %v", path, f, err)
				}
				op := accepttest.Over(accepttest.Create(path, "y"))
				if _, err := host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{op}}); errors.Is(err,
					fs.ErrPermission) != test.refused[path] ||
					errors.Is(err, atomicedit.ErrDenied) == test.refused[path] {
					t.Errorf("%s: error %v", path, err)
				}
				op = atomicedit.Op{Kind: atomicedit.OpMove, Path: "a", To: path, Overwrite: true}
				if _, err := host.Do(t.Context(), atomicedit.Plan{Ops: []atomicedit.Op{op}}); path != "a" &&
					errors.Is(err, fs.ErrPermission) != test.refused[path] {
					t.Errorf("a move to %s: error %v", path, err)
				}
			}
			if diff := cmp.Diff(files, accepttest.Found(t, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A file that cannot be replaced because it is there, and cannot be edited either, is not to be edited instead.
func TestAProtectedFileIsNotCreatedAnew(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{".git/config": "x\n", "a": "x\n"})
	for path, want := range map[string]string{
		".git/config": "everything below .git is protected against changes: leave it alone, or ask the user",
		"a":           "edit it instead",
	} {
		for _, store := range []atomicedit.Store{accepttest.OpenDir(t, dir),
			atomicedit.NewSession(accepttest.OpenRoots(t, dir))} {
			_, err := atomicedit.Prepare(t.Context(), store,
				atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Create(path, "y")}},
				nil)
			if want := path + ": the file is already there; " +
				want; !errors.Is(err, fs.ErrExist) || err.Error() != want {
				t.Errorf("%T: error %v, want %s", store, err, want)
			}
		}
	}
}

// A work tree of git has a file called .git, which says where the repository is.
func TestTheGitFileOfAWorkTreeIsProtected(t *testing.T) {
	files := map[string]string{
		"work/.git": "gitdir: ../repository/worktrees/work\n", "repository/HEAD": "x", "repository/objects/x": "",
		"repository/refs/x":                "",
		"repository/worktrees/work/config": "x", "work/a": "x",
	}
	dir := accepttest.Seed(t, files)
	d := accepttest.OpenDir(t, dir)
	for _, path := range []string{"work/.git", "repository/worktrees/work/config", "repository/hooks/post-checkout"} {
		err := d.Commit(t.Context(), []atomicedit.Change{{Path: path, After: &atomicedit.File{Data: []byte("y")}}})
		if !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: error %v", path, err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "work", ".git")); err != nil {
		t.Fatal(err)
	}
	err := d.Commit(t.Context(), []atomicedit.Change{{Path: "work/.git",
		After: &atomicedit.File{Data: []byte("gitdir: /tmp/evil\n")}}})
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a new .git: error %v", err)
	}
}

// A directory that is opened itself may be a repository: somebody has chosen it.
func TestARepositoryThatIsOpenedItself(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{".git/HEAD": "x", ".git/objects/x": "", ".git/refs/x": "",
		".git/config": "x"})
	d := accepttest.OpenDir(t, filepath.Join(dir, ".git"))
	change := atomicedit.Change{Path: "config", Before: &atomicedit.File{Data: []byte("x")},
		After: &atomicedit.File{Data: []byte("y")}}
	if err := d.Commit(t.Context(), []atomicedit.Change{change}); err != nil {
		t.Error(err)
	}
}

func TestProtectedNamesThatMakeNoSense(t *testing.T) {
	accepttest.SkipWithoutDirs(t)
	for _, name := range []string{"", "/etc", "a/", "..", "[", "**/key", "secret/**", `secret\key`} {
		d, err := atomicedit.OpenDir(t.TempDir(), &atomicedit.DirOptions{Protected: []string{name}})
		if !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: %v, error %v", name, d, err)
		}
	}
}

// What a protected link leads to is protected under its own name in some cases only, which the documentation of
// DirOptions lists.
func TestTheTargetOfAProtectedLink(t *testing.T) {
	base := accepttest.Seed(t, map[string]string{"literal": "x", "pattern": "x", "case": "x", "beside": "x",
		"in/another":     "x",
		"gh/workflows/a": "x"})
	for link, to := range map[string]string{
		".env": "literal", ".key.pem": "pattern", ".NETRC": "case", "in/.ssh": "../beside", ".token": "in/another",
		".github": "gh",
	} {
		if err := os.Symlink(to, filepath.Join(base, link)); err != nil {
			t.Skip(err)
		}
	}
	o := &atomicedit.DirOptions{Protected: []string{".env", "*.pem", ".netrc", ".ssh", ".token", ".github/workflows"}}
	d := accepttest.OpenWith(t, base, *o)
	if _, err := os.Stat(filepath.Join(base, ".netrc")); err == nil {
		t.Skip("this file system ignores case")
	}
	for path, want := range map[string]bool{"literal": true, "pattern": false, "case": false, "beside": false,
		"in/another": true, "gh/workflows/a": true} {
		if err := d.Check(t.Context(), []atomicedit.Change{{Path: path, After: &atomicedit.File{}}}); errors.Is(err,
			fs.ErrPermission) != want {
			t.Errorf("%s: error %v", path, err)
		}
	}
	roots, err := atomicedit.OpenDir(filepath.Join(base, "in"), o)
	if err == nil {
		err = roots.Add(base)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer roots.Close()
	if err := roots.Check(t.Context(), []atomicedit.Change{{Path: "another", After: &atomicedit.File{}}}); err != nil {
		t.Errorf("the link is in another root: %v", err)
	}
	if err := roots.Check(t.Context(),
		[]atomicedit.Change{{Path: accepttest.Under(base, ".token"), After: &atomicedit.File{}}}); !errors.Is(err,
		fs.ErrPermission) {
		t.Errorf("by the link: %v", err)
	}
}

// A protected name that is a link protects what is changed through it, wherever it leads.
func TestNothingIsChangedThroughALinkWithAProtectedName(t *testing.T) {
	one := accepttest.Seed(t, map[string]string{"conf/env": "x\n", "conf/keys/a": "x\n", "app/b": "z\n"})
	two := accepttest.Seed(t, map[string]string{"env": "x\n", "keys/a": "x\n"})
	for link, to := range map[string]string{
		".env.local": "conf/env", "app/.netrc": "../conf/env", "app/.ssh": "../conf/keys", "chain": "app/.ssh",
		".netrc": filepath.Join(two, "env"), ".ssh": filepath.Join(two, "keys"),
	} {
		if err := os.Symlink(to, filepath.Join(one, link)); err != nil {
			t.Skip(err)
		}
	}
	o := &atomicedit.DirOptions{Protected: []string{".env*", ".netrc", ".ssh"}}
	dir, err := atomicedit.OpenDir(one, o)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	roots, err := atomicedit.OpenDir(one, o)
	if err == nil {
		err = roots.Add(two)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer roots.Close()
	inside := []string{".env.local", "app/.netrc", "app/.ssh/a", "app/.ssh/new", "./app/../chain/a",
		filepath.ToSlash(one) + "/app/.netrc"}
	for _, test := range []struct {
		store atomicedit.Store
		names []string
	}{
		{dir, inside}, {roots, append(inside, ".netrc", ".ssh/a", ".ssh/new")},
		{atomicedit.NewSession(roots), []string{".ssh/new"}},
	} {
		for _, name := range test.names {
			want := name + ": the file is protected against changes: leave it alone, or ask the user"
			for _, op := range []atomicedit.Op{accepttest.Over(accepttest.Create(name, "y\n")),
				{Kind: atomicedit.OpMove, Path: "app/b", To: name, Overwrite: true}} {
				if _, err := atomicedit.Run(t.Context(), test.store, atomicedit.Plan{Ops: []atomicedit.Op{op}},
					nil); err == nil || err.Error() != want && !strings.Contains(err.Error(), "read") {
					t.Errorf("%T, %v: error %v, want %q", test.store, op.Kind, err, want)
				}
			}
			before, _ := test.store.Read(t.Context(), name)
			if before != nil && before.Data == nil {
				before = nil
			}
			if err := test.store.Commit(t.Context(), []atomicedit.Change{{Path: name, Before: before,
				After: &atomicedit.File{Data: []byte("y\n")}}}); !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%T, commit of %s: error %v", test.store, name, err)
			}
			if before, err := test.store.Read(t.Context(), name); err == nil && string(before.Data) != "x\n" {
				t.Errorf("%T, %s: %q", test.store, name, before.Data)
			}
		}
	}
	// By both of its names in one request.
	both := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("conf/env", "x", "y"),
		accepttest.Edits("app/.netrc", "y", "z")}}
	if _, err := atomicedit.Prepare(t.Context(), dir, both, nil); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("error %v", err)
	}
	both.Ops = both.Ops[:1]
	if _, err := atomicedit.Prepare(t.Context(), dir, both, nil); err != nil {
		t.Errorf("by its own name: %v", err)
	}
}
