// Package names has the paths of files: their one spelling, the directories above them, and how messages show them.
// Paths come in as a request or a store has them. Nothing here looks at a file system.
package names

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"unicode"

	"github.com/atomicedit/atomicedit/internal/errs"
)

// MaxLen is the length of the longest path, in bytes. System calls of Linux accept no longer ones.
const MaxLen = 4096

var (
	ErrBeyond  = fmt.Errorf("%w: use a path inside it", errs.ErrOutside)
	ErrNoFile  = fmt.Errorf("a path must name a file: %w", fs.ErrInvalid)
	ErrRoot    = fmt.Errorf("it is the directory itself, not a file: use the path of a file in it: %w", fs.ErrInvalid)
	errNul     = fmt.Errorf("a path cannot have a NUL byte in it: %w", fs.ErrInvalid)
	ErrTooLong = fmt.Errorf("a path of more than %d bytes is too long: %w", MaxLen, fs.ErrInvalid)
)

// Clean returns the shortest spelling of a path below a directory. It fails with errs.ErrOutside if the path leads out
// of the directory or begins with "~/", and with fs.ErrInvalid if it cannot name a file.
func Clean(name string) (string, error) {
	clean, err := CleanTarget(name)
	if IsHome(name) || err == nil && IsHome(clean) {
		return "", Outside(name)
	}
	return clean, err
}

func IsHome(name string) bool { return strings.HasPrefix(name, "~/") }

// CleanTarget is Clean for a path of which "~" is known to be the name of a directory.
func CleanTarget(name string) (string, error) {
	clean := path.Clean(name)
	var err error
	switch {
	case len(name) > MaxLen:
		err = ErrTooLong
	case strings.ContainsRune(name, 0):
		err = errNul
	case name == "":
		err = ErrNoFile
	case clean == ".":
		err = ErrRoot
	case path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../"):
		err = ErrBeyond
	case strings.HasSuffix(name, "/"):
		err = &errs.KindError{Mode: fs.ModeDir}
	default:
		return clean, nil
	}
	return "", &fs.PathError{Op: "open", Path: name, Err: err}
}

func Outside(name string) error { return &fs.PathError{Op: "open", Path: name, Err: ErrBeyond} }

// Parents returns the directories above a clean name, from the nearest to ".".
func Parents(name string) (dirs []string) {
	if name == "." || name == "/" {
		return nil
	}
	dirs = make([]string, 0, 1+strings.Count(name, "/"))
	for i := strings.LastIndexByte(name, '/'); i > 0; i = strings.LastIndexByte(name[:i], '/') {
		dirs = append(dirs, name[:i])
	}
	return append(dirs, path.Dir(name[:min(len(name), 1)]))
}

// Show returns a path for a message, quoted if it has quotation marks, what does not print, or spaces around it.
func Show(path string) string {
	odd := func(r rune) bool { return !unicode.IsPrint(r) || r == '"' }
	if strings.ContainsFunc(path, odd) || strings.TrimSpace(path) != path {
		return strconv.Quote(path)
	}
	return path
}

// ErrNotDir returns the error for a path below something called name that is no directory.
func ErrNotDir(name string) error {
	return fmt.Errorf("%s is not a directory, so nothing can be below it: use another path: %w", Show(name),
		fs.ErrInvalid)
}

// WithSlashes returns a path with slashes for backslashes. A drive makes it absolute, so "C:" names no directory.
func WithSlashes(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	if drive, _, ok := strings.Cut(name, ":/"); ok && len(drive) == 1 && drive != "/" {
		return "/" + name
	}
	return name
}

// OfRequest returns the shortest spelling of a path of a request, with slashes.
func OfRequest(name string) string { return path.Clean(WithSlashes(name)) }

// In joins dir and a name, unless one of them is empty or the name is absolute.
func In(dir, name string) string {
	if dir == "" || name == "" || path.IsAbs(WithSlashes(name)) || strings.HasPrefix(name, "~/") {
		return name
	}
	return path.Join(dir, name)
}

// Below returns the absolute name of a file in a directory. It keeps the slashes that a network share begins with.
func Below(dir, name string) string { return strings.TrimSuffix(dir, "/") + "/" + name }

func SlashesNote(name string) string {
	return "the request has the path " + Show(name) + "; its backslashes were read as slashes"
}

// UseOne tells of files one of which may be meant, "" if there are none.
func UseOne(paths []string) string {
	switch len(paths) {
	case 0:
		return ""
	case 1:
		return "; there is a file " + Show(paths[0]) + ": use that path if you mean this file"
	}
	var shown []string
	for _, p := range paths {
		shown = append(shown, Show(p))
	}
	return "; there are files " + strings.Join(shown, ", ") + ": use one of these paths if you mean that file"
}
