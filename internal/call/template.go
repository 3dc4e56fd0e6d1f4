package call

import "strings"

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
var TemplateTokens = map[string]TokenRole{
	"[TOOL_CALLS]": CallRole, "[CALL_ID]": SkipRole, "[ARGS]": ArgsRole, "[TOOL_RESULTS]": ResultRole,
	"</s>": ProseRole, "<|python_tag|>": CallRole, "<|python_start|>": CallRole, "<|python_end|>": ProseRole,
	"<|eom_id|>": ProseRole, "<|eot_id|>": ProseRole, "<|im_end|>": ProseRole, "<|endoftext|>": ProseRole,
	"<|tool_calls_section_begin|>": ProseRole, "<|tool_call_begin|>": CallRole,
	"<|tool_call_argument_begin|>": ArgsRole, "<|tool_call_end|>": ProseRole, "<|tool_calls_section_end|>": ProseRole,
	"<|start|>": HeaderRole, "<|channel|>": HeaderRole, "<|constrain|>": SkipRole, "<|message|>": MessageRole,
	"<|call|>": ProseRole, "<|end|>": ProseRole, "<|return|>": ProseRole, "<｜tool▁calls▁begin｜>": ProseRole,
	"<｜tool▁call▁begin｜>": CallRole, "<｜tool▁sep｜>": CallRole, "<｜tool▁call▁end｜>": ProseRole,
	"<｜tool▁calls▁end｜>": ProseRole, "<｜end▁of▁sentence｜>": ProseRole, "<｜tool▁outputs▁begin｜>": ResultRole,
	"<｜tool▁output▁begin｜>": ResultRole, "<|tool_call_start|>": CallRole, "<|tool_call|>": CallRole,
	"<|/tool_call|>": ProseRole, "<|tool_response|>": ResultRole, "<|plugin|>": CallRole, "<|action_end|>": ProseRole,
	"<|tools_prefix|>": CallRole, "<|tools_suffix|>": ProseRole, "<|START_ACTION|>": CallRole,
	"<|END_ACTION|>": ProseRole, "<|START_TOOL_RESULT|>": ResultRole,
}

// CallTokens are the tokens that no request without calls has.
var CallTokens = []string{"[TOOL_CALLS]", "<|python_tag|>", "<|tool_call_begin|>", "<|tool_call_start|>", "<|message|>",
	"<｜tool▁call▁begin｜>", "<|tool_call|>", "<|START_ACTION|>", "<|plugin|>", "<|tools_prefix|>"}

// longestToken is the length of the longest token, in bytes.
const longestToken = 40

// tokenAt returns the token at the beginning of a text, "" if there is none.
func tokenAt(s string) string {
	end := ">"
	if s[0] == '[' {
		end = "]"
	}
	if n := strings.Index(s[:min(len(s), longestToken)], end); n >= 0 && TemplateTokens[s[:n+1]] != noRole {
		return s[:n+1]
	}
	return ""
}

// TokenFrom returns the token at an offset, "" if there is none.
func TokenFrom(request string, at int) string {
	if b := request[at]; b != '<' && b != '[' {
		return ""
	}
	return tokenAt(request[at:])
}
