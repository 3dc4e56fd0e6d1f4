package formats_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// meantCalls returns calls whose fields have the keys of [accepttest.FieldNames()].
func meantCalls() map[string]accepttest.Object {
	return map[string]accepttest.Object{
		"an edit":               {"path": "f", "old": "a", "new": "b"},
		"an edit of all":        {"path": "f", "old": "a", "new": "b", "all": true},
		"an edit of two places": {"path": "f", "old": "a", "new": "b", "count": 2},
		"an edit with a line":   {"path": "f", "old": "a", "new": "b", "first": 7},
		"a creation":            {"path": "f", "old": "", "new": "b"},
		"a preview":             {"path": "f", "old": "a", "new": "b", "dry run": true},
		"below a directory":     {"path": "f", "old": "a", "new": "b", "cwd": "d"},
		"edits": {"path": "f",
			"edits": []any{accepttest.Object{"old": "a", "new": "b"},
				accepttest.Object{"old": "c", "new": "", "all": true}}},
		"edits of files": {"edits": []any{accepttest.Object{"path": "f", "old": "a", "new": "b"},
			accepttest.Object{"path": "g", "old": "c", "new": "d"}}},
		"edits of lines": {"path": "f",
			"edits": []any{accepttest.Object{"first": 1, "last": 2, "text": "a"},
				accepttest.Object{"first": 4, "last": 4}}},
		"lines":              {"path": "f", "first": 2, "last": 3, "text": "a\nb"},
		"lines as they are":  {"path": "f", "first": 2, "last": 2, "text": "a", "expected": "b"},
		"an insertion below": {"path": "f", "after": 3, "text": "a"},
		"an insertion above": {"path": "f", "before": 3, "text": "a"},
		"a file":             {"path": "f", "content": "a"},
		"a new file":         {"path": "f", "content": "a", "overwrite": false},
		"more of a file":     {"path": "f", "content": "a", "append": true},
		"a file, by mode":    {"path": "f", "content": "a", "mode": "create"},
		"files": {"files": []any{accepttest.Object{"path": "f", "content": "a"},
			accepttest.Object{"path": "g", "old": "a", "new": "b"}}},
		"a patch":    {"patch": "*** Begin Patch\n*** Delete File: f\n*** End Patch"},
		"chunks":     {"path": "f", "patch": "@@\n-a\n+b\n"},
		"blocks":     {"path": "f", "patch": "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"},
		"a move":     {"source": "f", "destination": "g"},
		"a deletion": {"path": "f", "mode": "delete"},
		"operations": {"operations": []any{accepttest.Object{"mode": "delete", "path": "f"},
			accepttest.Object{"mode": "move", "source": "g", "destination": "h"},
			accepttest.Object{"mode": "edit", "path": "i", "edits": []any{accepttest.Object{"old": "a", "new": "b"}}}}},
	}
}

// named returns a call with names in the place of the meanings of its fields.
func named(v any, name func(meaning string) string) any {
	switch v := v.(type) {
	case accepttest.Object:
		renamed := accepttest.Object{}
		for _, meaning := range slices.Sorted(maps.Keys(v)) {
			renamed[name(meaning)] = named(v[meaning], name)
		}
		return renamed
	case []any:
		renamed := make([]any, len(v))
		for i, e := range v {
			renamed[i] = named(e, name)
		}
		return renamed
	}
	return v
}

// firstNames returns the first name of a meaning.
func firstNames(meaning string) string { return accepttest.FieldNames()[meaning][0] }

// spell returns a name as some tools spell it.
func spell(t *rapid.T, name string) string {
	words := strings.Split(name, "_")
	style := rapid.SampledFrom([]string{"snake", "kebab", "camel", "Pascal", "flat"}).Draw(t, "style")
	for i, w := range words {
		if style == "Pascal" || style == "camel" && i > 0 {
			words[i] = string(unicode.ToUpper(rune(w[0]))) + w[1:]
		}
	}
	switch style {
	case "snake":
		return name
	case "kebab":
		return strings.Join(words, "-")
	}
	return strings.Join(words, "")
}

