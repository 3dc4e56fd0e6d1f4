package atomicedit

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/bits"
	"sort"

	"github.com/pmezard/go-difflib/difflib"
)

// deltas appends to dst where the whole lines of the window w of old and new, which is trimmed, differ.
func deltas(dst []delta, old, new []byte, w delta) []delta {
	switch {
	case w.a0 == w.a1 && w.b0 == w.b1:
		return dst
	case w.a0 == w.a1 || w.b0 == w.b1, max(w.a1-w.a0, w.b1-w.b0) >= math.MaxInt32/2:
		return append(dst, w)
	}
	c := newCutter(dst, old, new, w)
	c.cut(0, len(c.a.ids), 0, len(c.b.ids), 0)
	return c.dst
}

// A side is one of the two texts that are compared, as lines.
type side struct {
	text   []byte
	starts []int32  // of each line, and the end of the last
	hashes []uint32 // of each line
	ids    []int32  // of each line: see number
}

// newSide splits text into lines.
func newSide(text []byte, seed maphash.Seed) side {
	n := hunkLines(text)
	s := side{text, make([]int32, 1, n+1), make([]uint32, 0, n), make([]int32, n)}
	end := int32(0)
	for line := range bytes.Lines(text) {
		end += int32(len(line))
		s.starts = append(s.starts, end)
		s.hashes = append(s.hashes, uint32(maphash.Bytes(seed, line)))
	}
	return s
}

func (s *side) line(i int) []byte { return s.text[s.starts[i]:s.starts[i+1]] }

// A gist is what the lines i0 to i1 of a side are for a comparison: a word for each line, equal if the lines are, but one
// for a run of lines that the other side does not have, so that they cost nothing.
type gist struct {
	words []string
	lines []int // where each word begins, and i1
}

func (s *side) gist(i0, i1 int, alone int32) gist {
	const size = 4 // of a word
	ids := make([]byte, 0, size*(i1-i0))
	g := gist{make([]string, 0, i1-i0), make([]int, 0, i1-i0+1)}
	for i := i0; i < i1; i++ {
		if id := s.ids[i]; id != alone || i == i0 || s.ids[i-1] != alone {
			ids = binary.NativeEndian.AppendUint32(ids, uint32(id))
			g.lines = append(g.lines, i)
		}
	}
	for text := string(ids); text != ""; text = text[size:] {
		g.words = append(g.words, text[:size])
	}
	g.lines = append(g.lines, i1)
	return g
}

// The ids of lines that the other side does not have.
const onlyA, onlyB = 0, 1

// number gives the lines of a and b their ids, so that a line of a and one of b have the same if and only if they are
// equal, and returns how many ids there are at most. A table of all lines would not fit the processor's cache; a bit for each
// hash of b does, and keeps most lines that are in a only out of the table.
func number(a, b *side) int {
	inB := make([]uint64, powerOfTwo(len(b.hashes)/8)) // eight bits a line
	mask := uint32(len(inB) - 1)
	for _, h := range b.hashes {
		inB[h>>6&mask] |= 1 << (h & 63)
	}
	shared := 0
	for i, h := range a.hashes {
		if inB[h>>6&mask]>>(h&63)&1 != 0 {
			a.ids[i] = 1
			shared++
		}
	}
	t := table{side: a, slots: make([]uint64, powerOfTwo(shared+shared/2)), first: make([]int32, 2, 2+shared)}
	for i, id := range a.ids {
		if i%ahead == 0 {
			t.fetch(a.hashes[i:min(i+ahead, len(a.hashes))])
		}
		if id != onlyA {
			slot := t.find(a.hashes[i], a.line(i))
			if *slot == 0 {
				*slot = uint64(a.hashes[i])<<32 | uint64(len(t.first))
				t.first = append(t.first, int32(i))
			}
			a.ids[i] = int32(*slot)
		}
	}
	next := 0 // the line of a behind the one found last, because b often goes on as a does
	for i, h := range b.hashes {
		if next < len(a.hashes) && a.hashes[next] == h && bytes.Equal(a.line(next), b.line(i)) {
			b.ids[i] = a.ids[next]
			next++
		} else if id := int32(*t.find(h, b.line(i))); id != 0 {
			b.ids[i] = id
			next = int(t.first[id]) + 1
		} else {
			b.ids[i] = onlyB
		}
	}
	return len(t.first)
}

// A table finds the ids of the lines of a side, by open addressing.
type table struct {
	side  *side
	slots []uint64 // a hash and an id, or 0; a power of two of them, at most two thirds in use
	first []int32  // by id, the first line that has it

	fetched uint64 // so that the compiler does not leave fetch out
}

// find returns the slot that has the id of a line, or the empty one where it would go.
func (t *table) find(hash uint32, line []byte) *uint64 {
	for i := hash; ; i++ {
		slot := &t.slots[i&uint32(len(t.slots)-1)]
		if *slot == 0 || uint32(*slot>>32) == hash && bytes.Equal(t.side.line(int(t.first[uint32(*slot)])), line) {
			return slot
		}
	}
}

// ahead is for how many lines the slots are fetched at a time.
const ahead = 64

// fetch looks at the slots of the next lines, all at once: memory is slow to answer, but answers many questions together.
func (t *table) fetch(hashes []uint32) {
	for _, h := range hashes {
		t.fetched ^= t.slots[h&uint32(len(t.slots)-1)]
	}
}

