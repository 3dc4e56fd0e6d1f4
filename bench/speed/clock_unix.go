//go:build unix

package speed

import (
	"syscall"
	"time"
)

// now is the processor time that this process has used, so that what else the machine does counts less.
func now() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
