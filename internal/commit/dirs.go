package commit

import (
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
	there := "."
	for _, next := range slices.Backward(append([]string{dir}, names.Parents(dir)...)) {
		s, err := d.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && !s.Mode.IsDir():
			return there, nil
		case err != nil:
			return "", err
		}
		there = next
	}
	return there, nil
}

// nearestDir is nearest for a directory that is going to be locked. If the lookup fails, it returns dir, and locking
// fails with the error.
func nearestDir(d disk.Disk, dir string) string {
	there, err := nearest(d, dir)
	if err != nil {
		return dir
	}
	return there
}

// nearestDirs returns the nearest directories of dirs, sorted.
func nearestDirs(d disk.Disk, dirs []string) []string {
	slices.Sort(dirs)
	var there []string
	for _, dir := range slices.Compact(dirs) {
		there = append(there, nearestDir(d, dir))
	}
	slices.Sort(there)
	return slices.Compact(there)
}

// hasDir reports whether dir is a directory that is reached without links. It may have been removed or replaced since a
// commit died.
func hasDir(d disk.Disk, dir string) (bool, error) {
	for _, dir := range slices.Backward(append([]string{dir}, names.Parents(dir)...)) {
		now, err := d.Lstat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && !now.Mode.IsDir():
			return false, nil
		case err != nil:
			return false, err
		}
	}
	return true, nil
}
