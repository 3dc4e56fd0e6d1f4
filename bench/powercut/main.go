//go:build linux

// Powercut keeps committing to a file system on a simulated disk, and checks what a power cut at random moments would
// leave. It copies the disk with a random part of its cache, mounts the copy, opens the directory as after a restart,
// and checks that
//
//   - files that were changed together are all old or all new, and whole;
//   - every commit that was reported as successful is there;
//   - no commit has left internal files.
//
// Then it does the same without durability, as a control. The control has to show damage, or the cuts would prove
// nothing.
//
// This tests the order of writes and flushes that the kernel's file systems make of the calls of this package, on a
// disk that loses and reorders whatever it may. It does not test disks that lie about a flush, or that tear a block of
// 4 KB.
//
//	go run ./powercut [-n cuts] [-fs ext4,xfs,btrfs]
//
// It needs Linux, root, FUSE, loop devices and the mkfs of the file system, and reports what is missing.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	iofs "io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/bench/crash"
)

func main() {
	n := flag.Int("n", 40, "cuts for each file system")
	kinds := flag.String("fs", "ext4,xfs,btrfs", "the file systems")
	flag.Parse()
	failed := false
	for kind := range strings.SplitSeq(*kinds, ",") {
		for _, durability := range []atomicedit.Durability{atomicedit.DurableFull, atomicedit.DurableNone} {
			control := durability == atomicedit.DurableNone
			res, err := measure(kind, *n, durability)
			if err != nil {
				fmt.Fprintf(os.Stderr, "powercut: %s: %v\n", kind, err)
				failed = true
				break
			}
			name := kind
			if control {
				name += " (control, no durability)"
			}
			fmt.Printf("%s: %d cuts during %d commits and %d flushes; %d blocks lost, %d journals rolled back; "+
				"%d cuts left torn or mixed files, %d lost a success\n",
				name, *n, res.commits, res.flushes, res.dropped, res.recovered, len(res.harm), res.back)
			if !control {
				for _, h := range res.harm {
					fmt.Println("\t" + h)
				}
			}
			failed = failed || control == (len(res.harm)+res.back == 0)
		}
	}
	if failed {
		os.Exit(1)
	}
}

type result struct {
	commits, flushes, dropped, recovered int
	harm                                 []string // the cuts after which a file is torn or the set is mixed
	back                                 int      // the number of cuts after which a successful commit is missing
}

// undoList has functions to call in the end, the last one first.
type undoList []func()

func (u *undoList) add(f func()) { *u = append(*u, f) }
func (u *undoList) run() {
	for i := len(*u) - 1; i >= 0; i-- {
		(*u)[i]()
	}
}

// attach mounts an image at dir.
func attach(u *undoList, image, kind, dir string) error {
	err := crash.Mount(kind, image, dir)
	if err == nil {
		u.add(func() { crash.Umount(dir) })
	}
	return err
}

func measure(kind string, n int, durability atomicedit.Durability) (res result, err error) {
	var u undoList
	defer u.run()
	base, err := os.MkdirTemp("", "powercut")
	if err != nil {
		return res, err
	}
	u.add(func() { os.RemoveAll(base) })
	image, served, live := filepath.Join(base, "image"), filepath.Join(base, "fuse"), filepath.Join(base, "live")
	size := map[string]int64{"xfs": 320 << 20, "btrfs": 128 << 20}[kind]
	err = errors.Join(os.Mkdir(served, 0o700), os.Mkdir(live, 0o700), crash.Format(kind, image, max(size, 64<<20)))
	if err != nil {
		return res, err
	}
	d, err := load(image)
	if err != nil {
		return res, err
	}
	server, err := d.serve(served)
	if err != nil {
		return res, err
	}
	u.add(func() { server.Unmount() })
	if err := attach(&u, filepath.Join(served, "disk"), kind, live); err != nil {
		return res, err
	}
	if err := plant(live); err != nil {
		return res, err
	}

	var acked [2]atomic.Int64
	var commits atomic.Int64
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var errs [2]error
	for i, work := range []func(string, int64, atomicedit.Durability) error{commitSet, writeOne} {
		wg.Go(func() {
			for gen := int64(1); errs[i] == nil; gen++ {
				select {
				case <-stop:
					return
				default:
				}
				errs[i] = work(live, gen, durability)
				acked[i].Store(gen)
				commits.Add(1)
			}
		})
	}
	for i := range n {
		time.Sleep(time.Duration(10+rand.IntN(120)) * time.Millisecond)
		set, one := acked[0].Load(), acked[1].Load()
		after := filepath.Join(base, "after")
		dropped, err := d.cut(after, []float64{0, 0.5, 0.9}[i%3])
		if err != nil {
			return res, err
		}
		res.dropped += dropped
		recovered, back, harm := inspect(after, kind, set, one)
		res.recovered += recovered
		if back {
			res.back++
		}
		if harm != nil {
			res.harm = append(res.harm, fmt.Sprintf("cut %d: %v", i, harm))
		}
	}
	close(stop)
	wg.Wait()
	res.commits, res.flushes = int(commits.Load()), d.flushes
	return res, errors.Join(errs[:]...)
}

