package text

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Squeezed text is in plain characters, and has no whitespace other than one space between two words.
type Squeezed string

// Squeeze returns s squeezed.
func Squeeze(s string) Squeezed {
	var b strings.Builder
	last := ' '
	for line := range strings.Lines(s) {
		between := true
		for _, r := range Fold(line) {
			if unicode.IsSpace(r) {
				between = true
				continue
			}
			if between && isOfWord(last) && isOfWord(r) {
				b.WriteByte(' ')
			}
			b.WriteRune(r)
			last, between = r, false
		}
	}
	return Squeezed(b.String())
}

// A Changed text is what an edit changes in its old or its new text. The bytes from one offset to another differ from
// the other text. If there are none, the other text has more at that offset.
type Changed struct {
	text     Squeezed
	from, to int
}

// Change returns what an edit changes in its old and in its new text: the lines that differ, without those above and
// below, which an edit that does not fit often misquotes. A text whose lines are all in the other one is whole. If the
// texts differ only in whitespace, all of both counts as changed.
func Change(old, new string) (Changed, Changed) {
	o, n := Squeeze(old), Squeeze(new)
	if o == n {
		return Changed{o, 0, len(o)}, Changed{n, 0, len(n)}
	}
	before, after := changedIn(o, n)
	o, n = differing(old, new)
	ofOld, ofNew := changedIn(o, n)
	if o != "" {
		before = ofOld
	}
	if n != "" {
		after = ofNew
	}
	return before, after
}

func changedIn(old, new Squeezed) (Changed, Changed) {
	head, tail := CommonEnds(string(old), string(new))
	return Changed{old, head, len(old) - tail}, Changed{new, head, len(new) - tail}
}

// differing returns the lines of two texts without those that are equal at the top and at the bottom.
func differing(old, new string) (Squeezed, Squeezed) {
	a, b := Split(old), Split(new)
	head, tail := equalEnds(a, b)
	return Squeeze(strings.Join(a[head:len(a)-tail], "\n")), Squeeze(strings.Join(b[head:len(b)-tail], "\n"))
}

// equalEnds returns how many strings two lists have in common at the beginning and, of the others, at the end.
func equalEnds(a, b []string) (head, tail int) {
	n := min(len(a), len(b))
	for head < n && a[head] == b[head] {
		head++
	}
	for tail < n-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// IsEmpty reports whether c has no text.
func (c Changed) IsEmpty() bool { return c.text == "" }

// Meets reports whether c and s may stand in one text so that s has a part of what changed, or both sides of it. They
// may if they agree wherever they overlap, because nothing is known of the rest of that text. An overlap that begins
// and ends within words does not count. Meets is linear.
func (c Changed) Meets(s Squeezed) bool {
	other := string(s)
	return s != "" && c.text != "" && (c.isIn(other) || c.has(other) || c.beginsIn(other) || c.endsIn(other))
}

// isIn reports whether s has all of c. Where the other text has more at an end of c, s has to have more, too.
func (c Changed) isIn(s string) bool {
	switch {
	case c.to == 0:
		s = s[1:]
	case c.from == len(c.text):
		s = s[:len(s)-1]
	}
	return strings.Contains(s, string(c.text))
}

// has reports whether c has s where it changed.
func (c Changed) has(s string) bool {
	return strings.Contains(string(c.text[max(0, c.from-len(s)+1):min(len(c.text), c.to+len(s)-1)]), s)
}

// beginsIn reports whether s may end in what changed, or behind it.
func (c Changed) beginsIn(s string) bool {
	text := string(c.text)
	if c.from == len(text) || !strings.Contains(s, text[:c.from+1]) {
		return false
	}
	for n := range overlaps(s, text) {
		if n > c.from && (c.to > 0 || n < len(s)) && (isEdge(s, len(s)-n) || isEdge(text, n)) {
			return true
		}
	}
	return false
}

// endsIn reports whether s may begin in what changed, or before it.
func (c Changed) endsIn(s string) bool {
	text := string(c.text)
	if c.to == 0 || !strings.Contains(s, text[c.to-1:]) {
		return false
	}
	for n := range overlaps(text, s) {
		if start := len(text) - n; start < c.to && (c.from < len(text) || n < len(s)) &&
			(isEdge(text, start) || isEdge(s, n)) {
			return true
		}
	}
	return false
}

// isEdge reports whether no word of s begins before the offset i and ends behind it.
func isEdge(s string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	behind, _ := utf8.DecodeRuneInString(s[i:])
	return !isOfWord(before) || !isOfWord(behind)
}

// overlaps returns the lengths of all prefixes of b that a ends with, longest first.
func overlaps(a, b string) iter.Seq[int] {
	b = b[:min(len(a), len(b))]
	a = a[len(a)-len(b):]
	border, k := borders([]byte(b)), 0
	for i := range len(a) {
		for k > 0 && (k == len(b) || a[i] != b[k]) {
			k = border[k]
		}
		if a[i] == b[k] {
			k++
		}
	}
	return func(yield func(int) bool) {
		for ; k > 0 && yield(k); k = border[k] {
		}
	}
}
