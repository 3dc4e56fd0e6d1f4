package formats_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

func TestParseRefuses(t *testing.T) {
	const ab = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	const diff = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
	const patch = "*** Begin Patch\n*** Delete File: f\n*** End Patch\n"
	checkRefused(t, atomicedit.Parse, false, map[string]refused{
		"nothing":               {"", 1, "the request is empty"},
		"white space":           {" \n\t\r\n", 1, "the request is empty"},
		"words":                 {"\n  I cannot do that.\nSorry.\n", 1, "it begins with \"I cannot do that.\""},
		"blocks, then a patch":  {ab + patch, 6, "another format"},
		"blocks, then a diff":   {ab + "words\n" + diff, 7, "another format"},
		"a patch, then blocks":  {patch + ab, 4, "another format"},
		"a patch, then a diff":  {patch + diff, 4, "another format"},
		"a diff, then a patch":  {diff + patch, 6, "another format"},
		"a diff, then blocks":   {diff + "\n" + ab, 7, "another format"},
		"a broken SEARCH":       {"f.go\n<<<<<<<SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", 2, "is not a marker"},
		"JSON, then words":      {"{\"path\":\"f\",\"content\":\"\"}\nDone.", 2, "text after the JSON"},
		"an ending alone":       {"a\n>>>>>>> REPLACE\n", 2, "outside a block"},
		"JSON that is no shape": {"{}", 1, "of no known kind"},
		"a file in a fence": {"Here is the new `src/a.py`:\n\n```python\nimport os\n```\n", 3,
			"may be all of \"src/a.py\" or a part of it"},
		"JSON that is a list":  {"\n[{}]", 2, "of no known kind"},
		"a line break in JSON": {"{\"path\":\"f\",\"content\":\"a\nb\"}", 2, "as \\n"},
		"a bad escape in JSON": {`{"path":"f","content":"\d"}`, 1, `\\ for a backslash`},
		"indented blocks": {"1. So:\n\n   <<<<<<< SEARCH\n   a\n   =======\n   b\n   >>>>>>> REPLACE\n", 3,
			"first column"},
	})
	checkRefused(t, atomicedit.Parse, true, map[string]refused{
		"a cut patch": {strings.TrimSuffix(patch, "*** End Patch\n"), 2, "cut off"},
		"a cut block": {strings.TrimSuffix(ab, ">>>>>>> REPLACE\n"), 1, "cut off"},
		"cut JSON":    {`{"path":"f"`, 1, "cut off"},
	})
}

func TestAByteOrderMarkBeforeARequestIsOverlooked(t *testing.T) {
	for format, text := range streamed() {
		if got, want := accepttest.Must(atomicedit.Parse("\ufeff"+text)),
			accepttest.Must(atomicedit.Parse(text)); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %+v; want %+v", format, got, want)
		}
	}
}

func TestOtherFormatsAreContentInsideABlock(t *testing.T) {
	const patch = "*** Begin Patch\n*** Delete File: f\n*** End Patch\n--- a/f\n+++ b/f\ndiff --git a/f b/f\n"
	p, err := atomicedit.Parse("<<<<<<< SEARCH\n" + patch + "=======\n{}\n>>>>>>> REPLACE\n")
	if err != nil || p.Ops[0].Edits[0].Old != patch {
		t.Errorf("got %+v, %v", p, err)
	}
}

