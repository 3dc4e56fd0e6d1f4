// Package storetest checks an implementation of [atomicedit.Store] against its contract.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"testing"

	"github.com/atomicedit/atomicedit"
)

// Run checks the stores that open returns, in subtests. Each call of open must return an empty store of its own; what is to
// be cleaned up goes to t.Cleanup. A store that refuses several changes at once with [errors.ErrUnsupported] passes without
// the tests that need them, which are skipped. What a commit that fails half way leaves is tested of a [Breakable].
func Run(t *testing.T, open func(t *testing.T) atomicedit.Store) {
	for _, test := range []struct {
		name string
		run  func(*tester)
	}{
		{"what was committed is read back", (*tester).readBack},
		{"a file that is not there is ErrNotExist", (*tester).absent},
		{"a path that leads outside is refused", (*tester).outside},
		{"two spellings are one file", (*tester).spellings},
		{"a create never overwrites", (*tester).exist},
		{"a change of what has changed is ErrStale", (*tester).stale},
		{"all changes or none", (*tester).allOrNone},
		{"two changes of one file are refused", (*tester).twice},
		{"a change may change nothing", (*tester).nothing},
		{"an empty file is not an absent one", (*tester).empty},
		{"any bytes are kept", (*tester).bytes},
		{"the inverse undoes", (*tester).undo},
		{"a plan is prepared, committed once, and undone", (*tester).plan},
		{"a cancelled context changes nothing", (*tester).cancelled},
		{"a context that ends half way leaves all or nothing", (*tester).cancelledMidway},
		{"a commit that breaks off is done, taken back, or unfinished", (*tester).brokenOff},
		{"no argument is kept or changed", (*tester).arguments},
		{"no update is lost", (*tester).lostUpdates},
		{"readers see old or new", (*tester).readers},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(&tester{T: t, store: open(t)}) })
	}
}

type tester struct {
	*testing.T
	store atomicedit.Store
}

func file(text string) *atomicedit.File { return &atomicedit.File{Data: []byte(text)} }

func create(path, text string) atomicedit.Change {
	return atomicedit.Change{Path: path, After: file(text)}
}

func edit(path, before, after string) atomicedit.Change {
	return atomicedit.Change{Path: path, Before: file(before), After: file(after)}
}

func remove(path, before string) atomicedit.Change {
	return atomicedit.Change{Path: path, Before: file(before)}
}

// commit expects the changes to be made. A store that cannot make several at once is done with the test.
func (t *tester) commit(changes ...atomicedit.Change) {
	t.Helper()
	err := t.store.Commit(t.Context(), changes)
	if len(changes) > 1 && errors.Is(err, errors.ErrUnsupported) {
		t.Skip("the store changes one file at a time")
	}
	if err != nil {
		t.Fatalf("Commit: %v", err)
	}
}

// refuse expects the changes to be refused with an error that is want.
func (t *tester) refuse(want error, changes ...atomicedit.Change) {
	t.Helper()
	err := t.store.Commit(t.Context(), changes)
	if len(changes) > 1 && errors.Is(err, errors.ErrUnsupported) && !errors.Is(want, errors.ErrUnsupported) {
		t.Skip("the store changes one file at a time")
	}
	if !errors.Is(err, want) {
		t.Errorf("Commit: error %v, want one that is %v", err, want)
	}
}

// has expects the file at path to have the given text.
func (t *tester) has(path, text string) {
	t.Helper()
	f, err := t.store.Read(t.Context(), path)
	if err != nil {
		t.Errorf("Read(%q): %v", path, err)
	} else if string(f.Data) != text {
		t.Errorf("Read(%q) = %q, want %q", path, f.Data, text)
	}
}

// lacks expects that there is no file at path.
func (t *tester) lacks(path string) {
	t.Helper()
	if _, err := t.store.Read(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read(%q): error %v, want one that is %v", path, err, fs.ErrNotExist)
	}
}

func (t *tester) readBack() {
	t.commit(create("a.txt", "one\n"))
	t.has("a.txt", "one\n")
	t.commit(edit("a.txt", "one\n", "two\r\n"))
	t.has("a.txt", "two\r\n")
	t.commit(create("dir/sub/b.txt", "b"))
	t.has("dir/sub/b.txt", "b")
	t.commit(remove("a.txt", "two\r\n"))
	t.lacks("a.txt")
	t.commit(create("a.txt", "three\n"))
	t.has("a.txt", "three\n")
}

func (t *tester) absent() {
	t.lacks("a.txt")
	t.lacks("dir/a.txt")
}

func (t *tester) outside() {
	for _, path := range []string{"../a.txt", "a/../../b.txt", "..", "", ".", "a/", "nul\x00.txt"} {
		if f, err := t.store.Read(t.Context(), path); err == nil {
			t.Errorf("Read(%q) = %q, want an error", path, f.Data)
		}
		err := t.store.Commit(t.Context(), []atomicedit.Change{create(path, "x")})
		if !errors.Is(err, atomicedit.ErrOutside) && !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Commit of %q: error %v, want ErrOutside or fs.ErrInvalid", path, err)
		}
	}
}

func (t *tester) spellings() {
	t.commit(create("dir/a.txt", "one"))
	t.has("./dir//a.txt", "one")
	t.has("dir/x/../a.txt", "one")
	t.commit(edit("./dir/a.txt", "one", "two"))
	f, err := t.store.Read(t.Context(), "dir/a.txt")
	if err != nil {
		t.Fatal(err)
	}
	g, err := t.store.Read(t.Context(), "./dir/a.txt")
	if err != nil {
		t.Fatal(err)
	}
	if f.Path != g.Path {
		t.Errorf("one file is called %q and %q", f.Path, g.Path)
	}
}

