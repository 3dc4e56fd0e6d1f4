package formats_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/google/go-cmp/cmp"
)

const (
	besideBlock  = "app.ini\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	besidePatch  = "*** Begin Patch\n*** Delete File: x\n*** End Patch\n"
	besideObject = `{"name": "delete_file", "arguments": {"path": "x"}}` + "\n"
	besideFence  = "```json\n" + besideObject + "```\n"
	besideTags   = "<delete_file>\n<path>x</path>\n</delete_file>\n"
)

// Calls that a model has only thought about are not carried out.
func TestThoughtsAreNoRequest(t *testing.T) {
	want, err := atomicedit.Parse(besideBlock)
	if err != nil {
		t.Fatal(err)
	}
	for name, request := range map[string]string{
		"a patch":                 "<think>\n" + besidePatch + "No, it is needed.\n</think>\n" + besideBlock,
		"a call in JSON":          "<thinking>\n" + besideFence + "</thinking>\n" + besideBlock,
		"words behind them":       "\n<reasoning>" + besidePatch + "</reasoning>So:\n" + besideBlock,
		"twice":                   "<think>" + besideObject + "</think>\n<think>\n" + besidePatch + "</think>\n" + besideBlock,
		"thoughts about a file":   "src/util.py has\n\n```python\nx = 1\n```\n\nso I edit app.ini.\n</think>\n\n" + besideBlock,
		"a tag that never closes": "Models write\n<think>\nwhen they think.\n\n" + besideBlock,
		"below the request":       besideBlock + "Done. <think>That is right.</think>\n",
		"in lines, below it":      besideBlock + "\n  <thinking>\n  That is right.\n  </thinking>\n",
		"behind words, below it":  besideBlock + "Now: <thinking>\nThat is right.\n</thinking>\n",
		"in one line, below it":   besideBlock + "  <think>That is right.</think>\n",
		"a tag that began before": "I could send a patch, but do not.\n</think>\n" + besideBlock,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := atomicedit.Parse(request)
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%v, -want +got:\n%s", err, diff)
			}
		})
	}
	for _, request := range []string{"<think>\n" + besidePatch + "</think>\n", "<think>\n" + besideFence + "</think>\nAll is well.\n"} {
		if _, err := atomicedit.Parse(request); !errors.Is(err, atomicedit.ErrNoRequest) {
			t.Errorf("%q: %v", request, err)
		}
	}
	if _, err := atomicedit.Parse("<think>\n" + besidePatch); !errors.Is(err, atomicedit.ErrSyntax) {
		t.Errorf("thoughts that do not end: %v", err)
	}
	twice := "a</think>b\n" + besidePatch + "</think>\n" + besideBlock
	if _, err := atomicedit.Parse(twice); !errors.Is(err, atomicedit.ErrSyntax) {
		t.Errorf("a tag in a line above the draft: %v", err)
	}
	mixed := besideBlock + "1. " + besideObject + "</think>\n" + besideBlock
	if _, err := atomicedit.Parse(mixed); !errors.Is(err, atomicedit.ErrSyntax) {
		t.Errorf("a draft in two formats: %v", err)
	}
	for _, end := range []string{"- No.</think>\n", "No <think> again.\n</think>\n", "</think>Now:\n", "  </think>\n"} {
		if _, err := atomicedit.Parse(besideBlock + end + besideBlock); !errors.Is(err, atomicedit.ErrSyntax) {
			t.Errorf("blocks that may be a draft, and %q: %v", end, err)
		}
	}
	many := strings.Replace(besideBlock, "b\n", strings.Repeat("</think>\n", 20), 1)
	for _, draft := range []string{many, besideBlock + many, "--- a/f\n+++ b/f\n@@ @@\n-x\n+y\n", strings.Replace(besideBlock, "b\n", "b\n</think>\n", 1)} {
		if _, err := atomicedit.Parse(draft + "</think>\n" + besideBlock); !errors.Is(err, atomicedit.ErrSyntax) {
			t.Errorf("a draft: %q, %v", draft, err)
		}
	}
	about := strings.NewReplacer("a\n=", "a</think>\n=", "b\n>", "b</think>\n>").Replace(besideBlock)
	if _, err := atomicedit.Parse(about + "No.\n</think>\n" + about); !errors.Is(err, atomicedit.ErrSyntax) {
		t.Errorf("a tag between two in content: %v", err)
	}
	for _, end := range []string{"No.\n</think>\n", "No.\r\n</think>\r\n", "No.</think>\n\n", "</think>\n", " </think>\n",
		"- No.</think>\n", "No.\n</thinking>\n"} {
		if _, err := atomicedit.Parse(besidePatch + end + besidePatch); !errors.Is(err, atomicedit.ErrSyntax) {
			t.Errorf("a patch that may be a draft, and %q: %v", end, err)
		}
		if _, err := atomicedit.Parse(besidePatch + end + besideBlock); !errors.Is(err, atomicedit.ErrSyntax) {
			t.Errorf("a request that may be a draft, and %q: %v", end, err)
		}
	}
	p, err := atomicedit.Parse("<think>\nhm\n</think>\n\n" + besideObject + "\nDone.\n")
	if err != nil || len(p.Ops) != 1 {
		t.Errorf("an object, and words behind it: %+v, %v", p, err)
	}
	commands := "edit a 1:1\n<think>\nplan\n</think>\nend\nend_of_edit\n"
	if p, err = atomicedit.Parse(commands); err != nil || p.Ops[0].Edits[0].New != "<think>\nplan\n</think>\nend\n" {
		t.Errorf("content of commands: %+v, %v", p, err)
	}
	diff := "Models write\n<think>\n.\n\n--- a/p\n+++ b/p\n@@ -1 +1 @@\n-q\n+</think>\n\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
	if p, err = atomicedit.Parse(diff); err != nil || len(p.Ops) != 2 {
		t.Errorf("content of a diff: %+v, %v", p, err)
	}
	diff = "--- a/f\n+++ b/f\n@@ @@\n-a\n+b</think>\n"
	if p, err = atomicedit.Parse(diff); err != nil || p.Ops[0].Edits[0].New != "b</think>\n" {
		t.Errorf("content of a diff without numbers: %+v, %v", p, err)
	}
	content := "a.txt\n<<<<<<< SEARCH\na\n=======\n<think>\nb\n</think>\n>>>>>>> REPLACE\n"
	p, err = atomicedit.Parse(content)
	if err != nil || p.Ops[0].Edits[0].New != "<think>\nb\n</think>\n" {
		t.Errorf("content: %+v, %v", p, err)
	}
	content = strings.Replace(content, "<think>\n", "", 1)
	if p, err = atomicedit.Parse(content); err != nil || p.Ops[0].Edits[0].New != "b\n</think>\n" {
		t.Errorf("content: %+v, %v", p, err)
	}
}

