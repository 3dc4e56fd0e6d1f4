package commit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/names"
)

// WriteFile replaces or creates the file called name. It follows links. A new file has the mode perm before umask.
// WriteFile waits for other commits until ctx ends or, if patience is not 0, at most that long.
func WriteFile(ctx context.Context, patience time.Duration, name string, data []byte, perm fs.FileMode,
	durability Durability) error {
	final, err := followLinks(name)
	base := filepath.Base(final)
	switch {
	case err != nil:
	case base != ".." && !disk.IsLocal(base):
		err = errForeignName
	case isReserved(base):
		err = fmt.Errorf("the name is reserved for staging the files of commits: %w", fs.ErrInvalid)
	}
	if err != nil {
		return disk.At("write", name, err)
	}
	d, release, err := disk.Open(dirOf(final))
	if err != nil {
		return disk.At("write", name, err)
	}
	defer release()
	number := func() (int64, error) {
		at, err := locate(dirOf(final), "")
		if err != nil {
			return 0, err
		}
		return vaultOf("", at).number()
	}
	j := job{
		disk:      identified{d, number, false},
		changes:   []Change{{Path: base, After: &File{Data: data}}},
		opts:      Options{Durability: durability},
		perm:      perm,
		overwrite: true,
		patience:  patience,
		open:      lookElsewhere,
	}
	for range 10 { // another program may create or remove the file meanwhile, or keep changing its attributes
		_, err = joint{j}.run(ctx)
		if !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errs.ErrStale) {
			break
		}
	}
	var p *fs.PathError
	if errors.As(err, &p) && p.Path == base {
		p.Path = name
	}
	return err
}

// followLinks returns the name of the file that name leads to, whether the file exists or not.
func followLinks(name string) (string, error) {
	if name == "" || os.IsPathSeparator(name[len(name)-1]) || strings.ContainsRune(name, 0) {
		return "", names.ErrNoFile
	}
	for range maxLinks {
		info, err := os.Lstat(name)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
			return name, err
		}
		link, err := os.Readlink(name)
		if err != nil {
			return "", err
		}
		switch {
		case filepath.IsAbs(link):
		case strings.HasPrefix(filepath.ToSlash(link), "/"): // on Windows, without the volume
			link = filepath.VolumeName(name) + link
		default:
			link = dirOf(name) + string(filepath.Separator) + link
		}
		name = link
	}
	return "", errTooManyLinks
}

// dirOf returns name without its last part. It does not clean the rest, as filepath.Dir does, because ".." after a link
// to a directory is not the parent of the link.
func dirOf(name string) string {
	if dir, _ := filepath.Split(name); dir != "" {
		return dir
	}
	return "."
}
