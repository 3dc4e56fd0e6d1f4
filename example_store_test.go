package atomicedit_test

import (
	"context"
	"fmt"

	"github.com/atomicedit/atomicedit"
)

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
	// notes.txt: the file has not been read; read it first
	// notes.txt: read the whole file before overwriting it (not yet read: line 3)
	// <nil>
}
