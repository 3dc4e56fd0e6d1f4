package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"sync"

	"github.com/atomicedit/atomicedit"
)

func (t *tester) undo() {
	t.commit(create("a.txt", "a"))
	t.commit(create("b.txt", "b"))
	t.commit(create("old.txt", "moved"))
	put, gone := moved("old.txt", "dir/new.txt", "moved")
	changes := []atomicedit.Change{edit("a.txt", "a", "A"), remove("b.txt", "b"), create("c.txt", "c"), put, gone}
	t.commit(changes...)
	t.has("dir/new.txt", "moved")
	t.commit(atomicedit.Invert(changes)...)
	t.has("a.txt", "a")
	t.has("b.txt", "b")
	t.has("old.txt", "moved")
	t.lacks("c.txt")
	t.lacks("dir/new.txt")
	t.commit(atomicedit.Invert(atomicedit.Invert(changes))...)
	t.has("dir/new.txt", "moved")
	t.lacks("b.txt")
}

func (t *tester) moves() {
	t.commit(create("a.txt", "text"))
	put, gone := moved("a.txt", "b.txt", "text")
	t.commit(put, gone)
	t.has("b.txt", "text")
	t.lacks("a.txt")
	put, gone = moved("b.txt", "dir/c.txt", "text")
	t.commit(gone, put)
	t.has("dir/c.txt", "text")
	t.lacks("b.txt")
	put, gone = moved("dir/c.txt", "d.txt", "text")
	put.After.Data = []byte("TEXT") // a move that edits
	t.commit(put, gone)
	t.has("d.txt", "TEXT")
	hint := create("e.txt", "text")
	hint.From = "nowhere.txt"
	t.commit(hint)
	t.has("e.txt", "text")
	put, gone = moved("d.txt", "e.txt", "TEXT")
	t.refuse(fs.ErrExist, put, gone)
	t.has("d.txt", "TEXT")
	t.has("e.txt", "text")
}

func (t *tester) respelled() {
	t.commit(create("dir/readme.txt", "text"))
	put, gone := moved("dir/readme.txt", "dir/README.txt", "text")
	t.commit(put, gone)
	t.has("dir/README.txt", "text")
	t.commit(atomicedit.Invert([]atomicedit.Change{put, gone})...)
	t.has("dir/readme.txt", "text")
	t.commit(remove("dir/readme.txt", "text"))
	t.lacks("dir/readme.txt")
	t.lacks("dir/README.txt")
}

func (t *tester) plan() {
	t.commit(create("a.txt", "one\ntwo\n"))
	tr, err := atomicedit.Prepare(t.Context(), t.store, atomicedit.Plan{Ops: []atomicedit.Op{
		{Kind: atomicedit.OpEdit, Path: "a.txt", Edits: []atomicedit.Edit{{Old: "two", New: "2"}}},
	}}, nil)
	if err != nil {
		t.Fatalf("Prepare: %v", err)
	}
	t.has("a.txt", "one\ntwo\n")
	if err := tr.Commit(t.Context()); err != nil {
		t.Fatalf("Commit: %v", err)
	}
	t.has("a.txt", "one\n2\n")
	var refusal *atomicedit.Refusal
	if err := tr.Commit(t.Context()); !errors.As(err, &refusal) || !errors.Is(err, atomicedit.ErrStale) {
		t.Errorf("second Commit: error %v, want a Refusal with ErrStale", err)
	}
	t.commit(atomicedit.Invert(tr.Changes())...)
	t.has("a.txt", "one\ntwo\n")
}