// No part of a request is lost because it is in another format than the rest.
func TestACallBesideARequestInAnotherFormatIsNotLost(t *testing.T) {
	formats := map[string]string{
		"blocks": besideBlock, "patch": besidePatch, "fence": besideFence, "object": besideObject, "tags": besideTags,
		"diff": "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n\n", "action": "Action: delete_file\nAction Input: {\"path\": \"x\"}\n",
		"calls": "[delete_file(path=\"x\")]\n", "commands": "edit f 1:1\nb\nend_of_edit\n",
		"code": "```tool_code\ndelete_file(path=\"x\")\n```\n", "file": "```save x\nb\n```\n",
	}
	formats["at sign"] = "@delete_file(call_1): {\"path\": \"x\"}\n"
	formats["tool call"] = "<tool_call>\n" + besideObject + "</tool_call>\n"
	formats["tokens"] = "[TOOL_CALLS]delete_file[ARGS]{\"path\": \"x\"}</s>\n"
	formats["Kimi's tokens"] = "<|open|>tools<|sep|><|open|>call tool=\"delete_file\"<|sep|><|open|>argument key=\"path\"<|sep|>x" +
		"<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>\n"
	formats["harmony"] = "<|channel|>commentary to=functions.delete_file<|message|>{\"path\": \"x\"}<|call|>\n"
	formats["hashlines"] = "[f]\nPUT 1:\n+b\n"
	for _, name := range []string{"patch", "diff", "hashlines", "commands"} {
		formats[name+" in a fence"] = "```\n" + formats[name] + "```\n"
	}
	kind := func(name string) string { return strings.TrimSuffix(name, " in a fence") }
	for one, first := range formats {
		for other, second := range formats {
			for _, between := range []string{"\n", "\nAnd then:\n\n"} {
				p, err := atomicedit.Parse(first + between + second)
				if err == nil && len(p.Ops) < 2 && kind(one) != kind(other) {
					t.Errorf("%s, then %s: %+v", one, other, p)
				}
			}
		}
	}
	for name, rest := range map[string]string{
		"an indented patch":                strings.ReplaceAll("\n"+strings.TrimSpace(besidePatch), "\n", "\n    "),
		"a call in a list":                 "1. " + besideObject,
		"a call in a table":                "| " + strings.TrimSpace(besideObject) + " |",
		"a call below what is no JSON":     "- {\"a\":\n" + besideObject,
		"a call that lacks a field":        `{"name": "edit", "arguments": {"path": "x", "old_string": "a"}}`,
		"a call that is cut off":           `{"name": "edit", "arguments": {"path": "x", "old_str`,
		"a call with a comma too many":     strings.Replace(besideObject, "}}", "},}", 1),
		"a call behind words":              "Call: " + besideObject,
		"a call with a list in a text":     `{"path": "x", "old_string": "a", "new_string": "b: [c()]"}`,
		"an edit in the call of a command": `{"command": "create", "path": "x", "file_text": "a"}`,
		"a patch in a field":               `{"patchText": "*** Begin Patch\n*** Update File: q\n@@\n-a\n+b\n*** End Patch"}`,
		"a call in some tag":               "<details>\n" + besideObject + "</details>\n",
		"a tool that runs, in Python":      `[run(path="x", old_string="a", new_string="b")]`,
		"a patch for a shell":              `[shell(patch="*** Begin Patch\n*** Delete File: q\n*** End Patch")]`,
		"edits with paths":                 `[multi_edit(edits=[{"path": "x", "old_string": "a", "new_string": "b"}])]`,
		"calls on several lines":           "[\n  delete_file(path=\"x\"),\n]\n",
		"calls in a list":                  `- [delete_file(path="x")]`,
		"Python that is cut off":           `[edit(path="x", old_string="a", new_st`,
		"a call in a wrapper":              `{"type": "tool_use", "name": "write_file", "input": {"path": "q", "content": "abc`,
		"code with a comment":              "```tool_code\n# once\n\ndelete_file(path=\"x\")\n```\n",
	} {
		if p, err := atomicedit.Parse(besideBlock + rest); err == nil {
			t.Errorf("blocks, and %s: %+v", name, p)
		}
	}
	for name, request := range map[string]string{
		"data":                    besideBlock + "\nThe file is then:\n\n```json\n{\"port\": 8080}\n```\n",
		"sample data":             besideBlock + "\nThe webhook sends\n\n```json\n{\"path\": \"/api/x\", \"content\": \"hi\"}\n```\n",
		"a call that reads":       besideBlock + `{"name": "TodoWrite", "input": {"todos": [{"content": "a"}]}}`,
		"a call that runs":        besideBlock + `{"name": "run_tests", "arguments": {"path": "a_test.go"}}`,
		"tokens that are told of": "Kimi has `<|open|>tools<|sep|>`.\n\n" + besideBlock + "\nKimi has `<|open|>tools<|sep|>`.\n",
		"a call in content, behind a tag": "<write_to_file>\n<path>d.md</path>\n<content>Like this: " + strings.TrimSpace(besideObject) +
			"\nDone.\n</content>\n</write_to_file>",
		"a call that is told of":  besideBlock + "Calls such as `{\"name\": \"edit\", \"arguments\": {...}}` still work.\n",
		"the types of its fields": besideBlock + "```\n{\"old_string\": string, \"new_string\": string}\n```\n",
		"a call with variables":   besideBlock + "{\"name\": \"edit\", \"arguments\": {\"path\": p, \"old_string\": o}}\n",
		"a call with an ellipsis": besideBlock + "Like this:\n\n{\"name\": \"edit\", \"arguments\": {...}}\n",
		"fields that are told of": besideBlock + "The old call `{\"old_string\": x, \"new_string\": y}` is no longer needed.\n",
		"a sample":                besideBlock + "The model answers with {\"edits\": [{\"path\": \"<path>\", \"old_text\": \"<old>\", \"new_text\": \"<new>\"}]}.\n",
		"Python code":             besideBlock + "```python\nassert calls == [delete(path=\"x\")]\n```\n",
		"a route":                 besideBlock + `{"name": "update", "parameters": {"path": "/users", "method": "PUT"}}`,
		"JSON of a parameter": "<invoke name=\"multi_edit\">\n<parameter name=\"edits\">[\n{\"path\": \"a\", \"old_string\": \"x\", " +
			"\"new_string\": \"y\"}]</parameter>\n</invoke>\n",
		"a tool that runs": `run(path="b.go", old_string="x", new_string="y")`,
		"a named step":     besideBlock + `{"name": "Delete cache", "type": "node", "args": {"path": "x"}}`,
		"a schema":         besideBlock + `{"name": "edit", "parameters": {"type": "object", "properties": {"path": {}}}}`,
		"thoughts in tokens": "<|channel|>analysis<|message|>A draft:\n" + besideObject + "No.<|end|><|start|>assistant<|channel|>" +
			"commentary to=functions.delete_file<|message|>{\"path\": \"y\"}<|call|>",
		"calls in a diff":   "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-" + besideObject + "+1. " + besideObject,
		"an indented list":  "  [edit(path='a.txt', old_string='x', new_string='{y}')]\n",
		"content of a file": "app.md\n<<<<<<< SEARCH\na\n=======\n" + besideFence + "b\n>>>>>>> REPLACE\n",
		"content of a patch": "*** Begin Patch\n*** Update File: f\n@@\n {\"name\": \"delete_file\",\n  \"arguments\": " +
			"{\"path\": \"x\"}}\n-a\n+b\n*** End Patch\n",
	} {
		if _, err := atomicedit.Parse(request); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A backslash that JSON takes for an escape makes no file of another name.
func TestPathsOfCallsHaveNoLineBreaks(t *testing.T) {
	for _, path := range []string{`web\new.ts`, `src\test.py`, `docs\readme.md`, `a.txt\n`} {
		p, err := atomicedit.ParseJSON([]byte(`{"name": "write_file", "arguments": {"path": "` + path + `", "content": "x"}}`))
		if !errors.Is(err, atomicedit.ErrSyntax) {
			t.Errorf("%s: %+v, %v", path, p, err)
		}
	}
}

// A code fence below a name may be a file. The end of a fence is none, and neither is what a shell runs.
func TestAFenceBelowAFileNameIsRefusedButNotItsEnd(t *testing.T) {
	for request, want := range map[string]error{
		"src/util.py\n\n```python\nx = 1\n```\n":                  atomicedit.ErrSyntax,
		"Run it with:\n\n```bash\npython src/util.py\n```\n":      atomicedit.ErrNoRequest,
		"```\nerror in src/util.py\n```\nand\n\n```\nmore\n```\n": atomicedit.ErrNoRequest,
	} {
		if _, err := atomicedit.Parse(request); !errors.Is(err, want) {
			t.Errorf("%q: %v", request, err)
		}
	}
}

// A script around a diff may apply it elsewhere, or do more, which would be lost. In the text of a diff, it is content.
func TestAScriptAroundADiffIsRefused(t *testing.T) {
	const diff = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
	for script, want := range map[string]error{
		"patch -p1 <<'EOF'\n" + diff + "EOF\n":                                                       atomicedit.ErrSyntax,
		"$ patch -p1 <<'EOF'\n" + diff + "EOF\n":                                                     atomicedit.ErrSyntax,
		"Run:\n\n```sh\ngit apply <<EOF\n" + diff + "EOF\n```\n":                                     atomicedit.ErrSyntax,
		"cd sub && patch -p1 <<'EOF'\n" + diff + "EOF\n":                                             atomicedit.ErrSyntax,
		"patch -p1 <<'EOF'\n" + diff:                                                                 atomicedit.ErrSyntax,
		"cd sub\n\npatch -p1 <<'EOF'\n" + diff + "EOF\n":                                             atomicedit.ErrSyntax,
		"cat > g <<'EOF'\nx\nEOF\npatch -p1 <<'EOF'\n" + diff + "EOF\n":                              atomicedit.ErrSyntax,
		"sudo patch -p1 <<'EOF'\n" + diff + "EOF\n":                                                  atomicedit.ErrSyntax,
		"cat > fix.diff <<'EOF'\n" + diff + "EOF\n":                                                  atomicedit.ErrSyntax,
		"Run:\n  git apply <<EOF\n" + diff + "EOF\n":                                                 atomicedit.ErrSyntax,
		"cat <<'EOF' | (cd sub; git apply)\n" + diff + "EOF\n":                                       atomicedit.ErrSyntax,
		"Now it is 1 << n.\n" + diff:                                                                 nil,
		"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n patch -R <<'EOF'\n-a\n+b\n":                             nil,
		"--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n cat <<EOF\n---- x\n+--- y\n":                            nil,
		"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+cat <<EOF\n--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n": nil,
	} {
		if p, err := atomicedit.Parse(script); !errors.Is(err, want) {
			t.Errorf("%q: %+v, %v", script, p, err)
		}
	}
}

// Fields of an envelope with capitals are read as others, so none is overlooked.
func TestAnEnvelopeInCapitalsIsNotOverlooked(t *testing.T) {
	const patch = "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch\n"
	const call = `"name": "Edit", "arguments": {"path": "f", "old_string": "a", "new_string": "b"}}`
	for _, request := range []string{
		patch + `{"Name": "Edit", "Arguments": {"path": "g", "old_string": "a", "new_string": "b"}}`,
		`{"Status": "rejected", ` + call, `{"Error": "denied", ` + call, `{"Role": "tool", ` + call,
	} {
		if p, err := atomicedit.Parse(request); !errors.Is(err, atomicedit.ErrSyntax) {
			t.Errorf("%q: %+v, %v", request, p, err)
		}
	}
}

// A request that is nearly in a format is no text for the user.
func TestWhatIsNearlyARequestIsRefusedAsOne(t *testing.T) {
	for _, request := range []string{
		"a.txt\n<<<<<<< search\na\n=======\nb\n>>>>>>> replace\n",
		"Now:\n\n   --- a/f\n   +++ b/f\n   @@ -1 +1 @@\n   -a\n   +b\n",
		"1c1\n< a\n---\n> b\n",
	} {
		if _, err := atomicedit.Parse(request); !errors.Is(err, atomicedit.ErrSyntax) {
			t.Errorf("%q: %v", request, err)
		}
	}
	for _, reply := range []string{"I ran cat <<search.\n", "- one\n+ two\n", "> quoted\n\nWell.\n", "1. a\n2. b\n"} {
		if _, err := atomicedit.Parse(reply); !errors.Is(err, atomicedit.ErrNoRequest) {
			t.Errorf("%q: %v", reply, err)
		}
	}
}

// A call that cannot be read is no text for the user. One request has its line breaks doubled.
func TestACallInAnUnknownEnvelopeIsRefused(t *testing.T) {
	const edit = `{"path": "f", "old_string": "a", "new_string": "b"}`
	for request, want := range map[string]error{
		"<|begin_of_call|> edit " + edit:                     atomicedit.ErrSyntax,
		`{"wrapped": [{"tool": "x", "with": ` + edit + `}]}`: atomicedit.ErrSyntax,
		"Calls such as `" + edit + "` still work.":           atomicedit.ErrNoRequest,
		strings.ReplaceAll("*** Begin Patch\n*** Update File: f\n@@\n a\n-b\n+c\n d\n*** End Patch\n", "\n", "\n\n"):                   atomicedit.ErrSyntax,
		`{"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "STOP"}]}` + "\n" + `{"path": "f", "old_string": ""}`: atomicedit.ErrSyntax,
		`{"a": {"b": 1}}`: atomicedit.ErrNoRequest,
	} {
		if p, err := atomicedit.Parse(request); !errors.Is(err, want) {
			t.Errorf("%q: %+v, %v", request, p, err)
		}
	}
}
