package formats_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

// A callCase is a request as a host gets it, and what has to come of it.
type callCase struct {
	files map[string]string
	call  any // an object or a list; a string is the request itself
	after map[string]string
	says  string // in the refusal, "" if it is carried out
}

// checkCalls carries out requests.
func checkCalls(t *testing.T, cases map[string]callCase) {
	t.Helper()
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			request, ok := tt.call.(string)
			if !ok {
				request = accepttest.Args(tt.call)
			}
			store := atomicedit.NewMem(tt.files)
			plan, err := atomicedit.Parse(request)
			if err == nil {
				_, err = atomicedit.Run(context.Background(), store, plan, nil)
			}
			var refusal *atomicedit.Refusal
			switch {
			case tt.says == "" && err != nil:
				t.Fatal(err)
			case tt.says != "" && (!errors.As(err, &refusal) || !strings.Contains(err.Error(), tt.says)):
				t.Fatalf("got %v, want a refusal with %q", err, tt.says)
			case tt.says != "":
				tt.after = tt.files
			}
			if diff := cmp.Diff(tt.after, store.Files()); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

// message returns a message with calls: names of tools and their arguments.
func message(namesAndArgs ...any) accepttest.Object {
	var calls []any
	for i := 0; i < len(namesAndArgs); i += 2 {
		calls = append(calls, accepttest.Object{"type": "tool_use", "name": namesAndArgs[i],
			"input": namesAndArgs[i+1]})
	}
	return accepttest.Object{"role": "assistant", "content": calls}
}

func TestCallsOfKnownTools(t *testing.T) {
	abc := map[string]string{"f": "a\nb\nc\n"}
	checkCalls(t, map[string]callCase{
		"numbered fields": {abc,
			accepttest.Object{"command": "str_replace", "path": "f", "old_str_1": "a", "new_str_1": "x",
				"old_str_2": "c", "new_str_2": "z"}, map[string]string{"f": "x\nb\nz\n"}, ""},
		"numbered fields, one lost": {abc,
			accepttest.Object{"path": "f", "old_str_1": "a", "new_str_1": "x", "new_str_2": "z"}, nil,
			`edit 2: the field "old_str_2" is missing`},
		"entries of insertions": {abc,
			accepttest.Object{"command": "insert", "path": "f",
				"insert_line_entries": []any{accepttest.Object{"insert_line": 1, "new_str": "1"},
					accepttest.Object{"insert_line": 2, "new_str": "2"}}}, map[string]string{"f": "a\n1\nb\n2\nc\n"},
			""},
		"lines, and what they read": {map[string]string{"f": "a\na\na\n"},
			accepttest.Object{"file_path": "f", "search": "a", "first_replaced_line": 2, "last_replaced_line": 2,
				"replace": "x"}, map[string]string{"f": "a\nx\na\n"}, ""},
		"lines from 0": {abc,
			accepttest.Object{"name": "replace_lines",
				"arguments": accepttest.Object{"relative_path": "f", "start_line": 0, "end_line": 0, "content": "x"}},
			map[string]string{"f": "x\nb\nc\n"}, ""},
		"a line from 0": {abc,
			accepttest.Object{"name": "mcp__serena__insert_at_line",
				"arguments": accepttest.Object{"relative_path": "f", "line": 1, "content": "x"}},
			map[string]string{"f": "a\nx\nb\nc\n"}, ""},
		"lines deleted, from 0": {abc,
			accepttest.Object{"name": "delete_lines",
				"arguments": accepttest.Object{"relative_path": "f", "start_line": 1, "end_line": 2}},
			map[string]string{"f": "a\n"}, ""},
		"a line to insert above": {abc,
			accepttest.Object{"name": "insert_content",
				"arguments": accepttest.Object{"path": "f", "line": 2, "content": "x"}},
			map[string]string{"f": "a\nx\nb\nc\n"}, ""},
		"a line to insert at the end": {abc,
			accepttest.Object{"name": "insert_content",
				"arguments": accepttest.Object{"path": "f", "line": 0, "content": "x"}},
			map[string]string{"f": "a\nb\nc\nx\n"}, ""},
		"lines without content": {abc, accepttest.Object{"path": "f", "start_line": 1, "end_line": 2}, nil,
			`"content" is missing`},
		"lines deleted in a list": {abc,
			accepttest.Object{"path": "f", "edits": []any{accepttest.Object{"from": 1, "to": 2}}},
			map[string]string{"f": "c\n"}, ""},
		"a line without content": {abc,
			accepttest.Object{"path": "f", "edits": []any{accepttest.Object{"from": 1}}}, nil, `"content" is missing`},
		"edits in a list of one": {abc,
			accepttest.Object{"path": "f", "edits": []any{[]any{accepttest.Object{"old_text": "a", "new_text": "x"}}}},
			map[string]string{"f": "x\nb\nc\n"}, ""},
		"lines appended": {abc, accepttest.Object{"command": "append", "path": "f", "new_str": "d"},
			map[string]string{"f": "a\nb\nc\nd\n"}, ""},
		"a text appended": {map[string]string{"f": "a"},
			accepttest.Object{"file": "f", "content": "b\n", "append": true}, map[string]string{"f": "a\nb"}, ""},
		"a text appended, below": {map[string]string{"f": "a"},
			accepttest.Object{"file": "f", "content": "b", "append": true, "leading_newline": true}, nil, "not needed"},
		"a line appended": {map[string]string{"f": "a\n"},
			accepttest.Object{"file": "f", "content": "b", "append": true, "trailing_newline": true},
			map[string]string{"f": "a\nb\n"}, ""},
		"a newline at the end": {nil,
			accepttest.Object{"path": "f", "file_content": "a", "add_last_line_newline": true},
			map[string]string{"f": "a\n"}, ""},
		"a file made, by its name": {abc,
			accepttest.Object{"name": "create_file", "arguments": accepttest.Object{"path": "f", "content": "x"}}, nil,
			"already there"},
		"a file written, by its name": {abc,
			accepttest.Object{"name": "write_file", "arguments": accepttest.Object{"path": "f", "content": "x"}},
			map[string]string{"f": "x"}, ""},
		"a file not to overwrite": {abc,
			accepttest.Object{"TargetFile": "f", "CodeContent": "x", "Overwrite": false}, nil, "already there"},
		"blocks for a file": {abc,
			accepttest.Object{"file_path": "f", "content": "<<<<<<< SEARCH\na\n=======\nx\n>>>>>>> REPLACE"},
			map[string]string{"f": "x\nb\nc\n"}, ""},
		"blocks as a file": {nil,
			accepttest.Object{"name": "Write",
				"arguments": accepttest.Object{"file_path": "f",
					"content": "<<<<<<< SEARCH\na\n=======\nx\n>>>>>>> REPLACE\n"}},
			map[string]string{"f": "<<<<<<< SEARCH\na\n=======\nx\n>>>>>>> REPLACE\n"}, ""},
		"a new name": {abc,
			accepttest.Object{"name": "rename_file",
				"arguments": accepttest.Object{"file_path": "f", "rename_file_path": "g"}},
			map[string]string{"g": "a\nb\nc\n"}, ""},
		"a path to delete": {abc,
			accepttest.Object{"name": "delete_file", "arguments": accepttest.Object{"path": "f"}}, map[string]string{},
			""},
		"a path, of a tool that reads": {abc,
			accepttest.Object{"name": "read_file",
				"arguments": accepttest.Object{"target_file": "f", "explanation": "To see."}}, nil, "not an edit"},
		"a part to delete": {abc,
			accepttest.Object{"name": "delete_comment", "arguments": accepttest.Object{"path": "f", "comment": "x"}},
			nil, "nothing that says what to do"},
		"calls of one tool": {abc,
			accepttest.Object{"name": "multi_tool_use.parallel",
				"arguments": accepttest.Object{"tool_uses": []any{accepttest.Object{"recipient_name": "functions.edit",
					"parameters": accepttest.Object{"path": "f",
						"edits": []any{accepttest.Object{"old_string": "a", "new_string": "x"}}}}}}},
			map[string]string{"f": "x\nb\nc\n"}, ""},
		"arguments without a name": {abc,
			accepttest.Object{"arguments": accepttest.Object{"patch": "*** Begin Patch\n*** Delete File: f\n*** End Patch"}}, map[string]string{}, ""},
		"a preview of numbered fields": {abc,
			accepttest.Object{"path": "f", "old_str_1": "a", "new_str_1": "x", "dry_run": true}, abc, ""},
		"a path alone": {abc, accepttest.Object{"target_file": "f"}, nil, "nothing that says what to do"},
		"a URI": {map[string]string{"d/my f": "a\n"},
			accepttest.Object{"uri": "file:///d/my%20f", "old_string": "a", "new_string": "b"}, nil, "d/my f"},
		"a version": {abc,
			accepttest.Object{"path": "f", "old_string": "a", "new_string": "x",
				"base_hash": string(atomicedit.VersionOf([]byte("a\nb\nc\n")))}, map[string]string{"f": "x\nb\nc\n"},
			""},
		"a hash alone": {abc,
			accepttest.Object{"path": "f", "old_string": "a", "new_string": "x",
				"file_hash": strings.ToUpper(strings.TrimPrefix(string(atomicedit.VersionOf([]byte("a\nb\nc\n"))), "sha256:"))},
			map[string]string{"f": "x\nb\nc\n"}, ""},
		"another version": {abc,
			accepttest.Object{"path": "f", "old_string": "a", "new_string": "x", "base_hash": "sha256:00"}, nil,
			"has changed"},
		"a patch in a tool's text": {abc,
			accepttest.Object{"type": "custom_tool_call", "name": "apply_patch",
				"input": "*** Begin Patch\n*** Delete File: f\n*** End Patch"}, map[string]string{}, ""},
		"a patch that moves": {abc,
			accepttest.Object{"type": "update_file", "path": "f", "diff": "@@\n-a\n+x\n", "move_to": "g"},
			map[string]string{"g": "x\nb\nc\n"}, ""},
		"operations of a list": {abc,
			accepttest.Object{"files": []any{accepttest.Object{"path": "g", "action": "create", "content": "g"},
				accepttest.Object{"path": "f", "action": "delete"}}}, map[string]string{"g": "g"}, ""},
		"an empty file is there": {map[string]string{"f": ""},
			accepttest.Object{"operations": []any{accepttest.Object{"type": "create", "path": "f", "content": "x"}}},
			nil, "already there"},
		"an empty file in the way": {map[string]string{"f": "", "g": "x"},
			accepttest.Object{"operations": []any{accepttest.Object{"type": "move", "from": "g", "to": "f"}}}, nil,
			"already there"},
		"an empty file to replace": {map[string]string{"f": ""},
			accepttest.Object{"operations": []any{accepttest.Object{"type": "create", "path": "f", "content": "x",
				"overwrite": true}}}, map[string]string{"f": "x"}, ""},
		"two files for one edit": {abc,
			accepttest.Object{"path": "g",
				"edits": []any{accepttest.Object{"path": "f", "old_string": "a", "new_string": "x"}}}, nil,
			"another file"},
		"a patch and a new path": {abc,
			accepttest.Object{"patch": "*** Begin Patch\n*** Delete File: f\n*** End Patch", "move_to": "g"}, nil,
			`"path" is missing`},
	})
}

func TestCallsWithTextAround(t *testing.T) {
	f := map[string]string{"f": "a\n", "g": "a\n"}
	edit := func(path string) string {
		return accepttest.Args(accepttest.Object{"path": path, "old_string": "a", "new_string": "b"})
	}
	checkCalls(t, map[string]callCase{
		"in a fence": {f, "I change it:\n\n```json\n" + edit("f") + "\n```\nDone.",
			map[string]string{"f": "b\n", "g": "a\n"}, ""},
		"in two fences": {f, "First:\n```json\n" + edit("f") + "\n```\nThen:\n```json\n" + edit("g") +
			"\n```\n", map[string]string{"f": "b\n", "g": "b\n"}, ""},
		"nothing but two fences": {f, "```json\n" + edit("f") + "\n```\nand\n```json\n" + edit("g") + "\n```",
			map[string]string{"f": "b\n", "g": "b\n"}, ""},
		"in a fence, cut off": {f, "First:\n```json\n" + edit("f")[:20], nil,
			"line 3 of the request: the JSON was cut off"},
		"code in a fence first": {f, "Like\n```go\nx := 1\n```\nthis:\n```json\n" + edit("f") + "\n```",
			map[string]string{"f": "b\n", "g": "a\n"}, ""},
		"a text in a message": {f, accepttest.Object{"role": "assistant",
			"content": []any{accepttest.Object{"type": "text",
				"text": "f\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"}}},
			map[string]string{"f": "b\n", "g": "a\n"}, ""},
	})
}

func TestLineNumbersOfSeveralCallsCountTheFileBeforeThem(t *testing.T) {
	type o = accepttest.Object
	f := map[string]string{"f": "1\n2\n3\n4\n5\n"}
	lines := func(from, to int, text string) o {
		return o{"path": "f", "edits": []any{o{"from": from, "to": to, "content": text}}}
	}
	insert := func(after int, text string) o {
		return o{"command": "insert", "path": "f", "insert_line": after, "insert_text": text}
	}
	replace := func(old, new string) o { return o{"path": "f", "old_string": old, "new_string": new} }
	checkCalls(t, map[string]callCase{
		"lines": {f, message("edit", lines(1, 1, "a\nb\nc"), "edit", lines(4, 4, "x")),
			map[string]string{"f": "a\nb\nc\n2\n3\nx\n5\n"}, ""},
		"lines, the last first": {f, message("edit", lines(5, 5, "x\ny"), "edit", lines(1, 2, "")),
			map[string]string{"f": "3\n4\nx\ny\n"}, ""},
		"the same lines": {f, message("edit", lines(2, 3, "x"), "edit", lines(3, 4, "y")), nil,
			"changes the same lines"},
		"insertions": {f,
			message("insert", insert(1, "a"), "insert", insert(3, "b"), "insert", insert(0, "c")),
			map[string]string{"f": "c\n1\na\n2\n3\nb\n4\n5\n"}, ""},
		"a text, then lines": {f, message("edit", replace("2\n", "a\nb\nc\n"), "edit", lines(4, 4, "x")),
			map[string]string{"f": "1\na\nb\nc\n3\nx\n5\n"}, ""},
		"lines, then a text": {f, message("edit", lines(1, 1, "a\nb"), "edit", replace("b\n2", "x")),
			map[string]string{"f": "a\nx\n3\n4\n5\n"}, ""},
		"a file moved between": {f,
			message("edit", lines(1, 1, "a\nb"), "move", o{"source": "f", "destination": "g"}, "edit",
				o{"path": "g", "edits": []any{o{"from": 5, "to": 5, "content": "x"}}}),
			map[string]string{"g": "a\nb\n2\n3\n4\nx\n"}, ""},
		"a file moved first": {f,
			message("move", o{"source": "f", "destination": "g"}, "edit",
				o{"path": "g", "edits": []any{o{"from": 5, "to": 5, "content": "x"}}}),
			map[string]string{"g": "1\n2\n3\n4\nx\n"}, ""},
		"the old name after a move": {f,
			message("move", o{"source": "f", "destination": "g"}, "edit", lines(1, 1, "x")), nil, "removed or moved"},
		"a file written first": {f,
			message("Write", o{"path": "f", "content": "a\n"}, "edit", lines(1, 1, "x")), nil, "an earlier call"},
		"a file deleted first": {f,
			message("rm", o{"command": "delete", "path": "f"}, "edit", lines(1, 1, "x")), nil, "removed or moved"},
		"another spelling of the path": {f,
			message("edit", lines(1, 1, "a\nb"), "edit",
				o{"path": "./f", "edits": []any{o{"from": 5, "to": 5, "content": "x"}}}),
			map[string]string{"f": "a\nb\n2\n3\n4\nx\n"}, ""},
		"a line as a hint": {map[string]string{"f": "x\n1\n2\n3\n4\n5\nx\n"},
			message("edit", o{"path": "f", "old_string": "1\n2\n3\n4\n", "new_string": ""}, "edit",
				o{"path": "f", "old_string": "x", "new_string": "y", "start_line": 7}),
			map[string]string{"f": "x\n5\ny\n"}, ""},
		"entries of a list": {f, o{"edits": []any{o{"path": "f", "start_line": 1, "end_line": 1, "content": "a\nb"},
			o{"path": "f", "start_line": 5, "end_line": 5, "content": "x"}}},
			map[string]string{"f": "a\nb\n2\n3\n4\nx\n"}, ""},
	})
}

func TestColumnsAndTagsOfSeveralCallsCountTheFileBeforeThem(t *testing.T) {
	f := map[string]string{"f": "1\n2\n3\n4\n5\n"}
	fences := func(calls ...string) string {
		return "First:\n```json\n" + strings.Join(calls, "\n```\nThen:\n```json\n") + "\n```\n"
	}
	at := func(line int, text string) accepttest.Object {
		p := func(character int) accepttest.Object {
			return accepttest.Object{"line": line - 1, "character": character}
		}
		return accepttest.Object{"range": accepttest.Object{"start": p(0), "end": p(1)}, "newText": text}
	}
	changes := func(edits ...any) string {
		return accepttest.Args(accepttest.Object{"changes": accepttest.Object{"f": edits}})
	}
	ops := func(edits ...atomicedit.Edit) string {
		var p atomicedit.Plan
		for _, e := range edits {
			p.Ops = append(p.Ops, atomicedit.Op{Path: "f", Edits: []atomicedit.Edit{e}})
		}
		return accepttest.Args(p)
	}
	tagged := atomicedit.Edit{Old: "4", New: "x", Tags: []atomicedit.Tag{{Line: 4, Hash: "KJXS"}}}
	first, second := changes(at(1, "a\nb")), changes(at(4, "x"))
	checkCalls(t, map[string]callCase{
		"columns":          {f, fences(first, second), map[string]string{"f": "a\nb\n2\n3\nx\n5\n"}, ""},
		"the same columns": {f, fences(first, first), nil, "changes the same"},
		"a file written first": {f,
			fences(accepttest.Args(accepttest.Object{"path": "f", "content": "a\n"}), second), nil, "an earlier call"},
		"two ops of the same call": {f,
			fences(accepttest.Args(accepttest.Object{"path": "g", "content": "a\n"}),
				ops(accepttest.Ranged(1, 0, 1, 1, "a\nb"), accepttest.Ranged(4, 0, 4, 1, "x"))),
			map[string]string{"f": "a\nb\n2\nx\n4\n5\n", "g": "a\n"}, ""},
		"two ops behind a call": {f, fences(first,
			ops(accepttest.Ranged(2, 0, 2, 1, "a\nb"), accepttest.Ranged(4, 0, 4, 1, "x"))), nil,
			"send the call apart"},
		"tags": {f, fences(first, ops(tagged)), map[string]string{"f": "a\nb\n2\n3\nx\n5\n"}, ""},
	})
}
