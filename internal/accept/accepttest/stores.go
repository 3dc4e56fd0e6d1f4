package accepttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/text"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// LineText draws texts in which lines repeat, some with CRLF, some without a final newline.
func LineText(t *rapid.T, name string) string {
	line := rapid.SampledFrom([]string{"\n", "}\n", "a\n", "b\n", "b\r\n", "c\n", "d\n", "e f\n", "g\n", "h\n"})
	s := strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, name), "")
	if rapid.Bool().Draw(t, name+" unterminated") {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

// Lines for generated edits: with markers of up to seven characters, fences, hints and blank lines.
var ContentLine = rapid.SampledFrom([]string{
	"", "a", "\tb := 1", "  c", "=======", "<<<<<<< SEARCH", ">>>>>>> REPLACE", "```go", "+ d", "- e", "@@",
	"*** End Patch", "--- x", "é", "d \\",
})

func DrawLines(t *rapid.T, label string, least int) string {
	return strings.Join(rapid.SliceOfN(ContentLine, least, 6).Draw(t, label), "\n") + "\n"
}

// DrawHunk draws lines of a hunk, of which one is a change.
func DrawHunk(t *rapid.T) string {
	var b strings.Builder
	for range rapid.IntRange(0, 5).Draw(t, "lines") {
		b.WriteString(rapid.SampledFrom([]string{" ", "-", "+"}).Draw(t, "prefix") + ContentLine.Draw(t, "line") + "\n")
	}
	return b.String() + "-" + ContentLine.Draw(t, "removed") + "\n"
}

// CheckResult checks the invariants of a Result: its matches are sorted, do not overlap, lead from src to the text, and
// their lines are numbered right.
func CheckResult(t interface {
	Helper()
	Errorf(string, ...any)
}, src []byte, res *atomicedit.Result) {
	t.Helper()
	var rebuilt []byte
	at := 0
	for i, m := range res.Matches {
		if m.Old.Start < at || m.Old.End < m.Old.Start || m.Old.End > len(src) || m.New.End > len(res.Text) ||
			m.New.End < m.New.Start {
			t.Errorf("match %d is out of order: %+v", i, m)
			return
		}
		rebuilt = append(rebuilt, src[at:m.Old.Start]...)
		if len(rebuilt) != m.New.Start {
			t.Errorf("match %d: new text starts at %d, not %d", i, m.New.Start, len(rebuilt))
			return
		}
		rebuilt = append(rebuilt, res.Text[m.New.Start:m.New.End]...)
		at = m.Old.End
		if bytes.Equal(src[m.Old.Start:m.Old.End], res.Text[m.New.Start:m.New.End]) {
			t.Errorf("match %d changes nothing: %+v", i, m)
		}
		if !text.EncodingOf(src).IsUTF16() && text.New(src).EOL == '\n' && text.New(res.Text).EOL == '\n' {
			for _, s := range []struct {
				atomicedit.Span
				data []byte
			}{{m.Old, src}, {m.New, res.Text}} {
				piece := s.data[s.Start:s.End]
				lines := bytes.Count(piece, []byte("\n"))
				if len(piece) > 0 && piece[len(piece)-1] != '\n' {
					lines++
				}
				if want := 1 + bytes.Count(s.data[:s.Start], []byte("\n")); s.Line != want || s.Lines != lines {
					t.Errorf("match %d: lines %d+%d, want %d+%d", i, s.Line, s.Lines, want, lines)
				}
			}
		}
	}
	if rebuilt = append(rebuilt, src[at:]...); !bytes.Equal(rebuilt, res.Text) {
		t.Errorf("the matches lead to %q, the text is %q", rebuilt, res.Text)
	}
}

// Write calls begin, and then commits to a file of its own in dir, again and again until it is over. It calls took
// after each commit.
func Write(dir, name string, begin, took func(), over <-chan struct{}) error {
	d, err := atomicedit.OpenDir(dir, &atomicedit.DirOptions{Durability: atomicedit.DurableNone})
	if err != nil {
		return err
	}
	defer d.Close()
	begin()
	for i := 0; ; i++ {
		select {
		case <-over:
			return nil
		default:
		}
		f, err := d.Read(context.Background(), name)
		if err != nil {
			return err
		}
		change := atomicedit.Change{Path: name, Before: f, After: &atomicedit.File{Data: fmt.Append(nil, i)}}
		if err := d.Commit(context.Background(), []atomicedit.Change{change}); err != nil {
			return err
		}
		took()
	}
}

// WriteAlone is write in a process of its own. It prints a line when it is ready and after each commit, begins at the
// first byte of standard input, and ends with it.
func WriteAlone(args []string) error {
	over := make(chan struct{})
	begin := func() {
		fmt.Println("ready")
		_, _ = os.Stdin.Read(make([]byte, 1))
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			close(over)
		}()
	}
	return Write(args[0], args[1], begin, func() { fmt.Println("committed") }, over)
}

