//lint:file-ignore SA1019 The protocol versions served have logging; the newest, which drops it, has no sessions.

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/atomicedit/atomicedit"
)

type options struct {
	store          string            // "" for directories
	tools          []atomicedit.Tool // nil for all
	readOnly       bool
	structured     bool
	approve        string // "auto", "always" or "never"
	approveTimeout time.Duration
	clientRoots    string // "replace", "narrow" or "ignore"
}

// allTools returns the tools of the library and the server's own.
func allTools() []atomicedit.Tool {
	tools, _ := atomicedit.Tools() // only a name could be wrong
	return append(tools, listTool)
}

// chooseTools sets the tools to those named in a list with commas.
func (o *options) chooseTools(list string) error {
	all := allTools()
	var names []string
	for _, t := range all {
		names = append(names, t.Name)
	}
	o.tools = nil
	for name := range strings.SplitSeq(list, ",") {
		i := slices.Index(names, name)
		if i < 0 || slices.ContainsFunc(o.tools, func(t atomicedit.Tool) bool { return t.Name == name }) {
			return fmt.Errorf("expected some of %s, each once", strings.Join(names, ","))
		}
		o.tools = append(o.tools, all[i])
	}
	return nil
}

func (o options) dirOptions() *atomicedit.DirOptions {
	return &atomicedit.DirOptions{ReadOnly: o.readOnly}
}

// A server offers the tools to any number of connections.
type server struct {
	tree tree // that the server was started with
	options
	mu          sync.Mutex
	connections map[*mcp.ServerSession]*connection
}

// newServer returns a server whose calls end when the context does.
func newServer(ctx context.Context, tree tree, o options) *mcp.Server {
	o.approveTimeout = cmp.Or(o.approveTimeout, 10*time.Minute)
	s := &server{tree: tree, options: o, connections: map[*mcp.ServerSession]*connection{}}
	title, instructions := "Text edits, all or nothing",
		"Tools that read and edit text files. Every call happens completely or not at all."
	if o.readOnly {
		title, instructions = "Text files, read-only", "Tools that read text files. Nothing can be changed."
	}
	m := mcp.NewServer(&mcp.Implementation{Name: "atomicedit", Title: title, Version: "0.1.0"}, &mcp.ServerOptions{
		Instructions: instructions,
		// Newer versions have no sessions, and a server that does not know what was read cannot protect it.
		SupportedProtocolVersions: []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"},
		// The roots are asked for by the next call: as long as this handler runs, no answer can come.
		RootsListChangedHandler: func(_ context.Context,
			r *mcp.RootsListChangedRequest) {
			s.connection(r.Session).moved.Store(true)
		},
	})
	if s.tools == nil {
		s.tools = allTools()
	}
	if s.readOnly {
		s.tools = readers(s.tools)
	}
	for _, t := range s.tools {
		m.AddTool(offer(t, s.readOnly || t.Name == listName), until(ctx, s.call))
	}
	m.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if call, ok := req.(*mcp.CallToolRequest); ok && !s.offers(call.Params.Name) {
				return s.call(ctx, call) // which names the tools that there are
			}
			return next(ctx, method, req)
		}
	})
	return m
}

func (s *server) offers(tool string) bool {
	return slices.ContainsFunc(s.tools, func(t atomicedit.Tool) bool { return t.Name == tool })
}

// offer returns a tool as the protocol has it.
func offer(t atomicedit.Tool, readOnly bool) *mcp.Tool {
	changes, open := !readOnly, false
	return &mcp.Tool{
		Name:        t.Name,
		Title:       t.Title,
		Description: t.Description,
		InputSchema: t.Schema,
		Annotations: &mcp.ToolAnnotations{Title: t.Title, ReadOnlyHint: readOnly, DestructiveHint: &changes,
			OpenWorldHint: &open},
	}
}

// until returns a handler whose calls end when ctx does. A server on standard input and output waits for them before it
// ends itself, and one that asks the user can take long.
func until(ctx context.Context, call mcp.ToolHandler) mcp.ToolHandler {
	return func(callCtx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		callCtx, cancel := context.WithCancel(callCtx)
		defer cancel()
		defer context.AfterFunc(ctx, cancel)()
		return call(callCtx, req)
	}
}

