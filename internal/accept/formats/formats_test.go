package formats_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

const formatsDoc = "docs/formats.md"

// A formatExample is a request in one of the shapes or dialects that the package reads. The examples are in
// testdata/formats:
//
//	-- group: NAME --                   a heading of docs/formats.md, and the text below it
//	-- example: NAME --                 a heading below that, and the text below it, in Markdown
//	-- file: PATH --                    a file that the request is carried out on; without one, it is usualFile
//	-- request --                       the request as it is sent
type formatExample struct {
	group, intro string // of the group, for its first example
	name, about  string
	files        map[string]string
	request      string
}

// usualFile is the one file of an example that has no others.
const usualFile, usualText = "app.ini", "host = localhost\nport = 80\ndebug = no\n"

// formatExamples returns the examples of docs/formats.md in order.
func formatExamples(t *testing.T) []formatExample { return examplesIn(t, "testdata/formats/*.txtar") }

func examplesIn(t *testing.T, pattern string) (all []formatExample) {
	t.Helper()
	var group accepttest.Section
	for _, s := range accepttest.ReadArchives(t, pattern, "group: ", "example: ") {
		kind, title, _ := strings.Cut(s.Title, ": ")
		switch kind {
		case "group":
			group = accepttest.Section{Title: title, Text: s.Text}
			continue
		case "example":
			all = append(all, formatExample{group: group.Title, intro: group.Text, name: title, about: s.Text,
				files: map[string]string{}})
			group.Text = ""
			continue
		}
		e := &all[len(all)-1]
		switch kind {
		case "file":
			e.files[title] = accepttest.Written(s.Text)
		case "request":
			e.request = accepttest.Written(s.Text)
		default:
			t.Fatalf("%s: an unknown section %q", e.name, s.Title)
		}
	}
	for i := range all {
		if len(all[i].files) == 0 {
			all[i].files[usualFile] = usualText
		}
	}
	return all
}

// An outcome is what comes of a request.
type outcome struct {
	plan    atomicedit.Plan
	unnamed bool // the request names no file
	report  *atomicedit.Report
	files   map[string]string
	err     error
}

// carryOut carries the request out in memory, for a conversation that has read all files but those whose names begin
// with "unread".
func (e formatExample) carryOut(t *testing.T) (o outcome) {
	o.plan, o.err = atomicedit.Parse(e.request)
	if o.err != nil {
		return o
	}
	o.unnamed = slices.ContainsFunc(o.plan.Ops, func(op atomicedit.Op) bool { return op.Path == "" })
	store := atomicedit.NewMem(e.files)
	session := atomicedit.NewSession(store)
	for path := range e.files {
		if !strings.HasPrefix(path, "unread") {
			session.View(t.Context(), path, 0, 0) // a binary file cannot be read
		}
	}
	o.report, o.err = atomicedit.Run(t.Context(), session, o.plan.ForFile(usualFile), nil)
	o.files = store.Files()
	return o
}

// print returns the outcome in Markdown.
func (o outcome) print() string {
	switch {
	case o.err != nil:
		return "Refused:\n\n" + fence("text", o.err.Error())
	case o.plan.DryRun:
		return "Shown, but not written:\n\n" + fence("diff", o.changes())
	}
	return "The outcome:\n\n" + fence("diff", o.changes()) + o.notes()
}

// notes returns the notes of the report in Markdown.
func (o outcome) notes() string {
	var b strings.Builder
	for _, f := range o.report.Files {
		for _, n := range f.Notes {
			fmt.Fprintf(&b, "\nThe report says: %s.\n", n.Msg)
		}
	}
	return b.String()
}

// changes returns the diff of the report, with a line about each file instead of the headers. A lone change of
// usualFile needs none.
func (o outcome) changes() string {
	var b strings.Builder
	diffs := strings.Split("\n"+o.report.Diff, "\ndiff --git ")[1:]
	for i, f := range o.report.Files {
		switch {
		case f.From != "":
			fmt.Fprintf(&b, "%s: %s to %s\n", f.Status, f.From, f.Path)
		case len(diffs) > 1 || f.Path != usualFile || f.Status != "modified":
			fmt.Fprintf(&b, "%s: %s\n", f.Status, f.Path)
		}
		_, hunks, _ := strings.Cut(diffs[i], "\n@@ ")
		for line := range strings.Lines(hunks) {
			if strings.Contains(" +-", line[:1]) && line != hunks[:len(line)] {
				b.WriteString(strings.TrimSuffix(line, "\n") + "\n")
			}
		}
	}
	return b.String()
}

// fence returns a text in a code fence.
func fence(language, text string) string {
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + language + "\n" + strings.TrimSuffix(text, "\n") + "\n" + mark + "\n"
}

