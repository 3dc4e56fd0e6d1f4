package atomicedit

import (
	"errors"
	"fmt"
	"strings"
	"testing"

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
		edits []Edit
		want  string
	}{
		{"a line differs", []Edit{lines("func f(u User) error {\n\tif !u.ok {\n\t\treturn nil\n", "func f(u User) error {\n\tif !u.fine {\n\t\treturn nil\n")},
			`edit 1: the old text is not there; the closest is at lines 3 to 5, where line 4 reads "\tif u.ok {", not "\tif !u.ok {":
  3| func f(u User) error {
> 4| →if [-!-]u.ok {
  5| 		return nil
([-only in the request-]{+only in the file+}; → is a tab, · a space at the start or end of a line)`},
		{"a word differs", []Edit{{Old: `errors.New("baad")`, New: "x"}},
			`edit 1: the old text is not there; the closest is at line 7, which reads "\treturn errors.New(\"bad\")", not "errors.New(\"baad\")":
> 7| {+→return +}errors.New("[-baad-]{+bad+}")
([-only in the request-]{+only in the file+}; → is a tab, · a space at the start or end of a line)`},
		{"lines beyond the end", []Edit{lines("\treturn errors.New(\"worse\")\n}\nfunc h() {\n", "x\n")},
			`edit 1: the old text is not there; the closest is at lines 14 to 15:
  14| 	return errors.New("worse")
  15| }
> after the last line| [-func h() {-]
([-only in the request-]{+only in the file+}; → is a tab, · a space at the start or end of a line)`},
		{"lines before the first", []Edit{lines("// A comment.\npackage main\n\nfunc f(u User) error {\n", "x\n")},
			`edit 1: the old text is not there; the closest is at lines 1 to 3:
> before the first line| [-// A comment.-]
  1| package main
  3| func f(u User) error {
([-only in the request-]{+only in the file+}; → is a tab, · a space at the start or end of a line)`},
		{"nothing alike", []Edit{{Old: "nothing of that kind", New: "x"}},
			"edit 1: the old text is not there, nor any text close to it: read the file again"},
		{"twice", []Edit{lines("\tif u.ok {\n\t\treturn nil\n", "\tif u.ok {\n\t\treturn err\n")},
			`edit 1: the old text is there twice, at lines 4, 11: show more of the lines around the one you mean. The lines above them:
  3| func f(u User) error {
  10| func g(u User) error {`},
		{"escaped", []Edit{{Old: `return errors.New(\"bad\")`, New: `return nil`}},
			`edit 1: the old text is not there as it stands, but it would be after one level of unescaping (\", \n, &lt; and the like): send old and new text without the escapes`},
		{"markup", []Edit{{Old: `func f(u User) error {&#10;`, New: `x`}},
			`edit 1: the old text is not there as it stands, but it would be after one level of unescaping (\", \n, &lt; and the like): send old and new text without the escapes`},
		{"consumed", []Edit{{Old: "u.ok", New: "u.fine", Count: All}, {Old: "if u.ok {", New: "if u.good {"}},
			"edit 2: the old text was there when the request started, in line 4, but edit 1 has changed it: write it as it is after that edit, or make one edit of both"},
		{"done already", []Edit{lines("func k(u User) error {\n", "func g(u User) error {\n")},
			"edit 1: the old text is not there, but the new text is, at line 10: the change seems to be made already"},
		{"all problems at once", []Edit{{Old: "nothing of that kind", New: "nothing of the kind"}, {Old: "package main", New: "package lib"}, {Old: "nothing of the kind", New: "x"}},
			`2 problems, nothing was changed
1. edit 1: the old text is not there, nor any text close to it: read the file again
2. edit 3: not tried: it looks for text that edit 1 writes, and that one was refused`},
		{"an anchor that is not there", []Edit{{Old: "\treturn nil\n", New: "x\n", WholeLines: true, After: []string{"func h"}}},
			`edit 1: no line reads "func h" where the request names it as an anchor: copy a whole line that stands above the change, or leave the anchor out`},
		{"so many times", []Edit{{Old: "return nil", New: "return err", Count: 3}},
			"edit 1: the old text is there twice, not 3 times as the request says: at lines 5, 12; correct the number, or the old text"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Apply([]byte(explained), c.edits, nil)
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
		loosest Fit
		old     string
		want    string
	}{
		{"indentation", Spacing, "if u.ok {\n\treturn nil\n}\nreturn errors.New(\"bad\")\n",
			`edit 1: the old text differs from the file in the indentation, which is not overlooked here: copy it exactly as it is at lines 4 to 7:
> 4| {+→+}if u.ok {
> 5| [-→-]{+→→+}return nil
> 6| {+→+}}
> 7| {+→+}return errors.New("bad")`},
		{"space at the end", Exact, "func g(u User) error { \n",
			`edit 1: the old text differs from the file in white space at line ends or blank lines, which is not overlooked here: ` +
				`copy it exactly as it is at line 10, which reads "func g(u User) error {", not "func g(u User) error { ":
> 10| func g(u User) error {[-·-]`},
		{"several places", Exact, "if u.ok {\n\treturn nil\n",
			"edit 1: the old text differs from the file in the indentation, which is not overlooked here: copy it exactly from lines 4, 11"},
		{"an elision", Notation, "func f(u User) error {\n...\n\treturn errors.New(\"bad\")\n",
			`edit 1: the old text differs from the file in lines left out as "...", which is not overlooked here: copy it exactly from line 3`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Apply([]byte(explained), []Edit{lines(c.old, strings.Replace(c.old, "u", "you", 1))}, &Options{Loosest: c.loosest})
			if !errors.Is(err, ErrNotFound) {
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
	_, err := Apply([]byte(explained), []Edit{lines("func g(u User) error {\n\tif u.okay {\n\t\treturn nil\n", "x\n")}, nil)
	var r *Refusal
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
		_, err := Apply([]byte(c.src), []Edit{lines(c.old, "x\n")}, nil)
		var r *Refusal
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
