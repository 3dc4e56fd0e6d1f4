package atomicedit

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// A printed format: how a plan is printed in it, and what reads that.
type printed struct {
	print func(Plan) (string, error)
	read  func(string) (Plan, error)
}

func printers() map[string]printed {
	return map[string]printed{"v4a": {Plan.V4A, ParseV4A}, "blocks": {Plan.Blocks, ParseBlocks}}
}

// checkPrinted prints p and reads it back, by its own parser and by Parse.
func checkPrinted(t interface{ Fatalf(string, ...any) }, f printed, p Plan) {
	text, err := f.print(p)
	if err != nil {
		t.Fatalf("not printed: %v\n%+v", err, p)
	}
	for _, read := range []func(string) (Plan, error){f.read, Parse} {
		got, err := read(text)
		if err != nil {
			t.Fatalf("printed, but not read: %v\n%s", err, text)
		}
		if diff := cmp.Diff(p, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("printed and read (-before +after):\n%s\n%s", diff, text)
		}
	}
}

// Lines and names that look like what the formats are made of.
var (
	printLine = rapid.OneOf(contentLine, rapid.SampledFrom([]string{
		"a\r", "\r", "=======\r", "=========", "========== ", "<<<<<<<< SEARCH", ">>>>>>>>> REPLACE>", "------- SEARCH", "+++++++ REPLACE", "<< SEARCH",
		":start_line:3", " :end_line: x", "-------", "*** Begin Patch", "*** End of File", " *** End Patch ***", "@@ -1,2 +3,4 @@", "+++ y", "...", "{}", "\\ No",
		"diff --git a/x b/x", "~~~", " \t ", "\v", "\xff", "\x00", "…",
	}), rapid.StringN(0, 3, 6).Filter(func(s string) bool { return !strings.Contains(s, "\n") }))
	printName = rapid.SampledFrom([]string{
		"f", "dir/f.go", "my dir/f.go", "Makefile", "f.go:x", "x ***", "{x}.go", "#x", "-----", "=======", "~~~x", "file:x", "a'b.go", "Begin Patch", "+x", "é", "a\tb.c",
	})
	printAnchor = rapid.OneOf(rapid.SampledFrom([]string{
		"func f() {", "  def f(self):", "\tx", "@@ x", "x @@", "x @@ @@", "-1,2 +3,4", "*** End Patch", "+x", "{", "=======",
	}), rapid.StringMatching(`[ -@\t.,a]{1,12}`))
)

func drawText(t *rapid.T, label string) string {
	lines := rapid.SliceOfN(printLine, 0, 5).Draw(t, label)
	return strings.Join(append(lines, ""), "\n")
}

// drawWildPlan draws a plan of which few could be said by any format.
func drawWildPlan(t *rapid.T) Plan {
	seldom := rapid.Custom(func(t *rapid.T) bool { return rapid.IntRange(0, 12).Draw(t, "seldom") == 7 })
	wildName := rapid.OneOf(printName, printName, rapid.String(), rapid.SampledFrom([]string{"", "", "a\nb", " a", "a\r", "***", "`", "a:"}))
	number := func(label string) int {
		return rapid.SampledFrom([]int{0, 0, 0, 0, 1, 7, -1, maxLine, maxLine + 1}).Draw(t, label)
	}
	p := Plan{DryRun: seldom.Draw(t, "preview")}
	for range rapid.IntRange(0, 3).Draw(t, "ops") {
		op := Op{Kind: OpKind(rapid.IntRange(0, 3).Draw(t, "kind")), Path: wildName.Draw(t, "path"), Overwrite: seldom.Draw(t, "overwrite")}
		if len(p.Ops) > 0 && rapid.Bool().Draw(t, "same file") {
			op.Path = p.Ops[len(p.Ops)-1].Path
		}
		if op.Kind == OpMove || seldom.Draw(t, "moved") {
			op.To = wildName.Draw(t, "to")
		}
		if op.Kind == OpCreate || seldom.Draw(t, "with content") {
			op.Content = drawText(t, "content") + rapid.SampledFrom([]string{"", "", "x"}).Draw(t, "end")
		}
		if seldom.Draw(t, "version") {
			op.Version = "sha256:0"
		}
		if seldom.Draw(t, "mode") {
			op.Mode = 0o755
		}
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			e := Edit{Old: drawText(t, "old"), New: drawText(t, "new"), WholeLines: !seldom.Draw(t, "substring"), AtEnd: seldom.Draw(t, "at end"), Near: number("near")}
			if seldom.Draw(t, "count") {
				e.Count = number("times")
			}
			if seldom.Draw(t, "by lines") {
				e.Old, e.First, e.Last = "", number("first"), number("last")
			}
			if seldom.Draw(t, "anchored") {
				e.After = rapid.SliceOfN(rapid.OneOf(printAnchor, rapid.String()), 0, 2).Draw(t, "after")
			}
			if seldom.Draw(t, "unended") {
				e.New += "x"
			}
			op.Edits = append(op.Edits, e)
		}
		p.Ops = append(p.Ops, op)
	}
	return p
}

