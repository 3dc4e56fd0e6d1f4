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
		"a conversation": {`{"role":"user","content":"mend it"}`,
			`{"role":"assistant","content":[{"type":"tool_use","name":"Edit","input":` + args + `}]}`},
	} {
		for kind, recorded := range map[string]string{
			"lines":              strings.Join(events, "\n"),
			"server-sent events": "data: " + strings.Join(events, "\n\ndata: ") + "\n\n",
			"a list":             "[" + strings.Join(events, ",") + "]",
		} {
			if api == "a conversation" && kind == "server-sent events" {
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
