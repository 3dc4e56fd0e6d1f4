package place_test

import (
	"errors"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/google/go-cmp/cmp"
)

// A refusal says of each candidate why it was not taken.
func TestCandidates(t *testing.T) {
	type list = []atomicedit.Candidate
	const text = "func a() {\n\tx := 0\n}\n\nfunc b() {\n\tx := 0\n}\n\nfunc c() {\n\t  x := 0\n}\n\nfunc d() {\n\tx  := 0\n\ty := 0\n}\n"
	for _, test := range []struct {
		name, text string
		edits      []atomicedit.Edit
		loosest    atomicedit.Fit
		want       list
	}{
		{"two fit", text, []atomicedit.Edit{{Old: "\tx := 0\n", New: "\tx := 1\n", WholeLines: true}}, 0, list{
			{Line: 2, Why: "it fits as well as the others, and nothing tells them apart"},
			{Line: 6, Why: "it fits as well as the others, and nothing tells them apart"},
		}},
		{"two strings fit", text, []atomicedit.Edit{{Old: "\tx := 0", New: "\tx := 1"}}, 0, list{
			{Line: 2, Why: "it fits as well as the others, and nothing tells them apart"},
			{Line: 6, Why: "it fits as well as the others, and nothing tells them apart"},
		}},
		{"two fit, and another less well", "a \nb\n--\na \nb\n--\na \n\nb\n",
			[]atomicedit.Edit{{Old: "a\nb\n", New: "a\nc\n", WholeLines: true}}, 0, list{
				{Line: 1, Why: "it fits as well as the others, and nothing tells them apart"},
				{Line: 4, Why: "it fits as well as the others, and nothing tells them apart"},
				{Line: 7, Why: "it is a looser fit: it differs in trailing whitespace and blank lines"},
			}},
		{"three fit", "a\na\na\n", []atomicedit.Edit{{Old: "a\n", New: "b\n", WholeLines: true}}, 0, list{
			{Line: 1, Why: "it fits as well as the others, and nothing tells them apart"},
			{Line: 2, Why: "it fits as well as the others, and nothing tells them apart"},
			{Line: 3, Why: "it fits as well as the others, and nothing tells them apart"},
		}},
		{"none is in the scope of the anchor", text,
			[]atomicedit.Edit{{Old: "\tx := 0\n", New: "\tx := 1\n", WholeLines: true,
				Anchors: []string{"func c() {"}}}, 0, list{
				{Line: 2, Why: "it is outside the scope of the anchor"},
				{Line: 6, Why: "it is outside the scope of the anchor"},
			}},
		{"the anchor is not there", text,
			[]atomicedit.Edit{{Old: "\ty := 0\n", New: "\ty := 1\n", WholeLines: true,
				Anchors: []string{"func e() {"}}}, 0, list{
				{Line: 15, Why: "it is outside the scope of the anchor"},
			}},
		{"two are in the scope of the anchor", "h\na\n===\nh2\nb\na\na\n",
			[]atomicedit.Edit{{Old: "a\n", New: "b\n", WholeLines: true, Anchors: []string{"h2"}}}, 0, list{
				{Line: 2, Why: "it is outside the scope of the anchor"},
				{Line: 6, Why: "it fits as well as the others, and nothing tells them apart"},
				{Line: 7, Why: "it fits as well as the others, and nothing tells them apart"},
			}},
		{"none is at the end", text, []atomicedit.Edit{{Old: "\tx := 0\n", New: "\tx := 1\n", WholeLines: true,
			AtEnd: true}}, 0, list{
			{Line: 2, Why: "it is not at the end of the file"}, {Line: 6, Why: "it is not at the end of the file"},
		}},
		{"another number", text, []atomicedit.Edit{{Old: "\tx := 0", New: "\tx := 1", Count: 3}}, 0, list{
			{Line: 2, Why: "it fits, but the edit is for another number of places"},
			{Line: 6, Why: "it fits, but the edit is for another number of places"},
		}},
		{"the line and another edit", text,
			[]atomicedit.Edit{{First: 6, Last: 6, New: "\tx := 2\n"},
				{Old: "\tx := 0\n", New: "\tx := 1\n", WholeLines: true, Near: 6}}, 0, list{
				{Line: 2, Why: "it is further away from the line that the edit names"},
			}},
		{"the heading and another edit", text,
			[]atomicedit.Edit{{First: 6, Last: 6, New: "\tx := 2\n"},
				{Old: "\tx := 0\n", New: "\tx := 1\n", WholeLines: true, Section: "func b() {"}}, 0, list{
				{Line: 2, Why: "it is not below the heading in the hunk header"},
			}},
		{"the order and another edit", text, []atomicedit.Edit{
			{First: 6, Last: 6, New: "\tx := 2\n"}, {Old: "func b() {\n", New: "func b2() {\n", WholeLines: true},
			{Old: "\tx := 0\n", New: "\tx := 1\n", WholeLines: true},
			{Old: "func c() {\n", New: "func c2() {\n", WholeLines: true},
		}, 0, list{{Line: 2, Why: "it is out of order with the other edits"}}},
		{"equal edits and another edit", text, []atomicedit.Edit{
			{First: 6, Last: 6, New: "\tx := 2\n"}, {Old: "\tx := 0\n", New: "\tx := 1\n", WholeLines: true},
			{Old: "\tx := 0\n", New: "\tx := 1\n", WholeLines: true},
		}, 0, list{{Line: 2, Why: "it is for an equal edit"}}},
		{"no candidate", text, []atomicedit.Edit{{Old: "z\n", New: "y\n", WholeLines: true}}, 0, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := atomicedit.Apply([]byte(test.text), test.edits, &atomicedit.Options{Loosest: test.loosest})
			var refusal *atomicedit.Refusal
			if !errors.As(err, &refusal) || len(refusal.Problems) != 1 {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, refusal.Problems[0].Candidates); diff != "" {
				t.Errorf("%v\n(-want +got):\n%s", err, diff)
			}
		})
	}
}