// powerOfTwo returns the least power of two above n.
func powerOfTwo(n int) int { return 1 << bits.Len(uint(n)) }

// A cutter finds the deltas between two sides.
type cutter struct {
	a, b side
	at   delta        // where they are
	seen []occurrence // scratch, by line id; zero between uses
	dst  []delta
	work int // how often a line was looked at, or compared with another: what must not grow faster than the texts
}

func newCutter(dst []delta, old, new []byte, w delta) *cutter {
	seed := maphash.MakeSeed()
	c := &cutter{a: newSide(old[w.a0:w.a1], seed), b: newSide(new[w.b0:w.b1], seed), at: w, dst: dst}
	c.seen = make([]occurrence, number(&c.a, &c.b))
	return c
}

// An occurrence is how often a line stands in a region of the two sides, and where last.
type occurrence struct{ inA, inB, lastB int32 }

const (
	// maxDepth bounds how often a region is cut at lines that are unique in it, each time at linear cost.
	maxDepth = 12
	// maxLines and maxPairs bound a region whose lines are compared with one another: the lines of both sides, and the
	// pairs of equal lines for each of them.
	maxLines, maxPairs = 400, 16
)

// cut finds the deltas between the lines a0 to a1 of a and b0 to b1 of b: trim what is equal at the ends; cut at the
// lines that are there once on both sides; compare what is left if that is affordable, else call it replaced.
func (c *cutter) cut(a0, a1, b0, b1, depth int) {
	for a0 < a1 && b0 < b1 && c.a.ids[a0] == c.b.ids[b0] {
		a0, b0 = a0+1, b0+1
	}
	for a0 < a1 && b0 < b1 && c.a.ids[a1-1] == c.b.ids[b1-1] {
		a1, b1 = a1-1, b1-1
	}
	if a0 == a1 || b0 == b1 {
		c.emit(a0, a1, b0, b1)
		return
	}
	anchors, pairs := c.anchors(a0, a1, b0, b1)
	lines := a1 - a0 + b1 - b0
	c.work += lines
	switch {
	case pairs == 0:
		c.emit(a0, a1, b0, b1)
	case len(anchors) > 0 && depth < maxDepth:
		for _, m := range anchors {
			i, j := int(m[0]), int(m[1])
			c.cut(a0, i, b0, j, depth+1)
			a0, b0 = i+1, j+1
		}
		c.cut(a0, a1, b0, b1, depth+1)
	case lines <= maxLines && pairs <= maxPairs*lines:
		c.work += pairs
		a, b := c.a.gist(a0, a1, onlyA), c.b.gist(b0, b1, onlyB)
		for _, o := range difflib.NewMatcherWithJunk(a.words, b.words, false, nil).GetOpCodes() {
			if o.Tag != 'e' {
				c.emit(a.lines[o.I1], a.lines[o.I2], b.lines[o.J1], b.lines[o.J2])
			}
		}
	default:
		c.emit(a0, a1, b0, b1)
	}
}

// emit adds the delta of the lines a0 to a1 and b0 to b1, if there are any.
func (c *cutter) emit(a0, a1, b0, b1 int) {
	if a0 < a1 || b0 < b1 {
		a, b := c.a.starts, c.b.starts
		c.dst = append(c.dst, delta{
			c.at.a0 + int(a[a0]), c.at.a0 + int(a[a1]), c.at.b0 + int(b[b0]), c.at.b0 + int(b[b1]),
		})
	}
}

// anchors returns the longest list of pairs (line of a, line of b), rising on both sides, of lines that the region has
// once in a and once in b; and how many pairs of equal lines there are in all.
func (c *cutter) anchors(a0, a1, b0, b1 int) (anchors [][2]int32, pairs int) {
	for _, id := range c.a.ids[a0:a1] {
		c.seen[id].inA++
	}
	unique := 0
	for j := b0; j < b1; j++ {
		o := &c.seen[c.b.ids[j]]
		o.inB++
		o.lastB = int32(j)
		pairs += int(o.inA)
		if o.inA == 1 && o.inB == 1 {
			unique++ // so far
		}
	}
	// Patience sorting: tails[k] is the candidate with the smallest line of b that ends a rising list of k+1.
	type candidate struct{ i, j, before int32 }
	all, tails := make([]candidate, 0, unique), make([]int32, 0, unique)
	for i := a0; i < a1; i++ {
		o := c.seen[c.a.ids[i]]
		if o.inA != 1 || o.inB != 1 {
			continue
		}
		k := len(tails)
		if k > 0 && all[tails[k-1]].j > o.lastB { // else it continues the longest list, as most do
			k = sort.Search(k, func(k int) bool { return all[tails[k]].j > o.lastB })
		}
		before := int32(-1)
		if k > 0 {
			before = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, 0)
		}
		tails[k] = int32(len(all))
		all = append(all, candidate{int32(i), o.lastB, before})
	}
	if n := len(tails); n > 0 {
		anchors = make([][2]int32, n)
		for k := tails[n-1]; k >= 0; k = all[k].before {
			n--
			anchors[n] = [2]int32{all[k].i, all[k].j}
		}
	}
	for _, id := range c.a.ids[a0:a1] {
		c.seen[id] = occurrence{}
	}
	for _, id := range c.b.ids[b0:b1] {
		c.seen[id] = occurrence{}
	}
	return anchors, pairs
}
