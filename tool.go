package atomicedit

import (
	"encoding/json"

	"github.com/atomicedit/atomicedit/internal/call"
)

// A Tool is the definition of an editing tool, as a host offers it to a model. [Host.Call] carries out its calls. The
// zero value is no tool.
type Tool struct {
	Name        string
	Title       string // for people
	Description string // for the model: the purpose, the rules and an example, in at most 1,024 bytes

	// Schema is the JSON schema of the arguments, draft 2020-12. Objects allow no properties that it does not name. It
	// has no references, and no type that may be null.
	Schema json.RawMessage

	// Strict is the same schema for an API that samples arguments by it and accepts only a few keywords: every property
	// is required, and one that Schema does not require may be null, which means the same as missing. The parsers check
	// the limits that it leaves out.
	Strict json.RawMessage

	// Grammar describes, in Lark, the patch that apply_patch takes as the text of a call, for an API that offers tools
	// without arguments in JSON. Everything that it derives can be read. It is empty for a tool that takes only JSON.
	Grammar string

	// Reads tells a model how to read a file with the tool: the name of the tool, and what the call must have. It is
	// empty for a tool that reads none.
	Reads string
}

// Tools returns the tools whose calls [Tool.Parse] and [Host.Call] read: those with the given names, each once and in
// that order. An unknown name is fs.ErrInvalid. Without names, it returns all of them: multi_edit, apply_patch,
// text_editor, multi_edit_file, file_write_or_edit and str_replace_editor. The caller may change the tools.
//
// Offer a model only a few tools, because several ways to make the same edit cost tokens in every request, and mix up
// the model. str_replace_editor, alone or with multi_edit, is a complete set: it reads, creates and edits files. In the
// repository, docs/hosting.md has the other sets. Tell the host which tools it offers: see [Host].
func Tools(names ...string) ([]Tool, error) {
	tools, err := call.Tools(names...)
	return convertAll(tools, func(t call.Tool) Tool { return Tool(t) }), err
}

// Parse reads the arguments of a call of t, which is one of [Tools] by its name, or the text of the call if t has a
// Grammar. It reads only the shapes of this tool, so that one tool cannot be made to do what another is for. It refuses
// a call that shows a file (text_editor's read and str_replace_editor's view), because that is not a plan: use
// [Host.Call]. The errors are those of [ParseJSON].
func (t Tool) Parse(args []byte) (Plan, error) {
	p, err := parsed(call.Tool(t).Parse(args))
	return p, ofCall(err, args)
}

func internalTools(tools []Tool) []call.Tool {
	return convertAll(tools, func(t Tool) call.Tool { return call.Tool(t) })
}