func (t *tester) cancelled() {
	t.commit(create("a.txt", "a"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := t.store.Read(ctx, "a.txt"); !errors.Is(err, context.Canceled) {
		t.Errorf("Read(%q): error %v, want context.Canceled", "a.txt", err)
	}
	if err := t.try(ctx, edit("a.txt", "a", "b")); !errors.Is(err, context.Canceled) {
		t.Errorf("Commit to %q: error %v, want context.Canceled", "a.txt", err)
	}
	t.has("a.txt", "a")
}

// A countdown is a context that ends after its Err has been called a number of times.
type countdown struct {
	context.Context
	mu   sync.Mutex
	left int
	done chan struct{}
}

func (c *countdown) Done() <-chan struct{} { return c.done }

func (c *countdown) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left == 0 {
		close(c.done)
	}
	if c.left > 0 {
		return nil
	}
	return context.Canceled
}

func (t *tester) cancelledMidway() {
	t.commit(create("a.txt", "a"))
	t.commit(create("b.txt", "b"))
	changes := []atomicedit.Change{edit("a.txt", "a", "A"), edit("b.txt", "b", "B"), create("c.txt", "c")}
	for k := 1; k <= 24; k++ {
		ctx := &countdown{Context: t.Context(), left: k, done: make(chan struct{})}
		err := t.try(ctx, changes...)
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip("the store changes one file at a time")
		}
		if errors.Is(err, atomicedit.ErrUnfinished) { // the next commit finishes it, either way
			t.commit(create("next", ""))
			t.commit(remove("next", ""))
		}
		done := err == nil || errors.Is(err, atomicedit.ErrNotDurable) || errors.Is(err, atomicedit.ErrUnfinished) &&
			string(t.read("a.txt").Data) == "A"
		if !done {
			t.has("a.txt", "a")
			t.has("b.txt", "b")
			t.lacks("c.txt")
			continue
		}
		t.has("a.txt", "A")
		t.has("b.txt", "B")
		t.has("c.txt", "c")
		t.commit(atomicedit.Invert(changes)...)
	}
}

func (t *tester) arguments() {
	one := func() []atomicedit.Change { return []atomicedit.Change{create("a.txt", "one")} }
	first := one()
	t.commit(first...)
	t.sameArgument(one(), first)
	copy(first[0].After.Data, "xxx")
	t.has("a.txt", "one")
	changes := func() []atomicedit.Change {
		put, gone := moved("./a.txt", "./b.txt", "one")
		put.After.Mode, put.After.Notes = 0o644, []string{"a note"}
		return []atomicedit.Change{create("./z.txt", "z"), put, gone, {Path: "./none.txt"}}
	}
	stale := func() []atomicedit.Change { return append(changes(), edit("./c.txt", "one", "two")) }
	refused, done := stale(), changes()
	t.refuse(atomicedit.ErrStale, refused...)
	t.sameArgument(stale(), refused)
	t.commit(done...)
	t.sameArgument(changes(), done)
	t.has("b.txt", "one")
}

// sameArgument expects the argument of a commit to be what it was.
func (t *tester) sameArgument(was, is []atomicedit.Change) {
	t.Helper()
	if !reflect.DeepEqual(was, is) {
		t.Errorf("Commit of %s modified its argument, which is %s now", describe(was...), describe(is...))
	}
}

func (t *tester) kept() {
	t.commit(create("a.txt", "one"))
	f := t.read("a.txt")
	t.commit(edit("a.txt", "one", "two"))
	t.commit(edit("a.txt", "two", "six"))
	if string(f.Data) != "one" {
		t.Errorf("a File that was read before two commits of \"a.txt\" has %s, want \"one\"", excerpt(f.Data))
	}
}

// Several writers increment numbers in one file, each from the content that it has read.
func (t *tester) lostUpdates() {
	const writers, each = 4, 10
	t.commit(create("n", "0"))
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for done := 0; done < each; {
				f, err := t.store.Read(t.Context(), "n")
				if errors.Is(err, atomicedit.ErrStale) {
					continue
				}
				if err != nil {
					t.Errorf("Read(%q): %v", "n", err)
					return
				}
				var n int
				fmt.Sscan(string(f.Data), &n)
				err = t.try(t.Context(), edit("n", string(f.Data), fmt.Sprint(n+1)))
				switch {
				case err == nil:
					done++
				case !errors.Is(err, atomicedit.ErrStale):
					t.Errorf("Commit to %q: %v", "n", err)
					return
				}
			}
		})
	}
	wg.Wait()
	t.has("n", fmt.Sprint(writers*each))
}

// Concurrent readers get whole files.
func (t *tester) readers() {
	texts := [2][]byte{bytes.Repeat([]byte("a"), 1<<16), bytes.Repeat([]byte("b"), 1<<15)}
	t.commit(create("f", string(texts[0])))
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			f, err := t.store.Read(t.Context(), "f")
			if errors.Is(err, atomicedit.ErrStale) {
				continue // a store may say that of what is being changed
			}
			if err != nil || !bytes.Equal(f.Data, texts[0]) && !bytes.Equal(f.Data, texts[1]) {
				t.Errorf("Read(%q): neither old nor new, error %v", "f", err)
				return
			}
		}
	})
	for i := range 20 {
		t.commit(edit("f", string(texts[i%2]), string(texts[1-i%2])))
	}
	close(stop)
	wg.Wait()
}
