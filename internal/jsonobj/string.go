package jsonobj

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
)

// escapes has what a backslash and a letter stand for. Any other character stands for itself.
var escapes = [256]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unquote returns the text of a string in valid JSON. U+FFFD takes the place of half of a surrogate pair, and paired is
// false then.
func unquote(raw []byte) (s string, paired bool) {
	raw, paired = raw[1:len(raw)-1], true
	at := bytes.IndexByte(raw, '\\')
	if at < 0 {
		return string(raw), true
	}
	var b strings.Builder
	b.Grow(len(raw))
	for ; at >= 0; at = bytes.IndexByte(raw, '\\') {
		b.Write(raw[:at])
		c := raw[at+1]
		if c == 'u' {
			r, n := unquoteRune(raw[at:])
			paired = paired && !utf16.IsSurrogate(r)
			b.WriteRune(r)
			raw = raw[at+n:]
			continue
		}
		if escapes[c] != 0 {
			c = escapes[c]
		}
		b.WriteByte(c)
		raw = raw[at+2:]
	}
	b.Write(raw)
	return b.String(), paired
}

// unquoteRune returns the character that an escape such as \u00e9 stands for, or two of them, and their length.
func unquoteRune(raw []byte) (r rune, n int) {
	const one, two = len(`\u00e9`), len(`\ud83d\ude00`)
	if r = codeUnit(raw); utf16.IsSurrogate(r) && len(raw) >= two && raw[one] == '\\' && raw[one+1] == 'u' {
		if pair := utf16.DecodeRune(r, codeUnit(raw[one:])); pair != '\uFFFD' {
			return pair, two
		}
	}
	return r, one
}

// codeUnit returns the number in an escape such as \u00e9.
func codeUnit(raw []byte) rune {
	n, _ := strconv.ParseUint(string(raw[2:6]), 16, 16) // in valid JSON, the digits are there
	return rune(n)
}

// stringLen returns the length of the string at the beginning of s, with its quotation marks.
func stringLen(s []byte) int {
	for end := 1; ; {
		next := bytes.IndexByte(s[end:], '"')
		if next < 0 {
			return len(s)
		}
		end += next + 1
		before := s[1 : end-1]
		if backslashes := len(before) - len(bytes.TrimRight(before, `\`)); backslashes%2 == 0 {
			return end
		}
	}
}
