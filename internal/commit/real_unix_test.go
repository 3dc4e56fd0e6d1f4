//go:build unix && !solaris && !aix

package commit

import (
	"testing"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
)

// open opens the tree below dir. It also returns what was recovered.
func open(t *testing.T, dir string) (*Tree, []string, error) {
	t.Helper()
	tree, err := Open(dir, Options{}, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	said, err := heard(tree, (*Tree).Recover)
	return tree, said, err
}

// tree makes a directory with files. It returns the directory, a function that reads the files, and the disk.
func tree(t *testing.T, files map[string]string) (dir string, now func() map[string]string, d disk.Disk) {
	t.Helper()
	dir = disktest.SeedTree(t, files)
	return dir, func() map[string]string { return disktest.FoundTree(t, dir) }, pinned(t, dir)
}

// pinned returns a disk for a directory, which is released when the test ends.
func pinned(t *testing.T, dir string) disk.Disk {
	t.Helper()
	root, err := disk.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	d, release := root.Pin()
	t.Cleanup(func() { release(); root.Close() })
	return d
}
