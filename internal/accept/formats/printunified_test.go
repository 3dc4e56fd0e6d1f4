package formats_test

import (
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawUnified draws a plan that a unified diff can express, with every part that it can have.
func drawUnified(t *rapid.T) atomicedit.Plan {
	var p atomicedit.Plan
	name := rapid.OneOf(printName,
		rapid.SampledFrom([]string{"a/b", "a b", " x", "x ", "\t", "a\nb", "\"q\"", "/abs", "\xff", "a\\b", "1 2 "}))
	for range rapid.IntRange(1, 4).Draw(t, "ops") {
		op := atomicedit.Op{Kind: atomicedit.OpKind(rapid.IntRange(0, 3).Draw(t, "kind")), Path: name.Draw(t, "path")}
		switch op.Kind {
		case atomicedit.OpCreate:
			op.Content = drawText(t, "content") + rapid.SampledFrom([]string{"", "x", "\r"}).Draw(t, "end")
			if rapid.Bool().Draw(t, "executable") {
				op.Mode = 0o755
			}
		case atomicedit.OpDelete:
			if rapid.Bool().Draw(t, "empty") {
				op.Version = atomicedit.VersionOf(nil)
			} else {
				op.Edits = drawHunks(t, true)
			}
		case atomicedit.OpMove:
			op.To = op.Path + ".new"
			if rapid.Bool().Draw(t, "edited") {
				op.Edits = drawHunks(t, false)
			}
		default:
			op.Edits = drawHunks(t, false)
		}
		p.Ops = append(p.Ops, op)
	}
	if op := p.Ops[0]; len(p.Ops) == 1 && op.Kind == atomicedit.OpEdit && op.Edits[0].Near > 0 &&
		rapid.Bool().Draw(t, "bare") {
		p.Ops[0].Path = ""
	}
	return p
}

// drawHunks draws the edits of one file, which are those of its hunks.
func drawHunks(t *rapid.T, removing bool) (edits []atomicedit.Edit) {
	for range rapid.IntRange(1, 3).Draw(t, "edits") {
		e := atomicedit.Edit{Old: drawText(t, "old"), WholeLines: true,
			Near: rapid.SampledFrom([]int{0, 1, 12, farthest}).Draw(t, "near")}
		if !removing {
			e.New = drawText(t, "new")
		}
		if e.Old+e.New == "" || removing && e.Old == "" {
			e.Old = "one more\n"
		}
		e.Section = rapid.SampledFrom([]string{"", "", "func f() {", "@@ x", "@@", "é"}).Draw(t, "section")
		edits = append(edits, e)
	}
	kept := func(e atomicedit.Edit) bool { return e.Old != "" && e.New != "" }
	if first := &edits[0]; kept(*first) {
		first.Old, first.New = "kept\n"+first.Old, "kept\n"+first.New // so that an insertion may be near a line
		return edits
	}
	for i := range edits {
		if e := &edits[i]; e.Old == "" {
			e.First, e.Near = min(e.Near+2, farthest), 0
		} else if kept(*e) {
			e.New = ""
		}
	}
	return edits
}

// A person would write plans in the same way, and git reads it.
func TestPrintedDiffs(t *testing.T) {
	e := atomicedit.Edit{Old: "a\nb\nc\n", New: "a\nB\nB\nc\n", WholeLines: true, Near: 7, Section: "func f()"}
	p := atomicedit.Plan{Ops: []atomicedit.Op{
		{Kind: atomicedit.OpCreate, Path: "n.sh", Content: "one\n\ntwo", Mode: 0o755},
		{Path: "my f.txt", Edits: []atomicedit.Edit{e, {Old: "x\n", New: "", WholeLines: true, Near: 30},
			accepttest.Lines("y\n", "z\n")}},
		{Kind: atomicedit.OpMove, Path: "a", To: "b"},
		{Kind: atomicedit.OpDelete, Path: "e", Version: atomicedit.VersionOf(nil)},
		{Kind: atomicedit.OpDelete, Path: "d", Edits: []atomicedit.Edit{{Old: "x\n", WholeLines: true, Near: 1}}},
	}}
	const want = "diff --git a/n.sh b/n.sh\nnew file mode 100755\n--- /dev/null\n+++ b/n.sh\n@@ -0,0 +1,3 @@\n+one\n+\n+two\n\\ No newline at end of file\n" +
		"diff --git \"a/my f.txt\" \"b/my f.txt\"\n--- a/my f.txt\t\n+++ b/my f.txt\t\n@@ -7,3 +7,4 @@ func f()\n a\n-b\n+B\n+B\n c\n@@ -30 +30,0 @@\n-x\n@@ @@\n-y\n+z\n" +
		"diff --git a/a b/b\nrename from a\nrename to b\n" +
		"diff --git a/e b/e\ndeleted file mode 100644\nindex e69de29..0000000\n" +
		"diff --git a/d b/d\ndeleted file mode 100644\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
	got, err := p.Unified()
	if err != nil || got != want {
		t.Errorf("got %v, (-want +got):\n%s", err, cmp.Diff(want, got))
	}
}

// What a diff of two texts says is printed again word for word.
func TestADiffIsPrintedAsItWasRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		withoutReturns := func(name string) string { return strings.ReplaceAll(accepttest.LineText(t, name), "\r", "") }
		before, after := withoutReturns("before"), withoutReturns("after")
		diff := atomicedit.Diff("a/f", []byte(before), "b/f", []byte(after))
		if diff == "" || before == "" {
			return
		}
		p, err := atomicedit.ParseUnified(diff)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Unified()
		if want := "diff --git a/f b/f\n" + diff; err != nil || got != want {
			t.Fatalf("got %v, (-want +got):\n%s", err, cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
		}
	})
}
