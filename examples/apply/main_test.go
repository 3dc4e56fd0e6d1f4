package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the diffs in testdata/want")

// project copies the project of testdata to a new directory.
func project(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/project")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// tree returns the files under dir by name.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// call runs the program and returns its exit status, standard output and standard error.
func call(stdin string, args ...string) (int, string, string) {
	var stdout, stderr bytes.Buffer
	status := newCommand(strings.NewReader(stdin), &stdout, &stderr).run(args)
	return status, stdout.String(), stderr.String()
}

// newCommand returns the program without ticks and signals. Runs are kept only where -state says so.
func newCommand(stdin io.Reader, stdout, stderr io.Writer) command {
	hold := func() (context.Context, func()) { return context.Background(), func() {} }
	state := func() (string, error) { return "", errors.New("there is no home") }
	return command{stdin, stdout, stderr, nil, hold, state}
}

// requests returns the requests of testdata.
func requests(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/requests/*")
	if err != nil || len(names) < 5 {
		t.Fatal(names, err)
	}
	return names
}

func TestEveryFormatIsCarriedOutOnce(t *testing.T) {
	for _, request := range requests(t) {
		name := filepath.Base(request)
		t.Run(name, func(t *testing.T) {
			dir := project(t)
			before := tree(t, dir)

			status, preview, stderr := call("", "-C", dir, "-n", request)
			if status != done || !strings.Contains(stderr, "nothing was written") {
				t.Fatalf("preview: status %d\n%s", status, stderr)
			}
			if d := cmp.Diff(before, tree(t, dir)); d != "" {
				t.Fatalf("a preview wrote something:\n%s", d)
			}

			status, stdout, stderr := call("", "-C", dir, request)
			if status != done || stdout != preview {
				t.Fatalf("status %d\n%s\npreview:\n%s\ndone:\n%s", status, stderr, preview, stdout)
			}
			after := tree(t, dir)
			golden(t, "testdata/want/"+name+".diff", stdout)
			if d := cmp.Diff(gitApply(t, stdout, after), after); d != "" {
				t.Errorf("git makes something else of the diff (-git +apply):\n%s", d)
			}

			status, stdout, stderr = call("", "-C", dir, request)
			if status != refused || stdout != "" || stderr == "" {
				t.Errorf("second run: status %d\n%s%s", status, stdout, stderr)
			}
			if d := cmp.Diff(after, tree(t, dir)); d != "" {
				t.Errorf("a refused request wrote something:\n%s", d)
			}
		})
	}
}

// golden compares got with a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

// gitApply returns what git makes of the project with a diff; or want, where there is no git.
func gitApply(t *testing.T, diff string, want map[string]string) map[string]string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		return want
	}
	dir := project(t)
	cmd := exec.Command("git", "apply", "--whitespace=nowarn", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(diff)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s", err, out)
	}
	return tree(t, dir)
}

func TestStandardInputIsReadWithoutAFile(t *testing.T) {
	request, err := os.ReadFile("testdata/requests/blocks.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"-"}} {
		if status, _, stderr := call(string(request), append([]string{"-C", project(t)}, args...)...); status != done {
			t.Errorf("%q: status %d\n%s", args, status, stderr)
		}
	}
}

func TestJSONReport(t *testing.T) {
	status, stdout, stderr := call("", "-C", project(t), "-json", "testdata/requests/operations.json")
	var report atomicedit.Report
	if err := json.Unmarshal([]byte(stdout), &report); status != done || err != nil {
		t.Fatalf("status %d, %v\n%s", status, err, stderr)
	}
	got := map[string]string{}
	for _, f := range report.Files {
		got[f.Path] = f.Status
	}
	want := map[string]string{
		"shelf/cli.py": "modified", "CHANGES.md": "added", "examples/shelf.ini": "moved", "web/style.css": "deleted",
	}
	if d := cmp.Diff(want, got); d != "" || report.Diff == "" || stderr != "" {
		t.Errorf("%s\n%s\n%s", d, report.Diff, stderr)
	}
}

func TestJSONRefusal(t *testing.T) {
	const request = `{"file_path": "README.md", "edits": [{"old_string": "no such text here", "new_string": "x"}]}`
	status, stdout, stderr := call(request, "-C", project(t), "-json")
	var refusal atomicedit.Refusal
	if err := json.Unmarshal([]byte(stdout), &refusal); status != refused || err != nil || stderr == "" {
		t.Fatalf("status %d, %v\n%s\n%s", status, err, stdout, stderr)
	}
	if len(refusal.Problems) != 1 || refusal.Problems[0].Code != "not_found" ||
		refusal.Problems[0].Path != "README.md" {
		t.Error(stdout)
	}
}

func TestExitStatus(t *testing.T) {
	dir := project(t)
	const good = "a.txt\n<<<<<<< SEARCH\n=======\nhello\n>>>>>>> REPLACE\n"
	tests := []struct {
		name, stdin string
		args        []string
		want        int
	}{
		{"help", "", []string{"-h"}, done},
		{"unknown flag", "", []string{"-x"}, usage},
		{"one of two files missing", "", []string{"testdata/requests/blocks.md", "none", "-C", dir}, failed},
		{"unknown colour", "", []string{"-color", "blue"}, usage},
		{"request without edits", "hello", []string{"-C", dir}, refused},
		{"empty request", "", []string{"-C", dir}, refused},
		{"cut-off request", good[:len(good)-10], []string{"-C", dir}, refused},
		{"path outside", "../" + good, []string{"-C", dir}, refused},
		{"no such request file", "", []string{"-C", dir, filepath.Join(dir, "none")}, failed},
		{"no such directory", good, []string{"-C", filepath.Join(dir, "none")}, failed},
		{"preview", good, []string{"-C", dir, "-n"}, done},
	}
	before := tree(t, dir)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _, stderr := call(tt.stdin, tt.args...); got != tt.want {
				t.Errorf("status %d, want %d\n%s", got, tt.want, stderr)
			}
		})
	}
	if d := cmp.Diff(before, tree(t, dir)); d != "" {
		t.Errorf("something was written:\n%s", d)
	}
}

func TestARequestThatFailsInOneFileChangesNone(t *testing.T) {
	dir := project(t)
	before := tree(t, dir)
	const request = `{"operations": [
		{"type": "edit", "path": "README.md", "edits": [{"old_string": "# shelf", "new_string": "# Shelf"}]},
		{"type": "create", "path": "new.txt", "content": "x"},
		{"type": "edit", "path": "docs/usage.md", "edits": [{"old_string": "not there", "new_string": "x"}]}]}`
	status, _, stderr := call(request, "-C", dir)
	if status != refused || !strings.Contains(stderr, "docs/usage.md") {
		t.Errorf("status %d\n%s", status, stderr)
	}
	if d := cmp.Diff(before, tree(t, dir)); d != "" {
		t.Error(d)
	}
}

func TestARequestCanAskForAPreviewItself(t *testing.T) {
	dir := project(t)
	before := tree(t, dir)
	const request = `{"path": "README.md", "edits": [{"oldText": "# shelf", "newText": "# Shelf"}], "dryRun": true}`
	status, stdout, stderr := call(request, "-C", dir)
	if status != done || !strings.Contains(stdout, "+# Shelf") || !strings.Contains(stderr, "nothing was written") {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	if d := cmp.Diff(before, tree(t, dir)); d != "" {
		t.Error(d)
	}
}

func TestColour(t *testing.T) {
	dir := project(t)
	_, plain, _ := call("", "-C", dir, "-n", "testdata/requests/blocks.md")
	_, coloured, _ := call("", "-C", dir, "-n", "-color", "always", "testdata/requests/blocks.md")
	if strings.Contains(plain, "\x1b") {
		t.Error("colours where nobody looks")
	}
	for _, want := range []string{"\x1b[32m+authors = yes\x1b[m\n", "\x1b[1m--- a/shelf.ini\x1b[m\n"} {
		if !strings.Contains(coloured, want) {
			t.Errorf("no %q in\n%q", want, coloured)
		}
	}
	without := coloured
	for _, code := range []string{"\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[m"} {
		without = strings.ReplaceAll(without, code, "")
	}
	if d := cmp.Diff(plain, without); d != "" {
		t.Error(d)
	}
}

func TestWhatAPersonSeesIsEscaped(t *testing.T) {
	const hostile = "+a\x1b[2Jb\r\tc\u202ed\xff\u009b \U000e0041ä\n"
	const want = "+a\\x1b[2Jb\\r\tc\\u202ed\\xff\\u009b \\U000e0041ä\n"
	if got := escape(hostile); got != want {
		t.Errorf("got %q", got)
	}
	var b bytes.Buffer
	printer{w: &b, escape: true}.diff(hostile)
	printer{w: &b}.diff(hostile)
	if b.String() != want+hostile {
		t.Errorf("got %q", b.String())
	}
}

func TestNoColor(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	if !isColoured("auto", true) || isColoured("auto", false) || isColoured("never", true) ||
		!isColoured("always", false) {
		t.Error("colours are for terminals, or as asked for")
	}
	t.Setenv("NO_COLOR", "1")
	if isColoured("auto", true) || !isColoured("always", true) {
		t.Error("NO_COLOR is for auto")
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "dumb")
	if isColoured("auto", true) {
		t.Error("colours on a dumb terminal")
	}
}

// full is a standard output that accepts nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAnOutputThatIsFull(t *testing.T) {
	for _, test := range []struct {
		args  string
		wrote bool
		says  string
	}{
		{"", false, "nothing was changed, because the diff cannot be printed: no space left"},
		{"-n", false, "nothing was changed, because the diff cannot be printed: no space left"},
		{"-json", true, "all was done, but the report cannot be printed: no space left"},
		{"-json -n", false, "nothing was changed, but the report cannot be printed: no space left"},
	} {
		dir := project(t)
		before := tree(t, dir)
		var stderr bytes.Buffer
		args := append(strings.Fields(test.args), "-C", dir, "testdata/requests/blocks.md")
		status := newCommand(nil, full{}, &stderr).run(args)
		if wrote := !cmp.Equal(before, tree(t, dir)); status != failed || wrote != test.wrote ||
			!strings.Contains(stderr.String(), test.says) {
			t.Errorf("%q: status %d, wrote %t: %s", test.args, status, wrote, stderr.String())
		}
	}
	var stderr bytes.Buffer
	if status := newCommand(strings.NewReader("nothing"), full{}, &stderr).run([]string{"-json"}); status != failed {
		t.Errorf("a refusal: status %d: %s", status, stderr.String())
	}
}

func TestWarnings(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const request = `{"file_path": "a.go", "edits": [{"old_string": "package a\n", "new_string": "package a\n\nfunc {\n"}]}`
	const want = "no longer valid Go"
	if status, _, stderr := call(request, "-C", dir, "-n"); status != done || !strings.Contains(stderr, want) {
		t.Errorf("status %d: %s", status, stderr)
	}
	if status, stdout, _ := call(request, "-C", dir, "-json"); status != done || !strings.Contains(stdout, want) {
		t.Errorf("status %d: %s", status, stdout)
	}
}
