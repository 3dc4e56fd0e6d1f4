package atomicedit_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/atomicedit/atomicedit/internal/sweeptest"
)

func FuzzParse(f *testing.F) {
	accepttest.FuzzText(f, atomicedit.Parse, nil, accepttest.SeedBlocks, accepttest.SeedLong, accepttest.SeedPatch,
		accepttest.SeedBare, accepttest.SeedOdd, accepttest.SeedShell, accepttest.SeedDiff, accepttest.SeedPlain,
		accepttest.SeedLines, accepttest.SeedTags, accepttest.SeedGroups, accepttest.SeedCommands,
		`{"path":"f","content":"a"}`, "```json\n{}\n```", ":\n{",
		"{\"path\":\"f\",\"content\":\"a\"}\n{\"delete_file\":{\"path\":\"g\"}}",
		"So:\n{\"path\":\"f\",\"edits\":{\"type\":\"delete\",\"line\":2}}",
		"So:\n```save f\na\n```\n````append f\n```\n````\n", "@edit(1): {\"path\":\"f\",\"delete\":true}\n@save: {}",
		"<|python_start|>[edit(path='f', edits=[{\"old\": 'a\\x41', 'new': None}], all=True), d.e(x=r'''\n''' \"b\")]<|python_end|>",
		"Action: edit\nAction Input: {\"path\":\"f\",\"delete\":true}",
		"[TOOL_CALLS]edit[ARGS]{\"Path\":\"f\",\"code\":\"\"}</s>",
		"<|channel|>x to=functions.rename<|message|>{\"path\":\"f\",\"new_name\":\"g\"}<|call|>",
		"<|tool_call_begin|>e:0<|tool_call_argument_begin|>{}")
}

// A diff does not quote its lines, so not everything that was read can be printed.
func FuzzParseUnified(f *testing.F) {
	accepttest.FuzzText(f, atomicedit.ParseUnified, func(t *testing.T, p atomicedit.Plan) {
		switch _, err := p.Unified(); {
		case err == nil:
			accepttest.CheckPrinted(t, accepttest.Printers()["unified"], p)
		case !errors.Is(err, errors.ErrUnsupported):
			t.Fatal(err)
		}
	}, accepttest.SeedDiff, accepttest.SeedPlain, accepttest.SeedTrees)
}

func FuzzParseHashline(f *testing.F) {
	accepttest.FuzzText(f, atomicedit.Parse, nil, accepttest.SeedLines)
}

// A plan that was read can be printed, and read again.
func FuzzParseBlocks(f *testing.F) {
	accepttest.FuzzText(f, atomicedit.ParseBlocks,
		func(t *testing.T, p atomicedit.Plan) { accepttest.CheckPrinted(t, accepttest.Printers()["blocks"], p) },
		accepttest.SeedBlocks, accepttest.SeedLong)
}

func FuzzParseV4A(f *testing.F) {
	accepttest.FuzzText(f, atomicedit.ParseV4A,
		func(t *testing.T, p atomicedit.Plan) { accepttest.CheckPrinted(t, accepttest.Printers()["v4a"], p) },
		accepttest.SeedPatch, accepttest.SeedBare, accepttest.SeedOdd, accepttest.SeedShell)
}

