package formats_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Patches as models write them, which mean only one thing.
func TestMalformedPatchesThatMeanOneThingAreRead(t *testing.T) {
	const head, tail = "*** Begin Patch\n*** Update File: f.go\n", "*** End Patch\n"
	const aToB = "@@\n-a\n+b\n"
	e := chunkOf("-a\n+b\n")
	anchored := e
	anchored.Anchors = []string{"func f() {"}
	update := accepttest.OneEdit("f.go", e)
	two := accepttest.OneEdit("f.go", e)
	two.Ops = append(two.Ops, accepttest.OneEdit("g.go", e).Ops...)
	atEnd := e
	atEnd.AtEnd = true
	ended := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("f.go", e), accepttest.Edit("g.go", atEnd)}}
	file := func(content string) atomicedit.Plan {
		return atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Create("n.go", content)}}
	}
	checkRead(t, atomicedit.ParseV4A, map[string]requested{
		"no Begin": {"*** Update File: f.go\n" + aToB + tail, update},
		"no Begin, words above": {"Here it is:\n\n```\n*** Update File: f.go\n" + aToB + tail + "```\nDone.\n",
			update},
		"headers without \"File\"": {"*** Begin Patch\n*** Update: f.go\n" + aToB + tail, update},
		"markers in lower case": {"*** begin patch\n*** update file: f.go\n" + aToB + "*** end patch\n",
			update},
		"markers without spaces": {"***Begin Patch\n***Update File:f.go\n" + aToB + "***End Patch\n", update},
		"markers with stars behind": {"***Begin Patch***\n*** UpdateFile: f.go ***\n" + aToB +
			"*** End Patch ***\n", update},
		"an environment": {"*** Begin Patch\n*** Environment ID: 1\n*** Update File: f.go\n" +
			aToB + tail, update},
		"an anchor without a space": {head + "@@func f() {\n-a\n+b\n" + tail,
			accepttest.OneEdit("f.go", anchored)},
		"a diff's names": {head +
			"diff --git a/f.go b/f.go\nindex 1..2 100644\n--- a/f.go\n+++ b/f.go\n" + aToB + tail, update},
		"a diff's names alone": {"*** Begin Patch\n--- a/f.go\n+++ b/f.go\n" + aToB +
			"--- a/g.go\n+++ b/g.go\n" + aToB + tail, two},
		"git's names alone": {"*** Begin Patch\ndiff --git a/f.go b/f.go\n--- a/f.go\n+++ b/f.go\n" +
			aToB + "diff --git a/g.go b/g.go\nindex 1..2\n--- a/g.go\n+++ b/g.go\n" + aToB + tail, two},
		"a diff of a new file": {"*** Begin Patch\n--- /dev/null\n+++ b/n.go\n@@ -0,0 +1,1 @@\n+a\n" + tail,
			file("a\n")},
		"an empty chunk at the end":   {head + aToB + "@@\n" + tail, update},
		"an empty chunk below a body": {"*** Update File: f.go\n" + aToB + "@@\n", update},
		"an empty chunk below chunks": {aToB + "@@", accepttest.OneEdit("", e)},
		"an added file with blank lines": {"*** Begin Patch\n*** Add File: n.go\n\n+a\n\n \n+b\n\n" + tail,
			file("a\n\n\nb\n")},
		"empty chunks at the end": {head + aToB + "@@\n\n@@ f\n\n*** Update File: g.go\n" + aToB +
			"*** End of File\n@@\n" + tail, ended},
		"an added file without prefixes": {"*** Begin Patch\n*** Add File: n.go\npackage n\n\n\tx\n\n" + tail,
			file("package n\n\n\tx\n")},
		"an added file as a hunk":  {"*** Begin Patch\n*** Add File: n.go\n@@\n+a\n" + tail, file("a\n")},
		"an added file as a diff":  {"*** Begin Patch\n*** Add File: n.go\n--- /dev/null\n+++ b/n.go\n@@ -0,0 +1 @@\n+a\n" + tail, file("a\n")},
		"the end in an added file": {"*** Begin Patch\n*** Add File: n.go\n+a\n+" + tail, file("a\n")},
		"the end in a chunk":       {"```\n" + head + aToB + "+" + tail + "```\n", update},
		"a sample of a patch": {"*** Begin Patch\n*** Add File: n.go\n+*** Begin Patch\n+" + tail + tail,
			file("*** Begin Patch\n*** End Patch\n")},
		"a line without a prefix": {head + "@@\n\tf()\n-a\n+b\n\n}\n" + tail,
			accepttest.OneEdit("f.go", chunkOf("?\tf()\n-a\n+b\n \n?}\n"))},
	})
}

