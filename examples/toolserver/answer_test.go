package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/atomicedit/atomicedit"
)

// The text is all that a model gets. With -structured there is a summary beside it, which has neither texts nor diffs.
func TestStructuredAnswers(t *testing.T) {
	c := goSDK(t, &user{}, &mcp.CommandTransport{Command: command("-root", dir(t, map[string]string{"a.txt": "one\n"}),
		"-structured")})
	for _, call := range []struct{ args, want string }{
		{oneEdit, `{"files":[{"added":1,"path":"a.txt","removed":1,"status":"modified"}],"status":"done"}`},
		{oneEdit, `{"problems":[{"code":"not_found","path":"a.txt"}],"status":"refused"}`},
	} {
		r, err := c.callTool(t.Context(), "multi_edit", json.RawMessage(call.args))
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(r.StructuredContent); string(got) != call.want {
			t.Errorf("got %s, want %s", got, call.want)
		}
	}
}

func TestSummariesAreBounded(t *testing.T) {
	a := answerOf(&atomicedit.Answer{Status: "refused", Text: strings.Repeat("äöü\n", 50_000),
		Problems: make([]atomicedit.Problem, 10_000),
		Report:   &atomicedit.Report{Files: make([]atomicedit.FileReport, 1000)}})
	if len(a.summary.Files) != maxSummary || len(a.summary.Problems) != maxSummary || len(a.text) > maxText+100 ||
		!strings.HasSuffix(a.text, "äöü\n[cut off: the whole text has 350000 bytes]\n") {
		t.Errorf("%d files, %d problems, and the text ends with %q", len(a.summary.Files), len(a.summary.Problems),
			a.text[len(a.text)-80:])
	}
}

// A refusal may quote what was asked for.
func TestRefusalsAreBounded(t *testing.T) {
	c := stdio(t, "-root", dir(t, nil))
	long := strings.Repeat("x", 1<<20)
	for _, call := range []struct{ tool, args string }{
		{listName, `{"path": "` + long + `"}`}, {listName, `{"` + long + `": ""}`},
		{"text_editor", `{"action": "read", "path": "` + long + `"}`}, {"text_editor", `{"action": "` + long + `"}`},
	} {
		if text, failed := c.call(call.tool, call.args); !failed || len(text) > maxText+100 {
			t.Errorf("%s %.30s…: failed %t, %d bytes: %.100s", call.tool, call.args, failed, len(text), text)
		}
	}
}
