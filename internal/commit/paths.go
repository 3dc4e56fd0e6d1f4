package commit

import (
	"fmt"
	"io/fs"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/names"
)

// CheckPaths refuses changes that cannot all happen at once: two changes of one file, or a file below another. The
// paths must be resolved. The two halves of a move may have the same path, if the move changes a name only in a way
// that the file system ignores.
func CheckPaths(changes []Change) error {
	seen := map[string]Change{}
	for _, c := range changes {
		if was, twice := seen[c.Path]; twice && !(was.After == nil && c.After != nil && c.From != "") {
			return disk.At("check", c.Path, fmt.Errorf("two parts of the request change this file; combine them: %w",
				fs.ErrInvalid))
		}
		seen[c.Path] = c
	}
	for _, c := range changes {
		if c.After == nil {
			continue
		}
		for _, dir := range names.Parents(c.Path) {
			if seen[dir].After != nil {
				return disk.At("check", c.Path, fmt.Errorf(
					"%s is to be a file, so nothing can be below it: use another path: %w",
					names.Show(dir), fs.ErrInvalid))
			}
		}
	}
	return nil
}

func errLongName(part string) error {
	return fmt.Errorf("a name of %d bytes is too long for the file system; choose a shorter one: %w", len(part),
		fs.ErrInvalid)
}
