package plan_test

import (
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// E4: new text that nobody means is refused, and what looks like it, but may be meant, is not.
func TestDamaged(t *testing.T) {
	const code, fence = "def f():\n    a()\n    b()\n", "```python\n    c()\n```\n"
	for _, tt := range []struct {
		name, path, file, old, new string
		refused                    bool
	}{
		{"a fence", "a.py", code, "    a()\n", fence, true},
		{"a fence in a file of no name", "", code, "    a()\n", fence, false},
		{"a fence in Markdown", "a.md", code, "    a()\n", fence, false},
		{"a fence in a readme", "docs/README", code, "    a()\n", fence, false},
		{"a fence where the file has one", "a.py", code + fence, "    a()\n", fence, false},
		{"a fence that opens nothing", "a.py", code, "    a()\n", "    c()\n```\n", true},
		{"a fence that nothing closes", "a.py", code, "    a()\n", "```python\n    c()\n", true},
		{"a fence that nothing closes in Markdown", "a.md", code, "    a()\n", "```python\n    c()\n", false},
		{"a fence in the middle", "a.py", code, "    a()\n", "    c()\n```\n    d()\n", false},
		{"a fence and text", "a.py", code, "    a()\n", "c()\n" + fence, false},
		{"marks", "a.py", code, "    a()\n    b()\n", "+    a()\n+\n+    c()\n", true},
		{"a mark before the indentation", "a.py", code, "    a()\n", "+    c()\n", true},
		{"a sign", "a.py", code, "a()", "+1", false},
		{"marks before some lines", "a.py", code, "    a()\n", "+    c()\n     d()\n", false},
		{"marks where the file has some", "a.py", code + "+x\n", "    a()\n", "+    c()\n", false},
		{"marks in Markdown before lines of the old text", "a.md", "# A\n\ntext\n", "# A\n", "+# A\n+\n+more\n", true},
		{"marks before lines of the old text where the file has some", "a.py", code + "+x\n", "    a()\n    b()\n",
			"+    a()\n+    c()\n", true},
		{"a list in Markdown", "a.md", code, "    a()\n", "+ c\n+ d\n", false},
		{"a tab in YAML", "a.yaml", "a:\n  b: 1\n", "  b: 1", "  b: 1\n\tc: 2", true},
		{"a tab in YAML that has one", "a.yml", "a:\n\tb: 1\n", "\tb: 1", "\tb: 2", false},
		{"a tab below spaces in Python", "a.py", code, "    b()\n", "    b()\n\tc()\n", true},
		{"a tab behind spaces", "a.nim", code, "    b()\n", "    if b:\n    \tc()\n", true},
		{"a tab in a string", "a.py", code, "a()\n", "s = \"\"\"\nall:\n\tgo build\n\"\"\"\n", false},
		{"a tab in Python without indentation", "a.py", "a()\n", "a()\n", "if b:\n\ta()\n", false},
		{"a tab behind code", "a.py", code, "a()\n", "a()\t# two\n", false},
		{"a tab in JavaScript", "a.js", code, "a()\n", "a()\n\tc()\n", false},
		{"a tab that is escaped", "a.go", "f() {\n\ta()\n}\n", "\ta()", `\tb()`, true},
		{"a line break that is escaped", "a.py", code, "    a()\n    b()", `    a()\n    c()`, true},
		{"a line break and a tab that are escaped", "a.py", code, "a()", `if x:\n\ta()`, true},
		{"one line break at the end", "a.py", code, "    a()\n    b()\n", `    c()\n`, true},
		{"a string", "a.py", code, "a()", `print("one\n  two")`, false},
		{"an escaped line break behind an old line", "a.py", code, "    a()\n", `    a()\nc()`, true},
		{"an escaped line break behind an old line of prose", "a.md", "# A\n\ntext\n", "text\n", `text\nmore`, true},
		{"an escaped line break behind a part of a line", "a.go", "f(\"one\")\n", "one", `one\n`, false},
		{"old lines in a string", "a.py", "s = \"\"\"\none\ntwo\n\"\"\"\n", "s = \"\"\"\none\ntwo\n\"\"\"\n",
			`s = "one\ntwo\n"`, false},
		{"quotes as characters of HTML in a text with tags", "a.jsx", "<p a=\"b\">one</p>\n", "one",
			"one &quot;two&quot;", false},
		{"escaped quotes in lines that are added", "a.py", "x = \"a\"\n" + code, "    a()\n",
			"    a()\n    c(\\\"b\\\")\n", true},
		{"escaped quotes in a string in other quotes", "a.py", "x = \"a\"\n" + code, "    a()\n",
			"    a()\n    c('\\\"b\\\"')\n", false},
		{"an operator with a backslash", "a.js", "if (a != 1) {\n}\n", "if (a != 1) {\n", "if (b \\!= 1) {\n", true},
		{"a variable with a backslash", "a.sh", "a=$b\n", "a=$b\n", "a=\\$c\n", true},
		{"a variable with a backslash, and nothing else", "a.sh", "a=$b\n", "a=$b\n", "a=\\$b\n", false},
		{"quotes as characters of HTML in lines that are added", "a.py", "x = \"a\"\n" + code, "    a()\n",
			"    a()\n    c(&quot;b&quot;)\n", true},
		{"references in lines that are added", "a.rs", "fn f(a: &A) -> B {\n}\n", "}\n", "    g(&amp;a)\n}\n", true},
		{"references beside a sign", "a.rs", "fn f(a: &A) -> B {\n}\n", "}\n", "    a && h(&amp;a)\n}\n", false},
		{"references in a string", "a.rs", "fn f(a: &A) -> B {\n}\n", "}\n", "    h(\"&amp;a\")\n}\n", false},
		{"references in a file with tags", "a.tsx", "a && <b/>\n", "a", "c &amp; d", false},
		{"references in prose", "a.md", "a & b > c\n", "a", "c &amp; d", false},
		{"line breaks in a line and at its end", "a.py", code, "    a()\n", `    c()\n    d()\n` + "\n", true},
		{"a line break and another at the end", "a.py", code, "a()\n", `c()\nd()\n` + "\n", true},
		{"a line break alone at the end", "a.py", code, "a()\n", `c()\n` + "\n", false},
		{"a string of several lines", "a.rs", code, "a()",
			"help(\n    \"one\\n\\n\\\n     two\\n  \\\n     three\",\n)\n", false},
		{"a string of several lines in Python", "a.py", code, "a()", "s = '''\n  one  \\n  two\n'''\n", false},
		{"a line below a comment with an apostrophe", "a.py", code, "a()", "# don't\nif x:\\n    c()\n", true},
		{"a line below a mark that nothing closes", "a.py", code, "a()", "# 5\" wide\nif x:\\n    c()\n", true},
		{"a line below a string", "a.py", code, "a()", "s = 'one'\nx = 1\\n  y = 2\n", true},
		{"a comment", "a.py", code, "a()", `# ends in \n  and so on`, false},
		{"escaped quotes", "a.py", code, `x = "a"`, `x = \"b\"`, true},
		{"some escaped quotes", "a.py", code, `x = "a"`, `x = "b\"c"`, false},
		{"escaped quotes where the file has some", "a.c", code + `"\""`, `x = "a"`, `x = \"b\"`, true},
		{"escaped brackets", "a.ml", code, "f -> g < h", "f -&gt; h", true},
		{"escaped brackets where the file has one", "a.ml", code + "&gt;", "f -> g", "f -&gt; h", false},
		{"brackets that the edit only escapes", "a.jsx", code, "a > b", "a &gt; b", false},
		{"the old text has an escape", "a.py", code, `a(\n  b)`, `a(\n  c)`, false},
		{"a lambda", "a.hs", code, "a()", `map (\n -> n + 1)`, false},
		{"a command as a carriage return", "a.tex", code, "a()", "x = \right)", true},
		{"a command as a carriage return, in lines of Windows", "a.tex", "a\r\nb\r\n", "a", "x\r\n\right)\r\n", true},
		{"a command as a form feed, below one that is meant", "a.tex", code, "a()", "\f\n\frac{a}{b}", true},
		{"lines of Windows", "a.bat", code, "a()", "a()\r\nb()\r\n", false},
		{"commands", "a.sty", "\\begin{x}\n" + code, "a()", `\textbf{a}`, false},
		{"LaTeX", "a.tex", code, "a()", `\textbf{a}`, false},
		{"braces that were doubled", "a.vue", code, "<p>{{ name }}</p>\n<b>1</b>", "<p>{ name }</p>\n<b>2</b>", true},
		{"a brace that moves", "a.js", code, "f({a: {b}})\ng()", "f({a: {b}, c: 1})\nf({a: {b}\n  })", false},
		{"an accent as an escape", "a.py", code, "# café open\na()", "# caf\\u00e9 open\nb()", true},
		{"an escape that is none", "a.py", code, "# café open\na()", "# caf\\u00 open\nb()", false},
		{"escapes of Markdown", "a.md", code, "The a\\_b name.\none", "The a_b name.\ntwo", false},
		{"names that lose their underscores in prose", "a.md", code, "Call __init__ first.\none", "Call init first.\ntwo", true},
		{"references that are lost in a page", "a.html", code, "<p>one &lt; two</p>\n<p>1</p>",
			"<p>one < two</p>\n<p>2</p>", true},
		{"a name with fewer underscores", "a.py", code, "self.__cache = 1\na()", "self.cache = 1\nb()", false},
		{"a sign of a Makefile", "Makefile", code, "for f; do $$f; done\na", "for f; do $f; done\nb", true},
		{"emphasis that is lost", "a.py", code, "def __init__(self):\n    a()", "def init(self):\n    b()", true},
		{"curly quotes", "a.py", code, "x = 'one'\na()", "x = ‘one’\nb()", true},
		{"an address as a link", "a.py", code, "u = https://a.b/c\na()",
			"u = [https://a.b/c](https://a.b/c)\nb()", true},
		{"a link with a text", "a.md", code, "see https://a.b/c\na", "see [http it](https://a.b/c)\nb", false},
		{"an e-mail that a website hides", "a.toml", code, "by = joe@example.com\nn = 1",
			"by = [email protected]\nn = 2", true},
		{"curly quotes in prose", "a.md", code, "x is 'one'\na", "x is ‘one’\nb", false},
		{"arguments that are passed on", "a.rb", code, "def a(*args)\n  b(*args)\n", "def a(...)\n  c(...)\n", false},
		{"arguments that may be left out", "a.py", code, "x = a(one, two)\nb()", "x = a(...)\nc()", false},
		{"a text that ends in dots", "a.ts", code, "a(\"Loading data\")\nb()", "a(\"Loading...\")\nc()", false},
		{"a word that is cut", "a.py", code, "x = \"abcdefgh\"\nb()", "x = \"abcd...\"\nc()", true},
		{"a sentence that is cut", "a.md", code, "One two three four five.\na", "One two ... five.\nb", true},
		{"a name with more underscores", "a.py", code, "a.name = 1\nb()", "a.__name = 1\nc()", false},
		{"a name with fewer", "a.py", code, "if __name__ == x:\n  b()", "if name == x:\n  c()", true},
		{"a sign that is escaped now", "a.c", code, "f(\"100%\");\nb();", "f(\"100%%\");\nc();", false},
		{"an apostrophe", "a.tsx", code, "<p>You're in</p>\n<p>a</p>", "<p>You’re in</p>\n<p>b</p>", false},
		{"a value that is to be hidden", "a.env", code, "KEY=abcdef12\nn=1", "KEY=[REDACTED]\nn=2", false},
		{"nothing", "a.py", code, "a()", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := plan.Damaged(tt.old, tt.new, text.New([]byte(tt.file)), plan.WordsOf("").In(tt.path))
			if (p != nil) != tt.refused {
				t.Errorf("refused %t: %+v", p != nil, p)
			}
		})
	}
}

