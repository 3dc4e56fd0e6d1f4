package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
)

const (
	firstRun  = "a.txt\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n"
	secondRun = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: dir/c.txt\n@@\n-1\n+I\n*** Delete File: b.bin\n*** Add File: d.txt\n+x\n*** End Patch\n"
	thirdRun  = "dir/c.txt\n<<<<<<< SEARCH\nI\n=======\nONE\n>>>>>>> REPLACE\n"
)

// kept runs requests on a new directory, each with -keep, and returns the directory, the flags to use, and what the
// files were before each request and after the last.
func kept(t *testing.T, requests ...string) (dir string, flags []string, states []map[string]string) {
	t.Helper()
	dir = directory(t, map[string]string{"a.txt": "one\ntwo\n", "b.bin": "\x00\xff"})
	flags = []string{"-C", dir, "-state", filepath.Join(t.TempDir(), "state")}
	states = append(states, tree(t, dir))
	for _, request := range requests {
		if status, _, stderr := call(request, append(flags, "-keep")...); status != done {
			t.Fatalf("status %d: %s", status, stderr)
		}
		states = append(states, tree(t, dir))
	}
	return dir, flags, states
}

func TestSeveralUndosGoBackOneRunEach(t *testing.T) {
	dir, flags, states := kept(t, firstRun, secondRun, thirdRun)
	for i := len(states) - 2; i >= 0; i-- {
		now := tree(t, dir)
		status, preview, stderr := call("", append(flags, "-undo", "-n")...)
		if d := cmp.Diff(now, tree(t, dir)); status != done || d != "" ||
			!strings.Contains(stderr, "nothing was written") {
			t.Fatalf("a preview: status %d: %s%s", status, stderr, d)
		}
		status, stdout, stderr := call("", append(flags, "-undo")...)
		if d := cmp.Diff(states[i], tree(t, dir)); status != done || d != "" || stdout != preview ||
			!strings.Contains(stderr, "is undone\n") {
			t.Fatalf("status %d: %s%s\n%s", status, stderr, d, stdout)
		}
	}
	status, _, stderr := call("", append(flags, "-undo")...)
	if d := cmp.Diff(states[0], tree(t, dir)); status != refused || d != "" ||
		!strings.Contains(stderr, "there is no run to undo") {
		t.Errorf("status %d: %s%s", status, stderr, d)
	}
}

func TestAnUndoRefusesFilesThatHaveChanged(t *testing.T) {
	dir, flags, _ := kept(t, firstRun, secondRun)
	write(t, dir, map[string]string{"dir/c.txt": "mine\n", "b.bin": "mine\n"})
	before := tree(t, dir)
	status, stdout, stderr := call("", append(flags, "-undo", "-json")...)
	var r atomicedit.Refusal
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != refused {
		t.Fatalf("status %d, %v: %s%s", status, err, stdout, stderr)
	}
	got := map[string]string{}
	for _, p := range r.Problems {
		got[p.Path] = p.Code
	}
	if d := cmp.Diff(map[string]string{"dir/c.txt": "stale", "b.bin": "exist"}, got); d != "" {
		t.Errorf("%s\n%s", d, stderr)
	}
	if d := cmp.Diff(before, tree(t, dir)); d != "" {
		t.Error(d)
	}
	write(t, dir, map[string]string{"dir/c.txt": "I\ntwo\n"})
	if err := os.Remove(filepath.Join(dir, "b.bin")); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := call("", append(flags, "-undo")...); status != done {
		t.Errorf("once they are as the run left them: status %d: %s", status, stderr)
	}
}

// A run whose process died before its commit, or that was undone in another way, has nothing to undo.
func TestARunThatIsUndoneAlreadyIsForgotten(t *testing.T) {
	dir, flags, states := kept(t, firstRun, thirdRunOn("a.txt"))
	write(t, dir, states[1])
	for _, preview := range []bool{true, true, false} {
		args := append(flags, "-undo")
		if preview {
			args = append(args, "-n")
		}
		status, _, stderr := call("", args...)
		if d := cmp.Diff(states[1], tree(t, dir)); status != refused || d != "" ||
			!strings.Contains(stderr, "has been undone already") {
			t.Fatalf("status %d: %s%s", status, stderr, d)
		}
	}
	status, _, stderr := call("", append(flags, "-undo")...)
	if d := cmp.Diff(states[0], tree(t, dir)); status != done || d != "" {
		t.Errorf("status %d: %s%s", status, stderr, d)
	}
}

func thirdRunOn(path string) string {
	return path + "\n<<<<<<< SEARCH\n1\n=======\nONE\n>>>>>>> REPLACE\n"
}

func TestOnlyRunsThatHappenAreKept(t *testing.T) {
	dir, flags, states := kept(t)
	state := flags[3]
	canceled := func() (context.Context, func()) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		return ctx, cancel
	}
	var stdout, stderr bytes.Buffer
	c := newCommand(strings.NewReader(firstRun), &stdout, &stderr)
	c.hold = canceled
	if status := c.run(append(flags, "-keep")); status != failed ||
		!strings.Contains(stderr.String(), "apply: interrupted: nothing was changed\n") {
		t.Errorf("interrupted: status %d: %s", status, stderr.String())
	}
	call(firstRun, append(flags, "-keep", "-n")...)
	call(secondRun, append(flags, "-keep")...)
	call(firstRun, flags...)
	if got := tree(t, state); len(got) > 0 {
		t.Errorf("%q", got)
	}
	if d := cmp.Diff(map[string]string{"a.txt": "1\ntwo\n", "b.bin": states[0]["b.bin"]}, tree(t, dir)); d != "" {
		t.Error(d)
	}
}

