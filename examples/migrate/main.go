// Migrate shows what remains of an agent's own file tools once they use atomicedit: view, edit, multi_edit and undo, with
// a permission prompt, a history, and the rule that a file is read before it is changed.
//
//	migrate [-C dir] [-yes] < calls
//
// Calls are JSON, one per line: {"tool": "view", "args": {"file_path": "a.go"}}.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/atomicedit/atomicedit"
)

// An agent has the tools of one conversation.
type agent struct {
	session *atomicedit.Session
	host    *atomicedit.Host
	history [][]atomicedit.Change
}

// newAgent returns an agent at work on a store. ask shows a diff to the user, and returns whether they allow it.
func newAgent(store atomicedit.Store, ask func(diff string) bool) *agent {
	a := &agent{session: atomicedit.NewSession(store)}
	a.host = atomicedit.NewHost(a.session)
	a.host.Approve = func(_ context.Context, t *atomicedit.Transaction) error {
		if !ask(t.Report().Diff) {
			return errors.New("the user does not want this change; ask what they want instead")
		}
		return nil
	}
	return a
}

// call carries out one tool call. The text goes to the model.
func (a *agent) call(ctx context.Context, tool string, args []byte) (text string, ok bool) {
	var answer *atomicedit.Answer
	var err error
	switch tool {
	case "view":
		var in struct {
			FilePath      string `json:"file_path"`
			Offset, Limit int
		}
		if err := json.Unmarshal(args, &in); err != nil {
			return "view takes a file_path, and an offset and a limit in lines: " + err.Error(), false
		}
		last := 0
		if in.Limit > 0 {
			last = max(in.Offset, 1) + in.Limit - 1
		}
		answer, err = a.host.View(ctx, in.FilePath, in.Offset, last)
	case "edit", "multi_edit":
		plan, bad := atomicedit.ParseJSON(args)
		if bad != nil {
			return bad.Error(), false
		}
		answer, err = a.host.Do(ctx, plan)
	case "undo":
		return a.undo(ctx)
	default:
		return "there is no tool " + tool, false
	}
	if answer.Changes != nil {
		a.history = append(a.history, answer.Changes)
	}
	return answer.Text, err == nil
}

// undo reverts the last change, unless one of its files has changed since.
func (a *agent) undo(ctx context.Context) (text string, ok bool) {
	if len(a.history) == 0 {
		return "there is nothing to undo", false
	}
	last := a.history[len(a.history)-1]
	if err := a.session.Commit(ctx, atomicedit.Invert(last)); err != nil {
		return "the change cannot be undone: " + err.Error(), false
	}
	a.history = a.history[:len(a.history)-1]
	return "undone", true
}

// serve reads calls and writes their answers.
func (a *agent) serve(ctx context.Context, calls io.Reader, w io.Writer) error {
	for in := bufio.NewReader(calls); ; {
		line, err := in.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var c struct {
				Tool string
				Args json.RawMessage
			}
			if err := json.Unmarshal(line, &c); err != nil {
				return err
			}
			text, ok := a.call(ctx, c.Tool, c.Args)
			fmt.Fprintf(w, "%s, ok %t:\n%s\n", c.Tool, ok, text)
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

func main() {
	dir := flag.String("C", ".", "the directory to work on")
	yes := flag.Bool("yes", false, "do not ask")
	flag.Parse()
	store, err := atomicedit.OpenDir(*dir, nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, "migrate:", err)
		os.Exit(1)
	}
	defer store.Close()
	a := newAgent(store, func(diff string) bool { return *yes || askUser(diff) })
	if err := a.serve(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "migrate:", err)
		os.Exit(1)
	}
}

// askUser asks on the terminal: standard input has the calls.
func askUser(diff string) bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer tty.Close()
	fmt.Fprintf(tty, "%sallow this? [y/N] ", diff)
	answer, _ := bufio.NewReader(tty).ReadString('\n')
	return answer == "y\n"
}
