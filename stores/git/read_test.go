package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit"
)

// treeOf commits a tree that git mktree makes of lines, and returns the bare repository.
func treeOf(t testing.TB, lines ...string) string {
	t.Helper()
	dir := bare(t)
	writeFile(t, dir+"/blob", "text", 0o644)
	blob := run(t, dir, "hash-object", "-w", "blob")
	in := ""
	for _, line := range lines {
		in += strings.ReplaceAll(line, "BLOB", blob) + "\n"
	}
	writeFile(t, dir+"/lines", in, 0o644)
	tree := run(t, dir, "-c", "alias.mk=!git mktree --missing <lines", "mk")
	run(t, dir, "update-ref", "refs/heads/main", run(t, dir, "commit-tree", "-m", "start", tree))
	return dir
}

func TestReadOfWhatIsNoFile(t *testing.T) {
	dir := treeOf(t, "100644 blob BLOB\ta", "100755 blob BLOB\trun", "100664 blob BLOB\told", "120000 blob BLOB\tlink",
		"160000 commit 1111111111111111111111111111111111111111\tsub")
	s := open(t, dir, nil)
	for path, want := range map[string]error{
		"a": nil, "run": nil, "old": nil, "link": fs.ErrInvalid, "sub": fs.ErrInvalid, "link/x": fs.ErrInvalid,
		"sub/x": fs.ErrInvalid, "a/x": fs.ErrInvalid,
		"none": fs.ErrNotExist, "none/x": fs.ErrNotExist, ".git/config": fs.ErrInvalid,
	} {
		if _, err := s.Read(t.Context(), path); !errors.Is(err, want) {
			t.Errorf("Read(%q): %v, want %v", path, err, want)
		}
		if want != fs.ErrInvalid {
			continue
		}
		if err := s.Commit(t.Context(), []atomicedit.Change{create(path, "new")}); !errors.Is(err, want) {
			t.Errorf("create of %q: %v, want %v", path, err, want)
		}
		for _, c := range []atomicedit.Change{edit(path, "text", "text"), remove(path, "other")} {
			if err := s.Commit(t.Context(), []atomicedit.Change{c}); !errors.Is(err, want) &&
				!errors.Is(err, atomicedit.ErrStale) {
				t.Errorf("Commit of %+v: %v", c, err)
			}
		}
	}
	for path, mode := range map[string]fs.FileMode{"a": 0o644, "run": 0o755, "old": 0o644} {
		if f, err := s.Read(t.Context(), path); err != nil || f.Mode != mode {
			t.Errorf("Read(%q): %+v, %v, want mode %o", path, f, err, mode)
		}
	}
}

// The bit that makes a file executable is kept, set and taken away; an entry of an old mode stays as it is.
func TestModes(t *testing.T) {
	s := open(t, treeOf(t, "100644 blob BLOB\ta", "100755 blob BLOB\trun", "100664 blob BLOB\told"), nil)
	mode := func(c atomicedit.Change, mode fs.FileMode) atomicedit.Change { c.After.Mode = mode; return c }
	commit(t, s, edit("run", "text", "1"), edit("old", "text", "1"), mode(edit("a", "text", "1"), 0o700),
		mode(create("new", "1"), 0o111), create("plain", "1"))
	if raw := run(t, s.repo, "cat-file", "tree", "main:"); !strings.Contains(raw, "100664 old\x00") {
		t.Errorf("the old mode is gone: %q", raw)
	}
	one := formatSHA1.idOf("blob", []byte("1")).String()
	want := strings.ReplaceAll("100755 blob ID\ta\n100755 blob ID\tnew\n100644 blob ID\told\n100644 blob ID\tplain\n100755 blob ID\trun", "ID", one)
	if diff := cmp.Diff(want, run(t, s.repo, "ls-tree", "main")); diff != "" {
		t.Errorf("the tree differs (-want +got):\n%s", diff)
	}
	commit(t, s, mode(edit("run", "1", "1"), 0o600)) // the mode alone
	if got := run(t, s.repo, "ls-tree", "main", "run"); !strings.HasPrefix(got, "100644 ") {
		t.Errorf("mode 0600 makes %s", got)
	}
}

func TestReadWithinMaxSize(t *testing.T) {
	dir := bare(t)
	big := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	commit(t, open(t, dir, nil), create("big", string(big)), create("small", "x"), create("lfs.bin", pointer),
		create(".gitattributes", "*.bin filter=lfs\n"))
	s := open(t, dir, &Options{MaxSize: 1000})
	for range 3 {
		if _, err := s.Read(t.Context(), "big"); !errors.Is(err, atomicedit.ErrTooLarge) {
			t.Errorf("Read of %d bytes: %v, want ErrTooLarge", len(big), err)
		}
		has(t, s, "small", "x")
	}
	has(t, s, "lfs.bin", pointer)
	commit(t, s, remove("big", string(big)))
	s = open(t, dir, nil)
	if _, err := s.Read(t.Context(), "big"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read of what was removed: %v", err)
	}
}

