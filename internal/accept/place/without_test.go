package place_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// good prepares a plan, and again what is left without what is refused. It returns what is left in the end, and the parts refused.
func good(t interface {
	rapid.TB
	Context() context.Context
}, store atomicedit.Store, p atomicedit.Plan) (left atomicedit.Plan, tr *atomicedit.Transaction, parts []string) {
	most := 1
	for _, op := range p.Ops {
		most += 1 + len(op.Edits)
	}
	for left = p; len(left.Ops) > 0; most-- {
		var err error
		tr, err = atomicedit.Prepare(t.Context(), store, left, nil)
		if err == nil {
			return left, tr, parts
		}
		var refusal *atomicedit.Refusal
		if !errors.As(err, &refusal) || most == 0 {
			t.Fatalf("it does not end: %v", err)
		}
		for _, problem := range refusal.Problems {
			parts = append(parts, strings.TrimSpace(problem.Path+" "+problem.Part))
		}
		before := sizeOf(left)
		if left = left.Without(refusal); sizeOf(left) >= before {
			t.Fatalf("nothing is left out: %v", err)
		}
	}
	return left, nil, parts
}

// sizeOf returns how many operations and edits p has.
func sizeOf(p atomicedit.Plan) int {
	n := len(p.Ops)
	for _, op := range p.Ops {
		n += len(op.Edits)
	}
	return n
}

