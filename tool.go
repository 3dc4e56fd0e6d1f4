package atomicedit

import (
	"bytes"
	"encoding/json"
	"strings"
)

// A Tool is the definition of an editing tool, as a host offers it to a model. [Host.Call] carries out its calls.
type Tool struct {
	Name        string
	Title       string          // for people
	Description string          // for the model: the purpose, the rules, an example, and how to react to a refusal
	Schema      json.RawMessage // JSON schema of the arguments, draft 2020-12
}

// Tools returns the tools whose calls [Tool.Parse] and [Host.Call] read: multi_edit, apply_patch, text_editor, multi_edit_file,
// file_write_or_edit and str_replace_editor. Their schemas allow no properties that they do not name, and have no references
// and no type that may be null. The caller may change the tools.
func Tools() []Tool {
	tools := make([]Tool, len(toolKinds))
	for i, k := range toolKinds {
		var schema bytes.Buffer
		json.Compact(&schema, []byte(k.schema))
		tools[i] = Tool{Name: k.name, Title: k.title, Description: k.description, Schema: schema.Bytes()}
	}
	return tools
}

// Parse reads the arguments of a call of t, which is one of [Tools] by its name. It reads only the shapes of this tool, so
// that one tool cannot be made to do what another is for. It refuses a call that shows a file (text_editor's read and
// str_replace_editor's view), because that is not a plan: use [Host.Call]. The errors are those of [ParseJSON].
func (t Tool) Parse(args []byte) (Plan, error) {
	k, err := kindOf(t.Name)
	if err != nil {
		return Plan{}, err
	}
	p, _, err := readJSON(args, dialect{shapes: k.shapes, tool: k.name})
	return p, err
}

// parse reads a call, which has either a plan or a view.
func (k toolKind) parse(args []byte) (Plan, *view, error) {
	return readJSON(args, dialect{shapes: k.shapes, tool: k.name, views: true})
}

func kindOf(tool string) (toolKind, error) {
	var names []string
	for _, k := range toolKinds {
		if k.name == tool {
			return k, nil
		}
		names = append(names, k.name)
	}
	return toolKind{}, refuse(Problem{Err: ErrSyntax, Op: -1, Edit: -1, Msg: "there is no tool " + quote(tool) + ": expected " + strings.Join(names, ", ")})
}
