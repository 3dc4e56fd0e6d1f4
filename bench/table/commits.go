package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"time"

	"github.com/atomicedit/atomicedit/bench/speed"
)

// measureCommits prints the median time of each way to replace files, and compares them. The ways take turns, so that
// other work of the disk affects them equally.
//
// A way that ends in "+ dir" also waits for the name to be on disk, as WriteFile does. "At once" writes 16 files at a
// time. It shows the gain from that alone, without anything that makes the files change together.
//
// The file system matters more than the code. If nothing waits for a disk (tmpfs, or a disk that syncs in a tenth of a
// millisecond), the cost of a commit is in its checks and backups. On a rotating disk, btrfs waits a moment for other
// threads that sync. It takes a loop device for one, so it is mounted with -o ssd. When ext4 without a journal makes a
// file, it looks at every file of the block group that was deleted in the last minutes. Each way has its own block
// group, but after many rounds, all of them take longer.
//
// A system call that waits occupies one of Go's GOMAXPROCS processors, unless it waits long. With two processors, at
// most two files are synced at a time on a fast disk. Set GOMAXPROCS=8 in the environment to see the gain from eight.
func measureCommits(under string, n int, many bool) error {
	dir, err := os.MkdirTemp(under, "commit")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	spread(dir)
	fmt.Printf("%-30s %-18s %10s\n", fmt.Sprintf("GOMAXPROCS %d", runtime.GOMAXPROCS(0)), "", "median")
	type group struct {
		title             string
		ways              []speed.Way
		files, size, most int // rounds
	}
	groups := []group{
		{"one file of 1 KB", speed.OneFile(), 1, 1 << 10, n},
		{"one file of 100 KB", speed.OneFile(), 1, 100 << 10, n},
		{"one file of 10 MB", speed.OneFile(), 1, 10 << 20, n / 10},
		{"50 files of 8 KB", speed.ManyFiles(), 50, 8 << 10, n / 4},
	}
	if many {
		groups = append(groups, group{"1,000 files of 8 KB", speed.ManyFiles(), 1_000, 8 << 10, 3},
			group{"10,000 files of 8 KB", speed.ManyFiles(), 10_000, 8 << 10, 3})
	}
	for _, g := range groups {
		fmt.Println(g.title)
		times, err := replace(dir, g.ways, g.files, g.size, max(g.most, 3), math.MaxInt64)
		if err != nil {
			return err
		}
		medians := map[string]time.Duration{}
		for i, w := range g.ways {
			medians[w.Name] = times[i]
		}
		for i, w := range g.ways {
			fmt.Printf("%30s %27s", w.Name, times[i].Round(time.Microsecond))
			if base := medians[w.Base]; base > 0 {
				fmt.Printf("  %5.2f × %s", float64(times[i])/float64(base), w.Base)
			}
			fmt.Println()
		}
	}
	return nil
}

// replace returns the median times of ways to replace files below dir, which take turns. Each has its own files.
func replace(dir string, ways []speed.Way, files, size, rounds int, budget time.Duration) ([]time.Duration, error) {
	var all []func()
	for _, w := range ways {
		f, end, err := w.Open(dir, files, size)
		if err != nil {
			return nil, err
		}
		defer end()
		all = append(all, f)
	}
	return speed.Measure(speed.Wall, rounds, budget, all...), nil
}

// call measures a row of the table about files in a directory.
func call(c speed.Call, dir string) (row, error) {
	dir, err := os.MkdirTemp(dir, "table")
	if err != nil {
		return row{}, err
	}
	defer os.RemoveAll(dir)
	ours, floor, end := c.Open(dir)
	defer end()
	r := row{name: c.Name, target: c.Limit}
	var size int64
	r.allocs, size = speed.Cost(ours)
	if c.Most > 0 {
		_, least := speed.Cost(floor)
		r.memory = float64(size) / (c.Most * float64(least))
		return r, nil
	}
	all := []func(){ours}
	if floor != nil {
		all = append(all, floor)
	}
	times := speed.Measure(speed.Wall, 200, 10*time.Second, all...)
	if r.ours = times[0]; floor != nil {
		r.target = time.Duration(c.Times * float64(times[1]))
		r.others = []other{{"the floor", times[1]}}
	}
	return r, nil
}

// commit measures a row of the table.
func commit(c speed.Commit, dir string) (row, error) {
	dir, err := os.MkdirTemp(dir, "table")
	if err != nil {
		return row{}, err
	}
	defer os.RemoveAll(dir)
	times, err := replace(dir, c.Ways, c.Files, c.Size, 100, 10*time.Second)
	if err != nil {
		return row{}, err
	}
	r := row{name: c.Name, ours: times[0]}
	for i, w := range c.Ways[1:] {
		r.others = append(r.others, other{w.Name, times[i+1]})
	}
	return r, nil
}
