package main

import (
	"os"
	"regexp"
	"testing"
)

// Every switch still finds the code that it switches off, and is about a rule that there is. Every rule has one.
func TestTheTableIsUpToDate(t *testing.T) {
	files, err := trackedFiles("../..")
	if err != nil {
		t.Skip(err) // not a checkout
	}
	placing, err := os.ReadFile("../../PLACING.md")
	if err != nil {
		t.Fatal(err)
	}
	missing := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^- \*\*([A-Z]\d)\*\*`).FindAllSubmatch(placing, -1) {
		missing[string(m[1])] = true
	}
	rules := len(missing)
	switches, err := parseSwitches(table)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range switches {
		if !regexp.MustCompile(`\*\*` + s.rule + `\*\*`).Match(placing) {
			t.Errorf("%s %s: PLACING.md has no such rule", s.rule, s.about)
		}
		delete(missing, s.rule)
		if _, err := s.apply(files); err != nil {
			t.Errorf("%s %s: %v", s.rule, s.about, err)
		}
	}
	if rules == 0 || len(missing) > 0 {
		t.Errorf("of %d rules, these have no switch: %v", rules, missing)
	}
}

func TestAnOutcomeIsComparedByCountsAndNames(t *testing.T) {
	base := outcome{map[string]int{"right": 5, "wrong": 1}, map[string]bool{"a": true}}
	o := outcome{map[string]int{"right": 3, "refused": 2, "wrong": 1}, map[string]bool{"a": true, "b": true, "c": true, "d": true, "e": true}}
	if got, want := o.against(base), "+2 refused -2 right (b, c, d, and 1 more)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := base.against(base); got != "" {
		t.Errorf("%q, want nothing", got)
	}
}
