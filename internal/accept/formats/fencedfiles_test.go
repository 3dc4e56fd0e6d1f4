package formats_test

import "testing"

// A fence that calls a tool is refused, whatever it has inside: that is the text of a file.
func TestFilesInFences(t *testing.T) {
	f := map[string]string{"f": "a\n", "g": "1\n"}
	done := map[string]string{"f": "b\n", "g": "1\n"}
	const save, no = "```save f\nb\n```\n", "calls a tool by a code fence"
	const blocks = "<<<<<<< ORIGINAL\na\n=======\nb\n>>>>>>> UPDATED\n"
	const edit = "{\"path\": \"g\", \"old_string\": \"1\", \"new_string\": \"2\"}\n"
	checkCalls(t, map[string]callCase{
		"a file":               {f, save, nil, no},
		"an addition":          {f, "I write it.\n\n```append g\n2\n```\n", nil, no},
		"a file with JSON":     {f, "```save f\n" + edit + "```\n", nil, no},
		"a file with markers":  {f, "```save f\n*** Begin Patch\n*** Delete File: g\n*** End Patch\n```\n", nil, no},
		"a call in JSON above": {f, "I edit.\n```json\n" + edit + "```\n" + save, nil, no},
		"a patch below":        {f, save + "*** Begin Patch\n*** Delete File: g\n*** End Patch\n", nil, no},
		"blocks above":         {f, "f\n" + blocks + save, nil, "is in another format"},
		"an indented fence":    {f, "\n ```save f\nb\n ```\n", nil, "no known format"},
		"no file":              {f, "```save\nb\n```\n", nil, "no known format"},
		"no call":              {f, "```go f\nb\n```\n", nil, "no known format"},
		"a file above a fence": {f, "f\n```\nb\n```\n", nil, "no known format"},
		"a fence in a block": {map[string]string{"f.md": save},
			"f.md\n<<<<<<< SEARCH\n" + save + "=======\n>>>>>>> REPLACE\n", map[string]string{"f.md": ""}, ""},
		"blocks in the fence of a file": {map[string]string{"f.go": "a\n"}, "```patch f.go\n" + blocks + "```\n",
			map[string]string{"f.go": "b\n"}, ""},
		"a file in tags": {f, "<tool-use>\n<save args=\"f\">\nb\n</save>\n</tool-use>\n", done, ""},
		"an addition in tags": {f, "<tool-use>\n<append args=\"g\">\n2\n</append>\n</tool-use>\n",
			map[string]string{"f": "a\n", "g": "1\n2\n"}, ""},
		"blocks in tags": {f, "<tool-use>\n<patch args=\"f\">\n" + blocks + "</patch>\n</tool-use>\n", done, ""},
	})
}
