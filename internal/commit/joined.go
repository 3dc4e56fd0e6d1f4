package commit

import (
	"fmt"
	"slices"
	"strings"
)

// maxNamed is how many of its errors a list of them words.
const maxNamed = 5

// An errorList is several errors at once. It wraps all of them, but words only the first few: there may be one for each file.
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

// joined returns errs, some of which may be nil, as one error; nil if all are.
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

// withNotes adds to an error what there is to say about files, the first few of many.
func withNotes(err error, notes []string) error {
	for i, note := range notes {
		if i == maxNamed {
			return fmt.Errorf("%w (and %d more)", err, len(notes)-i)
		}
		err = fmt.Errorf("%w (%s)", err, note)
	}
	return err
}
