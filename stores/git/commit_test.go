package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
)

func TestHistory(t *testing.T) {
	dir := bare(t)
	s := open(t, dir, &Options{Author: Person{"An Agent", "agent@example.org"}, Committer: Person{"A Host", ""}})
	commit(t, s, create("a", "1\n"), create("dir/b", "2\n"))
	move := create("c", "2\n")
	move.From = "dir/b"
	commit(t, s, move, remove("dir/b", "2\n"))
	commit(t, s, edit("a", "1\n", "1\n")) // makes no commit
	commit(t, s, atomicedit.Change{Path: "none"})
	commit(t, s, edit("a", "1\n", "3\n"))
	s = open(t, dir, &Options{Message: func(r *atomicedit.Report) string { return r.String() + "\x00\xff" }})
	commit(t, s, remove("a", "3\n"))
	commit(t, s, remove("c", "2\n"))
	want := `An Agent <agent@example.org>, A Host <>: Change 2 files

Create a
Create dir/b

An Agent <agent@example.org>, A Host <>: Move dir/b to c

An Agent <agent@example.org>, A Host <>: Change a

atomicedit <atomicedit@localhost>, atomicedit <atomicedit@localhost>: deleted a: +0 -1 lines
` + "\uFFFD\uFFFD" + `

atomicedit <atomicedit@localhost>, atomicedit <atomicedit@localhost>: deleted c: +0 -1 lines
` + "\uFFFD\uFFFD\n"
	if diff := cmp.Diff(want, run(t, dir, "log", "--reverse", "--format=%an <%ae>, %cn <%ce>: %B",
		"main")); diff != "" {
		t.Errorf("the log differs (-want +got):\n%s", diff)
	}
	if got := run(t, dir, "ls-tree", "main"); got != "" {
		t.Errorf("the tree of no files has %s", got)
	}
	if got := run(t, dir, "fsck", "--strict"); got != "" {
		t.Errorf("git fsck says %s", got)
	}
}

// A session and a host work on a store, and an approval that took long is refused if the file has changed, but not if
// another one has.
func TestHost(t *testing.T) {
	s := open(t, bare(t), nil)
	commit(t, s, create("a", "one\n"), create("b", "two\n"))
	other := open(t, s.repo, nil)
	host := &atomicedit.Host{Store: atomicedit.NewSession(s)}
	n := 0
	host.Approve = func(ctx context.Context, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
		n++
		commit(t, other, edit("b", map[int]string{1: "two\n", 2: "three\n"}[n], "three\n"),
			create(fmt.Sprint("c", n), ""))
		if n == 2 {
			commit(t, other, edit("a", "1\n", "changed\n"))
		}
		return tr, nil
	}
	if _, err := host.View(t.Context(), "a", 0, 0); err != nil {
		t.Fatal(err)
	}
	call := func(old, new string) error {
		_, err := host.Call(t.Context(), "multi_edit",
			fmt.Appendf(nil, `{"file_path": "a", "edits": [{"old_string": %q, "new_string": %q}]}`, old, new))
		return err
	}
	if err := call("one", "1"); err != nil {
		t.Errorf("a call while another file changes: %v", err)
	}
	var refusal *atomicedit.Refusal
	if err := call("1", "2"); !errors.As(err, &refusal) || !errors.Is(err, atomicedit.ErrStale) ||
		refusal.Problems[0].Path != "a" {
		t.Errorf("a call while its file changes: %v, want a refusal with ErrStale about a", err)
	}
	has(t, s, "a", "changed\n")
}

