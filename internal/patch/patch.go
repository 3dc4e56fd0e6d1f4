// Package patch reads V4A patches into a plan, out of a shell script too, and prints them. Grammar has the well-formed
// ones, docs/reading.md what else is understood. Time and memory are linear in the length of the request.
package patch

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// Parse reads the patch in a request. One that has a Begin and no End, or chunks and an End, was cut off.
func Parse(request string) (plan.Plan, error) {
	p, err := read(text.Scanner{Src: strings.TrimPrefix(request, text.ByteOrderMark)}, false)
	if !strings.HasPrefix(request, "***") { // in a script, there are other ways to mend it
		return p, err
	}
	return p, plan.OrEscaped(request, err)
}

// read reads a patch. InScript says that a shell script passes it on, so that no other script is around it.
func read(in text.Scanner, inScript bool) (plan.Plan, error) {
	end, start := marker.LastPatchEnd(in.Src), outside
	if !marker.HasPatchBegin(in.Src) && (end < 0 || !startsWithHeader(in.Src)) {
		in.Src, _ = marker.InsideFences(in.Src)
		end, start = marker.LastPatchEnd(in.Src), bareStart
	}
	p := parser{in: in, inScript: inScript, end: end, state: start, paragraph: in, plan: plan.Plan{Format: "v4a"}}
	for p.err == nil && p.in.Scan() {
		if p.readLine(); p.err != nil {
			p.goOn()
		}
	}
	unended := p.err != nil && p.in.Next == len(in.Src) && in.Src[len(in.Src)-1] != '\n'
	if m, _ := marker.ReadPatchMarker(p.in.Line); p.isOpen() && unended && m != marker.PatchEnd {
		p.err = nil // half a line, and no end
	}
	return p.close()
}

// ReadOpen reads a patch that goes on, which counts as cut off. It begins with "*** Begin Patch".
func ReadOpen(request string) (plan.Plan, error) {
	p := parser{in: text.Scanner{Src: request}, end: -1, plan: plan.Plan{Format: "v4a"}}
	for p.err == nil && p.in.Scan() && p.isCertain() {
		p.readLine()
	}
	if p.err == nil {
		p.err = p.cutOff(plan.GoesOn)
	}
	return plan.Plan{}, p.err
}

// isCertain reports whether the current line means the same in every request that begins as this one does. What may be
// the last "*** End Patch" is not certain, nor is a header or a script outside of Begin and End.
func (p *parser) isCertain() bool {
	mark, _ := marker.ReadInnerMarker(strings.TrimPrefix(p.in.Line, "+"))
	if p.state == outside {
		return !mark.IsHeader() && mark != marker.PatchEnvironment && !marker.CallsPatch(&p.in)
	}
	return mark != marker.PatchEnd || p.in.Line[0] == '*'
}

// cutOff returns the refusal of a patch that ended too early, with the sections and chunks that are complete.
func (p *parser) cutOff(msg string) error {
	partial := p.plan
	if p.state == inUpdate && len(p.chunks.edits) > 0 {
		p.op.Edits = p.chunks.edits
		partial.Ops = append(partial.Ops, p.op)
	}
	partial.NumberEdits()
	return plan.CutOff(p.in.No, partial, msg)
}

// startsWithHeader reports whether the first marker in a request is one that stands below a Begin.
func startsWithHeader(request string) bool {
	in := text.Scanner{Src: request}
	for in.Scan() {
		if m, _ := marker.ReadInnerMarker(in.Line); m != marker.PatchNone || marker.Of(&in) != marker.None {
			return (m.IsHeader() || m == marker.PatchEnvironment) && in.Line[0] == '*'
		}
	}
	return false
}

type state int

const (
	outside   state = iota // text before Begin, or after End
	bareStart              // the start of a patch without Begin and End, perhaps inside a wrapper
	between                // the header of a file
	inAdd
	inDelete
	inUpdate // also a body without any header
	bareEnd  // nothing more: the wrapper has ended
)

type parser struct {
	in    text.Scanner
	err   error // the first problem, behind which nothing counts
	end   int   // offset of the last "*** End Patch", -1 if there is none
	state state
	plan  plan.Plan

	bare      bool // there is neither Begin nor End
	inScript  bool
	fenced    bool         // the current line is in a code fence
	paragraph text.Scanner // at the line above the paragraph of the current line, or at the line that opens its fence
	hasMoved  bool         // the paragraph has a line "cd DIR", which may begin a script of several paragraphs

	op     plan.Op // of the section being read
	line   int     // of the section's header
	sample bool    // a "*** Begin Patch" is in the section's content
	added  AddedReader
	chunks chunkReader

	problems []plan.Problem // before err: the patch is refused
}

