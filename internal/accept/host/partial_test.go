package host_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var partial = &atomicedit.Options{Partial: true}

func TestWhatComesAfterALostPart(t *testing.T) {
	edit := func(older, newer string) atomicedit.Edit { return atomicedit.Edit{Old: older, New: newer} }
	lost := accepttest.Edits("a", "nowhere", "x")
	for _, tt := range []struct {
		name string
		ops  []atomicedit.Op
		want map[string]string
		left []int // the ops of Report.LeftOut
	}{
		{"an edit of the same op", []atomicedit.Op{accepttest.Edit("a", edit("one", "1"), edit("zwei", "2"),
			edit("three", "3"))},
			map[string]string{"a": "1\ntwo\n3\n", "b": "x\n"}, []int{0}},
		{"an edit of a new file", []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "c", Content: "one\n",
			Edits: []atomicedit.Edit{edit("zwei", "2"), edit("one", "1")}}},
			map[string]string{"a": "one\ntwo\nthree\n", "b": "x\n", "c": "1\n"}, []int{0}},
		{"all edits of a new file", []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "c", Content: "one\n",
			Edits: []atomicedit.Edit{edit("zwei", "2")}}},
			map[string]string{"a": "one\ntwo\nthree\n", "b": "x\n", "c": "one\n"}, []int{0}},
		{"a deletion after all edits of a new file", []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "c", Content: "one\n",
			Edits: []atomicedit.Edit{edit("zwei", "2")}}, accepttest.Remove("b")},
			map[string]string{"a": "one\ntwo\nthree\n", "b": "x\n", "c": "one\n"}, []int{0, 1}},
		{"lines of the same file", []atomicedit.Op{lost, byNumber("a", 2, 2, "2\n"),
			accepttest.Edits("a", "three", "3")},
			map[string]string{"a": "one\ntwo\n3\n", "b": "x\n"}, []int{0, 1}},
		{"lines of another file", []atomicedit.Op{lost, byNumber("b", 1, 1, "y\n")},
			map[string]string{"a": "one\ntwo\nthree\n", "b": "y\n"}, []int{0}},
		{"a deletion", []atomicedit.Op{lost, accepttest.Edits("b", "x", "y"), accepttest.Remove("b")},
			map[string]string{"a": "one\ntwo\nthree\n", "b": "y\n"}, []int{0, 2}},
		{"a deletion before", []atomicedit.Op{accepttest.Remove("b"), lost},
			map[string]string{"a": "one\ntwo\nthree\n"}, []int{1}},
		{"a move", []atomicedit.Op{lost, accepttest.Edits("b", "x", "y"), accepttest.Move("b", "c")},
			map[string]string{"a": "one\ntwo\nthree\n", "b": "y\n"}, []int{0, 2}},
		{"an edit of what a lost move would have made",
			[]atomicedit.Op{accepttest.Move("a", "b"), accepttest.Edits("c", "x", "y"),
				accepttest.Edits("a", "one", "1")},
			map[string]string{"a": "1\ntwo\nthree\n", "b": "x\n"}, []int{0, 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := atomicedit.NewMem(map[string]string{"a": "one\ntwo\nthree\n", "b": "x\n"})
			report, err := atomicedit.Run(t.Context(), store, atomicedit.Plan{Ops: tt.ops}, partial)
			if err != nil {
				t.Fatal(err)
			}
			var left []int
			for _, p := range report.LeftOut {
				left = append(left, p.Op)
			}
			if diff := cmp.Diff(tt.want, store.Files()) + cmp.Diff(tt.left, left); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A part that is left out has its number in the request, and so have the matches of the others.
func TestPartsKeepTheirNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		var edits []atomicedit.Edit
		var bad []int
		n := rapid.IntRange(2, 8).Draw(t, "edits")
		for i := range n {
			fmt.Fprintf(&text, "line %d.\n", i)
			edits = append(edits, atomicedit.Edit{Old: fmt.Sprintf("line %d.", i), New: fmt.Sprintf("new %d.", i)})
			if rapid.Bool().Draw(t, "bad") {
				edits[i].Old, bad = "nothing like it", append(bad, i)
			}
		}
		store := atomicedit.NewMem(map[string]string{"f": text.String()})
		plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("f", edits...)}}
		report, err := atomicedit.Run(t.Context(), store, plan, partial)
		if len(bad) == n {
			var refusal *atomicedit.Refusal
			if !errors.As(err, &refusal) || len(refusal.Problems) != n {
				t.Fatalf("nothing is left: %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		var left []int
		for _, p := range report.LeftOut {
			left = append(left, p.Edit)
			if want := fmt.Sprintf("edit %d", p.Edit+1); p.Part != want {
				t.Fatalf("%q, want %q", p.Part, want)
			}
		}
		if diff := cmp.Diff(bad, left); diff != "" {
			t.Fatal(diff)
		}
		for _, m := range report.Files[0].Matches {
			if m.Op != 0 || m.Old.Line+m.Old.Lines-1 < m.Edit+1 || m.Old.Line > m.Edit+1 {
				t.Fatalf("edit %d at line %d", m.Edit, m.Old.Line)
			}
		}
	})
}

// Two edits that have each other's new text are left out together: one alone would be wrong.
func TestExchangedEditsAreLeftOutTogether(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"f": "width = load(path)\nheight = store(name)\nend\n"})
	exchanged := accepttest.Edits("f", "width = load(path)", "height = store(name, 1)",
		"height = store(name)", "width = load(path, 1)", "end", "END")
	_, err := atomicedit.Prepare(t.Context(), store, atomicedit.Plan{Ops: []atomicedit.Op{exchanged}}, partial)
	if !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("error %v", err)
	}
}

// The lines that a refusal shows are read, also if edits could have been left out.
func TestARefusalOfAllPartsShowsLines(t *testing.T) {
	host := &atomicedit.Host{Options: partial,
		Store: atomicedit.NewSession(atomicedit.NewMem(map[string]string{"a": "1\n2\n3\n"}))}
	if _, err := host.View(t.Context(), "a", 1, 1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"refused", "done"} {
		plan := atomicedit.Plan{Ops: []atomicedit.Op{byNumber("a", 2, 2, "two\n")}}
		if answer, err := host.Do(t.Context(), plan); answer.Status != want {
			t.Errorf("%s: %v", answer.Text, err)
		}
	}
}
