package commit

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/names"
)

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
// has a label already, or that names no file, stays as it is.
func inTree(label string, err error) error {
	var at *fs.PathError
	if label == "" || !errors.As(err, &at) || errors.As(err, new(*treeError)) {
		return err
	}
	if list, ok := err.(errorList); ok {
		var all []error
		for _, err := range list {
			all = append(all, inTree(label, err))
		}
		return errorList(all)
	}
	return &treeError{label, err}
}

// A treeError is an error about a file of a tree with a label.
type treeError struct {
	label string
	err   error
}

func (e *treeError) Error() string {
	if at := e.file(); e.err == error(at) {
		return e.named(at).Error()
	}
	return "in " + names.Show(e.label) + ": " + e.err.Error()
}

// As lets [errors.As] find the fs.PathError with the label in front of its name.
func (e *treeError) As(target any) bool {
	at, ok := target.(**fs.PathError)
	if ok {
		*at = e.named(e.file())
	}
	return ok
}

func (e *treeError) Unwrap() error { return e.err }

func (e *treeError) file() (at *fs.PathError) {
	errors.As(e.err, &at)
	return at
}

func (e *treeError) named(at *fs.PathError) *fs.PathError {
	return &fs.PathError{Op: at.Op, Path: labeled(e.label, at.Path), Err: at.Err}
}

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

func withNotes(err error, notes []string) error {
	for _, note := range firstFew(notes) {
		err = fmt.Errorf("%w (%s)", err, note)
	}
	return err
}
