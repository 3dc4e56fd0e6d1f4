package text

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
	"sort"
	"strings"
)

// An Index finds the lines of a text that are among some keys, which are folded lines, in one pass. It is immutable.
type Index struct {
	Starts []int // offsets of the lines that are not blank

	ids     Keys
	lineIDs []int32   // of the lines at Starts, 0 for a line that is not among the keys
	where   [][]int32 // by id: indexes in Starts
}

// Keys has an id, from 1, for each folded line.
type Keys map[string]int32

// Add adds folded lines. Blank ones do not count.
func (k Keys) Add(folded ...string) {
	for _, l := range folded {
		if l != "" && k[l] == 0 {
			k[l] = int32(len(k) + 1)
		}
	}
}

// AddLines folds lines and adds them.
func (k Keys) AddLines(lines []string) {
	for _, l := range lines {
		k.Add(Fold(l))
	}
}

// NewIndex indexes the lines of a text that are among ids.
func NewIndex(t Text, ids Keys) *Index {
	x := &Index{ids: ids}
	var sieve [1 << 14]bool // passes every line that is among the keys, and few others
	for k := range ids {
		sieve[slot([]byte(k))] = true
	}
	ascii := 0 // the text has no other characters from the line up to here
	n := 1 + bytes.Count(t.Data, []byte{t.EOL})
	x.Starts, x.lineIDs = make([]int, 0, n), make([]int32, 0, n)
	counts := make([]int, len(ids)+1)
	for at, next := 0, 0; at < len(t.Data); at = next {
		content := t.Data[at:]
		if i := bytes.IndexByte(content, t.EOL); i >= 0 {
			content = content[:i]
		}
		if next = at + len(content) + 1; ascii < next-1 {
			ascii = at + leadingASCII(t.Data[at:])
		}
		if start, end := Trimmed(content); start < end {
			id := int32(0)
			if content = content[start:end]; ascii < next-1 {
				id = ids[Fold(string(content))]
			} else if sieve[slot(content)] {
				id = ids[string(content)]
			}
			x.Starts, x.lineIDs = append(x.Starts, at), append(x.lineIDs, id)
			counts[id]++
		}
	}
	x.where = make([][]int32, len(counts))
	room := make([]int32, len(x.lineIDs)-counts[0])
	for id, n := range counts[1:] {
		x.where[id+1], room = room[:0:n], room[n:]
	}
	for i, id := range x.lineIDs {
		if id != 0 {
			x.where[id] = append(x.where[id], int32(i))
		}
	}
	return x
}

// slot is a hash of the length, of the first byte and of the last eight, where lines that are much alike differ.
func slot(line []byte) uint64 {
	n := len(line)
	end := uint64(line[n-1])
	if n >= 8 {
		end = binary.LittleEndian.Uint64(line[n-8:])
	}
	return (end ^ uint64(n)<<40 ^ uint64(line[0])<<20) * 0x9e3779b97f4a7c15 >> 50
}

// Lines returns the indexes in x.Starts of the lines that are equal to a folded line.
func (x *Index) Lines(key string) []int32 { return x.where[x.ids[key]] }