// AnchorOf returns the anchor that GitHub gives a heading.
func AnchorOf(heading string) string {
	return strings.ReplaceAll(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == ' ' || r == '-' || r == '_' {
			return unicode.ToLower(r)
		}
		return -1
	}, heading), " ", "-")
}

// CheckGenerated compares a file with what it should hold, or writes it with -update.
func CheckGenerated(t *testing.T, name, text string) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	is, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(text, "\n"), strings.Split(string(is), "\n")); diff != "" {
		t.Errorf("%s is out of date: in the directory of the test, go test -run %s -update writes it anew (-want "+
			"+is):\n%s", name, t.Name(), diff)
	}
}

// Tidy is a formatter: it takes spaces off the ends of lines, and gives each "{" and "}" a line of its own.
func Tidy(_ context.Context, _ string, text []byte) ([]byte, error) {
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		for piece := range strings.SplitSeq(strings.NewReplacer("{", "{\n", "}",
			"\n}").Replace(strings.TrimSuffix(line, "\n")), "\n") {
			b.WriteString(strings.TrimRight(piece, " ") + "\n")
		}
	}
	return []byte(b.String()), nil
}

// GoFormat formats Go as gofmt does. It fails if a text does not parse as a whole file, with a package clause.
func GoFormat(_ context.Context, path string, text []byte) ([]byte, error) {
	if !strings.HasSuffix(path, ".go") || len(bytes.TrimSpace(text)) == 0 {
		return text, nil
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly); err != nil {
		return nil, err // format.Source would take it for a part of a file
	}
	return format.Source(text)
}

// CheckParsed checks the promises of every parser. A plan in JSON is read to the letter, so it may say anything.
func CheckParsed(t *testing.T, request string, p atomicedit.Plan, err error) {
	t.Helper()
	isPlan := strings.Contains(request, `"ops"`) && strings.Contains(request, `"kind"`)
	var r *atomicedit.Refusal
	switch {
	case err == nil && len(p.Ops) == 0:
		t.Fatal("neither a plan nor a refusal")
	case err == nil && !isPlan:
		CheckPlan(t, p)
		return
	case err == nil:
		CheckMarshalled(t, p)
		return
	case !errors.As(err, &r) || len(r.Problems) == 0:
		t.Fatalf("an error that is no refusal: %v", err)
	case len(p.Ops) > 0:
		t.Fatalf("a plan beside a refusal: %+v", p)
	case len(r.Partial.Ops) > 0 && !errors.Is(err, io.ErrUnexpectedEOF):
		t.Fatalf("a partial plan of a request that was not cut off: %v", err)
	}
	if !isPlan {
		CheckPlan(t, r.Partial)
	}
	last := strings.Count(request, "\n") + 1
	for _, p := range r.Problems {
		if p.Line < 0 || p.Line > last && !strings.Contains(request, `\n`) || p.Msg == "" || p.Code == "" ||
			p.Code == "other" {
			t.Fatalf("a problem without place or words: %+v in %d lines", p, last)
		}
	}
}

