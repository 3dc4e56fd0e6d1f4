package atomicedit_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"

	"github.com/atomicedit/atomicedit"
)

// A host carries out the calls of the tools that it offers, and words the answers.
func ExampleHost_Call() {
	store := atomicedit.NewMem(map[string]string{"a.txt": "one\ntwo\n"})
	host := &atomicedit.Host{Store: store}
	answer, err := host.Call(context.Background(), "multi_edit", []byte(`{"file_path": "a.txt", "edits": [{"old_string": "two", "new_string": "2"}]}`))
	fmt.Println(answer.Status, err)
	fmt.Print(store.Files()["a.txt"])
	// Output:
	// done <nil>
	// one
	// 2
}

// A host with tools of its own parses their calls, and hands on the plans.
func ExampleHost_Do() {
	ctx := context.Background()
	host := &atomicedit.Host{Store: atomicedit.NewMem(map[string]string{"a.txt": "one\ntwo\n"})}
	plan, err := atomicedit.ParseCall("replace_in_file", []byte(`{"path": "a.txt", "search": "three", "replace": "3"}`))
	if err != nil {
		log.Fatal(err)
	}
	answer, err := host.Do(ctx, plan)
	fmt.Println(answer.Status, errors.Is(err, atomicedit.ErrNotFound))
	fmt.Println(answer.Text) // for the model
	// Output:
	// refused true
	// a.txt: search is not there, nor is any text close to it: read the file
}

// A reading tool shows lines with their numbers.
func ExampleHost_View() {
	host := &atomicedit.Host{Store: atomicedit.NewSession(atomicedit.NewMem(map[string]string{"a.txt": "one\ntwo\nthree\n"}))}
	answer, err := host.View(context.Background(), "a.txt", 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(answer.Text)
	// Output:
	// a.txt: lines 2 to 3 of 3
	//      2	two
	//      3	three
}

// Offer a model few tools.
func ExampleTools() {
	tools, err := atomicedit.Tools("str_replace_editor", "multi_edit")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tool := range tools {
		fmt.Printf("%s: %s\n", tool.Name, tool.Title) // and its Description and Schema
	}
	// Output:
	// str_replace_editor: View or edit a file
	// multi_edit: Edit a file
}

// A program with a reading tool of its own reports what it has shown.
func ExampleSession_MarkRead() {
	ctx := context.Background()
	store := atomicedit.NewMem(map[string]string{"a.txt": "one\ntwo\nthree\n"})
	session := atomicedit.NewSession(store)
	file, err := store.Read(ctx, "a.txt") // or any other way to read it
	if err != nil {
		log.Fatal(err)
	}
	session.MarkRead("a.txt", atomicedit.VersionOf(file.Data), 1, 2)
	version, lines, ok := session.Seen("a.txt")
	fmt.Println(version == atomicedit.VersionOf(file.Data), lines, ok)
	// Output: true [[1 2]] true
}

// View reads a file, and notes which lines the conversation has seen.
func ExampleSession_View() {
	session := atomicedit.NewSession(atomicedit.NewMem(map[string]string{"a.txt": "one\ntwo\nthree\n"}))
	file, err := session.View(context.Background(), "a.txt", 1, 2)
	fmt.Printf("%q %v\n", file.Data, err) // all of it: show lines 1 and 2
	_, lines, _ := session.Seen("a.txt")
	fmt.Println(lines)
	// Output:
	// "one\ntwo\nthree\n" <nil>
	// [[1 2]]
}

// A transaction is shown before it is committed.
func ExampleTransaction() {
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
	for _, f := range change.Report().Files {
		fmt.Printf("%s %s: +%d -%d\n", f.Status, f.Path, f.Added, f.Removed)
	}
	for _, c := range change.Changes() {
		fmt.Printf("%q becomes %q\n", c.Before.Data, c.After.Data)
	}
	fmt.Print(store.Files()["a.txt"])
	if err := change.Commit(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Print(store.Files()["a.txt"])
	// Output:
	// modified a.txt: +1 -1
	// "old\n" becomes "new\n"
	// old
	// new
}

// A store compares what is there with what a change was made from.
func ExampleChange_Check() {
	change := atomicedit.Change{Path: "a.txt", Before: &atomicedit.File{Data: []byte("old\n")}, After: &atomicedit.File{Data: []byte("new\n")}}
	fmt.Println(change.Check(&atomicedit.File{Data: []byte("old\n")}))
	fmt.Println(errors.Is(change.Check(&atomicedit.File{Data: []byte("other\n")}), atomicedit.ErrStale))
	// Output:
	// <nil>
	// true
}

// The files of a store in memory, after a commit.
func ExampleMem_Files() {
	store := atomicedit.NewMem(map[string]string{"a.txt": "old\n"})
	create := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "b.txt", Content: "new\n"}}}
	if _, err := atomicedit.Run(context.Background(), store, create, nil); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n", store.Files())
	// Output: map["a.txt":"old\n" "b.txt":"new\n"]
}

// A store cleans every path, and refuses those that lead out of it.
func ExampleCleanPath() {
	for _, name := range []string{"src//main.go", "src/../go.mod", "../secret", "/etc/passwd", "dir/"} {
		clean, err := atomicedit.CleanPath(name)
		fmt.Printf("%q %v %v\n", clean, errors.Is(err, atomicedit.ErrOutside), errors.Is(err, fs.ErrInvalid))
	}
	// Output:
	// "src/main.go" false false
	// "go.mod" false false
	// "" true false
	// "" true false
	// "" false true
}

// A version tells whether a text is still the same.
func ExampleVersionOf() {
	fmt.Println(atomicedit.VersionOf([]byte("a\n")) == atomicedit.VersionOf([]byte("a\r\n")))
	// Output: false
}
