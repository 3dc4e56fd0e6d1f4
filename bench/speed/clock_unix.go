//go:build unix

package speed

import (
	"syscall"
	"time"
)

// Processor is the processor time of this program, garbage collection included. It depends less on what else the
// machine does. If the system does not report it, Processor is Wall.
func Processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
