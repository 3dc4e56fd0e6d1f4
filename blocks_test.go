package atomicedit

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// oneEdit is a plan of one edit of one file.
func oneEdit(path string, e Edit) Plan { return Plan{Ops: []Op{{Path: path, Edits: []Edit{e}}}} }

// pair is a whole-line edit, as the parser of blocks makes it.
func pair(older, newer string) Edit { return Edit{Old: older, New: newer, WholeLines: true} }

func TestParseBlocks(t *testing.T) {
	const ab = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	aToB := pair("a\n", "b\n")
	for name, tt := range map[string]struct {
		text string
		want Plan
	}{
		"alone":                    {ab, oneEdit("", aToB)},
		"without a final newline":  {strings.TrimSuffix(ab, "\n"), oneEdit("", aToB)},
		"CRLF":                     {strings.ReplaceAll("f.go\n"+ab, "\n", "\r\n"), oneEdit("f.go", aToB)},
		"a byte order mark":        {"\ufeff" + ab, oneEdit("", aToB)},
		"one before the file":      {"\ufefff.go\n" + ab, oneEdit("f.go", aToB)},
		"indented markers inside":  {"<<<<<<< SEARCH\n <<<<<<< SEARCH\n=======\n\t<< SEARCH\n>>>>>>> REPLACE\n", oneEdit("", pair(" <<<<<<< SEARCH\n", "\t<< SEARCH\n"))},
		"dashes and pluses":        {"------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n", oneEdit("", aToB)},
		"five characters":          {"<<<<< SEARCH\na\n=====\nb\n>>>>> REPLACE\n", oneEdit("", aToB)},
		"markers of mixed lengths": {"<<<<<<<<< SEARCH\na\n=====\nb\n>>>>>>> REPLACE\n", oneEdit("", aToB)},
		"space and > after markers": {
			"<<<<<<< SEARCH> \na\n======= \nb\n>>>>>>> REPLACE>\t\n", oneEdit("", aToB),
		},
		"text around": {"I change it:\n\n" + ab + "\nThat is all.\n", oneEdit("", aToB)},
		"blank lines are content": {
			"<<<<<<< SEARCH\n\na\n\n=======\nb\n\n>>>>>>> REPLACE\n", oneEdit("", pair("\na\n\n", "b\n\n")),
		},
		"nothing to put there": {"<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\n", oneEdit("", pair("a\n", ""))},
		"a longer marker carries shorter ones": {
			"<<<<<<<<< SEARCH\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n=========\n=======\n>>>>>>>>> REPLACE\n",
			oneEdit("", pair("<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n", "=======\n")),
		},
		"a heading that is underlined": {
			"<<<<<<< SEARCH\nTitle\n=====\n=======\nName\n====\n>>>>>>> REPLACE\n", oneEdit("", pair("Title\n=====\n", "Name\n====\n")),
		},
		"a start line": {
			"<<<<<<< SEARCH\n:start_line:12\n-------\na\n=======\nb\n>>>>>>> REPLACE\n",
			oneEdit("", Edit{Old: "a\n", New: "b\n", WholeLines: true, Near: 12}),
		},
		"a start line, an end line, no dashes": {
			"<<<<<<< SEARCH\n:start_line: 12\n:end_line: 13\na\n=======\nb\n>>>>>>> REPLACE\n",
			oneEdit("", Edit{Old: "a\n", New: "b\n", WholeLines: true, Near: 12}),
		},
		"a line on the marker": {
			"<<<<<<< SEARCH line:7\na\n=======\nb\n>>>>>>> REPLACE\n", oneEdit("", Edit{Old: "a\n", New: "b\n", WholeLines: true, Near: 7}),
		},
		"dashes without a hint are content": {
			"<<<<<<< SEARCH\n-------\n=======\nb\n>>>>>>> REPLACE\n", oneEdit("", pair("-------\n", "b\n")),
		},
		"nothing to find creates": {
			"new.go\n<<<<<<< SEARCH\n=======\nb\n>>>>>>> REPLACE\n", Plan{Ops: []Op{{Kind: OpCreate, Path: "new.go", Content: "b\n"}}},
		},
		"a new file with CRLF": {
			"new.go\n<<<<<<< SEARCH\n=======\na\r\nb\r\n>>>>>>> REPLACE\n", Plan{Ops: []Op{{Kind: OpCreate, Path: "new.go", Content: "a\r\nb\r\n"}}},
		},
		"a new file in a request with CRLF": {
			"new.go\r\n<<<<<<< SEARCH\r\n=======\r\na\r\n>>>>>>> REPLACE\r\n", Plan{Ops: []Op{{Kind: OpCreate, Path: "new.go", Content: "a\n"}}},
		},
		"nothing to find, with a line, inserts": {
			"<<<<<<< SEARCH\n:start_line:3\n-------\n=======\nb\n>>>>>>> REPLACE\n", oneEdit("", Edit{New: "b\n", WholeLines: true, First: 3}),
		},
		"several blocks of one file, then another": {
			"f.go\n" + ab + ab + "g.go\n" + ab,
			Plan{Ops: []Op{{Path: "f.go", Edits: []Edit{aToB, aToB}}, {Path: "g.go", Edits: []Edit{aToB}}}},
		},
		"blocks after a creation edit it": {
			"f.go\n<<<<<<< SEARCH\n=======\na\n>>>>>>> REPLACE\n" + ab,
			Plan{Ops: []Op{{Kind: OpCreate, Path: "f.go", Content: "a\n", Edits: []Edit{aToB}}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseBlocks(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(got, must(Parse(tt.text))); diff != "" {
				t.Errorf("Parse differs (-ParseBlocks +Parse):\n%s", diff)
			}
		})
	}
}

func must(p Plan, err error) Plan {
	if err != nil {
		panic(err)
	}
	return p
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
		p, err := ParseBlocks(above + "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n")
		if err != nil || p.Ops[0].Path != want {
			t.Errorf("above %q: got %v, %v; want %q", above, p.Ops, err, want)
		}
	}
}

// A refused request: the line that the problem is on, and a part of its message.
type refused struct {
	text string
	line int
	msg  string
}

func checkRefused(t *testing.T, parse func(string) (Plan, error), cutOff bool, tests map[string]refused) {
	t.Helper()
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p, err := parse(tt.text)
			var r *Refusal
			if !errors.As(err, &r) || len(p.Ops) > 0 {
				t.Fatalf("got %+v, %v; want a refusal", p, err)
			}
			if got := r.Problems[0]; got.Line != tt.line || !strings.Contains(got.Msg, tt.msg) || got.Op != -1 || got.Edit != -1 {
				t.Errorf("got %+v; want line %d, a message with %q", got, tt.line, tt.msg)
			}
			if !errors.Is(err, ErrSyntax) || errors.Is(err, io.ErrUnexpectedEOF) != cutOff {
				t.Errorf("got %v; want ErrSyntax, and io.ErrUnexpectedEOF: %v", err, cutOff)
			}
			if r.Problems[0].Code != "syntax" {
				t.Errorf("got code %q", r.Problems[0].Code)
			}
		})
	}
}

