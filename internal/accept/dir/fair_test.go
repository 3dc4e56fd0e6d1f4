package dir_test

import (
	"bufio"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/atomicedit/atomicedit/internal/sweeptest"
)

const writers = 24

// commits is how many commits of each writer there are on average.
var commits = sweeptest.Or(10, 40)

// turns are the commits of writers that begin together, in order.
type turns struct {
	each    bool           // it is over when each writer has made enough commits, not when all together have
	made    map[string]int // how many commits of a writer are in order
	waiting sync.WaitGroup // for the writers that are not ready
	over    chan struct{}  // closed when there are enough commits
	mu      sync.Mutex
	began   map[string]bool // the writers that have committed: a process may get its first time slice late
	early   int             // commits before
	order   []string        // of the commits since then
}

// took notes a commit of the named writer.
func (all *turns) took(name string) {
	enough, late := commits*writers, 5*commits*writers
	all.mu.Lock()
	defer all.mu.Unlock()
	if !all.each && len(all.began) < writers && all.early < late {
		all.began[name] = true
		all.early++
		return
	}
	all.order = append(all.order, name)
	all.made[name]++
	if all.each && all.made[name] == commits {
		all.began[name] = true
	}
	if !all.each && len(all.order) == enough || all.each && all.made[name] == commits && len(all.began) == writers {
		close(all.over)
	}
}

// writeThere lets a process write as write does.
func writeThere(t *testing.T, dir, name string, begin, took func(), over <-chan struct{}) error {
	cmd := accepttest.Again(t, "take turns", dir, name)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		select {
		case <-over:
		case <-ended:
		}
		_ = in.Close()
	}()
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() == "committed" {
			took()
			continue
		}
		begin()
		if _, err := in.Write([]byte("!")); err != nil {
			t.Error(err)
		}
	}
	close(ended)
	return cmd.Wait()
}

// Commits of one process to one directory take turns: no writer makes far fewer commits than the others, or waits for
// far more of them.
func TestWritersOfOneDirectoryTakeTurns(t *testing.T) {
	accepttest.SkipWithoutDirs(t)
	write := func(_ *testing.T, dir, name string, begin, took func(), over <-chan struct{}) error {
		return accepttest.Write(dir, name, begin, took, over)
	}
	for try := 1; ; try++ {
		fewest, longest := fairness(race(t, write, false))
		t.Logf("at least %d commits of each, and at most %d others between two of them", fewest, longest)
		if fewest >= commits/4 && longest <= commits/2*writers {
			return
		}
		if try == 3 { // the machine may have been busy with something else
			t.Fatalf("one of %d writers made %d commits of %d; one waited for %d others", writers, fewest,
				commits, longest)
		}
	}
}

// Between processes the system decides who is next, and may prefer some. But no process waits for ever while others
// commit without a pause.
func TestNoProcessWaitsForEver(t *testing.T) {
	accepttest.SkipWithoutDirs(t)
	if runtime.GOOS == "windows" {
		t.Skip("processes poll for the lock here")
	}
	race(t, writeThere, true)
}

// race lets all writers write to one directory, and returns the names of those that committed, in order. It is over
// when there are enough commits, with each when each writer has made enough.
func race(t *testing.T, write func(t *testing.T, dir, name string, begin, took func(), over <-chan struct{}) error,
	each bool) []string {
	files := map[string]string{}
	for i := range writers {
		files[strconv.Itoa(i)] = ""
	}
	dir := accepttest.Seed(t, files)
	all := &turns{each: each, made: map[string]int{}, over: make(chan struct{}), began: map[string]bool{}}
	all.waiting.Add(writers)
	var wg sync.WaitGroup
	for name := range files {
		wg.Go(func() {
			ready := sync.OnceFunc(all.waiting.Done)
			defer ready() // also if it fails
			begin := func() {
				ready()
				all.waiting.Wait()
			}
			if err := write(t, dir, name, begin, func() { all.took(name) }, all.over); err != nil {
				t.Errorf("writer %s: %v", name, err)
			}
		})
	}
	wg.Wait()
	return all.order
}

// fairness returns the fewest commits that a writer made, and the most commits of others that one waited for.
func fairness(order []string) (fewest, longest int) {
	fewest = len(order)
	for i := range writers {
		made, last := 0, -1
		for k, name := range order {
			if name == strconv.Itoa(i) {
				made, longest, last = made+1, max(longest, k-last-1), k
			}
		}
		fewest, longest = min(fewest, made), max(longest, len(order)-last-1)
	}
	return fewest, longest
}
