package omission_test

import (
	"strings"
	"testing"
	"time"

	"github.com/atomicedit/atomicedit/internal/omission"
	"github.com/atomicedit/atomicedit/internal/text"
)

// signs are the comments of a dozen languages, around "X".
var signs = []string{"// X", "//X", "# X", "-- X", "; X", ";; X", "% X", "%% X", "/* X */", "/* X", "<!-- X -->",
	"{/* X */}", "<%-- X --%>",
	"(* X *)", "{- X -}", "{# X #}", "@* X *@", "' X", "! X", `" X`, "REM X", "rem X", ":: X", "<# X #>",
	"{{! X }}", "{{/* X */}}", "{{- /* X */ -}}", "<%# X %>", ".. X", "-# X", "dnl X", "C     X", "pass  # X",
	"... # X"}

// E3: no dress hides a placeholder, whatever the comment sign.
func TestAPlaceholderInAnyDress(t *testing.T) {
	for _, dressed := range []string{
		"(rest of methods ...)", "[existing code]", "... rest of methods ...", "rest of methods ...",
		"[... rest of the file ...]",
		"(rest of the code)", "--- existing code ---", "<rest of the document unchanged>", "{existing methods ...}",
		"…remaining functions…",
		"...existing code...", "[Existing code here.]", "rest of the implementation unchanged", "unchanged", "[snip]",
		"more code here", "[code continues]", "rest of the code follows",
		"⋮ existing code ⋮", "{{ existing code }}", "omitted for brevity", "rest truncated for brevity",
		"unchanged below", "code above unchanged",
	} {
		for _, sign := range signs {
			l := "\t" + strings.Replace(sign, "X", dressed, 1) + " "
			if kind := omission.In(l); kind != omission.Words {
				t.Errorf("%q: kind %d, want %d", l, kind, omission.Words)
			}
		}
	}
	for _, sign := range append(signs, "X") {
		for _, dots := range []string{"...", "(...)", "[...]", "{ ... }", "<…>", "(⋮)"} {
			l := strings.Replace(sign, "X", dots, 1)
			if kind := omission.In(l); kind != omission.Dots {
				t.Errorf("%q: kind %d, want %d", l, kind, omission.Dots)
			}
		}
	}
}

func TestKinds(t *testing.T) {
	for kind, lines := range map[omission.Kind][]string{
		omission.Dots:   {"...", "  …", "#....", "(...)", "# ⋮"},
		omission.Remark: {"// ... and so on", "# ... (only on Tuesdays)", "% ... more cases"},
		omission.Framed: {"// ... setup code ...", "//...args...", "// other cases...", "# the existing routes …",
			"// lines 1-9 unchanged ...",
			"... existing routes ...", "[... other cases]"},
		omission.Words: {"(rest of methods ...)", "<... 12 lines ...>", "[existing code]",
			"rest of methods ...", "... the remaining methods",
			"(previous code)", "rest of tests ...",
			"[rest of document unchanged]", "[... 20 lines omitted ...]", "<!-- rest of content -->",
			"# keep everything else", "// same as before",
			"; all existing helper functions ...", "// code omitted", "the rest unchanged ...",
			"// everything else stays unchanged", "// more methods go here ...", "# the code continues here",
			"// remaining methods follow"},
		omission.Hint: {"# existing steps", "// rest", "// the rest of your handlers", "-- rest of query",
			"# lines 10-40 unchanged", "[implementation left out]",
			"// same as above", "# the same as above.", "⋮", "  ⋯", "// other methods", "# other imports",
			"// as before", "// omitted", "// (truncated)", "[truncated]",
			"// no changes below", "# no changes before", "# no change", "- ...", "* ...", "| ... | ... |",
			"...  # existing entries", "[12 lines]", "[email protected]", "// nothing changed here",
			"// everything else is the same",
			"// original handlers"},
		omission.None: {
			"pass", "pass  # noqa", "... # type: ignore", "| a | ... |", "- one ...", "rem = a", "C x", "..", "::f()",
			"# 12 lines", "return", "dnl a macro",
			"", " ", "rest", "existing code", "(rest xs)", "[existing]", "{rest}", "<other code=\"x\">", "f(x...)",
			"...rest", "[...rest]", "[...rest, x]",
			"...rest, code", "(...args) => {", "// f(...) is called", "......", "// ......",
			"# Existing: one, two, ...", "// ...Elem", "// ... = s", "Loading...",
			`"rest of the code"`, `"...",`, "'existing code',", "a... b", "and so on ...", "the rest ...",
			"## Remaining methods", "* existing code", "- rest of the code",
			"// rests on the existing code", "/// unchanged.", "// of the file.", "# REST API", "// same",
			"# Everything else...", "--x;", "[Existing code](x.md)",
			"// more details.", "# add more methods here", "// more", "// as above", "// execution continues",
			"// the function continues below", "a ⋮ b",
			"// same order as before", "// original value", "# the remaining time.", "// same file", "# other side",
			"// no changes to state needed", "// other methods call this one",
			"// previous value", "// previous implementation", "// truncated to 80 chars", "{{ rest }}", "// as",
			"// no errors", "// nothing", "// changes",
			"foo(); // ... rest unchanged", "(*fn)(rest, code)", "!existing", "'rest'",
			strings.Repeat("// ... rest of the code ", 9),
		},
	} {
		for _, l := range lines {
			if got := omission.In(l); got != kind {
				t.Errorf("%q: kind %d, want %d", l, got, kind)
			}
			if want := kind == omission.Dots || (kind == omission.Framed || kind == omission.Words) &&
				omission.HasDots(l); omission.IsElision(l) != want {
				t.Errorf("%q: an elision: %v, want %v", l, !want, want)
			}
		}
	}
}

