package place

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/atomicedit/atomicedit/internal/text"
)

// Order decides exactly if one combination of candidates is in order, and then for that one.
func TestOrderDecidesIfThereIsOneWay(t *testing.T) {
	keeping, changing := &pattern{segments: []segment{{solid: []int{0}}}}, &pattern{}
	r := rand.New(rand.NewPCG(1, 2))
	decided := 0
	for range 20_000 {
		all := make([]judged, 2+r.IntN(4))
		for i := range all {
			w := &all[i]
			w.asked = asked{e: &Edit{}, contextOnly: r.IntN(2) == 0}
			w.reading = []*pattern{keeping, changing}[r.IntN(2)]
			for range 1 + r.IntN(3) {
				w.candidates = append(w.candidates, candidate{Span: text.Span{Start: r.IntN(8)}})
			}
			slices.SortFunc(w.candidates, func(a, b candidate) int { return a.Start - b.Start })
		}
		_, enough := rowOf(all)
		var ways [][]int
		var place func(way []int)
		place = func(way []int) {
			if len(way) == len(all) {
				ways = append(ways, slices.Clone(way))
				return
			}
			i := len(way)
			for _, c := range all[i].candidates {
				if i == 0 || way[i-1] < c.Start || way[i-1] == c.Start && !clashing(all[i-1].reading, all[i].reading) {
					place(append(way, c.Start))
				}
			}
		}
		place(nil)
		was := slices.Clone(all)
		search{v: &version{}}.byOrder(all)
		for i := range all {
			got, want := all[i].candidates, was[i].candidates
			if enough && len(ways) == 1 {
				want = []candidate{{Span: text.Span{Start: ways[0][i]}}}
				decided++
			}
			if !slices.EqualFunc(got, want, func(a, b candidate) bool { return a.Start == b.Start }) {
				t.Fatalf("edit %d: %v, want %v of %v", i, got, want, was[i].candidates)
			}
		}
	}
	if decided < 1000 {
		t.Errorf("order decided %d times", decided)
	}
}
