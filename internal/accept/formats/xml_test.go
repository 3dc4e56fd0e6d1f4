package formats_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestParseXML(t *testing.T) {
	ab := atomicedit.Edit{Old: "a", New: "b"}
	block := "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	written := func(path, content string) atomicedit.Op { return accepttest.Over(accepttest.Create(path, content)) }
	for name, tt := range map[string]struct {
		request string
		want    atomicedit.Plan
	}{
		"blocks": {
			"I change f.\n<replace_in_file>\n<path>f</path>\n<diff>\n------- SEARCH\na\n=======\nb\n+++++++ REPLACE\n</diff>\n<task_progress>\n- [x] f\n</task_progress>\n</replace_in_file>\nDone.",
			accepttest.OneEdit("f", accepttest.Lines("a\n", "b\n")),
		},
		"a file": {
			"<write_to_file>\n<path>f</path>\n<content>\nif a < b && c &lt; d {\n</content>\n<line_count>1</line_count>\n</write_to_file>",
			atomicedit.Plan{Ops: []atomicedit.Op{written("f", "if a < b && c &lt; d {\n")}},
		},
		"a file whose last line does not end": {"<write_to_file><path>f</path><content>\na</content></write_to_file>",
			atomicedit.Plan{Ops: []atomicedit.Op{written("f", "a")}}},
		"a new file": {"<create_file path=\"f\">\na\n</create_file>",
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Create("f", "a\n")}}},
		"lines that are inserted": {
			"<insert_content>\n<path>f</path>\n<line>2</line>\n<content>\na\n</content>\n</insert_content>",
			accepttest.OneEdit("f", atomicedit.Edit{New: "a\n", First: 2, WholeLines: true}),
		},
		"files": {
			"<files>\n<file path=\"f\">\na\n</file>\n<file path=\"g\"><content>b</content></file>\n</files>",
			atomicedit.Plan{Ops: []atomicedit.Op{written("f", "a\n"), written("g", "b")}},
		},
		"a file with edits": {
			"<file path=\"f\">\n<edit>\n<search>a</search>\n<replace>b</replace>\n</edit>\n</file>",
			accepttest.OneEdit("f", ab),
		},
		"a file with blocks": {"<file path=\"f\">\n" + block + "</file>",
			accepttest.OneEdit("f", accepttest.Lines("a\n", "b\n"))},
		"changes": {
			"<changes>\n<change>\n<path>f</path>\n<search>a</search>\n<replace>b</replace>\n</change>\n<change path=\"g\">\n<content>\nb\n</content>\n</change>\n</changes>",
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Edit("f", ab), written("g", "b\n")}},
		},
		"files that go": {
			"<dyad-delete path=\"f\"></dyad-delete>\n<lov-delete file_path=\"g\" />\n<dyad-rename from=\"h\" to=\"i\"></dyad-rename>",
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Remove("f"), accepttest.Remove("g"),
				accepttest.Move("h", "i")}},
		},
		"CDATA": {
			"<write_to_file>\n<path><![CDATA[f]]></path>\n<content><![CDATA[\na </content> ]]]]><![CDATA[>\n]]></content>\n</write_to_file>",
			atomicedit.Plan{Ops: []atomicedit.Op{written("f", "a </content> ]]>\n")}},
		},
		"CDATA in a string":      {"<edit_file>\n<path>f.go</path>\n<old_text><![CDATA[a]]></old_text>\n<new_text>\n<![CDATA[b]]>\n</new_text>\n</edit_file>", accepttest.OneEdit("f.go", ab)},
		"CDATA in a text":        {"<edit_file>\n<path>f.xml</path>\n<old_text>x<![CDATA[a]]></old_text>\n<new_text><![CDATA[b]]>y</new_text>\n</edit_file>", accepttest.OneEdit("f.xml", atomicedit.Edit{Old: "x<![CDATA[a]]>", New: "<![CDATA[b]]>y"})},
		"several CDATA sections": {"<write_file><path>f</path><content><![CDATA[a]]> <![CDATA[b]]></content></write_file>", atomicedit.Plan{Ops: []atomicedit.Op{written("f", "<![CDATA[a]]> <![CDATA[b]]>")}}},
		"a string": {
			"<str_replace path=\"f\" many=\"True\">\n<old_str>a</old_str>\n<new_str>b</new_str>\n</str_replace>",
			accepttest.OneEdit("f", atomicedit.Edit{Old: "a", New: "b", Count: atomicedit.All}),
		},
		"names of parameters": {
			"<function_calls>\n<invoke name=\"Edit\">\n<parameter name=\"file_path\">f</parameter>\n<parameter name=\"old_string\">a</parameter>\n<parameter name=\"new_string\">b</parameter>\n" +
				"<parameter name=\"replace_all\">false</parameter>\n</invoke>\n</function_calls>",
			accepttest.OneEdit("f", ab),
		},
		"values of tags": {
			"<tool_call>\n<function=edit>\n<parameter=file_path>\nf\n</parameter>\n<parameter=old_string>\na\n</parameter>\n<parameter=new_string>\nb\n</parameter>\n</function>\n</tool_call>",
			accepttest.OneEdit("f", ab),
		},
		"JSON in a tag":              {"<tool_call>\n{\"name\": \"edit\", \"arguments\": {\"path\": \"f\", \"old_text\": \"a\", \"new_text\": \"b\"}}\n</tool_call>", accepttest.OneEdit("f", ab)},
		"arguments in JSON in a tag": {"<function=edit>{\"path\": \"f\", \"old_text\": \"a\", \"new_text\": \"b\"}</function>", accepttest.OneEdit("f", ab)},
		"a list in a parameter": {
			"<function=edit><parameter=path>f</parameter><parameter=edits>[{\"oldText\": \"a\", \"newText\": \"b\"}]</parameter></function>", accepttest.OneEdit("f", ab),
		},
		"edits without a file": {
			"<edits>\n<old_text line=5>\na\n</old_text>\n<new_text>\nb\n</new_text>\n<old_text>\nc\n</old_text>\n<new_text>\n</new_text>\n</edits>",
			accepttest.OneEdit("", atomicedit.Edit{Old: "a", New: "b", Near: 5}, atomicedit.Edit{Old: "c"}),
		},
		"edits in groups": {
			"<edit_file><path>f</path><edits><edit><old>a</old><new>b</new></edit>\n<edit><old>c</old><new></new></edit></edits></edit_file>", accepttest.OneEdit("f", ab, atomicedit.Edit{Old: "c"}),
		},
		"files in groups": {
			"<apply_diff><args>\n<file>\n  <path>f</path>\n  <diff>\n    <content>\n" + block +
				"    </content>\n    <start_line>5</start_line>\n  </diff>\n</file>\n" +
				"<file><path>g</path><diff>" + block + "</diff></file></args></apply_diff>",
			atomicedit.Plan{Ops: []atomicedit.Op{
				{Path: "f", Edits: []atomicedit.Edit{{Old: "a\n", New: "b\n", WholeLines: true, Near: 5}}},
				{Path: "g", Edits: []atomicedit.Edit{accepttest.Lines("a\n", "b\n")}},
			}},
		},
		"a patch that names its file, with a line beside it": {
			"<apply_patch>\n<patch>\n*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch\n</patch>\n<start_line>5</start_line>\n</apply_patch>",
			accepttest.OneEdit("f", atomicedit.Edit{Old: "a\n", New: "b\n", WholeLines: true, Hunk: "-+", Near: 5}),
		},
		"several calls": {
			"<write_to_file><path>f</path><content>a</content></write_to_file>\n\nAnd:\n<delete_file>\n<path>g</path>\n</delete_file><lov-rename original_file_path=\"h\" new_file_path=\"i\" />\n" +
				"<boltAction type=\"file\" filePath=\"j\"><p>\n</boltAction>",
			atomicedit.Plan{Ops: []atomicedit.Op{written("f", "a"), {Kind: atomicedit.OpDelete, Path: "g"},
				{Kind: atomicedit.OpMove, Path: "h", To: "i"}, written("j", "<p>\n")}},
		},
		"a call in thoughts": {"<thinking>\n<delete_file>\n<path>f</path>\n</delete_file>\n</thinking>\n<delete_file>\n<path>g</path>\n</delete_file>", atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpDelete, Path: "g"}}}},
		"a code fence": {"```xml\n<delete_file>\n<path>g</path>\n</delete_file>\n```",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpDelete, Path: "g"}}}},
		"other line endings": {"<create_file path=\"f\">\r\na\r\nb\r\n</create_file>\r\n",
			atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Create("f", "a\nb\n")}}},
	} {
		for parser, parse := range map[string]func(string) (atomicedit.Plan, error){"ParseXML": atomicedit.Parse,
			"Parse": atomicedit.Parse} {
			got, err := parse(tt.request)
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreFields(atomicedit.Plan{}, "Format")); diff != "" ||
				err != nil {
				t.Errorf("%s: %s: %v (-want +got):\n%s", name, parser, err, diff)
			}
		}
	}
}

