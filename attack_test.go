package atomicedit

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// block is an edit of whole lines, written as a test reads best.
func lines(old, new string) Edit { return Edit{Old: old, New: new, WholeLines: true} }

// Attacks are requests that a careless applier carries out in the wrong place, or with the wrong text. Each is refused,
// or does what is written here, with a note where something was taken by default.
var attacks = []struct {
	name  string
	src   string
	edits []Edit
	want  string // the new text; "" if refused
	err   error
	note  string // part of a note that must be there
}{
	{name: "1 reversed blocks, one unique and one ambiguous",
		src:   "x = 1\ncall_me(x)\ny = 2\nx = 1\ncall_me(x)\nz = 3\n",
		edits: []Edit{lines("z = 3\n", "z = 4\n"), lines("x = 1\ncall_me(x)\n", "x = 5\ncall_me(x)\n")},
		err:   ErrAmbiguous},
	{name: "2 the same insertion twice",
		src:   "first line\nlast line\n",
		edits: []Edit{lines("first line\nlast line\n", "first line\nnew\nlast line\n"), lines("first line\nlast line\n", "first line\nnew\nlast line\n")},
		err:   ErrOverlap},
	{name: "3 the target changed and a neighbour holds the old line",
		src:   "alpha:\n  timeout: 30\n  retries: 3\nbeta:\n  timeout: 10\n  retries: 5\n",
		edits: []Edit{lines("alpha:\n  timeout: 10\n  retries: 3\n", "alpha:\n  timeout: 20\n  retries: 3\n")},
		err:   ErrNotFound},
	{name: "4 a condition negated in context",
		src:   "def f(u):\n    if not u.ok:\n        return first(u)\n    return second(u)\n",
		edits: []Edit{lines("def f(u):\n    if u.ok:\n        return first(u)\n    return second(u)\n", "def f(u):\n    if u.ok:\n        return first(u)\n    return third(u)\n")},
		err:   ErrNotFound},
	{name: "5 the line after an elision is in another scope",
		src:   "def f():\n    a = 1\n    return a\n\ndef g():\n    b = 1\n    return b\n",
		edits: []Edit{lines("def f():\n    ...\n    return b\n", "def f():\n    ...\n    return c\n")},
		err:   ErrNotFound},
	{name: "6 a placeholder where the old text shows code",
		src:   "def f():\n    one()\n    two()\n    three()\n",
		edits: []Edit{lines("def f():\n    one()\n    two()\n    three()\n", "def f():\n    # ...\n    four()\n")},
		err:   ErrPlaceholder},
	{name: "9 dedented code being wrapped in a block",
		src:   "class A:\n    def f(self):\n        work()\n        more()\n",
		edits: []Edit{lines("work()\nmore()\n", "if ready:\n    work()\n    more()\n")},
		want:  "class A:\n    def f(self):\n        if ready:\n            work()\n            more()\n"},
	{name: "10 a recipe with spaces, only column 0 to learn from",
		src:   "all: build\n\t@echo done\n\nclean:\n\trm -f *.o\n",
		edits: []Edit{lines("clean:\n", "test:\n    go test\n\nclean:\n")},
		want:  "all: build\n\t@echo done\n\ntest:\n    go test\n\nclean:\n\trm -f *.o\n", note: "spaces"},
	{name: "11 typographic quotes in new text",
		src:   "title: plain\nbody: text\n",
		edits: []Edit{lines("body: text\n", "body: “quoted” text\n")},
		want:  "title: plain\nbody: “quoted” text\n", note: "typographic double quotes"},
	{name: "12 old and new differ in a dash only, and the file has a third",
		src:   "range 1−5 is valid here\nmore text\n",
		edits: []Edit{lines("range 1-5 is valid here\nmore text\n", "range 1–5 is valid here\nmore text\n")},
		err:   ErrNotFound},
	{name: "13 a Markdown hard break requested",
		src:   "roses are red\nviolets are blue\n",
		edits: []Edit{lines("roses are red\nviolets are blue\n", "roses are red  \nviolets are blue\n")},
		want:  "roses are red  \nviolets are blue\n"},
	{name: "14 blank lines between removed lines that pair with added ones",
		src:   "alpha one\n\n\n\nbeta two\nend\n",
		edits: []Edit{lines("alpha one\nbeta two\n", "alpha 1\nbeta 2\n")},
		want:  "alpha 1\n\n\n\nbeta 2\nend\n"},
	{name: "15 leading numbers that are no line numbers",
		src:   "a\nb\nc\nfoo\nbar\n",
		edits: []Edit{lines("1 foo\n2 bar\n", "1 foo\n2 baz\n")},
		err:   ErrNotFound},
	{name: "16 a hint midway between twins",
		src:   "item()\n\n\n\nitem()\n",
		edits: []Edit{{Old: "item()\n", New: "thing()\n", WholeLines: true, Near: 3}},
		err:   ErrAmbiguous},
	{name: "17 two different insertions at one point",
		src:   "first line\nlast line\n",
		edits: []Edit{lines("first line\nlast line\n", "first line\nnew\nlast line\n"), lines("first line\nlast line\n", "first line\nother\nlast line\n")},
		err:   ErrOverlap},
	{name: "18 the first of two equal lines with other endings removed by a patch",
		src:   "head\r\nsame\r\nsame\ntail\n",
		edits: []Edit{{Old: "head\nsame\nsame\ntail\n", New: "head\nsame\ntail\n", WholeLines: true, hunk: " -  "}},
		want:  "head\r\nsame\ntail\n"},
	{name: "19 all, with three exact fits and one shifted",
		src:   "do(a)\ndo(b)\nx\ndo(a)\ndo(b)\ny\ndo(a)\ndo(b)\n  do(a)\n  do(b)\n",
		edits: []Edit{{Old: "do(a)\ndo(b)\n", New: "do(c)\n", WholeLines: true, Count: All}},
		want:  "do(c)\nx\ndo(c)\ny\ndo(c)\n  do(a)\n  do(b)\n", note: "1 more"},
	{name: "21 an edit consumes one of two twins",
		src:   "call(one)\nset(x)\ncall(one)\nend()\n",
		edits: []Edit{lines("set(x)\ncall(one)\nend()\n", "set(x)\ncall(two)\nend()\n"), lines("call(one)\n", "call(three)\n")},
		err:   ErrAmbiguous},
	{name: "22 an insertion beside an elision",
		src:   "def f():\n    one()\n    two()\n    three()\n    four()\n",
		edits: []Edit{lines("    one()\n    ...\n    four()\n", "    one()\n    ...\n    extra()\n    four()\n")},
		want:  "def f():\n    one()\n    two()\n    three()\n    extra()\n    four()\n", note: "elision"},
	{name: "23 a short line that fits one deep line",
		src:   "def f():\n    if x:\n        return\n    go()\n",
		edits: []Edit{lines("return\n", "return 1\n")},
		want:  "def f():\n    if x:\n        return 1\n    go()\n", note: "indentation"},

	{name: "7 tabs for spaces, and a new line in column 0",
		src:   "class A:\n        x = 1\n        y = 2\n",
		edits: []Edit{lines("\tx = 1\n\ty = 2\n", "\tx = 1\nz = 3\n\ty = 2\n")},
		want:  "class A:\n        x = 1\nz = 3\n        y = 2\n"},
	{name: "8 a shift that would put a tab behind spaces",
		src:   "    alpha()\n    beta()\n",
		edits: []Edit{lines("alpha()\nbeta()\n", "alpha()\n\tgamma()\nbeta()\n")},
		want:  "    alpha()\n        gamma()\n    beta()\n"},
	// Of our own.
	{name: "24 all, with a hint that names one place",
		src:   "x = 1\ny\nx = 1\n",
		edits: []Edit{{Old: "x = 1\n", New: "x = 2\n", WholeLines: true, Count: All, Near: 3}},
		want:  "x = 2\ny\nx = 2\n"},
	{name: "25 all of a string, with a hint that names one place",
		src: "x = 1\ny\nx = 1\n", edits: []Edit{{Old: "x", New: "z", Count: All, Near: 3}}, want: "z = 1\ny\nz = 1\n"},
	{name: "26 one indentation of the request stands for two, as near to the new line",
		src:   "block {\n\tfirst()\n\t\tsecond()\n}\n",
		edits: []Edit{lines("  first()\n  second()\n", "  first()\n  between()\n  second()\n")},
		err:   ErrNotFound},
	{name: "27 digits in context differ",
		src:   "version = 2\nurl = get(\"v2\")\nretries = three\ntimeout = four\n",
		edits: []Edit{lines("version = 1\nurl = get(\"v2\")\nretries = three\ntimeout = four\n", "version = 1\nurl = get(\"v2\")\nretries = three\ntimeout = five\n")},
		err:   ErrNotFound},
	{name: "28 arguments in context swapped",
		src:   "begin here\nmove(target, source)\nfinish here\nvalue = one\n",
		edits: []Edit{lines("begin here\nmove(source, target)\nfinish here\nvalue = one\n", "begin here\nmove(source, target)\nfinish here\nvalue = two\n")},
		err:   ErrNotFound},
	{name: "29 a hint far off, and one place",
		src:   "alpha = 1\n" + strings.Repeat("filler\n", 50),
		edits: []Edit{{Old: "alpha = 1\n", New: "alpha = 2\n", WholeLines: true, Near: 40}},
		want:  "alpha = 2\n" + strings.Repeat("filler\n", 50)},
	{name: "30 an anchor that heads two scopes with the text in both",
		src:   "def setup():\n    x = 1\n\ndef other():\n    pass\n\ndef setup():\n    x = 1\n",
		edits: []Edit{{Old: "    x = 1\n", New: "    x = 2\n", WholeLines: true, After: []string{"def setup():"}}},
		err:   ErrAmbiguous},
	{name: "31 an elision of nothing",
		src:   "def f():\n    one()\n    two()\n",
		edits: []Edit{lines("def f():\n    one()\n    ...\n    two()\n", "def f():\n    one()\n    ...\n    three()\n")},
		err:   ErrNotFound},
	{name: "32 an elision that the new text drops",
		src:   "def f():\n    one()\n    two()\n    three()\n",
		edits: []Edit{lines("def f():\n    one()\n    ...\n    three()\n", "def f():\n    three()\n")},
		err:   ErrNotFound},
	{name: "33 so many times, but one of them is indented otherwise",
		src:   "do(alpha)\nx\n  do(alpha)\n",
		edits: []Edit{{Old: "do(alpha)\n", New: "do(beta)\n", WholeLines: true, Count: 2}},
		err:   ErrCount},
	{name: "34 all, overlapping by a line",
		src:   "aa\nbb\naa\nbb\naa\n",
		edits: []Edit{{Old: "aa\nbb\naa\n", New: "aa\ncc\naa\n", WholeLines: true, Count: All}},
		err:   ErrOverlap},
	{name: "35 above the first line, behind a byte order mark",
		src:   "\xef\xbb\xbffirst\nsecond\n",
		edits: []Edit{lines("first\n", "zeroth\nfirst\n")},
		want:  "\xef\xbb\xbfzeroth\nfirst\nsecond\n"},
	{name: "36 shallower than anything that was shown, all of which is shifted alike",
		src:   "class A:\n  def f(self):\n    if x:\n      go(one)\n",
		edits: []Edit{lines("    go(one)\n", "    go(two)\ndone()\n")},
		want:  "class A:\n  def f(self):\n    if x:\n      go(two)\n  done()\n", note: "indentation"},
	{name: "37 a no-break space in the request",
		src:   "value = one two\nother = three\n",
		edits: []Edit{lines("value = one\u00a0two\nother = three\n", "value = one\u00a0two\nother\u00a0= four\n")},
		want:  "value = one two\nother = four\n", note: "notation"},
	{name: "38 decomposed letters in the request",
		src:   "name = \u00e9t\u00e9\nother = 1\n",
		edits: []Edit{lines("name = e\u0301te\u0301\nother = 1\n", "name = e\u0301te\u0301\nother = 2\n")},
		want:  "name = \u00e9t\u00e9\nother = 2\n", note: "notation"},
	{name: "39 a patch that removes one of two equal lines, and the file has three",
		src:   "head\nsame\nsame\nsame\ntail\n",
		edits: []Edit{{Old: "head\nsame\nsame\ntail\n", New: "head\nsame\ntail\n", WholeLines: true, hunk: " -  "}},
		err:   ErrNotFound},
	{name: "40 the text was changed to what was asked for, and there is another like the old one",
		src:   "alpha:\n  timeout: 20\n  retries: 3\nbeta:\n  timeout: 10\n  retries: 3\n",
		edits: []Edit{lines("alpha:\n  timeout: 10\n  retries: 3\n", "alpha:\n  timeout: 20\n  retries: 3\n")},
		err:   ErrApplied},
	{name: "41 a lone bracket, deep in the text",
		src:   "f {\n  g {\n    h()\n  }\n}\n",
		edits: []Edit{lines("    }\n", "    }\n    i()\n")},
		err:   ErrNotFound},
	{name: "42 exact in column 0, where the rest of the request is shifted and there is a twin deeper down",
		src:   "return value\nclass A:\n    def f(self):\n        unique(self)\n        return value\n",
		edits: []Edit{lines("def f(self):\n    unique(self)\n", "def f(self):\n    unique(1)\n"), lines("return value\n", "return other\n")},
		err:   ErrAmbiguous},
	{name: "43 line numbers that say another place than a better fit",
		src:   "go(one)\nx\ny\n    go(one)\n",
		edits: []Edit{lines("4| go(one)\n", "4| go(two)\n")},
		want:  "go(one)\nx\ny\n    go(two)\n", note: "line numbers"},
	{name: "44 one step of eight spaces may be one of the file's or two",
		src:   "f {\n\tif x {\n\t\tgo(one)\n\t}\n}\n",
		edits: []Edit{lines("        go(one)\n", "zero\n        go(two)\n")},
		err:   ErrNotFound},
	{name: "45 typographic signs in a line that drifted teach nothing",
		src:   "the dogs house is here\nand that is all\nwhat a day\n",
		edits: []Edit{lines("the dog’s house is here\nand that is all\nwhat a day\n", "the dog’s house is here\nand that is all\nwhat a dog’s day\n")},
		err:   ErrNotFound},
	{name: "46 a comment put in above a line that the request shows without the blank line before it",
		src:   "one()\n\ntwo()\n",
		edits: []Edit{lines("one()\ntwo()\n", "one()\n// about two\ntwo()\n")},
		want:  "one()\n\n// about two\ntwo()\n", note: "blank lines"},
	{name: "47 only blank lines are changed, and the text has others",
		src:   "one()\n\n\ntwo()\n",
		edits: []Edit{lines("one()\n\ntwo()\n", "one()\ntwo()\n")},
		err:   ErrNotFound},
	{name: "48 an edit of a mid-line string that the text has with other inner space",
		src: "if (a  ==  b) { go() }\n", edits: []Edit{{Old: "(a == b)", New: "(a != b)"}}, err: ErrNotFound},
	{name: "49 dots in the midst of a comment",
		src:   "package a\n\nfunc f() {}\n",
		edits: []Edit{lines("func f() {}\n", "// f does\n//\tone\n//\t...\n//\tten\nfunc f() {}\n")},
		want:  "package a\n\n// f does\n//\tone\n//\t...\n//\tten\nfunc f() {}\n"},
	{name: "50 a placeholder below a comment",
		src:   "func f() {\n\tone()\n\ttwo()\n}\n",
		edits: []Edit{lines("func f() {\n\tone()\n\ttwo()\n}\n", "func f() {\n\t// one and two\n\t// ... existing code ...\n\tthree()\n}\n")},
		err:   ErrPlaceholder},
	{name: "51 an edit that would join lines, and fits loosely, beside one that fits",
		src:   "  one()\n  two()\nthree\n",
		edits: []Edit{{Old: "three", New: "3"}, {Old: "one() \n", New: "1()"}},
		err:   ErrNotFound},
	{name: "52 half a step of the request",
		src:   "f {\n\tone()\n\ttwo()\n}\n",
		edits: []Edit{lines("    one()\n    two()\n", "    one()\n  three()\n    two()\n")},
		err:   ErrNotFound},
	{name: "53 shifted, or in steps of another width",
		src:   "def f(x):\n  one(x)\n  two(x)\n  if x:\n    three(x)\n",
		edits: []Edit{lines("    one(x)\n    two(x)\n", "    one(x)\n    if y:\n        two(x)\n")},
		err:   ErrNotFound},
	{name: "54 an elision into another function, closed by a bracket",
		src:   "func a() {\n\tone()\n}\n\nfunc b() {\n\tthree()\n\treturn err\n}\n",
		edits: []Edit{lines("func a() {\n\t// ...\n\treturn err\n}\n", "func a() {\n\t// ...\n\treturn nil\n}\n")},
		err:   ErrNotFound},
	{name: "55 an elision into another function, from the same depth",
		src:   "def a():\n    one()\n\ndef b():\n    three()\n    last(one)\n",
		edits: []Edit{lines("def a():\n    one()\n    ...\n    last(one)\n", "def a():\n    one()\n    ...\n    last(two)\n")},
		err:   ErrNotFound},
	{name: "56 another word is no typo",
		src:   "if isInvalid(x) {\n\treturn first(x)\n}\nlog(x)\n",
		edits: []Edit{lines("if isValid(x) {\n\treturn first(x)\n}\nlog(x)\n", "if isValid(x) {\n\treturn second(x)\n}\nlog(x)\n")},
		err:   ErrNotFound},
	{name: "57 only the first line lost its indentation",
		src:   "def f():\n    a(x)\n    if b(x):\n        c(x)\n    d(x)\n",
		edits: []Edit{lines("a(x)\n    if b(x):\n        c(x)\n", "a(x)\n    if b(x):\n        if y:\n            c(x)\n")},
		want:  "def f():\n    a(x)\n    if b(x):\n        if y:\n            c(x)\n    d(x)\n", note: "indentation"},
	{name: "58 a placeholder without dots",
		src:   "func f() {\n\tone()\n\ttwo()\n}\n",
		edits: []Edit{lines("func f() {\n\tone()\n\ttwo()\n}\n", "func f() {\n\t// rest of the code\n\tfour()\n}\n")},
		err:   ErrPlaceholder},
	{name: "59 words that stay keep the file's own signs",
		src:   "It’s a “fine” day — yes.\nNo.\n",
		edits: []Edit{lines("It's a \"fine\" day - yes.\n", "It's a \"very fine\" day - yes. Don't.\n")},
		want:  "It’s a “very fine” day — yes. Don't.\nNo.\n", note: "typographic"},
	{name: "60 signs of another length, too",
		src:   "wait… it’s 'a' b\n",
		edits: []Edit{lines("wait... it's 'a' b\n", "wait... it's 'a' c.\n")},
		want:  "wait… it’s 'a' c.\n", note: "typographic"},
	{name: "61 blank lines that the text lacks are no better than another depth",
		src:   "class Empty:\n    if x:\n        pass\n\nclass Full:\n    pass\n\n\nclass Queue:\n",
		edits: []Edit{lines("        pass\n\n\n", "        pass\n\n        y\n\n")},
		err:   ErrAmbiguous},
	{name: "a substring does not split a CRLF", src: "a\r\nb\r\n", edits: []Edit{{Old: "\nb", New: "\nc"}}, want: "a\r\nc\r\n"},
	{name: "a carriage return alone does not take one from an ending", src: "a\r\nb\r\n", edits: []Edit{{Old: "a\r", New: "x"}}, want: "x\r\nb\r\n"},
}

