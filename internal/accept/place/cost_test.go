package place_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

// What is linear in time is linear in what it counts: a text of ten times the lines may make no more than 15 times the
// work. Times are left to the benchmarks.
func TestCostGrowsNoFasterThanTheText(t *testing.T) {
	whole := func(old string) atomicedit.Edit { return accepttest.Lines(old, old+"another\n") }
	apply := func(make func(n int) ([]byte, []atomicedit.Edit)) func(n int) func() {
		return func(n int) func() {
			text, edits := make(n)
			return func() { atomicedit.Apply(text, edits, nil) }
		}
	}
	edited := func(edit func(text []byte, n int) []atomicedit.Edit) func(n int) func() {
		return apply(func(n int) ([]byte, []atomicedit.Edit) {
			text := program(n)
			return text, edit(text, n)
		})
	}
	for _, tt := range []struct {
		name string
		make func(n int) func()
	}{
		{"an exact edit", edited(func(text []byte,
			n int) []atomicedit.Edit {
			return []atomicedit.Edit{whole(piece(text, n/2, 9))}
		})},
		{"a dedented edit", edited(func(text []byte, n int) []atomicedit.Edit {
			return []atomicedit.Edit{whole(dedent(piece(text, n/2+1, 6)))}
		})},
		{"a hopeless edit", edited(func(text []byte, n int) []atomicedit.Edit {
			return []atomicedit.Edit{whole(strings.ReplaceAll(piece(text, n/2, 30), "value", "valve"))}
		})},
		{"as many edits as there are functions", edited(func(text []byte, n int) (edits []atomicedit.Edit) {
			for at := 0; at < n; at += 10 {
				edits = append(edits, whole(piece(text, at, 3)))
			}
			return edits
		})},
		{"equal lines", apply(func(n int) ([]byte, []atomicedit.Edit) {
			return []byte(strings.Repeat("the same line\n", n)),
				[]atomicedit.Edit{whole(strings.Repeat("the same line\n", 10))}
		})},
		{"a long line", apply(func(n int) ([]byte, []atomicedit.Edit) {
			return []byte(strings.Repeat("var a=1;", n) + "needle()"),
				[]atomicedit.Edit{{Old: "needle()", New: "pin()"}, whole("no such line\n")}
		})},
		{"substring edits", edited(func(text []byte, n int) (edits []atomicedit.Edit) {
			for i := range 50 {
				at := i*(n/50)/10*10 + 1
				edits = append(edits, atomicedit.Edit{Old: fmt.Sprintf("value%d := compute", at),
					New: fmt.Sprintf("v%d := compute", at)})
			}
			return edits
		})},
		{"a diff of one changed line", func(n int) func() {
			text := program(n)
			new := []byte(strings.Replace(string(text), piece(text, n/2, 1), "changed\n", 1))
			return func() { atomicedit.Diff("x", text, "x", new) }
		}},
		{"the diff of a report", func(n int) func() {
			text := program(n)
			plan := atomicedit.Plan{Ops: []atomicedit.Op{{Path: "x",
				Edits: []atomicedit.Edit{whole(piece(text, n/2, 9))}}}}
			store := atomicedit.NewMem(map[string]string{"x": string(text)})
			return func() { atomicedit.Prepare(t.Context(), store, plan, nil) }
		}},
		{"a diff of a change at both ends", func(n int) func() {
			text := program(n)
			new := []byte("first\n" + string(text) + "last\n")
			return func() { atomicedit.Diff("x", text, "x", new) }
		}},
		{"a diff of unrelated texts", func(n int) func() {
			old, new := program(n), []byte(strings.ReplaceAll(string(program(n)), "value", "valve"))
			return func() { atomicedit.Diff("x", old, "x", new) }
		}},
		{"parsing a patch", func(n int) func() {
			patch := patchOf(n)
			return func() { atomicedit.ParseUnified(patch) }
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			few, many := tt.make(400), tt.make(4_000)
			few()
			allocs, size := accepttest.Allocated(few)
			allocs10, size10 := accepttest.Allocated(many)
			if allocs10 > 15*allocs+100 || size10 > 15*size+10_000 {
				t.Errorf("ten times the lines: %.0f and then %.0f allocations, %.0f and then %.0f bytes", allocs,
					allocs10, size, size10)
			}
		})
	}
}

// What Apply allocates bounds what it has in use at any time: three times the text and 48 bytes a line.
func TestApplyAllocatesNoMoreThanItsTarget(t *testing.T) {
	const n = 20_000
	text := program(n)
	edit := func(old string) []atomicedit.Edit {
		return []atomicedit.Edit{accepttest.Lines(old, strings.Replace(old, "compute", "calculate", 1))}
	}
	var many, substrings []atomicedit.Edit
	for i := range 200 {
		many = append(many, edit(piece(text, i*n/200, 3))...)
		substrings = append(substrings,
			atomicedit.Edit{Old: fmt.Sprintf("value%d := compute", i*n/200+1), New: "calculated"})
	}
	for name, edits := range map[string][]atomicedit.Edit{
		"an exact edit":       edit(piece(text, n/2, 9)),
		"a dedented edit":     edit(dedent(piece(text, n/2+1, 6))),
		"a hopeless edit":     edit(strings.ReplaceAll(piece(text, n/2, 30), "value", "valve")),
		"200 edits":           many,
		"100 substring edits": substrings[:100],
	} {
		_, size := accepttest.Allocated(func() { atomicedit.Apply(text, edits, nil) })
		if most := float64(3*len(text) + 48*n); size > most {
			t.Errorf("%s: %.0f bytes, at most %.0f", name, size, most)
		}
	}
}