// E3: behind code, dots before words for text left out make a comment a placeholder.
func TestBehind(t *testing.T) {
	for l, want := range map[string]string{
		"	foo(); // ... rest unchanged":            "// ... rest unchanged",
		"foo()  # ...existing code...  ":           "# ...existing code...",
		"a { /* ... existing code ... */ }":        "/* ... existing code ... */",
		"f(a...); /* … the remaining methods */ }": "/* … the remaining methods */",
		"f(...) // [... rest of the code]":         "// [... rest of the code]",
		"<b>x</b> <!-- ... rest of content -->":    "<!-- ... rest of content -->",

		"foo(); // rest unchanged": "", "foo(); // unchanged": "", "foo(); // ... and so on": "", "foo(); // ...": "",
		"foo(x, ...rest)":             "",
		"foo(); // ... same as above": "", `s = "x // ... rest unchanged`: "", "print('# ... existing code')": "",
		"`a // ... existing code ...`": "",
		"http://... rest unchanged":    "", "// x // ... rest unchanged": "", "// ... rest unchanged": "",
		"f() /* ... rest unchanged */ + g()": "",
		"a ... rest unchanged":               "", "": "",
	} {
		if got := omission.Behind(l); got != want {
			t.Errorf("%q: %q, want %q", l, got, want)
		}
	}
}

func BenchmarkIn(b *testing.B) {
	for name, lines := range map[string][]string{
		"code": {"\tfor i, l := range lines {", "        return self.items[key]", "}", "\t\t\"name\": value,",
			"if (x > 0) {", "(defn f [x]", "", "x = f(a, b)"},
		"comments": {"// Returns the next one of them, if there is any left.",
			"# A comment of an ordinary length, as most of them are", "/* Copyright (c) 2020 by the authors */"},
	} {
		b.Run(name, func(b *testing.B) {
			size := 0
			for _, l := range lines {
				size += len(l)
			}
			b.SetBytes(int64(size))
			for b.Loop() {
				for _, l := range lines {
					omission.In(l)
				}
			}
		})
	}
}

