package formats_test

import "testing"

func TestFilesInFences(t *testing.T) {
	f := map[string]string{"f": "a\n", "g": "1\n"}
	done := map[string]string{"f": "b\n", "g": "1\n"}
	const save = "```save f\nb\n```\n"
	const blocks = "<<<<<<< ORIGINAL\na\n=======\nb\n>>>>>>> UPDATED\n"
	checkCalls(t, map[string]callCase{
		"a file": {f, save, done, ""},
		"a file, with text": {f, "I write it.\n\n" + save + "\nThen run it:\n```shell\nls\n```\n", done,
			""},
		"a file and an addition": {f, save + "```append g\n2\n```\n",
			map[string]string{"f": "b\n", "g": "1\n2\n"}, ""},
		"a file twice": {f, save + "```append f\n2\n```\n",
			map[string]string{"f": "b\n2\n", "g": "1\n"}, ""},
		"an empty file": {f, "```save f\n```\n", map[string]string{"f": "", "g": "1\n"}, ""},
		"a file with JSON": {f,
			"```save f\n{\"path\": \"g\", \"old_string\": \"1\", \"new_string\": \"2\"}\n```\n",
			map[string]string{"f": "{\"path\": \"g\", \"old_string\": \"1\", \"new_string\": \"2\"}\n", "g": "1\n"},
			""},
		"a file with markers": {f, "```save f\n*** Begin Patch\n*** Delete File: g\n*** End Patch\n```\n",
			map[string]string{"f": "*** Begin Patch\n*** Delete File: g\n*** End Patch\n", "g": "1\n"}, ""},
		"a file with fences": {f, "````save f.md\n```go\n```\n````\n",
			map[string]string{"f": "a\n", "f.md": "```go\n```\n", "g": "1\n"}, ""},
		"a fence with a language":   {f, "```save f\nb\n```go\nx\n```\n```\n", nil, "more backticks"},
		"fences without a language": {f, "```save f\nb\n```\nx\n```\ny\n```\n", nil, "more backticks"},
		"an indented fence":         {f, "\n ```save f\nb\n ```\n", nil, "no known format"},
		"a fence that does not end": {f, "```save f\nb\n", nil, "does not end"},
		"a call in JSON above": {f,
			"I edit.\n```json\n{\"path\": \"g\", \"old_string\": \"1\", \"new_string\": \"2\"}\n```\n" + save, nil,
			"a call in JSON"},
		"other JSON below": {f, save + "```json\n{\"a\": 1}\n```\n", done, ""},
		"a patch below": {f, save + "*** Begin Patch\n*** Delete File: g\n*** End Patch\n", nil,
			"is in another format"},
		"blocks above":         {f, "f\n" + blocks + save, nil, "is in another format"},
		"within another fence": {f, "````markdown\n" + save + "````\n", nil, "is in another format"},
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
