package formats_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
)

func TestParseCall(t *testing.T) {
	whole := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "a", Content: "x",
		Overwrite: true}}, Format: "json"}
	all := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a",
		Edits: []atomicedit.Edit{{Old: "x", New: "y", Count: atomicedit.All}}}}, Format: "json:oldText"}
	edit := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{{Old: "x", New: "y"}}}},
		Format: "json:old_string"}
	for _, test := range []struct {
		name, tool, args string
		want             atomicedit.Plan
		says             string
	}{
		{"a name that says so writes a whole file", "write", `{"file_path": "a", "content": "x"}`, whole, ""},
		{"any other name does not", "edit", `{"file_path": "a", "content": "x"}`, atomicedit.Plan{},
			"does not say what lines"},
		{"an edit", "edit", `{"file_path": "a", "old_string": "x", "new_string": "y"}`, edit, ""},
		{"no name", "", `{"name": "edit", "arguments": {"file_path": "a", "old_string": "x", "new_string": "y"}}`, edit,
			""},
		{"a tool that reads", "view", `{"file_path": "a"}`, atomicedit.Plan{}, "is not an edit"},
		{"a tool of the name of one of Tools", "multi_edit", `{"path": "a", "oldText": "x", "newText": "y"}`,
			atomicedit.Plan{Ops: edit.Ops, Format: "json:oldText"}, ""},
		{"no call of one of Tools, nor of another", "multi_edit", `{"path": "a", "x": "y"}`, atomicedit.Plan{},
			`the field "edits" is missing`},
		{"one of Tools reads its own grammar", "apply_patch", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpDelete, Path: "a"}}, Format: "v4a"}, ""},
		{"another tool with a patch", "functions.apply_patch", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpDelete, Path: "a"}}, Format: "v4a"}, ""},
		{"a tool that reads, with a patch", "show_diff", "*** Begin Patch\n*** Delete File: a\n*** End Patch\n",
			atomicedit.Plan{}, "is not an edit"},
		{"a code fence", "edit", "```json\n{\"file_path\": \"a\", \"old_string\": \"x\", \"new_string\": \"y\"}\n```",
			edit, ""},
		{"below prose", "edit", "I change x: {\"file_path\": \"a\", \"old_string\": \"x\", \"new_string\": \"y\"}",
			edit, ""},
		{"below a block", "edit", "a\n<<<<<<< SEARCH\n{\"file_path\": \"a\", \"old_string\": \"x\", \"new_string\": \"y\"}", atomicedit.Plan{}, "cut off"},
		{"a list of calls", "MultiEdit", `[{"file_path": "a", "old_string": "x", "new_string": "y"}]`, edit, ""},
		{"a list, of a tool that reads", "view", `[{"file_path": "a", "old_string": "x", "new_string": "y"}]`,
			atomicedit.Plan{}, "no arguments"},
		{"a byte order mark", "edit", "\ufeff{\"file_path\": \"a\", \"old_string\": \"x\", \"new_string\": \"y\"}",
			edit, ""},
		{"all of the block", "edit", `{"type": "tool_use", "id": "1", "name": "edit", "input": {"file_path": "a", "old_string": "x", "new_string": "y"}}`, edit, ""},
		{"a call of Chat Completions", "edit",
			`{"id": "1", "type": "function", "function": {"name": "edit", "arguments": "{\"file_path\": \"a\", \"old_string\": \"x\", \"new_string\": \"y\"}"}}`, edit, ""},
		{"two arguments", "edit", `{"arguments": {}, "function": {"name": "edit"}}`, atomicedit.Plan{},
			"expected a string"},
		{"the block of another tool", "edit",
			`{"type": "tool_use", "name": "write", "input": {"file_path": "a", "content": "y"}}`, atomicedit.Plan{},
			"expected them to agree"},
		{"SWE-agent's edit, of the open file", "edit", `{"search": "x", "replace": "y", "replace-all": false}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Edits: []atomicedit.Edit{{Old: "x", New: "y"}}}},
				Format: "json:search,replace"}, ""},
		{"CodeCompanion's usual mode", "insert_edit_into_file",
			`{"filepath": "a", "edits": [{"oldText": "x", "newText": "y"}], "mode": "append"}`,
			atomicedit.Plan{Ops: edit.Ops, Format: "json:oldText"}, ""},
		{"CodeCompanion's other mode", "insert_edit_into_file",
			`{"filepath": "a", "edits": [{"oldText": "", "newText": "x", "replaceAll": false}], "mode": "overwrite"}`,
			whole, ""},
		{"all of a file, with an old text", "insert_edit_into_file",
			`{"filepath": "a", "edits": [{"oldText": "x", "newText": "y"}], "mode": "overwrite"}`, atomicedit.Plan{},
			"all of the file is replaced"},
		{"a line at the end of a file", "insert_edit_into_file",
			`{"filepath": "a", "content": "y\n", "mode": "append"}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a",
				Edits: []atomicedit.Edit{{New: "y\n", WholeLines: true, AtEnd: true}}}}, Format: "json"}, ""},
		{"edits by a tool that writes", "write_file",
			`{"path": "a", "edits": [{"oldText": "x", "newText": "y"}], "replace_all": true}`, all, ""},
		{"no edits beside an old text", "write_file",
			`{"path": "a", "edits": [], "oldText": "x", "newText": "y", "replace_all": true}`, all, ""},
		{"all places, and a line", "edit",
			`{"path": "a", "edits": [{"oldText": "x", "newText": "y", "line": 1}], "replace_all": true}`,
			atomicedit.Plan{}, "the call asks for all"},
		{"short names", "edit_file_lines",
			`{"p": "a", "e": [{"startLine": 1, "endLine": 1, "content": "y"}], "dryRun": false}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a",
				Edits: []atomicedit.Edit{{New: "y\n", WholeLines: true, First: 1, Last: 1}}}}, Format: "json"}, ""},
		{"no JSON", "edit", `x`, atomicedit.Plan{}, "JSON"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := atomicedit.ParseCall(test.tool, []byte(test.args))
			if (err != nil) != (test.says != "") || err != nil && !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want %q", err, test.says)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseCallKeepsTheCompletePartOfArgumentsThatWereCutOff(t *testing.T) {
	_, err := atomicedit.ParseCall("multiedit",
		[]byte(`{"file_path": "a", "edits": [{"old_string": "x", "new_string": "y"}, {"old_str`))
	var r *atomicedit.Refusal
	if !errors.As(err, &r) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
	want := []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{{Old: "x", New: "y"}}}}
	if diff := cmp.Diff(want, r.Partial.Ops); diff != "" {
		t.Error(diff)
	}
}
