package request

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// An openCall reads the arguments of a call, a JSON object that goes on: of the first list of edits, files or
// operations, the elements that are complete; of a patch or blocks in a string, what readOpen tells.
type openCall struct {
	checked bool
	mute    bool   // nothing can be told before the end
	unnamed bool   // the paths are not known before the end
	file    string // that of the text
	dir     string // where the paths of the text start
	told    bool
}

// read returns the plan of what is complete in src, an object. The error is one that nothing can mend.
func (c *openCall) read(src string, parse func(args []byte) (plan.Plan, error)) (plan.Plan, error) {
	_, v, _ := jsonobj.Close([]byte(src))
	o, err := v.Object("")
	switch {
	case err != nil && c.told: // it ends where it cannot be closed, or is malformed
		if _, err := parse([]byte(src)); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return plan.Plan{}, err
		}
		return plan.Plan{}, nil
	case err != nil || c.mute:
		return plan.Plan{}, nil
	}
	for i, name := range o.Names {
		v, fields := o.Values[i], field.MeaningOf(name).Fields
		switch above := src[:v.Offset]; {
		case v.Kind() == '"' && fields&(field.PatchField|field.BlocksField) != 0:
			return c.readText(v, above, parse), nil
		case v.Kind() == '[' && fields&(field.EditsField|field.FilesField|field.OperationsField) != 0:
			elems, _ := v.Array(name)
			last := len(elems) - 1
			if last >= 0 && !strings.HasPrefix(src[elems[last].Offset:], string(elems[last].Raw)) {
				last-- // it was cut off in a list within the list
			}
			if last < 0 {
				return plan.Plan{}, nil
			}
			end := elems[last].Offset + len(elems[last].Raw)
			return c.readList(src[:end]+"]", parse)
		}
	}
	return plan.Plan{}, nil
}

// readList reads a request up to a list, which has the elements that are complete.
func (c *openCall) readList(request string, parse func(args []byte) (plan.Plan, error)) (plan.Plan, error) {
	p, err := parse([]byte(request + "}"))
	if err != nil || len(p.Ops) == 0 {
		if !c.told { // it may lack a field that comes below the list
			err = nil
		}
		return plan.Plan{}, err
	}
	if !c.checked {
		c.checked, c.unnamed = true, !isFinal(request, p, parse)
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
func (c *openCall) readText(v jsonobj.Value, above string, parse func([]byte) (plan.Plan, error)) plan.Plan {
	lines, _ := v.Text()
	p, _, _ := readOpen(lines)
	if len(p.Ops) == 0 {
		return plan.Plan{}
	}
	if !c.checked {
		c.checked, c.mute = true, !c.place(above, p, parse)
	}
	switch {
	case c.mute:
		return plan.Plan{}
	case c.dir != "":
		return p.In(c.dir)
	}
	return p.ForFile(c.file)
}

// place finds out from a short text in the place of the one that a call has whether the call has the plan of the text,
// and for which files.
func (c *openCall) place(above string, p plan.Plan, parse func([]byte) (plan.Plan, error)) bool {
	path := p.Ops[0].Path
	short := path + "\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"
	switch p.Format {
	case "v4a":
		short = "*** Begin Patch\n*** Update File: " + path + "\n@@\n-x\n+y\n*** End Patch\n"
	case "unified":
		short = "--- a/" + path + "\n+++ b/" + path + "\n@@ -1 +1 @@\n-x\n+y\n"
	}
	text, _ := json.Marshal(short)
	request := above + string(text)
	called, err := parse([]byte(request + "}"))
	if err != nil || len(called.Ops) != 1 || called.Ops[0].Kind != plan.OpEdit || called.Ops[0].Edits[0].Near > 1 ||
		!isFinal(request, called, parse) {
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

// trailers are fields that may come below what was read, and change the plan of it.
var trailers = []string{`"cwd":"moved"`, `"directory":"moved"`, `"move_to":"moved"`}

// isFinal reports whether the paths and kinds of a plan stay the same whatever comes below the request that it is read
// from, which lacks its closing bracket.
func isFinal(request string, p plan.Plan, parse func([]byte) (plan.Plan, error)) bool {
	same := func(a, b plan.Op) bool { return a.Kind == b.Kind && a.Path == b.Path && a.To == b.To }
	return !slices.ContainsFunc(trailers, func(field string) bool {
		changed, err := parse([]byte(request + "," + field + "}"))
		return err == nil && !slices.EqualFunc(p.Ops, changed.Ops[:min(len(p.Ops), len(changed.Ops))], same)
	})
}
