package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// A lossy request is made of the hunks of a commit as edits by text, with one that is lost.
type losses struct{ requests, others, remain, same, differ, refused int }

// partial makes up to n requests for each repository of the hunks of its newest commits, loses each edit in turn, and
// prints how many of the others Options.Partial still carries out, and whether they go where they would without it.
func partial(dirs []string, n int) error {
	var all losses
	for _, dir := range dirs {
		git := func(args ...string) string {
			out, _ := exec.Command("git", append([]string{"-C", dir}, args...)...).Output() // "" for what is not there
			return string(out)
		}
		most := all.requests + n
		for id := range strings.FieldsSeq(git("log", "--no-merges", "--format=%H", "-n", "3000")) {
			for path := range strings.Lines(git("diff", "--name-only", "--diff-filter=M", id+"^", id)) {
				path = strings.TrimSpace(path)
				if all.requests < most {
					all.add(git("show", id+"^:"+path), git("show", id+":"+path))
				}
			}
		}
	}
	if all.requests == 0 {
		return errors.New("there are no commits with three hunks in a file")
	}
	fmt.Printf("%d requests; of %d edits beside a lost one, %.1f %% remain; %d outcomes are as without it, %d "+
		"differ, %d are refused\n",
		all.requests, all.others, 100*float64(all.remain)/float64(all.others), all.same, all.differ, all.refused)
	return nil
}

// add makes a request of the change from one text to another, if it has three hunks and its edits lead there.
func (all *losses) add(before, after string) {
	plan, err := atomicedit.ParseUnified(atomicedit.Diff("a/f", []byte(before), "b/f", []byte(after)))
	if err != nil || before == "" || len(plan.Ops) != 1 || len(plan.Ops[0].Edits) < 3 {
		return
	}
	var edits []atomicedit.Edit
	for _, e := range plan.Ops[0].Edits {
		edits = append(edits, atomicedit.Edit{Old: e.Old, New: e.New})
	}
	run := func(edits []atomicedit.Edit, partial bool) (text string, left int, err error) {
		store := atomicedit.NewMem(map[string]string{"f": before})
		p := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "f", Edits: edits}}}
		report, err := atomicedit.Run(context.Background(), store, p, &atomicedit.Options{Partial: partial})
		if report != nil {
			left = len(report.LeftOut)
		}
		return store.Files()["f"], left, err
	}
	if text, _, err := run(edits, false); err != nil || text != after {
		return
	}
	all.requests++
	for i := range edits {
		lost := append([]atomicedit.Edit{}, edits...)
		lost[i].Old = "lost: " + strings.ReplaceAll(lost[i].Old, "e", "lost")
		want, _, err := run(append(append([]atomicedit.Edit{}, edits[:i]...), edits[i+1:]...), false)
		if err != nil {
			continue // the others depend on it
		}
		all.others += len(edits) - 1
		switch got, left, err := run(lost, true); {
		case err != nil:
			all.refused++
		case got == want:
			all.same++
			all.remain += len(edits) - left
		default:
			all.differ++
			all.remain += len(edits) - left
		}
	}
}
