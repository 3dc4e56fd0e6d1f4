package place_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit/internal/errs"
	"github.com/atomicedit/atomicedit/internal/place"
	"github.com/atomicedit/atomicedit/internal/plan"
	"github.com/atomicedit/atomicedit/internal/text"
)

// A sharedCase is an edit, or several, and the text that they lead to, or the error.
type sharedCase struct {
	name, file string
	edits      []place.Edit
	want       string
	err        error
}

func runShared(t *testing.T, cases []sharedCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			res, problems := place.Apply([]byte(c.file), text.EncodingOf([]byte(c.file)), c.edits, place.Drift,
				plan.WordsOf(""))
			switch {
			case c.err == nil && len(problems) > 0:
				t.Errorf("refused: %s", problems[0].Msg)
			case c.err == nil && string(res.Text) != c.want:
				t.Errorf("got %+q, want %+q", res.Text, c.want)
			case c.err != nil && (len(problems) == 0 || !errors.Is(problems[0].Err, c.err)):
				t.Errorf("got %q, %v, want %v", res.Text, problems, c.err)
			}
		})
	}
}

func edit(old, new string) []place.Edit { return []place.Edit{{Old: old, New: new}} }

// N3: marks of a patch are taken off both texts, or the edit is refused.
func TestMarksOfAPatch(t *testing.T) {
	const file = "def f():\n    a()\n\n    b()\n"
	runShared(t, []sharedCase{
		{"an insertion", file, edit("     a()\n \n     b()\n", "     a()\n+    new()\n \n     b()\n"),
			"def f():\n    a()\n    new()\n\n    b()\n", nil},
		{"a replacement", file, edit("     a()\n \n-    b()\n", "     a()\n \n+    c()\n"),
			"def f():\n    a()\n\n    c()\n", nil},
		{"blank lines alone tell", file, edit("     a()\n \n     b()\n", "     a()\n \n     c()\n \n     d()\n"),
			"def f():\n    a()\n\n    c()\n\n    d()\n", nil},
		{"the new text of a patch", file, edit("     a()\n \n     b()\n", "     a()\n \n-    b()\n+    c()\n"), "",
			errs.ErrNotFound},
		{"the new text has no marks", file, edit("     a()\n \n-    b()\n", "    a()\n\n    c()\n"), "",
			errs.ErrNotFound},
		{"a list", "- a\n- b\n", edit("- a\n- b\n", "- a\n- c\n"), "- a\n- c\n", nil},
		{"a list and lines like it", "- a\n a\n", []place.Edit{{Old: "- a\n", New: "- c\n", Count: plan.All,
			WholeLines: true}},
			"- c\n a\n", nil},
		{"blank lines tell of the old text alone", file, edit("     a()\n \n     b()\n", "    c()\n\n    d()\n"),
			"", errs.ErrNotFound},
		{"a context line differs", file, edit("     a()\n \n-    b()\n", "    a()\n \n+    c()\n"), "",
			errs.ErrNotFound},
		{"behind line numbers", file, edit("2|-    a()\n3| \n4|     b()\n", "2|+    n()\n3| \n4|     b()\n"),
			"def f():\n    n()\n\n    b()\n", nil},
		{"like the space of line numbers", file, edit("2|     a()\n3| \n4|     b()\n",
			"2|     a()\n3|+    n()\n4| \n5|     b()\n"),
			"", errs.ErrNotFound},
		{"sent again", "a1 :=\nc()\n\n    a1 :=\n    b()\n", edit(" a1 :=\n-b()\n", " a1 :=\n+c()\n"), "",
			errs.ErrApplied},
		{"a space of indentation", "if x {\n    aaa()\n    bbb()\n", edit(" aaa()\n bbb()\n",
			" aaa()\n+new()\n bbb()\n"), "", errs.ErrNotFound},
		{"a blank old line", "\n", edit("\n", "+a\n"), "+a\n", nil},
		{"no context", "a()\n", edit("-a()\n", "+b()\n"), "b()\n", nil},
		{"a space is no mark", "total = 1\nif y:\n    total = 1\n", []place.Edit{{Old: " total = 1\n",
			New: " total = 2\n", WholeLines: true}},
			"", errs.ErrAmbiguous},
	})
}

// N1: new lines have the Unicode composition of the file.
func TestAnotherComposition(t *testing.T) {
	const one, several = "caf\u00e9", "cafe\u0301"
	runShared(t, []sharedCase{
		{"a decomposed file", "x = " + several + "\n", edit("x = "+one, "x = "+one+"s"), "x = " + several + "s\n", nil},
		{"a composed file", "x = " + one + "\n", edit("x = "+several, "x = "+several+"s"), "x = " + one + "s\n", nil},
		{"a new line", several + "\n", edit(one+"\n", one+"\nth\u00e9\n"), several + "\nthe\u0301\n", nil},
		{"an exact fit", one + "\n", edit(one, several), several + "\n", nil},
		{"both in the file", one + "\n" + several + "\n", edit(one+"\n"+one+"\n", one+"\nth\u00e9\n"), "",
			errs.ErrNotFound},
		{"both in the file, a new line without", one + "\n" + several + "\n", edit(one+"\n"+one+"\n", one+"\ntea\n"),
			one + "\ntea\n", nil},
	})
}

// N1: characters without width stay in lines that the edit keeps, and where old and new line agree.
func TestCharactersWithoutWidth(t *testing.T) {
	runShared(t, []sharedCase{
		{"in the file", "a\u2060b, here\n", edit("ab, here", "ab, there"), "a\u2060b, there\n", nil},
		{"in a kept line", "a\u2060b\nc\n", edit("ab\nc\n", "ab\nd\n"), "a\u2060b\nd\n", nil},
		{"in the request", "ab, here\n", edit("a\u200bb, here", "a\u200bb, there"), "ab, there\n", nil},
		{"in front of the old text", "one\n", edit("\ufeffone\n", "\ufefftwo\n"), "two\n", nil},
		{"a variation selector", "\u2714 one\n", edit("\u2714\ufe0f one", "\u2714\ufe0f two"), "\u2714 two\n", nil},
		{"the subject", "ab\n", edit("a\u200bb\n", "ab\n"), "", errs.ErrNotFound},
	})
}

// P3: a string that ends, or begins, within a line.
func TestPartsOfLines(t *testing.T) {
	const file = "f() {\n    a(1);\n    b(2);\n}\n"
	runShared(t, []sharedCase{
		{"a line behind a semicolon", file, edit("a(1)", "a(1)\n    c(3)"), "", errs.ErrNotFound},
		{"a line that goes on", file, edit("a(1)", "a(1)\n    .c(3)"),
			strings.Replace(file, "a(1)", "a(1)\n    .c(3)", 1), nil},
		{"a clause", "q = a\n    WHERE b;\n", edit("WHERE b", "WHERE b\n    AND c"), "q = a\n    WHERE b\n    AND c;\n",
			nil},
		{"a deeper line", file, edit("a(1)", "a(1)\n        and c"),
			strings.Replace(file, "a(1)", "a(1)\n        and c", 1), nil},
		{"indented twice, of several lines", file, edit("a(1);\n    b(2);", "    a(1);\n    c(2);"), "",
			errs.ErrNotFound},
		{"indented twice, to several lines", file, edit("a(1);", "    a(1);\n    c(2);"), "", errs.ErrNotFound},
		{"indented", file, edit("a(1);", "    a(1);"), strings.Replace(file, "a(1);", "    a(1);", 1), nil},
	})
}

