package formats_test

import (
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

func TestCallsInJSONLines(t *testing.T) {
	f := map[string]string{"f": "a\nb\n"}
	edit := func(old, new string) string {
		return accepttest.Args(accepttest.Object{"path": "f", "old_string": old, "new_string": new})
	}
	lines := func(line int, text string) string {
		return accepttest.Args(accepttest.Object{"path": "f", "start_line": line, "end_line": line, "content": text})
	}
	call := func(tool, input string) string { return `{"name": "` + tool + `", "arguments": ` + input + "}" }
	done := map[string]string{"f": "x\ny\n"}
	checkCalls(t, map[string]callCase{
		"arguments": {f, edit("a", "x") + "\n" + edit("b", "y") + "\n", done, ""},
		"calls": {f, call("edit", edit("a", "x")) + "\r\n\r\n" + call("edit", edit("b", "y")), done,
			""},
		"lines count the file":  {f, lines(1, "x\nz") + "\n" + lines(2, "y"), map[string]string{"f": "x\nz\ny\n"}, ""},
		"on one line":           {f, edit("a", "x") + " " + edit("b", "y"), done, ""},
		"the second is refused": {f, edit("a", "x") + "\n" + call("read_file", `{"path": "f"}`), nil, "not an edit"},
		"the second cut off": {f, edit("a", "x") + "\n" + edit("b", "y")[:20], nil,
			"line 2 of the request: the JSON was cut off"},
		"the second bad": {f, edit("a", "x") + "\n{x}", nil, "line 2 of the request: invalid JSON"},
		"a text behind":  {f, edit("a", "x") + "\nDone.", nil, "text after the JSON"},
		"a result behind": {f, call("edit", edit("a", "x")) + "\n" + `{"type": "tool_result", "content": "done"}`, nil,
			"result of a call is here"},
	})
}

func TestCallsInProse(t *testing.T) {
	f := map[string]string{"f": "a\n"}
	done := map[string]string{"f": "b\n"}
	edit := accepttest.Args(accepttest.Object{"path": "f", "old_string": "a", "new_string": "b"})
	move := accepttest.Args(accepttest.Object{"source": "f", "destination": "g"})
	spread := "{\n  " + strings.ReplaceAll(edit[1:], ",", ",\n  ")
	checkCalls(t, map[string]callCase{
		"below a sentence":         {f, "I change it.\n\n" + edit, done, ""},
		"below a sentence, a list": {f, "I change it.\n\n[" + edit + "]\n", done, ""},
		"behind a sentence":        {f, "I change it like this: " + edit + "\n", done, ""},
		"on several lines":         {f, "I change it.\n" + spread + "\nThat is all.", done, ""},
		"a text on its last line":  {f, "I change it.\n" + edit + " is all.", nil, "text after the JSON"},
		"bad JSON":                 {f, "I change it.\n{\"path\": f}", nil, "line 2 of the request: invalid JSON"},
		"cut off": {f, "I change it.\n" + edit[:20], nil,
			"line 2 of the request: the JSON was cut off"},
		"behind a word":    {f, "For example, " + edit, nil, "no known format"},
		"code with braces": {f, "So:\nif x {\n}\n{ x }\n", nil, "no known format"},
		"in code":          {f, "So:\n~~~yaml\na:\n" + edit + "\n~~~\n", nil, "no known format"},
		"an action":        {f, "Thought: I change it.\nAction: edit\nAction Input: " + edit, done, ""},
		"an action, below": {f, "**Action:** `move_file`\n**Action Input:**\n" + move,
			map[string]string{"g": "a\n"}, ""},
		"an action that is no edit": {f, "Action: copy_file\nAction Input: " + move, nil, "not an edit"},
		"an action that was made": {f, "Action: edit\nAction Input: " + edit + "\nObservation: done", nil,
			"line 3 of the request: the result of a call is here"},
		"a call by its sign": {f, "I change it.\n\n@fs.edit(call-1): " + edit + "\n", done, ""},
		"calls by their signs": {f, "@edit(toolu_1.2): " + spread + "\n@move_file: " + move + "\nThat is all.",
			map[string]string{"g": "b\n"}, ""},
		"a sign, a copy":       {f, "@copy_file(1): " + move, nil, "not an edit"},
		"a sign, cut off":      {f, "@edit(1): " + edit[:20], nil, "cut off"},
		"a sign, but no name":  {f, "@(1): " + edit, nil, "no known format"},
		"a sign in a sentence": {f, "See @edit(1): " + edit, nil, "no known format"},
		"in a fence in arguments": {f, accepttest.Object{"name": "edit", "arguments": "```json\n" + edit + "\n```"},
			done, ""},
	})
}

func TestCallsBetweenTheTokensOfATemplate(t *testing.T) {
	f := map[string]string{"f": "a\nb\n"}
	done, both := map[string]string{"f": "x\nb\n"}, map[string]string{"f": "x\ny\n"}
	edit := accepttest.Args(accepttest.Object{"path": "f", "old_string": "a", "new_string": "x"})
	second := accepttest.Args(accepttest.Object{"path": "f", "old_string": "b", "new_string": "y"})
	copied := accepttest.Args(accepttest.Object{"source": "f", "destination": "g"})
	call := func(arguments string) string { return `{"name": "edit", "parameters": ` + arguments + "}" }
	const kimi, kimiEnd = "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"
	kimiCall := func(name, arguments string) string {
		return "<|tool_call_begin|>" + name + "<|tool_call_argument_begin|>" + arguments + "<|tool_call_end|>"
	}
	deepSeek := func(arguments string) string {
		return "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>" + arguments + "<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
	}
	inText := accepttest.Args(accepttest.Object{"path": "f", "old_string": "a",
		"new_string": "[TOOL_CALLS]edit<|call|>"})
	checkCalls(t, map[string]callCase{
		"Mistral, a list": {f, "[TOOL_CALLS] [" + call(edit) + ", " + call(second) + "]</s>", both, ""},
		"Mistral, names": {f, "I do.[TOOL_CALLS]edit[CALL_ID]abc[ARGS]" + edit + "[TOOL_CALLS]edit" + second,
			both, ""},
		"Mistral, a copy": {f, "[TOOL_CALLS]copy_file[ARGS]" + copied, nil, "not an edit"},
		"Mistral, a result": {f, "[TOOL_CALLS] [" + call(edit) + "][TOOL_RESULTS] {}", nil,
			"result of a call is here"},
		"Llama":       {f, "<|python_tag|>" + call(edit) + "; " + call(second) + "<|eom_id|>", both, ""},
		"Llama, code": {f, "<|python_tag|>fs.edit(path)<|eom_id|>", nil, "has no arguments"},
		"Kimi": {f,
			"I do." + kimi + kimiCall("functions.edit:0", edit) + kimiCall("functions.edit:1", second) + kimiEnd, both,
			""},
		"Kimi, a copy": {f, kimi + kimiCall("functions.copy_file:0", copied) + kimiEnd, nil, "not an edit"},
		"Kimi, cut off": {f, kimi + "<|tool_call_begin|>functions.edit:0<|tool_call_argument_begin|>" +
			edit[:20], nil, "cut off"},
		"Kimi, no arguments":      {f, kimi + kimiCall("functions.edit:0", "") + kimiEnd, nil, "has no arguments"},
		"Kimi, cut off in a name": {f, kimi + "<|tool_call_begin|>functions.ed", nil, "cut off in a call"},
		"harmony": {f,
			"<|channel|>analysis<|message|>So " + second +
				"<|end|><|start|>assistant<|channel|>commentary to=functions.edit <|constrain|>json<|message|>" + edit +
				"<|call|>", done, ""},
		"harmony, the role": {f, "<|start|>assistant to=functions.edit<|channel|>commentary json<|message|>" +
			edit + "<|call|>", done, ""},
		"harmony, a result": {f, "<|channel|>commentary to=functions.edit<|message|>" + edit +
			"<|call|><|start|>functions.edit to=assistant<|channel|>commentary<|message|>{}<|end|>", nil,
			"result of a call is here"},
		"harmony, only an answer": {f, "<|channel|>final<|message|>I changed it.<|return|>", nil, "no known format"},
		"DeepSeek":                {f, deepSeek("function<｜tool▁sep｜>edit\n```json\n" + edit + "\n```"), done, ""},
		"DeepSeek, a copy": {f, deepSeek("function<｜tool▁sep｜>copy_file\n```json\n" + copied + "\n```"), nil,
			"not an edit"},
		"DeepSeek, later": {f, deepSeek("edit<｜tool▁sep｜>" + edit), done, ""},
		"Phi":             {f, "<|tool_call|>[" + call(edit) + "]<|/tool_call|>", done, ""},
		"Cohere": {f, "<|START_THINKING|>So " + second + "<|END_THINKING|><|START_ACTION|>[" +
			`{"tool_call_id": "0", "tool_name": "edit", "parameters": ` + edit + "}]<|END_ACTION|>", done, ""},
		"tokens in a text": {f, "I do:\n```json\n" + inText + "\n```\n",
			map[string]string{"f": "[TOOL_CALLS]edit<|call|>\nb\n"}, ""},
		"tokens in a text, marked": {f, "[TOOL_CALLS]edit[ARGS]" + inText,
			map[string]string{"f": "[TOOL_CALLS]edit<|call|>\nb\n"}, ""},
	})
}
