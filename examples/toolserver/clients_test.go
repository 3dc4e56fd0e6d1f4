//lint:file-ignore SA1019 See server.go.

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	mcpgo "github.com/mark3labs/mcp-go/client"
	mcpgotransport "github.com/mark3labs/mcp-go/client/transport"
	mcpgotypes "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A user answers what the server asks by the client.
type user struct {
	action string   // to a question: "accept", "decline", "cancel", "fail", or "wait"; "" if the client cannot ask
	roots  []string // the directories that the client names; nil if it cannot
	mu     sync.Mutex
	asked  []string
	late   func()         // runs before an answer of "accept", if the action is "wait"
	chosen map[string]any // of an answer of "accept"
}

func (u *user) answer(question string) (action string, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.asked = append(u.asked, question)
	switch u.action {
	case "fail":
		return "", errors.New("no screen")
	case "wait":
		u.action = "accept" // of the next question, which may come before this answer
		u.mu.Unlock()
		defer u.mu.Lock()
		u.late()
		return "accept", nil
	}
	return u.action, nil
}

// A client is a connection and the messages received on it.
type client struct {
	*testing.T
	*mcp.ClientSession // nil for another SDK
	callTool           func(ctx context.Context, tool string, args json.RawMessage) (*mcp.CallToolResult, error)
	moveTo             func(dir string) // names another root
	mu                 sync.Mutex
	progress, logs     []string
}

// goSDK connects the client of the official SDK.
func goSDK(t *testing.T, u *user, transport mcp.Transport) *client {
	t.Helper()
	c := &client{T: t}
	o := &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{},
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.progress = append(c.progress,
				fmt.Sprintf("%v %v/%v %s", r.Params.ProgressToken, r.Params.Progress, r.Params.Total, r.Params.Message))
		},
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.logs = append(c.logs, fmt.Sprint(r.Params.Level, " ", r.Params.Data))
		},
	}
	if u.roots != nil {
		o.Capabilities.RootsV2 = &mcp.RootCapabilities{ListChanged: true}
	}
	if u.action != "" {
		o.ElicitationHandler = func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			action, err := u.answer(r.Params.Message)
			return &mcp.ElicitResult{Action: action, Content: u.chosen}, err
		}
	}
	m := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, o)
	root := func(dir string) *mcp.Root { return &mcp.Root{URI: uriOf(dir)} }
	for _, dir := range u.roots {
		m.AddRoots(root(dir))
	}
	var err error
	if c.ClientSession, err = m.Connect(t.Context(), transport, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.callTool = func(ctx context.Context, tool string, args json.RawMessage) (*mcp.CallToolResult, error) {
		return c.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	}
	c.moveTo = func(dir string) {
		for _, old := range u.roots {
			m.RemoveRoots(root(old).URI)
		}
		m.AddRoots(root(dir))
	}
	return c
}

// mark3labs connects the client of github.com/mark3labs/mcp-go.
func mark3labs(t *testing.T, u *user, transport mcpgotransport.Interface) *client {
	t.Helper()
	h := &mcpgoUser{user: u}
	var o []mcpgo.ClientOption
	if u.roots != nil {
		o = append(o, mcpgo.WithRootsHandler(h))
	}
	if u.action != "" {
		o = append(o, mcpgo.WithElicitationHandler(h))
	}
	m := mcpgo.NewClient(transport, o...)
	t.Cleanup(func() { m.Close() })
	if err := m.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	var r mcpgotypes.InitializeRequest
	r.Params.ProtocolVersion = mcpgotypes.LATEST_PROTOCOL_VERSION
	r.Params.ClientInfo = mcpgotypes.Implementation{Name: "test", Version: "0"}
	if _, err := m.Initialize(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return &client{
		T: t,
		callTool: func(ctx context.Context, tool string, args json.RawMessage) (*mcp.CallToolResult, error) {
			var r mcpgotypes.CallToolRequest
			r.Params.Name, r.Params.Arguments = tool, args
			result, err := m.CallTool(ctx, r)
			if err != nil {
				return nil, err
			}
			data, err := json.Marshal(result)
			if err != nil {
				return nil, err
			}
			var same mcp.CallToolResult
			return &same, json.Unmarshal(data, &same)
		},
		moveTo: func(dir string) {
			u.mu.Lock()
			u.roots = []string{dir}
			u.mu.Unlock()
			if err := m.RootListChanges(t.Context()); err != nil {
				t.Error(err)
			}
		},
	}
}

type mcpgoUser struct{ *user }

func (u *mcpgoUser) Elicit(_ context.Context, r mcpgotypes.ElicitationRequest) (*mcpgotypes.ElicitationResult, error) {
	action, err := u.answer(r.Params.Message)
	return &mcpgotypes.ElicitationResult{ElicitationResponse: mcpgotypes.ElicitationResponse{Action: mcpgotypes.ElicitationResponseAction(action)}}, err
}

func (u *mcpgoUser) ListRoots(context.Context, mcpgotypes.ListRootsRequest) (*mcpgotypes.ListRootsResult, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	var r mcpgotypes.ListRootsResult
	for _, dir := range u.roots {
		r.Roots = append(r.Roots, mcpgotypes.Root{URI: uriOf(dir)})
	}
	return &r, nil
}

// uriOf returns the URI of a directory, as clients write it.
func uriOf(dir string) string {
	u := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(dir), "/")}
	return u.String()
}

