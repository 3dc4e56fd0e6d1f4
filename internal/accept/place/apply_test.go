package place_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

func TestTheLoosestFitIsALimit(t *testing.T) {
	src := "func f() {\n\tone()\n\tdo(\"it\") \n\tthree()\n\tfour()\n}\n"
	for fit, edit := range map[atomicedit.Fit]atomicedit.Edit{
		atomicedit.Exact:       accepttest.Lines("\tone()\n", "\t1()\n"),
		atomicedit.Spacing:     accepttest.Lines("\tone()  \n\n\tdo(\"it\")\n", "\t1()\n\tdo(\"it\")\n"),
		atomicedit.Indentation: accepttest.Lines("one()\ndo(\"it\")\n", "1()\ndo(\"it\")\n"),
		atomicedit.Notation:    accepttest.Lines("\tone()\n\tdo(“it”)\n", "\t1()\n\tdo(“it”)\n"),
		atomicedit.Elision:     accepttest.Lines("\tone()\n\t...\n\tfour()\n", "\t1()\n\t...\n\tfour()\n"),
		atomicedit.Drift: accepttest.Lines("func f() {\n\tonce()\n\tdo(\"it\") \n\tthree()\n",
			"func f() {\n\tonce()\n\tdo(\"it\") \n\t3()\n"),
	} {
		for loosest := atomicedit.Exact; loosest <= atomicedit.Drift; loosest++ {
			res, err := atomicedit.Apply([]byte(src), []atomicedit.Edit{edit}, &atomicedit.Options{Loosest: loosest})
			if loosest < fit {
				if !errors.Is(err, atomicedit.ErrNotFound) {
					t.Errorf("%v with at most %v: %+v, %v", fit, loosest, res, err)
				}
				continue
			}
			if err != nil || res.Matches[0].Fit != fit {
				t.Errorf("%v with at most %v: %+v, %v", fit, loosest, res, err)
			} else if noted := len(res.Notes) > 0; noted != (fit > atomicedit.Exact) {
				t.Errorf("%v: notes %+v", fit, res.Notes)
			}
		}
	}
}

func TestMatchesOfSeveralOpsAreThoseOfOne(t *testing.T) {
	const src = "one\ntwo\nthree\nfour\nfive\n"
	p := atomicedit.Plan{Ops: []atomicedit.Op{
		{Path: "a", Edits: []atomicedit.Edit{accepttest.Lines("two\n", "2\n2b\n"), accepttest.Lines("five\n", "5\n")}},
		{Path: "a", Edits: []atomicedit.Edit{accepttest.Lines("2b\nthree\n", "3\n")}},
	}}
	const want = "one\n2\n3\nfour\n5\n"
	matches := []atomicedit.Match{
		{Op: 1, Edit: 0, Fit: atomicedit.Exact, By: "only place",
			Old: atomicedit.Span{Start: 4, End: 14, Line: 2, Lines: 2},
			New: atomicedit.Span{Start: 4, End: 8, Line: 2, Lines: 2}},
		{Op: 0, Edit: 1, Fit: atomicedit.Exact, By: "only place",
			Old: atomicedit.Span{Start: 19, End: 24, Line: 5, Lines: 1},
			New: atomicedit.Span{Start: 13, End: 15, Line: 5, Lines: 1}},
	}
	res, err := p.Apply([]byte(src), nil)
	if err != nil {
		t.Fatal(err)
	}
	accepttest.CheckResult(t, []byte(src), res)
	if d := cmp.Diff(&atomicedit.Result{Text: []byte(want), Matches: matches}, res); d != "" {
		t.Errorf("Plan.Apply (-want +got):\n%s", d)
	}
	tr, err := atomicedit.Prepare(t.Context(), atomicedit.NewMem(map[string]string{"a": src}), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(matches, tr.Report().Files[0].Matches); d != "" {
		t.Errorf("Prepare (-want +got):\n%s", d)
	}
}

func TestTheFinalNewlineIsTheWorkOfTheEditThatMarksIt(t *testing.T) {
	p, err := atomicedit.ParseUnified("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -5,2 +5,2 @@\n e\n-z\n\\ No newline at end of file\n+z\n")
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Apply([]byte("a\nb\nc\nd\ne\nz"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if m := r.Matches[len(r.Matches)-1]; string(r.Text) != "A\nb\nc\nd\ne\nz\n" || m.Edit != 1 {
		t.Errorf("text %q, last match of edit %d, want 1", r.Text, m.Edit)
	}
}

func TestPlacesThatOverlapAreTakenFromTheLeftWithANote(t *testing.T) {
	r, err := atomicedit.Apply([]byte("head\naaa\n\nx aa\n"),
		[]atomicedit.Edit{{Old: "aa", New: "b", Count: 2, Anchors: []string{"head"}}}, nil)
	if err != nil || string(r.Text) != "head\nba\n\nx b\n" || len(r.Notes) != 2 ||
		!strings.Contains(r.Notes[0].Msg, "overlap") || !strings.Contains(r.Notes[1].Msg, `"aaa"`) {
		t.Errorf("%+v, %v", r, err)
	}
}

// E3, for all of a file.
func TestAWholeFileWithAPlaceholderIsRefused(t *testing.T) {
	p := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "a",
		Content: "one\n// ... rest of the code ...\n", Overwrite: true}}}
	if _, err := p.Apply([]byte("one\ntwo\n"), nil); !errors.Is(err, atomicedit.ErrPlaceholder) {
		t.Errorf("Plan.Apply: %v", err)
	}
	if _, err := atomicedit.Prepare(t.Context(), atomicedit.NewMem(map[string]string{"a": "one\ntwo\n"}), p,
		nil); !errors.Is(err, atomicedit.ErrPlaceholder) {
		t.Errorf("Prepare: %v", err)
	}
	if _, err := atomicedit.Prepare(t.Context(), atomicedit.NewMem(nil), p, nil); err != nil {
		t.Errorf("a new file: %v", err)
	}
}

