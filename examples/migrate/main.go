// Migrate shows what remains of an agent's own file tools once they use atomicedit: view, edit, multiedit and write,
// with permission prompts, multiedits that can be made only in part, files outside the working directory, diagnostics,
// and a database that keeps what was read and every version of a file.
//
//	migrate [-C dir] [-db file] [-conversation name] [-lint program] < calls
//
// Calls are JSON, such as {"tool": "view", "args": {"file_path": "a.go"}}, and so are the results.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit"
)

func main() {
	dir := flag.String("C", ".", "the directory to work on")
	db := flag.String("db", ":memory:", "the SQLite database that keeps conversations")
	conversation := flag.String("conversation", "1", "the conversation to go on with")
	linter := flag.String("lint", "", "a program that checks the file that is its argument")
	flag.Parse()
	a, err := newAgent(context.Background(), *dir, *db, *conversation)
	if err == nil {
		a.linter, a.permit = *linter, askUser
		err = a.serve(context.Background(), os.Stdin, os.Stdout)
	}
	if err != nil {
		log.Fatal("migrate: ", err)
	}
}

// serve reads calls and writes their results.
func (a *agent) serve(ctx context.Context, calls io.Reader, w io.Writer) error {
	in, out := json.NewDecoder(calls), json.NewEncoder(w)
	for in.More() {
		var c struct {
			Tool string
			Args json.RawMessage
		}
		if err := in.Decode(&c); err != nil {
			return err
		}
		if err := out.Encode(a.call(ctx, c.Tool, c.Args)); err != nil {
			return err
		}
	}
	return nil
}

// askUser asks on the terminal: standard input has the calls.
func askUser(_ context.Context, what string, t *atomicedit.Transaction) (*atomicedit.Transaction, error) {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, errors.New("nobody can be asked for permission")
	}
	defer tty.Close()
	if strings.ContainsFunc(what, func(c rune) bool { return c != '\n' && c != '\t' && !strconv.IsPrint(c) }) {
		what = strconv.Quote(what) // control characters could hide a part of the question
	}
	fmt.Fprintf(tty, "%s\nallow this? [y/N] ", what)
	if answer, _ := bufio.NewReader(tty).ReadString('\n'); answer != "y\n" {
		return nil, errors.New("the user does not want this; ask what they want instead")
	}
	return t, nil
}
