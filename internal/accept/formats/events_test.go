package formats_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/google/go-cmp/cmp"
)

// The events of a stream are read whether they were recorded as JSON lines, as server-sent events, or as a list, by
// Parse and by a Stream.
func TestEventsOfAStreamAreReadHoweverTheyWereRecorded(t *testing.T) {
	const args, quoted = `{"path":"a","old_string":"x","new_string":"y"}`,
		`{\"path\":\"a\",\"old_string\":\"x\",\"new_string\":\"y\"}`
	anthropic := []string{
		`{"type":"message_start","message":{"id":"m","role":"assistant","content":[]}}`,
		`{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"Edit","input":{}}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"` + quoted + `"}}`,
		`{"type":"content_block_stop","index":0}`,
		`{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`,
		`{"type":"message_stop"}`,
	}
	var wrapped []string
	for _, e := range anthropic {
		wrapped = append(wrapped, `{"type":"stream_event","event":`+e+`,"session_id":"s"}`)
	}
	want := []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{{Old: "x", New: "y"}}}}
	for api, events := range map[string][]string{
		"anthropic":             anthropic,
		"claude code":           wrapped,
		"openai, choices":       {`{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"x","type":"function","function":{"name":"edit","arguments":""}}]}}]}`, `{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"` + quoted + `"}}]}}]}`, `{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`},
		"openai, last response": {`{"type":"response.completed","response":{"status":"completed","output":[{"type":"function_call","name":"edit","arguments":"` + quoted + `","call_id":"c"}]}}`},
		"openai, last items": {`{"type":"response.created","response":{"status":"in_progress"}}`,
			`{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","name":"edit","arguments":"` + quoted + `","call_id":"c"}}`,
			`{"type":"response.completed","response":{"status":"completed","output":[{"type":"function_call","name":"edit","arguments":"` + quoted + `","call_id":"c"}]}}`},
		"openai, only a patch": {`{"type":"response.output_item.done","output_index":0,"item":{"type":"apply_patch_call","call_id":"c","status":"completed","operation":{"type":"update_file","path":"a","diff":"@@\n-x\n+y\n"}}}`,
			`{"type":"response.completed","response":{"status":"completed"}}`},
		"ollama": {`{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"edit","arguments":` + args + `}}]},"done":false}`, `{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}`},
		"gemini": {`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"edit","args":` + args +
			`}}],"role":"model"}}]}`, `{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP"}]}`},
		"cohere": {`{"type":"message-start","id":"m","delta":{"message":{"role":"assistant"}}}`,
			`{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"c","type":"function","function":{"name":"edit","arguments":""}}}}}`,
			`{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"` + quoted + `"}}}}}`,
			`{"type":"message-end","delta":{"finish_reason":"TOOL_CALL"}}`},
		"vercel": {`{"type":"start"}`, `{"type":"tool-input-start","toolCallId":"c","toolName":"edit"}`,
			`{"type":"tool-input-delta","toolCallId":"c","inputTextDelta":"` + quoted + `"}`,
			`{"type":"tool-input-available","toolCallId":"c","toolName":"edit","input":` + args + `}`, `{"type":"finish"}`},
		"vercel, only whole calls": {`{"type":"start"}`,
			`{"type":"tool-input-available","toolCallId":"c","toolName":"edit","input":` + args + `}`, `{"type":"finish"}`},
		"azure": {`{"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}]}`,
			`{"choices":[{"delta":{"role":"assistant","tool_calls":[{"function":{"arguments":"` + quoted + `","name":"edit"},"id":"c","index":0,"type":"function"}]},"finish_reason":null,"index":0}],"object":"chat.completion.chunk"}`,
			`{"choices":[{"delta":{},"finish_reason":"tool_calls","index":0}],"object":"chat.completion.chunk"}`},
		"openai, a function": {`{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"a\n<<<<<<< SEARCH\nx\n=======\nz\n>>>>>>> REPLACE\n"}}]}`,
			`{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"function_call":{"name":"edit","arguments":"` + quoted + `"}}}]}`,
			`{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"function_call"}]}`},
		"anthropic, a search before": append([]string{anthropic[0], `{"type":"content_block_start","index":3,"content_block":{"type":"server_tool_use","id":"s","name":"web_search","input":{}}}`,
			`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"query\":\"x\"}"}}`}, anthropic[1:]...),
		"a conversation": {`{"role":"user","content":"mend it"}`,
			`{"role":"assistant","content":[{"type":"tool_use","name":"Edit","input":` + args + `}]}`},
	} {
		for kind, recorded := range map[string]string{
			"lines":              strings.Join(events, "\n"),
			"server-sent events": "data: " + strings.Join(events, "\n\ndata: ") + "\n\n",
			"a comment above":    ": keep\n\nid: 1\ndata: " + strings.Join(events, "\n\ndata: ") + "\n\n",
			"a list":             "[" + strings.Join(events, ",") + "]",
		} {
			if api == "a conversation" && kind != "lines" && kind != "a list" {
				continue // nobody sends one so
			}
			t.Run(api+"/"+kind, func(t *testing.T) {
				p, err := atomicedit.Parse(recorded)
				want := want
				if api == "openai, only a patch" {
					want = []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{{Old: "x\n", New: "y\n", WholeLines: true, Hunk: "-+"}}}}
				}
				if diff := cmp.Diff(want, p.Ops); err != nil || diff != "" {
					t.Errorf("%v (-want +got):\n%s", err, diff)
				}
				var s atomicedit.Stream
				s.Write([]byte(recorded))
				p, err = s.Close()
				if diff := cmp.Diff(want, p.Ops); err != nil || diff != "" {
					t.Errorf("a Stream: %v (-want +got):\n%s", err, diff)
				}
			})
		}
	}
}

