package atomicedit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"go/format"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// A host that wants the good edits of a request without the bad ones says so.
func ExampleOptions_partial() {
	ctx := context.Background()
	store := atomicedit.NewMem(map[string]string{"a.txt": "one\ntwo\nthree\n"})
	plan, err := atomicedit.ParseJSON([]byte(`{"file_path": "a.txt", "edits": [
		{"old_string": "one", "new_string": "1"},
		{"old_string": "zwei", "new_string": "2"},
		{"old_string": "three", "new_string": "3"}]}`))
	if err != nil {
		log.Fatal(err)
	}
	report, err := atomicedit.Run(ctx, store, plan, &atomicedit.Options{Partial: true})
	fmt.Printf("%v%v", report, err)
	// Output:
	// left out: a.txt: edit 2: old_string is not there, nor is any text close to it: read the file
	// modified a.txt: +2 -2 lines, now 3 lines, 8 bytes (-6)
	//   changed now: line 1, line 3
	// <nil>
}

// A host keeps what a conversation has seen, and goes on with it in another process.
func ExampleSession_MarshalJSON() {
	ctx := context.Background()
	store := atomicedit.NewMem(map[string]string{"a.txt": "one\ntwo\nthree\n"})
	session := atomicedit.NewSession(store)
	if _, err := session.View(ctx, "a.txt", 1, 2); err != nil {
		log.Fatal(err)
	}
	kept, err := json.Marshal(session)
	if err != nil {
		log.Fatal(err)
	}

	session = atomicedit.NewSession(store)
	if err := json.Unmarshal(kept, session); err != nil {
		log.Fatal(err)
	}
	_, lines, ok := session.Seen("a.txt")
	fmt.Println(lines, ok)
	// Output: [[1 2]] true
}

// A formatter works before anybody sees the change.
func ExampleOptions_format() {
	goFormat := func(_ context.Context, path string, text []byte) ([]byte, error) {
		if !strings.HasSuffix(path, ".go") {
			return text, nil
		}
		return format.Source(text)
	}
	store := atomicedit.NewMem(map[string]string{"a.go": "package a\n"})
	plan, err := atomicedit.ParseJSON([]byte(`{"path": "a.go", "edits": [{"old_string": "package a\n", "new_string": "package a\nvar x=1\n"}]}`))
	if err != nil {
		log.Fatal(err)
	}
	change, err := atomicedit.Prepare(context.Background(), store, plan, &atomicedit.Options{Format: goFormat})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(change.Report().Diff)
	// Output:
	// diff --git a/a.go b/a.go
	// --- a/a.go
	// +++ b/a.go
	// @@ -1 +1,3 @@
	//  package a
	// +
	// +var x = 1
}

// A store in memory can replace a directory in tests.
func ExampleNewMem() {
	store := atomicedit.NewMem(map[string]string{"greet.go": "package greet\n"})
	plan := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpMove, Path: "greet.go", To: "hello/hello.go"}}}
	if _, err := atomicedit.Run(context.Background(), store, plan, nil); err != nil {
		fmt.Println(err)
		return
	}
	for name := range store.Files() {
		fmt.Println(name)
	}
	// Output: hello/hello.go
}

// A session refuses to overwrite what the conversation has not read.
func ExampleNewSession() {
	ctx := context.Background()
	session := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"notes.txt": "one\ntwo\nthree\n"}))
	rewrite := atomicedit.Plan{Ops: []atomicedit.Op{
		{Kind: atomicedit.OpCreate, Path: "notes.txt", Content: "all new\n", Overwrite: true},
	}}
	_, err := atomicedit.Run(ctx, session, rewrite, nil)
	fmt.Println(err)

	session.View(ctx, "notes.txt", 1, 2) // a read tool showed these lines
	_, err = atomicedit.Run(ctx, session, rewrite, nil)
	fmt.Println(err)

	session.View(ctx, "notes.txt", 0, 0) // and now all
	_, err = atomicedit.Run(ctx, session, rewrite, nil)
	fmt.Println(err)
	// Output:
	// notes.txt: the file has not been read; read it before replacing it, or edit it by its text
	// notes.txt: read the whole file before replacing it (not yet read: line 3), or edit it by its text
	// <nil>
}

func ExampleOpenDir() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("old\r\n"), 0o600); err != nil {
		log.Fatal(err)
	}

	store, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	plan, err := atomicedit.Parse("a.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n")
	if err != nil {
		log.Fatal(err)
	}
	if _, err := atomicedit.Run(context.Background(), store, plan, nil); err != nil {
		log.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "a.txt"))
	fmt.Printf("%q %v\n", data, err)
	// Output: "new\r\n" <nil>
}

func ExampleWriteFile() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "settings.json")
	if err := atomicedit.WriteFile(name, []byte("{}\n"), 0o644); err != nil {
		log.Fatal(err)
	}
	data, err := os.ReadFile(name)
	fmt.Printf("%s%v\n", data, err)
	// Output:
	// {}
	// <nil>
}

