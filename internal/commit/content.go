package commit

import (
	"errors"
	"io/fs"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// noFile is the version of anything but a regular file. No content has it.
const noFile disk.Version = "no file"

// versionAt returns the version of what is there: "" for nothing, noFile for anything but a file.
func versionAt(d disk.Disk, name string) (disk.Version, error) {
	is, err := d.Version(name)
	var kind *disk.KindError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case errors.As(err, &kind):
		return noFile, nil
	}
	return is, err
}

// checkBefore returns errs.ErrStale unless the file of c has the content that c expects.
func checkBefore(d disk.Disk, c Change) error { return stale(d.Equal(c.Path, c.Before.Data)) }

// stale returns nil for a file that was looked at and is still the same one.
func stale(same bool, err error) error {
	var kind *disk.KindError
	if errors.Is(err, fs.ErrNotExist) || errors.As(err, &kind) || err == nil && !same {
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

// maxCopied is the size of the longest file, in bytes, that is copied where a link cannot be made.
const maxCopied = 4 << 30

// copyFile copies a file with everything that it has besides its content.
func copyFile(d disk.Disk, from, to string, looseOwner bool) error {
	data, err := d.ReadFile(from, maxCopied)
	if err != nil {
		return err
	}
	has, err := attributesAt(d, from)
	if err != nil {
		return err
	}
	return d.Create(to, data, disk.Meta{Like: &has, LooseOwner: looseOwner})
}

// attributesAt returns the attributes of a file.
func attributesAt(d disk.Disk, name string) (disk.Attributes, error) {
	held, err := d.Hold(name)
	if err != nil {
		return disk.Attributes{}, err
	}
	defer held.Close()
	return held.Attributes()
}

// linkOrCopy gives a file another name, or makes a durable copy where it cannot have one.
func linkOrCopy(d disk.Disk, from, to string) error {
	err := d.Link(from, to)
	if disk.NoLinks(err) || disk.OtherDevice(err) {
		if err = copyFile(d, from, to, true); err == nil {
			err = d.SyncFile(to)
		}
	}
	return err
}
