package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
)

// names returns the paths of a plan.
func names(p atomicedit.Plan) (all []string) {
	for _, op := range p.Ops {
		all = append(all, strings.TrimSuffix(op.Path+" -> "+op.To, " -> "))
	}
	return all
}

func TestStripRemovesExactlySoManyPartsOfTheNames(t *testing.T) {
	const hunk = "@@ -1 +1 @@\n-x\n+y\n"
	const added = "@@ -0,0 +1 @@\n+y\n"
	for _, tt := range []struct {
		name, diff string
		n          int
		want       string // "" is a refusal
	}{
		{"git's prefixes stay", "--- a/f\n+++ a/f\n" + hunk, 0, "a/f"},
		{"two directories", "diff -ru old-1.0/src/f new-1.1/src/f\n--- old-1.0/src/f\t2024-01-01 10:00:00.000000000 +0000\n" +
			"+++ new-1.1/src/f\t2024-01-02 10:00:00.000000000 +0000\n" + hunk, 1, "src/f"},
		{"git's prefixes and a directory", "diff --git a/src/f b/src/f\nindex 1..2 100644\n--- a/src/f\n+++ b/src/f\n" +
			hunk, 2, "f"},
		{"without prefixes", "diff --git src/f src/f\n--- src/f\n+++ src/f\n" + hunk, 0, "src/f"},
		{"a new file", "--- /dev/null\n+++ new/src/f\n" + added, 1, "src/f"},
		{"a new file in a directory a", "--- /dev/null\n+++ a/f\n" + added, 0, "a/f"},
		{"a rename has no prefix", "diff --git a/src/f b/src/g\nsimilarity index 100%\nrename from src/f\nrename to src/g\n", 1, "src/f -> src/g"},
		{"a rename loses the rest", "diff --git a/src/f b/src/g\nsimilarity index 100%\nrename from src/f\nrename to src/g\n", 2, "f -> g"},
		{"an absolute name", "--- /home/me/src/f\n+++ /home/me/src/f\n" + hunk, 3, "src/f"},
		{"slashes in a row", "--- a//src///f\n+++ b//src///f\n" + hunk, 2, "f"},
		{"a quoted name", "--- \"a/src/\\303\\244\"\n+++ \"b/src/\\303\\244\"\n" + hunk, 2, "ä"},
		{"only one name", "+++ b/src/f\n" + hunk, 2, "f"},
		{"two directories that stay", "--- old/f\n+++ new/f\n" + hunk, 0, "new/f"},
		{"too few parts", "--- a/f\n+++ b/f\n" + hunk, 2, ""},
		{"too few parts in a rename", "diff --git a/f b/g\nsimilarity index 100%\nrename from f\nrename to g\n", 2, ""},
		{"nothing is left", "--- a/\n+++ a/\n" + hunk, 1, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := parseStripped(tt.diff, tt.n)
			var refusal *atomicedit.Refusal
			if tt.want == "" {
				if !errors.As(err, &refusal) || !errors.Is(err, atomicedit.ErrSyntax) ||
					!strings.Contains(err.Error(), "too few parts") {
					t.Errorf("%v, %q", err, names(p))
				}
				return
			}
			if d := cmp.Diff([]string{tt.want}, names(p)); err != nil || d != "" {
				t.Errorf("%v\n%s", err, d)
			}
		})
	}
}

// Where git's prefixes are the only part to remove, both parsers read the same.
func TestStripOfOnePartIsWhatGitNeeds(t *testing.T) {
	for _, diff := range []string{"diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n"} {
		want, err := atomicedit.ParseUnified(diff)
		got, err2 := parseStripped(diff, 1)
		if d := cmp.Diff(want, got); d != "" || err != nil || err2 != nil {
			t.Errorf("%v, %v\n%s", err, err2, d)
		}
	}
}

// No input panics, and no name is both cut and kept.
func FuzzParseStrip(f *testing.F) {
	f.Add("--- a/src/f\n+++ b/src/f\n@@ -1 +1 @@\n-x\n+y\n")
	f.Add("diff --git a/src/f b/src/g\nsimilarity index 100%\nrename from src/f\nrename to src/g\n")
	f.Fuzz(func(t *testing.T, diff string) {
		p, err := parseStripped(diff, len(diff)%4)
		var refusal *atomicedit.Refusal
		switch {
		case err != nil && !errors.As(err, &refusal):
			t.Fatal(err)
		case err == nil && len(p.Ops) == 0:
			t.Fatal("a plan without operations")
		}
	})
}
