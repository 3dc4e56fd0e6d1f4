// Commit measures how long it takes to replace files: with this package, with other writers, and with os.WriteFile,
// which is neither atomic nor durable. The ways take turns, so that other work of the disk affects them equally. Commit
// prints the median time of each, and compares them.
//
//	go run ./commit [-dir directory on the disk to be measured | -on ext4|xfs|btrfs] [-n rounds] [-many]
//
// With -on, the disk is a new file system on a loop device (needs Linux, root and the mkfs of its kind).
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
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/renameio/v2"
	natefinch "github.com/natefinch/atomic"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/commit"
)

func main() {
	dir := flag.String("dir", os.TempDir(), "a directory on the disk to be measured")
	on := flag.String("on", "", "measure a new file system of this kind on a loop device instead")
	n := flag.Int("n", 200, "rounds (a tenth of them for 10 MB)")
	all := flag.Bool("many", false, "measure commits of 1,000 and 10,000 files too, in three rounds")
	flag.Parse()
	many := []int{}
	if *all {
		many = []int{1_000, 10_000}
	}
	measure := func(dir string) error { return run(dir, *n, many) }
	var err error
	if *on != "" {
		err = onLoop(*on, measure)
	} else {
		err = measure(*dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "commit:", err)
		os.Exit(1)
	}
}

// A way is one way to replace files.
type way struct {
	name  string
	base  string // the way that it is compared with
	write func(names []string, data []byte) error
}

func run(under string, n int, many []int) error {
	dir, err := os.MkdirTemp(under, "commit")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	spread(dir)
	one := []way{
		{"os.WriteFile", "", eachFile(func(name string, data []byte) error { return os.WriteFile(name, data, 0o644) })},
		{"natefinch/atomic", "", eachFile(func(name string, data []byte) error {
			return natefinch.WriteFile(name, bytes.NewReader(data))
		})},
		{"renameio", "", eachFile(renameOver)},
		{"renameio + dir", "", eachFile(renameAndSync)},
		{"WriteFile, DurableFile", "renameio", eachFile(func(name string, data []byte) error {
			return commit.WriteFile(context.Background(), 0, name, data, 0o644, commit.DurableFile)
		})},
		{"WriteFile", "renameio + dir", eachFile(func(name string, data []byte) error {
			return atomicedit.WriteFile(name, data, 0o644)
		})},
	}
	several := []way{
		{"renameio", "", eachFile(renameOver)},
		{"renameio, at once", "renameio", atOnce(renameOver)},
		{"renameio + dir", "", eachFile(renameAndSync)},
	}
	for _, d := range []struct {
		name, base string
		durability atomicedit.Durability
	}{
		{"Dir, DurableNone", "os.WriteFile", atomicedit.DurableNone},
		{"Dir, DurableFile", "renameio", atomicedit.DurableFile},
		{"Dir, DurableFull", "renameio + dir", atomicedit.DurableFull},
	} {
		c := newCommitter(d.durability)
		defer c.close()
		one = append(one, way{d.name, d.base, c.write})
		if d.durability != atomicedit.DurableNone {
			several = append(several, way{d.name, "renameio", c.write})
		}
	}
	fmt.Printf("%-30s %-18s %10s\n", fmt.Sprintf("GOMAXPROCS %d", runtime.GOMAXPROCS(0)), "", "median")
	for _, size := range []struct {
		name  string
		bytes int
		n     int
	}{{"1 KB", 1 << 10, n}, {"100 KB", 100 << 10, n}, {"10 MB", 10 << 20, max(n/10, 3)}} {
		if err := compare("one file of "+size.name, dir, one, 1, size.bytes, size.n); err != nil {
			return err
		}
	}
	if err := compare("50 files of 8 KB", dir, several, 50, 8<<10, max(n/4, 3)); err != nil {
		return err
	}
	for _, files := range many {
		if err := compare(fmt.Sprint(files, " files of 8 KB"), dir, several, files, 8<<10, 3); err != nil {
			return err
		}
	}
	return nil
}