func TestNames(t *testing.T) {
	s := open(t, bare(t), nil)
	commit(t, s, create("README.md", "x"), create("src/main.go", "x"), create("straße", "x"), create("gone", "x"))
	for _, name := range []string{
		".git", ".GIT/config", "a/.git/hooks/pre-commit", ".git ", ".git.", ".git . .", ".g\u200cit", "\ufeff.git",
		".gi\u206at/x", "git~1", "GIT~1/config", ".git::$INDEX_ALLOCATION/x",
		`a\.git\config`, ".git:x", `.git\x`, ".GI\u0054", ".g\u0131t:", "readme.MD", "SRC/other.go", "Src", "STRASSE",
		"\u212Aelvin", "STRAßE",
	} {
		allowed := name == ".g\u0131t:" || name == "STRASSE" || name == "\u212Aelvin"
		err := s.Commit(t.Context(), []atomicedit.Change{create(name, "x")})
		if allowed != (err == nil) || !allowed && !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Commit of %q: %v", name, err)
		}
	}
	for _, changes := range [][]atomicedit.Change{
		{create("new", "x"), create("NEW", "x")},
		{create("d/x", "x"), create("D/y", "y")},
		{create("kelvin", "x")},
		{create("deep/one", "x"), create("src/MAIN.go", "x")},
	} {
		if err := s.Commit(t.Context(), changes); !errors.Is(err, fs.ErrInvalid) ||
			!strings.Contains(err.Error(), "only in case") {
			t.Errorf("Commit of twins %+v: %v", changes, err)
		}
	}
	commit(t, s, remove("README.md", "x"), create("ReadMe.md", "x"))
	commit(t, s, remove("src/main.go", "x"), create("SRC/main.go", "x"))
	commit(t, s, remove("gone", "x"), create("GONE/below", "x"))
	run(t, s.repo, "fsck", "--strict")
}

// Names that are not UTF-8 are bytes: no two of them are twins because neither can be shown.
func TestNamesThatAreNotUTF8(t *testing.T) {
	s := open(t, bare(t), nil)
	commit(t, s, create("l-\xe4", "1"), create("l-\xe5", "2"))
	commit(t, s, create("l-\ufffd", "3"))
	has(t, s, "l-\xe4", "1")
	has(t, s, "l-\xe5", "2")
	has(t, s, "l-\ufffd", "3")
	err := s.Commit(t.Context(), []atomicedit.Change{create("L-\xe4", "4")})
	if !errors.Is(err, fs.ErrInvalid) ||
		!strings.Contains(err.Error(), `there is "l-\xe4", which differs only in case`) {
		t.Errorf("Commit of a twin: %v", err)
	}
}

// Twins that are there already, made by others, can be read and changed.
func TestTwinsThatAreThere(t *testing.T) {
	s := open(t, treeOf(t, "100644 blob BLOB\txt_MARK.h", "100644 blob BLOB\txt_mark.h"), nil)
	commit(t, s, edit("xt_mark.h", "text", "new"), create("other", "x"))
	has(t, s, "xt_MARK.h", "text")
	has(t, s, "xt_mark.h", "new")
}

func TestCheckedOut(t *testing.T) {
	needGit(t)
	work := t.TempDir()
	run(t, work, "init", "-q", "--initial-branch=main")
	writeFile(t, work+"/a", "a", 0o644)
	run(t, work, "add", "a")
	run(t, work, "commit", "-q", "-m", "start")
	run(t, work, "branch", "agent")
	run(t, work, "worktree", "add", "-q", work+"-2", "agent")
	defer os.RemoveAll(work + "-2")
	dir := work + "/.git"
	for ref, want := range map[string]string{"": "checked out", "main": "checked out", "agent": "checked out",
		"free": ""} {
		s, err := Open(dir, &Options{Ref: ref})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("Open with Ref %q: %v", ref, err)
		}
		if err == nil {
			s.Close()
		}
	}
	for _, wrong := range []string{work, work + "-2", work + "/none", work + "-2/.git",
		dir + "/worktrees/" + filepath.Base(work+"-2")} {
		if _, err := Open(wrong, nil); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Open of %s: %v, want fs.ErrInvalid", wrong, err)
		}
	}
	run(t, work, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
	if _, err := Open(dir, &Options{Ref: "alias"}); !errors.Is(err, fs.ErrInvalid) ||
		!strings.Contains(err.Error(), "set Options.Ref to refs/heads/main") {
		t.Errorf("Open of a symbolic reference: %v", err)
	}
	run(t, work, "symbolic-ref", "HEAD", "refs/heads/alias")
	if _, err := Open(dir, &Options{Ref: "main"}); err == nil || !strings.Contains(err.Error(), "checked out") {
		t.Errorf("Open of a branch that is checked out by another name: %v", err)
	}
	run(t, work, "symbolic-ref", "HEAD", "refs/heads/main")
	run(t, work, "branch", "other")
	s := open(t, dir, &Options{Ref: "other"})
	commit(t, s, edit("a", "a", "b"))
	if got := run(t, work, "status", "--short"); got != "" {
		t.Errorf("the work tree was touched: %s", got)
	}
	run(t, work, "switch", "-q", "other")
	if err := s.Commit(t.Context(), []atomicedit.Change{edit("a", "b", "c")}); err == nil ||
		!strings.Contains(err.Error(), "checked out") {
		t.Errorf("Commit to a branch that is checked out by now: %v", err)
	}
	s = open(t, dir, &Options{CheckedOut: true})
	commit(t, s, edit("a", "b", "c"))
	if got := run(t, work, "status", "--short"); got != "M  a" && got != "MM a" {
		t.Errorf("the status is %q", got)
	}
}

