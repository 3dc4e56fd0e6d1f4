package formats_test

import (
	"testing"

	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

func TestEditsOfALanguageServerInCalls(t *testing.T) {
	f := map[string]string{"f": "abc\n"}
	done := map[string]string{"f": "xbc\n"}
	edit := func(text string) accepttest.Object {
		return accepttest.Object{"range": accepttest.Object{"start": accepttest.Object{"line": 0, "character": 0},
			"end": accepttest.Object{"line": 0, "character": 1}}, "newText": text}
	}
	changes := accepttest.Object{"changes": accepttest.Object{"f": []any{edit("x")}}}
	document := accepttest.Object{"documentChanges": []any{accepttest.Object{"textDocument": accepttest.Object{"uri": "f", "version": nil}, "edits": []any{edit("x")}}}}
	call := func(arguments accepttest.Object) accepttest.Object {
		return accepttest.Object{"name": "apply_edits", "arguments": arguments}
	}
	action := func(fields ...any) accepttest.Object {
		o := accepttest.Object{"title": "Fix", "kind": "quickfix", "edit": changes}
		for i := 0; i < len(fields); i += 2 {
			o[fields[i].(string)] = fields[i+1]
		}
		return o
	}
	beside := edit("x")
	beside["path"] = "f"
	checkCalls(t, map[string]callCase{
		"a workspace edit":           {f, call(changes), done, ""},
		"changes of documents":       {f, call(document), done, ""},
		"a list of edits of a file":  {f, call(accepttest.Object{"uri": "f", "edits": []any{edit("x")}}), done, ""},
		"such a list without a name": {f, accepttest.Object{"path": "f", "edits": []any{edit("x")}}, done, ""},
		"one edit of a file":         {f, call(beside), done, ""},
		"an edit and a text": {f,
			accepttest.Object{"path": "f",
				"edits": []any{edit("x"), accepttest.Object{"old_string": "c", "new_string": "z"}}},
			map[string]string{"f": "xbz\n"}, ""},
		"a tool that reads": {f, accepttest.Object{"name": "read_file", "arguments": changes}, nil,
			"not an edit"},
		"a tool that previews": {f, accepttest.Object{"name": "preview_edits", "arguments": changes}, f, ""},
		"a request of the server": {f,
			accepttest.Object{"jsonrpc": "2.0", "id": 1, "method": "workspace/applyEdit",
				"params": accepttest.Object{"label": "x", "edit": changes}}, done, ""},
		"the parameters of that":    {f, accepttest.Object{"label": "x", "edit": changes}, done, ""},
		"a code action":             {f, action(), done, ""},
		"a list of one code action": {f, []any{action()}, done, ""},
		"a list of code actions":    {f, []any{action(), action()}, nil, "several code actions"},
		"a code action with a command": {f, action("command", accepttest.Object{"command": "c"}), nil,
			"the edit is not all of it"},
		"a disabled code action": {f, action("disabled", accepttest.Object{"reason": "no"}), nil,
			"cannot be made"},
		"a result, without a version": {f, accepttest.Object{"id": 1, "result": changes}, nil, "no known kind"},
		"a result of the server": {f, accepttest.Object{"jsonrpc": "2.0", "id": 1, "result": changes}, nil,
			"is not a call of a tool"},
	})
}

func TestHashlinesInCalls(t *testing.T) {
	f := map[string]string{"f": "a\nb\n"}
	patch := func(text string) accepttest.Object { return accepttest.Object{"path": "f", "patch": text} }
	with := func(name string, value any, edits ...any) accepttest.Object {
		return accepttest.Object{"path": "f", "edits": append([]any{}, edits...), name: value}
	}
	last, text := accepttest.Object{"op": "append", "lines": []any{"c"}},
		accepttest.Object{"op": "replace_text", "old_text": "a", "new_text": "x"}
	checkCalls(t, map[string]callCase{
		"operations of a path":       {f, patch("PUT 2:\n+x\n"), map[string]string{"f": "a\nx\n"}, ""},
		"operations with a header":   {f, patch("[f]\nPUT 2:\n+x\n"), map[string]string{"f": "a\nx\n"}, ""},
		"operations of another file": {f, patch("[g]\nPUT 2:\n+x\n"), nil, "the edits are of \"g\""},
		"a text and lines":           {f, with("cwd", nil, text, last), map[string]string{"f": "x\nb\nc\n"}, ""},
		"a file that is deleted":     {f, with("delete", true), map[string]string{}, ""},
		"a file that is not deleted": {f, with("delete", false, last), map[string]string{"f": "a\nb\nc\n"}, ""},
		"a file deleted and edited":  {f, with("delete", true, last), nil, "says that the file is deleted"},
		"a file that is moved":       {f, with("move", "g"), map[string]string{"g": "a\nb\n"}, ""},
		"a file edited and moved":    {f, with("rename", "g", last), map[string]string{"g": "a\nb\nc\n"}, ""},
		"a file edited, to where": {f, with("destination", "g", last), nil,
			"does not say that the edited file is moved"},
	})
}

func TestANewFileWhoseLinesHaveNoSign(t *testing.T) {
	create := func(diff string) accepttest.Object {
		return accepttest.Object{"type": "create_file", "path": "f", "diff": diff}
	}
	none := map[string]string{}
	checkCalls(t, map[string]callCase{
		"all lines with a sign": {none, create("+a\n+\n+b\n"), map[string]string{"f": "a\n\nb"}, ""},
		"a byte order mark":     {none, create("\ufeff+a\n+b\n"), map[string]string{"f": "a\nb"}, ""},
		"an empty line without": {none, create("+a\n\n+b\n"), map[string]string{"f": "a\n\nb"}, ""},
		"no line with a sign":   {none, create("a\n\n b\n"), map[string]string{"f": "a\n\n b\n"}, ""},
		"the first with a sign": {none, create("+a\nb\n"), nil, "even a blank one, begins with \"+\""},
		"the last with a sign":  {none, create("a\n+b\n"), nil, "but the lines of the added file above it do not"},
		"another sign":          {none, create(" a\n b\n"), nil, "may be content or a prefix"},
		"a hunk":                {none, create("@@\n a\n"), nil, "even a blank one, begins with \"+\""},
		"nothing":               {none, create(""), map[string]string{"f": ""}, ""},
	})
}