// A process of the store that dies is replaced.
func TestReadAfterTheProcessDied(t *testing.T) {
	s := open(t, bare(t), nil)
	commit(t, s, create("a", "a"))
	for range 5 {
		has(t, s, "a", "a")
		s.objects.proc.cmd.Process.Kill()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.objects.read(ctx, s.ref+"^{tree}", maxTree); !errors.Is(err, context.Canceled) {
		t.Errorf("a read with a context that has ended: %v", err)
	}
	has(t, s, "a", "a")
}

func TestSHA256(t *testing.T) {
	dir := bare(t, "--object-format=sha256")
	use(t, open(t, dir, nil))
	run(t, dir, "fsck", "--strict")
	if got := run(t, dir, "rev-parse", "main"); len(got) != 64 {
		t.Errorf("the commit is %s", got)
	}
	s := mirror(t, dir)
	commit(t, s, create("from the mirror", "x"))
	if got := run(t, dir, "show", "main:from the mirror"); got != "x" {
		t.Errorf("the file has %q", got)
	}
}

// Trees are what git makes of the same files, whatever their names are.
func TestTreesAreThoseOfGit(t *testing.T) {
	dir := bare(t)
	rapid.Check(t, func(rt *rapid.T) {
		trees := map[id]string{}
		read := func(tree id) ([]entry, error) { return formatSHA1.parseTree(trees[tree]) }
		have, tree := map[string]string{}, id("")
		for range 5 {
			var changes []atomicedit.Change
			for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`[ab](\.|-|0|/[ab]|/[ab]\.)?`), 1, 6,
				rapid.ID[string]).Draw(rt, "names") {
				c := create(name, rapid.SampledFrom([]string{"", "x", "y"}).Draw(rt, "text"))
				if was, ok := have[name]; ok {
					c.Before = &atomicedit.File{Data: []byte(was)}
					if len(c.After.Data) == 0 {
						c.After = nil
					}
				}
				changes = append(changes, c)
			}
			plan, err := planOf(changes)
			if err != nil {
				continue // a file and a directory of one name
			}
			made, objects, err := formatSHA1.build(plan, tree, read)
			if err != nil {
				continue
			}
			for _, o := range objects {
				trees[o.id] = string(o.data)
			}
			tree = made
			for _, c := range changes {
				if delete(have, c.Path); c.After != nil {
					have[c.Path] = string(c.After.Data)
				}
			}
		}
		if want := gitTree(t, dir, have); tree != "" && tree.String() != want {
			rt.Fatalf("the tree of %q is %s, git's is %s", have, tree, want)
		}
	})
}

// gitTree returns the tree that git makes of files by way of an index.
func gitTree(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	var lines strings.Builder
	for name, text := range files {
		fmt.Fprintf(&lines, "100644 %s\t%s\n", formatSHA1.idOf("blob", []byte(text)), name)
	}
	writeFile(t, dir+"/lines", lines.String(), 0o644)
	return run(t, dir, "-c", "alias.x=!rm -f index && git update-index --add --index-info <lines && exec git write-tree --missing-ok", "x")
}

// A reference that is damaged, as by a power cut, is not one that is not there: its files exist.
func TestReadOfADamagedReference(t *testing.T) {
	for _, text := range []string{"", "\x00\x00\x00", "garbage\n", strings.Repeat("0", 40) + "\n",
		strings.Repeat("1", 40) + "\n"} {
		dir := bare(t)
		s := open(t, dir, nil)
		commit(t, s, create("a", "1"))
		writeFile(t, dir+"/refs/heads/main", text, 0o644)
		_, read := s.Read(t.Context(), "a")
		_, list := s.Names(t.Context(), "")
		for _, err := range []error{read, list, s.Commit(t.Context(), []atomicedit.Change{create("b", "1")})} {
			if err == nil || errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "refs/heads/main") {
				t.Errorf("with a reference of %q: %v", text, err)
			}
		}
	}
}

// A reference that is in the way, because a longer one is there, is not there.
func TestReadWhereAReferenceIsADirectory(t *testing.T) {
	dir := bare(t)
	commit(t, open(t, dir, &Options{Ref: "main/longer"}), create("a", "1"))
	if _, err := open(t, dir, nil).Read(t.Context(), "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read: %v", err)
	}
}

// Git would warn at each read that another reference could be meant, and the process that reads lives as long as the
// store.
func TestReadWhereAReferenceIsAmbiguous(t *testing.T) {
	dir := bare(t)
	s := open(t, dir, nil)
	commit(t, s, create("a", "1"))
	run(t, dir, "tag", "refs/heads/main", "main")
	has(t, s, "a", "1")
	has(t, s, "a", "1")
	proc := s.objects.proc
	proc.end()
	if proc.words.Len() > 0 {
		t.Errorf("git has said %s", &proc.words)
	}
}