// A program tells its user what it found after a crash.
func ExampleDir_Recovered() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	for _, what := range store.Recovered() {
		fmt.Println(what)
	}
	fmt.Println(len(store.Recovered()))
	// Output: 0
}

func Example_onADirectory() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	const reply = "*** Begin Patch\n*** Add File: docs/a.txt\n+hello\n*** End Patch\n"
	if err := carryOut(context.Background(), store, reply); err != nil {
		log.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "docs", "a.txt"))
	fmt.Printf("%s%v\n", data, err)
	// Output:
	// diff --git a/docs/a.txt b/docs/a.txt
	// new file mode 100644
	// --- /dev/null
	// +++ b/docs/a.txt
	// @@ -0,0 +1 @@
	// +hello
	// hello
	// <nil>
}

// A plan for two directories is carried out completely or not at all. What a user allows later is added.
func ExampleDir_Add() {
	base, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(base)
	app, lib := filepath.Join(base, "app"), filepath.Join(base, "lib")
	for _, dir := range []string{app, lib} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "version"), []byte("1\n"), 0o644); err != nil {
			log.Fatal(err)
		}
	}

	store, err := atomicedit.OpenDir(app, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	raise := []atomicedit.Edit{{Old: "1", New: "2"}}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{
		{Path: "version", Edits: raise},                     // relative to the first directory
		{Path: filepath.Join(lib, "version"), Edits: raise}, // absolute
	}}
	_, err = atomicedit.Run(context.Background(), store, plan, nil)
	fmt.Println(err != nil)

	if err := store.Add(lib); err != nil {
		log.Fatal(err)
	}
	if _, err := atomicedit.Run(context.Background(), store, plan, nil); err != nil {
		log.Fatal(err)
	}
	for _, dir := range []string{app, lib} {
		data, err := os.ReadFile(filepath.Join(dir, "version"))
		fmt.Printf("%q %v\n", data, err)
	}
	// Output:
	// true
	// "2\n" <nil>
	// "2\n" <nil>
}

// A host with a read tool of its own tells the session which text it showed.
func ExampleSession_MarkReadText() {
	ctx := context.Background()
	session := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"a.txt": "one\n"}))
	session.MarkReadText("a.txt", []byte("one\n"), 0, 0)
	overwrite := atomicedit.Op{Kind: atomicedit.OpCreate, Path: "a.txt", Content: "all new\n", Overwrite: true}
	_, err := atomicedit.Run(ctx, session, atomicedit.Plan{Ops: []atomicedit.Op{overwrite}}, nil)
	fmt.Println(err)
	// Output:
	// <nil>
}

// To undo a transaction beside the edits of others, rebase the inverse of its changes.
func ExampleRebase() {
	ctx := context.Background()
	store := atomicedit.NewMem(map[string]string{"a.txt": "one\ntwo\nthree\n"})
	edit := func(older, newer string) []atomicedit.Change {
		plan := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a.txt", Edits: []atomicedit.Edit{{Old: older, New: newer}}}}}
		change, err := atomicedit.Prepare(ctx, store, plan, nil)
		if err != nil {
			log.Fatal(err)
		}
		if err := change.Commit(ctx); err != nil {
			log.Fatal(err)
		}
		return change.Changes()
	}
	first := edit("one", "1")
	edit("three", "3")
	inverse, err := atomicedit.Rebase(ctx, store, atomicedit.Invert(first))
	if err != nil {
		log.Fatal(err)
	}
	if err := store.Commit(ctx, inverse); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q", store.Files()["a.txt"])
	// Output:
	// "one\ntwo\n3\n"
}

// A user may change a proposal, or take only a part of it. The model is told how the outcome differs.
func ExampleTransaction_With() {
	ctx := context.Background()
	store := atomicedit.NewMem(map[string]string{"a.txt": "port = 80\n"})
	host := &atomicedit.Host{Store: store}
	host.Approve = func(ctx context.Context, t *atomicedit.Transaction) (*atomicedit.Transaction, error) {
		return t.With(ctx, "a.txt", []byte("port = 8443\n")) // what the user has made of it
	}
	plan, err := atomicedit.Parse(`{"file_path": "a.txt", "old_string": "port = 80", "new_string": "port = 8080"}`)
	if err != nil {
		log.Fatal(err)
	}
	answer, err := host.Do(ctx, plan)
	fmt.Println(answer.Status, err, store.Files())
	// Output:
	// done <nil> map[a.txt:port = 8443
	// ]
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

// A refusal goes to the model, and what is no request is for the user.
func ExampleRefusal_loop() {
	store := atomicedit.NewMem(map[string]string{"a.txt": "one\n"})
	for _, reply := range []string{"a.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n", "There is no line 2."} {
		messages, err := answer(context.Background(), store, reply, nil)
		fmt.Println(len(messages), err)
	}
	// Output:
	// 1 <nil>
	// 0 <nil>
}
