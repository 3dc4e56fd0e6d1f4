package atomicedit

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A text is what edits are placed on: the bytes of a file without its byte order mark, in UTF-8 (or whatever
// the bytes outside the edits are: nothing is decoded that no edit touches).
type text struct {
	data []byte
	eol  byte // the last byte of a line ending: '\n', or '\r' in a text without any '\n'

	began *text   // what the request started from, if that is another text
	since []Match // what has been done to it

	ends  []int // how many line endings come before each stride, as far as was asked for
	heads []int // see lineStarts

	searched int // how often, to explain what is not there
}

// stride is how many bytes lie between two places of a text whose line numbers are kept.
const stride = 1 << 15

func newText(data []byte) *text {
	return &text{data: data, eol: eolOf(data)}
}

func eolOf(data []byte) byte {
	if bytes.IndexByte(data, '\n') < 0 && bytes.IndexByte(data, '\r') >= 0 {
		return '\r'
	}
	return '\n'
}

// A line is where a line of a text lies: its content is data[start:end], its ending data[end:next].
type line struct{ start, end, next int }

// none is where a line of the request lies that the text lacks.
var none = line{-1, -1, -1}

func (l line) real() bool { return l.start >= 0 }

// lineAt returns the line that starts at start.
func (t *text) lineAt(start int) line {
	i := bytes.IndexByte(t.data[start:], t.eol)
	if i < 0 {
		return line{start, len(t.data), len(t.data)}
	}
	l := line{start, start + i, start + i + 1}
	if t.eol == '\n' && i > 0 && t.data[l.end-1] == '\r' {
		l.end--
	}
	return l
}

// lineBefore returns the line that ends where the line that starts at next begins; next is not 0.
func (t *text) lineBefore(next int) line {
	end := next
	if t.data[next-1] == t.eol {
		end--
	}
	l := line{bytes.LastIndexByte(t.data[:end], t.eol) + 1, end, next}
	if t.eol == '\n' && end < next && end > l.start && t.data[end-1] == '\r' {
		l.end--
	}
	return l
}

// startsLine reports whether a line starts at i.
func (t *text) startsLine(i int) bool {
	return i == 0 || i < len(t.data) && t.data[i-1] == t.eol && !t.splitsCRLF(i)
}

// splitsCRLF reports whether i lies between the two bytes of a line ending.
func (t *text) splitsCRLF(i int) bool {
	return i > 0 && i < len(t.data) && t.data[i-1] == '\r' && t.data[i] == '\n'
}

func (t *text) bytes(l line) []byte  { return t.data[l.start:l.end] }
func (t *text) ending(l line) string { return string(t.data[l.end:l.next]) }

// terminated reports whether the last line has an ending; an empty text counts as if it had.
func (t *text) terminated() bool {
	return len(t.data) == 0 || t.data[len(t.data)-1] == t.eol
}

// commonestEnding is for a new line that has no neighbour to take its ending from.
func (t *text) commonestEnding() string {
	if t.eol == '\r' {
		return "\r"
	}
	if crlf := bytes.Count(t.data, []byte("\r\n")); 2*crlf > bytes.Count(t.data, []byte("\n")) {
		return "\r\n"
	}
	return "\n"
}

// find returns where s stands at an offset or behind it, -1 if nowhere; rare is what rarest says of it.
func (t *text) find(s string, rare, from int) int {
	var short [60]byte                       // what bytes.Index is fast for
	for _, lead := range [...]int{rare, 0} { // what is behind the rarest byte may stand everywhere
		part := short[:copy(short[:], s[lead:])]
		for begin, misses := from, 0; misses < 100+(from-begin)/256; misses++ {
			i := bytes.Index(t.data[min(from+lead, len(t.data)):], part)
			if i < 0 {
				return -1
			}
			if from += i; len(t.data)-from >= len(s) && string(t.data[from:from+len(s)]) == s {
				return from
			}
			from++
		}
	}
	if i := bytes.Index(t.data[min(from, len(t.data)):], []byte(s)); i >= 0 {
		return from + i
	}
	return -1
}

// rarest returns where the byte of s stands that is the rarest in code and prose: bytes.Index is fast for what begins
// with such a one.
func rarest(s string) (at int) {
	const common = " etaonrisl\tdcupmfh()g.,_=\"b-/:y0;*v{}w'1[]+k\nS2TECx3RIF8ANP4DOML6<>5BU7z9&!|qVGjWH#%KYX?@$JQZ"
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

// lineNumbers returns the 1-based number of the line that each of the ascending offsets lies in.
func (t *text) lineNumbers(offsets []int) []int {
	numbers := make([]int, len(offsets))
	for i, off := range offsets {
		if i > 0 && off-offsets[i-1] < stride {
			numbers[i] = numbers[i-1] + bytes.Count(t.data[offsets[i-1]:off], []byte{t.eol})
		} else {
			numbers[i] = t.lineNumber(off)
		}
	}
	return numbers
}

// lineNumber returns the 1-based number of the line that an offset lies in.
func (t *text) lineNumber(at int) int {
	eol := []byte{t.eol}
	if len(t.ends) == 0 {
		t.ends = append(t.ends, 0)
	}
	for k := len(t.ends); k*stride <= at; k++ {
		t.ends = append(t.ends, t.ends[k-1]+bytes.Count(t.data[(k-1)*stride:k*stride], eol))
	}
	k := at / stride
	return 1 + t.ends[k] + bytes.Count(t.data[k*stride:at], eol)
}

// lineStarts returns the offset of every line, and the length of the text behind them.
func (t *text) lineStarts() []int {
	if t.heads == nil {
		t.heads = make([]int, 0, 2+bytes.Count(t.data, []byte{t.eol}))
		for at := 0; at < len(t.data); at = t.lineAt(at).next {
			t.heads = append(t.heads, at)
		}
		t.heads = append(t.heads, len(t.data))
	}
	return t.heads
}

// splitLines returns the lines of a request without their endings; an ending after the last one says nothing.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return appendLines(make([]string, 0, 1+strings.Count(s, "\n")), s)
}

// appendLines adds the lines of a request to others.
func appendLines(lines []string, s string) []string {
	for s != "" {
		var l string
		l, s, _ = strings.Cut(s, "\n")
		lines = append(lines, strings.TrimSuffix(l, "\r"))
	}
	return lines
}

// White space, for the purposes of placing, is what editors put in and take away unasked.
const space = " \t\v\f\r"

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' && c != '\n' }

func isBlank[T string | []byte](s T) bool {
	for i := range len(s) {
		if !isSpace(s[i]) {
			return false
		}
	}
	return true
}

// trimmed returns the bounds of s without the white space around it.
func trimmed[T string | []byte](s T) (start, end int) {
	for end = len(s); end > 0 && isSpace(s[end-1]); end-- {
	}
	for start < end && isSpace(s[start]) {
		start++
	}
	return start, end
}

// cut splits a line into its indentation, its text and the white space at its end. A blank line is all indentation.
func cut(s string) (indent, text, trail string) {
	start, end := trimmed(s)
	if start == end {
		return s, "", ""
	}
	return s[:start], s[start:end], s[end:]
}

// An encoding is how the bytes of a file spell the text: UTF-8, with or without a mark, or UTF-16 with one.
type encoding struct {
	mark   string // the byte order mark, "" if none
	endian byte   // for UTF-16, 'l' or 'b', else 0
}

func encodingOf(src []byte) encoding {
	for _, e := range []encoding{{"\xef\xbb\xbf", 0}, {"\xff\xfe", 'l'}, {"\xfe\xff", 'b'}} {
		if bytes.HasPrefix(src, []byte(e.mark)) {
			return e
		}
	}
	return encoding{}
}

// decode returns src without its mark, UTF-16 as UTF-8; false means that it is no text.
func (e encoding) decode(src []byte) ([]byte, bool) {
	body := src[len(e.mark):]
	if e.endian == 0 {
		return body, bytes.IndexByte(body, 0) < 0
	}
	if len(body)%2 != 0 {
		return nil, false
	}
	data := make([]byte, 0, len(body))
	for i := 0; i < len(body); {
		r, n := e.rune(body[i:])
		if r == 0 {
			return nil, false
		}
		data, i = utf8.AppendRune(data, r), i+n
	}
	return data, true
}

// rune decodes the first UTF-16 character of b, as U+FFFD where it is none.
func (e encoding) rune(b []byte) (r rune, size int) {
	unit := func(i int) rune {
		if e.endian == 'b' {
			return rune(b[i])<<8 | rune(b[i+1])
		}
		return rune(b[i+1])<<8 | rune(b[i])
	}
	r = unit(0)
	if !utf16.IsSurrogate(r) {
		return r, 2
	}
	if len(b) >= 4 {
		if pair := utf16.DecodeRune(r, unit(2)); pair != utf8.RuneError {
			return pair, 4
		}
	}
	return utf8.RuneError, 2
}

// encode spells text the way the file does, without a mark.
func (e encoding) encode(text []byte) []byte {
	if e.endian == 0 {
		return text
	}
	var b []byte
	for _, u := range utf16.Encode([]rune(string(text))) {
		if e.endian == 'b' {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

// offsets returns a function from ascending offsets in the decoded text to offsets in src.
func (e encoding) offsets(src []byte) func(int) int {
	if e.endian == 0 {
		return func(i int) int { return len(e.mark) + i }
	}
	at, from := 0, len(e.mark)
	return func(i int) int {
		for at < i {
			r, n := e.rune(src[from:])
			at, from = at+utf8.RuneLen(r), from+n
		}
		return from
	}
}