func TestTheGoodEditsWithoutTheBadOnes(t *testing.T) {
	files := map[string]string{"f": "one\ntwo\nthree\nfour\nfive\n", "g": "six\nseven\n", "box": "- [x] a\n- [ ] b\nfive\n", "call": "f(one, two)\nfive\n"}
	ed := func(old, new string) atomicedit.Edit { return atomicedit.Edit{Old: old, New: new} }
	line := func(old, new string) atomicedit.Edit {
		return atomicedit.Edit{Old: old + "\n", New: new + "\n", WholeLines: true}
	}
	for _, tt := range []struct {
		name  string
		ops   []atomicedit.Op
		want  map[string]string // the files that differ in the end; "-" for none
		parts []string          // refused
	}{
		{"another file", []atomicedit.Op{accepttest.Edits("f", "none", "x"), accepttest.Edits("g", "six", "6")}, map[string]string{"g": "6\nseven\n"}, []string{"f"}},
		{"a list", []atomicedit.Op{accepttest.Edit("f", ed("one", "1"), ed("none", "x"), ed("three", "3"))},
			map[string]string{"f": "1\ntwo\n3\nfour\nfive\n"}, []string{"f edit 2"}},
		{"a list whose third edit works on the second", []atomicedit.Op{accepttest.Edit("f", ed("one", "1"), ed("none", "two"), ed("two", "2"), ed("five", "5"))},
			map[string]string{"f": "1\ntwo\nthree\nfour\n5\n"}, []string{"f edit 2"}},
		{"names that are exchanged", []atomicedit.Op{accepttest.Edit("f", ed("(one)", "(t)"), ed("two", "one"), ed("t)", "two)"), ed("five", "5"))},
			map[string]string{"f": "one\ntwo\nthree\nfour\n5\n"}, []string{"f edit 1", "f edit 3"}},
		{"whole lines, which are placed together", []atomicedit.Op{accepttest.Edit("f", line("none", "two"), line("two", "2"), line("three", "3"))},
			map[string]string{"f": "one\n2\n3\nfour\nfive\n"}, []string{"f edit 1"}},
		{"a sign without words", []atomicedit.Op{accepttest.Edit("f", ed("one", "1"), ed("!", "?"), ed("two", "2"))},
			map[string]string{"f": "1\n2\nthree\nfour\nfive\n"}, []string{"f edit 2"}},
		{"words of the bad edit elsewhere", []atomicedit.Op{accepttest.Edit("call", ed("f(one, none)", "f(one, g(two))"), ed("one,", "1,"), ed("two)", "2)"), ed("five", "two)"))},
			map[string]string{"call": "f(1, two)\nfive\n"}, []string{"call edit 1"}},
		{"blank lines", []atomicedit.Op{accepttest.Edit("f", ed("none", "x"), ed("\n\n", "\n"), ed("two", "2"))},
			nil, []string{"f edit 1", "f edit 2"}},
		{"signs between words", []atomicedit.Op{accepttest.Edit("f", ed("a+b", "a-b"), ed("a", "one"), ed("two", "2"))},
			map[string]string{"f": "one\n2\nthree\nfour\nfive\n"}, []string{"f edit 1", "f edit 2"}},
		{"words that change places", []atomicedit.Op{accepttest.Edit("call", ed("f(one, none, two)", "f(two, one)"), ed("one", "1"), ed("five", "5"))},
			map[string]string{"call": "f(one, two)\n5\n"}, []string{"call edit 1"}},
		{"signs that change places", []atomicedit.Op{accepttest.Edit("box", ed("- [x] a;\n- [ ] b;", "- [ ] a;\n- [x] b;"), ed("- [ ]", "- [~]"))},
			nil, []string{"box edit 1"}},
		{"numbers of lines in a later operation", []atomicedit.Op{accepttest.Edit("f", ed("one", "1"), ed("none", "x\ny")), accepttest.Edit("f", ed("five", "5"), accepttest.LineEdit(4, 4, "4\n"))},
			map[string]string{"f": "1\ntwo\nthree\nfour\n5\n"}, []string{"f edit 2"}},
		{"numbers of lines that are replaced", []atomicedit.Op{accepttest.Edit("f", accepttest.LineEdit(1, 2, "// ... existing code ...\n"), ed("two", "2")), accepttest.Edits("g", "six", "6")},
			map[string]string{"g": "6\nseven\n"}, []string{"f edit 1"}},
		{"numbers of lines where something is inserted", []atomicedit.Op{accepttest.Edit("f", accepttest.LineEdit(99, 0, "x\n"), ed("two", "2"))},
			map[string]string{"f": "one\n2\nthree\nfour\nfive\n"}, []string{"f edit 1"}},
		{"a group of whole lines that works on another", []atomicedit.Op{accepttest.Edit("f", line("one", "two two"), ed("none", "x"), line("two two", "three"), line("five", "5"))},
			map[string]string{"f": "two two\ntwo\nthree\nfour\n5\n"}, []string{"f edit 2"}},
		{"a viewer's numbers", []atomicedit.Op{accepttest.Edit("f", ed("1| one\n2| tow", "1| one\n2| 2"), ed("five", "5")), accepttest.Edits("g", "six", "6")},
			map[string]string{"g": "6\nseven\n"}, []string{"f edit 1"}},
		{"an operation with a bad edit only", []atomicedit.Op{accepttest.Edits("f", "none", "x"), accepttest.Edits("g", "six", "6"), accepttest.Edits("f", "five", "5")},
			map[string]string{"f": "one\ntwo\nthree\nfour\n5\n", "g": "6\nseven\n"}, []string{"f edit 1"}},
		{"a bad edit that misquotes the line above", []atomicedit.Op{accepttest.Edit("call", ed("g(one)\nfive", "g(one)\nsix"), ed("f(one, two)\nsix", "f()\nsix"))},
			nil, []string{"call edit 1", "call edit 2"}},
		{"a diff of two directories", []atomicedit.Op{
			{Path: "new/f", OtherPath: "old/f", Edits: []atomicedit.Edit{line("none", "two")}}, accepttest.Edits("f", "two", "2"), accepttest.Edits("g", "six", "6"),
		}, map[string]string{"g": "6\nseven\n"}, []string{"f edit 1"}},
		{"a viewer's numbers in a later operation", []atomicedit.Op{accepttest.Edit("f", ed("none", "x\ny")), accepttest.Edit("f", ed("five", "5"), ed("3| three", "3| 3"))},
			map[string]string{"f": "one\ntwo\nthree\nfour\n5\n"}, []string{"f edit 1"}},
		{"lines that a bad edit indents", []atomicedit.Op{accepttest.Edit("call", line("none\n    five()", "x\n  five()")), accepttest.Edit("call", line("  five()", "  5()"))},
			nil, []string{"call edit 1", "call edit 1"}},
		{"a file that is deleted, and created anew", []atomicedit.Op{
			accepttest.Remove("f"), {Kind: atomicedit.OpCreate, Path: "f", Content: "x\n", Edits: []atomicedit.Edit{ed("none", "y")}}, accepttest.Edits("g", "six", "6"),
		}, map[string]string{"g": "6\nseven\n"}, []string{"f"}},
		{"a file that is deleted, and another moved there", []atomicedit.Op{accepttest.Remove("f"), accepttest.Move("g", "f", "none", "x")}, nil, []string{"g"}},
		{"a file that is deleted, and an edited one moved there", []atomicedit.Op{accepttest.Remove("f"), accepttest.Edits("g", "none", "x"), accepttest.Move("g", "f"), accepttest.Edits("box", "five", "5")},
			map[string]string{"box": "- [x] a\n- [ ] b\n5\n"}, []string{"g"}},
		{"a diff of two directories with a new file", []atomicedit.Op{
			{Path: "new/f", OtherPath: "old/f", Edits: []atomicedit.Edit{line("none", "two")}}, accepttest.Create("new/h", "x\n"),
		}, nil, []string{"f"}},
		{"numbers of lines in the same operation", []atomicedit.Op{accepttest.Edit("f", ed("none", "x\ny"), accepttest.LineEdit(4, 4, "4\n"))},
			map[string]string{"f": "one\ntwo\nthree\n4\nfive\n"}, []string{"f edit 1"}},
		{"a file that is to be deleted", []atomicedit.Op{accepttest.Edits("f", "none", "x"), accepttest.Remove("f"), accepttest.Edits("g", "six", "6")},
			map[string]string{"g": "6\nseven\n"}, []string{"f"}},
		{"a file that is to be moved", []atomicedit.Op{accepttest.Edits("f", "none", "x"), accepttest.Move("f", "h"), accepttest.Edits("h", "one", "1"), accepttest.Create("new", "n")},
			map[string]string{"new": "n"}, []string{"f"}},
		{"a move whose target is taken", []atomicedit.Op{accepttest.Move("f", "g"), accepttest.Over(accepttest.Create("f", "lost")), accepttest.Create("new", "n")},
			map[string]string{"new": "n"}, []string{"g"}},
		{"a move with edits", []atomicedit.Op{accepttest.Move("f", "h", "one", "1", "none", "x")},
			map[string]string{"f": "-", "h": "1\ntwo\nthree\nfour\nfive\n"}, []string{"f edit 2"}},
		{"a move with one edit", []atomicedit.Op{accepttest.Move("f", "h", "none", "x"), accepttest.Edits("g", "six", "6")}, map[string]string{"g": "6\nseven\n"}, []string{"f"}},
		{"a delete that shows other lines", []atomicedit.Op{
			{Kind: atomicedit.OpDelete, Path: "g", Edits: []atomicedit.Edit{{Old: "six\n", WholeLines: true}, {Old: "none\n", WholeLines: true}}}, accepttest.Create("new", "n"),
		}, map[string]string{"new": "n"}, []string{"g edit 2"}},
		{"a new file with edits", []atomicedit.Op{
			{Kind: atomicedit.OpCreate, Path: "new", Content: "x\ny\n", Edits: []atomicedit.Edit{ed("x", "z"), ed("none", "x")}}, accepttest.Edits("./new", "y", "w"), accepttest.Edits("g", "six", "6"),
		}, map[string]string{"g": "6\nseven\n"}, []string{"new edit 2"}},
		{"a file that is there", []atomicedit.Op{accepttest.Create("f", "x"), accepttest.Edits("f", "one", "1"), accepttest.Edits("g", "six", "6")}, map[string]string{"g": "6\nseven\n"}, []string{"f"}},
		{"nothing", []atomicedit.Op{accepttest.Edit("f", line("none", "x"))}, nil, []string{"f"}},
		{"the plan as a whole", []atomicedit.Op{accepttest.Over(accepttest.Create("g", files["g"]))}, nil, []string{"g"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mem := atomicedit.NewMem(files)
			plan := atomicedit.Plan{Ops: tt.ops}
			was := fmt.Sprint(plan)
			_, tr, parts := good(t, mem, plan)
			if fmt.Sprint(plan) != was {
				t.Errorf("the plan was modified: %v", plan)
			}
			if tr != nil {
				if err := tr.Commit(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			want := map[string]string{}
			for _, from := range []map[string]string{files, tt.want} {
				for path, content := range from {
					want[path] = content
					if content == "-" {
						delete(want, path)
					}
				}
			}
			if diff := cmp.Diff(want, mem.Files()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.parts, parts); diff != "" {
				t.Errorf("refused (-want +got):\n%s", diff)
			}
		})
	}
}

// What remains counts as the request did, and is otherwise the same.
func TestWithoutKeepsTheNumbersOfTheRequest(t *testing.T) {
	plan, err := atomicedit.Parse("f\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nnone\n=======\nx\n>>>>>>> REPLACE\n" +
		"<<<<<<< SEARCH\nthree\n=======\n3\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nfive\n=======\n5\n>>>>>>> REPLACE\n")
	if err != nil {
		t.Fatal(err)
	}
	mem := atomicedit.NewMem(map[string]string{"f": "one\nthree\n"})
	left, _, parts := good(t, mem, plan)
	if diff := cmp.Diff([]string{"f block 2", "f block 4"}, parts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := plan
	want.Ops = []atomicedit.Op{plan.Ops[0]}
	want.Ops[0].Edits = []atomicedit.Edit{plan.Ops[0].Edits[0], plan.Ops[0].Edits[2]}
	want.Ops[0].Edits[1].Number = 3
	if diff := cmp.Diff(want, left); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err = atomicedit.Prepare(t.Context(), atomicedit.NewMem(map[string]string{"f": "one\n"}), left, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "f: block 3: ") {
		t.Error(err)
	}
	if got := plan.Without(nil); !cmp.Equal(got, plan) {
		t.Error("nothing was refused, but something is gone")
	}
	for _, problem := range []atomicedit.Problem{{Op: -1, Edit: -1}, {Op: 7}} {
		if got := plan.Without(&atomicedit.Refusal{Problems: []atomicedit.Problem{problem}}); len(got.Ops) > 0 {
			t.Errorf("%+v leaves %v", problem, got)
		}
	}
}

// What remains does what a request does that never had the bad edits, to the byte.
func TestWithoutIsAsIfTheBadEditsHadNeverBeenSent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		files, wants := map[string]string{}, map[string]string{}
		var all, only atomicedit.Plan
		for f := range rapid.IntRange(1, 3).Draw(t, "files") {
			path := fmt.Sprint("f", f)
			n := rapid.IntRange(1, 6).Draw(t, "lines")
			var text, want []string
			byOp := map[bool][]atomicedit.Edit{}
			for i := range n {
				eol := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "ending")
				old, new := fmt.Sprintf("old%d_%d", f, i), fmt.Sprintf("new%d_%d", f, i)
				text, want = append(text, old+eol), append(want, new+eol)
				e := atomicedit.Edit{Old: old, New: new}
				if rapid.Bool().Draw(t, "whole lines") {
					e = atomicedit.Edit{Old: old + "\n", New: new + "\n", WholeLines: true}
				}
				if bad := rapid.Bool().Draw(t, "bad"); bad {
					e.Old = strings.ReplaceAll(e.Old, "old", "other")
					want[i] = text[i]
				} else {
					byOp[true] = append(byOp[true], e)
				}
				byOp[false] = append(byOp[false], e)
			}
			files[path], wants[path] = strings.Join(text, ""), strings.Join(want, "")
			all.Ops = append(all.Ops, accepttest.Edit(path, byOp[false]...))
			if len(byOp[true]) > 0 {
				only.Ops = append(only.Ops, accepttest.Edit(path, byOp[true]...))
			}
		}
		mem, other := atomicedit.NewMem(files), atomicedit.NewMem(files)
		left, tr, _ := good(t, mem, all)
		if tr != nil {
			if err := tr.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := atomicedit.Run(t.Context(), other, only, nil); err != nil {
				t.Fatal(err)
			}
		}
		if !cmp.Equal(mem.Files(), wants) || !cmp.Equal(other.Files(), wants) {
			t.Fatalf("%v\nbecame %q,\nwithout them %q,\nwant %q", left, mem.Files(), other.Files(), wants)
		}
	})
}

