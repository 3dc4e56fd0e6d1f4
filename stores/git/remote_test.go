package git

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
)

// old opens a store whose mirror is fetched only when it has to be.
func old(t *testing.T, remote string) *Store {
	t.Helper()
	return open(t, t.TempDir()+"/mirror", &Options{Remote: remote, MaxAge: time.Hour})
}

func TestAMirrorThatIsOld(t *testing.T) {
	far := bare(t)
	other := open(t, far, nil)
	commit(t, other, create("a", "1"), create("b", "1"))
	s := old(t, far)
	commit(t, other, edit("b", "1", "2"))
	has(t, s, "b", "1")
	commit(t, s, edit("a", "1", "2")) // b has changed, a has not
	has(t, s, "b", "2")
	commit(t, other, edit("b", "2", "3"))
	err := s.Commit(t.Context(), []atomicedit.Change{edit("a", "2", "3"), edit("b", "2", "4")})
	var about *fs.PathError
	if !errors.Is(err, atomicedit.ErrStale) || !errors.As(err, &about) || about.Path != "b" {
		t.Errorf("Commit of a file that has changed at the remote repository: %v", err)
	}
	has(t, s, "a", "2")
	has(t, s, "b", "3")
	commit(t, other, create("c", "1"))
	if err := s.Commit(t.Context(), []atomicedit.Change{create("c", "2")}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Commit of a file that is there by now: %v", err)
	}
	commit(t, other, edit("c", "1", "5"))
	commit(t, s, edit("c", "5", "6")) // the mirror has 1
	has(t, s, "c", "6")

	run(t, far, "update-ref", "refs/heads/main", "main~2") // somebody throws away two commits
	commit(t, s, edit("c", "1", "7"))
	has(t, s, "c", "7")
	run(t, far, "update-ref", "-d", "refs/heads/main")
	if err := s.Commit(t.Context(), []atomicedit.Change{create("a", "again")}); err == nil {
		t.Error("a store that has seen the branch began it anew")
	}
	commit(t, open(t, t.TempDir()+"/mirror", &Options{Remote: far, Ref: "main"}), create("a", "again"))
	if got := run(t, far, "rev-list", "--count", "main"); got != "1" {
		t.Errorf("there are %s commits", got)
	}
	run(t, far, "fsck", "--strict")
}

func TestTheBranchOfARemoteRepository(t *testing.T) {
	far := bare(t)
	if _, err := Open(t.TempDir()+"/mirror", &Options{Remote: far}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("Open of an empty remote repository without a Ref: %v", err)
	}
	run(t, far, "symbolic-ref", "HEAD", "refs/heads/trunk")
	commit(t, open(t, far, nil), create("a", "x"))
	dir := t.TempDir() + "/mirror"
	s, err := Open(dir, &Options{Remote: far})
	if err != nil || s.Ref() != "refs/heads/trunk" {
		t.Fatalf("Open: %v, %v", s.Ref(), err)
	}
	s.Close()
	s = open(t, dir, &Options{Remote: far, Ref: "refs/agents/1"}) // the same mirror
	commit(t, s, create("b", "y"))
	if got := run(t, far, "ls-tree", "--name-only", "refs/agents/1"); got != "b" {
		t.Errorf("the reference has %q", got)
	}
	if _, err := Open(t.TempDir()+"/mirror", &Options{Remote: far + "-none"}); err == nil ||
		!strings.Contains(err.Error(), "does not appear to be a git repository") {
		t.Errorf("Open of no remote repository: %v", err)
	}
}

// A reference that is damaged in the remote repository is not one that is not there, and nothing replaces it.
func TestADamagedReferenceOfARemoteRepository(t *testing.T) {
	for _, text := range []string{"", "\x00\x00\x00", "garbage\n", strings.Repeat("0", 40) + "\n",
		strings.Repeat("1", 40) + "\n"} {
		far := bare(t)
		commit(t, open(t, far, nil), create("a", "1"))
		s := open(t, t.TempDir()+"/mirror", &Options{Remote: far, Ref: "main", MaxAge: -1})
		writeFile(t, far+"/refs/heads/main", text, 0o644)
		_, read := s.Read(t.Context(), "a")
		_, list := s.Names(t.Context(), "")
		_, anew := Open(t.TempDir()+"/mirror", &Options{Remote: far, Ref: "main"})
		for _, err := range []error{read, list, anew, s.Commit(t.Context(), []atomicedit.Change{create("b", "1")})} {
			if err == nil || !strings.Contains(err.Error(), "is damaged in the remote repository") &&
				!strings.HasPrefix(err.Error(), "git fetch: ") {
				t.Errorf("with a reference of %q: %v", text, err)
			}
		}
		if now, err := os.ReadFile(far + "/refs/heads/main"); string(now) != text {
			t.Errorf("the reference of %q has %q, %v", text, now, err)
		}
	}
}

// What a hook of the remote repository says goes to the model.
func TestARemoteRepositoryThatRefuses(t *testing.T) {
	far := bare(t)
	newCanary(t) // skips where there are no shell scripts
	commit(t, open(t, far, nil), create("a", "one\n"))
	writeFile(t, far+"/hooks/pre-receive", "#!/bin/sh\necho 'no commits on a Monday: ask the office'\nexit 1\n", 0o755)
	s := old(t, far)
	for range 2 {
		_, err := atomicedit.Run(t.Context(), s,
			atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{{Old: "one", New: "two"}}}}}, nil)
		var refusal *atomicedit.Refusal
		if !errors.As(err, &refusal) || !errors.Is(err, atomicedit.ErrDenied) ||
			!strings.Contains(err.Error(), "no commits on a Monday: ask the office") {
			t.Errorf("Run: %v", err)
		}
		has(t, s, "a", "one\n")
	}
	if err := os.Remove(far + "/hooks/pre-receive"); err != nil {
		t.Fatal(err)
	}
	commit(t, s, edit("a", "one\n", "two\n"))
}