// N2: new text with the numbers of old lines in front of some of its lines alone keeps them in no reading.
func TestNumbersInFrontOfSomeNewLines(t *testing.T) {
	runShared(t, []sharedCase{
		{"of a context line", "one\ntwo\nthree\n",
			[]place.Edit{{Old: "1: one\n2: two\n3: three\n", New: "one\n2\n3: three\n",
				WholeLines: true}}, "", errs.ErrNotFound},
		{"of none", "one\ntwo\nthree\n", []place.Edit{{Old: "1: one\n2: two\n3: three\n", New: "one\n2\nthree\n",
			WholeLines: true}}, "one\n2\nthree\n", nil},
	})
}

// I5: nothing indents new text that has lost its indentation where the old text is as the file has it.
func TestARangeWhoseNewTextResemblesOtherLines(t *testing.T) {
	const file = "import os\nretries = 3\ntimeout_ms = 20\nverbose = load(path)\n\nrun_all(tasks, limit)\n# the end of it\n"
	lines := func(first, last int, new string) place.Edit {
		return place.Edit{First: first, Last: last, New: new, WholeLines: true}
	}
	is := func(name string, want string, edits ...place.Edit) sharedCase {
		if want == "" {
			return sharedCase{name, file, edits, "", fs.ErrInvalid}
		}
		return sharedCase{name, file, edits, want, nil}
	}
	const loads, runs = "verbose = load(file)\n", "run_all(tasks, max_limit)\n"
	runShared(t, []sharedCase{
		is("one line above", "", lines(3, 3, loads)),
		is("three lines below", "", lines(7, 7, loads)),
		is("five lines above", "", lines(1, 1, runs)),
		is("six lines above", strings.Replace(file, "import os\n", "# the start of it\n", 1),
			lines(1, 1, "# the start of it\n")),
		is("several lines", "", lines(2, 3, "timeout_ms = 20 + 5\n"+loads)),
		is("several lines, and one more between them", "", lines(1, 2, "timeout_ms = 25\ncheck(all)\n"+loads)),
		is("the line itself", strings.Replace(file, "load(path)", "load(file)", 1), lines(4, 4, loads)),
		is("with the lines it resembles", strings.Replace(file, "timeout_ms = 20\n", loads, 1),
			lines(3, 4, loads+"verbose = load(path)\n")),
		is("another edit takes those lines away",
			"import os\nretries = 3\n"+loads+"\nrun_all(tasks, limit)\n# the end of it\n",
			lines(3, 3, loads), lines(4, 4, "")),
		is("the lines of the range in another order", strings.Replace(file, "retries = 3\ntimeout_ms = 20\n"+
			"verbose = load(path)\n", "verbose = load(path)\nretries = 3\ntimeout_ms = 20\n", 1),
			lines(2, 4, "verbose = load(path)\nretries = 3\ntimeout_ms = 20\n")),
		is("a few letters", strings.Replace(file, "retries", "a", 1), lines(2, 2, "a = 3\n")),
		is("no other line", strings.Replace(file, "retries = 3", "setup(everything)", 1),
			lines(2, 2, "setup(everything)\n")),
	})
}

// J8: a range that takes along what its new text has to have.
func TestARangeThatTakesAlongAFenceOrAnAttribute(t *testing.T) {
	const fenced = "```js\nif (a) {\n  b()\n}\n```\n\ntext\n"
	const method = "@Override\nint f() {\n  a();\n}\n"
	lines := func(first, last int, new string) []place.Edit {
		return []place.Edit{{First: first, Last: last, New: new, WholeLines: true}}
	}
	runShared(t, []sharedCase{
		{"a fence, beside a bracket that the new text has", fenced, lines(4, 5, "}\n"), "", fs.ErrInvalid},
		{"a bracket that the new text has", fenced, lines(3, 4, "  c()\n}\n"), strings.Replace(fenced, "b()", "c()", 1), nil},
		{"the word that ends the body of the other lines", "class A\n  def f\n    check(a)\n    run(b)\n  end\nend\n",
			lines(4, 5, "    run(everything)\n"), "", fs.ErrInvalid},
		{"the attribute of a line that stays", method, lines(1, 3, "int f() {\n  b();\n"), "", fs.ErrInvalid},
		{"the attribute alone", method, lines(1, 1, ""), method[len("@Override\n"):], nil},
		{"the attribute alone, by the lines below it", method, lines(1, 2, "int f() {\n"), method[len("@Override\n"):], nil},
		{"the attribute, which the request shows", method, []place.Edit{{First: 1, Last: 3, New: "int f() {\n  b();\n",
			Tags: []plan.Tag{{Line: 1, Text: "@Override"}}}}, "int f() {\n  b();\n}\n", nil},
		{"a rule of CSS, which is no attribute", "@media print {\n  p { x: y }\n}\n", lines(1, 3, "  p { x: y }\n"),
			"  p { x: y }\n", nil},
		{"an attribute that has another in its place", method, lines(1, 2, "@Other\nint f() {\n"),
			strings.Replace(method, "Override", "Other", 1), nil},
	})
}

// J8: a range that takes along the blank line below a block.
func TestARangeThatEndsWithTheBlankLineBelowABlock(t *testing.T) {
	const file = "class A:\n    def f(self):\n        a()\n\n    def g(self):\n        b()\n\n        c()\n"
	lines := func(first, last int, new string) place.Edit {
		return place.Edit{First: first, Last: last, New: new, WholeLines: true}
	}
	const braces = "func f() {\n\ta()\n}\n\nfunc g() {\n\tb()\n\n}\n"
	runShared(t, []sharedCase{
		{"above a line that is less deep", file, []place.Edit{lines(3, 4, "        x()\n")}, "", fs.ErrInvalid},
		{"which stays", file, []place.Edit{lines(3, 4, "        x()\n\n")},
			strings.Replace(file, "a()", "x()", 1), nil},
		{"which another edit adds", file, []place.Edit{lines(3, 4, "        x()\n"), lines(5, 0, "\n    # g\n")},
			strings.Replace(file, "a()\n\n", "x()\n\n    # g\n", 1), nil},
		{"within a block", file, []place.Edit{lines(6, 7, "        x()\n")},
			strings.Replace(file, "b()\n\n", "x()\n", 1), nil},
		{"alone", file, []place.Edit{lines(4, 4, "        x()\n")}, strings.Replace(file, "a()\n", "a()\n        x()", 1), nil},
		{"alone, by text that begins with one", braces, []place.Edit{lines(4, 4, "\nfunc h() {\n\tc()\n}\n")}, "", fs.ErrInvalid},
		{"below a bracket", braces, []place.Edit{lines(2, 4, "\tx()\n}\n")}, "", fs.ErrInvalid},
		{"above a bracket", braces, []place.Edit{lines(6, 7, "\tx()\n")}, strings.Replace(braces, "b()\n\n", "x()\n", 1), nil},
	})
}

