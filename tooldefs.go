package atomicedit

// onRefusal ends every description: a refusal means the same for every tool.
const onRefusal = `
If the call is refused, no file was changed: correct it as the message says, and send all of it again.`

// A toolKind is a tool. The forms of its calls are in toolForms.
type toolKind struct {
	name, title, description, schema string
	bare                             bool   // files are not created by an edit without old text, and patches name their files
	show                             string // see [Host]
	reads, grammar                   string // see [Tool]
}

// toolKinds has every tool.
var toolKinds = []toolKind{
	{
		name:  "multi_edit",
		title: "Edit a file",
		show:  showDiff,
		description: `Replaces text in one text file. Either all edits are made or none.

Rules:
- Copy old_string from the file, with the same indentation and without line numbers. It must occur exactly once: include more of the surrounding text if it does not.
- To replace several occurrences, set replace_all to true, or expected_replacements to their number.
- The edits are applied in order, each to the result of the one before.
- An empty old_string in the first edit creates the file, with new_string as its content.

Example, two edits to one file:
{"file_path": "config.go", "edits": [{"old_string": "const port = 80\n", "new_string": "const port = 8080\n"}, {"old_string": "oldName", "new_string": "newName", "replace_all": true}]}
` + onRefusal,
		schema: `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"properties": {
		"file_path": {"type": "string", "minLength": 1, "description": "The file to change."},
		"edits": {
			"type": "array",
			"minItems": 1,
			"description": "The edits, in the order in which they are applied.",
			"items": {
				"type": "object",
				"properties": {
					"old_string": {"type": "string", "description": "The text to replace, copied from the file. If empty in the first edit, the file is created."},
					"new_string": {"type": "string", "description": "The text to replace it with, which must differ; empty to remove old_string."},
					"replace_all": {"type": "boolean", "description": "Replace every occurrence; otherwise there must be exactly one."},
					"expected_replacements": {"type": "integer", "minimum": 0, "description": "How many occurrences there are; all of them are replaced."}
				},
				"required": ["old_string", "new_string"],
				"additionalProperties": false
			}
		}
	},
	"required": ["file_path", "edits"],
	"additionalProperties": false
}`,
	},
	{
		name:  "apply_patch",
		bare:  true,
		title: "Apply a patch",
		description: `Adds, updates, moves and deletes text files with one patch. Either all of it is applied or nothing.

Rules:
- "*** Add File: path": the lines of the new file follow, each with "+" in front.
- "*** Delete File: path": nothing follows.
- "*** Update File: path": chunks follow. "*** Move to: new path" right below it renames the file.
- A chunk begins with "@@", or with "@@ " and a whole line from above the change, such as the first line of its function. Below that, lines that stay have a space in front, removed lines "-", and new lines "+".
- Show three unchanged lines before and after a change, or more if those occur in several places. Use no line numbers.
- "*** End of File" below a chunk means that it ends at the end of the file.

Example:
{"input": "*** Begin Patch\n*** Update File: greet.py\n@@ def greet(name):\n-    print(name)\n+    print(f\"Hi, {name}\")\n*** Add File: LICENSE\n+MIT\n*** End Patch"}
` + onRefusal,
		schema: `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"properties": {
		"input": {"type": "string", "minLength": 1, "description": "The patch, from *** Begin Patch to *** End Patch."}
	},
	"required": ["input"],
	"additionalProperties": false
}`,
		grammar: patchGrammar,
	},
	{
		name:  "text_editor",
		title: "Read, write or patch a file",
		reads: `text_editor with "action": "read"`,
		description: `Reads a text file, writes all of it, or changes some of its lines.

Rules:
- "read" puts a line number and a tab in front of every line; they are not part of the file.
- "write" creates a file or replaces all of it. Before you replace a file, read all of it.
- "patch" takes either edits or patch_text.
- edits use the line numbers of the last read, and must not overlap. Read the whole file first, and again after an edit that changes its number of lines.
- patch_text has "@@" lines and, below each of them, unchanged lines with a space in front, removed ones with "-", and new ones with "+".

Example that replaces line 3 with two lines and removes line 9:
{"action": "patch", "path": "notes.md", "edits": [{"from": 3, "to": 3, "content": "one\ntwo\n"}, {"from": 9, "to": 9, "content": ""}]}
` + onRefusal,
		schema: `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"properties": {
		"action": {"type": "string", "enum": ["read", "write", "patch"], "description": "What to do."},
		"path": {"type": "string", "minLength": 1, "description": "The file."},
		"line_from": {"type": "integer", "minimum": 1, "description": "read: the first line; the first of the file if left out."},
		"line_to": {"type": "integer", "minimum": 1, "description": "read: the last line; the last of the file if left out."},
		"content": {"type": "string", "description": "write: the whole new content of the file."},
		"patch_text": {"type": "string", "description": "patch: the chunks of a patch."},
		"edits": {
			"type": "array",
			"minItems": 1,
			"description": "patch: edits by line number.",
			"items": {
				"type": "object",
				"properties": {
					"from": {"type": "integer", "minimum": 1, "description": "The first line to replace, or the line to insert before."},
					"to": {"type": "integer", "minimum": 1, "description": "The last line to replace; leave it out to insert."},
					"content": {"type": "string", "description": "The lines to replace those from \"from\" through \"to\" with, or to insert; empty to remove."}
				},
				"required": ["from", "content"],
				"additionalProperties": false
			}
		}
	},
	"required": ["action", "path"],
	"additionalProperties": false
}`,
	},
	{
		name:  "multi_edit_file",
		bare:  true,
		title: "Edit several files",
		description: `Changes one or more text files at once. Either all changes are made or none.

Rules:
- Use one of these: path and edits, for one file; files, for several; operations, to create, delete and move files too.
- Copy old_string from the file, with the same indentation and without line numbers. It must occur exactly once, unless replace_all is true or startLine tells which one you mean.
- The edits to a file are applied in order, each to the result of the one before. Name each file once, with all of its edits.
- create and move need overwrite to replace an existing file.

Example:
{"operations": [{"type": "edit", "path": "a.js", "edits": [{"old_string": "let x = 1;", "new_string": "const x = 1;"}]}, {"type": "create", "path": "b.js", "content": "export {};\n"}, {"type": "move", "from": "c.js", "to": "lib/c.js"}]}
` + onRefusal,
		schema: `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"properties": {
		"path": {"type": "string", "minLength": 1, "description": "The file, if there is only one."},
		"edits": ` + exactEditsSchema + `,
		"files": {
			"type": "array",
			"minItems": 1,
			"description": "Several files.",
			"items": {
				"type": "object",
				"properties": {
					"path": {"type": "string", "minLength": 1, "description": "The file."},
					"edits": ` + exactEditsSchema + `
				},
				"required": ["path", "edits"],
				"additionalProperties": false
			}
		},
		"operations": {
			"type": "array",
			"minItems": 1,
			"description": "Operations on files.",
			"items": {
				"type": "object",
				"properties": {
					"type": {"type": "string", "enum": ["edit", "create", "delete", "move"], "description": "What to do."},
					"path": {"type": "string", "minLength": 1, "description": "edit, create, delete: the file."},
					"edits": ` + exactEditsSchema + `,
					"content": {"type": "string", "description": "create: the whole content of the file."},
					"from": {"type": "string", "minLength": 1, "description": "move: the file."},
					"to": {"type": "string", "minLength": 1, "description": "move: its new path."},
					"overwrite": {"type": "boolean", "description": "create, move: replace an existing file."}
				},
				"required": ["type"],
				"additionalProperties": false
			}
		},
		"cwd": {"type": "string", "description": "The directory that relative paths start from."}
	},
	"additionalProperties": false
}`,
	},
	{
		name:  "file_write_or_edit",
		title: "Write or edit a file",
		description: `Writes a whole text file, or edits it with SEARCH/REPLACE blocks. Either all blocks are applied or none.

Rules:
- percentage_to_change is how much of the file changes. Up to 50, send blocks. Above 50, or for a new file, send the whole file. Before you replace a file, read all of it.
- A block has a line "<<<<<<< SEARCH", lines of the file, a line "=======", the new lines, and a line ">>>>>>> REPLACE".
- Copy whole lines from the file, in order and with nothing left out, with their indentation and without line numbers: enough that they occur only once.
- Give the blocks in the order of the file. A block that changes nothing can show which place its neighbor means.

Example:
{"file_path": "app.py", "percentage_to_change": 5, "text_or_search_replace_blocks": "<<<<<<< SEARCH\ndebug = True\n=======\ndebug = False\n>>>>>>> REPLACE\n"}
` + onRefusal,
		schema: `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"properties": {
		"file_path": {"type": "string", "minLength": 1, "description": "The file."},
		"percentage_to_change": {"type": "integer", "minimum": 0, "maximum": 100, "description": "The percentage of the lines of the file that change."},
		"text_or_search_replace_blocks": {"type": "string", "description": "Blocks, or the whole file."},
		"thread_id": {"type": "string", "description": "Optional; ignored."}
	},
	"required": ["file_path", "percentage_to_change", "text_or_search_replace_blocks"],
	"additionalProperties": false
}`,
	},
	{
		name:  "str_replace_editor",
		title: "View or edit a file",
		reads: `str_replace_editor with "command": "view"`,
		description: `Shows a text file, creates one, replaces text in it, or inserts lines.

Rules:
- "view" puts a line number and a tab in front of every line; they are not part of the file.
- "create" does not replace a file that has content.
- "str_replace": copy old_str from the file, with the same indentation and without line numbers. It must occur exactly once: include more lines if it does not. Without new_str, old_str is removed.
- "insert" inserts insert_text as lines after the line insert_line; 0 means the top of the file. View the whole file first, and again after an edit that changes its number of lines.

Example:
{"command": "str_replace", "path": "main.c", "old_str": "int n = 0;\n", "new_str": "int n = 1;\n"}
` + onRefusal,
		schema: `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"properties": {
		"command": {"type": "string", "enum": ["view", "create", "str_replace", "insert"], "description": "What to do."},
		"path": {"type": "string", "minLength": 1, "description": "The file."},
		"view_range": {
			"type": "array",
			"minItems": 2,
			"maxItems": 2,
			"items": {"type": "integer"},
			"description": "view: the first and the last line to show; -1 means the last of the file."
		},
		"file_text": {"type": "string", "description": "create: the whole content of the file."},
		"old_str": {"type": "string", "description": "str_replace: the text to replace."},
		"new_str": {"type": "string", "description": "str_replace: the text to replace it with."},
		"insert_line": {"type": "integer", "minimum": 0, "description": "insert: the line to insert after."},
		"insert_text": {"type": "string", "description": "insert: the lines to insert."}
	},
	"required": ["command", "path"],
	"additionalProperties": false
}`,
	},
}

const exactEditsSchema = `{
	"type": "array",
	"minItems": 1,
	"description": "The edits to the file, in the order in which they are applied.",
	"items": {
		"type": "object",
		"properties": {
			"old_string": {"type": "string", "minLength": 1, "description": "The text to replace, copied from the file."},
			"new_string": {"type": "string", "description": "The text to replace it with, which must differ; empty to remove old_string."},
			"replace_all": {"type": "boolean", "description": "Replace every occurrence; otherwise there must be exactly one."},
			"startLine": {"type": "integer", "minimum": 1, "description": "About the line where old_string begins, if it occurs more than once."}
		},
		"required": ["old_string", "new_string"],
		"additionalProperties": false
	}
}`