// command returns a server as a process.
func command(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), "TOOLSERVER=1"), os.Stderr
	return cmd
}

// stdio starts a server as a process, and connects to it.
func stdio(t *testing.T, args ...string) *client {
	return goSDK(t, &user{}, &mcp.CommandTransport{Command: command(args...)})
}

// endpoint starts a server as a process that serves HTTP.
func endpoint(t *testing.T, args ...string) string {
	cmd := command(append([]string{"-http", "127.0.0.1:0"}, args...)...)
	cmd.Stderr = nil
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	url, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(url)
}

// ways are the clients and transports. Every test of what a client may ask for runs over all of them.
var ways = []struct {
	name string
	open func(t *testing.T, u *user, args ...string) *client
}{
	{"go-sdk, stdio", func(t *testing.T, u *user, args ...string) *client {
		return goSDK(t, u, &mcp.CommandTransport{Command: command(args...)})
	}},
	{"go-sdk, http", func(t *testing.T, u *user, args ...string) *client {
		return goSDK(t, u, &mcp.StreamableClientTransport{Endpoint: endpoint(t, args...)})
	}},
	{"mcp-go, stdio", func(t *testing.T, u *user, args ...string) *client {
		return mark3labs(t, u, mcpgotransport.NewStdio(os.Args[0], []string{"TOOLSERVER=1"}, args...))
	}},
	{"mcp-go, http", func(t *testing.T, u *user, args ...string) *client {
		transport, err := mcpgotransport.NewStreamableHTTP(endpoint(t, args...))
		if err != nil {
			t.Fatal(err)
		}
		return mark3labs(t, u, transport)
	}},
}

// everyWay runs a test over all of them, on a directory with the file a.txt.
func everyWay(t *testing.T, u func() *user, test func(t *testing.T, c *client, u *user, dir string), args ...string) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			d := dir(t, map[string]string{"a.txt": "one\ntwo\nthree\n"})
			u := u()
			test(t, way.open(t, u, append([]string{"-root", d}, args...)...), u, d)
		})
	}
}

func nobody() *user { return &user{} }

