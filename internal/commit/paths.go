package commit

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/errs"
)

// maxPath is the length of the longest path, in bytes. System calls of Linux accept no longer ones.
const maxPath = 4096

var (
	errBeyond   = fmt.Errorf("%w: use a path inside it", errs.ErrOutside)
	errNoFile   = fmt.Errorf("a path must name a file: %w", fs.ErrInvalid)
	errRoot     = fmt.Errorf("it is the directory itself, not a file: use the path of a file in it: %w", fs.ErrInvalid)
	errNul      = fmt.Errorf("a path cannot have a NUL byte in it: %w", fs.ErrInvalid)
	errLongPath = fmt.Errorf("a path of more than %d bytes is too long: %w", maxPath, fs.ErrInvalid)
)

// CleanPath returns the shortest spelling of a path below a directory. It fails with errs.ErrOutside if the path leads out of the
// directory or begins with "~/", and with fs.ErrInvalid if it cannot name a file.
func CleanPath(name string) (string, error) {
	clean, err := cleanPath(name)
	if isHome(name) || err == nil && isHome(clean) {
		return "", errOutside(name)
	}
	return clean, err
}

// isHome reports whether a path begins at the home of a user.
func isHome(name string) bool { return strings.HasPrefix(name, "~/") }

// cleanPath is CleanPath for a path of which "~" is known to be the name of a directory.
func cleanPath(name string) (string, error) {
	if len(name) > maxPath {
		return "", &fs.PathError{Op: "open", Path: name, Err: errLongPath}
	}
	clean := path.Clean(name)
	switch {
	case strings.ContainsRune(name, 0):
		return "", &fs.PathError{Op: "open", Path: name, Err: errNul}
	case name == "":
		return "", &fs.PathError{Op: "open", Path: name, Err: errNoFile}
	case clean == ".":
		return "", &fs.PathError{Op: "open", Path: name, Err: errRoot}
	case path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../"):
		return "", errOutside(name)
	case strings.HasSuffix(name, "/"):
		return "", &fs.PathError{Op: "open", Path: name, Err: &disk.KindError{Mode: fs.ModeDir}}
	}
	return clean, nil
}

func errOutside(name string) error {
	return &fs.PathError{Op: "open", Path: name, Err: errBeyond}
}

// Parents returns the directories above a clean name, from the nearest to ".".
func Parents(name string) []string {
	var dirs []string
	for name != "." {
		name, _ = disk.Split(name)
		dirs = append(dirs, name)
	}
	return dirs
}

// CheckPaths refuses changes that cannot all happen at once: two changes of one file, or a file below another. The paths must be
// resolved. The two halves of a move may have the same path, if the move changes a name only in a way that the file system ignores.
func CheckPaths(changes []Change) error {
	seen := map[string]Change{}
	for _, c := range changes {
		if was, twice := seen[c.Path]; twice && !(was.After == nil && c.After != nil && c.From != "") {
			return disk.At("check", c.Path, fmt.Errorf("two parts of the request change this file; combine them: %w", fs.ErrInvalid))
		}
		seen[c.Path] = c
	}
	for _, c := range changes {
		if c.After == nil {
			continue
		}
		for _, dir := range Parents(c.Path) {
			if seen[dir].After != nil {
				return disk.At("check", c.Path, fmt.Errorf("%s is to be a file, so nothing can be below it: use another path: %w", ShowPath(dir), fs.ErrInvalid))
			}
		}
	}
	return nil
}

// ShowPath returns a path for a message. It quotes the path if it has quotation marks or characters that do not print.
func ShowPath(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) || r == '"' }) {
		return strconv.Quote(path)
	}
	return path
}

func errLongName(part string) error {
	return fmt.Errorf("a name of %d bytes is too long for the file system; choose a shorter one: %w", len(part), fs.ErrInvalid)
}

// ErrNotDir returns the error for a path below something called name that is no directory.
func ErrNotDir(name string) error {
	return fmt.Errorf("%s is not a directory, so nothing can be below it: use another path: %w", ShowPath(name), fs.ErrInvalid)
}
