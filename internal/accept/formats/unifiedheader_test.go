package formats_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

// The hunks of two files. The second file has a header as models write it.
const (
	firstFile  = "--- a/f.go\n+++ b/f.go\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
	secondHunk = "@@ -5 +5 @@\n-x\n+y\n"
)

var (
	firstEdit  = near(1, " a\n-b\n+c\n")
	secondEdit = near(5, "-x\n+y\n")
)

func TestAHeaderBehindACompleteHunkBeginsAFile(t *testing.T) {
	want := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f.go", Edits: []atomicedit.Edit{firstEdit}},
		{Path: "g.go", Edits: []atomicedit.Edit{secondEdit}}}}
	longer := strings.Replace(firstFile, "-1,2 +1,2", "-1,3 +1,3", 1)
	wrong := strings.Replace(firstFile, "-1,2 +1,2", "-1,9 +1,9", 1)
	for name, text := range map[string]string{
		"the new name alone":      firstFile + "+++ b/g.go\n" + secondHunk,
		"the new name, no prefix": firstFile + "+++ g.go\n" + secondHunk,
		"the old name alone":      firstFile + "--- a/g.go\n" + secondHunk,
		"swapped":                 firstFile + "+++ b/g.go\n--- a/g.go\n" + secondHunk,
		"an empty line between":   firstFile + "--- a/g.go\n\n+++ b/g.go\n" + secondHunk,
		"an empty line behind":    firstFile + "--- a/g.go\n+++ b/g.go\n\n" + secondHunk,
		"no space":                firstFile + "---a/g.go\n+++b/g.go\n" + secondHunk,
		"counts one too high":     longer + "--- a/g.go\n+++ b/g.go\n" + secondHunk,
		"counts too high, lone":   wrong + "+++ b/g.go\n" + secondHunk,
		"wrong counts, of Subversion": wrong +
			"Index: g.go\n===================================================================\n--- g.go\n+++ g.go\n" +
			secondHunk,
		"wrong counts, of diff -r": wrong + "diff -r 12 g.go\n--- a/g.go\n+++ b/g.go\n" + secondHunk,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := atomicedit.ParseUnified(text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got, accepttest.ButWords); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLinesThatTheCountsPromiseAreContent(t *testing.T) {
	const head = "--- a/f.go\n+++ b/f.go\n"
	checkRead(t, atomicedit.ParseUnified, map[string]requested{
		"an added line": {head + "@@ -1 +1,2 @@\n a\n+++ b/g.go\n" + secondHunk,
			accepttest.OneEdit("f.go", near(1, " a\n+++ b/g.go\n"), secondEdit)},
		"a removed line": {head + "@@ -1,2 +1 @@\n a\n--- a/g.go\n" + secondHunk,
			accepttest.OneEdit("f.go", near(1, " a\n--- a/g.go\n"), secondEdit)},
		"both": {head + "@@ -1,2 +1,2 @@\n a\n--- b.sql\n+++ c.sql\n" + secondHunk,
			accepttest.OneEdit("f.go", near(1, " a\n--- b.sql\n+++ c.sql\n"), secondEdit)},
		"a comment, wrong counts": {head + "@@ -1,9 +1,9 @@\n a\n--- the end\n" + secondHunk,
			accepttest.OneEdit("f.go", near(1, " a\n--- the end\n"), secondEdit)},
		"a count, wrong counts": {head + "@@ -1,9 +1,9 @@\n a\n+++ i\n" + secondHunk,
			accepttest.OneEdit("f.go", near(1, " a\n+++ i\n"), secondEdit)},
	})
}

func TestAHeaderOfOneNameNamesTheFile(t *testing.T) {
	for _, text := range []string{
		"+++ b/g.go\n", "--- a/g.go\n", "+++ g.go\n", "+++ b/g.go\n--- a/g.go\n", "+++b/g.go\n",
		"```diff\n+++ b/g.go\n\n",
		"diff --git a/g.go b/g.go\nindex 1..2\n+++ b/g.go\n", "--- g.go\n+++ b/g.go\n",
		"--- a/g.go 2024-01-01 10:00:00.000000000 +0100\n+++ b/g.go 2024-01-01 10:00:00\n",
		"--- a/g.go  2024-01-01T10:00:00Z\n+++ b/g.go  2024-01-01T10:00:00Z\n",
		"--- a/g.go Mon Mar  4 10:00:00 2024\n+++ b/g.go Mon Mar 04 10:00:00 2024 +0100\n",
		"---\ta/g.go\n+++\tb/g.go\n", "--- g.go (revision 12)\n+++ g.go (working copy)\n",
		"--- \"a/g.go\" 2024-01-01 10:00:00\n+++ \"b/g.go\"\t2024-01-01 10:00:00\n",
	} {
		for _, hunk := range []string{secondHunk, "@@ ... @@\n-x\n+y\n"} {
			got, err := atomicedit.Parse(text + hunk)
			if err != nil || len(got.Ops) != 1 || got.Ops[0].Path != "g.go" || got.Ops[0].Kind != atomicedit.OpEdit ||
				len(got.Ops[0].Edits) != 1 {
				t.Errorf("%q: %+v, %v", text+hunk, got, err)
			}
		}
	}
	for _, name := range []string{"2024-01-01 10:00 notes", "my (revision 3) notes.txt", "Mon notes.txt",
		"in 2024-01-01.txt"} {
		got, err := atomicedit.ParseUnified("--- a/" + name + "\n+++ b/" + name + "\n" + secondHunk)
		if err != nil || got.Ops[0].Path != name {
			t.Errorf("%q: %+v, %v", name, got, err)
		}
	}
}

func TestAFileThatDidNotExistIsCreated(t *testing.T) {
	want := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "g.go", Content: "y\n"}}}
	for _, older := range []string{
		"/dev/null", "a/dev/null", "dev/null", "\"/dev/null\"", "/dev/null 1970-01-01 00:00:00 +0000",
		"g.go\t(revision 0)", "g.go\t(nonexistent)",
		"g.go\t1970-01-01 01:00:00.000000000 +0100", "g.go 1969-12-31 19:00:00.000000000 -0500",
		"/dev/null\tThu Jan 01 00:00:00 1970 +0000",
	} {
		newer := "b/g.go"
		if strings.HasPrefix(older, "g.go") {
			newer = "g.go"
		}
		got, err := atomicedit.ParseUnified("--- " + older + "\n+++ " + newer + "\n@@ -0,0 +1 @@\n+y\n")
		if err != nil {
			t.Errorf("%s: %v", older, err)
		} else if diff := cmp.Diff(want, got, accepttest.ButWords); diff != "" {
			t.Errorf("%s: plan (-want +got):\n%s", older, diff)
		}
	}
	got, err := atomicedit.ParseUnified("--- /dev/null\n+++ b/g.go\n@@ -0,0 +1,3 @@\n+x\n\n+y\n")
	if err != nil || got.Ops[0].Content != "x\n\ny\n" {
		t.Errorf("with an empty line: %+v, %v", got, err)
	}
	got, err = atomicedit.ParseUnified("--- /dev/null\n+++ b/a/g.go\n@@ -0,0 +1 @@\n+y\n--- a/b/h.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n")
	if err != nil || got.Ops[0].Path != "a/g.go" || got.Ops[1].Path != "b/h.go" {
		t.Errorf("in directories with the names of prefixes: %+v, %v", got, err)
	}
}