func FuzzParseJSON(f *testing.F) {
	for _, s := range []string{
		`{"file_path":"f","edits":[{"old_string":"a","new_string":"b","replace_all":true},{"old_string":"c","new_string":null}]}`,
		`{"fileChanges":{"f":{"type":"update","unified_diff":"@@ -1 +1 @@\n-a\n+b\n","move_path":"g"},"h":{"delete":{"content":"a"}},"i":[{"old":"a","new":"b"}]}}`,
		`{"jsonrpc":"2.0","method":"session/update","params":{"update":{"toolCallId":"c","content":[{"type":"diff","path":"f","oldText":"a","newText":"b"}]}}}`,
		`{"function":"write_files","parameters":[{"name":"files","type":"object","value":{"f":"a"}},{"name":"cwd","value":"d"}]}`,
		`{"directory":"d","filename":"f","replacement":{"old":"a","new":"b"},"commit":true,"status":"pending"}`,
		`{"path":"f","edits":"[{\"oldText\":\"a\",\"newText\":\"b\"}]","dryRun":false}`,
		`{"operations":[{"type":"edit","path":"f","edits":[{"old_string":"a","new_string":"b","startLine":1}]},{"type":"move","from":"a","to":"b"}],"cwd":"x"}`,
		`{"path":"f","edits":[{"from":1,"to":2,"content":"a"}]}`,
		`{"file_path":"f","percentage_to_change":10,"text_or_search_replace_blocks":"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE"}`,
		`{"operation":{"type":"create_file","path":"f","diff":"+a"}}`,
		`{"command":"insert","path":"f","insert_line":0,"insert_text":"a"}`,
		`{"action":"patch","path":"f","patch_text":"@@\n-a\n+b"}`,
		`{"path":"f","edits":[{"op":"replace","pos":"1#KT:a","end":"2#JB","lines":["a",""]},{"op":"append","lines":null}]}`,
		`{"path":"f","op":"replace","pos":"1#0","lines":[]}`,
		`{"input":"*** Begin Patch\n*** Delete File: f\n*** End Patch"}`,
		`{"ops":[{"kind":"edit","path":"f","edits":[]},{"kind":"edit","path":"g","edits":[{"old":"a","new":"b","anchors":[]}]}]}`,
		`{"ops":[{"kind":"edit","path":"f","edits":[{"old":"a","new":"b","count":-1,"anchors":["x"]}]}],"dry_run":true}`,
		`{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"1","name":"Edit","input":{"filePath":"f","oldString":"a","newString":"b","replaceAll":null}}],"stop_reason":"tool_use"}`,
		`{"choices":[{"message":{"tool_calls":[{"function":{"name":"create_file","arguments":"{\"path\":\"f\",\"content\":\"a\"}"}}]}}]}`,
		`[{"type":"function_call","name":"replace_lines","arguments":"{\"relative_path\":\"f\",\"start_line\":0,\"end_line\":1,\"content\":\"a\"}"},{"type":"apply_patch_call","operation":{"type":"delete_file","path":"g"}}]`,
		`{"path":"f","old_str_1":"a","new_str_1":"b","old_str_2":"c","new_str_2":"d","old_str_start_line_number_2":3}`,
		`{"files":[{"path":"f","content":"a","overwrite":false},{"path":"g","action":"move","from":"g","to":"h"}]}`,
		`{"command":["bash","-lc","apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: f\n*** End Patch\nEOF\n"],"workdir":"x"}`,
		`{"path":"f","mode":"append","content":"a","base_hash":"sha256:0"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := atomicedit.ParseJSON(data)
		accepttest.CheckParsed(t, string(data), p, err)
	})
}

// These requests would take hours if a parser looked at each line once for every other line.
func TestParsersAreLinearOnHostileRequests(t *testing.T) {
	n := sweeptest.Or(10_000, 50_000)
	longer := func(head, tail string, most int) string {
		var b strings.Builder
		for i := 5; i < most; i++ {
			b.WriteString(strings.Repeat(head, i) + tail + "\n")
		}
		return b.String()
	}
	numbered := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"old_str_%d":"a","new_str_%d":"b"`, i, i)
		}
		return `{"path":"f"` + b.String() + "}"
	}
	for name, text := range map[string]string{
		"openers":            strings.Repeat("<<<<<<< SEARCH\n", n),
		"openers, longer":    longer("<", " SEARCH", 3000) + strings.Repeat("a\n", n),
		"closers, longer":    "<<<<< SEARCH\n" + longer(">", " REPLACE", 3000),
		"separators":         "<<<<<<< SEARCH\n" + strings.Repeat("=======\n", n),
		"separators of five": "<<<<<<< SEARCH\n" + strings.Repeat("=====\n", n),
		"blank lines": strings.Repeat("\n", n) + "<<<<<<< SEARCH\n" + strings.Repeat("\n", n) +
			"=======\n>>>>>>> REPLACE\n",
		"fences":  strings.Repeat("```\n", n) + "<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\n",
		"anchors": "*** Begin Patch\n*** Update File: f\n" + strings.Repeat("@@ a\n", n),
		"blank context": "*** Begin Patch\n*** Update File: f\n@@\n a\n" + strings.Repeat("\n", n) +
			"*** End Patch\n",
		"sections":               "*** Begin Patch\n" + strings.Repeat("*** Delete File: f\n", n),
		"here-documents":         strings.Repeat("a <<EOF\n", n) + strings.Repeat("@@\n-a\n", n),
		"headers":                strings.Repeat("--- a\n+++ b\n", n),
		"header-like hunk":       "--- a\n+++ b\n@@ -1,9 +1,9 @@\n" + strings.Repeat("--- a\n+++ b\n", n),
		"hunks of a file":        "--- /dev/null\n+++ b\n" + strings.Repeat("@@ -0,0 +1 @@\n+a\n", n),
		"sections of lines":      strings.Repeat("[a]\nPUT 1:\n", n) + strings.Repeat("+\n\n", n),
		"empty sections":         strings.Repeat("[a]\n", n) + "REM\n",
		"blank new lines":        "[a]\nPUT 1:\n+a\n" + strings.Repeat("\n", n) + "+b\n",
		"brackets":               strings.Repeat("[", n),
		"objects":                strings.Repeat(`{"edits":[`, n),
		"brackets that cross":    strings.Repeat(`{"edits":[{]`, n),
		"a bracket that crosses": `{"edits":[{]`,
		"edits, cut off": `{"file_path":"f","edits":[` + strings.Repeat(`{"old_string":"a","new_string":"b"},`,
			n/10),
		"edits, not objects": `{"file_path":"f","edits":[` + strings.Repeat(`1,`, n) + `1]}`,
		"edits, all wrong":   `{"file_path":"f","edits":[` + strings.Repeat("{},\n", n/10) + `{}]}`,
		"fields":             `{` + strings.Repeat(`"a":1,`, n) + `"a":1}`,
		"fields, numbered":   numbered(n),
		"calls of one file": "[" +
			strings.Repeat(`{"name":"edit","arguments":{"path":"f","edits":[{"from":1,"to":1,"content":"a"}]}},`,
				n/10) + `{"name":"x","input":{}}]`,
		"messages in a message": strings.Repeat(`{"message":[`, 1000) + strings.Repeat("]}", 1000),
		"fences of calls":       strings.Repeat("```\n{\"path\":\"f\",\"content\":\"a\"}\n```\n", n/10) + "```\n{}\n",
		"no calls":              "[" + strings.Repeat("1,", 5*n) + "1]",
		"a long tool, its edits": `{"name":"` + strings.Repeat("edit_", n) + `","arguments":{"path":"f","edits":[` +
			strings.Repeat(`{"insert_line":1,"new_text":"a"},`, n/5) + `{}]}}`,
		"a fence behind spaces": strings.Repeat(" ", 20*n) + "```json\n" + strings.Repeat("a\n", n),
		"a long name of a tool": `{"name":"` + strings.Repeat("edit_", n) + `","arguments":{"files":[` +
			strings.Repeat(`{"path":"f","content":"a"},`, n/5) + `{}]}}`,
		"surrogates": `{"path":"f","content":"` + strings.Repeat(`\ud800`, n) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			for _, parse := range []func(string) (atomicedit.Plan, error){
				atomicedit.Parse, atomicedit.ParseBlocks, atomicedit.ParseV4A, atomicedit.ParseUnified,
				atomicedit.Parse, func(s string) (atomicedit.Plan, error) { return atomicedit.ParseJSON([]byte(s)) },
			} {
				p, err := parse(text)
				accepttest.CheckParsed(t, text, p, err)
			}
		})
	}
}

