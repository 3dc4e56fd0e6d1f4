package atomicedit

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestParseRefuses(t *testing.T) {
	const ab = "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	const diff = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
	const patch = "*** Begin Patch\n*** Delete File: f\n*** End Patch\n"
	checkRefused(t, Parse, false, map[string]refused{
		"nothing":               {"", 1, "the request is empty"},
		"white space":           {" \n\t\r\n", 1, "the request is empty"},
		"words":                 {"\n  I cannot do that.\nSorry.\n", 1, "it begins with \"I cannot do that.\""},
		"blocks, then a patch":  {ab + patch, 6, "another format"},
		"blocks, then a diff":   {ab + "words\n" + diff, 7, "another format"},
		"a patch, then blocks":  {patch + ab, 4, "another format"},
		"a patch, then a diff":  {patch + diff, 4, "another format"},
		"a diff, then a patch":  {diff + patch, 6, "another format"},
		"a diff, then blocks":   {diff + "\n" + ab, 7, "another format"},
		"a broken SEARCH":       {"f.go\n<<<<<<<SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", 2, "is no marker"},
		"JSON, then words":      {"{\"path\":\"f\",\"content\":\"\"}\nDone.", 2, "text after the JSON"},
		"an ending alone":       {"a\n>>>>>>> REPLACE\n", 2, "outside a block"},
		"JSON that is no shape": {"{}", 1, "no known shape"},
	})
	checkRefused(t, Parse, true, map[string]refused{
		"a cut patch": {strings.TrimSuffix(patch, "*** End Patch\n"), 2, "cut off"},
		"a cut block": {strings.TrimSuffix(ab, ">>>>>>> REPLACE\n"), 1, "cut off"},
		"cut JSON":    {`{"path":"f"`, 1, "cut off"},
	})
}

func TestOtherFormatsAreContentInsideABlock(t *testing.T) {
	const patch = "*** Begin Patch\n*** Delete File: f\n*** End Patch\n--- a/f\n+++ b/f\ndiff --git a/f b/f\n"
	p, err := Parse("<<<<<<< SEARCH\n" + patch + "=======\n{}\n>>>>>>> REPLACE\n")
	if err != nil || p.Ops[0].Edits[0].Old != patch {
		t.Errorf("got %+v, %v", p, err)
	}
}

// Each prefix of a request is either refused, or asks for the same as the whole, or for less.
func TestNoPrefixOfARequestAsksForMore(t *testing.T) {
	for name, text := range map[string]string{
		"blocks": "f.go\n<<<<<<<< SEARCH\na\n========\nb\n>>>>>>>> REPLACE\n<<<<<<<< SEARCH\nc\n========\n=======\n>>>>>>>> REPLACE\n",
		"patch":  "*** Begin Patch\n*** Add File: f\n+a\n*** Update File: g\n@@ x\n a\n-b\n+c\n@@\n-d\n*** Delete File: h\n*** End Patch\n",
		"json":   `{"file_path":"f","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d"}]}`,
	} {
		whole := must(Parse(text))
		for i := range text {
			p, err := Parse(text[:i])
			var r *Refusal
			if errors.As(err, &r) {
				p = r.Partial
			}
			if !isBeginning(p, whole) {
				t.Errorf("%s, the first %d bytes: %+v", name, i, p)
			}
		}
	}
}

// isBeginning reports whether p has the first ops of whole, of which the last may have only its first edits.
func isBeginning(p, whole Plan) bool {
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
	parse func(string) (Plan, error)
} {
	const n = 10000
	lines := func(prefix string) string {
		return strings.Repeat(prefix+"\treturn fmt.Errorf(\"some line of usual length: %w\", err)\n", 8)
	}
	block := "<<<<<<< SEARCH\n" + lines("") + "=======\n" + lines("") + ">>>>>>> REPLACE\n"
	hunk := lines(" ") + lines("-") + lines("+")
	return map[string]struct {
		text  string
		edits int
		parse func(string) (Plan, error)
	}{
		"blocks":  {"f.go\n" + strings.Repeat(block, n), n, ParseBlocks},
		"v4a":     {"*** Begin Patch\n*** Update File: f.go\n" + strings.Repeat("@@\n"+hunk, n) + "*** End Patch\n", n, ParseV4A},
		"unified": {"--- a/f.go\n+++ b/f.go\n" + strings.Repeat("@@ -9,16 +9,16 @@\n"+hunk, n), n, ParseUnified},
	}
}

func TestParsersAllocatePerEdit(t *testing.T) {
	for name, b := range big() {
		allocs := testing.AllocsPerRun(1, func() { must(b.parse(b.text)) })
		if perEdit := allocs / float64(b.edits); perEdit > 5 {
			t.Errorf("%s: %.1f allocations per edit", name, perEdit)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	requests := big()
	json := requests["blocks"]
	edit := `{"old_string":"` + strings.Repeat(`\treturn err\n`, 32) + `","new_string":"` + strings.Repeat(`\treturn nil\n`, 32) + `"}`
	json.text = `{"file_path":"f.go","edits":[` + strings.Repeat(edit+",", json.edits-1) + edit + "]}"
	json.parse = func(s string) (Plan, error) { return ParseJSON([]byte(s)) }
	requests["json"] = json
	for name, big := range requests {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(big.text)))
			b.ReportAllocs()
			for b.Loop() {
				must(big.parse(big.text))
			}
		})
	}
}
