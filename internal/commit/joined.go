package commit

import (
	"fmt"
	"slices"
	"strings"
)

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

// withNotes adds the first few notes to the message of an error.
func withNotes(err error, notes []string) error {
	for _, note := range firstFew(notes) {
		err = fmt.Errorf("%w (%s)", err, note)
	}
	return err
}
