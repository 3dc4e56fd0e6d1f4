package git_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/stores/git"
)

// A host serves the calls of a model from a bare repository, and each call that changes something becomes a commit.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	gitIn := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
		if err != nil {
			log.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	gitIn("init", "-q", "--bare", "--initial-branch=main")

	store, err := git.Open(dir, &git.Options{
		Author:  git.Person{Name: "An Agent", Email: "agent@example.org"},
		Message: func(r *atomicedit.Report) string { return fmt.Sprintf("Edit %d file\n\n%s", len(r.Files), r) },
	})
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()

	host := &atomicedit.Host{Store: atomicedit.NewSession(store)}
	call := func(tool, args string) {
		answer, err := host.Call(context.Background(), tool, []byte(args))
		var refusal *atomicedit.Refusal
		if err != nil && !errors.As(err, &refusal) {
			log.Fatal(err)
		}
		fmt.Println(answer.Status)
	}
	call("multi_edit", `{"file_path": "notes.md", "edits": [{"old_string": "", "new_string": "# Notes\n"}]}`)
	call("multi_edit", `{"file_path": "notes.md", "edits": [{"old_string": "Notes", "new_string": "Plans"}]}`)

	fmt.Print(gitIn("log", "--reverse", "--format=%an: %s", "main"))
	fmt.Print(gitIn("show", "main:notes.md"))
	// Output:
	// done
	// done
	// An Agent: Edit 1 file
	// An Agent: Edit 1 file
	// # Plans
}
