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
		"deleted, with a text": {f, ofTool("delete_files", files), nil, "nothing that says what to do"},
		"edited, with an old text": {f, ofTool("make_changes", `{"files": [{"path": "f", "old_text": "a", "new_text": "x"}]}`),
			map[string]string{"f": "x\n"}, ""},
		"appended to, with an old text": {f, ofTool("append_to_files",
			`{"files": [{"path": "f", "old_text": "a", "new_text": "a\nb"}]}`), appended, ""},
		"written, with an old text": {f, `{"action": "write", "files": [{"path": "f", "old_text": "a", "new_text": "x"}]}`,
			map[string]string{"f": "x\n"}, ""},
		"edits without old texts": {f, ofTool("write_files", `{"edits": [{"path": "f", "new_content": "x"}]}`), nil, "missing"},
		"a type of one edit":      {f, ofTool("append_to_file", `{"path": "f", "edits": [{"type": "write", "content": "x"}]}`), nil, "no known kind"},
		"a file, and lines":       {f, `{"path": "f", "mode": "overwrite", "old_text": "a", "new_text": "x", "x": 1}`, nil, "nothing that says"},
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

func TestFieldsThatMayNameAPartOfTheFile(t *testing.T) {
	f := map[string]string{"f": "a\nb\n"}
	written := map[string]string{"f": "x"}
	checkCalls(t, map[string]callCase{
		"an index":             {f, `{"path": "f", "index": 0, "content": "x"}`, nil, "\"index\" could name a part of the file"},
		"of a tool for a line": {f, ofTool("write_file", `{"path": "f", "index": 1, "content": "x"}`), nil, "could name a part"},
		"a step":               {f, `{"path": "f", "step": 2, "content": "x"}`, nil, "\"step\" could name a part"},
		"one of several":       {f, ofTool("write_file", `{"path": "f", "sequence": 2, "code": "x"}`), nil, "could name a part"},
		"to delete":            {f, ofTool("delete", `{"path": "f", "index": 1}`), nil, "could name a part"},
		"a line by its index":  {f, ofTool("set_line", `{"path": "f", "index": 1, "text": "x"}`), nil, "\"index\""},
		"a paragraph":          {f, ofTool("update_paragraph", `{"path": "f", "index": 1, "text": "x"}`), nil, "\"index\""},
		"beside an old text": {f, `{"path": "f", "index": 1, "old_text": "a", "new_text": "x"}`,
			map[string]string{"f": "x\nb\n"}, ""},
		"of an edit in a list": {f, `{"path": "f", "edits": [{"index": 0, "old_text": "a", "new_text": "x"}]}`,
			map[string]string{"f": "x\nb\n"}, ""},
		"none": {f, `{"path": "f", "index": null, "content": "x"}`, written, ""},
		"a file that is gone": {f, `{"files": [{"path": "f", "status": "deleted", "content": ""}]}`, nil,
			"\"status\" could say that the file is deleted"},
		"a file that is Deleted": {f, `{"path": "f", "status": "Removed", "content": "x"}`, nil, "could say that the file is deleted"},
		"a file that is changed": {f, `{"files": [{"path": "f", "status": "modified", "content": "x"}]}`, written, ""},
	})
}

func TestToolsForAPartDoNotReplaceTheFile(t *testing.T) {
	f := map[string]string{"f": "a\nb\n"}
	cases := map[string]callCase{
		"a tool for code": {f, ofTool("write_code", `{"path": "f", "content": "x"}`), map[string]string{"f": "x"}, ""},
		"a tool for text": {f, ofTool("write_text", `{"path": "f", "content": "x"}`), map[string]string{"f": "x"}, ""},
		"with the old text": {f, ofTool("update_section", `{"path": "f", "old_text": "a", "new_text": "x"}`),
			map[string]string{"f": "x\nb\n"}, ""},
		"with its lines": {f, ofTool("write_section", `{"path": "f", "start_line": 2, "end_line": 2, "content": "x"}`),
			map[string]string{"f": "a\nx\n"}, ""},
		"a file for a part": {f, ofTool("write_class_file", `{"path": "f", "content": "x"}`), map[string]string{"f": "x"}, ""},
		"a file, edited or new": {f, ofTool("edit_or_create_file", `{"path": "f", "content": "x"}`),
			map[string]string{"f": "x"}, ""},
		"a server in front": {f, ofTool("XcodeWrite", `{"filePath": "f", "content": "x"}`), map[string]string{"f": "x"}, ""},
		"files, edited": {f, ofTool("edit_files", `{"files": [{"path": "f", "content": "x"}]}`), nil,
			"does not say what lines of the file it replaces"},
		"a part, deleted": {f, ofTool("delete_line", `{"path": "f", "mode": "delete"}`), nil, "nothing that says what to do"},
		"a new file": {f, ofTool("create_class", `{"path": "g", "content": "x"}`),
			map[string]string{"f": "a\nb\n", "g": "x"}, ""},
	}
	for _, tool := range []string{"write_section", "write_chunk", "write_file_chunk", "write_to_file_end", "write_at_end",
		"write_tail", "write_readme", "writeFileSync", "save_report"} {
		cases[tool] = callCase{f, ofTool(tool, `{"path": "f", "content": "x"}`), nil, "already there"}
		cases[tool+", with a flag"] = callCase{f, ofTool(tool, `{"path": "f", "content": "x", "overwrite": true}`), nil,
			"already there"}
		cases[tool+", with a mode"] = callCase{f, ofTool(tool, `{"path": "f", "content": "x", "mode": "overwrite"}`), nil,
			"already there"}
		cases[tool+", a new file"] = callCase{f, ofTool(tool, `{"path": "g", "content": "x"}`),
			map[string]string{"f": "a\nb\n", "g": "x"}, ""}
	}
	for _, tool := range []string{"update_section", "update_function", "update_block", "replace_file_lines",
		"update_docstring", "replace_selection", "update_functions", "replaceLines", "update_file_footer", "footer_update",
		"write_comment", "make_edit", "append_string", "create_or_append_file", "write_append", "add_string"} {
		cases[tool] = callCase{f, ofTool(tool, `{"path": "f", "content": "x"}`), nil,
			"does not say what lines of the file it replaces"}
	}
	checkCalls(t, cases)
}

