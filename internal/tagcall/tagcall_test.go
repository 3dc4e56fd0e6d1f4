package tagcall_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/atomicedit/atomicedit/internal/jsonobj"
	"github.com/atomicedit/atomicedit/internal/tagcall"
)

// styles write a call of write_to_file with a path and a content, in each way in which models write them.
var styles = map[string]func(content string) string{
	"tags": func(content string) string {
		return "<write_to_file>\n<path>a</path>\n<content>\n" + content + "</content>\n</write_to_file>"
	},
	"names": func(content string) string {
		return "<function_calls>\n<invoke name=\"write_to_file\">\n<parameter name=\"path\">a</parameter>\n<parameter name=\"content\">" + content +
			"</parameter>\n</invoke>\n</function_calls>"
	},
	"values": func(content string) string {
		return "<tool_call>\n<function=write_to_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n" +
			content + "\n</parameter>\n</function>\n</tool_call>"
	},
	"pairs": func(content string) string {
		return "<tool_call>write_to_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n<arg_key>content</arg_key>\n<arg_value>" + content + "</arg_value>\n</tool_call>"
	},
	"attributes": func(content string) string {
		return "<write_to_file path=\"a\">" + content + "</write_to_file>"
	},
}

// A text that ends there, and goes on with another call or with a parameter of its call, has these by any reading.
const goesOn = `(?s)(</parameter>\s*</invoke>|</write_to_file>).*<(invoke name="y"|write_to_file)>\s*<(parameter|content|path|p)\b` +
	`|</arg_value>\s*<arg_key>[^<>]*x[^<>]*</arg_key>\s*<arg_value>`

// A text is read to the letter, or the call is refused.
func TestATextIsNeverReadAsAnother(t *testing.T) {
	pieces := []string{
		"x", " ", "\n", "<p>", "</p>\n", "<", "&lt;", "<content>", "</content>", "</content>\n", "<path>", "</path>",
		"</write_to_file>", "<write_to_file>\n", "<invoke name=\"y\">",
		"</invoke>", "<parameter=content>", "<parameter name=\"content\">", "</parameter>", "</function>\n",
		"<tool_call>", "</tool_call>", "</arg_value>", "<arg_key>", "</arg_key>", "<arg_value>",
	}
	ends := regexp.MustCompile(goesOn)
	rapid.Check(t, func(t *rapid.T) {
		content := "x" + strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, "pieces"), "") + "\n"
		if ends.MatchString(content) {
			return
		}
		for name, write := range styles {
			r, err := tagcall.Read("Words.\n" + write(content) + "\nMore.\n")
			if err != nil || slices.ContainsFunc(r.Calls, func(c tagcall.Call) bool { return c.Fields == nil }) {
				continue // a call without parameters means nothing to any tool
			}
			if want := fmt.Sprintf("write_to_file(path=\"a\", content=%q)\n", content); show(r.Calls) != want {
				t.Fatalf("%s: %s\nwant %s", name, show(r.Calls), want)
			}
		}
	})
}

// A text without the tags of its call is read to the letter.
func TestATextIsReadToTheLetter(t *testing.T) {
	pieces := []string{"x", " ", "\n", "<p>", "</p>\n", "<", "&lt;", ">", "\"", "<div class=\"a\">", "<!--", "]]>", "{",
		"é", "\r\n", "<other_tag>\n", "</other_tag>"}
	rapid.Check(t, func(t *rapid.T) {
		content := "x" + strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 20).Draw(t, "pieces"), "") + "\n"
		for name, write := range styles {
			r, err := tagcall.Read("Words.\n" + write(content) + "\nMore.\n")
			if want := fmt.Sprintf("write_to_file(path=\"a\", content=%q)\n", content); err != nil ||
				show(r.Calls) != want {
				t.Fatalf("%s: %v\n%s\nwant %s", name, err, show(r.Calls), want)
			}
		}
	})
}

