package formats_test

import (
	"testing"

	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

func TestCallsThatDoNotPlainlyAskForAnEdit(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	done := map[string]string{"f": "b\n"}
	call := func(tool string, fields ...any) accepttest.Object {
		o := accepttest.Object{"path": "f"}
		for i := 0; i < len(fields); i += 2 {
			o[fields[i].(string)] = fields[i+1]
		}
		return accepttest.Object{"name": tool, "arguments": o}
	}
	edit := func(field string, value any) accepttest.Object {
		return call("edit", "old_string", "a", "new_string", "b", field, value)
	}
	remove := func(path string) accepttest.Object { return accepttest.Object{"op": "remove", "path": path} }
	checkCalls(t, map[string]callCase{
		"a comparison":                  {f, call("diff_files", "old_text", "a", "new_text", "b"), nil, "not an edit"},
		"a diff that is applied":        {f, call("apply_diff", "diff", "@@\n-a\n+b\n"), done, ""},
		"a log":                         {f, call("write_log", "content", "b\n"), nil, "not an edit"},
		"a file with a log":             {f, call("write_log_file", "content", "b\n"), done, ""},
		"a terminal":                    {f, call("writeToTerminal", "content", "b\n"), nil, "not an edit"},
		"a clipboard":                   {f, call("append_clipboard", "content", "b\n"), nil, "not an edit"},
		"an edit of a log":              {f, call("edit_log", "old_string", "a", "new_string", "b"), done, ""},
		"a JSON patch":                  {f, []any{remove("/a/b"), remove("/a/c")}, nil, "JSON patch"},
		"a JSON patch of one operation": {f, []any{remove("f")}, nil, "JSON patch"},
		"a JSON patch with a value": {f, []any{accepttest.Object{"op": "replace", "path": "/f", "value": "b"}}, nil,
			"missing"},
		"a file removed":           {f, accepttest.Object{"type": "remove", "path": "f"}, map[string]string{}, ""},
		"a file removed by a tool": {f, call("remove_file", "op", "remove"), map[string]string{}, ""},
		"a file deleted":           {f, accepttest.Object{"op": "delete", "path": "f"}, map[string]string{}, ""},
		"data":                     {f, call("write_file", "data", "b\n"), done, ""},
		"data, perhaps encoded":    {f, call("write_file", "data", "Yg=="), nil, "in base64"},
		"long data, perhaps encoded": {f, call("write_file", "data", "YWJjZGVmZ2hpamtsbW5vcHFyc3R1"), nil,
			"in base64"},
		"content like that": {f, call("write_file", "content", "Yg=="), map[string]string{"f": "Yg=="}, ""},
		"an encoding": {f, call("write_file", "content", "Yg==", "encoding", "base64"), nil,
			"is encoded"},
		"the usual encoding":        {f, call("write_file", "content", "b\n", "encoding", "UTF-8"), done, ""},
		"an edit that was rejected": {f, edit("status", "rejected"), nil, "not to be made"},
		"an edit that waits":        {f, edit("status", "pending"), done, ""},
		"one of several that failed": {f,
			accepttest.Object{"path": "f",
				"edits": []any{accepttest.Object{"old_string": "a", "new_string": "b", "status": "failed"}}}, nil,
			"not to be made"},
		"an edit that is not committed": {f, edit("commit", false), nil, "not to be made"},
		"an edit, with a commit":        {f, edit("commit", true), done, ""},
		"the message of a commit":       {f, edit("commit", "false start"), done, ""},
	})
}

func TestTheDirectoryOfAFileBesideItsNameIsRefused(t *testing.T) {
	f := map[string]string{"d/f": "a\n", "f": "a\n"}
	checkCalls(t, map[string]callCase{
		"and a name": {f, `{"directory": "d", "filename": "f", "old_string": "a", "new_string": "b"}`, nil,
			"unknown field \"directory\""},
		"and a path": {f, `{"folder": "d", "path": "f", "content": "b"}`, nil, "unknown field \"folder\""},
		"and no file": {f, accepttest.Object{"directory": "d", "patch": "*** Begin Patch\n*** Delete File: f\n*** End Patch"},
			nil, "unknown field \"directory\""},
	})
}

func TestAUnifiedDiffBesideAPath(t *testing.T) {
	f := map[string]string{"d/f": "a\n", "g": "a\n"}
	done := map[string]string{"d/f": "b\n", "g": "a\n"}
	const hunk = "@@ -1 +1 @@\n-a\n+b\n"
	diff := func(path, old, new string) accepttest.Object {
		return accepttest.Object{"path": path, "diff": old + new + hunk}
	}
	goose := diff("d/f", "--- a/d/f\n", "+++ b/d/f\n")
	goose["command"] = "str_replace"
	added := diff("n", "--- /dev/null\n", "+++ b/n\n@@ -0,0 +1 @@\n+b\n")
	added["diff"] = "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+b\n"
	checkCalls(t, map[string]callCase{
		"of the path":    {f, diff("d/f", "--- a/d/f\n", "+++ b/d/f\n"), done, ""},
		"of its end":     {f, diff("d/f", "--- f\n", "+++ f\n"), done, ""},
		"with a command": {f, goose, done, ""},
		"with a header": {f, diff("d/f", "diff --git a/d/f b/d/f\nindex 1..2 100644\n--- a/d/f\n", "+++ b/d/f\n"),
			done, ""},
		"hunks alone":      {f, diff("d/f", "", ""), done, ""},
		"of another file":  {f, diff("d/f", "--- a/g\n", "+++ b/g\n"), nil, "but the edits are of \"g\""},
		"of a longer path": {f, diff("g", "--- a/d/g\n", "+++ b/d/g\n"), nil, "but the edits are of \"d/g\""},
		"of a directory":   {f, diff("d", "--- a/f\n", "+++ b/f\n"), nil, "but the edits are of \"f\""},
		"of several files": {f, diff("d/f", "--- a/g\n+++ b/g\n"+hunk+"--- a/d/f\n", "+++ b/d/f\n"), nil,
			"but the edits are of"},
		"of a new file": {f, added, map[string]string{"d/f": "a\n", "g": "a\n", "n": "b\n"}, ""},
	})
}

func TestLinesInsertedAtTheEnd(t *testing.T) {
	f := map[string]string{"f": "a\nb\n"}
	insert := func(field string, line any) accepttest.Object {
		return accepttest.Object{"path": "f", field: line, "new_str": "x"}
	}
	checkCalls(t, map[string]callCase{
		"after the last line":         {f, insert("insert_line", -1), map[string]string{"f": "a\nb\nx\n"}, ""},
		"after that, as a string":     {f, insert("insert_line", "-1"), map[string]string{"f": "a\nb\nx\n"}, ""},
		"after the last line but one": {f, insert("insert_line", -2), nil, "whole number"},
		"before the last line":        {f, insert("insert_before", -1), nil, "whole number"},
	})
}
