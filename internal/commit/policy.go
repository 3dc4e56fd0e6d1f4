package commit

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
)

// A Deed is what a commit does to an existing file.
type Deed int

const (
	Replace Deed = iota // put a new file in its place
	Delete              // remove it
	Move                // rename it
)

func (d Deed) String() string { return [...]string{"replaced", "deleted", "moved"}[d] }

// A protectedError is fs.ErrPermission with a message of its own.
type protectedError string

func (e protectedError) Error() string { return string(e) }
func (e protectedError) Unwrap() error { return fs.ErrPermission }

// mayChange returns nil if a commit may do d to a file, and otherwise the reason why it may not.
func mayChange(now disk.Traits, o Options, d Deed) error {
	switch {
	case now.Fixed:
		return protectedError("the file is immutable or append-only, so it cannot be " + d.String() +
			": leave it alone, or ask the user")
	case !now.Writable && d != Move: // a write-protected file can be renamed
		return protectedError("the file is write-protected: ask for permission to change it")
	case now.MountPoint && d != Replace:
		return protectedError("the file is a mount point: it cannot be " + d.String())
	case now.MountPoint && !o.InPlace:
		return protectedError(
			"the file is a mount point: it cannot be replaced, only written in place, which DirOptions.InPlace allows")
	case !now.Replaceable && (d != Replace || !o.InPlace):
		return protectedError("the directory of the file is write-protected: the file cannot be " + d.String())
	case d == Delete || now.InPlace():
		return nil // owner and links stay, or no longer matter
	// we may link files that we own or may write
	case !now.Keepable && !o.AllowOwnerChange && (d == Replace || !now.Writable && !now.Ours):
		return protectedError(
			"the file belongs to another user or group, which cannot be kept: leave it alone, or ask the user")
	case now.Links > 1 && o.RefuseHardLinks && d == Replace:
		return protectedError(fmt.Sprintf(
			"the file has %d names (hard links), and a change would separate them: leave it alone, or ask the user",
			now.Links))
	}
	return nil
}

// notesOn returns the notes that a host should see before it approves a change of the file.
func notesOn(now disk.Traits, o Options) []string {
	if now.InPlace() {
		if o.InPlace {
			return []string{"the file cannot be replaced, so it is written in place: a reader can see it half written"}
		}
		return nil
	}
	var notes []string
	if now.Links > 1 {
		notes = append(notes, fmt.Sprintf("the file has %d names (hard links); the others keep the old content",
			now.Links))
	}
	if !now.Keepable && o.AllowOwnerChange {
		notes = append(notes, "the file belongs to another user or group, which a change may not keep")
	}
	return notes
}

// respells reports whether from and to, the old and new path of a file, are spellings of one name: they differ only in
// case, and the directory lists only the first. Equal inodes would not prove it, because of hard links.
func respells(d disk.Disk, from, to string) bool {
	if !strings.EqualFold(from, to) {
		return false
	}
	names, err := d.ReadDir(path.Dir(to))
	return err == nil && !slices.Contains(names, path.Base(to))
}