func TestMalformedPatchesThatMayMeanSomethingElseAreRefused(t *testing.T) {
	const begin, tail = "*** Begin Patch\n", "*** End Patch\n"
	checkRefused(t, atomicedit.ParseV4A, false, map[string]refused{
		"only lines without prefix": {begin + "*** Update File: a\n@@\nx\ny\n" + tail, 4,
			"not a line of a chunk"},
		"a chunk of them among others": {begin + "*** Update File: a\n@@\n-x\n@@\nx\n@@\n-y\n" + tail, 6,
			"not a line of a chunk"},
		"some lines of a new file with \"+\"": {begin + "*** Add File: a\nx\n+y\n" + tail, 4, "begins with \"+\", but"},
		"some lines of a new file without": {begin + "*** Add File: a\n+x\ny\n" + tail, 4,
			"every line of an added file"},
		"a new file with a space in front": {begin + "*** Add File: a\n x\n\n  y\n" + tail, 3, "content or a prefix"},
		"a new file with a minus in front": {begin + "*** Add File: a\n- x\n- y\n" + tail, 3, "content or a prefix"},
		"a new file in a fence": {begin + "*** Add File: a\n```\nx\n```\n" + tail, 3,
			"every line of an added file"},
		"a new file without prefix, no end": {"*** Add File: a\nx\n", 2, "every line of an added file"},
		"a hunk without lines":              {begin + "*** Add File: a\n@@\n" + tail, 3, "but no lines"},
		"a hunk without prefix": {begin + "*** Add File: a\n@@\nx\n" + tail, 4,
			"every line of an added file"},
		"blocks in a new file": {begin + "*** Add File: a\nx\n<<<<<<< SEARCH\n" + tail, 4,
			"every line of an added file"},
		"the names of another file": {begin + "*** Update File: a\n--- a/b\n+++ b/b\n@@\n-x\n" + tail, 4,
			"another format"},
		"a diff that deletes": {begin + "--- a/b\n+++ /dev/null\n@@\n-x\n" + tail, 2, "not a file header"},
		"an environment in a section": {begin + "*** Update File: a\n@@\n-x\n*** Environment ID: 1\n" + tail, 5,
			"misplaced"},
		"an anchor alone, perhaps cut off": {"*** Update File: a\n@@\n-x\n@@ f\n", 4, "without lines"},
		"a hint alone, perhaps cut off":    {"@@\n-x\n@@ -3,2 +3,2 @@", 3, "without lines"},
		"an end of file below nothing":     {begin + "*** End of File\n" + tail, 2, "is misplaced"},
		"the second Begin missing": {begin + "*** Delete File: a\n" + tail + "*** Delete File: b\n" + tail, 4,
			"outside the patch"},
		"a marker that is none": {begin + "*** Update File: a\n@@\n-x\n*** Rename File: b\n" + tail, 5,
			"is not a marker"},
		"words": {"bad\n", 1, "begins no patch"},
	})
	checkRefused(t, atomicedit.ParseV4A, true, map[string]refused{
		"a sample of a patch at the end": {begin + "*** Add File: a\n+" + begin + "+" + tail, 4, "cut off"},
		"an end in front of other lines": {begin + "*** Add File: a\n+" + tail + "+x\n", 4, "cut off"},
	})
}

// A patchLine is a line of a well-formed patch.
type patchLine struct{ kind, text string }

// drawPatchLines draws the lines of a well-formed patch.
func drawPatchLines(t *rapid.T) (lines []patchLine) {
	add := func(kind, text string) { lines = append(lines, patchLine{kind, text}) }
	content := rapid.SampledFrom([]string{"", "a", "\tb := 1", "  c", "}", "é", "d \\", "- e", "@@", "*** x",
		"*** End Patch"})
	add("begin", "*** Begin Patch")
	for range rapid.IntRange(1, 3).Draw(t, "files") {
		path := rapid.SampledFrom([]string{"f.go", "dir/g h.go"}).Draw(t, "path")
		if rapid.IntRange(0, 2).Draw(t, "kind") == 0 {
			add("header", "*** Add File: "+path)
			for range rapid.IntRange(0, 4).Draw(t, "lines") {
				add("new", "+"+content.Draw(t, "line"))
			}
			continue
		}
		add("header", "*** Update File: "+path)
		for range rapid.IntRange(1, 3).Draw(t, "chunks") {
			add("chunk", "@@"+rapid.SampledFrom([]string{"", " func f() {", " 12"}).Draw(t, "anchor"))
			for range rapid.IntRange(0, 4).Draw(t, "lines") {
				add("line", rapid.SampledFrom([]string{" ", "-", "+"}).Draw(t, "prefix")+content.Draw(t, "line"))
			}
			add("line", "-"+content.Draw(t, "removed"))
		}
	}
	add("end", "*** End Patch")
	return lines
}

