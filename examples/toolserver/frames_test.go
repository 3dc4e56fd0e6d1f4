package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// tooLong stands for a text that is too long for a message.
const tooLong = "TOO LONG"

// A delivery is a message, and what becomes of it: it is read ("in"), or answered with a code for an id.
type delivery struct {
	name, message string
	in            string // as read; "" if it is not
	id            string // of the answer
	code          int
}

// sent is the message. It is made when it is needed: a test starts this program many times, as a server.
func (d delivery) sent() string {
	return strings.ReplaceAll(d.message, tooLong, strings.Repeat("x", maxFrame))
}

var deliveries = []delivery{
	{"call", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "", 0},
	{"not JSON", `{"jsonrpc":`, "", "null", -32700},
	{"call of a tool that was cut off",
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"multi_edit","arguments":{"file_path`, "", "7",
		0},
	{"not a message", `{"id":1}`, "", "null", -32600},
	{"id before", `{"jsonrpc":"2.0","id":7,"method":"m","params":{"id":8,"x":"` + tooLong + `"}}`, "", "7", -32600},
	{"id behind", `{"method":"m","params":{"id":8,"x":["` + tooLong + `",{"id":9}]},"jsonrpc":"2.0", "id" : "a\"}7" }`,
		"", `"a\"}7"`, -32600},
	{"id that looks like one in a text", `{"method":"m","params":"\",\"id\":8,` + tooLong + `","id":-7}`, "", "-7",
		-32600},
	{"id too long to tell", `{"method":"m","id":"` + tooLong + `"}`, "", "null", -32600},
	{"no id", `{"method":"m","params":"` + tooLong + `"}`, "", "null", -32600},
	{"id in a batch", `[{"method":"m","id":7,"params":"` + tooLong + `"}]`, "", "null", -32600},
	{"cut off", `{"method":"m","id":7,"params":"` + tooLong, "", "7", -32600},
	{"answer", `{"jsonrpc":"2.0","id":7,"result":"` + tooLong + `"}`,
		`{"error":{"code":-32600,"message":"the answer of the client has more than 12582912 bytes"},"id":7,"jsonrpc":"2.0"}`, "", 0},
	{"nothing but text", tooLong + "}}]]" + `"id":7`, "", "null", -32600},
}

type reply struct {
	ID    json.RawMessage
	Error struct{ Code int }
}

func TestMessagesOnLines(t *testing.T) {
	const next = `{"jsonrpc":"2.0","id":99,"method":"ping"}`
	for _, f := range deliveries {
		t.Run(f.name, func(t *testing.T) {
			var out bytes.Buffer
			l := newLines(io.NopCloser(strings.NewReader("\n"+f.sent()+"\r\n\n"+next)), &out)
			data, err := io.ReadAll(iotest.HalfReader(l))
			if err != nil {
				t.Fatal(err)
			}
			var read []string
			for line := range strings.Lines(string(data)) {
				read = append(read, strings.TrimSpace(line))
			}
			want := []string{f.in, next}
			if f.in == "" {
				want = want[1:]
			}
			if strings.Join(read, "\n") != strings.Join(want, "\n") {
				t.Errorf("read %.300q, want %.300q", read, want)
			}
			var r reply
			if f.in == "" {
				if err := json.Unmarshal(out.Bytes(), &r); err != nil {
					t.Errorf("answer %q: %v", out.Bytes(), err)
				}
			}
			if string(r.ID) != f.id || r.Error.Code != f.code {
				t.Errorf("answer %q, want the code %d for %s", out.Bytes(), f.code, f.id)
			}
		})
	}
}

func TestMessagesOverHTTP(t *testing.T) {
	for _, f := range deliveries {
		t.Run(f.name, func(t *testing.T) {
			var read string
			h := deliverable(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				data, _ := io.ReadAll(r.Body)
				read = strings.TrimSpace(string(data))
			}), time.Minute)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(f.sent())))
			if read != f.in {
				t.Errorf("read %.300q", read)
			}
			var r reply
			if f.in == "" {
				if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil {
					t.Errorf("answer %q: %v", w.Body, err)
				}
			}
			wantStatus := http.StatusOK
			if f.id == "null" {
				wantStatus = http.StatusBadRequest
			}
			if string(r.ID) != f.id || r.Error.Code != f.code || w.Code != wantStatus {
				t.Errorf("answer %d %q, want the code %d for %s", w.Code, w.Body, f.code, f.id)
			}
		})
	}
}

// The SDK takes no batch on a stream, except for an old version of the protocol.
func TestABatchOnALineIsItsMessages(t *testing.T) {
	const ping, pong, refused = `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":2,"result":{}}`,
		`"code":-32600`
	for _, test := range []struct{ batch, in, out string }{
		{"[" + ping + "]", ping + "\n", ""},
		{" [" + ping + ", " + pong + "]", ping + "\n" + pong + "\n", ""},
		{"[" + ping + ",1," + pong + "]", ping + "\n" + pong + "\n", refused},
		{"[[" + ping + "]]", "", refused},
		{"[]", "", refused},
		{"[null]", "", refused},
		{"[" + strings.Repeat(ping+",", maxBatch) + ping + "]", "", refused},
	} {
		var out bytes.Buffer
		data, err := io.ReadAll(newLines(io.NopCloser(strings.NewReader(test.batch+"\n")), &out))
		if err != nil || string(data) != test.in || !strings.Contains(out.String(), test.out) ||
			(out.Len() == 0) != (test.out == "") || out.Len() > 1000 {
			t.Errorf("%.100s: read %q, answered %.1000q, error %v", test.batch, data, out.String(), err)
		}
	}
}

func TestABatchOverHTTPIsForTheSDK(t *testing.T) {
	for _, batch := range []string{`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, " [ ]"} {
		var read []byte
		h := deliverable(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			read,
				_ = io.ReadAll(r.Body)
		}), time.Minute)
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(batch)))
		if string(read) != batch {
			t.Errorf("%s: read %q", batch, read)
		}
	}
}

func TestALineThatCannotBeReadIsTheEnd(t *testing.T) {
	broken := errors.New("broken")
	l := newLines(io.NopCloser(io.MultiReader(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"),
		iotest.ErrReader(broken))), io.Discard)
	data, err := io.ReadAll(l)
	if !errors.Is(err, broken) || len(data) != 41 {
		t.Errorf("%q, error %v", data, err)
	}
}

func FuzzEnvelope(f *testing.F) {
	for _, seed := range deliveries {
		f.Add(seed.message, 3)
	}
	f.Add(`{"id":1,"id":[{"id":2}],"method":"m"}`, 1)
	f.Fuzz(func(t *testing.T, message string, cut int) {
		var e envelope
		if cut < 0 || cut > len(message) {
			cut = 0
		}
		e.scan([]byte(message[:cut]))
		e.scan([]byte(message[cut:]))
		var m map[string]json.RawMessage
		if strings.Contains(message, `\u`) || len(message) > maxID || json.Unmarshal([]byte(message), &m) != nil {
			return
		}
		want := string(m["id"])
		if want != "" && !strings.ContainsRune(`"-0123456789`, rune(want[0])) {
			want = ""
		}
		if _, call := m["method"]; string(e.id) != want || e.call != call {
			t.Errorf("id %q, want %q; call %t, want %t", e.id, want, e.call, call)
		}
	})
}
