package text

import (
	"bytes"
	"encoding/binary"
	"slices"
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

// LettersAndDigits counts those of a text.
//
//go:noinline
func LettersAndDigits(s string) (n int) {
	for _, r := range s {
		if IsLetterOrDigit(r) {
			n++
		}
	}
	return n
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

// SpelledAlike reports whether two folded lines differ in at most some of their words, spelled alike (PLACING D2).
func SpelledAlike(s, t string, most int) bool {
	differing := 0
	return slices.EqualFunc(Tokens(s), Tokens(t), func(a, b string) bool {
		if a == b {
			return true
		}
		differing++
		return differing <= most && isAlike(a, b)
	})
}

// DiffersAtEdge reports whether two folded lines differ in a comma or a semicolon at the end alone, in the mark of a
// list entry, or in that asked, a line of several words, was cut short behind a word (PLACING D2).
func DiffersAtEdge(asked, own string) bool {
	rest, isShort := strings.CutPrefix(own, asked)
	last, _ := utf8.DecodeLastRuneInString(asked)
	return withoutEdges(asked) == withoutEdges(own) || isShort && len(rest) < len(asked) && len(Tokens(asked)) > 2 &&
		!(isOfWord(firstRune(rest)) && isOfWord(last))
}

func withoutEdges(l string) string {
	if len(l) > 2 && strings.IndexByte("-*+", l[0]) >= 0 && l[1] == ' ' {
		l = l[2:]
	}
	return strings.TrimRight(l, ",;")
}

// isAlike reports whether one word is a misspelling of the other: both have the same digits and, in each component, the
// same first letter and at most two letters inserted or left out. None of three letters or fewer has one replaced.
func isAlike(a, b string) bool {
	isNoDigit := func(r rune) bool { return !unicode.IsDigit(r) }
	digits := func(s string) string { return strings.Join(strings.FieldsFunc(s, isNoDigit), "") }
	if len(a) < 2 || len(b) < 2 || len(a) > 64 || len(b) > 64 || digits(a) != digits(b) {
		return false
	}
	return slices.EqualFunc(components(a), components(b), func(a, b string) bool {
		x, y := []rune(a), []rune(b)
		return slices.Equal(x, y) || len(x) > 0 && len(y) > 0 && x[0] == y[0] &&
			(len(x) != len(y) || len(x) > 3) && len(x)+len(y)-2*common(x, y) <= 2
	})
}

// components splits an identifier at underscores and capitals. A typing error changes a letter or two of one component,
// but not its first. That distinguishes get from set and valid from invalid.
func components(word string) (all []string) {
	start := 0
	for i := 1; i < len(word); i++ {
		if word[i] == '_' || 'A' <= word[i] && word[i] <= 'Z' && !('A' <= word[i-1] && word[i-1] <= 'Z') {
			all, start = append(all, strings.TrimLeft(word[start:i], "_")), i
		}
	}
	return append(all, strings.TrimLeft(word[start:], "_"))
}

// common returns the length of the longest common subsequence of two words.
func common(a, b []rune) int {
	row := make([]int, len(b)+1)
	for i := range len(a) {
		diagonal := 0
		for j := range len(b) {
			up := row[j+1]
			if row[j+1] = max(up, row[j]); a[i] == b[j] {
				row[j+1] = diagonal + 1
			}
			diagonal = up
		}
	}
	return row[len(b)]
}

// A phrase is a word with the tokens before and after it in its line.
type phrase [3]string

// phraseAt returns the phrase around the k-th token, with "" for a neighbour that it lacks.
func phraseAt(tokens []string, k int) (p phrase) {
	copy(p[1-min(k, 1):], tokens[max(k-1, 0):min(k+2, len(tokens))])
	return p
}

// Phrases reports whether a text has a phrase. It searches the text for the first few only, and reports that it has
// every other one, so that none of those counts as a misspelling. It is not safe for concurrent use.
type Phrases struct {
	Text  Text
	known map[phrase]bool
}

// Has reports whether a line of the text has the k-th token between the same neighbours.
func (x *Phrases) Has(tokens []string, k int) bool {
	p := phraseAt(tokens, k)
	const few = 64
	has, known := x.known[p]
	if known || len(x.known) == few {
		return has || !known
	}
	if x.known == nil {
		x.known = map[phrase]bool{}
	}
	x.known[p] = hasPhrase(x.Text, p)
	return x.known[p]
}

// hasPhrase reports whether a line of t has the phrase p.
func hasPhrase(t Text, p phrase) bool {
	const around = 200 // bytes of context on each side
	for at, hits := 0, 0; hits < 1000; {
		i := bytes.Index(t.Data[at:], []byte(p[1]))
		if i < 0 {
			return false
		}
		i += at
		at = i + len(p[1])
		if i > 0 && InWord(t.Data[i-1]) || at < len(t.Data) && InWord(t.Data[at]) {
			continue
		}
		hits++
		from, to := max(0, i-around), min(len(t.Data), at+around)
		from += bytes.LastIndexByte(t.Data[from:i], t.EOL) + 1
		rest, _, _ := bytes.Cut(t.Data[at:to], []byte{t.EOL})
		words := Tokens(Fold(string(t.Data[from : at+len(rest)])))
		for k := range words {
			if phraseAt(words, k) == p {
				return true
			}
		}
	}
	return true // a word this common is no misspelling
}
