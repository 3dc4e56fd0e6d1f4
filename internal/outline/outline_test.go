package outline_test

import (
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/outline"
	"github.com/atomicedit/atomicedit/internal/text"
)

func TestDepth(t *testing.T) {
	for line, want := range map[string]int{"": 0, "x": 0, "  x": 2, "\tx": 8, "  \tx": 8, "\t  x": 10,
		"        \tx": 16, " \t \t": 16} {
		if got := outline.Depth(line); got != want {
			t.Errorf("%q: %d, want %d", line, got, want)
		}
	}
}

func TestIsComment(t *testing.T) {
	for line, want := range map[string]bool{
		"// Go": true, "\t# Python": true, "-- SQL": true, "/* C": true, " * C, on": true, "<!-- HTML": true,
		"; Lisp": true, "# A heading": true,
		"% TeX": true, "{/* JSX */}": true, "(* OCaml *)": false, "' Basic": false, "(*p)++": false,
		"x = 1 // behind code": false, "": false, "a - b": false, "<div>": false, `"# text"`: false,
	} {
		if got := outline.IsComment(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestComment(t *testing.T) {
	for _, c := range []struct {
		line, inner string
		is, only    bool
	}{
		{"// a", "a", true, true}, {"/* a */", "a", true, true}, {"/* a", "a", true, true},
		{"{/* a */}", "a", true, true}, {"%% a", "a", true, true},
		{"(* a *)", "a", true, false}, {"(* a", "(* a", false, false}, {"' a", "a", true, false},
		{"'a'", "'a'", false, false}, {"#", "", true, true},
		{"a // b", "a // b", false, false}, {"", "", false, false}, {"* a", "* a", false, false},
	} {
		if inner, is, only := outline.Comment(c.line); inner != c.inner || is != c.is || only != c.only {
			t.Errorf("%q: %q, %v, %v", c.line, inner, is, only)
		}
	}
}

func TestOpens(t *testing.T) {
	for line, want := range map[string]bool{
		"def f(x):": true, "def f(x):  # type: ignore": true, "func f() {  ": true, "call(": true, "x = 1": false,
		"}": false, "": false, "# note:": true,
	} {
		if got := outline.Opens(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func TestNeighbour(t *testing.T) {
	lines := []string{"a", "", " \t", "b"}
	for _, c := range []struct{ i, step, want int }{{0, 1, 3}, {3, -1, 0}, {3, 1, -1}, {0, -1, -1}, {-1, 1, 0}} {
		if got := outline.Neighbour(lines, c.i, c.step); got != c.want {
			t.Errorf("from %d by %d: %d, want %d", c.i, c.step, got, c.want)
		}
	}
}

func TestDocstring(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines string // of which the last is asked
		want  int
	}{
		{"one line", `"""Doc."""`, 0},
		{"several lines", "def f():\n    r\"\"\"Doc.\n\n    More.\n    \"\"\"", 1},
		{"single quotes", "'''Doc,\nand more.'''", 0},
		{"a string that is assigned", "x = \"\"\"\n  text\n\"\"\"", -1},
		{"no beginning", "text\n\"\"\"", -1},
		{"code", "return 1", -1},
	} {
		lines := strings.Split(c.lines, "\n")
		if got := outline.Docstring(lines, len(lines)-1); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestHeadingsSectionsAndEntries(t *testing.T) {
	for line, want := range map[string]int{"# A": 1, "### A": 3, "#A": 0, "##": 0, "A": 0, " # A": 0} {
		if got := outline.HeadingLevel([]byte(line)); got != want {
			t.Errorf("%q: heading of level %d, want %d", line, got, want)
		}
	}
	for line, want := range map[string]bool{"[core]": true, "[[package]]": true, `[remote "origin"]`: true,
		"[a, b]": false, "    [Obsolete]": false, "x[1]": false} {
		if got := outline.IsSection([]byte(line)); got != want {
			t.Errorf("%q: section %v", line, got)
		}
	}
	for line, want := range map[string]bool{"- a": true, "  -": true, "-a": false, "a: - b": false} {
		if got := outline.IsListEntry(line); got != want {
			t.Errorf("%q: entry %v", line, got)
		}
	}
	for line, want := range map[string]bool{"end": true, "return nil": true, "done;": true, "} else {": false,
		"else {": true, "return f(x), nil": false, "endpoint": false, "pass": true} {
		if got := outline.EndsScope(line); got != want {
			t.Errorf("%q: ends a scope: %v", line, got)
		}
	}
}

// The lines are those below a blank line.
func TestEntryDepth(t *testing.T) {
	for _, c := range []struct {
		name, above, lines string
		want               int
	}{
		{"an entry", "a:", "  - b", 2},
		{"a line in an entry", "a:\n  - b", "    c", 2},
		{"entries and what is in them", "a:", "  - b\n    c\n  - d", 2},
		{"lines in an outer entry", "- a:\n    - b", "  c:\n    - d", 0},
		{"the key above a list as deep as it", "a:", "  b:\n  - c", -1},
		{"below a list", "a:\n  - b", "  c", -1},
		{"no list", "a", "  b", -1},
		{"nothing", "- a", "", -1},
		{"far below an entry", "- a" + strings.Repeat("\n  b", 2000), "  c", -1},
	} {
		data := text.New([]byte(c.above + "\n\n" + c.lines))
		var lines []text.Line
		for l := data.LineAt(len(c.above) + 2); l.Real(); l = data.Below(l) {
			lines = append(lines, l)
		}
		if got := outline.EntryDepth(data, lines); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestHaveBracketsAlike(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"  b()\n}", "  b()\n}", true}, {"  b()\n}", "\n    b()\n\n  }", true}, {"  b()\n}", "  b()\n  }", false},
		{"  b()\n}", "b()\n}", false},
		{"{\n  b()\n}", "  {\n    b()\n  }", true}, {"b()\n}", "b()", false}, {"  }\n}", "  }\n}", true},
		{"  }\n}", "  }\n  }", false},
	} {
		if got := outline.HaveBracketsAlike(text.Split(c.a), text.Split(c.b)); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}

func TestHeaderOf(t *testing.T) {
	for _, c := range []struct {
		line, next string
		want       outline.Header
	}{
		{"void f() {", "a();", "}"}, {"[dev]", "host=a", "["}, {"# A", "", "#"}, {"# a comment", "x = 1", ""},
		{"## A", "text", "#"},
		{"def f():", "    x", ""}, {"}", "", ""},
	} {
		if got := outline.HeaderOf([]byte(c.line), []byte(c.next)); got != c.want {
			t.Errorf("%q above %q: %q, want %q", c.line, c.next, got, c.want)
		}
	}
}

// The scope of the first line ends above the line that is marked with "<".
func TestScopeEnd(t *testing.T) {
	for name, src := range map[string]string{
		"Python":                            "def f(x):\n    a\n\n    b\n<def g(x):\n    c\n",
		"Python, parameters on their lines": "def f(\n    x,\n) -> int:\n    a\n<def g():\n",
		"Python, a decorator below":         "def f():\n    a\n<@property\ndef g():\n",
		"Python, to the end":                "class A:\n    x = 1\n",
		"Go":                                "func f() {\n\ta()\n}\n\n<func g() {\n",
		"Go, a label and cases":             "func f() {\nloop:\n\tfor {\n\t}\n\tswitch {\n\tcase a:\n\t}\n}\n<func g() {\n",
		"Go, cases as deep as their switch": "\tswitch p {\n\tcase \"a\":\n\t\tx()\n\tcase \"b\":\n\t}\n<\treturn\n",
		"C, not indented":                   "void f() {\n<a();\n}\n",
		"C, directives":                     "int f() {\n#ifdef A\n\tx = 1;\n#endif\n}\n<int g() {\n",
		"JavaScript, a call":                "test('a', () => {\n  x\n})\n<test('b', () => {\n",
		"JavaScript, names of parameters":   "const f = ({\n\ta,\n}) => g({\n\ta,\n});\n\n<const h = ({\n\tb,\n}) => {};\n",
		"TypeScript, names of parameters":   "function f({\n\ta,\n}: Props): T {\n\tx();\n}\n\n<function g() {\n",
		"JavaScript, a chain of calls":      "f({\n\ta,\n<}).g({\n\ta,\n});\n",
		"JavaScript, an else":               "if (a) {\n\tb();\n<} else {\n\tc();\n}\n",
		"Ruby":                              "def a\n  one\n<end\n\ndef b\n",
		"settings":                          "[a]\nx = 1\n\ny = 2\n<[b]\n",
		"Markdown":                          "## A\n\ntext\n\n### B\n\n```sh\n# C\n```\n<## D\n",
		"a comment":                         "# Load it\n<# from the file.\nx = 1\n",
		"a dictionary":                      "CONFIG = {\n    'a': 1,\n}\n\n<class F:\n",
	} {
		t.Run(name, func(t *testing.T) {
			before, after, marked := strings.Cut(src, "<")
			data := text.New([]byte(before + after))
			want := len(before)
			if !marked {
				want = len(data.Data)
			}
			if got := outline.ScopeEnd(data, data.LineAt(0)); got != want {
				t.Errorf("ends above %q, want above %q", data.Data[got:], data.Data[want:])
			}
		})
	}
}

// The gap is between the first line and the last.
func TestGapsLeaveScopes(t *testing.T) {
	for _, c := range []struct {
		name, src       string
		opened, leaving bool
	}{
		{"one function", "def f():\n    a\n    b\n", true, false},
		{"into the next function", "def f():\n    a\ndef g():\n    b\n", true, true},
		{"one level", "    a\n    b\n    c\n", false, false},
		{"further out in between", "    a\nb\n    c\n", false, true},
		{"braces closed", "f {\na\n}\nb\n", true, true},
		{"a label", "\tf {\nout:\n\t\tb\n", true, false},
		{"the next section", "a\n[dev]\nb\n", false, true},
		{"the next heading", "## A\na\n## B\nb\n", true, true},
	} {
		x := text.New([]byte(c.src))
		upper, lower := x.LineAt(0), x.LineBefore(len(x.Data))
		opens, leaves := outline.OpensScope(x, upper, lower), outline.ScopeLeft(x, upper, lower) != lower
		if opens != c.opened || leaves != c.leaving {
			t.Errorf("%s: opened %v, leaves its scope %v", c.name, opens, leaves)
		}
	}
}

func TestCommonestStep(t *testing.T) {
	for src, want := range map[string]string{
		"a\n\tb\n\t\tc\n": "\t", "a\n  b\n    c\n  d\n": "  ", "a\nb\n": "", "": "", "a\r  b\r    c\r": "  ",
		"a\n\n    b\n": "    ",
		"a\n b\n  c\nd\n   e\nf\n    g\nh\n     i\n": " ",
		"a\n b\nc\n  d\ne\n   f\ng\n\th\n":           "", // none is common enough
		"a\n    b\n  \t\n        c\n":                "    ",
	} {
		if got, _ := outline.CommonestStep(text.New([]byte(src))); got != want {
			t.Errorf("%q: %q, want %q", src, got, want)
		}
	}
}
