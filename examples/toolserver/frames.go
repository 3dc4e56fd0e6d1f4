package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxFrame  = 12 << 20 // the bytes of the longest message that is read
	maxID     = 256      // the bytes of the longest id that is looked for in a longer message
	maxBatch  = 1000     // the messages of the largest batch that is read
	maxReason = 500      // the bytes of the longest reason why a message is not read

	maxReceived = 8 // the messages that are received over HTTP at once; others wait
)

// A frame collects one message. It keeps at most maxFrame bytes; of a longer message it keeps only the id, so that the
// call can be answered. The SDK would end the connection instead.
type frame struct {
	data []byte
	long bool
	envelope
}

func (f *frame) Write(p []byte) (int, error) {
	if !f.long && len(f.data)+len(p) > maxFrame {
		f.long = true
		f.scan(f.data)
		f.data = nil
	}
	if f.long {
		f.scan(p)
	} else {
		f.data = append(f.data, p...)
	}
	return len(p), nil
}

// deliver returns what the server is to read, and what the client is to be told: one of them. An over-long message
// without a method is the answer to a request of the server, which fails.
func (f *frame) deliver() (in, out []byte) {
	switch message := bytes.TrimSpace(f.data); {
	case f.long && f.id != nil && !f.call:
		return f.refusal(jsonrpc.CodeInvalidRequest,
			fmt.Sprintf("the answer of the client has more than %d bytes", maxFrame)), nil
	case f.long:
		return nil, f.refusal(jsonrpc.CodeInvalidRequest,
			fmt.Sprintf("the message has more than %d bytes, and nothing was done: send less in one call, such as "+
				"edits instead of a whole file", maxFrame))
	case !json.Valid(message):
		if f.scan(message); f.tool && f.id != nil {
			return nil, f.toolError("the call is not valid JSON, and nothing was done: it was probably cut off; send " +
				"it again in full, or split it into several calls")
		}
		return nil, f.refusal(jsonrpc.CodeParseError, "the message is not valid JSON, and nothing was done: it was "+
			"probably cut off, or is not on one line")
	default:
		if _, err := jsonrpc.DecodeMessage(message); err != nil {
			// it may quote all
			return nil, f.refusal(jsonrpc.CodeInvalidRequest,
				"the message is not JSON-RPC: "+clip(err.Error(), maxReason))
		}
	}
	return f.data, nil
}

// split returns the messages of a batch, or f itself.
func (f *frame) split() []*frame {
	var batch []json.RawMessage
	if json.Unmarshal(f.data, &batch) != nil || len(batch) == 0 || len(batch) > maxBatch {
		return []*frame{f}
	}
	var all []*frame
	for _, message := range batch {
		all = append(all, &frame{data: append(message, '\n')})
	}
	return all
}

// An envelope finds the id of a message without keeping the message: clients put it before or behind the arguments.
type envelope struct {
	depth           int
	quoted, escaped bool
	name, value     []byte // of the field that is being read, as they stand
	id              json.RawMessage
	call            bool // there is a method
	tool            bool // which calls a tool
}

func (e *envelope) scan(p []byte) {
	for _, c := range p {
		switch {
		case e.escaped:
			e.escaped = false
		case e.quoted:
			e.escaped, e.quoted = c == '\\', c != '"'
		case c == '"':
			e.quoted = true
		case c == '{' || c == '[':
			e.depth++
			if e.depth == 1 {
				continue
			}
		case c == '}' || c == ']':
			if e.depth == 1 {
				e.endField()
			}
			e.depth--
		case e.depth == 1 && c == ':':
			e.name, e.value = append(e.name[:0], e.value...), e.value[:0]
			continue
		case e.depth == 1 && c == ',':
			e.endField()
			continue
		}
		if e.depth == 1 && len(e.value) <= maxID {
			e.value = append(e.value, c)
		}
	}
}

