// Package accepttest has what the tests in its sibling packages share: texts, plans, stores, and checks. None of it is part of the library.
package accepttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/disk"
	"github.com/atomicedit/atomicedit/internal/disk/disktest"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// PlacingErrors has the errors with which placing refuses an edit.
var PlacingErrors = map[string]error{
	"ErrAmbiguous": atomicedit.ErrAmbiguous, "ErrApplied": atomicedit.ErrApplied, "ErrCount": atomicedit.ErrCount, "ErrNotFound": atomicedit.ErrNotFound,
	"ErrOverlap": atomicedit.ErrOverlap, "ErrPlaceholder": atomicedit.ErrPlaceholder, "ErrStale": atomicedit.ErrStale, "fs.ErrInvalid": fs.ErrInvalid,
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
	root, close, err := disk.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer close()
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
		root, _, err := disk.OpenRoot(name)
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
			queues[name] = disktest.NewQueued(disktest.Below{Disk: d, Dir: strings.TrimPrefix(name, "/")})
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
	line := rapid.SampledFrom([]string{"alpha()", "  beta", "\tbeta", "gamma(x)", "", "  ", "}", "return nil", "x“y”", "x\"y\"", "1 foo", "...", "# ...", "\xff\xfe", "über"})
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
		e = Ranged(line, rapid.IntRange(0, 3).Draw(t, "column"), rapid.IntRange(line, 7).Draw(t, "end line"), rapid.IntRange(0, 9).Draw(t, "end column"), TextOf(t))
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

// LineText draws texts in which lines repeat, some with CRLF, some without a final newline.
func LineText(t *rapid.T, name string) string {
	line := rapid.SampledFrom([]string{"\n", "}\n", "a\n", "b\n", "b\r\n", "c\n", "d\n", "e f\n", "g\n", "h\n"})
	s := strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, name), "")
	if rapid.Bool().Draw(t, name+" unterminated") {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

// Lines for generated edits: with markers of up to seven characters, fences, hints and blank lines.
var ContentLine = rapid.SampledFrom([]string{
	"", "a", "\tb := 1", "  c", "=======", "<<<<<<< SEARCH", ">>>>>>> REPLACE", "```go", "+ d", "- e", "@@", "*** End Patch", "--- x", "é", "d \\",
})

func DrawLines(t *rapid.T, label string, least int) string {
	return strings.Join(rapid.SliceOfN(ContentLine, least, 6).Draw(t, label), "\n") + "\n"
}

// DrawHunk draws lines of a hunk, of which one is a change.
func DrawHunk(t *rapid.T) string {
	var b strings.Builder
	for range rapid.IntRange(0, 5).Draw(t, "lines") {
		b.WriteString(rapid.SampledFrom([]string{" ", "-", "+"}).Draw(t, "prefix") + ContentLine.Draw(t, "line") + "\n")
	}
	return b.String() + "-" + ContentLine.Draw(t, "removed") + "\n"
}

// CheckResult checks the invariants of a Result: its matches are sorted, do not overlap, lead from src to the text, and
// their lines are numbered right.
func CheckResult(t interface {
	Helper()
	Errorf(string, ...any)
}, src []byte, res *atomicedit.Result) {
	t.Helper()
	var rebuilt []byte
	at := 0
	for i, m := range res.Matches {
		if m.Old.Start < at || m.Old.End < m.Old.Start || m.Old.End > len(src) || m.New.End > len(res.Text) || m.New.End < m.New.Start {
			t.Errorf("match %d is out of order: %+v", i, m)
			return
		}
		rebuilt = append(rebuilt, src[at:m.Old.Start]...)
		if len(rebuilt) != m.New.Start {
			t.Errorf("match %d: new text starts at %d, not %d", i, m.New.Start, len(rebuilt))
			return
		}
		rebuilt = append(rebuilt, res.Text[m.New.Start:m.New.End]...)
		at = m.Old.End
		if bytes.Equal(src[m.Old.Start:m.Old.End], res.Text[m.New.Start:m.New.End]) {
			t.Errorf("match %d changes nothing: %+v", i, m)
		}
		if !text.EncodingOf(src).IsUTF16() && text.New(src).EOL == '\n' && text.New(res.Text).EOL == '\n' {
			for _, s := range []struct {
				atomicedit.Span
				data []byte
			}{{m.Old, src}, {m.New, res.Text}} {
				piece := s.data[s.Start:s.End]
				lines := bytes.Count(piece, []byte("\n"))
				if len(piece) > 0 && piece[len(piece)-1] != '\n' {
					lines++
				}
				if want := 1 + bytes.Count(s.data[:s.Start], []byte("\n")); s.Line != want || s.Lines != lines {
					t.Errorf("match %d: lines %d+%d, want %d+%d", i, s.Line, s.Lines, want, lines)
				}
			}
		}
	}
	if rebuilt = append(rebuilt, src[at:]...); !bytes.Equal(rebuilt, res.Text) {
		t.Errorf("the matches lead to %q, the text is %q", rebuilt, res.Text)
	}
}

// Write calls begin, and then commits to a file of its own in dir, again and again until it is over. It calls took
// after each commit.
func Write(dir, name string, begin, took func(), over <-chan struct{}) error {
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		return err
	}
	defer d.Close()
	begin()
	for i := 0; ; i++ {
		select {
		case <-over:
			return nil
		default:
		}
		f, err := d.Read(context.Background(), name)
		if err != nil {
			return err
		}
		change := atomicedit.Change{Path: name, Before: f, After: &atomicedit.File{Data: fmt.Append(nil, i)}}
		if err := d.Commit(context.Background(), []atomicedit.Change{change}); err != nil {
			return err
		}
		took()
	}
}

