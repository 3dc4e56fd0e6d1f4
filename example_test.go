package atomicedit_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// Parse the reply of a model, prepare it for a store, review it, and commit it: all of it or nothing.
func Example() {
	const reply = `I'll greet in German, and say so.

hello.py
    print(f"hallo, {name}")

README.md
Prints hallo.
`
	ctx := context.Background()
	store := atomicedit.NewMem(map[string]string{ // or OpenDir
		"hello.py":  "def greet(name):\n    print(f\"hello, {name}\")\n",
		"README.md": "Prints hello.\n",
	})
	plan, err := atomicedit.Parse(reply)
	if err != nil {
		log.Fatal(err)
	}
	change, err := atomicedit.Prepare(ctx, store, plan, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(change.Report().Diff)
	if err := change.Commit(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Print(store.Files()["README.md"])
	// Output:
	// diff --git a/hello.py b/hello.py
	// --- a/hello.py
	// +++ b/hello.py
	// @@ -1,2 +1,2 @@
	//  def greet(name):
	// -    print(f"hello, {name}")
	// +    print(f"hallo, {name}")
	// diff --git a/README.md b/README.md
	// --- a/README.md
	// +++ b/README.md
	// @@ -1 +1 @@
	// -Prints hello.
	// +Prints hallo.
	// Prints hallo.
}

func ExampleApply() {
	text := []byte("port = 80\nhost = a\n")
	result, err := atomicedit.Apply(text, []atomicedit.Edit{
		{Old: "port = 80", New: "port = 8080"},
		{Old: "host = a", New: "host = b"},
	}, nil)
	if err != nil {
		fmt.Println(err) // worded for whoever asked for the edits
		return
	}
	fmt.Print(string(result.Text))
	// Output:
	// port = 8080
	// host = b
}

// A preview shows each edit as soon as it is complete.
func ExampleStream() {
	var stream atomicedit.Stream
	for _, chunk := range []string{
		"hello.txt\nfunc newHost(store atomicedit.Store, ask func(diff string) bool) (*atomicedit.Host, error) {
	tools, err := atomicedit.Tools("str_replace_editor")
	if err != nil {
		return nil, err
	}
	host := &atomicedit.Host{Store: atomicedit.NewSession(store), Tools: tools}
	host.Approve = func(ctx context.Context, t *atomicedit.Transaction) error {
		if !ask(t.Report().Diff) {
			return errors.New("the user said no")
		}
		return nil
	}
	return host, nil
}

// A tool server offers [Tools], and hands each call to the host of its conversation.
func ExampleHost() {
	ctx := context.Background()
	store := atomicedit.NewMem(map[string]string{"a.txt": "one\ntwo\n"})
	ask := func(diff string) bool { return true }
	host, err := newHost(store, ask)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, call := range []struct{ tool, args string }{
		{"str_replace_editor", `{"command": "str_replace", "path": "a.txt", "old_str": "two", "new_str": "2"}`},
		{"str_replace_editor", `{"command": "view", "path": "a.txt"}`},
		{"str_replace_editor", `{"command": "str_replace", "path": "a.txt", "old_str": "two", "new_str": "2"}`},
	} {
		answer, err := host.Call(ctx, call.tool, []byte(call.args))
		fmt.Println(err == nil, answer.Text)
	}
	// Output:
	// false a.txt: the file has not been read; read it first
	// note: to read a file, call str_replace_editor with "command": "view"
	// true a.txt: lines 1 to 2 of 2
	//      1	one
	//      2	two
	//
	// true modified a.txt: +1 -1 lines, now 2 lines, 6 bytes (-2)
	//   changed now: line 2
	// Look again at a.txt, as it is now:
	//      1	one
	//      2	2
}

// A custom check plugs in a linter or a parser for the language. Its notes do not stop the edit, but an error would.
func ExampleHost_checks() {
	callsEval := func(path string, text []byte) ([]atomicedit.Note, error) {
		if strings.Contains(string(text), "eval(") {
			return []atomicedit.Note{{Op: -1, Edit: -1, Msg: "calls eval"}}, nil
		}
		return nil, nil
	}
	host := &atomicedit.Host{Store: atomicedit.NewMem(map[string]string{"a.py": "x = 1\n"})}
	host.Options = &atomicedit.Options{Checks: []atomicedit.Check{callsEval}}
	plan, err := atomicedit.ParseJSON([]byte(`{"path": "a.py", "content": "x = eval(y)\n"}`))
	if err != nil {
		log.Fatal(err)
	}
	answer, err := host.Do(context.Background(), plan)
	fmt.Print(answer.Text, err)
	// Output:
	// modified a.py: +1 -1 lines, now 1 line, 12 bytes (+6)
	//   note: calls eval
	// <nil>
}
