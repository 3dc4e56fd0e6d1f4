package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// A batch is the requests of a run as one plan.
type batch struct {
	plan  atomicedit.Plan
	names []string // of the requests
	of    []int    // the request that each operation comes from
}

// readRequests reads the requests of the files, or the one on standard input.
func (r runner) readRequests() (batch, error) {
	all := batch{names: r.files}
	if len(all.names) == 0 {
		all.names = []string{"-"}
	}
	for i, name := range all.names {
		request, err := r.readRequest(name)
		if err != nil {
			return all, err
		}
		plan, err := r.parse(request)
		if err != nil && len(all.names) > 1 {
			return all, fmt.Errorf("%s: %w", name, err)
		}
		if err != nil {
			return all, err
		}
		all.add(i, plan)
	}
	return all, nil
}

// readRequest returns the content of a file, or of standard input if the name is "-".
func (r runner) readRequest(name string) (string, error) {
	if name != "-" {
		data, err := os.ReadFile(name)
		return string(data), err
	}
	if isTerminal(r.stdin) {
		if isTerminal(r.stderr) {
			end := "Ctrl-D"
			if runtime.GOOS == "windows" {
				end = "Ctrl-Z"
			}
			r.messages.print("apply: reading the request from the terminal: " + end +
				" at the start of a line ends it, Ctrl-C cancels\n")
		}
	} else {
		r.progress.set("apply: reading standard input")
	}
	data, err := io.ReadAll(r.stdin)
	r.progress.set("")
	return string(data), err
}

func (r runner) parse(request string) (atomicedit.Plan, error) {
	if r.strip >= 0 {
		return parseStripped(request, r.strip)
	}
	return atomicedit.Parse(request)
}

// add adds the plan of the request with the given index.
func (all *batch) add(i int, plan atomicedit.Plan) {
	p := &all.plan
	if i == 0 {
		p.Format = plan.Format
	} else if p.Format != plan.Format {
		p.Format = ""
	}
	p.DryRun = p.DryRun || plan.DryRun
	p.Ops = append(p.Ops, plan.Ops...)
	for range plan.Ops {
		all.of = append(all.of, i)
	}
}

// A blamed error says which of several requests each problem is in.
type blamed struct {
	text    string
	refusal *atomicedit.Refusal
}

func (b blamed) Error() string { return b.text }
func (b blamed) Unwrap() error { return b.refusal }

// blame names the request in front of each problem of a refusal, if there are several.
func (all batch) blame(err error) error {
	var refusal *atomicedit.Refusal
	if len(all.names) < 2 || !errors.As(err, &refusal) {
		return err
	}
	var lines []string
	for _, p := range refusal.Problems {
		line := p.String()
		if p.Op >= 0 && p.Op < len(all.of) {
			line = all.names[all.of[p.Op]] + ": " + line
		}
		lines = append(lines, line)
	}
	return blamed{strings.Join(lines, "\napply: "), refusal}
}
