package patch

import (
	"errors"
	"io"
	"strings"

	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A wrapper is what the parser knows of the text around a patch.
type wrapper struct {
	fences    []string     // that are open around a bare patch
	fenced    bool         // the current line is in a code fence
	paragraph text.Scanner // at the line above the paragraph of the current line, or at the line that opens its fence
	hasMoved  bool         // the paragraph has a line "cd DIR", which may be the beginning of a script of several paragraphs
}

// pass notes that the current line is outside all patches.
func (w *wrapper) pass(in text.Scanner) {
	s := in.Line
	fence := text.IsFence(s)
	ends := text.IsBlank(s) || strings.HasPrefix(s, "%%") || strings.HasSuffix(s, ":")
	if fence || ends && !w.fenced && !w.hasMoved {
		w.paragraph, w.hasMoved = in, false
	}
	w.hasMoved = w.hasMoved || strings.HasPrefix(s, "cd ")
	w.fenced = w.fenced != fence
}

// readOutside reads a line that is not between Begin and End.
func (p *parser) readOutside(mark marker.PatchMarker) error {
	if !p.inScript && marker.CallsPatch(&p.in) {
		return p.readScript()
	}
	p.pass(p.in)
	added, _ := marker.ReadInnerMarker(strings.TrimPrefix(p.in.Line, "+"))
	switch f := marker.Of(&p.in); {
	case mark == marker.PatchBegin:
		p.state = between
	case mark != marker.PatchNone || added != marker.PatchNone || f == marker.V4A:
		return plan.Syntax(p.in.No, plan.Excerpt(p.in.Line)+" is outside the patch: expected it between \"*** Begin Patch\" and \"*** End Patch\"")
	case f != marker.None:
		return plan.MixedFormats(p.in.No, plan.Excerpt(p.in.Line), "patch")
	}
	return nil
}

// readWrapper reads a line that may stand above a bare patch: an empty line, the opening of a code fence, or a shell script. It
// reports false for any other line.
func (p *parser) readWrapper() (taken bool, err error) {
	s := p.in.Line
	if !p.inScript && (marker.CallsPatch(&p.in) || strings.HasPrefix(s, "cd ") || strings.HasPrefix(s, "<<")) {
		p.bare, p.state = true, bareEnd
		return true, p.readScript()
	}
	p.pass(p.in)
	if text.IsFence(s) && len(p.fences) < 4 { // nobody wraps a patch more often
		s = text.Unindented(s)
		p.fences = append(p.fences, s[:len(s)-len(strings.TrimLeft(s, s[:1]))])
		return true, nil
	}
	return text.IsBlank(s) || strings.HasPrefix(s, "%%"), nil
}

// endsWrapper reports whether the current line ends the code fence around a bare patch.
func (p *parser) endsWrapper() bool {
	for _, f := range p.fences {
		if strings.TrimRight(p.in.Line, " \t") == f {
			return true
		}
	}
	return false
}

// readScript reads the shell script that the current line is part of: all of a code fence; all of the request, if it begins with
// the script; or a paragraph.
func (p *parser) readScript() error {
	from := p.paragraph
	ends := text.IsBlank[string]
	switch {
	case p.fenced:
		ends = text.IsFence
	case text.IsBlankText(p.in.Src[:from.Next]):
		ends = nil
	}
	s := ScriptReader{Src: p.in.Src[from.Next:], above: from.No}
	end, err := s.Read(ends)
	var done plan.Plan
	if err == nil {
		done, err = s.Call.Plan()
	}
	var r *plan.Refusal
	if errors.As(err, &r) && errors.Is(err, io.ErrUnexpectedEOF) {
		r.Partial.Ops = append(p.plan.Ops, r.Partial.Ops...)
	}
	p.plan.Ops = append(p.plan.Ops, done.Ops...)
	p.in.Next, p.in.No = from.Next+end, from.No+strings.Count(s.Src[:end], "\n")
	p.paragraph, p.hasMoved = p.in, false
	return err
}

// Plan returns the plan of the patch.
func (c *call) Plan() (plan.Plan, error) {
	p, err := read(text.Scanner{Src: c.patch, No: c.above}, true)
	var r *plan.Refusal
	switch {
	case errors.As(err, &r):
		r.Partial = r.Partial.In(c.dir)
		return plan.Plan{}, r
	case p.LacksPath():
		return plan.Plan{}, OfNoFile(c.above + 1)
	}
	return p.In(c.dir), nil
}

// OfNoFile refuses a patch of chunks alone.
func OfNoFile(line int) error {
	return plan.Syntax(line, "the patch names no file: expected \"*** Update File: path\" above its lines")
}
