package text

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Lexicon has what the matched lines of a request teach about its notation: for each family, the character that the
// file has where the request has a typographic one (PLACING N1).
type Lexicon map[Family]string

// contradictory is the entry of a family for which matched lines teach two different characters.
const contradictory = "\x00"

// Learn takes the lesson of a line of the request and of the line of the file that it fits.
func (x Lexicon) Learn(o, f string) {
	if IsASCII(o) || !utf8.ValidString(f) {
		return
	}
	o, f = norm.NFC.String(o), norm.NFC.String(f)
	o, f = strings.TrimLeft(o, Space), strings.TrimLeft(f, Space)
	for o != "" && f != "" {
		or, on := utf8.DecodeRuneInString(o)
		fr, fn := utf8.DecodeRuneInString(f)
		of, ff := familyOf(or), familyOf(fr)
		switch {
		case of == 0 && ff == 0 && or == fr:
		case of == 0 && ff != 0 && strings.HasPrefix(o, ff.plain()):
			on = len(ff.plain())
		case of != 0 && ff == of:
			x.teach(lessonOf(or), f[:fn])
		case of != 0 && strings.HasPrefix(f, of.plain()):
			fn = len(of.plain())
			x.teach(lessonOf(or), of.plain())
		default: // the lines differ in more than notation
			return
		}
		o, f = o[on:], f[fn:]
	}
}

// teach records the character that stands for the family. Two typographic characters of one family do not contradict
// each other.
func (x Lexicon) teach(f Family, sign string) {
	if was, known := x[f]; !known {
		x[f] = sign
	} else if was != sign && (was == f.plain() || sign == f.plain()) {
		x[f] = contradictory
	}
}

// Translate returns a new line in the notation of the file, as far as x knows it. Unknown is a family in the line that
// x does not know, 0 if there is none.
func (x Lexicon) Translate(n string) (line string, unknown Family) {
	if IsASCII(n) {
		return n, 0
	}
	var b strings.Builder
	for i, w := 0, 0; i < len(n); i += w {
		var r rune
		r, w = utf8.DecodeRuneInString(n[i:])
		f := lessonOf(r)
		was, known := x[f]
		if twin := f.sibling(); twin != 0 && !known && x[twin] == twin.plain() { // of the other kind of quotes
			was, known = f.plain(), true
		}
		switch {
		case f == 0 || !known || was == contradictory || familyOf(firstRune(was)) == familyOf(r):
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
