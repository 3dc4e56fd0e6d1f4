// Package text reads the bytes of a file, or of a request, as lines, and replaces some of them.
//
// Offsets are in bytes from 0, line numbers count from 1. Nothing is decoded without need: line endings and invalid
// bytes stay as they are.
package text

import (
	"bytes"
	"cmp"
	"sort"
	"strings"
)

// A Text is the content of a file without its byte order mark, in an encoding in which ASCII has its own bytes.
type Text struct {
	Data []byte
	EOL  byte // the last byte of a line ending: '\n', or '\r' in a text without any '\n'
}

// New returns data as a Text. It keeps data.
func New(data []byte) Text { return Text{data, eolOf(data)} }

func eolOf(data []byte) byte {
	if bytes.IndexByte(data, '\n') < 0 && bytes.IndexByte(data, '\r') >= 0 {
		return '\r'
	}
	return '\n'
}

// A Line locates a line of a text: its content is Data[Start:End], its ending Data[End:Next].
type Line struct{ Start, End, Next int }

// None stands for a line that a text lacks.
var None = Line{-1, -1, -1}

func (l Line) Real() bool { return l.Start >= 0 }

// A Span is a piece of a text: Data[Start:End].
type Span struct{ Start, End int }

// LineAt returns the line that starts at start.
func (t Text) LineAt(start int) Line {
	i := bytes.IndexByte(t.Data[start:], t.EOL)
	if i < 0 {
		return Line{start, len(t.Data), len(t.Data)}
	}
	l := Line{start, start + i, start + i + 1}
	if t.EOL == '\n' && i > 0 && t.Data[l.End-1] == '\r' {
		l.End--
	}
	return l
}

// LineBefore returns the line that ends where the line that starts at next begins. Next is not 0.
func (t Text) LineBefore(next int) Line { return t.LineAt(t.LineStart(next - 1)) }

// Below returns the line below l, None if l is the last, or None.
func (t Text) Below(l Line) Line {
	if l.Next == len(t.Data) || !l.Real() {
		return None
	}
	return t.LineAt(l.Next)
}

// Above returns the line above l, None if l is the first, or None.
func (t Text) Above(l Line) Line {
	if l.Start <= 0 {
		return None
	}
	return t.LineBefore(l.Start)
}

// SolidAbove returns the nearest line above l that is not blank, None if there is none.
func (t Text) SolidAbove(l Line) Line { return t.solid(l, t.Above) }

// SolidBelow returns the nearest line below l that is not blank, None if there is none.
func (t Text) SolidBelow(l Line) Line { return t.solid(l, t.Below) }

func (t Text) solid(l Line, next func(Line) Line) Line {
	for l = next(l); l.Real() && IsBlank(t.Bytes(l)); {
		l = next(l)
	}
	return l
}

// LineStart returns the start of the line that the offset at lies in.
func (t Text) LineStart(at int) int { return bytes.LastIndexByte(t.Data[:at], t.EOL) + 1 }

// InIndent reports whether nothing but whitespace precedes an offset in its line.
func (t Text) InIndent(at int) bool {
	for at > 0 && t.Data[at-1] != t.EOL && IsSpace(t.Data[at-1]) {
		at--
	}
	return at == 0 || t.Data[at-1] == t.EOL
}

// StartsLine reports whether a line starts at i.
func (t Text) StartsLine(i int) bool {
	return i == 0 || i < len(t.Data) && t.Data[i-1] == t.EOL
}

// SplitsCRLF reports whether i lies between the two bytes of a line ending.
func (t Text) SplitsCRLF(i int) bool {
	return i > 0 && i < len(t.Data) && t.Data[i-1] == '\r' && t.Data[i] == '\n'
}

// Bytes returns the content of l.
func (t Text) Bytes(l Line) []byte { return t.Data[l.Start:l.End] }

// Ending returns the line ending of l, "" if it has none.
func (t Text) Ending(l Line) string { return string(t.Data[l.End:l.Next]) }

// EndingLike returns the ending of l, or of the line before it where l has none.
func (t Text) EndingLike(l Line) string {
	if l.End == l.Next && l.Start > 0 {
		l = t.LineBefore(l.Start)
	}
	if l.End == l.Next {
		return t.CommonestEnding()
	}
	return t.Ending(l)
}

// CommonestEnding returns the ending for a new line that has no neighbour to take its ending from.
func (t Text) CommonestEnding() string {
	if t.EOL == '\r' {
		return "\r"
	}
	if crlf := bytes.Count(t.Data, []byte("\r\n")); 2*crlf > bytes.Count(t.Data, []byte("\n")) {
		return "\r\n"
	}
	return "\n"
}

// Endings returns the ending of the first line, "" for none, and the first line with another one, 0 for none. A
// carriage return alone ends no line.
func Endings(src []byte) (first string, other int) {
	if bytes.IndexByte(src, '\r') < 0 && bytes.IndexByte(src, '\n') >= 0 {
		return "\n", 0
	}
	n := 0
	for line := range bytes.Lines(src) {
		n++
		ending := "\n"
		if bytes.HasSuffix(line, []byte("\r\n")) {
			ending = "\r\n"
		} else if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		if first = cmp.Or(first, ending); ending != first {
			return first, n
		}
	}
	return first, 0
}

