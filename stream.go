package atomicedit

import "github.com/atomicedit/atomicedit/internal/request"

// A StreamState says how much a [Stream] knows so far. The zero value is StreamWaiting.
type StreamState int

const (
	StreamWaiting  StreamState = iota // nothing can be told yet, not even the format
	StreamOpen                        // the request can be read so far
	StreamHopeless                    // whatever follows, the request will be refused: see [Stream.Err]
)

// A Stream reads a request as it arrives, for previews. The zero value is ready. Its total cost is linear in what is
// written, however small the chunks are and however often the plan is asked for. A Stream must not be copied after the
// first Write, and is not safe for concurrent use.
//
// A Stream reports only what the rest of the request cannot change: edits and operations that are complete. In some
// formats that is nothing before the end: in the repository, docs/hosting.md says in which. Carry out nothing before
// [Stream.Close] returns the plan of the whole request.
type Stream struct {
	// Tool is the name of the tool, where the chunks are the arguments of its call. Set it before the first Write.
	// [ParseCall] reads them. "" stands for a request in any format, as [Parse] reads it.
	Tool string

	in   request.Stream
	plan Plan // as it was last told
}

// Write adds a chunk to the request. It never fails.
func (s *Stream) Write(chunk []byte) (int, error) { return s.in.Write(chunk) }

// Plan returns what is complete so far, or was when the request was a third shorter. The plan is valid until the next
// Write; it must not be modified. It stays true as the request grows, except that an empty Plan.Format, Op.Path or
// Op.Version may be filled in later, and it grows only at its end: edits are added to the last operation, and
// operations after it.
func (s *Stream) Plan() (Plan, StreamState) {
	s.in.Tool = s.Tool
	p, fresh, state := s.in.Plan()
	if fresh {
		s.plan = fromPlan(p)
	}
	return s.plan, StreamState(state)
}

// Err returns the refusal that makes the request hopeless, as of the last call of [Stream.Plan], or nil.
func (s *Stream) Err() error {
	if err := s.in.Err(); err != nil {
		return refusalOf(err)
	}
	return nil
}

// Close returns what [Parse] returns for the whole request, or what [ParseCall] returns for the arguments of a tool.
func (s *Stream) Close() (Plan, error) {
	s.in.Tool = s.Tool
	return parsed(s.in.Close())
}
