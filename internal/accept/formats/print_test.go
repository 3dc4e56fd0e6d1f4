package formats_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// farthest is the greatest line number that the formats can express.
const farthest = 1 << 30

// Lines and names that look like what the formats are made of.
var (
	printLine = rapid.OneOf(accepttest.ContentLine, rapid.SampledFrom([]string{
		"a\r", "\r", "=======\r", "=========", "========== ", "<<<<<<<< SEARCH", ">>>>>>>>> REPLACE>", "------- SEARCH",
		"+++++++ REPLACE", "<< SEARCH",
		":start_line:3", " :end_line: x", "-------", "*** Begin Patch", "*** End of File", " *** End Patch ***",
		"@@ -1,2 +3,4 @@", "+++ y", "...", "{}", "\\ No",
		"diff --git a/x b/x", "~~~", " \t ", "\v", "\xff", "\x00", "…",
	}), rapid.StringN(0, 3, 6).Filter(func(s string) bool { return !strings.Contains(s, "\n") }))
	printName = rapid.SampledFrom([]string{
		"f", "dir/f.go", "my dir/f.go", "Makefile", "f.go:x", "x ***", "{x}.go", "#x", "-----", "=======", "~~~x",
		"file:x", "a'b.go", "Begin Patch", "+x", "é", "a\tb.c",
	})
	printAnchor = rapid.OneOf(rapid.SampledFrom([]string{
		"func f() {", "  def f(self):", "\tx", "@@ x", "x @@", "x @@ @@", "-1,2 +3,4", "*** End Patch", "+x", "{",
		"=======",
	}), rapid.StringMatching(`[ -@\t.,a]{1,12}`))
)

func drawText(t *rapid.T, label string) string {
	lines := rapid.SliceOfN(printLine, 0, 5).Draw(t, label)
	return strings.Join(append(lines, ""), "\n")
}

// drawWildPlan draws a plan that hardly any format can express.
func drawWildPlan(t *rapid.T) atomicedit.Plan {
	seldom := rapid.Custom(func(t *rapid.T) bool { return rapid.IntRange(0, 12).Draw(t, "seldom") == 7 })
	wildName := rapid.OneOf(printName, printName, rapid.String(),
		rapid.SampledFrom([]string{"", "", "a\nb", " a", "a\r", "***", "`", "a:"}))
	number := func(label string) int {
		return rapid.SampledFrom([]int{0, 0, 0, 0, 1, 7, -1, farthest, farthest + 1}).Draw(t, label)
	}
	p := atomicedit.Plan{DryRun: seldom.Draw(t, "preview")}
	for range rapid.IntRange(0, 3).Draw(t, "ops") {
		op := atomicedit.Op{Kind: atomicedit.OpKind(rapid.IntRange(0, 3).Draw(t, "kind")),
			Path: wildName.Draw(t, "path"), Overwrite: seldom.Draw(t, "overwrite"),
			Exclusive: seldom.Draw(t, "exclusive")}
		if len(p.Ops) > 0 && rapid.Bool().Draw(t, "same file") {
			op.Path = p.Ops[len(p.Ops)-1].Path
		}
		if op.Kind == atomicedit.OpMove || seldom.Draw(t, "moved") {
			op.To = wildName.Draw(t, "to")
		}
		if op.Kind == atomicedit.OpCreate || seldom.Draw(t, "with content") {
			op.Content = drawText(t, "content") + rapid.SampledFrom([]string{"", "", "x"}).Draw(t, "end")
		}
		if seldom.Draw(t, "version") {
			op.Version = "sha256:0"
		}
		if seldom.Draw(t, "mode") {
			op.Mode = 0o755
		}
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			e := atomicedit.Edit{Old: drawText(t, "old"), New: drawText(t, "new"),
				WholeLines: !seldom.Draw(t, "substring"), AtEnd: seldom.Draw(t, "at end"), Near: number("near")}
			if seldom.Draw(t, "count") {
				e.Count = number("times")
			}
			if seldom.Draw(t, "by lines") {
				e.Old, e.First, e.Last = "", number("first"), number("last")
			}
			if seldom.Draw(t, "anchored") {
				e.Anchors = rapid.SliceOfN(rapid.OneOf(printAnchor, rapid.String()), 0, 2).Draw(t, "after")
			}
			if seldom.Draw(t, "unended") {
				e.New += "x"
			}
			if seldom.Draw(t, "section") {
				e.Section = rapid.OneOf(printAnchor, rapid.String()).Draw(t, "heading")
			}
			op.Edits = append(op.Edits, e)
		}
		p.Ops = append(p.Ops, op)
	}
	return p
}