// WriteAlone is write in a process of its own. It prints a line when it is ready and after each commit, begins at the
// first byte of standard input, and ends with it.
func WriteAlone(args []string) error {
	over := make(chan struct{})
	begin := func() {
		fmt.Println("ready")
		_, _ = os.Stdin.Read(make([]byte, 1))
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			close(over)
		}()
	}
	return Write(args[0], args[1], begin, func() { fmt.Println("committed") }, over)
}

// AnchorOf returns the anchor that GitHub gives a heading.
func AnchorOf(heading string) string {
	return strings.ReplaceAll(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == ' ' || r == '-' || r == '_' {
			return unicode.ToLower(r)
		}
		return -1
	}, heading), " ", "-")
}

// CheckGenerated compares a file with what it should hold, or writes it with -update.
func CheckGenerated(t *testing.T, name, text string) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	is, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(text, "\n"), strings.Split(string(is), "\n")); diff != "" {
		t.Errorf("%s is out of date: go test -run %s . -update writes it anew (-want +is):\n%s", name, t.Name(), diff)
	}
}

// Tidy is a formatter: it takes spaces off the ends of lines, and gives each "{" and "}" a line of its own.
func Tidy(_ context.Context, _ string, text []byte) ([]byte, error) {
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		for piece := range strings.SplitSeq(strings.NewReplacer("{", "{\n", "}", "\n}").Replace(strings.TrimSuffix(line, "\n")), "\n") {
			b.WriteString(strings.TrimRight(piece, " ") + "\n")
		}
	}
	return []byte(b.String()), nil
}

// GoFormat formats Go as gofmt does. It fails if a text does not parse as a whole file, with a package clause.
func GoFormat(_ context.Context, path string, text []byte) ([]byte, error) {
	if !strings.HasSuffix(path, ".go") || len(bytes.TrimSpace(text)) == 0 {
		return text, nil
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly); err != nil {
		return nil, err // format.Source would take it for a part of a file
	}
	return format.Source(text)
}