// Where nothing was, a line that looks like a placeholder stands for nothing: in a new file, and in an empty one.
func TestAnEmptyFileHasNothingToLeaveOut(t *testing.T) {
	p := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "a.go",
		Content: "package a\n// ... rest of the code\n"}}}
	if _, err := p.Apply(nil, nil); err != nil {
		t.Error(err)
	}
	for _, files := range []map[string]string{nil, {"a.go": ""}} {
		if _, err := atomicedit.Prepare(t.Context(), atomicedit.NewMem(files), p, nil); err != nil {
			t.Errorf("%d files: %v", len(files), err)
		}
	}
}

// N2: no content has line numbers in front of all lines.
func TestAListingIsNoContent(t *testing.T) {
	for content, refused := range map[string]bool{
		"     1\tx\n     2\ty\n": true, "  9→x\n 10→\n 11→y": true, " 7 | x\n 8 | y\n": true,
		"1\tx\n2\ty\n": false, " 1\tx\n": false, " 1\tx\n 3\ty\n": false, " 1 x\n 2 y\n": false,
		" 1\tx\n 2\ty\nz\n": false, " 1\told\n 2\tnew\n": false,
	} {
		p := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "a", Content: content,
			Overwrite: true}}}
		const src = " 1\told\n"
		if _, err := p.Apply([]byte(src), nil); errors.Is(err, fs.ErrInvalid) != refused || !refused && err != nil {
			t.Errorf("%q: %v", content, err)
		}
		if _, err := atomicedit.Prepare(t.Context(), atomicedit.NewMem(map[string]string{"a": src}), p,
			nil); errors.Is(err, fs.ErrInvalid) != refused || !refused && err != nil {
			t.Errorf("%q: %v", content, err)
		}
		if _, err := atomicedit.Prepare(t.Context(), atomicedit.NewMem(nil), p, nil); errors.Is(err,
			fs.ErrInvalid) != (refused || strings.Contains(content, "old")) {
			t.Errorf("%q in a new file: %v", content, err)
		}
	}
}

