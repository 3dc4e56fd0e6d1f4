package atomicedit_test

import (
	"bytes"
	"errors"
	"io/fs"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestApply(t *testing.T) {
	for _, c := range []struct {
		name  string
		src   string
		edits []atomicedit.Edit
		want  string
		err   error
	}{
		// Strings act on one another's results; whole lines do not (J7).
		{name: "a substring", src: "one two three\n", edits: []atomicedit.Edit{{Old: "two", New: "2"}},
			want: "one 2 three\n"},
		{name: "substrings act on one another's results", src: "a\n",
			edits: []atomicedit.Edit{{Old: "a", New: "b"}, {Old: "b", New: "c"}}, want: "c\n"},
		{name: "whole lines in any order", src: "a\nb\nc\n",
			edits: []atomicedit.Edit{accepttest.Lines("c", "C"), accepttest.Lines("a", "A")}, want: "A\nb\nC\n"},
		{name: "whole lines do not see one another", src: "aaa\nbbb\n",
			edits: []atomicedit.Edit{accepttest.Lines("aaa", "bbb"), accepttest.Lines("bbb", "ccc")},
			want:  "bbb\nccc\n"},
		{name: "an edit that needs what an earlier one wrote", src: "one\nend\n",
			edits: []atomicedit.Edit{accepttest.Lines("one", "two\nthree"),
				accepttest.Lines("three\nend", "four\nend")}, want: "two\nfour\nend\n"},
		{name: "an edit that needs what a later one writes", src: "one\nend\n",
			edits: []atomicedit.Edit{accepttest.Lines("three\nend", "four\nend"),
				accepttest.Lines("one", "two\nthree")}, err: atomicedit.ErrNotFound},

		// Order, equal edits, and numbers of places (J5, J6, P4).
		{name: "neighbours decide between equal places", src: "start\nx = 1\nmiddle\nx = 1\nend\n",
			edits: []atomicedit.Edit{accepttest.Lines("start", "START"), accepttest.Lines("x = 1", "x = 2"),
				accepttest.Lines("middle", "MIDDLE"), accepttest.Lines("end", "END")},
			want: "START\nx = 2\nMIDDLE\nx = 1\nEND\n"},
		{name: "one neighbour is not enough", src: "start\nx = 1\nmiddle\nx = 1\nend\n",
			edits: []atomicedit.Edit{accepttest.Lines("x = 1", "x = 2"), accepttest.Lines("middle", "MIDDLE")},
			err:   atomicedit.ErrAmbiguous},
		{name: "one neighbour that changes nothing is", src: "start\nx = 1\nmiddle\nx = 1\nend\n",
			edits: []atomicedit.Edit{accepttest.Lines("x = 1", "x = 2"), accepttest.Lines("middle", "middle")},
			want:  "start\nx = 2\nmiddle\nx = 1\nend\n"},
		{name: "as many equal edits as places", src: "x = 1\ny\nx = 1\n",
			edits: []atomicedit.Edit{accepttest.Lines("x = 1", "x = 2"), accepttest.Lines("x = 1", "x = 2")},
			want:  "x = 2\ny\nx = 2\n"},
		{name: "more equal edits than places", src: "x = 1\ny\n",
			edits: []atomicedit.Edit{accepttest.Lines("x = 1", "x = 2"), accepttest.Lines("x = 1", "x = 2")},
			want:  "x = 2\ny\n"},
		{name: "there twice", src: "x x\n", edits: []atomicedit.Edit{{Old: "x", New: "y"}},
			err: atomicedit.ErrAmbiguous},
		{name: "there twice, overlapping", src: "aba ba\nababa\n",
			edits: []atomicedit.Edit{{Old: "aba", New: "x", Count: atomicedit.All}}, want: "x ba\nxba\n"},
		{name: "all", src: "x x\nx\n", edits: []atomicedit.Edit{{Old: "x", New: "y", Count: atomicedit.All}},
			want: "y y\ny\n"},
		{name: "so many times", src: "x x\nx\n", edits: []atomicedit.Edit{{Old: "x", New: "y", Count: 3}},
			want: "y y\ny\n"},
		{name: "not so many times", src: "x x\nx\n", edits: []atomicedit.Edit{{Old: "x", New: "y", Count: 2}},
			err: atomicedit.ErrCount},
		{name: "all of none", src: "x\n", edits: []atomicedit.Edit{{Old: "y", New: "z", Count: atomicedit.All}},
			err: atomicedit.ErrNotFound},

		// Changes that are none, or are made already (J8, A2).
		{name: "nothing to change", src: "x\n", edits: []atomicedit.Edit{{Old: "x", New: "x"}},
			err: atomicedit.ErrNoChange},
		{name: "blocks that change nothing", src: "x\n", edits: []atomicedit.Edit{accepttest.Lines("x", "x")},
			err: atomicedit.ErrNoChange},
		{name: "done already", src: "head\nnew line here\ntail\n",
			edits: []atomicedit.Edit{accepttest.Lines("head\nold line here\ntail", "head\nnew line here\ntail")},
			err:   atomicedit.ErrApplied},

		{name: "an insertion below sent again", src: "foo()\nbar()\n",
			edits: []atomicedit.Edit{{Old: "foo()\n", New: "foo()\nbar()\n"}}, err: atomicedit.ErrApplied},
		{name: "an insertion above sent again, as lines", src: "bar()\n\n\tfoo()\n",
			edits: []atomicedit.Edit{accepttest.Lines("foo()\n", "bar()\nfoo()\n")}, err: atomicedit.ErrApplied},
		{name: "an insertion that ends as its context begins, sent again", src: "a1\nb1\nx1\na1\nb1\nz1\n",
			edits: []atomicedit.Edit{accepttest.Lines("a1\nb1\nz1\n", "a1\nb1\nx1\na1\nb1\nz1\n")},
			err:   atomicedit.ErrApplied},
		{name: "a call wrapped again", src: "go wrap(foo(x))\n",
			edits: []atomicedit.Edit{{Old: "foo(x)", New: "wrap(foo(x))"}}, err: atomicedit.ErrApplied},
		{name: "a block wrapped again", src: "if x {\n\tfoo()\n}\n",
			edits: []atomicedit.Edit{accepttest.Lines("foo()\n", "if x {\n\tfoo()\n}\n")}, err: atomicedit.ErrApplied},
		{name: "a bracket added where there is one", src: "if x {\n\tfoo()\n}\n",
			edits: []atomicedit.Edit{{Old: "foo()\n", New: "foo()\n}\n"}}, err: atomicedit.ErrApplied},
		{name: "a bracket added where one is missing", src: "func f() {\nif x {\n\tfoo()\n}\n",
			edits: []atomicedit.Edit{{Old: "foo()\n", New: "foo()\n}\n"}}, want: "func f() {\nif x {\n\tfoo()\n}\n}\n"},
		{name: "an old string that ends in a word, and a new one with the whole word", src: "f(:site, :path)\n",
			edits: []atomicedit.Edit{{Old: ":site, :pa", New: ":site, :base, :path"}}, err: atomicedit.ErrApplied},
		{name: "an old string that ends in a word, and a new one that pairs", src: "say('Hello World');\n",
			edits: []atomicedit.Edit{{Old: "say('Hello W", New: "say('Hello Go');"}}, err: atomicedit.ErrApplied},
		{name: "an old string that ends before its bracket, and a new one that pairs", src: "f(\"a {b}\")\n",
			edits: []atomicedit.Edit{{Old: "f(\"a {b}", New: "f(\"c {b}\")"}}, err: atomicedit.ErrApplied},
		{name: "a call around an argument", src: "f(x)\n", edits: []atomicedit.Edit{{Old: "x", New: "g(x)"}},
			want: "f(g(x))\n"},
		{name: "a part of a word", src: "getUser()\n", edits: []atomicedit.Edit{{Old: "get", New: "fetch"}},
			want: "fetchUser()\n"},
		{name: "lines that end with the bracket below", src: "f(x, {\n\ta\n});\n",
			edits: []atomicedit.Edit{{First: 1, Last: 2, New: "f(y, {\n\tb\n});\n"}}, err: atomicedit.ErrApplied},
		{name: "a body that opens in one edit and ends in another", src: "a()\n{\nb()\n}\n",
			edits: []atomicedit.Edit{{Old: "a()\n", New: "if x {\na()\n"}, {Old: "b()\n", New: "b(2)\n}\n"}},
			want:  "if x {\na()\n{\nb(2)\n}\n}\n"},
		{name: "a line added above a blank one, without its newline", src: "a\n\nb\n",
			edits: []atomicedit.Edit{{Old: "a\n", New: "a\nx"}}, want: "a\nx\n\nb\n"},
		{name: "a new string that closes what the rest of the line closes", src: "f(x, y)\n",
			edits: []atomicedit.Edit{{Old: "f(x", New: "f(x, z)"}}, err: atomicedit.ErrNotFound},
		{name: "a new string that ends with the rest of the line, which says much",
			src:   "parse(text): NormalizedStyle {\n}\n",
			edits: []atomicedit.Edit{{Old: "parse(text)", New: "parse(text, strict): NormalizedStyle {"}},
			err:   atomicedit.ErrApplied},
		{name: "a new string that ends as the line below does, which ends a body",
			src:   "if x\n  if y\n    a\n  fi\nfi\n",
			edits: []atomicedit.Edit{{Old: "  if y\n    a\n", New: "  if z\n    b\n  fi\n"}},
			err:   atomicedit.ErrApplied},
		{name: "lines a level up, whose last one is that below", src: "f\n    if x\n    end\n  end\nend\n",
			edits: []atomicedit.Edit{{Old: "  if x\n  end\n", New: "  if y\n  end\n", WholeLines: true}},
			want:  "f\n    if y\n    end\n  end\nend\n"},
		{name: "lines that end as the line below does, which ends a body", src: "if x\n  if y\n    a\n  fi\nfi\n",
			edits: []atomicedit.Edit{{First: 2, Last: 3, New: "  if z\n    b\n  fi\n"}}, err: atomicedit.ErrApplied},
		{name: "every place, of which one fits better", src: "foo(’x’)\n\tfoo('x')\n",
			edits: []atomicedit.Edit{{Old: "foo('x')  \n", New: "bar()\n", WholeLines: true, Count: atomicedit.All}},
			want:  "foo(’x’)\n\tbar()\n"},
		{name: "two strings that close a bracket elsewhere", src: "f(x, y)\n",
			edits: []atomicedit.Edit{{Old: "f(x", New: "f(x)"}, {Old: "y)", New: "y"}}, want: "f(x), y\n"},
		{name: "a blank line that the old string ends with, shown by the new one", src: "a\n\nb\n",
			edits: []atomicedit.Edit{{Old: "a\n", New: "a\n\nx"}}, want: "a\n\nx\nb\n"},
		{name: "numbers in front of the old lines alone, whose depth is the viewer's",
			src: "  for x\n    y(1)\n    z(1) \\\n      z(2)\n  done\n",
			edits: []atomicedit.Edit{{Old: "  36│ for x\n  37│   y(1)\n  38│   z(1) \\\n  39│     z(2)\n  40│ done\n",
				New: "    y(2)\nfunction f() {\n    z(1) \\\n      z(2)\n  done\n", WholeLines: true}},
			err: atomicedit.ErrNotFound},
		{name: "an old string that ends in an indented line, and a new one with its newline", src: "f:\n  x = 1 if y\n",
			edits: []atomicedit.Edit{{Old: "  x = 1", New: "  x = 2\n"}}, err: atomicedit.ErrNotFound},
		{name: "a line that is cut in two", src: "f:\n  a; b\n", edits: []atomicedit.Edit{{Old: "a; ", New: "a\n  "}},
			want: "f:\n  a\n  b\n"},
		{name: "a diff of the old text", src: "a\nb\n", edits: []atomicedit.Edit{{Old: "a\nb\n", New: " a\n+x\n b\n"}},
			err: fs.ErrInvalid},
		{name: "a diff of the old text that removes", src: "a\nb\n",
			edits: []atomicedit.Edit{{Old: "a\nb\n", New: "-a\n+x\n b\n"}}, err: fs.ErrInvalid},
		{name: "a bracket added again", src: "func f() {\n\tif x {\n\t\tfoo()\n\t}\n}\n",
			edits: []atomicedit.Edit{{Old: "\t\tfoo()\n", New: "\t\tfoo()\n\t}\n"}}, err: atomicedit.ErrApplied},
		{name: "a prefix put everywhere again", src: "pkg.Foo(pkg.Foo)\n",
			edits: []atomicedit.Edit{{Old: "Foo", New: "pkg.Foo", Count: atomicedit.All}}, err: atomicedit.ErrApplied},
		{name: "a prefix put everywhere, which one place has", src: "pkg.Foo(Foo)\n",
			edits: []atomicedit.Edit{{Old: "Foo", New: "pkg.Foo", Count: atomicedit.All}}, err: atomicedit.ErrApplied},
		{name: "headings further down everywhere", src: "## A\n\n## B\n",
			edits: []atomicedit.Edit{{Old: "#", New: "##", Count: atomicedit.All}}, want: "#### A\n\n#### B\n"},
		{name: "lines added everywhere again", src: "foo()\nbar()\nfoo()\nbar()\n",
			edits: []atomicedit.Edit{{Old: "foo()\n", New: "foo()\nbar()\n", WholeLines: true, Count: atomicedit.All}},
			err:   atomicedit.ErrApplied},
		{name: "the new text has the indentation of one place, and the other is deeper",
			src: "def f():\n    x = 1\n    y = 2\n\nclass A:\n    def g():\n        x = 1\n        y = 2\n",
			edits: []atomicedit.Edit{{Old: "x = 1\ny = 2\n", New: "    x = 1\n    y = 3\n", WholeLines: true,
				Count: atomicedit.All}}, err: atomicedit.ErrNotFound},
		{name: "the new text has the indentation of both places",
			src: "def f():\n    x = 1\n    y = 2\n\ndef g():\n    x = 1\n    y = 2\n",
			edits: []atomicedit.Edit{{Old: "x = 1\ny = 2\n", New: "    x = 1\n    y = 3\n", WholeLines: true,
				Count: atomicedit.All}}, want: "def f():\n    x = 1\n    y = 3\n\ndef g():\n    x = 1\n    y = 3\n"},
		{name: "all places changed, and those that fit less well were not", src: "bar()\n\tfoo()\nbar()\n",
			edits: []atomicedit.Edit{{Old: "foo()\n", New: "bar()\n", WholeLines: true, Count: atomicedit.All}},
			err:   atomicedit.ErrApplied},
		{name: "a block that moves", src: "one()\nxy\nend\n",
			edits: []atomicedit.Edit{{Old: "end\n", New: "end\none()\n"}, {Old: "one()\n"}}, want: "xy\nend\none()\n"},
		{name: "a block that is put beside itself, and moves", src: "one()\nend\n",
			edits: []atomicedit.Edit{{Old: "end\n", New: "go one()\nend\n"}, {Old: "one()\n"}},
			err:   atomicedit.ErrAmbiguous},
		{name: "a block of several that moves", src: "one()\none()\nend\n",
			edits: []atomicedit.Edit{{Old: "end\n", New: "end\none()\n"}, {Old: "one()\n"}},
			err:   atomicedit.ErrAmbiguous},
		{name: "a character without width in front of the place of a string", src: "x \u2060foo y\n",
			edits: []atomicedit.Edit{{Old: "foo", New: "\u2060bar"}}, want: "x \u2060bar y\n"},
		{name: "a character without width behind the place of a string", src: "x foo\u200b y\n",
			edits: []atomicedit.Edit{{Old: "foo", New: "bar\u200b"}}, want: "x bar\u200b y\n"},
		{name: "a character without width in a string and before it", src: "x\u2060\u2060foo\n",
			edits: []atomicedit.Edit{{Old: "\u2060foo", New: "\u2060bar"}}, want: "x\u2060\u2060bar\n"},
		{name: "an insertion of which the text has one half", src: "foo()\nbar()\n",
			edits: []atomicedit.Edit{{Old: "foo()\n", New: "foo()\nbar()\nlast()\n"}},
			want:  "foo()\nbar()\nlast()\nbar()\n"},

		// Blank lines (A3, P2).
		{name: "a blank line wanted that is there", src: "a1\n\nb1\nc1\n",
			edits: []atomicedit.Edit{accepttest.Lines("a1\nb1\nc1\n", "a1\n\nb1\nC1\n")}, want: "a1\n\nb1\nC1\n"},
		{name: "a blank line removed at the edge that is not there", src: "abc\n",
			edits: []atomicedit.Edit{accepttest.Lines("\nabc\n", "abcd\n")}, want: "abcd\n"},
		{name: "a blank line put back at the edge that is not there", src: "abc\n",
			edits: []atomicedit.Edit{{Old: "abc\n\n", New: "abcd\n\n", WholeLines: true, Hunk: "--++"}},
			want:  "abcd\n"},
		{name: "only a blank line added", src: "abc\ndef\n",
			edits: []atomicedit.Edit{accepttest.Lines("abc\ndef\n", "abc\n\ndef\n")}, want: "abc\n\ndef\n"},

		// Edits by line number, and edits that make no sense.
		{name: "an empty old text", src: "x\n", edits: []atomicedit.Edit{{New: "y"}}, err: fs.ErrInvalid},
		{name: "lines and text at once", src: "x\n", edits: []atomicedit.Edit{{Old: "x", First: 1, New: "y"}},
			err: fs.ErrInvalid},
		{name: "lines beyond the end", src: "x\n", edits: []atomicedit.Edit{{First: 3, New: "y"}}, err: fs.ErrInvalid},
		{name: "lines reversed", src: "x\ny\n", edits: []atomicedit.Edit{{First: 2, Last: 1, New: "y"}},
			err: fs.ErrInvalid},
		{name: "lines reversed beside an old text", src: "x\ny\n",
			edits: []atomicedit.Edit{{Old: "x", First: 2, Last: 1, New: "y"}}, err: fs.ErrInvalid},
		{name: "a negative line beside an old text", src: "x\ny\n",
			edits: []atomicedit.Edit{{Old: "x", First: -38, Last: -2, New: "y"}}, err: fs.ErrInvalid},
		{name: "a negative line beside old lines", src: "x\ny\n",
			edits: []atomicedit.Edit{{Old: "x\n", First: -38, New: "y\n", WholeLines: true}}, err: fs.ErrInvalid},
		{name: "lines by number", src: "a\nb\nc\n",
			edits: []atomicedit.Edit{{First: 2, Last: 3, New: "x\ny\nz"}, {First: 1, New: "top"}},
			want:  "top\na\nx\ny\nz\n"},
		{name: "lines removed by number", src: "a\nb\nc\n", edits: []atomicedit.Edit{{First: 1, Last: 2}}, want: "c\n"},
		{name: "lines that overlap by number", src: "a\nb\nc\n",
			edits: []atomicedit.Edit{{First: 1, Last: 2, New: "x"}, {First: 2, Last: 2, New: "y"}},
			err:   atomicedit.ErrOverlap},
		{name: "line numbers count the text before", src: "a\nb\nc\n",
			edits: []atomicedit.Edit{{Old: "a", New: "a\na2"}, {First: 3, Last: 3, New: "C"}}, want: "a\na2\nb\nC\n"},
		{name: "lines added after the last", src: "a\n", edits: []atomicedit.Edit{{First: 2, New: "b"}},
			want: "a\nb\n"},

		// Additions at the end, and the final newline (F1).
		{name: "appended", src: "a\n", edits: []atomicedit.Edit{{New: "b", WholeLines: true}}, want: "a\nb\n"},
		{name: "appended twice", src: "a\n",
			edits: []atomicedit.Edit{{New: "b", WholeLines: true}, {New: "c", WholeLines: true}}, want: "a\nb\nc\n"},
		{name: "appended without a final newline", src: "a",
			edits: []atomicedit.Edit{{New: "b", WholeLines: true}, {New: "c", WholeLines: true}}, want: "a\nb\nc"},
		{name: "into an empty text", src: "", edits: []atomicedit.Edit{{New: "a\nb", WholeLines: true}},
			want: "a\nb\n"},
		{name: "the last line without a newline", src: "a\nb", edits: []atomicedit.Edit{accepttest.Lines("b", "c")},
			want: "a\nc"},
		{name: "the last line without a newline removed", src: "a\nb",
			edits: []atomicedit.Edit{accepttest.Lines("a\nb", "a")}, want: "a"},
		{name: "every line removed", src: "a\nb", edits: []atomicedit.Edit{accepttest.Lines("a\nb", "")}, want: ""},
		{name: "a newline added by a patch", src: "a\nb",
			edits: []atomicedit.Edit{{Old: "a\nb\n", New: "a\nc\n", WholeLines: true, Hunk: ` -\+`}}, want: "a\nc\n"},
		{name: "only a newline added by a patch", src: "a\nb",
			edits: []atomicedit.Edit{{Old: "a\nb\n", New: "a\nb\n", WholeLines: true, Hunk: ` -\+`}}, want: "a\nb\n"},
		{name: "a newline removed by a patch", src: "a\nb\n",
			edits: []atomicedit.Edit{{Old: "a\nb\n", New: "a\nc\n", WholeLines: true, Hunk: ` -+\`}}, want: "a\nc"},
		{name: "only a newline removed by a patch", src: "a\nb\n",
			edits: []atomicedit.Edit{{Old: "a\nb\n", New: "a\nb\n", WholeLines: true, Hunk: ` -+\`}}, want: "a\nb"},

		// Line endings and encodings (F1, P3).
		{name: "CRLF", src: "a\r\nb\r\n", edits: []atomicedit.Edit{{Old: "a\nb", New: "a\nx\nb"}},
			want: "a\r\nx\r\nb\r\n"},
		{name: "CRLF in the request only", src: "a\nb\n", edits: []atomicedit.Edit{{Old: "a\r\nb", New: "a\r\nx\r\nb"}},
			want: "a\nx\nb\n"},
		{name: "CRLF by lines", src: "a\r\nb\r\n", edits: []atomicedit.Edit{accepttest.Lines("a\nb\n", "a\nx\nb\n")},
			want: "a\r\nx\r\nb\r\n"},
		{name: "mixed endings", src: "a\r\nb\nc\r\n",
			edits: []atomicedit.Edit{accepttest.Lines("a\nb\nc\n", "A\nB\nC\n")}, want: "A\r\nB\nC\r\n"},
		{name: "mixed endings in a substring", src: "a\r\nb\nc\r\n",
			edits: []atomicedit.Edit{{Old: "a\nb\nc", New: "A\nB\nC"}}, want: "A\r\nB\nC\r\n"},
		{name: "a fit that differs in endings only is as good", src: "a\r\nb\r\nx\na\nb\n",
			edits: []atomicedit.Edit{{Old: "a\nb", New: "c"}}, err: atomicedit.ErrAmbiguous},
		{name: "lone carriage returns", src: "a\rb\rc", edits: []atomicedit.Edit{accepttest.Lines("b\n", "x\ny\n")},
			want: "a\rx\ry\rc"},
		{name: "a byte order mark", src: "\xef\xbb\xbfa\nb\n",
			edits: []atomicedit.Edit{accepttest.Lines("a", "x"), {Old: "b", New: "y"}}, want: "\xef\xbb\xbfx\ny\n"},
		{name: "UTF-16", src: "\xfe\xff\x00a\x00\n\x20\x1c\x00\n", edits: []atomicedit.Edit{accepttest.Lines("a", "é")},
			want: "\xfe\xff\x00\xe9\x00\n\x20\x1c\x00\n"},
		{name: "UTF-16 with half a surrogate elsewhere", src: "\xff\xfea\x00\n\x00\x00\xd8\n\x00",
			edits: []atomicedit.Edit{accepttest.Lines("a", "b")}, want: "\xff\xfeb\x00\n\x00\x00\xd8\n\x00"},
		{name: "invalid UTF-8 elsewhere", src: "a\n\xff\xfe\xfd\n",
			edits: []atomicedit.Edit{accepttest.Lines("a", "b")}, want: "b\n\xff\xfe\xfd\n"},
		{name: "binary", src: "a\n\x00\n", edits: []atomicedit.Edit{accepttest.Lines("a", "b")},
			err: atomicedit.ErrBinary},
		{name: "binary to be", src: "a\n", edits: []atomicedit.Edit{accepttest.Lines("a", "\x00")},
			err: atomicedit.ErrBinary},

		// Nothing in the new text has a meaning.
		{name: "signs without meaning", src: "a\n", edits: []atomicedit.Edit{{Old: "a", New: `$1 \1 %s $&`}},
			want: "$1 \\1 %s $&\n"},

		// Anchors, the end of the file, and line numbers as hints (J4, J3).
		{name: "after an anchor", src: "def f():\n    x = 1\n\ndef g():\n    x = 1\n",
			edits: []atomicedit.Edit{{Old: "    x = 1\n", New: "    x = 2\n", WholeLines: true,
				Anchors: []string{"def g():"}}}, want: "def f():\n    x = 1\n\ndef g():\n    x = 2\n"},
		{name: "after a part of a line", src: "def f():\n    x = 1\n\ndef g():\n    x = 1\n",
			edits: []atomicedit.Edit{{Old: "    x = 1\n", New: "    x = 2\n", WholeLines: true,
				Anchors: []string{"def f"}}}, want: "def f():\n    x = 2\n\ndef g():\n    x = 1\n"},
		{name: "after nested anchors",
			src: "class A:\n    def f():\n        x = 1\nclass B:\n    def f():\n        x = 1\n",
			edits: []atomicedit.Edit{{Old: "        x = 1\n", New: "        x = 2\n", WholeLines: true,
				Anchors: []string{"class B:", "def f():"}}},
			want: "class A:\n    def f():\n        x = 1\nclass B:\n    def f():\n        x = 2\n"},
		{name: "an anchor that is not there", src: "x = 1\n",
			edits: []atomicedit.Edit{{Old: "x = 1\n", New: "x = 2\n", WholeLines: true, Anchors: []string{"def g():"}}},
			err:   atomicedit.ErrNotFound},
		{name: "only before the anchor", src: "x = 1\ndef g():\n",
			edits: []atomicedit.Edit{{Old: "x = 1\n", New: "x = 2\n", WholeLines: true, Anchors: []string{"def g():"}}},
			err:   atomicedit.ErrNotFound},
		{name: "inserted after an anchor", src: "def f():\n    pass\n",
			edits: []atomicedit.Edit{{New: "    x = 1\n", WholeLines: true, Anchors: []string{"def f():"}}},
			want:  "def f():\n    x = 1\n    pass\n"},
		{name: "at the end", src: "x\ny\nx\n",
			edits: []atomicedit.Edit{{Old: "x\n", New: "z\n", WholeLines: true, AtEnd: true}}, want: "x\ny\nz\n"},
		{name: "not at the end", src: "x\ny\n",
			edits: []atomicedit.Edit{{Old: "x\n", New: "z\n", WholeLines: true, AtEnd: true}},
			err:   atomicedit.ErrNotFound},
		{name: "near a line", src: "x\na\nb\nc\nd\ne\nf\nx\n", edits: []atomicedit.Edit{{Old: "x", New: "y", Near: 7}},
			want: "x\na\nb\nc\nd\ne\nf\ny\n"},

		// Indentation (I3), and what is found to the byte only (P3).
		{name: "indented", src: "class A:\n    def f(self):\n        return 1\n",
			edits: []atomicedit.Edit{{Old: "def f(self):\n    return 1", New: "def f(self):\n    x = 1\n    return x"}},
			want:  "class A:\n    def f(self):\n        x = 1\n        return x\n"},
		{name: "tabs for spaces", src: "f {\n\tif x {\n\t\ty()\n\t}\n}\n",
			edits: []atomicedit.Edit{accepttest.Lines("    if x {\n        y()\n    }\n",
				"    if x {\n        y()\n        if z {\n            w()\n        }\n    }\n")},
			want: "f {\n\tif x {\n\t\ty()\n\t\tif z {\n\t\t\tw()\n\t\t}\n\t}\n}\n"},
		{name: "what begins in mid-line is exact", src: "    foo(a,  b)\n",
			edits: []atomicedit.Edit{{Old: "foo(a, b)", New: "foo(b)"}}, err: atomicedit.ErrNotFound},
		{name: "joining lines is exact", src: "  a()\n  b()\n", edits: []atomicedit.Edit{{Old: "a() \n", New: "c()"}},
			err: atomicedit.ErrNotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := []byte(c.src)
			res, err := atomicedit.Apply(src, c.edits, nil)
			if string(src) != c.src {
				t.Errorf("the source was changed to %q", src)
			}
			if !errors.Is(err, c.err) || err != nil && c.err == nil {
				t.Fatalf("got %v, want %v", err, c.err)
			}
			if err != nil {
				return
			}
			if d := cmp.Diff(c.want, string(res.Text)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			accepttest.CheckResult(t, src, res)
		})
	}
}

func TestBytesOutsideTheMatchesAreUntouched(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(accepttest.TextOf(t))
		kept := bytes.Clone(src)
		var edits []atomicedit.Edit
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			edits = append(edits, accepttest.EditOf(t, string(src)))
		}
		res, err := atomicedit.Apply(src, edits, nil)
		if !bytes.Equal(src, kept) {
			t.Fatalf("the source was changed")
		}
		var refusal *atomicedit.Refusal
		if err != nil {
			if !errors.As(err, &refusal) || res != nil || len(refusal.Problems) == 0 {
				t.Fatalf("%v, %v", res, err)
			}
			for _, p := range refusal.Problems {
				if p.Err == nil || p.Code == "" || p.Code == "other" || p.Msg == "" {
					t.Fatalf("incomplete problem %+v", p)
				}
			}
			return
		}
		accepttest.CheckResult(t, src, res)
		again, err := atomicedit.Apply(src, edits, nil)
		if err != nil || !reflect.DeepEqual(res, again) {
			t.Fatalf("once more it is %+v, %v, not %+v", again, err, res)
		}
	})
}

func TestAnExactFitStaysWhenLooserOnesAreAllowed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(accepttest.TextOf(t))
		edits := []atomicedit.Edit{accepttest.EditOf(t, string(src))}
		exact, err := atomicedit.Apply(src, edits, &atomicedit.Options{Loosest: atomicedit.Exact})
		if err != nil {
			return
		}
		for loosest := atomicedit.Spacing; loosest <= atomicedit.Drift; loosest++ {
			res, err := atomicedit.Apply(src, edits, &atomicedit.Options{Loosest: loosest})
			if err != nil || !bytes.Equal(res.Text, exact.Text) {
				t.Fatalf("%v allowed: %v, %+v, not %q", loosest, err, res, exact.Text)
			}
		}
	})
}

func TestAStringThatIsThereOnceIsReplacedAsTheStandardLibraryDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := rapid.StringMatching(`[ab \n]{0,40}`).Draw(t, "src")
		var edits []atomicedit.Edit
		now := src
		for range 3 {
			from := rapid.IntRange(0, len(now)).Draw(t, "from")
			e := atomicedit.Edit{Old: now[from:rapid.IntRange(from, len(now)).Draw(t, "to")],
				New: rapid.StringMatching(`[abc\n]{0,6}`).Draw(t, "new")}
			isRival := func(other atomicedit.Edit) bool { return other.Old == e.Old }
			if !isReplacedAsWritten(now, e) || slices.ContainsFunc(edits, isRival) {
				continue
			}
			edits = append(edits, e)
			if lines := wholeLines(now, e); lines != nil && rapid.Bool().Draw(t, "with its lines") {
				now = now[:lines[0]] + now[lines[1]:]
			} else {
				now = strings.Replace(now, e.Old, e.New, 1)
			}
		}
		want, deep := src, false // deep: an edit shows or hides indentation, and may be refused for losing it
		for i, e := range edits {
			lines := wholeLines(want, e)
			deep = deep || regexp.MustCompile("(?m)^ +").MatchString(e.Old) ||
				regexp.MustCompile("(?m)^ +"+regexp.QuoteMeta(e.Old)).MatchString(want)
			switch {
			case !isReplacedAsWritten(want, e):
				return // an earlier edit has left another text than the one that e was drawn for
			case lines != nil && (strings.HasSuffix(e.Old, "\n") || !showsEmptyLine(edits[i+1:], want, lines, e.Old)):
				want = want[:lines[0]] + want[lines[1]:]
			default:
				want = strings.Replace(want, e.Old, e.New, 1)
			}
		}
		if want == src {
			return // edits that cancel one another out
		}
		res, err := atomicedit.Apply([]byte(src), edits, nil)
		if deep && (errors.Is(err, fs.ErrInvalid) || errors.Is(err, atomicedit.ErrNotFound)) {
			return
		}
		if err != nil || string(res.Text) != want {
			t.Fatalf("got %+v, %v, want %q", res, err, want)
		}
	})
}

// isReplacedAsWritten reports whether src has the old text of e once, and no rule says that e means anything but its
// new text there.
func isReplacedAsWritten(src string, e atomicedit.Edit) bool {
	if e.Old == e.New || e.Old == "" || occurrencesOverlapping(src, e.Old) != 1 {
		return false
	}
	// the last newline
	keeps := strings.HasSuffix(e.Old, "\n") && e.New != "" && !strings.HasSuffix(e.New, "\n") &&
		!strings.HasSuffix(e.New, " ") && e.Old != e.New+"\n"
	within := strings.Contains("\n"+e.Old, "\n ") && strings.Contains(e.New, "\n") // the indentation, perhaps
	end := strings.Index(src, e.Old) + len(e.Old)
	head, tail := regexp.MustCompile(`[abc]*$`).FindString(src[:end]),
		regexp.MustCompile(`^[abc]*`).FindString(src[end:])
	// the whole of the word in which the old text ends
	cut := head != "" && tail != "" && strings.Contains(e.New, head+tail)
	behind := head != "" && tail != "" && strings.HasPrefix(e.New, e.Old+"\n") && !strings.HasSuffix(e.New, "\n")
	front := strings.TrimLeft(src[strings.LastIndexByte(src[:end-len(e.Old)], '\n')+1:end-len(e.Old)], " ")
	before := front != "" && strings.HasPrefix(e.New, front)
	// a line with a word, which may be beside the place already
	isBeside := func(l string) bool { return len(l) > 2 && strings.Contains("\n"+src+"\n", "\n"+l+"\n") }
	doubles := slices.ContainsFunc(strings.Split(e.New, "\n"), isBeside)
	indented := strings.HasPrefix(src[strings.LastIndexByte(src[:end], '\n')+1:], " ")
	flush := indented && strings.HasSuffix(e.New, "\n") && !strings.HasSuffix(e.Old, "\n") // the rest of the line
	// it may be the same edit again
	again := strings.Contains(e.New, e.Old) && strings.Contains(src, e.New)
	first, _, _ := strings.Cut(e.Old, "\n")
	added := strings.Index(e.New, "\n"+first) + 1 // an earlier edit may have added the lines up to there
	repeats := added > 0 && strings.HasSuffix(src[:strings.Index(src, e.Old)], e.New[:added])
	return !within && !again && !cut && !behind && !before && !doubles && !flush && !repeats && !keeps
}

// wholeLines returns where src has the lines that an edit deletes, with the indentation before them and the line ending
// after them, nil if it deletes no whole lines.
func wholeLines(src string, e atomicedit.Edit) []int {
	if e.New != "" || strings.TrimSpace(e.Old) == "" || strings.HasPrefix(e.Old, "\n") {
		return nil
	}
	return regexp.MustCompile("(?m)^ *" + regexp.QuoteMeta(strings.TrimSuffix(e.Old, "\n")) + "\n").FindStringIndex(src)
}

// showsEmptyLine reports whether the old text of a later edit has what would be left of the lines of a deleted text,
// with the line above or the line below.
func showsEmptyLine(later []atomicedit.Edit, src string, lines []int, deleted string) bool {
	indent, _, _ := strings.Cut(src[lines[0]:lines[1]], deleted)
	above := "\n" + src[:lines[0]]
	above = above[strings.LastIndex(above[:len(above)-1], "\n")+1:]
	below, _, _ := strings.Cut(src[lines[1]:], "\n")
	return slices.ContainsFunc(later, func(e atomicedit.Edit) bool {
		return strings.Contains(e.Old, above+indent+"\n") || strings.Contains(e.Old, "\n"+indent+"\n"+below)
	})
}

func occurrencesOverlapping(s, sub string) (n int) {
	for i := range s {
		if strings.HasPrefix(s[i:], sub) {
			n++
		}
	}
	return n
}

// P3: a string that is all of some lines, and is replaced by nothing, takes their indentation and the last line ending
// with it.
func TestADeletedStringLeavesNoEmptyLine(t *testing.T) {
	gone := func(old string) []atomicedit.Edit { return []atomicedit.Edit{{Old: old}} }
	all := func(old string) []atomicedit.Edit { return []atomicedit.Edit{{Old: old, Count: atomicedit.All}} }
	then := func(old, later, new string) []atomicedit.Edit {
		return []atomicedit.Edit{{Old: old}, {Old: later, New: new}}
	}
	for _, c := range []struct {
		name, src string
		edits     []atomicedit.Edit
		want      string
		whole     bool // the lines are removed, and a note says so
	}{
		{"a line", "a\nb\nc\n", gone("b"), "a\nc\n", true},
		{"the only line", "b\n", gone("b"), "", true},
		{"the first line", "b\nc\n", gone("b"), "c\n", true},
		{"several lines", "a\nb\nc\nd\n", gone("b\nc"), "a\nd\n", true},
		{"several lines, the first of them blank", "a\n\t\nb\nc\n", gone("\t\nb"), "a\nc\n", true},
		{"next to blank lines, which stay", "a\n\nb\n\nc\n", gone("b"), "a\n\n\nc\n", true},
		{"with the indentation before it", "if a {\n\tb\n}\n", gone("b"), "if a {\n}\n", true},
		{"with some of the indentation before it", "a:\n    b\nc\n", gone("  b"), "a:\nc\n", true},
		{"its own indentation", "a:\n    b\nc\n", gone("    b"), "a:\nc\n", true},
		{"several lines with the indentation before them", "a {\n\tb {\n\t}\n}\n", gone("b {\n\t}"), "a {\n}\n", true},
		{"whitespace at its end", "a\nb \nc\n", gone("b "), "a\nc\n", true},
		{"the last line", "a\nb\n", gone("b"), "a\n", true},
		{"CRLF", "a\r\n  b\r\nc\r\n", gone("b"), "a\r\nc\r\n", true},
		{"several lines in CRLF", "a\r\nb\r\nc\r\nd\r\n", gone("b\nc"), "a\r\nd\r\n", true},
		{"lone carriage returns", "a\rb\rc\r", gone("b"), "a\rc\r", true},
		{"all places, each a whole line", "x\na\n  x\nb\n", all("x"), "a\nb\n", true},
		{"a newline at its end, and the indentation before it", "a:\n    b\n    c\n", gone("b\n"), "a:\n    c\n", true},
		{"some of the indentation before it, and a newline at its end", "a:\n    b\nc\n", gone("  b\n"), "a:\nc\n",
			true},
		{"several lines and a newline at their end", "a {\n\tb {\n\t}\n}\n", gone("b {\n\t}\n"), "a {\n}\n", true},
		{"the last line, with a newline at its end", "a:\r\n  b\r\n", gone("b\n"), "a:\r\n", true},
		{"all places with a newline at their end", "  x\na\nx\n  x\n", all("x\n"), "a\n", true},
		{"a later edit of the lines around it", "a\nb\nc\n", then("b", "a\nc", "d"), "d\n", true},

		{"the last line, which has no ending", "a\nb", gone("b"), "a\n", false},
		{"the only line, which has no ending", "b", gone("b"), "", false},
		{"text remains before it", "a\nx b\nc\n", gone("b"), "a\nx \nc\n", false},
		{"text remains after it", "a\nb x\nc\n", gone("b"), "a\n x\nc\n", false},
		{"whitespace remains after it", "a\nb \nc\n", gone("b"), "a\n \nc\n", false},
		{"a newline at its end", "a\nb\nc\n", gone("b\n"), "a\nc\n", false},
		{"a newline at its end, above a blank line", "a\nb\n\nc\n", gone("b\n"), "a\n\nc\n", false},
		{"a newline at its beginning", "a\nb\nc\n", gone("\nb"), "a\nc\n", false},
		{"a newline at its beginning, in CRLF", "a\r\nb\r\nc\r\n", gone("\r\nb"), "a\r\nc\r\n", false},
		{"blanks alone", "a\n  \nb\n", gone("  "), "a\n\nb\n", false},
		{"blanks alone, all of them", "a\n\t\n\t\nb\n", all("\t"), "a\n\n\nb\n", false},
		{"all places, one with text beside it", "x\na x\nb\n", all("x"), "\na \nb\n", false},
		{"all places, one without a line ending", "x\na\nx", all("x"), "\na\n", false},
		{"a later edit that shows the empty line below another", "a\nb\nc\n", then("b", "a\n\n", "d\n"), "d\nc\n",
			false},
		{"a later edit that shows the empty line above another", "a\nb\nc\n", then("b", "\n\nc", "\nd"), "a\nd\n",
			false},
		{"a later edit that shows the line with its indentation", "a\n\tb\nc\n", then("b", "a\n\t\nc", "d"), "d\n",
			false},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := atomicedit.Apply([]byte(c.src), c.edits, nil)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, string(res.Text)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if (len(res.Notes) > 0) != c.whole {
				t.Errorf("notes %+v, want some: %v", res.Notes, c.whole)
			}
			accepttest.CheckResult(t, []byte(c.src), res)
		})
	}
}

// Two edits with one old text and different new ones ask for two outcomes of one place.
func TestRivalEditsAreRefused(t *testing.T) {
	edit := func(older, newer string) atomicedit.Edit { return atomicedit.Edit{Old: older, New: newer} }
	for _, tt := range []struct {
		name, source string
		edits        []atomicedit.Edit
		want         string // "" if refused
	}{
		{"within what the first has written", "port = 80\n",
			[]atomicedit.Edit{edit("port = 80", "port = 8080"), edit("port = 80", "port = 8443")}, ""},
		{"the first keeps it", "a\n", []atomicedit.Edit{edit("a", "a\nb"), edit("a", "c")}, ""},
		{"with other line endings", "a\r\nb\r\n", []atomicedit.Edit{edit("a\nb", "a\nb\nc"), edit("a\r\nb", "x")}, ""},
		{"an edit of what the first has written", "a\n", []atomicedit.Edit{edit("a", "bb"), edit("bb", "c")}, "c\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			result, err := atomicedit.Apply([]byte(tt.source), tt.edits, nil)
			if tt.want == "" {
				if !errors.Is(err, atomicedit.ErrOverlap) {
					t.Errorf("error %v, %+v", err, result)
				}
			} else if err != nil || string(result.Text) != tt.want {
				t.Errorf("error %v, %+v", err, result)
			}
		})
	}
}
