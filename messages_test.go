package atomicedit_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
)

var update = flag.Bool("update", false, "write testdata/messages.golden anew")

// A scene is a conversation whose answers a person can read through in testdata/messages.golden.
type scene struct {
	name  string
	files map[string]string
	setup func(h *atomicedit.Host, s *atomicedit.Session, m *atomicedit.Mem)
	calls []string // a tool, a space, its arguments
}

// The golden file has every kind of message that a model can see: answers, notes, warnings and refusals. Read it through
// when it changes: would a model know what to send next?
func TestMessages(t *testing.T) {
	var b strings.Builder
	for _, s := range scenes() {
		fmt.Fprintf(&b, "######## %s\n", s.name)
		mem := atomicedit.NewMem(s.files)
		session := atomicedit.NewSession(mem)
		host := atomicedit.NewHost(session)
		host.MaxLine, host.MaxText = 60, 600
		for path := range s.files {
			if !strings.HasPrefix(path, "unread") {
				session.View(t.Context(), path, 0, 0)
			}
		}
		if s.setup != nil {
			s.setup(host, session, mem)
		}
		for _, call := range s.calls {
			tool, args, _ := strings.Cut(call, " ")
			answer, _ := host.Call(t.Context(), tool, []byte(args))
			text := answer.Text
			if !strings.HasSuffix(text, "\n") {
				text += "\n"
			}
			fmt.Fprintf(&b, ">>> %s\n<<< %s\n%s\n", strings.ToValidUTF8(call, "\uFFFD"), answer.Status, text)
		}
	}
	const name = "testdata/messages.golden"
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("messages have changed (go test -run TestMessages -update . writes them anew) (-want +got):\n%s", diff)
	}
	for _, e := range []error{
		atomicedit.ErrSyntax, atomicedit.ErrNotFound, atomicedit.ErrAmbiguous, atomicedit.ErrCount, atomicedit.ErrNoChange, atomicedit.ErrOverlap,
		atomicedit.ErrApplied, atomicedit.ErrPlaceholder, atomicedit.ErrStale, atomicedit.ErrUnread, atomicedit.ErrBinary, atomicedit.ErrTooLarge,
		atomicedit.ErrOutside, atomicedit.ErrDenied,
	} {
		if !strings.Contains(b.String(), "## "+e.Error()) {
			t.Errorf("no scene is called %q", e)
		}
	}
}

// edits1 is a multi_edit call of one edit of a.
func edits1(older, newer string, more ...any) string {
	e := object{"old_string": older, "new_string": newer}
	for i := 0; i < len(more); i += 2 {
		e[more[i].(string)] = more[i+1]
	}
	return "multi_edit " + args(object{"file_path": "a", "edits": []object{e}})
}

func blocks(text string) string {
	return "file_write_or_edit " + args(object{"file_path": "a", "percentage_to_change": 10, "text_or_search_replace_blocks": text})
}

func v4a(body string) string {
	return "apply_patch " + args(object{"input": "*** Begin Patch\n" + body + "*** End Patch"})
}

func editor(fields object) string {
	fields["path"] = "a"
	return "text_editor " + args(fields)
}

func strReplace(fields object) string {
	if fields["path"] == nil {
		fields["path"] = "a"
	}
	return "str_replace_editor " + args(fields)
}

func operations(ops ...object) string { return "multi_edit_file " + args(object{"operations": ops}) }

