package text

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Respell returns a new line in which the characters that it shares with an old one are spelled as in own, the line of
// the file that the old line fits (PLACING N1): those of the words that both begin or end with, but not beside a
// difference. Quotes come in pairs, so all or none of them are shared, apart from an apostrophe within a word.
func Respell(new, old, own string) string {
	before, after := Words(old), Words(new)
	spelled := spell(before, own)
	if spelled == nil {
		return new
	}
	head, tail := EqualEnds(before, after)
	torn := map[Family]bool{}
	for _, w := range slices.Concat(before[head:len(before)-tail], after[head:len(after)-tail]) {
		torn[familyOfWord(w)] = true
	}
	inWord := func(i int) bool { return 0 < i && i < len(before)-1 && isWord(before[i-1]) && isWord(before[i+1]) }
	for i, w := range before {
		j := i
		if behind := len(before) - i; behind <= tail {
			j = len(after) - behind
		} else if i >= head {
			continue
		}
		f := familyOfWord(w)
		isBeside := i == head-1 && head < len(after) || i == len(before)-tail && tail < len(after)
		isQuote := f == doubleQuotes || f == quotes && !inWord(i)
		if f == 0 || f == Spaces || !torn[f] || !isBeside && !isQuote {
			after[j] = spelled[i]
		}
	}
	return strings.Join(after, "")
}

// spell returns how the file spells each word of a line, nil if the words cannot be paired one by one.
func spell(line []string, own string) []string {
	spelled := make([]string, len(line))
	for i, w := range line {
		rest := own
		for w != "" {
			n, m := pair(w, rest)
			if n+m == 0 {
				return nil
			}
			w, rest = w[n:], rest[m:]
		}
		spelled[i], own = own[:len(own)-len(rest)], rest
	}
	if strings.ContainsFunc(own, func(r rune) bool { return familyOf(r) != widthless }) {
		return nil
	}
	if len(spelled) > 0 {
		spelled[len(spelled)-1] += own
	}
	return spelled
}

// pair returns the lengths of what a line of a request and one of the file begin with, if these are the same character,
// stand for each other, or one of them has no width: 0 for the other then. Both are 0 if the lines begin otherwise.
func pair(o, f string) (n, m int) {
	or, n := utf8.DecodeRuneInString(o)
	fr, m := utf8.DecodeRuneInString(f)
	switch of, ff := familyOf(or), familyOf(fr); {
	case o[:n] == f[:m], of != 0 && of == ff:
		return n, m
	case of != 0 && strings.HasPrefix(f, of.plain()):
		return n, len(of.plain())
	case ff != 0 && strings.HasPrefix(o, ff.plain()):
		return len(ff.plain()), m
	}
	return 0, 0
}

func isWord(s string) bool { return IsLetterOrDigit(firstRune(s)) }

// familyOfWord returns the family of a word that is a single character or three dots, 0 for every other word.
func familyOfWord(w string) Family {
	r := firstRune(w)
	switch {
	case w == "...":
		return ellipses
	case r == ' ' || isPunctuation(r):
		return Family(r)
	}
	return familyOf(r)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// A Lexicon has what the matched lines of a request teach about its notation (PLACING N1).
type Lexicon struct {
	// for each family, the character that the file has where the request has a typographic one
	signs   map[Family]string
	own     composition // of the lines of the file
	recasts bool        // a line of the request has another one
}

// A composition is how a text writes accented letters, 0 if it has none.
type composition int

const (
	composed   composition = 1 << iota // as one character
	decomposed                         // as a letter with marks behind it
)

func compositionOf(s string) (c composition) {
	if !norm.NFD.IsNormalString(s) {
		c |= composed
	}
	if !norm.NFC.IsNormalString(s) {
		c |= decomposed
	}
	return c
}

// contradictory is the entry of a family for which matched lines teach two different characters.
const contradictory = "\x00"

// Learn takes the lesson of a line of the request and of the line of the file that it fits.
func (x *Lexicon) Learn(o, f string) {
	if IsASCII(o) || !utf8.ValidString(f) {
		return
	}
	own := compositionOf(f)
	x.own, x.recasts = x.own|own, x.recasts || own != compositionOf(o)
	o, f = norm.NFC.String(o), norm.NFC.String(f)
	o, f = strings.TrimLeft(o, Space), strings.TrimLeft(f, Space)
	for o != "" && f != "" {
		n, m := pair(o, f)
		if n+m == 0 { // the lines differ in more than notation
			return
		}
		if family := lessonOf(firstRune(o)); n > 0 && family != 0 {
			x.teach(family, f[:m])
		}
		o, f = o[n:], f[m:]
	}
}

// teach records the character that stands for the family. Two typographic ones do not contradict each other.
func (x *Lexicon) teach(f Family, sign string) {
	if x.signs == nil {
		x.signs = map[Family]string{}
	}
	if was, known := x.signs[f]; !known {
		x.signs[f] = sign
	} else if was != sign && (was == f.plain() || sign == f.plain()) {
		x.signs[f] = contradictory
	}
}

// Translate returns a new line in the notation of the file, as far as x knows it. Unknown is a family in the line that
// x does not know, 0 if there is none. It reports false if the lines of the file do not tell how to write n.
func (x *Lexicon) Translate(n string) (line string, unknown Family, ok bool) {
	if IsASCII(n) {
		return n, 0, true
	}
	switch {
	case !x.recasts || compositionOf(n) == 0:
	case x.own == composed:
		n = norm.NFC.String(n)
	case x.own == decomposed:
		n = norm.NFD.String(n)
	default:
		return n, 0, false
	}
	var b strings.Builder
	for i, w := 0, 0; i < len(n); i += w {
		var r rune
		r, w = utf8.DecodeRuneInString(n[i:])
		f := lessonOf(r)
		was, known := x.signs[f]
		if (f == quotes || f == doubleQuotes) && !known && // a lesson about the other kind of quotes
			(x.signs[quotes] == quotes.plain() || x.signs[doubleQuotes] == doubleQuotes.plain()) {
			was, known = f.plain(), true
		}
		sign := n[i : i+w]
		if f != 0 && known && was != contradictory && familyOf(firstRune(was)) != familyOf(r) {
			sign = was
		} else if f != 0 && !known && f != widthless { // a check says so of those without width
			unknown = f
		}
		b.WriteString(sign)
	}
	return b.String(), unknown, true
}

// EqualEnds returns how many items two lists have in common at the beginning and, of the others, at the end.
func EqualEnds[T comparable](a, b []T) (head, tail int) {
	n := min(len(a), len(b))
	for head < n && a[head] == b[head] {
		head++
	}
	for tail < n-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}
