package atomicedit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/disk"
)

const writers = 24

// write commits to a file of its own in dir, again and again for a while, and returns how long each commit took.
func write(dir, name string, until time.Time) (took []time.Duration, err error) {
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		return nil, err
	}
	defer d.Close()
	for time.Now().Before(until) {
		f, err := d.Read(context.Background(), name)
		if err != nil {
			return took, err
		}
		start := time.Now()
		change := atomicedit.Change{Path: name, Before: f, After: &atomicedit.File{Data: fmt.Append(nil, start)}}
		if err := d.Commit(context.Background(), []atomicedit.Change{change}); err != nil {
			return took, err
		}
		took = append(took, time.Since(start))
	}
	return took, nil
}

// writeAlone is write in a process of its own, which prints the times. The writers begin together.
func writeAlone(args []string) error {
	begin, _ := strconv.ParseInt(args[2], 10, 64)
	length, _ := time.ParseDuration(args[3])
	start := time.UnixMilli(begin)
	time.Sleep(time.Until(start))
	took, err := write(args[0], args[1], start.Add(length))
	for _, d := range took {
		fmt.Println(int64(d))
	}
	return err
}

// Commits to one directory take turns: nobody waits much longer than the others.
func TestWritersOfOneDirectoryTakeTurns(t *testing.T) {
	atomicedit.SkipWithoutDirs(t)
	if runtime.GOOS == "windows" {
		t.Skip("processes poll for the lock here")
	}
	const length = 1500 * time.Millisecond
	inProcess := func(dir, name string) ([]time.Duration, error) { return write(dir, name, time.Now().Add(length)) }
	for _, test := range []struct {
		name  string
		write func(t *testing.T) func(dir, name string) ([]time.Duration, error)
	}{
		{"in one process", func(*testing.T) func(dir, name string) ([]time.Duration, error) { return inProcess }},
		{"in as many processes", func(t *testing.T) func(dir, name string) ([]time.Duration, error) {
			begin := strconv.FormatInt(time.Now().Add(time.Second).UnixMilli(), 10)
			return func(dir, name string) (took []time.Duration, err error) {
				out, err := again(t, "take turns", dir, name, begin, length.String()).CombinedOutput()
				if err != nil {
					return nil, fmt.Errorf("%w: %s", err, out)
				}
				for line := range strings.FieldsSeq(string(out)) {
					n, _ := strconv.ParseInt(line, 10, 64)
					took = append(took, time.Duration(n))
				}
				return took, nil
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for try := 1; ; try++ {
				mean, longest, commits, fewest := race(t, test.write(t))
				t.Logf("%d commits, at least %d of each: mean %v, longest %v", commits, fewest, mean, longest)
				if longest <= 20*mean && fewest >= commits/writers/4 {
					return
				}
				if try == 3 { // the machine may have been busy with something else
					t.Fatalf("the longest wait is %v, the mean is %v; of %d commits, one of %d writers made %d", longest, mean, commits, writers, fewest)
				}
			}
		})
	}
}

// race lets all writers write to one directory, and returns how long their commits took, how many there were, and the fewest that
// one of them made.
func race(t *testing.T, write func(dir, name string) ([]time.Duration, error)) (mean, longest time.Duration, commits, fewest int) {
	fewest = math.MaxInt
	files := map[string]string{}
	for i := range writers {
		files[strconv.Itoa(i)] = ""
	}
	dir := seed(t, files)
	var mu sync.Mutex
	var wg sync.WaitGroup
	var sum time.Duration
	for name := range files {
		wg.Go(func() {
			took, err := write(dir, name)
			if err != nil || len(took) == 0 {
				t.Errorf("%d commits, error %v", len(took), err)
			}
			mu.Lock()
			defer mu.Unlock()
			fewest = min(fewest, len(took))
			for _, d := range took {
				sum += d
				longest = max(longest, d)
				commits++
			}
		})
	}
	wg.Wait()
	return sum / time.Duration(max(commits, 1)), longest, commits, fewest
}

// WriteFileContext waits for who is at work in the directory as long as its context allows, and leaves no claim on the lock.
func TestWriteFileContextGivesUp(t *testing.T) {
	atomicedit.SkipWithoutDirs(t)
	dir := seed(t, map[string]string{"a": "one"})
	name := filepath.Join(dir, "a")
	d, release, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	unlock, err := d.Lock(t.Context(), func() []string { return []string{"."} }, true)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
		err := atomicedit.WriteFileContext(ctx, name, []byte("two"), 0o644)
		stop()
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "another commit") {
			t.Errorf("error %v", err)
		}
	}
	if data, err := os.ReadFile(name); string(data) != "one" {
		t.Errorf("%q, error %v", data, err)
	}
	unlock()
	for range 3 {
		if err := atomicedit.WriteFileContext(t.Context(), name, []byte("two"), 0o644); err != nil {
			t.Error(err)
		}
	}
}