func TestEveryToolGoodRefusedAndCorrected(t *testing.T) {
	everyWay(t, nobody, func(t *testing.T, c *client, _ *user, d string) {
		c.refused("has not been read", "multi_edit",
			`{"file_path": "a.txt", "edits": [{"old_string": "one", "new_string": "1", "replace_all": true}]}`)
		c.want("     2\ttwo\n", "text_editor", `{"action": "read", "path": "a.txt"}`)
		c.want("     1\t1\n", "multi_edit",
			`{"file_path": "a.txt", "edits": [{"old_string": "one", "new_string": "1"}]}`)
		c.refused(`unknown field "replace_everything"`, "multi_edit",
			`{"file_path": "a.txt", "edits": [{"old_string": "1", "new_string": "2"}], "replace_everything": true}`)

		c.refused("not there", "apply_patch",
			`{"input": "*** Begin Patch\n*** Update File: a.txt\n@@\n-tow\n+2\n*** End Patch"}`)
		c.want("modified a.txt", "apply_patch",
			`{"input": "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch"}`)

		c.refused("there is no line 9", "text_editor",
			`{"action": "patch", "path": "a.txt", "edits": [{"from": 9, "to": 9, "content": "x\n"}]}`)
		c.want("modified a.txt", "text_editor",
			`{"action": "patch", "path": "a.txt", "edits": [{"from": 3, "to": 3, "content": "3\n"}]}`)

		c.refused("already there", "multi_edit_file",
			`{"operations": [{"type": "create", "path": "a.txt", "content": "x"}]}`)
		c.want("moved b.txt from a.txt", "multi_edit_file",
			`{"operations": [{"type": "move", "from": "a.txt", "to": "b.txt"}]}`)

		c.refused("SEARCH", "file_write_or_edit",
			`{"file_path": "b.txt", "percentage_to_change": 10, "text_or_search_replace_blocks": "1\n"}`)
		c.want("modified b.txt", "file_write_or_edit",
			`{"file_path": "b.txt", "percentage_to_change": 10, "text_or_search_replace_blocks": "<<<<<<< SEARCH\n1\n=======\none\n>>>>>>> REPLACE"}`)

		c.want("lines 2 to 3 of 3", "str_replace_editor", `{"command": "view", "path": "b.txt", "view_range": [2, -1]}`)
		c.refused("no such file", "str_replace_editor",
			`{"command": "str_replace", "path": "a.txt", "old_str": "2", "new_str": "two"}`)
		c.want("modified b.txt", "str_replace_editor",
			`{"command": "str_replace", "path": "b.txt", "old_str": "2", "new_str": "two"}`)

		c.want("b.txt\t10 bytes\n", "list_directory", `{}`)
		c.refused("there is no directory c", "list_directory", `{"path": "c"}`)
		c.refused(`unknown field "depth"`, "list_directory", `{"path": ".", "depth": 3}`)
		if got := content(t, d, "b.txt"); got != "one\ntwo\n3\n" {
			t.Errorf("b.txt: %q", got)
		}
	})
}

const oneEdit = `{"file_path": "a.txt", "edits": [{"old_string": "one", "new_string": "1"}]}`

func TestApproval(t *testing.T) {
	tests := []struct {
		action, flag string
		says         string // of a call that is denied; "" if it is carried out
		asked        int
	}{
		{"accept", "auto", "", 1},
		{"accept", "always", "", 1},
		{"decline", "auto", "not approved, and nothing was changed: the user declined", 1},
		{"cancel", "auto", "not approved, and nothing was changed: the user dismissed", 1},
		{"cancel", "always", "the user dismissed", 1},
		{"fail", "auto", "the client could not ask the user", 1},
		{"cancel", "never", "", 0},
		{"", "auto", "", 0},
		{"", "always", "the client has no way to ask", 0},
	}
	for _, test := range tests {
		t.Run(test.action+", "+test.flag, func(t *testing.T) {
			everyWay(t, func() *user { return &user{action: test.action} },
				func(t *testing.T, c *client, u *user, d string) {
					want := "1\ntwo\nthree\n"
					if test.says == "" {
						c.want("modified a.txt", "multi_edit", oneEdit)
					} else {
						c.refused(test.says, "multi_edit", oneEdit)
						want = "one\ntwo\nthree\n"
					}
					if got := content(t, d, "a.txt"); got != want {
						t.Errorf("a.txt: %q, want %q", got, want)
					}
					if len(u.asked) != test.asked || test.asked > 0 && !strings.Contains(u.asked[0], "-one\n+1\n") {
						t.Errorf("asked %q", u.asked)
					}
				}, "-approve", test.flag)
		})
	}
}

// The form of a change of several files lets the user take files out of it. The model reads that, and the rest is done.
func TestAUserTakesAFileOutOfAChange(t *testing.T) {
	d := dir(t, map[string]string{"a.txt": "one\n", "b.txt": "one\n"})
	u := &user{action: "accept", chosen: map[string]any{"a.txt": true, "b.txt": false}}
	c := goSDK(t, u, &mcp.CommandTransport{Command: command("-root", d)})
	c.want("b.txt stays as it was", "multi_edit_file", `{"operations": [`+
		`{"type": "edit", "path": "a.txt", "edits": [{"old_string": "one", "new_string": "1"}]},`+
		`{"type": "edit", "path": "b.txt", "edits": [{"old_string": "one", "new_string": "1"}]},`+
		`{"type": "create", "path": "c.txt", "content": "new\n"}]}`)
	if got := content(t, d, "a.txt") + content(t, d, "b.txt") + content(t, d, "c.txt"); got != "1\none\nnew\n" {
		t.Errorf("the files have %q", got)
	}
}

