package request

import (
	"slices"
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
// harmony, DeepSeek, LFM, Phi and Granite, Cohere, InternLM, Apertus, and Gemma.
var TemplateTokens = field.Table[map[string]TokenRole]{Make: func() map[string]TokenRole {
	return field.TableOf(map[TokenRole]string{
		CallRole: `[TOOL_CALLS] <|python_tag|> <|python_start|> <|tool_call_begin|> <｜tool▁call▁begin｜> <｜tool▁sep｜>
		<|tool_call_start|> <|tool_call|> <|plugin|> <|tools_prefix|> <|START_ACTION|> <function_calls> <|tool_call>
		<start_function_call>`,
		SkipRole: `[CALL_ID] <|constrain|>`,
		ArgsRole: `[ARGS] <|tool_call_argument_begin|>`,
		ResultRole: `[TOOL_RESULTS] <｜tool▁outputs▁begin｜> <｜tool▁output▁begin｜> <|tool_response|> <|START_TOOL_RESULT|>
		<|tool_response> <start_function_response>`,
		ProseRole: `</s> <|python_end|> <|eom_id|> <|eot_id|> <|eot|> <|im_end|> <|endoftext|>
		<|tool_calls_section_begin|> <|tool_call_end|> <|tool_calls_section_end|> <|call|> <|end|> <|return|>
		<｜tool▁calls▁begin｜> <｜tool▁call▁end｜>
		<｜tool▁calls▁end｜> <｜end▁of▁sentence｜> <|/tool_call|> <|action_end|> <|tools_suffix|>
		<|END_ACTION|> </function_calls> <tool_call|> <end_function_call>`,
		HeaderRole:  `<|start|> <|channel|>`,
		MessageRole: `<|message|>`,
	})
}}

// callTokens are the tokens that no request without calls has.
var callTokens = []string{"[TOOL_CALLS]", "<|python_tag|>", "<|tool_call_begin|>", "<|tool_call_start|>",
	"<|message|>", "<｜tool▁call▁begin｜>", "<|tool_call|>", "<|START_ACTION|>", "<|plugin|>", "<|tools_prefix|>",
	"<|tool_call>", "<start_function_call>", kimiBegin, minimaxBegin}

// kimiBegin and minimaxBegin begin calls of Kimi K3 and MiniMax M3.
const kimiBegin, minimaxBegin = "<|open|>tools<|sep|>", "]<]minimax[>[<"

func hasCallTokens(request string) bool {
	has := func(s string) bool { return strings.Contains(request, s) }
	return slices.ContainsFunc([]string{"[TOOL", "<|", "<｜", "<start", "]<]"}, has) && // with which they all begin
		slices.ContainsFunc(callTokens, has)
}

// beginsTokens reports whether a line begins with the tokens of a call.
func beginsTokens(line string) bool {
	_, role := tokenAt(line, 0)
	return hasAnyPrefix(line, callTokens...) || role == HeaderRole && strings.Contains(line, "to=")
}

// bracedCall is in front of the name of the tool in a call as Gemma writes it, with the end of the token before it.
const bracedCall = ">call:"

// hasBracedCall reports whether a line has the beginning of such a call. Its strings may have lines that are markers.
func hasBracedCall(line string) bool {
	return strings.Contains(line, "<|tool_call"+bracedCall) || strings.Contains(line, "<start_function_call"+bracedCall)
}

// tokenAt returns the token at an offset, without a role if there is none.
func tokenAt(request string, at int) (token string, role TokenRole) {
	const longestToken = 40 // bytes
	n := strings.IndexAny(request[at:min(len(request), at+longestToken)], ">]")
	token = request[at : at+n+1]
	return token, TemplateTokens.Get()[token]
}
