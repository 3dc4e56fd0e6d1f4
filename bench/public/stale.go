package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/bench/jsonlines"
)

// A scenario is a file that may change behind the back of a model.
type scenario struct {
	ID, File, Seen, Want string
	Now, Rewant          *string
	Accept               []string
	Current              bool
	Noop, Then           string
	Undo                 bool
}

// A call is a call of a tool.
type call struct{ tool, args string }

// A toolSet returns the calls that make the edits of a plan for a file.
type toolSet func(file string, edits []atomicedit.Edit, p atomicedit.Plan) ([]call, error)

var sets = []struct {
	name  string
	calls toolSet
}{
	{"str_replace_editor", func(file string, edits []atomicedit.Edit, _ atomicedit.Plan) (all []call, err error) {
		for _, e := range edits {
			old, new := texts(e)
			all = append(all, call{"str_replace_editor",
				args("command", "str_replace", "path", file, "old_str", old, "new_str", new)})
		}
		return all, nil
	}},
	{"multi_edit", func(file string, edits []atomicedit.Edit, _ atomicedit.Plan) ([]call, error) {
		var list []map[string]string
		for _, e := range edits {
			old, new := texts(e)
			list = append(list, map[string]string{"old_string": old, "new_string": new})
		}
		return []call{{"multi_edit", args("file_path", file, "edits", list)}}, nil
	}},
	{"apply_patch", func(_ string, _ []atomicedit.Edit, p atomicedit.Plan) ([]call, error) {
		patch, err := p.V4A()
		return []call{{"apply_patch", args("input", patch)}}, err
	}},
}

// texts returns the texts of an edit, without the newlines that the hunk says are not there.
func texts(e atomicedit.Edit) (old, new string) {
	old, new = e.Old, e.New
	for i := 1; i < len(e.Hunk); i++ {
		if e.Hunk[i] == '\\' && e.Hunk[i-1] != '+' {
			old = strings.TrimSuffix(old, "\n")
		}
		if e.Hunk[i] == '\\' && e.Hunk[i-1] != '-' {
			new = strings.TrimSuffix(new, "\n")
		}
	}
	return old, new
}

// args returns an object of JSON with the given names and values.
func args(pairs ...any) string {
	o := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		o[pairs[i].(string)] = pairs[i+1]
	}
	data, err := json.Marshal(o)
	if err != nil {
		panic(err) // they are strings and lists of them
	}
	return string(data)
}

// outcomes are what may become of a scenario.
var outcomes = []string{"right at the first call", "right after a refusal", "refused, and rightly so",
	"refused for good", "wrong"}

// stale prints what becomes of the scenarios.
func stale(w io.Writer, name string) error {
	var failed error
	all, count := 0, map[string]int{}
	err := jsonlines.Each(name, func(s scenario) {
		if !s.Current {
			return
		}
		all++
		for _, set := range sets {
			outcome, said, err := s.play(set.calls)
			if err != nil {
				failed = errors.Join(failed, fmt.Errorf("%s with %s: %w", s.ID, set.name, err))
			}
			count[set.name+outcome]++
			if *verbose && outcome != outcomes[0] {
				fmt.Fprintf(w, "%s, %s: %s\n%s\n", s.ID, set.name, outcome, said)
			}
		}
	})
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	fmt.Fprintf(w, "| %d scenarios | %s |\n| --- |%s\n", all, strings.Join(outcomes, " | "),
		strings.Repeat(" --- |", len(outcomes)))
	for _, set := range sets {
		fmt.Fprintf(w, "| `%s` |", set.name)
		for _, outcome := range outcomes {
			fmt.Fprintf(w, " %d |", count[set.name+outcome])
		}
		fmt.Fprintln(w)
	}
	return nil
}

// play plays a scenario: the model looks at the file, which changes then, and makes its edit. If that is refused, it
// looks again, and makes the edit that it wants now. Said has the refusals.
func (s scenario) play(calls toolSet) (outcome, said string, err error) {
	ctx := context.Background()
	store := atomicedit.NewMem(map[string]string{s.File: s.Seen})
	host := &atomicedit.Host{Store: atomicedit.NewSession(store)}
	var changes []atomicedit.Change
	edit := func(from, to string) (done bool, err error) {
		p, err := s.change(from, to)
		if err != nil || len(p.Ops) == 0 {
			return false, err
		}
		if _, err := host.View(ctx, s.File, 0, 0); err != nil {
			return false, err
		}
		if s.Now != nil {
			if err := write(ctx, store, s.File, *s.Now); err != nil {
				return false, err
			}
		}
		all, err := calls(s.File, p.Ops[0].Edits, p)
		for _, c := range all {
			answer, callErr := host.Call(ctx, c.tool, []byte(c.args))
			if callErr != nil {
				said += answer.Text + "\n"
				return false, err
			}
			changes = append(changes, answer.Changes...)
		}
		return true, err
	}
	done, err := edit(s.Seen, s.Want)
	again := false
	if err == nil && !done && s.Rewant != nil {
		again, err = edit(*s.Now, *s.Rewant)
	}
	if err == nil && done && s.Then != "" {
		done, err = edit(s.Want, s.Then)
	}
	if err == nil && done && s.Undo {
		err = store.Commit(ctx, atomicedit.Invert(changes))
	}
	is := store.Files()[s.File]
	right := slices.Contains(s.Accept, is)
	switch {
	case done && right:
		return outcomes[0], said, err
	case again && right:
		return outcomes[1], said, err
	case done, again, !right && s.Rewant == nil:
		return outcomes[4], fmt.Sprintf("%sthe file is %q\n", said, is), err
	case right:
		return outcomes[2], said, err
	}
	return outcomes[3], said, err
}

// change returns the plan that makes one text of another. A text that is replaced by itself is one edit.
func (s scenario) change(from, to string) (atomicedit.Plan, error) {
	if s.Noop != "" {
		e := atomicedit.Edit{Old: s.Noop + "\n", New: s.Noop + "\n", WholeLines: true}
		return atomicedit.Plan{Ops: []atomicedit.Op{{Path: s.File, Edits: []atomicedit.Edit{e}}}}, nil
	}
	if from == to {
		return atomicedit.Plan{}, nil
	}
	return atomicedit.ParseUnified(atomicedit.Diff("a/"+s.File, []byte(from), "b/"+s.File, []byte(to)))
}

// write writes a file, as somebody else would.
func write(ctx context.Context, store atomicedit.Store, file, content string) error {
	_, err := atomicedit.Run(ctx, store, atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: file,
		Content: content, Overwrite: true}}}, nil)
	if errors.Is(err, atomicedit.ErrNoChange) {
		return nil
	}
	return err
}