// A reference to anything else than a commit has no place for the next one: Open says so, and not the first commit.
func TestOpenOfAReferenceThatIsAtNoCommit(t *testing.T) {
	dir := bare(t)
	commit(t, open(t, dir, &Options{Ref: "start"}), create("a", "1"))
	run(t, dir, "tag", "-a", "-m", "annotated", "v1", "start")
	run(t, dir, "update-ref", "refs/trees/t", "start^{tree}")
	run(t, dir, "update-ref", "refs/blobs/b", "start:a")
	for ref, kind := range map[string]string{"refs/tags/v1": "tag", "refs/trees/t": "tree", "refs/blobs/b": "blob"} {
		for where, o := range map[string]*Options{dir: {Ref: ref}, t.TempDir() + "/mirror": {Ref: ref, Remote: dir}} {
			s, err := Open(where, o)
			if err == nil {
				s.Close()
			}
			if err == nil || !strings.Contains(err.Error(), ref+" is at a "+kind+", not at a commit") {
				t.Errorf("Open with the reference %s, remote %v: %v", ref, o.Remote != "", err)
			}
		}
	}
	run(t, dir, "symbolic-ref", "HEAD", "refs/tags/v1")
	if _, err := Open(dir, nil); err == nil || !strings.Contains(err.Error(), "refs/tags/v1 is at a tag") {
		t.Errorf("Open with a HEAD that names a tag: %v", err)
	}
	run(t, dir, "tag", "plain", "start")
	s := open(t, dir, &Options{Ref: "refs/tags/plain"})
	commit(t, s, edit("a", "1", "2"))
	run(t, dir, "update-ref", "refs/tags/plain", "v1")
	if err := s.Commit(t.Context(), []atomicedit.Change{edit("a", "1", "2")}); err == nil ||
		errors.Is(err, atomicedit.ErrUnfinished) || !strings.Contains(err.Error(), "is at a tag") {
		t.Errorf("Commit to a reference that has become an annotated tag: %v", err)
	}
}

// Several stores, as in several processes, and git itself commit to one repository.
func TestContention(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"local", "remote"} {
		writers, each := map[string]int{"local": 12, "remote": 3}[kind], 2
		dir := bare(t)
		commit(t, open(t, dir, nil), create("n", "0"))
		var wg sync.WaitGroup
		shared := t.TempDir() + "/mirror"
		for w := range writers {
			s := open(t, dir, nil)
			if kind == "remote" {
				s = open(t, shared, &Options{Remote: dir})
			}
			wg.Go(func() {
				for i := range each {
					if err := s.Commit(t.Context(),
						[]atomicedit.Change{create(fmt.Sprintf("own/%d/%d", w, i), "x")}); err != nil {
						t.Errorf("%s: a file of its own: %v", kind, err)
					}
					increment(t, s)
				}
			})
		}
		wg.Go(func() {
			for i := range each {
				cmd := exec.Command("sh", "-c", `for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
					old=$(git rev-parse main) && new=$(echo native | git -c user.name=x -c user.email=x commit-tree -p $old $old^{tree}) &&
					git update-ref refs/heads/main $new $old && exit 0; done; exit 1`)
				cmd.Dir = dir
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Logf("native commit %d lost every race: %s", i, out)
				}
			}
		})
		wg.Wait()
		s := open(t, dir, nil)
		has(t, s, "n", fmt.Sprint(writers*each))
		if got := run(t, dir, "ls-tree", "-r", "--name-only", "main", "own/"); strings.Count(got,
			"\n")+1 != writers*each {
			t.Errorf("%s: of %d files there are\n%s", kind, writers*each, got)
		}
		if got := run(t, dir, "rev-list", "--count", "--grep=native", "--invert-grep",
			"main"); got != fmt.Sprint(2*writers*each+1) {
			t.Errorf("%s: there are %s commits, want %d", kind, got, 2*writers*each+1)
		}
		tally(fmt.Sprintf("%s writers on one reference", kind))
	}
}