// Whatever the plan, repeating ends, and what remains is a part of the plan in its order.
func TestWithoutEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab \n")), 0, 12, -1)
		path := rapid.SampledFrom([]string{"f", "g", "./f", "h"})
		var plan atomicedit.Plan
		for range rapid.IntRange(1, 5).Draw(t, "operations") {
			op := atomicedit.Op{Kind: atomicedit.OpKind(rapid.IntRange(0, 3).Draw(t, "kind")), Path: path.Draw(t, "path")}
			switch op.Kind {
			case atomicedit.OpMove:
				op.To = path.Draw(t, "to")
			case atomicedit.OpCreate:
				op.Content = text.Draw(t, "content")
				op.Overwrite = rapid.Bool().Draw(t, "overwrite")
			}
			for range rapid.IntRange(0, 4).Draw(t, "edits") {
				e := atomicedit.Edit{Old: text.Draw(t, "old"), New: text.Draw(t, "new"), WholeLines: rapid.Bool().Draw(t, "whole lines")}
				if rapid.IntRange(0, 4).Draw(t, "by number") == 0 {
					e = accepttest.LineEdit(rapid.IntRange(0, 4).Draw(t, "first"), rapid.IntRange(0, 4).Draw(t, "last"), e.New)
				}
				op.Edits = append(op.Edits, e)
			}
			plan.Ops = append(plan.Ops, op)
		}
		was := fmt.Sprint(plan)
		left, _, _ := good(t, atomicedit.NewMem(map[string]string{"f": "a b\nb a\nab\n", "g": "b\n\na\n"}), plan)
		if fmt.Sprint(plan) != was {
			t.Fatalf("the plan was modified: %v", plan)
		}
		for i, k := 0, 0; i < len(left.Ops); i, k = i+1, k+1 {
			for ; k < len(plan.Ops) && !isPart(left.Ops[i], plan.Ops[k]); k++ {
			}
			if k == len(plan.Ops) {
				t.Fatalf("%v is no part of %v", left.Ops[i], plan)
			}
		}
	})
}

