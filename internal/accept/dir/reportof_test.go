package dir_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/atomicedit/atomicedit"
)

var everyKind = atomicedit.Plan{Ops: []atomicedit.Op{
	{Path: "a.txt", Edits: []atomicedit.Edit{{Old: "one", New: "1"}}},
	{Kind: atomicedit.OpCreate, Path: "b.txt", Content: "new\n"},
	{Kind: atomicedit.OpMove, Path: "c.txt", To: "d.txt", Edits: []atomicedit.Edit{{Old: "three", New: "3"}}},
	{Kind: atomicedit.OpMove, Path: "f.txt", To: "g.txt"},
	{Kind: atomicedit.OpDelete, Path: "e.txt"},
}}

// prepareEveryKind returns the transaction of every kind of operation, and its store.
func prepareEveryKind(t *testing.T) (*atomicedit.Transaction, *atomicedit.Mem) {
	t.Helper()
	m := atomicedit.NewMem(map[string]string{"a.txt": "one\ntwo\n", "c.txt": "three\n", "e.txt": "gone\n",
		"f.txt": "four\n"})
	change, err := atomicedit.Prepare(t.Context(), m, everyKind, nil)
	if err != nil {
		t.Fatal(err)
	}
	return change, m
}

func TestReportOfChangesIsThatOfTheirTransaction(t *testing.T) {
	change, _ := prepareEveryKind(t)
	opts := cmp.Options{cmpopts.IgnoreFields(atomicedit.FileReport{}, "Matches"), cmpopts.EquateEmpty()}
	if d := cmp.Diff(change.Report(), atomicedit.ReportOf(change.Changes()), opts); d != "" {
		t.Error(d)
	}
}

func TestReportOfAnUndo(t *testing.T) {
	change, m := prepareEveryKind(t)
	if err := change.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	undo := atomicedit.Invert(change.Changes())
	report := atomicedit.ReportOf(undo)
	p, err := atomicedit.ParseUnified(report.Diff)
	if err != nil {
		t.Fatal(err)
	}
	again, err := atomicedit.Prepare(t.Context(), m, p, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, report.Diff)
	}
	if d := cmp.Diff(report.Diff, again.Report().Diff); d != "" {
		t.Error(d)
	}
	got := map[string]string{}
	for _, f := range report.Files {
		got[f.Path] = f.Status
	}
	want := map[string]string{"a.txt": "modified", "b.txt": "deleted", "c.txt": "moved", "e.txt": "added",
		"f.txt": "moved"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestReportOfNothing(t *testing.T) {
	for _, changes := range [][]atomicedit.Change{nil, {{}}, {{Path: "a"}}, {{Path: "a", From: "a"}}} {
		if r := atomicedit.ReportOf(changes); len(r.Files) > 0 || r.Diff != "" {
			t.Errorf("%+v: %+v", changes, r)
		}
	}
}