func TestAnApprovalThatComesTooLateChangesNothing(t *testing.T) {
	everyWay(t, func() *user { return &user{action: "wait"} }, func(t *testing.T, c *client, u *user, d string) {
		ctx, cancel := context.WithCancel(t.Context())
		next := make(chan bool)
		u.late = func() { cancel(); <-next }
		if r, err := c.callTool(ctx, "multi_edit", json.RawMessage(oneEdit)); err == nil {
			t.Errorf("%+v", r)
		}
		c.want("one", "text_editor", `{"action": "read", "path": "a.txt"}`)
		// Edits take turns, so this one waits until the server has given the first one up.
		c.want("modified a.txt", "multi_edit",
			`{"file_path": "a.txt", "edits": [{"old_string": "two", "new_string": "2"}]}`)
		close(next)
		c.want("modified a.txt", "multi_edit",
			`{"file_path": "a.txt", "edits": [{"old_string": "three", "new_string": "3"}]}`)
		if got := content(t, d, "a.txt"); got != "one\n2\n3\n" {
			t.Errorf("a.txt: %q", got)
		}
	}, "-approve-timeout", "3s") // mcp-go tells a server over HTTP neither that it cancels nor the late answer
}

func TestAUserWhoDoesNotAnswerHasNotApproved(t *testing.T) {
	everyWay(t, func() *user { return &user{action: "wait"} }, func(t *testing.T, c *client, u *user, d string) {
		next := make(chan bool)
		u.late = func() { <-next }
		defer close(next)
		c.refused("the user could not be asked: there was no answer for 50ms", "multi_edit", oneEdit)
		if got := content(t, d, "a.txt"); got != "one\ntwo\nthree\n" {
			t.Errorf("a.txt: %q", got)
		}
	}, "-approve-timeout", "50ms")
}

