package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/lint"
)

func TestWarnings(t *testing.T) {
	const body = "func f() {\n\tif a {\n\t\tb()\n\t\tb()\n\t}\n}\n"
	python := strings.Repeat("def f():\n    a\n    b\n    b\n\n", 5)
	for _, test := range []struct{ name, path, before, after, want string }{
		{"nothing", "a.go", "package a\n", "package b\n", "[]"},
		{"several", "a.go", "package a\n", "package a\r\n\nfunc f( {}",
			`[{3 the brackets are no longer balanced: "(" is not closed} ` +
				`{3 this is no longer valid Go: expected ')', found '{'} {3 the newline at the end of the file is gone} {2 the file now mixes CRLF and LF line endings}]`},
		{"other line endings", "a.txt", "x\r\ny\r\n", "x\ny",
			"[{2 the newline at the end of the file is gone} {1 the file had CRLF line endings, and has LF now}]"},
		{"line endings that were mixed", "a.txt", "x\r\ny\n", "x\ny\n", "[]"},
		{"only the first bracket", "a.c", "", "(\n])\n}\n",
			`[{2 the brackets are no longer balanced: "]" does not close the "(" on line 1}]`},
		{"the innermost open bracket", "a.c", "", "(\n[\n",
			`[{2 the brackets are no longer balanced: "[" is not closed}]`},
		{"an escape at the end", "a.ts", "", "`\\", "[]"},
		{"a tag of the request", "a.txt", "x\n", "x\n  </old_text>\n",
			"[{2 </old_text> looks like a part of the request that was left in: remove it, unless it belongs to the text}]"},
		{"a tag behind text", "a.txt", "x\n", "x</new_string>\n",
			"[{1 </new_string> looks like a part of the request that was left in: remove it, unless it belongs to the text}]"},
		{"a tag that the file had", "a.txt", "</old_text>\nx\n", "</old_text>\ny\n</old_text>\n", "[]"},
		{"a tag with its beginning", "a.xml", "", "<parameter name='a'>\nb\n</parameter>\n", "[]"},
		{"a tag within a line", "a.txt", "", "say </old_text> at the end\n", "[]"},
		{"the end of a patch", "a.txt", "x\n", "x\n*** End Patch\n",
			"[{2 *** End Patch looks like a part of the request that was left in: remove it, unless it belongs to the text}]"},
		{"the beginning and the end, each once", "a.txt", "", "*** Begin Patch\r\n*** End Patch\r\n*** End Patch\r\n",
			"[{1 *** Begin Patch looks like a part of the request that was left in: remove it, unless it belongs to the text} " +
				"{2 *** End Patch looks like a part of the request that was left in: remove it, unless it belongs to the text}]"},
		{"a lone SEARCH", "a.txt", "x\n", "<<<<<<< SEARCH\nx\n=======\n",
			"[{1 <<<<<<< SEARCH looks like a part of the request that was left in: remove it, unless it belongs to the text}]"},
		{"a lone REPLACE", "a.txt", "x\n", "<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n>>>>>>> REPLACE\n",
			"[{3 >>>>>>> REPLACE looks like a part of the request that was left in: remove it, unless it belongs to the text} {4 this line is the same as the one above: check that it is not there twice}]"},
		{"a line twice", "a.go", "f {\n\trun(one, two)\n}\n", "f {\n\trun(one, two)\n\n\trun(one, two)\n}\n",
			"[{4 this line is the same as the one above: check that it is not there twice}]"},
		{"a new line twice", "a.go", "f {\n}\n", "f {\n\trun(one, two)\n\trun(one, two)\n}\n",
			"[{3 this line is the same as the one above: check that it is not there twice}]"},
		{"a line three times", "a.go", "f {\n\trun(one, two)\n}\n", "f {\n\trun(one, two)\n\trun(one, two)\n\trun(one, two)\n}\n",
			"[{3 this line is the same as the one above: check that it is not there twice}]"},
		{"a short line twice", "a.rb", "end\nprivate\n", "end\nprivate\n\nprivate\n",
			"[{4 this line is the same as the one above: check that it is not there twice}]"},
		{"a line that was there twice", "a.rb", "end\nprivate\n\nprivate\n", "fed\nprivate\n\nprivate\n", "[]"},
		{"a fence within a fence", "a.md", "a\n```sh\nb\n```\nc\n", "a\n```sh\nb\n```go\nd\n```\n```\nc\n",
			"[{7 the code fences no longer pair: the one that begins here has no end}]"},
		{"a fence without its end", "a.md", "```sh\nb\n```\nc\n```\nd\n```\n", "```sh\nb\n\n```\nc\n```go\n```\nd\n```\n",
			"[{6 the code fences no longer pair: the one that begins here has no end}]"},
		{"an end that is gone", "a.md", "```sh\nb\n```\nc\n", "```sh\nb\nc\n",
			"[{1 the code fences no longer pair: the one that begins here has no end}]"},
		{"a fence in a longer one", "a.md", "````\na\n````\n", "````\n```\na\n````\n", "[]"},
		{"a fence in a file that is no Markdown", "a.go", "package a\n", "package a\n\n// ```\n", "[]"},
		{"a block", "a.md", "", "<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n", "[]"},
		{"an underlined heading", "a.md", "", "x\n=======\n", "[]"},
		{"an unknown language", "Makefile", "", "(\n", "[]"},
		{"a tab among spaces", "a.yaml", "a:\n  b: 1\n", "a:\n  b: 1\n\tc: 2\n",
			"[{3 this line is indented with a tab, and the file had only spaces}]"},
		{"spaces among tabs", "a.c", "a\n\tb\n", "a\n\tb\n  c\n",
			"[{3 this line is indented with spaces, and the file had only tabs}]"},
		{"spaces that align", "a.c", "/*\n\tb\n", "/*\n * a\n\tb\n", "[]"},
		{"tabs among tabs and spaces", "a.c", "a\n  b\n\tc\n", "a\n  b\n\tc\n\td\n", "[]"},
		{"a first indentation", "a.c", "a\n", "a\n\tb\n", "[]"},
		{"a recipe", "sub/Makefile", "all:\n\tgo build\n", "all:\n\tgo build\n        go test\n",
			"[{3 the recipe begins with spaces: make needs a tab}]"},
		{"a recipe of Automake", "Makefile.am", "all:\n\tgo build\n", "all:\n\tgo build\n        go test\n",
			"[{3 the recipe begins with spaces: make needs a tab}]"},
		{"a recipe that goes on", "a.mk", "all:\n\tgo build\n", "all:\n\tgo build \\\n        ./...\n  go test\n",
			"[{4 the recipe begins with spaces: make needs a tab}]"},
		{"a recipe with a variable", "Makefile", "all:\n\t$(A)\n", "all:\n    $(A) -v\n",
			"[{2 the recipe begins with spaces: make needs a tab}]"},
		{"an expansion below a target", "Makefile", "all:\n\ta\n", "all:\n  $(eval B := 1)\n  $(info $(B))\n\ta\n",
			"[]"},
		{"one more recipe with spaces", "Makefile", "all:\n  a\n\nb:\n\tc\n", "all:\n  a\n\nb:\n  c\n",
			"[{5 the recipe begins with spaces: make needs a tab}]"},
		{"a recipe below a new target", "Makefile", "all:\n\tgo build\n", "all:\n\tgo build\n\nlint:\n    echo vet\n",
			"[{5 the recipe begins with spaces: make needs a tab}]"},
		{"a variable below a target", "Makefile", "all: x\n\tgo build\n",
			"all: x\n    y = 1\nz:\n  ifeq (a, b)\n\tgo build\n", "[]"},
		{"a makefile without recipes", "Makefile", "x = 1\n", "x = 1\n  y = 2\n", "[]"},
		{"a character reference", "a.py", "a > 1\n", "if a &gt; 1 and &lt;\n",
			"[{1 &gt; is a character reference of HTML, where the character itself is usual}]"},
		{"a character reference in text", "a.go", "a > 1\n", "a := `\nTom &amp; Jerry\n`\n",
			"[{2 &amp; is a character reference of HTML, where the character itself is usual}]"},
		{"a character reference in Lua", "a.lua", "a > 1\n", "if a &gt; 1 then\n",
			"[{1 &gt; is a character reference of HTML, where the character itself is usual}]"},
		{"a character reference more", "a.py", "'&lt;'\n", "'&lt;&gt;'\n", "[]"},
		{"an invisible character", "a.py", "\ufeffé\n\u2714\ufe0f\n", "\ufeffé\n\u2714\ufe0f\na\u202eb\n",
			"[{3 this line has U+202E, which nobody sees, and the file had no such character}]"},
		{"a no-break space that is lost", "a.md", "a\u00a0b\nc\nd\u00a0e\n", "a b\nx\nd e\n",
			"[{1 this line has lost characters that nobody sees, such as no-break spaces: check that they are not needed}]"},
		{"a no-break space in a line that changes", "a.md", "a\u00a0b\n", "a c\n", "[]"},
		{"no-break spaces that stay", "a.md", "a\u00a0b\na b\nc\n", "a\u00a0b\na b\nd\n", "[]"},
		{"an invisible character more", "a.py", "\u200b\n", "\u200b\u2060\n", "[]"},
		{"a character reference in a script", "a.ts", "if (a > 1)\n", "if (a > 1 &amp;&amp; b)\n",
			"[{1 &amp; is a character reference of HTML, where the character itself is usual}]"},
		{"a character reference in a string of a script", "a.js", "let a\n", "let a = s.replace('&', '&amp;')\n", "[]"},
		{"a field twice", "a.json", "{\"a\": [{\"b\": 1}]}\n", "{\"a\": [{\"b\": 1, \"b\": 2}]}\n",
			`[{1 this object has the field "b" twice: expected it once}]`},
		{"a field that was there twice", "a.json", "{\"a\": 1, \"a\": 2}\n", "{\"a\": 1, \"a\": 3, \"a\": 4}\n", "[]"},
		{"a field of two objects", "a.json", "{}\n", "{\"a\": [{\"b\": 1}, {\"b\": 1}]}\n", "[]"},
		{"typographic quotation marks", "a.py", "a = 'b'\n", "a = “b”\n",
			"[{1 a typographic quotation mark is no code: write a straight one}]"},
		{"typographic quotation marks in a string and a comment", "a.py", "a = 'b'\n", "a = '“b”' # “c”\n", "[]"},
		{"typographic quotation marks in a comment of SCSS", "a.scss", "a {}\n", "a {}\n// “b”\n", "[]"},
		{"typographic quotation marks in a raw string", "a.cpp", "R\"(\na\n)\"\n", "R\"(\na\n“b”\n)\"\n", "[]"},
		{"typographic quotation marks in a template", "a.tsx", "<b>\n", "<b>“c”\n", "[]"},
		{"a placeholder in a new file", "a.go", "", "package a\n\n// ... existing code ...\n",
			`[{3 "// ... existing code ..." is a placeholder for omitted code, and nothing was here: write the code out, or check the path}]`},
		{"a remark in a new file", "a.go", "", "package a\n\n// ... and more\n", "[]"},
		{"a line in no column of its body", "a.go", body, strings.Replace(body, "\t\tb()\n", "\t\tb()\nc()\n", 1),
			"[{4 check the indentation of this line: it is less deep than the one above, and no bracket closes there}]"},
		{"a case in the column of its switch", "a.c", "switch (a) {\n    b();\n}\n",
			"switch (a) {\n    b();\ncase 1:\n    c();\n}\n", "[]"},
		{"a line of a string", "a.go", "f {\n\ta(`\n`)\n}\n", "f {\n\ta(`\nb\n`)\n}\n", "[]"},
		{"Python above a deeper line", "a.py", python, strings.Replace(python, "    a\n", "a\n", 1),
			"[{2 this is no longer valid Python: this line is not deeper than the one above, which opens a body}]"},
		{"Python without its indentation", "a.py", python, strings.Replace(python, "    b\n", "    b\nc\n    d\n", 1),
			"[{5 this is no longer valid Python: this line is deeper than the one above, which opens nothing}]"},
		{"new Python between deeper lines", "a.py", python,
			strings.Replace(python, "    b\n    b\n", "    c\nd\n    e\n", 1),
			"[{5 this is no longer valid Python: this line is deeper than the one above, which opens nothing}]"},
		{"Python between deeper lines", "a.py", python,
			strings.Replace(python, "    b\n    b\n", "    b\nc\n    b\n", 1),
			"[{5 this is no longer valid Python: this line is deeper than the one above, which opens nothing}]"},
		{"Python too deep", "a.py", python, strings.Replace(python, "    b\n    b\n", "    b\n        c\n    b\n", 1),
			"[{4 this is no longer valid Python: this line is deeper than the one above, which opens nothing}]"},
		{"a bracket far from the change", "a.c", "f {\n  a;\n  b;\n}\n", "f {\n  a;\n  c; }\n}\n",
			`[{3 the brackets are no longer balanced: "}" closes nothing, at line 4}]`},
		{"a head of Python without a body", "a.py", "def f():\n    a()\n    b()\n",
			"def f():\n    if x:\n    a()\n    b()\n",
			"[{3 this is no longer valid Python: this line is not deeper than the one above, which opens a body}]"},
		{"a body of Python without a head", "a.py", "def f():\n    if x:\n        a()\n",
			"def f():\n    x()\n        a()\n",
			"[{3 this is no longer valid Python: this line is deeper than the one above, which opens nothing}]"},
		{"a line of Python at no depth", "a.pyi", "if x:\n    a()\n    b()\n", "if x:\n    a()\n  b()\n",
			"[{3 this is no longer valid Python: this line is as deep as no line above that is open}]"},
		{"Python that ends in a head", "a.py", "if x:\n    a()\n", "if x: # why\n",
			"[{2 this is no longer valid Python: the last line opens a body, and there is none}]"},
		{"Python whose lines go on", "a.py", "x = 1\n",
			"x = (1,\n      2)\ny = 1 + \\\n        2\nif x: y\nz = \"\"\"\n  if:\n\"\"\"\n" +
				"if x:  # a\n\n# b\n        y\nelse: {1:\n2}\n", "[]"},
		{"Python that was not valid", "a.py", "if x:\na()\n", "if x:\nb()\n", "[]"},
		{"an entry of YAML below its list", "a.yaml", "on:\n  - a\njobs: {}\n", "on:\n  - a\n- b\njobs: {}\n",
			"[{3 this is no longer valid YAML: the indentation of this line does not fit}]"},
		{"a key of YAML at no depth", "a.yml", "a:\n  b: 1\n  c: 2\n", "a:\n  b: 1\n   c: 2\n",
			"[{3 this is no longer valid YAML: the indentation of this line does not fit}]"},
		{"a line of YAML above one that fits no longer", "a.yml", "a:\n  b: 1\n  c: 2\n", "a:\n  b: 1\nd: 3\n  c: 2\n",
			"[{3 this is no longer valid YAML: the indentation of this line does not fit}]"},
		{"a key of YAML among entries", "a.yml", "a:\n  - b: 1\n    c: 2\n", "a:\n  - b: 1\n  c: 2\n",
			"[{3 this is no longer valid YAML: the indentation of this line does not fit}]"},
		{"valid YAML", "a.yml", "a:\n- b: 1\n",
			"a: &x\n- b: 1 # c\n  c: |\n    - d:\n   e\n  \"f: g\": [1,\n2]\n- plain\n  text\nh:\n    - - i\n      - j\n---\n k: 1\n", "[]"},
		{"YAML that was not read", "a.yml", "a: 1\n  b: 2\n", "a: 1\n  b: 3\n", "[]"},
		{"a character reference in a page", "a.html", "a\n", "a &amp; b\n", "[]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			all := lint.Warnings(test.path, []byte(test.before), []byte(test.after))
			for i, w := range all {
				is := strings.Contains(w.Msg, "no longer") || strings.Contains(w.Msg, "no bracket closes") ||
					strings.HasPrefix(w.Msg, "the recipe") || strings.Contains(w.Msg, "was left in:") ||
					strings.HasSuffix(w.Msg, "expected it once") || strings.HasPrefix(w.Msg, "a typographic") ||
					strings.Contains(w.Msg, "of HTML") && test.path != "a.lua" && test.path != "a.go" ||
					test.name == "a line twice"
				if w.Broken != is && test.before != "" {
					t.Errorf("%s: broken is %v", w.Msg, w.Broken)
				}
				all[i].Broken = false
			}
			if got := strings.ReplaceAll(fmt.Sprint(all), " false}", "}"); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestIsExcerpt(t *testing.T) {
	lines := func(first, last int) (s string) {
		for i := first; i <= last; i++ {
			s += fmt.Sprintf("line %d\n\n", i)
		}
		return s
	}
	for _, test := range []struct {
		name, before, after string
		want                bool
	}{
		{"a part", lines(1, 20), lines(5, 10), true},
		{"a part with a new line", lines(1, 20), "new\n" + lines(5, 7), true},
		{"a part with more new lines", lines(1, 20), "new\nnewer\n" + lines(5, 7), false},
		{"much of it", lines(1, 20), lines(5, 11), false},
		{"of a short file", lines(1, 19), lines(5, 6), false},
		{"nothing", lines(1, 20), "\n", false},
		{"another text", lines(1, 20), "other\n", false},
	} {
		if got := lint.IsExcerpt([]byte(test.before), []byte(test.after)); got != test.want {
			t.Errorf("%s: got %v", test.name, got)
		}
	}
}
