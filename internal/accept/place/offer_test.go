package place_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

func namesOf(tools []atomicedit.Tool) (names []string) {
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return names
}

func TestToolsAreChosenByName(t *testing.T) {
	for _, tt := range []struct{ ask, want []string }{
		{nil, []string{"multi_edit", "apply_patch", "text_editor", "multi_edit_file", "file_write_or_edit",
			"str_replace_editor"}},
		{[]string{"text_editor", "apply_patch"}, []string{"text_editor", "apply_patch"}},
		{[]string{"apply_patch", "text_editor", "apply_patch"}, []string{"apply_patch", "text_editor"}},
	} {
		if diff := cmp.Diff(tt.want, namesOf(accepttest.Must(atomicedit.Tools(tt.ask...)))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.ask, diff)
		}
	}
	for _, ask := range [][]string{{"sh", "multi_edit"}, {"multi_edit", "Multi_Edit"}, {""}} {
		if tools, err := atomicedit.Tools(ask...); tools != nil || !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: got %v, %v; want fs.ErrInvalid", ask, tools, err)
		}
	}
}

// Some APIs allow no longer description.
func TestDescriptionsHaveAtMost1024Bytes(t *testing.T) {
	for _, tool := range accepttest.Must(atomicedit.Tools()) {
		if n := len(tool.Description); n > 1024 {
			t.Errorf("%s: the description has %d bytes", tool.Name, n)
		}
	}
}

// A definition is paid for in every request: 2,400 bytes are less than 600 tokens.
func TestDefinitionsHaveAtMost2400Bytes(t *testing.T) {
	for _, tool := range accepttest.Must(atomicedit.Tools()) {
		for _, schema := range []json.RawMessage{tool.Schema, tool.Strict} {
			if n := len(tool.Name) + len(tool.Description) + len(schema); n > 2400 {
				t.Errorf("%s: the definition has %d bytes", tool.Name, n)
			}
		}
	}
}

// What the APIs with strict tools ask for: every property is required, no others are allowed, and few keywords are
// known.
func TestStrictSchemasRequireEveryProperty(t *testing.T) {
	for _, tool := range accepttest.Must(atomicedit.Tools()) {
		var schema, strict accepttest.Object
		if err := errors.Join(json.Unmarshal(tool.Schema, &schema), json.Unmarshal(tool.Strict, &strict)); err != nil {
			t.Fatal(err)
		}
		checkStrict(t, tool.Name, schema, strict, false)
		first := map[string]any{"text_editor": "action", "str_replace_editor": "command"}[tool.Name]
		if first != nil && strict["required"].([]any)[0] != first {
			t.Errorf("%s: the properties are in another order: %v", tool.Name, strict["required"])
		}
	}
}

// checkStrict compares a schema with its strict form.
func checkStrict(t *testing.T, at string, schema, strict accepttest.Object, optional bool) {
	t.Helper()
	for key := range strict {
		if !slices.Contains([]string{"type", "description", "enum", "items", "properties", "required",
			"additionalProperties"}, key) {
			t.Errorf("%s has %s", at, key)
		}
	}
	want := schema["type"]
	if optional {
		want = []any{want, "null"}
	}
	if diff := cmp.Diff([]any{want, schema["description"], schema["enum"]},
		[]any{strict["type"], strict["description"], strict["enum"]}); diff != "" {
		t.Errorf("%s (-want +got):\n%s", at, diff)
	}
	if optional && strict["enum"] != nil {
		t.Errorf("%s may be null, but its enum does not say so", at)
	}
	if items, ok := schema["items"].(accepttest.Object); ok {
		checkStrict(t, at+"[]", items, strict["items"].(accepttest.Object), false)
	}
	properties, ok := schema["properties"].(accepttest.Object)
	if !ok {
		return
	}
	required := map[string]bool{}
	for _, name := range strict["required"].([]any) {
		required[name.(string)] = true
	}
	if len(required) != len(properties) || strict["additionalProperties"] != false {
		t.Errorf("%s requires %v and allows %v", at, strict["required"], strict["additionalProperties"])
	}
	loosely, _ := schema["required"].([]any)
	for name, p := range properties {
		inner := strict["properties"].(accepttest.Object)[name].(accepttest.Object)
		checkStrict(t, at+"."+name, p.(accepttest.Object), inner, !slices.Contains(loosely, any(name)))
	}
}

// withNulls adds the properties that a strict schema requires to arguments, as null.
func withNulls(schema accepttest.Object, v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = withNulls(schema["items"].(accepttest.Object), v[i])
		}
	case accepttest.Object:
		for name, p := range schema["properties"].(accepttest.Object) {
			if value, ok := v[name]; ok {
				v[name] = withNulls(p.(accepttest.Object), value)
			} else {
				v[name] = nil
			}
		}
	}
	return v
}

