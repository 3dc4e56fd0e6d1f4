// Soak lets several processes make random commits to one directory, and kills them at random, for a given time. Every commit
// changes several files at once: a counter of its process, a counter that all processes share, and others. It creates, moves and
// deletes files. After the last recovery, soak checks that
//
//   - the counter of every worker is the number of its successful commits, plus at most one for each kill (a lost update would be
//     missing);
//   - the shared counter is the sum of the others (a partial commit would show);
//   - all files of the set that is changed together have the same text;
//   - no commit has left internal files.
//
// After each kill, it also checks the set, in a commit.
//
//	go run ./soak [-t 3m] [-p 4] [-dir directory]
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/atomicedit/atomicedit"
)

func main() {
	long := flag.Duration("t", 3*time.Minute, "how long")
	processes := flag.Int("p", 4, "how many processes at a time")
	under := flag.String("dir", os.TempDir(), "where to make the directory")
	worker := flag.Int("worker", -1, "for its own use")
	flag.Parse()
	var err error
	if *worker >= 0 {
		err = work(flag.Arg(0), *worker, *processes)
	} else {
		err = soak(*under, *processes, *long)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

const setSize = 4

func counter(worker int) string { return fmt.Sprintf("w%d/counter", worker) }
func member(i int) string       { return fmt.Sprintf("set/%d/text", i) }

// work commits forever, and prints a line for each successful commit.
func work(dir string, worker, _ int) error {
	ctx := context.Background()
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.Durability(rand.IntN(3))})
	if err != nil {
		return err
	}
	defer d.Close()
	for {
		changes, err := change(ctx, d, worker)
		if err == nil {
			err = d.Commit(ctx, changes)
		}
		switch {
		case err == nil:
			fmt.Println("done")
		case errors.Is(err, atomicedit.ErrStale), errors.Is(err, fs.ErrExist), errors.Is(err, fs.ErrNotExist): // another process was first
		default:
			return err
		}
	}
}

// change makes up the changes of a commit.
func change(ctx context.Context, d *atomicedit.Dir, worker int) ([]atomicedit.Change, error) {
	var changes []atomicedit.Change
	edit := func(name string, text func(was string) string) error {
		f, err := d.Read(ctx, name)
		if err == nil {
			changes = append(changes, atomicedit.Change{Path: name, Before: f, After: &atomicedit.File{Data: []byte(text(string(f.Data)))}})
		}
		return err
	}
	add := func(was string) string { n, _ := strconv.Atoi(was); return strconv.Itoa(n + 1) }
	if err := errors.Join(edit(counter(worker), add), edit("all", add)); err != nil {
		return nil, err
	}
	if rand.IntN(2) == 0 {
		text := strings.Repeat(fmt.Sprintf("%d %d\n", worker, rand.Int()), 1+rand.IntN(3000))
		for i := range setSize {
			if err := edit(member(i), func(string) string { return text }); err != nil {
				return nil, err
			}
		}
	}
	// Each worker has a file that moves through directories, which are made and removed.
	home, away := fmt.Sprintf("w%d/here", worker), fmt.Sprintf("w%d/new%d/there", worker, rand.IntN(3))
	if f, err := d.Read(ctx, home); err == nil {
		changes = append(changes, atomicedit.Change{Path: away, From: home, After: &atomicedit.File{Data: f.Data}}, atomicedit.Change{Path: home, Before: f})
	} else if f, err := d.Read(ctx, away); err == nil {
		changes = append(changes, atomicedit.Change{Path: home, From: away, After: &atomicedit.File{Data: f.Data}}, atomicedit.Change{Path: away, Before: f})
	}
	return changes, nil
}

// A tally counts what the processes with one worker number have done.
type tally struct {
	mu    sync.Mutex
	done  int // commits that were reported as successful
	kills int // each may have cut off the report of one more
}