func TestAttacks(t *testing.T) {
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			res, err := Apply([]byte(a.src), a.edits, nil)
			if a.err != nil {
				if !errors.Is(err, a.err) {
					if err == nil {
						t.Fatalf("got %q, want refusal: %v", res.Text, a.err)
					}
					t.Fatalf("got %v, want %v", err, a.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(a.want, string(res.Text)); d != "" {
				t.Errorf("text (-want +got):\n%s", d)
			}
			var notes []string
			for _, n := range res.Notes {
				notes = append(notes, n.Msg)
			}
			if a.note != "" && !strings.Contains(strings.Join(notes, "\n"), a.note) {
				t.Errorf("notes %q lack %q", notes, a.note)
			}
		})
	}
}

func TestEqualLinesWithoutEndAreGivenUp(t *testing.T) {
	same := strings.Repeat("same line\n", 1000)
	text := []byte(strings.Repeat(same+"\n", 60) + "  " + strings.ReplaceAll(strings.TrimSuffix(same, "\n"), "\n", "\n  ") + "\n")
	// Only the last thousand lines are indented so; the candidates before take all the budget there is.
	edits := []Edit{lines(strings.ReplaceAll("\n"+same, "\nsame", "\n  same")[1:len(same)], "x\n")}
	_, err := Apply(text, edits, &Options{Loosest: Spacing})
	if !errors.Is(err, ErrAmbiguous) && !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
}
