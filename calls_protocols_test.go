package atomicedit_test

import "testing"

func TestDiffsOfTheAgentClientProtocol(t *testing.T) {
	f := map[string]string{"f": "a\nb\n"}
	done := map[string]string{"f": "x\nb\n"}
	diff := func(path string, old any, new string) object {
		return object{"type": "diff", "path": path, "oldText": old, "newText": new}
	}
	part := diff("f", "a", "x")
	call := func(status string, content ...any) object {
		return object{"sessionUpdate": "tool_call_update", "toolCallId": "c", "title": "Edit f", "kind": "edit", "status": status, "content": content,
			"locations": []any{object{"path": "f", "line": 1}}, "rawInput": object{"file_path": "f", "old_string": "a", "new_string": "x"}}
	}
	rpc := func(method string, params object) object {
		return object{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
	}
	write := object{"sessionId": "s", "path": "f", "content": "x\n"}
	text := object{"type": "content", "content": object{"type": "text", "text": "I edit f."}}
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
		"no new text":               {f, object{"type": "diff", "path": "f", "oldText": "a"}, nil, "newText"},
		"a flag":                    {f, flagged, nil, "unknown field \"replace_all\""},
		"a call":                    {f, call("pending", part), done, ""},
		"a call, with text":         {f, call("pending", text, part, object{"type": "terminal", "terminalId": "t"}), done, ""},
		"a call of two parts":       {f, call("pending", part, diff("f", "b", "y")), map[string]string{"f": "x\ny\n"}, ""},
		"a call that was made":      {f, call("completed", part), nil, "have been made"},
		"a call that failed":        {f, call("failed", part), nil, "failed"},
		"a call that is being made": {f, call("in_progress", part), nil, "in_progress"},
		"an update":                 {f, rpc("session/update", object{"sessionId": "s", "update": call("pending", part)}), done, ""},
		"an update's parameters":    {f, object{"sessionId": "s", "update": call("pending", part)}, done, ""},
		"an update without a diff":  {f, rpc("session/update", object{"sessionId": "s", "update": object{"sessionUpdate": "agent_message_chunk", "content": object{"type": "text", "text": "Hi"}}}), nil, "no call"},
		"a question to the user":    {f, rpc("session/request_permission", object{"sessionId": "s", "toolCall": call("pending", part), "options": []any{object{"optionId": "y", "name": "Allow", "kind": "allow_once"}}}), done, ""},
		"a file to write":           {f, rpc("fs/write_text_file", write), map[string]string{"f": "x\n"}, ""},
		"a file to read":            {f, rpc("fs/read_text_file", write), nil, "is not a call of a tool"},
		"another method":            {f, rpc("terminal/create", write), nil, "is not a call of a tool"},
	})
}

func TestFilesByTheirNames(t *testing.T) {
	f := map[string]string{"f": "a\nb\n", "g": "1\n"}
	done := map[string]string{"f": "x\nb\n", "g": "1\n"}
	edit := object{"old_string": "a", "new_string": "x"}
	call := func(tool string, arguments object) object { return object{"name": tool, "arguments": arguments} }
	other := object{"path": "g", "old_string": "a", "new_string": "x"}
	checkCalls(t, map[string]callCase{
		"edits":                      {f, object{"files": object{"f": []any{edit}}}, done, ""},
		"the fields of an edit":      {f, object{"file_changes": object{"f": edit}}, done, ""},
		"below a directory":          {map[string]string{"d/f": "a\n"}, object{"cwd": "d", "files": object{"f": edit}}, map[string]string{"d/f": "x\n"}, ""},
		"contents to write":          {f, call("write_files", object{"files": object{"f": "x\nb\n"}}), done, ""},
		"contents, by the field":     {f, object{"file_contents": object{"f": "x\nb\n"}}, done, ""},
		"contents to create":         {f, call("create_files", object{"files": object{"n": "x\n", "d/n": ""}}), map[string]string{"f": "a\nb\n", "g": "1\n", "n": "x\n", "d/n": ""}, ""},
		"new files":                  {f, object{"new_files": object{"n": "x\n"}}, map[string]string{"f": "a\nb\n", "g": "1\n", "n": "x\n"}, ""},
		"new files that are there":   {f, object{"new_files": object{"f": "x\n"}}, nil, "already there"},
		"created files, in a list":   {f, call("create_files", object{"files": []any{object{"path": "f", "content": "x"}}}), nil, "already there"},
		"contents, of what tool":     {f, call("edit_files", object{"files": object{"f": "x\nb\n"}}), nil, "does not say what to do with \"f\""},
		"contents, of no tool":       {f, object{"files": object{"f": "x\nb\n"}}, nil, "does not say what to do with \"f\""},
		"contents that are read":     {f, call("read_files", object{"files": object{"f": "x\nb\n"}}), nil, "not an edit"},
		"contents that are shown":    {f, call("preview_files", object{"new_files": object{"n": "x\n"}}), f, ""},
		"nothing for a file":         {f, object{"files": object{"f": nil}}, nil, "does not say what to do with \"f\""},
		"no files":                   {f, object{"files": object{}}, nil, "at least one file"},
		"a file twice":               {f, object{"files": object{"f": edit, "./f": edit}}, nil, "named twice"},
		"a file under another name":  {f, object{"files": object{"f": other}}, nil, "agree with the name of the entry"},
		"a name that means a field":  {f, call("write_files", object{"files": object{"f": "x", "description": "y"}}), nil, "no known kind"},
		"a sketch":                   {f, object{"changes": object{"f": "x"}}, nil, "does not say what to do with \"f\""},
		"a dry run of several files": {f, object{"files": object{"f": edit}, "dry_run": true}, f, ""},
	})
}

