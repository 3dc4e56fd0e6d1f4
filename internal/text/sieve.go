package text

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// A Sieve finds many strings in one pass over a text. It looks at eight bytes of the text at a time, and goes on by as
// many bytes as the shortest string is longer than that: of each string, as many pieces of eight bytes, one after the
// other, are in a table, so that the pass meets one. They are those that the fewest other strings have.
type Sieve struct {
	strings []string
	stride  int
	first   []int   // by string: the offset of the first of its pieces that are in the table
	head    []int32 // by the hash of a piece: its last entry, counted from 1
	next    []int32 // by entry: the one before with that hash
	shift   int
}

// SieveLeast is the length of the shortest string that a Sieve can find.
const SieveLeast = 8

// NewSieve returns a Sieve for strings that are all different and at least [SieveLeast] long.
func NewSieve(strings []string) *Sieve {
	const most = 6
	x := &Sieve{strings: strings, stride: most, first: make([]int, len(strings))}
	for _, s := range strings {
		x.stride = min(x.stride, len(s)-SieveLeast+1)
	}
	size := bits.Len(uint(len(strings)*x.stride)) + 3
	x.shift, x.head, x.next = 64-size, make([]int32, 1<<size), make([]int32, 0, len(strings)*x.stride)
	common := make([]int, 1<<size)
	for _, s := range strings {
		s := []byte(s)
		for i := range len(s) - SieveLeast + 1 {
			common[x.slot(s[i:])]++
		}
	}
	for k, s := range strings {
		s := []byte(s)
		least, sum := math.MaxInt, 0
		for i := range len(s) - SieveLeast + 1 {
			if sum += common[x.slot(s[i:])]; i >= x.stride {
				sum -= common[x.slot(s[i-x.stride:])]
			}
			if i >= x.stride-1 && sum < least {
				least, x.first[k] = sum, i-x.stride+1
			}
		}
		for i := range x.stride {
			slot := x.slot(s[x.first[k]+i:])
			x.next = append(x.next, x.head[slot])
			x.head[slot] = int32(len(x.next))
		}
	}
	return x
}

// Find calls found for every place of every string in data. It reports false if there are more to look at than bytes.
func (x *Sieve) Find(data []byte, found func(k, at int)) bool {
	left := len(data) + 1000
	for i := 0; i+SieveLeast <= len(data); i += x.stride {
		for entry := x.head[x.slot(data[i:])]; entry > 0; entry = x.next[entry-1] {
			if left--; left < 0 {
				return false
			}
			k := int(entry-1) / x.stride
			s, at := x.strings[k], i-x.first[k]-int(entry-1)%x.stride
			if at >= 0 && len(data)-at >= len(s) && string(data[at:at+len(s)]) == s {
				found(k, at)
			}
		}
	}
	return true
}

// slot returns the hash of the first eight bytes of a piece. The factor makes its upper bits depend on all of them.
func (x *Sieve) slot(piece []byte) uint64 {
	return binary.LittleEndian.Uint64(piece) * 0x9e3779b97f4a7c15 >> x.shift
}