// Sequences yields the indexes in x.Starts at which lines equal to some keys, not all of them blank, follow one
// another. Blank lines do not count. If the rarest key is rare enough, Sequences looks around each place of its line.
// Otherwise it searches the ids of all lines as a string is searched for.
func (x *Index) Sequences(keys []string) iter.Seq[int] {
	ids := make([]int32, 0, len(keys))
	rarest := 0
	for _, key := range keys {
		if key == "" {
			continue
		}
		id := x.ids[key]
		if ids = append(ids, id); len(x.where[id]) < len(x.where[ids[rarest]]) {
			rarest = len(ids) - 1
		}
	}
	if rare := x.where[ids[rarest]]; len(rare)*len(ids) <= len(x.lineIDs) {
		return func(yield func(int) bool) {
			for _, at := range rare {
				first := int(at) - rarest
				if first >= 0 && first+len(ids) <= len(x.lineIDs) &&
					slices.Equal(x.lineIDs[first:first+len(ids)], ids) && !yield(first) {
					return
				}
			}
		}
	}
	const size = 4 // bytes of an id
	bytesOf := func(ids []int32) []byte {
		all := make([]byte, 0, size*len(ids))
		for _, id := range ids {
			all = binary.LittleEndian.AppendUint32(all, uint32(id))
		}
		return all
	}
	next := placesOf(Text{Data: bytesOf(x.lineIDs)}, string(bytesOf(ids)))
	return func(yield func(int) bool) {
		for s, ok := next(0); ok; s, ok = next(s.Start + 1) {
			if s.Start%size == 0 && !yield(s.Start/size) {
				return
			}
		}
	}
}

// Vote returns the one-to-one alignments of some keys with the lines of the text that get the most votes: the first of
// their offsets in x.Starts, their score, and their lead over the next. Each line votes for the places where the text
// has it, unless it is everywhere. Blank lines do not count.
func (x *Index) Vote(keys []string) (offsets []int, score, lead float64) {
	const everywhere = 64
	votes := map[int]float64{}
	rank := 0
	for _, key := range keys {
		if key == "" {
			continue
		}
		weight := 0.25
		if Substantial(key) {
			weight = 1
		}
		if places := x.Lines(key); len(places) <= everywhere {
			for _, place := range places {
				votes[int(place)-rank] += weight
			}
		}
		rank++
	}
	return elected(votes)
}

// elected returns the offsets with the most votes, at most the first eight, their score, and their lead over the next.
func elected(votes map[int]float64) (offsets []int, score, lead float64) {
	second := 0.0
	for o, v := range votes {
		switch {
		case v > score:
			offsets, score, second = append(offsets[:0], o), v, score
		case v == score:
			offsets, second = append(offsets, o), score
		default:
			second = max(second, v)
		}
	}
	slices.Sort(offsets)
	return offsets[:min(len(offsets), 8)], score, score - second
}

// A Clue is a word, or a part of a line, that helps to find the lines that have it.
type Clue struct {
	word string
	rank int // of the first line that has it, among the lines that are not blank
}

// Clues returns the longest words of folded lines, the longest first, and at most that many. The first line and the
// last, which may be parts of lines, and the inner halves of these, count as words.
func Clues(keys []string, most int) (all []Clue) {
	const longest = 1000
	seen := map[string]bool{}
	keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return key == "" })
	for rank, key := range keys {
		words := Tokens(Clip(key, longest))
		switch half := len(key) / 2; { // a short half may be anywhere
		case half < 12 || half > longest:
		case rank == 0:
			words = append(words, key, key[half:])
		case rank == len(keys)-1:
			words = append(words, key, key[:half])
		}
		for _, word := range words {
			if len(word) >= 3 && !seen[word] {
				seen[word] = true
				all = append(all, Clue{word, rank})
			}
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := all[i], all[j]
		return cmp.Or(len(b.word)-len(a.word), a.rank-b.rank, strings.Compare(a.word, b.word)) < 0
	})
	return all[:min(len(all), most)]
}

// VoteByClues is [Index.Vote] by the places of words in the text of x, which may be within its lines: the longer a
// word, the more it counts, once for a line, unless it is everywhere.
func (x *Index) VoteByClues(t Text, clues []Clue) (offsets []int) {
	const everywhere = 32
	votes := map[int]float64{}
	for _, c := range clues {
		places := t.Occurrences(c.word, everywhere+1)
		if len(places) > everywhere {
			continue
		}
		last := 0
		for _, s := range places {
			if below, _ := slices.BinarySearch(x.Starts, s.Start+1); below != last {
				votes[below-1-c.rank] += float64(len(c.word))
				last = below
			}
		}
	}
	offsets, _, _ = elected(votes)
	return offsets
}