// show returns the calls of a request, one to a line.
func show(calls []tagcall.Call) string {
	var b strings.Builder
	for _, c := range calls {
		fmt.Fprintf(&b, "%s(%s", c.Tool, strings.TrimSpace(c.JSON.Text))
		for i, f := range c.Fields {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "%s=%q", f.Name, f.Text)
		}
		for _, e := range c.Edits {
			for i, f := range e {
				fmt.Fprintf(&b, "%s%s=%q", map[bool]string{true: "; ", false: ", "}[i == 0], f.Name, f.Text)
			}
		}
		b.WriteString(")\n")
	}
	return b.String()
}

func TestCallsAreRead(t *testing.T) {
	for name, test := range map[string]struct{ src, want string }{
		"parameters in tags of their own": {
			"I do.\n<replace_in_file>\n<path>a.go</path>\n<diff>\n<<<<<<< SEARCH\n</diff>\n</replace_in_file>\nDone.",
			`replace_in_file(path="a.go", diff="<<<<<<< SEARCH")`,
		},
		"two calls": {
			"<write_to_file>\n<path>\n  a\n</path>\n<content>\nx\ny\n</content>\n</write_to_file>\n<write_to_file><path>b</path><content>x</content></write_to_file>",
			"write_to_file(path=\"a\", content=\"x\\ny\\n\")\nwrite_to_file(path=\"b\", content=\"x\")",
		},
		"parameters with their names": {
			"<calls:function_calls>\n<calls:invoke name=\"Edit\">\n<calls:parameter name=\"file_path\">a</calls:parameter>\n" +
				"<calls:parameter name='old_string'>\n x\n</calls:parameter></calls:invoke>\n</calls:function_calls>",
			`Edit(file_path="a", old_string=" x")`,
		},
		"names behind an equals sign": {
			"<tool_call>\n<function=edit>\n<parameter=file_path>\na\n</parameter>\n<parameter=content>\nx\n\n</parameter>\n</function>\n</tool_call>",
			`edit(file_path="a", content="x\n")`,
		},
		"pairs": {"<tool_call>edit\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>",
			`edit(path="a")`},
		"the name in a tag":  {"<function_calls><invoke><tool_name>edit</tool_name><parameters><path>a</path></parameters></invoke></function_calls>", `edit(path="a")`},
		"JSON":               {"<tool_call>\n{\"name\": \"</tool_call>\"}\n</tool_call>", `({"name": "</tool_call>"})`},
		"JSON as parameters": {"<function=edit>{\"path\": 1}</function>", `edit({"path": 1})`},
		"JSON in a tag":      {"<use_mcp_tool><server_name>x</server_name><tool_name>edit</tool_name><arguments>{}</arguments></use_mcp_tool>", `edit({})`},
		"attributes": {
			"<str_replace path=\"a b\" many=True>\n<old_str> x</old_str>\n<new_str></new_str>\n</str_replace>",
			`str_replace(path="a b", many="True", old_str=" x", new_str="")`,
		},
		"a text as the only parameter": {
			"<boltArtifact id=\"x\" title=\"X\">\n<boltAction type=\"file\" filePath=\"a.html\"><p>\n</boltAction>\n</boltArtifact>",
			`boltAction(type="file", filePath="a.html", content="<p>\n")`,
		},
		"a tag that closes itself": {"<lov-delete file_path=\"a\" />", `delete_file(file_path="a")`},
		"groups": {
			"<apply_diff>\n<args>\n<file>\n  <path>a</path>\n  <diff>\n    <content>\nx\n    </content>\n    <start_line>5</start_line>\n  </diff>\n" +
				"<diff><content>y</content></diff></file>\n<file><path>b</path><diff>z</diff></file></args></apply_diff>",
			"apply_diff(path=\"a\", diff=\"x\\n\", start_line=\"5\")\napply_diff(path=\"a\", diff=\"y\")\napply_diff(path=\"b\", diff=\"z\")",
		},
		"repetitions": {
			"<edits>\n\n<old_text line=5>\na\n</old_text>\n<new_text>\nb\n</new_text>\n<old_text line=\"7\">\nc\n</old_text>\n<new_text>\n\n</new_text>\n\n</edits>",
			`(; old_text="a", start_line="5", new_text="b"; old_text="c", start_line="7", new_text="")`,
		},
		"a list of edits": {
			"<edit_file><path>a</path><edits><edit><old>a</old><new>b</new></edit><edit><old>c</old></edit></edits></edit_file>", `edit_file(path="a"; old="a", new="b"; old="c")`,
		},
		"edits": {
			"<edit_file><edit><old>a</old><new>b</new></edit><edit><old>c</old></edit><path>a</path></edit_file>",
			`edit_file(path="a"; old="a", new="b"; old="c")`,
		},
		"a tool that is not known": {"<change_a_file>\n<path>a</path>\n<old>x</old></change_a_file>",
			`change_a_file(path="a", old="x")`},
		"a closing tag in the text": {
			"<write_to_file><path>a</path><content>x</content> y </content>\n<br></content>\n</write_to_file>",
			`write_to_file(path="a", content="x</content> y </content>\n<br>")`,
		},
		"a call in the text of a call": {
			"<write_to_file><path>a</path><content>\n<write_to_file>\n<path>b</path>\n<content>\nx\n</content>\n</write_to_file>\n</content>\n</write_to_file>",
			`write_to_file(path="a", content="<write_to_file>\n<path>b</path>\n<content>\nx\n</content>\n</write_to_file>\n")`,
		},
		"an opening tag in the text": {
			"<write_to_file><path>a</path><content>say <content>, as in <p><content>\n</content></write_to_file>",
			`write_to_file(path="a", content="say <content>, as in <p><content>\n")`,
		},
		"thoughts":         {"<thinking>\n<replace_in_file>\n<path>x</path></replace_in_file></thinking><delete_file>\n<path>a</path></delete_file>", `delete_file(path="a")`},
		"words about tags": {"Use `<invoke name=\"x\"><parameter name=\"y\">` or <write_to_file> or <tool_call> for that.\n<think>", ""},
		"other tags":       {"<div>\n<path d=\"x\"/>\n</div>\n<p><a href=\"x\">", ""},
		"a closing tag too many": {"<function=edit>\n<parameter=path>a</parameter>\n</function>\n</tool_call>",
			`edit(path="a")`},
	} {
		r, err := tagcall.Read(test.src)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		want := test.want
		if want != "" {
			want += "\n"
		}
		if diff := cmp.Diff(want, show(r.Calls)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

func TestWhatIsNoCallIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		src  string
		line int
		want string
	}{
		"text between parameters": {"<replace_in_file>\n<path>a</path>\nnow\n<diff></diff></replace_in_file>", 3,
			`"now" is between the parameters of <replace_in_file>`},
		"a parameter without name": {"<invoke name=\"x\">\n<parameter>a</parameter></invoke>", 2,
			"<parameter> has no name"},
		"a value without name": {"<tool_call>x\n<arg_key></arg_key>\n<arg_value>a</arg_value>\n</tool_call>", 3,
			"<arg_value> has no name"},
		"another closing tag": {"<invoke name=\"x\">\n<parameter name=\"path\">a</parameter>\n</function></invoke>", 3,
			"</function> closes nothing: expected </invoke>"},
		"a parameter that does not end": {"<write_to_file>\n<path>a</path>\n<content>x\n</write_to_file>", 3,
			"unclear where <content> ends"},
		"a parameter that ends in the next call": {
			"<write_to_file>\n<path>a</path>\n<content>x\n</write_to_file>\n<write_to_file>\n<path>a</path>\n<content>x</content>\n</write_to_file>", 3, "unclear where <content> ends",
		},
		"a call that ends in its text": {
			"<write_to_file><path>a</path><content>x</content></write_to_file>\ny</content>\n</write_to_file>", 3,
			"</write_to_file> closes nothing",
		},
		"a text that ends twice": {"<create_file path=\"a\">\nx\n</create_file>\ny\n</create_file>", 5,
			"</create_file> closes nothing"},
		"a call without parameters": {"\n<replace_in_file>\nwords\n</replace_in_file>", 2,
			"<replace_in_file> begins no call"},
		"JSON with a string that does not end": {"<tool_call>\n{\"a\n</tool_call>\n", 1,
			"has no end before </tool_call>"},
		"groups in groups": {strings.Repeat("<edits>", 20) + "<path>", 1, "nested too deeply"},
		"many parameters around groups": {"<apply_diff>" + strings.Repeat("<path>x</path>", 40) +
			"<file><path>x</path></file><file><path>x</path></file></apply_diff>", 1, "too many parameters"},
	} {
		_, err := tagcall.Read(test.src)
		var e *jsonobj.Error
		if !errors.As(err, &e) || e.CutOff || !strings.Contains(e.Msg, test.want) ||
			strings.Count(test.src[:e.Offset], "\n")+1 != test.line {
			t.Errorf("%s: got %+v, want %q on line %d", name, e, test.want, test.line)
		}
	}
}

// Every prefix of a request that ends within a call or a tag around calls was cut off. It has the calls that are
// complete.
func TestAPrefixIsCutOff(t *testing.T) {
	for _, src := range []string{
		"<function_calls>\n<invoke name=\"Edit\">\n<parameter name=\"path\">a</parameter>\n<parameter name=\"old\"><b></parameter>\n</invoke>\n" +
			"<invoke name=\"Edit\">\n<parameter name=\"path\">a</parameter>\n</invoke>\n</function_calls>",
		"<tool_call>\n{\"name\": \"</tool_call>\"}\n</tool_call>",
		"<tool_call>edit\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>",
		"<edits>\n<old_text line=5>\na\n</old_text>\n<new_text>\nb\n</new_text>\n<old_text line=\"7\">\nc\n</old_text>\n<new_text>\n\n</new_text>\n\n</edits>",
		"<apply_diff><args><file><path>a</path><diff><content>x</content></diff></file><file><path>b</path><diff>z</diff></file></args></apply_diff>",
		"<boltArtifact id=\"x\">\n<boltAction type=\"file\" filePath=\"a.html\"><p>\n</boltAction>\n</boltArtifact>",
		"<str_replace path=\"a b\" many=True>\n<old_str> x</old_str>\n<new_str></new_str>\n</str_replace>",
	} {
		whole, err := tagcall.Read(src)
		if err != nil {
			t.Fatal(err)
		}
		most := 0
		for i := 2; i < len(src); i++ {
			r, err := tagcall.Read(src[:i])
			var e *jsonobj.Error
			if errors.As(err, &e) && !e.CutOff && strings.Contains(e.Msg, "has no end before") {
				continue // a closing tag in the JSON, which was cut off
			}
			if !errors.As(err, &e) || !e.CutOff {
				t.Errorf("%q: %v", src[:i], err)
			}
			if !strings.HasPrefix(show(whole.Calls), show(r.Calls)) || len(r.Calls) < most {
				t.Errorf("%q: calls %s", src[:i], show(r.Calls))
			}
			most = len(r.Calls)
		}
	}
}

func TestACallThatWasCutOffHasItsParameters(t *testing.T) {
	r, err := tagcall.Read("<replace_in_file>\n<path>a</path>\n<diff>\nx")
	var e *jsonobj.Error
	if !errors.As(err, &e) || len(r.Calls) > 0 ||
		show([]tagcall.Call{*r.Open}) != "replace_in_file(path=\"a\", diff=\"x\")\n" {
		t.Errorf("got %+v, %+v", r, e)
	}
}

func TestProseIsWhatStandsAroundCalls(t *testing.T) {
	src := "One.\n<think>x</think>\n<function_calls>\n<delete_file path=\"a\"/>\n</function_calls>\nTwo <b>."
	r, err := tagcall.Read(src)
	var got []string
	for _, p := range r.Prose {
		got = append(got, strings.TrimSpace(src[p[0]:p[1]]))
	}
	if diff := cmp.Diff([]string{"One.", "", "", "", "Two <b>."}, got); diff != "" || err != nil {
		t.Errorf("(-want +got) %v\n%s", err, diff)
	}
}