func TestKeptRunsAreOutsideTheDirectory(t *testing.T) {
	dir := directory(t, map[string]string{"a.txt": "one\n"})
	before := tree(t, dir)
	link := filepath.Join(t.TempDir(), "link")
	states := []string{dir, filepath.Join(dir, "state"), filepath.Join(dir, "no", "such")}
	if err := os.Symlink(dir, link); err == nil {
		states = append(states, link, filepath.Join(link, "state"))
	}
	for _, state := range states {
		status, _, stderr := call(firstRun, "-C", dir, "-keep", "-state", state)
		if d := cmp.Diff(before, tree(t, dir)); status != failed || d != "" ||
			!strings.Contains(stderr, "inside the directory that is changed") {
			t.Errorf("%s: status %d: %s%s", state, status, stderr, d)
		}
	}
	if status, _, stderr := call(firstRun, "-C", dir, "-keep"); status != failed ||
		!strings.Contains(stderr, "name one with -state") {
		t.Errorf("no home: status %d: %s", status, stderr)
	}
	if d := cmp.Diff(before, tree(t, dir)); d != "" {
		t.Error(d)
	}
}

func TestDirectoriesHaveRunsOfTheirOwn(t *testing.T) {
	dir, flags, states := kept(t, firstRun)
	other := directory(t, map[string]string{"a.txt": "one\n"})
	if status, _, stderr := call(firstRun, "-C", other, "-state", flags[3], "-keep"); status != done {
		t.Fatalf("status %d: %s", status, stderr)
	}
	if status, _, stderr := call("", append(flags, "-undo")...); status != done {
		t.Errorf("status %d: %s", status, stderr)
	}
	if d := cmp.Diff(states[0], tree(t, dir)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]string{"a.txt": "1\n"}, tree(t, other)); d != "" {
		t.Error(d)
	}
}

func TestOnlyTheOwnerCanReadKeptRuns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such permissions")
	}
	_, flags, _ := kept(t, firstRun)
	entries, err := os.ReadDir(flags[3])
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	for _, path := range []string{flags[3], filepath.Join(flags[3], entries[0].Name())} {
		if info, err := os.Stat(path); err != nil || info.Mode()&0o077 != 0 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestAKeptRunThatCannotBeReadIsNamed(t *testing.T) {
	dir, flags, states := kept(t, firstRun)
	for name := range tree(t, flags[3]) {
		for _, content := range []string{"{", `{"dir": "/elsewhere"}`} {
			write(t, flags[3], map[string]string{name: content})
			if status, _, stderr := call("", append(flags, "-undo")...); status != failed ||
				!strings.Contains(stderr, name) {
				t.Errorf("status %d: %s", status, stderr)
			}
		}
	}
	if d := cmp.Diff(states[1], tree(t, dir)); d != "" {
		t.Error(d)
	}
}

func TestAHistoryHasLimits(t *testing.T) {
	change := func(n int) []atomicedit.Change {
		return []atomicedit.Change{{Path: "a", After: &atomicedit.File{Data: bytes.Repeat([]byte("x"), n)}}}
	}
	h := history{dir: filepath.Join(t.TempDir(), "state"), of: "/dir", runs: 3, bytes: 5000}
	var names []string
	for range 5 {
		name, err := h.add(change(10), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if err := h.prune(); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if got, err := h.list(); err != nil || !cmp.Equal(got, names[2:]) {
		t.Errorf("%v, %v of %v", got, err, names)
	}
	big, err := h.add(change(3300), time.Now()) // 4,400 bytes in JSON
	if err != nil {
		t.Fatal(err)
	}
	if err := h.prune(); err != nil {
		t.Fatal(err)
	}
	if got, err := h.list(); err != nil || len(got) > 3 || got[len(got)-1] != big {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := h.add(change(5000), time.Now()); err == nil ||
		!strings.Contains(err.Error(), "at most 5000 are kept") {
		t.Error(err)
	}
	if name, run, err := h.last(); name != big || err != nil || len(run.Changes) != 1 {
		t.Error(name, err)
	}
}

// A signal ends the context of a commit. What the program says depends on what the commit made of it.
func TestAnInterruptedCommitSaysHowItEnded(t *testing.T) {
	for _, tt := range []struct {
		end    error
		status int
		says   string
	}{
		{nil, done, "apply: the interrupt came too late: all was done\n"},
		{context.Canceled, failed, "apply: interrupted: nothing was changed\n"},
		{errors.Join(atomicedit.ErrUnfinished, context.Canceled), failed, "apply: " + atomicedit.ErrUnfinished.Error()},
	} {
		var stderr bytes.Buffer
		c := newCommand(nil, io.Discard, &stderr)
		ctx, cancel := context.WithCancel(context.Background())
		c.hold = func() (context.Context, func()) { return ctx, cancel }
		r := runner{command: c, out: newPrinter(c.stdout, "never"), messages: newPrinter(c.stderr, "never"),
			progress: newProgress(nil, nil)}
		err := r.carryOut(job{report: &atomicedit.Report{},
			commit: func(context.Context) error { cancel(); return tt.end }}, false)
		if status := r.status(err); status != tt.status || !strings.HasPrefix(stderr.String(), tt.says) {
			t.Errorf("%v: status %d: %s", tt.end, status, stderr.String())
		}
	}
}
