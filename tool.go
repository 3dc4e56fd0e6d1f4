package atomicedit

import (
	"encoding/json"
	"slices"
)

// A Tool is the definition of an editing tool, as a host offers it to a model.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage // JSON schema of the arguments
}

// Tools returns the tools whose calls [Tool.Parse] reads: multi_edit, apply_patch, text_editor, multi_edit_file,
// file_write_or_edit and str_replace_editor. The caller may change what it got.
func Tools() []Tool {
	kinds := toolKinds()
	tools := make([]Tool, len(kinds))
	for i, k := range kinds {
		tools[i] = Tool{Name: k.name, Description: k.description, Schema: json.RawMessage(k.schema)}
	}
	return tools
}

// Parse reads the arguments of a call of t, which is one of [Tools] by its name. It reads this tool's own shapes only, so
// that one tool cannot be made to do what another is for. Its errors are those of [ParseJSON].
func (t Tool) Parse(args []byte) (Plan, error) {
	kinds := toolKinds()
	i := slices.IndexFunc(kinds, func(k toolKind) bool { return k.name == t.Name })
	if i < 0 {
		return Plan{}, refuse(Problem{Err: ErrSyntax, Op: -1, Edit: -1, Msg: "there is no tool " + quote(t.Name)})
	}
	return parseJSON(args, kinds[i].shapes)
}

// A toolKind is a tool and the shapes of its calls.
type toolKind struct {
	name, description, schema string
	shapes                    []shape
}

