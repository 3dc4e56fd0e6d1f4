package atomicedit_test

import (
	"context"
	"fmt"

	"github.com/atomicedit/atomicedit"
)

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
