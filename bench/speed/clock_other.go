//go:build !unix

package speed

import "time"

var start = time.Now()

func now() time.Duration { return time.Since(start) }
