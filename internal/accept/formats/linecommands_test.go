package formats_test

import (
	"errors"
	"io"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

func TestLineCommandsAreRead(t *testing.T) {
	replace := func(first, last int, lines string) atomicedit.Edit {
		return atomicedit.Edit{New: lines, WholeLines: true, First: first, Last: last}
	}
	file := func(path string, edits ...atomicedit.Edit) atomicedit.Plan {
		return atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit(path, edits...)}}
	}
	const change = "edit 2:3\nx\n\ty\nend_of_edit\n"
	changed := replace(2, 3, "x\n\ty\n")
	checkRead(t, atomicedit.Parse, map[string]requested{
		"an edit of the open file": {change, file("", changed)},
		"with words and a fence": {"I open the file and change it.\n\n```\n" + change +
			"```\n\nDone.\n", file("", changed)},
		"a path in the edit":     {"edit \"a.go\" 2:3\nx\nend_of_edit", file("a.go", replace(2, 3, "x\n"))},
		"lines that are removed": {"edit a.go 2:3\nend_of_edit\n", file("a.go", replace(2, 3, ""))},
		"markers in the new lines": {"edit 1:1\n<<<<<<< SEARCH\n*** Begin Patch\n--- a/x\n+++ b/x\nend_of_edit\n",
			file("", replace(1, 1, "<<<<<<< SEARCH\n*** Begin Patch\n--- a/x\n+++ b/x\n"))},
		"from the end to the beginning": {"edit a.go 4:5\nend_of_edit\n" + change +
			"edit b.go 8:8\nz\nend_of_edit\n", atomicedit.Plan{Ops: []atomicedit.Op{
			accepttest.Edit("a.go", replace(4, 5, ""), changed), accepttest.Edit("b.go", replace(8, 8, "z\n"))}}},
		"as many lines as before": {change + "edit 7:7\nz\nend_of_edit\n", file("", changed, replace(7, 7, "z\n"))},
	})
	checkRefused(t, atomicedit.Parse, false, map[string]refused{
		"numbers that depend on the edit above": {"edit 2:2\na\nb\nend_of_edit\nedit 7:7\nz\nend_of_edit\n", 5,
			"one by one"},
		"another command below":        {change + "python test.py\n", 5, "other commands by themselves"},
		"another command above":        {"```\nrm b.go\n" + change + "```\n", 2, "other commands by themselves"},
		"a file that is opened":        {"open a.go\n" + change, 1, "expected only \"edit PATH FIRST:LAST"},
		"a line to go to":              {"edit a.go 8:8\nend_of_edit\ngoto 2\n" + change, 3, "other commands by themselves"},
		"another directory":            {"cd src\n" + change, 1, "other commands by themselves"},
		"no line 0":                    {"edit 0:3\nx\nend_of_edit\n", 1, "names no lines"},
		"lines the wrong way round":    {"edit 3:2\nx\nend_of_edit\n", 1, "names no lines"},
		"an edit outside of the fence": {"```\n" + change + "```\n" + change, 7, "outside the code fence"},
	})
	checkRefused(t, atomicedit.Parse, true, map[string]refused{
		"no end":               {"edit 2:3\nx\n", 1, "cut off"},
		"no end of the second": {change + "edit 1:1\nx\nend_of", 5, "cut off"},
	})
	_, err := atomicedit.Parse(change + "edit 1:1\n")
	var r *atomicedit.Refusal
	if !errors.As(err, &r) || !errors.Is(err, io.ErrUnexpectedEOF) || len(r.Partial.Ops) != 1 {
		t.Errorf("%v, want a refusal with the first edit", err)
	}
}

func TestAFenceAroundAFenceIsNoPartOfTheRequest(t *testing.T) {
	const call = `{"path": "a.go", "old_string": "x", "new_string": "y"}`
	want := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("a.go", atomicedit.Edit{Old: "x", New: "y"})},
		Format: "json:old_string"}
	for name, request := range map[string]string{
		"longer outside":   "````\n```json\n" + call + "\n```\n````\n",
		"equal":            "```\n```\n" + call + "\n```\n```\n",
		"tildes":           "~~~\n```json\n" + call + "\n```\n~~~\n",
		"words around":     "Here it is:\n\n````markdown\n\n```json\n" + call + "\n```\n````\nDone.\n",
		"an empty fence":   "```json\n```\n\n```json\n" + call + "\n```\nDone.\n",
		"three":            "`````\n````\n```json\n" + call + "\n```\n````\n`````\n",
		"around an action": "```\nThought: It is y.\nAction: edit\nAction Input: " + call + "\n```\n",
		"tools and words":  "Here:\n```\n```tool_code\n" + call + "\n```\n```\nDone.",
	} {
		p, err := atomicedit.Parse(request)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, p); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
