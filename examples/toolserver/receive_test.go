package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A stalled is a body that never ends, until its reader is let go.
type stalled struct {
	reading *atomic.Int64
	end     chan struct{}
}

func (s stalled) Read([]byte) (int, error) {
	s.reading.Add(1)
	<-s.end
	return 0, io.EOF
}

// However many clients send at once, only few messages are in memory before they are complete.
func TestFewMessagesAreReceivedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := deliverable(http.NotFoundHandler(), time.Hour)
		body := stalled{new(atomic.Int64), make(chan struct{})}
		for range 10 * maxReceived {
			go h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/mcp", body))
		}
		synctest.Wait()
		if n := body.reading.Load(); n != maxReceived {
			t.Errorf("%d messages are received at once, want %d", n, maxReceived)
		}
		close(body.end)
		synctest.Wait()
		if n := body.reading.Load(); n != 10*maxReceived {
			t.Errorf("%d messages were received, want %d", n, 10*maxReceived)
		}
	})
}

// A client that begins a message and does not go on is told so, and holds nothing any longer.
func TestAMessageHasToArriveInTime(t *testing.T) {
	server := httptest.NewServer(deliverable(http.NotFoundHandler(), time.Millisecond))
	defer server.Close()
	body, more := io.Pipe()
	defer more.Close()
	answer, err := http.Post(server.URL, "application/json", io.MultiReader(strings.NewReader("{"), body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusRequestTimeout {
		t.Errorf("status %s", answer.Status)
	}
}
