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

func TestParseBlocks(t *testing.T) {
	const ab = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	aToB := accepttest.Lines("a\n", "b\n")
	checkRead(t, atomicedit.ParseBlocks, map[string]requested{
		"alone":                   {ab, accepttest.OneEdit("", aToB)},
		"without a final newline": {strings.TrimSuffix(ab, "\n"), accepttest.OneEdit("", aToB)},
		"CRLF":                    {strings.ReplaceAll("f.go\n"+ab, "\n", "\r\n"), accepttest.OneEdit("f.go", aToB)},
		"a byte order mark":       {"\ufeff" + ab, accepttest.OneEdit("", aToB)},
		"one before the file":     {"\ufefff.go\n" + ab, accepttest.OneEdit("f.go", aToB)},
		"indented markers inside": {"<<<<<<< SEARCH\n <<<<<<< SEARCH\n=======\n\t<< SEARCH\n>>>>>>> REPLACE\n",
			accepttest.OneEdit("", accepttest.Lines(" <<<<<<< SEARCH\n", "\t<< SEARCH\n"))},
		"dashes and pluses":        {"------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n", accepttest.OneEdit("", aToB)},
		"five characters":          {"<<<<< SEARCH\na\n=====\nb\n>>>>> REPLACE\n", accepttest.OneEdit("", aToB)},
		"markers of mixed lengths": {"<<<<<<<<< SEARCH\na\n=====\nb\n>>>>>>> REPLACE\n", accepttest.OneEdit("", aToB)},
		"space and > after markers": {
			"<<<<<<< SEARCH> \na\n======= \nb\n>>>>>>> REPLACE>\t\n", accepttest.OneEdit("", aToB),
		},
		"text around": {"I change it:\n\n" + ab + "\nThat is all.\n", accepttest.OneEdit("", aToB)},
		"blank lines are content": {
			"<<<<<<< SEARCH\n\na\n\n=======\nb\n\n>>>>>>> REPLACE\n",
			accepttest.OneEdit("", accepttest.Lines("\na\n\n", "b\n\n")),
		},
		"nothing to put there": {"<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\n",
			accepttest.OneEdit("", accepttest.Lines("a\n", ""))},
		"a longer marker carries shorter ones": {
			"<<<<<<<<< SEARCH\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n=========\n=======\n>>>>>>>>> REPLACE\n",
			accepttest.OneEdit("", accepttest.Lines("<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n", "=======\n")),
		},
		"a heading that is underlined": {
			"<<<<<<< SEARCH\nTitle\n=====\n=======\nName\n====\n>>>>>>> REPLACE\n",
			accepttest.OneEdit("", accepttest.Lines("Title\n=====\n", "Name\n====\n")),
		},
		"a start line": {
			"<<<<<<< SEARCH\n:start_line:12\n-------\na\n=======\nb\n>>>>>>> REPLACE\n",
			accepttest.OneEdit("", atomicedit.Edit{Old: "a\n", New: "b\n", WholeLines: true, Near: 12}),
		},
		"a line on the marker, as an attribute": {
			"<<<<<<< SEARCH line=12\na\n=======\nb\n>>>>>>> REPLACE\n",
			accepttest.OneEdit("", atomicedit.Edit{Old: "a\n", New: "b\n", WholeLines: true, Near: 12}),
		},
		"a start line, an end line, no dashes": {
			"<<<<<<< SEARCH\n:start_line: 12\n:end_line: 13\na\n=======\nb\n>>>>>>> REPLACE\n",
			accepttest.OneEdit("", atomicedit.Edit{Old: "a\n", New: "b\n", WholeLines: true, Near: 12}),
		},
		"a line on the marker": {
			"<<<<<<< SEARCH line:7\na\n=======\nb\n>>>>>>> REPLACE\n",
			accepttest.OneEdit("", atomicedit.Edit{Old: "a\n", New: "b\n", WholeLines: true, Near: 7}),
		},
		"a line on the marker, with an equals sign": {
			"<<<<<<< SEARCH line=7\na\n=======\nb\n>>>>>>> REPLACE\n",
			accepttest.OneEdit("", atomicedit.Edit{Old: "a\n", New: "b\n", WholeLines: true, Near: 7}),
		},
		"a separator that is repeated below code": {
			"<<<<<<< SEARCH\n\ta()\n=======\n\tb()\n=======\n>>>>>>> REPLACE\n" + ab,
			atomicedit.Plan{Ops: []atomicedit.Op{{Edits: []atomicedit.Edit{accepttest.Lines("\ta()\n", "\tb()\n"),
				aToB}}}},
		},
		"a separator that is repeated at once": {"<<<<<<< SEARCH\na;\n=======\n=======\n>>>>>>> REPLACE\n",
			accepttest.OneEdit("", accepttest.Lines("a;\n", ""))},
		"dashes without a hint are content": {
			"<<<<<<< SEARCH\n-------\n=======\nb\n>>>>>>> REPLACE\n",
			accepttest.OneEdit("", accepttest.Lines("-------\n", "b\n")),
		},
		"nothing to find creates": {
			"new.go\n<<<<<<< SEARCH\n=======\nb\n>>>>>>> REPLACE\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "new.go", Content: "b\n"}}},
		},
		"a new file with CRLF": {
			"new.go\n<<<<<<< SEARCH\n=======\na\r\nb\r\n>>>>>>> REPLACE\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "new.go", Content: "a\r\nb\r\n"}}},
		},
		"a new file in a request with CRLF": {
			"new.go\r\n<<<<<<< SEARCH\r\n=======\r\na\r\n>>>>>>> REPLACE\r\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "new.go", Content: "a\n"}}},
		},
		"nothing to find, with a line, inserts": {
			"<<<<<<< SEARCH\n:start_line:3\n-------\n=======\nb\n>>>>>>> REPLACE\n",
			accepttest.OneEdit("", atomicedit.Edit{New: "b\n", WholeLines: true, First: 3}),
		},
		"several blocks of one file, then another": {
			"f.go\n" + ab + ab + "g.go\n" + ab,
			atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f.go", Edits: []atomicedit.Edit{aToB, aToB}},
				{Path: "g.go", Edits: []atomicedit.Edit{aToB}}}},
		},
		"blocks after a creation edit it": {
			"f.go\n<<<<<<< SEARCH\n=======\na\n>>>>>>> REPLACE\n" + ab,
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "f.go", Content: "a\n",
				Edits: []atomicedit.Edit{aToB}}}},
		},
	})
}

