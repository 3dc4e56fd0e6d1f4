package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/commit"
	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// A preview writes nothing, so it cannot finish what a dead process has left, and says what can.
func TestAPreviewSaysHowToFinishACommit(t *testing.T) {
	const request = "a.txt\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n"
	dir := interrupted(t)
	_, _, stderr := call(request, "-C", dir, "-n")
	if !strings.Contains(stderr, "run apply without -n") {
		t.Errorf("the preview says: %s", stderr)
	}
	if status, _, stderr := call(request, "-C", dir); status != done {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// interrupted returns a directory with the files a.txt and b.txt, where a commit of both has died.
func interrupted(t *testing.T) string {
	t.Helper()
	for k := range 200 {
		dir := directory(t, map[string]string{"a.txt": "1\n", "b.txt": "1\n"})
		root, err := disk.OpenRoot(dir)
		if err != nil {
			t.Skip(err)
		}
		d, release := root.Pin()
		tree, err := commit.On(disktest.Same{Disk: disktest.NewFault(d, k, disktest.DieBefore)}, commit.Options{}, "",
			nil)
		if err != nil {
			t.Fatal(err)
		}
		forest, _, err := commit.Forest{}.With(tree)
		if err != nil {
			t.Fatal(err)
		}
		var changes []commit.Change
		for _, name := range []string{"a.txt", "b.txt"} {
			changes = append(changes, commit.Change{Path: name,
				Before: &commit.File{Data: []byte("1\n")}, After: &commit.File{Data: []byte("3\n")}})
		}
		forest.Commit(t.Context(), changes)
		release()
		root.Close()
		_, err = os.Stat(filepath.Join(dir, commit.JournalName))
		if data, _ := os.ReadFile(filepath.Join(dir, "a.txt")); err == nil && string(data) == "3\n" {
			return dir
		}
	}
	t.Skip("no commit of several files can be made here")
	return ""
}
