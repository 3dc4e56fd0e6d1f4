// Package storetest checks an implementation of [atomicedit.Store] against its contract. In the repository,
// docs/stores.md has the contract in full.
package storetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"

	"github.com/atomicedit/atomicedit"
)

// A testCase checks one part of the contract.
type testCase struct {
	name string
	run  func(*tester)
}

func testCases() []testCase {
	return []testCase{
		{"what was committed is read back", (*tester).readBack},
		{"a file that is not there is ErrNotExist", (*tester).absent},
		{"a path that leads outside is refused", (*tester).outside},
		{"two spellings are one file", (*tester).spellings},
		{"a change may have the store's name for its file", (*tester).named},
		{"a file and a directory cannot share a path", (*tester).directories},
		{"a create never overwrites", (*tester).exist},
		{"a change of what has changed is ErrStale", (*tester).stale},
		{"all changes or none", (*tester).allOrNone},
		{"two changes of one file are refused", (*tester).twice},
		{"the first step that fails says so", (*tester).order},
		{"a change may change nothing", (*tester).nothing},
		{"an empty file is not an absent one", (*tester).empty},
		{"any bytes are kept", (*tester).bytes},
		{"a mode of 0 keeps the mode", (*tester).modes},
		{"the inverse undoes", (*tester).undo},
		{"a move is two changes in either order", (*tester).moves},
		{"a move may change the case of a name alone", (*tester).respelled},
		{"a plan is prepared, committed once, and undone", (*tester).plan},
		{"a cancelled context changes nothing", (*tester).cancelled},
		{"a context that ends half way leaves all or nothing", (*tester).cancelledMidway},
		{"a commit that breaks off is done, rolled back, or unfinished", (*tester).brokenOff},
		{"no argument is kept or changed", (*tester).arguments},
		{"a file that was read stays as it was", (*tester).kept},
		{"no update is lost", (*tester).lostUpdates},
		{"readers see old or new", (*tester).readers},
	}
}

// Run checks the stores that open returns, in subtests. Each call of open must return an empty store of its own; leave
// cleaning up to t.Cleanup. Every case runs three times: on the store itself, behind a wrapper that has only Read and
// Commit, and behind one that has Unwrap as well. A failed case names its files and changes.
//
// A store that refuses several changes at once with [errors.ErrUnsupported] passes; the cases that need them are
// skipped. If the store is [Breakable], Run also checks what a commit leaves behind when it fails halfway.
func Run(t *testing.T, open func(t *testing.T) atomicedit.Store) {
	run := func(t *testing.T, wrap func(atomicedit.Store) atomicedit.Store) {
		for _, test := range testCases() {
			t.Run(test.name, func(t *testing.T) {
				store := open(t)
				breakable, _ := store.(Breakable)
				c := &tester{T: t, store: wrap(store), breakable: breakable}
				defer c.sayWhatWasCommitted()
				test.run(c)
			})
		}
	}
	run(t, func(s atomicedit.Store) atomicedit.Store { return s })
	t.Run("behind a wrapper that hides it", func(t *testing.T) {
		run(t, func(s atomicedit.Store) atomicedit.Store { return struct{ atomicedit.Store }{s} })
	})
	t.Run("behind a wrapper with Unwrap", func(t *testing.T) {
		run(t, func(s atomicedit.Store) atomicedit.Store { return wrapper{s} })
	})
}

// A wrapper hides nothing of a store.
type wrapper struct{ atomicedit.Store }

func (w wrapper) Unwrap() atomicedit.Store { return w.Store }

