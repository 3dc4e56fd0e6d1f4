package text

import (
	"html"
	"slices"
	"strings"
)

// Space has the bytes of whitespace within a line, which editors insert and remove on their own.
const Space = " \t\v\f\r"

// IsSpace reports whether c is one of [Space].
func IsSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' && c != '\n' }

// IsBlank reports whether s has only whitespace. It is called so often that a copy of it in each place would be heavy.
//
//go:noinline
func IsBlank[T string | []byte](s T) bool {
	for i := range len(s) {
		if !IsSpace(s[i]) {
			return false
		}
	}
	return true
}

// IsBlankText reports whether s has only whitespace and line feeds.
func IsBlankText[T string | []byte](s T) bool {
	for i := range len(s) {
		if !IsSpace(s[i]) && s[i] != '\n' {
			return false
		}
	}
	return true
}

// Trimmed returns the bounds of s without the whitespace around it.
func Trimmed[T string | []byte](s T) (start, end int) {
	for end = len(s); end > 0 && IsSpace(s[end-1]); end-- {
	}
	for start < end && IsSpace(s[start]) {
		start++
	}
	return start, end
}

// Parts splits a line into its indentation, its body and its trailing whitespace. A blank line is all indentation.
func Parts(s string) (indent, body, trail string) {
	start, end := Trimmed(s)
	if start == end {
		return s, "", ""
	}
	return s[:start], s[start:end], s[end:]
}

// Split returns the lines of a request without their endings, "\n" or "\r\n". One after the last line adds none.
func Split(s string) []string {
	if s == "" {
		return nil
	}
	return AppendLines(make([]string, 0, 1+strings.Count(s, "\n")), s)
}

// AppendLines appends the lines of s, as [Split] returns them, to lines.
func AppendLines(lines []string, s string) []string {
	for l := range strings.Lines(s) {
		lines = append(lines, strings.TrimSuffix(strings.TrimSuffix(l, "\n"), "\r"))
	}
	return lines
}

// EndLines returns s with every line ending in "\n", including the last.
func EndLines(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if s != "" && s[len(s)-1] != '\n' {
		s += "\n"
	}
	return s
}

func CountSolid(lines []string) (n int) {
	for _, l := range lines {
		if !IsBlank(l) {
			n++
		}
	}
	return n
}

// SolidKeys returns what the lines that are not blank fold to.
func SolidKeys(lines []string) (keys []string) {
	for _, l := range lines {
		if !IsBlank(l) {
			keys = append(keys, Fold(l))
		}
	}
	return keys
}

// SetOf returns the set of some lines.
func SetOf(lines []string) map[string]bool {
	set := make(map[string]bool, len(lines))
	for _, l := range lines {
		set[l] = true
	}
	return set
}

// AddsWords reports whether a new line with words is, apart from its notation, none of the old ones.
func AddsWords(old, new []string) bool {
	was := SetOf(SolidKeys(old))
	return slices.ContainsFunc(new, func(l string) bool { return HasLetterOrDigit(l) && !was[Fold(l)] })
}

// A Scanner reads a request line by line. It is a plain value: a copy of it continues from the same line. A byte order
// mark does not count as part of the first line.
type Scanner struct {
	Src  string
	Line string // the current line, without its ending ("\n" or "\r\n")
	No   int    // its number, from 1
	At   int    // its offset in Src
	Next int    // the offset of the line after it
}

const ByteOrderMark = "\ufeff"

// Scan moves to the next line and reports whether there is one. What is after the last line ending is one unless empty.
func (s *Scanner) Scan() bool {
	if s.At = s.Next; s.At == len(s.Src) {
		return false
	}
	line, _, ended := strings.Cut(s.Src[s.At:], "\n")
	if s.Next += len(line); ended {
		s.Next++
	}
	s.Line = strings.TrimSuffix(line, "\r")
	if s.At == 0 {
		s.Line = strings.TrimPrefix(s.Line, ByteOrderMark)
	}
	s.No++
	return true
}

func (s *Scanner) CRLF() bool { return strings.HasSuffix(s.Src[s.At:s.Next], "\r\n") }

// Verbatim returns the current line without "\n", but with a "\r" before it.
func (s *Scanner) Verbatim() string {
	line := strings.TrimSuffix(s.Src[s.At:s.Next], "\n")
	if s.At == 0 {
		line = strings.TrimPrefix(line, ByteOrderMark)
	}
	return line
}

// Peek returns the line after the current one, "" at the end. It does not move.
func (s *Scanner) Peek() string {
	t := *s
	if !t.Scan() {
		return ""
	}
	return t.Line
}

// Unindented returns a line without the spaces and tabs at its beginning. It is faster than package strings for few.
// Inlined, it would take 4 KB more of every program.
//
//go:noinline
func Unindented(s string) string {
	n := 0
	for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return s[n:]
}

// FirstLine returns the first line of a text, without its ending.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// IsFence reports whether a line opens or closes a Markdown code fence.
func IsFence(s string) bool {
	s = Unindented(s)
	return strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~")
}

// A Fence is the marks of the code fence that is open, "" if none is.
type Fence string

// Below returns the fence that is open below a line.
func (f Fence) Below(l string) Fence {
	if l = strings.Trim(l, Space); !IsFence(l) {
		return f
	}
	info := strings.TrimLeft(l, l[:1])
	marks := l[:len(l)-len(info)]
	switch {
	case f == "" && !strings.Contains(info, "`"):
		return Fence(marks)
	case f != "" && info == "" && strings.HasPrefix(marks, string(f)):
		return ""
	}
	return f
}

// Unescaped removes one level of the escapes that models add: those of string literals and of markup.
func Unescaped(s string) string {
	if strings.Contains(s, `\`) {
		s = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\"`, `"`, `\'`, `'`, "\\`", "`", `\$`,
			`$`).Replace(s)
	}
	if strings.Contains(s, "&") {
		s = html.UnescapeString(s)
	}
	return s
}