func soak(under string, processes int, long time.Duration) error {
	dir, err := os.MkdirTemp(under, "soak")
	if err != nil {
		return err
	}
	if err := plant(dir, processes); err != nil {
		return err
	}
	var wg sync.WaitGroup
	tallies := make([]tally, processes)
	errs := make([]error, processes)
	end := time.Now().Add(long)
	recovered := 0
	var mu sync.Mutex
	for i := range processes {
		wg.Go(func() {
			for time.Now().Before(end) && errs[i] == nil {
				if errs[i] = live(dir, i, &tallies[i], end); errs[i] != nil {
					break
				}
				said, err := look(dir)
				mu.Lock()
				recovered += len(said)
				mu.Unlock()
				errs[i] = err
			}
		})
	}
	wg.Wait()
	errs = append(errs, verify(dir, tallies))
	commits, kills := 0, 0
	for i := range tallies {
		commits += tallies[i].done
		kills += tallies[i].kills
	}
	fmt.Printf("%d processes, %v: %d commits, %d kills, %d interrupted commits rolled back by checks\n", processes, long, commits, kills, recovered)
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%w (%s is left for inspection)", err, dir)
	}
	fmt.Println("no update lost, no set mixed, no litter")
	return os.RemoveAll(dir)
}

func plant(dir string, processes int) error {
	files := map[string]string{"all": "0"}
	for i := range processes {
		files[counter(i)], files[fmt.Sprintf("w%d/here", i)] = "0", "a file that wanders"
	}
	for i := range setSize {
		files[member(i)] = "the same"
	}
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, []byte(text), 0o644)); err != nil {
			return err
		}
	}
	return nil
}

// live runs a process for a while, and kills it.
func live(dir string, worker int, t *tally, end time.Time) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(exe, "-worker", strconv.Itoa(worker), dir)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	stop := time.AfterFunc(min(time.Duration(5+rand.ExpFloat64()*400)*time.Millisecond, time.Until(end)), func() { cmd.Process.Kill() })
	defer stop.Stop()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		t.mu.Lock()
		t.done++
		t.mu.Unlock()
	}
	cmd.Wait()
	t.kills++
	if said.Len() > 0 {
		return fmt.Errorf("worker %d: %s", worker, said.String())
	}
	return nil
}

// look opens the directory, which rolls back a dead commit, and checks that the files of the set have the same text. It reads all
// of them and then commits them unchanged. If another commit changed one of them meanwhile, that is refused, and look tries
// again.
func look(dir string) ([]string, error) {
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		return nil, err
	}
	defer d.Close()
	said := d.Recovered()
	for {
		var changes []atomicedit.Change
		for i := range setSize {
			f, err := d.Read(context.Background(), member(i))
			if err != nil {
				return said, err
			}
			changes = append(changes, atomicedit.Change{Path: member(i), Before: f, After: f})
		}
		err := d.Commit(context.Background(), changes)
		if errors.Is(err, atomicedit.ErrStale) {
			continue
		}
		for _, c := range changes[1:] {
			if err == nil && !bytes.Equal(c.Before.Data, changes[0].Before.Data) {
				err = fmt.Errorf("%s and %s are mixed", changes[0].Path, c.Path)
			}
		}
		return said, err
	}
}

// verify checks the directory in the end.
func verify(dir string, tallies []tally) error {
	if _, err := look(dir); err != nil {
		return err
	}
	number := func(name string) int {
		data, err := os.ReadFile(filepath.Join(dir, name))
		n, bad := strconv.Atoi(string(data))
		if err != nil || bad != nil {
			return -1
		}
		return n
	}
	var errs []error
	sum := 0
	for i := range tallies {
		t := &tallies[i]
		n := number(counter(i))
		sum += n
		if n < t.done || n > t.done+t.kills {
			errs = append(errs, fmt.Errorf("the counter of worker %d is %d after %d commits and %d kills", i, n, t.done, t.kills))
		}
	}
	if all := number("all"); all != sum {
		errs = append(errs, fmt.Errorf("the shared counter is %d, the others make %d", all, sum))
	}
	errs = append(errs, filepath.WalkDir(dir, func(full string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), ".") {
			err = fmt.Errorf("litter: %s", full)
		}
		return err
	}))
	return errors.Join(errs...)
}