// CheckParsed checks the promises of every parser. A plan in JSON is read to the letter, so it may say anything.
func CheckParsed(t *testing.T, request string, p atomicedit.Plan, err error) {
	t.Helper()
	isPlan := strings.Contains(request, `"ops"`) && strings.Contains(request, `"kind"`)
	var r *atomicedit.Refusal
	switch {
	case err == nil && len(p.Ops) == 0:
		t.Fatal("neither a plan nor a refusal")
	case err == nil && !isPlan:
		CheckPlan(t, p)
		return
	case err == nil:
		CheckMarshalled(t, p)
		return
	case !errors.As(err, &r) || len(r.Problems) == 0:
		t.Fatalf("an error that is no refusal: %v", err)
	case len(p.Ops) > 0:
		t.Fatalf("a plan beside a refusal: %+v", p)
	case len(r.Partial.Ops) > 0 && !errors.Is(err, io.ErrUnexpectedEOF):
		t.Fatalf("a partial plan of a request that was not cut off: %v", err)
	}
	if !isPlan {
		CheckPlan(t, r.Partial)
	}
	last := strings.Count(request, "\n") + 1
	for _, p := range r.Problems {
		if p.Line < 0 || p.Line > last && !strings.Contains(request, `\n`) || p.Msg == "" || p.Code == "" || p.Code == "other" {
			t.Fatalf("a problem without place or words: %+v in %d lines", p, last)
		}
	}
}

// CheckPlan checks the promises about every plan: whole lines end in a newline, every edit has a meaning, no fields contradict
// each other, and the plan survives JSON.
func CheckPlan(t *testing.T, p atomicedit.Plan) {
	t.Helper()
	CheckMarshalled(t, p)
	for _, op := range p.Ops {
		meant := atomicedit.Op{Kind: op.Kind, Path: op.Path, Edits: op.Edits, Version: op.Version}
		switch op.Kind {
		case atomicedit.OpCreate:
			meant.Content, meant.Mode, meant.Overwrite, meant.Exclusive = op.Content, op.Mode.Perm(), op.Overwrite, op.Exclusive
		case atomicedit.OpMove:
			meant.To, meant.Overwrite, meant.Exclusive = op.To, op.Overwrite, op.Exclusive
		}
		if op.Kind != atomicedit.OpMove {
			meant.OtherPath = op.OtherPath
		}
		if !cmp.Equal(meant, op) {
			t.Fatalf("fields that mean nothing: %+v", op)
		}
		if len(op.Edits) == 0 && op.Kind == atomicedit.OpEdit || op.Kind == atomicedit.OpMove && op.To == "" {
			t.Fatalf("an operation that does nothing: %+v", op)
		}
		for _, e := range op.Edits {
			// A tag of an unknown kind is refused together with the line that it should fit, which only the file has.
			if msg := misfit(t, e); msg != "" && !strings.Contains(msg, "of an unknown kind") {
				t.Fatalf("%s: %+v", msg, e)
			}
			kept := strings.Count(e.Hunk, " ") + strings.Count(e.Hunk, "?")
			whole := func(s string) bool { return !e.WholeLines || s == "" || strings.HasSuffix(s, "\n") }
			switch {
			case !whole(e.Old) || !whole(e.New):
				t.Fatalf("a line without ending: %+v", e)
			case e.Old != "" && e.First > 0, e.Old == "" && e.First == 0 && e.Range == nil && !e.WholeLines, e.Last > 0 && e.Last < e.First:
				t.Fatalf("an edit of nothing: %+v", e)
			case e.Hunk != "" && strings.Count(e.Old, "\n") != kept+strings.Count(e.Hunk, "-"):
				t.Fatalf("a hunk that does not fit its lines: %+v", e)
			case e.Hunk != "" && strings.Count(e.New, "\n") != kept+strings.Count(e.Hunk, "+"):
				t.Fatalf("a hunk that does not fit its lines: %+v", e)
			}
		}
	}
}

func FuzzText(f *testing.F, parse func(string) (atomicedit.Plan, error), check func(*testing.T, atomicedit.Plan), seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
		f.Add(strings.ReplaceAll(s, "\n", "\r\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parse(text)
		CheckParsed(t, text, p, err)
		if err == nil && check != nil {
			check(t, p)
		}
	})
}

