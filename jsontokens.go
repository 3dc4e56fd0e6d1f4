package atomicedit

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
)

// A tokenRole says what comes behind a token of a model's template.
type tokenRole int

const (
	noRole      tokenRole = iota
	proseRole             // prose; the call, if there was one, is at its end
	callRole              // a call: the name of the tool, or JSON that has it
	argsRole              // the arguments of the call
	skipRole              // something that means nothing for the call
	headerRole            // the header of a message, which may name a tool as in "to=functions.edit"
	messageRole           // the arguments of the call if the header names a tool, and otherwise prose
	resultRole            // the result of a call
)

// templateTokens has the tokens that the templates of models put around calls: of Mistral, Llama, Kimi, OpenAI's harmony, DeepSeek, Phi
// and Granite, Cohere, InternLM, and Apertus.
var templateTokens = map[string]tokenRole{
	"[TOOL_CALLS]": callRole, "[CALL_ID]": skipRole, "[ARGS]": argsRole, "[TOOL_RESULTS]": resultRole, "</s>": proseRole,
	"<|python_tag|>": callRole, "<|python_start|>": callRole, "<|python_end|>": proseRole, "<|eom_id|>": proseRole, "<|eot_id|>": proseRole, "<|im_end|>": proseRole, "<|endoftext|>": proseRole,
	"<|tool_calls_section_begin|>": proseRole, "<|tool_call_begin|>": callRole, "<|tool_call_argument_begin|>": argsRole,
	"<|tool_call_end|>": proseRole, "<|tool_calls_section_end|>": proseRole,
	"<|start|>": headerRole, "<|channel|>": headerRole, "<|constrain|>": skipRole, "<|message|>": messageRole, "<|call|>": proseRole,
	"<|end|>": proseRole, "<|return|>": proseRole,
	"<｜tool▁calls▁begin｜>": proseRole, "<｜tool▁call▁begin｜>": callRole, "<｜tool▁sep｜>": callRole, "<｜tool▁call▁end｜>": proseRole,
	"<｜tool▁calls▁end｜>": proseRole, "<｜end▁of▁sentence｜>": proseRole, "<｜tool▁outputs▁begin｜>": resultRole, "<｜tool▁output▁begin｜>": resultRole,
	"<|tool_call|>": callRole, "<|/tool_call|>": proseRole, "<|tool_response|>": resultRole,
	"<|plugin|>": callRole, "<|action_end|>": proseRole, "<|tools_prefix|>": callRole, "<|tools_suffix|>": proseRole,
	"<|START_ACTION|>": callRole, "<|END_ACTION|>": proseRole, "<|START_TOOL_RESULT|>": resultRole,
}

// callTokens are the tokens that no request without calls has.
var callTokens = []string{"[TOOL_CALLS]", "<|python_tag|>", "<|tool_call_begin|>", "<|message|>", "<｜tool▁call▁begin｜>", "<|tool_call|>", "<|START_ACTION|>", "<|plugin|>", "<|tools_prefix|>"}

// longestToken is the length of the longest token, in bytes.
const longestToken = 40

// tokenAt returns the token at the beginning of a text, "" if there is none.
func tokenAt(s string) string {
	end := ">"
	if s[0] == '[' {
		end = "]"
	}
	if n := strings.Index(s[:min(len(s), longestToken)], end); n >= 0 && templateTokens[s[:n+1]] != noRole {
		return s[:n+1]
	}
	return ""
}

// A tokenCall is a call that is being read.
type tokenCall struct {
	role tokenRole // of the token before
	open bool      // there is a call whose arguments have not come yet
	tool string    // its name, "" if it is not known
	at   int       // where the call begins
}

// readTokens reads the calls that tokens mark.
func (c *textCalls) readTokens() error {
	var call tokenCall
	from := 0     // of the text behind the last token or JSON
	skipFrom := 0 // JSON outside of calls is skipped from here on
	for at := 0; at < len(c.request); {
		next := strings.IndexAny(c.request[at:], "<[{\"")
		if next < 0 {
			break
		}
		at += next
		if token := tokenFrom(c.request, at); token != "" {
			if err := c.endText(&call, c.request[from:at], templateTokens[token], at); err != nil {
				return err
			}
			at += len(token)
			from = at
			continue
		}
		if !call.open || call.role != callRole && call.role != argsRole && call.role != messageRole || c.request[at] == '<' {
			n := 0
			if !call.open {
				n, skipFrom = c.skipJSON(at, skipFrom)
			}
			at += max(n, 1)
			continue
		}
		if call.role == callRole {
			call.takeName(c.request[from:at])
		}
		end, err := c.readValue(call.tool, at)
		if err != nil {
			return err
		}
		for len(c.request[end:]) > 0 && strings.IndexByte(" \t\r\n;`", c.request[end]) >= 0 { // a further call may follow
			end++
		}
		call.open, call.tool = end < len(c.request) && c.request[end] == '{', ""
		at, from = end, end
	}
	if call.open {
		return cutOff(c.reader.line(call.at), Plan{}, "the request was cut off in a call: send it again in full")
	}
	return nil
}

// skipJSON returns the length of the object at an offset, which may have tokens in its strings, 0 if there is none, and the offset from
// which others are looked for: no text is read twice.
func (c *textCalls) skipJSON(at, from int) (n, next int) {
	if at < from || !beginsJSON(c.request[at:]) {
		return 0, from
	}
	v, err := jsonobj.ParseFirst(c.reader.data[at:], at)
	if err != nil {
		return 0, err.(*jsonobj.Error).Offset
	}
	return len(v.Raw), from
}

// tokenFrom returns the token at an offset, "" if there is none.
func tokenFrom(request string, at int) string {
	if b := request[at]; b != '<' && b != '[' {
		return ""
	}
	return tokenAt(request[at:])
}

// endText ends the text behind a token, where the next one has the given role.
func (c *textCalls) endText(call *tokenCall, s string, next tokenRole, at int) error {
	switch call.role {
	case callRole:
		call.takeName(s)
	case headerRole:
		if call.takeHeader(s); call.tool == "assistant" {
			return c.resultIsHere(at)
		}
	}
	switch {
	case next == resultRole:
		return c.resultIsHere(at)
	case next == proseRole && call.open, next == headerRole && call.role == messageRole && call.open:
		return syntax(c.reader.line(at), "the call of "+quote(call.tool)+" has no arguments: expected an object with the fields of an edit")
	case next == proseRole:
		*call = tokenCall{}
	case next == callRole:
		if !call.open {
			call.tool = ""
		}
		call.open, call.at = true, at
	case next == messageRole && call.tool != "":
		call.open, call.at = true, at
	}
	call.role = next
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
