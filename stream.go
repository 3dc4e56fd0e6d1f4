package atomicedit

import (
	"errors"
	"io"
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

// A Stream reads a request as it arrives, for previews. The zero value is ready. It reads all of the request again
// whenever that has grown by a half, and a short one at each call of Plan, so that its total cost is linear in what
// is written, however small the chunks are and however often the plan is asked for. A Stream must not be copied after
// the first Write, and is not safe for concurrent use.
//
// A Stream reports only what the rest of the request cannot change: edits and operations that are complete. It does so
// for blocks, patches between Begin and End, unified diffs, calls in tags, and a JSON object with the arguments of one
// call. In calls in tags, it reports nothing after the first file that is edited, because a later call by line numbers
// joins those edits. For anything else it reports nothing: a line further down may move the file of hashlines, and a
// field further down may replace calls in a message. Carry out nothing before [Stream.Close] returns the plan of the
// whole request.
type Stream struct {
	// Tool is the name of the tool, where the chunks are the arguments of its call. Set it before the first Write.
	// [ParseCall] reads them. "" stands for a request in any format, as [Parse] reads it.
	Tool string

	written strings.Builder
	read    int // how much there was when it was last read
	total   int // how much was read, all times together

	plan  Plan // what is complete
	state StreamState
	err   error
	call  openCall
}

// freeReading is how much is read before a request has to grow by a half, in bytes.
const freeReading = 1 << 16

// Write adds a chunk to the request. It never fails.
func (s *Stream) Write(chunk []byte) (int, error) { return s.written.Write(chunk) }

// Plan returns what is complete so far, or was when the request was a third shorter. The plan is valid until the next
// Write; it must not be modified. It stays true as the request grows, except that an empty Plan.Format, Op.Path or
// Op.Version may be filled in later, and it grows only at its end: edits are added to the last operation, and
// operations after it.
func (s *Stream) Plan() (Plan, StreamState) {
	if n := s.written.Len(); s.state != StreamHopeless && n > s.read && (s.total < freeReading || n-s.read >= s.read/2) {
		s.read, s.total = n, s.total+n
		s.advance(strings.TrimPrefix(s.written.String(), text.ByteOrderMark))
	}
	return s.plan, s.state
}

// Err returns the refusal that makes the request hopeless, as of the last call of [Stream.Plan], or nil.
func (s *Stream) Err() error { return s.err }

// Close returns what [Parse] returns for the whole request, or what [ParseCall] returns for the arguments of a tool.
func (s *Stream) Close() (Plan, error) {
	request := s.written.String()
	if s.Tool != "" && isObject(strings.TrimPrefix(request, text.ByteOrderMark)) {
		return ParseCall(s.Tool, []byte(request))
	}
	return Parse(request)
}

// isObject reports whether a request begins like a JSON object.
func isObject(request string) bool {
	return strings.HasPrefix(strings.TrimLeft(request, text.Space+"\n"), "{")
}

// advance reads the request as far as it has arrived.
func (s *Stream) advance(request string) {
	var p Plan
	var err error
	known := isObject(request)
	if known {
		p, err = s.call.read(request, func(args []byte) (Plan, error) { return ParseCall(s.Tool, args) })
		p.Format = "" // further calls may have another
	} else {
		p, known, err = readOpen(request[:strings.LastIndexByte(request, '\n')+1])
	}
	switch {
	case !known:
		return
	case err != nil:
		s.err, s.state = err, StreamHopeless
		return
	}
	s.state = StreamOpen
	if continues(s.plan, p) {
		s.plan = p
	}
}

// continues reports whether a plan has all that another has, as far as numbers tell.
func continues(before, after Plan) bool {
	last := len(before.Ops) - 1
	switch {
	case before.Format != "" && before.Format != after.Format || last >= len(after.Ops):
		return false
	case last < 0:
		return true
	}
	for i, op := range before.Ops[:last] {
		if len(op.Edits) != len(after.Ops[i].Edits) {
			return false
		}
	}
	return len(before.Ops[last].Edits) <= len(after.Ops[last].Edits)
}

// readOpen reads whole lines of a request in text that goes on. It returns what is complete, whether the format is
// known, and the refusal that nothing can mend.
func readOpen(request string) (p Plan, known bool, err error) {
	read := func(string) (Plan, error) { return Plan{}, nil } // of what is told only at the end
	begun := false
	for in := (text.Scanner{Src: request}); !known && in.Scan(); {
		first := !begun && !text.IsBlank(in.Line) && !text.IsFence(in.Line)
		begun = begun || first
		if first && mayBeginList(in.Line) || isLineEdit(in.Line) || strings.HasPrefix(text.Unindented(in.Line), "&lt;") {
			return Plan{}, true, nil
		}
		f := formatOf(&in)
		switch known = f != noFormat; {
		case f == formatBlocks:
			read = func(s string) (Plan, error) { return readBlocks(s, true) }
		case f == formatUnified:
			read = func(s string) (Plan, error) { return readUnified(s, nameStrip{}, true) }
		case f == formatV4A && isPatchBegin(in.Line):
			read = readOpenPatch
		case f == formatXML:
			read = func(s string) (Plan, error) { return readOpenTags(s, Parse) }
		}
	}
	_, err = read(request)
	var r *Refusal
	if !errors.As(err, &r) || errors.Is(err, io.ErrUnexpectedEOF) {
		if r != nil {
			p = r.Partial
		}
		return p, known, nil
	}
	below := 0 // lines that the problem may depend on
	for in := (text.Scanner{Src: request}); in.Scan() && below < 2; {
		if in.No > r.Problems[0].Line && !text.IsBlank(in.Line) {
			below++
		}
	}
	if below < 2 {
		err = nil
	}
	return Plan{}, known, err
}