func TestAFieldMayHaveAnyOfItsNames(t *testing.T) {
	calls, all := meantCalls(), accepttest.FieldNames()
	names := slices.Sorted(maps.Keys(calls))
	rapid.Check(t, func(t *rapid.T) {
		which := rapid.SampledFrom(names).Draw(t, "call")
		want := accepttest.Must(atomicedit.ParseJSON([]byte(accepttest.Args(named(calls[which], firstNames)))))
		chosen := map[string]string{}
		call := accepttest.Args(named(calls[which], func(meaning string) string {
			if chosen[meaning] == "" {
				chosen[meaning] = spell(t, rapid.SampledFrom(all[meaning]).Draw(t, meaning))
			}
			return chosen[meaning]
		}))
		if slices.Contains([]string{"relative_path", "relativePath", "RelativePath", "relative-path", "relativepath"},
			chosen["path"]) && strings.Contains(which, "lines") {
			return // counts from 0, or from 1
		}
		if strings.EqualFold(chosen["old"], "needle") && strings.EqualFold(chosen["new"], "repl") {
			return // serena's, which has to say that the needle is no regular expression
		}
		got, err := atomicedit.ParseJSON([]byte(call))
		if err != nil {
			t.Fatalf("%s: %v", call, err)
		}
		if diff := cmp.Diff(want, got, accepttest.ButWords); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", call, diff)
		}
	})
}

// envelopes returns what puts a call of a tool into an envelope.
func envelopes() map[string]func(tool string, call accepttest.Object) any {
	type o = accepttest.Object
	anthropic := func(tool string, call o) o { return o{"type": "tool_use", "id": "t1", "name": tool, "input": call} }
	chat := func(tool string, call o) o {
		return o{"id": "c1", "type": "function", "function": o{"name": tool, "arguments": accepttest.Args(call)}}
	}
	responses := func(tool string, call o) o {
		return o{"type": "function_call", "id": "f1", "call_id": "c1", "name": tool, "arguments": accepttest.Args(call),
			"status": "completed"}
	}
	gemini := func(tool string, call o) o { return o{"functionCall": o{"name": tool, "args": call}} }
	bedrock := func(tool string, call o) o { return o{"toolUse": o{"toolUseId": "t1", "name": tool, "input": call}} }
	langchain := func(tool string, call o) o { return o{"name": tool, "args": call, "id": "c1", "type": "tool_call"} }
	said := []any{o{"type": "text", "text": "I change it."}}
	return map[string]func(string, o) any{
		"the arguments":      func(tool string, call o) any { return call },
		"a list":             func(tool string, call o) any { return []any{call} },
		"Anthropic, a block": func(tool string, call o) any { return anthropic(tool, call) },
		"Anthropic, a message": func(tool string, call o) any {
			return o{"role": "assistant", "content": append(said, anthropic(tool, call)), "stop_reason": "tool_use"}
		},
		"OpenAI, a call": func(tool string, call o) any { return chat(tool, call) },
		"OpenAI, an answer": func(tool string, call o) any {
			return o{"object": "chat.completion",
				"choices": []any{o{"message": o{"role": "assistant", "content": "Well.",
					"tool_calls": []any{chat(tool, call)}}, "finish_reason": "tool_calls"}}}
		},
		"OpenAI, function_call": func(tool string, call o) any {
			return o{"role": "assistant", "function_call": o{"name": tool, "arguments": accepttest.Args(call)}}
		},
		"OpenAI, responses": func(tool string, call o) any {
			return o{"object": "response",
				"output": []any{o{"type": "reasoning", "summary": []any{}}, responses(tool, call)}}
		},
		"OpenAI, parallel calls": func(tool string, call o) any {
			return o{"tool_uses": []any{o{"recipient_name": "functions." + tool, "parameters": call}}}
		},
		"Gemini, a part": func(tool string, call o) any { return gemini(tool, call) },
		"Gemini, an answer": func(tool string, call o) any {
			return o{"candidates": []any{o{"content": o{"role": "model",
				"parts": []any{o{"text": "Well."}, gemini(tool, call)}}, "finishReason": "STOP"}}}
		},
		"Bedrock, an answer": func(tool string, call o) any {
			return o{"output": o{"message": o{"role": "assistant",
				"content": []any{o{"text": "Well."}, bedrock(tool, call)}}}, "stopReason": "tool_use"}
		},
		"MCP": func(tool string, call o) any {
			return o{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": o{"name": tool, "arguments": call}}
		},
		"LangChain, a message": func(tool string, call o) any {
			return o{"type": "ai", "content": []any{anthropic(tool, call)}, "tool_calls": []any{langchain(tool, call)},
				"invalid_tool_calls": []any{}}
		},
		"LangChain, an action": func(tool string, call o) any { return o{"action": tool, "action_input": call} },
		"LlamaIndex": func(tool string,
			call o) any {
			return o{"tool_id": "1", "tool_name": tool, "tool_kwargs": call}
		},
		"Vercel": func(tool string, call o) any {
			return o{"role": "assistant", "content": append(said,
				o{"type": "tool-call", "toolCallId": "1", "toolName": tool, "input": call})}
		},
		"Vercel, a part": func(tool string, call o) any {
			return o{"role": "assistant", "parts": []any{o{"type": "tool-" + tool, "toolCallId": "1",
				"state": "input-available", "input": call}}}
		},
		"Ollama": func(tool string, call o) any {
			return o{"model": "m", "message": o{"role": "assistant", "content": "",
				"tool_calls": []any{o{"function": o{"name": tool, "arguments": call}}}}, "done": true,
				"done_reason": "stop"}
		},
		"a hook": func(tool string, call o) any {
			return o{"session_id": "s", "cwd": "/w", "hook_event_name": "PreToolUse", "tool_name": tool,
				"tool_input": call}
		},
		"a string twice": func(tool string, call o) any {
			return o{"name": tool, "arguments": accepttest.Args(accepttest.Args(call))}
		},
		"a transcript": func(tool string, call o) any {
			return o{"type": "assistant", "cwd": "/w",
				"message": o{"role": "assistant", "content": []any{anthropic(tool, call)}}}
		},
		"an agent's event": func(tool string,
			call o) any {
			return o{"type": "tool_call", "tool": tool, "parameters": call}
		},
	}
}

func TestACallMayHaveAnyEnvelope(t *testing.T) {
	for which, call := range meantCalls() {
		call := named(call, firstNames).(accepttest.Object)
		want := accepttest.Must(atomicedit.ParseJSON([]byte(accepttest.Args(call))))
		for name, envelop := range envelopes() {
			wrapped := accepttest.Args(envelop("editor", call))
			got, err := atomicedit.ParseJSON([]byte(wrapped))
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%s in %s: %s: %v (-want +got):\n%s", which, name, wrapped, err, diff)
			}
		}
	}
}

