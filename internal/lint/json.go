package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/text"
)

// jsonSyntax does not warn about comments in a new file: many programs read JSON with comments.
func jsonSyntax(c change) []Warning {
	if line, what := c.newFault(doubledField, ".json"); line > 0 {
		return c.broken(line, "%s", what)
	}
	err := jsonError(c.name, c.after)
	if err == nil || jsonError(c.name, c.before) != nil {
		return nil
	}
	at := min(int(err.Offset), len(c.after))
	if c.before == nil && at > 0 && c.after[at-1] == '/' {
		return nil
	}
	// a comma is missing
	if strings.Contains(err.Error(), " after object") || strings.Contains(err.Error(), " after array") {
		at = len(bytes.TrimRight(c.after[:max(at-1, 0)], text.Space+"\r\n"))
	}
	return c.broken(c.line(at), "this is %s valid JSON: %s", c.notOrNoLonger(), err.Error())
}

func jsonError(name string, src []byte) *json.SyntaxError {
	if path.Ext(name) != ".json" || src == nil {
		return nil
	}
	var bad *json.SyntaxError
	errors.As(json.Unmarshal(src, new(json.RawMessage)), &bad)
	return bad
}

// doubledField returns the line of the first field that its object has above already, and what is wrong with it.
func doubledField(src []byte) (line int, what string) {
	v, _ := jsonobj.Parse(src, "")
	if err := doubledIn(v); err != nil {
		return 1 + bytes.Count(src[:err.Offset], []byte("\n")), err.Msg
	}
	return 0, ""
}

func doubledIn(v jsonobj.Value) (first *jsonobj.Error) {
	var inner []jsonobj.Value
	if v.Kind() == '{' {
		o, err := v.Object("this object")
		if errors.As(err, &first) {
			return first
		}
		inner = o.Values
	} else if v.Kind() == '[' {
		inner, _ = v.Array("")
	}
	for _, v := range inner {
		if first = doubledIn(v); first != nil {
			return first
		}
	}
	return nil
}
