package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/stores/git"
	"github.com/atomicedit/atomicedit/stores/sql/sqlite"
)

// together lets conversations edit one file at the same time, each a line of its own in each of its edits, and prints
// how many edits were done at the first call, how long they took, and whether any is lost.
func together(kind string, conversations, edits int) error {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "together")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	store, closeStore, err := openStore(ctx, kind, dir)
	if err != nil {
		return err
	}
	defer closeStore()
	var text strings.Builder
	for c := range conversations {
		fmt.Fprintf(&text, "# conversation %d\ncount = 0\n\n", c)
	}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "f", Content: text.String()}}}
	if _, err := atomicedit.Run(ctx, store, plan, nil); err != nil {
		return err
	}
	waits := make([][]time.Duration, conversations)
	refused := make([]int, conversations)
	var all sync.WaitGroup
	for c := range conversations {
		all.Go(func() {
			h := &atomicedit.Host{Store: atomicedit.NewSession(store)}
			h.View(ctx, "f", 0, 0)
			for n := 0; n < edits; {
				head := fmt.Sprintf("# conversation %d\ncount = ", c)
				e := atomicedit.Edit{Old: head + fmt.Sprint(n) + "\n", New: head + fmt.Sprint(n+1) + "\n"}
				began := time.Now()
				_, err := h.Do(ctx, atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f", Edits: []atomicedit.Edit{e}}}})
				waits[c] = append(waits[c], time.Since(began))
				if err != nil {
					refused[c]++
					h.View(ctx, "f", 0, 0)
					continue
				}
				n++
			}
		})
	}
	all.Wait()
	f, err := store.Read(ctx, "f")
	if err != nil {
		return err
	}
	kept := strings.Count(string(f.Data), fmt.Sprintf("count = %d\n", edits))
	reportWaits(kind, slices.Concat(waits...), refused, conversations-kept)
	return nil
}

func reportWaits(kind string, waits []time.Duration, refused []int, lost int) {
	again, sum := 0, time.Duration(0)
	for _, n := range refused {
		again += n
	}
	for _, w := range waits {
		sum += w
	}
	mean := sum / time.Duration(len(waits))
	done := len(waits) - again
	fmt.Printf("%s: %d edits, %.2f %% of them at the first call; conversations that lost something: %d; mean %v, "+
		"longest %v, %.1f times the mean\n",
		kind, done, 100*float64(done-again)/float64(done), lost, mean.Round(time.Microsecond),
		slices.Max(waits).Round(time.Microsecond), float64(slices.Max(waits))/float64(mean))
}

// openStore opens an empty store of a kind below dir.
func openStore(ctx context.Context, kind, dir string) (s atomicedit.Store, done func(), err error) {
	switch kind {
	case "dir":
		d, err := atomicedit.OpenDir(dir, nil)
		return d, func() { d.Close() }, err
	case "git":
		name := filepath.Join(dir, "repo.git")
		if out, err := exec.Command("git", "init", "-q", "--bare", "-b", "main", name).CombinedOutput(); err != nil {
			return nil, nil, fmt.Errorf("%w\n%s", err, out)
		}
		g, err := git.Open(name, &git.Options{Ref: "main"})
		return g, func() { g.Close() }, err
	case "sqlite":
		db, err := sqlite.Open(ctx, filepath.Join(dir, "files.db"), nil)
		return db, func() { db.Close() }, err
	}
	return nil, nil, fmt.Errorf("there is no store %q: expected dir, git or sqlite", kind)
}