func TestParseBlocksFindsTheFileName(t *testing.T) {
	for above, want := range map[string]string{
		"src/a.go\n":                  "src/a.go",
		"Makefile\n":                  "Makefile",
		"src/a.go:\n":                 "src/a.go",
		"# src/a.go\n":                "src/a.go",
		"### `src/a.go`\n":            "src/a.go",
		"**src/a.go**\n":              "src/a.go",
		"**`src/a.go`:**\n":           "src/a.go",
		"\"my file.txt\"\n":           "my file.txt",
		"File: src/a.go\n":            "src/a.go",
		"file: `a.go`:\n":             "a.go",
		"src/a.go\n```go\n":           "src/a.go",
		"```go\nsrc/a.go\n":           "src/a.go",
		"src/a.go\n\n```go\n":         "src/a.go",
		"```\nsrc/a.go\n```\n```go\n": "src/a.go",
		"other.go\n\nNow the real one:\nsrc/a.go\n":    "src/a.go",
		"I will change src/a.go now.\n":                "",
		"Then:\n":                                      "",
		"...\n":                                        "",
		"**Important change**\n":                       "",
		"see https://example.org/a.go\n":               "",
		"https://example.org/a.go\n":                   "",
		"src/a.go\n\nSome words about the change.\n\n": "src/a.go",
	} {
		p, err := atomicedit.ParseBlocks(above + "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n")
		if err != nil || p.Ops[0].Path != want {
			t.Errorf("above %q: got %v, %v; want %q", above, p.Ops, err, want)
		}
	}
}

// As long as no block has a file, a mention cannot be mistaken for another one: the caller names the file, or the plan
// is refused.
func TestAMentionNamesNoFile(t *testing.T) {
	const aToB = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	for _, above := range []string{"We change b.go.\n\n", "- `a.go`: f\n- `b.go`: g\n\n```go\n",
		"- a.go\n- b.go\n\nSo:\n", "It calls `util.go`, so:\n```go\n"} {
		p, err := atomicedit.ParseBlocks(above + aToB + "\nAnd, as util.go says:\n" + aToB)
		if err != nil || len(p.Ops) != 1 || p.Ops[0].Path != "" {
			t.Errorf("%q: got %+v, %v; want a block without a file", above, p, err)
		}
	}
}

