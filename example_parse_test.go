package atomicedit_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// The reply of a model, prose included, becomes a plan; no file is read or written yet.
func ExampleParseBlocks() {
	plan, err := atomicedit.ParseBlocks("I will greet politely.\n\n" +
		"hello.go\n" +
		"<<<<<<< SEARCH\n" +
		"\tprintln(\"hi\")\n" +
		"=======\n" +
		"\tprintln(\"good morning\")\n" +
		">>>>>>> REPLACE\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, op := range plan.Ops {
		fmt.Printf("%s: %q becomes %q\n", op.Path, op.Edits[0].Old, op.Edits[0].New)
	}
	// Output: hello.go: "\tprintln(\"hi\")\n" becomes "\tprintln(\"good morning\")\n"
}

// A request that cannot be read is refused with the line and a message for the model.
func ExampleParse_refused() {
	_, err := atomicedit.Parse("<<<<<<< SEARCH\nhi\n>>>>>>> REPLACE\n")
	fmt.Println(errors.Is(err, atomicedit.ErrSyntax))
	fmt.Println(err)
	// Output:
	// true
	// line 3 of the request: ">>>>>>> REPLACE" ends the block that begins on line 1 without a separator: expected "=======" between the lines to find and the new lines
}

// While a reply streams in, the part that is complete so far can be shown.
func ExampleRefusal_partial() {
	_, err := atomicedit.ParseV4A("*** Begin Patch\n*** Delete File: old.go\n*** Add File: new.go\n+package")
	var refusal *atomicedit.Refusal
	if errors.As(err, &refusal) && errors.Is(err, io.ErrUnexpectedEOF) {
		for _, op := range refusal.Partial.Ops {
			fmt.Println(op.Kind == atomicedit.OpDelete, op.Path)
		}
	}
	// Output: true old.go
}

// A tool server offers the tools, and parses the arguments of a call.
func ExampleTool_Parse() {
	tools, err := atomicedit.Tools("str_replace_editor")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tool := range tools {
		plan, err := tool.Parse([]byte(`{"command": "insert", "path": "a.txt", "insert_line": 0, "insert_text": "first"}`))
		fmt.Printf("%s %q %v\n", plan.Ops[0].Path, plan.Ops[0].Edits[0].New, err)
	}
	// Output: a.txt "first\n" <nil>
}

// A plan read in one format is printed in another, to be shown, logged or sent to another program.
func ExamplePlan_V4A() {
	plan, err := atomicedit.Parse("hello.go\n<<<<<<< SEARCH\nfunc main() {\n\tprintln(1)\n=======\nfunc main() {\n\tprintln(2)\n>>>>>>> REPLACE\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := plan.V4A()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(text)
	// Output:
	// *** Begin Patch
	// *** Update File: hello.go
	// @@
	//  func main() {
	// -	println(1)
	// +	println(2)
	// *** End Patch
}

// A diff with git's headers can be shown in a review, or handed to other tools.
func ExamplePlan_Unified() {
	plan, err := atomicedit.Parse("*** Begin Patch\n*** Update File: hello.go\n@@ -3,2 +3,2 @@ func main()\n func main() {\n-\tprintln(1)\n+\tprintln(2)\n*** Delete File: x\n*** End Patch\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = plan.Unified()
	fmt.Println(err)
	plan.Ops = plan.Ops[:1]
	text, err := plan.Unified()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(text)
	// Output:
	// x: a unified diff cannot express the deletion of a file without its lines
	// diff --git a/hello.go b/hello.go
	// --- a/hello.go
	// +++ b/hello.go
	// @@ -3,2 +3,2 @@ func main()
	//  func main() {
	// -	println(1)
	// +	println(2)
}

// JSON has all of a plan, for a database or another program.
func ExamplePlan_JSON() {
	plan := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a.go", Edits: []atomicedit.Edit{{Old: "port", New: "Port", Count: atomicedit.All}}}}}
	text, err := plan.JSON()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(text)
	// Output: {"ops":[{"kind":"edit","path":"a.go","edits":[{"old":"port","new":"Port","count":-1}]}]}
}

// The markers are longer than those in the text.
func ExamplePlan_Blocks() {
	plan := atomicedit.Plan{Ops: []atomicedit.Op{{
		Path:  "notes.md",
		Edits: []atomicedit.Edit{{Old: "Title\n=======\n", New: "Heading\n=======\n", WholeLines: true}},
	}}}
	text, err := plan.Blocks()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(text)
	// Output:
	// notes.md
	// <<<<<<<< SEARCH
	// Title
	// =======
	// ========
	// Heading
	// =======
	// >>>>>>>> REPLACE
}

// A format that cannot express a plan is refused with the reason.
func ExamplePlan_Blocks_refused() {
	plan := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpDelete, Path: "old.go"}}}
	_, err := plan.Blocks()
	fmt.Println(errors.Is(err, errors.ErrUnsupported), err)
	// Output: true old.go: a SEARCH/REPLACE block cannot express the deletion of a file
}

