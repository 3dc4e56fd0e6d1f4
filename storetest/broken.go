package storetest

import (
	"errors"

	"github.com/atomicedit/atomicedit"
)

// A Breakable is a store whose commits a test can make fail halfway. If open returns one, [Run] interrupts a commit at
// every step, and checks what that leaves behind: [atomicedit.ErrUnfinished] is for what could neither be done nor
// rolled back. A store that cannot fail halfway, such as one in memory, need not be a Breakable.
type Breakable interface {
	atomicedit.Store

	// Break lets the store take n more steps of a commit, and then none: everything it tries fails, including rolling
	// back, as if the disk or the process behind it were gone. A step is one action of the store, such as a rename or a
	// message.
	Break(n int)

	// Mend undoes Break: everything works again, as after a restart.
	Mend()
}

// maxSteps is more than a commit of three files should take.
const maxSteps = 500

// brokenOff breaks off a commit after each possible number of steps.
func (t *tester) brokenOff() {
	s := t.breakable
	if s == nil {
		t.Skip("the store is not Breakable")
	}
	t.commit(create("a.txt", "a"))
	t.commit(create("b.txt", "b"))
	changes := []atomicedit.Change{edit("a.txt", "a", "A"), remove("b.txt", "b"), create("dir/c.txt", "c")}
	t.commit(changes...) // unless the store changes one file at a time
	t.commit(atomicedit.Invert(changes)...)
	unfinished := 0
	for n := range maxSteps {
		s.Break(n)
		err := t.try(t.Context(), changes...)
		s.Mend()
		if errors.Is(err, atomicedit.ErrUnfinished) { // the next commit finishes it, either way
			unfinished++
			t.commit(create("next", ""))
			t.commit(remove("next", ""))
		}
		f, readErr := t.store.Read(t.Context(), "a.txt")
		if readErr != nil {
			t.Fatalf("%s, broken off after %d steps, %v: Read(%q): %v", describe(changes...), n, err, "a.txt", readErr)
		}
		done := string(f.Data) == "A"
		switch {
		case err == nil || errors.Is(err, atomicedit.ErrNotDurable):
			if !done {
				t.Errorf("broken off after %d steps: %v, but nothing is done", n, err)
			}
		case done && !errors.Is(err, atomicedit.ErrUnfinished):
			t.Errorf("broken off after %d steps: %v, but all is done", n, err)
		}
		if !done {
			t.has("a.txt", "a")
			t.has("b.txt", "b")
			t.lacks("dir/c.txt")
		} else {
			t.has("a.txt", "A")
			t.lacks("b.txt")
			t.has("dir/c.txt", "c")
			t.commit(atomicedit.Invert(changes)...)
		}
		if t.Failed() {
			t.Fatalf("%s, broken off after %d steps: %v", describe(changes...), n, err)
		}
		if err == nil {
			t.Logf("broken off at %d steps, unfinished at %d of them", n, unfinished)
			return
		}
	}
	t.Errorf("a commit of three files takes more than %d steps", maxSteps)
}