const (
	SeedBlocks = "f.go\n```go\n<<<<<<< SEARCH\n:start_line:3\n-------\na\n=======\nb\n>>>>>>> REPLACE\n```\n------- SEARCH\n=======\nc\n+++++++ REPLACE\n"
	SeedLong   = "<<<<<<<<< SEARCH line:4\n=======\n=========\n>>>>>>> REPLACE\n>>>>>>>>> REPLACE>\n<<<<< SEARCH\n=====\n"
	SeedPatch  = "*** Begin Patch\n*** Add File: f\n+a\n*** Update File: g\n*** Move to: h\n@@ x\n@@ -1,2 +3 @@\n a\n-b\n\n+c\n*** End of File\n*** Delete File: i\n*** End Patch\n"
	SeedOdd    = "***begin patch\n*** Environment ID: 1\n*** Update: f\n--- a/f\n+++ b/f\n@@x\n\ty\n-a\n+b\n@@\n*** Add File: g\nz\n+*** End Patch\n"
	SeedShell  = "cd 'my dir' && bash -lc \"apply_patch <<-EOF\n*** Begin Patch\n*** Delete File: f\n*** End Patch\nEOF\"\n"
	SeedBare   = "apply_patch <<'EOF'\n@@\n a\n-b\n+c\n\\ No newline at end of file\nEOF\n"
	SeedDiff   = "diff --git a/f b/g\nsimilarity index 90%\nrename from f\nrename to g\n--- a/f\n+++ b/g\n@@ -1,2 +1,2 @@ x\n a\n-b\n+c\n-- \n2.4\n" +
		"--- /dev/null\n+++ \"b/\\303\\251\"\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n"
	SeedLines = "```\n[f#1A2B]\nPUT 2-3:\n+a\n\n+b\nPUT >$:\n+c\nCUT 5.=6\n[g]\nINS.HEAD:\n+d\nMV h\n[i]\nREM\n```\n*** Begin Patch\n[j]\nPUT 2*:\n*** End Patch\n"
	SeedTags  = "<function_calls>\n<invoke name=\"Edit\">\n<parameter name=\"path\">f</parameter>\n<parameter name=\"edits\">[{\"oldText\": \"a\", \"newText\": \"b\"}]</parameter>\n" +
		"</invoke>\n</function_calls>\n<tool_call>\n{\"name\": \"write\", \"arguments\": {\"path\": \"f\", \"content\": \"\"}}\n</tool_call>\n<think>x</think>\n" +
		"<write_to_file>\n<path>f</path>\n<content>\n<p></content>\n</content>\n</write_to_file>"
	SeedCommands = "open f\nedit 3:4\nx\nend_of_edit\nedit 1:1\nend_of_edit\n"
	SeedGroups   = "<apply_diff><args><file><path>f</path><diff><content>\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n</content><start_line>3</start_line></diff></file></args></apply_diff>\n" +
		"<edits><old_text line=5>a</old_text><new_text>b</new_text><old_text>c</old_text></edits>\n<create_file path='g'>\nx\n</create_file><tool_call>edit\n<arg_key>path</arg_key>"
	SeedTrees = "diff -ruN old/f new/f\n--- old/f\t2024-01-01\n+++ new/f\n@@ -1 +1 @@\n-a\n+b\n--- old/g\t1970-01-01 00:00:00\n+++ new/g\n@@ -0,0 +1 @@\n+a\n"
	SeedPlain = "```diff\n--- f\t2024-01-01\n+++ f\n@@ ... @@\n--- a\n+++ b\n```\n"
)

// LineEdit returns an edit by line numbers.
func LineEdit(first, last int, text string) atomicedit.Edit {
	return atomicedit.Edit{First: first, Last: last, New: text, WholeLines: true}
}

const EditOne = `{"file_path": "f", "edits": [{"old_string": "one", "new_string": "1"}]}`

