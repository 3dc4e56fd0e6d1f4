//go:build !unix

package speed

import "time"

// Processor is the same as Wall on this system.
func Processor() time.Duration { return Wall() }
