package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// A testCase is one case of the corpus.
type testCase struct {
	ID      string
	Format  string
	Files   map[string]string
	Request json.RawMessage
	Target  string
	Tags    []string
	Options struct {
		Body      bool   `json:"v4a_body"`
		Mode      string `json:"mode"`
		DryRun    bool   `json:"dry_run"`
		StartLine int    `json:"startLine"`
	}
	Expect expectation
}

// An expectation is what the tool's own tests assert. Fields that it lacks are about the internals of the tool.
type expectation struct {
	Files       map[string]string
	Contains    map[string][]string
	NotContains map[string][]string `json:"not_contains"`
	Error       string
	OK          bool
}

// about reports whether the case expects something that is visible from outside.
func (c *testCase) about() bool {
	inside := slices.ContainsFunc(c.Tags, func(t string) bool {
		return t == "parse-only" || t == "match-only" || t == "helper"
	})
	e := c.Expect
	return !inside && (e.Files != nil || e.Contains != nil || e.NotContains != nil || e.Error != "" || e.OK)
}

// plan parses the request in the format of the case's tool.
func (c *testCase) plan() (atomicedit.Plan, error) {
	if c.Format == "edits" {
		var call map[string]any
		if err := json.Unmarshal(c.Request, &call); err != nil {
			return atomicedit.Plan{}, err
		}
		call["file_path"] = c.Target
		return parseCall(call)
	}
	var text string
	if err := json.Unmarshal(c.Request, &text); err != nil {
		return atomicedit.Plan{}, err
	}
	switch {
	case c.Options.Body && c.Options.Mode == "create":
		return parseCall(operation("create_file", c.Target, text))
	case c.Options.Body:
		return parseCall(operation("update_file", c.Target, text))
	case c.Format == "v4a":
		return atomicedit.ParseV4A(text)
	case c.Format == "udiff":
		return atomicedit.ParseUnified(text)
	case c.Format == "raw":
		return atomicedit.Parse(text)
	}
	return atomicedit.ParseBlocks(text)
}

func operation(kind, path, diff string) map[string]any {
	return map[string]any{"operation": map[string]any{"type": kind, "path": path, "diff": diff}}
}

func parseCall(call map[string]any) (atomicedit.Plan, error) {
	data, err := json.Marshal(call)
	if err != nil {
		return atomicedit.Plan{}, err
	}
	return atomicedit.ParseJSON(data)
}

// run carries out the request on a copy of the files, and returns the resulting tree.
func (c *testCase) run() (map[string]string, error) {
	mem := atomicedit.NewMem(c.Files)
	p, err := c.plan()
	if err != nil {
		return mem.Files(), err
	}
	p = p.ForFile(c.Target)
	p.DryRun = p.DryRun || c.Options.DryRun
	for i := range p.Ops {
		op := &p.Ops[i]
		_, there := c.Files[op.Path]
		if _, ok := c.Files[c.Target]; ok && !there && c.Format == "udiff" {
			op.Path = c.Target // these suites give the text of the file separately from its name
		}
		if line := c.Options.StartLine; line > 0 && op.Kind == atomicedit.OpCreate {
			*op = atomicedit.Op{Path: op.Path,
				Edits: []atomicedit.Edit{{First: line, New: op.Content, WholeLines: true}}}
			continue
		}
		for j := range op.Edits {
			if op.Edits[j].Near == 0 {
				op.Edits[j].Near = c.Options.StartLine
			}
		}
	}
	_, err = atomicedit.Run(context.Background(), mem, p, nil)
	return mem.Files(), err
}

// differs describes the difference between the outcome and the expectation, "" if there is none.
func (c *testCase) differs() string {
	after, err := c.run()
	var refusal *atomicedit.Refusal
	e := c.Expect
	if text, ok := e.Files[c.Target]; ok && text == "" && c.Format == "udiff" && err == nil {
		after[c.Target] += "" // these suites cannot express that a file is gone
	}
	switch {
	case err != nil && !errors.As(err, &refusal):
		return "an error that is no refusal: " + err.Error()
	case err != nil && e.Error == "":
		return "refused: " + err.Error()
	case err == nil && e.Error != "":
		return fmt.Sprintf("accepted, expected %q: %q", e.Error, after)
	case err != nil && !maps.Equal(after, c.Files):
		return "refused, but not untouched"
	case e.Files != nil && !maps.Equal(after, e.Files):
		return fmt.Sprintf("got      %q\n    expected %q", after, e.Files)
	}
	for path, parts := range e.Contains {
		for _, part := range parts {
			if !strings.Contains(after[path], part) {
				return fmt.Sprintf("%s lacks %q: %q", path, part, after[path])
			}
		}
	}
	for path, parts := range e.NotContains {
		for _, part := range parts {
			if strings.Contains(after[path], part) {
				return fmt.Sprintf("%s still has %q", path, part)
			}
		}
	}
	return ""
}

//go:embed deviations.txt
var deviationsText string

// deviations reads lines of an id, a tab and a rule.
func deviations() map[string]string {
	rules := map[string]string{}
	for line := range strings.Lines(deviationsText) {
		if id, rule, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && !strings.HasPrefix(id, "#") {
			rules[id] = strings.TrimSpace(rule)
		}
	}
	return rules
}

// A count has the number of cases of one tool, by outcome.
type count struct{ followed, deviating, open, examples int }

// runCorpus runs the cases of all tools, and reports whether none is open.
//
// The directory of the corpus holds one JSON array of cases per tool, and its README.md explains their fields. A case
// is followed if this package does what the tool expects. A deviation is a case that this package decides otherwise on
// purpose. It is listed in deviations.txt, with the rule that decides it. Any other case is open, and so is a listed
// deviation that is followed or does not exist. Cases about the internals of a tool are examples, and counted
// separately.
func runCorpus(dir string, verbose bool) (bool, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(names) == 0 {
		return false, fmt.Errorf("no cases in %s", dir)
	}
	rules := deviations()
	var total count
	const row = "%-18s %8v %9v %6v %8v\n"
	fmt.Printf(row, "tool", "followed", "deviating", "open", "examples")
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return false, err
		}
		var cases []testCase
		if err := json.Unmarshal(data, &cases); err != nil {
			return false, fmt.Errorf("%s: %w", name, err)
		}
		var n count
		for _, c := range cases {
			rule, listed := rules[c.ID]
			if !slices.Contains([]string{"blocks", "v4a", "edits", "udiff", "raw"}, c.Format) || !c.about() {
				n.examples++
				continue
			}
			delete(rules, c.ID)
			diff := c.differs()
			switch {
			case diff == "" && listed:
				fmt.Printf("%s is listed as a deviation (%s), but it is followed\n", c.ID, rule)
				n.open++
			case diff == "":
				n.followed++
			case listed:
				n.deviating++
			default:
				n.open++
				if verbose {
					fmt.Printf("%s [%s]\n    %s\n", c.ID, strings.Join(c.Tags, " "), diff)
				}
			}
		}
		fmt.Printf(row, strings.TrimSuffix(filepath.Base(name), ".json"), n.followed, n.deviating, n.open, n.examples)
		total = count{total.followed + n.followed, total.deviating + n.deviating, total.open + n.open,
			total.examples + n.examples}
	}
	fmt.Printf(row, "all", total.followed, total.deviating, total.open, total.examples)
	for id := range rules {
		fmt.Printf("%s is listed as a deviation, but there is no such case\n", id)
	}
	return total.open == 0 && len(rules) == 0, nil
}
