//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/bench/crash"
)

// In a storm, several processes with several writers each commit to one directory, as fast as they can. Every writer
// has its own counter, and every second writer changes another file together with it. In the second half of the storm,
// processes are killed and started again. Two more writers, called hot, then commit to their own directory, where the
// owner, access list and attributes of their files keep changing.
const (
	stormProcesses = 6
	stormWriters   = 4 // of each process
	allWriters     = stormProcesses * stormWriters
	hotWriters     = 2
	unfairFrom     = 20
)

func counterName(i int) string { return fmt.Sprintf("w%d", i) }

func isHot(i int) bool { return i >= allWriters }

// dirOf returns the directory of a writer.
func (s *weather) dirOf(i int) string {
	if isHot(i) {
		return filepath.Join(s.dir, "hot")
	}
	return filepath.Join(s.dir, "busy")
}

func (s *weather) counter(i int) string { return filepath.Join(s.dirOf(i), counterName(i)) }
func (s *weather) pair(i int) string    { return filepath.Join(s.dirOf(i), "pair-"+counterName(i)) }

// write runs a process of a storm. It commits until it is killed, and prints a line for each commit.
func write(dir string, names []string) error {
	var wg sync.WaitGroup
	errs := make([]error, len(names))
	for i, name := range names {
		wg.Go(func() { errs[i] = count(dir, name, i%2 == 1) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

func count(dir, name string, paired bool) error {
	ctx := context.Background()
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		return err
	}
	defer d.Close()
	for {
		f, err := d.Read(ctx, name)
		if err != nil {
			return err
		}
		n, _ := strconv.Atoi(string(f.Data))
		after := &atomicedit.File{Data: []byte(strconv.Itoa(n + 1))}
		changes := []atomicedit.Change{{Path: name, Before: f, After: after}}
		if paired {
			changes = append(changes, atomicedit.Change{Path: "pair-" + name, Before: &atomicedit.File{Data: f.Data},
				After: after})
		}
		start := time.Now()
		if err := d.Commit(ctx, changes); err != nil {
			fmt.Printf("%s refused %q\n", name, err)
			continue
		}
		fmt.Printf("%s %d %d\n", name, n+1, time.Since(start).Microseconds())
	}
}

// A weather is one storm.
type weather struct {
	*tally
	dir string

	mu       sync.Mutex
	last     map[string]int // the last number that each writer has reported
	killed   map[string]int // how often it was killed since; each time, a commit may have gone unreported
	commits  map[string]int // in the first half
	waits    time.Duration
	longest  time.Duration
	killing  bool
	refused  int
	hotKills int // each may have overtaken a change, because a rollback restores the old file
}

func storm(ctx context.Context, kind, base string) (*tally, error) {
	p, err := makePlace(ctx, kind, base)
	defer p.end()
	if err != nil {
		return nil, err
	}
	if err := p.reset(); err != nil {
		return nil, err
	}
	s := &weather{tally: newTally(), dir: p.dir, last: map[string]int{}, killed: map[string]int{},
		commits: map[string]int{}}
	if err := errors.Join(os.Mkdir(s.dirOf(0), 0o755), os.Mkdir(s.dirOf(allWriters), 0o755)); err != nil {
		return nil, err
	}
	for i := range allWriters + hotWriters {
		for _, full := range []string{s.counter(i), s.pair(i)} {
			if err := errors.Join(os.WriteFile(full, []byte("0"), 0o600), planted[0].give(full)); err != nil {
				return nil, err
			}
		}
	}
	var wg sync.WaitGroup
	half := time.Now().Add(*storms / 2)
	end := half.Add(*storms / 2)
	goesOn := func() bool { return ctx.Err() == nil && time.Now().Before(end) }
	keepAlive := func(first, n int) {
		wg.Go(func() {
			for goesOn() {
				if err := s.live(ctx, first, n, half, end); err != nil {
					s.note("stuck", err.Error())
					return
				}
			}
		})
	}
	for i := range stormProcesses {
		keepAlive(i*stormWriters, stormWriters)
	}
	select {
	case <-time.After(time.Until(half)):
	case <-ctx.Done():
	}
	s.mu.Lock()
	s.killing = true
	s.mu.Unlock()
	keepAlive(allWriters, hotWriters)
	made, overtaken := s.change(goesOn)
	wg.Wait()
	for range overtaken - s.hotKills {
		s.note("overtaken", "in a storm")
	}
	s.settle()
	s.fairness(kind)
	fmt.Printf("storm on %s: then %d kills; %d changes by others during %d commits: %d overtaken, %d commits refused\n",
		kind, s.count["kills"], made, s.last[counterName(allWriters)]+s.last[counterName(allWriters+1)], overtaken,
		s.refused)
	return s.tally, nil
}

// live runs a process and kills it: once at half time, and at random times after that.
func (s *weather) live(ctx context.Context, first, n int, half, end time.Time) error {
	args := []string{s.dirOf(first)}
	for i := range n {
		args = append(args, counterName(first+i))
	}
	cmd := role(ctx, "writer", args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	life := time.Until(half)
	if life <= 0 {
		life = min(time.Duration(20+rand.ExpFloat64()*300)*time.Millisecond, time.Until(end))
	}
	timer := time.AfterFunc(life, func() { cmd.Process.Kill() })
	defer timer.Stop()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		s.hear(lines.Text())
	}
	cmd.Wait()
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() {
		s.note("panics", fmt.Sprintf("a writer ended: %v", cmd.ProcessState))
		return nil
	}
	s.note("kills", "")
	s.mu.Lock()
	for i := range n {
		s.killed[counterName(first+i)]++
	}
	s.mu.Unlock()
	if isHot(first) {
		s.hotKills++
	}
	return nil
}

func (s *weather) hear(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, rest, _ := strings.Cut(line, " ")
	if why, ok := strings.CutPrefix(rest, "refused "); ok {
		s.refused++
		// A reader may see what a dead commit has done while another process rolls it back. Its own commit is stale
		// then.
		stale := s.killing && strings.Contains(why, "has changed since it was read")
		if i, _ := strconv.Atoi(name[1:]); !isHot(i) && !stale {
			s.note("stuck", name+": "+why)
		}
		return
	}
	var n, us int
	if got, _ := fmt.Sscan(rest, &n, &us); got != 2 {
		return // cut off by a kill
	}
	if n <= s.last[name] {
		s.note("lost", fmt.Sprintf("%s: %d after %d", name, n, s.last[name]))
	}
	s.last[name], s.killed[name] = n, 0
	if !s.killing {
		wait := time.Duration(us) * time.Microsecond
		s.commits[name]++
		s.waits += wait
		s.longest = max(s.longest, wait)
	}
}

// change keeps changing the owner, the access list and an attribute of the hot counters, and checks their values. If it
// finds a value older than the last one, a commit has overtaken the change.
func (s *weather) change(goesOn func() bool) (made, overtaken int) {
	given := [hotWriters]map[string]bool{}
	for goesOn() {
		made++
		i := made % hotWriters
		full := s.counter(allWriters + i)
		if given[i] == nil {
			given[i] = map[string]bool{fmt.Sprint(planted[0].uid): true, planted[0].attrs[listAttr]: true,
				planted[0].attrs[userAttr]: true}
		}
		id := 2000 + made
		var now string
		var get func(m meta) string
		var err error
		switch made / hotWriters % 3 {
		case 0:
			now, get = fmt.Sprint(id), func(m meta) string { return fmt.Sprint(m.uid) }
			err = unix.Chown(full, id, -1)
		case 1:
			now, get = accessList(uint32(id), uint32(1+made%20)), func(m meta) string { return m.attrs[listAttr] }
			err = unix.Setxattr(full, listAttr, []byte(now), 0)
		case 2:
			now, get = strings.Repeat("x", made%200)+fmt.Sprint(id), func(m meta) string { return m.attrs[userAttr] }
			err = unix.Setxattr(full, userAttr, []byte(now), 0)
		}
		if err != nil {
			continue
		}
		given[i][now] = true
		time.Sleep(rand.N(time.Millisecond))
		is, err := lookOpen(full)
		if err != nil {
			continue
		}
		if get(is) != now {
			overtaken++
		}
		switch {
		case !given[i][is.attrs[listAttr]] || is.mode&0o7777 != planted[0].mode:
			s.note("widened", "in a storm: "+metaDifference(is, planted[0].meta))
		case !given[i][is.attrs[userAttr]] || !given[i][fmt.Sprint(is.uid)] || is.gid != planted[0].gid:
			s.note("attributes", "in a storm: "+metaDifference(is, planted[0].meta))
		default:
			continue
		}
		planted[0].give(full) // count it only once
	}
	return made, overtaken
}

// lookOpen reads the attributes of an open file, so that they belong to one file even if another takes its name.
func lookOpen(full string) (meta, error) {
	f, err := os.Open(full)
	if err != nil {
		return meta{}, err
	}
	defer f.Close()
	e, err := lookAt(fmt.Sprintf("/proc/self/fd/%d", f.Fd()))
	return e.meta, err
}

// settle judges the state at the end of the storm.
func (s *weather) settle() {
	for _, dir := range []string{s.dirOf(0), s.dirOf(allWriters)} {
		d, err := atomicedit.OpenDir(dir, nil)
		if err != nil {
			s.note("stuck", err.Error())
			return
		}
		d.Close()
	}
	for i := range allWriters + hotWriters {
		name := counterName(i)
		data, _ := os.ReadFile(s.counter(i))
		pair, _ := os.ReadFile(s.pair(i))
		if n, err := strconv.Atoi(string(data)); err != nil || n < s.last[name] || n > s.last[name]+s.killed[name] {
			s.note("lost", fmt.Sprintf("%s is %q, after %d", name, data, s.last[name]))
		}
		if i%2 == 1 && string(pair) != string(data) {
			s.note("mixed", fmt.Sprintf("%s is %s, and its pair %s", name, data, pair))
		}
	}
	if names := crash.Litter(s.dir); len(names) > 0 {
		s.note("litter", fmt.Sprint("after a storm: ", names))
	}
}

// fairness prints how long the writers waited in the first half, when none was killed.
func (s *weather) fairness(kind string) {
	total, least, most := 0, 0, 0
	for i := range allWriters {
		n := s.commits[counterName(i)]
		if i == 0 || n < least {
			least = n
		}
		total, most = total+n, max(most, n)
	}
	if total == 0 {
		s.note("stuck", "no commit in a storm")
		return
	}
	mean := s.waits / time.Duration(total)
	ratio := float64(s.longest) / float64(mean)
	fmt.Printf("storm on %s: %d writers, %d commits (%d to %d each), mean wait %v, longest %v: %.0f times the mean\n",
		kind, allWriters, total, least, most, mean.Round(time.Microsecond), s.longest.Round(time.Microsecond), ratio)
	if ratio > unfairFrom && !*short {
		s.note("unfair", fmt.Sprintf("the longest wait is %.0f times the mean", ratio))
	}
}
