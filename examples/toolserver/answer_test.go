package main

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
)

func TestBounded(t *testing.T) {
	many := func(n int) (files []atomicedit.FileReport) {
		for range n {
			files = append(files, atomicedit.FileReport{Status: "modified", Path: "a", Matches: slices.Repeat([]atomicedit.Match{{Fit: atomicedit.Exact}}, n), Notes: make([]atomicedit.Note, n)})
		}
		return files
	}
	long := strings.Repeat("äöü\n", 50_000)
	tests := []struct {
		name   string
		answer atomicedit.Answer
		cut    bool
	}{
		{"short", atomicedit.Answer{Text: "x", Report: &atomicedit.Report{Files: many(3), Diff: "d"}}, false},
		{"long diff", atomicedit.Answer{Report: &atomicedit.Report{Diff: long}}, true},
		{"long text", atomicedit.Answer{Text: long}, true},
		{"one line", atomicedit.Answer{Text: strings.ReplaceAll(long, "\n", "€")}, true},
		{"many files", atomicedit.Answer{Report: &atomicedit.Report{Files: many(1000)}}, true},
		{"many problems", atomicedit.Answer{Problems: make([]atomicedit.Problem, 10_000)}, true},
		{"long problem", atomicedit.Answer{Problems: []atomicedit.Problem{{Msg: long}}}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.answer.Status = "done"
			b := bounded(&test.answer)
			data, err := json.Marshal(b)
			if err != nil || len(data) > maxText+maxDiff+2*maxList || b.Cut != test.cut {
				t.Errorf("%d bytes, cut %t, error %v", len(data), b.Cut, err)
			}
			var v any
			if err := errors.Join(json.Unmarshal(data, &v), outputSchema().Validate(v)); err != nil {
				t.Errorf("not as the schema says: %v", err)
			}
			if test.cut && test.name == "long diff" && !strings.HasSuffix(b.Report.Diff, "äöü\n[cut off: the whole text has 350000 bytes]\n") {
				t.Errorf("the diff ends with %q", b.Report.Diff[len(b.Report.Diff)-80:])
			}
		})
	}
}

// A refusal may quote what was asked for.
func TestRefusalsAreBounded(t *testing.T) {
	c := stdio(t, "-root", dir(t, nil))
	long := strings.Repeat("x", 1<<20)
	for _, call := range []struct{ tool, args string }{
		{listName, `{"path": "` + long + `"}`}, {listName, `{"` + long + `": ""}`}, {"text_editor", `{"action": "read", "path": "` + long + `"}`}, {"text_editor", `{"action": "` + long + `"}`},
	} {
		if text, failed := c.call(call.tool, call.args); !failed || len(text) > maxText+100 {
			t.Errorf("%s %.30s…: failed %t, %d bytes: %.100s", call.tool, call.args, failed, len(text), text)
		}
	}
}
