package atomicedit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// edits1 is a multi_edit call of one edit of a.
func edits1(older, newer string, more ...any) string { return exact("a", older, newer, more...) }

// edits2 is one of two edits of a, of which the second is placed on what the first leaves.
func edits2(older, newer, older2, newer2 string) string {
	return "multi_edit " + args(object{"file_path": "a", "edits": []object{{"old_string": older, "new_string": newer}, {"old_string": older2, "new_string": newer2}}})
}

func blocks(text string) string {
	return "file_write_or_edit " + args(object{"file_path": "a", "percentage_to_change": 10, "text_or_search_replace_blocks": text})
}

func v4a(body string) string {
	return "apply_patch " + args(object{"input": "*** Begin Patch\n" + body + "*** End Patch"})
}

func editor(fields object) string {
	if fields["path"] == nil {
		fields["path"] = "a"
	}
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
		{name: "reading", files: map[string]string{"a": "one\ntwo\nthree\nfour\n", "empty": "", "huge": strings.Repeat("x", 1000), "long": strings.Repeat("x", 100) + "\n" + strings.Repeat("line\n", 300) + "\xe9", "bin": "\x00"}, calls: []string{
			editor(object{"action": "read"}), editor(object{"action": "read", "line_from": 2, "line_to": 3}), editor(object{"action": "read", "line_from": 9}),
			editor(object{"action": "read", "line_from": 3, "line_to": 2}), editor(object{"action": "read", "line_from": "x"}),
			strReplace(object{"command": "view", "view_range": []int{3, -1}}), strReplace(object{"command": "view", "view_range": []int{3}}), strReplace(object{"command": "view", "view_range": []float64{1.5, 2}}),
			strReplace(object{"command": "view", "view_range": "3"}),
			strReplace(object{"command": "view", "path": "empty"}), strReplace(object{"command": "view", "path": "long", "view_range": []int{1, 3}}),
			strReplace(object{"command": "view", "path": "long", "view_range": []int{1, 1}}), strReplace(object{"command": "view", "path": "long", "view_range": []int{200, 301}}), strReplace(object{"command": "view", "path": "long", "view_range": []int{301, 302}}),
			strReplace(object{"command": "view", "path": "missing"}), strReplace(object{"command": "view", "path": "huge", "view_range": []int{1, 1}}),
		}},
		{name: "done", files: map[string]string{"a": code, "b": "b\n", "c": "c\n"}, calls: []string{
			edits1("sum := 0", "sum := 1"), v4a("*** Update File: a\n*** Move to: d\n@@ func total(items []item) int {\n-\tsum := 1\n*** Delete File: b\n*** Add File: e\n+e\n"),
			operations(object{"type": "move", "from": "c", "to": "b"}), "file_write_or_edit " + args(object{"file_path": "f", "percentage_to_change": 100, "text_or_search_replace_blocks": "f\n"}),
		}},
		{name: "refused, with more than one way", files: map[string]string{"a": strings.Repeat("start it\n  body\n  body\nend it\nit is it\n", 3)}, calls: []string{
			blocks("<<<<<<< SEARCH\nstart it\n...\nend it\n=======\nbegin it\n...\nfinish it\n>>>>>>> REPLACE"),
			edits1("it is", "there is"), edits1("it", "that"),
			v4a("*** Update File: a\n@@ start it\n+new\n"),
		}, plans: []planned{{"all places, twice", atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{
			{Old: "end it", New: "end", WholeLines: true, Count: atomicedit.All}, {Old: "end it", New: "ends", WholeLines: true, Count: atomicedit.All}}}}}}}},
		{name: "refused, since the host overlooks nothing", files: map[string]string{"a": "def f():\n    total = 1\n    y = 2\n    return x\n    total = 1\n"},
			setup: func(h *atomicedit.Host, _ *atomicedit.Session, _ *atomicedit.Mem) {
				h.Options = &atomicedit.Options{Loosest: atomicedit.Exact}
			}, calls: []string{
				blocks("<<<<<<< SEARCH\ntotal = 1\ny = 2\n=======\ntotal = 1\ny = 3\n>>>>>>> REPLACE"),
				blocks("<<<<<<< SEARCH\n  total = 1\n=======\n  total = 2\n>>>>>>> REPLACE"),
				blocks("<<<<<<< SEARCH\n# A function.\ndef f():\n    total = 1\n=======\n>>>>>>> REPLACE"),
				blocks("<<<<<<< SEARCH\n    return x\n    total = 1\n    return y\n=======\n>>>>>>> REPLACE"),
			}},
		{name: "done, with what was overlooked", files: map[string]string{"a": "def f():\n    x = 1  \n    y = 2\n\n\n    say(\"it’s\")\n    return x\n"}, calls: []string{
			blocks("<<<<<<< SEARCH\n    x = 1\n    y = 2\n=======\n    x = 1\n    y = 3\n>>>>>>> REPLACE"),
			blocks("<<<<<<< SEARCH\nx = 1\ny = 3\n=======\nx = 1\ny = 4\n>>>>>>> REPLACE"),
			blocks("<<<<<<< SEARCH\n    say(\"it's\")\n=======\n    say(\"it's me\")\n>>>>>>> REPLACE"),
			blocks("<<<<<<< SEARCH\ndef f():\n    ...\n    return x\n=======\ndef f():\n    ...\n    return y\n>>>>>>> REPLACE"),
			v4a("*** Update File: a\n@@\n+# end\n"),
		}},
		{name: "an anchor that is a part of several lines", files: file("func a() {\n\tx()\n}\n\nfunc ab() {\n\tx()\n}\n"), calls: []string{
			v4a("*** Update File: a\n@@ func a\n-\tx()\n+\ty()\n"),
		}},
		{name: "two insertions that meet", files: file("one\ntwo\n"), calls: []string{
			blocks("<<<<<<< SEARCH\none\n=======\none\na\n>>>>>>> REPLACE\n<<<<<<< SEARCH\ntwo\n=======\nb\ntwo\n>>>>>>> REPLACE\n"),
		}},
		{name: "done, with two lines made one", files: file("one\ntwo\nthree\n"), calls: []string{edits1("one\n", "1")}},
		{name: "done, behind indentation that the old text does not show", files: file("if x:\n    one()\n    two()\n"), calls: []string{
			edits1("one()\n    two()", "    one(1)\n    two()"), edits1("two()", "    two(2)"), edits1("two(2)", "three()\nfour()"), edits1("one()\n", ""),
		}},
		{name: "done, with warnings", files: map[string]string{"a.go": "package a\n", "b.json": "{}\n", "c.js": "f(`x`)\r\n", "d": "x\n", "e.c": "f(x);\n"}, calls: []string{
			exact("e.c", "f(x);", "f(x]);"), exact("e.c", "f(x]);", "f(x);"), exact("e.c", "f(x);", "f(x));"),
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
			editor(object{"action": "undo"}), editor(object{"action": "patch"}), editor(object{"action": "patch", "edits": []object{{"from": 3, "to": 2, "content": ""}}}),
			editor(object{"action": "patch", "patch_text": "*** Begin Patch\n*** Delete File: a\n*** End Patch"}), strReplace(object{"command": "undo_edit"}),
			"file_write_or_edit " + args(object{"file_path": "a", "percentage_to_change": 101, "text_or_search_replace_blocks": "x"}),
			editor(object{"action": "write", "content": nil}), editor(object{"action": "patch", "patch_text": "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n"}),
			strReplace(object{"command": "str_replace", "old_str": "", "new_str": "y"}),
			"multi_edit_file " + args(object{"path": "a", "edits": []object{{"old_string": "", "new_string": "y"}}}),
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
		{name: "blocks as a whole file", files: file("x\n"), calls: []string{
			"file_write_or_edit " + args(object{"file_path": "a", "percentage_to_change": 80, "text_or_search_replace_blocks": "So:\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"}),
		}},
		{name: "a diff that is cut", files: file(strings.Repeat("x", 400) + "\n"), calls: []string{edits1("x\n", "y\n")}},
		{name: "a whole file with line numbers", files: file("x\n"), calls: []string{editor(object{"action": "write", "content": "     1\tx\n     2\ty\n"})}},
		{name: "a whole file that is no text", files: file("x\n"), calls: []string{
			"file_write_or_edit " + args(object{"file_path": "b", "percentage_to_change": 100, "text_or_search_replace_blocks": "x\x00"}),
		}},
		{name: "blocks of a file in doubt", files: file("x\n"), calls: []string{
			"blocks a\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\nThen change b.go and c.go as follows:\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n",
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
			blocks("<<<<<<< SEARCH\none()\ntwo()\n=======\n\tone()\n\tthree()\n>>>>>>> REPLACE"),
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
		{name: "the old text is not there after an edit before it", files: file("alpha beta\nrest of it\nrest of it\n"), calls: []string{
			edits2("alpha beta", "alpha gamma delta", "alpha gamma dolta\n", "x\n"), edits2("alpha beta\n", "1\n2\n3\nalpha gamma\n", "3\nalpha gama\nrest of it\n", "x\n"),
			edits2("alpha beta\n", "1\n2\n", "rest of it", "x"), edits2("alpha beta\n", "alpha\nrest of it\n", "rest of it", "x"),
		}},
		{name: "the old text is there more than once", files: map[string]string{"a": code + code, "b": "he has\nit and it\n"}, calls: []string{edits1("sum := 0", "sum := 1"), edits1("\tsum += it.price\n", "\tif it.ok {\n\t\tsum += it.price\n\t}\n", "replace_all", true), exact("b", "it", "they"), exact("b", "e", "E"), v4a("*** Update File: a\n@@ func total(items []item) int {\n-\tsum := 0\n"), strReplace(object{"command": "str_replace", "old_str": "return sum", "new_str": "return 0"})}},
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
		{name: "a file that appears meanwhile", setup: func(h *atomicedit.Host, _ *atomicedit.Session, m *atomicedit.Mem) {
			h.Approve = func(ctx context.Context, _ *atomicedit.Report) error {
				_, err := atomicedit.Run(ctx, m, atomicedit.Plan{Ops: []atomicedit.Op{create("a", "y\n")}}, nil)
				return err
			}
		}, calls: []string{edits1("", "z")}},
		{name: "the file has not been read", files: map[string]string{"unread": "1\n2\n3\n4\n5\n", "a": strings.Repeat("x\n", 20) + "y\n"}, calls: []string{
			operations(object{"type": "delete", "path": "unread"}), strReplace(object{"command": "view", "path": "unread", "view_range": []int{2, 3}}),
			"text_editor " + args(object{"action": "write", "path": "unread", "content": "x"}),
			"text_editor " + args(object{"action": "patch", "path": "unread", "edits": []object{{"from": 2, "to": 2, "content": "x"}}}),
			editor(object{"action": "patch", "edits": []object{{"from": 21, "to": 21, "content": ""}}}), editor(object{"action": "patch", "edits": []object{{"from": 1, "to": 1, "content": "z"}}}),
		}},
		{name: "not a text", files: file("x\x00\n"), calls: []string{editor(object{"action": "read"}), edits1("x", "y")}},
		{name: "too large", store: atomicedit.OddDir(map[string]string{"a": "more than ten\n"}, atomicedit.DirOptions{MaxSize: 10}), calls: []string{
			editor(object{"action": "read"}), edits1("x", "y"),
		}},
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
		{name: "the machinery fails", store: broken{atomicedit.NewMem(map[string]string{"a": "x\n"}), errors.New("commit a: no space left on device")}, calls: []string{edits1("x", "y")}},
		{name: "the call is given up", files: file("x\n"), calls: []string{"cancelled " + edits1("x", "y"), "cancelled " + editor(object{"action": "read"})}},
		{name: "the machinery fails half way", store: broken{atomicedit.NewMem(map[string]string{"a": "x\n"}), fmt.Errorf("%w: a", atomicedit.ErrUnfinished)}, calls: []string{edits1("x", "y")}},
		{name: "the machinery may have to do it again", store: broken{atomicedit.NewMem(map[string]string{"a": "x\n"}), atomicedit.ErrNotDurable}, calls: []string{edits1("x", "y")}},
		{name: "a directory with files that are odd", store: atomicedit.OddDir(map[string]string{
			"locked": "x\n", "immutable": "x\n", "mounted": "x\n", "in-locked-dir": "x\n", "not-ours": "x\n", "linked": "x\n", "pipe": "", "loop": "", "dir/a": "x\n", "a": "x\n",
		}, atomicedit.DirOptions{RefuseHardLinks: true}), calls: []string{
			edit("locked"), edit("immutable"), edit("mounted"), edit("in-locked-dir"), edit("not-ours"), edit("linked"), edit("pipe"), edit("loop"), edit("dir"),
			edit("a/b"), edit(".atomicedit/journal"), edit("../a"), edit("dir/"), editor(object{"action": "read", "path": "pipe"}),
			operations(object{"type": "create", "path": "n", "content": ""}, object{"type": "create", "path": "n/a", "content": ""}),
			operations(object{"type": "delete", "path": "a"}, object{"type": "create", "path": "a/b", "content": ""}),
			operations(object{"type": "delete", "path": "dir/a"}, object{"type": "create", "path": "dir", "content": ""}),
			operations(object{"type": "create", "path": "new/" + strings.Repeat("n", 256), "content": ""}), edit("a\x00b"), edit(strings.Repeat("p/", 2048) + "f"),
			operations(object{"type": "move", "from": "a", "to": "A"}),
			"multi_edit_file " + args(object{"files": []object{{"path": "a", "edits": []object{{"old_string": "x", "new_string": "y"}}}, {"path": "A", "edits": []object{{"old_string": "x", "new_string": "z"}}}}}),
		}},
		{name: "a directory with files that are odd, which the host allows", store: atomicedit.OddDir(map[string]string{
			"mounted": "x\n", "not-ours": "x\n", "linked": "x\n",
		}, atomicedit.DirOptions{InPlace: true, AllowOwnerChange: true}), calls: []string{edit("mounted"), edit("not-ours"), edit("linked")}},
		{name: "a directory for reading only", store: atomicedit.OddDir(map[string]string{"a": "x\n"}, atomicedit.DirOptions{ReadOnly: true}), calls: []string{edit("a")}},
		{name: "a directory that cannot hold the state of a commit", store: atomicedit.OddDir(map[string]string{"a": "x\n", "b": "x\n"}, atomicedit.DirOptions{}, "Mkdir 0"), calls: []string{
			"multi_edit_file " + args(object{"files": []object{{"path": "a", "edits": []object{{"old_string": "x", "new_string": "y"}}}, {"path": "b", "edits": []object{{"old_string": "x", "new_string": "z"}}}}}),
		}},
		{name: "a commit that breaks off", store: atomicedit.OddDir(map[string]string{"a": "x\n", "b": "x\n"}, atomicedit.DirOptions{}, "Rename 1"), calls: []string{
			"multi_edit_file " + args(object{"files": []object{{"path": "a", "edits": []object{{"old_string": "x", "new_string": "y"}}}, {"path": "b", "edits": []object{{"old_string": "x", "new_string": "z"}}}}}),
		}},
		{name: "requests that a host reads itself", files: file("x\n"), calls: []string{
			"parse ", "parse please edit the file", "parse   <<<<<<< SEARCH\n  x\n  =======\n  y\n  >>>>>>> REPLACE", "parse a\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n*** Begin Patch\n",
			"blocks a\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>> REPLACES", "blocks a\n<<<<<<< SEA", "blocks <<<<<<< SEARCH\nx\n=====\ny\n>>>>> REPLACE\n=======\nz\n>>>>>>>> REPLACE", "blocks <<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE",
			"v4a *** Begin Patch\n*** Delete File: a\n*** End Patch\n*** Delete File: a", "v4a ```\n*** Delete File: a\n```\nx", "v4a x\n*** Begin Patch\n*** End Patch\n*** Delete File: a", "v4a *** Begin Patch\n*** Update File: a\n@@\n x\n*** update file: b\n*** End Patch", "v4a @@\n-x\n+y\n*** Update File: b\n", "v4a *** Delete File: a\n*** End Patch\nx",
			"v4a *** Begin Patch\n*** Delete File: a\n*** End Patch\n<<<<<<< SEARCH",
			"json {\"command\": \"view\", \"path\": \"a\"}", "json {\"action\": \"read\", \"path\": \"a\"}", "json {\"a\": 1, \"b\": 2}", "json {}", "json {\"path\": \"\n\"}", "json {\"path\": \"\\x\"}", "json {\"path\": \"\\ud83d\", \"content\": \"\"}",
			"json {\"path\": \"a\", \"content\": \"\", \"mode\": 1}", "json {\"path\": \"a\", \"edits\": [{\"oldText\": \"x\", \"newText\": \"y\"}], \"dryRun\": true}",
		}},
		{name: "views that a host asks for", files: file("x\n"), calls: []string{"view a 2 1", "view a -1 0", "view a 2 0"}},
		{name: "unified diffs", files: file("x\n"), calls: []string{
			"unified x", "unified --- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\nx", "unified --- a/a\n+++ b/a\n@@ -1 +1 @@\n", "unified --- a/a\n+++ b/a\n@@ -1 +1 @@\n@@ -2 +2 @@\n-x\n", "unified --- a/a\n+++ b/a\n", "unified --- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n-x\n+y\n",
			"unified --- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n", "unified diff --git a/a b/a\nrename to b\n", "unified diff --git a/a b/a\nindex 1..2 160000\n", "unified diff --git a/a b/a\ncopy from a\n", "unified diff --git a/a b/a\nold mode 100644\n",
			"unified diff --git a/a b/a\nnew file mode 120000\n", "unified diff --git a/a b/a\nGIT binary patch\n", "unified --- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-x\n", "unified --- /dev/null\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n", "unified --- a/a\n+++ /dev/null\n@@ -1 +1 @@\n-x\n+y\n",
			"unified --- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n", "unified @@@ -1 -1 +1 @@@\n", "unified diff --git a/a b/a\n--- a/a\n+++ b/a\n", "unified @@ -1 +1 @@\n-x\n+y\n", "unified --- a/a\n+++ b/a\n@@ -1,4 +1,4 @@\n-x\n+y\n--- a/", "unified --- a/a\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-x\n-y\n",
			"unified diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n",
		}},
		{name: "more of unified diffs", files: file("y\nz\n"), calls: []string{
			"unified --- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n", "unified --- a/a\n+++ b/a\nThat is all.\n", "unified diff --git a b\n@@ -1 +1 @@\n-y\n+x\n",
			"unified --- a/a\n+++ b/a\n@@ -1 +1 @@\n-y\n+x\ndiff --git a/b b/b\nindex 1..2 100644\n--- a/b\n+++", "unified Binary files a/a and b/a differ\n", "unified --- a/a\n+++ b/a\n@@ -1 +1 @@\n-y\n+x\n--- a/b",
		}},
		{name: "unified diffs as models write them", files: map[string]string{"a": "x\n", "b.go": "x\n"}, calls: []string{
			"unified --- a/a\\n+++ b/a\\n@@ -1 +1 @@\\n-x\\n+y", "unified --- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n+++ b/b.go\n", "unified --- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n\nThen b.go has to follow.\n@@ -1 +1 @@\n-x\n+y\n",
			"unified *** a\n--- a\n***************\n*** 1 ****\n! x\n--- 1 ----\n! y\n", "unified 1c1\n< x\n---\n> y\n", "unified rename from a\nrename to b\n", "unified > --- a/a\n> +++ b/a\n> @@ -1 +1 @@\n> -x\n> +y\n", "unified --- /dev/null\n+++ a/c\n@@ -0,0 +1 @@\n+x\n",
			"unified --- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n+++ b/b.go\n@@ -1 +1 @@\n-x\n+z\n",
		}},
		{name: "plans on a text alone", files: file("x\n"), calls: []string{
			"text a\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\nb\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE", "text a\n<<<<<<< SEARCH\n=======\ny\n>>>>>>> REPLACE",
		}},
		{name: "plans that a program makes", files: map[string]string{"a": "x\ny\n", "wide": "\xff\xfex\x00\n\x00", "b": "x\n"}, plans: []planned{
			{"of no file", atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpDelete}}}},
			{"a move to nowhere", atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpMove, Path: "a"}}}},
			{"a file deleted, then edited", atomicedit.Plan{Ops: []atomicedit.Op{remove("a"), edits("a", "x", "y")}}},
			{"written against another version", atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a", Version: "sha256:00", Edits: []atomicedit.Edit{{Old: "x", New: "y"}}}}}},
			{"a range backwards", atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{{First: 2, Last: 1}}}}}},
			{"a range and a text", atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{{First: 2, Old: "x"}}}}}},
			{"a negative count", atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{{Old: "x", Count: -2}}}}}},
			{"no old text", atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{{New: "x"}}}}}},
			{"no old text, and a line as a hint", atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{{New: "x", Near: 1, WholeLines: true}}}}}},
			{"equal texts", atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{{Old: "x", New: "x"}}}}}},
			{"lines that an edit of a text has changed", atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{{Old: "x", New: "z"}, {First: 1, Last: 1}}}}}},
			{"UTF-16 that is no text", atomicedit.Plan{Ops: []atomicedit.Op{{Path: "wide", Edits: []atomicedit.Edit{{Old: "x", New: "\xe9"}}}}}},
			{"a byte order mark", atomicedit.Plan{Ops: []atomicedit.Op{{Path: "b", Edits: []atomicedit.Edit{{Old: "x", New: "\xff\xfex"}}}}}},
		}},
		{name: "what an edit leaves open", files: map[string]string{
			"space": "if a {\n\tx = 1  \n\ty = 2\n}\n", "blank": "a\n\n\n\nb\n", "gap": "a\n\nb\n", "more signs": "if a:\n    one()\n    two()\n    six()\n    ten()\n", "signs": "if a:\n    say(1)\n    say(2)\n", "tail": "x  \ny\n", "words": "the first line\nthe secnod line\nthe third line\n",
			"same": strings.Repeat("a\nb\n", 3), "many": "    f(1)\nf(1)\nf(1)  \n", "all": strings.Repeat("}\n", 100000), "twice": "x  \nx\nx\nx x\n",
		}, calls: []string{
			on("space", "\tx = 1\n", "\tx = 1 \n"), on("blank", "a\n\nb\n", "a\nb\n"), on("blank", "a\nb\n", "a\nc\nb\n"), on("gap", "a\nb\n", "c\n"), on("signs", "say(1)\nsay(2)\n", "say(1)\nsay(“2”)\n"),
			on("signs", "    say(1)\n", "\tsay(0)\n\tsay(1)\n"), exact("tail", "x\ny\n", "x\ny\nz"), on("words", "the first line\nthe second line\nthe third line\n", "the first line\nthe second line\nthe last line\n"),
			exact("many", "f(1)\nf(1)\n", "f(2)\n", "replace_all", true), on("all", " }\n }\n }\n }\n }\n }\n", "x\n"),
			on("more signs", "one()\n", "one(‘)\n"), on("more signs", "two()\n", "two(–)\n"), on("more signs", "six()\n", "six(\u00a0)\n"), on("more signs", "ten()\n", "ten(…)\n"),
		}, plans: []planned{
			{"all places of lines", atomicedit.Plan{Ops: []atomicedit.Op{{Path: "same", Edits: []atomicedit.Edit{{Old: "a\nb\na\n", New: "c\n", Count: atomicedit.All, WholeLines: true}}}}}},
			{"two places of a line", atomicedit.Plan{Ops: []atomicedit.Op{{Path: "twice", Edits: []atomicedit.Edit{{Old: "x  \n", New: "y\n", Count: atomicedit.All, WholeLines: true}}}}}},
			{"all places of lines that fit to the letter", atomicedit.Plan{Ops: []atomicedit.Op{{Path: "many", Edits: []atomicedit.Edit{{Old: "f(1)\n", New: "f(3)\n", Count: atomicedit.All, WholeLines: true}}}}}},
		}},
	}
}

// edit is a call that replaces the x of a file, on its whole line.
func edit(path string) string { return on(path, "x\n", "y\n") }

// on is a call of one block on a file.
func on(path, older, newer string) string {
	text := "<<<<<<< SEARCH\n" + older + "=======\n" + newer + ">>>>>>> REPLACE\n"
	return "file_write_or_edit " + args(object{"file_path": path, "percentage_to_change": 10, "text_or_search_replace_blocks": text})
}

// exact is a call of one substring edit on a file.
func exact(path, older, newer string, more ...any) string {
	e := object{"old_string": older, "new_string": newer}
	for i := 0; i < len(more); i += 2 {
		e[more[i].(string)] = more[i+1]
	}
	return "multi_edit " + args(object{"file_path": path, "edits": []object{e}})
}