func TestAPlanIsPrintedAndReadBackOrRefused(t *testing.T) {
	for name, f := range accepttest.Printers() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := drawWildPlan(t)
				text, err := f.Print(p)
				var r *atomicedit.Refusal
				switch {
				case err == nil:
					accepttest.CheckPrinted(t, f, p)
				case !errors.As(err, &r) || !errors.Is(err, errors.ErrUnsupported) || text != "":
					t.Fatalf("got %q, %v; want a refusal with errors.ErrUnsupported", text, err)
				}
			})
		})
	}
}

// drawV4A draws a plan that a V4A patch can express, with every part that it can have.
func drawV4A(t *rapid.T) atomicedit.Plan {
	var p atomicedit.Plan
	for range rapid.IntRange(1, 4).Draw(t, "ops") {
		op := atomicedit.Op{Kind: atomicedit.OpKind(rapid.IntRange(0, 3).Draw(t, "kind")),
			Path: printName.Draw(t, "path")}
		switch op.Kind {
		case atomicedit.OpCreate:
			op.Content = drawText(t, "content")
		case atomicedit.OpMove:
			op.To = printName.Draw(t, "to")
		}
		if op.Kind == atomicedit.OpEdit || op.Kind == atomicedit.OpMove && rapid.Bool().Draw(t, "edited") {
			for range rapid.IntRange(1, 3).Draw(t, "edits") {
				e := atomicedit.Edit{Old: drawText(t, "old"), New: drawText(t, "new"), WholeLines: true,
					AtEnd: rapid.Bool().Draw(t, "at end")}
				if e.Old+e.New == "" {
					e.New += "one more\n"
				}
				e.Near = rapid.SampledFrom([]int{0, 0, 1, 12, farthest}).Draw(t, "near")
				e.Section = rapid.SampledFrom([]string{"", "", "func f() {", "@@ x", "@@", "é"}).Draw(t, "section")
				e.Anchors = rapid.SliceOfN(printAnchor.Filter(sayableAnchor), 0, 3).Draw(t, "after")
				op.Edits = append(op.Edits, e)
			}
		}
		p.Ops = append(p.Ops, op)
	}
	if len(p.Ops) == 1 && p.Ops[0].Kind == atomicedit.OpEdit && !strings.Contains(fmt.Sprint(p), "*** Begin Patch") &&
		rapid.Bool().Draw(t, "bare") {
		p.Ops[0].Path = ""
	}
	return p
}

// lineHint is what hunk headers have between "@@" and "@@", and more that might be read as such.
var lineHint = regexp.MustCompile(`^-[-+0-9,]+ \+[-+0-9,]+( @@|$)`)

// sayableAnchor reports whether "@@" before s reads as an anchor.
func sayableAnchor(s string) bool {
	return strings.TrimRight(s, " \t") == s && s != "" && s != "..." && s != "@@" && !lineHint.MatchString(s)
}

// startsWithHint reports whether the first line of s reads as the line number of a block.
func startsWithHint(s string) bool {
	first, _, _ := strings.Cut(s, "\n")
	first = strings.TrimSpace(first)
	return strings.HasPrefix(first, ":start_line:") || strings.HasPrefix(first, ":end_line:")
}

