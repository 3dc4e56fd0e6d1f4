//go:build unix && !solaris && !aix

package disk

import "golang.org/x/sys/unix"

var (
	noLinks     = []error{unix.EPERM, unix.ENOTSUP, unix.ENOSYS, unix.EMLINK}
	otherDevice = []error{unix.EXDEV}
	nameTooLong = []error{unix.ENAMETOOLONG}
)