func TestParseBlocksRefuses(t *testing.T) {
	const ab = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	checkRefused(t, ParseBlocks, false, map[string]refused{
		"no block":                   {"some words\n", 1, "no SEARCH/REPLACE block"},
		"a separator outside":        {ab + "=======\n", 6, "outside a block"},
		"a closing marker outside":   {ab + ">>>>>>> REPLACE\n", 6, "outside a block"},
		"too few characters":         {"<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", 1, "is no marker"},
		"no space":                   {"<<<<<<<SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", 1, "is no marker"},
		"mixed characters":           {"<<-- SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", 1, "is no marker"},
		"no space before REPLACE":    {"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>>REPLACE\n", 5, "is no marker"},
		"words behind REPLACE":       {"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE it\n", 5, "is no marker"},
		"a broken end outside":       {ab + ">>>> REPLACE\n", 6, "is no marker"},
		"a file behind SEARCH":       {"<<<<<<< SEARCH f.go\na\n=======\nb\n>>>>>>> REPLACE\n", 1, "is no marker"},
		"no separator":               {"<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n", 3, "without a separator"},
		"two separators":             {"<<<<<<< SEARCH\na\n=======\nb\n=======\n>>>>>>> REPLACE\n", 5, "second separator"},
		"a block in a block":         {"<<<<<<< SEARCH\na\n=======\nb\n" + ab, 5, "begins before"},
		"a block in a search":        {"<<<<<<< SEARCH\na\n" + ab, 3, "expected \"=======\" and"},
		"two ends of other lengths":  {"<<<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\nb\n>>>>>> REPLACE\n", 4, "not clear"},
		"a bad start line":           {"<<<<<<< SEARCH\n:start_line:x\na\n=======\nb\n>>>>>>> REPLACE\n", 2, "gives no line"},
		"a bad line on the marker":   {"<<<<<<< SEARCH line:0\na\n=======\nb\n>>>>>>> REPLACE\n", 1, "gives no line"},
		"a hint below the separator": {"<<<<<<< SEARCH\na\n=======\n:start_line:1\nb\n>>>>>>> REPLACE\n", 4, "below the separator"},
		"a patch after":              {ab + "*** Begin Patch\n", 6, "another format"},
		"an indented block":          {ab + "\n  <<<<<<< SEARCH\n  c\n  =======\n  d\n  >>>>>>> REPLACE\n", 7, "behind white space"},
		"an indented block before":   {"\t<<<<<<< SEARCH\n\tc\n" + ab, 1, "behind white space"},
		"a diff before":              {"--- a/x\n+++ b/x\n@@ -1 +1 @@\n" + ab, 1, "another format"},
	})
	checkRefused(t, ParseBlocks, true, map[string]refused{
		"two separators, no end": {"<<<<<<<< SEARCH\na\n========\nb\n=======\n", 1, "cut off"},
		"in the text to find":    {ab + "<<<<<<< SEARCH\na\n", 6, "cut off"},
		"in the new text":        {"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPL", 1, "cut off"},
		"in the first marker":    {ab + "<<<<<<< SEA", 6, "cut off"},
		"in the second marker":   {"<<<<<<< SEARCH\na\n====", 1, "cut off"},
	})
}

