// Apply carries out requests to edit files, as models and other tools write them: SEARCH/REPLACE blocks, V4A patches, unified
// diffs, the calls of tools in JSON or as tags, hashlines, and the edits of language servers. All of it happens, or nothing does.
//
//	apply [flags] [file ...]
//
// The requests are read from the files, or one from standard input, which "-" names too. Several requests are one: each is carried
// out on the result of the one before it, and if one is refused, no file is changed. Flags may also come after files. These are the flags:
//
//	-C dir       change the files in this directory
//	-n, -check   only show what would be done
//	-R           reverse the requests: change files back from what the requests made of them
//	-p n         the request is a unified diff: remove n leading parts from its names of files, as "patch -p" does
//	-keep        keep what is needed to undo this run
//	-undo        undo the last kept run; again for the one before it
//	-state dir   where -keep and -undo have the kept runs
//	-json        print the report, or the refusal, as JSON
//	-color when  colour the diff: auto, always or never
//	-version     print the version
//	-h           print a summary with an example of each kind of request
//
// The change goes to standard output as a unified diff, and everything else, warnings too, to standard error. On a terminal, a
// run of more than a second shows there what it is doing. The exit status is 0 if everything was done, 1 if the request was refused
// and nothing was written, 2 for wrong usage, and 3 for any other error. If the diff cannot be printed, the status is 3 and
// nothing is written.
//
// # Interrupts
//
// Ctrl-C or SIGTERM ends the program at once, unless it is writing. Then the commit is rolled back, and the status is 3; but if the
// first file has its new content already, the commit is finished.
//
// # Reversing
//
// With -R, the old and the new text of each edit change places, new files are deleted, and moved files go back. What does not have its
// old text is refused, such as a deletion in a V4A patch, lines that only numbers name, or text that is removed without any line around
// it. So is a result that the request would not change to the files that are there now.
//
// # Undo
//
// With -keep, a run is kept before its files are written. If one of its files has changed since, -undo refuses and names it. Runs are kept
// for each directory that -C names, in "atomicedit/undo" below $XDG_STATE_HOME or ~/.local/state (Linux and other Unix systems),
// ~/Library/Application Support (macOS) or %LocalAppData% (Windows), or in the directory that -state names, which must be outside the
// one that is changed. They have the contents of the files, and only their owner can read them. The last 50 runs of all directories
// are kept, and no more than 64 MiB; a larger run is refused.
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
	ticks          <-chan time.Time                 // at each, progress is shown
	hold           func() (context.Context, func()) // signals end the context, and not the program, until the function is called
	stateDir       func() (string, error)           // where the user's system has the state of programs
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