// increment adds 1 to a number in a file that others change too.
func increment(t *testing.T, s *Store) {
	for {
		f, err := s.Read(t.Context(), "n")
		if err != nil {
			t.Errorf("Read: %v", err)
			return
		}
		var n int
		fmt.Sscan(string(f.Data), &n)
		err = s.Commit(t.Context(), []atomicedit.Change{edit("n", string(f.Data), fmt.Sprint(n+1))})
		if err == nil {
			return
		}
		if !errors.Is(err, atomicedit.ErrStale) {
			t.Errorf("Commit: %v", err)
			return
		}
	}
}

// Two stores that make the same commit at the same moment do not take it for one.
func TestTheSameCommitTwice(t *testing.T) {
	a := open(t, bare(t), nil)
	b := open(t, a.repo, nil)
	for i := range 10 {
		c := create(fmt.Sprint(i), "x")
		errs := make(chan error, 2)
		for _, s := range []*Store{a, b} {
			go func() { errs <- s.Commit(t.Context(), []atomicedit.Change{c}) }()
		}
		err1, err2 := <-errs, <-errs
		if err1 != nil {
			err1, err2 = err2, err1
		}
		if err1 != nil || !errors.Is(err2, fs.ErrExist) {
			t.Errorf("two stores create one file: %v and %v", err1, err2)
		}
	}
}

// A lock that a dead process has left is named in git's own words, and nothing has changed.
func TestALockThatStays(t *testing.T) {
	s := open(t, bare(t), nil)
	commit(t, s, create("a", "a"))
	lock := filepath.Join(s.repo, "refs/heads/main.lock")
	writeFile(t, lock, "", 0o644)
	began := time.Now()
	err := s.Commit(t.Context(), []atomicedit.Change{edit("a", "a", "b")})
	if err == nil || !strings.Contains(err.Error(), "main.lock': File exists") || time.Since(began) > 20*time.Second {
		t.Errorf("Commit with a lock: %v after %v", err, time.Since(began))
	}
	has(t, s, "a", "a")
	os.Remove(lock)
	commit(t, s, edit("a", "a", "b"))
}

func TestNoGitProgram(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir, &Options{Program: dir + "/none"}); err == nil ||
		!strings.Contains(err.Error(), "needs the git program, 2.30 or later") {
		t.Errorf("Open without git: %v", err)
	}
	c := newCanary(t)
	for said, want := range map[string]string{"git version 2.29.9": "2.30 or later",
		"git version 1.9.1": "2.30 or later", "hg 7": "is no git program", "git version x.y": "is no git program"} {
		writeFile(t, c.program, "#!/bin/sh\necho "+said+"\n", 0o755)
		if _, err := Open(dir, &Options{Program: c.program}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Open with %s: %v", said, err)
		}
	}
}

func TestZeroStore(t *testing.T) {
	for _, s := range []*Store{nil, {}} {
		_, err := s.Read(t.Context(), "a")
		for _, err := range []error{err, s.Commit(t.Context(), nil), s.Close(), s.Recover(t.Context())} {
			if err != errZero {
				t.Errorf("error %v, want %v", err, errZero)
			}
		}
	}
	s := open(t, bare(t), nil)
	s.Close()
	if _, err := s.Read(t.Context(), "a"); err != errClosed {
		t.Errorf("Read after Close: %v", err)
	}
	if _, err := os.Stat(string(s.private)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the private directory after Close: %v", err)
	}
}

func TestUnknownRepositories(t *testing.T) {
	for name, value := range map[string]string{"extensions.refStorage": "reftable", "extensions.future": "true",
		"core.repositoryFormatVersion": "2", "extensions.objectFormat": "sha3"} {
		dir := bare(t)
		run(t, dir, "config", "--file", "config", name, value)
		if _, err := Open(dir, nil); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("Open with %s = %s: %v", name, value, err)
		}
	}
}
