package request

import (
	"encoding/json"
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

// read returns the plan of what is complete. The error is one that nothing can mend.
func (c *openCall) read(src string, parse func(args []byte) (plan.Plan, error)) (plan.Plan, error) {
	part := openPartOf(src)
	switch {
	case c.mute:
		return plan.Plan{}, nil
	case part.isText:
		return c.readText(src, part, parse), nil
	case part.end == 0:
		return plan.Plan{}, nil
	}
	request := src[:part.end] + "]"
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

func (c *openCall) readText(src string, part openPart, parse func([]byte) (plan.Plan, error)) plan.Plan {
	v, err := jsonobj.ParseValue([]byte(`"`+src[part.begin:part.end]+`"`), 0)
	if err != nil {
		return plan.Plan{}
	}
	lines, _ := v.Text()
	p, _, _ := readOpen(lines)
	if len(p.Ops) == 0 {
		return plan.Plan{}
	}
	if !c.checked {
		c.checked, c.mute = true, !c.place(src[:part.begin], p, parse)
	}
	switch {
	case c.mute:
		return plan.Plan{}
	case c.file != "":
		return p.ForFile(c.file)
	case c.dir != "":
		return p.In(c.dir)
	}
	return p
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
	request := above + string(text[1:])
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

// An openPart is what is complete of an object that goes on.
type openPart struct {
	isText     bool // it is of a patch or blocks, up to a line ending; or else of a list
	begin, end int  // of the text; end is behind the last element of the list, 0 if there is none
}

// openPartOf finds the first list or text in an object.
func openPartOf(src string) (part openPart) {
	var open []byte // the brackets
	key, hasKey, inList := "", false, false
	means := func(fields field.Set) bool {
		return !inList && part.end == 0 && field.MeaningOf(key).Fields&fields != 0
	}
	for i := 0; i < len(src); i++ {
		switch b := src[i]; {
		case b == '"':
			end := i + jsonobj.StringLen(src[i:])
			switch {
			case len(open) == 1 && hasKey && means(field.PatchField|field.BlocksField):
				return openPart{isText: true, begin: i + 1, end: lastLineEnd(src[:end], i+1)}
			case len(open) == 1 && !hasKey:
				hasKey = json.Unmarshal([]byte(src[i:end]), &key) == nil
			}
			i = end - 1
		case b == '{' || b == '[':
			open = append(open, b)
			inList = inList || string(open) == "{[" && means(field.EditsField|field.FilesField|field.OperationsField)
		case (b == '}' || b == ']') && len(open) > 0:
			if inList && string(open) == "{[{" {
				part.end = i + 1
			}
			if open = open[:len(open)-1]; len(open) == 0 || inList && len(open) == 1 {
				return part
			}
		case b == ',' && len(open) == 1:
			hasKey = false
		}
	}
	return part
}

// lastLineEnd returns the offset behind the last line ending in the content of a JSON string, which begins at an offset.
func lastLineEnd(src string, at int) (end int) {
	end = at
	for i := at; i < len(src); i++ {
		if src[i] == '\\' {
			if i++; i < len(src) && src[i] == 'n' {
				end = i + 1
			}
		}
	}
	return end
}
