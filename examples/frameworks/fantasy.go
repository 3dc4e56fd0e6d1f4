package frameworks

import (
	"context"
	"encoding/json"

	"charm.land/fantasy"

	"github.com/atomicedit/atomicedit"
)

// Fantasy returns the tools of a host for an agent of charm.land/fantasy.
func Fantasy(host *atomicedit.Host) (tools []fantasy.AgentTool) {
	for _, t := range host.Tools {
		tools = append(tools, &fantasyTool{host: host, tool: t})
	}
	return tools
}

type fantasyTool struct {
	host    *atomicedit.Host
	tool    atomicedit.Tool
	options fantasy.ProviderOptions
}

func (t *fantasyTool) Info() fantasy.ToolInfo {
	var schema struct {
		Properties map[string]any `json:"properties"`
		Required   []string       `json:"required"`
	}
	json.Unmarshal(t.tool.Schema, &schema) // it is an object
	return fantasy.ToolInfo{Name: t.tool.Name, Description: t.tool.Description, Parameters: schema.Properties,
		Required: schema.Required}
}

func (t *fantasyTool) Run(ctx context.Context, call fantasy.ToolCall) (fantasy.ToolResponse, error) {
	answer, err := t.host.Call(ctx, call.Name, []byte(call.Input)) // the text is for the model in any case
	return fantasy.ToolResponse{Type: "text", Content: answer.Text, IsError: err != nil}, nil
}

func (t *fantasyTool) ProviderOptions() fantasy.ProviderOptions     { return t.options }
func (t *fantasyTool) SetProviderOptions(o fantasy.ProviderOptions) { t.options = o }