// TestFormats keeps docs/formats.md up to date: every example is carried out, and the outcome is written below it.
func TestFormats(t *testing.T) {
	var contents, body strings.Builder
	for _, e := range formatExamples(t) {
		if e.intro != "" {
			fmt.Fprintf(&contents, "\n- [%s](#%s): ", e.group, accepttest.AnchorOf(e.group))
			fmt.Fprintf(&body, "\n## %s\n\n%s", e.group, e.intro)
		} else {
			contents.WriteString(" · ")
		}
		fmt.Fprintf(&contents, "[%s](#%s)", e.name, accepttest.AnchorOf(e.name))
		body.WriteString(e.print(t))
	}
	for _, v := range vocabularies() {
		fmt.Fprintf(&contents, "\n- [%s](#%s)", v.title, accepttest.AnchorOf(v.title))
		fmt.Fprintf(&body, "\n## %s\n\n%s\n%s", v.title, v.about, v.table)
	}
	head := strings.NewReplacer("CONTENTS", strings.TrimSuffix(brokenLines(contents.String()), "\n"), "USUAL",
		fence("ini", usualText)).Replace(formatsHead)
	accepttest.CheckGenerated(t, formatsDoc, head+body.String())
}

const formatsHead = `# The formats of requests

The shapes and dialects that this package reads, each with an example: the request as it is sent, and its outcome. Everything on this
page comes from running the library: ` + "`go test -run TestFormats ./internal/accept/formats -update`" + ` writes it from ` + "`testdata/formats`" + `.

An example works on this file, ` + "`app.ini`" + `, unless it shows others:

USUAL
**The usual change** is that ` + "`port = 80`" + ` becomes ` + "`port = 8080`" + `, and nothing else. Requests are passed to ` + "`Parse`" + `, which detects the
format; the parser named for a format reads only that.
CONTENTS
`

// brokenLines breaks the lines of a list in Markdown.
func brokenLines(list string) string {
	var b strings.Builder
	for line := range strings.Lines(list) {
		column := 0
		for i, word := range strings.SplitAfter(strings.TrimSuffix(line, "\n"), " · ") {
			if column += len(word); i > 0 && column > 130 {
				b.WriteString("\n  ")
				column = len(word)
			}
			b.WriteString(word)
		}
		b.WriteByte('\n')
	}
	return strings.ReplaceAll(b.String(), " \n", "\n")
}

// print returns the example in Markdown.
func (e formatExample) print(t *testing.T) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n", e.name)
	if e.about != "" {
		b.WriteString(e.about + "\n")
	}
	if !e.isUsual() {
		for _, path := range slices.Sorted(maps.Keys(e.files)) {
			language := strings.TrimPrefix(filepath.Ext(path), ".")
			text := strings.ReplaceAll(strings.ToValidUTF8(e.files[path], "\uFFFD"), "\x00", "␀")
			fmt.Fprintf(&b, "`%s`:\n\n%s\n", path, fence(language, text))
		}
		b.WriteString("The request:\n\n")
	}
	b.WriteString(fence(languageOf(e.request), e.request) + "\n")
	o := e.carryOut(t)
	if e.isUsual() && o.err == nil &&
		maps.Equal(o.files, map[string]string{usualFile: strings.Replace(usualText, "80", "8080", 1)}) {
		b.WriteString("The usual change")
		if o.unnamed {
			b.WriteString(", once `Plan.ForFile` has named the file")
		}
		b.WriteString(".\n")
		return b.String() + o.notes()
	}
	return b.String() + o.print()
}

// isUsual reports whether the only file is the usual one.
func (e formatExample) isUsual() bool { return e.files[usualFile] == usualText && len(e.files) == 1 }

// languageOf returns the language of a request, for a code fence.
func languageOf(request string) string {
	switch {
	case json.Valid([]byte(request)):
		return "json"
	case strings.HasPrefix(request, "<") && strings.HasSuffix(request, ">\n") && !strings.Contains(request, "|"):
		return "xml"
	}
	return "text"
}

// A vocabulary is a list of words that requests may use, for the end of the page.
type vocabulary struct{ title, about, table string }

func vocabularies() []vocabulary {
	return []vocabulary{
		{"The tools of this package", "The fields that the tools of `Tools` take, in each form of call, and no others. A slash leads into a field: the fields\nof each edit are those of `multi_edit / edits`.\n", fencedWords(accepttest.ToolWords())},
		{"Names of fields", "The fields of JSON calls, and of calls as tags. Case, underscores and hyphens do not count: `filePath` is `file_path`. A name with\n" +
			"several meanings has the one that the other fields of the call give it.\n",
			fencedWords(accepttest.FieldWords())},
		{"Fields that are ignored", "Fields that change nothing about an edit. The same holds for any field that is empty, or whose name ends with one of the first nine\nwords. Any other unknown field is refused.\n", fencedWords(accepttest.IgnoredWords())},
		{"Modes", "The values of fields such as `command`, `mode` or `type`. Others with several words, " +
			"such as `replace_range`, are read\nas the names of tools are.\n",
			fencedWords(accepttest.VerbWords(false))},
		{"Words in the names of tools",
			"If a call names its tool, these words in the name count, as in `write_file` or `mcp__fs__moveFile`.\n",
			fencedWords(accepttest.VerbWords(true))},
		{"Tags", "The tags that begin a call, surround calls, or have a meaning in a call. Any other tag with an underscore may be the name of a tool.\n" +
			"Capitals or hyphens may take the place of underscores, except in the tags of results: `writeToFile` is `write_to_file`. Below each list\n" +
			"of tags is an example with the first of them, which works with each of the others in its place.\n",
			tagTable()},
		{"Tokens of templates", "The tokens with which the templates of models mark calls.\n",
			fencedWords(accepttest.TokenWords())},
		{"Verbs of hashlines", "The verbs of all generations of the format.\n",
			fencedWords(accepttest.HashlineWords())},
	}
}