func eachFile(write func(name string, data []byte) error) func([]string, []byte) error {
	return func(names []string, data []byte) error {
		for _, name := range names {
			if err := write(name, data); err != nil {
				return err
			}
		}
		return nil
	}
}

func atOnce(write func(name string, data []byte) error) func([]string, []byte) error {
	return func(names []string, data []byte) error {
		errs := make([]error, len(names))
		var wg sync.WaitGroup
		var next atomic.Int64
		for range 16 {
			wg.Go(func() {
				for i := int(next.Add(1)) - 1; i < len(names); i = int(next.Add(1)) - 1 {
					errs[i] = write(names[i], data)
				}
			})
		}
		wg.Wait()
		return errors.Join(errs...)
	}
}

func renameOver(name string, data []byte) error {
	return renameio.WriteFile(name, data, 0o644, renameio.WithTempDir(filepath.Dir(name)),
		renameio.WithExistingPermissions())
}

func renameAndSync(name string, data []byte) error {
	if err := renameOver(name, data); err != nil {
		return err
	}
	d, err := os.Open(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// A committer replaces the files of a directory in one commit. It expects the content that it wrote last, like a caller
// who has read the files.
type committer struct {
	durability atomicedit.Durability
	dirs       map[string]*atomicedit.Dir
	before     map[string][]byte
}

func newCommitter(d atomicedit.Durability) *committer {
	return &committer{d, map[string]*atomicedit.Dir{}, map[string][]byte{}}
}

func (c *committer) write(names []string, data []byte) (err error) {
	root := filepath.Dir(names[0])
	d, ok := c.dirs[root]
	if !ok {
		if d, err = atomicedit.OpenDir(root, &atomicedit.DirOptions{Durability: c.durability}); err != nil {
			return err
		}
		c.dirs[root] = d
	}
	var changes []atomicedit.Change
	for _, name := range names {
		change := atomicedit.Change{Path: name, After: &atomicedit.File{Data: data}}
		if was, ok := c.before[name]; ok {
			change.Before = &atomicedit.File{Data: was}
		} else if was, err := os.ReadFile(name); err == nil {
			change.Before = &atomicedit.File{Data: was}
		}
		c.before[name] = data
		changes = append(changes, change)
	}
	return d.Commit(context.Background(), changes)
}

func (c *committer) close() {
	for _, d := range c.dirs {
		d.Close()
	}
}

// compare lets the ways take turns, each on its own files in its own directory, and prints their medians.
func compare(title, dir string, ways []way, files, size, n int) error {
	fmt.Println(title)
	texts := [2][]byte{bytes.Repeat([]byte("old line\n"), size/9+1)[:size],
		bytes.Repeat([]byte("new line\n"), size/9+1)[:size]}
	took := make([][]time.Duration, len(ways))
	names := make([][]string, len(ways))
	for i := range ways {
		sub, err := os.MkdirTemp(dir, "")
		if err != nil {
			return err
		}
		for f := range files {
			names[i] = append(names[i], filepath.Join(sub, fmt.Sprint(f)))
			if err := os.WriteFile(names[i][f], texts[1], 0o644); err != nil {
				return err
			}
		}
	}
	for round := range n + 2 {
		for k := range ways {
			i := (k + round) % len(ways)
			start := time.Now()
			if err := ways[i].write(names[i], texts[round%2]); err != nil {
				return fmt.Errorf("%s: %w", ways[i].name, err)
			}
			if round >= 2 { // the first rounds are for warming up
				took[i] = append(took[i], time.Since(start))
			}
		}
	}
	medians := map[string]time.Duration{}
	for i, w := range ways {
		slices.Sort(took[i])
		medians[w.name] = took[i][n/2]
	}
	for _, w := range ways {
		fmt.Printf("%30s %27s", w.name, medians[w.name].Round(time.Microsecond))
		if w.base != "" {
			fmt.Printf("  %5.2f × %s", float64(medians[w.name])/float64(medians[w.base]), w.base)
		}
		fmt.Println()
	}
	return nil
}