// A sign that stands in place of the first space of a line leaves an odd number of spaces.
func TestSignsInPlaceOfIndentation(t *testing.T) {
	const code = "def f():\n    a()\n    b()\n    if x:\n        c()\n"
	for _, tt := range []struct {
		name, path, format, file, new string
		refused                       bool
	}{
		{"a line", "a.py", "v4a", code, "    a()\n   d()\n", true},
		{"a hunk", "a.py", "unified", code, "    a()\n   d()\n", true},
		{"several lines", "a.py", "v4a", code, "    a()\n   if d:\n       e()\n", true},
		{"a blank line and one in the first column", "a.py", "v4a", code, "    a()\n\ng():\n   d()\n", true},
		{"a space behind the sign", "a.py", "v4a", code, "    a()\n     d()\n", true},
		{"other lines at full steps", "a.py", "v4a", code, "    a()\n    d(1,\n       2)\n", false},
		{"an argument below another one", "a.py", "v4a", code, "    a()\nxy = abc(1,\n         2)\n", false},
		{"the file has such lines", "a.py", "v4a", code + "   x\n", "    a()\n   d()\n", false},
		{"prose", "a.md", "v4a", code, "    a()\n   d()\n", false},
		{"a comment that goes on", "a.js", "v4a", code, "    a()\n/*\n * d\n */\n", false},
		{"not a patch", "a.py", "blocks", code, "    a()\n   d()\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := plan.Damaged("    a()\n", tt.new, text.New([]byte(tt.file)), plan.WordsOf(tt.format).In(tt.path))
			if (p != nil) != tt.refused {
				t.Errorf("refused %t: %+v", p != nil, p)
			}
		})
	}
}

