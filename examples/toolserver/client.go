//lint:file-ignore SA1019 The protocol versions served have roots; see server.go.

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/atomicedit/atomicedit"
)

// A connection is a client, and what the server asks of it: where to work, and whether a change may be made.
type connection struct {
	mu  sync.Mutex
	now *workspace
	// the client may have other roots by now; not guarded by mu, which is held while the client is asked for them
	moved atomic.Bool
}

// A workspace is what a connection works on, until its client names other roots. Its host remembers the files that the
// connection has seen.
type workspace struct {
	dirs  []string // nil for the tree that the server was started with
	tree  tree
	host  *atomicedit.Host
	calls sync.WaitGroup
}

// workspace returns what a connection works on now. The caller calls Done on its calls in the end.
func (s *server) workspace(ctx context.Context, session *mcp.ServerSession) (*workspace, error) {
	c := s.connection(session)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.moved.Swap(false) || c.now == nil {
		if err := s.move(ctx, c, session); err != nil {
			c.moved.Store(true)
			return nil, err
		}
	}
	c.now.calls.Add(1)
	return c.now, nil
}

// connection returns what is known of a connection.
func (s *server) connection(session *mcp.ServerSession) *connection {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.connections[session]
	if c == nil {
		c = &connection{}
		s.connections[session] = c
		go func() {
			session.Wait()
			s.mu.Lock()
			delete(s.connections, session)
			s.mu.Unlock()
			c.mu.Lock()
			defer c.mu.Unlock()
			s.leave(c.now)
		}()
	}
	return c
}

// move gives a connection the workspace that its client names.
func (s *server) move(ctx context.Context, c *connection, session *mcp.ServerSession) error {
	dirs, err := s.rootsOf(ctx, session)
	if err != nil || c.now != nil && slices.Equal(dirs, c.now.dirs) {
		return err
	}
	w := &workspace{dirs: dirs, tree: s.tree}
	if dirs != nil {
		if w.tree, err = openRoots(dirs, s.dirOptions()); err != nil {
			return err
		}
	}
	w.host = &atomicedit.Host{Store: atomicedit.NewSession(w.tree)}
	w.host.Tools, w.host.Events = s.tools, tell
	switch {
	case s.readOnly:
		w.host.Approve = func(_ context.Context, tr *atomicedit.Transaction) (*atomicedit.Transaction, error) {
			return tr, errors.New("this server is for reading only")
		}
	case s.approve != "never":
		w.host.Approve = s.ask
	}
	s.leave(c.now)
	c.now = w
	return nil
}

// leave closes the tree of a workspace once its calls have ended.
func (s *server) leave(w *workspace) {
	if w != nil && w.tree != s.tree {
		go func() {
			w.calls.Wait()
			w.tree.Close()
		}()
	}
}

// capabilities returns what the client has said that it can do.
func capabilities(session *mcp.ServerSession) mcp.ClientCapabilities {
	if p := session.InitializeParams(); p != nil && p.Capabilities != nil {
		return *p.Capabilities
	}
	return mcp.ClientCapabilities{}
}

// rootsOf returns the directories that the client names, nil if it names none, or if they do not count.
func (s *server) rootsOf(ctx context.Context, session *mcp.ServerSession) ([]string, error) {
	if s.clientRoots == "ignore" || capabilities(session).RootsV2 == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	list, err := session.ListRoots(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("the client did not list its roots; tell the user, who can start this server with "+
			"-client-roots=ignore: %w", err)
	}
	var dirs []string
	var unusable []error
	for _, r := range list.Roots {
		dir, err := s.usable(r.URI)
		if err != nil {
			unusable = append(unusable, err)
		} else if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	if err := errors.Join(unusable...); err != nil && dirs == nil {
		return nil, fmt.Errorf("the client names no directory that can be used; tell the user: %w", err)
	} else if err != nil {
		_ = session.Log(ctx, &mcp.LoggingMessageParams{Level: "warning", Logger: "atomicedit", Data: err.Error()})
	}
	return dirs, nil
}

// usable returns the directory that the URI of a root names, or the part of it that counts.
func (s *server) usable(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", fmt.Errorf("%q is not a file:// URI of this machine", uri)
	}
	dir := u.Path
	if runtime.GOOS == "windows" {
		dir = strings.TrimPrefix(dir, "/")
	}
	dir = filepath.FromSlash(dir)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() || !filepath.IsAbs(dir) {
		return "", fmt.Errorf("%q is not a directory", uri)
	}
	if s.clientRoots == "replace" {
		return dir, nil
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	for _, d := range s.tree.(*roots).dirs { // another tree ignores the roots of clients
		base := d.bases[len(d.bases)-1]
		if isWithin(base, dir) {
			return dir, nil
		}
		if isWithin(dir, base) {
			return base, nil
		}
	}
	return "", fmt.Errorf("%q is in no -root of this server", uri)
}

// isWithin reports whether a directory is another one, or below it.
func isWithin(base, dir string) bool {
	rel, err := filepath.Rel(base, dir)
	return err == nil && filepath.IsLocal(rel)
}

// choices returns the schema of a form in which the user may take files out of a change. Only a change of several files
// has any to choose from, and only those that it modifies.
func choices(t *atomicedit.Transaction) json.RawMessage {
	fields := map[string]any{}
	if changes := t.Changes(); len(changes) > 1 {
		for _, c := range changes {
			if c.Before != nil && c.After != nil {
				fields[c.Path] = map[string]any{"type": "boolean", "title": "change " + c.Path, "default": true}
			}
		}
	}
	schema, _ := json.Marshal(map[string]any{"type": "object", "properties": fields}) // it can be marshaled
	return schema
}

// without returns t without the files that the user has taken out of it.
func without(ctx context.Context, t *atomicedit.Transaction, chosen map[string]any) (*atomicedit.Transaction, error) {
	var err error
	for _, c := range t.Changes() {
		if is, ok := chosen[c.Path].(bool); ok && !is && c.Before != nil && c.After != nil {
			if t, err = t.With(ctx, c.Path, c.Before.Data); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// ask asks the user, by the client, whether a change may be made. An error denies it.
func (s *server) ask(ctx context.Context, t *atomicedit.Transaction) (*atomicedit.Transaction, error) {
	session := ctx.Value(requestKey{}).(*mcp.CallToolRequest).Session
	if e := capabilities(session).Elicitation; e == nil || e.Form == nil && e.URL != nil {
		if s.approve != "always" {
			return t, nil
		}
		return nil, errors.New("this server asks the user before each change, and the client has no way to ask " +
			"(elicitation); tell the user")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.approveTimeout,
		fmt.Errorf("there was no answer for %v", s.approveTimeout))
	defer cancel() // other edits wait, and some clients never say that a call is canceled
	r := t.Report()
	answer, err := session.Elicit(ctx, &mcp.ElicitParams{
		Message:         clip("May this change be made?\n"+r.String()+r.Diff, maxQuestion),
		RequestedSchema: choices(t),
	})
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("the user could not be asked: %w", context.Cause(ctx))
	case err != nil:
		return nil, fmt.Errorf("the client could not ask the user: %w", err)
	case answer.Action == "accept":
		return without(ctx, t, answer.Content)
	case answer.Action == "decline":
		return nil, errors.New("the user declined the change; ask the user what to do instead")
	}
	return nil, errors.New("the user dismissed the question; ask the user before you send the change again")
}
