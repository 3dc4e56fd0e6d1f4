package request

import (
	"slices"
	"strings"
	"sync"

	"github.com/atomicedit/atomicedit/internal/call"
	"github.com/atomicedit/atomicedit/internal/field"
	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A tokenCall is a call that is being read.
type tokenCall struct {
	role TokenRole // of the token before
	open bool      // there is a call whose arguments have not come yet
	tool string    // its name, "" if it is not known
	at   int       // where the call begins
}

// readTokens reads the calls that the tokens of a model's template mark.
func (c *textCalls) readTokens() error {
	if !slices.ContainsFunc(callTokens, func(token string) bool { return strings.Contains(c.request, token) }) {
		return nil
	}
	var one tokenCall
	from := 0     // of the text behind the last token or JSON
	skipFrom := 0 // JSON outside of calls is skipped from here on
	for at := 0; at < len(c.request); {
		next := strings.IndexAny(c.request[at:], "<[{\"")
		if next < 0 {
			break
		}
		at += next
		if token, role := tokenAt(c.request, at); token != "" {
			if err := c.endText(&one, c.request[from:at], role, at); err != nil {
				return err
			}
			at += len(token)
			if one.open && role == MessageRole {
				var err error
				if at, err = c.readPatch(&one, at); err != nil {
					return err
				}
			}
			from = at
			continue
		}
		if !one.open || c.request[at] == '<' {
			n := 0
			if !one.open {
				n, skipFrom = c.skipJSON(at, skipFrom)
			}
			at += max(n, 1)
			continue
		}
		if one.role == CallRole {
			one.takeName(c.request[from:at])
		}
		end, err := c.readValue(one.tool, at)
		if err != nil {
			return err
		}
		end += len(c.request[end:]) - len(strings.TrimLeft(c.request[end:], " \t\r\n;`"))
		one.open, one.tool = strings.HasPrefix(c.request[end:], "{"), "" // a further call
		at, from = end, end
	}
	if one.open {
		return plan.CutOff(c.reader.Line(one.at), plan.Plan{}, cutInCall)
	}
	return nil
}

const cutInCall = "the request was cut off in a call: send it again in full"

// readPatch reads a patch that is the arguments of a call, if one is at an offset, and returns the offset behind it.
func (c *textCalls) readPatch(one *tokenCall, at int) (end int, err error) {
	const begin, last = "*** Begin Patch", "\n*** End Patch"
	if !strings.HasPrefix(strings.TrimLeft(c.request[at:], text.Space+"\n"), begin) {
		return at, nil
	}
	n := strings.Index(c.request[at:], last)
	if n < 0 {
		return at, plan.CutOff(c.reader.Line(at), plan.Plan{}, cutInCall)
	}
	end = at + n + len(last)
	if rest, _, _ := strings.Cut(c.request[end:], "<|"); !text.IsBlankText(rest) {
		return at, plan.Syntax(c.reader.Line(end), "text behind the patch: expected nothing between it and the next token")
	}
	p, err := call.ReadCalls(c.reader, call.ToolCall{Tool: one.tool, Args: jsonobj.OfText(c.request[at:end], at)})
	c.plans = append(c.plans, p)
	*one = tokenCall{role: one.role}
	return end, err
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
func (c *textCalls) endText(one *tokenCall, s string, next TokenRole, at int) error {
	switch one.role {
	case CallRole:
		one.takeName(s)
	case HeaderRole:
		if _, to, ok := strings.Cut(s, "to="); ok && strings.TrimSpace(to) != "" {
			one.tool = strings.Fields(to)[0]
		}
		if one.tool == "assistant" {
			return c.resultIsHere(at)
		}
	}
	switch {
	case next == ResultRole:
		return c.resultIsHere(at)
	case next == ProseRole && one.open, next == HeaderRole && one.role == MessageRole && one.open:
		return call.NoArguments(c.reader, at, one.tool)
	case next == ProseRole:
		*one = tokenCall{}
	case next == CallRole:
		if !one.open {
			one.tool = ""
		}
		one.open, one.at = true, at
	case next == MessageRole && one.tool != "":
		one.open, one.at = true, at
	}
	one.role = next
	return nil
}

// takeName takes the name of the tool from the text in front of its arguments, if there is one.
func (call *tokenCall) takeName(s string) {
	name := strings.TrimPrefix(strings.TrimSpace(s), bracedCall[1:])
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

// A TokenRole says what comes behind a token of a model's template.
type TokenRole int

const (
	noRole      TokenRole = iota
	ProseRole             // prose; the call, if there was one, is at its end
	CallRole              // a call: the name of the tool, or JSON that has it
	ArgsRole              // the arguments of the call
	SkipRole              // something that means nothing for the call
	HeaderRole            // the header of a message, which may name a tool as in "to=functions.edit"
	MessageRole           // the arguments of the call if the header names a tool, and otherwise prose
	ResultRole            // the result of a call
)

// TemplateTokens has the tokens that the templates of models put around calls: of Mistral, Llama, Kimi, OpenAI's
// harmony, DeepSeek, LFM, Phi and Granite, Cohere, InternLM, Apertus, and Gemma.
var TemplateTokens = sync.OnceValue(func() map[string]TokenRole {
	return field.TableOf(map[TokenRole]string{
		CallRole: `[TOOL_CALLS] <|python_tag|> <|python_start|> <|tool_call_begin|> <｜tool▁call▁begin｜> <｜tool▁sep｜>
		<|tool_call_start|> <|tool_call|> <|plugin|> <|tools_prefix|> <|START_ACTION|> <function_calls> <|tool_call>
		<start_function_call>`,
		SkipRole: `[CALL_ID] <|constrain|>`,
		ArgsRole: `[ARGS] <|tool_call_argument_begin|>`,
		ResultRole: `[TOOL_RESULTS] <｜tool▁outputs▁begin｜> <｜tool▁output▁begin｜> <|tool_response|> <|START_TOOL_RESULT|>
		<|tool_response> <start_function_response>`,
		ProseRole: `</s> <|python_end|> <|eom_id|> <|eot_id|> <|eot|> <|im_end|> <|endoftext|> <|tool_calls_section_begin|>
		<|tool_call_end|> <|tool_calls_section_end|> <|call|> <|end|> <|return|> <｜tool▁calls▁begin｜>
		<｜tool▁call▁end｜> <｜tool▁calls▁end｜> <｜end▁of▁sentence｜> <|/tool_call|> <|action_end|> <|tools_suffix|>
		<|END_ACTION|> </function_calls> <tool_call|> <end_function_call>`,
		HeaderRole:  `<|start|> <|channel|>`,
		MessageRole: `<|message|>`,
	})
})

// callTokens are the tokens that no request without calls has.
var callTokens = strings.Fields(`[TOOL_CALLS] <|python_tag|> <|tool_call_begin|> <|tool_call_start|> <|message|>
	<｜tool▁call▁begin｜> <|tool_call|> <|START_ACTION|> <|plugin|> <|tools_prefix|> <|tool_call> <start_function_call>`)

// bracedCall is in front of the name of the tool in a call as Gemma writes it, with the end of the token before it.
const bracedCall = ">call:"

// hasBracedCall reports whether a line has the beginning of such a call. Its strings may have lines that are markers.
func hasBracedCall(line string) bool {
	return strings.Contains(line, "<|tool_call"+bracedCall) || strings.Contains(line, "<start_function_call"+bracedCall)
}

// tokenAt returns the token at an offset, "" if there is none.
func tokenAt(request string, at int) (token string, role TokenRole) {
	const longestToken = 40 // bytes
	n := strings.IndexAny(request[at:min(len(request), at+longestToken)], ">]")
	token = request[at : at+n+1]
	if role = TemplateTokens()[token]; role == noRole {
		return "", noRole
	}
	return token, role
}
