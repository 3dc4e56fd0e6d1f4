package formats_test

import (
	"testing"

	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

func TestFieldsOfAMoveDoNotMakeACopyAMove(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	call := func(tool, from, to string) accepttest.Object {
		return accepttest.Object{"name": tool, "arguments": accepttest.Object{from: "f", to: "g"}}
	}
	checkCalls(t, map[string]callCase{
		"a move":          {f, call("move_file", "source", "destination"), map[string]string{"g": "a\n"}, ""},
		"a copy":          {f, call("copy_file", "source", "destination"), nil, "not an edit"},
		"a duplicate":     {f, call("duplicateFile", "source_path", "destination_path"), nil, "not an edit"},
		"a comparison":    {f, call("diff_files", "from", "to"), nil, "not an edit"},
		"an unknown tool": {f, call("process", "old_path", "new_path"), nil, "does not say that the file is moved"},
		"a file for others": {f, accepttest.Object{"name": "upload_file",
			"arguments": accepttest.Object{"path": "g", "content": "x"}}, nil, "not an edit"},
	})
}

func TestCallsThatWereNotMadeWholeOrAreOver(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	edit := accepttest.Object{"path": "f", "old_string": "a", "new_string": "b"}
	done := map[string]string{"f": "b\n"}
	with := func(o accepttest.Object, fields ...string) accepttest.Object {
		for i := 0; i < len(fields); i += 2 {
			o[fields[i]] = fields[i+1]
		}
		return o
	}
	call := func(fields ...string) accepttest.Object {
		return with(accepttest.Object{"toolName": "edit", "input": edit}, fields...)
	}
	said := func(fields ...string) accepttest.Object { return with(message("edit", edit), fields...) }
	checkCalls(t, map[string]callCase{
		"refused by the model":    {f, said("stop_reason", "refusal"), nil, "was cut off or failed"},
		"stopped by a guard":      {f, said("stopReason", "guardrail_intervened"), nil, "was cut off or failed"},
		"stopped for safety":      {f, said("finishReason", "SAFETY"), nil, "was cut off or failed"},
		"malformed":               {f, said("finishReason", "MALFORMED_FUNCTION_CALL"), nil, "was cut off or failed"},
		"out of tokens":           {f, said("finish_reason", "MAX_TOKENS"), nil, "was cut off or failed"},
		"an error":                {f, said("finish_reason", "error"), nil, "was cut off or failed"},
		"a response that failed":  {f, said("status", "failed"), nil, "was cut off or failed"},
		"a call for the tool":     {f, said("stop_reason", "tool_use", "status", "completed"), done, ""},
		"a call still streaming":  {f, call("state", "input-streaming"), nil, "was cut off or failed"},
		"a call that waits":       {f, call("state", "input-available"), done, ""},
		"a call with its output":  {f, call("output", "done"), nil, "has been made"},
		"a call with an error":    {f, call("state", "output-error", "errorText", "no"), nil, "has been made"},
		"a call that was denied":  {f, call("state", "output-denied"), nil, "has been made"},
		"a hook after the call":   {f, call("hook_event_name", "PostToolUse"), nil, "has been made"},
		"a hook before the call":  {f, call("hook_event_name", "PreToolUse"), done, ""},
		"a hook of Gemini, after": {f, call("hook_event_name", "AfterTool"), nil, "has been made"},
		"a call that is partial": {f, accepttest.Object{"name": "edit", "args": edit, "partial": true}, nil,
			"not complete yet"},
		"an input to be complete": {f, accepttest.Object{"name": "edit", "input": edit, "is_input_complete": false},
			nil, "not complete yet"},
		"an input, complete": {f, accepttest.Object{"name": "edit", "input": edit, "is_input_complete": true},
			done, ""},
		"a text of the user": {f, accepttest.Object{"role": "user", "content": accepttest.Args(edit)}, nil,
			"no call in the request"},
		"a summary of the change": {f, with(accepttest.Object{"name": "edit", "args": edit, "change_summary": "x"}),
			done, ""},
		"a reason not to edit": {f,
			accepttest.Object{"path": "f", "old_string": "a", "new_string": "b", "skip_reason": "the user said no"},
			nil, "unknown field \"skip_reason\""},
		"a call without a result": {f, with(accepttest.Object{"name": "edit", "args": edit, "result": nil}), done, ""},
	})
}

func TestCallsInTagsWithTheirResultsAreOver(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	const call = "<edit_file>\n<path>f</path>\n<old_text>a</old_text>\n<new_text>b</new_text>\n</edit_file>\n"
	inText := "<edit_file>\n<path>f</path>\n<old_text>a</old_text>\n<new_text>\n<tool_response>\n</new_text>\n</edit_file>\n"
	checkCalls(t, map[string]callCase{
		"a response": {f, call + "<tool_response>\ndone\n</tool_response>\n", nil,
			"line 6 of the request: the result of a call is here"},
		"a result, and a call": {f, call + "<function_results>\ndone\n</function_results>\n" + call, nil,
			"the result of a call is here"},
		"in the new text": {f, inText, map[string]string{"f": "<tool_response>\n"}, ""},
		"in prose":        {f, "No <tool_response> yet.\n" + call, map[string]string{"f": "b\n"}, ""},
	})
}

func TestNamesOfToolsThatDoNotReplaceAFile(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	call := func(tool string, arguments accepttest.Object) accepttest.Object {
		return accepttest.Object{"name": tool, "arguments": arguments}
	}
	whole := accepttest.Object{"path": "f", "content": "x\n"}
	edit := accepttest.Object{"path": "f", "old_string": "a", "new_string": "b"}
	checkCalls(t, map[string]callCase{
		"a line to prepend":  {f, call("prepend_to_file", whole), nil, "does not say where"},
		"text to insert":     {f, call("insert_text", whole), nil, "does not say where"},
		"a preview":          {f, call("preview_edit", edit), f, ""},
		"a dry run":          {f, call("dry_run_edit", edit), f, ""},
		"a preview, of what": {f, call("preview_file", whole), nil, "does not say that the file is written"},
		"a check":            {f, call("check_edit", edit), nil, "not an edit"},
		"a proposal":         {f, call("propose_edit", edit), nil, "not an edit"},
		"an edit, checked":   {f, call("edit_and_check", edit), map[string]string{"f": "b\n"}, ""},
		"an edit undone":     {f, call("revertEdit", edit), nil, "not an edit"},
		"an edit explained":  {f, call("explain_edit", edit), nil, "not an edit"},
		"a file written":     {f, call("write_file", whole), map[string]string{"f": "x\n"}, ""},
		"a file put":         {f, call("put_file", whole), map[string]string{"f": "x\n"}, ""},
		"an unknown tool":    {f, call("frobnicate", whole), nil, "does not say that the file is written"},
		"a run":              {f, call("run_tests", whole), nil, "does not say that the file is written"},
		"a text replaced":    {f, call("str_replace", whole), nil, "does not say what lines"},
		"a text in a file":   {f, call("replace_in_file", whole), nil, "does not say what lines"},
		"an edit, written":   {f, call("write_file", edit), map[string]string{"f": "b\n"}, ""},
		"an edit, created":   {f, call("create_file", edit), nil, "says that a file is created"},
		"an edit, deleted":   {f, call("delete_file", edit), nil, "says that something is deleted"},
	})
}

func TestOtherNamesOfFields(t *testing.T) {
	f := map[string]string{"f": "a\nb\na\n"}
	edit := func(fields ...any) accepttest.Object {
		o := accepttest.Object{"path": "f", "old_string": "a", "new_string": "x"}
		for i := 0; i < len(fields); i += 2 {
			o[fields[i].(string)] = fields[i+1]
		}
		return o
	}
	checkCalls(t, map[string]callCase{
		"a snippet": {f, accepttest.Object{"rel_path": "f", "old_snippet": "b", "new_snippet": "x"},
			map[string]string{"f": "a\nx\na\n"}, ""},
		"an existing text": {f, accepttest.Object{"path": "f", "existing_text": "b", "new_text": "x"},
			map[string]string{"f": "a\nx\na\n"}, ""},
		"a line as a hint": {f, edit("line_hint", 3), map[string]string{"f": "a\nb\nx\n"}, ""},
		"all matches":      {f, edit("all_matches", true), map[string]string{"f": "x\nb\nx\n"}, ""},
		"only a check":     {f, edit("all", true, "check_only", true), f, ""},
		"a check in envelope": {f,
			accepttest.Object{"name": "edit", "input": edit("all", true), "simulate": true}, nil, "stands beside"},
		"about the call": {f, edit("all", true, "editExplanation", "x", "tool-call-summary", "y"),
			map[string]string{"f": "x\nb\nx\n"}, ""},
		"nothing in them": {f,
			edit("all", true, "context", "", "anchors", []any{}, "content", "", "regex", "", "options",
				accepttest.Object{}), map[string]string{"f": "x\nb\nx\n"}, ""},
		"an empty list beside texts": {f, edit("all", true, "edits", []any{}, "files", []any{}),
			map[string]string{"f": "x\nb\nx\n"}, ""},
		"an empty patch": {f, edit("all", true, "patch", ""), map[string]string{"f": "x\nb\nx\n"}, ""},
		"an empty old text": {f, accepttest.Object{"path": "f", "insert_line": 1, "new_str": "x", "old_str": "",
			"file_text": ""}, map[string]string{"f": "a\nx\nb\na\n"}, ""},
		"only empty lists":  {f, accepttest.Object{"path": "f", "edits": []any{}}, nil, "is empty"},
		"something in them": {f, edit("all", true, "options", accepttest.Object{"only": "b"}), nil, "unknown field"},
		"a cell": {f, accepttest.Object{"name": "NotebookEdit",
			"arguments": accepttest.Object{"notebook_path": "f", "cell_id": "c", "new_source": "x",
				"edit_mode": "replace"}}, nil, "belongs to an edit of a cell"},
		"not approved": {f, accepttest.Object{"parts": []any{accepttest.Object{"type": "tool-edit",
			"state": "approval-responded", "approval": accepttest.Object{"approved": false},
			"input": edit("all", true)}}}, nil, "not to be made"},
		"words not wanted": {f, edit("all", true, "match_whole_word", true), nil, "unknown field"},
		"words not asked for": {f, edit("all", true, "match_whole_word", false), map[string]string{"f": "x\nb\nx\n"},
			""},
	})
}

func TestFieldsBesideArgumentsThatCouldChangeThem(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	done := map[string]string{"f": "b\n"}
	call := func(field string, value any) accepttest.Object {
		return accepttest.Object{"name": "edit",
			"arguments": accepttest.Object{"path": "f", "old_string": "a", "new_string": "b"}, field: value}
	}
	answer := func(field string, value any) accepttest.Object {
		return accepttest.Object{"output": []any{accepttest.Object{"type": "function_call", "name": "edit",
			"arguments": accepttest.Args(accepttest.Object{"path": "f", "old_string": "a", "new_string": "b"})}},
			field: value}
	}
	checkCalls(t, map[string]callCase{
		"a flag":             {f, call("noop", true), nil, "could change what is meant"},
		"a flag as a string": {f, call("dry", "true"), nil, "could change what is meant"},
		"a flag that is off": {f, call("noop", false), done, ""},
		"a flag of the API":  {f, call("strict", true), done, ""},
		"an id":              {f, call("caller_id", "7"), done, ""},
		"a directory":        {f, call("cwd", "d"), nil, "expected it inside"},
		"another file":       {f, call("path", "g"), nil, "expected it inside"},
		"an answer cut off": {f, answer("incomplete_details", accepttest.Object{"reason": "max_output_tokens"}),
			nil, "as \"incomplete_details\" says"},
		"an answer in full":     {f, answer("incomplete_details", nil), done, ""},
		"an answer that failed": {f, answer("error", accepttest.Object{"message": "no"}), nil, "as \"error\" says"},
		"two marks": {f, accepttest.Object{"status": "incomplete", "finish_reason": "length",
			"output": []any{}}, nil, "\"finish_reason\": \"length\""},
	})
}
