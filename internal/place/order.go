package place

import "slices"

// byOrder places ambiguous edits by their neighbours in the request, if the neighbours are enough evidence and there is
// exactly one way to place all of them in order (J5).
func (x search) byOrder(all []judged) {
	if len(all) < 2 {
		return
	}
	row, enough := rowOf(all)
	if !enough {
		return
	}
	clash := make([]bool, len(row)) // whether an edit cannot begin at the line where the one before begins
	for i := 1; i < len(row); i++ {
		clash[i] = clashing(row[i-1].reading, row[i].reading)
	}
	follows := func(i, before, at int) bool { return before < at || before == at && !clash[i] }
	ways := waysInOrder(row, follows)
	total := int8(0)
	for _, n := range ways[len(row)-1] {
		total = min(2, total+n)
	}
	if total != 1 {
		return
	}
	limit := len(x.v.Data) + 1
	for i, w := range slices.Backward(row) {
		for k, c := range w.candidates {
			if ways[i][k] > 0 && (i == len(row)-1 || follows(i+1, c.Start, limit)) {
				limit = c.Start
				w.keep(w.candidates[k : k+1])
				break
			}
		}
	}
}

// rowOf returns the edits that order applies to: those that have candidates and no count. Enough reports whether some
// of them are ambiguous and the others are evidence: two or more with one place each, in order, or one that is an
// anchor.
func rowOf(all []judged) (row []*judged, enough bool) {
	placed, anchored, ambiguous, last := 0, false, false, -1
	for i := range all {
		w := &all[i]
		if len(w.candidates) == 0 || w.e.Count != 0 || w.repeats != nil {
			continue
		}
		row = append(row, w)
		if !w.isUnique() {
			ambiguous = true
			continue
		}
		if w.candidates[0].Start <= last {
			return nil, false
		}
		last = w.candidates[0].Start
		placed++
		anchored = anchored || w.contextOnly
	}
	return row, ambiguous && (placed >= 2 || anchored)
}

// waysInOrder returns the number of ways, at most 2, to place the edits up to the i-th in order with that one at its
// k-th candidate. Follows reports whether the i-th edit may begin at an offset if the one before begins at another.
func waysInOrder(row []*judged, follows func(i, before, at int) bool) [][]int8 {
	ways := make([][]int8, len(row))
	for i, w := range row {
		ways[i] = make([]int8, len(w.candidates))
		if i == 0 {
			for k := range ways[i] {
				ways[i][k] = 1
			}
			continue
		}
		before, sum := 0, int8(0)
		for k, c := range w.candidates {
			for ; before < len(row[i-1].candidates) &&
				follows(i, row[i-1].candidates[before].Start, c.Start); before++ {
				sum = min(2, sum+ways[i-1][before])
			}
			ways[i][k] = sum
		}
	}
	return ways
}

// clashing reports whether two edits would change one line if they began at the same line.
func clashing(a, b *pattern) bool {
	if len(a.segments) == 0 || len(b.segments) == 0 {
		return true
	}
	above, below := a.segments[0].solid, b.segments[0].solid
	for k := range min(len(above), len(below)) {
		if !a.keeps(above[k]) && !b.keeps(below[k]) {
			return true
		}
	}
	return false
}
