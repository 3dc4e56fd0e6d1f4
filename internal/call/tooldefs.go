package call

import (
	"github.com/atomicedit/atomicedit/internal/patch"
)

// onRefusal ends every description: a refusal means the same for every tool.
const onRefusal = `

If the call is refused, no file was changed: correct it as the message says, and send all of it again.`

// A ToolKind is a tool.
type ToolKind struct {
	Name, title, description string
	Fields                   []property // of its calls
	views                    string     // the form of a call that shows a file, "" if there is none
	// files are not created by an edit without old text, and patches name their files
	bare           bool
	reads, grammar string // see [Tool]
	files          bool   // it creates, deletes and moves files too
	writes         string // how to replace all of a file with it, "" if it cannot

	replaces, chooses string // notes on how a call replaces a file that is there, or all of several occurrences or one
}

// ToolKinds has every tool.
var ToolKinds = []ToolKind{
	{
		Name:    "multi_edit",
		title:   "Edit a file",
		chooses: "\nnote: to replace every occurrence, set replace_all to true",
		description: `Replaces text in one text file. Either all edits are made or none.

Rules:
- Copy old_string from the file, with the same indentation and without line numbers. It must occur exactly once: include more of the surrounding text if it does not.
- To replace several occurrences, set replace_all to true, or expected_replacements to their number.
- The edits are applied in order, each to the result of the one before.
- An empty old_string in the first edit creates the file, with new_string as its content.

Example, two edits to one file:
{"file_path": "config.go", "edits": [{"old_string": "const port = 80\n", "new_string": "const port = 8080\n"}, {"old_string": "oldName", "new_string": "newName", "replace_all": true}]}`,
		Fields: []property{
			{name: "file_path", is: aName, must: true, says: "The file to change."},
			{name: "edits", is: aList, must: true, key: true,
				says: "The edits, in the order in which they are applied.",
				entries: []property{
					{name: "old_string", is: aText, must: true,
						says: "The text to replace, copied from the file. If empty in the first edit, the file is " +
							"created."},
					newString,
					replaceAll,
					{name: "expected_replacements", is: fromOne,
						says: "How many occurrences there are; all of them are replaced."},
				}},
		},
	},
	{
		Name:  "apply_patch",
		bare:  true,
		files: true,
		title: "Apply a patch",
		description: `Adds, updates, moves and deletes text files with one patch. Either all of it is applied or none.

Rules:
- "*** Add File: path": the lines of the new file follow, each with "+" in front.
- "*** Delete File: path": nothing follows.
- "*** Update File: path": chunks follow. "*** Move to: new path" right below it renames the file.
- A chunk begins with "@@", or with "@@ " and a whole line from above the change, such as the first line of its function. Below, lines that stay have a space in front, removed lines "-", and new lines "+".
- Show three unchanged lines before and after a change, or more if those occur in several places. Use no line numbers.
- "*** End of File" below a chunk means that it ends at the end of the file.

Example:
{"input": "*** Begin Patch\n*** Update File: hi.py\n@@ def hi(name):\n     name = name.strip()\n-    print(name)\n+    print(f\"Hi, {name}\")\n     return name\n*** End Patch"}`,
		Fields: []property{
			{name: "operation", key: true, hidden: true, entries: []property{
				{name: "type", key: true, values: []string{"create_file", "update_file", "delete_file"}},
				{name: "path"},
				{name: "diff"},
			}},
			{name: "patch", key: true, hidden: true},
			{name: "input", is: aName, must: true, key: true,
				says: "The patch, from *** Begin Patch to *** End Patch."},
		},
		grammar: patch.Grammar,
	},
	{
		Name:  "text_editor",
		title: "Read, write or patch a file",
		reads: `text_editor with "action": "read"`, writes: `text_editor with "action": "write"`,
		description: `Reads a text file, writes all of it, or changes some of its lines.

Rules:
- "read" puts a line number and a tab in front of every line; they are not part of the file.
- "write" creates a file or replaces all of it. Before you replace a file, read all of it.
- "patch" takes edits or patch_text.
- edits name lines that you have read, by their numbers before this call, and must not overlap. After a call that adds or removes lines, read those below again or send expected_content.
- To replace line 3, send "from": 3 and "to": 3. To insert above it, 3 and 0. To append to 9 lines, 10 and 0.
- patch_text has "@@" lines and, below each, unchanged lines with a space in front, removed ones with "-", new ones with "+".

Example that replaces line 3 with two lines and removes line 9:
{"action": "patch", "path": "notes.md", "edits": [{"from": 3, "to": 3, "content": "one\ntwo\n"}, {"from": 9, "to": 9, "content": ""}]}`,
		views: "read",
		Fields: []property{
			{name: "action", is: aText, must: true, key: true, values: []string{"read", "write", "patch"},
				says: "What to do."},
			{name: "path", is: aName, must: true, says: "The file."},
			{name: "line_from", is: fromOne, forms: "read",
				says: "read: the first line; 1 if left out."},
			{name: "line_to", is: fromOne, forms: "read",
				says: "read: the last line; that of the file if left out."},
			{name: "content", is: aText, forms: "write", says: "write: the whole new content of the file."},
			{name: "patch_text", is: aText, forms: "patch", says: "patch: the chunks of a patch."},
			{name: "edits", is: aList, forms: "patch", says: "patch: edits by line number.", entries: []property{
				{name: "from", is: fromOne, must: true,
					says: "The first line to replace, or the line to insert before."},
				{name: "to", is: fromZero, must: true,
					says: `The last line to replace, the same as "from" for one line; 0 to insert.`},
				{name: "content", is: aText, must: true,
					says: `The new lines for "from" through "to", or to insert; empty to remove.`},
				{name: "expected_content", is: aText,
					says: `The lines from "from" through "to" as they are, or to insert before. If unique, they prove it.`},
			}},
		},
	},
	{
		Name:     "multi_edit_file",
		bare:     true,
		files:    true,
		title:    "Edit several files",
		replaces: "\nnote: to replace the file, set overwrite to true",
		chooses:  "\nnote: to replace every occurrence, set replace_all to true; to replace one, set startLine to its line",
		description: `Changes one or more text files at once. Either all changes are made or none.

Rules:
- Operations and edits act in order, each on the result of the one before. Name each file once, with all of its edits.
- Read a file before you delete or overwrite it, or use replace_all.
- Copy old_string from the file, with the same indentation and without line numbers. It must occur exactly once, unless replace_all is true or startLine tells which one you mean.
- create and move need overwrite to replace an existing file.

Example:
{"operations": [{"type": "edit", "path": "a.js", "edits": [{"old_string": "let x = 1;", "new_string": "const x = 1;"}]}, {"type": "create", "path": "b.js", "content": "export {};\n"}]}`,
		Fields: []property{
			{name: "path", forms: "edits", hidden: true},
			{name: "edits", key: true, hidden: true, entries: exactEdit},
			{name: "files", key: true, hidden: true,
				entries: []property{{name: "path"}, {name: "edits", entries: exactEdit}}},
			{name: "operations", is: aList, must: true, key: true, says: "What to do.", entries: []property{
				{name: "type", is: aText, must: true, key: true, values: []string{"edit", "create", "delete", "move"},
					says: "What to do."},
				{name: "path", is: aName, forms: "edit create delete", says: "edit, create, delete: the file."},
				{name: "edits", is: aList, forms: "edit", says: "edit: the edits.", entries: exactEdit},
				{name: "content", is: aText, forms: "create", says: "create: the whole content of the file."},
				{name: "from", is: aName, forms: "move", says: "move: the file."},
				{name: "to", is: aName, forms: "move", says: "move: its new path."},
				{name: "overwrite", is: aFlag, forms: "create move", says: "create, move: replace an existing file."},
			}},
			{name: "cwd", is: aText, says: "The directory that relative paths start from."},
		},
	},
	{
		Name:   "file_write_or_edit",
		title:  "Write or edit a file",
		writes: `file_write_or_edit with "percentage_to_change": 100`,
		description: `Writes a whole text file, or edits it with SEARCH/REPLACE blocks. Either all blocks are applied or none.

Rules:
- percentage_to_change is how much of the file changes. Up to 50, send blocks. Above 50, or for a new file, send the whole file. Before you replace a file, read all of it.
- A block has a line "<<<<<<< SEARCH", lines of the file, a line "=======", the new lines, and a line ">>>>>>> REPLACE".
- Copy whole lines from the file, in order and with nothing left out, with their indentation and without line numbers: enough that they occur only once.
- Give the blocks in the order of the file. Blocks that change nothing, one above and one below, can show which place another one means.

Example:
{"file_path": "app.py", "percentage_to_change": 5, "text_or_search_replace_blocks": "<<<<<<< SEARCH\ndebug = True\n=======\ndebug = False\n>>>>>>> REPLACE\n"}`,
		Fields: []property{
			{name: "file_path", is: aName, must: true, says: "The file."},
			{name: "percentage_to_change", is: percent, must: true,
				says: "The percentage of the lines of the file that change."},
			{name: "text_or_search_replace_blocks", is: aText, must: true, key: true,
				says: "Blocks, or the whole file."},
			{name: "thread_id", is: aText, says: "Optional; ignored."},
		},
	},
	{
		Name:  "str_replace_editor",
		title: "View or edit a file",
		reads: `str_replace_editor with "command": "view"`,
		description: `Shows a text file, creates one, replaces text in it, or inserts lines.

Rules:
- "view" puts a line number and a tab in front of every line; they are not part of the file.
- "create" does not replace a file that has content.
- "str_replace": copy old_str from the file, with the same indentation and without line numbers. It must occur exactly once: include more lines if it does not. Without new_str, old_str is removed.
- "insert" inserts insert_text as lines after the line insert_line; 0 means the top of the file. View the lines there first, and again after an edit above that adds or removes lines.

Example:
{"command": "str_replace", "path": "main.c", "old_str": "int n = 0;\n", "new_str": "int n = 1;\n"}`,
		views: "view",
		Fields: []property{
			{name: "command", is: aText, must: true, key: true,
				values: []string{"view", "create", "str_replace", "insert"}, says: "What to do."},
			{name: "path", is: aName, must: true, says: "The file."},
			{name: "view_range", is: aRange, forms: "view",
				says: "view: the first and the last line to show; -1 means the last of the file."},
			{name: "file_text", is: aText, forms: "create", says: "create: the whole content of the file."},
			{name: "old_str", is: aText, forms: "str_replace", says: "str_replace: the text to replace."},
			{name: "new_str", is: aText, forms: "str_replace insert",
				says: "str_replace: the text to replace it with."},
			{name: "insert_line", is: fromZero, forms: "insert", says: "insert: the line to insert after."},
			{name: "insert_text", is: aText, forms: "insert", says: "insert: the lines to insert."},
		},
	},
}

// exactEdit has the fields of an edit with an old text that must not be empty.
var exactEdit = []property{
	{name: "old_string", is: aName, must: true, says: "The text to replace, copied from the file."},
	newString,
	replaceAll,
	{name: "startLine", is: fromOne,
		says: "About the line where old_string begins, before this call, if it occurs more than once."},
}

var newString = property{name: "new_string", is: aText, must: true,
	says: "The text to replace it with, which must differ; empty to remove old_string."}

var replaceAll = property{name: "replace_all", is: aFlag,
	says: "Replace every occurrence; otherwise there must be exactly one."}
