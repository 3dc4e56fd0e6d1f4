package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"github.com/atomicedit/atomicedit"
)

// complete lets the model work on a task by chat completions until it calls no more tools, and prints the conversation.
// Every tool is a function with a strict schema.
func complete(ctx context.Context, client openai.Client, model string, host *atomicedit.Host, task string,
	out io.Writer) error {
	request := openai.ChatCompletionNewParams{
		Model:    model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(task)},
	}
	for _, t := range host.Tools {
		request.Tools = append(request.Tools, openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name:        t.Name,
			Description: openai.String(t.Description),
			Parameters:  parameters(t),
			Strict:      openai.Bool(true),
		}))
	}
	for range maxTurns {
		completion, err := client.Chat.Completions.New(ctx, request)
		if err != nil {
			return err
		}
		if len(completion.Choices) == 0 {
			return fmt.Errorf("no answer from %s", model)
		}
		message := completion.Choices[0].Message
		if message.Content != "" {
			fmt.Fprintln(out, message.Content)
		}
		if len(message.ToolCalls) == 0 {
			return nil
		}
		request.Messages = append(request.Messages, message.ToParam())
		for _, call := range message.ToolCalls {
			// the text says whether it has failed
			answer, _ := host.Call(ctx, call.Function.Name, []byte(call.Function.Arguments))
			fmt.Fprintf(out, "%s: %s\n%s\n", call.Function.Name, answer.Status, answer.Text)
			request.Messages = append(request.Messages, openai.ToolMessage(answer.Text, call.ID))
		}
	}
	return fmt.Errorf("not done after %d turns", maxTurns)
}

// parameters returns the strict schema of a tool in the form of the API. The properties keep their order.
func parameters(t atomicedit.Tool) map[string]any {
	var schema map[string]json.RawMessage
	json.Unmarshal(t.Strict, &schema) // it is an object
	all := map[string]any{}
	for key, value := range schema {
		all[key] = value
	}
	return all
}
