package dir_test

import (
	"bytes"
	"errors"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/atomicedit/atomicedit/internal/linediff/difftest"
	"github.com/google/go-cmp/cmp"
	"github.com/pmezard/go-difflib/difflib"
	"pgregory.net/rapid"
)

func TestDiffIsAcceptedByGitAndPatch(t *testing.T) {
	pairs := [][2]string{
		{"a\nb\nc\n", "a\nB\nc\n"}, {"a\nb", "a\nb\n"}, {"a\nb\n", "a\nb"}, {"a", "a\nb"}, {"a\r\nb\r\n", "a\r\nc\r\n"},
		{strings.Repeat("x\n", 50) + "y\n" + strings.Repeat("x\n", 50), strings.Repeat("x\n", 99) + "z\n"},
	}
	for _, argv := range diffTools {
		t.Run(argv[0], func(t *testing.T) {
			if _, err := exec.LookPath(argv[0]); err != nil {
				t.Skip(err)
			}
			for i, p := range pairs {
				for _, name := range []string{"f.txt", "a b.txt"} {
					old, new := &atomicedit.File{Data: []byte(p[0])}, &atomicedit.File{Data: []byte(p[1])}
					runTool(t, argv, atomicedit.Diff("a/"+name, old.Data, "b/"+name, new.Data), name, old, name, new)
					runTool(t, argv, gitDiff(t, name, name, old, new), name, old, name, new)
					runTool(t, argv, gitDiff(t, "", name, nil, new), "", nil, name, new)
					runTool(t, argv, gitDiff(t, name, "", old, nil), name, old, "", nil)
					runTool(t, argv, gitDiff(t, name, "moved", old, new), name, old, "moved", new)
				}
				if t.Failed() {
					t.Fatalf("pair %d", i)
				}
			}
			runTool(t, argv, gitDiff(t, "ä \"q\"", "tab\tä", &atomicedit.File{Data: []byte("a\n")},
				&atomicedit.File{Data: []byte("b\n")}),
				"ä \"q\"", &atomicedit.File{Data: []byte("a\n")}, "tab\tä", &atomicedit.File{Data: []byte("b\n")})
		})
	}
}

// A report's diff of many files at once, of every kind of change, makes git and patch do the same to the directory.
func TestReportDiffIsAcceptedByGitAndPatch(t *testing.T) {
	before := map[string]string{
		"edit.txt": "a\nb\nc\n", "crlf.txt": "a\r\nb\r\n", "end.txt": "a\nb", "dir/a b.txt": "a\n", "gone.txt": "a",
		"empty.txt":        "",
		"old \"name\".txt": "1\n2\n3\n4\n", "same.txt": "x\n", "größe.txt": "a\n", "tab\t\\.txt": "a\n", "void.txt": "",
	}
	edit := func(path, old, new string) atomicedit.Op {
		return atomicedit.Op{Path: path, Edits: []atomicedit.Edit{{Old: old, New: new}}}
	}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{
		edit("edit.txt", "b", "B"), edit("crlf.txt", "b", "B"), edit("end.txt", "b", "b\n"),
		edit("dir/a b.txt", "a", "A"),
		edit("größe.txt", "a", "ä"), edit("tab\t\\.txt", "a", "A"), {Kind: atomicedit.OpDelete, Path: "gone.txt"},
		{Kind: atomicedit.OpDelete, Path: "empty.txt"},
		{Kind: atomicedit.OpMove, Path: "old \"name\".txt", To: "dir/new\tname.txt",
			Edits: []atomicedit.Edit{{Old: "2", New: "two"}}},
		{Kind: atomicedit.OpMove, Path: "same.txt", To: "dir/same ä.txt"},
		{Kind: atomicedit.OpCreate, Path: "run", Content: "#!/bin/sh", Mode: 0o755},
		{Kind: atomicedit.OpCreate, Path: "new dir/nothing"},
		{Kind: atomicedit.OpCreate, Path: "new dir/\"q\"", Content: "q\r\n"},
		{Kind: atomicedit.OpCreate, Path: "void.txt", Content: "filled\n"},
	}}
	for _, argv := range diffTools {
		t.Run(argv[0], func(t *testing.T) {
			if _, err := exec.LookPath(argv[0]); err != nil {
				t.Skip(err)
			}
			dir := t.TempDir()
			for name, data := range before {
				if err := errors.Join(os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755),
					os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			m := atomicedit.NewMem(before)
			report, err := atomicedit.Run(t.Context(), m, plan, nil)
			if err != nil {
				t.Fatal(err)
			}
			runIn(t, argv, dir, report.Diff)
			got := map[string]string{}
			for path, err := range filesOf(dir) {
				data, err2 := os.ReadFile(filepath.Join(dir, path))
				if err := errors.Join(err, err2); err != nil {
					t.Fatal(err)
				}
				got[path] = string(data)
			}
			if d := cmp.Diff(m.Files(), got); d != "" {
				t.Errorf("%s\n%s", d, report.Diff)
			}
			if info, err := os.Stat(filepath.Join(dir, "run")); err != nil || info.Mode()&0o100 == 0 {
				t.Errorf("run cannot be executed: %v, %v", info, err)
			}
			runIn(t, argv, dir, gitDiff(t, "run", "run", &atomicedit.File{Data: []byte(got["run"]), Mode: 0o755},
				&atomicedit.File{Data: []byte("ls\n"), Mode: 0o644}))
			if info, err := os.Stat(filepath.Join(dir, "run")); err != nil || info.Mode()&0o111 != 0 {
				t.Errorf("run can still be executed: %v, %v", info, err)
			}
		})
	}
}

