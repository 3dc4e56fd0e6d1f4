//go:build unix

package atomicedit

import "syscall"

// What the system says, for the disks in memory to say.
const (
	sysOtherDevice = syscall.EXDEV
	sysNoLinks     = syscall.EPERM
	sysNameTooLong = syscall.ENAMETOOLONG
)
