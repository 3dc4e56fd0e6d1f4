package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/atomicedit/atomicedit"
)

// A runner is one run of the program.
type runner struct {
	command
	options
	out, messages printer
	progress      *progress
}

// A job is a change to the files of a directory that is worked out, and not carried out yet.
type job struct {
	report *atomicedit.Report
	commit func(context.Context) error
	done   string // to be said when it is done
}

// run carries out a command line, and returns the exit status.
func (c command) run(args []string) int {
	o, err := parseOptions(args)
	r := runner{command: c, options: o, out: newPrinter(c.stdout, o.color), messages: newPrinter(c.stderr, "never")}
	switch {
	case err != nil:
		r.messages.print("apply: " + err.Error() + "; -h lists the flags\n")
		return usage
	case o.help:
		return r.status(r.out.print(summary))
	case o.version:
		return r.status(r.out.print(version() + "\n"))
	}
	var terminal io.Writer
	if isTerminal(c.stderr) {
		terminal = c.stderr
	}
	r.progress = newProgress(terminal, c.ticks)
	err = r.runJob()
	r.progress.set("")
	return r.status(err)
}

// status tells an error, and returns the exit status that it stands for.
func (r runner) status(err error) int {
	if err == nil {
		return done
	}
	r.messages.print("apply: " + err.Error() + "\n")
	var refusal *atomicedit.Refusal
	if !errors.As(err, &refusal) {
		return failed
	}
	if r.asJSON {
		if err := printJSON(r.stdout, refusal); err != nil {
			r.messages.print("apply: it cannot be printed: " + err.Error() + "\n")
			return failed
		}
	}
	return refused
}

// runJob reads the requests, works out what they change, and carries it out.
func (r runner) runJob() error {
	var requests batch
	if !r.undo {
		var err error
		if requests, err = r.readRequests(); err != nil {
			return err
		}
	}
	preview := r.preview || requests.plan.DryRun
	dir, err := atomicedit.OpenDir(r.dir, &atomicedit.DirOptions{ReadOnly: preview})
	if err != nil {
		return err
	}
	defer dir.Close()
	for _, said := range dir.Recovered() {
		r.messages.print("apply: " + said + "\n")
	}
	var j job
	if r.undo {
		j, err = r.prepareUndo(dir, preview)
	} else {
		j, err = r.prepare(dir, requests, preview)
	}
	r.progress.set("")
	if preview && errors.Is(err, atomicedit.ErrUnfinished) {
		return fmt.Errorf("%w; a preview finishes nothing: run apply without -n", err)
	}
	if err != nil {
		return err
	}
	return r.carryOut(j, preview)
}

// prepare works out what requests change.
func (r runner) prepare(dir *atomicedit.Dir, requests batch, preview bool) (job, error) {
	read := 0
	store := watched{dir, func() {
		read++
		r.progress.set(fmt.Sprintf("apply: working out the changes, file %d", read))
	}}
	ctx := context.Background()
	var change *atomicedit.Transaction
	var err error
	if r.reverse {
		change, err = prepareReverse(ctx, store, requests.plan)
	} else {
		change, err = atomicedit.Prepare(ctx, store, requests.plan, nil)
	}
	if err != nil {
		return job{}, requests.blame(err)
	}
	j := job{report: change.Report(), commit: change.Commit}
	if r.keep && !preview {
		history, err := r.openHistory()
		if err != nil {
			return job{}, err
		}
		j.commit = func(ctx context.Context) error { return r.keepRun(ctx, history, change) }
	}
	return j, nil
}

// carryOut shows a job and, unless this is a preview, carries it out.
func (r runner) carryOut(j job, preview bool) (err error) {
	if !r.asJSON {
		if err := r.out.diff(j.report.Diff); err != nil {
			return fmt.Errorf("nothing was changed, because the diff cannot be printed: %w", err)
		}
	}
	if !preview {
		r.progress.set(fmt.Sprintf("apply: writing, files: %d", len(j.report.Files)))
		err = r.commit(j)
		r.progress.set("")
		if err != nil && !errors.Is(err, atomicedit.ErrNotDurable) {
			return err
		}
	}
	if r.asJSON {
		if bad := printJSON(r.stdout, j.report); bad != nil {
			was := "all was done"
			if preview {
				was = "nothing was changed"
			}
			err = errors.Join(err, fmt.Errorf("%s, but the report cannot be printed: %w", was, bad))
		}
		return err
	}
	switch {
	case preview:
		r.messages.print("apply: a preview, nothing was written\n")
	case j.done != "":
		r.messages.print("apply: " + j.done + "\n")
	}
	r.messages.print(j.report.String())
	return err
}

// commit commits a job. A signal on the way rolls it back, unless it comes too late: then the job is finished.
func (r runner) commit(j job) error {
	ctx, release := r.hold()
	defer release()
	err := j.commit(ctx)
	switch {
	case ctx.Err() == nil:
	case err == nil:
		r.progress.set("")
		r.messages.print("apply: the interrupt came too late: all was done\n")
	case errors.Is(err, ctx.Err()) && !errors.Is(err, atomicedit.ErrUnfinished):
		return errors.New("interrupted: nothing was changed")
	}
	return err
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
