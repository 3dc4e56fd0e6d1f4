package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/atomicedit/atomicedit"
)

// A Message is a turn of a conversation: a message from the user or the model, or the answer of a tool.
type Message struct {
	Role   string // "user", "assistant", "tool"
	Text   string
	Call   *Call // of an assistant that calls a tool
	Failed bool  // of a tool
}

// A Call is a tool call.
type Call struct {
	Tool string
	Args json.RawMessage
}

// A Model produces the next message of a conversation. The models of vendors can be adapted to it.
type Model interface {
	Next(ctx context.Context, tools []atomicedit.Tool, conversation []Message) (Message, error)
}

// maxTurns ends a conversation that leads nowhere.
const maxTurns = 20

// work lets a model work on a task, until it calls no more tools, and prints the conversation. What the tools refuse goes to
// the model as it is: the refusal says what to do better.
func work(ctx context.Context, model Model, host *atomicedit.Host, task string, w io.Writer) error {
	conversation := []Message{{Role: "user", Text: task}}
	fmt.Fprintf(w, "user: %s\n", task)
	for range maxTurns {
		next, err := model.Next(ctx, atomicedit.Tools(), conversation)
		if err != nil {
			return err
		}
		conversation = append(conversation, next)
		if next.Call == nil {
			fmt.Fprintf(w, "model: %s\n", next.Text)
			return nil
		}
		fmt.Fprintf(w, "model calls %s %s\n", next.Call.Tool, next.Call.Args)
		answer, err := host.Call(ctx, next.Call.Tool, next.Call.Args)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		fmt.Fprintf(w, "%s: %s\n", answer.Status, answer.Text)
		conversation = append(conversation, Message{Role: "tool", Text: answer.Text, Failed: err != nil})
	}
	return fmt.Errorf("not done after %d turns", maxTurns)
}
