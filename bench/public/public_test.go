package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// README.md and docs/evidence.md have the tables as they are printed. With PUBLIC=DIRECTORY, where the data is, that is
// every cell; without it, the names of columns and rows.
func TestDocumentsHaveTheTables(t *testing.T) {
	data := os.Getenv("PUBLIC")
	for _, table := range []struct {
		print func(w io.Writer, name string) error
		name  string
	}{{explicit, "tasks.jsonl*"}, {stale, "scenarios.jsonl*"}} {
		name := filepath.Join(t.TempDir(), "none.jsonl")
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if found, _ := filepath.Glob(filepath.Join(data, table.name)); data != "" && len(found) > 0 {
			name = found[0]
		}
		var printed bytes.Buffer
		if err := table.print(&printed, name); err != nil {
			t.Fatal(err)
		}
		for _, document := range []string{"README.md", "docs/evidence.md"} {
			text, err := os.ReadFile("../../" + document)
			if err != nil {
				t.Fatal(err)
			}
			if has := masked(string(text), data == ""); !strings.Contains(has, masked(printed.String(), data == "")) {
				t.Errorf("%s does not have the table\n%s", document, printed.String())
			}
		}
	}
}

// masked returns a text, if need be without its digits.
func masked(text string, digits bool) string {
	if !digits {
		return text
	}
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, text)
}

func TestATaskIsCarriedOutInEveryFormat(t *testing.T) {
	x := task{ID: "x",
		Before: map[string]string{"a.txt": "one\r\ntwo\u00a0words \r\nthree\r\n", "b.txt": "same\n"},
		After:  map[string]string{"a.txt": "one\r\ntwo\u00a0words \r\nTHREE\r\n", "b.txt": "same\n"},
	}
	for _, l := range levels {
		p, err := x.plan(l)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range formats {
			if outcome, why := x.carryOut(p, f.print); outcome != "right" {
				t.Errorf("%s, %s: %s\n%s", l.name, f.name, outcome, why)
			}
		}
	}
}

func TestScenarios(t *testing.T) {
	now, rewant, other := "a\nx\nc\n", "a\nX\nc\n", "top\na\nb\nc\n"
	for want, s := range map[string]scenario{
		outcomes[0]: {Now: &other, Want: "a\nB\nc\n", Accept: []string{"top\na\nB\nc\n"}},
		outcomes[1]: {Now: &now, Want: "a\nB\nc\n", Rewant: &rewant, Accept: []string{rewant}},
		outcomes[2]: {Noop: "b", Accept: []string{"a\nb\nc\n"}},
		outcomes[4]: {Want: "a\nB\nc\n", Accept: []string{"a\n"}},
	} {
		s.File, s.Seen = "f", "a\nb\nc\n"
		for _, set := range sets {
			if got, said, err := s.play(set.calls); got != want || err != nil {
				t.Errorf("%s: %s, want %s: %s%v", set.name, got, want, said, err)
			}
		}
	}
}
