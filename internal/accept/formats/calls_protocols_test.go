package formats_test

import (
	"testing"

	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

func TestDiffsOfTheAgentClientProtocol(t *testing.T) {
	f := map[string]string{"f": "a\nb\n"}
	done := map[string]string{"f": "x\nb\n"}
	diff := func(path string, old any, new string) accepttest.Object {
		return accepttest.Object{"type": "diff", "path": path, "oldText": old, "newText": new}
	}
	part := diff("f", "a", "x")
	call := func(status string, content ...any) accepttest.Object {
		return accepttest.Object{"sessionUpdate": "tool_call_update", "toolCallId": "c", "title": "Edit f",
			"kind": "edit", "status": status, "content": content,
			"locations": []any{accepttest.Object{"path": "f", "line": 1}},
			"rawInput":  accepttest.Object{"file_path": "f", "old_string": "a", "new_string": "x"}}
	}
	rpc := func(method string, params accepttest.Object) accepttest.Object {
		return accepttest.Object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
	}
	write := accepttest.Object{"sessionId": "s", "path": "f", "content": "x\n"}
	text := accepttest.Object{"type": "content", "content": accepttest.Object{"type": "text", "text": "I edit f."}}
	flagged := diff("f", "a", "x")
	flagged["replace_all"] = true
	lacking := diff("n", nil, "x\n")
	delete(lacking, "oldText")
	checkCalls(t, map[string]callCase{
		"a part of a file":          {f, part, done, ""},
		"a whole file":              {f, diff("f", "a\nb\n", "x\nb\n"), done, ""},
		"a text that is not there":  {f, diff("f", "z", "x"), nil, "oldText is not there"},
		"a new file":                {f, diff("n", nil, "x\n"), map[string]string{"f": "a\nb\n", "n": "x\n"}, ""},
		"a new file, an empty text": {f, diff("n", "", "x\n"), map[string]string{"f": "a\nb\n", "n": "x\n"}, ""},
		"a new file, no old text":   {f, lacking, map[string]string{"f": "a\nb\n", "n": "x\n"}, ""},
		"a new file that is there":  {f, diff("f", nil, "x\n"), nil, "already there"},
		"no new text": {f, accepttest.Object{"type": "diff", "path": "f", "oldText": "a"}, nil,
			"newText"},
		"a flag": {f, flagged, nil, "unknown field \"replace_all\""},
		"a call": {f, call("pending", part), done, ""},
		"a call, with text": {f,
			call("pending", text, part, accepttest.Object{"type": "terminal", "terminalId": "t"}), done, ""},
		"a call of two parts": {f, call("pending", part, diff("f", "b", "y")), map[string]string{"f": "x\ny\n"},
			""},
		"a call that was made":      {f, call("completed", part), nil, "have been made"},
		"a call that failed":        {f, call("failed", part), nil, "failed"},
		"a call that is being made": {f, call("in_progress", part), nil, "in_progress"},
		"an update": {f,
			rpc("session/update", accepttest.Object{"sessionId": "s", "update": call("pending", part)}), done, ""},
		"an update's parameters": {f, accepttest.Object{"sessionId": "s", "update": call("pending", part)}, done, ""},
		"an update without a diff": {f,
			rpc("session/update", accepttest.Object{"sessionId": "s",
				"update": accepttest.Object{"sessionUpdate": "agent_message_chunk",
					"content": accepttest.Object{"type": "text", "text": "Hi"}}}), nil, "no call"},
		"a question to the user": {f, rpc("session/request_permission",
			accepttest.Object{"sessionId": "s", "toolCall": call("pending", part),
				"options": []any{accepttest.Object{"optionId": "y", "name": "Allow", "kind": "allow_once"}}}), done,
			""},
		"a file to write": {f, rpc("fs/write_text_file", write), map[string]string{"f": "x\n"}, ""},
		"a file to read":  {f, rpc("fs/read_text_file", write), nil, "is not a call of a tool"},
		"another method":  {f, rpc("terminal/create", write), nil, "is not a call of a tool"},
	})
}

func TestFilesByTheirNames(t *testing.T) {
	f := map[string]string{"f": "a\nb\n", "g": "1\n"}
	done := map[string]string{"f": "x\nb\n", "g": "1\n"}
	edit := accepttest.Object{"old_string": "a", "new_string": "x"}
	call := func(tool string, arguments accepttest.Object) accepttest.Object {
		return accepttest.Object{"name": tool, "arguments": arguments}
	}
	other := accepttest.Object{"path": "g", "old_string": "a", "new_string": "x"}
	checkCalls(t, map[string]callCase{
		"edits":                 {f, accepttest.Object{"files": accepttest.Object{"f": []any{edit}}}, done, ""},
		"the fields of an edit": {f, accepttest.Object{"file_changes": accepttest.Object{"f": edit}}, done, ""},
		"below a directory": {map[string]string{"d/f": "a\n"},
			accepttest.Object{"cwd": "d", "files": accepttest.Object{"f": edit}}, map[string]string{"d/f": "x\n"}, ""},
		"contents to write": {f,
			call("write_files", accepttest.Object{"files": accepttest.Object{"f": "x\nb\n"}}), done, ""},
		"contents, by the field": {f, accepttest.Object{"file_contents": accepttest.Object{"f": "x\nb\n"}}, done,
			""},
		"contents to create": {f,
			call("create_files", accepttest.Object{"files": accepttest.Object{"n": "x\n", "d/n": ""}}),
			map[string]string{"f": "a\nb\n", "g": "1\n", "n": "x\n", "d/n": ""}, ""},
		"new files": {f, accepttest.Object{"new_files": accepttest.Object{"n": "x\n"}},
			map[string]string{"f": "a\nb\n", "g": "1\n", "n": "x\n"}, ""},
		"new files that are there": {f, accepttest.Object{"new_files": accepttest.Object{"f": "x\n"}}, nil,
			"already there"},
		"created files, in a list": {f,
			call("create_files", accepttest.Object{"files": []any{accepttest.Object{"path": "f", "content": "x"}}}),
			nil, "already there"},
		"contents, of what tool": {f,
			call("edit_files", accepttest.Object{"files": accepttest.Object{"f": "x\nb\n"}}), nil,
			"does not say what to do with \"f\""},
		"contents, of no tool": {f, accepttest.Object{"files": accepttest.Object{"f": "x\nb\n"}}, nil,
			"does not say what to do with \"f\""},
		"contents that are read": {f,
			call("read_files", accepttest.Object{"files": accepttest.Object{"f": "x\nb\n"}}), nil, "not an edit"},
		"contents that are shown": {f,
			call("preview_files", accepttest.Object{"new_files": accepttest.Object{"n": "x\n"}}), f, ""},
		"nothing for a file": {f, accepttest.Object{"files": accepttest.Object{"f": nil}}, nil,
			"does not say what to do with \"f\""},
		"no files": {f, accepttest.Object{"files": accepttest.Object{}}, nil, "at least one file"},
		"a file twice": {f, accepttest.Object{"files": accepttest.Object{"f": edit, "./f": edit}}, nil,
			"named twice"},
		"a file under another name": {f, accepttest.Object{"files": accepttest.Object{"f": other}}, nil,
			"agree with the name of the entry"},
		"a name that means a field": {f,
			call("write_files", accepttest.Object{"files": accepttest.Object{"f": "x", "description": "y"}}), nil,
			"no known kind"},
		"a sketch": {f, accepttest.Object{"changes": accepttest.Object{"f": "x"}}, nil,
			"does not say what to do with \"f\""},
		"a dry run of several files": {f, accepttest.Object{"files": accepttest.Object{"f": edit}, "dry_run": true}, f,
			""},
	})
}

func TestChangesOfCodex(t *testing.T) {
	f := map[string]string{"f": "a\nb\n", "g": "1\n"}
	done := map[string]string{"f": "x\nb\n", "g": "1\n"}
	update := func(to any) accepttest.Object {
		return accepttest.Object{"type": "update", "unified_diff": "@@ -1,2 +1,2 @@\n-a\n+x\n b\n", "move_path": to}
	}
	add, remove := accepttest.Object{"type": "add", "content": "x\n"},
		accepttest.Object{"type": "delete", "content": "1\n"}
	changes := accepttest.Object{"f": update(nil)}
	params := accepttest.Object{"conversationId": "c", "callId": "k", "fileChanges": changes, "reason": nil,
		"grantRoot": "/r"}
	event := func(kind string) accepttest.Object {
		return accepttest.Object{"id": "0",
			"msg": accepttest.Object{"type": kind, "call_id": "k", "turn_id": "t", "changes": changes}}
	}
	checkCalls(t, map[string]callCase{
		"all of them": {f, accepttest.Object{"fileChanges": accepttest.Object{"n": add, "g": remove,
			"f": update("h")}}, map[string]string{"h": "x\nb\n", "n": "x\n"}, ""},
		"as an earlier one": {f, accepttest.Object{"changes": accepttest.Object{"n": accepttest.Object{"add": accepttest.Object{"content": "x\n"}}, "g": accepttest.Object{"delete": accepttest.Object{}}}}, map[string]string{"f": "a\nb\n", "n": "x\n"}, ""},
		"a question": {f, accepttest.Object{"jsonrpc": "2.0", "id": 1, "method": "applyPatchApproval",
			"params": params}, done, ""},
		"its parameters":       {f, params, done, ""},
		"an event":             {f, event("apply_patch_approval_request"), done, ""},
		"an event at its end":  {f, event("patch_apply_end"), nil, "no known kind"},
		"an end without line":  {f, accepttest.Object{"changes": accepttest.Object{"g": accepttest.Object{"type": "update", "unified_diff": "@@ -1 +1 @@\n-1\n+2\n\\ No newline at end of file\n"}}}, map[string]string{"f": "a\nb\n", "g": "2"}, ""},
		"old and new texts":    {f, accepttest.Object{"changes": accepttest.Object{"f": accepttest.Object{"type": "diff", "oldText": "a", "newText": "x"}}}, done, ""},
		"a file that is there": {f, accepttest.Object{"changes": accepttest.Object{"g": add}}, nil, "already there"},
		"a file that changed": {f, accepttest.Object{"changes": accepttest.Object{"f": remove}}, nil,
			"has changed since"},
		"a deletion elsewhere": {f, accepttest.Object{"type": "delete", "path": "g", "content": "1\n"}, nil,
			"is the text of a file"},
	})
}

func TestArgumentsAsAListOfParameters(t *testing.T) {
	f := map[string]string{"f": "a\nb\na\n"}
	parameter := func(name, kind string, value any) accepttest.Object {
		return accepttest.Object{"name": name, "type": kind, "value": value}
	}
	call := func(function string, parameters ...any) accepttest.Object {
		return accepttest.Object{"messageVersion": "1.0", "agent": accepttest.Object{"name": "n", "id": "i"},
			"sessionId": "s", "actionGroup": "g", "function": function, "parameters": parameters}
	}
	path, old, new := parameter("path", "string", "f"), parameter("old_string", "string", "a"),
		parameter("new_string", "string", "x")
	all := parameter("replace_all", "boolean", "true")
	done := map[string]string{"f": "x\nb\nx\n"}
	checkCalls(t, map[string]callCase{
		"an event": {f, call("edit_file", path, old, new, all), done, ""},
		"control": {f, accepttest.Object{"returnControl": accepttest.Object{"invocationId": "i",
			"invocationInputs": []any{accepttest.Object{"functionInvocationInput": call("edit_file", path, old, new,
				all)}}}}, done, ""},
		"a list of edits": {f, call("edit_file", path,
			parameter("edits", "array", `[{"old_string": "b", "new_string": "x"}]`)),
			map[string]string{"f": "a\nx\na\n"}, ""},
		"a reading":     {f, call("read_file", path, old, new), nil, "not an edit"},
		"a path twice":  {f, call("edit_file", path, path, old, new), nil, "there twice"},
		"no parameters": {f, call("edit_file"), nil, "no arguments"},
		"no name":       {f, call("edit_file", accepttest.Object{"type": "string", "value": "f"}), nil, "no arguments"},
		"an extra": {f, call("edit_file", accepttest.Object{"name": "path", "value": "f", "required": true}), nil,
			"no arguments"},
		"no tool": {f, []any{path, old, new}, nil, "expected"},
	})
}
