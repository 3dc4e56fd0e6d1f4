package formats_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// before is a chunk that inserts before a line.
func before(line int, text string) atomicedit.Edit {
	e := chunkOf(text)
	e.First = line
	return e
}

func TestParseUnified(t *testing.T) {
	const hunk = "@@ -3,2 +3,2 @@ func f()\n a\n-b\n+c\n"
	bare := near(3, " a\n-b\n+c\n")
	e := bare
	e.Section = "func f()"
	checkRead(t, atomicedit.ParseUnified, map[string]requested{
		"git": {"diff --git a/f.go b/f.go\nindex 1..2 100644\n--- a/f.go\n+++ b/f.go\n" + hunk,
			accepttest.OneEdit("f.go", e)},
		"plain": {"--- f.go\n+++ f.go\n" + hunk, accepttest.OneEdit("f.go", e)},
		"CRLF": {strings.ReplaceAll("--- a/f.go\n+++ b/f.go\n"+hunk, "\n", "\r\n"),
			accepttest.OneEdit("f.go", e)},
		"timestamps": {"--- f.go\t2024-01-01 10:00:00.0 +0100\n+++ f.go\t2024-01-02 10:00:00.0 +0100\n" +
			hunk, accepttest.OneEdit("f.go", e)},
		"a backup":            {"--- f.go.orig\n+++ f.go\n" + hunk, accepttest.OneEdit("f.go", e)},
		"a new name appended": {"--- f.go\n+++ f.go.new\n" + hunk, accepttest.OneEdit("f.go", e)},
		"other prefixes":      {"--- i/f.go\n+++ w/f.go\n" + hunk, accepttest.OneEdit("f.go", e)},
		"backslashes":         {"--- a\\src\\f.go\n+++ b\\src\\f.go\n" + hunk, accepttest.OneEdit("src\\f.go", e)},
		"no prefix to remove": {"--- a/f.go\n+++ a/f.go\n" + hunk, accepttest.OneEdit("a/f.go", e)},
		"spaces":              {"--- a/my dir/f.go\n+++ b/my dir/f.go\n" + hunk, accepttest.OneEdit("my dir/f.go", e)},
		"quotes": {"--- \"a/t\\303\\251.go\"\n+++ \"b/t\\303\\251.go\"\n" + hunk,
			accepttest.OneEdit("té.go", e)},
		"no file": {hunk, accepttest.OneEdit("", e)},
		"no numbers": {"--- f.go\n+++ f.go\n@@ ... @@\n a\n-b\n+c\n",
			accepttest.OneEdit("f.go", chunkOf(" a\n-b\n+c\n"))},
		"wrong counts":    {"--- f.go\n+++ f.go\n@@ -3,9 +3,1 @@\n a\n-b\n+c\n", accepttest.OneEdit("f.go", bare)},
		"missing context": {"--- f.go\n+++ f.go\n@@ -3,5 +3,5 @@\n a\n-b\n+c\n", accepttest.OneEdit("f.go", bare)},
		"a single line": {"--- f.go\n+++ f.go\n@@ -3 +3 @@\n-b\n+c\n",
			accepttest.OneEdit("f.go", near(3, "-b\n+c\n"))},
		"no context": {"--- f.go\n+++ f.go\n@@ -3,0 +4,2 @@\n+c\n+d\n@@ -9 +10,0 @@\n-e\n",
			accepttest.OneEdit("f.go", before(4, "+c\n+d\n"), near(9, "-e\n"))},
		"no context, at top": {"@@ -0,0 +1 @@\n+c\n@@ -9 +10,0 @@\n-e\n",
			accepttest.OneEdit("", before(1, "+c\n"), near(9, "-e\n"))},
		"git, at the top":    {"diff --git a/f b/f\nindex 7898192..de98044 100644\n--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+c\n", accepttest.OneEdit("f", before(1, "+c\n"))},
		"git, an empty file": {"diff --git a/f b/f\nindex e69de29..de98044 100644\n--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+c\n", accepttest.OneEdit("f", near(1, "+c\n"))},
		"into an empty file": {"@@ -0,0 +1 @@\n+c\n", accepttest.OneEdit("", near(1, "+c\n"))},
		"an insertion": {"--- f.go\n+++ f.go\n@@ -3,0 +4,1 @@\n+c\n" + hunk,
			accepttest.OneEdit("f.go", near(4, "+c\n"), e)},
		"a wrong count": {"--- f.go\n+++ f.go\n@@ -3,0 +4,1 @@\n+c\n+d\n",
			accepttest.OneEdit("f.go", near(4, "+c\n+d\n"))},
		"an old line counted": {"--- f.go\n+++ f.go\n@@ -3,1 +3,1 @@\n+c\n",
			accepttest.OneEdit("f.go", near(3, "+c\n"))},
		"an empty line": {"--- f.go\n+++ f.go\n@@ -3,3 +3,2 @@\n a\n\n-b\n",
			accepttest.OneEdit("f.go", near(3, " a\n \n-b\n"))},
		"a fence and text": {"So:\n```diff\n--- f.go\n+++ f.go\n@@ ... @@\n a\n-b\n+c\n```\n- done\n",
			accepttest.OneEdit("f.go", chunkOf(" a\n-b\n+c\n"))},
		"text behind": {"--- f.go\n+++ f.go\n" + hunk + "\nThat is all.\n", accepttest.OneEdit("f.go", e)},
		"a mail": {"Subject: x\n---\n f.go | 2 +-\n\n--- a/f.go\n+++ b/f.go\n" + hunk + "-- \n2.43.0\n",
			accepttest.OneEdit("f.go", e)},
		"no newline": {"--- f.go\n+++ f.go\n@@ -1 +1 @@\n-b\n\\ No newline at end of file\n+c\n",
			accepttest.OneEdit("f.go", near(1, "-b\n\\\n+c\n"))},
		"content like headers": {"--- f.go\n+++ f.go\n@@ -3,2 +3,2 @@\n a\n--- b\n+++ c\n@@ -9 +9 @@\n-d\n+e\n",
			accepttest.OneEdit("f.go", near(3, " a\n--- b\n+++ c\n"), near(9, "-d\n+e\n"))},
		"hunks in any order": {"--- f.go\n+++ f.go\n@@ -9 +9 @@\n-d\n+e\n" + hunk,
			accepttest.OneEdit("f.go", near(9, "-d\n+e\n"), e)},
		"two files": {
			"--- a/f.go\n+++ b/f.go\n" + hunk + "--- a/g.go\n+++ b/g.go\n" + hunk,
			atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f.go", Edits: []atomicedit.Edit{e}},
				{Path: "g.go", Edits: []atomicedit.Edit{e}}}},
		},
		"a new file": {
			"diff --git a/n.go b/n.go\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n.go\n@@ -0,0 +1,2 @@\n+a\n+b\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "n.go", Content: "a\nb\n"}}},
		},
		"a new file without a final newline": {
			"--- /dev/null\n+++ n.go\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "n.go", Content: "a"}}},
		},
		"a new file by its date": {
			"--- n.go\t1970-01-01 00:00:00.000000000 +0000\n+++ n.go\t2024-01-01 00:00:00\n@@ -0,0 +1 @@\n+a\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "n.go", Content: "a\n"}}},
		},
		"a new file, other prefixes": {
			"diff --git i/n.go w/n.go\nnew file mode 100644\n--- /dev/null\n+++ w/n.go\n@@ -0,0 +1,1 @@\n+a\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "n.go", Content: "a\n"}}},
		},
		"a deletion, back to front": {
			"diff --git b/o.go a/o.go\ndeleted file mode 100644\n--- b/o.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpDelete, Path: "o.go",
				Edits: []atomicedit.Edit{near(1, "-a\n")}}}},
		},
		"a new file with CRLF": {
			"--- /dev/null\n+++ b/n.go\n@@ -0,0 +1,3 @@\n+a\r\n+b\r\n+c\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "n.go", Content: "a\r\nb\r\nc\n"}}},
		},
		"a new file in a diff with CRLF": {
			"--- /dev/null\r\n+++ b/n.go\r\n@@ -0,0 +1,1 @@\r\n+a\r\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "n.go", Content: "a\n"}}},
		},
		"a new file that can be executed": {
			"diff --git a/run b/run\nnew file mode 100755\n--- /dev/null\n+++ b/run\n@@ -0,0 +1 @@\n+a\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "run", Content: "a\n",
				Mode: 0o755}}},
		},
		"an empty new file": {
			"diff --git a/my n.go b/my n.go\nnew file mode 100644\nindex 0..e69de29\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "my n.go"}}},
		},
		"a deletion": {
			"diff --git a/o.go b/o.go\ndeleted file mode 100644\n--- a/o.go\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpDelete, Path: "o.go",
				Edits: []atomicedit.Edit{near(1, "-a\n-b\n")}}}},
		},
		"a deletion of an empty file": {
			"diff --git a/o.go b/o.go\ndeleted file mode 100644\nindex e69de29..0000000\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpDelete, Path: "o.go",
				Version: atomicedit.VersionOf(nil)}}},
		},
		"a rename": {
			"diff --git a/o.go b/n.go\nsimilarity index 100%\nrename from o.go\nrename to n.go\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpMove, Path: "o.go", To: "n.go"}}},
		},
		"a rename that edits": {
			"diff --git a/o.go b/n.go\nsimilarity index 90%\nrename from o.go\nrename to n.go\n--- a/o.go\n+++ b/n.go\n" + hunk,
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpMove, Path: "o.go", To: "n.go",
				Edits: []atomicedit.Edit{e}}}},
		},
	})
}

