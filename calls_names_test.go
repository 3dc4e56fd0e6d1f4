package atomicedit_test

import "testing"

func TestTheNameOfAToolBesideItsFields(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	done := map[string]string{"f": "b\n"}
	edit := func(name, tool string) object {
		return object{name: tool, "path": "f", "old_string": "a", "new_string": "b"}
	}
	checkCalls(t, map[string]callCase{
		"a tool":                   {f, edit("tool", "edit"), done, ""},
		"a name":                   {f, edit("name", "Edit"), done, ""},
		"a tool that reads":        {f, edit("tool", "read_file"), nil, "not an edit"},
		"a tool that previews":     {f, edit("tool_name", "preview_edit"), f, ""},
		"a copy":                   {f, object{"tool": "copy_file", "source": "f", "destination": "g"}, nil, "not an edit"},
		"the same in the call":     {f, object{"name": "mcp__fs__edit", "arguments": edit("tool", "edit")}, done, ""},
		"another than in the call": {f, object{"name": "edit", "arguments": edit("tool", "delete_file")}, nil, "expected them to agree"},
		"of each operation":        {f, object{"operations": []any{object{"tool": "copy_file", "type": "move", "from": "f", "to": "g"}}}, map[string]string{"g": "a\n"}, ""},
		"a tag":                    {f, "<edit_file>\n<name>delete_file</name>\n<path>f</path>\n<old_text>a</old_text>\n<new_text>b</new_text>\n</edit_file>\n", nil, "expected them to agree"},
	})
}

func TestTheNameOfAToolAsTheKey(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	done := map[string]string{"f": "b\n"}
	edit := object{"path": "f", "old_string": "a", "new_string": "b"}
	checkCalls(t, map[string]callCase{
		"an edit":           {f, object{"edit_file": edit}, done, ""},
		"a creation":        {f, object{"create_file": object{"path": "f", "content": "x"}}, nil, "already there"},
		"a deletion":        {f, object{"delete_file": object{"path": "f"}}, map[string]string{}, ""},
		"a reading":         {f, object{"read_file": object{"path": "f"}}, nil, "not an edit"},
		"a list":            {f, []any{object{"edit_file": edit}, object{"move_file": object{"source": "f", "destination": "g"}}}, map[string]string{"g": "b\n"}, ""},
		"a patch":           {f, object{"apply_patch": "*** Begin Patch\n*** Delete File: f\n*** End Patch"}, map[string]string{}, ""},
		"in a message":      {f, object{"role": "assistant", "content": []any{object{"edit_file": edit}}}, done, ""},
		"no name of a tool": {f, object{"file": edit}, nil, "nothing that says what to do"},
		"two tools":         {f, object{"edit_file": edit, "delete_file": edit}, nil, "no known kind"},
	})
}

func TestEnvelopesInOtherSpellings(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	done := map[string]string{"f": "b\n"}
	edit := object{"path": "f", "old_string": "a", "new_string": "b"}
	remove := object{"path": "f"}
	checkCalls(t, map[string]callCase{
		"capitals":                     {f, object{"Tool": "edit", "Args": edit}, done, ""},
		"all capitals":                 {f, object{"NAME": "edit", "ARGUMENTS": args(edit)}, done, ""},
		"capitals, a tool that reads":  {f, object{"ToolName": "read_file", "Parameters": edit}, nil, "not an edit"},
		"arguments in arguments":       {f, object{"name": "edit", "arguments": object{"arguments": edit}}, done, ""},
		"arguments in arguments, text": {f, object{"name": "edit", "arguments": object{"input": args(edit)}}, done, ""},
		"a call in arguments":          {f, object{"name": "edit", "arguments": object{"name": "edit", "arguments": edit}}, done, ""},
		"another call in arguments":    {f, object{"name": "edit", "arguments": object{"name": "delete_file", "arguments": remove}}, nil, "expected them to agree"},
		"an object for a command":      {f, object{"command": object{"command": "str_replace", "path": "f", "old_str": "a", "new_str": "b"}}, done, ""},
		"an object for a command line": {f, object{"command": object{"a": 1}}, nil, "no known kind"},
	})
}

func TestFilesWrittenUnderOtherNames(t *testing.T) {
	f := map[string]string{"d/f": "a\n"}
	call := func(tool string, fields ...string) object {
		o := object{"path": "d/f"}
		for i := 0; i < len(fields); i += 2 {
			o[fields[i]] = fields[i+1]
		}
		return object{"name": tool, "arguments": o}
	}
	whole := map[string]string{"d/f": "x"}
	checkCalls(t, map[string]callCase{
		"code":                    {f, call("write_file", "code", "x"), whole, ""},
		"source":                  {f, call("write_file", "source", "x"), whole, ""},
		"text":                    {f, call("write_file", "text", "x"), whole, ""},
		"a sketch":                {f, call("write_file", "code", "// ... existing code ...\nx"), nil, "placeholder"},
		"code for an edit":        {f, call("edit_file", "code", "x"), nil, "a sketch"},
		"code for nobody":         {f, object{"path": "d/f", "code": "x"}, nil, "a sketch"},
		"a mode to write":         {f, call("write_file", "content", "x", "mode", "w"), whole, ""},
		"a mode to append":        {f, call("write_file", "content", "x", "mode", "a"), map[string]string{"d/f": "a\nx\n"}, ""},
		"a mode to create":        {f, call("write_file", "content", "x", "mode", "x"), nil, "already there"},
		"a mode to read":          {f, call("write_file", "content", "x", "mode", "r"), nil, "expected edit, write"},
		"a new name":              {f, call("rename_file", "new_name", "g"), map[string]string{"d/g": "a\n"}, ""},
		"a new name with a slash": {f, call("rename_file", "new_name", "e/g"), nil, "has a slash"},
		"a new name of a symbol":  {f, call("rename_symbol", "new_name", "g"), nil, "nothing that says what to do"},
	})
}