func toolKinds() []toolKind {
	return []toolKind{
		{
			name: "multi_edit",
			description: "Replace pieces of one text file, all of them or none. Each old_string must be in the file exactly once, unless replace_all or " +
				"expected_replacements says otherwise; edits act in order, each on the result of the one before. An empty old_string in the first " +
				"edit creates the file.",
			schema: `{"type":"object","additionalProperties":false,"required":["file_path","edits"],"properties":{` +
				`"file_path":{"type":"string","description":"the file to change"},` +
				`"edits":{"type":"array","minItems":1,"items":{"type":"object","additionalProperties":false,"required":["old_string","new_string"],"properties":{` +
				`"old_string":{"type":"string","description":"text to replace, copied from the file, with enough around it to be there once"},` +
				`"new_string":{"type":"string","description":"text to put there"},` +
				`"replace_all":{"type":"boolean","description":"replace every occurrence"},` +
				`"expected_replacements":{"type":"integer","minimum":0,"description":"how many occurrences there are"}}}}}}`,
			shapes: []shape{{"edits", []string{"file_path", "edits"}, readEdits}},
		},
		{
			name: "apply_patch",
			description: "Add, update, move and delete text files with one patch, all of it or nothing. The patch goes from \"*** Begin Patch\" to " +
				"\"*** End Patch\"; each file begins with \"*** Add File: path\", \"*** Update File: path\" or \"*** Delete File: path\". Lines of an " +
				"added file begin with +. An update has chunks: \"@@\", perhaps with a line that comes before, then lines that begin with a space " +
				"(kept), - (removed) or + (added).",
			schema: `{"type":"object","additionalProperties":false,"required":["input"],"properties":{` +
				`"input":{"type":"string","description":"the patch"}}}`,
			shapes: []shape{
				{"input", []string{"input"}, func(o *object) Plan { return o.v4a("input") }},
				{"patch", []string{"patch"}, func(o *object) Plan { return o.v4a("patch") }},
				{"operation", []string{"operation"}, readOperation},
			},
		},
		{
			name: "text_editor",
			description: "Write one text file whole, or change lines of it. write takes content; patch takes either edits by line number (of the file as it " +
				"was read, from 1, inclusive; without to, content goes in before from) or patch_text with chunks of a patch.",
			schema: `{"type":"object","additionalProperties":false,"required":["action","path"],"properties":{` +
				`"action":{"type":"string","enum":["write","patch"]},` +
				`"path":{"type":"string","description":"the file"},` +
				`"content":{"type":"string","description":"write: all of the file"},` +
				`"patch_text":{"type":"string","description":"patch: \"@@\" lines, and lines that begin with a space, - or +"},` +
				`"edits":{"type":"array","minItems":1,"items":{"type":"object","additionalProperties":false,"required":["from","content"],"properties":{` +
				`"from":{"type":"integer","minimum":1,"description":"first line to replace"},` +
				`"to":{"type":"integer","minimum":1,"description":"last line to replace"},` +
				`"content":{"type":"string","description":"lines to put there"}}}}}}`,
			shapes: []shape{shapeOf("action")},
		},
		{
			name: "multi_edit_file",
			description: "Change several text files at once, all of them or none: edits of one file (path and edits), of several (files), or operations " +
				"that also create, delete and move. Each old_string must be in its file exactly once, unless replace_all is true. No file twice.",
			schema: `{"type":"object","additionalProperties":false,"properties":{` +
				`"path":{"type":"string","description":"the file, with edits"},"edits":{"$ref":"#/$defs/edits"},` +
				`"files":{"type":"array","minItems":1,"items":{"type":"object","additionalProperties":false,"required":["path","edits"],"properties":{` +
				`"path":{"type":"string"},"edits":{"$ref":"#/$defs/edits"}}}},` +
				`"operations":{"type":"array","minItems":1,"items":{"type":"object","required":["type"],"properties":{` +
				`"type":{"type":"string","enum":["edit","create","delete","move"]},` +
				`"path":{"type":"string","description":"edit, create, delete: the file"},"edits":{"$ref":"#/$defs/edits"},` +
				`"content":{"type":"string","description":"create: all of the file"},` +
				`"from":{"type":"string","description":"move: the file"},"to":{"type":"string","description":"move: its new path"},` +
				`"overwrite":{"type":"boolean","description":"create, move: may replace a file"}}}},` +
				`"cwd":{"type":"string","description":"directory that relative paths start from"}},` +
				`"$defs":{"edits":{"type":"array","minItems":1,"items":{"type":"object","additionalProperties":false,"required":["old_string","new_string"],"properties":{` +
				`"old_string":{"type":"string","minLength":1},"new_string":{"type":"string"},"replace_all":{"type":"boolean"},` +
				`"startLine":{"type":"integer","minimum":1,"description":"about where old_string begins"}}}}}}`,
			shapes: []shape{
				shapeOf("operations"), shapeOf("files"), {"edits", []string{"path", "edits", "cwd", "skillToken"}, func(o *object) Plan { return readFile(o, o.text("cwd")) }},
			},
		},
		{
			name: "file_write_or_edit",
			description: "Write one text file whole, or edit it with SEARCH/REPLACE blocks: blocks if at most half of the file changes. A block is a line " +
				"\"<<<<<<< SEARCH\", lines of the file, \"=======\", the new lines, \">>>>>>> REPLACE\".",
			schema: `{"type":"object","additionalProperties":false,"required":["file_path","percentage_to_change","text_or_search_replace_blocks"],"properties":{` +
				`"file_path":{"type":"string","description":"the file"},` +
				`"percentage_to_change":{"type":"integer","minimum":0,"maximum":100,"description":"how much of the file changes; 0 for a new file"},` +
				`"text_or_search_replace_blocks":{"type":"string","description":"all of the file, or blocks"},` +
				`"thread_id":{"type":"string"}}}`,
			shapes: []shape{shapeOf("text_or_search_replace_blocks")},
		},
		{
			name:        "str_replace_editor",
			description: "Create a text file, replace a text that is in it exactly once, or insert lines after a line (0: at the top).",
			schema: `{"type":"object","additionalProperties":false,"required":["command","path"],"properties":{` +
				`"command":{"type":"string","enum":["create","str_replace","insert"]},` +
				`"path":{"type":"string","description":"the file"},` +
				`"file_text":{"type":"string","description":"create: all of the file"},` +
				`"old_str":{"type":"string","description":"str_replace: the text to replace"},` +
				`"new_str":{"type":"string","description":"str_replace: the text to put there; insert: the lines"},` +
				`"insert_line":{"type":"integer","minimum":0,"description":"insert: the line to insert after"},` +
				`"insert_text":{"type":"string","description":"insert: the lines, instead of new_str"}}}`,
			shapes: []shape{shapeOf("command")},
		},
	}
}

// shapeOf returns the shape that is recognised by the given field.
func shapeOf(key string) shape {
	all := shapes()
	return all[slices.IndexFunc(all, func(s shape) bool { return s.key == key })]
}