// E3: what stands for code left out, and what does not.
func TestPlaceholders(t *testing.T) {
	const old = "def f(x):\n    one()\n    two()\n"
	for _, refused := range []string{
		"...", "    ...", "// ...", "//...", "# …", "/* ... */", "<!-- ... -->", "{/* ... */}", "-- ....",
		"// ... existing code ...", "//...existing code...", "# ... existing code", "{/* ...existing code... */}",
		"// rest of the file unchanged", "# ... (rest of the code)", "# (rest of the code...)", "// existing imports",
		"... remaining methods ...", "... rest of the code unchanged ...", "// Remaining methods unchanged...",
		"// keep the existing validation logic...", "// and the rest of the function ...", "# Same as before...",
		"<!-- other content ... -->", "// same implementation as before ...", "// existing routes ...",
		"/* Existing styles... */", "// Existing handlers...", "# Existing routes…", "// Remaining cases...",
		"// Other cases...",
		"# previous steps...", "// rest omitted...", "// same as above...",
		"// previous implementation ...", "// previous implementation remains", "// everything else unchanged ...",
		"// keep everything else", "# Keep everything else as is.", "// (other code stays the same)", "// unchanged",
		"/* unchanged */",
		"<!-- rest of content -->", "[... rest of function ...]", "[…remaining methods…]",
		"-- everything else unchanged",
		"(...)", "[...]", "(rest of methods ...)", "[existing code]", "rest of methods ...", "% ... existing code ...",
		"% (rest of the proof)",
		"// one\n// ... existing code ...\n// two", // in the midst of comments, too
		"// ... more cases", "// ... (omitted)", "// ...validation...", "// ... error handling ...",
		"def f(x):\n    ...\n    two()", "def f(x):\n    \"\"\"Doc.\"\"\"\n    ...\n    two()",
		"func f() {\n\t...\n\treturn\n}",
		// no docstring, no prompt
		"    one()\n    \"\"\"\n    ...", "x = \"\"\"\n  text\n\"\"\"\n...", "a = {\n  ...rest,\n  ...\n}",
		// the sentence before has ended, or there is none
		"// Read all.\n// ... we need not.", "one()\n// ... we need not.",
		"import a\n...\nimport b", "import a\n    ...\n---", "a: 1\n...",
	} {
		if res, err := atomicedit.Apply([]byte(old), []atomicedit.Edit{accepttest.Lines(old, refused+"\n")},
			nil); !errors.Is(err, atomicedit.ErrPlaceholder) {
			t.Errorf("%q: got %v, %v, want a refusal", refused, res, err)
		}
	}
	for _, meant := range []string{
		"def f(x):\n    ...", "def f(x):  # type: ignore\n    ...",
		"def f(x):\n    \"\"\"Doc.\"\"\"\n    ...\n\ndef g(): pass",
		"class P(Protocol):\n    def f(\n        self,\n    ) -> int:\n        r\"\"\"Doc.\n\n        More.\n        \"\"\"\n\n        ...\n\n    def g(self): ...",
		"def f(x):\n    '''Doc,\n    and more.'''\n    ...",
		"    >>> for x in y:\n    ...     print(x)\n    ...\n    1", "    >>> if x: print(x)\n    ...\n    1",
		"// Wait for the remaining workers...", "# Retry the previous request...", "// Skip the rest of the line...",
		"// If the caller has the lock ...\n// ... we need not.", "// ...Elem", "// ... = s", "//......",
		"# ...and do it!",
		"// previous implementation", "# existing: one, two, ...", "# Do the same as before, but ...", "f(x...)",
		"a = {\n  ...existing\n}",
		"a: 1\n...\n---\nb: 2", "// everything else", "// unchanged: the old name", "# All else fails.",
		"// Keep everything else in sync.",
		"# Other code relies on it.", "[...rest, x]", "// Whether the rest of content fits.",
	} {
		want := meant + "\n"
		if res, err := atomicedit.Apply([]byte(old), []atomicedit.Edit{accepttest.Lines(old, want)}, nil); err != nil ||
			string(res.Text) != want {
			t.Errorf("%q: %v", meant, err)
		}
	}
}

