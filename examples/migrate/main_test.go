package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
)

// A fixture is an agent at work on a directory, and a record of what its user was asked.
type fixture struct {
	*agent
	t       *testing.T
	dir     string
	asked   []string
	before  []string // the whole texts that the user was shown
	after   []string
	denies  error
	instead string // of the text that is proposed
}

// newFixture returns an agent on a directory with files. Agents with the same database go on with one conversation.
func newFixture(t *testing.T, dir, db string, files map[string]string) *fixture {
	t.Helper()
	f := &fixture{t: t, dir: dir}
	for name, text := range files {
		f.write(name, text)
	}
	a, err := newAgent(t.Context(), dir, db, "1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(a.db.Close(), a.roots.Close()); err != nil {
			t.Error(err)
		}
	})
	a.permit = func(ctx context.Context, what string, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
		f.asked = append(f.asked, what)
		if tr != nil {
			for _, c := range tr.Changes() {
				f.before, f.after = append(f.before, text(c.Before)), append(f.after, text(c.After))
			}
		}
		if f.instead != "" {
			return tr.With(ctx, tr.Changes()[0].Path, []byte(f.instead))
		}
		return tr, f.denies
	}
	f.agent = a
	return f
}

func text(f *atomicedit.File) string {
	if f == nil {
		return "no file"
	}
	return string(f.Data)
}

func (f *fixture) write(name, text string) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

// has checks the text of a file.
func (f *fixture) has(name, want string) {
	f.t.Helper()
	got, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil || string(got) != want {
		f.t.Errorf("%s: %q, %v, want %q", name, got, err, want)
	}
}

// does makes a call, and checks that it succeeds and that its text contains says.
func (f *fixture) does(tool, args, says string) result {
	f.t.Helper()
	return f.try(tool, args, says, false)
}

// fails makes a call, and checks that it fails and that its text contains says.
func (f *fixture) fails(tool, args, says string) result {
	f.t.Helper()
	return f.try(tool, args, says, true)
}

func (f *fixture) try(tool, args, says string, isError bool) result {
	f.t.Helper()
	r := f.call(f.t.Context(), tool, []byte(args))
	if r.IsError != isError || !strings.Contains(r.Text, says) {
		f.t.Errorf("%s %s: error %t, want %t, with %q:\n%s", tool, args, r.IsError, isError, says, r.Text)
	}
	return r
}

// rows returns the first column of a query.
func (f *fixture) rows(query string, args ...any) (values []string) {
	f.t.Helper()
	rows, err := f.db.QueryContext(f.t.Context(), query, args...)
	if err != nil {
		f.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			f.t.Fatal(err)
		}
		values = append(values, v)
	}
	return values
}

func TestAFileIsReadBeforeItIsChanged(t *testing.T) {
	f := newFixture(t, t.TempDir(), ":memory:", map[string]string{"a.txt": "one\ntwo\n"})
	const edit = `{"file_path": "a.txt", "old_string": "one", "new_string": "1"}`
	f.fails("edit", edit, "view with its file_path")
	f.does("view", `{"file_path": "a.txt"}`, "     1\tone\n")
	r := f.does("edit", edit, "     1\t1\n")
	f.has("a.txt", "1\ntwo\n")
	if file := r.Report.Files[0]; file.Added != 1 || file.Removed != 1 ||
		!strings.Contains(r.Report.Diff, "-one\n+1\n") {
		t.Errorf("report: %+v", r.Report)
	}
	if diff := cmp.Diff([]string{"one\ntwo\n"}, f.before) + cmp.Diff([]string{"1\ntwo\n"}, f.after); diff != "" {
		t.Error(diff)
	}
	f.write("a.txt", "1\nzwei\n")
	f.fails("edit", `{"file_path": "a.txt", "old_string": "zwei", "new_string": "2"}`, "has changed")
}

