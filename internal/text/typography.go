package text

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Family is a set of characters that models write for one another. Its value is its plain character, or the first.
type Family byte

// The families that have a name. [Spaces] are all special ones, no-break spaces for instance.
const (
	quotes       Family = '\''
	doubleQuotes Family = '"'
	dashes       Family = '-'
	Spaces       Family = ' '
	ellipses     Family = '.'

	// longDashes may stand for one hyphen or for two: a lesson about a shorter dash says nothing about them.
	longDashes Family = 1

	// widthless are characters without width, which nobody sees or can type. They stand for nothing.
	widthless Family = 2
)

// lessonOf returns the family whose lesson holds for a typographic character. There is none about joiners and variation
// selectors, which belong to the characters beside them.
func lessonOf(r rune) Family {
	switch {
	case r == '—' || r == '―':
		return longDashes
	case r == '\u200c' || r == '\u200d' || unicode.Is(unicode.Variation_Selector, r):
		return 0
	}
	return familyOf(r)
}

// familyOf returns the family of a typographic character, 0 for every other character.
func familyOf(r rune) Family {
	if r < utf8.RuneSelf {
		return 0
	}
	switch r {
	case '‘', '’', '‚', '‛', '′':
		return quotes
	case '“', '”', '„', '‟', '″':
		return doubleQuotes
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return dashes
	case '\u00a0', '\u202f', '\u205f', '\u3000':
		return Spaces
	case '…':
		return ellipses
	}
	if '\u2000' <= r && r <= '\u200a' {
		return Spaces
	}
	if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) {
		return widthless
	}
	if plain := r - '！' + '!'; '！' <= r && r <= '～' && isPunctuation(plain) { // full-width
		return Family(plain)
	}
	return 0
}

// isPunctuation reports whether a plain character has a full-width form. A full stop is in the family of ellipses.
func isPunctuation(r rune) bool { return '!' <= r && r <= '~' && r != '.' && !IsLetterOrDigit(r) }

func (f Family) plain() string {
	switch f {
	case ellipses:
		return "..."
	case longDashes:
		return dashes.plain()
	case widthless:
		return ""
	}
	return string(rune(f))
}

var familyNames = map[Family]string{
	quotes: "typographic quotes", doubleQuotes: "typographic double quotes", dashes: "typographic dashes",
	longDashes: "typographic dashes", Spaces: "no-break or other special spaces", ellipses: "ellipsis characters",
}

// String names the family in a note.
func (f Family) String() string { return cmp.Or(familyNames[f], "full-width punctuation marks") }

// Unseen returns the new text for a place of an old one without the characters without width that it begins or ends
// with and that the text has beside the place: nobody can see that the old text does not have them (N1).
func (t Text) Unseen(place Span, old, new string) string {
	first, n := utf8.DecodeRuneInString(new)
	if lessonOf(first) == widthless && bytes.HasSuffix(t.Data[:place.Start], []byte(new[:n])) &&
		!strings.HasPrefix(old, new[:n]) {
		new = new[n:]
	}
	last, n := utf8.DecodeLastRuneInString(new)
	if lessonOf(last) == widthless && bytes.HasPrefix(t.Data[place.End:], []byte(new[len(new)-n:])) &&
		!strings.HasSuffix(old, new[len(new)-n:]) {
		new = new[:len(new)-n]
	}
	return new
}

// KeepUnseen gives a new line that looks like an old one the characters of that which nobody sees (N1), if neither text
// has another line that looks so. If all lines look like the old ones, nothing else can be meant than those characters.
// It reports whether a line has changed.
func KeepUnseen(old, new []string) (kept bool) {
	if !slices.ContainsFunc(old, func(line string) bool { return Look(line) != line }) {
		return false
	}
	looks := make([]string, len(old))
	own := map[string]string{} // by what they look like, "" if there are several
	for i, line := range old {
		looks[i] = Look(line)
		if _, ok := own[looks[i]]; ok {
			line = ""
		}
		own[looks[i]] = line
	}
	if slices.Equal(looks, new) {
		return false
	}
	times := map[string]int{}
	for _, line := range new {
		times[line]++
	}
	for i, line := range new {
		if o := own[line]; o != "" && o != line && line != "" && times[line] == 1 {
			new[i], kept = o, true
		}
	}
	return kept
}

// Look returns a line without soft hyphens and characters of no width, and with plain characters for no-break spaces
// and hyphens, which look like them.
func Look(s string) string {
	if !strings.ContainsAny(s, "\u00a0\u202f\u2011\u00ad\u200b\u2060\ufeff") {
		return s
	}
	return strings.NewReplacer("\u00a0", " ", "\u202f", " ", "\u2011", "-", "\u00ad", "", "\u200b", "", "\u2060", "",
		"\ufeff", "").Replace(s)
}

// IsInvisible reports whether a character has no width, apart from joiners and variation selectors.
func IsInvisible(r rune) bool { return lessonOf(r) == widthless }

// Invisible returns where a text has its first character without width, -1 if it has none. A byte order mark at its
// beginning, joiners and variation selectors do not count.
func Invisible(t []byte) int {
	mark := len(t) - len(bytes.TrimPrefix(t, []byte("\ufeff")))
	if at := bytes.IndexFunc(t[mark:], IsInvisible); at >= 0 {
		return mark + at
	}
	return -1
}

// Fold returns a line in plain characters, without surrounding whitespace. Lines that differ only so have one key.
func Fold(s string) string {
	typed := ""
	if !IsASCII(s) {
		start, end := Trimmed(s)
		typed = s[start:end]
		var b strings.Builder
		writePlain(&b, s)
		s = b.String()
	}
	start, end := Trimmed(s)
	if start == end {
		return typed // a line of special spaces is not blank
	}
	return s[start:end]
}

// writePlain writes a text in plain characters, composed ones for accented letters.
func writePlain(b *strings.Builder, s string) {
	b.Grow(len(s))
	for _, r := range norm.NFC.String(s) {
		if f := familyOf(r); f != 0 {
			b.WriteString(f.plain())
		} else {
			b.WriteRune(r)
		}
	}
}

// IsSpecialSpace reports whether a character is a no-break space or another one that looks like a space.
func IsSpecialSpace(r rune) bool { return familyOf(r) == Spaces }

// PlainSpaces returns a line with plain spaces for the special ones.
func PlainSpaces(l string) string {
	return strings.Map(func(r rune) rune {
		if IsSpecialSpace(r) {
			return ' '
		}
		return r
	}, l)
}

// A Typography reports which families of typographic characters a text has. It is not safe for concurrent use.
type Typography struct {
	Text Text
	has  map[Family]bool
}

// Uses reports whether the text has a typographic character of a family.
func (x *Typography) Uses(f Family) bool {
	if x.has == nil {
		x.has = map[Family]bool{}
		for _, r := range string(x.Text.Data) {
			if r >= utf8.RuneSelf {
				x.has[familyOf(r)], x.has[lessonOf(r)] = true, true
			}
		}
	}
	return x.has[f]
}

func (x *Typography) HasInvisible() bool { return x.Uses(widthless) }
