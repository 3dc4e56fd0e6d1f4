package atomicedit_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/atomicedit/atomicedit/internal/sweeps"
)

const writers = 24

// commits is how many commits of each writer there are on average.
var commits = sweeps.Or(10, 40)

// turns are the commits of writers that begin together, in order.
type turns struct {
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
	if len(all.began) < writers && all.early < late {
		all.began[name] = true
		all.early++
		return
	}
	if all.order = append(all.order, name); len(all.order) == enough {
		close(all.over)
	}
}

// write calls begin, and then commits to a file of its own in dir, again and again until it is over. It calls took
// after each commit.
func write(dir, name string, begin, took func(), over <-chan struct{}) error {
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		return err
	}
	defer d.Close()
	begin()
	for i := 0; ; i++ {
		select {
		case <-over:
			return nil
		default:
		}
		f, err := d.Read(context.Background(), name)
		if err != nil {
			return err
		}
		change := atomicedit.Change{Path: name, Before: f, After: &atomicedit.File{Data: fmt.Append(nil, i)}}
		if err := d.Commit(context.Background(), []atomicedit.Change{change}); err != nil {
			return err
		}
		took()
	}
}

// writeAlone is write in a process of its own. It prints a line when it is ready and after each commit, begins at the
// first byte of standard input, and ends with it.
func writeAlone(args []string) error {
	over := make(chan struct{})
	begin := func() {
		fmt.Println("ready")
		_, _ = os.Stdin.Read(make([]byte, 1))
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			close(over)
		}()
	}
	return write(args[0], args[1], begin, func() { fmt.Println("committed") }, over)
}

// writeThere lets a process write as write does.
func writeThere(t *testing.T, dir, name string, begin, took func(), over <-chan struct{}) error {
	cmd := again(t, "take turns", dir, name)
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

// Commits to one directory take turns: no writer makes far fewer commits than the others, or waits for far more of
// them.
func TestWritersOfOneDirectoryTakeTurns(t *testing.T) {
	accepttest.SkipWithoutDirs(t)
	if runtime.GOOS == "windows" {
		t.Skip("processes poll for the lock here")
	}
	for name, write := range map[string]func(*testing.T, string, string, func(), func(), <-chan struct{}) error{
		"in one process": func(_ *testing.T, dir, name string, begin, took func(), over <-chan struct{}) error {
			return write(dir, name, begin, took, over)
		},
		"in as many processes": writeThere,
	} {
		t.Run(name, func(t *testing.T) {
			for try := 1; ; try++ {
				fewest, longest := fairness(race(t, write))
				t.Logf("at least %d commits of each, and at most %d others between two of them", fewest, longest)
				if fewest >= commits/4 && longest <= commits/2*writers {
					return
				}
				if try == 3 { // the machine may have been busy with something else
					t.Fatalf("one of %d writers made %d commits of %d; one waited for %d others", writers, fewest,
						commits, longest)
				}
			}
		})
	}
}

// race lets all writers write to one directory, and returns the names of those that committed, in order.
func race(t *testing.T, write func(t *testing.T, dir, name string, begin, took func(),
	over <-chan struct{}) error) []string {
	files := map[string]string{}
	for i := range writers {
		files[strconv.Itoa(i)] = ""
	}
	dir := seed(t, files)
	all := &turns{over: make(chan struct{}), began: map[string]bool{}}
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
