//go:build unix && !solaris && !aix

package disk_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// tree makes a directory with files. It returns the directory, a function that reads the files, and the disk.
func tree(t *testing.T, files map[string]string) (dir string, now func() map[string]string, d disk.Disk) {
	t.Helper()
	dir = disktest.SeedTree(t, files)
	root, err := disk.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	d, release := root.Pin()
	t.Cleanup(func() { release(); root.Close() })
	return dir, func() map[string]string { return disktest.FoundTree(t, dir) }, d
}

func TestRenameNewReplacesNothing(t *testing.T) {
	_, now, d := tree(t, map[string]string{"a": "one", "sub/b": "two"})
	if err := d.RenameNew("a", "sub/b"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v", err)
	}
	if err := d.RenameNew("a", "sub/c"); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]string{"sub/b": "two", "sub/c": "one"}, now()); diff != "" {
		t.Error(diff)
	}
}

// A look at files in many directories needs few handles, whatever the limit of the process is.
func TestALookAtManyDirectoriesNeedsFewHandles(t *testing.T) {
	files := map[string]string{}
	for i := range 50 {
		files[fmt.Sprintf("d%d/in/x", i)] = "one"
	}
	root, err := disk.OpenRoot(disktest.SeedTree(t, files))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	d, release := root.Look()
	defer release()
	open := func() int {
		found, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(found)
	}
	before := open()
	for range 2 {
		for name := range files {
			if _, err := d.Lstat(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := open() - before; n > 2 {
		t.Errorf("%d handles", n)
	}
}

// The errors of file systems without links, or with no room for another one, are recognized.
func TestWhereLinksCannotBeMade(t *testing.T) {
	for _, err := range []error{syscall.EPERM, syscall.ENOTSUP, syscall.ENOSYS, syscall.EMLINK} {
		if !disk.NoLinks(&os.LinkError{Op: "link", Err: err}) {
			t.Errorf("%v is not known", err)
		}
	}
}

// After a name was resolved, somebody replaces a directory by a link that leads outside.
func TestALinkThatIsPutThereLaterIsOutside(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "in"), 0o755),
		os.Mkdir(filepath.Join(dir, "out"), 0o755)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink("x", filepath.Join(dir, "out/link")),
		os.Symlink("../out", filepath.Join(dir, "in/d"))); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	root, err := disk.OpenRoot(filepath.Join(dir, "in"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	d, release := root.Look()
	defer release()
	if _, err := d.Readlink("d/link"); !errors.Is(err, errs.ErrOutside) {
		t.Errorf("error %v", err)
	}
	r, err := os.OpenRoot(filepath.Join(dir, "in"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, err = r.Lstat("d/link")
	if err := disk.At("apply", "d/link", err); !errors.Is(err, errs.ErrOutside) {
		t.Errorf("error %v", err)
	}
}

// A held file can be compared again. It is current until it is written, or another file takes its name.
func TestAHeldFileIsComparedAgain(t *testing.T) {
	dir, _, d := tree(t, map[string]string{"a": "one", "b": "one"})
	held, err := d.Hold("a")
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	check := func(equal, current bool) {
		t.Helper()
		is, err := held.Equal([]byte("one"))
		if is != equal || err != nil {
			t.Errorf("equal: %v, error %v", is, err)
		}
		if is, err = held.IsCurrent(); is != current || err != nil {
			t.Errorf("current: %v, error %v", is, err)
		}
	}
	if _, err := held.Attributes(); err != nil {
		t.Error(err)
	}
	check(true, true)
	check(true, true)
	if err := d.Rename("b", "a"); err != nil {
		t.Error(err)
	}
	check(true, false)
	if again, err := d.Hold("a"); err != nil {
		t.Error(err)
	} else {
		defer again.Close()
		held = again
	}
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("two"), 0o644); err != nil {
		t.Error(err)
	}
	check(false, false)
}
