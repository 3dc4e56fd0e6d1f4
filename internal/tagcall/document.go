package tagcall

import "strings"

// document returns the JSON document within t, and the offset behind the closing tag. A closing tag in a string of the
// document is text.
func (s *source) document(t *tag) (f Field, next int, err error) {
	closing := "</" + t.name + ">"
	for at := t.end; at < len(s.src); at++ {
		switch s.src[at] {
		case '"':
			at = endOfString(s.src, at)
		case '<':
			if strings.HasPrefix(s.src[at:], closing) {
				return Field{Text: s.src[t.end:at], Offset: t.end}, at + len(closing), nil
			}
		}
	}
	if strings.Contains(s.src[t.end:], closing) {
		return Field{}, 0, s.fail(t.start,
			"a string in the JSON of <"+t.name+"> has no end before "+closing+": expected a quotation mark; inside "+
				"a string, write it as \\\"")
	}
	return Field{Text: s.src[t.end:], Offset: t.end}, 0, s.cutOff(t.start, closing)
}

// endOfString returns the offset of the quotation mark that ends the JSON string at an offset, or the end of s.
func endOfString(s string, at int) int {
	for at++; at < len(s); at++ {
		n := strings.IndexAny(s[at:], `"\`)
		if n < 0 {
			return len(s)
		}
		if at += n; s[at] == '"' {
			return at
		}
		at++ // what is escaped
	}
	return at
}