func (s *server) call(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a := s.carryOut(context.WithValue(ctx, requestKey{}, req), req)
	status := a.summary.Status
	r := &mcp.CallToolResult{
		Content: []mcp.Content{&mcp.TextContent{Text: a.text}},
		IsError: status == "refused" || status == "denied" || status == "failed",
	}
	if s.structured {
		r.StructuredContent = a.summary
	}
	return r, nil
}

func (s *server) carryOut(ctx context.Context, req *mcp.CallToolRequest) answer {
	w, err := s.workspace(ctx, req.Session)
	if err != nil {
		return failed(err)
	}
	defer w.calls.Done()
	if req.Params.Name == listName {
		return w.callList(ctx, req.Params.Arguments)
	}
	if s.readOnly && s.offers(req.Params.Name) {
		if a, no := onlyRead(req.Params.Name, req.Params.Arguments); no {
			return a
		}
	}
	a, _ := w.host.Call(ctx, req.Params.Name, req.Params.Arguments) // the answer says what the error says
	return answerOf(a)
}

type requestKey struct{}

// tell sends notifications about a call: its progress to a client that asked for it, and the diff to the log.
// A lost notification is no reason to fail.
func tell(ctx context.Context, e atomicedit.Event) {
	req := ctx.Value(requestKey{}).(*mcp.CallToolRequest)
	step, level, data := 1.0, mcp.LoggingLevel("info"), map[string]any{"event": e.Kind, "tool": e.Tool}
	message := "worked out"
	if e.Kind == "preview" {
		data["diff"] = clip(e.Report.Diff, maxDiff)
	} else {
		step, message = 2, e.Answer.Status
		data["status"] = e.Answer.Status
		if e.Answer.Status == "failed" {
			level = "error"
		}
	}
	if token := req.Params.GetProgressToken(); token != nil {
		_ = req.Session.NotifyProgress(ctx,
			&mcp.ProgressNotificationParams{ProgressToken: token, Progress: step, Total: 2, Message: message})
	}
	_ = req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: level, Logger: "atomicedit", Data: data})
}

// readingCall returns the field of a tool that says what to do, its value for reading, and the other fields of such a
// call.
func readingCall(tool string) (field, call string, fields []string) {
	if tool == "str_replace_editor" {
		return "command", "view", []string{"view_range"}
	}
	return "action", "read", []string{"line_from", "line_to"}
}

// onlyRead refuses a call that says that it does something else than reading. What else may be wrong with it, the host
// says.
func onlyRead(tool string, args json.RawMessage) (a answer, no bool) {
	field, call, _ := readingCall(tool)
	var fields map[string]json.RawMessage
	var is string
	if json.Unmarshal(args, &fields) != nil || json.Unmarshal(fields[field], &is) != nil || is == call {
		return answer{}, false
	}
	return refused(fmt.Sprintf("%q is %q: expected %q, because this server is for reading only", field, is, call)), true
}

// readers returns the tools that can read, limited to their read calls.
func readers(tools []atomicedit.Tool) []atomicedit.Tool {
	var left []atomicedit.Tool
	for _, t := range tools {
		if t.Name == listName {
			left = append(left, t)
		}
		if t.Reads == "" {
			continue
		}
		field, call, fields := readingCall(t.Name)
		var schema map[string]any
		if err := json.Unmarshal(t.Schema, &schema); err != nil {
			panic(err) // it is ours
		}
		all := schema["properties"].(map[string]any)
		properties := map[string]any{"path": all["path"],
			field: map[string]any{"type": "string", "enum": []string{call}}}
		for _, f := range fields {
			properties[f] = all[f]
		}
		schema["properties"] = properties
		t.Schema, _ = json.Marshal(schema)
		t.Title = "Read a file (this server is read-only)"
		t.Description = fmt.Sprintf("Reads a text file, with %s %q. The answer has a number and a tab in front of "+
			"every line; they are not part of the file. This server changes nothing.\n\nExample:\n{%q: %q, \"path\": "+
			"\"main.go\"}", field, call, field,
			call)
		left = append(left, t)
	}
	return left
}