var diffTools = [][]string{{"git", "apply", "--whitespace=nowarn", "-"}, {"patch", "--binary", "-s", "-p1"}}

// filesOf lists the files in dir.
func filesOf(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if name, err2 := filepath.Rel(dir, path); (err != nil || !d.IsDir()) &&
				!yield(filepath.ToSlash(name), errors.Join(err, err2)) {
				return fs.SkipAll
			}
			return nil
		})
	}
}

// runIn lets a tool apply diff in dir, and reports whether it did.
func runIn(t *testing.T, argv []string, dir, diff string) bool {
	t.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(diff)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s\n%s", err, out, diff)
	}
	return err == nil
}

// runTool lets a tool apply diff in a directory that holds before, and compares with after.
func runTool(t *testing.T, argv []string, diff, from string, before *atomicedit.File, to string,
	after *atomicedit.File) {
	t.Helper()
	dir := t.TempDir()
	if before != nil {
		if err := os.WriteFile(filepath.Join(dir, from), before.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !runIn(t, argv, dir, diff) {
		return
	}
	if from != to && from != "" {
		if _, err := os.Lstat(filepath.Join(dir, from)); err == nil {
			t.Errorf("%s is still there\n%s", from, diff)
		}
	}
	if to != "" {
		if got, err := os.ReadFile(filepath.Join(dir, to)); err != nil || !bytes.Equal(got, after.Data) {
			t.Errorf("%v\n%s\ngot  %q\nwant %q", err, diff, got, after.Data)
		}
	}
}

func TestDiffCanBeAppliedAsARequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// A request takes its line endings from the text: here all are the same.
		old, new := strings.ReplaceAll(accepttest.LineText(t, "old"), "\r", ""),
			strings.ReplaceAll(accepttest.LineText(t, "new"), "\r", "")
		if strings.Contains(old, "\n") && rapid.Bool().Draw(t, "CRLF") {
			old, new = strings.ReplaceAll(old, "\n", "\r\n"), strings.ReplaceAll(new, "\n", "\r\n")
		}
		diff := atomicedit.Diff("a/x", []byte(old), "b/x", []byte(new))
		if diff == "" {
			return
		}
		p, err := atomicedit.ParseUnified(diff)
		if err != nil {
			t.Fatalf("%v\n%s", err, diff)
		}
		if res, err := p.Apply([]byte(old), nil); err != nil || string(res.Text) != new {
			t.Fatalf("%v\n%s\ngot  %+v\nwant %q", err, diff, res, new)
		}
	})
}

func TestDiffLeadsWhereDifflibDoes(t *testing.T) {
	split := func(s string) []string { return slices.Collect(strings.Lines(s)) }
	rapid.Check(t, func(t *rapid.T) {
		old, new := accepttest.LineText(t, "old"), accepttest.LineText(t, "new")
		if strings.HasSuffix(old, "\n") != strings.HasSuffix(new, "\n") || !strings.HasSuffix(old, "\n") {
			return // what has no newline, go-difflib does not mark
		}
		theirs, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{A: split(old), B: split(new), Context: 3})
		if err != nil {
			t.Fatal(err)
		}
		got, err := difftest.Patched(old, theirs)
		ours, err2 := difftest.Patched(old, atomicedit.Diff("x", []byte(old), "y", []byte(new)))
		if err != nil || err2 != nil || got != ours {
			t.Fatalf("%v, %v\nthey lead to %q\nwe to        %q", err, err2, got, ours)
		}
	})
}