func TestParseUnifiedRefuses(t *testing.T) {
	const head = "--- a/f.go\n+++ b/f.go\n"
	checkRefused(t, atomicedit.ParseUnified, false, map[string]refused{
		"no diff":              {"some words\n", 1, "no diff here"},
		"no hunks":             {head + "words\n", 1, "without hunks"},
		"a hunk without lines": {head + "@@ -1 +1 @@\n@@ -2 +2 @@\n-a\n", 3, "without lines"},
		"lines without prefix": {head + "@@ -1,3 +1,3 @@\na\n\nb\nc\n", 4, "not a line of a hunk"},
		"neither before nor after": {"--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n", 2,
			"neither before nor after"},
		"a new file that is changed": {"--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n-a\n+b\n", 1, "a new file has no lines"},
		"a deletion that keeps":      {"--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n b\n", 1, "keeps no lines"},
		"half a rename":              {"diff --git a/f b/g\nrename to g\n", 1, "expected both"},
		"no names":                   {"diff --git x y z\nnew file mode 100644\n", 1, "does not say which file"},
		"a combined diff":            {"diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,2 -1,2 +1,2 @@@\n  a\n- b\n -c\n++d\n", 5, "combined diff"},
		"lines without a hunk":       {head + "-a\n+b\n", 1, "without hunks"},
		"a block between":            {head + "@@ -1 +1 @@\n-a\n+b\n<<<<<<< SEARCH\n", 6, "another format"},
		"a patch before":             {"*** Begin Patch\n" + head, 1, "is not of a diff: expected"},
	})
	checkRefused(t, atomicedit.ParseUnified, true, map[string]refused{
		"after the headers":     {head, 2, "no lines below"},
		"after a hunk's header": {head + "@@ -1 +1 @@\n", 3, "no lines below"},
		"in half a header":      {head + "@@ -1 +1 @@\n-a\n+b\n--- a/g", 6, "header of another file"},
		"before the hunks": {"diff --git a/f b/g\nsimilarity index 90%\nrename from f\nrename to g\n", 4,
			"no lines below"},
		"before the content": {"diff --git a/f b/f\nnew file mode 100644\nindex 0000000..1234567\n", 3,
			"no lines below"},
		"in half a name": {"diff --git a/f b/good\nsimilarity index 100%\nrename from f\nrename to go", 4,
			"no lines below"},
		"in context alone":          {head + "@@ -1,3 +1,3 @@\n a\n", 4, "2 more"},
		"in half a line of a fence": {"```\n" + head + "@@ ... @@\n-b\n+cc", 6, "does not end"},
		"in half a line":            {head + "@@ -1,3 +1,3 @@\n a\n-b\n+cc", 6, "1 more"},
		"before the new lines":      {head + "@@ -1,3 +1,3 @@\n a\n-b\n", 5, "cut off"},
	})
	for name, tt := range map[string]struct {
		text string
		line int
		err  error
	}{
		"a binary patch": {"diff --git a/f b/f\nindex 1..2\nGIT binary patch\nliteral 0\n", 3,
			atomicedit.ErrBinary},
		"binary files": {"diff --git a/f b/f\nindex 1..2\nBinary files a/f and b/f differ\n", 3,
			atomicedit.ErrBinary},
		"binary files, alone": {"Binary files a/f and b/f differ\n", 1, atomicedit.ErrBinary},
		"binary, no git":      {"--- a/f\n+++ b/f\nBinary files a/f and b/f differ\n", 3, atomicedit.ErrBinary},
		"a submodule":         {"diff --git a/s b/s\nindex 1..2 160000\n--- a/s\n+++ b/s\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n", 2, atomicedit.ErrSyntax},
		"a mode, and lines":   {"diff --git a/f b/f\nold mode 100644\nnew mode 100755\nindex 1..2\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", 2, atomicedit.ErrSyntax},
		"a copy":              {"diff --git a/f b/g\ncopy from f\ncopy to g\n", 2, atomicedit.ErrSyntax},
		"a mode":              {"diff --git a/f b/f\nold mode 100644\nnew mode 100755\n", 2, atomicedit.ErrSyntax},
		"a link":              {"diff --git a/f b/f\nnew file mode 120000\n", 2, atomicedit.ErrSyntax},
		"a second one, too": {head + "@@ -1 +1 @@\n-a\n+b\ndiff --git a/f b/f\nBinary files a/f and b/f differ\n", 7,
			atomicedit.ErrBinary},
	} {
		_, err := atomicedit.ParseUnified(tt.text)
		var r *atomicedit.Refusal
		if !errors.As(err, &r) || !errors.Is(err, tt.err) || r.Problems[0].Line != tt.line {
			t.Errorf("%s: got %v; want %v on line %d", name, err, tt.err, tt.line)
		}
	}
}

func TestADiffOfAnyContentIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want atomicedit.Plan
		text := ""
		for range rapid.IntRange(1, 3).Draw(t, "files") {
			op := atomicedit.Op{Path: "a/f.go"}
			text += "--- a/a/f.go\n+++ b/a/f.go\n"
			for range rapid.IntRange(1, 3).Draw(t, "hunks") {
				lines := accepttest.DrawHunk(t)
				e := chunkOf(lines)
				removed, added := strings.Count(e.Old, "\n"), strings.Count(e.New, "\n")
				e.Near = rapid.IntRange(1, 1000).Draw(t, "line")
				text += fmt.Sprintf("@@ -%d,%d +%d,%d @@\n%s", e.Near, removed, e.Near, added, lines)
				op.Edits = append(op.Edits, e)
			}
			want.Ops = append(want.Ops, op)
		}
		got, err := atomicedit.ParseUnified(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(want, got, accepttest.ButWords); diff != "" {
			t.Errorf("plan (-want +got):\n%s\n%s", diff, text)
		}
	})
}

func TestADiffActsOnAStore(t *testing.T) {
	ctx := context.Background()
	const text = "diff --git a/run b/run\nnew file mode 100755\n--- /dev/null\n+++ b/run\n@@ -0,0 +1 @@\n+a\n" +
		"diff --git a/o b/o\ndeleted file mode 100644\n--- a/o\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n"
	m := atomicedit.NewMem(map[string]string{"o": "x\ny\n"})
	report, err := atomicedit.Run(ctx, m, accepttest.Must(atomicedit.ParseUnified(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"run": "a\n"}, m.Files()); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if f, err := m.Read(ctx, "run"); err != nil || f.Mode != 0o755 || len(report.Files[0].Notes) != 1 {
		t.Errorf("run is %+v, %v; report %v", f, err, report)
	}
	for _, other := range []string{"x\ny\nz\n", "x\n", ""} {
		if _, err := atomicedit.Run(ctx, atomicedit.NewMem(map[string]string{"o": other}),
			accepttest.Must(atomicedit.ParseUnified(text)), nil); err == nil {
			t.Errorf("a deletion that does not show all of %q was done", other)
		}
	}
}

// The diff that git prints of any two texts turns one into the other: with context and without, with many equal lines,
// and without a final newline.
func TestWhatGitPrintsIsCarriedOut(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	line := rapid.SampledFrom([]string{"", "a", "b", "\tc", "-- d", "++ e", " g ", "@@ -1 +1 @@", "\\ h"})
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) string {
			return strings.Join(rapid.SliceOfN(line, 1, 12).Draw(t, label),
				"\n") + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")
		}
		older, newer := draw("older"), draw("newer")
		if strings.Contains(older, "\n") && rapid.Bool().Draw(t, "CRLF") {
			older, newer = strings.ReplaceAll(older, "\n", "\r\n"), strings.ReplaceAll(newer, "\n", "\r\n")
		}
		write := func(name, text string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("older", older)
		write("newer", newer)
		context := fmt.Sprintf("-U%d", rapid.IntRange(0, 3).Draw(t, "context"))
		cmd := exec.Command(git, "-c", "core.autocrlf=false", "diff", "--no-index", "--no-color", context, "older",
			"newer")
		cmd.Dir = dir
		out, err := cmd.Output()
		if older == newer || len(out) == 0 {
			return
		}
		if cmd.ProcessState.ExitCode() != 1 {
			t.Fatalf("git diff: %v", err)
		}
		p, err := atomicedit.ParseUnified(string(out))
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		res, err := p.Apply([]byte(older), nil)
		if err != nil || string(res.Text) != newer {
			t.Fatalf("%v\n%s", err, out)
		}
	})
}

