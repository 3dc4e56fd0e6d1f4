package atomicedit

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// A Tool is the definition of an editing tool, as a host offers it to a model. [Host.Call] carries out the calls.
type Tool struct {
	Name        string
	Title       string          // for people
	Description string          // for the model: what it does, the rules, an example, and what a refusal means
	Schema      json.RawMessage // JSON schema of the arguments, draft 2020-12
}

// Tools returns the tools whose calls [Tool.Parse] reads: multi_edit, apply_patch, text_editor, multi_edit_file,
// file_write_or_edit and str_replace_editor. Their schemas allow no properties that they do not name, have no
// references, and no type that may be null. The caller may change what it got.
func Tools() []Tool {
	kinds := toolKinds()
	tools := make([]Tool, len(kinds))
	for i, k := range kinds {
		var schema bytes.Buffer
		json.Compact(&schema, []byte(k.schema))
		tools[i] = Tool{Name: k.name, Title: k.title, Description: k.description, Schema: schema.Bytes()}
	}
	return tools
}

// Parse reads the arguments of a call of t, which is one of [Tools] by its name. It reads this tool's own shapes only, so
// that one tool cannot be made to do what another is for. A call that reads a file (text_editor's read and
// str_replace_editor's view) is no plan, and refused: [Host.Call] serves it. The errors are those of [ParseJSON].
func (t Tool) Parse(args []byte) (Plan, error) {
	k, err := kindOf(t.Name)
	if err != nil {
		return Plan{}, err
	}
	doc := &document{data: args, tool: t.Name}
	return doc.parse(k.shapes)
}

// A toolKind is a tool and the shapes of its calls.
type toolKind struct {
	name, title, description, schema string
	shapes                           []shape
	reads                            bool // some of its calls read a file
	fenced                           bool // its answer has the diff
}

func kindOf(tool string) (toolKind, error) {
	kinds := toolKinds()
	var names []string
	for _, k := range kinds {
		if k.name == tool {
			return k, nil
		}
		names = append(names, k.name)
	}
	return toolKind{}, refuse(Problem{Err: ErrSyntax, Op: -1, Edit: -1, Msg: "there is no tool " + quote(tool) + ": expected " + strings.Join(names, ", ")})
}

// A view is a call that reads a file: the lines first to last, 0 standing for the first and the last there is.
type view struct {
	path        string
	first, last int
}

// parse reads a call, which has either a plan or a view.
func (k toolKind) parse(args []byte) (Plan, *view, error) {
	doc := &document{data: args, tool: k.name, reads: k.reads}
	p, err := doc.parse(k.shapes)
	return p, doc.view, err
}

// shapeOf returns the shape that is recognised by the given field.
func shapeOf(key string) shape {
	all := shapes()
	return all[slices.IndexFunc(all, func(s shape) bool { return s.key == key })]
}