func (e *envelope) endField() {
	value := bytes.TrimSpace(e.value)
	switch string(bytes.TrimSpace(e.name)) {
	case `"method"`:
		e.call, e.tool = true, string(value) == `"tools/call"`
	case `"id"`:
		e.id = nil
		if len(e.value) <= maxID && json.Valid(value) && bytes.IndexByte([]byte(`"-0123456789`), value[0]) >= 0 {
			e.id = bytes.Clone(value)
		}
	}
	e.name, e.value = e.name[:0], e.value[:0]
}

// refusal returns an error as the answer to the message.
func (e *envelope) refusal(code int64, text string) []byte {
	return e.answer("error", &jsonrpc.Error{Code: code, Message: text})
}

// toolError returns the answer to a call of a tool that cannot be read, for the model.
func (e *envelope) toolError(text string) []byte {
	return e.answer("result", &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: true})
}

func (e *envelope) answer(field string, value any) []byte {
	id := e.id
	if id == nil {
		id = json.RawMessage("null")
	}
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, field: value})
	if err != nil {
		panic(err) // the id is valid JSON
	}
	return append(data, '\n')
}

// Lines are the messages on a stream, each on a line. Those that cannot be delivered are answered, and left out. The
// messages of a batch are delivered, and answered, one by one: the latest versions of the protocol have no batches, and
// the SDK would end the connection.
type lines struct {
	in   *bufio.Reader
	out  io.Writer
	rest []byte
	end  error
	io.Closer
}

func newLines(in io.ReadCloser, out io.Writer) *lines {
	return &lines{in: bufio.NewReaderSize(in, 1<<16), out: out, Closer: in}
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		if l.end != nil {
			return 0, l.end
		}
		if err := l.next(); err != nil {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

func (l *lines) next() error {
	var f frame
	for {
		part, err := l.in.ReadSlice('\n')
		f.Write(part)
		if err == nil {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			l.end = err
			break
		}
	}
	if !f.long && len(bytes.TrimSpace(f.data)) == 0 {
		return nil
	}
	for _, f := range f.split() {
		in, out := f.deliver()
		l.rest = append(l.rest, in...)
		if out == nil {
			continue
		}
		if _, err := l.out.Write(out); err != nil {
			return err
		}
	}
	return nil
}

type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// overLines returns the transport of messages on lines. Calls are carried out in turn. Every message must be one Write
// on out, which goes through whole beside others, as with an [os.File].
func overLines(in io.ReadCloser, out io.Writer) mcp.Transport {
	return inTurn{&mcp.IOTransport{
		Reader:        newLines(in, out),
		Writer:        unclosed{out},
		MaxLineLength: -1, // lines are as long as they may be
	}}
}

// deliverable returns a handler that gives h only messages that can be delivered.
func deliverable(h http.Handler, patience time.Duration) http.Handler {
	receiving := make(chan struct{}, maxReceived)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			select {
			case receiving <- struct{}{}:
			case <-r.Context().Done():
				return
			}
			f, err := receive(w, r, patience)
			<-receiving
			if errors.Is(err, os.ErrDeadlineExceeded) {
				http.Error(w, "the message did not arrive in time", http.StatusRequestTimeout)
				return
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			in, out := f.data, []byte(nil)
			if !bytes.HasPrefix(bytes.TrimSpace(in), []byte("[")) { // the SDK answers a batch of any kind
				in, out = f.deliver()
			}
			if out != nil {
				w.Header().Set("Content-Type", "application/json")
				if f.id == nil { // no call can take the answer
					w.WriteHeader(http.StatusBadRequest)
				}
				w.Write(out)
				return
			}
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(in)), int64(len(in))
		}
		h.ServeHTTP(w, r)
	})
}

// receive reads the body of a request, which has to arrive in time.
func receive(w http.ResponseWriter, r *http.Request, patience time.Duration) (f frame, err error) {
	connection := http.NewResponseController(w)
	connection.SetReadDeadline(time.Now().Add(patience))
	defer connection.SetReadDeadline(time.Time{})
	_, err = io.Copy(&f, r.Body)
	return f, err
}
