//go:build unix && !solaris && !aix

package git

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// names returns the names in a directory.
func names(t *testing.T, dir string) map[string]bool {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, e := range entries {
		names[e.Name()] = true
	}
	return names
}

// waitForOwners waits until nobody uses the private directories in a directory.
func waitForOwners(t *testing.T, temp string) {
	t.Helper()
	for name := range names(t, temp) {
		f, err := os.Open(filepath.Join(temp, name, lockName))
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
}

func TestTheDirectoryOfADeadProcessIsRemoved(t *testing.T) {
	dir, temp := bare(t), t.TempDir()
	tr := newTrial(t, dir)
	t.Setenv("TMPDIR", temp)
	for range 3 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "ATOMICEDIT_GIT_DIE_AT=0", "ATOMICEDIT_GIT_DIR="+dir,
			fmt.Sprintf("ATOMICEDIT_GIT_N=%d", tr.n))
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Fatalf("the process lives: %s", out)
		}
		if got := names(t, temp); len(got) != 1 {
			t.Errorf("dead processes have left %v, want one directory", got)
		}
		waitForOwners(t, temp)
	}
	s := open(t, dir, nil)
	other := open(t, dir, nil)
	want := map[string]bool{}
	for _, s := range []*Store{s, other} {
		want[filepath.Base(string(s.private))] = true
	}
	if d := cmp.Diff(want, names(t, temp)); d != "" {
		t.Errorf("directories of live stores and others (-want +got):\n%s", d)
	}
	has(t, s, "n", "0")
	s.Close()
	other.Close()
	if d := cmp.Diff(map[string]bool{}, names(t, temp)); d != "" {
		t.Errorf("left after Close (-want +got):\n%s", d)
	}
}

// A git that has outlived the process that started it may still be at work.
func TestTheDirectoryOfALiveGitStays(t *testing.T) {
	dir, temp := bare(t), t.TempDir()
	t.Setenv("TMPDIR", temp)
	s := open(t, dir, nil)
	child, err := s.git.startBatch()
	if err != nil {
		t.Fatal(err)
	}
	s.objects.close()
	s.git.inUse.Close() // as if the process had died
	open(t, dir, nil)
	if _, err := os.Stat(string(s.private)); err != nil {
		t.Error("the directory is gone while git runs: ", err)
	}
	child.end()
	open(t, dir, nil)
	if _, err := os.Stat(string(s.private)); err == nil {
		t.Error("the directory is still there, and nobody uses it")
	}
}

func TestOtherDirectoriesStay(t *testing.T) {
	dir, temp, elsewhere := bare(t), t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	writeFile(t, elsewhere+"/lock", "", 0o600)
	writeFile(t, temp+"/atomicedit-git-1", "a file", 0o600)
	writeFile(t, temp+"/atomicedit-git-2/file", "no lock", 0o600)
	writeFile(t, temp+"/atomicedit-git-notes/lock", "another name", 0o600)
	writeFile(t, temp+"/atomicedit-git-/lock", "no number", 0o600)
	writeFile(t, temp+"/other/lock", "another name", 0o600)
	writeFile(t, temp+"/atomicedit-git-6/lock/file", "a directory as a lock", 0o600)
	writeFile(t, temp+"/atomicedit-git-7/lock.new", "not locked yet", 0o600)
	mkfifo(t, temp+"/atomicedit-git-3/lock")
	for link, to := range map[string]string{"/atomicedit-git-4": elsewhere,
		"/atomicedit-git-5/lock": elsewhere + "/lock"} {
		os.Mkdir(filepath.Dir(temp+link), 0o700)
		if err := os.Symlink(to, temp+link); err != nil {
			t.Fatal(err)
		}
	}
	if os.Geteuid() == 0 {
		writeFile(t, temp+"/atomicedit-git-8/lock", "of another user", 0o600)
		if err := os.Chown(temp+"/atomicedit-git-8", 12345, -1); err != nil {
			t.Log(err)
			os.RemoveAll(temp + "/atomicedit-git-8")
		}
	}
	before := names(t, temp)
	open(t, dir, nil).Close()
	if d := cmp.Diff(before, names(t, temp)); d != "" {
		t.Errorf("what is left (-want +got):\n%s", d)
	}
	if _, err := os.Stat(elsewhere + "/lock"); err != nil {
		t.Error(err)
	}
}
