package outline

import (
	"bytes"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A Header is the kind of a line that opens a scope without indenting it. Its value is the beginning of the line that
// closes the scope or opens the next one: "}", "[" or "#". The empty Header is any other line.
type Header string

// HeaderOf returns the kind of a line. Next is the line below it.
func HeaderOf(l, next []byte) Header {
	s := strings.Trim(string(l), text.Space)
	marks := len(s) - len(strings.TrimLeft(s, "#"))
	switch {
	case strings.HasSuffix(s, "{"):
		return "}"
	case strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]"):
		return "["
	case marks > 1 || marks == 1 && text.IsBlank(next):
		return "#"
	}
	return ""
}

// ClosedBy reports whether a line begins like the line that closes the scope of h, or like the next header.
func (h Header) ClosedBy(l []byte) bool {
	return h != "" && bytes.HasPrefix(bytes.TrimLeft(l, text.Space), []byte(h))
}

// GoesOn reports whether an open scope goes on at a line no deeper than its head: the end of parameters, a directive, a
// comment or, in braces, a label (one word) or a case.
func (h Header) GoesOn(l []byte) bool {
	l = bytes.Trim(l, text.Space)
	return bytes.IndexByte([]byte(")]#"), l[0]) >= 0 ||
		h == "}" && (l[len(l)-1] == ':' && !bytes.ContainsAny(l, text.Space) || bytes.HasPrefix(l, []byte("case ")))
}

// ScopeEnd returns the start of the line that ends the scope of head: the first below it that is no deeper and has a
// letter or digit. The scope of a section, or of a heading, ends at the next one of at least its level.
func ScopeEnd(t text.Text, head text.Line) int {
	s := scopeOf(t, head)
	for at := head.Next; at < len(t.Data); {
		l := t.LineAt(at)
		if s.endsAt(t.Bytes(l)) {
			return at
		}
		at = l.Next
	}
	return len(t.Data)
}

// EndsScopeOf reports whether a line would end the scope of head if it were right below.
func EndsScopeOf(t text.Text, head text.Line, l []byte) bool {
	s := scopeOf(t, head)
	return s.endsAt(l)
}

// scopeOf returns the scope of head before any line of it is read.
func scopeOf(t text.Text, head text.Line) scope {
	title := t.Bytes(head)
	return scope{header: HeaderOf(title, t.Bytes(t.LineAt(head.Next))), depth: Depth(title),
		level: HeadingLevel(title), comment: IsComment(string(title)), open: braces(title)}
}

// A scope is a head and the state of reading the lines below it.
type scope struct {
	header  Header
	depth   int
	level   int  // of a Markdown heading
	comment bool // the head is a comment
	open    int  // braces
	closed  bool // by its brace
	fenced  bool // in a code fence
}

// endsAt reads the next line and reports whether the scope ends before it.
func (s *scope) endsAt(l []byte) bool {
	outer := !text.IsBlank(l) && Depth(l) <= s.depth
	ends := outer && text.HasLetterOrDigit(l)
	s.open += braces(l)
	switch {
	case s.closed:
		return !text.IsBlank(l)
	case s.header == "}" && s.open <= 0 && outer && s.header.ClosedBy(l):
		s.closed = true
		return ends
	case s.header == "" || s.header == "}":
		return ends && !(s.header.GoesOn(l) && !s.comment)
	case s.header == "[":
		return ends && HeaderOf(l, nil) == s.header
	case s.level > 0: // a heading
		if text.IsFence(string(l)) {
			s.fenced = !s.fenced
		}
		n := HeadingLevel(l)
		return ends && !s.fenced && 0 < n && n <= s.level
	}
	return ends
}

// braces returns the number of braces that a line opens, less those that it closes.
func braces(l []byte) int { return bytes.Count(l, []byte("{")) - bytes.Count(l, []byte("}")) }

// A Gap is the lines between two others, neither of which is blank.
type Gap struct {
	text         text.Text
	upper, lower text.Line
	header       Header // the kind of upper
	outer, inner int    // the depths of upper and lower
}

// GapBetween returns the gap between two lines.
func GapBetween(t text.Text, upper, lower text.Line) Gap {
	above, below := t.Bytes(upper), t.Bytes(lower)
	return Gap{t, upper, lower, HeaderOf(above, t.Bytes(t.LineAt(upper.Next))), Depth(above), Depth(below)}
}

// Opened reports whether the upper line opens a scope.
func (g Gap) Opened() bool { return g.outer < g.inner || g.header != "" }

// LeavesScope reports whether a line in the gap leaves the scope of the upper line. No line may be further out than
// both, nor, if the upper line opened something, as far out, or another header like it.
func (g Gap) LeavesScope() bool {
	least := g.inner
	if g.outer < g.inner {
		least = g.outer + 1
	}
	for l := g.text.LineAt(g.upper.Next); l.Start < g.lower.Start; l = g.text.LineAt(l.Next) {
		content := g.text.Bytes(l)
		depth := Depth(content)
		if depth < least && text.HasLetterOrDigit(content) && !g.header.GoesOn(content) ||
			depth+g.outer+g.inner == 0 && IsSection(content) || depth == g.outer && g.header.ClosedBy(content) {
			return true
		}
	}
	return false
}
