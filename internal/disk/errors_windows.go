package disk

import "golang.org/x/sys/windows"

var (
	noLinks     = []error{windows.ERROR_NOT_SUPPORTED, windows.ERROR_INVALID_FUNCTION, windows.ERROR_TOO_MANY_LINKS}
	otherDevice = []error{windows.ERROR_NOT_SAME_DEVICE}

	// IsLocal has refused all other names that Windows calls invalid.
	nameTooLong = []error{windows.ERROR_FILENAME_EXCED_RANGE, windows.ERROR_INVALID_NAME}
)