func Mode(t testing.TB, name string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// Sayable reports whether every string in v, a part of a plan, is valid UTF-8.
func Sayable(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return utf8.ValidString(v.String())
	case reflect.Pointer:
		return v.IsNil() || Sayable(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			if !Sayable(v.Index(i)) {
				return false
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !Sayable(v.Field(i)) {
				return false
			}
		}
	}
	return true
}

// CheckMarshalled checks that a plan survives JSON, or does not marshal because of what JSON cannot say.
func CheckMarshalled(t interface{ Fatalf(string, ...any) }, p atomicedit.Plan) {
	data, err := json.Marshal(p)
	if !Sayable(reflect.ValueOf(p)) {
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "not valid UTF-8") {
			t.Fatalf("%+v: got %s, error %v", p, data, err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	var back atomicedit.Plan
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	if !cmp.Equal(p, back) {
		t.Fatalf("through JSON (-before +after):\n%s\n%s", cmp.Diff(p, back), data)
	}
}

var Update = flag.Bool("update", false, "write the files that tests generate anew")

// OnStores runs a test on a Mem and on a Dir that have the same files, and on both behind a Session that has seen all of them.
func OnStores(t *testing.T, files map[string]string, test func(t *testing.T, s atomicedit.Store, now func() map[string]string)) {
	t.Helper()
	seen := func(t *testing.T, s atomicedit.Store) *atomicedit.Session {
		session := atomicedit.NewSession(s)
		for path := range files {
			if _, err := session.View(t.Context(), path, 0, 0); err != nil {
				t.Fatal(err)
			}
		}
		return session
	}
	onMem := func(t *testing.T) (*atomicedit.Mem, func() map[string]string) {
		m := atomicedit.NewMem(files)
		return m, m.Files
	}
	onDir := func(t *testing.T) (*atomicedit.Dir, func() map[string]string) {
		dir := Seed(t, files)
		return OpenDir(t, dir), func() map[string]string { return Found(t, dir) }
	}
	t.Run("Mem", func(t *testing.T) {
		m, now := onMem(t)
		test(t, m, now)
	})
	t.Run("Session on a Mem", func(t *testing.T) {
		m, now := onMem(t)
		test(t, seen(t, m), now)
	})
	t.Run("Dir", func(t *testing.T) {
		d, now := onDir(t)
		test(t, d, now)
	})
	t.Run("Session on a Dir", func(t *testing.T) {
		d, now := onDir(t)
		test(t, seen(t, d), now)
	})
}

func IndentedBy(indent, s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		if line != "\n" {
			line = indent + line
		}
		b.WriteString(line)
	}
	return b.String()
}

// Lines is an edit of whole lines.
func Lines(old, new string) atomicedit.Edit {
	return atomicedit.Edit{Old: old, New: new, WholeLines: true}
}

// Everywhere is an edit of all places of whole lines.
func Everywhere(old, new string) atomicedit.Edit {
	return atomicedit.Edit{Old: old, New: new, Count: atomicedit.All, WholeLines: true}
}

// Edits is an edit of strings: pairs of old and new text.
func Edits(path string, pairs ...string) atomicedit.Op {
	op := atomicedit.Op{Kind: atomicedit.OpEdit, Path: path}
	for i := 0; i < len(pairs); i += 2 {
		op.Edits = append(op.Edits, atomicedit.Edit{Old: pairs[i], New: pairs[i+1]})
	}
	return op
}

// Edit is an op of any edits of one file.
func Edit(path string, edits ...atomicedit.Edit) atomicedit.Op {
	return atomicedit.Op{Path: path, Edits: edits}
}

// Create makes a file.
func Create(path, text string) atomicedit.Op {
	return atomicedit.Op{Kind: atomicedit.OpCreate, Path: path, Content: text}
}

// Move moves a file, and edits strings in it.
func Move(from, to string, pairs ...string) atomicedit.Op {
	op := Edits(from, pairs...)
	op.Kind, op.To = atomicedit.OpMove, to
	return op
}

// Remove deletes a file.
func Remove(path string) atomicedit.Op { return atomicedit.Op{Kind: atomicedit.OpDelete, Path: path} }

// Over lets an op replace a file that is there.
func Over(op atomicedit.Op) atomicedit.Op {
	op.Overwrite = true
	return op
}

// OneEdit is a plan of edits of one file.
func OneEdit(path string, edits ...atomicedit.Edit) atomicedit.Plan {
	return atomicedit.Plan{Ops: []atomicedit.Op{{Path: path, Edits: edits}}}
}

// A Printed format has the printer of a plan, and the parser that reads the outcome.
type Printed struct {
	Print func(atomicedit.Plan) (string, error)
	Read  func(string) (atomicedit.Plan, error)
}

func Printers() map[string]Printed {
	return map[string]Printed{
		"v4a":     {atomicedit.Plan.V4A, atomicedit.ParseV4A},
		"blocks":  {atomicedit.Plan.Blocks, atomicedit.ParseBlocks},
		"unified": {atomicedit.Plan.Unified, atomicedit.ParseUnified},
	}
}

// CheckPrinted prints p and reads it back, by its own parser and by Parse.
func CheckPrinted(t interface{ Fatalf(string, ...any) }, f Printed, p atomicedit.Plan) {
	text, err := f.Print(p)
	if err != nil {
		t.Fatalf("not printed: %v\n%+v", err, p)
	}
	for _, read := range []func(string) (atomicedit.Plan, error){f.Read, atomicedit.Parse} {
		got, err := read(text)
		if err != nil {
			t.Fatalf("printed, but not read: %v\n%s", err, text)
		}
		if diff := cmp.Diff(p, WithoutNewHunks(t, p, got), cmpopts.EquateEmpty(), ButWords); diff != "" {
			t.Fatalf("printed and read (-before +after):\n%s\n%s", diff, text)
		}
	}
}

// WithoutNewHunks returns read, which was printed from p, without the hunks of edits that have none in p: a patch pairs the
// lines of every edit.
func WithoutNewHunks(t interface{ Fatalf(string, ...any) }, p, read atomicedit.Plan) atomicedit.Plan {
	for i, op := range read.Ops {
		for k, e := range op.Edits {
			if i >= len(p.Ops) || k >= len(p.Ops[i].Edits) || p.Ops[i].Edits[k].Hunk != "" || e.Hunk == "" {
				continue
			}
			kept := strings.Count(e.Hunk, " ")
			if strings.Count(e.Hunk, "-")+kept != strings.Count(e.Old, "\n") || strings.Count(e.Hunk, "+")+kept != strings.Count(e.New, "\n") {
				t.Fatalf("the hunk %q does not fit %q and %q", e.Hunk, e.Old, e.New)
			}
			read.Ops[i].Edits[k].Hunk = ""
		}
	}
	return read
}

// Allocated returns how many allocations a call makes, and of how many bytes.
func Allocated(f func()) (allocs, size float64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs - before.Mallocs), float64(after.TotalAlloc - before.TotalAlloc)
}

// Ranged returns an edit of the piece from one line and column to another.
func Ranged(line, column, endLine, endColumn int, new string) atomicedit.Edit {
	return atomicedit.Edit{New: new, Range: &atomicedit.Range{
		Start: atomicedit.Position{Line: line, Column: column}, End: atomicedit.Position{Line: endLine, Column: endColumn},
	}}
}

// Counted returns e with columns in a unit.
func Counted(unit string, e atomicedit.Edit) atomicedit.Edit {
	e.Range.Unit = unit
	return e
}

// ButWords leaves out what a plan has for the sake of messages; words_test.go tests it.
var ButWords = cmp.Options{
	cmpopts.IgnoreFields(atomicedit.Plan{}, "Format"), cmpopts.IgnoreFields(atomicedit.Edit{}, "Number"),
}

// Must returns a plan that was read without an error.
func Must[T any](p T, err error) T {
	if err != nil {
		panic(err)
	}
	return p
}

// Under returns a name below a directory as a request and a report have it.
func Under(dir, name string) string { return filepath.ToSlash(dir) + "/" + name }

// A SessionState is the JSON of a session.
type SessionState struct {
	Files []SeenFile        `json:"files,omitempty"`
	Names map[string]string `json:"names,omitempty"`
}

type SeenFile struct {
	Path    string             `json:"path"`
	Version atomicedit.Version `json:"version"`
	All     bool               `json:"all,omitempty"`
	Lines   [][2]int           `json:"lines,omitempty"`
	Shifted bool               `json:"shifted,omitempty"`
}

// Restore makes a session know what its JSON says.
func Restore(t interface{ Fatal(...any) }, s *atomicedit.Session, st SessionState) {
	data, err := json.Marshal(st)
	if err == nil {
		err = json.Unmarshal(data, s)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A Wrapper hides nothing of a store.
type Wrapper struct{ atomicedit.Store }

func (w Wrapper) Unwrap() atomicedit.Store { return w.Store }

// SeenAll returns a session of s that has seen files.
func SeenAll(t *testing.T, s atomicedit.Store, paths ...string) *atomicedit.Session {
	t.Helper()
	session := atomicedit.NewSession(s)
	for _, path := range paths {
		if _, err := session.View(t.Context(), path, 0, 0); err != nil {
			t.Fatal(err)
		}
	}
	return session
}

func Tagged(e atomicedit.Edit, tags ...atomicedit.Tag) atomicedit.Edit {
	e.Tags = tags
	return e
}

// A Section is a part of an archive: a title between "-- " and " --" on a line of its own, and the lines below it.
type Section struct{ Title, Text string }

// ReadArchives returns the sections of all archives whose names match a pattern, in the order of the names. The format is that of
// golang.org/x/tools/txtar: the lines above the first section are a comment. A section whose title begins with one of heads has a
// blank line above it, which does not belong to the section before.
func ReadArchives(t *testing.T, pattern string, heads ...string) (all []Section) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v, %d archives", pattern, err, len(names))
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		first := len(all)
		for line := range strings.Lines(string(data)) {
			title, begins := strings.CutPrefix(line, "-- ")
			title, ends := strings.CutSuffix(title, " --\n")
			isHead := func(head string) bool { return strings.HasPrefix(title, head) }
			switch {
			case begins && ends:
				if len(all) > first && slices.ContainsFunc(heads, isHead) {
					all[len(all)-1].Text = strings.TrimSuffix(all[len(all)-1].Text, "\n")
				}
				all = append(all, Section{Title: title})
			case len(all) > first:
				all[len(all)-1].Text += line
			}
		}
	}
	return all
}

// A Sign is whatever stands between angle brackets.
var Sign = regexp.MustCompile(`⟨([^⟨⟩]+)⟩`)

// Written returns the text that a section stands for. Angle brackets hold whatever a reader could not see, or would not want to:
//
//	⟨SP⟩ ⟨TAB⟩ ⟨CR⟩ ⟨NUL⟩ ⟨NBSP⟩ ⟨BOM⟩    a character by its name
//	⟨U+0301⟩ ⟨xFF⟩                        a code point, a byte
//	⟨x×300⟩ ⟨line¶×300⟩                   300 times "x", 300 times "line\n"
//	⟨end⟩                                 at the end of the last line: it lacks its newline
func Written(text string) string {
	text = Sign.ReplaceAllStringFunc(text, func(s string) string {
		s = strings.Trim(s, "⟨⟩")
		if unit, times, ok := strings.Cut(s, "×"); ok {
			n, _ := strconv.Atoi(times)
			return strings.Repeat(strings.ReplaceAll(unit, "¶", "\n"), n)
		}
		if code, ok := strings.CutPrefix(s, "U+"); ok {
			n, _ := strconv.ParseUint(code, 16, 32)
			return string(rune(n))
		}
		if code, ok := strings.CutPrefix(s, "x"); ok {
			n, _ := strconv.ParseUint(code, 16, 8)
			return string([]byte{byte(n)})
		}
		return map[string]string{"SP": " ", "TAB": "\t", "CR": "\r", "NUL": "\x00", "NBSP": "\u00a0", "BOM": "\ufeff", "end": "⟨end⟩"}[s]
	})
	return strings.TrimSuffix(text, "⟨end⟩\n")
}

// misfit returns a message about fields of e that do not go together, "" if all of them do.
func misfit(t *testing.T, e atomicedit.Edit) string {
	t.Helper()
	var in plan.Edit
	data, err := json.Marshal(e)
	if err == nil {
		err = json.Unmarshal(data, &in)
	}
	if err != nil {
		t.Fatal(err)
	}
	return in.Misfit(plan.WordsOf(""))
}