func TestADoubtfulHeaderIsRefused(t *testing.T) {
	checkRefused(t, atomicedit.ParseUnified, false, map[string]refused{
		"a name at the end":        {firstFile + "+++ b/g.go\n", 7, "may name another file"},
		"a name without a hunk":    {firstFile + "+++ b/g.go\n+y\n", 7, "may name another file"},
		"two names without a hunk": {firstFile + "--- a/g.go\n+++ b/g.go\n+y\n", 7, "may name another file"},
		"no counts": {"--- a/f.go\n+++ b/f.go\n@@ @@\n-b\n+++ b/g.go\n+y\n", 5,
			"may name another file"},
		"nothing alone":                {firstFile + "+++ /dev/null\n" + secondHunk, 7, "does not say which file"},
		"created, with the old prefix": {"--- /dev/null\n+++ a/g.go\n@@ -0,0 +1 @@\n+y\n", 2, "may mean \"g.go\""},
		"removed, with the new prefix": {"--- b/g.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n", 2, "may mean \"g.go\""},
	})
}

// What stands below the header of a rename is about its file, or refused.
func TestTheNamesBelowARename(t *testing.T) {
	const from, to = "1/main.go", "2/main.go"
	header := "diff --git " + from + " " + to + "\nsimilarity index 90%\nrename from " + from + "\nrename to " + to + "\n"
	for names, ok := range map[string]bool{
		"--- " + from + "\n+++ " + to + "\n":           true,
		"--- a/" + from + "\n+++ b/" + to + "\n":       true,
		"--- a/" + to + "\n+++ b/" + to + "\n":         true, // as models write it
		"--- a/" + from + "\n+++ b/" + from + "\n":     true,
		"--- a/x.go\n+++ b/x.go\n":                     false,
		"--- a/" + from + "\n+++ b/x.go\n":             false,
		"--- a/lib/" + to + "\n+++ b/lib/" + to + "\n": false,
		"--- /dev/null\n+++ b/" + to + "\n":            false,
		"--- a/" + from + "\n+++ /dev/null\n":          false,
	} {
		p, err := atomicedit.Parse(header + names + "@@ -1 +1 @@\n-a\n+b\n")
		if ok != (err == nil) || err == nil && (len(p.Ops) != 1 || p.Ops[0].Path != from || p.Ops[0].To != to) {
			t.Errorf("%q: %+v, %v", names, p, err)
		}
	}
	deep := strings.NewReplacer(from, "lib/a.go", to, "lib/b.go").Replace(header)
	for names, ok := range map[string]bool{"--- a/lib/a.go\n+++ b/lib/b.go\n": true, "--- a/a.go\n+++ b/a.go\n": false} {
		if p, err := atomicedit.Parse(deep + names + "@@ -1 +1 @@\n-a\n+b\n"); ok != (err == nil) {
			t.Errorf("lib, %q: %+v, %v", names, p, err)
		}
	}
	for _, is := range []struct {
		git, older, newer, from, to string
		ok                          bool
	}{
		{"old/x.py new/y.py", "old/x.py", "new/y.py", "x.py", "y.py", true}, // with the prefixes that a user has chosen
		{"p/q/x.py p/r/y.py", "p/q/x.py", "p/r/y.py", "x.py", "y.py", true},
		{"a/x.py b/y.py", "old/x.py", "new/y.py", "x.py", "y.py", false},
		{"a/home/x.py b/home/y.py", "a/home/x.py", "b/home/y.py", "/home/x.py", "/home/y.py", true},
		{"a/x.py b/y.py", "./x.py", "./y.py", "x.py", "y.py", true},
		{"a/src/x.py b/src/y.py", "a/src/x.py", "b/src/y.py", `src\x.py`, `src\y.py`, true},
		{"a/src/x.py b/src/y.py", "a/src/x.py", "b/src/y.py", "x.py", "y.py", false},
		{"a/x b b/y ", "a/x b", "b/y \t", "x b", "y ", true},
	} {
		p, err := atomicedit.Parse("diff --git " + is.git + "\nsimilarity index 90%\nrename from " + is.from +
			"\nrename to " + is.to + "\n--- " + is.older + "\n+++ " + is.newer + "\n@@ -1 +1 @@\n-a\n+b\n")
		if is.ok != (err == nil) || err == nil && (len(p.Ops) != 1 || p.Ops[0].Path != is.from || p.Ops[0].To != is.to) {
			t.Errorf("%+v: %+v, %v", is, p, err)
		}
	}
	gone := "diff --git a/x b/x\ndeleted file mode 100644\nindex e69de29..0000000\n"
	for rest, ok := range map[string]bool{"*** End Patch\n": true, besideBlock: false, besideTags: false} {
		if p, err := atomicedit.Parse(gone + "\n" + rest); ok != (err == nil) {
			t.Errorf("a deletion, and %q: %+v, %v", rest, p, err)
		}
	}
}