// E3, for documents of YAML.
func TestTheEndMarkOfYAMLIsNoPlaceholder(t *testing.T) {
	const src = "a: 1\nb:\n  c: 2\n"
	if res, err := atomicedit.Apply([]byte(src), []atomicedit.Edit{accepttest.Lines("  c: 2\n", "  c: 2\n...\n")},
		nil); err != nil || string(res.Text) != src+"...\n" {
		t.Error(err)
	}
	// more follows, or is left out
	for _, e := range []atomicedit.Edit{accepttest.Lines("a: 1\n", "a: 1\n...\n"),
		accepttest.Lines("b:\n  c: 2\n", "b: 2\n...\n")} {
		if _, err := atomicedit.Apply([]byte(src), []atomicedit.Edit{e}, nil); !errors.Is(err,
			atomicedit.ErrPlaceholder) {
			t.Errorf("%q: %v", e.New, err)
		}
	}
}

// E3: the file has a line like the placeholder only if it has nothing else in that line.
func TestDotsWithinALineExcuseNoPlaceholder(t *testing.T) {
	const src = "a = [...b]\nc()\nd() // ... existing code ...\n"
	for _, placeholder := range []string{"...", "// ... existing code ..."} {
		if _, err := atomicedit.Apply([]byte(src),
			[]atomicedit.Edit{accepttest.Lines("c()\n", "e()\n"+placeholder+"\n")}, nil); !errors.Is(err,
			atomicedit.ErrPlaceholder) {
			t.Errorf("%q: %v", placeholder, err)
		}
		if _, err := atomicedit.Apply([]byte(src+placeholder+"\n"),
			[]atomicedit.Edit{accepttest.Lines("c()\n", "e()\n"+placeholder+"\n")}, nil); err != nil {
			t.Errorf("%q, which the file has: %v", placeholder, err)
		}
	}
}

// E3: lines that are named by their numbers are left out as well as others.
func TestAPlaceholderForNumberedLinesIsRefused(t *testing.T) {
	const src = "a()\nb()\nc()\n"
	e := atomicedit.Edit{First: 2, Last: 3, New: "// ... existing code ...\nd()\n"}
	if _, err := atomicedit.Apply([]byte(src), []atomicedit.Edit{e}, nil); !errors.Is(err, atomicedit.ErrPlaceholder) {
		t.Error(err)
	}
}

// E3: a code sample of a Markdown text may have what stands for code left out.
func TestPlaceholdersInMarkdown(t *testing.T) {
	const readme = "# Title\n\nSome text.\n\n## Use\n\n```go\nfunc main() {\n\ta()\n\tb()\n}\n```\n\nMore text.\n"
	const code = "def f(x):\n    one()\n    two()\n"
	const notes = "# Notes\n\nSome text.\n" // no fence
	sample := "```go\nfunc main() {\n\t// ... setup code ...\n\tc()\n\td()\n}\n```\n"
	for _, c := range []struct {
		name, src, old, new string
		refused             bool
	}{
		{"a new sample", readme, "Some text.\n", "Some text.\n\n" + sample, false},
		{"a new sample in a text without one", notes, "Some text.\n", "Some text.\n\n" + sample, false},
		{"a new sample in the midst of a line", notes, "text.", "text:\n\n" + sample + "\nMore.", false},
		{"dots in a new sample", readme, "More text.\n", "More text.\n\n~~~\n...\nx\n~~~\n", false},
		{"a line in a sample", readme, "\ta()\n", "\ta()\n\t// ... existing code ...\n", false},
		{"a sample with as many lines", readme, "\ta()\n\tb()\n", "\ta()\n\t// ...\n", false},
		{"a sample and its fence", readme, "```go\nfunc main() {\n\ta()\n",
			"```go\nfunc main() {\n\t// ... existing code ...\n\ta()\n", false},
		{"all of the text, with a sample", readme, readme,
			strings.Replace(readme, "\ta()", "\t// ... existing code ...", 1), false},
		{"less prose, and a new sample", readme, "# Title\n\nSome text.\n\n## Use\n",
			"# Title\n\n## Use\n\n```\n...\n```\n", false},

		{"lines of a sample", readme, "func main() {\n\ta()\n\tb()\n}\n",
			"func main() {\n\t// ... existing code ...\n}\n", true},
		{"prose", readme, "Some text.\n\n## Use\n", "[rest of document unchanged]\n", true},
		{"prose below a sample", readme, "```\n\nMore text.\n", "```\n\n(rest of the document ...)\n", true},
		{"prose, in a comment", readme, "More text.\n", "<!-- ... rest of the section ... -->\n", true},
		{"a text in a fence of the model's", readme, readme,
			"```markdown\n# Title\n\n... rest of the document ...\n```\n", true},
		{"code in a fence of the model's", code, code,
			"```python\ndef f(x):\n    # ... existing code ...\n    three()\n    four()\n```\n", true},
		{"code in a fence, below a sentence", code, code,
			"Here it is:\n\n```python\ndef f(x):\n    # ... existing code ...\n```\n", true},
		{"a fence that stays open", readme, "Some text.\n", "Some text.\n\n```go\n// ... existing code ...\n", true},
		{"a place that may be in a fence or not", readme + "\ta()\n", "\ta()\n", "\ta()\n\t// ...\n", true},
		{"a file whose fence stays open", readme + "```\n", "\ta()\n", "\ta()\n\t// ...\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := accepttest.Lines(c.old, c.new)
			e.WholeLines = strings.HasSuffix(c.old, "\n")
			_, err := atomicedit.Apply([]byte(c.src), []atomicedit.Edit{e}, nil)
			if errors.Is(err, atomicedit.ErrPlaceholder) != c.refused || !c.refused && err != nil {
				t.Error(err)
			}
			if c.old != c.src {
				return
			}
			p := atomicedit.Plan{Ops: []atomicedit.Op{{Kind: atomicedit.OpCreate, Path: "a", Content: c.new,
				Overwrite: true}}}
			if _, err := p.Apply([]byte(c.src), nil); errors.Is(err, atomicedit.ErrPlaceholder) != c.refused ||
				!c.refused && err != nil {
				t.Errorf("all of the file: %v", err)
			}
		})
	}
}

