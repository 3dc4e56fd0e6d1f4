package frameworks

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"

	"github.com/atomicedit/atomicedit"
)

// ADK returns the tools of a host for an llmagent of google.golang.org/adk.
func ADK(host *atomicedit.Host) (tools []tool.Tool, err error) {
	for _, t := range host.Tools {
		var schema jsonschema.Schema
		if err := json.Unmarshal(t.Schema, &schema); err != nil {
			return nil, err
		}
		call := func(ctx agent.Context, arguments map[string]any) (map[string]any, error) {
			args, err := json.Marshal(arguments)
			if err != nil {
				return nil, err
			}
			answer, _ := host.Call(ctx, t.Name, args) // the text is for the model in any case
			return map[string]any{"result": answer.Text}, nil
		}
		config := functiontool.Config{Name: t.Name, Description: t.Description, InputSchema: &schema}
		made, err := functiontool.New(config, call)
		if err != nil {
			return nil, err
		}
		tools = append(tools, made)
	}
	return tools, nil
}
