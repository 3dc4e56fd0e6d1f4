package commit

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
)

// noFile is the version of anything but a regular file. No content has this version.
const noFile disk.Version = "no file"

// versionAt returns the version of the file called name: "" if nothing has that name, noFile if it is not a regular
// file.
func versionAt(d disk.Disk, name string) (disk.Version, error) {
	is, err := d.Version(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case errors.As(err, new(*errs.KindError)):
		return noFile, nil
	}
	return is, err
}

// inspectFile is Inspect for a file. It refuses what is not regular.
func inspectFile(d disk.Disk, name string) (disk.Traits, error) {
	now, err := d.Inspect(name)
	if err == nil && !now.Mode.IsRegular() {
		err = &errs.KindError{Mode: now.Mode}
	}
	return now, err
}

// checkBefore returns errs.ErrStale unless the file has the content that c expects.
func checkBefore(d disk.Disk, c Change) error { return stale(d.Equal(c.Path, c.Before.Data)) }

// stale returns errs.ErrStale if a comparison found that a file is not the same any more, or is gone.
func stale(same bool, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, new(*errs.KindError)) || err == nil && !same {
		return errs.ErrStale
	}
	return err
}

// attributesBefore is a checkBefore that also returns the attributes of the file.
func attributesBefore(d disk.Disk, c Change) (*disk.Attributes, error) {
	held, err := d.Hold(c.Path)
	if err != nil {
		return nil, stale(false, err)
	}
	defer held.Close()
	if err := stale(held.Equal(c.Before.Data)); err != nil {
		return nil, err
	}
	has, err := held.Attributes()
	return &has, err
}

// maxCopied is the size of the largest file, in bytes, that is copied where a link cannot be made.
const maxCopied = 4 << 30

// copyFile copies a file with its attributes, and syncs the copy.
func copyFile(d disk.Disk, from, to string, looseOwner bool, sync func(name string) error) error {
	data, err := d.ReadFile(from, maxCopied)
	if err != nil {
		return err
	}
	has, err := attributesAt(d, from)
	if err != nil {
		return err
	}
	if err := d.Create(to, data, disk.Meta{Like: &has, LooseOwner: looseOwner}); err != nil {
		return err
	}
	return sync(to)
}

func attributesAt(d disk.Disk, name string) (disk.Attributes, error) {
	held, err := d.Hold(name)
	if err != nil {
		return disk.Attributes{}, err
	}
	defer held.Close()
	return held.Attributes()
}

// linkOrCopy gives a file a second name or, where links are not possible, is copyFile.
func linkOrCopy(d disk.Disk, from, to string, looseOwner bool, sync func(name string) error) error {
	err := d.Link(from, to)
	if disk.NoLinks(err) || disk.OtherDevice(err) {
		return copyFile(d, from, to, looseOwner, sync)
	}
	return err
}

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
