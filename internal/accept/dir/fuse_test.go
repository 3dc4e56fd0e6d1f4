package dir_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/atomicedit/atomicedit"
)

// Commits of one file and of several work on file systems in user space, which keep the attributes of a file for a
// while, give every name a number of its own, or find open files by their names.
func TestFileSystemsInUserSpace(t *testing.T) {
	for name, mount := range map[string]func(t *testing.T, from, to string) *exec.Cmd{
		"bindfs":   func(_ *testing.T, from, to string) *exec.Cmd { return exec.Command("bindfs", from, to) },
		"mergerfs": func(_ *testing.T, from, to string) *exec.Cmd { return exec.Command("mergerfs", from, to) },
		"sshfs": func(t *testing.T, from, to string) *exec.Cmd {
			server := filepath.Join(t.TempDir(), "ssh") // in the place of ssh, on this machine
			if err := os.WriteFile(server, []byte("#!/bin/sh\nexec /usr/lib/openssh/sftp-server\n"),
				0o700); err != nil {
				t.Fatal(err)
			}
			return exec.Command("sshfs", "-o", "ssh_command="+server, "here:"+from, to)
		},
		"gocryptfs": func(t *testing.T, from, to string) *exec.Cmd {
			password := filepath.Join(t.TempDir(), "password")
			if err := os.WriteFile(password, []byte("word\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			with := []string{"-q", "-passfile", password}
			if out, err := exec.Command("gocryptfs",
				append(with, "-init", "-scryptn", "10", from)...).CombinedOutput(); err != nil {
				t.Skipf("%v: %s", err, out)
			}
			return exec.Command("gocryptfs", append(with, from, to)...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(name); err != nil {
				t.Skip("it is not installed")
			}
			from, dir := t.TempDir(), t.TempDir()
			if out, err := mount(t, from, dir).CombinedOutput(); err != nil {
				t.Skipf("it cannot be mounted here: %v: %s", err, out)
			}
			t.Cleanup(func() {
				if out, err := exec.Command("fusermount", "-u", "-z", dir).CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, out)
				}
			})
			commitThere(t, dir)
		})
	}
}

// Where a file system in user space is slow to forget a file that was open, or has crashed, commits go on beside it.
func TestAFileThatIsHiddenUntilItIsClosedStopsNoCommit(t *testing.T) {
	root := t.TempDir()
	hidden := filepath.Join(root, ".atomicedit", ".fuse_hidden0000000300000001")
	if err := os.Mkdir(filepath.Dir(hidden), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hidden, []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	commitTo(t, root)
	if left, err := os.ReadDir(filepath.Dir(hidden)); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// commitThere makes commits below root, and checks that nothing else is left.
func commitThere(t *testing.T, root string) {
	commitTo(t, root)
	if left, err := filepath.Glob(filepath.Join(root, ".*")); len(left) > 0 || err != nil {
		t.Errorf("left: %q, %v", left, err)
	}
}

func commitTo(t *testing.T, root string) {
	t.Helper()
	d, err := atomicedit.OpenDir(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, request := range []string{
		"*** Begin Patch\n*** Add File: a\n+0\n*** Add File: s/b\n+0\n*** End Patch\n",
		"*** Begin Patch\n*** Update File: a\n-0\n+1\n*** End Patch\n",
		"*** Begin Patch\n*** Update File: a\n-1\n+2\n*** Update File: s/b\n-0\n+2\n*** End Patch\n",
		"*** Begin Patch\n*** Update File: a\n-2\n+3\n*** Update File: s/b\n*** Move to: c\n-2\n+3\n*** End Patch\n",
		"*** Begin Patch\n*** Delete File: c\n*** Update File: a\n-3\n+4\n*** End Patch\n",
	} {
		p, err := atomicedit.Parse(request)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := atomicedit.Run(t.Context(), d, p, nil); err != nil {
			t.Fatalf("%s%v", request, err)
		}
	}
	if data, err := os.ReadFile(filepath.Join(root, "a")); string(data) != "4\n" {
		t.Errorf("a is %q, %v", data, err)
	}
	if _, err := os.Stat(filepath.Join(root, "c")); err == nil {
		t.Error("c is left")
	}
}
