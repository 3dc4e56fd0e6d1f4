package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit"
)

// print prints the wrong answers, at most show of each kind, and the tables.
func (t *tally) print(show int) {
	shown := map[string]int{}
	for _, f := range t.wrong {
		if shown[f.v.why]++; shown[f.v.why] <= show {
			shrink(f.c).print()
		}
	}
	for _, by := range []string{"damage", "kind", "directory"} {
		t.table(by)
	}
	for _, why := range commonest(t.causes) {
		fmt.Printf("%8d %s\n", t.causes[why], why)
	}
	total := t.kinds[group{"all", ""}]
	due := sum(total) - total["stale"]
	fmt.Printf("%d cases: right %d (%.2f %%, without the stale ones %.2f %%), stale and refused %d, refused %d, "+
		"undecidable %d, wrong %d\n",
		sum(total), total["right"], percent(total["right"], sum(total)), percent(total["right"], due), total["stale"],
		total["refused"], total["undecidable"], total["wrong"])
}

// table prints the verdicts by damage, by kind of file or by directory.
func (t *tally) table(by string) {
	fmt.Printf("%-32s %8s %8s %6s %8s %12s %6s\n", by, "cases", "right", "stale", "refused", "undecidable", "wrong")
	groups := slices.SortedFunc(maps.Keys(t.kinds), func(a, b group) int { return cmp.Compare(a.name, b.name) })
	for _, g := range groups {
		if n := t.kinds[g]; g.by == by && 1000*sum(n) > sum(t.kinds[group{"all",
			""}]) { // few files have names of their own
			fmt.Printf("%-32s %8d %6.1f %% %6d %8d %12d %6d\n", g.name, sum(n), percent(n["right"], sum(n)), n["stale"],
				n["refused"], n["undecidable"], n["wrong"])
		}
	}
	fmt.Println()
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(of) }

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// print prints a case, and how its result differs from what was meant.
func (c *testCase) print() {
	v := c.try()
	fmt.Printf("=== case %d, %s: %s\n", c.number, c.kind, strings.Join(c.damages, " + "))
	src := c.src()
	fmt.Printf("src: %s,\n", literal(src))
	for _, e := range c.edits() {
		fmt.Printf("lines(%s, %s),\n", literal(e.Old), literal(e.New))
	}
	fmt.Printf("%s: instead of what was meant:\n%s", v.why,
		atomicedit.Diff("meant", []byte(c.want()), "result", []byte(v.given)))
	for _, n := range v.notes {
		fmt.Printf("note: edit %d, line %d: %s\n", n.Edit+1, n.Line, n.Msg)
	}
	fmt.Println()
}

// literal returns a string of Go, a line of it per line if there are several.
func literal(text string) string {
	parts := strings.SplitAfter(text, "\n")
	if parts[len(parts)-1] == "" && len(parts) > 1 {
		parts = parts[:len(parts)-1]
	}
	for i, p := range parts {
		parts[i] = fmt.Sprintf("%q", p)
	}
	return strings.Join(parts, " +\n\t")
}
