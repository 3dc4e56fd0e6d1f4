// Package request recognizes the format of a request and hands it to the parser of that format. In comes the text of a
// model, whole or, for a [Stream], in pieces; out comes a plan, or a refusal.
package request

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"html"
	"io"
	"strconv"
	"strings"

	"github.com/atomicedit/atomicedit/internal/blocks"
	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/filehint"
	"github.com/atomicedit/atomicedit/internal/hashline"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/jsonread"
	"github.com/atomicedit/atomicedit/internal/lsp"
	"github.com/atomicedit/atomicedit/internal/marker"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
	"github.com/atomicedit/atomicedit/internal/udiff"
)

// Parse reads a request in any format, as Parse of package atomicedit documents it.
func Parse(request string) (plan.Plan, error) {
	request, thinks, err := withoutThoughts(strings.TrimPrefix(request, text.ByteOrderMark))
	if err != nil {
		return plan.Plan{}, err
	}
	return parse(request, thinks)
}

// parse reads a request without thoughts. Thinks says that there were some.
func parse(request string, thinks bool) (plan.Plan, error) {
	body := strings.TrimSpace(request)
	switch {
	case body == "" && thinks:
		return plan.Plan{}, plan.NoRequest("the request has thoughts, and nothing below them")
	case body == "":
		return plan.Plan{}, plan.NoRequest(
			"the request is empty: expected SEARCH/REPLACE blocks, a patch, a unified diff or JSON")
	}
	hasProse := thinks && !json.Valid([]byte(body)) // behind an object as well
	if p, ok, err := readAllOf(request, body); ok && !(hasProse && body[0] == '{') {
		return p, err
	}
	if p, ok, err := readMarked(request); ok {
		return p, err
	}
	for in := (text.Scanner{Src: request}); in.Scan(); {
		if marker.ResemblesSearch(text.Unindented(in.Line)) {
			return plan.Plan{}, blocks.IndentedMarker(in)
		}
	}
	ways := []func(*textCalls) error{(*textCalls).readTokens, (*textCalls).readFenced, (*textCalls).readProse}
	for _, read := range ways {
		if p, ok, err := readTextCalls(request, read); ok {
			return p, err
		}
	}
	if inner, ok := marker.InsideFences(request); ok && !strings.Contains(inner, "\n```") {
		return parse(inner, thinks)
	}
	if err := cmp.Or(refuseFencedFile(request), udiff.InOtherForm(request), refuseUnknownCall(request)); err != nil {
		return plan.Plan{}, err
	}
	return plan.Plan{}, plan.NoRequest("the request is in no known format; it begins with " +
		plan.Excerpt(text.FirstLine(body)) + ": expected \"<<<<<<< SEARCH\", \"*** Begin Patch\", \"--- a/file\" and " +
		"\"+++ b/file\", or JSON")
}

// readMarked reads a request in the format of its first marker, and reports whether there is one.
func readMarked(request string) (p plan.Plan, ok bool, err error) {
	braced := false
	for in := (text.Scanner{Src: request}); in.Scan(); {
		if !braced && hasBracedCall(in.Line) {
			braced = true
			if p, ok, err = readTextCalls(request, (*textCalls).readTokens); ok {
				return p, true, err
			}
		}
		f := marker.Of(&in)
		if plain := plainTags(request, in.Line); plain != request {
			f, request = marker.Tags, plain // whose lines are the same
		}
		var read [][2]int
		switch {
		case hashline.IsLineEdit(in.Line):
			p, err = hashline.ReadLineCommands(request)
		case f == marker.None:
			continue
		case isDoubled(request):
			err = plan.Syntax(1, "every second line of the request is empty, so its line breaks may have "+
				"been doubled: send it again with each line break once")
		case f == marker.Tags:
			p, read, err = call.ParseTags(request, Parse)
		case f == marker.Fence:
			p, err = readFences(request)
		default:
			if p, err = call.ParserOf(f)(request); err == nil && f == marker.Unified {
				err = onlyDiff(request)
			}
		}
		if err == nil {
			p, err = whole(request, p, read)
		}
		return p, true, err
	}
	return plan.Plan{}, false, nil
}

// isDoubled reports whether every second line of a request of some length is empty.
func isDoubled(request string) bool {
	const few = 12 // lines
	in := text.Scanner{Src: strings.TrimSpace(request)}
	for in.Scan() {
		if in.No%2 == 0 && !text.IsBlank(in.Line) {
			return false
		}
	}
	return in.No > few
}

