package frameworks

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"testing"

	"charm.land/fantasy"
	"github.com/cloudwego/eino/components/tool"
	"github.com/firebase/genkit/go/ai"
	"github.com/firebase/genkit/go/genkit"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/genai"

	"github.com/atomicedit/atomicedit"
)

const (
	view = `{"command": "view", "path": "a.txt"}`
	edit = `{"command": "str_replace", "path": "a.txt", "old_str": "one", "new_str": "1"}`
	lost = `{"command": "str_replace", "path": "a.txt", "old_str": "nine", "new_str": "9"}`
)

// callers return what calls the tool of a host as each framework does.
var callers = map[string]func(t *testing.T, host *atomicedit.Host) func(args string) string{
	"fantasy": func(t *testing.T, host *atomicedit.Host) func(args string) string {
		found := Fantasy(host)[0]
		if info := found.Info(); info.Parameters["old_str"] == nil || len(info.Required) == 0 {
			t.Errorf("tool %+v", info)
		}
		return func(args string) string {
			answer, err := found.Run(t.Context(), fantasy.ToolCall{Name: found.Info().Name, Input: args})
			if err != nil || answer.IsError != (args == lost) {
				t.Errorf("%s: error %v, as an error %t", args, err, answer.IsError)
			}
			return answer.Content
		}
	},
	"eino": func(t *testing.T, host *atomicedit.Host) func(args string) string {
		found := Eino(host)[0].(tool.InvokableTool)
		info, err := found.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if schema, err := info.ToJSONSchema(); err != nil || schema.Properties == nil {
			t.Errorf("schema %+v, error %v", schema, err)
		}
		return func(args string) string {
			answer, err := found.InvokableRun(t.Context(), args)
			if err != nil {
				t.Error(err)
			}
			return answer
		}
	},
	"genkit": func(t *testing.T, host *atomicedit.Host) func(args string) string {
		tools, err := Genkit(genkit.Init(context.Background()), host)
		if err != nil {
			t.Fatal(err)
		}
		found := tools[0].(ai.Tool)
		if found.Definition().InputSchema["properties"] == nil {
			t.Errorf("definition %+v", found.Definition())
		}
		return func(args string) string {
			var input map[string]any
			if err := json.Unmarshal([]byte(args), &input); err != nil {
				t.Fatal(err)
			}
			answer, err := found.RunRaw(t.Context(), input)
			if err != nil {
				t.Fatal(err)
			}
			return answer.(string)
		}
	},
	"adk": func(t *testing.T, host *atomicedit.Host) func(args string) string {
		tools, err := ADK(host)
		if err != nil {
			t.Fatal(err)
		}
		definition := tools[0].(interface {
			Declaration() *genai.FunctionDeclaration
		}).Declaration()
		if definition.ParametersJsonSchema == nil {
			t.Errorf("definition %+v", definition)
		}
		said := &oneCall{tool: definition.Name}
		root, err := llmagent.New(llmagent.Config{Name: "editor", Model: said, Tools: tools})
		if err != nil {
			t.Fatal(err)
		}
		run, err := runner.New(runner.Config{AppName: "test", Agent: root, SessionService: session.InMemoryService(),
			AutoCreateSession: true})
		if err != nil {
			t.Fatal(err)
		}
		return func(args string) string {
			said.args, said.answer = nil, nil
			if err := json.Unmarshal([]byte(args), &said.args); err != nil {
				t.Fatal(err)
			}
			ask := genai.NewContentFromText("edit", genai.RoleUser)
			for _, err := range run.Run(t.Context(), "user", "session", ask, agent.RunConfig{}) {
				if err != nil {
					t.Error(err)
				}
			}
			answer, _ := said.answer["result"].(string)
			return answer
		}
	},
}

// A oneCall is a model that calls a tool once in each turn, and keeps the answer.
type oneCall struct {
	tool         string
	args, answer map[string]any
}

func (m *oneCall) Name() string { return "one call" }

func (m *oneCall) GenerateContent(_ context.Context, r *model.LLMRequest, _ bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		newest := r.Contents[len(r.Contents)-1].Parts[0]
		if newest.FunctionResponse == nil {
			yield(&model.LLMResponse{Content: genai.NewContentFromFunctionCall(m.tool, m.args, genai.RoleModel)}, nil)
			return
		}
		m.answer = newest.FunctionResponse.Response
		yield(&model.LLMResponse{Content: genai.NewContentFromText("done", genai.RoleModel)}, nil)
	}
}

func TestAToolReadsEditsAndExplainsARefusal(t *testing.T) {
	for name, caller := range callers {
		t.Run(name, func(t *testing.T) {
			tools, err := atomicedit.Tools("str_replace_editor")
			if err != nil {
				t.Fatal(err)
			}
			files := atomicedit.NewMem(map[string]string{"a.txt": "one\ntwo\n"})
			call := caller(t, &atomicedit.Host{Store: atomicedit.NewSession(files), Tools: tools})
			for _, test := range []struct{ args, says string }{{view, "one"}, {edit, "a.txt"}, {lost, "old_str"}} {
				if said := call(test.args); !strings.Contains(said, test.says) {
					t.Errorf("%s: %s", test.args, said)
				}
			}
			if got := files.Files()["a.txt"]; got != "1\ntwo\n" {
				t.Errorf("text %q", got)
			}
		})
	}
}
