package tagcall

import (
	"strings"
	"unicode"
)

// A source is the text of a request, and what its parameters are. Nothing changes it.
type source struct {
	src  string
	kind func(key string) Kind // what the text of a parameter is, by its name in normal spelling
}

// tagAfter returns the offset of the next '<' from at on, the end of the request if there is none.
func (s *source) tagAfter(at int) int {
	if n := strings.IndexByte(s.src[at:], '<'); n >= 0 {
		return at + n
	}
	return len(s.src)
}

// startsLine reports whether only white space stands before an offset on its line.
func (s *source) startsLine(at int) bool {
	for at > 0 && (s.src[at-1] == ' ' || s.src[at-1] == '\t') {
		at--
	}
	return at == 0 || s.src[at-1] == '\n'
}

// endsLine reports whether only white space stands behind an offset on its line. It does not look for the end of the
// line, which may be far away.
func (s *source) endsLine(at int) bool {
	rest := strings.TrimLeftFunc(s.src[at:], func(r rune) bool { return r != '\n' && unicode.IsSpace(r) })
	return rest == "" || rest[0] == '\n'
}

// isParameter reports whether a tag is that of a parameter, or of a group of them.
func (s *source) isParameter(t *tag) bool {
	_, group := groups[t.key]
	return group || roles[t.key] != 0 || s.kind(t.key) != Unknown
}

// inText says what to do about a tag in a text that may end the text, or the call.
const inText = "send that text by other means, such as an edit that leaves out this tag"

func (s *source) fail(offset int, msg string) error { return &Error{Offset: offset, Msg: msg} }

func (s *source) cutOff(offset int, expected string) error {
	return &Error{Offset: offset, CutOff: true, Msg: "the request was cut off: expected " + expected +
		"; send it again in full"}
}