// CheckPlan checks the promises about every plan: whole lines end in a newline, every edit has a meaning, no fields
// contradict each other, and the plan survives JSON.
func CheckPlan(t *testing.T, p atomicedit.Plan) {
	t.Helper()
	CheckMarshalled(t, p)
	for _, op := range p.Ops {
		meant := atomicedit.Op{Kind: op.Kind, Path: op.Path, Edits: op.Edits, Version: op.Version}
		switch op.Kind {
		case atomicedit.OpCreate:
			meant.Content, meant.Mode, meant.Overwrite, meant.Exclusive = op.Content, op.Mode.Perm(), op.Overwrite,
				op.Exclusive
		case atomicedit.OpMove:
			meant.To, meant.Overwrite, meant.Exclusive = op.To, op.Overwrite, op.Exclusive
		}
		if !cmp.Equal(meant, op) {
			t.Fatalf("fields that mean nothing: %+v", op)
		}
		if len(op.Edits) == 0 && op.Kind == atomicedit.OpEdit || op.Kind == atomicedit.OpMove && op.To == "" {
			t.Fatalf("an operation that does nothing: %+v", op)
		}
		for _, e := range op.Edits {
			// A tag of an unknown kind is refused together with the line that it should fit, which only the file has.
			if msg := misfit(e); msg != "" && !strings.Contains(msg, "of an unknown kind") {
				t.Fatalf("%s: %+v", msg, e)
			}
			kept := strings.Count(e.Hunk, " ") + strings.Count(e.Hunk, "?")
			whole := func(s string) bool { return !e.WholeLines || s == "" || strings.HasSuffix(s, "\n") }
			switch {
			case !whole(e.Old) || !whole(e.New):
				t.Fatalf("a line without ending: %+v", e)
			case e.Old != "" && e.First > 0, e.Old == "" && e.First == 0 && e.Range == nil && !e.WholeLines,
				e.Last > 0 && e.Last < e.First:
				t.Fatalf("an edit of nothing: %+v", e)
			case e.Hunk != "" && strings.Count(e.Old, "\n") != kept+strings.Count(e.Hunk, "-"):
				t.Fatalf("a hunk that does not fit its lines: %+v", e)
			case e.Hunk != "" && strings.Count(e.New, "\n") != kept+strings.Count(e.Hunk, "+"):
				t.Fatalf("a hunk that does not fit its lines: %+v", e)
			}
		}
	}
}

func FuzzText(f *testing.F, parse func(string) (atomicedit.Plan, error), check func(*testing.T, atomicedit.Plan),
	seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
		f.Add(strings.ReplaceAll(s, "\n", "\r\n"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parse(text)
		CheckParsed(t, text, p, err)
		if err == nil && check != nil {
			check(t, p)
		}
	})
}

