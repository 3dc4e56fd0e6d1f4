// Agent is a small agent loop: a model, the editing tools, and a task. The model here is a script, so that it runs
// without a network: it edits a file before reading it, then gets the text wrong, and corrects itself by what the
// refusals say.
//
//	agent [-C dir]
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
)

const greeting = "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(\"Hello, world\")\n}\n"

func main() {
	dir := flag.String("C", "", "a directory with a hello.go to work on; without it, one in memory")
	flag.Parse()
	if err := run(context.Background(), *dir); err != nil {
		fmt.Fprintln(os.Stderr, "agent:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string) error {
	var store atomicedit.Store = atomicedit.NewMem(map[string]string{"hello.go": greeting})
	if dir != "" {
		d, err := atomicedit.OpenDir(dir, nil)
		if err != nil {
			return err
		}
		defer d.Close()
		store = d
	}
	tools, err := atomicedit.Tools("multi_edit", "text_editor")
	if err != nil {
		return err
	}
	host := &atomicedit.Host{Store: atomicedit.NewSession(store), Tools: tools}
	return work(ctx, &script{}, host, "Greet the moon in hello.go.", os.Stdout)
}

// A script is a model that follows a script: it reads the last answer and reacts to it.
type script struct{ guessed bool }

// closest matches a line that a refusal shows behind its number, as a view does.
var closest = regexp.MustCompile(`(?m)^ *\d+\t(.*)$`)

// Next implements [Model].
func (s *script) Next(_ context.Context, _ []atomicedit.Tool, conversation []Message,
	arriving func(tool, piece string)) (Message, error) {
	next, err := s.next(conversation)
	if next.Call != nil {
		for piece := range slices.Chunk(next.Call.Args, 20) {
			arriving(next.Call.Tool, string(piece))
		}
	}
	return next, err
}

func (s *script) next(conversation []Message) (Message, error) {
	last := conversation[len(conversation)-1]
	edit := func(older, newer string) (Message, error) {
		return call("multi_edit", multiEdit{"hello.go", []textEdit{{older, newer}}})
	}
	switch {
	case last.Role == "user":
		return edit("Hello, World!", "Hello, moon")
	case last.Failed && strings.Contains(last.Text, "has not been read"):
		return call("text_editor", map[string]any{"action": "read", "path": "hello.go"})
	case last.Failed && closest.MatchString(last.Text):
		line := closest.FindStringSubmatch(last.Text)[1]
		return edit(line, strings.Replace(line, "world", "moon", 1))
	case last.Failed:
		return Message{Role: "assistant", Text: "I give up: " + last.Text}, nil
	case !s.guessed:
		s.guessed = true
		return edit("\tfmt.Println(\"Hello, World!\")", "\tfmt.Println(\"Hello, moon\")")
	}
	return Message{Role: "assistant", Text: "The program greets the moon now."}, nil
}

// A multiEdit has the arguments of the tool multi_edit, in the order in which models write them.
type multiEdit struct {
	Path  string     `json:"file_path"`
	Edits []textEdit `json:"edits"`
}

type textEdit struct {
	Old string `json:"old_string"`
	New string `json:"new_string"`
}

func call(tool string, args any) (Message, error) {
	data, err := json.Marshal(args)
	return Message{Role: "assistant", Call: &Call{Tool: tool, Args: data}}, err
}
