package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/bench/jsonlines"
)

// A task is a change of some files.
type task struct {
	ID            string
	Before, After map[string]string
}

// A level says how the author of a request sees a text, and how they retype its lines.
type level struct {
	name         string
	view, retype func(s string) string
}

func same(s string) string { return s }

var levels = []level{
	{"exact", same, same},
	{"as a viewer shows it", viewed, trimmed},
	{"as one types it", viewed, func(line string) string { return trimmed(plain.Replace(line)) }},
}

func viewed(s string) string {
	return strings.ReplaceAll(strings.TrimPrefix(s, "\ufeff"), "\r\n", "\n")
}

func trimmed(line string) string { return strings.TrimRight(line, " \t") }

// plain types characters without width, special spaces, dashes and quotes, a letter with its accent, and one of another
// alphabet.
var plain = strings.NewReplacer("\u200b", "", "\u2060", "", "\u00a0", " ", "\u202f", " ", "\u2010", "-", "\u2011", "-",
	"\u2013", "-", "\u2014", "-", "\u2212", "-", "\u2018", "'", "\u2019", "'", "\u201c", `"`, "\u201d", `"`,
	"e\u0301", "\u00e9", "\u0430", "a")

var formats = []struct {
	name  string
	print func(p atomicedit.Plan) (string, error)
}{
	{"SEARCH/REPLACE", atomicedit.Plan.Blocks},
	{"V4A", atomicedit.Plan.V4A},
	{"unified diff", atomicedit.Plan.Unified},
	{"JSON", atomicedit.Plan.JSON},
}

// explicit prints what becomes of the tasks.
func explicit(w io.Writer, name string) error {
	var failed error
	tasks, count := 0, map[string]int{}
	err := jsonlines.Each(name, func(t task) {
		tasks++
		for _, l := range levels {
			plan, err := t.plan(l)
			failed = errors.Join(failed, err)
			for _, f := range formats {
				outcome, why := t.carryOut(plan, f.print)
				count[l.name+f.name+outcome]++
				if *verbose && outcome != "right" {
					fmt.Fprintf(w, "%s, %s, %s: %s\n%s\n", t.ID, l.name, f.name, outcome, why)
				}
			}
		}
	})
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	fmt.Fprintf(w, "| %d tasks: right / refused / wrong |", tasks)
	for _, f := range formats {
		fmt.Fprintf(w, " %s |", f.name)
	}
	fmt.Fprintf(w, "\n| --- |%s\n", strings.Repeat(" --- |", len(formats)))
	for _, l := range levels {
		fmt.Fprintf(w, "| %s |", l.name)
		for _, f := range formats {
			n := func(outcome string) int { return count[l.name+f.name+outcome] }
			fmt.Fprintf(w, " %d / %d / %d |", n("right"), n("refused"), n("wrong"))
		}
		fmt.Fprintln(w)
	}
	return nil
}

// plan returns the change of t as its author writes it who works at a level.
func (t task) plan(l level) (atomicedit.Plan, error) {
	var request strings.Builder
	for _, path := range slices.Sorted(maps.Keys(t.Before)) {
		diff := atomicedit.Diff("a/"+path, []byte(l.view(t.Before[path])), "b/"+path, []byte(l.view(t.After[path])))
		hunks := false
		for line := range strings.Lines(diff) {
			hunks = hunks || strings.HasPrefix(line, "@@")
			if hunks && (line[0] == ' ' || line[0] == '-') {
				line = line[:1] + l.retype(strings.TrimSuffix(line[1:], "\n")) + "\n"
			}
			request.WriteString(line)
		}
	}
	return atomicedit.ParseUnified(request.String())
}

// carryOut carries out a plan as a request in a format. Why is the request, and what came of it.
func (t task) carryOut(p atomicedit.Plan, print func(p atomicedit.Plan) (string, error)) (outcome, why string) {
	request, err := print(p)
	if err != nil {
		return "unsayable", err.Error()
	}
	store := atomicedit.NewMem(t.Before)
	if p, err = atomicedit.Parse(request); err == nil {
		_, err = atomicedit.Run(context.Background(), store, p, nil)
	}
	if err != nil {
		return "refused", request + "\n" + err.Error()
	}
	is := store.Files()
	if maps.Equal(is, t.After) {
		return "right", ""
	}
	for path, want := range t.After {
		why += atomicedit.Diff("meant "+path, []byte(want), "is "+path, []byte(is[path]))
	}
	return "wrong", request + "\n" + why
}
