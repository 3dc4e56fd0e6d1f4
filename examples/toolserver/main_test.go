//lint:file-ignore SA1019 See server.go.

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/storetest"
)

// The test binary is the server too, so that it is driven as its own process.
func TestMain(m *testing.M) {
	if os.Getenv("TOOLSERVER") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// overHTTP starts a server, and returns how to connect to it.
func overHTTP(t *testing.T, o options, dirs ...string) func() *client {
	store, err := openRoots(dirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { serve(ctx, l, newServer(ctx, store, o)) })
	t.Cleanup(func() { stop(); wg.Wait(); store.Close() })
	return func() *client {
		return goSDK(t, &user{}, &mcp.StreamableClientTransport{Endpoint: "http://" + l.Addr().String() + "/mcp"})
	}
}

// call makes a call, and checks that the text is all of its answer.
func (c *client) call(tool, args string) (text string, failed bool) {
	c.Helper()
	r, err := c.callTool(c.Context(), tool, json.RawMessage(args))
	if err != nil {
		c.Errorf("%s %s: %v", tool, args, err)
		return "", true
	}
	if r.StructuredContent != nil {
		c.Errorf("%s %s: structured content %v", tool, args, r.StructuredContent)
	}
	return r.Content[0].(*mcp.TextContent).Text, r.IsError
}

// want makes a call that must succeed.
func (c *client) want(says, tool, args string) {
	c.Helper()
	if text, failed := c.call(tool, args); failed || !strings.Contains(text, says) {
		c.Errorf("%s %s: failed %t, %s\nwant %q", tool, args, failed, text, says)
	}
}

// refused makes a call that must be refused.
func (c *client) refused(says, tool, args string) {
	c.Helper()
	if text, failed := c.call(tool, args); !failed || !strings.Contains(text, says) {
		c.Errorf("%s %s: failed %t, %s\nwant a refusal with %q", tool, args, failed, text, says)
	}
}

func resolve(raw any) *jsonschema.Resolved {
	data, err := json.Marshal(raw)
	if err != nil {
		panic(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		panic(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		panic(err)
	}
	return r
}

// dir returns a directory with files.
func dir(t *testing.T, files map[string]string) string {
	t.Helper()
	d := t.TempDir()
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(d, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(d, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func content(t *testing.T, elem ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestToolsAreListedWithStrictSchemas(t *testing.T) {
	c := stdio(t, "-root", t.TempDir())
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.OutputSchema != nil {
			t.Errorf("%s has the output schema %v", tool.Name, tool.OutputSchema)
		}
		in := resolve(tool.InputSchema)
		_, example, _ := strings.Cut(tool.Description, "\n{")
		example, _, _ = strings.Cut("{"+example, "\n")
		var args any
		if err := json.Unmarshal([]byte(example), &args); err != nil {
			t.Errorf("%s: the example is no JSON: %v", tool.Name, err)
		} else if err := in.Validate(args); err != nil {
			t.Errorf("%s: the example is not as the schema says: %v", tool.Name, err)
		}
		if in.Validate(map[string]any{"path": "a", "unknown": 1}) == nil {
			t.Errorf("%s: the schema allows an unknown field", tool.Name)
		}
		reads := tool.Name == listName
		if a := tool.Annotations; a.ReadOnlyHint != reads || *a.DestructiveHint == reads || *a.OpenWorldHint ||
			tool.Title == "" {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
	}
	if got := strings.Join(names, " "); got != "apply_patch file_write_or_edit list_directory multi_edit multi_edit_file str_replace_editor text_editor" {
		t.Errorf("tools: %s", got)
	}
}

func TestOnlyTheChosenToolsAreOffered(t *testing.T) {
	c := stdio(t, "-root", dir(t, map[string]string{"a.txt": "one\n"}), "-tools", "str_replace_editor,multi_edit")
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) != 2 || list.Tools[0].Name != "multi_edit" || list.Tools[1].Name != "str_replace_editor" {
		t.Errorf("tools: %+v", list.Tools)
	}
	c.refused("call str_replace_editor with", "multi_edit",
		`{"file_path": "a.txt", "edits": [{"old_string": "one", "new_string": "1", "replace_all": true}]}`)
	c.refused(`there is no tool "Edit": expected multi_edit, str_replace_editor`, "Edit",
		`{"file_path": "a.txt", "old_string": "one", "new_string": "1"}`)
	c.refused(`there is no tool "apply_patch"`, "apply_patch",
		`{"input": "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch"}`)
	for _, names := range []string{"", "multi_edit,sh", "multi_edit,multi_edit"} {
		if err := new(options).chooseTools(names); err == nil || !strings.Contains(err.Error(), "text_editor") {
			t.Errorf("%q: error %v", names, err)
		}
	}
}

func TestAServerWithoutToolsDoesNotStart(t *testing.T) {
	o := options{readOnly: true}
	if err := o.chooseTools("multi_edit,apply_patch"); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), []string{t.TempDir()}, "", o); err == nil ||
		!strings.Contains(err.Error(), "none of them reads") {
		t.Error(err)
	}
}

func TestReadOnlyReadsAndChangesNothing(t *testing.T) {
	d := dir(t, map[string]string{"a.txt": "one\n"})
	c := stdio(t, "-root", d, "-read-only")
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.Name != listName && !strings.Contains(tool.Title, "read-only") {
			t.Errorf("%s has the title %q", tool.Name, tool.Title)
		}
		if !tool.Annotations.ReadOnlyHint ||
			resolve(tool.InputSchema).Validate(map[string]any{"action": "write", "path": "a", "content": "x"}) == nil {
			t.Errorf("%s is not for reading", tool.Name)
		}
	}
	if r := c.InitializeResult(); r.ServerInfo.Title != "Text files, read-only" ||
		strings.Contains(r.Instructions, "edit") {
		t.Errorf("%+v says %q", r.ServerInfo, r.Instructions)
	}
	c.want("one", "text_editor", `{"action": "read", "path": "a.txt"}`)
	c.want("a.txt", "list_directory", `{}`)
	c.refused(`unknown field "depth"`, "text_editor", `{"action": "read", "path": "a.txt", "depth": 1}`)
	c.want("one", "str_replace_editor", `{"command": "view", "path": "a.txt"}`)
	c.refused(`"action" is "write": expected "read", because this server is for reading only`, "text_editor",
		`{"action": "write", "path": "a.txt", "content": "x"}`)
	c.refused(`"action" is "look": expected "read", because`, "text_editor", `{"action": "look", "path": "a.txt"}`)
	c.refused(`"command" is "create": expected "view", because`, "str_replace_editor",
		`{"command": "create", "path": "b.txt", "file_text": "x"}`)
	for _, twice := range []string{
		`{"action": "write", "action": "read", "path": "b.txt", "content": "x"}`,
		`{"action": "read", "action": "write", "path": "b.txt", "content": "x"}`,
		`{"Action": "read", "action": "write", "path": "b.txt", "content": "x"}`,
		`[{"action": "write", "path": "b.txt", "content": "x"}]`,
	} {
		c.refused("", "text_editor", twice)
	}
	c.refused(`there is no tool "apply_patch": expected `, "apply_patch",
		`{"input": "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch"}`)
	if got := content(t, d, "a.txt"); got != "one\n" {
		t.Errorf("a.txt: %q", got)
	}
	if _, err := os.Stat(filepath.Join(d, "b.txt")); err == nil {
		t.Error("there is a new file")
	}
}

func TestSeveralRoots(t *testing.T) {
	base := dir(t, map[string]string{"app/a.txt": "app\n", "lib/a.txt": "lib\n"})
	c := stdio(t, "-root", filepath.Join(base, "app"), "-root", filepath.Join(base, "lib"))
	c.refused("begin the path, or the cwd, with one of app, lib", "text_editor", `{"action": "read", "path": "a.txt"}`)
	c.want("lib/a.txt: line 1 of 1\n     1\tlib\n", "text_editor", `{"action": "read", "path": "lib/a.txt"}`)
	abs, _ := json.Marshal(filepath.Join(base, "app", "a.txt"))
	c.want("app/a.txt: line 1 of 1\n     1\tapp\n", "text_editor", `{"action": "read", "path": `+string(abs)+`}`)
	c.want("modified lib/a.txt", "multi_edit_file",
		`{"cwd": "lib", "path": "a.txt", "edits": [{"old_string": "lib", "new_string": "LIB"}]}`)
	cwd, _ := json.Marshal(filepath.Join(base, "app"))
	c.want("modified app/a.txt", "multi_edit_file",
		`{"cwd": `+string(cwd)+`, "path": "a.txt", "edits": [{"old_string": "app", "new_string": "APP"}]}`)
	c.refused("lib/a.txt", "multi_edit_file", `{"files": [
		{"path": "app/a.txt", "edits": [{"old_string": "APP", "new_string": "x"}]},
		{"path": "lib/a.txt", "edits": [{"old_string": "not there", "new_string": "x"}]}]}`)
	if a, l := content(t, base, "app/a.txt"), content(t, base, "lib/a.txt"); a != "APP\n" || l != "LIB\n" {
		t.Errorf("app %q, lib %q", a, l)
	}
	c.want("modified lib/a.txt", "multi_edit_file", `{"files": [
		{"path": "app/a.txt", "edits": [{"old_string": "APP", "new_string": "App"}]},
		{"path": "lib/a.txt", "edits": [{"old_string": "LIB", "new_string": "Lib"}]}]}`)
	c.want("moved lib/b.txt from app/a.txt", "multi_edit_file",
		`{"operations": [{"type": "move", "from": "app/a.txt", "to": "lib/b.txt"}]}`)
	c.want("moved app/a.txt from lib/b.txt", "multi_edit_file",
		`{"operations": [{"type": "move", "from": "lib/b.txt", "to": `+string(abs)+`}]}`)
	c.want("app/\nlib/\n", "list_directory", `{}`)
	c.want("entries of lib: 1\na.txt\t4 bytes\n", "list_directory", `{"path": "lib"}`)
	c.refused("there is a file lib/a.txt: use", "text_editor", `{"action": "read", "path": "lib/A.txt"}`)
	c.refused("outside", "text_editor", `{"action": "read", "path": "/etc/passwd"}`)
	c.refused("outside", "text_editor", `{"action": "read", "path": "lib/../../x"}`)
	if a, l := content(t, base, "app/a.txt"), content(t, base, "lib/a.txt"); a != "App\n" || l != "Lib\n" {
		t.Errorf("app %q, lib %q", a, l)
	}
}

func TestNotifications(t *testing.T) {
	d := dir(t, map[string]string{"a.txt": "one\n"})
	c := overHTTP(t, options{}, d)()
	if err := c.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "info"}); err != nil {
		t.Fatal(err)
	}
	p := &mcp.CallToolParams{Name: "multi_edit",
		Arguments: json.RawMessage(`{"file_path": "a.txt", "edits": [{"old_string": "one", "new_string": "1"}]}`)}
	p.SetProgressToken("p7")
	if _, err := c.CallTool(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	c.Close() // what was sent before the answer has come by now
	c.mu.Lock()
	defer c.mu.Unlock()
	if got := strings.Join(c.progress, ", "); got != "p7 1/2 worked out, p7 2/2 done" {
		t.Errorf("progress: %s", got)
	}
	if len(c.logs) != 2 || !strings.Contains(c.logs[0], "-one") || !strings.Contains(c.logs[1], "finished") {
		t.Errorf("logs: %q", c.logs)
	}
}

func TestAClientWithoutCapabilities(t *testing.T) {
	d := dir(t, map[string]string{"a.txt": "one\n"})
	cmd := command("-root", d)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"x","version":"0"}}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"multi_edit","arguments":`+oneEdit+
		`}}`)
	answers := bufio.NewReader(out)
	answers.ReadString('\n')
	if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "modified a.txt") {
		t.Errorf("%s, error %v", line, err)
	}
}

func TestEachConnectionHasItsOwnSession(t *testing.T) {
	d := dir(t, map[string]string{"a.txt": "one\n"})
	open := overHTTP(t, options{}, d)
	a, b := open(), open()
	a.want("one", "text_editor", `{"action": "read", "path": "a.txt"}`)
	b.refused("has not been read", "multi_edit",
		`{"file_path": "a.txt", "edits": [{"old_string": "one", "new_string": "1", "replace_all": true}]}`)
	a.want("done", "multi_edit", `{"file_path": "a.txt", "edits": [{"old_string": "one", "new_string": "done"}]}`)
}

const parallel = 50

// counters returns a file of numbered lines that are all 0.
func counters() string {
	var b strings.Builder
	for i := range parallel {
		fmt.Fprintf(&b, "counter %d = 0;\n", i)
	}
	return b.String()
}

func increment(i int) string {
	return fmt.Sprintf(`{"file_path": "n.txt", "edits": [{"old_string": "counter %d = 0;", "new_string": "counter %d = 1;"}]}`, i, i)
}

func TestParallelConnectionsLoseNothing(t *testing.T) {
	d := dir(t, map[string]string{"n.txt": counters()})
	open := overHTTP(t, options{}, d)
	var wg sync.WaitGroup
	for i := range parallel {
		c := open()
		wg.Go(func() {
			for { // what others have changed is refused until it is read again, so that nothing is overwritten unseen
				c.want("counter", "text_editor", `{"action": "read", "path": "n.txt"}`)
				text, failed := c.call("multi_edit", increment(i))
				if !failed {
					return
				}
				if !strings.Contains(text, "changed since") {
					t.Error(text)
					return
				}
			}
		})
	}
	wg.Wait()
	if got, want := content(t, d, "n.txt"), strings.ReplaceAll(counters(), "= 0", "= 1"); got != want {
		t.Errorf("something is lost:\n%s", got)
	}
}

func TestOnlyLoopback(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "example.com:0", "nonsense"} {
		if l, err := listen(t.Context(), address); err == nil {
			l.Close()
			t.Errorf("listens on %s", address)
		}
	}
	l, err := listen(t.Context(), "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if ip := l.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
		t.Errorf("localhost is %s", ip)
	}
}

func TestRootsAreAStore(t *testing.T) {
	t.Run("one directory", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) atomicedit.Store { return open(t, t.TempDir()) })
	})
	for _, in := range []string{"one/", "two/"} {
		t.Run(in, func(t *testing.T) {
			storetest.Run(t, func(t *testing.T) atomicedit.Store {
				base := dir(t, map[string]string{"one/.keep": "", "two/.keep": ""})
				return within{open(t, filepath.Join(base, "one"), filepath.Join(base, "two")), in}
			})
		})
	}
}

// A commit over several roots is all or nothing, and errors have the names of the files.
func TestACommitOverSeveralRoots(t *testing.T) {
	base := dir(t, map[string]string{"one/a": "1", "two/a": "2"})
	r := open(t, filepath.Join(base, "one"), filepath.Join(base, "two"))
	var changes []atomicedit.Change
	for _, name := range []string{"one/a", "two/a"} {
		f, err := r.Read(t.Context(), "./"+name)
		if err != nil || f.Path != name {
			t.Fatalf("%s: %+v, error %v", name, f, err)
		}
		changes = append(changes, atomicedit.Change{Path: name, Before: f,
			After: &atomicedit.File{Path: name, Data: []byte("new")}})
	}
	for _, stale := range [][]string{{"one/a"}, {"two/a"}, {"one/a", "two/a"}} {
		old := slices.Clone(changes)
		for i := range old {
			if slices.Contains(stale, old[i].Path) {
				old[i].Before = &atomicedit.File{Data: []byte("old")}
			}
		}
		err := r.Commit(t.Context(), old)
		if !errors.Is(err, atomicedit.ErrStale) || strings.Contains(err.Error(), base) {
			t.Errorf("%s: error %v", stale, err)
		}
		for _, name := range stale {
			if !strings.Contains(err.Error(), " "+name+": ") {
				t.Errorf("%s: error %v", stale, err)
			}
		}
		if one, two := content(t, base, "one/a"), content(t, base, "two/a"); one != "1" || two != "2" {
			t.Errorf("%s: one %q, two %q", stale, one, two)
		}
	}
	if err := r.Commit(t.Context(), changes); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one/a", "two/a"} {
		if got := content(t, base, name); got != "new" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestTheHomeIsOutsideOfSeveralRoots(t *testing.T) {
	base := dir(t, map[string]string{"one/a": "x", "two/a": "y"})
	r := open(t, filepath.Join(base, "one"), filepath.Join(base, "two"))
	for _, name := range []string{"~/../one/a", "one/~/a"} {
		if f, err := r.Read(t.Context(), name); !errors.Is(err, atomicedit.ErrOutside) {
			t.Errorf("%s: %+v, error %v", name, f, err)
		}
	}
}

func open(t *testing.T, dirs ...string) *roots {
	r, err := openRoots(dirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// Within asks two roots for paths in one of them. It does not embed them: their optional methods would get paths
// without its name.
type within struct {
	roots *roots
	root  string // with a slash
}

func (w within) in(path string) string {
	if path == "" || strings.HasPrefix(path, "~/") {
		return path
	}
	return w.root + path
}

func (w within) Read(ctx context.Context, path string) (*atomicedit.File, error) {
	f, err := w.roots.Read(ctx, w.in(path))
	if f != nil {
		f.Path = strings.TrimPrefix(f.Path, w.root)
	}
	return f, err
}

func (w within) Commit(ctx context.Context, changes []atomicedit.Change) error {
	changes = slices.Clone(changes)
	for i := range changes {
		changes[i].Path, changes[i].From = w.in(changes[i].Path), w.in(changes[i].From)
		changes[i].Before, changes[i].After = w.file(changes[i].Before), w.file(changes[i].After)
	}
	return w.roots.Commit(ctx, changes)
}

func (w within) file(f *atomicedit.File) *atomicedit.File {
	if f == nil || f.Path == "" {
		return f
	}
	c := *f
	c.Path = w.in(c.Path)
	return &c
}