func TestCommentsOfAReviewAreNoEdits(t *testing.T) {
	f := map[string]string{"f": "a\nb\n"}
	checkCalls(t, map[string]callCase{
		"beside text": {f, ofTool("highlight", `{"path": "f", "search": "a", "text": "too short"}`), nil,
			"unknown field \"text\""},
		"beside a path": {f, `[{"path": "f", "body": "Please rename this"}]`, nil, "nothing that says what to do"},
		"beside lines": {f, `{"path": "f", "start_line": 1, "end_line": 2, "body": "Please rename this"}`, nil,
			"unknown field \"body\""},
	})
}

func TestAToolThatInsertsKeepsTheLines(t *testing.T) {
	f := map[string]string{"f": "a\nb\n"}
	const lines = `{"path": "f", "start_line": 2, "end_line": 2, "content": "x"}`
	checkCalls(t, map[string]callCase{
		"inserted": {f, ofTool("insert_lines", lines), nil, "is the first of lines to replace"},
		"appended": {f, ofTool("append_lines", lines), nil, "unknown field \"start_line\""},
		"added": {f, ofTool("add_lines", `{"path": "f", "start_line": 2, "end_line": 2, "insert_text": "x"}`), nil,
			"is the first of lines to replace"},
		"replaced": {f, ofTool("replace_lines", lines), map[string]string{"f": "a\nx\n"}, ""},
	})
}

func TestAToolOrAModeSaysThatALineIsReplaced(t *testing.T) {
	f := map[string]string{"f": "a\nb\nc\n"}
	second, two := map[string]string{"f": "a\nx\nc\n"}, map[string]string{"f": "a\nx\n"}
	const line, start = `{"path": "f", "line": 2, "content": "x"}`, `{"path": "f", "start_line": 2, "content": "x"}`
	checkCalls(t, map[string]callCase{
		"replaced": {f, ofTool("replace_line", line), second, ""},
		"edited":   {f, ofTool("edit_line", line), second, ""},
		"of aider-ce": {f, ofTool("ReplaceLine", `{"file_path": "f", "line_number": 2, "new_content": "x"}`),
			second, ""},
		"written":           {f, ofTool("write_line", line), nil, "does not say whether the text goes above or below"},
		"in a file":         {f, ofTool("edit_file", line), nil, "does not say whether the text goes above or below"},
		"one of some lines": {f, ofTool("replace_lines", line), nil, "does not say whether the text goes above or below"},
		"a range":           {f, `{"path": "f", "line_number": 2, "end_line": 3, "content": "x"}`, two, ""},
		"a range, inserted": {f, ofTool("insert_lines", `{"path": "f", "line": 2, "end_line": 3, "content": "x"}`), nil,
			"unknown field \"end_line\""},
		"a range without its end": {f, ofTool("replace_line_range", start), nil, "is missing"},
		"a start alone":           {f, start, nil, "\"end_line\" is missing"},
		"a start in a file":       {f, ofTool("replace", start), nil, "\"end_line\" is missing"},
		"edited from a start":     {f, `{"mode": "edit", "path": "f", "start_line": 2, "content": "x"}`, nil, "is missing"},
	})
}

