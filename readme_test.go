package atomicedit_test

import (
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/atomicedit/atomicedit/internal/sweeptest"
)

// withSnippets are the documents whose code stands in examples.
var withSnippets = []string{"README.md", "docs/hosting.md"}

// snippets returns the fenced blocks of a document in a language.
func snippets(t *testing.T, document, language string) []string {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllSubmatch(text, -1) {
		blocks = append(blocks, string(m[1]))
	}
	if len(blocks) == 0 && document == "README.md" {
		t.Fatalf("%s has no snippet in %s", document, language)
	}
	return blocks
}

// The Go snippets stand in example_test.go word for word, but for indentation, in functions that examples call. What
// they print stands there as the output of an example.
func TestREADMESnippetsAreInTheExamples(t *testing.T) {
	src, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	code := strings.ReplaceAll(string(src), "\n\t// ", "\n\t//") // so that gofmt may indent comments
	startOfLine := regexp.MustCompile(`(?m)^(.)`)
	for _, document := range withSnippets {
		for _, snippet := range snippets(t, document, "go") {
			if strings.HasPrefix(snippet, "package main\n") { // TestREADMECommandsWork runs it
				continue
			}
			if !strings.Contains(string(src), snippet) &&
				!strings.Contains(string(src), startOfLine.ReplaceAllString(snippet, "\t$1")) {
				t.Errorf("%s: not in example_test.go:\n%s", document, snippet)
			}
		}
		for _, output := range snippets(t, document, "text") {
			if !strings.Contains(code, startOfLine.ReplaceAllString(output, "\t//$1")) {
				t.Errorf("%s: not the output of an example in example_test.go:\n%s", document, output)
			}
		}
	}
}

// Links in the documents lead to files that are there, and to headings in them.
func TestLinksInDocumentsLead(t *testing.T) {
	var documents []string
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, found...)
	}
	links := 0
	for _, document := range documents {
		for _, m := range regexp.MustCompile(`\]\(([^()\s]+)\)`).FindAllStringSubmatch(withoutFences(t, document), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			name, anchor, _ := strings.Cut(m[1], "#")
			if name = filepath.Join(filepath.Dir(document), name); strings.HasPrefix(m[1], "#") {
				name = document
			}
			if _, err := os.Stat(name); err != nil {
				t.Errorf("%s: a link to %s: %v", document, m[1], err)
			} else if anchor != "" && !strings.Contains(headings(t, name), "\n"+anchor+"\n") {
				t.Errorf("%s: a link to %s, which has no such heading", document, m[1])
			}
		}
	}
	if links == 0 {
		t.Error("there are no links")
	}
}

