package request

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/blocks"
	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/hashline"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/patch"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
	"github.com/atomicedit/atomicedit/internal/udiff"
)

// A Stream reads a request as it arrives; package atomicedit documents it.
type Stream struct {
	Tool string
	Err  error // the refusal that makes the request hopeless, as of the last call of [Stream.Plan], or nil

	written strings.Builder
	read    int // how much there was when it was last read
	total   int // how much was read, all times together

	plan  plan.Plan // what is complete
	fresh bool      // nobody has asked for it yet
	known bool      // the request can be read so far
	call  openCall
}

// freeReading is how much is read before a request has to grow by a half, in bytes.
const freeReading = 1 << 16

// Write adds a chunk to the request. It never fails.
func (s *Stream) Write(chunk []byte) (int, error) { return s.written.Write(chunk) }

// Plan returns what is complete, whether that has changed since the last call, and whether the request can be read.
func (s *Stream) Plan() (p plan.Plan, fresh, known bool) {
	if n := s.written.Len(); s.Err == nil && n > s.read &&
		(s.total < freeReading || n-s.read >= s.read/2) {
		s.read, s.total = n, s.total+n
		s.advance(strings.TrimPrefix(s.written.String(), text.ByteOrderMark))
	}
	fresh, s.fresh = s.fresh, false
	return s.plan, fresh, s.known
}

// Close returns what [Parse] returns for the whole request, or what [ParseCall] returns for the arguments of a tool.
func (s *Stream) Close() (plan.Plan, error) {
	request := s.written.String()
	if s.Tool != "" && isObject(strings.TrimPrefix(request, text.ByteOrderMark)) {
		return ParseCall(s.Tool, []byte(request))
	}
	return Parse(request)
}

func isObject(request string) bool {
	return strings.HasPrefix(strings.TrimLeft(request, text.Space+"\n"), "{")
}

func (s *Stream) advance(request string) {
	var p plan.Plan
	var err error
	known := isObject(request)
	if known {
		parse := func(args []byte) (plan.Plan, error) { return parseOwnCall(s.Tool, args) }
		p, err = s.call.read(request, parse)
		p.Format = "" // further calls may have another
	} else {
		p, known, err = readOpen(request)
	}
	switch {
	case !known:
		return
	case err != nil:
		s.Err = err
		return
	}
	s.known = true
	if continues(s.plan, p) {
		s.plan, s.fresh = p, true
	}
}

// continues reports whether a plan has all that another has, as far as numbers tell.
func continues(before, after plan.Plan) bool {
	last := len(before.Ops) - 1
	switch {
	case before.Format != "" && before.Format != after.Format || last >= len(after.Ops):
		return false
	case last < 0:
		return true
	}
	asMany := func(a, b plan.Op) bool { return len(a.Edits) == len(b.Edits) }
	return slices.EqualFunc(before.Ops[:last], after.Ops[:last], asMany) &&
		len(before.Ops[last].Edits) <= len(after.Ops[last].Edits)
}

// readOpen reads the whole lines of a request in text that goes on. It returns what is complete, whether the format is
// known, and the refusal that nothing can mend.
func readOpen(request string) (p plan.Plan, known bool, err error) {
	request = request[:strings.LastIndexByte(request, '\n')+1]
	read := func(string) (plan.Plan, error) { return plan.Plan{}, nil } // of what is told only at the end
	begun := false
	in := text.Scanner{Src: request}
	for !known && in.Scan() {
		first := !begun && !text.IsBlank(in.Line) && !text.IsFence(in.Line)
		begun = begun || first
		if first && mayBeginList(in.Line) || hasBracedCall(in.Line) || hashline.IsLineEdit(in.Line) ||
			strings.HasPrefix(text.Unindented(in.Line), "&lt;") {
			return plan.Plan{}, true, nil
		}
		f := marker.Of(&in)
		switch known = f != marker.None; {
		case f == marker.Blocks:
			read = func(s string) (plan.Plan, error) { return blocks.Read(s, true) }
		case f == marker.Unified:
			read = func(s string) (plan.Plan, error) { return udiff.Read(s, true) }
		case f == marker.V4A && marker.IsPatchBegin(in.Line):
			read = patch.ReadOpen
		case f == marker.Tags:
			read = func(s string) (plan.Plan, error) { return call.ReadOpenTags(s, Parse) }
		}
	}
	_, err = read(request)
	var r *plan.Refusal
	if !errors.As(err, &r) || errors.Is(err, io.ErrUnexpectedEOF) {
		if r != nil {
			p = r.Partial
		}
		return p, known, nil
	}
	lines := text.Split(request)
	if text.CountSolid(lines[min(r.Problems[0].Line, len(lines)):]) < 2 { // which the problem may depend on
		err = nil
	}
	return plan.Plan{}, known, err
}
