package call

import (
	"strings"

	"github.com/atomicedit/atomicedit/internal/field"
)

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
// harmony, DeepSeek, LFM, Phi and Granite, Cohere, InternLM, and Apertus.
var TemplateTokens = field.TableOf(map[TokenRole]string{
	CallRole: `[TOOL_CALLS] <|python_tag|> <|python_start|> <|tool_call_begin|> <｜tool▁call▁begin｜> <｜tool▁sep｜>
		<|tool_call_start|> <|tool_call|> <|plugin|> <|tools_prefix|> <|START_ACTION|>`,
	SkipRole:   `[CALL_ID] <|constrain|>`,
	ArgsRole:   `[ARGS] <|tool_call_argument_begin|>`,
	ResultRole: `[TOOL_RESULTS] <｜tool▁outputs▁begin｜> <｜tool▁output▁begin｜> <|tool_response|> <|START_TOOL_RESULT|>`,
	ProseRole: `</s> <|python_end|> <|eom_id|> <|eot_id|> <|im_end|> <|endoftext|> <|tool_calls_section_begin|>
		<|tool_call_end|> <|tool_calls_section_end|> <|call|> <|end|> <|return|> <｜tool▁calls▁begin｜>
		<｜tool▁call▁end｜> <｜tool▁calls▁end｜> <｜end▁of▁sentence｜> <|/tool_call|> <|action_end|> <|tools_suffix|>
		<|END_ACTION|>`,
	HeaderRole:  `<|start|> <|channel|>`,
	MessageRole: `<|message|>`,
})

// CallTokens are the tokens that no request without calls has.
var CallTokens = strings.Fields(`[TOOL_CALLS] <|python_tag|> <|tool_call_begin|> <|tool_call_start|> <|message|>
	<｜tool▁call▁begin｜> <|tool_call|> <|START_ACTION|> <|plugin|> <|tools_prefix|>`)

// longestToken is the length of the longest token, in bytes.
const longestToken = 40

// TokenAt returns the token at an offset, "" if there is none.
func TokenAt(request string, at int) (token string, role TokenRole) {
	end := ">"
	switch request[at] {
	case '[':
		end = "]"
	case '<':
	default:
		return "", noRole
	}
	n := strings.Index(request[at:min(len(request), at+longestToken)], end)
	token = request[at : at+n+1]
	if role = TemplateTokens[token]; role == noRole {
		return "", noRole
	}
	return token, role
}
