package atomicedit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// snippets returns the fenced blocks of README.md in a language.
func snippets(t *testing.T, language string) []string {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllSubmatch(readme, -1) {
		blocks = append(blocks, string(m[1]))
	}
	if len(blocks) == 0 {
		t.Fatalf("README.md has no snippet in %s", language)
	}
	return blocks
}

// The Go snippets stand in example_test.go word for word, but for indentation, in functions that examples call.
func TestREADMESnippetsAreInTheExamples(t *testing.T) {
	src, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, snippet := range snippets(t, "go") {
		indented := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(snippet, "\t$1")
		if !strings.Contains(string(src), snippet) && !strings.Contains(string(src), indented) {
			t.Errorf("not in example_test.go:\n%s", snippet)
		}
	}
}

func TestREADMECommandsWork(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	for _, snippet := range snippets(t, "sh") {
		switch {
		case snippet == "go test ./...\n": // this very run; .ci/run takes it from here
		case strings.Contains(snippet, "go run ./examples/apply"):
			t.Run("apply", func(t *testing.T) {
				tmp, checkout := t.TempDir(), t.TempDir()
				if err := os.CopyFS(checkout, os.DirFS(".")); err != nil { // this one may be read-only, and so would be what is copied from it
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

// importByReplace runs commands in an empty directory beside a clone, and then a program that imports the package.
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
	program := "package main\n\nimport \"github.com/atomicedit/atomicedit\"\n\nfunc main() { atomicedit.NewMem(nil) }\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	shell(t, dir, "go run .\n", noNetwork)
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
