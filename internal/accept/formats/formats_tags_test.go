package formats_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
)

// A tagForm is an example of some tags: it works with each of them in the place of TAG.
type tagForm struct {
	table   string // the table of internal/tagcall/vocabulary.go that has the tags
	meaning string
	tags    string
	example string
	want    map[string]string // the files afterwards; nil: the request is refused
}

const (
	tagCall   = `<edit path="app.ini">` + tagEdit + `</edit>`
	tagEdit   = `<old_text>port = 80</old_text><new_text>port = 8080</new_text>`
	tagBlock  = "\n<<<<<<< SEARCH\nport = 80\n=======\nport = 8080\n>>>>>>> REPLACE\n"
	tagNamed  = `<invoke name="edit">`
	tagParent = `<edit_file><path>app.ini</path>`
)

var (
	tagUsual = map[string]string{usualFile: strings.Replace(usualText, "80", "8080", 1)}
	tagAdded = map[string]string{usualFile: usualText, "new.ini": "port = 8080"}
	tagBelow = map[string]string{usualFile: usualText + "tls = on\n"}
	tagAbove = map[string]string{usualFile: "tls = on\n" + usualText}
	tagMoved = map[string]string{"new.ini": usualText}
)

var tagForms = []tagForm{
	{"openers", "around calls", "actions artifact boltArtifact calls changes files function_call function_calls lov-code tool_call tool_calls tool_code tool_use tool_uses",
		`<TAG>` + tagCall + `</TAG>`, tagUsual},
	{"openers", "a call that names its tool",
		"function invoke tool use_mcp_tool calls function_call function_calls tool_call tool_calls tool_code tool_use tool_uses",
		`<TAG name="edit"><path>app.ini</path>` + tagEdit + `</TAG>`, tagUsual},
	{"openers", "an edit", "edit change edit_file file lov-line-replace multi_edit patch replace search_and_replace search_replace str_replace update_file",
		`<TAG path="app.ini">` + tagEdit + `</TAG>`, tagUsual},
	{"openers", "an edit of a file that is named elsewhere", "edits change file", `<TAG>` + tagEdit + `</TAG>`,
		tagUsual},
	{"openers", "blocks for a file",
		"apply_diff dyad-search-replace edit edit_file lov-search-replace patch replace_in_file search_and_replace search_replace",
		`<TAG path="app.ini">` + tagBlock + `</TAG>`, tagUsual},
	{"openers", "a patch", "apply_patch",
		"<TAG><patch>\n*** Begin Patch\n*** Update File: app.ini\n@@\n-port = 80\n+port = 8080\n*** End Patch\n</patch></TAG>", tagUsual},
	{"openers", "a whole file (here a new one)",
		"write_to_file create_file dyad-write file lov-write new_file save save_file write write_file",
		`<TAG path="new.ini">port = 8080</TAG>`, tagAdded},
	{"openers", "a whole file, of Bolt", "boltAction", `<TAG type="file" filePath="new.ini">port = 8080</TAG>`,
		tagAdded},
	{"openers", "text at the end of a file", "append", `<TAG path="app.ini">tls = on</TAG>`, tagBelow},
	{"openers", "text above a line, of Devin", "insert", `<TAG path="app.ini" insert_line="1">tls = on</TAG>`,
		tagAbove},
	{"openers", "text below a line", "insert_content", `<TAG path="app.ini" insert_line="0">tls = on</TAG>`,
		tagAbove},
	{"openers", "move a file", "move_file dyad-rename lov-rename rename_file",
		`<TAG from="app.ini" to="new.ini"></TAG>`, tagMoved},
	{"openers", "delete a file", "delete_file dyad-delete lov-delete", `<TAG path="app.ini"></TAG>`,
		map[string]string{}},

	{"roles", "a parameter with its name", "parameter param argument arg",
		tagNamed + `<TAG name="path">app.ini</TAG>` + tagEdit + `</invoke>`, tagUsual},
	{"roles", "the name of the next parameter", "arg_key", tagNamed + `<TAG>path</TAG><arg_value>app.ini</arg_value>` +
		tagEdit + `</invoke>`, tagUsual},
	{"roles", "the value of that parameter", "arg_value", tagNamed + `<arg_key>path</arg_key><TAG>app.ini</TAG>` +
		tagEdit + `</invoke>`, tagUsual},
	{"roles", "the name of the tool", "tool_name function_name name", `<tool_use><TAG>edit</TAG><path>app.ini</path>` +
		tagEdit + `</tool_use>`, tagUsual},
	{"roles", "ignored", "server_name", `<tool_use><TAG>x</TAG><tool_name>edit</tool_name><path>app.ini</path>` +
		tagEdit + `</tool_use>`, tagUsual},

	{"groups", "around all parameters", "arguments args file files input operation operations parameters params",
		`<edit_file><TAG><path>app.ini</path>` + tagEdit + `</TAG></edit_file>`, tagUsual},
	{"groups", "around one edit", "edit block change hunk item replacement",
		tagParent + `<TAG>` + tagEdit + `</TAG></edit_file>`, tagUsual},
	{"groups", "around all edits", "edits blocks changes hunks replacements",
		tagParent + `<TAG><edit>` + tagEdit + `</edit></TAG></edit_file>`, tagUsual},
	{"groups", "around blocks", "diff diffs", `<apply_diff><path>app.ini</path><TAG><content>` + tagBlock +
		`</content></TAG></apply_diff>`, tagUsual},
	{"openers", "a bare patch", "apply_patch",
		"<TAG>\n*** Begin Patch\n*** Update File: app.ini\n@@\n-port = 80\n+port = 8080\n*** End Patch\n</TAG>",
		tagUsual},
	{"groups", "around a patch", "patch",
		"<edit_file><path>app.ini</path><TAG><content>\n@@\n-port = 80\n+port = 8080\n</content></TAG></edit_file>",
		tagUsual},

	{"asides", "ignored", "analysis reasoning scratchpad think thinking thought thoughts",
		`<TAG><delete_file path="app.ini"></delete_file></TAG>` + "\n" + tagCall, tagUsual},
	{"results", "refused", "function_result function_results tool_output tool_response tool_result tool_results",
		tagCall + "\n<TAG>The file has been edited.</TAG>", nil},
}

