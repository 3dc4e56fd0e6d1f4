package atomicedit

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A family is the signs that models write for one another. Folding makes one of them of all.
type family byte

const (
	quotes       family = '\''
	doubleQuotes family = '"'
	dashes       family = '-'
	spaces       family = ' '
	ellipses     family = '.'
)

// familyOf returns the family of a typographic sign, 0 for every other character.
func familyOf(r rune) family {
	switch r {
	case '‘', '’', '‚', '‛', '′':
		return quotes
	case '“', '”', '„', '‟', '″':
		return doubleQuotes
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return dashes
	case '\u00a0', '\u202f', '\u205f', '\u3000':
		return spaces
	case '…':
		return ellipses
	}
	if '\u2000' <= r && r <= '\u200a' {
		return spaces
	}
	return 0
}

// plain is how the family is written in ASCII.
func (f family) plain() string {
	if f == ellipses {
		return "..."
	}
	return string(rune(f))
}

func isASCII[T string | []byte](s T) bool {
	for ; len(s) >= 8; s = s[8:] {
		if (s[0]|s[1]|s[2]|s[3]|s[4]|s[5]|s[6]|s[7])&utf8.RuneSelf != 0 {
			return false
		}
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// fold returns what is left of a line when notation and the white space around it are overlooked.
func fold(s string) string {
	typed := ""
	if !isASCII(s) {
		start, end := trimmed(s)
		typed = s[start:end]
		var b strings.Builder
		for _, r := range norm.NFC.String(s) {
			if f := familyOf(r); f != 0 {
				b.WriteString(f.plain())
			} else {
				b.WriteRune(r)
			}
		}
		s = b.String()
	}
	start, end := trimmed(s)
	if start == end {
		return typed // special spaces alone are no blank line
	}
	return s[start:end]
}

// A lexicon is what the matched lines of a request teach about its notation: for each family, what stood in the file
// where the request had a typographic sign (PLACING N1).
type lexicon map[family]string

const contradictory = "\x00"

// learn takes the lesson of a line of the request and the line of the file that it fits.
func (x lexicon) learn(o, f string) {
	if isASCII(o) || !utf8.ValidString(f) {
		return
	}
	o, f = norm.NFC.String(o), norm.NFC.String(f)
	o, f = o[len(o)-len(strings.TrimLeft(o, space)):], f[len(f)-len(strings.TrimLeft(f, space)):]
	for o != "" && f != "" {
		or, on := utf8.DecodeRuneInString(o)
		fr, fn := utf8.DecodeRuneInString(f)
		of, ff := familyOf(or), familyOf(fr)
		switch {
		case of == 0 && ff == 0 && or == fr:
		case of == 0 && ff != 0 && strings.HasPrefix(o, ff.plain()):
			on = len(ff.plain())
		case of != 0 && ff == of:
			x.teach(of, f[:fn])
		case of != 0 && strings.HasPrefix(f, of.plain()):
			fn = len(of.plain())
			x.teach(of, of.plain())
		default: // not the same text after all
			return
		}
		o, f = o[on:], f[fn:]
	}
}

// teach notes what stood for a sign of the family; two typographic signs of it are as good as one another.
func (x lexicon) teach(f family, sign string) {
	if was, known := x[f]; !known {
		x[f] = sign
	} else if was != sign && (was == f.plain() || sign == f.plain()) {
		x[f] = contradictory
	}
}

// respell writes the signs of a new line that the old one has too the way the file has them: own is the line of the file
// that the old one fits (PLACING N1). Signs are the same only among the words that both lines begin or end with, and not
// beside what differs; quotes, which come in pairs, only if all of them are, but for an apostrophe within a word.
func respell(new, old, own string) string {
	before, after := joinDots(words(old)), joinDots(words(new))
	spelled := spell(before, own)
	if spelled == nil {
		return new
	}
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	torn := map[family]bool{}
	for _, w := range slices.Concat(before[head:len(before)-tail], after[head:len(after)-tail]) {
		torn[familyOfWord(w)] = true
	}
	inWord := func(i int) bool { return 0 < i && i < len(before)-1 && isWord(before[i-1]) && isWord(before[i+1]) }
	pair := func(i, j int) {
		beside := i == head-1 && head < len(after) || i == len(before)-tail && tail < len(after)
		keeps := !beside
		switch f := familyOfWord(before[i]); {
		case f == spaces || f == 0 || !torn[f]:
			keeps = true
		case f == doubleQuotes || f == quotes && !inWord(i):
			keeps = false
		}
		if keeps {
			after[j] = spelled[i]
		}
	}
	for i := range head {
		pair(i, i)
	}
	for i := range tail {
		pair(len(before)-1-i, len(after)-1-i)
	}
	return strings.Join(after, "")
}

// spell returns how the file spells each word of a line, nil if they cannot be paired one by one.
func spell(line []string, own string) []string {
	spelled := make([]string, len(line))
	for i, w := range line {
		rest := own
		if r, size := utf8.DecodeRuneInString(own); w == "..." && familyOf(r) == ellipses {
			spelled[i], own = own[:size], own[size:]
			continue
		}
		for _, r := range w {
			f, size := utf8.DecodeRuneInString(rest)
			if r != f && (r == utf8.RuneError || familyOfAny(r) == 0 || familyOfAny(r) != familyOfAny(f)) {
				return nil
			}
			rest = rest[size:]
		}
		spelled[i], own = own[:len(own)-len(rest)], rest
	}
	if own != "" {
		return nil
	}
	return spelled
}

func isWord(s string) bool { return isLetterOrDigit(firstRune(s)) }

// familyOfWord returns the family of a word that is a sign, 0 for every other.
func familyOfWord(w string) family {
	if w == "..." {
		return ellipses
	}
	return familyOfAny(firstRune(w))
}

// joinDots makes one word of three dots.
func joinDots(words []string) []string {
	joined := words[:0]
	for i := 0; i < len(words); i++ {
		if i+2 < len(words) && words[i] == "." && words[i+1] == "." && words[i+2] == "." {
			joined = append(joined, "...")
			i += 2
		} else {
			joined = append(joined, words[i])
		}
	}
	return joined
}

// familyOfAny returns the family of a sign, be it typographic or plain.
func familyOfAny(r rune) family {
	switch f := family(r & 0x7f); f {
	case quotes, doubleQuotes, dashes, spaces:
		if r < utf8.RuneSelf {
			return f
		}
	}
	return familyOf(r)
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// translate writes a new line in the file's own notation, as far as x teaches it; unknown is the family of a sign that
// nothing was taught about, 0 if there is none.
func (x lexicon) translate(n string) (line string, unknown family) {
	if isASCII(n) {
		return n, 0
	}
	var b strings.Builder
	for i, w := 0, 0; i < len(n); i += w {
		var r rune
		r, w = utf8.DecodeRuneInString(n[i:])
		f := familyOf(r)
		was, known := x[f]
		if twin := f.sibling(); twin != 0 && !known && x[twin] == twin.plain() { // quotes of one kind are as good as those of the other
			was, known = f.plain(), true
		}
		switch {
		case f == 0 || !known || was == contradictory || familyOf(firstRune(was)) == f:
			b.WriteString(n[i : i+w])
			if f != 0 && !known {
				unknown = f
			}
		default:
			b.WriteString(was)
		}
	}
	return b.String(), unknown
}

// sibling returns the other kind of quotes.
func (f family) sibling() family {
	switch f {
	case quotes:
		return doubleQuotes
	case doubleQuotes:
		return quotes
	}
	return 0
}

// String names the family in a note.
func (f family) String() string {
	switch f {
	case quotes:
		return "typographic quotes"
	case doubleQuotes:
		return "typographic double quotes"
	case dashes:
		return "typographic dashes"
	case spaces:
		return "no-break or other special spaces"
	case ellipses:
		return "the ellipsis sign"
	}
	return "plain signs"
}

// A numbering is how a viewer numbered the lines that a request copied (PLACING N2).
type numbering struct {
	first     int    // the number of the first line
	separator string // between number and line, without space that is only there for some lines
	sure      bool   // false where texts have such a separator too, so that only the place can confirm it
}

var numberedLine = regexp.MustCompile(`^[ \t]*([0-9]{1,9})([ ]*[|│→]|\t|:| |$)`)

// numberingOf returns the numbering of lines that all have one, rising by one.
func numberingOf(lines []string) (n numbering, ok bool) {
	spaced := true // a space after the separator belongs to it if every line has one
	for i, l := range lines {
		if c := strings.TrimLeft(l, space); c == "" || c[0] < '0' || '9' < c[0] {
			return n, false
		}
		m := numberedLine.FindStringSubmatch(l)
		if m == nil {
			return n, false
		}
		number, err := strconv.Atoi(m[1])
		switch {
		case err != nil || i > 0 && number != n.first+i:
			return n, false
		case i == 0:
			n.first = number
		}
		if m[2] == "" { // a blank line that lost the separator
			continue
		}
		if n.separator == "" {
			n.separator = m[2]
		}
		if strings.TrimLeft(m[2], " ") != strings.TrimLeft(n.separator, " ") {
			return n, false
		}
		rest := l[len(m[0]):]
		spaced = spaced && (rest == "" || rest[0] == ' ')
	}
	if n.separator == "" {
		return n, false
	}
	n.separator = strings.TrimLeft(n.separator, " ")
	n.sure = n.separator != "" && n.separator != ":"
	if n.separator == "" {
		n.separator = " "
	} else if spaced && n.separator != "\t" {
		n.separator += " "
	}
	return n, true
}

// strip takes the numbers off lines; false if one of them has none.
func (n numbering) strip(lines []string) ([]string, bool) {
	stripped := make([]string, len(lines))
	for i, l := range lines {
		m := numberedLine.FindStringSubmatch(l)
		if m == nil {
			return nil, false
		}
		rest := strings.TrimLeft(l[strings.Index(l, m[1])+len(m[1]):], " ")
		if n.separator == " " {
			rest = l[strings.Index(l, m[1])+len(m[1]):]
		}
		if !strings.HasPrefix(rest, n.separator) && strings.Trim(rest, space) != strings.Trim(n.separator, space) {
			return nil, false
		}
		stripped[i] = strings.TrimPrefix(rest, n.separator)
		if isBlank(rest) || strings.Trim(rest, space) == strings.Trim(n.separator, space) {
			stripped[i] = ""
		}
	}
	return stripped, true
}

var elisionMark = regexp.MustCompile(`^[ \t]*(//|#|--|;|%|/\*|<!--|\{/\*)?[ \t]*(\.\.\.|…)[ \t]*(\*/\}?|-->)?[ \t]*$`)

// isElision reports whether a line of a request stands for lines left out.
func isElision(s string) bool {
	return len(s) < 200 && hasDots(s) && (elisionMark.MatchString(s) || framed.MatchString(strings.Trim(s, space)))
}

// hasDots reports whether s has what stands for text left out, as few texts do.
func hasDots(s string) bool { return strings.Contains(s, "...") || strings.Contains(s, "…") }
