package main

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestACaseIsJudgedByItsTree(t *testing.T) {
	const old = `"format":"blocks","files":{"f":"a\n"},"target":"f"`
	const other = `"format":"blocks","files":{"f":"c\n"},"target":"f"`
	const block = `,"request":"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"`
	for name, tt := range map[string]struct{ text, want string }{
		"followed":     {`{` + old + block + `,"expect":{"files":{"f":"b\n"}}}`, ""},
		"another tree": {`{` + old + block + `,"expect":{"files":{"f":"c\n"}}}`, "expected"},
		"an error":     {`{` + other + block + `,"expect":{"error":"not found"}}`, ""},
		"no error":     {`{` + old + block + `,"expect":{"error":"not found"}}`, "accepted"},
		"refused":      {`{` + other + block + `,"expect":{"ok":true}}`, "refused"},
		"a part":       {`{` + old + block + `,"expect":{"contains":{"f":["b"]}}}`, ""},
		"edits": {`{"format":"edits","files":{"f":"a"},"target":"f",` +
			`"request":{"edits":[{"old_string":"a","new_string":"b"}]},"expect":{"files":{"f":"b"}}}`, ""},
		"a body that adds": {`{"format":"v4a","files":{},"target":"f",` +
			`"options":{"v4a_body":true,"mode":"create"},"request":"+a\n","expect":{"files":{"f":"a"}}}`, ""},
		"a diff, file apart": {`{"format":"udiff","files":{"f":"a\n"},"target":"f",` +
			`"request":"--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n","expect":{"files":{"f":"b\n"}}}`, ""},
	} {
		var c testCase
		if err := json.Unmarshal([]byte(tt.text), &c); err != nil {
			t.Fatal(err)
		}
		if got := c.differs(); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) || !c.about() {
			t.Errorf("%s: got %q; want %q", name, got, tt.want)
		}
	}
}

func TestEveryDeviationHasARule(t *testing.T) {
	for line := range strings.Lines(deviationsText) {
		line = strings.TrimSpace(line)
		if id, rule, ok := strings.Cut(line, "\t"); line != "" && line[0] != '#' && (!ok || id == "" || rule == "") {
			t.Errorf("no rule: %q", line)
		}
	}
}