// A tester runs one case on its own store.
type tester struct {
	*testing.T
	store     atomicedit.Store
	breakable Breakable // nil if the store is not

	mu        sync.Mutex
	committed []string
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

// moved returns the two changes of a move.
func moved(from, to, text string) (put, gone atomicedit.Change) {
	put = create(to, text)
	put.From = from
	return put, remove(from, text)
}

// describe returns a description of changes.
func describe(changes ...atomicedit.Change) string {
	parts := make([]string, len(changes))
	for i, c := range changes {
		switch {
		case c.Before == nil && c.After == nil:
			parts[i] = fmt.Sprintf("nothing at %q, where no file may be", c.Path)
		case c.Before == nil:
			parts[i] = fmt.Sprintf("create %q with %s", c.Path, excerpt(c.After.Data))
		case c.After == nil:
			parts[i] = fmt.Sprintf("delete %q, which has %s", c.Path, excerpt(c.Before.Data))
		default:
			parts[i] = fmt.Sprintf("change %q from %s to %s", c.Path, excerpt(c.Before.Data), excerpt(c.After.Data))
		}
		if c.Before != nil && c.Before.Path != "" {
			parts[i] += fmt.Sprintf(" (before: %q)", c.Before.Path)
		}
		if c.After != nil && c.After.Path != "" {
			parts[i] += fmt.Sprintf(" (after: %q)", c.After.Path)
		}
		if c.From != "" {
			parts[i] += fmt.Sprintf(" (moved from %q)", c.From)
		}
	}
	return "[" + strings.Join(parts, "; ") + "]"
}

func excerpt(data []byte) string {
	const most = 40
	if len(data) <= most {
		return fmt.Sprintf("%q", data)
	}
	return fmt.Sprintf("%q… (%d bytes)", data[:most], len(data))
}

// try commits changes and records them for the message of a failing case.
func (t *tester) try(ctx context.Context, changes ...atomicedit.Change) error {
	err := t.store.Commit(ctx, changes)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.committed = append(t.committed, fmt.Sprintf("%s: %v", describe(changes...), err))
	return err
}

// sayWhatWasCommitted logs the last commits of a case that failed.
func (t *tester) sayWhatWasCommitted() {
	const most = 20
	if !t.Failed() || len(t.committed) == 0 {
		return
	}
	all := t.committed
	if len(all) > most {
		all = append([]string{fmt.Sprintf("… (%d more)", len(all)-most)}, all[len(all)-most:]...)
	}
	t.Logf("the case committed, with these errors:\n\t%s", strings.Join(all, "\n\t"))
}

// commit expects the changes to be made. A store that cannot make several changes at once skips the rest of the test.
func (t *tester) commit(changes ...atomicedit.Change) {
	t.Helper()
	err := t.try(t.Context(), changes...)
	if len(changes) > 1 && errors.Is(err, errors.ErrUnsupported) {
		t.Skip("the store changes one file at a time")
	}
	if err != nil {
		t.Fatalf("Commit of %s: %v", describe(changes...), err)
	}
}

// refuse expects the changes to be refused with an error that is want, about a file.
func (t *tester) refuse(want error, changes ...atomicedit.Change) {
	t.Helper()
	err := t.try(t.Context(), changes...)
	if len(changes) > 1 && errors.Is(err, errors.ErrUnsupported) && !errors.Is(want, errors.ErrUnsupported) {
		t.Skip("the store changes one file at a time")
	}
	if !errors.Is(err, want) {
		t.Errorf("Commit of %s: error %v, want one that is %v", describe(changes...), err, want)
	}
	if err != nil {
		t.namesItsFile("Commit of "+describe(changes...), err)
	}
}

// read expects that there is a file at path.
func (t *tester) read(path string) *atomicedit.File {
	t.Helper()
	f, err := t.store.Read(t.Context(), path)
	if err != nil {
		t.Fatalf("Read(%q): %v", path, err)
	}
	return f
}

// has expects the file at path to have the given text.
func (t *tester) has(path, text string) {
	t.Helper()
	f, err := t.store.Read(t.Context(), path)
	if err != nil {
		t.Errorf("Read(%q): %v", path, err)
	} else if string(f.Data) != text {
		t.Errorf("Read(%q) has %s, want %s", path, excerpt(f.Data), excerpt([]byte(text)))
	}
}

// unreadable expects that Read refuses path with an error that is want.
func (t *tester) unreadable(path string, want error) {
	t.Helper()
	f, err := t.store.Read(t.Context(), path)
	if !errors.Is(err, want) {
		t.Errorf("Read(%q): %+v, error %v, want one that is %v", path, f, err, want)
	}
	if err != nil {
		t.namesItsFile(fmt.Sprintf("Read(%q)", path), err)
	}
}

// namesItsFile expects an error about a file to say so.
func (t *tester) namesItsFile(what string, err error) {
	t.Helper()
	if about := (*fs.PathError)(nil); !errors.As(err, &about) {
		t.Errorf("%s: error %v is no fs.PathError, so it does not say which file it is about", what, err)
	}
}

// lacks expects that there is no file at path.
func (t *tester) lacks(path string) {
	t.Helper()
	t.unreadable(path, fs.ErrNotExist)
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
	for _, path := range []string{"a.txt", "dir/a.txt", "./dir//a.txt"} {
		t.lacks(path)
		f, _ := t.store.Read(t.Context(), path)
		if f != nil && (f.Path == "" || f.Data != nil || f.Mode != 0 || f.Notes != nil) {
			t.Errorf("Read(%q) = %+v, want nil or the path alone", path, f)
		}
	}
}

func (t *tester) outside() {
	for path, want := range map[string]error{
		"../a.txt": atomicedit.ErrOutside, "a/../../b.txt": atomicedit.ErrOutside, "..": atomicedit.ErrOutside,
		"~/../a.txt": atomicedit.ErrOutside,
		"":           fs.ErrInvalid, ".": fs.ErrInvalid, "a/": fs.ErrInvalid, "a/..": fs.ErrInvalid,
		"nul\x00.txt":                    fs.ErrInvalid,
		strings.Repeat("a/", 2048) + "b": fs.ErrInvalid,
	} {
		t.unreadable(path, want)
		for _, c := range []atomicedit.Change{create(path, "x"), edit(path, "x", "y"), remove(path, "x"),
			{Path: path}} {
			if err := t.try(t.Context(), c); !errors.Is(err, want) {
				t.Errorf("Commit of %s: error %v, want one that is %v", describe(c), err, want)
			}
		}
	}
}

func (t *tester) spellings() {
	t.commit(create("dir/a.txt", "one"))
	t.has("./dir//a.txt", "one")
	t.has("dir/x/../a.txt", "one")
	t.commit(edit("./dir/a.txt", "one", "two"))
	if f, g := t.read("dir/a.txt"), t.read("./dir/a.txt"); f.Path != g.Path {
		t.Errorf("one file is called %q and %q", f.Path, g.Path)
	}
}

// A change may name its file as the store does, however the change itself spells the path, and it need not.
func (t *tester) named() {
	t.commit(create("dir/a.txt", "0"))
	name := t.read("dir/a.txt").Path
	for i, c := range []struct{ path, before, after string }{
		{"dir/a.txt", name, name},
		{"./dir//a.txt", name, name},
		{"dir/x/../a.txt", name, ""},
		{"./dir/a.txt", "", name},
		{"./dir/a.txt", "", ""},
	} {
		change := edit(c.path, fmt.Sprint(i), fmt.Sprint(i+1))
		change.Before.Path, change.After.Path = c.before, c.after
		t.commit(change)
		t.has("dir/a.txt", fmt.Sprint(i+1))
	}
	if name != "" {
		t.has(name, "5")
		t.commit(remove(name, "5"))
		t.lacks("dir/a.txt")
	}
}

func (t *tester) directories() {
	t.commit(create("x", "a file"))
	t.commit(create("dir/y", "another"))
	t.unreadable("x/y", fs.ErrInvalid)
	t.unreadable("dir", fs.ErrInvalid)
	t.refuse(fs.ErrInvalid, create("x/y", "below a file"))
	t.refuse(fs.ErrInvalid, create("dir", "above a file"))
	t.refuse(fs.ErrInvalid, remove("x", "a file"), create("x/y", "in its place"))
	t.refuse(fs.ErrInvalid, create("dir", "in its place"), remove("dir/y", "another"))
	t.has("x", "a file")
	t.has("dir/y", "another")
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

func (t *tester) order() {
	t.commit(create("a.txt", "a"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := t.try(ctx, create("../b.txt", "b")); !errors.Is(err, context.Canceled) {
		t.Errorf("Commit of a path outside, the context being cancelled: error %v, want %v", err, context.Canceled)
	}
	for _, changes := range [][]atomicedit.Change{
		{edit("a.txt", "not so", "b"), create("dir/", "c")},
		{edit("a.txt", "not so", "b"), edit("./a.txt", "not so", "c")},
		{edit("a.txt", "not so", "b"), create("x", "x"), create("x/y", "y")},
	} {
		t.refuse(fs.ErrInvalid, changes...)
		if err := t.try(t.Context(), changes...); errors.Is(err, atomicedit.ErrStale) {
			t.Errorf("Commit of %s: error %v, though the paths are wrong already", describe(changes...), err)
		}
	}
	t.has("a.txt", "a")
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

func (t *tester) modes() {
	c := create("a.txt", "one")
	c.After.Mode = 0o600
	t.commit(c)
	if mode := t.read("a.txt").Mode; mode != 0o600 {
		t.Skipf("the store makes mode 0600 %#o", mode)
	}
	t.commit(edit("a.txt", "one", "two"))
	if mode := t.read("a.txt").Mode; mode != 0o600 {
		t.Errorf("a change with mode 0 makes mode 0600 %#o", mode)
	}
	c = edit("a.txt", "two", "three")
	c.After.Mode = 0o644
	t.commit(c)
	if mode := t.read("a.txt").Mode; mode != 0o644 {
		t.Errorf("a change with mode 0644 makes %#o", mode)
	}
}
