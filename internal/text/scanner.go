package text

import "strings"

// A Scanner reads a request line by line. It is a plain value: a copy of it continues from the same line. A byte order
// mark does not count as part of the first line.
type Scanner struct {
	Src  string
	Line string // the current line, without its ending ("\n" or "\r\n")
	No   int    // its number, from 1
	At   int    // its offset in Src
	Next int    // the offset of the line after it
}

// ByteOrderMark is the byte order mark in UTF-8.
const ByteOrderMark = "\ufeff"

// Scan moves to the next line and reports whether there is one. Text after the last line ending is a line only if it is
// not empty.
func (s *Scanner) Scan() bool {
	if s.At = s.Next; s.At == len(s.Src) {
		return false
	}
	end := strings.IndexByte(s.Src[s.At:], '\n') + s.At
	if end < s.At {
		end, s.Next = len(s.Src), len(s.Src)
	} else {
		s.Next = end + 1
	}
	s.Line = strings.TrimSuffix(s.Src[s.At:end], "\r")
	if s.At == 0 {
		s.Line = strings.TrimPrefix(s.Line, ByteOrderMark)
	}
	s.No++
	return true
}

// CRLF reports whether the current line ends in "\r\n".
func (s *Scanner) CRLF() bool { return strings.HasSuffix(s.Src[s.At:s.Next], "\r\n") }

// Verbatim returns the current line without "\n", but with a "\r" before it.
func (s *Scanner) Verbatim() string { return strings.TrimSuffix(s.Src[s.At:s.Next], "\n") }

// Peek returns the line after the current one, "" at the end. It does not move.
func (s *Scanner) Peek() string {
	t := *s
	if !t.Scan() {
		return ""
	}
	return t.Line
}

// Unindented returns a line without the spaces and tabs at its beginning. Most lines have few, so this is faster than
// package strings.
func Unindented(s string) string {
	n := 0
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return s[n:]
}

// IsFence reports whether a line opens or closes a Markdown code fence.
func IsFence(s string) bool {
	s = Unindented(s)
	return strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~")
}