// drawBlocks draws a plan that blocks can express.
func drawBlocks(t *rapid.T) atomicedit.Plan {
	var p atomicedit.Plan
	names := []string{"f", "dir/f.go", "my dir/f.go", "Makefile", "#x", "=======", "{x}.go", "a'b.go"}
	if rapid.Bool().Draw(t, "without a name first") {
		names = append([]string{""}, names...)
	}
	for _, name := range names[:rapid.IntRange(1, len(names)).Draw(t, "ops")] {
		op := atomicedit.Op{Path: name}
		if rapid.Bool().Draw(t, "created") {
			op.Kind, op.Content = atomicedit.OpCreate, drawText(t, "content")
		}
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			e := atomicedit.Edit{Old: drawText(t, "old"), New: drawText(t, "new"), WholeLines: true}
			switch e.Near = rapid.SampledFrom([]int{0, 0, 1, 12, farthest}).Draw(t, "near"); {
			case e.Old == "":
				e.First, e.Near = e.Near+1, 0
			}
			op.Edits = append(op.Edits, e)
		}
		if op.Kind == atomicedit.OpEdit && len(op.Edits) == 0 {
			op.Edits = []atomicedit.Edit{accepttest.Lines("a\n", "b\n")}
		}
		p.Ops = append(p.Ops, op)
	}
	// Blocks cannot express new text that begins like a hint.
	for i := range p.Ops {
		if op := &p.Ops[i]; startsWithHint(op.Content) {
			op.Content = "x\n" + op.Content
		}
		for k := range p.Ops[i].Edits {
			if e := &p.Ops[i].Edits[k]; startsWithHint(e.New) {
				e.New = "x\n" + e.New
			}
		}
	}
	return p
}

func TestWhatAFormatCanSayIsPrinted(t *testing.T) {
	draw := map[string]func(*rapid.T) atomicedit.Plan{"v4a": drawV4A, "blocks": drawBlocks, "unified": drawUnified}
	for name, f := range accepttest.Printers() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { accepttest.CheckPrinted(t, f, draw[name](t)) })
		})
	}
}

// A person would write plans in the same way.
func TestPrintedPlans(t *testing.T) {
	e := atomicedit.Edit{Old: "a\nb\nc\n", New: "a\nB\nc\n", WholeLines: true, Near: 7}
	p := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "n.txt", Content: "one\n\n"},
		{Path: "my f.txt", Edits: []atomicedit.Edit{e, accepttest.Lines("=======\n", "")}}}}
	const v4a = "*** Begin Patch\n*** Add File: n.txt\n+one\n+\n*** Update File: my f.txt\n@@ -7,3 +7,3 @@\n a\n-b\n+B\n c\n@@\n-=======\n*** End Patch\n"
	const blocks = "n.txt\n<<<<<<< SEARCH\n=======\none\n\n>>>>>>> REPLACE\n`my f.txt`\n<<<<<<< SEARCH\n:start_line:7\n-------\na\nb\nc\n=======\na\nB\nc\n>>>>>>> REPLACE\n" +
		"<<<<<<<< SEARCH\n=======\n========\n>>>>>>>> REPLACE\n"
	got, err := p.V4A()
	if err != nil || got != v4a {
		t.Errorf("got %v, (-want +got):\n%s", err, cmp.Diff(v4a, got))
	}
	got, err = p.Blocks()
	if err != nil || got != blocks {
		t.Errorf("got %v, (-want +got):\n%s", err, cmp.Diff(blocks, got))
	}
}

