package atomicedit

import "encoding/json"

// A Tool is a tool definition that a host can offer to a model: Schema is the JSON schema of its arguments.
type Tool struct {
	Name, Description string
	Schema            json.RawMessage
}

// Tools returns the tools whose calls [Tool.Parse] reads.
func Tools() []Tool { return nil }

// Parse reads the arguments of a call of t, in this tool's shape only.
func (t Tool) Parse(args []byte) (Plan, error) {
	return Plan{}, syntax(1, "this tool is not read yet")
}