func TestParseBlocksRefuses(t *testing.T) {
	const ab = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	checkRefused(t, atomicedit.ParseBlocks, false, map[string]refused{
		"no block":                 {"some words\n", 1, "no SEARCH/REPLACE block"},
		"a separator outside":      {ab + "=======\n", 6, "outside a block"},
		"a closing marker outside": {ab + ">>>>>>> REPLACE\n", 6, "outside a block"},
		"too few characters":       {"<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", 1, "is not a marker"},
		"no space": {"<<<<<<<SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", 1,
			"is not a marker"},
		"mixed characters": {"<<-- SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", 1,
			"is not a marker"},
		"no space before REPLACE": {"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>>REPLACE\n", 5,
			"is not a marker"},
		"words behind REPLACE": {"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE it\n", 5,
			"is not a marker"},
		"a broken end outside": {ab + ">>>> REPLACE\n", 6, "is not a marker"},
		"a file behind SEARCH": {"<<<<<<< SEARCH f.go\na\n=======\nb\n>>>>>>> REPLACE\n", 1,
			"is not a marker"},
		"no separator": {"<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n", 3, "without a separator"},
		"two separators": {"<<<<<<< SEARCH\na\n=======\nb\n=======\n>>>>>>> REPLACE\n", 5,
			"second separator"},
		"a block in a block":  {"<<<<<<< SEARCH\na\n=======\nb\n" + ab, 5, "begins before"},
		"a block in a search": {"<<<<<<< SEARCH\na\n" + ab, 3, "expected \"=======\" and"},
		"two ends of other lengths": {"<<<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\nb\n>>>>>> REPLACE\n",
			4, "is unclear"},
		"a bad start line": {"<<<<<<< SEARCH\n:start_line:x\na\n=======\nb\n>>>>>>> REPLACE\n", 2,
			"gives no line"},
		"a bad line on the marker": {"<<<<<<< SEARCH line:0\na\n=======\nb\n>>>>>>> REPLACE\n", 1,
			"gives no line"},
		"two separators, below a heading": {"<<<<<<< SEARCH\n\ta\n=======\nTitle\n=======\n>>>>>>> REPLACE\n", 5,
			"second separator"},
		"two separators, the first a heading's": {"<<<<<<< SEARCH\nTitle\n=======\n\ta\n=======\n>>>>>>> REPLACE\n", 5,
			"second separator"},
		"two separators, below an underline": {"<<<<<<< SEARCH\n-------\n=======\n=======\n>>>>>>> REPLACE\n", 4,
			"second separator"},
		"two separators apart": {"<<<<<<< SEARCH\n\ta\n=======\n\tb\n=======\n\tc\n>>>>>>> REPLACE\n", 5,
			"second separator"},
		"a hint below the separator": {"<<<<<<< SEARCH\na\n=======\n:start_line:1\nb\n>>>>>>> REPLACE\n", 4,
			"below the separator"},
		"a patch after": {ab + "*** Begin Patch\n", 6, "another format"},
		"an indented block": {ab + "\n  <<<<<<< SEARCH\n  c\n  =======\n  d\n  >>>>>>> REPLACE\n", 7,
			"is indented"},
		"an indented block before": {"\t<<<<<<< SEARCH\n\tc\n" + ab, 1, "is indented"},
		"a file in doubt": {"f.go\n" + ab + "The same goes for g.go.\n" + ab, 7,
			"expected the path of its file alone"},
		"a diff before": {"--- a/x\n+++ b/x\n@@ -1 +1 @@\n" + ab, 1, "another format"},
	})
	checkRefused(t, atomicedit.ParseBlocks, true, map[string]refused{
		"two separators, no end": {"<<<<<<<< SEARCH\na\n========\nb\n=======\n", 1, "cut off"},
		"in the text to find":    {ab + "<<<<<<< SEARCH\na\n", 6, "cut off"},
		"in the new text":        {"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPL", 1, "cut off"},
		"in the first marker":    {ab + "<<<<<<< SEA", 6, "cut off"},
		"in the second marker":   {"<<<<<<< SEARCH\na\n====", 1, "cut off"},
	})
}

func TestCutOffBlocksShowWhatWasComplete(t *testing.T) {
	_, err := atomicedit.ParseBlocks("f.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nc\n====")
	var r *atomicedit.Refusal
	if !errors.As(err, &r) {
		t.Fatal(err)
	}
	if diff := cmp.Diff(accepttest.OneEdit("f.go", accepttest.Lines("a\n", "b\n")), r.Partial,
		accepttest.ButWords); diff != "" {
		t.Errorf("partial plan (-want +got):\n%s", diff)
	}
}

func TestBlocksOfAnyContentSurviveLongerMarkers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want atomicedit.Plan
		var text strings.Builder
		for i := range rapid.IntRange(1, 4).Draw(t, "files") {
			op := atomicedit.Op{Path: fmt.Sprintf("dir/f%d.go", i)}
			fmt.Fprintf(&text, "%s\n```\n", op.Path)
			for range rapid.IntRange(1, 3).Draw(t, "edits") {
				e := accepttest.Lines(accepttest.DrawLines(t, "old", 1), accepttest.DrawLines(t, "new", 1))
				n := rapid.IntRange(8, 12).Draw(t, "n")
				fmt.Fprintf(&text, "%s SEARCH\n%s%s\n%s%s REPLACE\n", strings.Repeat("<", n), e.Old,
					strings.Repeat("=", n), e.New, strings.Repeat(">", n))
				op.Edits = append(op.Edits, e)
			}
			text.WriteString("```\n")
			want.Ops = append(want.Ops, op)
		}
		got, err := atomicedit.ParseBlocks(text.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, text.String())
		}
		if diff := cmp.Diff(want, got, accepttest.ButWords); diff != "" {
			t.Errorf("plan (-want +got):\n%s\n%s", diff, text.String())
		}
	})
}
