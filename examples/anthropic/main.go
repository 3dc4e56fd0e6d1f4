// Anthropic lets an Anthropic model work on the files of a directory, with the editing tools of atomicedit. It reads
// its API key from the environment, as the SDK does.
//
//	anthropic [-C dir] [-model name] task
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/atomicedit/atomicedit"
)

func main() {
	dir := flag.String("C", ".", "the `directory` to work on")
	model := flag.String("model", anthropic.ModelClaudeSonnet4_6, "the `name` of the model")
	flag.Parse()
	if err := run(context.Background(), *dir, *model, strings.Join(flag.Args(), " ")); err != nil {
		fmt.Fprintln(os.Stderr, "anthropic:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir, model, task string) error {
	store, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		return err
	}
	defer store.Close()
	host := &atomicedit.Host{Store: atomicedit.NewSession(store)}
	if host.Tools, err = atomicedit.Tools("multi_edit", "str_replace_editor"); err != nil {
		return err
	}
	return work(ctx, anthropic.NewClient(), model, host, task, os.Stdout)
}

// maxTurns ends a conversation that leads nowhere.
const maxTurns = 50

// work lets the model work on a task until it calls no more tools, and prints the conversation.
func work(ctx context.Context, client anthropic.Client, model string, host *atomicedit.Host, task string,
	out io.Writer) error {
	request := anthropic.MessageNewParams{
		Model:     model,
		MaxTokens: 16_000,
		Tools:     definitions(host.Tools),
		Messages:  []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(task))},
	}
	for range maxTurns {
		message, err := client.Messages.New(ctx, request)
		if err != nil {
			return err
		}
		var results []anthropic.ContentBlockParamUnion
		for _, block := range message.Content {
			switch block := block.AsAny().(type) {
			case anthropic.TextBlock:
				fmt.Fprintln(out, block.Text)
			case anthropic.ToolUseBlock:
				answer, err := host.Call(ctx, block.Name, block.Input)
				fmt.Fprintf(out, "%s: %s\n%s\n", block.Name, answer.Status, answer.Text)
				results = append(results, anthropic.NewToolResultBlock(block.ID, answer.Text, err != nil))
			}
		}
		if message.StopReason == anthropic.StopReasonEndTurn {
			return nil
		}
		if len(results) == 0 {
			return fmt.Errorf("the model has stopped: %s", message.StopReason)
		}
		request.Messages = append(request.Messages, message.ToParam(), anthropic.NewUserMessage(results...))
	}
	return fmt.Errorf("not done after %d turns", maxTurns)
}

// definitions returns tools in the form of the API. The schemas are passed on as they are, which keeps the order of the
// properties.
func definitions(tools []atomicedit.Tool) []anthropic.ToolUnionParam {
	all := make([]anthropic.ToolUnionParam, len(tools))
	for i, t := range tools {
		all[i].OfTool = &anthropic.ToolParam{
			Name:        t.Name,
			Description: anthropic.String(t.Description),
			InputSchema: param.Override[anthropic.ToolInputSchemaParam](t.Schema),
		}
	}
	return all
}
