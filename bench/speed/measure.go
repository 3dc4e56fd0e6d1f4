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
	var medians []time.Duration
	for _, t := range measure(now, rounds, budget, functions) {
		medians = append(medians, t[len(t)/2])
	}
	return medians
}

// Least returns the least time of each instead: where others use the same memory, that is what the work itself takes.
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
	for _, t := range times {
		slices.Sort(t)
	}
	return times
}

// Cost returns the number of allocations of one call, and the bytes allocated, which is at least what it has in use at any
// time: the least of several, because the collector and others allocate too, now and then.
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