// J8: a range that leaves the line that its new text has in other words.
func TestARangeThatIsALineShort(t *testing.T) {
	const file = "def f():\n    handle = open(name)\n    return parse_all(data, path, strict)\n\ndef g():\n    pass\n"
	const data, parse = "    handle = open(name, mode)\n", "    return parse_all(data, path, strict, mode)\n"
	lines := func(first, last int, new string) place.Edit {
		return place.Edit{First: first, Last: last, New: new, WholeLines: true}
	}
	runShared(t, []sharedCase{
		{"at its end", file, []place.Edit{lines(2, 2, data+parse)}, "", fs.ErrInvalid},
		{"at its beginning", file, []place.Edit{lines(3, 3, data+parse)}, "", fs.ErrInvalid},
		{"at its end, to the letter", "debug = 1\nhandle = open(name)\n", []place.Edit{lines(1, 1, "handle = open(name)\nclose(all)\n")},
			"", fs.ErrInvalid},
		{"at its beginning, to the letter", "handle = open(name)\ndebug = 1\n", []place.Edit{lines(2, 2, "close(all)\nhandle = open(name)\n")},
			"", fs.ErrInvalid},
		{"a line that the file has more often", "debug = 1\nhandle = open(name)\nx()\nhandle = open(name)\n",
			[]place.Edit{lines(1, 1, "handle = open(name)\nclose(all)\n")},
			"handle = open(name)\nclose(all)\nhandle = open(name)\nx()\nhandle = open(name)\n", nil},
		{"all of it", file, []place.Edit{lines(2, 3, data+parse)}, "def f():\n" + data + parse + "\ndef g():\n    pass\n", nil},
		{"another edit takes the line away", file, []place.Edit{lines(2, 2, data+parse), lines(3, 3, "")},
			"def f():\n" + data + parse + "\ndef g():\n    pass\n", nil},
		{"another line", file, []place.Edit{lines(2, 2, data+"    check(data)\n")},
			strings.Replace(file, "    handle = open(name)\n", data+"    check(data)\n", 1), nil},
	})
}

// J8: two edits that have each other's new text.
func TestEditsThatHaveEachOthersNewText(t *testing.T) {
	const file = "width = load(path)\nheight = store(name)\nend\n"
	const width, height = "width = load(path, 1)\n", "height = store(name, 1)\n"
	lines := func(no int, new string) place.Edit {
		return place.Edit{First: no, Last: no, New: new, WholeLines: true}
	}
	texts := func(old, new string) place.Edit { return place.Edit{Old: old, New: new} }
	runShared(t, []sharedCase{
		{"by their numbers", file, []place.Edit{lines(1, height), lines(2, width)}, "", fs.ErrInvalid},
		{"by their texts", file, []place.Edit{texts("width = load(path)\n", height), texts("height = store(name)\n", width)}, "",
			fs.ErrInvalid},
		{"their own", file, []place.Edit{lines(1, width), lines(2, height)}, width + height + "end\n", nil},
		{"an exchange of entries", "{\n  \"zeta\": 1,\n  \"alpha\": 2\n}\n", []place.Edit{lines(2, "  \"alpha\": 2,\n"),
			lines(3, "  \"zeta\": 1\n")}, "{\n  \"alpha\": 2,\n  \"zeta\": 1\n}\n", nil},
		{"long texts with a short word", "def notice(a)\n  a\ndef fix(b)\n  b\n", []place.Edit{
			lines(1, "def repair_all_of_it(a, b)\n"), lines(3, "def notice_nothing_else(a)\n")},
			"def repair_all_of_it(a, b)\n  a\ndef notice_nothing_else(a)\n  b\n", nil},
		{"an exchange", file, []place.Edit{lines(1, "height = store(name)\n"), lines(2, "width = load(path)\n")},
			"height = store(name)\nwidth = load(path)\nend\n", nil},
		{"one of them", file, []place.Edit{lines(1, height), lines(2, "depth = 1\n")}, height + "depth = 1\nend\n", nil},
	})
}

// P3, J8: strings that end within their lines, and a block that is sent twice, none of whose lines has a word.
func TestStringsAndTheRestOfTheirLines(t *testing.T) {
	runShared(t, []sharedCase{
		{"within a word", "import osmosis\n", edit("import os", "import os\nimport sys"), "", errs.ErrNotFound},
		{"within a word, to break it", "sunflower\n", edit("sun", "sun\n"), "sun\nflower\n", nil},
		{"before its arguments", "x = foo(a, b)\n", edit("x = foo", "x = foo\ny = 1"), "", errs.ErrNotFound},
		{"before a name in it", "import os.path\n", edit("import os", "import os\nimport sys"), "", errs.ErrNotFound},
		{"before a call that goes on", "  run()\n    .end()\n", edit("run()", "run()\n    .more()"), "  run()\n    .more()\n    .end()\n", nil},
		{"before a call in its line", "  x.run().end()\n", edit("x.run()", "x.run()\n    .more()"), "  x.run()\n    .more().end()\n", nil},
		{"a short block twice", "a {\nb\n}\n", edit("a {\nb\n}\n", "a {\nb\n}\na {\nb\n}\nc\n"), "", errs.ErrApplied},
	})
}

