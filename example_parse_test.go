package atomicedit_test

import (
	"errors"
	"fmt"
	"io"

	"github.com/atomicedit/atomicedit"
)

// The reply of a model, prose included, becomes a plan; no file is read or written yet.
func ExampleParseBlocks() {
	plan, err := atomicedit.Parse("I will greet politely.\n\n" +
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
	for _, tool := range atomicedit.Tools() {
		if tool.Name != "str_replace_editor" {
			continue
		}
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
