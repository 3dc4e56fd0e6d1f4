package linediff

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math"
	"math/bits"
	"sort"
	"strconv"
	"strings"

	"github.com/pmezard/go-difflib/difflib"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A Delta says that the bytes old[OldFrom:OldTo] became new[NewFrom:NewTo]. In a list, deltas are sorted and do not
// overlap, and the bytes between two of them are the same in both texts.
type Delta struct{ OldFrom, OldTo, NewFrom, NewTo int }

// Deltas returns the deltas of whole lines that lead from old to new. It reports false if what differs has a NUL byte,
// because then it is not text.
//
// Known is a list of deltas, of whole lines or not, that are believed to lead from old to new. If they do, only their
// lines are searched. If not, they do not count: a diff of wrong deltas would hide a change from whoever approves it.
//
// The result is short, not always the shortest: lines that are once on both sides are the same, as in a patience diff.
func Deltas(old, new []byte, known []Delta) (deltas []Delta, isText bool) {
	windows := []Delta{{0, len(old), 0, len(new)}}
	if leads(old, new, known) {
		windows = widen(old, new, known)
	}
	for _, w := range windows { // a NUL outside the windows does not matter
		if bytes.IndexByte(old[w.OldFrom:w.OldTo], 0) >= 0 {
			return nil, false
		}
		w = trim(old, new, w)
		if bytes.IndexByte(new[w.NewFrom:w.NewTo], 0) >= 0 {
			return nil, false
		}
		removed, added := w.OldTo-w.OldFrom, w.NewTo-w.NewFrom
		switch {
		case removed == 0 && added == 0:
		case removed == 0 || added == 0, max(removed, added) >= math.MaxInt32/2,
			linesAfter(old, w.OldFrom, 1) == w.OldTo && linesAfter(new, w.NewFrom, 1) == w.NewTo: // of one line each
			deltas = append(deltas, w)
		default:
			groups, a, b, _ := compare(old[w.OldFrom:w.OldTo], new[w.NewFrom:w.NewTo])
			for _, g := range groups {
				deltas = append(deltas, Delta{w.OldFrom + int(a[g.OldFrom]), w.OldFrom + int(a[g.OldTo]),
					w.NewFrom + int(b[g.NewFrom]), w.NewFrom + int(b[g.NewTo])})
			}
		}
	}
	return deltas, true
}

// leads reports whether old and new are equal except for the known deltas, if these are in order.
func leads(old, new []byte, known []Delta) bool {
	i, j := 0, 0
	equal := func(toOld, toNew int) bool { return bytes.Equal(old[i:toOld], new[j:toNew]) }
	for _, d := range known {
		inOrder := i <= d.OldFrom && d.OldFrom <= d.OldTo && d.OldTo <= len(old) &&
			j <= d.NewFrom && d.NewFrom <= d.NewTo && d.NewTo <= len(new)
		if !inOrder || !equal(d.OldFrom, d.NewFrom) {
			return false
		}
		i, j = d.OldTo, d.NewTo
	}
	return equal(len(old), len(new))
}

// widen returns the known deltas, which lead from old to new, as deltas of whole lines.
func widen(old, new []byte, known []Delta) []Delta {
	var whole []Delta
	for _, d := range known { // a line starts at the same distance before d in old and new, or in the delta before
		if n := len(whole); n > 0 && d.OldFrom <= whole[n-1].OldTo {
			whole[n-1].OldTo, whole[n-1].NewTo = d.OldTo, d.NewTo
		} else {
			back := d.OldFrom - (1 + bytes.LastIndexByte(old[:d.OldFrom], '\n'))
			d.OldFrom, d.NewFrom = d.OldFrom-back, d.NewFrom-back
			whole = append(whole, d)
		}
		last := &whole[len(whole)-1]
		if startsLine(old, last.OldTo) && startsLine(new, last.NewTo) {
			continue
		}
		rest := linesAfter(old, last.OldTo, 1) - last.OldTo // the end of the line is the same in new
		last.OldTo, last.NewTo = last.OldTo+rest, last.NewTo+rest
	}
	return whole
}