// streamed returns requests whose prefixes are parsed, by format.
func streamed() map[string]string {
	return map[string]string{
		"blocks": "Words.\n\nf.go\n```go\n<<<<<<<< SEARCH\na\n========\nb\n>>>>>>>> REPLACE\n```\n\ng.go\n<<<<<<<< SEARCH\nc\n========\n=======\n>>>>>>>> REPLACE\n" +
			"------- SEARCH\n:start_line:12\n-------\nx\n=======\ny\n+++++++ REPLACE\nnew.go\n<<<<< SEARCH\n=====\nz\n>>>>> REPLACE\n",
		"patch": "Words:\n```\n*** Begin Patch\n*** Add File: f\n+a\n*** Update File: g\n@@ x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n@@\n-d\n*** End of File\n" +
			"*** Update File: h.go\n*** Move to: i.go\n@@\n-e\n+f\n*** Delete File: h\n*** End Patch\n```\n",
		"tags": "Words.\n\n<replace_in_file>\n<path>f</path>\n<diff>\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n</diff>\n</replace_in_file>\n" +
			"<write_to_file>\n<path>g</path>\n<content>\n<p>a</content></p>\n</content>\n</write_to_file>\n<function_calls>\n<invoke name=\"Edit\">\n<parameter name=\"path\">h</parameter>\n" +
			"<parameter name=\"old_string\">a</parameter>\n<parameter name=\"new_string\">b</parameter>\n</invoke>\n</function_calls>\n",
		"tags, a list":     "<edits>\n<old_text line=3>\na\n</old_text>\n<new_text>\nb\n</new_text>\n<old_text>\nc\n</old_text>\n<new_text>\nd\n</new_text>\n</edits>",
		"tags, JSON":       "<tool_call>\n{\"name\": \"edit\", \"arguments\": {\"path\": \"f\", \"edits\": [{\"oldText\": \"a\", \"newText\": \"</b>\"}, {\"oldText\": \"c\", \"newText\": \"d\"}]}}\n</tool_call>",
		"json":             `{"file_path":"f","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c\\","new_string":"\u00e9"}]}`,
		"json, operations": `{"cwd":"x","operations":[{"type":"edit","path":"f","edits":[{"old_string":"é","new_string":"b"},{"old_string":"c","new_string":"d]}"}]},{"type":"delete","path":"g"}]}`,
		"json, files":      `{"cwd":"x","files":[{"path":"f","edits":[{"old_string":"a","new_string":"b"}]},{"path":"g","edits":[{"old_string":"a","new_string":"b","replace_all":true}]}]}`,
		"json, a string":   `{"file_path":"f","edits":"[{\"old_string\":\"a\",\"new_string\":\"b\"},{\"old_string\":\"c\",\"new_string\":\"d\"}]"}`,
		"json, a patch":    `{"input":"*** Begin Patch\n*** Delete File: f\n*** Add File: g\n+\u00e9\n+a\"b\n*** Update File: h\n@@\n-a\n+b\n@@\n-c\n*** End Patch"}`,
		"json, blocks":     `{"file_path":"f","percentage_to_change":20,"text_or_search_replace_blocks":"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE"}`,
		"json, a file":     `{"file_path":"f","percentage_to_change":100,"text_or_search_replace_blocks":"a\nb\n"}`,
		"json, content":    `{"path":"f","content":"a\nb\n"}`,
		"git": "diff --git a/f.go b/f.go\nindex 1..2 100644\n--- a/f.go\n+++ b/f.go\n@@ -3,3 +3,4 @@ func f()\n a\n-b\n+see\n+dee\n e\n@@ -13,5 +14,4 @@\n a\n-b\n-c\n+see\n e\n f\n" +
			"diff --git a/o.go b/n.go\nsimilarity index 90%\nrename from o.go\nrename to n.go\nindex 1..2 100644\n--- a/o.go\n+++ b/n.go\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n" +
			"diff --git a/x.go b/x.go\nnew file mode 100644\nindex 0000000..1234567\n--- /dev/null\n+++ b/x.go\n@@ -0,0 +1,2 @@\n+one\n+two\n" +
			"diff --git a/y.go b/y.go\ndeleted file mode 100644\nindex 1234567..0000000\n--- a/y.go\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n" +
			"diff --git a/old.go b/new.go\nsimilarity index 100%\nrename from old.go\nrename to new.go\ndiff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n",
		"diff": "--- f.go\n+++ f.go\n@@ -3,3 +3,4 @@\n a\n-b\n+see\n+dee\n e\n--- g.go\n+++ g.go\n@@ -13,3 +14,3 @@\n a\n-b\n+see\n e\n@@ -20,0 +21,2 @@\n+x\n+y\n",
	}
}

// cannotBeTold has the ends of diffs that were cut off without a trace, by the part that is lost.
func cannotBeTold() map[string][]string {
	return map[string][]string{
		"context behind the last change, which is often left out": {
			"+see\n+dee\n", "+see\n+dee\n ", "-c\n+see\n", "-c\n+see\n ", "-c\n+see\n e", "-c\n+see\n e\n",
			"-c\n+see\n e\n ", "-a\n+b\n", "-a\n+b\n ", "-b\n+see\n", "-b\n+see\n ",
		},
		"a change behind another, where the counts would leave as many old as new lines": {"@@ -13,5 +14,4 @@\n a\n-b\n"},
		"the end of the last line that is counted": {"+one\n+", "+one\n+t",
			"+one\n+tw", "-one\n-", "-one\n-t", "-one\n-tw", "+x\n+"},
		"all behind the header of a file that could be empty": {"new file mode 100644\n", "deleted file mode 100644\n"},
	}
}

// Each prefix of a request is either refused, or asks for the same as the whole, or for less. The same holds for the
// part of a refused prefix that was complete, and a longer prefix never has less of it.
func TestNoPrefixOfARequestAsksForMore(t *testing.T) {
	for name, text := range streamed() {
		whole := accepttest.Must(atomicedit.Parse(text))
		most := 0
		for i := range len(text) {
			p, err := atomicedit.Parse(text[:i])
			var r *atomicedit.Refusal
			if errors.As(err, &r) {
				p = r.Partial
			} else if slices.ContainsFunc(slices.Concat(slices.Collect(maps.Values(cannotBeTold()))...),
				func(end string) bool { return strings.HasSuffix(text[:i], end) }) {
				continue
			}
			if !isBeginning(p, whole) {
				t.Errorf("%s, the first %d bytes, %q: %+v", name, i, text[:i], p)
			}
			n := 0
			for _, op := range p.Ops {
				n += 1 + len(op.Edits)
			}
			if n < most && len(p.Ops) < len(whole.Ops) {
				t.Errorf("%s, the first %d bytes, %q: what was complete got less: %+v", name, i, text[:i], p)
			}
			most = max(most, n)
		}
		if most < len(whole.Ops) && most == 0 && strings.Count(text, "\n") > 8 {
			t.Errorf("%s: nothing was ever complete", name)
		}
	}
}

