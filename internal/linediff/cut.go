package linediff

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"sort"

	"github.com/pmezard/go-difflib/difflib"

	"github.com/atomicedit/atomicedit/internal/text"
)

const (
	// maxDepth bounds how often a region is cut at lines that are unique in it, each time at linear cost.
	maxDepth = 12
	// maxLines and maxPairs bound a region whose lines are compared with one another: the lines of both sides, and the
	// pairs of equal lines for each of them.
	maxLines, maxPairs = 400, 16
)

// compare returns the groups of lines that differ between two texts, and the offset of each line of either text, with
// its length behind them. Looks counts looks at lines, and comparisons: it must not grow faster than the texts.
func compare(old, new []byte) (groups []Group, oldStarts, newStarts []int32, looks int) {
	seed := maphash.MakeSeed()
	a, b := newSide(old, seed), newSide(new, seed)
	// two lines have the same number if and only if they are equal; onlyA and onlyB are taken
	inA, shared := mayBeShared(a.hashes, b.hashes)
	t := &table{&a, make([]uint64, powerOfTwo(shared+shared/2)), make([]int32, onlyB+1, onlyB+1+shared)}
	t.add(inA)
	inB := t.numbers(&b, inA)
	groups, looks = cut(nil, inA, inB, Group{0, len(inA), 0, len(inB)}, make([]occurrence, len(t.first)), 0)
	return groups, a.starts, b.starts, looks
}

// cut appends the groups of a region of two lists of line numbers that differ to groups. It trims what is equal at both
// ends. Then it cuts the region at the lines that are there once on both sides. If there are none, it compares the
// lines with one another where that is affordable, and calls all of them replaced where it is not.
//
// Seen is scratch space, by line number: all zero before and after. Depth counts the cuts that led to the region.
func cut(groups []Group, a, b []int32, r Group, seen []occurrence, depth int) (_ []Group, looks int) {
	head, tail := text.EqualEnds(a[r.OldFrom:r.OldTo], b[r.NewFrom:r.NewTo])
	r = Group{r.OldFrom + head, r.OldTo - tail, r.NewFrom + head, r.NewTo - tail}
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

// longestRising returns the longest part of a list of steps, sorted by old line, in which the new lines rise too, as in
// the card game patience: the last step of each pile ends the list of that length whose last new line is the least.
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
	x, inA := gist(a, r.OldFrom, r.OldTo, onlyA)
	y, inB := gist(b, r.NewFrom, r.NewTo, onlyB)
	for _, o := range difflib.NewMatcherWithJunk(x, y, false, nil).GetOpCodes() {
		if o.Tag != 'e' {
			groups = append(groups, Group{inA[o.I1], inA[o.I2], inB[o.J1], inB[o.J2]})
		}
	}
	return groups
}

// gist returns numbers[from:to] in the form that go-difflib compares: a word for each line, equal if the lines are, and
// a single word for a run of lines with the number alone, which the other side does not have, so that they cost
// nothing. Lines has where each word begins, and the end.
func gist(numbers []int32, from, to int, alone int32) (words []string, lines []int) {
	const size = 4 // of a word
	bytes := make([]byte, 0, size*(to-from))
	for i := from; i < to; i++ {
		if n := numbers[i]; n != alone || i == from || numbers[i-1] != alone {
			bytes = binary.NativeEndian.AppendUint32(bytes, uint32(n))
			lines = append(lines, i)
		}
	}
	for text := string(bytes); text != ""; text = text[size:] {
		words = append(words, text[:size])
	}
	return words, append(lines, to)
}

// A side is one of the two texts of a comparison, as lines.
type side struct {
	text   []byte
	starts []int32  // of each line, and the end of the last
	hashes []uint32 // of each line
}

func newSide(text []byte, seed maphash.Seed) side {
	n := countLines(text)
	s := side{text, make([]int32, 1, n+1), make([]uint32, 0, n)}
	end := int32(0)
	for line := range bytes.Lines(text) {
		end += int32(len(line))
		s.starts = append(s.starts, end)
		s.hashes = append(s.hashes, uint32(maphash.Bytes(seed, line)))
	}
	return s
}

func (s *side) line(i int) []byte { return s.text[s.starts[i]:s.starts[i+1]] }

// The numbers of lines that the other side does not have.
const onlyA, onlyB = 0, 1

// mayBeShared returns a list that has onlyA for each line of a whose hash no line of b has, another number for each
// other line, and the number of these. A table of all lines would not fit the processor's cache. A bit for each hash of
// b does, and keeps most lines that only a has out of the table.
func mayBeShared(a, b []uint32) (maybe []int32, n int) {
	inB := make([]uint64, powerOfTwo(len(b)/8)) // eight bits a line
	mask := uint32(len(inB) - 1)
	for _, h := range b {
		inB[h>>6&mask] |= 1 << (h & 63)
	}
	maybe = make([]int32, len(a))
	for i, h := range a {
		if inB[h>>6&mask]>>(h&63)&1 != 0 {
			maybe[i] = onlyA + 1
			n++
		}
	}
	return maybe, n
}

// A table finds the numbers of the lines of a side, by open addressing.
type table struct {
	side  *side
	slots []uint64 // a hash and a number, or 0; a power of two of them, at most two thirds in use
	first []int32  // by number, the first line that has it
}

// find returns the slot that has the number of a line, or the empty slot where it would go.
func (t *table) find(hash uint32, line []byte) *uint64 {
	for i := hash; ; i++ {
		slot := &t.slots[i&uint32(len(t.slots)-1)]
		if *slot == 0 || uint32(*slot>>32) == hash && bytes.Equal(t.side.line(int(t.first[uint32(*slot)])), line) {
			return slot
		}
	}
}

// add puts the lines of the table's side into it, and their numbers in place of those that are not onlyA.
func (t *table) add(numbers []int32) {
	hashes := t.side.hashes
	for i, n := range numbers {
		if n == onlyA {
			continue
		}
		slot := t.find(hashes[i], t.side.line(i))
		if *slot == 0 {
			*slot = uint64(hashes[i])<<32 | uint64(len(t.first))
			t.first = append(t.first, int32(i))
		}
		numbers[i] = int32(*slot)
	}
}

// numbers returns the numbers of the lines of b; inA has those of the table's side.
func (t *table) numbers(b *side, inA []int32) []int32 {
	a, inB := t.side, make([]int32, len(b.hashes))
	next := 0 // the line of a after the one found last, because b often goes on as a does
	for i, h := range b.hashes {
		if next < len(inA) && a.hashes[next] == h && bytes.Equal(a.line(next), b.line(i)) {
			inB[i] = inA[next]
			next++
		} else if n := int32(*t.find(h, b.line(i))); n != 0 {
			inB[i] = n
			next = int(t.first[n]) + 1
		} else {
			inB[i] = onlyB
		}
	}
	return inB
}

func powerOfTwo(n int) int { return 1 << bits.Len(uint(n)) }