// A remote repository that takes no push at all, and a hook before the push, refuse for certain: nobody has to find out
// what became of it.
func TestAPushThatIsNeverSent(t *testing.T) {
	far := bare(t)
	newCanary(t) // skips where there are no shell scripts
	commit(t, open(t, far, nil), create("a", "1"))
	for name, o := range map[string]*Options{
		"access denied: no pushes here": {Config: map[string]string{"remote." + remoteName +
			".receivepack": "echo access denied: no pushes here >&2; false"}},
		"ask the office": {TrustRepository: true},
	} {
		dir := t.TempDir() + "/mirror"
		o.Remote, o.Ref = far, "main"
		s := open(t, dir, o)
		writeFile(t, dir+"/hooks/pre-push", "#!/bin/sh\necho ask the office >&2\nexit 1\n", 0o755)
		err := s.Commit(t.Context(), []atomicedit.Change{edit("a", "1", "2")})
		if err == nil || errors.Is(err, atomicedit.ErrUnfinished) ||
			errors.Is(err, atomicedit.ErrDenied) != o.TrustRepository || !strings.Contains(err.Error(), name) {
			t.Errorf("Commit: %v, want %q", err, name)
		}
		has(t, s, "a", "1")
	}
}

// What a hook of a local repository says goes to the model, too.
func TestALocalRepositoryThatRefuses(t *testing.T) {
	dir := bare(t)
	newCanary(t) // skips where there are no shell scripts
	s := open(t, dir, &Options{TrustRepository: true})
	commit(t, s, create("a", "1"))
	writeFile(t, dir+"/hooks/reference-transaction",
		"#!/bin/sh\n[ $1 = committed ] || { echo ask the office >&2; exit 1; }\n", 0o755)
	if err := s.Commit(t.Context(), []atomicedit.Change{edit("a", "1", "2")}); !errors.Is(err, atomicedit.ErrDenied) ||
		!strings.Contains(err.Error(), "ask the office") {
		t.Errorf("Commit: %v", err)
	}
	has(t, s, "a", "1")
}

// The answer of a push is lost, and the remote repository is gone for a while.
func TestAConnectionThatIsLost(t *testing.T) {
	for _, done := range []bool{true, false} {
		for _, moved := range []bool{true, false} {
			t.Run(fmt.Sprintf("after the push was done %v, others commit %v", done, moved), func(t *testing.T) {
				far := bare(t)
				other := open(t, far, nil)
				commit(t, other, create("a", "1"))
				s := old(t, far)
				s.git.fault = func(step string, after bool) error {
					if step == "git push" && after == done {
						os.Rename(far, far+"-gone")
						if done {
							return errBroken
						}
					}
					return nil
				}
				err := s.Commit(t.Context(), []atomicedit.Change{edit("a", "1", "2")})
				s.git.fault = nil
				if err == nil || errors.Is(err, atomicedit.ErrUnfinished) != done {
					t.Errorf("Commit: %v; ErrUnfinished: want %v", err, done)
				}
				if _, err := s.Read(t.Context(), "a"); errors.Is(err, atomicedit.ErrUnfinished) != done {
					t.Errorf("Read: %v; ErrUnfinished: want %v", err, done)
				}
				if err := s.Recover(t.Context()); errors.Is(err, atomicedit.ErrUnfinished) != done {
					t.Errorf("Recover: %v; ErrUnfinished: want %v", err, done)
				}
				os.Rename(far+"-gone", far)
				want := map[bool]string{true: "2", false: "1"}[done]
				if moved {
					commit(t, other, create("b", "1"))
				}
				if err := s.Recover(t.Context()); err != nil {
					t.Errorf("Recover: %v", err)
				}
				has(t, s, "a", want)
				has(t, other, "a", want)
				tally("connections lost during a push")
			})
		}
	}
}

// Close waits for the fetch of a Read, and leaves nothing behind.
func TestCloseDuringAFetch(t *testing.T) {
	far := bare(t)
	commit(t, open(t, far, nil), create("a", "1"))
	s := open(t, t.TempDir()+"/mirror", &Options{Remote: far, Ref: "main", MaxAge: -1})
	fetching, read := make(chan bool), make(chan error)
	s.git.fault = func(step string, done bool) error {
		if step == "git ls-remote" && done {
			close(fetching)
			time.Sleep(100 * time.Millisecond)
			if _, err := os.Stat(string(s.private)); err != nil {
				return err
			}
		}
		return nil
	}
	go func() {
		_, err := s.Read(t.Context(), "a")
		read <- err
	}()
	<-fetching
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-read; err != nil && !errors.Is(err, errClosed) {
		t.Errorf("Read: %v", err)
	}
	if _, err := s.Read(t.Context(), "a"); !errors.Is(err, errClosed) {
		t.Errorf("Read of a closed store: %v", err)
	}
	if _, err := os.Stat(string(s.private)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory of the store: %v", err)
	}
}
