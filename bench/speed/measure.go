package speed

import (
	"runtime"
	"slices"
	"time"
)

// A Clock tells how much time has passed.
type Clock func() time.Duration

var begun = time.Now()

// Wall is the time that passes for whoever waits.
func Wall() time.Duration { return time.Since(begun) }

// Measure returns the median time of one call of each function. They take turns, so that whatever disturbs one disturbs
// the others too. It stops after that many rounds, or when budget is used up, but not before three rounds.
func Measure(now Clock, rounds int, budget time.Duration, functions ...func()) []time.Duration {
	times := make([][]time.Duration, len(functions))
	calls := make([]int, len(functions))
	for i, f := range functions { // as many calls as take two milliseconds make one round
		runtime.GC()
		start := now()
		f()
		calls[i] = 1 + int(2*time.Millisecond/max(now()-start, time.Microsecond))
	}
	begun := time.Now()
	for round := 0; round < rounds && (round < 3 || time.Since(begun) < budget); round++ {
		for i, f := range functions {
			start := now()
			for range calls[i] {
				f()
			}
			times[i] = append(times[i], (now()-start)/time.Duration(calls[i]))
		}
	}
	medians := make([]time.Duration, len(functions))
	for i, t := range times {
		slices.Sort(t)
		medians[i] = t[len(t)/2]
	}
	return medians
}

// Cost returns the number of allocations of one call, and the bytes allocated, which is at least what it has in use at any
// time.
func Cost(f func()) (allocs, size int64) {
	var before, after runtime.MemStats
	f()
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.Mallocs - before.Mallocs), int64(after.TotalAlloc - before.TotalAlloc)
}
