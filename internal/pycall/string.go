package pycall

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// text reads a string, or several that Python joins, if there is one.
func (r *reader) text() (s string, found bool) {
	r.space()
	var b strings.Builder
	for {
		rest := strings.TrimLeft(r.src[r.at:], " \t\r\n")
		raw, begin, ok := r.quote(rest)
		if !ok || r.err != nil {
			return b.String(), found
		}
		r.at, found = len(r.src)-len(rest)+begin, true
		r.content(&b, raw)
	}
}

// quote reports whether a text begins with a string, how long the prefix of its quotation mark is, and whether
// backslashes stand for themselves in it.
func (r *reader) quote(rest string) (raw bool, begin int, ok bool) {
	for ; begin < len(rest) && begin <= len("rb"); begin++ {
		switch rest[begin] {
		case '"', '\'':
			return raw, begin, true
		case 'r', 'R':
			raw = true
		case 'u', 'U':
		case 'f', 'F', 'b', 'B':
			if begin+1 < len(rest) && (rest[begin+1] == '"' || rest[begin+1] == '\'') {
				r.fail("a string has the prefix \"" + rest[:begin+1] +
					"\", which is not carried out: expected a string as it is")
			}
		default:
			return false, 0, false
		}
	}
	return false, 0, false
}

// content reads a string from its quotation mark on.
func (r *reader) content(b *strings.Builder, raw bool) {
	mark := r.src[r.at : r.at+1]
	if long := strings.Repeat(mark, 3); strings.HasPrefix(r.src[r.at:], long) {
		mark = long
	}
	r.at += len(mark)
	for r.err == nil {
		n := strings.IndexAny(r.src[r.at:], mark[:1]+"\\\r\n")
		if n < 0 {
			r.at = len(r.src)
			r.fail("")
			break
		}
		b.WriteString(r.src[r.at : r.at+n])
		r.at += n
		switch rest := r.src[r.at:]; {
		case strings.HasPrefix(rest, mark):
			r.at += len(mark)
			return
		case rest[0] == '\\':
			r.escape(b, raw)
		case rest[0] == '\n' && len(mark) == 1:
			r.fail("a string goes over the end of its line: expected \\n for a newline, or three quotation marks " +
				"around the string")
		case strings.HasPrefix(rest, "\r\n"):
			r.at++ // Python reads a line ending as a newline
		default:
			b.WriteByte(rest[0])
			r.at++
		}
	}
}

// escapes has what a backslash and a character stand for.
var escapes = map[byte]string{'\\': "\\", '\'': "'", '"': "\"", 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r",
	't': "\t", 'v': "\v", '\n': ""}

// hexDigits has how many digits of a number follow a backslash and a character.
var hexDigits = map[byte]int{'x': 2, 'u': 4, 'U': 8}

// escape reads a backslash and what belongs to it.
func (r *reader) escape(b *strings.Builder, raw bool) {
	rest := r.src[r.at+1:]
	if rest == "" || !raw && len(rest) <= hexDigits[rest[0]] {
		r.at = len(r.src)
		r.fail("")
		return
	}
	c := rest[0]
	if strings.HasPrefix(rest, "\r\n") {
		r.at, c = r.at+1, '\n'
	}
	text, known := escapes[c]
	switch digits := hexDigits[c]; {
	case raw:
		b.WriteString("\\" + string(c))
		r.at += 2
	case known:
		b.WriteString(text)
		r.at += 2
	case digits > 0:
		r.codePoint(b, rest[1:min(len(rest), 1+digits)], 16, digits)
		r.at += 2 + digits
	case '0' <= c && c <= '7':
		n := min(len(rest), 3)
		n -= len(strings.TrimLeft(rest[:n], "01234567"))
		r.codePoint(b, rest[:n], 8, n)
		r.at += 1 + n
	case c == 'N':
		r.fail("a string has a character by its name, with \\N: expected the character itself")
	default: // Python keeps the backslash
		b.WriteByte('\\')
		r.at++
	}
}

// codePoint writes the character with the given number, which must have as many digits.
func (r *reader) codePoint(b *strings.Builder, number string, base, digits int) {
	n, err := strconv.ParseUint(number, base, 32)
	if err != nil || len(number) < digits || !utf8.ValidRune(rune(n)) {
		r.fail("a string has a backslash with a number that is no character: expected one as in \\u00e9")
		return
	}
	b.WriteRune(rune(n))
}
