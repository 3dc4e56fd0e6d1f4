// Package accepttest has what the tests in its sibling packages share: texts, plans, stores, and checks. None of it is
// part of the library.
package accepttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"pgregory.net/rapid"
)

// PlacingErrors has the errors with which placing refuses an edit.
var PlacingErrors = map[string]error{
	"ErrAmbiguous": atomicedit.ErrAmbiguous, "ErrApplied": atomicedit.ErrApplied, "ErrCount": atomicedit.ErrCount,
	"ErrNotFound": atomicedit.ErrNotFound,
	"ErrOverlap":  atomicedit.ErrOverlap, "ErrPlaceholder": atomicedit.ErrPlaceholder, "ErrStale": atomicedit.ErrStale,
	"fs.ErrInvalid": fs.ErrInvalid,
}

func Args(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

type Object = map[string]any

// Broken is a store whose commits fail.
type Broken struct {
	atomicedit.Store
	Err error
}

func (b Broken) Commit(context.Context, []atomicedit.Change) error { return b.Err }

// Hiding returns a store that has nothing but the methods of s.
func Hiding(s atomicedit.Store) atomicedit.Store { return struct{ atomicedit.Store }{s} }

// SessionOf returns a session that has seen some lines of a file.
func SessionOf(files map[string]string, path string, first, last int) *atomicedit.Session {
	s := atomicedit.NewSession(atomicedit.NewMem(files))
	s.MarkRead(path, atomicedit.VersionOf([]byte(files[path])), first, last)
	return s
}

// DocumentedCodes returns the values of Problem.Code that its comment lists.
func DocumentedCodes(t testing.TB) (documented []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "refusal.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && len(f.Names) == 1 && f.Names[0].Name == "Code" {
			for _, m := range regexp.MustCompile(`"(\w+)"`).FindAllStringSubmatch(f.Doc.Text(), -1) {
				documented = append(documented, m[1])
			}
		}
		return true
	})
	return documented
}

var (
	Seed  = disktest.SeedTree
	Found = disktest.FoundTree
)

// Again returns a command that runs the named role in a process of its own.
func Again(t *testing.T, role string, args ...string) *exec.Cmd {
	t.Helper()
	SkipWithoutDirs(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), "ATOMICEDIT_ROLE="+role, "ATOMICEDIT_ARGS="+strings.Join(args, "\n"))
	return cmd
}

// Roles are what the test binary does when it is run again.
var Roles = map[string]func(args []string) error{
	"count":      func(args []string) error { return Count(args[0], 50) },
	"churn":      func(args []string) error { return Churn(args[0], strings.Join(args[1:], "")) },
	"take turns": WriteAlone,
	"roots killed at": func(args []string) error {
		k, _ := strconv.Atoi(args[1])
		return RootsKilledAt(args[0], k, args[2], args[3])
	},
	"killed at": func(args []string) error {
		k, _ := strconv.Atoi(args[1])
		return KilledAt(args[0], k)
	},
}

// KilledAt commits changes of all kinds to dir, and is killed before the k-th operation of that, if there are so many.
func KilledAt(dir string, k int) error {
	root, err := disk.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	pinned, release := root.Pin()
	defer release()
	kill := func() {
		self, _ := os.FindProcess(os.Getpid())
		self.Kill()
		select {}
	}
	one, two := &atomicedit.File{Data: []byte("one")}, &atomicedit.File{Data: []byte("two")}
	d := NewDirOn(disktest.NewCall(pinned, k, kill), atomicedit.DirOptions{})
	return d.Commit(context.Background(), []atomicedit.Change{
		{Path: "a", Before: one, After: two}, {Path: "d/b", Before: one, After: two},
		{Path: "n/m", From: "c", After: one}, {Path: "c", Before: one},
	})
}

// Failed is the exit status of a role that ended with an error: not that of a process which was killed, anywhere.
const Failed = 3

func WasKilled(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.ExitCode() != Failed && exit.ExitCode() != 2 // of a panic
}

