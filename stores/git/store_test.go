package git

import (
	"errors"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/storetest"
)

// needGit skips a test where there is no git.
func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git program:", err)
	}
}

// run runs git, as a user would, and returns what it prints.
func run(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=A User", "-c", "user.email=user@example.org"},
		args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// bare returns a new bare repository, with args for git init. It is never collected, so that nothing is at work when
// the test ends.
func bare(t testing.TB, args ...string) string {
	t.Helper()
	needGit(t)
	dir := t.TempDir()
	run(t, dir, append([]string{"init", "-q", "--bare", "--initial-branch=main"}, append(args, ".")...)...)
	run(t, dir, "config", "receive.autogc", "false")
	return dir
}

// empty returns a new bare repository without a git process, for tests that need very many.
func empty(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := initBare(dir, facts{format: formatSHA1}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// open opens a store until the test ends.
func open(t testing.TB, dir string, o *Options) *Store {
	t.Helper()
	s, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// mirror opens a store on a remote repository until the test ends.
func mirror(t testing.TB, remote string) *Store {
	t.Helper()
	return open(t, t.TempDir()+"/mirror", &Options{Remote: remote, Ref: "main"})
}

// A breakable store takes a number of steps, and then none. It implements [storetest.Breakable].
type breakable struct {
	*Store
	mu     sync.Mutex
	broken bool
	left   int
}

var errBroken = errors.New("the test breaks the store off")

func newBreakable(s *Store) *breakable {
	b := &breakable{Store: s}
	s.git.fault = func(step string, done bool) error {
		b.mu.Lock()
		defer b.mu.Unlock()
		if !b.broken || b.left > 0 {
			b.left--
			return nil
		}
		return errBroken
	}
	return b
}

func (b *breakable) Break(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.broken, b.left = true, n
}

func (b *breakable) Mend() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.broken = false
}

func TestStore(t *testing.T) {
	needGit(t)
	t.Parallel()
	storetest.Run(t, func(t *testing.T) atomicedit.Store { return newBreakable(open(t, empty(t), nil)) })
}

func TestRemoteStore(t *testing.T) {
	needGit(t)
	t.Parallel()
	storetest.Run(t, func(t *testing.T) atomicedit.Store { return newBreakable(mirror(t, empty(t))) })
}
