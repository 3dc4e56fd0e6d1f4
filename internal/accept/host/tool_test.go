package host_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

// A toolCall is one call in a conversation that has read every file unless unread is set.
type toolCall struct {
	name   string
	files  map[string]string
	unread bool
	args   []string // the last call counts; those before it must be carried out
	code   string   // of the refusal, "" if it is carried out
	says   []string // in the answer's text
	want   map[string]string
}

func testTool(t *testing.T, tool string, calls []toolCall) {
	t.Helper()
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) {
			store := atomicedit.NewMem(c.files)
			session := atomicedit.NewSession(store)
			host := &atomicedit.Host{Store: session}
			for path := range c.files {
				if _, err := session.View(t.Context(), path, 0, 0); err != nil && !c.unread {
					t.Fatal(err)
				}
			}
			if c.unread {
				strict := atomicedit.NewSession(store)
				strict.Strict = true
				host = &atomicedit.Host{Store: strict}
			}
			var answer *atomicedit.Answer
			var err error
			for i, args := range c.args {
				answer, err = host.Call(t.Context(), tool, []byte(args))
				if err != nil && i < len(c.args)-1 {
					t.Fatal(err)
				}
			}
			code := ""
			if err != nil {
				code = answer.Problems[0].Code
			}
			if code != c.code {
				t.Errorf("code %q, want %q: %s", code, c.code, answer.Text)
			}
			for _, s := range c.says {
				if !strings.Contains(answer.Text, s) {
					t.Errorf("the answer lacks %q:\n%s", s, answer.Text)
				}
			}
			want := c.want
			if want == nil {
				want = c.files
			}
			if want == nil {
				want = map[string]string{}
			}
			if diff := cmp.Diff(want, store.Files()); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFileWriteOrEdit(t *testing.T) {
	call := func(percentage int, text string) []string {
		return []string{accepttest.Args(accepttest.Object{"file_path": "f", "percentage_to_change": percentage,
			"text_or_search_replace_blocks": text})}
	}
	const block = "<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n"
	files := map[string]string{"f": "one\ntwo\n"}
	testTool(t, "file_write_or_edit", []toolCall{
		{name: "10 percent are blocks", files: files, args: call(10, block), want: map[string]string{"f": "1\ntwo\n"}},
		{name: "50 percent are blocks", files: files, args: call(50, block), want: map[string]string{"f": "1\ntwo\n"}},
		{name: "50 percent without blocks is refused", files: files, args: call(50, "1\ntwo\n"), code: "syntax"},
		{name: "51 percent are the whole file", files: files, args: call(51, "1\n2\n"),
			want: map[string]string{"f": "1\n2\n"}},
		{name: "a marker wins over the percentage", files: files, args: call(100, block),
			want: map[string]string{"f": "1\ntwo\n"}},
		{name: "a new file", args: call(100, "new\n"), want: map[string]string{"f": "new\n"}},
		{name: "a file not read is not written over", files: files, unread: true, args: call(100, "new\n"),
			code: "unread"},
		{name: "blocks that were cut off", files: files, args: call(10, "<<<<<<< SEARCH\none\n"), code: "syntax",
			says: []string{"cut off"}},
	})
}

func TestMultiEdit(t *testing.T) {
	type edit = accepttest.Object
	call := func(edits ...edit) []string {
		return []string{accepttest.Args(accepttest.Object{"file_path": "f", "edits": edits})}
	}
	files := map[string]string{"f": "one\ntwo\ntwo\n"}
	testTool(t, "multi_edit", []toolCall{
		{name: "edits act in order, each on the result of the one before", files: files,
			args: call(edit{"old_string": "one", "new_string": "three"},
				edit{"old_string": "three\n", "new_string": "four\n"}),
			want: map[string]string{"f": "four\ntwo\ntwo\n"}},
		{name: "all edits or none", files: files,
			args: call(edit{"old_string": "one", "new_string": "1"}, edit{"old_string": "missing", "new_string": "x"}),
			code: "not_found"},
		{name: "an old string that is there twice is refused", files: files,
			args: call(edit{"old_string": "two", "new_string": "2"}), code: "ambiguous", says: []string{"lines 2, 3"}},
		{name: "replace_all replaces every occurrence", files: files,
			args: call(edit{"old_string": "two", "new_string": "2", "replace_all": true}),
			want: map[string]string{"f": "one\n2\n2\n"}},
		{name: "an old string equal to the new one is refused", files: files,
			args: call(edit{"old_string": "one", "new_string": "one"}), code: "no_change"},
		{name: "expected_replacements that is right", files: files,
			args: call(edit{"old_string": "two", "new_string": "2", "expected_replacements": 2}),
			want: map[string]string{"f": "one\n2\n2\n"}},
		{name: "expected_replacements that is wrong", files: files,
			args: call(edit{"old_string": "two", "new_string": "2", "expected_replacements": 3}), code: "count",
			says: []string{"there twice"}},
		{name: "an empty first old string creates the file",
			args: call(edit{"old_string": "", "new_string": "new\n"}, edit{"old_string": "new", "new_string": "old"}),
			want: map[string]string{"f": "old\n"}},
		{name: "an empty first old string creates no file that has content", files: files,
			args: call(edit{"old_string": "", "new_string": "new"}), code: "exist"},
		{name: "a later empty old string is refused", files: files,
			args: call(edit{"old_string": "one", "new_string": "1"}, edit{"old_string": "", "new_string": "x"}),
			code: "syntax"},
		{name: "a file that was not read is not edited", files: files, unread: true,
			args: call(edit{"old_string": "one", "new_string": "1"}), code: "unread"},
	})
}

func TestMultiEditFile(t *testing.T) {
	edit := func(older, newer string) accepttest.Object {
		return accepttest.Object{"old_string": older, "new_string": newer}
	}
	one := func(path string, edits ...accepttest.Object) accepttest.Object {
		return accepttest.Object{"path": path, "edits": edits}
	}
	files := map[string]string{"a": "one\ntwo\n", "b": "one\n"}
	testTool(t, "multi_edit_file", []toolCall{
		{name: "one file", files: files, args: []string{accepttest.Args(one("a", edit("one", "1")))},
			want: map[string]string{"a": "1\ntwo\n", "b": "one\n"}},
		{name: "several files", files: files,
			args: []string{accepttest.Args(accepttest.Object{"files": []any{one("a", edit("two", "2")),
				one("b", edit("one", "1"))}})},
			want: map[string]string{"a": "one\n2\n", "b": "1\n"}},
		{name: "operations", files: files,
			args: []string{accepttest.Args(accepttest.Object{"operations": []accepttest.Object{
				{"type": "edit", "path": "a", "edits": []accepttest.Object{edit("one", "1")}},
				{"type": "create", "path": "c", "content": "three\n"},
				{"type": "move", "from": "b", "to": "d"},
			}})}, want: map[string]string{"a": "1\ntwo\n", "c": "three\n", "d": "one\n"}},
		{name: "operations whose fields say what they do", files: files,
			args: []string{accepttest.Args(accepttest.Object{"operations": []accepttest.Object{
				{"path": "a", "edits": []accepttest.Object{edit("one", "1")}},
				{"path": "c", "content": "three\n"},
			}})}, want: map[string]string{"a": "1\ntwo\n", "b": "one\n", "c": "three\n"}},
		{name: "a move or a copy", files: files, args: []string{`{"operations": [{"from": "a", "to": "c"}]}`},
			code: "syntax"},
		{name: "operations whose fields do not say it", files: files,
			args: []string{accepttest.Args(accepttest.Object{"operations": []accepttest.Object{{"path": "a"},
				{"path": "a", "content": "x", "edits": []accepttest.Object{edit("one", "1")}},
				{"path": "a", "edits": []accepttest.Object{edit("one", "1")}, "to": "c"}}})},
			code: "syntax", says: []string{"3 problems", "3. operation 3: the field \"type\" is missing"}},
		{name: "an operation without its edits", files: files,
			args: []string{accepttest.Args(accepttest.Object{"operations": []accepttest.Object{{"type": "edit", "path": 1}}})},
			code: "syntax", says: []string{"2 problems", "the field \"edits\" is missing", "the field \"path\" is 1"}},
		{name: "all files or none", files: files,
			args: []string{accepttest.Args(accepttest.Object{"files": []any{one("a", edit("two", "2")),
				one("b", edit("x", "1"))}})}, code: "not_found"},
		{name: "a path twice is refused", files: files,
			args: []string{accepttest.Args(accepttest.Object{"files": []any{one("a", edit("one", "1")),
				one("./a", edit("two", "2"))}})}, code: "syntax"},
		{name: "two modes at once are refused", files: files,
			args: []string{accepttest.Args(accepttest.Object{"path": "a",
				"edits": []accepttest.Object{edit("one", "1")}, "files": []any{one("b", edit("one", "1"))}})},
			code: "syntax"},
		{name: "create refuses what is there", files: files,
			args: []string{accepttest.Args(accepttest.Object{"operations": []accepttest.Object{{"type": "create",
				"path": "a", "content": "x"}}})}, code: "exist"},
		{name: "create overwrites if it says so", files: files,
			args: []string{accepttest.Args(accepttest.Object{"operations": []accepttest.Object{{"type": "create",
				"path": "b", "content": "x", "overwrite": true}}})},
			want: map[string]string{"a": "one\ntwo\n", "b": "x"}},
		{name: "move refuses what is there", files: files,
			args: []string{accepttest.Args(accepttest.Object{"operations": []accepttest.Object{{"type": "move",
				"from": "a", "to": "b"}}})}, code: "exist"},
		{name: "move overwrites if it says so", files: files,
			args: []string{accepttest.Args(accepttest.Object{"operations": []accepttest.Object{{"type": "move",
				"from": "a", "to": "b", "overwrite": true}}})},
			want: map[string]string{"b": "one\ntwo\n"}},
		{name: "delete", files: files,
			args: []string{accepttest.Args(accepttest.Object{"operations": []accepttest.Object{{"type": "delete",
				"path": "a"}}})}, want: map[string]string{"b": "one\n"}},
		{name: "startLine chooses among several", files: map[string]string{"a": "x\n\n\n\n\n\n\n\nx\n"},
			args: []string{accepttest.Args(one("a",
				accepttest.Object{"old_string": "x", "new_string": "y", "startLine": 9}))},
			want: map[string]string{"a": "x\n\n\n\n\n\n\n\ny\n"}},
		{name: "an empty old string is refused", files: files, args: []string{accepttest.Args(one("a", edit("", "x")))},
			code: "invalid"},
		{name: "an empty old string of an empty file", files: map[string]string{"a": ""},
			args: []string{accepttest.Args(one("a", edit("", "x")))},
			want: map[string]string{"a": "x"}},
		{name: "a cwd is joined in front", files: map[string]string{"d/a": "one\n"},
			args: []string{accepttest.Args(accepttest.Object{"path": "a", "cwd": "d",
				"edits": []accepttest.Object{edit("one", "1")}})}, want: map[string]string{"d/a": "1\n"}},
		{name: "the answer has the byte counts", files: files,
			args: []string{accepttest.Args(one("a", edit("one", "eleven")))},
			says: []string{"+1 -1 lines, now 2 lines, 11 bytes (+3)"},
			want: map[string]string{"a": "eleven\ntwo\n", "b": "one\n"}},
		{name: "an escaped value in a template string is warned of", files: map[string]string{"a.js": "let s = `x`;\n"},
			args: []string{accepttest.Args(one("a.js", edit("`x`", "`\\${x}`")))},
			says: []string{`note: line 1: \${ in a template string`},
			want: map[string]string{"a.js": "let s = `\\${x}`;\n"}},
	})
}

func TestTextEditor(t *testing.T) {
	patch := func(edits ...accepttest.Object) string {
		return accepttest.Args(accepttest.Object{"action": "patch", "path": "f", "edits": edits})
	}
	files := map[string]string{"f": "1\n2\n3\n4\n"}
	testTool(t, "text_editor", []toolCall{
		{name: "lines are replaced", files: files,
			args: []string{patch(accepttest.Object{"from": 2, "to": 3, "content": "x\n"})},
			want: map[string]string{"f": "1\nx\n4\n"}},
		{name: "without to, it may be one line to replace or an insertion", files: files, code: "syntax",
			says: []string{`"to" is missing`},
			args: []string{patch(accepttest.Object{"from": 2, "content": "x"})}},
		{name: "with 0, lines are inserted before", files: files,
			args: []string{patch(accepttest.Object{"from": 2, "to": 0, "content": "x"})},
			want: map[string]string{"f": "1\nx\n2\n3\n4\n"}},
		{name: "or appended", files: files,
			args: []string{patch(accepttest.Object{"from": 5, "to": 0, "content": "x"})},
			want: map[string]string{"f": "1\n2\n3\n4\nx\n"}},
		{name: "edits of one line are refused, even if one of them keeps it", files: files, code: "overlap",
			args: []string{patch(accepttest.Object{"from": 1, "to": 3, "content": "a\nb\n"},
				accepttest.Object{"from": 3, "to": 4, "content": "3\nd\n"})}},
		{name: "edits of neighboring lines keep their order, whatever they leave as it is", files: files,
			args: []string{patch(accepttest.Object{"from": 3, "to": 3, "content": "y\n3\n"},
				accepttest.Object{"from": 2, "to": 2, "content": "2\nx\n"})},
			want: map[string]string{"f": "1\n2\nx\ny\n3\n4\n"}},
		{name: "an insertion comes behind the line above, and before the line below", files: files,
			args: []string{patch(accepttest.Object{"from": 3, "to": 3, "content": "z\n3\n"},
				accepttest.Object{"from": 3, "to": 0, "content": "y\n"},
				accepttest.Object{"from": 2, "to": 2, "content": "2\nx\n"})},
			want: map[string]string{"f": "1\n2\nx\ny\nz\n3\n4\n"}},
		{name: "a line that is twice then is warned of", files: map[string]string{"f": "a\nb\nend\nend\n"},
			says: []string{"line 4: this line is the same as the one above"},
			args: []string{patch(accepttest.Object{"from": 2, "to": 2, "content": "c\nend\n"})},
			want: map[string]string{"f": "a\nc\nend\nend\nend\n"}},
		{name: "empty content deletes", files: files,
			args: []string{patch(accepttest.Object{"from": 2, "to": 2, "content": ""})},
			want: map[string]string{"f": "1\n3\n4\n"}},
		{name: "all edits go by the numbers before", files: files,
			args: []string{patch(accepttest.Object{"from": 1, "to": 0, "content": "0\n"},
				accepttest.Object{"from": 4, "to": 4, "content": "four\n"})},
			want: map[string]string{"f": "0\n1\n2\n3\nfour\n"}},
		{name: "overlapping edits are refused", files: files,
			args: []string{patch(accepttest.Object{"from": 1, "to": 2, "content": "x\n"},
				accepttest.Object{"from": 2, "to": 3, "content": "y\n"})}, code: "overlap"},
		{name: "freshness: a file never read is refused", files: files, unread: true,
			args: []string{patch(accepttest.Object{"from": 1, "to": 1, "content": "x\n"})}, code: "unread"},
		{name: "freshness: numbers that an own edit has shifted are refused",
			files: map[string]string{"f": strings.Repeat("line\n", 40)},
			args: []string{patch(accepttest.Object{"from": 20, "to": 0, "content": "x\n"}),
				patch(accepttest.Object{"from": 30, "to": 0, "content": "y\n"})}, code: "unread",
			says: []string{"by line numbers"},
			want: map[string]string{"f": strings.Repeat("line\n", 19) + "x\n" + strings.Repeat("line\n", 21)}},
		{name: "freshness: after reading again they are not",
			files: map[string]string{"f": strings.Repeat("line\n", 40)},
			args: []string{patch(accepttest.Object{"from": 20, "to": 0, "content": "x\n"}),
				`{"action": "read", "path": "f"}`, patch(accepttest.Object{"from": 1, "to": 1, "content": "y\n"})},
			want: map[string]string{"f": "y\n" + strings.Repeat("line\n", 18) + "x\n" + strings.Repeat("line\n", 21)}},
		{name: "patch_text updates", files: files,
			args: []string{accepttest.Args(accepttest.Object{"action": "patch", "path": "f",
				"patch_text": "@@\n 2\n-3\n+three\n"})}, want: map[string]string{"f": "1\n2\nthree\n4\n"}},
		{name: "patch_text only updates", files: files,
			args: []string{accepttest.Args(accepttest.Object{"action": "patch", "path": "f",
				"patch_text": "*** Begin Patch\n*** Delete File: f\n*** End Patch"})}, code: "syntax"},
		{name: "patch_text and edits at once are refused", files: files,
			args: []string{accepttest.Args(accepttest.Object{"action": "patch", "path": "f",
				"patch_text": "@@\n-3\n+three\n", "edits": []accepttest.Object{{"from": 1, "content": "x"}}})},
			code: "syntax"},
		{name: "write replaces what was read whole", files: files,
			args: []string{accepttest.Args(accepttest.Object{"action": "write", "path": "f", "content": "new"})},
			want: map[string]string{"f": "new"}},
		{name: "write names the lines that were not read", files: files, unread: true,
			args: []string{`{"action": "read", "path": "f", "line_from": 2, "line_to": 2}`,
				accepttest.Args(accepttest.Object{"action": "write", "path": "f", "content": "new"})},
			code: "unread", says: []string{"lines 1, 3-4"}},
		{name: "read takes a range", files: files,
			args: []string{`{"action": "read", "path": "f", "line_from": 2, "line_to": 3}`},
			says: []string{"f: lines 2 to 3 of 4\n     2\t2\n     3\t3\n"}},
	})
}

func TestStrReplaceEditor(t *testing.T) {
	files := map[string]string{"f": "1\n2\n2\n"}
	testTool(t, "str_replace_editor", []toolCall{
		{name: "view shows numbered lines", files: files, args: []string{`{"command": "view", "path": "f"}`},
			says: []string{"     1\t1\n     2\t2\n     3\t2\n"}},
		{name: "view takes a range to the end", files: files,
			args: []string{`{"command": "view", "path": "f", "view_range": [3, -1]}`},
			says: []string{"f: line 3 of 3\n"}},
		{name: "view refuses a range backwards", files: files,
			args: []string{`{"command": "view", "path": "f", "view_range": [3, 2]}`}, code: "syntax"},
		{name: "str_replace wants it there once", files: files,
			args: []string{`{"command": "str_replace", "path": "f", "old_str": "2", "new_str": "x"}`},
			code: "ambiguous"},
		{name: "str_replace without new_str removes", files: files,
			args: []string{`{"command": "str_replace", "path": "f", "old_str": "1\n"}`},
			want: map[string]string{"f": "2\n2\n"}},
		{name: "insert puts lines after a line", files: files,
			args: []string{`{"command": "insert", "path": "f", "insert_line": 1, "insert_text": "x"}`},
			want: map[string]string{"f": "1\nx\n2\n2\n"}},
		{name: "insert at 0 puts them at the top", files: files,
			args: []string{`{"command": "insert", "path": "f", "insert_line": 0, "insert_text": "x"}`},
			want: map[string]string{"f": "x\n1\n2\n2\n"}},
		{name: "create makes a file", args: []string{`{"command": "create", "path": "f", "file_text": "x"}`},
			want: map[string]string{"f": "x"}},
		{name: "create does not overwrite", files: files,
			args: []string{`{"command": "create", "path": "f", "file_text": "x"}`}, code: "exist"},
		{name: "encoded twice, with half a character", files: files,
			args: []string{`"{\"command\": \"str_replace\", \"path\": \"f\", \"old_str\": \"1\", \"new_str\": \"\ud800\"}"`},
			code: "syntax"},
		{name: "two names of a field, one of which is null", files: files,
			args: []string{`{"command": "str_replace", "path": "f", "oldText": "1", "old_str": null, "new_str": "x"}`},
			want: map[string]string{"f": "x\n2\n2\n"}},
		{name: "encoded twice", files: files,
			args: []string{`"{\"command\": \"insert\", \"path\": \"f\", \"insert_line\": 0, \"insert_text\": \"\\\"\"}"`},
			want: map[string]string{"f": "\"\n1\n2\n2\n"}},
		{name: "without its command, the call of a string", files: files,
			args: []string{`{"path": "f", "old_str": "1", "new_str": "x"}`}, want: map[string]string{"f": "x\n2\n2\n"}},
		{name: "without its command, a call that may remove the string", files: files,
			args: []string{`{"path": "f", "old_str": "1"}`}, code: "syntax"},
		{name: "another command is refused", files: files, args: []string{`{"command": "undo_edit", "path": "f"}`},
			code: "syntax", says: []string{"expected view, create, str_replace or insert"}},
	})
}

func TestApplyPatch(t *testing.T) {
	files := map[string]string{"a": "one\ntwo\n", "b": "x\n"}
	call := func(body string) []string {
		return []string{accepttest.Args(accepttest.Object{"input": "*** Begin Patch\n" + body + "*** End Patch\n"})}
	}
	testTool(t, "apply_patch", []toolCall{
		{name: "adds, updates, moves and deletes at once", files: files,
			args: call("*** Add File: c\n+new\n*** Update File: a\n*** Move to: d\n@@\n one\n-two\n+2\n*** Delete File: b\n"),
			want: map[string]string{"c": "new\n", "d": "one\n2\n"}},
		{name: "adds no file that is there", files: files, args: call("*** Add File: a\n+new\n"), code: "exist"},
		{name: "all files or none", files: files,
			args: call("*** Delete File: b\n*** Update File: a\n@@\n-three\n+3\n"), code: "not_found"},
		{name: "a patch must name its files", files: files,
			args: []string{accepttest.Args(accepttest.Object{"input": "@@\n-one\n+1\n"})}, code: "syntax",
			says: []string{"*** Update File: path"}},
		{name: "a patch that was cut off", files: files,
			args: []string{accepttest.Args(accepttest.Object{"input": "*** Begin Patch\n*** Delete File: b\n"})},
			code: "syntax"},
	})
}

// A tool reads its own shapes only: what one tool may do, another's name cannot smuggle in.
func TestToolsReadOnlyTheirOwnShapes(t *testing.T) {
	calls := map[string][]string{
		"multi_edit": {`{"file_path":"f","edits":[{"old_string":"a","new_string":"b","expected_replacements":1}]}`},
		"apply_patch": {`{"input": "*** Begin Patch\n*** Delete File: f\n*** End Patch"}`,
			`{"input":"*** Delete File: f"}`, `{"patch":"*** Delete File: f"}`,
			`{"operation":{"type":"delete_file","path":"f"}}`},
		"text_editor": {`{"action":"write","path":"f","content":""}`},
		"multi_edit_file": {`{"path":"f","edits":[{"old_string":"a","new_string":"b","startLine":1}]}`,
			`{"operations":[{"type":"delete","path":"f"}]}`},
		"file_write_or_edit": {`{"file_path":"f","percentage_to_change":100,"text_or_search_replace_blocks":"a"}`},
		"str_replace_editor": {`{"command":"create","path":"f","file_text":"a"}`},
		"":                   {`{"path":"f","content":"a"}`, `{"file_path":"f","old_string":"a","new_string":"b"}`},
	}
	tools := accepttest.Must(atomicedit.Tools())
	if len(tools) != len(calls)-1 {
		t.Errorf("got %d tools", len(tools))
	}
	for _, tool := range tools {
		var schema map[string]any
		if err := json.Unmarshal(tool.Schema, &schema); err != nil || schema["type"] != "object" ||
			tool.Description == "" {
			t.Errorf("%s: schema %v, %v", tool.Name, schema, err)
		}
		for of, args := range calls {
			for _, a := range args {
				p, err := tool.Parse([]byte(a))
				if own := of == tool.Name; own != (err == nil) || own != (len(p.Ops) > 0) ||
					!own && !errors.Is(err, atomicedit.ErrSyntax) {
					t.Errorf("%s reads a call of %q: %s: %v, %v", tool.Name, of, a, p.Ops, err)
				}
			}
		}
	}
	if _, err := (atomicedit.Tool{Name: "sh"}).Parse([]byte(`{}`)); !errors.Is(err, atomicedit.ErrSyntax) {
		t.Errorf("an unknown tool: got %v", err)
	}
}

// A model that has learned the names of another tool means the same by them.
func TestToolsReadOtherNamesOfTheirFields(t *testing.T) {
	replace := accepttest.OneEdit("f", atomicedit.Edit{Old: "a", New: "b"})
	for tool, calls := range map[string][]string{
		"multi_edit": {`{"path":"f","edits":[{"oldText":"a","newText":"b"}]}`,
			`{"filePath":"f","edits":[{"old_str":"a","newString":"b"}],"explanation":"x"}`,
			`{"filePath":"f","replacements":[{"oldText":"a","newText":"b"}],"explanation":"","title":"","summary":"","description":"","reason":"","notes":"","comment":""}`},
		"multi_edit_file": {`{"file_path":"f","edits":[{"oldString":"a","new_str":"b"}]}`},
		"str_replace_editor": {
			`{"command":"str_replace","file_path":"f","old_string":"a","new_string":"b"}`,
			`{"command":"str_replace","path":"f","old_str":"a","new_str":"b","file_text":"","insert_line":1,"view_range":[1,-1]}`,
		},
	} {
		for _, args := range calls {
			got, err := (atomicedit.Tool{Name: tool}).Parse([]byte(args))
			if diff := cmp.Diff(replace, got, accepttest.ButWords); diff != "" || err != nil {
				t.Errorf("%s: %s: %v (-want +got):\n%s", tool, args, err, diff)
			}
		}
	}
}

// The example in every description is a call of that tool.
func TestDescriptionsHaveAnExampleThatParses(t *testing.T) {
	for _, tool := range accepttest.Must(atomicedit.Tools()) {
		at := strings.Index(tool.Description, "\n{")
		if at < 0 {
			t.Errorf("%s has no example", tool.Name)
			continue
		}
		example, _, _ := strings.Cut(tool.Description[at+1:], "\n")
		if _, err := tool.Parse([]byte(example)); err != nil {
			t.Errorf("%s: %s: %v", tool.Name, example, err)
		}
		for _, want := range []string{"Rules:", "Example", "refused"} {
			if !strings.Contains(tool.Description, want) {
				t.Errorf("%s: the description lacks %q", tool.Name, want)
			}
		}
	}
}

// Schemas are strict, and plain enough for every vendor: one type each, no null, no references.
func TestSchemasAreStrict(t *testing.T) {
	for _, tool := range accepttest.Must(atomicedit.Tools()) {
		var schema accepttest.Object
		if err := json.Unmarshal(tool.Schema, &schema); err != nil {
			t.Fatal(err)
		}
		if schema["$schema"] != "https://json-schema.org/draft/2020-12/schema" {
			t.Errorf("%s: $schema is %v", tool.Name, schema["$schema"])
		}
		strict(t, tool.Name, schema)
	}
}

func strict(t *testing.T, at string, schema accepttest.Object) {
	kind, ok := schema["type"].(string)
	if !ok || kind == "null" {
		t.Errorf("%s: type %v", at, schema["type"])
	}
	for _, key := range []string{"$ref", "anyOf", "oneOf", "allOf", "nullable"} {
		if schema[key] != nil {
			t.Errorf("%s has %s", at, key)
		}
	}
	if items, ok := schema["items"].(accepttest.Object); ok {
		strict(t, at+"[]", items)
	} else if kind == "array" {
		t.Errorf("%s: items of no type", at)
	}
	if kind != "object" {
		return
	}
	if schema["additionalProperties"] != false {
		t.Errorf("%s allows additional properties", at)
	}
	properties := schema["properties"].(accepttest.Object)
	for name, p := range properties {
		strict(t, at+"."+name, p.(accepttest.Object))
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if properties[name.(string)] == nil {
			t.Errorf("%s requires %s, which it does not have", at, name)
		}
	}
}

// Models send a unified diff where a patch is expected: it says the same.
func TestApplyPatchTakesAUnifiedDiff(t *testing.T) {
	const diff = "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
	want := accepttest.Must(atomicedit.ParseUnified(diff))
	for _, args := range []string{diff, accepttest.Args(accepttest.Object{"input": diff})} {
		got, err := atomicedit.Tool{Name: "apply_patch"}.Parse([]byte(args))
		if d := cmp.Diff(want, got); err != nil || d != "" {
			t.Errorf("%v (-want +got):\n%s", err, d)
		}
	}
}
