package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/atomicedit/atomicedit"
)

const greeting = "package main\n\nfunc main() {\n\tprintln(\"Hello, world\")\n}\n"

// A function is the definition of a function tool.
type function struct {
	Name       string
	Strict     bool
	Parameters json.RawMessage
}

// A request is the part of the body of a request that the tests look at, in either API.
type request struct {
	Tools []struct {
		Type     string
		Function function // of a chat completion
		function          // of a response
	}
	Messages []struct { // of a chat completion
		Role       string
		ToolCallID string `json:"tool_call_id"`
		Content    string
	}
	PreviousResponseID string          `json:"previous_response_id"`
	Input              json.RawMessage // of a response
}

// An output is the result of a call in the input of a response.
type output struct {
	Type   string
	CallID string `json:"call_id"`
	Output string
}

// outputs returns the input of a response after the first.
func (r request) outputs(t *testing.T) (all []output) {
	t.Helper()
	if err := json.Unmarshal(r.Input, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// play returns a client of a server that gives recorded answers, one to each request, and the requests that it gets.
func play(t *testing.T, recording string) (openai.Client, *[]request) {
	data, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	var answers []json.RawMessage
	if err := json.Unmarshal(data, &answers); err != nil {
		t.Fatal(err)
	}
	requests := new([]request)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var got request
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil || len(*requests) == len(answers) {
			http.Error(w, "unexpected", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(answers[len(*requests)])
		*requests = append(*requests, got)
	}))
	t.Cleanup(server.Close)
	return newClient(server.URL), requests
}

func newClient(url string) openai.Client {
	return openai.NewClient(option.WithBaseURL(url), option.WithAPIKey("none"), option.WithMaxRetries(0))
}

type worker func(context.Context, openai.Client, string, *atomicedit.Host, string, io.Writer) error

// converse plays a conversation in which the model looks at a file, remembers a line wrongly, and corrects itself from
// the refusal.
func converse(t *testing.T, work worker, recording string) (*atomicedit.Host, []request) {
	t.Helper()
	client, requests := play(t, recording)
	store := atomicedit.NewMem(map[string]string{"hello.go": greeting})
	host := &atomicedit.Host{Store: atomicedit.NewSession(store)}
	tools, err := atomicedit.Tools("apply_patch", "str_replace_editor")
	if err != nil {
		t.Fatal(err)
	}
	host.Tools = tools
	var out bytes.Buffer
	if err := work(t.Context(), client, "gpt-5.1", host, "Greet the moon in hello.go.", &out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	if got, want := store.Files()["hello.go"], strings.Replace(greeting, "world", "moon", 1); got != want {
		t.Errorf("hello.go: %s", got)
	}
	if !strings.HasSuffix(out.String(), "The program greets the moon now.\n") {
		t.Errorf("printed:\n%s", &out)
	}
	if len(*requests) != 3 || len((*requests)[0].Tools) != 2 {
		t.Fatalf("requests: %+v", *requests)
	}
	return host, *requests
}

func TestARefusedPatchIsCorrectedInAChat(t *testing.T) {
	host, requests := converse(t, complete, "testdata/chat.json")
	for i, tool := range requests[0].Tools {
		if f, want := tool.Function, host.Tools[i]; f.Name != want.Name || !f.Strict ||
			!sameJSON(f.Parameters, want.Strict) {
			t.Errorf("offered %s: %s", f.Name, f.Parameters)
		}
	}
	second, third := requests[1].Messages, requests[2].Messages
	if len(second) != 4 || !strings.Contains(second[2].Content, "     4\t\tprintln") {
		t.Fatalf("the view: %+v", second)
	}
	if refusal := second[3]; refusal.ToolCallID != "call_2" ||
		!strings.Contains(refusal.Content, "the chunk's old text is not there") {
		t.Errorf("the refusal: %+v", refusal)
	}
	if done := third[len(third)-1]; done.ToolCallID != "call_3" ||
		!strings.Contains(done.Content, "modified hello.go") {
		t.Errorf("the edit: %+v", done)
	}
}

func TestARefusedPatchIsCorrectedInResponses(t *testing.T) {
	host, requests := converse(t, respond, "testdata/responses.json")
	patch, editor := requests[0].Tools[0], requests[0].Tools[1]
	if patch.Type != "custom" || patch.Name != "apply_patch" || patch.Parameters != nil {
		t.Errorf("offered %+v", patch)
	}
	if editor.Type != "function" || !editor.Strict || !sameJSON(editor.Parameters, host.Tools[1].Strict) {
		t.Errorf("offered %+v", editor)
	}
	second := requests[1].outputs(t)
	if len(second) != 2 || requests[1].PreviousResponseID != "resp_1" ||
		!strings.Contains(second[0].Output, "     4\t\tprintln") {
		t.Fatalf("the view: %+v", requests[1])
	}
	if r := second[1]; r.Type != "custom_tool_call_output" || r.CallID != "call_2" ||
		!strings.Contains(r.Output, "the chunk's old text is not there") {
		t.Errorf("the refusal: %+v", r)
	}
	third := requests[2].outputs(t)
	if len(third) != 1 || third[0].CallID != "call_3" || !strings.Contains(third[0].Output, "modified hello.go") {
		t.Errorf("the edit: %+v", third)
	}
}

func sameJSON(a, b []byte) bool {
	sorted := func(data []byte) string {
		var v any
		if err := json.Unmarshal(data, &v); err != nil {
			return err.Error()
		}
		s, _ := json.Marshal(v)
		return string(s)
	}
	return sorted(a) == sorted(b)
}

// A failure of the API ends the work.
func TestAFailingAPIEndsTheWork(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	for _, work := range []worker{complete, respond} {
		if err := work(t.Context(), newClient(server.URL), "none", &atomicedit.Host{Store: atomicedit.NewMem(nil)}, "x",
			io.Discard); err == nil {
			t.Error("no error")
		}
	}
}
