package text

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"
)

func IsLetterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// Tokens splits a line without its spaces into words and signs. A Chinese, Japanese or Korean character is a word.
func Tokens(s string) (all []string) {
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		n = max(n, leading(s, isOfWord))
		if !unicode.IsSpace(r) {
			all = append(all, s[:n])
		}
		s = s[n:]
	}
	return all
}

// isOfWord reports whether a character may have others of its word beside it.
func isOfWord(r rune) bool { return (IsLetterOrDigit(r) || r == '_') && !isIdeograph(r) }

// Words splits a line into words, runs of spaces, three dots, and single other characters. Joined, they are the line.
// The characters that viewers show for spaces and tabs, "·" and "→", count as spaces.
func Words(s string) (all []string) {
	isSpace := func(r rune) bool { return r == ' ' || r == '·' || r == '→' }
	for s != "" {
		_, n := utf8.DecodeRuneInString(s)
		if strings.HasPrefix(s, "...") {
			n = len("...")
		}
		n = max(n, leading(s, isOfWord), leading(s, isSpace))
		all, s = append(all, s[:n]), s[n:]
	}
	return all
}

// leading returns how many bytes at the beginning of s are characters of a kind.
func leading(s string, is func(rune) bool) int { return len(s) - len(strings.TrimLeftFunc(s, is)) }

// InWord reports whether a byte is a part of a word.
func InWord(c byte) bool {
	return c == '_' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// CutsWord reports whether an offset of s is within a word of ASCII characters.
func CutsWord(s []byte, at int) bool {
	in := func(c byte) bool { return c < utf8.RuneSelf && InWord(c) }
	return at > 0 && at < len(s) && in(s[at-1]) && in(s[at])
}

func HasTags(s []byte) bool {
	return bytes.Contains(s, []byte("</")) || bytes.Contains(s, []byte("/>"))
}

// HasWord reports whether s has a word of three letters.
func HasWord(s string) bool { return hasRun(s, unicode.IsLetter) }

// Substantial reports whether a line has enough text to be distinguished from others: three letters or digits in a row.
func Substantial(s string) bool { return hasRun(s, IsLetterOrDigit) }

// HasLetterOrDigit reports whether s has a letter or a digit.
func HasLetterOrDigit[T string | []byte](s T) bool {
	return strings.ContainsFunc(string(s), IsLetterOrDigit)
}

// isIdeograph reports whether a character is a word by itself, as those of Chinese, Japanese and Korean are.
func isIdeograph(r rune) bool {
	return r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// hasRun reports whether s has three characters of a kind in a row, or one that is a word by itself.
func hasRun(s string, is func(rune) bool) bool {
	n := 0
	for _, r := range s {
		if n++; !is(r) {
			n = 0
		}
		if n == 3 || isIdeograph(r) {
			return true
		}
	}
	return false
}

func IsASCII[T string | []byte](s T) bool { return leadingASCII([]byte(s)) == len(s) }

// leadingASCII returns how many bytes of s are ASCII before the first that is not.
func leadingASCII(s []byte) (n int) {
	for len(s)-n >= 8 && binary.LittleEndian.Uint64(s[n:])&0x8080808080808080 == 0 {
		n += 8
	}
	for n < len(s) && s[n] < utf8.RuneSelf {
		n++
	}
	return n
}

// Clip cuts s to at most n bytes, at a character, and marks the cut with an ellipsis. N is at least 4.
func Clip(s string, n int) string {
	const more = " …"
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n-len(more)], "") + more
}
