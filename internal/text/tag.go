package text

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"
	"unicode"
)

// A tag is a hash of a line in letters, each of which stands for four bits, the highest first. A viewer shows it behind
// the number of the line. The number of letters says how many bits of the hash it has, counted from the lowest.

// TagAlphabet has the letters of tags by their value: no vowels, no hexadecimal digits, none that looks like a digit.
const TagAlphabet = "ZPMQVRWSNKTXJBYH"

// The least and the most letters of a tag. The views of this module show the most.
const minTag, maxTag = 2, 4

// A TagKind is a way to hash a line for its tag.
type TagKind int

const (
	TagWithNeighbours TagKind = iota // the line, and the lines above and below it
	TagOfLine                        // the line alone
)

func IsTag(s string) bool {
	return minTag <= len(s) && len(s) <= maxTag && strings.Trim(s, TagAlphabet) == ""
}

// Tags computes the tags of the lines of a text. It keeps what it has computed, so that the many tags that a request
// may have for a long line cost no more than one. It is not safe for concurrent use.
type Tags struct {
	Text
	starts []int
	hashes map[[2]int]uint32 // by the kind and the line
	lines  map[string][]int  // by what they read; nil until somebody asks
}

// TagsOf returns the Tags of t.
func TagsOf(t Text) *Tags { return &Tags{Text: t, starts: t.Starts(), hashes: map[[2]int]uint32{}} }

func (t *Tags) Count() int { return len(t.starts) - 1 }

// Line returns the whole line n.
func (t *Tags) Line(n int) []byte { return t.Bytes(t.LineAt(t.starts[n-1])) }

// Of returns the tag that a view shows for line n.
func (t *Tags) Of(n int) string { return tagOf(t.hash(TagWithNeighbours, n), maxTag) }

// Has reports whether a tag of the given kind is that of line n.
func (t *Tags) Has(tag string, kind TagKind, n int) bool {
	if n < 1 || n > t.Count() || kind == TagOfLine && len(tag) != minTag { // there are no longer ones
		return false
	}
	return tagOf(t.hash(kind, n), len(tag)) == tag
}

// Reads reports whether line n is s, apart from whitespace at the end.
func (t *Tags) Reads(n int, s string) bool {
	return n >= 1 && n <= t.Count() && string(t.line(n)) == strings.TrimRightFunc(s, isTagSpace)
}

// Reading returns the lines that are s, apart from whitespace at the end, in order. The caller must not modify them.
func (t *Tags) Reading(s string) []int {
	if t.lines == nil {
		t.lines = map[string][]int{}
		for n := 1; n <= t.Count(); n++ {
			t.lines[string(t.line(n))] = append(t.lines[string(t.line(n))], n)
		}
	}
	return t.lines[strings.TrimRightFunc(s, isTagSpace)]
}

func tagOf(hash uint32, letters int) string {
	tag := make([]byte, letters)
	for i := range tag {
		tag[i] = TagAlphabet[hash>>(4*(letters-1-i))&0xf]
	}
	return string(tag)
}

func (t *Tags) hash(kind TagKind, n int) uint32 {
	key := [2]int{int(kind), n}
	if sum, ok := t.hashes[key]; ok {
		return sum
	}
	var sum uint32
	line := t.line(n)
	switch {
	case kind == TagWithNeighbours:
		sum = XXHash32(bytes.Join([][]byte{t.line(n - 1), line, t.line(n + 1)}, []byte{0}), 0)
	case bytes.ContainsFunc(line, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }):
		sum = XXHash32(line, 0)
	default: // there are many such lines
		sum = XXHash32(line, uint32(n))
	}
	t.hashes[key] = sum
	return sum
}

// line returns line n without whitespace at its end, nil if there is no such line.
func (t *Tags) line(n int) []byte {
	if n < 1 || n > t.Count() {
		return nil
	}
	return bytes.TrimRightFunc(t.Data[t.starts[n-1]:t.starts[n]], isTagSpace)
}

// isTagSpace reports whether c is whitespace for JavaScript, in which tools that made tags first were written.
func isTagSpace(c rune) bool { return unicode.IsSpace(c) && c != '\u0085' || c == '\ufeff' }

// FileTag returns the tag of a whole text: four hexadecimal digits, the lowest bits of the hash of its lines, each
// without the whitespace at its end and with "\n" for its line ending.
func (t Text) FileTag() string {
	var lines bytes.Buffer
	for line := range bytes.Lines(t.Unix()) {
		body, ended := bytes.CutSuffix(line, []byte("\n"))
		if lines.Write(bytes.TrimRight(body, " \t\r")); ended {
			lines.WriteByte('\n')
		}
	}
	return fmt.Sprintf("%04X", XXHash32(lines.Bytes(), 0)&0xffff)
}

// The primes of xxHash32.
const (
	prime1 = 2654435761
	prime2 = 2246822519
	prime3 = 3266489917
	prime4 = 668265263
	prime5 = 374761393
)

// XXHash32 returns the 32-bit xxHash of data, as its specification defines it.
func XXHash32(data []byte, seed uint32) uint32 {
	word := binary.LittleEndian.Uint32
	size := uint32(len(data))
	sum := seed + prime5
	if len(data) >= 16 {
		lanes := [4]uint32{seed + prime1 + prime2, seed + prime2, seed, seed - prime1}
		for ; len(data) >= 16; data = data[16:] {
			for i := range lanes {
				lanes[i] = bits.RotateLeft32(lanes[i]+word(data[4*i:])*prime2, 13) * prime1
			}
		}
		sum = bits.RotateLeft32(lanes[0], 1) + bits.RotateLeft32(lanes[1], 7) + bits.RotateLeft32(lanes[2], 12) +
			bits.RotateLeft32(lanes[3], 18)
	}
	sum += size
	for ; len(data) >= 4; data = data[4:] {
		sum = bits.RotateLeft32(sum+word(data)*prime3, 17) * prime4
	}
	for _, c := range data {
		sum = bits.RotateLeft32(sum+uint32(c)*prime5, 11) * prime1
	}
	sum = (sum ^ sum>>15) * prime2
	sum = (sum ^ sum>>13) * prime3
	return sum ^ sum>>16
}
