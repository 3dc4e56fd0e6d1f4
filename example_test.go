package atomicedit_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// Parse the reply of a model, prepare it for a store, review it, and commit it: all of it or nothing.
func Example() {
	const reply = `I'll greet in German, and say so.

hello.py
<<<<<<< SEARCH
    print(f"hello, {name}")
=======
    print(f"hallo, {name}")
>>>>>>> REPLACE

README.md
<<<<<<< SEARCH
Prints hello.
=======
Prints hallo.
>>>>>>> REPLACE
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
		"hello.txt\n<<<<<<< SEARCH\nhello\n====",
		"===\nhi\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nwor",
		"ld\n=======\nmoon\n>>>>>>> REPLACE\n",
	} {
		stream.Write([]byte(chunk))
		plan, _ := stream.Plan()
		for _, op := range plan.Ops {
			fmt.Printf("%s %s, edits: %d\n", op.Kind, op.Path, len(op.Edits))
		}
	}
	plan, err := stream.Close() // the request is whole: only now may it be carried out
	fmt.Println(len(plan.Ops[0].Edits), err)
	// Output:
	// edit hello.txt, edits: 1
	// edit hello.txt, edits: 2
	// 2 <nil>
}

// Whole lines can be found although their indentation differs; the new lines are then indented like the old ones.
func ExampleApply_wholeLines() {
	text := []byte("if ready {\n\t\tstart()\n}\n")
	result, err := atomicedit.Apply(text, []atomicedit.Edit{
		{Old: "start()\n", New: "prepare()\nstart()\n", WholeLines: true},
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(result.Text))
	fmt.Println(result.Matches[0].Fit)
	// Output:
	// if ready {
	// 		prepare()
	// 		start()
	// }
	// indentation
}

func ExamplePlan_Apply() {
	plan, err := atomicedit.ParseBlocks("<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n")
	if err != nil {
		log.Fatal(err)
	}
	result, err := plan.Apply([]byte("one\ntwo\nthree\n"), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(result.Text))
	// Output:
	// one
	// 2
	// three
}

// A bare patch names no file: the caller supplies it.
func ExamplePlan_Paths() {
	plan, err := atomicedit.ParseV4A("*** Begin Patch\n*** Update File: a.go\n*** Move to: b.go\n@@\n-x\n+y\n" +
		"*** Delete File: c.go\n*** End Patch\n")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(plan.Paths())
	// Output: [a.go b.go c.go]
}

func ExamplePlan_ForFile() {
	plan, err := atomicedit.ParseV4A("@@\n one\n-two\n+2\n")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q, %q\n", plan.Ops[0].Path, plan.ForFile("numbers.txt").Ops[0].Path)
	// Output: "", "numbers.txt"
}

// Parse tells the formats apart.
func ExampleParse() {
	for _, request := range []string{
		"a.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n",
		"*** Begin Patch\n*** Update File: a.txt\n@@\n-old\n+new\n*** End Patch\n",
		"--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n",
		`{"file_path": "a.txt", "edits": [{"old_string": "old", "new_string": "new"}]}`,
	} {
		plan, err := atomicedit.Parse(request)
		if err != nil {
			log.Fatal(err)
		}
		for _, op := range plan.Ops {
			fmt.Printf("%s: %d edit\n", op.Path, len(op.Edits))
		}
	}
	// Output:
	// a.txt: 1 edit
	// a.txt: 1 edit
	// a.txt: 1 edit
	// a.txt: 1 edit
}

// A refusal has a message for whoever made the request, and fields for code.
func ExampleRefusal() {
	text := []byte("x = 1\ny = 2\nx = 1\n")
	_, err := atomicedit.Apply(text, []atomicedit.Edit{{Old: "x = 1", New: "x = 3"}}, nil)

	var refusal *atomicedit.Refusal
	if errors.As(err, &refusal) {
		for _, p := range refusal.Problems {
			fmt.Println(p.Code, "in lines", p.Places)
		}
	}
	fmt.Println(errors.Is(err, atomicedit.ErrAmbiguous))
	// Output:
	// ambiguous in lines [1 3]
	// true
}

// The message is meant for the model: it says what does not fit, and what to send instead.
func ExampleRefusal_message() {
	store := atomicedit.NewMem(map[string]string{"app.ini": "[web]\nport = 80\n\n[metrics]\nport = 80\n"})
	plan, err := atomicedit.Parse(`{"path": "app.ini", "old_string": "port = 80", "new_string": "port = 81"}`)
	if err != nil {
		log.Fatal(err)
	}
	_, err = atomicedit.Prepare(context.Background(), store, plan, nil)
	fmt.Println(err)
	// Output:
	// app.ini: old_string is there twice, at lines 2, 5: show more lines around the one you mean. The nearest lines that tell them apart, in this order:
	//      1	[web]
	//      4	[metrics]
}

// Run combines Prepare and Commit.
func ExampleRun() {
	store := atomicedit.NewMem(map[string]string{"a.txt": "old\n"})
	plan, err := atomicedit.Parse(`{"file_path": "a.txt", "old_string": "old", "new_string": "new"}`)
	if err != nil {
		log.Fatal(err)
	}
	report, err := atomicedit.Run(context.Background(), store, plan, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(report) // for the model
	// Output:
	// modified a.txt: +1 -1 lines, now 1 line
	//   changed now: line 1
}

// If one file fails, none is changed.
func ExamplePrepare() {
	store := atomicedit.NewMem(map[string]string{"a.txt": "old\n", "b.txt": "something else\n"})
	plan, err := atomicedit.Parse(`{"files": [
		{"path": "a.txt", "edits": [{"old_string": "old", "new_string": "new"}]},
		{"path": "b.txt", "edits": [{"old_string": "old", "new_string": "new"}]}]}`)
	if err != nil {
		log.Fatal(err)
	}
	_, err = atomicedit.Prepare(context.Background(), store, plan, nil)
	fmt.Println(errors.Is(err, atomicedit.ErrNotFound))
	fmt.Print(store.Files()["a.txt"])
	// Output:
	// true
	// old
}

// A session makes sure that a model has seen the text that it changes.
func ExampleSession() {
	ctx := context.Background()
	store := atomicedit.NewMem(map[string]string{"a.txt": "one\ntwo\nthree\nfour\n"})
	session := atomicedit.NewSession(store)
	file, err := session.View(ctx, "a.txt", 0, 0) // what a read tool does
	if err != nil {
		log.Fatal(err)
	}
	change := atomicedit.Change{Path: "a.txt", Before: file, After: &atomicedit.File{Data: []byte("1\ntwo\nthree\nfour\n")}}
	if err := store.Commit(ctx, []atomicedit.Change{change}); err != nil { // somebody else
		log.Fatal(err)
	}
	plan, err := atomicedit.Parse(`{"file_path": "a.txt", "old_string": "four", "new_string": "4"}`)
	if err != nil {
		log.Fatal(err)
	}
	report, err := atomicedit.Run(ctx, session, plan, nil)
	fmt.Printf("%v%v\n%q", report, err, store.Files()["a.txt"])
	// Output:
	// modified a.txt: +1 -1 lines, now 4 lines, 14 bytes (-3)
	//   changed now: line 4
	//   note: the file has changed since it was read, at line 1; the edit was carried over
	// The change of others since then:
	// @@ -1,4 +1,4 @@
	// -one
	// +1
	//  two
	//  three
	//  four
	// <nil>
	// "1\ntwo\nthree\n4\n"
}

// To undo a transaction, commit the inverse of its changes.
func ExampleInvert() {
	ctx := context.Background()
	store := atomicedit.NewMem(map[string]string{"a.txt": "old\n"})
	plan, err := atomicedit.Parse(`{"file_path": "a.txt", "old_string": "old", "new_string": "new"}`)
	if err != nil {
		log.Fatal(err)
	}
	change, err := atomicedit.Prepare(ctx, store, plan, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := change.Commit(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Print(store.Files()["a.txt"])
	if err := store.Commit(ctx, atomicedit.Invert(change.Changes())); err != nil {
		log.Fatal(err)
	}
	fmt.Print(store.Files()["a.txt"])
	// Output:
	// new
	// old
}

func undo(ctx context.Context, store atomicedit.Store, changes []atomicedit.Change) error {
	inverse, err := atomicedit.Rebase(ctx, store, atomicedit.Invert(changes))
	if err != nil {
		return err
	}
	return store.Commit(ctx, inverse)
}

// A report of the inverse shows what an undo would change.
func ExampleReportOf() {
	ctx := context.Background()
	m := atomicedit.NewMem(map[string]string{"a.txt": "old\n"})
	plan := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a.txt", Edits: []atomicedit.Edit{{Old: "old", New: "new"}}}}}
	change, err := atomicedit.Prepare(ctx, m, plan, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := change.Commit(ctx); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(atomicedit.ReportOf(atomicedit.Invert(change.Changes())).Diff)
	fmt.Println(undo(ctx, m, change.Changes()))
	// Output:
	// diff --git a/a.txt b/a.txt
	// --- a/a.txt
	// +++ b/a.txt
	// @@ -1 +1 @@
	// -new
	// +old
	// <nil>
}

func ExampleDiff() {
	fmt.Print(atomicedit.Diff("a.txt", []byte("one\ntwo\n"), "b.txt", []byte("one\n2\n")))
	// Output:
	// --- a.txt
	// +++ b.txt
	// @@ -1,2 +1,2 @@
	//  one
	// -two
	// +2
}

// Some functions here are the snippets of README.md and docs/hosting.md, word for word.

func inMemory() {
	source := []byte("port = 80\nhost = a\n")
	edits := []atomicedit.Edit{{Old: "port = 80", New: "port = 8080"}}
	result, err := atomicedit.Apply(source, edits, nil)
	if err != nil {
		fmt.Println(err) // explains what does not fit
		return
	}
	fmt.Print(string(result.Text))
}

func Example_inMemory() {
	inMemory()
	// Output:
	// port = 8080
	// host = a
}

func carryOut(ctx context.Context, store atomicedit.Store, reply string) error {
	plan, err := atomicedit.Parse(reply)
	if errors.Is(err, atomicedit.ErrNoRequest) {
		return nil // the reply is for the user
	}
	if err != nil {
		return err
	}
	change, err := atomicedit.Prepare(ctx, store, plan, nil)
	if err != nil {
		return err
	}
	if !ask(change.Report().Diff) {
		return errors.New("the user said no")
	}
	return change.Commit(ctx)
}

// answer carries out a reply, and returns the messages for the model.
func answer(ctx context.Context, store atomicedit.Store, reply string, messages []string) ([]string, error) {
	var refusal *atomicedit.Refusal
	if err := carryOut(ctx, store, reply); errors.As(err, &refusal) {
		messages = append(messages, refusal.Error()) // for the model, so that it can correct the request
	} else if err != nil {
		return messages, err // a full disk, for example
	}
	return messages, nil
}

func ask(diff string) bool {
	fmt.Print(diff)
	return true
}

func newHost(store atomicedit.Store, ask func(diff string) bool) (*atomicedit.Host, error) {
	tools, err := atomicedit.Tools("str_replace_editor")
	if err != nil {
		return nil, err
	}
	host := &atomicedit.Host{Store: atomicedit.NewSession(store), Tools: tools}
	host.Approve = func(ctx context.Context, t *atomicedit.Transaction) (*atomicedit.Transaction, error) {
		if !ask(t.Report().Diff) {
			return nil, errors.New("the user said no")
		}
		return t, nil
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
		{"str_replace_editor", `{"command": "view", "path": "a.txt"}`},
		{"str_replace_editor", `{"command": "str_replace", "path": "a.txt", "old_str": "two", "new_str": "2"}`},
	} {
		answer, err := host.Call(ctx, call.tool, []byte(call.args))
		fmt.Println(err == nil, answer.Text)
	}
	// Output:
	// true a.txt: lines 1 to 2 of 2
	//      1	one
	//      2	two
	//
	// true modified a.txt: +1 -1 lines, now 2 lines, 6 bytes (-2)
	//   changed now: line 2
	//      1	one
	//      2	2
}

// A host that edits wherever the user allows it asks for each directory that a plan needs, and adds it.
func ExampleDir_Has() {
	base, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(base)
	root, notes := filepath.Join(base, "app"), filepath.Join(base, "docs", "notes")
	if err := os.Mkdir(root, 0o755); err != nil {
		log.Fatal(err)
	}
	store, err := atomicedit.OpenDir(root, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	plan := atomicedit.Plan{Ops: []atomicedit.Op{
		{Kind: atomicedit.OpCreate, Path: "a.txt", Content: "1\n"},
		{Kind: atomicedit.OpCreate, Path: filepath.Join(notes, "b.txt"), Content: "2\n"},
	}}
	allows := func(dir string) bool {
		fmt.Println("may I write to", strings.TrimPrefix(filepath.ToSlash(dir), filepath.ToSlash(base)))
		return true
	}
	for _, path := range plan.Paths() {
		if store.Has(path) {
			continue
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(root, path)
		}
		if dir := filepath.Dir(path); allows(dir) {
			err = errors.Join(err, store.Add(dir))
		}
	}
	if err != nil {
		log.Fatal(err)
	}
	if _, err := atomicedit.Run(context.Background(), store, plan, nil); err != nil { // makes docs/notes
		log.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(notes, "b.txt"))
	fmt.Printf("%q %v\n", data, err)
	// Output:
	// may I write to /docs/notes
	// "2\n" <nil>
}
