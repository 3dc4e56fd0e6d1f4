//lint:file-ignore SA1019 The protocol versions served have logging; the newest, which drops it, has no sessions.

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/atomicedit/atomicedit"
)

type options struct {
	tools       []atomicedit.Tool // nil for all
	readOnly    bool
	requireRead bool
}

// chooseTools sets the tools to those named in a list with commas.
func (o *options) chooseTools(list string) error {
	names := strings.Split(list, ",")
	o.tools = atomicedit.Tools(names...)
	if len(o.tools) == len(names) {
		return nil
	}
	var all []string
	for _, t := range atomicedit.Tools() {
		all = append(all, t.Name)
	}
	return fmt.Errorf("expected some of %s, each once", strings.Join(all, ","))
}

// A server keeps a host for each of its connections, which remembers the files that the connection has seen.
type server struct {
	store atomicedit.Store
	options
	mu    sync.Mutex
	hosts map[*mcp.ServerSession]*atomicedit.Host
}

// newServer returns a server that offers the tools on a store, to any number of connections.
func newServer(store atomicedit.Store, o options) *mcp.Server {
	s := &server{store: store, options: o, hosts: map[*mcp.ServerSession]*atomicedit.Host{}}
	m := mcp.NewServer(&mcp.Implementation{Name: "atomicedit", Title: "Text edits, all or nothing", Version: "0.1.0"}, &mcp.ServerOptions{
		Instructions: "Tools that read and edit text files. Every call happens completely or not at all.",
		// Newer versions have no sessions, and a server that does not know what was read cannot protect it.
		SupportedProtocolVersions: []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"},
	})
	changes, open := !o.readOnly, false
	if s.tools == nil {
		s.tools = atomicedit.Tools()
	}
	if s.readOnly {
		s.tools = readers(s.tools)
	}
	for _, t := range s.tools {
		m.AddTool(&mcp.Tool{
			Name:         t.Name,
			Title:        t.Title,
			Description:  t.Description,
			InputSchema:  t.Schema,
			OutputSchema: json.RawMessage(answerSchema),
			Annotations: &mcp.ToolAnnotations{
				ReadOnlyHint:    o.readOnly,
				DestructiveHint: &changes,
				OpenWorldHint:   &open,
			},
		}, s.call)
	}
	return m
}

// host returns the host of a connection.
func (s *server) host(conn *mcp.ServerSession) *atomicedit.Host {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.hosts[conn]
	if h != nil {
		return h
	}
	store := s.store
	if s.requireRead {
		store = atomicedit.NewSession(store)
	}
	h = atomicedit.NewHost(store)
	h.Tools, h.Events = s.tools, tell
	s.hosts[conn] = h
	go func() {
		conn.Wait()
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.hosts, conn)
	}()
	return h
}

func (s *server) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx = context.WithValue(ctx, requestKey{}, req)
	answer, err := s.host(req.Session).Call(ctx, req.Params.Name, req.Params.Arguments)
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: answer.Text}},
		StructuredContent: answer,
		IsError:           err != nil && !errors.Is(err, atomicedit.ErrNotDurable),
	}, nil
}

type requestKey struct{}

// tell sends notifications about a call: its progress to a client that asked for it, and the diff to the log.
// A lost notification is no reason to fail.
func tell(ctx context.Context, e atomicedit.Event) {
	req := ctx.Value(requestKey{}).(*mcp.CallToolRequest)
	step, level, data := 1.0, mcp.LoggingLevel("info"), map[string]any{"event": e.Kind, "tool": e.Tool}
	message := "worked out"
	if e.Kind == "preview" {
		data["diff"] = e.Report.Diff
	} else {
		step, message = 2, e.Answer.Status
		data["status"] = e.Answer.Status
		if e.Answer.Status == "failed" {
			level = "error"
		}
	}
	if token := req.Params.GetProgressToken(); token != nil {
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: step, Total: 2, Message: message})
	}
	_ = req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: level, Logger: "atomicedit", Data: data})
}

// readers returns the tools that can read, limited to their read calls.
func readers(tools []atomicedit.Tool) []atomicedit.Tool {
	var left []atomicedit.Tool
	for _, t := range tools {
		if t.Reads == "" {
			continue
		}
		field, call, fields := "action", "read", []string{"line_from", "line_to"}
		if t.Name == "str_replace_editor" {
			field, call, fields = "command", "view", []string{"view_range"}
		}
		var schema map[string]any
		if err := json.Unmarshal(t.Schema, &schema); err != nil {
			panic(err) // it is ours
		}
		all := schema["properties"].(map[string]any)
		properties := map[string]any{"path": all["path"], field: map[string]any{"type": "string", "enum": []string{call}}}
		for _, f := range fields {
			properties[f] = all[f]
		}
		schema["properties"] = properties
		t.Schema, _ = json.Marshal(schema)
		t.Description = fmt.Sprintf("Reads a text file, with %s %q. The answer has a number and a tab in front of every line; they are not part of "+
			"the file. This server changes nothing.\n\nExample:\n{%q: %q, \"path\": \"main.go\"}", field, call, field, call)
		left = append(left, t)
	}
	return left
}
