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

// A Model produces the next message of a conversation. The models of vendors can be adapted to it. While it writes a
// call, it hands each piece of the arguments to arriving, as the streaming APIs of vendors do.
type Model interface {
	Next(ctx context.Context, tools []atomicedit.Tool, conversation []Message,
		arriving func(tool, piece string)) (Message, error)
}

// maxTurns ends a conversation that leads nowhere.
const maxTurns = 20

// work lets a model work on a task with the tools of a host, until it calls no more tools, and prints the conversation.
// What the tools refuse goes to the model as it is: the refusal says what to do better.
func work(ctx context.Context, model Model, host *atomicedit.Host, task string, w io.Writer) error {
	conversation := []Message{{Role: "user", Text: task}}
	fmt.Fprintf(w, "user: %s\n", task)
	for range maxTurns {
		next, err := model.Next(ctx, host.Tools, conversation, preview(w))
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

// preview returns a function that takes the arguments of a call, piece by piece, and prints the operations that are
// complete. Nothing is carried out before the call is.
func preview(w io.Writer) func(tool, piece string) {
	var stream *atomicedit.Stream
	told := ""
	return func(tool, piece string) {
		if stream == nil {
			stream = &atomicedit.Stream{Tool: tool}
		}
		stream.Write([]byte(piece))
		plan, _ := stream.Plan()
		if len(plan.Ops) == 0 {
			return
		}
		last := plan.Ops[len(plan.Ops)-1]
		line := fmt.Sprintf("preview: %s %s", last.Kind, last.Path)
		switch n := len(last.Edits); {
		case n == 1:
			line += ", 1 edit"
		case n > 1:
			line += fmt.Sprintf(", %d edits", n)
		}
		if line != told {
			fmt.Fprintln(w, line)
			told = line
		}
	}
}
