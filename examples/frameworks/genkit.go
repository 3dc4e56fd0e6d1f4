package frameworks

import (
	"encoding/json"

	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"

	"github.com/atomicedit/atomicedit"
)

// Genkit registers the tools of a host, and returns them for ai.WithTools.
func Genkit(g *genkit.Genkit, host *atomicedit.Host) (tools []ai.ToolRef, err error) {
	for _, t := range host.Tools {
		var schema map[string]any
		if err := json.Unmarshal(t.Schema, &schema); err != nil {
			return nil, err
		}
		call := func(ctx *ai.ToolContext, arguments any) (string, error) {
			args, err := json.Marshal(arguments)
			if err != nil {
				return "", err
			}
			answer, _ := host.Call(ctx, t.Name, args) // an error would end the generation
			return answer.Text, nil
		}
		tools = append(tools, genkit.DefineTool(g, t.Name, t.Description, call, ai.WithInputSchema(schema)))
	}
	return tools, nil
}
