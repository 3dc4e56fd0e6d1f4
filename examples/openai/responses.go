package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"github.com/atomicedit/atomicedit"
)

// respond lets the model work on a task by responses until it calls no more tools, and prints the conversation. The
// patch tool is a free-form tool, whose input is the patch itself.
func respond(ctx context.Context, client openai.Client, model string, host *atomicedit.Host, task string,
	out io.Writer) error {
	request := responses.ResponseNewParams{Model: model, Tools: tools(host.Tools)}
	request.Input.OfString = openai.String(task)
	for range maxTurns {
		response, err := client.Responses.New(ctx, request)
		if err != nil {
			return err
		}
		if text := response.OutputText(); text != "" {
			fmt.Fprintln(out, text)
		}
		var results responses.ResponseInputParam
		for _, item := range response.Output {
			switch item := item.AsAny().(type) {
			case responses.ResponseFunctionToolCall:
				answer := call(ctx, host, item.Name, []byte(item.Arguments), out)
				result := responses.ResponseInputItemParamOfFunctionCallOutput(answer)
				result.OfFunctionCallOutput.CallID = openai.String(item.CallID)
				results = append(results, result)
			case responses.ResponseCustomToolCall:
				args, err := json.Marshal(map[string]string{"input": item.Input})
				if err != nil {
					return err
				}
				answer := call(ctx, host, item.Name, args, out)
				results = append(results, responses.ResponseInputItemParamOfCustomToolCallOutput(item.CallID, answer))
			}
		}
		if len(results) == 0 {
			return nil
		}
		request.PreviousResponseID = openai.String(response.ID)
		request.Input = responses.ResponseNewParamsInputUnion{OfInputItemList: results}
	}
	return fmt.Errorf("not done after %d turns", maxTurns)
}

// call carries out a call and returns the text for the model, which says whether it has failed.
func call(ctx context.Context, host *atomicedit.Host, tool string, args []byte, out io.Writer) string {
	answer, _ := host.Call(ctx, tool, args)
	fmt.Fprintf(out, "%s: %s\n%s\n", tool, answer.Status, answer.Text)
	return answer.Text
}

// tools returns tools in the form of the API: those with a grammar as free-form tools, the others as functions with
// strict schemas.
func tools(offered []atomicedit.Tool) []responses.ToolUnionParam {
	all := make([]responses.ToolUnionParam, len(offered))
	for i, t := range offered {
		if t.Grammar != "" {
			rules, _, _ := strings.Cut(t.Description, "\nExample:") // which has the arguments of a function
			all[i].OfCustom = &responses.CustomToolParam{
				Name: t.Name,
				Description: openai.String(rules +
					"\nThe input is the patch, from \"*** Begin Patch\" to \"*** End Patch\", not JSON."),
				Format: shared.CustomToolInputFormatUnionParam{
					OfGrammar: &shared.CustomToolInputFormatGrammarParam{Syntax: "lark", Definition: t.Grammar},
				},
			}
			continue
		}
		all[i].OfFunction = &responses.FunctionToolParam{
			Name:        t.Name,
			Description: openai.String(t.Description),
			Parameters:  parameters(t),
			Strict:      openai.Bool(true),
		}
	}
	return all
}
