package atomicedit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// WriteFile replaces or creates the file called name: whoever reads it, and whatever happens meanwhile, gets the old
// bytes or the new ones, never a mix, and nil means that the new ones are on disk. Symbolic links are followed. An
// existing file keeps its mode and, as far as the system has them ([OpenDir] says more), owner and extended attributes;
// one that we may not write, or whose owner cannot be kept, is refused with [fs.ErrPermission]. Other hard links
// to it keep the old content. A new file has the mode perm, before umask.
//
// The new content is staged beside the file as ".atomicedit-0.new" (or another number, where somebody has that name), under
// a lock on the directory that other commits of this package respect; what a killed process left of it goes with the next
// write there. So does a commit to this directory, of [OpenDir], that died half way: it is taken back first. The cost is
// one write, and two waits for the disk. [ErrNotDurable] means that the second failed: the file is new, but perhaps not
// after a power cut. The names under which commits stage files, ".atomicedit" and those that begin with ".atomicedit-", are
// [fs.ErrInvalid].
func WriteFile(name string, data []byte, perm fs.FileMode) error {
	return writeFile(name, data, perm, DurableFull)
}

func writeFile(name string, data []byte, perm fs.FileMode, durability Durability) error {
	final, err := followLinks(name)
	if err != nil {
		return at("write", name, err)
	}
	if base := filepath.Base(final); base != ".." && !isLocal(base) {
		return at("write", name, errForeignName)
	}
	if isState(filepath.Base(final)) {
		return at("write", name, fmt.Errorf("the name is one of those under which commits stage files: %w", fs.ErrInvalid))
	}
	in, err := openFolderAt(dirOf(final))
	if err != nil {
		return at("write", name, err)
	}
	pins := &pins{dirs: map[string]*folder{".": in}}
	defer pins.release()
	c := &commit{
		disk:    rootDisk{pins: pins},
		changes: []Change{{Path: filepath.Base(final), After: &File{Data: data}}},
		opts:    DirOptions{Durability: durability},
		perm:    perm,
		write:   true,
		beside:  true,
	}
	for range 10 { // somebody else may create or remove it meanwhile
		_, err = c.run(context.Background())
		if !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	var p *fs.PathError
	if errors.As(err, &p) && p.Path == filepath.Base(final) {
		p.Path = name
	}
	return err
}

// followLinks returns the name of the file that name leads to, which need not be there.
func followLinks(name string) (string, error) {
	if name == "" || os.IsPathSeparator(name[len(name)-1]) || strings.ContainsRune(name, 0) {
		return "", errNoFile
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
		case strings.HasPrefix(filepath.ToSlash(link), "/"): // on Windows
			link = filepath.VolumeName(name) + link
		default:
			link = dirOf(name) + string(filepath.Separator) + link
		}
		name = link
	}
	return "", errTooManyLinks
}

// dirOf is what comes before the last part of name, as it stands: filepath.Dir and Join would take ".." for the parent of a
// linked directory's name.
func dirOf(name string) string {
	if dir, _ := filepath.Split(name); dir != "" {
		return dir
	}
	return "."
}

const maxLinks = 40

var errTooManyLinks = fmt.Errorf("too many symbolic links; name the file that they lead to: %w", fs.ErrInvalid)
