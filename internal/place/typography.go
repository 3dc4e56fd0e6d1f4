package place

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A family is a set of characters that models write for one another. Its value is the plain character, or the first of several.
type family byte

const (
	quotes       family = '\''
	doubleQuotes family = '"'
	dashes       family = '-'
	spaces       family = ' '
	ellipses     family = '.'
)

// familyOf returns the family of a typographic character, 0 for every other character.
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
	if plain := fullWidth(r); plain != 0 {
		return family(plain)
	}
	return 0
}

// fullWidth returns the plain character of a full-width punctuation mark, 0 for every other character.
func fullWidth(r rune) rune {
	if plain := r - '！' + '!'; '！' <= r && r <= '～' && isPunctuation(plain) {
		return plain
	}
	return 0
}

// isPunctuation reports whether a plain character has a full-width form that models write for it. A full stop is in the family of
// the ellipsis.
func isPunctuation(r rune) bool {
	return '!' <= r && r <= '~' && r != '.' && !text.IsLetterOrDigit(r)
}

// familyOfAny returns the family of a character, typographic or plain, 0 for a character of no family.
func familyOfAny(r rune) family {
	if r == ' ' || isPunctuation(r) {
		return family(r)
	}
	return familyOf(r)
}

// plain returns the ASCII form of the family.
func (f family) plain() string {
	if f == ellipses {
		return "..."
	}
	return string(rune(f))
}

// sibling returns the other kind of quotes, 0 for any other family.
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
		return "ellipsis characters"
	}
	return "full-width punctuation marks"
}

// fold returns a line in plain characters and without surrounding whitespace. Lines that differ only in that fold to the same
// key.
func fold(s string) string {
	typed := ""
	if !text.IsASCII(s) {
		start, end := text.Trimmed(s)
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
	start, end := text.Trimmed(s)
	if start == end {
		return typed // a line of special spaces is not blank
	}
	return s[start:end]
}

// A typographyIndex reports which families of typographic characters a text has. It reads the text on first use.
type typographyIndex struct {
	data []byte
	has  map[family]bool
}

func (x *typographyIndex) uses(f family) bool {
	if x.has == nil {
		x.has = map[family]bool{}
		for _, r := range string(x.data) {
			if r >= utf8.RuneSelf {
				x.has[familyOf(r)] = true
			}
		}
	}
	return x.has[f]
}
