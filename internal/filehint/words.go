package filehint

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mentioned yields the file names among the words of a line.
func mentioned(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for w := range words(s) {
			if !w.spaced && !w.call && IsFileName(w.text) && !yield(w.text) {
				return
			}
		}
	}
}

// A word is a word of a line, or a text between backticks.
type word struct {
	text   string
	spaced bool // a text between backticks that has spaces
	call   bool // a parenthesis follows
}

// words yields the words of a line, without the punctuation around them. A path between backticks is one word.
func words(s string) iter.Seq[word] {
	return func(yield func(word) bool) {
		for s != "" {
			plain, rest, marked := strings.Cut(s, "`")
			if !plainWords(plain, yield) {
				return
			}
			code, after, closed := strings.Cut(rest, "`")
			switch {
			case !marked:
				return
			case !closed:
				s = rest
				continue
			case strings.ContainsAny(code, " \t"):
				if !yield(word{text: strings.TrimSpace(code), spaced: true}) {
					return
				}
			case IsFileName(code):
				if !yield(word{text: code}) {
					return
				}
			case !plainWords(code, yield):
				return
			}
			s = after
		}
	}
}

// plainWords yields the words of a text without backticks. It returns false as soon as yield does.
func plainWords(s string, yield func(word) bool) bool {
	separates := func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;=\"'<>()[]{}|*“”‘’—–", r)
	}
	for s != "" {
		n := strings.IndexFunc(s, separates)
		if n < 0 {
			n = len(s)
		}
		w := withoutLineNumber(strings.TrimRight(s[:n], ".:!?…"))
		if w != "" && !yield(word{text: w, call: strings.HasPrefix(s[n:], "(")}) {
			return false
		}
		_, size := utf8.DecodeRuneInString(s[n:])
		s = s[n+size:]
	}
	return true
}

// withoutLineNumber removes the line number after a file name: "b.go:12".
func withoutLineNumber(s string) string {
	if i := strings.Index(s, "."); i >= 0 {
		if j := strings.IndexAny(s[i:], ":#"); j >= 0 && strings.Trim(s[i+j:], "0123456789:#L-") == "" {
			return s[:i+j]
		}
	}
	return s
}
