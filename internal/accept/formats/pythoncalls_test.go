package formats_test

import (
	"errors"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

func TestCallsInPython(t *testing.T) {
	f := map[string]string{"f": "a\nb\n", "g": "1\n"}
	done := map[string]string{"f": "x\nb\n", "g": "1\n"}
	const edit = `edit_file(path="f", old_string="a", new_string='x')`
	const harmony = "<|channel|>commentary to=functions.apply_patch<|message|>" +
		"*** Begin Patch\n*** Update File: f\n-a\n+x\n*** End Patch"
	checkCalls(t, map[string]callCase{
		"a call": {f, "[" + edit + "]", done, ""},
		"two calls": {f, "[\n  " + edit + ",\n  fs.delete_file(path='g'),\n]\n",
			map[string]string{"f": "x\nb\n"}, ""},
		"between tokens":           {f, "<|python_start|>[" + edit + "]<|python_end|><|eot_id|>", done, ""},
		"behind a token":           {f, "<|python_tag|>[" + edit + "]", done, ""},
		"between tokens of LFM":    {f, "<|tool_call_start|>[" + edit + "]<|tool_call_end|>", done, ""},
		"a patch between tokens":   {f, harmony + "<|call|>", done, ""},
		"text behind such a patch": {f, harmony + "\nrm f<|call|>", nil, "text behind the patch"},
		"such a patch, cut off":    {f, harmony[:len(harmony)-6], nil, "cut off"},
		"in a block of Gemma":      {f, "```tool_code\n" + edit + "\n```\n", done, ""},
		"in two blocks, with words around": {f, "I do.\n```tool_code\n" + edit + "\n```\nAnd:\n```tool_code\nprint(delete_file(path='g'))\n```\n.",
			map[string]string{"f": "x\nb\n"}, ""},
		"other code in a block":    {f, "So:\n```tool_code\n" + edit + "\nprint(1)\n```\n", nil, "text after the list of calls"},
		"a block that only reads":  {f, "So:\n```tool_code\nread_file(path='f')\n```\n", nil, "no known format"},
		"between tags":             {f, "<function_calls>\n" + edit + "\n</function_calls>", done, ""},
		"two, one below the other": {f, edit + "\ndelete_file(path='g')", map[string]string{"f": "x\nb\n"}, ""},
		"in a fence":               {f, "```python\n[" + edit + "]\n```\n", done, ""},
		"in a message": {f, accepttest.Object{"role": "assistant", "content": "[" + edit + "]"}, done,
			""},
		"a list of edits": {f,
			`[edit(path="f", edits=[{"old": "a", "new": "x"}, {'old': 'b\n', 'new': None}])]`,
			map[string]string{"f": "x\n", "g": "1\n"}, ""},
		"a flag": {f, `[edit(path="f", old="a", new="x", dry_run=True)]`, f, ""},
		"markers in a text": {f,
			"[write_file(path='f', content='''\n<<<<<<< SEARCH\na\n=======\nx\n>>>>>>> REPLACE\n''')]",
			map[string]string{"f": "\n<<<<<<< SEARCH\na\n=======\nx\n>>>>>>> REPLACE\n", "g": "1\n"}, ""},
		"the second is no edit": {f, "[" + edit + ", read_file(path='f')]", nil,
			"call 2: the call of \"read_file\" is not an edit"},
		"a line of its own, refused": {f,
			"[edit_file(path='f',\n  edits=[{'old': 'a', 'new': 'x'},\n    {'bad': 'b'}])]", nil,
			"line 3 of the request"},
		"a name twice":                   {f, `[edit_file(path="f", path="g", old="a", new="x")]`, nil, "twice"},
		"an argument without name":       {f, `[edit_file(path="f", "a", "x")]`, nil, "has no name"},
		"an expression":                  {f, `[edit_file(path="f", old="a", new="x" + "y")]`, nil, "expected \",\""},
		"cut off":                        {f, "[" + edit[:30], nil, "cut off"},
		"text behind":                    {f, "[" + edit + "] is it", nil, "text after the list"},
		"not UTF-8":                      {f, "[" + edit[:45] + "\xff')]", nil, "not valid UTF-8"},
		"within a sentence":              {f, "I call [" + edit + "].", nil, "no known format"},
		"code that is no call of a tool": {f, "print(file='f', x=1)\nadd(a=1)", nil, "no known format"},
		"a call alone, with text behind": {f, edit + " is it", nil, "no known format"},
		"the first argument has no name": {f, `[edit_file("f", old="a", new="x")]`, nil, "no known format"},
	})
}

func TestCallsInPythonThatWereCutOffKeepWhatIsComplete(t *testing.T) {
	_, err := atomicedit.Parse("[edit(path='a', old='x', new='y'), edit(path='b', old=")
	var r *atomicedit.Refusal
	if !errors.As(err, &r) {
		t.Fatal(err)
	}
	want := []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{{Old: "x", New: "y"}}}}
	if diff := cmp.Diff(want, r.Partial.Ops); diff != "" {
		t.Error(diff)
	}
}