// Small edits are what most requests are made of, and allocations most of what they cost.
func TestOneExactEditTakesFewAllocations(t *testing.T) {
	text := program(1_000)
	old := piece(text, 500, 9)
	edits := []atomicedit.Edit{accepttest.Lines(old, strings.Replace(old, "compute", "calculate", 1))}
	// 12, and two more under the race detector
	if n := testing.AllocsPerRun(100, func() { atomicedit.Apply(text, edits, nil) }); n > 14 {
		t.Errorf("%v allocations", n)
	}
}

// What one edit costs besides its own lines, the others of the request do not cost again: ten times the edits of one
// text may make no more than 15 times the work.
func TestCostGrowsNoFasterThanTheEdits(t *testing.T) {
	const n = 20_000
	text := program(n)
	split := strings.SplitAfter(string(text), "\n")
	equal := []byte(strings.Repeat("the same line\n", n))
	for _, tt := range []struct {
		name string
		text []byte
		edit func(i, line int) atomicedit.Edit
	}{
		{"below an anchor", text, func(i, line int) atomicedit.Edit {
			e := accepttest.Lines("\t\treturn errUnavailable\n\t}\n", "\t\treturn nil\n\t}\n")
			e.Anchors = []string{strings.TrimSpace(split[line])}
			return e
		}},
		{"near a line", text, func(i, line int) atomicedit.Edit {
			return atomicedit.Edit{Old: split[line+3], New: fmt.Sprintln(i), WholeLines: true, Near: line + 4}
		}},
		{"in many places", text, func(i,
			line int) atomicedit.Edit {
			return accepttest.Lines(split[line+3], fmt.Sprintln(i))
		}},
		{"in many places, all differing", equal, func(i, line int) atomicedit.Edit {
			return accepttest.Lines(strings.Repeat("the same line\n", 1+i), fmt.Sprintln(i))
		}},
		{"nowhere", text, func(i, line int) atomicedit.Edit {
			return accepttest.Lines(strings.ReplaceAll(strings.Join(split[line:line+5], ""), "e", "q"), fmt.Sprintln(i))
		}},
		{"nowhere, with escapes", text, func(i, line int) atomicedit.Edit {
			return accepttest.Lines(strings.ReplaceAll(strings.Join(split[line:line+5], ""), "e", "\\\"q"),
				fmt.Sprintln(i))
		}},
		{"in all places", text, func(i, line int) atomicedit.Edit {
			return atomicedit.Edit{Old: split[line+3], New: fmt.Sprintln(i), WholeLines: true, Count: atomicedit.All}
		}},
		{"by line numbers", text, func(i,
			line int) atomicedit.Edit {
			return atomicedit.Edit{First: line + 1, Last: line + 2, New: "x\n"}
		}},
		{"by ranges", text, func(i, line int) atomicedit.Edit {
			return accepttest.Ranged(line+1, 2, line+2, 1,
				"x\n")
		}},
		{"by ranges of one line", bytes.ReplaceAll(text, []byte("\n"), []byte(" ")),
			func(i, line int) atomicedit.Edit { return accepttest.Ranged(1, 2*line, 1, 2*line+1, "x\n") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			work := func(k int) (allocs, size float64) {
				var edits []atomicedit.Edit
				for i := range k {
					edits = append(edits, tt.edit(i, i*(n/400)/10*10))
				}
				return accepttest.Allocated(func() { atomicedit.Apply(tt.text, edits, nil) })
			}
			work(20)
			allocs, size := work(40)
			allocs10, size10 := work(400)
			if allocs10 > 15*allocs+100 || size10 > 15*size+10_000 {
				t.Errorf("ten times the edits: %.0f and then %.0f allocations, %.0f and then %.0f bytes", allocs,
					allocs10, size, size10)
			}
		})
	}
}

// The scope of each line goes on to the end of the text. It would take minutes to read all of them.
func TestAnAnchorThatIsEverywhereIsFollowedInLinearTime(t *testing.T) {
	for anchors, lead := range map[string]bool{";": true, "; -": true, "; +": false, "{": false} {
		edit := accepttest.Lines("-\n", "+\n")
		edit.Anchors = strings.Fields(anchors)
		many := strings.Repeat(edit.Anchors[0]+"\n", 100_000)
		if _, err := atomicedit.Apply([]byte(many+"-\n"+many), []atomicedit.Edit{edit}, nil); (err == nil) != lead {
			t.Errorf("%s: %v", anchors, err)
		}
	}
}

// Each line may be where the lines left out end, and each time all lines above it are left out.
func TestAnElisionThatMayEndAnywhereIsTriedInLinearTime(t *testing.T) {
	edit := accepttest.Lines("f\n...\n\t}\n", "g\n...\n\t]\n")
	text := []byte("f\n" + strings.Repeat("\t}\n", 100_000))
	if _, err := atomicedit.Apply(text, []atomicedit.Edit{edit}, nil); !errors.Is(err, atomicedit.ErrAmbiguous) {
		t.Error(err)
	}
}
