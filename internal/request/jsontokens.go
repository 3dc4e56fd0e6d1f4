package request

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/plan"
)

// A tokenCall is a call that is being read.
type tokenCall struct {
	role call.TokenRole // of the token before
	open bool           // there is a call whose arguments have not come yet
	tool string         // its name, "" if it is not known
	at   int            // where the call begins
}

// readTokens reads the calls that tokens mark.
func (c *textCalls) readTokens() error {
	var one tokenCall
	from := 0     // of the text behind the last token or JSON
	skipFrom := 0 // JSON outside of calls is skipped from here on
	for at := 0; at < len(c.request); {
		next := strings.IndexAny(c.request[at:], "<[{\"")
		if next < 0 {
			break
		}
		at += next
		if token, role := call.TokenAt(c.request, at); token != "" {
			if err := c.endText(&one, c.request[from:at], role, at); err != nil {
				return err
			}
			at += len(token)
			from = at
			continue
		}
		if !one.open || one.role != call.CallRole && one.role != call.ArgsRole && one.role != call.MessageRole ||
			c.request[at] == '<' {
			n := 0
			if !one.open {
				n, skipFrom = c.skipJSON(at, skipFrom)
			}
			at += max(n, 1)
			continue
		}
		if one.role == call.CallRole {
			one.takeName(c.request[from:at])
		}
		end, err := c.readValue(one.tool, at)
		if err != nil {
			return err
		}
		// A further call may follow.
		for len(c.request[end:]) > 0 && strings.IndexByte(" \t\r\n;`", c.request[end]) >= 0 {
			end++
		}
		one.open, one.tool = end < len(c.request) && c.request[end] == '{', ""
		at, from = end, end
	}
	if one.open {
		return plan.CutOff(c.reader.Line(one.at), plan.Plan{},
			"the request was cut off in a call: send it again in full")
	}
	return nil
}

// skipJSON returns the length of the object at an offset, which may have tokens in its strings, 0 if there is none, and
// the offset from which others are looked for: no text is read twice.
func (c *textCalls) skipJSON(at, from int) (n, next int) {
	if at < from || !beginsJSON(c.request[at:]) {
		return 0, from
	}
	v, err := jsonobj.ParseFirst(c.reader.Data[at:], at)
	if err != nil {
		return 0, err.(*jsonobj.Error).Offset
	}
	return len(v.Raw), from
}

// endText ends the text behind a token, where the next one has the given role.
func (c *textCalls) endText(one *tokenCall, s string, next call.TokenRole, at int) error {
	switch one.role {
	case call.CallRole:
		one.takeName(s)
	case call.HeaderRole:
		if one.takeHeader(s); one.tool == "assistant" {
			return c.resultIsHere(at)
		}
	}
	switch {
	case next == call.ResultRole:
		return c.resultIsHere(at)
	case next == call.ProseRole && one.open, next == call.HeaderRole && one.role == call.MessageRole && one.open:
		return call.NoArguments(c.reader, at, one.tool)
	case next == call.ProseRole:
		*one = tokenCall{}
	case next == call.CallRole:
		if !one.open {
			one.tool = ""
		}
		one.open, one.at = true, at
	case next == call.MessageRole && one.tool != "":
		one.open, one.at = true, at
	}
	one.role = next
	return nil
}

// takeName takes the name of the tool from the text in front of its arguments, if there is one.
func (call *tokenCall) takeName(s string) {
	name := strings.TrimSpace(s)
	for _, fence := range []string{"```json", "```"} {
		name = strings.TrimSpace(strings.TrimSuffix(name, fence))
	}
	if before, number, ok := strings.Cut(name, ":"); ok && strings.Trim(number, "0123456789") == "" {
		name = before // Kimi numbers its calls
	}
	if name != "" {
		call.tool = name
	}
}

// takeHeader takes the name of the tool from the header of a message, if there is one.
func (call *tokenCall) takeHeader(s string) {
	if _, to, ok := strings.Cut(s, "to="); ok && strings.TrimSpace(to) != "" {
		call.tool = strings.Fields(to)[0]
	}
}
