package atomicedit_test

import (
	"context"
	"fmt"

	"github.com/atomicedit/atomicedit"
)

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