// plainTags returns a request with tags in the place of the tokens of Kimi and MiniMax, if a line begins their calls.
func plainTags(request, line string) string {
	switch {
	case strings.Contains(line, kimiBegin) && !strings.Contains(line, "`"):
		return strings.NewReplacer(kimiBegin, "<|tool_calls>", "<|close|>tools", "</|tool_calls",
			"<|open|>call", "<|invoke", "<|close|>call", "</|invoke",
			"<|open|>", "<|", "<|close|>", "</|", "<|sep|>", ">").Replace(request)
	case hasAnyPrefix(line, minimaxBegin):
		return strings.ReplaceAll(request, minimaxBegin, "<")
	}
	return request
}

// refuseUnknownCall refuses a field of a call in JSON behind the tokens of a template that is not known.
func refuseUnknownCall(request string) error {
	for _, name := range call.OldNames {
		if at := strings.Index(request, `"`+name+`":`); at >= 0 && hasAnyPrefix(strings.TrimSpace(request), "<") {
			return plan.Syntax(plan.LineAt(request, at),
				strconv.Quote(name)+" is in no call that can be read: expected the call alone, in JSON or in tags")
		}
	}
	return nil
}

// refuseFencedFile refuses a code fence below a line that names a file.
func refuseFencedFile(request string) error {
	above := ""
	for in := (text.Scanner{Src: request}); in.Scan(); {
		switch {
		case text.IsFence(in.Line):
			for word := range strings.FieldsSeq(above) {
				if word = strings.Trim(word, "`'\"*():,"); filehint.IsFileName(word) {
					return plan.Syntax(in.No, "the code fence below "+plan.Excerpt(above)+" may be all of "+
						plan.Excerpt(word)+
						" or a part of it: expected SEARCH/REPLACE blocks, a patch, or a call that creates the file")
				}
			}
			above = ""
			closeOfFence(&in, in.Line, false)
		case !text.IsBlank(in.Line):
			above = in.Line
		}
	}
	return nil
}

// readAllOf reads a request all of which is JSON, a list of calls in Python, or escaped, with or without a code fence
// around it. It reports whether it is one.
func readAllOf(request, body string) (p plan.Plan, ok bool, err error) {
	if hasAnyPrefix(body, "data:", "event:", "id:", "retry:", ":") {
		if strings.HasPrefix(strings.TrimSpace(dataOf(request)), "{") {
			p, err = ParseJSON([]byte(request))
			return p, true, err
		}
	}
	inner, fenced := marker.InsideFences(request)
	_, role := tokenAt(body, 0)
	switch {
	case body[0] == '{' || body[0] == '[' && json.Valid([]byte(body)):
		p, err = ParseJSON([]byte(request))
	case marker.IsFenceCall(text.FirstLine(body)): // around content, whatever it is
		return plan.Plan{}, false, nil
	case strings.HasPrefix(body, "&lt;"):
		p, err = parseEscaped(request)
	case role == HeaderRole: // a message, which may have a patch
		return readTextCalls(request, (*textCalls).readTokens)
	case fenced && strings.HasPrefix(strings.TrimSpace(inner), "{") && !strings.Contains(inner, "\n```") &&
		!call.ChangesAPart(strings.Trim(text.FirstLine(body), "`~ \t\r")):
		p, err = ParseJSON([]byte(inner))
	default:
		return readPythonCalls(inner)
	}
	return p, true, err
}

// parseEscaped reads a request all of which is escaped as a text of XML.
func parseEscaped(request string) (plan.Plan, error) {
	// These are the escapes of a text in XML, as libraries write them.
	entities := []string{"&lt;", "&gt;", "&amp;", "&quot;", "&apos;", "&#34;", "&#39;", "&#x27;"}
	for at := range len(request) {
		if c := request[at]; c == '<' || c == '>' || c == '&' && !hasAnyPrefix(request[at:], entities...) {
			return plan.Plan{}, plan.Syntax(plan.LineAt(request, at), "the request begins with \"&lt;\", but has a "+
				strconv.Quote(string(c))+" here that is not escaped: send the tags as they are, with \"<\" and \">\", "+
				"and escape nothing")
		}
	}
	p, _, err := call.ParseTags(html.UnescapeString(request), Parse)
	return p, err
}