// A model that has a strict schema writes null for what it does not need.
func TestNullsOfAStrictCallMeanNothing(t *testing.T) {
	for name, calls := range map[string][]string{
		"multi_edit": {
			`{"file_path":"f","edits":[{"old_string":"","new_string":"b"},{"old_string":"a","new_string":"b","replace_all":true}]}`,
			`{"file_path":"f","edits":[{"old_string":"a","new_string":"b","expected_replacements":2}]}`,
		},
		"apply_patch": {`{"input":"*** Begin Patch\n*** Delete File: f\n*** End Patch"}`},
		"text_editor": {
			`{"action":"read","path":"f"}`, `{"action":"read","path":"f","line_from":2}`,
			`{"action":"write","path":"f","content":""}`,
			`{"action":"patch","path":"f","edits":[{"from":1,"to":0,"content":"a"},{"from":2,"to":3,"content":""}]}`,
			`{"action":"patch","path":"f","patch_text":"@@\n-a\n+b"}`,
		},
		"multi_edit_file": {
			`{"path":"f","edits":[{"old_string":"a","new_string":"b","startLine":3}],"cwd":"d"}`,
			`{"files":[{"path":"f","edits":[{"old_string":"a","new_string":"b","replace_all":true}]}]}`,
			`{"operations":[{"type":"edit","path":"f","edits":[{"old_string":"a","new_string":"b"}]},{"type":"create","path":"g","content":""},{"type":"delete","path":"h"},{"type":"move","from":"i","to":"j"}]}`,
		},
		"file_write_or_edit": {`{"file_path":"f","percentage_to_change":100,"text_or_search_replace_blocks":"a"}`},
		"str_replace_editor": {
			`{"command":"view","path":"f"}`, `{"command":"view","path":"f","view_range":[2,-1]}`,
			`{"command":"create","path":"f","file_text":"a"}`,
			`{"command":"str_replace","path":"f","old_str":"a"}`,
			`{"command":"insert","path":"f","insert_line":0,"insert_text":"a"}`,
		},
	} {
		tool := accepttest.Must(atomicedit.Tools(name))[0]
		var schema accepttest.Object
		if err := json.Unmarshal(tool.Strict, &schema); err != nil {
			t.Fatal(err)
		}
		for _, call := range calls {
			var v any
			if err := json.Unmarshal([]byte(call), &v); err != nil {
				t.Fatal(err)
			}
			outcome := func(call string) (atomicedit.Plan, string) {
				plan, _ := tool.Parse([]byte(call))
				store := atomicedit.NewMem(map[string]string{"f": "1\n2\n3\n"})
				answer, _ := (&atomicedit.Host{Store: store}).Call(t.Context(), name, []byte(call))
				return plan, answer.Text
			}
			plan, text := outcome(call)
			strict, strictText := outcome(accepttest.Args(withNulls(schema, v)))
			if diff := cmp.Diff(plan, strict); diff != "" || text != strictText ||
				len(plan.Ops) == 0 && !strings.HasPrefix(text, "f: ") {
				t.Errorf("%s %s: %s\n%s (-loose +strict):\n%s", name, call, text, strictText, diff)
			}
		}
	}
}

func strictSession(files map[string]string) *atomicedit.Session {
	s := atomicedit.NewSession(atomicedit.NewMem(files))
	s.Strict = true
	return s
}

// A host that knows its tools carries out no others, and says how to read with one of them.
func TestHostCarriesOutWhatItOffers(t *testing.T) {
	const edit = `{"file_path":"f","edits":[{"old_string":"a","new_string":"b"}]}`
	const replace = `{"command":"str_replace","path":"f","old_str":"a","new_str":"b"}`
	own := atomicedit.Tool{Name: "read_file", Reads: "read_file"}
	for _, tt := range []struct {
		name       string
		offer      []atomicedit.Tool
		tool, args string
		want       string
	}{
		{"all", nil, "multi_edit", edit, `call text_editor with "action": "read"`},
		{"the tool that was called", nil, "str_replace_editor", replace,
			`call str_replace_editor with "command": "view"`},
		{"two tools", accepttest.Must(atomicedit.Tools("multi_edit", "str_replace_editor")), "multi_edit", edit,
			`call str_replace_editor with "command": "view"`},
		{"a tool of the host's own", append(accepttest.Must(atomicedit.Tools("multi_edit")), own), "multi_edit", edit,
			"call read_file"},
		{"no tool that reads", accepttest.Must(atomicedit.Tools("multi_edit")), "multi_edit", edit,
			"f: the file has not been read; read it first"},
		{"a tool that is not offered", accepttest.Must(atomicedit.Tools("apply_patch", "multi_edit")), "text_editor",
			`{"action":"read","path":"f"}`, `there is no tool "text_editor": expected multi_edit, apply_patch`},
		{"only tools of the host's own", []atomicedit.Tool{own}, "multi_edit", edit, `there is no tool "multi_edit"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			host := &atomicedit.Host{Store: strictSession(map[string]string{"f": "a\n"})}
			host.Tools = tt.offer
			answer, err := host.Call(t.Context(), tt.tool, []byte(tt.args))
			if err == nil || !strings.HasSuffix(answer.Text, tt.want) {
				t.Errorf("got %v, %q; want %q", err, answer.Text, tt.want)
			}
		})
	}
}

// Whoever carries out plans of a host's own calls knows none of our tools.
func TestAPlanIsRefusedWithoutTheNameOfATool(t *testing.T) {
	host := &atomicedit.Host{Store: strictSession(map[string]string{"f": "a\n"})}
	plan := atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edits("f", "a", "b")}}
	answer, _ := host.Do(t.Context(), plan)
	if strings.Contains(answer.Text, "call") {
		t.Errorf("got %q", answer.Text)
	}
	host.Tools = []atomicedit.Tool{{Name: "cat", Reads: "cat"}}
	if answer, _ = host.Do(t.Context(), plan); !strings.HasSuffix(answer.Text, "\nnote: to read a file, call cat") {
		t.Errorf("got %q", answer.Text)
	}
}