// tagTables are the tables of tags, and what docs/formats.md calls them.
var tagTables = []struct{ name, title string }{
	{"openers", "Calls, and tags around them"},
	{"groups", "Groups of parameters in a call"},
	{"roles", "Parameters and names in a call"},
	{"asides", "Text about calls"},
	{"results", "Results of calls"},
}

// tagTable returns the tags in Markdown, each form with its example.
func tagTable() string {
	var b strings.Builder
	for _, table := range tagTables {
		var forms strings.Builder
		for _, f := range tagForms {
			if f.table != table.name {
				continue
			}
			tags := strings.Fields(f.tags)
			forms.WriteString(wordTable([]accepttest.Wording{{Meaning: f.meaning, Words: tags}}))
			forms.WriteString(accepttest.IndentedBy("        ", strings.ReplaceAll(f.example, "TAG", tags[0])+"\n"))
		}
		b.WriteString("\n" + table.title + ":\n\n" + fence("text", forms.String()))
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// bareTag returns a tag as the tables have it.
func bareTag(tag string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(tag))
}

// capitalized returns a tag with capitals in the place of underscores.
func capitalized(tag string) string {
	words := strings.Split(tag, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// carryOut tests the example with a tag.
func (f tagForm) carryOut(t *testing.T, tag string) {
	t.Helper()
	e := formatExample{files: map[string]string{usualFile: usualText},
		request: strings.ReplaceAll(f.example, "TAG", tag)}
	switch o := e.carryOut(t); {
	case o.err != nil && f.want == nil:
	case o.err != nil:
		t.Errorf("%s: %v", e.request, o.err)
	case !maps.Equal(o.files, f.want):
		t.Errorf("%s: the files are %q", e.request, o.files)
	}
}

func TestEveryTagHasAnExample(t *testing.T) {
	has := map[string]bool{}
	for _, f := range tagForms {
		for _, tag := range strings.Fields(f.tags) {
			has[f.table+" "+bareTag(tag)] = true
			f.carryOut(t, tag)
			f.carryOut(t, strings.ReplaceAll(tag, "_", "-"))
			f.carryOut(t, capitalized(tag))
		}
	}
	for _, table := range tagTables {
		for _, key := range keysOf(t, "internal/tagcall/vocabulary.go", table.name) {
			if !has[table.name+" "+key] {
				t.Errorf("no example has the tag %s of %s: add it to tagForms", key, table.name)
			}
			delete(has, table.name+" "+key)
		}
	}
	for tag := range has {
		t.Errorf("a tag that is in no table: %s", tag)
	}
}