func TestCutOffBlocksShowWhatWasComplete(t *testing.T) {
	_, err := ParseBlocks("f.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nc\n====")
	var r *Refusal
	if !errors.As(err, &r) {
		t.Fatal(err)
	}
	if diff := cmp.Diff(oneEdit("f.go", pair("a\n", "b\n")), r.Partial); diff != "" {
		t.Errorf("partial plan (-want +got):\n%s", diff)
	}
}

// Lines for generated edits: with markers of up to seven characters, fences, hints and blank lines.
var contentLine = rapid.SampledFrom([]string{
	"", "a", "\tb := 1", "  c", "=======", "<<<<<<< SEARCH", ">>>>>>> REPLACE", "```go", "+ d", "- e", "@@", "*** End Patch", "--- x", "é", "d \\",
})

func drawLines(t *rapid.T, label string, least int) string {
	return strings.Join(rapid.SliceOfN(contentLine, least, 6).Draw(t, label), "\n") + "\n"
}

func TestBlocksOfAnyContentSurviveLongerMarkers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want Plan
		var text strings.Builder
		for i := range rapid.IntRange(1, 4).Draw(t, "files") {
			op := Op{Path: fmt.Sprintf("dir/f%d.go", i)}
			fmt.Fprintf(&text, "%s\n```\n", op.Path)
			for range rapid.IntRange(1, 3).Draw(t, "edits") {
				e := pair(drawLines(t, "old", 1), drawLines(t, "new", 1))
				n := rapid.IntRange(8, 12).Draw(t, "n")
				fmt.Fprintf(&text, "%s SEARCH\n%s%s\n%s%s REPLACE\n", strings.Repeat("<", n), e.Old, strings.Repeat("=", n), e.New, strings.Repeat(">", n))
				op.Edits = append(op.Edits, e)
			}
			text.WriteString("```\n")
			want.Ops = append(want.Ops, op)
		}
		got, err := ParseBlocks(text.String())
		if err != nil {
			t.Fatalf("%v\n%s", err, text.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("plan (-want +got):\n%s\n%s", diff, text.String())
		}
	})
}
