package commit

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/names"
)

// List returns the names in a directory, sorted; those of directories end in a slash. "." is the first root. The names
// that are reserved for commits are left out.
func (f Forest) List(name string) ([]string, error) {
	s := f.survey((*Tree).look)
	defer s.end()
	p, err := s.place(strings.TrimSuffix(name, "/"))
	if errors.Is(err, names.ErrRoot) {
		p.name, err = ".", nil
	}
	var found, shown []string
	if err == nil {
		found, err = p.disk.ReadDir(p.name)
	}
	for _, n := range found {
		if isReserved(n) {
			continue
		}
		if is, err := p.disk.Lstat(path.Join(p.name, n)); err == nil && is.Mode.IsDir() {
			n += "/"
		} else if err == nil && !is.Mode.IsRegular() && is.Mode&fs.ModeSymlink == 0 {
			continue
		}
		shown = append(shown, n)
	}
	return shown, disk.At("list", name, err)
}
