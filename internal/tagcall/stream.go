package tagcall

import (
	"errors"
	"strings"
)

// A Stream reads a request as it arrives. Its total cost is linear in the request.
type Stream struct {
	r    reader
	at   int  // up to where everything is certain
	done bool // the request cannot be read

	closing  string // what may end the call or aside that begins at the next tag, "" if there is none
	searched int    // up to where that is not
	tried    int    // how much there was behind the tag when it was last read
}

// NewStream returns a Stream for a request with parameters of the given kinds: see [Read].
func NewStream(kind func(key string) Kind) *Stream {
	return &Stream{r: reader{source: source{kind: kind}}}
}

// leastTry is the length up to which a call is read again whenever it may have ended. A longer one is read again when it has twice the
// length.
const leastTry = 1 << 12

// Read returns the calls that are complete in src, less those that it returned before. Src has whole lines, and begins with what was
// read before. In every request that begins with src and can be read, these are the next calls.
func (s *Stream) Read(src string) []Call {
	s.r.src, s.r.Calls = src, nil
	for !s.done {
		at := s.r.tagAfter(s.at)
		if s.at = at; at == len(src) || !s.mayEnd() {
			break
		}
		known := len(s.r.Calls)
		next, p, err := s.r.step(at)
		if err != nil || p != passed {
			s.r.Calls = s.r.Calls[:known]
			var bad *Error
			s.done = p == passed && errors.As(err, &bad) && !bad.CutOff
			s.wait(p == unfinished)
			break
		}
		s.at, s.closing = next, ""
	}
	return s.r.Calls
}

// wait notes that the request ends before what begins at the next tag does.
func (s *Stream) wait(isOpen bool) {
	s.r.none = nil // they may follow yet
	if name, _, _ := nameAt(s.r.src, s.at); isOpen {
		s.closing, s.searched, s.tried = "</"+name, len(s.r.src), len(s.r.src)-s.at
	}
}

// mayEnd reports whether what begins at the next tag may have ended.
func (s *Stream) mayEnd() bool {
	if s.closing == "" {
		return true
	}
	n := strings.Index(s.r.src[s.searched:], s.closing)
	if n < 0 {
		s.searched = len(s.r.src)
		return false
	}
	s.searched += n
	length := len(s.r.src) - s.at
	return length <= leastTry || length >= 2*s.tried
}