func TestExtrasThatMeanNothingChangeNothing(t *testing.T) {
	names := accepttest.FieldNames()
	for which, call := range meantCalls() {
		call := named(call, firstNames).(accepttest.Object)
		want := accepttest.Must(atomicedit.ParseJSON([]byte(accepttest.Args(call))))
		check := func(extra string, value any) {
			if _, ok := call[extra]; ok {
				return
			}
			call := maps.Clone(call)
			call[extra] = value
			got, err := atomicedit.ParseJSON([]byte(accepttest.Args(call)))
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%s with %q, %v: %v (-want +got):\n%s", which, extra, value, err, diff)
			}
		}
		for _, extra := range accepttest.HarmlessFields() {
			check(extra, "x")
		}
		for _, extra := range slices.Concat(slices.Collect(maps.Values(names))...) {
			check(extra, nil)
		}
	}
}

func TestAFieldThatIsNotKnownIsRefused(t *testing.T) {
	for which, call := range meantCalls() {
		for _, deep := range []bool{false, true} {
			call := named(call, firstNames).(accepttest.Object)
			at := call
			for _, v := range call {
				if list, ok := v.([]any); ok && deep {
					at = list[len(list)-1].(accepttest.Object)
				}
			}
			at["unheard_of"] = "x"
			p, err := atomicedit.ParseJSON([]byte(accepttest.Args(call)))
			if !errors.Is(err, atomicedit.ErrSyntax) || !strings.Contains(err.Error(), "unheard_of") {
				t.Errorf("%s: %s: %+v, %v", which, accepttest.Args(call), p, err)
			}
		}
	}
}
