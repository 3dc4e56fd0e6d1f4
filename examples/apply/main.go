// Apply carries out a request to edit files, as a model writes it: SEARCH/REPLACE blocks, a V4A patch, a unified diff or
// the JSON of a tool call. All of it happens, or nothing does.
//
//	apply [-C dir] [-n] [-json] [-color auto|always|never] [file]
//
// The request is read from the file, or from standard input. The change goes to standard output as a unified diff; what
// else is to be said, warnings too, to standard error. The exit status is 0 if all was done, 1 if the request was refused
// and nothing was written, 2 for wrong usage, 3 for any other error. A diff that cannot be printed is one, and then
// nothing is written.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/atomicedit/atomicedit"
)

const (
	done = iota
	refused
	usage
	failed
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main with everything that it depends on as an argument; it returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("apply", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: apply [-C dir] [-n] [-json] [-color auto|always|never] [file]")
		flags.PrintDefaults()
	}
	dir := flags.String("C", ".", "change files in this `directory`")
	preview := flags.Bool("n", false, "only show what would be done")
	asJSON := flags.Bool("json", false, "print the report, or the refusal, as JSON")
	color := flags.String("color", "auto", "colour the diff: auto, always or never")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return done
	} else if err != nil {
		return usage
	}
	if flags.NArg() > 1 || *color != "auto" && *color != "always" && *color != "never" {
		flags.Usage()
		return usage
	}

	out, messages := newPrinter(stdout, *color), newPrinter(stderr, "never")
	fail := func(err error) int {
		messages.print("apply: " + err.Error() + "\n")
		var refusal *atomicedit.Refusal
		if !errors.As(err, &refusal) {
			return failed
		}
		if *asJSON {
			if err := printJSON(stdout, refusal); err != nil {
				messages.print("apply: it cannot be printed: " + err.Error() + "\n")
				return failed
			}
		}
		return refused
	}

	request, err := read(flags.Arg(0), stdin)
	if err != nil {
		return fail(err)
	}
	plan, err := atomicedit.Parse(request)
	if err != nil {
		return fail(err)
	}
	preparing := *preview || plan.DryRun
	store, err := atomicedit.OpenDir(*dir, &atomicedit.DirOptions{ReadOnly: preparing})
	if err != nil {
		return fail(err)
	}
	defer store.Close()
	for _, said := range store.Recovered() {
		messages.print("apply: " + said + "\n")
	}
	change, err := atomicedit.Prepare(ctx, store, plan, nil)
	if err != nil {
		return fail(err)
	}
	report := change.Report()
	if !*asJSON {
		if err := out.diff(report.Diff); err != nil {
			return fail(fmt.Errorf("nothing was changed, because the diff cannot be printed: %w", err))
		}
	}
	if !preparing {
		err = change.Commit(ctx)
		if err != nil && !errors.Is(err, atomicedit.ErrNotDurable) {
			return fail(err)
		}
	}
	if *asJSON {
		if bad := printJSON(stdout, report); bad != nil {
			was := "all was done"
			if preparing {
				was = "nothing was changed"
			}
			err = errors.Join(err, fmt.Errorf("%s, but the report cannot be printed: %w", was, bad))
		}
	} else {
		if preparing {
			messages.print("apply: a preview, nothing was written\n")
		}
		messages.print(report.String())
	}
	if err != nil {
		return fail(err)
	}
	return done
}

// read returns the request: the content of the named file, or of standard input if the name is "" or "-".
func read(name string, stdin io.Reader) (string, error) {
	var data []byte
	var err error
	if name == "" || name == "-" {
		data, err = io.ReadAll(stdin)
	} else {
		data, err = os.ReadFile(name)
	}
	return string(data), err
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