func TestParseXMLRefuses(t *testing.T) {
	const edit = "<str_replace path=\"f\">\n<old_str>a</old_str>\n<new_str>b</new_str>\n</str_replace>\n"
	checkRefused(t, atomicedit.Parse, false, map[string]refused{
		"a call that is no edit": {"\n<execute_command>\n<command>go test ./...</command>\n</execute_command>",
			3, "more than a patch"},
		"a call that reads":            {edit + "<read_file>\n<path>f</path>\n</read_file>", 5, "is not an edit"},
		"a field that could mean much": {"<str_replace path=\"f\">\n<old_str>a</old_str>\n<new_str>b</new_str>\n<mood>good</mood>\n</str_replace>", 3, "unclear where <new_str> ends"},
		"an attribute that could":      {"<str_replace path=\"f\" mood=\"good\">\n<old_str>a</old_str>\n<new_str>b</new_str>\n</str_replace>", 1, "unknown field \"mood\""},
		"a regular expression":         {"<search_and_replace>\n<path>f</path>\n<search>a</search>\n<replace>b</replace>\n<use_regex>true</use_regex>\n</search_and_replace>", 1, "regular expression"},
		"a missing old text":           {"Now.\n<invoke name=\"Edit\">\n<parameter name=\"file_path\">f</parameter>\n<parameter name=\"new_string\">b</parameter>\n</invoke>", 2, `"old_string" is missing`},
		"a missing file": {"<str_replace>\n<old_str>a</old_str>\n<new_str>b</new_str>\n</str_replace>\n",
			1, `"path" is missing`},
		"a line that is no number": {"<str_replace path=\"f\">\n<old_str line=x>a</old_str>\n<new_str>b</new_str>\n</str_replace>\n", 1, "expected a whole number"},
		"blocks that are broken":   {"<replace_in_file>\n<path>f</path>\n<diff>\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n</diff>\n</replace_in_file>", 6, "without a separator"},
		"a second call that is": {edit + "<str_replace path=\"f\">\n<old_str>a</old_str>\n</str_replace>\n",
			5, `"new_str" is missing`},
		"an edit that is": {"<edits>\n<old_text>a</old_text>\n<new_text>b</new_text>\n<old_text>\nc</old_text></edits>",
			5, `edit 2: the field "new_text" is missing`},
		"JSON that is broken": {"\n<tool_call>\n{\"name\": \"edit\",\n\"arguments\": {\"path\": 1}}\n</tool_call>", 4,
			"there is a path, but nothing"},
		"JSON beside an attribute": {"<function name=\"edit\" dry_run=\"true\">{\"path\": \"f\"}</function>", 1,
			"is beside JSON"},
		"a list that contradicts a mode": {"<edit_file>\n<path>f</path>\n<mode>delete</mode>\n<edit><old>a</old><new>b</new></edit>\n</edit_file>", 1, "is no edit"},
		"no call": {"&lt;thinking&gt;\n&lt;delete_file&gt;\n&lt;path&gt;f&lt;/path&gt;\n&lt;/delete_file&gt;\n&lt;/thinking&gt;", 1,
			"there is no call"},
		"a call, then blocks": {edit + "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", 5,
			"another format"},
		"blocks, then a call": {"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n" + edit, 6,
			"another format"},
		"a patch, then a call": {"*** Begin Patch\n*** Delete File: f\n*** End Patch\n" + edit, 4,
			"another format"},
		"a diff, then a call":             {"--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n\n" + edit, 7, "another format"},
		"a text that is not to be closed": {"<write_to_file>\n<path>f</path>\n<content>\n</content>\n</write_to_file>\n</content>\n</write_to_file>", 7, "closes nothing"},
	})
	checkRefused(t, atomicedit.Parse, true, map[string]refused{
		"a call without an end":      {"<replace_in_file>\n<path>f</path>\n", 1, "expected </replace_in_file>"},
		"a parameter without an end": {"<replace_in_file>\n<path>f</path>\n<diff>\na\n", 3, "expected </diff>"},
		"a tag without an end":       {edit + "<str_replace path=", 5, "the rest of the call"},
		"half a tag":                 {edit + "<str_re", 5, "the rest of the call"},
		"calls without an end":       {"<function_calls>\n<invoke name=\"delete\">\n<parameter name=\"path\">f</parameter>\n</invoke>\n", 1, "expected </function_calls>"},
		"JSON without an end": {"<tool_call>\n{\"name\": \"edit\", \"arguments\": {\"path\": \"f\"", 1,
			"expected </tool_call>"},
		"JSON without an end in tags": {"<tool_call>\n{\"name\": \"edit\", \"arguments\": {\"path\": \"f\"\n</tool_call>", 3, "cut off"},
		"blocks without an end":       {"<replace_in_file>\n<path>f</path>\n<diff>\n<<<<<<< SEARCH\na\n=======\n</diff>\n</replace_in_file>", 4, "cut off"},
	})
}