// Calls that have one index are told apart by their ids, those of several alternatives are not made, and without calls,
// the text is the request.
func TestWhatAStreamSaysBesideItsCalls(t *testing.T) {
	chunk := func(choice int, delta string) string {
		return fmt.Sprintf(`{"id":"m","object":"chat.completion.chunk","choices":[{"index":%d,"delta":{%s}}]}`+"\n", choice, delta)
	}
	call := func(id, path string) string {
		return `"tool_calls":[{"index":0,"id":"` + id + `","function":{"name":"delete_file","arguments":"{\"path\":\"` + path + `\"}"}}]`
	}
	const last = `{"id":"m","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	p, err := atomicedit.Parse(chunk(0, call("1", "a")) + chunk(0, call("2", "b")) + last)
	if diff := cmp.Diff([]string{"a", "b"}, p.Paths()); err != nil || diff != "" {
		t.Errorf("%v, (-want +got):\n%s", err, diff)
	}
	if p, err = atomicedit.Parse(chunk(0, call("1", "a")) + chunk(1, call("2", "b")) + last); !errors.Is(err, atomicedit.ErrSyntax) {
		t.Errorf("alternatives: %+v, %v", p, err)
	}
	p, err = atomicedit.Parse(chunk(0, `"content":"a\n<<<<<<< SEARCH\nx\n====="`) + chunk(0, `"content":"==\ny\n>>>>>>> REPLACE\n"`) + last)
	if err != nil || len(p.Ops) != 1 || p.Ops[0].Edits[0].New != "y\n" {
		t.Errorf("a text: %+v, %v", p, err)
	}
	half := chunk(0, `"content":"a\n<<<<<<< SEARCH\nx\n=======\n\ud83d"`) + chunk(0, `"content":"\ude00\n>>>>>>> REPLACE\n"`) + last
	if p, err = atomicedit.Parse(half); !errors.Is(err, atomicedit.ErrSyntax) {
		t.Errorf("half of a character: %+v, %v", p, err)
	}
	asked := `{"type":"RUN_STARTED","input":{"messages":[{"role":"user","content":"a\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"}]}}` +
		"\n" + `{"type":"RUN_FINISHED"}`
	if p, err = atomicedit.Parse(asked); !errors.Is(err, atomicedit.ErrNoRequest) {
		t.Errorf("what a user has said: %+v, %v", p, err)
	}
	for _, cut := range []string{`"length"`, `"error"`, `"MAX_TOKENS"`} {
		cut = strings.Replace(last, `"stop"`, cut, 1) + "\n" + last
		if p, err = atomicedit.Parse(chunk(0, call("1", "a")) + cut); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut off: %+v, %v", p, err)
		}
	}
	bedrock := `{"messageStart":{"role":"assistant"}}` + "\n" + `{"messageStop":{"stopReason":"guardrail_intervened"}}`
	if p, err = atomicedit.Parse(bedrock); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("cut off: %+v, %v", p, err)
	}
	if _, err = atomicedit.Parse(chunk(0, `"content":"All is well."`) + last); !errors.Is(err, atomicedit.ErrNoRequest) {
		t.Errorf("prose: %v", err)
	}
}

// Each API has its own fields for the text of a message. What a model thinks or a user has said is none of it.
func TestTheTextOfAStream(t *testing.T) {
	const first, last = `"a\n<<<<<<< SEARCH\nx\n====="`, `"==\ny\n>>>>>>> REPLACE\n"`
	for api, events := range map[string][]string{
		"anthropic": {`{"type":"message_start"}`, `{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"b"}}`,
			`{"type":"content_block_delta","delta":{"type":"text_delta","text":` + first + `}}`,
			`{"type":"content_block_delta","delta":{"type":"text_delta","text":` + last + `}}`, `{"type":"message_stop"}`},
		"bedrock": {`{"messageStart":{"role":"assistant"}}`,
			`{"contentBlockDelta":{"delta":{"reasoningContent":{"text":"b"}},"contentBlockIndex":0}}`,
			`{"contentBlockDelta":{"delta":{"text":` + first + `},"contentBlockIndex":1}}`,
			`{"contentBlockDelta":{"delta":{"text":` + last + `},"contentBlockIndex":1}}`, `{"messageStop":{"stopReason":"end_turn"}}`},
		"gemini": {`{"candidates":[{"content":{"parts":[{"text":"b","thought":true},{"text":` + first + `}]}}]}`,
			`{"candidates":[{"content":{"parts":[{"text":` + last + `}]},"finishReason":"STOP"}]}`},
		"ollama": {`{"message":{"role":"assistant","thinking":"b","content":` + first + `},"done":false}`,
			`{"message":{"role":"assistant","content":` + last + `},"done":true}`},
		"cohere": {`{"type":"message-start"}`, `{"type":"content-delta","delta":{"message":{"content":{"thinking":"b"}}}}`,
			`{"type":"content-delta","delta":{"message":{"content":{"text":` + first + `}}}}`,
			`{"type":"content-delta","delta":{"message":{"content":{"text":` + last + `}}}}`, `{"type":"message-end"}`},
		"vercel": {`{"type":"start"}`, `{"type":"reasoning-delta","delta":"b"}`, `{"type":"text-delta","delta":` + first + `}`,
			`{"type":"text-delta","delta":` + last + `}`, `{"type":"finish"}`},
		"ag-ui": {`{"type":"RUN_STARTED","input":{"messages":[{"role":"user","content":"b"}]}}`,
			`{"type":"TEXT_MESSAGE_CONTENT","delta":` + first + `}`, `{"type":"TEXT_MESSAGE_CONTENT","delta":` + last + `}`,
			`{"type":"RUN_FINISHED"}`},
	} {
		p, err := atomicedit.Parse(strings.Join(events, "\n"))
		want := []atomicedit.Op{{Path: "a", Edits: []atomicedit.Edit{{Old: "x\n", New: "y\n", WholeLines: true}}}}
		if diff := cmp.Diff(want, p.Ops); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", api, err, diff)
		}
	}
}

// Calls whose pieces alternate are told apart, whether their events have an index or an id, and a message that says the
// calls once more, below their events, adds none. Those of one message need neither.
func TestCallsOfAStreamAreToldApart(t *testing.T) {
	for api, events := range map[string][]string{
		"by id": {`{"type":"tool-input-start","id":"1","toolName":"delete_file"}`, `{"type":"tool-input-start","id":"2","toolName":"delete_file"}`,
			`{"type":"tool-input-delta","id":"1","delta":"{\"path\":"}`, `{"type":"tool-input-delta","id":"2","delta":"{\"path\":"}`,
			`{"type":"tool-input-delta","id":"1","delta":"\"a\"}"}`, `{"type":"tool-input-delta","id":"2","delta":"\"b\"}"}`,
			`{"type":"tool-call","toolCallId":"1","toolName":"delete_file","input":"{\"path\":\"a\"}"}`, `{"type":"finish"}`},
		"by index": {`{"type":"content_block_start","index":0,"content_block":{"id":"1","name":"delete_file","input":{}}}`,
			`{"type":"content_block_start","index":1,"content_block":{"id":"2","name":"delete_file","input":{}}}`,
			`{"type":"content_block_delta","index":0,"delta":{"partial_json":"{\"path\":\"a\"}"}}`,
			`{"type":"content_block_delta","index":1,"delta":{"partial_json":"{\"path\":\"b\"}"}}`, `{"type":"message_stop"}`,
			`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"1","name":"delete_file","input":{"path":"a"}},{"type":"tool_use","id":"2","name":"delete_file","input":{"path":"b"}}]}}`},
		"of one message": {`{"candidates":[{"index":0,"content":{"parts":[{"functionCall":{"name":"delete_file","args":{"path":"a"}}},{"functionCall":{"name":"delete_file","args":{"path":"b"}}}]}}]}`,
			`{"candidates":[{"index":0,"finishReason":"STOP"}]}`},
		"of one id": {`{"candidates":[{"content":{"parts":[{"functionCall":{"id":"1","name":"delete_file","args":{"path":"a"}}},{"functionCall":{"id":"1","name":"delete_file","args":{"path":"b"}}}]}}]}`,
			`{"candidates":[{"finishReason":"STOP"}]}`},
	} {
		p, err := atomicedit.Parse(strings.Join(events, "\n"))
		if diff := cmp.Diff([]string{"a", "b"}, p.Paths()); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", api, err, diff)
		}
	}
}

// A stream without its last event may lack calls, even if those that it has are whole.
func TestAStreamWithoutItsEnd(t *testing.T) {
	long := strings.Repeat("x", 1000)
	for _, event := range []string{
		`{"response":{"candidates":[{"content":{"parts":[{"functionCall":{"name":"delete_file","args":{"path":"a"}}}]}}]}}`,
		`{"message":{"content":"","tool_calls":[{"function":{"name":"write_file","arguments":{"path":"a","content":"` + long + `"}}}]},"done":false}`,
		`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"delete_file","args":{"path":"a"}}}]}}]}`,
		`{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"delete_file","arguments":{"path":"a"}}}]},"done":false}`,
	} {
		for _, recorded := range []string{event + "\n" + event, "data: " + event} {
			if p, err := atomicedit.Parse(recorded); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s: %+v, %v", recorded, p, err)
			}
		}
	}
}

// Of an event, only the message counts: not what a client has sent, nor data, sources and citations.
func TestWhatElseAnEventHolds(t *testing.T) {
	const block = `"a\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"`
	const old = `{"role":"assistant","tool_calls":[{"id":"o","type":"function","function":{"name":"delete_file","arguments":"{\"path\":\"b\"}"}}]}`
	for _, event := range []string{`{"type":"start-step","request":{"body":{"messages":[` + old + `],"tools":[{"name":"edit","parameters":{"type":"object"}}]}}}`,
		`{"type":"RUN_STARTED","input":{"messages":[` + old + `],"state":{"text":` + block + `}}}` + "\n" + `{"type":"RUN_FINISHED"}`,
		`{"type":"MESSAGES_SNAPSHOT","messages":[` + old + `]}`, `{"type":"data-note","data":{"name":"b","text":` + block + `}}`,
		`{"type":"citation-start","delta":{"message":{"citations":{"text":` + block + `}}}}`, `{"type":"CUSTOM","name":"x","value":{}}`,
		`{"candidates":[{"groundingMetadata":{"groundingSupports":[{"segment":{"text":` + block + `}}]}}]}`,
	} {
		p, err := atomicedit.Parse(`{"type":"start"}` + "\n" + event + "\n" + `{"type":"text-delta","id":"1","delta":"Sure."}` + "\n" +
			`{"type":"text-delta","id":"2","delta":` + block + `}` + "\n" + `{"type":"finish"}`)
		if diff := cmp.Diff([]string{"a"}, p.Paths()); err != nil || diff != "" || len(p.Ops) != 1 {
			t.Errorf("%s: %+v, %v (-want +got):\n%s", event, p, err, diff)
		}
	}
}

// Calls that have been made, or must not be made, are not carried out.
func TestWhatHasBecomeOfTheCallsOfAStream(t *testing.T) {
	const args = `{"path":"a","old_string":"x","new_string":"y"}`
	gemini := `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"edit","args":` + args + `}}]},"finishReason":"STOP"}]}` + "\n"
	ollama := `{"message":{"tool_calls":[{"function":{"name":"edit","arguments":` + args + `}}]},"done":false}` + "\n" + `{"message":{},"done":true}` + "\n"
	vercel := `{"type":"start"}` + "\n" + `{"type":"tool-input-available","toolCallId":"c","toolName":"edit","input":` + args + `}` + "\n"
	run := `{"type":"RUN_STARTED"}` + "\n" + `{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"edit"}` + "\n" +
		`{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"path\":\"a\",\"content\":\"x\"}"}` + "\n" + `{"type":"TOOL_CALL_END","toolCallId":"c"}`
	for _, stream := range []string{
		gemini + `{"role":"user","parts":[{"functionResponse":{"name":"edit","response":{}}}]}`, gemini + `{"content":{"role":"user"}}`,
		gemini + `{"candidates":[{"content":{"parts":[{"functionResponse":{"name":"edit"}}]}}]}`,
		ollama + `{"role":"tool","content":"ok","tool_name":"edit"}`,
		vercel + `{"type":"tool-output-available","toolCallId":"c","output":"ok"}` + "\n" + `{"type":"finish"}`,
		vercel + `{"type":"tool-output-denied","toolCallId":"c"}` + "\n" + `{"type":"finish"}`,
		vercel + `{"type":"tool-approval-request","toolCallId":"c"}` + "\n" + `{"type":"finish"}`,
		strings.Replace(gemini, `}}]}`, `,"willContinue":true}}]}`, 1) + gemini,
		vercel + `{"type":"finish","finishReason":{"unified":"length","raw":"max_tokens"}}`,
		gemini + strings.Replace(gemini, `"args"`, `"no":`+args+`,"x"`, 1), run,
	} {
		if p, err := atomicedit.Parse(stream); !errors.Is(err, atomicedit.ErrSyntax) {
			t.Errorf("%s: %+v, %v", stream, p, err)
		}
	}
	list := `[{"name":"edit","arguments":` + args + `,"done":false},{"name":"delete_file","arguments":{"path":"b"},"done":false}]`
	if p, err := atomicedit.Parse(list); err != nil || len(p.Ops) != 2 {
		t.Errorf("calls that are not done: %+v, %v", p, err)
	}
}
