// Google lets a Gemini model work on the files of a directory, with the editing tools of atomicedit. It reads its API
// key from the environment, as the SDK does.
//
//	google [-C dir] [-model name] task
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"google.golang.org/genai"

	"github.com/atomicedit/atomicedit"
)

func main() {
	dir := flag.String("C", ".", "the `directory` to work on")
	model := flag.String("model", "gemini-2.5-pro", "the `name` of the model")
	flag.Parse()
	if err := run(context.Background(), *dir, *model, strings.Join(flag.Args(), " ")); err != nil {
		fmt.Fprintln(os.Stderr, "google:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir, model, task string) error {
	store, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		return err
	}
	defer store.Close()
	client, err := genai.NewClient(ctx, nil)
	if err != nil {
		return err
	}
	host := &atomicedit.Host{Store: atomicedit.NewSession(store)}
	if host.Tools, err = atomicedit.Tools("multi_edit_file", "text_editor"); err != nil {
		return err
	}
	return work(ctx, client, model, host, task, os.Stdout)
}

// maxTurns ends a conversation that leads nowhere.
const maxTurns = 50

// work lets the model work on a task until it calls no more tools, and prints the conversation.
func work(ctx context.Context, client *genai.Client, model string, host *atomicedit.Host, task string,
	out io.Writer) error {
	config := &genai.GenerateContentConfig{Tools: []*genai.Tool{{FunctionDeclarations: declarations(host.Tools)}}}
	contents := []*genai.Content{genai.NewContentFromText(task, genai.RoleUser)}
	for range maxTurns {
		response, err := client.Models.GenerateContent(ctx, model, contents, config)
		if err != nil {
			return err
		}
		if len(response.Candidates) == 0 || response.Candidates[0].Content == nil {
			return fmt.Errorf("no answer from %s", model)
		}
		// with the thought signatures that the API wants back
		contents = append(contents, response.Candidates[0].Content)
		var results []*genai.Part
		for _, part := range response.Candidates[0].Content.Parts {
			if part.Text != "" && !part.Thought {
				fmt.Fprintln(out, part.Text)
			}
			if part.FunctionCall != nil {
				result, err := carryOut(ctx, host, part.FunctionCall, out)
				if err != nil {
					return err
				}
				results = append(results, result)
			}
		}
		if len(results) == 0 {
			return nil
		}
		contents = append(contents, genai.NewContentFromParts(results, genai.RoleUser))
	}
	return fmt.Errorf("not done after %d turns", maxTurns)
}

// carryOut carries out a call. The API wants an error under another key than an output.
func carryOut(ctx context.Context, host *atomicedit.Host, call *genai.FunctionCall, out io.Writer) (*genai.Part,
	error) {
	args, err := json.Marshal(call.Args)
	if err != nil {
		return nil, err
	}
	answer, err := host.Call(ctx, call.Name, args)
	fmt.Fprintf(out, "%s: %s\n%s\n", call.Name, answer.Status, answer.Text)
	key := "output"
	if err != nil {
		key = "error"
	}
	result := genai.NewPartFromFunctionResponse(call.Name, map[string]any{key: answer.Text})
	result.FunctionResponse.ID = call.ID
	return result, nil
}

// declarations returns tools in the form of the API, which knows only a part of JSON schema. The strict form keeps to
// it.
func declarations(tools []atomicedit.Tool) []*genai.FunctionDeclaration {
	var all []*genai.FunctionDeclaration
	for _, t := range tools {
		all = append(all, &genai.FunctionDeclaration{Name: t.Name, Description: t.Description,
			ParametersJsonSchema: t.Strict})
	}
	return all
}
