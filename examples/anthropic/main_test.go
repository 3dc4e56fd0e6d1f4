package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/atomicedit/atomicedit"
)

const greeting = "package main\n\nfunc main() {\n\tprintln(\"Hello, world\")\n}\n"

// A request is the part of the body of a request that the tests look at.
type request struct {
	Tools []struct {
		Name        string
		InputSchema json.RawMessage `json:"input_schema"`
	}
	Messages []struct {
		Role    string
		Content []struct {
			Type      string
			ToolUseID string `json:"tool_use_id"`
			IsError   bool   `json:"is_error"`
			Content   []struct{ Text string }
		}
	}
}

// play serves recorded answers, one for each request, and collects the requests.
func play(t *testing.T, recording string) (url string, requests *[]request) {
	data, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	var answers []json.RawMessage
	if err := json.Unmarshal(data, &answers); err != nil {
		t.Fatal(err)
	}
	requests = new([]request)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var got request
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil || r.URL.Path != "/v1/messages" ||
			len(*requests) == len(answers) {
			http.Error(w, "unexpected", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(answers[len(*requests)])
		*requests = append(*requests, got)
	}))
	t.Cleanup(server.Close)
	return server.URL, requests
}

// The model looks at a file, remembers a line wrongly, and corrects itself from the refusal.
func TestARefusedEditIsCorrected(t *testing.T) {
	url, requests := play(t, "testdata/messages.json")
	client := anthropic.NewClient(option.WithBaseURL(url), option.WithAPIKey("none"), option.WithMaxRetries(0))
	store := atomicedit.NewMem(map[string]string{"hello.go": greeting})
	host := &atomicedit.Host{Store: atomicedit.NewSession(store)}
	tools, err := atomicedit.Tools("multi_edit", "str_replace_editor")
	if err != nil {
		t.Fatal(err)
	}
	host.Tools = tools
	var out bytes.Buffer
	if err := work(t.Context(), client, "claude-sonnet-4-6", host, "Greet the moon in hello.go.", &out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	if got, want := store.Files()["hello.go"], strings.Replace(greeting, "world", "moon", 1); got != want {
		t.Errorf("hello.go: %s", got)
	}
	if !strings.HasSuffix(out.String(), "The program greets the moon now.\n") {
		t.Errorf("printed:\n%s", &out)
	}
	offered := (*requests)[0].Tools
	if len(offered) != len(host.Tools) {
		t.Fatalf("offered %+v", offered)
	}
	for i, tool := range offered {
		if want := host.Tools[i]; tool.Name != want.Name || !bytes.Equal(tool.InputSchema, want.Schema) {
			t.Errorf("offered %s: %s", tool.Name, tool.InputSchema)
		}
	}
	results := (*requests)[1].Messages[2].Content
	if len(results) != 2 || results[0].IsError || !strings.Contains(results[0].Content[0].Text, "     4\t\tprintln") {
		t.Errorf("the view: %+v", results)
	}
	if refusal := results[1]; refusal.ToolUseID != "toolu_02" || !refusal.IsError ||
		!strings.Contains(refusal.Content[0].Text, "old_string is not there") {
		t.Errorf("the refusal: %+v", refusal)
	}
	if done := (*requests)[2].Messages[4].Content[0]; done.IsError ||
		!strings.Contains(done.Content[0].Text, "modified hello.go") {
		t.Errorf("the edit: %+v", done)
	}
}

// A failure of the API ends the work.
func TestAFailingAPIEndsTheWork(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	client := anthropic.NewClient(option.WithBaseURL(server.URL), option.WithAPIKey("none"), option.WithMaxRetries(0))
	if err := work(t.Context(), client, "none", &atomicedit.Host{Store: atomicedit.NewMem(nil)}, "x",
		io.Discard); err == nil {
		t.Error("no error")
	}
}
