package atomicedit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/atomicedit/atomicedit"
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
		{"a line differs", []atomicedit.Edit{lines("func f(u User) error {\n\tif !u.ok {\n\t\treturn nil\n", "func f(u User) error {\n\tif !u.fine {\n\t\treturn nil\n")},
			`edit 1: the old text is not there; the closest is at lines 3 to 5, where line 4 reads "\tif u.ok {", not "\tif !u.ok {":
  3| func f(u User) error {
> 4| →if [-!-]u.ok {
  5| 		return nil
([-only in the request-]{+only in the file+}; → is a tab, · a space at the start or end of a line)`},
		{"a word differs", []atomicedit.Edit{{Old: `errors.New("baad")`, New: "x"}},
			`edit 1: the old text is not there; the closest is at line 7, which reads "\treturn errors.New(\"bad\")", not "errors.New(\"baad\")":
> 7| {+→return +}errors.New("[-baad-]{+bad+}")
([-only in the request-]{+only in the file+}; → is a tab, · a space at the start or end of a line)`},
		{"lines beyond the end", []atomicedit.Edit{lines("\treturn errors.New(\"worse\")\n}\nfunc h() {\n", "x\n")},
			`edit 1: the old text is not there; the closest is at lines 14 to 15:
  14| 	return errors.New("worse")
  15| }
> after the last line| [-func h() {-]
([-only in the request-]{+only in the file+}; → is a tab, · a space at the start or end of a line)`},
		{"lines before the first", []atomicedit.Edit{lines("// A comment.\npackage main\n\nfunc f(u User) error {\n", "x\n")},
			`edit 1: the old text is not there; the closest is at lines 1 to 3:
> before the first line| [-// A comment.-]
  1| package main
  3| func f(u User) error {
([-only in the request-]{+only in the file+}; → is a tab, · a space at the start or end of a line)`},
		{"nothing alike", []atomicedit.Edit{{Old: "nothing of that kind", New: "x"}},
			"edit 1: the old text is not there, nor is any text close to it: read the file again"},
		{"twice", []atomicedit.Edit{lines("\tif u.ok {\n\t\treturn nil\n", "\tif u.ok {\n\t\treturn err\n")},
			`edit 1: the old text is there twice, at lines 4, 11: show more lines around the one you mean. The lines above them:
  3| func f(u User) error {
  10| func g(u User) error {`},
		{"escaped", []atomicedit.Edit{{Old: `return errors.New(\"bad\")`, New: `return nil`}},
			`edit 1: the old text is not there as written, but it is after one level of unescaping (\", \n, &lt; and the like): send old and new text without the escapes`},
		{"markup", []atomicedit.Edit{{Old: `func f(u User) error {&#10;`, New: `x`}},
			`edit 1: the old text is not there as written, but it is after one level of unescaping (\", \n, &lt; and the like): send old and new text without the escapes`},
		{"consumed", []atomicedit.Edit{{Old: "u.ok", New: "u.fine", Count: atomicedit.All}, {Old: "if u.ok {", New: "if u.good {"}},
			"edit 2: the old text was at line 4 when the request started, but edit 1 has changed it: write it as it is after that edit, or combine the two edits into one"},
		{"done already", []atomicedit.Edit{lines("func k(u User) error {\n", "func g(u User) error {\n")},
			"edit 1: the old text is not there, but the new text is, at line 10: the change seems to have been made already; if so, leave the edit out"},
		{"all problems at once", []atomicedit.Edit{{Old: "nothing of that kind", New: "nothing of the kind"}, {Old: "package main", New: "package lib"}, {Old: "nothing of the kind", New: "x"}},
			`2 problems, nothing was changed
1. edit 1: the old text is not there, nor is any text close to it: read the file again
2. edit 3: not tried: it looks for text that edit 1 writes, and that edit was refused`},
		{"an anchor that is not there", []atomicedit.Edit{{Old: "\treturn nil\n", New: "x\n", WholeLines: true, Anchors: []string{"func h"}}},
			`edit 1: no line matches the anchor "func h" where the request places it: copy a whole line that stands above the change, or leave the anchor out`},
		{"so many times", []atomicedit.Edit{{Old: "return nil", New: "return err", Count: 3}},
			"edit 1: the old text is there twice, at lines 5, 12, not 3 times as the request says: correct the count, or the old text"},
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

func TestRefusalsSayThatALooserFitIsThereWhichIsNotAllowed(t *testing.T) {
	for _, c := range []struct {
		name    string
		loosest atomicedit.Fit
		old     string
		want    string
	}{
		{"indentation", atomicedit.Spacing, "if u.ok {\n\treturn nil\n}\nreturn errors.New(\"bad\")\n",
			`edit 1: the old text differs from the file in indentation, which is not allowed here: copy it exactly as it is at lines 4 to 7:
> 4| {+→+}if u.ok {
> 5| [-→-]{+→→+}return nil
> 6| {+→+}}
> 7| {+→+}return errors.New("bad")`},
		{"space at the end", atomicedit.Exact, "func g(u User) error { \n",
			`edit 1: the old text differs from the file in trailing whitespace, which is not allowed here: ` +
				`copy it exactly as it is at line 10, which reads "func g(u User) error {", not "func g(u User) error { ":
> 10| func g(u User) error {[-·-]`},
		{"several places", atomicedit.Exact, "if u.ok {\n\treturn nil\n",
			"edit 1: the old text differs from the file in indentation, which is not allowed here: copy it exactly from lines 4, 11"},
		{"an elision", atomicedit.Notation, "func f(u User) error {\n...\n\treturn errors.New(\"bad\")\n",
			`edit 1: the old text differs from the file in lines left out as "...", which is not allowed here: copy it exactly from line 3`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := atomicedit.Apply([]byte(explained), []atomicedit.Edit{lines(c.old, strings.Replace(c.old, "u", "you", 1))}, &atomicedit.Options{Loosest: c.loosest})
			if !errors.Is(err, atomicedit.ErrNotFound) {
				t.Fatal(err)
			}
			got, _, _ := strings.Cut(err.Error(), "\n([-only")
			if d := cmp.Diff(c.want, strings.TrimSpace(got)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestTheNearestTextOfARefusal(t *testing.T) {
	_, err := atomicedit.Apply([]byte(explained), []atomicedit.Edit{lines("func g(u User) error {\n\tif u.okay {\n\t\treturn nil\n", "x\n")}, nil)
	var r *atomicedit.Refusal
	if !errors.As(err, &r) {
		t.Fatal(err)
	}
	n := r.Problems[0].Nearest
	if n == nil || n.Line != 10 || n.Text != "func g(u User) error {\n\tif u.ok {\n\t\treturn nil\n" || n.Similarity < 0.8 || n.Similarity >= 1 {
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
		_, err := atomicedit.Apply([]byte(c.src), []atomicedit.Edit{lines(c.old, "x\n")}, nil)
		var r *atomicedit.Refusal
		if !errors.As(err, &r) {
			t.Fatalf("not refused: %v", err)
		}
		if msg := err.Error(); len(msg) > 4000 || strings.Count(msg, "\n") > 15 {
			t.Errorf("%d bytes in %d lines", len(msg), strings.Count(msg, "\n"))
		}
		if first, _, _ := strings.Cut(err.Error(), "\n"); len(first) > 700 {
			t.Errorf("a first line of %d bytes", len(first))
		}
	}
}
