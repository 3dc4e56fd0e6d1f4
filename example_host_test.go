package atomicedit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"log"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// A host that wants the good edits of a request prepares what is left without the bad ones.
func ExamplePlan_Without() {
	ctx := context.Background()
	store := atomicedit.NewMem(map[string]string{"a.txt": "one\ntwo\nthree\n"})
	plan, err := atomicedit.ParseJSON([]byte(`{"file_path": "a.txt", "edits": [
		{"old_string": "one", "new_string": "1"},
		{"old_string": "zwei", "new_string": "2"},
		{"old_string": "three", "new_string": "3"}]}`))
	if err != nil {
		log.Fatal(err)
	}
	change, err := atomicedit.Prepare(ctx, store, plan, nil)
	var refusal *atomicedit.Refusal
	for errors.As(err, &refusal) {
		for _, p := range refusal.Problems {
			fmt.Println("left out:", p)
		}
		if plan = plan.Without(refusal); len(plan.Ops) == 0 {
			break
		}
		change, err = atomicedit.Prepare(ctx, store, plan, nil)
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(change.Report())
	// Output:
	// left out: a.txt: edit 2: old_string is not there, nor is any text close to it: read the file again
	// modified a.txt: +2 -2 lines, now 3 lines, 8 bytes (-6)
	//   changed now: line 1, line 3
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
