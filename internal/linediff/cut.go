package linediff

import (
	"encoding/binary"
	"hash/maphash"
	"sort"

	"github.com/pmezard/go-difflib/difflib"
)

const (
	// maxDepth bounds how often a region is cut at lines that are unique in it, each time at linear cost.
	maxDepth = 12
	// maxLines and maxPairs bound a region whose lines are compared with one another: the lines of both sides, and the
	// pairs of equal lines for each of them.
	maxLines, maxPairs = 400, 16
)

// compare returns the groups of lines that differ between two texts, and the offset of each line of either text, with
// its length behind them. Looks says how often a line was looked at, or compared with another one: that number must not
// grow faster than the texts.
func compare(old, new []byte) (groups []Group, oldStarts, newStarts []int32, looks int) {
	seed := maphash.MakeSeed()
	a, b := newSide(old, seed), newSide(new, seed)
	inA, inB, n := number(&a, &b)
	groups, looks = cut(nil, inA, inB, Group{0, len(inA), 0, len(inB)}, make([]occurrence, n), 0)
	return groups, a.starts, b.starts, looks
}

// cut appends the groups of a region of two lists of line numbers that differ to groups. It trims what is equal at both
// ends. Then it cuts the region at the lines that are there once on both sides. If there are none, it compares the
// lines with one another where that is affordable, and calls all of them replaced where it is not.
//
// Seen is scratch space, by line number: all zero before and after. Depth counts the cuts that led to the region.
func cut(groups []Group, a, b []int32, r Group, seen []occurrence, depth int) (_ []Group, looks int) {
	for r.OldFrom < r.OldTo && r.NewFrom < r.NewTo && a[r.OldFrom] == b[r.NewFrom] {
		r.OldFrom, r.NewFrom = r.OldFrom+1, r.NewFrom+1
	}
	for r.OldFrom < r.OldTo && r.NewFrom < r.NewTo && a[r.OldTo-1] == b[r.NewTo-1] {
		r.OldTo, r.NewTo = r.OldTo-1, r.NewTo-1
	}
	switch {
	case r.isEmpty():
		return groups, 0
	case r.OldFrom == r.OldTo || r.NewFrom == r.NewTo:
		return append(groups, r), 0
	}
	lines := r.OldTo - r.OldFrom + r.NewTo - r.NewFrom
	unique, pairs := uniqueSteps(a, b, r, seen)
	switch {
	case len(unique) > 0 && depth < maxDepth:
		looks = lines
		for _, s := range unique {
			between, more := Group{r.OldFrom, s.Old, r.NewFrom, s.New}, 0
			if !between.isEmpty() { // most are, and the call would cost more than the rest of the loop
				groups, more = cut(groups, a, b, between, seen, depth+1)
			}
			looks += more
			r.OldFrom, r.NewFrom = s.Old+1, s.New+1
		}
		groups, more := cut(groups, a, b, r, seen, depth+1)
		return groups, looks + more
	case 0 < pairs && pairs <= maxPairs*lines && lines <= maxLines:
		return appendCompared(groups, a, b, r), lines + pairs
	}
	return append(groups, r), lines
}

func (g Group) isEmpty() bool { return g.OldFrom == g.OldTo && g.NewFrom == g.NewTo }

// An occurrence says how often a line stands in a region of the two sides, and where it stands last.
type occurrence struct{ inA, inB, lastB int32 }

// uniqueSteps pairs the lines that a region has once on either side: as many as possible, rising on both sides. It also
// returns the number of pairs of equal lines of any kind.
func uniqueSteps(a, b []int32, r Group, seen []occurrence) (steps []Step, pairs int) {
	a, b = a[:r.OldTo], b[:r.NewTo]
	for _, n := range a[r.OldFrom:] {
		seen[n].inA++
	}
	unique := 0 // at most
	for j := r.NewFrom; j < len(b); j++ {
		o := &seen[b[j]]
		o.inB++
		o.lastB = int32(j)
		pairs += int(o.inA)
		if o.inA == 1 && o.inB == 1 {
			unique++
		}
	}
	all := make([]Step, 0, unique)
	for i := r.OldFrom; i < len(a); i++ {
		if o := seen[a[i]]; o.inA == 1 && o.inB == 1 {
			all = append(all, Step{i, int(o.lastB)})
		}
	}
	for _, n := range a[r.OldFrom:] {
		seen[n] = occurrence{}
	}
	for _, n := range b[r.NewFrom:] {
		seen[n] = occurrence{}
	}
	return longestRising(all), pairs
}

// longestRising returns the longest part of a list of steps, sorted by old line, in which the new lines rise too. It
// sorts as in the card game patience: the last step of each pile ends the list of that length whose last new line is
// the least.
func longestRising(steps []Step) []Step {
	piles, before := make([]int32, 0, len(steps)), make([]int32, len(steps))
	for i, s := range steps {
		k := len(piles)
		if k > 0 && steps[piles[k-1]].New > s.New { // else it continues the longest list, as most do
			k = sort.Search(k, func(k int) bool { return steps[piles[k]].New > s.New })
		}
		before[i] = -1
		if k > 0 {
			before[i] = piles[k-1]
		}
		if k == len(piles) {
			piles = append(piles, 0)
		}
		piles[k] = int32(i)
	}
	n := len(piles)
	if n == 0 {
		return nil
	}
	rising := make([]Step, n)
	for i := piles[n-1]; i >= 0; i = before[i] {
		n--
		rising[n] = steps[i]
	}
	return rising
}

// appendCompared appends the groups of a region that remain after its lines were compared with one another.
func appendCompared(groups []Group, a, b []int32, r Group) []Group {
	x, y := newGist(a, r.OldFrom, r.OldTo, onlyA), newGist(b, r.NewFrom, r.NewTo, onlyB)
	for _, o := range difflib.NewMatcherWithJunk(x.words, y.words, false, nil).GetOpCodes() {
		if o.Tag != 'e' {
			groups = append(groups, Group{x.lines[o.I1], x.lines[o.I2], y.lines[o.J1], y.lines[o.J2]})
		}
	}
	return groups
}

// A gist is a list of lines in the form that go-difflib compares: a word for each line, equal if the lines are, and a
// single word for a run of lines that the other side does not have, so that they cost nothing.
type gist struct {
	words []string
	lines []int // where each word begins, and the end
}

// newGist returns the gist of numbers[from:to], where alone is the number of lines that the other side does not have.
func newGist(numbers []int32, from, to int, alone int32) gist {
	const size = 4 // of a word
	bytes := make([]byte, 0, size*(to-from))
	g := gist{make([]string, 0, to-from), make([]int, 0, to-from+1)}
	for i := from; i < to; i++ {
		if n := numbers[i]; n != alone || i == from || numbers[i-1] != alone {
			bytes = binary.NativeEndian.AppendUint32(bytes, uint32(n))
			g.lines = append(g.lines, i)
		}
	}
	for text := string(bytes); text != ""; text = text[size:] {
		g.words = append(g.words, text[:size])
	}
	g.lines = append(g.lines, to)
	return g
}
