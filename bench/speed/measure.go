package speed

import (
	"runtime"
	"slices"
	"time"
)

// A Clock returns how much time has passed.
type Clock func() time.Duration

var begun = time.Now()

// Wall is the wall time.
func Wall() time.Duration { return time.Since(begun) }

// Measure returns the median time of one call of each function. The functions take turns, so that a disturbance affects
// all of them. Measure stops after the given number of rounds or when the budget is used up, but not before three
// rounds.
func Measure(now Clock, rounds int, budget time.Duration, functions ...func()) []time.Duration {
	var medians []time.Duration
	for _, t := range measure(now, rounds, budget, functions) {
		medians = append(medians, t[len(t)/2])
	}
	return medians
}

// Least returns the minimum instead of the median. On a machine whose memory others use too, that is the time of the
// work itself.
func Least(now Clock, rounds int, budget time.Duration, functions ...func()) []time.Duration {
	var least []time.Duration
	for _, t := range measure(now, rounds, budget, functions) {
		least = append(least, t[0])
	}
	return least
}

func measure(now Clock, rounds int, budget time.Duration, functions []func()) [][]time.Duration {
	times := make([][]time.Duration, len(functions))
	calls := make([]int, len(functions))
	for i, f := range functions { // one round has as many calls as fit in two milliseconds
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
	for _, t := range times {
		slices.Sort(t)
	}
	return times
}

// Cost returns the number of allocations of one call, and the number of bytes allocated, which is an upper bound of the
// memory in use at any time. It takes the minimum of several calls, because the garbage collector and others sometimes
// allocate too.
func Cost(f func()) (allocs, size int64) {
	f()
	for i := range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		n, bytes := int64(after.Mallocs-before.Mallocs), int64(after.TotalAlloc-before.TotalAlloc)
		if i == 0 || n < allocs {
			allocs, size = n, bytes
		}
	}
	return allocs, size
}
