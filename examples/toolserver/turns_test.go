package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A client may send its calls without waiting for answers, and then close its end. Each edit needs the one before it.
func TestPipelinedCallsAreCarriedOutInOrder(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(name, []byte("step 0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tree, err := openRoots([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	var in strings.Builder
	in.WriteString(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"test","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	const calls = 30
	for i := range calls {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"str_replace_editor","arguments":`+
			`{"command":"str_replace","path":%q,"old_str":"step %d","new_str":"step %d"}}}`+"\n", i+1, name, i, i+1)
	}
	var out bytes.Buffer
	s := newServer(t.Context(), tree, options{clientRoots: "ignore"})
	s.Run(t.Context(), overLines(io.NopCloser(strings.NewReader(in.String())), &out))
	if text, err := os.ReadFile(name); err != nil || string(text) != fmt.Sprintf("step %d\n", calls) {
		t.Errorf("the file is %q, %v; answers:\n%s", text, err, out.String())
	}
}

func TestACallWaitsForTheAnswerToTheOneBefore(t *testing.T) {
	ctx := t.Context()
	in, client := io.Pipe()
	c, err := overLines(in, io.Discard).Connect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	go func() {
		defer client.Close()
		for _, m := range []string{
			`"id":1,"method":"tools/call"`, `"id":2,"method":"tools/call"`, `"id":3,"method":"tools/call"`,
			`"method":"notifications/cancelled","params":{"requestId":2}`, `"id":4,"method":"ping"`,
		} {
			fmt.Fprintf(client, `{"jsonrpc":"2.0",%s}`+"\n", m)
		}
	}()
	for _, want := range []string{"1 tools/call", " notifications/cancelled", "4 ping", "3 tools/call"} {
		if strings.HasPrefix(want, "3") {
			if err := c.Write(ctx, answerTo(t, 1)); err != nil {
				t.Fatal(err)
			}
		}
		m, err := c.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		r := m.(*jsonrpc.Request)
		got := " " + r.Method
		if r.ID.IsValid() {
			got = fmt.Sprint(r.ID.Raw(), got)
		}
		if got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	if err := c.Write(ctx, answerTo(t, 3)); err != nil {
		t.Fatal(err)
	}
	if m, err := c.Read(ctx); err == nil {
		t.Errorf("got %v behind the end", m)
	}
}

func answerTo(t *testing.T, call float64) *jsonrpc.Response {
	id, err := jsonrpc.MakeID(call)
	if err != nil {
		t.Fatal(err)
	}
	return &jsonrpc.Response{ID: id, Result: json.RawMessage("{}")}
}
