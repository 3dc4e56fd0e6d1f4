package text

import (
	"slices"
	"strings"
)

// Space has the bytes of whitespace within a line, which editors insert and remove on their own.
const Space = " \t\v\f\r"

// IsSpace reports whether c is one of [Space].
func IsSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' && c != '\n' }

// IsBlank reports whether s has only whitespace.
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

// Split returns the lines of a request without their endings, "\n" or "\r\n". An ending after the last line adds no
// line.
func Split(s string) []string {
	if s == "" {
		return nil
	}
	return AppendLines(make([]string, 0, 1+strings.Count(s, "\n")), s)
}

// AppendLines appends the lines of s, as [Split] returns them, to lines.
func AppendLines(lines []string, s string) []string {
	for s != "" {
		var l string
		l, s, _ = strings.Cut(s, "\n")
		lines = append(lines, strings.TrimSuffix(l, "\r"))
	}
	return lines
}

// EndLines returns s with every line ending in "\n", including the last.
func EndLines(s string) string {
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	if s != "" && s[len(s)-1] != '\n' {
		s += "\n"
	}
	return s
}

// CountSolid counts the lines that are not blank.
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

// AddsWords reports whether a new line with words is, apart from its notation, none of the old ones.
func AddsWords(old, new []string) bool {
	was := map[string]bool{}
	for _, l := range old {
		was[Fold(l)] = true
	}
	return slices.ContainsFunc(new, func(l string) bool { return HasLetterOrDigit(l) && !was[Fold(l)] })
}
