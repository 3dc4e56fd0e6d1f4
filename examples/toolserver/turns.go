package main

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inTurn is a transport on which the calls of tools are carried out one by one, in the order in which they came. The
// SDK starts the calls of a client that does not wait for the answers all at once, and an edit may need the one before
// it.
type inTurn struct{ mcp.Transport }

func (t inTurn) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	reading, stop := context.WithCancel(context.WithoutCancel(ctx))
	turns := &turns{Connection: c, stop: stop, came: make(chan received), changed: make(chan struct{}, 1)}
	go turns.receive(reading)
	return turns, nil
}

type turns struct {
	mcp.Connection
	stop    context.CancelFunc
	came    chan received
	waiting []*jsonrpc.Request // calls, in the order in which they came
	end     error              // of the messages of the client

	mu      sync.Mutex
	working jsonrpc.ID    // the call that has no answer yet, if any
	asked   int           // questions that the client has not answered yet
	changed chan struct{} // gets a value when working or asked changes
}

type received struct {
	message jsonrpc.Message
	err     error
}

func (c *turns) receive(ctx context.Context) {
	for {
		m, err := c.Connection.Read(ctx)
		select {
		case c.came <- received{m, err}:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// Read returns the next message whose turn it is. A client that has gone still gets the answers to its calls, unless it
// is asked something.
func (c *turns) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		c.mu.Lock()
		idle, asked := !c.working.IsValid(), c.asked > 0
		if idle && len(c.waiting) > 0 {
			call := c.waiting[0]
			c.waiting, c.working = c.waiting[1:], call.ID
			c.mu.Unlock()
			return call, nil
		}
		c.mu.Unlock()
		if c.end != nil && (idle || asked) {
			return nil, c.end
		}
		select {
		case r := <-c.came:
			c.end = r.err
			switch m := r.message.(type) {
			case *jsonrpc.Request:
				if m.Method == "tools/call" && m.ID.IsValid() {
					c.waiting = append(c.waiting, m)
					continue
				}
				if m.Method == "notifications/cancelled" {
					c.forget(m)
				}
			case *jsonrpc.Response:
				c.count(-1)
			}
			if r.err == nil {
				return r.message, nil
			}
		case <-c.changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// forget drops a call that the client has cancelled before it began.
func (c *turns) forget(cancel *jsonrpc.Request) {
	var params struct{ RequestID any }
	if json.Unmarshal(cancel.Params, &params) != nil {
		return
	}
	if id, err := jsonrpc.MakeID(params.RequestID); err == nil {
		c.waiting = slices.DeleteFunc(c.waiting, func(call *jsonrpc.Request) bool { return call.ID == id })
	}
}

func (c *turns) Write(ctx context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Request); ok && r.ID.IsValid() {
		c.count(1)
	}
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		if r.ID == c.working {
			c.working = jsonrpc.ID{}
		}
		c.mu.Unlock()
		c.count(0)
	}
	return err
}

// count counts n more questions, and lets Read look again.
func (c *turns) count(n int) {
	c.mu.Lock()
	c.asked += n
	c.mu.Unlock()
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

func (c *turns) Close() error {
	c.stop()
	return c.Connection.Close()
}