func TestWriteCreatesAndOverwrites(t *testing.T) {
	f := newFixture(t, t.TempDir(), ":memory:", nil)
	f.does("write", `{"file_path": "d/a.txt", "content": "one\n"}`, "")
	f.does("write", `{"file_path": "d/a.txt", "content": "two\n"}`, "")
	f.has("d/a.txt", "two\n")
	f.fails("edit", `{"file_path": "d/a.txt", "content": "three\n"}`, "does not say what lines of the file it replaces")
	f.does("edit", `{"file_path": "b.txt", "old_string": "", "new_string": "new\n"}`, "")
	f.has("b.txt", "new\n")
}

func TestADeniedChangeChangesNothing(t *testing.T) {
	f := newFixture(t, t.TempDir(), ":memory:", nil)
	f.denies = errors.New("not on a Sunday")
	r := f.fails("write", `{"file_path": "a.txt", "content": "one\n"}`, "not on a Sunday")
	if _, err := os.Stat(filepath.Join(f.dir, "a.txt")); !errors.Is(err, os.ErrNotExist) ||
		r.Report.Files[0].Added != 1 {
		t.Error(err, r.Report)
	}
}

func TestAUserMayEditTheProposal(t *testing.T) {
	f := newFixture(t, t.TempDir(), ":memory:", map[string]string{"a.txt": "one\ntwo\n"})
	f.does("view", `{"file_path": "a.txt"}`, "")
	f.instead = "one\nzwei\n"
	f.does("edit", `{"file_path": "a.txt", "old_string": "two", "new_string": "2"}`,
		"the user has changed the proposal")
	f.has("a.txt", "one\nzwei\n")
}

func TestAMultieditLeavesOutWhatDoesNotFit(t *testing.T) {
	f := newFixture(t, t.TempDir(), ":memory:", map[string]string{"a.txt": "one\ntwo\nthree\n"})
	f.does("view", `{"file_path": "a.txt"}`, "")
	r := f.does("multiedit", `{"file_path": "a.txt", "edits": [{"old_string": "one", "new_string": "1"},
		{"old_string": "vier", "new_string": "4"}, {"old_string": "three", "new_string": "3"}]}`, "left out: a.txt: edit 2")
	f.has("a.txt", "1\ntwo\n3\n")
	if len(r.LeftOut) != 1 || r.LeftOut[0].Edit != 1 || !strings.Contains(f.asked[0], "left out: a.txt: edit 2") {
		t.Errorf("left out %+v, asked %q", r.LeftOut, f.asked)
	}
	r = f.fails("multiedit", `{"file_path": "a.txt", "edits": [{"old_string": "vier", "new_string": "4"}, {"old_string": "x", "new_string": "y"}]}`, "2 problems")
	if len(r.LeftOut) != 2 || len(f.asked) != 1 {
		t.Errorf("left out %+v, asked %q", r.LeftOut, f.asked)
	}
}