func TestFurtherModes(t *testing.T) {
	f := map[string]string{"f": "a\nb\nc\n"}
	call := func(fields string) string { return `{"path": "f", ` + fields + `}` }
	list := func(fields string) string { return `{"path": "f", "edits": [{` + fields + `}]}` }
	x, last := map[string]string{"f": "a\nx\nc\n"}, map[string]string{"f": "a\nb\nc\nx\n"}
	checkCalls(t, map[string]callCase{
		"at the end":             {f, list(`"operation": "append_eof", "newText": "x"`), last, ""},
		"at the end, alone":      {f, call(`"mode": "append_lines", "content": "x"`), last, ""},
		"a range":                {f, call(`"mode": "replace_range", "start_line": 2, "end_line": 2, "content": "x"`), x, ""},
		"lines":                  {f, list(`"operation": "replace_lines", "start_line": 2, "end_line": 2, "content": "x"`), x, ""},
		"beside edits":           {f, call(`"operation": "edit_lines", "edits": [{"oldText": "b", "newText": "x"}]`), x, ""},
		"lines without a number": {f, call(`"mode": "replace_lines", "content": "x"`), nil, "is missing"},
		"from a line":            {f, call(`"mode": "replace_range", "from": 2, "content": "x"`), nil, "\"to\" is missing"},
		"from a line, by a tool": {f, ofTool("overwrite_line", call(`"from": 2, "content": "x"`)), nil, "\"to\" is missing"},
		"at a line":              {f, call(`"mode": "insert_before", "insert_line": 2, "content": "x"`), nil, "expected edit, write"},
		"to the end":             {f, call(`"mode": "delete_to_end", "line": 2`), nil, "expected edit, write"},
	})
}

func TestHowManyPlacesACountMeans(t *testing.T) {
	f := map[string]string{"f": "a\na\n"}
	call := func(fields string) string { return `{"path": "f", "old_str": "a", "new_str": "x", ` + fields + `}` }
	both := map[string]string{"f": "x\nx\n"}
	checkCalls(t, map[string]callCase{
		"one":                {f, call(`"replace_count": 1`), nil, "old_str is there twice"},
		"two":                {f, call(`"replace_count": 2`), both, ""},
		"all":                {f, call(`"replace_count": -1`), both, ""},
		"a plain count":      {f, call(`"count": -1`), both, ""},
		"all, and only one":  {f, call(`"count": -1, "replace_all": false`), nil, "contradict each other"},
		"an expected number": {f, call(`"expected_replacements": -1`), nil, "a whole number of at least 1"},
		"none":               {f, call(`"count": 0`), nil, "a whole number of at least 1"},
	})
}

func TestAFlagSaysThatTheNewTextIsADiff(t *testing.T) {
	f := map[string]string{"f": "a\nb\n"}
	x := map[string]string{"f": "x\nb\n"}
	edit := func(fields string) string { return ofTool("Edit", `{"path": "f", `+fields+`}`) }
	const diff = `"new_str": "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+x\n b\n"`
	checkCalls(t, map[string]callCase{
		"it is not": {f, edit(`"old_str": "a", "new_str": "x", "diff": false`), x, ""},
		"it is":     {f, edit(diff + `, "diff": true`), x, ""},
		"it is, beside an old text": {f, edit(`"old_str": "a", ` + diff + `, "diff": true`), nil,
			"unknown field \"old_str\""},
		"it is, but has no hunk": {f, edit(`"new_str": "x", "diff": true`), nil, "expected SEARCH/REPLACE blocks"},
	})
}

func TestATextBesideAnOldTextIsTheNewOne(t *testing.T) {
	f := map[string]string{"f": "a\nb\nc\n"}
	x := map[string]string{"f": "a\nx\nc\n"}
	checkCalls(t, map[string]callCase{
		"a text":    {f, `{"path": "f", "old_text": "b", "text": "x"}`, x, ""},
		"a content": {f, `{"path": "f", "old_content": "b", "content": "x"}`, x, ""},
		"in a list": {f, `{"path": "f", "edits": [{"old_text": "b", "text": "x"}]}`, x, ""},
		"beside lines": {f, ofTool("replace_lines_code",
			`{"path": "f", "startLine": 2, "endLine": 3, "content": "x", "originalCode": "b\nc"}`),
			map[string]string{"f": "a\nx\n"}, ""},
		"an expected text": {f, `{"path": "f", "line_number": 2, "action": "replace", "content": "x",
			"expected_content": "b"}`, x, ""},
		"another expected text": {f, `{"path": "f", "line_number": 2, "action": "replace", "content": "x",
			"expected_content": "c"}`, nil, "line 2"},
		"two texts":          {f, `{"path": "f", "old_text": "b", "text": "x", "content": "y"}`, nil, "unknown field"},
		"beside the new one": {f, `{"path": "f", "old_text": "b", "new_text": "x", "content": "y"}`, nil, "unknown field"},
		"below a text":       {f, `{"path": "f", "before": "b", "content": "x"}`, nil, "unknown field"},
		"at a target":        {f, `{"path": "f", "target_text": "b", "content": "x"}`, nil, "unknown field"},
		"of a tool that inserts": {f, ofTool("insert_text", `{"path": "f", "old_text": "b", "text": "x"}`), nil,
			"unknown field \"text\""},
		"of a tool that writes": {f, ofTool("write_file", `{"path": "f", "old_content": "b", "content": "x"}`), nil,
			"unknown field"},
		"without an old text": {f, `{"path": "f", "old_text": "", "text": "x"}`, nil, "unknown field"},
	})
}