// trim narrows w by the whole lines that are equal at its two ends.
func trim(old, new []byte, w Delta) Delta {
	a, b := old[w.OldFrom:w.OldTo], new[w.NewFrom:w.NewTo]
	head := text.CommonPrefix(a, b)
	if head < len(a) || head < len(b) {
		head = 1 + bytes.LastIndexByte(a[:head], '\n')
	}
	a, b = a[head:], b[head:]
	tail := text.CommonSuffix(a, b)
	if !startsLine(a, len(a)-tail) || !startsLine(b, len(b)-tail) {
		_, lines, _ := bytes.Cut(a[len(a)-tail:], []byte("\n"))
		tail = len(lines)
	}
	return Delta{w.OldFrom + head, w.OldTo - tail, w.NewFrom + head, w.NewTo - tail}
}

const contextLines = 3

// WriteHunks writes the deltas of whole lines that lead from old to new, with the lines around them, as the hunks of a
// unified diff. It returns how many lines they add and remove.
func WriteHunks(w *strings.Builder, old, new []byte, deltas []Delta) (added, removed int) {
	size := 0
	for _, d := range deltas {
		size += d.OldTo - d.OldFrom + d.NewTo - d.NewFrom
		added, removed = added+countLines(new[d.NewFrom:d.NewTo]), removed+countLines(old[d.OldFrom:d.OldTo])
	}
	w.Grow(size + added + removed)
	pos, oldLine, newLine := 0, 1, 1 // an offset in old, the line that starts there, and the line of new
	for len(deltas) > 0 {
		n := 1 // how many share the hunk: those that have no more lines between them than their two contexts
		for n < len(deltas) && linesAfter(old, deltas[n-1].OldTo, 2*contextLines) >= deltas[n].OldFrom {
			n++
		}
		first, last := deltas[0], deltas[n-1]
		start, end := first.OldFrom, linesAfter(old, last.OldTo, contextLines)
		for n := 0; n < contextLines && start > 0; n++ {
			start = textOf(old).LineBefore(start).Start
		}
		newStart, newEnd := first.NewFrom-(first.OldFrom-start), last.NewTo+(end-last.OldTo)
		equal := countLines(old[pos:start])
		oldLine, newLine = oldLine+equal, newLine+equal
		inOld, inNew := countLines(old[start:end]), countLines(new[newStart:newEnd])

		w.WriteString(HunkHeader(oldLine, inOld, newLine, inNew) + "\n")
		pos = start
		for _, d := range deltas[:n] {
			WriteLines(w, ' ', old[pos:d.OldFrom])
			WriteLines(w, '-', old[d.OldFrom:d.OldTo])
			WriteLines(w, '+', new[d.NewFrom:d.NewTo])
			pos = d.OldTo
		}
		WriteLines(w, ' ', old[pos:end])
		pos, oldLine, newLine = end, oldLine+inOld, newLine+inNew
		deltas = deltas[n:]
	}
	return added, removed
}

// HunkHeader returns the header of a hunk: how many lines it has, and from which on, or behind which if none.
func HunkHeader(oldLine, oldN, newLine, newN int) string {
	b := appendRange(append(make([]byte, 0, 64), "@@ -"...), oldLine, oldN)
	return string(append(appendRange(append(b, " +"...), newLine, newN), " @@"...))
}

func appendRange(b []byte, line, n int) []byte {
	if n == 0 {
		line--
	}
	if b = strconv.AppendInt(b, int64(line), 10); n != 1 {
		b = strconv.AppendInt(append(b, ','), int64(n), 10)
	}
	return b
}

// WriteLines writes the lines of a text with a sign in front of each.
func WriteLines(w *strings.Builder, sign byte, text []byte) {
	for line := range bytes.Lines(text) {
		w.WriteByte(sign)
		w.Write(line)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		w.WriteString("\n\\ No newline at end of file\n")
	}
}

// startsLine reports whether a line starts at pos of text, or would if there were one.
func startsLine(text []byte, pos int) bool { return pos == 0 || text[pos-1] == '\n' }

// linesAfter returns the offset n lines after the line start at pos.
func linesAfter(data []byte, pos, n int) int { return textOf(data).Skip(pos, n) }

func countLines(piece []byte) int { return textOf(piece).CountLines() }

// textOf returns data as a text in which, as in every diff, only a line feed ends a line.
func textOf(data []byte) text.Text { return text.Text{Data: data, EOL: '\n'} }

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