func TestAFileInAFenceIsRefused(t *testing.T) {
	for path, refused := range map[string]bool{"a.py": true, "Makefile": true, "a.md": false, "README": false,
		"": false} {
		if p := plan.CheckContent(path, "```\nall:\n```\n", nil); (p != nil) != refused {
			t.Errorf("%s: %+v", path, p)
		}
	}
}

// E4: copies of old lines show that new text does not have the tabs or the spaces of the file.
func TestCopiesInOtherNotation(t *testing.T) {
	const code = "def f():\n    a(1)\n    b(2)\n    c(3)\n\nif x:\n    y()\n"
	const tabs = "func f() {\n\ta(1)\n\tb(2)\n}\n"
	for _, tt := range []struct {
		name, file, old, new string
		refused              bool
	}{
		{"a step deeper", code, "    a(1)\n    b(2)\n", "    if x:\n        a(1)\n        b(4)\n", false},
		{"the old text is not there to the letter", "def f():\n  a(1)\n  b(2)\n", "    a(1)\n    b(2)\n",
			"\ta(4)\n\tb(2)\n", false},
		{"spaces for tabs", tabs, "\ta(1)\n\tb(2)\n", "    a(1)\n    b(4)\n", true},
		{"spaces for tabs, and nothing else changes", tabs, "\ta(1)\n\tb(2)\n", "    a(1)\n    b(2)\n", false},
		{"tabs for spaces", code, "    a(1)\n    b(2)\n", "\ta(1)\n\tb(4)\n", true},
		{"spaces in a line of its own", tabs, "\ta(1)\n", "\ta(1)\n\t/*\n\t * d\n\t */\n", false},
		{"all of the file", tabs, tabs, strings.ReplaceAll(tabs, "\t", "    ") + "x()\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := plan.Damaged(tt.old, tt.new, text.New([]byte(tt.file)), plan.WordsOf("").In("a.js"))
			if (p != nil) != tt.refused {
				t.Errorf("refused %t: %+v", p != nil, p)
			}
		})
	}
}

