package formats_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

func TestParseJSON(t *testing.T) {
	ab := atomicedit.Edit{Old: "a", New: "b"}
	for name, tt := range map[string]struct {
		data string
		want atomicedit.Plan
	}{
		"edits of a file_path": {
			`{"file_path":"f","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":null,"replace_all":true},
			{"old_string":"d","new_string":"e","expected_replacements":3},{"old_string":"f","new_string":"g","expected_replacements":1}]}`,
			accepttest.OneEdit("f", ab, atomicedit.Edit{Old: "c", Count: atomicedit.All},
				atomicedit.Edit{Old: "d", New: "e", Count: 3}, atomicedit.Edit{Old: "f", New: "g", Count: 1}),
		},
		"a number that agrees with replace_all": {
			`{"file_path":"f","edits":[{"old_string":"a","new_string":"b","replace_all":true,"expected_replacements":2}]}`,
			accepttest.OneEdit("f", atomicedit.Edit{Old: "a", New: "b", Count: 2}),
		},
		"edits in a string": {
			`{"file_path":"f","edits":"[{\"old_string\":\"a\",\"new_string\":\"b\"}]"}`, accepttest.OneEdit("f", ab),
		},
		"a first edit without old text creates": {
			`{"file_path":"f","edits":[{"old_string":"","new_string":"a"},{"old_string":"a","new_string":"b"}]}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "f", Content: "a",
				Edits: []atomicedit.Edit{ab}}}},
		},
		"nulls create an empty file": {
			`{"file_path":"f","edits":[{"old_string":null,"new_string":null}]}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "f"}}},
		},
		"other letters": {`{"FilePath":"f","Edits":[{"oldString":"a","NewString":"b"}]}`, accepttest.OneEdit("f", ab)},
		"a null in front of another name": {`{"path":"f","old_string":"a","new_string":null,"content":"b"}`,
			accepttest.OneEdit("f", ab)},
		"a dry run": {`{"path":"f","edits":[{"old_string":"a","new_string":"b"}],"dryRun":true}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f", Edits: []atomicedit.Edit{ab}}}, DryRun: true}},
		"a cwd": {`{"file_path":"f","edits":[{"old_string":"a","new_string":"b"}],"cwd":"x"}`,
			accepttest.OneEdit("x/f", ab)},
		"one edit": {`{"file_path":"f","old_string":"a","new_string":"b","allow_multiple":true,"instruction":"x"}`,
			accepttest.OneEdit("f", atomicedit.Edit{Old: "a", New: "b", Count: atomicedit.All})},
		"one creation": {
			`{"file_path":"f","old_string":"","new_string":"b"}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "f", Content: "b"}}},
		},
		"edits of a path": {
			`{"path":"f","edits":[{"old_string":"a","new_string":"b","startLine":7}],"cwd":"x/y","skillToken":"z"}`,
			accepttest.OneEdit("x/y/f", atomicedit.Edit{Old: "a", New: "b", Near: 7}),
		},
		"a cwd for a path with a drive": {
			`{"path":"C:\\d\\f","edits":[{"old_string":"a","new_string":"b"}],"cwd":"C:\\d"}`,
			accepttest.OneEdit(`C:\d\f`, ab),
		},
		"files": {
			`{"files":[{"path":"f","edits":[{"old_string":"a","new_string":"b"}]},{"path":"/g","edits":[{"old_string":"a","new_string":"b"}]}],"cwd":"x"}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Path: "x/f", Edits: []atomicedit.Edit{ab}},
				{Path: "/g", Edits: []atomicedit.Edit{ab}}}},
		},
		"operations": {
			`{"operations":[{"type":"edit","path":"f","edits":[{"old_string":"a","new_string":"b"}]},{"type":"create","path":"n","content":"c","overwrite":true},
			{"type":"delete","path":"d"},{"type":"move","from":"o","to":"p"}]}`,
			atomicedit.Plan{Ops: []atomicedit.Op{
				{Path: "f", Edits: []atomicedit.Edit{ab}},
				{Kind: atomicedit.OpCreate, Path: "n", Content: "c", Overwrite: true},
				{Kind: atomicedit.OpDelete, Path: "d"}, {Kind: atomicedit.OpMove, Path: "o", To: "p", Exclusive: true},
			}},
		},
		"oldText": {`{"path":"f","edits":[{"oldText":"a","newText":"b"}],"dryRun":true}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f", Edits: []atomicedit.Edit{ab}}}, DryRun: true}},
		"old_text": {`{"path":"f","edits":[{"old_text":"a","new_text":"b"}]}`, accepttest.OneEdit("f", ab)},
		"lines": {
			`{"path":"f","edits":[{"from":2,"to":3,"content":"a\nb"},{"from":9,"content":"c\n"},{"from":5,"to":5,"content":""}]}`,
			accepttest.OneEdit("f", atomicedit.Edit{First: 2, Last: 3, New: "a\nb\n", WholeLines: true},
				atomicedit.Edit{First: 9, New: "c\n", WholeLines: true},
				atomicedit.Edit{First: 5, Last: 5, WholeLines: true}),
		},
		"patch_text": {`{"path":"f","patch_text":"@@\n-a\n+b\n"}`,
			accepttest.OneEdit("f", chunkOf("-a\n+b\n"))},
		"patch_text, headers": {`{"path":"./f","patch_text":"*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch"}`, accepttest.OneEdit("f", chunkOf("-a\n+b\n"))},
		"content": {`{"path":"f","content":"a"}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "f", Content: "a",
				Overwrite: true}}}},
		"blocks": {
			`{"file_path":"f","percentage_to_change":20,"text_or_search_replace_blocks":"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE","thread_id":"x"}`,
			accepttest.OneEdit("f", accepttest.Lines("a\n", "b\n")),
		},
		"fenced blocks at a high percentage": {
			`{"file_path":"f","percentage_to_change":90,"text_or_search_replace_blocks":"./f\n~~~\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n~~~"}`,
			accepttest.OneEdit("./f", accepttest.Lines("a\n", "b\n")),
		},
		"a whole file that speaks of blocks": {
			`{"file_path":"f","percentage_to_change":90,"text_or_search_replace_blocks":"a\n>>>>>>> REPLACE\n"}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "f", Content: "a\n>>>>>>> REPLACE\n",
				Overwrite: true}}},
		},
		"blocks at a high percentage": {
			`{"file_path":"f","percentage_to_change":90,"text_or_search_replace_blocks":"\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE"}`,
			accepttest.OneEdit("f", accepttest.Lines("a\n", "b\n")),
		},
		"a whole file": {
			`{"file_path":"f","percentage_to_change":51,"text_or_search_replace_blocks":"a"}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "f", Content: "a",
				Overwrite: true}}},
		},
		"input": {`{"input":"*** Begin Patch\n*** Delete File: f\n*** End Patch"}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpDelete, Path: "f"}}}},
		"patch": {`{"patch":"*** Begin Patch\n*** Delete File: f\n*** End Patch"}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpDelete, Path: "f"}}}},
		"create_file": {
			`{"operation":{"type":"create_file","path":"f","diff":"+a\n+\n+b\n"}}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "f", Content: "a\n\nb"}}},
		},
		"update_file": {`{"operation":{"type":"update_file","path":"f","diff":"@@\n-a\n+b"}}`,
			accepttest.OneEdit("f", chunkOf("-a\n+b\n"))},
		"delete_file": {`{"operation":{"type":"delete_file","path":"f"}}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpDelete, Path: "f"}}}},
		"create": {`{"command":"create","path":"f","file_text":"a"}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "f", Content: "a"}}}},
		"str_replace": {`{"command":"str_replace","path":"f","old_str":"a","new_str":"b"}`,
			accepttest.OneEdit("f", ab)},
		"str_replace, no new text": {
			`{"command":"str_replace","path":"f","old_str":"a"}`, accepttest.OneEdit("f", atomicedit.Edit{Old: "a"}),
		},
		"a whole number with a fraction of 0": {`{"command":"insert","path":"f","insert_line":2.0,"insert_text":"a"}`,
			accepttest.OneEdit("f", atomicedit.Edit{First: 3, New: "a\n", WholeLines: true})},
		"a whole number with an exponent": {`{"command":"insert","path":"f","insert_line":0.2e1,"insert_text":"a"}`,
			accepttest.OneEdit("f", atomicedit.Edit{First: 3, New: "a\n", WholeLines: true})},
		"insert": {`{"command":"insert","path":"f","insert_line":0,"new_str":"a"}`,
			accepttest.OneEdit("f", atomicedit.Edit{First: 1, New: "a\n", WholeLines: true})},
		"insert_text": {
			`{"command":"insert","path":"f","insert_line":3,"insert_text":"a\n"}`,
			accepttest.OneEdit("f", atomicedit.Edit{First: 4, New: "a\n", WholeLines: true}),
		},
		"write": {`{"action":"write","path":"f","content":"a"}`,
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "f", Content: "a",
				Overwrite: true}}}},
		"patch lines": {`{"action":"patch","path":"f","edits":[{"from":1,"content":"a"}]}`,
			accepttest.OneEdit("f", atomicedit.Edit{First: 1, New: "a\n", WholeLines: true})},
		"patch chunk": {`{"action":"patch","path":"f","patch_text":"@@\n-a\n+b"}`,
			accepttest.OneEdit("f", chunkOf("-a\n+b\n"))},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := atomicedit.ParseJSON([]byte(tt.data))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, accepttest.ButWords); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(got, accepttest.Must(atomicedit.Parse("```json\n"+tt.data+"\n```\n"))); diff != "" {
				t.Errorf("Parse differs (-ParseJSON +Parse):\n%s", diff)
			}
		})
	}
}

