package main

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestSessionsAreBounded(t *testing.T) {
	store, err := openRoots([]string{t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { serve(ctx, l, newServer(ctx, store, options{})) })
	t.Cleanup(func() { stop(); wg.Wait(); store.Close() })

	send := func(method, session string) *http.Response {
		body := `{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, ` +
			`"clientInfo": {"name": "test", "version": "1"}}}`
		r, err := http.NewRequestWithContext(t.Context(), method, "http://"+l.Addr().String()+"/mcp",
			strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return &http.Response{}
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return &http.Response{}
		}
		answer.Body.Close()
		return answer
	}
	var mu sync.Mutex
	var open []string
	refused := 0
	var all sync.WaitGroup
	for range maxSessions + 5 {
		all.Go(func() {
			a := send(http.MethodPost, "")
			mu.Lock()
			defer mu.Unlock()
			switch a.StatusCode {
			case http.StatusOK:
				open = append(open, a.Header.Get("Mcp-Session-Id"))
			case http.StatusServiceUnavailable:
				refused++
			}
		})
	}
	all.Wait()
	if len(open) != maxSessions || refused != 5 {
		t.Fatalf("%d sessions began and %d were refused, want %d and 5", len(open), refused, maxSessions)
	}
	send(http.MethodDelete, open[0])
	if got := send(http.MethodPost, "").StatusCode; got != http.StatusOK {
		t.Errorf("status %d after a session ended, want 200", got)
	}
}