// E3: what any comment may say stands for code left out if there is less code than before.
func TestPlaceholdersWhereCodeGoes(t *testing.T) {
	const old = "begin here\n  alpha line one\n  beta line two\n  gamma line three\nend here\n"
	for _, hint := range []string{
		"// existing code", "<!-- rest unchanged -->", "{/* rest of the component */}", "/* existing styles */",
		"<!-- existing content -->",
		"// keep existing code", "// your existing code here", "// Rest of your code", "// the rest remains the same",
		"// Keep the rest as is", "// code omitted for brevity", "// lines 10-40 unchanged",
		"// implementation unchanged",
		"-- rest of query", "// --- existing code ---", "// original code here", "# remaining steps",
	} {
		_, err := atomicedit.Apply([]byte(old),
			[]atomicedit.Edit{accepttest.Lines(old, "begin here\n  alpha line 1\n  "+hint+"\nend here\n")}, nil)
		if !errors.Is(err, atomicedit.ErrPlaceholder) {
			t.Errorf("%q: %v", hint, err)
		}
	}
	for _, comment := range []string{
		"// existing connections remain open", "// Rest and be thankful.", "// the original is kept by the caller",
		"// all rests on this",
		"// unchanged since the first version", "# The restart is omitted in tests, see below.",
	} {
		if _, err := atomicedit.Apply([]byte(old),
			[]atomicedit.Edit{accepttest.Lines(old, "begin here\n  alpha line 1\n  "+comment+"\nend here\n")},
			nil); err != nil {
			t.Errorf("%q: %v", comment, err)
		}
	}
	for _, comment := range []string{"// existing connections", "// the order is unchanged"} { // nothing goes
		if _, err := atomicedit.Apply([]byte(old),
			[]atomicedit.Edit{accepttest.Lines("end here\n", "  "+comment+"\nend here\n")}, nil); err != nil {
			t.Errorf("%q: %v", comment, err)
		}
	}
}