func TestAServerThatIsStoppedDoesNotWaitForTheUser(t *testing.T) {
	d := dir(t, map[string]string{"a.txt": "one\n"})
	tree, err := openRoots([]string{d}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	ctx, stop := context.WithCancel(t.Context())
	there, here := mcp.NewInMemoryTransports()
	ended, next := make(chan error), make(chan bool)
	go func() { ended <- newServer(ctx, tree, options{approve: "auto"}).Run(ctx, there) }()
	c := goSDK(t, &user{action: "wait", late: func() { stop(); <-next }}, here)
	go func() {
		if r, err := c.callTool(t.Context(), "multi_edit", json.RawMessage(oneEdit)); err == nil && !r.IsError {
			t.Errorf("%+v", r)
		}
		close(next)
	}()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-next
	if got := content(t, d, "a.txt"); got != "one\n" {
		t.Errorf("a.txt: %q", got)
	}
}

func TestADenialIsTheStatus(t *testing.T) {
	c := goSDK(t, &user{action: "cancel"},
		&mcp.CommandTransport{Command: command("-root", dir(t, map[string]string{"a.txt": "one\n"}), "-structured")})
	r, err := c.callTool(t.Context(), "multi_edit", json.RawMessage(oneEdit))
	if err != nil || r.StructuredContent.(map[string]any)["status"] != "denied" {
		t.Errorf("%+v, error %v", r, err)
	}
}

func TestClientRootsTakeThePlaceOfOthers(t *testing.T) {
	first, second := dir(t, map[string]string{"a.txt": "first\n"}), dir(t, map[string]string{"a.txt": "second\n"})
	everyWay(t, func() *user { return &user{roots: []string{first}} },
		func(t *testing.T, c *client, _ *user, _ string) {
			c.want("\tfirst\n", "text_editor", `{"action": "read", "path": "a.txt"}`)
			c.moveTo(second)
			edit := `{"file_path": "a.txt", "edits": [{"old_string": "first", "new_string": "1"}]}`
			c.refused("has not been read", "multi_edit", edit)
			c.want("\tsecond\n", "text_editor", `{"action": "read", "path": "a.txt"}`)
			c.refused("not there", "multi_edit", edit)
			old, _ := json.Marshal(filepath.Join(first, "a.txt"))
			c.refused("outside", "text_editor", `{"action": "read", "path": `+string(old)+`}`)
		}, "-client-roots", "replace")
}

func TestClientRoots(t *testing.T) {
	base := dir(t, map[string]string{"in/a.txt": "in\n", "in/sub/a.txt": "sub\n", "out/a.txt": "out\n",
		"a b%20c#d/a.txt": "odd\n", "file": ""})
	if err := os.Symlink(filepath.Join(base, "out"), filepath.Join(base, "in", "link")); err != nil {
		t.Skip(err)
	}
	tests := []struct {
		flag  string
		roots []string
		says  string
		fails bool
	}{
		{"replace", []string{"out"}, "\tout\n", false},
		{"replace", []string{"a b%20c#d"}, "\todd\n", false},
		{"replace", []string{"in/link"}, "\tout\n", false},
		{"replace", []string{}, "\tin\n", false},
		{"replace", []string{"missing", "out"}, "\tout\n", false},
		{"replace", []string{"missing"}, "the client names no directory that can be used", true},
		{"replace", []string{"file"}, "is not a directory", true},
		{"replace", []string{"in", "out"}, "begin the path, or the cwd, with one of in, out", true},
		{"narrow", []string{"in/sub"}, "\tsub\n", false},
		{"narrow", []string{"."}, "\tin\n", false},
		{"narrow", []string{"out"}, "is in no -root of this server", true},
		{"narrow", []string{"in/link"}, "is in no -root of this server", true},
		{"ignore", []string{"out"}, "\tin\n", false},
	}
	for _, test := range tests {
		t.Run(test.flag+" "+strings.Join(test.roots, " "), func(t *testing.T) {
			u := &user{roots: []string{}}
			for _, r := range test.roots {
				u.roots = append(u.roots, filepath.Join(base, r))
			}
			c := goSDK(t, u, &mcp.CommandTransport{Command: command("-root", filepath.Join(base, "in"), "-client-roots",
				test.flag)})
			check := c.want
			if test.fails {
				check = c.refused
			}
			check(test.says, "text_editor", `{"action": "read", "path": "a.txt"}`)
		})
	}
}

func TestATooLongMessageEndsOnlyItsCall(t *testing.T) {
	long := fmt.Sprintf(`{"action": "write", "path": "b.txt", "content": %q}`, strings.Repeat("x", 16<<20))
	everyWay(t, nobody, func(t *testing.T, c *client, _ *user, d string) {
		if _, err := c.callTool(t.Context(), "text_editor", json.RawMessage(long)); err == nil ||
			!strings.Contains(err.Error(), "send less in one call") {
			t.Errorf("error %v", err)
		}
		c.want("one", "text_editor", `{"action": "read", "path": "a.txt"}`)
		c.want("a.txt", "list_directory", `{}`)
	})
}

func TestAnswersAreBounded(t *testing.T) {
	everyWay(t, nobody, func(t *testing.T, c *client, _ *user, d string) {
		whole := strings.Repeat(strings.Repeat("x", 79)+"\n", 100_000)
		args, _ := json.Marshal(map[string]string{"action": "write", "path": "b.txt", "content": whole})
		r, err := c.callTool(t.Context(), "text_editor", args)
		if err != nil || r.IsError {
			t.Fatalf("%+v, error %v", r, err)
		}
		data, _ := json.Marshal(r)
		if len(data) > 4000 || content(t, d, "b.txt") != whole {
			t.Errorf("the answer has %d bytes: %.500s", len(data), data)
		}
	})
}

func TestParallelCallsOnOneFileLoseNothing(t *testing.T) {
	everyWay(t, nobody, func(t *testing.T, c *client, _ *user, d string) {
		if err := os.WriteFile(filepath.Join(d, "n.txt"), []byte(counters()), 0o644); err != nil {
			t.Fatal(err)
		}
		c.want("counter", "text_editor", `{"action": "read", "path": "n.txt"}`)
		var wg sync.WaitGroup
		for i := range parallel {
			wg.Go(func() { c.want("modified", "multi_edit", increment(i)) })
		}
		wg.Wait()
		if got, want := content(t, d, "n.txt"), strings.ReplaceAll(counters(), "= 0", "= 1"); got != want {
			t.Errorf("something is lost:\n%s", got)
		}
	})
}
