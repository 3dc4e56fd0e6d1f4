package place

import (
	"bytes"
	"encoding/binary"
	"iter"
	"slices"

	"github.com/atomicedit/atomicedit/internal/text"
)

// An index finds the lines of a text that a request asks for. It looks them up folded: without notation and surrounding
// whitespace. Building it takes one pass over the text. It is immutable.
type index struct {
	ids     keys
	starts  []int     // offsets of the lines that are not blank
	lineIDs []int32   // their ids, 0 for a line that no edit asks for
	where   [][]int32 // by id: indexes in starts
}

// keys has an id, from 1, for each folded line.
type keys map[string]int32

func (k keys) add(folded ...string) {
	for _, l := range folded {
		if l != "" && k[l] == 0 {
			k[l] = int32(len(k) + 1)
		}
	}
}

// newIndex indexes the lines of a text that are among ids.
func newIndex(t text.Text, ids keys) *index {
	x := &index{ids: ids}
	sieve := newSieve(ids)
	ascii := text.IsASCII(t.Data)
	n := 1 + bytes.Count(t.Data, []byte{t.EOL})
	x.starts, x.lineIDs = make([]int, 0, n), make([]int32, 0, n)
	counts := make([]int, len(ids)+1)
	for at, next := 0, 0; at < len(t.Data); at = next {
		content := t.Data[at:]
		if i := bytes.IndexByte(content, t.EOL); i >= 0 {
			content = content[:i]
		}
		next = at + len(content) + 1
		if start, end := text.Trimmed(content); start < end {
			id := int32(0)
			if content = content[start:end]; !ascii && !text.IsASCII(content) {
				id = ids[fold(string(content))]
			} else if sieve.passes(content) {
				id = ids[string(content)]
			}
			x.starts, x.lineIDs = append(x.starts, at), append(x.lineIDs, id)
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

// A sieve passes every line that is among some keys, and few others.
type sieve [1 << 14]bool

func newSieve(ids keys) *sieve {
	s := new(sieve)
	for k := range ids {
		s[slot([]byte(k))] = true
	}
	return s
}

func (s *sieve) passes(line []byte) bool { return s[slot(line)] }

// slot is a hash of the length, of the first byte and of the last eight, where lines that are much alike differ.
func slot(line []byte) uint64 {
	n := len(line)
	end := uint64(line[n-1])
	if n >= 8 {
		end = binary.LittleEndian.Uint64(line[n-8:])
	}
	return (end ^ uint64(n)<<40 ^ uint64(line[0])<<20) * 0x9e3779b97f4a7c15 >> 50
}

// lines returns the indexes in x.starts of the lines that are equal to a folded line.
func (x *index) lines(key string) []int32 { return x.where[x.ids[key]] }

// sequences yields the indexes in x.starts at which the non-blank lines of a segment follow one another. If the rarest of these
// lines is rare enough, it looks around each place of that line. Otherwise it uses the algorithm of Knuth, Morris and Pratt on
// the ids of all lines.
func (x *index) sequences(p *pattern, s segment) iter.Seq[int] {
	ids := make([]int32, len(s.solid))
	rarest := 0
	for k, i := range s.solid {
		ids[k] = x.ids[p.keys[i]]
		if len(x.where[ids[k]]) < len(x.where[ids[rarest]]) {
			rarest = k
		}
	}
	if rare := x.where[ids[rarest]]; len(rare)*len(ids) <= len(x.lineIDs) {
		return func(yield func(int) bool) {
			for _, at := range rare {
				first := int(at) - rarest
				if first >= 0 && first+len(ids) <= len(x.lineIDs) && slices.Equal(x.lineIDs[first:first+len(ids)], ids) && !yield(first) {
					return
				}
			}
		}
	}
	border := borders(ids)
	return func(yield func(int) bool) {
		k := 0
		for i, id := range x.lineIDs {
			for k > 0 && (k == len(ids) || id != ids[k]) {
				k = border[k]
			}
			if id == ids[k] {
				k++
			}
			if k == len(ids) && !yield(i+1-k) {
				return
			}
		}
	}
}

// borders returns, for each prefix of ids, the length of the longest proper prefix that it also ends with.
func borders(ids []int32) []int {
	border := make([]int, len(ids)+1)
	for i, k := 1, 0; i < len(ids); i++ {
		for k > 0 && ids[i] != ids[k] {
			k = border[k]
		}
		if ids[i] == ids[k] {
			k++
		}
		border[i+1] = k
	}
	return border
}
