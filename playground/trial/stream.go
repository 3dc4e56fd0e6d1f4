package trial

import (
	"strconv"

	"github.com/atomicedit/atomicedit"
)

// A Replay replays a request as a stream.
type Replay struct {
	in     Input
	stream *atomicedit.Stream
	at     int
}

// NewReplay returns a replay of a request that has not begun.
func NewReplay(in Input) *Replay {
	return &Replay{in: in, stream: &atomicedit.Stream{}}
}

// A Frame is what is known of a request when its first At bytes have arrived.
type Frame struct {
	At    int    `json:"at"`
	Size  int    `json:"size"`
	Sent  string `json:"sent"`  // the text that has arrived
	State string `json:"state"` // "waiting", "open", "hopeless", or "closed" at the end
	Ops   int    `json:"ops"`   // that are complete
	Edits int    `json:"edits"` // of all operations

	Answer Answer `json:"answer"` // what would become of the part that is complete
}

// At returns the frame after n bytes. Frames in order cost no more than the whole request.
func (r *Replay) At(n int) Frame {
	n = max(0, min(n, len(r.in.Request)))
	if n < r.at {
		*r = *NewReplay(r.in)
	}
	r.stream.Write([]byte(r.in.Request[r.at:n]))
	r.at = n
	f := Frame{At: n, Size: len(r.in.Request), Sent: r.in.Request[:n]}
	if n == len(r.in.Request) {
		f.State, f.Answer = "closed", Try(r.in)
		f.Ops, f.Edits = f.Answer.count()
		return f
	}
	p, state := r.stream.Plan()
	f.State = stateNames[state]
	switch {
	case state == atomicedit.StreamHopeless:
		f.Answer = r.in.describe(r.in.named(p), nil, r.stream.Err())
	case len(p.Ops) == 0:
		f.Answer = Answer{Outcome: "empty", Format: p.Format, Ops: []Op{}, Edits: []Edit{}, Files: []FileView{},
			Diff: []DiffRow{}}
	default:
		f.Answer = r.in.carryOut(r.in.named(p))
	}
	f.Ops, f.Edits = len(p.Ops), countEdits(p)
	return f
}

var stateNames = map[atomicedit.StreamState]string{
	atomicedit.StreamWaiting: "waiting", atomicedit.StreamOpen: "open", atomicedit.StreamHopeless: "hopeless",
}

func countEdits(p atomicedit.Plan) int {
	n := 0
	for _, op := range p.Ops {
		n += len(op.Edits)
	}
	return n
}

func (a Answer) count() (ops, edits int) {
	for _, op := range a.Ops {
		edits += op.Edits
	}
	return len(a.Ops), edits
}

// A Milestone is a byte of the request after which more is known than before it.
type Milestone struct {
	At    int    `json:"at"`
	Label string `json:"label"`
}

// Milestones reads a request as a stream, byte by byte or, if it is long, in some thousands of chunks.
func Milestones(in Input) []Milestone {
	all := []Milestone{}
	var s atomicedit.Stream
	step := max(1, len(in.Request)/4000)
	ops, edits, was := 0, 0, atomicedit.StreamWaiting
	for at := 0; at < len(in.Request); {
		next := min(at+step, len(in.Request))
		s.Write([]byte(in.Request[at:next]))
		at = next
		p, state := s.Plan()
		switch n := countEdits(p); {
		case state == atomicedit.StreamHopeless:
			return append(all, Milestone{at, "the request cannot be read any more"})
		case n > edits:
			all = append(all, Milestone{at, plural(n, "edit") + " can be shown"})
		case len(p.Ops) > ops:
			all = append(all, Milestone{at, plural(len(p.Ops), "operation") + " can be shown"})
		case state == atomicedit.StreamOpen && was == atomicedit.StreamWaiting:
			all = append(all, Milestone{at, "the format is known"})
		}
		ops, edits, was = len(p.Ops), countEdits(p), state
	}
	last := "the request is complete"
	if _, err := s.Close(); err != nil {
		last = "the request is refused"
	}
	if n := len(all); n > 0 && all[n-1].At == len(in.Request) {
		last = all[n-1].Label + ", and " + last
		all = all[:n-1]
	}
	return append(all, Milestone{len(in.Request), last})
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
