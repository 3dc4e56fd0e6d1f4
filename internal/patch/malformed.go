package patch

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// goOn notes the problem of a patch that has its Begin and End, and goes on at the next chunk or file, so that all
// problems are told at once. The chunk or file that has the problem is left out.
func (p *parser) goOn() {
	bad := plan.Malformed(p.err, p.problems)
	if bad == nil || !p.isOpen() || p.in.At >= p.end {
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
