// Sandbox shows a Store in another process, reached by a pipe, as one in a container would be. It starts itself as the
// sandbox of a directory, and carries out a request from standard input there.
//
//	sandbox [-C dir] < request
//	sandbox -serve [-C dir]        the other side
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"

	"github.com/atomicedit/atomicedit"
)

func main() {
	dir := flag.String("C", ".", "the directory to work on")
	server := flag.Bool("serve", false, "be the sandbox: serve the directory on standard input and output")
	flag.Parse()
	var err error
	if *server {
		err = serveDir(*dir, os.Stdin, os.Stdout)
	} else {
		// For a container this would be: docker exec -i NAME sandbox -serve -C DIR
		err = run(context.Background(), exec.Command(os.Args[0], "-serve", "-C", *dir), os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sandbox:", err)
		os.Exit(1)
	}
}

func serveDir(dir string, from io.Reader, to io.Writer) error {
	store, err := atomicedit.OpenDir(dir, nil)
	if err != nil {
		return err
	}
	defer store.Close()
	return serve(store, from, to)
}

// start starts a process that serves a store. Closing the store lets it end, which wait waits for.
func start(cmd *exec.Cmd) (store *Remote, wait func() error, err error) {
	to, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	from, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	store = NewRemote(from, to)
	return store, func() error { <-store.done; return cmd.Wait() }, nil
}

// run carries out a request on the store of a process, and prints the diff.
func run(ctx context.Context, cmd *exec.Cmd, in io.Reader, w io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	plan, err := atomicedit.Parse(string(text))
	if err != nil {
		return err
	}
	store, wait, err := start(cmd)
	if err != nil {
		return err
	}
	report, err := atomicedit.Run(ctx, store, plan, nil)
	store.Close()
	if gone := wait(); err == nil {
		err = gone
	}
	if err == nil {
		fmt.Fprint(w, report.Diff)
	}
	return err
}
