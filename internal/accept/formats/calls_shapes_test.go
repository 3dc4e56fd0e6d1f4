package formats_test

import (
	"fmt"
	"testing"
)

// ofTool returns the call of a tool with its arguments in JSON.
func ofTool(tool, arguments string) string {
	return fmt.Sprintf(`{"name": %q, "arguments": %s}`, tool, arguments)
}

func TestWhatTheToolDoesHoldsForEachOfItsFiles(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	appended := map[string]string{"f": "a\nb\n"}
	const files = `{"files": [{"path": "f", "content": "b\n"}]}`
	checkCalls(t, map[string]callCase{
		"files appended to":    {f, ofTool("append_files", files), appended, ""},
		"one file":             {f, ofTool("append_file", `{"operation": {"path": "f", "content": "b\n"}}`), appended, ""},
		"under another name":   {f, ofTool("append_to_files", `{"files": [{"path": "f", "text": "b\n"}]}`), appended, ""},
		"in a list of edits":   {f, ofTool("append_files", `{"edits": [{"path": "f", "content": "b\n"}]}`), appended, ""},
		"as operations":        {f, ofTool("append_files", `{"operations": [{"path": "f", "content": "b\n"}]}`), appended, ""},
		"the command says it":  {f, `{"command": "append", "files": [{"path": "f", "content": "b\n"}]}`, appended, ""},
		"an entry says more":   {f, ofTool("edit_files", `{"files": [{"path": "f", "mode": "append", "content": "b\n"}]}`), appended, ""},
		"files written":        {f, ofTool("write_files", files), map[string]string{"f": "b\n"}, ""},
		"files created":        {f, ofTool("create_files", files), nil, "already there"},
		"files deleted":        {f, ofTool("delete_files", `{"files": [{"path": "f"}]}`), map[string]string{}, ""},
		"deleted, with a text": {f, ofTool("delete_files", files), nil, "the call says that the file is deleted"},
		"edited without an old text": {f, ofTool("edit_files", files), nil,
			"files[0]: \"content\" does not say what lines of the file it replaces"},
		"patched":                 {f, ofTool("patch_files", files), nil, "does not say what lines of the file it replaces"},
		"inserted without a line": {f, ofTool("insert_into_files", files), nil, "does not say where in the file it goes"},
		"prepended":               {f, ofTool("prepend_files", files), nil, "does not say where in the file it goes"},
		"appended by name":        {f, ofTool("append_files", `{"files": {"f": {"content": "b\n"}}}`), appended, ""},
		"contents by name, appended": {f, `{"command": "append", "file_contents": {"f": "b\n"}}`, nil,
			"does not say what to do with \"f\""},
		"new files, deleted": {f, `{"action": "delete", "new_files": {"f": "b\n"}}`, nil,
			"does not say what to do with \"f\""},
	})
}

func TestDevinInsertsAboveALine(t *testing.T) {
	f := map[string]string{"f": "a\nb\n"}
	insert := func(line string) string {
		return `<insert path="f" sudo="False" insert_line="` + line + "\">x\n</insert>"
	}
	checkCalls(t, map[string]callCase{
		"the first line": {f, insert("1"), map[string]string{"f": "x\na\nb\n"}, ""},
		"the last line":  {f, insert("2"), map[string]string{"f": "a\nx\nb\n"}, ""},
		"the end":        {f, insert("3"), map[string]string{"f": "a\nb\nx\n"}, ""},
		"behind the end": {f, insert("4"), nil, "the file has 2 lines"},
		"no line":        {f, insert("0"), nil, "expected a whole number of at least 1"},
		"as a tag below": {f, "<insert>\n<path>f</path>\n<insert_line>1</insert_line>\n<insert_text>\nx\n</insert_text>\n</insert>",
			map[string]string{"f": "a\nx\nb\n"}, ""},
		"of another tool": {f, ofTool("insert", `{"path": "f", "insert_line": 1, "text": "x"}`),
			map[string]string{"f": "a\nx\nb\n"}, ""},
	})
}
