package atomicedit

import (
	"encoding/json"
	"strings"

	"github.com/atomicedit/atomicedit/internal/text"
)

// Parse reads a request in any format that this package knows: see [ParseJSON], [ParseLSP], [ParseBlocks], [ParseV4A],
// [ParseUnified], [ParseXML] and [ParseHashline]. It recognises JSON by its first character, also inside code fences with words around
// them, and the other formats by the first line that is one of their markers; of hashlines, that is an operation, or a line in
// brackets right above one.
//
// An empty request, one in no known format, and one in several formats (with markers of another format outside the content
// of the first) is a [*Refusal] with [ErrSyntax]. Parse does not recognise a V4A body without any "@@" or "***" line: use
// ParseV4A.
func Parse(request string) (Plan, error) {
	request = strings.TrimPrefix(request, text.ByteOrderMark)
	body := strings.TrimSpace(request)
	if body == "" {
		return Plan{}, syntax(1, "the request is empty: expected SEARCH/REPLACE blocks, a patch, a unified diff or JSON")
	}
	if body[0] == '{' || body[0] == '[' && json.Valid([]byte(body)) {
		return ParseJSON([]byte(request))
	}
	if inner, ok := insideFence(request); ok && strings.HasPrefix(strings.TrimSpace(inner), "{") {
		return ParseJSON([]byte(inner))
	}
	for in := (text.Scanner{Src: request}); in.Scan(); {
		switch formatOf(&in) {
		case formatBlocks:
			return ParseBlocks(request)
		case formatV4A:
			return ParseV4A(request)
		case formatUnified:
			return ParseUnified(request)
		case formatHashline:
			return ParseHashline(request)
		case formatXML:
			return ParseXML(request)
		}
	}
	for in := (text.Scanner{Src: request}); in.Scan(); {
		if trimmed := strings.TrimLeft(in.Line, " \t"); trimmed != in.Line && resemblesSearch(trimmed) {
			return Plan{}, indentedMarker(in.No, in.Line)
		}
	}
	if p, ok, err := readFencedCalls(request); ok {
		return p, err
	}
	first, _, _ := strings.Cut(body, "\n")
	return Plan{}, syntax(1, "the request is in no known format; it begins with "+quote(first)+": expected \"<<<<<<< SEARCH\", "+
		"\"*** Begin Patch\", \"--- a/file\" and \"+++ b/file\", or JSON")
}

// readFencedCalls reads the calls in JSON that stand in code fences, with text around them. It reports whether there is one.
func readFencedCalls(request string) (p Plan, ok bool, err error) {
	var calls []Plan
	for in := (text.Scanner{Src: request}); in.Scan(); {
		if !text.IsFence(in.Line) {
			continue
		}
		above, inner := in.No, request[in.Next:]
		for from := in.Next; in.Scan(); {
			if text.IsFence(in.Line) {
				inner = request[from:in.At]
				break
			}
		}
		if body := strings.TrimSpace(inner); body == "" || body[0] != '{' && body[0] != '[' {
			continue
		}
		call, err := ParseJSON([]byte(inner))
		if err != nil {
			_, err = ParseJSON([]byte(strings.Repeat("\n", above) + inner)) // for the lines in its messages
			return Plan{}, true, err
		}
		calls = append(calls, call)
	}
	if len(calls) == 0 {
		return Plan{}, false, nil
	}
	p, err = joinCalls(calls)
	return p, true, err
}

// insideFence returns the content of the code fence around the whole request, if there is one. Newlines in front keep its
// lines at their numbers.
func insideFence(request string) (inner string, ok bool) {
	body := strings.TrimSpace(request)
	end := strings.LastIndexByte(body, '\n')
	if end < 0 || !text.IsFence(body) || !text.IsFence(body[end+1:]) {
		return "", false
	}
	start := strings.IndexByte(body, '\n')
	above := strings.Count(request[:strings.Index(request, body)], "\n") + 1
	return strings.Repeat("\n", above) + body[start:end][min(1, end-start):], true
}
