package main

import (
	"context"
	"errors"
	"io"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/coder/acp-go-sdk"

	"github.com/atomicedit/atomicedit"
)

// A window is an editor with open texts. The methods of the protocol that no test needs are those of the embedded nil.
type window struct {
	acp.Client
	mu      sync.Mutex
	buffers map[string]string // by absolute path
	locked  string            // a path that cannot be written
	said    strings.Builder
}

func (w *window) ReadTextFile(_ context.Context, p acp.ReadTextFileRequest) (acp.ReadTextFileResponse, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	content, ok := w.buffers[p.Path]
	if !ok {
		return acp.ReadTextFileResponse{}, &acp.RequestError{Code: notFound, Message: "Resource not found"}
	}
	return acp.ReadTextFileResponse{Content: content}, nil
}

func (w *window) WriteTextFile(_ context.Context, p acp.WriteTextFileRequest) (acp.WriteTextFileResponse, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if p.Path == w.locked {
		return acp.WriteTextFileResponse{}, acp.NewInternalError("the file is read-only")
	}
	w.buffers[p.Path] = p.Content
	return acp.WriteTextFileResponse{}, nil
}

func (w *window) SessionUpdate(_ context.Context, n acp.SessionNotification) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if chunk := n.Update.AgentMessageChunk; chunk != nil && chunk.Content.Text != nil {
		w.said.WriteString(chunk.Content.Text.Text)
	}
	return nil
}

// typed replaces a piece of a text, as a user does who types.
func (w *window) typed(path, older, newer string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buffers[path] = strings.Replace(w.buffers[path], older, newer, 1)
}

// start connects a window to the agent, and returns a function that sends a prompt and returns what the agent says.
func start(t *testing.T, w *window) (host *atomicedit.Host, prompt func(text string) string) {
	t.Helper()
	fromClient, toAgent := io.Pipe()
	fromAgent, toClient := io.Pipe()
	a := &agent{}
	a.conn = acp.NewAgentSideConnection(a, toClient, fromClient)
	conn := acp.NewClientSideConnection(w, toAgent, fromAgent)
	t.Cleanup(func() { toAgent.Close(); toClient.Close() })
	if _, err := conn.Initialize(t.Context(),
		acp.InitializeRequest{ProtocolVersion: acp.ProtocolVersionNumber}); err != nil {
		t.Fatal(err)
	}
	session, err := conn.NewSession(t.Context(), acp.NewSessionRequest{Cwd: "/project", McpServers: []acp.McpServer{}})
	if err != nil {
		t.Fatal(err)
	}
	return a.hosts[session.SessionId], func(text string) string {
		w.said.Reset()
		request := acp.PromptRequest{SessionId: session.SessionId, Prompt: []acp.ContentBlock{acp.TextBlock(text)}}
		if _, err := conn.Prompt(t.Context(), request); err != nil {
			t.Fatal(err)
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.said.String()
	}
}

func block(path, older, newer string) string {
	if older != "" {
		older += "\n"
	}
	return path + "\n<<<<<<< SEARCH\n" + older + "=======\n" + newer + "\n>>>>>>> REPLACE\n"
}

func TestAnEditLandsInTheUnsavedText(t *testing.T) {
	w := &window{buffers: map[string]string{"/project/a.txt": "saved\nnot yet saved\n"}}
	host, prompt := start(t, w)
	if _, err := host.View(t.Context(), "a.txt", 0, 0); err != nil {
		t.Fatal(err)
	}
	said := prompt(block("a.txt", "not yet saved", "edited") + block("new/b.txt", "", "made"))
	want := map[string]string{"/project/a.txt": "saved\nedited\n", "/project/new/b.txt": "made\n"}
	if !maps.Equal(w.buffers, want) {
		t.Errorf("texts %q, after %s", w.buffers, said)
	}
}

func TestWhatTheUserTypesMeanwhileStays(t *testing.T) {
	for _, test := range []struct{ name, older, newer, want string }{
		{"elsewhere", "one", "1", "1\n2\nthree\nfour\nFOUR\n"},
		{"in the same line", "four", "4", "one\n2\nthree\n4\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := &window{buffers: map[string]string{"/project/a.txt": "one\n2\nthree\nfour\n"}}
			host, prompt := start(t, w)
			if _, err := host.View(t.Context(), "a.txt", 0, 0); err != nil {
				t.Fatal(err)
			}
			w.typed("/project/a.txt", test.older, test.newer)
			said := prompt(block("a.txt", "four", "four\nFOUR"))
			if got := w.buffers["/project/a.txt"]; got != test.want {
				t.Errorf("text %q, after %s", got, said)
			}
		})
	}
}

func TestSeveralTextsChangeOrNone(t *testing.T) {
	w := &window{buffers: map[string]string{"/project/a": "one\n", "/project/b": "two\n"}, locked: "/project/b"}
	files := &Files{editor: w, root: "/project"}
	plan, err := atomicedit.Parse(block("a", "one", "1") + block("b", "two", "2"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = atomicedit.Run(t.Context(), files, plan, nil)
	if err == nil || errors.Is(err, atomicedit.ErrUnfinished) || w.buffers["/project/a"] != "one\n" {
		t.Errorf("error %v, texts %q", err, w.buffers)
	}
}

func TestAFileCannotBeDeletedThroughTheEditor(t *testing.T) {
	w := &window{buffers: map[string]string{"/project/a": "one\n"}}
	files := &Files{editor: w, root: "/project"}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpDelete, Path: "a"}}}
	_, err := atomicedit.Prepare(t.Context(), files, plan, nil)
	var refusal *atomicedit.Refusal
	if !errors.As(err, &refusal) || !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("error %v", err)
	}
}