func TestChangesOfCodex(t *testing.T) {
	f := map[string]string{"f": "a\nb\n", "g": "1\n"}
	done := map[string]string{"f": "x\nb\n", "g": "1\n"}
	update := func(to any) object {
		return object{"type": "update", "unified_diff": "@@ -1,2 +1,2 @@\n-a\n+x\n b\n", "move_path": to}
	}
	add, remove := object{"type": "add", "content": "x\n"}, object{"type": "delete", "content": "1\n"}
	changes := object{"f": update(nil)}
	params := object{"conversationId": "c", "callId": "k", "fileChanges": changes, "reason": nil, "grantRoot": "/r"}
	event := func(kind string) object {
		return object{"id": "0", "msg": object{"type": kind, "call_id": "k", "turn_id": "t", "changes": changes}}
	}
	checkCalls(t, map[string]callCase{
		"all of them":          {f, object{"fileChanges": object{"n": add, "g": remove, "f": update("h")}}, map[string]string{"h": "x\nb\n", "n": "x\n"}, ""},
		"as an earlier one":    {f, object{"changes": object{"n": object{"add": object{"content": "x\n"}}, "g": object{"delete": object{}}}}, map[string]string{"f": "a\nb\n", "n": "x\n"}, ""},
		"a question":           {f, object{"jsonrpc": "2.0", "id": 1, "method": "applyPatchApproval", "params": params}, done, ""},
		"its parameters":       {f, params, done, ""},
		"an event":             {f, event("apply_patch_approval_request"), done, ""},
		"an event at its end":  {f, event("patch_apply_end"), nil, "no known kind"},
		"an end without line":  {f, object{"changes": object{"g": object{"type": "update", "unified_diff": "@@ -1 +1 @@\n-1\n+2\n\\ No newline at end of file\n"}}}, map[string]string{"f": "a\nb\n", "g": "2"}, ""},
		"old and new texts":    {f, object{"changes": object{"f": object{"type": "diff", "oldText": "a", "newText": "x"}}}, done, ""},
		"a file that is there": {f, object{"changes": object{"g": add}}, nil, "already there"},
		"a file that changed":  {f, object{"changes": object{"f": remove}}, nil, "has changed since"},
		"a deletion elsewhere": {f, object{"type": "delete", "path": "g", "content": "1\n"}, nil, "is the text of a file"},
	})
}

func TestArgumentsAsAListOfParameters(t *testing.T) {
	f := map[string]string{"f": "a\nb\na\n"}
	parameter := func(name, kind string, value any) object {
		return object{"name": name, "type": kind, "value": value}
	}
	call := func(function string, parameters ...any) object {
		return object{"messageVersion": "1.0", "agent": object{"name": "n", "id": "i"}, "sessionId": "s", "actionGroup": "g", "function": function, "parameters": parameters}
	}
	path, old, new := parameter("path", "string", "f"), parameter("old_string", "string", "a"), parameter("new_string", "string", "x")
	all := parameter("replace_all", "boolean", "true")
	done := map[string]string{"f": "x\nb\nx\n"}
	checkCalls(t, map[string]callCase{
		"an event":        {f, call("edit_file", path, old, new, all), done, ""},
		"control":         {f, object{"returnControl": object{"invocationId": "i", "invocationInputs": []any{object{"functionInvocationInput": call("edit_file", path, old, new, all)}}}}, done, ""},
		"a list of edits": {f, call("edit_file", path, parameter("edits", "array", `[{"old_string": "b", "new_string": "x"}]`)), map[string]string{"f": "a\nx\na\n"}, ""},
		"a reading":       {f, call("read_file", path, old, new), nil, "not an edit"},
		"a path twice":    {f, call("edit_file", path, path, old, new), nil, "there twice"},
		"no parameters":   {f, call("edit_file"), nil, "no arguments"},
		"no name":         {f, call("edit_file", object{"type": "string", "value": "f"}), nil, "no arguments"},
		"an extra":        {f, call("edit_file", object{"name": "path", "value": "f", "required": true}), nil, "no arguments"},
		"no tool":         {f, []any{path, old, new}, nil, "expected"},
	})
}
