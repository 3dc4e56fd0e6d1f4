package commit

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
)

// A shortened disk has short names, which no directory lists.
type shortened struct {
	*disktest.Memory
	ids map[string]uint64 // nil if the disk has no IDs
}

func (d shortened) long(name string) string {
	return strings.NewReplacer("GIT~1", ".git", "README~1.MD", "read me.md", "GIMP~1", "gimp things").Replace(name)
}

func (d shortened) Lstat(name string) (disk.Stat, error) {
	s, err := d.Memory.Lstat(d.long(name))
	s.ID = disk.FileID{Device: min(1, uint64(len(d.ids))), Number: d.ids[d.long(name)]}
	return s, err
}

func (d shortened) Inspect(name string) (disk.Traits, error) { return d.Memory.Inspect(d.long(name)) }

// Whatever a file system calls a protected file, no commit changes it.
func TestProtectedFilesByOtherNames(t *testing.T) {
	files := map[string]string{
		".git/config": "x", ".env": "x", "sub/.ENV.local": "x", "key.pem": "x", "app/.github/workflows/ci.yml": "x",
		"app/.github/x": "x",
		"bare/HEAD":     "x", "bare/objects/a": "x", "bare/refs/a": "x", "bare/hooks/pre-receive": "x",
		"half/HEAD": "x",
		"tree/HEAD": "x", "tree/commondir": "../bare", "tree/config": "x",
		"half/objects/a": "x",
		"real/config":    "x", "real/deep/x": "x", "a~1": "x", "read me.md": "x", "gimp things/a": "x", "b": "x",
		"bare.txt": "x",
	}
	mem := disktest.NewMemory(files)
	linked := disktest.Linked{Disk: mem, Links: map[string]string{"meta": ".git", "secrets.pem": "real/config",
		"loop": "loop", "real/.git": "deep", "b.git": "bare"}}
	ids := map[string]uint64{}
	for name := range files {
		for _, dir := range append(names.Parents(name), name) {
			if ids[dir] == 0 {
				ids[dir] = uint64(len(ids) + 1)
			}
		}
	}
	all := []string{".git", ".env*", "*.pem", ".github/workflows"}
	for _, test := range []struct {
		disk       disk.Disk
		protected  []string
		name, what string
	}{
		{mem, all, ".git", "the file is protected"},
		{mem, all, ".git/config", "everything below .git is protected"},
		{mem, all, ".GIT/hooks/pre-commit", "everything below .GIT is protected"},
		{mem, all, ".git. /config", `everything below ".git. " is protected`},
		{mem, all, ".g\u200cit/config", "is protected"},
		{mem, all, "sub/.git", "the file is protected"},
		{mem, all, "sub/deep/.git/config", "everything below sub/deep/.git is protected"},
		{mem, all, "a/../.git/config", "everything below .git is protected"},
		{mem, all, ".env", "the file is protected"},
		{mem, all, "sub/.ENV.local", "the file is protected"},
		{mem, all, ".environment/x", "everything below .environment is protected"},
		{mem, all, "key.pem", "the file is protected"},
		{mem, all, "\u212aey.pem", "the file is protected"},
		{mem, all, "app/.github/workflows/ci.yml", "everything below app/.github/workflows is protected"},
		{mem, all, "app/.github/x", ""},
		{mem, all, "workflows/ci.yml", ""},
		{mem, all, "b", ""},
		{mem, all, ".gitignore", ""},
		{mem, all, "a.git/x", ""},
		{mem, all, "bare/HEAD", "bare is the directory of a git repository"},
		{mem, all, "bare/hooks/pre-receive", "bare is the directory of a git repository"},
		{mem, all, "bare/new/deep", "bare is the directory of a git repository"},
		{mem, all, "bare.txt", ""},
		{mem, all, "half/HEAD", ""},
		{mem, all, "tree/config", "tree is the directory of a git repository"},
		{mem, []string{".env"}, "bare/HEAD", ""},
		{mem, []string{".env"}, ".git/config", ""},
		{mem, []string{".*"}, "bare/HEAD", "is protected"},
		{mem, nil, ".git/config", ""},
		{linked, all, "meta/config", "everything below .git is protected"},
		{linked, all, "b.git/hooks/pre-receive", "bare is the directory of a git repository"},
		{linked, all, "real/deep/x", "this is where the link real/.git leads"},
		{linked, all, "real/deep/new", "this is where the link real/.git leads"},
		{linked, all, "real/deep", "this is where the link real/.git leads"},
		{linked, all, "real/deeper", ""},
		{linked, []string{"secrets.pem"}, "real/config", "this is where the link secrets.pem leads"},
		{linked, []string{"loop"}, "real/config", ""},
		{shortened{mem, nil}, all, "GIT~1/config", "everything below .git is protected"},
		{shortened{mem, nil}, all, "README~1.MD", ""},
		{shortened{mem, nil}, all, "GIMP~1/a", "is protected"}, // it cannot be told from GIT~1
		{shortened{mem, ids}, all, "GIT~1/config", "everything below .git is protected"},
		{shortened{mem, ids}, all, "GIMP~1/a", ""},
		{shortened{mem, ids}, all, "a~1", ""},
		{shortened{mem, ids}, all, "b~1", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree := on(test.disk, Options{Protected: test.protected, MaxSize: 100})
			const want = " against changes: leave it alone, or ask the user"
			gone := remove(test.name, "x")
			for deed, changes := range map[string][]Change{"replace": {edit(test.name, "x", "y")}, "delete": {gone},
				"move": {gone, {Path: "other", After: file("x"), From: test.name}}} {
				err := tree.alone().mayChange(changes)
				var kind *errs.KindError
				switch {
				case test.what == "" && err != nil && !errors.As(err, &kind),
					test.what != "" && (!errors.Is(err, fs.ErrPermission) ||
						!strings.Contains(err.Error(), test.what) || !strings.HasSuffix(err.Error(), want)):
					t.Errorf("%v: error %v, want %q", deed, err, test.what)
				}
			}
			if test.what == "" {
				return
			}
			for _, c := range []Change{create(test.name, "y"), edit(test.name, "x", "y"), remove(test.name, "x"),
				edit(test.name, "x", "x")} {
				if err := tree.alone().Commit(context.Background(),
					[]Change{edit("b", "x", "y"), c}); !errors.Is(err, fs.ErrPermission) ||
					!strings.Contains(err.Error(), test.what) {
					t.Errorf("commit: error %v, want %q", err, test.what)
				}
			}
			if diff := cmp.Diff(files, mem.Files()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// If it cannot be told whether a file is protected, it is not changed.
func TestWhatCannotBeLookedUpIsNotChanged(t *testing.T) {
	broken := errors.New("broken")
	mem := disktest.NewMemory(map[string]string{"dir/a": "x"})
	for _, name := range []string{".git", "dir/.git", "dir/HEAD"} {
		d := disktest.Blind(mem, func(at string) error {
			if at == name {
				return broken
			}
			return nil
		})
		tree := on(d, Options{Protected: []string{".git"}})
		if err := tree.alone().Commit(context.Background(), []Change{edit("dir/a", "x", "y")}); !errors.Is(err,
			broken) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Nor is it, if it cannot be told where a protected link leads, or what a short name stands for.
func TestWhereALinkLeadsIsNotGuessed(t *testing.T) {
	mem := disktest.NewMemory(map[string]string{"dir/a": "x", "dir/deep/b": "x", ".git/config": "x", "b": "x"})
	linked := disktest.Linked{Disk: mem, Links: map[string]string{".env": "dir/deep/b"}}
	for _, test := range []struct {
		disk         disk.Disk
		blind, asked string
	}{
		{linked, ".env", "b"},
		{linked, "dir/deep", "dir/a"},
		{linked, "dir/deep/b", "b"},
		{shortened{mem, map[string]uint64{".git": 1}}, ".git", "DIR~1/a"},
		{shortened{mem, nil}, "GIT~1", "GIT~1/config"},
	} {
		broken, failing := errors.New("broken"), false
		d := disktest.Blind(test.disk, func(at string) error {
			if at == test.blind {
				failing = true
				return broken
			}
			return nil
		})
		p, err := protectionOf([]string{".git", ".env"})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.check(d, location{}, test.asked); !failing || !errors.Is(err, broken) {
			t.Errorf("%s, where %s cannot be looked up: error %v", test.asked, test.blind, err)
		}
	}
}

func TestNamesThatCannotBeProtected(t *testing.T) {
	for _, name := range []string{"", "/", "a/", "/a", "a//b", ".", "..", "../a", "[", "a/[", `a\b`, `\\\b`} {
		if _, err := protectionOf([]string{".git", name}); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: error %v", name, err)
		}
	}
}
