package commit

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/names"
)

// The names that are reserved for commits. Files are staged in the state directory or, where that is not possible,
// beside their targets.
const (
	StateDir     = ".atomicedit"
	besidePrefix = ".atomicedit-"
	JournalName  = StateDir + "/journal"
	stagesName   = StateDir + "/stages"
	ignoreName   = StateDir + "/.gitignore"
)

// ignoreText keeps the state directory out of repositories.
const ignoreText = "*\n"

// visible returns a part of a path without what some file systems drop from it: invisible characters, and dots and
// spaces at its end.
func visible(part string) string {
	return strings.TrimRight(strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII && unicode.In(r, unicode.Cf, unicode.Variation_Selector,
			unicode.Other_Default_Ignorable_Code_Point) {
			return -1
		}
		return r
	}, part), ". ")
}

// isReserved reports whether a part of a path is reserved for commits. Some file systems have a short name for the
// state directory.
func isReserved(part string) bool {
	part = visible(part)
	return strings.EqualFold(part, StateDir) || isShortState(part) ||
		len(part) >= len(besidePrefix) && strings.EqualFold(part[:len(besidePrefix)], besidePrefix)
}

// isShortState reports whether part can be a short name of the state directory: the beginning of its name or, if
// several names begin like that, two letters and a hash.
func isShortState(part string) bool {
	base, number, _ := strings.Cut(strings.ToLower(part), "~")
	hash, hashed := strings.CutPrefix(base, "at")
	isHash := hashed && len(hash) == 4 && strings.Trim(hash, "0123456789abcdef") == ""
	return (base == "atomic" || isHash) && isNumber(number)
}

// isTarget reports whether a commit could change the file called name.
func isTarget(name string) bool {
	clean, err := names.CleanTarget(name)
	return err == nil && clean == name && disk.IsLocal(name) &&
		!slices.ContainsFunc(strings.Split(name, "/"), isReserved)
}

// isStateName reports whether a commit could have put name into the state directory.
func isStateName(name string) bool {
	number, kind, _ := strings.Cut(name, ".")
	return name == path.Base(JournalName) || name == path.Base(stagesName) || name == path.Base(ignoreName) ||
		stays(name) ||
		isNumber(number) && (kind == "new" || kind == "old" || kind == "res")
}

// stays reports whether name, in the state directory, outlives the commit that put it there: a backup that was kept, or
// a record that another tree may need.
func stays(name string) bool { return isKept(name) || isRecord(name) }

const recordPrefix = "verdict."

const idBytes = 16

func isRecord(name string) bool {
	id, ok := strings.CutPrefix(name, recordPrefix)
	return ok && len(id) == 2*idBytes && strings.Trim(id, "0123456789abcdef") == ""
}

// isKept reports whether name, in the state directory, is that of a backup kept for the user.
func isKept(name string) bool {
	number, ok := strings.CutPrefix(name, "kept.")
	return ok && isNumber(number)
}

func isNumber(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n >= 0 && strconv.Itoa(n) == s
}

func errLongName(part string) error {
	return fmt.Errorf("a name of %d bytes is too long for the file system; choose a shorter one: %w", len(part),
		fs.ErrInvalid)
}

// labeled returns a name below a tree with the label of the tree in front, if it has one.
func labeled(label, name string) string {
	if label == "" || name == "" {
		return name
	}
	return strings.TrimSuffix(label, "/") + "/" + name
}

// labeledAll returns sentences that say which tree they are about.
func labeledAll(label string, said []string) []string {
	if label == "" {
		return said
	}
	var all []string
	for _, s := range said {
		all = append(all, "in "+names.Show(label)+": "+s)
	}
	return all
}

// inTree returns an error about the files of a tree with the label of the tree in front of their names. An error that
// names no file stays as it is.
func inTree(label string, err error) error {
	var at *fs.PathError
	if label == "" || !errors.As(err, &at) {
		return err
	}
	if list, ok := err.(errorList); ok {
		var all []error
		for _, err := range list {
			all = append(all, inTree(label, err))
		}
		return errorList(all)
	}
	named := &fs.PathError{Op: at.Op, Path: labeled(label, at.Path), Err: at.Err}
	if err == error(at) {
		return named
	}
	return treeError{fmt.Errorf("in %s: %w", names.Show(label), err), named}
}

// A treeError is an error that wraps one about a file of a tree. [errors.As] finds that with the label of the tree in
// front of the name.
type treeError struct {
	error
	at *fs.PathError
}

func (e treeError) As(target any) bool {
	at, ok := target.(**fs.PathError)
	if ok {
		*at = e.at
	}
	return ok
}

func (e treeError) Unwrap() error { return e.error }

// firstFew returns the beginning of a list for a message, and how much more there is.
func firstFew(list []string) []string {
	const few = 5
	if n := len(list); n > few {
		return append(slices.Clone(list[:few]), fmt.Sprintf("and %d more", n-few))
	}
	return list
}

// An errorList is several errors, perhaps one for each file. It wraps all of them, but its message has only the first
// few.
type errorList []error

func (l errorList) Error() string {
	texts := make([]string, len(l))
	for i, err := range l {
		texts[i] = err.Error()
	}
	return strings.Join(firstFew(texts), "\n")
}

func (l errorList) Unwrap() []error { return l }

// joined combines errs into one error. It skips those that are nil, and returns nil if all of them are.
func joined(errs []error) error {
	errs = slices.DeleteFunc(slices.Clone(errs), func(err error) bool { return err == nil })
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	return errorList(errs)
}
