package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A tally is what the nodes have said of their plans, and what the check found.
type tally struct {
	mu                   sync.Mutex
	done, refused        map[string]bool // names of plans; refused ones must have changed nothing
	conflicts, retries   int
	waits                []time.Duration // of the plans that were done
	failures             map[string]int  // by message
	nodeKills, downtimes int
	lost, half, unsaid   int // see check
	problems             []string
}

// storm lets nodes work on an engine for a while, with kills, and checks what is there in the end.
func storm(ctx context.Context, name string, o options) (t *tally, err error) {
	dir, err := os.MkdirTemp("", "nodes")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, 0o755); err != nil { // the server may be another user
		return nil, err
	}
	tree := map[string]string{}
	for n := range files {
		tree[pathOf(n)] = newText()
	}
	e := engines[name].engine()
	address, err := e.start(dir, tree)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.kill(), os.RemoveAll(dir)) }()
	t = &tally{done: map[string]bool{}, refused: map[string]bool{}, failures: map[string]int{}}
	storming, end := context.WithTimeout(ctx, o.long)
	defer end()
	var wg sync.WaitGroup
	errs := make([]error, o.nodes+1)
	for n := range o.nodes {
		wg.Go(func() { errs[n] = t.keepAlive(storming, dir, n, []string{name, address}, o) })
	}
	if o.kill && engines[name].hasServer {
		wg.Go(func() { errs[o.nodes] = t.bringDown(storming, e, dir) })
	}
	wg.Wait()
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return nil, err
	}
	t.retries, err = e.retries(len(t.done))
	return t, errors.Join(err, t.check(e))
}

// keepAlive runs a node until ctx ends. A node is killed now and then, and begins again with what is left of its
// directory.
func (t *tally) keepAlive(ctx context.Context, dir string, n int, arguments []string, o options) error {
	home := filepath.Join(dir, "node"+strconv.Itoa(n))
	for life := 0; ctx.Err() == nil; life++ {
		killed, err := t.live(ctx, fmt.Sprintf("n%d.%d", n, life), append(arguments, home), o)
		if err != nil && !killed && ctx.Err() == nil {
			return fmt.Errorf("node %d: %w", n, err)
		}
	}
	return nil
}

// live runs a node until ctx ends, or until it is killed.
func (t *tally) live(ctx context.Context, name string, arguments []string, o options) (killed bool, err error) {
	living, kill := context.WithCancel(ctx)
	defer kill()
	if o.kill {
		e := engines[arguments[0]]
		defer time.AfterFunc(between(e.least, e.most), kill).Stop()
	}
	err = t.run(living, name, arguments, o)
	if killed = living.Err() != nil && ctx.Err() == nil; killed {
		t.mu.Lock()
		t.nodeKills++
		t.mu.Unlock()
	}
	return killed, err
}

// run runs a node until it ends or ctx does, which kills it with all programs that it has started.
func (t *tally) run(ctx context.Context, name string, arguments []string, o options) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, exe, append([]string{"-node", name, "-writers", strconv.Itoa(o.writers)},
		arguments...)...)
	inGroup(cmd)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		t.hear(lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%w\n%s", err, said.String())
	}
	return nil
}

// hear takes a line of a node into the tally.
func (t *tally) hear(line string) {
	word, rest, _ := strings.Cut(line, " ")
	name, rest, ok := strings.Cut(rest, " ")
	if !ok {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch word {
	case "done":
		t.done[name] = true
		wait, _ := time.ParseDuration(rest)
		t.waits = append(t.waits, wait)
	case "conflict":
		t.conflicts++
		t.refused[name] = true
	case "failed":
		t.refused[name] = true
		t.failures[digits.ReplaceAllString(rest, "N")]++
	}
}

// bringDown kills the server now and then, and starts it again.
func (t *tally) bringDown(ctx context.Context, e engine, dir string) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(between(8*time.Second, 20*time.Second)):
		}
		if err := e.kill(); err != nil {
			return err
		}
		t.downtimes++
		if _, err := e.start(dir, nil); err != nil {
			return err
		}
	}
}

// digits are ports and ids in a message.
var digits = regexp.MustCompile(`[0-9]+`)

func between(least, most time.Duration) time.Duration { return least + rand.N(most-least) }

const header = "          commits/s  done  retries  conflicts  failed  nodes killed  server killed  " +
	"wait: median     99 %  lost or wrong"

// line returns the results of an engine for a person.
func (t *tally) line(name string, long time.Duration) string {
	slices.Sort(t.waits)
	at := func(percent int) time.Duration {
		if len(t.waits) == 0 {
			return 0
		}
		return t.waits[(len(t.waits)-1)*percent/100].Round(time.Millisecond)
	}
	failed := 0
	for _, n := range t.failures {
		failed += n
	}
	s := fmt.Sprintf("%-9s %9.1f %5d %8d %10d %7d %13d %14d %13v %8v  %d", name, float64(len(t.done))/long.Seconds(),
		len(t.done), t.retries, t.conflicts, failed,
		t.nodeKills, t.downtimes, at(50), at(99), t.wrong())
	for _, p := range t.problems {
		s += "\n          " + p
	}
	for message, n := range t.failures {
		s += fmt.Sprintf("\n          failed %d times: %s", n, message)
	}
	return s
}