// I6: lines that a number puts between two lines that belong together.
func TestLinesAreNotPutBetweenLinesThatBelongTogether(t *testing.T) {
	const file = "// f frees x.\nvoid f(int x) {\n    free(x);\n    done();\n}\n\n@Test\nvoid h() { run(); }\n"
	above := func(line int, new string) []place.Edit {
		return []place.Edit{{First: line, New: new, WholeLines: true}}
	}
	is := func(name string, line int, new string, err error) sharedCase {
		lines := strings.SplitAfter(file, "\n")
		want := strings.Join(slices.Insert(lines, line-1, new), "")
		if err != nil {
			want = ""
		}
		return sharedCase{name, file, above(line, new), want, err}
	}
	const g = "void g(int x) {\n    run();\n}\n"
	runShared(t, []sharedCase{
		is("a comment and its function", 2, g+"\n", fs.ErrInvalid),
		is("an attribute and its function", 8, g+"\n", fs.ErrInvalid),
		is("a block and a blank line, above the blank line below another", 6, g+"\n", fs.ErrInvalid),
		is("a block above the blank line below another", 6, "\n"+g, nil),
		{"a block and a blank line, deeper than a line that is no head", "a = 1\n\nb = 2\n", above(2, "  if all:\n    check(a)\n\n"),
			"", fs.ErrInvalid},
		{"a block and a blank line, below the head that it is in", "class A {\n\n  int x;\n}\n",
			above(2, "  int f() {\n    return x;\n  }\n\n"), "class A {\n  int f() {\n    return x;\n  }\n\n\n  int x;\n}\n", nil},
		is("a comment of nothing", 6, "// Nothing is below.\n\n", nil),
		{"an attribute and its function, right above that", "@Test(1)\nvoid h() {\n}\n", above(2, g), "", fs.ErrInvalid},
		{"a variable and a call with a block", "@users = User.where(active)\nrender(:index) {\n}\n", above(2, g),
			"@users = User.where(active)\n" + g + "render(:index) {\n}\n", nil},
		is("an attribute and its function, by another with one", 8, "@Test\n"+g+"\n", fs.ErrInvalid),
		is("one more attribute", 8, "@SlowTest\n", nil),
		is("one more attribute, in several lines", 8, "@SlowTest(\n    MAC\n)\n", nil),
		{"two headings", "# Title\n## Usage\n\ntext\n", above(2, "This project does things.\n"),
			"# Title\nThis project does things.\n## Usage\n\ntext\n", nil},
		{"a variable with a sign and a call", "def f(a)\n  @a = a\n  check(a)\nend\n", above(3, "  if a.nil?\n    raise Error\n  end\n"),
			"def f(a)\n  @a = a\n  if a.nil?\n    raise Error\n  end\n  check(a)\nend\n", nil},
		{"the beginning of a comment and its text", "/**\n * Frees x.\n */\nf();\n", above(2, "const all = everything()\n\n"),
			"", fs.ErrInvalid},
		{"the beginning of a comment and its text, by another", "/**\n * Frees x.\n */\nf();\n", above(2, "/**\n * Runs.\n */\nrun();\n"),
			"", fs.ErrInvalid},
		{"the text of a comment and its end", "/**\n * Frees x.\n */\nf();\n", above(3, "const all = everything()\n\n"),
			"", fs.ErrInvalid},
		{"two entries of a list", "* Frees x.\n* Keeps y.\n", above(2, "  Not everything else.\n"),
			"* Frees x.\n  Not everything else.\n* Keeps y.\n", nil},
		{"the text of a comment and its end, by more text", "/**\n * Frees x.\n */\nf();\n", above(3, " * Everything else stays.\n"),
			"/**\n * Frees x.\n * Everything else stays.\n */\nf();\n", nil},
		{"a comment and its function, by another with one", "/**\n * Frees x.\n */\nvoid f();\n",
			above(4, "/**\n * Runs.\n */\nvoid g() {\n  run();\n}\n\n"), "", fs.ErrInvalid},
		{"a comment and its function, by a blank line and another comment", "/** Frees x. */\nvoid f();\n",
			above(2, "\n/** Runs everything. */\nvoid g();\n"), "", fs.ErrInvalid},
		{"a comment and its function, which would have the comment below it again", "f();\n// about the rest\ng();\n",
			above(3, "check(all);\n// about the rest\n"), "", errs.ErrApplied},
		{"two lines of a comment", "/// It has one\n/// width.\nvoid f();\n",
			above(2, "/// It runs every test.\nvoid h();\n"), "", fs.ErrInvalid},
		{"two lines of a comment, by a third", "/// It has one\n/// width.\nvoid f();\n", above(2, "/// and only one\n"),
			"/// It has one\n/// and only one\n/// width.\nvoid f();\n", nil},
		is("more of the comment", 2, "// It has\n//   no result.\n\n", nil),
		is("another function with a comment", 1, "// g runs.\n"+g+"\n", nil),
		is("a head and its body", 3, g, fs.ErrInvalid),
		is("a head and its body, after a blank line", 3, "\n"+g, fs.ErrInvalid),
		is("the beginning of the body", 3, "    check(x);\n", nil),
		is("a head and its body, and a comment", 3, "// It is freed once.\n", fs.ErrInvalid),
		is("a head and its body, and a directive", 3, "#ifdef DEBUG_IT\n", nil),
		is("a label", 3, "retry:\n", nil),
		is("the end of a body", 5, g, fs.ErrInvalid),
		is("the end of a body, as deep as that", 5, "    check(x);\n", nil),
		is("a branch", 5, "} else {\n    check(x);\n", nil),
		is("deeper, though nothing opens a block", 4, "        check(every);\n", fs.ErrInvalid),
		is("deeper, with a sign that goes on", 4, "        .check(x);\n", nil),
		is("the line above again", 5, "    done();\n    check(every);\n", nil),
		is("the line above again, which says something", 4, "    free(x);\n    check(x);\n", nil),
		{"several lines above again", "use one;\nuse two;\n\nend\n", above(3, "use one;\nuse two;\nuse it;\n"), "", errs.ErrApplied},
		{"the heads of two lines below again", "a = 1\nrun:\n  it: yes\n", above(2, "to:\n  it: no\nrun:\n"), "", errs.ErrApplied},
		{"the line above again and a blank line", "package main\n\nimport \"fmt\"\n", above(2, "package main\n\n"), "", errs.ErrApplied},
		{"a block that ends as the one below", "a: {\n  k: string;\n}\n", above(2, "  b: {\n  k: string;\n}\n"),
			"a: {\n  b: {\n  k: string;\n}\n  k: string;\n}\n", nil},
		{"lines at the end again", "use one;\nuse two;\n",
			[]place.Edit{{AtEnd: true, New: "use one;\nuse two;\nuse three;\n", WholeLines: true, Hunk: "+use one;\n"}}, "",
			errs.ErrApplied},
		is("a sign that the line above, which is indented, begins with", 4, ".check(all);\n    x();\n", nil),
		is("between functions", 6, "\n"+g, nil),
		is("at the top", 1, "        int x;\n", nil),
		is("the end of one body and the head of the next", 4, "}\n\nvoid k() {\n", nil),
	})
}

func TestFencesPairAsBracketsDo(t *testing.T) {
	const file = "# A\n\n```bash\nrun\n```\n\n```bash\nstop\n```\n"
	is := func(name string, first, last int, new, want string) sharedCase {
		c := sharedCase{name, file, []place.Edit{{First: first, Last: last, New: new, WholeLines: true}}, want, nil}
		if want == "" {
			c.err = fs.ErrInvalid
		}
		return c
	}
	twice := is("the end is below already", 3, 4, "```sh\nrun now\n```\n", "")
	twice.err = errs.ErrApplied
	runShared(t, []sharedCase{
		twice,
		{"the same of another kind", strings.ReplaceAll(file, "```", "~~~"),
			[]place.Edit{{First: 3, Last: 4, New: "~~~\nrun now\n~~~\n",
				WholeLines: true}}, "", errs.ErrApplied},
		is("an end that is taken away", 4, 5, "run now\n", ""),
		is("all of a fence", 3, 5, "run now\n", "# A\n\nrun now\n\n```bash\nstop\n```\n"),
		is("the beginning is changed", 3, 4, "```sh\nrun now\n", "# A\n\n```sh\nrun now\n```\n\n```bash\nstop\n```\n"),
	})
}