// A language server counts lines and columns from 0, in UTF-16 code units.
func ExampleParseLSP() {
	p, err := atomicedit.ParseLSP([]byte(`[
		{"range": {"start": {"line": 0, "character": 5}, "end": {"line": 0, "character": 8}}, "newText": "sum"},
		{"range": {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 0}}, "newText": "// main prints a sum.\n"}
	]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := p.Apply([]byte("func add(a, b int) int { return a + b }\n\nfunc main() {}\n"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", res.Text)
	// Output:
	// func sum(a, b int) int { return a + b }
	//
	// // main prints a sum.
	// func main() {}
}

// An editor that has the file open makes the change itself.
func ExampleLSP() {
	store := atomicedit.NewMem(map[string]string{"a.txt": "one\ntwo\n"})
	p := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a.txt", Edits: []atomicedit.Edit{{Old: "two", New: "2"}}}}}
	tr, err := atomicedit.Prepare(context.Background(), store, p, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := atomicedit.LSP(tr.Changes())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", data)
	// Output:
	// {"documentChanges":[{"textDocument":{"uri":"a.txt","version":null},"edits":[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}},"newText":"2"}]}]}
}

// A cursor stays before the same text.
func ExampleResult_Offset() {
	src := "one\ntwo\nthree\n"
	cursor := strings.Index(src, "three")
	res, err := atomicedit.Apply([]byte(src), []atomicedit.Edit{{Old: "two\n", New: ""}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", res.Text[res.Offset(cursor):])
	// Output:
	// "three\n"
}

// A host with tools of its own has the name and the arguments of a call apart. Only a name that says so writes a whole file.
func ExampleParseCall() {
	args := []byte(`{"file_path": "a.txt", "content": "one\n"}`)
	plan, err := atomicedit.ParseCall("write", args)
	fmt.Println(plan.Ops[0].Kind, err)
	_, err = atomicedit.ParseCall("edit", args)
	fmt.Println(err)
	// Output:
	// create <nil>
	// "content" does not say what lines of the file it replaces: expected the exact old text and the new text
}

// The anchor behind "@@" says below which line a chunk goes.
func ExampleParseV4A() {
	plan, err := atomicedit.ParseV4A("*** Begin Patch\n*** Update File: a.go\n@@ func two() {\n-\treturn 1\n+\treturn 2\n*** End Patch\n")
	if err != nil {
		log.Fatal(err)
	}
	edit := plan.Ops[0].Edits[0]
	fmt.Printf("%s: below %q, %q becomes %q\n", plan.Ops[0].Path, edit.Anchors, edit.Old, edit.New)
	// Output: a.go: below ["func two() {"], "\treturn 1\n" becomes "\treturn 2\n"
}

// The numbers of a hunk are a hint.
func ExampleParseUnified() {
	plan, err := atomicedit.ParseUnified("--- a/a.go\n+++ b/a.go\n@@ -7 +7 @@ func two() {\n-\treturn 1\n+\treturn 2\n")
	if err != nil {
		log.Fatal(err)
	}
	edit := plan.Ops[0].Edits[0]
	fmt.Printf("%s: near line %d, below %q\n", plan.Ops[0].Path, edit.Near, edit.Section)
	// Output: a.go: near line 7, below "func two() {"
}

// The call of a tool, as a model API hands it on.
func ExampleParseJSON() {
	plan, err := atomicedit.ParseJSON([]byte(`{"type": "tool_use", "id": "toolu_01", "name": "Edit", "input":
		{"file_path": "a.txt", "old_string": "old", "new_string": "new", "replace_all": true}}`))
	if err != nil {
		log.Fatal(err)
	}
	edit := plan.Ops[0].Edits[0]
	fmt.Printf("%s: %q becomes %q, everywhere: %v\n", plan.Ops[0].Path, edit.Old, edit.New, edit.Count == atomicedit.All)
	// Output: a.txt: "old" becomes "new", everywhere: true
}

// Numbers count the lines of the file before the request, so the second operation need not care for the first.
func ExampleParse_hashlines() {
	plan, err := atomicedit.Parse("[notes.md]\nPUT <1:\n+# Notes\nCUT 2-3\nPUT >$:\n+- pay the rent\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	store := atomicedit.NewMem(map[string]string{"notes.md": "- buy milk\n- call Ann\n- call Bob\n"})
	if _, err := atomicedit.Run(context.Background(), store, plan, nil); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(store.Files()["notes.md"])
	// Output:
	// # Notes
	// - buy milk
	// - pay the rent
}

// A tag proves that a line is still what the model has seen. Here another program has edited the file in the meantime.
func ExampleTag() {
	store := atomicedit.NewMem(map[string]string{"notes.md": "- buy milk\n- call Ann\n"})
	host := &atomicedit.Host{Store: store}
	host.Tagged = true
	ctx := context.Background()
	answer, err := host.View(ctx, "notes.md", 0, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(answer.Text)

	note := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "notes.md", Edits: []atomicedit.Edit{{First: 1, New: "# Notes\n", WholeLines: true}}}}}
	if _, err := atomicedit.Run(ctx, store, note, nil); err != nil {
		fmt.Println(err)
		return
	}
	done := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "notes.md", Edits: []atomicedit.Edit{{
		First: 2, Last: 2, New: "- call Ann again\n", WholeLines: true, Tags: []atomicedit.Tag{{Line: 2, Hash: "PNRZ"}},
	}}}}}
	answer, _ = host.Do(ctx, done)
	fmt.Print(answer.Text)
	// Output:
	// notes.md: lines 1 to 2 of 2
	//      1#XSTM	- buy milk
	//      2#PNRZ	- call Ann
	// notes.md: the tag at line 2 does not fit: the line, or one beside it, has changed since it was read, or the tag was not copied exactly; the tag PNRZ is that of line 3 now. If the change is still right, send it again for the lines as they are now:
	//      1#KWJB	# Notes
	//      2#HMZR	- buy milk
	//      3#PNRZ	- call Ann
}

func ExampleParse_tags() {
	plan, err := atomicedit.Parse(`I rename the function.

<edit_file>
<path>main.go</path>
<old_string>func run()</old_string>
<new_string>func serve()</new_string>
</edit_file>
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	store := atomicedit.NewMem(map[string]string{"main.go": "package main\n\nfunc run() {}\n"})
	if _, err := atomicedit.Run(context.Background(), store, plan, nil); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(store.Files()["main.go"])
	// Output:
	// package main
	//
	// func serve() {}
}
