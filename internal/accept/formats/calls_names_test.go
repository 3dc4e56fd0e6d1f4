package formats_test

import (
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

func TestTheNameOfAToolBesideItsFields(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	done := map[string]string{"f": "b\n"}
	edit := func(name, tool string) accepttest.Object {
		return accepttest.Object{name: tool, "path": "f", "old_string": "a", "new_string": "b"}
	}
	checkCalls(t, map[string]callCase{
		"a tool":               {f, edit("tool", "edit"), done, ""},
		"a name":               {f, edit("name", "Edit"), done, ""},
		"a tool that reads":    {f, edit("tool", "read_file"), nil, "not an edit"},
		"a tool that previews": {f, edit("tool_name", "preview_edit"), f, ""},
		"a copy": {f, accepttest.Object{"tool": "copy_file", "source": "f", "destination": "g"}, nil,
			"not an edit"},
		"the same in the call": {f, accepttest.Object{"name": "mcp__fs__edit", "arguments": edit("tool", "edit")},
			done, ""},
		"another than in the call": {f, accepttest.Object{"name": "edit", "arguments": edit("tool", "delete_file")},
			nil, "expected them to agree"},
		"of each operation": {f, accepttest.Object{"operations": []any{accepttest.Object{"tool": "copy_file",
			"type": "move", "from": "f", "to": "g"}}}, map[string]string{"g": "a\n"}, ""},
		"a tag": {f, "<edit_file>\n<name>delete_file</name>\n<path>f</path>\n<old_text>a</old_text>\n<new_text>b</new_text>\n</edit_file>\n", nil, "expected them to agree"},
	})
}

func TestTheNameOfAToolAsTheKey(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	done := map[string]string{"f": "b\n"}
	edit := accepttest.Object{"path": "f", "old_string": "a", "new_string": "b"}
	checkCalls(t, map[string]callCase{
		"an edit": {f, accepttest.Object{"edit_file": edit}, done, ""},
		"a creation": {f, accepttest.Object{"create_file": accepttest.Object{"path": "f", "content": "x"}}, nil,
			"already there"},
		"a deletion": {f, accepttest.Object{"delete_file": accepttest.Object{"path": "f"}}, map[string]string{},
			""},
		"a reading": {f, accepttest.Object{"read_file": accepttest.Object{"path": "f"}}, nil, "not an edit"},
		"a list": {f, []any{accepttest.Object{"edit_file": edit},
			accepttest.Object{"move_file": accepttest.Object{"source": "f", "destination": "g"}}},
			map[string]string{"g": "b\n"}, ""},
		"a patch": {f, accepttest.Object{"apply_patch": "*** Begin Patch\n*** Delete File: f\n*** End Patch"},
			map[string]string{}, ""},
		"in a message": {f, accepttest.Object{"role": "assistant",
			"content": []any{accepttest.Object{"edit_file": edit}}}, done, ""},
		"no name of a tool": {f, accepttest.Object{"file": edit}, nil, "nothing that says what to do"},
		"two tools":         {f, accepttest.Object{"edit_file": edit, "delete_file": edit}, nil, "no known kind"},
	})
}

func TestEnvelopesInOtherSpellings(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	done := map[string]string{"f": "b\n"}
	edit := accepttest.Object{"path": "f", "old_string": "a", "new_string": "b"}
	remove := accepttest.Object{"path": "f"}
	checkCalls(t, map[string]callCase{
		"capitals": {f, accepttest.Object{"Tool": "edit", "Args": edit}, done, ""},
		"all capitals": {f, accepttest.Object{"NAME": "edit", "ARGUMENTS": accepttest.Args(edit)}, done,
			""},
		"capitals, a tool that reads": {f, accepttest.Object{"ToolName": "read_file", "Parameters": edit}, nil,
			"not an edit"},
		"arguments in arguments": {f,
			accepttest.Object{"name": "edit", "arguments": accepttest.Object{"arguments": edit}}, done, ""},
		"arguments in arguments, text": {f,
			accepttest.Object{"name": "edit", "arguments": accepttest.Object{"input": accepttest.Args(edit)}}, done,
			""},
		"a call in arguments": {f,
			accepttest.Object{"name": "edit", "arguments": accepttest.Object{"name": "edit", "arguments": edit}}, done,
			""},
		"another call in arguments": {f,
			accepttest.Object{"name": "edit",
				"arguments": accepttest.Object{"name": "delete_file", "arguments": remove}}, nil,
			"expected them to agree"},
		"an object for a command": {f,
			accepttest.Object{"command": accepttest.Object{"command": "str_replace", "path": "f", "old_str": "a",
				"new_str": "b"}}, done, ""},
		"an object for a command line": {f, accepttest.Object{"command": accepttest.Object{"a": 1}}, nil,
			"no known kind"},
	})
}

func TestFilesWrittenUnderOtherNames(t *testing.T) {
	f := map[string]string{"d/f": "a\n"}
	call := func(tool string, fields ...string) accepttest.Object {
		o := accepttest.Object{"path": "d/f"}
		for i := 0; i < len(fields); i += 2 {
			o[fields[i]] = fields[i+1]
		}
		return accepttest.Object{"name": tool, "arguments": o}
	}
	whole := map[string]string{"d/f": "x"}
	checkCalls(t, map[string]callCase{
		"code":             {f, call("write_file", "code", "x"), whole, ""},
		"source":           {f, call("write_file", "source", "x"), whole, ""},
		"text":             {f, call("write_file", "text", "x"), whole, ""},
		"a sketch":         {f, call("write_file", "code", "// ... existing code ...\nx"), nil, "placeholder"},
		"code for an edit": {f, call("edit_file", "code", "x"), nil, "a sketch"},
		"code for nobody":  {f, accepttest.Object{"path": "d/f", "code": "x"}, nil, "a sketch"},
		"a mode to write":  {f, call("write_file", "content", "x", "mode", "w"), whole, ""},
		"a mode to append": {f, call("write_file", "content", "x", "mode", "a"),
			map[string]string{"d/f": "a\nx\n"}, ""},
		"a mode to create":        {f, call("write_file", "content", "x", "mode", "x"), nil, "already there"},
		"a mode to read":          {f, call("write_file", "content", "x", "mode", "r"), nil, "expected edit, write"},
		"a new name":              {f, call("rename_file", "new_name", "g"), map[string]string{"d/g": "a\n"}, ""},
		"a new name with a slash": {f, call("rename_file", "new_name", "e/g"), nil, "has a slash"},
		"a new name of a symbol":  {f, call("rename_symbol", "new_name", "g"), nil, "nothing that says what to do"},
	})
}

// Without the tool, a path and a text would be a whole file.
func TestAToolIsNamedAboveItsArguments(t *testing.T) {
	const arguments = `{"path": "f", "content": "b"}`
	for request, want := range map[string]string{
		"<append_to_file>\n" + arguments + "\n</append_to_file>\n":                            "a\nb\n",
		"<append_to_file>" + arguments + "</append_to_file>\n":                                "a\nb\n",
		"<|tool:name|>append_file<|tool:args|>" + arguments + "<|tool:end|>\n":                "a\nb\n",
		">>>append_file\n" + arguments + "\n":                                                 "a\nb\n",
		"I call append_to_file:\n\n" + arguments + "\n":                                       "a\nb\n",
		"I call `append_to_file`.\n\n```json\n" + arguments + "\n```\n":                       "a\nb\n",
		"```append_file\n" + arguments + "\n```\n":                                            "a\nb\n",
		"<insert_before>\n" + arguments + "\n</insert_before>\n":                              "",
		"### replace_lines\n\n```json\n" + arguments + "\n```\n":                              "",
		"I write add_text.py so:\n\n" + arguments + "\n":                                      "b",
		"<any_call>{\"name\": \"write_file\", \"arguments\": " + arguments + "}</any_call>\n": "b",
		"<a>{\"name\": \"write_file\", \"arguments\": " + arguments + "}</a><a>{}</a>\n":      "",
	} {
		mem := atomicedit.NewMem(map[string]string{"f": "a\n"})
		plan, err := atomicedit.Parse(request)
		if err == nil {
			_, err = atomicedit.Run(t.Context(), mem, plan, nil)
		}
		file, _ := mem.Read(t.Context(), "f")
		if got := string(file.Data); err == nil && got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", request, got, err)
		}
	}
}
