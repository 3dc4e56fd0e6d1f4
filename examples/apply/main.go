// Apply carries out requests to edit files, as models and other tools write them: SEARCH/REPLACE blocks, V4A patches,
// unified diffs, the calls of tools in JSON or as tags, hashlines, and the edits of language servers. It carries out
// all of them, or none.
//
//	apply [flags] [file ...]
//
// It reads the requests from the files, or one request from standard input ("-" among the files). Flags may come before
// and after files, with one dash or two:
//
//	-C dir       change the files in this directory instead of the current one
//	-n, -check   only show what would be done
//	-R           reverse the requests: take back what they made of the files
//	-p n         the request is a unified diff: remove n leading parts from its names of files, as "patch -p" does
//	-keep        keep what is needed to undo this run
//	-undo        undo the last kept run; used again, the one before it
//	-state dir   where -keep and -undo have the kept runs
//	-json        print the report or the refusal as JSON
//	-color when  color the diff: auto (on a terminal, unless NO_COLOR is set), always or never
//	-version     print the version
//	-h           print a summary with an example of each kind of request
//
// The diff of the changes goes to standard output, and everything else, warnings too, to standard error. If standard
// error is a terminal, a run of more than a second shows there what it is doing. The exit status is 0 if everything was
// done, 1 if the request was refused and nothing was written, 2 for wrong usage, and 3 for any other error. If the diff
// cannot be printed, the status is 3 and nothing is written.
//
// Several requests are one: each starts from the result of the one before it, and if one of them is refused, no file is
// changed.
//
// # Interrupts
//
// Ctrl-C and SIGTERM end the program at once, unless it is writing. Then they roll the commit back, and the status is
// 3. A commit that has already given a file its new content is finished instead.
//
// # Reversing
//
// -R swaps the old and the new text of each edit, deletes new files and moves files back. A request is refused if it
// lacks a text that has to be restored: it deletes a file without its content, names lines only by number, or removes
// lines and shows none around them. It is also refused unless it would turn the result back into the files that are
// there now, byte for byte.
//
// # Undo
//
// -keep saves the files that a run changes, as they are before and after it. -undo refuses if one of them has changed
// since, and names it. The runs of each directory are undone separately. They are kept in atomicedit/undo below
// $XDG_STATE_HOME or ~/.local/state (on macOS ~/Library/Application Support, on Windows %LocalAppData%), or in the
// directory that -state names, which must be outside the one that is changed. Only their owner can read them. At most
// 50 runs and 64 MiB are kept, of all directories together; the oldest go first, and a larger run is refused.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

const (
	done = iota
	refused
	usage
	failed
)

func main() {
	c := command{os.Stdin, os.Stdout, os.Stderr, time.Tick(time.Second), hold, stateDir}
	os.Exit(c.run(os.Args[1:]))
}

// A command is the program with everything that it depends on.
type command struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	ticks          <-chan time.Time // at each, progress is shown
	// signals end the context, and not the program, until the function is called
	hold     func() (context.Context, func())
	stateDir func() (string, error) // where the user's system has the state of programs
}

// hold makes signals end a context. A signal that is ignored, as under nohup, stays ignored.
func hold() (context.Context, func()) {
	var signals []os.Signal
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	if len(signals) == 0 { // NotifyContext would take that for all of them
		return context.Background(), func() {}
	}
	return signal.NotifyContext(context.Background(), signals...)
}
