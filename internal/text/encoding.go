package text

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// An Encoding is the encoding of a text in a file: UTF-8, with or without a byte order mark, or UTF-16 with one. The zero value
// is UTF-8 without one.
type Encoding struct {
	mark   string // the byte order mark, "" if there is none
	endian byte   // for UTF-16, 'l' or 'b', else 0
}

// EncodingOf returns the encoding of a file, as its byte order mark shows it.
func EncodingOf(src []byte) Encoding {
	for _, e := range []Encoding{{"\xef\xbb\xbf", 0}, {"\xff\xfe", 'l'}, {"\xfe\xff", 'b'}} {
		if bytes.HasPrefix(src, []byte(e.mark)) {
			return e
		}
	}
	return Encoding{}
}

// IsMarked reports whether a file in e begins with a byte order mark.
func (e Encoding) IsMarked() bool { return e.mark != "" }

// IsUTF16 reports whether e is UTF-16.
func (e Encoding) IsUTF16() bool { return e.endian != 0 }

// SameUnits reports whether e and f differ at most in the byte order mark.
func (e Encoding) SameUnits(f Encoding) bool { return e.endian == f.endian }

// Decode returns src without its mark, and UTF-16 as UTF-8. It reports false if src is not text.
func (e Encoding) Decode(src []byte) ([]byte, bool) {
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

// rune decodes the first UTF-16 character of b, as U+FFFD if it is invalid.
func (e Encoding) rune(b []byte) (r rune, size int) {
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

// Encode encodes UTF-8 text as the file is encoded, without a mark.
func (e Encoding) Encode(text []byte) []byte {
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

// Offsets returns a function from ascending offsets in the decoded text to offsets in src.
func (e Encoding) Offsets(src []byte) func(int) int {
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

// A LineCounter counts the lines of a file in any encoding, one piece after the other.
type LineCounter struct {
	Encoding
	data []byte
	unit int // bytes of a code unit
	eol  byte
	at   int
	line int // that at lies in
}

// LineCounter returns a counter at the first line of data, which is in e.
func (e Encoding) LineCounter(data []byte) LineCounter {
	c := LineCounter{Encoding: e, data: data, unit: 1, line: 1}
	if e.endian == 0 {
		c.eol = eolOf(data)
		return c
	}
	body, _ := e.Decode(data)
	c.unit, c.eol, c.at = 2, eolOf(body), len(e.mark)
	return c
}

// endings returns the number of line endings between two offsets.
func (c *LineCounter) endings(from, to int) (n int) {
	if c.endian == 0 {
		return bytes.Count(c.data[from:to], []byte{c.eol})
	}
	for ; from+1 < to; from += 2 {
		if r, _ := c.rune(c.data[from : from+2]); r == rune(c.eol) {
			n++
		}
	}
	return n
}

// Lines returns the number of the line that data[start:end] begins in, and the number of lines that it touches, 0 if it is
// empty. Pieces come in ascending order.
func (c *LineCounter) Lines(start, end int) (line, lines int) {
	c.line += c.endings(c.at, start)
	line, c.at = c.line, start
	if end > start {
		endings := c.endings(start, end)
		c.line, c.at = c.line+endings, end
		lines = endings + 1 - c.endings(max(start, end-c.unit), end)
	}
	return line, lines
}

// Readable returns a file as it is shown: UTF-16 with a byte order mark is decoded, everything else stays as it is.
func Readable(data []byte) []byte {
	if e := EncodingOf(data); e.IsUTF16() {
		if decoded, ok := e.Decode(data); ok {
			return decoded
		}
	}
	return data
}