const (
	SeedBlocks = "f.go\n```go\n<<<<<<< SEARCH\n:start_line:3\n-------\na\n=======\nb\n>>>>>>> REPLACE\n```\n------- " +
		"SEARCH\n=======\nc\n+++++++ REPLACE\n"
	SeedLong = "<<<<<<<<< SEARCH line:4\n=======\n=========\n>>>>>>> REPLACE\n>>>>>>>>> REPLACE>\n<<<<< " +
		"SEARCH\n=====\n"
	SeedPatch = "*** Begin Patch\n*** Add File: f\n+a\n*** Update File: g\n*** Move to: h\n@@ x\n@@ -1,2 +3 @@\n " +
		"a\n-b\n\n+c\n*** End of File\n*** Delete File: i\n*** End Patch\n"
	SeedOdd = "***begin patch\n*** Environment ID: 1\n*** Update: f\n--- a/f\n+++ b/f\n@@x\n\ty\n-a\n+b\n@@\n*** Add " +
		"File: g\nz\n+*** End Patch\n"
	SeedShell = "cd 'my dir' && bash -lc \"apply_patch <<-EOF\n*** Begin Patch\n*** Delete File: f\n*** End " +
		"Patch\nEOF\"\n"
	SeedBare = "apply_patch <<'EOF'\n@@\n a\n-b\n+c\n\\ No newline at end of file\nEOF\n"
	SeedDiff = "diff --git a/f b/g\nsimilarity index 90%\nrename from f\nrename to g\n--- a/f\n+++ b/g\n@@ -1,2 +1,2 " +
		"@@ x\n a\n-b\n+c\n-- \n2.4\n--- /dev/null\n+++ \"b/\\303\\251\"\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of " +
		"file\n"
	SeedLines = "```\n[f#1A2B]\nPUT 2-3:\n+a\n\n+b\nPUT >$:\n+c\nCUT 5.=6\n[g]\nINS.HEAD:\n+d\nMV " +
		"h\n[i]\nREM\n```\n*** Begin Patch\n[j]\nPUT 2*:\n*** End Patch\n"
	SeedTags = "<function_calls>\n<invoke name=\"Edit\">\n<parameter name=\"path\">f</parameter>\n<parameter " +
		"name=\"edits\">[{\"oldText\": \"a\", \"newText\": \"b\"}]</parameter>\n" +
		"</invoke>\n</function_calls>\n<tool_call>\n{\"name\": \"write\", \"arguments\": {\"path\": \"f\", \"content\": \"\"}}\n</tool_call>\n<think>x</think>\n" +
		"<write_to_file>\n<path>f</path>\n<content>\n<p></content>\n</content>\n</write_to_file>"
	SeedCommands = "edit f 3:4\nx\nend_of_edit\nedit 1:1\nend_of_edit\n"
	SeedGroups   = "<apply_diff><args><file><path>f</path><diff><content>\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> " +
		"REPLACE\n</content><start_line>3</start_line></diff></file></args></apply_diff>\n" +
		"<edits><old_text line=5>a</old_text><new_text>b</new_text><old_text>c</old_text></edits>\n<create_file path='g'>\nx\n</create_file><tool_call>edit\n<arg_key>path</arg_key>"
	SeedTrees = "diff -ruN old/f new/f\n--- old/f\t2024-01-01\n+++ new/f\n@@ -1 +1 @@\n-a\n+b\n--- old/g\t1970-01-01 " +
		"00:00:00\n+++ new/g\n@@ -0,0 +1 @@\n+a\n"
	SeedPlain = "```diff\n--- f\t2024-01-01\n+++ f\n@@ ... @@\n--- a\n+++ b\n```\n"
)

// LineEdit returns an edit by line numbers.
func LineEdit(first, last int, text string) atomicedit.Edit {
	return atomicedit.Edit{First: first, Last: last, New: text, WholeLines: true}
}

const EditOne = `{"file_path": "f", "edits": [{"old_string": "one", "new_string": "1"}]}`

func Mode(t testing.TB, name string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// Sayable reports whether every string in v, a part of a plan, is valid UTF-8.
func Sayable(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return utf8.ValidString(v.String())
	case reflect.Pointer:
		return v.IsNil() || Sayable(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			if !Sayable(v.Index(i)) {
				return false
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !Sayable(v.Field(i)) {
				return false
			}
		}
	}
	return true
}

// CheckMarshalled checks that a plan survives JSON, or does not marshal because of what JSON cannot say.
func CheckMarshalled(t interface{ Fatalf(string, ...any) }, p atomicedit.Plan) {
	data, err := json.Marshal(p)
	if !Sayable(reflect.ValueOf(p)) {
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "not valid UTF-8") {
			t.Fatalf("%+v: got %s, error %v", p, data, err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%+v: %v", p, err)
	}
	var back atomicedit.Plan
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	if !cmp.Equal(p, back) {
		t.Fatalf("through JSON (-before +after):\n%s\n%s", cmp.Diff(p, back), data)
	}
}