// E4: a character that nobody sees.
func TestUnseenCharacters(t *testing.T) {
	for _, tt := range []struct {
		name, path, new string
		refused         bool
	}{
		{"in code", "a.go", "x\u200b := 1", true},
		{"in a comment, before a letter", "a.go", "// all \ufeffmethods", true},
		{"in a comment with a quote", "a.R", "#' all \u200bmethods", true},
		{"in a comment, before a sign", "a.go", "// x\u200b@", false},
		{"in prose, within a name", "a.md", "use n_\u2060distinct", true},
		{"in a string", "a.go", `a := "\ufeffhello"`, false},
		{"in a string, as it is", "a.go", "a := \"\ufeffhello\"", false},
		{"a no-break space in code", "a.go", "x :=\u00a01", true},
		{"a no-break space in code with a foreign string", "a.go", "x :=\u00a0\"été\"", true},
		{"a no-break space in a foreign text", "a.yml", "title: Ça va\u00a0?", false},
		{"a wide space in a foreign text", "a.tsx", "<p>名前\u3000入力</p>", false},
		{"a no-break space before a foreign text", "a.yml", "\u00a0\u00a0title: Ça va", true},
		{"a no-break space in a line above a foreign text", "a.yml", "x:\u00a01\ntitle: Ça va", true},
		{"a mention that notifies nobody", "a.md", "thanks, @\u200bdependabot", false},
		{"where a line may break", "a.md", "java.util.\u200bconcurrent", false},
		{"a soft hyphen", "a.md", "con\u00adcurrent", false},
		{"a mark of direction", "a.md", "להתקין את \u200ePython", false},
		{"behind a foreign letter", "a.md", "ติดตั้ง\u200bPython", false},
		{"in a file that has one", "b.md", "use n_\u2060distinct", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := "text\n"
			if tt.path == "b.md" {
				file = "te\u200bxt\n"
			}
			p := plan.Unseen(tt.new, &text.Typography{Text: text.New([]byte(file))}, plan.WordsOf("").In(tt.path))
			if (p != nil) != tt.refused {
				t.Errorf("refused %t: %+v", p != nil, p)
			}
		})
	}
}