func TestParseJSONRefuses(t *testing.T) {
	parse := func(s string) (atomicedit.Plan, error) { return atomicedit.ParseJSON([]byte(s)) }
	const ab = `{"old_string":"a","new_string":"b"}`
	checkRefused(t, parse, false, map[string]refused{
		"nothing":          {" \n", 1, "empty"},
		"no object":        {"[1]", 1, "expected an object"},
		"no shape":         {`{"a":1,"b":2}`, 1, "it has the fields a, b"},
		"no fields":        {`{}`, 1, "no fields"},
		"bad JSON":         {"{\n\"a\": x}", 2, "invalid JSON"},
		"a comma too many": {`{"path":"f","content":"a",}`, 1, "invalid JSON"},
		"text behind":      {`{"path":"f","content":"a"} done`, 1, "text after the JSON"},
		"a field twice": {"{\"path\":\"f\",\n\"path\":\"g\",\"content\":\"a\"}", 2,
			"\"path\" twice"},
		"a field twice, deeper": {`{"file_path":"f","edits":[{"old_string":"a","old_string":"b","new_string":"c"}]}`, 1,
			"edit 1 has the field \"old_string\" twice"},
		"invalid UTF-8":        {"{\"path\":\"f\",\"content\":\"\xff\"}", 1, "UTF-8"},
		"half a letter behind": {"{\"path\":\"f\",\"content\":\"\"}\xc3", 1, "UTF-8"},
		"a null":               {`{"path":null,"content":"a"}`, 1, "\"path\" is null"},
		"a null for a request": {"null", 1, "expected an object"},
		"edits, operations, files": {`{"files":[{"path":"f","edits":[` + ab +
			`]}],"operations":[{"type":"delete","path":"f"}]}`, 1, "unknown field \"files\""},
		"a patch and edits": {`{"path":"f","patch_text":"@@\n-a\n+b","edits":[` + ab + `]}`, 1,
			"unknown field \"edits\""},
		"two patches": {`{"input":"*** Delete File: f","patch":"*** Delete File: g"}`, 1,
			"contradict"},
		"a patch that is a number": {`{"input":7}`, 1, "expected a string"},
		"an empty patch":           {`{"input":""}`, 1, "no patch here"},
		"edits that are an object": {`{"file_path":"f","edits":{}}`, 1, "edits: this is of no known kind"},
		"a null edit":              {`{"file_path":"f","edits":[null]}`, 1, "edit 1 is "},
		"edits in a string, twice": {`{"file_path":"f","edits":"[{\"old_string\":\"a\",\"old_string\":\"b\"}]"}`, 1,
			"twice"},
		"a flag that is a number": {`{"path":"f","edits":[{"old_string":"a","new_string":"b","replace_all":1}]}`, 1,
			"expected true or false"},
		"a line in words": {`{"path":"f","edits":[{"old_string":"a","new_string":"b","startLine":"seven"}]}`, 1,
			"whole number"},
		"half of a line": {`{"path":"f","edits":[{"old_string":"a","new_string":"b","startLine":1.5}]}`, 1,
			"whole number"},
		"line 0 to start": {`{"path":"f","edits":[{"old_string":"a","new_string":"b","startLine":0}]}`, 1,
			"whole number"},
		"a line beyond any": {`{"command":"insert","path":"f","insert_line":99999999999,"insert_text":"a"}`, 1,
			"whole number"},
		"no from": {`{"path":"f","edits":[{"from":1,"content":""},{"content":"a"}]}`, 1,
			"\"from\" is missing"},
		"no content": {`{"path":"f","edits":[{"from":1}]}`, 1, "\"content\" is missing"},
		"no insert_line": {`{"command":"insert","path":"f","insert_text":"a"}`, 1,
			"\"insert_line\" is missing"},
		"no file_text":      {`{"command":"create","path":"f"}`, 1, "\"file_text\" is missing"},
		"no type":           {`{"operations":[{"path":"f"}]}`, 1, "\"type\" is missing"},
		"a move without to": {`{"operations":[{"type":"move","from":"f"}]}`, 1, "\"to\" is missing"},
		"a delete that overwrites": {`{"operations":[{"type":"delete","path":"f","overwrite":true}]}`, 1,
			"unknown field \"overwrite\""},
		"no operations":         {`{"operations":[]}`, 1, "is empty"},
		"an operation in words": {`{"operation":"delete"}`, 1, "\"path\" is missing"},
		"a deletion with a diff": {`{"operation":{"type":"delete_file","path":"f","diff":"-a"}}`, 1,
			"has a \"diff\""},
		"an update without a diff": {`{"operation":{"type":"update_file","path":"f"}}`, 1,
			"\"diff\" is missing"},
		"a percentage beyond 100": {`{"file_path":"f","percentage_to_change":101,"text_or_search_replace_blocks":"a"}`,
			1, "more than 100"},
		"a percentage in words":   {`{"file_path":"f","percentage_to_change":"all","text_or_search_replace_blocks":"a"}`, 1, "whole number"},
		"a cwd that is a list":    {`{"path":"f","edits":[` + ab + `],"cwd":[]}`, 1, "expected a string"},
		"both flags, disagreeing": {`{"file_path":"f","old_string":"a","new_string":"b","allow_multiple":false,"expected_replacements":3}`, 1, "agree"},
		"half a surrogate pair":   {`{"path":"f","content":"\ud800"}`, 1, "surrogate"},
		"an unknown field": {`{"path":"f","content":"a","mode":1}`, 1,
			"\"mode\" is 1: expected a string"},
		"an unknown field, deeper": {"{\"file_path\":\"f\",\"edits\":[\n{\"old_string\":\"a\",\"new_string\":\"b\",\"x\":1}]}", 2, "edit 1: unknown field \"x\""},
		"edits and operations": {`{"operations":[{"type":"delete","path":"f"}],"edits":[` + ab + `]}`, 1,
			"unknown field \"edits\""},
		"no file_path":  {`{"edits":[` + ab + `]}`, 1, "\"path\" is missing"},
		"an empty path": {`{"file_path":"","edits":[` + ab + `]}`, 1, "\"file_path\" is empty"},
		"no old_string": {`{"file_path":"f","edits":[{"new_string":"b"}]}`, 1,
			"\"old_string\" is missing"},
		"no new_string": {`{"file_path":"f","old_string":"a"}`, 1, "\"new_string\" is missing"},
		"an empty old_string": {`{"file_path":"f","edits":[` + ab +
			`,{"old_string":"","new_string":"b"}]}`, 1, "edit 2: old_string is empty"},
		"a number for a text": {`{"path":"f","content":7}`, 1, "expected a string"},
		"a text for a flag": {`{"path":"f","edits":[{"oldText":"a","newText":"b"}],"dryRun":"yes"}`,
			1, "expected true or false"},
		"a number of none":      {`{"file_path":"f","edits":[{"old_string":"a","new_string":"b","expected_replacements":0}]}`, 1, "whole number"},
		"a negative number":     {`{"file_path":"f","edits":[{"old_string":"a","new_string":"b","expected_replacements":-1}]}`, 1, "whole number"},
		"half a line":           {`{"path":"f","edits":[{"from":1.5,"content":""}]}`, 1, "whole number"},
		"numbers that disagree": {`{"file_path":"f","edits":[{"old_string":"a","new_string":"b","replace_all":false,"expected_replacements":2}]}`, 1, "agree"},
		"no edits":              {`{"file_path":"f","edits":[]}`, 1, "\"edits\" is empty"},
		"edits of texts":        {`{"file_path":"f","edits":["a"]}`, 1, "edit 1 is "},
		"edits of nothing":      {`{"file_path":"f","edits":null}`, 1, "expected an array"},
		"a null for a whole file": {`{"action":"write","path":"f","content":null}`, 1,
			"\"content\" is null"},
		"a null for all blocks": {`{"file_path":"f","percentage_to_change":100,"text_or_search_replace_blocks":null}`,
			1, "is null"},
		"a null percentage": {`{"file_path":"f","percentage_to_change":null,"text_or_search_replace_blocks":"a"}`, 1,
			"\"percentage_to_change\" is null"},
		"a null for a new file": {`{"command":"create","path":"f","file_text":null}`, 1,
			"\"file_text\" is null"},
		"a null line": {`{"action":"patch","path":"f","edits":[{"from":null,"to":3,"content":"a"}]}`, 1,
			"\"from\" is null"},
		"a null for lines": {`{"path":"f","edits":[{"from":1,"to":3,"content":null}]}`, 1,
			"\"content\" is null"},
		"a null line to insert after": {`{"command":"insert","path":"f","insert_line":null,"insert_text":"a"}`,
			1, "\"insert_line\" is null"},
		"a unified diff of another file": {`{"path":"f","patch_text":"--- a/g\n+++ b/g\n@@ -1 +1 @@\n-a\n+b\n"}`,
			1, "but the edits are of"},
		"edits in a bad string": {`{"file_path":"f","edits":"a"}`, 1, "\"edits\" is the string \"a\": expected an array"},
		"a path twice": {`{"files":[{"path":"f","edits":[` + ab + `]},{"path":"./f","edits":[` +
			ab + `]}]}`, 1, "named twice"},
		"a path twice, with a backslash": {`{"files":[{"path":"d/f","edits":[` + ab +
			`]},{"path":"d\\f","edits":[` + ab + `]}]}`, 1, "named twice"},
		"a path moved and used": {`{"operations":[{"type":"move","from":"f","to":"g"},{"type":"delete","path":"g"}]}`,
			1, "named twice"},
		"an unknown operation": {`{"operations":[{"type":"copy","path":"f"}]}`, 1,
			"expected edit, create, delete or move"},
		"lines back to front": {`{"path":"f","edits":[{"from":3,"to":2,"content":""}]}`, 1,
			"before \"from\""},
		"line 0": {`{"path":"f","edits":[{"from":0,"content":""}]}`, 1, "at least 1"},
		"a view": {`{"command":"view","path":"f"}`, 1, "is not an edit"},
		"an unknown command": {`{"command":"undo_edit","path":"f"}`, 1,
			"expected create, str_replace or insert"},
		"a read": {`{"action":"read","path":"f"}`, 1, "is not an edit"},
		"a patch of another": {`{"path":"f","patch_text":"*** Update File: g\n@@\n-a\n+b"}`, 1,
			"but the edits are of"},
		"a patch that deletes":                {`{"path":"f","patch_text":"*** Delete File: f"}`, 1, "does more"},
		"blocks of another":                   {`{"file_path":"f","percentage_to_change":9,"text_or_search_replace_blocks":"g.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE"}`, 1, "the edits are of"},
		"blocks below words, as a whole file": {`{"file_path":"f","percentage_to_change":90,"text_or_search_replace_blocks":"So:\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n~~~\n"}`, 1, "ends in SEARCH/REPLACE blocks"},
		"a broken block, as a whole file":     {`{"file_path":"f","percentage_to_change":90,"text_or_search_replace_blocks":"<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE"}`, 1, "is not a marker"},
		"no percentage": {`{"file_path":"f","text_or_search_replace_blocks":"a"}`, 1,
			"\"percentage_to_change\" is missing"},
		"a new file without +": {`{"operation":{"type":"create_file","path":"f","diff":"+a\nb"}}`, 1,
			"even a blank one, begins with \"+\""},
		"a bad patch in a field": {`{"input":"*** Begin Patch\nx\n*** End Patch"}`, 2, "not a file header"},
		"much depth": {strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000), 1,
			"nested deeper than 64 levels"},
	})
	checkRefused(t, parse, true, map[string]refused{
		"in a string":       {`{"path":"f","content":"a`, 1, "cut off"},
		"in an array":       {`{"file_path":"f","edits":[` + ab, 1, "cut off"},
		"after a key":       {`{"path":`, 1, "cut off"},
		"a brace only":      {"{", 1, "cut off"},
		"edits in a string": {`{"file_path":"f","edits":"[{\"old_string\":"}`, 1, "cut off"},
		"in an escape":      {`{"path":"f","content":"a\u00`, 1, "cut off"},
		"in a literal":      {`{"path":"f","edits":[],"dryRun":tr`, 1, "cut off"},
		"in a number":       {`{"path":"f","edits":[{"from":-`, 1, "cut off"},
		"in a letter":       {"{\"path\":\"f\",\"content\":\"\xc3", 1, "cut off"},
	})
	_, err := parse(`{"file_path":"f","edits":[` + ab + `,{"old_string":"c","new_string":"c"}]}`)
	var r *atomicedit.Refusal
	if !errors.As(err, &r) || !errors.Is(err, atomicedit.ErrNoChange) || r.Problems[0].Edit != 1 {
		t.Errorf("equal texts: got %v", err)
	}
	if _, err := atomicedit.ParseJSON(make([]byte, 64<<20+1)); !errors.Is(err, atomicedit.ErrTooLarge) {
		t.Errorf("too large: got %v", err)
	}
}

