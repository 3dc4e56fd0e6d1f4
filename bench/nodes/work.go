package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"
)

var errConflict = errors.New("another writer was first")

// patience is how long a writer waits for one plan, so that a server that was killed can come back.
const patience = 30 * time.Second

// work is a node: it makes plans until ctx ends, and prints a line for each.
func work(ctx context.Context, node, engine, address, dir string, writers int) error {
	tree, err := engines[engine].join(ctx, address, dir, writers)
	for began := time.Now(); err != nil && ctx.Err() == nil && time.Since(began) < patience; { // the server may be down
		time.Sleep(100 * time.Millisecond)
		tree, err = engines[engine].join(ctx, address, dir, writers)
	}
	if err != nil {
		return err
	}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				attempt(ctx, tree, fmt.Sprintf("%s.%d.%d", node, w, n))
			}
		})
	}
	wg.Wait()
	return nil
}

// attempt makes one plan with a name, and says how it went.
func attempt(ctx context.Context, t tree, name string) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	paths := make([]string, 1+rand.IntN(mostFiles))
	for i, n := range rand.Perm(files)[:len(paths)] {
		paths[i] = pathOf(n)
	}
	name += "/" + strconv.Itoa(len(paths))
	began := time.Now()
	err := t.change(ctx, paths, func(_, text string) string { return countUp(text, name) })
	switch {
	case err == nil:
		say("done", name, time.Since(began).String())
	case errors.Is(err, errConflict):
		say("conflict", name, "")
	default:
		say("failed", name, strconv.Quote(err.Error()))
		time.Sleep(100 * time.Millisecond) // the server is probably down
	}
}

// say prints a line in one write, because a kill must not cut it.
func say(word, name, rest string) { fmt.Print(word + " " + name + " " + rest + "\n") }

func pathOf(n int) string { return fmt.Sprintf("d%02d/f%03d.txt", n%20, n) }

// A text begins with a count and, newest first, the names of the plans that have counted it up.
func newText() string { return "count: 0\n" + strings.Repeat("A line that stays as it is.\n", 40) }

func countUp(text, name string) string {
	first, rest, _ := strings.Cut(text, "\n")
	n, _ := strconv.Atoi(strings.TrimPrefix(first, "count: "))
	return fmt.Sprintf("count: %d\nby %s\n%s", n+1, name, rest)
}

// countOf returns what a text says of itself.
func countOf(text string) (count int, names []string) {
	first, rest, _ := strings.Cut(text, "\n")
	count, _ = strconv.Atoi(strings.TrimPrefix(first, "count: "))
	for line := range strings.Lines(rest) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "by ")
		if !ok {
			break
		}
		names = append(names, name)
	}
	return count, names
}