func scenes() []scene {
	const code = "func total(items []item) int {\n\tsum := 0\n\tfor _, it := range items {\n\t\tsum += it.price\n\t}\n\treturn sum\n}\n"
	file := func(text string) map[string]string { return map[string]string{"a": text} }
	return []scene{
		{name: "reading", files: map[string]string{"a": "one\ntwo\nthree\nfour\n", "empty": "", "long": strings.Repeat("x", 100) + "\n" + strings.Repeat("line\n", 300) + "\xe9", "bin": "\x00"}, calls: []string{
			editor(object{"action": "read"}), editor(object{"action": "read", "line_from": 2, "line_to": 3}), editor(object{"action": "read", "line_from": 9}),
			editor(object{"action": "read", "line_from": 3, "line_to": 2}), editor(object{"action": "read", "line_from": "x"}),
			strReplace(object{"command": "view", "view_range": []int{3, -1}}), strReplace(object{"command": "view", "view_range": []int{3}}),
			strReplace(object{"command": "view", "view_range": "3"}),
			strReplace(object{"command": "view", "path": "empty"}), strReplace(object{"command": "view", "path": "long", "view_range": []int{1, 3}}),
			strReplace(object{"command": "view", "path": "long", "view_range": []int{1, 1}}), strReplace(object{"command": "view", "path": "long", "view_range": []int{200, 301}}), strReplace(object{"command": "view", "path": "long", "view_range": []int{301, 302}}),
			strReplace(object{"command": "view", "path": "missing"}),
		}},
		{name: "done", files: map[string]string{"a": code, "b": "b\n", "c": "c\n"}, calls: []string{
			edits1("sum := 0", "sum := 1"), v4a("*** Update File: a\n*** Move to: d\n@@ func total(items []item) int {\n-\tsum := 1\n*** Delete File: b\n*** Add File: e\n+e\n"),
			operations(object{"type": "move", "from": "c", "to": "b"}), "file_write_or_edit " + args(object{"file_path": "f", "percentage_to_change": 100, "text_or_search_replace_blocks": "f\n"}),
		}},
		{name: "done, with what was overlooked", files: map[string]string{"a": "def f():\n    x = 1  \n    y = 2\n\n\n    say(\"it’s\")\n    return x\n"}, calls: []string{
			blocks("<<<<<<< SEARCH\n    x = 1\n    y = 2\n=======\n    x = 1\n    y = 3\n>>>>>>> REPLACE"),
			blocks("<<<<<<< SEARCH\nx = 1\ny = 3\n=======\nx = 1\ny = 4\n>>>>>>> REPLACE"),
			blocks("<<<<<<< SEARCH\n    say(\"it's\")\n=======\n    say(\"it's me\")\n>>>>>>> REPLACE"),
			blocks("<<<<<<< SEARCH\ndef f():\n    ...\n    return x\n=======\ndef f():\n    ...\n    return y\n>>>>>>> REPLACE"),
			v4a("*** Update File: a\n@@\n+# end\n"),
		}},
		{name: "done, with warnings", files: map[string]string{"a.go": "package a\n", "b.json": "{}\n", "c.js": "f(`x`)\r\n", "d": "x\n"}, calls: []string{
			"multi_edit_file " + args(object{"files": []object{
				{"path": "a.go", "edits": []object{{"old_string": "a\n", "new_string": "a\n\nfunc f( {\n"}}},
				{"path": "b.json", "edits": []object{{"old_string": "{}", "new_string": "{,}"}}},
				{"path": "c.js", "edits": []object{{"old_string": "`x`)\n", "new_string": "`\\${x}`\n"}}},
				{"path": "d", "edits": []object{{"old_string": "x\n", "new_string": "<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs"}}},
			}}),
		}},
		{name: "the request cannot be read", files: file("x\n"), calls: []string{
			"shell {}", "multi_edit ", "multi_edit []", "multi_edit {\"file_path\": ", "multi_edit {} {}", "multi_edit {\"a\": 1}", "multi_edit {\"file_path\": \"a\", \"edits\": [], \"x\": 1}",
			"multi_edit {\"file_path\": \"a\", \"file_path\": \"b\", \"edits\": []}", "multi_edit {\"file_path\": \"\", \"edits\": [{\"old_string\": 1}]}",
			"multi_edit " + args(object{"file_path": "a", "edits": []string{"x"}}), edits1("x", "y", "replace_all", "yes"), edits1("x", "y", "expected_replacements", -1),
			edits1("x", "y", "replace_all", false, "expected_replacements", 2),
			"multi_edit " + args(object{"file_path": "a", "edits": []object{{"old_string": "x", "new_string": "y"}, {"old_string": "", "new_string": "y"}}}),
			"multi_edit_file " + args(object{"path": "a", "edits": []object{{"old_string": "x", "new_string": "y"}}, "files": []object{}}),
			operations(object{"type": "rename"}), operations(object{"type": "delete", "path": "a"}, object{"type": "create", "path": "a", "content": ""}),
			editor(object{"action": "undo"}), editor(object{"action": "patch", "edits": []object{{"from": 3, "to": 2, "content": ""}}}),
			editor(object{"action": "patch", "patch_text": "*** Begin Patch\n*** Delete File: a\n*** End Patch"}), strReplace(object{"command": "undo_edit"}),
			"file_write_or_edit " + args(object{"file_path": "a", "percentage_to_change": 101, "text_or_search_replace_blocks": "x"}),
		}},
		{name: "the request cannot be read: blocks", files: file("x\n"), calls: []string{
			blocks("x"), blocks("<<<<<<< SEARCH\nx\n"), blocks("<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n"), blocks("<<<<<<< SEARCH\nx\n=======\ny\n"), blocks("<<<<<<< SEARCH\nx\n=======\ny\n=======\nz\n>>>>>>> REPLACE"),
			blocks("<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n>>>>>>> REPLACE"), blocks("<<<<<< SEARCH\nx\n<<<<<<< SEARCH\n=======\ny\n>>>>>>> REPLACE"), blocks("b\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"),
		}},
		{name: "the request cannot be read: patches", files: file("x\n"), calls: []string{
			"apply_patch {\"input\": \"\"}", "apply_patch {\"input\": \"*** Begin Patch\\n*** Update File: a\\n@@\\n-x\"}", v4a(""), v4a("*** Update File: a\n"), v4a("*** Update File: a\n@@\nx\n"), v4a("*** Add File: b\nx\n"),
			v4a("*** Rename File: a\n"), v4a("*** Update File: \n@@\n-x\n"), v4a("*** Delete File: a\n-x\n"), v4a("*** Update File: a\n@@\n x\n"),
			"apply_patch {\"input\": \"--- a/a\\n+++ b/a\\n@@ -1 +1 @@\\n-x\\n+y\\n\"}",
		}},
		{name: "the request cannot be read: more blocks", files: file("x\n"), calls: []string{
			blocks("=======\n"), blocks("<<<<<<< SEARCH"), blocks("<<<<<<< SEARCH\n:start_line:x\n-------\nx\n=======\ny\n>>>>>>> REPLACE"), blocks("<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE"),
			blocks("<<<<<<< SEARCH\nx\n=======\n:start_line:1\n-------\ny\n>>>>>>> REPLACE"), blocks("<<<<<<< SEARCH\n=======\ny\n>>>>>>> REPLACE"),
		}},
		{name: "the request cannot be read: more patches", files: file("x\n"), calls: []string{
			v4a("*** Begin Patch\n"), "apply_patch {\"input\": \"*** Update File: a\\n@@\\n-x\\n*** End Patch\"}", v4a("*** Update File: a\n@@\n*** End of File\n"), v4a("*** Move to: b\n"),
			v4a("x\n"), v4a("*** Update File: a\n@@\n-x\n*** End of File\n-y\n"), "apply_patch {\"input\": \"*** Begin Patch\\n*** Delete File: a\\n*** End Patch\\nx\"}", v4a("*** Update File: a\n@@\n"),
			v4a("*** Delete File: a\n*** Update File: a\n@@\n-x\n+y\n"), "apply_patch {\"operation\": {\"type\": \"rename_file\", \"path\": \"a\"}}",
			"apply_patch {\"operation\": {\"type\": \"delete_file\", \"path\": \"a\", \"diff\": \"-x\"}}", "apply_patch {\"operation\": {\"type\": \"create_file\", \"path\": \"b\", \"diff\": \"x\"}}",
		}},
		{name: "the request cannot be read: bytes", files: file("x\n"), calls: []string{
			"multi_edit {\"file_path\": \"\xff\"}", "multi_edit {\"file_path\": \"a\", \"edits\": 1}", "multi_edit {\"file_path\": \"\\ud83d\", \"edits\": []}", "multi_edit {\"file_path\" \"a\"}",
		}},
		{name: "what cannot be known", files: map[string]string{"a": "if a {\n\tone()\n\ttwo()\n}\n\n\n\nlast()\n", "crlf": "x\r\ny\r\n", "bom": "\ufeffx\n", "wide": "\xff\xfex\x00\n\x00"}, calls: []string{
			edits1("\ttwo( )\n", "\ttwo()\n"), edits1("\tone()\\n\ttwo()", "x"), edits1("tow()", "x\x00"), edits1("two()", "x\x00"),
			editor(object{"action": "patch", "edits": []object{{"from": 0, "content": "x"}}}),
			"multi_edit " + args(object{"file_path": "crlf", "edits": []object{{"old_string": "x\ny", "new_string": "x\r\ny"}}}),
			"multi_edit " + args(object{"file_path": "crlf", "edits": []object{{"old_string": "x\n", "new_string": "y\n"}, {"old_string": "y\ny\n", "new_string": "z\n"}}}),
			"text_editor " + args(object{"action": "write", "path": "crlf", "content": "z\r\nz\n"}),
			"multi_edit " + args(object{"file_path": "wide", "edits": []object{{"old_string": "x", "new_string": "é"}}}),
			"multi_edit " + args(object{"file_path": "bom", "edits": []object{{"old_string": "x\n", "new_string": ""}}}),
			blocks("<<<<<<< SEARCH\n    one()\n    two()\n=======\n    one()\n  three()\n    two()\n>>>>>>> REPLACE"),
			blocks("<<<<<<< SEARCH\n}\n\nlast()\n=======\n}\n\nnext()\n\nlast()\n>>>>>>> REPLACE"),
		}},
		{name: "lines that an edit has shifted", files: file("1\n2\n3\n"), setup: func(_ *atomicedit.Host, s *atomicedit.Session, _ *atomicedit.Mem) {
			atomicedit.Run(context.Background(), s, atomicedit.Plan{Ops: []atomicedit.Op{edits("a", "2\n", "")}}, nil)
		}, calls: []string{editor(object{"action": "patch", "edits": []object{{"from": 2, "to": 2, "content": ""}}}), editor(object{"action": "write", "content": "x"})}},
		{name: "the old text is not there", files: file(code), calls: []string{
			edits1("sum := 1", "sum := 2"), edits1("for _, it := range item {\n\t\tsum += it.price\n", "for {\n"), edits1("nothing of the kind", "x"), edits1("sum := 0\\n\\tfor", "x"),
			v4a("*** Update File: a\n@@ func average\n-\tsum := 0\n"), v4a("*** Update File: a\n@@ \tfor _, it := range items {\n-\tsum := 0\n"),
			v4a("*** Update File: a\n@@\n-\tsum := 0\n*** End of File\n"),
			"multi_edit " + args(object{"file_path": "a", "edits": []object{{"old_string": "sum := 0", "new_string": "sum := 1"}, {"old_string": "\tsum := 0\n", "new_string": ""}}}),
			"multi_edit " + args(object{"file_path": "a", "edits": []object{{"old_string": "missing()", "new_string": "found()"}, {"old_string": "found()", "new_string": "lost()"}}}),
		}},
		{name: "the old text is there more than once", files: file(code + code), calls: []string{edits1("sum := 0", "sum := 1"), v4a("*** Update File: a\n@@ func total(items []item) int {\n-\tsum := 0\n"), strReplace(object{"command": "str_replace", "old_str": "return sum", "new_str": "return 0"})}},
		{name: "the old text is not there as often as the request says", files: file("x\ny\nx\n"), calls: []string{edits1("x", "z", "expected_replacements", 3)}},
		{name: "the request changes nothing", files: file("x\n"), calls: []string{edits1("x", "x"), editor(object{"action": "write", "content": "x\n"}), v4a("*** Update File: a\n@@\n-x\n+x\n"), editor(object{"action": "patch", "edits": []object{{"from": 1, "to": 1, "content": "x"}}})}},
		{name: "two edits overlap", files: file("1\n2\n3\naaa\n"), calls: []string{editor(object{"action": "patch", "edits": []object{{"from": 1, "to": 2, "content": "x"}, {"from": 2, "to": 3, "content": "y"}}}), edits1("aa", "b", "replace_all", true)}},
		{name: "the change is already there", files: file("total := 1\nprint(total)\n"), calls: []string{edits1("sum := 1", "total := 1"), v4a("*** Update File: a\n@@\n-sum := 1\n+total := 1\n print(total)\n")}},
		{name: "the new text has a placeholder for code left out", files: file(code), calls: []string{edits1("\tsum := 0\n\tfor _, it := range items {\n", "\tsum := 0\n\t// ... rest of the code\n")}},
		{name: "the file has changed since it was read", files: file("x\n"), setup: func(_ *atomicedit.Host, _ *atomicedit.Session, m *atomicedit.Mem) {
			atomicedit.Run(context.Background(), m, atomicedit.Plan{Ops: []atomicedit.Op{over(create("a", "y\n"))}}, nil)
		}, calls: []string{edits1("x", "z"), editor(object{"action": "read"}), edits1("y", "z")}},
		{name: "the file has changed since it was read: meanwhile", files: file("x\n"), setup: func(h *atomicedit.Host, _ *atomicedit.Session, m *atomicedit.Mem) {
			h.Approve = func(ctx context.Context, _ *atomicedit.Report) error {
				_, err := atomicedit.Run(ctx, m, atomicedit.Plan{Ops: []atomicedit.Op{over(create("a", "y\n"))}}, nil)
				return err
			}
		}, calls: []string{edits1("x", "z")}},
		{name: "the file has not been read", files: map[string]string{"unread": "1\n2\n3\n4\n5\n", "a": strings.Repeat("x\n", 20) + "y\n"}, calls: []string{
			operations(object{"type": "delete", "path": "unread"}), strReplace(object{"command": "view", "path": "unread", "view_range": []int{2, 3}}),
			"text_editor " + args(object{"action": "write", "path": "unread", "content": "x"}),
			"text_editor " + args(object{"action": "patch", "path": "unread", "edits": []object{{"from": 2, "to": 2, "content": "x"}}}),
			editor(object{"action": "patch", "edits": []object{{"from": 21, "to": 21, "content": ""}}}), editor(object{"action": "patch", "edits": []object{{"from": 1, "to": 1, "content": "z"}}}),
		}},
		{name: "not a text", files: file("x\x00\n"), calls: []string{editor(object{"action": "read"}), edits1("x", "y")}},
		{name: "too large", setup: func(h *atomicedit.Host, _ *atomicedit.Session, _ *atomicedit.Mem) {
			*h = *atomicedit.NewHost(tooLarge{})
		}, calls: []string{editor(object{"action": "read"}), edits1("x", "y")}},
		{name: "outside the directory", calls: []string{"text_editor " + args(object{"action": "read", "path": "../a"}), operations(object{"type": "create", "path": "/etc/x", "content": ""})}},
		{name: "not approved", files: file("x\n"), setup: func(h *atomicedit.Host, _ *atomicedit.Session, _ *atomicedit.Mem) {
			h.Approve = func(context.Context, *atomicedit.Report) error { return errors.New("the user wants y to stay") }
		}, calls: []string{edits1("x", "y")}},
		{name: "files that are there, or are not", files: map[string]string{"a": "x\n", "b": "y\n"}, calls: []string{
			"multi_edit " + args(object{"file_path": "c", "edits": []object{{"old_string": "x", "new_string": "y"}}}), edits1("", "y"), strReplace(object{"command": "create", "file_text": "y"}),
			operations(object{"type": "create", "path": "a", "content": "y"}), operations(object{"type": "move", "from": "a", "to": "b"}), v4a("*** Add File: a\n+y\n"), v4a("*** Delete File: c\n"),
			operations(object{"type": "create", "path": "a/b", "content": ""}),
		}},
		{name: "lines that are not there", files: file("x\n"), calls: []string{editor(object{"action": "patch", "edits": []object{{"from": 3, "to": 4, "content": ""}}}), strReplace(object{"command": "insert", "insert_line": 5, "insert_text": "x"})}},
		{name: "several problems", files: map[string]string{"a": "x\nx\n", "b": "y\n"}, calls: []string{
			"multi_edit_file " + args(object{"files": []object{{"path": "a", "edits": []object{{"old_string": "x", "new_string": "y"}, {"old_string": "z", "new_string": "y"}}}, {"path": "c", "edits": []object{{"old_string": "x", "new_string": "y"}}}}}),
		}},
		{name: "the machinery fails", setup: func(h *atomicedit.Host, _ *atomicedit.Session, _ *atomicedit.Mem) {
			*h = *atomicedit.NewHost(broken{atomicedit.NewMem(map[string]string{"a": "x\n"}), errors.New("commit a: no space left on device")})
		}, calls: []string{edits1("x", "y")}},
		{name: "the machinery fails half way", setup: func(h *atomicedit.Host, _ *atomicedit.Session, _ *atomicedit.Mem) {
			*h = *atomicedit.NewHost(broken{atomicedit.NewMem(map[string]string{"a": "x\n"}), fmt.Errorf("%w: a", atomicedit.ErrUnfinished)})
		}, calls: []string{edits1("x", "y")}},
		{name: "the machinery may have to do it again", setup: func(h *atomicedit.Host, _ *atomicedit.Session, _ *atomicedit.Mem) {
			*h = *atomicedit.NewHost(broken{atomicedit.NewMem(map[string]string{"a": "x\n"}), atomicedit.ErrNotDurable})
		}, calls: []string{edits1("x", "y")}},
	}
}

// tooLarge is a store whose files are all too large.
type tooLarge struct{}

func (tooLarge) Read(context.Context, string) (*atomicedit.File, error) {
	return nil, fmt.Errorf("%w: more than 67108864 bytes", atomicedit.ErrTooLarge)
}

func (tooLarge) Commit(context.Context, []atomicedit.Change) error { return errors.ErrUnsupported }
