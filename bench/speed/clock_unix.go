//go:build unix

package speed

import (
	"syscall"
	"time"
)

// Processor is the time that the processors have spent on this program, garbage collection included, so that what else the
// machine does counts less. Where the system does not tell, it is Wall.
func Processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