func TestAHeadIsNotTakenFromItsBody(t *testing.T) {
	const file = "def f():\n    if a:\n        first()\n    if b:\n        second()\n"
	const head, body = "    if b:\n", "        second()\n"
	lines := func(old, new string) place.Edit { return place.Edit{Old: old, New: new, WholeLines: true} }
	byNumber := place.Edit{First: 4, Last: 4, WholeLines: true}
	runShared(t, []sharedCase{
		{"it is deleted", file, []place.Edit{lines(head, "")}, "", fs.ErrInvalid},
		{"it is deleted by its number", file, []place.Edit{byNumber}, "", fs.ErrInvalid},
		{"it is a line of the body above", file, []place.Edit{lines(head, "        third()\n")}, "", fs.ErrInvalid},
		{"it is another", file, []place.Edit{lines(head, "    while b:\n")},
			strings.Replace(file, "if b", "while b", 1), nil},
		{"the body goes too", file, []place.Edit{lines(head+body, "")}, "def f():\n    if a:\n        first()\n", nil},
		{"another edit has the body", file, []place.Edit{lines(head, ""), lines(body, "    second()\n")},
			"def f():\n    if a:\n        first()\n    second()\n", nil},
		{"its body and the end of that stay", "f {\n  a\n}\n", []place.Edit{lines("f {\n  a\n}\n", "  b\n}\n")}, "", fs.ErrInvalid},
		{"its body and the end of that stay, below a line", "a\nf {\n  b\n}\n",
			[]place.Edit{lines("a\nf {\n  b\n}\n", "a\n  c\n}\n")}, "", fs.ErrInvalid},
		{"its body and the end of that stay, and another edit is far away", "f {\n  a\n}\nb\nc\n",
			[]place.Edit{lines("f {\n  a\n}\n", "  b\n}\n"), lines("c\n", "d\n")}, "", fs.ErrInvalid},
		{"another edit has it further up", "b\nc\nf {\n  a\n}\n",
			[]place.Edit{lines("b\n", "f {\n  b\n"), lines("f {\n  a\n}\n", "  a\n}\n")}, "f {\n  b\nc\n  a\n}\n", nil},
		{"a label", "f {\nLoop:\n  for {\n    break Loop\n  }\n}\n",
			[]place.Edit{lines("Loop:\n  for {\n    break Loop\n  }\n}\n", "  for {\n    break\n  }\n}\n")},
			"f {\n  for {\n    break\n  }\n}\n", nil},
		{"its own end goes, and another stays", "<p>\n{ok && (\n  <b/>\n)}\n</p>\n",
			[]place.Edit{lines("{ok && (\n  <b/>\n)}\n</p>\n", "  <b/>\n</p>\n")}, "<p>\n  <b/>\n</p>\n", nil},
		{"its body and the end of that stay in a branch", "if a\n  b\nelse\n  c\nend\n",
			[]place.Edit{lines("else\n  c\nend\n", "  c\n  d\nend\n")}, "if a\n  b\n  c\n  d\nend\n", nil},
		{"the end of a body above goes, too", "f {\n  a\n}\n\ng {\n  b\n}\n",
			[]place.Edit{lines("}\n\ng {\n  b\n}\n", "  b\n}\n")}, "f {\n  a\n  b\n}\n", nil},
		{"it is deeper now", "f {\n  a\n}\nx {\n  y\n}\n", []place.Edit{lines("x {\n  y\n}\n", "  x {\n    y\n  }\n}\n")},
			"f {\n  a\n}\n  x {\n    y\n  }\n}\n", nil},
		{"its body stays in another", "f {\n  g {\n    a\n  }\n}\n",
			[]place.Edit{lines("  g {\n    a\n  }\n", "  a\n  b\n")}, "f {\n  a\n  b\n}\n", nil},
		{"another edit has the end", "f {\n  a\n}\n", []place.Edit{lines("f {\n", ""), lines("  a\n}\n", "a\n")},
			"a\n", nil},
		{"nothing above is as deep", "a:\n  b:\n    c: 1\n", []place.Edit{lines("  b:\n", "")}, "a:\n    c: 1\n", nil},
	})
}

func TestNewTextThatMovesTheLinesItKeeps(t *testing.T) {
	const file = "class A:\n    def f(self):\n        first_step(1)\n        second(2)\n        third_step(3)\n"
	const head, both, third = "    def f(self):\n", "        first_step(1)\n        second(2)\n",
		"        third_step(3)\n"
	const deeper = "            first_step(1)\n            second(4)\n"
	lines := func(old, new string) place.Edit { return place.Edit{Old: old, New: new, WholeLines: true} }
	byNumbers := func(first, last int, new string) place.Edit {
		return place.Edit{First: first, Last: last, New: new, WholeLines: true}
	}
	is := func(name string, want string, edits ...place.Edit) sharedCase {
		if want == "" {
			return sharedCase{name, file, edits, "", fs.ErrInvalid}
		}
		return sharedCase{name, file, edits, "class A:\n" + want, nil}
	}
	runShared(t, []sharedCase{
		is("deeper, above a line as deep as before", "", lines(both, deeper)),
		is("deeper, below a line as deep as before", "",
			lines("        second(2)\n"+third, "          zero(4)\n  "+third)),
		is("less deep, below a line as deep as before", "",
			lines("        second(2)\n"+third, "    second(2)\n    more(4)\n    third_step(3)\n")),
		{"less deep, with a line of column 0", file + "def g():\n    pass\n", []place.Edit{
			lines("        second(2)\n"+third+"def g():\n", "    second(2)\n    more(4)\n    third_step(3)\ndef g():\n")},
			"", fs.ErrInvalid},
		{"deeper, with a line at two depths", "def f(a):\n    x = 1\n    if a:\n        return None\n    first_step(1)\n    return None\n",
			[]place.Edit{lines("    if a:\n        return None\n    first_step(1)\n    return None\n",
				"     if a:\n         return None\n     first_step(2)\n     return None\n")}, "", fs.ErrInvalid},
		{"deeper, with a less deep line between", "def f():\n    if a:\n        first_step(1)\n    else:\n        second_step(2)\n    done(3)\n",
			[]place.Edit{lines("        first_step(1)\n    else:\n        second_step(2)\n",
				"          first_step(1)\n      else:\n          second_step(4)\n")}, "", fs.ErrInvalid},
		{"one line out of a loop", "def f():\n    for a in b:\n        first_step(1)\n        return result\n\n# note\n",
			[]place.Edit{lines("        return result\n\n# note\n", "    return result\n\n# other note\n")},
			"def f():\n    for a in b:\n        first_step(1)\n    return result\n\n# other note\n", nil},
		{"out of a body that goes", "if a:\n    first_step(1)\n    second(2)\nthird(3)\n", []place.Edit{
			lines("if a:\n    first_step(1)\n    second(2)\n", "zero(4)\nsecond(2)\n")},
			"zero(4)\nsecond(2)\nthird(3)\n", nil},
		is("all of a body, to another depth", head+"          first_step(1)\n          second(4)\n  "+third,
			lines(both+third, "          first_step(1)\n          second(4)\n  "+third)),
		is("a line stays where it is", head+"            first_step(1)\n        second(2)\n        more(4)\n"+third,
			lines(both, "            first_step(1)\n        second(2)\n        more(4)\n")),
		is("only the indentation", head+"            first_step(1)\n            second(2)\n"+third,
			lines(both, "            first_step(1)\n            second(2)\n")),
		is("below a head that another edit adds", head+"        if x:\n"+deeper+third,
			lines(head, head+"        if x:\n"), lines(both, deeper)),
		is("by numbers, out of a block whose head and end go", "    first_step(1)\n    second(4)\n",
			byNumbers(2, 2, ""),
			byNumbers(3, 4, "    first_step(1)\n    second(4)\n"), byNumbers(5, 5, "")),
		is("by numbers, into a block whose head is new", head+"        if x:\n"+deeper+third,
			byNumbers(3, 0, "        if x:\n"),
			byNumbers(3, 4, deeper)),
		{"by numbers, with the bracket that another edit takes away", "if (x) {\n\tfirst_step(1)\n}\n", []place.Edit{
			byNumbers(1, 2, "if (y) {\n\tfirst_step(1)\n}\n"), byNumbers(3, 3, "")}, "if (y) {\n\tfirst_step(1)\n}\n",
			nil},
		{"beside a line that the edit takes in", "a:\n  - first_entry\n  - second\n  # more\nb: 1\n", []place.Edit{
			lines("  - first_entry\n  - second\n  # more\n", "    - first_entry\n    - third\n  # more\n")},
			"a:\n    - first_entry\n    - third\n  # more\nb: 1\n", nil},
		is("by numbers, beside an edit further away", "", byNumbers(3, 4, deeper), byNumbers(1, 1, "class B:\n")),
		is("above a line that another edit changes, at its depth", "", lines(both, deeper),
			lines(third, "        fourth(4)\n")),
		is("below a head that another edit changes, at its depth", "", lines(head, "    def g(self):\n"),
			lines(both, deeper)),
		is("by numbers, below a line that another edit changes, at its depth", "",
			byNumbers(3, 3, "        zero_step()\n"),
			byNumbers(4, 5, "    second(2)\n    more(4)\n    third_step(3)\n")),
		is("above a line that another edit moves too", head+deeper+"            fourth(4)\n", lines(both, deeper),
			lines(third, "            fourth(4)\n")),
	})
}