// Count adds n to the number in the file called n.
func Count(dir string, n int) error {
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		return err
	}
	defer d.Close()
	for done := 0; done < n; {
		f, err := d.Read(context.Background(), "n")
		if err != nil {
			return err
		}
		var was int
		fmt.Sscan(string(f.Data), &was)
		err = d.Commit(context.Background(), []atomicedit.Change{{Path: "n", Before: f,
			After: &atomicedit.File{Data: fmt.Append(nil, was+1)}}})
		switch {
		case err == nil:
			done++
		case !errors.Is(err, atomicedit.ErrStale):
			return err
		}
	}
	return nil
}

// Churn moves a set of files, whose names begin with prefix, from one generation to the next for ever, and now and then
// renames one of them.
func Churn(dir, prefix string) error {
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		return err
	}
	defer d.Close()
next:
	for gen := 0; ; gen++ {
		var changes []atomicedit.Change
		for i := range 4 {
			name := fmt.Sprintf("%s%d", prefix, i)
			f, err := d.Read(context.Background(), name)
			if errors.Is(err, atomicedit.ErrUnfinished) { // another process died since the last commit
				if err := d.Recover(context.Background()); err != nil {
					return err
				}
				continue next
			}
			if err != nil {
				return err
			}
			changes = append(changes, atomicedit.Change{Path: name, Before: f,
				After: &atomicedit.File{Data: fmt.Append(nil, os.Getpid(), " ", gen)}})
		}
		name := fmt.Sprintf("%snew/%d", prefix, gen%2)
		if f, err := d.Read(context.Background(), name); err == nil {
			changes = append(changes, atomicedit.Change{Path: name, Before: f})
		} else {
			changes = append(changes, atomicedit.Change{Path: name, After: &atomicedit.File{Data: []byte("x")}})
		}
		err := d.Commit(context.Background(), changes)
		if err != nil && !errors.Is(err, atomicedit.ErrStale) && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// Kill lets cmd work for a while, and kills it.
func Kill(t *testing.T, cmd *exec.Cmd, after time.Duration) {
	t.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	cmd.Process.Kill()
	disktest.Tally("processes killed", 1)
	err := cmd.Wait()
	if !WasKilled(err) {
		t.Errorf("ended on its own: %v %s", err, out.String())
	}
}

// JointChanges changes files of two roots in all ways, with a move in each direction.
func JointChanges(two string) []atomicedit.Change {
	file := func(text string) *atomicedit.File { return &atomicedit.File{Data: []byte(text), Mode: 0o644} }
	return []atomicedit.Change{
		{Path: "a", Before: file("A"), After: file("1")},
		{Path: two + "/b", Before: file("B"), After: file("2")},
		{Path: two + "/new/c", From: "c", After: file("C")},
		{Path: "c", Before: file("C")},
		{Path: "d", From: two + "/d", Before: file("there"), After: file("D2")},
		{Path: two + "/d", Before: file("D")},
	}
}

// RootsKilledAt commits to two roots, and is killed before the k-th operation in one of them, if there are so many.
func RootsKilledAt(in string, k int, names ...string) error {
	open := func(name string) (disk.Disk, func(), error) {
		root, err := disk.OpenRoot(name)
		if err != nil {
			return nil, nil, err
		}
		pinned, release := root.Pin()
		if name == in {
			pinned = disktest.NewCall(pinned, k, func() {
				self, _ := os.FindProcess(os.Getpid())
				self.Kill()
				select {}
			})
		}
		return pinned, release, nil
	}
	return NewRootsOn(atomicedit.DirOptions{}, open, names...).Commit(context.Background(),
		JointChanges(names[1]))
}

func OpenRoots(t testing.TB, dirs ...string) *atomicedit.Dir {
	t.Helper()
	SkipWithoutDirs(t)
	return OpenRootsWith(t, &atomicedit.DirOptions{Durability: atomicedit.DurableNone}, dirs...)
}

func OpenRootsWith(t testing.TB, o *atomicedit.DirOptions, dirs ...string) *atomicedit.Dir {
	t.Helper()
	d, err := atomicedit.OpenDir(dirs[0], o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	for _, dir := range dirs[1:] {
		if err := d.Add(dir); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// RootsOn returns a Roots on directories of one disk.
func RootsOn(d disk.Disk, names ...string) *atomicedit.Dir {
	return RootsWith(atomicedit.DirOptions{}, d, names...)
}

func RootsWith(o atomicedit.DirOptions, d disk.Disk, names ...string) *atomicedit.Dir {
	queues := map[string]disk.Disk{}
	return NewRootsOn(o, func(name string) (disk.Disk, func(), error) {
		if queues[name] == nil {
			queues[name] = disktest.NewQueued(disktest.Below(d, strings.TrimPrefix(name, "/")))
		}
		return queues[name], func() {}, nil
	}, names...)
}

func OpenDir(t testing.TB, dir string) *atomicedit.Dir {
	t.Helper()
	SkipWithoutDirs(t)
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func OpenWith(t *testing.T, dir string, o atomicedit.DirOptions) *atomicedit.Dir {
	t.Helper()
	SkipWithoutDirs(t)
	d, err := atomicedit.OpenDir(dir, &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// TextOf draws a text of few different lines, in all sorts of endings and encodings.
func TextOf(t *rapid.T) string {
	line := rapid.SampledFrom([]string{"alpha()", "  beta", "\tbeta", "gamma(x)", "", "  ", "}", "return nil", "x“y”",
		"x\"y\"", "1 foo", "...", "# ...", "\xff\xfe", "über"})
	ending := rapid.SampledFrom([]string{"\n", "\n", "\n", "\r\n", "\r\n", "\r"})
	var b strings.Builder
	b.WriteString(rapid.SampledFrom([]string{"", "", "", "\xef\xbb\xbf"}).Draw(t, "mark"))
	for range rapid.IntRange(0, 12).Draw(t, "lines") {
		b.WriteString(line.Draw(t, "line") + ending.Draw(t, "ending"))
	}
	if rapid.Bool().Draw(t, "unterminated") {
		b.WriteString(line.Draw(t, "last"))
	}
	return b.String()
}

// EditOf draws an edit, whose old text is often a piece of src.
func EditOf(t *rapid.T, src string) atomicedit.Edit {
	var e atomicedit.Edit
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		e.Old = TextOf(t)
	case 1:
		e.First, e.Last = rapid.IntRange(1, 12).Draw(t, "first"), rapid.IntRange(0, 12).Draw(t, "last")
	case 2:
		line := rapid.IntRange(1, 6).Draw(t, "line")
		e = Ranged(line, rapid.IntRange(0, 3).Draw(t, "column"), rapid.IntRange(line, 7).Draw(t, "end line"),
			rapid.IntRange(0, 9).Draw(t, "end column"), TextOf(t))
		e.Range.Unit = rapid.SampledFrom([]string{"", "utf-8", "utf-16", "utf-32"}).Draw(t, "unit")
		return e
	default:
		from := rapid.IntRange(0, len(src)).Draw(t, "from")
		e.Old = src[from:rapid.IntRange(from, len(src)).Draw(t, "to")]
		if e.WholeLines = rapid.Bool().Draw(t, "whole"); e.WholeLines {
			all := strings.SplitAfter(src, "\n")
			from := rapid.IntRange(0, len(all)-1).Draw(t, "from line")
			e.Old = strings.Join(all[from:rapid.IntRange(from, len(all)).Draw(t, "to line")], "")
		}
	}
	e.New = TextOf(t)
	if rapid.Bool().Draw(t, "alike") {
		e.New = strings.Replace(e.Old, "a", "b", 1)
	}
	e.Count = rapid.SampledFrom([]int{0, 0, 0, atomicedit.All, 2}).Draw(t, "count")
	e.AtEnd = rapid.IntRange(0, 9).Draw(t, "at end") == 0
	e.Near = rapid.SampledFrom([]int{0, 0, 3}).Draw(t, "near")
	e.Anchors = rapid.SampledFrom([][]string{nil, nil, nil, {"alpha()"}}).Draw(t, "after")
	return e
}