// Terminated reports whether the last line has an ending. An empty text counts as terminated.
func (t Text) Terminated() bool { return len(t.Data) == 0 || t.Data[len(t.Data)-1] == t.EOL }

// CountLines returns the number of lines. Text after the last line ending is a line only if it is not empty.
func (t Text) CountLines() int {
	n := bytes.Count(t.Data, []byte{t.EOL})
	if !t.Terminated() {
		n++
	}
	return n
}

// LinesBetween returns the number of lines between two others.
func (t Text) LinesBetween(upper, lower Line) int {
	return bytes.Count(t.Data[upper.Next:max(upper.Next, lower.Start)], []byte{t.EOL})
}

// LinesAround returns the lines that a piece lies in, without the ending of the last.
func (t Text) LinesAround(s Span) Span {
	return Span{t.LineStart(s.Start), t.LineAt(t.LineStart(max(s.Start, s.End-1))).End}
}

// HasLines reports whether t has some whole lines, without the ending of the last, at an offset.
func (t Text) HasLines(at int, lines []byte) bool {
	end := at + len(lines)
	return t.StartsLine(at) && bytes.HasPrefix(t.Data[at:], lines) && t.LineAt(t.LineStart(end)).End == end
}

// Starts returns the offset of every line, followed by the length of the text.
func (t Text) Starts() []int {
	starts := make([]int, 0, 2+bytes.Count(t.Data, []byte{t.EOL}))
	for at := 0; at < len(t.Data); at = t.LineAt(at).Next {
		starts = append(starts, at)
	}
	return append(starts, len(t.Data))
}

// Skip returns the offset n lines behind the line that starts at an offset, or of the end. It counts the endings of
// many lines by the block, so that it costs little more than a look at the lines.
func (t Text) Skip(at, n int) int {
	const block, many = 4 << 10, 20
	for n > many && at+block <= len(t.Data) {
		ends := bytes.Count(t.Data[at:at+block], []byte{t.EOL})
		if ends >= n {
			break
		}
		at, n = at+block, n-ends
	}
	for ; n > 0; n-- {
		at = t.LineAt(at).Next
	}
	return at
}

// Find returns the first offset from from on at which the text has s, -1 if there is none. Rare is [Rarest] of s.
func (t Text) Find(s string, rare, from int) int {
	var short [60]byte                       // bytes.Index is fast for short strings
	for _, lead := range [...]int{rare, 0} { // the text from the rarest byte on may be everywhere
		part := short[:copy(short[:], s[lead:])]
		for begin, misses := from, 0; misses < 100+(from-begin)/256; misses++ {
			i := bytes.Index(t.Data[min(from+lead, len(t.Data)):], part)
			if i < 0 {
				return -1
			}
			if from += i; len(t.Data)-from >= len(s) && string(t.Data[from:from+len(s)]) == s {
				return from
			}
			from++
		}
	}
	if i := bytes.Index(t.Data[min(from, len(t.Data)):], []byte(s)); i >= 0 {
		return from + i
	}
	return -1
}

// Rarest returns the offset of the byte of s that is the rarest in code and prose, because [bytes.Index] is fast for a
// string that begins with a rare byte.
func Rarest(s string) (at int) {
	const common = " etaonrisl\t\rdcupmfh()g.,_=\"b-/:y0;*v{}w'1[]+k\nS2TECx3RIF8ANP4DOML6<>5BU7z9&!|qVGjWH#%KYX?@$JQZ"
	best := 0
	for i := range min(len(s), 100) {
		rank := strings.IndexByte(common, s[i])
		if rank < 0 {
			return i
		}
		if rank > best {
			at, best = i, rank
		}
	}
	return at
}

// Numbers numbers the lines of a text. It counts line endings only as far as necessary, and keeps the counts, so that
// numbers for many offsets cost one pass. It is not safe for concurrent use.
type Numbers struct {
	Text Text
	ends []int // the number of line endings before each stride, as far as was asked for
}

// stride is the number of bytes between two offsets whose line numbers are kept.
const stride = 1 << 10

// At returns the number of the line that an offset lies in.
func (n *Numbers) At(at int) int {
	data, eol := n.Text.Data, []byte{n.Text.EOL}
	if len(n.ends) == 0 {
		n.ends = append(n.ends, 0)
	}
	for k := len(n.ends); k*stride <= at; k++ {
		n.ends = append(n.ends, n.ends[k-1]+bytes.Count(data[(k-1)*stride:k*stride], eol))
	}
	return 1 + n.ends[at/stride] + bytes.Count(data[at/stride*stride:at], eol)
}

// Start returns the offset at which a line starts, or the length of the text if it has fewer lines.
func (n *Numbers) Start(line int) int {
	data, above := n.Text.Data, line-1
	n.At(0)
	for k := len(n.ends); k*stride <= len(data) && n.ends[k-1] < above; k++ {
		n.At(k * stride)
	}
	k := max(sort.SearchInts(n.ends, above)-1, 0)
	return n.Text.Skip(k*stride, above-n.ends[k])
}