func TestNewTextThatLostItsIndentation(t *testing.T) {
	const file = "class A:\n    def f(self):\n        one(1)\n        two(2)\n        end\n"
	lines := func(old, new string) []place.Edit { return []place.Edit{{Old: old, New: new, WholeLines: true}} }
	is := func(name, old, new, want string) sharedCase {
		if want == "" {
			return sharedCase{name, file, lines(old, new), "", fs.ErrInvalid}
		}
		return sharedCase{name, file, lines(old, new), want, nil}
	}
	const f, both = "    def f(self):\n", "        one(1)\n        two(2)\n"
	runShared(t, []sharedCase{
		is("the first line, a copy", both, "one(1)\n        two(3)\n", ""),
		{"the first line, and a blank line goes", "x\n  use a\n\n  b\n", lines("  use a\n\n  b\n", "use a\n  b\n"), "", fs.ErrInvalid},
		is("the first line, with other words", both, "one(4)\n        two(2)\n", ""),
		is("the first line, a copy of a later one", "class A:\n"+f, "def f(self):\n        zero()\n", ""),
		is("all lines", f+both, "def f(self):\none(1)\ntwo(3)\n", ""),
		{"all lines of a body at the top", "if x:\n    one(1)\n    two(2)\n",
			lines("if x:\n    one(1)\n    two(2)\n", "if x:\none(1)\ntwo(3)\n"), "", fs.ErrInvalid},
		{"a new line above those that stay", "f() {\n  a();\n  one(1);\n  two(2);\n}\n", lines("  one(1);\n", "check(a, b);\n  one(1);\n"), "",
			fs.ErrInvalid},
		{"a head that has its body, above a line that stays", "if x then\n  a()\n  one(1)\n  two(2)\nend\n",
			lines("  one(1)\n", "if y then\n    zero()\n  end\n  one(1)\n"), "", fs.ErrInvalid},
		{"a line that begins with a sign, as its old line does", "x = a\n    ? b\n      : c\n      : d\n    y\n",
			lines("      : c\n", ": c(1)\n"), "", fs.ErrInvalid},
		is("one line above lines as deep", both, "    one(4)\n    two(2)\n", ""),
		is("the first of a body", f, "def f(self, x):\n", ""),
		{"a method above another", "class A:\n    def f(self):\n        one(1)\n    def g(self):\n        two(2)\n",
			lines("    def f(self):\n        one(1)\n", "def f(self, x):\n    one(x)\n"), "", fs.ErrInvalid},
		{"the head of a block within braces", "fn f() {\n    one(1);\n    for x in y {\n        two(2);\n    }\n}\n",
			lines("    one(1);\n    for x in y {\n", "one(3);\nfor x in y {\n"), "", fs.ErrInvalid},
		{"a line that leaves a block at the top", "if x:\n    one(1)\n    two(2)\n",
			lines("    two(2)\n", "two(3)\n"), "if x:\n    one(1)\ntwo(3)\n", nil},
		{"the last line of a block within another", "def f():\n    for x in y:\n        log(x)\n        total += x\n\nf()\n",
			lines("        total += x\n", "total += x * 2\n"), "", fs.ErrInvalid},
		{"the last line of an entry", "a = [\n  {\n    x: 1,\n    y: 2\n  }\n]\n", lines("    y: 2\n", "y: 3\n"), "",
			fs.ErrInvalid},
		{"the body of a head in column 0", "a()\nif (b) {\n  one(1)\n}\nc()\n",
			lines("a()\nif (b) {\n  one(1)\n}\n", "a()\nif (b) {\none(1)\n}\nd()\n"), "", fs.ErrInvalid},
		{"a body that keeps its depth below a deeper head", "class A\nextends B {\n  x() {\n  }\n}\n",
			lines("class A\nextends B {\n  x() {\n", "class A\n  extends B {\n  x(y) {\n"), "class A\n  extends B {\n  x(y) {\n  }\n}\n", nil},
		{"code that becomes a fence", "To do so:\n\n    run it\n\nElse:\n", lines("To do so:\n\n    run it\n\nElse:\n", "To do so:\n\n```sh\nrun it\n```\n\nElse:\n"),
			"To do so:\n\n```sh\nrun it\n```\n\nElse:\n", nil},
		{"a body that is all new", "  f() {\n    a();\n    b();\n  }\n",
			lines("  f() {\n    a();\n    b();\n  }\n", "  f() {\n  if (!x) return;\n  c();\n  }\n"), "", fs.ErrInvalid},
		{"a body that is all new, below a new head", "  f() {\n    a();\n    b();\n  }\n",
			lines("  f() {\n    a();\n    b();\n  }\n", "  f(x) {\n  if (!x) return;\n  c();\n  }\n"), "", fs.ErrInvalid},
		{"a body in a text that had one as deep as its head", "f() {\na();\n}\ng() {\n  b();\n}\n",
			lines("f() {\na();\n}\ng() {\n  b();\n}\n", "f(x) {\nc();\n}\ng() {\n  b();\n}\n"),
			"f(x) {\nc();\n}\ng() {\n  b();\n}\n", nil},
		{"a body whose head has several lines", "f() {\n  a();\n}\n",
			lines("f() {\n  a();\n}\n", "f() {\n  if (x ||\n    y) {\n    a();\n    { b(); }\n    }\n}\n"),
			"f() {\n  if (x ||\n    y) {\n    a();\n    { b(); }\n    }\n}\n", nil},
		{"a body with cases as deep as its head", "  f() {\n    a();\n    b();\n  }\n",
			lines("  f() {\n    a();\n    b();\n  }\n", "  f() {\n  case 1:\n    c();\n  }\n"),
			"  f() {\n  case 1:\n    c();\n  }\n", nil},
		is("the first line, above one as deep as the old one", "        two(2)\n", "two(3)\n        three(2)\n", ""),
		{"a body in a file that goes on deeper", "type A {\n    b: 1\n    c: 2\n}\n",
			lines("type A {\n    b: 1\n", "// An A.\ntype A {\nb: 1\n"), "", fs.ErrInvalid},
		{"a body, with deeper lines", "f {\n  a\n  b {\n    c\n  }\n}\n",
			lines("f {\n  a\n  b {\n    c\n", "f {\na\n  b {\n    d\n"), "", fs.ErrInvalid},
		{"a whole body, and blank lines", "class A:\n    def a():\n        b()\n\n    def c():\n        d()\n",
			lines("    def a():\n        b()\n\n    def c():\n        d()\n", "def a():\n    b()\n\n\ndef c():\n    d()\n"),
			"class A:\ndef a():\n    b()\n\n\ndef c():\n    d()\n", nil},
		{"a list that loses its depth", "items:\n  - a\n  - b\nnext: 1\n",
			lines("items:\n  - a\n  - b\nnext: 1\n", "items:\n- a\n- b\n- c\nnext: 1\n"), "items:\n- a\n- b\n- c\nnext: 1\n", nil},
		is("nothing else", both, "one(1)\ntwo(2)\n", "class A:\n    def f(self):\none(1)\ntwo(2)\n        end\n"),
		is("with the line that opened it", f+both, "    one(1)\n    two(3)\n",
			"class A:\n    one(1)\n    two(3)\n        end\n"),
		is("moved out, the first line a copy", file, "def f(self):\n    one(1)\n    two(3)\n",
			"def f(self):\n    one(1)\n    two(3)\n"),
		is("a comment in the place of the first line", both, "# one(1)\n        two(2)\n",
			"class A:\n    def f(self):\n# one(1)\n        two(2)\n        end\n"),
		is("a wrapped line", "        one(1)\n", "        if x:\n            one(1)\n",
			"class A:\n    def f(self):\n        if x:\n            one(1)\n        two(2)\n        end\n"),
		{"a block at the top removed, with the line above", "a(1)\nif x:\n    b(2)\n    c(3)\n",
			lines("a(1)\nif x:\n    b(2)\n    c(3)\n", "a(1)\nb(2)\nc(3)\n"), "a(1)\nb(2)\nc(3)\n", nil},
		{"below it, lines that another edit shows", file, append(lines("        two(2)\n", "    two(3)\n"),
			lines("        end\n", "    end\n")...),
			"class A:\n    def f(self):\n        one(1)\n    two(3)\n    end\n", nil},
		{"a string", file, edit("        two(2)", "two(3)"), "", fs.ErrInvalid},
		{"a string behind the indentation", file, edit("two(2)", "two(3)"),
			strings.Replace(file, "two(2)", "two(3)", 1), nil},
	})
}