func TestAPlanIsPrintedAndReadBackOrRefused(t *testing.T) {
	for name, f := range printers() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := drawWildPlan(t)
				text, err := f.print(p)
				var r *Refusal
				switch {
				case err == nil:
					checkPrinted(t, f, p)
				case !errors.As(err, &r) || !errors.Is(err, errors.ErrUnsupported) || text != "":
					t.Fatalf("got %q, %v; want a refusal with errors.ErrUnsupported", text, err)
				}
			})
		})
	}
}

// drawV4A draws a plan that a V4A patch can say, with every part of it.
func drawV4A(t *rapid.T) Plan {
	var p Plan
	for range rapid.IntRange(1, 4).Draw(t, "ops") {
		op := Op{Kind: OpKind(rapid.IntRange(0, 3).Draw(t, "kind")), Path: printName.Draw(t, "path")}
		switch op.Kind {
		case OpCreate:
			op.Content = drawText(t, "content")
		case OpMove:
			op.To = printName.Draw(t, "to")
		}
		if op.Kind == OpEdit || op.Kind == OpMove && rapid.Bool().Draw(t, "edited") {
			for range rapid.IntRange(1, 3).Draw(t, "edits") {
				e := Edit{Old: drawText(t, "old"), New: drawText(t, "new"), WholeLines: true, AtEnd: rapid.Bool().Draw(t, "at end")}
				if e.Old+e.New == "" {
					e.New += "one more\n"
				}
				e.Near = rapid.SampledFrom([]int{0, 0, 1, 12, maxLine}).Draw(t, "near")
				e.After = rapid.SliceOfN(printAnchor.Filter(sayableAnchor), 0, 3).Draw(t, "after")
				op.Edits = append(op.Edits, e)
			}
		}
		p.Ops = append(p.Ops, op)
	}
	if len(p.Ops) == 1 && p.Ops[0].Kind == OpEdit && !strings.Contains(fmt.Sprint(p), "*** Begin Patch") && rapid.Bool().Draw(t, "bare") {
		p.Ops[0].Path = ""
	}
	return p
}

// sayableAnchor reports whether "@@" before s reads as an anchor.
func sayableAnchor(s string) bool {
	h, ok := hunkHeader("@@ " + s + " @@")
	return strings.TrimRight(s, " \t") == s && s != "" && s != "..." && s != "@@" && !(ok && h.counted)
}

// drawBlocks draws a plan that blocks can say.
func drawBlocks(t *rapid.T) Plan {
	var p Plan
	names := []string{"f", "dir/f.go", "my dir/f.go", "Makefile", "#x", "=======", "{x}.go", "a'b.go"}
	if rapid.Bool().Draw(t, "without a name first") {
		names = append([]string{""}, names...)
	}
	for _, name := range names[:rapid.IntRange(1, len(names)).Draw(t, "ops")] {
		op := Op{Path: name}
		if rapid.Bool().Draw(t, "created") {
			op.Kind, op.Content = OpCreate, drawText(t, "content")
		}
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			e := Edit{Old: drawText(t, "old"), New: drawText(t, "new"), WholeLines: true}
			switch e.Near = rapid.SampledFrom([]int{0, 0, 1, 12, maxLine}).Draw(t, "near"); {
			case e.Old == "":
				e.First, e.Near = e.Near+1, 0
			}
			op.Edits = append(op.Edits, e)
		}
		if op.Kind == OpEdit && len(op.Edits) == 0 {
			op.Edits = []Edit{pair("a\n", "b\n")}
		}
		p.Ops = append(p.Ops, op)
	}
	// What blocks cannot say: new text that begins as a hint.
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
	draw := map[string]func(*rapid.T) Plan{"v4a": drawV4A, "blocks": drawBlocks}
	for name, f := range printers() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkPrinted(t, f, draw[name](t)) })
		})
	}
}