// withoutFences returns a document without its fenced blocks.
func withoutFences(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(string(text)) {
		bare := strings.TrimSpace(line)
		mark := bare[:len(bare)-len(strings.TrimLeft(bare, "`~"))]
		switch {
		case fence != "" && bare == fence:
			fence = ""
		case fence != "":
		case len(mark) >= 3:
			fence = mark
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}

// headings returns the anchors of the headings of a document, each on a line.
func headings(t *testing.T, name string) string {
	all := "\n"
	for line := range strings.Lines(withoutFences(t, name)) {
		if heading := strings.TrimLeft(line, "#"); heading != line {
			all += accepttest.AnchorOf(strings.TrimSpace(heading)) + "\n"
		}
	}
	return all
}

func TestREADMECommandsWork(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	if sweeptest.Or(true, false) {
		t.Skip("it builds the package twice: go test -tags sweep")
	}
	for _, snippet := range snippets(t, "README.md", "sh") {
		switch {
		case snippet == "go test ./...\n": // this very run; .ci/run takes it from here
		case strings.Contains(snippet, "go run ./examples/apply"):
			t.Run("apply", func(t *testing.T) {
				tmp, checkout := t.TempDir(), t.TempDir()
				// this one may be read-only, and so would be what is copied from it
				if err := os.CopyFS(checkout, os.DirFS(".")); err != nil {
					t.Fatal(err)
				}
				for range 2 { // on a copy, so twice
					out := shell(t, checkout, snippet, "TMPDIR="+tmp)
					if !strings.Contains(out, "+authors = yes\n") {
						t.Errorf("no diff:\n%s", out)
					}
				}
			})
		case strings.Contains(snippet, "go mod edit"):
			t.Run("replace", func(t *testing.T) { importByReplace(t, snippet) })
		default:
			t.Errorf("a snippet that no test runs:\n%s", snippet)
		}
	}
}

// importByReplace runs commands in an empty directory beside a clone, and then the program that README.md begins with.
func importByReplace(t *testing.T, commands string) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	tmp := t.TempDir()
	dir := filepath.Join(tmp, "yours")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(here, filepath.Join(tmp, "atomicedit")); err != nil {
		t.Skip(err)
	}
	const noNetwork = "GOSUMDB=off" // the modules are those that this test was built with
	shell(t, dir, commands, noNetwork)
	program := snippets(t, "README.md", "go")[0]
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := shell(t, dir, "go run . && cat app.ini\n", noNetwork); !strings.HasSuffix(out,
		"<nil>\nhost = a\nport = 8080\n") {
		t.Errorf("the program of README.md prints %q", out)
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		return
	}
	size := func(imports, body string) int64 {
		program = "package main\n\nimport (\n\t\"fmt\"\n" + imports + ")\n\nfunc main() {\n" + body + "}\n"
		if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o644); err != nil {
			t.Fatal(err)
		}
		shell(t, dir, "go build -ldflags='-s -w' -o program .\n", noNetwork)
		info, err := os.Stat(filepath.Join(dir, "program"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	const us = "\t\"github.com/atomicedit/atomicedit\"\n"
	none := size("", "fmt.Println()\n")
	if n := size(us, "fmt.Println(atomicedit.Apply(nil, nil, nil))\n") - none; n > 2e6 {
		t.Errorf("a program grows by %d bytes with Apply, README.md says 2 MB", n)
	}
	if n := size("\t\"context\"\n"+us, "d, _ := atomicedit.OpenDir(\".\", nil)\nh := &atomicedit.Host{Store: d}\n"+
		"fmt.Println(h.Call(context.Background(), \"multi_edit\", nil))\n") - none; n > 5e6 {
		t.Errorf("a program grows by %d bytes with a directory and a Host, README.md says 5 MB", n)
	}
}

// shell runs a script and returns what it printed.
func shell(t *testing.T, dir, script string, env ...string) string {
	t.Helper()
	cmd := exec.Command("sh", "-euc", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	return string(out)
}

// withoutExample are methods that no program begins with: those that print or marshal, those of a Store, and what a
// person decides after a crash.
var withoutExample = []string{
	"String", "Error", "Unwrap", "MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText",
	"Read", "Commit", "Check", "Respells", "List", "Recover", "RecoverForeign", "Discard", "Close", "Err",
}

// Every function has an example that runs, and an example calls every method that a program begins with.
func TestEveryEntryPointHasAnExample(t *testing.T) {
	pkg, code := documented(t)
	everything := ""
	for _, c := range code {
		everything += c
	}
	for _, typ := range pkg.Types {
		pkg.Funcs = append(pkg.Funcs, typ.Funcs...)
		for _, m := range typ.Methods {
			if !slices.Contains(withoutExample, m.Name) && !strings.Contains(everything, "."+m.Name+"(") {
				t.Errorf("no example calls %s.%s", typ.Name, m.Name)
			}
		}
	}
	for _, f := range pkg.Funcs {
		isShown, use := false, regexp.MustCompile(`\batomicedit\.`+f.Name+`\b`)
		for name, c := range code {
			of, _, _ := strings.Cut(name, "_")
			isShown = isShown || (of == f.Name || "New"+of == f.Name) && use.MatchString(c)
		}
		if !isShown {
			t.Errorf("%s has no example that calls it", f.Name)
		}
	}
}

// documented returns the documentation of the package, and the code of its examples that run, by their names.
func documented(t *testing.T) (pkg *doc.Package, code map[string]string) {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	code = map[string]string{}
	for _, e := range doc.Examples(files...) {
		var b strings.Builder
		if err := format.Node(&b, set, e.Code); err != nil {
			t.Fatal(err)
		}
		if e.Output != "" || e.EmptyOutput {
			code[e.Name] = b.String()
		}
	}
	pkg, err = doc.NewFromFiles(set, files, "github.com/atomicedit/atomicedit")
	if err != nil {
		t.Fatal(err)
	}
	return pkg, code
}
