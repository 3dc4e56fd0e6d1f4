package request

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// readFences reads the code fences that call a tool. Those within other code fences are only shown. Beside them, no
// other code fence may have a call in JSON.
func readFences(request string) (plan.Plan, error) {
	var calls []plan.Plan
	var outside strings.Builder
	r := &jsonread.Request{Data: []byte(request), Texts: true}
	in, prose := text.Scanner{Src: request}, 0
	for in.Scan() {
		if !text.IsFence(in.Line) {
			continue
		}
		opens, at, no, from := in.Line, in.At, in.No, in.Next
		tool, file := marker.FenceCall(opens)
		closed, inDoubt := closeOfFence(&in, opens, tool != "")
		switch {
		case inDoubt || len(calls) > 0 && tool == "" && isBareFence(opens):
			return plan.Plan{}, plan.Syntax(no,
				"a code fence stands in the one around a file, or behind it without a language, so that either may "+
					"end the file: put more backticks around the file than there are in it")
		case tool == "":
			continue
		case !closed:
			complete, _ := plan.Join(calls)
			return plan.Plan{}, plan.CutOff(no, complete,
				"the code fence of "+plan.Excerpt(file)+" does not end: send all of it")
		}
		if err := marker.OnlyProse(request, [2]int{prose, at}); err != nil {
			return plan.Plan{}, err
		}
		outside.WriteString(request[prose:at])
		prose = in.Next
		fields := jsonobj.Object{Offset: at}
		fields.Add("path", jsonobj.OfText(file, at))
		fields.Add("content", jsonobj.OfText(request[from:in.At], from))
		call := call.ReadCall(r.CallOf(&fields, jsonread.TheRequest), call.TaskOf(tool))
		if err := r.Problems(); err != nil {
			return plan.Plan{}, err
		}
		calls = append(calls, call)
	}
	if err := marker.OnlyProse(request, [2]int{prose, len(request)}); err != nil {
		return plan.Plan{}, err
	}
	p, err := plan.Join(calls)
	if err != nil {
		return plan.Plan{}, err
	}
	if _, ok, err := readFencedCalls(outside.String() + request[prose:]); ok && err == nil {
		return plan.Plan{}, plan.MixedFormats(1, "a call in JSON, which stands in a code fence,", "calls")
	}
	return p, nil
}

// closeOfFence goes to the line that closes the code fence that another line opens. With strict, the end is in doubt if
// another fence begins before it, which may be meant to be closed there.
func closeOfFence(in *text.Scanner, opens string, strict bool) (closed, inDoubt bool) {
	marks := len(opens) - len(strings.TrimLeft(opens, "`"))
	for in.Scan() {
		switch {
		case !text.IsFence(in.Line):
		case marker.ClosesFence(opens, in.Line):
			return true, false
		case strict && strings.HasPrefix(text.Unindented(in.Line), strings.Repeat("`", marks)):
			return false, true
		}
	}
	return false, false
}

// isBareFence reports whether a code fence says nothing of what is in it.
func isBareFence(line string) bool { return strings.Trim(line, "`~ \t\r") == "" }
