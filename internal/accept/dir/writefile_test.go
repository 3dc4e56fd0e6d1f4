//go:build unix && !solaris && !aix

package dir_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/atomicedit/atomicedit/internal/sweeptest"
	"github.com/google/go-cmp/cmp"
)

func TestWriteFile(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"d/a": "one\r\n", "link": "-> d/a", "d/back": "-> ../d/new",
		"slash": "-> d/", ".atomicedit-0.new": "an orphan", "d/.atomicedit-0.new": "an orphan"})
	for name, text := range map[string]string{"link": "two\r\n", "d/back": "made", "n": "new"} {
		if err := atomicedit.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	want := map[string]string{"d/a": "two\r\n", "link": "-> d/a", "d/back": "-> ../d/new", "d/new": "made", "n": "new",
		"slash": "-> d/"}
	if diff := cmp.Diff(want, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]error{"x/y": fs.ErrNotExist, "d": fs.ErrInvalid, "d/": fs.ErrInvalid,
		"slash": fs.ErrInvalid, "": fs.ErrInvalid} {
		if err := atomicedit.WriteFile(strings.TrimSuffix(dir+"/"+name, map[bool]string{true: dir + "/"}[name == ""]),
			nil, 0o644); !errors.Is(err, want) {
			t.Errorf("WriteFile(%q): error %v, want %v", name, err, want)
		}
	}
}

// ".." behind the name of a link means the parent of the directory that it leads to, in a name and in a link.
func TestWriteFileBehindALinkedDirectory(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"real/deep/link": "-> ../target", "real/target": "one",
		"sub":    "-> real/deep",
		"target": "another"})
	for name, text := range map[string]string{"sub/link": "two", "sub/../target": "three"} {
		if err := atomicedit.WriteFile(dir+"/"+name, []byte(text), 0o644); err != nil {
			t.Error(err)
		}
		want := map[string]string{"real/deep/link": "-> ../target", "real/target": text, "sub": "-> real/deep",
			"target": "another"}
		if diff := cmp.Diff(want, accepttest.Found(t, dir)); diff != "" {
			t.Error(diff)
		}
	}
}

// Somebody who takes no part in the locking removes and creates the file meanwhile.
func TestWriteFileBesideOthers(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				os.Remove(name)
				os.WriteFile(name, []byte("theirs"), 0o644)
			}
		}
	})
	for range sweeptest.Or(40, 200) {
		if err := atomicedit.WriteFile(name, []byte("ours"), 0o644); err != nil && !errors.Is(err, fs.ErrExist) &&
			!errors.Is(err, fs.ErrNotExist) && !errors.Is(err, atomicedit.ErrStale) {
			t.Fatal(err)
		}
	}
	close(stop)
	wg.Wait()
	if err := atomicedit.WriteFile(name, []byte("ours"), 0o644); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"f": "ours"}, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// ---- other processes: the test binary, run again

var generations = [2][]byte{bytes.Repeat([]byte("a"), 100_000), bytes.Repeat([]byte("b"), 70_000)}

func writeForEver(name string) error {
	for gen := 0; ; gen++ {
		if err := atomicedit.WriteFile(name, generations[gen%2], 0o644); err != nil {
			return err
		}
	}
}

func TestAKilledWriteFileLeavesOldOrNew(t *testing.T) {
	dir := accepttest.Seed(t, map[string]string{"f": string(generations[0])})
	name := filepath.Join(dir, "f")
	for i := range 15 {
		accepttest.Kill(t, accepttest.Again(t, "write", name), time.Duration(15+i*2)*time.Millisecond)
		data, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(data, generations[0]) && !bytes.Equal(data, generations[1]) {
			t.Fatalf("after kill %d the file is neither old nor new, error %v", i, err)
		}
	}
	if err := atomicedit.WriteFile(name, generations[0], 0o644); err != nil {
		t.Fatal(err)
	}
	if files := accepttest.Found(t, dir); len(files) != 1 {
		t.Errorf("orphans are left: %d files", len(files))
	}
}

// A file by the name of a stage would be taken for one that a killed writer has left.
func TestWriteFileKeepsToNamesThatAreNoStage(t *testing.T) {
	old := map[string]string{".atomicedit-0.new": "old", ".atomicedit-notes": "old"}
	dir := accepttest.Seed(t, old)
	if err := os.Symlink(".atomicedit-notes", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".atomicedit-0.new", ".atomicedit", ".ATOMICEDIT", "link"} {
		if err := atomicedit.WriteFile(filepath.Join(dir, name), []byte("new"), 0o644); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	os.Remove(filepath.Join(dir, "link"))
	if diff := cmp.Diff(old, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// ---- what root may do and others may not: as the user nobody, if we are root

// In a directory that all may write to, another user's file by the name of a stage, and another user's state directory,
// block nobody.
func TestWriteFileBesideTheFilesOfOthers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	dir := filepath.Join(t.TempDir(), "d")
	err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(dir+"/.atomicedit-0.new", []byte("theirs"), 0o600),
		os.Mkdir(dir+"/.atomicedit", 0o700),
		os.Chmod(dir, 0o777|fs.ModeSticky))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := asNobody(t, "beside", dir); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	want := map[string]string{"n": "new", ".atomicedit-0.new": "theirs", ".atomicedit": "(a directory)"}
	if diff := cmp.Diff(want, accepttest.Found(t, dir)); diff != "" {
		t.Error(diff)
	}
}
