package host_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A plan over ten times the files allocates ten times as much, not a hundred times.
func TestCostGrowsNoFasterThanTheFiles(t *testing.T) {
	for _, test := range []struct {
		name string
		op   func(path string) atomicedit.Op
	}{
		{"creates", func(path string) atomicedit.Op {
			return atomicedit.Op{Kind: atomicedit.OpCreate, Path: path, Content: "two\n", Overwrite: true}
		}},
		{"edits", func(path string) atomicedit.Op {
			return atomicedit.Op{Kind: atomicedit.OpEdit, Path: path,
				Edits: []atomicedit.Edit{{Old: "one", New: "two"}}}
		}},
		{"moves", func(path string) atomicedit.Op {
			return atomicedit.Op{Kind: atomicedit.OpMove, Path: path, To: path + ".moved"}
		}},
	} {
		cost := func(n int) float64 {
			files := map[string]string{}
			var plan atomicedit.Plan
			for i := range n {
				path := fmt.Sprintf("d%d/f%d", i%10, i)
				files[path] = "one\n"
				plan.Ops = append(plan.Ops, test.op(path))
			}
			s := atomicedit.NewMem(files)
			_, size := accepttest.Allocated(func() {
				tr, err := atomicedit.Prepare(t.Context(), s, plan, nil)
				if err != nil {
					t.Fatal(err)
				}
				if err := tr.Commit(t.Context()); err != nil {
					t.Fatal(err)
				}
				if err := tr.Commit(t.Context()); err == nil {
					t.Fatal("committed twice")
				}
			})
			return size
		}
		cost(100)
		if small, large := cost(300), cost(3000); large > 15*small {
			t.Errorf("%s: %.0f bytes for 300 files, %.0f for 3000", test.name, small, large)
		}
	}
}

// What an approval does to the changes that it is shown does not change what is committed.
func TestChangesAreCopies(t *testing.T) {
	s := atomicedit.NewMem(map[string]string{"f": "one\n"})
	tr, err := atomicedit.Prepare(t.Context(), s,
		atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "one", "two")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c := tr.Changes()[0]
	copy(c.Before.Data, "???")
	copy(c.After.Data, "???")
	if err := tr.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.Files()["f"]; got != "two\n" {
		t.Errorf("the file is %q", got)
	}
}

// Nor does what is done to its report.
func TestReportsAreCopies(t *testing.T) {
	s := atomicedit.NewMem(map[string]string{"f": "one\none\ntwo\nthree four\nfive six\n"})
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "one\n", "1\n", "two", "2",
		"three four\nfive seven\n", "3\n")}}
	tr, err := atomicedit.Prepare(t.Context(), s, plan, &atomicedit.Options{Partial: true})
	again, err2 := atomicedit.Prepare(t.Context(), s, plan, &atomicedit.Options{Partial: true})
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	want, got := again.Report(), tr.Report()
	got.Files[0].Matches[0].By, got.Files[0].Notes = "changed", nil
	got.LeftOut[0].Places[0], got.LeftOut[0].Candidates[0].Why = -1, "changed"
	got.LeftOut[1].Nearest.Text = "changed"
	if diff := cmp.Diff(want, tr.Report(), cmpopts.EquateErrors()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
