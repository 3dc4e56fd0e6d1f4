package place_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/atomicedit/atomicedit"
	"github.com/atomicedit/atomicedit/internal/accept/accepttest"
	"github.com/google/go-cmp/cmp"
)

const explained = `package main

func f(u User) error {
	if u.ok {
		return nil
	}
	return errors.New("bad")
}

func g(u User) error {
	if u.ok {
		return nil
	}
	return errors.New("worse")
}
`

func TestRefusalsSayWhatTheTextReallyLooksLike(t *testing.T) {
	for _, c := range []struct {
		name  string
		edits []atomicedit.Edit
		want  string
	}{
		{"a line differs", []atomicedit.Edit{accepttest.Lines("func f(u User) error {\n\tif !u.ok {\n\t\treturn nil\n",
			"func f(u User) error {\n\tif !u.fine {\n\t\treturn nil\n")},
			`the old text is not there; the closest is at lines 3 to 5:
     3	func f(u User) error {
     4		if u.ok {
     5			return nil
line 4: the old text has "\tif !u.ok {", the file has "\tif u.ok {"`},
		{"a line left out", []atomicedit.Edit{accepttest.Lines("func f(u User) error {\n\t\treturn nil\n\t}\n\treturn errors.New(\"bad\")\n", "x\n")},
			`the old text is not there; the closest is at lines 3 to 7:
     3	func f(u User) error {
     4		if u.ok {
     5			return nil
     6		}
     7		return errors.New("bad")
line 4: the old text lacks "\tif u.ok {"`},
		{"a line too many", []atomicedit.Edit{accepttest.Lines("func f(u User) error {\n\tlog(u)\n\tif u.ok {\n\t\treturn nil\n\t}\n", "x\n")},
			`the old text is not there; the closest is at lines 3 to 6:
     3	func f(u User) error {
     4		if u.ok {
     5			return nil
     6		}
below line 3: the old text has "\tlog(u)", the file does not`},
		{"a blank line between", []atomicedit.Edit{accepttest.Lines("package maim\n\nfunc f(u User) error {\n", "x\n")},
			`the old text is not there; the closest is at lines 1 to 3:
     1	package main
     2	
     3	func f(u User) error {
line 1: the old text has "package maim", the file has "package main"`},
		{"a word differs", []atomicedit.Edit{{Old: `errors.New("baad")`, New: "x"}},
			`the old text is not there; the closest are at line 14 and, compared below, at line 7:
     7		return errors.New("bad")
    14		return errors.New("worse")
line 7: the old text has "errors.New(\"baad\")", the file has "\treturn errors.New(\"bad\")"`},
		{"lines beyond the end", []atomicedit.Edit{accepttest.Lines("\treturn errors.New(\"worse\")\n}\nfunc h() {\n",
			"x\n")},
			`the old text is not there; the closest is at lines 14 to 15:
    14		return errors.New("worse")
    15	}
below line 15: the old text has "func h() {", the file does not`},
		{"lines before the first", []atomicedit.Edit{accepttest.Lines("// A comment.\npackage main\n\nfunc f(u User) error {\n", "x\n")},
			`the old text is not there; the closest is at lines 1 to 3:
     1	package main
     2	
     3	func f(u User) error {
above line 1: the old text has "// A comment.", the file does not`},
		{"nothing alike", []atomicedit.Edit{{Old: "nothing of that kind", New: "x"}},
			"the old text is not there, nor is any text close to it: read the file"},
		{"twice", []atomicedit.Edit{accepttest.Lines("\tif u.ok {\n\t\treturn nil\n", "\tif u.ok {\n\t\treturn err\n")},
			`the old text is there twice, at lines 4, 11: show more lines around the one you mean. The nearest lines that tell them apart, in this order:
     3	func f(u User) error {
    10	func g(u User) error {`},
		{"twice, below lines that are alike", []atomicedit.Edit{{Old: "return nil", New: "return err"}},
			`the old text is there twice, at lines 5, 12: show more lines around the one you mean. The nearest lines that tell them apart, in this order:
     3	func f(u User) error {
    10	func g(u User) error {`},
		{"escaped", []atomicedit.Edit{{Old: `return errors.New(\"bad\")`, New: `return nil`}},
			`the old text is not there as written, but it is after one level of unescaping ("\n", "\"", "&lt;" and the like): send the old text and the new text without the escapes`},
		{"markup", []atomicedit.Edit{{Old: `func f(u User) error {&#10;`, New: `x`}},
			`the old text is not there as written, but it is after one level of unescaping ("\n", "\"", "&lt;" and the like): send the old text and the new text without the escapes`},
		{"consumed", []atomicedit.Edit{{Old: "u.ok", New: "u.fine", Count: atomicedit.All},
			{Old: "if u.ok {", New: "if u.good {"}},
			"edit 2: the old text was at line 4 when the request started, but edit 1 has changed it: write it as it is after that edit, or combine the two edits into one"},
		{"done already", []atomicedit.Edit{accepttest.Lines("func k(u User) error {\n", "func g(u User) error {\n")},
			"the old text is not there, but the new text is, at line 10: the change seems to have been made already; if so, leave the edit out"},
		{"all problems at once", []atomicedit.Edit{{Old: "nothing of that kind", New: "nothing of the kind"},
			{Old: "package main", New: "package lib"}, {Old: "nothing of the kind", New: "x"}},
			`2 problems, nothing was changed
1. edit 1: the old text is not there, nor is any text close to it: read the file
2. edit 3: not tried: it looks for text that edit 1 writes, and that edit was refused`},
		{"an anchor that is not there, above several places",
			[]atomicedit.Edit{{Old: "\treturn nil\n", New: "x\n", WholeLines: true, Anchors: []string{"func h"}}},
			`no line matches the anchor "func h" where the request places it: copy a whole line that stands above the change`},
		{"an anchor in other words", []atomicedit.Edit{{Old: "\treturn errors.New(\"bad\")\n", New: "x\n", WholeLines: true,
			Anchors: []string{"func f(u *User) error {"}}},
			`no line matches the anchor "func f(u *User) error {" where the request places it: copy a whole line that stands above the change, or leave the anchor out. The line that is most like it:
     3	func f(u User) error {`},
		{"within the scope of the anchor", []atomicedit.Edit{{Old: "\tif u.ok {\n\t\treturn nil, nil\n", New: "x\n",
			WholeLines: true, Anchors: []string{"func g"}}},
			`the old text is not there; the closest is at lines 11 to 12:
    11		if u.ok {
    12			return nil
line 12: the old text has "\t\treturn nil, nil", the file has "\t\treturn nil"`},
		{"so many times", []atomicedit.Edit{{Old: "return nil", New: "return err", Count: 3}},
			"the old text is there twice, at lines 5, 12, not 3 times as the request says: correct the count, or the old text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := atomicedit.Apply([]byte(explained), c.edits, nil)
			if err == nil {
				t.Fatal("not refused")
			}
			if d := cmp.Diff(c.want, strings.TrimSpace(err.Error())); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// Lines behind an elision are no reason to look for those before it above the text: that panicked.
// A bracket above and below the lines does not put them in another order.
func TestLinesThatDifferInIndentationAreInTheirOrder(t *testing.T) {
	src := "\t\t}\n\t\tif ok {\n\t\t\trun()\n\t\t}\n"
	_, err := atomicedit.Apply([]byte(src), []atomicedit.Edit{{Old: "  if ok {\n    run()\n  }\n", New: "x\n"}},
		&atomicedit.Options{Loosest: atomicedit.Exact})
	if err == nil || !strings.Contains(err.Error(), "the closest is at lines 2 to 4") {
		t.Error(err)
	}
}

func TestTheNearestTextOfAnElision(t *testing.T) {
	behind := "...\n" + strings.Repeat("alpha()\n", 9)
	edit := accepttest.Lines("alpha()\n"+behind, "beta()\n"+behind)
	if _, err := atomicedit.Apply([]byte("alpha()\n"), []atomicedit.Edit{edit}, nil); !errors.Is(err,
		atomicedit.ErrNotFound) {
		t.Error(err)
	}
}

// A string in another notation that ends with a line ending, and characters that nobody sees behind it: that panicked.
func TestAStringInAnotherNotationThatEndsALine(t *testing.T) {
	for _, src := range []string{"one … two\n", "one … two\r\nmore\r\n"} {
		_, err := atomicedit.Apply([]byte(src), []atomicedit.Edit{{Old: "one ... two\n\u200b", New: "x"}}, nil)
		if err != nil && !errors.Is(err, atomicedit.ErrNotFound) {
			t.Errorf("%q: %v", src, err)
		}
	}
}

func TestTheNearestTextOfARefusal(t *testing.T) {
	_, err := atomicedit.Apply([]byte(explained),
		[]atomicedit.Edit{accepttest.Lines("func g(u User) error {\n\tif u.okay {\n\t\treturn nil\n", "x\n")}, nil)
	var r *atomicedit.Refusal
	if !errors.As(err, &r) {
		t.Fatal(err)
	}
	n := r.Problems[0].Nearest
	if n == nil || n.Line != 10 || n.Text != "func g(u User) error {\n\tif u.ok {\n\t\treturn nil\n" ||
		n.Similarity < 0.8 || n.Similarity >= 1 {
		t.Errorf("%+v", n)
	}
}

func TestRefusalsAreShortWhateverTheText(t *testing.T) {
	long := strings.Repeat("word ", 50_000)
	var many strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&many, "line %d of many: %s\n", i, long[:100])
	}
	for _, c := range []struct{ src, old string }{
		{long + "end\n", long + "and\n"},
		{long + "\n", strings.Replace(long, "word", "wort", 1) + "\n"},
		{many.String(), strings.ReplaceAll(many.String(), "of many", "of much")},
		{strings.Repeat("the same\n", 5000), "the same\n"},
		{strings.Repeat("é", 40_000) + "\nand this\n", strings.Repeat("é", 39_999) + "\nand that\n"},
	} {
		_, err := atomicedit.Apply([]byte(c.src), []atomicedit.Edit{accepttest.Lines(c.old, "x\n")}, nil)
		var r *atomicedit.Refusal
		if !errors.As(err, &r) {
			t.Fatalf("not refused: %v", err)
		}
		if msg := err.Error(); len(msg) > 4000 || strings.Count(msg, "\n") > 20 {
			t.Errorf("%d bytes in %d lines", len(msg), strings.Count(msg, "\n"))
		}
		if first, _, _ := strings.Cut(err.Error(), "\n"); len(first) > 700 {
			t.Errorf("a first line of %d bytes", len(first))
		}
	}
}