func TestFlagsOfToolsThatChangeNothing(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	x := map[string]string{"f": "x\n"}
	edit := func(fields string) string { return `{"path": "f", "old_text": "a", "new_text": "x", ` + fields + `}` }
	cases := map[string]callCase{
		"a field that means something": {f, edit(`"trim": true`), nil, "unknown field \"trim\""},
		"edits in a string": {f, `{"path": "f", "editsJson": "[{\"old_text\": \"a\", \"new_text\": \"x\"}]"}`,
			x, ""},
		"an edit in a string": {f, `{"path": "f", "edits": ["{\"old_text\": \"a\", \"new_text\": \"x\"}"]}`, x, ""},
		"an edit in a string, malformed": {f, `{"path": "f", "edits": ["{\"old_text\": \"a\" \"new_text\": \"x\"}"]}`, nil,
			"\"edit 1\": invalid JSON"},
		"a payload": {f, ofTool("edit_file", `{"payload": `+edit(`"backup": true`)+`}`), x, ""},
		"a deletion": {f, ofTool("delete_file", `{"path": "f", "backup_before_delete": true, "confirm_delete": true}`),
			map[string]string{}, ""},
		"a deletion that is not confirmed": {f, ofTool("delete_file", `{"path": "f", "confirm_delete": false}`), nil,
			"unknown field \"confirm_delete\""},
		"a text": {f, `{"path": "g", "content": "x", "encoding": "auto"}`, map[string]string{"f": "a\n", "g": "x"}, ""},
	}
	for _, field := range []string{`"backup": true`, `"createBackup": true`, `"force_remove_emojis": false`,
		`"word_boundary": false`, `"atomic": true`, `"trim": false`, `"offset": 0`, `"relative_line_numbers": false`} {
		cases[field] = callCase{f, edit(field), x, ""}
	}
	checkCalls(t, cases)
}

func TestFurtherMovesAndDeletions(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	moved := map[string]string{"g": "a\n"}
	const list = `{"operations": [{"source": "f", "destination": "g"}]}`
	const target = `{"sourcePath": "f", "targetPath": "g", "overwrite": false}`
	checkCalls(t, map[string]callCase{
		"to a target":     {f, ofTool("move_file_code", target), moved, ""},
		"a copy":          {f, ofTool("copy_file_code", target), nil, "not an edit"},
		"items":           {f, ofTool("move_items", list), moved, ""},
		"paths":           {f, ofTool("move_paths", list), moved, ""},
		"copied items":    {f, ofTool("copy_items", list), nil, "not an edit"},
		"deleted items":   {f, ofTool("delete_items", `{"paths": ["f"]}`), map[string]string{}, ""},
		"items of a file": {f, ofTool("delete_items", `{"path": "f"}`), nil, "nothing that says what to do"},
	})
}

func TestMessagesNameTheFieldThatIsWrong(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	checkCalls(t, map[string]callCase{
		"a file by its name": {f, ofTool("create_file", `{"name": "n.txt", "content": "x"}`), nil,
			"\"name\" is \"n.txt\", which is not the tool: if it is a file, send it as \"path\""},
		"a list that is none": {f, ofTool("edit_file", `{"path": "f", "edits": "[x"}`), nil, "\"edits\": invalid JSON"},
		"a text for a list": {f, ofTool("edit_file", `{"path": "f", "edit": "x"}`), nil,
			"\"edit\" is the string \"x\": expected an array"},
	})
}

func TestTheTextOfAnotherCommandIsNoDeletion(t *testing.T) {
	f := map[string]string{"f": "a\nb\n"}
	checkCalls(t, map[string]callCase{
		"a text": {f, `{"command": "str_replace", "path": "f", "old_str": "a", "new_str": "", "file_text": "x"}`, nil, "\"file_text\" has a text"},
		"none":   {f, `{"command": "str_replace", "path": "f", "old_str": "a\n", "new_str": "", "file_text": ""}`, map[string]string{"f": "b\n"}, ""},
		"of a new text": {f, `{"command": "str_replace", "path": "f", "old_str": "a", "new_str": "x", "file_text": "y"}`,
			map[string]string{"f": "x\nb\n"}, ""},
	})
}
