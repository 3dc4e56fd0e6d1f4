package host_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

func TestWarnings(t *testing.T) {
	const absent = "\x00"
	for _, test := range []struct {
		name, path, before, after string
		want                      string // "" for none
	}{
		{"a bracket that is not closed", "a.c", "f(x);\n", "f(x;\n",
			`line 1: the brackets are no longer balanced: "(" is not closed`},
		{"a bracket that closes nothing", "a.py", "f(x)\n", "f(x))\n", `")" closes nothing`},
		{"a bracket that closes another", "a.ts", "f([x])\n", "f([x)]\n", `")" does not close the "[" on line 1`},
		{"brackets that did not balance before", "a.c", "f(x;\n", "f((x;\n", ""},
		{"brackets in strings", "a.js", "f('x');\n", "f(')(', \"]\", `}`);\n", ""},
		{"brackets in comments", "a.js", "f();\n", "f(); // (\n/* [ */\n", ""},
		{"brackets in Python's long strings", "a.py", "f()\n", "f('''\n(\n''')  # {\n", ""},
		{"a lone apostrophe", "a.rs", "fn f() {}\n", "fn f<'a>(x: &'a str) {}\n", ""},
		{"brackets of prose", "a.md", "(x)\n", "1) x\n", ""},
		{"an escaped value in a template string", "a.ts", "let s = ``;\n", "let s = `\\${x}`;\n",
			`line 1: \${ in a template string`},
		{"an escaped value that was there", "a.ts", "let s = `\\${x}`;\n", "let t = `\\${x}`;\n", ""},
		{"an escaped value besides one that was there", "a.ts", "f(`\\${x}`);\ng();\n", "f(`\\${x}`);\ng(`\\${y}`);\n",
			`line 2: \${ in a template string`},
		{"an escaped value in another string", "a.ts", "let s = '';\n", "let s = '\\${x}';\n", ""},
		{"an escaped value in another language", "a.sh", "x\n", "`\\${x}`\n", ""},
		{"Go that no longer parses", "a.go", "package a\n", "package a\n\nfunc {}\n",
			"line 3: this is no longer valid Go"},
		{"Go that did not parse", "a.go", "package\n", "package package\n", ""},
		{"JSON that no longer decodes", "a.json", "{\"a\": 1}\n", "{\"a\": 1,}\n",
			"line 1: this is no longer valid JSON"},
		{"JSON that did not decode", "a.json", "// x\n{}\n", "// y\n{}\n", ""},
		{"a conflict marker", "a.txt", "x\n", "<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n",
			"line 1: a conflict marker was left in"},
		{"SEARCH/REPLACE blocks", "a.md", "x\n", "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n", ""},
		{"a heading", "a.md", "x\n", "Title\n=======\n", ""},
		{"a final newline lost", "a.txt", "x\ny\n", "x\nz", "line 2: the newline at the end of the file is gone"},
		{"a final newline that was not there", "a.txt", "x", "y", ""},
		{"endings mixed", "a.txt", "x\r\ny\r\n", "x\ny\r\n", "line 2: the file now mixes CRLF and LF line endings"},
		{"endings mixed before", "a.txt", "x\r\ny\n", "z\r\ny\n", ""},
		{"a new file", "a.txt", absent, "x", ""},
		{"a new Go file that does not parse", "a.go", absent, "package", "this is not valid Go"},
		{"a new JSON file that does not decode", "a.json", absent, "{,}", "this is not valid JSON"},
		{"a new JSON file with comments", "tsconfig.json", absent, "{\n// x\n}\n", ""},
		{"JSON with comments that loses a bracket", "a.json", "{\n// x\n}\n", "{\n// x\n", "is not closed"},
		{"JSON that gets a comment", "a.json", "{}\n", "// x\n{}\n", "no longer valid JSON"},
		{"a text that is none any more", "a.txt", "x\n", "x\x00\n", "cannot be shown or edited as text"},
		{"a new file that is no text", "a.txt", absent, "\x00", "cannot be shown or edited as text"},
		{"a change of a binary file into another", "a.txt", "\x00\x00", "x\x00", ""},
		{"a change of a binary file", "a.json", "\x00\x00", "{}\n", ""},
		{"brackets in a regular expression", "a.js", "f(s);\n", "f(s.replace(/\\(/g, /[)/]/));\nreturn /{/;\n", ""},
		{"a regular expression behind an arrow or a word", "a.js", "f();\n",
			"f(x => /[(]/.test(x));\nswitch (x) { case /(/: }\n", ""},
		{"a quotient", "a.ts", "f(a / b, c);\n", "f(a / (b, c / d);\n", "is not closed"},
		{"tags", "a.jsx", "f(<p>x</p>);\n", "f(<p a={x} /><br /><p>it's [x</p>);\n", `")" does not close the "["`},
		{"brackets in a text block", "A.java", "f();\n", "f(\"\"\"\n  (\n  \"\"\");\n", ""},
		{"a bracket character", "a.go", "package a\n", "package a\n\nvar a = '('\n", ""},
		{"a raw string", "a.go", "package a\n", "package a\n\nvar a = `(\n\\`\n", ""},
		{"an escaped quote", "a.c", "f();\n", "f(\"\\\"(\");\n", ""},
		{"a comment with an apostrophe", "a.py", "f()\n", "f()  # don't (\n", ""},
		{"a conflict that was there", "a.txt", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\nz\n",
			"<<<<<<< a\nx\n=======\ny\n>>>>>>> b\nw\n", "a conflict marker was left in"},
		{"all of a file removed", "a.txt", "x\n", "", ""},
		{"CRLF of a new line in a CRLF file", "a.txt", "x\r\n", "x\r\ny\r\n", ""},
		{"no ending at the end of a CRLF file", "a.txt", "x\r\ny\r\n", "x\r\ny",
			"the newline at the end of the file is gone"},
		{"a change that looks right", "a.go", "package a\n", "package a\n\nfunc f() {}\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{test.path: test.before}
			if test.before == absent {
				files = nil
			}
			tr, err := atomicedit.Prepare(t.Context(), atomicedit.NewMem(files),
				atomicedit.Plan{Ops: []atomicedit.Op{accepttest.Over(accepttest.Create(test.path, test.after))}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			before := tr.Report()
			notes := before.String()
			if test.want == "" && strings.Contains(notes, "note:") || !strings.Contains(notes, test.want) {
				t.Errorf("want %q, got:\n%s", test.want, notes)
			}
			before.Files[0].Notes = append(before.Files[0].Notes, atomicedit.Note{Msg: "of the caller"})
			if got := tr.Report().String(); got != notes {
				t.Errorf("the transaction has changed:\n%s", got)
			}
		})
	}
}

// A host's own check tells what is new; what it said before of the same file is no news.
func TestOwnChecks(t *testing.T) {
	todo := func(path string, text []byte) (notes []atomicedit.Note, err error) {
		for i, line := range bytes.Split(text, []byte("\n")) {
			if bytes.Contains(line, []byte("TODO")) {
				notes = append(notes, atomicedit.Note{Op: -1, Edit: -1, Line: i + 1,
					Msg: path + " has " + string(line)})
			}
		}
		return notes, nil
	}
	host := &atomicedit.Host{Store: atomicedit.NewMem(map[string]string{"f": "TODO old\none\n"})}
	host.Options = &atomicedit.Options{Checks: []atomicedit.Check{todo}}
	answer, err := host.Call(t.Context(), "multi_edit",
		[]byte(`{"file_path": "f", "edits": [{"old_string": "one", "new_string": "TODO new\nTODO old"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := answer.Text; strings.Count(got, "note:") != 2 ||
		!strings.Contains(got, "note: line 2: f has TODO new\n") ||
		!strings.Contains(got, "note: line 3: f has TODO old\n") {
		t.Error(got)
	}
}

func TestWarningsOfAMoveCompareWithWhereItWas(t *testing.T) {
	store := atomicedit.NewMem(map[string]string{"a.go": "package a\n"})
	op := accepttest.Move("a.go", "b.go")
	op.Edits = []atomicedit.Edit{{Old: "package a\n", New: "package a"}}
	tr, err := atomicedit.Prepare(t.Context(), store, atomicedit.Plan{Ops: []atomicedit.Op{op}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := tr.Report().String(); !strings.Contains(got, "the newline at the end of the file is gone") {
		t.Error(got)
	}
}

// A check whose error refuses a text stops the whole plan, whatever the text was before, and all errors are told.
func TestChecksRefuse(t *testing.T) {
	unbalanced := errors.New("the list is not closed: send the bracket as well")
	tooLong := errors.New("too long: keep it under 10 bytes")
	closed := func(_ string, text []byte) ([]atomicedit.Note, error) {
		if bytes.Count(text, []byte("[")) != bytes.Count(text, []byte("]")) {
			return []atomicedit.Note{{Msg: "not seen"}}, unbalanced
		}
		return nil, nil
	}
	short := func(path string, text []byte) ([]atomicedit.Note, error) {
		if len(text) > 10 {
			return nil, fmt.Errorf("%w (%s)", tooLong, path)
		}
		return nil, nil
	}
	o := &atomicedit.Options{Checks: []atomicedit.Check{nil, closed, short}}
	files := map[string]string{"a": "[1]\n", "b": "x\n", "bad": "[\n"}
	for _, tt := range []struct {
		name string
		ops  []atomicedit.Op
		want []atomicedit.Problem // without Err
		is   []error
	}{
		{"both of them", []atomicedit.Op{accepttest.Edits("b", "x", "y"), accepttest.Edits("a", "]", "")},
			[]atomicedit.Problem{{Code: "other", Path: "a", Op: 1, Edit: -1, Msg: unbalanced.Error()}},
			[]error{unbalanced}},
		{"two of them", []atomicedit.Op{accepttest.Create("c", "[123456789\n"), accepttest.Edits("a", "]", "")},
			[]atomicedit.Problem{
				{Code: "other", Path: "c", Edit: -1, Msg: unbalanced.Error()},
				{Code: "other", Path: "c", Edit: -1, Msg: tooLong.Error() + " (c)"},
				{Code: "other", Path: "a", Op: 1, Edit: -1, Msg: unbalanced.Error()},
			}, []error{unbalanced, tooLong}},
		{"it was no better", []atomicedit.Op{accepttest.Edits("bad", "[", "[[")},
			[]atomicedit.Problem{{Code: "other", Path: "bad", Edit: -1, Msg: unbalanced.Error()}}, []error{unbalanced}},
		{"deleted", []atomicedit.Op{accepttest.Remove("bad")}, nil, nil},
		{"mended", []atomicedit.Op{accepttest.Edits("bad", "[", "[]")}, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mem := atomicedit.NewMem(files)
			report, err := atomicedit.Run(t.Context(), mem, atomicedit.Plan{Ops: tt.ops}, o)
			if tt.want == nil {
				if err != nil || len(report.Files[0].Notes) > 0 {
					t.Errorf("%v, %+v", err, report)
				}
				return
			}
			var r *atomicedit.Refusal
			if !errors.As(err, &r) || !cmp.Equal(mem.Files(), files) {
				t.Fatalf("%v, %q", err, mem.Files())
			}
			for _, is := range tt.is {
				if !errors.Is(err, is) {
					t.Errorf("%v is not %v", err, is)
				}
			}
			for i := range r.Problems {
				r.Problems[i].Err = nil
			}
			if diff := cmp.Diff(tt.want, r.Problems); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