// isBeginning reports whether p has the first ops of whole, of which the last may have only its first edits.
func isBeginning(p, whole atomicedit.Plan) bool {
	for i, op := range p.Ops {
		if i >= len(whole.Ops) || len(op.Edits) > len(whole.Ops[i].Edits) {
			return false
		}
		full := whole.Ops[i]
		if i == len(p.Ops)-1 {
			full.Edits = full.Edits[:len(op.Edits)]
		}
		if fmt.Sprint(op) != fmt.Sprint(full) {
			return false
		}
	}
	return true
}

// big returns a request of some 10 MB in each text format, and the number of its edits.
func big() map[string]struct {
	text  string
	edits int
	parse func(string) (atomicedit.Plan, error)
} {
	const n = 10000
	lines := func(prefix string) string {
		return strings.Repeat(prefix+"\treturn fmt.Errorf(\"some line of usual length: %w\", err)\n", 8)
	}
	block := "<<<<<<< SEARCH\n" + lines("") + "=======\n" + lines("") + ">>>>>>> REPLACE\n"
	put := "PUT 9-16:\n" + lines("+")
	hunk := lines(" ") + lines("-") + lines("+")
	return map[string]struct {
		text  string
		edits int
		parse func(string) (atomicedit.Plan, error)
	}{
		"blocks": {"f.go\n" + strings.Repeat(block, n), n, atomicedit.ParseBlocks},
		"v4a": {"*** Begin Patch\n*** Update File: f.go\n" + strings.Repeat("@@\n"+hunk, n) + "*** End Patch\n", n,
			atomicedit.ParseV4A},
		"unified": {"--- a/f.go\n+++ b/f.go\n" + strings.Repeat("@@ -9,16 +9,16 @@\n"+hunk, n), n,
			atomicedit.ParseUnified},
		"hashline": {"[f.go]\n" + strings.Repeat(put, n), n, atomicedit.Parse},
	}
}

func TestParsersAllocatePerEdit(t *testing.T) {
	for name, b := range big() {
		allocs := testing.AllocsPerRun(1, func() { accepttest.Must(b.parse(b.text)) })
		if perEdit := allocs / float64(b.edits); perEdit > 5 {
			t.Errorf("%s: %.1f allocations per edit", name, perEdit)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	requests := big()
	json := requests["blocks"]
	edit := `{"old_string":"` + strings.Repeat(`\treturn err\n`, 32) + `","new_string":"` +
		strings.Repeat(`\treturn nil\n`, 32) + `"}`
	json.text = `{"file_path":"f.go","edits":[` + strings.Repeat(edit+",", json.edits-1) + edit + "]}"
	json.parse = func(s string) (atomicedit.Plan, error) { return atomicedit.ParseJSON([]byte(s)) }
	requests["json"] = json
	for name, big := range requests {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(big.text)))
			b.ReportAllocs()
			for b.Loop() {
				accepttest.Must(big.parse(big.text))
			}
		})
	}
}

// The refusal of a request that was cut off has what was complete, in every format.
func TestACutOffRequestHasItsCompletePart(t *testing.T) {
	const range1 = `{"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}}, "newText": "x"}`
	for name, tt := range map[string]struct{ request, want string }{
		"a list of calls": {`[{"path": "a", "old_string": "x", "new_string": "y"}, {"path": "b", "old_`, "edit a 1"},
		"calls in prose": {"Here are the calls I make now:\n" +
			`{"path": "a", "old_string": "x", "new_string": "y"}` + "\n" +
			`{"path": "b", "edits": [{"old": "x", "new": "y"}, {"old`, "edit a 1, edit b 1"},
		"a fenced call": {"Text:\n```json\n" + `{"path": "a", "edits": [{"old": "x", "new": "y"}, {"old`,
			"edit a 1"},
		"files in fences":   {"```save a\nx\n```\n```save b\ny\n", "create a 0"},
		"a language server": {`[` + range1 + `, {"ran`, "edit  1"},
	} {
		_, err := atomicedit.Parse(tt.request)
		var r *atomicedit.Refusal
		if !errors.As(err, &r) || !errors.Is(err, io.ErrUnexpectedEOF) || tells(r.Partial) != tt.want {
			t.Errorf("%s: %v, complete: %q, want %q", name, err, tells(r.Partial), tt.want)
		}
	}
}
