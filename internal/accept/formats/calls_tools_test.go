package formats_test

import (
	"testing"

	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

func TestWhatStandsBesideUnnamedArguments(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	edit := accepttest.Object{"path": "f", "old_string": "a", "new_string": "b"}
	write := accepttest.Object{"path": "f", "content": "b\n"}
	checkCalls(t, map[string]callCase{
		"a dry run": {f, accepttest.Object{"dry_run": true, "args": edit}, nil, "expected it inside"},
		"a dry run of a message": {f, accepttest.Object{"dry_run": true,
			"tool_calls": []any{accepttest.Object{"name": "edit", "arguments": edit}}}, nil, "expected it inside"},
		"an action that reads": {f, accepttest.Object{"action": "read", "args": write}, nil, "not an edit"},
		"a command that reads": {f, accepttest.Object{"command": "view", "args": write}, nil, "not an edit"},
		"a method that reads":  {f, accepttest.Object{"method": "fs/read", "params": write}, nil, "not an edit"},
		"a method that writes": {f, accepttest.Object{"method": "write_file", "params": write},
			map[string]string{"f": "b\n"}, ""},
		"an operation": {f, accepttest.Object{"operation": "append", "args": write},
			map[string]string{"f": "a\nb\n"}, ""},
		"a flag to append":      {f, accepttest.Object{"append": true, "input": write}, nil, "expected it inside"},
		"a flag not to replace": {f, accepttest.Object{"overwrite": false, "input": write}, nil, "expected it inside"},
		"a working directory":   {f, accepttest.Object{"cwd": "sub", "args": edit}, nil, "expected it inside"},
		"an id": {f, accepttest.Object{"id": "1", "source": "agent", "args": edit},
			map[string]string{"f": "b\n"}, ""},
		"a call not approved": {f, accepttest.Object{"name": "edit", "arguments": edit, "approved": false}, nil,
			"not to be made"},
		"a call denied": {f, accepttest.Object{"name": "edit", "arguments": edit, "permission": "denied"}, nil,
			"permission"},
		"a call made by the API": {f, accepttest.Object{"type": "mcp_tool_use", "name": "edit", "server_name": "fs",
			"input": edit}, nil, "no call"},
	})
}

func TestToolsThatInsertKeepTheOldText(t *testing.T) {
	f := map[string]string{"f": "a\nz\n"}
	with := func(tool, text string) accepttest.Object {
		return accepttest.Object{"name": tool,
			"arguments": accepttest.Object{"path": "f", "search": "a", "new_text": text}}
	}
	checkCalls(t, map[string]callCase{
		"kept":      {f, with("insert_text", "a\nb"), map[string]string{"f": "a\nb\nz\n"}, ""},
		"not kept":  {f, with("insert_after", "b"), nil, "insert_line"},
		"prepended": {f, with("prepend_to", "b"), nil, "insert_line"},
		"an edit":   {f, with("insert_edit_into_file", "b"), map[string]string{"f": "b\nz\n"}, ""},
	})
}

func TestToolsForPartsOfFiles(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	call := func(tool string, arguments accepttest.Object) accepttest.Object {
		return accepttest.Object{"name": tool, "arguments": arguments}
	}
	move := accepttest.Object{"source": "f", "destination": "g"}
	checkCalls(t, map[string]callCase{
		"a function is moved": {f, call("move_function", move), nil, "does not say that the file is moved"},
		"a class is renamed": {f, call("rename_class", accepttest.Object{"path": "f", "new_path": "g"}), nil,
			"does not say that the file is moved"},
		"a text file is": {f, call("move_text_file", move), map[string]string{"g": "a\n"}, ""},
		"it is relocated": {f, call("smartRelocate", accepttest.Object{"sourcePath": "f", "destinationPath": "g"}),
			map[string]string{"g": "a\n"}, ""},
		"file or folder": {f, call("delete_file_or_folder", accepttest.Object{"uri": "f", "is_recursive": false}),
			map[string]string{}, ""},
		"small letters": {f, call("deletefile", accepttest.Object{"path": "f"}), map[string]string{}, ""},
		"small letters, read": {f, call("readfile", accepttest.Object{"path": "f", "content": "b"}), nil,
			"not an edit"},
		"a folder": {f, call("delete_folder", accepttest.Object{"path": "f"}), nil,
			"nothing that says what to do"},
		"a cell of a file": {f, call("update_cell", accepttest.Object{"path": "f", "index": 0, "content": "b"}), nil,
			".ipynb"},
		"a chart's settings": {f, call("edit_chart_config_file",
			accepttest.Object{"path": "f", "old_string": "a", "new_string": "b"}), map[string]string{"f": "b\n"}, ""},
		"a list for a chart": {f, call("update_chart",
			accepttest.Object{"path": "f", "edits": []any{accepttest.Object{"old_string": "a", "new_string": "b"}}}),
			map[string]string{"f": "b\n"}, ""},
		"a picture": {f, call("create_image", accepttest.Object{"path": "g.png", "content": "a cat"}), nil,
			"not an edit"},
	})
}

func TestAllPlacesForAListOfEdits(t *testing.T) {
	f := map[string]string{"f": "a\nb\na\n"}
	list := func(all any, edits ...any) accepttest.Object {
		return accepttest.Object{"path": "f", "replace_all": all, "edits": edits}
	}
	a, b := accepttest.Object{"old_string": "a", "new_string": "x"},
		accepttest.Object{"old_string": "b", "new_string": "y"}
	checkCalls(t, map[string]callCase{
		"all":          {f, list(true, a, b), map[string]string{"f": "x\ny\nx\n"}, ""},
		"not all":      {f, list(false, b), map[string]string{"f": "a\ny\na\n"}, ""},
		"not all of a": {f, list(false, a), nil, "there twice"},
		"with paths": {f, accepttest.Object{"replace_all": true,
			"edits": []any{accepttest.Object{"path": "f", "old_string": "a", "new_string": "x"}}},
			map[string]string{"f": "x\nb\nx\n"}, ""},
		"contradicted": {f, list(true, accepttest.Object{"old_string": "a", "new_string": "x", "replace_all": false}),
			nil, "contradicts"},
		"of lines": {f, list(true, accepttest.Object{"start_line": 1, "end_line": 1, "content": "x"}), nil,
			"has no old text"},
	})
}

func TestFurtherNamesOfFields(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	done := map[string]string{"f": "b\n"}
	call := func(tool string, arguments accepttest.Object) accepttest.Object {
		return accepttest.Object{"name": tool, "arguments": arguments}
	}
	block := "<<<<<<< ORIGINAL\na\n=======\nb\n>>>>>>> UPDATED"
	checkCalls(t, map[string]callCase{
		"search and replacement": {f,
			call("edit", accepttest.Object{"path": "f", "search_code": "a", "replacement_code": "b"}), done, ""},
		"previous and revised": {f,
			call("edit", accepttest.Object{"path": "f", "previous_text": "a", "revised_text": "b"}), done, ""},
		"blocks": {f, call("edit_file", accepttest.Object{"uri": "f", "search_replace_blocks": block}),
			done, ""},
		"the diff": {f, call("replace_in_file", accepttest.Object{"path": "f", "the_diff": block}), done,
			""},
		"blocks with their file": {f, call("edit_block", accepttest.Object{"blockContent": "f\n" + block}), done, ""},
		"a list of blocks": {f,
			call("update_file", accepttest.Object{"file_path": "f",
				"replace_blocks": []any{accepttest.Object{"old_str": "a", "new_str": "b"}}}), done, ""},
		"the content": {f, call("write_to_file", accepttest.Object{"path": "f", "the_content": "b\n"}),
			done, ""},
		"all of the content": {f,
			call("put_file", accepttest.Object{"path": "f", "complete_file_contents": "b\n"}), done, ""},
		"new content, written": {f, call("rewrite_file", accepttest.Object{"uri": "f", "new_content": "b\n"}), done,
			""},
		"new content, edited": {f, call("edit_file", accepttest.Object{"uri": "f", "new_content": "b\n"}), nil,
			"old_content"},
		"new content, no tool": {f, accepttest.Object{"uri": "f", "new_content": "b\n"}, nil, "old_content"},
		"a tool that writes, old": {f,
			call("fs_write", accepttest.Object{"path": "f", "old_content": "a", "new_content": "b"}), done, ""},
		"a tool within a tool": {f, call("codemcp",
			accepttest.Object{"subtool": "EditFile", "path": "f", "old_string": "a", "new_string": "b"}), done, ""},
		"one that reads": {f, call("codemcp",
			accepttest.Object{"subtool": "ReadFile", "path": "f", "content": "b"}), nil, "expected"},
		"usual permissions": {f, call("write_file",
			accepttest.Object{"path": "f", "content": "b\n", "permissions": "644"}), done, ""},
		"other permissions": {f, call("write_file",
			accepttest.Object{"path": "f", "content": "b\n", "permissions": "755"}), nil, "permissions"},
		"lines, one by one": {f, call("edit",
			accepttest.Object{"path": "f", "original_lines": []any{"a"}, "updated_lines": []any{"b", "c"}}),
			map[string]string{"f": "b\nc\n"}, ""},
		"no lines": {f, call("edit",
			accepttest.Object{"path": "f", "original_lines": []any{"a", 1}, "updated_lines": []any{"b"}}), nil,
			"original_lines"},
		"one change": {f, call("edit",
			accepttest.Object{"path": "f", "change": accepttest.Object{"old": "a", "new": "b"}}), done, ""},
		"a request": {f, call("edit",
			accepttest.Object{"request": accepttest.Object{"path": "f", "old": "a", "new": "b"}}), done, ""},
		"a part of a message": {f, accepttest.Object{"kind": "response",
			"parts": []any{accepttest.Object{"part_kind": "text", "content": "I do."},
				accepttest.Object{"part_kind": "tool-call", "tool_name": "edit",
					"args": accepttest.Object{"path": "f", "old": "a", "new": "b"}}}}, done, ""},
		"a list of contents": {f, accepttest.Object{"content": "",
			"content_list": []any{accepttest.Object{"type": "tool_use",
				"tool_use": accepttest.Object{"name": "edit",
					"input": accepttest.Object{"path": "f", "old": "a", "new": "b"}}}}}, done, ""},
	})
}

func TestCallsInFurtherTemplates(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	done := map[string]string{"f": "b\n"}
	const fields = `{"path": "f", "old_string": "a", "new_string": "b"}`
	checkCalls(t, map[string]callCase{
		"InternLM": {f, "<|action_start|><|plugin|>\n{\"name\": \"edit\", \"parameters\": " + fields +
			"}<|action_end|>", done, ""},
		"Apertus":    {f, "<|tools_prefix|>[{\"edit\": " + fields + "}]<|tools_suffix|>", done, ""},
		"Qwen":       {f, "✿FUNCTION✿: edit\n✿ARGS✿: " + fields, done, ""},
		"Qwen, made": {f, "✿FUNCTION✿: edit\n✿ARGS✿: " + fields + "\n✿RESULT✿: done", nil, "result of a call"},
		"Cohere": {f, "Action: ```json\n[{\"tool_name\": \"edit\", \"parameters\": " + fields + "}]\n```", done,
			""},
		"Phi":   {f, "functools[{\"name\": \"edit\", \"arguments\": " + fields + "}]", done, ""},
		"Gemma": {f, "I edit.\n<|tool_call>call:edit{path:<|\"|>f<|\"|>,old_string:<|\"|>a<|\"|>,new_string:<|\"|>b<|\"|>,replace_all:false}<tool_call|>", done, ""},
		"Gemma, with a patch": {f, "<start_function_call>call:apply_patch{input:<escape>*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch<escape>}" +
			"<end_function_call>", done, ""},
		"Gemma, a list":  {f, `<|tool_call>call:edit{path:<|"|>f<|"|>,edits:[{old_text:<|"|>a<|"|>,new_text:"b"}]}<tool_call|>`, done, ""},
		"Gemma, cut off": {f, `<|tool_call>call:edit{path:<|"|>f<|"|>,old_string:<|"|>a`, nil, "cut off"},
		"Gemma, made": {f, `<|tool_call>call:edit{path:<|"|>f<|"|>}<tool_call|><|tool_response>response:edit{}`,
			nil, "nothing that says"},
		"Gemma, no value": {f, `<|tool_call>call:edit{path:a b}<tool_call|>`, nil, "expected a value here"},
		"Gemma's token in a text": {f,
			"@edit(c): {\"path\": \"f\", \"old_string\": \"a\", \"new_string\": \"<|tool_call>call:b\"}",
			map[string]string{"f": "<|tool_call>call:b\n"}, ""},
		"a list, with text": {f, "[edit(path=\"f\", old_string=\"a\", new_string=\"b\")]</s> I have edited it.", nil,
			"text after the list"},
		"a list, with another call": {f,
			"[edit(path=\"f\", old_string=\"a\", new_string=\"b\")]<|eot|><|python_tag|>{\"name\": \"edit\", \"arguments\": " + fields + "}",
			nil, "text after the list"},
		"LFM, with text": {f,
			"I edit.\n<|tool_call_start|>[edit(path=\"f\", old_string=\"a\", new_string=\"b\")]<|tool_call_end|>I have edited it.", done, ""},
		"Gemini's tool code": {f,
			"```tool_code\nprint(default_api.edit(path=\"f\", old_string=\"a\", new_string=\"b\"))\n```", done, ""},
		"Gemini, a print that does not end": {f,
			"```tool_code\nprint(default_api.edit(path=\"f\", old_string=\"a\", new_string=\"b\")\n```", nil,
			"expected \")\" in a call"},
		"a reading": {f, "functools[{\"name\": \"read\", \"arguments\": " + fields + "}]", nil, "not an edit"},
	})
}
