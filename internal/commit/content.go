package commit

import (
	"errors"
	"io/fs"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
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

// attributesAt returns the attributes of the file called name.
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
