package atomicedit

import (
	"io"
	"strings"
)

// A scanner reads a request line by line. All parsers of text use it; none splits lines itself.
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
	s.no++
	return true
}

// peek returns the line after the current one, "" at the end. It does not move.
func (s *scanner) peek() string {
	t := *s
	if !t.scan() {
		return ""
	}
	return t.text
}

// lines returns the lines from offset from up to offset to, each ended by "\n".
func (s *scanner) lines(from, to int) string {
	text := s.src[from:to]
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	if text != "" && text[len(text)-1] != '\n' {
		text += "\n"
	}
	return text
}

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
