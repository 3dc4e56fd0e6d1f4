package formats_test

import (
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

// Every parser says how its request was written, and numbers edits where their index does not.
func TestPlansHaveTheWordsAndNumbersOfTheirRequests(t *testing.T) {
	const block = "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"
	for _, tt := range []struct {
		name, request, format string
		numbers               []int // of all edits, in order
	}{
		{"blocks", "a\n" + block + block, "blocks", []int{0, 0}},
		{"a file, another, and the first again", "a\n" + block + "b\n" + block + "a\n" + block + block, "blocks",
			[]int{0, 0, 2, 3}},
		{"blocks after a creation", "a\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n" + block, "blocks", []int{2}},
		{"a patch", "*** Begin Patch\n*** Update File: a\n@@\n-x\n@@\n-y\n*** End Patch\n", "v4a", []int{0, 0}},
		{"two sections of a file", "*** Begin Patch\n*** Update File: a\n@@\n-x\n*** Update File: a\n@@\n-y\n*** End Patch\n", "v4a", []int{0, 2}},
		{"a diff", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n", "unified", []int{0}},
		{"old_string", `{"file_path": "a", "old_string": "x", "new_string": "y"}`, "json:old_string", []int{0}},
		{"old_string after a creation",
			`{"file_path": "a", "edits": [{"old_string": "", "new_string": "x"}, {"old_string": "x", "new_string": "y"}]}`, "json:old_string", []int{2}},
		{"oldText", `{"path": "a", "edits": [{"oldText": "x", "newText": "y"}]}`, "json:oldText", []int{0}},
		{"old_text", `{"path": "a", "edits": [{"old_text": "x", "new_text": "y"}]}`, "json:old_text", []int{0}},
		{"old_str", `{"command": "str_replace", "path": "a", "old_str": "x", "new_str": "y"}`, "json:old_str",
			[]int{0}},
		{"search", `{"path": "a", "edits": [{"search": "x", "replace": "y"}]}`, "json:search,replace", []int{0}},
		{"operations", `{"operations": [{"type": "edit", "path": "a", "edits": [{"old_string": "x", "new_string": "y"}]}]}`, "json:old_string", []int{0}},
		{"files", `{"files": [{"path": "a", "edits": [{"old_string": "x", "new_string": "y"}]}]}`, "json:old_string",
			[]int{0}},
		{"line numbers", `{"path": "a", "edits": [{"from": 1, "content": "y"}]}`, "json", []int{0}},
		{"a patch in JSON", `{"input": "*** Begin Patch\n*** Update File: a\n@@\n-x\n*** End Patch"}`, "v4a", []int{0}},
		{"blocks in JSON", accepttest.Args(accepttest.Object{"file_path": "a", "percentage_to_change": 1,
			"text_or_search_replace_blocks": block}), "blocks", []int{0}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := atomicedit.Parse(tt.request)
			if err != nil {
				t.Fatal(err)
			}
			var numbers []int
			for _, op := range p.Ops {
				for _, e := range op.Edits {
					numbers = append(numbers, e.Number)
				}
			}
			if diff := cmp.Diff(tt.numbers, numbers); p.Format != tt.format || diff != "" {
				t.Errorf("format %q, numbers (-want +got):\n%s", p.Format, diff)
			}
		})
	}
}

// Where the name for the new text does not follow from that for the old one, the format has both.
func TestMessagesNameTheFieldOfTheNewText(t *testing.T) {
	for request, says := range map[string]string{
		`{"path": "a", "edits": [{"search": "x", "replace": "x"}]}`:         "search and replace are equal",
		`{"path": "a", "edits": [{"find": "x", "replacement": "x"}]}`:       "find and replacement are equal",
		`{"path": "a", "edits": [{"oldText": "x", "newText": "x"}]}`:        "oldText and newText are equal",
		`{"path": "a", "edits": [{"search": "x1\n", "replace": "\u0000"}]}`: "replace has a NUL byte",
	} {
		p, err := atomicedit.ParseJSON([]byte(request))
		if err == nil {
			_, err = p.Apply([]byte("x1\n"), nil)
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", request, err, says)
		}
	}
}

// What stands in quotation marks is the request's or the file's own, and stays as it is.
func TestMessagesKeepWhatTheyQuote(t *testing.T) {
	p, err := atomicedit.ParseBlocks("a\n<<<<<<< SEARCH\nthe old text \" of edit 1\n=======\nthe new text\n>>>>>>> REPLACE\n")
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Apply([]byte("the old text \" in edit 1\n"), nil)
	const want = "a: the SEARCH text is not there; the closest is at line 1:\n" +
		"     1\tthe old text \" in edit 1\n" +
		"line 1: the SEARCH text has `the old text \" of edit 1`, the file has `the old text \" in edit 1`"
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Long lines are cut, above and below, and a mark is there.
func TestMessagesMarkWhereTheyCutLines(t *testing.T) {
	long := strings.Repeat("word ", 1000)
	_, err := atomicedit.Apply([]byte(long+"end\n"), []atomicedit.Edit{accepttest.Lines(long+"and\n", "x\n")}, nil)
	if err == nil {
		t.Fatal("not refused")
	}
	for _, says := range []string{
		"     1\t" + long[:1900], " …\nline 1: ",
		`line 1: the old text has … "word word word word word word word word and", the file has … "word word word word word word word word end"`,
	} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("not said: %q: %s", says, err)
		}
	}
}
