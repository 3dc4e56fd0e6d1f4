package patch

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// goOn notes the problem of a patch that has its Begin and End, and goes on at the next chunk or file, so that all
// problems are told at once. The chunk or file that has the problem is left out.
func (p *parser) goOn() {
	const enough = 20
	var bad *plan.Refusal
	if !p.isOpen() || p.in.At >= p.end || !errors.As(p.err, &bad) || errors.Is(bad, io.ErrUnexpectedEOF) ||
		len(p.problems) == enough {
		return
	}
	// The line that closes what has the problem is read anew. A marker or name with a problem may be of another file.
	in, isBelow := p.in, bad.Problems[0].Line < p.in.No
	isHeader := strings.HasPrefix(p.in.Line, "*") || strings.HasPrefix(p.in.Line, "+")
	isSure := p.state == inUpdate && p.op.Path != "" && (isBelow || !isHeader)
	resumes := func() bool { // at another part
		mark, _ := marker.ReadInnerMarker(in.Line)
		return mark.IsHeader() && in.Line[0] == '*' || mark == marker.PatchEnd && in.At == p.end ||
			isSure && isChunkHeader(in.Line)
	}
	ok := isBelow && resumes()
	for !ok && in.Scan() {
		ok = resumes()
	}
	if !ok {
		return
	}
	p.problems, p.err = append(p.problems, bad.Problems...), nil
	edits := append(p.chunks.edits, plan.Edit{}) // in the place of the chunk
	p.chunks, p.added = chunkReader{path: p.chunks.path}, AddedReader{}
	if isChunkHeader(in.Line) {
		p.chunks.edits = edits
	} else {
		if p.state == inUpdate {
			p.op.Edits = edits
			p.plan.Ops = append(p.plan.Ops, p.op)
		}
		p.op, p.state = plan.Op{}, between
	}
	p.in.Next, p.in.No = in.At, in.No-1
}

// allProblems returns the refusal of a patch that has malformed parts.
func (p *parser) allProblems() error {
	var last *plan.Refusal
	if errors.As(p.err, &last) {
		p.problems = append(p.problems, last.Problems...)
	}
	p.plan.NumberEdits()
	bad := plan.Refuse(p.problems...)
	bad.Rest.Format = p.plan.Format
	for _, op := range p.plan.Ops {
		for i := range op.Edits {
			if op.Edits[i].Number == 0 {
				op.Edits[i].Number = i + 1
			}
		}
		op.Edits = slices.DeleteFunc(op.Edits, func(e plan.Edit) bool { return e.Hunk == "" })
		if op.Kind != plan.OpEdit || len(op.Edits) > 0 {
			bad.Rest.Ops = append(bad.Rest.Ops, op)
		}
	}
	return bad
}
