package request

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/blocks"
	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/hashline"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
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

// Write adds a chunk to the request. It never fails.
func (s *Stream) Write(chunk []byte) (int, error) { return s.written.Write(chunk) }

// Plan returns what is complete, whether that has changed since the last call, and whether the request can be read.
func (s *Stream) Plan() (p plan.Plan, fresh, known bool) {
	const freeReading = 1 << 16 // bytes; beyond them, the readings so far read no more than there is
	if n := s.written.Len(); s.Err == nil && n > s.read && s.total <= n+freeReading {
		s.read, s.total = n, s.total+n
		s.advance(strings.TrimPrefix(s.written.String(), text.ByteOrderMark))
	}
	fresh, s.fresh = s.fresh, false
	return s.plan, fresh, s.known
}

// Close returns what [Parse] returns for the whole request, or what [ParseCall] returns for the arguments of a tool.
func (s *Stream) Close() (plan.Plan, error) {
	if s.Tool != "" {
		return ParseCall(s.Tool, []byte(s.written.String()))
	}
	return Parse(s.written.String())
}

func isObject(request string) bool {
	return strings.HasPrefix(strings.TrimLeft(request, text.Space+"\n"), "{")
}

func (s *Stream) advance(request string) {
	var p plan.Plan
	known := isObject(request)
	if known {
		s.call.tool = s.Tool
		p, s.Err = s.call.read(request)
		p.Format = "" // further calls may have another
	} else {
		p, known, s.Err = readOpen(request)
	}
	if s.Err != nil || !known {
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

// readOpen returns what is complete of a text that goes on, whether its format is known, and what nothing can mend.
func readOpen(request string) (p plan.Plan, known bool, err error) {
	request = request[:strings.LastIndexByte(request, '\n')+1]
	begun := false
	in := text.Scanner{Src: request}
	for !known && in.Scan() {
		first := !begun && !text.IsBlank(in.Line) && !text.IsFence(in.Line)
		begun = begun || first
		line := text.Unindented(in.Line)
		if first && (strings.HasPrefix(line, "[") || behindTokens(line, 0, CallRole) > 0) || // maybe a list of calls
			hasBracedCall(line) || hashline.IsLineEdit(in.Line) || strings.HasPrefix(line, "&lt;") {
			return plan.Plan{}, true, nil
		}
		f := marker.Of(&in)
		switch known = f != marker.None; {
		case f == marker.Blocks:
			_, err = blocks.Read(request, true)
		case f == marker.Unified:
			_, err = udiff.Read(request, true)
		case f == marker.V4A && marker.IsPatchBegin(in.Line):
			_, err = patch.ReadOpen(request)
		case f == marker.Tags:
			_, err = call.ReadOpenTags(request, Parse)
		} // what other formats have is told only at the end
	}
	r := new(plan.Refusal)
	if !errors.As(err, &r) || errors.Is(err, io.ErrUnexpectedEOF) {
		return r.Partial, known, nil
	}
	lines := text.Split(request)
	if text.CountSolid(lines[min(r.Problems[0].Line, len(lines)):]) < 2 { // which the problem may depend on
		err = nil
	}
	return plan.Plan{}, known, err
}

// An openCall reads the arguments of a call, a JSON object that goes on: of the first list of edits, files or
// operations, the elements that are complete; of a patch or blocks in a string, what readOpen tells.
type openCall struct {
	tool    string
	checked bool
	mute    bool   // nothing can be told before the end
	unnamed bool   // the paths are not known before the end
	file    string // that of the text
	dir     string // where the paths of the text start
	told    bool
}

// read returns the plan of what is complete in src, an object. The error is one that nothing can mend.
func (c *openCall) read(src string) (plan.Plan, error) {
	v, _ := jsonobj.Close([]byte(src))
	o, err := v.Object("")
	if err != nil && c.told { // it ends where it cannot be closed, or is malformed
		if _, err = parseOwnCall(c.tool, []byte(src)); !errors.Is(err, io.ErrUnexpectedEOF) {
			return plan.Plan{}, err
		}
	}
	if err != nil || c.mute {
		return plan.Plan{}, nil
	}
	for i, name := range o.Names {
		v, fields := o.Values[i], field.MeaningOf(name).Fields
		switch above := src[:v.Offset]; {
		case v.Kind() == '"' && fields&(field.PatchField|field.BlocksField) != 0:
			return c.readText(v, above), nil
		case v.Kind() == '[' && fields&(field.EditsField|field.FilesField|field.OperationsField) != 0:
			elems, _ := v.Array(name)
			for _, e := range slices.Backward(elems) {
				if strings.HasPrefix(src[e.Offset:], string(e.Raw)) { // else it was cut off in a list within the list
					return c.readList(src[:e.Offset+len(e.Raw)] + "]")
				}
			}
			return plan.Plan{}, nil
		}
	}
	return plan.Plan{}, nil
}

// readList reads a request up to a list, which has the elements that are complete.
func (c *openCall) readList(request string) (plan.Plan, error) {
	p, err := parseOwnCall(c.tool, []byte(request+"}"))
	if err != nil || len(p.Ops) == 0 {
		if !c.told { // it may lack a field that comes below the list
			err = nil
		}
		return plan.Plan{}, err
	}
	if !c.checked {
		c.checked, c.unnamed = true, !c.isFinal(request, p)
	}
	if c.told = true; c.unnamed {
		if move := slices.IndexFunc(p.Ops, func(op plan.Op) bool { return op.Kind == plan.OpMove }); move >= 0 {
			p.Ops = p.Ops[:move]
		}
		for i := range p.Ops {
			p.Ops[i].Path, p.Ops[i].To = "", ""
		}
	}
	return p, nil
}

// readText reads the lines of a text that are complete.
func (c *openCall) readText(v jsonobj.Value, above string) plan.Plan {
	lines, _ := v.Text()
	p, _, _ := readOpen(lines)
	if len(p.Ops) == 0 {
		return plan.Plan{}
	}
	if !c.checked {
		c.checked, c.mute = true, !c.place(above, p)
	}
	if c.mute {
		return plan.Plan{}
	}
	return p.In(c.dir).ForFile(c.file) // only one of them is set
}

// place finds out, from a short text in the place of that of a call, whether the call has its plan, for which files.
func (c *openCall) place(above string, p plan.Plan) bool {
	path := p.Ops[0].Path
	short := path + "\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"
	switch {
	case p.Format == "unified" && path == "": // the call may read hunks alone as chunks
		return false
	case p.Format == "v4a":
		short = "*** Begin Patch\n*** Update File: " + path + "\n@@\n-x\n+y\n*** End Patch\n"
	case p.Format == "unified":
		short = "--- a/" + path + "\n+++ b/" + path + "\n@@ -1 +1 @@\n-x\n+y\n"
	}
	text, _ := json.Marshal(short)
	request := above + string(text)
	called, err := parseOwnCall(c.tool, []byte(request+"}"))
	if err != nil || len(called.Ops) != 1 || called.Ops[0].Kind != plan.OpEdit || called.Ops[0].Edits[0].Near > 1 ||
		!c.isFinal(request, called) {
		return false
	}
	ok := true
	switch file := called.Ops[0].Path; {
	case path == "":
		c.file = file
	case file != path:
		c.dir, ok = strings.CutSuffix(file, "/"+path)
	}
	return ok
}

// isFinal reports whether the paths and kinds of a plan stay what they are, whatever fields come below in the request.
func (c *openCall) isFinal(request string, p plan.Plan) bool {
	trailers := []string{`"cwd":"moved"`, `"directory":"moved"`, `"move_to":"moved"`} // which may change the plan
	same := func(a, b plan.Op) bool { return a.Kind == b.Kind && a.Path == b.Path && a.To == b.To }
	return !slices.ContainsFunc(trailers, func(field string) bool {
		changed, err := parseOwnCall(c.tool, []byte(request+","+field+"}"))
		return err == nil && !slices.EqualFunc(p.Ops, changed.Ops[:min(len(p.Ops), len(changed.Ops))], same)
	})
}
