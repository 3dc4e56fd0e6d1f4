package formats_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Empty lines are context lines that lost their space, but for those at the end.
func TestAHunkKeepsItsPairingOfLines(t *testing.T) {
	got, err := atomicedit.ParseV4A("*** Begin Patch\n*** Update File: f\n@@\n a\n-b\n+c\n\\ No newline at end of file\n\n d\n\n*** End Patch\n")
	want := accepttest.OneEdit("f",
		atomicedit.Edit{Old: "a\nb\n\nd\n", New: "a\nc\n\nd\n", WholeLines: true, Hunk: " -+\\  "})
	if diff := cmp.Diff(want, got, accepttest.ButWords); diff != "" || err != nil {
		t.Errorf("%v, plan (-want +got):\n%s", err, diff)
	}
}

func TestParseV4A(t *testing.T) {
	const aToB = "@@\n-a\n+b\n"
	update := func(chunks ...atomicedit.Edit) atomicedit.Plan {
		return atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f.go", Edits: chunks}}}
	}
	with := func(e atomicedit.Edit, change func(*atomicedit.Edit)) atomicedit.Edit { change(&e); return e }
	e := chunkOf("-a\n+b\n")
	inPatch := func(s string) string { return "*** Begin Patch\n*** Update File: f.go\n" + s + "*** End Patch\n" }
	checkRead(t, atomicedit.ParseV4A, map[string]requested{
		"an update":                  {inPatch(aToB), update(e)},
		"a path in code marks":       {strings.Replace(inPatch(aToB), "f.go", "`f.go`", 1), update(e)},
		"a path in quotes":           {strings.Replace(inPatch(aToB), "f.go", "\"f.go\" ***", 1), update(e)},
		"CRLF":                       {strings.ReplaceAll(inPatch(aToB), "\n", "\r\n"), update(e)},
		"without a final newline":    {strings.TrimSuffix(inPatch(aToB), "\n"), update(e)},
		"the first @@ is missing":    {inPatch("-a\n+b\n"), update(e)},
		"a diff's names of the file": {inPatch("--- a/f.go\n+++ b/f.go\n" + aToB), update(e)},
		"a line like a diff's name":  {inPatch("@@\n-a\n+b\n+++ c\n"), update(chunkOf("-a\n+b\n+++ c\n"))},
		"two chunks":                 {inPatch(aToB + aToB), update(e, e)},
		"an anchor": {inPatch("@@ func f() {\n-a\n+b\n"),
			update(with(e, func(e *atomicedit.Edit) { e.Anchors = []string{"func f() {"} }))},
		"stacked anchors": {
			inPatch("@@ class A:\n@@   def f():\n@@\n-a\n+b\n"),
			update(with(e, func(e *atomicedit.Edit) { e.Anchors = []string{"class A:", "  def f():"} })),
		},
		"an anchor between @@": {inPatch("@@ func f() { @@\n-a\n+b\n"),
			update(with(e, func(e *atomicedit.Edit) { e.Anchors = []string{"func f() {"} }))},
		"a line hint": {inPatch("@@ -12,3 +12,4 @@ func f()\n-a\n+b\n"),
			update(with(e, func(e *atomicedit.Edit) { e.Near, e.Section = 12, "func f()" }))},
		"an insertion hint": {inPatch("@@ -12,0 +13 @@\n+b\n"),
			update(with(chunkOf("+b\n"), func(e *atomicedit.Edit) { e.Near = 13 }))},
		"dots are no anchor": {inPatch("@@ ... @@\n-a\n+b\n"), update(e)},
		"end of file": {inPatch("@@\n-a\n+b\n*** End of File\n"),
			update(with(e, func(e *atomicedit.Edit) { e.AtEnd = true }))},
		"end of file, then a chunk": {
			inPatch("@@\n-a\n+b\n*** End of File\n" + aToB),
			update(with(e, func(e *atomicedit.Edit) { e.AtEnd = true }), e),
		},
		"only added lines": {inPatch("@@\n+b\n"), update(chunkOf("+b\n"))},
		"an empty line is context": {inPatch("@@\n\n-a\n+b\n\n c\n"),
			update(chunkOf(" \n-a\n+b\n \n c\n"))},
		"empty lines before markers are not": {inPatch("\n@@\n-a\n+b\n\n\n@@\n-a\n+b\n\n"), update(e, e)},
		"no newline": {inPatch("@@\n-a\n+b\n\\ No newline at end of file\n"),
			update(chunkOf("-a\n+b\n\\\n"))},
		"padded markers": {" *** Begin Patch \n  *** Update File: f.go \n@@\n-a\n+b\n *** End Patch\t\n",
			update(e)},
		"markers with stars behind":  {"*** Begin Patch ***\n*** Update File: f.go ***\n@@\n-a\n+b\n*** End Patch ***\n", update(e)},
		"text around":                {"Here it is:\n```\n" + inPatch(aToB) + "```\nDone.\n", update(e)},
		"a here-document around":     {"apply_patch <<'EOF'\n" + inPatch(aToB) + "EOF\n", update(e)},
		"neither Begin nor End":      {"*** Update File: f.go\n@@\n-a\n+b\n", update(e)},
		"neither, in a fence":        {"```diff\n*** Update File: f.go\n@@\n-a\n+b\n```\n", update(e)},
		"neither, in a longer fence": {"````diff\n*** Update File: f.go\n@@\n-a\n+b\n````\n", update(e)},
		"neither, in a here-document": {"%%bash\napply_patch <<\"EOF\"\n*** Update File: f.go\n@@\n-a\n+b\nEOF\n\n",
			update(e)},
		"a bare body": {aToB, accepttest.OneEdit("", e)},
		"an indented marker in a chunk is text": {inPatch("@@\n *** Update File: x\n *** End Patch\n-a\n+b\n"),
			update(chunkOf(" *** Update File: x\n *** End Patch\n-a\n+b\n"))},
		"a move": {
			"*** Begin Patch\n*** Update File: f.go\n*** Move to: g.go\n*** End Patch\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpMove, Path: "f.go", To: "g.go"}}},
		},
		"a move with context alone": {
			inPatch("*** Move to: g.go\n@@\n a\n"),
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpMove, Path: "f.go", To: "g.go",
				Edits: []atomicedit.Edit{chunkOf(" a\n")}}}},
		},
		"a move that edits": {
			inPatch("*** Move to: g.go\n" + aToB),
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpMove, Path: "f.go", To: "g.go",
				Edits: []atomicedit.Edit{e}}}},
		},
		"add and delete": {
			"*** Begin Patch\n*** Add File: dir/n.go\n+a\n+\n++b\n\n*** Delete File: o.go\n\n*** Add File: empty\n*** End Patch\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "dir/n.go", Content: "a\n\n+b\n"},
				{Kind: atomicedit.OpDelete, Path: "o.go"}, {Kind: atomicedit.OpCreate, Path: "empty"}}},
		},
		"CRLF in chunks alone": {
			"@@\r\n+a\r\n", atomicedit.Plan{Ops: []atomicedit.Op{{Edits: []atomicedit.Edit{{New: "a\n",
				WholeLines: true, Hunk: "+"}}}}},
		},
		"CRLF in an added file alone": {
			"*** Begin Patch\n*** Add File: n.go\n+a\r\n+b\n*** End Patch\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "n.go", Content: "a\r\nb\n"}}},
		},
		"an added file in a request with CRLF": {
			"*** Begin Patch\r\n*** Add File: n.go\r\n+a\r\n*** End Patch\r\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "n.go", Content: "a\n"}}},
		},
		"two sections of one file": {
			inPatch(aToB + "*** Update File: f.go\n" + aToB),
			atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f.go", Edits: []atomicedit.Edit{e}},
				{Path: "f.go", Edits: []atomicedit.Edit{e}}}},
		},
		"two patches": {inPatch(aToB) + "and\n" + inPatch(aToB),
			atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f.go", Edits: []atomicedit.Edit{e}},
				{Path: "f.go", Edits: []atomicedit.Edit{e}}}}},
	})
}