// ParseJSON reads JSON as Parse does.
func ParseJSON(data []byte) (plan.Plan, error) {
	body := bytes.TrimSpace(data)
	isSent := len(body) > 0 && body[0] != '{' && body[0] != '[' // as server-sent events
	if isSent || bytes.HasSuffix(body, []byte(lastData)) {
		if sent := dataOf(string(data)); hasAnyPrefix(strings.TrimSpace(sent), "{", "[") {
			data = []byte(sent)
		}
	}
	values, bad := jsonread.ParseValues(data)
	r := jsonread.NewRequest(data)
	if p, ok, err := readEvents(r, values, bad == nil, isSent); ok {
		return p, err
	} else if bad != nil {
		return plan.Plan{}, call.WithPartial(bad, data, call.ReaderOf("", Parse))
	}
	return call.ReadRequests(r, values, Parse)
}

// ParseCall reads the arguments of a call of one of [call.Tools], or of another tool of such a name, which may do no
// more than that is for. Without a name they are read as [ParseJSON] reads them.
func ParseCall(tool string, args []byte) (plan.Plan, error) {
	p, err := parseOwnCall(tool, args)
	own, unknown := call.KindOf(tool, call.ToolKinds)
	if unknown == nil && errors.Is(err, errs.ErrSyntax) && !errors.Is(err, io.ErrUnexpectedEOF) {
		if other, bad := call.ReadNamedCall(tool, args); bad == nil && !other.LacksPath() && own.Allows(other) {
			return other, nil
		}
	}
	return p, err
}

// parseOwnCall is ParseCall, where a name of [call.Tools] stands for that tool alone.
func parseOwnCall(tool string, args []byte) (plan.Plan, error) {
	if tool == "" {
		return ParseJSON(args)
	}
	if _, err := call.KindOf(tool, call.ToolKinds); err == nil {
		return call.Tool{Name: tool}.Parse(args)
	}
	return call.ReadNamedCall(tool, args)
}

// ParseLSP reads text edits or a workspace edit in the JSON of the Language Server Protocol.
func ParseLSP(data []byte) (plan.Plan, error) {
	p, err := lsp.Parse(data)
	return p, call.WithPartial(err, data, lsp.Read)
}

// readFences reads the code fences that call a tool, but those within others. No other one may have a call in JSON.
func readFences(request string) (plan.Plan, error) {
	var calls []plan.Plan
	r := &jsonread.Request{Data: []byte(request), Texts: true}
	in, prose := text.Scanner{Src: request}, 0
	for in.Scan() {
		if !text.IsFence(in.Line) {
			continue
		}
		opens, at, no, from := in.Line, in.At, in.No, in.Next
		tool, file := marker.FenceCall(opens)
		closed, inDoubt := closeOfFence(&in, opens, tool != "")
		switch isBare := strings.Trim(opens, "`~ \t\r") == ""; {
		case inDoubt || len(calls) > 0 && tool == "" && isBare:
			return plan.Plan{}, plan.Syntax(no,
				"a code fence stands in the one around a file, or behind it without a language, so that either may "+
					"end the file: put more backticks around the file than there are in it")
		case tool == "":
			if beginsJSON(strings.TrimSpace(request[from:in.At])) {
				if _, err := ParseJSON([]byte(request[from:in.At])); err == nil {
					return plan.Plan{}, plan.MixedFormats(no, "a call in JSON, which stands in a code fence,", "calls")
				}
			}
			continue
		case !closed:
			complete, _ := plan.Join(calls)
			return plan.Plan{}, plan.CutOff(no, complete,
				"the code fence of "+plan.Excerpt(file)+" does not end: send all of it")
		}
		if err := marker.OnlyProse(request, [2]int{prose, at}, marker.None); err != nil {
			return plan.Plan{}, err
		}
		prose = in.Next
		fields := jsonobj.Object{Offset: at}
		fields.Add("path", jsonobj.OfText(file, at))
		fields.Add("content", jsonobj.OfText(request[from:in.At], from))
		calls = append(calls, call.ReadCall(r.CallOf(&fields, jsonread.TheRequest), call.TaskOf(tool)))
	}
	if err := cmp.Or(r.Problems(), marker.OnlyProse(request, [2]int{prose, len(request)}, marker.None)); err != nil {
		return plan.Plan{}, err
	}
	return plan.Join(calls)
}

// closeOfFence goes to the line that closes the code fence that another line opens. With strict, the end is in doubt if
// another fence begins before it, which may be meant to be closed there.
func closeOfFence(in *text.Scanner, opens string, strict bool) (closed, inDoubt bool) {
	fence := cmp.Or(text.Fence("").Below(opens), "```")
	for in.Scan() {
		switch {
		case fence.Below(in.Line) == "":
			return true, false
		case strict && strings.HasPrefix(text.Unindented(in.Line), string(fence)):
			return false, true
		}
	}
	return false, false
}
