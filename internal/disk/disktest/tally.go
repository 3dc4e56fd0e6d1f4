package disktest

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
)

var tallies = struct {
	sync.Mutex
	n map[string]int
}{n: map[string]int{}}

// Tally adds n to the count of what the tests of a package have done to commits.
func Tally(what string, n int) {
	tallies.Lock()
	defer tallies.Unlock()
	tallies.n[what] += n
}

// Run runs the tests of a package, prints what they have tallied, and returns the exit status.
func Run(m *testing.M) int {
	code := m.Run()
	tallies.Lock()
	defer tallies.Unlock()
	for _, what := range slices.Sorted(maps.Keys(tallies.n)) {
		fmt.Printf("commits: %6d %s\n", tallies.n[what], what)
	}
	return code
}