func TestParseV4AReadsABodyWithoutAnyMarker(t *testing.T) {
	got, err := atomicedit.ParseV4A(" a\n-b\n+c\n")
	if diff := cmp.Diff(accepttest.OneEdit("", chunkOf(" a\n-b\n+c\n")), got, accepttest.ButWords); err != nil ||
		diff != "" {
		t.Errorf("%v, plan (-want +got):\n%s", err, diff)
	}
}

func TestParseV4ARefuses(t *testing.T) {
	begin := "*** Begin Patch\n"
	checkRefused(t, atomicedit.ParseV4A, false, map[string]refused{
		"nothing":                 {"\n", 1, "no patch here"},
		"an empty patch":          {begin + "*** End Patch\n", 2, "the patch is empty"},
		"an unknown header":       {begin + "*** Rename File: a\n*** End Patch\n", 2, "not a file header"},
		"an update without lines": {begin + "*** Update File: a\n*** End Patch\n", 2, "an update without lines"},
		"an anchor without lines": {begin + "*** Update File: a\n@@ f\n*** End Patch\n", 3,
			"\"@@\" without lines"},
		"the end of file alone": {begin + "*** Update File: a\n@@\n*** End of File\n*** End Patch\n", 4,
			"is misplaced"},
		"lines after the end of file": {begin + "*** Update File: a\n@@\n-a\n*** End of File\n-b\n*** End Patch\n", 6,
			"expected \"@@\""},
		"an added line without prefix": {begin + "*** Add File: a\n+x\ny\n*** End Patch\n", 4,
			"every line of an added file"},
		"an added line without prefix below a blank one": {
			begin + "*** Add File: a\n+x\n\ny\n*** End Patch\n", 5, "even a blank one",
		},
		"lines below a deletion": {begin + "*** Delete File: a\n-x\n*** End Patch\n", 3, "expected no lines"},
		"a diff's name of another file": {begin +
			"*** Update File: a\n@@\n-a\n+b\n+++ b/g.go\n@@\n-c\n+d\n*** End Patch\n", 6, "another format"},
		"a diff of another file": {begin +
			"*** Update File: a\n--- a/g.go\n+++ b/g.go\n@@\n-c\n+d\n*** End Patch\n", 4, "another format"},
		"blocks in an update": {begin +
			"*** Update File: a\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n*** End Patch\n", 3,
			"not a line of a chunk"},
		"another verb": {begin + "*** Modify File: a\n@@\n-x\n*** End Patch\n", 2, "not a file header"},
		"no path":      {begin + "*** Update File:\n@@\n-x\n*** End Patch\n", 2, "names no file"},
		"a misplaced move": {begin + "*** Update File: a\n@@\n-x\n*** Move to: b\n*** End Patch\n", 5,
			"misplaced"},
		"a second begin": {begin + begin + "*** Delete File: a\n*** End Patch\n", 2, "a second"},
		"a section outside": {begin + "*** Delete File: a\n*** End Patch\n*** Delete File: b\n", 4,
			"outside the patch"},
		"a quoted section outside": {"> *** Delete File: b\n*** Delete File: a\n*** End Patch\n", 1, "outside the patch"},
		"chunks outside":           {begin + "*** Delete File: a\n*** End Patch\n@@\n-x\n", 4, "outside the patch"},
		"a block after": {begin + "*** Delete File: a\n*** End Patch\n<<<<<<< SEARCH\n", 4,
			"another format"},
		"text after a bare patch":     {"```\n*** Delete File: a\n```\nDone.\n", 1, "begins no patch"},
		"a header below a bare body":  {"-a\n+b\n*** Delete File: a\n", 3, "belong to no file"},
		"no patch at all, some words": {"bad\n", 1, "begins no patch"},
	})
	checkRefused(t, atomicedit.ParseV4A, true, map[string]refused{
		"no end":         {begin + "*** Update File: a\n@@\n-x\n+y\n", 5, "cut off"},
		"half a marker":  {begin + "*** Delete File: a\n*** Upd", 3, "cut off"},
		"half an anchor": {begin + "*** Update File: a\n@@\n-x\n@", 5, "cut off"},
		"only a begin":   {begin, 1, "cut off"},
		"half a chunk":   {" a\n+b\n*** Delete File: a\n*** End Patch\n", 3, "without \"*** Begin Patch\""},
		"no begin":       {"@@\n-a\n+b\n*** End Patch\n", 4, "without \"*** Begin Patch\""},
	})
}

