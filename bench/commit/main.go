// Commit measures how long it takes to replace files: with this package, with other writers, and with os.WriteFile, which
// is neither atomic nor durable. All ways take turns, so that what else the disk does meets them alike; it prints the
// median time of each, and how it compares.
//
//	go run ./commit [-dir directory on the disk to be measured] [-n rounds]
//
// Those that end in "+ dir" also wait for the name to be on disk, as WriteFile does.
//
// What the file system does with it counts for more than what we do. Where nothing waits for a disk (tmpfs), a commit costs
// what it checks and keeps. A loop device passes for a rotating disk, on which btrfs waits a moment for other threads that
// sync: mount it with -o ssd. ext4 without a journal looks at every file deleted in the last minutes when one is made: after
// many rounds, all ways take about as long as that.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
	_ "unsafe" // for linkname

	"github.com/google/renameio/v2"
	"github.com/natefinch/atomic"

	"github.com/atomicedit/atomicedit"
)

func main() {
	dir := flag.String("dir", os.TempDir(), "a directory on the disk to be measured")
	n := flag.Int("n", 200, "rounds (a tenth of them for 10 MB)")
	flag.Parse()
	if err := run(*dir, *n); err != nil {
		fmt.Fprintln(os.Stderr, "commit:", err)
		os.Exit(1)
	}
}

// writeFile is what WriteFile does, with less durability than it offers to callers, to be compared with writers that do not
// wait for the name.
//
//go:linkname writeFile github.com/atomicedit/atomicedit.writeFile
func writeFile(name string, data []byte, perm fs.FileMode, durability atomicedit.Durability) error

// A way replaces the files called names by data.
type way struct {
	name  string
	base  string // what it is compared with
	write func(names []string, data []byte) error
}

func run(under string, n int) error {
	dir, err := os.MkdirTemp(under, "commit")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	one := []way{
		{"os.WriteFile", "", eachFile(func(name string, data []byte) error { return os.WriteFile(name, data, 0o644) })},
		{"natefinch/atomic", "", eachFile(func(name string, data []byte) error { return atomic.WriteFile(name, bytes.NewReader(data)) })},
		{"renameio", "", eachFile(renameOver)},
		{"renameio + dir", "", eachFile(renameAndSync)},
		{"WriteFile, DurableFile", "renameio", eachFile(func(name string, data []byte) error {
			return writeFile(name, data, 0o644, atomicedit.DurableFile)
		})},
		{"WriteFile", "renameio + dir", eachFile(func(name string, data []byte) error { return atomicedit.WriteFile(name, data, 0o644) })},
	}
	several := []way{
		{"renameio", "", eachFile(renameOver)},
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
		commit, err := committer(dir, d.durability)
		if err != nil {
			return err
		}
		one = append(one, way{d.name, d.base, commit})
		if d.durability != atomicedit.DurableNone {
			several = append(several, way{d.name, "renameio", commit})
		}
	}
	fmt.Printf("%-30s %-18s %10s %7s\n", "", "", "median", "")
	for _, size := range []struct {
		name  string
		bytes int
		n     int
	}{{"1 KB", 1 << 10, n}, {"100 KB", 100 << 10, n}, {"10 MB", 10 << 20, max(n/10, 3)}} {
		if err := compare("one file of "+size.name, dir, one, 1, size.bytes, size.n); err != nil {
			return err
		}
	}
	return compare("50 files of 8 KB", dir, several, 50, 8<<10, max(n/4, 3))
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

func renameOver(name string, data []byte) error {
	return renameio.WriteFile(name, data, 0o644, renameio.WithTempDir(filepath.Dir(name)), renameio.WithExistingPermissions())
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

// committer returns a way to replace files of dir in one commit. What they are to have before is what it last wrote, as
// for a caller who has read them.
func committer(dir string, durability atomicedit.Durability) (func([]string, []byte) error, error) {
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: durability})
	if err != nil {
		return nil, err
	}
	before := map[string][]byte{}
	return func(names []string, data []byte) error {
		var changes []atomicedit.Change
		for _, name := range names {
			c := atomicedit.Change{Path: name, After: &atomicedit.File{Data: data}}
			if was, ok := before[name]; ok {
				c.Before = &atomicedit.File{Data: was}
			} else if was, err := os.ReadFile(name); err == nil {
				c.Before = &atomicedit.File{Data: was}
			}
			before[name] = data
			changes = append(changes, c)
		}
		return d.Commit(context.Background(), changes)
	}, nil
}

// compare lets the ways take turns, each on files of its own in a directory of its own, and prints their medians.
func compare(title, dir string, ways []way, files, size, n int) error {
	fmt.Println(title)
	texts := [2][]byte{bytes.Repeat([]byte("old line\n"), size/9+1)[:size], bytes.Repeat([]byte("new line\n"), size/9+1)[:size]}
	took := make([][]time.Duration, len(ways))
	names := make([][]string, len(ways))
	for i := range ways {
		sub := filepath.Join(dir, fmt.Sprintf("%s %d", title, i))
		if err := os.Mkdir(sub, 0o755); err != nil {
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
			if round >= 2 { // the first ones warm up
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