// damages change a patch the way models do.
var damages = map[string]func(t *rapid.T, lines []patchLine) []patchLine{
	"no Begin": func(_ *rapid.T, lines []patchLine) []patchLine { return lines[1:] },
	"lower case": eachMarker(func(s string) string {
		name, path, named := strings.Cut(s, ":")
		return strings.ToLower(name) + map[bool]string{true: ":"}[named] + path
	}),
	"no space":     eachMarker(func(s string) string { return strings.Replace(s, "*** ", "***", 1) }),
	"no \"File\"":  eachMarker(func(s string) string { return strings.Replace(s, " File:", ":", 1) }),
	"stars behind": eachMarker(func(s string) string { return s + " ***" }),
	"an end with a plus": func(_ *rapid.T, lines []patchLine) []patchLine {
		lines[len(lines)-1].text = "+*** End Patch"
		return lines
	},
	"an environment": after("begin", func(string) string { return "*** Environment ID: x" }),
	"names of a diff": after("header", func(header string) string {
		if _, path, ok := strings.Cut(header, "Update File: "); ok {
			return "--- a/" + path + "\n+++ b/" + path
		}
		return ""
	}),
	"a diff's hunk": after("header", func(header string) string {
		if strings.Contains(header, "Add File: ") {
			return "@@ -0,0 +1,2 @@"
		}
		return ""
	}),
	"an empty chunk": func(_ *rapid.T, lines []patchLine) []patchLine {
		last := len(lines) - 1
		if k := lines[last-1].kind; k != "line" {
			return lines
		}
		return append(lines[:last:last], patchLine{"chunk", "@@"}, lines[last])
	},
	"anchors without a space": func(_ *rapid.T, lines []patchLine) []patchLine {
		for i, l := range lines {
			if l.kind == "chunk" {
				lines[i].text = strings.Replace(l.text, "@@ ", "@@", 1)
			}
		}
		return lines
	},
	"lines without prefix": func(t *rapid.T, lines []patchLine) []patchLine {
		for i, l := range lines {
			if bare := strings.TrimPrefix(l.text, " "); l.kind == "line" && bare != l.text &&
				strings.IndexAny(bare, " -@*") != 0 && rapid.Bool().Draw(t, "prefix lost") {
				lines[i].text = bare
			}
		}
		return lines
	},
	"files without prefix": func(_ *rapid.T, lines []patchLine) []patchLine {
		for i, l := range lines {
			isEdge := lines[max(0, i-1)].kind != "new" || lines[min(i+1, len(lines)-1)].kind != "new"
			if l.kind == "new" && isEdge && l.text == "+" { // a blank line that may be between the files
				return lines
			}
		}
		for i, l := range lines {
			if l.kind == "new" {
				lines[i].text = l.text[1:]
			}
		}
		return lines
	},
}

func eachMarker(change func(string) string) func(*rapid.T, []patchLine) []patchLine {
	return func(t *rapid.T, lines []patchLine) []patchLine {
		for i, l := range lines {
			if (l.kind == "begin" || l.kind == "header" || l.kind == "end") && rapid.Bool().Draw(t, "marker") {
				lines[i].text = change(l.text)
			}
		}
		return lines
	}
}

// after puts a line below each line of a kind, unless it is "".
func after(kind string, text func(above string) string) func(*rapid.T, []patchLine) []patchLine {
	return func(_ *rapid.T, lines []patchLine) (all []patchLine) {
		for _, l := range lines {
			all = append(all, l)
			if s := text(l.text); l.kind == kind && s != "" {
				all = append(all, patchLine{"more", s})
			}
		}
		return all
	}
}

func joined(lines []patchLine) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

// TestADamagedPatchAsksForTheSameOrIsRefused: a patch with several of the things that models get wrong is read as the
// patch without them, or refused, but never read as another.
func TestADamagedPatchAsksForTheSameOrIsRefused(t *testing.T) {
	read := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		lines := drawPatchLines(t)
		want := accepttest.Must(atomicedit.ParseV4A(joined(lines)))
		names := rapid.SampledFrom(slices.Sorted(maps.Keys(damages)))
		for _, name := range rapid.SliceOfNDistinct(names, 1, 3, rapid.ID[string]).Draw(t, "damages") {
			lines = damages[name](t, lines)
		}
		text := joined(lines)
		around := rapid.SampledFrom([]string{"", "Words.\n\n```diff\n%s```\nDone.\n",
			"apply_patch <<'EOF'\n%sEOF\n"}).Draw(t, "around")
		if around != "" {
			text = strings.Replace(around, "%s", text, 1)
		}
		if rapid.Bool().Draw(t, "CRLF") {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		got, err := atomicedit.ParseV4A(text)
		read[err == nil]++
		if err != nil {
			var r *atomicedit.Refusal
			if !errors.As(err, &r) {
				t.Fatal(err)
			}
			return
		}
		for _, op := range got.Ops {
			for i := range op.Edits {
				op.Edits[i].Hunk = strings.ReplaceAll(op.Edits[i].Hunk, "?", " ")
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("plan (-undamaged +damaged):\n%s\n%s", diff, text)
		}
	})
	if read[true] < read[false] {
		t.Errorf("%d read, %d refused", read[true], read[false])
	}
}
