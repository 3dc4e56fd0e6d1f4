package atomicedit

import "strings"

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

// templateTokens has the tokens that the templates of models put around calls: of Mistral, Llama, Kimi, OpenAI's harmony, DeepSeek, LFM,
// Phi and Granite, Cohere, InternLM, and Apertus.
var templateTokens = map[string]tokenRole{
	"[TOOL_CALLS]": callRole, "[CALL_ID]": skipRole, "[ARGS]": argsRole, "[TOOL_RESULTS]": resultRole, "</s>": proseRole,
	"<|python_tag|>": callRole, "<|python_start|>": callRole, "<|python_end|>": proseRole, "<|eom_id|>": proseRole, "<|eot_id|>": proseRole, "<|im_end|>": proseRole, "<|endoftext|>": proseRole,
	"<|tool_calls_section_begin|>": proseRole, "<|tool_call_begin|>": callRole, "<|tool_call_argument_begin|>": argsRole,
	"<|tool_call_end|>": proseRole, "<|tool_calls_section_end|>": proseRole,
	"<|start|>": headerRole, "<|channel|>": headerRole, "<|constrain|>": skipRole, "<|message|>": messageRole, "<|call|>": proseRole,
	"<|end|>": proseRole, "<|return|>": proseRole,
	"<｜tool▁calls▁begin｜>": proseRole, "<｜tool▁call▁begin｜>": callRole, "<｜tool▁sep｜>": callRole, "<｜tool▁call▁end｜>": proseRole,
	"<｜tool▁calls▁end｜>": proseRole, "<｜end▁of▁sentence｜>": proseRole, "<｜tool▁outputs▁begin｜>": resultRole, "<｜tool▁output▁begin｜>": resultRole,
	"<|tool_call_start|>": callRole,
	"<|tool_call|>":       callRole, "<|/tool_call|>": proseRole, "<|tool_response|>": resultRole,
	"<|plugin|>": callRole, "<|action_end|>": proseRole, "<|tools_prefix|>": callRole, "<|tools_suffix|>": proseRole,
	"<|START_ACTION|>": callRole, "<|END_ACTION|>": proseRole, "<|START_TOOL_RESULT|>": resultRole,
}

// callTokens are the tokens that no request without calls has.
var callTokens = []string{"[TOOL_CALLS]", "<|python_tag|>", "<|tool_call_begin|>", "<|tool_call_start|>", "<|message|>", "<｜tool▁call▁begin｜>", "<|tool_call|>", "<|START_ACTION|>", "<|plugin|>", "<|tools_prefix|>"}

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

// tokenFrom returns the token at an offset, "" if there is none.
func tokenFrom(request string, at int) string {
	if b := request[at]; b != '<' && b != '[' {
		return ""
	}
	return tokenAt(request[at:])
}