// What was complete when a request was cut off is told.
func TestPartOfACallInTags(t *testing.T) {
	for name, tt := range map[string]struct {
		request string
		want    atomicedit.Plan
	}{
		"calls": {"<delete_file><path>f</path></delete_file>\n<delete_file><path>g</path>",
			atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpDelete, Path: "f"}}}},
		"blocks": {
			"<replace_in_file>\n<path>f</path>\n<diff>\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nc\n", accepttest.OneEdit("f", accepttest.Lines("a\n", "b\n")),
		},
		"edits": {"<edits>\n<old_text>a</old_text><new_text>b</new_text><old_text>c</old_text><new_",
			accepttest.OneEdit("", atomicedit.Edit{Old: "a", New: "b"})},
		"JSON":   {"<tool_call>{\"name\": \"edit\", \"arguments\": {\"path\": \"f\", \"edits\": [{\"oldText\": \"a\", \"newText\": \"b\"}, {\"oldText\"", accepttest.OneEdit("f", atomicedit.Edit{Old: "a", New: "b"})},
		"a file": {"<write_to_file>\n<path>f</path>\n<content>\na\nb\n", atomicedit.Plan{}},
	} {
		_, err := atomicedit.Parse(tt.request)
		var r *atomicedit.Refusal
		if !errors.As(err, &r) || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(tt.want.Ops, r.Partial.Ops); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A call means the same in JSON and in tags, however they are written.
func TestACallInTagsMeansWhatItMeansInJSON(t *testing.T) {
	type args map[string]string
	styles := map[string]func(tool string, names []string, a args) string{
		"tags": func(tool string, names []string, a args) string {
			s := "<" + tool + ">\n"
			for _, n := range names {
				s += "<" + n + ">" + a[n] + "</" + n + ">\n"
			}
			return s + "</" + tool + ">"
		},
		"names": func(tool string, names []string, a args) string {
			s := "<x:function_calls>\n<x:invoke name=\"" + tool + "\">\n"
			for _, n := range names {
				s += "<x:parameter name=\"" + n + "\">" + a[n] + "</x:parameter>\n"
			}
			return s + "</x:invoke>\n</x:function_calls>"
		},
		"values": func(tool string, names []string, a args) string {
			s := "<tool_call>\n<function=" + tool + ">\n"
			for _, n := range names {
				s += "<parameter=" + n + ">\n" + a[n] + "\n</parameter>\n"
			}
			return s + "</function>\n</tool_call>"
		},
		"pairs": func(tool string, names []string, a args) string {
			s := "<tool_call>" + tool + "\n"
			for _, n := range names {
				s += "<arg_key>" + n + "</arg_key>\n<arg_value>" + a[n] + "</arg_value>\n"
			}
			return s + "</tool_call>"
		},
		"a tag for the tool": func(tool string, names []string, a args) string {
			s := "<tool_use>\n<tool_name>" + tool + "</tool_name>\n<parameters>\n"
			for _, n := range names {
				s += "<" + n + ">" + a[n] + "</" + n + ">\n"
			}
			return s + "</parameters>\n</tool_use>"
		},
		"JSON in a tag": func(tool string, names []string, a args) string {
			data, _ := json.Marshal(map[string]any{"name": tool, "arguments": a})
			return "<tool_call>\n" + string(data) + "\n</tool_call>"
		},
	}
	text := rapid.StringOfN(rapid.SampledFrom([]rune("ab <>&;/\"'\\{}é\t=")), 1, 12,
		-1).Filter(func(s string) bool { return !strings.Contains(s, "</") })
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SampledFrom([]struct {
			tool  string
			names []string
		}{
			{"edit_file", []string{"path", "old_string", "new_string"}},
			{"str_replace", []string{"file_path", "old_str", "new_str"}},
			{"write_file", []string{"path", "content"}}, {"search_and_replace", []string{"path", "search", "replace"}},
		}).Draw(t, "shape")
		a := args{}
		for _, n := range shape.names {
			a[n] = "dir/a b.go"
			if !strings.HasSuffix(n, "path") {
				a[n] = text.Draw(t, n)
			}
		}
		data, err := json.Marshal(map[string]any{"name": shape.tool, "arguments": a})
		if err != nil {
			t.Fatal(err)
		}
		want, wantErr := atomicedit.ParseJSON(data)
		for name, write := range styles {
			request := write(shape.tool, shape.names, a)
			got, err := atomicedit.Parse(request)
			if diff := cmp.Diff(want, got); diff != "" || (err == nil) != (wantErr == nil) {
				t.Fatalf("%s: %q: %v, want %v (-JSON +%s)\n%s", name, request, err, wantErr, name, diff)
			}
		}
	})
}

// A line of a message is one of the whole request, also within a text of a call.
func TestLinesOfMessagesCountTheRequest(t *testing.T) {
	broken := "<replace_in_file>\n<path>f</path>\n<diff>\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n</diff>\n</replace_in_file>\n"
	_, err := atomicedit.Parse("Words.\n" + broken + broken)
	var r *atomicedit.Refusal
	if !errors.As(err, &r) || len(r.Problems) != 2 || fmt.Sprint(r.Problems[0].Line, r.Problems[1].Line) != "7 15" {
		t.Errorf("got %v", err)
	}
}

func FuzzParseXML(f *testing.F) {
	accepttest.FuzzText(f, atomicedit.Parse, nil, accepttest.SeedTags, accepttest.SeedGroups)
}