func TestNullOfAnOptionalFieldAsksForNothing(t *testing.T) {
	ab := atomicedit.Edit{Old: "a", New: "b"}
	for data, want := range map[string]atomicedit.Plan{
		`{"path":"f","edits":[{"old_string":"a","new_string":"b","replace_all":null,"startLine":null}],"files":null,"operations":null,"cwd":null}`: accepttest.OneEdit("f", ab),
		`{"operations":[{"type":"edit","path":"f","edits":[{"old_string":"a","new_string":"b"}],"content":null,"from":null,"to":null}]}`:           accepttest.OneEdit("f", ab),
		`{"action":"patch","path":"f","edits":null,"patch_text":"@@\n-a\n+b\n","content":null}`:                                                    accepttest.OneEdit("f", chunkOf("-a\n+b\n")),
		`{"command":"insert","path":"f","insert_line":1,"insert_text":"a","new_str":null,"old_str":null}`:                                          accepttest.OneEdit("f", atomicedit.Edit{First: 2, New: "a\n", WholeLines: true}),
	} {
		got, err := atomicedit.ParseJSON([]byte(data))
		if diff := cmp.Diff(want, got, accepttest.ButWords); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", data, err, diff)
		}
	}
}

func TestARefusedCallHearsOfItsOwnToolAloneAndOnce(t *testing.T) {
	for data, want := range map[string]string{
		`{"file_path":"f","edits":[{"old_string":"a","new_string":"b"}],"x":1,"y":2}`: `unknown fields "x", "y": expected file_path, edits`,
		`{"edits":[{"old_string":"a","new_string":"b"}]}`:                             `the field "file_path" is missing: it is required`,
	} {
		if _, err := (atomicedit.Tool{Name: "multi_edit"}).Parse([]byte(data)); err == nil || err.Error() != want {
			t.Errorf("%s: got %v; want %s", data, err, want)
		}
	}
}

func TestAllProblemsOfAJSONRequestAreTold(t *testing.T) {
	_, err := atomicedit.ParseJSON([]byte(`{"file_path":"f","edits":[{"old_string":"a"},{"old_string":"b","new_string":"c","x":1}]}`))
	var r *atomicedit.Refusal
	if !errors.As(err, &r) || len(r.Problems) != 2 {
		t.Errorf("got %v; want two problems", err)
	}
}

func TestCutOffJSONShowsWhatWasComplete(t *testing.T) {
	_, err := atomicedit.ParseJSON([]byte(`{"file_path":"f","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c\"]}`))
	var r *atomicedit.Refusal
	if !errors.As(err, &r) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatal(err)
	}
	if diff := cmp.Diff(accepttest.OneEdit("f", atomicedit.Edit{Old: "a", New: "b"}), r.Partial,
		accepttest.ButWords); diff != "" {
		t.Errorf("partial plan (-want +got):\n%s", diff)
	}
}
