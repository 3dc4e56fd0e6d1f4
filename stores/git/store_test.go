package git

import (
	"os/exec"
	"strings"
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
	cmd := exec.Command("git", append([]string{"-c", "user.name=A User", "-c", "user.email=user@example.org", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSuffix(string(out), "\n")
}

// bare returns a new bare repository, with args for git init.
func bare(t testing.TB, args ...string) string {
	t.Helper()
	needGit(t)
	dir := t.TempDir()
	run(t, dir, append([]string{"init", "-q", "--bare", "--initial-branch=main"}, append(args, ".")...)...)
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

func TestStore(t *testing.T) {
	needGit(t)
	storetest.Run(t, func(t *testing.T) atomicedit.Store { return open(t, bare(t), nil) })
}

func TestRemoteStore(t *testing.T) {
	needGit(t)
	storetest.Run(t, func(t *testing.T) atomicedit.Store {
		return open(t, t.TempDir()+"/mirror", &Options{Remote: bare(t), Ref: "main"})
	})
}