func (p *parser) readLine() {
	mark, path := p.marker()
	switch p.state {
	case outside:
		if !mark.IsHeader() || p.in.At > p.end || len(p.plan.Ops) > 0 {
			p.readOutside(mark)
			return
		}
		p.state = between // the Begin of the first patch is missing
		if strings.IndexAny(lastLine(p.in.Src[:p.in.At]), "@+ ") == 0 {
			p.err = plan.CutOff(p.in.No, plan.Plan{}, noBegin)
			return
		}
	case bareStart:
		if p.readWrapper() {
			return
		}
		p.bare, p.state = true, between
		if mark == marker.PatchNone {
			p.state, p.line = inUpdate, p.in.No
		}
	}
	switch {
	case mark == marker.PatchNone:
		p.readBody()
	case mark == marker.PatchBegin:
		p.err = plan.Syntax(p.in.No, "a second \"*** Begin Patch\": expected \"*** End Patch\" before it")
	case mark == marker.PatchEnd:
		p.readEnd()
	case mark == marker.PatchEOF && p.chunks.lines.IsEmpty(),
		mark == marker.PatchEnvironment && p.state != between,
		mark == marker.PatchMove && (p.state != inUpdate || p.op.Path == "" || p.op.To != "" || !p.chunks.isAtStart()):
		p.err = plan.BadLine(&p.in, " is misplaced: expected it "+placeOf[mark])
	case mark == marker.PatchEOF:
		p.chunks.place.AtEnd = true
		p.err = p.chunks.closeChunk()
	case mark == marker.PatchEnvironment:
	case path == "":
		p.err = plan.BadLine(&p.in, " names no file: expected a path after the colon")
	case mark != marker.PatchMove:
		p.startSection(mark, path)
	default:
		p.op.Kind, p.op.To = plan.OpMove, path
	}
}

// placeOf says where markers that head no section belong.
var placeOf = map[marker.PatchMarker]string{
	marker.PatchEOF:         "below the lines of a chunk",
	marker.PatchEnvironment: `right below "*** Begin Patch"`,
	marker.PatchMove:        `right below "*** Update File: path"`,
}

// marker returns the marker that the current line is. In a chunk, a marker after whitespace is content, except the last
// "*** End Patch" of the request. That may even have a "+" in front.
func (p *parser) marker() (marker.PatchMarker, string) {
	s := p.in.Line
	isLastEnd := p.end == p.in.At && !p.bare
	switch {
	case strings.HasPrefix(s, "+***") && (p.state == inAdd || p.state == inUpdate):
		switch m, _ := marker.ReadPatchMarker(s[1:]); {
		case m == marker.PatchBegin:
			p.sample = true
		case m == marker.PatchEnd && isLastEnd && !p.sample &&
			strings.Trim(p.in.Src[p.in.Next:], text.Space+"\n`~") == "":
			return marker.PatchEnd, ""
		case m == marker.PatchEnd:
			p.sample = false
		}
		return marker.PatchNone, ""
	case p.state == inUpdate && p.chunks.isInChunk() && !isLastEnd && (s == "" || s[0] != '*'):
		return marker.PatchNone, ""
	}
	return marker.ReadInnerMarker(s)
}

const noBegin = "\"*** End Patch\" without \"*** Begin Patch\": the beginning of the request is missing; " +
	"send it again in full"

func (p *parser) readEnd() {
	if p.bare {
		p.err = plan.CutOff(p.in.No, plan.Plan{}, noBegin)
		return
	}
	if p.closeSection(false); p.err == nil && len(p.plan.Ops)+len(p.problems) == 0 {
		p.err = plan.Syntax(p.in.No, "the patch is empty: expected \"*** Add File: path\", \"*** Update File: "+
			"path\" or \"*** Delete File: path\"")
	}
	if p.err == nil {
		p.state = outside
		p.paragraph, p.hasMoved = p.in, false
	}
}