// What is printed is also what a person would write.
func TestPrintedPlans(t *testing.T) {
	e := Edit{Old: "a\nb\nc\n", New: "a\nB\nc\n", WholeLines: true, Near: 7}
	p := Plan{Ops: []Op{{Kind: OpCreate, Path: "n.txt", Content: "one\n\n"}, {Path: "my f.txt", Edits: []Edit{e, pair("=======\n", "")}}}}
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
	ab := pair("a\n", "b\n")
	with := func(e Edit, change func(*Edit)) Plan { change(&e); return oneEdit("f", e) }
	one := func(op Op) Plan { return Plan{Ops: []Op{op}} }
	for name, tt := range map[string]struct {
		plan        Plan
		v4a, blocks string // parts of the messages, "" if it is printed
	}{
		"nothing":                        {Plan{}, "no operation", "no operation"},
		"a preview":                      {Plan{Ops: one(Op{Path: "f", Edits: []Edit{ab}}).Ops, DryRun: true}, "a preview", "a preview"},
		"a deletion":                     {one(Op{Kind: OpDelete, Path: "f"}), "", "is deleted"},
		"a move":                         {one(Op{Kind: OpMove, Path: "f", To: "g"}), "", "is moved"},
		"a move that shows context":      {one(Op{Kind: OpMove, Path: "f", To: "g", Edits: []Edit{pair("a\n", "a\n")}}), "", "is moved"},
		"an unknown kind":                {one(Op{Kind: 9, Path: "f", Edits: []Edit{ab}}), "a kind", "a kind"},
		"an edit of nothing":             {one(Op{Path: "f"}), "an edit of nothing", "an edit of nothing"},
		"a version":                      {one(Op{Path: "f", Edits: []Edit{ab}, Version: VersionOf(nil)}), "which version", "which version"},
		"an overwrite":                   {one(Op{Kind: OpCreate, Path: "f", Overwrite: true}), "replace another", "replace another"},
		"a mode":                         {one(Op{Kind: OpCreate, Path: "f", Mode: 0o755}), "permissions", "permissions"},
		"an unended file":                {one(Op{Kind: OpCreate, Path: "f", Content: "a"}), "without a newline", "without a newline"},
		"a file with CRLF":               {one(Op{Kind: OpCreate, Path: "f", Content: "a\r\nb\n"}), "", ""},
		"a file created and edited":      {one(Op{Kind: OpCreate, Path: "f", Content: "a\n", Edits: []Edit{ab}}), "edits of a file that it creates", ""},
		"a substring":                    {oneEdit("f", Edit{Old: "a", New: "b"}), "part of a line", "part of a line"},
		"an unended line":                {oneEdit("f", pair("a", "b\n")), "without a newline", "without a newline"},
		"a count":                        {with(ab, func(e *Edit) { e.Count = All }), "how often", "how often"},
		"a range of lines":               {oneEdit("f", Edit{First: 1, Last: 2, New: "a\n", WholeLines: true}), "which lines to replace", "which lines to replace"},
		"an insertion by line":           {oneEdit("f", Edit{First: 1, New: "a\n", WholeLines: true}), "by the number", ""},
		"an insertion at the end":        {oneEdit("f", pair("", "b\n")), "", "without a line number"},
		"an anchor":                      {with(ab, func(e *Edit) { e.After = []string{"x"} }), "", "which lines come before"},
		"a blank anchor":                 {with(ab, func(e *Edit) { e.After = []string{" "} }), "the anchor \" \"", "which lines come before"},
		"an anchor like a hint":          {with(ab, func(e *Edit) { e.After = []string{"-1 +1 @@"} }), "the anchor", "which lines come before"},
		"at the end":                     {with(ab, func(e *Edit) { e.AtEnd = true }), "", "ends there"},
		"an edit without a last newline": {oneEdit("f", chunkOf("-a\n\\ No\n+b\n")), "", "ends there"},
		"a new text like a hint":         {oneEdit("f", pair("a\n", ":start_line:1\n")), "", "new text that begins"},
		"an old text like a hint":        {oneEdit("f", pair(":start_line:1\n", "a\n")), "", ""},
		"no name":                        {oneEdit("", ab), "", ""},
		"no name, a patch in it":         {oneEdit("", pair("*** Begin Patch\na\n", "*** Begin Patch\n")), "name the file", ""},
		"a name, then none":              {Plan{Ops: []Op{{Path: "f", Edits: []Edit{ab}}, {Edits: []Edit{ab}}}}, "the path \"\"", "without a name behind"},
		"a file twice":                   {Plan{Ops: []Op{{Path: "f", Edits: []Edit{ab}}, {Path: "f", Edits: []Edit{ab}}}}, "", "two operations in a row"},
		"a file created, then edited":    {Plan{Ops: []Op{{Kind: OpCreate, Path: "f"}, {Path: "f", Edits: []Edit{ab}}}}, "", "two operations in a row"},
		"a path of two lines":            {oneEdit("a\nb", ab), "the path", "the path"},
		"a path that ends in space":      {oneEdit("a ", ab), "the path", "the path"},
		"a path of words":                {oneEdit("a b", ab), "", "the path"},
	} {
		for format, want := range map[string]string{"v4a": tt.v4a, "blocks": tt.blocks} {
			f := printers()[format]
			if want == "" {
				checkPrinted(t, f, tt.plan)
				continue
			}
			_, err := f.print(tt.plan)
			if !errors.Is(err, errors.ErrUnsupported) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "problems") {
				t.Errorf("%s, %s: got %v; want one problem with %q", format, name, err, want)
			}
		}
	}
}

// A hunk whose texts were changed after it was read is paired anew.
func TestAChangedHunkIsPrintedAnew(t *testing.T) {
	e := chunkOf(" a\n-b\n+c\n")
	e.New = "x\na\n"
	got, err := oneEdit("f", e).V4A()
	const want = "*** Begin Patch\n*** Update File: f\n@@\n+x\n a\n-b\n*** End Patch\n"
	if err != nil || got != want {
		t.Errorf("got %v, (-want +got):\n%s", err, cmp.Diff(want, got))
	}
}