// FuzzApply applies two edits to a text. Whatever they are, the text is not touched, the matches lead from it to the
// result, the answer is always the same, and a looser option never changes a stricter outcome, except that it may
// refuse what does not fit exactly.
func FuzzApply(f *testing.F) {
	f.Add([]byte("a\nb\nc\n"), "b\n", "x\n", "c", "y", true, 0, 0, 0, 0, "")
	f.Add([]byte("def f():\r\n    one()\r\n    two()\r\n"), "one()\n...\n", "1()\n...\n", "1| def f():\n",
		"1| def g():\n", true, 0, 3, 0, 0, "def f")
	f.Add([]byte("\tif x {\n\t\ty()\n\t}\n"), "if x {\n    y()\n", "if x {\n    “y”()\n", "", "end\n", true, -1, 0, 0,
		0, "")
	f.Add([]byte("\xff\xfea\x00\n\x00b\x00"), "b", "é", "a", "\\", false, 0, 0, 1, 2, "")
	f.Add([]byte("the same line\nthe same line\nthe sane line\n"), "the same line\nthe same lime\nthe same line\n",
		"the same line\nthe same lime\nother\n", "\n", "", true, 2, 1, 0, 0, "the")
	f.Add([]byte("caf\xe9\ntea\n"), "tea\n", "th\xe9\n", "caf", "thé", true, 0, 0, 0, 0, "")
	f.Add([]byte("a\nb\na\n"), "b", "c", "a", "x", true, 0, 0, -38, -37, "")
	f.Add([]byte("\xef\xbb\xbf\xe9\r\n\x83\x65\x81"), "\x81", "\ufffd", "\xe9", "é", false, 0, 0, 0, 0, "")
	f.Fuzz(func(t *testing.T, src []byte, old1, new1, old2, new2 string, whole bool, count, near, first, last int,
		after string) {
		if len(src) > 10_000 || len(old1)+len(new1)+len(old2)+len(new2) > 10_000 {
			return
		}
		edits := []atomicedit.Edit{
			{Old: old1, New: new1, WholeLines: whole, Count: count, Near: near},
			{Old: old2, New: new2, WholeLines: !whole, First: first, Last: last, AtEnd: near == 1},
		}
		if after != "" {
			edits[0].Anchors = strings.Split(after, "\n")
		}
		kept := bytes.Clone(src)
		res, err := atomicedit.Apply(src, edits, nil)
		if !bytes.Equal(src, kept) {
			t.Fatal("the source was changed")
		}
		again, err2 := atomicedit.Apply(src, edits, nil)
		if !reflect.DeepEqual(res, again) || fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Fatalf("not the same twice: %+v, %v and %+v, %v", res, err, again, err2)
		}
		var refusal *atomicedit.Refusal
		if err != nil && (!errors.As(err, &refusal) || len(err.Error()) > 4000) {
			t.Fatalf("no refusal, or a long one: %v", err)
		}
		if err == nil {
			accepttest.CheckResult(t, src, res)
		}
		var strict *atomicedit.Result
		for loosest := atomicedit.Exact; loosest <= atomicedit.Drift; loosest++ {
			res, err := atomicedit.Apply(src, edits[:1], &atomicedit.Options{Loosest: loosest})
			switch {
			case strict == nil && err == nil:
				strict = res
			case strict != nil && err != nil && strict.Matches[0].Fit == atomicedit.Exact:
				t.Fatalf("exact it is %q, up to %v refused: %v", strict.Text, loosest, err)
			case strict != nil && err == nil && !bytes.Equal(strict.Text, res.Text):
				t.Fatalf("%q, but with looser fits, up to %v, %q", strict.Text, loosest, res.Text)
			}
		}
	})
}
