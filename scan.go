package atomicedit

import (
	"io"
	"strings"
)

// A scanner reads a request line by line. All parsers of text use it; none splits lines itself. A byte order mark is no part
// of the first line.
type scanner struct {
	src  string
	text string // the current line, without its ending ("\n" or "\r\n")
	no   int    // its number, from 1
	at   int    // its offset in src
	next int    // the offset of the line after it
}

// scan moves to the next line and reports whether there is one. What follows the last line ending is a line only if
// it is not empty.
func (s *scanner) scan() bool {
	if s.at = s.next; s.at == len(s.src) {
		return false
	}
	end := strings.IndexByte(s.src[s.at:], '\n') + s.at
	if end < s.at {
		end, s.next = len(s.src), len(s.src)
	} else {
		s.next = end + 1
	}
	s.text = strings.TrimSuffix(s.src[s.at:end], "\r")
	if s.at == 0 {
		s.text = strings.TrimPrefix(s.text, byteOrderMark)
	}
	s.no++
	return true
}

const byteOrderMark = "\ufeff"

// crlf reports whether the current line ends in "\r\n".
func (s *scanner) crlf() bool { return strings.HasSuffix(s.src[s.at:s.next], "\r\n") }

// verbatim returns the current line without "\n", but with a "\r" before it.
func (s *scanner) verbatim() string { return strings.TrimSuffix(s.src[s.at:s.next], "\n") }

// peek returns the line after the current one, "" at the end. It does not move.
func (s *scanner) peek() string {
	t := *s
	if !t.scan() {
		return ""
	}
	return t.text
}

// wholeLines returns s with "\n" as the ending of every line, the last one included.
func wholeLines(s string) string {
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	if s != "" && s[len(s)-1] != '\n' {
		s += "\n"
	}
	return s
}

// isFence reports whether a line opens or closes a Markdown code fence.
func isFence(s string) bool {
	s = strings.TrimLeft(s, " \t")
	return strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~")
}

// quote returns a line of a request as it is shown in a message.
func quote(s string) string { return "\"" + clip(strings.TrimSpace(s), 60) + "\"" }

// syntax returns the refusal of a request that cannot be read at the given line.
func syntax(line int, msg string) *Refusal {
	return refuse(Problem{Err: ErrSyntax, Op: -1, Edit: -1, Line: line, Msg: msg})
}

// cutOff returns the refusal of a request that ended too early; partial is what was complete before.
func cutOff(line int, partial Plan, msg string) *Refusal {
	r := refuse(Problem{Err: errCutOff{}, Op: -1, Edit: -1, Line: line, Msg: msg})
	r.Partial = partial
	return r
}

// errCutOff is both ErrSyntax and io.ErrUnexpectedEOF.
type errCutOff struct{}

func (errCutOff) Error() string   { return "the request was cut off" }
func (errCutOff) Unwrap() []error { return []error{ErrSyntax, io.ErrUnexpectedEOF} }