// E3: in a patch a placeholder is one too, though nothing is removed for it.
func TestPlaceholdersInPatches(t *testing.T) {
	const src = "def f(x):\n    one()\n    two()\n"
	for body, refused := range map[string]bool{
		"     one()\n+    # ...\n     two()\n":                       true,
		"     one()\n+    ...\n     two()\n":                         true,
		"     one()\n+    # ... the hard part\n     two()\n":         true,
		"     one()\n+    # ... existing code ...\n     two()\n":     true,
		"     one()\n+    # rest of the code\n     two()\n":          true,
		"     one()\n+    # ... error handling ...\n     two()\n":    true,
		"     one()\n-    two()\n+    # ...\n":                       true,
		"-    one()\n+    # ...\n     two()\n+    # ...\n":           true,
		" def f(x):\n-    one()\n-    two()\n+    ...\n":             false,
		" def f(x):\n-    one()\n+    ...\n     two()\n":             true,
		"     one()\n+    # Wait for the remaining...\n     two()\n": false,
	} {
		for name, patch := range map[string]string{
			"V4A":     "*** Begin Patch\n*** Update File: a\n@@\n" + body + "*** End Patch\n",
			"unified": "--- a\n+++ a\n@@ ... @@\n" + body,
		} {
			p, err := atomicedit.Parse(patch)
			if err != nil {
				t.Fatal(name, err)
			}
			if _, err := p.Apply([]byte(src), nil); errors.Is(err, atomicedit.ErrPlaceholder) != refused ||
				!refused && err != nil {
				t.Errorf("%s %q: %v", name, body, err)
			}
		}
	}
}

// Plan.Apply and Prepare agree about what changes nothing. Only Prepare can tell an empty file from none.
func TestAPlanThatChangesNothingIsRefused(t *testing.T) {
	if _, err := atomicedit.Apply([]byte("a\n"), nil, nil); !errors.Is(err, atomicedit.ErrNoChange) {
		t.Errorf("Apply without edits: error %v, want %v", err, atomicedit.ErrNoChange)
	}
	swap := func(old, new string) atomicedit.Op { return accepttest.Edits("f", old, new) }
	empty := atomicedit.Op{Kind: atomicedit.OpCreate, Path: "f"}
	for _, test := range []struct {
		name, text string
		ops        []atomicedit.Op
		applied    bool // by Plan.Apply
	}{
		{"no operations", "a\n", nil, false},
		{"no operations on an empty text", "", nil, false},
		{"no edits", "a\n", []atomicedit.Op{{Path: "f"}}, false},
		{"edits that undo one another", "a\n", []atomicedit.Op{swap("a", "b"), swap("b", "a")}, false},
		{"the content that is there", "a\n", []atomicedit.Op{accepttest.Over(accepttest.Create("f", "a\n"))}, false},
		{"an empty file", "", []atomicedit.Op{empty}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := atomicedit.Plan{Ops: test.ops}
			if _, err := atomicedit.Prepare(t.Context(), atomicedit.NewMem(map[string]string{"f": test.text}), p,
				nil); !errors.Is(err, atomicedit.ErrNoChange) {
				t.Errorf("Prepare: error %v, want %v", err, atomicedit.ErrNoChange)
			}
			res, err := p.Apply([]byte(test.text), nil)
			if test.applied && (err != nil || len(res.Text) > 0 || len(res.Matches) > 0) ||
				!test.applied && !errors.Is(err, atomicedit.ErrNoChange) {
				t.Errorf("Plan.Apply: %+v, error %v", res, err)
			}
		})
	}
}

// Sent again, an edit that puts signs around every place, or in front of it, changes nothing. Only more of the same
// signs, as for a heading further down, may be meant.
func TestSignsAreAddedToEveryPlaceOnce(t *testing.T) {
	for new, twice := range map[string]bool{"'X'": false, "(X)": false, "*X": false, "X;": false, "#X": true} {
		old := strings.Trim(new, "'()*;")
		edits := []atomicedit.Edit{{Old: old, New: strings.Replace(new, "#", "##", 1), Count: atomicedit.All}}
		r, err := atomicedit.Apply([]byte("a "+old+"\nb "+old+"\n"), edits, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := atomicedit.Apply(r.Text, edits, nil); (err == nil) != twice ||
			err != nil && !errors.Is(err, atomicedit.ErrApplied) {
			t.Errorf("%s: %v", new, err)
		}
	}
}