func TestWhatAFormatCannotSayIsRefused(t *testing.T) {
	ab := accepttest.Lines("a\n", "b\n")
	with := func(e atomicedit.Edit, change func(*atomicedit.Edit)) atomicedit.Plan {
		change(&e)
		return accepttest.OneEdit("f", e)
	}
	one := func(op atomicedit.Op) atomicedit.Plan { return atomicedit.Plan{Ops: []atomicedit.Op{op}} }
	for name, tt := range map[string]struct {
		plan                 atomicedit.Plan
		v4a, blocks, unified string // parts of the messages, "" if it is printed
	}{
		"nothing": {atomicedit.Plan{}, "without operations", "without operations",
			"without operations"},
		"a dry run": {atomicedit.Plan{Ops: one(atomicedit.Op{Path: "f",
			Edits: []atomicedit.Edit{ab}}).Ops, DryRun: true}, "a dry run", "a dry run", "a dry run"},
		"a deletion": {one(atomicedit.Op{Kind: atomicedit.OpDelete, Path: "f"}), "", "the deletion",
			"without its lines"},
		"a move": {one(atomicedit.Op{Kind: atomicedit.OpMove, Path: "f", To: "g"}), "",
			"the move", ""},
		"a move that shows context": {one(atomicedit.Op{Kind: atomicedit.OpMove, Path: "f", To: "g",
			Edits: []atomicedit.Edit{accepttest.Lines("a\n", "a\n")}}), "", "the move", ""},
		"an unknown kind": {one(atomicedit.Op{Kind: 9, Path: "f", Edits: []atomicedit.Edit{ab}}),
			"unknown kind", "unknown kind", "unknown kind"},
		"an edit of nothing": {one(atomicedit.Op{Path: "f"}), "without edits", "without edits",
			"without edits"},
		"a version": {one(atomicedit.Op{Path: "f", Edits: []atomicedit.Edit{ab},
			Version: atomicedit.VersionOf(nil)}), "the version", "the version", "the version"},
		"an overwrite": {one(atomicedit.Op{Kind: atomicedit.OpCreate, Path: "f", Overwrite: true}),
			"replace another", "replace another", "replace another"},
		"an exclusive creation": {one(atomicedit.Op{Kind: atomicedit.OpCreate, Path: "f", Exclusive: true}),
			"an empty one", "an empty one", "an empty one"},
		"a mode": {one(atomicedit.Op{Kind: atomicedit.OpCreate, Path: "f", Mode: 0o755}),
			"permissions", "permissions", ""},
		"an unended file": {one(atomicedit.Op{Kind: atomicedit.OpCreate, Path: "f", Content: "a"}),
			"without a newline", "without a newline", ""},
		"a file with CRLF": {one(atomicedit.Op{Kind: atomicedit.OpCreate, Path: "f",
			Content: "a\r\nb\n"}), "", "", ""},
		"a file created and edited": {one(atomicedit.Op{Kind: atomicedit.OpCreate, Path: "f", Content: "a\n",
			Edits: []atomicedit.Edit{ab}}), "edits of a file that it creates", "", "edits of a file that it creates"},
		"a substring": {accepttest.OneEdit("f", atomicedit.Edit{Old: "a", New: "b"}),
			"part of a line", "part of a line", "part of a line"},
		"an unended line": {accepttest.OneEdit("f", accepttest.Lines("a", "b\n")), "without a newline",
			"without a newline", "without a newline"},
		"a count": {with(ab, func(e *atomicedit.Edit) { e.Count = atomicedit.All }), "how often",
			"how often", "how often"},
		"a range of lines": {accepttest.OneEdit("f",
			atomicedit.Edit{First: 1, Last: 2, New: "a\n", WholeLines: true}), "lines by their numbers",
			"lines by their numbers", "lines by their numbers"},
		"a range of columns": {accepttest.OneEdit("f", accepttest.Ranged(1, 0, 1, 1, "a")),
			"a range to replace", "a range to replace", "a range to replace"},
		"an insertion by line": {accepttest.OneEdit("f",
			atomicedit.Edit{First: 1, New: "a\n", WholeLines: true}), "by line number", "", "the line number"},
		"an insertion at the end": {accepttest.OneEdit("f", accepttest.Lines("", "b\n")), "",
			"without a line number", ""},
		"an anchor": {with(ab, func(e *atomicedit.Edit) { e.Anchors = []string{"x"} }), "",
			"anchors", "anchors"},
		"a heading": {with(ab, func(e *atomicedit.Edit) { e.Section = "func f()" }), "",
			"the section", ""},
		"a heading of two lines": {with(ab, func(e *atomicedit.Edit) { e.Section = "func f()\n-x" }),
			"the section", "the section", "the section"},
		"a blank anchor": {with(ab, func(e *atomicedit.Edit) { e.Anchors = []string{" "} }),
			"the anchors", "anchors", "anchors"},
		"an anchor like a hint": {with(ab, func(e *atomicedit.Edit) { e.Anchors = []string{"-1 +1 @@"} }),
			"the anchors", "anchors", "anchors"},
		"at the end": {with(ab, func(e *atomicedit.Edit) { e.AtEnd = true }), "", "ends there",
			"ends there"},
		"an edit without a last newline": {accepttest.OneEdit("f", chunkOf("-a\n\\ No\n+b\n")), "", "or its newline",
			""},
		"a new text like a hint": {accepttest.OneEdit("f", accepttest.Lines("a\n", ":start_line:1\n")), "",
			"looks like a part of the format", ""},
		"an old text like a hint": {accepttest.OneEdit("f", accepttest.Lines(":start_line:1\n", "a\n")), "", "",
			""},
		"no name": {accepttest.OneEdit("", ab), "", "", "names a line"},
		"no name, a patch in it": {accepttest.OneEdit("",
			accepttest.Lines("*** Begin Patch\na\n", "*** Begin Patch\n")), "looks like a part of the format", "",
			"names a line"},
		"a name, then none": {atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f", Edits: []atomicedit.Edit{ab}},
			{Edits: []atomicedit.Edit{ab}}}}, "the path \"\"", "without a name after", "without a name"},
		"a file twice": {atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f", Edits: []atomicedit.Edit{ab}},
			{Path: "f", Edits: []atomicedit.Edit{ab}}}}, "", "two operations in a row", ""},
		"a file created, then edited": {atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "f"},
			{Path: "f", Edits: []atomicedit.Edit{ab}}}}, "", "two operations in a row", ""},
		"a path of two lines":          {accepttest.OneEdit("a\nb", ab), "the path", "the path", ""},
		"a path that ends in space":    {accepttest.OneEdit("a ", ab), "", "the path", ""},
		"a path with quotes and space": {accepttest.OneEdit("\"a ", ab), "the path", "the path", ""},
		"a path of words":              {accepttest.OneEdit("a b", ab), "", "the path", ""},
		"a deletion that keeps lines": {one(atomicedit.Op{Kind: atomicedit.OpDelete, Path: "f",
			Edits: []atomicedit.Edit{ab}}), "edits of a file that it creates or deletes", "the deletion",
			"lines that stay"},
		"an insertion near a line": {accepttest.OneEdit("f",
			atomicedit.Edit{New: "a\n", WholeLines: true, Near: 7}), "", "without a line number", "the line number"},
		"an insertion beside context": {accepttest.OneEdit("f",
			atomicedit.Edit{New: "a\n", WholeLines: true, First: 7}, accepttest.Lines("a\nb\n", "a\n")),
			"by line number", "", "the line number"},
		"a line like half a header": {accepttest.OneEdit("f", accepttest.Lines("a\n", "a\n++ b/x\n"), ab), "", "",
			"the new text"},
		"lines like a header": {accepttest.OneEdit("f", accepttest.Lines("a\n-- a/x\n", "a\n++ b/x\n"), ab),
			"the old text", "", "the old text"},
		"lines like a header, counted": {accepttest.OneEdit("f",
			atomicedit.Edit{Old: "-- x.go\n", New: "++ y.go\n", WholeLines: true, Near: 3}, ab), "", "", ""},
		"a section like a file": {with(ab, func(e *atomicedit.Edit) { e.Section = "b/x.go" }), "", "the section",
			"looks like a part of the format"},
	} {
		for format, want := range map[string]string{"v4a": tt.v4a, "blocks": tt.blocks, "unified": tt.unified} {
			f := accepttest.Printers()[format]
			if want == "" {
				accepttest.CheckPrinted(t, f, tt.plan)
				continue
			}
			_, err := f.Print(tt.plan)
			if !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), want) ||
				strings.Contains(err.Error(), "problems") {
				t.Errorf("%s, %s: got %v; want one problem with %q", format, name, err, want)
			}
		}
	}
}

// A hunk whose texts were changed after it was read is paired anew.
func TestAChangedHunkIsPrintedAnew(t *testing.T) {
	e := chunkOf(" a\n-b\n+c\n")
	e.New = "x\na\n"
	got, err := accepttest.OneEdit("f", e).V4A()
	const want = "*** Begin Patch\n*** Update File: f\n@@\n+x\n a\n-b\n*** End Patch\n"
	if err != nil || got != want {
		t.Errorf("got %v, (-want +got):\n%s", err, cmp.Diff(want, got))
	}
}