func TestACutOffPatchShowsWhatWasComplete(t *testing.T) {
	_, err := atomicedit.ParseV4A("*** Begin Patch\n*** Delete File: a\n*** Update File: b\n@@\n-x\n+y\n@@\n-z\n")
	var r *atomicedit.Refusal
	if !errors.As(err, &r) {
		t.Fatal(err)
	}
	want := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpDelete, Path: "a"},
		{Path: "b", Edits: []atomicedit.Edit{chunkOf("-x\n+y\n")}}}}
	if diff := cmp.Diff(want, r.Partial, accepttest.ButWords); diff != "" {
		t.Errorf("partial plan (-want +got):\n%s", diff)
	}
}

func TestAPatchOfAnyContentIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want atomicedit.Plan
		text := "*** Begin Patch\n"
		for i := range rapid.IntRange(1, 4).Draw(t, "files") {
			op := atomicedit.Op{Path: fmt.Sprintf("dir/f %d.go", i)}
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				op.Kind, op.Content = atomicedit.OpCreate, accepttest.DrawLines(t, "content", 1)
				text += "*** Add File: " + op.Path + "\n+" + strings.ReplaceAll(strings.TrimSuffix(op.Content, "\n"),
					"\n", "\n+") + "\n"
			case 1:
				op.Kind = atomicedit.OpDelete
				text += "*** Delete File: " + op.Path + "\n"
			default:
				text += "*** Update File: " + op.Path + "\n"
				if rapid.Bool().Draw(t, "move") {
					op.Kind, op.To = atomicedit.OpMove, op.Path+".new"
					text += "*** Move to: " + op.To + "\n"
				}
				for range rapid.IntRange(1, 3).Draw(t, "chunks") {
					lines := accepttest.DrawHunk(t)
					e := chunkOf(lines)
					text += "@@"
					if rapid.Bool().Draw(t, "anchored") {
						text += " func f() {"
						e.Anchors = []string{"func f() {"}
					}
					text += "\n" + lines
					if e.AtEnd = rapid.Bool().Draw(t, "at end"); e.AtEnd {
						text += "*** End of File\n"
					}
					op.Edits = append(op.Edits, e)
				}
			}
			want.Ops = append(want.Ops, op)
		}
		text += "*** End Patch\n"
		got, err := atomicedit.ParseV4A(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(want, got, accepttest.ButWords); diff != "" {
			t.Errorf("plan (-want +got):\n%s\n%s", diff, text)
		}
	})
}

func TestAMoveThatShowsContextNeedsItToBeThere(t *testing.T) {
	for context, want := range map[string]error{"a\n": nil, "b\n": atomicedit.ErrNotFound} {
		p := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpMove, Path: "f", To: "g",
			Edits: []atomicedit.Edit{{Old: context, New: context, WholeLines: true}}}}}
		m := atomicedit.NewMem(map[string]string{"f": "a\n"})
		_, err := atomicedit.Run(t.Context(), m, p, nil)
		if !errors.Is(err, want) || err != nil && want == nil {
			t.Errorf("%q: %v, want %v", context, err, want)
		}
		if got := m.Files(); want == nil && got["g"] != "a\n" || want != nil && got["f"] != "a\n" {
			t.Errorf("%q: %v", context, got)
		}
	}
}