func TestTheHeadingOfAHunkGoesBeforeItsNumber(t *testing.T) {
	const src = "package p\n\nfunc a() int {\n\tx := 1\n\treturn x\n}\n\nfunc b() int {\n\tx := 1\n\treturn x\n}\n"
	const want = "package p\n\nfunc a() int {\n\tx := 1\n\treturn x\n}\n\nfunc b() int {\n\tx := 2\n\treturn x\n}\n"
	const hunk = "-\tx := 1\n+\tx := 2\n \treturn x\n }\n"
	for request, want := range map[string]string{
		"--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@ func b() int {\n" + hunk: want,
		"--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@ func b\n" + hunk:         want,
		"--- a/f\n+++ b/f\n@@ ... @@ func b() int {\n" + hunk:       want,
		// no such line
		"--- a/f\n+++ b/f\n@@ -9,3 +9,3 @@ func c() int {\n" + hunk:                                      want,
		"*** Begin Patch\n*** Update File: f\n@@ -1,3 +1,3 @@ func b() int {\n" + hunk + "*** End Patch": want,
		// above both, and the nearest to none
		"--- a/f\n+++ b/f\n@@ -9,3 +9,3 @@ package p\n" + hunk: want,
		"--- a/f\n+++ b/f\n@@ ... @@ func\n" + hunk:            "",
	} {
		p, err := atomicedit.Parse(request)
		if err != nil {
			t.Fatal(err)
		}
		res, err := p.Apply([]byte(src), nil)
		if want == "" {
			if !errors.Is(err, atomicedit.ErrAmbiguous) {
				t.Errorf("%s%v, not ambiguous", request, err)
			}
		} else if err != nil || string(res.Text) != want {
			t.Errorf("%s%v, %+v", request, err, res)
		}
	}
}

// In languages that it knows, git prints the last function above a hunk as its heading, even if that has ended.
func TestTheHeadingOfAHunkMayHaveEnded(t *testing.T) {
	const src = "func a() {\n\tx = 1\n}\n\nvar (\n\tx = 1\n)\n"
	p, err := atomicedit.ParseUnified("--- f\n+++ f\n@@ -6 +6 @@ func a() {\n-\tx = 1\n+\tx = 2\n")
	if err != nil {
		t.Fatal(err)
	}
	if res, err := p.Apply([]byte(src), nil); err != nil ||
		string(res.Text) != "func a() {\n\tx = 1\n}\n\nvar (\n\tx = 2\n)\n" {
		t.Errorf("%v, %+v", err, res)
	}
}
