package commit

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/names"
)

// nearest returns dir if it exists, and otherwise the innermost directory above it that does.
func nearest(d disk.Disk, dir string) (string, error) {
	if dir == "." {
		return dir, nil
	}
	if s, err := d.Lstat(dir); err == nil && s.Mode.IsDir() {
		return dir, nil
	}
	there, err := reached(d, dir)
	return cmp.Or(there, "."), err
}

// nearestDirs returns the nearest directories of dirs, which are going to be locked, sorted. Where the lookup fails, it
// returns the directory itself, and locking fails with the error.
func nearestDirs(d disk.Disk, dirs []string) []string {
	slices.Sort(dirs)
	var there []string
	for _, dir := range slices.Compact(dirs) {
		near, err := nearest(d, dir)
		if err != nil {
			near = dir
		}
		there = append(there, near)
	}
	slices.Sort(there)
	return slices.Compact(there)
}

// hasDir reports whether dir is a directory that is reached without links. It may have been removed or replaced since a
// commit died.
func hasDir(d disk.Disk, dir string) (bool, error) {
	there, err := reached(d, dir)
	return err == nil && there == dir, err
}

// reached returns the innermost directory, of dir and those above it, that is reached without links; "" if none is.
func reached(d disk.Disk, dir string) (there string, err error) {
	for _, next := range slices.Backward(append([]string{dir}, names.Parents(dir)...)) {
		now, err := d.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && !now.Mode.IsDir():
			return there, nil
		case err != nil:
			return there, err
		}
		there = next
	}
	return there, nil
}
