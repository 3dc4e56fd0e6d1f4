package call

import (
	"errors"
	"io"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/tagcall"
)

// ParseTags reads calls that are written as tags. It returns where they are as well. ReadProse reads the text of a
// message without calls.
func ParseTags(request string, readProse proseParser) (p plan.Plan, calls [][2]int, err error) {
	read, err := tagcall.Read(request)
	r := jsonread.NewRequest([]byte(request))
	plans, problems := readTagCalls(r, read.Calls, readProse)
	switch {
	case err != nil:
		bad := r.Refusal(err)
		if errors.Is(bad, io.ErrUnexpectedEOF) {
			bad.Partial, _ = plan.Join(append(plans, completePart(r, read.Open, readProse)))
		}
		return plan.Plan{}, nil, bad
	case len(problems) > 0:
		return plan.Plan{}, nil, plan.Refuse(problems...)
	case len(plans) == 0:
		return plan.Plan{}, nil, plan.Syntax(1, "there is no call here: expected one in tags, as in <replace_in_file>")
	}
	from := 0
	for _, span := range read.Prose {
		if err := marker.OnlyProse(request, span, marker.Tags); err != nil {
			return plan.Plan{}, nil, err
		}
		calls, from = append(calls, [2]int{from, span[0]}), span[1]
	}
	p, err = plan.Join(plans)
	return p, append(calls, [2]int{from, len(request)}), err
}

// ReadOpenTags reads calls that go on, which count as cut off. The plan has only what no later call can change.
func ReadOpenTags(request string, readProse proseParser) (plan.Plan, error) {
	read, _ := tagcall.Read(request) // what follows may change what is wrong
	plans, problems := readTagCalls(jsonread.NewRequest([]byte(request)), read.Calls[:read.Sure], readProse)
	if len(problems) > 0 {
		return plan.Plan{}, plan.Refuse(problems...)
	}
	p, err := plan.Join(plans)
	if err != nil {
		return plan.Plan{}, err
	}
	if len(plans) == 1 { // its edits have other numbers where it is not the only one
		alone := slices.Clone(p.Ops)
		for i := range alone {
			alone[i].Edits = slices.Clone(alone[i].Edits)
		}
		if p.NumberEdits(); !reflect.DeepEqual(alone, p.Ops) {
			p = plan.Plan{}
		}
	}
	if i := slices.IndexFunc(p.Ops, plan.Op.MayBeJoined); i >= 0 {
		p.Ops = p.Ops[:i+1]
	}
	if p.Format != "json" { // and so the next one may be in
		p.Format = ""
	}
	return plan.Plan{}, plan.CutOff(1, p, plan.GoesOn)
}

// readTagCalls returns the plans of calls, up to the first one that has problems, and the problems of all.
func readTagCalls(r *jsonread.Request, calls []tagcall.Call, readProse proseParser) (plans []plan.Plan,
	problems []plan.Problem) {
	const enough = 20 // each has to count lines
	for _, c := range calls {
		p, err := readTagCall(r, c, readProse)
		var bad *plan.Refusal
		switch {
		case errors.As(err, &bad):
			problems = append(problems, bad.Problems...)
			if len(problems) >= enough {
				return plans, problems[:enough]
			}
		case len(problems) == 0:
			plans = append(plans, p)
		}
	}
	return plans, problems
}

// readTagCall returns the plan of a call, whose parameters may be JSON within its tag.
func readTagCall(r *jsonread.Request, c tagcall.Call, readProse proseParser) (plan.Plan, error) {
	r = &jsonread.Request{Data: r.Data, Texts: c.JSON.Text == ""}
	if c.JSON.Text != "" {
		if !utf8.ValidString(c.JSON.Text) {
			return plan.Plan{}, r.NotUTF8(c.Offset)
		}
		v, err := jsonobj.ParseValue([]byte(c.JSON.Text), c.JSON.Offset)
		if err != nil {
			return plan.Plan{}, r.Refusal(err)
		}
		return ReaderOf(c.Tool, readProse)(r, v)
	}
	o := tagsCall(r, c.Fields, c.Offset, jsonread.TheRequest)
	t := TaskOf(c.Tool)
	t.noPath = c.Tool == ""
	for i, fields := range c.Edits {
		t.beside = append(t.beside, tagsCall(r, fields, fields[0].Offset, "edit "+strconv.Itoa(i+1)))
	}
	return ReadCall(o, t), r.Problems()
}

// tagsCall returns the reader of parameters, which begin at an offset. Messages call them by the given name.
func tagsCall(r *jsonread.Request, fields []tagcall.Field, offset int, name string) *jsonread.Object {
	all := &jsonobj.Object{Offset: offset}
	for _, f := range fields {
		all.Add(f.Name, jsonobj.OfText(f.Text, f.Offset))
	}
	return r.CallOf(all, name)
}

// completePart returns the plan of what is complete in a call that was cut off.
func completePart(r *jsonread.Request, c *tagcall.Call, readProse proseParser) plan.Plan {
	switch {
	case c == nil, len(c.Edits) == 1:
		return plan.Plan{}
	case len(c.Edits) > 1:
		complete := *c
		complete.Edits = c.Edits[:len(c.Edits)-1]
		p, err := readTagCall(r, complete, readProse)
		if err != nil {
			return plan.Plan{}
		}
		return p
	case c.JSON.Text != "":
		return partialJSON([]byte(c.JSON.Text), ReaderOf(c.Tool, readProse))
	case len(c.Fields) == 0:
		return plan.Plan{}
	}
	p, err := readTagCall(r, *c, readProse)
	o := tagsCall(&jsonread.Request{Texts: true}, c.Fields, c.Offset, jsonread.TheRequest)
	return partialText(o, c.Fields[len(c.Fields)-1].Name, p, err)
}