const setSize = 6

func member(i int) string { return fmt.Sprintf("dir%d/file%d", i%3, i) }

// text returns the content of a file in a generation: the number of the generation, in so many lines that a torn file
// is noticed.
func text(gen int64) []byte {
	return bytes.Repeat(fmt.Appendf(nil, "%d\n", gen), int(1+gen*37%3000))
}

func generation(data []byte) (int64, error) {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	gen, err := strconv.ParseInt(string(line), 10, 64)
	if err == nil && !bytes.Equal(data, text(gen)) {
		err = fmt.Errorf("torn in generation %d", gen)
	}
	return gen, err
}

func plant(dir string) error {
	err := os.WriteFile(filepath.Join(dir, "one"), text(0), 0o644)
	for i := range setSize {
		full := filepath.Join(dir, member(i))
		err = errors.Join(err, os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, text(0), 0o644))
	}
	if err == nil {
		err = crash.Run("sync", "-f", dir)
	}
	return err
}

// commitSet commits a generation of the files of the set. It also creates or deletes one more file.
func commitSet(dir string, gen int64, durability atomicedit.Durability) error {
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: durability})
	if err != nil {
		return err
	}
	defer d.Close()
	before, after := &atomicedit.File{Data: text(gen - 1)}, &atomicedit.File{Data: text(gen)}
	var changes []atomicedit.Change
	for i := range setSize {
		changes = append(changes, atomicedit.Change{Path: member(i), Before: before, After: after})
	}
	odd := atomicedit.Change{Path: "new/odd", After: after}
	if gen%2 == 0 {
		odd.Before, odd.After = before, nil
	}
	return d.Commit(context.Background(), append(changes, odd))
}

func writeOne(dir string, gen int64, durability atomicedit.Durability) error {
	if durability == atomicedit.DurableFull {
		return atomicedit.WriteFile(filepath.Join(dir, "one"), text(gen), 0o644)
	}
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: durability})
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Commit(context.Background(), []atomicedit.Change{
		{Path: "one", Before: &atomicedit.File{Data: text(gen - 1)}, After: &atomicedit.File{Data: text(gen)}}})
}

// inspect mounts an image, as after a power cut, and returns what is wrong with it.
func inspect(image, kind string, set, one int64) (recovered int, back bool, err error) {
	var u undoList
	defer u.run()
	dir, err := os.MkdirTemp("", "powercut")
	if err != nil {
		return 0, false, err
	}
	u.add(func() { os.Remove(dir) })
	if err := attach(&u, image, kind, dir); err != nil {
		return 0, false, err
	}
	d, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		return 0, false, err
	}
	defer d.Close()
	recovered = len(d.Recovered())
	read := func(name string) (int64, error) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			var gen int64
			if gen, err = generation(data); err == nil {
				return gen, nil
			}
			err = fmt.Errorf("%s: %w", name, err)
		}
		return -1, err
	}
	var errs []error
	check := func(name string, least int64) int64 {
		gen, err := read(name)
		back = back || gen < least
		errs = append(errs, err)
		return gen
	}
	check("one", one)
	first := check(member(0), set)
	for i := 1; i < setSize; i++ {
		if gen := check(member(i), set); gen != first {
			errs = append(errs, fmt.Errorf("mixed: %d and %d", first, gen))
		}
	}
	odd, err := read("new/odd")
	if errors.Is(err, iofs.ErrNotExist) == (first%2 == 1) || err == nil && odd != first {
		errs = append(errs, fmt.Errorf("mixed: generation %d, and new/odd is %d, error %v", first, odd, err))
	}
	if left := crash.Litter(dir); len(left) > 0 {
		errs = append(errs, fmt.Errorf("litter: %q", left))
	}
	return recovered, back, errors.Join(errs...)
}