// J8: new text may end, or begin, with a line that stands beside the old text.
func TestALineThatStandsBesideTheOldText(t *testing.T) {
	const file = "first = get(1)\nsecond = get(2)\nthird = get(3)\n}\n"
	lines := func(old, new string) place.Edit { return place.Edit{Old: old, New: new, WholeLines: true} }
	runShared(t, []sharedCase{
		{"below", file, edit("second = get(2)\n", "second = get(4)\nthird = get(3)\n"), "", errs.ErrApplied},
		{"below, and as many lines", file,
			edit("first = get(1)\nsecond = get(2)\n", "first = get(4)\nthird = get(3)\n"), "",
			errs.ErrApplied},
		{"below, in lines", file, []place.Edit{lines("second = get(2)\n", "second = get(4)\nthird = get(3)\n")}, "",
			errs.ErrApplied},
		{"below line numbers", file, []place.Edit{lines("2: second = get(2)\n",
			"2: second = get(4)\n3: third = get(3)\n")}, "",
			errs.ErrApplied},
		{"above", file, edit("second = get(2)", "first = get(1)\nsecond = get(4)"), "", errs.ErrApplied},
		{"a short one, deeper than column 0", "  a = [\n    (b)\n  ]\n", []place.Edit{lines("    (b)\n", "    c\n  ]\n")}, "",
			errs.ErrApplied},
		{"short ones", "f({\n  b: [\n    c\n  ]\n})\n", []place.Edit{lines("    c\n", "    d\n  ]\n})\n")}, "",
			errs.ErrApplied},
		{"a short one above", "  {\n  (b)\n", []place.Edit{lines("  (b)\n", "  {\n  c\n")}, "", errs.ErrApplied},
		{"a word", "run\nfoo\nrun\n", edit("foo", "bar\nrun"), "", errs.ErrApplied},
		{"the end of a case in braces", "  switch (x) {\n  case 1:\n    foo();\n  }\n", []place.Edit{
			lines("    foo();\n", "    foo();\n  default: {\n    bar();\n  }\n")},
			"  switch (x) {\n  case 1:\n    foo();\n  default: {\n    bar();\n  }\n  }\n", nil},
		{"the end of a condition in another", "#ifndef A\nint f();\n#endif\n", []place.Edit{
			lines("int f();\n", "int f();\n#ifdef B\nint g();\n#endif\n")},
			"#ifndef A\nint f();\n#ifdef B\nint g();\n#endif\n#endif\n", nil},
		{"the end of a template in another", "  <% if (a) { %>\n  <p>x</p>\n  <% } %>\n", []place.Edit{
			lines("  <p>x</p>\n", "  <% if (b) { %>\n  <p>y</p>\n  <% } %>\n")},
			"  <% if (a) { %>\n  <% if (b) { %>\n  <p>y</p>\n  <% } %>\n  <% } %>\n", nil},
		{"a flat element in another", "<div>\n<p>x</p>\n</div>\n", []place.Edit{
			lines("<p>x</p>\n", "<div>\n<p>y</p>\n</div>\n")}, "<div>\n<div>\n<p>y</p>\n</div>\n</div>\n", nil},
		{"lines in front of which another edit puts some", "\ta, err := f()\n\tif err != nil {\n\t\treturn err\n\t}\n\tuse(a)\n",
			[]place.Edit{lines("\ta, err := f()\n", "\tcfg, err := load()\n\tif err != nil {\n\t\treturn err\n\t}\n"),
				lines("\tif err != nil {\n\t\treturn err\n\t}\n\tuse(a)\n",
					"\ta, err := f(cfg)\n\tif err != nil {\n\t\treturn err\n\t}\n\tuse(a)\n")},
			"\tcfg, err := load()\n\tif err != nil {\n\t\treturn err\n\t}\n\ta, err := f(cfg)\n" +
				"\tif err != nil {\n\t\treturn err\n\t}\n\tuse(a)\n", nil},
		{"a line behind which another edit puts one", file, []place.Edit{
			lines("first = get(1)\n", "first = get(4)\nsecond = get(2)\n"),
			lines("second = get(2)\n", "second = get(2)\nmore()\n")}, "", errs.ErrApplied},
		{"a line in front of which another edit puts one", file, []place.Edit{
			lines("third = get(3)\n", "second = get(2)\nthird = get(4)\n"),
			lines("second = get(2)\n", "more()\nsecond = get(2)\n")}, "", errs.ErrApplied},
		{"a line that a range by numbers keeps", "def f():\n    a = get(1)\n    log.info(a)\n    b = get(2)\n    return b\n",
			[]place.Edit{{First: 2, Last: 2, New: "    a = get(3)\n    log.info(a)\n", WholeLines: true},
				{First: 3, Last: 4, New: "    log.info(a)\n    b = get(5)\n", WholeLines: true}}, "", errs.ErrApplied},
		{"a blank line in front", "first(1)\n\nsecond(2)\nthird(3)\n", []place.Edit{lines("second(2)\n", "\nsecond(4)\n")}, "",
			errs.ErrApplied},
		{"numbers", "  1,\n  0,\n  1\n", []place.Edit{{First: 1, Last: 1, New: "  1,\n  0,\n", WholeLines: true}},
			"  1,\n  0,\n  0,\n  1\n", nil},
		{"a line that reads like one that another edit deletes", "  a\n  (b)\n  run\n  c\n  run\n", []place.Edit{
			{First: 2, Last: 2, New: "  d\n  run\n", WholeLines: true}, {First: 5, Last: 5, WholeLines: true}}, "", errs.ErrApplied},
		{"a word that ends a body, behind a blank line", "def f\n  if a\n    x = 1\n\n  end\nend\n", []place.Edit{
			lines("    x = 1\n", "    x = 2\n  end\n")}, "", errs.ErrApplied},
		{"a word that ends a body, below a string", "def f\n  if a\n    x = 1\n  end\nend\n", edit("x = 1", "x = 2\n  end"), "",
			errs.ErrApplied},
		{"a line that is there twice", "  0\n  1\n  2\n  2\n", []place.Edit{lines("  1\n", "  3\n  2\n")},
			"  0\n  3\n  2\n  2\n  2\n", nil},
		{"a line like the old one", "  0\n  1\n  1\n", []place.Edit{{First: 2, Last: 2, New: "  3\n  1\n", WholeLines: true}},
			"  0\n  3\n  1\n  1\n", nil},
		{"a line that another edit deletes", "  0\n  1\n  2\n  3\n", []place.Edit{
			{First: 2, Last: 2, New: "  4\n  2\n", WholeLines: true}, {First: 3, Last: 3, WholeLines: true}},
			"  0\n  4\n  2\n  3\n", nil},
		{"a line that another edit shows", file, []place.Edit{
			lines("first = get(1)\n", "first = get(4)\nsecond = get(2)\n"),
			lines("second = get(2)\nthird = get(3)\n", "second = get(2)\nthird = get(5)\n")}, "", errs.ErrApplied},
		{"a bracket", file, edit("third = get(3)\n", "third = {\n}\n"),
			"first = get(1)\nsecond = get(2)\nthird = {\n}\n}\n", nil},
		{"moved up by another edit", file, []place.Edit{lines("first = get(1)\n", "first = get(4)\nsecond = get(2)\n"),
			lines("second = get(2)\nthird = get(3)\n", "third = get(3)\n")},
			"first = get(4)\nsecond = get(2)\nthird = get(3)\n}\n", nil},
	})
}