func fencedWords(words []accepttest.Wording) string { return fence("text", wordTable(words)) }

// wordTable returns words as lines of text.
func wordTable(words []accepttest.Wording) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.Meaning + ":")
		column := 999
		for _, word := range w.Words {
			if column += 1 + len(word); column > 125 {
				b.WriteString("\n   ")
				column = 3 + len(word)
			}
			b.WriteString(" " + word)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// keysOf returns the keys of a table of a source file, in order. The table may be made by a function, and of lists of
// them.
func keysOf(t *testing.T, name, table string) (keys []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	wordsIn := func(e ast.Expr) []string {
		list, err := strconv.Unquote(e.(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Fields(list)
	}
	read := func(declared ast.Node) {
		isOfLists := false
		ast.Inspect(declared, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				isOfLists = isOfLists || n.Sel.Name == "TableOf"
			case *ast.KeyValueExpr:
				if _, made := n.Value.(*ast.FuncLit); made {
					return true
				}
				if isOfLists {
					keys = append(keys, wordsIn(n.Value)...)
				} else {
					keys = append(keys, wordsIn(n.Key)...)
				}
				return false
			case *ast.BasicLit:
				keys = append(keys, wordsIn(n)...)
			}
			return true
		})
	}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok {
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && v.Names[0].Name == table {
					read(v)
				}
			}
		}
	}
	if len(keys) == 0 {
		t.Fatalf("%s has no %s", name, table)
	}
	slices.Sort(keys)
	return keys
}

// A shape of the tables has an example if, without the shape, an example is read otherwise.
func TestEveryShapeHasAnExample(t *testing.T) {
	examples := formatExamples(t)
	read := func(e formatExample) (plan atomicedit.Plan, refusal string) {
		plan, err := atomicedit.Parse(e.request)
		if err != nil {
			refusal = err.Error()
		}
		return plan, refusal
	}
	for _, table := range []struct {
		name    string
		keys    []string
		without func(keys string, run func())
	}{
		{"calls", accepttest.CallShapes(), accepttest.WithoutCallShape},
		{"edits", accepttest.EditShapes(), accepttest.WithoutEditShape},
	} {
		for _, keys := range table.keys {
			if !slices.ContainsFunc(examples, func(e formatExample) (needs bool) {
				plan, refusal := read(e)
				table.without(keys, func() {
					otherPlan, otherRefusal := read(e)
					needs = refusal != otherRefusal || !cmp.Equal(plan, otherPlan)
				})
				return needs
			}) {
				t.Errorf("no example has the shape of %s with %s: add one to testdata/formats", table.name, keys)
			}
		}
	}
}

// A word has an example if a request has it.
func TestEveryMarkerHasAnExample(t *testing.T) {
	examples := formatExamples(t)
	squeeze := strings.NewReplacer(" ", "", "_", "", "-", "")
	hasExample := func(word string) bool {
		return slices.ContainsFunc(examples, func(e formatExample) bool {
			return strings.Contains(squeeze.Replace(strings.ToLower(e.request)), squeeze.Replace(strings.ToLower(word)))
		})
	}
	quoted := func(words []string, before, after string) (all []string) {
		for _, word := range words {
			all = append(all, before+word+after)
		}
		return all
	}
	const tags = "internal/tagcall/vocabulary.go"
	for _, list := range [][]string{
		quoted(accepttest.PatchMarkers(), "***", ""), quoted(accepttest.TypedCalls(), `"`, `"`),
		accepttest.TokenWords()[0].Words,
		accepttest.HashlineWords()[0].Words, quoted(keysOf(t, tags, "roles"), "<", ""),
	} {
		for _, word := range list {
			if !hasExample(word) {
				t.Errorf("no example has %q: add one to testdata/formats", word)
			}
		}
	}
	for _, field := range accepttest.RefusedFields() {
		if !slices.ContainsFunc(quoted(field.Words, `"`, `"`), hasExample) {
			t.Errorf("no example has a field that %s: add one to testdata/formats", field.Meaning)
		}
	}
}

func TestEveryFormatHasAnExample(t *testing.T) {
	missing := map[string]bool{"blocks": true, "v4a": true, "unified": true, "json": true, "lsp": true,
		"hashline": true, "commands": true}
	names := map[string]bool{}
	for _, e := range formatExamples(t) {
		if names[accepttest.AnchorOf(e.name)] {
			t.Errorf("two examples are called %q", e.name)
		}
		names[accepttest.AnchorOf(e.name)] = true
		format, _, _ := strings.Cut(e.carryOut(t).plan.Format, ":")
		delete(missing, format)
	}
	for format := range missing {
		t.Errorf("no example is in the format %s", format)
	}
}
