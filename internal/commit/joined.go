package commit

import (
	"fmt"
	"slices"
	"strings"
)

// maxNamed is the number of errors that the message of an errorList spells out.
const maxNamed = 5

// An errorList is several errors, perhaps one for each file. It wraps all of them, but its message has only the first
// few.
type errorList []error

func (l errorList) Error() string {
	var b strings.Builder
	for i, err := range l {
		if i == maxNamed {
			fmt.Fprintf(&b, "\nand %d more", len(l)-i)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(err.Error())
	}
	return b.String()
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
	for i, note := range notes {
		if i == maxNamed {
			return fmt.Errorf("%w (and %d more)", err, len(notes)-i)
		}
		err = fmt.Errorf("%w (%s)", err, note)
	}
	return err
}