func (t *tester) exist() {
	t.commit(create("a.txt", "one"))
	t.refuse(fs.ErrExist, create("a.txt", "two"))
	t.refuse(fs.ErrExist, create("a.txt", "one"))
	t.has("a.txt", "one")
}

func (t *tester) stale() {
	t.commit(create("a.txt", "one"))
	t.refuse(atomicedit.ErrStale, edit("a.txt", "other", "two"))
	t.refuse(atomicedit.ErrStale, remove("a.txt", "other"))
	t.refuse(atomicedit.ErrStale, edit("b.txt", "one", "two"))
	t.refuse(atomicedit.ErrStale, remove("b.txt", ""))
	t.has("a.txt", "one")
	t.lacks("b.txt")
}

func (t *tester) allOrNone() {
	t.commit(create("a.txt", "a"))
	t.commit(create("b.txt", "b"))
	t.commit(edit("a.txt", "a", "A"), create("c.txt", "c"), remove("b.txt", "b"))
	t.has("a.txt", "A")
	t.has("c.txt", "c")
	t.lacks("b.txt")
	t.refuse(atomicedit.ErrStale, edit("a.txt", "A", "a"), create("new/b.txt", "b"), remove("c.txt", "not so"))
	t.refuse(fs.ErrExist, edit("a.txt", "A", "a"), create("new/b.txt", "b"), create("c.txt", "c"))
	t.has("a.txt", "A")
	t.has("c.txt", "c")
	t.lacks("b.txt")
	t.lacks("new/b.txt")
}

func (t *tester) twice() {
	t.commit(create("a.txt", "a"))
	t.refuse(fs.ErrInvalid, edit("a.txt", "a", "b"), edit("./a.txt", "b", "c"))
	t.refuse(fs.ErrInvalid, create("x", "a"), create("x/y", "b"))
	t.refuse(fs.ErrInvalid, remove("a.txt", "a"), create("a.txt", "b"))
	t.has("a.txt", "a")
	t.lacks("x")
}

func (t *tester) nothing() {
	t.commit()
	t.commit(atomicedit.Change{Path: "a.txt"}) // absent before and after
	t.commit(create("a.txt", "a"))
	t.commit(edit("a.txt", "a", "a"))
	t.refuse(fs.ErrExist, atomicedit.Change{Path: "a.txt"})
	t.has("a.txt", "a")
}

func (t *tester) empty() {
	t.commit(create("a.txt", ""))
	t.has("a.txt", "")
	t.refuse(fs.ErrExist, create("a.txt", "x"))
	t.commit(edit("a.txt", "", "x"))
	t.commit(edit("a.txt", "x", ""))
	t.has("a.txt", "")
	t.commit(remove("a.txt", ""))
	t.lacks("a.txt")
}

func (t *tester) bytes() {
	var all []byte
	for range 300 {
		for b := range 256 {
			all = append(all, byte(b))
		}
	}
	t.commit(create("all", string(all)))
	t.has("all", string(all))
}

func (t *tester) undo() {
	t.commit(create("a.txt", "a"))
	t.commit(create("b.txt", "b"))
	t.commit(create("old.txt", "moved"))
	moved := create("dir/new.txt", "moved")
	moved.From = "old.txt"
	changes := []atomicedit.Change{
		edit("a.txt", "a", "A"), remove("b.txt", "b"), create("c.txt", "c"), moved, remove("old.txt", "moved"),
	}
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
		t.Errorf("Read: error %v, want context.Canceled", err)
	}
	err := t.store.Commit(ctx, []atomicedit.Change{edit("a.txt", "a", "b")})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Commit: error %v, want context.Canceled", err)
	}
	t.has("a.txt", "a")
}

// A countdown is a context that ends when it has been asked so many times whether it has.
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
		err := t.store.Commit(ctx, changes)
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip("the store changes one file at a time")
		}
		if errors.Is(err, atomicedit.ErrUnfinished) { // the next commit finishes it, either way
			t.commit(create("next", ""))
			t.commit(remove("next", ""))
		}
		f, readErr := t.store.Read(t.Context(), "a.txt")
		if readErr != nil {
			t.Fatal(readErr)
		}
		done := err == nil || errors.Is(err, atomicedit.ErrNotDurable) || errors.Is(err, atomicedit.ErrUnfinished) && string(f.Data) == "A"
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
	c := create("a.txt", "one")
	t.commit(c)
	if string(c.After.Data) != "one" || c.Path != "a.txt" {
		t.Errorf("Commit changed its argument: %q, %q", c.Path, c.After.Data)
	}
	copy(c.After.Data, "xxx")
	t.has("a.txt", "one")
}

// Several writers count in one file, each from what it has read.
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
					t.Errorf("Read: %v", err)
					return
				}
				var n int
				fmt.Sscan(string(f.Data), &n)
				err = t.store.Commit(t.Context(), []atomicedit.Change{edit("n", string(f.Data), fmt.Sprint(n+1))})
				switch {
				case err == nil:
					done++
				case !errors.Is(err, atomicedit.ErrStale):
					t.Errorf("Commit: %v", err)
					return
				}
			}
		})
	}
	wg.Wait()
	t.has("n", fmt.Sprint(writers*each))
}

// A reader meanwhile gets whole files.
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
				t.Errorf("Read: neither old nor new, error %v", err)
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