// Prefixes that a user has chosen are removed from the names of all files of a diff.
func TestChosenPrefixesBesideARename(t *testing.T) {
	const diff = "diff --git old/a.go new/b.go\nsimilarity index 90%\nrename from a.go\nrename to b.go\nindex 1..2 100644\n" +
		"--- old/a.go\n+++ new/b.go\n@@ -1 +1 @@\n-x\n+y\ndiff --git old/c.go new/c.go\nnew file mode 100644\n" +
		"index 0000000..3333333\n--- /dev/null\n+++ new/c.go\n@@ -0,0 +1 @@\n+hi\n"
	p, err := atomicedit.Parse(diff)
	if err != nil || len(p.Ops) != 2 || p.Ops[0].Path != "a.go" || p.Ops[0].To != "b.go" || p.Ops[1].Path != "c.go" {
		t.Errorf("%+v, %v", p, err)
	}
}

// A hunk that stands apart from the header of a file, which has no hunk yet, is for the file that is named in between.
func TestAFileIsNamedBetweenAHeaderAndAHunk(t *testing.T) {
	const hunk = "@@ -1 +1 @@\n-a\n+b\n"
	headers := map[string]string{
		"a rename":     "diff --git a/old.py b/new.py\nsimilarity index 100%\nrename from old.py\nrename to new.py\n",
		"an empty one": "diff --git a/e.py b/e.py\nnew file mode 100644\nindex 0000000..e69de29\n",
		"a deletion":   "diff --git a/e.py b/e.py\ndeleted file mode 100644\nindex e69de29..0000000\n",
	}
	for kind, header := range headers {
		for _, between := range []string{"\n### c.py\n```diff\n", "\n**File: c.py**\n```diff\n", "\nc.py:\n\n```diff\n",
			"\n```diff c.py\n"} {
			p, err := atomicedit.Parse("```diff\n" + header + "```\n" + between + hunk + "```\n")
			if err != nil || len(p.Ops) != 2 || p.Ops[1].Path != "c.py" || len(p.Ops[0].Edits) > 0 {
				t.Errorf("%s, %q: %+v, %v", kind, between, p, err)
			}
		}
	}
	p, err := atomicedit.Parse("```diff\n--- a/x.py\n+++ b/x.py\n```\n\nc.py:\n```diff\n" + hunk + "```\n")
	if !errors.Is(err, atomicedit.ErrSyntax) {
		t.Errorf("a header without hunks: %+v, %v", p, err)
	}
	p, err = atomicedit.Parse("--- a/f.go\n+++ b/f.go\n# see utils/helper.go\n" + hunk)
	if err != nil || len(p.Ops) != 1 || p.Ops[0].Path != "f.go" {
		t.Errorf("a file is mentioned: %+v, %v", p, err)
	}
	p, err = atomicedit.Parse("```diff\n" + headers["a rename"] + "```\n\nIts text:\n```diff\n" + hunk + "```\n")
	if err != nil || len(p.Ops) != 1 || len(p.Ops[0].Edits) != 1 {
		t.Errorf("no file is named: %+v, %v", p, err)
	}
}
