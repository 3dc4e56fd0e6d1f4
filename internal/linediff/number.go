package linediff

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

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

// number gives each line a number, so that a line of a and a line of b have the same number if and only if they are
// equal. All numbers are below n.
func number(a, b *side) (inA, inB []int32, n int) {
	inA, shared := mayBeShared(a.hashes, b.hashes)
	t := newTable(a, shared)
	t.add(inA)
	return inA, t.numbers(b, inA), len(t.first)
}

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

// newTable returns a table for n lines of a side. The numbers onlyA and onlyB are taken.
func newTable(s *side, n int) *table {
	return &table{s, make([]uint64, powerOfTwo(n+n/2)), make([]int32, onlyB+1, onlyB+1+n)}
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
		if i%ahead == 0 {
			t.fetch(hashes[i:min(i+ahead, len(hashes))])
		}
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

const ahead = 64

// fetch reads the slots of the next lines all at once: memory is slow to answer, but answers many questions together.
// If the compiler inlined it, it would leave out the reads, because nobody uses the result.
//
//go:noinline
func (t *table) fetch(hashes []uint32) (all uint64) {
	for _, h := range hashes {
		all ^= t.slots[h&uint32(len(t.slots)-1)]
	}
	return all
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
