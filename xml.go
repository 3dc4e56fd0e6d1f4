package atomicedit

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/tagcall"
)

// parseTags is ParseXML, where readProse reads the text of a message without calls.
func parseTags(request string, readProse proseParser) (Plan, error) {
	read, err := tagcall.Read(request, tagKind)
	r := newJSONReader([]byte(request))
	plans, problems := readTagCalls(r, read.Calls, readProse)
	var bad *tagcall.Error
	switch {
	case errors.As(err, &bad) && bad.CutOff:
		complete, _ := joinCalls(append(plans, completePart(r, bad.Open, readProse)))
		return Plan{}, cutOff(lineAt(request, bad.Offset), complete, bad.Msg)
	case err != nil:
		return Plan{}, syntax(lineAt(request, bad.Offset), bad.Msg)
	case len(problems) > 0:
		return Plan{}, refuse(problems...)
	case len(plans) == 0:
		return Plan{}, syntax(1, "there is no call here: expected one in tags, as in <replace_in_file>")
	}
	for _, span := range read.Prose {
		if err := onlyProse(request, span); err != nil {
			return Plan{}, err
		}
	}
	return joinCalls(plans)
}

// readOpenTags reads calls that go on, which count as cut off. The plan has only what no later call can change.
func readOpenTags(request string, readProse proseParser) (Plan, error) {
	plans, problems := readTagCalls(newJSONReader([]byte(request)), tagcall.Complete(request, tagKind), readProse)
	if len(problems) > 0 {
		return Plan{}, refuse(problems...)
	}
	p, err := joinCalls(plans)
	if err != nil {
		return Plan{}, err
	}
	if len(plans) == 1 { // its edits have other numbers where it is not the only one
		alone := slices.Clone(p.Ops)
		for i := range alone {
			alone[i].Edits = slices.Clone(alone[i].Edits)
		}
		if p.numberEdits(); !reflect.DeepEqual(alone, p.Ops) {
			p = Plan{}
		}
	}
	if i := slices.IndexFunc(p.Ops, Op.mayBeJoined); i >= 0 {
		p.Ops = p.Ops[:i+1]
	}
	if p.Format != "json" { // and so the next one may be in
		p.Format = ""
	}
	return Plan{}, cutOff(1, p, goesOn)
}

// readTagCalls returns the plans of calls, up to the first one that has problems, and the problems of all.
func readTagCalls(r *jsonRequest, calls []tagcall.Call, readProse proseParser) (plans []Plan, problems []Problem) {
	const enough = 20 // each has to count lines
	for _, c := range calls {
		p, err := readTagCall(r, c, readProse)
		var bad *Refusal
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

// readTagCall returns the plan of one call.
func readTagCall(r *jsonRequest, c tagcall.Call, readProse proseParser) (Plan, error) {
	r = &jsonRequest{data: r.data, texts: c.JSON.Text == ""}
	if c.JSON.Text != "" {
		return readTagJSON(r, c, readProse)
	}
	o := tagsCall(r, c.Fields, c.Offset, theRequest)
	t := taskOf(c.Tool)
	t.noPath = c.Tool == ""
	for i, fields := range c.Edits {
		t.beside = append(t.beside, tagsCall(r, fields, fields[0].Offset, "edit "+strconv.Itoa(i+1)))
	}
	p, err := readCall(o, t)
	if err == nil {
		err = r.problems()
	}
	return p, err
}

// callOf returns the reader of parameters, which begin at an offset. Messages call them by the given name.
func tagsCall(r *jsonRequest, fields []tagcall.Field, offset int, name string) *jsonObject {
	texts := make([]jsonobj.Text, len(fields))
	for i, f := range fields {
		texts[i] = jsonobj.Text{Name: f.Name, Text: f.Text, Offset: f.Offset}
	}
	return r.callOf(jsonobj.OfTexts(offset, texts), name)
}

// readJSONIn returns the plan of a call that is written as JSON within its tag.
func readTagJSON(r *jsonRequest, c tagcall.Call, readProse proseParser) (Plan, error) {
	if !utf8.ValidString(c.JSON.Text) {
		return Plan{}, syntax(r.line(c.Offset), theRequest+" is not valid UTF-8: send it as UTF-8")
	}
	v, err := jsonobj.ParseValue([]byte(c.JSON.Text), c.JSON.Offset)
	if err != nil {
		return Plan{}, r.refusal(err)
	}
	if c.Tool == "" {
		return readEnvelope(r, v, nil, readProse)
	}
	p, err := readArguments(r, toolCall{tool: c.Tool, args: v}, theRequest, 0)
	if err == nil {
		err = r.problems()
	}
	return p, err
}

// completePart returns the plan of what is complete in a call that was cut off.
func completePart(r *jsonRequest, c *tagcall.Call, readProse proseParser) Plan {
	switch {
	case c == nil:
		return Plan{}
	case len(c.Edits) > 0:
		complete := *c
		if complete.Edits = c.Edits[:len(c.Edits)-1]; len(complete.Edits) == 0 {
			return Plan{}
		}
		p, err := readTagCall(r, complete, readProse)
		if err != nil {
			return Plan{}
		}
		return p
	case c.JSON.Text != "":
		return partialJSON([]byte(c.JSON.Text), func(data []byte) (Plan, error) {
			if c.Tool == "" {
				return parseJSONCalls(data, readProse)
			}
			return readNamedCall(c.Tool, data)
		})
	}
	if len(c.Fields) == 0 {
		return Plan{}
	}
	p, err := readTagCall(r, *c, readProse)
	o := tagsCall(&jsonRequest{texts: true}, c.Fields, c.Offset, theRequest)
	return partialText(o, c.Fields[len(c.Fields)-1].Name, p, err)
}
