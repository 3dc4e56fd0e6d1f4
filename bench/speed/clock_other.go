//go:build !unix

package speed

import "time"

// Processor is no other than Wall here.
func Processor() time.Duration { return Wall() }