// E3: where new text may have a line that looks like a placeholder.
func TestPlaceholder(t *testing.T) {
	const code = "// ... existing code ..."
	for _, c := range []struct{ name, file, old, new, want string }{
		{"a placeholder", "a\nb\nc\n", "a\nb\n", "x\n  " + code + "\n", code},
		{"the old text has it", "a\nb\n", "a\n" + code + "\n", "x\n" + code + "\n", ""},
		{"the file has it", "a\n\t" + code + "\n", "a\n", "x\n" + code + "\n", ""},
		{"a body", "def f():\n    a\n", "def f():\n    a\n", "def f():\n    ...\n", ""},
		{"a body alone", "def f():\n    raise NotImplementedError\n", "raise NotImplementedError", "...", ""},
		{"a body in place of one line", "def f():\n    # a\n    pass\n", "    # a\n    pass\n", "    # a\n    ...\n",
			""},
		{"a body in place of one line of several that change", "def f():\n    # a\n    pass\n", "    # a\n    pass\n",
			"    # b\n    ...\n", "..."},
		{"in place of another line", "a\nb\nc\n", "a\nb\nc\n", "a\n...\nc\n", "..."},
		{"in place of several lines", "a\nb\nc\n", "a\nb\nc\n", "a\n...\n", "..."},
		{"in a new docstring", "def f():\n    a\n", "def f():\n    a\n",
			"def f():\n    \"\"\"It does.\n\n    one\n    ...\n    \"\"\"\n    a\n", ""},
		{"in a docstring that was there", "\"\"\"It does.\n\none\n\"\"\"\na\n", "\"\"\"It does.\n\none\n\"\"\"\na\n",
			"\"\"\"It does.\n...\n\"\"\"\nb\n", "..."},
		{"between two docstrings", "a\n", "a\n", "\"\"\"A\"\"\"\n...\n\"\"\"B\"\"\"\n", "..."},
		{"words of any comment, in place of the end of longer text", "a\nb\nc\n", "a\nb\nc\n",
			"a\n1\n2\n3\n# lines omitted\n", "# lines omitted"},
		{"words of any comment, in place of a comment", "a\nb\n# c\n", "a\nb\n# c\n", "a\n1\n2\n# lines omitted\n", ""},
		{"words of any comment, where the end is kept", "a\nb\n", "a\nb\n", "a\nb\n1\n# lines omitted\n", ""},
		{"a comment that begins with dots and goes on", "a\n", "a\n", "# ... and so on, if\n# there is more\na\n", ""},
		{"a comment that goes on and begins with dots", "a\n", "a\n", "# One first\n# ... and so on\na\n", ""},
		{"the same, in place of lines", "a\nb\nc\n", "a\nb\nc\n", "# ... and so on, if\n# there is more\n",
			"# ... and so on, if"},
		{"a comment of one line that begins with dots", "a\n", "a\n", "# ... and so on\na\n", "# ... and so on"},
		{"a comment in other words", "// skip it if f is off\na\n", "// skip it if f is off\na\n",
			"// ... and skip it if f is off\na\n", ""},
		{"a comment in other words, and a line is gone", "// skip x\nx()\nx()\n", "// skip x\nx()\nx()\n",
			"// ... skip x\nx()\n", "// ... skip x"},
		{"a comment in other words for several", "// skip it\n// if f is off\na\n", "// skip it\n// if f is off\na\n",
			"// ... skip it\na\n", "// ... skip it"},
		{"in place of another comment", "// one\na\n", "// one\na\n", "// ... and so on\na\n", "// ... and so on"},
		{"a prompt", "a\n", "a\n", ">>> for x in y:\n... \n", ""},
		{"the end of a document", "a: 1\n", "a: 1\n", "a: 1\n...\n---\nb: 2\n", ""},
		{"a sample", "# A\n\n```go\na\n```\n", "a\n", "x\n" + code + "\n", ""},
		{"a sample that gets shorter", "# A\n\n```go\na\nb\nc\n```\n", "a\nb\nc\n", "x\n" + code + "\n", code},
		{"behind code", "a\nb\n", "a\nb\n", "a; // ... rest unchanged\n", "// ... rest unchanged"},
		{"behind code, and the old text has it", "a\nb\n", "a; // ... rest unchanged\n", "b; // ... rest unchanged\n",
			""},
		{"behind code, and the file has it", "a\nb(); // ... rest unchanged\n", "a\n", "c(); // ... rest unchanged\n",
			""},
		{"in a sample below a heading that is underlined", "Title\n=====\n\nUse\n---\n", "Use\n---\n",
			"Run\n---\n\n```go\n// ... existing code ...\n```\n\nUse\n---\n", ""},
		{"behind code in a sample", "# A\n\n```go\na\n```\n", "a\n", "a; // ... rest unchanged\n", ""},
		{"in code in prose", "# A\n\nb\n", "b\n", "Write `a; // ... rest unchanged` here.\n", ""},
		{"dots of a column in place of lines", "a\nb\nc\n", "a\nb\nc\n", "a\n⋮\n", "⋮"},
		{"dots of a column added", "<b>\n</b>\n", "<b>\n</b>\n", "<b>\n  ⋮\n</b>\n", ""},
		{"as above, in place of lines", "a\nb\nc\n", "a\nb\nc\n", "a\n// same as above\n", "// same as above"},
		{"as above, beside a line added", "a\nb\nc\n", "a\nb\nc\n", "a\nb\nc\n// same as above\nd\n", ""},
		{"more, in place of lines", "a\nb\n", "a\nb\n", "a\n// more code here\n", "// more code here"},
		{"more lines may be added", "a\nb\n", "a\nb\n", "a\nb\n// add more methods here\n", ""},
		{"words in brackets", "a\nb\n", "a\nb\n", "a\n[code continues]\n", "[code continues]"},
		{"no placeholder", "a\n", "a\n", "// more\n", ""},
	} {
		if got := omission.Placeholder(c.old, c.new, text.New([]byte(c.file))); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Dots in a long docstring took minutes.
func TestPlaceholderIsLinearInADocstring(t *testing.T) {
	new := `"""` + strings.Repeat("\n    ...\nmore", 20_000) + "\n" + `"""` + "\n"
	begin := time.Now()
	if got := omission.Placeholder("a\n", new, text.New([]byte("a\n"))); got != "" ||
		time.Since(begin) > 5*time.Second {
		t.Errorf("%q, after %v", got, time.Since(begin))
	}
}
