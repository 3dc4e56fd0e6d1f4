// Openai lets an OpenAI model work on the files of a directory, with the editing tools of atomicedit. It reads its API
// key from the environment, as the SDK does.
//
//	openai [-C dir] [-model name] [-chat] task
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/openai/openai-go/v3"

	"github.com/atomicedit/atomicedit"
)

func main() {
	dir := flag.String("C", ".", "the `directory` to work on")
	model := flag.String("model", openai.ChatModelGPT5_1, "the `name` of the model")
	chat := flag.Bool("chat", false, "use the API of chat completions instead of that of responses")
	flag.Parse()
	if err := run(context.Background(), *dir, *model, *chat, strings.Join(flag.Args(), " ")); err != nil {
		fmt.Fprintln(os.Stderr, "openai:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir, model string, chat bool, task string) error {
	store, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		return err
	}
	defer store.Close()
	host := &atomicedit.Host{Store: atomicedit.NewSession(store)}
	if host.Tools, err = atomicedit.Tools("apply_patch", "str_replace_editor"); err != nil {
		return err
	}
	if chat {
		return complete(ctx, openai.NewClient(), model, host, task, os.Stdout)
	}
	return respond(ctx, openai.NewClient(), model, host, task, os.Stdout)
}

// maxTurns ends a conversation that leads nowhere.
const maxTurns = 50
