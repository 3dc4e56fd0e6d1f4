package sqlstore

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit"
)

// A change is an [atomicedit.Change] with the store's name for its file, and a version in place of a content to
// compare.
type change struct {
	name    string
	before  atomicedit.Version // "": there must be no file
	after   *atomicedit.File   // nil: there will be none
	version atomicedit.Version // of after
}

// modeBits are the bits of a mode that a store keeps.
const modeBits = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// newMode is the mode of a new file.
const newMode = 0o644

// cleanPath returns the store's name for the file at path.
func cleanPath(path string) (string, error) {
	name, err := atomicedit.CleanPath(path)
	if err == nil && len(name) > longestName {
		err = &fs.PathError{Op: "open", Path: path,
			Err: fmt.Errorf("a path of %d bytes is too long for the database; choose a shorter one: %w", len(name),
				fs.ErrInvalid)}
	}
	return name, err
}

// cleanChanges returns changes in the order of their names, in which they are locked. It refuses changes that are
// impossible whatever the files contain.
func (s *Store) cleanChanges(changes []atomicedit.Change) ([]change, error) {
	cleaned := make([]change, len(changes))
	for i, c := range changes {
		name, err := cleanPath(c.Path)
		if err != nil {
			return nil, err
		}
		cleaned[i].name, cleaned[i].after = name, c.After
		if c.Before != nil {
			cleaned[i].before = atomicedit.VersionOf(c.Before.Data)
		}
		if c.After == nil {
			continue
		}
		if int64(len(c.After.Data)) > s.maxSize {
			return nil, tooLarge("write", name, s.maxSize)
		}
		cleaned[i].version = atomicedit.VersionOf(c.After.Data)
	}
	slices.SortFunc(cleaned, func(a, b change) int { return strings.Compare(a.name, b.name) })
	return cleaned, checkNames(cleaned)
}

// checkNames refuses two changes of one file, and files that would be at both "x" and "x/y".
func checkNames(changes []change) error {
	files := map[string]bool{}
	for i, c := range changes {
		if i > 0 && changes[i-1].name == c.name {
			return &fs.PathError{Op: "check", Path: c.name,
				Err: fmt.Errorf("two parts of the request change this file; combine them: %w", fs.ErrInvalid)}
		}
		files[c.name] = c.after != nil
	}
	for _, c := range changes {
		if c.after == nil {
			continue
		}
		for _, dir := range parents(c.name) {
			if files[dir] {
				return &fs.PathError{Op: "check", Path: c.name,
					Err: fmt.Errorf("%s is to be a file, so nothing can be below it: use another path: %w", show(dir),
						fs.ErrInvalid)}
			}
		}
	}
	return nil
}

// check compares c with the version that is there, "" for none, as [atomicedit.Change.Check] does with contents.
func (c change) check(now atomicedit.Version) error {
	switch {
	case c.before == now:
		return nil
	case c.before == "":
		return &fs.PathError{Op: "create", Path: c.name, Err: fs.ErrExist}
	}
	return &fs.PathError{Op: "check", Path: c.name, Err: atomicedit.ErrStale}
}

// parents returns the directories above name, the longest first.
func parents(name string) []string {
	var dirs []string
	for i := len(name) - 1; i > 0; i-- {
		if name[i] == '/' {
			dirs = append(dirs, name[:i])
		}
	}
	return dirs
}

// below returns two bounds: the names between them are those in the directory called name, and below.
func below(name string) (low, high []byte) {
	return []byte(name + "/"), []byte(name + string(rune('/'+1)))
}

// clashes returns the error for a name that cannot be a file because of the file called other, which is above or below
// it.
func clashes(name, other string) error {
	err := fmt.Errorf("it is a directory, not a file: use the path of a file: %w", fs.ErrInvalid)
	if len(other) < len(name) {
		err = fmt.Errorf("%s is not a directory, so nothing can be below it: use another path: %w", show(other),
			fs.ErrInvalid)
	}
	return &fs.PathError{Op: "open", Path: name, Err: err}
}

// tooLarge returns the error for a file of more than limit bytes.
func tooLarge(op, name string, limit int64) error {
	return &fs.PathError{Op: op, Path: name,
		Err: fmt.Errorf("%w: more than %d bytes, so it cannot be read or edited here", atomicedit.ErrTooLarge, limit)}
}

// show returns a path for a message.
func show(path string) string {
	if !utf8.ValidString(path) || strings.ContainsFunc(path,
		func(r rune) bool { return !unicode.IsPrint(r) || r == '"' }) {
		return strconv.Quote(path)
	}
	return path
}
