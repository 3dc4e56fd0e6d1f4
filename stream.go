package atomicedit

import (
	"bytes"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// A StreamState says how much a [Stream] knows so far. The zero value is StreamWaiting.
type StreamState int

const (
	StreamWaiting  StreamState = iota // nothing can be told yet, not even the format
	StreamOpen                        // the request can be read so far
	StreamHopeless                    // whatever follows, the request will be refused: see [Stream.Err]
)

// A Stream reads a request as it arrives, for previews. The zero value is ready. Its total cost is linear in what is written,
// however small the chunks are and however often the plan is asked for. A Stream must not be copied after the first Write, and is
// not safe for concurrent use.
//
// A Stream reports only what the rest of the request cannot change: edits and operations that are complete. It does so for blocks, patches
// between Begin and End, unified diffs, calls in tags, and a JSON object with the arguments of one call. In calls in tags, it reports
// nothing after the first file that is edited, because a later call by line numbers joins those edits. For anything else it reports
// nothing: a line further down may move the file of hashlines, and a field further down may replace calls in a message. Carry out nothing
// before [Stream.Close] returns the plan of the whole request.
type Stream struct {
	// Tool is the name of the tool, where the chunks are the arguments of its call. Set it before the first Write. [ParseCall]
	// reads them. "" stands for a request in any format, as [Parse] reads it.
	Tool string

	written strings.Builder
	lines   int           // offset behind the last line ending that was written
	read    int           // how much there was when it was last read
	in      text.Scanner  // at the last line in which no format was found
	begun   bool          // that line, or one before, is neither blank nor a code fence
	call    *callStream   // nil unless the request is a call in JSON
	reader  requestReader // nil as long as the format of other requests is not known
	plan    Plan          // what is complete
	err     error
}

// A requestReader reads a request line by line, as it arrives.
type requestReader interface {
	// readLines reads src, whole lines that begin with those read before, as far as their meaning is certain. It returns only errors
	// that nothing can mend.
	readLines(src string) error
	// complete returns what is complete. The plan is valid until the next call of readLines.
	complete() Plan
}

// toldAtTheEnd reads the requests of which nothing is certain before their end.
type toldAtTheEnd struct{}

func (toldAtTheEnd) readLines(string) error { return nil }
func (toldAtTheEnd) complete() Plan         { return Plan{} }

// Write adds a chunk to the request. It never fails.
func (s *Stream) Write(chunk []byte) (int, error) {
	if end := bytes.LastIndexByte(chunk, '\n'); end >= 0 {
		s.lines = s.written.Len() + end + 1
	}
	return s.written.Write(chunk)
}

// Plan returns what is complete so far. The plan is valid until the next Write; it must not be modified. It stays true as the request
// grows, except that an empty Plan.Format, Op.Path or Op.Version may be filled in later, and it grows only at its end: edits are added to
// the last operation, and operations after it.
func (s *Stream) Plan() (Plan, StreamState) {
	s.advance()
	switch {
	case s.err != nil:
		return s.plan, StreamHopeless
	case s.reader == nil && s.call == nil:
		return s.plan, StreamWaiting
	}
	return s.plan, StreamOpen
}

// Err returns the refusal that makes the request hopeless, as of the last call of [Stream.Plan], or nil.
func (s *Stream) Err() error { return s.err }

// Close returns what [Parse] returns for the whole request, or what [ParseCall] returns for the arguments of a tool.
func (s *Stream) Close() (Plan, error) {
	request := s.written.String()
	if s.Tool != "" && isObject(request) {
		return ParseCall(s.Tool, []byte(request))
	}
	return Parse(request)
}

// isObject reports whether a request begins like a JSON object.
func isObject(request string) bool {
	request = strings.TrimLeft(strings.TrimPrefix(request, text.ByteOrderMark), text.Space+"\n")
	return request != "" && request[0] == '{'
}

// advance reads what was written as far as its meaning is certain.
func (s *Stream) advance() {
	if s.err != nil || s.written.Len() == s.read {
		return
	}
	src, before := s.written.String(), s.read
	s.read = len(src)
	if s.call == nil && s.reader == nil && isObject(src[:min(len(src), 1000)]) {
		s.call = &callStream{parse: func(args []byte) (Plan, error) { return ParseCall(s.Tool, args) }}
	}
	if s.call != nil {
		s.plan, s.err = s.call.read(src)
		s.plan.Format = "" // further calls may have another
		return
	}
	if s.lines <= before {
		return
	}
	src = src[:s.lines]
	if s.reader == nil {
		s.findFormat(src)
	}
	if s.reader == nil {
		return
	}
	if s.err = s.reader.readLines(src); s.err == nil {
		s.plan = s.reader.complete()
	}
}

// findFormat looks for the first line that is a marker of a format.
func (s *Stream) findFormat(src string) {
	s.in.Src = src
	for next := s.in; next.Scan() && isSettled(next); next = s.in {
		s.in = next
		first := !s.begun && !text.IsBlank(next.Line) && !text.IsFence(next.Line)
		s.begun = s.begun || first
		if first && mayBeginList(next.Line) || isLineEdit(next.Line) || strings.HasPrefix(text.Unindented(next.Line), "&lt;") {
			s.reader = toldAtTheEnd{}
			return
		}
		switch formatOf(&next) {
		case formatBlocks:
			s.reader = newBlockParser()
		case formatUnified:
			s.reader = newUnifiedParser()
		case formatV4A:
			if s.reader = (toldAtTheEnd{}); isPatchBegin(next.Line) {
				s.reader = newPatchStream()
			}
		case formatXML:
			s.reader = newTagStream()
		case formatFence:
			s.reader = toldAtTheEnd{} // the fence may not be the end of the file
		case formatHashline:
			s.reader = toldAtTheEnd{} // a file may yet be moved, or deleted
		case noFormat:
			continue
		}
		return
	}
}