func (p *parser) startSection(mark marker.PatchMarker, path string) {
	if p.state == inUpdate && p.op.Path == "" {
		p.err = plan.BadLine(&p.in, " after lines that belong to no file: expected it above them")
		return
	}
	if p.closeSection(false); p.err != nil {
		return
	}
	p.op, p.line, p.sample = plan.Op{Path: path}, p.in.No, false
	switch mark {
	case marker.PatchAdd:
		p.state, p.op.Kind = inAdd, plan.OpCreate
		p.added.Path, p.added.crlf, p.added.bare = path, p.in.CRLF(), p.bare
	case marker.PatchDelete:
		p.state, p.op.Kind = inDelete, plan.OpDelete
	case marker.PatchUpdate:
		p.state, p.chunks.path = inUpdate, path
	}
}

func (p *parser) readBody() {
	s := p.in.Line
	if p.state == between || p.state == inUpdate && !p.chunks.isAtStart() && s != "" && (s[0] == 'd' || s[0] == '-') {
		if mark, path := p.diffHeader(); mark != marker.PatchNone {
			p.startSection(mark, path)
			return
		}
	}
	switch {
	case p.state == inUpdate:
		if p.err = p.chunks.read(&p.in); p.err != nil && p.bare && p.in.No == p.line {
			p.err = plan.BadLine(&p.in, " begins no patch: expected \"*** Begin Patch\"")
		}
	case p.state == inAdd:
		p.err = p.added.Read(&p.in)
	case text.IsBlank(s):
	case p.state == inDelete:
		p.err = plan.BadLine(&p.in, " below \"*** Delete File:\": expected no lines, "+
			"or \"*** Update File:\" to remove some")
	case p.state == bareEnd:
		p.err = plan.BadLine(&p.in, " after the end of the patch: expected nothing more")
	default:
		p.err = plan.BadLine(&p.in, " is not a file header: expected \"*** Add File: path\", "+
			"\"*** Update File: path\" or \"*** Delete File: path\"")
	}
}

// diffHeader returns the file header that the current line is in the language of diffs: "diff --git", or "---" above
// "+++" and "@@". Below the lines of a chunk, the two names must have the prefixes "a/" and "b/".
func (p *parser) diffHeader() (mark marker.PatchMarker, path string) {
	if git, ok := strings.CutPrefix(p.in.Line, "diff --git "); ok {
		if older, newer := marker.ReadGitNames(git); older == newer && newer != "" {
			return marker.PatchUpdate, newer
		}
	}
	h := marker.ReadFileHeader(&p.in)
	if h == nil || !h.Paired || !h.AboveHunk {
		return marker.PatchNone, ""
	}
	older, newer := marker.WithoutPrefixes(h.Old, h.New)
	switch {
	case h.Gone || newer == "" || p.state == inUpdate && !strings.HasPrefix(h.New, "b/"):
		return marker.PatchNone, ""
	case h.Fresh:
		return marker.PatchAdd, newer
	case older == newer && (p.state == between || h.New != newer):
		return marker.PatchUpdate, newer
	}
	return marker.PatchNone, ""
}

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
	for found := isBelow && resumes(); !found && in.Scan(); {
		found = resumes()
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

// closeSection adds the operation of the section being read to the plan, if there is one.
func (p *parser) closeSection(mayBeCut bool) {
	switch p.state {
	case inAdd:
		p.op.Content, p.err = p.added.Close()
	case inUpdate:
		p.op.Edits, p.err = p.chunks.close(mayBeCut)
		if p.err == nil && len(p.op.Edits) == 0 && p.op.Kind != plan.OpMove {
			p.err = plan.Syntax(p.line, "an update without lines: expected \"@@\" and lines that begin with \" \", "+
				"\"-\" or \"+\" below it")
		}
	case inDelete:
	default:
		return
	}
	if p.err == nil {
		p.plan.Ops = append(p.plan.Ops, p.op)
		p.op, p.state = plan.Op{}, between
	}
}

// isOpen reports whether the parser has read a Begin, and not its End.
func (p *parser) isOpen() bool { return p.state != outside && p.state != bareStart && !p.bare }

func (p *parser) close() (plan.Plan, error) {
	if p.err == nil && p.isOpen() {
		p.err = p.cutOff("the patch was cut off: expected \"*** End Patch\" at its end; send it again in full")
	} else if p.err == nil {
		p.closeSection(p.bare && !p.inScript)
	}
	switch {
	case len(p.problems) > 0:
		return plan.Plan{}, p.plan.RefuseAll(p.problems, p.err)
	case p.err != nil:
		return plan.Plan{}, p.err
	case len(p.plan.Ops) == 0:
		return plan.Plan{}, plan.Syntax(1, "there is no patch here: expected \"*** Begin Patch\"")
	}
	p.plan.NumberEdits()
	return p.plan, nil
}
