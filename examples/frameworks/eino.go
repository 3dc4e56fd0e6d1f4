package frameworks

import (
	"context"
	"encoding/json"

	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"

	"github.com/atomicedit/atomicedit"
)

// Eino returns the tools of a host for a ToolsNode or an agent of eino.
func Eino(host *atomicedit.Host) (tools []tool.BaseTool) {
	for _, t := range host.Tools {
		tools = append(tools, einoTool{host, t})
	}
	return tools
}

type einoTool struct {
	host *atomicedit.Host
	tool atomicedit.Tool
}

func (t einoTool) Info(context.Context) (*schema.ToolInfo, error) {
	var s jsonschema.Schema
	err := json.Unmarshal(t.tool.Schema, &s)
	return &schema.ToolInfo{Name: t.tool.Name, Desc: t.tool.Description,
		ParamsOneOf: schema.NewParamsOneOfByJSONSchema(&s)}, err
}

func (t einoTool) InvokableRun(ctx context.Context, arguments string, _ ...tool.Option) (string, error) {
	answer, _ := t.host.Call(ctx, t.tool.Name, []byte(arguments)) // an error would end the run of the agent
	return answer.Text, nil
}
