package atomicedit

// What a refusal means is the same for every tool.
const onRefusal = `
If the call is refused, nothing was changed, on no file. The message says what does not fit and shows the nearest text with its line numbers: correct the call and send all of it again. "read it first" and "read it again" mean that the file must be read before it can be changed.`

// toolKinds are the tools, the words for the model, and the shapes of their calls.
func toolKinds() []toolKind {
	return []toolKind{
		{
			name:   "multi_edit",
			title:  "Edit a file",
			shapes: []shape{{"edits", []string{"file_path", "edits"}, readFilePathEdits}},
			fenced: true,
			description: `Replaces pieces of one text file by others, all of them or none.

Rules:
- old_string is copied from the file, with the same indentation and without line numbers, and with enough text around it to be there exactly once.
- If it is there more often and all are meant, say so with replace_all, or with expected_replacements and the number.
- The edits act in order, each on what the one before has left.
- An empty old_string in the first edit creates the file, with new_string as its content.
- old_string and new_string must differ.

Example, two edits of a file:
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
			"description": "The edits, in the order in which they act.",
			"items": {
				"type": "object",
				"properties": {
					"old_string": {"type": "string", "description": "The text to replace, copied from the file. Empty in the first edit: create the file."},
					"new_string": {"type": "string", "description": "The text to put there; empty to remove old_string."},
					"replace_all": {"type": "boolean", "description": "Replace every occurrence, instead of the only one."},
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
			title: "Apply a patch",
			shapes: []shape{
				{"input", []string{"input"}, func(o *object) Plan { return o.wholePatch("input") }},
				{"patch", []string{"patch"}, func(o *object) Plan { return o.wholePatch("patch") }},
				{"operation", []string{"operation"}, readOperation},
			},
			description: `Adds, updates, moves and deletes text files by one patch, all of it or nothing.

Rules:
- The patch begins with "*** Begin Patch" and ends with "*** End Patch".
- "*** Add File: path": lines of the new file follow, each with "+" in front. The file must not be there yet.
- "*** Delete File: path": nothing follows.
- "*** Update File: path": chunks follow. For another name, the next line is "*** Move to: new path".
- A chunk begins with "@@", or "@@ " and a whole line that stands somewhere above the change, such as the head of its function. Then come lines of the file with a space in front (they stay), with "-" (they go), and new lines with "+". Show three unchanged lines before and after a change, more if they are not the only such place. There are no line numbers.
- "*** End of File" after a chunk says that it ends where the file ends.

Example:
{"input": "*** Begin Patch\n*** Update File: greet.py\n@@ def greet(name):\n-    print(name)\n+    print(f\"Hello, {name}\")\n*** Add File: LICENSE\n+MIT\n*** End Patch"}
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
		},
		{
			name:   "text_editor",
			title:  "Read, write or patch a file",
			shapes: []shape{shapeOf("action")},
			reads:  true,
			description: `Reads a text file, writes it whole, or changes lines of it.

Rules:
- "read" takes path, and line_from and line_to for a part. The answer has a number and a tab in front of every line; they are not part of the file.
- "write" takes path and content, and replaces all of the file or makes a new one. All of a file that is there must have been read.
- "patch" takes path and either edits or patch_text, not both.
- edits go by line number, all of them by the numbers that the file was last read with: content replaces the lines from up to and with to; without to it goes in before from; an empty content removes the lines. The edits must not overlap. All of the file must have been read, in one part or several, and be read again after an edit that changes the number of its lines.
- patch_text has chunks of a patch for this one file: "@@" lines, then lines with a space (they stay), "-" (they go) or "+" (new) in front.

Example, line 3 replaced by two lines and line 9 removed:
{"action": "patch", "path": "notes.md", "edits": [{"from": 3, "to": 3, "content": "one\ntwo\n"}, {"from": 9, "to": 9, "content": ""}]}
` + onRefusal,
			schema: `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"properties": {
		"action": {"type": "string", "enum": ["read", "write", "patch"], "description": "What to do."},
		"path": {"type": "string", "minLength": 1, "description": "The file."},
		"line_from": {"type": "integer", "minimum": 1, "description": "read: the first line; without it, the first of the file."},
		"line_to": {"type": "integer", "minimum": 1, "description": "read: the last line; without it, the last of the file."},
		"content": {"type": "string", "description": "write: all of the new file."},
		"patch_text": {"type": "string", "description": "patch: chunks of a patch."},
		"edits": {
			"type": "array",
			"minItems": 1,
			"description": "patch: edits by line number.",
			"items": {
				"type": "object",
				"properties": {
					"from": {"type": "integer", "minimum": 1, "description": "The first line to replace, or the line to insert before."},
					"to": {"type": "integer", "minimum": 1, "description": "The last line to replace; leave it out to insert."},
					"content": {"type": "string", "description": "The lines to put there."}
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
			title: "Edit several files",
			shapes: []shape{
				shapeOf("operations"), shapeOf("files"),
				{"edits", []string{"path", "edits", "cwd", "skillToken"}, func(o *object) Plan { return readFile(o, o.text("cwd")) }},
			},
			description: `Changes one or several text files at once, all of them or none.

Rules:
- Say what to do in one of three ways: path and edits, for one file; files, for several; operations, to create, delete and move files too. Not two of them at once.
- old_string is copied from the file, with the same indentation and without line numbers, and must be there exactly once, unless replace_all is true. startLine, about where it begins, chooses among several.
- The edits of one file act in order, each on what the one before has left. Name no file twice: put all of its edits into one entry.
- create and move need overwrite if a file is there already.
- cwd is the directory that relative paths start from.

Example:
{"operations": [{"type": "edit", "path": "a.js", "edits": [{"old_string": "let x = 1;", "new_string": "const x = 1;"}]}, {"type": "create", "path": "b.js", "content": "export {};\n"}, {"type": "move", "from": "c.js", "to": "lib/c.js"}]}
` + onRefusal,
			schema: `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"properties": {
		"path": {"type": "string", "minLength": 1, "description": "One file: the file."},
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
					"content": {"type": "string", "description": "create: all of the file."},
					"from": {"type": "string", "minLength": 1, "description": "move: the file."},
					"to": {"type": "string", "minLength": 1, "description": "move: its new path."},
					"overwrite": {"type": "boolean", "description": "create, move: a file that is there may be replaced."}
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
			name:   "file_write_or_edit",
			title:  "Write or edit a file",
			shapes: []shape{shapeOf("text_or_search_replace_blocks")},
			description: `Writes one text file whole, or edits it by SEARCH/REPLACE blocks, all of them or none.

Rules:
- percentage_to_change says how much of the file changes. Up to 50, send blocks; above, or for a new file (then it is 100), send all of the file. All of a file that is there must have been read before it is written whole.
- A block is a line "<<<<<<< SEARCH", lines of the file, a line "=======", the lines to put there, and a line ">>>>>>> REPLACE".
- The lines to search are whole lines, copied from the file with their indentation and without line numbers, all of them, in order, and enough to be there once. A block that changes nothing, before or after another, helps to say which place is meant.
- Give the blocks in the order of the file.

Example:
{"file_path": "app.py", "percentage_to_change": 5, "text_or_search_replace_blocks": "<<<<<<< SEARCH\ndebug = True\n=======\ndebug = False\n>>>>>>> REPLACE\n"}
` + onRefusal,
			schema: `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"properties": {
		"file_path": {"type": "string", "minLength": 1, "description": "The file."},
		"percentage_to_change": {"type": "integer", "minimum": 0, "maximum": 100, "description": "How much of the file changes, in percent of its lines."},
		"text_or_search_replace_blocks": {"type": "string", "description": "Blocks, or all of the file."},
		"thread_id": {"type": "string", "description": "May be given, and means nothing here."}
	},
	"required": ["file_path", "percentage_to_change", "text_or_search_replace_blocks"],
	"additionalProperties": false
}`,
		},
		{
			name:   "str_replace_editor",
			title:  "View or edit a file",
			shapes: []shape{shapeOf("command")},
			reads:  true,
			description: `Shows a text file, creates one, replaces a text in it, or inserts lines.

Rules:
- "view" takes path, and view_range with the first and the last line for a part (-1: the last of the file). The answer has a number and a tab in front of every line; they are not part of the file.
- "create" takes path and file_text. A file with content is not replaced.
- "str_replace" takes path, old_str and new_str. old_str is copied from the file, with the same indentation and without line numbers, and must be there exactly once: take in more lines if it is not. Without new_str it is removed.
- "insert" takes path, insert_line and insert_text, and puts the lines after that line, 0 being the top. All of the file must have been viewed, in one part or several, and be viewed again after an edit that changes the number of its lines.

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
			"description": "view: the first and the last line to show; -1 as last is the last of the file."
		},
		"file_text": {"type": "string", "description": "create: all of the file."},
		"old_str": {"type": "string", "description": "str_replace: the text to replace."},
		"new_str": {"type": "string", "description": "str_replace: the text to put there."},
		"insert_line": {"type": "integer", "minimum": 0, "description": "insert: the line to insert after."},
		"insert_text": {"type": "string", "description": "insert: the lines."}
	},
	"required": ["command", "path"],
	"additionalProperties": false
}`,
		},
	}
}

const exactEditsSchema = `{
	"type": "array",
	"minItems": 1,
	"description": "The edits of the file, in the order in which they act.",
	"items": {
		"type": "object",
		"properties": {
			"old_string": {"type": "string", "minLength": 1, "description": "The text to replace, copied from the file."},
			"new_string": {"type": "string", "description": "The text to put there; empty to remove old_string."},
			"replace_all": {"type": "boolean", "description": "Replace every occurrence, instead of the only one."},
			"startLine": {"type": "integer", "minimum": 1, "description": "About where old_string begins, if it is there several times."}
		},
		"required": ["old_string", "new_string"],
		"additionalProperties": false
	}
}`