// J6: two substring edits with one old text and different new texts need two places.
func TestOneOldTextTwice(t *testing.T) {
	both := func(old, first, second string) []place.Edit { return append(edit(old, first), edit(old, second)...) }
	runShared(t, []sharedCase{
		{"inside the new text", "port = 80\n", both("port = 80", "port = 8080", "port = 8443"), "", errs.ErrOverlap},
		{"an insertion", "a\nb\n", both("a\n", "a\nx\n", "a\ny\n"), "", errs.ErrOverlap},
		{"gone", "port = 80\n", both("port = 80", "port = 90", "port = 8443"), "", errs.ErrOverlap},
	})
}

// J6: an edit does not write once more what another one inserts right beside it.
func TestTheSameLinesOfTwoEdits(t *testing.T) {
	const file = "one(1)\ntwo(2)\nthree(3)\n"
	hunk := func(old, new, signs string) place.Edit {
		return place.Edit{Old: old, New: new, WholeLines: true, Hunk: signs}
	}
	above := hunk("one(1)\ntwo(2)\n", "one(1)\ninserted(1)\ntwo(2)\n", " + ")
	runShared(t, []sharedCase{
		{"above the lines that it replaces", file, []place.Edit{above,
			hunk("two(2)\nthree(3)\n", "inserted(1)\ntwo(2)\n3\n", "--+++")}, "", errs.ErrOverlap},
		{"below the lines that it replaces", file, []place.Edit{
			hunk("one(1)\n", "1\ninserted(1)\n", "-++"), above}, "", errs.ErrOverlap},
		{"other lines", file, []place.Edit{above, hunk("two(2)\nthree(3)\n", "2\n3\n", "--++")},
			"one(1)\ninserted(1)\n2\n3\n", nil},
		{"a bracket", "a {\nb\n", []place.Edit{hunk("a {\nb\n", "a {\n}\nb\n", " + "), hunk("b\n", "}\nc\n", "-++")},
			"a {\n}\n}\nc\n", nil},
	})
}

// I3: a tab of the request does not stand for spaces if a matched line has that tab in the text.
func TestATabIsNoStepOfSpacesWhereTheTextHasIt(t *testing.T) {
	const file = "if a\n    b\n    if c\n\t    four\n\t    five\n    f\n    if g\n    h\n"
	runShared(t, []sharedCase{
		{"the last line lost its indentation", file, []place.Edit{{Old: "\t    four\nfive\n",
			New: "\t    four\n\tadded\nfive\n", WholeLines: true}}, "", errs.ErrNotFound},
	})
}

// J3: an anchor may be a line from above the place, if the edit shows that its scope has ended.
func TestAnchorsAboveThePlace(t *testing.T) {
	const file = "def a():\n    one()\n    two()\n\ndef b():\n    two()\n    end()\n"
	below := func(old, new string) []place.Edit {
		return []place.Edit{{Old: old, New: new, WholeLines: true, Anchors: []string{"def a():"}}}
	}
	runShared(t, []sharedCase{
		{"with the next head", file, below("def b():\n    two()\n", "def b():\n    2()\n"),
			"def a():\n    one()\n    two()\n\ndef b():\n    2()\n    end()\n", nil},
		{"within another scope", file, below("    two()\n    end()\n", "    2()\n    end()\n"), "", errs.ErrNotFound},
		{"not exactly", file, below("def b():\n   two()\n", "def b():\n   2()\n"), "", errs.ErrNotFound},
		{"from above its own line", "# of a\n" + file, below("# of a\ndef a():\n    one()\n", "# of a\ndef a():\n    1()\n"),
			"# of a\ndef a():\n    1()\n    two()\n\ndef b():\n    two()\n    end()\n", nil},
		{"above the anchor", "x = 1\n" + file, below("x = 1\n", "x = 2\n"), "", errs.ErrNotFound},
		{"a part of several lines", "one a\n x\none b\n y\n", []place.Edit{{Old: " y\n", New: " z\n", WholeLines: true,
			Anchors: []string{"one"}}}, "one a\n x\none b\n z\n", nil},
		{"a part of several lines, and two places", "one a\n x\none b\n x\n", []place.Edit{{Old: " x\n", New: " z\n",
			WholeLines: true, Anchors: []string{"one"}}}, "", errs.ErrNotFound},
		{"a part of several lines further down", "y\none a\n x\none b\n", []place.Edit{{Old: "y\n", New: "z\n",
			WholeLines: true, Anchors: []string{"one"}}}, "", errs.ErrNotFound},
		{"right above one of two places", "[a]\np = 1\nx\n[b]\np = 2\nx\n[c]\np = 3\nx\n",
			[]place.Edit{{Old: "x\n", New: "y\n",
				WholeLines: true, Anchors: []string{"p = 2"}}}, "[a]\np = 1\nx\n[b]\np = 2\ny\n[c]\np = 3\nx\n", nil},
		{"above two places", "p = 1\nz\nx\n[c]\np = 3\nx\n", []place.Edit{{Old: "x\n", New: "y\n",
			WholeLines: true, Anchors: []string{"p = 1"}}}, "", errs.ErrAmbiguous},
		{"the head of two places", "def f():\n  x\n  z\n  x\n", []place.Edit{{Old: "  x\n", New: "  y\n",
			WholeLines: true, Anchors: []string{"def f():"}}}, "", errs.ErrAmbiguous},
		{"below a heading", "# A\n\nold\n\n# B\n\ntext\nmore\n", []place.Edit{{Old: "text\nmore\n", New: "new\n",
			WholeLines: true,
			Anchors:    []string{"# A"}}}, "", errs.ErrNotFound},
	})
}