// isPart reports whether op is of with fewer edits, each with its number.
func isPart(op, of atomicedit.Op) bool {
	edits := op.Edits
	op.Edits = of.Edits
	return cmp.Equal(op, of) && !slices.ContainsFunc(edits, func(e atomicedit.Edit) bool {
		at := max(e.Number, slices.IndexFunc(edits, func(f atomicedit.Edit) bool { return cmp.Equal(e, f) })+1)
		e.Number = 0
		return at > len(of.Edits) || !cmp.Equal(e, of.Edits[at-1])
	})
}

func TestAProblemLeftOutIsToldAsInARefusalOfItsOwn(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"a.txt": "one\n"})
	plan := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "a.txt", Edits: []atomicedit.Edit{{Old: "zwei", New: "2"}, {Old: "drei", New: "3"}}}}}
	_, err := atomicedit.Prepare(t.Context(), store, plan, nil)
	var r *atomicedit.Refusal
	if !errors.As(err, &r) || len(r.Problems) != 2 {
		t.Fatal(err)
	}
	for _, p := range r.Problems {
		if got, want := p.String(), (&atomicedit.Refusal{Problems: []atomicedit.Problem{p}}).Error(); got != want || !strings.HasPrefix(got, "a.txt: "+p.Part+": ") {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