func TestAFileOutsideNeedsPermission(t *testing.T) {
	f := newFixture(t, t.TempDir(), ":memory:", nil)
	other, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	other = filepath.ToSlash(other)
	if err := os.WriteFile(filepath.Join(other, "a.txt"), []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f.denies = errors.New("no")
	f.fails("view", `{"file_path": "`+other+`/a.txt"}`, "outside")
	f.denies = nil
	f.does("view", `{"file_path": "`+other+`/a.txt"}`, "one")
	f.does("edit", `{"file_path": "`+other+`/a.txt", "old_string": "one", "new_string": "1"}`, "")
	f.does("write", `{"file_path": "`+other+`/b.txt", "content": "two"}`, "")
	if len(f.asked) != 4 || f.asked[1] != "view outside, in "+filepath.Dir(other+"/a.txt") {
		t.Errorf("asked: %q", f.asked)
	}
	f.fails("view", `{"file_path": "../a.txt"}`, "outside")
}

func TestPermissionIsAskedForTheDirectoryThatALinkLeadsTo(t *testing.T) {
	f := newFixture(t, t.TempDir(), ":memory:", nil)
	other, err := filepath.EvalSymlinks(t.TempDir())
	link := filepath.Join(f.dir, "docs")
	if err == nil {
		err = os.WriteFile(filepath.Join(other, "a.txt"), []byte("one\n"), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, link); err != nil {
		t.Skip(err)
	}
	f.does("view", `{"file_path": "`+filepath.ToSlash(link)+`/a.txt"}`, "one")
	if diff := cmp.Diff([]string{"view outside, in " + other}, f.asked); diff != "" {
		t.Error(diff)
	}
}

func TestAConversationGoesOnInAnotherProcess(t *testing.T) {
	dir, db := t.TempDir(), filepath.Join(t.TempDir(), "agent.db")
	f := newFixture(t, dir, db, map[string]string{"a.txt": "one\ntwo\n3\n4\n5\n6\n", "b.txt": "b\n"})
	f.does("view", `{"file_path": "a.txt", "first": 1, "last": 2}`, "")
	f.does("view", `{"file_path": "b.txt"}`, "")
	f = newFixture(t, dir, db, nil)
	f.does("edit", `{"file_path": "a.txt", "old_string": "two", "new_string": "2"}`, "")
	f.fails("write", `{"file_path": "a.txt", "content": "all new\n"}`, "read")
	f.does("write", `{"file_path": "b.txt", "content": "all new\n"}`, "")
}

func TestTheTimeOfAReadChangesWithEveryRead(t *testing.T) {
	f := newFixture(t, t.TempDir(), ":memory:", map[string]string{"a.txt": "one\n", "b.txt": "b\n"})
	f.does("view", `{"file_path": "a.txt"}`, "")
	f.does("view", `{"file_path": "b.txt"}`, "")
	f.rows(`UPDATE reads SET at = 'long ago'`)
	f.does("view", `{"file_path": "a.txt"}`, "")
	if got := f.rows(`SELECT path FROM reads WHERE at <> 'long ago'`); !cmp.Equal(got, []string{"a.txt"}) {
		t.Errorf("read again: %q", got)
	}
}

func TestEveryVersionIsKept(t *testing.T) {
	f := newFixture(t, t.TempDir(), ":memory:", map[string]string{"a.txt": "one\n"})
	f.does("view", `{"file_path": "a.txt"}`, "")
	f.does("edit", `{"file_path": "a.txt", "old_string": "one", "new_string": "two"}`, "")
	f.does("edit", `{"file_path": "a.txt", "old_string": "two", "new_string": "three"}`, "")
	f.write("a.txt", "by hand\n")
	f.does("view", `{"file_path": "a.txt"}`, "")
	f.does("edit", `{"file_path": "a.txt", "old_string": "by hand", "new_string": ""}`, "")
	want := []string{"one\n", "two\n", "three\n", "by hand\n", ""}
	if diff := cmp.Diff(want, f.rows(`SELECT content FROM versions WHERE path = 'a.txt' ORDER BY id`)); diff != "" {
		t.Error(diff)
	}
}

func TestDiagnosticsFollowTheChange(t *testing.T) {
	f := newFixture(t, t.TempDir(), ":memory:", nil)
	f.linter = "gofmt"
	f.does("write", `{"file_path": "a.go", "content": "package a\n\nvar x =\n"}`,
		"diagnostics of a.go:\na.go:3:9: expected")
	if r := f.does("write", `{"file_path": "a.go", "content": "package a\n"}`, ""); strings.Contains(r.Text,
		"diagnostics") {
		t.Error(r.Text)
	}
}

func TestCallsFromAPipe(t *testing.T) {
	f := newFixture(t, t.TempDir(), ":memory:", map[string]string{"a": "1\n"})
	var out bytes.Buffer
	in := `{"tool": "view", "args": {"file_path": "a"}}` + "\n\n" + `{"tool": "nothing"}`
	if err := f.serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.Contains(got, `"is_error":false`) ||
		!strings.Contains(got, "there is no tool nothing") {
		t.Error(got)
	}
}

// The README promises that this takes little code.
func TestUnder200Lines(t *testing.T) {
	lines := 0
	for _, name := range []string{"main.go", "agent.go"} {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines += len(regexp.MustCompile(`(?m)^\s*[^\s/]`).FindAll(src, -1))
	}
	if lines >= 200 {
		t.Errorf("there are %d lines without blanks and comments", lines)
	}
}
